(** SparseMAP on the cube with the Hamming target: the criterion is one fair coordinate. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion StructuredTheorem SquaredNorm New TargetFamilies.
Open Scope R_scope.

(** * The projection *)

Definition clipped (theta : vector) : vector := fun i => Rmax 0 (Rmin 1 (theta i)).

Lemma clipped_attained d : attained (sparsemap_cube d clipped).
Proof.
  intros theta. simpl. split.
  - intros i _. unfold clipped. split; [apply Rmax_l|]. apply Rmax_lub; [lra|apply Rmin_l].
  - intros m Hm.
    rewrite !squared_norm_objective. apply sum_le. intros i Hi. specialize (Hm i Hi). unfold clipped.
    assert (Hsquare : 0 <= (theta i - m i) ^ 2) by apply pow2_ge_0.
    destruct (Rle_lt_dec (theta i) 0) as [Hlow|Hlow]; [|destruct (Rle_lt_dec 1 (theta i)) as [Hhigh|Hhigh]].
    + rewrite Rmin_right, Rmax_left by lra. assert (0 <= - theta i * m i) by (apply Rmult_le_pos; lra). nra.
    + rewrite Rmin_left, Rmax_right by lra. assert (0 <= (theta i - 1) * (1 - m i)) by (apply Rmult_le_pos; lra). nra.
    + rewrite Rmin_right, Rmax_right by lra. nra.
Qed.

(** * Sets of labels and their bits *)

Section Cube.
Variables (d : nat) (mu : vector -> vector).
Hypothesis Hd : (1 <= d)%nat.
Hypothesis Hattained : attained (sparsemap_cube d mu).

Notation P := (sparsemap_cube d mu).
Notation N := (2 ^ d)%nat.

Lemma dimension_positive : 1 <= INR d.
Proof using Hd. apply le_INR in Hd. exact Hd. Qed.

Lemma mean_bit_range w i : is_distribution N w -> 0 <= mean N w bit i <= 1.
Proof using.
  intros [Hw Hone]. unfold mean, weighted. split.
  - apply sum_nonneg. intros y Hy. apply Rmult_le_pos; [auto|]. unfold bit. destruct (Nat.testbit y i); lra.
  - rewrite <- Hone. apply sum_le. intros y Hy. specialize (Hw y Hy). unfold bit. destruct (Nat.testbit y i); lra.
Qed.

Lemma sparsemap_regular : regular P 1.
Proof using All.
  split; [simpl; assert (H := Nat.pow_nonzero 2 d); lia|]. split; [simpl; lra|]. split; [lra|].
  split; [|split; [|split; [|assumption]]].
  - intros w Hw i _. now apply mean_bit_range.
  - apply squared_norm_strongly_convex; [reflexivity|]. intros u v t Hu Hv Ht i Hi.
    specialize (Hu i Hi). specialize (Hv i Hi).
    assert (0 <= t * u i <= t * 1) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
    assert (0 <= (1 - t) * v i <= (1 - t) * 1) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra). lra.
  - now apply squared_norm_closed.
Qed.

(** Var(w) = sum_i m_i (1 - m_i) *)
Lemma variance_of_bits w : is_distribution N w ->
  variance d N w bit = sum d (fun i => mean N w bit i * (1 - mean N w bit i)).
Proof using.
  intros Hw. assert (H := variance_about N w bit (fun _ => 0) d Hw).
  assert (Hzero : forall v, distance2 d v (fun _ => 0) = dot d v v) by (intros; apply sum_ext; intros; ring).
  rewrite Hzero in H.
  assert (Hbits : weighted N w (fun y => distance2 d (bit y) (fun _ => 0)) = sum d (mean N w bit)).
  { unfold weighted, mean, weighted. rewrite <- sum_swap. apply sum_ext. intros y _. rewrite Hzero, sum_scale. f_equal.
    apply sum_ext. intros i _. unfold bit. destruct (Nat.testbit y i); ring. }
  rewrite Hbits in H. apply Rplus_eq_reg_r with (dot d (mean N w bit) (mean N w bit)). rewrite <- H.
  unfold dot. rewrite <- sum_plus. apply sum_ext. intros. ring.
Qed.

Definition differs (a b : bool) : R := if Bool.eqb a b then 0 else 1.

Lemma differs_on_average w i (a : bool) : is_distribution N w ->
  weighted N w (fun y => differs a (Nat.testbit y i)) = if a then 1 - mean N w bit i else mean N w bit i.
Proof using.
  intros [_ Hone]. unfold mean, weighted. destruct a.
  - rewrite <- Hone, <- sum_minus. apply sum_ext. intros y _. unfold bit, differs.
    destruct (Nat.testbit y i); simpl; ring.
  - apply sum_ext. intros y _. unfold bit, differs. destruct (Nat.testbit y i); simpl; ring.
