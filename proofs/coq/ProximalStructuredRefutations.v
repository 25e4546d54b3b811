(** A constant that no algorithm attains, from scores of every output at which the criterion fails. The conjugate at
    scores theta is at most <t, a> - Omega(a) + max_y <theta - t, y>, where Omega is above its tangent t at a. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal OptimalUpper OptimalLower.
From Gaptron Require Import StructuredDefinitions StructuredCriterion EntropyFamilies QuadraticForms CoordinateEntropies.
Open Scope R_scope.

(** The tangent [t] of [f] at [a] is below it on the hull. *)
Definition touches (N n : nat) (output : nat -> vector) (f : vector -> R) (a t : vector) : Prop :=
  forall v, hull N n output v -> f a + dot n t (fun i => v i - a i) <= f v.

(** * Tangents of functions of one coordinate, and of their sums *)

Definition tangent (phi : R -> R) (a t : R) : Prop := forall v, phi a + t * (v - a) <= phi v.
Definition tangent_inside (phi : R -> R) (a t : R) : Prop := forall v, 0 <= v <= 1 -> phi a + t * (v - a) <= phi v.

Section Coordinate.
Variables (phi : R -> R) (a t : R).

Lemma squared_norm_touches : (forall v, phi v = v ^ 2 / 2) -> t = a -> tangent phi a t.
Proof using. intros Hphi -> v. rewrite !Hphi. assert (H := pow2_ge_0 (v - a)). lra. Qed.

Lemma shannon_touches : (forall v, phi v = v * ln v) -> 0 < a < 1 -> t = 1 + ln a -> tangent_inside phi a t.
Proof using. intros Hphi Ha -> v Hv. rewrite !Hphi. assert (H := negentropy_above a v (proj1 Ha) (proj1 Hv)). lra. Qed.

Lemma binary_entropy_touches : (forall v, phi v = v * ln v + (1 - v) * ln (1 - v)) -> 0 < a < 1 ->
  t = ln a - ln (1 + -1 * a) -> tangent_inside phi a t.
Proof using.
  replace (1 + -1 * a) with (1 - a) by ring. intros Hphi Ha -> v Hv. rewrite !Hphi.
  assert (H := negentropy_above a v ltac:(lra) ltac:(lra)).
  assert (H' := negentropy_above (1 - a) (1 - v) ltac:(lra) ltac:(lra)). lra.
Qed.

Lemma entmax_touches : (forall v, phi v = 4 / 3 * sqrt v ^ 3) -> 0 <= a <= 1 -> t = 2 * sqrt a -> tangent_inside phi a t.
Proof using.
  intros Hphi [Ha _] -> v [Hv _]. rewrite !Hphi. assert (Hx := sqrt_pos v). assert (Hb := sqrt_pos a).
  rewrite <- (pow2_sqrt a Ha) at 3. rewrite <- (pow2_sqrt v Hv) at 1.
  set (x := sqrt v) in *. set (b := sqrt a) in *.
  assert (H : 0 <= (x - b) ^ 2 * (4 * x + 2 * b)) by (apply Rmult_le_pos; [apply pow2_ge_0|lra]). lra.
Qed.

Lemma own_touches slope bend lambda : (forall v, 0 <= v <= 1 -> continuity_pt phi v) ->
  (forall v, 0 < v < 1 -> derivable_pt_lim phi v (slope v)) ->
  (forall v, 0 < v < 1 -> derivable_pt_lim slope v (bend v)) -> (forall v, 0 < v < 1 -> lambda <= bend v) ->
  0 <= lambda -> 0 < a < 1 -> t = slope a -> tangent_inside phi a t.
Proof using. intros Hc Hs Hb Hbends Hlambda Ha -> v Hv. now apply (tangent_below phi slope bend lambda). Qed.
End Coordinate.

Section Hull.
Variables (N n : nat) (vectors : nat -> vector) (f : vector -> R) (a t : vector).

Lemma sum_touches phi : (forall m, f m = sum n (fun i => phi (m i))) ->
  (forall i, (i < n)%nat -> tangent phi (a i) (t i)) -> touches N n vectors f a t.
Proof using.
  intros Hf Ht v _. rewrite !Hf. unfold dot. rewrite <- sum_plus. apply sum_le. intros i Hi. now apply Ht.
Qed.

Lemma binary_sum_touches phi : is_binary N n vectors -> (forall m, f m = sum n (fun i => phi (m i))) ->
  (forall i, (i < n)%nat -> tangent_inside phi (a i) (t i)) -> touches N n vectors f a t.
Proof using.
  intros Hbinary Hf Ht v Hv. rewrite !Hf. unfold dot. rewrite <- sum_plus. apply sum_le. intros i Hi.
  apply Ht; [assumption|]. now apply (hull_of_binary N n vectors Hbinary).
Qed.

Lemma quadratic_touches q lambda : (forall i j, (i < n)%nat -> (j < n)%nat -> q i j = q j i) -> 0 < lambda ->
  (forall v, lambda * dot n v v <= bilinear n q v v) ->
  (forall m, f m = sum n (fun i => m i * sum n (fun j => q i j * m j)) / 2) ->
  (forall i, (i < n)%nat -> t i = sum n (fun j => q i j * a j)) -> touches N n vectors f a t.
Proof using.
  intros Hsym Hlambda Hsteep Hf Ht v _. rewrite !Hf. fold (bilinear n q a a) (bilinear n q v v).
  assert (H := square_above_distance n q lambda Hsym Hsteep v a). assert (HD := distance2_nonneg n v a).
  assert (Hline : forall u, dot n t u = bilinear n q u a).
  { intros u. apply sum_ext. intros i Hi. rewrite Ht by assumption. ring. }
  rewrite dot_minus, !Hline. assert (0 <= lambda * distance2 n v a) by (apply Rmult_le_pos; lra). lra.
Qed.

(** * The loss *)

Variables (pay : nat -> nat -> R) (s : R) (mu : vector -> vector).
Notation P := (Structured N n vectors pay (hull N n vectors) f s mu).

Lemma loss_at_most y theta M l : 0 < s -> attained P -> touches N n vectors f a t ->
  (forall k, (k < N)%nat -> dot n (fun i => theta i - t i) (vectors k) <= M) ->
  dot n t a - f a + M + f (vectors y) - dot n theta (vectors y) = l -> surrogate_loss P y theta <= s * l.
Proof using.
  intros Hs Hmu Ht HM <-. unfold surrogate_loss, fenchel_young, conjugate.
  cbn [scale size entropy output regularised]. destruct (Hmu theta) as [Hin _]. cbn [domain regularised] in Hin.
  specialize (Ht _ Hin). assert (Hr := Hin (fun i => theta i - t i) M HM). set (m := mu theta) in *.
  assert (Hsplit : dot n (fun i => theta i - t i) m = dot n theta m - dot n t m).
  { unfold dot. rewrite <- sum_minus. apply sum_ext. intros. ring. }
  rewrite dot_minus in Ht. rewrite Hsplit in Hr. apply Rmult_le_compat_l; lra.
Qed.
End Hull.

Section Families.
Variables (N n : nat) (vectors : nat -> vector) (pay : nat -> nat -> R) (f : vector -> R) (lambda b : R).
Hypothesis Hentropy : entropy_suits N n vectors f lambda b.

Notation P s mu := (Structured N n vectors pay (hull N n vectors) f s mu).

(** [w] is a distribution of the output, [H] at most what every prediction is expected to cost, [theta y] scores with
    mean [q] whose surrogate losses are at most [s l y], with mean [s L], [V] their variance. *)
Theorem structured_not_attained X s alpha regret w theta q l H L V : 0 < X -> 0 < s -> 0 < alpha ->
  is_distribution N w ->
  (forall k, (k < N)%nat -> H <= weighted N w (pay k)) ->
  (forall i, (i < n)%nat -> mean N w theta i = q i) ->
  weighted N w (fun y => distance2 n (theta y) q) = V ->
  (forall mu, attained (P s mu) ->
    forall y, (y < N)%nat -> w y = 0 \/ surrogate_loss (P s mu) y (theta y) <= s * l y) ->
  weighted N w l = L ->
  alpha * (s * L) + regret * V < H ->
  (exists mu, attained (P s mu)) /\
  forall mu, attained (P s mu) -> ~ attainable (surrogate_problem (P s mu)) X alpha (regret / alpha).
Proof using Hentropy.
  intros HX Hs Halpha Hw HH Hq HV Hl HL Hbad. destruct (Hentropy pay s Hs) as [Hexists _].
  split; [exact Hexists|]. intros mu Hmu Hatt.
  assert (Hle := nobody_beats_the_criterion _ X alpha _ HX (surrogate_convex (P s mu) Hmu Hs) Hatt w theta
    Hw H HH).
  cbn [labels predictions dimension target surrogate_of surrogate_problem outputs size cost] in Hle.
  assert (Hvariance : variance n N w theta = V).
  { rewrite <- HV. unfold variance, weighted. apply sum_ext. intros y _. f_equal. unfold distance2, dot.
    apply sum_ext. intros i Hi. now rewrite Hq. }
  assert (Hloss : weighted N w (fun y => surrogate_loss (P s mu) y (theta y)) <= s * L).
  { rewrite <- HL. unfold weighted. rewrite <- sum_scale. apply sum_le. intros y Hy.
    destruct (Hl mu Hmu y Hy) as [->|Hly]; [lra|].
    apply Rmult_le_compat_l with (r := w y) in Hly; [lra|now apply Hw]. }
  rewrite Hvariance in Hle. apply Rmult_le_compat_l with (r := alpha) in Hloss; [|lra].
  replace (alpha * (weighted N w (fun y => surrogate_loss (P s mu) y (theta y)) + regret / alpha * V))
    with (alpha * weighted N w (fun y => surrogate_loss (P s mu) y (theta y)) + regret * V) in Hle by (field; lra).
  lra.
Qed.
End Families.
