(** Losses of one weight vector and labels -1, +1: from conditions on functions of one variable to the guarantee. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Expectations Assembly.
Open Scope R_scope.

(** What is asked of the losses [plus] and [minus] of the labels +1 and -1, the gap map [a], the learning rate [eta] (in
    units of 1/X^2) and the regret [c] (in units of X^2), if the share [a] of a round costs [price]: for every score
    z = <w, x> and every subgradient [g] there. *)
Record binary_conditions (price : R) (plus minus a : R -> R) (eta c : R) : Prop := {
  plus_nonnegative : forall z, 0 <= plus z;
  minus_nonnegative : forall z, 0 <= minus z;
  plus_convex : forall z, exists g, subgradient plus z g;
  minus_convex : forall z, exists g, subgradient minus z g;
  binary_map_range : forall m, 0 <= m -> 0 <= a m <= 1;
  binary_rate_positive : 0 < eta;
  gap_plus_right : forall z g, 0 <= z -> subgradient plus z g -> a z * price - plus z + eta / 2 * g ^ 2 <= 0;
  gap_plus_wrong : forall z g, z < 0 -> subgradient plus z g ->
    1 - a (- z) + a (- z) * price - plus z + eta / 2 * g ^ 2 <= 0;
  gap_minus_right : forall z g, z < 0 -> subgradient minus z g -> a (- z) * price - minus z + eta / 2 * g ^ 2 <= 0;
  gap_minus_wrong : forall z g, 0 <= z -> subgradient minus z g ->
    1 - a z + a z * price - minus z + eta / 2 * g ^ 2 <= 0;
  binary_regret_follows : 1 / (2 * eta) <= c
}.

(** * Subgradients of f(<w, x>) in w *)

Section OneVector.
  Variables (d : nat) (f : R -> R) (x : vector).
  Let score (W : matrix) := dot d (W 0%nat) x.
  Let F (W : matrix) := f (score W).

  Lemma one_row A B : inner 1 d A B = dot d (A 0%nat) (B 0%nat).
  Proof using. unfold inner. cbn [sum]. ring. Qed.

  (** g x for a subgradient g of f. *)
  Lemma vector_subgradient W g : subgradient f (score W) g -> matrix_subgradient 1 d F W (fun _ i => g * x i).
  Proof using.
    intros Hg V. rewrite one_row. refine (Rle_trans _ _ _ _ (Hg (score V))). right. unfold F. f_equal.
    unfold score, dot. rewrite <- sum_minus, <- sum_scale. apply sum_ext. intros. ring.
  Qed.

  (** Every subgradient is at most as large as one of these. *)
  Lemma vector_subgradient_size W G : matrix_subgradient 1 d F W G ->
    exists g, norm2 1 d G <= g ^ 2 * dot d x x /\ (dot d x x = 0 \/ subgradient f (score W) g).
  Proof using.
    intros HG. set (N := dot d x x). set (g := dot d (G 0%nat) x / N). destruct (Req_dec N 0) as [HN|HN].
    - exists 0. split; [|now left]. pose proof (HG (fun k i => W k i + G k i)) as H.
      rewrite (inner_ext _ _ G G _ G) in H by (intros; ring || reflexivity). fold (norm2 1 d G) in H.
      assert (Hsame : score (fun k i => W k i + G k i) = score W).
      { unfold score. rewrite <- (Rmult_1_l (dot d (W 0%nat) x)).
        rewrite (dot_ext d _ (fun i => W 0%nat i + 1 * G 0%nat i) x x), dot_move by (intros; ring || reflexivity).
        replace (dot d (G 0%nat) x) with (dot d x (G 0%nat)) by (apply sum_ext; intros; ring).
        rewrite (dot_zero d x (G 0%nat) HN). ring. }
      unfold F in H. rewrite Hsame in H. rewrite HN. lra.
    - exists g. split.
      + pose proof (HG (fun k i => W k i + (G k i - g * x i))) as H.
        assert (Hsame : score (fun k i => W k i + (G k i - g * x i)) = score W).
        { unfold score. rewrite dot_project. fold N. unfold g. field. exact HN. }
        unfold F in H. rewrite Hsame, one_row in H. unfold norm2. rewrite one_row.
        assert (Hsplit : dot d (G 0%nat) (fun i => W 0%nat i + (G 0%nat i - g * x i) - W 0%nat i)
          = dot d (G 0%nat) (G 0%nat) - g * dot d (G 0%nat) x).
        { unfold dot. rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros. ring. }
        rewrite Hsplit in H. fold N.
        replace (g ^ 2 * N) with (g * dot d (G 0%nat) x) by (unfold g; field; exact HN). lra.
      + right. intros b. pose proof (HG (fun k i => W k i + (b - score W) / N * x i)) as H.
        unfold F, score in H. rewrite dot_move, one_row in H. fold N (score W) in H.
        replace (score W + (b - score W) / N * N) with b in H by (field; exact HN).
        refine (Rle_trans _ _ _ _ H). right. f_equal. unfold g.
        replace (dot d (G 0%nat) (fun i => W 0%nat i + (b - score W) / N * x i - W 0%nat i))
          with ((b - score W) / N * dot d (G 0%nat) x); [field; exact HN|].
        unfold dot. rewrite <- sum_scale. apply sum_ext. intros. ring.
  Qed.
End OneVector.

(** * The guarantee *)

Section BinaryTheorem.
  Variables (d : nat) (plus minus a : R -> R) (price eta c X : R).
  Hypothesis conditions : binary_conditions price plus minus a eta c.
  Hypothesis X_positive : 0 < X.
  Let side (y : nat) := if Nat.eqb y 0 then plus else minus.

  Lemma side_convex y z : exists g, subgradient (side y) z g.
  Proof using conditions.
    unfold side. destruct (Nat.eqb y 0);
      [apply (plus_convex _ _ _ _ _ _ conditions)|apply (minus_convex _ _ _ _ _ _ conditions)].
  Qed.

  Lemma binary_gradient_cost W x y G base : dot d x x <= X ^ 2 ->
    matrix_subgradient 1 d (fun V => side y (dot d (V 0%nat) x)) W G ->
    (forall g, subgradient (side y) (dot d (W 0%nat) x) g -> base + eta / 2 * g ^ 2 <= 0) ->
    base + eta / X ^ 2 / 2 * norm2 1 d G <= 0.
  Proof using conditions X_positive.
    intros Hx HG Hgap. assert (Heta := binary_rate_positive _ _ _ _ _ _ conditions).
    assert (HX : 0 <= X ^ 2) by apply pow2_ge_0.
    destruct (vector_subgradient_size d (side y) x W G HG) as (g & Hnorm & [Hzero|Hg]).
    - destruct (side_convex y (dot d (W 0%nat) x)) as [h Hh]. rewrite Hzero, Rmult_0_r in Hnorm.
      apply gradient_cost with (weight := h ^ 2) (square := 0); auto; [apply pow2_ge_0|lra].
    - apply gradient_cost with (weight := g ^ 2) (square := dot d x x); auto. apply pow2_ge_0.
  Qed.

  Lemma binary_rounds : sound_rounds 2 d (binary_loss d plus minus a) price X (eta / X ^ 2).
  Proof using conditions X_positive.
    destruct (scaled_rate eta c X X_positive (binary_rate_positive _ _ _ _ _ _ conditions)
      (binary_regret_follows _ _ _ _ _ _ conditions)) as [Hrate _].
    split; auto.
    - intros W x ystar y V _. cbn. destruct (Nat.eqb y 0);
        [apply (plus_nonnegative _ _ _ _ _ _ conditions)|apply (minus_nonnegative _ _ _ _ _ _ conditions)].
    - intros W x. eexists. reflexivity.
    - intros W x ystar y V _. destruct (some_subgradient (side y) (dot d (V 0%nat) x) (side_convex y _)) as [g Hg].
      exists (fun _ i => g * x i). now apply (vector_subgradient d (side y) x V g).
    - intros W x ystar ->. cbn. split; [destruct Rle_dec; lia|].
      apply (binary_map_range _ _ _ _ _ _ conditions), Rabs_pos.
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top binary_loss] in *.
      change ((if Nat.eqb y 0 then plus else minus) (dot d (W 0%nat) x)) with (side y (dot d (W 0%nat) x)).
      apply (binary_gradient_cost W x y G); [exact Hx|exact HG|]. intros g Hg. set (z := dot d (W 0%nat) x) in *.
      assert (Hcase : y = 0%nat \/ y = 1%nat) by lia.
      destruct (Rle_dec 0 z) as [Hz|Hz]; [rewrite Rabs_pos_eq by assumption|rewrite Rabs_left by lra];
        destruct Hcase as [-> | ->]; subst ystar; rewrite ?risk_right, ?risk_wrong by lia;
        cbn [Nat.eqb side] in *.
      + now apply (gap_plus_right _ _ _ _ _ _ conditions).
      + now apply (gap_minus_wrong _ _ _ _ _ _ conditions).
      + apply (gap_plus_wrong _ _ _ _ _ _ conditions); [lra|exact Hg].
      + apply (gap_minus_right _ _ _ _ _ _ conditions); [lra|exact Hg].
  Qed.

  Lemma binary_rate_pays : 1 / (2 * (eta / X ^ 2)) <= c * X ^ 2.
  Proof using conditions X_positive.
    exact (proj2 (scaled_rate eta c X X_positive (binary_rate_positive _ _ _ _ _ _ conditions)
      (binary_regret_follows _ _ _ _ _ _ conditions))).
  Qed.
End BinaryTheorem.

Theorem binary_theorem d plus minus a eta c X : binary_conditions (guessing (INR 2)) plus minus a eta c -> 0 < X ->
  guarantee (full 2 d (binary_loss d plus minus a)) X (eta / X ^ 2) (linear (c * X ^ 2)).
Proof.
  intros H HX. apply guarantee_from_rounds; [|exact (binary_rate_pays _ _ _ _ _ _ _ H HX)].
  now apply binary_rounds with (c := c).
Qed.

(** * One loss for both labels: [minus] is [plus] at -z *)

Lemma mirrored_subgradient f z g : subgradient (fun b => f (- b)) z g <-> subgradient f (- z) (- g).
Proof.
  split; intros H b; specialize (H (- b)); cbn beta in *; rewrite ?Ropp_involutive in *; lra.
Qed.
