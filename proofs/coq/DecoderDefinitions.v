(** What the statement of a theorem with the best decoder is made of, beside Definitions.v. *)

From Coq Require Import Reals List.
From Gaptron Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

(** In a round with features [x] and label [y] the surrogate loss of weights [V], a matrix with [rows] rows, is
    [l x y V]. *)

(** A prediction [p], made before the label is known, with P(wrong) <= loss - (eta/2) ||g||^2 for every label and every
    subgradient g: the surrogate gap is at most zero. *)
Definition suits (K rows d : nat) (l : vector -> nat -> matrix -> R) (eta : R) (W : matrix) (x : vector) (p : nat -> R) :
    Prop :=
  is_distribution K p /\
  forall y G, (y < K)%nat -> matrix_subgradient rows d (l x y) W G -> 1 - p y <= l x y W - eta / 2 * norm2 rows d G.

(** W_1 = 0, a prediction that suits, W_{t+1} = W_t - eta g_t with any subgradient. *)
Definition decoder_plays (K rows d : nat) (l : vector -> nat -> matrix -> R) (eta : R) (T : nat)
    (x : history -> vector) (y : history -> nat) (W : history -> matrix) (p : history -> nat -> R) : Prop :=
  (forall k i, W [] k i = 0) /\
  forall h, takes_place K T h ->
    suits K rows d l eta (W h) (x h) (p h) /\
    exists G, matrix_subgradient rows d (l (x h) (y h)) (W h) G /\
      forall draw k i, (draw < K)%nat -> W (draw :: h) k i = W h k i - eta * G k i.

(** The loss is nonnegative and convex; whatever the weights and the features there is a prediction that suits; there is
    a learner against every adversary; and E[mistakes] <= E[sum_t l_t(U)] + regret ||U||^2 for every comparator U. *)
Definition decoder_guarantee (K rows d : nat) (l : vector -> nat -> matrix -> R) (X eta regret : R) : Prop :=
  (forall x y, (y < K)%nat -> convex (l x y) /\ forall V, 0 <= l x y V) /\
  (forall W x, dot d x x <= X ^ 2 -> exists p, suits K rows d l eta W x p) /\
  forall T x y, admissible K d X T x y ->
    (exists W p, decoder_plays K rows d l eta T x y W p) /\
    forall W p, decoder_plays K rows d l eta T x y W p ->
      forall U,
        expectation K p T (mistakes y) [] <=
        expectation K p T (total (fun h => l (x h) (y h) U)) [] + regret * norm2 rows d U.
