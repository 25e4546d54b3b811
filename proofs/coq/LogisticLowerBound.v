(** The logistic loss of base 2: whoever predicts, some U of norm at most B has a regret of c B^2 less what is said below,
    with no logarithm in front. Two labels are live, each on coordinates that are met once; the others are put out of play
    on the coordinate that all points share. *)

From Coq Require Import Reals Lra Lia List Arith ZArith Psatz.
From Gaptron Require Import Definitions Sums Matrices Expectations Paper ScoreLosses Optimal OptimalSums OptimalLower.
Import ListNotations.
Open Scope R_scope.

Section Costs.
Variables (P : problem) (A : list feedback -> vector -> nat -> R) (x : nat -> vector) (w : nat -> R) (H : R) (rest : list nat).
Hypothesis HA : forall rounds z, is_distribution (predictions P) (A rounds z).
Hypothesis Hw : is_distribution (labels P) w.
Hypothesis Hbest : forall k, (k < predictions P)%nat -> H <= weighted (labels P) w (target P k).
Hypothesis Hpos : forall k y, 0 <= target P k y.

Lemma play_nonneg ys : forall rounds t, 0 <= play P A x ys rounds t.
Proof using HA Hpos.
  induction ys as [|y ys IH]; intros rounds t; cbn [play]; [lra|]. apply sum_nonneg. intros k Hk.
  apply Rmult_le_pos; [now apply HA|]. specialize (Hpos k y). specialize (IH ((x t, k, y) :: rounds) (S t)). lra.
Qed.

(** Labels drawn from w, and then a fixed rest that is paid for or not. *)
Lemma live_rounds_cost n : forall rounds t, INR n * H <= average (labels P) w n (fun ys => play P A x (ys ++ rest) rounds t).
Proof using HA Hw Hbest Hpos.
  induction n as [|n IH]; intros rounds t; cbn [average]; [simpl; rewrite Rmult_0_l; apply play_nonneg|].
  rewrite (sum_ext (labels P) _ (fun y => sum (predictions P) (fun k => A rounds (x t) k *
    (w y * target P k y + w y * average (labels P) w n (fun ys => play P A x (ys ++ rest) ((x t, k, y) :: rounds) (S t)))))).
  2:{ intros y _. cbn [app play]. rewrite average_sum, <- sum_scale. apply sum_ext. intros k _.
      rewrite average_plus_const by assumption. ring. }
  rewrite sum_swap.
  apply Rle_trans with (sum (predictions P) (fun k => A rounds (x t) k * (H + INR n * H))).
  - rewrite drawn_const by assumption. rewrite S_INR. lra.
  - apply sum_le. intros k Hk. rewrite sum_scale. apply Rmult_le_compat_l; [now apply HA|].
    rewrite sum_plus. apply Rplus_le_compat; [now apply Hbest|].
    rewrite <- (weighted_const (labels P) w Hw (INR n * H)). apply sum_le. intros y Hy.
    apply Rmult_le_compat_l; [now apply Hw|]. apply IH.
Qed.
End Costs.

Section Construction.
Variables (K n T : nat) (m s r eps rho : R).
Hypothesis HK : (2 <= K)%nat.
Hypothesis Hn : (n <= T)%nat.
Hypothesis Heps : 0 < eps.
Hypothesis Hrho : 0 < rho.
Hypothesis Hone : eps ^ 2 + rho ^ 2 = 1.

Let P := classification K K (of_softmax K logistic).

(** The first n points share coordinate 0 and have one of their own; all others are one point, on a coordinate apart. *)
Definition live_point (t : nat) : vector :=
  fun i => match i with
           | O => if Nat.ltb t n then eps else 0
           | S j => if Nat.eqb j (Nat.min t n) then if Nat.ltb t n then rho else 1 else 0
           end.

