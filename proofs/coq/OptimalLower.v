(** Nobody beats the criterion: independent labels, on points that share one coordinate and have one of their own. *)

From Coq Require Import Reals Lra Lia List Arith ZArith Psatz.
From Gaptron Require Import Definitions Sums Matrices Expectations Optimal OptimalSums.
Import ListNotations.
Open Scope R_scope.

(** * Labels drawn independently *)

Fixpoint average (N : nat) (w : nat -> R) (n : nat) (f : list nat -> R) : R :=
  match n with
  | O => f []
  | S n => sum N (fun y => w y * average N w n (fun ys => f (y :: ys)))
  end.

Section Averages.
Variables (N : nat) (w : nat -> R).
Hypothesis Hw : is_distribution N w.

Lemma weighted_const c : sum N (fun y => w y * c) = c.
Proof. rewrite (sum_ext N _ (fun y => c * w y)) by (intros; ring). rewrite sum_scale. destruct Hw as [_ ->]. ring. Qed.

Lemma average_ext n f g : (forall ys, length ys = n -> f ys = g ys) -> average N w n f = average N w n g.
Proof.
  revert f g. induction n as [|n IH]; intros f g H; cbn [average]; [now apply H|].
  apply sum_ext. intros y _. f_equal. apply IH. intros ys Hys. apply H. simpl. lia.
Qed.

Lemma average_le n f b :
  (forall ys, length ys = n -> Forall (fun y => (y < N)%nat) ys -> f ys <= b) -> average N w n f <= b.
Proof.
  revert f. induction n as [|n IH]; intros f H; cbn [average]; [now apply H|].
  rewrite <- (weighted_const b). apply sum_le. intros y Hy.
  apply Rmult_le_compat_l; [now apply Hw|]. apply IH. intros ys Hys Hall. apply H; [simpl; lia|now constructor].
Qed.

Lemma average_minus n f g : average N w n (fun ys => f ys - g ys) = average N w n f - average N w n g.
Proof.
  revert f g. induction n as [|n IH]; intros f g; cbn [average]; [reflexivity|].
  rewrite <- sum_minus. apply sum_ext. intros y _. rewrite IH. ring.
Qed.

Lemma average_plus_const n b f : average N w n (fun ys => b + f ys) = b + average N w n f.
Proof.
  revert f. induction n as [|n IH]; intros f; cbn [average]; [reflexivity|].
  rewrite (sum_ext N _ (fun y => w y * b + w y * average N w n (fun ys => f (y :: ys)))) by (intros; rewrite IH; ring).
  rewrite sum_plus, weighted_const. reflexivity.
Qed.

Lemma average_sum n M q (f : nat -> list nat -> R) :
  average N w n (fun ys => sum M (fun k => q k * f k ys)) = sum M (fun k => q k * average N w n (f k)).
Proof.
  revert f. induction n as [|n IH]; intros f; cbn [average]; [reflexivity|].
  rewrite (sum_ext N _ (fun y => sum M (fun k => w y * (q k * average N w n (fun ys => f k (y :: ys)))))).
  - rewrite sum_swap. apply sum_ext. intros k _. rewrite <- sum_scale. apply sum_ext. intros. ring.
  - intros y _. rewrite IH, sum_scale. reflexivity.
Qed.

(** The average of a sum over the rounds. *)
Fixpoint sum_over (b : nat -> R) (ys : list nat) : R :=
  match ys with
  | [] => 0
  | y :: ys => b y + sum_over b ys
  end.

Lemma average_of_sum n b : average N w n (sum_over b) = INR n * weighted N w b.
Proof.
  induction n as [|n IH]; cbn [average]; [simpl; ring|].
  rewrite (sum_ext N _ (fun y => w y * b y + w y * (INR n * weighted N w b))).
  - rewrite sum_plus, weighted_const, S_INR. unfold weighted. ring.
  - intros y _. cbn [sum_over]. rewrite average_plus_const, IH. ring.
Qed.

End Averages.

Lemma sum_of_nth b ys : sum (length ys) (fun t => b (nth t ys 0%nat)) = sum_over b ys.
Proof. induction ys as [|y ys IH]; [reflexivity|]. cbn [length]. rewrite sum_first. simpl. now rewrite IH. Qed.

(** * What any algorithm pays *)

Section Stream.
Variables (P : problem) (A : list feedback -> vector -> nat -> R) (x : nat -> vector) (d : nat).
Hypothesis HA : forall rounds z, is_distribution (predictions P) (A rounds z).

