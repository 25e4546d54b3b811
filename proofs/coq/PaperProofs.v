(** The theorems of Paper.v. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Margins Softmax MarginTheorem SoftmaxTheorem.
From Gaptron Require Import Paper LogisticProof HingeProof SmoothHingeProof.
Open Scope R_scope.

Lemma at_least_two K : (2 <= K)%nat -> 2 <= INR K.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.

Theorem theorem_1 : Theorem1.
Proof.
  assert (H2 := ln_2_range). split; [lra|].
  intros K d X HK HX. assert (Hk := at_least_two K HK). assert (0 < X ^ 2) by now apply pow_lt.
  split; [nra|]. split.
  - intros theta y Hy. split; [|now apply softmax_positive].
    assert (Hrest := rest_positive K theta y HK). assert (Hexp := exp_pos (theta y)).
    rewrite (weighs K theta y Hy). lra.
  - replace (ln 2 / (2 * INR K * X ^ 2)) with (ln 2 / (2 * INR K) / X ^ 2) by (field; nra).
    replace (INR K * X ^ 2 / ln 2) with (INR K / ln 2 * X ^ 2) by (field; lra).
    now apply softmax_theorem; [|apply logistic_conditions|].
Qed.

Theorem theorem_2 : Theorem2.
Proof.
  intros K d X HK HX beta. assert (Hk := at_least_two K HK). assert (0 < X ^ 2) by now apply pow_lt.
  split; [lra|]. split; [nra|]. split; [lra|].
  replace ((1 - beta) / (INR K * X ^ 2)) with ((1 - 1 / INR K) / INR K / X ^ 2) by (unfold beta; field; nra).
  replace (INR K ^ 2 * X ^ 2 / (2 * (INR K - 1))) with (INR K ^ 2 / (2 * (INR K - 1)) * X ^ 2) by (field; lra).
  now apply margin_theorem; [|apply hinge_conditions|].
Qed.

Theorem theorem_3 : Theorem3.
Proof.
  intros K d X HK HX. assert (Hk := at_least_two K HK). assert (0 < X ^ 2) by now apply pow_lt.
  split; [nra|].
  replace (1 / (4 * INR K * X ^ 2)) with (1 / (4 * INR K) / X ^ 2) by (field; nra).
  now apply margin_theorem; [|apply smooth_hinge_conditions|].
Qed.

Print Assumptions theorem_1.
Print Assumptions theorem_2.
Print Assumptions theorem_3.
