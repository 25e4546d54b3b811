(** The textbook facts of the proof language, as gaptron/papers/textbook.py prints the rules of gaptron/papers/facts.py:
    left - right <= 0, and what a term needs to be defined is a premise. A function of vectors with n entries is one of
    all vectors that looks at these entries alone. *)

From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices VectorFacts Determinants GrowingDeterminants.
Open Scope R_scope.

Definition everywhere (v : vector) : Prop := True.

Definition is_norm (N : vector -> R) : Prop :=
  (forall u v, N (fun i => u i + v i) <= N u + N v) /\ forall c u, N (fun i => c * u i) = Rabs c * N u.

(** [w] is the point of the convex set [C] that is nearest to [v]. *)
Definition projection_of (n : nat) (C : vector -> Prop) (v w : vector) : Prop :=
  convex_points C /\ C w /\
  forall q, C q -> dot n (minus v w) (minus v w) <= dot n (minus v q) (minus v q).

(** z^q for z >= 0 and q >= 0: 0^0 is 1. *)
Definition rpow (z q : R) : R :=
  if Req_EM_T z 0 then if Req_EM_T q 0 then 1 else 0 else Rpower z q.

Lemma rpow_positive z q : 0 < z -> rpow z q = Rpower z q.
Proof. intros H. unfold rpow. destruct (Req_EM_T z 0); [lra|reflexivity]. Qed.

Lemma rpow_zero q : 0 < q -> rpow 0 q = 0.
Proof.
  intros H. unfold rpow. destruct (Req_EM_T 0 0) as [_|Hno]; [|now contradict Hno].
  destruct (Req_EM_T q 0); [lra|reflexivity].
Qed.

(** What the normal form writes for a power whose exponent is an integer, or a half, as written. *)
Theorem rpow_of_an_integer z k : 0 <= z -> rpow z (INR k) = z ^ k.
Proof.
  intros [Hz|<-].
  - rewrite rpow_positive by assumption. now apply Rpower_pow.
  - destruct k as [|k].
    + unfold rpow. simpl. destruct (Req_EM_T 0 0) as [_|Hno]; [reflexivity|now contradict Hno].
    + rewrite rpow_zero by (apply lt_0_INR; apply Nat.lt_0_succ). simpl. ring.
Qed.

Theorem rpow_of_a_half z : 0 <= z -> rpow z (/ 2) = sqrt z.
Proof.
  intros [Hz|<-].
  - rewrite rpow_positive by assumption. now apply Rpower_sqrt.
  - rewrite rpow_zero by lra. now rewrite sqrt_0.
Qed.

Theorem cauchy_schwarz_of_norms : forall (n : nat) (u : vector) (v : vector),
  (-1) * (dot n u u) <= 0 -> (-1) * (dot n v v) <= 0 ->
  (dot n u v) + (-1) * (sqrt (dot n u u)) * (sqrt (dot n v v)) <= 0.
Proof.
  intros n u v Hu Hv. rewrite Rmult_assoc, <- sqrt_mult by lra. assert (H := cauchy_schwarz n u v).
  assert (dot n u v <= sqrt (dot n u u * dot n v v)); [|lra]. apply Rle_trans with (Rabs (dot n u v)); [apply Rle_abs|].
  rewrite <- sqrt_Rsqr_abs. apply sqrt_le_1_alt. unfold Rsqr. simpl in H. lra.
Qed.

Theorem cauchy_schwarz_of_sums : forall (rounds : nat) (g : nat -> R) (p : nat -> R),
  (sum rounds (fun i => (g i) * (p i))) ^ 2 +
  (-1) * (sum rounds (fun i => (g i) ^ 2)) * (sum rounds (fun i => (p i) ^ 2)) <= 0.
Proof.
  intros rounds g p. assert (H := cauchy_schwarz rounds g p). unfold dot in H.
  rewrite (sum_ext rounds (fun i => g i ^ 2) (fun i => g i * g i)) by (intros; ring).
  rewrite (sum_ext rounds (fun i => p i ^ 2) (fun i => p i * p i)) by (intros; ring). lra.
Qed.

