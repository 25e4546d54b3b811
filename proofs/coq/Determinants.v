(** The determinant of a positive definite matrix, and of its rank-one updates: the last of the named facts. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices OptimalSums VectorFacts.
Open Scope R_scope.

(** What is left of a matrix when its first row has been subtracted from the others, so that its first column is 0. *)
Definition eliminated (A : matrix) : matrix := fun i j => A (S i) (S j) - A (S i) 0%nat * A 0%nat (S j) / A 0%nat 0%nat.

(** The product of the pivots of Gauss's elimination, which are not 0 for a positive definite matrix. *)
Fixpoint determinant (n : nat) (A : matrix) : R :=
  match n with
  | O => 1
  | S n => A 0%nat 0%nat * determinant n (eliminated A)
  end.

(** It is the one of textbooks: of two rows, of three, and of the identity. *)
Lemma determinant_of_two A : A 0%nat 0%nat <> 0 ->
  determinant 2 A = A 0%nat 0%nat * A 1%nat 1%nat - A 0%nat 1%nat * A 1%nat 0%nat.
Proof. intros H. simpl. unfold eliminated. field. assumption. Qed.

Lemma determinant_of_three A : A 0%nat 0%nat <> 0 ->
  A 0%nat 0%nat * A 1%nat 1%nat - A 0%nat 1%nat * A 1%nat 0%nat <> 0 ->
  determinant 3 A =
    A 0%nat 0%nat * (A 1%nat 1%nat * A 2%nat 2%nat - A 1%nat 2%nat * A 2%nat 1%nat)
    - A 0%nat 1%nat * (A 1%nat 0%nat * A 2%nat 2%nat - A 1%nat 2%nat * A 2%nat 0%nat)
    + A 0%nat 2%nat * (A 1%nat 0%nat * A 2%nat 1%nat - A 1%nat 1%nat * A 2%nat 0%nat).
Proof. intros H1 H2. simpl. unfold eliminated. field. lra. Qed.

Lemma determinant_ext n A B : (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = B i j) ->
  determinant n A = determinant n B.
Proof.
  revert A B. induction n as [|n IH]; intros A B H; [reflexivity|]. simpl. rewrite (H 0%nat 0%nat) by lia. f_equal.
  apply IH. intros i j Hi Hj. unfold eliminated. now rewrite !H by lia.
Qed.

Lemma determinant_of_the_identity n : determinant n identity = 1.
Proof.
  induction n as [|n IH]; [reflexivity|]. simpl. rewrite (determinant_ext n _ identity), IH.
  - unfold identity. simpl. ring.
  - intros i j _ _. unfold eliminated, identity. simpl. field.
Qed.

Lemma dot_first n u v : dot (S n) u v = u 0%nat * v 0%nat + dot n (fun i => u (S i)) (fun i => v (S i)).
Proof. unfold dot. apply sum_first. Qed.

Lemma apply_first n A v i : apply_to (S n) A v i = A i 0%nat * v 0%nat + dot n (fun j => A i (S j)) (fun j => v (S j)).
Proof. apply dot_first. Qed.

Definition unit_vector (k : nat) : vector := fun i => if Nat.eqb i k then 1 else 0.

Lemma dot_unit n v k : (k < n)%nat -> dot n v (unit_vector k) = v k.
Proof. intros H. unfold dot, unit_vector. rewrite sum_at by assumption. ring. Qed.

Lemma definite_symmetric n A i j : positive_definite n A -> (i < n)%nat -> (j < n)%nat -> A i j = A j i.
Proof.
  intros [H _] Hi Hj. assert (Hswap := H (unit_vector i) (unit_vector j)).
  rewrite !(dot_comm n (unit_vector _)), !dot_unit in Hswap by assumption. unfold apply_to in Hswap.
  now rewrite !dot_unit in Hswap by assumption.
Qed.

Lemma first_pivot n A : positive_definite (S n) A -> 0 < A 0%nat 0%nat.
Proof.
  intros [_ H]. specialize (H (unit_vector 0)). rewrite dot_comm, dot_unit in H by lia. unfold apply_to in H.
  rewrite dot_unit in H by lia. apply H. intros Hzero. specialize (Hzero 0%nat ltac:(lia)).
  unfold unit_vector in Hzero. simpl in Hzero. lra.
Qed.

Section Elimination.
  Context (n : nat) (A : matrix) (definite : positive_definite (S n) A).

  (** A vector of the smaller dimension, with the first entry that makes the first row 0. *)
  Definition completed (v : vector) : vector := fun i =>
    match i with
    | O => - dot n (fun j => A 0%nat (S j)) v / A 0%nat 0%nat
    | S i => v i
    end.

  Lemma apply_completed v i : (i < S n)%nat -> apply_to (S n) A (completed v) i =
    match i with O => 0 | S i => apply_to n (eliminated A) v i end.
  Proof.
    assert (Hpivot := first_pivot n A definite). intros _. rewrite apply_first. destruct i as [|i].
    - unfold completed. change (fun j => v j) with v. field. lra.
    - unfold completed, apply_to, eliminated, dot. symmetry.
      rewrite (sum_ext n _ (fun j => A (S i) (S j) * v j - A (S i) 0%nat / A 0%nat 0%nat * (A 0%nat (S j) * v j)))
        by (intros; field; lra).
      rewrite sum_minus, sum_scale. field. lra.
  Qed.

  Lemma dot_completed u v : dot (S n) (completed u) (apply_to (S n) A (completed v)) =
    dot n u (apply_to n (eliminated A) v).
  Proof.
    rewrite dot_first, apply_completed by lia. rewrite Rmult_0_r, Rplus_0_l. apply dot_same; intros i Hi; [reflexivity|].
    now rewrite apply_completed by lia.
  Qed.

  Lemma eliminated_definite : positive_definite n (eliminated A).
  Proof.
    split.
    - intros u v. rewrite <- !dot_completed. apply definite.
    - intros v Hv. rewrite <- dot_completed. apply definite. intros Hzero. apply Hv. intros i Hi.
      exact (Hzero (S i) ltac:(lia)).
  Qed.
End Elimination.

Theorem determinant_of_an_update n A z B y : positive_definite n A -> rank_one_update n A z B ->
  same n (apply_to n A y) z -> determinant n B = determinant n A * (1 + dot n z y).
Proof.
  revert A z B y. induction n as [|n IH]; intros A z B y HA HB Hy; [unfold dot; simpl; ring|].
  assert (Hpivot := first_pivot n A HA). set (a := A 0%nat 0%nat) in *. set (z0 := z 0%nat).
  assert (Hsum : 0 < a + z0 * z0) by nra.
  set (w := fun i => z (S i) - z0 * A (S i) 0%nat / a). set (y' := fun i => y (S i)).
  assert (Hw : same n (apply_to n (eliminated A) y') w).
  { intros i Hi. assert (H0 := Hy 0%nat ltac:(lia)). assert (H1 := Hy (S i) ltac:(lia)). rewrite apply_first in H0, H1.
    unfold apply_to, eliminated, dot. fold a.
    rewrite (sum_ext n _ (fun j => A (S i) (S j) * y' j - A (S i) 0%nat / a * (A 0%nat (S j) * y' j)))
      by (intros; field; lra).
    rewrite sum_minus, sum_scale. fold (dot n (fun j => A (S i) (S j)) y'). fold (dot n (fun j => A 0%nat (S j)) y').
    fold y' in H0, H1. fold a in H0. fold z0 in H0. unfold w. rewrite <- H1, <- H0. field. lra. }
  set (c := sqrt (a / (a + z0 * z0))).
  assert (Hc : c * c = a / (a + z0 * z0)).
  { apply sqrt_sqrt. left. now apply Rdiv_lt_0_compat. }
  assert (Hupdate : rank_one_update n (eliminated A) (fun i => c * w i) (eliminated B)).
  { intros i j Hi Hj. unfold eliminated. rewrite !HB by lia. fold a z0.
    replace (c * w i * (c * w j)) with (c * c * (w i * w j)) by ring. rewrite Hc. unfold w.
    rewrite (definite_symmetric (S n) A 0 (S j)) by (assumption || lia). field. lra. }
  assert (Hsolved : same n (apply_to n (eliminated A) (fun i => c * y' i)) (fun i => c * w i)).
  { intros i Hi. unfold apply_to. rewrite dot_scale. f_equal. now apply Hw. }
  assert (H := IH _ _ _ _ (eliminated_definite n A HA) Hupdate Hsolved).
  simpl determinant. rewrite H, HB by lia. fold a z0.
  assert (Hdot : dot n (fun i => c * w i) (fun i => c * y' i) = c * c * dot n w y').
  { rewrite dot_scale, dot_scale_left. ring. }
  assert (Hz : dot (S n) z y = z0 * z0 / a + dot n w y').
  { rewrite dot_first. fold z0 y'. assert (H0 := Hy 0%nat ltac:(lia)). rewrite apply_first in H0. fold a z0 y' in H0.
    assert (Hrow : dot n w y' = dot n (fun i => z (S i)) y' - z0 / a * dot n (fun j => A 0%nat (S j)) y').
    { unfold dot. rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros i Hi. unfold w.
      rewrite (definite_symmetric (S n) A 0 (S i)) by (assumption || lia). field. lra. }
    rewrite Hrow. replace (dot n (fun j => A 0%nat (S j)) y') with (z0 - a * y 0%nat) by lra. field. lra. }
  rewrite Hdot, Hc, Hz. field. lra.
Qed.

Theorem determinant_of_a_rank_one_update n A B z C : positive_definite n A -> inverse n A C ->
  rank_one_update n A z B -> determinant n B = determinant n A * (1 + dot n z (apply_to n C z)).
Proof. intros HA HC HB. now apply determinant_of_an_update. Qed.
