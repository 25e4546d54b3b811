(** Abstention: from single rounds to the whole guarantee. On a right round the learner pays a c, on a wrong round
    1 - a + a c. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Assembly.
From Gaptron Require Import BanditDefinitions AbstentionDefinitions.
Import ListNotations.
Open Scope R_scope.

Lemma abstaining_is_distribution K a ystar : (ystar < K)%nat -> 0 <= a <= 1 ->
  is_distribution (S K) (abstaining K a ystar).
Proof.
  intros Hy Ha. split.
  - intros k _. unfold abstaining. destruct (Nat.eqb k ystar), (Nat.eqb k K); lra.
  - unfold abstaining. rewrite sum_plus, !sum_pick by lia. ring.
Qed.

Lemma expected_cost K c a ystar y : (ystar < K)%nat -> (y < K)%nat ->
  sum (S K) (fun draw => abstaining K a ystar draw * cost K c y draw) =
  (if Nat.eqb ystar y then 0 else 1 - a) + a * c.
Proof.
  intros Hy' Hy. rewrite (sum_ext (S K) _ (fun draw =>
    (if Nat.eqb draw ystar then (if Nat.eqb ystar y then 0 else 1 - a) else 0)
    + (if Nat.eqb draw K then a * c else 0))).
  - rewrite sum_plus, !sum_pick by lia. reflexivity.
  - intros draw _. unfold abstaining, cost. destruct (Nat.eqb_spec draw ystar) as [->|].
    + destruct (Nat.eqb_spec ystar K); [lia|]. destruct (Nat.eqb ystar y); ring.
    + destruct (Nat.eqb_spec draw K) as [->|]; ring.
Qed.

(** What is asked of single rounds. *)
Record abstention_rounds (K d : nat) (s : surrogate) (c X eta : R) : Type := {
  abstention_rate : 0 < eta;
  abstention_loss : forall W x ystar y V, (y < K)%nat -> 0 <= loss s W x ystar y V;
  abstention_top : forall W x, {ystar | top s W x ystar};
  abstention_subgradient : forall W x ystar y V,
    (y < K)%nat -> {G | matrix_subgradient (rows s) d (loss s W x ystar y) V G};
  abstention_map : forall W x ystar, top s W x ystar -> (ystar < K)%nat /\ 0 <= gap_map s W x ystar <= 1;
  abstention_gap : forall W x ystar y G, top s W x ystar -> (y < K)%nat -> dot d x x <= X ^ 2 ->
    matrix_subgradient (rows s) d (loss s W x ystar y) W G ->
    (if Nat.eqb ystar y then 0 else 1 - gap_map s W x ystar) + gap_map s W x ystar * c
    - loss s W x ystar y W + eta / 2 * norm2 (rows s) d G <= 0
}.

Lemma costs_weighted K price y h : costs K price y h = weighted_total (fun h draw => cost K (price h) (y h) draw) h.
Proof. induction h as [|draw h IH]; cbn [costs weighted_total]; [reflexivity|]. now rewrite IH. Qed.

Theorem abstention_guarantee_from_rounds K d s c X eta regret :
  abstention_rounds K d s c X eta -> 1 / (2 * eta) <= regret -> abstention_guarantee K d s c X eta regret.
Proof.
  intros [Heta Hpos Htop Hsub Hmap Hgap] Hregret. split.
  { intros W x ystar y Hy. split; [|intros; now apply Hpos].
    apply convex_from_subgradients with (rows := rows s) (d := d). intros V.
    destruct (Hsub W x ystar y V Hy) as [G HG]. now exists G. }
  intros T x y price Hadm. split.
  { set (sub := fun W x ystar y Hy => Hsub W x ystar y W Hy).
    exists (weights K d s eta x y Htop sub), (fun h => chosen_top s Htop (weights K d s eta x y Htop sub h) (x h)).
    split; [reflexivity|]. intros h Hh. destruct (Hadm h Hh) as [Hy _].
    split; [exact (proj2_sig (Htop _ _))|]. cbn [weights]. unfold update.
    destruct (lt_dec (y h) K) as [Hlt|Hlt]; [|contradiction].
    eexists. split; [exact (proj2_sig (Hsub _ _ _ _ _ Hlt))|]. reflexivity. }
  intros W ystar Hplay p losses.
  assert (Hdist : forall h, takes_place (S K) T h -> is_distribution (S K) (p h)).
  { intros h Hh. destruct (proj2 Hplay h Hh) as [Ht _]. destruct (Hmap _ _ _ Ht).
    now apply abstaining_is_distribution. }
  split; [exact Hdist|]. intros U. rewrite (expectation_ext (S K) p _ _ (costs_weighted K price y)).
  rewrite <- (Rmult_1_l (expectation (S K) p T (total (losses U)) [])).
  apply (full_descent (S K) T 1 p _ Hdist (rows s) d eta regret (fun h => loss s (W h) (x h) (ystar h) (y h)) W U);
    [assumption|lra|assumption|apply Hplay|].
  intros h Hh. destruct (Hadm h Hh) as (Hy & Hx & Hprice). destruct (proj2 Hplay h Hh) as (Ht & G & HG & Hstep).
  exists G. split; [exact HG|]. split; [intros draw k i; apply Hstep|]. specialize (Hgap _ _ _ _ G Ht Hy Hx HG).
  destruct (Hmap _ _ _ Ht) as [Hy' Ha]. apply (Rmult_le_compat_l _ _ _ (proj1 Ha)) in Hprice.
  unfold p. rewrite expected_cost by assumption. lra.
Qed.
