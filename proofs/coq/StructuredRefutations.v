(** From numbers at which the criterion fails to a score vector at which no decoder exists. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Optimal StructuredDefinitions StructuredCriterion EntropyFamilies.
Open Scope R_scope.

Section Families.
Variables (N n : nat) (vectors : nat -> vector) (pay : nat -> nat -> R) (f : vector -> R) (lambda b : R).
Hypothesis Hentropy : entropy_suits N n vectors f lambda b.

Notation P s mu := (Structured N n vectors pay (hull N n vectors) f s mu).

(** [w] is a distribution of the output with mean [m], [H] at most what every prediction is expected to cost, [J] the
    entropy gap, [V] the variance. *)
Theorem structured_broken s eta alpha w m H J V : 0 < s -> 0 < eta -> 0 < alpha -> is_distribution N w ->
  (forall i, (i < n)%nat -> mean N w vectors i = m i) ->
  (forall k, (k < N)%nat -> H <= weighted N w (pay k)) ->
  weighted N w (fun y => f (vectors y)) - f (mean N w vectors) = J ->
  weighted N w (fun y => distance2 n (vectors y) m) = V ->
  alpha * (s * J - eta * s ^ 2 / 2 * V) < H ->
  (exists mu, attained (P s mu)) /\ forall mu, attained (P s mu) -> ~ decodable (P s mu) eta alpha.
Proof using Hentropy.
  intros Hs Heta Halpha Hw Hm HH HJ HV Hbad. destruct (Hentropy pay s Hs) as [Hexists Hsuits].
  split; [exact Hexists|]. intros mu Hmu Hdec. destruct (Hsuits mu Hmu) as [Hreg _].
  assert (Hcrit := proj1 (structured_criterion _ lambda eta alpha Hreg Heta Halpha) Hdec w Hw H HH).
  unfold entropy_gap in Hcrit. cbn [outputs output entropy scale size] in Hcrit.
  assert (Hvariance : variance n N w vectors = V).
  { rewrite <- HV. unfold variance, weighted. apply sum_ext. intros y _. f_equal. unfold distance2, dot.
    apply sum_ext. intros i Hi. now rewrite Hm. }
  rewrite HJ, Hvariance in Hcrit. lra.
Qed.
End Families.
