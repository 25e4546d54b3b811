(** The margin of a label, at right rounds, at wrong rounds and for two classes. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums.
Open Scope R_scope.

Lemma largest_ge n f j : (j <= n)%nat -> f j <= largest n f.
Proof.
  induction n as [|n IH]; cbn [largest]; intros H.
  - replace j with O by lia. lra.
  - destruct (Nat.eq_dec j (S n)) as [->|Hj]; [apply Rmax_r|].
    apply Rle_trans with (largest n f); [apply IH; lia|apply Rmax_l].
Qed.

Lemma largest_attained n f : exists j, (j <= n)%nat /\ largest n f = f j.
Proof.
  induction n as [|n [j [Hj IH]]]; cbn [largest]; [now exists O|].
  unfold Rmax. destruct Rle_dec; [exists (S n)|exists j]; split; auto.
Qed.

Lemma other_differs y j : other y j <> y.
Proof. unfold other. destruct (Nat.ltb_spec j y); lia. Qed.

Lemma other_below K y j : (2 <= K)%nat -> (j <= K - 2)%nat -> (other y j < K)%nat.
Proof. unfold other. destruct (Nat.ltb_spec j y); lia. Qed.

Lemma other_all K y k : (k < K)%nat -> k <> y -> (y < K)%nat -> exists j, (j <= K - 2)%nat /\ other y j = k.
Proof.
  intros Hk Hky Hy. destruct (lt_dec k y).
  - exists k. split; [lia|]. unfold other. destruct (Nat.ltb_spec k y); lia.
  - exists (k - 1)%nat. split; [lia|]. unfold other. destruct (Nat.ltb_spec (k - 1) y); lia.
Qed.

Section Margin.
  Variables (K : nat) (theta : vector) (y : nat).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis label : (y < K)%nat.

  Lemma margin_le k : (k < K)%nat -> k <> y -> margin K theta y <= theta y - theta k.
  Proof using label.
    intros Hk Hky. destruct (other_all K y k Hk Hky label) as [j [Hj <-]]. unfold margin.
    assert (H := largest_ge (K - 2) (fun j => theta (other y j)) j Hj). cbn beta in H. lra.
  Qed.

  Lemma margin_attained : exists k, (k < K)%nat /\ k <> y /\ margin K theta y = theta y - theta k.
  Proof using classes.
    destruct (largest_attained (K - 2) (fun j => theta (other y j))) as [j [Hj H]].
    exists (other y j). repeat split; [now apply other_below|apply other_differs|]. unfold margin. lra.
  Qed.

  (** These two say all there is to say. *)
  Lemma margin_unique m :
    (forall k, (k < K)%nat -> k <> y -> m <= theta y - theta k) ->
    (exists k, (k < K)%nat /\ k <> y /\ m = theta y - theta k) -> margin K theta y = m.
  Proof using classes label.
    intros Hle (k & Hk & Hky & ->). destruct margin_attained as (j & Hj & Hjy & H).
    specialize (Hle j Hj Hjy). assert (H' := margin_le k Hk Hky). lra.
  Qed.

  (** A right round: the margin is not negative. *)
  Lemma right_margin : is_top K theta y -> 0 <= margin K theta y.
  Proof using classes.
    intros [_ Htop]. destruct margin_attained as (k & Hk & _ & ->). specialize (Htop k Hk). lra.
  Qed.
End Margin.

(** A wrong round: s = m* is at most t = -m(W, y), and equal to it for two classes. *)

Lemma wrong_margins K theta ystar y : (2 <= K)%nat -> (y < K)%nat -> is_top K theta ystar -> ystar <> y ->
  margin K theta ystar <= - margin K theta y /\ (K = 2%nat -> margin K theta ystar = - margin K theta y).
Proof.
  intros HK Hy [Hy' Htop] Hne.
  assert (Hwrong : margin K theta y = theta y - theta ystar).
  { apply margin_unique; auto. - intros k Hk _. specialize (Htop k Hk). lra.
    - now exists ystar. }
  split.
  - assert (H := margin_le K theta ystar Hy' y Hy (not_eq_sym Hne)). lra.
  - intros H2. destruct (margin_attained K theta ystar HK) as (k & Hk & Hky & H).
    replace k with y in H by lia. lra.
Qed.

(** A label with the largest score. *)

Fixpoint first_top (n : nat) (theta : vector) : nat :=
  match n with
  | O => O
  | S n' => if Rlt_dec (theta (first_top n' theta)) (theta n) then n else first_top n' theta
  end.

Lemma first_top_le n theta : (first_top n theta <= n)%nat.
Proof. induction n as [|n IH]; cbn [first_top]; [lia|]. destruct Rlt_dec; lia. Qed.

Lemma first_top_largest n theta k : (k <= n)%nat -> theta k <= theta (first_top n theta).
Proof.
  induction n as [|n IH]; cbn [first_top]; intros Hk.
  - replace k with O by lia. lra.
  - destruct (Nat.eq_dec k (S n)) as [->|Hkn].
    + destruct Rlt_dec; lra.
    + assert (theta k <= theta (first_top n theta)) by (apply IH; lia). destruct Rlt_dec; lra.
Qed.

Lemma some_top K theta : (2 <= K)%nat -> {y | is_top K theta y}.
Proof.
  intros HK. exists (first_top (K - 1) theta). split.
  - assert (H := first_top_le (K - 1) theta). lia.
  - intros k Hk. apply first_top_largest. lia.
Qed.

(** A rival: a label other than [y] with the largest score among them. *)
Lemma some_rival K theta y : (2 <= K)%nat -> (y < K)%nat ->
  {k | (k < K)%nat /\ k <> y /\ margin K theta y = theta y - theta k}.
Proof.
  intros HK Hy. set (f := fun j => theta (other y j)). set (j := first_top (K - 2) f).
  assert (Hj : (j <= K - 2)%nat) by apply first_top_le.
  exists (other y j). repeat split; [now apply other_below|apply other_differs|].
  apply margin_unique; auto.
  - intros k Hk Hky. destruct (other_all K y k Hk Hky Hy) as [i [Hi <-]].
    assert (H := first_top_largest (K - 2) f i Hi). unfold f in H at 1. unfold f in H. fold f j in H. lra.
  - exists (other y j). repeat split; [now apply other_below|apply other_differs].
Qed.
