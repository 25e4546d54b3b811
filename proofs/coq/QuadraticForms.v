(** The entropy m^T Q m/2 on any outputs, Q symmetric and at least lambda: regular, and J(w) >= (lambda/2) Var(w). *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion RegularisedPredictions DominatedCosts.
From Gaptron Require Import EntropyFamilies.
Open Scope R_scope.

Definition bilinear (n : nat) (q : nat -> nat -> R) (u v : vector) : R :=
  sum n (fun i => u i * sum n (fun j => q i j * v j)).

Section QuadraticForms.
Variables (N n : nat) (output : nat -> vector) (q : nat -> nat -> R) (lambda : R).
Hypothesis symmetric : forall i j, (i < n)%nat -> (j < n)%nat -> q i j = q j i.
Hypothesis lambda_positive : 0 < lambda.
Hypothesis steep : forall v, lambda * dot n v v <= bilinear n q v v.

Notation B := (bilinear n q).

Lemma bilinear_swap u v : B u v = B v u.
Proof using symmetric.
  unfold bilinear. transitivity (sum n (fun i => sum n (fun j => u i * q i j * v j))).
  - apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros. ring.
  - rewrite sum_swap. apply sum_ext. intros j Hj. rewrite <- sum_scale. apply sum_ext. intros i Hi.
    rewrite (symmetric i j Hi Hj). ring.
Qed.

Lemma bilinear_mix a b u v w : B (fun i => a * u i + b * v i) w = a * B u w + b * B v w.
Proof using.
  unfold bilinear. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros. ring.
Qed.

Lemma bilinear_ext u u' v v' : (forall i, u i = u' i) -> (forall i, v i = v' i) -> B u v = B u' v'.
Proof using.
  intros Hu Hv. apply sum_ext. intros i _. rewrite Hu. f_equal. apply sum_ext. intros j _. now rewrite Hv.
Qed.

Lemma square_of_mix a b u v : B (fun i => a * u i + b * v i) (fun i => a * u i + b * v i) =
  a ^ 2 * B u u + 2 * a * b * B u v + b ^ 2 * B v v.
Proof using symmetric.
  rewrite bilinear_mix, (bilinear_swap u), (bilinear_swap v), !bilinear_mix, (bilinear_swap v u). ring.
Qed.

Lemma square_of_difference u v : B (fun i => u i - v i) (fun i => u i - v i) = B u u - 2 * B u v + B v v.
Proof using symmetric.
  rewrite (bilinear_ext _ (fun i => 1 * u i + -1 * v i) _ (fun i => 1 * u i + -1 * v i)) by (intros; ring).
  rewrite square_of_mix. ring.
Qed.

Lemma square_above_distance u v : lambda * distance2 n u v <= B u u - 2 * B u v + B v v.
Proof using symmetric steep. rewrite <- square_of_difference. apply steep. Qed.

Lemma square_nonnegative v : 0 <= B v v.
Proof using lambda_positive steep.
  apply Rle_trans with (2 := steep v). apply Rmult_le_pos; [lra|apply dot_square_nonneg].
Qed.

Section Entropy.
Variable f : vector -> R.
Hypothesis is_quadratic : forall m, f m = B m m / 2.

Lemma quadratic_convex : strongly_convex n (hull N n output) f lambda.
Proof using symmetric steep is_quadratic.
  intros u v t Hu Hv Ht. split; [now apply hull_convex|]. rewrite !is_quadratic, square_of_mix.
  assert (H := square_above_distance u v). assert (0 <= t * (1 - t)) by (apply Rmult_le_pos; lra). nra.
Qed.

Lemma quadratic_closed : lower_semicontinuous n (hull N n output) f.
Proof using symmetric lambda_positive steep is_quadratic.
  intros m e _ He. set (g := fun j => sum n (fun i => m i * q i j)). assert (Hg := dot_square_nonneg n g).
  set (r := e / (1 + dot n g g)). assert (Hr : 0 < r) by (apply Rdiv_lt_0_compat; lra).
  exists (r * e). split; [now apply Rmult_lt_0_compat|]. intros v _ Hv. rewrite !is_quadratic.
  assert (Hyoung := dot_young n r (fun i => v i - m i) (fun i => - g i) Hr). fold (distance2 n v m) in Hyoung.
  assert (Hneg : dot n (fun i => - g i) (fun i => - g i) = dot n g g) by (apply sum_ext; intros; ring).
  assert (Hline : dot n (fun i => v i - m i) (fun i => - g i) = B m m - B m v).
  { transitivity (sum n (fun i => m i * g i) - sum n (fun i => v i * g i)).
    - rewrite <- sum_minus. apply sum_ext. intros. ring.
    - assert (Hall : forall w, sum n (fun j => w j * g j) = B m w).
      { intros w. rewrite bilinear_swap. apply sum_ext. intros j Hj. f_equal. unfold g. apply sum_ext. intros i Hi.
        rewrite (symmetric j i Hj Hi). ring. }
      now rewrite !Hall. }
  rewrite Hneg, Hline in Hyoung. assert (Habove := square_above_distance v m). rewrite (bilinear_swap v m) in Habove.
  assert (HD := distance2_nonneg n v m). assert (0 <= lambda * distance2 n v m) by (apply Rmult_le_pos; lra).
  assert (HDr : distance2 n v m / (2 * r) < e / 2).
  { apply Rmult_lt_reg_r with (2 * r); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Hrg : r / 2 * dot n g g <= e / 2).
  { assert (r * (1 + dot n g g) = e) by (unfold r; field; lra). lra. }
  lra.
Qed.

Lemma quadratic_gap w : is_distribution N w ->
  lambda / 2 * variance n N w output <= weighted N w (fun y => f (output y)) - f (mean N w output).
Proof using symmetric steep is_quadratic.
  intros [Hw Hone]. set (m := mean N w output). rewrite is_quadratic.
  assert (Hmean : sum N (fun y => w y * B (output y) m) = B m m).
  { transitivity (sum n (fun i => m i * sum n (fun j => q i j * m j))); [|reflexivity].
    unfold m at 2, mean, weighted. rewrite (sum_ext n _ (fun i => sum N (fun y =>
      w y * (output y i * sum n (fun j => q i j * m j))))).
    - rewrite <- sum_swap. apply sum_ext. intros y _. unfold bilinear. now rewrite sum_scale.
    - intros i _. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros. ring. }
  assert (Hall : lambda * variance n N w output <= sum N (fun y => w y * B (output y) (output y)) - B m m).
  { apply Rle_trans with (sum N (fun y => w y * (B (output y) (output y) - 2 * B (output y) m + B m m))).
    - unfold variance, weighted. rewrite <- sum_scale. apply sum_le. intros y Hy. rewrite <- Rmult_assoc,
        (Rmult_comm lambda), Rmult_assoc. apply Rmult_le_compat_l; [now apply Hw|apply square_above_distance].
    - right. rewrite (sum_ext N _ (fun y => w y * B (output y) (output y) + -2 * (w y * B (output y) m) + B m m * w y))
        by (intros; ring). rewrite !sum_plus, !sum_scale, Hmean, Hone. ring. }
  unfold weighted. rewrite (sum_ext N _ (fun y => / 2 * (w y * B (output y) (output y)))).
  - rewrite sum_scale. lra.
  - intros y _. rewrite is_quadratic. field.
Qed.

Theorem quadratic_suits : (0 < N)%nat -> entropy_suits N n output f lambda (lambda / 2).
Proof using symmetric lambda_positive steep is_quadratic.
  intros HN. apply suits with 0; try assumption.
  - exact quadratic_convex.
  - exact quadratic_closed.
  - intros m _. rewrite is_quadratic. assert (H := square_nonnegative m). lra.
  - exact quadratic_gap.
Qed.

End Entropy.
End QuadraticForms.

Theorem quadratic_form_suits N n output q lambda b f : (0 < N)%nat ->
  (forall m, f m = sum n (fun i => m i * sum n (fun j => q i j * m j)) / 2) ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> q i j = q j i) -> 0 < lambda ->
  (forall v, lambda * dot n v v <= bilinear n q v v) -> b = lambda / 2 -> entropy_suits N n output f lambda b.
Proof.
  intros HN Hf Hsym Hlambda Hsteep ->. exact (quadratic_suits N n output q lambda Hsym Hlambda Hsteep f Hf HN).
Qed.

(** A sum of squares is what is left of the form. *)
Lemma steep_by_squares n q lambda squares : (forall v, 0 <= squares v) ->
  (forall v, bilinear n q v v - lambda * dot n v v = squares v) -> forall v, lambda * dot n v v <= bilinear n q v v.
Proof. intros Hpos Heq v. specialize (Hpos v). specialize (Heq v). lra. Qed.

Ltac squares_are_positive :=
  intros v; repeat apply Rplus_le_le_0_compat; first [apply Rle_refl|apply Rmult_le_pos; [lra|apply pow2_ge_0]].

Ltac squares_are_left :=
  intros v; unfold bilinear, dot; cbv beta iota delta -[Rplus Rmult Rminus Ropp Rdiv Rinv IZR pow]; field.
