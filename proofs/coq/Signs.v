(** * Integers, roots, and what is positive or not zero: what claims and the scripts of developments speak of *)

Require Import Reals Lra ZArith.
Open Scope R_scope.

Definition integer (x : R) : Prop := exists n : Z, x = IZR n.

(** The non-negative [n]-th root, for [n >= 3]; [sqrt] is the second. *)
Definition root (n : nat) (x : R) : R := if Rlt_dec 0 x then Rpower x (/ INR n) else 0.

Lemma positive_nonzero x : 0 < x -> x <> 0.
Proof. lra. Qed.

Lemma negative_nonzero x : x < 0 -> x <> 0.
Proof. lra. Qed.

Lemma square_nonnegative x : 0 <= x ^ 2.
Proof. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring). apply Rle_0_sqr. Qed.

Lemma nonnegative_sum a b : 0 <= a -> 0 <= b -> 0 <= a + b.
Proof. lra. Qed.

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
