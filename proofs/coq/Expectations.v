(** Expectations over the draws: linear, monotone, and the probability of a mistake. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums.
Import ListNotations.
Open Scope R_scope.

Lemma prediction_sums_to_one K a ystar : (ystar < K)%nat -> sum K (prediction K a ystar) = 1.
Proof.
  intros H. unfold prediction. rewrite sum_plus, sum_pick, sum_const by assumption.
  assert (0 < INR K) by (apply lt_0_INR; lia). field. lra.
Qed.

Lemma prediction_is_distribution K a ystar : (ystar < K)%nat -> 0 <= a <= 1 -> is_distribution K (prediction K a ystar).
Proof.
  intros H Ha. split; [|now apply prediction_sums_to_one].
  intros k _. assert (0 < INR K) by (apply lt_0_INR; lia).
  assert (0 <= a / INR K) by (apply Rmult_le_pos; [lra|]; left; now apply Rinv_0_lt_compat).
  unfold prediction. destruct (Nat.eqb k ystar); lra.
Qed.

(** P(wrong) of a round with label [y]. *)
Definition P_wrong (K : nat) (a : R) (ystar y : nat) : R :=
  sum K (fun draw => prediction K a ystar draw * if Nat.eqb draw y then 0 else 1).

Lemma P_wrong_value K a ystar y : (ystar < K)%nat -> (y < K)%nat ->
  P_wrong K a ystar y = if Nat.eqb ystar y then a * (INR K - 1) / INR K else 1 - a / INR K.
Proof.
  intros Hy' Hy. assert (0 < INR K) by (apply lt_0_INR; lia).
  assert (Hsplit := sum_split K _ y Hy : sum K (prediction K a ystar) = _).
  rewrite prediction_sums_to_one in Hsplit by assumption.
  unfold P_wrong. rewrite (sum_ext K _ (without y (prediction K a ystar))).
  - unfold prediction at 1 in Hsplit. rewrite (Nat.eqb_sym y ystar) in Hsplit.
    destruct (Nat.eqb ystar y).
    + replace (a * (INR K - 1) / INR K) with (a - a / INR K) by (field; lra). lra.
    + lra.
  - intros k _. unfold without. destruct (Nat.eqb k y); ring.
Qed.

(** A label at random is wrong with this probability. *)
Definition guessing (k : R) : R := (k - 1) / k.

(** What a round is expected to cost, if a mistake costs 1 and what is done with the share [a] costs [price]. *)
Definition risk_at (price a : R) (ystar y : nat) : R := (if Nat.eqb ystar y then 0 else 1 - a) + a * price.

Lemma risk_right price a y : risk_at price a y y = a * price.
Proof. unfold risk_at. rewrite Nat.eqb_refl. ring. Qed.

Lemma risk_wrong price a ystar y : ystar <> y -> risk_at price a ystar y = 1 - a + a * price.
Proof. intros H. apply Nat.eqb_neq in H. unfold risk_at. now rewrite H. Qed.

Lemma risk_of_round price a ystar y :
  risk_at price a ystar y = if Nat.eqb ystar y then a * price else 1 - a + a * price.
Proof. unfold risk_at. destruct (Nat.eqb ystar y); ring. Qed.

(** To guess is to pay that price. *)
Lemma P_wrong_at K a ystar y : (ystar < K)%nat -> (y < K)%nat -> P_wrong K a ystar y = risk_at (guessing (INR K)) a ystar y.
Proof.
  intros Hs Hy. rewrite P_wrong_value by assumption. unfold risk_at, guessing.
  assert (0 < INR K) by (apply lt_0_INR; lia). destruct (Nat.eqb ystar y); field; lra.
Qed.

(** * What the expectation of n more rounds does with sums and bounds

    The bound of a step is given for histories that take place: [n] rounds are left of [T]. *)

Lemma expectation_telescopes K T p f value :
  (forall h, takes_place K T h -> is_distribution K (p h)) ->
  (forall h, takes_place K T h -> sum K (fun draw => p h draw * value (draw :: h)) <= value h) ->
  (forall h, Forall (fun draw => (draw < K)%nat) h -> length h = T -> f h <= value h) ->
  forall n h, Forall (fun draw => (draw < K)%nat) h -> (length h + n = T)%nat -> expectation K p n f h <= value h.
Proof.
  intros Hp Hstep Hend n. induction n as [|n IH]; intros h Hh Hlen; cbn [expectation].
  - apply Hend; [assumption|lia].
  - assert (Hplace : takes_place K T h) by (split; [assumption|lia]).
    refine (Rle_trans _ _ _ _ (Hstep h Hplace)). apply sum_le. intros draw Hdraw.
    apply Rmult_le_compat_l; [now apply Hp|]. apply IH; [now constructor|simpl; lia].
Qed.

Lemma expectation_le K T p f g :
  (forall h, takes_place K T h -> is_distribution K (p h)) ->
  (forall h, Forall (fun draw => (draw < K)%nat) h -> length h = T -> f h <= g h) ->
  forall n h, Forall (fun draw => (draw < K)%nat) h -> (length h + n = T)%nat ->
    expectation K p n f h <= expectation K p n g h.
Proof.
  intros Hp H n. induction n as [|n IH]; intros h Hh Hlen; cbn [expectation]; [apply H; [assumption|lia]|].
  apply sum_le. intros draw Hdraw. apply Rmult_le_compat_l; [apply Hp; [split; [assumption|lia]|exact Hdraw]|].
  apply IH; [now constructor|simpl; lia].
Qed.

Lemma expectation_minus K p n f g h :
  expectation K p n (fun h => f h - g h) h = expectation K p n f h - expectation K p n g h.
Proof.
  revert h. induction n as [|n IH]; intros h; cbn [expectation]; [reflexivity|].
  rewrite <- sum_minus. apply sum_ext. intros draw _. rewrite IH. ring.
Qed.
