(** Lemma 1 and Theorems 4, 5 and 6 of van der Hoeven 2020 as statements, in the paper's words and by hand.

    Each says first that what it writes is defined: no denominator is zero, every logarithm's argument is positive and
    no root is taken of a negative number. *)

From Coq Require Import Reals List ZArith.
From Gaptron Require Import Definitions BanditDefinitions Paper.
Import ListNotations.
Open Scope R_scope.

(** ** Lemma 1

    [inside] is the convex set of weights: all of them with full information, a ball with bandit feedback. The loss l_t
    and its subgradient g_t may depend on the draw, as importance-weighted ones do. That g_t is a subgradient of l_t on
    all weights is what it asks of l_t: a convex l_t has one. *)

(** W_1 = 0, and W_{t+1} a point of the set that is nearest to W_t - eta g_t. *)
Definition descends (K rows d : nat) (inside : matrix -> Prop) (eta : R) (T : nat)
    (l : history -> nat -> matrix -> R) (g : history -> nat -> matrix) (W : history -> matrix) : Prop :=
  inside (W []) /\ (forall k i, W [] k i = 0) /\
  forall h, takes_place K T h -> forall draw, (draw < K)%nat ->
    matrix_subgradient rows d (l h draw) (W h) (g h draw) /\
    nearest_in rows d inside (fun k i => W h k i - eta * g h draw k i) (W (draw :: h)).

(** Algorithm 1: y-star and a any label and any number in [0, 1]. *)
Definition steps (K rows d : nat) (inside : matrix -> Prop) (eta : R) (T : nat) (ystar : history -> nat)
    (a : history -> R) (l : history -> nat -> matrix -> R) (g : history -> nat -> matrix)
    (W : history -> matrix) : Prop :=
  descends K rows d inside eta T l g W /\
  forall h, takes_place K T h -> (ystar h < K)%nat /\ 0 <= a h <= 1.

(** (1 - a) 1[y* <> y] + a (K - 1)/K *)
Definition risk (K : nat) (a : R) (ystar y : nat) : R :=
  (1 - a) * (if Nat.eqb ystar y then 0 else 1) + a * ((INR K - 1) / INR K).

(** The same - l(W) + (eta/2) ||g||^2 *)
Definition bracket (K rows d : nat) (eta a : R) (ystar y : nat) (l : matrix -> R) (g W : matrix) : R :=
  risk K a ystar y - l W + eta / 2 * norm2 rows d g.

(** E sum 1[y'_t <> y_t] <= E sum l_t(U) + ||U||^2/(2 eta) + gamma (K - 1)/K T + E sum of the brackets *)
Definition Lemma1 : Prop :=
  forall K rows d inside gamma eta T y ystar a l g W, (0 < K)%nat -> convex_set inside -> 0 <= gamma <= 1 -> 0 < eta ->
    INR K <> 0 /\ 2 * eta <> 0 /\
    (steps K rows d inside eta T ystar a l g W -> (forall h, takes_place K T h -> (y h < K)%nat) ->
    let p := fun h => exploring K gamma (a h) (ystar h) in
    (forall h, takes_place K T h -> is_distribution K (p h)) /\
    forall U, inside U ->
      expectation K p T (mistakes y) [] <=
      expectation K p T (weighted_total (fun h draw => l h draw U)) [] + norm2 rows d U / (2 * eta)
      + gamma * ((INR K - 1) / INR K) * INR T
      + expectation K p T (weighted_total (fun h draw =>
          bracket K rows d eta (a h) (ystar h) (y h) (l h draw) (g h draw) (W h))) []).

(** For any predictions p', if P(y' <> y) <= (1 - a) 1[y* <> y] + a (K - 1)/K + cost in every round: the same with the
    cost in the place of gamma (K - 1)/K, and y-star and a are only what this inequality needs. *)
Definition Lemma1_at_a_cost : Prop :=
  forall K rows d inside p cost eta T y ystar a l g W, (0 < K)%nat -> convex_set inside -> 0 < eta ->
    INR K <> 0 /\ 2 * eta <> 0 /\
    (descends K rows d inside eta T l g W ->
    (forall h, takes_place K T h -> is_distribution K (p h) /\
      sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)) <= risk K (a h) (ystar h) (y h) + cost) ->
    forall U, inside U ->
      expectation K p T (mistakes y) [] <=
      expectation K p T (weighted_total (fun h draw => l h draw U)) [] + norm2 rows d U / (2 * eta) + cost * INR T
      + expectation K p T (weighted_total (fun h draw =>
          bracket K rows d eta (a h) (ystar h) (y h) (l h draw) (g h draw) (W h))) []).

