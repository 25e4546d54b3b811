(** The best decoder: from what the labels need in single rounds to the whole guarantee. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Assembly Margins DecoderDefinitions.
From Gaptron Require Import SwitchedDecoderDefinitions Decoders.
Import ListNotations.
Open Scope R_scope.

Lemma wrong_draws K p y : (y < K)%nat -> is_distribution K p ->
  sum K (fun draw => p draw * (if Nat.eqb draw y then 0 else 1)) = 1 - p y.
Proof.
  intros Hy [_ Hone]. rewrite (sum_split K p y Hy) in Hone.
  rewrite (sum_ext K _ (without y p)); [lra|]. intros k _. unfold without. destruct (Nat.eqb k y); ring.
Qed.

Section Descent.
  Variables (K rows d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) (eta : R) (T : nat).
  Variables (x : history -> vector) (y : history -> nat) (W : history -> matrix) (ystar : history -> nat).
  Variable p : history -> nat -> R.
  Hypothesis eta_positive : 0 < eta.
  Hypothesis playing : switched_decoder_plays K rows d l beta eta T x y W ystar p.
  Hypothesis labels : forall h, takes_place K T h -> (y h < K)%nat.
  Variable U : matrix.

  Let losses h := switched K d l beta (W h) (ystar h) (x h) (y h) U.
  Let potential h := norm2 rows d (fun k i => W h k i - U k i) / (2 * eta).
  Let account h := mistakes y h - total losses h + potential h.

  Lemma decoder_account_falls h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
  Proof using eta_positive playing labels.
    intros Hh. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as (_ & [Hdist Hsuits] & G & HG & Hstep).
    assert (Hy := labels h Hh). specialize (Hsuits (y h) G Hy HG). specialize (HG U). fold (losses h) in HG.
    set (lW := switched _ _ _ _ _ _ _ _ _) in *. set (I := inner rows d G _) in HG.
    set (G2 := norm2 rows d G) in *. set (c := account h - lW + eta / 2 * G2).
    apply Rle_trans with (sum K (fun draw => c * p h draw + p h draw * (if Nat.eqb draw (y h) then 0 else 1))).
    - apply sum_le. intros draw Hdraw. destruct Hdist as [Hpos _]. specialize (Hpos draw Hdraw).
      replace (c * p h draw + p h draw * (if Nat.eqb draw (y h) then 0 else 1))
        with (p h draw * (c + (if Nat.eqb draw (y h) then 0 else 1))) by ring.
      apply Rmult_le_compat_l; [exact Hpos|]. unfold c, account. cbn [mistakes total].
      assert (Hpotential : potential (draw :: h) = potential h + I + eta / 2 * G2); [|lra].
      unfold potential, norm2 at 1. rewrite (inner_ext rows d _ (fun k i => W h k i - eta * G k i - U k i)
        _ (fun k i => W h k i - eta * G k i - U k i)) by (intros; now rewrite Hstep).
      fold (norm2 rows d (fun k i => W h k i - eta * G k i - U k i)). rewrite norm2_step. fold I G2. field. lra.
    - rewrite sum_plus, sum_scale, wrong_draws by assumption. destruct Hdist as [_ ->]. unfold c. lra.
  Qed.

  Theorem decoder_descent :
    expectation K p T (mistakes y) [] <= expectation K p T (total losses) [] + norm2 rows d U / (2 * eta).
  Proof using eta_positive playing labels.
    assert (H : expectation K p T (fun h => mistakes y h - total losses h) [] <= account []).
    { apply expectation_telescopes with (T := T); auto using decoder_account_falls.
      - intros h Hh. destruct playing as [_ Hplay]. now destruct (Hplay h Hh) as (_ & [Hdist _] & _).
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

Section SwitchedDecoder.
  Variables (K rows d : nat) (l : vector -> nat -> matrix -> R) (beta : option R) (X eta regret : R).
  Variable need : matrix -> nat -> vector -> nat -> R.
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis eta_positive : 0 < eta.
  Hypothesis regret_enough : 1 / (2 * eta) <= regret.
  Hypothesis nonnegative : forall x y V, (y < K)%nat -> 0 <= l x y V.
  Variable choose : forall x y V, (y < K)%nat -> {G | matrix_subgradient rows d (l x y) V G}.
  Let losses := switched K d l beta.
  Hypothesis needed : forall W ystar x y G, (y < K)%nat -> dot d x x <= X ^ 2 -> is_top K (scores d W x) ystar ->
    matrix_subgradient rows d (losses W ystar x y) W G ->
    1 - losses W ystar x y W + eta / 2 * norm2 rows d G <= need W ystar x y.
  Hypothesis enough : forall W ystar x, dot d x x <= X ^ 2 -> is_top K (scores d W x) ystar ->
    sum K (fun y => Rmax 0 (need W ystar x y)) <= 1.

  Lemma topped_up_decodes W ystar x : dot d x x <= X ^ 2 -> is_top K (scores d W x) ystar ->
    suits K rows d (losses W ystar) eta W x (topped_up K (need W ystar x)).
  Proof using classes needed enough.
    intros Hx Htop. destruct (topped_up_suits K (need W ystar x) ltac:(lia) (enough W ystar x Hx Htop)) as [Hdist Hneed].
    split; [exact Hdist|]. intros y G Hy HG. specialize (Hneed y Hy). specialize (needed W ystar x y G Hy Hx Htop HG). lra.
  Qed.

  Lemma switched_gradient W ystar x y V : (y < K)%nat -> {G | matrix_subgradient rows d (losses W ystar x y) V G}.
  Proof using choose.
    intros Hy. unfold losses, switched. destruct (off _ _ _ _); [|now apply choose].
    exists (fun _ _ => 0). intros V'. unfold inner. rewrite (sum_zero rows); [lra|].
    intros. apply sum_zero. intros. ring.
  Qed.

  Definition first_top_of (W : matrix) (x : vector) : nat := proj1_sig (some_top K (scores d W x) classes).

  Definition descended (W : matrix) (x : vector) (y : nat) : matrix :=
    match lt_dec y K with
    | left Hy => fun k i => W k i - eta * proj1_sig (switched_gradient W (first_top_of W x) x y W Hy) k i
    | right _ => W
    end.

  Fixpoint decoder_weights (x : history -> vector) (y : history -> nat) (h : history) : matrix :=
    match h with
    | [] => fun _ _ => 0
    | _ :: h => descended (decoder_weights x y h) (x h) (y h)
    end.

  Lemma switched_decoder_exists T x y : admissible K d X T x y ->
    exists W ystar p, switched_decoder_plays K rows d l beta eta T x y W ystar p.
  Proof using classes needed enough choose.
    intros Hadm. set (W := decoder_weights x y). set (top := fun h => first_top_of (W h) (x h)).
    exists W, top, (fun h => topped_up K (need (W h) (top h) (x h))). split; [reflexivity|].
    intros h Hh. destruct (Hadm h Hh) as [Hy Hx].
    assert (Htop : is_top K (scores d (W h) (x h)) (top h)) by exact (proj2_sig (some_top _ _ _)).
    split; [exact Htop|]. split; [now apply topped_up_decodes|].
    unfold W. cbn [decoder_weights]. fold W. unfold descended. destruct (lt_dec (y h) K) as [Hlt|Hlt]; [|contradiction].
    eexists. split; [exact (proj2_sig (switched_gradient _ _ _ _ _ Hlt))|]. reflexivity.
  Qed.

  Theorem switched_decoder_theorem : switched_decoder_guarantee K rows d l beta X eta regret.
  Proof using classes eta_positive regret_enough nonnegative choose needed enough.
    split; [|split].
    - intros W ystar x y Hy. split.
      + apply convex_from_subgradients with (rows := rows) (d := d). intros V.
        destruct (switched_gradient W ystar x y V Hy) as [G HG]. now exists G.
      + intros V. unfold switched. destruct (off _ _ _ _); [lra|now apply nonnegative].
    - intros W x ystar Hx Htop. eexists. now apply topped_up_decodes.
    - intros T x y Hadm. split; [now apply switched_decoder_exists|].
      intros W ystar p Hplay U. assert (Hlabels : forall h, takes_place K T h -> (y h < K)%nat) by (intros h Hh; now apply Hadm).
      assert (H := decoder_descent K rows d l beta eta T x y W ystar p eta_positive Hplay Hlabels U).
      assert (HU := Rmult_le_compat_r _ _ _ (norm2_nonneg rows d U) regret_enough).
      replace (1 / (2 * eta) * norm2 rows d U) with (norm2 rows d U / (2 * eta)) in HU by (field; lra). lra.
  Qed.
End SwitchedDecoder.

(** No round is off. *)
Lemma never_off K rows d l X eta regret : (2 <= K)%nat ->
  switched_decoder_guarantee K rows d l None X eta regret -> decoder_guarantee K rows d l X eta regret.
Proof.
  intros HK (Hloss & Hdecodes & Hplays). set (top := fun W x => proj1_sig (some_top K (scores d W x) HK)).
  assert (Htop : forall W x, is_top K (scores d W x) (top W x)) by (intros; exact (proj2_sig (some_top _ _ _))).
  split; [|split].
  - exact (Hloss (fun _ _ => 0) 0%nat).
  - intros W x Hx. exact (Hdecodes W x (top W x) Hx (Htop W x)).
  - intros T x y Hadm. destruct (Hplays T x y Hadm) as [(W & ystar & p & Hzero & Hplay) Hbound]. split.
    + exists W, p. split; [exact Hzero|]. intros h Hh. exact (proj2 (Hplay h Hh)).
    + intros W' p' [Hzero' Hplay'] U. apply (Hbound W' (fun h => top (W' h) (x h)) p').
      split; [exact Hzero'|]. intros h Hh. split; [apply Htop|exact (Hplay' h Hh)].
Qed.

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

  Theorem decoder_theorem : decoder_guarantee K rows d l X eta regret.
  Proof using classes eta_positive regret_enough nonnegative choose needed enough.
    apply never_off; [exact classes|]. apply switched_decoder_theorem with (need := fun W _ x y => need W x y); auto.
  Qed.
End DecoderTheorem.
