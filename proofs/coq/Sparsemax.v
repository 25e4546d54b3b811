(** Sparsemax with the 0-1 target: a projection onto the simplex exists, and what the criterion says of it. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Margins Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion StructuredTheorem SquaredNorm New.
Open Scope R_scope.

(** * The projection: max(0, theta_k - tau) with the sum 1 *)

Definition above (theta : vector) (tau : R) (k : nat) : R := (theta k - tau + Rabs (theta k - tau)) / 2.

Lemma above_max theta tau k : above theta tau k = Rmax 0 (theta k - tau).
Proof.
  unfold above. destruct (Rle_lt_dec 0 (theta k - tau)).
  - rewrite Rabs_right, Rmax_right; lra.
  - rewrite Rabs_left, Rmax_left; lra.
Qed.

Lemma above_continuous n theta : continuity (fun tau => sum n (above theta tau)).
Proof.
  induction n as [|n IH].
  - apply continuity_const. intros a b. reflexivity.
  - change (continuity (plus_fct (fun tau => sum n (above theta tau)) (fun tau => above theta tau n))).
    apply continuity_plus; [assumption|]. unfold above, Rdiv.
    assert (Hline : continuity (fun tau => theta n - tau))
      by (apply (continuity_minus (fct_cte (theta n)) id);
          [apply continuity_const; intros a b; reflexivity|apply derivable_continuous, derivable_id]).
    apply (continuity_mult (fun tau => theta n - tau + Rabs (theta n - tau)) (fct_cte (/ 2)));
      [|apply continuity_const; intros a b; reflexivity].
    apply (continuity_plus (fun tau => theta n - tau) (fun tau => Rabs (theta n - tau))); [assumption|].
    apply (continuity_comp (fun tau => theta n - tau) Rabs); [assumption|apply Rcontinuity_abs].
Qed.

Lemma threshold K theta : (2 <= K)%nat -> {tau | sum K (above theta tau) = 1}.
Proof.
  intros HK. set (f := fun tau => sum K (above theta tau) - 1). set (low := theta 0%nat - 1).
  set (high := largest (K - 1) theta).
  assert (Hpos : forall tau k, (k < K)%nat -> 0 <= above theta tau k) by (intros; rewrite above_max; apply Rmax_l).
  assert (Hlow : 0 <= f low).
  { assert (H := term_le_sum K (above theta low) 0 ltac:(lia) (Hpos low)). rewrite above_max, Rmax_right in H;
      unfold f, low in *; lra. }
  assert (Hhigh : f high <= 0).
  { unfold f. rewrite sum_zero; [lra|]. intros k Hk. rewrite above_max. apply Rmax_left.
    assert (theta k <= high) by (apply largest_ge; lia). lra. }
  assert (Hle : low <= high) by (assert (theta 0%nat <= high) by (apply largest_ge; lia); unfold low; lra).
  assert (Hf : continuity f).
  { apply (continuity_minus (fun tau => sum K (above theta tau)) (fct_cte 1));
      [apply above_continuous|apply continuity_const; intros a b; reflexivity]. }
  destruct (IVT_cor f low high Hf Hle ltac:(nra)) as [tau [_ Htau]]. exists tau. unfold f in Htau. lra.
Qed.

Definition sparsemax (K : nat) (HK : (2 <= K)%nat) (theta : vector) : vector :=
  above theta (proj1_sig (threshold K theta HK)).

Lemma sparsemax_attained K HK : attained (sparsemax_classes K (sparsemax K HK)).
Proof.
  intros theta. simpl. unfold sparsemax. destruct (threshold K theta HK) as [tau Htau]. simpl.
  assert (Hpos : forall k, (k < K)%nat -> 0 <= above theta tau k) by (intros; rewrite above_max; apply Rmax_l).
  split; [now split|]. intros m [Hm Hone]. set (p := above theta tau) in *.
  assert (H : sum K (fun k => (theta k * m k - m k * m k / 2) + tau * (p k - m k))
    <= sum K (fun k => theta k * p k - p k * p k / 2)).
  { apply sum_le. intros k Hk. specialize (Hm k Hk). unfold p. rewrite above_max. cbv beta.
    destruct (Rle_lt_dec 0 (theta k - tau)) as [Hle|Hlt].
    - rewrite Rmax_right by assumption. assert (0 <= (theta k - tau - m k) ^ 2) by apply pow2_ge_0. nra.
    - rewrite Rmax_left by lra. assert (0 <= (tau - theta k) * m k) by (apply Rmult_le_pos; lra). nra. }
  rewrite sum_plus, sum_scale, (sum_minus K p m), Htau, Hone in H.
  rewrite !squared_norm_objective. lra.
Qed.

(** * The criterion *)

Section Classes.
Variables (K : nat) (mu : vector -> vector).
Hypothesis HK : (2 <= K)%nat.
Hypothesis Hattained : attained (sparsemax_classes K mu).

Notation P := (sparsemax_classes K mu).

Lemma mean_of_classes w i : (i < K)%nat -> mean K w (output P) i = w i.
Proof using.
  intros Hi. unfold mean, weighted. simpl. rewrite (sum_ext K _ (fun y => w y * (if Nat.eqb y i then 1 else 0))).
  - rewrite sum_at by assumption. ring.
  - intros y _. now rewrite Nat.eqb_sym.
Qed.

Lemma sparsemax_regular : regular P 1.
Proof using All.
  split; [simpl; lia|]. split; [simpl; lra|]. split; [lra|]. split; [|split; [|split; [|assumption]]].
  - intros w [Hw Hone]. split.
    + intros i Hi. rewrite mean_of_classes by assumption. now apply Hw.
    + rewrite (sum_ext K _ w); [exact Hone|]. intros. now apply mean_of_classes.
  - apply squared_norm_strongly_convex; [reflexivity|]. intros u v t [Hu Hu1] [Hv Hv1] Ht. split.
    + intros k Hk. specialize (Hu k Hk). specialize (Hv k Hk).
      assert (0 <= t * u k) by (apply Rmult_le_pos; lra). assert (0 <= (1 - t) * v k) by (apply Rmult_le_pos; lra). lra.
    + rewrite sum_plus, !sum_scale, Hu1, Hv1. ring.
  - now apply squared_norm_closed.
Qed.

(** Var(w) = 1 - ||w||^2 *)
Lemma variance_of_classes w : is_distribution K w -> variance K K w (output P) = 1 - dot K w w.
Proof using.
  intros Hw. assert (H := variance_about K w (output P) (fun _ => 0) K Hw).
  assert (Hzero : forall v, distance2 K v (fun _ => 0) = dot K v v) by (intros; apply sum_ext; intros; ring).
  rewrite Hzero, (dot_ext K (mean K w (output P)) w (mean K w (output P)) w) in H
    by (intros; now apply mean_of_classes).
  assert (Hunit : weighted K w (fun y => distance2 K (output P y) (fun _ => 0)) = 1).
  { rewrite <- (proj2 Hw). apply sum_ext. intros y Hy. rewrite Hzero. unfold dot. simpl.
    rewrite (sum_at K (fun i => if Nat.eqb i y then 1 else 0) y 1) by assumption. rewrite Nat.eqb_refl. ring. }
  lra.
Qed.

Lemma wrong_on_average w k : is_distribution K w -> (k < K)%nat -> weighted K w (zero_one k) = 1 - w k.
Proof using.
  intros Hw Hk. rewrite <- (P_wrong_top_up K w k Hw Hk). apply sum_ext. intros y _.
  unfold zero_one. now rewrite Nat.eqb_sym.
Qed.

(** 1 - max w <= 1 - ||w||^2 *)
Lemma best_label_pays w H : is_distribution K w ->
  (forall k, (k < K)%nat -> H <= weighted K w (zero_one k)) -> H <= 1 - dot K w w.
Proof using.
  intros Hw Hbest. assert (Hcap : sum K (fun k => w k ^ 2) <= (1 - H) * sum K w).
  { apply sum_squares_cap. intros k Hk. split; [now apply Hw|]. specialize (Hbest k Hk).
    rewrite wrong_on_average in Hbest by assumption. lra. }
  rewrite (proj2 Hw) in Hcap. assert (Hdot : dot K w w = sum K (fun k => w k ^ 2)) by (apply sum_ext; intros; ring).
  lra.
Qed.

Definition coin (k : nat) : R := (if Nat.eqb k 0 then 1 / 2 else 0) + (if Nat.eqb k 1 then 1 / 2 else 0).

Lemma coin_is_distribution : is_distribution K coin.
Proof using HK.
  split; [intros k _; unfold coin; destruct (Nat.eqb k 0), (Nat.eqb k 1); lra|].
  unfold coin. rewrite sum_plus, !sum_pick by lia. lra.
Qed.

Lemma coin_norm : dot K coin coin = 1 / 2.
Proof using HK.
  unfold dot. rewrite (sum_ext K _ (fun k => (if Nat.eqb k 0 then 1 / 4 else 0) + (if Nat.eqb k 1 then 1 / 4 else 0))).
  - rewrite sum_plus, !sum_pick by lia. lra.
  - intros k _. unfold coin. destruct (Nat.eqb_spec k 0), (Nat.eqb_spec k 1); try lia; lra.
Qed.

Lemma sparsemax_criterion eta alpha : 0 < alpha -> (entropy_criterion P eta alpha <-> 2 <= alpha * (1 - eta)).
Proof using HK.
  intros Halpha. rewrite (squared_norm_criterion P (fun _ => eq_refl)).
  assert (Hvalue : forall w, is_distribution K w ->
    alpha * (scale P * (1 - eta * scale P) / 2) * variance (size P) (outputs P) w (output P) =
    alpha * (1 - eta) / 2 * (1 - dot K w w)).
  { intros w Hw. assert (Hvar := variance_of_classes w Hw). simpl in *. rewrite Hvar. field. }
  split.
  - intros Hcrit. specialize (Hcrit coin coin_is_distribution (1 / 2)).
    rewrite Hvalue, coin_norm in Hcrit by apply coin_is_distribution.
    assert (1 / 2 <= alpha * (1 - eta) / 2 * (1 - 1 / 2)); [|lra]. apply Hcrit. intros k Hk. simpl.
    rewrite wrong_on_average by (apply coin_is_distribution || assumption).
    unfold coin. destruct (Nat.eqb_spec k 0), (Nat.eqb_spec k 1); try lia; lra.
  - intros Hrate w Hw H Hbest. change (is_distribution K w) in Hw. rewrite Hvalue by assumption.
    assert (Hpays := best_label_pays w H Hw Hbest).
    assert (Hsquare : dot K w w <= 1).
    { assert (Hdot : dot K w w = sum K (fun k => w k ^ 2)) by (apply sum_ext; intros; ring).
      assert (Hle := sum_squares_le K w (proj1 Hw)). rewrite (proj2 Hw) in Hle. lra. }
    assert (1 * (1 - dot K w w) <= alpha * (1 - eta) / 2 * (1 - dot K w w)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma sparsemax_decodable eta alpha : 0 < eta -> 0 < alpha -> (decodable P eta alpha <-> 2 <= alpha * (1 - eta)).
Proof using All.
  intros Heta Halpha. rewrite <- sparsemax_criterion by assumption.
  destruct (structured_criterion P 1 eta alpha sparsemax_regular Heta Halpha) as [Honly Hiff].
  split; [assumption|]. intros Hcrit. apply Hiff; [|assumption]. rewrite sparsemax_criterion in Hcrit by assumption.
  simpl. nra.
Qed.

End Classes.

Theorem sparsemax_zero_one : SparsemaxZeroOne.
Proof.
  intros K X HK HX. split; [exists (sparsemax K HK); apply sparsemax_attained|]. intros mu Hattained.
  assert (Hdec := sparsemax_decodable K mu HK Hattained). assert (Hreg := sparsemax_regular K mu HK Hattained).
  split; [|split; [assumption|split]].
  - replace (4 * X ^ 2) with (4 * X ^ 2 / (2 * (1 / 2))) by field.
    apply guarantee_from_decoders with 1; [assumption|assumption|lra|lra|]. apply Hdec; lra.
  - intros eta regret Heta Hfound. apply guarantee_decodable, Hdec in Hfound; lra.
  - intros eta alpha Heta Halpha Hfound. apply Hdec in Hfound; [|assumption|assumption].
    assert (H := least_regret 2 eta alpha). lra.
Qed.

Print Assumptions sparsemax_zero_one.
