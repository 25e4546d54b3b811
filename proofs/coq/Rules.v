(** * What the rules of a certificate rest on

    A certificate is a tree of rules; each rule becomes a few lines of Coq that apply a lemma of this file to explicit
    terms. A fact about a polynomial comes from a hypothesis [L <= R] times a positive multiplier [M] that clears the
    denominators: [(R - L) * M = P] is an identity, so [0 <= P]. *)

Require Import Reals Lra Lia ZArith.
Open Scope R_scope.

Definition integer (x : R) : Prop := exists n : Z, x = IZR n.

(** The non-negative [n]-th root, for [n >= 3]; [sqrt] is the second. *)
Definition root (n : nat) (x : R) : R := if Rlt_dec 0 x then Rpower x (/ INR n) else 0.

(** ** From a hypothesis to a polynomial, and back *)

Lemma fact_le L R M P : L <= R -> 0 < M -> (R - L) * M = P -> 0 <= P.
Proof. intros H HM <-. apply Rmult_le_pos; lra. Qed.

Lemma fact_lt L R M P : L < R -> 0 < M -> (R - L) * M = P -> 0 < P.
Proof. intros H HM <-. apply Rmult_lt_0_compat; lra. Qed.

Lemma fact_eq L R M P : L = R -> (L - R) * M = P -> P = 0.
Proof. intros -> <-. ring. Qed.

Lemma by_le L R M P : 0 <= P -> 0 < M -> (R - L) * M = P -> L <= R.
Proof. intros HP HM E. apply Rnot_lt_le. intro H. assert (0 < (L - R) * M) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Lemma by_lt L R M P : 0 < P -> 0 < M -> (R - L) * M = P -> L < R.
Proof.
  intros HP HM E. apply Rnot_le_lt. intro H. assert (0 <= (L - R) * M) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma positive_by x M P : 0 < P -> 0 < M -> x * M = P -> 0 < x.
Proof. intros HP HM E. apply (by_lt 0 x M P); trivial. rewrite <- E. ring. Qed.

Lemma nonnegative_by x M P : 0 <= P -> 0 < M -> x * M = P -> 0 <= x.
Proof. intros HP HM E. apply (by_le 0 x M P); trivial. rewrite <- E. ring. Qed.

Lemma nonzero_by x M P : P <> 0 -> x * M = P -> x <> 0.
Proof. intros HP E Hx. apply HP. rewrite <- E, Hx. ring. Qed.

Lemma positive_nonzero x : 0 < x -> x <> 0.
Proof. lra. Qed.

Lemma negative_nonzero x : x < 0 -> x <> 0.
Proof. lra. Qed.

Lemma different_nonzero L R M P : L <> R -> M <> 0 -> (L - R) * M = P -> P <> 0.
Proof.
  intros H HM <- E. destruct (Rmult_integral _ _ E) as [E' | E'].
  - apply H. lra.
  - apply (HM E').
Qed.

Lemma minus_positive x : x < 0 -> 0 < - x.
Proof. lra. Qed.

Lemma minus_negative x : 0 < - x -> x < 0.
Proof. lra. Qed.

Lemma factor_nonzero x c f : x <> 0 -> x = c * f -> f <> 0.
Proof. intros Hx -> Hf. apply Hx. rewrite Hf. ring. Qed.

Lemma multiple_nonzero x c f : c <> 0 -> f <> 0 -> c * f = x -> x <> 0.
Proof. intros Hc Hf <-. apply Rmult_integral_contrapositive_currified; trivial. Qed.

Lemma IZR_positive n : (0 <? n)%Z = true -> 0 < IZR n.
Proof. intro H. apply IZR_lt, Z.ltb_lt, H. Qed.

Lemma difference_le l r : l + -1 * r <= 0 -> l <= r.
Proof. lra. Qed.

Lemma difference_lt l r : l + -1 * r < 0 -> l < r.
Proof. lra. Qed.

Lemma from_difference a b : 0 <= b - a -> a <= b.
Proof. lra. Qed.

(** ** Powers and products *)

Lemma positive_negative a b : 0 < a -> b < 0 -> a * b < 0.
Proof. intros. assert (0 < a * - b) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Lemma negative_positive a b : a < 0 -> 0 < b -> a * b < 0.
Proof. intros. assert (0 < - a * b) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Lemma negative_negative a b : a < 0 -> b < 0 -> 0 < a * b.
Proof. intros. assert (0 < - a * - b) by (apply Rmult_lt_0_compat; lra). lra. Qed.

Lemma odd_negative_power x n : Nat.odd n = true -> x < 0 -> x ^ n < 0.
Proof.
  intros H Hx. apply Nat.odd_spec in H as [k ->]. rewrite Nat.add_1_r.
  change (x ^ S (2 * k)) with (x * x ^ (2 * k)). rewrite pow_mult.
  apply negative_positive; [trivial|]. apply pow_lt. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring).
  apply Rsqr_pos_lt. lra.
