(** A constant that no algorithm attains, from one margin at which the criterion fails. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Subgradients Assembly ScoreLosses Optimal OptimalSums OptimalLower.
From Gaptron Require Import OptimalMargin SoftmaxSubgradients LogitSubgradients OptimalSoftmax SoftmaxRefutations.
Open Scope R_scope.

Theorem margin_not_attained K phi c X m : (2 <= K)%nat -> 0 < X -> 0 < c ->
  (forall m, 0 <= phi m) -> (forall m, exists g, subgradient phi m g) ->
  (INR K <> 2 -> forall m g, subgradient phi m g -> g <= 0) ->
  0 < (INR K - 1) / INR K - phi m - c * ((INR K - 1) / INR K * m ^ 2) ->
  ~ attainable (classification K K (of_margin K phi)) X 1 c.
Proof.
  intros HK HX Hc Hpos Hconvex Hdown Hbad Hatt. assert (H2 := classes K HK).
  apply margin_losses in Hatt; try assumption.
  - specialize (Hatt m). apply Rmult_le_compat_l with (r := (INR K - 1) / INR K) in Hatt.
    + replace ((INR K - 1) / INR K * (INR K / (INR K - 1) * phi m + c * m ^ 2))
        with (phi m + c * ((INR K - 1) / INR K * m ^ 2)) in Hatt by (field; lra). lra.
    + apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
  - destruct (Nat.eq_dec K 2) as [E|E]; [now left|right]. intros a b Hab.
    apply nonincreasing_values; [exact Hconvex| |exact Hab]. apply Hdown. now rewrite two_classes.
Qed.

(** * Softmax losses: two labels, each of which is ahead when it is drawn, and others far below *)

Section TwoLabels.
  Variables (K : nat) (a f : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis positive : 0 < a /\ 0 < f.

  Definition half (y : nat) : R := if Nat.ltb y 2 then 1 / 2 else 0.
  Definition ahead (y k : nat) : R := if Nat.ltb k 2 then (if Nat.eqb k y then a else 1) else f.

  Lemma sum_two F : (forall y, (2 <= y)%nat -> F y = 0) -> sum K F = F 0%nat + F 1%nat.
  Proof using classes.
    intros H. destruct K as [|[|n]]; try lia. rewrite !sum_first, sum_zero; [ring|]. intros. apply H. lia.
  Qed.

  Lemma weighted_half F : weighted K half F = 1 / 2 * F 0%nat + 1 / 2 * F 1%nat.
  Proof using classes.
    unfold weighted. rewrite sum_two; [reflexivity|]. intros y Hy. unfold half.
    destruct (Nat.ltb_spec y 2); [lia|ring].
  Qed.

  Lemma half_distribution : is_distribution K half.
  Proof using classes.
    split; [intros k _; unfold half; destruct Nat.ltb; lra|].
    replace (sum K half) with (weighted K half (fun _ => 1)) by (unfold weighted; apply sum_ext; intros; ring).
    rewrite weighted_half. lra.
  Qed.

  Lemma ahead_positive y k : 0 < ahead y k.
  Proof using positive. destruct positive. unfold ahead. now destruct (Nat.ltb k 2), (Nat.eqb k y); try apply Rlt_0_1. Qed.

  Lemma sum_ahead y : (y < 2)%nat -> sum K (ahead y) = a + 1 + (INR K - 2) * f.
  Proof using classes.
    intros Hy. destruct K as [|[|n]]; try lia. rewrite !sum_first, !S_INR.
    rewrite (sum_ext n _ (fun _ => f)) by reflexivity. rewrite sum_const.
    destruct y as [|[|y]]; try lia; cbn; ring.
  Qed.

  Lemma variance_half : variance K K half (fun y => logs (ahead y)) = ln a ^ 2 / 2.
  Proof using classes.
    unfold variance. rewrite weighted_half. unfold distance2, dot, mean.
    assert (Hrest : forall y i, (2 <= i)%nat -> logs (ahead y) i - weighted K half (fun y => logs (ahead y) i) = 0).
    { intros y i Hi. rewrite weighted_half. unfold logs, ahead. destruct (Nat.ltb_spec i 2); [lia|lra]. }
    rewrite !sum_two by (intros i Hi; rewrite Hrest by exact Hi; ring).
    rewrite !weighted_half. unfold logs, ahead. cbn. rewrite ln_1. field.
  Qed.
End TwoLabels.

Theorem softmax_not_attained K psi c X a f q : (2 <= K)%nat -> 0 < X -> 0 < a -> 0 < f ->
  (forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r) ->
  (INR K <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0) ->
  a / (a + 1 + (INR K - 2) * f) = q -> 0 < 1 / 2 - psi q - c * (ln a ^ 2 / 2) ->
  ~ attainable (classification K K (of_softmax K psi)) X 1 c.
Proof.
  intros HK HX Ha Hf Hconvex Hdown Hq Hbad Hatt.
  apply nobody_beats_the_criterion in Hatt; [|exact HX|now apply softmax_losses_are_convex].
  specialize (Hatt half (fun y => logs (ahead a f y)) (half_distribution K HK) (1 / 2)).
  cbn [labels predictions dimension target surrogate_of classification] in Hatt.
  rewrite variance_half, weighted_half in Hatt by exact HK. unfold of_softmax in Hatt.
  rewrite !(softmax_of_logs K _ (ahead_positive a f (conj Ha Hf) _)), !sum_ahead in Hatt by (exact HK || lia).
  change (ahead a f 0 0) with a in Hatt. change (ahead a f 1 1) with a in Hatt. rewrite Hq in Hatt.
  assert (1 / 2 <= 1 * (1 / 2 * psi q + 1 / 2 * psi q + c * (ln a ^ 2 / 2))); [|lra]. apply Hatt.
  intros k Hk. rewrite weighted_half by exact HK. unfold zero_one. destruct (Nat.eqb_spec k 0), (Nat.eqb_spec k 1); lra || lia.
Qed.
