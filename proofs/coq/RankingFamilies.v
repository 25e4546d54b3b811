(** Rankings as outputs: vectors of ranks and permutation matrices, row by row, with the targets of Kendall, Hamming and
    0-1 below the variance. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal.
From Gaptron Require Import StructuredDefinitions DominatedCosts EntropyFamilies TargetFamilies.
From Gaptron Require Import Decoders RankingDefinitions Rankings.
Open Scope R_scope.

Lemma some_ranking d : (0 < fact d)%nat.
Proof. apply lt_O_fact. Qed.

Lemma ranked_otherwise d k y : (k < fact d)%nat -> (y < fact d)%nat -> k <> y ->
  exists i, (i < d)%nat /\ rank d k i <> rank d y i.
Proof.
  intros Hk Hy Hne. destruct (positive_or_none d (displaced (rank d k) (rank d y))) as [(i & Hi & Hpos)|Hnone].
  - exists i. split; [assumption|]. unfold displaced in Hpos.
    destruct (Nat.eqb_spec (rank d k i) (rank d y i)); [lra|assumption].
  - elim Hne. apply (rank_distinct d); [assumption|assumption|]. intros i Hi. specialize (Hnone i Hi).
    unfold displaced in Hnone. destruct (Nat.eqb_spec (rank d k i) (rank d y i)); [assumption|lra].
Qed.

(** * Kendall's target: the fraction of the pairs that are discordant *)

Definition kendall (d k y : nat) : R :=
  sum d (fun j => sum j (fun i => discordant (rank d k) (rank d y) i j)) / (INR d * (INR d - 1) / 2).

Lemma kendall_of_all d k y : (2 <= d)%nat -> kendall d k y =
  sum d (fun i => sum d (fun j => discordant (rank d k) (rank d y) i j)) / (INR d * (INR d - 1)).
Proof.
  intros Hd. assert (H := at_least_two d Hd). unfold kendall. rewrite sum_pairs; [field; lra| |].
  - intros. apply discordant_symmetric.
  - intros. now apply discordant_same.
Qed.

Lemma kendall_below d n output c : (2 <= d)%nat -> 0 <= c ->
  (forall k y, sum d (fun i => sum d (fun j => discordant (rank d k) (rank d y) i j)) <=
    c * distance2 n (output k) (output y)) ->
  cost_below_variance (fact d) n output (kendall d) (2 * (c / (INR d * (INR d - 1)))).
Proof.
  intros Hd Hc Hpairs. assert (H := at_least_two d Hd). assert (Hpos : 0 < INR d * (INR d - 1)) by nra.
  assert (Hinv := Rinv_0_lt_compat _ Hpos). apply cost_below_distance. intros k y _ _.
  rewrite kendall_of_all by assumption. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc.
  apply Rmult_le_compat_r; [lra|apply Hpairs].
Qed.

(** * Vectors of ranks *)

Definition rank_vector (d y i : nat) : R := INR (S (rank d y i)).

Lemma rank_vector_distance d k y :
  distance2 d (rank_vector d k) (rank_vector d y) = sum d (fun i => (INR (rank d k i) - INR (rank d y i)) ^ 2).
Proof. apply sum_ext. intros i _. unfold rank_vector. rewrite !S_INR. ring. Qed.

Theorem kendall_on_rank_vectors d : (2 <= d)%nat ->
  cost_below_variance (fact d) d (rank_vector d) (kendall d) (2 / (INR d * (INR d - 1))).
Proof.
  intros Hd. assert (H := at_least_two d Hd).
  replace (2 / (INR d * (INR d - 1))) with (2 * (1 / (INR d * (INR d - 1)))) by (field; lra).
  apply kendall_below; [assumption|lra|]. intros k y. rewrite Rmult_1_l, rank_vector_distance.
  apply discordant_below_distance; apply rank_permutes.
Qed.

Lemma apart_by_one p q : p <> q -> 1 <= (INR p - INR q) ^ 2.
Proof.
  intros Hne. assert (Hapart : (p < q)%nat \/ (q < p)%nat) by lia.
  destruct Hapart as [Hlt|Hlt]; apply above_by_one in Hlt; nra.
Qed.

(** Ranks that differ do so by one or more. *)
Theorem hamming_on_rank_vectors d cost : (0 < d)%nat ->
  (forall k y, cost k y = sum d (fun i => differs (rank_vector d k i) (rank_vector d y i)) / INR d) ->
  cost_below_variance (fact d) d (rank_vector d) cost (2 / INR d).
Proof.
  intros Hd Hcost. apply hamming_below_distance; [assumption|assumption|]. intros k y _ _.
  rewrite rank_vector_distance. apply sum_le. intros i _. unfold differs, rank_vector.
  destruct (Req_EM_T _ _) as [_|Hne]; [apply pow2_ge_0|]. apply apart_by_one. congruence.
Qed.

(** Two items at least have other ranks. *)
Theorem zero_one_on_rank_vectors d : cost_below_variance (fact d) d (rank_vector d) zero_one 1.
Proof.
  replace 1 with (2 / 2) by field. apply zero_one_below_distance; [lra|]. intros k y Hk Hy Hne.
  destruct (ranked_otherwise d k y Hk Hy Hne) as (i & Hi & Hdiff). rewrite rank_vector_distance.
  apply Rle_trans with (1 := displaced_together d _ _ i (rank_permutes d k) (rank_permutes d y) Hi Hdiff).
  apply sum_le. intros j _. unfold displaced. destruct (Nat.eqb_spec (rank d k j) (rank d y j)); [apply pow2_ge_0|].
  now apply apart_by_one.
Qed.

(** * Permutation matrices *)

Definition rank_matrix (d y i : nat) : R := if Nat.eqb (rank d y (Nat.div i d)) (Nat.modulo i d) then 1 else 0.

Lemma rank_matrix_entry d y i j : (j < d)%nat -> rank_matrix d y (i * d + j) = unit_vector (rank d y i) j.
Proof.
  intros Hj. unfold rank_matrix, unit_vector. rewrite Nat.div_add_l, Nat.div_small, Nat.add_0_r by lia.
  rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small, Nat.eqb_sym by lia. reflexivity.
Qed.

Lemma rank_matrices_have_rows d N : unit_rows N d d (rank_matrix d).
Proof.
  intros y i _ Hi. exists (rank d y i). split; [now apply rank_permutes|]. intros j Hj. now apply rank_matrix_entry.
Qed.

Lemma rank_matrix_distance d k y :
  distance2 (d * d) (rank_matrix d k) (rank_matrix d y) = 2 * sum d (displaced (rank d k) (rank d y)).
Proof.
  unfold distance2, dot. rewrite sum_rows, <- sum_scale. apply sum_ext. intros i Hi.
  rewrite (sum_ext d _ (fun j => (unit_vector (rank d k i) j - unit_vector (rank d y i) j) *
    (unit_vector (rank d k i) j - unit_vector (rank d y i) j))) by (intros; now rewrite !rank_matrix_entry).
  unfold displaced. destruct (Nat.eqb_spec (rank d k i) (rank d y i)) as [->|Hne].
  - rewrite sum_zero; [ring|]. intros. ring.
  - rewrite Rmult_1_r. apply (units_apart d); [now apply rank_permutes|now apply rank_permutes|assumption].
Qed.

Theorem kendall_on_rank_matrices d : (2 <= d)%nat ->
  cost_below_variance (fact d) (d * d) (rank_matrix d) (kendall d) ((2 * INR d - 3) / (INR d * (INR d - 1))).
Proof.
  intros Hd. assert (H := at_least_two d Hd).
  replace ((2 * INR d - 3) / (INR d * (INR d - 1))) with (2 * ((2 * INR d - 3) / 2 / (INR d * (INR d - 1))))
    by (field; lra).
  apply kendall_below; [assumption|lra|]. intros k y. rewrite rank_matrix_distance.
  replace ((2 * INR d - 3) / 2 * (2 * sum d (displaced (rank d k) (rank d y))))
    with ((2 * INR d - 3) * sum d (displaced (rank d k) (rank d y))) by field.
  apply discordant_below_displaced; apply rank_permutes.
Qed.

(** Two rows at least are others. *)
Theorem zero_one_on_rank_matrices d : cost_below_variance (fact d) (d * d) (rank_matrix d) zero_one (1 / 2).
Proof.
  replace (1 / 2) with (2 / 4) by field. apply zero_one_below_distance; [lra|]. intros k y Hk Hy Hne.
  destruct (ranked_otherwise d k y Hk Hy Hne) as (i & Hi & Hdiff). rewrite rank_matrix_distance.
  assert (H := displaced_together d _ _ i (rank_permutes d k) (rank_permutes d y) Hi Hdiff). lra.
Qed.

(** What is known of the size of a ranking, for [field]. *)
Ltac numbers_of d := assert (Some := lt_0_INR d ltac:(lia)); try assert (Two := at_least_two d ltac:(lia)).
