(** The regularised prediction exists: a closed, strongly convex entropy that is bounded below has, at every score
    vector, one point of the hull of the outputs at which the conjugate is attained. As for proximal points
    (OptimalProximal.v), near-minimisers are close to each other and their coordinates have limits: no choice. *)

From Coq Require Import Reals Lra Lia Arith Psatz.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalProximal StructuredDefinitions StructuredCriterion.
Open Scope R_scope.

(** * The hull of the outputs *)

Section Hull.
Variables (N n : nat) (output : nat -> vector).

Lemma mean_in_hull w : is_distribution N w -> hull N n output (mean N w output).
Proof.
  intros [Hw Hone] c b Hb. rewrite <- weighted_dot. unfold weighted.
  replace b with (sum N (fun y => b * w y)) by (rewrite sum_scale, Hone; ring). apply sum_le. intros y Hy.
  specialize (Hw y Hy). specialize (Hb y Hy). nra.
Qed.

Lemma hull_convex u v t : hull N n output u -> hull N n output v -> 0 <= t <= 1 ->
  hull N n output (fun i => t * u i + (1 - t) * v i).
Proof.
  intros Hu Hv Ht c b Hb. rewrite dot_plus, !dot_scale. specialize (Hu c b Hb). specialize (Hv c b Hb). nra.
Qed.

Lemma hull_coordinate m i low high : hull N n output m -> (i < n)%nat ->
  (forall y, (y < N)%nat -> low <= output y i <= high) -> low <= m i <= high.
Proof.
  intros Hm Hi Hy. assert (Hpick : forall s v, dot n (fun k => if Nat.eqb k i then s else 0) v = s * v i).
  { intros s v. unfold dot. rewrite <- (sum_pick n i (s * v i)) by assumption. apply sum_ext. intros k _.
    destruct (Nat.eqb_spec k i) as [->|]; ring. }
  split.
  - assert (H : dot n (fun k => if Nat.eqb k i then -1 else 0) m <= - low).
    { apply Hm. intros y Hy'. rewrite Hpick. specialize (Hy y Hy'). lra. }
    rewrite Hpick in H. lra.
  - assert (H : dot n (fun k => if Nat.eqb k i then 1 else 0) m <= high).
    { apply Hm. intros y Hy'. rewrite Hpick. specialize (Hy y Hy'). lra. }
    rewrite Hpick in H. lra.
Qed.

End Hull.

(** * The minimiser of Omega - <theta, .> *)

Section Prediction.
Variables (N n : nat) (output : nat -> vector) (f : vector -> R) (lambda low : R) (theta : vector).
Notation inside := (hull N n output).
Hypothesis HN : (0 < N)%nat.
Hypothesis Hlambda : 0 < lambda.
Hypothesis Hstrong : strongly_convex n inside f lambda.
Hypothesis Hclosed : lower_semicontinuous n inside f.
Hypothesis Hlow : forall m, inside m -> low <= f m.

Definition tilted (m : vector) : R := f m - dot n theta m.

Definition reach : R := sum N (fun y => Rabs (dot n theta (output y))).

Lemma scores_reach m : inside m -> dot n theta m <= reach.
Proof using.
  intros Hm. apply Hm. intros y Hy. apply Rle_trans with (1 := Rle_abs _).
  apply (term_le_sum N (fun y => Rabs (dot n theta (output y)))); [assumption|]. intros. apply Rabs_pos.
Qed.

Lemma somewhere : inside (output 0%nat).
Proof using HN. intros c b Hb. now apply Hb. Qed.

Lemma smallest : {l | (forall m, inside m -> l <= tilted m) /\
  forall e, 0 < e -> exists m, inside m /\ tilted m <= l + e}.
