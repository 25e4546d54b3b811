(** Theorem 2's scalar conditions: the hinge loss. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Derivatives Pieces Expectations MarginTheorem Paper.
Import ListNotations.
Open Scope R_scope.

Definition hinge_parts : pieces := [
  (fun m => m <= 1, fun _ => -1);
  (fun m => 1 <= m, fun _ => 0)
].

Lemma hinge_pieces : every (piece hinge) hinge_parts.
Proof.
  every_piece;
    (split; [closed_region|intros; continuous|intros m Hm b; unfold hinge, Rmax; repeat destruct Rle_dec; lra]).
Qed.

Lemma hinge_covered m : some (fun C _ => C m) hinge_parts.
Proof. cbn. destruct (Rle_dec m 1); [left|right; left]; lra. Qed.

Lemma hinge_conditions k : 2 <= k ->
  margin_conditions (guessing k) k hinge (hinge_map (1 / k)) (Some (1 / k)) ((1 - 1 / k) / k) (k ^ 2 / (2 * (k - 1))).
Proof.
  intros Hk. set (r := 1 / k). assert (Hr : r * k = 1) by (unfold r; field; lra).
  assert (0 < r <= 1 / 2) by (split; nra).
  assert (Hdiv : forall c, c / k = c * r) by (intros; unfold r; field; lra).
  assert (Hguess : guessing k = 1 - r) by (unfold guessing, r; field; lra).
  split; rewrite ?Hguess, ?Hdiv.
  - intros m. apply Rmax_r.
  - exact (pieces_convex hinge hinge_parts hinge_pieces hinge_covered).
  - intros _ m g. apply (pieces_nonincreasing hinge hinge_parts hinge_pieces hinge_covered).
    every_piece; intros; lra.
  - intros m Hm. unfold hinge_map. destruct Rlt_dec; lra.
  - nra.
  - intros m g Hm Hon. apply (pieces_gap hinge hinge_parts hinge_pieces hinge_covered); [nra|].
    simpl in Hon. every_piece; intros Hpiece; [|lra].
    unfold hinge, hinge_map. rewrite Rmax_left by lra. destruct Rlt_dec; [lra|]. nra.
  - intros m Hm Hoff. simpl in Hoff. unfold hinge_map. destruct Rlt_dec; lra.
  - intros s t g Hst _. apply (pieces_gap hinge hinge_parts hinge_pieces hinge_covered); [nra|].
    every_piece; intros Hpiece; [|lra].
    unfold hinge, hinge_map. rewrite Rmax_left by lra. destruct Rlt_dec; nra.
  - right. rewrite <- Hdiv. unfold r. field. lra.
Qed.
