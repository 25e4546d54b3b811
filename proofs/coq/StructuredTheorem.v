(** From the criterion to guarantees: gradient descent with a decoder, and proximal steps. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Optimal OptimalUpper OptimalDecoder OptimalTheorem.
From Gaptron Require Import StructuredDefinitions StructuredCriterion.
Import ListNotations.
Open Scope R_scope.

(** * Gradient descent *)

Section Descent.
Variables (P : structured) (d : nat) (X eta alpha : R) (T : nat).
Variables (x : history -> vector) (y : history -> nat) (W : history -> matrix) (p : history -> nat -> R) (U : matrix).
Hypothesis Hattained : attained P.
Hypothesis Hs : 0 < scale P.
Hypothesis HX : 0 < X.
Hypothesis Heta : 0 < eta.
Hypothesis Halpha : 0 < alpha.
Hypothesis Hadv : adversary (surrogate_problem P) d X T x y.
Hypothesis Hplay : structured_plays P d X eta alpha T x y W p.

Notation n := (size P).
Notation N := (outputs P).
Notation losses := (fun h => surrogate_loss P (y h) (scores d U (x h))).

Let regret := alpha * X ^ 2 / (2 * eta).
Let account h := paid (surrogate_problem P) y h - alpha * total losses h
  + regret * norm2 n d (fun k i => W h k i - U k i).

Lemma inner_outer g z V : inner n d (fun k i => g k * z i) V = dot n g (fun k => dot d (V k) z).
Proof.
  apply sum_ext. intros k _. unfold dot. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

Lemma norm2_outer g z : norm2 n d (fun k i => g k * z i) = dot d z z * dot n g g.
Proof.
  unfold norm2. rewrite inner_outer, <- dot_scale. apply dot_ext; [reflexivity|]. intros k _.
  rewrite (dot_comm d _ z), (dot_scale d z (g k) z). ring.
Qed.

Lemma structured_account_falls h : takes_place N T h -> sum N (fun draw => p h draw * account (draw :: h)) <= account h.
Proof using All.
  intros Hh. destruct Hplay as [_ Hround]. destruct (Hround h Hh) as [[[Hp Hone] Hpays] Hstep].
  destruct (Hadv h Hh) as [Hy Hx]. change (y h < N)%nat in Hy. specialize (Hpays (y h) Hy).
  set (theta := scores d (W h) (x h)) in *. set (u := scores d U (x h)). set (g := slope P theta (y h)) in *.
  assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hslope := slope_below P Hattained (y h) theta u Hs). fold g in Hslope.
  set (I := dot n g (fun i => u i - theta i)) in *. set (G := dot n g g) in *.
  assert (HG : 0 <= G) by apply dot_square_nonneg.
  set (V := fun k i => W h k i - eta / X ^ 2 * (g k * x h i)).
  assert (Hnorm : regret * norm2 n d (fun k i => V k i - U k i) <=
    regret * norm2 n d (fun k i => W h k i - U k i) + alpha * I + alpha * (eta / 2 * G)).
  { unfold V. rewrite (norm2_step n d (W h) U (fun k i => g k * x h i)), inner_outer, norm2_outer. fold G.
    assert (HI : dot n g (fun k => dot d (fun i => U k i - W h k i) (x h)) = I).
    { apply dot_ext; [reflexivity|]. intros k _. unfold u, theta, scores, dot. rewrite <- sum_minus.
      apply sum_ext. intros. ring. }
    rewrite HI.
    assert (Hlast : regret * ((eta / X ^ 2) ^ 2 * (dot d (x h) (x h) * G)) <= alpha * (eta / 2 * G)).
    { replace (regret * ((eta / X ^ 2) ^ 2 * (dot d (x h) (x h) * G)))
        with (alpha * (eta / 2 * G) * (dot d (x h) (x h) / X ^ 2)) by (unfold regret; field; lra).
      rewrite <- (Rmult_1_r (alpha * (eta / 2 * G))) at 2. apply Rmult_le_compat_l.
      - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; lra.
      - apply Rmult_le_reg_r with (X ^ 2); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hmid : regret * (2 * (eta / X ^ 2) * I) = alpha * I) by (unfold regret; field; lra).
    rewrite !Rmult_plus_distr_l. lra. }
  set (C := paid (surrogate_problem P) y h - alpha * (losses h + total losses h)
    + regret * norm2 n d (fun k i => V k i - U k i)).
  rewrite (sum_ext N _ (fun draw => p h draw * cost P draw (y h) + C * p h draw)).
  - rewrite sum_plus, sum_scale, Hone. fold (weighted N (p h) (fun k => cost P k (y h))).
    apply Rmult_le_compat_l with (r := alpha) in Hslope; [|lra]. unfold C, account. fold u. lra.
  - intros draw Hdraw. unfold account, C. cbn [paid total].
    assert (Hnext : norm2 n d (fun k i => W (draw :: h) k i - U k i) = norm2 n d (fun k i => V k i - U k i))
      by (apply inner_ext; intros; now rewrite Hstep).
    rewrite Hnext. simpl target. ring.
