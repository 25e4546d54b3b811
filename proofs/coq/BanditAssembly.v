(** From single rounds to the whole guarantee with bandit feedback. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent GameTheorem Assembly BanditDefinitions Projection BanditDescent.
Import ListNotations.
Open Scope R_scope.

(** What is asked of single rounds with weights in the ball: the gap is at most [cost]. *)
Record bandit_rounds (K d : nat) (s : surrogate) (X D gamma eta cost : R) : Type := {
  bandit_rate : 0 < eta;
  bandit_loss : forall W x ystar y V, (y < K)%nat -> 0 <= loss s W x ystar y V;
  bandit_top : forall W x, {ystar | top s W x ystar};
  bandit_subgradient : forall W x ystar y V,
    (y < K)%nat -> {G | matrix_subgradient (rows s) d (loss s W x ystar y) V G};
  bandit_map : forall W x ystar, top s W x ystar -> (ystar < K)%nat /\ 0 <= gap_map s W x ystar <= 1;
  bandit_gap : forall W x ystar y G,
    in_ball (rows s) d D W -> top s W x ystar -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient (rows s) d (loss s W x ystar y) W G ->
    P_wrong K (Rmax (gap_map s W x ystar) gamma) ystar y - loss s W x ystar y W
    + eta / 2 * (norm2 (rows s) d G / exploring K gamma (gap_map s W x ystar) ystar y) <= cost
}.

Section Assembly.
  Variables (K d : nat) (s : surrogate) (X D gamma eta cost : R) (T : nat).
  Hypothesis D_positive : 0 < D.
  Hypothesis explores : 0 < gamma <= 1.
  Variable rounds : bandit_rounds K d s X D gamma eta cost.

  Lemma drawable W x ystar k : top s W x ystar -> 0 < exploring K gamma (gap_map s W x ystar) ystar k.
  Proof using explores rounds.
    intros Htop. destruct (bandit_map _ _ _ _ _ _ _ _ rounds W x ystar Htop) as [Hy Ha].
    refine (Rlt_le_trans _ _ _ _ (exploring_positive K gamma _ ystar k ltac:(lia) Hy Ha explores)).
    apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat, lt_0_INR. lia.
  Qed.

  Lemma honest_bandit W x ystar : top s W x ystar ->
    let p := exploring K gamma (gap_map s W x ystar) ystar in
    is_distribution K p /\ forall y, (y < K)%nat -> sum K (fun draw => p draw * importance p y draw) = 1.
  Proof using explores rounds.
    intros Htop p. destruct (bandit_map _ _ _ _ _ _ _ _ rounds W x ystar Htop) as [Hs Ha].
    split; [apply exploring_is_distribution; auto; lra|]. intros y Hy.
    rewrite (sum_ext K _ (fun draw => if Nat.eqb draw y then 1 else 0)); [now apply sum_pick|].
    intros draw _. unfold importance. destruct (Nat.eqb_spec draw y) as [->|_]; [|ring].
    assert (Hp := drawable W x ystar y Htop : 0 < p y). field. lra.
  Qed.

  Lemma bandit_is_sound : sound (bandit K d s D gamma) X eta cost.
  Proof using D_positive explores rounds.
    assert (Hrounds := rounds). destruct Hrounds as [Heta Hpos Htop Hsub Hmap Hgap]. split; auto.
    - cbn. unfold in_ball, norm2, inner, dot. rewrite sum_zero; [apply pow2_ge_0|].
      intros k _. apply sum_zero. intros. ring.
    - apply ball_convex.
    - intros V. exists (project (rows s) d D V). now apply project_is_nearest.
    - exact (fun W x _ _ => Htop W x).
    - exact honest_bandit.
    - intros W x ystar Ht draw seen. set (p := exploring K gamma (gap_map s W x ystar) ystar).
      destruct (Nat.eqb_spec seen 1) as [->|Hseen], (lt_dec draw K) as [Hdraw|Hdraw];
        [destruct (Hsub W x ystar draw W Hdraw) as [G HG]; exists (fun k i => 1 / p draw * G k i)|
         exists (fun _ _ => 0)|exists (fun _ _ => 0)|exists (fun _ _ => 0)];
        intros y Hy Heq; cbn [revealed bandit estimate round_loss chance weight_rows features] in *;
        unfold importance; fold p; destruct (Nat.eqb_spec draw y) as [->|_];
        try (exfalso; congruence || contradiction);
        try (intros V; unfold inner, dot; rewrite sum_zero; [lra|]; intros; apply sum_zero; intros; ring).
      apply scaled_subgradient; [|exact HG]. left. unfold Rdiv. rewrite Rmult_1_l.
      apply Rinv_0_lt_compat. exact (drawable W x ystar y Ht).
    - intros W x ystar y c g HW Ht Hy Hx _ Hg.
      cbn [draw_count chance charge round_loss estimate bandit weight_rows features] in *.
      set (p := exploring K gamma (gap_map s W x ystar) ystar) in *.
      assert (Hp := drawable W x ystar y Ht : 0 < p y). assert (Hright := Hg y Hy).
      unfold importance at 1 in Hright. rewrite Nat.eqb_refl in Hright.
      assert (Hinv : 0 < 1 / p y) by (apply Rdiv_lt_0_compat; lra).
      assert (HG := unscaled_subgradient _ _ _ _ _ _ Hinv Hright).
      assert (H := Hgap W x ystar y _ HW Ht Hy Hx HG). rewrite norm2_scaled in H.
      refine (Rle_trans _ _ _ (Req_le _ _ _) H).
      rewrite (sum_ext K _ (fun draw => p draw * (if Nat.eqb draw y then 0 else 1)
        + (if Nat.eqb draw y then eta / 2 * (p y * norm2 (rows s) d (g y)) - loss s W x ystar y W else 0))).
      + rewrite sum_plus, sum_pick by exact Hy. unfold P_wrong.
        change (prediction K (Rmax (gap_map s W x ystar) gamma) ystar) with p. fold p. field. lra.
      + intros draw Hdraw. unfold importance, wrong. specialize (Hg draw Hdraw). unfold importance in Hg.
        destruct (Nat.eqb_spec draw y) as [E|_]; [subst draw; fold p; field; lra|].
        rewrite (constant_subgradient (rows s) d 0 W (g draw)); [ring|].
        intros V. specialize (Hg V). cbv beta in Hg. lra.
  Qed.

  (** * The guarantee *)

  Theorem bandit_guarantee_from_rounds :
    guarantee_in T (bandit K d s D gamma) X eta (fun u => Rmin (INR T) (u / (2 * eta) + cost * INR T)).
  Proof using D_positive explores rounds.
    apply (guarantee_from_bound _ _ _ _ _ bandit_is_sound). intros x y price Hadm W ystar Hplay p.
    assert (Hbound := bounded_in _ _ _ _ T bandit_is_sound (fun u => u / (2 * eta) + cost * INR T)).
    destruct (Hbound ltac:(now intros U h (V & HV & ->); split; [|right]) x y price Hadm W ystar Hplay) as [Hdist Hall].
    split; [exact Hdist|]. intros U HU. pose proof HU as (V & HV & ->). unfold Rmin.
    destruct Rle_dec as [Hle|Hle]; [|exact (Hall _ HU)].
    assert (Htops : forall h, takes_place K T h -> top s (W h) (x h) (ystar h)) by (intros h Hh; now apply Hplay).
    refine (Rle_trans _ _ _ (at_most_all K s gamma T x y W ystar _ _ V _) _).
    - intros h Hh. now apply Hdist.
    - intros h Hh. now apply drawable, Htops.
    - intros h Hh. apply (bandit_loss _ _ _ _ _ _ _ _ rounds). now apply Hadm.
    - right. symmetry. apply (expectation_shifted K T); [intros h Hh; now apply Hdist|constructor|reflexivity].
  Qed.
End Assembly.

(** A larger regret, in the ball. *)
Lemma bandit_guarantee_weaken K d s X D gamma eta T regret regret' :
  (forall u, 0 <= u <= D ^ 2 -> regret u <= regret' u) ->
  guarantee_in T (bandit K d s D gamma) X eta regret -> guarantee_in T (bandit K d s D gamma) X eta regret'.
Proof.
  intros Hle. apply guarantee_weaken. intros U h (V & HV & ->). apply Hle. split; [apply norm2_nonneg|exact HV].
Qed.

(** * From full information: eta gamma/K pays for the larger squares, gamma (K - 1)/K for the exploration *)

Lemma bandit_rounds_from_full K d s X D gamma eta :
  (2 <= K)%nat -> 0 < gamma <= 1 -> sound_rounds K d s (guessing (INR K)) X eta ->
  bandit_rounds K d s X D gamma (gamma * eta / INR K) (gamma * (INR K - 1) / INR K).
Proof.
  intros HK Hgamma [Heta Hpos Htop Hsub Hmap Hgap]. assert (Hk : 2 <= INR K) by (apply le_INR in HK; simpl in HK; lra).
  split; auto.
  { apply Rmult_lt_0_compat; [nra|]. apply Rinv_0_lt_compat. lra. }
  intros W x ystar y G _ Ht Hy Hx HG. specialize (Hgap W x ystar y G Ht Hy Hx HG).
  destruct (Hmap W x ystar Ht) as [Hy' Ha]. set (a := gap_map s W x ystar) in *.
  assert (Hp := exploring_positive K gamma a ystar y ltac:(lia) Hy' Ha Hgamma).
  set (p := exploring K gamma a ystar y) in *. assert (HG2 := norm2_nonneg (rows s) d G).
  set (G2 := norm2 (rows s) d G) in *.
  assert (Hsquares : gamma * eta / INR K / 2 * (G2 / p) <= eta / 2 * G2).
  { assert (0 < gamma / INR K) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    replace (gamma * eta / INR K / 2 * (G2 / p)) with (eta / 2 * G2 * (gamma / INR K / p)) by (field; lra).
    assert (gamma / INR K / p <= 1); [|assert (0 <= eta / 2 * G2) by nra; nra].
    apply Rmult_le_reg_r with p; [lra|]. replace (gamma / INR K / p * p) with (gamma / INR K) by (field; lra). lra. }
  rewrite <- P_wrong_at in Hgap by assumption. rewrite P_wrong_value in * by assumption.
  assert (Hk0 : 0 < / INR K <= / 2) by (split; [apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra]).
  assert (Hone : INR K * / INR K = 1) by (apply Rinv_r; lra).
  assert (Hmax : a <= Rmax a gamma <= a + gamma) by (split; [apply Rmax_l|apply Rmax_lub; lra]).
  unfold Rdiv in *. destruct (Nat.eqb ystar y); nra.
Qed.
