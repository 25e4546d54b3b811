(** What the statement of a theorem about abstention is made of, beside Definitions.v.

    Predictions are the labels 0, ..., K - 1; the draw K is to abstain. What that costs may differ from round to
    round, and is at most [c]. *)

From Coq Require Import Reals List Arith.
From Gaptron Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

(** ystar with probability 1 - a; abstain with probability a. *)
Definition abstaining (K : nat) (a : R) (ystar k : nat) : R :=
  (if Nat.eqb k ystar then 1 - a else 0) + (if Nat.eqb k K then a else 0).

Definition cost (K : nat) (c : R) (y draw : nat) : R :=
  if Nat.eqb draw K then c else if Nat.eqb draw y then 0 else 1.

Fixpoint costs (K : nat) (price : history -> R) (y : history -> nat) (h : history) : R :=      (* sum_t of the costs *)
  match h with
  | [] => 0
  | draw :: h => cost K (price h) (y h) draw + costs K price y h
  end.

(** An adversary with labels below K, ||x_t|| <= X and c_t <= c. *)
Definition abstention_admissible (K d : nat) (c X : R) (T : nat) (x : history -> vector) (y : history -> nat)
    (price : history -> R) : Prop :=
  forall h, takes_place (S K) T h -> (y h < K)%nat /\ dot d (x h) (x h) <= X ^ 2 /\ price h <= c.

(** As [guarantee], with the expected costs in the place of the expected mistakes, and one more draw. *)
Definition abstention_guarantee (K d : nat) (s : surrogate) (c X eta regret : R) : Prop :=
  (forall W x ystar y, (y < K)%nat -> convex (loss s W x ystar y) /\ forall V, 0 <= loss s W x ystar y V) /\
  forall T x y price, abstention_admissible K d c X T x y price ->
    (exists W ystar, plays (S K) d s eta T x y W ystar) /\
    forall W ystar, plays (S K) d s eta T x y W ystar ->
      let p := fun h => abstaining K (gap_map s (W h) (x h) (ystar h)) (ystar h) in
      let losses := fun U h => loss s (W h) (x h) (ystar h) (y h) U in
      (forall h, takes_place (S K) T h -> is_distribution (S K) (p h)) /\
      forall U,
        expectation (S K) p T (costs K price y) [] <=
        expectation (S K) p T (total (losses U)) [] + regret * norm2 (rows s) d U.
