(** What improves the paper, as statements. Each says first that what it writes is defined. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions DecoderDefinitions Optimal StructuredDefinitions Paper.
Open Scope R_scope.

(** The logistic loss with the best decoder: eta = 2 ln(2)^2/X^2; the regret X^2 ||U||^2/(4 ln(2)^2) does not depend on
    the number of classes. Theorem 1 has K X^2 ||U||^2/ln(2). *)
Definition LogisticBestDecoder : Prop :=
  forall K d X, (2 <= K)%nat -> 0 < X ->
    0 < ln 2 /\ X ^ 2 <> 0 /\ 4 * ln 2 ^ 2 <> 0 /\
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    decoder_guarantee K d (fun x y V => logistic (softmax K (scores d V x) y)) X
      (2 * ln 2 ^ 2 / X ^ 2) (X ^ 2 / (4 * ln 2 ^ 2)).

(** K classes as unit vectors, the 0-1 target and Omega = ||m||^2/2 on the simplex: mu is sparsemax. *)
Definition sparsemax_classes (K : nat) (mu : vector -> vector) : structured := {|
  outputs := K; size := K; output := fun y i => if Nat.eqb i y then 1 else 0; cost := zero_one;
  domain := is_distribution K; entropy := fun m => dot K m m / 2; scale := 1; regularised := mu
|}.

(** Sparsemax is defined; with the coefficient 4 and eta = 1/2 in units of 1/X^2 the regret is 4 X^2 ||U||^2 for every K.
    Which coefficients and learning rates have a decoder at every score vector; with the coefficient 4 none above 1/2; and
    no coefficient and rate have a regret alpha/(2 eta) below 4. *)
Definition SparsemaxZeroOne : Prop :=
  forall K X, (2 <= K)%nat -> 0 < X ->
    (exists mu, attained (sparsemax_classes K mu)) /\
    forall mu, attained (sparsemax_classes K mu) ->
      structured_guarantee (sparsemax_classes K mu) X (1 / 2) 4 (4 * X ^ 2) /\
      (forall eta alpha, 0 < eta -> 0 < alpha ->
        (decodable (sparsemax_classes K mu) eta alpha <-> 2 <= alpha * (1 - eta))) /\
      (forall eta regret, 1 / 2 < eta -> ~ structured_guarantee (sparsemax_classes K mu) X eta 4 regret) /\
      (forall eta alpha, 0 < eta -> 0 < alpha -> decodable (sparsemax_classes K mu) eta alpha -> 4 <= alpha / (2 * eta)).
