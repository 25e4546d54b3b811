(** Inner products of vectors and matrices, and what one step of gradient descent does to a distance. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Sums.
Open Scope R_scope.

Lemma dot_ext d u u' v v' :
  (forall i, (i < d)%nat -> u i = u' i) -> (forall i, (i < d)%nat -> v i = v' i) -> dot d u v = dot d u' v'.
Proof. intros Hu Hv. apply sum_ext. intros i Hi. now rewrite Hu, Hv. Qed.

Lemma dot_square_nonneg d u : 0 <= dot d u u.
Proof. apply sum_nonneg. intros. nra. Qed.

Lemma dot_zero d u v : dot d u u = 0 -> dot d u v = 0.
Proof.
  intros H. apply sum_zero. intros i Hi.
  assert (u i * u i <= 0); [|nra].
  rewrite <- H. apply (term_le_sum d (fun i => u i * u i)); [exact Hi|]. intros. nra.
Qed.

Lemma dot_plus n u v w : dot n u (fun i => v i + w i) = dot n u v + dot n u w.
Proof. unfold dot. rewrite <- sum_plus. apply sum_ext. intros. ring. Qed.

Lemma dot_scale n u c v : dot n u (fun i => c * v i) = c * dot n u v.
Proof. unfold dot. rewrite <- sum_scale. apply sum_ext. intros. ring. Qed.

Lemma dot_minus n u v w : dot n u (fun i => v i - w i) = dot n u v - dot n u w.
Proof. unfold dot. rewrite <- sum_minus. apply sum_ext. intros. ring. Qed.

Lemma dot_comm n u v : dot n u v = dot n v u.
Proof. apply sum_ext. intros. ring. Qed.

(** The row [W^k] moved by [c] along [x]. *)
Lemma dot_move d u x c v : dot d (fun i => u i + c * x i) v = dot d u v + c * dot d x v.
Proof. unfold dot. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros. ring. Qed.

Lemma dot_project d u g x c v :
  dot d (fun i => u i + (g i - c * x i)) v = dot d u v + (dot d g v - c * dot d x v).
Proof. unfold dot. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring. Qed.

Lemma inner_ext rows d A A' B B' :
  (forall k i, A k i = A' k i) -> (forall k i, B k i = B' k i) -> inner rows d A B = inner rows d A' B'.
Proof. intros HA HB. apply sum_ext. intros. now apply dot_ext. Qed.

Lemma norm2_nonneg rows d W : 0 <= norm2 rows d W.
Proof. apply sum_nonneg. intros. apply dot_square_nonneg. Qed.

(** ||(W - eta G) - U||^2 = ||W - U||^2 - 2 eta <G, W - U> + eta^2 ||G||^2, with <G, U - W> in its place. *)
Lemma norm2_step rows d W U G eta :
  norm2 rows d (fun k i => W k i - eta * G k i - U k i) =
  norm2 rows d (fun k i => W k i - U k i) + 2 * eta * inner rows d G (fun k i => U k i - W k i)
  + eta ^ 2 * norm2 rows d G.
Proof.
  unfold norm2, inner, dot. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros k _.
  rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros. ring.
Qed.

Lemma inner_scale rows d c A B : inner rows d A (fun k i => c * B k i) = c * inner rows d A B.
Proof.
  unfold inner, dot. rewrite <- sum_scale. apply sum_ext. intros k _.
  rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.
