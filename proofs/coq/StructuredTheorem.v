(** From the criterion to guarantees: gradient descent with a decoder, and proximal steps. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent.
From Gaptron Require Import Optimal OptimalUpper OptimalDecoder OptimalTheorem.
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

Lemma inner_outer g z V : inner n d (fun k i => g k * z i) V = dot n g (fun k => dot d (V k) z).
Proof.
  apply sum_ext. intros k _. unfold dot. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

Lemma norm2_outer g z : norm2 n d (fun k i => g k * z i) = dot d z z * dot n g g.
Proof.
  unfold norm2. rewrite inner_outer, <- dot_scale. apply dot_ext; [reflexivity|]. intros k _.
  rewrite (dot_comm d _ z), (dot_scale d z (g k) z). ring.
Qed.

Theorem structured_descent :
  expectation N p T (paid (surrogate_problem P) y) [] <=
  alpha * expectation N p T (total (fun h => surrogate_loss P (y h) (scores d U (x h)))) []
  + alpha * X ^ 2 / (2 * eta) * norm2 n d U.
Proof using All.
  assert (HX2 : 0 < X ^ 2) by now apply pow_lt. destruct Hplay as [Hzero Hround].
  apply (full_descent N T alpha p) with (W := W) (eta := eta / X ^ 2)
    (l := fun h V => surrogate_loss P (y h) (scores d V (x h))); [| |lra|right; field; lra|assumption|].
  - intros h Hh. now destruct (Hround h Hh) as [[Hdist _] _].
  - apply Rmult_lt_0_compat; [assumption|now apply Rinv_0_lt_compat].
  - intros h Hh. destruct (Hround h Hh) as [[_ Hpays] Hstep]. destruct (Hadv h Hh) as (Hy & Hx & _).
    cbn [arena label_count features labels surrogate_problem] in Hy, Hx.
    set (theta := scores d (W h) (x h)) in *. set (g := slope P theta (y h)) in *.
    exists (fun k i => g k * x h i). split; [|split; [intros draw k i; apply Hstep|]].
    + intros V. rewrite inner_outer.
      replace (dot n g (fun k => dot d (fun i => V k i - W h k i) (x h)))
        with (dot n g (fun i => scores d V (x h) i - theta i)); [now apply slope_below|].
      apply dot_ext; [reflexivity|]. intros k _. unfold theta, scores, dot. rewrite <- sum_minus.
      apply sum_ext. intros. ring.
    + apply Rle_trans with (1 := Hpays (y h) Hy). apply Rmult_le_compat_l; [lra|]. fold theta g.
      rewrite norm2_outer. assert (HG : 0 <= dot n g g) by apply dot_square_nonneg. set (G := dot n g g) in *.
      assert (Hlast : eta / X ^ 2 / 2 * (dot d (x h) (x h) * G) <= eta / 2 * G); [|lra].
      replace (eta / X ^ 2 / 2 * (dot d (x h) (x h) * G)) with (eta / 2 * G * (dot d (x h) (x h) / X ^ 2)) by (field; lra).
      rewrite <- (Rmult_1_r (eta / 2 * G)) at 2. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
      apply Rmult_le_reg_r with (X ^ 2); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
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
