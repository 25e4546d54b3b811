(** What improves the paper, as statements. Each says first that what it writes is defined. *)

From Coq Require Import Reals List.
From Gaptron Require Import Definitions BanditDefinitions DecoderDefinitions Optimal DelayDefinitions StructuredDefinitions Paper.
Import ListNotations.
Open Scope R_scope.

(** The logistic loss with the best decoder: eta = 2 ln(2)^2/X^2; the regret X^2 ||U||^2/(4 ln(2)^2) does not depend on
    the number of classes. Theorem 1 has K X^2 ||U||^2/ln(2). *)
Definition LogisticBestDecoder : Prop :=
  forall K d X, (2 <= K)%nat -> 0 < X ->
    0 < ln 2 /\ X ^ 2 <> 0 /\ 4 * ln 2 ^ 2 <> 0 /\
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    guarantee (decoding K K d (fun x y V => logistic (softmax K (scores d V x) y))) X
      (2 * ln 2 ^ 2 / X ^ 2) (linear (X ^ 2 / (4 * ln 2 ^ 2))).

(** K classes as unit vectors, the 0-1 target and Omega = ||m||^2/2 on the simplex: mu is sparsemax. *)
Definition sparsemax_classes (K : nat) (mu : vector -> vector) : structured := {|
  outputs := K; size := K; output := fun y i => if Nat.eqb i y then 1 else 0; cost := zero_one;
  domain := is_distribution K; entropy := fun m => dot K m m / 2; scale := 1; regularised := mu
|}.

(** Sparsemax is defined; with the coefficient 4 and eta = 1/2, in units of 1/X^2, the regret is 4 X^2 ||U||^2 for
    every K. Which coefficients and rates have a decoder at every score vector; with the coefficient 4 none above 1/2;
    and no coefficient and rate have a regret alpha/(2 eta) below 4. *)
Definition SparsemaxZeroOne : Prop :=
  forall K X, (2 <= K)%nat -> 0 < X ->
    (exists mu, attained (sparsemax_classes K mu)) /\
    forall mu, attained (sparsemax_classes K mu) ->
      structured_guarantee (sparsemax_classes K mu) X (1 / 2) 4 (4 * X ^ 2) /\
      (forall eta alpha, 0 < eta -> 0 < alpha ->
        (decodable (sparsemax_classes K mu) eta alpha <-> 2 <= alpha * (1 - eta))) /\
      (forall eta regret, 1 / 2 < eta -> ~ structured_guarantee (sparsemax_classes K mu) X eta 4 regret) /\
      (forall eta alpha, 0 < eta -> 0 < alpha ->
        decodable (sparsemax_classes K mu) eta alpha -> 4 <= alpha / (2 * eta)).

(** Multilabel classification: sets of d labels are the 2^d corners of the cube, by their bits; the target is the
    fraction of wrong coordinates and Omega = ||m||^2/2 on the cube: mu is SparseMAP, which clips the scores. *)
Definition bit (y i : nat) : R := if Nat.testbit y i then 1 else 0.

Definition hamming (d k y : nat) : R :=
  sum d (fun i => if Bool.eqb (Nat.testbit k i) (Nat.testbit y i) then 0 else 1) / INR d.

Definition sparsemap_cube (d : nat) (mu : vector -> vector) : structured := {|
  outputs := 2 ^ d; size := d; output := bit; cost := hamming d;
  domain := fun m => forall i, (i < d)%nat -> 0 <= m i <= 1;
  entropy := fun m => dot d m m / 2; scale := 1; regularised := mu
|}.

(** For every d: the regret 8 X^2 ||U||^2/d with the coefficient 8/d; the coefficient 1 for d >= 5; which coefficients
    and rates have a decoder, with the coefficient 1 none for d <= 4; no pair has a regret alpha/(2 eta) below 8/d. *)
