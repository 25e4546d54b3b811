(** Theorems 1, 2 and 3 of van der Hoeven 2020 as statements, in the paper's words and by hand.

    Coq's reals are total: x/0 and ln of a negative number have values. So each statement says first that what it
    writes is defined: no denominator is zero, and every logarithm's argument is positive. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** ** Theorem 1: the logistic loss, equation (1) *)

Definition log2 (p : R) : R := ln p / ln 2.

Definition logistic (p : R) : R := - log2 p.

(** a = 1 - 1[p* >= 0.5] p*, p* the largest probability *)
Definition logistic_map (p : R) : R := 1 - if Rle_dec (1 / 2) p then p else 0.

(** eta = ln(2)/(2 K X^2); the regret K X^2 ||U||^2/ln(2) *)
Definition Theorem1 : Prop :=
  ln 2 <> 0 /\
  forall K d X, (2 <= K)%nat -> 0 < X ->
    2 * INR K * X ^ 2 <> 0 /\
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    guarantee (full K d (softmax_loss K d logistic logistic_map)) X
      (ln 2 / (2 * INR K * X ^ 2)) (linear (INR K * X ^ 2 / ln 2)).

(** ** Theorem 2: the multiclass hinge loss, equation (2), with beta = 1/K *)

Definition hinge (m : R) : R := Rmax (1 - m) 0.

(** a = 1 - max{1[m* > beta], m*}. As printed it is negative for m* > 1, and no probability; here m* counts up to
    beta only, which changes nothing else. *)
Definition hinge_map (beta m : R) : R := 1 - if Rlt_dec beta m then 1 else m.

(** eta = (1 - beta)/(K X^2); the regret K^2 X^2 ||U||^2/(2 (K - 1)) *)
Definition Theorem2 : Prop :=
  forall K d X, (2 <= K)%nat -> 0 < X ->
    let beta := 1 / INR K in
    INR K <> 0 /\ INR K * X ^ 2 <> 0 /\ 2 * (INR K - 1) <> 0 /\
    guarantee (full K d (margin_loss K d hinge (hinge_map beta) (Some beta))) X
      ((1 - beta) / (INR K * X ^ 2)) (linear (INR K ^ 2 * X ^ 2 / (2 * (INR K - 1)))).

(** ** Theorem 3: the smooth multiclass hinge loss, equation (3)

    Equation (3) has max{(1 - m)^2, 0} for m > 0, which grows again beyond m = 1 and so is not convex in W for K >= 3;
    it is read as max{1 - m, 0}^2. *)

Definition smooth_hinge (m : R) : R := if Rle_dec m 0 then Rmax (1 - 2 * m) 0 else Rmax (1 - m) 0 ^ 2.

(** a = (1 - min{1, m*})^2 *)
Definition smooth_hinge_map (m : R) : R := (1 - Rmin 1 m) ^ 2.

(** eta = 1/(4 K X^2); the regret 2 K X^2 ||U||^2 *)
Definition Theorem3 : Prop :=
  forall K d X, (2 <= K)%nat -> 0 < X ->
    4 * INR K * X ^ 2 <> 0 /\
    guarantee (full K d (margin_loss K d smooth_hinge smooth_hinge_map None)) X
      (1 / (4 * INR K * X ^ 2)) (linear (2 * INR K * X ^ 2)).
