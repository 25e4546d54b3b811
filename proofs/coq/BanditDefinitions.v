(** What the statement of a bandit theorem is made of beside Definitions.v: the second file to read before believing it.

    Only 1[y'_t = y_t] is revealed to the learner. The tree of draws and the adversary are those of Definitions.v. *)

From Coq Require Import Reals List Arith.
From Gaptron Require Import Definitions.
Import ListNotations.
Open Scope R_scope.

(** * Predictions and importance weights *)

(** The probability p' of predicting [k]: (1 - max{a, gamma}) e_{ystar} + max{a, gamma} 1/K. *)
Definition exploring (K : nat) (gamma a : R) (ystar k : nat) : R := prediction K (Rmax a gamma) ystar k.

(** 1[y' = y]/p'(y'), y' the draw. *)
Definition importance (p : nat -> R) (y draw : nat) : R := if Nat.eqb draw y then 1 / p draw else 0.

(** * The set of weights *)

Definition in_ball (rows d : nat) (D : R) (W : matrix) : Prop := norm2 rows d W <= D ^ 2.       (* ||W|| <= D *)

(** [W] is a point of the ball that is nearest to [V]. *)
Definition is_projection (rows d : nat) (D : R) (V W : matrix) : Prop :=
  in_ball rows d D W /\
  forall U, in_ball rows d D U ->
    norm2 rows d (fun k i => V k i - W k i) <= norm2 rows d (fun k i => V k i - U k i).

(** * The game *)

(** Algorithm 1 with bandit feedback: W_1 = 0, ystar any top label, g_t any subgradient of the importance-weighted loss,
    W_{t+1} the projection of W_t - eta g_t on {||W|| <= D}. *)
Definition bandit_plays (K d : nat) (s : surrogate) (D gamma eta : R) (T : nat)
    (x : history -> vector) (y : history -> nat) (W : history -> matrix) (ystar : history -> nat) : Prop :=
  (forall k i, W [] k i = 0) /\
  forall h, takes_place K T h ->
    top s (W h) (x h) (ystar h) /\
    let p := exploring K gamma (gap_map s (W h) (x h) (ystar h)) (ystar h) in
    forall draw, (draw < K)%nat ->
      exists G,
        matrix_subgradient (rows s) d
          (fun V => importance p (y h) draw * loss s (W h) (x h) (ystar h) (y h) V) (W h) G /\
        is_projection (rows s) d D (fun k i => W h k i - eta * G k i) (W (draw :: h)).

(** What the learner is told: the features, its draw, and whether that was right. The latest round first. *)
Definition feedback : Type := vector * nat * bool.

Fixpoint told (x : history -> vector) (y : history -> nat) (h : history) : list feedback :=
  match h with
  | [] => []
  | draw :: h => (x h, draw, Nat.eqb draw (y h)) :: told x y h
  end.

Fixpoint weighted_total (loss : history -> nat -> R) (h : history) : R :=      (* sum_t l_t(U), l_t of the draw y'_t *)
  match h with
  | [] => 0
  | draw :: h => loss h draw + weighted_total loss h
  end.

(** * What a theorem says

    For the exploration rate [gamma] and the learning rate [eta], over [T] rounds: the loss is nonnegative and convex;
    there is one learner for all adversaries, which knows of its draws only what it is told; its predictions are
    distributions, and no importance weight has a zero denominator; and E[mistakes] <= E[sum_t l_t(U)] + regret(||U||^2)
    for every comparator with ||U|| <= D, l_t being the importance-weighted loss. *)
Definition bandit_guarantee (K d : nat) (s : surrogate) (X D gamma eta : R) (T : nat) (regret : R -> R) : Prop :=
  (forall W x ystar y, (y < K)%nat -> convex (loss s W x ystar y) /\ forall V, 0 <= loss s W x ystar y V) /\
  (exists (weights : list feedback -> matrix) (choice : list feedback -> vector -> nat),
    forall x y, admissible K d X T x y ->
      bandit_plays K d s D gamma eta T x y (fun h => weights (told x y h)) (fun h => choice (told x y h) (x h))) /\
  forall x y, admissible K d X T x y ->
    forall W ystar, bandit_plays K d s D gamma eta T x y W ystar ->
      let p := fun h => exploring K gamma (gap_map s (W h) (x h) (ystar h)) (ystar h) in
      let losses := fun U h draw => importance (p h) (y h) draw * loss s (W h) (x h) (ystar h) (y h) U in
      (forall h, takes_place K T h -> is_distribution K (p h) /\ forall k, (k < K)%nat -> 0 < p h k) /\
      forall U, in_ball (rows s) d D U ->
        expectation K p T (mistakes y) [] <=
        expectation K p T (weighted_total (losses U)) [] + regret (norm2 (rows s) d U).

(** A regret that is the same for every comparator. *)
Definition constant (regret _ : R) : R := regret.
