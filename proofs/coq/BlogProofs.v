(** The statements of Blog.v. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Derivatives Pieces Assembly BinaryTheorem Blog SignedLosses.
Import ListNotations.
Open Scope R_scope.

Theorem blog_theorem_1 : BlogTheorem1.
Proof.
  intros plus minus s X eta d Hs HX. assert (HX2 : 0 < X ^ 2) by now apply pow_lt. split; [nra|].
  intros Heta Hlosses. split; [lra|]. apply guarantee_from_rounds; [|lra]. now apply signed_rounds with (s := s).
Qed.

(** One function for both labels. *)
Lemma mirrored_losses s f : (forall z, 0 <= f z) -> (forall z, exists g, subgradient f z g) -> self_bounded s f ->
  (forall z, 2 <= f z + f (- z)) -> (forall z, 0 <= z -> f z <= 1) -> suitable s f (fun z => f (- z)).
Proof.
  intros Hpos Hconvex Hself Htwo Hone. repeat split; auto.
  - destruct (Hconvex (- z)) as [g Hg]. exists (- g). apply mirrored_subgradient. now rewrite Ropp_involutive.
  - intros z g Hg. replace (g ^ 2) with ((- g) ^ 2) by ring. now apply Hself, mirrored_subgradient.
  - intros z Hz. apply Hone. lra.
Qed.

Definition squared_hinge_parts : pieces := [
  (fun z => z <= 1, fun z => -2 * (1 - z));
  (fun z => 1 <= z, fun _ => 0)
].

Lemma squared_hinge_left z : z <= 1 -> squared_hinge z = (1 - z) ^ 2.
Proof. intros. unfold squared_hinge. now rewrite Rmax_left by lra. Qed.

Lemma squared_hinge_right z : 1 <= z -> squared_hinge z = 0.
Proof. intros. unfold squared_hinge. rewrite Rmax_right by lra. ring. Qed.

Lemma squared_hinge_pieces : every (piece squared_hinge) squared_hinge_parts.
Proof.
  every_piece; (split; [closed_region|intros; continuous|intros z Hz b]); cbn beta in *.
  - rewrite (squared_hinge_left z) by lra. assert (0 <= (b - z) ^ 2) by apply pow2_ge_0.
    destruct (Rle_dec b 1); [rewrite squared_hinge_left by lra|rewrite squared_hinge_right by lra]; nra.
  - rewrite (squared_hinge_right z) by lra. assert (0 <= squared_hinge b) by apply pow2_ge_0. lra.
Qed.

Lemma squared_hinge_covered z : some (fun C _ => C z) squared_hinge_parts.
Proof. cbn. destruct (Rle_dec z 1); [left|right; left]; lra. Qed.

Lemma squared_hinge_self_bounded : self_bounded 2 squared_hinge.
Proof.
  intros z g Hg. assert (H : - (4 * squared_hinge z) + 1 * g ^ 2 <= 0); [|lra].
  apply (pieces_gap _ _ squared_hinge_pieces squared_hinge_covered z g); auto; [lra|].
  every_piece; intros Hpiece; [rewrite squared_hinge_left by lra|rewrite squared_hinge_right by lra]; nra.
Qed.

Theorem blog_example_2 : BlogExample2.
Proof.
  intros X d HX. assert (HX2 : 0 < X ^ 2) by now apply pow_lt. split; [lra|].
  destruct (blog_theorem_1 squared_hinge (fun z => squared_hinge (- z)) 2 X (1 / (4 * X ^ 2)) d) as [_ H];
    [lra|exact HX|].
  replace (2 * X ^ 2) with (1 / (2 * (1 / (4 * X ^ 2)))) by (field; lra).
  apply H; [split; [apply Rdiv_lt_0_compat; lra|right; field; lra]|]. apply mirrored_losses.
  - intros z. apply pow2_ge_0.
  - exact (pieces_convex _ _ squared_hinge_pieces squared_hinge_covered).
  - exact squared_hinge_self_bounded.
  - intros z. unfold squared_hinge, Rmax. repeat destruct Rle_dec; nra.
  - intros z Hz. unfold squared_hinge, Rmax. destruct Rle_dec; nra.
Qed.

Print Assumptions blog_theorem_1.
Print Assumptions blog_example_2.
