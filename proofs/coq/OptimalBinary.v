(** One weight vector and labels +1, -1: the criterion is one inequality in two scores, or in one if the losses of the
    labels mirror each other. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Subgradients ScoreLosses Optimal OptimalProximal OptimalSets OptimalLower.
From Gaptron Require Import OptimalTheorem.
Open Scope R_scope.

(** What is asked of the losses [plus] and [minus] of the labels +1 and -1 and of the constant [c] (in units of X^2): the
    scores are u if +1 is drawn, v if -1 is. *)
Record attaining_binary_conditions (plus minus : R -> R) (c : R) : Prop := {
  attaining_plus_nonnegative : forall z, 0 <= plus z;
  attaining_minus_nonnegative : forall z, 0 <= minus z;
  attaining_plus_convex : forall z, exists g, subgradient plus z g;
  attaining_minus_convex : forall z, exists g, subgradient minus z g;
  attaining_binary_constant : 0 < c;
  attaining_binary_criterion : forall u v, 1 / 2 - (plus u + minus v) / 2 - c * ((u - v) ^ 2 / 4) <= 0
}.

Lemma convex_of_one f : (forall z, exists g, subgradient f z g) -> reads 1 (fun v => f (v 0%nat)) /\
  convex_in (fun v => f (v 0%nat)).
Proof.
  intros Hf. split; [intros u v Huv; now rewrite Huv by lia|]. intros u v t Ht.
  destruct (Hf (t * u 0%nat + (1 - t) * v 0%nat)) as [g Hg]. assert (Hu := Hg (u 0%nat)). assert (Hv := Hg (v 0%nat)).
  apply Rmult_le_compat_l with (r := t) in Hu; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in Hv; lra.
Qed.

Section BinaryLosses.
  Variables (plus minus : R -> R) (c X : R).
  Hypothesis plus_is_convex : forall z, exists g, subgradient plus z g.
  Hypothesis minus_is_convex : forall z, exists g, subgradient minus z g.
  Hypothesis c_positive : 0 < c.
  Hypothesis X_positive : 0 < X.
  Let P := classification 2 1 (of_sign plus minus).

  Lemma binary_losses_are_convex : convex_losses P.
  Proof using plus_is_convex minus_is_convex.
    intros y _. cbn. unfold of_sign. destruct (Nat.eqb y 0); now apply convex_of_one.
  Qed.

  (** It is necessary: both labels alike, and their scores. *)
  Lemma two_scores_are_needed u v : criterion P 1 c -> 1 / 2 - (plus u + minus v) / 2 - c * ((u - v) ^ 2 / 4) <= 0.
  Proof using.
    intros Hcriterion.
    specialize (Hcriterion (fun _ => 1 / 2) (fun y _ => if Nat.eqb y 0 then u else v)).
    assert (Hw : is_distribution 2 (fun _ => 1 / 2)) by (split; [intros; lra | cbn; lra]).
    specialize (Hcriterion Hw (1 / 2)).
    assert (Hbest : forall k, (k < 2)%nat -> 1 / 2 <= weighted 2 (fun _ => 1 / 2) (zero_one k)).
    { intros k Hk. assert (Hcase : k = 0%nat \/ k = 1%nat) by lia. destruct Hcase as [-> | ->]; cbn; lra. }
    specialize (Hcriterion Hbest). unfold variance, distance2, dot, mean, weighted, P, of_sign in Hcriterion.
    cbn in Hcriterion. lra.
  Qed.

  Lemma two_scores_are_enough : (forall z, 0 <= plus z) -> (forall z, 0 <= minus z) ->
    (forall u v, 1 / 2 - (plus u + minus v) / 2 - c * ((u - v) ^ 2 / 4) <= 0) -> criterion P 1 c.
  Proof using c_positive.
    intros Hplus Hminus Hscores. apply sets_are_enough; [lia | exact c_positive | |].
    - intros y theta _. unfold of_sign. now destruct (Nat.eqb y 0).
    - intros theta q s Hs Hmany. cbn [sum] in *. unfold of_sign. cbn [Nat.eqb].
      destruct (Hs 0%nat) as [E0 | E0], (Hs 1%nat) as [E1 | E1]; rewrite E0, E1 in *; try lra.
      set (u := theta 0%nat 0%nat). set (v := theta 1%nat 0%nat). specialize (Hscores u v).
      unfold distance2, dot. cbn [sum]. fold u v.
      assert (Hsquare : 0 <= c * (u + v - 2 * q 0%nat) ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]). lra.
  Qed.

  Theorem binary_attainable : (forall z, 0 <= plus z) -> (forall z, 0 <= minus z) ->
    (attainable P X 1 c <-> forall u v, 1 / 2 - (plus u + minus v) / 2 - c * ((u - v) ^ 2 / 4) <= 0).
  Proof using plus_is_convex minus_is_convex c_positive X_positive.
    intros Hplus Hminus. rewrite (optimal_constant P X 1 c); try lra; [| cbn; lia | exact binary_losses_are_convex].
    split; [intros H u v; now apply two_scores_are_needed | now apply two_scores_are_enough].
  Qed.