Definition SparsemapHamming : Prop :=
  forall d X, (1 <= d)%nat -> 0 < X ->
    (exists mu, attained (sparsemap_cube d mu)) /\
    forall mu, attained (sparsemap_cube d mu) ->
      structured_guarantee (sparsemap_cube d mu) X (1 / 2) (8 / INR d) (8 / INR d * X ^ 2) /\
      ((5 <= d)%nat ->
        structured_guarantee (sparsemap_cube d mu) X (1 - 4 / INR d) 1 (INR d / (2 * (INR d - 4)) * X ^ 2)) /\
      (forall eta alpha, 0 < eta -> 0 < alpha ->
        (decodable (sparsemap_cube d mu) eta alpha <-> 4 <= alpha * INR d * (1 - eta))) /\
      (forall eta, (d <= 4)%nat -> 0 < eta -> ~ decodable (sparsemap_cube d mu) eta 1) /\
      (forall eta alpha, 0 < eta -> 0 < alpha ->
        decodable (sparsemap_cube d mu) eta alpha -> 8 / INR d <= alpha / (2 * eta)).

(** K classes, the 0-1 target and Shannon's entropy in base 2 (0 ln 0 = 0): mu is softmax, the surrogate is the
    logistic loss. *)
Definition softmax_classes (K : nat) : structured := {|
  outputs := K; size := K; output := fun y i => if Nat.eqb i y then 1 else 0; cost := zero_one;
  domain := is_distribution K; entropy := fun m => sum K (fun k => m k * ln (m k)); scale := / ln 2;
  regularised := softmax K
|}.

(** The coefficient 1 has the learning rate 2 ln(2)^2, in units of 1/X^2, for every K, and no larger one; no pair of a
    coefficient and a rate has a regret alpha/(2 eta) below 1/(4 ln(2)^2). *)
Definition SoftmaxZeroOne : Prop :=
  forall K X, (2 <= K)%nat -> 0 < X ->
    0 < ln 2 /\ attained (softmax_classes K) /\
    structured_guarantee (softmax_classes K) X (2 * ln 2 ^ 2) 1 (X ^ 2 / (4 * ln 2 ^ 2)) /\
    (forall eta regret, 2 * ln 2 ^ 2 < eta -> ~ structured_guarantee (softmax_classes K) X eta 1 regret) /\
    (forall eta alpha, 0 < eta -> 0 < alpha ->
      decodable (softmax_classes K) eta alpha -> 1 / (4 * ln 2 ^ 2) <= alpha / (2 * eta)).

(** Bandit feedback at eta = gamma h/(K X^2), h a learning rate of full information in units of 1/X^2: Lemma 1 charges
    D^2/(2 eta) + gamma T (K - 1)/K, which is least at gamma = min{1, K X D/sqrt(2 h (K - 1) T)}. *)
Definition exploration_cost (k X D h T gamma : R) : R :=
  D ^ 2 / (2 * (gamma * h / (k * X ^ 2))) + gamma * T * (k - 1) / k.

Definition best_exploration (k X D h T : R) : R := Rmin 1 (k * X * D / sqrt (2 * h * (k - 1) * T)).

(** Every other gamma in (0, 1] costs more. This one costs X D sqrt(2 (K - 1) T/h) where it is not clipped, and at most
    K X^2 D^2/h where it is. *)
Definition BestExploration : Prop :=
  forall K X D h T, (2 <= K)%nat -> 0 < X -> 0 < D -> 0 < h -> (1 <= T)%nat ->
    let k := INR K in
    let t := INR T in
    let best := best_exploration k X D h t in
    let cost := exploration_cost k X D h t in
    k * X ^ 2 <> 0 /\ k <> 0 /\ 0 <= 2 * h * (k - 1) * t /\ sqrt (2 * h * (k - 1) * t) <> 0 /\
    0 <= 2 * (k - 1) * t / h /\ 0 < best <= 1 /\
    (forall gamma, 0 < gamma <= 1 -> 2 * (gamma * h / (k * X ^ 2)) <> 0) /\
    (forall gamma, 0 < gamma <= 1 -> gamma <> best -> cost best < cost gamma) /\
    (k * X * D <= sqrt (2 * h * (k - 1) * t) -> cost best = X * D * sqrt (2 * (k - 1) * t / h)) /\
    (sqrt (2 * h * (k - 1) * t) <= k * X * D -> cost best <= k * X ^ 2 * D ^ 2 / h).

(** The three losses of the paper with it. Theorem 4's has h = ln(2)/(2 K) and the excess 2 X D sqrt(K (K - 1) T/ln(2)),
    where 2 K X D sqrt(T/ln(2)) is printed; Theorem 5's has h = (1 - 1/K)/K and the printed excess; Theorem 6's has
    h = 1/(4 K) and the excess 2 X D sqrt(2 K (K - 1) T), where 2 K X D sqrt(2 T) is printed. *)
