(** The criterion from two inequalities about the variance of the outputs: the least expected cost is at most A Var(w),
    and J(w) is at least b Var(w). Then A + alpha eta s^2/2 <= alpha s b is enough. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Matrices GameTheorem Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion StructuredTheorem.
Open Scope R_scope.

Definition cost_below_variance (N n : nat) (output : nat -> vector) (cost : nat -> nat -> R) (A : R) : Prop :=
  forall w, is_distribution N w -> forall H, (forall k, (k < N)%nat -> H <= weighted N w (cost k)) ->
    H <= A * variance n N w output.

Definition entropy_above_variance (P : structured) (b : R) : Prop :=
  forall w, is_distribution (outputs P) w -> b * variance (size P) (outputs P) w (output P) <= entropy_gap P w.

Lemma with_bound N n output cost A A' : A = A' ->
  cost_below_variance N n output cost A -> cost_below_variance N n output cost A'.
Proof. now intros ->. Qed.

Lemma variance_nonneg n N w output : is_distribution N w -> 0 <= variance n N w output.
Proof. intros [Hw _]. apply sum_nonneg. intros y Hy. apply Rmult_le_pos; [auto|apply distance2_nonneg]. Qed.

(** A prediction drawn from w itself: if yhat for y and y for yhat cost at most C ||yhat - y||^2 in the mean, it costs at
    most 2 C Var(w). *)
Section Drawn.
  Variables (N n : nat) (output : nat -> vector) (w : nat -> R).
  Hypothesis Hw : is_distribution N w.
  Let drawn (cost : nat -> nat -> R) := weighted N w (fun k => weighted N w (cost k)).

  Lemma drawn_at_least cost H : (forall k, (k < N)%nat -> H <= weighted N w (cost k)) -> H <= drawn cost.
  Proof using Hw.
    intros Hbest. apply Rle_trans with (weighted N w (fun _ => H)).
    - right. unfold weighted. rewrite (sum_ext N _ (fun k => H * w k)) by (intros; ring).
      rewrite sum_scale, (proj2 Hw). ring.
    - apply sum_le. intros k Hk. apply Rmult_le_compat_l; [now apply Hw|auto].
  Qed.

  Lemma drawn_twice cost : 2 * drawn cost = drawn (fun k y => cost k y + cost y k).
  Proof using.
    assert (Hall : forall c, drawn c = sum N (fun k => sum N (fun y => w k * w y * c k y))).
    { intros c. apply sum_ext. intros k _. unfold weighted. rewrite <- sum_scale. apply sum_ext. intros. ring. }
    rewrite !Hall, (sum_ext N (fun k => sum N (fun y => w k * w y * (cost k y + cost y k)))
      (fun k => sum N (fun y => w k * w y * cost k y) + sum N (fun y => w k * w y * cost y k))).
    - rewrite sum_plus, (sum_swap N N (fun k y => w k * w y * cost y k)).
      rewrite (sum_ext N (fun j => sum N (fun i => w i * w j * cost j i))
        (fun k => sum N (fun y => w k * w y * cost k y))); [ring|]. intros. apply sum_ext. intros. ring.
    - intros k _. rewrite <- sum_plus. apply sum_ext. intros. ring.
  Qed.

  Lemma drawn_distance C : drawn (fun k y => C * distance2 n (output k) (output y)) = 2 * C * variance n N w output.
  Proof using Hw.
    set (V := variance n N w output).
    transitivity (sum N (fun k => C * V * w k + C * (w k * distance2 n (output k) (mean N w output)))).
    - apply sum_ext. intros k _. transitivity (w k * (C * (V + distance2 n (output k) (mean N w output)))); [|ring].
      f_equal. rewrite (distance2_comm n (output k)). unfold V. rewrite <- (variance_about N w output (output k) n Hw).
      unfold weighted. rewrite <- sum_scale. apply sum_ext. intros y _. rewrite (distance2_comm n (output k)). ring.
    - rewrite sum_plus, !sum_scale, (proj2 Hw). fold (weighted N w (fun k => distance2 n (output k) (mean N w output))).
      fold (variance n N w output). fold V. ring.
  Qed.
End Drawn.

Theorem cost_below_mean_distance N n output cost C :
  (forall k y, (k < N)%nat -> (y < N)%nat -> cost k y + cost y k <= 2 * C * distance2 n (output k) (output y)) ->
  cost_below_variance N n output cost (2 * C).
Proof.
  intros Hcost w Hw H Hbest. assert (Hdrawn := drawn_at_least N w Hw cost H Hbest).
  assert (Htwice := drawn_twice N w cost). assert (Hall := drawn_distance N n output w Hw (2 * C)).
  assert (Hless : weighted N w (fun k => weighted N w (fun y => cost k y + cost y k)) <=
    weighted N w (fun k => weighted N w (fun y => 2 * C * distance2 n (output k) (output y)))).
  { apply sum_le. intros k Hk. apply Rmult_le_compat_l; [now apply Hw|]. apply sum_le. intros y Hy.
    apply Rmult_le_compat_l; [now apply Hw|auto]. }
  lra.
Qed.

Corollary cost_below_distance N n output cost C :
  (forall k y, (k < N)%nat -> (y < N)%nat -> cost k y <= C * distance2 n (output k) (output y)) ->
  cost_below_variance N n output cost (2 * C).
Proof.
  intros Hcost. apply cost_below_mean_distance. intros k y Hk Hy. assert (H1 := Hcost k y Hk Hy).
  assert (H2 := Hcost y k Hy Hk). rewrite (distance2_comm n (output y)) in H2. lra.
Qed.

Lemma dominated_criterion P A b eta alpha :
  cost_below_variance (outputs P) (size P) (output P) (cost P) A -> entropy_above_variance P b ->
  0 < alpha -> 0 < scale P -> A + alpha * (eta * scale P ^ 2 / 2) <= alpha * scale P * b ->
  entropy_criterion P eta alpha.
Proof.
  intros Hcost Hgap Halpha Hs Hnumbers w Hw H Hbest. apply Rle_trans with (1 := Hcost w Hw H Hbest).
  specialize (Hgap w Hw). assert (HV := variance_nonneg (size P) (outputs P) w (output P) Hw).
  set (V := variance (size P) (outputs P) w (output P)) in *. set (J := entropy_gap P w) in *.
  apply Rmult_le_compat_r with (r := V) in Hnumbers; [|assumption].
  apply Rmult_le_compat_l with (r := alpha * scale P) in Hgap; [|apply Rmult_le_pos; lra]. lra.
Qed.

(** What is claimed may be larger than what the lemma gives. *)
Lemma guarantee_with_more P X eta alpha regret regret' : regret <= regret' ->
  structured_guarantee P X eta alpha regret -> structured_guarantee P X eta alpha regret'.
Proof.
  intros Hle Hguarantee d T. refine (guarantee_weaken T _ _ _ _ _ _ (Hguarantee d T)). intros U h _.
  apply Rmult_le_compat_r; [apply norm2_nonneg|assumption].
Qed.

Theorem dominated_descent P lambda A b X eta alpha regret : regular P lambda ->
  cost_below_variance (outputs P) (size P) (output P) (cost P) A -> entropy_above_variance P b ->
  0 < X -> 0 < eta -> 0 < alpha -> eta * scale P <= lambda ->
  A + alpha * (eta * scale P ^ 2 / 2) <= alpha * scale P * b -> alpha / (2 * eta) <= regret ->
  structured_guarantee P X eta alpha (regret * X ^ 2).
Proof.
  intros Hreg Hcost Hgap HX Heta Halpha Hrate Hnumbers Hregret. assert (Hs : 0 < scale P) by apply Hreg.
  apply guarantee_with_more with (alpha * X ^ 2 / (2 * eta)).
  - replace (alpha * X ^ 2 / (2 * eta)) with (alpha / (2 * eta) * X ^ 2) by (field; lra).
    apply Rmult_le_compat_r; [apply pow2_ge_0|assumption].
  - apply structured_theorem with lambda; try assumption. now apply dominated_criterion with A b.
Qed.

(** Proximal steps, at every c: kappa = s^2/(4 c). *)
Theorem dominated_proximal P lambda A b X alpha c : regular P lambda ->
  cost_below_variance (outputs P) (size P) (output P) (cost P) A -> entropy_above_variance P b ->
  0 < X -> 0 < alpha -> 0 < c -> A + alpha * (scale P ^ 2 / (4 * c)) <= alpha * scale P * b ->
  attainable (surrogate_problem P) X alpha c.
Proof.
  intros Hreg Hcost Hgap HX Halpha Hc Hnumbers. assert (Hs : 0 < scale P) by apply Hreg.
  apply proximal_from_entropies with lambda; try assumption. apply dominated_criterion with A b; try assumption.
  replace (1 / (2 * c) * scale P ^ 2 / 2) with (scale P ^ 2 / (4 * c)) by (field; lra). assumption.
Qed.

(** Puts in the one size of what is listed. *)
Ltac at_size n size := tryif is_var n then (let E := fresh in assert (E : n = size) by lia; subst n) else idtac.
