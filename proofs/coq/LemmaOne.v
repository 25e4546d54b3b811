(** Lemma 1 as the paper prints it, with the surrogate gaps as they come: any losses with subgradients, any convex set
    of weights, draws that the adversary sees. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations.
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
Let potential h := norm2 rows d (fun k i => W h k i - U k i) / (2 * eta).

Lemma one_round h draw : takes_place K T h -> (draw < K)%nat ->
  potential (draw :: h) <= potential h + l h draw U - l h draw (W h) + eta / 2 * norm2 rows d (g h draw).
Proof using Hset Heta Hdescends HU.
  intros Hh Hdraw. destruct Hdescends as (_ & _ & Hstep). destruct (Hstep h Hh draw Hdraw) as (HG & Hin & Hnear).
  assert (Hnearer := nearest_nearer rows d inside _ (W (draw :: h)) U (fun t Ht => Hset U _ t HU Hin Ht) Hnear).
  cbv beta in Hnearer. rewrite norm2_step in Hnearer. specialize (HG U). unfold potential.
  set (N := norm2 _ _ (fun k i => W h k i - U k i)) in *. set (I := inner _ _ (g h draw) _) in *.
  set (N' := norm2 _ _ (fun k i => W (draw :: h) k i - U k i)) in *. set (G2 := norm2 _ _ (g h draw)) in *.
  apply Rmult_le_reg_r with (2 * eta); [lra|]. replace (N' / (2 * eta) * (2 * eta)) with N' by (field; lra).
  replace ((N / (2 * eta) + l h draw U - l h draw (W h) + eta / 2 * G2) * (2 * eta))
    with (N + 2 * eta * (l h draw U - l h draw (W h)) + eta ^ 2 * G2) by (field; lra).
  nra.
Qed.

(** Mistakes less what pays for them: does not grow. *)
Let excess h := mistakes y h - weighted_total (fun h draw => l h draw U + gap h draw) h.
Let account h := excess h + potential h + cost * (INR T - INR (length h)).

Lemma account_falls h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
Proof using Hset Heta Hdescends Hpredicts HU.
  intros Hh. destruct (Hpredicts h Hh) as [[Hpos Hone] Hwrong]. set (paid := risk _ _ _ _) in Hwrong.
  apply Rle_trans with (sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)
    + (account h - paid - cost) * p h draw)).
  - apply sum_le. intros draw Hdraw.
    replace (p h draw * (if Nat.eqb draw (y h) then 0 else 1) + (account h - paid - cost) * p h draw)
      with (p h draw * ((if Nat.eqb draw (y h) then 0 else 1) + account h - paid - cost)) by ring.
    apply Rmult_le_compat_l; [now apply Hpos|]. assert (Hdrop := one_round h draw Hh Hdraw).
    unfold account, excess, gap, bracket. fold paid. cbn [mistakes weighted_total length]. rewrite S_INR.
    fold (bracket K rows d eta (a h) (ystar h) (y h) (l h draw) (g h draw) (W h)). unfold bracket at 1. fold paid. lra.
  - rewrite sum_plus, sum_scale, Hone. lra.
Qed.

Lemma weighted_total_plus f f' h : weighted_total (fun h draw => f h draw + f' h draw) h =
  weighted_total f h + weighted_total f' h.
Proof using. induction h as [|draw h IH]; cbn [weighted_total]; [ring|]. rewrite IH. ring. Qed.

Lemma lemma_one_bound : expectation K p T (mistakes y) [] <=
  expectation K p T (weighted_total (fun h draw => l h draw U)) [] + norm2 rows d U / (2 * eta) + cost * INR T
  + expectation K p T (weighted_total gap) [].
Proof using Hset Heta Hdescends Hpredicts HU.
  assert (H : expectation K p T (fun h => mistakes y h - weighted_total (fun h draw => l h draw U) h
    - weighted_total gap h) [] <= account []).
  { apply expectation_telescopes with (T := T); [|auto using account_falls| |constructor|reflexivity];
      [intros h Hh; apply Hpredicts, Hh|]. intros h _ Hlen.
    unfold account, excess. rewrite weighted_total_plus, Hlen. assert (0 <= potential h); [|lra].
    apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra. }
  rewrite !expectation_minus in H.
  assert (Hstart : account [] = norm2 rows d U / (2 * eta) + cost * INR T).
  { destruct Hdescends as (_ & Hzero & _). unfold account, excess, potential. cbn [mistakes weighted_total length INR].
    replace (norm2 rows d (fun k i => W [] k i - U k i)) with (norm2 rows d U); [ring|].
    apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
  lra.
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
