(** From single rounds to the whole guarantee: Lemma 1, and a learner against every adversary. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions BanditDefinitions Sums Matrices Expectations Descent.
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

(** * A learner that plays, from any way to choose top labels and subgradients, with [N] outcomes of a draw *)

Section Existence.
  Variables (K N d : nat) (s : surrogate) (eta : R) (T : nat).
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

  Lemma learner_exists : (forall h, takes_place N T h -> (y h < K)%nat) ->
    exists W ystar, plays N d s eta T x y W ystar.
  Proof using choose_top choose_subgradient.
    intros Hy. exists weights, (fun h => chosen_top (weights h) (x h)). split; [reflexivity|]. intros h Hh.
    split; [unfold chosen_top; exact (proj2_sig (choose_top _ _))|].
    cbn [weights]. unfold update. destruct (lt_dec (y h) K) as [Hlt|Hlt]; [|now specialize (Hy h Hh)].
    eexists. split; [exact (proj2_sig (choose_subgradient _ _ _ _ Hlt))|]. reflexivity.
  Qed.
End Existence.

(** * The guarantee

    What is asked of single rounds only, if the share of the gap map costs [price]: with full information that is what
    guessing costs. [X ^ 2] bounds ||x||^2. *)

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

Section FromRounds.
  Variables (K N d : nat) (s : surrogate) (price X eta regret : R).
  Hypothesis rounds : sound_rounds K d s price X eta.
  Hypothesis follows : 1 / (2 * eta) <= regret.

  Lemma legal_loss W x ystar y : (y < K)%nat -> convex (loss s W x ystar y) /\ forall V, 0 <= loss s W x ystar y V.
  Proof using rounds.
    intros Hy. split; [|intros V; now apply (sound_loss _ _ _ _ _ _ rounds)].
    apply convex_from_subgradients with (rows := rows s) (d := d). intros V.
    destruct (sound_subgradient _ _ _ _ _ _ rounds W x ystar y V Hy) as [G HG]. now exists G.
  Qed.

  Lemma learner_plays T x y : (forall h, takes_place N T h -> (y h < K)%nat) ->
    exists W ystar, plays N d s eta T x y W ystar.
  Proof using rounds.
    apply learner_exists; [exact (sound_top _ _ _ _ _ _ rounds)|].
    intros W x0 ystar y0 Hy. exact (sound_subgradient _ _ _ _ _ _ rounds W x0 ystar y0 W Hy).
  Qed.

  (** Draws cost what single rounds ask for, or less. *)
  Lemma play_is_paid T x y W ystar p (charge : history -> nat -> R) U : plays N d s eta T x y W ystar ->
    (forall h, takes_place N T h -> is_distribution N (p h)) ->
    (forall h, takes_place N T h -> (y h < K)%nat /\ dot d (x h) (x h) <= X ^ 2 /\
      sum N (fun draw => p h draw * charge h draw) <= risk_at price (gap_map s (W h) (x h) (ystar h)) (ystar h) (y h)) ->
    expectation N p T (weighted_total charge) [] <=
    expectation N p T (total (fun h => loss s (W h) (x h) (ystar h) (y h) U)) [] + regret * norm2 (rows s) d U.
  Proof using rounds follows.
    intros [Hzero Hplay] Hdist Hround. rewrite <- (Rmult_1_l (expectation N p T (total _) [])).
    assert (Heta := sound_rate _ _ _ _ _ _ rounds).
    apply (full_descent N T 1 p _ Hdist (rows s) d eta regret (fun h => loss s (W h) (x h) (ystar h) (y h)) W U);
      [assumption|lra|assumption|apply Hzero|].
    intros h Hh. destruct (Hround h Hh) as (Hy & Hx & Hcharge). destruct (Hplay h Hh) as (Ht & G & HG & Hstep).
    exists G. split; [exact HG|]. split; [intros draw k i; apply Hstep|].
    assert (Hgap := sound_gap _ _ _ _ _ _ rounds _ _ _ _ G Ht Hy Hx HG). lra.
  Qed.
End FromRounds.

Theorem guarantee_from_rounds K d s X eta regret :
  sound_rounds K d s (guessing (INR K)) X eta -> 1 / (2 * eta) <= regret -> guarantee K d s X eta regret.
Proof.
  intros Hrounds Hregret. split; [exact (legal_loss _ _ _ _ _ _ Hrounds)|]. intros T x y Hadm. split.
  { apply (learner_plays _ _ _ _ _ _ _ Hrounds). intros h Hh. now apply Hadm. }
  intros W ystar Hplay p losses.
  assert (Hmap : forall h, takes_place K T h -> (ystar h < K)%nat /\ 0 <= gap_map s (W h) (x h) (ystar h) <= 1).
  { intros h Hh. exact (sound_map _ _ _ _ _ _ Hrounds _ _ _ (proj1 (proj2 Hplay h Hh))). }
  assert (Hdist : forall h, takes_place K T h -> is_distribution K (p h)).
  { intros h Hh. destruct (Hmap h Hh). now apply prediction_is_distribution. }
  split; [exact Hdist|]. intros U. rewrite (expectation_ext K p _ _ (mistakes_weighted y)).
  apply (play_is_paid _ _ _ _ _ _ _ _ Hrounds Hregret _ _ _ _ _ _ _ _ Hplay Hdist).
  intros h Hh. destruct (Hadm h Hh) as [Hy Hx]. split; [exact Hy|]. split; [exact Hx|].
  right. apply P_wrong_at; [apply (Hmap h Hh)|exact Hy].
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
