(** The proximal step exists: a finite convex function plus c ||p - theta||^2 has a minimiser, without compactness or
    choice. Near-minimisers are close to each other, and their coordinates have limits. *)

From Coq Require Import Reals Lra Lia Arith Psatz.
From Gaptron Require Import Definitions Sums Matrices Optimal.
Open Scope R_scope.

Lemma distance2_nonneg n u v : 0 <= distance2 n u v.
Proof. apply dot_square_nonneg. Qed.

Lemma sum_abs_nonneg n h : 0 <= sum n (fun i => Rabs (h i)).
Proof. apply sum_nonneg. intros. apply Rabs_pos. Qed.

Section Convex.
Variables (n : nat) (f : vector -> R).
Hypothesis Hreads : reads n f.
Hypothesis Hconvex : convex_in f.

(** * A convex function grows at most linearly around a point, and falls at most linearly *)

Lemma jensen m t (v : nat -> vector) q : (forall i, (i < m)%nat -> 0 <= t i) -> sum m t <= 1 ->
  f (fun k => q k + sum m (fun i => t i * v i k)) <=
  (1 - sum m t) * f q + sum m (fun i => t i * f (fun k => q k + v i k)).
Proof.
  revert t. induction m as [|m IH]; cbn [sum]; intros t Ht Hsum.
  - rewrite (Hreads _ q) by (intros; ring). lra.
  - assert (Hm : 0 <= t m) by (apply Ht; lia).
    assert (Hrest : 0 <= sum m t) by (apply sum_nonneg; intros; apply Ht; lia).
    destruct (Req_dec (t m) 1) as [Heq|Hne].
    + assert (Hzero : sum m t = 0) by lra.
      assert (Hall : forall i, (i < m)%nat -> t i = 0).
      { intros i Hi. assert (t i <= sum m t) by (apply term_le_sum; [assumption|intros; apply Ht; lia]).
        assert (0 <= t i) by (apply Ht; lia). lra. }
      rewrite (sum_zero m (fun i => t i * f (fun k => q k + v i k))) by (intros; rewrite Hall by assumption; ring).
      rewrite Hzero, Heq. right.
      rewrite (Hreads _ (fun k => q k + v m k)); [ring|].
      intros k _. rewrite (sum_zero m (fun i => t i * v i k)) by (intros; rewrite Hall by assumption; ring). ring.
    + assert (Hs : 0 < 1 - t m) by lra.
      assert (Hshare : sum m (fun i => t i / (1 - t m)) = sum m t / (1 - t m)).
      { unfold Rdiv. rewrite (sum_ext m _ (fun i => / (1 - t m) * t i)) by (intros; ring). rewrite sum_scale. ring. }
      assert (Hle : sum m t / (1 - t m) <= 1).
      { apply Rmult_le_reg_r with (1 - t m); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      assert (IH' := IH (fun i => t i / (1 - t m))). rewrite Hshare in IH'.
      specialize (IH' ltac:(intros i Hi; apply Rmult_le_pos; [apply Ht; lia|left; now apply Rinv_0_lt_compat]) Hle).
      apply Rle_trans with (t m * f (fun k => q k + v m k)
        + (1 - t m) * f (fun k => q k + sum m (fun i => t i / (1 - t m) * v i k))).
      * rewrite (Hreads _ (fun k => t m * (q k + v m k)
          + (1 - t m) * (q k + sum m (fun i => t i / (1 - t m) * v i k)))); [apply Hconvex; lra|].
        intros k _. rewrite (sum_ext m (fun i => t i / (1 - t m) * v i k) (fun i => / (1 - t m) * (t i * v i k))).
        -- rewrite sum_scale. field. lra.
        -- intros. field. lra.
      * apply Rmult_le_compat_l with (r := 1 - t m) in IH'; [|lra].
        replace ((1 - t m) * ((1 - sum m t / (1 - t m)) * f q
          + sum m (fun i => t i / (1 - t m) * f (fun k => q k + v i k)))) with
          ((1 - (sum m t + t m)) * f q + sum m (fun i => t i * f (fun k => q k + v i k))) in IH'; [lra|].
        rewrite (sum_ext m (fun i => t i / (1 - t m) * f (fun k => q k + v i k))
          (fun i => / (1 - t m) * (t i * f (fun k => q k + v i k)))) by (intros; field; lra).
        rewrite sum_scale. field. lra.
Qed.

Definition along (i : nat) (s : R) : vector := fun k => if Nat.eqb k i then s else 0.

Definition steepness (q : vector) : R :=
  sum n (fun i => Rabs (f (fun k => q k + along i 1 k) - f q) + Rabs (f (fun k => q k + along i (-1) k) - f q)).

Lemma steepness_nonneg q : 0 <= steepness q.
Proof.
  apply sum_nonneg. intros i _. assert (H := Rabs_pos (f (fun k => q k + along i 1 k) - f q)).
  assert (H' := Rabs_pos (f (fun k => q k + along i (-1) k) - f q)). lra.
Qed.

Definition sign (r : R) : R := if Rle_dec 0 r then 1 else -1.

Lemma grows_at_most q h : sum n (fun i => Rabs (h i)) <= 1 ->
  f (fun k => q k + h k) <= f q + sum n (fun i => Rabs (h i)) * steepness q.
Proof.
  intros Hh.
  assert (Hj := jensen n (fun i => Rabs (h i)) (fun i => along i (sign (h i))) q (fun i _ => Rabs_pos (h i)) Hh).
  rewrite (Hreads _ (fun k => q k + h k)) in Hj.
  2:{ intros k Hk. f_equal.
      rewrite (sum_ext n _ (fun i => if Nat.eqb i k then h k else 0)); [now apply sum_pick|].
      intros i _. unfold along. rewrite (Nat.eqb_sym k i). destruct (Nat.eqb_spec i k) as [->|]; [|ring].
      unfold sign. destruct (Rle_dec 0 (h k)); [rewrite Rabs_pos_eq by assumption; ring|].
      rewrite Rabs_left by lra. ring. }
  apply Rle_trans with (1 := Hj).
  apply Rle_trans with ((1 - sum n (fun i => Rabs (h i))) * f q
    + sum n (fun i => (f q + steepness q) * Rabs (h i))).
  - apply Rplus_le_compat_l, sum_le. intros i Hi. rewrite (Rmult_comm (f q + steepness q)).
    apply Rmult_le_compat_l; [apply Rabs_pos|].
    assert (Hterm := term_le_sum n (fun i => Rabs (f (fun k => q k + along i 1 k) - f q)
      + Rabs (f (fun k => q k + along i (-1) k) - f q)) i Hi).
    assert (H1 := Rabs_pos (f (fun k => q k + along i 1 k) - f q)).
    assert (H2 := Rabs_pos (f (fun k => q k + along i (-1) k) - f q)).
    assert (H3 := Rle_abs (f (fun k => q k + along i 1 k) - f q)).
    assert (H4 := Rle_abs (f (fun k => q k + along i (-1) k) - f q)).
    unfold steepness. cbv beta in Hterm.
    assert (Hle : Rabs (f (fun k => q k + along i 1 k) - f q) + Rabs (f (fun k => q k + along i (-1) k) - f q)
      <= steepness q).
    { apply Hterm. intros j _. assert (J1 := Rabs_pos (f (fun k => q k + along j 1 k) - f q)).
      assert (J2 := Rabs_pos (f (fun k => q k + along j (-1) k) - f q)). lra. }
    unfold steepness in Hle. unfold sign. destruct (Rle_dec 0 (h i)); lra.
  - rewrite sum_scale. lra.
Qed.

Lemma falls_at_most q h : f q - sum n (fun i => Rabs (h i)) * steepness q <= f (fun k => q k + h k).
Proof.
  set (s := sum n (fun i => Rabs (h i))). assert (Hs : 0 <= s) by apply sum_abs_nonneg.
  assert (Hb := steepness_nonneg q).
  assert (Hsmall : forall h', sum n (fun i => Rabs (h' i)) <= 1 ->
    f q - sum n (fun i => Rabs (h' i)) * steepness q <= f (fun k => q k + h' k)).
  { intros h' Hh'. assert (Hopp := grows_at_most q (fun k => - h' k)). cbv beta in Hopp.
    rewrite (sum_ext n (fun i => Rabs (- h' i)) (fun i => Rabs (h' i))) in Hopp by (intros; apply Rabs_Ropp).
    specialize (Hopp Hh'). assert (Hmid := Hconvex (fun k => q k + h' k) (fun k => q k + - h' k) (/ 2) ltac:(lra)).
    cbv beta in Hmid. rewrite (Hreads (fun k => / 2 * (q k + h' k) + (1 - / 2) * (q k + - h' k)) q) in Hmid by (intros; field). lra. }
  destruct (Rle_lt_dec s 1) as [Hle|Hlt]; [now apply Hsmall|].
  assert (Hunit : sum n (fun i => Rabs (h i / s)) = 1).
  { rewrite (sum_ext n _ (fun i => / s * Rabs (h i))).
    - rewrite sum_scale. fold s. field. lra.
    - intros i _. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by (left; apply Rinv_0_lt_compat; lra). ring. }
  assert (Hone := Hsmall (fun i => h i / s)). cbv beta in Hone. rewrite Hunit in Hone. specialize (Hone (Rle_refl 1)).
  assert (H01 : 0 <= / s <= 1).
  { split; [left; apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (Hline := Hconvex (fun k => q k + h k) q (/ s) H01). cbv beta in Hline.
  rewrite (Hreads (fun i => / s * (q i + h i) + (1 - / s) * q i) (fun k => q k + h k / s)) in Hline
    by (intros; field; lra).
  assert (Hboth : f q - steepness q <= / s * f (fun k => q k + h k) + (1 - / s) * f q) by lra.
  apply Rmult_le_compat_l with (r := s) in Hboth; [|lra].
  replace (s * (/ s * f (fun k => q k + h k) + (1 - / s) * f q)) with (f (fun k => q k + h k) + (s - 1) * f q) in Hboth
    by (field; lra). lra.
Qed.

(** * The minimiser *)

Section Minimiser.
Variables (c : R) (theta : vector).
Hypothesis Hc : 0 < c.

Definition objective (p : vector) : R := f p + c * distance2 n p theta.

Lemma distance2_sum u v : distance2 n u v = sum n (fun i => (u i - v i) ^ 2).
Proof. unfold distance2, dot. apply sum_ext. intros. ring. Qed.

Lemma objective_bounded p : f theta - INR n * (steepness theta ^ 2 / (4 * c)) <= objective p.
Proof.
  unfold objective. assert (Hf := falls_at_most theta (fun k => p k - theta k)). cbv beta in Hf.
  rewrite (Hreads (fun k => theta k + (p k - theta k)) p) in Hf by (intros; ring).
  assert (Hsum : sum n (fun i => Rabs (p i - theta i)) * steepness theta <=
    c * distance2 n p theta + INR n * (steepness theta ^ 2 / (4 * c))).
  { rewrite distance2_sum, Rmult_comm, <- sum_scale, <- sum_scale, <- sum_const, <- sum_plus.
    apply sum_le. intros i _. set (a := p i - theta i). set (B := steepness theta).
    rewrite <- (pow2_abs a). set (r := Rabs a).
    assert (Hsq : 0 <= (2 * c * r - B) ^ 2) by (apply pow2_ge_0).
    apply Rmult_le_reg_l with (4 * c); [lra|].
    replace (4 * c * (c * r ^ 2 + B ^ 2 / (4 * c))) with (4 * c ^ 2 * r ^ 2 + B ^ 2) by (field; lra). nra. }
  lra.
Qed.

Lemma infimum : {m | (forall p, m <= objective p) /\ forall e, 0 < e -> exists p, objective p <= m + e}.
Proof.
  destruct (completeness (fun r => exists p, r = - objective p)) as [l [Hub Hleast]].
  - exists (- (f theta - INR n * (steepness theta ^ 2 / (4 * c)))). intros r [p ->].
    assert (H := objective_bounded p). lra.
  - now exists (- objective theta), theta.
  - exists (- l). split.
    + intros p. assert (- objective p <= l) by (apply Hub; now exists p). lra.
    + intros e He. destruct (Classical_Prop.classic (exists p, objective p <= - l + e)) as [|Hno]; [assumption|].
      exfalso. assert (l <= l - e); [|lra]. apply Hleast. intros r [p ->].
      destruct (Rle_lt_dec (objective p) (- l + e)) as [Hle|Hlt]; [|lra]. exfalso. apply Hno. now exists p.
Qed.

Notation least := (proj1_sig infimum).

Lemma least_below p : least <= objective p.
Proof. exact (proj1 (proj2_sig infimum) p). Qed.

Lemma near e : 0 < e -> exists p, objective p <= least + e.
Proof. exact (proj2 (proj2_sig infimum) e). Qed.

Lemma near_are_close D p p' : 0 <= D -> objective p <= least + c / 4 * D ^ 2 -> objective p' <= least + c / 4 * D ^ 2 ->
  forall i, (i < n)%nat -> Rabs (p i - p' i) <= D.
Proof.
  intros HD Hp Hp' i Hi.
  set (mid := fun k => / 2 * p k + (1 - / 2) * p' k).
  assert (Hmid := least_below mid). unfold objective in *.
  assert (Hf := Hconvex p p' (/ 2) ltac:(lra)). fold mid in Hf.
  assert (Hd : distance2 n mid theta = / 2 * distance2 n p theta + / 2 * distance2 n p' theta - / 4 * distance2 n p p').
  { rewrite !distance2_sum, <- !sum_scale, <- sum_plus, <- sum_minus. apply sum_ext. intros. unfold mid. field. }
  rewrite Hd in Hmid.
  assert (Hpp : distance2 n p p' <= D ^ 2) by nra.
  assert (Hterm : (p i - p' i) ^ 2 <= D ^ 2).
  { apply Rle_trans with (2 := Hpp). rewrite distance2_sum.
    apply (term_le_sum n (fun i => (p i - p' i) ^ 2)); [assumption|]. intros. apply pow2_ge_0. }
  apply Rsqr_incr_0_var; [|assumption]. rewrite <- Rsqr_abs, !Rsqr_pow2. exact Hterm.
Qed.

Lemma near_for D : 0 < D -> exists p, objective p <= least + c / 4 * D ^ 2.
Proof. intros HD. apply near. assert (0 < D ^ 2) by (apply pow_lt; assumption). nra. Qed.

(** What is eventually below the i-th coordinate of near-minimisers. *)
Definition eventually_below (i : nat) (r : R) : Prop :=
  exists D, 0 < D /\ forall p, objective p <= least + c / 4 * D ^ 2 -> r <= p i.

Lemma eventually_bounded i : (i < n)%nat -> bound (eventually_below i).
Proof.
  intros Hi. destruct (near_for 1) as [p Hp]; [lra|]. exists (p i + 1). intros r (D & HD & Hr).
  destruct (near_for (Rmin D 1)) as [p' Hp']; [apply Rmin_glb_lt; lra|].
  assert (Hmin : 0 < Rmin D 1) by (apply Rmin_glb_lt; lra).
  assert (HminD := Rmin_l D 1). assert (Hmin1 := Rmin_r D 1).
  assert (r <= p' i) by (apply Hr; apply Rle_trans with (1 := Hp'); assert (Rmin D 1 ^ 2 <= D ^ 2) by nra; nra).
  assert (Hclose : Rabs (p i - p' i) <= 1).
  { apply near_are_close; [lra|assumption| |assumption].
    apply Rle_trans with (1 := Hp'). assert (Rmin D 1 ^ 2 <= 1 ^ 2) by nra. nra. }
  assert (Habs := Rle_abs (p' i - p i)). rewrite Rabs_minus_sym in Habs. lra.
Qed.

Lemma eventually_nonempty i : (i < n)%nat -> exists r, eventually_below i r.
Proof.
  intros Hi. destruct (near_for 1) as [p Hp]; [lra|]. exists (p i - 1), 1. split; [lra|]. intros p' Hp'.
  assert (Hclose := near_are_close 1 p p' Rle_0_1 Hp Hp' i Hi). assert (Habs := Rle_abs (p i - p' i)). lra.
Qed.

Definition limit : vector := fun i =>
  match lt_dec i n with
  | left Hi => proj1_sig (completeness _ (eventually_bounded i Hi) (eventually_nonempty i Hi))
  | right _ => 0
  end.

Lemma limit_is_close D p : 0 < D -> objective p <= least + c / 4 * D ^ 2 ->
  forall i, (i < n)%nat -> Rabs (p i - limit i) <= D.
Proof.
  intros HD Hp i Hi. unfold limit. destruct (lt_dec i n) as [Hi'|]; [|lia].
  destruct (completeness _ (eventually_bounded i Hi') (eventually_nonempty i Hi')) as [l [Hub Hleast]]. simpl.
  assert (Hlow : p i - D <= l).
  { apply Hub. exists D. split; [assumption|]. intros p' Hp'.
    assert (Hclose := near_are_close D p p' ltac:(lra) Hp Hp' i Hi). assert (Habs := Rle_abs (p i - p' i)). lra. }
  assert (Hhigh : l <= p i + D).
  { apply Hleast. intros r (D' & HD' & Hr).
    assert (Hmin : 0 < Rmin D' D) by (apply Rmin_glb_lt; lra).
    assert (HminD' := Rmin_l D' D). assert (HminD := Rmin_r D' D).
    destruct (near_for (Rmin D' D) Hmin) as [p' Hp'].
    assert (r <= p' i) by (apply Hr; apply Rle_trans with (1 := Hp'); assert (Rmin D' D ^ 2 <= D' ^ 2) by nra; nra).
    assert (Hclose : Rabs (p i - p' i) <= D).
    { apply near_are_close; [lra|assumption| |assumption].
      apply Rle_trans with (1 := Hp'). assert (Rmin D' D ^ 2 <= D ^ 2) by nra. nra. }
    assert (Habs := Rle_abs (p' i - p i)). rewrite Rabs_minus_sym in Habs. lra. }
  apply Rabs_le. lra.
Qed.

Lemma limit_nearly_least D : 0 < D ->
  objective limit <= least + c / 4 * D ^ 2
    + D * (INR n * steepness limit + 2 * c * sum n (fun i => Rabs (limit i - theta i))).
Proof.
  intros HD. destruct (near_for D HD) as [p Hp].
  assert (Hclose := limit_is_close D p HD Hp).
  assert (Hf := falls_at_most limit (fun k => p k - limit k)). cbv beta in Hf.
  rewrite (Hreads (fun k => limit k + (p k - limit k)) p) in Hf by (intros; ring).
  assert (Hs : sum n (fun i => Rabs (p i - limit i)) <= INR n * D).
  { rewrite <- sum_const. apply sum_le. exact Hclose. }
  assert (Hb := steepness_nonneg limit).
  assert (Hd : distance2 n limit theta <= distance2 n p theta + 2 * D * sum n (fun i => Rabs (limit i - theta i))).
  { rewrite !distance2_sum, <- sum_scale, <- sum_plus. apply sum_le. intros i Hi. specialize (Hclose i Hi).
    assert (Hprod : (limit i - theta i) * (limit i - p i) <= Rabs (limit i - theta i) * D).
    { apply Rle_trans with (1 := Rle_abs _). rewrite Rabs_mult, (Rabs_minus_sym (limit i) (p i)).
      apply Rmult_le_compat_l; [apply Rabs_pos|assumption]. }
    assert (0 <= (limit i - p i) ^ 2) by apply pow2_ge_0. nra. }
  unfold objective in *.
  assert (Hm : sum n (fun i => Rabs (p i - limit i)) * steepness limit <= INR n * D * steepness limit)
    by (apply Rmult_le_compat_r; assumption).
  apply Rmult_le_compat_l with (r := c) in Hd; [|lra]. lra.
Qed.

Lemma limit_minimises p : objective limit <= objective p.
Proof.
  apply Rle_trans with least; [|apply least_below].
  set (C := INR n * steepness limit + 2 * c * sum n (fun i => Rabs (limit i - theta i))).
  destruct (Rle_lt_dec (objective limit) least) as [|Hlt]; [assumption|exfalso].
  set (g := objective limit - least).
  assert (Hg : 0 < g) by (unfold g; lra).
  assert (HC : 0 <= C).
  { unfold C. assert (0 <= INR n * steepness limit) by (apply Rmult_le_pos; [apply pos_INR|apply steepness_nonneg]).
    assert (0 <= 2 * c * sum n (fun i => Rabs (limit i - theta i)))
      by (apply Rmult_le_pos; [lra|apply sum_abs_nonneg]). lra. }
  set (D := Rmin 1 (g / (2 * (c / 4 + C)))).
  assert (Hq : 0 < g / (2 * (c / 4 + C))) by (apply Rdiv_lt_0_compat; lra).
  assert (HD : 0 < D) by (apply Rmin_glb_lt; lra).
  assert (HD1 : D <= 1) by apply Rmin_l.
  assert (HDg : D * (c / 4 + C) <= g / 2).
  { apply Rle_trans with (g / (2 * (c / 4 + C)) * (c / 4 + C)).
    - apply Rmult_le_compat_r; [lra|apply Rmin_r].
    - right. field. lra. }
  assert (Hnear := limit_nearly_least D HD). fold C in Hnear.
  assert (D ^ 2 <= D) by nra. assert (c / 4 * D ^ 2 <= c / 4 * D) by (apply Rmult_le_compat_l; lra).
  unfold g in *. lra.
Qed.

Definition proximal_point : {p | forall v, objective p <= objective v} := exist _ limit limit_minimises.

(** * At the minimiser -2 c (p - theta) is a subgradient *)

Lemma slope_at_minimiser p v : (forall v, objective p <= objective v) ->
  f p - 2 * c * dot n (fun i => p i - theta i) (fun i => v i - p i) <= f v.
Proof.
  intros Hmin. set (a := f v - f p + 2 * c * dot n (fun i => p i - theta i) (fun i => v i - p i)).
  set (b := c * distance2 n v p).
  assert (Hb : 0 <= b) by (apply Rmult_le_pos; [lra|apply distance2_nonneg]).
  assert (Hline : forall t, 0 < t <= 1 -> 0 <= a + t * b).
  { intros t Ht. assert (Hp := Hmin (fun i => t * v i + (1 - t) * p i)). unfold objective in Hp.
    assert (Hf := Hconvex v p t ltac:(lra)).
    assert (Hd : distance2 n (fun i => t * v i + (1 - t) * p i) theta = distance2 n p theta
      + 2 * t * dot n (fun i => p i - theta i) (fun i => v i - p i) + t ^ 2 * distance2 n v p).
    { unfold distance2, dot. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros. ring. }
    rewrite Hd in Hp. apply Rmult_le_reg_l with t; [lra|]. unfold a, b. lra. }
  destruct (Rle_lt_dec 0 a) as [Ha|Ha]; [unfold a in Ha; lra|exfalso].
  set (t := - a / (- a + 2 * b)). assert (Hden : 0 < - a + 2 * b) by lra.
  assert (Ht : 0 < t <= 1).
  { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (- a + 2 * b); [assumption|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  specialize (Hline t Ht). assert (Hval : t * (- a + 2 * b) = - a) by (unfold t; field; lra). nra.
Qed.

End Minimiser.
End Convex.
