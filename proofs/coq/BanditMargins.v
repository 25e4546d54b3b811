(** Bandit feedback for margin losses at any learning rate: from conditions on functions of one variable, in which the
    square of a subgradient counts by the probability of the label, to the whole guarantee. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly Margins MarginTheorem.
From Gaptron Require Import BanditDefinitions BanditDescent BanditAssembly.
Open Scope R_scope.

(** [margin_conditions] with exploration and at [cost]: p'(y) is 1 - q + q/k on a right round and q/k on a wrong one,
    q = max{a, gamma}. *)
Record bandit_margin_conditions (k : R) (phi a : R -> R) (beta : option R) (gamma eta cost : R) : Prop := {
  exploring_surrogate : margin_surrogate k phi;
  exploring_map_range : forall m, 0 <= m -> 0 <= a m <= 1;
  exploring_rate_positive : 0 < eta;
  exploring_right : forall m g, 0 <= m -> ~ is_off beta m -> subgradient phi m g ->
    let q := Rmax (a m) gamma in q * (k - 1) / k - phi m + eta * g ^ 2 / (1 - q + q / k) <= cost;
  exploring_off : forall m, 0 <= m -> is_off beta m -> Rmax (a m) gamma * (k - 1) / k <= cost;
  exploring_wrong : forall s t g, 0 <= s <= t -> (k = 2 -> s = t) -> subgradient phi (- t) g ->
    let q := Rmax (a s) gamma in 1 - q / k - phi (- t) + eta * g ^ 2 / (q / k) <= cost
}.

Section Margins.
  Variables (K d : nat) (phi a : R -> R) (beta : option R) (gamma eta cost X D : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis explores : 0 < gamma <= 1.
  Hypothesis conditions : bandit_margin_conditions (INR K) phi a beta gamma eta cost.
  Hypothesis X_positive : 0 < X.

  Let surrogate := exploring_surrogate _ _ _ _ _ _ _ conditions.

  (** Every subgradient in W is paid for if every subgradient of phi is, with a label of probability [p]. *)
  Lemma weighted_gradient_cost p W x y G base : 0 < p -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => phi (margin K (scores d V x) y)) W G ->
    (forall g, subgradient phi (margin K (scores d W x) y) g -> base + eta * g ^ 2 / p <= cost) ->
    base + eta / X ^ 2 / 2 * (norm2 K d G / p) <= cost.
  Proof using conditions classes X_positive.
    intros Hp Hy Hx HG Hgap. assert (Heta := exploring_rate_positive _ _ _ _ _ _ _ conditions).
    assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
    assert (Hrate : 0 < eta / p) by (apply Rmult_lt_0_compat; [exact Heta|now apply Rinv_0_lt_compat]).
    assert (H := margin_gradient_cost K d phi classes surrogate (eta / p) X W x y G (base - cost) Hrate X_positive Hy Hx
      HG).
    replace (eta / X ^ 2 / 2 * (norm2 K d G / p)) with (eta / p / X ^ 2 / 2 * norm2 K d G) by (field; lra).
    enough (base - cost + eta / p / X ^ 2 / 2 * norm2 K d G <= 0) by lra.
    apply H. intros g Hg. specialize (Hgap g Hg).
    replace (eta / p * g ^ 2) with (eta * g ^ 2 / p) by (field; lra). lra.
  Qed.

  Theorem bandit_margin_rounds : bandit_rounds K d (margin_loss K d phi a beta) X D gamma (eta / X ^ 2) cost.
  Proof using conditions classes explores X_positive.
    split.
    - apply Rmult_lt_0_compat; [apply (exploring_rate_positive _ _ _ _ _ _ _ conditions)|].
      now apply Rinv_0_lt_compat, pow_lt.
    - intros W x ystar y V _. cbn. destruct (off _ _ _ _); [lra|]. apply (surrogate_nonnegative _ _ surrogate).
    - intros W x. now apply some_top.
    - intros W x ystar y V Hy. exact (margin_gradient_exists K d phi classes surrogate a beta W x ystar y V Hy).
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|].
      apply (exploring_map_range _ _ _ _ _ _ _ conditions). now apply right_margin.
    - intros W x ystar y G _ Htop Hy Hx HG. cbn [loss gap_map rows top margin_loss] in *.
      assert (Hstar := right_margin K (scores d W x) ystar classes Htop).
      assert (Hmap := exploring_map_range _ _ _ _ _ _ _ conditions _ Hstar).
      assert (Hp := exploring_positive K gamma _ ystar y ltac:(lia) (proj1 Htop) Hmap explores).
      assert (Hseen : 0 < exploring K gamma (a (margin K (scores d W x) ystar)) ystar y).
      { refine (Rlt_le_trans _ _ _ _ Hp). apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat, lt_0_INR. lia. }
      rewrite P_wrong_value by (auto; exact (proj1 Htop)). destruct (off _ _ ystar y) eqn:Hoff.
      + destruct (off_true _ _ _ _ Hoff) as [H ->]. rewrite Nat.eqb_refl.
        rewrite (constant_subgradient _ _ _ _ _ HG).
        assert (Hgap := exploring_off _ _ _ _ _ _ _ conditions _ Hstar H).
        unfold Rdiv at 4. rewrite Rmult_0_l. lra.
      + apply (weighted_gradient_cost _ W x y G); auto. intros g Hg. unfold exploring, prediction.
        destruct (Nat.eqb_spec ystar y) as [->|Hne].
        * rewrite Nat.eqb_refl. apply (exploring_right _ _ _ _ _ _ _ conditions); auto.
          now apply off_false with (y := y).
        * destruct (wrong_margins K (scores d W x) ystar y classes Hy Htop Hne) as [Hle Heq].
          apply not_eq_sym, Nat.eqb_neq in Hne. rewrite Hne, Rplus_0_l.
          rewrite <- (Ropp_involutive (margin K (scores d W x) y)) in Hg |- *.
          apply (exploring_wrong _ _ _ _ _ _ _ conditions); auto. now rewrite two_classes.
  Qed.

  Theorem exploring_margin_theorem T : 0 < D ->
    bandit_guarantee K d (margin_loss K d phi a beta) X D gamma (eta / X ^ 2) T
      (fun u => Rmin (INR T) (u / (2 * (eta / X ^ 2)) + cost * INR T)).
  Proof using conditions classes explores X_positive.
    intros HD. exact (bandit_guarantee_from_rounds K d _ X D gamma _ cost T HD explores bandit_margin_rounds).
  Qed.
End Margins.
