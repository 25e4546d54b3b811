(** Abstention: from conditions on functions of one variable to the whole guarantee.

    A softmax loss plus 1 meets the conditions of full information with the gap map 0. So its subgradients exist and are
    no larger than they are there. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Assembly Margins MarginTheorem.
From Gaptron Require Import Softmax SoftmaxSubgradients LogitSubgradients Probabilities SoftmaxTheorem.
From Gaptron Require Import AbstentionDefinitions AbstentionTheorem.
Open Scope R_scope.

Lemma one_more_logit f p r : logit_subgradient (fun b => f b + 1) p r <-> logit_subgradient f p r.
Proof. split; intros H b; specialize (H b); lra. Qed.

Lemma one_more_matrix rows d f W G :
  matrix_subgradient rows d (fun V => f V + 1) W G <-> matrix_subgradient rows d f W G.
Proof. split; intros H V; specialize (H V); lra. Qed.

(** * Margin losses *)

(** [margin_conditions] with the share [a] of a round at the cost [cost] in the place of (k - 1)/k. *)
Record abstaining_margin_conditions (cost k : R) (phi a : R -> R) (beta : option R) (eta c : R) : Prop := {
  abstaining_nonnegative : forall m, 0 <= phi m;
  abstaining_convex : forall m, exists g, subgradient phi m g;
  abstaining_nonincreasing : k <> 2 -> forall m g, subgradient phi m g -> g <= 0;
  abstaining_map_range : forall m, 0 <= m -> 0 <= a m <= 1;
  abstaining_rate_positive : 0 < eta;
  abstaining_right : forall m g, 0 <= m -> ~ is_off beta m -> subgradient phi m g ->
    a m * cost - phi m + eta * g ^ 2 <= 0;
  abstaining_off : forall m, 0 <= m -> is_off beta m -> a m * cost <= 0;
  abstaining_wrong : forall s t g, 0 <= s <= t -> (k = 2 -> s = t) -> subgradient phi (- t) g ->
    1 - a s + a s * cost - phi (- t) + eta * g ^ 2 <= 0;
  abstaining_regret_follows : 1 / (2 * eta) <= c;
  abstaining_cost_nonnegative : 0 <= cost
}.

Section Margins.
  Variables (K d : nat) (phi a : R -> R) (beta : option R) (cost eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis conditions : abstaining_margin_conditions cost (INR K) phi a beta eta c.
  Hypothesis X_positive : 0 < X.

  Lemma abstaining_surrogate : margin_surrogate (INR K) phi.
  Proof using conditions. destruct conditions. split; assumption. Qed.

  Lemma abstaining_margin_rounds : abstention_rounds K d (margin_loss K d phi a beta) cost X (eta / X ^ 2).
  Proof using conditions classes X_positive.
    assert (Heta := abstaining_rate_positive _ _ _ _ _ _ _ conditions).
    assert (paid := fun W x y G base =>
      margin_gradient_cost K d phi classes abstaining_surrogate eta X W x y G base Heta X_positive).
    split.
    - apply Rmult_lt_0_compat; [exact Heta|]. now apply Rinv_0_lt_compat, pow_lt.
    - intros W x ystar y V _. cbn. destruct (off _ _ _ _); [lra|].
      apply (abstaining_nonnegative _ _ _ _ _ _ _ conditions).
    - intros W x. now apply some_top.
    - intros W x ystar y V Hy.
      exact (margin_gradient_exists K d phi classes abstaining_surrogate a beta W x ystar y V Hy).
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|].
      apply (abstaining_map_range _ _ _ _ _ _ _ conditions). now apply right_margin.
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top margin_loss] in *.
      assert (Hstar := right_margin K (scores d W x) ystar classes Htop).
      destruct (off _ _ ystar y) eqn:Hoff.
      + destruct (off_true _ _ _ _ Hoff) as [H ->]. rewrite Nat.eqb_refl, (constant_subgradient _ _ _ _ _ HG).
        assert (Hgap := abstaining_off _ _ _ _ _ _ _ conditions _ Hstar H). lra.
      + destruct (Nat.eqb_spec ystar y) as [->|Hne].
        * apply (paid W x y G); auto. intros g Hg. rewrite Rplus_0_l.
          apply (abstaining_right _ _ _ _ _ _ _ conditions); auto. now apply off_false with (y := y).
        * destruct (wrong_margins K (scores d W x) ystar y classes Hy Htop Hne) as [Hle Heq].
          apply (paid W x y G); auto. intros g Hg.
          rewrite <- (Ropp_involutive (margin K (scores d W x) y)) in Hg |- *.
          apply (abstaining_wrong _ _ _ _ _ _ _ conditions); auto. now rewrite two_classes.
  Qed.

  Theorem abstaining_margin_theorem :
    abstention_guarantee K d (margin_loss K d phi a beta) cost X (eta / X ^ 2) (c * X ^ 2).
  Proof using conditions classes X_positive.
    apply abstention_guarantee_from_rounds; [exact abstaining_margin_rounds|].
    exact (proj2 (scaled_rate eta c X X_positive (abstaining_rate_positive _ _ _ _ _ _ _ conditions)
      (abstaining_regret_follows _ _ _ _ _ _ _ conditions))).
  Qed.
