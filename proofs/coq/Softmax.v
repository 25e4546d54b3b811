(** Softmax probabilities: their logit is a score minus the logarithm of what the other labels weigh. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Margins.
Open Scope R_scope.

Definition logit (p : R) : R := ln (p / (1 - p)).

Lemma odds_positive p : 0 < p < 1 -> 0 < p / (1 - p).
Proof. intros H. apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra. Qed.

Lemma logit_injective p b : 0 < p < 1 -> 0 < b < 1 -> logit p = logit b -> p = b.
Proof.
  intros Hp Hb H. apply ln_inv in H; try now apply odds_positive.
  assert (Heq : p * (1 - b) = b * (1 - p)); [|lra].
  replace (p * (1 - b)) with (p / (1 - p) * ((1 - p) * (1 - b))) by (field; lra). rewrite H. field. lra.
Qed.

(** What the labels other than [y] weigh. *)
Definition rest (K : nat) (theta : vector) (y : nat) : R := sum K (without y (fun k => exp (theta k))).

(** The share of label [k] in it. *)
Definition share (K : nat) (theta : vector) (y k : nat) : R := exp (theta k) / rest K theta y.

Section Softmax.
  Variables (K : nat) (theta : vector) (y : nat).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis label : (y < K)%nat.

  Lemma weighs : sum K (fun k => exp (theta k)) = exp (theta y) + rest K theta y.
  Proof using label. exact (sum_split K (fun k => exp (theta k)) y label). Qed.

  Lemma without_nonneg (f : nat -> R) j : 0 <= f j -> 0 <= without y f j.
  Proof using. unfold without. destruct (Nat.eqb j y); lra. Qed.

  Lemma rest_positive : 0 < rest K theta y.
  Proof using classes.
    assert (Hj := other_below K y 0 classes (Nat.le_0_l _)). assert (Hne := other_differs y 0).
    set (j := other y 0) in *.
    assert (H := term_le_sum K (without y (fun k => exp (theta k))) j Hj). fold (rest K theta y) in H.
    unfold without at 2 in H. apply Nat.eqb_neq in Hne. rewrite Hne in H.
    assert (Hpos := exp_pos (theta j)). refine (Rlt_le_trans _ _ _ Hpos (H _)).
    intros k _. apply without_nonneg. left. apply exp_pos.
  Qed.

  Lemma softmax_value : softmax K theta y = exp (theta y) / (exp (theta y) + rest K theta y).
  Proof using label. unfold softmax. now rewrite weighs. Qed.

  Lemma one_minus_softmax : 1 - softmax K theta y = rest K theta y / (exp (theta y) + rest K theta y).
  Proof using classes label.
    rewrite softmax_value. assert (H := exp_pos (theta y)). assert (H' := rest_positive). field. lra.
  Qed.

  Lemma softmax_range : 0 < softmax K theta y < 1.
  Proof using classes label.
    assert (H := exp_pos (theta y)). assert (H' := rest_positive). split.
    - rewrite softmax_value. apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra.
    - assert (0 < 1 - softmax K theta y); [|lra]. rewrite one_minus_softmax.
      apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra.
  Qed.

  Lemma logit_softmax : logit (softmax K theta y) = theta y - ln (rest K theta y).
  Proof using classes label.
    assert (H := exp_pos (theta y)). assert (H' := rest_positive).
    unfold logit. rewrite one_minus_softmax, softmax_value.
    replace (exp (theta y) / (exp (theta y) + rest K theta y) / (rest K theta y / (exp (theta y) + rest K theta y)))
      with (exp (theta y) * / rest K theta y) by (field; lra).
    rewrite ln_mult, ln_exp, ln_Rinv by (auto using Rinv_0_lt_compat). ring.
  Qed.

  Lemma softmax_share k : (k < K)%nat -> softmax K theta k = share K theta y k * (1 - softmax K theta y).
  Proof using classes label.
    intros Hk. assert (H := exp_pos (theta y)). assert (H' := rest_positive).
    rewrite one_minus_softmax. unfold softmax, share. rewrite weighs. field. lra.
  Qed.

  Lemma shares_sum_to_one : sum K (without y (share K theta y)) = 1.
  Proof using classes.
    rewrite (sum_ext K _ (fun k => / rest K theta y * without y (fun k => exp (theta k)) k)).
    - rewrite sum_scale. fold (rest K theta y). apply Rinv_l. assert (H := rest_positive). lra.
    - intros k _. unfold without, share. destruct (Nat.eqb k y); [ring|]. unfold Rdiv. ring.
  Qed.
End Softmax.

Lemma softmax_positive K theta k : (k < K)%nat -> 0 < softmax K theta k.
Proof.
  intros Hk. apply Rmult_lt_0_compat; [apply exp_pos|]. apply Rinv_0_lt_compat.
  apply Rlt_le_trans with (exp (theta k)); [apply exp_pos|].
  apply (term_le_sum K (fun k => exp (theta k))); [exact Hk|]. intros. left. apply exp_pos.
Qed.

Lemma softmax_sums_to_one K theta : (0 < K)%nat -> sum K (softmax K theta) = 1.
Proof.
  intros HK. set (Z := sum K (fun k => exp (theta k))).
  assert (0 < Z). { apply Rlt_le_trans with (exp (theta 0%nat)); [apply exp_pos|].
    apply (term_le_sum K (fun k => exp (theta k))); [exact HK|]. intros. left. apply exp_pos. }
  rewrite (sum_ext K _ (fun k => / Z * exp (theta k))) by (intros; unfold softmax; fold Z; unfold Rdiv; ring).
  rewrite sum_scale. fold Z. field. lra.
Qed.

Lemma softmax_monotone K theta j k : (j < K)%nat -> theta j <= theta k -> softmax K theta j <= softmax K theta k.
Proof.
  intros Hj H. apply Rmult_le_compat_r.
  - left. apply Rinv_0_lt_compat. apply Rlt_le_trans with (exp (theta j)); [apply exp_pos|].
    apply (term_le_sum K (fun k => exp (theta k))); [exact Hj|]. intros. left. apply exp_pos.
  - destruct H as [H|H]; [left; now apply exp_increasing|rewrite H; lra].
Qed.
