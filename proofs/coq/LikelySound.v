(** * What the best decoder needs of a softmax loss follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Convexity Derivatives Pieces Joins SoftmaxSubgradients LogitSubgradients LogitJoins
  DecoderSoftmax.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

Lemma natural_share env n : (1 <= n)%nat -> eval env (Rat 1 (Pos.of_nat n)) = / INR n.
Proof.
  intro Hn. cbn [eval]. replace (Z.pos (Pos.of_nat n)) with (Z.of_nat n) by lia. rewrite <- INR_IZR_INZ. unfold Rdiv.
  now rewrite Rmult_1_l.
Qed.

Section Sound.
  Variables (f : likely_statement expr) (k : R) (values : list R).
  Hypothesis fit : likely_fits f = true.
  Hypothesis claims : forall c, In c (claims_of_likely f) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.

  Lemma fit_parts : loss_fits f = true /\ of_label f = Probable /\ numbers_fit (its_rates f) = true /\
    length (joined f) = 1%nat /\ (2 <= few f)%nat.
  Proof using fit.
    unfold likely_fits in fit. do 4 (apply andb_true_iff in fit as [fit ?]). clear classes.
    repeat split; trivial; [now destruct (of_label f)|now apply Nat.eqb_eq|now apply Nat.leb_le].
  Qed.
  Notation label := (proj1 (proj2 fit_parts)).
  Notation numbers := (proj1 (proj2 (proj2 fit_parts))).
  Notation enough := (proj2 (proj2 (proj2 (proj2 fit_parts)))).

  Ltac among := apply claims; unfold claims_of_likely; rewrite !in_app_iff.

  Lemma known : is_stated f k values.
  Proof using fit claims places whole claimed classes.
    split; trivial; [exact (proj1 fit_parts)|]. intros c Hc. among. right. now left.
  Qed.
  Lemma rates_hold c : In c (about_rates f (its_rates f)) -> claim_holds c.
  Proof using claims. intro H. among. now left. Qed.

  Notation line m := (m :: 0 :: rest).
  Notation Phi := (Phi f k values).
  Notation slope_of := (slope_of k values).
  Notation Eta := (at_rest k values (rate (its_rates f))).
  Notation use := (use f k values known).
  Notation in_domain := (in_domain f k values known).
  Notation eta_positive := (eta_positive f (its_rates f) k values known rates_hold).

  (** Its only part is everywhere. *)
  Lemma only_part : exists p, joined f = [p] /\ forall m, 0 < m < 1 -> there k values p m /\ Phi m = eval (line m) (snd p).
  Proof using fit claims places whole claimed classes.
    apply (one_part f k values known). apply fit_parts.
  Qed.

  Section Needed.
    Variable p : part.
    Hypothesis only : joined f = [p].
    Hypothesis everywhere_there : forall m, 0 < m < 1 -> there k values p m /\ Phi m = eval (line m) (snd p).
    Notation e := (need_of f p).
    Definition needed (m : R) : R := eval (line m) e.

    Lemma need_holds c : In c (about_need f e) -> claim_holds c.
    Proof using claims only. intro H. among. do 2 right. rewrite only. cbn [flat_map]. now rewrite app_nil_r. Qed.

    Lemma about_probability m r : 0 < m < 1 -> In (stated f (domain f ++ interval f) r) (about_need f e) ->
      rel_holds (line m) r.
    Proof using fit claims places whole claimed classes only.
      intros Hm H. apply (use m 0 (domain f ++ interval f)); [now apply need_holds|].
      apply given_app; [apply in_domain|]. apply (in_interval f k values). now apply at_probability.
    Qed.

    Lemma needed_smooth m : 0 < m < 1 -> smooth (line m) e.
    Proof using fit claims places whole claimed classes only.
      intro Hm. apply smooth_needs_ok. intros r Hr. apply about_probability; [exact Hm|]. unfold about_need.
      apply in_or_app. left. now apply in_map.
    Qed.

    Lemma needed_derivable m : 0 < m < 1 -> derivable_pt_lim needed m (eval (line m) (derived e)).
    Proof using fit claims places whole claimed classes only.
      intro Hm. now apply (derivable_derived (0 :: rest)), needed_smooth.
    Qed.
    Lemma slope_of_need m : 0 < m < 1 ->
      derivable_pt_lim (fun m => eval (line m) (derived e)) m (eval (line m) (derived (derived e))).
    Proof using fit claims places whole claimed classes only.
      intro Hm. now apply (derivable_derived (0 :: rest)), smooth_derived, needed_smooth.
    Qed.

    Ltac listed := unfold about_need; rewrite !in_app_iff; cbn [In]; tauto.

    Lemma rises m : 0 < m < 1 -> 0 <= eval (line m) (derived e).
    Proof using fit claims places whole claimed classes only.
      intro Hm. destruct (about_probability m (Ge, derived e, Int 0) Hm ltac:(listed)) as (_ & _ & C). exact (Rge_le _ _ C).
    Qed.
    Lemma at_most_one m : 0 < m < 1 -> needed m <= 1.
    Proof using fit claims places whole claimed classes only.
      intro Hm. exact (proj2 (proj2 (about_probability m (Le, e, Int 1) Hm ltac:(listed)))).
    Qed.
    Lemma two_at_most m : 0 < m < 1 -> needed m + needed (1 - m) <= 1.
    Proof using fit claims places whole claimed classes only.
      intro Hm.
      assert (H := proj2 (proj2 (about_probability m (Le, Add e (substitute 0 (minus (Int 1) (Var 0)) e), Int 1) Hm ltac:(listed)))).
      cbn [compares eval] in H. destruct (put_ok (line m) 0 (minus (Int 1) (Var 0)) e) as [E _]; [simpl; lia|simpl; easy|].
      rewrite E in H. unfold minus in H. cbn [updated eval nth] in H. unfold needed. replace (1 - m) with (1 + -1 * m) by ring.
      exact H.
    Qed.
    Lemma bends m : (3 < few f)%nat -> 0 < m <= 1 - 2 * / INR (few f) -> eval (line m) (derived (derived e)) <= 0.
    Proof using fit claims places whole claimed classes only.
      intros Hf Hm. assert (Hpos : 0 < / INR (few f)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
      assert (Hlt := proj2 (Nat.ltb_lt _ _) Hf).
      refine (proj2 (proj2 (use m 0 (domain f ++ interval f ++ [(Le, Var 0, minus (Int 1) (Rat 2 (Pos.of_nat (few f))))])
        (Le, derived (derived e), Int 0) (need_holds _ _) _))).
      - unfold about_need. rewrite Hlt, !in_app_iff, <- app_assoc. cbn [In]. tauto.
      - apply given_app; [apply in_domain|]. apply given_app; [apply (in_interval f k values), at_probability; lra|].
        apply given_one. unfold minus. cbn [rel_holds defined compares eval nth]. repeat split.
        assert (S := natural_share (line m) (few f) ltac:(lia)). cbn [eval] in S.
        replace (2 / IZR (Z.pos (Pos.of_nat (few f)))) with (2 * / INR (few f)) by (rewrite <- S; lra). lra.
    Qed.

    Lemma shared n r : (1 <= n)%nat -> claim_holds (stated f (domain f) (substituted 0 (Rat 1 (Pos.of_nat n)) r)) ->
      rel_holds (line (/ INR n)) r.
    Proof using fit claims places whole claimed classes.
      intros Hn H. assert (X := use 0 0 _ _ H (in_domain 0 0)). rewrite put_holds in X by (cbn; lia || easy).
      cbn [updated] in X. now rewrite natural_share in X.
    Qed.

    Lemma no_need : needed (/ INR (few f)) <= 0.
    Proof using fit claims places whole claimed classes only.
      assert (H := enough). refine (proj2 (proj2 (shared (few f) (Le, e, Int 0) ltac:(lia) (need_holds _ _)))).
      unfold about_need, with_share. rewrite !in_app_iff. cbn [In substituted substitute]. tauto.
    Qed.
    Lemma equal_ones n : (3 <= n)%nat -> INR n * / INR (few f) < 1 -> INR n * needed (/ INR n) <= 1.
    Proof using fit claims places whole claimed classes only.
      intros Hn Hless. assert (Hpos : 0 < INR (few f)) by (assert (H := enough); apply lt_0_INR; lia).
      assert (Hlt : (n < few f)%nat).
      { apply INR_lt. apply (Rmult_lt_compat_r _ _ _ Hpos) in Hless. rewrite Rmult_assoc, Rinv_l in Hless; lra. }
      assert (H := shared n (Le, Mul (Int (Z.of_nat n)) e, Int 1) ltac:(lia)).
      assert (Hin : In (stated f (domain f) (substituted 0 (Rat 1 (Pos.of_nat n)) (Le, Mul (Int (Z.of_nat n)) e, Int 1)))
        (about_need f e)).
      { unfold about_need, with_share. rewrite !in_app_iff. do 3 right. apply in_map_iff. exists n.
        split; [reflexivity|]. apply in_seq. lia. }
      assert (X := proj2 (proj2 (H (need_holds _ Hin)))). cbn [compares eval] in X. now rewrite <- INR_IZR_INZ in X.
    Qed.

    Lemma tangents_of_need : 3 * / INR (few f) < 1 -> forall m, 0 < m <= 1 - 2 * / INR (few f) ->
      exists g, forall q, 0 < q <= 1 - 2 * / INR (few f) -> needed q <= needed m + g * (q - m).
    Proof using fit claims places whole claimed classes only.
      intros Hmany m Hm. assert (Hpos : 0 < INR (few f)) by (assert (H := enough); apply lt_0_INR; lia).
      assert (Hinv := Rinv_0_lt_compat _ Hpos).
      assert (Hf : (3 < few f)%nat).
      { apply INR_lt. apply (Rmult_lt_compat_r _ _ _ Hpos) in Hmany. rewrite Rmult_assoc, Rinv_l in Hmany by lra. cbn. lra. }
      exists (eval (line m) (derived e)).
      apply (tangents_above (fun q => 0 < q <= 1 - 2 * / INR (few f)) needed (fun q => eval (line q) (derived e))
        (fun q => eval (line q) (derived (derived e)))); [| | | |exact Hm].
      - intros b c x [] [] ?. split; lra.
      - intros x Hx. apply needed_derivable. lra.
      - intros x Hx. apply slope_of_need. lra.
      - intros x Hx. now apply bends.
    Qed.

    Lemma few_labels : few_labels_need needed (/ INR (few f)).
    Proof using fit claims places whole claimed classes only.
      assert (H := enough). assert (Hpos : 1 < INR (few f)) by (apply lt_1_INR; lia). split.
      - split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
      - intros x y Hx Hy. apply (nondecreasing_from_derivative probabilities needed (fun m => eval (line m) (derived e)));
          [intros b c m [] [] ?; split; lra|exact needed_derivable|exact rises|split; lra|split; lra|lra].
      - exact no_need.
      - exact at_most_one.
      - exact two_at_most.
      - exact tangents_of_need.
      - exact equal_ones.
    Qed.

    Lemma need_is_enough m r : 0 < m < 1 -> logit_subgradient Phi m r ->
      1 - Phi m + Eta * (r * m * (1 - m)) ^ 2 <= needed m.
    Proof using fit claims places whole claimed classes only everywhere_there.
      intros Hm Hr. assert (E := eta_positive).
      assert (H := logit_pieces_gap _ _ (logit_pieces f k values known label) (logits_in_order f k values known)
        (probabilities_covered f k values known) m r (1 - Phi m - needed m) Eta ((1 - m) ^ 2) Hm (Rlt_le _ _ E) (pow2_ge_0 _)).
      rewrite only in H. cut (1 - Phi m - needed m + Eta * ((r * m) ^ 2 * (1 - m) ^ 2) <= 0); [lra|].
      apply H; [|exact Hr]. cbn [in_pieces map every]. split; [|exact I]. intros _.
      destruct (everywhere_there m Hm) as [_ ->]. unfold needed, need_of, minus. cbn [eval nth].
      rewrite (proj1 (no_margin k values (rate (its_rates f)) m 0 (proj1 (fit_numbers _ numbers)))). unfold slope_of. lra.
    Qed.
  End Needed.

  Theorem needs_hold_at : exists need none,
    softmax_needs k Phi need none Eta (regret_of Eta (option_map (at_rest k values) (regret (its_rates f)))).
  Proof using fit claims places whole claimed classes.
    destruct only_part as (p & Hp & Hthere). exists (needed p), (/ INR (few f)). split.
    - intros m Hm. exact (nonnegative_at f k values known m (at_probability f m Hm)).
    - exact (logit_pieces_convex _ _ (logit_pieces f k values known label) (logits_in_order f k values known)
        (probabilities_covered f k values known)).
    - exact (probability_falls f k values known label).
    - exact eta_positive.
    - exact (need_is_enough p Hp Hthere).
    - exact (few_labels p Hp).
    - exact (regret_enough f (its_rates f) k values known rates_hold).
  Qed.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem decoded_likely f proofs : proves_likely f proofs = true -> forall k values, length values = parameters f ->
  (exists z, k = IZR z) -> Stated.every (0 :: 0 :: k :: values) (domain f) -> classes_of (of_label f) k ->
  let at_ := value (0 :: 0 :: k :: values) in
  let psi p := value (p :: 0 :: k :: values) (phi f) in
  exists need none, softmax_needs k psi need none (at_ (rate (its_rates f)))
    (regret_of (at_ (rate (its_rates f))) (option_map at_ (regret (its_rates f)))).
Proof.
  intros [Hf Hall]%andb_true_iff k values Hn Hz Hd%Stated.every_given Hk at_.
  assert (Holds := check_each_ok _ _ Hall). set (env := 0 :: 0 :: k :: values) in *.
  destruct (some_choice f (its_rates f) k values (fun c H => Holds c (in_or_app _ _ _ (or_introl H))) Hn Hz Hd Hk)
    as (p & Hp & Cp & Er & Ec & _).
  set (g := LikelyData (within f (fst p)) (snd p) (few f)).
  assert (Hg : In g (pieces_of_likely f)).
  { exact (in_map (fun p => LikelyData (within f (fst p)) (snd p) (few f)) _ p Hp). }
  assert (Hd' : all_given env (domain g)) by now apply given_app.
  assert (Hall' : forall d, In d (claims_of_likely g) -> claim_holds d).
  { intros d Hin. apply Holds. apply in_or_app. right. apply in_flat_map. now exists g. }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg). unfold at_. fold env in Er, Ec. rewrite Er, Ec.
  exact (needs_hold_at g k values Fit Hall' Hn Hz Hd' Hk).
Qed.
