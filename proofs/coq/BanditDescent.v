(** Lemma 1 with bandit feedback: projected gradient descent on importance-weighted losses.

    A draw is right with probability p'(y), and the gradient is then G/p'(y): as much as G on average, and ||G||^2/p'(y)
    in squares. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly BanditDefinitions Projection.
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

(** * The game *)

Section BanditLemmaOne.
  Variables (K d : nat) (s : surrogate) (D gamma eta cost : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat) (W : history -> matrix) (ystar : history -> nat).
  Let a h := gap_map s (W h) (x h) (ystar h).
  Let p h := exploring K gamma (a h) (ystar h).
  Let l h := loss s (W h) (x h) (ystar h) (y h).
  Let weight h draw := importance (p h) (y h) draw.

  Hypothesis eta_positive : 0 < eta.
  Hypothesis playing : bandit_plays K d s D gamma eta T x y W ystar.
  Hypothesis labels : forall h, takes_place K T h -> (y h < K)%nat.
  Hypothesis distributions : forall h, takes_place K T h -> is_distribution K (p h).
  Hypothesis drawable : forall h, takes_place K T h -> 0 < p h (y h).

  Lemma stays_in_ball h : takes_place K T h -> in_ball (rows s) d D (W h).
  Proof using playing.
    destruct playing as [Hzero Hplay]. destruct h as [|draw h]; intros Hh.
    - unfold in_ball. replace (norm2 (rows s) d (W [])) with 0; [apply pow2_ge_0|].
      symmetry. apply sum_zero. intros k _. apply sum_zero. intros i _. rewrite Hzero. ring.
    - assert (Hdraw : (draw < K)%nat) by (destruct Hh as [H _]; now inversion H).
      destruct (Hplay h (takes_place_earlier _ _ _ _ Hh)) as [_ Hstep].
      now destruct (Hstep draw Hdraw) as (G & _ & Hin & _).
  Qed.

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

    Let potential h := norm2 (rows s) d (fun k i => W h k i - U k i) / (2 * eta).

    (** One step of projected gradient descent. *)
    Lemma projected_step h G draw :
      is_projection (rows s) d D (fun k i => W h k i - eta * G k i) (W (draw :: h)) ->
      potential (draw :: h) <= potential h + linear h G + eta / 2 * norm2 (rows s) d G.
    Proof using eta_positive U_in_ball.
      intros Hproj. assert (Hnear := projection_nearer _ _ _ _ _ U Hproj U_in_ball). cbn beta in Hnear.
      rewrite norm2_step in Hnear. unfold potential, linear.
      set (N := norm2 _ _ (fun k i => W h k i - U k i)) in *. set (I := inner _ _ G _) in *.
      set (N' := norm2 _ _ (fun k i => W (draw :: h) k i - U k i)) in *. set (G2 := norm2 _ _ G) in *.
      apply Rmult_le_reg_r with (2 * eta); [lra|].
      replace (N' / (2 * eta) * (2 * eta)) with N' by (field; lra).
      replace ((N / (2 * eta) + I + eta / 2 * G2) * (2 * eta)) with (N + 2 * eta * I + eta ^ 2 * G2) by (field; lra).
      exact Hnear.
    Qed.

    (** Mistakes minus the comparator's losses, plus the share of the potential, plus the costs to come: does not
        grow. *)
    Let excess h := mistakes y h - weighted_total (fun h draw => weight h draw * l h U) h.
    Let account h := excess h + share * potential h + cost * (INR T - INR (length h)).

    (** What a draw adds, for a subgradient G of the loss itself. *)
    Let added h G draw :=
      (if Nat.eqb draw (y h) then 0 else 1)
      + weight h draw * (- l h U + share * (linear h G + eta / 2 * (norm2 (rows s) d G / p h (y h)))) - cost.

    Lemma linear_scaled h c G : linear h (fun k i => c * G k i) = c * linear h G.
    Proof.
      unfold linear, inner, dot. rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale.
      apply sum_ext. intros. ring.
    Qed.

    Lemma account_step h : takes_place K T h ->
      exists G, matrix_subgradient (rows s) d (l h) (W h) G /\
        forall draw, (draw < K)%nat -> account (draw :: h) <= account h + added h G draw.
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
      intros draw Hdraw. unfold account, excess, added. cbn [mistakes weighted_total length]. rewrite S_INR.
      destruct (Nat.eqb_spec draw (y h)) as [->|Hne].
      - assert (Hdrop := projected_step h G (y h) Hproj). apply Rmult_le_compat_l with (r := share) in Hdrop; [|lra].
        rewrite norm2_scaled, linear_scaled. rewrite Hright in *.
        replace (/ p h (y h) * (- l h U + share * (/ / p h (y h) * linear h G
            + eta / 2 * ((/ / p h (y h)) ^ 2 * norm2 (rows s) d G / p h (y h)))))
          with (- (/ p h (y h) * l h U) + share * (linear h G + eta / 2 * norm2 (rows s) d G)) by (field; lra).
        lra.
      - destruct (Hstep draw Hdraw) as (G' & HG' & Hproj').
        assert (Hwrong : weight h draw = 0).
        { unfold weight, importance. now apply Nat.eqb_neq in Hne as ->. }
        change (matrix_subgradient (rows s) d (fun V => weight h draw * l h V) (W h) G') in HG'.
        assert (Hdrop := projected_step h G' draw Hproj'). rewrite Hwrong in *.
        assert (Hzero : norm2 (rows s) d G' = 0).
        { apply (constant_subgradient (rows s) d 0 (W h) G'). intros V. specialize (HG' V). cbn beta in HG'. lra. }
        assert (Hstay : linear h G' <= 0) by (specialize (HG' U); cbn beta in HG'; unfold linear; lra).
        rewrite Hzero in Hdrop. apply Rmult_le_compat_l with (r := share) in Hdrop; [|lra]. nra.
    Qed.

    Lemma account_falls h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
    Proof using eta_positive playing labels distributions drawable U_in_ball share_nonnegative paid.
      intros Hh. destruct (account_step h Hh) as (G & HG & Hstep). specialize (paid h G Hh HG).
      destruct (distributions h Hh) as [Hpos Hone].
      set (e := - l h U + share * (linear h G + eta / 2 * (norm2 (rows s) d G / p h (y h)))).
      apply Rle_trans with (sum K (fun draw => (account h - cost) * p h draw
        + p h draw * (if Nat.eqb draw (y h) then 0 else 1) + p h draw * (weight h draw * e))).
      - apply sum_le. intros draw Hdraw.
        apply Rle_trans with (p h draw * (account h + added h G draw)).
        + apply Rmult_le_compat_l; [now apply Hpos|]. now apply Hstep.
        + right. unfold added. fold e. ring.
      - rewrite !sum_plus, sum_scale, Hone, weighted_mean by assumption.
        change (sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)))
          with (P_wrong K (Rmax (a h) gamma) (ystar h) (y h)).
        unfold e. lra.
    Qed.

    Theorem bandit_shared_descent :
      expectation K p T (mistakes y) [] <=
      expectation K p T (weighted_total (fun h draw => weight h draw * l h U)) []
      + (share * (norm2 (rows s) d U / (2 * eta)) + cost * INR T).
    Proof using eta_positive playing labels distributions drawable U_in_ball share_nonnegative paid.
      assert (H : expectation K p T excess [] <= account []).
      { apply expectation_telescopes with (T := T); auto using account_falls.
        intros h _ Hlen. unfold account. rewrite Hlen.
        assert (0 <= share * potential h); [|lra].
        apply Rmult_le_pos; [exact share_nonnegative|]. apply Rmult_le_pos; [apply norm2_nonneg|].
        left. apply Rinv_0_lt_compat. lra. }
      unfold excess in H. rewrite expectation_minus in H.
      assert (Hstart : account [] = share * (norm2 (rows s) d U / (2 * eta)) + cost * INR T).
      { destruct playing as [Hzero _]. unfold account, excess, potential. cbn [mistakes weighted_total length INR].
        replace (norm2 (rows s) d (fun k i => W [] k i - U k i)) with (norm2 (rows s) d U); [ring|].
        apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
      lra.
    Qed.
  End Comparator.

  (** Lemma 1: the surrogate gap is at most [cost] in every round, whichever subgradient is taken. *)
  Theorem bandit_lemma_one U : in_ball (rows s) d D U ->
    (forall h G, takes_place K T h -> matrix_subgradient (rows s) d (l h) (W h) G ->
      P_wrong K (Rmax (a h) gamma) (ystar h) (y h) - l h (W h) + eta / 2 * (norm2 (rows s) d G / p h (y h)) <= cost) ->
    expectation K p T (mistakes y) [] <=
    expectation K p T (weighted_total (fun h draw => weight h draw * l h U)) []
    + (norm2 (rows s) d U / (2 * eta) + cost * INR T).
  Proof using eta_positive playing labels distributions drawable.
    intros HU gap. rewrite <- (Rmult_1_l (norm2 (rows s) d U / (2 * eta))).
    apply bandit_shared_descent; [exact HU|lra|]. intros h G Hh HG. specialize (gap h G Hh HG). specialize (HG U). lra.
  Qed.

  (** No more than [T] mistakes are made. *)
  Theorem at_most_all U : (forall h, takes_place K T h -> 0 <= l h U) ->
    expectation K p T (mistakes y) [] <=
    expectation K p T (weighted_total (fun h draw => weight h draw * l h U)) [] + INR T.
  Proof using distributions drawable.
    intros Hpos. set (excess h := mistakes y h - weighted_total (fun h draw => weight h draw * l h U) h).
    assert (H : expectation K p T excess [] <= excess [] + (INR T - INR (length (@nil nat)))).
    { apply expectation_telescopes with (T := T) (value := fun h => excess h + (INR T - INR (length h))); auto.
      - intros h Hh. destruct (distributions h Hh) as [Hp Hone]. set (c := excess h + (INR T - INR (length h))).
        apply Rle_trans with (sum K (fun draw => c * p h draw)); [|rewrite sum_scale, Hone; lra].
        apply sum_le. intros draw Hdraw. rewrite (Rmult_comm c). apply Rmult_le_compat_l; [now apply Hp|].
        unfold c, excess. cbn [mistakes weighted_total length]. rewrite S_INR.
        assert (0 <= weight h draw * l h U).
        { apply Rmult_le_pos; [|now apply Hpos]. unfold weight, importance.
          destruct (Nat.eqb_spec draw (y h)) as [->|_]; [|lra]. unfold Rdiv. rewrite Rmult_1_l. left.
          now apply Rinv_0_lt_compat, drawable. }
        destruct (Nat.eqb draw (y h)); lra.
      - intros h _ ->. lra. }
    unfold excess in H. rewrite expectation_minus in H. cbn [mistakes weighted_total length INR] in H. lra.
  Qed.
End BanditLemmaOne.