Qed.

Lemma hamming_on_average w k : is_distribution N w ->
  weighted N w (hamming d k) =
  / INR d * sum d (fun i => if Nat.testbit k i then 1 - mean N w bit i else mean N w bit i).
Proof using.
  intros Hw. rewrite (sum_ext d _ (fun i => weighted N w (fun y => differs (Nat.testbit k i) (Nat.testbit y i))))
    by (intros; now rewrite differs_on_average).
  unfold weighted. rewrite <- sum_swap, <- sum_scale. apply sum_ext. intros y _. rewrite sum_scale.
  unfold hamming, Rdiv. change (sum d (fun i => if Bool.eqb (Nat.testbit k i) (Nat.testbit y i) then 0 else 1))
    with (sum d (fun i => differs (Nat.testbit k i) (Nat.testbit y i))). ring.
Qed.

(** The likelier value of every coordinate: min(m, 1 - m) <= 2 m (1 - m) *)
Lemma best_set_pays w H : is_distribution N w ->
  (forall k, (k < N)%nat -> H <= weighted N w (hamming d k)) -> H <= 2 / INR d * variance d N w bit.
Proof using Hd.
  intros Hw Hbest. assert (HdR := dimension_positive).
  destruct (set_of_bits (fun i => if Rle_dec (1 / 2) (mean N w bit i) then true else false) d) as (k & Hk & Hbits).
  apply Rle_trans with (1 := Hbest k Hk). rewrite hamming_on_average, variance_of_bits by assumption.
  unfold Rdiv. rewrite (Rmult_comm 2), Rmult_assoc. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
  rewrite <- sum_scale. apply sum_le. intros i Hi. rewrite Hbits by assumption. assert (Hm := mean_bit_range w i Hw).
  set (m := mean N w bit i) in *. destruct (Rle_dec (1 / 2) m).
  - assert (0 <= (1 - m) * (2 * m - 1)) by (apply Rmult_le_pos; lra). lra.
  - assert (0 <= m * (1 - 2 * m)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** Bit 0 is a fair coin, the other bits are 0. *)
Definition fair (y : nat) : R := (if Nat.eqb y 0 then 1 / 2 else 0) + (if Nat.eqb y 1 then 1 / 2 else 0).

Lemma two_sets : (1 < N)%nat.
Proof using Hd. apply Nat.lt_le_trans with (2 ^ 1)%nat; [simpl; lia|]. now apply Nat.pow_le_mono_r. Qed.

Lemma fair_weighs f : weighted N fair f = (f 0%nat + f 1%nat) / 2.
Proof using Hd.
  assert (H2 := two_sets). unfold weighted, fair.
  rewrite (sum_ext N _ (fun y => f y * (if Nat.eqb y 0 then 1 / 2 else 0) + f y * (if Nat.eqb y 1 then 1 / 2 else 0)))
    by (intros; ring).
  rewrite sum_plus, !sum_at by lia. field.
Qed.

Lemma fair_is_distribution : is_distribution N fair.
Proof using Hd.
  split; [intros y _; unfold fair; destruct (Nat.eqb y 0), (Nat.eqb y 1); lra|].
  assert (H := fair_weighs (fun _ => 1)). unfold weighted in H.
  rewrite (sum_ext N _ (fun y => fair y * 1)) by (intros; ring). lra.
Qed.

Lemma fair_bit i : mean N fair bit i = if Nat.eqb i 0 then 1 / 2 else 0.
Proof using Hd.
  unfold mean. rewrite fair_weighs. unfold bit. rewrite Nat.bits_0. destruct i as [|i]; [simpl; lra|].
  rewrite <- Nat.div2_bits by lia. simpl Nat.div2. rewrite Nat.bits_0. simpl. lra.
Qed.

Lemma fair_variance : variance d N fair bit = 1 / 4.
Proof using Hd.
  rewrite variance_of_bits by apply fair_is_distribution. rewrite <- (sum_pick d 0%nat (1 / 4)) by lia. apply sum_ext.
  intros i _. rewrite fair_bit. destruct (Nat.eqb i 0); lra.
Qed.

Lemma fair_costs k : 1 / 2 * / INR d <= weighted N fair (hamming d k).
Proof using Hd.
  assert (HdR := dimension_positive). rewrite hamming_on_average by apply fair_is_distribution. rewrite Rmult_comm.
  apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; lra|].
  apply Rle_trans with (if Nat.testbit k 0 then 1 - mean N fair bit 0%nat else mean N fair bit 0%nat).
  - destruct (Nat.testbit k 0); rewrite fair_bit, Nat.eqb_refl; lra.
  - apply (term_le_sum d (fun i => if Nat.testbit k i then 1 - mean N fair bit i else mean N fair bit i)); [lia|].
    intros i _. assert (Hm := mean_bit_range fair i fair_is_distribution). destruct (Nat.testbit k i); lra.
