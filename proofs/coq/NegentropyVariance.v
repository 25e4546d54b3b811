(** 2 ln(2) (1 - ||w||^2) is at most Shannon's entropy of w, for any number of classes, and 4 ln(2) p (1 - p) at most
    the binary one: with equality at two outputs that are equally likely. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Derivatives LogisticProof Logarithms LogisticNeeds Decoders.
Open Scope R_scope.

Lemma grows_from_zero f f' x : f 0 = 0 -> 0 <= x -> (forall c, 0 <= c <= x -> derivable_pt_lim f c (f' c)) ->
  (forall c, 0 <= c <= x -> 0 <= f' c) -> 0 <= f x.
Proof.
  intros Hzero [Hx|<-] Hderive Hpos; [|lra].
  destruct (MVT_cor2 f f' 0 x Hx) as (c & Heq & Hc); [exact Hderive|].
  specialize (Hpos c ltac:(lra)). assert (0 <= f' c * (x - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** * Two classes, with probabilities (1 - u)/2 and (1 + u)/2 *)

Lemma half_logarithms u : 0 <= u <= 7 / 10 -> (ln (1 + u) - ln (1 - u)) / 2 <= u + 2 / 3 * u ^ 3.
Proof.
  intros Hu. assert (0 <= u + 2 / 3 * u ^ 3 - (ln (1 + u) - ln (1 - u)) / 2); [|lra].
  apply (grows_from_zero (fun u => u + 2 / 3 * u ^ 3 - (ln (1 + u) - ln (1 - u)) / 2)
    (fun u => u ^ 2 * (1 - 2 * u ^ 2) / (1 - u ^ 2))); [|lra| |].
  - rewrite Rplus_0_r, Rminus_0_r, ln_1. field.
  - intros c Hc. derive; try lra. field. nra.
  - intros c Hc. assert (Hc2 : c ^ 2 <= 49 / 100) by nra. assert (Hsq : 0 <= c ^ 2) by apply pow2_ge_0.
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma even_entropies u : 0 <= u <= 7 / 10 ->
  ((1 + u) * ln (1 + u) + (1 - u) * ln (1 - u)) / 2 <= u ^ 2 / 2 + u ^ 4 / 6.
Proof.
  intros Hu. assert (0 <= u ^ 2 / 2 + u ^ 4 / 6 - ((1 + u) * ln (1 + u) + (1 - u) * ln (1 - u)) / 2); [|lra].
  apply (grows_from_zero (fun u => u ^ 2 / 2 + u ^ 4 / 6 - ((1 + u) * ln (1 + u) + (1 - u) * ln (1 - u)) / 2)
    (fun u => u + 2 / 3 * u ^ 3 - (ln (1 + u) - ln (1 - u)) / 2)); [|lra| |].
  - rewrite Rplus_0_r, Rminus_0_r, ln_1. field.
  - intros c Hc. derive; try lra. field. lra.
  - intros c Hc. assert (H := half_logarithms c ltac:(lra)). lra.
Qed.

Lemma binary_entropy_above_small p : 0 <= p <= 1 / 2 ->
  4 * ln 2 * (p * (1 - p)) <= - (p * ln p + (1 - p) * ln (1 - p)).
Proof.
  intros Hp. assert (H2 := ln_2_between). destruct (Rle_lt_dec p (3 / 20)) as [Hsmall|Hlarge].
  - destruct (proj1 Hp) as [Hpos|<-]; [|rewrite Rminus_0_r, ln_1; lra].
    assert (Hln : ln p <= - (9 / 5)).
    { apply Rle_trans with (ln (3 / 20)); [destruct Hsmall as [Hlt| ->]; [left; now apply ln_increasing|lra]|].
      replace (3 / 20) with (6 / 5 * / 2 * / 2 * / 2) by field. rewrite !ln_mult, !ln_Rinv by lra.
      assert (H := ln_tangent (6 / 5) ltac:(lra)). lra. }
    assert (Hrest := ln_tangent (1 - p) ltac:(lra)).
    assert (p * ln p <= p * - (9 / 5)) by (apply Rmult_le_compat_l; lra).
    assert ((1 - p) * ln (1 - p) <= (1 - p) * (1 - p - 1)) by (apply Rmult_le_compat_l; lra).
    assert (ln 2 * (p * (1 - p)) <= 7 / 10 * (p * (1 - p))).
    { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|lra]. }
    assert (0 <= p * p) by (apply Rmult_le_pos; lra). lra.
  - set (u := 1 - 2 * p). assert (Hu : 0 <= u <= 7 / 10) by (unfold u; lra). assert (H := even_entropies u Hu).
    assert (Hone : ln p = ln (1 - u) - ln 2).
    { replace p with ((1 - u) * / 2) by (unfold u; field). rewrite ln_mult, ln_Rinv by (unfold u; lra). ring. }
    assert (Htwo : ln (1 - p) = ln (1 + u) - ln 2).
    { replace (1 - p) with ((1 + u) * / 2) by (unfold u; field). rewrite ln_mult, ln_Rinv by (unfold u; lra). ring. }
    rewrite Hone, Htwo. replace p with ((1 - u) / 2) by (unfold u; field).
    assert (Hu2 : u ^ 2 <= 49 / 100) by nra. assert (Hsq : 0 <= u ^ 2) by apply pow2_ge_0.
    assert (u ^ 2 * u ^ 2 <= 49 / 100 * u ^ 2) by (apply Rmult_le_compat_r; lra).
    assert (69 / 100 * u ^ 2 <= ln 2 * u ^ 2) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Theorem binary_entropy_above p : 0 <= p <= 1 ->
  4 * ln 2 * (p * (1 - p)) <= - (p * ln p + (1 - p) * ln (1 - p)).
Proof.
  intros Hp. destruct (Rle_lt_dec p (1 / 2)); [apply binary_entropy_above_small; lra|].
  assert (H := binary_entropy_above_small (1 - p) ltac:(lra)). replace (1 - (1 - p)) with p in H by ring. lra.
Qed.

(** * Any number of classes *)

(** What a class that has the probability v contributes, over v. *)
Definition surplus (v : R) : R := - ln v - 2 * ln 2 * (1 - v).

Lemma surplus_falls v w : 0 < v <= w -> w <= 1 / 2 -> surplus w <= surplus v.
Proof.
  intros Hv Hw. assert (H2 := ln_2_between). assert (H := ln_tangent (v / w) ltac:(apply Rdiv_lt_0_compat; lra)).
  assert (Hln : ln (v / w) = ln v - ln w).
  { unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring. }
  rewrite Hln in H. replace (v / w - 1) with (- ((w - v) * / w)) in H by (field; lra).
  assert (Hinv : 2 <= / w) by (replace 2 with (/ (1 / 2)) by field; apply Rinv_le_contravar; lra).
  assert ((w - v) * 2 <= (w - v) * / w) by (apply Rmult_le_compat_l; lra).
  assert ((w - v) * ln 2 <= (w - v) * 1) by (apply Rmult_le_compat_l; lra). unfold surplus. lra.
Qed.

Lemma surplus_nonneg v : 0 < v <= 1 / 2 -> 0 <= surplus v.
Proof.
  intros Hv. assert (H := surplus_falls v (1 / 2) ltac:(lra) ltac:(lra)).
  replace (surplus (1 / 2)) with 0 in H; [assumption|]. unfold surplus, Rdiv. rewrite Rmult_1_l, ln_Rinv by lra. field.
Qed.

Theorem shannon_above n w : is_distribution n w ->
  2 * ln 2 * (1 - sum n (fun i => w i * w i)) <= - sum n (fun i => w i * ln (w i)).
Proof.
  intros [Hw Hone].
  assert (H : 0 <= sum n (fun i => w i * surplus (w i))).
  2:{ rewrite (sum_ext n _ (fun i => 2 * ln 2 * (w i * w i) - 2 * ln 2 * w i - w i * ln (w i))) in H
        by (intros; unfold surplus; ring).
      rewrite !sum_minus, !sum_scale, Hone in H. lra. }
  destruct (positive_or_none n (fun i => w i - 1 / 2)) as [(j & Hj & Hlarge)|Hsmall].
  - rewrite (sum_split n _ j Hj). rewrite (sum_split n w j Hj) in Hone. set (a := w j) in *.
    assert (Hrest : forall i, (i < n)%nat -> 0 <= without j w i).
    { intros i Hi. unfold without. destruct (Nat.eqb i j); [lra|auto]. }
    assert (Hsum : 0 <= sum n (without j w)) by now apply sum_nonneg.
    assert (Hmore : sum n (fun i => surplus (1 - a) * without j w i) <=
      sum n (without j (fun i => w i * surplus (w i)))).
    { apply sum_le. intros i Hi. specialize (Hrest i Hi). assert (Hle := term_le_sum n (without j w) i Hi
        ltac:(intros k Hk; unfold without; destruct (Nat.eqb k j); [lra|auto])). unfold without in *.
      destruct (Nat.eqb i j); [lra|]. destruct Hrest as [Hpos|<-]; [|lra]. rewrite Rmult_comm.
      apply Rmult_le_compat_l; [lra|]. apply surplus_falls; lra. }
    rewrite sum_scale in Hmore. replace (sum n (without j w)) with (1 - a) in Hmore by lra.
    assert (Htwo := binary_entropy_above a ltac:(lra)). unfold surplus in *. lra.
  - apply sum_nonneg. intros i Hi. specialize (Hsmall i Hi). specialize (Hw i Hi). cbv beta in Hsmall.
    destruct Hw as [Hpos|Hz]; [|rewrite <- Hz; lra]. apply Rmult_le_pos; [lra|]. apply surplus_nonneg. lra.
Qed.
