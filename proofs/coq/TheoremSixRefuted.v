(** Theorem 6 as printed, from 55 classes on: what the stream forces is more than the printed regret. *)

From Coq Require Import Reals ZArith Lra Lia List FunctionalExtensionality.
From Gaptron Require Import Descent Definitions Sums Paper SmoothHingeProof BanditDefinitions BanditTheorem PaperBandit.
From Gaptron Require Import PaperBanditProofs LogisticProof SymmetricWeights StreamPath FixedStream.
Import ListNotations.
Open Scope R_scope.

Lemma some_horizon a : exists T, a < INR T.
Proof.
  exists (Z.to_nat (Z.max 0 (up a))). rewrite INR_IZR_INZ, Z2Nat.id by lia.
  destruct (archimed a) as [Hup _]. refine (Rlt_le_trans _ _ _ Hup _). apply IZR_le. lia.
Qed.

Section Printed.
  Variables (K T : nat) (r g D : R).
  Let k := 1 - 1 / INR K.
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis rounds : (1 <= T)%nat.
  Hypothesis r_value : r ^ 2 = 1 / INR K.
  Hypothesis r_range : 0 < r <= 1 / 2.
  Hypothesis g_range : 0 < g <= 1.
  Hypothesis D_positive : 0 < D.
  Hypothesis ball : D ^ 2 = k.
  Hypothesis tuned : g ^ 4 * INR T = 4 * INR K ^ 2 * k.

  Lemma printed_exploration : Rmin 1 (sqrt (4 * INR K ^ 2 * D ^ 2 / INR T)) = g ^ 2.
  Proof using rounds r_range g_range ball tuned.
    assert (HT := at_least_one T rounds). assert (Hg2 : 0 < g ^ 2 <= 1) by (split; [apply pow_lt; lra|nra]).
    replace (4 * INR K ^ 2 * D ^ 2 / INR T) with (g ^ 2 * g ^ 2) by (rewrite ball, <- tuned; field; lra).
    rewrite sqrt_square by lra. apply Rmin_right. lra.
  Qed.

  (** In units of gamma T. *)
  Lemma printed_regret :
    Rmax (4 * INR K ^ 2 * D ^ 2) (2 * INR K * D * sqrt (2 * INR T)) <= sqrt 2 * (g ^ 2 * INR T).
  Proof using rounds r_range g_range ball tuned.
    assert (HT := at_least_one T rounds). destruct (positive_square_root 2 ltac:(lra)) as [H2 Hsquare].
    assert (Hg2 : 0 < g ^ 2 <= 1) by (split; [apply pow_lt; lra|nra]).
    assert (HgT : 0 < g ^ 2 * INR T) by (apply Rmult_lt_0_compat; lra). apply Rmax_lub.
    - rewrite ball, <- tuned. replace (g ^ 4 * INR T) with (g ^ 2 * (g ^ 2 * INR T)) by ring.
      apply Rmult_le_compat_r; [lra|]. assert (1 <= sqrt 2) by nra. lra.
    - apply le_from_squares; [nra|].
      replace ((2 * INR K * D * sqrt (2 * INR T)) ^ 2) with (4 * INR K ^ 2 * D ^ 2 * sqrt (2 * INR T) ^ 2) by ring.
      rewrite pow2_sqrt, ball, <- tuned by lra. right. rewrite Rpow_mult_distr, Hsquare. ring.
  Qed.

  Let s := margin_loss K 1 smooth_hinge smooth_hinge_map None.

  Lemma a_learner_plays :
    exists W ystar, plays (bandit K 1 s D (g ^ 2)) (g ^ 2 / (4 * INR K ^ 2)) T (shown K r g) zero W ystar.
  Proof using classes rounds r_value r_range g_range D_positive ball.
    assert (HK := at_least_two K classes). assert (Hg2 : 0 < g ^ 2 <= 1) by (split; [apply pow_lt; lra|nra]).
    assert (H := bandit_margin_theorem K 1 1 D (g ^ 2) (1 / (4 * INR K)) (2 * INR K) (INR T) T classes Rlt_0_1
      D_positive Hg2 (or_introl (Rle_refl _)) _ _ _ (smooth_hinge_conditions (INR K) HK)).
    replace (g ^ 2 * (1 / (4 * INR K)) / (INR K * 1 ^ 2)) with (g ^ 2 / (4 * INR K ^ 2)) in H by (field; lra).
    destruct H as (_ & _ & (weights & choice & Hplays) & _). eexists. eexists. apply Hplays with (price := fun _ => 0).
    intros h _. split; [unfold zero; cbn; lia|]. split; [|apply Rle_refl]. cbn. unfold shown.
    assert (H := show_range K r g D classes r_value r_range g_range D_positive ball (length h)). nra.
  Qed.

  Theorem stream_fails : sqrt 2 < share r g (g ^ 2 * r ^ 2 / 2) -> Theorem6_fails_on (show K r g) K D T.
  Proof using classes rounds r_value r_range g_range D_positive ball tuned.
    intros Henough. unfold Theorem6_fails_on. rewrite printed_exploration. cbn zeta.
    assert (HT := at_least_one T rounds). assert (HK := at_least_two K classes).
    split; [exact D_positive|]. split; [exact rounds|]. split.
    { intros t. assert (H := show_range K r g D classes r_value r_range g_range D_positive ball t). lra. }
    split; [exact a_learner_plays|]. exists (comparator K). split.
    { unfold in_ball, comparator. rewrite symmetric_norm, ball by exact classes. unfold k. lra. }
    intros W ystar Hplays.
    assert (H := forced K T r g D classes r_value r_range g_range D_positive ball W ystar Hplays tuned).
    replace (2 * (g ^ 2 / (4 * INR K ^ 2)) * INR K) with (g ^ 2 * r ^ 2 / 2) in H by (rewrite r_value; field; lra).
    assert (Hregret := printed_regret).
    assert (HgT : 0 < g ^ 2 * INR T) by (apply Rmult_lt_0_compat; [apply pow_lt|]; lra).
    apply Rmult_lt_compat_l with (r := g ^ 2 * INR T) in Henough; [|exact HgT].
    match type of H with _ <= ?mistakes - ?losses =>
      match goal with |- ?other + _ < ?wrong => change other with losses; change wrong with mistakes end end.
    lra.
  Qed.
