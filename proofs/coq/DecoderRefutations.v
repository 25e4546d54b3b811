(** From what the labels need at some scores to a round at which no prediction suits: d = 1, x = 1. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Linear Margins MarginSubgradients BinaryTheorem.
From Gaptron Require Import SoftmaxSubgradients ScoreLosses DecoderDefinitions Refutations SoftmaxRefutations.
From Gaptron Require Import DecoderRefutationDefinitions.
Open Scope R_scope.

(** What is broken is a part of the guarantee. *)
Theorem broken_decoder_round_no_guarantee K rows d l X eta regret :
  broken_decoder_round K rows d l X eta -> ~ decoder_guarantee K rows d l X eta regret.
Proof. intros (W & x & Hx & Hno) (_ & Hsome & _). destruct (Hsome W x Hx) as [p Hp]. exact (Hno p Hp). Qed.

Section Needs.
  Variables (K rows d : nat) (l : vector -> nat -> matrix -> R) (eta : R) (W : matrix) (x : vector).

  (** A prediction that suits gives the label [y] at least the probability [v], for some subgradient. *)
  Definition label_needs (y : nat) (v : R) : Prop :=
    exists G, matrix_subgradient rows d (l x y) W G /\ v <= 1 - l x y W + eta / 2 * norm2 rows d G.

  (** Together more than 1, of labels that are told apart by [v]. *)
  Lemma no_prediction_suits (v : nat -> R) p :
    (forall y, (y < K)%nat -> v y = 0 \/ label_needs y (v y)) -> 1 < sum K v -> ~ suits K rows d l eta W x p.
  Proof using.
    intros Hneeds Hmore ((Hpos & Hone) & Hsuits). assert (sum K v <= sum K p); [|lra].
    apply sum_le. intros y Hy. destruct (Hneeds y Hy) as [->|(G & HG & Hv)]; [now apply Hpos|].
    specialize (Hsuits y G Hy HG). lra.
  Qed.
End Needs.

Lemma broken_by_needs K rows l eta W v :
  (forall y, (y < K)%nat -> v y = 0 \/ label_needs rows 1 l eta W unit y (v y)) -> 1 < sum K v ->
  broken_decoder_round K rows 1 l 1 eta.
Proof.
  intros Hneeds Hmore. exists W, unit. split; [exact unit_size|]. intros p.
  now apply no_prediction_suits with (v := v).
Qed.

(** [m] is the margin of [y], [g] a subgradient of phi there. *)
Lemma margin_label_needs K phi theta (HK : (2 <= K)%nat) eta y rival m g v :
  (y < K)%nat -> (rival < K)%nat -> rival <> y ->
  (forall k, (k < K)%nat -> k <> y -> theta k <= theta rival) -> theta y - theta rival = m ->
  subgradient phi m g -> K = 2%nat \/ g <= 0 -> v <= 1 - phi m + eta * g ^ 2 ->
  label_needs K 1 (of_scores 1 (of_margin K phi)) (eta / 1 ^ 2) (column theta) unit y v.
Proof.
  intros Hy Hr Hry Hle Hm Hg Hsign Hv.
  assert (Hmargin := margin_at K theta y rival m HK Hy Hr Hry Hle Hm).
  exists (outer (margin_direction y rival g) unit). split.
  - apply (outer_subgradient K 1 (fun theta => phi (margin K theta y))). rewrite scores_of_column.
    apply margin_direction_subgradient; auto; [lra|]. now rewrite Hmargin.
  - unfold of_scores, of_margin. rewrite scores_of_column, Hmargin, norm2_of_outer, margin_direction_size by assumption.
    replace (eta / 1 ^ 2 / 2 * (2 * g ^ 2)) with (eta * g ^ 2) by field. exact Hv.
Qed.

(** The scores are logarithms of [w]; [q] is the probability of [y], [r] takes the place of psi'(q). *)
Lemma softmax_label_needs K psi w (HK : (2 <= K)%nat) (positive : forall k, 0 < w k) eta y q squares r v :
  (y < K)%nat -> w y / sum K w = q -> sum K (without y (fun k => (w k / sum K w) ^ 2)) = squares ->
  logit_subgradient psi q r -> K = 2%nat \/ r <= 0 ->
  v <= 1 - psi q + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + squares)) ->
  label_needs K 1 (of_scores 1 (of_softmax K psi)) (eta / 1 ^ 2) (column (logs w)) unit y v.
Proof.
  intros Hy Hq Hs Hr Hsign Hv.
  destruct (softmax_gradient K psi w HK positive y q squares r Hy Hq Hs Hr Hsign) as (G & HG & Hsize).
  exists G. split; [exact HG|]. unfold of_scores, of_softmax.
  rewrite scores_of_column, (softmax_of_logs K w positive), Hq, Hsize.
  replace (eta / 1 ^ 2 / 2) with (eta / 2) by field. exact Hv.
Qed.

Lemma sign_label_needs plus minus eta z y g v :
  subgradient (if Nat.eqb y 0 then plus else minus) z g ->
  v <= 1 - (if Nat.eqb y 0 then plus else minus) z + eta / 2 * g ^ 2 ->
  label_needs 1 1 (of_scores 1 (of_sign plus minus)) (eta / 1 ^ 2) (column (fun _ => z)) unit y v.
Proof.
  intros Hg Hv. exists (fun _ i => g * unit i). split.
  - apply (vector_subgradient 1 (if Nat.eqb y 0 then plus else minus) unit). now rewrite binary_score.
  - unfold of_scores, of_sign, scores. rewrite binary_score. unfold norm2. rewrite one_row.
    unfold dot. cbn [sum]. unfold unit. replace (eta / 1 ^ 2 / 2 * (0 + g * 1 * (g * 1))) with (eta / 2 * g ^ 2) by field.
    exact Hv.
Qed.