(** Equation (3) as printed: max{(1 - m)^2, 0} is (1 - m)^2, which grows beyond m = 1. *)
Definition smooth_hinge_as_printed (m : R) : R := if Rle_dec m 0 then Rmax (1 - 2 * m) 0 else Rmax ((1 - m) ^ 2) 0.

(** With three classes or more it is not convex, and there are weights at which it has no subgradient: Lemma 1 says
    nothing of it. *)
Definition Loss3_as_printed_is_not_convex : Prop :=
  forall K, (3 <= K)%nat -> exists x y, (y < K)%nat /\
    ~ convex (fun V => smooth_hinge_as_printed (margin K (scores 1 V x) y)).

Definition Loss3_as_printed_has_no_subgradient : Prop :=
  forall K, (3 <= K)%nat -> exists W x y, (y < K)%nat /\
    forall G, ~ matrix_subgradient K 1 (fun V => smooth_hinge_as_printed (margin K (scores 1 V x) y)) W G.

(** A subgradient among the weights near [W]; of a convex function it is one among all. *)
Definition local_subgradient (rows d : nat) (f : matrix -> R) (W G : matrix) : Prop :=
  exists r, 0 < r /\ forall V, norm2 rows d (fun k i => V k i - W k i) <= r ^ 2 ->
    f W + inner rows d G (fun k i => V k i - W k i) <= f V.

(** Three rounds of Algorithm 1 with the loss as printed and such gradients, one feature, the gap map of Theorem 3,
    gamma = 0 and eta = 1/2, after which the inequality of Lemma 1 is false. Round t is after t draws, whatever they
    are. *)
Definition breaks_Lemma1 (K : nat) (x : nat -> vector) (y ystar : nat -> nat) (g W : nat -> matrix) (U : matrix)
    : Prop :=
  let l := fun t V => smooth_hinge_as_printed (margin K (scores 1 V (x t)) (y t)) in
  let a := fun t => smooth_hinge_map (margin K (scores 1 (W t) (x t)) (ystar t)) in
  let p := fun h => exploring K 0 (a (length h)) (ystar (length h)) in
  let gap := fun t => bracket K K 1 (1 / 2) (a t) (ystar t) (y t) (l t) (g t) (W t) in
  (forall k i, W 0%nat k i = 0) /\
  (forall t, (t < 3)%nat ->
    (y t < K)%nat /\ is_top K (scores 1 (W t) (x t)) (ystar t) /\ 0 <= a t <= 1 /\
    local_subgradient K 1 (l t) (W t) (g t) /\ forall k i, W (S t) k i = W t k i - 1 / 2 * g t k i) /\
  expectation K p 3 (weighted_total (fun h draw => l (length h) U)) [] + norm2 K 1 U / (2 * (1 / 2))
    + expectation K p 3 (weighted_total (fun h draw => gap (length h))) [] <
    expectation K p 3 (mistakes (fun h => y (length h))) [].

(** So Lemma 1 is false of it with three classes or more. *)
Definition Loss3_as_printed_breaks_Lemma1 : Prop :=
  forall K, (3 <= K)%nat -> exists x y ystar g W U, breaks_Lemma1 K x y ystar g W U.

