(** What the refutation of a theorem with the best decoder says. To be read after DecoderDefinitions.v. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions DecoderDefinitions.
Open Scope R_scope.

(** There are weights and features at which no prediction suits. *)
Definition broken_decoder_round (K rows d : nat) (l : vector -> nat -> matrix -> R) (X eta : R) : Prop :=
  exists W x, dot d x x <= X ^ 2 /\ forall p, ~ suits K rows d l eta W x p.
