(** Theorem 3's scalar conditions: the smooth hinge loss. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Derivatives Pieces Expectations MarginTheorem Paper.
Import ListNotations.
Open Scope R_scope.

Lemma smooth_hinge_left m : m <= 0 -> smooth_hinge m = 1 - 2 * m.
Proof. intros. unfold smooth_hinge. destruct Rle_dec; [|lra]. apply Rmax_left. lra. Qed.

Lemma smooth_hinge_middle m : 0 <= m <= 1 -> smooth_hinge m = (1 - m) ^ 2.
Proof. intros. unfold smooth_hinge. destruct Rle_dec; [|f_equal]; rewrite Rmax_left by lra; [nra|lra]. Qed.

Lemma smooth_hinge_right m : 1 <= m -> smooth_hinge m = 0.
Proof. intros. unfold smooth_hinge. destruct Rle_dec; [lra|]. rewrite Rmax_right by lra. ring. Qed.

Inductive smooth_hinge_case (m : R) : Prop :=
  | on_left : m <= 0 -> smooth_hinge_case m
  | in_the_middle : 0 <= m <= 1 -> smooth_hinge_case m
  | on_right : 1 <= m -> smooth_hinge_case m.

Lemma smooth_hinge_cases m : smooth_hinge_case m.
Proof.
  destruct (Rle_dec m 0); [now apply on_left|]. destruct (Rle_dec m 1); [apply in_the_middle|apply on_right]; lra.
Qed.

Ltac smooth_hinge_value m :=
  destruct (smooth_hinge_cases m);
  [rewrite (smooth_hinge_left m) by lra|rewrite (smooth_hinge_middle m) by lra|rewrite (smooth_hinge_right m) by lra].

Definition smooth_hinge_parts : pieces := [
  (fun m => m <= 0, fun _ => -2);
  (fun m => 0 <= m /\ m <= 1, fun m => -2 * (1 - m));
  (fun m => 1 <= m, fun _ => 0)
].

Lemma smooth_hinge_pieces : every (piece smooth_hinge) smooth_hinge_parts.
Proof.
  every_piece; (split; [closed_region|intros; continuous|intros m Hm b]).
  - rewrite (smooth_hinge_left m) by lra. smooth_hinge_value b; nra.
  - rewrite (smooth_hinge_middle m) by lra. assert (0 <= (b - m) ^ 2) by apply pow2_ge_0. smooth_hinge_value b; nra.
  - rewrite (smooth_hinge_right m) by lra. smooth_hinge_value b; nra.
Qed.

Lemma smooth_hinge_covered m : some (fun C _ => C m) smooth_hinge_parts.
Proof. cbn. destruct (smooth_hinge_cases m); auto. Qed.

Lemma smooth_hinge_map_low m : m <= 1 -> smooth_hinge_map m = (1 - m) ^ 2.
Proof. intros. unfold smooth_hinge_map. now rewrite Rmin_right. Qed.

Lemma smooth_hinge_map_high m : 1 <= m -> smooth_hinge_map m = 0.
Proof. intros. unfold smooth_hinge_map. rewrite Rmin_left by lra. ring. Qed.

Lemma smooth_hinge_map_range m : 0 <= m -> 0 <= smooth_hinge_map m <= 1.
Proof.
  intros. destruct (Rle_dec m 1); [rewrite smooth_hinge_map_low by lra|rewrite smooth_hinge_map_high by lra]; nra.
Qed.

Lemma smooth_hinge_conditions k : 2 <= k ->
  margin_conditions (guessing k) k smooth_hinge smooth_hinge_map None (1 / (4 * k)) (2 * k).
Proof.
  intros Hk. set (r := 1 / k). assert (Hr : r * k = 1) by (unfold r; field; lra).
  assert (0 < r <= 1 / 2) by (split; nra).
  assert (Hrate : 1 / (4 * k) = r / 4) by (unfold r; field; lra).
  assert (Hguess : guessing k = 1 - r) by (unfold guessing, r; field; lra).
  split; try rewrite Hrate.
  - intros m. smooth_hinge_value m; nra.
  - exact (pieces_convex _ _ smooth_hinge_pieces smooth_hinge_covered).
  - intros _ m g. apply (pieces_nonincreasing _ _ smooth_hinge_pieces smooth_hinge_covered). every_piece; lra.
  - exact smooth_hinge_map_range.
  - lra.
  - intros m g Hm _. rewrite Hguess.
    apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|]. every_piece; intros Hpiece.
    + rewrite smooth_hinge_left, smooth_hinge_map_low by lra. replace m with 0 by lra. lra.
    + rewrite smooth_hinge_middle, smooth_hinge_map_low by lra. nra.
    + rewrite smooth_hinge_right, smooth_hinge_map_high by lra. lra.
  - intros m Hm [].
  - intros s t g Hst _. rewrite Hguess, smooth_hinge_left by lra.
    apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|]. every_piece; intros Hpiece; [| |lra].
    + destruct (Rle_dec s 1); [rewrite smooth_hinge_map_low by lra; nra|rewrite smooth_hinge_map_high by lra; lra].
    + replace s with 0 by lra. replace t with 0 by lra. rewrite smooth_hinge_map_low by lra. lra.
  - rewrite <- Hrate. right. field. lra.
Qed.
