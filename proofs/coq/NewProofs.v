(** The theorems of New.v. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Matrices Softmax LogitSubgradients Probabilities SoftmaxTheorem Paper.
From Gaptron Require Import LogisticProof DecoderDefinitions DecoderTheorem LogisticNeeds.
From Gaptron Require Import Optimal OptimalDelay LogisticLowerBound New.
Open Scope R_scope.

(** ||g||^2 <= 2 (1 - p)^2 X^2/ln(2)^2. *)
Lemma logistic_gradient_size K d X W x y G : (2 <= K)%nat -> 0 < X -> (y < K)%nat -> dot d x x <= X ^ 2 ->
  matrix_subgradient K d (fun V => logistic (softmax K (scores d V x) y)) W G ->
  norm2 K d G <= 2 * (1 - softmax K (scores d W x) y) ^ 2 * X ^ 2 / ln 2 ^ 2.
Proof.
  intros HK HX Hy Hx HG. assert (H2 := ln_2_range).
  set (p := softmax K (scores d W x) y). assert (Hp : 0 < p < 1) by now apply softmax_range.
  assert (HX2 : 0 < X ^ 2) by now apply pow_lt. set (squares := 2 * (1 - p) ^ 2 / ln 2 ^ 2).
  assert (H := softmax_gradient_cost K d logistic HK (logistic_surrogate _) 1 X W x y G (- (1 / 2 * squares)) Rlt_0_1 HX Hy
    Hx HG ((1 - p) ^ 2) (others_le K (scores d W x) y HK Hy)).
  assert (Hcost : - (1 / 2 * squares) + 1 / X ^ 2 / 2 * norm2 K d G <= 0).
  { apply H. intros r Hr. fold p in Hr. fold p. rewrite (logistic_slope p r Hp Hr). right. unfold squares. field. lra. }
  apply Rmult_le_reg_l with (1 / X ^ 2 / 2).
  - apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat].
  - replace (1 / X ^ 2 / 2 * (2 * (1 - p) ^ 2 * X ^ 2 / ln 2 ^ 2)) with (1 / 2 * squares)
      by (unfold squares; field; lra). lra.
Qed.

Theorem logistic_best_decoder : LogisticBestDecoder.
Proof.
  intros K d X HK HX. assert (H2 := ln_2_range). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (HL2 : 0 < ln 2 ^ 2) by (apply pow_lt; lra). split; [lra|]. split; [lra|]. split; [lra|]. split.
  { intros theta y Hy. split; [|now apply softmax_positive].
    assert (Hrest := rest_positive K theta y HK). assert (Hexp := exp_pos (theta y)).
    rewrite (weighs K theta y Hy). lra. }
  apply decoder_theorem with (need := fun W x y => logistic_need (softmax K (scores d W x) y)).
  - exact HK.
  - apply Rmult_lt_0_compat; [lra|]. now apply Rinv_0_lt_compat.
  - right. field. lra.
  - intros x y V Hy. assert (Hp := softmax_range K (scores d V x) y HK Hy).
    assert (H := proj1 (logistic_at_one _ Hp)). lra.
  - intros x y V Hy. exact (softmax_gradient_exists K d logistic HK (logistic_surrogate _) logistic_map V x 0%nat y V Hy).
  - intros W x y G Hy Hx HG. assert (Hsize := logistic_gradient_size K d X W x y G HK HX Hy Hx HG).
    unfold logistic_need. set (p := softmax K (scores d W x) y) in *.
    apply Rmult_le_compat_l with (r := 2 * ln 2 ^ 2 / X ^ 2 / 2) in Hsize.
    + replace (2 * ln 2 ^ 2 / X ^ 2 / 2 * (2 * (1 - p) ^ 2 * X ^ 2 / ln 2 ^ 2)) with (2 * (1 - p) ^ 2) in Hsize
        by (field; lra). lra.
    + left. apply Rmult_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [lra|]. now apply Rinv_0_lt_compat.
  - intros W x _. apply logistic_needs; [|now apply softmax_sums_to_one; lia].
    intros k Hk. assert (H := softmax_range K (scores d W x) k HK Hk). lra.
Qed.

Print Assumptions logistic_best_decoder.

Theorem delay_exact : DelayExact.
Proof. intros n P X alpha c HX Hloss HM Halpha Hc. now apply delay_is_exact. Qed.

Theorem logistic_lower : LogisticLowerBound.
Proof.
  intros K T B m A HK HT Hm HA s c loss. assert (H2 := ln_2_range).
  split; [apply Rmult_lt_0_compat; apply lt_0_INR; lia|]. split; [apply Rgt_not_eq; now apply pow_lt|]. split; [lra|]. split.
  { intros theta y Hy. split; [|now apply softmax_positive].
    assert (Hrest := rest_positive K theta y HK). assert (Hexp := exp_pos (theta y)).
    rewrite (weighs K theta y Hy). lra. }
  intros Hc HB HT2.
  exact (logistic_lower_bound K T B m A HK HT Hm Hc HB HT2 HA).
Qed.

Print Assumptions delay_exact.
Print Assumptions logistic_lower.
