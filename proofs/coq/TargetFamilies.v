(** Targets whose least expected cost is at most A Var(w), as they are at most A/2 ||yhat - y||^2: the 0-1 target on
    classes, the Hamming target and the 0-1 target on outputs with entries 0 and 1. On the cube and on ordinal outputs
    every mean can be rounded, which gives the least expected cost itself. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal OptimalUpper.
From Gaptron Require Import StructuredDefinitions DominatedCosts EntropyFamilies.
Open Scope R_scope.

(** * The 0-1 target, on outputs that are apart *)

Lemma zero_one_below_distance N n output m : 0 < m ->
  (forall k y, (k < N)%nat -> (y < N)%nat -> k <> y -> m <= distance2 n (output k) (output y)) ->
  cost_below_variance N n output zero_one (2 / m).
Proof.
  intros Hm Hapart. unfold Rdiv. assert (Hinv := Rinv_0_lt_compat m Hm). apply cost_below_distance.
  intros k y Hk Hy. unfold zero_one. assert (Hpos := distance2_nonneg n (output k) (output y)).
  destruct (Nat.eqb_spec k y) as [_|Hne]; [apply Rmult_le_pos; lra|]. rewrite <- (Rinv_l m) by lra.
  apply Rmult_le_compat_l; [lra|auto].
Qed.

Lemma units_apart K k y : (k < K)%nat -> (y < K)%nat -> k <> y -> distance2 K (unit_vector k) (unit_vector y) = 2.
Proof.
  intros Hk Hy Hne. unfold distance2, dot. rewrite (sum_split K _ k Hk), (sum_split K _ y Hy).
  unfold without, unit_vector.
  rewrite !Nat.eqb_refl. destruct (Nat.eqb_spec k y); [contradiction|]. destruct (Nat.eqb_spec y k); [congruence|].
  rewrite sum_zero; [ring|]. intros i _. destruct (Nat.eqb i y), (Nat.eqb i k); ring.
Qed.

Theorem zero_one_on_classes K : cost_below_variance K K unit_vector zero_one 1.
Proof.
  replace 1 with (2 / 2) by field. apply zero_one_below_distance; [lra|]. intros k y Hk Hy Hne.
  rewrite units_apart by assumption. lra.
Qed.

(** * The fraction of the coordinates that are wrong *)

Definition differs (a b : R) : R := if Req_EM_T a b then 0 else 1.

Lemma hamming_below_distance N n output cost : (0 < n)%nat ->
  (forall k y, cost k y = sum n (fun i => differs (output k i) (output y i)) / INR n) ->
  (forall k y, (k < N)%nat -> (y < N)%nat ->
    sum n (fun i => differs (output k i) (output y i)) <= distance2 n (output k) (output y)) ->
  cost_below_variance N n output cost (2 / INR n).
Proof.
  intros Hn Hcost Hcount. assert (Hinv := Rinv_0_lt_compat _ (lt_0_INR n Hn)). apply cost_below_distance.
  intros k y Hk Hy. rewrite Hcost. unfold Rdiv. rewrite Rmult_comm. apply Rmult_le_compat_l; [lra|auto].
Qed.

(** * Entries 0 and 1 *)

Definition roundable (N n : nat) (output : nat -> vector) : Prop :=
  forall w, is_distribution N w -> exists k, (k < N)%nat /\
    forall i, (i < n)%nat -> output k i = if Rle_dec (1 / 2) (mean N w output i) then 1 else 0.

Definition distinct (N n : nat) (output : nat -> vector) : Prop :=
  forall k y, (k < N)%nat -> (y < N)%nat -> k <> y -> exists i, (i < n)%nat /\ output k i <> output y i.

Section Binary.
Variables (N n : nat) (output : nat -> vector).
Hypothesis Hbinary : is_binary N n output.

Lemma rounded_entry_pays w k i : is_distribution N w -> (i < n)%nat ->
  output k i = (if Rle_dec (1 / 2) (mean N w output i) then 1 else 0) ->
  weighted N w (fun y => differs (output k i) (output y i)) = Rmin (mean N w output i) (1 - mean N w output i).
Proof using Hbinary.
  intros Hw Hi ->. set (m := mean N w output i). destruct (Rle_dec (1 / 2) m).
  - rewrite Rmin_right by lra. replace (1 - m) with (sum N w - m) by (rewrite (proj2 Hw); ring).
    unfold m, mean, weighted. rewrite <- sum_minus. apply sum_ext. intros y Hy. unfold differs.
    destruct (Hbinary y i Hy Hi) as [->| ->]; destruct (Req_EM_T _ _); lra.
  - rewrite Rmin_left by lra. unfold m, mean, weighted. apply sum_ext. intros y Hy. unfold differs.
    destruct (Hbinary y i Hy Hi) as [->| ->]; destruct (Req_EM_T _ _); lra.
Qed.

Lemma distance_counts k y : (k < N)%nat -> (y < N)%nat ->
  distance2 n (output k) (output y) = sum n (fun i => differs (output k i) (output y i)).
Proof using Hbinary.
  intros Hk Hy. apply sum_ext. intros i Hi. unfold differs.
  destruct (Hbinary k i Hk Hi) as [->| ->]; destruct (Hbinary y i Hy Hi) as [->| ->];
    destruct (Req_EM_T _ _); lra.
Qed.

Theorem hamming_on_binary cost : (0 < n)%nat ->
  (forall k y, cost k y = sum n (fun i => differs (output k i) (output y i)) / INR n) ->
  cost_below_variance N n output cost (2 / INR n).
Proof using Hbinary.
  intros Hn Hcost. apply hamming_below_distance; [assumption|assumption|]. intros k y Hk Hy.
  rewrite distance_counts by assumption. apply Rle_refl.
Qed.

(** Wrong in some coordinate. *)
Theorem zero_one_on_binary : distinct N n output -> cost_below_variance N n output zero_one 2.
Proof using Hbinary.
  intros Hdistinct. replace 2 with (2 / 1) by field. apply zero_one_below_distance; [lra|]. intros k y Hk Hy Hne.
  destruct (Hdistinct k y Hk Hy Hne) as (i & Hi & Hdiff). rewrite distance_counts by assumption.
  apply Rle_trans with (differs (output k i) (output y i)).
  - unfold differs. destruct (Req_EM_T _ _); [contradiction|lra].
  - apply (term_le_sum n (fun i => differs (output k i) (output y i))); [assumption|].
    intros. unfold differs. destruct (Req_EM_T _ _); lra.
Qed.

End Binary.

Lemma units_are_binary K : is_binary K K unit_vector.
Proof. intros y i _ _. unfold unit_vector. destruct (Nat.eqb i y); auto. Qed.

(** * The cube *)

Definition corner (y i : nat) : R := if Nat.testbit y i then 1 else 0.

Lemma some_corner d : (0 < 2 ^ d)%nat.
Proof. assert (H := Nat.pow_nonzero 2 d). lia. Qed.

Lemma corner_is_binary N n : is_binary N n corner.
Proof. intros y i _ _. unfold corner. destruct (Nat.testbit y i); auto. Qed.

Lemma set_of_bits (b : nat -> bool) d : exists k, (k < 2 ^ d)%nat /\ forall i, (i < d)%nat -> Nat.testbit k i = b i.
Proof.
  revert b. induction d as [|d IH]; intros b; [exists 0%nat; split; [simpl; lia|intros; lia]|].
  destruct (IH (fun i => b (S i))) as (k & Hk & Hbits). exists (Nat.b2n (b 0%nat) + 2 * k)%nat. split.
  - simpl. destruct (b 0%nat); simpl; lia.
  - intros [|i] Hi; [apply Nat.add_b2n_double_bit0|]. rewrite <- Hbits by lia. rewrite <- Nat.div2_bits by lia.
    now rewrite Nat.add_b2n_double_div2.
Qed.

Lemma corners_roundable d : roundable (2 ^ d) d corner.
Proof.
  intros w _. destruct (set_of_bits (fun i => if Rle_dec (1 / 2) (mean (2 ^ d) w corner i) then true else false) d)
    as (k & Hk & Hbits).
  exists k. split; [assumption|]. intros i Hi. unfold corner at 1. rewrite Hbits by assumption.
  destruct (Rle_dec _ _); reflexivity.
Qed.

Lemma corners_distinct d : distinct (2 ^ d) d corner.
Proof.
  induction d as [|d IH]; intros k y Hk Hy Hne; [simpl in *; lia|].
  destruct (Bool.bool_dec (Nat.testbit k 0) (Nat.testbit y 0)) as [Hsame|Hother].
  - assert (Hsplit : forall j, j = (2 * Nat.div2 j + Nat.b2n (Nat.testbit j 0))%nat).
    { intros j. rewrite Nat.bit0_odd. apply Nat.div2_odd. }
    assert (Hhalf : Nat.div2 k <> Nat.div2 y).
    { intros Heq. apply Hne. rewrite (Hsplit k), (Hsplit y), Hsame, Heq. reflexivity. }
    assert (Hless : forall j, (j < 2 ^ S d)%nat -> (Nat.div2 j < 2 ^ d)%nat).
    { intros j Hj. rewrite Nat.div2_div. apply Nat.div_lt_upper_bound; [lia|]. simpl in *. lia. }
    destruct (IH (Nat.div2 k) (Nat.div2 y) (Hless k Hk) (Hless y Hy) Hhalf) as (i & Hi & Hdiff).
    exists (S i). split; [lia|]. unfold corner in *. rewrite !Nat.div2_div, !Nat.div2_bits in Hdiff by lia. exact Hdiff.
  - exists 0%nat. split; [lia|]. unfold corner. destruct (Nat.testbit k 0), (Nat.testbit y 0); try lra; now elim Hother.
Qed.

(** * Ordinal outputs: grade y is 1 in its first y coordinates *)

Definition thermometer (y i : nat) : R := if Nat.ltb i y then 1 else 0.

Lemma thermometer_is_binary N n : is_binary N n thermometer.
Proof. intros y i _ _. unfold thermometer. destruct (Nat.ltb i y); auto. Qed.

Lemma thermometer_mean_falls N w i j : is_distribution N w -> (i <= j)%nat ->
  mean N w thermometer j <= mean N w thermometer i.
Proof.
  intros [Hw _] Hij. apply sum_le. intros y Hy. apply Rmult_le_compat_l; [auto|]. unfold thermometer.
  destruct (Nat.ltb_spec j y), (Nat.ltb_spec i y); try lra. lia.
Qed.

Lemma thermometers_roundable d : roundable (S d) d thermometer.
Proof.
  intros w Hw. set (m := mean (S d) w thermometer).
  assert (H : forall n, exists k, (k <= n)%nat /\
    forall i, (i < n)%nat -> thermometer k i = if Rle_dec (1 / 2) (m i) then 1 else 0).
  { induction n as [|n (k & Hk & IH)]; [exists 0%nat; split; [lia|intros; lia]|].
    destruct (Rle_dec (1 / 2) (m n)) as [Hhalf|Hless].
    - exists (S n). split; [lia|]. intros i Hi. unfold thermometer. destruct (Nat.ltb_spec i (S n)); [|lia].
      assert (Hfall := thermometer_mean_falls (S d) w i n Hw ltac:(lia)). fold m in Hfall.
      destruct (Rle_dec (1 / 2) (m i)); lra.
    - exists k. split; [lia|]. intros i Hi. destruct (Nat.eq_dec i n) as [->|Hne]; [|apply IH; lia].
      unfold thermometer. destruct (Nat.ltb_spec n k); [lia|]. destruct (Rle_dec (1 / 2) (m n)); [contradiction|lra]. }
  destruct (H d) as (k & Hk & Hround). exists k. split; [lia|assumption].
Qed.

Lemma thermometers_distinct d : distinct (S d) d thermometer.
Proof.
  intros k y Hk Hy Hne. exists (Nat.min k y). split; [lia|]. unfold thermometer.
  destruct (Nat.ltb_spec (Nat.min k y) k), (Nat.ltb_spec (Nat.min k y) y); lra || lia.
Qed.

(** * Listed outputs and costs: pair by pair *)

(** A case for each number below another one, which is written out. *)
Ltac below k Hk :=
  lazymatch type of Hk with
  | (_ < O)%nat => exfalso; exact (Nat.nlt_0_r _ Hk)
  | _ => destruct k as [|k]; [clear Hk|apply Nat.succ_lt_mono in Hk; below k Hk]
  end.

(** An inequality between a cost and a distance, both written out. *)
Ltac a_pair :=
  unfold distance2, dot; cbv beta iota delta -[Rplus Rmult Rminus Ropp Rdiv Rinv IZR INR Rle Req_EM_T];
  repeat match goal with |- context [Req_EM_T ?a ?b] =>
    let E := fresh in destruct (Req_EM_T a b) as [E|E]; [try (exfalso; lra)|try (exfalso; apply E; lra)]
  end; cbn [INR]; lra.

Ltac pair_by_pair N :=
  let k := fresh "k" in let y := fresh "y" in let Hk := fresh "Hk" in let Hy := fresh "Hy" in
  intros k y Hk Hy; change (k < N)%nat in Hk; change (y < N)%nat in Hy; below k Hk; below y Hy; a_pair.
