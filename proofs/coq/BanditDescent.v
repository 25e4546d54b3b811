(** Lemma 1 with bandit feedback: projected gradient descent on importance-weighted losses.

    A draw is right with probability p'(y), and the gradient is then G/p'(y): as much as G on average, and ||G||^2/p'(y)
    in squares. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Projection GameTheorem BanditDefinitions Assembly.
Import ListNotations.
Open Scope R_scope.

(** * Importance-weighted losses *)

Lemma scaled_subgradient rows d f W G c : 0 <= c -> matrix_subgradient rows d f W G ->
  matrix_subgradient rows d (fun V => c * f V) W (fun k i => c * G k i).
Proof.
  intros Hc HG V. specialize (HG V). apply Rmult_le_compat_l with (r := c) in HG; [|exact Hc].
  replace (inner rows d (fun k i => c * G k i) (fun k i => V k i - W k i))
    with (c * inner rows d G (fun k i => V k i - W k i)); [lra|].
  unfold inner, dot. rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale.
  apply sum_ext. intros. ring.
Qed.

Lemma unscaled_subgradient rows d f W G c : 0 < c -> matrix_subgradient rows d (fun V => c * f V) W G ->
  matrix_subgradient rows d f W (fun k i => / c * G k i).
Proof.
  intros Hc HG V. assert (Hinv : 0 < / c) by now apply Rinv_0_lt_compat.
  assert (H := scaled_subgradient rows d _ W G (/ c) ltac:(lra) HG V). cbn beta in H.
  rewrite <- !Rmult_assoc, Rinv_l, !Rmult_1_l in H by lra. exact H.
Qed.

(** A label's probability with exploration. *)
Lemma exploring_positive K gamma a ystar k :
  (0 < K)%nat -> (ystar < K)%nat -> 0 <= a <= 1 -> 0 < gamma <= 1 -> gamma / INR K <= exploring K gamma a ystar k.
Proof.
  intros HK Hy Ha Hgamma. assert (0 < INR K) by now apply lt_0_INR.
  assert (Hmax : gamma <= Rmax a gamma <= 1) by (split; [apply Rmax_r|apply Rmax_lub; lra]).
  assert (gamma / INR K <= Rmax a gamma / INR K).
  { apply Rmult_le_compat_r; [|lra]. left. now apply Rinv_0_lt_compat. }
  unfold exploring, prediction. destruct (Nat.eqb k ystar); lra.
Qed.

Lemma exploring_is_distribution K gamma a ystar :
  (ystar < K)%nat -> 0 <= a <= 1 -> 0 <= gamma <= 1 -> is_distribution K (exploring K gamma a ystar).
Proof.
  intros Hy Ha Hgamma. apply prediction_is_distribution; [exact Hy|].
  split; [apply Rle_trans with a; [lra|apply Rmax_l]|apply Rmax_lub; lra].
Qed.

(** Where estimates are right in the mean, labels have positive probabilities. *)
Lemma label_is_drawn K p y : is_distribution K p -> (y < K)%nat ->
  sum K (fun draw => p draw * importance p y draw) = 1 -> 0 < p y.
Proof.
  intros [Hpos _] Hy Hone. apply Rnot_le_lt. intros Hle. assert (Hzero : p y = 0) by (specialize (Hpos y Hy); lra).
  rewrite sum_zero in Hone; [lra|]. intros draw _. unfold importance.
  destruct (Nat.eqb_spec draw y) as [->|_]; [rewrite Hzero|]; ring.
Qed.

(** * The game *)

Section BanditLemmaOne.
  Variables (K d : nat) (s : surrogate) (D gamma eta cost : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat) (W : history -> matrix) (ystar : history -> nat).
  Let a h := gap_map s (W h) (x h) (ystar h).
  Let p h := exploring K gamma (a h) (ystar h).
  Let l h := loss s (W h) (x h) (ystar h) (y h).
  Let weight h draw := importance (p h) (y h) draw.

  Hypothesis eta_positive : 0 < eta.
  Hypothesis playing : plays (bandit K d s D gamma) eta T x y W ystar.
  Hypothesis labels : forall h, takes_place K T h -> (y h < K)%nat.
  Hypothesis distributions : forall h, takes_place K T h -> is_distribution K (p h).
  Hypothesis drawable : forall h, takes_place K T h -> 0 < p h (y h).

  (** Drawing the label costs its share in the expectation, and another draw nothing. *)
  Lemma weighted_mean h f : takes_place K T h ->
    sum K (fun draw => p h draw * (weight h draw * f)) = f.
  Proof using labels drawable.
    intros Hh. assert (Hy := labels h Hh). assert (Hp := drawable h Hh).
    rewrite (sum_ext K _ (fun draw => if Nat.eqb draw (y h) then f else 0)); [now apply sum_pick|].
    intros draw _. unfold weight, importance. destruct (Nat.eqb_spec draw (y h)) as [->|_]; [field; lra|ring].
  Qed.

  Section Comparator.
    Variables (U : matrix) (share : R).
    Hypothesis U_in_ball : in_ball (rows s) d D U.
    Hypothesis share_nonnegative : 0 <= share.

    Let linear h G := inner (rows s) d G (fun k i => U k i - W h k i).                              (* <G, U - W> *)

    (** Beside the comparator's loss and [cost], [share] times what the potential loses pays for the mistakes of every
        round, whichever subgradient is taken. *)
    Hypothesis paid : forall h G, takes_place K T h -> matrix_subgradient (rows s) d (l h) (W h) G ->
      P_wrong K (Rmax (a h) gamma) (ystar h) (y h) - l h U
      + share * (linear h G + eta / 2 * (norm2 (rows s) d G / p h (y h))) <= cost.

    Let fund := potential (rows s) d eta share W U.

    Lemma projected_step h G draw :
      nearest_in (rows s) d (in_ball (rows s) d D) (fun k i => W h k i - eta * G k i) (W (draw :: h)) ->
      fund (draw :: h) <= fund h + share * (linear h G + eta / 2 * norm2 (rows s) d G).
    Proof using eta_positive U_in_ball share_nonnegative.
      intros Hproj. apply potential_step; try assumption.
      exact (nearest_nearer _ _ _ _ _ U (fun t => ball_convex (rows s) d D U _ t U_in_ball (proj1 Hproj)) Hproj).
    Qed.

    Lemma linear_scaled h c G : linear h (fun k i => c * G k i) = c * linear h G.
    Proof.
      unfold linear, inner, dot. rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale.
      apply sum_ext. intros. ring.
    Qed.

    (** The steps of all draws, by a subgradient G of the loss itself. *)
    Lemma weighted_step h : takes_place K T h ->
      exists G, matrix_subgradient (rows s) d (l h) (W h) G /\
        forall draw, (draw < K)%nat -> fund (draw :: h) <= fund h
          + weight h draw * (share * (linear h G + eta / 2 * (norm2 (rows s) d G / p h (y h)))).
    Proof using eta_positive playing labels drawable U_in_ball share_nonnegative.
      intros Hh. assert (Hy := labels h Hh). assert (Hp := drawable h Hh).
      destruct playing as [_ Hplay]. destruct (Hplay h Hh) as [_ Hstep]. clear Hplay.
      destruct (Hstep (y h) Hy) as (G & HG & Hproj).
      assert (Hright : weight h (y h) = / p h (y h)).
      { unfold weight, importance. rewrite Nat.eqb_refl. unfold Rdiv. ring. }
      change (matrix_subgradient (rows s) d (fun V => weight h (y h) * l h V) (W h) G) in HG.
      assert (Hinv : 0 < / p h (y h)) by now apply Rinv_0_lt_compat.
      exists (fun k i => / weight h (y h) * G k i). split.
      { apply unscaled_subgradient; [now rewrite Hright|exact HG]. }
      intros draw Hdraw. destruct (Nat.eqb_spec draw (y h)) as [->|Hne].
      - assert (Hdrop := projected_step h G (y h) Hproj). rewrite norm2_scaled, linear_scaled. rewrite Hright in *.
        replace (/ p h (y h) * (share * (/ / p h (y h) * linear h G
            + eta / 2 * ((/ / p h (y h)) ^ 2 * norm2 (rows s) d G / p h (y h)))))
          with (share * (linear h G + eta / 2 * norm2 (rows s) d G)) by (field; lra).
        exact Hdrop.
      - destruct (Hstep draw Hdraw) as (G' & HG' & Hproj').
        assert (Hwrong : weight h draw = 0).
        { unfold weight, importance. now apply Nat.eqb_neq in Hne as ->. }
        change (matrix_subgradient (rows s) d (fun V => weight h draw * l h V) (W h) G') in HG'.
        assert (Hdrop := projected_step h G' draw Hproj'). rewrite Hwrong in *.
        assert (Hzero : norm2 (rows s) d G' = 0).
        { apply (constant_subgradient (rows s) d 0 (W h) G'). intros V. specialize (HG' V). cbn beta in HG'. lra. }
        assert (Hstay : linear h G' <= 0) by (specialize (HG' U); cbn beta in HG'; unfold linear; lra).
        rewrite Hzero in Hdrop. nra.
    Qed.

    Theorem bandit_shared_descent :
      expectation K p T (mistakes y) [] <=
      expectation K p T (weighted_total (fun h draw => weight h draw * l h U)) []
      + (share * (norm2 (rows s) d U / (2 * eta)) + cost * INR T).
    Proof using eta_positive playing labels distributions drawable U_in_ball share_nonnegative paid.
      rewrite <- (potential_start (rows s) d eta share W U (proj1 playing)).
      apply accounts; [exact distributions|now apply potential_nonneg|].
      intros h Hh. destruct (weighted_step h Hh) as (G & HG & Hstep). specialize (paid h G Hh HG).
      eexists. split; [exact Hstep|].
      set (e := share * (linear h G + eta / 2 * (norm2 (rows s) d G / p h (y h)))) in *.
      rewrite (sum_ext K _ (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)
        + p h draw * (weight h draw * (e - l h U)))) by (intros; unfold wrong; ring).
      rewrite sum_plus, weighted_mean by assumption.
      change (sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)))
        with (P_wrong K (Rmax (a h) gamma) (ystar h) (y h)). lra.
    Qed.
  End Comparator.

  (** No more than [T] mistakes are made. *)
  Theorem at_most_all U : (forall h, takes_place K T h -> 0 <= l h U) ->
    expectation K p T (mistakes y) [] <=
    expectation K p T (weighted_total (fun h draw => weight h draw * l h U)) [] + INR T.
  Proof using distributions drawable.
    intros Hpos.
    refine (Rle_trans _ _ _ (accounts K T p _ (fun h draw => weight h draw * l h U) (fun _ => 0) 1 distributions
      (fun _ => Rle_refl 0) _) _); [|lra].
    intros h Hh. exists (fun _ => 0). split; [intros; lra|]. destruct (distributions h Hh) as [Hp Hone].
    rewrite <- Hone. apply sum_le. intros draw Hdraw. rewrite <- (Rmult_1_r (p h draw)) at 2.
    apply Rmult_le_compat_l; [now apply Hp|]. assert (0 <= weight h draw * l h U).
    { apply Rmult_le_pos; [|now apply Hpos]. unfold weight, importance.
      destruct (Nat.eqb_spec draw (y h)) as [->|_]; [|lra]. unfold Rdiv. rewrite Rmult_1_l. left.
      now apply Rinv_0_lt_compat, drawable. }
    unfold wrong. destruct (Nat.eqb draw (y h)); lra.
  Qed.
End BanditLemmaOne.