(** ** The losses (4), (5) and (6) with bandit feedback: l(W) 1[y' = y]/p'(y)

    Every label is drawn with probability gamma/K at least; the mean of the estimate is l(W), whatever number that is, and
    E ||g 1[y' = y]/p'(y)||^2 <= K ||g||^2/gamma. *)

Definition BanditProbabilities : Prop :=
  forall K gamma a ystar k, (ystar < K)%nat -> (k < K)%nat -> a <= 1 -> 0 < gamma <= 1 ->
    INR K <> 0 /\ gamma / INR K <= exploring K gamma a ystar k /\ 0 < exploring K gamma a ystar k.

Definition BanditUnbiased : Prop :=
  forall K gamma a ystar y l, (ystar < K)%nat -> (y < K)%nat -> a <= 1 -> 0 < gamma <= 1 ->
    let p := exploring K gamma a ystar in
    (forall k, (k < K)%nat -> p k <> 0) /\ sum K (fun draw => p draw * (importance p y draw * l)) = l.

Definition BanditSecondMoment : Prop :=
  forall K rows d gamma a ystar y G, (ystar < K)%nat -> (y < K)%nat -> a <= 1 -> 0 < gamma <= 1 ->
    let p := exploring K gamma a ystar in
    (forall k, (k < K)%nat -> p k <> 0) /\ gamma <> 0 /\
    sum K (fun draw => p draw * norm2 rows d (fun k i => importance p y draw * G k i)) <=
      INR K * norm2 rows d G / gamma.

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
    guarantee_in T (bandit K d (softmax_loss K d logistic logistic_map) D gamma) X
      eta (fun _ => k * X * D * Rmax (2 * k * X * D / ln 2) (2 * sqrt (INR T / ln 2))).

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
    guarantee_in T (bandit K d (margin_loss K d hinge (hinge_map beta) (Some beta)) D gamma) X
      eta (fun _ => Rmax (k ^ 3 * X ^ 2 * D ^ 2 / (k - 1)) (2 * k * X * D * sqrt (INR T / 2))).

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
    guarantee_in T (bandit K d (margin_loss K d smooth_hinge smooth_hinge_map None) D gamma) X
      eta (fun _ => Rmax (4 * k ^ 2 * X ^ 2 * D ^ 2) (2 * k * X * D * sqrt (2 * INR T))).

(** What Lemma 1 gives with the printed gamma and eta, or T if that is less, beside the printed excess. *)
Definition Theorem6_tuning (compare : R -> R -> Prop) (K : nat) (X D : R) (T : nat) : Prop :=
  let k := INR K in
  let square := 4 * k ^ 2 * X ^ 2 * D ^ 2 / INR T in
  let gamma := Rmin 1 (sqrt square) in
  let eta := gamma / (4 * k ^ 2 * X ^ 2) in
  INR T <> 0 /\ 0 <= square /\ 4 * k ^ 2 * X ^ 2 <> 0 /\ 2 * eta <> 0 /\ k <> 0 /\ 0 <= 2 * INR T /\
  compare (Rmin (D ^ 2 / (2 * eta) + gamma * INR T * (k - 1) / k) (INR T))
    (Rmax (4 * k ^ 2 * X ^ 2 * D ^ 2) (2 * k * X * D * sqrt (2 * INR T))).

(** It is no more for at most eleven classes, and more for some X, D and T with any larger number. *)
Definition Theorem6_tuned_to_11 : Prop :=
  forall K X D T, (2 <= K <= 11)%nat -> 0 < X -> 0 < D -> (1 <= T)%nat -> Theorem6_tuning Rle K X D T.

Definition Theorem6_not_tuned_from_12 : Prop :=
  forall K, (12 <= K)%nat -> exists X D T, 0 < X /\ 0 < D /\ (1 <= T)%nat /\ Theorem6_tuning Rgt K X D T.

(** As printed, for at most eleven classes. *)
Definition Theorem6_to_11 : Prop := forall K, (2 <= K <= 11)%nat -> Theorem6_with 4 K.

(** As printed, for at most 54 classes: not by Lemma 1, which has more. *)
Definition Theorem6_to_54 : Prop := forall K, (2 <= K <= 54)%nat -> Theorem6_with 4 K.

(** With 2 under the root in the place of 4, for any number of classes. *)
Definition Theorem6 : Prop := forall K, (2 <= K)%nat -> Theorem6_with 2 K.

(** Its printed bound fails on a stream that is fixed before the game, however the learner breaks ties: X = 1, and in
    round t one feature, c_t in [0, 1], and label 0. *)
Definition Theorem6_fails_on (c : nat -> R) (K : nat) (D : R) (T : nat) : Prop :=
  let k := INR K in
  let s := margin_loss K 1 smooth_hinge smooth_hinge_map None in
  let gamma := Rmin 1 (sqrt (4 * k ^ 2 * D ^ 2 / INR T)) in
  let eta := gamma / (4 * k ^ 2) in
  let x := fun (h : history) (_ : nat) => c (length h) in
  let y := fun _ : history => 0%nat in
  0 < D /\ (1 <= T)%nat /\ (forall t, 0 <= c t <= 1) /\
  (exists W ystar, plays (bandit K 1 s D gamma) eta T x y W ystar) /\
  exists U, in_ball K 1 D U /\
    forall W ystar, plays (bandit K 1 s D gamma) eta T x y W ystar ->
      let p := fun h => exploring K gamma (gap_map s (W h) (x h) (ystar h)) (ystar h) in
      let losses := fun h draw => importance (p h) (y h) draw * loss s (W h) (x h) (ystar h) (y h) U in
      expectation K p T (weighted_total losses) [] + Rmax (4 * k ^ 2 * D ^ 2) (2 * k * D * sqrt (2 * INR T)) <
      expectation K p T (mistakes y) [].

(** From 55 classes on there is such a stream for some D and T, so that the theorem as printed is false. *)
Definition Theorem6_false_from_55 : Prop :=
  forall K, (55 <= K)%nat -> ~ Theorem6_with 4 K /\ exists c D T, Theorem6_fails_on c K D T.

(** With 100 classes, in 1,315,316,475 rounds. *)
Definition Theorem6_false_at_100 : Prop :=
  exists c, Theorem6_fails_on c 100 (sqrt (99 / 100)) (Z.to_nat 1315316475).
