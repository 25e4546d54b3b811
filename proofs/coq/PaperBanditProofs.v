(** The theorems of PaperBandit.v: the conditions of Theorems 1, 2 and 3, and the tuning of gamma and eta. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Softmax BanditDefinitions BanditTheorem.
From Gaptron Require Import Paper PaperBandit LogisticProof HingeProof SmoothHingeProof.
Open Scope R_scope.

Lemma positive_square_root q : 0 < q -> 0 < sqrt q /\ sqrt q ^ 2 = q.
Proof. intros H. split; [now apply sqrt_lt_R0|]. apply pow2_sqrt. lra. Qed.

Lemma le_from_squares a b : 0 <= b -> a ^ 2 <= b ^ 2 -> a <= b.
Proof. intros Hb H. apply Rnot_lt_le. intros Hlt. nra. Qed.

Lemma divided a b : 0 < a -> 0 < b -> 0 < a / b.
Proof. intros Ha Hb. apply Rmult_lt_0_compat; [exact Ha|]. now apply Rinv_0_lt_compat. Qed.

Lemma at_least_one T : (1 <= T)%nat -> 1 <= INR T.
Proof. intros H. apply le_INR in H. exact H. Qed.

(** The tuned exploration rate: 1, or [star] with a square that is known. *)
Lemma clipped star : 0 < star -> 0 < Rmin 1 star <= 1 /\ (Rmin 1 star = 1 /\ 1 <= star \/ Rmin 1 star = star).
Proof. intros H. unfold Rmin. destruct Rle_dec; [split; [lra|left; lra]|split; [lra|now right]]. Qed.

(** [inverse/gamma + exploration gamma], the two terms of the regret, for [gamma^2 = inverse/exploration']. *)
Lemma balanced gamma inverse exploration exploration' :
  0 < gamma -> exploration' * gamma ^ 2 = inverse ->
  inverse / gamma + gamma * exploration = gamma * (exploration' + exploration).
Proof. intros Hgamma <-. field. lra. Qed.

Theorem theorem_4 : Theorem4.
Proof.
  assert (H2 := ln_2_range). split; [lra|].
  intros K d X D T HK HX HD HT k gamma eta. assert (Hk := at_least_two K HK). assert (HT1 := at_least_one T HT).
  fold k in Hk. set (t := INR T) in *. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hu : 0 < k * X * D) by (repeat apply Rmult_lt_0_compat; lra).
  destruct (positive_square_root (t * ln 2) ltac:(nra)) as [Hroot Hsquare].
  destruct (positive_square_root (t / ln 2) ltac:(apply divided; lra)) as [Hroot' Hsquare'].
  assert (Hstar : 0 < k * X * D / sqrt (t * ln 2)) by (apply divided; lra).
  destruct (clipped _ Hstar) as [Hgamma Hcase]. fold gamma in Hgamma, Hcase.
  split.
  { intros theta y Hy. split; [|now apply softmax_positive].
    assert (Hrest := rest_positive K theta y HK). assert (Hexp := exp_pos (theta y)).
    rewrite (weighs K theta y Hy). lra. }
  split; [nra|]. split; [lra|]. split; [nra|]. split; [left; apply divided; lra|].
  replace eta with (gamma * (ln 2 / (2 * k)) / (k * X ^ 2)) by (unfold eta; field; nra).
  apply bandit_softmax_theorem with (c := k / ln 2); auto; [|now apply logistic_conditions].
  right. fold k t. assert (Hkt : t * (k - 1) / k <= t).
  { apply Rmult_le_reg_r with k; [lra|]. replace (t * (k - 1) / k * k) with (t * (k - 1)) by (field; lra). nra. }
  set (q := (k * X * D) ^ 2 / ln 2). assert (Hq : q * ln 2 = (k * X * D) ^ 2) by (unfold q; field; lra).
  replace (D ^ 2 / (2 * (gamma * (ln 2 / (2 * k)) / (k * X ^ 2))) + gamma * t * (k - 1) / k)
    with (q / gamma + gamma * (t * (k - 1) / k)) by (unfold q; field; nra).
  destruct Hcase as [[-> Hbig]|Hsmall].
  - refine (Rle_trans _ _ _ _ (Rmult_le_compat_l _ _ _ _ (Rmax_l _ _))); [|nra].
    replace (k * X * D * (2 * k * X * D / ln 2)) with (2 * q) by (unfold q; field; lra).
    assert (Hku : sqrt (t * ln 2) <= k * X * D).
    { apply Rmult_le_reg_r with (/ sqrt (t * ln 2)); [now apply Rinv_0_lt_compat|]. rewrite Rinv_r by lra. exact Hbig. }
    assert (t <= q); [|lra]. apply Rmult_le_reg_r with (ln 2); [lra|]. rewrite Hq, <- Hsquare. nra.
  - refine (Rle_trans _ _ _ _ (Rmult_le_compat_l _ _ _ _ (Rmax_r _ _))); [|nra].
    assert (Hg : t * gamma ^ 2 = q).
    { rewrite Hsmall. unfold q. replace ((k * X * D / sqrt (t * ln 2)) ^ 2)
        with ((k * X * D) ^ 2 / sqrt (t * ln 2) ^ 2) by (field; lra). rewrite Hsquare. field. lra. }
    rewrite (balanced gamma q _ t) by (auto; lra). apply le_from_squares; [nra|].
    replace ((k * X * D * (2 * sqrt (t / ln 2))) ^ 2) with (4 * (k * X * D) ^ 2 * sqrt (t / ln 2) ^ 2) by ring.
    rewrite Hsquare', <- Hq, <- Hg. replace (4 * (t * gamma ^ 2 * ln 2) * (t / ln 2)) with ((gamma * (2 * t)) ^ 2)
      by (field; lra).
    apply pow_incr. assert (0 <= t * (k - 1) / k) by (left; apply divided; nra). nra.
Qed.

Theorem theorem_5 : Theorem5.
Proof.
  intros K d X D T HK HX HD HT k beta square gamma eta.
  assert (Hk := at_least_two K HK). assert (HT1 := at_least_one T HT). fold k in Hk. set (t := INR T) in *.
  assert (Hu : 0 < X * D) by now apply Rmult_lt_0_compat. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hbeta : (1 - beta) * k = k - 1) by (unfold beta; field; lra). assert (Hb : 0 < 1 - beta) by nra.
  assert (Hdenominator : 0 < 2 * (1 - beta) * (k - 1) * t) by (repeat apply Rmult_lt_0_compat; lra).
  set (q := (k * (X * D)) ^ 2). assert (Hq : 0 < q) by (apply pow_lt, Rmult_lt_0_compat; lra).
  assert (Hvalue : 2 * ((k - 1) / k) ^ 2 * t * square = q).
  { unfold square, q. replace (1 - beta) with ((k - 1) / k) by (unfold beta; field; lra). field. lra. }
  assert (Hpositive : 0 < square).
  { unfold square. apply divided; [|lra]. repeat apply Rmult_lt_0_compat; try apply pow_lt; lra. }
  destruct (positive_square_root square Hpositive) as [Hroot Hsquare].
  destruct (positive_square_root (t / 2) ltac:(lra)) as [Hroot' Hsquare'].
  destruct (clipped _ Hroot) as [Hgamma Hcase]. fold gamma in Hgamma, Hcase.
  assert (0 < k ^ 2 * X ^ 2) by (apply Rmult_lt_0_compat; [apply pow_lt; lra|exact HX2]).
  split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|].
  replace eta with (gamma * ((1 - 1 / k) / k) / (k * X ^ 2)) by (unfold eta, beta; field; nra).
  apply bandit_margin_theorem with (c := k ^ 2 / (2 * (k - 1))); auto; [|now apply hinge_conditions].
  right. fold k t. set (rest := (k - 1) / k) in *. assert (Hrest : 0 < rest) by (apply divided; lra).
  replace (D ^ 2 / (2 * (gamma * ((1 - 1 / k) / k) / (k * X ^ 2))) + gamma * t * (k - 1) / k)
    with (q / (2 * rest) / gamma + gamma * (t * rest)) by (unfold q, rest; field; nra).
  destruct Hcase as [[-> Hbig]|Hsmall].
  - refine (Rle_trans _ _ _ _ (Rmax_l _ _)).
    replace (k ^ 3 * X ^ 2 * D ^ 2 / (k - 1)) with (2 * (q / (2 * rest))) by (unfold q, rest; field; lra).
    assert (t * rest <= q / (2 * rest)); [|lra]. apply Rmult_le_reg_r with (2 * rest); [lra|].
    replace (q / (2 * rest) * (2 * rest)) with q by (field; lra). rewrite <- Hvalue, <- Hsquare.
    assert (0 < t * rest ^ 2) by (apply Rmult_lt_0_compat; [lra|now apply pow_lt]).
    assert (1 <= sqrt square ^ 2) by nra. nra.
  - refine (Rle_trans _ _ _ _ (Rmax_r _ _)).
    assert (Hg : t * rest * gamma ^ 2 = q / (2 * rest)).
    { rewrite Hsmall, Hsquare, <- Hvalue. field. lra. }
    rewrite (balanced gamma _ _ (t * rest)) by (auto; lra). apply le_from_squares; [repeat apply Rmult_le_pos; lra|].
    replace ((2 * k * X * D * sqrt (t / 2)) ^ 2) with (4 * q * sqrt (t / 2) ^ 2) by (unfold q; ring).
    rewrite Hsquare', <- Hvalue, <- Hsquare, <- Hsmall. right. field.
Qed.

(** Theorem 6 with c under the root: what is left is one inequality for each branch. *)
Lemma theorem_6_follows c K : (2 <= K)%nat -> 0 < c ->
  (forall q t, 0 < q -> 1 <= t <= c * q -> t <= 4 * q \/ 2 * q + t * (INR K - 1) / INR K <= 4 * q) ->
  2 / c + (INR K - 1) / INR K <= sqrt (8 / c) -> forall X D T, 0 < X -> 0 < D -> (1 <= T)%nat ->
    let k := INR K in
    let square := c * k ^ 2 * X ^ 2 * D ^ 2 / INR T in
    let gamma := Rmin 1 (sqrt square) in
    let eta := gamma / (4 * k ^ 2 * X ^ 2) in
    0 < square /\ 0 < k ^ 2 * X ^ 2 /\ 0 < gamma <= 1 /\
    bandit_regret_follows k D gamma eta (INR T) (Rmax (4 * k ^ 2 * X ^ 2 * D ^ 2) (2 * k * X * D * sqrt (2 * INR T))).
Proof.
  intros HK Hc Hone Hroots X D T HX HD HT k square gamma eta.
  assert (Hk := at_least_two K HK). assert (HT1 := at_least_one T HT). fold k in Hk, Hone, Hroots.
  set (t := INR T) in *. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hu : 0 < X * D) by now apply Rmult_lt_0_compat.
  set (q := (k * (X * D)) ^ 2). assert (Hq : 0 < q) by (apply pow_lt, Rmult_lt_0_compat; lra).
  assert (Hvalue : t * square = c * q) by (unfold square, q; field; lra). assert (Hpositive : 0 < square) by nra.
  destruct (positive_square_root square Hpositive) as [Hroot Hsquare].
  destruct (positive_square_root (2 * t) ltac:(lra)) as [Hroot' Hsquare'].
  destruct (positive_square_root (8 / c) ltac:(apply divided; lra)) as [Hroot8 Hsquare8].
  destruct (clipped _ Hroot) as [Hgamma Hcase]. fold gamma in Hgamma, Hcase.
  assert (0 < k ^ 2 * X ^ 2) by (apply Rmult_lt_0_compat; [apply pow_lt; lra|exact HX2]).
  split; [exact Hpositive|]. split; [assumption|]. split; [exact Hgamma|]. unfold bandit_regret_follows.
  replace (D ^ 2 / (2 * eta) + gamma * t * (k - 1) / k)
    with (2 * q / gamma + gamma * (t * (k - 1) / k)) by (unfold q, eta; field; lra).
  replace (4 * k ^ 2 * X ^ 2 * D ^ 2) with (4 * q) by (unfold q; ring).
  destruct Hcase as [[-> Hbig]|Hsmall].
  - assert (Hsquare1 : 1 <= square) by (rewrite <- Hsquare; nra).
    assert (Ht : 1 <= t <= c * q) by (rewrite <- Hvalue; nra).
    destruct (Hone q t Hq Ht); [left|right]; refine (Rle_trans _ _ _ _ (Rmax_l _ _)); lra.
  - right. refine (Rle_trans _ _ _ _ (Rmax_r _ _)).
    assert (Hg : t * (2 / c) * gamma ^ 2 = 2 * q).
    { rewrite Hsmall, Hsquare. replace (t * (2 / c) * square) with (t * square * (2 / c)) by ring.
      rewrite Hvalue. field. lra. }
    rewrite (balanced gamma _ _ (t * (2 / c))) by (auto; lra).
    apply Rle_trans with (gamma * t * sqrt (8 / c)).
    + replace (gamma * (t * (2 / c) + t * (k - 1) / k)) with (gamma * t * (2 / c + (k - 1) / k)) by (field; lra).
      apply Rmult_le_compat_l; [nra|exact Hroots].
    + apply le_from_squares; [repeat apply Rmult_le_pos; lra|].
      replace ((gamma * t * sqrt (8 / c)) ^ 2) with (gamma ^ 2 * t ^ 2 * sqrt (8 / c) ^ 2) by ring.
      replace ((2 * k * X * D * sqrt (2 * t)) ^ 2) with (4 * q * sqrt (2 * t) ^ 2) by (unfold q; ring).
      rewrite Hsquare8, Hsquare'. right.
      replace (4 * q * (2 * t)) with (2 * q * (4 * t)) by ring. rewrite <- Hg. field. lra.
