(** Entropies on the hull of the outputs, for any cost and scale: the squared norm on any outputs, the binary
    one of every coordinate on outputs with entries 0 and 1, Shannon's on outputs in rows that are unit vectors: one row
    are classes. Their strong convexity, and J against Var. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices LogisticProof Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions StructuredCriterion StructuredTheorem SquaredNorm Pinsker.
From Gaptron Require Import NegentropyVariance RegularisedPredictions DominatedCosts.
Open Scope R_scope.

(** The conjugate is attained, the entropy is regular with lambda, and J(w) >= b Var(w). *)
Definition entropy_suits (N n : nat) (output : nat -> vector) (f : vector -> R) (lambda b : R) : Prop :=
  forall cost s, 0 < s ->
    (exists mu, attained (Structured N n output cost (hull N n output) f s mu)) /\
    forall mu, attained (Structured N n output cost (hull N n output) f s mu) ->
      regular (Structured N n output cost (hull N n output) f s mu) lambda /\
      entropy_above_variance (Structured N n output cost (hull N n output) f s mu) b.

Lemma suits N n output f lambda b low : (0 < N)%nat -> 0 < lambda ->
  strongly_convex n (hull N n output) f lambda -> lower_semicontinuous n (hull N n output) f ->
  (forall m, hull N n output m -> low <= f m) ->
  (forall w, is_distribution N w ->
    b * variance n N w output <= weighted N w (fun y => f (output y)) - f (mean N w output)) ->
  entropy_suits N n output f lambda b.
Proof.
  intros HN Hlambda Hstrong Hclosed Hlow Hgap cost s Hs.
  split; [now apply regularised_prediction_exists with lambda low|].
  intros mu Hmu. split; [|exact Hgap]. repeat split; try assumption; try (apply Hmu).
  - intros w Hw. now apply mean_in_hull.
  - now apply (Hstrong u v t).
  - now apply (Hstrong u v t).
Qed.

(** * Sums over the coordinates of a mean in [0, 1]^n *)

Lemma coordinates_closed n (inside : vector -> Prop) phi slope :
  (forall m i, inside m -> (i < n)%nat -> 0 <= m i <= 1) ->
  (forall e a v, 0 < e -> 0 <= a <= 1 -> 0 <= v <= 1 -> phi a + slope e a * (v - a) - e <= phi v) ->
  lower_semicontinuous n inside (fun m => sum n (fun i => phi (m i))).
Proof.
  intros Hrange Htangent m e Hm He. assert (HnR : 0 <= INR n) by apply pos_INR.
  set (e' := e / 2 / (INR n + 1)). assert (He' : 0 < e') by (repeat apply Rdiv_lt_0_compat; lra).
  assert (Hshare : INR n * e' <= e / 2).
  { assert (Hsplit : e' * (INR n + 1) = e / 2) by (unfold e'; field; lra). lra. }
  set (g := fun i => - slope e' (m i)). assert (Hg : 0 <= dot n g g) by apply dot_square_nonneg.
  set (r := e / 2 / (1 + dot n g g)). assert (Hr : 0 < r) by (repeat apply Rdiv_lt_0_compat; lra).
  exists (r * (e / 2)). split; [apply Rmult_lt_0_compat; lra|]. intros v Hv Hclose.
  assert (Hyoung := dot_young n r (fun i => v i - m i) g Hr). fold (distance2 n v m) in Hyoung.
  assert (Hline : sum n (fun i => phi (m i) - g i * (v i - m i) - e') <= sum n (fun i => phi (v i))).
  { apply sum_le. intros i Hi. assert (H := Htangent e' (m i) (v i) He' (Hrange m i Hm Hi) (Hrange v i Hv Hi)).
    unfold g. lra. }
  rewrite !sum_minus, sum_const in Hline. fold (dot n g (fun i => v i - m i)) in Hline. rewrite dot_comm in Hline.
  assert (HDr : distance2 n v m / (2 * r) < e / 4).
  { apply Rmult_lt_reg_r with (2 * r); [lra|].
    replace (distance2 n v m / (2 * r) * (2 * r)) with (distance2 n v m) by (field; lra). lra. }
  assert (Hrg : r / 2 * dot n g g <= e / 4).
  { assert (r * (1 + dot n g g) = e / 2) by (unfold r; field; lra). lra. }
  lra.
Qed.

Definition touching (e a : R) : R := if Rlt_dec 0 a then a else e.

Lemma negentropy_above a v : 0 < a -> 0 <= v -> v * (1 + ln a) - a <= v * ln v.
Proof.
  intros Ha [Hv|<-]; [|lra]. assert (H : ln (a / v) <= a / v - 1) by (apply ln_tangent; now apply Rdiv_lt_0_compat).
  unfold Rdiv in H. rewrite ln_mult, ln_Rinv in H by (try apply Rinv_0_lt_compat; assumption).
  apply Rmult_le_compat_l with (r := v) in H; [|lra].
  replace (v * (a * / v - 1)) with (a - v) in H by (field; lra). lra.
Qed.

(** A line that is nearly a tangent, also at 0. *)
Lemma nearly_tangent e a v : 0 < e -> 0 <= a -> 0 <= v -> a * ln a + (1 + ln (touching e a)) * (v - a) - e <= v * ln v.
Proof.
  intros He Ha Hv. unfold touching. destruct (Rlt_dec 0 a) as [Hpos|Hz].
  - assert (H := negentropy_above a v Hpos Hv). lra.
  - assert (H := negentropy_above e v He Hv). replace a with 0 by lra. lra.
Qed.

(** * The squared norm *)

Theorem squared_norm_suits N n output f : (0 < N)%nat -> (forall m, f m = sum n (fun i => m i ^ 2 / 2)) ->
  entropy_suits N n output f 1 (1 / 2).
Proof.
  intros HN Hsum. assert (Hf : forall m, f m = dot n m m / 2).
  { intros m. rewrite Hsum. unfold dot, Rdiv. rewrite Rmult_comm, <- sum_scale. apply sum_ext. intros. ring. }
  set (P := Structured N n output (fun _ _ => 0) (hull N n output) f 1 (fun m => m)).
  apply suits with 0; [assumption|lra| | | |].
  - apply (squared_norm_strongly_convex P Hf). simpl. apply hull_convex.
  - exact (squared_norm_closed P Hf).
  - intros m _. rewrite Hf. assert (H := dot_square_nonneg n m). lra.
  - intros w Hw. assert (H := squared_norm_gap P Hf w Hw). unfold entropy_gap in H. simpl in H. rewrite H. lra.
Qed.

(** * Shannon's entropy of classes *)

Definition unit_vector (y i : nat) : R := if Nat.eqb i y then 1 else 0.

Lemma mean_of_units K w i : (i < K)%nat -> mean K w unit_vector i = w i.
Proof.
  intros Hi. unfold mean, weighted, unit_vector.
  rewrite (sum_ext K _ (fun y => w y * (if Nat.eqb y i then 1 else 0))).
  - rewrite sum_at by assumption. ring.
  - intros y _. now rewrite Nat.eqb_sym.
Qed.

Lemma unit_sum K c y : (y < K)%nat -> dot K (fun _ => c) (unit_vector y) = c.
Proof. intros Hy. unfold dot, unit_vector. rewrite (sum_at K (fun _ => c) y 1) by assumption. ring. Qed.

Lemma hull_of_units K m : hull K K unit_vector m -> is_distribution K m.
Proof.
  intros Hm. split.
  - intros k Hk. apply (hull_coordinate K K unit_vector m k 0 1); [assumption|assumption|]. intros y _.
    unfold unit_vector. destruct (Nat.eqb k y); lra.
  - assert (Hconst : forall c, dot K (fun _ => c) m = c * sum K m) by (intros; unfold dot; apply sum_scale).
    assert (H1 := Hm (fun _ => 1) 1 ltac:(intros y Hy; rewrite unit_sum by assumption; lra)).
    assert (H2 := Hm (fun _ => -1) (-1) ltac:(intros y Hy; rewrite unit_sum by assumption; lra)).
    rewrite Hconst in H1, H2. lra.
Qed.

Lemma variance_of_units K w : is_distribution K w -> variance K K w unit_vector = 1 - dot K w w.
Proof.
  intros Hw. assert (H := variance_about K w unit_vector (fun _ => 0) K Hw).
  assert (Hzero : forall v, distance2 K v (fun _ => 0) = dot K v v) by (intros; apply sum_ext; intros; ring).
  rewrite Hzero, (dot_ext K (mean K w unit_vector) w (mean K w unit_vector) w) in H
    by (intros; now apply mean_of_units).
  assert (Hunit : weighted K w (fun y => distance2 K (unit_vector y) (fun _ => 0)) = 1).
  { rewrite <- (proj2 Hw). apply sum_ext. intros y Hy. rewrite Hzero. unfold dot, unit_vector.
    rewrite (sum_at K (fun i => if Nat.eqb i y then 1 else 0) y 1) by assumption. rewrite Nat.eqb_refl. ring. }
  lra.
Qed.

(** * Outputs with the entries 0 and 1 *)

Definition is_binary (N n : nat) (output : nat -> vector) : Prop :=
  forall y i, (y < N)%nat -> (i < n)%nat -> output y i = 0 \/ output y i = 1.

Section Binary.
Variables (N n : nat) (output : nat -> vector).
Hypothesis Hbinary : is_binary N n output.

Lemma hull_of_binary m i : hull N n output m -> (i < n)%nat -> 0 <= m i <= 1.
Proof using Hbinary.
  intros Hm Hi. apply (hull_coordinate N n output m i 0 1); [assumption|assumption|]. intros y Hy.
  destruct (Hbinary y i Hy Hi) as [->| ->]; lra.
Qed.

(** Var(w) = sum_i m_i (1 - m_i) *)
Lemma variance_of_binary w : is_distribution N w ->
  variance n N w output = sum n (fun i => mean N w output i * (1 - mean N w output i)).
Proof using Hbinary.
  intros Hw. assert (H := variance_about N w output (fun _ => 0) n Hw).
  assert (Hzero : forall v, distance2 n v (fun _ => 0) = dot n v v) by (intros; apply sum_ext; intros; ring).
  rewrite Hzero in H.
  assert (Hentries : weighted N w (fun y => distance2 n (output y) (fun _ => 0)) = sum n (mean N w output)).
  { unfold mean, weighted. rewrite <- sum_swap. apply sum_ext. intros y Hy. rewrite Hzero, sum_scale. f_equal.
    apply sum_ext. intros i Hi. destruct (Hbinary y i Hy Hi) as [->| ->]; ring. }
  rewrite Hentries in H. apply Rplus_eq_reg_r with (dot n (mean N w output) (mean N w output)). rewrite <- H.
  unfold dot. rewrite <- sum_plus. apply sum_ext. intros. ring.
Qed.

Theorem binary_entropy_suits f : (0 < N)%nat ->
  (forall m, f m = sum n (fun i => m i * ln (m i) + (1 - m i) * ln (1 - m i))) ->
  entropy_suits N n output f 4 (4 * ln 2).
Proof using Hbinary.
  intros HN Hf. apply suits with (- INR n); [assumption|lra| | | |].
  - intros u v t Hu Hv Ht. split; [now apply hull_convex|]. rewrite !Hf. unfold distance2, dot.
    rewrite <- !sum_scale, <- !sum_plus. apply sum_le. intros i Hi.
    exact (binary_entropy_strongly_convex (u i) (v i) t (hull_of_binary u i Hu Hi) (hull_of_binary v i Hv Hi) Ht).
  - assert (H := coordinates_closed n (hull N n output) (fun v => v * ln v + (1 - v) * ln (1 - v))
      (fun e a => ln (touching (e / 2) a) - ln (touching (e / 2) (1 - a))) hull_of_binary).
    intros m e Hm He. destruct (H) with (m := m) (e := e) as (r & Hr & Hnear); [|assumption|assumption|].
    + intros e' a v He' Ha Hv. assert (H1 := nearly_tangent (e' / 2) a v ltac:(lra) ltac:(lra) ltac:(lra)).
      assert (H2 := nearly_tangent (e' / 2) (1 - a) (1 - v) ltac:(lra) ltac:(lra) ltac:(lra)). lra.
    + exists r. split; [assumption|]. intros v Hv Hclose. rewrite !Hf. now apply Hnear.
  - intros m Hm. rewrite Hf. replace (- INR n) with (sum n (fun _ => -1)) by (rewrite sum_const; ring).
    apply sum_le. intros i Hi. assert (H := hull_of_binary m i Hm Hi).
    assert (H1 := negentropy_above 1 (m i) ltac:(lra) ltac:(lra)).
    assert (H2 := negentropy_above 1 (1 - m i) ltac:(lra) ltac:(lra)). rewrite ln_1 in H1, H2. lra.
  - intros w Hw. rewrite variance_of_binary by assumption. rewrite Hf. unfold weighted.
    rewrite (sum_zero N (fun y => w y * f (output y))).
    + rewrite <- sum_scale, Rminus_0_l, <- (Rmult_1_l (sum n (fun i => _ + _))), Ropp_mult_distr_l, <- sum_scale.
      apply sum_le. intros i Hi. assert (Hm := hull_of_binary _ i (mean_in_hull N n output w Hw) Hi).
      assert (H := binary_entropy_above _ Hm). lra.
    + intros y Hy. rewrite Hf, sum_zero; [ring|]. intros i Hi.
      destruct (Hbinary y i Hy Hi) as [->| ->];
        [replace (1 - 0) with 1 by ring|replace (1 - 1) with 0 by ring]; rewrite ln_1; ring.
Qed.

End Binary.

(** * Shannon's entropy of outputs in rows of length d, each of which is a unit vector *)

Definition unit_rows (N r d : nat) (output : nat -> vector) : Prop :=
  forall y i, (y < N)%nat -> (i < r)%nat ->
  exists t, (t < d)%nat /\ forall j, (j < d)%nat -> output y (i * d + j)%nat = unit_vector t j.

Lemma sum_append n m f : sum (n + m) f = sum n f + sum m (fun j => f (n + j)%nat).
Proof.
  induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring.
Qed.

Lemma sum_rows r d f : sum (r * d) f = sum r (fun i => sum d (fun j => f (i * d + j)%nat)).
Proof.
  induction r as [|r IH]; [reflexivity|]. replace (S r * d)%nat with (r * d + d)%nat by lia.
  rewrite sum_append, IH. reflexivity.
Qed.

Section Rows.
Variables (N r d : nat) (output : nat -> vector).
Hypothesis Hrows : unit_rows N r d output.

Lemma place_in_row i : (i < r * d)%nat -> (Nat.div i d < r)%nat /\ (Nat.modulo i d < d)%nat /\
  i = (Nat.div i d * d + Nat.modulo i d)%nat.
Proof using.
  intros Hi. assert (Hd : d <> 0%nat) by lia. repeat split.
  - apply Nat.div_lt_upper_bound; lia.
  - now apply Nat.mod_upper_bound.
  - rewrite Nat.mul_comm. now apply Nat.div_mod.
Qed.

Lemma rows_are_binary : is_binary N (r * d) output.
Proof using Hrows.
  intros y i Hy Hi. destruct (place_in_row i Hi) as (Hrow & Hcolumn & ->).
  destruct (Hrows y (Nat.div i d) Hy Hrow) as (t & _ & Hentry). rewrite Hentry by assumption.
  unfold unit_vector.   destruct (Nat.eqb _ _); auto.
Qed.

(** Every row of a point of the hull is a distribution. *)
Lemma hull_of_rows m i : hull N (r * d) output m -> (i < r)%nat -> is_distribution d (fun j => m (i * d + j)%nat).
Proof using Hrows.
  intros Hm Hi. split.
  - intros j Hj. apply (hull_of_binary N (r * d) output rows_are_binary m); [assumption|nia].
  - assert (Hpick : forall c v, dot (r * d) (fun k => if Nat.eqb (Nat.div k d) i then c else 0) v =
      c * sum d (fun j => v (i * d + j)%nat)).
    { intros c v. unfold dot. rewrite sum_rows, (sum_split r _ i Hi), (sum_zero r (without _ _)).
      - rewrite Rplus_0_r, <- sum_scale. apply sum_ext. intros j Hj.
        rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r, Nat.eqb_refl by lia. reflexivity.
      - intros k Hk. unfold without. destruct (Nat.eqb_spec k i) as [|Hne]; [reflexivity|]. apply sum_zero. intros j Hj.
        rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia. destruct (Nat.eqb_spec k i); [contradiction|ring]. }
    assert (Hone : forall y, (y < N)%nat -> sum d (fun j => output y (i * d + j)%nat) = 1).
    { intros y Hy. destruct (Hrows y i Hy Hi) as (t & Ht & Hentry). rewrite (sum_ext d _ (unit_vector t)) by assumption.
      exact (sum_pick d t 1 Ht). }
    assert (H1 := Hm _ 1 ltac:(intros y Hy; rewrite (Hpick 1), Hone by assumption; lra)).
    assert (H2 := Hm _ (-1) ltac:(intros y Hy; rewrite (Hpick (-1)), Hone by assumption; lra)).
    rewrite Hpick in H1, H2. lra.
Qed.

Theorem row_shannon_suits f : (0 < N)%nat -> (forall m, f m = sum (r * d) (fun i => m i * ln (m i))) ->
  entropy_suits N (r * d) output f 2 (2 * ln 2).
Proof using Hrows.
  intros HN Hf. assert (Hrange := hull_of_binary N (r * d) output rows_are_binary).
  apply suits with (- INR (r * d)); [assumption|lra| | | |].
  - intros u v t Hu Hv Ht. split; [now apply hull_convex|]. rewrite !Hf. unfold distance2, dot.
    rewrite !sum_rows, <- !sum_scale, <- !sum_plus. apply sum_le. intros i Hi.
    exact (shannon_strongly_convex d _ _ t (hull_of_rows u i Hu Hi) (hull_of_rows v i Hv Hi) Ht).
  - assert (H := coordinates_closed (r * d) (hull N (r * d) output) (fun v => v * ln v)
      (fun e a => 1 + ln (touching e a)) Hrange).
    intros m e Hm He. destruct (H ltac:(intros; apply nearly_tangent; lra) m e Hm He) as (c & Hc & Hnear).
    exists c. split; [assumption|]. intros v Hv Hclose. rewrite !Hf. now apply Hnear.
  - intros m Hm. rewrite Hf. replace (- INR (r * d)) with (sum (r * d) (fun _ => -1)) by (rewrite sum_const; ring).
    apply sum_le. intros i Hi. assert (H := Hrange m i Hm Hi).
    assert (H1 := negentropy_above 1 (m i) ltac:(lra) ltac:(lra)). rewrite ln_1 in H1. lra.
  - intros w Hw. rewrite (variance_of_binary N (r * d) output rows_are_binary w Hw), Hf. unfold weighted.
    rewrite (sum_zero N (fun y => w y * f (output y))).
    + rewrite Rminus_0_l, !sum_rows, <- sum_scale, <- (Rmult_1_l (sum r (fun i => sum d _))), Ropp_mult_distr_l.
      rewrite <- sum_scale. apply sum_le. intros i Hi.
      assert (Hrow := hull_of_rows _ i (mean_in_hull N (r * d) output w Hw) Hi). assert (H := shannon_above d _ Hrow).
      cbv beta in H. destruct Hrow as [_ Hone]. set (m := mean N w output) in *.
      rewrite (sum_ext d (fun j => m (i * d + j)%nat * (1 - m (i * d + j)%nat))
        (fun j => m (i * d + j)%nat - m (i * d + j)%nat * m (i * d + j)%nat)) by (intros; ring).
      rewrite sum_minus, Hone. lra.
    + intros y Hy. rewrite Hf, sum_zero; [ring|]. intros i Hi. destruct (rows_are_binary y i Hy Hi) as [->| ->];
        rewrite ?ln_1; ring.
Qed.

End Rows.

Theorem shannon_suits K f : (0 < K)%nat -> (forall m, f m = sum K (fun i => m i * ln (m i))) ->
  entropy_suits K K unit_vector f 2 (2 * ln 2).
Proof.
  intros HK Hf. assert (H := row_shannon_suits K 1 K unit_vector). rewrite Nat.mul_1_l in H. apply H; try assumption.
  intros y i Hy Hi. exists y. split; [assumption|]. intros j Hj. now replace i with 0%nat by lia.
Qed.
