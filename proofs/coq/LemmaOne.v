(** Lemma 1 as the paper prints it, with the surrogate gaps as they come: any losses with subgradients, any convex set
    of weights, draws that the adversary sees. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent.
From Gaptron Require Import BanditDefinitions Projection BanditDescent PaperBandit.
Import ListNotations.
Open Scope R_scope.

(** What exploring adds to the probability of a mistake. *)
Lemma exploring_wrong K gamma a ystar y : (ystar < K)%nat -> (y < K)%nat -> 0 <= a <= 1 -> 0 <= gamma <= 1 ->
  P_wrong K (Rmax a gamma) ystar y <= risk K a ystar y + gamma * ((INR K - 1) / INR K).
Proof.
  intros Hs Hy Ha Hgamma. unfold risk. rewrite P_wrong_value by assumption.
  assert (HK : 1 <= INR K) by (apply (le_INR 1); lia). assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
  assert (Hshare : 0 <= (INR K - 1) / INR K) by (apply Rmult_le_pos; lra).
  assert (Hmax : a <= Rmax a gamma <= a + gamma) by (split; [apply Rmax_l|apply Rmax_lub; lra]).
  assert (Hgain : 0 <= gamma * ((INR K - 1) / INR K)) by (apply Rmult_le_pos; lra).
  destruct (Nat.eqb ystar y).
  - unfold Rdiv. rewrite Rmult_assoc. fold ((INR K - 1) / INR K). nra.
  - replace (a * ((INR K - 1) / INR K)) with (a - a / INR K) by (field; lra).
    assert (a / INR K <= Rmax a gamma / INR K) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Section LemmaOne.
Variables (K rows d : nat) (inside : matrix -> Prop) (p : history -> nat -> R) (cost eta : R) (T : nat).
Variables (y ystar : history -> nat) (a : history -> R) (l : history -> nat -> matrix -> R).
Variables (g : history -> nat -> matrix) (W : history -> matrix) (U : matrix).
Hypothesis Hset : convex_set inside.
Hypothesis Heta : 0 < eta.
Hypothesis Hdescends : descends K rows d inside eta T l g W.
Hypothesis Hpredicts : forall h, takes_place K T h -> is_distribution K (p h) /\
  sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)) <= risk K (a h) (ystar h) (y h) + cost.
Hypothesis HU : inside U.

Let gap h draw := bracket K rows d eta (a h) (ystar h) (y h) (l h draw) (g h draw) (W h).

Lemma lemma_one_bound : expectation K p T (mistakes y) [] <=
  expectation K p T (weighted_total (fun h draw => l h draw U)) [] + norm2 rows d U / (2 * eta) + cost * INR T
  + expectation K p T (weighted_total gap) [].
Proof using Hset Heta Hdescends Hpredicts HU.
  destruct Hdescends as (_ & Hzero & Hstep).
  assert (H := descent K T p (fun h draw => if Nat.eqb draw (y h) then 0 else 1) (fun h draw => l h draw U + gap h draw)
    cost rows d eta 1 W U Heta ltac:(lra) Hzero (fun h Hh => proj1 (Hpredicts h Hh))).
  rewrite (expectation_ext K p (weighted_total _) _ (weighted_total_plus (fun h draw => l h draw U) gap)), expectation_plus,
    Rmult_1_l in H.
  refine (Rle_trans _ _ _ (H _) _); [|lra].
  intros h Hh. destruct (Hpredicts h Hh) as [[Hpos Hone] Hwrong]. exists (g h). split.
  - intros draw Hdraw. destruct (Hstep h Hh draw Hdraw) as (_ & Hin & Hnear).
    exact (nearest_nearer rows d inside _ (W (draw :: h)) U (fun t Ht => Hset U _ t HU Hin Ht) (conj Hin Hnear)).
  - apply Rle_trans with (sum K (fun draw => p h draw *
      ((if Nat.eqb draw (y h) then 0 else 1) + - risk K (a h) (ystar h) (y h)))).
    + apply sum_le. intros draw Hdraw. apply Rmult_le_compat_l; [now apply Hpos|].
      destruct (Hstep h Hh draw Hdraw) as (HG & _). specialize (HG U). unfold gap, bracket. lra.
    + rewrite mean_shifted by now split. lra.
Qed.

End LemmaOne.

Theorem lemma_one_at_a_cost : Lemma1_at_a_cost.
Proof.
  intros K rows d inside p cost eta T y ystar a l g W HK Hset Heta. assert (HKR := lt_0_INR K HK).
  split; [lra|]. split; [lra|]. intros Hdescends Hpredicts U HU. now apply lemma_one_bound with (inside := inside).
Qed.
Print Assumptions lemma_one_at_a_cost.

Theorem lemma_one_as_printed : Lemma1.
Proof.
  intros K rows d inside gamma eta T y ystar a l g W HK Hset Hgamma Heta.
  assert (Hcost := lemma_one_at_a_cost K rows d inside (fun h => exploring K gamma (a h) (ystar h))
    (gamma * ((INR K - 1) / INR K)) eta T y ystar a l g W HK Hset Heta).
  destruct Hcost as (H0 & H1 & Hcost). split; [exact H0|]. split; [exact H1|]. intros [Hdescends Hplay] Hlabels p.
  assert (Hdrawn : forall h, takes_place K T h -> is_distribution K (p h)).
  { intros h Hh. destruct (Hplay h Hh). now apply exploring_is_distribution. }
  split; [exact Hdrawn|]. apply Hcost; [exact Hdescends|]. intros h Hh. split; [now apply Hdrawn|].
  destruct (Hplay h Hh). apply exploring_wrong; auto.
Qed.
Print Assumptions lemma_one_as_printed.
