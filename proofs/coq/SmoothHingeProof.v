(** Theorem 3's scalar conditions: the smooth hinge loss. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Subgradients Derivatives MarginTheorem Paper.
Open Scope R_scope.

Lemma smooth_hinge_left m : m <= 0 -> smooth_hinge m = 1 - 2 * m.
Proof. intros. unfold smooth_hinge. destruct Rle_dec; [|lra]. apply Rmax_left. lra. Qed.

Lemma smooth_hinge_middle m : 0 <= m <= 1 -> smooth_hinge m = (1 - m) ^ 2.
Proof. intros. unfold smooth_hinge. destruct Rle_dec; [|f_equal]; rewrite Rmax_left by lra; [nra|lra]. Qed.

Lemma smooth_hinge_right m : 1 <= m -> smooth_hinge m = 0.
Proof. intros. unfold smooth_hinge. destruct Rle_dec; [lra|]. rewrite Rmax_right by lra. ring. Qed.

Inductive smooth_hinge_piece (m : R) : Prop :=
  | on_left : m <= 0 -> smooth_hinge_piece m
  | in_the_middle : 0 <= m <= 1 -> smooth_hinge_piece m
  | on_right : 1 <= m -> smooth_hinge_piece m.

Lemma smooth_hinge_pieces m : smooth_hinge_piece m.
Proof.
  destruct (Rle_dec m 0); [now apply on_left|]. destruct (Rle_dec m 1); [apply in_the_middle|apply on_right]; lra.
Qed.

Ltac smooth_hinge_value m :=
  destruct (smooth_hinge_pieces m);
  [rewrite (smooth_hinge_left m) by lra|rewrite (smooth_hinge_middle m) by lra|rewrite (smooth_hinge_right m) by lra].

Lemma smooth_hinge_convex m : exists g, subgradient smooth_hinge m g.
Proof.
  destruct (smooth_hinge_pieces m); [exists (-2)|exists (-2 * (1 - m))|exists 0]; intros b.
  - rewrite (smooth_hinge_left m) by lra. smooth_hinge_value b; nra.
  - rewrite (smooth_hinge_middle m) by lra. smooth_hinge_value b; try nra.
    assert (0 <= (b - m) ^ 2) by apply pow2_ge_0. nra.
  - rewrite (smooth_hinge_right m) by lra. smooth_hinge_value b; nra.
Qed.

Lemma smooth_hinge_left_slope m g : m <= 0 -> subgradient smooth_hinge m g -> g = -2.
Proof.
  intros Hm Hg. apply Rle_antisym.
  - destruct (Rlt_dec m 0).
    + apply (subgradient_below smooth_hinge (fun b => 1 - 2 * b) m 0); auto; [|derive; ring].
      intros. apply smooth_hinge_left. lra.
    + apply (subgradient_below smooth_hinge (fun b => (1 - b) ^ 2) m 1); auto; [lra| |derive; lra].
      intros. apply smooth_hinge_middle. lra.
  - apply (subgradient_above smooth_hinge (fun b => 1 - 2 * b) m (m - 1)); auto; [lra| |derive; ring].
    intros. apply smooth_hinge_left. lra.
Qed.

Lemma smooth_hinge_middle_slope m g : 0 <= m <= 1 -> subgradient smooth_hinge m g -> g = -2 * (1 - m).
Proof.
  intros Hm Hg. apply Rle_antisym.
  - destruct (Rlt_dec m 1).
    + apply (subgradient_below smooth_hinge (fun b => (1 - b) ^ 2) m 1); auto; [|derive; ring].
      intros. apply smooth_hinge_middle. lra.
    + apply (subgradient_below smooth_hinge (fun _ => 0) m (m + 1)); auto; [lra| |derive; lra].
      intros. apply smooth_hinge_right. lra.
  - destruct (Rlt_dec 0 m).
    + apply (subgradient_above smooth_hinge (fun b => (1 - b) ^ 2) m 0); auto; [|derive; ring].
      intros. apply smooth_hinge_middle. lra.
    + replace m with 0 in * by lra. rewrite (smooth_hinge_left_slope 0 g) by (auto; lra). lra.
Qed.

Lemma smooth_hinge_right_slope m g : 1 <= m -> subgradient smooth_hinge m g -> g = 0.
Proof.
  intros Hm Hg. destruct (Rlt_dec 1 m).
  - apply (subgradient_equal smooth_hinge (fun _ => 0) m 1 (m + 1)); auto; [lra| |derive; ring].
    intros. apply smooth_hinge_right. lra.
  - rewrite (smooth_hinge_middle_slope m g) by (auto; lra). lra.
Qed.

Lemma smooth_hinge_map_low m : m <= 1 -> smooth_hinge_map m = (1 - m) ^ 2.
Proof. intros. unfold smooth_hinge_map. now rewrite Rmin_right. Qed.

Lemma smooth_hinge_map_high m : 1 <= m -> smooth_hinge_map m = 0.
Proof. intros. unfold smooth_hinge_map. rewrite Rmin_left by lra. ring. Qed.

Lemma smooth_hinge_map_range m : 0 <= m -> 0 <= smooth_hinge_map m <= 1.
Proof.
  intros. destruct (Rle_dec m 1); [rewrite smooth_hinge_map_low by lra|rewrite smooth_hinge_map_high by lra]; nra.
Qed.

Lemma smooth_hinge_conditions k : 2 <= k ->
  margin_conditions k smooth_hinge smooth_hinge_map None (1 / (4 * k)) (2 * k).
Proof.
  intros Hk. set (r := 1 / k). assert (Hr : r * k = 1) by (unfold r; field; lra).
  assert (0 < r <= 1 / 2) by (split; nra).
  assert (Hdiv : forall c, c / k = c * r) by (intros; unfold r; field; lra).
  assert (Hrate : 1 / (4 * k) = r / 4) by (unfold r; field; lra).
  split; try rewrite Hrate.
  - intros m. smooth_hinge_value m; nra.
  - exact smooth_hinge_convex.
  - intros _ m g Hg. destruct (smooth_hinge_pieces m).
    + rewrite (smooth_hinge_left_slope m g) by assumption. lra.
    + rewrite (smooth_hinge_middle_slope m g) by assumption. lra.
    + rewrite (smooth_hinge_right_slope m g) by assumption. lra.
  - exact smooth_hinge_map_range.
  - lra.
  - intros m g Hm _ Hg. rewrite Hdiv.
    replace (smooth_hinge_map m * (k - 1) * r) with (smooth_hinge_map m * (r * k - r)) by ring. rewrite Hr.
    destruct (Rle_dec m 1).
    + rewrite (smooth_hinge_middle_slope m g), smooth_hinge_middle, smooth_hinge_map_low by (auto; lra). nra.
    + rewrite (smooth_hinge_right_slope m g), smooth_hinge_right, smooth_hinge_map_high by (auto; lra). lra.
  - intros m Hm [].
  - intros s t g Hst _ Hg. rewrite Hdiv, smooth_hinge_left by lra.
    rewrite (smooth_hinge_left_slope (- t) g) by (auto; lra).
    destruct (Rle_dec s 1).
    + rewrite smooth_hinge_map_low by lra. nra.
    + rewrite smooth_hinge_map_high by lra. lra.
  - rewrite <- Hrate. right. field. lra.
Qed.
