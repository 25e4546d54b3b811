(** The best decoder: from what the labels need in single rounds to the whole guarantee. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly DecoderDefinitions Decoders.
Import ListNotations.
Open Scope R_scope.

Lemma wrong_draws K p y : (y < K)%nat -> is_distribution K p ->
  sum K (fun draw => p draw * (if Nat.eqb draw y then 0 else 1)) = 1 - p y.
Proof.
  intros Hy [_ Hone]. rewrite (sum_split K p y Hy) in Hone.
  rewrite (sum_ext K _ (without y p)); [lra|]. intros k _. unfold without. destruct (Nat.eqb k y); ring.
Qed.

Section Descent.
  Variables (K rows d : nat) (l : vector -> nat -> matrix -> R) (eta : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat) (W : history -> matrix) (p : history -> nat -> R).
  Hypothesis eta_positive : 0 < eta.
  Hypothesis playing : decoder_plays K rows d l eta T x y W p.
  Hypothesis labels : forall h, takes_place K T h -> (y h < K)%nat.
  Variable U : matrix.

  Let potential h := norm2 rows d (fun k i => W h k i - U k i) / (2 * eta).
  Let account h := mistakes y h - total (fun h => l (x h) (y h) U) h + potential h.

  Lemma decoder_account_falls h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
  Proof using eta_positive playing labels.
    intros Hh. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as ([Hdist Hsuits] & G & HG & Hstep).
    assert (Hy := labels h Hh). specialize (Hsuits (y h) G Hy HG). specialize (HG U).
    set (lW := l (x h) (y h) (W h)) in *. set (lU := l (x h) (y h) U) in *. set (I := inner rows d G _) in HG.
    set (G2 := norm2 rows d G) in *. set (c := account h - lW + eta / 2 * G2).
    apply Rle_trans with (sum K (fun draw => c * p h draw + p h draw * (if Nat.eqb draw (y h) then 0 else 1))).
    - apply sum_le. intros draw Hdraw. destruct Hdist as [Hpos _]. specialize (Hpos draw Hdraw).
      replace (c * p h draw + p h draw * (if Nat.eqb draw (y h) then 0 else 1))
        with (p h draw * (c + (if Nat.eqb draw (y h) then 0 else 1))) by ring.
      apply Rmult_le_compat_l; [exact Hpos|]. unfold c, account. cbn [mistakes total]. fold lU.
      assert (Hpotential : potential (draw :: h) = potential h + I + eta / 2 * G2); [|lra].
      unfold potential, norm2 at 1. rewrite (inner_ext rows d _ (fun k i => W h k i - eta * G k i - U k i)
        _ (fun k i => W h k i - eta * G k i - U k i)) by (intros; now rewrite Hstep).
      fold (norm2 rows d (fun k i => W h k i - eta * G k i - U k i)). rewrite norm2_step. fold I G2. field. lra.
    - rewrite sum_plus, sum_scale, wrong_draws by assumption. destruct Hdist as [_ ->]. unfold c. lra.
  Qed.

  Theorem decoder_descent :
    expectation K p T (mistakes y) [] <=
    expectation K p T (total (fun h => l (x h) (y h) U)) [] + norm2 rows d U / (2 * eta).
  Proof using eta_positive playing labels.
    assert (H : expectation K p T (fun h => mistakes y h - total (fun h => l (x h) (y h) U) h) [] <= account []).
    { apply expectation_telescopes with (T := T); auto using decoder_account_falls.
      - intros h Hh. destruct playing as [_ Hplay]. now destruct (Hplay h Hh) as [[Hdist _] _].
      - intros h _ _. assert (0 <= potential h); [|unfold account; lra].
        apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra. }
    rewrite expectation_minus in H.
    assert (Hstart : account [] = norm2 rows d U / (2 * eta)).
    { destruct playing as [Hzero _]. unfold account, potential. cbn [mistakes total].
      replace (norm2 rows d (fun k i => W [] k i - U k i)) with (norm2 rows d U); [ring|].
      apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite Hzero. ring. }
    lra.
  Qed.
End Descent.

Section DecoderTheorem.
  Variables (K rows d : nat) (l : vector -> nat -> matrix -> R) (X eta regret : R) (need : matrix -> vector -> nat -> R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis eta_positive : 0 < eta.
  Hypothesis regret_enough : 1 / (2 * eta) <= regret.
  Hypothesis nonnegative : forall x y V, (y < K)%nat -> 0 <= l x y V.
  Variable choose : forall x y V, (y < K)%nat -> {G | matrix_subgradient rows d (l x y) V G}.
  Hypothesis needed : forall W x y G, (y < K)%nat -> dot d x x <= X ^ 2 -> matrix_subgradient rows d (l x y) W G ->
    1 - l x y W + eta / 2 * norm2 rows d G <= need W x y.
  Hypothesis enough : forall W x, dot d x x <= X ^ 2 -> sum K (fun y => Rmax 0 (need W x y)) <= 1.

  Lemma topped_up_decodes W x : dot d x x <= X ^ 2 -> suits K rows d l eta W x (topped_up K (need W x)).
  Proof using classes needed enough.
    intros Hx. destruct (topped_up_suits K (need W x) ltac:(lia) (enough W x Hx)) as [Hdist Hneed].
    split; [exact Hdist|]. intros y G Hy HG. specialize (Hneed y Hy). specialize (needed W x y G Hy Hx HG). lra.
  Qed.

  Definition descended (W : matrix) (x : vector) (y : nat) : matrix :=
    match lt_dec y K with
    | left Hy => fun k i => W k i - eta * proj1_sig (choose x y W Hy) k i
    | right _ => W
    end.

  Fixpoint decoder_weights (x : history -> vector) (y : history -> nat) (h : history) : matrix :=
    match h with
    | [] => fun _ _ => 0
    | _ :: h => descended (decoder_weights x y h) (x h) (y h)
    end.

  Theorem decoder_theorem : decoder_guarantee K rows d l X eta regret.
  Proof using classes eta_positive regret_enough nonnegative choose needed enough.
    split; [|split].
    - intros x y Hy. split; [|intros; now apply nonnegative]. apply convex_from_subgradients with (rows := rows) (d := d).
      intros V. destruct (choose x y V Hy) as [G HG]. now exists G.
    - intros W x Hx. eexists. now apply topped_up_decodes.
    - intros T x y Hadm. split.
      + exists (decoder_weights x y), (fun h => topped_up K (need (decoder_weights x y h) (x h))).
        split; [reflexivity|]. intros h Hh. destruct (Hadm h Hh) as [Hy Hx]. split; [now apply topped_up_decodes|].
        cbn [decoder_weights]. unfold descended. destruct (lt_dec (y h) K) as [Hlt|Hlt]; [|contradiction].
        eexists. split; [exact (proj2_sig (choose _ _ _ Hlt))|]. reflexivity.
      + intros W p Hplay U. assert (Hlabels : forall h, takes_place K T h -> (y h < K)%nat) by (intros h Hh; now apply Hadm).
        assert (H := decoder_descent K rows d l eta T x y W p eta_positive Hplay Hlabels U).
        assert (HU := Rmult_le_compat_r _ _ _ (norm2_nonneg rows d U) regret_enough).
        replace (1 / (2 * eta) * norm2 rows d U) with (norm2 rows d U / (2 * eta)) in HU by (field; lra). lra.
  Qed.
End DecoderTheorem.
