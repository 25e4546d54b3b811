(** Softmax losses in pieces: as for functions of the margin, with the logit as the variable. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Derivatives Pieces Softmax SoftmaxSubgradients LogitSubgradients.
Import ListNotations.
Open Scope R_scope.

(** Regions and slopes (in the place of psi') count for probabilities only: between 0 and 1. *)
Record logit_piece (psi : R -> R) (C : R -> Prop) (slope : R -> R) : Prop := {
  logit_piece_closed : closed C;
  logit_piece_continuous : forall p, 0 < p < 1 -> C p -> continuity_pt slope p;
  logit_piece_tangent : forall p, 0 < p < 1 -> C p -> logit_subgradient psi p (slope p)
}.

Definition in_logit (slope : R -> R) : R -> R := fun u => slope (sigmoid u) * (sigmoid u * (1 - sigmoid u)).

Fixpoint parts_in_logit (parts : pieces) : pieces :=
  match parts with
  | [] => []
  | (C, slope) :: parts => (fun u => C (sigmoid u), in_logit slope) :: parts_in_logit parts
  end.

Lemma piece_in_logit psi C slope :
  logit_piece psi C slope -> piece (fun u => psi (sigmoid u)) (fun u => C (sigmoid u)) (in_logit slope).
Proof.
  assert (Hcont : continuity sigmoid) by (intros u; exact (continuous_from_derivative _ _ _ (sigmoid_derivative u))).
  intros [Hclosed Hslope Htangent]. split.
  - intros u Hu. destruct (Hclosed _ Hu) as (eps & Heps & Hout).
    destruct (continuous_near sigmoid u eps (Hcont u) Heps) as (delta & Hdelta & Hnear).
    exists delta. split; [exact Hdelta|]. intros b Hb. apply Hout. now apply Hnear.
  - intros u Hu. apply (continuity_pt_mult (fun u => slope (sigmoid u)) (fun u => sigmoid u * (1 - sigmoid u))).
    + apply (continuity_pt_comp sigmoid slope); [apply Hcont|]. apply Hslope; [apply sigmoid_range|exact Hu].
    + eapply continuous_from_derivative. eapply derive_mult; [apply sigmoid_derivative|].
      apply (derive_minus (fun _ => 1) sigmoid); [apply derivable_pt_lim_const|apply sigmoid_derivative].
  - intros u Hu. assert (Hp := sigmoid_range u). specialize (Htangent _ Hp Hu).
    apply in_the_logit in Htangent; [|exact Hp]. now rewrite logit_sigmoid in Htangent.
Qed.

Section LogitPieces.
  Variables (psi : R -> R) (parts : pieces).
  Hypothesis all_pieces : every (logit_piece psi) parts.
  Hypothesis covered : forall p, 0 < p < 1 -> some (fun C _ => C p) parts.

  Lemma all_in_logit : every (piece (fun u => psi (sigmoid u))) (parts_in_logit parts).
  Proof using all_pieces.
    clear covered. induction parts as [|[C slope] rest IH]; cbn; [exact I|].
    destruct all_pieces as [Hpiece Hrest]. split; [now apply piece_in_logit|now apply IH].
  Qed.

  Lemma covered_in_logit u : some (fun C _ => C u) (parts_in_logit parts).
  Proof using covered.
    specialize (covered (sigmoid u) (sigmoid_range u)). clear all_pieces.
    induction parts as [|[C slope] rest IH]; cbn in *; [easy|]. destruct covered; auto.
  Qed.

  Lemma every_in_logit p (good : R -> Prop) : 0 < p < 1 ->
    every (fun C slope => C p -> good (slope p * (p * (1 - p)))) parts ->
    every (fun C slope => C (logit p) -> good (slope (logit p))) (parts_in_logit parts).
  Proof using.
    intros Hp. clear all_pieces covered. induction parts as [|[C slope] rest IH]; cbn; [easy|].
    intros [Hhere Hrest]. split; [|now apply IH]. unfold in_logit. now rewrite sigmoid_logit.
  Qed.

  Theorem logit_pieces_convex p : 0 < p < 1 -> exists r, logit_subgradient psi p r.
  Proof using all_pieces covered.
    intros Hp. destruct (every_and_some _ _ _ all_pieces (covered p Hp)) as (C & slope & Hpiece & HC).
    exists (slope p). now apply Hpiece.
  Qed.

  Theorem logit_pieces_nonincreasing p r : 0 < p < 1 ->
    every (fun C slope => C p -> slope p <= 0) parts -> logit_subgradient psi p r -> r <= 0.
  Proof using all_pieces covered.
    intros Hp H Hr. apply in_the_logit in Hr; [|exact Hp].
    apply Rmult_le_reg_r with (p * (1 - p)); [nra|]. rewrite Rmult_0_l.
    apply (pieces_nonincreasing _ _ all_in_logit covered_in_logit (logit p)); [|exact Hr].
    apply (every_in_logit p (fun g => g <= 0) Hp). revert H. clear all_pieces covered.
    induction parts as [|[C slope] rest IH]; cbn [every]; [easy|]. intros [Hhere Hrest]. split; [|now apply IH].
    intros HC. specialize (Hhere HC). assert (0 < p * (1 - p)) by nra. nra.
  Qed.

  Theorem logit_pieces_gap p r base eta squares : 0 < p < 1 -> 0 <= eta -> 0 <= squares ->
    every (fun C slope => C p -> base + eta * ((slope p * p) ^ 2 * squares) <= 0) parts -> logit_subgradient psi p r ->
    base + eta * ((r * p) ^ 2 * squares) <= 0.
  Proof using all_pieces covered.
    intros Hp Heta Hsquares H Hr. apply in_the_logit in Hr; [|exact Hp].
    set (weight := eta * squares / (1 - p) ^ 2).
    assert (Hweight : 0 <= weight).
    { apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat, pow_lt. lra. }
    assert (Hsame : forall s, eta * ((s * p) ^ 2 * squares) = weight * (s * (p * (1 - p))) ^ 2)
      by (intros; unfold weight; field; lra).
    rewrite Hsame. apply (pieces_gap _ _ all_in_logit covered_in_logit (logit p)); [exact Hweight| |exact Hr].
    apply (every_in_logit p (fun g => base + weight * g ^ 2 <= 0) Hp). revert H. clear all_pieces covered.
    induction parts as [|[C slope] rest IH]; cbn [every]; [easy|]. intros [Hhere Hrest]. split; [|now apply IH].
    intros HC. rewrite <- Hsame. now apply Hhere.
  Qed.
End LogitPieces.