Qed.

Lemma theorem_6_with c K : (2 <= K)%nat -> 0 < c ->
  (forall q t, 0 < q -> 1 <= t <= c * q -> t <= 4 * q \/ 2 * q + t * (INR K - 1) / INR K <= 4 * q) ->
  2 / c + (INR K - 1) / INR K <= sqrt (8 / c) -> Theorem6_with c K.
Proof.
  intros HK Hc Hone Hroots d X D T HX HD HT k square gamma eta. assert (Hk := at_least_two K HK).
  destruct (theorem_6_follows c K HK Hc Hone Hroots X D T HX HD HT) as (Hpositive & Hx & Hgamma & Hfollows).
  fold k in Hk, Hpositive, Hx, Hgamma, Hfollows. fold square in Hpositive, Hgamma, Hfollows.
  fold gamma in Hgamma, Hfollows. fold eta in Hfollows. assert (HT1 := at_least_one T HT).
  split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|].
  assert (Heta : eta = gamma * (1 / (4 * k)) / (k * X ^ 2)) by (unfold eta; field; nra).
  rewrite Heta. apply bandit_margin_theorem with (c := 2 * k); auto; [|now apply smooth_hinge_conditions].
  fold k. rewrite <- Heta. exact Hfollows.
Qed.

Lemma below_root a b : 0 <= b -> a ^ 2 <= b -> a <= sqrt b.
Proof. intros Hb H. apply le_from_squares; [apply sqrt_pos|]. now rewrite pow2_sqrt. Qed.