Theorem triangle_inequality : forall (N : vector -> R) (u : vector) (v : vector),
  is_norm N -> (N (fun j => (-1) * u j + (-1) * v j)) + (-1) * (N (fun j => (-1) * u j)) +
  (-1) * (N (fun j => (-1) * v j)) <= 0.
Proof. intros N u v [H _]. specialize (H (fun j => (-1) * u j) (fun j => (-1) * v j)). cbv beta in H. lra. Qed.

Theorem nearer_after_projection :
  forall (n : nat) (C : vector -> Prop) (u : vector) (v : vector) (w : vector),
  projection_of n C v w -> C u ->
  (2) * (dot n u v) + (-2) * (dot n u w) + (-1) * (dot n v v) + (dot n w w) <= 0.
Proof.
  intros n C u v w [Hconvex [Hw Hnear]] Hu. assert (H := projection n C v w u Hconvex Hw Hnear Hu).
  assert (Hsplit : forall a, dot n (minus a u) (minus a u) = dot n a a - 2 * dot n u a + dot n u u).
  { intros a. unfold dot, minus. rewrite <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring. }
  rewrite !Hsplit in H. lra.
Qed.

(** The tangent of x^q at 1. *)
Lemma tangent_of_a_power x q : 0 < x -> 1 <= q -> 1 + q * (x - 1) <= Rpower x q.
Proof.
  intros Hx Hq. set (L := ln x). assert (HL : exp L = x) by now apply exp_ln.
  assert (Htangent : forall t, 1 + t <= exp t).
  { intros t. destruct (Req_dec t 0) as [->|Ht]; [rewrite exp_0; lra|]. left. now apply exp_ineq1. }
  assert (H : x - 1 <= x * L).
  { assert (Hneg := Htangent (- L)). rewrite exp_Ropp, HL in Hneg. apply Rmult_le_compat_l with (r := x) in Hneg; [|lra].
    rewrite Rinv_r in Hneg by lra. lra. }
  unfold Rpower. fold L. replace (q * L) with (L + (q - 1) * L) by ring. rewrite exp_plus, HL.
  assert (Hmore := Htangent ((q - 1) * L)). apply Rmult_le_compat_l with (r := x) in Hmore; [|lra].
  apply Rmult_le_compat_l with (r := q - 1) in H; [|lra]. lra.
Qed.

Theorem bernoulli : forall (q : R) (r : R) (z : R),
  (-1) * z <= 0 -> (-1) * r < 0 -> (-1) * q + (1) <= 0 -> (-1) * q <= 0 -> (-1) * r <= 0 -> r <> 0 ->
  (/ r) * (rpow r q) * q * z + (-1) * (rpow r q) * q + (rpow r q) + (-1) * (rpow z q) <= 0.
Proof.
  intros q r z Hz Hr Hq _ _ Hr0. rewrite (rpow_positive r) by lra.
  assert (Hpos : 0 < Rpower r q) by apply exp_pos.
  destruct (Req_dec z 0) as [->|Hz0].
  - rewrite rpow_zero by lra. assert (0 <= Rpower r q * (q - 1)) by (apply Rmult_le_pos; lra). lra.
  - rewrite (rpow_positive z) by lra.
    assert (Hx : 0 < z / r) by (apply Rdiv_lt_0_compat; lra).
    assert (H := tangent_of_a_power (z / r) q Hx ltac:(lra)).
    apply Rmult_le_compat_l with (r := Rpower r q) in H; [|lra].
    replace (Rpower r q * Rpower (z / r) q) with (Rpower z q) in H.
    + unfold Rdiv in H. lra.
    + rewrite Rpower_mult_distr by lra. f_equal. field. assumption.
Qed.

Theorem positive_power : forall (q : R) (z : R),
  (-1) * z < 0 -> (-1) * z <= 0 -> (-1) * q <= 0 -> (-1) * (rpow z q) < 0.
Proof. intros q z Hz _ _. rewrite rpow_positive by lra. assert (0 < Rpower z q) by apply exp_pos. lra. Qed.