Notation M := (predictions P).
Notation N := (labels P).

Lemma drawn_const rounds z c : sum M (fun k => A rounds z k * c) = c.
Proof.
  rewrite (sum_ext M _ (fun k => c * A rounds z k)) by (intros; ring).
  rewrite sum_scale. destruct (HA rounds z) as [_ ->]. ring.
Qed.

(** The expected target loss from round [t] on, with these labels. *)
Fixpoint play (ys : list nat) (rounds : list feedback) (t : nat) : R :=
  match ys with
  | [] => 0
  | y :: ys => sum M (fun k => A rounds (x t) k * (target P k y + play ys ((x t, k, y) :: rounds) (S t)))
  end.

Lemma skipn_cons (ys rest : list nat) t y :
  skipn t ys = y :: rest -> nth t ys 0%nat = y /\ skipn (S t) ys = rest.
Proof.
  revert ys. induction t as [|t IH]; intros [|z ys] H; try discriminate.
  - now inversion H.
  - simpl in H. now apply IH.
Qed.

(** A stream that does not listen: features and labels of the round depend on its number. *)
Definition points (h : history) : vector := x (length h).
Definition drawn (ys : list nat) (h : history) : nat := nth (length h) ys 0%nat.

Lemma expectation_is_play ys rest : forall h, skipn (length h) ys = rest ->
  expectation M (fun h => A (told (arena P d) points (drawn ys) h) (points h)) (length rest) (paid P (drawn ys)) h =
  paid P (drawn ys) h + play rest (told (arena P d) points (drawn ys) h) (length h).
Proof.
  induction rest as [|z rest IH]; intros h H; cbn [length expectation]; [simpl; ring|].
  destruct (skipn_cons _ _ _ _ H) as [Hz Hrest].
  rewrite <- (drawn_const (told (arena P d) points (drawn ys) h) (points h) (paid P (drawn ys) h)). cbn [play].
  rewrite <- sum_plus. apply sum_ext. intros k _. rewrite (IH (k :: h) Hrest).
  change (paid P (drawn ys) (k :: h)) with (target P k (drawn ys h) + paid P (drawn ys) h).
  change (told (arena P d) points (drawn ys) (k :: h)) with
    ((points h, k, drawn ys h) :: told (arena P d) points (drawn ys) h).
  change (drawn ys h) with (nth (length h) ys 0%nat). rewrite Hz. change (points h) with (x (length h)). cbn [length]. ring.
Qed.

Section Averaged.
Variables (w : nat -> R) (H : R).
Hypothesis Hw : is_distribution N w.
Hypothesis Hbest : forall k, (k < M)%nat -> H <= weighted N w (target P k).

Lemma play_costs n : forall rounds t, INR n * H <= average N w n (fun ys => play ys rounds t).
Proof.
  induction n as [|n IH]; intros rounds t; cbn [average]; [simpl; lra|].
  rewrite (sum_ext N _ (fun y => sum M (fun k => A rounds (x t) k *
    (w y * target P k y + w y * average N w n (fun ys => play ys ((x t, k, y) :: rounds) (S t)))))).
  2:{ intros y _. cbn [play]. rewrite average_sum, <- sum_scale. apply sum_ext. intros k _.
      rewrite average_plus_const by assumption. ring. }
  rewrite sum_swap.
  apply Rle_trans with (sum M (fun k => A rounds (x t) k * (H + INR n * H))).
  - rewrite drawn_const, S_INR. lra.
  - apply sum_le. intros k Hk. rewrite sum_scale. apply Rmult_le_compat_l; [now apply HA|].
    rewrite sum_plus. apply Rplus_le_compat; [now apply Hbest|].
    rewrite <- (weighted_const N w Hw (INR n * H)). apply sum_le. intros y Hy.
    apply Rmult_le_compat_l; [now apply Hw|]. apply IH.
Qed.

End Averaged.

Lemma expectation_of_total p g : (forall h, is_distribution M (p h)) -> forall n h,
  expectation M p n (total (fun h => g (length h))) h =
  total (fun h => g (length h)) h + sum n (fun i => g (length h + i)%nat).
