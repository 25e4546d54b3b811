(** Sets of labels and the 0-1 target: what is enough for the criterion, if losses are functions of how far a label is
    ahead of the others in the set. *)

From Coq Require Import Reals Lra Lia Arith Psatz.
From Gaptron Require Import Definitions Sums Optimal OptimalSums OptimalProximal OptimalUpper.
Open Scope R_scope.

Section Sets.
Variables (K : nat) (c : R) (theta : nat -> vector) (q : vector) (s : nat -> R).
Hypothesis Hc : 0 < c.
Hypothesis Hs : forall y, s y = 0 \/ s y = 1.

Notation n := (sum K s).

(** How far y is ahead of the others in the set, all together. *)
Definition lead (y : nat) : R := n * theta y y - sum K (fun k => s k * theta y k).

Definition toward (y k : nat) : R := if Nat.eqb k y then n - s k else - s k.

(** c ||delta||^2 is at least its tangent. *)
Lemma square_tangent y r : (y < K)%nat -> s y = 1 ->
  2 * r * (n * (theta y y - q y) - sum K (fun k => s k * (theta y k - q k))) - r ^ 2 * (n * (n - 1))
  <= distance2 K (theta y) q.
Proof.
  intros Hy Hin. rewrite distance2_sum. set (d := fun k => theta y k - q k).
  assert (Hlin : sum K (fun k => toward y k * d k) = n * d y - sum K (fun k => s k * d k)).
  { rewrite (sum_ext K _ (fun k => (if Nat.eqb k y then n * d y else 0) + -1 * (s k * d k))).
    - rewrite sum_plus, sum_pick, sum_scale by assumption. ring.
    - intros k _. unfold toward. destruct (Nat.eqb_spec k y) as [->|]; ring. }
  assert (Hsq : sum K (fun k => toward y k ^ 2) = n * (n - 1)).
  { rewrite (sum_ext K _ (fun k => (if Nat.eqb k y then n ^ 2 - 2 * n * s y else 0) + s k)).
    - rewrite sum_plus, sum_pick, Hin by assumption. ring.
    - intros k _. unfold toward. destruct (Nat.eqb_spec k y) as [Heq|]; [rewrite Heq, Hin; ring|].
      destruct (Hs k) as [E|E]; rewrite E; ring. }
  change (fun k => s k * (theta y k - q k)) with (fun k => s k * d k). change (theta y y - q y) with (d y).
  rewrite <- Hlin, <- Hsq, <- !sum_scale, <- sum_minus. apply sum_le. intros k _. fold (d k).
  assert (0 <= (d k - r * toward y k) ^ 2) by apply pow2_ge_0. lra.
Qed.

(** The losses are at least [L] at some [m], (n - 1) m is at most the lead; [L] falls, or else m is the lead itself. *)
Variables (loss : nat -> R) (L : R -> R) (m : nat -> R).
Hypothesis Hloss : forall y, (y < K)%nat -> s y = 1 -> L (m y) <= loss y.
Hypothesis Hconvex : forall r, exists g, subgradient L r g.
Hypothesis Hlead : forall y, (y < K)%nat -> s y = 1 -> (n - 1) * m y <= lead y.
Hypothesis Hcase : (forall r t, r <= t -> L t <= L r) \/
  (forall y, (y < K)%nat -> s y = 1 -> (n - 1) * m y = lead y).
Hypothesis Hscalar : forall r, (0 <= r \/ ~ forall r t, r <= t -> L t <= L r) -> n - 1 <= n * L r + c * (n - 1) * r ^ 2.

