(** Abstention: the conditions of full information at the cost of abstaining, in the place of that of a guess, give the
    whole guarantee. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Assembly.
From Gaptron Require Import MarginTheorem SoftmaxTheorem BinaryTheorem BanditDefinitions AbstentionDefinitions.
Import ListNotations.
Open Scope R_scope.

Section Theorems.
  Variables (K d : nat) (a : R -> R) (price eta c X : R).
  Notation Abstaining s := (guarantee (abstention K d s price) X (eta / X ^ 2) (linear (c * X ^ 2))).

  Theorem abstaining_margin_theorem phi beta : (2 <= K)%nat -> margin_conditions price (INR K) phi a beta eta c ->
    0 < X -> Abstaining (margin_loss K d phi a beta).
  Proof using Type.
    intros HK H HX. apply abstention_from_rounds; [now apply margin_rounds with (c := c)|].
    exact (margin_rate_pays _ _ _ _ _ _ _ _ H HX).
  Qed.

  Theorem abstaining_softmax_theorem psi : (2 <= K)%nat -> softmax_conditions price (INR K) psi a eta c -> 0 < X ->
    Abstaining (softmax_loss K d psi a).
  Proof using Type.
    intros HK H HX. apply abstention_from_rounds; [now apply softmax_rounds with (c := c)|].
    exact (softmax_rate_pays _ _ _ _ _ _ _ H HX).
  Qed.

End Theorems.

Theorem abstaining_binary_theorem d plus minus a price eta c X : binary_conditions price plus minus a eta c -> 0 < X ->
  guarantee (abstention 2 d (binary_loss d plus minus a) price) X (eta / X ^ 2) (linear (c * X ^ 2)).
Proof.
  intros H HX. apply abstention_from_rounds; [now apply binary_rounds with (c := c)|].
  exact (binary_rate_pays _ _ _ _ _ _ _ H HX).
Qed.
