(** Shannon's entropy with the 0-1 target: softmax attains the conjugate, and the base-2 rate is the largest. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Softmax Logarithms LogisticProof LogisticNeeds Decoders Paper.
From Gaptron Require Import Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion StructuredTheorem SquaredNorm New Sparsemax.
From Gaptron Require Import Pinsker EntropyFamilies.
Open Scope R_scope.

(** * Regular, and softmax attains the conjugate *)

Section Shannon.
Variable K : nat.
Hypothesis HK : (2 <= K)%nat.

Notation P := (softmax_classes K).

Lemma at_most_one w k : is_distribution K w -> (k < K)%nat -> 0 <= w k <= 1.
Proof using.
  intros [Hw Hone] Hk. split; [auto|]. rewrite <- Hone. now apply term_le_sum.
Qed.

Lemma ln_softmax theta k : (k < K)%nat -> ln (softmax K theta k) = theta k - ln (sum K (fun j => exp (theta j))).
Proof using HK.
  intros Hk. assert (HZ : 0 < sum K (fun j => exp (theta j))).
  { apply Rlt_le_trans with (exp (theta 0%nat)); [apply exp_pos|].
    apply (term_le_sum K (fun j => exp (theta j))); [lia|]. intros. left. apply exp_pos. }
  unfold softmax, Rdiv.
  rewrite ln_mult, ln_exp, ln_Rinv by (try apply exp_pos; try apply Rinv_0_lt_compat; assumption). ring.
Qed.

Lemma softmax_attained : attained P.
Proof using HK.
  intros theta. set (Z := sum K (fun k => exp (theta k))).
  assert (Hpos : forall k, (k < K)%nat -> 0 < softmax K theta k) by (intros; now apply softmax_positive).
  assert (Hone : sum K (softmax K theta) = 1) by (apply softmax_sums_to_one; lia).
  assert (Hln : forall k, (k < K)%nat -> ln (softmax K theta k) = theta k - ln Z) by (intros; now apply ln_softmax).
  split; [split; [intros k Hk; left; now apply Hpos|exact Hone]|].
  simpl. intros m [Hm Hm1]. apply Rle_trans with (ln Z).
  - assert (H : sum K (fun k => m k * (1 + ln (softmax K theta k)) - softmax K theta k) <=
      sum K (fun k => m k * ln (m k))).
    { apply sum_le. intros k Hk. apply negentropy_above; auto. }
    rewrite sum_minus, Hone in H.
    rewrite (sum_ext K _ (fun k => theta k * m k + (1 - ln Z) * m k)) in H
      by (intros k Hk; rewrite Hln by assumption; ring).
    rewrite sum_plus, (sum_scale K _ m), Hm1 in H. unfold dot. lra.
  - right. rewrite (sum_ext K _ (fun k => theta k * softmax K theta k - ln Z * softmax K theta k))
      by (intros k Hk; rewrite Hln by assumption; ring).
    rewrite sum_minus, (sum_scale K _ (softmax K theta)), Hone. unfold dot. ring.
Qed.

Lemma shannon_closed : lower_semicontinuous K (is_distribution K) (entropy P).
Proof using HK.
  apply (coordinates_closed K (is_distribution K) (fun v => v * ln v) (fun e a => 1 + ln (touching e a)) at_most_one).
  intros. apply nearly_tangent; lra.
Qed.

Lemma softmax_regular : regular P 2.
Proof using HK.
  destruct ln_2_range as [Hln _].
  split; [simpl; lia|]. split; [simpl; now apply Rinv_0_lt_compat|]. split; [lra|].
  split; [|split; [|split; [exact shannon_closed|exact softmax_attained]]].
  - intros w [Hw Hone]. split.
    + intros i Hi. rewrite (mean_of_classes K (softmax K)) by assumption. now apply Hw.
    + rewrite (sum_ext K _ w); [exact Hone|]. intros. now apply (mean_of_classes K (softmax K)).
  - intros u v t [Hu Hu1] [Hv Hv1] Ht. split; [split|].
    + intros k Hk. specialize (Hu k Hk). specialize (Hv k Hk).
      assert (0 <= t * u k) by (apply Rmult_le_pos; lra). assert (0 <= (1 - t) * v k) by (apply Rmult_le_pos; lra). lra.
    + simpl. rewrite sum_plus, !sum_scale, Hu1, Hv1. ring.
    + now apply shannon_strongly_convex.
Qed.

(** * The decoder at coefficient 1 *)

Lemma softmax_loss_value theta y : (y < K)%nat -> surrogate_loss P y theta = logistic (softmax K theta y).
Proof using HK.
  intros Hy. destruct ln_2_range as [Hln _]. set (Z := sum K (fun k => exp (theta k))).
  assert (Hone : sum K (softmax K theta) = 1) by (apply softmax_sums_to_one; lia).
  unfold surrogate_loss, fenchel_young, conjugate. simpl.
  rewrite (sum_ext K (fun k => softmax K theta k * ln (softmax K theta k))
    (fun k => theta k * softmax K theta k - ln Z * softmax K theta k))
    by (intros k Hk; rewrite ln_softmax by assumption; unfold Z; ring).
  rewrite sum_minus, (sum_scale K _ (softmax K theta)), Hone. fold (dot K theta (softmax K theta)).
  rewrite (sum_zero K); [|intros k _; destruct (Nat.eqb k y); [rewrite ln_1|]; ring].
  unfold dot at 3. rewrite (sum_at K theta y 1) by assumption.
  unfold logistic, log2. rewrite ln_softmax by assumption. fold Z. field. lra.
Qed.

(** ||g_y||^2 <= 2 (1 - p_y)^2/ln(2)^2 *)
Lemma softmax_slope theta y : (y < K)%nat ->
  dot K (slope P theta y) (slope P theta y) <= 2 * (1 - softmax K theta y) ^ 2 / ln 2 ^ 2.
Proof using HK.
  intros Hy. destruct ln_2_range as [Hln _]. set (p := softmax K theta).
  assert (Hp : forall k, (k < K)%nat -> 0 <= p k) by (intros; left; now apply softmax_positive).
  assert (Hone : sum K p = 1) by (apply softmax_sums_to_one; lia).
  assert (Hrest : sum K (without y p) = 1 - p y) by (rewrite (sum_split K p y Hy) in Hone; lra).
  assert (Hothers := sum_squares_le K (without y p)). rewrite Hrest in Hothers.
  assert (Hsum : dot K (slope P theta y) (slope P theta y) =
    / ln 2 ^ 2 * ((1 - p y) ^ 2 + sum K (fun k => without y p k ^ 2))).
  { unfold dot. rewrite (sum_split K _ y Hy), Rmult_plus_distr_l, <- sum_scale. f_equal.
    - unfold slope. simpl. rewrite Nat.eqb_refl. fold p. field. lra.
    - apply sum_ext. intros k _. unfold without, slope. simpl. fold p. destruct (Nat.eqb k y); field; lra. }
  rewrite Hsum. unfold Rdiv. rewrite (Rmult_comm _ (/ ln 2 ^ 2)). apply Rmult_le_compat_l.
  - left. apply Rinv_0_lt_compat. now apply pow_lt.
  - assert (H : sum K (fun k => without y p k ^ 2) <= (1 - p y) ^ 2); [|lra].
    apply Hothers. intros k Hk. unfold without. destruct (Nat.eqb k y); [lra|auto].
Qed.

Lemma softmax_decodable : decodable P (2 * ln 2 ^ 2) 1.
Proof using HK.
  intros theta. destruct ln_2_range as [Hln _]. set (need := fun k => logistic_need (softmax K theta k)).
  destruct (topped_up_suits K need) as [Hdist Hneed]; [lia| |].
  { apply logistic_needs; [|apply softmax_sums_to_one; lia]. intros k Hk.
    assert (H := softmax_range K theta k HK Hk). lra. }
  exists (topped_up K need). split; [exact Hdist|]. intros y Hy. simpl in Hy.
  change (weighted K (topped_up K need) (fun k => zero_one k y) <= 1 * (surrogate_loss P y theta
    - 2 * ln 2 ^ 2 / 2 * dot K (slope P theta y) (slope P theta y))).
  rewrite (P_wrong_top_up K _ y Hdist Hy), softmax_loss_value by assumption. specialize (Hneed y Hy).
  unfold need at 1 in Hneed. unfold logistic_need in Hneed. assert (Hslope := softmax_slope theta y Hy).
  assert (Hpos : 0 < ln 2 ^ 2) by now apply pow_lt.
  apply Rmult_le_compat_l with (r := ln 2 ^ 2) in Hslope; [|lra].
  replace (ln 2 ^ 2 * (2 * (1 - softmax K theta y) ^ 2 / ln 2 ^ 2)) with (2 * (1 - softmax K theta y) ^ 2) in Hslope
    by (field; lra). lra.
Qed.

(** * Two labels that are equally likely *)

Lemma softmax_needs_room eta alpha : 0 < eta -> 0 < alpha -> decodable P eta alpha ->
  1 / 2 <= alpha * (1 - eta / (4 * ln 2 ^ 2)).
Proof using HK.
  intros Heta Halpha Hdec. destruct ln_2_range as [Hln _].
  destruct (structured_criterion P 2 eta alpha softmax_regular Heta Halpha) as [Honly _].
  specialize (Honly Hdec (coin) (coin_is_distribution K HK) (1 / 2)). simpl in Honly.
  assert (Hbest : 1 / 2 <= alpha * (/ ln 2 * entropy_gap P coin
    - eta * (/ ln 2) ^ 2 / 2 * variance K K coin (output P))).
  { apply Honly. intros k Hk. rewrite (wrong_on_average K) by (apply coin_is_distribution || assumption; assumption).
    unfold coin. destruct (Nat.eqb_spec k 0), (Nat.eqb_spec k 1); try lia; lra. }
  assert (Hvar : variance K K coin (output P) = 1 / 2).
  { change (variance K K coin (output (sparsemax_classes K (softmax K))) = 1 / 2).
    rewrite variance_of_classes, coin_norm by (assumption || now apply coin_is_distribution). lra. }
  assert (Hgap : entropy_gap P coin = ln 2).
  { unfold entropy_gap. simpl. assert (Hzero : forall y, sum K (fun k => (if Nat.eqb k y then 1 else 0)
      * ln (if Nat.eqb k y then 1 else 0)) = 0).
    { intros y. apply sum_zero. intros k _. destruct (Nat.eqb k y); [rewrite ln_1|]; ring. }
    unfold weighted. rewrite (sum_zero K (fun y => coin y * _)) by (intros; rewrite Hzero; ring).
    rewrite (sum_ext K _ (fun k => (if Nat.eqb k 0 then - ln 2 / 2 else 0) + (if Nat.eqb k 1 then - ln 2 / 2 else 0))).
    - rewrite sum_plus, !sum_pick by lia. field.
    - intros k Hk. assert (Hmean := mean_of_classes K (softmax K) coin k Hk). simpl in Hmean.
      rewrite Hmean. unfold coin.
      assert (Hhalf : ln (1 / 2) = - ln 2) by (unfold Rdiv; rewrite Rmult_1_l; apply ln_Rinv; lra).
      destruct (Nat.eqb_spec k 0), (Nat.eqb_spec k 1); try lia; rewrite ?Rplus_0_r, ?Rplus_0_l, ?Hhalf; field. }
  rewrite Hgap, Hvar in Hbest.
  replace (alpha * (/ ln 2 * ln 2 - eta * (/ ln 2) ^ 2 / 2 * (1 / 2)))
    with (alpha * (1 - eta / (4 * ln 2 ^ 2))) in Hbest by (field; lra). exact Hbest.
Qed.

End Shannon.

Theorem softmax_zero_one : SoftmaxZeroOne.
Proof.
  intros K X HK HX. destruct ln_2_range as [Hln _]. assert (Hsquare : 0 < ln 2 ^ 2) by now apply pow_lt.
  split; [assumption|]. split; [now apply softmax_attained|]. split; [|split].
  - replace (X ^ 2 / (4 * ln 2 ^ 2)) with (1 * X ^ 2 / (2 * (2 * ln 2 ^ 2))) by (field; lra).
    apply guarantee_from_decoders with 2; [now apply softmax_regular|assumption|lra|lra|now apply softmax_decodable].
  - intros eta regret Heta Hdec. apply guarantee_decodable, softmax_needs_room in Hdec; try assumption; try lra.
    apply Rmult_le_compat_l with (r := 4 * ln 2 ^ 2) in Hdec; [|lra].
    replace (4 * ln 2 ^ 2 * (1 * (1 - eta / (4 * ln 2 ^ 2)))) with (4 * ln 2 ^ 2 - eta) in Hdec by (field; lra). lra.
  - intros eta alpha Heta Halpha Hdec. apply softmax_needs_room in Hdec; [|assumption|assumption|assumption].
    assert (H := least_regret (1 / 2) (eta / (4 * ln 2 ^ 2)) alpha).
    apply Rmult_le_reg_l with (4 * ln 2 ^ 2); [lra|].
    replace (4 * ln 2 ^ 2 * (1 / (4 * ln 2 ^ 2))) with (2 * (1 / 2)) by (field; lra).
    replace (4 * ln 2 ^ 2 * (alpha / (2 * eta))) with (alpha / (2 * (eta / (4 * ln 2 ^ 2)))) by (field; lra).
    apply H; [lra|apply Rdiv_lt_0_compat; lra|assumption|assumption].
Qed.

Print Assumptions softmax_zero_one.