(** Labels 0 and 1 have scores s + m/2 and s - m/2, the drawn one the larger; on the point apart label 0 has r. *)
Definition knowing (ys : list nat) : matrix :=
  fun k i => match i with
             | O => if Nat.ltb k 2 then s / eps else 0
             | S j => if Nat.ltb j n
                      then if Nat.eqb k (nth j ys 0%nat) then m / (2 * rho) else if Nat.ltb k 2 then - m / (2 * rho) else 0
                      else if Nat.eqb k 0 then r else 0
             end.

Definition live_loss : R := log2 (1 + exp (- m) + (INR K - 2) * exp (- (s + m / 2))).
Definition apart_loss : R := log2 (1 + (INR K - 1) * exp (- r)).

Lemma live_norm t : dot (S (S n)) (live_point t) (live_point t) = 1.
Proof using HK Hn Heps Hrho Hone.
  unfold dot. rewrite sum_first. cbn [live_point].
  rewrite (sum_at (S n) (fun j => if Nat.eqb j (Nat.min t n) then if Nat.ltb t n then rho else 1 else 0) (Nat.min t n)
    (if Nat.ltb t n then rho else 1)) by lia.
  rewrite Nat.eqb_refl. destruct (Nat.ltb t n); [|ring]. rewrite <- Hone. ring.
Qed.

Lemma live_scores ys t k : (t < n)%nat -> scores (S (S n)) (knowing ys) (live_point t) k =
  if Nat.eqb k (nth t ys 0%nat) then (if Nat.ltb k 2 then s else 0) + m / 2 else if Nat.ltb k 2 then s - m / 2 else 0.
Proof using HK Hn Heps Hrho Hone.
  intros Ht. unfold scores, dot. rewrite sum_first. cbn [live_point knowing].
  rewrite Nat.min_l by lia. destruct (Nat.ltb_spec t n) as [_|]; [|lia].
  rewrite (sum_at (S n) (fun j => if Nat.ltb j n then if Nat.eqb k (nth j ys 0%nat) then m / (2 * rho)
    else if Nat.ltb k 2 then - m / (2 * rho) else 0 else if Nat.eqb k 0 then r else 0) t rho) by lia.
  destruct (Nat.ltb_spec t n) as [_|]; [|lia].
  destruct (Nat.eqb k (nth t ys 0%nat)), (Nat.ltb k 2); field; lra.
Qed.

Lemma apart_scores ys t k : (n <= t)%nat ->
  scores (S (S n)) (knowing ys) (live_point t) k = if Nat.eqb k 0 then r else 0.
Proof using HK Hn Heps Hrho Hone.
  intros Ht. unfold scores, dot. rewrite sum_first. cbn [live_point knowing].
  rewrite Nat.min_r by lia. destruct (Nat.ltb_spec t n) as [|_]; [lia|].
  rewrite (sum_at (S n) (fun j => if Nat.ltb j n then if Nat.eqb k (nth j ys 0%nat) then m / (2 * rho)
    else if Nat.ltb k 2 then - m / (2 * rho) else 0 else if Nat.eqb k 0 then r else 0) n 1) by lia.
  destruct (Nat.ltb_spec n n) as [|_]; [lia|]. ring.
Qed.

Lemma log2_of_share a b : 0 < a -> 0 < b -> logistic (a / b) = log2 (b / a).
Proof using HK Hn Heps Hrho Hone.
  intros Ha Hb. unfold logistic, log2, Rdiv at 2 4. rewrite !ln_mult, !ln_Rinv; try assumption; try now apply Rinv_0_lt_compat.
  unfold Rdiv. ring.
Qed.

Lemma loss_when_live ys t : (t < n)%nat -> (nth t ys 0 < 2)%nat ->
  of_softmax K logistic (nth t ys 0%nat) (scores (S (S n)) (knowing ys) (live_point t)) = live_loss.
