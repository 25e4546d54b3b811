(** Softmax losses at scores that are logarithms of rational weights: probabilities are rational numbers. *)

From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From Gaptron Require Import Definitions RefutationDefinitions Sums Matrices Subgradients Expectations Linear Margins.
From Gaptron Require Import Softmax SoftmaxSubgradients Refutations.
Open Scope R_scope.

Definition logs (w : vector) : vector := fun k => ln (w k).

Section Weights.
  Variables (K : nat) (w : vector).
  Hypothesis positive : forall k, 0 < w k.

  Lemma softmax_of_logs y : softmax K (logs w) y = w y / sum K w.
  Proof using positive.
    unfold softmax, logs. rewrite exp_ln by apply positive. f_equal. apply sum_ext. intros. now apply exp_ln.
  Qed.

  Lemma top_of_logs y : is_top K w y -> is_top K (logs w) y.
  Proof using positive.
    intros [Hy Hle]. split; [exact Hy|]. intros k Hk. unfold logs.
    destruct (Hle k Hk) as [H|H]; [left; now apply ln_increasing|rewrite H; apply Rle_refl].
  Qed.
End Weights.

(** Scores between those of the [n]-th powers of two rows of weights. *)
Lemma logs_on_line A B n i t : (forall k, 0 < A k) -> (forall k, 0 < B k) -> (i <= n)%nat -> t * INR n = INR i ->
  (fun k => t * logs (fun j => A j ^ n) k + (1 - t) * logs (fun j => B j ^ n) k) =
  logs (fun k => A k ^ i * B k ^ (n - i)).
Proof.
  intros HA HB Hi Ht. apply functional_extensionality. intros k. unfold logs.
  rewrite ln_mult, !ln_pow, minus_INR, <- Ht by auto using pow_lt. ring.
Qed.

