(** How large a sum of squares of nonnegative numbers can be, given their sum and a bound on each. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Margins.
Open Scope R_scope.

(** With sum R and terms of at most [cap], R/2 <= cap: at most cap^2 + (R - cap)^2. *)
Lemma sum_squares_two n f cap : (forall k, (k < n)%nat -> 0 <= f k <= cap) -> 0 <= cap -> sum n f <= 2 * cap ->
  sum n (fun k => f k ^ 2) <= cap ^ 2 + (sum n f - cap) ^ 2.
Proof.
  intros Hf Hcap HR. destruct n as [|n]; [cbn [sum] in *; nra|].
  destruct (largest_attained n f) as (j & Hj & Htop). set (top := f j) in *.
  assert (Hle : forall k, (k < S n)%nat -> 0 <= f k <= top).
  { intros k Hk. split; [now apply Hf|]. rewrite <- Htop. apply largest_ge. lia. }
  assert (Hjn : (j < S n)%nat) by lia. assert (Hjcap := Hf j Hjn). fold top in Hjcap.
  assert (Hcapped := sum_squares_cap (S n) f top Hle).
  assert (HRpos : 0 <= sum (S n) f) by (apply sum_nonneg; intros; now apply Hf).
  set (R := sum (S n) f) in *. destruct (Rle_dec (2 * top) R) as [Hsmall|Hlarge]; [nra|].
  assert (Hrest : sum (S n) (without j f) = R - top).
  { assert (H := sum_split (S n) f j Hjn). fold R top in H. lra. }
  rewrite (sum_split (S n) _ j Hjn). fold top.
  rewrite (sum_ext (S n) (without j _) (fun k => without j f k ^ 2)).
  - assert (H : sum (S n) (fun k => without j f k ^ 2) <= sum (S n) (without j f) ^ 2).
    { apply sum_squares_le. intros k Hk. unfold without. destruct (Nat.eqb k j); [lra|now apply Hf]. }
    rewrite Hrest in H. nra.
  - intros k _. unfold without. destruct (Nat.eqb k j); [ring|reflexivity].
Qed.
