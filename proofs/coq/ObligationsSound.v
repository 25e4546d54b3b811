(** * What a margin theorem needs follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Definitions Convexity Derivatives Pieces Joins Expectations MarginTheorem.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound GapMapSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

(** Of one label with one weight vector, for every margin and every subgradient [g] there. *)
Record label_conditions (l : label) (price : R) (phi a : R -> R) (eta c : R) : Prop := {
  label_nonnegative : forall m, 0 <= phi m;
  label_convex : forall m, exists g, subgradient phi m g;
  label_map_range : forall m, 0 <= m -> 0 <= a m <= 1;
  label_rate_positive : 0 < eta;
  label_right : forall m g, 0 <= m -> (l = Lower -> 0 < m) -> subgradient phi m g ->
    a m * price - phi m + eta / 2 * g ^ 2 <= 0;
  label_wrong : forall t g, 0 <= t -> (l = Upper -> 0 < t) -> subgradient phi (- t) g ->
    1 - a t + a t * price - phi (- t) + eta / 2 * g ^ 2 <= 0;
  label_regret_follows : 1 / (2 * eta) <= c
}.

Definition conditions_at (l : label) (price k : R) (phi a : R -> R) (beta : option R) (eta c : R) : Prop :=
  match l with Every => margin_conditions price k phi a beta eta c | _ => label_conditions l price phi a eta c end.

Section Sound.
  Variables (f : margin_statement expr) (k : R) (values : list R).
  Hypothesis fit : piece_fits f = true.
  Hypothesis claims : forall c, In c (claims_of_piece f) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.
  Notation Label := (of_label f).

  Lemma known : is_known f k values.
  Proof using fit claims places whole claimed classes.
    apply andb_true_iff in fit as [H _]. apply andb_true_iff in H as [H HL]. split; [|now intros E; rewrite E in HL].
    split; trivial. intros c Hc. apply claims. unfold claims_of_piece. rewrite !in_app_iff. tauto.
  Qed.

  Lemma fit_parts : numbers_fit f = true /\ map_fits f = true /\
    if_some (fun _ => match of_label f with Every => true | _ => false end) (off_above f) = true /\
    if_some (fun c => of_no_margin (at_margin c) && of_no_margin (at_top c) && Nat.ltb (of_loss c) (length (joined f)) &&
      Nat.ltb (of_map c) (length (parts_of (gap_map f)))) (sharp_at f) = true.
  Proof using fit.
    unfold piece_fits in fit. apply andb_true_iff in fit as [_ fit]. do 3 (apply andb_true_iff in fit as [fit ?]).
    repeat split; assumption.
  Qed.
  Notation numbers_fit := (proj1 fit_parts).
  Notation its_map_fits := (proj1 (proj2 fit_parts)).

  Lemma rates_hold c : In c (about_rates f f) -> claim_holds c.
  Proof using claims. intro H. apply claims. unfold claims_of_piece. rewrite !in_app_iff. tauto. Qed.
  Lemma maps_hold q c : In q (parts_of (gap_map f)) -> In c (about_map f q) -> claim_holds c.
  Proof using claims.
    intros Hq Hc. apply claims. unfold claims_of_piece. rewrite !in_app_iff. do 2 right. left. apply in_flat_map.
    now exists q.
  Qed.

  Notation line m := (m :: 0 :: rest).
  Notation Phi := (Phi f k values).
  Notation A := (A f k values).
  Notation there := (there k values).
  Notation slope_of := (slope_of k values).
  Notation use := (use f k values known).
  Notation use_defined := (use_defined f k values known).
  Notation in_domain := (in_domain f k values known).
  Notation fit_loss := (fit_loss f k values known).
  Notation fit_map := (fit_map f its_map_fits).
  Notation joined_is_part := (joined_is_part f).
  Notation value_there := (value_there f k values known).
  Notation there_holds := (there_holds f k values known).
  Notation all_pieces := (all_pieces f k values known).
  Notation covered := (covered f k values known).
  Notation at_rest := (at_rest k values).
  Notation no_margin := (no_margin k values).
  Notation eta_positive := (eta_positive f f k values known rates_hold).
  Notation its_threshold := (threshold_holds f f rates_hold).
  Notation beta_at := (beta_at f k values known numbers_fit its_threshold).
  Notation step_at := (step_at f f k values numbers_fit).
  Notation eval_right := (eval_right f k values numbers_fit).
  Notation eval_wrong := (eval_wrong f k values numbers_fit).

  Lemma always_on : of_label f <> Every -> off_above f = None.
  Proof using fit.
    assert (X := proj1 (proj2 (proj2 fit_parts))). clear - X. destruct (off_above f); [|reflexivity].
    cbn in X. now destruct (of_label f).
  Qed.

  Ltac among := intros; apply claims; unfold claims_of_piece; rewrite !in_app_iff.

  Lemma gap_holds q p c : In q (parts_of (gap_map f)) -> In p (joined f) -> c = about_right f q p \/ In c (about_wrong f q p) ->
    claim_holds c.
  Proof using claims.
    intros Hq Hp Hc. among. do 3 right. left. apply in_flat_map. exists q. split; trivial. apply in_flat_map. exists p.
    split; trivial. destruct Hc as [->|Hc]; [now left|now right].
  Qed.
  Lemma off_holds b q : off_above f = Some b -> In q (parts_of (gap_map f)) -> claim_holds (about_off f b q).
  Proof using claims. intros E Hq. among. do 4 right. left. rewrite E. now apply (in_map (about_off f b)). Qed.
  Lemma sharply_holds c : In c (sharply f) -> claim_holds c.
  Proof using claims. among. tauto. Qed.

  (** ** The conditions *)

  Notation Beta := (option_map at_rest (off_above f)).
  Notation Eta := (at_rest (rate f)).
  Notation Step := (step_of Label Eta).
  Notation Cost := (option_map at_rest (cost f)).
  Notation Price := (price_of Cost k).

  Lemma step_positive : 0 < Step.
  Proof using fit claims places whole claimed classes. assert (H := eta_positive). unfold step_of. destruct Label; lra. Qed.

  Notation map_is_part := (map_is_part f k values known maps_hold).
  Notation in_the_range := (in_the_range f k values known maps_hold).

  Lemma eval_gap m s risk p : In p (loss_parts f) -> eval (m :: s :: rest) (gap f risk p) =
    eval (m :: s :: rest) risk - eval (line m) (snd p) + Step * slope_of p m ^ 2.
  Proof using fit claims places whole claimed classes.
    intro Hp. destruct (fit_loss p Hp) as [_ H]. unfold gap, minus, slope_of. cbn [eval]. rewrite (step_at m s).
    destruct (second_is_free rest m s 0 (snd p) H) as [-> _].
    destruct (second_is_free rest m s 0 (derived (snd p)) (derived_without 1 _ H)) as [-> _]. ring.
  Qed.

  Lemma in_every_part m g base :
    (forall p, In p (joined f) -> there p m -> base - eval (line m) (snd p) + Step * slope_of p m ^ 2 <= 0) ->
    subgradient Phi m g -> base - Phi m + Step * g ^ 2 <= 0.
  Proof using fit claims places whole claimed classes.
    intro H. apply (pieces_gap _ _ all_pieces covered); [apply Rlt_le, step_positive|]. apply every_part.
    intros p Hp Hm. rewrite (value_there p m Hp Hm). now apply H.
  Qed.

  Lemma right_gap m g : 0 <= m -> ~ is_off Beta m -> (Label = Lower -> 0 < m) -> subgradient Phi m g ->
    A m * Price - Phi m + Step * g ^ 2 <= 0.
  Proof using fit claims places whole claimed classes.
    intros Hm Hon Hlow. apply in_every_part. intros p Hp Hpm. destruct (map_is_part m Hm) as (q & Hq & Hg & ->).
    rewrite <- (eval_right m 0), <- (eval_gap m 0 _ p (joined_is_part p Hp)).
    exact (said_right_ok f k values known numbers_fit its_threshold m _ p _ (gap_holds q p _ Hq Hp (or_introl eq_refl)) Hm
      Hon Hlow Hg Hp Hpm).
  Qed.

  Lemma off_gap m : 0 <= m -> is_off Beta m -> A m * Price <= 0.
  Proof using fit claims places whole claimed classes.
    intros Hm Hoff. assert (Some_ : exists b, off_above f = Some b) by (destruct (off_above f); [eauto|easy]).
    destruct Some_ as [b E], (map_is_part m Hm) as (q & Hq & Hg & ->). rewrite <- (eval_right m 0).
    exact (said_off_ok f k values known numbers_fit its_threshold b m _ _ E (off_holds b q E Hq) Hm Hoff Hg).
  Qed.

  Lemma wrong_gap s t g : 0 <= s <= t -> (k = 2 -> s = t) -> (Label = Upper -> 0 < t) -> subgradient Phi (- t) g ->
    1 - A s + A s * Price - Phi (- t) + Step * g ^ 2 <= 0.
  Proof using fit claims places whole claimed classes.
    intros Hs Htwo Hup. apply in_every_part. intros p Hp Hpt. destruct (map_is_part s) as (q & Hq & Hg & ->); [lra|].
    destruct (at_second_ok rest (- t) s (snd q) (proj2 (fit_map q Hq))) as [<- _].
    rewrite <- (eval_wrong (- t) s), <- (eval_gap (- t) s _ p (joined_is_part p Hp)).
    exact (said_wrong_ok f k values known s t _ p _ (fun c H => gap_holds q p c Hq Hp (or_intror H)) Hs Htwo Hup
      (proj1 (fit_map q Hq)) Hg Hp Hpt).
  Qed.

  Theorem conditions_hold_at : 
    conditions_at Label Price k Phi A Beta Eta (regret_of Eta (option_map at_rest (regret f))).
  Proof using fit claims places whole claimed classes.
    assert (Hconvex := pieces_convex _ _ all_pieces covered).
    assert (Hright := right_gap). assert (Hoff := off_gap). assert (Hwrong := wrong_gap).
    assert (Hpos := nonnegative f k values known). assert (Hmap := in_the_range).
    assert (Heta := eta_positive). assert (Hregret := regret_enough f f k values known rates_hold). assert (Hfalls := nonincreasing f k values known).
    assert (Margin := of_margin known). unfold conditions_at, step_of in *. destruct Label eqn:HL; [..|now elim Margin].
    - split; auto; intros; [apply Hright|apply (Hwrong s t)]; easy.
    - rewrite always_on in Hright by (now rewrite HL). split; auto. intros t g Ht Hup. apply Hwrong; auto; lra.
    - rewrite always_on in Hright by (now rewrite HL). split; auto. intros t g Ht Hup. apply Hwrong; auto; lra.
  Qed.

  (** ** No larger learning rate *)

  Lemma at_contact c p q r : sharp_at f = Some c ->
    (forall d, In d (about_contact f c p q) -> claim_holds d) ->
    In (stated f (domain f) (put_margin c (put_top c r))) (about_contact f c p q) ->
    rel_holds (at_rest (at_margin c) :: at_rest (at_top c) :: rest) r.
  Proof using fit claims places whole claimed classes.
    intros E Hall Hr. destruct fit_parts as (_ & _ & _ & Hno). rewrite E in Hno. cbn in Hno.
    apply andb_true_iff in Hno as [Hno _]. apply andb_true_iff in Hno as [Hno _]. apply andb_true_iff in Hno as [Hm Ht].
    assert (Dm : forall m s, defined (m :: s :: rest) (at_margin c)).
    { intros m s. apply (use_defined m s (domain f)); [|apply in_domain]. intros d Hd. apply Hall. unfold about_contact.
      rewrite !in_app_iff. now left. }
    assert (Dt : forall m s, defined (m :: s :: rest) (at_top c)).
    { intros m s. apply (use_defined m s (domain f)); [|apply in_domain]. intros d Hd. apply Hall. unfold about_contact.
      rewrite !in_app_iff. right. now left. }
    assert (H := use 0 0 _ _ (Hall _ Hr) (in_domain 0 0)). unfold put_margin, put_top in H.
    rewrite put_holds in H by (cbn; auto using Nat.lt_0_succ). cbn [updated] in H.
    rewrite (put_holds (_ :: _ :: rest) 1 _ _ (proj1 (Nat.succ_lt_mono _ _) (Nat.lt_0_succ _)) (Dt _ _)) in H. cbn [updated] in H.
    destruct (no_margin (at_margin c) 0 0 Hm) as [Em _]. rewrite Em in H.
    destruct (no_margin (at_top c) (at_rest (at_margin c)) 0 Ht) as [Et _]. rewrite Et in H. exact H.
  Qed.

  Definition largest : Prop :=
    forall e c, Eta < e -> ~ conditions_at Label Price k Phi A Beta e c.

  Lemma condition_right e c m g : conditions_at Label Price k Phi A Beta e c -> 0 <= m -> ~ is_off Beta m ->
    (Label = Lower -> 0 < m) -> subgradient Phi m g -> A m * Price - Phi m + step_of Label e * g ^ 2 <= 0.
  Proof using classes.
    unfold conditions_at, step_of. destruct Label; intros [] ? ? Hlow; auto.
  Qed.
  Lemma condition_wrong e c s t g : conditions_at Label Price k Phi A Beta e c -> 0 <= s <= t -> (k = 2 -> s = t) ->
    (Label = Upper -> 0 < t) -> subgradient Phi (- t) g ->
    1 - A s + A s * Price - Phi (- t) + step_of Label e * g ^ 2 <= 0.
  Proof using fit claims places whole claimed classes.
    assert (Margin := of_margin known). clear - Margin classes.
    unfold conditions_at, step_of. destruct Label; [intros []; auto|..|now elim Margin];
      cbn in classes; intros H Hs Htwo Hup; rewrite (Htwo classes) in *; set (F := Phi) in *;
      apply (label_wrong _ _ _ _ _ _ H); tauto.
  Qed.

  Lemma tangent_there p m : In p (joined f) -> there p m -> subgradient Phi m (slope_of p m).
  Proof using fit claims places whole claimed classes.
    intros Hp Hm. assert (H := all_pieces). unfold in_pieces in H. revert Hp H.
    induction (joined f) as [|q ps IH]; cbn; [easy|]. intros [->|Hp] [H1 H2]; [now apply H1|auto].
  Qed.

  Theorem rate_is_largest c : sharp_at f = Some c -> largest.
  Proof using fit claims places whole claimed classes.
    intros E e r He H. destruct fit_parts as (_ & _ & _ & Hno). rewrite E in Hno. cbn in Hno.
    apply andb_true_iff in Hno as [Hno Hq]. apply andb_true_iff in Hno as [Hno Hp].
    apply number_of_some in Hp as (p & Hp). apply number_of_some in Hq as (q & Hq).
    assert (Hall : forall d, In d (about_contact f c p q) -> claim_holds d).
    { intros d Hd. apply sharply_holds. unfold sharply. rewrite E, Hp, Hq. exact Hd. }
    apply nth_error_In in Hp, Hq. assert (Hp' := joined_is_part p Hp).
    set (m := at_rest (at_margin c)). set (s := at_rest (at_top c)).
    assert (There : all_given (m :: s :: rest) (contact_facts f c p q)).
    { intros x Hx. apply (at_contact c p q x E Hall). unfold about_contact. rewrite !in_app_iff. do 2 right. left.
      exact (in_map (fun r => stated f (domain f) (put_margin c (put_top c r))) _ x Hx). }
    assert (Hpm : there p m).
    { apply (given_there f); trivial. intros x Hx. apply (second_is_free_in rest m 0 s); [exact (closure_without f k values known p x Hp' Hx)|].
      apply There. unfold contact_facts. apply in_or_app. now left. }
    assert (Hg := tangent_there p m Hp Hpm).
    assert (Hsquare : rel_holds (m :: s :: rest) (Gt, Pow (derived (snd p)) 2, Int 0)).
    { apply There. unfold contact_facts. rewrite !in_app_iff. cbn. tauto. }
    destruct Hsquare as (_ & _ & Hsquare). cbn [compares eval] in Hsquare.
    destruct (second_is_free rest m s 0 (derived (snd p)) (derived_without 1 _ (proj2 (fit_loss p Hp')))) as [Es _].
    rewrite Es in Hsquare. fold (slope_of p m) in Hsquare.
    assert (Hzero : rel_holds (m :: s :: rest) (Relations.Eq, gap f (contact_risk f c q) p, Int 0)).
    { apply There. unfold contact_facts. rewrite !in_app_iff. cbn. tauto. }
    destruct Hzero as (_ & _ & Hzero). cbn [compares] in Hzero. rewrite eval_gap in Hzero by exact Hp'. cbn [eval] in Hzero.
    assert (Hstep : Step < step_of Label e) by (unfold step_of; destruct Label; lra).
    assert (Hphi := value_there p m Hp Hpm). unfold contact_facts, contact_risk in *.
    destruct (is_right c) eqn:Er.
    - assert (Hm : rel_holds (m :: s :: rest) (Ge, Var 0, Int 0)).
      { apply There. rewrite !in_app_iff. cbn. tauto. }
      destruct Hm as (_ & _ & Hm). cbn in Hm. apply Rge_le in Hm.
      assert (Hmap : A m = eval (line m) (snd q)).
      { apply value_of_part; trivial. apply Forall_forall. intros [[sg a] b] Hx.
        assert (Hf := proj1 (fit_map q Hq) _ Hx). apply (second_is_free_in rest m s 0) in Hf.
        assert (X : rel_holds (line m) (sg, a, b)); [|exact (proj2 (proj2 X))]. apply Hf, There. rewrite !in_app_iff. tauto. }
      assert (Hon : ~ is_off Beta m).
      { unfold on in There. destruct (off_above f) as [b|] eqn:Eb; [|easy]. cbn [option_map is_off].
        assert (X : rel_holds (m :: s :: rest) (Le, Var 0, b)) by (apply There; rewrite !in_app_iff; cbn; tauto).
        destruct X as (_ & _ & X). cbn [compares eval nth] in X. destruct (beta_at b m s Eb) as [Y _]. rewrite Y in X.
        apply Rle_not_lt. exact X. }
      assert (Hlow : Label = Lower -> 0 < m).
      { intro HL. unfold on in There. rewrite HL in There.
        assert (X : rel_holds (m :: s :: rest) (Gt, Var 0, Int 0)) by (apply There; rewrite !in_app_iff; cbn; tauto).
        exact (proj2 (proj2 X)). }
      assert (X := condition_right e r m _ H Hm Hon Hlow Hg). rewrite eval_right in Hzero.
      destruct (second_is_free rest m s 0 (snd q) (proj2 (fit_map q Hq))) as [Ea _]. rewrite Ea, <- Hmap, <- Hphi in Hzero.
      nra.
    - assert (Hs : rel_holds (m :: s :: rest) (Ge, Var 1, Int 0)).
      { apply There. rewrite !in_app_iff. cbn. tauto. }
      destruct Hs as (_ & _ & Hs). cbn in Hs. apply Rge_le in Hs.
      assert (Hle : rel_holds (m :: s :: rest) (Le, Var 1, Mul (Int (-1)) (Var 0))).
      { apply There. unfold wrong_margin. rewrite !in_app_iff. cbn. tauto. }
      destruct Hle as (_ & _ & Hle). cbn in Hle.
      assert (Hmap : A s = eval (line s) (snd q)).
      { apply value_of_part; trivial. apply Forall_forall. intros [[sg a] b] Hx.
        assert (Hf := proj1 (fit_map q Hq) _ Hx). apply (relation_at_second_ok rest m s) in Hf.
        assert (X : rel_holds (line s) (sg, a, b)); [|exact (proj2 (proj2 X))]. apply Hf, There. rewrite !in_app_iff.
        right. left. now apply in_map. }
      assert (Htwo : k = 2 -> s = - m).
      { intro Hk. assert (X : rel_holds (line 0) (Relations.Eq, at_top c, Mul (Int (-1)) (at_margin c))).
        { apply (substituted_ok (line 0) 2 (Int 2)); [exact I|cbn; now rewrite Hk|]. apply (Hall (Claim (3 + parameters f) [] (map (substituted 2 (Int 2)) (domain f))
            (substituted 2 (Int 2) (Relations.Eq, at_top c, Mul (Int (-1)) (at_margin c))))).
          - unfold about_contact. rewrite Er. rewrite !in_app_iff. do 3 right. now left.
          - cbn. now rewrite places.
          - easy.
          - intros x Hx. cbn [given] in Hx. apply in_map_iff in Hx as (x' & <- & Hx).
            apply (substituted_ok (line 0) 2 (Int 2)); [exact I|cbn; now rewrite Hk|]. now apply claimed. }
        destruct X as (_ & _ & X). cbn in X. unfold s, m, at_rest. lra. }
      assert (Hneg : subgradient Phi (- - m) (slope_of p m)) by now rewrite Ropp_involutive.
      assert (Hup : Label = Upper -> 0 < - m).
      { intro HL. unfold wrong_margin in There. rewrite HL in There.
        assert (X : rel_holds (m :: s :: rest) (Lt, Var 0, Int 0)) by (apply There; rewrite !in_app_iff; cbn; tauto).
        destruct X as (_ & _ & X). cbn in X. lra. }
      assert (X := condition_wrong e r s (- m) _ H ltac:(lra) Htwo Hup Hneg). rewrite Ropp_involutive in X.
      rewrite eval_wrong in Hzero. destruct (at_second_ok rest m s (snd q) (proj2 (fit_map q Hq))) as [Ea _].
      rewrite Ea, <- Hmap, <- Hphi in Hzero. nra.
  Qed.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem proved f : all_hold f -> forall k values, length values = parameters f -> (exists z, k = IZR z) ->
  Stated.every (0 :: 0 :: k :: values) (domain f) -> classes_of (of_label f) k ->
  let at_ := value (0 :: 0 :: k :: values) in
  let price := price_of (option_map at_ (cost f)) k in
  let phi m := value (m :: 0 :: k :: values) (phi f) in
  let a m := value (m :: 0 :: k :: values) (gap_map f) in
  let beta := option_map at_ (off_above f) in
  conditions_at (of_label f) price k phi a beta (at_ (rate f)) (regret_of (at_ (rate f)) (option_map at_ (regret f))) /\
  match sharp_at f with
  | None => True
  | Some _ => forall e c, at_ (rate f) < e -> ~ conditions_at (of_label f) price k phi a beta e c
  end.
Proof.
  intros [Hf Hall] k values Hn Hz Hd%Stated.every_given Hk at_. set (env := 0 :: 0 :: k :: values) in *.
  destruct (some_choice f f k values (fun c H => Hall c (in_or_app _ _ _ (or_introl H))) Hn Hz Hd Hk)
    as (p & Hp & Cp & Er & Ec & Eb & Ea).
  set (g := MarginData (within f (fst p)) (snd p) (gap_map f) (sharp_at f)).
  assert (Hg : In g (theorems_of_pieces f)).
  { exact (in_map (fun p => MarginData (within f (fst p)) (snd p) (gap_map f) (sharp_at f)) _ p Hp). }
  assert (Hd' : all_given env (domain g)) by now apply given_app.
  assert (Hall' : forall d, In d (claims_of_piece g) -> claim_holds d).
  { intros d Hin. apply Hall. apply in_or_app. right. apply in_flat_map. now exists g. }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg). unfold at_. fold env in Er, Ec, Eb, Ea. rewrite Er, Ec, Eb, Ea.
  split; [exact (conditions_hold_at g k values Fit Hall' Hn Hz Hd' Hk)|].
  destruct (sharp_at f) as [d|]; [|exact I]. exact (rate_is_largest g k values Fit Hall' Hn Hz Hd' Hk d eq_refl).
Qed.
