(** From single rounds to the whole guarantee: Lemma 1, and a learner against every adversary. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent.
Import ListNotations.
Open Scope R_scope.

(** * Convexity from subgradients: a function that has one everywhere is convex *)

Lemma convex_from_subgradients rows d f :
  (forall W, exists G, matrix_subgradient rows d f W G) -> convex f.
Proof.
  intros H A B t Ht. set (C := fun k i => t * A k i + (1 - t) * B k i).
  destruct (H C) as [G HG]. pose proof (HG A) as HA. pose proof (HG B) as HB.
  rewrite (inner_ext _ _ G G _ (fun k i => (1 - t) * (A k i - B k i))) in HA by (intros; unfold C; ring || reflexivity).
  rewrite (inner_ext _ _ G G _ (fun k i => (- t) * (A k i - B k i))) in HB by (intros; unfold C; ring || reflexivity).
  rewrite inner_scale in HA, HB. set (I := inner _ _ _ _) in *. nra.
Qed.

(** * A learner that plays, from any way to choose top labels and subgradients *)

Section Existence.
  Variables (K d : nat) (s : surrogate) (eta : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat).
  Variable choose_top : forall W x, {ystar | top s W x ystar}.
  Variable choose_subgradient : forall W x ystar y,
    (y < K)%nat -> {G | matrix_subgradient (rows s) d (loss s W x ystar y) W G}.

  Definition chosen_top (W : matrix) (x : vector) : nat := proj1_sig (choose_top W x).

  Definition update (W : matrix) (x : vector) (y : nat) : matrix :=
    match lt_dec y K with
    | left Hy => fun k i => W k i - eta * proj1_sig (choose_subgradient W x (chosen_top W x) y Hy) k i
    | right _ => W
    end.

  Fixpoint weights (h : history) : matrix :=
    match h with
    | [] => fun _ _ => 0
    | _ :: h => update (weights h) (x h) (y h)
    end.

  Lemma learner_exists : (forall h, takes_place K T h -> (y h < K)%nat) ->
    exists W ystar, plays K d s eta T x y W ystar.
  Proof using choose_top choose_subgradient.
    intros Hy. exists weights, (fun h => chosen_top (weights h) (x h)). split; [reflexivity|]. intros h Hh.
    split; [unfold chosen_top; exact (proj2_sig (choose_top _ _))|].
    cbn [weights]. unfold update. destruct (lt_dec (y h) K) as [Hlt|Hlt]; [|now specialize (Hy h Hh)].
    eexists. split; [exact (proj2_sig (choose_subgradient _ _ _ _ Hlt))|]. reflexivity.
  Qed.
End Existence.

(** * The guarantee

    What is asked of single rounds only; [X ^ 2] bounds ||x||^2. *)

Record sound_rounds (K d : nat) (s : surrogate) (X eta : R) : Type := {
  sound_rate : 0 < eta;
  sound_loss : forall W x ystar y V, (y < K)%nat -> 0 <= loss s W x ystar y V;
  sound_top : forall W x, {ystar | top s W x ystar};
  sound_subgradient : forall W x ystar y V,
    (y < K)%nat -> {G | matrix_subgradient (rows s) d (loss s W x ystar y) V G};
  sound_map : forall W x ystar, top s W x ystar -> (ystar < K)%nat /\ 0 <= gap_map s W x ystar <= 1;
  sound_gap : forall W x ystar y G, top s W x ystar -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient (rows s) d (loss s W x ystar y) W G ->
    P_wrong K (gap_map s W x ystar) ystar y - loss s W x ystar y W + eta / 2 * norm2 (rows s) d G <= 0
}.

Theorem guarantee_from_rounds K d s X eta regret :
  sound_rounds K d s X eta -> 1 / (2 * eta) <= regret -> guarantee K d s X eta regret.
Proof.
  intros [Heta Hpos Htop Hsub Hmap Hgap] Hregret. split.
  { intros W x ystar y Hy. split; [|intros V; now apply Hpos].
    apply convex_from_subgradients with (rows := rows s) (d := d). intros V.
    destruct (Hsub W x ystar y V Hy) as [G HG]. now exists G. }
  intros T x y Hadm. split.
  { apply learner_exists; auto. intros h Hh. now apply Hadm. }
  intros W ystar Hplay p losses.
  assert (Hdist : forall h, takes_place K T h -> is_distribution K (p h)).
  { intros h Hh. destruct Hplay as [_ Hplay]. destruct (Hplay h Hh) as [Ht _].
    destruct (Hmap _ _ _ Ht). now apply prediction_is_distribution. }
  split; [exact Hdist|]. intros U.
  rewrite (expectation_ext K p _ _ (mistakes_weighted y)), <- (Rmult_1_l (expectation K p T (total (losses U)) [])).
  apply (full_descent K T 1 p _ Hdist (rows s) d eta regret (fun h => loss s (W h) (x h) (ystar h) (y h)) W U);
    [assumption|lra|assumption|apply Hplay|].
  intros h Hh. destruct (Hadm h Hh) as [Hy Hx]. destruct (proj2 Hplay h Hh) as (Ht & G & HG & Hstep).
  exists G. split; [exact HG|]. split; [intros draw k i; apply Hstep|]. specialize (Hgap _ _ _ _ G Ht Hy Hx HG).
  unfold P_wrong in Hgap. unfold p. lra.
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
