(** What the refutation of a theorem about abstention says, beside RefutationDefinitions.v. To be read after
    AbstentionDefinitions.v. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions AbstentionDefinitions.
Open Scope R_scope.

(** E cost - l(W) + eta/2 ||G||^2: the surrogate gap of a round in which abstaining costs [c]. *)
Definition costly_gap (K d : nat) (s : surrogate) (c eta : R) (W : matrix) (x : vector) (ystar y : nat) (G : matrix)
  : R :=
  sum (S K) (fun draw => abstaining K (gap_map s W x ystar) ystar draw * cost K c y draw)
    - loss s W x ystar y W + eta / 2 * norm2 (rows s) d G.

(** There is a round whose surrogate gap is positive. *)
Definition broken_abstention_round (K d : nat) (s : surrogate) (c X eta : R) : Prop :=
  exists W x ystar y G,
    (top s W x ystar /\ (y < K)%nat /\ dot d x x <= X ^ 2) /\
    matrix_subgradient (rows s) d (loss s W x ystar y) W G /\
    0 < costly_gap K d s c eta W x ystar y G.