Qed.

Theorem structured_descent :
  expectation N p T (paid (surrogate_problem P) y) [] <=
  alpha * expectation N p T (total losses) [] + regret * norm2 n d U.
Proof using All.
  assert (Hregret : 0 <= regret).
  { unfold regret. left. apply Rdiv_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [assumption|now apply pow_lt]. }
  assert (H : expectation N p T (fun h => paid (surrogate_problem P) y h - alpha * total losses h) [] <= account []).
  { apply expectation_telescopes with (T := T); auto using structured_account_falls.
    - intros h Hh. destruct Hplay as [_ Hround]. now destruct (Hround h Hh) as [[Hdist _] _].
    - intros h _ _. unfold account.
      assert (0 <= regret * norm2 n d (fun k i => W h k i - U k i))
        by (apply Rmult_le_pos; [assumption|apply norm2_nonneg]).
      lra. }
  rewrite expectation_minus, expectation_scale in H. destruct Hplay as [Hzero _].
  assert (Hstart : norm2 n d (fun k i => W [] k i - U k i) = norm2 n d U).
  { apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
  unfold account in H. cbn [paid total] in H. rewrite Hstart in H. lra.
Qed.

End Descent.

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

Fixpoint structured_weights (d : nat) (x : history -> vector) (y : history -> nat) (h : history) : matrix :=
  match h with
  | [] => fun _ _ => 0
  | _ :: h => fun k i => structured_weights d x y h k i
      - eta / X ^ 2 * (slope P (scores d (structured_weights d x y h) (x h)) (y h) k * x h i)
  end.

Lemma guarantee_from_decoders : decodable P eta alpha -> structured_guarantee P X eta alpha (alpha * X ^ 2 / (2 * eta)).
Proof using All.
  intros Hdec. assert (Hfound := found_decoder Hdec).
  assert (Hattained : attained P) by apply Hreg. assert (Hs : 0 < scale P) by apply Hreg.
  split; [|split; [assumption|]].
  - intros y theta u Hy. split; [|now apply slope_below].
    apply Rmult_le_pos; [lra|]. apply fenchel_young_nonneg; [assumption|].
    now apply output_in_domain with lambda.
  - intros d T x y Hadv. split.
    + exists (structured_weights d x y),
        (fun h => structured_decoder P eta alpha (scores d (structured_weights d x y h) (x h))).
      split; [reflexivity|]. intros h Hh. split; [apply Hfound|]. reflexivity.
    + intros W p Hplay U. now apply structured_descent with W.
Qed.

(** Gradient descent has its guarantee iff the criterion holds: the rate is at most lambda/(s X^2). *)
Theorem structured_theorem : eta * scale P <= lambda ->
  (structured_guarantee P X eta alpha (alpha * X ^ 2 / (2 * eta)) <-> entropy_criterion P eta alpha).
Proof using All.
  intros Hrate. destruct (structured_criterion P lambda eta alpha Hreg Heta Halpha) as [Honly Hiff]. split.
  - intros (_ & Hdec & _). now apply Honly.
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