Theorem power_of_a_quotient : forall (a : R) (b : R) (q : R),
  (-1) * a <= 0 -> (-1) * b < 0 -> (-1) * q + (1) <= 0 -> (-1) * (rpow ((/ b) * a) (/ q)) <= 0 -> (-1) * q <= 0 ->
  (-1) * (/ b) * a <= 0 -> (-1) * (/ q) <= 0 -> b <> 0 -> q <> 0 ->
  (-1) * (/ b) * a + (rpow (rpow ((/ b) * a) (/ q)) q) = 0.
Proof.
  intros a b q Ha Hb Hq _ _ _ _ Hb0 Hq0. assert (Hinv : 0 < / q) by (apply Rinv_0_lt_compat; lra).
  destruct (Req_dec a 0) as [->|Ha0].
  - rewrite !Rmult_0_r, (rpow_zero (/ q)), rpow_zero by lra. ring.
  - assert (Hx : 0 < / b * a) by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat|]; lra).
    rewrite (rpow_positive (/ b * a)), rpow_positive by (assumption || apply exp_pos).
    rewrite Rpower_mult, Rinv_l, Rpower_1 by assumption. ring.
Qed.

Theorem product_of_a_power : forall (a : R) (b : R) (q : R),
  (-1) * a <= 0 -> (-1) * b < 0 -> (-1) * q + (1) <= 0 -> (-1) * (/ b) * a <= 0 -> (-1) * (/ q) <= 0 -> b <> 0 ->
  q <> 0 -> (-1) * b <= 0 -> (/ q) + (-1) <= 0 ->
  (rpow ((/ b) * a) (/ q)) * b + (-1) * (rpow a (/ q)) * (rpow b ((-1) * (/ q) + (1))) = 0.
Proof.
  intros a b q Ha Hb Hq _ _ Hb0 Hq0 _ _. assert (Hinv : 0 < / q) by (apply Rinv_0_lt_compat; lra).
  destruct (Req_dec a 0) as [->|Ha0].
  - rewrite !Rmult_0_r, (rpow_zero (/ q)) by assumption. ring.
  - assert (Hx : 0 < / b) by (apply Rinv_0_lt_compat; lra).
    assert (0 < / b * a) by (apply Rmult_lt_0_compat; lra).
    rewrite !rpow_positive by lra. rewrite <- (Rpower_mult_distr (/ b) a) by lra.
    replace (Rpower (/ b) (/ q)) with (Rpower b (- / q)).
    + replace (Rpower b (-1 * / q + 1)) with (Rpower b (- / q) * b); [ring|].
      replace (-1 * / q + 1) with (- / q + 1) by ring. rewrite Rpower_plus, Rpower_1 by lra. reflexivity.
    + unfold Rpower. rewrite ln_Rinv by lra. f_equal. ring.
Qed.

Theorem positive_quotient : forall (a : R) (b : R) (q : R),
  (-1) * a <= 0 -> (-1) * b < 0 -> (-1) * q + (1) <= 0 -> (-1) * a < 0 -> (-1) * (/ b) * a <= 0 ->
  (-1) * (/ q) <= 0 -> b <> 0 -> q <> 0 -> (-1) * (rpow ((/ b) * a) (/ q)) < 0.
Proof.
  intros a b q _ Hb _ Ha _ _ _ _.
  assert (0 < / b * a) by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat|]; lra).
  rewrite rpow_positive by assumption. assert (0 < Rpower (/ b * a) (/ q)) by apply exp_pos. lra.
Qed.

(** * A state that is a matrix *)

(** The matrices of the rounds, of n rows each. *)
Definition moves_from (n rounds : nat) (A : nat -> matrix) (first : matrix) (next : nat -> matrix) : Prop :=
  forall k l, (k < n)%nat -> (l < n)%nat ->
    A 0%nat k l = first k l /\ forall i, (i < rounds)%nat -> A (S i) k l = next i k l.

Lemma inner_outer n A u v : inner n n (fun k l => u k * v l) A = dot n u (apply_to n A v).
Proof.
  unfold inner, apply_to, dot. apply sum_ext. intros k _. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

Lemma identity_is n (I : matrix) :
  (forall u v : vector, inner n n (fun k l => u k * v l) I + (-1) * dot n u v = 0) ->
  forall k l, (k < n)%nat -> (l < n)%nat -> I k l = identity k l.
