(** Theorem 6 as printed, from 55 classes on: what the adversary forces is more than the printed regret. *)

From Coq Require Import Reals ZArith Lra Lia List FunctionalExtensionality.
From Gaptron Require Import Definitions Paper BanditDefinitions PaperBandit PaperBanditProofs.
From Gaptron Require Import SymmetricWeights Adversary.
Import ListNotations.
Open Scope R_scope.

Lemma difference_le a b c : a <= b + c -> a - b <= c.
Proof. lra. Qed.

Lemma some_horizon a : exists T, a < INR T.
Proof.
  exists (Z.to_nat (Z.max 0 (up a))). rewrite INR_IZR_INZ, Z2Nat.id by lia.
  destruct (archimed a) as [Hup _]. refine (Rlt_le_trans _ _ _ Hup _). apply IZR_le. lia.
Qed.

Section Printed.
  Variables (K T : nat) (r e gamma D : R).
  Let k := 1 - 1 / INR K.
  Let regret := Rmax (4 * INR K ^ 2 * 1 ^ 2 * D ^ 2) (2 * INR K * 1 * D * sqrt (2 * INR T)).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis r_value : r ^ 2 = 1 / INR K.
  Hypothesis r_range : 0 < r <= 1 / 2.
  Hypothesis e_range : 0 < e < 1.
  Hypothesis gamma_range : 0 < gamma <= r * e ^ 4 / 2.
  Hypothesis D_positive : 0 < D.
  Hypothesis ball : D ^ 2 = k.
  Hypothesis tuned : gamma ^ 2 * INR T = 4 * INR K ^ 2 * k.

  Lemma forced_by_guarantee :
    bandit_guarantee K 1 (margin_loss K 1 smooth_hinge smooth_hinge_map None) 1 D gamma (gamma / (4 * INR K ^ 2)) T
      (fun _ => regret) ->
    gamma * k * INR T + potential K r e gamma 0 <= regret.
  Proof using classes r_value r_range e_range gamma_range ball tuned.
    intros (_ & _ & Hbound).
    specialize (Hbound _ _ (adversary_admissible K T r e gamma classes r_value r_range e_range gamma_range)
      _ _ (learner_plays K T r e gamma D classes r_value r_range e_range gamma_range ball)).
    destruct Hbound as [_ Hall]. specialize (Hall (comparator K)).
    assert (Hball : in_ball K 1 D (comparator K)).
    { unfold in_ball, comparator. rewrite symmetric_norm, ball by exact classes. unfold k. lra. }
    specialize (Hall Hball). cbn beta in Hall.
    assert (Hforced := forced K T r e gamma classes r_value r_range e_range gamma_range tuned). fold k in Hforced.
    match type of Hall with _ <= expectation _ _ _ (weighted_total ?f) _ + _ =>
      match type of Hforced with _ <= _ - expectation _ _ _ (weighted_total ?g) _ => replace f with g in Hall end end.
    - refine (Rle_trans _ _ _ Hforced _). exact (difference_le _ _ _ Hall).
    - apply functional_extensionality. intros h. apply functional_extensionality. intros draw.
      unfold zero. now rewrite (comparator_loss K r e gamma classes r_value r_range e_range gamma_range h).
  Qed.

  (** In units of gamma T. *)
  Lemma printed_regret : regret <= sqrt 2 * (gamma * INR T).
  Proof using classes r_range e_range gamma_range D_positive ball tuned.
    assert (HT := pos_INR T). destruct (positive_square_root 2 ltac:(lra)) as [H2 Hsquare].
    assert (Hone : 1 <= sqrt 2) by nra.
    assert (Hgamma : gamma <= 1) by (assert (e ^ 4 <= 1) by (rewrite <- (pow1 4); apply pow_incr; lra); nra).
    assert (HgT : 0 <= gamma * INR T) by (apply Rmult_le_pos; lra).
    unfold regret. apply Rmax_lub.
    - rewrite ball. replace (4 * INR K ^ 2 * 1 ^ 2 * k) with (4 * INR K ^ 2 * k) by ring. rewrite <- tuned. nra.
    - apply le_from_squares; [apply Rmult_le_pos; lra|].
      replace ((2 * INR K * 1 * D * sqrt (2 * INR T)) ^ 2) with (4 * INR K ^ 2 * D ^ 2 * sqrt (2 * INR T) ^ 2) by ring.
      rewrite pow2_sqrt, ball, <- tuned by lra. right. rewrite Rpow_mult_distr, Hsquare. ring.
  Qed.

  Lemma enough : sqrt 2 < k + (1 - r) * (1 - e ^ 2) ^ 2 / 2 ->
    ~ bandit_guarantee K 1 (margin_loss K 1 smooth_hinge smooth_hinge_map None) 1 D gamma (gamma / (4 * INR K ^ 2)) T
      (fun _ => regret).
  Proof using classes r_value r_range e_range gamma_range D_positive ball tuned.
    intros Hslack Hfalse. assert (Hforced := forced_by_guarantee Hfalse). assert (Hregret := printed_regret).
    rewrite (potential_start K T r e gamma classes r_value r_range e_range gamma_range tuned) in Hforced.
    assert (HT := rounds_positive K T r e gamma classes r_value r_range e_range gamma_range tuned).
    assert (HgT : 0 < gamma * INR T) by (apply Rmult_lt_0_compat; lra).
    apply Rmult_lt_compat_l with (r := gamma * INR T) in Hslack; [|exact HgT]. lra.
  Qed.