Lemma paid_by_the_set : 1 < n -> n - 1 <= sum K (fun y => s y * (loss y + c * distance2 K (theta y) q)).
Proof using Hc Hs Hloss Hconvex Hlead Hcase Hscalar.
  intros Hn. set (M := sum K (fun y => s y * m y) / n).
  assert (HM : sum K (fun y => s y * m y) = n * M) by (unfold M; field; lra).
  destruct (Hconvex M) as [g Hg].
  assert (HL : n * L M <= sum K (fun y => s y * loss y)).
  { apply Rle_trans with (sum K (fun y => (L M - g * M) * s y + g * (s y * m y))).
    - rewrite sum_plus, !sum_scale, HM. right. ring.
    - apply sum_le. intros y Hy. assert (Hm := Hg (m y)). destruct (Hs y) as [E|E]; rewrite E; [lra|].
      specialize (Hloss y Hy E). lra. }
  assert (Hq : sum K (fun y => s y * (n * q y - sum K (fun j => s j * q j))) = 0).
  { rewrite (sum_ext K _ (fun y => n * (s y * q y) - sum K (fun j => s j * q j) * s y)) by (intros; ring).
    rewrite sum_minus, !sum_scale. ring. }
  set (leads := sum K (fun y => s y * lead y)).
  assert (Hleads : sum K (fun y => s y * (n * (theta y y - q y) - sum K (fun j => s j * (theta y j - q j)))) = leads).
  { unfold leads. rewrite <- (Rminus_0_r (sum K (fun y => s y * lead y))), <- Hq, <- sum_minus. apply sum_ext. intros y _.
    rewrite (sum_ext K (fun j => s j * (theta y j - q j)) (fun j => s j * theta y j - s j * q j)) by (intros; ring).
    rewrite sum_minus. unfold lead. ring. }
  assert (Hless : (n - 1) * (n * M) <= leads).
  { rewrite <- HM, <- sum_scale. apply sum_le. intros y Hy. destruct (Hs y) as [E|E]; rewrite E; [lra|].
    specialize (Hlead y Hy E). lra. }
  assert (HT : exists T, L T <= L M /\ M * T = T ^ 2 /\ 2 * (T / n) * ((n - 1) * (n * M)) <= 2 * (T / n) * leads /\
    (0 <= T \/ ~ forall r t, r <= t -> L t <= L r)).
  { destruct (Classical_Prop.classic (forall r t, r <= t -> L t <= L r)) as [Hfalls|Hnot].
    - exists (Rmax M 0). split; [apply Hfalls, Rmax_l|]. split; [unfold Rmax; destruct (Rle_dec M 0); ring|].
      assert (H0 : 0 <= Rmax M 0) by apply Rmax_r. split; [|now left]. apply Rmult_le_compat_l; [|exact Hless].
      assert (0 <= Rmax M 0 / n); [|lra]. apply Rmult_le_pos; [exact H0|left; apply Rinv_0_lt_compat; lra].
    - exists M. split; [lra|]. split; [ring|]. split; [|now right].
      destruct Hcase as [H|Hexact]; [contradiction|]. right. f_equal. rewrite <- HM, <- sum_scale. unfold leads.
      apply sum_ext. intros y Hy. destruct (Hs y) as [E|E]; rewrite E; [ring|]. specialize (Hexact y Hy E). lra. }
  destruct HT as (T & HLT & HMT & Hdiff & Hwhere).
  assert (Hcost : (n - 1) * T ^ 2 <= sum K (fun y => s y * distance2 K (theta y) q)).
  { apply Rle_trans with (sum K (fun y => 2 * (T / n) *
      (s y * (n * (theta y y - q y) - sum K (fun j => s j * (theta y j - q j)))) - (T / n) ^ 2 * (n * (n - 1)) * s y)).
    - rewrite sum_minus, !sum_scale, Hleads.
      replace (2 * (T / n) * ((n - 1) * (n * M))) with (2 * (n - 1) * (M * T)) in Hdiff by (field; lra).
      rewrite HMT in Hdiff.
      replace ((T / n) ^ 2 * (n * (n - 1)) * n) with ((n - 1) * T ^ 2) by (field; lra). lra.
    - apply sum_le. intros y Hy. destruct (Hs y) as [E|E]; rewrite E; [lra|].
      assert (H := square_tangent y (T / n) Hy E). lra. }
  assert (Hone := Hscalar T Hwhere).
  rewrite (sum_ext K (fun y => s y * (loss y + c * distance2 K (theta y) q))
    (fun y => s y * loss y + c * (s y * distance2 K (theta y) q))) by (intros; ring).
  rewrite sum_plus, sum_scale.
  apply Rmult_le_compat_l with (r := c) in Hcost; [|lra].
  apply Rmult_le_compat_l with (r := n) in HLT; [|lra]. lra.
