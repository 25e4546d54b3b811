(** The best decoder: what the statement of its theorems is made of, beside Definitions.v.

    In a round with features [x] and label [y] the surrogate loss of weights [V], a matrix with [rows] rows, is
    [l x y V]. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** A prediction [p], made before the label is known, with P(wrong) <= loss - (eta/2) ||g||^2 for every label and every
    subgradient g: the surrogate gap is at most zero. *)
Definition suits (K rows d : nat) (l : vector -> nat -> matrix -> R) (eta : R) (W : matrix) (x : vector) (p : nat -> R) :
    Prop :=
  is_distribution K p /\
  forall y G, (y < K)%nat -> matrix_subgradient rows d (l x y) W G -> 1 - p y <= l x y W - eta / 2 * norm2 rows d G.

(** What is chosen is a prediction that suits. *)
Definition decoding (K rows d : nat) (l : vector -> nat -> matrix -> R) : game := {|
  label_count := K;  draw_count := K;  weight_rows := rows;  features := d;
  weight_set := fun _ => True;
  highest_price := 0;
  choice := nat -> R;
  may_choose := suits K rows d l;
  chance := fun _ _ p => p;
  charge := wrong;
  revealed := fun y _ => y;
  round_loss := fun _ x _ => l x;
  estimate := fun _ _ _ => 1;
  comparable := fun _ => True
|}.

(** * Where rounds may be off *)

(** Loss and gradient vanish on rounds whose top label is right and whose top margin exceeds [beta]; never if [None]. *)
Definition switched (K d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) (W : matrix) (ystar : nat)
    (x : vector) (y : nat) (V : matrix) : R :=
  if off beta (margin K (scores d W x) ystar) ystar y then 0 else l x y V.

(** What is chosen is any top label ystar, which decides whether the round is off, and for every top label a prediction
    that suits. *)
Definition decoding_switched (K rows d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) : game := {|
  label_count := K;  draw_count := K;  weight_rows := rows;  features := d;
  weight_set := fun _ => True;
  highest_price := 0;
  choice := nat * (nat -> nat -> R);
  may_choose := fun eta W x '(ystar, p) =>
    is_top K (scores d W x) ystar /\
    forall k, is_top K (scores d W x) k -> suits K rows d (switched K d l beta W k) eta W x (p k);
  chance := fun _ _ '(ystar, p) => p ystar;
  charge := wrong;
  revealed := fun y _ => y;
  round_loss := fun W x '(ystar, _) => switched K d l beta W ystar x;
  estimate := fun _ _ _ => 1;
  comparable := fun _ => True
|}.
