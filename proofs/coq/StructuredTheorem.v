(** From the criterion to guarantees: gradient descent with a decoder, and proximal steps. *)

From Coq Require Import Reals Lra FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices Linear GameTheorem.
From Gaptron Require Import Optimal OptimalDecoder OptimalTheorem.
From Gaptron Require Import StructuredDefinitions StructuredCriterion.
Open Scope R_scope.

(** * Gradient descent *)

(** What may be chosen for features of norm X is a decoder: without decoders there is no guarantee. *)
Lemma guarantee_decodable P X eta alpha regret :
  0 < X -> structured_guarantee P X eta alpha regret -> decodable P eta alpha.
Proof.
  intros HX Hguarantee theta. destruct (Hguarantee 1%nat 0%nat) as (_ & Hdecides & _).
  destruct (Hdecides (fun k _ => theta k / X) (fun _ => X) I) as [p Hp]; [cbn; lra|]. exists p.
  replace theta with (scores 1 (fun k _ => theta k / X) (fun _ => X)); [exact Hp|].
  apply functional_extensionality. intros k. unfold scores, dot. cbn. field. lra.
Qed.

Section Guarantee.
Variables (P : structured) (lambda X eta alpha : R).
Hypothesis Hreg : regular P lambda.
Hypothesis HX : 0 < X.
Hypothesis Heta : 0 < eta.
Hypothesis Halpha : 0 < alpha.

(** Where a decoder exists at all, linear programming finds one. *)
Lemma found_decoder : decodable P eta alpha ->
  forall theta, decodes_at P eta alpha theta (structured_decoder P eta alpha theta).
Proof using Hreg.
  intros Hdec theta. destruct (Hdec theta) as [p Hp]. apply solution_keeps_bounds; [apply Hreg|].
  now apply kept_bounds_are_affordable with p.
Qed.

Lemma guarantee_from_decoders : decodable P eta alpha -> structured_guarantee P X eta alpha (alpha * X ^ 2 / (2 * eta)).
Proof using All.
  intros Hdec d. assert (Hattained : attained P) by apply Hreg. assert (Hs : 0 < scale P) by apply Hreg.
  assert (HX2 : 0 < X ^ 2) by now apply pow_lt. assert (Hunit : 0 < alpha * X ^ 2) by now apply Rmult_lt_0_compat.
  apply told_guarantee; cbn [decoded weight_set revealed estimate label_count draw_count features may_choose chance
    charge highest_price round_loss weight_rows]; auto.
  - now apply Rdiv_lt_0_compat.
  - right. field. lra.
  - intros W x p y V Hy. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|].
    apply fenchel_young_nonneg; [assumption|]. now apply output_in_domain with lambda.
  - intros W x p y V Hy. exists (outer (fun k => alpha * slope P (scores d V x) y k) x).
    apply (outer_subgradient (size P) d (fun theta => alpha * surrogate_loss P y theta)). now apply slope_is_subgradient.
  - intros W x _. exists (structured_decoder P eta alpha (scores d W x)). now apply found_decoder.
  - intros W x p Hp. apply Hp.
  - intros W x p y price g Hp Hy Hx _ Hg. destruct Hp as [_ Hpays]. specialize (Hpays y Hy). unfold weighted in Hpays.
    assert (Hnorm := gradient_norm P lambda Hreg alpha d y W x g Halpha Hg).
    set (S := dot (size P) (slope P (scores d W x) y) (slope P (scores d W x) y)) in *.
    assert (HS : 0 <= S) by apply dot_square_nonneg. set (G := norm2 _ _ _) in *.
    assert (Hsquare : G <= alpha ^ 2 * S * X ^ 2).
    { apply Rle_trans with (1 := Hnorm). apply Rmult_le_compat_l; [|assumption].
      apply Rmult_le_pos; [apply pow2_ge_0|assumption]. }
    assert (Hlast : eta / (alpha * X ^ 2) / 2 * G <= alpha * (eta / 2 * S)); [|lra].
    replace (alpha * (eta / 2 * S)) with (eta / (alpha * X ^ 2) / 2 * (alpha ^ 2 * S * X ^ 2)) by (field; lra).
    apply Rmult_le_compat_l; [|assumption]. left. apply Rdiv_lt_0_compat; [now apply Rdiv_lt_0_compat|lra].
Qed.

(** Gradient descent has its guarantee iff the criterion holds: the rate is at most lambda/(s X^2). *)
Theorem structured_theorem : eta * scale P <= lambda ->
  (structured_guarantee P X eta alpha (alpha * X ^ 2 / (2 * eta)) <-> entropy_criterion P eta alpha).
