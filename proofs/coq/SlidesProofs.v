(** The theorems of Slides.v: of the loss they need what Theorems 2 and 3 need. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Pieces Assembly Margins MarginTheorem.
From Gaptron Require Import Paper HingeProof SmoothHingeProof.
From Gaptron Require Import AbstentionDefinitions AbstentionTheorem Slides.
Open Scope R_scope.

Lemma never_off beta m y : off beta m (S y) y = false.
Proof.
  destruct beta as [b|]; [|reflexivity]. unfold off. destruct Rlt_dec; [|reflexivity]. apply Nat.eqb_neq. lia.
Qed.

Section MarginLosses.
  Variables (K d : nat) (phi a a' : R -> R) (beta beta' : option R) (eta eta' c' X c : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis X_positive : 0 < X.

  (** Any theorem on the loss with full information. *)
  Hypothesis conditions : margin_conditions (INR K) phi a' beta' eta' c'.

  Hypothesis rate : 0 < eta.
  Hypothesis map : forall m, 0 <= m -> 0 <= a m <= 1.
  Hypothesis right_round : forall m g, 0 <= m -> ~ is_off beta m -> subgradient phi m g ->
    a m * c - phi m + eta * g ^ 2 <= 0.
  Hypothesis off_round : forall m, 0 <= m -> is_off beta m -> a m * c <= 0.
  Hypothesis wrong_round : forall s t g, 0 <= s <= t -> subgradient phi (- t) g ->
    1 - a s + a s * c - phi (- t) + eta * g ^ 2 <= 0.

  (** [margin_gradient_cost] at another learning rate. *)
  Lemma gradient_cost_at_rate W x y G base : (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient K d (fun V => phi (margin K (scores d V x) y)) W G ->
    (forall g, subgradient phi (margin K (scores d W x) y) g -> base + eta * g ^ 2 <= 0) ->
    base + eta / X ^ 2 / 2 * norm2 K d G <= 0.
  Proof using classes X_positive conditions rate.
    intros Hy Hx HG Hgap. assert (Heta' := rate_positive _ _ _ _ _ _ conditions).
    assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
    assert (H := margin_gradient_cost K d phi a' beta' eta' c' X classes conditions X_positive W x y G
      (eta' / eta * base) Hy Hx HG).
    apply Rmult_le_reg_l with (eta' / eta); [apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat]|].
    rewrite Rmult_0_r.
    replace (eta' / eta * (base + eta / X ^ 2 / 2 * norm2 K d G))
      with (eta' / eta * base + eta' / X ^ 2 / 2 * norm2 K d G) by (field; lra).
    apply H. intros g Hg. specialize (Hgap g Hg).
    replace (eta' / eta * base + eta' * g ^ 2) with (eta' / eta * (base + eta * g ^ 2)) by (field; lra).
    assert (0 < eta' / eta) by (apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat]). nra.
  Qed.

  Lemma abstaining_margin_rounds : abstention_rounds K d (margin_loss K d phi a beta) c X (eta / X ^ 2).
  Proof using classes X_positive conditions rate map right_round off_round wrong_round.
    split.
    - apply Rmult_lt_0_compat; [exact rate|]. now apply Rinv_0_lt_compat, pow_lt.
    - intros W x ystar y V _. cbn. destruct (off _ _ _ _); [lra|]. apply (loss_nonnegative _ _ _ _ _ _ conditions).
    - intros W x. now apply some_top.
    - intros W x ystar y V Hy. cbn [loss margin_loss rows]. destruct (off _ _ _ _).
      + exists (fun _ _ => 0). intros V'. unfold inner, dot. rewrite (sum_zero K); [lra|].
        intros. apply sum_zero. intros. ring.
      + destruct (margin_gradient_exists K d phi a' beta' eta' c' classes conditions W x (S y) y V Hy) as [G HG].
        exists G. cbn [loss margin_loss] in HG. now rewrite never_off in HG.
    - intros W x ystar Htop. cbn in *. split; [exact (proj1 Htop)|]. now apply map, right_margin.
    - intros W x ystar y G Htop Hy Hx HG. cbn [loss gap_map rows top margin_loss] in *.
      assert (Hstar := right_margin K (scores d W x) ystar classes Htop).
      destruct (off _ _ ystar y) eqn:Hoff.
      + destruct (off_true _ _ _ _ Hoff) as [H ->]. rewrite Nat.eqb_refl, (constant_subgradient _ _ _ _ _ HG).
        assert (Hgap := off_round _ Hstar H). lra.
      + destruct (Nat.eqb_spec ystar y) as [->|Hne].
        * apply (gradient_cost_at_rate W x y G); auto. intros g Hg. rewrite Rplus_0_l.
          apply right_round; auto. now apply off_false with (y := y).
        * destruct (wrong_margins K (scores d W x) ystar y classes Hy Htop Hne) as [Hle _].
          apply (gradient_cost_at_rate W x y G); auto. intros g Hg.
          rewrite <- (Ropp_involutive (margin K (scores d W x) y)) in Hg |- *. now apply wrong_round.
  Qed.
End MarginLosses.

Theorem abstaining_smooth_hinge : AbstainingSmoothHinge.
Proof.
  intros K d X c HK HX Hc. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  split; [lra|]. split; [lra|].
  replace ((1 - c) / (4 * X ^ 2)) with ((1 - c) / 4 / X ^ 2) by (field; lra).
  apply abstention_guarantee_from_rounds; [|right; field; lra].
  apply (abstaining_margin_rounds K d smooth_hinge smooth_hinge_map smooth_hinge_map None None
    ((1 - c) / 4) (1 / (4 * INR K)) (2 * INR K) X c HK HX (smooth_hinge_conditions (INR K) Hk)).
  - lra.
  - exact smooth_hinge_map_range.
  - intros m g Hm _. apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|].
    every_piece; intros Hpiece.
    + rewrite smooth_hinge_left, smooth_hinge_map_low by lra. replace m with 0 by lra. lra.
    + rewrite smooth_hinge_middle, smooth_hinge_map_low by lra. right. field.
    + rewrite smooth_hinge_right, smooth_hinge_map_high by lra. lra.
  - intros m _ [].
  - intros s t g Hst. rewrite smooth_hinge_left by lra.
    apply (pieces_gap _ _ smooth_hinge_pieces smooth_hinge_covered); [lra|].
    every_piece; intros Hpiece; [| |lra].
    + destruct (Rle_dec s 1); [rewrite smooth_hinge_map_low by lra; nra|rewrite smooth_hinge_map_high by lra; lra].
    + replace s with 0 by lra. replace t with 0 by lra. rewrite smooth_hinge_map_low by lra. lra.
Qed.

Theorem abstaining_hinge : AbstainingHinge.
Proof.
  intros K d X c HK HX Hc beta. assert (Hk := at_least_two K HK). assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
  assert (Hvalue : beta * (2 - c) = 1 - c) by (unfold beta; field; lra). assert (Hbeta : 0 < beta <= 1 / 2) by nra.
  split; [lra|]. split; [lra|]. split; [lra|].
  apply abstention_guarantee_from_rounds; [|right; field; lra].
  apply (abstaining_margin_rounds K d hinge (hinge_map beta) _ (Some beta) _ beta _ _ X c HK HX
    (hinge_conditions (INR K) Hk)).
  - lra.
  - intros m Hm. unfold hinge_map. destruct Rlt_dec; lra.
  - intros m g Hm Hon. simpl in Hon. apply (pieces_gap hinge hinge_parts hinge_pieces hinge_covered); [lra|].
    every_piece; intros Hpiece; [|lra].
    unfold hinge, hinge_map. rewrite Rmax_left by lra. destruct Rlt_dec; [lra|]. nra.
  - intros m Hm Hoff. simpl in Hoff. unfold hinge_map. destruct Rlt_dec; lra.
  - intros s t g Hst. apply (pieces_gap hinge hinge_parts hinge_pieces hinge_covered); [lra|].
    every_piece; intros Hpiece; [|lra].
    unfold hinge, hinge_map. rewrite Rmax_left by lra. destruct Rlt_dec; nra.
Qed.

Print Assumptions abstaining_smooth_hinge.
Print Assumptions abstaining_hinge.
