(** That the definitions of bandit feedback mean what they are meant to: nothing else rests on this file. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Margins Paper SmoothHingeProof.
From Gaptron Require Import BanditDefinitions.
Import ListNotations.
Open Scope R_scope.

(** Importance-weighted losses are unbiased: the bandit losses of a comparator sum to its losses in expectation. *)
Theorem unbiased K T p y f :
  (forall h, takes_place K T h -> (y h < K)%nat /\ is_distribution K (p h) /\ 0 < p h (y h)) ->
  expectation K p T (weighted_total (fun h draw => importance (p h) (y h) draw * f h)) [] =
  expectation K p T (total f) [].
Proof.
  intros H. set (bias h := weighted_total (fun h draw => importance (p h) (y h) draw * f h) h - total f h).
  assert (Hmean : forall h c, takes_place K T h -> sum K (fun draw => p h draw * (c * bias (draw :: h))) = c * bias h).
  { intros h c Hh. destruct (H h Hh) as (Hy & [_ Hone] & Hp).
    rewrite (sum_ext K _ (fun draw => c * (bias h - f h) * p h draw + (if Nat.eqb draw (y h) then c * f h else 0))).
    - rewrite sum_plus, sum_scale, Hone, sum_pick by exact Hy. ring.
    - intros draw _. unfold bias, importance. cbn [weighted_total total].
      destruct (Nat.eqb_spec draw (y h)) as [->|_]; [field; lra|ring]. }
  assert (Hp : forall h, takes_place K T h -> is_distribution K (p h)) by (intros h Hh; now apply H).
  assert (Hle : expectation K p T bias [] <= 1 * bias []).
  { apply expectation_telescopes with (T := T) (value := fun h => 1 * bias h); auto; [|intros; lra].
    intros h Hh. right. now apply Hmean. }
  assert (Hge : expectation K p T (fun h => 0 - bias h) [] <= -1 * bias []).
  { apply expectation_telescopes with (T := T) (value := fun h => -1 * bias h); auto; [|intros; lra].
    intros h Hh. right. now apply Hmean. }
  rewrite expectation_minus in Hge.
  assert (Hzero : expectation K p T (fun _ => 0) [] = 0).
  { clear. generalize (@nil nat). induction T as [|n IH]; intros h; cbn [expectation]; [reflexivity|].
    apply sum_zero. intros i _. rewrite IH. ring. }
  rewrite Hzero in Hge. unfold bias at 1 in Hge. unfold bias at 1 in Hle. rewrite expectation_minus in Hle, Hge.
  unfold bias in Hle, Hge. cbn [weighted_total total] in *. lra.
Qed.

(** In the ball the projection changes nothing. *)
Theorem projection_in_ball rows d D V W : in_ball rows d D V -> nearest_in rows d (in_ball rows d D) V W ->
  forall k i, (k < rows)%nat -> (i < d)%nat -> W k i = V k i.
Proof.
  intros HV [_ Hnear] k i Hk Hi. specialize (Hnear V HV).
  assert (Hzero : norm2 rows d (fun k i => V k i - V k i) = 0)
    by (apply sum_zero; intros; apply sum_zero; intros; ring).
  rewrite Hzero in Hnear.
  assert (Hrow : dot d (fun i => V k i - W k i) (fun i => V k i - W k i) <= 0).
  { refine (Rle_trans _ _ _ _ Hnear).
    apply (term_le_sum rows (fun k => dot d (fun i => V k i - W k i) (fun i => V k i - W k i)) k Hk).
    intros. apply dot_square_nonneg. }
  assert (Hentry := term_le_sum d (fun i => (V k i - W k i) * (V k i - W k i)) i Hi).
  specialize (Hentry (fun j _ => Rle_0_sqr (V k j - W k j))). unfold dot in Hrow. cbn beta in Hentry.
  assert (V k i - W k i = 0) by (apply Rsqr_0_uniq; assert (H := Rle_0_sqr (V k i - W k i)); unfold Rsqr in *; lra).
  lra.
Qed.

(** A bandit guarantee can be false: against one round with two classes half a mistake is made; 1/4 is too little. *)
Theorem bandit_guarantee_can_fail :
  ~ guarantee_in 1 (bandit 2 1 (margin_loss 2 1 smooth_hinge smooth_hinge_map None) 1 1) 1 (1 / 16) (fun _ => 1 / 4).
Proof.
  intros (_ & _ & (weights & choice & Hexists) & Hbound).
  set (G := bandit 2 1 (margin_loss 2 1 smooth_hinge smooth_hinge_map None) 1 1) in *.
  assert (Hadm : admissible G 1 1 (fun _ _ => 1) (fun _ => 0%nat) (fun _ => 0)).
  { intros h _. cbn. repeat split; [lia|lra ..]. }
  assert (Hplay := Hexists _ _ _ Hadm). destruct (Hbound _ _ _ Hadm _ _ Hplay) as [_ Hall].
  destruct Hplay as [Hzero _]. set (V := fun k (_ : nat) => if Nat.eqb k 0 then 1 / 2 else - (1 / 2)).
  assert (Hball : in_ball 2 1 1 V).
  { unfold in_ball, norm2, inner, dot, V. simpl. lra. }
  specialize (Hall (fun _ => V) (ex_intro _ V (conj Hball eq_refl))). unfold estimated in Hall.
  cbn [expectation sum weighted_total G bandit draw_count chance charge round_loss estimate] in Hall.
  set (W := weights (told G _ _ [])) in *. set (ystar := choice (told G _ _ []) (fun _ => 1)) in *.
  assert (Hmap : gap_map (margin_loss 2 1 smooth_hinge smooth_hinge_map None) W (fun _ => 1) ystar = 1).
  { cbn [gap_map margin_loss]. replace (margin 2 (scores 1 W (fun _ => 1)) ystar) with 0.
    - rewrite smooth_hinge_map_low by lra. ring.
    - unfold margin, scores, dot. cbn [sum Nat.sub largest]. rewrite !Hzero. ring. }
  rewrite Hmap in Hall. unfold exploring, prediction, importance, wrong in Hall. rewrite Rmax_left in Hall by lra.
  assert (Hloss : loss (margin_loss 2 1 smooth_hinge smooth_hinge_map None) W (fun _ => 1) ystar 0 V = 0).
  { unfold V. cbn [loss margin_loss off]. unfold margin, scores, dot. cbn [sum Nat.sub largest]. simpl.
    rewrite smooth_hinge_right by lra. reflexivity. }
  rewrite Hloss in Hall. simpl in Hall. destruct ystar as [|[|]]; simpl in Hall; lra.
Qed.