Lemma share_of_others k : 2 <= k -> (k - 1) / k = 1 - 1 / k.
Proof. intros. field. lra. Qed.

Lemma below_11 K : (2 <= K <= 11)%nat -> 2 / 4 + (INR K - 1) / INR K <= sqrt (8 / 4).
Proof.
  intros [HK H11]. assert (Hk := at_least_two K HK). apply le_INR in H11. simpl in H11.
  apply below_root; [lra|]. rewrite share_of_others by assumption.
  assert (H : 1 / 11 <= 1 / INR K) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
  assert (1 / INR K <= 1 / 2) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra). nra.
Qed.

Theorem theorem_6_to_11 : Theorem6_to_11.
Proof. intros K H. apply theorem_6_with; [apply H|lra|intros; left; lra|now apply below_11]. Qed.

Theorem theorem_6_tuned_to_11 : Theorem6_tuned_to_11.
Proof.
  intros K X D T H HX HD HT. unfold Theorem6_tuning. set (k := INR K).
  set (square := 4 * k ^ 2 * X ^ 2 * D ^ 2 / INR T). set (gamma := Rmin 1 (sqrt square)).
  set (eta := gamma / (4 * k ^ 2 * X ^ 2)). assert (HT1 := at_least_one T HT).
  assert (Hk := at_least_two K (proj1 H)).
  destruct (theorem_6_follows 4 K (proj1 H) ltac:(lra) (fun q t _ Ht => or_introl (proj2 Ht)) (below_11 K H) X D T HX HD HT)
    as (Hpositive & Hx & Hgamma & Hfollows).
  fold k in Hk, Hpositive, Hx, Hgamma, Hfollows. fold square in Hpositive, Hgamma, Hfollows.
  fold gamma in Hgamma, Hfollows. fold eta in Hfollows.
  assert (Heta : 0 < eta) by (apply divided; lra).
  repeat (split; [lra|]). destruct Hfollows as [Hfew|Hpaid].
  - exact (Rle_trans _ _ _ (Rmin_r _ _) Hfew).
  - exact (Rle_trans _ _ _ (Rmin_l _ _) Hpaid).