Qed.

Lemma sparsemap_criterion eta alpha : 0 < alpha -> (entropy_criterion P eta alpha <-> 4 <= alpha * INR d * (1 - eta)).
Proof using Hd.
  intros Halpha. assert (HdR := dimension_positive). rewrite (squared_norm_criterion P (fun _ => eq_refl)). simpl.
  split.
  - intros Hcrit. specialize (Hcrit fair fair_is_distribution (1 / 2 * / INR d) (fun k _ => fair_costs k)).
    rewrite fair_variance in Hcrit. apply Rmult_le_compat_l with (r := 8 * INR d) in Hcrit; [|lra].
    replace (8 * INR d * (1 / 2 * / INR d)) with 4 in Hcrit by (field; lra). lra.
  - intros Hrate w Hw H Hbest. apply Rle_trans with (1 := best_set_pays w H Hw Hbest). apply Rmult_le_compat_r.
    + rewrite variance_of_bits by assumption. apply sum_nonneg. intros i _. assert (Hm := mean_bit_range w i Hw).
      apply Rmult_le_pos; lra.
    + apply Rmult_le_reg_r with (INR d); [lra|]. replace (2 / INR d * INR d) with 2 by (field; lra). lra.
Qed.

Lemma sparsemap_decodable eta alpha : 0 < eta -> 0 < alpha ->
  (decodable P eta alpha <-> 4 <= alpha * INR d * (1 - eta)).
Proof using All.
  intros Heta Halpha. rewrite <- sparsemap_criterion by assumption.
  destruct (structured_criterion P 1 eta alpha sparsemap_regular Heta Halpha) as [Honly Hiff].
  split; [assumption|]. intros Hcrit. apply Hiff; [|assumption]. rewrite sparsemap_criterion in Hcrit by assumption.
  simpl.
  assert (HdR := dimension_positive). assert (0 < alpha * INR d) by (apply Rmult_lt_0_compat; lra).
  assert (0 < 1 - eta) by (apply Rmult_lt_reg_l with (alpha * INR d); lra). lra.
Qed.

End Cube.

Theorem sparsemap_hamming : SparsemapHamming.
Proof.
  intros d X Hd HX. split; [exists clipped; apply clipped_attained|]. intros mu Hattained.
  assert (Hdec := sparsemap_decodable d mu Hd Hattained). assert (Hreg := sparsemap_regular d mu Hd Hattained).
  assert (HdR := dimension_positive d Hd). split; [|split; [|split; [assumption|split]]].
  - assert (0 < 8 / INR d) by (apply Rdiv_lt_0_compat; lra).
    replace (8 / INR d * X ^ 2) with (8 / INR d * X ^ 2 / (2 * (1 / 2))) by (field; lra).
    apply guarantee_from_decoders with 1; try assumption; [lra|]. apply Hdec; [lra|assumption|].
    replace (8 / INR d * INR d) with 8 by (field; lra). lra.
  - intros Hfive. apply le_INR in Hfive. simpl in Hfive.
    assert (Hrate : 0 < 1 - 4 / INR d).
    { apply Rmult_lt_reg_r with (INR d); [lra|].
      replace ((1 - 4 / INR d) * INR d) with (INR d - 4) by (field; lra). lra. }
    replace (INR d / (2 * (INR d - 4)) * X ^ 2) with (1 * X ^ 2 / (2 * (1 - 4 / INR d))) by (field; split; lra).
    apply guarantee_from_decoders with 1; try assumption; [lra|]. apply Hdec; [assumption|lra|].
    right. field. lra.
  - intros eta Hfour Heta Hfound. apply le_INR in Hfour. simpl in Hfour. apply Hdec in Hfound; [|assumption|lra].
    assert (0 < INR d * eta) by (apply Rmult_lt_0_compat; lra). lra.
  - intros eta alpha Heta Halpha Hfound. apply Hdec in Hfound; [|assumption|assumption].
    replace (8 / INR d) with (2 * (4 / INR d)) by (field; lra).
    apply least_regret; [apply Rdiv_lt_0_compat; lra|assumption|assumption|].
    apply Rmult_le_reg_r with (INR d); [lra|]. replace (4 / INR d * INR d) with 4 by (field; lra). lra.
Qed.

Print Assumptions sparsemap_hamming.
