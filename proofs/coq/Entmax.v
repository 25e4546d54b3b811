(** Tsallis' entropy with q = 3/2 on classes, (4/3) sum_k m_k^(3/2): strongly convex with 1, and J is at least
    (4/3)(2 - sqrt 2) Var, with equality at two classes that are equally likely. In the square roots of the
    probabilities everything is a polynomial. *)

From Coq Require Import Reals Lra Lia Arith Psatz.
From Gaptron Require Import Definitions Sums Matrices LogisticNeeds Decoders Optimal StructuredDefinitions.
From Gaptron Require Import DominatedCosts RegularisedPredictions EntropyFamilies.
Open Scope R_scope.

Definition three_halves (v : R) : R := 4 / 3 * sqrt v ^ 3.

Lemma sqrt_in_unit v : 0 <= v <= 1 -> 0 <= sqrt v <= 1 /\ sqrt v * sqrt v = v.
Proof.
  intros Hv. split; [|apply sqrt_sqrt; lra]. split; [apply sqrt_pos|]. rewrite <- sqrt_1. apply sqrt_le_1; lra.
Qed.

Lemma three_halves_above a v : 0 <= a <= 1 -> 0 <= v <= 1 ->
  three_halves a + 2 * sqrt a * (v - a) + (v - a) ^ 2 / 2 <= three_halves v.
Proof.
  intros Ha Hv. destruct (sqrt_in_unit a Ha) as [Hy Ea], (sqrt_in_unit v Hv) as [Hx Ev]. unfold three_halves.
  rewrite <- Ea at 3 4. rewrite <- Ev at 1 2. set (x := sqrt v) in *. set (y := sqrt a) in *.
  assert (H : 0 <= (x - y) ^ 2 * (2 / 3 * (2 * x + y) - (x + y) ^ 2 / 2)).
  { apply Rmult_le_pos; [apply pow2_ge_0|]. assert (0 <= x * (1 - x)) by (apply Rmult_le_pos; lra).
    assert (0 <= y * (1 - y)) by (apply Rmult_le_pos; lra). assert (0 <= x * (1 - y)) by (apply Rmult_le_pos; lra).
    assert (0 <= y * (1 - x)) by (apply Rmult_le_pos; lra). lra. }
  lra.
Qed.

Lemma three_halves_strong u v t : 0 <= u <= 1 -> 0 <= v <= 1 -> 0 <= t <= 1 ->
  three_halves (t * u + (1 - t) * v) + 1 / 2 * (t * (1 - t)) * ((u - v) * (u - v)) <=
  t * three_halves u + (1 - t) * three_halves v.
Proof.
  intros Hu Hv Ht. set (a := t * u + (1 - t) * v). assert (Ha : 0 <= a <= 1) by (unfold a; nra).
  assert (HU := three_halves_above a u Ha Hu). assert (HV := three_halves_above a v Ha Hv).
  apply Rmult_le_compat_l with (r := t) in HU; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in HV; [|lra].
  assert (Hmix : t * (three_halves a + 2 * sqrt a * (u - a) + (u - a) ^ 2 / 2)
    + (1 - t) * (three_halves a + 2 * sqrt a * (v - a) + (v - a) ^ 2 / 2)
    = three_halves a + 1 / 2 * (t * (1 - t)) * ((u - v) * (u - v))) by (generalize (sqrt a), (three_halves a);
    intros; unfold a; field).
  lra.
Qed.

(** * J against Var: with h = sqrt(1/2) every class has x^2 (1 - x) (h - x), x the root of its probability *)

Notation h := (sqrt 2 / 2).

