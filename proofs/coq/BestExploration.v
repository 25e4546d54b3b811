(** The best exploration rate: what the root balances, and the guarantee with it. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Sums Expectations Assembly Paper BanditDefinitions BanditAssembly BanditTheorem PaperBandit.
From Gaptron Require Import PaperBanditProofs LogisticProof HingeProof SmoothHingeProof MarginTheorem Softmax.
From Gaptron Require Import SoftmaxTheorem New.
Open Scope R_scope.

Section Best.
  Variables (K : nat) (X D h : R) (T : nat).
  Let k := INR K.
  Let t := INR T.
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis X_positive : 0 < X.
  Hypothesis D_positive : 0 < D.
  Hypothesis rate_positive : 0 < h.
  Hypothesis rounds : (1 <= T)%nat.
  Let root := 2 * h * (k - 1) * t.
  Let star := k * X * D / sqrt root.
  Let inverse := k * X ^ 2 * D ^ 2 / (2 * h).
  Let linear := t * (k - 1) / k.
  Let best := best_exploration k X D h t.
  Let cost := exploration_cost k X D h t.

  Collection parameters := classes X_positive D_positive rate_positive rounds.

  Lemma ranges : 2 <= k /\ 1 <= t /\ 0 < root /\ 0 < sqrt root /\ sqrt root ^ 2 = root /\ 0 < star /\ 0 < linear.
  Proof using parameters.
    assert (Hk := at_least_two K classes). assert (Ht := at_least_one T rounds). fold k in Hk. fold t in Ht.
    assert (Hroot : 0 < root) by (unfold root; repeat apply Rmult_lt_0_compat; lra).
    destruct (positive_square_root root Hroot) as [Hs Hs2].
    assert (0 < star) by (unfold star; apply divided; [repeat apply Rmult_lt_0_compat|]; lra).
    assert (0 < linear) by (unfold linear; apply divided; [apply Rmult_lt_0_compat|]; lra). repeat split; assumption.
  Qed.

  (** The two terms are equal at the root. *)
  Lemma balance : inverse = linear * star ^ 2.
  Proof using parameters.
    destruct ranges as (Hk & Ht & Hroot & Hs & Hs2 & _). unfold star.
    replace ((k * X * D / sqrt root) ^ 2) with ((k * X * D) ^ 2 / sqrt root ^ 2) by (field; lra).
    rewrite Hs2. unfold inverse, linear, root. field. lra.
  Qed.

  Lemma cost_value gamma : 0 < gamma -> cost gamma = linear * (star ^ 2 / gamma + gamma).
  Proof using parameters.
    intros Hgamma. destruct ranges as (Hk & _). assert (Hb := balance).
    replace (linear * (star ^ 2 / gamma + gamma)) with (inverse / gamma + linear * gamma) by (rewrite Hb; field; lra).
    unfold cost, exploration_cost, inverse, linear. field. lra.
  Qed.

  (** The difference of the costs of [gamma] and [best], in units of [linear] (gamma - best)/(gamma best). *)
  Lemma cost_difference gamma : 0 < gamma -> 0 < best ->
    cost gamma - cost best = linear / (gamma * best) * ((gamma - best) * (gamma * best - star ^ 2)).
  Proof using parameters. intros Hgamma Hbest. rewrite !cost_value by assumption. field. lra. Qed.

  Lemma best_range : 0 < best <= 1 /\ (best = star \/ best = 1 /\ 1 <= star).
  Proof using parameters.
    destruct ranges as (_ & _ & _ & _ & _ & Hstar & _). destruct (clipped star Hstar) as [Hrange Hcase].
    unfold best, best_exploration. fold root star. split; [exact Hrange|tauto].
  Qed.

  (** No other rate costs as little. *)
  Lemma others_cost_more gamma : 0 < gamma <= 1 -> gamma <> best -> cost best < cost gamma.
  Proof using parameters.
    intros Hgamma Hother. destruct best_range as [Hbest Hcase].
    destruct ranges as (_ & _ & _ & _ & _ & Hstar & Hlinear).
    assert (Hdiff := cost_difference gamma ltac:(lra) ltac:(lra)).
    assert (Hscale : 0 < linear / (gamma * best)) by (apply divided; [lra|apply Rmult_lt_0_compat; lra]).
    assert (Hsigns : 0 < (gamma - best) * (gamma * best - star ^ 2)).
    { destruct Hcase as [Heq|[Heq Hbig]]; rewrite Heq in *.
      - replace (gamma * star - star ^ 2) with (star * (gamma - star)) by ring.
        assert (0 < (gamma - star) ^ 2) by (rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; lra). nra.
      - assert (gamma < 1) by (destruct (Rtotal_order gamma 1) as [|[|]]; [assumption|contradiction|lra]).
        assert (1 <= star ^ 2) by nra. nra. }
    assert (0 < cost gamma - cost best); [|lra]. rewrite Hdiff. now apply Rmult_lt_0_compat.
  Qed.

  Lemma best_cost_value : star <= 1 -> cost best = X * D * sqrt (2 * (k - 1) * t / h).
  Proof using parameters.
    intros Hsmall. destruct ranges as (Hk & Ht & Hroot & Hs & Hs2 & Hstar & _). destruct best_range as [_ Hcase].
    assert (Heq : best = star) by lra. rewrite Heq, cost_value by assumption.
    assert (Hunder : 0 < 2 * (k - 1) * t / h) by (apply divided; [repeat apply Rmult_lt_0_compat|]; lra).
    assert (Hscaled : sqrt (2 * (k - 1) * t / h) = sqrt root / h).
    { apply sqrt_lem_1; [lra|left; now apply divided|].
      replace (sqrt root / h * (sqrt root / h)) with (sqrt root ^ 2 / h ^ 2) by (field; lra). rewrite Hs2. unfold root.
      field. lra. }
    rewrite Hscaled. replace (linear * (star ^ 2 / star + star)) with (2 * (linear * star)) by (field; lra).
    replace (sqrt root / h) with (sqrt root ^ 2 / (h * sqrt root)) by (field; lra). rewrite Hs2.
    unfold linear, star, root at 2. field. lra.
  Qed.

  Lemma best_cost_at_one : 1 <= star -> cost best <= k * X ^ 2 * D ^ 2 / h.
  Proof using parameters.
    intros Hlarge. destruct best_range as [Hbest Hcase]. destruct ranges as (_ & _ & _ & _ & _ & _ & Hlinear).
    assert (Hone : best = 1) by lra. rewrite Hone, cost_value by lra.
    replace (k * X ^ 2 * D ^ 2 / h) with (2 * inverse) by (unfold inverse; field; lra). rewrite balance.
    assert (1 <= star ^ 2) by nra. nra.
  Qed.

  Lemma best_cost_most : cost best <= Rmax (k * X ^ 2 * D ^ 2 / h) (X * D * sqrt (2 * (k - 1) * t / h)).
  Proof using parameters.
    destruct (Rle_dec star 1) as [Hsmall|Hlarge].
    - rewrite best_cost_value by assumption. apply Rmax_r.
    - refine (Rle_trans _ _ _ (best_cost_at_one ltac:(lra)) (Rmax_l _ _)).
  Qed.

  (** The guarantee, for every loss that has [h] with full information. *)
  Theorem best_exploration_theorem d s : sound_rounds K d s (guessing (INR K)) X (h / X ^ 2) ->
    guarantee_in T (bandit K d s D best) X
      (best * h / (k * X ^ 2)) (fun _ => Rmax (k * X ^ 2 * D ^ 2 / h) (X * D * sqrt (2 * (k - 1) * t / h))).
  Proof using parameters.
    intros Hrounds. destruct best_range as [Hbest _]. apply bandit_theorem; try assumption.
    right. exact best_cost_most.
  Qed.
End Best.

Theorem best_exploration_rate : BestExploration.
Proof.
  intros K X D h T HK HX HD Hh HT k t best cost.
  destruct (ranges K X D h T HK HX HD Hh HT) as (Hk & Ht & Hroot & Hs & _). fold k t in Hk, Ht, Hroot, Hs.
  destruct (best_range K X D h T HK HX HD Hh HT) as [Hbest _]. fold k t best in Hbest.
  assert (HX2 : 0 < X ^ 2) by now apply pow_lt. assert (HkX : 0 < k * X ^ 2) by (apply Rmult_lt_0_compat; lra).
  split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. split.
  { left. apply divided; [repeat apply Rmult_lt_0_compat|]; lra. }
  split; [exact Hbest|]. split.
  { intros gamma Hgamma. enough (0 < gamma * h / (k * X ^ 2)) by lra. apply divided; [apply Rmult_lt_0_compat|]; lra. }
  split; [exact (others_cost_more K X D h T HK HX HD Hh HT)|].
  set (root := sqrt (2 * h * (k - 1) * t)) in *.
  assert (Hstar : k * X * D / root * root = k * X * D) by (field; lra).
  split; intros Hcase; [apply best_cost_value|apply best_cost_at_one]; auto; fold k t root; nra.
Qed.

Theorem best_exploration_guarantees : BestExplorationGuarantees.
Proof.
  intros K d X D T HK HX HD HT k t holds. assert (Hk := at_least_two K HK). fold k in Hk. assert (H2 := ln_2_range).
  assert (Hinv : 0 < / k <= / 2) by (split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]).
  split; [lra|]. split; [lra|]. split; [lra|]. split.
  { intros theta y Hy. split; [|now apply softmax_positive].
    assert (Hrest := rest_positive K theta y HK). assert (Hexp := exp_pos (theta y)).
    rewrite (weighs K theta y Hy). lra. }
  split; [|split]; unfold holds; apply best_exploration_theorem; try assumption.
  - apply divided; lra.
  - apply softmax_rounds with (c := k / ln 2); auto. now apply logistic_conditions.
  - apply divided; [|lra]. unfold Rdiv. lra.
  - apply margin_rounds with (c := k ^ 2 / (2 * (k - 1))); auto. now apply hinge_conditions.
  - apply divided; lra.
  - apply margin_rounds with (c := 2 * k); auto. now apply smooth_hinge_conditions.
Qed.

Print Assumptions best_exploration_rate.
Print Assumptions best_exploration_guarantees.
