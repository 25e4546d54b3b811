(** The learner of Theorem 6 on rounds with one feature in which label 0 is right, however it breaks ties.

    Its weights W^0, ..., W^{K-1} stay [fair]: they sum to zero, rivals are not positive, and two of them differ by at
    most [slip]. So its margin is W^0/k, k = 1 - 1/K, or less by at most [slip]. *)

From Coq Require Import Reals Lra Lia List Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices Expectations Linear Margins MarginSubgradients.
From Gaptron Require Import Paper SmoothHingeProof.
From Gaptron Require Import BanditDefinitions BanditDescent BanditMeaning Projection SymmetricWeights.
Import ListNotations.
Open Scope R_scope.

(** * Sums without one term *)

Lemma sum_without_const K c : (1 <= K)%nat -> sum K (without 0 (fun _ => c)) = (INR K - 1) * c.
Proof.
  intros HK. assert (H := sum_split K (fun _ => c) 0 ltac:(lia)). rewrite sum_const in H. lra.
Qed.

Lemma norm2_column K M : norm2 K 1 M = sum K (fun j => M j 0%nat ^ 2).
Proof. apply sum_ext. intros j _. unfold dot. cbn [sum]. ring. Qed.

(** * The slope of the smooth hinge loss *)

Lemma smooth_hinge_slope m v : 0 <= m <= 1 -> subgradient smooth_hinge m v -> - 2 * (1 - m) <= v <= 0.
Proof.
  intros Hm Hv. split.
  - apply Rnot_lt_le. intros Hlow. set (e := - 2 * (1 - m) - v) in *. assert (He : 0 < e) by (unfold e; lra).
    assert (H := Hv (m - e / 2)). rewrite (smooth_hinge_middle m Hm) in H.
    assert (Hsquare : smooth_hinge (m - e / 2) <= (1 - (m - e / 2)) ^ 2).
    { destruct (Rle_dec 0 (m - e / 2)); [rewrite smooth_hinge_middle by lra; lra|].
      rewrite smooth_hinge_left by lra. nra. }
    unfold e in *. nra.
  - assert (H := Hv (m + 1)). rewrite (smooth_hinge_middle m Hm), smooth_hinge_right in H by lra.
    assert (0 <= (1 - m) ^ 2) by apply pow2_ge_0. lra.
Qed.

(** * Projections are unique *)

Lemma projection_unique rows d D V A B : nearest_in rows d (in_ball rows d D) V A -> nearest_in rows d (in_ball rows d D) V B ->
  forall k i, (k < rows)%nat -> (i < d)%nat -> A k i = B k i.
Proof.
  intros HA HB k i Hk Hi. symmetry. refine (projection_in_ball rows d D A B (proj1 HA) _ k i Hk Hi).
  split; [apply HB|]. intros U HU. destruct (HA) as [HinA HnearA]. destruct (HB) as [HinB HnearB].
  assert (Hbetween := fun t => ball_convex rows d D B A t HinB HinA).
  assert (Hturn := nearest_turn rows d (in_ball rows d D) V A B Hbetween HnearA).
  assert (Hsplit : norm2 rows d (fun k i => V k i - B k i) = norm2 rows d (fun k i => V k i - A k i)
    - 2 * inner rows d (fun k i => B k i - A k i) (fun k i => V k i - A k i)
    + norm2 rows d (fun k i => A k i - B k i)).
  { unfold norm2, inner, dot. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros j _.
    rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring. }
  specialize (HnearB A HinA). refine (Rle_trans _ 0 _ _ (norm2_nonneg _ _ _)). lra.
Qed.

(** * Subgradients with one feature *)

Lemma column_subgradient K F W x G : x 0%nat <> 0 ->
  matrix_subgradient K 1 (fun V => F (scores 1 V x)) W G ->
  score_subgradient K F (scores 1 W x) (fun j => G j 0%nat / x 0%nat).
Proof.
  intros Hx HG theta. specialize (HG (fun j _ => theta j / x 0%nat)). cbn beta in HG.
  replace (scores 1 (fun j _ => theta j / x 0%nat) x) with theta in HG.
  - refine (Rle_trans _ _ _ _ HG). apply Req_le. f_equal. apply sum_ext. intros j _.
    unfold scores, dot. cbn [sum]. field. exact Hx.
  - apply functional_extensionality. intros j. unfold scores, dot. cbn [sum]. field. exact Hx.
Qed.

