(** Margin losses phi(m(W, y)) and the 0-1 target: the criterion is one inequality in a margin; the hinge losses. *)

From Coq Require Import Reals Lra Lia Arith Psatz.
From Gaptron Require Import Definitions Sums Matrices Subgradients Assembly Margins ScoreLosses Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import OptimalTheorem OptimalSets.
Open Scope R_scope.

Section MarginLosses.
Variables (K : nat) (phi : R -> R).
Hypothesis HK : (2 <= K)%nat.
Hypothesis Hconvex : forall m, exists g, subgradient phi m g.
Hypothesis Hfalls : K = 2%nat \/ forall m n, m <= n -> phi n <= phi m.
Hypothesis Hpos : forall m, 0 <= phi m.

Let P := classification K K (of_margin K phi).

Lemma classes : 2 <= INR K.
Proof. change 2 with (INR 2). now apply le_INR. Qed.

Lemma margin_losses_are_convex : convex_losses P.
Proof.
  intros y Hy. simpl in *. split.
  - intros u v Huv. unfold of_margin. f_equal. apply margin_unique; try assumption.
    + intros k Hk Hky. rewrite (Huv y Hy), (Huv k Hk). now apply margin_le.
    + destruct (margin_attained K v y HK) as (k & Hk & Hky & Heq). exists k. repeat split; try assumption.
      now rewrite (Huv y Hy), (Huv k Hk).
  - intros u v t Ht. unfold of_margin. set (w := fun i => t * u i + (1 - t) * v i).
    set (mid := t * margin K u y + (1 - t) * margin K v y).
    assert (Hmid : mid <= margin K w y).
    { destruct (margin_attained K w y HK) as (k & Hk & Hky & ->). unfold w, mid.
      assert (Hu := margin_le K u y Hy k Hk Hky). assert (Hv := margin_le K v y Hy k Hk Hky). nra. }
    apply Rle_trans with (phi mid).
    { destruct Hfalls as [Htwo|H]; [|now apply H]. right. f_equal. destruct (margin_attained K w y HK) as (k & Hk & Hky & E).
      destruct (margin_attained K u y HK) as (ku & Hku & Hkuy & Eu), (margin_attained K v y HK) as (kv & Hkv & Hkvy & Ev).
      rewrite E. unfold mid. rewrite Eu, Ev. replace ku with k by lia. replace kv with k by lia. unfold w. ring. }
    destruct (Hconvex mid) as [g Hg]. assert (Hu := Hg (margin K u y)). assert (Hv := Hg (margin K v y)).
    assert (Hsum : t * (phi mid + g * (margin K u y - mid)) + (1 - t) * (phi mid + g * (margin K v y - mid)) = phi mid)
      by (unfold mid; ring).
    assert (t * (phi mid + g * (margin K u y - mid)) <= t * phi (margin K u y)) by (apply Rmult_le_compat_l; lra).
    assert ((1 - t) * (phi mid + g * (margin K v y - mid)) <= (1 - t) * phi (margin K v y))
      by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** What c has to satisfy, in one margin. *)
Definition in_one_margin (c : R) : Prop := forall m, 1 <= INR K / (INR K - 1) * phi m + c * m ^ 2.

(** * It is necessary: every label alike, m ahead when it is drawn *)