Lemma h_squared : 0 < h < 1 /\ h * h = 1 / 2.
Proof.
  assert (H2 := sqrt_sqrt 2 ltac:(lra)). assert (Hpos : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (Hlt : sqrt 2 < 2) by nra. split; [lra|]. replace (h * h) with (sqrt 2 * sqrt 2 / 4) by field. lra.
Qed.

Definition rest (x : R) : R := (1 - x) * (h - x).

Lemma two_roots y z : 0 <= y -> 0 <= z -> y * y + z * z = 1 -> 0 <= y * y * rest y + z * z * rest z.
Proof.
  intros Hy Hz Hone. destruct h_squared as [Hh Hhh]. set (s := y + z). set (q := y * z).
  assert (Hq0 : 0 <= q) by (unfold q; now apply Rmult_le_pos).
  assert (Hq : s * s = 1 + 2 * q) by (unfold s, q; lra). assert (Hs1 : 1 <= s) by (unfold s in *; nra).
  assert (Hs2 : s <= sqrt 2).
  { assert (H2 := sqrt_sqrt 2 ltac:(lra)). assert (0 <= (y - z) * (y - z)) by apply (Rle_0_sqr (y - z)).
    apply Rsqr_incr_0_var; [|apply sqrt_pos]. unfold Rsqr. unfold s. lra. }
  assert (Hcubes : y * y * y + z * z * z = s * (1 - q)) by (unfold s, q; nra).
  assert (Hfourths : y * y * (y * y) + z * z * (z * z) = 1 - 2 * (q * q)).
  { replace (y * y * (y * y) + z * z * (z * z)) with ((y * y + z * z) * (y * y + z * z) - 2 * (q * q))
      by (unfold q; ring). rewrite Hone. ring. }
  assert (Hvalue : y * y * rest y + z * z * rest z = 1 / 2 * ((s - 1) * (s - 1) * ((2 * h - s) * (s + 1 + h)))).
  { transitivity (h * (y * y + z * z) - (1 + h) * (y * y * y + z * z * z) + (y * y * (y * y) + z * z * (z * z)));
      [unfold rest; ring|]. rewrite Hone, Hcubes, Hfourths. replace q with ((s * s - 1) / 2) by lra.
    set (k := h) in *. replace (2 * k - s) with (2 * k - s) by ring.
    transitivity (k * 1 - (1 + k) * (s * (1 - (s * s - 1) / 2)) + (1 - 2 * ((s * s - 1) / 2 * ((s * s - 1) / 2)))
      + (k * k - 1 / 2) * ((s - 1) * (s - 1))); [rewrite Hhh; ring|field]. }
  rewrite Hvalue. assert (0 <= (s - 1) * (s - 1)) by (apply (Rle_0_sqr (s - 1))).
  assert (0 <= (2 * h - s) * (s + 1 + h)) by (apply Rmult_le_pos; lra).
  assert (0 <= (s - 1) * (s - 1) * ((2 * h - s) * (s + 1 + h))) by now apply Rmult_le_pos. lra.
Qed.

Lemma rest_falls x z : 0 <= x <= z -> z <= h -> rest z <= rest x.
Proof. intros Hx Hz. destruct h_squared as [Hh _]. unfold rest. nra. Qed.

Lemma root_of_at_most_half w : 0 <= w <= 1 / 2 -> sqrt w <= h.
Proof.
  intros Hw. destruct h_squared as [Hh Hhh]. apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
  rewrite sqrt_sqrt by lra. lra.
Qed.

Lemma roots_surplus n w : is_distribution n w -> 0 <= sum n (fun i => w i * rest (sqrt (w i))).
Proof.
  intros [Hw Hone]. destruct (positive_or_none n (fun i => w i - 1 / 2)) as [(j & Hj & Hlarge)|Hsmall].
  - rewrite (sum_split n _ j Hj). rewrite (sum_split n w j Hj) in Hone. set (a := w j) in *.
    assert (Hrest : forall i, (i < n)%nat -> 0 <= without j w i).
    { intros i Hi. unfold without. destruct (Nat.eqb i j); [lra|auto]. }
    assert (Hsum : 0 <= sum n (without j w)) by now apply sum_nonneg.
    assert (Hmore : sum n (fun i => rest (sqrt (1 - a)) * without j w i) <=
      sum n (without j (fun i => w i * rest (sqrt (w i))))).
    { apply sum_le. intros i Hi. specialize (Hrest i Hi). assert (Hle := term_le_sum n (without j w) i Hi
        ltac:(intros k Hk; unfold without; destruct (Nat.eqb k j); [lra|auto])). unfold without in *.
      destruct (Nat.eqb i j); [lra|]. rewrite Rmult_comm. apply Rmult_le_compat_l; [lra|]. apply rest_falls.
      - split; [apply sqrt_pos|apply sqrt_le_1; lra].
      - apply root_of_at_most_half. lra. }
    rewrite sum_scale in Hmore. replace (sum n (without j w)) with (1 - a) in Hmore by lra.
    assert (Htwo := two_roots (sqrt a) (sqrt (1 - a)) (sqrt_pos a) (sqrt_pos (1 - a))).
    rewrite !sqrt_sqrt in Htwo by lra. specialize (Htwo ltac:(lra)). lra.
  - apply sum_nonneg. intros i Hi. specialize (Hsmall i Hi). specialize (Hw i Hi). cbv beta in Hsmall.
    apply Rmult_le_pos; [lra|]. assert (Hroot := root_of_at_most_half (w i) ltac:(lra)). destruct h_squared as [Hh _].
    unfold rest. apply Rmult_le_pos; lra.
Qed.

Theorem entmax_suits K f : (0 < K)%nat -> (forall m, f m = sum K (fun i => 4 / 3 * sqrt (m i) ^ 3)) ->
  entropy_suits K K unit_vector f 1 ((8 / 3) + ((-4 / 3) * (sqrt 2))).
Proof.
  intros HK Hf.
  assert (Hrange : forall m i, hull K K unit_vector m -> (i < K)%nat -> 0 <= m i <= 1).
  { intros m i Hm Hi. apply (hull_coordinate K K unit_vector m i 0 1); [assumption|assumption|]. intros y _.
    unfold unit_vector. destruct (Nat.eqb i y); lra. }
  apply suits with 0; [assumption|lra| | | |].
  - intros u v t Hu Hv Ht. split; [now apply hull_convex|]. rewrite !Hf. unfold distance2, dot.
    rewrite <- !sum_scale, <- !sum_plus. apply sum_le. intros i Hi.
    exact (three_halves_strong (u i) (v i) t (Hrange u i Hu Hi) (Hrange v i Hv Hi) Ht).
  - assert (H := coordinates_closed K (hull K K unit_vector) three_halves (fun _ a => 2 * sqrt a) Hrange).
    intros m e Hm He. destruct H with (m := m) (e := e) as (r & Hr & Hnear); [|assumption|assumption|].
    + intros e' a v He' Ha Hv. assert (H1 := three_halves_above a v Ha Hv). assert (H2 := pow2_ge_0 (v - a)). lra.
    + exists r. split; [assumption|]. intros v Hv Hclose. rewrite !Hf. now apply Hnear.
  - intros m _. rewrite Hf. apply sum_nonneg. intros i _. apply Rmult_le_pos; [lra|]. apply pow_le, sqrt_pos.
  - intros w Hw. rewrite variance_of_units by assumption. rewrite Hf.
    rewrite (sum_ext K (fun i => 4 / 3 * sqrt (mean K w unit_vector i) ^ 3) (fun i => 4 / 3 * (w i * sqrt (w i)))).
    2:{ intros i Hi. rewrite mean_of_units by assumption.
        replace (sqrt (w i) ^ 3) with (sqrt (w i) * sqrt (w i) * sqrt (w i)) by ring.
        rewrite sqrt_sqrt by (now apply Hw). ring. }
    replace (weighted K w (fun y => f (unit_vector y))) with (4 / 3).
    2:{ transitivity (4 / 3 * sum K w); [rewrite (proj2 Hw); ring|]. rewrite <- sum_scale. apply sum_ext. intros y Hy.
        rewrite (Rmult_comm (4 / 3)), Hf. f_equal. transitivity (sum K (fun i => if Nat.eqb i y then 4 / 3 else 0));
          [now rewrite sum_pick|]. apply sum_ext. intros i _. unfold unit_vector.
        destruct (Nat.eqb i y); [rewrite sqrt_1|rewrite sqrt_0]; ring. }
    assert (H := roots_surplus K w Hw). destruct h_squared as [Hh Hhh].
    rewrite (sum_ext K _ (fun i => h * w i - (1 + h) * (w i * sqrt (w i)) + w i * w i)) in H.
    2:{ intros i Hi. unfold rest. assert (Hs := sqrt_sqrt (w i) (proj1 Hw i Hi)).
        replace (w i * ((1 - sqrt (w i)) * (h - sqrt (w i)))) with
          (h * w i - (1 + h) * (w i * sqrt (w i)) + w i * (sqrt (w i) * sqrt (w i))) by ring. now rewrite Hs. }
    rewrite sum_plus, sum_minus, !sum_scale, (proj2 Hw) in H. rewrite sum_scale. unfold dot.
    set (T := sum K (fun i => w i * sqrt (w i))) in *. set (Q := sum K (fun i => w i * w i)) in *.
    apply Rmult_le_compat_l with (r := 4 / 3 * (2 - 2 * h)) in H; [|lra].
    replace (4 / 3 * (2 - 2 * h) * (h * 1 - (1 + h) * T + Q)) with
      (4 / 3 * ((2 * h - 2 * (h * h)) - (2 - 2 * (h * h)) * T + (2 - 2 * h) * Q)) in H by ring.
    rewrite Hhh in H. lra.
Qed.
