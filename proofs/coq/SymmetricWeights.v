(** Weights for one feature whose rivals are all equal: W^0 = k mu and W^j = -k mu/(K - 1), k = 1 - 1/K, mu being the
    margin of label 0 at x = 1. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Margins.
Open Scope R_scope.

Section Weights.
  Variable K : nat.
  Hypothesis classes : (2 <= K)%nat.
  Let k := 1 - 1 / INR K.

  (** The rivals' shares: all equal. *)
  Definition rival (j : nat) : R := if Nat.eqb j 0 then 0 else 1 / (INR K - 1).

  Definition symmetric (mu : R) : matrix := fun j _ => k * mu * ((if Nat.eqb j 0 then 1 else 0) - rival j).

  Lemma many : 2 <= INR K.
  Proof using classes. now apply at_least_two. Qed.

  Lemma rival_sum : sum K rival = 1.
  Proof using classes.
    assert (HK := many). rewrite (sum_ext K _ (fun j => 1 / (INR K - 1) - if Nat.eqb j 0 then 1 / (INR K - 1) else 0)).
    - rewrite sum_minus, sum_const, sum_pick by lia. field. lra.
    - intros j _. unfold rival. destruct (Nat.eqb j 0); ring.
  Qed.

  Lemma symmetric_score mu x j : scores 1 (symmetric mu) x j = symmetric mu j 0%nat * x 0%nat.
  Proof using. unfold scores, dot. cbn [sum]. ring. Qed.

  Lemma symmetric_gap mu x j : (j < K)%nat -> j <> 0%nat ->
    scores 1 (symmetric mu) x 0%nat - scores 1 (symmetric mu) x j = mu * x 0%nat.
  Proof using classes.
    intros _ Hj. assert (HK := many). apply Nat.eqb_neq in Hj.
    rewrite !symmetric_score. unfold symmetric, rival, k. rewrite Hj. cbn [Nat.eqb]. field. lra.
  Qed.

  Lemma symmetric_margin mu x : margin K (scores 1 (symmetric mu) x) 0 = mu * x 0%nat.
  Proof using classes.
    apply margin_unique; [exact classes|lia| |].
    - intros j Hj Hne. right. symmetry. now apply symmetric_gap.
    - exists 1%nat. split; [lia|]. split; [lia|]. symmetry. apply symmetric_gap; lia.
  Qed.

  Lemma symmetric_norm mu : norm2 K 1 (symmetric mu) = k * mu ^ 2.
  Proof using classes.
    assert (HK := many). unfold norm2, inner, dot. cbn [sum].
    rewrite (sum_ext K _ (fun j => (k * mu) ^ 2 * ((if Nat.eqb j 0 then 1 else 0) + 1 / (INR K - 1) * rival j))).
    - rewrite sum_scale, sum_plus, sum_pick, sum_scale, rival_sum by lia. unfold k. field. lra.
    - intros j _. unfold symmetric, rival. destruct (Nat.eqb j 0); field; lra.
  Qed.
End Weights.
