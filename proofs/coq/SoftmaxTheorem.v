(** Softmax losses: from conditions on functions of one variable to the whole guarantee. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly Linear Margins Softmax SoftmaxSubgradients
  LogitSubgradients Probabilities.
Open Scope R_scope.

(** * Subgradients in W, of any loss of the label's probability; [r] takes the place of psi' *)

Record softmax_surrogate (k : R) (psi : R -> R) : Prop := {
  psi_nonnegative : forall p, 0 < p < 1 -> 0 <= psi p;
  psi_convex : forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r;
  psi_nonincreasing : k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0
}.

(** With S the sum of the other squared probabilities ||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S). S is at most this
    where p is the label's probability and the largest, and where q is the label's and p the largest. *)
Definition beside_top (p S : R) : Prop :=
  (1 / 2 <= p /\ S = (1 - p) ^ 2) \/ (1 / 3 <= p < 1 / 2 /\ S = p ^ 2 + (1 - 2 * p) ^ 2) \/
  (p < 1 / 3 /\ S = p * (1 - p)).
Definition beside (p q S : R) : Prop :=
  (1 - q - p <= p /\ S = p ^ 2 + (1 - q - p) ^ 2) \/ (p < 1 - q - p /\ S = p ^ 2 + p * (1 - q - p)).

