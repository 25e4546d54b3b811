(** Softmax losses in pieces: as for functions of the margin, with the logit as the variable. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Convexity Derivatives Pieces OrderedPieces Softmax.
From Gaptron Require Import SoftmaxSubgradients LogitSubgradients.
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

Lemma continuous_in_logit (C : R -> Prop) slope : (forall p, 0 < p < 1 -> C p -> continuity_pt slope p) ->
  forall u, C (sigmoid u) -> continuity_pt (in_logit slope) u.
Proof.
  intros Hslope u Hu. apply (continuity_pt_mult (fun u => slope (sigmoid u)) (fun u => sigmoid u * (1 - sigmoid u))).
  - apply (continuity_pt_comp sigmoid slope); [exact (continuous_from_derivative _ _ _ (sigmoid_derivative u))|].
    apply Hslope; [apply sigmoid_range|exact Hu].
  - eapply continuous_from_derivative. eapply derive_mult; [apply sigmoid_derivative|].
    apply (derive_minus (fun _ => 1) sigmoid); [apply derivable_pt_lim_const|apply sigmoid_derivative].
Qed.

Lemma closed_in_logit C : closed C -> closed (fun u => C (sigmoid u)).
Proof.
  intros Hclosed u Hu. destruct (Hclosed _ Hu) as (eps & Heps & Hout).
  destruct (continuous_near sigmoid u eps) as (delta & Hdelta & Hnear); [|exact Heps|].
  - exact (continuous_from_derivative _ _ _ (sigmoid_derivative u)).
  - exists delta. split; [exact Hdelta|]. intros b Hb. apply Hout. now apply Hnear.
Qed.

Lemma piece_in_logit psi C slope :
  logit_piece psi C slope -> piece (fun u => psi (sigmoid u)) (fun u => C (sigmoid u)) (in_logit slope).
Proof.
  intros [Hclosed Hslope Htangent]. split; [now apply closed_in_logit|now apply continuous_in_logit|].
  intros u Hu. assert (Hp := sigmoid_range u). specialize (Htangent _ Hp Hu).
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

(** * Pieces in order: each convex in the logit by itself, with slopes that do not drop where two meet *)

Record logit_arc (psi : R -> R) (C : R -> Prop) (slope : R -> R) : Prop := {
  logit_arc_closed : closed C;
  logit_arc_continuous : forall p, 0 < p < 1 -> C p -> continuity_pt slope p;
  logit_arc_supports : forall p, 0 < p < 1 -> C p -> logit_supports (fun b => 0 < b < 1 /\ C b) psi p (slope p)
}.

(** An arc from a formula whose curvature in the logit is not negative. *)
Lemma logit_arc_from_curvature psi C f f' f'' : closed C -> is_interval C ->
  (forall p, 0 < p < 1 -> C p -> psi p = f p) ->
  (forall p, 0 < p < 1 -> C p -> derivable_pt_lim f p (f' p)) ->
  (forall p, 0 < p < 1 -> C p -> derivable_pt_lim f' p (f'' p)) ->
  (forall p, 0 < p < 1 -> C p -> 0 <= p * (1 - p) * f'' p + (1 - 2 * p) * f' p) -> logit_arc psi C f'.
Proof.
  intros Hclosed HC Heq Hf Hf' Hpos. split; [exact Hclosed| |].
  - intros p Hp HCp. apply derivable_continuous_pt. exists (f'' p). now apply Hf'.
  - intros p Hp HCp b [Hb HCb]. rewrite !Heq by assumption.
    apply (logit_supports_from_curvature (fun b => 0 < b < 1 /\ C b) f f' f''); try tauto; try (intros c []; auto).
    intros b' c m [] [] Hm. split; [lra|]. now apply (HC b' c).
Qed.

Fixpoint logit_ordered (parts : pieces) : Prop :=
  match parts with
  | [] => True
  | (C, slope) :: parts =>
      every (fun D steeper => forall p, 0 < p < 1 -> C p ->
        (forall b, 0 < b < 1 -> D b -> p <= b) /\ (D p -> slope p <= steeper p)) parts
      /\ logit_ordered parts
  end.

Lemma arc_in_logit psi C slope :
  logit_arc psi C slope -> arc (fun u => psi (sigmoid u)) (fun u => C (sigmoid u)) (in_logit slope).
Proof.
  intros [Hclosed Hslope Hsupports]. split; [now apply closed_in_logit|now apply continuous_in_logit|].
  intros u Hu b Hb. assert (H := Hsupports _ (sigmoid_range u) Hu _ (conj (sigmoid_range b) Hb)).
  now rewrite !logit_sigmoid in H.
Qed.

Lemma sigmoid_order u v : sigmoid u <= sigmoid v -> u <= v.
Proof. intros H. apply Rnot_lt_le. intros Hlt. apply sigmoid_increasing in Hlt. lra. Qed.

Lemma every_part_in_logit (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  (forall C slope, P C slope -> Q (fun u => C (sigmoid u)) (in_logit slope)) ->
  every P parts -> every Q (parts_in_logit parts).
Proof. intros H. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HP Hall]. auto. Qed.

Lemma ordered_in_logit parts : logit_ordered parts -> ordered (parts_in_logit parts).
Proof.
  induction parts as [|[C slope] parts IH]; cbn [logit_ordered parts_in_logit ordered]; [easy|].
  intros [Hafter Hordered]. split; [|now apply IH]. revert Hafter. apply every_part_in_logit.
  intros D steeper H u Hu. assert (Hp := sigmoid_range u). destruct (H _ Hp Hu) as [Hleft Hslope]. split.
  - intros b Hb. apply sigmoid_order. now apply Hleft; [apply sigmoid_range|].
  - intros HD. specialize (Hslope HD). unfold in_logit. apply Rmult_le_compat_r; [nra|exact Hslope].
Qed.

Theorem ordered_logit_pieces psi parts : every (logit_arc psi) parts -> logit_ordered parts ->
  (forall p, 0 < p < 1 -> some (fun C _ => C p) parts) -> every (logit_piece psi) parts.
Proof.
  intros Harcs Hordered Hcovered.
  assert (Hpieces : every (piece (fun u => psi (sigmoid u))) (parts_in_logit parts)).
  { apply ordered_pieces; [|now apply ordered_in_logit|intros u; now apply covered_in_logit].
    revert Harcs. apply every_part_in_logit. apply arc_in_logit. }
  clear Hordered Hcovered. induction parts as [|[C slope] parts IH]; cbn in *; [exact I|].
  destruct Harcs as [[Hclosed Hslope _] Harcs], Hpieces as [[_ _ Htangent] Hpieces]. split; [|now apply IH].
  split; auto. intros p Hp HC. apply in_the_logit; [exact Hp|].
  specialize (Htangent (logit p)). unfold in_logit in Htangent. rewrite sigmoid_logit in Htangent by exact Hp. auto.
Qed.
