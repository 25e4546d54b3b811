(** Vectors of every dimension: Cauchy-Schwarz, positive definite matrices and their rank-one updates, projections.

    An inverse is given by what it does: [inverse n A B] says that A B v = v. Equations between vectors are those of
    their first [n] entries. *)

From Coq Require Import Reals Lra Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices OptimalSums Projection.
Open Scope R_scope.

Definition minus (u v : vector) : vector := fun i => u i - v i.
Definition same (n : nat) (u v : vector) : Prop := forall i, (i < n)%nat -> u i = v i.

(** * Inner products *)

Lemma dot_plus_left n u v w : dot n (fun i => u i + v i) w = dot n u w + dot n v w.
Proof. rewrite !(dot_comm n _ w). apply dot_plus. Qed.

Lemma dot_scale_left n c u w : dot n (fun i => c * u i) w = c * dot n u w.
Proof. rewrite !(dot_comm n _ w). apply dot_scale. Qed.

Lemma dot_same n u u' v v' : same n u u' -> same n v v' -> dot n u v = dot n u' v'.
Proof. intros Hu Hv. now apply dot_ext. Qed.

Theorem norm_of_a_multiple n g c z : same n g (fun i => c * z i) -> dot n g g = c ^ 2 * dot n z z.
Proof. intros Hg. unfold dot. rewrite <- sum_scale. apply sum_ext. intros i Hi. rewrite (Hg i Hi). ring. Qed.

Theorem square_of_a_sum n v x g : same n v (fun i => x i + g i) ->
  dot n v v = dot n x x + 2 * dot n x g + dot n g g.
Proof.
  intros Hv. unfold dot. rewrite <- sum_scale, <- !sum_plus. apply sum_ext. intros i Hi. rewrite (Hv i Hi). ring.
Qed.

(** A quadratic that is never negative. *)
Lemma discriminant a b c : (forall t, 0 <= a + 2 * t * b + t ^ 2 * c) -> 0 <= c -> b ^ 2 <= a * c.
Proof.
  intros H [Hc|<-].
  - specialize (H (- b / c)).
    replace (a + 2 * (- b / c) * b + (- b / c) ^ 2 * c) with (a - b ^ 2 / c) in H by (field; lra).
    apply Rmult_le_compat_r with (r := c) in H; [|lra].
    replace ((a - b ^ 2 / c) * c) with (a * c - b ^ 2) in H by (field; lra). lra.
  - destruct (Req_dec b 0) as [->|Hb]; [lra|]. specialize (H (- (a + 1) / (2 * b))).
    replace (a + 2 * (- (a + 1) / (2 * b)) * b + (- (a + 1) / (2 * b)) ^ 2 * 0) with (- (1)) in H by (field; lra).
    lra.
Qed.

Theorem cauchy_schwarz n u v : dot n u v ^ 2 <= dot n u u * dot n v v.
Proof.
  apply discriminant; [|apply dot_square_nonneg]. intros t.
  replace (dot n u u + 2 * t * dot n u v + t ^ 2 * dot n v v)
    with (dot n (fun i => u i + t * v i) (fun i => u i + t * v i)).
  - apply dot_square_nonneg.
  - rewrite (square_of_a_sum n (fun i => u i + t * v i) u (fun i => t * v i)) by easy.
    rewrite (norm_of_a_multiple n (fun i => t * v i) t v) by easy.
    rewrite (dot_comm n u (fun i => t * v i)), dot_scale_left, (dot_comm n v u). ring.
Qed.

(** * Matrices *)

Definition apply_to (n : nat) (A : matrix) (v : vector) : vector := fun i => dot n (A i) v.

Definition positive_definite (n : nat) (A : matrix) : Prop :=
  (forall u v, dot n u (apply_to n A v) = dot n v (apply_to n A u)) /\
  forall v, ~ same n v (fun _ => 0) -> 0 < dot n v (apply_to n A v).

Definition inverse (n : nat) (A B : matrix) : Prop := forall v, same n (apply_to n A (apply_to n B v)) v.

Definition rank_one_update (n : nat) (A : matrix) (z : vector) (B : matrix) : Prop :=
  forall i j, (i < n)%nat -> (j < n)%nat -> B i j = A i j + z i * z j.

