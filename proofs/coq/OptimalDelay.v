(** Labels that arrive n rounds late: the optimal constant is n + 1 times the one without delay, for any convex losses and
    any target. *)

From Coq Require Import Reals Lra Lia List Arith Psatz.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Optimal DelayDefinitions.
From Gaptron Require Import OptimalSums OptimalLower OptimalProximal.
From Gaptron Require Import OptimalUpper OptimalDecoder OptimalTheorem.
Import ListNotations.
Open Scope R_scope.

(** Without delay nothing is veiled. *)
Definition unveiled (rounds : list feedback) : list (vector * nat * option nat) :=
  map (fun '(x, draw, y) => (x, draw, Some y)) rounds.

Lemma veiled_never rounds : veiled 0 rounds = unveiled rounds.
Proof. induction rounds as [|[[x k] y] rounds IH]; [reflexivity|]. cbn [veiled unveiled map pred]. now rewrite IH. Qed.

Section Delay.
Variables (n : nat) (P : problem) (X alpha : R).
Hypothesis HX : 0 < X.
Hypothesis Hloss : convex_losses P.

Notation M := (predictions P).
Notation N := (labels P).

Lemma copies : 0 < INR (S n).
Proof. apply lt_0_INR. lia. Qed.

(** * n + 1 copies that take turns *)

(** The rounds of the copy that sits out [wait] rounds from here into the past. *)
Fixpoint turns (wait : nat) (rounds : list feedback) : list feedback :=
  match rounds with
  | [] => []
  | round :: rounds => match wait with
                       | O => round :: turns n rounds
                       | S wait => turns wait rounds
                       end
  end.

Fixpoint told_turns (wait : nat) (rounds : list (vector * nat * option nat)) : list feedback :=
  match rounds with
  | [] => []
  | (x, draw, y) :: rounds => match wait with
                              | O => (x, draw, match y with Some y => y | None => 0%nat end) :: told_turns n rounds
                              | S wait => told_turns wait rounds
                              end
  end.

(** A copy whose turn it is has been told all of its labels. *)
Lemma turns_are_told rounds : forall wait m, (m <= wait)%nat -> told_turns wait (veiled m rounds) = turns wait rounds.
Proof.
  induction rounds as [|[[x k] y] rounds IH]; intros wait m H; [reflexivity|]. cbn [veiled told_turns turns].
  destruct wait as [|wait].
  - replace m with 0%nat by lia. exact (f_equal (cons (x, k, y)) (IH n 0%nat (Nat.le_0_l n))).
  - apply IH. lia.
Qed.

Section Upper.
Variable c : R.
Hypothesis Halpha : 0 < alpha.
Hypothesis Hc : 0 < c.

Theorem copies_attain decoder : decodes P alpha c Hc Hloss decoder -> attainable_late n P X alpha (INR (S n) * c).
Proof.
  intros Hdec d.
  exists (fun rounds z => decoder (scores d (weights P X c Hc Hloss d (told_turns n rounds)) z)). split; [intros; apply Hdec|].
  intros T x y Hadv U p losses.
  set (W := fun j h => weights P X c Hc Hloss d (turns j (told (arena P d) x y h))).
  set (off := fun V : matrix => norm2 (dimension P) d (fun k i => V k i - U k i)).
  assert (Hp : forall h, p h = decoder (scores d (W n h) (x h))).
  { intros h. unfold p, W. now rewrite turns_are_told. }
  set (potential h := alpha * (c * X ^ 2) * sum (S n) (fun j => off (W j h))).
  assert (Hcx : 0 <= alpha * (c * X ^ 2)).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. apply pow2_ge_0. }
  replace (alpha * (expectation M p T (total losses) [] + INR (S n) * c * X ^ 2 * norm2 (dimension P) d U))
    with (alpha * expectation M p T (total losses) [] + potential []).
  2:{ unfold potential. replace (sum (S n) (fun j => off (W j []))) with (INR (S n) * norm2 (dimension P) d U); [ring|].
      rewrite <- sum_const. apply sum_ext. intros j _. apply sum_ext. intros k _. apply sum_ext. intros i _.
      unfold W. cbn [told turns weights]. ring. }
  apply full_accounts.
  - intros h _. rewrite Hp. apply Hdec.
  - intros h. apply Rmult_le_pos; [assumption|]. apply sum_nonneg. intros. apply norm2_nonneg.
  - intros h Hh. destruct (Hadv h Hh) as (Hy & Hx & _). destruct (Hdec (scores d (W n h) (x h))) as [_ Hbound].
    specialize (Hbound (y h) Hy). unfold weighted in Hbound.
    assert (Hthree := three_points P X c HX Hc Hloss d (W n h) (x h) (y h) U Hy Hx).
    apply Rmult_le_compat_l with (r := alpha) in Hthree; [|lra].
    exists (alpha * (losses h - envelope P c Hc Hloss (y h) (scores d (W n h) (x h)))).
    split; [|rewrite Hp; lra]. intros draw _. unfold potential. rewrite sum_first. unfold W.
    cbn [sum told turns weights revealed arena]. unfold off, losses, W in *. lra.
