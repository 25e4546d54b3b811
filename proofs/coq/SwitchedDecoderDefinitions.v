(** What the statement of a theorem with the best decoder is made of if rounds are off, beside DecoderDefinitions.v. *)

From Coq Require Import Reals List.
From Gaptron Require Import Definitions DecoderDefinitions.
Import ListNotations.
Open Scope R_scope.

(** Loss and gradient vanish on rounds whose top label is right and whose top margin exceeds [beta]; never if [None]. *)
Definition switched (K d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) (W : matrix) (ystar : nat)
    (x : vector) (y : nat) (V : matrix) : R :=
  if off beta (margin K (scores d W x) ystar) ystar y then 0 else l x y V.

(** As [decoder_plays], with ystar any top label. *)
Definition switched_decoder_plays (K rows d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) (eta : R)
    (T : nat) (x : history -> vector) (y : history -> nat) (W : history -> matrix) (ystar : history -> nat)
    (p : history -> nat -> R) : Prop :=
  (forall k i, W [] k i = 0) /\
  forall h, takes_place K T h ->
    is_top K (scores d (W h) (x h)) (ystar h) /\
    suits K rows d (switched K d l beta (W h) (ystar h)) eta (W h) (x h) (p h) /\
    exists G, matrix_subgradient rows d (switched K d l beta (W h) (ystar h) (x h) (y h)) (W h) G /\
      forall draw k i, (draw < K)%nat -> W (draw :: h) k i = W h k i - eta * G k i.

(** As [decoder_guarantee]: of rounds that are off the comparator pays nothing either. *)
Definition switched_decoder_guarantee (K rows d : nat) (l : vector -> nat -> matrix -> R) (beta : option R)
    (X eta regret : R) : Prop :=
  (forall W ystar x y, (y < K)%nat ->
    convex (switched K d l beta W ystar x y) /\ forall V, 0 <= switched K d l beta W ystar x y V) /\
  (forall W x ystar, dot d x x <= X ^ 2 -> is_top K (scores d W x) ystar ->
    exists p, suits K rows d (switched K d l beta W ystar) eta W x p) /\
  forall T x y, admissible K d X T x y ->
    (exists W ystar p, switched_decoder_plays K rows d l beta eta T x y W ystar p) /\
    forall W ystar p, switched_decoder_plays K rows d l beta eta T x y W ystar p ->
      forall U,
        expectation K p T (mistakes y) [] <=
        expectation K p T (total (fun h => switched K d l beta (W h) (ystar h) (x h) (y h) U)) []
          + regret * norm2 rows d U.
