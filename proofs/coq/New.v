(** What improves the paper, as statements. Each says first that what it writes is defined. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions DecoderDefinitions Paper.
Open Scope R_scope.

(** The logistic loss with the best decoder: eta = 2 ln(2)^2/X^2; the regret X^2 ||U||^2/(4 ln(2)^2) does not depend on
    the number of classes. Theorem 1 has K X^2 ||U||^2/ln(2). *)
Definition LogisticBestDecoder : Prop :=
  forall K d X, (2 <= K)%nat -> 0 < X ->
    0 < ln 2 /\ X ^ 2 <> 0 /\ 4 * ln 2 ^ 2 <> 0 /\
    (forall theta y, (y < K)%nat -> sum K (fun k => exp (theta k)) <> 0 /\ 0 < softmax K theta y) /\
    decoder_guarantee K d (fun x y V => logistic (softmax K (scores d V x) y)) X
      (2 * ln 2 ^ 2 / X ^ 2) (X ^ 2 / (4 * ln 2 ^ 2)).
