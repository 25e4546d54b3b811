(** Which predictions exist: P(correct) can be at least what each label needs iff the needs sum to at most one. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums.
Open Scope R_scope.

Lemma positive_or_none n (f : nat -> R) : (exists k, (k < n)%nat /\ 0 < f k) \/ forall k, (k < n)%nat -> f k <= 0.
Proof.
  induction n as [|n [(k & Hk & Hpos)|Hnone]]; [right; intros; lia|left; exists k; split; [lia|exact Hpos]|].
  destruct (Rlt_dec 0 (f n)); [left; exists n; split; [lia|assumption]|right].
  intros k Hk. destruct (Nat.eq_dec k n) as [->|]; [lra|]. apply Hnone. lia.
Qed.

(** What each label needs, and what is left over to label 0. *)
Definition topped_up (K : nat) (need : nat -> R) (k : nat) : R :=
  Rmax 0 (need k) + if Nat.eqb k 0 then 1 - sum K (fun j => Rmax 0 (need j)) else 0.

Lemma topped_up_suits K need : (0 < K)%nat -> sum K (fun k => Rmax 0 (need k)) <= 1 ->
  is_distribution K (topped_up K need) /\ forall k, (k < K)%nat -> need k <= topped_up K need k.
Proof.
  intros HK Hsum. assert (Hpart : forall k, Rmax 0 (need k) <= topped_up K need k).
  { intros k. unfold topped_up. destruct (Nat.eqb k 0); lra. }
  split; [split|].
  - intros k _. exact (Rle_trans _ _ _ (Rmax_l _ _) (Hpart k)).
  - unfold topped_up. rewrite sum_plus, sum_pick by exact HK. lra.
  - intros k _. exact (Rle_trans _ _ _ (Rmax_r _ _) (Hpart k)).
Qed.

Theorem decoder_exists_iff K need : (0 < K)%nat ->
  (exists p, is_distribution K p /\ forall k, (k < K)%nat -> need k <= p k) <-> sum K (fun k => Rmax 0 (need k)) <= 1.
Proof.
  intros HK. split.
  - intros (p & [Hpos Hone] & Hneed). rewrite <- Hone. apply sum_le. intros k Hk. apply Rmax_lub; auto.
  - intros H. exists (topped_up K need). now apply topped_up_suits.
Qed.
