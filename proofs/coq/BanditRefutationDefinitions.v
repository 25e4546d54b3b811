(** What the refutation of a theorem with bandit feedback says, beside RefutationDefinitions.v. To be read after
    BanditDefinitions.v. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions BanditDefinitions.
Open Scope R_scope.

(** P(wrong) - gamma (K - 1)/K - l(W) + eta/2 ||G||^2/p'(y): the surrogate gap of a round, with the subgradient [G] of
    the loss before it is weighted, and without what is paid for exploration. *)
Definition exploring_gap (K d : nat) (s : surrogate) (gamma eta : R) (W : matrix) (x : vector) (ystar y : nat)
    (G : matrix) : R :=
  let p := exploring K gamma (gap_map s W x ystar) ystar in
  sum K (fun draw => p draw * if Nat.eqb draw y then 0 else 1) - gamma * (INR K - 1) / INR K
    - loss s W x ystar y W + eta / 2 * (norm2 (rows s) d G / p y).

(** There is a round with weights in the ball, whose label is drawn with a positive probability, and whose surrogate gap
    is positive. *)
Definition broken_bandit_round (K d : nat) (s : surrogate) (X D gamma eta : R) : Prop :=
  exists W x ystar y G,
    (top s W x ystar /\ (y < K)%nat /\ dot d x x <= X ^ 2 /\ in_ball (rows s) d D W) /\
    0 < exploring K gamma (gap_map s W x ystar) ystar y /\
    matrix_subgradient (rows s) d (loss s W x ystar y) W G /\
    0 < exploring_gap K d s gamma eta W x ystar y G.

(** The regret is smaller than T, and than what the lemma gives: D^2/(2 eta) + gamma T (K - 1)/K. *)
Definition broken_bandit_regret (K : nat) (D gamma eta T regret : R) : Prop :=
  regret < T /\ regret < D ^ 2 / (2 * eta) + gamma * T * (INR K - 1) / INR K.
