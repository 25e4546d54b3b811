(** * Terms as quotients of polynomials over atoms

    A certificate names the atoms: variables, exponentials, logarithms and roots. Hints say of others what they are in
    terms of these, and are verified. *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Polynomials Terms.
Import ListNotations.
Open Scope R_scope.

Definition table := list (expr * quotient).

(** What a quotient says of a term, wherever the term is defined. *)
Definition represents (l : env_of) (env : list R) (e : expr) (f : quotient) : Prop :=
  defined env e -> stands_for l (eval env e) f.
Definition table_ok (l : env_of) (env : list R) (t : table) : Prop :=
  forall e f, In (e, f) t -> represents l env e f.

Fixpoint look (t : table) (e : expr) : option quotient :=
  match t with
  | [] => None
  | (e', f) :: t => if expr_eqb e e' then Some f else look t e
  end.

Lemma look_ok l env t e f : table_ok l env t -> look t e = Some f -> represents l env e f.
Proof.
  induction t as [|[e' f'] t IH]; simpl; intros H E; [discriminate|].
  destruct (expr_eqb e e') eqn:Ee.
  - apply expr_eqb_eq in Ee. subst. injection E as <-. apply H. now left.
  - apply IH; trivial. intros e1 f1 H1. apply H. now right.
Qed.

Definition both (op : quotient -> quotient -> quotient) (x y : option quotient) : option quotient :=
  match x, y with Some x, Some y => Some (op x y) | _, _ => None end.

(** The term, or its inverse: an inverse goes into products and powers, so that their factors are shared. *)
Fixpoint normal (t : table) (inverse : bool) (e : expr) : option quotient :=
  let turned (x : option quotient) := if inverse then option_map qinverse x else x in
  match e with
  | Int z => turned (Some (qconst (Qmake z 1)))
  | Rat z p => turned (Some (qconst (Qred (Qmake z p))))
  | Add a b => turned (both qplus (normal t false a) (normal t false b))
  | Mul a b => both qtimes (normal t inverse a) (normal t inverse b)
  | Pow a O => Some (qconst 1)
  | Pow a n => option_map (fun x => qpower x n) (normal t inverse a)
  | Inv a => normal t (negb inverse) a
  | Var _ | Exp _ | Ln _ | Sqrt _ | Root _ _ => turned (look t e)
  end.

Definition norm (t : table) (e : expr) : option quotient := normal t false e.

Lemma Q2R_rat z p : Q2R (Qmake z p) = IZR z / IZR (Zpos p).
Proof. reflexivity. Qed.

Lemma normal_ok l env t e : table_ok l env t -> forall inverse f, normal t inverse e = Some f -> defined env e ->
  (inverse = true -> eval env e <> 0) -> stands_for l (if inverse then / eval env e else eval env e) f.
Proof.
  intro Ht.
  assert (T : forall (inverse : bool) x y f, stands_for l y x ->
    (if inverse then option_map qinverse (Some x) else Some x) = Some f -> (inverse = true -> y <> 0) ->
    stands_for l (if inverse then / y else y) f).
  { intros [] x y f H E N; injection E as <-; [apply qinverse_ok; auto|exact H]. }
  assert (A : forall (inverse : bool) e f, (if inverse then option_map qinverse (look t e) else look t e) = Some f ->
    defined env e -> (inverse = true -> eval env e <> 0) ->
      stands_for l (if inverse then / eval env e else eval env e) f).
  { intros inverse e0 f E D N. destruct (look t e0) as [x|] eqn:L; [|destruct inverse; discriminate].
    exact (T inverse x _ f (look_ok l env t e0 x Ht L D) E N). }
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; intros inverse f E D N;
    try (apply A; assumption); cbn [normal] in E.
  - apply (T inverse (qconst (Qmake z 1))); trivial. change (eval env (Int z)) with (IZR z). rewrite <- (Q2R_whole z).
    apply qconst_ok.
  - apply (T inverse (qconst (Qred (Qmake z p)))); trivial.
    change (eval env (Rat z p)) with (Q2R (Qmake z p)). rewrite <- Q2R_red. apply qconst_ok.
  - destruct (normal t false a) as [x|] eqn:Ex; [|destruct inverse; discriminate].
    destruct (normal t false b) as [y|] eqn:Ey; [|destruct inverse; discriminate].
    destruct D as [Da Db]. apply (T inverse (qplus x y)); trivial. simpl eval. apply qplus_ok.
    + apply (IHa false x Ex Da). discriminate.
    + apply (IHb false y Ey Db). discriminate.
  - destruct (normal t inverse a) as [x|] eqn:Ex; [|discriminate].
    destruct (normal t inverse b) as [y|] eqn:Ey; [|discriminate]. injection E as <-. destruct D as [Da Db].
    assert (X := IHa inverse x Ex Da). assert (Y := IHb inverse y Ey Db). destruct inverse; simpl eval in *.
    + assert (Na : eval env a <> 0) by (intro Z; apply N; trivial; rewrite Z; ring).
      assert (Nb : eval env b <> 0) by (intro Z; apply N; trivial; rewrite Z; ring).
      rewrite Rinv_mult. apply qtimes_ok; auto.
    + apply qtimes_ok; [apply X|apply Y]; discriminate.
  - destruct n as [|n].
    { injection E as <-. assert (O1 : stands_for l 1 (qconst 1)) by (rewrite <- Enclosures.Q2R_1; apply qconst_ok).
      destruct inverse; simpl; [replace (/ 1) with 1 by field|]; exact O1. }
    destruct (normal t inverse a) as [x|] eqn:Ex; [|discriminate]. injection E as <-.
    assert (X := IHa inverse x Ex D). destruct inverse; cbn [eval] in *.
    + rewrite <- pow_inv. apply qpower_ok, X. intros _ Z. apply N; trivial. rewrite Z. simpl. ring.
    + apply qpower_ok, X. discriminate.
  - assert (X := IHa (negb inverse) f E). destruct D as [Da Na]. specialize (X Da (fun _ => Na)).
    destruct inverse; simpl in *; [now rewrite Rinv_inv|exact X].
Qed.

Lemma norm_ok l env t e f : table_ok l env t -> norm t e = Some f -> represents l env e f.
Proof. intros Ht E D. apply (normal_ok l env t e Ht false f E D). discriminate. Qed.

(** Two terms have the same value where both are defined. *)
Definition equal (t : table) (a b : expr) : bool :=
  match norm t a, norm t b with Some x, Some y => same x y | _, _ => false end.

Lemma equal_ok l env t a b : table_ok l env t -> equal t a b = true -> defined env a -> defined env b ->
  eval env a = eval env b.
Proof.
  intros Ht. unfold equal. destruct (norm t a) as [x|] eqn:Ex; [|discriminate].
  destruct (norm t b) as [y|] eqn:Ey; [|discriminate]. intros E Da Db.
  exact (same_ok l _ _ x y (norm_ok l env t a x Ht Ex Da) (norm_ok l env t b y Ht Ey Db) E).
Qed.

(** ** What needs that are met say of other terms: of those that are written, or are by algebra, the same *)

Definition enough (m n : need) : bool :=
  match m, n with Positive, _ | Nonzero, Nonzero | Nonnegative, Nonnegative => true | _, _ => false end.

Definition told (t : table) (K : list (need * expr)) (n : need) (a : expr) : bool :=
  if existsb (fun k => enough (fst k) n && expr_eqb a (snd k)) K then true
  else existsb (fun k => if enough (fst k) n then equal t a (snd k) else false) K.

Fixpoint told_nonzero (t : table) (K : list (need * expr)) (e : expr) : bool :=
  if told t K Nonzero e then true
  else match e with
       | Mul a b => told_nonzero t K a && told_nonzero t K b
       | Pow a _ => told_nonzero t K a
       | Exp _ | Inv _ => true
       | _ => false
       end.

Definition told_positive (t : table) (K : list (need * expr)) (e : expr) : bool :=
  if told t K Positive e then true
  else match e with Exp _ => true | Pow a n => Nat.even n && told_nonzero t K a | _ => false end.

Fixpoint defined_by (t : table) (K : list (need * expr)) (e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ | Var _ => true
  | Add a b | Mul a b => defined_by t K a && defined_by t K b
  | Pow a _ | Exp a => defined_by t K a
  | Inv a => defined_by t K a && told_nonzero t K a
  | Ln a => defined_by t K a && told_positive t K a
  | Sqrt a | Root a _ => defined_by t K a && told t K Nonnegative a
  end.

Section Told.
  Variables (l : env_of) (env : list R) (t : table) (K : list (need * expr)).
  Hypotheses (Ht : table_ok l env t) (HK : all_met env K).

  Lemma told_ok n a : told t K n a = true -> defined env a -> meets n (eval env a).
  Proof using Ht HK.
    intros H D.
    assert (E : forall k, In k K -> enough (fst k) n = true -> eval env a = eval env (snd k) -> meets n (eval env a)).
    { intros [m b] Hin Hmn ->. destruct (HK _ Hin) as [_ M]. destruct m, n; simpl in *; try discriminate; lra. }
    unfold told in H. destruct (existsb (fun k => _ && _) K) eqn:F.
    - apply existsb_exists in F as (k & Hin & F). apply andb_true_iff in F as [Hn F]. apply expr_eqb_eq in F.
      apply (E k Hin Hn). now rewrite F.
    - apply existsb_exists in H as (k & Hin & H). destruct (enough (fst k) n) eqn:Hn; [|discriminate].
      apply (E k Hin Hn). apply (equal_ok l env t a (snd k) Ht H D). apply (HK k Hin).
  Qed.

  Lemma told_nonzero_ok e : told_nonzero t K e = true -> defined env e -> eval env e <> 0.
  Proof using Ht HK.
    induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; cbn [told_nonzero];
      destruct (told t K Nonzero _) eqn:E; intros H D; try (exact (told_ok Nonzero _ E D)); try discriminate;
        simpl in D |- *.
    - apply andb_true_iff in H as [Ha Hb]. destruct D. apply Rmult_integral_contrapositive_currified; auto.
    - apply pow_nonzero. auto.
    - apply Rinv_neq_0_compat. tauto.
    - assert (X := exp_pos (eval env a)). lra.
  Qed.

  Lemma told_positive_ok e : told_positive t K e = true -> defined env e -> 0 < eval env e.
  Proof using Ht HK.
    unfold told_positive. destruct (told t K Positive e) eqn:E; intros H D; [exact (told_ok Positive e E D)|].
    destruct e; try discriminate; simpl in D |- *; [|apply exp_pos].
    apply andb_true_iff in H as [Hn H]. apply even_positive; trivial. now apply told_nonzero_ok.
  Qed.

  Lemma defined_by_ok e : defined_by t K e = true -> defined env e.
  Proof using Ht HK.
    induction e; cbn [defined_by]; intro H; simpl; trivial; auto; apply andb_true_iff in H as [Ha Hb]; auto;
      split; auto using told_nonzero_ok, told_positive_ok; apply (told_ok Nonnegative); auto.
  Qed.
End Told.

Lemma defined_with_ok l env t u e : table_ok l env t -> defined_by t (needs u) e = true -> defined env u ->
  defined env e.
Proof. intros Ht H D. exact (defined_by_ok l env t _ Ht (needs_met env u D) e H). Qed.

(** ** Atoms *)

Definition environment (atoms : list expr) (env : list R) : env_of :=
  fun p => eval env (List.nth (Pos.to_nat p - 1) atoms (Int 0)).

Fixpoint atom_table (atoms : list expr) (p : positive) : table :=
  match atoms with [] => [] | e :: atoms => (e, (patom p, [])) :: atom_table atoms (Pos.succ p) end.

Lemma atom_table_ok atoms env : table_ok (environment atoms env) env (atom_table atoms 1).
Proof.
  assert (H : forall rest p, (forall i, List.nth i rest (Int 0) = List.nth (Pos.to_nat p - 1 + i) atoms (Int 0)) ->
    table_ok (environment atoms env) env (atom_table rest p)).
  { induction rest as [|e rest IH]; intros p Hp e' f; simpl; [easy|]. intros [E|Hin].
    - injection E as <- <-. intros _. split; [intros q n []|]. simpl. rewrite ev_atom.
      unfold environment. rewrite <- (Nat.add_0_r (Pos.to_nat p - 1)), <- Hp. simpl. field.
    - apply (IH (Pos.succ p)); trivial. intro i. specialize (Hp (S i)). simpl in Hp. rewrite Hp. f_equal. lia. }
  apply H. intro i. f_equal.
Qed.

(** ** Hints

    exp a = product of (exp a_i)^n_i; N ln a = sum of n_i ln b_i - sum of m_j ln c_j; roots of a = those of b. *)

Inductive hint : Set :=
| HExp (a : expr) (parts : list (expr * Z))
| HLn (a : expr) (n : positive) (above below : list (expr * positive))
| HSqrt (a b : expr)
| HRoot (a b : expr) (n : nat).

(** *** Exponentials *)

Fixpoint weighted (parts : list (expr * Z)) : expr :=
  match parts with [] => Int 0 | (a, n) :: parts => Add (Mul (Int n) a) (weighted parts) end.

Definition to_power (f : quotient) (n : Z) : quotient :=
  if Z.leb 0 n then qpower f (Z.to_nat n) else qpower (qinverse f) (Z.to_nat (- n)).

(** [whole] is the term of which they are parts: it is defined, and so are they. *)
Fixpoint exp_parts (t : table) (whole : expr) (parts : list (expr * Z)) : option quotient :=
  match parts with
  | [] => Some (qconst 1)
  | (a, n) :: parts =>
      match look t (Exp a), exp_parts t whole parts with
      | Some x, Some f => if defined_by t (needs whole) a then Some (qtimes (to_power x n) f) else None
      | _, _ => None
      end
  end.

Lemma exp_times_nat x n : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; [rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.

Lemma to_power_ok l f n x : stands_for l (exp x) f -> stands_for l (exp (IZR n * x)) (to_power f n).
Proof.
  intro Hf. assert (Hx := exp_pos x). unfold to_power. destruct (Z.leb_spec 0 n) as [H|H].
  - rewrite <- (Z2Nat.id n H) at 1. rewrite <- INR_IZR_INZ, exp_times_nat. now apply qpower_ok.
  - set (k := Z.to_nat (- n)).
    replace (IZR n) with (- INR k) by (rewrite INR_IZR_INZ; unfold k; rewrite Z2Nat.id, opp_IZR by lia; ring).
    replace (- INR k * x) with (- (INR k * x)) by ring.
    rewrite exp_Ropp, exp_times_nat, <- pow_inv. apply qpower_ok, qinverse_ok; trivial. lra.
Qed.

Lemma stands_for_one l : stands_for l 1 (qconst 1).
Proof. rewrite <- Enclosures.Q2R_1. apply qconst_ok. Qed.

Lemma exp_parts_ok l env t whole parts f : table_ok l env t -> defined env whole -> exp_parts t whole parts = Some f ->
  defined env (weighted parts) /\ stands_for l (exp (eval env (weighted parts))) f.
Proof.
  intros Ht Dw. revert f. induction parts as [|[a n] parts IH]; simpl; intros f E.
  - injection E as <-. rewrite exp_0. split; [exact I|apply stands_for_one].
  - destruct (look t (Exp a)) as [x|] eqn:El; [|discriminate].
    destruct (exp_parts t whole parts) as [g|]; [|discriminate].
    destruct (defined_by t (needs whole) a) eqn:Ea; [|discriminate]. injection E as <-.
    assert (Da := defined_with_ok l env t _ _ Ht Ea Dw). destruct (IH g eq_refl) as (D & X).
    split; [auto|]. rewrite exp_plus. apply qtimes_ok; trivial.
    apply to_power_ok. exact (look_ok l env t (Exp a) x Ht El Da).
Qed.

(** *** Logarithms *)

Fixpoint product (parts : list (expr * positive)) : expr :=
  match parts with [] => Int 1 | (b, n) :: parts => Mul (Pow b (Pos.to_nat n)) (product parts) end.

Definition nonnegative_form (b : expr) : bool :=
  match b with Int z => Z.leb 0 z | Pow _ n => Nat.even n | Exp _ => true | _ => false end.

Lemma nonnegative_form_ok env b : nonnegative_form b = true -> 0 <= eval env b.
Proof.
  destruct b; try discriminate; simpl; intro H.
  - apply IZR_le. now apply Z.leb_le.
  - now apply even_nonneg.
  - left. apply exp_pos.
Qed.

(** The logarithm of an exponential is what is in it. *)
Definition ln_of (t : table) (b : expr) : option quotient :=
  match b with Exp a => norm t a | _ => look t (Ln b) end.

Lemma ln_of_ok l env t b f : table_ok l env t -> ln_of t b = Some f -> defined env b -> 0 < eval env b ->
  stands_for l (ln (eval env b)) f.
Proof.
  intros Ht E D P.
  assert (L : look t (Ln b) = Some f -> stands_for l (ln (eval env b)) f).
  { intro E'. exact (look_ok l env t (Ln b) f Ht E' (conj D P)). }
  destruct b; cbn [ln_of] in E; try (apply L, E). simpl in D |- *. rewrite ln_exp. exact (norm_ok l env t _ f Ht E D).
Qed.

Fixpoint ln_parts (t : table) (whole : expr) (parts : list (expr * positive)) : option quotient :=
  match parts with
  | [] => Some (qconst 0)
  | (b, n) :: parts =>
      match ln_of t b, ln_parts t whole parts with
      | Some x, Some f =>
          if defined_by t (needs whole) b && nonnegative_form b then Some (qplus (qtimes (qconst (Zpos n # 1)) x) f)
          else None
      | _, _ => None
      end
  end.

Lemma ln_pow x n : 0 < x -> ln (x ^ n) = INR n * ln x.
Proof.
  intro Hx. induction n as [|n IH]; [simpl; rewrite ln_1; ring|].
  rewrite S_INR. simpl pow. rewrite ln_mult, IH by (trivial; now apply pow_lt). ring.
Qed.

Lemma ln_parts_ok l env t whole parts f : table_ok l env t -> defined env whole -> ln_parts t whole parts = Some f ->
  defined env (product parts) /\ (eval env (product parts) <> 0 ->
    0 < eval env (product parts) /\ stands_for l (ln (eval env (product parts))) f).
Proof.
  intros Ht Dw. revert f. induction parts as [|[b n] parts IH]; simpl; intros f E.
  - injection E as <-. split; [exact I|]. intros _. rewrite ln_1. split; [lra|].
    rewrite <- Enclosures.Q2R_0. apply qconst_ok.
  - destruct (ln_of t b) as [x|] eqn:El; [|discriminate].
    destruct (ln_parts t whole parts) as [q|]; [|discriminate].
    destruct (defined_by t (needs whole) b && nonnegative_form b) eqn:Eb; [|discriminate]. injection E as <-.
    apply andb_true_iff in Eb as [Eb En]. assert (Db := defined_with_ok l env t _ _ Ht Eb Dw).
    destruct (IH q eq_refl) as (Dp & Hp). split; [auto|]. intro Hnz.
    assert (Hb : 0 < eval env b).
    { assert (eval env b <> 0). { intro Z. apply Hnz. rewrite Z, pow_i by apply Pos2Nat.is_pos. ring. }
      assert (N := nonnegative_form_ok env b En). lra. }
    assert (Hr : eval env (product parts) <> 0) by (intro Z; apply Hnz; rewrite Z; ring).
    destruct (Hp Hr) as [Hpos Hln]. split; [apply Rmult_lt_0_compat; trivial; now apply pow_lt|].
    rewrite ln_mult, ln_pow by (trivial; now apply pow_lt). apply qplus_ok; trivial.
    rewrite INR_IZR_INZ, positive_nat_Z, <- (Q2R_whole (Zpos n)).
    apply qtimes_ok; [apply qconst_ok|]. exact (ln_of_ok l env t b x Ht El Db Hb).
Qed.

(** Not zero, because it is a number, an exponential, or a power of what is a denominator. *)
Definition a_denominator (d : powers) (f : quotient) : bool :=
  let c := lead (fst f) in
  negb (Qeq_bool c 0) && (peq (fst f) (Pc c) || existsb (fun g => peq (fst f) (pmul (Pc c) (fst g))) d).

Lemma a_denominator_ok l x d f : all_nonzero l d -> stands_for l x f -> a_denominator d f = true -> x <> 0.
Proof.
  intros Hd [Hf ->] H. apply andb_true_iff in H as [Hc H]. apply negb_true_iff, Qeq_false in Hc.
  rewrite Enclosures.Q2R_0 in Hc. apply Rmult_integral_contrapositive_currified.
  - apply orb_true_iff in H as [H|H]; [apply (ev_eq l) in H; now rewrite H, ev_const|].
    apply existsb_exists in H as ([p n] & Hin & H). apply (ev_eq l) in H. rewrite H, ev_mul, ev_const. simpl.
    apply Rmult_integral_contrapositive_currified; trivial. now apply (Hd p n).
  - apply Rinv_neq_0_compat. now apply value_nonzero.
Qed.

Definition nonzero_form (t : table) (d : powers) (b : expr) : bool :=
  match b with
  | Exp _ => true
  | Pow a _ | a => match norm t a with Some f => a_denominator d f | None => false end
  end.

Lemma nonzero_form_ok l env t d b : table_ok l env t -> all_nonzero l d -> nonzero_form t d b = true ->
  defined env b -> eval env b <> 0.
Proof.
  intros Ht Hd H D.
  assert (A : forall a, match norm t a with Some f => a_denominator d f | None => false end = true ->
    defined env a -> eval env a <> 0).
  { intros a E Da. destruct (norm t a) as [f|] eqn:Ef; [|discriminate].
    exact (a_denominator_ok l _ d f Hd (norm_ok l env t a f Ht Ef Da) E). }
  destruct b as [z|z p|n|a b|a b|a n|a|a|a|a|a n]; cbn [nonzero_form] in H; try (now apply A).
  - apply pow_nonzero. now apply A.
  - assert (X := exp_pos (eval env a)). simpl. lra.
Qed.

Definition ln_hint (t : table) (a : expr) (n : positive) (above below : list (expr * positive)) : option quotient :=
  match norm t a, ln_parts t a above, ln_parts t a below with
  | Some f, Some p, Some q =>
      if equal t (Mul (Pow a (Pos.to_nat n)) (product below)) (product above) &&
         forallb (fun c => nonzero_form t (snd f) (fst c)) below
      then Some (qtimes (qconst (1 # n)) (qplus p (qtimes (qconst (-1)) q))) else None
  | _, _, _ => None
  end.

Lemma product_nonzero env parts : (forall c, In c parts -> eval env (fst c) <> 0) -> eval env (product parts) <> 0.
Proof.
  induction parts as [|[b n] parts IH]; simpl; intro H; [lra|]. apply Rmult_integral_contrapositive_currified.
  - apply pow_nonzero. apply (H (b, n)). now left.
  - apply IH. intros c Hc. apply H. now right.
Qed.

Lemma product_defined env parts : defined env (product parts) -> forall c, In c parts -> defined env (fst c).
Proof.
  induction parts as [|[b n] parts IH]; simpl; [intros _ c []|]. intros D c [<-|H]; [tauto|]. apply IH; tauto.
Qed.

Lemma ln_hint_ok l env t a n above below f : table_ok l env t -> ln_hint t a n above below = Some f ->
  represents l env (Ln a) f.
Proof.
  intros Ht E [Da Pa]. unfold ln_hint in E.
  destruct (norm t a) as [x|] eqn:Ex; [|discriminate].
  destruct (ln_parts t a above) as [p|] eqn:Ep; [|discriminate].
  destruct (ln_parts t a below) as [q|] eqn:Eq; [|discriminate].
  destruct (equal _ _ _ && _) eqn:Es; [|discriminate]. injection E as <-. apply andb_true_iff in Es as [Es Hb].
  destruct (norm_ok l env t a x Ht Ex Da) as [Hx _].
  destruct (ln_parts_ok l env t a above p Ht Da Ep) as (Dp & Hp).
  destruct (ln_parts_ok l env t a below q Ht Da Eq) as (Dq & Hq).
  assert (Nb : eval env (product below) <> 0).
  { apply product_nonzero. intros c Hc. rewrite forallb_forall in Hb.
    apply (nonzero_form_ok l env t (snd x) (fst c) Ht Hx (Hb c Hc)). exact (product_defined env below Dq c Hc). }
  destruct (Hq Nb) as [Pq Sq].
  assert (E : eval env a ^ Pos.to_nat n * eval env (product below) = eval env (product above)).
  { apply (equal_ok l env t (Mul (Pow a (Pos.to_nat n)) (product below)) (product above) Ht Es); simpl; auto. }
  assert (Pn := pow_lt (eval env a) (Pos.to_nat n) Pa).
  assert (Pp := Rmult_lt_0_compat _ _ Pn Pq). rewrite E in Pp.
  destruct Hp as [_ Sp]; [lra|].
  assert (L : ln (eval env (product above)) = IZR (Zpos n) * ln (eval env a) + ln (eval env (product below))).
  { rewrite <- E, ln_mult, ln_pow by trivial. now rewrite INR_IZR_INZ, positive_nat_Z. }
  assert (V : ln (eval env a) =
    Q2R (1 # n) * (ln (eval env (product above)) + Q2R (-1) * ln (eval env (product below)))).
  { rewrite L, Q2R_rat. replace (Q2R (-1)) with (-1) by (unfold Q2R; simpl; field). field. apply not_0_IZR.
    discriminate. }
  simpl eval. rewrite V. apply qtimes_ok; [apply qconst_ok|]. apply qplus_ok; trivial.
  apply qtimes_ok; trivial. apply qconst_ok.
Qed.

(** ** Tables *)

Definition read_hint (t : table) (h : hint) : option (expr * quotient) :=
  match h with
  | HExp a parts =>
      match exp_parts t a parts with
      | Some f => if equal t a (weighted parts) then Some (Exp a, f) else None
      | None => None
      end
  | HLn a n above below => option_map (fun f => (Ln a, f)) (ln_hint t a n above below)
  | HSqrt a b =>
      match look t (Sqrt b) with
      | Some f => if defined_by t (needs a) b && equal t a b then Some (Sqrt a, f) else None
      | None => None
      end
  | HRoot a b n =>
      match look t (Root b n) with
      | Some f => if defined_by t (needs a) b && equal t a b then Some (Root a n, f) else None
      | None => None
      end
  end.

Lemma read_hint_ok l env t h e f : table_ok l env t -> read_hint t h = Some (e, f) -> represents l env e f.
Proof.
  intro Ht. destruct h as [a parts|a n above below|a b|a b n]; cbn [read_hint].
  - destruct (exp_parts t a parts) as [g|] eqn:Eg; [|discriminate].
    destruct (equal t a (weighted parts)) eqn:Es; [|discriminate]. intros E. injection E as <- <-. intros Da.
    simpl in Da.
    destruct (exp_parts_ok l env t a parts g Ht Da Eg) as (Dw & Hexp). simpl.
    rewrite (equal_ok l env t a (weighted parts) Ht Es Da Dw). exact Hexp.
  - destruct (ln_hint t a n above below) as [g|] eqn:Eg; [|discriminate]. intro E. injection E as <- <-.
    exact (ln_hint_ok l env t a n above below g Ht Eg).
  - destruct (look t (Sqrt b)) as [g|] eqn:Eg; [|discriminate].
    destruct (defined_by t (needs a) b && equal t a b) eqn:Es; [|discriminate]. apply andb_true_iff in Es as [Hb Es].
    intros E. injection E as <- <-. intros [Da Hpos]. assert (Db := defined_with_ok l env t a b Ht Hb Da).
    assert (Hab := equal_ok l env t a b Ht Es Da Db).
    simpl. rewrite Hab. apply (look_ok l env t (Sqrt b) g Ht Eg). split; [exact Db|now rewrite <- Hab].
  - destruct (look t (Root b n)) as [g|] eqn:Eg; [|discriminate].
    destruct (defined_by t (needs a) b && equal t a b) eqn:Es; [|discriminate]. apply andb_true_iff in Es as [Hb Es].
    intros E. injection E as <- <-. intros [Da Hpos]. assert (Db := defined_with_ok l env t a b Ht Hb Da).
    assert (Hab := equal_ok l env t a b Ht Es Da Db).
    simpl. rewrite Hab. apply (look_ok l env t (Root b n) g Ht Eg). split; [exact Db|now rewrite <- Hab].
Qed.

Fixpoint with_hints (t : table) (hs : list hint) : option table :=
  match hs with
  | [] => Some t
  | h :: hs => match read_hint t h with Some x => with_hints (x :: t) hs | None => None end
  end.

Definition atoms_and_hints : Set := (list expr * list hint)%type.
Definition make_table (ah : atoms_and_hints) : option table := with_hints (atom_table (fst ah) 1) (snd ah).

Lemma make_table_ok ah env t : make_table ah = Some t -> table_ok (environment (fst ah) env) env t.
Proof.
  unfold make_table. assert (H := atom_table_ok (fst ah) env). revert H.
  generalize (atom_table (fst ah) 1) as t0. induction (snd ah) as [|h hs IH]; simpl; intros t0 H0 E.
  - now injection E as <-.
  - destruct (read_hint t0 h) as [[e f]|] eqn:Eh; [|discriminate]. apply (IH ((e, f) :: t0)); trivial.
    intros e' f' [E'|Hin]; [injection E' as <- <-; now apply (read_hint_ok _ _ _ _ _ _ H0 Eh)|now apply H0].
Qed.
