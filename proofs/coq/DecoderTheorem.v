(** The best decoder: from what the labels need in single rounds to the whole guarantee. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Assembly Margins DecoderDefinitions.
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

  Theorem decoder_descent regret : 1 / (2 * eta) <= regret ->
    expectation K p T (mistakes y) [] <=
    expectation K p T (total (fun h => switched K d l beta (W h) (ystar h) (x h) (y h) U)) [] + regret * norm2 rows d U.
  Proof using eta_positive playing labels.
    intros Hregret. rewrite (expectation_ext K p _ _ (mistakes_weighted y)). rewrite <- (Rmult_1_l (expectation _ _ _ (total _) _)).
    apply (full_descent K T 1 p) with (W := W) (eta := eta)
      (l := fun h => switched K d l beta (W h) (ystar h) (x h) (y h)); [|assumption|lra|assumption|apply playing|].
    - intros h Hh. now destruct (proj2 playing h Hh) as (_ & [Hdist _] & _).
    - intros h Hh. destruct (proj2 playing h Hh) as (_ & [Hdist Hsuits] & G & HG & Hstep). assert (Hy := labels h Hh).
      exists G. split; [exact HG|]. split; [intros draw k i; apply Hstep|].
      rewrite wrong_draws by assumption. specialize (Hsuits (y h) G Hy HG). lra.
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
      now apply (decoder_descent K rows d l beta eta T x y W ystar p eta_positive Hplay Hlabels U regret).
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
