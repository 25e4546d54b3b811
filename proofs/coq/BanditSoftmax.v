(** Bandit feedback for softmax losses at any learning rate, as [BanditMargins] has it for margins. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly Margins Softmax SoftmaxSubgradients Probabilities.
From Gaptron Require Import SoftmaxTheorem BanditDefinitions BanditDescent BanditAssembly BanditTheorem BanditMargins.
Open Scope R_scope.

(** [softmax_conditions] with exploration and at [cost]: p'(y) is 1 - u + u/k on a right round and u/k on a wrong one,
    u = max{a, gamma}. *)
Record bandit_softmax_conditions (k : R) (psi a : R -> R) (gamma eta cost : R) : Prop := {
  drawn_psi : softmax_surrogate k psi;
  drawn_map_range : forall p, 1 / k <= p < 1 -> 0 <= a p <= 1;
  drawn_rate_positive : 0 < eta;
  drawn_top : forall p r S, 1 / k <= p < 1 -> beside_top p S -> logit_subgradient psi p r ->
    let u := Rmax (a p) gamma in
    u * (k - 1) / k - psi p + eta / (1 - u + u / k) / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= cost;
  drawn_other : forall p q r S, wrong_probabilities k p q -> beside p q S -> logit_subgradient psi q r ->
    let u := Rmax (a p) gamma in
    1 - u / k - psi q + eta / (u / k) / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= cost
}.

Section Softmax.
  Variables (K d : nat) (psi a : R -> R) (gamma eta cost X D : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis explores : 0 < gamma <= 1.
  Hypothesis conditions : bandit_softmax_conditions (INR K) psi a gamma eta cost.
  Hypothesis X_positive : 0 < X.

  Theorem bandit_softmax_rounds : bandit_rounds K d (softmax_loss K d psi a) X D gamma (eta / X ^ 2) cost.
  Proof using conditions classes explores X_positive.
    assert (Heta := drawn_rate_positive _ _ _ _ _ _ conditions). assert (Hpsi := drawn_psi _ _ _ _ _ _ conditions).
    assert (Range : forall theta y, is_top K theta y -> 1 / INR K <= softmax K theta y < 1).
    { intros theta y Htop. assert (Hy := proj1 Htop). split; [now apply top_probability|now apply softmax_range]. }
    split.
    - apply Rmult_lt_0_compat; [exact Heta|]. now apply Rinv_0_lt_compat, pow_lt.
    - intros W x ystar y V Hy. apply (psi_nonnegative _ _ Hpsi). now apply softmax_range.
    - intros W x. now apply some_top.
    - intros W x ystar y V. now apply softmax_gradient_exists.
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|].
      apply (drawn_map_range _ _ _ _ _ _ conditions). now apply Range.
    - intros W x ystar y G _ Htop Hy Hx HG. cbn [loss gap_map rows top softmax_loss] in *.
      set (share := a (softmax K (scores d W x) ystar)).
      assert (Hmap : 0 <= share <= 1) by (apply (drawn_map_range _ _ _ _ _ _ conditions); now apply Range).
      assert (Hp := exploring_positive K gamma _ ystar y ltac:(lia) (proj1 Htop) Hmap explores).
      assert (Hseen : 0 < exploring K gamma share ystar y).
      { refine (Rlt_le_trans _ _ _ _ Hp). apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat, lt_0_INR. lia. }
      rewrite P_wrong_value by (auto; exact (proj1 Htop)). set (chance := exploring K gamma share ystar y) in *.
      assert (HX2 : 0 < X ^ 2) by now apply pow_lt. assert (Hrate : 0 < eta / chance) by now apply Rdiv_lt_0_compat.
      replace (eta / X ^ 2 / 2 * (norm2 K d G / chance)) with (eta / chance / X ^ 2 / 2 * norm2 K d G) by (field; lra).
      apply Rminus_le. unfold chance, exploring, prediction in *. clear Hp Hseen.
      destruct (Nat.eqb_spec ystar y) as [->|Hne].
      + rewrite Nat.eqb_refl in *.
        refine (Rle_trans _ _ _ (Req_le _ _ _) (right_softmax_cost K d psi classes Hpsi _ X W x y G
          (Rmax share gamma * (INR K - 1) / INR K - psi (softmax K (scores d W x) y) - cost) Hrate X_positive Hy Hx HG
          Htop _)); [ring|].
        intros r S H HS Hr. assert (Hgap := drawn_top _ _ _ _ _ _ conditions _ r S H HS Hr). cbv zeta in Hgap.
        fold share in Hgap. lra.
      + rewrite (proj2 (Nat.eqb_neq y ystar) (not_eq_sym Hne)), Rplus_0_l in *.
        refine (Rle_trans _ _ _ (Req_le _ _ _) (wrong_softmax_cost K d psi classes Hpsi _ X W x ystar y G
          (1 - Rmax share gamma / INR K - psi (softmax K (scores d W x) y) - cost) Hrate X_positive Hy Hx HG
          Htop Hne _)); [ring|].
        intros r S H HS Hr. assert (Hgap := drawn_other _ _ _ _ _ _ conditions _ _ r S H HS Hr). cbv zeta in Hgap.
        fold share in Hgap. lra.
  Qed.
End Softmax.

Theorem any_rate_softmax_theorem K d psi a X D gamma rate T regret :
  (2 <= K)%nat -> 0 < X -> 0 < D -> 0 < gamma <= 1 ->
  bandit_softmax_conditions (INR K) psi a gamma (rate * X ^ 2) (gamma * (INR K - 1) / INR K) ->
  bandit_regret_follows (INR K) D gamma rate (INR T) regret ->
  guarantee_in T (bandit K d (softmax_loss K d psi a) D gamma) X rate (fun _ => regret).
Proof.
  intros HK HX HD Hgamma Hconditions. apply any_rate_theorem; trivial.
  replace rate with (rate * X ^ 2 / X ^ 2) by (field; lra). now apply bandit_softmax_rounds.
Qed.

(** * As theorem files have it: the cost of exploring apart, and the two shares that the uniform distribution may have *)

Lemma softmax_conditions_by_shares k psi a gamma eta :
  2 <= k -> 0 < gamma <= 1 -> softmax_surrogate k psi -> (forall p, 1 / k <= p < 1 -> 0 <= a p <= 1) -> 0 < eta ->
  (forall p r S u, 1 / k <= p < 1 -> beside_top p S -> share (a p) gamma u -> logit_subgradient psi p r ->
    (u - gamma) * (k - 1) / k - psi p + eta / (1 - u + u / k) / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= 0) ->
  (forall p q r S u, wrong_probabilities k p q -> beside p q S -> share (a p) gamma u -> logit_subgradient psi q r ->
    1 - u / k - gamma * (k - 1) / k - psi q + eta / (u / k) / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0) ->
  bandit_softmax_conditions k psi a gamma eta (gamma * (k - 1) / k).
Proof.
  intros Hk Hgamma Hpsi Ha Heta Hright Hwrong. split; auto.
  - intros p r S Hp HS Hr u. assert (H := Hright p r S u Hp HS (larger_is_share _ _) Hr). unfold Rdiv in *. lra.
  - intros p q r S Hpq HS Hr u. assert (H := Hwrong p q r S u Hpq HS (larger_is_share _ _) Hr). lra.
Qed.
