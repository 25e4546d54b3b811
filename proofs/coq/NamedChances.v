(** The named facts about chances and sums along a game: see NamedFacts.v.

    Chances are those of finitely many outcomes, or of the draws of a game as Definitions.v has it. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Optimal Derivatives BanditDefinitions NamedFacts.
Import ListNotations.
Open Scope R_scope.

(** * Importance-weighted estimates *)

Definition chance (N : nat) (w : nat -> R) (event : nat -> bool) : R :=
  weighted N w (fun k => if event k then 1 else 0).

Lemma on_the_event N w (event : nat -> bool) c :
  weighted N w (fun k => if event k then c else 0) = c * chance N w event.
Proof.
  unfold chance, weighted. rewrite <- sum_scale. apply sum_ext. intros k _.
  destruct (event k); ring.
Qed.

Theorem weighted_estimate N w (event : nat -> bool) p v e : is_distribution N w -> 0 < p -> p = chance N w event ->
  (forall k, (k < N)%nat -> e k = if event k then v / p else 0) -> weighted N w e = v.
Proof.
  intros _ Hp Hchance He. transitivity (weighted N w (fun k => if event k then v / p else 0)).
  - apply sum_ext. intros k Hk. now rewrite He.
  - rewrite on_the_event, <- Hchance. field. lra.
Qed.

Theorem weighted_second_moment n N w (event : nat -> bool) p g e : is_distribution N w -> 0 < p ->
  p = chance N w event ->
  (forall k, (k < N)%nat -> same n (e k) (fun i => if event k then g i / p else 0)) ->
  weighted N w (fun k => dot n (e k) (e k)) = dot n g g / p.
Proof.
  intros _ Hp Hchance He. transitivity (weighted N w (fun k => if event k then (/ p) ^ 2 * dot n g g else 0)).
  - apply sum_ext. intros k Hk. f_equal. rewrite (dot_same n _ _ _ _ (He k Hk) (He k Hk)). destruct (event k).
    + apply (norm_of_a_multiple n _ (/ p) g). intros i _. unfold Rdiv. ring.
    + apply sum_zero. intros. ring.
  - rewrite on_the_event, <- Hchance. field. lra.
Qed.

(** * Sums along a game *)

Section Game.
Variables (K T : nat) (p : history -> nat -> R).
Hypothesis Hp : forall h, takes_place K T h -> is_distribution K (p h).

(** Given the past. *)
Definition given (x : history -> nat -> R) (h : history) : R := weighted K (p h) (x h).

Theorem tower x : expectation K p T (weighted_total x) [] = expectation K p T (total (given x)) [].
Proof using Hp.
  assert (Hstep : forall h, takes_place K T h -> sum K (fun draw => p h draw *
    (weighted_total x (draw :: h) - total (given x) (draw :: h))) = weighted_total x h - total (given x) h).
  { intros h Hh. destruct (Hp h Hh) as [_ Hone]. cbn [weighted_total total].
    rewrite (sum_ext K _ (fun draw => p h draw * x h draw
      + (weighted_total x h - given x h - total (given x) h) * p h draw)) by (intros; ring).
    rewrite sum_plus, sum_scale, Hone. fold (weighted K (p h) (x h)). fold (given x h). ring. }
  assert (Hup : expectation K p T (fun h => weighted_total x h - total (given x) h) [] <= 0).
  { apply Rle_trans with (weighted_total x [] - total (given x) []); [|simpl; lra].
    apply (expectation_telescopes K T p _ (fun h => weighted_total x h - total (given x) h)); auto; try (intros; lra).
    intros h Hh. right. now apply Hstep. }
  assert (Hdown : expectation K p T (fun h => total (given x) h - weighted_total x h) [] <= 0).
  { apply Rle_trans with (total (given x) [] - weighted_total x []); [|simpl; lra].
    apply (expectation_telescopes K T p _ (fun h => total (given x) h - weighted_total x h)); auto; try (intros; lra).
    intros h Hh. right. specialize (Hstep h Hh). rewrite (sum_ext K _ (fun draw => -1 * (p h draw *
      (weighted_total x (draw :: h) - total (given x) (draw :: h))))) by (intros; ring).
    rewrite sum_scale, Hstep. ring. }
  rewrite expectation_minus in Hup, Hdown. lra.
Qed.

End Game.
