(** * What a softmax theorem needs follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Convexity Derivatives Pieces Joins Expectations Softmax SoftmaxSubgradients
  LogitSubgradients LogitJoins SoftmaxTheorem.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound GapMapSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

(** ** What is said of the rounds of a loss of probabilities is so *)

Section Labels.
  Variables (f : margin_statement expr) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Hypothesis label : of_label f = Probable.
  Notation rest := (k :: values).
  Notation line m := (m :: 0 :: rest).
  Notation Phi := (Phi f k values).
  Notation there := (there k values).
  Notation slope_of := (slope_of k values).
  Notation in_domain := (in_domain f k values known).
  Notation at_probability := (at_probability f).
  Notation all_pieces := (logit_pieces f k values known label).
  Notation in_their_order := (logits_in_order f k values known).
  Notation all_covered := (probabilities_covered f k values known).

  Lemma its_classes : k = 2 \/ 3 <= k.
  Proof using known label. assert (H := LossSound.classes known). unfold classes_of in H. now rewrite label in H. Qed.

  Lemma largest_is_positive p : 1 / k <= p -> 0 < p.
  Proof using known label.
    intros Hp. assert (H := Rdiv_lt_0_compat 1 k Rlt_0_1 ltac:(destruct its_classes; lra)). lra.
  Qed.

  Lemma probable_surrogate : softmax_surrogate k Phi.
  Proof using known label.
    split; [intros p Hp; exact (nonnegative_at f k values known p (at_probability p Hp))|..].
    - exact (logit_pieces_convex _ _ all_pieces in_their_order all_covered).
    - exact (probability_falls f k values known label).
  Qed.

  Lemma largest_given p : 1 / k <= p < 1 -> all_given (line p) (top f).
  Proof using known label.
    intros [Hk Hp]. assert (Hlow := largest_is_positive p Hk). assert (0 < k) by (destruct its_classes; lra).
    unfold top. rewrite label. unfold Rdiv in Hk. rewrite Rmult_1_l in Hk.
    repeat apply given_cons; [..|easy]; cbn; repeat split; lra.
  Qed.

  Ltac given_there := repeat apply given_cons; [..|easy]; cbn; repeat split; lra.
  Ltac squares := cbn; first [ring | field | nra].

  Lemma top_in_part p S : 1 / k <= p < 1 -> beside_top p S ->
    exists o, In o right_squares /\ all_given (line p) (fst o) /\ eval (line p) (snd o) = S /\ 0 <= S.
  Proof using known label.
    intros [Hk Hp] HS. assert (Hlow := largest_is_positive p Hk).
    destruct HS as [[H ->]|[[H ->]|[H ->]]]; [exists (nth 0 right_squares ([], Int 0))|
      exists (nth 1 right_squares ([], Int 0))|exists (nth 2 right_squares ([], Int 0))];
      (split; [cbn; tauto|]); (split; [given_there|]); (split; [squares|]).
    - apply pow2_ge_0.
    - assert (H1 := pow2_ge_0 p). assert (H2 := pow2_ge_0 (1 - 2 * p)). lra.
    - apply Rmult_le_pos; lra.
  Qed.

  Lemma other_in_part p q S : wrong_probabilities k p q -> beside p q S ->
    exists o, In o wrong_squares /\ all_given (q :: p :: rest) (fst o) /\ eval (q :: p :: rest) (snd o) = S /\ 0 <= S.
  Proof using.
    intros (Hk & Hq & Hpq & _) HS. assert (H1 := pow2_ge_0 p).
    destruct HS as [[H ->]|[H ->]]; [exists (nth 0 wrong_squares ([], Int 0))|exists (nth 1 wrong_squares ([], Int 0))];
      (split; [cbn; tauto|]); (split; [given_there|]); (split; [squares|]).
    - assert (H2 := pow2_ge_0 (1 - q - p)). lra.
    - assert (0 <= p * (1 - q - p)) by (apply Rmult_le_pos; lra). lra.
  Qed.

  Lemma said_right_label_ok p c q o e : claim_holds (said_right_label f c q o e) -> 1 / k <= p < 1 ->
    all_given (line p) c -> In q (joined f) -> there q p -> all_given (line p) (fst o) -> eval (line p) e <= 0.
  Proof using known label.
    intros H Hk Hc Hq Hqp Ho. refine (proj2 (proj2 (use f k values known p 0 _ (Le, e, Int 0) H _))).
    apply given_app; [apply given_app; [apply in_domain|now apply largest_given]|]. apply given_app; [exact Hc|].
    apply given_app; [|exact Ho]. apply (there_holds f k values known); trivial. now apply joined_is_part.
  Qed.

  Lemma of_sum_one_ok p q r : k = 2 -> p = 1 - q ->
    rel_holds (q :: p :: rest) (of_sum_one r) <-> rel_holds (q :: p :: rest) r.
  Proof using. intros Hk ->. unfold of_sum_one. rewrite substituted_ok by (cbn; auto; ring). now apply put_two_ok. Qed.

  Lemma said_wrong_label_ok p q c x o e : (forall d, In d (said_wrong_label f c x o e) -> claim_holds d) ->
    wrong_probabilities k p q -> all_given (line p) c -> (forall r, In r c -> rel_without 1 r = true) ->
    In x (joined f) -> there x q -> all_given (q :: p :: rest) (fst o) -> eval (q :: p :: rest) e <= 0.
  Proof using known label.
    intros Hall (Hk & Hq & Hpq & Htwo) Hc Hfree Hx Hxq Ho. assert (Htop := largest_given p Hk).
    assert (Given : all_given (q :: p :: rest) (wrong_label f c x o)).
    { unfold wrong_label. apply given_app; [apply (in_interval f k values), at_probability; lra|].
      apply given_app; [repeat apply given_cons; [..|easy]; cbn; repeat split; lra|].
      apply given_app; [|apply given_app; [|exact Ho]].
      - intros r Hr. apply in_map_iff in Hr as (r' & <- & Hr). apply relation_at_second_ok.
        + apply in_app_or in Hr as [Hr|Hr]; [|now apply Hfree]. unfold top in Hr. rewrite label in Hr.
          now repeat destruct Hr as [<-|Hr].
        + apply in_app_or in Hr as [Hr|Hr]; auto.
      - apply (lifted f k values known); trivial. now apply joined_is_part. }
    assert (H : rel_holds (q :: p :: rest) (Le, e, Int 0)); [|exact (proj2 (proj2 H))].
    destruct its_classes as [E|E].
    - specialize (Htwo E). apply of_sum_one_ok; trivial.
      apply (Hall _ (or_introl eq_refl)); [cbn; now rewrite (places known)|easy|]. intros r Hin. cbn [given] in Hin.
      apply in_map_iff in Hin as (r' & <- & Hin). apply of_sum_one_ok; trivial. revert r' Hin.
      apply given_app; [apply in_domain|exact Given].
    - apply (use f k values known _ _ _ _ (Hall _ (or_intror (or_introl eq_refl)))). apply given_app; [apply in_domain|].
      apply given_cons; [cbn; repeat split; lra|exact Given].
  Qed.

  (** A gap at every subgradient, from that in every part. *)
  Lemma in_every_part q r base rate S : 0 < q < 1 -> 0 <= S -> 0 <= rate ->
    (forall p, In p (joined f) -> there p q ->
      base - eval (line q) (snd p) + rate / 2 * ((slope_of p q * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0) ->
    logit_subgradient Phi q r -> base - Phi q + rate / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0.
  Proof using known label.
    intros Hq HS Hrate H. assert (0 <= (1 - q) ^ 2) by apply pow2_ge_0.
    apply (logit_pieces_gap _ _ all_pieces in_their_order all_covered); [exact Hq|lra|lra|].
    apply every_part. intros p Hp Hm. rewrite (value_at f k values known p q (at_probability q Hq) Hp Hm).
    now apply H.
  Qed.

  Lemma eval_squared m s p o : numbers_fit f = true -> In p (joined f) -> eval (m :: s :: rest) (squared f p o) =
    at_rest k values (rate f) / 2 * ((slope_of p m * m) ^ 2 * ((1 - m) ^ 2 + eval (m :: s :: rest) (snd o))).
  Proof using known label.
    intros Hn Hp. apply joined_is_part in Hp. destruct (fit_loss f k values known p Hp) as [_ H].
    unfold squared, minus. cbn [eval nth]. rewrite (step_at f f k values Hn m s). unfold step_of. rewrite label.
    destruct (second_is_free rest m s 0 (derived (snd p)) (derived_without 1 _ H)) as [-> _]. unfold slope_of. ring.
  Qed.
End Labels.

Section Sound.
  Variables (f : margin_statement expr) (k : R) (values : list R).
  Hypothesis fit : softmax_fits f = true.
  Hypothesis claims : forall c, In c (softmax_claims f) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.

  Lemma fit_parts : loss_fits f = true /\ of_label f = Probable /\ map_fits f = true /\ numbers_fit f = true.
  Proof using fit.
    unfold softmax_fits in fit. do 3 (apply andb_true_iff in fit as [fit ?]). repeat split; trivial. clear classes.
    now destruct (of_label f).
  Qed.
  Notation label := (proj1 (proj2 fit_parts)).
  Notation its_map_fits := (proj1 (proj2 (proj2 fit_parts))).
  Notation numbers := (proj2 (proj2 (proj2 fit_parts))).

  Ltac among := apply claims; unfold softmax_claims; rewrite !in_app_iff.

  Lemma known : is_stated f k values.
  Proof using fit claims places whole claimed classes.
    split; trivial; [exact (proj1 fit_parts)|]. intros c Hc. among. right. now left.
  Qed.

  Lemma rates_hold c : In c (about_rates f f) -> claim_holds c.
  Proof using claims. intro H. among. now left. Qed.
  Lemma maps_hold q c : In q (parts_of (gap_map f)) -> In c (about_map f q) -> claim_holds c.
  Proof using claims. intros Hq Hc. among. do 2 right. left. apply in_flat_map. now exists q. Qed.
  Lemma labels_hold q p c : In q (parts_of (gap_map f)) -> In p (joined f) ->
    In c (said_labels f (fst q) p (softmax_gap f (right_risk f (snd q)) p)
      (softmax_gap f (wrong_risk f (at_second (snd q))) p)) -> claim_holds c.
  Proof using claims.
    intros Hq Hp Hc. among. do 3 right. apply in_flat_map. exists q. split; trivial. apply in_flat_map. now exists p.
  Qed.

  Notation line m := (m :: 0 :: rest).
  Notation Phi := (Phi f k values).
  Notation A := (A f k values).
  Notation slope_of := (slope_of k values).
  Notation Eta := (at_rest k values (rate f)).
  Notation Price := (price_of (option_map (at_rest k values) (cost f)) k).
  Notation eta_positive := (eta_positive f f k values known rates_hold).
  Notation top_map := (fun p Hk => map_at f k values known maps_hold p (largest_given f k values known label p Hk)).

  Lemma eval_gap m s risk p o : In p (joined f) -> eval (m :: s :: rest) (softmax_gap f risk p o) =
    eval (m :: s :: rest) risk - eval (line m) (snd p) +
      Eta / 2 * ((slope_of p m * m) ^ 2 * ((1 - m) ^ 2 + eval (m :: s :: rest) (snd o))).
  Proof using fit claims places whole claimed classes.
    intro Hp. unfold softmax_gap, minus. cbn [eval]. rewrite (eval_squared f k values known label m s p o numbers Hp).
    destruct (fit_loss f k values known p (joined_is_part f p Hp)) as [_ H].
    destruct (second_is_free rest m s 0 (snd p) H) as [-> _]. ring.
  Qed.

  Lemma right_gap p r S : 1 / k <= p < 1 -> beside_top p S -> logit_subgradient Phi p r ->
    A p * Price - Phi p + Eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= 0.
  Proof using fit claims places whole claimed classes.
    intros Hk HS. assert (E := eta_positive). assert (Hp := largest_is_positive f k values known label p (proj1 Hk)).
    destruct (top_in_part f k values known label p S Hk HS) as (o & Ho & Hgo & ES & Hpos).
    apply (in_every_part f k values known label); [lra|exact Hpos|lra|]. intros q Hq Hqp.
    destruct (top_map p Hk) as (a & Ha & Hga & ->).
    rewrite <- (eval_right f k values numbers p 0), <- ES, <- (eval_gap p 0 _ q o Hq).
    apply (said_right_label_ok f k values known label p (fst a) q o); trivial.
    apply (labels_hold a q); trivial. apply in_or_app. left.
    exact (in_map (fun o => said_right_label f (fst a) q o (softmax_gap f (right_risk f (snd a)) q o)) _ o Ho).
  Qed.

  Lemma wrong_gap p q r S : wrong_probabilities k p q -> beside p q S -> logit_subgradient Phi q r ->
    1 - A p + A p * Price - Phi q + Eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0.
  Proof using fit claims places whole claimed classes.
    intros Hround HS. assert (E := eta_positive). assert (Hround' := Hround). destruct Hround' as (Hk & Hq & Hpq & _).
    destruct (other_in_part k values p q S Hround HS) as (o & Ho & Hgo & ES & Hpos).
    apply (in_every_part f k values known label); [lra|exact Hpos|lra|]. intros x Hx Hxq.
    destruct (top_map p Hk) as (a & Ha & Hga & ->). destruct (fit_map f its_map_fits a Ha) as [Hfree Ha1].
    destruct (at_second_ok rest q p (snd a) Ha1) as [<- _].
    rewrite <- (eval_wrong f k values numbers q p), <- ES, <- (eval_gap q p _ x o Hx).
    apply (said_wrong_label_ok f k values known label p q (fst a) x o); trivial.
    intros d Hd. apply (labels_hold a x); trivial. apply in_or_app. right. apply in_flat_map. now exists o.
  Qed.

  Theorem conditions_hold_at :
    softmax_conditions Price k Phi A Eta (regret_of Eta (option_map (at_rest k values) (regret f))).
  Proof using fit claims places whole claimed classes.
    split; [exact (probable_surrogate f k values known label)| |exact eta_positive|exact right_gap|exact wrong_gap
      |exact (regret_enough f f k values known rates_hold)].
    intros p Hp. exact (map_in_range f k values known maps_hold p (largest_given f k values known label p Hp)).
  Qed.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem proved_softmax f proofs : proves_softmax f proofs = true -> forall k values, length values = parameters f ->
  (exists z, k = IZR z) -> Stated.every (0 :: 0 :: k :: values) (domain f) -> classes_of (of_label f) k ->
  let at_ := value (0 :: 0 :: k :: values) in
  let price := price_of (option_map at_ (cost f)) k in
  let psi p := value (p :: 0 :: k :: values) (phi f) in
  let a p := value (p :: 0 :: k :: values) (gap_map f) in
  softmax_conditions price k psi a (at_ (rate f)) (regret_of (at_ (rate f)) (option_map at_ (regret f))).
Proof.
  intros [Hf Hall]%andb_true_iff k values Hn Hz Hd%Stated.every_given Hk at_.
  assert (Holds := check_each_ok _ _ Hall). set (env := 0 :: 0 :: k :: values) in *.
  destruct (some_choice f f k values (fun c H => Holds c (in_or_app _ _ _ (or_introl H))) Hn Hz Hd Hk)
    as (p & Hp & Cp & Er & Ec & Eb & _).
  set (g := MarginData (within f (fst p)) (snd p) (gap_map f) (sharp_at f)).
  assert (Hg : In g (theorems_of_pieces f)).
  { exact (in_map (fun p => MarginData (within f (fst p)) (snd p) (gap_map f) (sharp_at f)) _ p Hp). }
  assert (Hd' : all_given env (domain g)) by now apply given_app.
  assert (Hall' : forall d, In d (softmax_claims g) -> claim_holds d).
  { intros d Hin. apply Holds. apply in_or_app. right. apply in_flat_map. now exists g. }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg). unfold at_. fold env in Er, Ec, Eb. rewrite Er, Ec, Eb.
  exact (conditions_hold_at g k values Fit Hall' Hn Hz Hd' Hk).
Qed.