End Printed.

Theorem printed_false c K D T : (2 <= K)%nat -> Theorem6_fails_on c K D T -> ~ Theorem6_with 4 K.
Proof.
  intros HK (HD & HT & Hc & (W & ystar & Hplays) & U & HU & Hfails) H.
  destruct (H 1%nat 1 D T Rlt_0_1 HD HT) as (_ & _ & _ & _ & Hbound).
  rewrite pow1, !Rmult_1_r in Hbound. set (x := fun (h : history) (_ : nat) => c (length h)).
  destruct Hbound as (_ & _ & _ & Hbound).
  set (G := bandit K 1 (margin_loss K 1 smooth_hinge smooth_hinge_map None) D _) in *.
  assert (Hadmissible : admissible G 1 T x (fun _ => 0%nat) (fun _ => 0)).
  { intros h _. cbn. split; [lia|]. split; [|apply Rle_refl]. unfold x. assert (Hr := Hc (length h)). nra. }
  destruct (Hbound _ _ _ Hadmissible W ystar Hplays) as [Hdist Hle].
  specialize (Hle (fun _ => U) (ex_intro _ U (conj HU eq_refl))).
  rewrite (expectation_shifted (draw_count G) T) in Hle;
    [|intros h Hh; now apply Hdist|constructor|reflexivity].
  exact (Rlt_not_le _ _ (Hfails W ystar Hplays) Hle).
Qed.

(** What the stream forces, at least, for small gamma = g^2: 2 k + 1 - r in units of gamma T/2. *)
Lemma share_at_least r g : 0 < r <= 1 / 2 -> 0 < g <= r / 10 ->
  1 - r ^ 2 + (1 - r) / 2 - 2 * g <= share r g (g ^ 2 * r ^ 2 / 2).
Proof.
  intros Hr Hg. assert (Hrg : 0 < r * g) by (apply Rmult_lt_0_compat; lra).
  assert (Hinv : 0 < / (r * g)) by now apply Rinv_0_lt_compat.
  assert (Hln : ln (1 + / (r * g)) <= / (r * g)) by (assert (H := ln_tangent (1 + / (r * g)) ltac:(lra)); lra).
  unfold share. set (h := g ^ 2 / (2 * r)). assert (Hh : h * (2 * r) = g ^ 2) by (unfold h; field; lra).
  assert (Hh0 : 0 <= h <= g / 20) by (split; apply Rmult_le_reg_r with (2 * r); nra).
  assert (Hlog : h * (2 * r ^ 2 * ln (1 + / (r * g))) <= g).
  { apply Rle_trans with (h * (2 * r ^ 2 * / (r * g))).
    { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; nra. }
    right. replace (h * (2 * r ^ 2 * / (r * g))) with (h * (2 * r) * / g) by (field; lra). rewrite Hh. field. lra. }
  set (l := h * (2 * r ^ 2 * ln (1 + / (r * g)))) in *.
  replace (h * (2 * r ^ 2 * ln (1 + / (r * g)) + 2 * r + 3 / 5)) with (l + h * (2 * r + 3 / 5)) by (unfold l; ring).
  assert (Hr2 : 0 <= r ^ 2 <= 1 / 4) by nra.
  replace (g ^ 2 * r ^ 2 / 2) with (h * (r * r ^ 2)) by (rewrite <- Hh; field).
  set (rest := l + h * (2 * r + 3 / 5) + h * (r * r ^ 2)).
  assert (Hrest : rest <= g + 3 * h) by (assert (r * r ^ 2 <= 1 / 8) by nra; unfold rest; nra).
  assert (Hkept : (1 - r ^ 2) * rest <= (1 - r ^ 2) * (g + 3 * h)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= r ^ 2 * (g + 3 * h)) by (apply Rmult_le_pos; lra).
  assert ((1 - r) / 2 * h ^ 2 <= h) by nra. lra.