Qed.

Lemma even_power_positive x n : Nat.even n = true -> x <> 0 -> 0 < x ^ n.
Proof.
  intros H Hx. apply Nat.even_spec in H as [k ->]. rewrite pow_mult.
  apply pow_lt. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring). apply Rsqr_pos_lt, Hx.
Qed.

Lemma nonzero_power x n : x <> 0 -> x ^ n <> 0.
Proof. apply pow_nonzero. Qed.

Lemma nonzero_product a b : a <> 0 -> b <> 0 -> a * b <> 0.
Proof. intros. apply Rmult_integral_contrapositive_currified; trivial. Qed.

Lemma nonzero_left a b : a * b <> 0 -> a <> 0.
Proof. intros H E. apply H. rewrite E. ring. Qed.

Lemma nonzero_right a b : a * b <> 0 -> b <> 0.
Proof. intros H E. apply H. rewrite E. ring. Qed.

Lemma nonzero_base a n : a ^ S n <> 0 -> a <> 0.
Proof. intros H E. apply H. rewrite E. simpl. ring. Qed.

Lemma square_nonnegative x : 0 <= x ^ 2.
Proof. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring). apply Rle_0_sqr. Qed.

(** ** Positivstellensatz: a sum that is positive and zero *)

Lemma positive_sum a b : 0 < a -> 0 <= b -> 0 < a + b.
Proof. lra. Qed.

Lemma nonnegative_sum a b : 0 <= a -> 0 <= b -> 0 <= a + b.
Proof. lra. Qed.

Lemma equation_term q P : P = 0 -> 0 <= q * P.
Proof. intros ->. lra. Qed.

Lemma impossible S : 0 < S -> S = 0 -> False.
Proof. lra. Qed.

(** ** Roots *)

Lemma root_nonnegative n x : 0 <= root n x.
Proof.
  unfold root. destruct (Rlt_dec 0 x); [|lra]. unfold Rpower. left. apply exp_pos.
Qed.

Lemma root_power n x : (0 < n)%nat -> 0 <= x -> root n x ^ n = x.
Proof.
  intros Hn Hx. unfold root. destruct (Rlt_dec 0 x) as [H | H].
  - rewrite <- Rpower_pow by (apply exp_pos). rewrite Rpower_mult, Rinv_l, Rpower_1; trivial.
    apply not_0_INR. lia.
  - replace x with 0 by lra. apply pow_i. exact Hn.
Qed.

Lemma sqrt_power x : 0 <= x -> sqrt x ^ 2 = x.
Proof. intro H. rewrite <- (sqrt_sqrt x H) at 2. ring. Qed.

Lemma root_equation r x n M P : r ^ n = x -> (r ^ n - x) * M = P -> P = 0.
Proof. intros -> <-. ring. Qed.

