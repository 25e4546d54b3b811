(** * Relations and claims: the whole language of statements

    A relation that contains an undefined term is false. *)

Require Import Reals Lra ZArith QArith List Bool.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Terms.
Import ListNotations.
Open Scope R_scope.

Inductive sign : Set := Le | Lt | Ge | Gt | Eq | Ne.
Definition relation : Set := (sign * expr * expr)%type.

Definition compares (s : sign) (x y : R) : Prop :=
  match s with Le => x <= y | Lt => x < y | Ge => x >= y | Gt => x > y | Eq => x = y | Ne => x <> y end.

Definition rel_holds (env : list R) (r : relation) : Prop :=
  let '(s, a, b) := r in defined env a /\ defined env b /\ compares s (eval env a) (eval env b).

Definition integer (env : list R) (e : expr) : Prop := exists z, eval env e = IZR z.

Record claim : Set := Claim { arity : nat; integers : list expr; given : list relation; then_ : relation }.

Definition all_given (env : list R) (g : list relation) : Prop := forall r, In r g -> rel_holds env r.
Definition all_integers (env : list R) (t : list expr) : Prop := forall e, In e t -> integer env e.

Definition claim_holds (c : claim) : Prop :=
  forall env, length env = arity c -> all_integers env (integers c) -> all_given env (given c) ->
  rel_holds env (then_ c).

Definition instead (c : claim) (r : relation) : claim := Claim (arity c) (integers c) (given c) r.
Definition also (c : claim) (r : relation) : claim := Claim (arity c) (integers c) (given c ++ [r]) (then_ c).

Lemma all_given_also env G r : all_given env G -> rel_holds env r -> all_given env (G ++ [r]).
Proof. intros H Hr x Hin. apply in_app_or in Hin as [Hin|[<-|[]]]; auto. Qed.

Definition minus (a b : expr) : expr := Add a (Mul (Int (-1)) b).

(** What an inequality says is not negative. *)
Definition difference_of (r : relation) : option expr :=
  match r with
  | (Le, a, b) | (Lt, a, b) => Some (minus b a)
  | (Ge, a, b) | (Gt, a, b) => Some (minus a b)
  | _ => None
  end.

Lemma difference_ok env r e : rel_holds env r -> difference_of r = Some e -> defined env e /\ 0 <= eval env e.
Proof. destruct r as [[[] a] b]; simpl; try discriminate; intros (Da & Db & H) E; injection E as <-; simpl;
  repeat split; trivial; lra. Qed.

(** Strict, a, b: what an inequality says is a <= b, or a < b. *)
Definition sides (r : relation) : option (bool * expr * expr) :=
  match r with
  | (Le, a, b) => Some (false, a, b) | (Lt, a, b) => Some (true, a, b)
  | (Ge, a, b) => Some (false, b, a) | (Gt, a, b) => Some (true, b, a)
  | _ => None
  end.

Lemma sides_ok env r strict a b : sides r = Some (strict, a, b) -> defined env a -> defined env b ->
  (if strict then eval env (difference a b) < 0 else eval env (difference a b) <= 0) -> rel_holds env r.
Proof.
  destruct r as [[[] x] y]; simpl; try discriminate; intro E; injection E as <- <- <-; simpl; intros; repeat split;
    trivial; lra.
Qed.
Definition opposite (r : relation) : option relation :=
  match r with
  | (Le, a, b) => Some (Gt, a, b) | (Lt, a, b) => Some (Ge, a, b)
  | (Ge, a, b) => Some (Lt, a, b) | (Gt, a, b) => Some (Le, a, b)
  | _ => None
  end.
Definition rel_without (v : nat) (r : relation) : bool := without v (snd (fst r)) && without v (snd r).

(** A new variable in the place of a term, in a relation. *)
Definition generalized (n : nat) (e : expr) (r : relation) : relation :=
  let '(s, a, b) := r in (s, replaced n e a, replaced n e b).

Lemma generalized_holds env e r : rel_without (length env) r = true ->
  rel_holds env r -> rel_holds (env ++ [eval env e]) (generalized (length env) e r).
Proof.
  destruct r as [[s a] b]. unfold rel_without. simpl. intros H (Da & Db & C). apply andb_true_iff in H as [Ha Hb].
  destruct (replaced_ok env e a Ha) as [-> Ia], (replaced_ok env e b Hb) as [-> Ib]. auto.
Qed.
Lemma generalized_back env e s a b : rel_without (length env) (s, a, b) = true -> defined env a -> defined env b ->
  rel_holds (env ++ [eval env e]) (generalized (length env) e (s, a, b)) -> rel_holds env (s, a, b).
Proof.
  unfold rel_without. simpl. intros H Da Db (_ & _ & C). apply andb_true_iff in H as [Ha Hb].
  destruct (replaced_ok env e a Ha) as [Ea _], (replaced_ok env e b Hb) as [Eb _]. rewrite Ea, Eb in C. auto.
Qed.

Definition substituted (v : nat) (r : expr) (x : relation) : relation :=
  let '(s, a, b) := x in (s, substitute v r a, substitute v r b).

Lemma substituted_ok env v r x : defined env r -> eval env r = List.nth v env 0 ->
  (rel_holds env (substituted v r x) <-> rel_holds env x).
Proof.
  intros D E. destruct x as [[s a] b]. simpl. destruct (substitute_ok env v r a D E) as [-> ->].
  destruct (substitute_ok env v r b D E) as [-> ->]. tauto.
Qed.