Proof using HK Hn Heps Hrho Hone.
  intros Ht Hy. assert (H2 := at_least_two K HK). set (y := nth t ys 0%nat) in *. unfold of_softmax, softmax.
  rewrite (live_scores ys t y Ht). fold y. rewrite Nat.eqb_refl. destruct (Nat.ltb_spec y 2) as [_|]; [|lia].
  rewrite (sum_ext K _ (fun k => (if Nat.eqb k y then exp (s + m / 2) - exp (s - m / 2) else 0)
    + (if Nat.ltb k 2 then exp (s - m / 2) else 1))).
  - rewrite sum_plus, sum_pick, sum_below by lia. assert (0 < exp (s + m / 2)) by apply exp_pos.
    assert (0 < exp (s - m / 2)) by apply exp_pos. replace (INR 2) with 2 by (simpl; ring).
    rewrite log2_of_share; [|assumption|nra]. unfold live_loss. f_equal.
    set (a := s + m / 2) in *. set (b := s - m / 2) in *. replace (- m) with (b + - a) by (unfold a, b; field).
    rewrite exp_plus, exp_Ropp. field. lra.
  - intros k _. rewrite live_scores by assumption. fold y. destruct (Nat.eqb_spec k y) as [->|].
    + destruct (Nat.ltb_spec y 2); [ring|lia].
    + destruct (Nat.ltb k 2); [|rewrite exp_0]; ring.
Qed.

Lemma loss_apart ys t : (n <= t)%nat ->
  of_softmax K logistic 0 (scores (S (S n)) (knowing ys) (live_point t)) = apart_loss.
Proof using HK Hn Heps Hrho Hone.
  intros Ht. assert (H2 := at_least_two K HK). unfold of_softmax, softmax. rewrite apart_scores by assumption. cbn [Nat.eqb].
  rewrite (sum_ext K _ (fun k => (if Nat.eqb k 0 then exp r - 1 else 0) + 1)).
  - rewrite sum_plus, sum_pick, sum_const by lia. assert (0 < exp r) by apply exp_pos.
    rewrite log2_of_share; [|assumption|lra]. unfold apart_loss. f_equal. rewrite exp_Ropp. field. lra.
  - intros k _. rewrite apart_scores by assumption. destruct (Nat.eqb k 0); [|rewrite exp_0]; ring.
Qed.

Lemma knowing_norm ys : (forall j, (j < n)%nat -> (nth j ys 0 < 2)%nat) ->
  norm2 K (S (S n)) (knowing ys) = 2 * s ^ 2 / eps ^ 2 + INR n * m ^ 2 / (2 * rho ^ 2) + r ^ 2.
Proof using HK Hn Heps Hrho Hone.
  intros Hys. unfold norm2, inner.
  rewrite (sum_ext K _ (fun k => (if Nat.ltb k 2 then (s / eps) ^ 2 else 0) +
    (sum n (fun j => if Nat.ltb k 2 then (m / (2 * rho)) ^ 2 else 0) + (if Nat.eqb k 0 then r ^ 2 else 0)))).
  - rewrite !sum_plus, sum_below, sum_swap, sum_pick by lia.
    rewrite (sum_ext n _ (fun _ => 2 * (m / (2 * rho)) ^ 2)).
    + rewrite sum_const. replace (INR 2) with 2 by (simpl; ring). field. lra.
    + intros j _. rewrite sum_below by lia. replace (INR 2) with 2 by (simpl; ring). ring.
  - intros k _. unfold dot. rewrite sum_first. cbn [sum knowing].
    destruct (Nat.ltb_spec n n) as [|_]; [lia|].
    rewrite (sum_ext n _ (fun j => if Nat.ltb k 2 then (m / (2 * rho)) ^ 2 else 0)).
    + destruct (Nat.ltb k 2), (Nat.eqb k 0); ring.
    + intros j Hj. destruct (Nat.ltb_spec j n) as [_|]; [|lia]. specialize (Hys j Hj).
      destruct (Nat.eqb_spec k (nth j ys 0%nat)) as [->|].
      * destruct (Nat.ltb_spec (nth j ys 0%nat) 2); [field; lra|lia].
      * destruct (Nat.ltb k 2); [field; lra|ring].