Proof.
  intros H k l Hk Hl. specialize (H (unit_vector k) (unit_vector l)).
  rewrite inner_outer, !(dot_comm n (unit_vector k)), !dot_unit in H by assumption.
  unfold apply_to in H. rewrite dot_unit in H by assumption. unfold unit_vector, identity in *.
  rewrite (Nat.eqb_sym l k). lra.
Qed.

Lemma size_of_the_identity n (I : matrix) : (forall k l, (k < n)%nat -> (l < n)%nat -> I k l = identity k l) ->
  inner n n I I = INR n.
Proof.
  intros H. unfold inner. rewrite <- (Rmult_1_r (INR n)), <- sum_const. apply sum_ext. intros k Hk.
  rewrite (dot_same n (I k) (unit_vector k) (I k) (unit_vector k));
    [|intros l Hl; rewrite H by assumption; reflexivity|intros l Hl; rewrite H by assumption; reflexivity].
  rewrite dot_unit by assumption. unfold unit_vector. now rewrite Nat.eqb_refl.
Qed.

Section State.
  Context (n rounds : nat) (a : R) (w : nat -> R) (A : nat -> matrix) (I : matrix) (s z : nat -> vector).
  Context (HA : moves_from n rounds A (fun k l => a * I k l) (fun i k l => w i * (z i k * z i l) + 1 * A i k l)).
  Context (HI : forall u v : vector, inner n n (fun k l => u k * v l) I + (-1) * dot n u v = 0).
  Context (Hs : forall i, (i < rounds)%nat -> forall u : vector,
    inner n n (fun k l => s i k * u l) (A i) + (-1) * dot n (z i) u = 0).

  Lemma state_is i k l : (i <= rounds)%nat -> (k < n)%nat -> (l < n)%nat -> A i k l = after i (multiple a) w z k l.
  Proof.
    intros Hi Hk Hl. destruct (HA k l Hk Hl) as [H0 HS]. induction i as [|i IH].
    - rewrite H0, (identity_is n I HI) by assumption. reflexivity.
    - rewrite HS, IH by lia. cbn [after]. ring.
  Qed.

  Lemma after_symmetric i k l : after i (multiple a) w z k l = after i (multiple a) w z l k.
  Proof.
    induction i as [|i IH]; cbn [after]; [|rewrite IH; ring]. unfold multiple, identity. now rewrite Nat.eqb_sym.
  Qed.

  Lemma state_is_solved i : (i < rounds)%nat -> same n (apply_to n (after i (multiple a) w z) (s i)) (z i).
  Proof.
    intros Hi k Hk. specialize (Hs i Hi (unit_vector k)). rewrite inner_outer, dot_unit in Hs by assumption.
    replace (dot n (s i) (apply_to n (A i) (unit_vector k)))
      with (apply_to n (after i (multiple a) w z) (s i) k) in Hs; [lra|].
    unfold apply_to at 1. rewrite dot_comm. apply dot_same; [easy|]. intros l Hl. unfold apply_to.
    rewrite dot_unit, state_is by (assumption || lia). apply after_symmetric.
  Qed.
End State.