Proof.
  intros Hp n. induction n as [|n IH]; intros h; cbn [expectation]; [simpl; ring|].
  rewrite (sum_ext M _ (fun k => (total (fun h => g (length h)) h
    + sum (S n) (fun i => g (length h + i)%nat)) * p h k)).
  - rewrite sum_scale. destruct (Hp h) as [_ ->]. ring.
  - intros k _. rewrite IH, sum_first. cbn [total length]. rewrite Nat.add_0_r.
    rewrite (sum_ext n (fun i => g (S (length h) + i)%nat) (fun i => g (length h + S i)%nat)); [ring|].
    intros i _. f_equal. lia.
Qed.

End Stream.

(** * The points and the comparator *)

Section Comparator.
Variables (P : problem) (X eps rho : R) (w : nat -> R) (theta : nat -> vector).
Hypothesis HX : 0 < X.
Hypothesis Heps : 0 < eps.
Hypothesis Hrho : 0 < rho.
Hypothesis Hone : eps ^ 2 + rho ^ 2 = 1.

Definition point (t : nat) : vector :=
  fun i => match i with O => X * eps | S j => if Nat.eqb j t then X * rho else 0 end.

Definition center : vector := mean (labels P) w theta.

Definition comparator (ys : list nat) : matrix :=
  fun k i => match i with
             | O => center k / (X * eps)
             | S t => (theta (nth t ys 0%nat) k - center k) / (X * rho)
             end.

Lemma point_norm T t : (t < T)%nat -> dot (S T) (point t) (point t) = X ^ 2.
Proof.
  intros Ht. unfold dot. rewrite sum_first. cbn [point].
  rewrite (sum_at T (fun i => if Nat.eqb i t then X * rho else 0) t (X * rho) Ht), Nat.eqb_refl.
  replace (X ^ 2) with (X ^ 2 * (eps ^ 2 + rho ^ 2)) by (rewrite Hone; ring). ring.
Qed.

Lemma comparator_scores T ys t k : (t < T)%nat ->
  scores (S T) (comparator ys) (point t) k = theta (nth t ys 0%nat) k.
Proof.
  intros Ht. unfold scores, dot. rewrite sum_first. cbn [point comparator].
  rewrite (sum_at T (fun i => (theta (nth i ys 0%nat) k - center k) / (X * rho)) t (X * rho) Ht).
  field. lra.
Qed.

Definition common : R := dot (dimension P) center center / eps ^ 2.

Definition own (y : nat) : R := distance2 (dimension P) (theta y) center / rho ^ 2.

Lemma comparator_norm ys :
  X ^ 2 * norm2 (dimension P) (S (length ys)) (comparator ys) = common + sum_over own ys.
Proof.
  unfold norm2, inner. rewrite <- sum_scale.
  rewrite (sum_ext _ _ (fun k => center k * center k / eps ^ 2
    + sum (length ys) (fun t => (theta (nth t ys 0%nat) k - center k) ^ 2 / rho ^ 2))).
  - rewrite sum_plus, sum_swap. unfold common, dot. f_equal.
    + unfold Rdiv. rewrite (sum_ext _ _ (fun k => / eps ^ 2 * (center k * center k))) by (intros; ring).
      rewrite sum_scale. ring.
    + rewrite <- sum_of_nth. apply sum_ext. intros t _. unfold own, distance2, dot, Rdiv.
      rewrite (sum_ext _ _ (fun k => / rho ^ 2 * ((theta (nth t ys 0%nat) k - center k)
        * (theta (nth t ys 0%nat) k - center k)))) by (intros; ring).
      rewrite sum_scale. ring.
  - intros k _. unfold dot. rewrite sum_first. cbn [comparator]. rewrite Rmult_plus_distr_l. f_equal.
    + field. lra.
    + rewrite <- sum_scale. apply sum_ext. intros t _. field. lra.
Qed.

End Comparator.

(** * The lower half *)

Section Lower.
Variables (P : problem) (X alpha c : R).
Hypothesis HX : 0 < X.
Hypothesis Hloss : convex_losses P.

Lemma bound_of_rounds eps rho w theta H : 0 < eps -> 0 < rho -> eps ^ 2 + rho ^ 2 = 1 ->
  attainable P X alpha c -> is_distribution (labels P) w ->
  (forall k, (k < predictions P)%nat -> H <= weighted (labels P) w (target P k)) ->
  let b := fun y => surrogate_of P y (theta y) + c * own P rho w theta y in
  forall T, INR T * H <= alpha * (INR T * weighted (labels P) w b + c * common P eps w theta).