Lemma alike_criterion c : criterion P 1 c -> in_one_margin c.
Proof.
  intros Hcrit m. assert (H2 := classes). set (k := INR K) in *.
  set (w := fun _ : nat => / k). set (theta := fun y i : nat => if Nat.eqb i y then m else 0).
  assert (Hw : is_distribution K w).
  { split; [intros; unfold w; left; apply Rinv_0_lt_compat; lra|]. unfold w. rewrite sum_const. fold k. field. lra. }
  assert (Hbest : forall j, (j < K)%nat -> 1 - / k <= weighted K w (zero_one j)).
  { intros j Hj. unfold weighted. rewrite (sum_ext K _ (fun y => w y * zero_one y j)).
    - fold (weighted K w (fun y => zero_one y j)). rewrite (P_wrong_top_up K w j Hw Hj). unfold w. lra.
    - intros y _. unfold zero_one. now rewrite Nat.eqb_sym. }
  specialize (Hcrit w theta Hw (1 - / k) Hbest). simpl in Hcrit.
  assert (Hmargin : forall y, (y < K)%nat -> of_margin K phi y (theta y) = phi m).
  { intros y Hy. unfold of_margin. f_equal. apply margin_unique; try assumption.
    - intros j Hj Hjy. unfold theta. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec j y); [now elim Hjy|lra].
    - destruct (margin_attained K (theta y) y HK) as (j & Hj & Hjy & _). exists j. repeat split; try assumption.
      unfold theta. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec j y); [now elim Hjy|lra]. }
  assert (Hmean : forall i, (i < K)%nat -> mean K w theta i = m / k).
  { intros i Hi. unfold mean, weighted, theta, w.
    rewrite (sum_ext K _ (fun y => if Nat.eqb y i then m / k else 0)); [now apply sum_pick|].
    intros y _. rewrite (Nat.eqb_sym i y). destruct (Nat.eqb y i); unfold Rdiv; ring. }
  assert (Hdist : forall y, (y < K)%nat -> distance2 K (theta y) (mean K w theta) = m ^ 2 * (1 - / k)).
  { intros y Hy. rewrite distance2_sum.
    rewrite (sum_ext K _ (fun i => (if Nat.eqb i y then m ^ 2 - 2 * m * (m / k) else 0) + (m / k) ^ 2)).
    - rewrite sum_plus, sum_pick, sum_const by assumption. fold k. field. lra.
    - intros i Hi. rewrite Hmean by assumption. unfold theta. destruct (Nat.eqb i y); ring. }
  unfold weighted in Hcrit at 1. rewrite (sum_ext K _ (fun y => phi m * w y)) in Hcrit.
  2:{ intros y Hy. rewrite Hmargin by assumption. ring. }
  unfold variance, weighted in Hcrit.
  rewrite (sum_ext K (fun y => w y * distance2 K (theta y) (mean K w theta)) (fun y => m ^ 2 * (1 - / k) * w y)) in Hcrit.
  2:{ intros y Hy. rewrite Hdist by assumption. ring. }
  rewrite !sum_scale in Hcrit. destruct Hw as [_ Hone]. rewrite Hone in Hcrit.
  apply Rmult_le_reg_l with (1 - / k).
  - assert (/ k <= / 2) by (apply Rinv_le_contravar; lra). lra.
  - replace ((1 - / k) * (k / (k - 1) * phi m + c * m ^ 2)) with (phi m + c * (m ^ 2 * (1 - / k))) by (field; lra). lra.
Qed.

Section Leads.
Variables (theta : nat -> vector) (s : nat -> R).
Hypothesis Hs : forall y, s y = 0 \/ s y = 1.

(** (n - 1) m_y is at most the sum of the differences to the labels in the set. *)
Lemma margins_below y : (y < K)%nat -> s y = 1 -> (sum K s - 1) * margin K (theta y) y <= lead K theta s y.
Proof.
  intros Hy Hin. unfold lead. rewrite Rmult_comm, (Rmult_comm (sum K s)).
  rewrite (sum_split K s y Hy) at 1 2. rewrite Hin.
  replace (1 + sum K (without y s) - 1) with (sum K (without y s)) by ring.
  rewrite (sum_split K (fun k => s k * theta y k) y Hy), Hin.
  rewrite <- sum_scale.
  apply Rle_trans with (sum K (fun k => theta y y * without y s k - without y (fun k => s k * theta y k) k)).
  - apply sum_le. intros k Hk. unfold without. destruct (Nat.eqb_spec k y) as [_|Hky]; [lra|].
    assert (Hle := margin_le K (theta y) y Hy k Hk Hky). destruct (Hs k) as [->| ->]; lra.
  - rewrite sum_minus, sum_scale. lra.
Qed.

(** With two labels, both of them in the set, it is the difference. *)
Lemma margin_of_two y : K = 2%nat -> 1 < sum K s -> (y < K)%nat -> s y = 1 ->
  (sum K s - 1) * margin K (theta y) y = lead K theta s y.
Proof.
  intros Htwo Hmany Hy Hin. destruct (margin_attained K (theta y) y HK) as (k & Hk & Hky & ->).
  unfold lead. rewrite Htwo in *. cbn [sum] in *. assert (H0 := Hs 0%nat). assert (H1 := Hs 1%nat).
  assert (Hcases : (y = 0 /\ k = 1 \/ y = 1 /\ k = 0)%nat) by lia.
  destruct Hcases as [[-> ->]|[-> ->]]; destruct H0 as [E0|E0], H1 as [E1|E1]; rewrite E0, E1 in *; lra.
Qed.
End Leads.

(** * It is sufficient *)

