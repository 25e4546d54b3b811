(** From what the labels need at some scores to a round at which no prediction suits: d = 1, x = 1. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Linear Margins MarginSubgradients BinaryTheorem.
From Gaptron Require Import SoftmaxSubgradients ScoreLosses DecoderDefinitions.
From Gaptron Require Import RefutationDefinitions Refutations SoftmaxRefutations DecoderRefutationDefinitions.
Open Scope R_scope.

(** What is broken is a part of the guarantee. *)
Theorem broken_decoder_round_no_guarantee K rows d l X eta regret :
  broken_decoder_round K rows d l X eta -> ~ guarantee (decoding K rows d l) X eta (linear regret).
Proof.
  intros (W & x & Hx & Hno) H. destruct (H 0%nat) as (_ & Hsome & _). destruct (Hsome W x I Hx) as [p Hp]. exact (Hno p Hp).
Qed.

Theorem broken_switched_round_no_guarantee K rows d l beta X eta regret :
  broken_switched_decoder_round K rows d l beta X eta -> ~ guarantee (decoding_switched K rows d l beta) X eta (linear regret).
Proof.
  intros (W & x & ystar & [Hx Htop] & Hno) H. destruct (H 0%nat) as (_ & Hsome & _).
  destruct (Hsome W x I Hx) as [[top p] [_ Hp]]. exact (Hno (p ystar) (Hp ystar Htop)).
Qed.

Theorem broken_score_loss_no_guarantee K rows d l X eta regret :
  broken_score_loss K l -> ~ guarantee (decoding K rows d l) X eta (linear regret).
Proof.
  intros (x & y & Hy & Hno) H. destruct (H 0%nat) as [Hlegal _]. exact (Hno (Hlegal (fun _ _ => 0) x (fun _ => 0) y Hy)).
Qed.

(** A round whose top label is wrong is not off. *)
Theorem broken_score_loss_no_switched_guarantee K rows d l beta X eta regret :
  broken_score_loss K l -> ~ guarantee (decoding_switched K rows d l beta) X eta (linear regret).
Proof.
  intros (x & y & Hy & Hno) H. destruct (H 0%nat) as [Hloss _].
  specialize (Hloss (fun _ _ => 0) x (S y, fun _ _ => 0) y Hy). cbn [round_loss decoding_switched] in Hloss.
  assert (Hon : off beta (margin K (scores d (fun _ _ => 0) x) (S y)) (S y) y = false).
  { unfold off. destruct beta as [b|]; [|reflexivity]. rewrite (proj2 (Nat.eqb_neq (S y) y)) by lia. now destruct Rlt_dec. }
  unfold switched in Hloss. rewrite Hon in Hloss. exact (Hno Hloss).
Qed.

(** What breaks a loss with a gap map. *)
Lemma margin_loss_of_scores K d phi a : broken_loss K (margin_loss K d phi a None) ->
  broken_score_loss K (of_scores d (of_margin K phi)).
Proof. intros (W & x & ystar & y & Hy & Hno). exists x, y. now split. Qed.

Lemma softmax_loss_of_scores K d psi a : broken_loss K (softmax_loss K d psi a) ->
  broken_score_loss K (of_scores d (of_softmax K psi)).
Proof. intros (W & x & ystar & y & Hy & Hno). exists x, y. now split. Qed.

Lemma binary_loss_of_scores d plus minus a : broken_loss 2 (binary_loss d plus minus a) ->
  broken_score_loss 2 (of_scores d (of_sign plus minus)).
Proof. intros (W & x & ystar & y & Hy & Hno). exists x, y. now split. Qed.

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

Lemma broken_switched_by_needs K rows l beta eta theta ystar v : is_top K theta ystar ->
  (forall y, (y < K)%nat ->
    v y = 0 \/ label_needs rows 1 (switched K 1 l beta (column theta) ystar) eta (column theta) unit y (v y)) ->
  1 < sum K v -> broken_switched_decoder_round K rows 1 l beta 1 eta.
Proof.
  intros Htop Hneeds Hmore. exists (column theta), unit, ystar.
  split; [split; [exact unit_size|now rewrite scores_of_column]|]. intros p. now apply no_prediction_suits with (v := v).
Qed.

(** A round that is on, and one that is off, whose label needs 1. *)
Lemma label_on K rows l beta eta theta ystar s y v : margin K theta ystar = s -> off beta s ystar y = false ->
  label_needs rows 1 l eta (column theta) unit y v ->
  label_needs rows 1 (switched K 1 l beta (column theta) ystar) eta (column theta) unit y v.
Proof.
  intros Hs Hon (G & HG & Hv). exists G. unfold switched. rewrite scores_of_column, Hs, Hon. now split.
Qed.

Lemma label_off K rows l beta eta theta ystar s y v : margin K theta ystar = s -> off beta s ystar y = true -> v <= 1 ->
  label_needs rows 1 (switched K 1 l beta (column theta) ystar) eta (column theta) unit y v.
Proof.
  intros Hs Hoff Hv. exists (fun _ _ => 0). unfold switched. rewrite scores_of_column, Hs, Hoff.
  assert (Hzero : forall B, inner rows 1 (fun _ _ => 0) B = 0).
  { intros B. unfold inner. apply sum_zero. intros. apply sum_zero. intros. ring. }
  split; [intros V; rewrite Hzero; lra|]. unfold norm2. rewrite Hzero. lra.
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
