(** Theorem 6 as printed, for at most 54 classes: with at least four a round costs no more than 1 - 1/sqrt(K) times what
    the potential loses.

    The loss is bounded by its tangent at a smaller slope than the one that the learner moves along, at which what the
    margin of U has in the bounds cancels. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Expectations Descent GameTheorem Assembly Pieces Margins MarginTheorem.
From Gaptron Require Import BanditDefinitions BanditDescent BanditTheorem BanditMargins.
From Gaptron Require Import Paper PaperBandit PaperBanditProofs SmoothHingeProof.
Import ListNotations.
Open Scope R_scope.

(** * Along a subgradient of a smooth loss of the margin, linear change is at most that of the margin *)

Definition between (t : R) (W U : matrix) : matrix := fun k i => W k i + t * (U k i - W k i).

Lemma scores_between d t W U x k : scores d (between t W U) x k = scores d W x k + t * (scores d U x k - scores d W x k).
Proof.
  unfold scores, between, dot. rewrite <- sum_minus, <- sum_scale, <- sum_plus. apply sum_ext. intros. ring.
Qed.

Lemma margin_between K d t W U x y : (2 <= K)%nat -> (y < K)%nat -> 0 <= t <= 1 ->
  let m V := margin K (scores d V x) y in m W + t * (m U - m W) <= m (between t W U).
Proof.
  intros HK Hy Ht m. unfold m.
  destruct (margin_attained K (scores d (between t W U) x) y HK) as (k & Hk & Hky & ->).
  assert (HW := margin_le K (scores d W x) y Hy k Hk Hky). assert (HU := margin_le K (scores d U x) y Hy k Hk Hky).
  rewrite !scores_between. nra.
Qed.

Lemma inner_between K d G t W U :
  inner K d G (fun k i => between t W U k i - W k i) = t * inner K d G (fun k i => U k i - W k i).
Proof. rewrite <- inner_scale. apply inner_ext; [reflexivity|]. intros. unfold between. ring. Qed.

(** A line below a parabola that touches it at 0. *)
Lemma line_below_parabola a b c : 0 <= c -> (forall t, 0 < t <= 1 -> t * a <= t * b + c * t ^ 2) -> a <= b.
Proof.
  intros Hc H. apply Rnot_lt_le. intros Hlt. set (t := Rmin 1 ((a - b) / (2 * (c + 1)))).
  assert (Hpos : 0 < (a - b) / (2 * (c + 1))) by (apply divided; lra).
  destruct (clipped _ Hpos) as [Ht _]. fold t in Ht. specialize (H t Ht).
  assert (Hle : t * (2 * (c + 1)) <= a - b).
  { apply Rle_trans with ((a - b) / (2 * (c + 1)) * (2 * (c + 1))); [|right; field; lra].
    apply Rmult_le_compat_r; [lra|apply Rmin_r]. }
  nra.
Qed.

Lemma linear_change K d phi slope c W U x y G : (2 <= K)%nat -> (y < K)%nat -> 0 <= c ->
  (forall m n, m <= n -> phi n <= phi m) ->
  let m V := margin K (scores d V x) y in
  (forall n, phi n <= phi (m W) + slope * (n - m W) + c * (n - m W) ^ 2) ->
  matrix_subgradient K d (fun V => phi (margin K (scores d V x) y)) W G ->
  inner K d G (fun k i => U k i - W k i) <= slope * (m U - m W).
Proof.
  intros HK Hy Hc Hfalls m Hsmooth HG.
  apply line_below_parabola with (c := c * (m U - m W) ^ 2); [apply Rmult_le_pos; [lra|apply pow2_ge_0]|].
  intros t Ht. specialize (HG (between t W U)). cbn beta in HG. rewrite inner_between in HG.
  assert (Hphi := Hfalls _ _ (margin_between K d t W U x y HK Hy ltac:(lra))).
  specialize (Hsmooth (m W + t * (m U - m W))). unfold m in *.
  set (mW := margin K (scores d W x) y) in *. set (mU := margin K (scores d U x) y) in *.
  replace (mW + t * (mU - mW) - mW) with (t * (mU - mW)) in Hsmooth by ring. lra.
Qed.

(** * The smooth hinge loss: its slope at m is -2 (1 - m), m being clipped to [0, 1] *)

Definition fall (m : R) : R := 1 - Rmax 0 (Rmin 1 m).

Lemma fall_left m : m <= 0 -> fall m = 1.
Proof. intros. unfold fall. rewrite Rmin_right, Rmax_left by lra. ring. Qed.

Lemma fall_middle m : 0 <= m <= 1 -> fall m = 1 - m.
Proof. intros. unfold fall. rewrite Rmin_right, Rmax_right by lra. reflexivity. Qed.

Lemma fall_right m : 1 <= m -> fall m = 0.
Proof. intros. unfold fall. rewrite Rmin_left, Rmax_right by lra. ring. Qed.

Ltac fall_value m :=
  destruct (smooth_hinge_cases m);
  [rewrite (smooth_hinge_left m), (fall_left m) by lra
  |rewrite (smooth_hinge_middle m), (fall_middle m) by lra
  |rewrite (smooth_hinge_right m), (fall_right m) by lra].

Lemma smooth_hinge_smooth m n : smooth_hinge n <= smooth_hinge m + -2 * fall m * (n - m) + 1 * (n - m) ^ 2.
Proof.
  assert (Hfar := pow2_ge_0 (n - m)). assert (Hone := pow2_ge_0 (1 - n)).
  fall_value m; smooth_hinge_value n; nra.
Qed.

Lemma smooth_hinge_falls m n : m <= n -> smooth_hinge n <= smooth_hinge m.
Proof. intros. smooth_hinge_value m; smooth_hinge_value n; nra. Qed.

Lemma smooth_hinge_tangent b m : 0 <= b <= 1 -> 2 * b * (1 - m) - b ^ 2 <= smooth_hinge m.
Proof.
  intros. assert (H0 := pow2_ge_0 (1 - b)). assert (H1 := pow2_ge_0 (1 - m - b)). smooth_hinge_value m; nra.
Qed.

Lemma smooth_hinge_slope m g : subgradient smooth_hinge m g -> -4 * fall m ^ 2 + 1 * g ^ 2 <= 0.
Proof.
  apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|].
  every_piece; intros Hpiece; [rewrite fall_left by lra|rewrite fall_middle by lra|rewrite fall_right by lra]; nra.