Proof using HN Hlow.
  destruct (completeness (fun r => exists m, inside m /\ r = - tilted m)) as [l [Hub Hleast]].
  - exists (reach - low). intros r (m & Hm & ->). assert (H := scores_reach m Hm). specialize (Hlow m Hm).
    unfold tilted. lra.
  - exists (- tilted (output 0%nat)), (output 0%nat). split; [apply somewhere|reflexivity].
  - exists (- l). split.
    + intros m Hm. assert (- tilted m <= l) by (apply Hub; now exists m). lra.
    + intros e He. destruct (Classical_Prop.classic (exists m, inside m /\ tilted m <= - l + e)) as [|Hno];
        [assumption|]. exfalso. assert (l <= l - e); [|lra]. apply Hleast. intros r (m & Hm & ->).
      destruct (Rle_lt_dec (tilted m) (- l + e)) as [Hle|Hlt]; [|lra]. exfalso. apply Hno. now exists m.
Qed.

Notation least := (proj1_sig smallest).

(** Within D, coordinate by coordinate. *)
Definition nearly (D : R) (m : vector) : Prop := inside m /\ tilted m <= least + lambda / 8 * D ^ 2.

Lemma nearly_some D : 0 < D -> exists m, nearly D m.
Proof using Hlambda.
  intros HD. destruct (proj2_sig smallest) as [_ H]. apply H. assert (0 < D ^ 2) by now apply pow_lt.
  apply Rmult_lt_0_compat; lra.
Qed.

Lemma nearly_less D D' m : 0 < D <= D' -> nearly D m -> nearly D' m.
Proof using Hlambda.
  intros HD [Hm Hle]. split; [assumption|]. apply Rle_trans with (1 := Hle). apply Rplus_le_compat_l.
  apply Rmult_le_compat_l; [lra|]. apply pow_incr. lra.
Qed.

