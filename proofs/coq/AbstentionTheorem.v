(** Abstention: the conditions of full information at the cost of abstaining, in the place of that of a guess, give the
    whole guarantee. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Assembly.
From Gaptron Require Import MarginTheorem SoftmaxTheorem BinaryTheorem BanditDefinitions AbstentionDefinitions.
Import ListNotations.
Open Scope R_scope.

Lemma abstaining_is_distribution K a ystar : (ystar < K)%nat -> 0 <= a <= 1 ->
  is_distribution (S K) (abstaining K a ystar).
Proof.
  intros Hy Ha. split.
  - intros k _. unfold abstaining. destruct (Nat.eqb k ystar), (Nat.eqb k K); lra.
  - unfold abstaining. rewrite sum_plus, !sum_pick by lia. ring.
Qed.

Lemma expected_cost K c a ystar y : (ystar < K)%nat -> (y < K)%nat ->
  sum (S K) (fun draw => abstaining K a ystar draw * cost K c y draw) = risk_at c a ystar y.
Proof.
  intros Hy' Hy. unfold risk_at. rewrite (sum_ext (S K) _ (fun draw =>
    (if Nat.eqb draw ystar then (if Nat.eqb ystar y then 0 else 1 - a) else 0)
    + (if Nat.eqb draw K then a * c else 0))).
  - rewrite sum_plus, !sum_pick by lia. reflexivity.
  - intros draw _. unfold abstaining, cost. destruct (Nat.eqb_spec draw ystar) as [->|].
    + destruct (Nat.eqb_spec ystar K); [lia|]. destruct (Nat.eqb ystar y); ring.
    + destruct (Nat.eqb_spec draw K) as [->|]; ring.
Qed.

Lemma costs_weighted K price y h : costs K price y h = weighted_total (fun h draw => cost K (price h) (y h) draw) h.
Proof. induction h as [|draw h IH]; cbn [costs weighted_total]; [reflexivity|]. now rewrite IH. Qed.

Theorem abstention_guarantee_from_rounds K d s c X eta regret :
  sound_rounds K d s c X eta -> 1 / (2 * eta) <= regret -> abstention_guarantee K d s c X eta regret.
Proof.
  intros Hrounds Hregret. split; [exact (legal_loss _ _ _ _ _ _ Hrounds)|]. intros T x y price Hadm. split.
  { apply (learner_plays _ _ _ _ _ _ _ Hrounds). intros h Hh. now apply Hadm. }
  intros W ystar Hplay p losses.
  assert (Hmap : forall h, takes_place (S K) T h -> (ystar h < K)%nat /\ 0 <= gap_map s (W h) (x h) (ystar h) <= 1).
  { intros h Hh. exact (sound_map _ _ _ _ _ _ Hrounds _ _ _ (proj1 (proj2 Hplay h Hh))). }
  assert (Hdist : forall h, takes_place (S K) T h -> is_distribution (S K) (p h)).
  { intros h Hh. destruct (Hmap h Hh). now apply abstaining_is_distribution. }
  split; [exact Hdist|]. intros U. rewrite (expectation_ext (S K) p _ _ (costs_weighted K price y)).
  apply (play_is_paid _ _ _ _ _ _ _ _ Hrounds Hregret _ _ _ _ _ _ _ _ Hplay Hdist).
  intros h Hh. destruct (Hadm h Hh) as (Hy & Hx & Hprice), (Hmap h Hh) as [Hy' Ha]. split; [exact Hy|].
  split; [exact Hx|]. unfold p. rewrite expected_cost by assumption. apply Rplus_le_compat_l.
  now apply Rmult_le_compat_l.
Qed.

Section Theorems.
  Variables (K d : nat) (a : R -> R) (price eta c X : R).
  Notation Abstaining s := (abstention_guarantee K d s price X (eta / X ^ 2) (c * X ^ 2)).

  Theorem abstaining_margin_theorem phi beta : (2 <= K)%nat -> margin_conditions price (INR K) phi a beta eta c ->
    0 < X -> Abstaining (margin_loss K d phi a beta).
  Proof using Type.
    intros HK H HX. apply abstention_guarantee_from_rounds; [now apply margin_rounds with (c := c)|].
    exact (margin_rate_pays _ _ _ _ _ _ _ _ H HX).
  Qed.

  Theorem abstaining_softmax_theorem psi : (2 <= K)%nat -> softmax_conditions price (INR K) psi a eta c -> 0 < X ->
    Abstaining (softmax_loss K d psi a).
  Proof using Type.
    intros HK H HX. apply abstention_guarantee_from_rounds; [now apply softmax_rounds with (c := c)|].
    exact (softmax_rate_pays _ _ _ _ _ _ _ H HX).
  Qed.

End Theorems.

Theorem abstaining_binary_theorem d plus minus a price eta c X : binary_conditions price plus minus a eta c -> 0 < X ->
  abstention_guarantee 2 d (binary_loss d plus minus a) price X (eta / X ^ 2) (c * X ^ 2).
Proof.
  intros H HX. apply abstention_guarantee_from_rounds; [now apply binary_rounds with (c := c)|].
  exact (binary_rate_pays _ _ _ _ _ _ _ H HX).
Qed.
