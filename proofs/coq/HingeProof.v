(** Theorem 2's scalar conditions: the hinge loss. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Subgradients Derivatives MarginTheorem Paper.
Open Scope R_scope.

Lemma hinge_below m : m <= 1 -> hinge m = 1 - m.
Proof. intros. apply Rmax_left. lra. Qed.

Lemma hinge_above m : 1 <= m -> hinge m = 0.
Proof. intros. apply Rmax_right. lra. Qed.

Lemma hinge_convex m : exists g, subgradient hinge m g.
Proof.
  destruct (Rle_dec m 1); [exists (-1)|exists 0]; intros b; unfold hinge, Rmax; repeat destruct Rle_dec; lra.
Qed.

Lemma hinge_subgradient m g : subgradient hinge m g -> g <= 0 /\ (m < 1 -> g = -1).
Proof.
  intros Hg. split.
  - destruct (Rlt_dec m 1).
    + apply Rle_trans with (-1); [|lra]. apply (subgradient_below hinge (fun b => 1 - b) m 1); auto.
      * intros. apply hinge_below. lra.
      * derive. ring.
    + apply (subgradient_below hinge (fun _ => 0) m (m + 1)); auto; [lra| |derive; ring].
      intros. apply hinge_above. lra.
  - intros Hm. apply (subgradient_equal hinge (fun b => 1 - b) m (m - 1) 1); auto; [lra| |derive; ring].
    intros. apply hinge_below. lra.
Qed.

Lemma hinge_conditions k : 2 <= k ->
  margin_conditions k hinge (hinge_map (1 / k)) (Some (1 / k)) ((1 - 1 / k) / k) (k ^ 2 / (2 * (k - 1))).
Proof.
  intros Hk. set (r := 1 / k). assert (Hr : r * k = 1) by (unfold r; field; lra).
  assert (0 < r <= 1 / 2) by (split; nra).
  assert (Hdiv : forall c, c / k = c * r) by (intros; unfold r; field; lra).
  split; rewrite ?Hdiv.
  - intros m. apply Rmax_r.
  - exact hinge_convex.
  - intros _ m g Hg. now apply hinge_subgradient in Hg.
  - intros m Hm. unfold hinge_map. destruct Rlt_dec; lra.
  - nra.
  - intros m g Hm Hon Hg. simpl in Hon. rewrite hinge_below by lra.
    rewrite (proj2 (hinge_subgradient m g Hg)) by lra.
    unfold hinge_map. destruct Rlt_dec; [lra|]. rewrite Hdiv.
    replace ((1 - m) * (k - 1) * r) with ((1 - m) * (r * k - r)) by ring. rewrite Hr. nra.
  - intros m Hm Hoff. simpl in Hoff. unfold hinge_map. destruct Rlt_dec; [|lra]. rewrite Hdiv. lra.
  - intros s t g Hst _ Hg. rewrite hinge_below by lra.
    rewrite (proj2 (hinge_subgradient _ g Hg)) by lra.
    unfold hinge_map. destruct Rlt_dec; rewrite Hdiv; nra.
  - right. rewrite <- Hdiv. unfold r. field. lra.
Qed.
