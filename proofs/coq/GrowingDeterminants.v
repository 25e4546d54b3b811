(** The determinant of a matrix that starts as a multiple of the identity and moves by multiples of z z'.

    It is at most (trace / N)^N, by its pivots, tangent by tangent: eigenvalues are not spoken of. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices OptimalSums VectorFacts Determinants.
Open Scope R_scope.

(** * The determinant and the trace *)

Lemma ln_tangent x c : 0 < x -> 0 < c -> ln x <= ln c + (x - c) / c.
Proof.
  intros Hx Hc. assert (Hq : 0 < x / c) by now apply Rdiv_lt_0_compat.
  assert (H := exp_ineq1_le (ln (x / c))). rewrite exp_ln in H by assumption.
  unfold Rdiv in H at 1. rewrite ln_mult, ln_Rinv in H by (auto; now apply Rinv_0_lt_compat).
  replace ((x - c) / c) with (x / c - 1) by (field; lra). lra.
Qed.

Lemma trace_first n A : trace (S n) A = A 0%nat 0%nat + trace n (fun i j => A (S i) (S j)).
Proof. unfold trace. now rewrite sum_first. Qed.

Theorem log_determinant_by_the_trace n A c : positive_definite n A -> 0 < c ->
  0 < determinant n A /\ ln (determinant n A) <= INR n * ln c + (trace n A - INR n * c) / c.
Proof.
  revert A. induction n as [|n IH]; intros A HA Hc.
  - simpl. rewrite ln_1. split; [lra|]. unfold trace. simpl. replace ((0 - 0 * c) / c) with 0 by (field; lra). lra.
  - assert (Hfirst := first_pivot n A HA). destruct (IH (eliminated A) (eliminated_definite n A HA) Hc) as [Hpos Hlog].
    cbn [determinant]. split; [now apply Rmult_lt_0_compat|]. rewrite ln_mult by assumption.
    assert (Htan := ln_tangent _ c Hfirst Hc).
    assert (Htrace : trace n (eliminated A) <= trace (S n) A - A 0%nat 0%nat).
    { rewrite trace_first. unfold trace. apply Rle_trans with (sum n (fun i => A (S i) (S i))); [|lra].
      apply sum_le. intros i Hi. unfold eliminated.
      rewrite (definite_symmetric (S n) A (S i) 0%nat HA) by lia.
      assert (0 <= A 0%nat (S i) * A 0%nat (S i) / A 0%nat 0%nat); [|lra].
      apply Rmult_le_pos; [apply Rle_0_sqr|]. left. now apply Rinv_0_lt_compat. }
    assert (Hdiv := Rmult_le_compat_r (/ c) _ _ ltac:(left; now apply Rinv_0_lt_compat) Htrace).
    rewrite S_INR. unfold Rdiv in *. rewrite !Rmult_minus_distr_r in *. lra.
Qed.

(** * Multiples of the identity, and what they become *)

Definition multiple (a : R) : matrix := fun k l => a * identity k l.

Lemma apply_multiple n a v i : (i < n)%nat -> apply_to n (multiple a) v i = a * v i.
Proof.
  intros Hi. unfold apply_to, dot, multiple, identity.
  rewrite (sum_ext n _ (fun j => v j * (if Nat.eqb j i then a else 0)))
    by (intros j _; destruct (Nat.eqb j i); ring).
  rewrite sum_at by assumption. ring.
Qed.

Lemma multiple_definite n a : 0 < a -> positive_definite n (multiple a).
Proof.
  intros Ha. assert (H : forall u v, dot n u (apply_to n (multiple a) v) = a * dot n u v).
  { intros u v. rewrite <- dot_scale. apply dot_same; [easy|]. intros i Hi. now apply apply_multiple. }
  split.
  - intros u v. now rewrite !H, (dot_comm n u v).
  - intros v Hv. rewrite H. apply Rmult_lt_0_compat; [assumption|].
    assert (Hone := proj2 (proj1 (identity_is_its_inverse n)) v Hv).
    assert (Hid : dot n v (apply_to n identity v) = dot n v v); [|lra]. apply dot_same; [easy|]. intros i Hi.
    rewrite <- (Rmult_1_l (v i)), <- (apply_multiple n 1 v i Hi). apply sum_ext. intros j _. unfold multiple. ring.
Qed.

Lemma determinant_of_a_multiple n a : 0 < a -> determinant n (multiple a) = a ^ n.
Proof.
  intros Ha. induction n as [|n IH]; [reflexivity|]. cbn [determinant pow].
  rewrite (determinant_ext n _ (multiple a)), IH.
  - unfold multiple, identity. simpl. ring.
  - intros i j _ _. unfold eliminated, multiple, identity. simpl. field. lra.
Qed.

Lemma trace_of_a_multiple n a : trace n (multiple a) = INR n * a.
Proof.
  unfold trace. rewrite <- sum_const. apply sum_ext. intros i _. unfold multiple, identity. rewrite Nat.eqb_refl. ring.
Qed.

Fixpoint after (t : nat) (A : matrix) (w : nat -> R) (z : nat -> vector) : matrix :=
  match t with
  | O => A
  | S t => fun k l => after t A w z k l + w t * (z t k * z t l)
  end.

Lemma apply_after n t A w z x i : apply_to n (after t A w z) x i =
  apply_to n A x i + sum t (fun j => w j * dot n (z j) x * z j i).
Proof.
  induction t as [|t IH]; cbn [after sum]; [ring|].
  replace (apply_to n (fun k l => after t A w z k l + w t * (z t k * z t l)) x i)
    with (apply_to n (after t A w z) x i + w t * dot n (z t) x * z t i).
  - rewrite IH. ring.
  - unfold apply_to, dot. rewrite (Rmult_comm (w t * _)), <- !Rmult_assoc, <- sum_scale, <- sum_plus.
    apply sum_ext. intros. ring.
Qed.

Lemma dot_after n t A w z y x : dot n y (apply_to n (after t A w z) x) =
  dot n y (apply_to n A x) + sum t (fun j => w j * dot n (z j) x * dot n y (z j)).
Proof.
  rewrite (dot_same n y y _ (fun i => apply_to n A x i + sum t (fun j => w j * dot n (z j) x * z j i)));
    [|easy|intros i _; apply apply_after].
  rewrite dot_plus. f_equal. unfold dot at 1.
  rewrite (sum_ext n _ (fun i => sum t (fun j => w j * dot n (z j) x * (y i * z j i)))).
  - rewrite sum_swap. apply sum_ext. intros j _. now rewrite sum_scale.
  - intros i _. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

(** One round. *)
Lemma grown n A w z s : positive_definite n A -> 0 <= w -> same n (apply_to n A s) z ->
  let B := fun k l => A k l + w * (z k * z l) in
  positive_definite n B /\ 0 < 1 + w * dot n z s /\ determinant n B = determinant n A * (1 + w * dot n z s) /\
  trace n B = trace n A + w * dot n z z.
Proof.
  intros HA Hw Hs B. set (r := sqrt w). assert (Hr : r * r = w) by now apply sqrt_sqrt.
  assert (Hup : rank_one_update n A (fun i => r * z i) B).
  { intros i j _ _. unfold B. rewrite <- Hr. ring. }
  assert (Hdots : forall x y, dot n (fun i => r * x i) (fun i => r * y i) = w * dot n x y).
  { intros. rewrite dot_scale, dot_scale_left, <- Hr. ring. }
  assert (Hquad : 0 <= dot n z s).
  { rewrite dot_comm, <- (dot_same n s s _ _ (fun _ _ => eq_refl) Hs). now apply definite_nonneg. }
  assert (HB : positive_definite n B).
  { destruct HA as [Hsym Hpos]. split.
    - intros u v. rewrite !(update_form n A (fun i => r * z i) B), Hsym by assumption.
      rewrite (dot_comm n u), (dot_comm n _ v). ring.
    - intros v Hv. rewrite (update_form n A (fun i => r * z i) B), (dot_comm n v (fun i => r * z i)) by assumption.
      specialize (Hpos v Hv). assert (H := Rle_0_sqr (dot n (fun i => r * z i) v)). unfold Rsqr in H. lra. }
  assert (Hmore := Rmult_le_pos _ _ Hw Hquad). repeat split; [apply HB|apply HB|lra| |].
  - rewrite (determinant_of_an_update n A (fun i => r * z i) B (fun i => r * s i) HA Hup).
    + now rewrite Hdots.
    + intros i Hi. unfold apply_to. rewrite dot_scale. f_equal. now apply Hs.
  - now rewrite (trace_of_an_update n A (fun i => r * z i) B Hup), Hdots.
Qed.

Lemma grown_after n T A w z s : positive_definite n A -> (forall t, (t < T)%nat -> 0 <= w t) ->
  (forall t, (t < T)%nat -> same n (apply_to n (after t A w z) (s t)) (z t)) ->
  positive_definite n (after T A w z) /\
  ln (determinant n (after T A w z)) = ln (determinant n A) + sum T (fun t => ln (1 + w t * dot n (z t) (s t))) /\
  trace n (after T A w z) = trace n A + sum T (fun t => w t * dot n (z t) (z t)).
Proof.
  intros HA. induction T as [|T IH]; intros Hw Hs; [repeat split; try apply HA; simpl; ring|].
  destruct IH as [HB [Hdet Htrace]]; [intros; apply Hw; lia|intros; apply Hs; lia|].
  destruct (grown n _ (w T) (z T) (s T) HB (Hw T ltac:(lia)) (Hs T ltac:(lia))) as [H1 [H2 [H3 H4]]].
  assert (Hpos := proj1 (log_determinant_by_the_trace n _ 1 HB Rlt_0_1)).
  cbn [after sum]. rewrite H3, H4, Htrace, ln_mult, Hdet by assumption.
  repeat split; [apply H1|apply H1|ring|ring].
Qed.

(** * The growth, beside m orthonormal vectors q that every z is orthogonal to *)

Section Growth.
  Context (n m rounds : nat) (a c : R) (w : nat -> R) (z s q : nat -> vector).
  Context (Ha : 0 < a) (Hc : 1 <= c) (Hw : forall t, (t < rounds)%nat -> 0 <= w t).
  Context (Hs : forall t, (t < rounds)%nat -> same n (apply_to n (after t (multiple a) w z) (s t)) (z t)).
  Context (Hq : forall i j, (i < m)%nat -> (j < m)%nat -> dot n (q i) (q j) = if Nat.eqb i j then 1 else 0).
  Context (Hqz : forall t j, (t < rounds)%nat -> (j < m)%nat -> dot n (q j) (z t) = 0).

  (** The matrix to begin with: a c along every q, a on what is orthogonal to them. *)
  Let beside := after m (multiple a) (fun _ => a * (c - 1)) q.

  Lemma beside_is : positive_definite n beside /\ ln (determinant n beside) = INR n * ln a + INR m * ln c /\
    trace n beside = INR n * a + INR m * (a * (c - 1)).
  Proof.
    destruct (grown_after n m (multiple a) (fun _ => a * (c - 1)) q (fun j i => / a * q j i)) as [H1 [H2 H3]].
    - now apply multiple_definite.
    - intros. apply Rmult_le_pos; lra.
    - intros t Ht i Hi. rewrite apply_after, apply_multiple, sum_zero by (assumption || (intros j Hj;
        rewrite dot_scale, Hq by lia; rewrite (proj2 (Nat.eqb_neq j t)) by lia; ring)). field. lra.
    - fold beside in H1, H2, H3. rewrite H2, H3, determinant_of_a_multiple, trace_of_a_multiple by assumption.
      split; [exact H1|]. rewrite <- !sum_const, ln_pow by assumption. split; [|f_equal].
      + f_equal; [now rewrite sum_const|]. apply sum_ext. intros j Hj. f_equal.
        rewrite dot_scale, Hq, Nat.eqb_refl by assumption. field. lra.
      + apply sum_ext. intros j Hj. rewrite Hq, Nat.eqb_refl by assumption. ring.
  Qed.

  Lemma solution_is_orthogonal t j : (t < rounds)%nat -> (j < m)%nat -> dot n (q j) (s t) = 0.
  Proof.
    intros Ht Hj. assert (H := dot_same n (q j) (q j) _ _ (fun _ _ => eq_refl) (Hs t Ht)).
    rewrite dot_after, Hqz, sum_zero in H by (assumption || (intros i Hi; rewrite Hqz by lia; ring)).
    rewrite (dot_same n (q j) (q j) _ (fun i => a * s t i)) in H by (easy || (intros i Hi; now apply apply_multiple)).
    rewrite dot_scale in H. apply Rmult_eq_reg_l with a; lra.
  Qed.

  Theorem growth : sum rounds (fun t => ln (1 + w t * dot n (z t) (s t))) <=
    (INR n - INR m) * ln c + (a * (1 - c) * (INR n - INR m) + sum rounds (fun t => w t * dot n (z t) (z t))) / (a * c).
  Proof.
    destruct beside_is as [HB [Hdet Htrace]].
    destruct (grown_after n rounds beside w z s HB Hw) as [H1 [H2 H3]].
    { intros t Ht i Hi. rewrite <- (Hs t Ht i Hi), !apply_after. f_equal. unfold beside.
      rewrite apply_after, sum_zero; [ring|]. intros j Hj. rewrite solution_is_orthogonal by assumption. ring. }
    assert (Hac : 0 < a * c) by (apply Rmult_lt_0_compat; lra).
    assert (H := proj2 (log_determinant_by_the_trace n _ (a * c) H1 Hac)).
    rewrite H2, H3, Hdet, Htrace, ln_mult in H by lra.
    set (L := sum rounds _) in *. set (S := sum rounds _) in *.
    replace (a * (1 - c) * (INR n - INR m) + S)
      with (INR n * a + INR m * (a * (c - 1)) + S - INR n * (a * c)) by ring. lra.
  Qed.
End Growth.

Lemma best_constant N a S : 0 < N -> 0 < a -> 0 <= S ->
  let c := 1 + S / (a * N) in N * ln c + (a * (1 - c) * N + S) / (a * c) = N * ln c /\ 1 <= c.
Proof.
  intros HN Ha HS c. assert (Hpos : 0 < a * N) by now apply Rmult_lt_0_compat.
  assert (Hc : 1 <= c).
  { unfold c. assert (0 <= S / (a * N)); [|lra]. apply Rmult_le_pos; [assumption|]. left. now apply Rinv_0_lt_compat. }
  split; [|assumption]. replace (a * (1 - c) * N + S) with 0 by (unfold c; field; lra).
  unfold Rdiv. ring.
Qed.