Definition BestExplorationGuarantees : Prop :=
  forall K d X D T, (2 <= K)%nat -> 0 < X -> 0 < D -> (1 <= T)%nat ->
    let k := INR K in
    let t := INR T in
    let holds := fun s h =>
      let gamma := best_exploration k X D h t in
      guarantee_in T (bandit K d s D gamma) X
        (gamma * h / (k * X ^ 2)) (fun _ => Rmax (k * X ^ 2 * D ^ 2 / h) (X * D * sqrt (2 * (k - 1) * t / h))) in
    0 < ln 2 /\ k <> 0 /\ k - 1 <> 0 /\
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    holds (softmax_loss K d logistic logistic_map) (ln 2 / (2 * k)) /\
    holds (margin_loss K d hinge (hinge_map (1 / k)) (Some (1 / k))) ((1 - 1 / k) / k) /\
    holds (margin_loss K d smooth_hinge smooth_hinge_map None) (1 / (4 * k)).

(** The bandit hinge loss with beta = 1/2 at another learning rate, eta = gamma/(2 K X^2): where
    gamma = K X D/sqrt((K - 1) T) is at most 1/2 and 2/K, the excess is 2 X D sqrt((K - 1) T). It grows like sqrt(K);
    Theorem 5 has 2 K X D sqrt(T/2). *)
Definition BanditHingeHalf : Prop :=
  forall K d X D T, (2 <= K)%nat -> 0 < X -> 0 < D -> (1 <= T)%nat ->
    let k := INR K in
    let root := sqrt ((k - 1) * INR T) in
    let gamma := k * X * D / root in
    0 <= (k - 1) * INR T /\ root <> 0 /\ 2 * k * X ^ 2 <> 0 /\
    (gamma <= 1 / 2 -> gamma <= 2 / k ->
      guarantee_in T (bandit K d (margin_loss K d hinge (hinge_map (1 / 2)) (Some (1 / 2))) D gamma) X
        (gamma / (2 * k * X ^ 2)) (fun _ => 2 * X * D * root)).

(** Labels that arrive n rounds late, any convex losses and any target: c can be attained without delay if and only if
    (n + 1) c can be with it. *)
Definition DelayExact : Prop :=
  forall n P X alpha c, 0 < X -> convex_losses P -> (0 < predictions P)%nat -> 0 < alpha -> 0 < c ->
    (attainable_late n P X alpha (INR (S n) * c) <-> attainable P X alpha c).

(** The logistic loss of base 2 and norms of at most B: against any algorithm there are T points of norm 1 and labels, all
    fixed before the game, and a U with ||U|| <= B, such that the regret is c(m) (B^2 - (17/6) B ln(KT) - ln(KT)^2) and
    a constant less. At the m that binds c(m) is what proximal steps attain. *)
Definition LogisticLowerBound : Prop :=
  forall K T B m (A : list feedback -> vector -> nat -> R), (2 <= K)%nat -> (1 <= T)%nat -> 0 < m ->
    (forall rounds z, is_distribution K (A rounds z)) ->
    let s := ln (INR K * INR T) in
    let c := (1 - 2 * log2 (1 + exp (- m))) / m ^ 2 in
    let loss := fun y theta => logistic (softmax K theta y) in
    0 < INR K * INR T /\ m ^ 2 <> 0 /\ 0 < ln 2 /\
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    (0 <= c -> 2 * s <= B -> 2 * B ^ 2 <= m ^ 2 * INR T ->
      exists d (x : nat -> vector) ys U,
        (forall t, dot d (x t) (x t) = 1) /\ length ys = T /\ Forall (fun y => (y < K)%nat) ys /\ norm2 K d U <= B ^ 2 /\
        let point := fun h : history => x (length h) in
        let label := fun h : history => nth (length h) ys 0%nat in
        sum T (fun t => loss (nth t ys 0%nat) (scores d U (x t)))
          + c * (B ^ 2 - 17 / 6 * B * s - s ^ 2) - (1 / 2 + 1 / ln 2)
        <= expectation K (fun h => A (told (arena (classification K K loss) d) point label h) (point h)) T (mistakes label) []).
