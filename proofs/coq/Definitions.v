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

Definition convex_set (inside : matrix -> Prop) : Prop :=
  forall U W t, inside U -> inside W -> 0 <= t <= 1 -> inside (fun k i => W k i + t * (U k i - W k i)).

(** [W] is a point of the set [inside] that is nearest to [V]: V itself, if all matrices are inside. *)
Definition nearest_in (rows d : nat) (inside : matrix -> Prop) (V W : matrix) : Prop :=
  inside W /\
  forall U, inside U ->
    norm2 rows d (fun k i => V k i - W k i) <= norm2 rows d (fun k i => V k i - U k i).

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

    A history is the list of the draws so far, the latest first. Features, labels, prices and the learner's choices may
    depend on it: the adversary sees the draws. *)

Definition history := list nat.

(** A round takes place after [h]. *)
Definition takes_place (K T : nat) (h : history) : Prop :=
  Forall (fun draw => (draw < K)%nat) h /\ (length h < T)%nat.

(** What a setting fixes. In a round with weights [W], features [x], label [y] and a price the learner makes a choice, by
    which a draw is made; the loss of weights [V] is an estimate's weight times [round_loss]. *)
Record game := Game {
  label_count : nat;                                    (* labels are 0, ..., label_count - 1 *)
  draw_count : nat;                                     (* draws are 0, ..., draw_count - 1 *)
  weight_rows : nat;                                    (* the weights have that many rows *)
  features : nat;                                       (* and columns: d *)
  weight_set : matrix -> Prop;                          (* where they stay *)
  highest_price : R;                                    (* of all that the adversary may ask *)
  choice : Type;                                        (* as y-star, or a distribution *)
  may_choose : R -> matrix -> vector -> choice -> Prop; (* before the label is known, at the learning rate *)
  chance : matrix -> vector -> choice -> nat -> R;      (* the probability of each draw *)
  charge : R -> nat -> nat -> R;                        (* what is paid, at price, label and draw *)
  revealed : nat -> nat -> nat;                         (* what the learner is told of label and draw *)
  round_loss : matrix -> vector -> choice -> nat -> matrix -> R;       (* l(V), l of the label *)
  estimate : (nat -> R) -> nat -> nat -> R;             (* its weight, at the chances, label and draw *)
  comparable : (history -> matrix) -> Prop              (* the comparators: functions of all draws *)
}.

(** An adversary: labels of the game, ||x_t|| <= X, and prices. *)
Definition admissible (G : game) (X : R) (T : nat)
    (x : history -> vector) (y : history -> nat) (price : history -> R) : Prop :=
  forall h, takes_place (draw_count G) T h ->
    (y h < label_count G)%nat /\ dot (features G) (x h) (x h) <= X ^ 2 /\ price h <= highest_price G.

(** The loss l_t(V) of the draw y'_t. *)
Definition estimated (G : game) (x : history -> vector) (y : history -> nat) (W : history -> matrix)
    (c : history -> choice G) (V : matrix) (h : history) (draw : nat) : R :=
  estimate G (chance G (W h) (x h) (c h)) (y h) draw * round_loss G (W h) (x h) (c h) (y h) V.

(** W_1 = 0, any choice that is allowed, W_{t+1} nearest to W_t - eta g_t with any subgradient g_t of l_t. *)
Definition plays (G : game) (eta : R) (T : nat) (x : history -> vector) (y : history -> nat) (W : history -> matrix)
    (c : history -> choice G) : Prop :=
  (forall k i, W [] k i = 0) /\
  forall h, takes_place (draw_count G) T h ->
    may_choose G eta (W h) (x h) (c h) /\
    forall draw, (draw < draw_count G)%nat ->
      exists g,
        matrix_subgradient (weight_rows G) (features G) (fun V => estimated G x y W c V h draw) (W h) g /\
        nearest_in (weight_rows G) (features G) (weight_set G) (fun k i => W h k i - eta * g k i) (W (draw :: h)).

(** What the learner is told: features, its draw, and what that reveals of the label. The latest round first. *)
Definition feedback : Type := vector * nat * nat.

Fixpoint told (G : game) (x : history -> vector) (y : history -> nat) (h : history) : list feedback :=
  match h with
  | [] => []
  | draw :: h => (x h, draw, revealed G (y h) draw) :: told G x y h
  end.

(** The expectation of [f] over the histories that go on from [h] for [n] rounds, drawn with probabilities [p]. *)
Fixpoint expectation (K : nat) (p : history -> nat -> R) (n : nat) (f : history -> R) (h : history) : R :=
  match n with
  | O => f h
  | S n => sum K (fun draw => p h draw * expectation K p n f (draw :: h))
  end.

Fixpoint weighted_total (loss : history -> nat -> R) (h : history) : R :=      (* sum_t l_t, l_t of the draw y'_t *)
  match h with
  | [] => 0
  | draw :: h => loss h draw + weighted_total loss h
  end.

Fixpoint total (loss : history -> R) (h : history) : R :=              (* sum_t l_t, whatever the draws are *)
  match h with
  | [] => 0
  | _ :: h => loss h + total loss h
  end.

(** * What a theorem says *)

(** Losses are convex and nonnegative. *)
Definition legal (G : game) : Prop :=
  forall W x c y, (y < label_count G)%nat ->
    convex (round_loss G W x c y) /\ forall V, 0 <= round_loss G W x c y V.

(** Whatever weights and features are, something may be chosen. *)
Definition decides (G : game) (X eta : R) : Prop :=
  forall W x, weight_set G W -> dot (features G) x x <= X ^ 2 -> exists c, may_choose G eta W x c.

(** There is one learner for all adversaries, which knows no more than what it is told. *)
Definition learnable (T : nat) (G : game) (X eta : R) : Prop :=
  exists (weights : list feedback -> matrix) (choose : list feedback -> vector -> choice G),
    forall x y price, admissible G X T x y price ->
      plays G eta T x y (fun h => weights (told G x y h)) (fun h => choose (told G x y h) (x h)).

(** However it plays, draws have probabilities, estimates are right in the mean, and
    E[what is paid] <= E[sum_t l_t(U) + regret(||U||^2)] for every comparator U. *)
Definition bounded_by (T : nat) (G : game) (X eta : R) (regret : R -> R) : Prop :=
  forall x y price, admissible G X T x y price -> forall W c, plays G eta T x y W c ->
    let p := fun h => chance G (W h) (x h) (c h) in
    (forall h, takes_place (draw_count G) T h ->
      is_distribution (draw_count G) (p h) /\
      forall y, (y < label_count G)%nat -> sum (draw_count G) (fun draw => p h draw * estimate G (p h) y draw) = 1) /\
    forall U, comparable G U ->
      expectation (draw_count G) p T (weighted_total (fun h draw => charge G (price h) (y h) draw)) [] <=
      expectation (draw_count G) p T (fun h =>
        weighted_total (estimated G x y W c (U h)) h + regret (norm2 (weight_rows G) (features G) (U h))) [].

(** In [T] rounds. *)
Definition guarantee_in (T : nat) (G : game) (X eta : R) (regret : R -> R) : Prop :=
  legal G /\ decides G X eta /\ learnable T G X eta /\ bounded_by T G X eta regret.

(** In any number of rounds. *)
Definition guarantee (G : game) (X eta : R) (regret : R -> R) : Prop := forall T, guarantee_in T G X eta regret.

(** A regret that grows with ||U||^2, and one that is the same for every comparator. *)
Definition linear (c square : R) : R := c * square.
Definition flat (c _ : R) : R := c.

(** * Full information: Algorithm 1 with y-star any top label; the label is told *)

Definition wrong (_ : R) (y draw : nat) : R := if Nat.eqb draw y then 0 else 1.                 (* 1[y'_t <> y_t] *)

Definition mistakes (y : history -> nat) : history -> R :=            (* sum_t 1[y'_t <> y_t] *)
  weighted_total (fun h draw => wrong 0 (y h) draw).

Definition full (K d : nat) (s : surrogate) : game := {|
  label_count := K;  draw_count := K;  weight_rows := rows s;  features := d;
  weight_set := fun _ => True;
  highest_price := 0;
  choice := nat;
  may_choose := fun _ => top s;
  chance := fun W x ystar => prediction K (gap_map s W x ystar) ystar;
  charge := wrong;
  revealed := fun y _ => y;
  round_loss := loss s;
  estimate := fun _ _ _ => 1;
  comparable := fun _ => True
|}.
