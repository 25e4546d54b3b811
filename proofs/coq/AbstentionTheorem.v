(** Abstention: from single rounds to the whole guarantee. On a right round the learner pays a c, on a wrong round
    1 - a + a c. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly AbstentionDefinitions.
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

Section Descent.
  Variables (K d : nat) (s : surrogate) (c X eta : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat) (price : history -> R).
  Variables (W : history -> matrix) (ystar : history -> nat).
  Let p h := abstaining K (gap_map s (W h) (x h) (ystar h)) (ystar h).
  Let l h := loss s (W h) (x h) (ystar h) (y h).
  Variable rounds : abstention_rounds K d s c X eta.
  Hypothesis admitted : abstention_admissible K d c X T x y price.
  Hypothesis playing : abstention_plays K d s eta T x y W ystar.
  Variable U : matrix.

  Lemma abstention_distribution h : takes_place (S K) T h -> is_distribution (S K) (p h).
  Proof using rounds playing.
    intros Hh. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as [Htop _].
    destruct (abstention_map _ _ _ _ _ _ rounds _ _ _ Htop). now apply abstaining_is_distribution.
  Qed.

  Let potential h := norm2 (rows s) d (fun k i => W h k i - U k i) / (2 * eta).
  Let account h := costs K price y h - total (fun h => l h U) h + potential h.

  Lemma abstention_account_falls h : takes_place (S K) T h ->
    sum (S K) (fun draw => p h draw * account (draw :: h)) <= account h.
  Proof using rounds admitted playing.
    intros Hh. assert (Heta := abstention_rate _ _ _ _ _ _ rounds). destruct (admitted h Hh) as (Hy & Hx & Hprice).
    destruct (abstention_distribution h Hh) as [Hpos Hone].
    destruct playing as [_ Hplay]. destruct (Hplay h Hh) as (Htop & G & HG & Hstep).
    assert (Hgap := abstention_gap _ _ _ _ _ _ rounds _ _ _ _ G Htop Hy Hx HG). specialize (HG U).
    destruct (abstention_map _ _ _ _ _ _ rounds _ _ _ Htop) as [Hy' Ha].
    apply (Rmult_le_compat_l _ _ _ (proj1 Ha)) in Hprice.
    assert (Hcost := expected_cost K (price h) (gap_map s (W h) (x h) (ystar h)) _ _ Hy' Hy). fold (p h) in Hcost.
    fold (l h) in HG, Hgap. set (lW := l h (W h)) in *. set (lU := l h U) in *. set (I := inner (rows s) d G _) in HG.
    set (G2 := norm2 (rows s) d G) in *. set (e := account h - lW + eta / 2 * G2).
    apply Rle_trans with (sum (S K) (fun draw => e * p h draw + p h draw * cost K (price h) (y h) draw)).
    - apply sum_le. intros draw Hdraw. specialize (Hpos draw Hdraw).
      replace (e * p h draw + p h draw * cost K (price h) (y h) draw)
        with (p h draw * (e + cost K (price h) (y h) draw)) by ring.
      apply Rmult_le_compat_l; [exact Hpos|]. unfold e, account. cbn [costs total]. fold lU.
      assert (Hpotential : potential (draw :: h) = potential h + I + eta / 2 * G2); [|lra].
      unfold potential, norm2 at 1. rewrite (inner_ext (rows s) d _ (fun k i => W h k i - eta * G k i - U k i)
        _ (fun k i => W h k i - eta * G k i - U k i)) by (intros; now rewrite Hstep).
      fold (norm2 (rows s) d (fun k i => W h k i - eta * G k i - U k i)). rewrite norm2_step. fold I G2. field. lra.
    - rewrite sum_plus, sum_scale, Hone, Hcost. unfold e. lra.
  Qed.

  Theorem abstention_descent :
    expectation (S K) p T (costs K price y) [] <=
    expectation (S K) p T (total (fun h => l h U)) [] + 1 / (2 * eta) * norm2 (rows s) d U.
  Proof using rounds admitted playing.
    assert (Heta := abstention_rate _ _ _ _ _ _ rounds).
    assert (H : expectation (S K) p T (fun h => costs K price y h - total (fun h => l h U) h) [] <= account []).
    { apply expectation_telescopes with (T := T); auto using abstention_account_falls, abstention_distribution.
      intros h _ _. assert (0 <= potential h); [|unfold account; lra].
      apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra. }
    rewrite expectation_minus in H.
    assert (Hstart : account [] = norm2 (rows s) d U / (2 * eta)).
    { destruct playing as [Hzero _]. unfold account, potential. cbn [costs total].
      replace (norm2 (rows s) d (fun k i => W [] k i - U k i)) with (norm2 (rows s) d U); [ring|].
      apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
    replace (1 / (2 * eta) * norm2 (rows s) d U) with (norm2 (rows s) d U / (2 * eta)) by (field; lra). lra.
  Qed.
End Descent.

Theorem abstention_guarantee_from_rounds K d s c X eta regret :
  abstention_rounds K d s c X eta -> 1 / (2 * eta) <= regret -> abstention_guarantee K d s c X eta regret.
Proof.
  intros Hrounds Hregret. destruct Hrounds as [Heta Hpos Htop Hsub Hmap Hgap] eqn:Heq. clear Heq. split.
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
  intros W ystar Hplay p losses. set (made := Build_abstention_rounds K d s c X eta Heta Hpos Htop Hsub Hmap Hgap).
  split; [intros h Hh; now apply (abstention_distribution K d s c X eta T x y W ystar made Hplay)|].
  intros U. refine (Rle_trans _ _ _ (abstention_descent K d s c X eta T x y price W ystar made Hadm Hplay U) _).
  apply Rplus_le_compat_l, Rmult_le_compat_r; [apply norm2_nonneg|exact Hregret].
Qed.
