(** Theorem 1 and Example 2 of "The Gaptron Algorithm" (blog), for losses l(z, y) = f(y z), as statements.

    The blog's bound R on the features is X here. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** ||g||^2 <= 2 s f(x) for every subgradient: with f >= 0 a weaker hypothesis than Definition 1, where the
    infimum of f is taken off on the right. *)
Definition self_bounded (s : R) (f : R -> R) : Prop := forall z g, subgradient f z g -> g ^ 2 <= 2 * s * f z.

(** Theorem 1, for eta <= 1/(2 s X^2) and the gap map l(z, sign z), with x_1 = 0. *)
Definition BlogTheorem1 : Prop :=
  forall (f : R -> R) (s X eta : R) (d : nat), 0 < s -> 0 < X ->
    2 * s * X ^ 2 <> 0 /\
    (0 < eta <= 1 / (2 * s * X ^ 2) ->
      (forall z, 0 <= f z) -> (forall z, exists g, subgradient f z g) -> self_bounded s f ->
      (forall z, 2 <= f z + f (- z)) -> (forall z, 0 <= z -> f z <= 1) ->
      2 * eta <> 0 /\ guarantee 2 d (binary_loss d f (fun z => f (- z)) f) X eta (1 / (2 * eta))).

(** Example 2: the squared hinge loss with eta = 1/(4 X^2) has the regret 2 X^2 ||u||^2. *)
Definition squared_hinge (z : R) : R := Rmax (1 - z) 0 ^ 2.

Definition BlogExample2 : Prop :=
  forall (X : R) (d : nat), 0 < X ->
    4 * X ^ 2 <> 0 /\
    guarantee 2 d (binary_loss d squared_hinge (fun z => squared_hinge (- z)) squared_hinge) X
      (1 / (4 * X ^ 2)) (2 * X ^ 2).
