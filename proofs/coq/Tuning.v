(** * From the claims of a bandit theorem's tuning to its regret

    The claims speak of u = X D and of the root of T; theorems of X, D and T. Roots are the atoms of [field], with the
    equations that their squares give. *)

Require Import Reals Lra Lia ZArith.
From Gaptron Require Import Signs Cases.
Open Scope R_scope.

(** ** The number of rounds *)

Lemma rounds_at_least_one n : (1 <= n)%nat -> 1 <= INR n.
Proof. intros H. apply (le_INR 1) in H. exact H. Qed.

Lemma root_of_rounds n : (1 <= n)%nat -> exists r, INR n = r ^ 2 /\ 1 <= r /\ 0 < r /\ integer (r ^ 2).
Proof.
  intros H. assert (H1 := rounds_at_least_one n H). assert (E : sqrt (INR n) ^ 2 = INR n) by (apply pow2_sqrt; lra).
  exists (sqrt (INR n)). rewrite E.
  assert (1 <= sqrt (INR n)) by (rewrite <- sqrt_1; apply sqrt_le_1; lra).
  repeat split; [assumption | lra | apply integer_INR].
Qed.

(** ** Roots *)

Ltac positive_value :=
  first
    [ assumption
    | lra
    | lazymatch goal with
      | |- 0 < _ * _ => apply Rmult_lt_0_compat; positive_value
      | |- 0 < _ / _ => apply Rdiv_lt_0_compat; positive_value
      | |- 0 < / _ => apply Rinv_0_lt_compat; positive_value
      | |- 0 < _ ^ _ => apply pow_lt; positive_value
      | |- 0 < sqrt _ => apply sqrt_lt_R0; positive_value
      end ].

Lemma root_facts a : 0 < a -> 0 < sqrt a /\ sqrt a * sqrt a = a.
Proof. intros H. split; [now apply sqrt_lt_R0 | apply sqrt_sqrt; lra]. Qed.

Ltac know_root a :=
  lazymatch goal with
  | _ : sqrt a * sqrt a = a |- _ => fail
  | _ => destruct (root_facts a) as [? ?]; [positive_value|]
  end.

(** What is known of every root. *)
Ltac know_roots :=
  repeat match goal with
  | |- context [sqrt ?a] => know_root a
  | _ : context [sqrt ?a] |- _ => know_root a
  end.

Ltac field_of_roots :=
  first
    [ field; nonzero
    | match goal with
      | E : sqrt ?a * sqrt ?a = ?a |- _ => first
        [ field [E]; nonzero
        | match goal with
          | F : sqrt ?b * sqrt ?b = ?b |- _ => tryif constr_eq a b then fail else first
            [ field [E F]; nonzero
            | match goal with
              | G : sqrt ?c * sqrt ?c = ?c |- _ =>
                  tryif first [constr_eq a c | constr_eq b c] then fail else (field [E F G]; nonzero)
              end ]
          end ]
      end ].

(** A root by its value, which is not negative. *)
Ltac root_value := apply sqrt_lem_1; [first [assumption | lra] | left; positive_value | field_of_roots].

Ltac side_of_roots :=
  solve
    [ side
    | positive_value
    | match goal with
      | H : ?c <= ?d |- ?a <= ?b => apply (le_by a b c d); [field_of_roots | exact H]
      | H : ?c < ?d |- ?a < ?b => apply (lt_by a b c d); [field_of_roots | exact H]
      | H : ?c < ?d |- ?a <= ?b => apply Rlt_le; apply (lt_by a b c d); [field_of_roots | exact H]
      end ].

Ltac discharge_roots H :=
  repeat lazymatch type of H with
  | ?P -> _ => let p := fresh in assert (p : P) by side_of_roots; specialize (H p); clear p
  end.

Ltac conclude_roots H :=
  lazymatch type of H with
  | _ /\ _ => let d := fresh in let r := fresh in destruct H as [d r]; first [exact d | conclude_roots r]
  | ?c <= ?d => lazymatch goal with |- ?a <= ?b => apply (le_by a b c d); [field_of_roots | exact H] end
  | ?c < ?d => lazymatch goal with
    | |- ?a < ?b => apply (lt_by a b c d); [field_of_roots | exact H]
    | |- ?a <= ?b => apply Rlt_le; apply (lt_by a b c d); [field_of_roots | exact H]
    end
  end.

(** The goal by a claim at some numbers. *)
Ltac use_roots L :=
  let H := fresh in pose proof L as H; know_roots; discharge_roots H; first [conclude H | conclude_roots H].

(** One of the two ways in which the regret follows. *)
Ltac few_or_paid :=
  lazymatch goal with |- ?t <= ?r \/ _ => destruct (Rle_or_lt t r); [left; assumption | right] end.