Qed.

(** * What a round costs, r being 1/sqrt(K) *)

Section Numbers.
  Variables (r gamma q part change u phi : R).
  Hypothesis r_range : 0 < r <= 1 / 2.
  Hypothesis explores : 0 < gamma <= 1.
  Hypothesis part_nonnegative : 0 <= part.

  (** On a right round with margin [m] the label is seen with probability 1 - q + q r^2. *)
  Lemma right_paid z m : 0 <= z <= 1 -> z * (1 - m) = z ^ 2 -> share (z ^ 2) gamma q ->
    part * (1 - q + q * r ^ 2) <= gamma * z ^ 2 * r ^ 4 -> change <= -2 * z * (u - m) ->
    2 * ((1 - r) * z) * (1 - u) - ((1 - r) * z) ^ 2 <= phi ->
    q * (1 - r ^ 2) - phi + (1 - r) * (change + part) <= gamma * (1 - r ^ 2).
  Proof using r_range explores part_nonnegative.
    intros Hz Hm Hq Hpart Hchange Hphi. assert (Hq1 : q <= 1) by (destruct Hq as [[_ ->]|[_ ->]]; nra).
    assert (Hz2 : 0 <= z ^ 2 <= 1) by nra. assert (Hr2 : 0 < r ^ 2 <= 1 / 4) by nra.
    assert (Hsmall : part <= gamma * z ^ 2 * r ^ 2).
    { apply Rmult_le_reg_r with (r ^ 2); [lra|]. apply Rle_trans with (part * (1 - q + q * r ^ 2)).
      - apply Rmult_le_compat_l; [lra|]. nra.
      - replace (gamma * z ^ 2 * r ^ 2 * r ^ 2) with (gamma * z ^ 2 * r ^ 4) by ring. exact Hpart. }
    assert (Hmoved := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) Hchange).
    assert (Hpaid := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) Hsmall).
    assert (Hline : (1 - r) * (-2 * z * (u - m)) - 2 * ((1 - r) * z) * (1 - u) = -2 * (1 - r) * z ^ 2)
      by (rewrite <- Hm; ring).
    enough (q * (1 - r ^ 2) + ((1 - r) * z) ^ 2 - 2 * (1 - r) * z ^ 2 + (1 - r) * (gamma * z ^ 2 * r ^ 2)
      <= gamma * (1 - r ^ 2)) by lra.
    assert (Hg : 0 <= gamma * z ^ 2 <= gamma) by nra.
    destruct Hq as [[_ ->]|[_ ->]].
    - replace (z ^ 2 * (1 - r ^ 2) + ((1 - r) * z) ^ 2 - 2 * (1 - r) * z ^ 2) with 0 by ring.
      rewrite Rplus_0_l.
      apply Rle_trans with (gamma * ((1 - r) * r ^ 2)); [|apply Rmult_le_compat_l; nra].
      replace ((1 - r) * (gamma * z ^ 2 * r ^ 2)) with (gamma * z ^ 2 * ((1 - r) * r ^ 2)) by ring.
      apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra.
    - assert (0 <= (1 - r) * z ^ 2 * (1 + r - gamma * r ^ 2)) by (repeat apply Rmult_le_pos; nra). nra.
  Qed.

  (** On a wrong round with margin -[t] it is seen with probability q r^2; [c] is the top margin, at most 1. *)
  Lemma wrong_paid c t : 0 <= c <= 1 -> c <= t -> share ((1 - c) ^ 2) gamma q ->
    part * (q * r ^ 2) <= gamma * r ^ 4 -> change <= -2 * (u + t) -> 2 * (1 - r) * (1 - u) - (1 - r) ^ 2 <= phi ->
    1 - q * r ^ 2 - phi + (1 - r) * (change + part) <= gamma * (1 - r ^ 2).
  Proof using r_range explores part_nonnegative.
    intros Hc Ht Hq Hpart Hchange Hphi. assert (Hr2 : 0 < r ^ 2 <= 1 / 4) by nra.
    assert (Hseen : part * q <= gamma * r ^ 2).
    { apply Rmult_le_reg_r with (r ^ 2); [lra|]. replace (gamma * r ^ 2 * r ^ 2) with (gamma * r ^ 4) by ring. lra. }
    assert (Hmoved := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) Hchange). set (a := (1 - c) ^ 2) in *.
    assert (Ha : 0 <= a <= 1 /\ 1 - a <= 2 * t) by (unfold a; nra).
    destruct Hq as [[Hle ->]|[Hle ->]].
    - assert (Hsmall : part <= r ^ 2 * (gamma + 1 - a)).
      { apply Rmult_le_reg_r with a; [lra|]. apply Rle_trans with (gamma * r ^ 2); [exact Hseen|].
        assert (0 <= r ^ 2 * ((1 - a) * (a - gamma))) by (repeat apply Rmult_le_pos; lra). nra. }
      assert (Hpaid := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) Hsmall).
      assert (H1 : 0 <= (1 - r - r ^ 2 - (1 - r) * r ^ 2) * (2 * t)) by (apply Rmult_le_pos; nra).
      assert (H2 : 0 <= (r ^ 2 + (1 - r) * r ^ 2) * (2 * t - (1 - a))) by (apply Rmult_le_pos; nra).
      assert (H3 : 0 <= gamma * (1 - r ^ 2 - (1 - r) * r ^ 2)) by (apply Rmult_le_pos; nra). nra.
    - assert (Hsmall : part <= r ^ 2) by (apply Rmult_le_reg_r with gamma; lra).
      assert (Hpaid := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) Hsmall).
      assert (Hline : 2 * (1 - r) * c <= 2 * (1 - r) * t) by (apply Rmult_le_compat_l; lra).
      assert (Hsquare : 0 <= (1 - c - (1 - r)) ^ 2) by apply pow2_ge_0.
      assert (Hroot : 3 * r ^ 2 - r ^ 3 <= 1) by nra. unfold a in *. nra.
  Qed.