End Margins.

(** * Softmax losses *)

(** [softmax_conditions] with the share [a] of a round at the cost [cost] in the place of (k - 1)/k. *)
Record abstaining_softmax_conditions (cost k : R) (psi a : R -> R) (eta c : R) : Prop := {
  logit_nonnegative : forall p, 0 < p < 1 -> 0 <= psi p;
  logit_convex : forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r;
  logit_nonincreasing : k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0;
  logit_map_range : forall p, 1 / k <= p < 1 -> 0 <= a p <= 1;
  logit_rate_positive : 0 < eta;
  logit_right_large : forall p r, 1 / k <= p < 1 -> 1 / 2 <= p -> logit_subgradient psi p r ->
    a p * cost - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + (1 - p) ^ 2)) <= 0;
  logit_right_middle : forall p r, 1 / k <= p < 1 -> 1 / 3 <= p < 1 / 2 -> logit_subgradient psi p r ->
    a p * cost - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + (p ^ 2 + (1 - 2 * p) ^ 2))) <= 0;
  logit_right_small : forall p r, 1 / k <= p < 1 -> p < 1 / 3 -> logit_subgradient psi p r ->
    a p * cost - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + p * (1 - p))) <= 0;
  logit_wrong_large : forall p q r, 1 / k <= p < 1 -> 0 < q <= p -> p <= 1 - q -> (k = 2 -> p = 1 - q) ->
    1 - q - p <= p -> logit_subgradient psi q r ->
    1 - a p + a p * cost - psi q + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + (p ^ 2 + (1 - q - p) ^ 2))) <= 0;
  logit_wrong_small : forall p q r, 1 / k <= p < 1 -> 0 < q <= p -> p <= 1 - q -> (k = 2 -> p = 1 - q) ->
    p < 1 - q - p -> logit_subgradient psi q r ->
    1 - a p + a p * cost - psi q + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + (p ^ 2 + p * (1 - q - p)))) <= 0;
  logit_regret_follows : 1 / (2 * eta) <= c;
  logit_cost_nonnegative : 0 <= cost
}.

Lemma softmax_one_more cost k psi a eta c : abstaining_softmax_conditions cost k psi a eta c ->
  softmax_conditions k (fun p => psi p + 1) (fun _ => 0) eta c.
