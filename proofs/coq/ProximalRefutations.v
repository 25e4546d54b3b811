(** A constant that no algorithm attains, from one margin at which the criterion fails. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Subgradients Assembly ScoreLosses Optimal OptimalMargin.
Open Scope R_scope.

Theorem margin_not_attained K phi c X m : (2 <= K)%nat -> 0 < X -> 0 < c ->
  (forall m, 0 <= phi m) -> (forall m, exists g, subgradient phi m g) ->
  (INR K <> 2 -> forall m g, subgradient phi m g -> g <= 0) ->
  0 < (INR K - 1) / INR K - phi m - c * ((INR K - 1) / INR K * m ^ 2) ->
  ~ attainable (classification K K (of_margin K phi)) X 1 c.
Proof.
  intros HK HX Hc Hpos Hconvex Hdown Hbad Hatt. assert (H2 := classes K HK).
  apply margin_losses in Hatt; try assumption.
  - specialize (Hatt m). apply Rmult_le_compat_l with (r := (INR K - 1) / INR K) in Hatt.
    + replace ((INR K - 1) / INR K * (INR K / (INR K - 1) * phi m + c * m ^ 2))
        with (phi m + c * ((INR K - 1) / INR K * m ^ 2)) in Hatt by (field; lra). lra.
    + apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - destruct (Nat.eq_dec K 2) as [E|E]; [now left|right]. intros a b Hab.
    apply nonincreasing_values; [exact Hconvex| |exact Hab]. apply Hdown. now rewrite two_classes.
Qed.
