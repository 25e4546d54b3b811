(** The slides' remark on abstention, as statements: guessing is replaced by abstaining at a cost c < 1. Each says first
    that what it writes is defined. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions AbstentionDefinitions Paper.
Open Scope R_scope.

(** The smooth hinge loss with eta = (1 - c)/(4 X^2): the regret 2 X^2 ||U||^2/(1 - c) does not depend on K. *)
Definition AbstainingSmoothHinge : Prop :=
  forall K d X c, (2 <= K)%nat -> 0 < X -> 0 <= c < 1 ->
    4 * X ^ 2 <> 0 /\ 1 - c <> 0 /\
    guarantee (abstention K d (margin_loss K d smooth_hinge smooth_hinge_map None) c) X
      ((1 - c) / (4 * X ^ 2)) (linear (2 * X ^ 2 / (1 - c))).

(** The hinge loss, off above beta = (1 - c)/(2 - c), with eta = beta/X^2: the regret X^2 ||U||^2/(2 beta). *)
Definition AbstainingHinge : Prop :=
  forall K d X c, (2 <= K)%nat -> 0 < X -> 0 <= c < 1 ->
    let beta := (1 - c) / (2 - c) in
    2 - c <> 0 /\ X ^ 2 <> 0 /\ 2 * beta <> 0 /\
    guarantee (abstention K d (margin_loss K d hinge (hinge_map beta) (Some beta)) c) X
      (beta / X ^ 2) (linear (X ^ 2 / (2 * beta))).
