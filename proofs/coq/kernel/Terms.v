(** * Terms: equality, occurrence, substitution, and what can be undefined

    Terms are the expressions of Enclosures: [defined] says where they have a value. *)

Require Import Reals Lra Lia ZArith QArith List Bool PArith.
From Gaptron Require Import Enclosures.
Import ListNotations.
Open Scope R_scope.

Fixpoint expr_eqb (a b : expr) : bool :=
  match a, b with
  | Int x, Int y => Z.eqb x y
  | Rat x p, Rat y q => Z.eqb x y && Pos.eqb p q
  | Var m, Var n => Nat.eqb m n
  | Add a b, Add c d | Mul a b, Mul c d => expr_eqb a c && expr_eqb b d
  | Pow a m, Pow b n => expr_eqb a b && Nat.eqb m n
  | Inv a, Inv b | Exp a, Exp b | Ln a, Ln b | Sqrt a, Sqrt b => expr_eqb a b
  | _, _ => false
  end.

Lemma expr_eqb_eq a b : expr_eqb a b = true -> a = b.
Proof.
  revert b. induction a; intros []; simpl; try discriminate; intro H;
    repeat match goal with
    | H : _ && _ = true |- _ => apply andb_true_iff in H as [? ?]
    | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H
    | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H
    | H : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in H
    end; subst; f_equal; auto.
Qed.

(** No part of it can be undefined. *)
Fixpoint total (e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ | Var _ => true
  | Add a b | Mul a b => total a && total b
  | Pow a _ | Exp a => total a
  | Inv _ | Ln _ | Sqrt _ => false
  end.

Lemma total_defined env e : total e = true -> defined env e.
Proof. induction e; simpl; intro H; try discriminate; trivial; try apply andb_true_iff in H as [? ?]; auto. Qed.

(** ** Occurrence *)

Fixpoint occurs (e t : expr) : bool :=
  expr_eqb e t ||
  match t with
  | Int _ | Rat _ _ | Var _ => false
  | Add a b | Mul a b => occurs e a || occurs e b
  | Pow a _ | Inv a | Exp a | Ln a | Sqrt a => occurs e a
  end.

Lemma occurs_defined env e u : occurs e u = true -> defined env u -> defined env e.
Proof.
  assert (Hs : forall a b, expr_eqb a b = true -> defined env b -> defined env a).
  { intros a b H. apply expr_eqb_eq in H. now subst. }
  induction u; intros H D; cbn [occurs] in H; apply orb_true_iff in H as [H|H]; eauto using Hs; try discriminate;
    simpl in D; try (apply orb_true_iff in H as [H|H]); solve [apply IHu; tauto | apply IHu1; tauto | apply IHu2; tauto].
Qed.

(** What can be undefined in e occurs in u. *)
Fixpoint defined_with (u e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ | Var _ => true
  | Add a b | Mul a b => defined_with u a && defined_with u b
  | Pow a _ | Exp a => defined_with u a
  | Inv _ | Ln _ | Sqrt _ => occurs e u
  end.

Lemma defined_with_ok env u e : defined_with u e = true -> defined env u -> defined env e.
Proof.
  intros H D. induction e; cbn [defined_with] in H; try apply andb_true_iff in H as [? ?]; simpl; auto;
    exact (occurs_defined env _ u H D).
Qed.

(** ** Substitution *)

Fixpoint substitute (v : nat) (r e : expr) : expr :=
  match e with
  | Int _ | Rat _ _ => e
  | Var n => if Nat.eqb n v then r else e
  | Add a b => Add (substitute v r a) (substitute v r b)
  | Mul a b => Mul (substitute v r a) (substitute v r b)
  | Pow a n => Pow (substitute v r a) n
  | Inv a => Inv (substitute v r a) | Exp a => Exp (substitute v r a) | Ln a => Ln (substitute v r a) | Sqrt a => Sqrt (substitute v r a)
  end.

Fixpoint updated (env : list R) (v : nat) (x : R) : list R :=
  match env, v with
  | [], _ => []
  | _ :: env, O => x :: env
  | a :: env, S v => a :: updated env v x
  end.

Lemma updated_length env v x : length (updated env v x) = length env.
Proof. revert v. induction env; intros [|v]; simpl; auto. Qed.
Lemma updated_nth env v x n : (v < length env)%nat ->
  List.nth n (updated env v x) 0 = if Nat.eqb n v then x else List.nth n env 0.
Proof.
  revert v n. induction env as [|a env IH]; intros [|v] [|n] H; simpl in *; trivial; try lia. apply IH. lia.
Qed.
Lemma updated_same env v : (v < length env)%nat -> updated env v (List.nth v env 0) = env.
Proof. revert v. induction env as [|a env IH]; intros [|v] H; simpl in *; trivial; try lia. f_equal. apply IH. lia. Qed.

Fixpoint without (v : nat) (e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ => true | Var n => negb (Nat.eqb n v)
  | Add a b | Mul a b => without v a && without v b
  | Pow a _ | Inv a | Exp a | Ln a | Sqrt a => without v a
  end.

Lemma substitute_ok env v r e : defined env r -> eval env r = List.nth v env 0 ->
  eval env (substitute v r e) = eval env e /\ (defined env (substitute v r e) <-> defined env e).
Proof.
  intros D E. induction e as [z|z p|n|a [Ea Da] b [Eb Db]|a [Ea Da] b [Eb Db]|a [Ea Da] n|a [Ea Da]|a [Ea Da]|a [Ea Da]|a [Ea Da]];
    simpl; rewrite ?Ea, ?Eb; try tauto.
  destruct (Nat.eqb_spec n v) as [->|]; simpl; tauto.
Qed.

Lemma even_nonneg x n : Nat.even n = true -> 0 <= x ^ n.
Proof. intro H. apply Nat.even_spec in H as [k ->]. rewrite pow_mult. apply pow_le. simpl. nra. Qed.

Lemma square_positive x : x <> 0 -> 0 < x * x.
Proof. intro H. assert (0 <= x * x) by nra. assert (x * x <> 0) by now apply Rmult_integral_contrapositive_currified. lra. Qed.
