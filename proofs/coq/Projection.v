(** The projection on the ball {||W|| <= D}: it exists, and it comes nearer to every point of the ball. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Sums Matrices BanditDefinitions.
Open Scope R_scope.

Section Projection.
  Variables (rows d : nat).

  (** <A - W, V - W>: at most 0 for the projection [W] of [V], whatever [A] in the ball. *)
  Let turn (A V W : matrix) : R := inner rows d (fun k i => A k i - W k i) (fun k i => V k i - W k i).
  Let distance2 (A B : matrix) : R := norm2 rows d (fun k i => A k i - B k i).
  Let between (A W : matrix) (t : R) : matrix := fun k i => W k i + t * (A k i - W k i).

  Lemma distance2_nonneg A B : 0 <= distance2 A B.
  Proof using. apply norm2_nonneg. Qed.

  Lemma distance2_between A V W t :
    distance2 V (between A W t) = distance2 V W - 2 * t * turn A V W + t ^ 2 * distance2 A W.
  Proof using.
    unfold distance2, between, turn, norm2, inner, dot.
    rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros k _.
    rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring.
  Qed.

  Lemma norm2_between A W t :
    norm2 rows d (between A W t) = t * norm2 rows d A + (1 - t) * norm2 rows d W - t * (1 - t) * distance2 A W.
  Proof using.
    unfold distance2, between, norm2, inner, dot.
    rewrite <- !sum_scale, <- sum_plus, <- sum_minus. apply sum_ext. intros k _.
    rewrite <- !sum_scale, <- sum_plus, <- sum_minus. apply sum_ext. intros. ring.
  Qed.

  Lemma ball_convex D : convex_set (in_ball rows d D).
  Proof using.
    intros A W t HA HW Ht. unfold in_ball in *. fold (between A W t). rewrite norm2_between.
    assert (H := distance2_nonneg A W). assert (0 <= t * (1 - t) * distance2 A W) by (apply Rmult_le_pos; nra). nra.
  Qed.

  (** Any set that holds all points between [A] and [W], [W] a nearest one. *)
  Lemma nearest_turn (inside : matrix -> Prop) V W A : (forall t, 0 <= t <= 1 -> inside (between A W t)) ->
    (forall U, inside U -> distance2 V W <= distance2 V U) -> turn A V W <= 0.
  Proof using.
    intros Hbetween Hnear. apply Rnot_lt_le. intros Hpos. assert (HN := distance2_nonneg A W).
    set (I := turn A V W) in *. set (N := distance2 A W) in *. set (t := I / (N + I)).
    assert (Ht : t * (N + I) = I) by (unfold t; field; lra).
    assert (Ht01 : 0 < t <= 1) by (split; nra).
    assert (H := Hnear _ (Hbetween t ltac:(lra))). rewrite distance2_between in H. fold I N in H. nra.
  Qed.

  Theorem nearest_nearer (inside : matrix -> Prop) V W U : (forall t, 0 <= t <= 1 -> inside (between U W t)) ->
    nearest_in rows d inside V W -> distance2 W U <= distance2 V U.
  Proof using.
    intros Hbetween [_ Hnear]. assert (Hturn := nearest_turn inside V W U Hbetween Hnear).
    assert (H := distance2_between U V W 1). assert (H0 := distance2_nonneg V W).
    replace (distance2 W U) with (distance2 U W) by (apply sum_ext; intros k _; apply sum_ext; intros; ring).
    replace (distance2 V U) with (distance2 V (between U W 1)); [lra|].
    apply sum_ext; intros k _; apply sum_ext; intros; unfold between; ring.
  Qed.

  (** [W] itself, or D W/||W||. *)
  Definition shrink (D : R) (V : matrix) : R :=
    if Rle_dec (norm2 rows d V) (D ^ 2) then 1 else D / sqrt (norm2 rows d V).

  Definition project (D : R) (V : matrix) : matrix := fun k i => shrink D V * V k i.

  Lemma norm2_scaled c V : norm2 rows d (fun k i => c * V k i) = c ^ 2 * norm2 rows d V.
  Proof using.
    unfold norm2, inner, dot. rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale.
    apply sum_ext. intros. ring.
  Qed.

  Lemma distance2_scaled c V U :
    distance2 (fun k i => c * V k i) U = c ^ 2 * norm2 rows d V - 2 * c * inner rows d V U + norm2 rows d U.
  Proof using.
    unfold distance2, norm2, inner, dot.
    rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros k _.
    rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring.
  Qed.

  Lemma project_in_ball D V : in_ball rows d D (project D V).
  Proof using.
    unfold in_ball, project. rewrite norm2_scaled. unfold shrink. destruct Rle_dec as [Hin|Hout]; [lra|].
    set (n := sqrt (norm2 rows d V)). assert (HD : 0 <= D ^ 2) by apply pow2_ge_0.
    assert (Hn : n * n = norm2 rows d V) by (apply sqrt_sqrt; lra).
    assert (0 < n) by (apply sqrt_lt_R0; lra). right. rewrite <- Hn. field. lra.
  Qed.

  Theorem project_is_nearest D V : 0 < D -> nearest_in rows d (in_ball rows d D) V (project D V).
  Proof using.
    intros HD. split; [apply project_in_ball|]. intros U HU. unfold in_ball in HU.
    fold (distance2 V U). unfold project, shrink. destruct Rle_dec as [Hin|Hout].
    - apply Rle_trans with 0; [|apply distance2_nonneg]. right.
      apply sum_zero. intros k _. apply sum_zero. intros. ring.
    - set (N := norm2 rows d V) in *. set (n := sqrt N).
      assert (0 < D ^ 2) by (apply pow_lt; lra).
      assert (Hn : n * n = N) by (apply sqrt_sqrt; lra).
      assert (Hpos : 0 < n) by (apply sqrt_lt_R0; lra). assert (HDn : D < n) by nra.
      set (c := D / n). assert (Hc : c * n = D) by (unfold c; field; lra). assert (Hc0 : 0 < c) by nra.
      assert (Hscaled := distance2_nonneg (fun k i => c * V k i) U).
      rewrite distance2_scaled in Hscaled. fold N in Hscaled.
      assert (Hone := distance2_scaled 1 V U). fold N in Hone.
      assert (Hsame : distance2 (fun k i => 1 * V k i) U = distance2 V U)
        by (apply sum_ext; intros k _; apply sum_ext; intros; ring).
      rewrite Hsame in Hone.
      replace (norm2 rows d (fun k i => V k i - c * V k i)) with ((1 - c) ^ 2 * N)
        by (unfold N; rewrite <- norm2_scaled; apply sum_ext; intros k _; apply sum_ext; intros; ring).
      rewrite Hone. set (I := inner rows d V U) in *. set (u := norm2 rows d U) in *.
      assert (HcN : c ^ 2 * N = D ^ 2) by (rewrite <- Hn, <- Hc; ring).
      apply Rmult_le_reg_l with c; [exact Hc0|].
      assert (c < 1) by nra. assert (HN : c * N = D * n) by (rewrite <- Hn, <- Hc; ring). nra.
  Qed.
End Projection.
