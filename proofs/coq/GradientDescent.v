(** Lemma 1: online gradient descent, the adversary seeing the draws.

    The potential ||W - U||^2/(2 eta) pays for the excess of the learner's loss over the comparator's, and the surrogate
    gap pays for the mistakes. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations.
Import ListNotations.
Open Scope R_scope.

Section LemmaOne.
  Variables (K d : nat) (s : surrogate) (eta : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat) (W : history -> matrix) (ystar : history -> nat).
  Let a h := gap_map s (W h) (x h) (ystar h).
  Let p h := prediction K (a h) (ystar h).
  Let l h := loss s (W h) (x h) (ystar h) (y h).

  Hypothesis eta_positive : 0 < eta.
  Hypothesis playing : plays K d s eta T x y W ystar.
  Hypothesis distributions : forall h, takes_place K T h -> is_distribution K (p h).

  (** The surrogate gap is at most zero in every round, whichever subgradient is taken. *)
  Hypothesis gap : forall h G, takes_place K T h -> matrix_subgradient (rows s) d (l h) (W h) G ->
    P_wrong K (a h) (ystar h) (y h) - l h (W h) + eta / 2 * norm2 (rows s) d G <= 0.

  Variable U : matrix.
  Let potential h := norm2 (rows s) d (fun k i => W h k i - U k i) / (2 * eta).

  Lemma potential_nonneg h : 0 <= potential h.
  Proof using eta_positive.
    apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra.
  Qed.

  (** One round of gradient descent: the potential drops by the excess loss, up to (eta/2) ||G||^2. *)
  Lemma potential_step h G draw :
    matrix_subgradient (rows s) d (l h) (W h) G ->
    (forall k i, W (draw :: h) k i = W h k i - eta * G k i) ->
    potential (draw :: h) <= potential h + l h U - l h (W h) + eta / 2 * norm2 (rows s) d G.
  Proof using eta_positive.
    intros HG Hstep. unfold potential, norm2 at 1. rewrite (inner_ext _ _ _ (fun k i => W h k i - eta * G k i - U k i)
      _ (fun k i => W h k i - eta * G k i - U k i)) by (intros; now rewrite Hstep).
    fold (norm2 (rows s) d (fun k i => W h k i - eta * G k i - U k i)). rewrite norm2_step.
    specialize (HG U). set (N := norm2 _ _ (fun k i => W h k i - U k i)) in *.
    replace ((N + 2 * eta * inner (rows s) d G (fun k i => U k i - W h k i) + eta ^ 2 * norm2 (rows s) d G) / (2 * eta))
      with (N / (2 * eta) + inner (rows s) d G (fun k i => U k i - W h k i) + eta / 2 * norm2 (rows s) d G)
      by (field; lra).
    lra.
  Qed.

  (** Mistakes minus the comparator's losses, plus the potential: does not grow in expectation. *)
  Let account h := mistakes y h - total (fun h => l h U) h + potential h.

  Lemma account_falls h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
  Proof using eta_positive playing distributions gap.
    intros Hh. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as (_ & G & HG & Hstep).
    destruct (distributions h Hh) as [Hpos Hone]. specialize (gap h G Hh HG).
    set (c := account h - l h (W h) + eta / 2 * norm2 (rows s) d G).
    apply Rle_trans with (sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1) + c * p h draw)).
    - apply sum_le. intros draw Hdraw.
      replace (p h draw * (if Nat.eqb draw (y h) then 0 else 1) + c * p h draw)
        with (p h draw * ((if Nat.eqb draw (y h) then 0 else 1) + c)) by ring.
      apply Rmult_le_compat_l; [now apply Hpos|].
      assert (Hdrop := potential_step h G draw HG (fun k i => Hstep draw k i Hdraw)).
      unfold c, account. cbn [mistakes total]. lra.
    - rewrite sum_plus, sum_scale, Hone. unfold c. unfold P_wrong, l in gap. fold (p h) in gap. unfold l. lra.
  Qed.

  Theorem lemma_one :
    expectation K p T (mistakes y) [] <=
    expectation K p T (total (fun h => l h U)) [] + norm2 (rows s) d U / (2 * eta).
  Proof using eta_positive playing distributions gap.
    assert (H : expectation K p T (fun h => mistakes y h - total (fun h => l h U) h) [] <= account []).
    { apply expectation_telescopes with (T := T); auto using account_falls.
      intros h _ _. assert (Hpos := potential_nonneg h). unfold account. lra. }
    rewrite expectation_minus in H.
    assert (Hstart : account [] = norm2 (rows s) d U / (2 * eta)).
    { destruct playing as [Hzero _]. unfold account, potential. cbn [mistakes total].
      replace (norm2 (rows s) d (fun k i => W [] k i - U k i)) with (norm2 (rows s) d U); [ring|].
      apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
    lra.
  Qed.
End LemmaOne.