(** The label's probability q on a wrong round, where p is the largest. *)
Definition wrong_probabilities (k p q : R) : Prop :=
  1 / k <= p < 1 /\ 0 < q <= p /\ p <= 1 - q /\ (k = 2 -> p = 1 - q).

Section SoftmaxGradients.
  Variables (K d : nat) (psi : R -> R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis surrogate : softmax_surrogate (INR K) psi.

  Lemma softmax_gradient_exists a W x ystar y V : (y < K)%nat ->
    {G | matrix_subgradient K d (loss (softmax_loss K d psi a) W x ystar y) V G}.
  Proof using classes surrogate.
    intros Hy. assert (Hp := softmax_range K (scores d V x) y classes Hy).
    destruct (some_logit_subgradient psi _ Hp (psi_convex _ _ surrogate _ Hp)) as [r Hr].
    eexists. apply (outer_subgradient K d (fun theta => psi (softmax K theta y))).
    apply softmax_direction_subgradient with (3 := Hr); auto.
    destruct (Nat.eq_dec K 2) as [H|H]; [now left|right].
    apply (psi_nonincreasing _ _ surrogate) with (3 := Hr); auto. now rewrite two_classes.
  Qed.

  Section Cost.
    Variables (rate X : R) (W : matrix) (x : vector) (ystar y : nat) (G : matrix) (base : R).
    Hypothesis rate_positive : 0 < rate.
    Hypothesis X_positive : 0 < X.
    Hypothesis label : (y < K)%nat.
    Hypothesis features : dot d x x <= X ^ 2.
    Hypothesis gradient : matrix_subgradient K d (fun V => psi (softmax K (scores d V x) y)) W G.
    Notation theta := (scores d W x).
    Notation chance := (softmax K theta).

    (** Every subgradient in W is paid for if every one in the logit is, with a bound [S] for the other squares. *)
    Lemma softmax_gradient_cost S : others K theta y <= S ->
      (forall r, logit_subgradient psi (chance y) r ->
        base + rate / 2 * ((r * chance y) ^ 2 * ((1 - chance y) ^ 2 + S)) <= 0) ->
      base + rate / X ^ 2 / 2 * norm2 K d G <= 0.
    Proof using classes surrogate rate_positive X_positive label features gradient.
      set (p := chance y). intros HS Hgap. assert (Hothers := others_nonneg K theta y).
      destruct (subgradient_in_scores K d (fun theta => psi (softmax K theta y)) W x G gradient) as (v & Hnorm & Hv).
      destruct Hv as [Hzero|Hv].
      - destruct (psi_convex _ _ surrogate p) as [r Hr]; [now apply softmax_range|]. specialize (Hgap r Hr).
        rewrite Hzero, Rmult_0_r in Hnorm. assert (0 <= (1 - p) ^ 2) by apply pow2_ge_0.
        assert (0 <= X ^ 2) by apply pow2_ge_0.
        apply gradient_cost with (weight := (r * p) ^ 2 * ((1 - p) ^ 2 + S)) (square := 0); auto; [|lra].
        apply Rmult_le_pos; [apply pow2_ge_0|lra].
      - destruct (softmax_entry_of_label K psi y classes label _ v Hv) as [_ Hr].
        rewrite (softmax_entries_squared K psi y classes label _ v Hv) in Hnorm.
        fold p in Hr, Hnorm. set (r := v y / (p * (1 - p))) in *. specialize (Hgap r Hr).
        fold (others K theta y) in Hnorm.
        assert (0 <= (r * p) ^ 2) by apply pow2_ge_0. assert (0 <= (1 - p) ^ 2) by apply pow2_ge_0.
        apply gradient_cost with (weight := (r * p) ^ 2 * ((1 - p) ^ 2 + S)) (square := dot d x x); auto.
        + apply Rmult_le_pos; lra.
        + refine (Rle_trans _ _ _ Hnorm _). apply Rmult_le_compat_r; [apply dot_square_nonneg|].
          apply Rmult_le_compat_l; lra.
    Qed.

    Lemma right_softmax_cost : is_top K theta y ->
      (forall r S, 1 / INR K <= chance y < 1 -> beside_top (chance y) S -> logit_subgradient psi (chance y) r ->
        base + rate / 2 * ((r * chance y) ^ 2 * ((1 - chance y) ^ 2 + S)) <= 0) ->
      base + rate / X ^ 2 / 2 * norm2 K d G <= 0.
    Proof using classes surrogate rate_positive X_positive label features gradient.
      intros Htop Hgap. set (p := chance y) in *.
      assert (Hp : 1 / INR K <= p < 1) by (split; [now apply top_probability|now apply softmax_range]).
      assert (HS : exists S, beside_top p S /\ others K theta y <= S).
      { destruct (Rle_dec (1 / 2) p) as [Hbig|Hbig]; [|destruct (Rle_dec (1 / 3) p) as [Hmid|Hmid]].
        - exists ((1 - p) ^ 2). split; [left; split; [exact Hbig|reflexivity]|now apply others_le].
        - exists (p ^ 2 + (1 - 2 * p) ^ 2). split; [right; left; split; [lra|reflexivity]|].
          apply others_in_two; auto. fold p. lra.
        - exists (p * (1 - p)). split; [right; right; split; [lra|reflexivity]|now apply others_capped]. }
      destruct HS as (S & HS & Hle). apply (softmax_gradient_cost S Hle). auto.
    Qed.

    Lemma wrong_softmax_cost : is_top K theta ystar -> ystar <> y ->
      (forall r S, wrong_probabilities (INR K) (chance ystar) (chance y) -> beside (chance ystar) (chance y) S ->
        logit_subgradient psi (chance y) r ->
        base + rate / 2 * ((r * chance y) ^ 2 * ((1 - chance y) ^ 2 + S)) <= 0) ->
      base + rate / X ^ 2 / 2 * norm2 K d G <= 0.
    Proof using classes surrogate rate_positive X_positive label features gradient.
      intros Htop Hne Hgap. assert (Hstar := proj1 Htop). set (p := chance ystar) in *. set (q := chance y) in *.
      assert (Hround : wrong_probabilities (INR K) p q).
      { split; [split; [now apply top_probability|now apply softmax_range]|].
        split; [split; [now apply softmax_positive|now apply softmax_monotone, Htop]|]. split.
        - assert (H := left_over_nonneg K theta y classes label ystar Htop Hne). fold p q in H. lra.
        - intros H. apply two_classes in H. unfold p, q. rewrite H in label, Hstar |- *.
          assert (Hsum := left_over_of_two theta y ystar label Hstar Hne). lra. }
      destruct (Rle_dec (1 - q - p) p) as [Hlarge|Hsmall].
      - apply (softmax_gradient_cost (p ^ 2 + (1 - q - p) ^ 2)); [now apply others_wrong_large|].
        intros r. apply Hgap; [exact Hround|now left].
      - apply (softmax_gradient_cost (p ^ 2 + p * (1 - q - p))); [now apply others_wrong_small|].
        intros r. apply Hgap; [exact Hround|right]. split; [lra|reflexivity].
    Qed.
  End Cost.
End SoftmaxGradients.

(** * What is asked of the loss [psi], the gap map [a], the learning rate [eta] (in units of 1/X^2) and the regret [c] (in
    units of X^2) for [k] classes, if the share [a] of a round costs [price] *)

Record softmax_conditions (price k : R) (psi a : R -> R) (eta c : R) : Prop := {
  its_psi : softmax_surrogate k psi;
  softmax_map_range : forall p, 1 / k <= p < 1 -> 0 <= a p <= 1;
  softmax_rate_positive : 0 < eta;
  gap_of_top : forall p r S, 1 / k <= p < 1 -> beside_top p S -> logit_subgradient psi p r ->
    a p * price - psi p + eta / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= 0;
  gap_of_other : forall p q r S, wrong_probabilities k p q -> beside p q S -> logit_subgradient psi q r ->
    1 - a p + a p * price - psi q + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0;
  softmax_regret_follows : 1 / (2 * eta) <= c
}.

Section SoftmaxTheorem.
  Variables (K d : nat) (psi a : R -> R) (price eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis conditions : softmax_conditions price (INR K) psi a eta c.
  Hypothesis X_positive : 0 < X.

  Lemma softmax_rounds : sound_rounds K d (softmax_loss K d psi a) price X (eta / X ^ 2).
  Proof using conditions classes X_positive.
    assert (Heta := softmax_rate_positive _ _ _ _ _ _ conditions). assert (Hpsi := its_psi _ _ _ _ _ _ conditions).
    destruct (scaled_rate eta c X X_positive Heta (softmax_regret_follows _ _ _ _ _ _ conditions)) as [Hrate _].
    split; auto.
    - intros W x ystar y V Hy. apply (psi_nonnegative _ _ Hpsi). now apply softmax_range.
    - intros W x. now apply some_top.
    - intros W x ystar y V. now apply softmax_gradient_exists.
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|]. apply (softmax_map_range _ _ _ _ _ _ conditions).
      assert (Hy := proj1 Htop). split; [now apply top_probability|now apply softmax_range].
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top softmax_loss] in *.
      destruct (Nat.eq_dec ystar y) as [->|Hne]; [rewrite risk_right|rewrite risk_wrong by exact Hne].
      + apply (right_softmax_cost K d psi classes Hpsi eta X W x y G); auto.
        intros r S. apply (gap_of_top _ _ _ _ _ _ conditions).
      + apply (wrong_softmax_cost K d psi classes Hpsi eta X W x ystar y G); auto.
        intros r S. apply (gap_of_other _ _ _ _ _ _ conditions).
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
