(** Labels that arrive late: what can be attained. To be read before believing it, beside Optimal.v. *)

From Coq Require Import Reals List.
From Gaptron Require Import Definitions Optimal.
Import ListNotations.
Open Scope R_scope.

(** Of the latest n rounds the labels have not arrived. *)
Fixpoint veiled (n : nat) (rounds : list feedback) : list (vector * nat * option nat) :=
  match rounds with
  | [] => []
  | (x, draw, y) :: rounds =>
      (x, draw, match n with O => Some y | S _ => None end) :: veiled (pred n) rounds
  end.

Definition late_algorithm := list (vector * nat * option nat) -> vector -> nat -> R.

(** E sum L <= alpha (E sum loss(U x) + c X^2 ||U||^2) for every T, every adversary and every U, as in [attainable], by an
    algorithm that is told each label n rounds late. *)
Definition attainable_late (n : nat) (P : problem) (X alpha c : R) : Prop :=
  forall d, exists A : late_algorithm,
    (forall rounds z, is_distribution (predictions P) (A rounds z)) /\
    forall T x y, adversary P d X T x y ->
    forall U : matrix,
      let p := fun h => A (veiled n (told (arena P d) x y h)) (x h) in
      let losses := fun h => surrogate_of P (y h) (scores d U (x h)) in
      expectation (predictions P) p T (paid P y) [] <=
      alpha * (expectation (predictions P) p T (total losses) [] + c * X ^ 2 * norm2 (dimension P) d U).