(** sum ln(1 + w <z, A^-1 z>) <= q ln(1 + sum w <z, z>/(a q)) for A = a I then A + w z z', q = <I, I>. *)
Theorem growth_of_a_determinant : forall (n : nat) (rounds : nat) (a : R) (q : R) (w : nat -> R) (A : nat -> matrix)
  (I : matrix) (s : nat -> vector) (z : nat -> vector),
  moves_from n rounds A (fun k l => a * I k l) (fun i => fun k l => (w i) * (z i k * z i l) + (1) * A i k l) ->
  (-1) * a < 0 -> (forall i : nat, (i < rounds)%nat -> (-1) * (w i) <= 0) ->
  (forall u : vector, forall v : vector, (inner n n (fun k l => u k * v l) I) + (-1) * (dot n u v) = 0) ->
  (forall i : nat, (i < rounds)%nat -> forall u : vector,
    (inner n n (fun k l => s i k * u l) (A i)) + (-1) * (dot n (z i) u) = 0) ->
  (inner n n I I) + (-1) * q = 0 ->
  (forall i : nat, (i < rounds)%nat -> (-1) * (dot n (s i) (z i)) * (w i) + (-1) < 0) ->
  (-1) * (/ a) * (/ q) * (sum rounds (fun i => (dot n (z i) (z i)) * (w i))) + (-1) < 0 -> a <> 0 -> q <> 0 ->
  (-1) * (ln ((/ a) * (/ q) * (sum rounds (fun i => (dot n (z i) (z i)) * (w i))) + (1))) * q +
  (sum rounds (fun i => (ln ((dot n (s i) (z i)) * (w i) + (1))))) <= 0.
Proof.
  intros n rounds a q w A I s z HA Ha Hw HI Hs Hsize _ _ _ Hq0.
  assert (Hn : q = INR n) by (rewrite <- (size_of_the_identity n I); [lra|now apply identity_is]).
  assert (Hq : 0 < q) by (assert (H := pos_INR n); lra).
  assert (H := growth n 0 rounds a). set (S := sum rounds (fun i => dot n (z i) (z i) * w i)).
  assert (HS : 0 <= S).
  { apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply dot_square_nonneg|]. specialize (Hw i Hi). lra. }
  destruct (best_constant q a S Hq ltac:(lra) HS) as [Hc1 Hc2]. set (c := 1 + S / (a * q)) in *.
  specialize (H c w z s (fun _ _ => 0) ltac:(lra) Hc2).
  rewrite (sum_ext rounds _ (fun t => ln (1 + w t * dot n (z t) (s t)))) by
    (intros t _; f_equal; rewrite (dot_comm n (s t)); ring).
  replace (/ a * / q * S + 1) with c by (unfold c; field; lra).
  replace (sum rounds (fun t => w t * dot n (z t) (z t))) with S in H by (apply sum_ext; intros; ring).
  simpl INR in H. rewrite Rminus_0_r, <- Hn, Hc1 in H.
  enough (sum rounds (fun t => ln (1 + w t * dot n (z t) (s t))) <= q * ln c) by lra. apply H.
  - intros t Ht. specialize (Hw t Ht). lra.
  - intros t Ht. now apply (state_is_solved n rounds a w A I).
  - intros i j Hi. lia.
  - intros t j _ Hj. lia.
Qed.

(** * Beside the products of a vector with every other *)