(** ** Logarithms and exponentials *)

Lemma exp_times (n : nat) x : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.

Lemma exp_positive_multiple (n : nat) c x : c = INR n -> exp (c * x) = exp x ^ n.
Proof. intros ->. apply exp_times. Qed.

Lemma exp_negative_multiple (n : nat) c x : c = - INR n -> exp (c * x) = / exp x ^ n.
Proof. intros ->. rewrite <- exp_times, <- exp_Ropp. f_equal. ring. Qed.

(** [ln |x|], written without the absolute value. *)
Definition log_size (x : R) : R := 1 / 2 * ln (x ^ 2).

Lemma log_size_positive x : 0 < x -> log_size x = ln x.
Proof.
  intro H. unfold log_size. replace (x ^ 2) with (x * x) by ring. rewrite ln_mult by trivial. field.
Qed.

Lemma log_size_product a b : a <> 0 -> b <> 0 -> log_size (a * b) = log_size a + log_size b.
Proof.
  intros Ha Hb. unfold log_size. rewrite Rpow_mult_distr, ln_mult; [ring | |];
    apply (even_power_positive _ 2); trivial.
Qed.

Lemma log_size_inverse a : a <> 0 -> log_size (/ a) = - log_size a.
Proof.
  intro Ha. assert (H : log_size (a * / a) = log_size a + log_size (/ a)).
  { apply log_size_product; [trivial | apply Rinv_neq_0_compat; trivial]. }
  rewrite Rinv_r in H by trivial. rewrite (log_size_positive 1) in H by lra. rewrite ln_1 in H. lra.
Qed.

Lemma log_size_power a n : a <> 0 -> log_size (a ^ n) = INR n * log_size a.
Proof.
  intro Ha. induction n as [|n IH].
  - simpl. rewrite log_size_positive, ln_1 by lra. ring.
  - rewrite S_INR. simpl. rewrite log_size_product by (trivial; apply pow_nonzero; trivial). rewrite IH. ring.
Qed.

Lemma log_size_opposite a : log_size (- a) = log_size a.
Proof. unfold log_size. f_equal. f_equal. ring. Qed.

Lemma log_size_exp x : log_size (exp x) = x.
Proof. rewrite log_size_positive by apply exp_pos. apply ln_exp. Qed.

(** ** Cases *)

Lemma integer_cases x (n : Z) : integer x -> x <= IZR n \/ IZR (n + 1) <= x.
Proof.
  intros [k ->]. destruct (Z_le_gt_dec k n) as [H | H]; [left | right]; apply IZR_le; lia.
Qed.

Lemma real_cases x : x <= 0 \/ 0 <= x.
Proof. destruct (Rle_or_lt x 0); [left | right]; lra. Qed.

(** ** Side conditions of [field]: a denominator that is a multiple of one known not to be zero *)

Ltac nonzero_one :=
  solve
    [ assumption
    | apply positive_nonzero; assumption
    | apply positive_nonzero; apply exp_pos
    | apply negative_nonzero; assumption
    | apply pow_nonzero; nonzero_one
    | match goal with
      | H : ?y <> 0 |- ?x <> 0 => let E := fresh in intro E; apply H; clear - E; lra
      end
    | match goal with
      | H : ?y <> 0 |- ?x <> 0 => let E := fresh in intro E; apply H; clear - E; nra
      end
    | lra ].

Ltac nonzero := repeat match goal with |- _ /\ _ => split end; nonzero_one.

(** The parts of a product whose logarithm is taken apart. *)
Ltac nonzero_parts :=
  first
    [ apply nonzero_product; [nonzero_parts | nonzero_parts]
    | apply Rinv_neq_0_compat; nonzero_parts
    | apply pow_nonzero; nonzero_parts
    | nonzero_one ].

Lemma Rle_minus_nonnegative a b : a <= b -> 0 <= b - a.
Proof. lra. Qed.
