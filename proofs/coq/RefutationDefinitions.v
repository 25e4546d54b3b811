(** What the refutation of a theorem says: the conditions under which its guarantee is proved fail at one round. To be
    read after [Definitions]. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** P(wrong) - l(W) + eta/2 ||G||^2: the surrogate gap of a round, with the subgradient [G]. *)
Definition surrogate_gap (K d : nat) (s : surrogate) (eta : R) (W : matrix) (x : vector) (ystar y : nat) (G : matrix)
  : R :=
  sum K (fun draw => prediction K (gap_map s W x ystar) ystar draw * if Nat.eqb draw y then 0 else 1)
    - loss s W x ystar y W + eta / 2 * norm2 (rows s) d G.

(** There is a round whose surrogate gap is positive: Lemma 1 asks for none. *)
Definition broken_round (K d : nat) (s : surrogate) (X eta : R) : Prop :=
  exists W x ystar y G,
    (top s W x ystar /\ (y < K)%nat /\ dot d x x <= X ^ 2) /\
    matrix_subgradient (rows s) d (loss s W x ystar y) W G /\
    0 < surrogate_gap K d s eta W x ystar y G.

(** There is a round with a gap map outside of [0, 1]. *)
Definition broken_map (d : nat) (s : surrogate) (X : R) : Prop :=
  exists W x ystar, (top s W x ystar /\ dot d x x <= X ^ 2) /\ ~ 0 <= gap_map s W x ystar <= 1.

(** There is a round whose loss is not convex, or negative for some weights. *)
Definition broken_loss (K : nat) (s : surrogate) : Prop :=
  exists W x ystar y, (y < K)%nat /\ ~ (convex (loss s W x ystar y) /\ forall V, 0 <= loss s W x ystar y V).

(** The regret is smaller than what Lemma 1 gives for the learning rate: ||U||^2/(2 eta). *)
Definition broken_regret (eta regret : R) : Prop := regret < 1 / (2 * eta).
