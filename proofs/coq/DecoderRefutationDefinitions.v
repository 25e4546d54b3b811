(** What the refutation of a theorem with the best decoder says. To be read after DecoderDefinitions.v, and
   .v where rounds are off. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions DecoderDefinitions.
Open Scope R_scope.

(** There are weights and features at which no prediction suits. *)
Definition broken_decoder_round (K rows d : nat) (l : vector -> nat -> matrix -> R) (X eta : R) : Prop :=
  exists W x, dot d x x <= X ^ 2 /\ forall p, ~ suits K rows d l eta W x p.

(** The same where rounds may be off, for some top label. *)
Definition broken_switched_decoder_round (K rows d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) (X eta : R)
  : Prop :=
  exists W x ystar, (dot d x x <= X ^ 2 /\ is_top K (scores d W x) ystar) /\
    forall p, ~ suits K rows d (switched K d l beta W ystar) eta W x p.

(** The loss of some features and label is not convex, or negative for some weights. *)
Definition broken_score_loss (K : nat) (l : vector -> nat -> matrix -> R) : Prop :=
  exists x y, (y < K)%nat /\ ~ (convex (l x y) /\ forall V, 0 <= l x y V).
