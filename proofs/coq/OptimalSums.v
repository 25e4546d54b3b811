(** More about sums over the numbers below n: their first term, and sums of sums. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions Sums.
Open Scope R_scope.

Lemma sum_first n f : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof. induction n as [|n IH]; [simpl; ring|]. cbn [sum] in *. rewrite IH. ring. Qed.

Lemma sum_swap n m f : sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; cbn [sum]; [now rewrite sum_zero by easy|]. rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma sum_at n f t c : (t < n)%nat -> sum n (fun i => f i * (if Nat.eqb i t then c else 0)) = f t * c.
Proof.
  intros H. rewrite <- (sum_pick n t (f t * c) H). apply sum_ext. intros i _.
  destruct (Nat.eqb_spec i t) as [->|_]; ring.
Qed.
