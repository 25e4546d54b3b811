(** Theorem 1, Example 2 and Exercise 1 of "The Gaptron Algorithm" (blog) as statements.

    The blog's bound R on the features is X here; l(z, 1) is [plus z] and l(z, -1) is [minus z]. *)

From Coq Require Import Reals List.
From Gaptron Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

(** ||g||^2 <= 2 s f(x) for every subgradient: with f >= 0 a weaker hypothesis than Definition 1, where the
    infimum of f is taken off on the right. *)
Definition self_bounded (s : R) (f : R -> R) : Prop := forall z g, subgradient f z g -> g ^ 2 <= 2 * s * f z.

(** The loss with the gap map l(z, sign z); label 0 is +1 and label 1 is -1, the sign of z = 0 is +1. *)
Definition signed_loss (d : nat) (plus minus : R -> R) : surrogate := {|
  rows := 1;
  top := fun W x ystar => ystar = if Rle_dec 0 (dot d (W 0%nat) x) then 0%nat else 1%nat;
  gap_map := fun W x ystar => (if Nat.eqb ystar 0 then plus else minus) (dot d (W 0%nat) x);
  loss := fun W x ystar y V => (if Nat.eqb y 0 then plus else minus) (dot d (V 0%nat) x)
|}.

(** What Theorem 1 asks of a loss: l >= 0, convex and self-bounded, l(z, 1) + l(z, -1) >= 2, l(z, sign z) <= 1. *)
Definition suitable (s : R) (plus minus : R -> R) : Prop :=
  (forall z, 0 <= plus z /\ 0 <= minus z) /\
  (forall z, (exists g, subgradient plus z g) /\ exists g, subgradient minus z g) /\
  self_bounded s plus /\ self_bounded s minus /\
  (forall z, 2 <= plus z + minus z) /\
  (forall z, 0 <= z -> plus z <= 1) /\ (forall z, z <= 0 -> minus z <= 1).

(** Theorem 1, for eta <= 1/(2 s X^2), with x_1 = 0. *)
Definition BlogTheorem1 : Prop :=
  forall (plus minus : R -> R) (s X eta : R) (d : nat), 0 < s -> 0 < X ->
    2 * s * X ^ 2 <> 0 /\
    (0 < eta <= 1 / (2 * s * X ^ 2) -> suitable s plus minus ->
      2 * eta <> 0 /\ guarantee (full 2 d (signed_loss d plus minus)) X eta (linear (1 / (2 * eta)))).

(** Example 2: the squared hinge loss with eta = 1/(4 X^2) has the regret 2 X^2 ||u||^2. *)
Definition squared_hinge (z : R) : R := Rmax (1 - z) 0 ^ 2.

Definition BlogExample2 : Prop :=
  forall (X : R) (d : nat), 0 < X ->
    4 * X ^ 2 <> 0 /\
    guarantee (full 2 d (signed_loss d squared_hinge (fun z => squared_hinge (- z)))) X
      (1 / (4 * X ^ 2)) (linear (2 * X ^ 2)).

(** ** Exercise 1: without knowledge of R

    Follow-the-regularized-leader: w_t minimises <theta, w> + (lambda_t/2) ||w - w_1||^2, theta the sum of the
    subgradients of the rounds before t, and lambda_t = 2 s max ||x_i||^2 over i <= t. As long as all features are 0, it
    is w_1. *)

Fixpoint largest_seen (d : nat) (x : history -> vector) (h : history) : R :=   (* max ||x_i||^2 of the rounds so far *)
  match h with
  | [] => 0
  | _ :: h => Rmax (largest_seen d x h) (dot d (x h) (x h))
  end.

Definition regularizer (s : R) (d : nat) (x : history -> vector) (h : history) : R :=                  (* lambda_t *)
  2 * s * Rmax (largest_seen d x h) (dot d (x h) (x h)).

Definition leader (d : nat) (theta first : vector) (lambda : R) (w : vector) : R :=
  dot d theta w + lambda / 2 * dot d (fun i => w i - first i) (fun i => w i - first i).

Definition follows_the_leader (d : nat) (l : surrogate) (s : R) (first : vector) (T : nat) (x : history -> vector)
    (y : history -> nat) (W : history -> matrix) (ystar : history -> nat) (theta : history -> vector) : Prop :=
  (forall i, theta [] i = 0) /\
  forall h, takes_place 2 T h ->
    (0 < regularizer s d x h -> forall v,
      leader d (theta h) first (regularizer s d x h) (W h 0%nat) <= leader d (theta h) first (regularizer s d x h) v) /\
    (regularizer s d x h = 0 -> forall i, W h 0%nat i = first i) /\
    top l (W h) (x h) (ystar h) /\
    exists g, matrix_subgradient 1 d (loss l (W h) (x h) (ystar h) (y h)) (W h) g /\
      forall draw i, (draw < 2)%nat -> theta (draw :: h) i = theta h i + g 0%nat i.

(** E[mistakes] <= E[sum_t l_t(u)] + s E[max ||x_t||^2] ||u - w_1||^2: that of Theorem 1 at the rate that needs R. *)
Definition BlogExercise1 : Prop :=
  forall (plus minus : R -> R) (s : R) (d T : nat) (first : vector) x y, 0 < s -> suitable s plus minus ->
    (forall h, takes_place 2 T h -> (y h < 2)%nat) ->
    let l := signed_loss d plus minus in
    (exists W ystar theta, follows_the_leader d l s first T x y W ystar theta) /\
    forall W ystar theta, follows_the_leader d l s first T x y W ystar theta ->
      let p := fun h => prediction 2 (gap_map l (W h) (x h) (ystar h)) (ystar h) in
      (forall h, takes_place 2 T h -> is_distribution 2 (p h)) /\
      forall u,
        expectation 2 p T (mistakes y) [] <=
        expectation 2 p T (total (fun h => loss l (W h) (x h) (ystar h) (y h) (fun _ => u))) []
        + s * expectation 2 p T (largest_seen d x) [] * dot d (fun i => u i - first i) (fun i => u i - first i).
