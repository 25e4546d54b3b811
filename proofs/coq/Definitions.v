(** Everything that the statement of a theorem is made of: the one file to read before believing it.

    Notation of van der Hoeven 2020, "Exploiting the Surrogate Gap in Online Multiclass Classification", on the right.
    Labels are 0, ..., K - 1. Entries of vectors and matrices beyond their dimensions are never read. *)

From Coq Require Import Reals List Arith.
Import ListNotations.
Open Scope R_scope.

(** * Vectors and matrices *)

Fixpoint sum (n : nat) (f : nat -> R) : R :=                          (* sum_{i < n} f(i) *)
  match n with
  | O => 0
  | S i => sum i f + f i
  end.

Definition vector := nat -> R.
Definition matrix := nat -> vector.                                   (* W^k is row k of W *)

Definition dot (d : nat) (u v : vector) : R := sum d (fun i => u i * v i).          (* <u, v> *)

Definition inner (rows d : nat) (A B : matrix) : R := sum rows (fun k => dot d (A k) (B k)).   (* <A, B> *)

Definition norm2 (rows d : nat) (W : matrix) : R := inner rows d W W.               (* ||W||^2 *)

(** * Convex functions *)

(** [g] is a subgradient of [f] at [m]. *)
Definition subgradient (f : R -> R) (m g : R) : Prop := forall b, f m + g * (b - m) <= f b.

(** [G] is a subgradient of [f], a function of matrices, at [W]: at kinks and ties there are many. *)
Definition matrix_subgradient (rows d : nat) (f : matrix -> R) (W G : matrix) : Prop :=
  forall V, f W + inner rows d G (fun k i => V k i - W k i) <= f V.

Definition convex (f : matrix -> R) : Prop :=
  forall A B t, 0 <= t <= 1 -> f (fun k i => t * A k i + (1 - t) * B k i) <= t * f A + (1 - t) * f B.

(** * Scores and margins *)

Definition scores (d : nat) (W : matrix) (x : vector) : vector := fun k => dot d (W k) x.      (* <W^k, x> *)

Fixpoint largest (n : nat) (f : nat -> R) : R :=                      (* max_{j <= n} f(j) *)
  match n with
  | O => f O
  | S j => Rmax (largest j f) (f n)
  end.

(** The labels other than [y] are [other y 0], ..., [other y (K - 2)]. *)
Definition other (y j : nat) : nat := if j <? y then j else S j.

Definition margin (K : nat) (theta : vector) (y : nat) : R :=         (* m(W, y) = <W^y, x> - max_{k <> y} <W^k, x> *)
  theta y - largest (K - 2) (fun j => theta (other y j)).

Definition is_top (K : nat) (theta : vector) (y : nat) : Prop :=      (* y = argmax_k <W^k, x>, any of them at a tie *)
  (y < K)%nat /\ forall k, (k < K)%nat -> theta k <= theta y.

Definition softmax (K : nat) (theta : vector) (y : nat) : R :=        (* sigma(W, x, y) *)
  exp (theta y) / sum K (fun k => exp (theta k)).

(** * Surrogate losses and predictions

    What a theorem fixes. In a round with weights [W], features [x], label [y] and top label [ystar], the surrogate loss
    of weights [V] is [loss W x ystar y V]. It may depend on [W] and [ystar] because rounds are switched off by what the
    learner is about to do; otherwise it does not. *)

Record surrogate := Surrogate {
  rows : nat;                                           (* the weights have that many rows *)
  top : matrix -> vector -> nat -> Prop;                (* which labels may be y-star *)
  gap_map : matrix -> vector -> nat -> R;               (* a(W, x) *)
  loss : matrix -> vector -> nat -> nat -> matrix -> R  (* l(V) *)
}.

(** Loss and gradient vanish on rounds whose top label is right and whose top margin exceeds [beta]; never if [None]. *)
Definition off (beta : option R) (m : R) (ystar y : nat) : bool :=
  match beta with
  | None => false
  | Some b => if Rlt_dec b m then Nat.eqb ystar y else false
  end.

(** l(V) = phi(m(V, y)), the gap map a function of the top margin m(W, ystar). *)
Definition margin_loss (K d : nat) (phi a : R -> R) (beta : option R) : surrogate := {|
  rows := K;
  top := fun W x ystar => is_top K (scores d W x) ystar;
  gap_map := fun W x ystar => a (margin K (scores d W x) ystar);
  loss := fun W x ystar y V =>
    if off beta (margin K (scores d W x) ystar) ystar y then 0 else phi (margin K (scores d V x) y)
|}.

