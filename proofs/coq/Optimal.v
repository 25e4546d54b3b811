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

(** The game of a problem with [d] features: any distribution over the predictions may be chosen; the label is told. *)
Definition arena (P : problem) (d : nat) : game := {|
  label_count := labels P;  draw_count := predictions P;  weight_rows := dimension P;  features := d;
  weight_set := fun _ => True;
  highest_price := 0;
  choice := nat -> R;
  may_choose := fun _ _ _ => is_distribution (predictions P);
  chance := fun _ _ p => p;
  charge := fun _ y draw => target P draw y;
  revealed := fun y _ => y;
  round_loss := fun _ x _ y V => surrogate_of P y (scores d V x);
  estimate := fun _ _ _ => 1;
  comparable := fun _ => True
|}.

(** An algorithm is any map from what it was told, the latest round first, and the features at hand to a choice: it has no
    weights and no learning rate. *)
Definition idle : matrix := fun _ _ => 0.

(** E[what is paid] <= alpha (E[sum_t l_t(U)] + c X^2 ||U||^2) for every T, every adversary and every U. *)
Definition attains (G : game) (X alpha c : R) : Prop :=
  exists A : list feedback -> vector -> choice G,
    (forall rounds z, may_choose G 0 idle z (A rounds z)) /\
    forall T x y price, admissible G X T x y price ->
    forall U : matrix,
      let chosen := fun h => A (told G x y h) (x h) in
      let p := fun h => chance G idle (x h) (chosen h) in
      let losses := fun h => round_loss G idle (x h) (chosen h) (y h) U in
      expectation (draw_count G) p T (weighted_total (fun h draw => charge G (price h) (y h) draw)) [] <=
      alpha * (expectation (draw_count G) p T (total losses) [] + c * X ^ 2 * norm2 (weight_rows G) (features G) U).

(** E sum L <= alpha (E sum loss(U x) + c X^2 ||U||^2), whatever the number of features is. *)
Definition attainable (P : problem) (X alpha c : R) : Prop := forall d, attains (arena P d) X alpha c.

(** In such a game no price is asked; sum_t L(yhat_t, y_t) is paid. *)
Definition adversary (P : problem) (d : nat) (X : R) (T : nat) (x : history -> vector) (y : history -> nat) : Prop :=
  admissible (arena P d) X T x y (fun _ => 0).

Definition paid (P : problem) (y : history -> nat) : history -> R := weighted_total (fun h draw => target P draw (y h)).

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