Section SoftmaxRound.
  Variables (K : nat) (psi a : R -> R) (w : vector).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis positive : forall k, 0 < w k.
  Let theta := logs w.

  (** The weights, features and gradient of a round: [q] is the probability of [y], [r] takes the place of psi'(q). *)
  Lemma softmax_gradient y q squares r : (y < K)%nat -> w y / sum K w = q ->
    sum K (without y (fun k => (w k / sum K w) ^ 2)) = squares -> logit_subgradient psi q r -> K = 2%nat \/ r <= 0 ->
    exists G, matrix_subgradient K 1 (fun V => psi (softmax K (scores 1 V unit) y)) (column theta) G /\
      norm2 K 1 G = (r * q) ^ 2 * ((1 - q) ^ 2 + squares).
  Proof using classes positive.
    intros Hy Hq <- Hr Hsign. rewrite <- (softmax_of_logs K w positive) in Hq. fold theta in Hq. subst q.
    set (q := softmax K theta y) in *. assert (Hq : 0 < q < 1) by now apply softmax_range.
    assert (Hv := softmax_direction_subgradient K psi y classes Hy theta r Hr Hsign). fold q in Hv.
    set (v := softmax_direction K y theta (r * (q * (1 - q)))) in *. exists (outer v unit). split.
    - apply (outer_subgradient K 1 (fun theta => psi (softmax K theta y))). now rewrite scores_of_column.
    - rewrite norm2_of_outer, (softmax_entries_squared K psi y classes Hy theta v Hv). fold q.
      replace (v y / (q * (1 - q))) with r by (unfold v, softmax_direction; rewrite Nat.eqb_refl; field; lra).
      f_equal. f_equal. apply sum_ext. intros k _. unfold without, theta.
      now rewrite (softmax_of_logs K w positive).
  Qed.

  (** [p] is the largest probability. *)
  Lemma softmax_broken price eta ystar y p q squares r : is_top K w ystar -> (y < K)%nat ->
    w ystar / sum K w = p -> w y / sum K w = q -> sum K (without y (fun k => (w k / sum K w) ^ 2)) = squares ->
    logit_subgradient psi q r -> K = 2%nat \/ r <= 0 ->
    0 < (if Nat.eqb ystar y then a p * price else 1 - a p + a p * price) - psi q
      + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + squares)) ->
    broken_at K 1 (softmax_loss K 1 psi a) price 1 (eta / 1 ^ 2).
  Proof using classes positive.
    intros Htop Hy Hp Hq Hs Hr Hsign Hgap.
    destruct (softmax_gradient y q squares r Hy Hq Hs Hr Hsign) as (G & HG & Hsize).
    exists (column theta), unit, ystar, y, G.
    cbn [top rows loss gap_map softmax_loss]. rewrite !scores_of_column. unfold theta.
    rewrite !(softmax_of_logs K w positive), Hp, Hq, Hsize.
    split; [split; [now apply top_of_logs | split; [exact Hy | exact unit_size]]|]. split; [exact HG|].
    split; [exact (proj1 Htop)|]. rewrite risk_of_round. replace (eta / 1 ^ 2 / 2) with (eta / 2) by field. exact Hgap.
  Qed.

  Lemma softmax_map_broken ystar p : is_top K w ystar -> w ystar / sum K w = p -> ~ 0 <= a p <= 1 ->
    broken_map 1 (softmax_loss K 1 psi a) 1.
  Proof using positive.
    intros Htop Hp Hout. exists (column theta), unit, ystar. cbn [top gap_map softmax_loss].
    rewrite !scores_of_column. unfold theta. rewrite (softmax_of_logs K w positive), Hp.
    split; [split; [now apply top_of_logs | exact unit_size] | exact Hout].
  Qed.

  Lemma softmax_loss_negative y q : (y < K)%nat -> w y / sum K w = q -> psi q < 0 ->
    broken_loss K (softmax_loss K 1 psi a).
  Proof using positive.
    intros Hy Hq Hbad. exists (column (fun _ => 0)), unit, y, y. split; [exact Hy|].
    intros [_ Hpos]. specialize (Hpos (column theta)). cbn [loss softmax_loss] in Hpos.
    rewrite scores_of_column in Hpos. unfold theta in Hpos. rewrite (softmax_of_logs K w positive), Hq in Hpos. lra.
  Qed.
End SoftmaxRound.

(** The loss at two rows of scores and at one between them. *)
Lemma softmax_loss_not_convex K psi a A B n i t y qa qb qm : (forall k, 0 < A k) -> (forall k, 0 < B k) ->
  (y < K)%nat -> (i <= n)%nat -> 0 <= t <= 1 -> t * INR n = INR i ->
  A y ^ n / sum K (fun j => A j ^ n) = qa -> B y ^ n / sum K (fun j => B j ^ n) = qb ->
  A y ^ i * B y ^ (n - i) / sum K (fun k => A k ^ i * B k ^ (n - i)) = qm ->
  t * psi qa + (1 - t) * psi qb < psi qm -> broken_loss K (softmax_loss K 1 psi a).
Proof.
  intros HA HB Hy Hi Ht Hn <- <- <- Hbad. exists (column (fun _ => 0)), unit, y, y. split; [exact Hy|].
  intros [Hconvex _].
  specialize (Hconvex (column (logs (fun j => A j ^ n))) (column (logs (fun j => B j ^ n))) t Ht).
  cbn [loss softmax_loss] in Hconvex.
  change (fun k i => t * column (logs (fun j => A j ^ n)) k i + (1 - t) * column (logs (fun j => B j ^ n)) k i)
    with (column (fun k => t * logs (fun j => A j ^ n) k + (1 - t) * logs (fun j => B j ^ n) k)) in Hconvex.
  rewrite !scores_of_column, (logs_on_line A B n i t HA HB Hi Hn) in Hconvex.
  rewrite !(softmax_of_logs K) in Hconvex by (intros; try apply Rmult_lt_0_compat; now apply pow_lt). lra.
Qed.