Definition trace (n : nat) (A : matrix) : R := sum n (fun i => A i i).

(** Both can be met: by the identity. *)
Definition identity : matrix := fun i j => if Nat.eqb j i then 1 else 0.

Lemma identity_is_its_inverse n : positive_definite n identity /\ inverse n identity identity.
Proof.
  assert (Hsame : forall v, same n (apply_to n identity v) v).
  { intros v i Hi. unfold apply_to, identity. rewrite dot_comm. unfold dot. rewrite sum_at by assumption. ring. }
  assert (Hdot : forall u v, dot n u (apply_to n identity v) = dot n u v) by (intros; now apply dot_same).
  split; [split|].
  - intros u v. rewrite !Hdot. apply dot_comm.
  - intros v Hv. rewrite Hdot. destruct (dot_square_nonneg n v) as [Hpos|Hz]; [assumption|]. elim Hv. intros i Hi.
    assert (H := term_le_sum n (fun i => v i * v i) i Hi ltac:(intros; nra)). unfold dot in Hz. cbv beta in H. nra.
  - intros v i Hi. rewrite (Hsame _ i Hi). now apply Hsame.
Qed.

Lemma definite_nonneg n A v : positive_definite n A -> 0 <= dot n v (apply_to n A v).
Proof.
  intros [_ Hpos]. destruct (Req_dec (dot n v v) 0) as [Hz|Hne].
  - right. symmetry. now apply dot_zero.
  - left. apply Hpos. intros Hzero. apply Hne. apply sum_zero. intros i Hi. rewrite (Hzero i Hi). ring.
Qed.

Lemma apply_to_update n A z B v i : rank_one_update n A z B -> (i < n)%nat ->
  apply_to n B v i = apply_to n A v i + z i * dot n z v.
Proof.
  intros HB Hi. unfold apply_to, dot. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros j Hj.
  rewrite (HB i j Hi Hj). ring.
Qed.

Lemma update_form n A z B u v : rank_one_update n A z B ->
  dot n u (apply_to n B v) = dot n u (apply_to n A v) + dot n u z * dot n z v.
Proof.
  intros HB. rewrite (dot_same n u u (apply_to n B v) (fun i => apply_to n A v i + dot n z v * z i));
    [|easy|intros i Hi; rewrite (apply_to_update n A z B v i HB Hi); ring].
  rewrite dot_comm, dot_plus_left, dot_scale_left, (dot_comm n _ u), (dot_comm n z u). ring.
Qed.

Theorem trace_of_an_update n A z B : rank_one_update n A z B -> trace n B = trace n A + dot n z z.
Proof. intros HB. unfold trace, dot. rewrite <- sum_plus. apply sum_ext. intros i Hi. now apply HB. Qed.

(** * Convex sets *)

Definition convex_points (inside : vector -> Prop) : Prop :=
  forall u v t, inside u -> inside v -> 0 <= t <= 1 -> inside (fun i => t * u i + (1 - t) * v i).

Theorem projection n (inside : vector -> Prop) v p u : convex_points inside -> inside p ->
  (forall q, inside q -> dot n (minus v p) (minus v p) <= dot n (minus v q) (minus v q)) -> inside u ->
  dot n (minus p u) (minus p u) <= dot n (minus v u) (minus v u).
Proof.
  intros Hconvex Hp Hnear Hu.
  assert (H := nearest_nearer 1 n (fun M => inside (M 0%nat)) (fun _ => v) (fun _ => p) (fun _ => u)).
  unfold norm2, inner in H. cbn [sum] in H. unfold minus in *. rewrite !Rplus_0_l in H. apply H.
  - intros t Ht. specialize (Hconvex u p t Hu Hp Ht).
    replace (fun i => p i + t * (u i - p i)) with (fun i => t * u i + (1 - t) * p i); [assumption|].
    apply functional_extensionality. intros. ring.
  - split; [exact Hp|]. intros U HU. unfold norm2, inner. cbn [sum]. rewrite !Rplus_0_l. exact (Hnear _ HU).
Qed.