Qed.
End Upper.

(** * Blocks of n + 1 equal rounds, in each of which the label is not known *)

Fixpoint stretched (ys : list nat) : list nat :=
  match ys with
  | [] => []
  | y :: ys => repeat y (S n) ++ stretched ys
  end.

Definition of_label (y : nat) (drawn : list (vector * nat)) : list feedback := map (fun '(x, draw) => (x, draw, y)) drawn.

Lemma veiled_labels told rounds y z : forall m, (length told <= m)%nat ->
  veiled m (of_label y told ++ rounds) = veiled m (of_label z told ++ rounds).
Proof.
  induction told as [|[x k] told IH]; intros m H; [reflexivity|]. cbn [of_label map app veiled].
  destruct m as [|m]; [simpl in H; lia|]. f_equal. apply IH. simpl in *. lia.
Qed.

Section Blind.
Variables (A : late_algorithm) (x : nat -> vector) (w : nat -> R) (H : R).
Hypothesis HA : forall rounds z, is_distribution M (A rounds z).
Hypothesis Hw : is_distribution N w.
Hypothesis Hbest : forall k, (k < M)%nat -> H <= weighted N w (target P k).

Let A' := fun rounds (z : vector) => A (veiled n rounds) z.

Lemma block_costs m : (forall rounds t, INR m * INR (S n) * H <= average N w m (fun ys => play P A' x (stretched ys) rounds t)) ->
  forall j told rounds t, (length told + j = S n)%nat ->
  (INR j + INR m * INR (S n)) * H <=
  sum N (fun y => w y * average N w m (fun ys => play P A' x (repeat y j ++ stretched ys) (of_label y told ++ rounds) t)).
Proof using HA Hw Hbest.
  intros Hrest j. induction j as [|j IH]; intros told rounds t Hlen.
  - simpl (INR 0). rewrite Rplus_0_l, <- (weighted_const N w Hw (INR m * INR (S n) * H)). apply sum_le. intros y Hy.
    apply Rmult_le_compat_l; [now apply Hw|]. cbn [repeat app]. apply Hrest.
  - set (q := A (veiled n (of_label 0 told ++ rounds)) (x t)).
    assert (Hq : forall y, A' (of_label y told ++ rounds) (x t) = q).
    { intros y. unfold A', q. f_equal. apply veiled_labels. lia. }
    rewrite (sum_ext N _ (fun y => sum M (fun k => q k * (w y * target P k y + w y *
      average N w m (fun ys => play P A' x (repeat y j ++ stretched ys) (of_label y ((x t, k) :: told) ++ rounds) (S t)))))).
    2:{ intros y _. cbn [repeat app play]. rewrite Hq, average_sum, <- sum_scale. apply sum_ext. intros k _.
        rewrite average_plus_const by assumption.
        change (of_label y ((x t, k) :: told)) with (@cons feedback (x t, k, y) (of_label y told)). cbn [app]. unfold feedback. ring. }
    rewrite sum_swap.
    apply Rle_trans with (sum M (fun k => q k * (H + (INR j + INR m * INR (S n)) * H))).
    + rewrite (sum_ext M _ (fun k => (H + (INR j + INR m * INR (S n)) * H) * q k)) by (intros; ring).
      rewrite sum_scale. unfold q. destruct (HA (veiled n (of_label 0 told ++ rounds)) (x t)) as [_ ->].
      rewrite (S_INR j). right. ring.
    + apply sum_le. intros k Hk. rewrite sum_scale. apply Rmult_le_compat_l; [now apply HA|].
      rewrite sum_plus. apply Rplus_le_compat; [now apply Hbest|]. apply IH. simpl. lia.
Qed.

Lemma blocks_cost m : forall rounds t,
  INR m * INR (S n) * H <= average N w m (fun ys => play P A' x (stretched ys) rounds t).
Proof using HA Hw Hbest.
  induction m as [|m IH]; intros rounds t; [simpl; lra|]. cbn [average stretched].
  apply Rle_trans with ((INR (S n) + INR m * INR (S n)) * H); [rewrite (S_INR m); right; ring|].
  apply (block_costs m IH (S n) [] rounds t). reflexivity.
Qed.
End Blind.

Lemma stretched_length ys : length (stretched ys) = (S n * length ys)%nat.
Proof. induction ys as [|y ys IH]; [simpl; lia|]. cbn [stretched]. rewrite app_length, repeat_length, IH. simpl. lia. Qed.

Lemma nth_stretched t : forall ys, nth t (stretched ys) 0%nat = nth (t / S n) ys 0%nat.
Proof.
  intros ys. revert t. induction ys as [|y ys IH]; intros t.
  - generalize (t / S n)%nat. intros m. now destruct t, m.
  - cbn [stretched]. destruct (lt_dec t (S n)) as [Hin|Hout].
    + rewrite app_nth1 by (rewrite repeat_length; lia). rewrite Nat.div_small by lia.
      rewrite nth_indep with (d' := y) by (rewrite repeat_length; lia). now rewrite nth_repeat.
    + rewrite app_nth2 by (rewrite repeat_length; lia). rewrite repeat_length, IH.
      replace t with ((t - S n) + 1 * S n)%nat at 2 by lia. rewrite Nat.div_add by lia.
      now replace ((t - S n) / S n + 1)%nat with (S ((t - S n) / S n)) by lia.
Qed.

(** A sum over the rounds is n + 1 times that over the blocks. *)
Lemma sum_of_blocks f m : sum (S n * m) (fun t => f (t / S n)%nat) = INR (S n) * sum m f.
Proof.
  induction m as [|m IH]; [rewrite Nat.mul_0_r; simpl; ring|].
  assert (Hblock : forall j, (j <= S n)%nat ->
    sum (S n * m + j) (fun t => f (t / S n)%nat) = INR (S n) * sum m f + INR j * f m).
  { induction j as [|j IHj]; intros Hj; [rewrite Nat.add_0_r, IH; simpl; ring|].
    rewrite Nat.add_succ_r. cbn [sum]. rewrite IHj by lia.
    replace ((S n * m + j) / S n)%nat with m; [rewrite (S_INR j); ring|].
    symmetry. rewrite (Nat.mul_comm (S n)), Nat.div_add_l by lia. rewrite Nat.div_small by lia. lia. }
  replace (S n * S m)%nat with (S n * m + S n)%nat by lia. rewrite Hblock by lia. cbn [sum]. ring.
Qed.

Section Lower.
Variable c : R.

Lemma bound_of_blocks eps rho w theta H : 0 < eps -> 0 < rho -> eps ^ 2 + rho ^ 2 = 1 ->
  attainable_late n P X alpha c -> is_distribution N w ->
  (forall k, (k < M)%nat -> H <= weighted N w (target P k)) ->
  forall T, INR T * H <= alpha * (INR T * weighted N w (fun y => surrogate_of P y (theta y)
    + c / INR (S n) * own P rho w theta y) + c / INR (S n) * common P eps w theta).
Proof.
  intros Heps Hrho Hone Hatt Hw Hbest T. assert (Hn := copies).
  destruct (Hatt (S T)) as (A & HA & Hall).
  set (A' := fun rounds (z : vector) => A (veiled n rounds) z).
  assert (HA' : forall rounds z, is_distribution M (A' rounds z)) by (intros; apply HA).
  set (xs := fun t => point X eps rho (t / S n)).
  assert (Hcost := blocks_cost A xs w H HA Hw Hbest T [] 0). fold A' in Hcost.
  set (b := fun y => INR (S n) * surrogate_of P y (theta y) + c * own P rho w theta y).
  assert (Hb : weighted N w b = INR (S n) * weighted N w (fun y => surrogate_of P y (theta y)
    + c / INR (S n) * own P rho w theta y)).
  { unfold weighted. rewrite <- sum_scale. apply sum_ext. intros y _. unfold b. field. lra. }
  apply Rmult_le_reg_l with (INR (S n)); [exact Hn|].
  replace (INR (S n) * (INR T * H)) with (INR T * INR (S n) * H) by ring.
  apply Rle_trans with (1 := Hcost).
  apply Rle_trans with (average N w T (fun ys => play P A' xs (stretched ys) [] 0 - alpha * sum_over b ys)
    + alpha * (INR T * weighted N w b)).
  { rewrite average_minus. rewrite (average_ext N w T (fun ys => alpha * sum_over b ys) (sum_over (fun y => alpha * b y))).
    - rewrite average_of_sum by assumption. unfold weighted.
      rewrite (sum_ext _ (fun y => w y * (alpha * b y)) (fun y => alpha * (w y * b y))) by (intros; ring).
      rewrite sum_scale. right. ring.
    - intros ys _. induction ys as [|y ys IH]; cbn [sum_over]; [ring|]. rewrite <- IH. ring. }
  rewrite Hb.
  replace (INR (S n) * (alpha * (INR T * weighted N w (fun y => surrogate_of P y (theta y)
    + c / INR (S n) * own P rho w theta y) + c / INR (S n) * common P eps w theta))) with
    (alpha * (c * common P eps w theta) + alpha * (INR T * (INR (S n) * weighted N w (fun y => surrogate_of P y (theta y)
    + c / INR (S n) * own P rho w theta y)))) by (field; lra).
  apply Rplus_le_compat_r. apply average_le; [assumption|]. intros ys Hlen Hys.
  set (labels' := stretched ys).
  assert (Hlabels : length labels' = (S n * T)%nat) by (unfold labels'; now rewrite stretched_length, Hlen).
  specialize (Hall (S n * T)%nat (points xs) (drawn labels')). cbv zeta in Hall.
  assert (Hadv : adversary P (S T) X (S n * T) (points xs) (drawn labels')).
  { intros h [_ Hh]. assert (Hblock : (length h / S n < T)%nat) by (apply Nat.div_lt_upper_bound; lia).
    split; [|split; [|apply Rle_refl]].
    - unfold drawn, labels'. rewrite nth_stretched. rewrite Forall_forall in Hys. apply Hys, nth_In. lia.
    - change (dot (S T) (xs (length h)) (xs (length h)) <= X ^ 2). unfold xs. rewrite point_norm by assumption. lra. }
  specialize (Hall Hadv (comparator P X eps rho w theta ys)).
  assert (Hplay := expectation_is_play P A' xs (S T) HA' labels' labels' [] eq_refl).
  rewrite Hlabels in Hplay. unfold A' in Hplay at 1. rewrite Hplay in Hall. cbn [told weighted_total paid length] in Hall.
  change (fun h : history => surrogate_of P (drawn labels' h)
    (scores (S T) (comparator P X eps rho w theta ys) (points xs h))) with
    (fun h : history => (fun t => surrogate_of P (nth t labels' 0%nat)
      (scores (S T) (comparator P X eps rho w theta ys) (xs t))) (length h)) in Hall.
  rewrite (expectation_of_total P _ (fun t => surrogate_of P (nth t labels' 0%nat)
    (scores (S T) (comparator P X eps rho w theta ys) (xs t)))) in Hall by (intros; apply HA).
  cbn [total length] in Hall.
  rewrite (sum_ext (S n * T) _ (fun t => (fun i => surrogate_of P (nth i ys 0%nat) (theta (nth i ys 0%nat))) (t / S n)%nat)) in Hall.
  2:{ intros t Ht. simpl (0 + t)%nat. unfold labels'. rewrite nth_stretched.
      assert (Hblock : (t / S n < T)%nat) by (apply Nat.div_lt_upper_bound; lia).
      rewrite Forall_forall in Hys. apply Hloss; [apply Hys, nth_In; lia|].
      intros k _. unfold xs. apply comparator_scores; assumption. }
  assert (Hblocks := sum_of_blocks (fun i => surrogate_of P (nth i ys 0%nat) (theta (nth i ys 0%nat))) T).
  cbv beta in Hall, Hblocks. rewrite Hblocks in Hall. clear Hblocks.
  assert (Hsum := sum_of_nth (fun y => surrogate_of P y (theta y)) ys). rewrite Hlen in Hsum.
  assert (Hnorm := comparator_norm P X eps rho w theta HX Heps Hrho ys). rewrite Hlen in Hnorm.
  rewrite Hsum, Rmult_assoc, Hnorm in Hall.
  assert (Hover : sum_over b ys = INR (S n) * sum_over (fun y => surrogate_of P y (theta y)) ys
    + c * sum_over (own P rho w theta) ys).
  { clear. induction ys as [|y ys IH]; cbn [sum_over]; [ring|]. rewrite IH. unfold b. ring. }
  rewrite Hover. fold A'. lra.
Qed.
End Lower.

Hypothesis HM : (0 < M)%nat.
Hypothesis Halpha : 0 < alpha.

Theorem late_criterion c : 0 < c -> (attainable_late n P X alpha c <-> criterion P alpha (c / INR (S n))).
Proof.
  intros Hc. assert (Hn := copies). assert (Hshare : 0 < c / INR (S n)) by (now apply Rdiv_lt_0_compat). split.
  - intros Hatt. apply criterion_of_rounds. intros. now apply bound_of_blocks.
  - intros Hcrit. replace c with (INR (S n) * (c / INR (S n))) by (field; lra).
    apply copies_attain with (Hc := Hshare) (decoder := envelope_decoder P alpha (c / INR (S n)) Hshare Hloss); [assumption|].
    now apply envelope_decoder_decodes.
Qed.

(** What labels cost that arrive n rounds late: n + 1 times as much, exactly. *)
Theorem delay_is_exact c : 0 < c -> (attainable_late n P X alpha (INR (S n) * c) <-> attainable P X alpha c).
Proof.
  intros Hc. assert (Hn := copies). rewrite late_criterion by (now apply Rmult_lt_0_compat).
  rewrite (optimal_constant P X alpha c) by assumption.
  replace (INR (S n) * c / INR (S n)) with c by (field; lra). reflexivity.
Qed.
End Delay.