Lemma sum_added n k f : sum (n + k) f = sum n f + sum k (fun i => f (n + i)%nat).
Proof.
  induction k as [|k IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring.
Qed.

Lemma sum_of_products m d f g :
  sum (m * d) (fun i => f (Nat.div i d) * g (Nat.modulo i d)) = sum m f * sum d g.
Proof.
  induction m as [|m IH]; [simpl; ring|]. rewrite Nat.mul_succ_l, sum_added, IH. cbn [sum].
  rewrite Rmult_plus_distr_r. f_equal. rewrite <- sum_scale. apply sum_ext. intros i Hi.
  rewrite (Nat.add_comm (m * d)), Nat.div_add, Nat.mod_add, Nat.div_small, Nat.mod_small by lia. reflexivity.
Qed.

Definition outer_product (d : nat) (h b : vector) : vector := fun j => h (Nat.div j d) * b (Nat.modulo j d).

Lemma dot_outer_products m d h b c : dot (m * d) (outer_product d h b) (outer_product d h c) = dot m h h * dot d b c.
Proof. unfold dot. rewrite <- sum_of_products. apply sum_ext. intros. unfold outer_product. ring. Qed.

(** sum ln(1 + w <z, A^-1 z>) <= q ln(1 + sum w <z, z>/(a q)), q = <I, I> - <F, F>, where every z is orthogonal to all
    products of h: these are a space of as many dimensions as F has rows. *)
Theorem growth_of_a_determinant_beside : forall (rounds : nat) (m : nat) (d : nat) (a : R) (q : R) (w : nat -> R)
  (A : nat -> matrix) (F : matrix) (I : matrix) (h : vector) (s : nat -> vector) (z : nat -> vector),
  moves_from (m * d) rounds A (fun k l => a * I k l) (fun i => fun k l => (w i) * (z i k * z i l) + (1) * A i k l) ->
  (-1) * a < 0 -> (forall i : nat, (i < rounds)%nat -> (-1) * (w i) <= 0) ->
  (forall u : vector, forall v : vector,
    (inner (m * d) (m * d) (fun k l => u k * v l) I) + (-1) * (dot (m * d) u v) = 0) ->
  (forall i : nat, (i < rounds)%nat -> forall u : vector,
    (inner (m * d) (m * d) (fun k l => s i k * u l) (A i)) + (-1) * (dot (m * d) (z i) u) = 0) ->
  (-1) * (inner d d F F) + (inner (m * d) (m * d) I I) + (-1) * q = 0 ->
  (-1) * (dot m h h) < 0 ->
  (forall b : vector, forall c : vector, (inner d d (fun k l => b k * c l) F) + (-1) * (dot d b c) = 0) ->
  (forall i : nat, (i < rounds)%nat -> forall b : vector, dot (m * d) (outer_product d h b) (z i) = 0) ->
  (forall i : nat, (i < rounds)%nat -> (-1) * (dot (m * d) (s i) (z i)) * (w i) + (-1) < 0) ->
  (-1) * (/ a) * (/ q) * (sum rounds (fun i => (dot (m * d) (z i) (z i)) * (w i))) + (-1) < 0 -> a <> 0 -> q <> 0 ->
  (-1) * (ln ((/ a) * (/ q) * (sum rounds (fun i => (dot (m * d) (z i) (z i)) * (w i))) + (1))) * q +
  (sum rounds (fun i => (ln ((dot (m * d) (s i) (z i)) * (w i) + (1))))) <= 0.
Proof.
  intros rounds m d a q w A F I h s z HA Ha Hw HI Hs Hsize Hh HF Hz _ _ _ Hq0. set (n := (m * d)%nat) in *.
  assert (Hn : q = INR n - INR d).
  { assert (H1 := size_of_the_identity n I (identity_is n I HI)).
    assert (H2 := size_of_the_identity d F (identity_is d F HF)). lra. }
  assert (Hq : 0 < q).
  { destruct m as [|m]; [unfold dot in Hh; simpl in Hh; lra|].
    assert (H : INR d <= INR n) by (apply le_INR; unfold n; simpl; lia). lra. }
  set (r := / sqrt (dot m h h)). assert (Hroot : 0 < sqrt (dot m h h)) by (apply sqrt_lt_R0; lra).
  assert (Hr : r * r * dot m h h = 1).
  { unfold r. rewrite <- (sqrt_sqrt (dot m h h)) at 3 by lra. field. lra. }
  set (e := fun (j : nat) (i : nat) => r * outer_product d h (unit_vector j) i).
  assert (H := growth n d rounds a). set (S := sum rounds (fun i => dot n (z i) (z i) * w i)).
  assert (HS : 0 <= S).
  { apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply dot_square_nonneg|]. specialize (Hw i Hi). lra. }
  destruct (best_constant q a S Hq ltac:(lra) HS) as [Hc1 Hc2]. set (c := 1 + S / (a * q)) in *.
  specialize (H c w z s e ltac:(lra) Hc2).
  rewrite (sum_ext rounds _ (fun t => ln (1 + w t * dot n (z t) (s t)))) by
    (intros t _; f_equal; rewrite (dot_comm n (s t)); ring).
  replace (/ a * / q * S + 1) with c by (unfold c; field; lra).
  replace (sum rounds (fun t => w t * dot n (z t) (z t))) with S in H by (apply sum_ext; intros; ring).
  rewrite <- Hn, Hc1 in H.
  enough (sum rounds (fun t => ln (1 + w t * dot n (z t) (s t))) <= q * ln c) by lra. apply H.
  - intros t Ht. specialize (Hw t Ht). lra.
  - intros t Ht. now apply (state_is_solved n rounds a w A I).
  - intros i j Hi Hj. unfold e. rewrite dot_scale, dot_scale_left. unfold n.
    rewrite dot_outer_products, dot_unit by assumption.
    unfold unit_vector. rewrite (Nat.eqb_sym j i). destruct (Nat.eqb i j); lra.
  - intros t j Ht _. unfold e. now rewrite dot_scale_left, Hz, Rmult_0_r.
Qed.