Qed.
End Sets.

(** A set of labels pays for all but one of them, whatever the scores: that is enough. *)
Lemma sets_are_enough K n loss c : (0 < K)%nat -> 0 < c -> (forall y theta, (y < K)%nat -> 0 <= loss y theta) ->
  (forall theta q s, (forall y, s y = 0 \/ s y = 1) -> 1 < sum K s ->
    sum K s - 1 <= sum K (fun y => s y * (loss y (theta y) + c * distance2 n (theta y) q))) ->
  criterion (classification K n loss) 1 c.
Proof.
  intros HK Hc Hpos Hpaid w theta Hw H Hbest. rewrite Rmult_1_l. simpl in *. destruct Hw as [Hw0 Hone].
  set (q := mean K w theta).
  set (e := fun y => loss y (theta y) + c * distance2 n (theta y) q).
  assert (He : forall y, (y < K)%nat -> 0 <= e y).
  { intros y Hy. unfold e. assert (0 <= distance2 n (theta y) q) by apply distance2_nonneg.
    assert (0 <= c * distance2 n (theta y) q) by (apply Rmult_le_pos; lra). specialize (Hpos y (theta y) Hy). lra. }
  set (s := fun y => if Rlt_dec 0 (1 - e y) then 1 else 0).
  assert (Hs : forall y, s y = 0 \/ s y = 1) by (intros y; unfold s; destruct Rlt_dec; auto).
  assert (Hneeds : sum K (fun y => s y * (1 - e y)) <= 1).
  { destruct (Rle_lt_dec (sum K s) 1) as [Hfew|Hmany].
    - apply Rle_trans with (sum K s); [|assumption]. apply sum_le. intros y Hy. specialize (He y Hy).
      destruct (Hs y) as [->| ->]; lra.
    - specialize (Hpaid theta q s Hs Hmany).
      rewrite (sum_ext K _ (fun y => s y - s y * e y)) by (intros; ring). rewrite sum_minus. unfold e. lra. }
  assert (Hmost : forall y, (y < K)%nat -> w y <= 1 - H).
  { intros y Hy. specialize (Hbest y Hy). unfold weighted in Hbest.
    rewrite (sum_ext K _ (fun j => w j * zero_one j y)) in Hbest by (intros; unfold zero_one; now rewrite Nat.eqb_sym).
    fold (weighted K w (fun j => zero_one j y)) in Hbest. rewrite (P_wrong_top_up K w y (conj Hw0 Hone) Hy) in Hbest. lra. }
  assert (H0 : 0 <= 1 - H).
  { assert (Hz := HK). specialize (Hmost 0%nat Hz). specialize (Hw0 0%nat Hz). lra. }
  assert (Hsum : weighted K w (fun y => loss y (theta y)) + c * variance n K w theta = sum K (fun y => w y * e y)).
  { unfold variance, weighted, e. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros y _. fold q. ring. }
  rewrite Hsum.
  assert (Hlow : sum K (fun y => w y * (1 - e y)) <= (1 - H) * sum K (fun y => s y * (1 - e y))).
  { rewrite <- sum_scale. apply sum_le. intros y Hy. specialize (Hmost y Hy). specialize (Hw0 y Hy).
    unfold s. destruct (Rlt_dec 0 (1 - e y)); nra. }
  rewrite (sum_ext K (fun y => w y * (1 - e y)) (fun y => w y - w y * e y)) in Hlow by (intros; ring).
  rewrite sum_minus, Hone in Hlow. nra.
Qed.

(** Where the scores are far apart the criterion holds whatever the loss, which is not negative. *)
Lemma far_or_near c far m : 0 < c -> 0 <= far -> 1 <= c * far ^ 2 -> 1 <= c * m ^ 2 \/ - far <= m <= far.
Proof.
  intros Hc Hfar Hone. destruct (Rle_lt_dec m far) as [Hhigh|Hhigh]; [destruct (Rle_lt_dec (- far) m) as [Hlow|Hlow]|];
    [right; lra | left | left]; (apply Rle_trans with (1 := Hone); apply Rmult_le_compat_l; [lra|nra]).
Qed.
