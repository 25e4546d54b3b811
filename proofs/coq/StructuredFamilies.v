(** The guarantee from an entropy that suits the outputs, a cost below the variance, and inequalities between numbers:
    what an exported structured theorem is proved with. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Optimal StructuredDefinitions DominatedCosts EntropyFamilies.
Open Scope R_scope.

Section Families.
Variables (N n : nat) (output : nat -> vector) (cost : nat -> nat -> R) (f : vector -> R) (lambda b A : R).
Hypothesis Hentropy : entropy_suits N n output f lambda b.
Hypothesis Hcost : cost_below_variance N n output cost A.

Notation P s mu := (Structured N n output cost (hull N n output) f s mu).

Theorem gradient_steps X s eta alpha regret : 0 < X -> 0 < s -> 0 < eta -> 0 < alpha -> eta * s <= lambda ->
  A + alpha * (eta * s ^ 2 / 2) <= alpha * s * b -> alpha / (2 * eta) <= regret ->
  (exists mu, attained (P s mu)) /\
  forall mu, attained (P s mu) -> structured_guarantee (P s mu) X eta alpha (regret * X ^ 2).
Proof using All.
  intros HX Hs Heta Halpha Hrate Hnumbers Hregret. destruct (Hentropy cost s Hs) as [Hexists Hsuits].
  split; [assumption|]. intros mu Hmu. destruct (Hsuits mu Hmu) as [Hreg Hgap].
  now apply dominated_descent with lambda A b.
Qed.

Theorem proximal_steps X s alpha c : 0 < X -> 0 < s -> 0 < alpha -> 0 < c ->
  A + alpha * (s ^ 2 / (4 * c)) <= alpha * s * b ->
  (exists mu, attained (P s mu)) /\
  forall mu, attained (P s mu) -> attainable (surrogate_problem (P s mu)) X alpha c.
Proof using All.
  intros HX Hs Halpha Hc Hnumbers. destruct (Hentropy cost s Hs) as [Hexists Hsuits].
  split; [assumption|]. intros mu Hmu. destruct (Hsuits mu Hmu) as [Hreg Hgap].
  now apply dominated_proximal with lambda A b.
Qed.

End Families.
