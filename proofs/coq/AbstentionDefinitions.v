(** Abstention: what the statement of its theorems is made of, beside Definitions.v.

    Predictions are the labels 0, ..., K - 1; the draw K is to abstain. What that costs may differ from round to
    round, and is at most [c]. *)

From Coq Require Import Reals Arith.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** ystar with probability 1 - a; abstain with probability a. *)
Definition abstaining (K : nat) (a : R) (ystar k : nat) : R :=
  (if Nat.eqb k ystar then 1 - a else 0) + (if Nat.eqb k K then a else 0).

Definition cost (K : nat) (c : R) (y draw : nat) : R :=
  if Nat.eqb draw K then c else if Nat.eqb draw y then 0 else 1.

(** As [full], with one more draw and its price. *)
Definition abstention (K d : nat) (s : surrogate) (c : R) : game := {|
  label_count := K;  draw_count := S K;  weight_rows := rows s;  features := d;
  weight_set := fun _ => True;
  highest_price := c;
  choice := nat;
  may_choose := fun _ => top s;
  chance := fun W x ystar => abstaining K (gap_map s W x ystar) ystar;
  charge := cost K;
  revealed := fun y _ => y;
  round_loss := loss s;
  estimate := fun _ _ _ => 1;
  comparable := fun _ => True
|}.
