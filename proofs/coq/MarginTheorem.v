(** Margin losses: from conditions on functions of one variable to the whole guarantee. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Expectations Assembly Linear Margins.
From Gaptron Require Import MarginSubgradients.
Open Scope R_scope.

(** Rounds whose top label is right, with top margin [m], are switched off. *)
Definition is_off (beta : option R) (m : R) : Prop := match beta with None => False | Some b => b < m end.

(** What is asked of the loss [phi], the gap map [a], the threshold [beta], the learning rate [eta] (in units of 1/X^2)
    and the regret [c] (in units of X^2) for [k] classes, if the share [a] of a round costs [price]: for every margin and
    every subgradient [g] there. On a wrong round s is the top margin and -t the margin of the true label. *)
Record margin_conditions (price k : R) (phi a : R -> R) (beta : option R) (eta c : R) : Prop := {
  loss_nonnegative : forall m, 0 <= phi m;
  loss_convex : forall m, exists g, subgradient phi m g;
  loss_nonincreasing : k <> 2 -> forall m g, subgradient phi m g -> g <= 0;
  gap_map_range : forall m, 0 <= m -> 0 <= a m <= 1;
  rate_positive : 0 < eta;
  gap_right : forall m g, 0 <= m -> ~ is_off beta m -> subgradient phi m g ->
    a m * price - phi m + eta * g ^ 2 <= 0;
  gap_off : forall m, 0 <= m -> is_off beta m -> a m * price <= 0;
  gap_wrong : forall s t g, 0 <= s <= t -> (k = 2 -> s = t) -> subgradient phi (- t) g ->
    1 - a s + a s * price - phi (- t) + eta * g ^ 2 <= 0;
  regret_follows : 1 / (2 * eta) <= c
}.

Lemma off_true beta m ystar y : off beta m ystar y = true -> is_off beta m /\ ystar = y.
Proof.
  destruct beta as [b|]; [|discriminate]. simpl. destruct Rlt_dec; [|discriminate].
  intros H. now apply Nat.eqb_eq in H.
Qed.

Lemma off_false beta m y : off beta m y y = false -> ~ is_off beta m.
Proof. destruct beta as [b|]; simpl; [|auto]. destruct Rlt_dec; [|auto]. now rewrite Nat.eqb_refl. Qed.

(** * Subgradients in W, of any loss of the margin *)

Record margin_surrogate (k : R) (phi : R -> R) : Prop := {
  surrogate_nonnegative : forall m, 0 <= phi m;
  surrogate_convex : forall m, exists g, subgradient phi m g;
  surrogate_nonincreasing : k <> 2 -> forall m g, subgradient phi m g -> g <= 0
}.

Section MarginGradients.
  Variables (K d : nat) (phi : R -> R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis surrogate : margin_surrogate (INR K) phi.

  Lemma monotone_or_two : K = 2%nat \/ nonincreasing phi.
  Proof using surrogate.
    destruct (Nat.eq_dec K 2) as [H|H]; [now left|right]. intros m n Hmn.
    apply nonincreasing_values; [exact (surrogate_convex _ _ surrogate)| |exact Hmn].
    apply (surrogate_nonincreasing _ _ surrogate). now rewrite two_classes.
  Qed.

  Lemma margin_gradient_exists a beta W x ystar y V : (y < K)%nat ->
    {G | matrix_subgradient K d (loss (margin_loss K d phi a beta) W x ystar y) V G}.
  Proof using surrogate classes.
    intros Hy. cbn [loss margin_loss]. destruct (off _ _ _ _).
    - exists (fun _ _ => 0). intros V'. unfold inner. rewrite (sum_zero K); [lra|].
      intros. apply sum_zero. intros. ring.
    - destruct (some_rival K (scores d V x) y classes Hy) as (r & Hr & Hry & Hm).
      destruct (some_subgradient phi (margin K (scores d V x) y)) as [g Hg].
      { exact (surrogate_convex _ _ surrogate _). }
      exists (outer (margin_direction y r g) x).
      apply (outer_subgradient K d (fun theta => phi (margin K theta y))).
      apply margin_direction_subgradient; auto.
      destruct (Nat.eq_dec K 2) as [H|H]; [now left|right].
      apply (surrogate_nonincreasing _ _ surrogate) with (2 := Hg). now rewrite two_classes.
  Qed.

  (** Every subgradient in W is paid for if every subgradient of phi is. *)
  Lemma margin_gradient_cost rate X W x y G base : 0 < rate -> 0 < X -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => phi (margin K (scores d V x) y)) W G ->
    (forall g, subgradient phi (margin K (scores d W x) y) g -> base + rate * g ^ 2 <= 0) ->
    base + rate / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using surrogate classes.
    intros Hrate HX Hy Hx HG Hgap.
    destruct (subgradient_in_scores K d (fun theta => phi (margin K theta y)) W x G HG) as (v & Hnorm & [Hzero|Hv]).
    - destruct (surrogate_convex _ _ surrogate (margin K (scores d W x) y)) as [g Hg]. specialize (Hgap g Hg).
      apply gradient_cost with (weight := 0) (square := 0); try lra; nra.
    - assert (Hg := entry_of_label K phi y classes Hy _ v Hv).
      assert (Hsquares := entries_squared K phi y classes Hy _ v Hv monotone_or_two).
      specialize (Hgap (v y) Hg).
      apply gradient_cost with (weight := 2 * v y ^ 2) (square := dot d x x); auto; [nra| |lra].
      assert (0 <= dot d x x) by apply dot_square_nonneg. nra.
  Qed.
End MarginGradients.

(** * The guarantee *)

Section MarginTheorem.
  Variables (K d : nat) (phi a : R -> R) (beta : option R) (price eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis conditions : margin_conditions price (INR K) phi a beta eta c.
  Hypothesis X_positive : 0 < X.

  Lemma conditions_surrogate : margin_surrogate (INR K) phi.
  Proof using conditions. destruct conditions. split; assumption. Qed.

  Lemma margin_rounds : sound_rounds K d (margin_loss K d phi a beta) price X (eta / X ^ 2).
  Proof using conditions classes X_positive.
    destruct (scaled_rate eta c X X_positive (rate_positive _ _ _ _ _ _ _ conditions)
      (regret_follows _ _ _ _ _ _ _ conditions)) as [Hrate _].
    assert (Heta := rate_positive _ _ _ _ _ _ _ conditions).
    assert (paid := fun W x y G base =>
      margin_gradient_cost K d phi classes conditions_surrogate eta X W x y G base Heta X_positive).
    split; auto.
    - intros W x ystar y V _. cbn. destruct (off _ _ _ _); [lra|]. apply (loss_nonnegative _ _ _ _ _ _ _ conditions).
    - intros W x. now apply some_top.
    - intros W x ystar y V. exact (margin_gradient_exists K d phi classes conditions_surrogate a beta W x ystar y V).
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|].
      apply (gap_map_range _ _ _ _ _ _ _ conditions). now apply right_margin.
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top margin_loss] in *.
      assert (Hstar := right_margin K (scores d W x) ystar classes Htop).
      destruct (off _ _ ystar y) eqn:Hoff.
      + destruct (off_true _ _ _ _ Hoff) as [H ->]. rewrite risk_right, (constant_subgradient _ _ _ _ _ HG).
        assert (Hgap := gap_off _ _ _ _ _ _ _ conditions _ Hstar H). lra.
      + destruct (Nat.eq_dec ystar y) as [->|Hne].
        * apply (paid W x y G); auto. intros g Hg. rewrite risk_right.
          apply (gap_right _ _ _ _ _ _ _ conditions); auto. now apply off_false with (y := y).
        * destruct (wrong_margins K (scores d W x) ystar y classes Hy Htop Hne) as [Hle Heq].
          apply (paid W x y G); auto. intros g Hg. rewrite risk_wrong by exact Hne.
          rewrite <- (Ropp_involutive (margin K (scores d W x) y)) in Hg |- *.
          apply (gap_wrong _ _ _ _ _ _ _ conditions); auto. now rewrite two_classes.
  Qed.

  Lemma margin_rate_pays : 1 / (2 * (eta / X ^ 2)) <= c * X ^ 2.
  Proof using conditions X_positive.
    exact (proj2 (scaled_rate eta c X X_positive (rate_positive _ _ _ _ _ _ _ conditions)
      (regret_follows _ _ _ _ _ _ _ conditions))).
  Qed.
End MarginTheorem.

Theorem margin_theorem K d phi a beta eta c X : (2 <= K)%nat ->
  margin_conditions (guessing (INR K)) (INR K) phi a beta eta c -> 0 < X ->
  guarantee (full K d (margin_loss K d phi a beta)) X (eta / X ^ 2) (linear (c * X ^ 2)).
Proof.
  intros HK H HX. apply guarantee_from_rounds; [now apply margin_rounds with (c := c)|].
  exact (margin_rate_pays _ _ _ _ _ _ _ _ H HX).
Qed.
