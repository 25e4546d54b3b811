(** Theorem 1's scalar conditions: the logistic loss. Of the logarithm it needs ln z <= z - 1 and 0 < ln 2 < 1 only. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Derivatives Convexity SoftmaxSubgradients LogitSubgradients Expectations SoftmaxTheorem.
From Gaptron Require Import Paper.
Open Scope R_scope.

Lemma ln_tangent z : 0 < z -> ln z <= z - 1.
Proof. intros Hz. assert (H := exp_ineq1_le (ln z)). rewrite exp_ln in H by assumption. lra. Qed.

Lemma ln_2_range : 0 < ln 2 < 1.
Proof.
  split; [rewrite <- ln_1; apply ln_increasing; lra|].
  rewrite <- (ln_exp 1). apply ln_increasing; [lra|]. assert (H := exp_ineq1 1 ltac:(lra)). lra.
Qed.

(** Tangents of the loss at 1 and at 1/2. *)
Lemma logistic_at_one p : 0 < p < 1 -> 1 - p <= logistic p /\ (1 - p) ^ 2 <= logistic p * ln 2.
Proof.
  intros Hp. assert (H2 := ln_2_range). assert (H := ln_tangent p (proj1 Hp)).
  assert (Hmul : logistic p * ln 2 = - ln p) by (unfold logistic, log2; field; lra).
  split; [|rewrite Hmul; nra]. apply Rmult_le_reg_r with (ln 2); nra.
Qed.

Lemma logistic_at_half p : 0 < p <= 1 / 2 -> 2 - 2 * p <= logistic p.
Proof.
  intros Hp. assert (H2 := ln_2_range). assert (H := ln_tangent (2 * p) ltac:(lra)).
  rewrite ln_mult in H by lra.
  assert (Hmul : logistic p * ln 2 = - ln p) by (unfold logistic, log2; field; lra).
  apply Rmult_le_reg_r with (ln 2); nra.
Qed.

Lemma logistic_derivative p : 0 < p -> derivable_pt_lim logistic p (- / (p * ln 2)).
Proof. intros Hp. assert (H2 := ln_2_range). unfold logistic, log2. derive; [lra|lra|]. field. lra. Qed.

Lemma logistic_convex p : 0 < p < 1 -> logit_subgradient logistic p (- / (p * ln 2)).
Proof.
  intros Hp. assert (H2 := ln_2_range). apply logit_subgradient_of_supports.
  apply logit_supports_from_curvature with (psi' := fun p => - / (p * ln 2)) (psi'' := fun p => / (p ^ 2 * ln 2)); auto.
  - intros b c m [] [] ?. split; lra.
  - intros m [Hm _]. now apply logistic_derivative.
  - intros m [Hm _]. derive; [nra|]. field. lra.
  - intros m [Hm Hm']. left.
    replace (m * (1 - m) * / (m ^ 2 * ln 2) + (1 - 2 * m) * - / (m * ln 2)) with (/ ln 2) by (field; lra).
    apply Rinv_0_lt_compat. lra.
Qed.

Lemma logistic_slope p r : 0 < p < 1 -> logit_subgradient logistic p r -> r = - / (p * ln 2).
Proof.
  intros Hp Hr. apply (logit_subgradient_equal logistic logistic p (p / 2) ((1 + p) / 2)); auto; try lra.
  now apply logistic_derivative.
Qed.

(** (eta/2) ||g||^2 <= loss/(2 k). *)
Lemma logistic_cost k p r S : 2 <= k -> 0 < p < 1 -> logit_subgradient logistic p r -> S <= (1 - p) ^ 2 ->
  ln 2 / (2 * k) / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= logistic p * (1 / k) / 2.
Proof.
  intros Hk Hp Hr HS. assert (H2 := ln_2_range). rewrite (logistic_slope p r Hp Hr).
  replace (ln 2 / (2 * k) / 2 * ((- / (p * ln 2) * p) ^ 2 * ((1 - p) ^ 2 + S)))
    with (((1 - p) ^ 2 + S) * (/ (4 * k * ln 2))) by (field; lra).
  replace (logistic p * (1 / k) / 2) with (2 * (logistic p * ln 2) * / (4 * k * ln 2)) by (field; lra).
  assert (H := proj2 (logistic_at_one p Hp)).
  apply Rmult_le_compat_r; [|lra]. left. apply Rinv_0_lt_compat. nra.
Qed.

Lemma logistic_map_high p : 1 / 2 <= p -> logistic_map p = 1 - p.
Proof. intros. unfold logistic_map. destruct Rle_dec; lra. Qed.

Lemma logistic_map_low p : p < 1 / 2 -> logistic_map p = 1.
Proof. intros. unfold logistic_map. destruct Rle_dec; lra. Qed.

Lemma logistic_surrogate k : softmax_surrogate k logistic.
Proof.
  assert (H2 := ln_2_range). split.
  - intros p Hp. assert (H := proj1 (logistic_at_one p Hp)). lra.
  - intros p Hp. exists (- / (p * ln 2)). now apply logistic_convex.
  - intros _ p r Hp Hr. rewrite (logistic_slope p r Hp Hr).
    assert (0 < / (p * ln 2)) by (apply Rinv_0_lt_compat; nra). lra.
Qed.

Lemma logistic_conditions k : 2 <= k -> softmax_conditions (guessing k) k logistic logistic_map (ln 2 / (2 * k)) (k / ln 2).
Proof.
  intros Hk. assert (H2 := ln_2_range). set (i := 1 / k). assert (Hi : i * k = 1) by (unfold i; field; lra).
  assert (Hrange : 0 < i <= 1 / 2) by (split; nra).
  assert (Hguess : guessing k = 1 - i) by (unfold guessing, i; field; lra).
  split.
  - apply logistic_surrogate.
  - intros p Hp. fold i in Hp. destruct (Rle_dec (1 / 2) p);
      [rewrite logistic_map_high by lra|rewrite logistic_map_low by lra]; lra.
  - apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra.
  - intros p r S Hp HS Hr. fold i in Hp. assert (H := proj1 (logistic_at_one p ltac:(lra))).
    assert (Hcost := logistic_cost k p r S Hk ltac:(lra) Hr). fold i in Hcost. rewrite Hguess.
    destruct HS as [[Hhalf ->]|[[Hhalf ->]|[Hthird ->]]]; [specialize (Hcost ltac:(lra))|specialize (Hcost ltac:(nra))..].
    + rewrite logistic_map_high by lra. nra.
    + assert (H' := logistic_at_half p ltac:(lra)). rewrite logistic_map_low by lra. nra.
    + assert (H' := logistic_at_half p ltac:(lra)). rewrite logistic_map_low by lra. nra.
  - intros p q r S (Hp & Hq & Hsum & _) HS Hr. fold i in Hp. assert (H := logistic_at_half q ltac:(lra)).
    assert (Hcost := logistic_cost k q r S Hk ltac:(lra) Hr). fold i in Hcost. rewrite Hguess.
    destruct HS as [[Hrest ->]|[Hrest ->]]; specialize (Hcost ltac:(nra));
      (destruct (Rle_dec (1 / 2) p); [rewrite logistic_map_high by lra|rewrite logistic_map_low by lra]; nra).
  - right. field. lra.
Qed.
