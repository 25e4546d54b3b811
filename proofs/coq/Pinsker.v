(** Pinsker's inequality for Shannon's entropy in the Euclidean norm: on the distributions v ln v is strongly convex
    with 2, and the binary entropy of one coordinate with 4. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Derivatives LogisticProof Optimal.
Open Scope R_scope.

(** * One coordinate: v ln v is above its tangent at a by (3/2) (v - a)^2/(v + 2 a) *)

Lemma ln_pade x : 0 < x -> (x - 1) * (5 * x + 1) / (2 * x * (x + 2)) <= ln x.
Proof.
  intros Hx. set (f := fun x => ln x - (x - 1) * (5 * x + 1) / (2 * x * (x + 2))).
  set (f' := fun x => (x - 1) ^ 3 / (x ^ 2 * (x + 2) ^ 2)). assert (Hone : f 1 = 0) by (unfold f; rewrite ln_1; field).
  assert (Hderive : forall c, 0 < c -> derivable_pt_lim f c (f' c)).
  { intros c Hc. unfold f, f'. derive; [lra|nra|]. field. lra. }
  assert (Hsign : forall c, 0 < c -> 0 <= f' c * (c - 1)).
  { intros c Hc. unfold f'. replace ((c - 1) ^ 3 / (c ^ 2 * (c + 2) ^ 2) * (c - 1))
      with (((c - 1) ^ 2) ^ 2 * / (c ^ 2 * (c + 2) ^ 2)) by (field; lra).
    apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; apply pow_lt; lra. }
  assert (H : 0 <= f x); [|unfold f in H; lra].
  destruct (Rtotal_order x 1) as [Hlt|[->|Hgt]]; [|lra|].
  - destruct (MVT_cor2 f f' x 1 Hlt) as (c & Heq & Hc); [intros; apply Hderive; lra|].
    assert (Hs := Hsign c ltac:(lra)). assert (f' c <= 0) by nra. nra.
  - destruct (MVT_cor2 f f' 1 x Hgt) as (c & Heq & Hc); [intros; apply Hderive; lra|].
    assert (Hs := Hsign c ltac:(lra)). assert (0 <= f' c) by nra. nra.
Qed.

(** For any c, without a quotient: x^2/y >= 2 c x - c^2 y. *)
Lemma tangent_gap a v c : 0 < a -> 0 <= v ->
  3 / 2 * (2 * c * Rabs (v - a) - c ^ 2 * (v + 2 * a)) <= v * ln v - a * ln a - (1 + ln a) * (v - a).
Proof.
  intros Ha Hv. apply Rle_trans with (3 / 2 * ((v - a) ^ 2 / (v + 2 * a))).
  - apply Rmult_le_compat_l; [lra|]. rewrite <- (pow2_abs (v - a)). set (r := Rabs (v - a)).
    apply Rmult_le_reg_r with (v + 2 * a); [lra|].
    replace (r ^ 2 / (v + 2 * a) * (v + 2 * a)) with (r ^ 2) by (field; lra).
    assert (H := pow2_ge_0 (r - c * (v + 2 * a))). lra.
  - destruct Hv as [Hv|<-].
    + assert (Hx : 0 < v / a) by now apply Rdiv_lt_0_compat. assert (H := ln_pade (v / a) Hx).
      apply Rmult_le_compat_l with (r := v) in H; [|lra].
      replace (v * ((v / a - 1) * (5 * (v / a) + 1) / (2 * (v / a) * (v / a + 2))))
        with (3 / 2 * ((v - a) ^ 2 / (v + 2 * a)) + (v - a)) in H by (field; lra).
      assert (Hln : ln (v / a) = ln v - ln a).
      { unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring. }
      rewrite Hln in H. lra.
    + replace (3 / 2 * ((0 - a) ^ 2 / (0 + 2 * a))) with (3 / 4 * a) by (field; lra). lra.
Qed.

Lemma negentropy_gap u v t c : 0 <= u -> 0 <= v -> 0 < t < 1 ->
  3 / 2 * (t * (1 - t)) * (2 * c * Rabs (u - v) - c ^ 2 * (2 * (t * u + (1 - t) * v) + (1 - t) * u + t * v)) <=
  t * (u * ln u) + (1 - t) * (v * ln v) - (t * u + (1 - t) * v) * ln (t * u + (1 - t) * v).
Proof.
  intros Hu Hv Ht. set (a := t * u + (1 - t) * v).
  assert (Hl : 0 <= t * u) by (apply Rmult_le_pos; lra). assert (Hr : 0 <= (1 - t) * v) by (apply Rmult_le_pos; lra).
  destruct (Req_dec a 0) as [Hz|Hne].
  - assert (u = 0) by (unfold a in Hz; nra). assert (v = 0) by (unfold a in Hz; nra). subst u v. rewrite Hz.
    rewrite Rminus_0_r, Rabs_R0. lra.
  - assert (Ha : 0 < a) by (unfold a in *; lra).
    assert (HU := tangent_gap a u ((1 - t) * c) Ha Hu). assert (HV := tangent_gap a v (t * c) Ha Hv).
    replace (u - a) with ((1 - t) * (u - v)) in HU by (unfold a; ring).
    replace (v - a) with (- t * (u - v)) in HV by (unfold a; ring).
    rewrite Rabs_mult, (Rabs_pos_eq (1 - t)) in HU by lra. rewrite Rabs_mult, Rabs_Ropp, (Rabs_pos_eq t) in HV by lra.
    apply Rmult_le_compat_l with (r := t) in HU; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in HV; [|lra].
    set (L := ln a) in *. set (r := Rabs (u - v)) in *. assert (HaL : a * L = t * u * L + (1 - t) * v * L)
      by (unfold a; ring).
    assert (Hsum := Rplus_le_compat _ _ _ _ HU HV). unfold a in *. lra.
Qed.

(** * All coordinates *)

Lemma zero_sum_entry n x k : sum n x = 0 -> (k < n)%nat -> Rabs (x k) <= / 2 * sum n (fun i => Rabs (x i)).
Proof.
  intros Hsum Hk. rewrite (sum_split n x k Hk) in Hsum. rewrite (sum_split n (fun i => Rabs (x i)) k Hk).
  assert (H : Rabs (sum n (without k x)) <= sum n (without k (fun i => Rabs (x i)))).
  { clear Hsum Hk. induction n as [|n IH]; simpl; [rewrite Rabs_R0; lra|].
    apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; [assumption|].
    unfold without. destruct (Nat.eqb n k); [rewrite Rabs_R0; lra|lra]. }
  replace (sum n (without k x)) with (- x k) in H by lra. rewrite Rabs_Ropp in H. lra.
Qed.

(** ||x||_2^2 <= ||x||_1^2/2 *)
Lemma zero_sum_squares n x : sum n x = 0 -> sum n (fun i => x i ^ 2) <= / 2 * sum n (fun i => Rabs (x i)) ^ 2.
Proof.
  intros Hsum. rewrite (sum_ext n _ (fun i => Rabs (x i) ^ 2)) by (intros; now rewrite pow2_abs).
  apply Rle_trans with (/ 2 * sum n (fun i => Rabs (x i)) * sum n (fun i => Rabs (x i))); [|lra].
  apply (sum_squares_cap n (fun i => Rabs (x i))). intros k Hk. split; [apply Rabs_pos|now apply zero_sum_entry].
Qed.

Theorem shannon_strongly_convex n u v t : is_distribution n u -> is_distribution n v -> 0 <= t <= 1 ->
  sum n (fun i => (t * u i + (1 - t) * v i) * ln (t * u i + (1 - t) * v i)) + 2 / 2 * (t * (1 - t)) * distance2 n u v <=
  t * sum n (fun i => u i * ln (u i)) + (1 - t) * sum n (fun i => v i * ln (v i)).
Proof.
  intros [Hu Hu1] [Hv Hv1] Ht. destruct (Req_dec t 0) as [->|H0].
  { rewrite (sum_ext n _ (fun i => v i * ln (v i))); [lra|]. intros.
    now rewrite Rmult_0_l, Rminus_0_r, Rmult_1_l, Rplus_0_l. }
  destruct (Req_dec t 1) as [->|H1].
  { rewrite (sum_ext n _ (fun i => u i * ln (u i))); [lra|]. intros.
    replace (1 * u i + (1 - 1) * v i) with (u i) by ring. reflexivity. }
  set (r := sum n (fun i => Rabs (u i - v i))). set (c := r / 3).
  assert (Hzero : sum n (fun i => u i - v i) = 0) by (rewrite sum_minus; lra).
  assert (Hsquares := zero_sum_squares n (fun i => u i - v i) Hzero).
  cbv beta in Hsquares. fold r in Hsquares.
  assert (Hdist : distance2 n u v = sum n (fun i => (u i - v i) ^ 2)) by (apply sum_ext; intros; ring).
  assert (Hgap : sum n (fun i => 3 / 2 * (t * (1 - t)) * (2 * c * Rabs (u i - v i)
      - c ^ 2 * (2 * (t * u i + (1 - t) * v i) + (1 - t) * u i + t * v i))) <=
    sum n (fun i => t * (u i * ln (u i)) + (1 - t) * (v i * ln (v i))
      - (t * u i + (1 - t) * v i) * ln (t * u i + (1 - t) * v i))).
  { apply sum_le. intros i Hi. apply negentropy_gap; [auto|auto|lra]. }
  rewrite sum_scale, sum_minus, !sum_scale, sum_minus, !sum_plus, !sum_scale in Hgap. fold r in Hgap.
  rewrite (sum_plus n (fun i => t * u i) (fun i => (1 - t) * v i)), !sum_scale, Hu1, Hv1 in Hgap.
  assert (Htt : 0 <= t * (1 - t)) by (apply Rmult_le_pos; lra).
  rewrite <- Hdist in Hsquares. apply Rmult_le_compat_l with (r := t * (1 - t)) in Hsquares; [|assumption].
  replace (3 / 2 * (t * (1 - t)) * (2 * c * r - c ^ 2 * (2 * (t * 1 + (1 - t) * 1) + (1 - t) * 1 + t * 1)))
    with (t * (1 - t) * (/ 2 * r ^ 2)) in Hgap by (unfold c; field). lra.
Qed.

(** The binary entropy is Shannon's of two classes. *)
Definition both (p : R) (i : nat) : R := if Nat.eqb i 0 then p else 1 - p.

Theorem binary_entropy_strongly_convex p q t : 0 <= p <= 1 -> 0 <= q <= 1 -> 0 <= t <= 1 ->
  let h := fun v => v * ln v + (1 - v) * ln (1 - v) in
  h (t * p + (1 - t) * q) + 4 / 2 * (t * (1 - t)) * ((p - q) * (p - q)) <= t * h p + (1 - t) * h q.
Proof.
  intros Hp Hq Ht h. assert (Hboth : forall r, 0 <= r <= 1 -> is_distribution 2 (both r)).
  { intros r Hr. split; [intros i _; unfold both; destruct (Nat.eqb i 0); lra|unfold both; simpl; ring]. }
  assert (H := shannon_strongly_convex 2 (both p) (both q) t (Hboth p Hp) (Hboth q Hq) Ht).
  unfold distance2, dot, both in H. simpl in H. unfold h.
  replace (1 - (t * p + (1 - t) * q)) with (t * (1 - p) + (1 - t) * (1 - q)) by ring. lra.
Qed.
