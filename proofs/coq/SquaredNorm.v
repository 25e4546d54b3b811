(** The entropy ||m||^2/2 on any domain: regular with lambda = 1, and J(w) = Var(w)/2. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion.
Open Scope R_scope.

Lemma squared_norm_objective n theta v :
  dot n theta v - dot n v v / 2 = sum n (fun i => theta i * v i - v i * v i / 2).
Proof. unfold dot, Rdiv. rewrite Rmult_comm, <- sum_scale, <- sum_minus. apply sum_ext. intros. field. Qed.

Section SquaredNorm.
Variable P : structured.
Hypothesis Hentropy : forall m, entropy P m = dot (size P) m m / 2.

Notation n := (size P).
Notation N := (outputs P).

Lemma squared_norm_strongly_convex :
  (forall u v t, domain P u -> domain P v -> 0 <= t <= 1 -> domain P (fun i => t * u i + (1 - t) * v i)) ->
  strongly_convex n (domain P) (entropy P) 1.
Proof using Hentropy.
  intros Hconvex u v t Hu Hv Ht. split; [now apply Hconvex|]. right. rewrite !Hentropy.
  unfold distance2, dot, Rdiv. rewrite <- !(Rmult_comm (/ 2)), <- !sum_scale, <- !sum_plus.
  apply sum_ext. intros. field.
Qed.

Lemma squared_norm_closed : lower_semicontinuous n (domain P) (entropy P).
Proof using Hentropy.
  intros m e _ He. set (r := e / (1 + dot n m m)). assert (Hm : 0 <= dot n m m) by apply dot_square_nonneg.
  assert (Hr : 0 < r) by (apply Rdiv_lt_0_compat; lra).
  exists (r * e). split; [now apply Rmult_lt_0_compat|]. intros v _ Hv. rewrite !Hentropy.
  assert (Hyoung := dot_young n r (fun i => v i - m i) (fun i => - m i) Hr). unfold distance2 in Hv.
  assert (Hneg : dot n (fun i => - m i) (fun i => - m i) = dot n m m) by (apply sum_ext; intros; ring).
  assert (Hsplit : dot n (fun i => v i - m i) (fun i => - m i) = dot n m m - dot n m v).
  { unfold dot. rewrite <- sum_minus. apply sum_ext. intros. ring. }
  assert (Hsquare : dot n (fun i => v i - m i) (fun i => v i - m i) = dot n v v - 2 * dot n m v + dot n m m).
  { unfold dot. rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring. }
  assert (Hnonneg : 0 <= dot n (fun i => v i - m i) (fun i => v i - m i)) by apply dot_square_nonneg.
  rewrite Hneg, Hsplit in Hyoung. set (D := dot n (fun i => v i - m i) (fun i => v i - m i)) in *.
  assert (HDr : D / (2 * r) < e / 2).
  { apply Rmult_lt_reg_r with (2 * r); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Hrm : r / 2 * dot n m m <= e / 2).
  { assert (r * (1 + dot n m m) = e) by (unfold r; field; lra). lra. }
  lra.
Qed.

Lemma squared_norm_gap w : is_distribution N w -> entropy_gap P w = variance n N w (output P) / 2.
Proof using Hentropy.
  intros Hw. unfold entropy_gap. rewrite Hentropy.
  assert (H := variance_about N w (output P) (fun _ => 0) n Hw).
  assert (Hdot : forall v, distance2 n v (fun _ => 0) = dot n v v) by (intros; apply sum_ext; intros; ring).
  rewrite Hdot in H. unfold weighted in *.
  rewrite (sum_ext N _ (fun y => / 2 * (w y * distance2 n (output P y) (fun _ => 0)))).
  - rewrite sum_scale. lra.
  - intros. rewrite Hentropy, Hdot. field.
Qed.

(** H_L(w) <= (alpha s (1 - eta s)/2) Var(w) *)
Lemma squared_norm_criterion eta alpha : entropy_criterion P eta alpha <->
  forall w, is_distribution N w -> forall H, (forall k, (k < N)%nat -> H <= weighted N w (cost P k)) ->
    H <= alpha * (scale P * (1 - eta * scale P) / 2) * variance n N w (output P).
Proof using Hentropy.
  assert (Hsame : forall w, is_distribution N w ->
    alpha * (scale P * entropy_gap P w - eta * scale P ^ 2 / 2 * variance n N w (output P)) =
    alpha * (scale P * (1 - eta * scale P) / 2) * variance n N w (output P)).
  { intros w Hw. rewrite squared_norm_gap by assumption. field. }
  split; intros Hcrit w Hw H Hbest; specialize (Hcrit w Hw H Hbest); specialize (Hsame w Hw); lra.
Qed.

End SquaredNorm.

(** The least regret of all pairs: alpha (1 - eta) >= A has alpha/(2 eta) >= A/(2 eta (1 - eta)) >= 2 A. *)
Lemma least_regret A eta alpha : 0 < A -> 0 < eta -> 0 < alpha -> A <= alpha * (1 - eta) -> 2 * A <= alpha / (2 * eta).
Proof.
  intros HA Heta Halpha H. assert (Hone : 0 < 1 - eta) by (apply Rmult_lt_reg_l with alpha; lra).
  assert (Hsquare : 0 <= A * (1 - 2 * eta) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
  apply Rmult_le_reg_r with (2 * eta * (1 - eta)); [apply Rmult_lt_0_compat; lra|].
  replace (alpha / (2 * eta) * (2 * eta * (1 - eta))) with (alpha * (1 - eta)) by (field; lra). lra.
Qed.
