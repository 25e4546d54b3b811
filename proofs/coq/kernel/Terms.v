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
  | Pow a m, Pow b n | Root a m, Root b n => expr_eqb a b && Nat.eqb m n
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
  | Inv _ | Ln _ | Sqrt _ | Root _ _ => false
  end.

Lemma total_defined env e : total e = true -> defined env e.
Proof. induction e; simpl; intro H; try discriminate; trivial; try apply andb_true_iff in H as [? ?]; auto. Qed.

(** ** Occurrence *)

Fixpoint occurs (e t : expr) : bool :=
  expr_eqb e t ||
  match t with
  | Int _ | Rat _ _ | Var _ => false
  | Add a b | Mul a b => occurs e a || occurs e b
  | Pow a _ | Inv a | Exp a | Ln a | Sqrt a | Root a _ => occurs e a
  end.

Lemma occurs_defined env e u : occurs e u = true -> defined env u -> defined env e.
Proof.
  assert (Hs : forall a b, expr_eqb a b = true -> defined env b -> defined env a).
  { intros a b H. apply expr_eqb_eq in H. now subst. }
  induction u; intros H D; cbn [occurs] in H; apply orb_true_iff in H as [H|H]; eauto using Hs; try discriminate;
    simpl in D; try (apply orb_true_iff in H as [H|H]); solve [apply IHu; tauto | apply IHu1; tauto | apply IHu2; tauto].
Qed.

(** A factor of what is not zero, and of something whose logarithm occurs. *)
Fixpoint divides (b a : expr) : bool :=
  expr_eqb b a ||
  match a with
  | Mul x y => divides b x || divides b y
  | Pow x (S _) | Inv x => divides b x
  | _ => false
  end.

Lemma divides_ok env b a : divides b a = true -> defined env a -> eval env a <> 0 -> defined env b /\ eval env b <> 0.
Proof.
  induction a as [z|z p|n|x IHx y IHy|x IHx y IHy|x IHx n|x IHx|x IHx|x IHx|x IHx|x IHx n]; cbn [divides]; intros H D N;
    apply orb_true_iff in H as [H|H]; try discriminate; try (apply expr_eqb_eq in H; subst b; now split); simpl in D, N.
  - destruct D. apply orb_true_iff in H as [H|H]; [apply IHx|apply IHy]; trivial; intro Z; apply N; rewrite Z; ring.
  - destruct n as [|n]; [discriminate|]. apply IHx; trivial. intro Z. apply N. rewrite Z. simpl. ring.
  - now apply IHx.
Qed.

Fixpoint divides_in_ln (b u : expr) : bool :=
  match u with
  | Int _ | Rat _ _ | Var _ => false
  | Add x y | Mul x y => divides_in_ln b x || divides_in_ln b y
  | Ln x => divides b x || divides_in_ln b x
  | Pow x _ | Inv x | Exp x | Sqrt x | Root x _ => divides_in_ln b x
  end.

Lemma divides_in_ln_ok env b u : divides_in_ln b u = true -> defined env u -> defined env b /\ eval env b <> 0.
Proof.
  induction u; cbn [divides_in_ln]; intros H D; simpl in D; try discriminate;
    try (apply orb_true_iff in H as [H|H]); try tauto; try (apply IHu; tauto); try (apply IHu1; tauto); try (apply IHu2; tauto).
  apply (divides_ok env b u H); [tauto|lra].
Qed.

