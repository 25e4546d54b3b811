(** The best decoder: from what the labels need in single rounds to the whole guarantee. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums Matrices GameTheorem Margins DecoderDefinitions Decoders.
Open Scope R_scope.

Lemma wrong_draws K p y : (y < K)%nat -> is_distribution K p ->
  sum K (fun draw => p draw * wrong 0 y draw) = 1 - p y.
Proof.
  intros Hy [_ Hone]. rewrite (sum_split K p y Hy) in Hone.
  rewrite (sum_ext K _ (without y p)); [lra|]. intros k _. unfold without, wrong. destruct (Nat.eqb k y); ring.
Qed.

(** A prediction that suits pays for its round. *)
Lemma suits_pays K rows d l eta W x p y G : suits K rows d l eta W x p -> (y < K)%nat ->
  matrix_subgradient rows d (l x y) W G ->
  sum K (fun draw => p draw * wrong 0 y draw) - l x y W + eta / 2 * norm2 rows d G <= 0.
Proof. intros [Hp Hsuits] Hy HG. rewrite wrong_draws by assumption. specialize (Hsuits y G Hy HG). lra. Qed.

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

  Theorem switched_decoder_theorem : guarantee (decoding_switched K rows d l beta) X eta (linear regret).
  Proof using classes eta_positive regret_enough nonnegative choose needed enough.
    apply told_guarantee; auto.
    - exact (fun _ => I).
    - intros W x [ystar p] y V Hy. cbn. unfold switched. destruct (off _ _ _ _); [lra|now apply nonnegative].
    - intros W x [ystar p] y V Hy. cbn. unfold switched. destruct (off _ _ _ _); [|now apply choose].
      exists (fun _ _ => 0). intros V'. unfold inner. rewrite (sum_zero rows); [lra|].
      intros. apply sum_zero. intros. ring.
    - intros W x Hx. destruct (some_top K (scores d W x) classes) as [ystar Htop].
      exists (ystar, fun k => topped_up K (need W k x)). split; [exact Htop|]. intros k Hk. now apply topped_up_decodes.
    - intros W x [ystar p] [Htop Hsuits]. exact (proj1 (Hsuits ystar Htop)).
    - intros W x [ystar p] y c G [Htop Hsuits] Hy _ _ HG.
      exact (suits_pays K rows d (losses W ystar) eta W x (p ystar) y G (Hsuits ystar Htop) Hy HG).
  Qed.
End SwitchedDecoder.

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

  Theorem decoder_theorem : guarantee (decoding K rows d l) X eta (linear regret).
  Proof using classes eta_positive regret_enough nonnegative choose needed enough.
    apply told_guarantee; auto.
    - exact (fun _ => I).
    - exact (fun _ x _ => nonnegative x).
    - exact (fun _ x _ => choose x).
    - intros W x Hx. exists (topped_up K (need W x)).
      destruct (topped_up_suits K (need W x) ltac:(lia) (enough W x Hx)) as [Hdist Hneed].
      split; [exact Hdist|]. intros y G Hy HG. specialize (Hneed y Hy). specialize (needed W x y G Hy Hx HG). lra.
    - intros W x p Hp. exact (proj1 Hp).
    - intros W x p y c G Hsuits Hy _ _ HG. exact (suits_pays _ _ _ _ _ _ _ _ _ _ Hsuits Hy HG).
  Qed.
End DecoderTheorem.
