(** Losses that depend on the weights through the scores W x: their subgradients in W, and how large these are.

    No chain rule is assumed: a subgradient of V |-> F(V x) is tried in the directions that change nothing but W x. *)

From Coq Require Import Reals Lra Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices.
Open Scope R_scope.

(** [v] is a subgradient of [F], a function of [K] scores, at [theta]. *)
Definition score_subgradient (K : nat) (F : vector -> R) (theta v : vector) : Prop :=
  forall theta', F theta + sum K (fun k => v k * (theta' k - theta k)) <= F theta'.

(** Scores of which one is moved. *)
Definition moved (theta : vector) (j : nat) (c : R) : vector := fun k => theta k + if Nat.eqb k j then c else 0.

Lemma sum_moved K theta v j c : (j < K)%nat -> sum K (fun k => v k * (moved theta j c k - theta k)) = v j * c.
Proof.
  intros Hj. rewrite (sum_ext K _ (fun k => if Nat.eqb k j then v j * c else 0)); [now apply sum_pick|].
  intros k _. unfold moved. destruct (Nat.eqb_spec k j) as [->|_]; ring.
Qed.

(** The matrix with rows v_k x. *)
Definition outer (v x : vector) : matrix := fun k i => v k * x i.

Lemma scores_move d W x v : scores d (fun k i => W k i + v k * x i) x = fun k => scores d W x k + v k * dot d x x.
Proof. apply functional_extensionality. intros k. unfold scores. apply dot_move. Qed.

Lemma inner_outer rows d G v x : inner rows d G (outer v x) = sum rows (fun k => v k * dot d (G k) x).
Proof.
  apply sum_ext. intros k _. unfold dot, outer. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

(** A subgradient in the scores gives one in the weights: the outer product with x. *)
Lemma outer_subgradient K d F W x v :
  score_subgradient K F (scores d W x) v -> matrix_subgradient K d (fun V => F (scores d V x)) W (outer v x).
Proof.
  intros Hv V. refine (Rle_trans _ _ _ _ (Hv (scores d V x))). apply Req_le. f_equal.
  apply sum_ext. intros k _. unfold scores, dot, outer.
  rewrite <- sum_minus, <- sum_scale. apply sum_ext. intros. ring.
Qed.

(** Conversely every subgradient in the weights is at most as large as one in the scores, times ||x||. *)
Theorem subgradient_in_scores K d F W x G :
  matrix_subgradient K d (fun V => F (scores d V x)) W G ->
  exists v, norm2 K d G <= sum K (fun k => v k ^ 2) * dot d x x /\
    (dot d x x = 0 \/ score_subgradient K F (scores d W x) v).
Proof.
  intros HG. set (N := dot d x x). destruct (Req_dec N 0) as [HN|HN].
  - exists (fun _ => 0). split; [|now left].
    pose proof (HG (fun k i => W k i + G k i)) as H.
    rewrite (inner_ext _ _ G G _ G) in H by (intros; ring || reflexivity). fold (norm2 K d G) in H.
    assert (Hsame : scores d (fun k i => W k i + G k i) x = scores d W x).
    { apply functional_extensionality. intros k. unfold scores, dot.
      rewrite (sum_ext d _ (fun i => W k i * x i + x i * G k i)) by (intros; ring). rewrite sum_plus.
      fold (dot d x (G k)). rewrite (dot_zero d x (G k) HN). ring. }
    rewrite Hsame in H. rewrite HN. lra.
  - exists (fun k => dot d (G k) x / N). split.
    + pose proof (HG (fun k i => W k i + (G k i - outer (fun k => dot d (G k) x / N) x k i))) as H.
      rewrite (inner_ext _ _ G G _ (fun k i => G k i - outer (fun k => dot d (G k) x / N) x k i)) in H
        by (intros; ring || reflexivity).
      assert (Hsame :
        scores d (fun k i => W k i + (G k i - outer (fun k => dot d (G k) x / N) x k i)) x = scores d W x).
      { apply functional_extensionality. intros k. unfold scores, outer.
        rewrite dot_project. fold N. field. exact HN. }
      rewrite Hsame in H.
      assert (Hsplit : inner K d G (fun k i => G k i - outer (fun k => dot d (G k) x / N) x k i)
        = norm2 K d G - inner K d G (outer (fun k => dot d (G k) x / N) x)).
      { unfold norm2, inner, dot. rewrite <- sum_minus. apply sum_ext. intros k _. rewrite <- sum_minus.
        apply sum_ext. intros. ring. }
      rewrite Hsplit, inner_outer in H.
      rewrite Rmult_comm, <- sum_scale.
      rewrite (sum_ext K (fun k => N * _) (fun k => dot d (G k) x / N * dot d (G k) x)) by (intros; field; exact HN).
      lra.
    + right. intros theta'.
      pose proof (HG (fun k i => W k i + (theta' k - scores d W x k) / N * x i)) as H.
      cbn beta in H. rewrite (scores_move d W x (fun k => (theta' k - scores d W x k) / N)) in H. fold N in H.
      replace (fun k => scores d W x k + (theta' k - scores d W x k) / N * N) with theta' in H
        by (apply functional_extensionality; intros; field; exact HN).
      rewrite (inner_ext _ _ G G _ (outer (fun k => (theta' k - scores d W x k) / N) x)) in H
        by (intros; unfold outer; ring || reflexivity).
      rewrite inner_outer in H.
      refine (Rle_trans _ _ _ (Req_le _ _ _) H). f_equal. apply sum_ext. intros. field. exact HN.
Qed.