End BinaryLosses.

Theorem attaining_binary_theorem plus minus c X : attaining_binary_conditions plus minus c -> 0 < X ->
  attainable (classification 2 1 (of_sign plus minus)) X 1 c.
Proof. intros [] HX. now apply binary_attainable. Qed.

(** Scores at which the criterion fails: no algorithm attains the constant. *)
Theorem binary_not_attained plus minus c X u v : 0 < X -> 0 < c ->
  (forall z, 0 <= plus z) -> (forall z, 0 <= minus z) ->
  (forall z, exists g, subgradient plus z g) -> (forall z, exists g, subgradient minus z g) ->
  0 < 1 / 2 - (plus u + minus v) / 2 - c * ((u - v) ^ 2 / 4) ->
  ~ attainable (classification 2 1 (of_sign plus minus)) X 1 c.
Proof.
  intros HX Hc Hplus Hminus Hconvex Hconvex' Hbad Hatt.
  assert (H := proj1 (binary_attainable plus minus c X Hconvex Hconvex' Hc HX Hplus Hminus) Hatt u v). lra.
Qed.

(** * One loss for both labels: one score is enough, by convexity *)

Lemma mirrored_criterion plus minus c : (forall z, exists g, subgradient plus z g) -> (forall z, minus z = plus (- z)) ->
  (forall z, 1 / 2 - plus z - c * z ^ 2 <= 0) ->
  forall u v, 1 / 2 - (plus u + minus v) / 2 - c * ((u - v) ^ 2 / 4) <= 0.
Proof.
  intros Hconvex Hmirror Hscore u v. rewrite Hmirror. specialize (Hscore ((u - v) / 2)).
  destruct (Hconvex ((u - v) / 2)) as [g Hg]. assert (Hu := Hg u). assert (Hv := Hg (- v)).
  replace (((u - v) / 2) ^ 2) with ((u - v) ^ 2 / 4) in Hscore by field. lra.
Qed.

(** * The squared hinge loss: 1 *)

Definition squared_hinge (z : R) : R := Rmax (1 - z) 0 ^ 2.

Lemma squared_hinge_convex z : exists g, subgradient squared_hinge z g.
Proof.
  exists (-2 * Rmax (1 - z) 0). intros b. unfold squared_hinge, Rmax.
  assert (H := pow2_ge_0 (b - z)). assert (H' := pow2_ge_0 (1 - b)).
  destruct (Rle_dec (1 - z) 0), (Rle_dec (1 - b) 0); try lra. nra.
Qed.

Theorem squared_hinge_optimum X c : 0 < X -> 0 < c ->
  (attainable (classification 2 1 (of_sign squared_hinge (fun z => squared_hinge (- z)))) X 1 c <-> 1 <= c).
Proof.
  intros HX Hc. assert (Hpos : forall z, 0 <= squared_hinge z) by (intros; apply pow2_ge_0).
  rewrite binary_attainable; try assumption; [|exact squared_hinge_convex| |now intros].
  - split.
    + intros H. specialize (H (/ 2) (- / 2)). rewrite Ropp_involutive in H. unfold squared_hinge in H.
      rewrite Rmax_left in H by lra. lra.
    + intros H. apply mirrored_criterion; [exact squared_hinge_convex | reflexivity|]. intros z.
      assert (Hz : 0 <= (c - 1) * z ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
      unfold squared_hinge, Rmax. destruct (Rle_dec (1 - z) 0); [nra|].
      assert (Hsquare : 0 <= (1 - 2 * z) ^ 2) by apply pow2_ge_0. lra.
  - intros z. destruct (squared_hinge_convex (- z)) as [g Hg]. exists (- g). intros b. specialize (Hg (- b)).
    cbn beta in *. lra.
Qed.
