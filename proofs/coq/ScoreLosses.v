(** Losses of a vector of scores, as theorem files have them: what the statements about the best decoder and about all
    algorithms are made of, beside Definitions.v. To be read before believing them. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** phi(m(W, y)) *)
Definition of_margin (K : nat) (phi : R -> R) (y : nat) (theta : vector) : R := phi (margin K theta y).

(** psi(p_y) *)
Definition of_softmax (K : nat) (psi : R -> R) (y : nat) (theta : vector) : R := psi (softmax K theta y).

(** One weight vector, z = <w, x>; label 0 is +1 and label 1 is -1. *)
Definition of_sign (plus minus : R -> R) (y : nat) (theta : vector) : R :=
  (if Nat.eqb y 0 then plus else minus) (theta 0%nat).

(** With the features x the loss of the weights V is that of their scores. *)
Definition of_scores (d : nat) (loss : nat -> vector -> R) (x : vector) (y : nat) (V : matrix) : R :=
  loss y (scores d V x).

(** sum_{k != y} phi(theta_y - theta_k) *)
Definition of_pairs (K : nat) (phi : R -> R) (y : nat) (theta : vector) : R :=
  sum K (fun k => if Nat.eqb k y then 0 else phi (theta y - theta k)).

(** own(theta_y) + sum_{k != y} other(theta_k) *)
Definition of_each_score (K : nat) (own other : R -> R) (y : nat) (theta : vector) : R :=
  own (theta y) + sum K (fun k => if Nat.eqb k y then 0 else other (theta k)).