End Printed.

Theorem theorem_6_false_from_55 : Theorem6_false_from_55.
Proof.
  intros K HK H6. assert (Hk : 55 <= INR K) by (apply le_INR in HK; simpl in HK; lra).
  destruct (positive_square_root (1 / INR K) ltac:(apply divided; lra)) as [Hr Hr2]. set (r := sqrt (1 / INR K)) in *.
  assert (Hinv : 1 / INR K <= 1 / 55) by (apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra).
  assert (Hr1 : r <= 13485 / 100000) by (apply le_from_squares; lra).
  destruct (positive_square_root (1 - 1 / INR K) ltac:(lra)) as [HD HD2]. set (D := sqrt (1 - 1 / INR K)) in *.
  set (top := r * (1 / 100) ^ 4 / 2). assert (Htop : 0 < top) by (unfold top; lra).
  set (wanted := 4 * INR K ^ 2 * (1 - 1 / INR K)).
  assert (Hwanted : 0 < wanted).
  { unfold wanted. apply Rmult_lt_0_compat; [|lra]. assert (H := pow_lt (INR K) 2). lra. }
  destruct (some_horizon (Rmax 1 (wanted / top ^ 2))) as [T HT].
  assert (HT1 : 1 < INR T) by (refine (Rle_lt_trans _ _ _ (Rmax_l _ _) HT)).
  assert (HT2 : wanted / top ^ 2 < INR T) by (refine (Rle_lt_trans _ _ _ (Rmax_r _ _) HT)).
  destruct (positive_square_root (wanted / INR T) ltac:(apply divided; lra)) as [Hgamma Hgamma2].
  set (gamma := sqrt (wanted / INR T)) in *.
  assert (Hsmall : gamma <= top).
  { apply le_from_squares; [lra|]. rewrite Hgamma2. assert (Htop2 : 0 < top ^ 2) by now apply pow_lt.
    apply Rmult_le_reg_r with (INR T); [lra|]. replace (wanted / INR T * INR T) with wanted by (field; lra).
    replace wanted with (wanted / top ^ 2 * top ^ 2) by (field; lra). nra. }
  specialize (H6 1%nat 1 D T ltac:(lra) HD ltac:(apply INR_le; simpl; lra)). cbn zeta in H6.
  destruct H6 as (_ & _ & _ & _ & H6).
  replace (4 * INR K ^ 2 * 1 ^ 2 * D ^ 2 / INR T) with (wanted / INR T) in H6
    by (rewrite HD2; unfold wanted; field; lra).
  fold gamma in H6. rewrite Rmin_right in H6 by (unfold top in Hsmall; lra).
  replace (gamma / (4 * INR K ^ 2 * 1 ^ 2)) with (gamma / (4 * INR K ^ 2)) in H6 by (field; lra).
  refine (enough K T r (1 / 100) gamma D _ Hr2 _ _ _ HD HD2 _ _ H6); [lia|lra|lra|fold top; lra| |].
  - rewrite Hgamma2. fold wanted. field. lra.
  - assert (sqrt 2 <= 141422 / 100000).
    { apply le_from_squares; [lra|]. rewrite pow2_sqrt; lra. }
    lra.
Qed.

Print Assumptions theorem_6_false_from_55.
