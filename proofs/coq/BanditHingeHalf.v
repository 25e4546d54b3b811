(** The bandit hinge loss with threshold 1/2: where the true label is on top it is seen with probability 1 - a (K - 1)/K
    and needs no share of the exploration, or nothing is learned; where a wrong one is, with m* > 1/2, the loss is above
    3/2. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Sums Subgradients Derivatives Pieces MarginTheorem Paper HingeProof.
From Gaptron Require Import BanditDefinitions BanditAssembly PaperBandit PaperBanditProofs BanditMargins New.
Open Scope R_scope.

Lemma hinge_surrogate k : margin_surrogate k hinge.
Proof.
  split.
  - intros m. apply Rmax_r.
  - exact (pieces_convex hinge hinge_parts hinge_pieces hinge_covered).
  - intros _ m g. apply (pieces_nonincreasing hinge hinge_parts hinge_pieces hinge_covered). every_piece; intros; lra.
Qed.

(** On the falling branch the slope is -1 or, at 1, less steep. *)
Lemma hinge_slope m g : m <= 1 -> subgradient hinge m g -> hinge m = 1 - m /\ 0 <= g ^ 2 <= 1.
Proof.
  intros Hm Hg. assert (Hvalue : hinge m = 1 - m) by (apply Rmax_left; lra). split; [exact Hvalue|].
  assert (Hlow := Hg (m - 1)). assert (Hhigh := Hg (m + 2)). rewrite Hvalue in *.
  assert (hinge (m - 1) = 2 - m) by (unfold hinge; rewrite Rmax_left; lra).
  assert (hinge (m + 2) <= 1 - m) by (apply Rmax_lub; lra). nra.
Qed.

Section Half.
  Variables (k gamma : R).
  Hypothesis classes : 2 <= k.
  Hypothesis explores : 0 < gamma <= 1 / 2.
  Hypothesis few : gamma * k <= 2.

  Lemma share_below a : 1 / 2 <= a <= 1 -> gamma <= 2 * a * (1 - a + a / k).
  Proof using classes explores few.
    intros Ha. apply Rmult_le_reg_r with k; [lra|].
    replace (2 * a * (1 - a + a / k) * k) with (2 * a * (k - a * (k - 1))) by (field; lra).
    assert (0 <= (k - 1) * ((2 * a - 1) * (1 - a))) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= (1 - a) * (k * (1 / 2 - gamma))) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= (2 * a - 1) * (2 - gamma * k)) by (apply Rmult_le_pos; lra). nra.
  Qed.

  Lemma half_conditions :
    bandit_margin_conditions k hinge (hinge_map (1 / 2)) (Some (1 / 2)) gamma (gamma / (2 * k)) (gamma * (k - 1) / k).
  Proof using classes explores few.
    assert (Hinv : 0 < / k) by (apply Rinv_0_lt_compat; lra).
    assert (Hpaid : 0 <= gamma * (k - 1) / k) by (unfold Rdiv; apply Rmult_le_pos; nra).
    split.
    - apply hinge_surrogate.
    - intros m Hm. unfold hinge_map. destruct Rlt_dec; lra.
    - apply divided; lra.
    - intros m g Hm Hon Hg. cbn zeta. simpl in Hon. destruct (hinge_slope m g ltac:(lra) Hg) as [-> Hsquare].
      unfold hinge_map. destruct Rlt_dec; [contradiction|]. rewrite Rmax_left by lra.
      set (q := 1 - m) in *. assert (Hshare := share_below q ltac:(unfold q; lra)).
      set (p := 1 - q + q / k) in *. assert (Hp : 0 < p) by (unfold q in *; nra).
      assert (Hterm : gamma / (2 * k) * g ^ 2 / p <= q / k).
      { apply Rmult_le_reg_r with (p * k); [nra|].
        replace (gamma / (2 * k) * g ^ 2 / p * (p * k)) with (gamma / 2 * g ^ 2) by (field; lra).
        replace (q / k * (p * k)) with (q * p) by (field; lra). nra. }
      replace (q * (k - 1) / k - q) with (- (q / k)) by (field; lra). lra.
    - intros m _ Hoff. simpl in Hoff. unfold hinge_map. destruct Rlt_dec; [|contradiction].
      rewrite Rmax_right by lra. lra.
    - intros s t g Hst _ Hg. cbn zeta. destruct (hinge_slope (- t) g ltac:(lra) Hg) as [-> Hsquare].
      unfold hinge_map. destruct (Rlt_dec (1 / 2) s) as [Hsure|Hguess].
      + rewrite Rmax_right by lra.
        replace (gamma / (2 * k) * g ^ 2 / (gamma / k)) with (g ^ 2 / 2) by (field; lra).
        assert (0 <= gamma / k) by (left; apply divided; lra). lra.
      + rewrite Rmax_left by lra. set (q := 1 - s) in *. assert (Hq : 1 / 2 <= q <= 1) by (unfold q; lra).
        assert (Hterm : gamma / (2 * k) * g ^ 2 / (q / k) <= gamma).
        { replace (gamma / (2 * k) * g ^ 2 / (q / k)) with (gamma * g ^ 2 / (2 * q)) by (field; lra).
          apply Rmult_le_reg_r with (2 * q); [lra|].
          replace (gamma * g ^ 2 / (2 * q) * (2 * q)) with (gamma * g ^ 2) by (field; lra). nra. }
        replace (gamma * (k - 1) / k) with (gamma - gamma * / k) by (field; lra). unfold Rdiv.
        assert (gamma * / k <= q * / k) by (apply Rmult_le_compat_r; lra). unfold q in *. nra.
  Qed.