Qed.

Lemma sqrt_2_below : sqrt 2 <= 141422 / 100000.
Proof. apply le_from_squares; [lra|]. rewrite pow2_sqrt; lra. Qed.

Lemma stream_from_55 K : (55 <= K)%nat -> exists c D T, Theorem6_fails_on c K D T.
Proof.
  intros HK. assert (Hk : 55 <= INR K) by (apply le_INR in HK; simpl in HK; lra).
  assert (Hinv : 1 / INR K <= 1 / 55) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
  destruct (positive_square_root (1 / INR K) ltac:(apply divided; lra)) as [Hr Hr2]. set (r := sqrt (1 / INR K)) in *.
  assert (Hr1 : r <= 13485 / 100000) by (apply le_from_squares; lra).
  destruct (positive_square_root (1 - 1 / INR K) ltac:(lra)) as [HD HD2]. set (D := sqrt (1 - 1 / INR K)) in *.
  set (most := r / 10000). assert (Hmost : 0 < most) by (unfold most; lra).
  set (wanted := 4 * INR K ^ 2 * (1 - 1 / INR K)).
  assert (Hwanted : 0 < wanted) by (unfold wanted; assert (H := pow_lt (INR K) 2 ltac:(lra)); nra).
  destruct (some_horizon (Rmax 1 (wanted / most ^ 4))) as [T HT].
  assert (HT1 := Rle_lt_trans _ _ _ (Rmax_l _ _) HT). assert (HT2 := Rle_lt_trans _ _ _ (Rmax_r _ _) HT).
  destruct (positive_square_root (wanted / INR T) ltac:(apply divided; lra)) as [Hgamma Hgamma2].
  destruct (positive_square_root (sqrt (wanted / INR T)) Hgamma) as [Hg Hg2].
  set (g := sqrt (sqrt (wanted / INR T))) in *.
  assert (Hg4 : g ^ 4 * INR T = wanted).
  { replace (g ^ 4) with ((g ^ 2) ^ 2) by ring. rewrite Hg2, Hgamma2. field. lra. }
  assert (Hsmall : g <= most).
  { apply Rnot_lt_le. intros Hlarge. assert (Hm4 : 0 < most ^ 4) by now apply pow_lt.
    assert (most ^ 4 <= g ^ 4) by (apply pow_incr; lra).
    assert (wanted < most ^ 4 * INR T); [|nra].
    apply Rmult_lt_compat_r with (r := most ^ 4) in HT2; [|exact Hm4].
    replace (wanted / most ^ 4 * most ^ 4) with wanted in HT2 by (field; lra). lra. }
  exists (show K r g), D, T. unfold most in Hsmall. apply stream_fails; auto; try lra; [lia|apply INR_le; simpl; lra|].
  assert (H := share_at_least r g ltac:(lra) ltac:(lra)). assert (H2 := sqrt_2_below). lra.
Qed.

Theorem theorem_6_false_from_55 : Theorem6_false_from_55.
Proof.
  intros K HK. destruct (stream_from_55 K HK) as (c & D & T & H).
  split; [apply (printed_false c K D T); [lia|exact H]|now exists c, D, T].
Qed.

Lemma ln_136_below : ln 136 <= 13 / 2.
Proof.
  assert (H := ln_tangent (3 / 2) ltac:(lra)).
  apply Rle_trans with (ln ((3 / 2) ^ 13)); [left; apply ln_increasing; lra|]. rewrite ln_pow by lra. simpl INR. lra.
Qed.

Theorem theorem_6_false_at_100 : Theorem6_false_at_100.
Proof.
  assert (Hk : INR 100 = 100) by (rewrite INR_IZR_INZ; reflexivity).
  assert (HT : INR (Z.to_nat 1315316475) = 1315316475) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; reflexivity).
  destruct (positive_square_root (99 / 100) ltac:(lra)) as [HD HD2].
  exists (show 100 (1 / 10) (2 / 27)). apply stream_fails; rewrite ?Hk, ?HT; try lra; [lia|lia|].
  assert (H2 := sqrt_2_below). assert (Hl := ln_136_below). unfold share.
  replace (1 + / (1 / 10 * (2 / 27))) with 136 by field. lra.
Qed.

Print Assumptions theorem_6_false_from_55.
Print Assumptions theorem_6_false_at_100.
