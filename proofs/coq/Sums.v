(** Sums over the numbers below n. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions.
Open Scope R_scope.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [reflexivity|].
  rewrite IH by (intros; apply H; lia). now rewrite (H n) by lia.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  assert (f n <= g n) by (apply H; lia). assert (sum n f <= sum n g) by (apply IH; intros; apply H; lia). lra.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. ring. Qed.

Lemma sum_scale n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. ring. Qed.

Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite S_INR. simpl. rewrite IH. ring. Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H. rewrite (sum_ext n f (fun _ => 0) H), sum_const. ring. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intros H. rewrite <- (sum_zero n (fun _ => 0)) by easy. now apply sum_le. Qed.

(** What is left of [f] when its value at [y] is taken out. *)
Definition without (y : nat) (f : nat -> R) : nat -> R := fun k => if Nat.eqb k y then 0 else f k.

Lemma sum_split n f y : (y < n)%nat -> sum n f = f y + sum n (without y f).
Proof.
  induction n as [|n IH]; intros H; [lia|]. simpl. unfold without at 2.
  destruct (Nat.eqb_spec n y) as [->|Hn].
  - rewrite (sum_ext y (without y f) f); [lra|]. intros i Hi. unfold without.
    now destruct (Nat.eqb_spec i y); [lia|].
  - rewrite IH by lia. lra.
Qed.

Lemma sum_pick n y c : (y < n)%nat -> sum n (fun k => if Nat.eqb k y then c else 0) = c.
Proof.
  intros H. rewrite (sum_split n _ y H), Nat.eqb_refl, sum_zero; [ring|].
  intros k _. unfold without. now destruct (Nat.eqb k y).
Qed.

Lemma term_le_sum n f y : (y < n)%nat -> (forall k, (k < n)%nat -> 0 <= f k) -> f y <= sum n f.
Proof.
  intros Hy H. rewrite (sum_split n f y Hy).
  assert (0 <= sum n (without y f)); [|lra].
  apply sum_nonneg. intros k Hk. unfold without. destruct (Nat.eqb k y); [lra|]. now apply H.
Qed.

(** Nonnegative numbers: the sum of the squares is at most the square of the sum, and at most the cap times the sum. *)

Lemma sum_squares_le n f : (forall k, (k < n)%nat -> 0 <= f k) -> sum n (fun k => f k ^ 2) <= sum n f ^ 2.
Proof.
  induction n as [|n IH]; cbn [sum]; intros H; [lra|].
  assert (0 <= f n) by (apply H; lia). assert (0 <= sum n f) by (apply sum_nonneg; intros; apply H; lia).
  assert (sum n (fun k => f k ^ 2) <= sum n f ^ 2) by (apply IH; intros; apply H; lia). nra.
Qed.

Lemma sum_squares_cap n f cap :
  (forall k, (k < n)%nat -> 0 <= f k <= cap) -> sum n (fun k => f k ^ 2) <= cap * sum n f.
Proof.
  intros H. rewrite <- sum_scale. apply sum_le. intros k Hk. specialize (H k Hk). nra.
Qed.

Lemma at_least_two K : (2 <= K)%nat -> 2 <= INR K.
Proof. intros H. apply le_INR in H. simpl in H. lra. Qed.
