(** Bandit feedback: what the statement of its theorems is made of beside Definitions.v.

    Only 1[y'_t = y_t] is revealed to the learner. *)

From Coq Require Import Reals List Arith.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** The probability p' of predicting [k]: (1 - max{a, gamma}) e_{ystar} + max{a, gamma} 1/K. *)
Definition exploring (K : nat) (gamma a : R) (ystar k : nat) : R := prediction K (Rmax a gamma) ystar k.

(** 1[y' = y]/p'(y'), y' the draw. *)
Definition importance (p : nat -> R) (y draw : nat) : R := if Nat.eqb draw y then 1 / p draw else 0.

Definition in_ball (rows d : nat) (D : R) (W : matrix) : Prop := norm2 rows d W <= D ^ 2.       (* ||W|| <= D *)

(** Algorithm 1 with bandit feedback: ystar any top label, importance-weighted losses, weights in {||W|| <= D}; a
    comparator is fixed before the game. *)
Definition bandit (K d : nat) (s : surrogate) (D gamma : R) : game := {|
  label_count := K;  draw_count := K;  weight_rows := rows s;  features := d;
  weight_set := in_ball (rows s) d D;
  highest_price := 0;
  choice := nat;
  may_choose := fun _ => top s;
  chance := fun W x ystar => exploring K gamma (gap_map s W x ystar) ystar;
  charge := wrong;
  revealed := fun y draw => if Nat.eqb draw y then 1%nat else 0%nat;
  round_loss := loss s;
  estimate := importance;
  comparable := fun U => exists V, in_ball (rows s) d D V /\ U = fun _ => V
|}.
