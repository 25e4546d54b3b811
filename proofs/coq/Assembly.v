(** From the surrogate gaps of a surrogate loss to the whole guarantee, where the label is told. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions AbstentionDefinitions Sums Matrices Expectations GameTheorem.
Import ListNotations.
Open Scope R_scope.

(** What is asked of single rounds, if the share of the gap map costs [price]: with full information that is what guessing
    costs. [X ^ 2] bounds ||x||^2. *)

Record sound_rounds (K d : nat) (s : surrogate) (price X eta : R) : Type := {
  sound_rate : 0 < eta;
  sound_loss : forall W x ystar y V, (y < K)%nat -> 0 <= loss s W x ystar y V;
  sound_top : forall W x, {ystar | top s W x ystar};
  sound_subgradient : forall W x ystar y V,
    (y < K)%nat -> {G | matrix_subgradient (rows s) d (loss s W x ystar y) V G};
  sound_map : forall W x ystar, top s W x ystar -> (ystar < K)%nat /\ 0 <= gap_map s W x ystar <= 1;
  sound_gap : forall W x ystar y G, top s W x ystar -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient (rows s) d (loss s W x ystar y) W G ->
    risk_at price (gap_map s W x ystar) ystar y - loss s W x ystar y W + eta / 2 * norm2 (rows s) d G <= 0
}.

Lemma abstaining_is_distribution K a ystar : (ystar < K)%nat -> 0 <= a <= 1 ->
  is_distribution (S K) (abstaining K a ystar).
Proof.
  intros Hy Ha. split.
  - intros k _. unfold abstaining. destruct (Nat.eqb k ystar), (Nat.eqb k K); lra.
  - unfold abstaining. rewrite sum_plus, !sum_pick by lia. ring.
Qed.

Lemma expected_cost K c a ystar y : (ystar < K)%nat -> (y < K)%nat ->
  sum (S K) (fun draw => abstaining K a ystar draw * cost K c y draw) = risk_at c a ystar y.
Proof.
  intros Hy' Hy. unfold risk_at. rewrite (sum_ext (S K) _ (fun draw =>
    (if Nat.eqb draw ystar then (if Nat.eqb ystar y then 0 else 1 - a) else 0)
    + (if Nat.eqb draw K then a * c else 0))).
  - rewrite sum_plus, !sum_pick by lia. reflexivity.
  - intros draw _. unfold abstaining, cost. destruct (Nat.eqb_spec draw ystar) as [->|].
    + destruct (Nat.eqb_spec ystar K); [lia|]. destruct (Nat.eqb ystar y); ring.
    + destruct (Nat.eqb_spec draw K) as [->|]; ring.
Qed.

Theorem guarantee_from_rounds K d s X eta regret :
  sound_rounds K d s (guessing (INR K)) X eta -> 1 / (2 * eta) <= regret -> guarantee (full K d s) X eta (linear regret).
Proof.
  intros [Heta Hpos Htop Hsub Hmap Hgap] Hregret. apply told_guarantee; auto.
  - exact (fun _ => I).
  - exact (fun W x _ => Htop W x).
  - intros W x ystar Ht. destruct (Hmap W x ystar Ht). now apply prediction_is_distribution.
  - intros W x ystar y c G Ht Hy Hx _ HG. assert (H := Hgap W x ystar y G Ht Hy Hx HG). destruct (Hmap W x ystar Ht).
    rewrite <- P_wrong_at in H by assumption. exact H.
Qed.

Theorem abstention_from_rounds K d s price X eta regret :
  sound_rounds K d s price X eta -> 1 / (2 * eta) <= regret -> guarantee (abstention K d s price) X eta (linear regret).
Proof.
  intros [Heta Hpos Htop Hsub Hmap Hgap] Hregret. apply told_guarantee; auto.
  - exact (fun _ => I).
  - exact (fun W x _ => Htop W x).
  - intros W x ystar Ht. destruct (Hmap W x ystar Ht). now apply abstaining_is_distribution.
  - intros W x ystar y c G Ht Hy Hx Hc HG. assert (H := Hgap W x ystar y G Ht Hy Hx HG). destruct (Hmap W x ystar Ht).
    cbn [draw_count chance charge round_loss abstention highest_price weight_rows features] in *.
    rewrite expected_cost by assumption.
    assert (risk_at c (gap_map s W x ystar) ystar y <= risk_at price (gap_map s W x ystar) ystar y); [|lra].
    apply Rplus_le_compat_l. now apply Rmult_le_compat_l.
Qed.

(** The rate [eta / X^2] with the regret [c X^2]. *)
Lemma scaled_rate eta c X :
  0 < X -> 0 < eta -> 1 / (2 * eta) <= c -> 0 < eta / X ^ 2 /\ 1 / (2 * (eta / X ^ 2)) <= c * X ^ 2.
Proof.
  intros HX Heta Hc. assert (0 < X ^ 2) by (apply pow_lt; lra). split.
  - apply Rmult_lt_0_compat; [lra|]. now apply Rinv_0_lt_compat.
  - replace (1 / (2 * (eta / X ^ 2))) with (1 / (2 * eta) * X ^ 2) by (field; lra). nra.
Qed.

(** A subgradient of a constant vanishes. *)
Lemma constant_subgradient rows d c W G : matrix_subgradient rows d (fun _ => c) W G -> norm2 rows d G = 0.
Proof.
  intros H. specialize (H (fun k i => W k i + G k i)).
  rewrite (inner_ext _ _ G G _ G) in H by (intros; ring || reflexivity). fold (norm2 rows d G) in H.
  assert (H0 := norm2_nonneg rows d G). lra.
Qed.

(** The size of the gradient and of the features in the surrogate gap. *)
Lemma gradient_cost eta X norm square weight base :
  0 < X -> 0 <= weight -> 0 < eta -> norm <= weight * square -> square <= X ^ 2 ->
  base + eta / 2 * weight <= 0 -> base + eta / X ^ 2 / 2 * norm <= 0.
Proof.
  intros HX Hweight Heta Hnorm Hsquare Hgap. assert (0 < X ^ 2) by (apply pow_lt; lra).
  assert (norm <= weight * X ^ 2) by nra.
  assert (eta / X ^ 2 / 2 * norm <= eta / X ^ 2 / 2 * (weight * X ^ 2)).
  { apply Rmult_le_compat_l; [|assumption]. left. apply Rmult_lt_0_compat; [|lra].
    apply Rmult_lt_0_compat; [lra|]. now apply Rinv_0_lt_compat. }
  replace (eta / X ^ 2 / 2 * (weight * X ^ 2)) with (eta / 2 * weight) in * by (field; lra). lra.
Qed.

Lemma two_classes K : INR K = 2 <-> K = 2%nat.
Proof. split; [intros H; apply INR_eq; simpl; lra|intros ->; simpl; lra]. Qed.