Lemma nearly_close D m m' : 0 <= D -> nearly D m -> nearly D m' -> distance2 n m m' <= D ^ 2.
Proof using Hlambda Hstrong.
  intros HD [Hm Hle] [Hm' Hle']. destruct (Hstrong m m' (/ 2) Hm Hm' ltac:(lra)) as [Hin Hmid].
  assert (Hbest := proj1 (proj2_sig smallest) _ Hin). unfold tilted in *. rewrite dot_plus, !dot_scale in Hbest.
  assert (lambda / 8 * distance2 n m m' <= lambda / 8 * D ^ 2) by lra.
  apply Rmult_le_reg_l with (lambda / 8); lra.
Qed.

Lemma nearly_close_at D m m' i : 0 <= D -> nearly D m -> nearly D m' -> (i < n)%nat -> Rabs (m i - m' i) <= D.
Proof using Hlambda Hstrong.
  intros HD Hm Hm' Hi. assert (H := nearly_close D m m' HD Hm Hm'). rewrite distance2_sum in H.
  assert (Hterm : (m i - m' i) ^ 2 <= D ^ 2).
  { apply Rle_trans with (2 := H). apply (term_le_sum n (fun i => (m i - m' i) ^ 2)); [assumption|].
    intros. apply pow2_ge_0. }
  apply Rsqr_incr_0_var; [|assumption]. rewrite <- Rsqr_abs, !Rsqr_pow2. exact Hterm.
Qed.

(** What is eventually below the i-th coordinate of near-minimisers. *)
Definition below_nearly (i : nat) (r : R) : Prop := exists D, 0 < D /\ forall m, nearly D m -> r <= m i.

Lemma below_bounded i : (i < n)%nat -> bound (below_nearly i).
Proof using Hlambda Hstrong.
  intros Hi. destruct (nearly_some 1) as [m Hm]; [lra|]. exists (m i + 1). intros r (D & HD & Hr).
  assert (Hmin : 0 < Rmin D 1) by (apply Rmin_glb_lt; lra). destruct (nearly_some _ Hmin) as [m' Hm'].
  assert (r <= m' i) by (apply Hr, nearly_less with (2 := Hm'); split; [assumption|apply Rmin_l]).
  assert (Hclose : Rabs (m' i - m i) <= 1).
  { apply nearly_close_at; [lra| |assumption|assumption]. apply nearly_less with (2 := Hm').
    split; [assumption|apply Rmin_r]. }
  assert (Habs := Rle_abs (m' i - m i)). lra.
Qed.

Lemma below_nonempty i : (i < n)%nat -> exists r, below_nearly i r.
Proof using Hlambda Hstrong.
  intros Hi. destruct (nearly_some 1) as [m Hm]; [lra|]. exists (m i - 1), 1. split; [lra|]. intros m' Hm'.
  assert (Hclose := nearly_close_at 1 m m' i Rle_0_1 Hm Hm' Hi). assert (Habs := Rle_abs (m i - m' i)). lra.
Qed.

Definition prediction : vector := fun i =>
  match lt_dec i n with
  | left Hi => proj1_sig (completeness _ (below_bounded i Hi) (below_nonempty i Hi))
  | right _ => 0
  end.

Lemma prediction_close D m i : 0 < D -> nearly D m -> (i < n)%nat -> Rabs (m i - prediction i) <= D.
Proof using.
  intros HD Hm Hi. unfold prediction. destruct (lt_dec i n) as [Hi'|]; [|lia].
  destruct (completeness _ (below_bounded i Hi') (below_nonempty i Hi')) as [l [Hub Hleast]]. simpl.
  assert (m i - D <= l).
  { apply Hub. exists D. split; [assumption|]. intros m' Hm'.
    assert (Hclose := nearly_close_at D m m' i ltac:(lra) Hm Hm' Hi). assert (Habs := Rle_abs (m i - m' i)). lra. }
  assert (l <= m i + D).
  { apply Hleast. intros r (D' & HD' & Hr). assert (Hmin : 0 < Rmin D' D) by now apply Rmin_glb_lt.
    destruct (nearly_some _ Hmin) as [m' Hm'].
    assert (r <= m' i) by (apply Hr, nearly_less with (2 := Hm'); split; [assumption|apply Rmin_l]).
    assert (Hclose : Rabs (m' i - m i) <= D).
    { apply nearly_close_at; [lra| |assumption|assumption]. apply nearly_less with (2 := Hm').
      split; [assumption|apply Rmin_r]. }
    assert (Habs := Rle_abs (m' i - m i)). lra. }
  apply Rabs_le. lra.
Qed.

(** A linear function at the prediction is nearly that at a near-minimiser. *)
Lemma prediction_dot c D m : 0 < D -> nearly D m ->
  Rabs (dot n c m - dot n c prediction) <= D * sum n (fun i => Rabs (c i)).
Proof using.
  intros HD Hm. unfold dot. rewrite <- sum_minus, <- sum_scale.
  apply Rabs_le. rewrite <- (Rmult_1_l (sum n (fun i => D * Rabs (c i)))). split.
  - replace (- (1 * sum n (fun i => D * Rabs (c i)))) with (sum n (fun i => -1 * (D * Rabs (c i))))
      by (rewrite sum_scale; ring). apply sum_le. intros i Hi.
    assert (H := prediction_close D m i HD Hm Hi). assert (Hc := Rabs_pos (c i)).
    replace (c i * m i - c i * prediction i) with (c i * (m i - prediction i)) by ring.
    assert (Hp : Rabs (c i * (m i - prediction i)) <= D * Rabs (c i)) by (rewrite Rabs_mult; nra).
    assert (Habs := Rle_abs (- (c i * (m i - prediction i)))). rewrite Rabs_Ropp in Habs. lra.
  - rewrite Rmult_1_l. apply sum_le. intros i Hi.
    assert (H := prediction_close D m i HD Hm Hi). assert (Hc := Rabs_pos (c i)).
    replace (c i * m i - c i * prediction i) with (c i * (m i - prediction i)) by ring.
    apply Rle_trans with (1 := Rle_abs _). rewrite Rabs_mult. nra.
Qed.

Lemma prediction_inside : inside prediction.
Proof using.
  intros c b Hb. set (C := sum n (fun i => Rabs (c i))).
  assert (HC : 0 <= C) by (apply sum_nonneg; intros; apply Rabs_pos).
  destruct (Rle_lt_dec (dot n c prediction) b) as [|Hlt]; [assumption|exfalso].
  set (D := (dot n c prediction - b) / (2 * (C + 1))). assert (HD : 0 < D) by (apply Rdiv_lt_0_compat; lra).
  destruct (nearly_some D HD) as [m Hm]. assert (Hdot := prediction_dot c D m HD Hm). fold C in Hdot.
  destruct Hm as [Hm _]. specialize (Hm c b Hb).
  assert (HDC : D * (2 * (C + 1)) = dot n c prediction - b) by (unfold D; field; lra).
  assert (Habs := Rle_abs (- (dot n c m - dot n c prediction))). rewrite Rabs_Ropp in Habs.
  assert (0 <= D * C) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma prediction_is_least m : inside m -> tilted prediction <= tilted m.
Proof using Hclosed.
  intros Hm. apply Rle_trans with least; [|now apply (proj1 (proj2_sig smallest))].
  destruct (Rle_lt_dec (tilted prediction) least) as [|Hlt]; [assumption|exfalso].
  set (g := tilted prediction - least). assert (Hg : 0 < g) by (unfold g; lra).
  destruct (Hclosed prediction (g / 2) prediction_inside ltac:(lra)) as (r & Hr & Hnear).
  set (C := sum n (fun i => Rabs (theta i))). assert (HC : 0 <= C) by (apply sum_nonneg; intros; apply Rabs_pos).
  assert (HnR : 0 <= INR n) by apply pos_INR.
  set (q := g / (4 * (C + lambda + 1))). assert (Hq : 0 < q) by (apply Rdiv_lt_0_compat; lra).
  set (p := r / (2 * (INR n + 1))). assert (Hp : 0 < p) by (apply Rdiv_lt_0_compat; lra).
  set (D := Rmin 1 (Rmin q p)). assert (HD : 0 < D) by (repeat apply Rmin_glb_lt; lra).
  assert (HD1 : D <= 1) by apply Rmin_l.
  assert (HDq : D <= q) by (apply Rle_trans with (1 := Rmin_r _ _), Rmin_l).
  assert (HDp : D <= p) by (apply Rle_trans with (1 := Rmin_r _ _), Rmin_r).
  destruct (nearly_some D HD) as [v Hv]. assert (Hdot := prediction_dot theta D v HD Hv). fold C in Hdot.
  assert (Hdist : distance2 n v prediction < r).
  { apply Rle_lt_trans with (sum n (fun _ => D)).
    - rewrite distance2_sum. apply sum_le. intros i Hi. assert (H := prediction_close D v i HD Hv Hi).
      rewrite <- pow2_abs. assert (Hpos := Rabs_pos (v i - prediction i)). set (a := Rabs (v i - prediction i)) in *.
      assert (a * a <= D * 1) by (apply Rmult_le_compat; lra). simpl. lra.
    - rewrite sum_const. apply Rle_lt_trans with (INR n * p); [apply Rmult_le_compat_l; lra|].
      assert (p * (2 * (INR n + 1)) = r) by (unfold p; field; lra). lra. }
  destruct Hv as [Hin Hle]. specialize (Hnear v Hin Hdist).
  assert (Habs := Rle_abs (dot n theta v - dot n theta prediction)).
  assert (Hcost : D * (C + lambda + 1) <= g / 4).
  { apply Rle_trans with (q * (C + lambda + 1)); [apply Rmult_le_compat_r; lra|]. right. unfold q. field. lra. }
  assert (HD2 : D * D <= D * 1) by (apply Rmult_le_compat_l; lra).
  assert (HlD : lambda * (D * D) <= lambda * (D * 1)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= lambda * D) by (apply Rmult_le_pos; lra).
  unfold g, tilted in *. lra.
Qed.

End Prediction.

(** With any cost and any scale. *)
Theorem regularised_prediction_exists N n output cost f s lambda low : (0 < N)%nat -> 0 < lambda ->
  strongly_convex n (hull N n output) f lambda -> lower_semicontinuous n (hull N n output) f ->
  (forall m, hull N n output m -> low <= f m) ->
  exists mu, attained (Structured N n output cost (hull N n output) f s mu).
Proof.
  intros HN Hlambda Hstrong Hclosed Hlow.
  exists (fun theta => prediction N n output f lambda low theta HN Hlambda Hstrong Hlow). intros theta. simpl. split.
  - apply prediction_inside.
  - intros m Hm.
    assert (H := prediction_is_least N n output f lambda low theta HN Hlambda Hstrong Hclosed Hlow m Hm).
    unfold tilted in H. lra.
Qed.
