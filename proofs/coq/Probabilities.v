(** The other squared probabilities of a softmax: S of the surrogate gap. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Squares Softmax.
Open Scope R_scope.

Section Others.
  Variables (K : nat) (theta : vector) (y : nat).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis label : (y < K)%nat.
  Let P := softmax K theta.

  Definition others : R := sum K (without y (fun k => P k ^ 2)).

  Lemma square_of_without (f : nat -> R) j k : without j (fun k => f k ^ 2) k = without j f k ^ 2.
  Proof using. unfold without. destruct (Nat.eqb k j); [ring|reflexivity]. Qed.

  Lemma others_value : others = sum K (fun k => without y P k ^ 2).
  Proof using. apply sum_ext. intros. apply square_of_without. Qed.

  Lemma P_positive k : (k < K)%nat -> 0 < P k.
  Proof using. apply softmax_positive. Qed.

  Lemma others_sum : sum K (without y P) = 1 - P y.
  Proof using classes label.
    assert (H : sum K P = 1) by (apply softmax_sums_to_one; lia). rewrite (sum_split K P y label) in H. lra.
  Qed.

  Lemma without_P_nonneg k : (k < K)%nat -> 0 <= without y P k.
  Proof using. intros Hk. apply without_nonneg. left. now apply P_positive. Qed.

  Lemma others_nonneg : 0 <= others.
  Proof using. apply sum_nonneg. intros. apply without_nonneg, pow2_ge_0. Qed.

  Lemma others_le : others <= (1 - P y) ^ 2.
  Proof using classes label.
    rewrite others_value, <- others_sum. apply sum_squares_le. exact without_P_nonneg.
  Qed.

  Section Right.
    Hypothesis top : is_top K theta y.

    Lemma without_top k : (k < K)%nat -> 0 <= without y P k <= P y.
    Proof using label top.
      intros Hk. split; [now apply without_P_nonneg|]. unfold without.
      destruct (Nat.eqb k y); [left; now apply P_positive|]. apply softmax_monotone; [exact Hk|now apply top].
    Qed.

    Lemma others_capped : others <= P y * (1 - P y).
    Proof using classes label top. rewrite others_value, <- others_sum. apply sum_squares_cap. exact without_top. Qed.

    Lemma others_in_two : 1 <= 3 * P y -> others <= P y ^ 2 + (1 - 2 * P y) ^ 2.
    Proof using classes label top.
      intros H. rewrite others_value.
      replace (1 - 2 * P y) with (sum K (without y P) - P y) by (rewrite others_sum; ring).
      apply sum_squares_two; [exact without_top|left; now apply P_positive|rewrite others_sum; lra].
    Qed.

    Lemma top_probability : 1 / INR K <= P y.
    Proof using classes label top.
      assert (HK : 0 < INR K) by (apply lt_0_INR; lia).
      apply Rmult_le_reg_l with (INR K); [exact HK|].
      replace (INR K * (1 / INR K)) with 1 by (field; lra).
      rewrite <- sum_const. rewrite <- (softmax_sums_to_one K theta) by lia.
      apply sum_le. intros k Hk. apply softmax_monotone; [exact Hk|now apply top].
    Qed.
  End Right.

  Section Wrong.
    Variable ystar : nat.
    Hypothesis top : is_top K theta ystar.
    Hypothesis wrong : ystar <> y.
    Let left_over := 1 - P y - P ystar.

    Lemma both_split f : sum K (without y f) = f ystar + sum K (without ystar (without y f)).
    Proof using top wrong.
      rewrite (sum_split K (without y f) ystar) by apply top. f_equal. unfold without.
      apply Nat.eqb_neq in wrong. now rewrite wrong.
    Qed.

    Lemma left_over_value : sum K (without ystar (without y P)) = left_over.
    Proof using classes label top wrong.
      unfold left_over. assert (H := both_split P). rewrite others_sum in H. lra.
    Qed.

    Lemma left_over_term k : (k < K)%nat -> 0 <= without ystar (without y P) k <= P ystar.
    Proof using classes label top wrong.
      intros Hk. assert (Hpos := P_positive k Hk). assert (Htop : P k <= P ystar) by now apply softmax_monotone, top.
      assert (0 < P ystar) by now apply P_positive, top.
      unfold without. destruct (Nat.eqb k ystar), (Nat.eqb k y); lra.
    Qed.

    Lemma left_over_nonneg : 0 <= left_over.
    Proof using classes label top wrong.
      rewrite <- left_over_value. apply sum_nonneg. intros. now apply left_over_term.
    Qed.

    Lemma others_split : others = P ystar ^ 2 + sum K (fun k => without ystar (without y P) k ^ 2).
    Proof using top wrong.
      unfold others. rewrite both_split. f_equal. apply sum_ext. intros k _. unfold without.
      destruct (Nat.eqb k ystar), (Nat.eqb k y); ring.
    Qed.

    Lemma others_wrong_large : others <= P ystar ^ 2 + left_over ^ 2.
    Proof using classes label top wrong.
      rewrite others_split, <- left_over_value. apply Rplus_le_compat_l, sum_squares_le.
      intros. now apply left_over_term.
    Qed.

    Lemma others_wrong_small : others <= P ystar ^ 2 + P ystar * left_over.
    Proof using classes label top wrong.
      rewrite others_split, <- left_over_value. apply Rplus_le_compat_l, sum_squares_cap. exact left_over_term.
    Qed.
  End Wrong.
End Others.

(** Two classes leave nothing over. *)
Lemma left_over_of_two theta y ystar : (y < 2)%nat -> (ystar < 2)%nat -> ystar <> y ->
  softmax 2 theta y + softmax 2 theta ystar = 1.
Proof.
  intros Hy Hy' Hne. rewrite <- (softmax_sums_to_one 2 theta) by lia. cbn [sum].
  assert (H : (y = 0 /\ ystar = 1 \/ y = 1 /\ ystar = 0)%nat) by lia. destruct H as [[-> ->]|[-> ->]]; ring.
Qed.