Lemma one_margin_criterion c : 0 < c -> in_one_margin c -> criterion P 1 c.
Proof.
  intros Hc Hscalar. assert (H2 := classes). apply sets_are_enough; [lia|exact Hc|intros; apply Hpos|].
  intros theta q s Hs Hmany. set (n := sum K s) in *. set (k := INR K) in *.
  assert (Hmost : n <= k).
  { unfold n, k. rewrite <- (Rmult_1_r (INR K)), <- sum_const. apply sum_le. intros y _. destruct (Hs y) as [->| ->]; lra. }
  apply (paid_by_the_set K c theta q s Hc Hs (fun y => phi (margin K (theta y) y)) phi (fun y => margin K (theta y) y)).
  - intros; lra.
  - exact Hconvex.
  - intros y Hy Hin. now apply margins_below.
  - destruct Hfalls as [Htwo|H]; [right|now left]. intros y Hy Hin. now apply margin_of_two.
  - intros r _. specialize (Hscalar r). fold k in Hscalar. fold n.
    assert (Hshare : (n - 1) * (k / (k - 1) * phi r) <= n * phi r).
    { rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [apply Hpos|]. apply Rmult_le_reg_r with (k - 1); [lra|].
      replace ((n - 1) * (k / (k - 1)) * (k - 1)) with ((n - 1) * k) by (field; lra). lra. }
    apply Rmult_le_compat_l with (r := n - 1) in Hscalar; lra.
  - exact Hmany.
Qed.

Theorem margin_losses X c : 0 < X -> 0 < c -> (attainable P X 1 c <-> in_one_margin c).
Proof.
  intros HX Hc. rewrite (optimal_constant P X 1 c); try assumption; try lra.
  - split; [apply alike_criterion|now apply one_margin_criterion].
  - simpl. lia.
  - apply margin_losses_are_convex.
Qed.

End MarginLosses.

(** * The hinge loss: K^2/(4 (K - 1)) *)

Definition hinge (m : R) : R := Rmax (1 - m) 0.

Lemma hinge_subgradient m : exists g, subgradient hinge m g.
Proof.
  unfold hinge. destruct (Rle_lt_dec m 1).
  - exists (-1). intros b. rewrite (Rmax_left (1 - m)) by lra. assert (H := Rmax_l (1 - b) 0). lra.
  - exists 0. intros b. rewrite (Rmax_right (1 - m)) by lra. assert (H := Rmax_r (1 - b) 0). lra.
Qed.

Theorem hinge_optimum K X c : (2 <= K)%nat -> 0 < X -> 0 < c ->
  (attainable (classification K K (of_margin K hinge)) X 1 c <-> INR K ^ 2 / (4 * (INR K - 1)) <= c).
Proof.
  intros HK HX Hc. rewrite margin_losses; try assumption.
  - assert (H2 := classes K HK). set (k := INR K) in *. unfold in_one_margin. fold k.
    assert (Hshare : 0 < k / (k - 1)) by (apply Rdiv_lt_0_compat; lra). split.
    + intros H. specialize (H (2 / k)).
      assert (Hle : 0 <= 1 - 2 / k).
      { assert (2 / k <= 1); [|lra]. apply Rmult_le_reg_r with k; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      unfold hinge in H. rewrite Rmax_left in H by assumption.
      apply Rmult_le_compat_l with (r := k ^ 2 / 4) in H; [|assert (0 < k ^ 2) by (apply pow_lt; lra); lra].
      replace (k ^ 2 / 4 * (k / (k - 1) * (1 - 2 / k) + c * (2 / k) ^ 2)) with (k ^ 2 / 4 * ((k - 2) / (k - 1)) + c) in H
        by (field; lra).
      replace (k ^ 2 / (4 * (k - 1))) with (k ^ 2 / 4 * 1 - k ^ 2 / 4 * ((k - 2) / (k - 1))) by (field; lra). lra.
    + intros H m. apply Rle_trans with (k / (k - 1) * (1 - m) + k ^ 2 / (4 * (k - 1)) * m ^ 2).
      * assert (Hsq : k / (k - 1) * (1 - m) + k ^ 2 / (4 * (k - 1)) * m ^ 2 = 1 + (1 - k / 2 * m) ^ 2 / (k - 1))
          by (field; lra).
        rewrite Hsq. assert (0 <= (1 - k / 2 * m) ^ 2 / (k - 1)); [|lra].
        apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra].
      * apply Rplus_le_compat; [|apply Rmult_le_compat_r; [apply pow2_ge_0|assumption]].
        apply Rmult_le_compat_l; [lra|apply Rmax_l].
  - exact hinge_subgradient.
  - right. intros m n Hmn. unfold hinge. apply Rmax_lub; [apply Rle_trans with (1 - m); [lra|apply Rmax_l]|apply Rmax_r].
  - intros m. apply Rmax_r.
Qed.

(** * The smooth hinge loss: K *)

Definition smooth (m : R) : R := if Rle_dec m 0 then 1 - 2 * m else if Rle_dec m 1 then (1 - m) ^ 2 else 0.