End Half.

Theorem bandit_hinge_half : BanditHingeHalf.
Proof.
  intros K d X D T HK HX HD HT k root gamma. assert (Hk := at_least_two K HK). assert (Ht := at_least_one T HT).
  fold k in Hk. set (t := INR T) in *.
  destruct (positive_square_root ((k - 1) * t) ltac:(apply Rmult_lt_0_compat; lra)) as [Hroot Hsquare].
  fold root in Hroot, Hsquare. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hgamma : 0 < gamma) by (apply divided; [repeat apply Rmult_lt_0_compat|]; lra).
  split; [left; apply Rmult_lt_0_compat; lra|]. split; [lra|]. split; [nra|]. intros Hhalf Hfew.
  assert (Hfew' : gamma * k <= 2).
  { apply Rmult_le_compat_r with (r := k) in Hfew; [|lra]. now replace (2 / k * k) with 2 in Hfew by (field; lra). }
  assert (H := exploring_margin_theorem K d hinge _ _ gamma _ _ X D HK ltac:(lra)
    (half_conditions k gamma Hk ltac:(lra) Hfew') HX T HD).
  replace (gamma / (2 * k) / X ^ 2) with (gamma / (2 * k * X ^ 2)) in H by (field; lra).
  refine (bandit_guarantee_weaken _ _ _ _ _ _ _ _ _ _ _ H). intros u Hu.
  refine (Rle_trans _ _ _ (Rmin_r _ _) _). fold t.
  replace (u / (2 * (gamma / (2 * k * X ^ 2)))) with (u * (k * X ^ 2 / gamma)) by (field; lra).
  assert (Hfirst : u * (k * X ^ 2 / gamma) <= X * D * root).
  { apply Rle_trans with (D ^ 2 * (k * X ^ 2 / gamma)).
    - apply Rmult_le_compat_r; [left; apply divided; [apply Rmult_lt_0_compat|]; lra|lra].
    - right. unfold gamma. field. lra. }
  assert (Hsecond : gamma * (k - 1) / k * t = X * D * root).
  { replace (gamma * (k - 1) / k * t) with (X * D * ((k - 1) * t) / root) by (unfold gamma; field; lra).
    rewrite <- Hsquare. field. lra. }
  lra.
Qed.

Print Assumptions bandit_hinge_half.