Qed.

Definition coin (y : nat) : R := if Nat.ltb y 2 then 1 / 2 else 0.

Lemma coin_is_fair : is_distribution K coin.
Proof using HK Hn Heps Hrho Hone.
  split; [intros y _; unfold coin; destruct (Nat.ltb y 2); lra|]. unfold coin. rewrite sum_below by lia.
  replace (INR 2) with 2 by (simpl; ring). field.
Qed.

Lemma coin_beats_all k : (k < K)%nat -> 1 / 2 <= weighted K coin (zero_one k).
Proof using HK Hn Heps Hrho Hone.
  intros Hk. unfold weighted. rewrite (sum_ext K _ (fun y => coin y + -1 * (if Nat.eqb y k then coin k else 0))).
  - rewrite sum_plus, sum_scale, sum_pick by assumption. destruct coin_is_fair as [_ ->]. unfold coin.
    destruct (Nat.ltb k 2); lra.
  - intros y _. unfold zero_one. rewrite (Nat.eqb_sym k y). destruct (Nat.eqb_spec y k) as [->|]; ring.
Qed.

(** Some labels give at least the average. *)
Lemma some_coins j : forall f, exists ys, length ys = j /\ Forall (fun y => (y < 2)%nat) ys /\ average K coin j f <= f ys.
Proof using HK Hn Heps Hrho Hone.
  induction j as [|j IH]; intros f; [exists []; repeat split; [constructor|apply Rle_refl]|]. cbn [average].
  destruct (IH (fun ys => f (0%nat :: ys))) as (us & Hu & Hu2 & Hus), (IH (fun ys => f (1%nat :: ys))) as (vs & Hv & Hv2 & Hvs).
  assert (E : sum K (fun y => coin y * average K coin j (fun ys => f (y :: ys))) =
    1 / 2 * average K coin j (fun ys => f (0%nat :: ys)) + 1 / 2 * average K coin j (fun ys => f (1%nat :: ys))).
  { destruct K as [|[|K']]; [lia|lia|]. rewrite !sum_first. rewrite sum_zero; [unfold coin; simpl; ring|].
    intros i _. unfold coin. simpl. ring. }
  rewrite E. destruct (Rle_lt_dec (f (0%nat :: us)) (f (1%nat :: vs))).
  - exists (1%nat :: vs). repeat split; [simpl; lia|constructor; [lia|assumption]|lra].
  - exists (0%nat :: us). repeat split; [simpl; lia|constructor; [lia|assumption]|lra].
Qed.

(** Some sequence of T rounds, fixed before the game, and some U: what any algorithm pays more than U. *)
Theorem some_rounds_cost (A : list feedback -> vector -> nat -> R) d : (forall rounds z, is_distribution K (A rounds z)) ->
  exists ys U, length ys = T /\ Forall (fun y => (y < K)%nat) ys /\
    norm2 K (S (S n)) U = 2 * s ^ 2 / eps ^ 2 + INR n * m ^ 2 / (2 * rho ^ 2) + r ^ 2 /\
    sum T (fun t => of_softmax K logistic (nth t ys 0%nat) (scores (S (S n)) U (live_point t)))
      + INR n * (1 / 2 - live_loss) - (INR T - INR n) * apart_loss
    <= expectation K (fun h => A (told (arena P d) (points live_point) (drawn ys) h) (points live_point h)) T (paid P (drawn ys)) [].
Proof using HK Hn Heps Hrho Hone.
  intros HA. set (rest := repeat 0%nat (T - n)).
  assert (Hcost := live_rounds_cost P A live_point coin (1 / 2) rest HA coin_is_fair coin_beats_all
    ltac:(intros k y; simpl; unfold zero_one; destruct (Nat.eqb k y); lra) n [] 0). simpl labels in Hcost.
  destruct (some_coins n (fun ys => play P A live_point (ys ++ rest) [] 0)) as (ys & Hlen & Hys & Hbest).
  assert (Hpaid := Rle_trans _ _ _ Hcost Hbest).
  assert (Hall : length (ys ++ rest) = T) by (unfold rest; rewrite app_length, repeat_length; lia).
  assert (Hnth : forall j, (j < n)%nat -> nth j (ys ++ rest) 0%nat = nth j ys 0%nat) by (intros; apply app_nth1; lia).
  assert (Hlive : forall j, (j < n)%nat -> (nth j ys 0 < 2)%nat).
  { intros j Hj. rewrite Forall_forall in Hys. apply Hys, nth_In. lia. }
  exists (ys ++ rest), (knowing (ys ++ rest)). split; [exact Hall|]. split; [|split].
  + apply Forall_app. split.
    * apply Forall_impl with (2 := Hys). intros y Hy. lia.
    * apply Forall_forall. intros y Hy. apply repeat_spec in Hy. lia.
  + apply knowing_norm. intros j Hj. rewrite Hnth by assumption. now apply Hlive.
  + assert (Hplay := expectation_is_play P A live_point d HA (ys ++ rest) (ys ++ rest) [] eq_refl).
    rewrite Hall in Hplay. change (predictions P) with K in Hplay. rewrite Hplay. cbn [told weighted_total paid length]. rewrite Rplus_0_l.
    apply Rle_trans with (2 := Hpaid).
    rewrite (sum_ext T _ (fun t => if Nat.ltb t n then live_loss else apart_loss)).
    * rewrite sum_below by assumption. right. field.
    * intros t Ht. destruct (Nat.ltb_spec t n) as [Hin|Hout].
      -- apply loss_when_live; [assumption|]. rewrite Hnth by assumption. now apply Hlive.
      -- rewrite app_nth2 by lia. unfold rest. rewrite nth_repeat. now apply loss_apart.
Qed.
End Construction.

(** * In B, K and T alone *)

Lemma log2_above a b : 0 <= a -> 0 <= b -> log2 (1 + a + b) <= log2 (1 + a) + b / ln 2.
Proof.
  intros Ha Hb. assert (H2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  unfold log2. rewrite <- Rdiv_plus_distr. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
  replace (1 + a + b) with ((1 + a) * (1 + b / (1 + a))) by (field; lra).
  assert (Hq : 0 <= b / (1 + a)) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra]).
  rewrite ln_mult by lra. apply Rplus_le_compat_l.
  apply Rle_trans with (b / (1 + a)).
  - destruct (Req_dec (b / (1 + a)) 0) as [->|Hne]; [rewrite Rplus_0_r, ln_1; lra|].
    rewrite <- (ln_exp (b / (1 + a))) at 2. left. apply ln_increasing; [lra|]. apply exp_ineq1. lra.
  - apply Rmult_le_reg_r with (1 + a); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

Lemma whole_below a : 0 <= a -> exists n, INR n <= a < INR n + 1.
Proof.
  intros Ha. destruct (archimed a) as [Hup Hdown]. exists (Z.to_nat (up a - 1)).
  assert (Hz : (0 < up a)%Z) by (apply lt_IZR; lra).
  rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite minus_IZR. lra.
Qed.

(** What two labels with a lead of m force in a round, for each unit of the squared norm. *)
Definition forced_by (m : R) : R := (1 - 2 * log2 (1 + exp (- m))) / m ^ 2.

Theorem logistic_lower_bound K T B m (A : list feedback -> vector -> nat -> R) : (2 <= K)%nat -> (1 <= T)%nat -> 0 < m -> 0 <= forced_by m ->
  2 * ln (INR K * INR T) <= B -> 2 * B ^ 2 <= m ^ 2 * INR T ->
  (forall rounds z, is_distribution K (A rounds z)) ->
  exists d x ys U,
    (forall t, dot d (x t) (x t) = 1) /\ length ys = T /\ Forall (fun y => (y < K)%nat) ys /\ norm2 K d U <= B ^ 2 /\
    sum T (fun t => of_softmax K logistic (nth t ys 0%nat) (scores d U (x t)))
      + forced_by m * (B ^ 2 - 17 / 6 * B * ln (INR K * INR T) - ln (INR K * INR T) ^ 2) - (1 / 2 + 1 / ln 2)
    <= expectation K (fun h => A (told (arena (classification K K (of_softmax K logistic)) d) (points x) (drawn ys) h)
      (points x h)) T (mistakes (drawn ys)) [].
Proof.
  intros HK HT Hm Hforced HB Hlong HA. assert (H2 := at_least_two K HK).
  assert (HT1 : 1 <= INR T) by (change 1 with (INR 1); now apply le_INR).
  assert (Hln2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (HKT : 2 <= INR K * INR T) by nra.
  set (s := ln (INR K * INR T)) in *.
  assert (Hs : 0 < s) by (unfold s; rewrite <- ln_1; apply ln_increasing; lra).
  assert (Hexp : exp (- s) = / (INR K * INR T)) by (unfold s; rewrite exp_Ropp, exp_ln; lra).
  set (e := 3 * s / (2 * B)).
  assert (He : 0 < e <= 3 / 4).
  { unfold e. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (2 * B); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  set (budget := B ^ 2 - 4 / 3 * s * B - s ^ 2).
  assert (Hbudget : 0 <= budget) by (unfold budget; nra).
  destruct (whole_below (2 * (1 - e) * budget / m ^ 2)) as (n & Hn & Hn1).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat, pow_lt; assumption]. apply Rmult_le_pos; lra. }
  assert (Hm2 : 0 < m ^ 2) by (apply pow_lt; assumption).
  assert (Hnm : INR n * m ^ 2 <= 2 * (1 - e) * budget).
  { apply Rmult_le_compat_r with (r := m ^ 2) in Hn; [|lra].
    replace (2 * (1 - e) * budget / m ^ 2 * m ^ 2) with (2 * (1 - e) * budget) in Hn by (field; lra). exact Hn. }
  assert (HnT : (n <= T)%nat).
  { apply INR_le. apply Rmult_le_reg_r with (m ^ 2); [assumption|]. apply Rle_trans with (1 := Hnm).
    apply Rle_trans with (2 * B ^ 2); [|lra].
    assert (budget <= B ^ 2) by (unfold budget; nra). nra. }
  destruct (some_rounds_cost K n T m s s (sqrt e) (sqrt (1 - e)) HK HnT) with (A := A) (d := S (S n))
    as (ys & U & Hlen & Hys & Hnorm & Hpaid); try assumption.
  - apply sqrt_lt_R0. lra.
  - apply sqrt_lt_R0. lra.
  - rewrite !pow2_sqrt by lra. ring.
  - exists (S (S n)), (live_point n (sqrt e) (sqrt (1 - e))), ys, U.
    split; [|split; [assumption|split; [assumption|split]]].
    + intros t. apply (live_norm K n T) with (1 := HK); try assumption; try (apply sqrt_lt_R0; lra).
      rewrite !pow2_sqrt by lra. ring.
    + rewrite Hnorm, !pow2_sqrt by lra.
      assert (Hshared : 2 * s ^ 2 / e = 4 / 3 * s * B) by (unfold e; field; lra). rewrite Hshared.
      assert (INR n * m ^ 2 / (2 * (1 - e)) <= budget); [|unfold budget in *; lra].
      apply Rmult_le_reg_r with (2 * (1 - e)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + apply Rle_trans with (2 := Hpaid).
      set (losses := sum T _). set (g := 1 / 2 - log2 (1 + exp (- m))).
      assert (Hem : 0 < exp (- m)) by apply exp_pos.
      assert (Hg : forced_by m * m ^ 2 = 2 * g) by (unfold forced_by, g; field; lra).
      assert (Hlog : 0 <= log2 (1 + exp (- m))).
      { unfold log2. apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat]. rewrite <- ln_1. left. apply ln_increasing; lra. }
      assert (Hshare : forall a, 0 <= a <= INR K -> a * / (INR K * INR T) <= / INR T).
      { intros a Ha. apply Rmult_le_reg_r with (INR K * INR T); [lra|]. rewrite Rmult_assoc, Rinv_l by lra.
        replace (/ INR T * (INR K * INR T)) with (INR K) by (field; lra). lra. }
      assert (Hlive : live_loss K m s <= log2 (1 + exp (- m)) + / INR T / ln 2).
      { unfold live_loss. apply Rle_trans with (1 := log2_above (exp (- m)) ((INR K - 2) * exp (- (s + m / 2))) ltac:(lra)
          ltac:(apply Rmult_le_pos; [lra|left; apply exp_pos])).
        apply Rplus_le_compat_l. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
        replace (- (s + m / 2)) with (- s + - (m / 2)) by ring. rewrite exp_plus, Hexp.
        assert (Hhalf : exp (- (m / 2)) <= 1) by (rewrite <- exp_0; left; apply exp_increasing; lra).
        assert (0 < exp (- (m / 2))) by apply exp_pos.
        apply Rle_trans with ((INR K - 2) * / (INR K * INR T)); [|apply Hshare; lra].
        apply Rmult_le_compat_l; [lra|]. assert (0 < / (INR K * INR T)) by (apply Rinv_0_lt_compat; lra). nra. }
      assert (Hapart : apart_loss K s <= / INR T / ln 2).
      { unfold apart_loss. replace (1 + (INR K - 1) * exp (- s)) with (1 + 0 + (INR K - 1) * exp (- s)) by ring.
        apply Rle_trans with (1 := log2_above 0 ((INR K - 1) * exp (- s)) ltac:(lra)
          ltac:(apply Rmult_le_pos; [lra|left; apply exp_pos])).
        replace (log2 (1 + 0)) with 0 by (unfold log2; rewrite Rplus_0_r, ln_1; field; lra). rewrite Rplus_0_l.
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. rewrite Hexp. apply Hshare. lra. }
      assert (Hn0 : 0 <= INR n) by apply pos_INR. assert (HnT' : INR n <= INR T) by now apply le_INR.
      assert (Hrest : INR n * (1 / 2 - live_loss K m s) - (INR T - INR n) * apart_loss K s >= INR n * g - 1 / ln 2).
      { replace (1 / ln 2) with (INR n * (/ INR T / ln 2) + (INR T - INR n) * (/ INR T / ln 2)) by (field; lra).
        apply Rmult_le_compat_l with (r := INR n) in Hlive; [|assumption].
        apply Rmult_le_compat_l with (r := INR T - INR n) in Hapart; [|lra]. unfold g. lra. }
      assert (Hgain : forced_by m * ((1 - e) * budget) - 1 / 2 <= INR n * g).
      { assert (Hgpos : 0 <= g) by nra. assert (Hgmost : g <= 1 / 2) by (unfold g; lra).
        apply Rmult_le_compat_r with (r := g) in Hgmost; [|assumption].
        replace (forced_by m * ((1 - e) * budget)) with (2 * (1 - e) * budget / m ^ 2 * g).
        2:{ replace g with (forced_by m * m ^ 2 / 2) by lra. field. lra. }
        assert (H : (2 * (1 - e) * budget / m ^ 2) * g <= (INR n + 1) * g) by (apply Rmult_le_compat_r; lra).
        unfold g in *. lra. }
      assert (Hless : B ^ 2 - 17 / 6 * B * s - s ^ 2 <= (1 - e) * budget).
      { assert (HeB : e * B ^ 2 = 3 / 2 * s * B) by (unfold e; field; lra).
        assert (0 <= e * (4 / 3 * s * B + s ^ 2)) by (apply Rmult_le_pos; [lra|]; nra). unfold budget. lra. }
      apply Rmult_le_compat_l with (r := forced_by m) in Hless; [|assumption]. lra.
Qed.