End Numbers.

(** * Rounds of the game *)

Lemma norm_of_fall K d W x y G X : (2 <= K)%nat -> (y < K)%nat -> 0 < X -> dot d x x <= X ^ 2 ->
  matrix_subgradient K d (fun V => smooth_hinge (margin K (scores d V x) y)) W G ->
  norm2 K d G <= 8 * fall (margin K (scores d W x) y) ^ 2 * X ^ 2.
Proof.
  intros HK Hy HX Hx HG. assert (Hk := at_least_two K HK).
  assert (H := margin_gradient_cost K d smooth_hinge HK (conditions_surrogate _ _ _ _ _ _ _ (smooth_hinge_conditions _ Hk))
    1 X W x y G _ Rlt_0_1 HX Hy Hx HG (smooth_hinge_slope _)).
  assert (HX2 : 0 < X ^ 2) by now apply pow_lt. apply Rmult_le_reg_r with (1 / X ^ 2 / 2); [repeat apply divided; lra|].
  replace (8 * fall (margin K (scores d W x) y) ^ 2 * X ^ 2 * (1 / X ^ 2 / 2))
    with (4 * fall (margin K (scores d W x) y) ^ 2) by (field; lra). lra.
Qed.

Section Rounds.
  Variables (K d : nat) (X gamma r : R).
  Hypothesis classes : (4 <= K)%nat.
  Hypothesis explores : 0 < gamma <= 1.
  Hypothesis X_positive : 0 < X.
  Hypothesis r_positive : 0 < r.
  Hypothesis root : r ^ 2 = / INR K.
  Let s := margin_loss K d smooth_hinge smooth_hinge_map None.
  Let eta := gamma / (4 * INR K ^ 2 * X ^ 2).

  Lemma four_classes : 4 <= INR K.
  Proof using classes. apply le_INR in classes. simpl in classes. lra. Qed.

  Lemma root_at_most : 0 < r <= 1 / 2.
  Proof using classes r_positive root.
    assert (Hk := four_classes). split; [exact r_positive|]. assert (/ INR K <= / 4) by (apply Rinv_le_contravar; lra). nra.
  Qed.

  Theorem slower W x ystar y G U : is_top K (scores d W x) ystar -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (loss s W x ystar y) W G ->
    P_wrong K (Rmax (gap_map s W x ystar) gamma) ystar y - loss s W x ystar y U
    + (1 - r) * (inner K d G (fun k i => U k i - W k i)
        + eta / 2 * (norm2 K d G / exploring K gamma (gap_map s W x ystar) ystar y))
    <= gamma * (INR K - 1) / INR K.
  Proof using classes explores X_positive r_positive root.
    intros Htop Hy Hx HG. assert (Hk := four_classes). assert (Hr := root_at_most). set (k := INR K) in *.
    assert (HK : (2 <= K)%nat) by lia. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
    assert (Hstar := right_margin K (scores d W x) ystar HK Htop).
    assert (Hmap := smooth_hinge_map_range _ Hstar).
    cbn [loss gap_map margin_loss s] in *. unfold off in *.
    set (a := smooth_hinge_map (margin K (scores d W x) ystar)) in *.
    assert (Hp := exploring_positive K gamma a ystar y ltac:(lia) (proj1 Htop) Hmap explores). fold k in Hp.
    assert (Hchange := linear_change K d smooth_hinge (-2 * fall (margin K (scores d W x) y)) 1 W U x y G HK Hy
      ltac:(lra) smooth_hinge_falls (fun n => smooth_hinge_smooth (margin K (scores d W x) y) n) HG). cbn zeta in Hchange.
    assert (Hnorm := norm_of_fall K d W x y G X HK Hy X_positive Hx HG).
    assert (Hshare := larger_is_share a gamma). rewrite P_wrong_value by (auto; exact (proj1 Htop)). fold k.
    set (m := margin K (scores d W x) y) in *. set (u := margin K (scores d U x) y) in *.
    set (q := Rmax a gamma) in *. set (z := fall m) in *. set (change := inner _ _ _ _) in *.
    assert (Hkr : k * r ^ 2 = 1) by (rewrite root; apply Rinv_r; unfold k in *; lra).
    assert (Hgk : 0 < gamma / k) by (apply divided; lra).
    set (p := exploring K gamma a ystar y) in *. set (part := eta / 2 * (norm2 K d G / p)).
    assert (Heta : 0 < eta / 2).
    { apply divided; [|lra]. apply divided; [lra|]. fold k. apply Rmult_lt_0_compat; [nra|exact HX2]. }
    assert (Hpart : 0 <= part).
    { apply Rmult_le_pos; [lra|].
      apply Rmult_le_pos; [apply norm2_nonneg|left; apply Rinv_0_lt_compat; lra]. }
    assert (Hpaid : part * p <= gamma * z ^ 2 * r ^ 4).
    { replace (part * p) with (eta / 2 * norm2 K d G) by (unfold part; field; lra).
      apply Rle_trans with (eta / 2 * (8 * z ^ 2 * X ^ 2)).
      - apply Rmult_le_compat_l; [lra|exact Hnorm].
      - right. replace (r ^ 4) with ((r ^ 2) ^ 2) by ring. rewrite root. unfold eta. fold k. field. lra. }
    assert (Hcost : gamma * (k - 1) / k = gamma * (1 - r ^ 2)) by (rewrite root; fold k; field; lra).
    assert (Hright : q * (k - 1) / k = q * (1 - r ^ 2)) by (rewrite root; fold k; field; lra).
    assert (Hwrong : q / k = q * r ^ 2) by (rewrite root; reflexivity).
    rewrite Hcost. unfold p, exploring, prediction in Hpaid. fold q k in Hpaid.
    destruct (Nat.eqb_spec ystar y) as [->|Hne].
    - rewrite Nat.eqb_refl, Hwrong in Hpaid. rewrite Hright.
      assert (Hm : 0 <= z <= 1 /\ z * (1 - m) = z ^ 2 /\ a = z ^ 2).
      { unfold z, a. fold m in Hstar |- *. destruct (Rle_dec m 1).
        - rewrite fall_middle, smooth_hinge_map_low by lra. repeat split; try ring; lra.
        - rewrite fall_right, smooth_hinge_map_high by lra. repeat split; try ring; lra. }
      destruct Hm as (Hz & Hm & Ea). rewrite Ea in Hshare.
      apply (right_paid r gamma q part change u _ Hr explores Hpart z m); auto.
      apply smooth_hinge_tangent. nra.
    - destruct (wrong_margins K (scores d W x) ystar y HK Hy Htop Hne) as [Hle _]. fold m in Hle.
      set (star := margin K (scores d W x) ystar) in *. assert (Hz : z = 1) by (apply fall_left; lra).
      apply not_eq_sym, Nat.eqb_neq in Hne. rewrite Hne, Rplus_0_l, Hwrong in Hpaid. rewrite Hwrong.
      assert (Ea : a = (1 - Rmin 1 star) ^ 2) by reflexivity. rewrite Ea in Hshare.
      assert (Hc : 0 <= Rmin 1 star <= 1 /\ Rmin 1 star <= star).
      { split; [split; [apply Rmin_glb; lra|apply Rmin_l]|apply Rmin_r]. }
      rewrite Hz in *.
      apply (wrong_paid r gamma q part change u _ Hr explores Hpart (Rmin 1 star) (- m)); try tauto; try lra.
      apply smooth_hinge_tangent. lra.
  Qed.
