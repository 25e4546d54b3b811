(** The theorems of Paper.v, from those that gaptron export --coq writes for the files that state them. *)

From Coq Require Import Reals Lra FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Softmax Paper.
From Gaptron Require T_Theorem_20_1_2c__20_logistic T_Theorem_20_2_2c__20_hinge.
From Gaptron Require T_Theorem_20_3_2c__20_smooth_20_hinge.
Open Scope R_scope.

Module Logistic := T_Theorem_20_1_2c__20_logistic.
Module Hinge := T_Theorem_20_2_2c__20_hinge.
Module SmoothHinge := T_Theorem_20_3_2c__20_smooth_20_hinge.

(** Two functions of one variable that are nested ifs, maxima and minima of the same. *)
Ltac same := extensionality v; unfold Rmax, Rmin; repeat destruct Rle_dec; repeat destruct Rlt_dec; lra.

Theorem theorem_1 : Theorem1.
Proof.
  assert (H2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra). split; [lra|].
  intros K d X HK HX. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  split; [nra|]. split.
  - intros theta y Hy. split; [|now apply softmax_positive].
    assert (Hrest := rest_positive K theta y HK). assert (Hexp := exp_pos (theta y)).
    rewrite (weighs K theta y Hy). lra.
  - destruct (Logistic.T_Theorem_20_1_2c__20_logistic_whole K d X HK HX) as [_ H].
    replace (Logistic.psi (INR K)) with logistic in H
      by (extensionality p; unfold Logistic.psi, logistic, log2; field; lra).
    replace (Logistic.gap_map_of (INR K)) with logistic_map in H
      by (unfold Logistic.gap_map_of, logistic_map; same).
    replace (Logistic.rate (INR K) / X ^ 2) with (ln 2 / (2 * INR K * X ^ 2)) in H
      by (unfold Logistic.rate; field; lra).
    replace (Logistic.regret (INR K) * X ^ 2) with (INR K * X ^ 2 / ln 2) in H
      by (unfold Logistic.regret; field; lra).
    exact H.
Qed.

Theorem theorem_2 : Theorem2.
Proof.
  intros K d X HK HX beta. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  split; [lra|]. split; [nra|]. split; [lra|].
  destruct (Hinge.T_Theorem_20_2_2c__20_hinge_whole K d X HK HX) as [_ [H _]].
  assert (Hbeta : beta = Hinge.threshold (INR K)) by (unfold beta, Hinge.threshold; field; lra).
  replace (Hinge.phi (INR K)) with hinge in H by (unfold Hinge.phi, hinge; same).
  replace (Hinge.gap_map_of (INR K)) with (hinge_map beta) in H
    by (rewrite Hbeta; unfold Hinge.gap_map_of, hinge_map, Hinge.threshold; same).
  rewrite <- Hbeta in H.
  replace (Hinge.rate (INR K) / X ^ 2) with ((1 - beta) / (INR K * X ^ 2)) in H
    by (unfold Hinge.rate, beta; field; lra).
  replace (Hinge.regret (INR K) * X ^ 2) with (INR K ^ 2 * X ^ 2 / (2 * (INR K - 1))) in H
    by (unfold Hinge.regret; field; lra).
  exact H.
Qed.

Theorem theorem_3 : Theorem3.
Proof.
  intros K d X HK HX. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  split; [nra|].
  destruct (SmoothHinge.T_Theorem_20_3_2c__20_smooth_20_hinge_whole K d X HK HX) as [_ [H _]].
  replace (SmoothHinge.phi (INR K)) with smooth_hinge in H by (unfold SmoothHinge.phi, smooth_hinge; same).
  replace (SmoothHinge.gap_map_of (INR K)) with smooth_hinge_map in H
    by (unfold SmoothHinge.gap_map_of, smooth_hinge_map; same).
  replace (SmoothHinge.rate (INR K) / X ^ 2) with (1 / (4 * INR K * X ^ 2)) in H
    by (unfold SmoothHinge.rate; field; lra).
  replace (SmoothHinge.regret (INR K) * X ^ 2) with (2 * INR K * X ^ 2) in H
    by (unfold SmoothHinge.regret; field).
  exact H.
Qed.

Print Assumptions theorem_1.
Print Assumptions theorem_2.
Print Assumptions theorem_3.
