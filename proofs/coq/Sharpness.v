(** The learning rates of Theorems 2 and 3 are the largest that their gap maps allow: with any larger one the conditions
    are false for every number of classes. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Pieces Expectations MarginTheorem Paper HingeProof SmoothHingeProof.
Import ListNotations.
Open Scope R_scope.

(** At a right round with m* = 1/k the gap is zero. *)
Theorem hinge_rate_is_largest k eta c : 2 <= k -> (1 - 1 / k) / k < eta ->
  ~ margin_conditions (guessing k) k hinge (hinge_map (1 / k)) (Some (1 / k)) eta c.
Proof.
  intros Hk Heta H. set (r := 1 / k) in *. assert (Hr : r * k = 1) by (unfold r; field; lra).
  assert (0 < r <= 1 / 2) by (split; nra).
  assert (Hslope : subgradient hinge r (-1)) by (apply hinge_pieces; lra).
  assert (Hon : ~ is_off (Some r) r) by (cbn; lra).
  assert (Hgap := gap_right _ _ _ _ _ _ _ H r (-1) ltac:(lra) Hon Hslope).
  unfold hinge, hinge_map in Hgap. rewrite Rmax_left in Hgap by lra. destruct Rlt_dec; [lra|].
  replace (guessing k) with (1 - r) in Hgap by (unfold guessing, r; field; lra).
  replace ((1 - r) / k) with ((1 - r) * r) in Heta by (unfold r; field; lra). nra.
Qed.

(** At a wrong round with all scores equal the gap is zero. *)
Theorem smooth_hinge_rate_is_largest k eta c : 2 <= k -> 1 / (4 * k) < eta ->
  ~ margin_conditions (guessing k) k smooth_hinge smooth_hinge_map None eta c.
Proof.
  intros Hk Heta H.
  assert (Hslope : subgradient smooth_hinge (- 0) (-2)) by (apply smooth_hinge_pieces; lra).
  assert (Hgap := gap_wrong _ _ _ _ _ _ _ H 0 0 (-2) ltac:(lra) ltac:(auto) Hslope).
  rewrite smooth_hinge_left, smooth_hinge_map_low in Hgap by lra.
  unfold guessing in Hgap.
  replace (1 - (1 - 0) ^ 2 + (1 - 0) ^ 2 * ((k - 1) / k) - (1 - 2 * - 0) + eta * (-2) ^ 2) with (4 * (eta - 1 / (4 * k))) in Hgap by (field; lra).
  lra.
Qed.