Lemma smooth_subgradient m : exists g, subgradient smooth m g.
Proof.
  exists (if Rle_dec m 0 then -2 else if Rle_dec m 1 then -2 * (1 - m) else 0). intros b. unfold smooth.
  assert (0 <= (b - m) ^ 2) by apply pow2_ge_0.
  destruct (Rle_dec m 0), (Rle_dec b 0); try lra; destruct (Rle_dec b 1); try nra;
    destruct (Rle_dec m 1); try nra.
Qed.

Theorem smooth_hinge_optimum K X c : (2 <= K)%nat -> 0 < X -> 0 < c ->
  (attainable (classification K K (of_margin K smooth)) X 1 c <-> INR K <= c).
Proof.
  intros HK HX Hc. rewrite margin_losses; try assumption.
  - assert (H2 := classes K HK). set (k := INR K) in *. unfold in_one_margin. fold k.
    assert (Hshare : 1 <= k / (k - 1)).
    { apply Rmult_le_reg_r with (k - 1); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hsq : forall m, k / (k - 1) * (1 - m) ^ 2 + k * m ^ 2 = 1 + (1 - k * m) ^ 2 / (k - 1))
      by (intros; field; lra). split.
    + intros H. specialize (H (/ k)). assert (Hinv : 0 < / k) by (apply Rinv_0_lt_compat; lra).
      assert (Hle : / k <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
      unfold smooth in H. destruct (Rle_dec (/ k) 0); [lra|]. destruct (Rle_dec (/ k) 1); [|lra].
      specialize (Hsq (/ k)). replace ((1 - k * / k) ^ 2 / (k - 1)) with 0 in Hsq by (field; lra).
      apply Rmult_le_reg_r with ((/ k) ^ 2); [apply pow_lt; assumption|]. lra.
    + intros H m. assert (Hm : 0 <= m ^ 2) by apply pow2_ge_0.
      assert (Hcm : k * m ^ 2 <= c * m ^ 2) by (apply Rmult_le_compat_r; assumption).
      unfold smooth. destruct (Rle_dec m 0); [nra|]. destruct (Rle_dec m 1); [|nra].
      specialize (Hsq m). assert (0 <= (1 - k * m) ^ 2 / (k - 1)); [|lra].
      apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; lra].
  - apply smooth_subgradient.
  - right. intros m n Hmn. unfold smooth. destruct (Rle_dec m 0), (Rle_dec n 0); try lra;
      destruct (Rle_dec n 1); try nra; destruct (Rle_dec m 1); try nra.
  - intros m. unfold smooth. destruct (Rle_dec m 0); [lra|]. destruct (Rle_dec m 1); [apply pow2_ge_0|lra].
Qed.

(** * From conditions on functions of one variable *)

(** What is asked of the loss [phi] and the constant [c] (in units of X^2) for [k] classes: all labels alike, m ahead. *)
Record attaining_margin_conditions (k : R) (phi : R -> R) (c : R) : Prop := {
  attaining_nonnegative : forall m, 0 <= phi m;
  attaining_convex : forall m, exists g, subgradient phi m g;
  attaining_nonincreasing : k <> 2 -> forall m g, subgradient phi m g -> g <= 0;
  attaining_constant : 0 < c;
  attaining_criterion : forall m, (k - 1) / k - phi m - c * ((k - 1) / k * m ^ 2) <= 0
}.

Theorem attaining_margin_theorem K phi c X : (2 <= K)%nat -> attaining_margin_conditions (INR K) phi c -> 0 < X ->
  attainable (classification K K (of_margin K phi)) X 1 c.
Proof.
  intros HK [Hpos Hconvex Hdown Hc Hcriterion] HX. assert (H2 := classes K HK). apply margin_losses; auto.
  - destruct (Nat.eq_dec K 2) as [H|H]; [now left|right]. intros m n Hmn.
    apply nonincreasing_values; [exact Hconvex| |exact Hmn]. apply Hdown. now rewrite two_classes.
  - intros m. specialize (Hcriterion m). apply Rmult_le_compat_l with (r := INR K / (INR K - 1)) in Hcriterion.
    + replace (INR K / (INR K - 1) * ((INR K - 1) / INR K - phi m - c * ((INR K - 1) / INR K * m ^ 2)))
        with (1 - (INR K / (INR K - 1) * phi m + c * m ^ 2)) in Hcriterion by (field; lra). lra.
    + apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
Qed.

Lemma paid_from_far k phi c m : 2 <= k -> 0 <= phi -> 1 <= c * m ^ 2 -> (k - 1) / k - phi - c * ((k - 1) / k * m ^ 2) <= 0.
Proof.
  intros Hk Hphi Hfar. assert (Hshare : 0 <= (k - 1) / k) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]).
  apply Rmult_le_compat_l with (r := (k - 1) / k) in Hfar; lra.
Qed.