(** A rival that is not the largest may rise a little: its entry is zero. *)
Lemma untied_rival K phi theta v i j : (2 <= K)%nat -> (0 < K)%nat ->
  score_subgradient K (fun theta => phi (margin K theta 0)) theta v ->
  (i < K)%nat -> i <> 0%nat -> (j < K)%nat -> j <> 0%nat -> theta j < theta i -> v j <= 0.
Proof.
  intros H2 HK Hv Hi Hi0 Hj Hj0 Hlt. assert (H := Hv (moved theta j (theta i - theta j))).
  rewrite sum_moved in H by exact Hj.
  replace (margin K (moved theta j (theta i - theta j)) 0) with (margin K theta 0) in H; [nra|].
  symmetry. assert (Hne : i <> j) by (intros ->; lra). apply margin_unique; auto.
  - intros n Hn Hn0. unfold moved. apply not_eq_sym, Nat.eqb_neq in Hj0. rewrite Hj0.
    destruct (Nat.eqb_spec n j) as [->|_].
    + assert (Hle := margin_le K theta 0 HK i Hi Hi0). lra.
    + assert (Hle := margin_le K theta 0 HK n Hn Hn0). lra.
  - destruct (margin_attained K theta 0 H2) as (n & Hn & Hn0 & Heq). exists n.
    assert (Hle := margin_le K theta 0 HK i Hi Hi0). assert (n <> j) by (intros ->; lra).
    unfold moved. apply not_eq_sym, Nat.eqb_neq in Hj0. rewrite Hj0.
    destruct (Nat.eqb_spec n j); [contradiction|]. repeat split; auto. rewrite Heq. ring.
Qed.