Proof.
  intros Heps Hrho Hone Hatt Hw Hbest b T.
  destruct (Hatt (S T)) as (A & HA & Hall).
  set (xs := point X eps rho).
  assert (Hcost := play_costs P A xs HA w H Hw Hbest T [] 0).
  apply Rle_trans with (1 := Hcost).
  apply Rle_trans with (average (labels P) w T (fun ys => play P A xs ys [] 0 - alpha * sum_over b ys)
    + alpha * (INR T * weighted (labels P) w b)).
  { rewrite average_minus. rewrite (average_ext (labels P) w T (fun ys => alpha * sum_over b ys)
      (sum_over (fun y => alpha * b y))).
    - rewrite average_of_sum by assumption. unfold weighted.
      rewrite (sum_ext _ (fun y => w y * (alpha * b y)) (fun y => alpha * (w y * b y))) by (intros; ring).
      rewrite sum_scale. right. ring.
    - intros ys _. induction ys as [|y ys IH]; cbn [sum_over]; [ring|]. rewrite <- IH. ring. }
  rewrite Rmult_plus_distr_l, Rplus_comm. apply Rplus_le_compat_l.
  apply average_le; [assumption|]. intros ys Hlen Hys.
  specialize (Hall T (points xs) (drawn ys) (fun _ => 0)).
  assert (Hadv : adversary P (S T) X T (points xs) (drawn ys)).
  { intros h [_ Hh]. split; [|split; [|apply Rle_refl]].
    - rewrite Forall_forall in Hys. apply Hys, nth_In. lia.
    - change (dot (S T) (xs (length h)) (xs (length h)) <= X ^ 2). unfold xs. rewrite point_norm by assumption. lra. }
  specialize (Hall Hadv (comparator P X eps rho w theta ys)).
  change (expectation (predictions P) (fun h => A (told (arena P (S T)) (points xs) (drawn ys) h) (points xs h)) T
    (paid P (drawn ys)) [] <= alpha * (expectation (predictions P)
      (fun h => A (told (arena P (S T)) (points xs) (drawn ys) h) (points xs h)) T
      (total (fun h => surrogate_of P (drawn ys h) (scores (S T) (comparator P X eps rho w theta ys) (points xs h)))) []
    + c * X ^ 2 * norm2 (dimension P) (S T) (comparator P X eps rho w theta ys))) in Hall.
  assert (Hplay := expectation_is_play P A xs (S T) HA ys ys [] eq_refl).
  rewrite Hlen in Hplay. rewrite Hplay in Hall. cbn [told weighted_total paid length] in Hall.
  change (fun h : history => surrogate_of P (drawn ys h)
    (scores (S T) (comparator P X eps rho w theta ys) (points xs h))) with
    (fun h : history => (fun t => surrogate_of P (nth t ys 0%nat)
      (scores (S T) (comparator P X eps rho w theta ys) (xs t))) (length h)) in Hall.
  rewrite (expectation_of_total P _ (fun t => surrogate_of P (nth t ys 0%nat)
    (scores (S T) (comparator P X eps rho w theta ys) (xs t)))) in Hall by (intros; apply HA).
  cbn [total length] in Hall.
  rewrite (sum_ext T _ (fun t => surrogate_of P (nth t ys 0%nat) (theta (nth t ys 0%nat)))) in Hall.
  2:{ intros t Ht. simpl. rewrite Forall_forall in Hys. apply Hloss; [apply Hys, nth_In; lia|].
      intros k _. apply comparator_scores; assumption. }
  assert (Hsum := sum_of_nth (fun y => surrogate_of P y (theta y)) ys). rewrite Hlen in Hsum.
  assert (Hnorm := comparator_norm P X eps rho w theta HX Heps Hrho ys). rewrite Hlen in Hnorm.
  rewrite Hsum, Rmult_assoc, Hnorm in Hall.
  assert (Hb : sum_over b ys = sum_over (fun y => surrogate_of P y (theta y)) ys + c * sum_over (own P rho w theta) ys).
  { clear. induction ys as [|y ys IH]; cbn [sum_over]; [ring|]. rewrite IH. unfold b. ring. }
  rewrite Hb. lra.
Qed.