(** What can be undefined in e occurs in u, or is the logarithm of a square of a factor in a logarithm of u. *)
Fixpoint defined_with (u e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ | Var _ => true
  | Add a b | Mul a b => defined_with u a && defined_with u b
  | Pow a _ | Exp a => defined_with u a
  | Ln (Pow b n) => occurs e u || Nat.even n && divides_in_ln b u
  | Inv _ | Ln _ | Sqrt _ | Root _ _ => occurs e u
  end.

Lemma even_positive x n : Nat.even n = true -> x <> 0 -> 0 < x ^ n.
Proof. intros H Hx. apply Nat.even_spec in H as [k ->]. rewrite pow_mult. apply pow_lt. simpl. nra. Qed.

Lemma defined_with_ok env u e : defined_with u e = true -> defined env u -> defined env e.
Proof.
  intros H D. induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; cbn [defined_with] in H;
    try (apply andb_true_iff in H as [? ?]; simpl; auto; fail); try (simpl; auto; fail);
    try (exact (occurs_defined env _ u H D)).
  destruct a as [z|z p|m|a b|a b|b n|a|a|a|a|a n]; try (exact (occurs_defined env _ u H D)).
  apply orb_true_iff in H as [H|H]; [exact (occurs_defined env _ u H D)|]. apply andb_true_iff in H as [Hn H].
  destruct (divides_in_ln_ok env b u H D) as [Db Nb]. simpl. split; [exact Db|now apply even_positive].
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
  | Root a n => Root (substitute v r a) n
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
  | Pow a _ | Inv a | Exp a | Ln a | Sqrt a | Root a _ => without v a
  end.

Lemma substitute_ok env v r e : defined env r -> eval env r = List.nth v env 0 ->
  eval env (substitute v r e) = eval env e /\ (defined env (substitute v r e) <-> defined env e).
Proof.
  intros D E. induction e as [z|z p|n|a [Ea Da] b [Eb Db]|a [Ea Da] b [Eb Db]|a [Ea Da] n|a [Ea Da]|a [Ea Da]|a [Ea Da]|a [Ea Da]|a [Ea Da] n];
    simpl; rewrite ?Ea, ?Eb; try tauto.
  destruct (Nat.eqb_spec n v) as [->|]; simpl; tauto.
Qed.

(** A new variable in the place of a term. *)
Fixpoint replaced (n : nat) (r e : expr) : expr :=
  if expr_eqb r e then Var n else
  match e with
  | Int _ | Rat _ _ | Var _ => e
  | Add a b => Add (replaced n r a) (replaced n r b)
  | Mul a b => Mul (replaced n r a) (replaced n r b)
  | Pow a m => Pow (replaced n r a) m
  | Inv a => Inv (replaced n r a) | Exp a => Exp (replaced n r a) | Ln a => Ln (replaced n r a) | Sqrt a => Sqrt (replaced n r a)
  | Root a m => Root (replaced n r a) m
  end.

Lemma replaced_same n r e : negb (occurs r e) = true -> replaced n r e = e.
Proof.
  intro H. apply negb_true_iff in H. induction e; cbn [occurs replaced] in *; apply orb_false_iff in H as [-> H]; trivial;
    try (apply orb_false_iff in H as [Ha Hb]; now rewrite IHe1, IHe2); now rewrite IHe.
Qed.

Lemma replaced_ok env r e : without (length env) e = true -> let more := env ++ [eval env r] in
  eval more (replaced (length env) r e) = eval env e /\ (defined env e -> defined more (replaced (length env) r e)).
Proof.
  intros H more.
  assert (New : eval more (Var (length env)) = eval env r).
  { unfold more. cbn [eval]. rewrite app_nth2 by lia. now rewrite Nat.sub_diag. }
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; cbn [replaced without] in *;
    destruct (expr_eqb r _) eqn:E; try (apply expr_eqb_eq in E; rewrite New, E; cbn [defined]; tauto);
    try (apply andb_true_iff in H as [Ha Hb]; destruct (IHa Ha) as [Ea Da], (IHb Hb) as [Eb Db];
      cbn [eval defined]; rewrite Ea, Eb; tauto);
    try (destruct (IHa H) as [Ea Da]; cbn [eval defined]; rewrite Ea; tauto); try (split; trivial; fail).
  split; [|trivial]. unfold more. cbn [eval]. destruct (Nat.eqb_spec n (length env)) as [|Hn]; [discriminate|].
  destruct (Nat.lt_ge_cases n (length env)); [now apply app_nth1|].
  rewrite !nth_overflow; trivial. rewrite app_length. simpl. lia.
Qed.

Lemma even_nonneg x n : Nat.even n = true -> 0 <= x ^ n.
Proof. intro H. apply Nat.even_spec in H as [k ->]. rewrite pow_mult. apply pow_le. simpl. nra. Qed.

Lemma square_positive x : x <> 0 -> 0 < x * x.
Proof. intro H. assert (0 <= x * x) by nra. assert (x * x <> 0) by now apply Rmult_integral_contrapositive_currified. lra. Qed.