(** l(V) = psi(p_y), the gap map a function of the largest probability. *)
Definition softmax_loss (K d : nat) (psi a : R -> R) : surrogate := {|
  rows := K;
  top := fun W x ystar => is_top K (scores d W x) ystar;
  gap_map := fun W x ystar => a (softmax K (scores d W x) ystar);
  loss := fun W x ystar y V => psi (softmax K (scores d V x) y)
|}.

(** One weight vector, z = <w, x>; label 0 is +1 and label 1 is -1; the sign of z = 0 is +1. *)
Definition binary_loss (d : nat) (plus minus a : R -> R) : surrogate := {|
  rows := 1;
  top := fun W x ystar => ystar = if Rle_dec 0 (dot d (W 0%nat) x) then 0%nat else 1%nat;
  gap_map := fun W x ystar => a (Rabs (dot d (W 0%nat) x));
  loss := fun W x ystar y V => (if Nat.eqb y 0 then plus else minus) (dot d (V 0%nat) x)
|}.

(** The probability of predicting [k]: (1 - a) e_{ystar} + a 1/K. *)
Definition prediction (K : nat) (a : R) (ystar k : nat) : R := (if Nat.eqb k ystar then 1 - a else 0) + a / INR K.

Definition is_distribution (K : nat) (p : nat -> R) : Prop :=
  (forall k, (k < K)%nat -> 0 <= p k) /\ sum K p = 1.

(** * The game

    A history is the list of the labels drawn so far, the latest first. Features, labels and the learner's choices may
    depend on it: the adversary sees the draws. *)

Definition history := list nat.

(** A round takes place after [h]. *)
Definition takes_place (K T : nat) (h : history) : Prop :=
  Forall (fun draw => (draw < K)%nat) h /\ (length h < T)%nat.

(** An adversary with labels below K and ||x_t|| <= X. *)
Definition admissible (K d : nat) (X : R) (T : nat) (x : history -> vector) (y : history -> nat) : Prop :=
  forall h, takes_place K T h -> (y h < K)%nat /\ dot d (x h) (x h) <= X ^ 2.

(** Algorithm 1 with full information: W_1 = 0, ystar any top label, W_{t+1} = W_t - eta g_t with any subgradient. *)
Definition plays (K d : nat) (s : surrogate) (eta : R) (T : nat) (x : history -> vector) (y : history -> nat)
    (W : history -> matrix) (ystar : history -> nat) : Prop :=
  (forall k i, W [] k i = 0) /\
  forall h, takes_place K T h ->
    top s (W h) (x h) (ystar h) /\
    exists G, matrix_subgradient (rows s) d (loss s (W h) (x h) (ystar h) (y h)) (W h) G /\
      forall draw k i, (draw < K)%nat -> W (draw :: h) k i = W h k i - eta * G k i.

(** The expectation of [f] over the histories that go on from [h] for [n] rounds, drawn with probabilities [p]. *)
Fixpoint expectation (K : nat) (p : history -> nat -> R) (n : nat) (f : history -> R) (h : history) : R :=
  match n with
  | O => f h
  | S n => sum K (fun draw => p h draw * expectation K p n f (draw :: h))
  end.

Fixpoint mistakes (y : history -> nat) (h : history) : R :=           (* sum_t 1[y'_t <> y_t], y'_t the draw *)
  match h with
  | [] => 0
  | draw :: h => (if Nat.eqb draw (y h) then 0 else 1) + mistakes y h
  end.

Fixpoint total (loss : history -> R) (h : history) : R :=             (* sum_t l_t(U) *)
  match h with
  | [] => 0
  | _ :: h => loss h + total loss h
  end.

(** * What a theorem says

    For the learning rate [eta]: the loss is nonnegative and convex, there is a learner against every adversary, its
    predictions are distributions, and E[mistakes] <= E[sum_t l_t(U)] + regret ||U||^2 for every comparator U. *)
Definition guarantee (K d : nat) (s : surrogate) (X eta regret : R) : Prop :=
  (forall W x ystar y, (y < K)%nat -> convex (loss s W x ystar y) /\ forall V, 0 <= loss s W x ystar y V) /\
  forall T x y, admissible K d X T x y ->
    (exists W ystar, plays K d s eta T x y W ystar) /\
    forall W ystar, plays K d s eta T x y W ystar ->
      let p := fun h => prediction K (gap_map s (W h) (x h) (ystar h)) (ystar h) in
      let losses := fun U h => loss s (W h) (x h) (ystar h) (y h) U in
      (forall h, takes_place K T h -> is_distribution K (p h)) /\
      forall U,
        expectation K p T (mistakes y) [] <=
        expectation K p T (total (losses U)) [] + regret * norm2 (rows s) d U.
