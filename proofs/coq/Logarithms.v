(** Bounds of logarithms: 0.69 <= ln 2 <= 0.7, and log2 3 >= 11/7. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Derivatives.
Open Scope R_scope.

Lemma nonnegative_from_derivative f f' x : f 1 = 0 -> 1 <= x ->
  (forall c, 1 <= c -> derivable_pt_lim f c (f' c)) -> (forall c, 1 <= c -> 0 <= f' c) -> 0 <= f x.
Proof.
  intros Hone Hx Hderive Hpos. destruct (Req_dec x 1) as [->|Hne]; [lra|].
  destruct (MVT_cor2 f f' 1 x ltac:(lra)) as (c & Heq & Hc); [intros; apply Hderive; lra|].
  specialize (Hpos c ltac:(lra)). nra.
Qed.

Lemma ln_at_least x : 1 <= x -> 2 * (x - 1) / (x + 1) <= ln x.
Proof.
  intros Hx. assert (0 <= ln x - 2 * (x - 1) / (x + 1)); [|lra].
  apply (nonnegative_from_derivative (fun x => ln x - 2 * (x - 1) / (x + 1))
    (fun x => (x - 1) ^ 2 / (x * (x + 1) ^ 2)));
    [rewrite ln_1; field|exact Hx| |].
  - intros c Hc. derive; [lra|lra|]. field. lra.
  - intros c Hc. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; [lra|apply pow_lt; lra].
Qed.

Lemma ln_at_most x : 1 <= x -> ln x <= (x - / x) / 2.
Proof.
  intros Hx. assert (0 <= (x - / x) / 2 - ln x); [|lra].
  apply (nonnegative_from_derivative (fun x => (x - / x) / 2 - ln x) (fun x => (x - 1) ^ 2 / (2 * x ^ 2)));
    [rewrite ln_1; field|exact Hx| |].
  - intros c Hc. derive; [lra|lra|lra|]. field. lra.
  - intros c Hc. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat.
    apply Rmult_lt_0_compat; [lra|apply pow_lt; lra].
Qed.

Lemma ln_2_between : 69 / 100 <= ln 2 <= 7 / 10.
Proof.
  split.
  - replace 2 with (8 / 7 * (7 / 6) * (6 / 5) * (5 / 4)) by field. rewrite !ln_mult by lra.
    assert (H1 := ln_at_least (8 / 7) ltac:(lra)). assert (H2 := ln_at_least (7 / 6) ltac:(lra)).
    assert (H3 := ln_at_least (6 / 5) ltac:(lra)). assert (H4 := ln_at_least (5 / 4) ltac:(lra)). lra.
  - replace 2 with (4 / 3 * (5 / 4) * (6 / 5)) by field. rewrite !ln_mult by lra.
    assert (H1 := ln_at_most (4 / 3) ltac:(lra)). assert (H2 := ln_at_most (5 / 4) ltac:(lra)).
    assert (H3 := ln_at_most (6 / 5) ltac:(lra)). lra.
Qed.

Lemma ln_3_at_least : 11 / 7 * ln 2 <= ln 3.
Proof.
  assert (H : 11 * ln 2 <= 7 * ln 3); [|lra].
  replace (11 * ln 2) with (ln (2 ^ 11)) by (rewrite ln_pow by lra; simpl; ring).
  replace (7 * ln 3) with (ln (3 ^ 7)) by (rewrite ln_pow by lra; simpl; ring).
  left. apply ln_increasing; lra.
Qed.
