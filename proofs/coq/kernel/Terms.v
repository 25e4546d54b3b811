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

(** ** Needs: what the parts of a term must be where it is defined *)

Inductive need : Set := Nonzero | Positive | Nonnegative.
Definition meets (n : need) (x : R) : Prop :=
  match n with Nonzero => x <> 0 | Positive => 0 < x | Nonnegative => 0 <= x end.
Definition met (env : list R) (k : need * expr) : Prop := defined env (snd k) /\ meets (fst k) (eval env (snd k)).
Definition all_met (env : list R) (K : list (need * expr)) : Prop := forall k, In k K -> met env k.

(** The factors of what is not zero. *)
Fixpoint factors (e : expr) : list (need * expr) :=
  (Nonzero, e) ::
  match e with
  | Mul a b => factors a ++ factors b
  | Pow a (S _) | Inv a => factors a
  | _ => []
  end.

Fixpoint needs (e : expr) : list (need * expr) :=
  match e with
  | Int _ | Rat _ _ | Var _ => []
  | Add a b | Mul a b => needs a ++ needs b
  | Pow a _ | Exp a => needs a
  | Inv a => factors a ++ needs a
  | Ln a => (Positive, a) :: factors a ++ needs a
  | Sqrt a | Root a _ => (Nonnegative, a) :: needs a
  end.

Lemma all_met_app env K K' : all_met env K -> all_met env K' -> all_met env (K ++ K').
Proof. intros H H' k Hin. apply in_app_or in Hin as [Hin|Hin]; auto. Qed.

Lemma all_met_cons env k K : met env k -> all_met env K -> all_met env (k :: K).
Proof. intros H H' x [<-|Hin]; auto. Qed.

Lemma factors_met env e : defined env e -> eval env e <> 0 -> all_met env (factors e).
Proof.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; intros D N;
    apply all_met_cons; try (now split); try (now intros k []); simpl in D, N.
  - destruct D. apply all_met_app; [apply IHa|apply IHb]; trivial; intro Z; apply N; rewrite Z; ring.
  - destruct n as [|n]; [intros k []|]. apply IHa; trivial. intro Z. apply N. rewrite Z. simpl. ring.
  - now apply IHa.
Qed.

Lemma needs_met env e : defined env e -> all_met env (needs e).
Proof.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; cbn [needs defined];
    intro D; try (now intros k []); try (now apply IHa); try (destruct D as [Da H]).
  - apply all_met_app; auto.
  - apply all_met_app; auto.
  - apply all_met_app; [now apply factors_met|auto].
  - apply all_met_cons; [now split|]. apply all_met_app; [apply factors_met; trivial; lra|auto].
  - apply all_met_cons; [now split|auto].
  - apply all_met_cons; [now split|auto].
Qed.

(** ** Substitution *)

Fixpoint substitute (v : nat) (r e : expr) : expr :=
  match e with
  | Int _ | Rat _ _ => e
  | Var n => if Nat.eqb n v then r else e
  | Add a b => Add (substitute v r a) (substitute v r b)
  | Mul a b => Mul (substitute v r a) (substitute v r b)
  | Pow a n => Pow (substitute v r a) n
  | Inv a => Inv (substitute v r a) | Exp a => Exp (substitute v r a) | Ln a => Ln (substitute v r a)
  | Sqrt a => Sqrt (substitute v r a) | Root a n => Root (substitute v r a) n
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
  | Inv a => Inv (replaced n r a) | Exp a => Exp (replaced n r a) | Ln a => Ln (replaced n r a)
  | Sqrt a => Sqrt (replaced n r a) | Root a m => Root (replaced n r a) m
  end.

Lemma replaced_same n r e : negb (occurs r e) = true -> replaced n r e = e.
Proof.
  intro H. apply negb_true_iff in H. induction e; cbn [occurs replaced] in *; apply orb_false_iff in H as [-> H];
    trivial;
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

Lemma even_positive x n : Nat.even n = true -> x <> 0 -> 0 < x ^ n.
Proof. intros H Hx. apply Nat.even_spec in H as [k ->]. rewrite pow_mult. apply pow_lt. simpl. nra. Qed.

Lemma even_nonneg x n : Nat.even n = true -> 0 <= x ^ n.
Proof. intro H. apply Nat.even_spec in H as [k ->]. rewrite pow_mult. apply pow_le. simpl. nra. Qed.

Lemma square_positive x : x <> 0 -> 0 < x * x.
Proof. intro H. assert (0 <= x * x) by nra. assert (x * x <> 0) by now apply Rmult_integral_contrapositive_currified.
  lra. Qed.
