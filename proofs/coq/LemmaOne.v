(** Lemma 1 as the paper prints it, with the surrogate gaps as they come: any losses with subgradients, any convex set
    of weights, draws that the adversary sees. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations.
From Gaptron Require Import BanditDefinitions Projection BanditDescent PaperBandit.
Import ListNotations.
Open Scope R_scope.

(** What exploring adds to the probability of a mistake. *)
Lemma exploring_wrong K gamma a ystar y : (ystar < K)%nat -> (y < K)%nat -> 0 <= a <= 1 -> 0 <= gamma <= 1 ->
  P_wrong K (Rmax a gamma) ystar y <=
  (1 - a) * (if Nat.eqb ystar y then 0 else 1) + a * ((INR K - 1) / INR K) + gamma * ((INR K - 1) / INR K).
Proof.
  intros Hs Hy Ha Hgamma. rewrite P_wrong_value by assumption.
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
Variables (K rows d : nat) (inside : matrix -> Prop) (gamma eta : R) (T : nat).
Variables (y ystar : history -> nat) (a : history -> R) (l : history -> nat -> matrix -> R).
Variables (g : history -> nat -> matrix) (W : history -> matrix) (U : matrix).
Hypothesis Hset : convex_set inside.
Hypothesis Hgamma : 0 <= gamma <= 1.
Hypothesis Heta : 0 < eta.
Hypothesis Hsteps : steps K rows d inside eta T ystar a l g W.
Hypothesis Hlabels : forall h, takes_place K T h -> (y h < K)%nat.
Hypothesis HU : inside U.

Let p h := exploring K gamma (a h) (ystar h).
Let gap h draw := bracket K rows d eta (a h) (ystar h) (y h) (l h draw) (g h draw) (W h).
Let explored := gamma * ((INR K - 1) / INR K).
Let potential h := norm2 rows d (fun k i => W h k i - U k i) / (2 * eta).

Lemma weights_inside h : takes_place K T h -> inside (W h).
Proof using Hsteps.
  intros Hh. destruct Hsteps as (Hfirst & _ & Hplay). destruct h as [|draw h]; [assumption|].
  assert (Hdraw : (draw < K)%nat) by (destruct Hh as [H _]; now inversion H).
  apply (Hplay h (takes_place_earlier _ _ _ _ Hh)); assumption.
Qed.

Lemma one_round h draw : takes_place K T h -> (draw < K)%nat ->
  potential (draw :: h) <= potential h + l h draw U - l h draw (W h) + eta / 2 * norm2 rows d (g h draw).
Proof using Hset Heta Hsteps HU.
  intros Hh Hdraw. destruct Hsteps as (_ & _ & Hplay). destruct (Hplay h Hh) as (_ & _ & Hstep).
  destruct (Hstep draw Hdraw) as (HG & Hin & Hnear).
  assert (Hnearer := nearest_nearer rows d inside _ (W (draw :: h)) U (fun t Ht => Hset U _ t HU Hin Ht) Hnear).
  cbv beta in Hnearer. rewrite norm2_step in Hnearer. specialize (HG U). unfold potential.
  set (N := norm2 _ _ (fun k i => W h k i - U k i)) in *. set (I := inner _ _ (g h draw) _) in *.
  set (N' := norm2 _ _ (fun k i => W (draw :: h) k i - U k i)) in *. set (G2 := norm2 _ _ (g h draw)) in *.
  apply Rmult_le_reg_r with (2 * eta); [lra|]. replace (N' / (2 * eta) * (2 * eta)) with N' by (field; lra).
  replace ((N / (2 * eta) + l h draw U - l h draw (W h) + eta / 2 * G2) * (2 * eta))
    with (N + 2 * eta * (l h draw U - l h draw (W h)) + eta ^ 2 * G2) by (field; lra).
  nra.
Qed.

Lemma drawn_from h : takes_place K T h -> is_distribution K (p h).
Proof using Hsteps Hgamma.
  intros Hh. destruct Hsteps as (_ & _ & Hplay). destruct (Hplay h Hh) as (Hs & Ha & _).
  now apply exploring_is_distribution.
Qed.

(** Mistakes less what pays for them: does not grow. *)
Let excess h := mistakes y h - weighted_total (fun h draw => l h draw U + gap h draw) h.
Let account h := excess h + potential h + explored * (INR T - INR (length h)).

Lemma account_falls h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
Proof using Hset Hgamma Heta Hsteps Hlabels HU.
  intros Hh. destruct (drawn_from h Hh) as [Hpos Hone]. destruct Hsteps as (_ & _ & Hplay).
  destruct (Hplay h Hh) as (Hs & Ha & _). assert (Hwrong := exploring_wrong K gamma (a h) (ystar h) (y h) Hs
    (Hlabels h Hh) Ha Hgamma). clear Hplay.
  set (paid := (1 - a h) * (if Nat.eqb (ystar h) (y h) then 0 else 1) + a h * ((INR K - 1) / INR K)) in *.
  apply Rle_trans with (sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)
    + (account h - paid - explored) * p h draw)).
  - apply sum_le. intros draw Hdraw.
    replace (p h draw * (if Nat.eqb draw (y h) then 0 else 1) + (account h - paid - explored) * p h draw)
      with (p h draw * ((if Nat.eqb draw (y h) then 0 else 1) + account h - paid - explored)) by ring.
    apply Rmult_le_compat_l; [now apply Hpos|]. assert (Hdrop := one_round h draw Hh Hdraw).
    unfold account, excess, gap, bracket. fold paid. cbn [mistakes weighted_total length]. rewrite S_INR.
    fold (bracket K rows d eta (a h) (ystar h) (y h) (l h draw) (g h draw) (W h)). unfold bracket at 1. fold paid. lra.
  - rewrite sum_plus, sum_scale, Hone.
    change (sum K (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)))
      with (P_wrong K (Rmax (a h) gamma) (ystar h) (y h)). unfold explored. lra.