Lemma above a b : 0 < a -> exists T, b < INR T * a.
Proof.
  intros Ha. exists (Z.to_nat (up (Rabs (b / a)))).
  destruct (archimed (Rabs (b / a))) as [Hup _]. assert (Hb := Rle_abs (b / a)). assert (H0 := Rabs_pos (b / a)).
  rewrite INR_IZR_INZ, Z2Nat.id by (apply le_IZR; simpl; lra).
  replace b with (b / a * a) at 1 by (field; lra). apply Rmult_lt_compat_r; lra.
Qed.

(** What holds for T rounds with a constant cost holds for each of them. *)
Lemma each_round H B C : (forall T, INR T * H <= INR T * B + C) -> H <= B.
Proof.
  intros Hall. destruct (Rle_lt_dec H B) as [|Hlt]; [assumption|exfalso].
  destruct (above (H - B) C) as [T HT]; [lra|].
  specialize (Hall T). lra.
Qed.

(** What is paid in every number of rounds, whatever share of the points is their own, is the criterion. *)
Lemma criterion_of_rounds :
  (forall eps rho w theta H, 0 < eps -> 0 < rho -> eps ^ 2 + rho ^ 2 = 1 -> is_distribution (labels P) w ->
    (forall k, (k < predictions P)%nat -> H <= weighted (labels P) w (target P k)) ->
    forall T, INR T * H <= alpha * (INR T * weighted (labels P) w (fun y => surrogate_of P y (theta y)
      + c * own P rho w theta y) + c * common P eps w theta)) ->
  criterion P alpha c.
Proof using.
  intros Hall w theta Hw H Hbest.
  set (E := weighted (labels P) w (fun y => surrogate_of P y (theta y))).
  set (V := variance (dimension P) (labels P) w theta).
  assert (Hrounds : forall eps rho, 0 < eps -> 0 < rho -> eps ^ 2 + rho ^ 2 = 1 -> H <= alpha * (E + c * V / rho ^ 2)).
  { intros eps rho Heps Hrho Hone. apply each_round with (C := alpha * (c * common P eps w theta)). intros T.
    apply Rle_trans with (1 := Hall eps rho w theta H Heps Hrho Hone Hw Hbest T).
    right. unfold weighted. rewrite (sum_ext _ _ (fun y => w y * surrogate_of P y (theta y)
      + c / rho ^ 2 * (w y * distance2 (dimension P) (theta y) (mean (labels P) w theta)))).
    - rewrite sum_plus, sum_scale. unfold E, V, variance, weighted. field. lra.
    - intros y _. unfold own, center. field. lra. }
  destruct (Rle_lt_dec H (alpha * (E + c * V))) as [|Hlt]; [assumption|exfalso].
  set (g := H - alpha * (E + c * V)). set (v := Rabs (alpha * (c * V))).
  assert (Hg : 0 < g) by (unfold g; lra). assert (Hv : 0 <= v) by apply Rabs_pos.
  set (r := (v + g) / (v + 2 * g)).
  assert (Hr : 0 < r < 1).
  { unfold r. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (v + 2 * g); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  specialize (Hrounds (sqrt (1 - r)) (sqrt r)).
  assert (Hle : H <= alpha * (E + c * V / sqrt r ^ 2)).
  { apply Hrounds; [apply sqrt_lt_R0; lra|apply sqrt_lt_R0; lra|]. rewrite !pow2_sqrt by lra. ring. }
  rewrite pow2_sqrt in Hle by lra.
  assert (Hinv : / r = 1 + g / (v + g)) by (unfold r; field; lra).
  assert (Heq : alpha * (E + c * V / r) = alpha * (E + c * V) + alpha * (c * V) * (g / (v + g))).
  { unfold Rdiv at 1. rewrite Hinv. ring. }
  rewrite Heq in Hle.
  assert (Habs : alpha * (c * V) <= v) by apply Rle_abs.
  assert (Hq : 0 < g / (v + g)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hfin : alpha * (c * V) * (g / (v + g)) <= v * (g / (v + g))) by (apply Rmult_le_compat_r; lra).
  assert (Hsmall : v * (g / (v + g)) = g - g * (g / (v + g))) by (field; lra).
  assert (Hpos : 0 < g * (g / (v + g))) by (apply Rmult_lt_0_compat; lra).
  assert (HS : H = alpha * (E + c * V) + g) by (unfold g; ring). lra.
Qed.

Theorem nobody_beats_the_criterion : attainable P X alpha c -> criterion P alpha c.
Proof. intros Hatt. apply criterion_of_rounds. intros. now apply bound_of_rounds. Qed.

End Lower.
