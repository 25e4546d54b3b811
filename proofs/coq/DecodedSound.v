(** * What the best decoder needs of a margin loss follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Definitions Derivatives Pieces MarginTheorem.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
From Gaptron Require Import DecoderConditions.
Import ListNotations.
Open Scope R_scope.

Section Sound.
  Variables (f : decoded_statement expr) (k : R) (values : list R).
  Hypothesis fit : decoded_piece_fits f = true.
  Hypothesis claims : forall c, In c (claims_of_decoded f) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.

  Lemma fit_parts : loss_fits f = true /\ numbers_fit f = true /\ (tied f = true -> length (joined f) = 1%nat) /\
    match its_opposite f with
    | None => of_label f = Every
    | Some o => of_label f = Upper /\ loss_fits (opposed f o) = true
    end.
  Proof using fit.
    clear - fit. unfold decoded_piece_fits in fit. do 3 (apply andb_true_iff in fit as [fit ?]). repeat split; trivial.
    - intro E. rewrite E in *. now apply Nat.eqb_eq.
    - destruct (its_opposite f), (of_label f), (off_above f); try discriminate; now split.
  Qed.

  Lemma known : is_known f k values.
  Proof using fit claims places whole claimed classes.
    split; [split; trivial; [exact (proj1 fit_parts)|]|].
    - intros c H. apply claims. unfold claims_of_decoded. rewrite !in_app_iff. tauto.
    - intro E. unfold decoded_piece_fits in fit. rewrite E, andb_true_iff in fit. now destruct fit, (its_opposite f).
  Qed.

  Lemma rates_hold c : In c (about_rates f f) -> claim_holds c.
  Proof using claims. intro H. apply claims. unfold claims_of_decoded. rewrite in_app_iff. now left. Qed.

  Notation line m := (m :: 0 :: rest).
  Notation Phi := (Phi f k values).
  Notation there := (there k values).
  Notation slope_of := (slope_of k values).
  Notation at_rest := (at_rest k values).
  Notation Eta := (at_rest (rate f)).
  Notation Beta := (option_map at_rest (off_above f)).
  Notation Step := (step_of (of_label f) Eta).
  Notation use := (use f k values known).

  Lemma rate_positive : 0 < Eta.
  Proof using fit claims places whole claimed classes. exact (eta_positive f f k values known rates_hold). Qed.

  Lemma step_positive : 0 < Step.
  Proof using fit claims places whole claimed classes.
    assert (H := rate_positive). unfold step_of. destruct (of_label f); lra.
  Qed.

  Definition step_here := step_at f f k values (proj1 (proj2 fit_parts)).

  (** ** What one label needs *)

  Definition needed (p : part) (m : R) : R := 1 - eval (line m) (snd p) + Step * slope_of p m ^ 2.

  Lemma moved_ok x m s e : defined (m :: s :: rest) x -> without 1 e = true ->
    eval (m :: s :: rest) (moved x e) = eval (line (eval (m :: s :: rest) x)) e.
  Proof using.
    intros D H. destruct (put_ok (m :: s :: rest) 0 x e (Nat.lt_0_succ _) D) as [E _]. unfold moved. rewrite E. cbn [updated].
    now destruct (second_is_free rest (eval (m :: s :: rest) x) s 0 e H).
  Qed.

  (** Of the loss, or of that of the label -1. *)
  Section Loss.
    Variable g : loss_statement.
    Hypothesis its_known : is_known g k values.

    Lemma need_there_ok x weight p m s : In p (joined g) -> defined (m :: s :: rest) x ->
      there p (eval (m :: s :: rest) x) -> all_given (m :: s :: rest) (fst (need_there f x weight p)) /\
      eval (m :: s :: rest) (snd (need_there f x weight p)) =
        eval (m :: s :: rest) weight * needed p (eval (m :: s :: rest) x).
    Proof using fit its_known.
      intros Hp D Hm. assert (Hp' := joined_is_part g p Hp). cbn [need_there fst snd]. split.
      - intros r Hr. apply in_map_iff in Hr as (r' & <- & Hr). apply put_holds; [exact (Nat.lt_0_succ _)|exact D|].
        cbn [updated]. apply (lifted g k values its_known p); trivial.
      - destruct (fit_loss g k values its_known p Hp') as [_ H]. unfold minus. cbn [eval].
        rewrite !moved_ok, step_here by (trivial; now apply derived_without). unfold needed, slope_of. ring.
    Qed.

    Lemma in_every_need m e base weight : 0 <= weight -> 0 <= Step ->
      (forall p, In p (joined g) -> there p m -> base + weight * needed p m <= 1) ->
      subgradient (LossSound.Phi g k values) m e -> base + weight * need (LossSound.Phi g k values) Step m e <= 1.
    Proof using its_known.
      intros Hw Hs H. apply (pieces_need _ _ (all_pieces g k values its_known) (covered g k values its_known)); trivial.
      apply every_part. intros p Hp Hm. unfold need.
      rewrite (value_there g k values its_known p m Hp Hm). now apply H.
    Qed.
  End Loss.

  (** ** Labels together *)

  (** A label that counts, as one of those that claims are about. *)
  Definition counts (m s : R) (x : list given_need) (a : option given_need) (u value : R) : Prop :=
    In a (or_none x) /\ match a with
    | None => u = 0
    | Some (c, e) => u = 1 /\ all_given (m :: s :: rest) c /\ eval (m :: s :: rest) e = value
    end.

  Lemma one_counts m s x c e u value : none_or_one u -> In (c, e) x -> all_given (m :: s :: rest) c ->
    eval (m :: s :: rest) e = value -> exists a, counts m s x a u value.
  Proof using.
    intros [-> | ->] Hx Hc He; [exists None|exists (Some (c, e))]; (split; [|tauto]); [now left|right; now apply in_map].
  Qed.

  Lemma together side m s a b c x y z u v w p q r : compares side m 0 ->
    (forall d, In d (about_all f side x y z) -> claim_holds d) ->
    counts m s x a u p -> counts m s y b v q -> counts m s z c w r -> (w = 1 -> 3 <= k /\ m <= s) ->
    u * p + v * q + w * r <= 1.
  Proof using fit claims places whole claimed classes.
    intros Hm Hall [Ha Ca] [Hb Cb] [Hc Cc] Hk. set (env := m :: s :: rest) in *.
    assert (H : claim_holds (about_needs f side a b c)).
    { apply Hall. apply in_flat_map. exists a. split; trivial. apply in_flat_map. exists b. split; trivial. now apply in_map. }
    assert (Those : forall d t value, match d with
      | None => t = 0
      | Some (g, e) => t = 1 /\ all_given env g /\ eval env e = value
      end -> all_given env (flat_map fst (those d)) /\
        forall more, fold_right Rplus more (map (eval env) (map snd (those d))) = t * value + more).
    { intros [[g e]|] t value; cbn; [intros (-> & Hg & <-)|intros ->].
      - rewrite app_nil_r. split; [exact Hg|intro; ring].
      - split; [intros d []|intro; ring]. }
    destruct (Those a u p Ca) as [Ga Sa], (Those b v q Cb) as [Gb Sb], (Those c w r Cc) as [Gc Sc].
    assert (Sum : forall ls, eval env (fold_right Add (Int 0) ls) = fold_right Rplus 0 (map (eval env) ls)).
    { intro ls. induction ls as [|e ls IH]; cbn; [reflexivity|now rewrite <- IH]. }
    refine (Rle_trans _ _ _ _ (proj2 (proj2 (use m s _ _ H _)))); fold env.
    - rewrite Sum, !map_app, !fold_right_app, Sa, Sb, Sc. right. ring.
    - apply given_app; [apply (in_domain f k values known)|]. apply given_cons; [cbn; repeat split; trivial|].
      apply given_app; [|rewrite !flat_map_app; now repeat apply given_app].
      destruct c as [[g e]|]; [|intros d []]. destruct Cc as [-> _]. specialize (Hk eq_refl) as [Hk Hms].
      apply given_cons; [cbn; repeat split; lra|]. apply given_one. cbn. repeat split; lra.
  Qed.

  (** What the top label needs in one of its pieces, or in a round that is off. *)
  Definition top_needs (m need : R) : Prop :=
    is_off Beta m /\ need = 1 \/ exists p, In p (joined f) /\ there p m /\ ~ is_off Beta m /\ need = needed p m.

  Lemma beta_at b m s : off_above f = Some b -> eval (m :: s :: rest) b = at_rest b /\ defined (m :: s :: rest) b.
  Proof using fit claims places whole claimed classes.
    exact (threshold_at f f k values known (proj1 (proj2 fit_parts)) b m s (threshold_holds f f rates_hold)).
  Qed.

  Lemma top_counts m s u need : none_or_one u -> top_needs m need -> exists a, counts m s (tops f) a u need.
  Proof using fit claims places whole claimed classes.
    intros Hu [[Hoff ->]|(p & Hp & Hm & Hon & ->)].
    - unfold tops. destruct (off_above f) as [b|] eqn:E; [|easy]. cbn in Hoff.
      apply (one_counts m s _ [(Gt, Var 0, b)] (Int 1)); trivial; [apply in_or_app; right; now left|].
      destruct (beta_at b m s E) as [Eb Db]. apply given_one. cbn [rel_holds compares eval nth defined]. rewrite Eb.
      repeat split; trivial.
    - destruct (need_there_ok f known (Var 0) (Int 1) p m s Hp I Hm) as [Hc He]. cbn [eval nth] in He. rewrite Rmult_1_l in He.
      unfold tops. destruct (off_above f) as [b|] eqn:E.
      + refine (one_counts m s _ _ _ u _ Hu (in_or_app _ _ _ (or_introl (in_map _ _ p Hp))) _ He).
        destruct (beta_at b m s E) as [Eb Db]. apply given_cons; [|exact Hc]. cbn [rel_holds compares eval nth defined].
        rewrite Eb. cbn in Hon. repeat split; trivial. lra.
      + exact (one_counts m s _ _ _ u _ Hu (in_or_app _ _ _ (or_introl (in_map _ _ p Hp))) Hc He).
  Qed.

  Lemma opposite_counts g x at_ weight p m s u : is_known g k values -> none_or_one u -> In p (joined g) ->
    In (need_there f (Mul (Int (-1)) (Var x)) weight p) at_ -> there p (- nth x (m :: s :: rest) 0) ->
    exists a, counts m s at_ a u (eval (m :: s :: rest) weight * needed p (- nth x (m :: s :: rest) 0)).
  Proof using fit.
    intros Hg Hu Hp Hin Hm. assert (E : eval (m :: s :: rest) (Mul (Int (-1)) (Var x)) = - nth x (m :: s :: rest) 0)
      by (cbn [eval]; ring).
    destruct (need_there_ok g Hg (Mul (Int (-1)) (Var x)) weight p m s Hp (conj I I)) as [Hc He]; [now rewrite E|].
    rewrite E in He. exact (one_counts m s at_ _ _ u _ Hu Hin Hc He).
  Qed.

  (** ** One weight vector *)

  Section Other.
    Variable o : opposite_loss.
    Hypothesis other : its_opposite f = Some o.
    Notation Opposed := (LossSound.Phi (opposed f o) k values).

    Lemma of_plus : of_label f = Upper /\ loss_fits (opposed f o) = true.
    Proof using fit other. assert (H := proj2 (proj2 (proj2 fit_parts))). now rewrite other in H. Qed.

    Lemma is_two : k = 2.
    Proof using fit other classes. assert (H := classes). now rewrite (proj1 of_plus) in H. Qed.

    Lemma other_claims c : In c (claims_of_loss (opposed f o)) \/
      (exists side, In side [Ge; Le] /\ In c (about_both_labels f (opposed f o) side)) -> claim_holds c.
    Proof using claims other.
      intro H. apply claims. unfold claims_of_decoded. rewrite other, !in_app_iff. do 2 right.
      destruct H as [H|(side & Hs & H)]; [now left|right]. apply in_flat_map. now exists side.
    Qed.

    Lemma other_known : is_known (opposed f o) k values.
    Proof using fit claims places whole claimed classes other.
      split; [|easy]. split; trivial; [exact (proj2 of_plus)| |exact is_two]. intros c H. apply other_claims. now left.
    Qed.

    Lemma both_need z p q u v : In p (joined f) -> there p z -> In q (joined (opposed f o)) -> there q (- z) ->
      none_or_one u -> none_or_one v -> u * needed p z + v * needed q (- z) <= 1.
    Proof using fit claims places whole claimed classes other.
      intros Hp Hpz Hq Hqz Hu Hv.
      destruct (need_there_ok f known (Var 0) (Int 1) p z 0 Hp I Hpz) as [Gp Ep]. cbn [eval nth] in Ep.
      destruct (one_counts z 0 _ _ _ u _ Hu (in_map (need_there f (Var 0) (Int 1)) _ p Hp) Gp Ep) as (a & Ha).
      destruct (opposite_counts (opposed f o) 0 _ (Int 1) q z 0 v other_known Hv Hq
        (in_map (need_there f (Mul (Int (-1)) (Var 0)) (Int 1)) _ q Hq) Hqz) as (b & Hb).
      cbn [eval nth] in Hb. rewrite Rmult_1_l in Ha, Hb.
      assert (Side : exists side, In side [Ge; Le] /\ compares side z 0).
      { destruct (Rle_lt_dec 0 z); [exists Ge|exists Le]; cbn; split; auto; lra. }
      destruct Side as (side & Hin & Hside).
      assert (H := fun Hall => together side z 0 a b None _ _ [] u v 0 _ _ 0 Hside Hall Ha Hb
        (conj (or_introl eq_refl) eq_refl)).
      rewrite Rmult_0_l, Rplus_0_r in H. apply H; [|lra]. intros c Hc. apply other_claims. right. now exists side.
    Qed.

    Theorem decoded_by_both : binary_needs Phi (fun z => value (z :: 0 :: rest) (minus_loss o)) Eta
      (regret_of Eta (option_map at_rest (regret f))).
    Proof using fit claims places whole claimed classes other.
      set (minus := fun z => value (z :: 0 :: rest) (minus_loss o)).
      assert (Turned : forall m, Opposed m = minus (- m)) by (intro; apply opposed_loss).
      assert (Back : forall z, minus z = Opposed (- z)) by (intro; now rewrite Turned, Ropp_involutive).
      split.
      - exact (nonnegative f k values known).
      - intro z. rewrite Back. apply (nonnegative _ k values other_known).
      - exact (pieces_convex _ _ (all_pieces f k values known) (covered f k values known)).
      - apply (opposite_convex minus Opposed Turned).
        exact (pieces_convex _ _ (all_pieces _ k values other_known) (covered _ k values other_known)).
      - exact rate_positive.
      - intros z g h u v Hu Hv Hg Hh. assert (Hu' := none_or_one_range u Hu). assert (Hv' := none_or_one_range v Hv).
        assert (Half : Eta / 2 = Step) by now rewrite (proj1 of_plus). rewrite Half.
        assert (Hs := Rlt_le _ _ step_positive). apply (at_opposite minus Opposed Turned) in Hh.
        replace (need minus Step z h) with (need Opposed Step (- z) (- h)) by (unfold need; rewrite Back; ring).
        apply (in_every_need _ other_known); trivial; [lra|]. intros q Hq Hqz. apply first_last.
        apply (in_every_need f known); trivial; [lra|]. intros p Hp Hpz. apply first_last. now apply both_need.
      - exact (regret_enough f f k values known rates_hold).
    Qed.
  End Other.

  (** ** Margin losses *)

  Hypothesis alone : its_opposite f = None.

  Lemma every_label : of_label f = Every.
  Proof using fit alone. assert (H := proj2 (proj2 (proj2 fit_parts))). now rewrite alone in H. Qed.

  Lemma many : k = 2 \/ 3 <= k.
  Proof using fit classes alone. assert (H := classes). now rewrite every_label in H. Qed.

  Lemma step_is_rate : Step = Eta.
  Proof using fit alone. now rewrite every_label. Qed.

  Definition labels_need (s t : R) : Prop := forall top q r u v w, top_needs s top ->
    In q (joined f) -> there q (- s) -> In r (joined f) -> there r (- t) ->
    none_or_one u -> none_or_one v -> none_or_one w -> (k = 2 -> w = 0) ->
    u * top + v * needed q (- s) + w * ((k - 2) * needed r (- t)) <= 1.

  Lemma apart_need s t : tied f = false -> 0 <= s <= t -> labels_need s t.
  Proof using fit claims places whole claimed classes alone.
    intros E Hst top q r u v w Htop Hq Hqs Hr Hrt Hu Hv Hw Htwo.
    destruct (top_counts s t u top Hu Htop) as (a & Ha).
    destruct (opposite_counts f 0 (runners f (Int 1)) (Int 1) q s t v known Hv Hq (in_map _ _ q Hq) Hqs) as (b & Hb).
    destruct (opposite_counts f 1 (others f) (minus (Var 2) (Int 2)) r s t w known Hw Hr (in_map _ _ r Hr) Hrt)
      as (c & Hc).
    cbn [nth eval] in Hb, Hc. rewrite Rmult_1_l in Hb.
    replace (eval (s :: t :: rest) (minus (Var 2) (Int 2))) with (k - 2) in Hc by (cbn; ring).
    refine (together Ge s t a b c _ _ _ u v w _ _ _ (Rle_ge _ _ (proj1 Hst)) _ Ha Hb Hc _).
    - intros d Hd. apply claims. unfold claims_of_decoded. rewrite alone, E, !in_app_iff. now do 2 right.
    - intros ->. destruct many as [Hk|Hk]; [specialize (Htwo Hk); lra|now split].
  Qed.

  Lemma wrong_need_falls p : tied f = true -> (forall m, In p (joined f) /\ there p m) ->
    forall s t, 0 <= s <= t -> needed p (- t) <= needed p (- s).
  Proof using fit claims places whole claimed classes alone.
    intros E Hall s t Hst.
    set (slope := slope_of p). set (bend := fun m => eval (line m) (derived (derived (snd p)))).
    unfold needed. rewrite step_is_rate.
    apply (need_falls (fun m => eval (line m) (snd p)) slope bend Eta); trivial.
    - intro m. destruct (Hall m) as [Hp Hm]. apply (derivable_derived (0 :: rest)). now apply (part_smooth f k values known).
    - intro m. destruct (Hall m) as [Hp Hm]. apply (derivable_derived (0 :: rest)), smooth_derived.
      now apply (part_smooth f k values known).
    - clear s t Hst. intros s Hs. destruct (Hall (- s)) as [Hp Hm]. assert (Hp' := joined_is_part f p Hp).
      destruct (fit_loss f k values known p Hp') as [_ Free].
      assert (Hc : claim_holds (about_fall f p)).
      { apply claims. unfold claims_of_decoded. rewrite alone, E, !in_app_iff. right. right. left. now apply in_map. }
      set (x := Mul (Int (-1)) (Var 0)). assert (Ex : eval (line s) x = - s) by (cbn; ring).
      assert (Dx : defined (line s) x) by (cbn; auto).
      assert (H := use s 0 _ _ Hc). cbn [rel_holds] in H. destruct H as (_ & _ & H).
      { apply given_app; [apply (in_domain f k values known)|]. apply given_cons; [cbn; repeat split; lra|].
        intros r Hr. apply in_map_iff in Hr as (r' & <- & Hr). apply put_holds; [exact (Nat.lt_0_succ _)|exact Dx|].
        cbn [updated]. fold x. rewrite Ex. now apply (there_holds f k values known p). }
      revert H. unfold minus. cbn [compares eval].
      rewrite !moved_ok by (trivial; now repeat apply derived_without).
      destruct (no_margin k values _ s 0 (proj1 (fit_numbers f (proj1 (proj2 fit_parts))))) as [-> _]. fold x. rewrite Ex.
      fold (slope_of p (- s)) (bend (- s)). fold slope. lra.
  Qed.

  Lemma tied_need s t : tied f = true -> 0 <= s <= t -> labels_need s t.
  Proof using fit claims places whole claimed classes alone.
    intros E Hst top q r u v w Htop Hq Hqs Hr Hrt Hu Hv Hw Htwo.
    assert (One : exists p, joined f = [p]).
    { assert (H := proj1 (proj2 (proj2 fit_parts)) E). destruct (joined f) as [|p [|? ?]]; try discriminate. now exists p. }
    destruct One as (p & One). assert (Only : forall x, In x (joined f) -> x = p).
    { rewrite One. now intros x [->|[]]. }
    assert (Xq := Only q Hq). assert (Xr := Only r Hr). subst q r.
    assert (Everywhere : forall m, In p (joined f) /\ there p m).
    { intro m. destruct (phi_is_joined f k values known m) as (x & Hx & Hm & _). assert (X := Only x Hx). subst x. now split. }
    assert (Sum : forall a b, none_or_one a -> none_or_one b -> a * top + b * ((k - 1) * needed p (- s)) <= 1).
    { intros a b Ha Hb. destruct (top_counts s t a top Ha Htop) as (x & Hx).
      destruct (opposite_counts f 0 (runners f (minus (Var 2) (Int 1))) (minus (Var 2) (Int 1)) p s t b
        known Hb Hq (in_map _ _ p Hq) Hqs) as (y & Hy).
      cbn [nth] in Hy.
      replace (eval (s :: t :: rest) (minus (Var 2) (Int 1))) with (k - 1) in Hy by (cbn; ring).
      assert (H := fun Hall => together Ge s t x y None _ _ [] a b 0 _ _ 0 (Rle_ge _ _ (proj1 Hst)) Hall Hx Hy
        (conj (or_introl eq_refl) eq_refl)).
      rewrite Rmult_0_l, Rplus_0_r in H. apply H; [|lra].
      intros d Hd. apply claims. unfold claims_of_decoded. rewrite alone, E, !in_app_iff. now do 3 right. }
    rewrite <- Rmult_assoc. assert (Hk := many).
    apply tied_labels; trivial; [lra|now apply wrong_need_falls|..].
    - assert (H := Sum 1 0 (or_intror eq_refl) (or_introl eq_refl)). lra.
    - assert (H := Sum 0 1 (or_introl eq_refl) (or_intror eq_refl)). lra.
    - assert (H := Sum 1 1 (or_intror eq_refl) (or_intror eq_refl)). lra.
  Qed.

  Lemma all_need s t : 0 <= s <= t -> labels_need s t.
  Proof using fit claims places whole claimed classes alone.
    destruct (tied f) eqn:E; [now apply tied_need|now apply apart_need].
  Qed.

  Lemma few_need s t h e v w top : 0 <= s <= t -> none_or_one v -> none_or_one w -> (k = 2 -> w = 0) -> top_needs s top ->
    subgradient Phi (- s) h -> subgradient Phi (- t) e -> forall u, none_or_one u ->
    u * top + v * need Phi Eta (- s) h + w * (k - 2) * need Phi Eta (- t) e <= 1.
  Proof using fit claims places whole claimed classes alone.
    intros Hst Hv Hw Htwo Htop Hh He u Hu. assert (Hk := many). assert (Hs := Rlt_le _ _ step_positive).
    rewrite <- step_is_rate.
    assert (Hv' := none_or_one_range v Hv). assert (Hw' := none_or_one_range w Hw).
    apply (in_every_need f known); [apply Rmult_le_pos; lra|exact Hs| |exact He]. intros r Hr Hrt. do 2 apply first_of_three_last.
    apply (in_every_need f known); [lra|exact Hs| |exact Hh]. intros q Hq Hqs.
    assert (H := all_need s t Hst top q r u v w Htop Hq Hqs Hr Hrt Hu Hv Hw Htwo). lra.
  Qed.

  Theorem decoded_by_margin : margin_needs k Phi Beta Eta (regret_of Eta (option_map at_rest (regret f))).
  Proof using fit claims places whole claimed classes alone.
    split.
    - exact (nonnegative f k values known).
    - exact (pieces_convex _ _ (all_pieces f k values known) (covered f k values known)).
    - exact (nonincreasing f k values known).
    - exact rate_positive.
    - intros s t g h e u v w Hst Hon Hu Hv Hw Htwo Hg Hh He. apply first_of_three_last.
      assert (Hu' := none_or_one_range u Hu). assert (Hs := Rlt_le _ _ step_positive). rewrite <- step_is_rate.
      apply (in_every_need f known); [lra|exact Hs| |exact Hg]. intros p Hp Hps.
      assert (Htop : top_needs s (needed p s)) by (right; now exists p).
      assert (H := few_need s t h e v w (needed p s) Hst Hv Hw Htwo Htop Hh He u Hu). rewrite <- step_is_rate in H. lra.
    - intros s t h e v w Hst Hoff Hv Hw Htwo Hh He.
      assert (H := few_need s t h e v w 1 Hst Hv Hw Htwo (or_introl (conj Hoff eq_refl)) Hh He 1 (or_intror eq_refl)). lra.
    - exact (regret_enough f f k values known rates_hold).
  Qed.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem decoded f proofs : proves_decoded f proofs = true -> forall k values, length values = parameters f ->
  (exists z, k = IZR z) -> Stated.every (0 :: 0 :: k :: values) (domain f) -> classes_of (of_label f) k ->
  let at_ := value (0 :: 0 :: k :: values) in
  let phi m := value (m :: 0 :: k :: values) (phi f) in
  let eta := at_ (rate f) in
  let c := regret_of eta (option_map at_ (regret f)) in
  match its_opposite f with
  | None => margin_needs k phi (option_map at_ (off_above f)) eta c
  | Some o => binary_needs phi (fun z => value (z :: 0 :: k :: values) (minus_loss o)) eta c
  end.
Proof.
  intros [Hf Hc]%andb_true_iff k values Hn Hz Hd%Stated.every_given Hk at_. assert (Hall := check_each_ok _ _ Hc).
  destruct (some_choice f f k values (fun c H => Hall c (in_or_app _ _ _ (or_introl H))) Hn Hz Hd Hk)
    as (p & Hp & Cp & Er & Ec & _ & Ea).
  set (g := DecodedData (within f (fst p)) (snd p) (its_opposite f) (tied f)).
  assert (Hg : In g (pieces_of_decoded f)).
  { exact (in_map (fun p => DecodedData (within f (fst p)) (snd p) (its_opposite f) (tied f)) _ p Hp). }
  assert (Hd' : all_given (0 :: 0 :: k :: values) (domain g)) by now apply given_app.
  assert (Hall' : forall d, In d (claims_of_decoded g) -> claim_holds d).
  { intros d Hin. apply Hall, in_or_app. right. apply in_flat_map. now exists g. }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg). unfold at_. rewrite Er, Ec, Ea.
  destruct (its_opposite f) as [o|] eqn:E.
  - exact (decoded_by_both g k values Fit Hall' Hn Hz Hd' Hk o eq_refl).
  - exact (decoded_by_margin g k values Fit Hall' Hn Hz Hd' Hk eq_refl).
Qed.