Qed.

Lemma weighted_total_plus f f' h : weighted_total (fun h draw => f h draw + f' h draw) h =
  weighted_total f h + weighted_total f' h.
Proof using. induction h as [|draw h IH]; cbn [weighted_total]; [ring|]. rewrite IH. ring. Qed.

Lemma lemma_one_bound : expectation K p T (mistakes y) [] <=
  expectation K p T (weighted_total (fun h draw => l h draw U)) [] + norm2 rows d U / (2 * eta) + explored * INR T
  + expectation K p T (weighted_total gap) [].
Proof using Hset Hgamma Heta Hsteps Hlabels HU.
  assert (H : expectation K p T (fun h => mistakes y h - weighted_total (fun h draw => l h draw U) h
    - weighted_total gap h) [] <= account []).
  { apply expectation_telescopes with (T := T); auto using account_falls, drawn_from. intros h _ Hlen.
    unfold account, excess. rewrite weighted_total_plus, Hlen. assert (0 <= potential h); [|lra].
    apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra. }
  rewrite !expectation_minus in H.
  assert (Hstart : account [] = norm2 rows d U / (2 * eta) + explored * INR T).
  { destruct Hsteps as (_ & Hzero & _). unfold account, excess, potential. cbn [mistakes weighted_total length INR].
    replace (norm2 rows d (fun k i => W [] k i - U k i)) with (norm2 rows d U); [ring|].
    apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
  lra.
Qed.

End LemmaOne.

Theorem lemma_one_as_printed : Lemma1.
Proof.
  intros K rows d inside gamma eta T y ystar a l g W HK Hset Hgamma Heta. assert (HKR := lt_0_INR K HK).
  split; [lra|]. split; [lra|]. intros Hsteps Hlabels p. split.
  - exact (drawn_from K rows d inside gamma eta T ystar a l g W Hgamma Hsteps).
  - intros U. exact (lemma_one_bound K rows d inside gamma eta T y ystar a l g W U Hset Hgamma Heta Hsteps Hlabels).
Qed.
Print Assumptions lemma_one_as_printed.

(** The scores (3, -1, -1) of label 0 have the margin 4 and the loss 9; (3, 2, -4) and (3, -4, 2), of which they are the
    middle, have the margin 1 and no loss. *)
Theorem loss_3_has_no_subgradient : Loss3_as_printed_has_no_subgradient.
Proof.
  set (V := fun (e : R) k (_ : nat) => match k with 0%nat => 3 | 1%nat => -1 + e | _ => -1 - e end).
  assert (Hmargin : forall e, margin 3 (scores 1 (V e) (fun _ => 1)) 0 = 4 - Rabs e).
  { intros e. unfold margin, scores, dot. simpl. unfold Rabs, Rmax. destruct (Rcase_abs e), (Rle_dec _ _); lra. }
  exists (V 0), (fun _ => 1), 0%nat. split; [lia|]. intros G HG.
  assert (H1 := HG (V 3)). assert (H2 := HG (V (-3))). cbv beta in H1, H2. rewrite !Hmargin in H1, H2.
  rewrite Rabs_R0 in H1, H2. rewrite Rabs_pos_eq in H1 by lra. rewrite Rabs_left in H2 by lra.
  unfold smooth_hinge_as_printed in *. unfold inner, dot in *. simpl in *. unfold Rmax in *.
  destruct (Rle_dec (4 - 0) 0), (Rle_dec (4 - 3) 0); try lra. destruct (Rle_dec (4 - - -3) 0); try lra.
  repeat destruct (Rle_dec _ _); nra.
Qed.
Print Assumptions loss_3_has_no_subgradient.