End Rounds.

(** * The tuning: 3 - r - 2 r^2 is at most 2 sqrt(2) for at most 54 classes *)

Lemma numbers_to_54 r : 0 < r -> / 54 <= r ^ 2 -> (1 - r) + 2 * (1 - r ^ 2) <= 2 * sqrt 2.
Proof.
  intros Hr H. assert (Hlow : 136 / 1000 <= r) by nra.
  assert (H2 : 1414 / 1000 <= sqrt 2) by (apply below_root; lra). nra.
Qed.

Lemma theorem_6_from_4_to_54 K : (4 <= K <= 54)%nat -> Theorem6_with 4 K.
Proof.
  intros [H4 H54] d X D T HX HD HT k square gamma eta. assert (Hk := four_classes K H4). fold k in Hk.
  assert (H54' : k <= 54) by (apply le_INR in H54; simpl in H54; unfold k; lra). assert (HT1 := at_least_one T HT).
  set (t := INR T) in *. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hkx : 0 < k ^ 2 * X ^ 2) by (apply Rmult_lt_0_compat; nra).
  set (v := k * X * D). assert (Hv : 0 < v) by (repeat apply Rmult_lt_0_compat; lra).
  assert (Hvalue : t * square = (2 * v) ^ 2) by (unfold square, v; field; lra).
  assert (Hpositive : 0 < square) by (apply divided; [repeat apply Rmult_lt_0_compat; try apply pow_lt; lra|lra]).
  destruct (positive_square_root square Hpositive) as [Hroot Hsquare].
  destruct (clipped _ Hroot) as [Hgamma Hcase]. fold gamma in Hgamma, Hcase.
  split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|].
  assert (Hbase : guarantee_in T (bandit K d (margin_loss K d smooth_hinge smooth_hinge_map None) D gamma) X
    eta (fun _ => t)).
  { replace eta with (gamma * (1 / (4 * k)) / (k * X ^ 2)) by (unfold eta; field; nra).
    apply bandit_margin_theorem with (c := 2 * k); auto; [lia|left; apply Rle_refl|].
    apply (smooth_hinge_conditions k). lra. }
  destruct Hcase as [[Hone Hbig]|Hsmall].
  - refine (guarantee_weaken _ _ _ _ _ _ _ Hbase). intros _ _ _. refine (Rle_trans _ _ _ _ (Rmax_l _ _)).
    assert (1 <= square) by (rewrite <- Hsquare; nra).
    replace (4 * k ^ 2 * X ^ 2 * D ^ 2) with ((2 * v) ^ 2) by (unfold v; ring). rewrite <- Hvalue. nra.
  - destruct Hbase as (Hlegal & Hdecides & Hlearner & Hbound). split; [exact Hlegal|]. split; [exact Hdecides|].
    split; [exact Hlearner|]. intros x y price Hadm W ystar Hplay p.
    destruct (Hbound x y price Hadm W ystar Hplay) as [Hdist _]. split; [exact Hdist|]. intros U' (U & HU & ->).
    rewrite (expectation_shifted K T); [|intros h Hh; now apply Hdist|constructor|reflexivity].
    set (losses := fun U h draw => importance (p h) (y h) draw *
      loss (margin_loss K d smooth_hinge smooth_hinge_map None) (W h) (x h) (ystar h) (y h) U).
    set (r := sqrt (/ k)). assert (Hinv : 0 < / k) by (apply Rinv_0_lt_compat; lra).
    destruct (positive_square_root (/ k) Hinv) as [Hr Hr2]. fold r in Hr, Hr2.
    assert (Hfew : / 54 <= r ^ 2) by (rewrite Hr2; apply Rinv_le_contravar; lra).
    assert (Hr1 := root_at_most K r H4 Hr Hr2).
    assert (Heta : 0 < eta) by (apply divided; lra).
    assert (H : expectation K p T (mistakes y) [] <= expectation K p T (weighted_total (losses U)) []
      + ((1 - r) * (norm2 K d U / (2 * eta)) + gamma * (k - 1) / k * t)).
    { apply (bandit_shared_descent K d (margin_loss K d smooth_hinge smooth_hinge_map None) D gamma eta
        (gamma * (k - 1) / k) T x y W ystar Heta Hplay); auto; try lra.
      - intros h Hh. now apply Hadm.
      - intros h Hh. now apply Hdist.
      - intros h Hh. destruct (Hdist h Hh) as [Hp Hone]. apply (label_is_drawn K); [exact Hp| |apply Hone]; now apply Hadm.
      - intros h G Hh HG. destruct (Hadm h Hh) as (Hy & Hx & _). destruct Hplay as [_ Hplay]. destruct (Hplay h Hh) as [Htop _].
        now apply (slower K d X gamma r). }
    refine (Rle_trans _ _ _ H _). apply Rplus_le_compat_l. refine (Rle_trans _ _ _ _ (Rmax_r _ _)).
    set (root := sqrt t). assert (Ht : root ^ 2 = t) by (apply pow2_sqrt; lra).
    assert (Hroot0 : 0 < root) by (apply sqrt_lt_R0; lra).
    assert (Hg : gamma * root = 2 * v).
    { apply Rle_antisym; apply le_from_squares; try nra; right; rewrite Rpow_mult_distr, Ht, Hsmall, Hsquare; lra. }
    assert (Hsize : norm2 K d U / (2 * eta) <= v * root).
    { apply Rle_trans with (D ^ 2 / (2 * eta)).
      - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact HU].
      - right. apply Rmult_eq_reg_r with gamma; [|lra].
        replace (v * root * gamma) with (v * (2 * v)) by (rewrite <- Hg; ring). unfold eta, v. field. lra. }
    assert (Hspent : gamma * (k - 1) / k * t = 2 * (1 - r ^ 2) * (v * root)).
    { rewrite Hr2, <- Ht. replace (gamma * (k - 1) / k * root ^ 2) with (gamma * root * (1 - / k) * root) by (field; lra).
      rewrite Hg. ring. }
    assert (Hshared := Rmult_le_compat_l (1 - r) _ _ ltac:(lra) Hsize).
    assert (Hvr : 0 < v * root) by (apply Rmult_lt_0_compat; lra).
    apply Rle_trans with (v * root * (2 * sqrt 2)).
    + assert (Hnumbers := numbers_to_54 r Hr Hfew). nra.
    + right. fold t. rewrite sqrt_mult by lra. fold root. unfold v. ring.
Qed.

Theorem theorem_6_to_54 : Theorem6_to_54.
Proof.
  intros K [H2 H54]. destruct (le_lt_dec 4 K) as [H4|H4]; [now apply theorem_6_from_4_to_54|].
  apply theorem_6_to_11. lia.
Qed.

Print Assumptions theorem_6_to_54.
