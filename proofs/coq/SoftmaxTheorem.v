(** Softmax losses: from conditions on functions of one variable to the whole guarantee. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly Linear Margins Softmax SoftmaxSubgradients
  LogitSubgradients Probabilities.
Open Scope R_scope.

(** What is asked of the loss [psi], the gap map [a], the learning rate [eta] (in units of 1/X^2) and the regret [c] (in
    units of X^2) for [k] classes, if the share [a] of a round costs [price]; [r] takes the place of psi'. On a right
    round p = p* is the label's probability; on a wrong round it is q, and p = p*. With S the sum of the other squared
    probabilities ||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S), and S is at most what is written. *)
Record softmax_conditions (price k : R) (psi a : R -> R) (eta c : R) : Prop := {
  psi_nonnegative : forall p, 0 < p < 1 -> 0 <= psi p;
  psi_convex : forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r;
  psi_nonincreasing : k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0;
  softmax_map_range : forall p, 1 / k <= p < 1 -> 0 <= a p <= 1;
  softmax_rate_positive : 0 < eta;
  gap_right_large : forall p r, 1 / k <= p < 1 -> 1 / 2 <= p -> logit_subgradient psi p r ->
    a p * price - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + (1 - p) ^ 2)) <= 0;
  gap_right_middle : forall p r, 1 / k <= p < 1 -> 1 / 3 <= p < 1 / 2 -> logit_subgradient psi p r ->
    a p * price - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + (p ^ 2 + (1 - 2 * p) ^ 2))) <= 0;
  gap_right_small : forall p r, 1 / k <= p < 1 -> p < 1 / 3 -> logit_subgradient psi p r ->
    a p * price - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + p * (1 - p))) <= 0;
  gap_wrong_large : forall p q r, 1 / k <= p < 1 -> 0 < q <= p -> p <= 1 - q -> (k = 2 -> p = 1 - q) ->
    1 - q - p <= p -> logit_subgradient psi q r ->
    1 - a p + a p * price - psi q + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + (p ^ 2 + (1 - q - p) ^ 2))) <= 0;
  gap_wrong_small : forall p q r, 1 / k <= p < 1 -> 0 < q <= p -> p <= 1 - q -> (k = 2 -> p = 1 - q) ->
    p < 1 - q - p -> logit_subgradient psi q r ->
    1 - a p + a p * price - psi q + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + (p ^ 2 + p * (1 - q - p)))) <= 0;
  softmax_regret_follows : 1 / (2 * eta) <= c
}.