Proof.
  intros [Hpos Hconvex Hdown Hmap Heta Hlarge Hmiddle Hsmall Hwrong Hwrong' Hregret Hcost].
  assert (Hshare : forall p, 1 / k <= p < 1 -> 0 <= a p <= 1 /\ 0 <= a p * cost).
  { intros p Hp. split; [now apply Hmap|]. apply Rmult_le_pos; [now apply Hmap|exact Hcost]. }
  assert (Hnone : forall u, 0 * u / k = 0) by (intros; unfold Rdiv; ring).
  assert (Hnone' : 0 / k = 0) by (unfold Rdiv; ring).
  split; auto.
  - intros p Hp. specialize (Hpos p Hp). lra.
  - intros p Hp. destruct (Hconvex p Hp) as [r Hr]. exists r. now apply (one_more_logit psi).
  - intros Hk p r Hp Hr. now apply (Hdown Hk p r Hp), (one_more_logit psi).
  - intros. lra.
  - intros p r Hp Hw Hr. apply (one_more_logit psi) in Hr. specialize (Hlarge p r Hp Hw Hr). specialize (Hshare p Hp).
    rewrite Hnone. lra.
  - intros p r Hp Hw Hr. apply (one_more_logit psi) in Hr. specialize (Hmiddle p r Hp Hw Hr). specialize (Hshare p Hp).
    rewrite Hnone. lra.
  - intros p r Hp Hw Hr. apply (one_more_logit psi) in Hr. specialize (Hsmall p r Hp Hw Hr). specialize (Hshare p Hp).
    rewrite Hnone. lra.
  - intros p q r Hp Hq Hs Htwo Hw Hr. apply (one_more_logit psi) in Hr. specialize (Hwrong p q r Hp Hq Hs Htwo Hw Hr).
    specialize (Hshare p Hp). rewrite Hnone'. lra.
  - intros p q r Hp Hq Hs Htwo Hw Hr. apply (one_more_logit psi) in Hr. specialize (Hwrong' p q r Hp Hq Hs Htwo Hw Hr).
    specialize (Hshare p Hp). rewrite Hnone'. lra.
Qed.

Section Softmax.
  Variables (K d : nat) (psi a : R -> R) (cost eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis conditions : abstaining_softmax_conditions cost (INR K) psi a eta c.
  Hypothesis X_positive : 0 < X.
  Let plain := softmax_one_more _ _ _ _ _ _ conditions.

  Lemma abstaining_softmax_cost W x y G base S : (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G ->
    let p := softmax K (scores d W x) y in
    others K (scores d W x) y <= S ->
    (forall r, logit_subgradient psi p r -> base + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= 0) ->
    base + eta / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using conditions classes X_positive.
    intros Hy Hx HG p HS Hgap. apply one_more_matrix in HG.
    apply (softmax_gradient_cost K d _ _ eta c X classes plain X_positive W x y G base S Hy Hx HG HS).
    intros r Hr. now apply Hgap, (one_more_logit psi).
  Qed.

  Lemma abstaining_softmax_right W x y G : is_top K (scores d W x) y -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G ->
    let p := softmax K (scores d W x) y in a p * cost - psi p + eta / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using conditions classes X_positive.
    intros Htop Hx HG p. assert (Hy := proj1 Htop). set (theta := scores d W x) in *.
    assert (Hp : 1 / INR K <= p < 1) by (split; [now apply top_probability|now apply softmax_range]).
    destruct (Rle_dec (1 / 2) p) as [Hbig|Hbig]; [|destruct (Rle_dec (1 / 3) p) as [Hmid|Hmid]].
    - apply (abstaining_softmax_cost W x y G) with (S := (1 - p) ^ 2); auto; [now apply others_le|].
      intros r Hr. now apply (logit_right_large _ _ _ _ _ _ conditions).
    - apply (abstaining_softmax_cost W x y G) with (S := p ^ 2 + (1 - 2 * p) ^ 2); auto.
      + apply others_in_two; auto. fold theta p. lra.
      + intros r Hr. apply (logit_right_middle _ _ _ _ _ _ conditions); auto. lra.
    - apply (abstaining_softmax_cost W x y G) with (S := p * (1 - p)); auto; [now apply others_capped|].
      intros r Hr. apply (logit_right_small _ _ _ _ _ _ conditions); auto. lra.
  Qed.

  Lemma abstaining_softmax_wrong W x ystar y G :
    is_top K (scores d W x) ystar -> (y < K)%nat -> ystar <> y -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G ->
    let p := softmax K (scores d W x) ystar in let q := softmax K (scores d W x) y in
    1 - a p + a p * cost - psi q + eta / X ^ 2 / 2 * norm2 K d G <= 0.
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
    - apply (abstaining_softmax_cost W x y G) with (S := p ^ 2 + (1 - q - p) ^ 2); auto.
      + now apply others_wrong_large.
      + intros r Hr. now apply (logit_wrong_large _ _ _ _ _ _ conditions).
    - apply (abstaining_softmax_cost W x y G) with (S := p ^ 2 + p * (1 - q - p)); auto.
      + now apply others_wrong_small.
      + intros r Hr. apply (logit_wrong_small _ _ _ _ _ _ conditions); auto. lra.
  Qed.

  Lemma abstaining_softmax_rounds : abstention_rounds K d (softmax_loss K d psi a) cost X (eta / X ^ 2).
  Proof using conditions classes X_positive.
    split.
    - apply Rmult_lt_0_compat; [apply (logit_rate_positive _ _ _ _ _ _ conditions)|].
      now apply Rinv_0_lt_compat, pow_lt.
    - intros W x ystar y V Hy. apply (logit_nonnegative _ _ _ _ _ _ conditions). now apply softmax_range.
    - intros W x. now apply some_top.
    - intros W x ystar y V Hy.
      destruct (softmax_gradient_exists K d _ _ eta c classes plain W x ystar y V Hy) as [G HG]. exists G.
      now apply one_more_matrix.
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|]. apply (logit_map_range _ _ _ _ _ _ conditions).
      assert (Hy := proj1 Htop). split; [now apply top_probability|now apply softmax_range].
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top softmax_loss] in *.
      destruct (Nat.eqb_spec ystar y) as [->|Hne].
      + rewrite Rplus_0_l. now apply (abstaining_softmax_right W x y G).
      + now apply (abstaining_softmax_wrong W x ystar y G).
  Qed.

  Theorem abstaining_softmax_theorem :
    abstention_guarantee K d (softmax_loss K d psi a) cost X (eta / X ^ 2) (c * X ^ 2).
  Proof using conditions classes X_positive.
    apply abstention_guarantee_from_rounds; [exact abstaining_softmax_rounds|].
    exact (proj2 (scaled_rate eta c X X_positive (logit_rate_positive _ _ _ _ _ _ conditions)
      (logit_regret_follows _ _ _ _ _ _ conditions))).
  Qed.
End Softmax.
