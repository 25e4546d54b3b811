(** From single rounds to the whole guarantee with bandit feedback. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly BanditDefinitions Projection BanditDescent.
Import ListNotations.
Open Scope R_scope.

(** What is asked of single rounds with weights in the ball: the gap is at most [cost]. *)
Record bandit_rounds (K d : nat) (s : surrogate) (X D gamma eta cost : R) : Type := {
  bandit_rate : 0 < eta;
  bandit_loss : forall W x ystar y V, (y < K)%nat -> 0 <= loss s W x ystar y V;
  bandit_top : forall W x, {ystar | top s W x ystar};
  bandit_subgradient : forall W x ystar y V,
    (y < K)%nat -> {G | matrix_subgradient (rows s) d (loss s W x ystar y) V G};
  bandit_map : forall W x ystar, top s W x ystar -> (ystar < K)%nat /\ 0 <= gap_map s W x ystar <= 1;
  bandit_gap : forall W x ystar y G,
    in_ball (rows s) d D W -> top s W x ystar -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient (rows s) d (loss s W x ystar y) W G ->
    P_wrong K (Rmax (gap_map s W x ystar) gamma) ystar y - loss s W x ystar y W
    + eta / 2 * (norm2 (rows s) d G / exploring K gamma (gap_map s W x ystar) ystar y) <= cost
}.

Section Assembly.
  Variables (K d : nat) (s : surrogate) (X D gamma eta cost : R) (T : nat).
  Hypothesis D_positive : 0 < D.
  Hypothesis explores : 0 < gamma <= 1.
  Variable rounds : bandit_rounds K d s X D gamma eta cost.

  Lemma drawable W x ystar k : top s W x ystar -> 0 < exploring K gamma (gap_map s W x ystar) ystar k.
  Proof using explores rounds.
    intros Htop. destruct (bandit_map _ _ _ _ _ _ _ _ rounds W x ystar Htop) as [Hy Ha].
    refine (Rlt_le_trans _ _ _ _ (exploring_positive K gamma _ ystar k ltac:(lia) Hy Ha explores)).
    apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat, lt_0_INR. lia.
  Qed.

  (** * A learner that is told no more than whether its draws were right *)

  Definition chosen (W : matrix) (x : vector) : nat := proj1_sig (bandit_top _ _ _ _ _ _ _ _ rounds W x).

  (** A subgradient at the draw, if that is a label. *)
  Definition direction (W : matrix) (x : vector) (draw : nat) : matrix :=
    match lt_dec draw K with
    | left Hdraw => proj1_sig (bandit_subgradient _ _ _ _ _ _ _ _ rounds W x (chosen W x) draw W Hdraw)
    | right _ => W
    end.

  Definition after (W : matrix) (x : vector) (draw : nat) (correct : bool) : matrix :=
    let weight := if correct then 1 / exploring K gamma (gap_map s W x (chosen W x)) (chosen W x) draw else 0 in
    project (rows s) d D (fun k i => W k i - eta * (weight * direction W x draw k i)).

  Fixpoint bandit_weights (f : list feedback) : matrix :=
    match f with
    | [] => fun _ _ => 0
    | (x, draw, correct) :: f => after (bandit_weights f) x draw correct
    end.

  Lemma bandit_learner_exists x y :
    bandit_plays K d s D gamma eta T x y (fun h => bandit_weights (told x y h))
      (fun h => chosen (bandit_weights (told x y h)) (x h)).
  Proof using D_positive explores.
    split; [reflexivity|]. intros h Hh. set (W := bandit_weights (told x y h)). set (ystar := chosen W (x h)).
    assert (Htop : top s W (x h) ystar) by (unfold ystar, chosen; exact (proj2_sig (bandit_top _ _ _ _ _ _ _ _ _ _ _))).
    split; [exact Htop|]. intros p draw Hdraw.
    exists (fun k i => importance p (y h) draw * direction W (x h) draw k i). split.
    - unfold importance. destruct (Nat.eqb_spec draw (y h)) as [<-|_].
      + apply scaled_subgradient.
        * left. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_0_lt_compat, drawable, Htop.
        * unfold direction. destruct (lt_dec draw K) as [Hlt|Hlt]; [|contradiction].
          exact (proj2_sig (bandit_subgradient _ _ _ _ _ _ _ _ _ _ _ _ _ _ _)).
      + intros V. unfold inner, dot. rewrite (sum_zero (rows s)); [lra|]. intros. apply sum_zero. intros. ring.
    - cbn [told bandit_weights]. fold W. unfold after. fold ystar. unfold importance.
      now apply project_is_projection.
  Qed.

  (** * The guarantee *)

  Theorem bandit_guarantee_from_rounds :
    bandit_guarantee K d s X D gamma eta T (fun u => Rmin (INR T) (u / (2 * eta) + cost * INR T)).
  Proof using D_positive explores rounds.
    assert (Hrounds := rounds). destruct Hrounds as [Heta Hpos _ Hsub Hmap Hgap]. split; [|split].
    - intros W x ystar y Hy. split; [|intros V; now apply Hpos].
      apply convex_from_subgradients with (rows := rows s) (d := d). intros V.
      destruct (Hsub W x ystar y V Hy) as [G HG]. now exists G.
    - exists bandit_weights, (fun f => chosen (bandit_weights f)). intros x y _. apply bandit_learner_exists.
    - intros x y Hadm W ystar Hplay p losses.
      assert (Htops : forall h, takes_place K T h -> top s (W h) (x h) (ystar h)).
      { intros h Hh. destruct Hplay as [_ Hplay]. now destruct (Hplay h Hh). }
      assert (Hdist : forall h, takes_place K T h -> is_distribution K (p h) /\ forall k, (k < K)%nat -> 0 < p h k).
      { intros h Hh. destruct (Hmap _ _ _ (Htops h Hh)). split; [apply exploring_is_distribution; auto; lra|].
        intros k _. now apply drawable, Htops. }
      split; [exact Hdist|]. intros U HU. unfold Rmin. destruct Rle_dec as [Hle|Hle].
      + apply (at_most_all K s gamma T x y W ystar).
        * intros h Hh. now apply Hdist.
        * intros h Hh. now apply Hdist, Hadm.
        * intros h Hh. apply Hpos. now apply Hadm.
      + apply (bandit_lemma_one K d s D gamma eta cost T x y W ystar); auto.
        * intros h Hh. now apply Hadm.
        * intros h Hh. now apply Hdist.
        * intros h Hh. now apply Hdist, Hadm.
        * intros h G Hh HG. destruct (Hadm h Hh) as [Hy Hx]. apply Hgap; auto.
          now apply (stays_in_ball K d s D gamma eta T x y W ystar).
  Qed.
End Assembly.

(** A larger regret. *)
Lemma bandit_guarantee_weaken K d s X D gamma eta T regret regret' :
  (forall u, 0 <= u <= D ^ 2 -> regret u <= regret' u) ->
  bandit_guarantee K d s X D gamma eta T regret -> bandit_guarantee K d s X D gamma eta T regret'.
Proof.
  intros Hle (Hloss & Hexists & Hbound). split; [exact Hloss|]. split; [exact Hexists|].
  intros x y Hadm W ystar Hplay p losses. destruct (Hbound x y Hadm W ystar Hplay) as [Hdist Hall].
  split; [exact Hdist|]. intros U HU. refine (Rle_trans _ _ _ (Hall U HU) _). apply Rplus_le_compat_l, Hle.
  split; [apply norm2_nonneg|exact HU].
Qed.

(** * From full information: eta gamma/K pays for the larger squares, gamma (K - 1)/K for the exploration *)

Lemma bandit_rounds_from_full K d s X D gamma eta :
  (2 <= K)%nat -> 0 < gamma <= 1 -> sound_rounds K d s (guessing (INR K)) X eta ->
  bandit_rounds K d s X D gamma (gamma * eta / INR K) (gamma * (INR K - 1) / INR K).
Proof.
  intros HK Hgamma [Heta Hpos Htop Hsub Hmap Hgap]. assert (Hk : 2 <= INR K) by (apply le_INR in HK; simpl in HK; lra).
  split; auto.
  { apply Rmult_lt_0_compat; [nra|]. apply Rinv_0_lt_compat. lra. }
  intros W x ystar y G _ Ht Hy Hx HG. specialize (Hgap W x ystar y G Ht Hy Hx HG).
  destruct (Hmap W x ystar Ht) as [Hy' Ha]. set (a := gap_map s W x ystar) in *.
  assert (Hp := exploring_positive K gamma a ystar y ltac:(lia) Hy' Ha Hgamma).
  set (p := exploring K gamma a ystar y) in *. assert (HG2 := norm2_nonneg (rows s) d G).
  set (G2 := norm2 (rows s) d G) in *.
  assert (Hsquares : gamma * eta / INR K / 2 * (G2 / p) <= eta / 2 * G2).
  { assert (0 < gamma / INR K) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    replace (gamma * eta / INR K / 2 * (G2 / p)) with (eta / 2 * G2 * (gamma / INR K / p)) by (field; lra).
    assert (gamma / INR K / p <= 1); [|assert (0 <= eta / 2 * G2) by nra; nra].
    apply Rmult_le_reg_r with p; [lra|]. replace (gamma / INR K / p * p) with (gamma / INR K) by (field; lra). lra. }
  rewrite <- P_wrong_at in Hgap by assumption. rewrite P_wrong_value in * by assumption.
  assert (Hk0 : 0 < / INR K <= / 2) by (split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]).
  assert (Hone : INR K * / INR K = 1) by (apply Rinv_r; lra).
  assert (Hmax : a <= Rmax a gamma <= a + gamma) by (split; [apply Rmax_l|apply Rmax_lub; lra]).
  unfold Rdiv in *. destruct (Nat.eqb ystar y); nra.
Qed.

Theorem bandit_reduction K d s X D gamma eta T :
  (2 <= K)%nat -> 0 < D -> 0 < gamma <= 1 -> sound_rounds K d s (guessing (INR K)) X eta ->
  bandit_guarantee K d s X D gamma (gamma * eta / INR K) T
    (fun u => Rmin (INR T) (u / (2 * (gamma * eta / INR K)) + gamma * (INR K - 1) / INR K * INR T)).
Proof. intros. apply bandit_guarantee_from_rounds; auto. now apply bandit_rounds_from_full. Qed.