Section SoftmaxTheorem.
  Variables (K d : nat) (psi a : R -> R) (price eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis conditions : softmax_conditions price (INR K) psi a eta c.
  Hypothesis X_positive : 0 < X.

  Lemma softmax_gradient_exists W x ystar y V : (y < K)%nat ->
    {G | matrix_subgradient K d (loss (softmax_loss K d psi a) W x ystar y) V G}.
  Proof using conditions classes.
    intros Hy. assert (Hp := softmax_range K (scores d V x) y classes Hy).
    destruct (some_logit_subgradient psi _ Hp (psi_convex _ _ _ _ _ _ conditions _ Hp)) as [r Hr].
    eexists. apply (outer_subgradient K d (fun theta => psi (softmax K theta y))).
    apply softmax_direction_subgradient with (3 := Hr); auto.
    destruct (Nat.eq_dec K 2) as [H|H]; [now left|right].
    apply (psi_nonincreasing _ _ _ _ _ _ conditions) with (3 := Hr); auto. now rewrite two_classes.
  Qed.

  (** Every subgradient in W is paid for if every one in the logit is, with a bound [S] for the other squares. *)
  Lemma softmax_gradient_cost W x y G base S : (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G ->
    let p := softmax K (scores d W x) y in
    others K (scores d W x) y <= S ->
    (forall r, logit_subgradient psi p r -> base + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= 0) ->
    base + eta / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using conditions classes X_positive.
    intros Hy Hx HG p HS Hgap. assert (Heta := softmax_rate_positive _ _ _ _ _ _ conditions).
    assert (Hothers := others_nonneg K (scores d W x) y).
    destruct (subgradient_in_scores K d (fun theta => psi (softmax K theta y)) W x G HG) as (v & Hnorm & Hv).
    destruct Hv as [Hzero|Hv].
    - destruct (psi_convex _ _ _ _ _ _ conditions p) as [r Hr]; [now apply softmax_range|]. specialize (Hgap r Hr).
      rewrite Hzero, Rmult_0_r in Hnorm. assert (0 <= (1 - p) ^ 2) by apply pow2_ge_0.
      assert (0 <= X ^ 2) by apply pow2_ge_0.
      apply gradient_cost with (weight := (r * p) ^ 2 * ((1 - p) ^ 2 + S)) (square := 0); auto; [|lra].
      apply Rmult_le_pos; [apply pow2_ge_0|lra].
    - destruct (softmax_entry_of_label K psi y classes Hy _ v Hv) as [_ Hr].
      rewrite (softmax_entries_squared K psi y classes Hy _ v Hv) in Hnorm.
      fold p in Hr, Hnorm. set (r := v y / (p * (1 - p))) in *. specialize (Hgap r Hr).
      fold (others K (scores d W x) y) in Hnorm.
      assert (0 <= (r * p) ^ 2) by apply pow2_ge_0. assert (0 <= (1 - p) ^ 2) by apply pow2_ge_0.
      apply gradient_cost with (weight := (r * p) ^ 2 * ((1 - p) ^ 2 + S)) (square := dot d x x); auto.
      + apply Rmult_le_pos; lra.
      + refine (Rle_trans _ _ _ Hnorm _). apply Rmult_le_compat_r; [apply dot_square_nonneg|].
        apply Rmult_le_compat_l; lra.
  Qed.

  Lemma softmax_gap_right W x y G : is_top K (scores d W x) y -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G ->
    let p := softmax K (scores d W x) y in
    a p * price - psi p + eta / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using conditions classes X_positive.
    intros Htop Hx HG p. assert (Hy := proj1 Htop). set (theta := scores d W x) in *.
    assert (Hp : 1 / INR K <= p < 1) by (split; [now apply top_probability|now apply softmax_range]).
    destruct (Rle_dec (1 / 2) p) as [Hbig|Hbig]; [|destruct (Rle_dec (1 / 3) p) as [Hmid|Hmid]].
    - apply (softmax_gradient_cost W x y G) with (S := (1 - p) ^ 2); auto; [now apply others_le|].
      intros r Hr. now apply (gap_right_large _ _ _ _ _ _ conditions).
    - apply (softmax_gradient_cost W x y G) with (S := p ^ 2 + (1 - 2 * p) ^ 2); auto.
      + apply others_in_two; auto. fold theta p. lra.
      + intros r Hr. apply (gap_right_middle _ _ _ _ _ _ conditions); auto. lra.
    - apply (softmax_gradient_cost W x y G) with (S := p * (1 - p)); auto; [now apply others_capped|].
      intros r Hr. apply (gap_right_small _ _ _ _ _ _ conditions); auto. lra.
  Qed.

  Lemma softmax_gap_wrong W x ystar y G :
    is_top K (scores d W x) ystar -> (y < K)%nat -> ystar <> y -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G ->
    let p := softmax K (scores d W x) ystar in let q := softmax K (scores d W x) y in
    1 - a p + a p * price - psi q + eta / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using conditions classes X_positive.
    intros Htop Hy Hne Hx HG p q. assert (Hy' := proj1 Htop). set (theta := scores d W x) in *.
    assert (Hp : 1 / INR K <= p < 1) by (split; [now apply top_probability|now apply softmax_range]).
    assert (Hq : 0 < q <= p) by (split; [now apply softmax_positive|now apply softmax_monotone, Htop]).
    assert (Hrest : p <= 1 - q).
    { assert (H := left_over_nonneg K theta y classes Hy ystar Htop Hne). fold p q in H. lra. }
    assert (Htwo : INR K = 2 -> p = 1 - q).
    { intros H. apply two_classes in H. unfold p, q. rewrite H in Hy, Hy' |- *.
      assert (Hsum := left_over_of_two theta y ystar Hy Hy' Hne). lra. }
    destruct (Rle_dec (1 - q - p) p) as [Hlarge|Hsmall].
    - apply (softmax_gradient_cost W x y G) with (S := p ^ 2 + (1 - q - p) ^ 2); auto.
      + now apply others_wrong_large.
      + intros r Hr. now apply (gap_wrong_large _ _ _ _ _ _ conditions).
    - apply (softmax_gradient_cost W x y G) with (S := p ^ 2 + p * (1 - q - p)); auto.
      + now apply others_wrong_small.
      + intros r Hr. apply (gap_wrong_small _ _ _ _ _ _ conditions); auto. lra.
  Qed.

  Lemma softmax_rounds : sound_rounds K d (softmax_loss K d psi a) price X (eta / X ^ 2).
  Proof using conditions classes X_positive.
    destruct (scaled_rate eta c X X_positive (softmax_rate_positive _ _ _ _ _ _ conditions)
      (softmax_regret_follows _ _ _ _ _ _ conditions)) as [Hrate _].
    split; auto.
    - intros W x ystar y V Hy. apply (psi_nonnegative _ _ _ _ _ _ conditions). now apply softmax_range.
    - intros W x. now apply some_top.
    - intros W x ystar y V Hy. now apply softmax_gradient_exists.
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|]. apply (softmax_map_range _ _ _ _ _ _ conditions).
      assert (Hy := proj1 Htop). split; [now apply top_probability|now apply softmax_range].
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top softmax_loss] in *.
      destruct (Nat.eq_dec ystar y) as [->|Hne]; [rewrite risk_right|rewrite risk_wrong by exact Hne];
        [now apply (softmax_gap_right W x y G)|now apply (softmax_gap_wrong W x ystar y G)].
  Qed.

  Lemma softmax_rate_pays : 1 / (2 * (eta / X ^ 2)) <= c * X ^ 2.
  Proof using conditions X_positive.
    exact (proj2 (scaled_rate eta c X X_positive (softmax_rate_positive _ _ _ _ _ _ conditions)
      (softmax_regret_follows _ _ _ _ _ _ conditions))).
  Qed.
End SoftmaxTheorem.

Theorem softmax_theorem K d psi a eta c X : (2 <= K)%nat ->
  softmax_conditions (guessing (INR K)) (INR K) psi a eta c -> 0 < X ->
  guarantee (full K d (softmax_loss K d psi a)) X (eta / X ^ 2) (linear (c * X ^ 2)).
Proof.
  intros HK H HX. apply guarantee_from_rounds; [now apply softmax_rounds with (c := c)|].
  exact (softmax_rate_pays _ _ _ _ _ _ _ H HX).
Qed.