Qed.

(** With X = 1, D = 1/K and nine rounds Lemma 1 has 9 - 6/K, and 2 sqrt(18) is printed. *)
Theorem theorem_6_not_tuned_from_12 : Theorem6_not_tuned_from_12.
Proof.
  intros K H12. apply le_INR in H12. simpl in H12. set (k := INR K) in *. assert (Hk : 12 <= k) by lra.
  assert (Hinv : 0 < / k <= / 12) by (split; [apply Rinv_0_lt_compat|apply Rinv_le_contravar]; lra).
  exists 1, (/ k), 9%nat. split; [lra|]. split; [lra|]. split; [lia|]. unfold Theorem6_tuning. fold k.
  replace (INR 9) with 9 by (simpl; ring).
  replace (4 * k ^ 2 * 1 ^ 2 * (/ k) ^ 2 / 9) with ((2 / 3) ^ 2) by (field; lra).
  rewrite sqrt_pow2, (Rmin_right 1) by lra. assert (Hdenominator : 0 < 4 * k ^ 2 * 1 ^ 2) by nra.
  assert (Heta : 0 < 2 / 3 / (4 * k ^ 2 * 1 ^ 2)) by (apply divided; lra). repeat (split; [lra|]).
  replace (4 * k ^ 2 * 1 ^ 2 * (/ k) ^ 2) with 4 by (field; lra). replace (2 * k * 1 * / k) with 2 by (field; lra).
  replace ((/ k) ^ 2 / (2 * (2 / 3 / (4 * k ^ 2 * 1 ^ 2))) + 2 / 3 * 9 * (k - 1) / k) with (9 - 6 * / k) by (field; lra).
  assert (Hroot : sqrt (2 * 9) < 4243 / 1000).
  { rewrite <- (sqrt_pow2 (4243 / 1000)) by lra. apply sqrt_lt_1; lra. }
  rewrite Rmin_left by lra. assert (Rmax 4 (2 * sqrt (2 * 9)) < 17 / 2) by (apply Rmax_lub_lt; lra). lra.
Qed.

Theorem theorem_6 : Theorem6.
Proof.
  intros K HK. assert (Hk := at_least_two K HK).
  assert (0 < 1 / INR K <= 1 / 2).
  { split; [apply divided; lra|]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
  apply theorem_6_with; [exact HK|lra| |].
  - intros q t Hq Ht. right. replace (t * (INR K - 1) / INR K) with (t * (1 - 1 / INR K)) by (field; lra). nra.
  - apply below_root; [lra|]. rewrite share_of_others by assumption. nra.
Qed.

Print Assumptions theorem_4.
Print Assumptions theorem_5.
Print Assumptions theorem_6.
Print Assumptions theorem_6_to_11.
Print Assumptions theorem_6_tuned_to_11.
Print Assumptions theorem_6_not_tuned_from_12.
