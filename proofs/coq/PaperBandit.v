(** Theorems 4, 5 and 6 of van der Hoeven 2020 as statements, in the paper's words and by hand.

    Each says first that what it writes is defined: no denominator is zero, every logarithm's argument is positive and
    no root is taken of a negative number. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions BanditDefinitions Paper.
Open Scope R_scope.

(** ** Theorem 4: the bandit logistic loss, equation (4)

    The paper prints eta = ln(2) ((1 - gamma) e^(-2 D X)/K + gamma)/(2 K^2 X^2), from a lower bound on probabilities
    that is false. Here gamma stands in place of that bracket, and the regret is the first branch of the printed one.

    gamma = min{1, K X D/sqrt(T ln(2))}, eta = gamma ln(2)/(2 K^2 X^2),
    the regret K X D max{2 K X D/ln(2), 2 sqrt(T/ln(2))} *)
Definition Theorem4 : Prop :=
  0 < ln 2 /\
  forall K d X D T, (2 <= K)%nat -> 0 < X -> 0 < D -> (1 <= T)%nat ->
    let k := INR K in
    let gamma := Rmin 1 (k * X * D / sqrt (INR T * ln 2)) in
    let eta := gamma * ln 2 / (2 * k ^ 2 * X ^ 2) in
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    0 <= INR T * ln 2 /\ sqrt (INR T * ln 2) <> 0 /\ 2 * k ^ 2 * X ^ 2 <> 0 /\ 0 <= INR T / ln 2 /\
    bandit_guarantee K d (softmax_loss K d logistic logistic_map) X D gamma eta T
      (fun _ => k * X * D * Rmax (2 * k * X * D / ln 2) (2 * sqrt (INR T / ln 2))).

(** ** Theorem 5: the bandit multiclass hinge loss, equation (5), with beta = 1/K

    gamma = min{1, sqrt(K^3 X^2 D^2/(2 (1 - beta) (K - 1) T))}, eta = gamma (1 - beta)/(K^2 X^2),
    the regret max{K^3 X^2 D^2/(K - 1), 2 K X D sqrt(T/2)} *)
Definition Theorem5 : Prop :=
  forall K d X D T, (2 <= K)%nat -> 0 < X -> 0 < D -> (1 <= T)%nat ->
    let k := INR K in
    let beta := 1 / k in
    let square := k ^ 3 * X ^ 2 * D ^ 2 / (2 * (1 - beta) * (k - 1) * INR T) in
    let gamma := Rmin 1 (sqrt square) in
    let eta := gamma * (1 - beta) / (k ^ 2 * X ^ 2) in
    k <> 0 /\ 2 * (1 - beta) * (k - 1) * INR T <> 0 /\ 0 <= square /\ k ^ 2 * X ^ 2 <> 0 /\ k - 1 <> 0 /\
    0 <= INR T / 2 /\
    bandit_guarantee K d (margin_loss K d hinge (hinge_map beta) (Some beta)) X D gamma eta T
      (fun _ => Rmax (k ^ 3 * X ^ 2 * D ^ 2 / (k - 1)) (2 * k * X * D * sqrt (INR T / 2))).

(** ** Theorem 6: the bandit smooth multiclass hinge loss, equation (6)

    Read as equation (3): max{1 - m, 0}^2 for m > 0. With gamma = min{1, sqrt(c K^2 X^2 D^2/T)}, the paper's c being 4,
    eta = gamma/(4 K^2 X^2) and the regret max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}. *)
Definition Theorem6_with (c : R) (K : nat) : Prop :=
  forall d X D T, 0 < X -> 0 < D -> (1 <= T)%nat ->
    let k := INR K in
    let square := c * k ^ 2 * X ^ 2 * D ^ 2 / INR T in
    let gamma := Rmin 1 (sqrt square) in
    let eta := gamma / (4 * k ^ 2 * X ^ 2) in
    INR T <> 0 /\ 0 <= square /\ 4 * k ^ 2 * X ^ 2 <> 0 /\ 0 <= 2 * INR T /\
    bandit_guarantee K d (margin_loss K d smooth_hinge smooth_hinge_map None) X D gamma eta T
      (fun _ => Rmax (4 * k ^ 2 * X ^ 2 * D ^ 2) (2 * k * X * D * sqrt (2 * INR T))).

(** As printed, for at most eleven classes. *)
Definition Theorem6_to_11 : Prop := forall K, (2 <= K <= 11)%nat -> Theorem6_with 4 K.

(** With 2 under the root in the place of 4, for any number of classes. *)
Definition Theorem6 : Prop := forall K, (2 <= K)%nat -> Theorem6_with 2 K.

(** As printed, from 55 classes on, it is false: there are D and T, and an adversary that sees the draws. *)
Definition Theorem6_false_from_55 : Prop := forall K, (55 <= K)%nat -> ~ Theorem6_with 4 K.
