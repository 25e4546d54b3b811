(** Convolutional entropies Omega - L, L(m) the least expected cost at the mean m: J gains H_L, so that the criterion
    holds with alpha s >= 1 and eta s <= 2 b, where Omega has J(w) >= b Var(w). *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Margins Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion StructuredTheorem DominatedCosts.
From Gaptron Require Import RegularisedPredictions EntropyFamilies TargetFamilies.
Open Scope R_scope.

(** On the hull: concave, upper semicontinuous, in [0, 1], 0 at the outputs, and above what no prediction beats. *)
Definition least_cost (N n : nat) (output : nat -> vector) (cost : nat -> nat -> R) (L : vector -> R) : Prop :=
  (forall u v t, hull N n output u -> hull N n output v -> 0 <= t <= 1 ->
    t * L u + (1 - t) * L v <= L (fun i => t * u i + (1 - t) * v i)) /\
  (forall m e, 0 < e -> exists r, 0 < r /\ forall v, distance2 n v m < r -> L v < L m + e) /\
  (forall m, hull N n output m -> 0 <= L m <= 1) /\
  (forall y, (y < N)%nat -> L (output y) = 0) /\
  (forall w, is_distribution N w -> forall H, (forall k, (k < N)%nat -> H <= weighted N w (cost k)) ->
    H <= L (mean N w output)).

Section Convolved.
Variables (N n : nat) (output : nat -> vector) (cost : nat -> nat -> R) (f g L : vector -> R) (lambda b : R).
Hypothesis Hentropy : entropy_suits N n output f lambda b.
Hypothesis Hleast : least_cost N n output cost L.
Hypothesis Hg : forall m, g m = f m - L m.

Notation P s mu := (Structured N n output cost (hull N n output) g s mu).

Lemma convolved_suits : entropy_suits N n output g lambda b.
Proof using All.
  destruct (Hentropy cost 1 Rlt_0_1) as [[mu Hmu] Hsuits]. destruct (Hsuits mu Hmu) as [Hreg Hgap].
  destruct Hreg as (HN & _ & Hlambda & _ & Hstrong & Hclosed & _). simpl in *.
  destruct Hleast as (Hconcave & Hupper & Hrange & Hzero & _).
  apply suits with (f (mu (fun _ => 0)) - 1); [assumption|assumption| | | |].
  - intros u v t Hu Hv Ht. destruct (Hstrong u v t Hu Hv Ht) as [Hin Hle]. split; [assumption|].
    assert (H := Hconcave u v t Hu Hv Ht). rewrite !Hg. lra.
  - intros m e Hm He. destruct (Hclosed m (e / 2) Hm ltac:(lra)) as (r & Hr & Hnear).
    destruct (Hupper m (e / 2) ltac:(lra)) as (r' & Hr' & Hnear').
    exists (Rmin r r'). split; [now apply Rmin_glb_lt|]. intros v Hv Hclose. rewrite !Hg.
    assert (H1 := Hnear v Hv (Rlt_le_trans _ _ _ Hclose (Rmin_l r r'))).
    assert (H2 := Hnear' v (Rlt_le_trans _ _ _ Hclose (Rmin_r r r'))). lra.
  - intros m Hm. rewrite Hg. assert (H := Hrange m Hm). destruct (Hmu (fun _ => 0)) as [_ Hmax].
    specialize (Hmax m Hm). simpl in Hmax. unfold dot in Hmax. rewrite !sum_zero in Hmax by (intros; ring). lra.
  - intros w Hw. specialize (Hgap w Hw). unfold entropy_gap in Hgap. simpl in Hgap. rewrite Hg.
    assert (Hsame : weighted N w (fun y => g (output y)) = weighted N w (fun y => f (output y))).
    { apply sum_ext. intros y Hy. rewrite Hg, Hzero by assumption. ring. }
    assert (H := Hrange _ (mean_in_hull N n output w Hw)). lra.
Qed.

Lemma convolved_criterion s mu eta alpha : 0 < s -> 0 < alpha -> attained (P s mu) -> eta * s <= 2 * b ->
  1 <= alpha * s ->
  entropy_criterion (P s mu) eta alpha.
Proof using All.
  intros Hs Halpha Hmu Hrate Hunit w Hw H Hbest. simpl in *.
  destruct (Hentropy cost 1 Rlt_0_1) as [[mu' Hmu'] Hsuits]. destruct (Hsuits mu' Hmu') as [_ Hgap].
  specialize (Hgap w Hw). unfold entropy_gap in *. simpl in *.
  destruct Hleast as (_ & _ & Hrange & Hzero & Habove).
  assert (HL := Habove w Hw H Hbest). assert (Hpos := Hrange _ (mean_in_hull N n output w Hw)).
  set (V := variance n N w output) in *. assert (HV : 0 <= V) by now apply variance_nonneg.
  assert (Hsame : weighted N w (fun y => g (output y)) = weighted N w (fun y => f (output y))).
  { apply sum_ext. intros y Hy. rewrite Hg, Hzero by assumption. ring. }
  rewrite Hsame, Hg. set (J := weighted N w (fun y => f (output y)) - f (mean N w output)) in *.
  set (l := L (mean N w output)) in *. apply Rle_trans with (1 := HL).
  assert (Hl : 1 * l <= alpha * s * l) by (apply Rmult_le_compat_r; lra).
  assert (Has : 0 < alpha * s) by now apply Rmult_lt_0_compat.
  assert (HJ : alpha * s * (b * V) <= alpha * s * J) by (apply Rmult_le_compat_l; lra).
  assert (HVs : alpha * s * V * (eta * s) <= alpha * s * V * (2 * b)).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|assumption]. }
  unfold J in *. simpl. lra.
Qed.

Theorem convolved_gradient_steps X s eta alpha regret : 0 < X -> 0 < s -> 0 < eta -> 0 < alpha -> eta * s <= lambda ->
  eta * s <= 2 * b -> 1 <= alpha * s -> alpha / (2 * eta) <= regret ->
  (exists mu, attained (P s mu)) /\
  forall mu, attained (P s mu) -> structured_guarantee (P s mu) X eta alpha (regret * X ^ 2).
Proof using All.
  intros HX Hs Heta Halpha Hrate Hrate' Hunit Hregret. destruct (convolved_suits cost s Hs) as [Hexists Hsuits].
  split; [assumption|]. intros mu Hmu. destruct (Hsuits mu Hmu) as [Hreg _].
  apply guarantee_with_more with (alpha * X ^ 2 / (2 * eta)).
  - replace (alpha * X ^ 2 / (2 * eta)) with (alpha / (2 * eta) * X ^ 2) by (field; lra).
    apply Rmult_le_compat_r; [apply pow2_ge_0|assumption].
  - apply structured_theorem with lambda; try assumption. now apply convolved_criterion.
Qed.

Theorem convolved_proximal_steps X s alpha c : 0 < X -> 0 < s -> 0 < alpha -> 0 < c ->
  s / (2 * c) <= 2 * b -> 1 <= alpha * s ->
  (exists mu, attained (P s mu)) /\
  forall mu, attained (P s mu) -> attainable (surrogate_problem (P s mu)) X alpha c.
Proof using All.
  intros HX Hs Halpha Hc Hrate Hunit. destruct (convolved_suits cost s Hs) as [Hexists Hsuits].
  split; [assumption|]. intros mu Hmu. destruct (Hsuits mu Hmu) as [Hreg _].
  apply proximal_from_entropies with lambda; try assumption. apply convolved_criterion; try assumption.
  replace (1 / (2 * c) * s) with (s / (2 * c)) by (field; lra). assumption.
Qed.

End Convolved.

(** * Sums and maxima nearby *)

Lemma entry_close n u v r i : 0 < r -> distance2 n u v < r ^ 2 -> (i < n)%nat -> Rabs (u i - v i) <= r.
Proof.
  intros Hr Hd Hi. rewrite distance2_sum in Hd. assert (Hterm : (u i - v i) ^ 2 <= r ^ 2).
  { left. apply Rle_lt_trans with (2 := Hd). apply (term_le_sum n (fun i => (u i - v i) ^ 2)); [assumption|].
    intros. apply pow2_ge_0. }
  apply Rsqr_incr_0_var; [|lra]. rewrite <- Rsqr_abs, !Rsqr_pow2. exact Hterm.
Qed.

(** * Classes, the 0-1 target: L(m) = 1 - max_k m_k *)

Theorem least_zero_one_cost K : (0 < K)%nat ->
  least_cost K K unit_vector zero_one (fun m => 1 - largest (K - 1) m).
Proof.
  intros HK. assert (Hupto : forall m c, (forall k, (k < K)%nat -> m k <= c) -> largest (K - 1) m <= c).
  { intros m c Hm. destruct (largest_attained (K - 1) m) as (j & Hj & ->). apply Hm. lia. }
  assert (Hentry : forall m k, (k < K)%nat -> m k <= largest (K - 1) m) by (intros; apply largest_ge; lia).
  split; [|split; [|split; [|split]]].
  - intros u v t _ _ Ht.
    assert (H : largest (K - 1) (fun i => t * u i + (1 - t) * v i) <=
      t * largest (K - 1) u + (1 - t) * largest (K - 1) v).
    { apply Hupto. intros k Hk. assert (Hu := Hentry u k Hk). assert (Hv := Hentry v k Hk).
      apply Rplus_le_compat; apply Rmult_le_compat_l; lra. }
    lra.
  - intros m e He. exists ((e / 2) ^ 2). split; [apply pow_lt; lra|]. intros v Hv.
    assert (H : largest (K - 1) m <= largest (K - 1) v + e / 2); [|lra]. apply Hupto. intros k Hk.
    assert (Hclose := entry_close K v m (e / 2) k ltac:(lra) Hv Hk). assert (Habs := Rle_abs (- (v k - m k))).
    rewrite Rabs_Ropp in Habs. assert (Hk' := Hentry v k Hk). lra.
  - intros m Hm. destruct (hull_of_units K m Hm) as [Hpos Hone].
    assert (largest (K - 1) m <= 1).
    { apply Hupto. intros k Hk. rewrite <- Hone. now apply term_le_sum. }
    assert (H0 := Hentry m 0%nat HK). specialize (Hpos 0%nat HK). lra.
  - intros y Hy. assert (H := Hentry (unit_vector y) y Hy). assert (largest (K - 1) (unit_vector y) <= 1).
    { apply Hupto. intros k _. unfold unit_vector. destruct (Nat.eqb k y); lra. }
    unfold unit_vector at 1 in H. rewrite Nat.eqb_refl in H. lra.
  - intros w Hw H Hbest. assert (largest (K - 1) (mean K w unit_vector) <= 1 - H); [|lra].
    apply Hupto. intros k Hk. rewrite mean_of_units by assumption. specialize (Hbest k Hk).
    assert (Hwrong : weighted K w (zero_one k) = 1 - w k).
    { rewrite <- (P_wrong_top_up K w k Hw Hk). apply sum_ext. intros y _. unfold zero_one. now rewrite Nat.eqb_sym. }
    lra.
Qed.

(** * Entries 0 and 1, the Hamming target: L(m) = sum_i min(m_i, 1 - m_i)/n *)

Section Binary.
Variables (N n : nat) (output : nat -> vector).
Hypothesis Hbinary : is_binary N n output.
Hypothesis Hroundable : roundable N n output.

Theorem least_hamming_cost cost : (0 < n)%nat ->
  (forall k y, cost k y = sum n (fun i => differs (output k i) (output y i)) / INR n) ->
  least_cost N n output cost (fun m => sum n (fun i => Rmin (m i) (1 - m i)) / INR n).
Proof using All.
  intros Hn Hcost. assert (HnR : 0 < INR n) by now apply lt_0_INR.
  assert (Hinv : 0 < / INR n) by now apply Rinv_0_lt_compat.
  assert (Hmin : forall a, Rmin a (1 - a) <= a /\ Rmin a (1 - a) <= 1 - a)
    by (intros; split; [apply Rmin_l|apply Rmin_r]).
  split; [|split; [|split; [|split]]].
  - intros u v t _ _ Ht. unfold Rdiv. rewrite <- !Rmult_assoc, <- Rmult_plus_distr_r.
    apply Rmult_le_compat_r; [lra|]. rewrite <- !sum_scale, <- sum_plus. apply sum_le. intros i _.
    destruct (Hmin (u i)) as [Hu Hu'], (Hmin (v i)) as [Hv Hv'].
    apply Rmin_glb; [apply Rplus_le_compat; apply Rmult_le_compat_l; lra|].
    apply Rle_trans with (t * (1 - u i) + (1 - t) * (1 - v i)); [|lra].
    apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
  - intros m e He. exists ((e / 2) ^ 2). split; [apply pow_lt; lra|]. intros v Hv.
    apply Rle_lt_trans with ((sum n (fun i => Rmin (m i) (1 - m i)) + INR n * (e / 2)) / INR n).
    + apply Rmult_le_compat_r; [lra|]. rewrite <- sum_const, <- sum_plus. apply sum_le. intros i Hi.
      assert (Hclose := entry_close n v m (e / 2) i ltac:(lra) Hv Hi). assert (Habs := Rle_abs (v i - m i)).
      assert (Habs' := Rle_abs (- (v i - m i))). rewrite Rabs_Ropp in Habs'. destruct (Hmin (v i)).
      unfold Rmin at 2. destruct (Rle_dec (m i) (1 - m i)); lra.
    + replace ((sum n (fun i => Rmin (m i) (1 - m i)) + INR n * (e / 2)) / INR n)
        with (sum n (fun i => Rmin (m i) (1 - m i)) / INR n + e / 2) by (field; lra). lra.
  - intros m Hm. assert (Hrange := hull_of_binary N n output Hbinary m).
    assert (0 <= sum n (fun i => Rmin (m i) (1 - m i)) <= INR n * 1).
    { split; [|rewrite <- sum_const; apply sum_le]; [apply sum_nonneg|]; intros i Hi; assert (H := Hrange i Hm Hi).
      - apply Rmin_glb; lra.
      - destruct (Hmin (m i)). lra. }
    split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with (INR n); [assumption|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - intros y Hy. rewrite sum_zero; [unfold Rdiv; ring|]. intros i Hi.
    destruct (Hbinary y i Hy Hi) as [->| ->]; [rewrite Rmin_left by lra|rewrite Rmin_right by lra]; ring.
  - intros w Hw H Hbest. destruct (Hroundable w Hw) as (k & Hk & Hround).
    apply Rle_trans with (1 := Hbest k Hk). right.
    transitivity (/ INR n * weighted N w (fun y => sum n (fun i => differs (output k i) (output y i)))).
    { unfold weighted. rewrite <- sum_scale. apply sum_ext. intros. rewrite Hcost. unfold Rdiv. ring. }
    unfold Rdiv. rewrite Rmult_comm. f_equal. unfold weighted.
    rewrite (sum_ext N _ (fun y => sum n (fun i => w y * differs (output k i) (output y i))))
      by (intros; now rewrite sum_scale).
    rewrite sum_swap. apply sum_ext. intros i Hi. fold (weighted N w (fun y => differs (output k i) (output y i))).
    rewrite (rounded_entry_pays N n output Hbinary w k i Hw Hi (Hround i Hi)). reflexivity.
Qed.

End Binary.