Section Play.
  Variables (K : nat) (slip : R).
  Let k := 1 - 1 / INR K.
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis slip_nonneg : 0 <= slip.

  Definition fair (W : matrix) : Prop :=
    sum K (fun j => W j 0%nat) = 0 /\
    (forall j, (j < K)%nat -> j <> 0%nat -> W j 0%nat <= 0) /\
    (forall i j, (i < K)%nat -> (j < K)%nat -> i <> 0%nat -> j <> 0%nat -> W i 0%nat <= W j 0%nat + slip) /\
    norm2 K 1 W <= k.

  Definition standing (W : matrix) : R := W 0%nat 0%nat / k.
  Definition ahead (W : matrix) : R := margin K (fun j => W j 0%nat) 0.

  Lemma k_range : 1 / 2 <= k < 1 /\ k * INR K = INR K - 1 /\ 2 <= INR K.
  Proof using classes.
    assert (HK := at_least_two K classes). assert (0 < / INR K <= / 2).
    { split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]. }
    split; [unfold k; lra|]. split; [unfold k; field; lra|exact HK].
  Qed.

  Lemma fair_zero W : (forall j i, W j i = 0) -> fair W.
  Proof using classes slip_nonneg.
    intros H. destruct k_range as (Hk & _). repeat split.
    - apply sum_zero. intros. apply H.
    - intros. rewrite H. lra.
    - intros. rewrite !H. lra.
    - rewrite norm2_column, (sum_zero K); [lra|]. intros. rewrite H. ring.
  Qed.

  Section Fair.
    Variable W : matrix.
    Hypothesis is_fair : fair W.

    Lemma rivals_sum : sum K (without 0 (fun j => W j 0%nat)) = - W 0%nat 0%nat.
    Proof using classes is_fair.
      destruct is_fair as [Hsum _]. rewrite (sum_split K _ 0) in Hsum by lia. lra.
    Qed.

    Lemma label_nonneg : 0 <= W 0%nat 0%nat.
    Proof using classes is_fair.
      assert (H := rivals_sum). destruct is_fair as (_ & Hrival & _).
      assert (sum K (without 0 (fun j => W j 0%nat)) <= sum K (without 0 (fun _ => 0))).
      { apply sum_le. intros j Hj. unfold without. destruct (Nat.eqb_spec j 0); [lra|now apply Hrival]. }
      rewrite sum_without_const in * by lia. lra.
    Qed.

    (** The margin is about as large as if all rivals were tied. *)
    Lemma ahead_range : 0 <= ahead W /\ ahead W <= standing W <= ahead W + slip.
    Proof using classes is_fair.
      destruct k_range as (Hk & HkK & HK). assert (Hsum := rivals_sum). assert (H0 := label_nonneg).
      destruct is_fair as (_ & Hrival & Hspread & _). unfold ahead.
      destruct (margin_attained K (fun j => W j 0%nat) 0 classes) as (j & Hj & Hj0 & Heq). cbn beta in Heq.
      assert (Hmost : - W 0%nat 0%nat <= (INR K - 1) * W j 0%nat).
      { rewrite <- Hsum, <- sum_without_const by lia. apply sum_le. intros i Hi. unfold without.
        destruct (Nat.eqb_spec i 0); [lra|].
        assert (Hle := margin_le K (fun j => W j 0%nat) 0 ltac:(lia) i Hi n). cbn beta in Hle. lra. }
      assert (Hleast : (INR K - 1) * (W j 0%nat - slip) <= - W 0%nat 0%nat).
      { rewrite <- Hsum, <- sum_without_const by lia. apply sum_le. intros i Hi. unfold without.
        destruct (Nat.eqb_spec i 0); [lra|]. assert (H := Hspread j i Hj Hi Hj0 n). lra. }
      assert (Hr := Hrival j Hj Hj0). assert (Hs : standing W * k = W 0%nat 0%nat) by (unfold standing; field; lra).
      assert (Hscaled : standing W * (INR K - 1) = INR K * W 0%nat 0%nat) by (rewrite <- HkK, <- Hs; ring).
      rewrite Heq. split; [lra|]. set (A := W 0%nat 0%nat) in *. set (B := W j 0%nat) in *.
      split; apply Rmult_le_reg_r with (INR K - 1); try lra; rewrite Hscaled || (rewrite Rmult_comm); nra.
    Qed.

    Lemma standing_at_most_one : standing W <= 1.
    Proof using classes is_fair.
      destruct k_range as (Hk & HkK & HK). assert (Hsum := rivals_sum). destruct is_fair as (_ & _ & _ & Hnorm).
      assert (Hcomparator := symmetric_norm K classes 1). fold k in Hcomparator.
      assert (H := norm2_nonneg K 1 (fun j i => W j i - symmetric K 1 j i)).
      assert (Hinner : sum K (fun j => W j 0%nat * symmetric K 1 j 0%nat) = W 0%nat 0%nat).
      { rewrite (sum_split K _ 0) by lia.
        rewrite (sum_ext K (without 0 _) (fun j => - / INR K * without 0 (fun j => W j 0%nat) j)).
        - rewrite sum_scale, Hsum. unfold symmetric, rival. cbn [Nat.eqb]. fold k. unfold k. field. lra.
        - intros j _. unfold without, symmetric, rival. destruct (Nat.eqb j 0); [ring|]. fold k. unfold k. field. lra. }
      rewrite norm2_column in *.
      rewrite (sum_ext K (fun j => (W j 0%nat - symmetric K 1 j 0%nat) ^ 2)
        (fun j => (W j 0%nat ^ 2 - 2 * (W j 0%nat * symmetric K 1 j 0%nat)) + symmetric K 1 j 0%nat ^ 2)) in H
        by (intros; ring).
      rewrite sum_plus, sum_minus, sum_scale, Hinner, Hcomparator in H.
      unfold standing. apply Rmult_le_reg_r with k; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    Qed.
  End Fair.

  (** * One round *)

  Section Round.
    Variables (W : matrix) (c gamma : R) (ystar : nat).
    Hypothesis is_fair : fair W.
    Hypothesis feature_range : 0 < c <= 1.
    Hypothesis gamma_range : 0 < gamma <= 1.
    Let x : vector := fun _ => c.
    Let s := margin_loss K 1 smooth_hinge smooth_hinge_map None.
    Hypothesis is_top_label : top s W x ystar.
    Let p := exploring K gamma (gap_map s W x ystar) ystar.

    Lemma score_value j : scores 1 W x j = W j 0%nat * c.
    Proof using. unfold scores, dot, x. cbn [sum]. ring. Qed.

    Lemma margin_value : margin K (scores 1 W x) 0 = c * ahead W.
    Proof using classes feature_range.
      apply margin_unique; [exact classes|lia| |]; unfold ahead.
      - intros j Hj Hj0. rewrite !score_value. assert (H := margin_le K (fun j => W j 0%nat) 0 ltac:(lia) j Hj Hj0).
        cbn beta in H. nra.
      - destruct (margin_attained K (fun j => W j 0%nat) 0 classes) as (j & Hj & Hj0 & Heq). exists j.
        rewrite !score_value, Heq. repeat split; auto. ring.
    Qed.

    Lemma margin_range : 0 <= c * ahead W <= 1.
    Proof using classes feature_range is_fair.
      assert (H := ahead_range W is_fair). assert (H1 := standing_at_most_one W is_fair). nra.
    Qed.

    (** Another label is on top only while all weights are zero. *)
    Lemma other_top : ystar <> 0%nat -> ahead W = 0 /\ gap_map s W x ystar = 1.
    Proof using classes feature_range is_fair is_top_label.
      intros Hy. destruct is_top_label as [HyK Htop]. specialize (Htop 0%nat ltac:(lia)). rewrite !score_value in Htop.
      assert (H0 := label_nonneg W is_fair). assert (Hrange := ahead_range W is_fair).
      assert (Hsum := rivals_sum W is_fair). destruct k_range as (Hk & _). destruct is_fair as (_ & Hrival & _).
      assert (Hyr := Hrival ystar HyK Hy). assert (Hzero : W 0%nat 0%nat = 0) by nra.
      assert (Hall : forall j, (j < K)%nat -> W j 0%nat = 0).
      { intros j Hj. destruct (Nat.eq_dec j 0) as [->|Hj0]; [exact Hzero|].
        assert (H := term_le_sum K (fun j => - 1 * without 0 (fun j => W j 0%nat) j) j Hj).
        rewrite sum_scale, Hsum, Hzero in H. unfold without in H. destruct (Nat.eqb_spec j 0); [contradiction|].
        assert (Hr := Hrival j Hj Hj0). enough (- 1 * W j 0%nat <= 0) by lra.
        refine (Rle_trans _ _ _ (H _) _); [|lra]. intros i Hi.
        destruct (Nat.eqb_spec i 0); [lra|]. assert (Hi0 := Hrival i Hi n0). lra. }
      split; [unfold standing, Rdiv in Hrange; rewrite Hzero, Rmult_0_l in Hrange; lra|].
      cbn [gap_map s margin_loss]. replace (margin K (scores 1 W x) ystar) with 0.
      - rewrite smooth_hinge_map_low by lra. ring.
      - symmetry. apply margin_unique; [exact classes|exact HyK| |].
        + intros j Hj _. rewrite !score_value, !Hall by assumption. lra.
        + exists 0%nat. rewrite !score_value, !Hall by lia. repeat split; [lia|auto|ring].
    Qed.

    Lemma right_probability : p 0%nat = 1 - k * Rmax ((1 - c * ahead W) ^ 2) gamma.
    Proof using classes feature_range gamma_range is_fair is_top_label.
      assert (Hm := margin_range). destruct k_range as (_ & HkK & HK). unfold p, exploring, prediction.
      destruct (Nat.eqb_spec 0 ystar) as [<-|Hy].
      - cbn [gap_map s margin_loss]. rewrite margin_value, smooth_hinge_map_low by lra. unfold k. field. lra.
      - destruct (other_top (not_eq_sym Hy)) as [-> ->]. rewrite Rmult_0_r, Rminus_0_r, pow1.
        rewrite Rmax_left by lra. unfold k. field. lra.
    Qed.

    Lemma right_probability_range : / INR K <= p 0%nat <= 1.
    Proof using classes feature_range gamma_range is_fair is_top_label.
      rewrite right_probability. assert (Hm := margin_range). destruct k_range as (Hk & _).
      assert (Hmax : 0 <= Rmax ((1 - c * ahead W) ^ 2) gamma <= 1).
      { split; [apply Rle_trans with gamma; [lra|apply Rmax_r]|apply Rmax_lub; nra]. }
      replace (/ INR K) with (1 - k) by (unfold k; lra). nra.
    Qed.

    (** ** The step, if label 0 is drawn *)

    Variables (eta D : R) (G W' : matrix).
    Hypothesis eta_positive : 0 < eta.
    Hypothesis slip_value : 2 * eta * INR K <= slip.
    Hypothesis D_positive : 0 < D.
    Hypothesis ball : D ^ 2 = k.
    Hypothesis is_subgradient :
      matrix_subgradient K 1 (fun V => importance p 0 0 * loss s W x ystar 0 V) W G.
    Hypothesis is_next : nearest_in K 1 (in_ball K 1 D) (fun j i => W j i - eta * G j i) W'.

    (** v_0 is the slope of the loss, and the tied rivals share -v_0. *)
    Lemma gradient_entries : exists v, (forall j, G j 0%nat = c / p 0%nat * v j) /\ sum K v = 0 /\
      - 2 * (1 - c * ahead W) <= v 0%nat <= 0 /\
      (forall j, (j < K)%nat -> j <> 0%nat -> 0 <= v j <= - v 0%nat) /\
      (forall i j, (i < K)%nat -> (j < K)%nat -> i <> 0%nat -> j <> 0%nat -> W j 0%nat < W i 0%nat -> v j = 0).
    Proof using classes feature_range gamma_range is_fair is_top_label is_subgradient.
      assert (Hm := margin_range). assert (Hp := right_probability_range). destruct k_range as (_ & _ & HK).
      assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
      assert (Hweight : importance p 0 0 = / p 0%nat) by (unfold importance; cbn [Nat.eqb]; field; lra).
      assert (Hpos : 0 < importance p 0 0) by (rewrite Hweight; apply Rinv_0_lt_compat; lra).
      assert (H := unscaled_subgradient _ _ _ _ _ _ Hpos is_subgradient). cbn beta in H.
      change (matrix_subgradient K 1 (fun V => smooth_hinge (margin K (scores 1 V x) 0)) W
        (fun j i => / importance p 0 0 * G j i)) in H.
      apply (column_subgradient K (fun theta => smooth_hinge (margin K theta 0))) in H; [|unfold x; lra].
      rewrite Hweight, Rinv_inv in H. set (v := fun j => p 0%nat * G j 0%nat / x 0%nat) in H.
      assert (H0 : (0 < K)%nat) by lia. exists v.
      assert (Hsum := entries_sum_to_zero K smooth_hinge 0 classes H0 _ v H).
      assert (Hrival : forall j, (j < K)%nat -> j <> 0%nat -> 0 <= v j).
      { intros j Hj Hj0. apply (entry_of_rival K smooth_hinge 0 classes H0 (scores 1 W x) v H); auto.
        intros m n Hmn. smooth_hinge_value m; smooth_hinge_value n; nra. }
      assert (Hslope := entry_of_label K smooth_hinge 0 classes H0 _ v H). rewrite margin_value in Hslope.
      split; [intros j; unfold v, x; field; lra|]. split; [exact Hsum|].
      split; [exact (smooth_hinge_slope _ _ Hm Hslope)|]. split.
      - intros j Hj Hj0. split; [now apply Hrival|]. rewrite (sum_split K v 0 H0) in Hsum.
        assert (Hterm := term_le_sum K (without 0 v) j Hj). unfold without at 1 2 in Hterm.
        destruct (Nat.eqb_spec j 0); [contradiction|]. enough (v j <= sum K (without 0 v)) by lra.
        apply Hterm. intros i Hi. destruct (Nat.eqb_spec i 0); [lra|now apply Hrival].
      - intros i j Hi Hj Hi0 Hj0 Hlt. assert (Hge := Hrival j Hj Hj0).
        enough (v j <= 0) by lra. apply (untied_rival K smooth_hinge (scores 1 W x) v i j); auto.
        rewrite !score_value. nra.
    Qed.

    (** The projection shrinks the weights. *)
    Lemma shrunk : exists lambda, 0 <= lambda <= 1 /\
      forall j, (j < K)%nat -> W' j 0%nat = lambda * (W j 0%nat - eta * G j 0%nat).
    Proof using D_positive is_next.
      set (V := fun j i => W j i - eta * G j i) in *. exists (shrink K 1 D V). split.
      - unfold shrink. destruct Rle_dec as [|Hout]; [lra|]. assert (HD2 : 0 < D ^ 2) by now apply pow_lt.
        assert (Hn := sqrt_sqrt (norm2 K 1 V) ltac:(lra)).
        assert (Hn0 : 0 < sqrt (norm2 K 1 V)) by (apply sqrt_lt_R0; lra). set (n := sqrt (norm2 K 1 V)) in *.
        assert (Hq : D / n * n = D) by (field; lra). set (q := D / n) in *. assert (D < n) by nra. nra.
      - intros j Hj. exact (projection_unique K 1 D V _ _ is_next (project_is_nearest K 1 D V D_positive)
          j 0 Hj Nat.lt_0_1).
    Qed.

    Lemma still_fair : fair W'.
    Proof using classes feature_range gamma_range is_fair is_top_label slip_value eta_positive D_positive ball
        is_subgradient is_next.
      destruct gradient_entries as (v & HG & Hsum & Hslope & Hrivals & Huntied).
      destruct shrunk as (lambda & Hlambda & HW'). assert (Hp := right_probability_range). assert (Hm := margin_range).
      destruct k_range as (_ & _ & HK). assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra).
      set (q := eta * (c / p 0%nat)).
      assert (Hq : 0 <= q <= eta * INR K).
      { assert (Hcp : c / p 0%nat * p 0%nat = c) by (field; lra). set (e := c / p 0%nat) in *.
        assert (He : 0 <= e) by nra. unfold q. split; [nra|]. apply Rmult_le_compat_l; [lra|].
        apply Rmult_le_reg_r with (/ INR K); [exact Hinv|]. rewrite Rinv_r by lra. nra. }
      assert (Hmove : forall j, (j < K)%nat -> W' j 0%nat = lambda * (W j 0%nat - q * v j)).
      { intros j Hj. rewrite HW', HG by exact Hj. unfold q. ring. }
      assert (Hmost : q * - v 0%nat <= slip).
      { apply Rle_trans with (eta * INR K * 2); [|lra]. apply Rmult_le_compat; lra. }
      destruct is_fair as (Hzero & Hnegative & Hspread & Hnorm). repeat split.
      - rewrite (sum_ext K _ (fun j => lambda * (W j 0%nat - q * v j))) by exact Hmove.
        rewrite sum_scale, sum_minus, sum_scale, Hzero, Hsum. ring.
      - intros j Hj Hj0. rewrite Hmove by exact Hj. assert (H := Hnegative j Hj Hj0). assert (H' := Hrivals j Hj Hj0).
        assert (0 <= q * v j) by (apply Rmult_le_pos; lra). nra.
      - intros i j Hi Hj Hi0 Hj0. rewrite !Hmove by assumption. assert (Hvi := Hrivals i Hi Hi0).
        assert (Hvj := Hrivals j Hj Hj0). assert (Hij := Hspread i j Hi Hj Hi0 Hj0).
        assert (Hi' : 0 <= q * v i) by (apply Rmult_le_pos; lra).
        assert (Hj' : q * v j <= q * - v 0%nat) by (apply Rmult_le_compat_l; lra).
        assert (Hunscaled : W i 0%nat - q * v i <= W j 0%nat - q * v j + slip).
        { destruct (Rlt_dec (W j 0%nat) (W i 0%nat)) as [Hlt|Hge]; [rewrite (Huntied i j) by assumption|]; lra. }
        apply Rmult_le_compat_l with (r := lambda) in Hunscaled; [|lra]. nra.
      - destruct is_next as [Hin _]. unfold in_ball in Hin. rewrite ball in Hin. exact Hin.
    Qed.

    Lemma standing_moves : standing W' <= standing W + 2 * eta / k * c * (1 - c * ahead W) / p 0%nat.
    Proof using classes feature_range gamma_range is_fair is_top_label eta_positive D_positive is_subgradient is_next.
      destruct gradient_entries as (v & HG & _ & Hslope & _). destruct shrunk as (lambda & Hlambda & HW').
      assert (Hp := right_probability_range). destruct k_range as (Hk & _ & HK).
      assert (Hinv : 0 < / INR K) by (apply Rinv_0_lt_compat; lra). assert (H0 := label_nonneg W is_fair).
      assert (Hcp : 0 <= c / p 0%nat) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
      unfold standing. apply Rmult_le_reg_r with k; [lra|].
      replace (W' 0%nat 0%nat / k * k) with (W' 0%nat 0%nat) by (field; lra).
      replace ((W 0%nat 0%nat / k + 2 * eta / k * c * (1 - c * ahead W) / p 0%nat) * k)
        with (W 0%nat 0%nat + eta * (c / p 0%nat) * (2 * (1 - c * ahead W))) by (field; lra).
      rewrite HW', HG by lia. set (q := c / p 0%nat) in *. assert (Hq : 0 <= eta * q) by nra.
      assert (Hstep : eta * (q * v 0%nat) = eta * q * v 0%nat) by ring. rewrite Hstep.
      assert (eta * q * - v 0%nat <= eta * q * (2 * (1 - c * ahead W))) by (apply Rmult_le_compat_l; lra).
      assert (0 <= eta * q * - v 0%nat) by (apply Rmult_le_pos; lra). nra.
    Qed.
  End Round.
End Play.
