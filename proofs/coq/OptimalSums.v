(** More about sums over the numbers below n: their first term, sums of sums, and two values. *)

From Coq Require Import Reals Lra Lia Arith.
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

(** One number for the first n indices, another for the rest. *)
Lemma sum_below n N f g : (n <= N)%nat -> sum N (fun i => if Nat.ltb i n then f else g) = INR n * f + (INR N - INR n) * g.
Proof.
  induction N as [|N IH]; intros H.
  - replace n with 0%nat by lia. simpl. ring.
  - cbn [sum]. destruct (Nat.eq_dec n (S N)) as [E|E].
    + rewrite (sum_ext N _ (fun _ => f)).
      * rewrite sum_const. destruct (Nat.ltb_spec N n); [|lia]. rewrite E, S_INR. ring.
      * intros i Hi. destruct (Nat.ltb_spec i n); [reflexivity|lia].
    + rewrite IH by lia. destruct (Nat.ltb_spec N n); [lia|]. rewrite S_INR. ring.
Qed.
