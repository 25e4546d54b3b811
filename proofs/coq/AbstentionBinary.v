(** Abstention with one weight vector: from conditions on functions of one variable to the whole guarantee, and from
    numbers at which a condition fails to a round that breaks it.

    The losses plus 1 meet the conditions of full information with the gap map 0, as those of AbstentionConditions.v. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Assembly BinaryTheorem.
From Gaptron Require Import AbstentionDefinitions AbstentionTheorem AbstentionConditions.
From Gaptron Require Import RefutationDefinitions Refutations AbstentionRefutationDefinitions.
Open Scope R_scope.

(** [binary_conditions] with the share [a] of a round at the cost [cost] in the place of 1/2. *)
Record abstaining_binary_conditions (cost : R) (plus minus a : R -> R) (eta c : R) : Prop := {
  abstaining_plus_nonnegative : forall z, 0 <= plus z;
  abstaining_minus_nonnegative : forall z, 0 <= minus z;
  abstaining_plus_convex : forall z, exists g, subgradient plus z g;
  abstaining_minus_convex : forall z, exists g, subgradient minus z g;
  abstaining_binary_map_range : forall m, 0 <= m -> 0 <= a m <= 1;
  abstaining_binary_rate_positive : 0 < eta;
  abstaining_plus_right : forall z g, 0 <= z -> subgradient plus z g ->
    a z * cost - plus z + eta / 2 * g ^ 2 <= 0;
  abstaining_plus_wrong : forall z g, z < 0 -> subgradient plus z g ->
    1 - a (- z) + a (- z) * cost - plus z + eta / 2 * g ^ 2 <= 0;
  abstaining_minus_right : forall z g, z < 0 -> subgradient minus z g ->
    a (- z) * cost - minus z + eta / 2 * g ^ 2 <= 0;
  abstaining_minus_wrong : forall z g, 0 <= z -> subgradient minus z g ->
    1 - a z + a z * cost - minus z + eta / 2 * g ^ 2 <= 0;
  abstaining_binary_regret_follows : 1 / (2 * eta) <= c;
  abstaining_binary_cost_nonnegative : 0 <= cost
}.

Lemma one_more f z g : subgradient (fun b => f b + 1) z g <-> subgradient f z g.
Proof. split; intros H b; specialize (H b); lra. Qed.

Lemma binary_one_more cost plus minus a eta c : abstaining_binary_conditions cost plus minus a eta c ->
  binary_conditions (fun z => plus z + 1) (fun z => minus z + 1) (fun _ => 0) eta c.
Proof.
  intros [Hplus Hminus Hconvex Hconvex' Hmap Heta Hright Hwrong Hright' Hwrong' Hregret Hcost].
  assert (Hshare : forall m, 0 <= m -> 0 <= a m <= 1 /\ 0 <= a m * cost).
  { intros m Hm. split; [now apply Hmap|]. apply Rmult_le_pos; [now apply Hmap | exact Hcost]. }
  split; auto.
  - intros z. specialize (Hplus z). lra.
  - intros z. specialize (Hminus z). lra.
  - intros z. destruct (Hconvex z) as [g Hg]. exists g. now apply (one_more plus).
  - intros z. destruct (Hconvex' z) as [g Hg]. exists g. now apply (one_more minus).
  - intros. lra.
  - intros z g Hz Hg. apply (one_more plus) in Hg. specialize (Hright z g Hz Hg). specialize (Hshare z Hz). lra.
  - intros z g Hz Hg. apply (one_more plus) in Hg. specialize (Hwrong z g Hz Hg). specialize (Hshare (- z)). lra.
  - intros z g Hz Hg. apply (one_more minus) in Hg. specialize (Hright' z g Hz Hg). specialize (Hshare (- z)). lra.
  - intros z g Hz Hg. apply (one_more minus) in Hg. specialize (Hwrong' z g Hz Hg). specialize (Hshare z Hz). lra.
Qed.

Section Binary.
  Variables (d : nat) (plus minus a : R -> R) (cost eta c X : R).
  Hypothesis conditions : abstaining_binary_conditions cost plus minus a eta c.
  Hypothesis X_positive : 0 < X.
  Let side (y : nat) := if Nat.eqb y 0 then plus else minus.

  Lemma abstaining_binary_cost W x y G base : dot d x x <= X ^ 2 ->
    matrix_subgradient 1 d (fun V => side y (dot d (V 0%nat) x)) W G ->
    (forall g, subgradient (side y) (dot d (W 0%nat) x) g -> base + eta / 2 * g ^ 2 <= 0) ->
    base + eta / X ^ 2 / 2 * norm2 1 d G <= 0.
  Proof using conditions X_positive.
    intros Hx HG Hgap. apply one_more_matrix in HG.
    apply (binary_gradient_cost d _ _ _ eta c X (binary_one_more _ _ _ _ _ _ conditions) X_positive W x y G base Hx);
      unfold side in *; destruct (Nat.eqb y 0); try exact HG; intros g Hg; apply Hgap;
      [now apply (one_more plus) | now apply (one_more minus)].
  Qed.

  Lemma abstaining_side_convex y z : exists g, subgradient (side y) z g.
  Proof using conditions.
    unfold side. destruct (Nat.eqb y 0);
      [apply (abstaining_plus_convex _ _ _ _ _ _ conditions)|apply (abstaining_minus_convex _ _ _ _ _ _ conditions)].
  Qed.

  Lemma abstaining_binary_rounds : abstention_rounds 2 d (binary_loss d plus minus a) cost X (eta / X ^ 2).
  Proof using conditions X_positive.
    split.
    - apply Rmult_lt_0_compat; [apply (abstaining_binary_rate_positive _ _ _ _ _ _ conditions)|].
      now apply Rinv_0_lt_compat, pow_lt.
    - intros W x ystar y V _. cbn. destruct (Nat.eqb y 0);
        [apply (abstaining_plus_nonnegative _ _ _ _ _ _ conditions)
        |apply (abstaining_minus_nonnegative _ _ _ _ _ _ conditions)].
    - intros W x. eexists. reflexivity.
    - intros W x ystar y V _.
      destruct (some_subgradient (side y) (dot d (V 0%nat) x) (abstaining_side_convex y _)) as [g Hg].
      exists (fun _ i => g * x i). now apply (vector_subgradient d (side y) x V g).
    - intros W x ystar ->. cbn. split; [destruct Rle_dec; lia|].
      apply (abstaining_binary_map_range _ _ _ _ _ _ conditions), Rabs_pos.
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top binary_loss] in *.
      change ((if Nat.eqb y 0 then plus else minus) (dot d (W 0%nat) x)) with (side y (dot d (W 0%nat) x)).
      apply (abstaining_binary_cost W x y G); [exact Hx|exact HG|]. intros g Hg. set (z := dot d (W 0%nat) x) in *.
      assert (Hcase : y = 0%nat \/ y = 1%nat) by lia.
      destruct (Rle_dec 0 z) as [Hz|Hz]; [rewrite Rabs_pos_eq by assumption|rewrite Rabs_left by lra];
        destruct Hcase as [-> | ->]; subst ystar; cbn [Nat.eqb side] in *; rewrite ?Rplus_0_l.
      + now apply (abstaining_plus_right _ _ _ _ _ _ conditions).
      + now apply (abstaining_minus_wrong _ _ _ _ _ _ conditions).
      + apply (abstaining_plus_wrong _ _ _ _ _ _ conditions); [lra|exact Hg].
      + apply (abstaining_minus_right _ _ _ _ _ _ conditions); [lra|exact Hg].
  Qed.

  Theorem abstaining_binary_theorem :
    abstention_guarantee 2 d (binary_loss d plus minus a) cost X (eta / X ^ 2) (c * X ^ 2).
  Proof using conditions X_positive.
    apply abstention_guarantee_from_rounds; [exact abstaining_binary_rounds|].
    exact (proj2 (scaled_rate eta c X X_positive (abstaining_binary_rate_positive _ _ _ _ _ _ conditions)
      (abstaining_binary_regret_follows _ _ _ _ _ _ conditions))).
  Qed.
End Binary.

Lemma binary_broken_abstaining c plus minus a z eta y ystar s g : (y < 2)%nat ->
  (if Rle_dec 0 z then 0%nat else 1%nat) = ystar -> Rabs z = s ->
  subgradient (if Nat.eqb y 0 then plus else minus) z g ->
  0 < (if Nat.eqb ystar y then a s * c else 1 - a s + a s * c) - (if Nat.eqb y 0 then plus else minus) z
    + eta / 2 * g ^ 2 ->
  broken_abstention_round 2 1 (binary_loss 1 plus minus a) c 1 (eta / 1 ^ 2).
Proof.
  intros Hy Hstar Hs Hg Hgap. exists (column (fun _ => z)), unit, ystar, y, (fun _ i => g * unit i).
  assert (Hlt : (ystar < 2)%nat) by (subst ystar; destruct Rle_dec; lia).
  unfold costly_gap. rewrite expected_cost by assumption.
  cbn [top rows loss gap_map binary_loss]. rewrite !binary_score, Hs, Hstar.
  split; [split; [reflexivity | split; [exact Hy | exact unit_size]]|]. split.
  - apply (vector_subgradient 1 (if Nat.eqb y 0 then plus else minus) unit). now rewrite binary_score.
  - unfold norm2. rewrite one_row. unfold dot. cbn [sum]. unfold unit.
    replace (eta / 1 ^ 2 / 2 * (0 + g * 1 * (g * 1))) with (eta / 2 * g ^ 2) by field.
    destruct (Nat.eqb ystar y); lra.
Qed.
