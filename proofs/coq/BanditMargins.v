(** Bandit feedback for margin losses at any learning rate: from conditions on functions of one variable, in which the
    square of a subgradient counts by the probability of the label, to the whole guarantee. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly Margins MarginTheorem.
From Gaptron Require Import BanditDefinitions BanditDescent BanditAssembly BanditTheorem.
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
    guarantee_in T (bandit K d (margin_loss K d phi a beta) D gamma) X
      (eta / X ^ 2) (fun u => Rmin (INR T) (u / (2 * (eta / X ^ 2)) + cost * INR T)).
  Proof using conditions classes explores X_positive.
    intros HD. exact (bandit_guarantee_from_rounds K d _ X D gamma _ cost T HD explores bandit_margin_rounds).
  Qed.
End Margins.

(** * As theorem files have it: the cost of exploring apart, and the two shares that the uniform distribution may have *)

Definition share (a gamma q : R) : Prop := (gamma <= a /\ q = a) \/ (a <= gamma /\ q = gamma).

Lemma larger_is_share a gamma : share a gamma (Rmax a gamma).
Proof. unfold share, Rmax. destruct Rle_dec; [right|left]; split; lra. Qed.

Lemma share_positive k a gamma q : 2 <= k -> 0 <= a <= 1 -> 0 < gamma <= 1 -> share a gamma q ->
  0 < q <= 1 /\ 0 < k - q * (k - 1).
Proof.
  intros Hk Ha Hgamma Hq. assert (Hrange : 0 < q <= 1) by (destruct Hq as [[? ->]|[? ->]]; lra).
  split; [exact Hrange|]. assert (0 <= (1 - q) * (k - 1)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma seen_right k q : 2 <= k -> 1 - q + q / k = (k - q * (k - 1)) / k.
Proof. intros. field. lra. Qed.

Lemma conditions_by_shares k phi a beta gamma eta :
  2 <= k -> 0 < gamma <= 1 -> margin_surrogate k phi -> (forall m, 0 <= m -> 0 <= a m <= 1) -> 0 < eta ->
  (forall m q g, 0 <= m -> ~ is_off beta m -> share (a m) gamma q -> subgradient phi m g ->
    (q - gamma) * (k - 1) / k - phi m + eta / (1 - q + q / k) * g ^ 2 <= 0) ->
  (forall m q, 0 <= m -> is_off beta m -> share (a m) gamma q -> (q - gamma) * (k - 1) / k <= 0) ->
  (forall s t q g, 0 <= s <= t -> (k = 2 -> s = t) -> share (a s) gamma q -> subgradient phi (- t) g ->
    1 - q / k - gamma * (k - 1) / k - phi (- t) + eta / (q / k) * g ^ 2 <= 0) ->
  bandit_margin_conditions k phi a beta gamma eta (gamma * (k - 1) / k).
Proof.
  intros Hk Hgamma Hphi Ha Heta Hright Hoff Hwrong. split; auto.
  - intros m g Hm Hon Hg q. assert (H := Hright m q g Hm Hon (larger_is_share _ _) Hg).
    replace (eta * g ^ 2 / (1 - q + q / k)) with (eta / (1 - q + q / k) * g ^ 2) by (unfold Rdiv; ring).
    unfold Rdiv in *. lra.
  - intros m Hm Hout. assert (H := Hoff m _ Hm Hout (larger_is_share _ _)). unfold Rdiv in *. lra.
  - intros s t g Hst Htwo Hg q. assert (H := Hwrong s t q g Hst Htwo (larger_is_share _ _) Hg).
    replace (eta * g ^ 2 / (q / k)) with (eta / (q / k) * g ^ 2) by (unfold Rdiv; ring). lra.
Qed.

Theorem any_rate_margin_theorem K d phi a beta X D gamma rate T regret :
  (2 <= K)%nat -> 0 < X -> 0 < D -> 0 < gamma <= 1 ->
  bandit_margin_conditions (INR K) phi a beta gamma (rate * X ^ 2) (gamma * (INR K - 1) / INR K) ->
  bandit_regret_follows (INR K) D gamma rate (INR T) regret ->
  guarantee_in T (bandit K d (margin_loss K d phi a beta) D gamma) X rate (fun _ => regret).
Proof.
  intros HK HX HD Hgamma Hconditions. apply any_rate_theorem; trivial.
  replace rate with (rate * X ^ 2 / X ^ 2) by (field; lra). now apply bandit_margin_rounds.
Qed.
