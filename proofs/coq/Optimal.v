(** The optimal constant over all algorithms: what the statements are made of. To be read before believing them.

    Labels are 0, ..., N - 1 and predictions 0, ..., M - 1; they may differ. [target k y] is the target loss of the
    prediction k for the label y, and [surrogate_of y] the surrogate loss of a vector of scores. *)

From Coq Require Import Reals List Arith.
From Gaptron Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

Record problem := Problem {
  labels : nat;
  predictions : nat;
  dimension : nat;                                      (* of the scores *)
  target : nat -> nat -> R;                             (* L(k, y) *)
  surrogate_of : nat -> vector -> R                     (* loss_y(theta) *)
}.

(** Entries of the scores beyond the dimension are not read. *)
Definition reads (n : nat) (f : vector -> R) : Prop :=
  forall u v, (forall i, (i < n)%nat -> u i = v i) -> f u = f v.

Definition convex_in (f : vector -> R) : Prop :=
  forall u v t, 0 <= t <= 1 -> f (fun i => t * u i + (1 - t) * v i) <= t * f u + (1 - t) * f v.

Definition convex_losses (P : problem) : Prop :=
  forall y, (y < labels P)%nat -> reads (dimension P) (surrogate_of P y) /\ convex_in (surrogate_of P y).

(** * What can be attained, by the protocol alone *)

(** Any map from the past rounds (features, label and own draw, the latest first) and the features at hand to a
    distribution over the predictions. *)
Definition algorithm := list (vector * nat * nat) -> vector -> nat -> R.

Fixpoint past (x : history -> vector) (y : history -> nat) (h : history) : list (vector * nat * nat) :=
  match h with
  | [] => []
  | draw :: h => (x h, y h, draw) :: past x y h
  end.

(** An adversary that sees the draws: ||x_t|| <= X. *)
Definition adversary (P : problem) (d : nat) (X : R) (T : nat) (x : history -> vector) (y : history -> nat) : Prop :=
  forall h, takes_place (predictions P) T h -> (y h < labels P)%nat /\ dot d (x h) (x h) <= X ^ 2.

Fixpoint paid (P : problem) (y : history -> nat) (h : history) : R :=              (* sum_t L(yhat_t, y_t) *)
  match h with
  | [] => 0
  | draw :: h => target P draw (y h) + paid P y h
  end.

(** E sum L <= alpha (E sum loss(U x) + c X^2 ||U||^2) for every T, every adversary and every U: dimension-free. *)
Definition attainable (P : problem) (X alpha c : R) : Prop :=
  forall d, exists A : algorithm,
    (forall rounds z, is_distribution (predictions P) (A rounds z)) /\
    forall T x y, adversary P d X T x y ->
    forall U : matrix,
      let p := fun h => A (past x y h) (x h) in
      let losses := fun h => surrogate_of P (y h) (scores d U (x h)) in
      expectation (predictions P) p T (paid P y) [] <=
      alpha * (expectation (predictions P) p T (total losses) [] + c * X ^ 2 * norm2 (dimension P) d U).

(** * The criterion: one inequality over distributions and families of score vectors *)

Definition weighted (n : nat) (w f : nat -> R) : R := sum n (fun y => w y * f y).  (* E_w f *)

Definition mean (n : nat) (w : nat -> R) (theta : nat -> vector) : vector := fun i => weighted n w (fun y => theta y i).

Definition distance2 (n : nat) (u v : vector) : R := dot n (fun i => u i - v i) (fun i => u i - v i).

Definition variance (n N : nat) (w : nat -> R) (theta : nat -> vector) : R :=      (* Var_w(theta) *)
  weighted N w (fun y => distance2 n (theta y) (mean N w theta)).

(** H_L(w) <= alpha (E_w loss_y(theta_y) + c Var_w(theta)): so is every H that no prediction beats. *)
Definition criterion (P : problem) (alpha c : R) : Prop :=
  forall w theta, is_distribution (labels P) w ->
  forall H, (forall k, (k < predictions P)%nat -> H <= weighted (labels P) w (target P k)) ->
    H <= alpha * (weighted (labels P) w (fun y => surrogate_of P y (theta y))
                  + c * variance (dimension P) (labels P) w theta).

(** * The 0-1 target: predictions are labels *)

Definition zero_one (k y : nat) : R := if Nat.eqb k y then 0 else 1.

Definition classification (K n : nat) (loss : nat -> vector -> R) : problem := {|
  labels := K; predictions := K; dimension := n; target := zero_one; surrogate_of := loss
|}.
