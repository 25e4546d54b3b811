(** What the labels need with the logistic loss and eta = 2 ln(2)^2/X^2 sums to at most one, whatever the number of
    classes.

    A label with probability p needs at most f(p) = 1 + log2 p + 2 (1 - p)^2. As f(p) <= 5 p/3 - 2/9, three labels with
    f > 0 and more need at most 5/3 - 3 (2/9) = 1 together. One or two are looked at by themselves. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Decoders Paper LogisticProof Logarithms.
Open Scope R_scope.

Definition logistic_need (p : R) : R := 1 - logistic p + 2 * (1 - p) ^ 2.

(** Everything times ln 2. *)
Lemma logistic_need_scaled p : logistic_need p * ln 2 = ln 2 + ln p + 2 * ln 2 * (1 - p) ^ 2.
Proof. assert (H2 := ln_2_range). unfold logistic_need, logistic, log2. field. lra. Qed.

Lemma scaled_le a b : a * ln 2 <= b * ln 2 -> a <= b.
Proof. intros H. assert (H2 := ln_2_range). apply Rmult_le_reg_r with (ln 2); lra. Qed.

Lemma ln_tangent_at c p : 0 < c -> 0 < p -> ln p <= c * p - 1 - ln c.
Proof.
  intros Hc Hp. assert (H := ln_tangent (c * p) ltac:(now apply Rmult_lt_0_compat)). rewrite ln_mult in H by lra. lra.
Qed.

(** Linear in [l]: enough at both ends. *)
Lemma linear_between l a b c d :
  c <= l <= d -> c < d -> a + b * c <= 0 -> a + b * d <= 0 -> a + b * l <= 0.
Proof. intros Hl Hcd Hc Hd. destruct (Rle_dec 0 b); nra. Qed.

Lemma need_below_line p : 0 < p <= 1 -> logistic_need p <= 5 / 3 * p - 2 / 9.
Proof.
  intros Hp. apply scaled_le. rewrite logistic_need_scaled. assert (H2 := ln_2_between). assert (H3 := ln_3_at_least).
  assert (H4 : ln 4 = 2 * ln 2) by (replace 4 with (2 * 2) by ring; rewrite ln_mult by lra; ring).
  set (l := ln 2) in *. set (excess := 2 * (1 - p) ^ 2 - (5 / 3 * p - 2 / 9)).
  assert (Hgoal : ln p + (1 + excess) * l <= 0); [|unfold excess in Hgoal; lra].
  destruct (Rle_dec p (3 / 10)) as [Hlow|Hlow]; [|destruct (Rle_dec p (2 / 5)) as [Hthird|Hthird];
    [|destruct (Rle_dec p (13 / 20)) as [Hhalf|Hhalf]]].
  - assert (Ht := ln_tangent_at 4 p ltac:(lra) (proj1 Hp)).
    assert ((4 * p - 1) + (excess - 1) * l <= 0); [|lra].
    apply linear_between with (c := 69 / 100) (d := 7 / 10); [exact H2|lra|unfold excess; nra..].
  - assert (Ht := ln_tangent_at 3 p ltac:(lra) (proj1 Hp)).
    assert ((3 * p - 1) + (excess + 1 - 11 / 7) * l <= 0); [|lra].
    apply linear_between with (c := 69 / 100) (d := 7 / 10); [exact H2|lra|unfold excess; nra..].
  - assert (Ht := ln_tangent_at 2 p ltac:(lra) (proj1 Hp)). fold l in Ht.
    assert ((2 * p - 1) + excess * l <= 0); [|lra].
    apply linear_between with (c := 69 / 100) (d := 7 / 10); [exact H2|lra|unfold excess; nra..].
  - assert (Ht := ln_tangent p (proj1 Hp)).
    assert ((p - 1) + (1 + excess) * l <= 0); [|lra].
    apply linear_between with (c := 69 / 100) (d := 7 / 10); [exact H2|lra|unfold excess; nra..].
Qed.

Lemma need_of_one p : 0 < p <= 1 -> logistic_need p <= 1.
Proof.
  intros Hp. destruct (Rle_dec p (11 / 15)); [assert (H := need_below_line p Hp); lra|].
  apply scaled_le. rewrite logistic_need_scaled. assert (H2 := ln_2_between).
  assert (Ht := ln_tangent p (proj1 Hp)). assert (Hsmall : 2 * ln 2 * (1 - p) <= 1) by nra.
  apply Rmult_le_compat_r with (r := 1 - p) in Hsmall; [|lra].
  replace (2 * ln 2 * (1 - p) ^ 2) with (2 * ln 2 * (1 - p) * (1 - p)) by ring. lra.
Qed.

Lemma need_of_two p q : 2 / 15 <= p -> 2 / 15 <= q -> p + q <= 1 -> logistic_need p + logistic_need q <= 1.
Proof.
  intros Hp Hq Hsum. apply scaled_le. rewrite Rmult_plus_distr_r, !logistic_need_scaled.
  assert (H2 := ln_2_between). set (s := p + q) in *.
  assert (Hs : 4 / 15 <= s <= 1) by (unfold s in *; lra). set (v := (p - q) ^ 2 / s ^ 2).
  assert (Hs2 : 0 < s ^ 2) by (apply pow_lt; unfold s; lra).
  assert (Hv : (p - q) ^ 2 = v * s ^ 2) by (unfold v; field; unfold s; lra).
  assert (Hv0 : 0 <= v) by (apply Rmult_le_pos; [apply pow2_ge_0|]; left; now apply Rinv_0_lt_compat).
  assert (Hproduct : ln p + ln q <= - v + 2 * (s - 1) - 2 * ln 2).
  { assert (Hmean : p * q = s / 2 * (s / 2) * (4 * (p * q) / s ^ 2)) by (unfold s; field; unfold s in *; lra).
    assert (Hpq : 0 < p * q) by nra. assert (Hshare : 0 < 4 * (p * q) / s ^ 2).
    { apply Rmult_lt_0_compat; [lra|]. now apply Rinv_0_lt_compat. }
    assert (Ht := ln_tangent _ Hshare). assert (Hts := ln_tangent_at 2 (s / 2) ltac:(lra) ltac:(unfold s; lra)).
    assert (Hshift : 4 * (p * q) / s ^ 2 - 1 = - v) by (unfold v, s; field; unfold s in *; lra).
    rewrite <- ln_mult by lra. rewrite Hmean, !ln_mult by (unfold s in *; nra). lra. }
  replace (2 * ln 2 * (1 - p) ^ 2) with (ln 2 * ((2 - s) ^ 2 + (p - q) ^ 2) - 2 * ln 2 * (1 - q) ^ 2)
    by (unfold s; ring).
  rewrite Hv. assert (Hspread : ln 2 * (v * s ^ 2) <= v).
  { assert (Hs1 : s ^ 2 <= 1) by (clear - Hs; nra). assert (Hle : v * s ^ 2 <= v) by (clear - Hs1 Hv0; nra).
    assert (Hpos : 0 <= v * s ^ 2) by (apply Rmult_le_pos; lra). clear - Hle Hpos H2. nra. }
  assert (Hmissing : 2 * (s - 1) + ln 2 * ((2 - s) ^ 2 - 1) <= 0).
  { assert (Hw : ln 2 * (3 - s) <= 2) by (clear - Hs H2; nra).
    apply Rmult_le_compat_r with (r := 1 - s) in Hw; [|lra].
    replace ((2 - s) ^ 2 - 1) with ((3 - s) * (1 - s)) by ring. lra. }
  lra.
Qed.

Theorem logistic_needs K p : (forall k, (k < K)%nat -> 0 < p k <= 1) -> sum K p = 1 ->
  sum K (fun k => Rmax 0 (logistic_need (p k))) <= 1.
Proof.
  intros Hp Hone. set (f := fun k => logistic_need (p k)). set (m := fun k => Rmax 0 (f k)).
  change (sum K m <= 1).
  assert (Hline : forall k, (k < K)%nat -> f k <= 5 / 3 * p k - 2 / 9) by (intros; now apply need_below_line, Hp).
  assert (Hrest : forall k, (k < K)%nat -> m k <= 5 / 3 * p k).
  { intros k Hk. specialize (Hline k Hk). specialize (Hp k Hk). unfold m. apply Rmax_lub; lra. }
  assert (Hm : forall k, 0 < f k -> m k = f k) by (intros; unfold m; apply Rmax_right; lra).
  assert (Hm0 : forall k, f k <= 0 -> m k = 0) by (intros; unfold m; apply Rmax_left; lra).
  destruct (positive_or_none K f) as [(i & Hi & Hfi)|Hnone];
    [|rewrite sum_zero by (intros; now apply Hm0, Hnone); lra].
  rewrite (sum_split K m i Hi), Hm by exact Hfi. rewrite (sum_split K p i Hi) in Hone.
  destruct (positive_or_none K (without i f)) as [(j & Hj & Hfj)|Hnone].
  2: { rewrite sum_zero; [rewrite Rplus_0_r; now apply need_of_one, Hp|].
    intros k Hk. specialize (Hnone k Hk). unfold without in *. destruct (Nat.eqb k i); [reflexivity|]. now apply Hm0. }
  assert (Hji : Nat.eqb j i = false) by (unfold without in Hfj; destruct (Nat.eqb j i); [lra|reflexivity]).
  rewrite (sum_split K (without i m) j Hj). rewrite (sum_split K (without i p) j Hj) in Hone.
  unfold without at 1 in Hone. unfold without at 1 in Hfj. unfold without at 1. rewrite Hji in *.
  rewrite (Hm j) by exact Hfj.
  assert (Hpi := Hline i Hi). assert (Hpj := Hline j Hj).
  destruct (positive_or_none K (without j (without i f))) as [(n & Hn & Hfn)|Hnone].
  2: { rewrite sum_zero.
    - rewrite Rplus_0_r. apply need_of_two; [lra|lra|].
      assert (0 <= sum K (without j (without i p))); [|lra]. apply sum_nonneg. intros k Hk. unfold without.
      specialize (Hp k Hk). destruct (Nat.eqb k j), (Nat.eqb k i); lra.
    - intros k Hk. specialize (Hnone k Hk). unfold without in *.
      destruct (Nat.eqb k j); [reflexivity|]. destruct (Nat.eqb k i); [reflexivity|]. now apply Hm0. }
  assert (Hnj : Nat.eqb n j = false) by (unfold without in Hfn; destruct (Nat.eqb n j); [lra|reflexivity]).
  assert (Hni : Nat.eqb n i = false).
  { unfold without in Hfn. rewrite Hnj in Hfn. destruct (Nat.eqb n i); [lra|reflexivity]. }
  set (m' := without j (without i m)). set (p' := without j (without i p)) in *.
  rewrite (sum_split K m' n Hn). rewrite (sum_split K p' n Hn) in Hone.
  assert (Hm'n : m' n = f n).
  { unfold m', without in *. rewrite Hnj, Hni in *. now apply Hm. }
  assert (Hp'n : p' n = p n) by (unfold p', without; now rewrite Hnj, Hni).
  rewrite Hm'n. rewrite Hp'n in Hone. assert (Hpn := Hline n Hn).
  assert (Hothers : sum K (without n m') <= 5 / 3 * sum K (without n p')).
  { rewrite <- sum_scale. apply sum_le. intros k Hk. unfold m', p', without.
    destruct (Nat.eqb k n), (Nat.eqb k j), (Nat.eqb k i); try lra. now apply Hrest. }
  lra.
Qed.