Proof using All.
  intros Hrate. destruct (structured_criterion P lambda eta alpha Hreg Heta Halpha) as [Honly Hiff]. split.
  - intros Hguarantee. apply Honly. now apply guarantee_decodable with X (alpha * X ^ 2 / (2 * eta)).
  - intros Hcrit. apply guarantee_from_decoders. now apply Hiff.
Qed.

(** * Proximal steps: at every rate, with c = 1/(2 eta), the criterion implies that of the optimal constant *)

Lemma criterion_of_entropies c : 0 < c -> entropy_criterion P (1 / (2 * c)) alpha ->
  criterion (surrogate_problem P) alpha c.
Proof using Hreg Halpha.
  intros Hc Hcrit w theta Hw H Hbest. simpl in *. apply Rle_trans with (1 := Hcrit w Hw H Hbest).
  apply Rmult_le_compat_l; [lra|].
  assert (Hattained : attained P) by apply Hreg. assert (Hs : 0 < scale P) by apply Hreg.
  set (n := size P). set (N := outputs P). set (s := scale P) in *. set (m := mean N w (output P)).
  assert (Hm : domain P m) by (apply Hreg; assumption). assert (Hone : sum N w = 1) by apply Hw.
  set (q := mean N w theta).
  set (v := fun y j => output P y j - m j).
  apply Rle_trans with (weighted N w (fun y => s * (entropy P (output P y) - entropy P m)
    - s ^ 2 / (4 * c) * distance2 n (output P y) m - s * dot n q (v y))).
  - right. assert (Hzero : weighted N w (fun y => dot n q (v y)) = 0).
    { rewrite weighted_dot. apply sum_zero. intros i _. unfold mean, weighted, v.
      rewrite (sum_ext N _ (fun y => w y * output P y i - m i * w y)) by (intros; ring).
      rewrite sum_minus, sum_scale, Hone. unfold m, mean, weighted. ring. }
    transitivity (s * entropy_gap P w - s ^ 2 / (4 * c) * variance n N w (output P) - s * 0); [fold n N; field; lra|].
    rewrite <- Hzero. unfold entropy_gap, variance. fold n N m. unfold weighted.
    rewrite (sum_ext N (fun y => w y * (s * (entropy P (output P y) - entropy P m)
        - s ^ 2 / (4 * c) * distance2 n (output P y) m - s * dot n q (v y)))
      (fun y => s * (w y * entropy P (output P y)) - s * entropy P m * w y
        - s ^ 2 / (4 * c) * (w y * distance2 n (output P y) m) - s * (w y * dot n q (v y)))) by (intros; ring).
    rewrite !sum_minus, !sum_scale, Hone. ring.
  - unfold variance. fold n N q. unfold weighted. rewrite <- sum_scale, <- sum_plus. apply sum_le. intros y Hy.
    replace (w y * surrogate_loss P y (theta y) + c * (w y * distance2 n (theta y) q))
      with (w y * (surrogate_loss P y (theta y) + c * distance2 n (theta y) q)) by ring.
    apply Rmult_le_compat_l; [now apply Hw|].
    assert (Hfy := fenchel_young_nonneg P Hattained (theta y) m Hm). unfold surrogate_loss. fold s.
    unfold fenchel_young in *. fold n in Hfy. fold n.
    assert (Hyoung := dot_young n (s / (2 * c)) (fun i => theta y i - q i) (v y) ltac:(apply Rdiv_lt_0_compat; lra)).
    fold (distance2 n (theta y) q) in Hyoung.
    change (dot n (v y) (v y)) with (distance2 n (output P y) m) in Hyoung.
    assert (Hsplit : dot n (fun i => theta y i - q i) (v y) =
      dot n (theta y) (output P y) - dot n (theta y) m - dot n q (v y)).
    { unfold v, dot. rewrite <- !sum_minus. apply sum_ext. intros. ring. }
    rewrite Hsplit in Hyoung. apply Rmult_le_compat_l with (r := s) in Hyoung; [|lra].
    apply Rmult_le_compat_l with (r := s) in Hfy; [|lra].
    replace (s * (distance2 n (theta y) q / (2 * (s / (2 * c))) + s / (2 * c) / 2 * distance2 n (output P y) m))
      with (c * distance2 n (theta y) q + s ^ 2 / (4 * c) * distance2 n (output P y) m) in Hyoung by (field; lra). lra.
Qed.

Theorem proximal_from_entropies c : 0 < c -> entropy_criterion P (1 / (2 * c)) alpha ->
  attainable (surrogate_problem P) X alpha c.
Proof using Hreg HX Halpha.
  intros Hc Hcrit. apply optimal_constant; try assumption; [apply Hreg| |now apply criterion_of_entropies].
  apply surrogate_convex; apply Hreg.
Qed.

End Guarantee.
