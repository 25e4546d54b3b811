(** That the definitions mean what they are meant to: nothing else rests on this file. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Expectations Linear Margins Softmax MarginSubgradients.
From Gaptron Require Import Paper SmoothHingeProof.
Import ListNotations.
Open Scope R_scope.

(** The margin of a top label is the paper's m* = max_k m(W, k). *)
Theorem top_margin_is_largest K theta ystar : (2 <= K)%nat -> is_top K theta ystar ->
  margin K theta ystar = largest (K - 1) (margin K theta).
Proof.
  intros HK Htop. assert (Hy' := proj1 Htop). apply Rle_antisym; [apply largest_ge; lia|].
  destruct (largest_attained (K - 1) (margin K theta)) as (k & Hk & ->).
  destruct (Nat.eq_dec ystar k) as [->|Hne]; [lra|].
  assert (H0 := right_margin K theta ystar HK Htop).
  assert (H := proj1 (wrong_margins K theta ystar k HK ltac:(lia) Htop Hne)). lra.
Qed.

(** Softmax probabilities are a distribution. *)
Theorem softmax_is_distribution K theta : (0 < K)%nat -> is_distribution K (softmax K theta).
Proof. intros HK. split; [|now apply softmax_sums_to_one]. intros k Hk. left. now apply softmax_positive. Qed.

(** The expectation of a constant is that constant. *)
Theorem expectation_of_constant K p c n h : (forall h, is_distribution K (p h)) ->
  expectation K p n (fun _ => c) h = c.
Proof.
  intros Hp. revert h. induction n as [|n IH]; intros h; cbn [expectation]; [reflexivity|].
  rewrite (sum_ext K _ (fun draw => c * p h draw)) by (intros; rewrite IH; ring).
  rewrite sum_scale. destruct (Hp h) as [_ ->]. ring.
Qed.

(** At ties: g (e_y - w) x, with w any mixture of the rivals that attain the margin, is among the subgradients of
    phi(m(W, y)), for every subgradient g of phi (not positive if there are more than two classes). *)
Theorem mixtures_of_rivals K d phi W x y g w :
  (2 <= K)%nat -> (y < K)%nat -> K = 2%nat \/ g <= 0 ->
  let theta := scores d W x in
  subgradient phi (margin K theta y) g ->
  (forall k, (k < K)%nat -> 0 <= w k) -> w y = 0 -> sum K w = 1 ->
  (forall k, (k < K)%nat -> 0 < w k -> margin K theta y = theta y - theta k) ->
  matrix_subgradient K d (fun V => phi (margin K (scores d V x) y)) W
    (fun k i => g * ((if Nat.eqb k y then 1 else 0) - w k) * x i).
Proof.
  intros HK Hy Hsign theta Hg Hw Hwy Hone Htied.
  set (v := fun k => g * ((if Nat.eqb k y then 1 else 0) - w k)).
  apply (outer_subgradient K d (fun theta => phi (margin K theta y)) W x v). intros theta'. fold theta.
  set (mixed := fun theta : vector => sum K (fun k => w k * (theta y - theta k))).
  assert (Hhere : margin K theta y = mixed theta).
  { rewrite <- (Rmult_1_l (margin K theta y)), <- Hone, Rmult_comm, <- sum_scale. apply sum_ext. intros k Hk.
    destruct (Hw k Hk) as [H|<-]; [rewrite (Htied k Hk H); ring|ring]. }
  assert (Hthere : margin K theta' y <= mixed theta').
  { rewrite <- (Rmult_1_l (margin K theta' y)), <- Hone, Rmult_comm, <- sum_scale. apply sum_le. intros k Hk.
    rewrite Rmult_comm. destruct (Nat.eq_dec k y) as [->|Hky]; [rewrite Hwy; lra|].
    apply Rmult_le_compat_l; [now apply Hw|]. now apply margin_le. }
  assert (Hsum : sum K (fun k => v k * (theta' k - theta k)) = g * (mixed theta' - mixed theta)).
  { unfold mixed. rewrite <- sum_minus, <- sum_scale. unfold v.
    rewrite (sum_ext K _ (fun k => (if Nat.eqb k y then g * (theta' y - theta y) else 0)
      + - g * (w k * (theta' k - theta k)))).
    - rewrite sum_plus, sum_pick by assumption. symmetry.
      rewrite (sum_ext K _ (fun k => g * (theta' y - theta y) * w k + - g * (w k * (theta' k - theta k))))
        by (intros; ring).
      rewrite sum_plus. f_equal. rewrite (sum_scale K (g * (theta' y - theta y)) w), Hone. ring.
    - intros k _. destruct (Nat.eqb_spec k y) as [->|_]; ring. }
  rewrite Hsum, <- Hhere. refine (Rle_trans _ _ _ _ (Hg (margin K theta' y))). apply Rplus_le_compat_l.
  destruct Hsign as [H2|Hneg]; [|apply Rmult_le_compat_neg_l; lra]. right. f_equal. f_equal. symmetry.
  subst K. unfold mixed. clear - Hy Hwy Hone. cbn [sum] in *. unfold margin, largest, other. simpl Nat.sub.
  assert (Hcase : y = 0%nat \/ y = 1%nat) by lia. destruct Hcase as [-> | ->].
  - assert (Hw1 : w 1%nat = 1) by lra. rewrite Hwy, Hw1. cbn. ring.
  - assert (Hw0 : w 0%nat = 1) by lra. rewrite Hwy, Hw0. cbn. ring.
Qed.

(** A guarantee can be false: Theorem 3 with K = 2 and X = 1 has the regret 4 ||U||^2, and 1/2 is too little, already
    against one round. *)
Theorem guarantee_can_fail :
  ~ guarantee (full 2 1 (margin_loss 2 1 smooth_hinge smooth_hinge_map None)) 1 (1 / 8) (linear (1 / 2)).
Proof.
  intros H. destruct (H 1%nat) as (_ & _ & (weights & choice & Hexists) & Hbound).
  set (G := full 2 1 (margin_loss 2 1 smooth_hinge smooth_hinge_map None)) in *.
  assert (Hadm : admissible G 1 1 (fun _ _ => 1) (fun _ => 0%nat) (fun _ => 0)).
  { intros h _. cbn. repeat split; [lia|lra ..]. }
  assert (Hplay := Hexists _ _ _ Hadm). destruct (Hbound _ _ _ Hadm _ _ Hplay) as [_ Hall].
  destruct Hplay as [Hzero _]. specialize (Hall (fun _ k _ => if Nat.eqb k 0 then 1 / 2 else - (1 / 2)) I).
  unfold estimated in Hall. cbn [expectation sum weighted_total G full draw_count chance charge round_loss estimate] in Hall.
  set (W := weights (told G _ _ [])) in *. set (ystar := choice (told G _ _ []) (fun _ => 1)) in *.
  assert (Hmap : gap_map (margin_loss 2 1 smooth_hinge smooth_hinge_map None) W (fun _ => 1) ystar = 1).
  { cbn [gap_map margin_loss]. replace (margin 2 (scores 1 W (fun _ => 1)) ystar) with 0.
    - rewrite smooth_hinge_map_low by lra. ring.
    - unfold margin, scores, dot. cbn [sum Nat.sub largest]. rewrite !Hzero. ring. }
  rewrite Hmap in Hall. unfold prediction, wrong, linear in Hall.
  assert (Hloss : loss (margin_loss 2 1 smooth_hinge smooth_hinge_map None) W (fun _ => 1) ystar 0
    (fun k _ => if Nat.eqb k 0 then 1 / 2 else - (1 / 2)) = 0).
  { cbn [loss margin_loss off]. unfold margin, scores, dot. cbn [sum Nat.sub largest]. simpl.
    rewrite smooth_hinge_right by lra. reflexivity. }
  rewrite Hloss in Hall. unfold norm2, inner, dot in Hall. simpl in Hall.
  destruct ystar as [|[|]]; simpl in Hall; lra.
Qed.
