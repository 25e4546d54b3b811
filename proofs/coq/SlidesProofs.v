(** The theorems of Slides.v: of the loss they need what Theorems 2 and 3 need. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Sums Pieces MarginTheorem Paper HingeProof SmoothHingeProof.
From Gaptron Require Import AbstentionTheorem Slides.
Open Scope R_scope.

Theorem abstaining_smooth_hinge : AbstainingSmoothHinge.
Proof.
  intros K d X c HK HX Hc. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  split; [lra|]. split; [lra|].
  replace ((1 - c) / (4 * X ^ 2)) with ((1 - c) / 4 / X ^ 2) by (field; lra).
  replace (2 * X ^ 2 / (1 - c)) with (2 / (1 - c) * X ^ 2) by (field; lra).
  apply abstaining_margin_theorem; [exact HK| |exact HX]. destruct (smooth_hinge_conditions (INR K) Hk). split; auto.
  - lra.
  - intros m g Hm _. apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|].
    every_piece; intros Hpiece.
    + rewrite smooth_hinge_left, smooth_hinge_map_low by lra. replace m with 0 by lra. lra.
    + rewrite smooth_hinge_middle, smooth_hinge_map_low by lra. right. field.
    + rewrite smooth_hinge_right, smooth_hinge_map_high by lra. lra.
  - intros m _ [].
  - intros s t g Hst _. rewrite smooth_hinge_left by lra.
    apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|].
    every_piece; intros Hpiece; [| |lra].
    + destruct (Rle_dec s 1); [rewrite smooth_hinge_map_low by lra; nra|rewrite smooth_hinge_map_high by lra; lra].
    + replace s with 0 by lra. replace t with 0 by lra. rewrite smooth_hinge_map_low by lra. lra.
  - right. field. lra.
Qed.

Theorem abstaining_hinge : AbstainingHinge.
Proof.
  intros K d X c HK HX Hc beta. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hvalue : beta * (2 - c) = 1 - c) by (unfold beta; field; lra). assert (Hbeta : 0 < beta <= 1 / 2) by nra.
  split; [lra|]. split; [lra|]. split; [lra|].
  replace (X ^ 2 / (2 * beta)) with (1 / (2 * beta) * X ^ 2) by (field; lra).
  apply abstaining_margin_theorem; [exact HK| |exact HX]. destruct (hinge_conditions (INR K) Hk). split; auto.
  - intros m Hm. unfold hinge_map. destruct Rlt_dec; lra.
  - lra.
  - intros m g Hm Hon. simpl in Hon. apply (pieces_gap hinge hinge_parts hinge_pieces hinge_covered); [lra|].
    every_piece; intros Hpiece; [|lra].
    unfold hinge, hinge_map. rewrite Rmax_left by lra. destruct Rlt_dec; [lra|]. nra.
  - intros m Hm Hoff. simpl in Hoff. unfold hinge_map. destruct Rlt_dec; lra.
  - intros s t g Hst _. apply (pieces_gap hinge hinge_parts hinge_pieces hinge_covered); [lra|].
    every_piece; intros Hpiece; [|lra].
    unfold hinge, hinge_map. rewrite Rmax_left by lra. destruct Rlt_dec; nra.
  - apply Rle_refl.
Qed.

Print Assumptions abstaining_smooth_hinge.
Print Assumptions abstaining_hinge.
