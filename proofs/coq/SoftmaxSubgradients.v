(** Subgradients of psi(p_y) in the scores: every one of them, and one that exists. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Subgradients Derivatives Margins Linear Softmax.
Open Scope R_scope.

(** [r] takes the place of psi'(p): r p (1 - p) is a subgradient of psi as a function of the logit ln(p/(1 - p)). *)
Definition logit_subgradient (psi : R -> R) (p r : R) : Prop :=
  forall b, 0 < b < 1 -> psi p + r * (p * (1 - p)) * (logit b - logit p) <= psi b.

(** At a maximum a derivative vanishes. *)
Lemma derivative_at_maximum f m l : derivable_pt_lim f m l -> (forall b, f b <= f m) -> l = 0.
Proof.
  intros Hf Hmax. assert (H : 0 = - l); [|lra].
  apply (subgradient_equal (fun b => - f b) (fun b => - f b) m (m - 1) (m + 1)); auto; [lra| |].
  - now apply derivable_pt_lim_opp.
  - intros b. specialize (Hmax b). lra.
Qed.

(** Two classes: the logarithm of what one label weighs is its score. *)
Lemma rest_of_two theta theta' y : (y < 2)%nat ->
  ln (rest 2 theta y) + sum 2 (without y (fun k => share 2 theta y k * (theta' k - theta k))) = ln (rest 2 theta' y).
Proof.
  intros Hy. unfold share, rest. cbn [sum]. unfold without.
  assert (Hcase : y = 0%nat \/ y = 1%nat) by lia.
  destruct Hcase as [-> | ->]; cbn [Nat.eqb]; rewrite ?Rplus_0_l, ?Rplus_0_r, !ln_exp;
    [assert (H := exp_pos (theta 1%nat))|assert (H := exp_pos (theta 0%nat))]; field; lra.
Qed.

Section SoftmaxSubgradients.
  Variables (K : nat) (psi : R -> R) (y : nat).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis label : (y < K)%nat.
  Let F theta := psi (softmax K theta y).

  Lemma rest_label_moved theta c : rest K (moved theta y c) y = rest K theta y.
  Proof using.
    apply sum_ext. intros k _. unfold without, moved. destruct (Nat.eqb k y); [reflexivity|]. now rewrite Rplus_0_r.
  Qed.

  Lemma rest_rival_moved theta j c : (j < K)%nat -> j <> y ->
    rest K (moved theta j c) y = rest K theta y * (1 + share K theta y j * (exp c - 1)).
  Proof using classes.
    intros Hj Hjy. assert (Hpos := rest_positive K theta y classes).
    replace (rest K theta y * (1 + share K theta y j * (exp c - 1)))
      with (rest K theta y + exp (theta j) * (exp c - 1)) by (unfold share; field; lra).
    unfold rest. rewrite <- (sum_pick K j (exp (theta j) * (exp c - 1)) Hj), <- sum_plus.
    apply sum_ext. intros k _. unfold without, moved. apply Nat.eqb_neq in Hjy.
    destruct (Nat.eqb_spec k j) as [->|_].
    - rewrite Hjy, exp_plus. ring.
    - now rewrite !Rplus_0_r.
  Qed.

  (** The label's score can be moved so that its probability is any other. *)
  Lemma softmax_label_moved theta b : 0 < b < 1 ->
    softmax K (moved theta y (logit b - logit (softmax K theta y))) y = b.
  Proof using classes label.
    intros Hb. apply logit_injective; auto using softmax_range.
    rewrite !logit_softmax, rest_label_moved by assumption. unfold moved. rewrite Nat.eqb_refl. ring.
  Qed.

  (** A rival's score can be moved, and the label's with it, so that the label's probability stays what it is. *)
  Lemma softmax_both_moved theta j c : (j < K)%nat -> j <> y ->
    softmax K (moved (moved theta j c) y (ln (1 + share K theta y j * (exp c - 1)))) y = softmax K theta y.
  Proof using classes label.
    intros Hj Hjy. apply logit_injective; auto using softmax_range.
    assert (Hpos := rest_positive K theta y classes).
    assert (Hpos' := rest_positive K (moved theta j c) y classes). rewrite rest_rival_moved in Hpos' by assumption.
    assert (0 < 1 + share K theta y j * (exp c - 1)).
    { apply Rmult_lt_reg_l with (rest K theta y); [exact Hpos|]. now rewrite Rmult_0_r. }
    rewrite !logit_softmax, rest_label_moved, rest_rival_moved, ln_mult by assumption.
    unfold moved. rewrite Nat.eqb_refl. apply not_eq_sym, Nat.eqb_neq in Hjy. rewrite Hjy. ring.
  Qed.

  Section Every.
    Variables theta v : vector.
    Hypothesis subgradient_of_loss : score_subgradient K F theta v.
    Let p := softmax K theta y.
    Let r := v y / (p * (1 - p)).

    Lemma softmax_entry_of_label : v y = r * (p * (1 - p)) /\ logit_subgradient psi p r.
    Proof using classes label subgradient_of_loss.
      assert (Hp : 0 < p < 1) by now apply softmax_range.
      assert (Hv : v y = r * (p * (1 - p))) by (unfold r; field; lra).
      split; [exact Hv|]. intros b Hb. rewrite <- Hv.
      assert (H := subgradient_of_loss (moved theta y (logit b - logit p))).
      rewrite sum_moved in H by exact label. unfold F in H. unfold p in H. now rewrite softmax_label_moved in H.
    Qed.

    Lemma softmax_entry_of_rival j : (j < K)%nat -> j <> y -> v j = - v y * share K theta y j.
    Proof using classes label subgradient_of_loss.
      intros Hj Hjy. set (q := share K theta y j).
      set (f := fun c => v j * c + v y * ln (1 + q * (exp c - 1))).
      assert (H : v j + v y * q = 0); [|lra].
      apply (derivative_at_maximum f 0).
      - unfold f. derive; rewrite exp_0; [lra|]. field.
      - intros c. unfold f. rewrite exp_0.
        replace (1 + q * (1 - 1)) with 1 by ring. rewrite ln_1.
        assert (H := subgradient_of_loss (moved (moved theta j c) y (ln (1 + q * (exp c - 1))))).
        unfold F in H. unfold q in H at 2. rewrite softmax_both_moved in H by assumption.
        set (shift := ln (1 + q * (exp c - 1))) in *.
        rewrite (sum_ext K _ (fun k => v k * (moved (moved theta j c) y shift k - moved theta j c k)
          + v k * (moved theta j c k - theta k))) in H by (intros; ring).
        rewrite sum_plus, !sum_moved in H by assumption. lra.
    Qed.

    (** ||v||^2 = (psi'(p) p)^2 ((1 - p)^2 + S), S the sum of the other squared probabilities. *)
    Lemma softmax_entries_squared : sum K (fun k => v k ^ 2) =
      (r * p) ^ 2 * ((1 - p) ^ 2 + sum K (without y (fun k => softmax K theta k ^ 2))).
    Proof using classes label subgradient_of_loss.
      rewrite (sum_split K _ y label), Rmult_plus_distr_l, <- sum_scale.
      destruct softmax_entry_of_label as [Hv _]. f_equal; [rewrite Hv; ring|].
      apply sum_ext. intros k Hk. unfold without. destruct (Nat.eqb_spec k y) as [|Hky]; [ring|].
      rewrite softmax_entry_of_rival, (softmax_share K theta y), Hv by assumption. fold p. ring.
    Qed.
  End Every.

  (** With r for psi'(p): r p (1 - p) (e_y - shares). *)
  Definition softmax_direction (theta : vector) (g : R) : vector :=
    fun k => if Nat.eqb k y then g else - g * share K theta y k.

  (** The logarithm of a sum of exponentials lies above its tangents. *)
  Lemma rest_tangent theta theta' :
    ln (rest K theta y) + sum K (without y (fun k => share K theta y k * (theta' k - theta k))) <= ln (rest K theta' y).
  Proof using classes.
    assert (Hpos := rest_positive K theta y classes). assert (Hpos' := rest_positive K theta' y classes).
    set (c := sum K (without y _)).
    rewrite <- (ln_exp c), <- ln_mult by (auto using exp_pos).
    assert (H : rest K theta y * exp c <= rest K theta' y).
    2: { destruct H as [H| ->]; [left; apply ln_increasing; auto; apply Rmult_lt_0_compat; auto using exp_pos|lra]. }
    set (w := without y (share K theta y)).
    assert (Hone : sum K w = 1) by now apply shares_sum_to_one.
    assert (Hc : c = sum K (fun k => w k * (theta' k - theta k))).
    { apply sum_ext. intros k _. unfold w, without. destruct (Nat.eqb k y); [ring|reflexivity]. }
    assert (Hterms : exp c = sum K (fun k => exp c * (1 - c) * w k + exp c * (w k * (theta' k - theta k)))).
    { rewrite sum_plus, !sum_scale, Hone, <- Hc. ring. }
    rewrite Hterms, <- sum_scale. apply sum_le. intros k _. unfold w, without.
    destruct (Nat.eqb k y); [lra|].
    assert (Hshare : rest K theta y * share K theta y k = exp (theta k)) by (unfold share; field; lra).
    replace (rest K theta y *
      (exp c * (1 - c) * share K theta y k + exp c * (share K theta y k * (theta' k - theta k))))
      with (rest K theta y * share K theta y k * exp c * (1 + (theta' k - theta k - c))) by ring.
    rewrite Hshare. replace (exp (theta' k)) with (exp (theta k) * exp c * exp (theta' k - theta k - c)).
    - apply Rmult_le_compat_l; [left; apply Rmult_lt_0_compat; apply exp_pos|]. apply exp_ineq1_le.
    - rewrite <- !exp_plus. f_equal. ring.
  Qed.

  Lemma softmax_direction_subgradient theta r :
    logit_subgradient psi (softmax K theta y) r -> K = 2%nat \/ r <= 0 ->
    score_subgradient K F theta (softmax_direction theta (r * (softmax K theta y * (1 - softmax K theta y)))).
  Proof using classes label.
    intros Hr H theta'. set (p := softmax K theta y) in *. assert (Hp : 0 < p < 1) by now apply softmax_range.
    set (g := r * (p * (1 - p))).
    set (c := sum K (without y (fun k => share K theta y k * (theta' k - theta k)))).
    assert (Hsum : sum K (fun k => softmax_direction theta g k * (theta' k - theta k)) = g * (theta' y - theta y - c)).
    { rewrite (sum_split K _ y label). unfold softmax_direction at 1. rewrite Nat.eqb_refl.
      rewrite (sum_ext K _ (fun k => - g * without y (fun k => share K theta y k * (theta' k - theta k)) k)).
      - rewrite sum_scale. fold c. ring.
      - intros k _. unfold without, softmax_direction. destruct (Nat.eqb k y); ring. }
    rewrite Hsum. specialize (Hr (softmax K theta' y) (softmax_range K theta' y classes label)). fold g in Hr.
    unfold F. fold p. refine (Rle_trans _ _ _ _ Hr). unfold p. rewrite !logit_softmax by assumption.
    apply Rplus_le_compat_l. destruct H as [H2|Hneg].
    - unfold c. rewrite H2 in label |- *. rewrite <- (rest_of_two theta theta' y label). right. f_equal. ring.
    - assert (Htangent := rest_tangent theta theta'). fold c in Htangent.
      assert (g <= 0); [|nra]. unfold g. assert (0 < p * (1 - p)) by nra. nra.
  Qed.
End SoftmaxSubgradients.
