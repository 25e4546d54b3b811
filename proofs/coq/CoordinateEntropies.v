(** An entropy of one's own on outputs with entries 0 and 1: a sum over coordinates of a function phi that is continuous
    on [0, 1], with phi'' >= lambda inside, and b v (1 - v) <= v phi(1) + (1 - v) phi(0) - phi(v). *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Matrices Subgradients Convexity Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion RegularisedPredictions DominatedCosts.
From Gaptron Require Import EntropyFamilies ConvolvedEntropies.
Open Scope R_scope.

(** * From the inside to the ends *)

Lemma near_of_continuous f x e : continuity_pt f x -> 0 < e ->
  exists r, 0 < r /\ forall v, Rabs (v - x) < r -> Rabs (f v - f x) < e.
Proof.
  intros Hf He. destruct (Hf e He) as (r & Hr & Hnear). exists r. split; [exact Hr|]. intros v Hv.
  destruct (Req_dec v x) as [->|Hne]; [unfold Rminus; rewrite Rplus_opp_r, Rabs_R0; exact He|].
  apply Hnear. repeat split; [intro E; now apply Hne|exact Hv].
Qed.

Lemma nonnegative_at_end f : continuity_pt f 0 -> (forall e, 0 < e <= 1 -> 0 <= f e) -> 0 <= f 0.
Proof.
  intros Hf Hpos. destruct (Rle_lt_dec 0 (f 0)) as [|Hneg]; [assumption|exfalso].
  destruct (near_of_continuous f 0 (- f 0) Hf ltac:(lra)) as (r & Hr & Hnear).
  set (e := Rmin 1 (r / 2)). assert (He : 0 < e) by (apply Rmin_glb_lt; lra).
  assert (He1 : e <= 1) by apply Rmin_l. assert (Her : e <= r / 2) by apply Rmin_r.
  assert (H := Hnear e). rewrite Rabs_right in H by lra. specialize (H ltac:(lra)). specialize (Hpos e (conj He He1)).
  assert (Habs := Rle_abs (f e - f 0)). lra.
Qed.

Lemma mix_inside u v t : 0 < u < 1 -> 0 < v < 1 -> 0 <= t <= 1 -> 0 < t * u + (1 - t) * v < 1.
Proof.
  intros Hu Hv Ht. destruct (Rle_lt_dec t 0) as [H|H]; [replace t with 0 by lra; lra|].
  assert (0 < t * u /\ 0 < t * (1 - u)) by (split; apply Rmult_lt_0_compat; lra).
  assert (0 <= (1 - t) * v /\ 0 <= (1 - t) * (1 - v)) by (split; apply Rmult_le_pos; lra). lra.
Qed.

Lemma mix_within u v t : 0 <= u <= 1 -> 0 <= v <= 1 -> 0 <= t <= 1 -> 0 <= t * u + (1 - t) * v <= 1.
Proof.
  intros Hu Hv Ht. assert (0 <= t * u /\ 0 <= t * (1 - u)) by (split; apply Rmult_le_pos; lra).
  assert (0 <= (1 - t) * v /\ 0 <= (1 - t) * (1 - v)) by (split; apply Rmult_le_pos; lra). lra.
Qed.

Section Coordinate.
Variables (phi slope bend : R -> R) (lambda b : R).
Hypothesis is_continuous : forall v, 0 <= v <= 1 -> continuity_pt phi v.
Hypothesis has_slope : forall v, 0 < v < 1 -> derivable_pt_lim phi v (slope v).
Hypothesis has_bend : forall v, 0 < v < 1 -> derivable_pt_lim slope v (bend v).
Hypothesis bends : forall v, 0 < v < 1 -> lambda <= bend v.

Lemma tangent_and_square a v : 0 < a < 1 -> 0 < v < 1 ->
  phi a + slope a * (v - a) + lambda / 2 * (v - a) ^ 2 <= phi v.
Proof using has_slope has_bend bends.
  intros Ha Hv.
  assert (H : supports (fun x => 0 < x < 1) (fun x => phi x - lambda / 2 * x ^ 2) a (slope a - lambda * a)).
  { apply (supports_from_second_derivative _ _ (fun x => slope x - lambda * x) (fun x => bend x - lambda * 1)).
    - intros x y m Hx Hy Hm. lra.
    - intros x Hx. replace (lambda * x) with (lambda / 2 * (2 * x)) by field.
      apply (derivable_pt_lim_minus phi (fun x => lambda / 2 * x ^ 2)); [now apply has_slope|].
      apply (derivable_pt_lim_scal (fun x => x ^ 2)). replace (2 * x) with (INR 2 * x ^ 1) by (cbn; ring).
      apply derivable_pt_lim_pow.
    - intros x Hx. apply (derivable_pt_lim_minus slope (fun x => lambda * x)); [now apply has_bend|].
      apply (derivable_pt_lim_scal (fun x => x)), derivable_pt_lim_id.
    - intros x Hx. specialize (bends x Hx). lra.
    - exact Ha. }
  specialize (H v Hv). cbv beta in H. lra.
Qed.

Lemma chord_inside u v t : 0 < u < 1 -> 0 < v < 1 -> 0 <= t <= 1 ->
  phi (t * u + (1 - t) * v) + lambda / 2 * (t * (1 - t)) * (u - v) ^ 2 <= t * phi u + (1 - t) * phi v.
Proof using has_slope has_bend bends.
  intros Hu Hv Ht. set (w := t * u + (1 - t) * v).
  assert (Hw : 0 < w < 1) by now apply mix_inside.
  assert (H1 := tangent_and_square w u Hw Hu). assert (H2 := tangent_and_square w v Hw Hv).
  apply Rmult_le_compat_l with (r := t) in H1; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in H2; [|lra].
  apply Rle_trans with (2 := Rplus_le_compat _ _ _ _ H1 H2). right. unfold w. field.
Qed.

(** Both ends of the chord are moved a little towards 1/2. *)
Let inward (x e : R) : R := (1 - e) * x + e / 2.

Lemma chord u v t : 0 <= u <= 1 -> 0 <= v <= 1 -> 0 <= t <= 1 ->
  phi (t * u + (1 - t) * v) + lambda / 2 * (t * (1 - t)) * (u - v) ^ 2 <= t * phi u + (1 - t) * phi v.
Proof using is_continuous has_slope has_bend bends.
  intros Hu Hv Ht. set (w := t * u + (1 - t) * v).
  assert (Hw : 0 <= w <= 1) by now apply mix_within.
  set (G := fun e => t * phi (inward u e) + (1 - t) * phi (inward v e) - phi (inward w e)
    - lambda / 2 * (t * (1 - t)) * (u - v) ^ 2 * (1 - e) ^ 2).
  assert (Hin : forall x, 0 <= x <= 1 -> continuity_pt (fun e => phi (inward x e)) 0).
  { intros x Hx. apply (continuity_pt_comp (inward x) phi).
    - apply derivable_continuous_pt. unfold inward. reg.
    - replace (inward x 0) with x by (unfold inward; field). now apply is_continuous. }
  assert (H : 0 <= G 0).
  { apply nonnegative_at_end.
    - unfold G. apply (continuity_pt_minus (fun e => t * phi (inward u e) + (1 - t) * phi (inward v e) - phi (inward w e))).
      + apply (continuity_pt_minus (fun e => t * phi (inward u e) + (1 - t) * phi (inward v e))); [|now apply Hin].
        apply (continuity_pt_plus (fun e => t * phi (inward u e)));
          [apply (continuity_pt_scal (fun e => phi (inward u e)))|apply (continuity_pt_scal (fun e => phi (inward v e)))];
          now apply Hin.
      + apply derivable_continuous_pt. reg.
    - intros e He. unfold G.
      assert (Hmid : forall x, 0 <= x <= 1 -> 0 < inward x e < 1) by (intros x Hx; unfold inward; split; nra).
      assert (Hc := chord_inside _ _ t (Hmid u Hu) (Hmid v Hv) Ht).
      replace (t * inward u e + (1 - t) * inward v e) with (inward w e) in Hc by (unfold inward, w; ring).
      replace (inward u e - inward v e) with ((1 - e) * (u - v)) in Hc by (unfold inward; ring).
      rewrite Rpow_mult_distr in Hc. lra. }
  unfold G, inward in H. replace ((1 - 0) * u + 0 / 2) with u in H by field.
  replace ((1 - 0) * v + 0 / 2) with v in H by field. replace ((1 - 0) * w + 0 / 2) with w in H by field.
  replace ((1 - 0) ^ 2) with 1 in H by ring. lra.
Qed.

(** Its tangents inside are below it, at the ends too. *)
Lemma tangent_below a v : 0 <= lambda -> 0 < a < 1 -> 0 <= v <= 1 -> phi a + slope a * (v - a) <= phi v.
Proof using is_continuous has_slope has_bend bends.
  intros Hlambda Ha Hv. set (G := fun e => phi (inward v e) - (phi a + slope a * (inward v e - a))).
  assert (H : 0 <= G 0).
  { apply nonnegative_at_end.
    - unfold G. apply (continuity_pt_minus (fun e => phi (inward v e))).
      + apply (continuity_pt_comp (inward v) phi).
        * apply derivable_continuous_pt. unfold inward. reg.
        * replace (inward v 0) with v by (unfold inward; field). now apply is_continuous.
      + apply derivable_continuous_pt. unfold inward. reg.
    - intros e He. unfold G. assert (Hin : 0 < inward v e < 1) by (unfold inward; split; nra).
      assert (H := tangent_and_square a _ Ha Hin). assert (Hs := pow2_ge_0 (inward v e - a)).
      assert (0 <= lambda / 2 * (inward v e - a) ^ 2) by (apply Rmult_le_pos; lra). lra. }
  unfold G, inward in H. replace ((1 - 0) * v + 0 / 2) with v in H by field. lra.
Qed.

(** * Sums *)

Lemma sums_are_close n m e : (forall i, (i < n)%nat -> 0 <= m i <= 1) -> 0 < e ->
  exists r, 0 < r /\ forall v, (forall i, (i < n)%nat -> Rabs (v i - m i) < r) ->
    sum n (fun i => phi (m i)) - e < sum n (fun i => phi (v i)).
Proof using is_continuous.
  revert e. induction n as [|n IH]; intros e Hm He; [exists 1; split; [lra|]; intros; cbn [sum]; lra|].
  destruct (IH (e / 2) ltac:(auto) ltac:(lra)) as (r & Hr & Hnear).
  destruct (near_of_continuous phi (m n) (e / 2) (is_continuous _ (Hm n ltac:(lia))) ltac:(lra)) as (r' & Hr' & Hlast).
  exists (Rmin r r'). split; [now apply Rmin_glb_lt|]. intros v Hv. cbn [sum].
  assert (H1 : sum n (fun i => phi (m i)) - e / 2 < sum n (fun i => phi (v i))).
  { apply Hnear. intros i Hi. apply Rlt_le_trans with (1 := Hv i ltac:(lia)), Rmin_l. }
  assert (H2 := Hlast (v n) (Rlt_le_trans _ _ _ (Hv n ltac:(lia)) (Rmin_r r r'))).
  apply Rabs_def2 in H2. lra.
Qed.

Section Outputs.
Variables (N n : nat) (output : nat -> vector) (f : vector -> R).
Hypothesis Hbinary : is_binary N n output.
Hypothesis Hf : forall m, f m = sum n (fun i => phi (m i)).
Hypothesis positive : 0 < lambda.
Hypothesis share : forall v, 0 < v < 1 -> b * (v * (1 - v)) <= v * phi 1 + (1 - v) * phi 0 - phi v.

Lemma share_at_ends v : 0 <= v <= 1 -> b * (v * (1 - v)) <= v * phi 1 + (1 - v) * phi 0 - phi v.
Proof using share.
  intros [[H0|<-] [H1| ->]]; [now apply share|lra|lra|lra].
Qed.

Lemma gap_of_coordinates w : is_distribution N w ->
  b * variance n N w output <= weighted N w (fun y => f (output y)) - f (mean N w output).
Proof using Hbinary Hf share.
  intros Hw. rewrite (variance_of_binary N n output Hbinary w Hw), Hf. set (m := mean N w output).
  assert (Hall : weighted N w (fun y => f (output y)) = sum n (fun i => m i * phi 1 + (1 - m i) * phi 0)).
  { unfold weighted. rewrite (sum_ext N _ (fun y => sum n (fun i => w y * phi (output y i))))
      by (intros; rewrite Hf, sum_scale; reflexivity).
    rewrite sum_swap. apply sum_ext. intros i Hi.
    transitivity (phi 0 * sum N w + (phi 1 - phi 0) * m i).
    - unfold m, mean, weighted. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros y Hy.
      destruct (Hbinary y i Hy Hi) as [->| ->]; ring.
    - rewrite (proj2 Hw). ring. }
  rewrite Hall, <- sum_minus, <- sum_scale. apply sum_le. intros i Hi. apply share_at_ends.
  apply (hull_of_binary N n output Hbinary); [now apply mean_in_hull|exact Hi].
Qed.

Theorem coordinates_suit : (0 < N)%nat -> entropy_suits N n output f lambda b.
Proof using All.
  intros HN. assert (Hrange := hull_of_binary N n output Hbinary).
  destruct (continuity_ab_min phi 0 1 ltac:(lra) is_continuous) as (low & Hlow & _).
  apply suits with (INR n * phi low); [assumption|assumption| | | |].
  - intros u v t Hu Hv Ht. split; [now apply hull_convex|]. rewrite !Hf. unfold distance2, dot.
    rewrite <- !sum_scale, <- !sum_plus. apply sum_le. intros i Hi.
    assert (H := chord (u i) (v i) t (Hrange u i Hu Hi) (Hrange v i Hv Hi) Ht). lra.
  - intros m e Hm He.
    destruct (sums_are_close n m e (fun i Hi => Hrange m i Hm Hi) He) as (r & Hr & Hnear).
    exists ((r / 2) ^ 2). split; [apply pow_lt; lra|]. intros v Hv Hclose. rewrite !Hf. apply Hnear.
    intros i Hi. assert (H := entry_close n v m (r / 2) i ltac:(lra) Hclose Hi). lra.
  - intros m Hm. rewrite Hf, <- sum_const. apply sum_le. intros i Hi. apply Hlow. now apply Hrange.
  - exact gap_of_coordinates.
Qed.
End Outputs.
End Coordinate.

(** * Continuity of what is written: logarithms that are singular at an end have their factors *)

Lemma ln_outside v : v <= 0 -> ln v = 0.
Proof. intros H. unfold ln. destruct (Rlt_dec 0 v) as [Hv|]; [exfalso; lra|reflexivity]. Qed.

Lemma negentropy_continuous v : 0 <= v -> continuity_pt (fun v => v * ln v) v.
Proof.
  intros [Hv|<-].
  - apply (continuity_pt_mult (fun v => v) ln); [apply derivable_continuous_pt; reg|].
    apply derivable_continuous_pt. exists (/ v). now apply derivable_pt_lim_ln.
  - intros e He. set (c := Rabs (1 + ln (e / 2))). assert (Hc : 0 <= c) by apply Rabs_pos.
    exists (Rmin 1 (e / 2 / (1 + c))). split; [apply Rmin_glb_lt; [lra|repeat apply Rdiv_lt_0_compat; lra]|].
    intros v [_ Hv]. simpl in *. unfold R_dist in *. rewrite Rminus_0_r in Hv.
    replace (v * ln v - 0 * ln 0) with (v * ln v) by ring.
    destruct (Rle_lt_dec v 0) as [Hn|Hp]; [rewrite (ln_outside v Hn), Rmult_0_r, Rabs_R0; exact He|].
    rewrite (Rabs_right v) in Hv by lra. assert (Hv1 := Rlt_le_trans _ _ _ Hv (Rmin_l _ _)).
    assert (Hvc := Rlt_le_trans _ _ _ Hv (Rmin_r _ _)).
    apply Rmult_lt_compat_r with (r := 1 + c) in Hvc; [|lra].
    replace (e / 2 / (1 + c) * (1 + c)) with (e / 2) in Hvc by (field; lra).
    assert (Habove := negentropy_above (e / 2) v ltac:(lra) ltac:(lra)).
    assert (Hslope : - c <= 1 + ln (e / 2)) by (assert (H := Rle_abs (- (1 + ln (e / 2)))); rewrite Rabs_Ropp in H; unfold c; lra).
    apply Rmult_le_compat_l with (r := v) in Hslope; [|lra].
    assert (Hln : ln v <= 0) by (rewrite <- ln_1; left; now apply ln_increasing).
    assert (v * ln v <= v * 0) by (apply Rmult_le_compat_l; lra).
    rewrite Rabs_left1 by lra. nra.
Qed.

Lemma continuous_with_entropies phi p q rest : (forall v, phi v = p * (v * ln v) + q * ((1 - v) * ln (1 - v)) + rest v) ->
  (forall v, 0 <= v <= 1 -> continuity_pt rest v) -> forall v, 0 <= v <= 1 -> continuity_pt phi v.
Proof.
  intros Hphi Hrest v Hv.
  assert (H : continuity_pt (fun v => p * (v * ln v) + q * ((1 - v) * ln (1 - v)) + rest v) v).
  { apply (continuity_pt_plus (fun v => p * (v * ln v) + q * ((1 - v) * ln (1 - v)))); [|now apply Hrest].
    apply (continuity_pt_plus (fun v => p * (v * ln v))).
    - apply (continuity_pt_scal (fun v => v * ln v)), negentropy_continuous. lra.
    - apply (continuity_pt_scal (fun v => (1 - v) * ln (1 - v))).
      apply (continuity_pt_comp (fun v => 1 - v) (fun v => v * ln v)); [apply derivable_continuous_pt; reg|].
      apply negentropy_continuous. lra. }
  intros e He. destruct (H e He) as (r & Hr & Hnear). exists r. split; [exact Hr|]. intros x Hx. rewrite !Hphi.
  now apply Hnear.
Qed.

Lemma continuity_pt_pow f n x : continuity_pt f x -> continuity_pt (fun v => f v ^ n) x.
Proof.
  intros H. apply (continuity_pt_comp f (fun v => v ^ n)); [exact H|].
  apply derivable_continuous_pt, derivable_pt_pow.
Qed.

Lemma continuity_pt_exp f x : continuity_pt f x -> continuity_pt (fun v => exp (f v)) x.
Proof. intros H. apply (continuity_pt_comp f exp); [exact H|]. apply derivable_continuous_pt, derivable_pt_exp. Qed.

Lemma continuity_pt_ln f x : 0 < f x -> continuity_pt f x -> continuity_pt (fun v => ln (f v)) x.
Proof.
  intros Hpos H. apply (continuity_pt_comp f ln); [exact H|]. apply derivable_continuous_pt. exists (/ f x).
  now apply derivable_pt_lim_ln.
Qed.

Lemma continuity_pt_root f x : 0 <= f x -> continuity_pt f x -> continuity_pt (fun v => sqrt (f v)) x.
Proof. intros Hpos H. apply (continuity_pt_comp f sqrt); [exact H|now apply continuity_pt_sqrt]. Qed.

Ltac continuous_step :=
  lazymatch goal with
  | |- continuity_pt (fun _ => ?c) _ => apply continuity_pt_const; intros ? ?; reflexivity
  | |- continuity_pt (fun b => b) _ => apply derivable_continuous_pt, derivable_pt_id
  | |- continuity_pt (fun b => @?f b + @?g b) _ => apply (continuity_pt_plus f g)
  | |- continuity_pt (fun b => @?f b * @?g b) _ => apply (continuity_pt_mult f g)
  | |- continuity_pt (fun b => / @?g b) _ => apply (continuity_pt_inv g)
  | |- continuity_pt (fun b => @?f b ^ ?n) _ => apply (continuity_pt_pow f n)
  | |- continuity_pt (fun b => exp (@?f b)) _ => apply (continuity_pt_exp f)
  | |- continuity_pt (fun b => ln (@?f b)) _ => apply (continuity_pt_ln f)
  | |- continuity_pt (fun b => sqrt (@?f b)) _ => apply (continuity_pt_root f)
  end.

Ltac continuous_on_unit :=
  let x := fresh "x" in let Hx := fresh "Hx" in
  intros x Hx; repeat continuous_step; cbv beta; first [lra | apply Rgt_not_eq; lra | nra | apply Rgt_not_eq; nra].

(** The value of an entropy that is written out at 0 or 1. *)
Ltac at_ends := rewrite ?sqrt_0, ?sqrt_1, ?exp_0;
  repeat match goal with |- context [ln ?a] =>
    replace (ln a) with 0 by (replace a with 1 by lra; symmetry; exact ln_1) end.

(** Inside of [0, 1] the roots of v and of 1 - v are no zeros. *)
Ltac positive_roots :=
  lazymatch goal with H : 0 < ?v < 1 |- _ =>
    destruct H; assert (0 < sqrt v /\ 0 < sqrt (1 + -1 * v)) as [? ?] by (split; apply sqrt_lt_R0; lra)
  end.

Lemma by_quotient z x y : 0 < z -> x / z <= y / z -> x <= y.
Proof. intros Hz H. apply Rmult_le_reg_r with (/ z); [now apply Rinv_0_lt_compat|exact H]. Qed.

(** Two forms of one entropy. *)
Ltac same_entropy := cbv beta; first [ring | field |
  match goal with |- context [ln (1 + -1 * ?a)] => replace (1 + -1 * a) with (1 - a) by ring; field end].

Theorem own_entropy_suits phi slope bend lambda b N n output f : (0 < N)%nat ->
  (forall m, f m = sum n (fun i => phi (m i))) -> is_binary N n output -> 0 < lambda ->
  (forall v, 0 <= v <= 1 -> continuity_pt phi v) ->
  (forall v, 0 < v < 1 -> derivable_pt_lim phi v (slope v)) ->
  (forall v, 0 < v < 1 -> derivable_pt_lim slope v (bend v)) ->
  (forall v, 0 < v < 1 -> lambda <= bend v) ->
  (forall v, 0 < v < 1 -> b * (v * (1 - v)) <= v * phi 1 + (1 - v) * phi 0 - phi v) ->
  entropy_suits N n output f lambda b.
Proof. intros HN Hf Hbinary Hlambda Hc Hs Hb Hbends Hshare. now apply (coordinates_suit phi slope bend). Qed.
