(** Losses of all scores and the 0-1 target: the criterion is one inequality in two scores, A of the labels that are
    alike and B of their rivals, and the number of labels that are. *)

From Coq Require Import Reals Lra Lia Arith Psatz FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices Subgradients ScoreLosses Optimal OptimalSums OptimalLower OptimalProximal.
From Gaptron Require Import OptimalUpper OptimalTheorem OptimalSets OptimalMargin.
Open Scope R_scope.

(** A term for the label's own score, and one for each rival beside it: pairs and single scores are both of this kind. *)
Definition of_rivals (K : nat) (own : R -> R) (rival : R -> R -> R) (y : nat) (theta : vector) : R :=
  own (theta y) + sum K (without y (fun k => rival (theta y) (theta k))).

Definition joint_subgradient (f : R -> R -> R) (s t g h : R) : Prop :=
  forall u v, f s t + g * (u - s) + h * (v - t) <= f u v.

Section AllScores.
Variables (K : nat) (own : R -> R) (rival : R -> R -> R) (a : R).
Hypothesis HK : (2 <= K)%nat.
Hypothesis Hown : forall s, exists g, subgradient own s g.
Hypothesis Hrival : forall s t, exists g h, joint_subgradient rival s t g h.
Hypothesis Hown_pos : forall s, 0 <= own s.
Hypothesis Hrival_pos : forall s t, 0 <= rival s t.
Hypothesis Hleast : forall s t, a <= rival s t.
Hypothesis Hclose : forall s e, 0 < e -> exists t, rival s t < a + e.

Let P := classification K K (of_rivals K own rival).

Lemma losses_of_all_scores_are_convex : convex_losses P.
Proof.
  intros y Hy. simpl in *. split.
  - intros u v Huv. unfold of_rivals. rewrite (Huv y Hy). f_equal. apply sum_ext. intros k Hk. unfold without.
    now rewrite (Huv k Hk).
  - intros u v t Ht. unfold of_rivals. set (w := fun i => t * u i + (1 - t) * v i).
    assert (Hmine : own (w y) <= t * own (u y) + (1 - t) * own (v y)).
    { destruct (Hown (w y)) as [g Hg]. assert (Hu := Hg (u y)). assert (Hv := Hg (v y)). unfold w in *.
      assert (t * (own (t * u y + (1 - t) * v y) + g * (u y - (t * u y + (1 - t) * v y))) <= t * own (u y))
        by (apply Rmult_le_compat_l; lra).
      assert ((1 - t) * (own (t * u y + (1 - t) * v y) + g * (v y - (t * u y + (1 - t) * v y))) <= (1 - t) * own (v y))
        by (apply Rmult_le_compat_l; lra). nra. }
    apply Rle_trans with (t * own (u y) + (1 - t) * own (v y) + (t * sum K (without y (fun k => rival (u y) (u k))) +
      (1 - t) * sum K (without y (fun k => rival (v y) (v k))))); [|right; ring].
    apply Rplus_le_compat; [exact Hmine|]. rewrite <- !sum_scale, <- sum_plus. apply sum_le. intros k Hk. unfold without.
    destruct (Nat.eqb k y); [lra|]. destruct (Hrival (w y) (w k)) as (g & h & Hg).
    assert (Hu := Hg (u y) (u k)). assert (Hv := Hg (v y) (v k)).
    apply Rmult_le_compat_l with (r := t) in Hu; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in Hv; [|lra].
    apply Rle_trans with (2 := Rplus_le_compat _ _ _ _ Hu Hv). right. unfold w. ring.
Qed.

(** n labels alike at A, their rivals among them at B, the K - n others out of play. *)
Definition in_two_scores (c : R) : Prop := forall n, (2 <= n <= K)%nat -> forall A B,
  (INR n - 1) / INR n <= own A + (INR n - 1) * rival A B + (INR K - INR n) * a + c * ((INR n - 1) / INR n * (A - B) ^ 2).

(** * It is sufficient: means of scores cost no more *)

Section Means.
Variables (c : R) (theta : nat -> vector) (q : vector) (s : nat -> R).
Hypothesis Hc : 0 < c.
Hypothesis Hs : forall y, s y = 0 \/ s y = 1.

Notation n := (sum K s).
Hypothesis Hmany : 1 < n.

Let A := sum K (fun y => s y * theta y y) / n.
Let B := sum K (fun y => s y * sum K (without y (fun k => s k * theta y k))) / (n * (n - 1)).

Lemma own_scores : sum K (fun y => s y * theta y y) = n * A.
Proof using Hmany. unfold A. field. lra. Qed.

Lemma rivals_scores : sum K (fun y => s y * sum K (without y (fun k => s k * theta y k))) = n * (n - 1) * B.
Proof using Hmany. unfold B. field. lra. Qed.

Lemma others_in_the_set y : (y < K)%nat -> s y = 1 -> sum K (without y s) = n - 1.
Proof using. intros Hy Hin. rewrite (sum_split K s y Hy), Hin. ring. Qed.

Lemma own_terms : n * own A <= sum K (fun y => s y * own (theta y y)).
Proof using Hs Hown Hmany.
  destruct (Hown A) as [g Hg]. apply Rle_trans with (sum K (fun y => (own A - g * A) * s y + g * (s y * theta y y))).
  - rewrite sum_plus, !sum_scale, own_scores. right. ring.
  - apply sum_le. intros y _. assert (H := Hg (theta y y)). destruct (Hs y) as [E|E]; rewrite E; lra.
Qed.

Lemma rivals_terms : n * (n - 1) * rival A B + n * (INR K - n) * a <=
  sum K (fun y => s y * sum K (without y (fun k => rival (theta y y) (theta y k)))).
Proof using Hs Hrival Hleast Hmany.
  destruct (Hrival A B) as (g & h & Hg). set (r := rival A B) in *.
  set (low := fun y => (n - 1) * (r - g * A - h * B + g * theta y y) + h * sum K (without y (fun k => s k * theta y k))
    + (INR K - n) * a).
  apply Rle_trans with (sum K (fun y => s y * low y)).
  - right. rewrite (sum_ext K (fun y => s y * low y) (fun y => ((n - 1) * (r - g * A - h * B) + (INR K - n) * a) * s y +
      ((n - 1) * g * (s y * theta y y) + h * (s y * sum K (without y (fun k => s k * theta y k))))))
      by (intros; unfold low; ring).
    rewrite !sum_plus, !sum_scale, own_scores, rivals_scores. ring.
  - apply sum_le. intros y Hy. destruct (Hs y) as [E|E]; rewrite E; [lra|]. rewrite !Rmult_1_l.
    assert (Hin := others_in_the_set y Hy E).
    assert (Hall : sum K (without y (fun _ => 1)) = INR K - 1).
    { assert (H := sum_split K (fun _ => 1) y Hy). rewrite sum_const in H. lra. }
    set (term := fun k => (r - g * A - h * B + g * theta y y) * s k + h * (s k * theta y k) + a * (1 - s k)).
    apply Rle_trans with (sum K (without y term)).
    + right. unfold low.
      rewrite (sum_ext K (without y term) (fun k => (r - g * A - h * B + g * theta y y) * without y s k +
        (h * without y (fun k => s k * theta y k) k + a * (without y (fun _ => 1) k - without y s k)))).
      * rewrite !sum_plus, !sum_scale, sum_minus, Hin, Hall. ring.
      * intros k _. unfold without, term. destruct (Nat.eqb k y); ring.
    + apply sum_le. intros k _. unfold without, term. destruct (Nat.eqb k y); [lra|].
      assert (H := Hg (theta y y) (theta y k)). fold r in H. assert (Ha := Hleast (theta y y) (theta y k)).
      destruct (Hs k) as [Ek|Ek]; rewrite Ek; lra.
Qed.

Lemma moves : (n - 1) * (A - B) ^ 2 <= sum K (fun y => s y * distance2 K (theta y) q).
Proof using Hs Hmany.
  set (r := (A - B) / n).
  set (rest := sum K (fun j => s j * q j)).
  assert (Hleads : sum K (fun y => s y * (n * (theta y y - q y) - sum K (fun j => s j * (theta y j - q j)))) =
    n * (n - 1) * (A - B)).
  { rewrite (sum_ext K _ (fun y => ((n - 1) * (s y * theta y y) - s y * sum K (without y (fun k => s k * theta y k)))
      + (rest * s y - n * (s y * q y)))).
    - rewrite sum_plus, !sum_minus, !sum_scale, own_scores, rivals_scores. fold rest. ring.
    - intros y Hy. destruct (Hs y) as [E|E]; rewrite E; [ring|].
      rewrite (sum_ext K (fun j => s j * (theta y j - q j)) (fun j => s j * theta y j - s j * q j)) by (intros; ring).
      rewrite sum_minus. fold rest. rewrite (sum_split K (fun j => s j * theta y j) y Hy), E. ring. }
  apply Rle_trans with (sum K (fun y => 2 * r *
    (s y * (n * (theta y y - q y) - sum K (fun j => s j * (theta y j - q j)))) - r ^ 2 * (n * (n - 1)) * s y)).
  - rewrite sum_minus, !sum_scale, Hleads. right. unfold r. field. lra.
  - apply sum_le. intros y Hy. destruct (Hs y) as [E|E]; rewrite E; [lra|].
    assert (H := square_tangent K theta q s Hs y r Hy E). lra.
Qed.

Lemma all_but_one_are_paid : (forall A B, (n - 1) / n <=
    own A + (n - 1) * rival A B + (INR K - n) * a + c * ((n - 1) / n * (A - B) ^ 2)) ->
  n - 1 <= sum K (fun y => s y * (of_rivals K own rival y (theta y) + c * distance2 K (theta y) q)).
Proof using Hc Hs Hmany Hown Hrival Hleast.
  intros Hscalar. unfold of_rivals.
  rewrite (sum_ext K (fun y => s y * (_ + c * distance2 K (theta y) q)) (fun y => (s y * own (theta y y) + s y * sum K (without y (fun k => rival (theta y y) (theta y k))))
    + c * (s y * distance2 K (theta y) q))) by (intros; ring).
  rewrite !sum_plus, sum_scale. assert (Hmine := own_terms). assert (Htheirs := rivals_terms). assert (Hcost := moves).
  apply Rmult_le_compat_l with (r := c) in Hcost; [|lra]. specialize (Hscalar A B).
  apply Rmult_le_compat_l with (r := n) in Hscalar; [|lra].
  replace (n * ((n - 1) / n)) with (n - 1) in Hscalar by (field; lra).
  replace (n * (own A + (n - 1) * rival A B + (INR K - n) * a + c * ((n - 1) / n * (A - B) ^ 2))) with
    (n * own A + (n * (n - 1) * rival A B + n * (INR K - n) * a) + c * ((n - 1) * (A - B) ^ 2)) in Hscalar by (field; lra).
  lra.
Qed.
End Means.

(** How many labels a set has. *)
Lemma counted N s : (forall y, s y = 0 \/ s y = 1) -> exists n, (n <= N)%nat /\ sum N s = INR n.
Proof.
  intros Hs. induction N as [|N (n & Hn & IH)]; [now exists 0%nat|]. cbn [sum]. rewrite IH.
  destruct (Hs N) as [->| ->]; [exists n; split; [lia|ring]|exists (S n); split; [lia|rewrite S_INR; ring]].
Qed.

Lemma two_scores_criterion c : 0 < c -> in_two_scores c -> criterion P 1 c.
Proof.
  intros Hc Hscalar. apply sets_are_enough; [lia|exact Hc| |].
  - intros y theta _. unfold of_rivals. assert (0 <= own (theta y)) by apply Hown_pos.
    assert (0 <= sum K (without y (fun k => rival (theta y) (theta k)))); [|lra].
    apply sum_nonneg. intros k _. unfold without. destruct (Nat.eqb k y); [lra|apply Hrival_pos].
  - intros theta q s Hs Hmany. apply all_but_one_are_paid; try assumption.
    destruct (counted K s Hs) as (n & Hn & E). rewrite E in *.
    assert (1 < n)%nat by (apply INR_lt; simpl; lra). intros A B. apply Hscalar. lia.
Qed.

(** * It is necessary: n labels alike, the others where they cost next to nothing *)

Section Alike.
Variables (n : nat) (A B t : R).
Hypothesis Hn : (2 <= n <= K)%nat.

Let inside (y : nat) : R := if Nat.ltb y n then 1 else 0.
Let w (y : nat) : R := / INR n * inside y.
Let theta (y i : nat) : R := if Nat.ltb i n then if Nat.eqb i y then A else B else t.

Lemma at_least_two_alike : 2 <= INR n.
Proof using HK Hn. apply at_least_two. lia. Qed.

Lemma alike_weights : is_distribution K w.
Proof using HK Hn.
  assert (H2 := at_least_two_alike). assert (0 < / INR n) by (apply Rinv_0_lt_compat; lra). split.
  - intros y _. unfold w, inside. destruct (Nat.ltb y n); lra.
  - unfold w. rewrite sum_scale. unfold inside. rewrite sum_below by lia. field. lra.
Qed.

(** The mean over the labels alike of what is the same for them. *)
Lemma alike_mean f v : (forall y, (y < n)%nat -> f y = v) -> weighted K w f = v.
Proof using HK Hn.
  intros H. unfold weighted. rewrite (sum_ext K _ (fun y => v * w y)).
  - rewrite sum_scale. destruct alike_weights as [_ ->]. ring.
  - intros y _. unfold w, inside. destruct (Nat.ltb_spec y n) as [Hy|]; [rewrite H by assumption|]; ring.
Qed.

Lemma alike_loss y : (y < n)%nat ->
  of_rivals K own rival y (theta y) = own A + ((INR n - 1) * rival A B + (INR K - INR n) * rival A t).
Proof using HK Hn.
  intros Hy. unfold of_rivals. assert (E : theta y y = A).
  { unfold theta. destruct (Nat.ltb_spec y n); [|lia]. now rewrite Nat.eqb_refl. }
  rewrite E. f_equal.
  assert (Hsum := sum_below n K (rival A B) (rival A t) ltac:(lia)).
  rewrite (sum_split K _ y) in Hsum by lia. destruct (Nat.ltb_spec y n); [|lia].
  rewrite (sum_ext K _ (without y (fun i => if Nat.ltb i n then rival A B else rival A t))).
  - lra.
  - intros k _. unfold without, theta. destruct (Nat.eqb k y); [reflexivity|]. now destruct (Nat.ltb k n).
Qed.

Lemma alike_center i : (i < K)%nat -> mean K w theta i = if Nat.ltb i n then (A + (INR n - 1) * B) / INR n else t.
Proof using HK Hn.
  intros Hi. assert (H2 := at_least_two_alike). unfold mean. destruct (Nat.ltb_spec i n) as [Hin|Hout].
  - unfold weighted, theta. destruct (Nat.ltb_spec i n); [|lia].
    rewrite (sum_ext K _ (fun y => B * w y + (if Nat.eqb y i then (A - B) / INR n else 0))).
    + rewrite sum_plus, sum_scale, sum_pick by assumption. destruct alike_weights as [_ ->]. field. lra.
    + intros y _. rewrite (Nat.eqb_sym i y). destruct (Nat.eqb_spec y i) as [->|]; [|ring].
      unfold w, inside. destruct (Nat.ltb_spec i n); [field; lra|lia].
  - apply alike_mean. intros y _. unfold theta. destruct (Nat.ltb_spec i n); [lia|reflexivity].
Qed.

Lemma alike_distance y : (y < n)%nat -> distance2 K (theta y) (mean K w theta) = (INR n - 1) / INR n * (A - B) ^ 2.
Proof using HK Hn.
  intros Hy. assert (H2 := at_least_two_alike). rewrite distance2_sum. set (center := (A + (INR n - 1) * B) / INR n).
  rewrite (sum_ext K _ (fun i => (if Nat.eqb i y then (A - center) ^ 2 - (B - center) ^ 2 else 0)
    + (if Nat.ltb i n then (B - center) ^ 2 else 0))).
  - rewrite sum_plus, sum_pick, sum_below by lia. unfold center. field. lra.
  - intros i Hi. rewrite alike_center by assumption. unfold theta. fold center. destruct (Nat.ltb_spec i n) as [Hin|Hout].
    + destruct (Nat.eqb i y); ring.
    + destruct (Nat.eqb_spec i y); [lia|ring].
Qed.

Lemma alike_pay c : criterion P 1 c ->
  (INR n - 1) / INR n <= own A + ((INR n - 1) * rival A B + (INR K - INR n) * rival A t)
    + c * ((INR n - 1) / INR n * (A - B) ^ 2).
Proof using HK Hn.
  intros Hcrit. assert (H2 := at_least_two_alike).
  assert (Hbest : forall j, (j < K)%nat -> (INR n - 1) / INR n <= weighted K w (zero_one j)).
  { intros j Hj. unfold weighted. rewrite (sum_ext K _ (fun y => w y * zero_one y j)).
    - fold (weighted K w (fun y => zero_one y j)). rewrite (P_wrong_top_up K w j alike_weights Hj). unfold w, inside.
      assert (0 < / INR n) by (apply Rinv_0_lt_compat; lra).
      replace ((INR n - 1) / INR n) with (1 - / INR n) by (field; lra). destruct (Nat.ltb j n); lra.
    - intros y _. unfold zero_one. now rewrite Nat.eqb_sym. }
  specialize (Hcrit w theta alike_weights ((INR n - 1) / INR n) Hbest). simpl in Hcrit. unfold variance in Hcrit.
  rewrite (alike_mean _ _ alike_loss), (alike_mean _ _ alike_distance) in Hcrit. lra.
Qed.
End Alike.

Lemma criterion_in_two_scores c : criterion P 1 c -> in_two_scores c.
Proof.
  intros Hcrit n Hn A B. apply Rnot_lt_le. intros Hless.
  set (short := (INR n - 1) / INR n - (own A + (INR n - 1) * rival A B + (INR K - INR n) * a
    + c * ((INR n - 1) / INR n * (A - B) ^ 2))) in *.
  assert (Hshort : 0 < short) by (unfold short; lra). assert (Hk := classes K HK).
  destruct (Hclose A (short / INR K)) as [t Ht]; [apply Rdiv_lt_0_compat; lra|].
  assert (Hpay := alike_pay n A B t Hn c Hcrit).
  assert (Hmost : 0 <= INR K - INR n <= INR K).
  { assert (INR n <= INR K) by (apply le_INR; lia). assert (0 <= INR n) by apply pos_INR. lra. }
  assert (Hout : (INR K - INR n) * rival A t < (INR K - INR n) * a + short).
  { destruct (Rle_lt_or_eq_dec 0 (INR K - INR n) (proj1 Hmost)) as [Hpos|<-]; [|lra].
    apply Rlt_le_trans with ((INR K - INR n) * (a + short / INR K)); [now apply Rmult_lt_compat_l|].
    assert ((INR K - INR n) * (short / INR K) <= INR K * (short / INR K)).
    { apply Rmult_le_compat_r; [left; apply Rdiv_lt_0_compat|]; lra. }
    replace (INR K * (short / INR K)) with short in H by (field; lra). lra. }
  unfold short in *. lra.
Qed.

Theorem losses_of_all_scores X c : 0 < X -> 0 < c -> (attainable P X 1 c <-> in_two_scores c).
Proof.
  intros HX Hc. rewrite (optimal_constant P X 1 c); try assumption; try lra.
  - split; [apply criterion_in_two_scores|now apply two_scores_criterion].
  - simpl. lia.
  - apply losses_of_all_scores_are_convex.
Qed.
End AllScores.

(** * Pairs: two labels are the hardest *)

Lemma of_difference phi : (forall m, exists g, subgradient phi m g) ->
  forall s t, exists g h, joint_subgradient (fun s t => phi (s - t)) s t g h.
Proof.
  intros H s t. destruct (H (s - t)) as [g Hg]. exists g, (- g). intros u v. specialize (Hg (u - v)). lra.
Qed.
Lemma of_second other : (forall t, exists g, subgradient other t g) ->
  forall s t, exists g h, joint_subgradient (fun _ => other) s t g h.
Proof. intros H s t. destruct (H t) as [h Hh]. exists 0, h. intros u v. specialize (Hh v). lra. Qed.
Lemma of_nothing s : exists g, subgradient (fun _ => 0) s g.
Proof. exists 0. intros b. lra. Qed.

(** A rival far behind costs nothing, and nobody less. *)
Definition has_infimum_zero (f : R -> R) : Prop := (forall m, 0 <= f m) /\ forall e, 0 < e -> exists m, f m < e.

Lemma of_pairs_as_rivals K phi : of_pairs K phi = of_rivals K (fun _ => 0) (fun s t => phi (s - t)).
Proof.
  apply functional_extensionality. intros y. apply functional_extensionality. intros theta.
  unfold of_pairs, of_rivals, without. ring.
Qed.

Theorem pairwise_losses K phi X c : (2 <= K)%nat -> (forall m, exists g, subgradient phi m g) -> has_infimum_zero phi ->
  0 < X -> 0 < c -> (attainable (classification K K (of_pairs K phi)) X 1 c <-> forall m, 1 <= 2 * phi m + c * m ^ 2).
Proof.
  intros HK Hconvex [Hpos Hzero] HX Hc. rewrite of_pairs_as_rivals, (losses_of_all_scores K _ _ 0); try assumption.
  - split.
    + intros H m. specialize (H 2%nat ltac:(lia) m 0). simpl in H. rewrite Rminus_0_r in H. lra.
    + intros H n Hn A B. assert (H2 : 2 <= INR n) by (apply at_least_two; lia).
      specialize (H (A - B)). specialize (Hpos (A - B)).
      assert (Hshare : 0 <= (INR n - 1) / INR n) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
      apply Rmult_le_compat_l with (r := (INR n - 1) / INR n) in H; [|assumption].
      assert (Htwo : (INR n - 1) / INR n * (2 * phi (A - B)) <= (INR n - 1) * phi (A - B)).
      { replace ((INR n - 1) * phi (A - B)) with ((INR n - 1) / INR n * (INR n * phi (A - B))) by (field; lra).
        apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_compat_r; lra. }
      lra.
  - exact of_nothing.
  - now apply of_difference.
  - intros; lra.
  - intros; apply Hpos.
  - intros; apply Hpos.
  - intros s e He. destruct (Hzero e He) as [m Hm]. exists (s - m). replace (s - (s - m)) with m by ring. lra.
Qed.

(** Weston and Watkins: 1, for every number of classes. *)
Theorem pairwise_hinge_optimum K X c : (2 <= K)%nat -> 0 < X -> 0 < c ->
  (attainable (classification K K (of_pairs K hinge)) X 1 c <-> 1 <= c).
Proof.
  intros HK HX Hc. rewrite pairwise_losses; try assumption.
  - split.
    + intros H. specialize (H 1). unfold hinge in H. rewrite Rmax_right in H; lra.
    + intros H m. assert (0 <= (m - 1) ^ 2) by apply pow2_ge_0. assert (0 <= m ^ 2) by apply pow2_ge_0.
      assert (Hm := Rmax_l (1 - m) 0). fold (hinge m) in Hm. nra.
  - exact hinge_subgradient.
  - split; [intros; apply Rmax_r|]. intros e He. exists 1. unfold hinge. rewrite Rmax_right; lra.
Qed.

(** * Single scores *)

Lemma of_each_score_as_rivals K own other : of_each_score K own other = of_rivals K own (fun _ t => other t).
Proof. reflexivity. Qed.

Section EachScore.
Variables (K : nat) (own other : R -> R) (a X c : R).
Hypothesis HK : (2 <= K)%nat.
Hypothesis Hown : forall s, exists g, subgradient own s g.
Hypothesis Hother : forall s, exists g, subgradient other s g.
Hypothesis Hown_pos : forall s, 0 <= own s.
Hypothesis Ha : 0 <= a.
Hypothesis Hleast : forall t, a <= other t.
Hypothesis Hclose : forall e, 0 < e -> exists t, other t < a + e.
Hypothesis HX : 0 < X.
Hypothesis Hc : 0 < c.

Theorem separable_losses : attainable (classification K K (of_each_score K own other)) X 1 c <->
  forall n, (2 <= n <= K)%nat -> forall A B, (INR n - 1) / INR n <=
    own A + (INR n - 1) * other B + (INR K - INR n) * a + c * ((INR n - 1) / INR n * (A - B) ^ 2).
Proof.
  rewrite of_each_score_as_rivals, (losses_of_all_scores K _ _ a); try assumption.
  - reflexivity.
  - now apply of_second.
  - intros _ t. apply Rle_trans with a; [assumption|apply Hleast].
  - intros _ t. apply Hleast.
  - intros _. exact Hclose.
Qed.
End EachScore.

(** A label that pays nothing for its own score, as with Lee, Lin and Wahba where scores are free: no constant is enough,
    if rivals can cost less than 1/K. *)
Theorem nothing_for_the_own_score K other a X c : (2 <= K)%nat -> (forall s, exists g, subgradient other s g) ->
  0 <= a -> (forall t, a <= other t) -> (forall e, 0 < e -> exists t, other t < a + e) -> a < / INR K ->
  0 < X -> 0 < c -> ~ attainable (classification K K (of_each_score K (fun _ => 0) other)) X 1 c.
Proof.
  intros HK Hother Ha Hleast Hclose Hless HX Hc H. assert (Hk := classes K HK).
  rewrite (separable_losses K (fun _ => 0) other a X c) in H; try assumption.
  - destruct (Hclose (/ INR K - a)) as [t Ht]; [lra|]. specialize (H K ltac:(lia) t t).
    rewrite Rminus_eq_0 in H. replace (/ INR K) with (1 / INR K) in Ht by (field; lra).
    assert ((INR K - 1) * other t < (INR K - 1) * (1 / INR K)) by (apply Rmult_lt_compat_l; lra).
    replace ((INR K - 1) / INR K) with ((INR K - 1) * (1 / INR K)) in H by (field; lra). lra.
  - exact of_nothing.
  - intros; lra.
Qed.

(** One hinge against the rest: 1/4, for every number of classes. *)
Theorem one_against_the_rest_optimum K X c : (2 <= K)%nat -> 0 < X -> 0 < c ->
  (attainable (classification K K (of_each_score K hinge (fun t => hinge (- t)))) X 1 c <-> 1 / 4 <= c).
Proof.
  intros HK HX Hc.
  rewrite (separable_losses K hinge _ 0 X c); try assumption.
  - split.
    + intros H. specialize (H 2%nat ltac:(lia) 1 (-1)). unfold hinge in H. simpl in H. rewrite !Rmax_right in H by lra. lra.
    + intros H n Hn A B. assert (H2 : 2 <= INR n) by (apply at_least_two; lia). set (k := INR n) in *.
      assert (HA := Rmax_l (1 - A) 0). assert (HA0 := Rmax_r (1 - A) 0). fold (hinge A) in HA, HA0.
      assert (HB := Rmax_l (1 - - B) 0). assert (HB0 := Rmax_r (1 - - B) 0). fold (hinge (- B)) in HB, HB0.
      set (p := hinge A) in *. set (q := hinge (- B)) in *.
      apply Rmult_le_reg_l with (k / (k - 1)); [apply Rdiv_lt_0_compat; lra|].
      replace (k / (k - 1) * ((k - 1) / k)) with 1 by (field; lra).
      replace (k / (k - 1) * (p + (k - 1) * q + (INR K - k) * 0 + c * ((k - 1) / k * (A - B) ^ 2)))
        with (k / (k - 1) * p + k * q + c * (A - B) ^ 2) by (field; lra).
      assert (Hp : p <= k / (k - 1) * p).
      { assert (1 <= k / (k - 1)); [|nra]. apply Rmult_le_reg_r with (k - 1); [lra|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      assert (Hq : q <= k * q) by nra.
      assert (Hsq : 0 <= (A - B) ^ 2) by apply pow2_ge_0.
      assert (0 <= (A - B - 2) ^ 2) by apply pow2_ge_0. nra.
  - exact hinge_subgradient.
  - intros t. destruct (hinge_subgradient (- t)) as [g Hg]. exists (- g). intros b. specialize (Hg (- b)). lra.
  - intros; apply Rmax_r.
  - lra.
  - intros; apply Rmax_r.
  - intros e He. exists (-1). unfold hinge. rewrite Rmax_right; lra.
Qed.

(** Where a rival pays at its score what the label pays at the opposite one, at least 1 at scores
    of at most 0, and the root of that is convex at the others, opposite scores of two labels are the hardest, for every number of classes. *)
Section OppositeScores.
Variables (own : R -> R) (c : R).
Hypothesis Hc : 0 < c.
Hypothesis Hpos : forall s, 0 <= own s.
Hypothesis Hlow : forall s, s <= 0 -> 1 <= own s.
Hypothesis Hroot : forall u v, 0 <= u -> 0 <= v -> 2 * sqrt (own ((u + v) / 2)) <= sqrt (own u) + sqrt (own v).

Lemma roots_add u v : (forall w, 0 <= w -> 1 <= 4 * own w + 4 * c * w ^ 2) ->
  1 - c * (u + v) ^ 2 <= (sqrt (own u) + sqrt (own v)) ^ 2.
Proof.
  intros H. assert (Hu := sqrt_sqrt _ (Hpos u)). assert (Hv := sqrt_sqrt _ (Hpos v)).
  assert (Pu := sqrt_pos (own u)). assert (Pv := sqrt_pos (own v)). assert (Hsq := pow2_ge_0 (u + v)).
  assert (0 <= c * (u + v) ^ 2) by nra.
  destruct (Rle_lt_dec u 0) as [Lu|Lu]; [assert (L1 := Hlow u Lu); nra|].
  destruct (Rle_lt_dec v 0) as [Lv|Lv]; [assert (L1 := Hlow v Lv); nra|].
  assert (Hw : 0 <= (u + v) / 2) by lra. specialize (H _ Hw). assert (Hm2 := Hroot u v (Rlt_le _ _ Lu) (Rlt_le _ _ Lv)).
  assert (Hm := sqrt_sqrt _ (Hpos ((u + v) / 2))). assert (Pm := sqrt_pos (own ((u + v) / 2))).
  set (r := sqrt (own ((u + v) / 2))) in *. rewrite <- Hm in H.
  assert ((2 * r) * (2 * r) <= (sqrt (own u) + sqrt (own v)) * (sqrt (own u) + sqrt (own v)))
    by (apply Rmult_le_compat; lra). lra.
Qed.

Lemma any_number_alike k q r e : 2 <= k -> 0 <= q -> 0 <= r -> e <= (sqrt q + sqrt r) ^ 2 ->
  (k - 1) * e <= k * q + k * (k - 1) * r.
Proof.
  intros Hk Hq Hr He. assert (Sq := sqrt_sqrt _ Hq). assert (Sr := sqrt_sqrt _ Hr).
  set (a := sqrt q) in *. set (b := sqrt r) in *.
  rewrite <- Sq, <- Sr. assert (0 <= (a - (k - 1) * b) ^ 2) by apply pow2_ge_0. nra.
Qed.

Lemma opposite_scores_suffice n A B : 2 <= n -> (forall w, 0 <= w -> 1 <= 4 * own w + 4 * c * w ^ 2) ->
  (n - 1) / n <= own A + (n - 1) * own (- B) + c * ((n - 1) / n * (A - B) ^ 2).
Proof.
  intros Hn H. assert (He := roots_add A (- B) H). replace (A + - B) with (A - B) in He by ring.
  assert (Hall := any_number_alike n _ _ _ Hn (Hpos A) (Hpos (- B)) He).
  apply Rmult_le_reg_l with n; [lra|]. replace (n * ((n - 1) / n)) with (n - 1) by (field; lra).
  replace (n * (own A + (n - 1) * own (- B) + c * ((n - 1) / n * (A - B) ^ 2)))
    with (n * own A + n * (n - 1) * own (- B) + (n - 1) * (c * (A - B) ^ 2)) by (field; lra). lra.
Qed.

Theorem opposite_scores K X : (2 <= K)%nat -> 0 < X -> (forall s, exists g, subgradient own s g) ->
  (forall e, 0 < e -> exists s, own s < e) ->
  (attainable (classification K K (of_each_score K own (fun t => own (- t)))) X 1 c <->
   forall w, 0 <= w -> 1 <= 4 * own w + 4 * c * w ^ 2).
Proof.
  intros HK HX Hown Hclose. rewrite (separable_losses K own _ 0 X c); try assumption.
  - split.
    + intros H w Hw. specialize (H 2%nat ltac:(lia) w (- w)). rewrite Ropp_involutive in H. simpl in H. lra.
    + intros H n Hn A B. assert (Hall := opposite_scores_suffice (INR n) A B ltac:(apply at_least_two; lia) H). lra.
  - intros t. destruct (Hown (- t)) as [g Hg]. exists (- g). intros b. specialize (Hg (- b)). lra.
  - lra.
  - intros t. apply Hpos.
  - intros e He. destruct (Hclose e He) as [s Hs]. exists (- s). rewrite Ropp_involutive. lra.
Qed.
End OppositeScores.

(** * What is enough for theorem files *)

Record attaining_scores_conditions (k : R) (own : R -> R) (rival : R -> R -> R) (c : R) : Prop := {
  attaining_own : forall s, exists g, subgradient own s g;
  attaining_rival : forall s t, exists g h, joint_subgradient rival s t g h;
  attaining_own_nonnegative : forall s, 0 <= own s;
  attaining_rival_nonnegative : forall s t, 0 <= rival s t;
  attaining_scores_constant : 0 < c;
  attaining_in_two_scores : exists a, (forall s t, a <= rival s t) /\ forall n, 2 <= n <= k -> forall A B,
    (n - 1) / n <= own A + (n - 1) * rival A B + (k - n) * a + c * ((n - 1) / n * (A - B) ^ 2)
}.

Theorem attaining_scores_theorem K own rival c X : (2 <= K)%nat -> attaining_scores_conditions (INR K) own rival c ->
  0 < X -> attainable (classification K K (of_rivals K own rival)) X 1 c.
Proof.
  intros HK [Hown Hrival Pown Prival Hc (a & Ha & H)] HX. apply optimal_constant; try assumption; try lra.
  - simpl. lia.
  - now apply losses_of_all_scores_are_convex.
  - apply (two_scores_criterion K own rival a); try assumption. intros n Hn A B. apply H.
    split; [apply at_least_two; lia|apply le_INR; lia].
Qed.

(** Any n labels alike, at any scores, may deny it. *)
Definition unpaid_alike (k : R) (own : R -> R) (rival : R -> R -> R) (c n A B t : R) : R :=
  (n - 1) / n - (own A + ((n - 1) * rival A B + (k - n) * rival A t)) - c * ((n - 1) / n * (A - B) ^ 2).

Theorem scores_not_attained K own rival c X n A B t : (2 <= n <= K)%nat -> 0 < X ->
  (forall s, exists g, subgradient own s g) -> (forall s t, exists g h, joint_subgradient rival s t g h) ->
  0 < unpaid_alike (INR K) own rival c (INR n) A B t -> ~ attainable (classification K K (of_rivals K own rival)) X 1 c.
Proof.
  intros Hn HX Hown Hrival Hbad Hatt. apply nobody_beats_the_criterion in Hatt; [|exact HX|now apply losses_of_all_scores_are_convex].
  assert (Hpay := alike_pay K own rival ltac:(lia) n A B t Hn c Hatt). unfold unpaid_alike in Hbad. lra.
Qed.

Theorem pairs_not_attained K phi c X n A B t : (2 <= n <= K)%nat -> 0 < X -> (forall m, exists g, subgradient phi m g) ->
  0 < unpaid_alike (INR K) (fun _ => 0) (fun s t => phi (s - t)) c (INR n) A B t ->
  ~ attainable (classification K K (of_pairs K phi)) X 1 c.
Proof.
  intros Hn HX H. rewrite of_pairs_as_rivals.
  apply scores_not_attained; [exact Hn|exact HX|exact of_nothing|now apply of_difference].
Qed.

Theorem each_score_not_attained K own other c X n A B t : (2 <= n <= K)%nat -> 0 < X ->
  (forall s, exists g, subgradient own s g) -> (forall s, exists g, subgradient other s g) ->
  0 < unpaid_alike (INR K) own (fun _ => other) c (INR n) A B t ->
  ~ attainable (classification K K (of_each_score K own other)) X 1 c.
Proof.
  intros Hn HX Hown Hother. rewrite of_each_score_as_rivals.
  apply scores_not_attained; [exact Hn|exact HX|exact Hown|now apply of_second].
Qed.

Definition attaining_pairs_conditions (k : R) (phi : R -> R) : R -> Prop :=
  attaining_scores_conditions k (fun _ => 0) (fun s t => phi (s - t)).
Definition attaining_each_score_conditions (k : R) (own other : R -> R) : R -> Prop :=
  attaining_scores_conditions k own (fun _ => other).

Theorem attaining_pairs_theorem K phi c X : (2 <= K)%nat -> attaining_pairs_conditions (INR K) phi c -> 0 < X ->
  attainable (classification K K (of_pairs K phi)) X 1 c.
Proof. intros HK H. rewrite of_pairs_as_rivals. now apply attaining_scores_theorem. Qed.

Theorem attaining_each_score_theorem K own other c X : (2 <= K)%nat ->
  attaining_each_score_conditions (INR K) own other c -> 0 < X ->
  attainable (classification K K (of_each_score K own other)) X 1 c.
Proof. exact (attaining_scores_theorem K own (fun _ => other) c X). Qed.
