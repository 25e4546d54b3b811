(** * Polynomials: rational coefficients over atoms, and quotients of them

    The polynomials, their arithmetic and the checker of the Positivstellensatz are those of Coq's micromega library
    (EnvRing, RingMicromega), here with reduced rational coefficients. A denominator is a product of powers of factors,
    so that sums share them. *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith.
Require Import Ring_theory Setoid.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Enclosures.
Import ListNotations.
Open Scope R_scope.

(** ** Coefficients *)

Definition whole (a b : Q) : bool := Pos.eqb (Qden a) 1 && Pos.eqb (Qden b) 1.
Definition qadd (a b : Q) : Q := if whole a b then Qmake (Qnum a + Qnum b) 1 else Qred (a + b).
Definition qsub (a b : Q) : Q := if whole a b then Qmake (Qnum a - Qnum b) 1 else Qred (a - b).
Definition qmul (a b : Q) : Q := if whole a b then Qmake (Qnum a * Qnum b) 1 else Qred (a * b).

Lemma whole_parts a b : whole a b = true -> a = Qmake (Qnum a) 1 /\ b = Qmake (Qnum b) 1.
Proof.
  unfold whole. intro H. apply andb_true_iff in H as [Ha Hb]. apply Pos.eqb_eq in Ha, Hb.
  destruct a as [a p], b as [b q]. simpl in *. subst. auto.
Qed.

Lemma Q2R_whole z : Q2R (Qmake z 1) = IZR z.
Proof. apply Q2R_Z. Qed.

Lemma qadd_ok a b : Q2R (qadd a b) = Q2R a + Q2R b.
Proof.
  unfold qadd. destruct (whole a b) eqn:E.
  - apply whole_parts in E as [-> ->]. simpl. rewrite !Q2R_whole. apply plus_IZR.
  - rewrite Q2R_red. apply Q2R_plus.
Qed.
Lemma qsub_ok a b : Q2R (qsub a b) = Q2R a - Q2R b.
Proof.
  unfold qsub. destruct (whole a b) eqn:E.
  - apply whole_parts in E as [-> ->]. simpl. rewrite !Q2R_whole. apply minus_IZR.
  - rewrite Q2R_red. apply Q2R_minus.
Qed.
Lemma qmul_ok a b : Q2R (qmul a b) = Q2R a * Q2R b.
Proof.
  unfold qmul. destruct (whole a b) eqn:E.
  - apply whole_parts in E as [-> ->]. simpl. rewrite !Q2R_whole. apply mult_IZR.
  - rewrite Q2R_red. apply Q2R_mult.
Qed.

Definition addon :
  @SORaddon R 0 1 Rplus Rmult Rminus Ropp (@eq R) Rle Q 0%Q 1%Q qadd qmul qsub Qopp Qeq_bool Qle_bool
    Q2R nat N.to_nat pow.
Proof.
  constructor.
  - constructor; intros.
    + apply Enclosures.Q2R_0.
    + apply Enclosures.Q2R_1.
    + apply qadd_ok.
    + apply qsub_ok.
    + apply qmul_ok.
    + apply Q2R_opp.
    + apply Qeq_true. assumption.
  - apply R_power_theory.
  - apply Qeq_false.
  - apply Qle_true.
Qed.

(** ** Polynomials *)

Definition pol := Pol Q.
Definition env_of := Env R.
Definition ev (l : env_of) (p : pol) : R := eval_pol Rplus Rmult Q2R l p.

Definition pone : pol := Pc 1%Q.
Definition pzero : pol := Pc 0%Q.
Definition padd : pol -> pol -> pol := Padd 0%Q qadd Qeq_bool.
Definition pmul : pol -> pol -> pol := Pmul 0%Q 1%Q qadd qmul Qeq_bool.
Definition popp : pol -> pol := Popp Qopp.
Definition patom (p : positive) : pol := mk_X 0%Q 1%Q p.
Definition peq : pol -> pol -> bool := Peq Qeq_bool.
Fixpoint ppow (p : pol) (n : nat) : pol := match n with O => pone | S O => p | S n => pmul p (ppow p n) end.

Notation sid := (SORsetoid Rsor).
Notation ops := (Rops_wd Rsor).
Notation ring := (Rth_ARth sid ops (SORrt Rsor)).

Lemma ev_add l p q : ev l (padd p q) = ev l p + ev l q.
Proof. exact (Padd_ok sid ops ring (SORrm addon) q p l). Qed.
Lemma ev_mul l p q : ev l (pmul p q) = ev l p * ev l q.
Proof. exact (Pmul_ok sid ops ring (SORrm addon) p q l). Qed.
Lemma ev_opp l p : ev l (popp p) = - ev l p.
Proof. exact (Popp_ok sid ops ring (SORrm addon) p l). Qed.
Lemma ev_atom l p : ev l (patom p) = l p.
Proof. symmetry. exact (mkX_ok sid ops ring (SORrm addon) p l). Qed.
Lemma ev_eq l p q : peq p q = true -> ev l p = ev l q.
Proof. intro H. exact (Peq_ok sid ops (SORrm addon) p q H l). Qed.
Lemma ev_const l c : ev l (Pc c) = Q2R c.
Proof. reflexivity. Qed.
Lemma ev_one l : ev l pone = 1.
Proof. apply Enclosures.Q2R_1. Qed.
Lemma ev_pow l p n : ev l (ppow p n) = ev l p ^ n.
Proof.
  induction n as [|[|n] IH]; [apply ev_one|simpl; ring_simplify; reflexivity|].
  change (ppow p (S (S n))) with (pmul p (ppow p (S n))). rewrite ev_mul, IH. reflexivity.
Qed.

Arguments ev : simpl never.
Arguments padd : simpl never.
Arguments pmul : simpl never.
Arguments popp : simpl never.
Arguments ppow : simpl never.
Arguments peq : simpl never.
Arguments patom : simpl never.

(** The leading coefficient: zero of the zero polynomial only. *)
Fixpoint lead (p : pol) : Q := match p with Pc c => c | Pinj _ p => lead p | PX p _ _ => lead p end.

(** ** Products of powers of factors *)

Definition powers := list (pol * nat).

Fixpoint value_of (l : env_of) (d : powers) : R :=
  match d with [] => 1 | (p, n) :: d => ev l p ^ n * value_of l d end.
Definition all_nonzero (l : env_of) (d : powers) : Prop := forall p n, In (p, n) d -> ev l p <> 0.

Fixpoint expanded (d : powers) : pol :=
  match d with [] => pone | (p, n) :: [] => ppow p n | (p, n) :: d => pmul (ppow p n) (expanded d) end.

(** The factors whose exponents are odd: the product has the sign of all. *)
Fixpoint odd_part (d : powers) : pol :=
  match d with
  | [] => pone
  | (p, n) :: d => if Nat.even n then odd_part d else match d with [] => p | _ => pmul p (odd_part d) end
  end.

(** The exponent of a factor, and what is left without it. *)
Fixpoint take (p : pol) (d : powers) : nat * powers :=
  match d with
  | [] => (O, [])
  | (q, k) :: d => if peq p q then (k, d) else let '(j, rest) := take p d in (j, (q, k) :: rest)
  end.

Fixpoint times (a b : powers) : powers :=
  match a with [] => b | (p, n) :: a => let '(k, b) := take p b in (p, (n + k)%nat) :: times a b end.

(** A common multiple, and by what each of the two is multiplied. *)
Fixpoint common (a b : powers) : powers * pol * pol :=
  match a with
  | [] => (b, expanded b, pone)
  | (p, n) :: a =>
      let '(k, b) := take p b in
      let '(m, x, y) := common a b in
      if Nat.leb k n then ((p, n) :: m, x, if Nat.eqb k n then y else pmul (ppow p (n - k)) y)
      else ((p, k) :: m, pmul (ppow p (k - n)) x, y)
  end.

Lemma all_nonzero_cons l p n d : all_nonzero l ((p, n) :: d) <-> ev l p <> 0 /\ all_nonzero l d.
Proof.
  unfold all_nonzero. split.
  - intro H. split; [apply (H p n); now left|]. intros q k Hin. apply (H q k). now right.
  - intros [Hp Hd] q k [E|Hin]; [now injection E as <- <-|now apply (Hd q k)].
Qed.

Lemma value_nonzero l d : all_nonzero l d -> value_of l d <> 0.
Proof.
  induction d as [|[p n] d IH]; simpl; intro H; [lra|]. apply all_nonzero_cons in H as [Hp Hd].
  apply Rmult_integral_contrapositive_currified; auto. now apply pow_nonzero.
Qed.

Lemma ev_expanded l d : ev l (expanded d) = value_of l d.
Proof.
  induction d as [|[p n] d IH]; [apply ev_one|]. destruct d as [|f d]; cbn [expanded value_of].
  - rewrite ev_pow. ring.
  - change (ev l (pmul (ppow p n) (expanded (f :: d))) = ev l p ^ n * value_of l (f :: d)).
    rewrite ev_mul, ev_pow, IH. reflexivity.
Qed.

Lemma ev_odd_part l d : exists r, value_of l d = ev l (odd_part d) * r ^ 2.
Proof.
  induction d as [|[p n] d [r IH]]; [exists 1; simpl; rewrite ev_one; ring|].
  cbn [odd_part value_of]. destruct (Nat.even n) eqn:E.
  - apply Nat.even_spec in E as [k ->]. exists (ev l p ^ k * r). rewrite IH.
    replace (2 * k)%nat with (k + k)%nat by lia. rewrite pow_add. ring.
  - assert (O : Nat.odd n = true) by (unfold Nat.odd; now rewrite E). apply Nat.odd_spec in O as [k ->].
    exists (ev l p ^ k * r).
    assert (X : ev l (match d with [] => p | _ => pmul p (odd_part d) end) = ev l p * ev l (odd_part d)).
    { destruct d; [cbn [odd_part]; rewrite ev_one; ring|apply ev_mul]. }
    rewrite X, IH. replace (2 * k + 1)%nat with (k + k + 1)%nat by lia. rewrite !pow_add. ring.
Qed.

Lemma take_ok l p d : let '(k, rest) := take p d in
  value_of l d = ev l p ^ k * value_of l rest /\ (all_nonzero l d -> all_nonzero l rest).
Proof.
  induction d as [|[q j] d IH]; simpl; [split; [ring|trivial]|].
  destruct (peq p q) eqn:E.
  - apply (ev_eq l) in E. rewrite E. split; trivial. intro H. now apply all_nonzero_cons in H.
  - destruct (take p d) as [k rest]. destruct IH as [E1 E2]. cbn [value_of]. rewrite E1. split; [ring|].
    rewrite !all_nonzero_cons. tauto.
Qed.

Lemma times_ok l a : forall b, value_of l (times a b) = value_of l a * value_of l b /\
  (all_nonzero l a -> all_nonzero l b -> all_nonzero l (times a b)).
Proof.
  induction a as [|[p n] a IH]; simpl; intro b; [split; [ring|trivial]|].
  assert (T := take_ok l p b). destruct (take p b) as [k rest]. destruct T as [-> T], (IH rest) as [E H].
  cbn [value_of]. rewrite E, pow_add. split; [ring|]. rewrite !all_nonzero_cons. tauto.
Qed.

Lemma common_ok l a : forall b, let '(m, x, y) := common a b in
  value_of l m = ev l x * value_of l a /\ value_of l m = ev l y * value_of l b /\
  (all_nonzero l a -> all_nonzero l b -> all_nonzero l m).
Proof.
  induction a as [|[p n] a IH]; intro b; cbn [common].
  - rewrite ev_expanded, ev_one. simpl. repeat split; trivial; ring.
  - assert (T := take_ok l p b). destruct (take p b) as [k rest]. destruct T as [Eb Hb].
    specialize (IH rest). destruct (common a rest) as [[m x] y]. destruct IH as (E1 & E2 & H).
    destruct (Nat.leb_spec k n) as [L|L]; cbn [value_of]; rewrite Eb.
    + assert (Y : ev l (if Nat.eqb k n then y else pmul (ppow p (n - k)) y) = ev l p ^ (n - k) * ev l y).
      { destruct (Nat.eqb_spec k n) as [->|]; [rewrite Nat.sub_diag; simpl; ring|now rewrite ev_mul, ev_pow]. }
      rewrite Y. repeat split; [rewrite E1; ring| |rewrite !all_nonzero_cons; tauto].
      rewrite E2. replace n with (n - k + k)%nat at 1 by lia. rewrite pow_add. ring.
    + rewrite ev_mul, ev_pow. repeat split; [|rewrite E2; ring|rewrite !all_nonzero_cons; tauto].
      rewrite E1. replace k with (k - n + n)%nat at 1 by lia. rewrite pow_add. ring.
Qed.

(** ** Quotients *)

Definition quotient := (pol * powers)%type.
Definition stands_for (l : env_of) (x : R) (f : quotient) : Prop :=
  all_nonzero l (snd f) /\ x = ev l (fst f) / value_of l (snd f).

(** The product, at no cost if the second is one. *)
Definition ptimes (p x : pol) : pol := if peq x pone then p else pmul p x.
Definition qconst (c : Q) : quotient := (Pc c, []).
Definition qplus (a b : quotient) : quotient :=
  let '(m, x, y) := common (snd a) (snd b) in
  (padd (ptimes (fst a) x) (ptimes (fst b) y), m).
Definition qtimes (a b : quotient) : quotient := (pmul (fst a) (fst b), times (snd a) (snd b)).
Definition qpower (a : quotient) (n : nat) : quotient :=
  (ppow (fst a) n, map (fun f => (fst f, (snd f * n)%nat)) (snd a)).
Definition qinverse (a : quotient) : quotient :=
  let c := lead (fst a) in
  if Qeq_bool c 0 then (expanded (snd a), [(fst a, 1%nat)])
  else
    let k := Pc (Qred (Qinv c)) in
    let p := pmul k (fst a) in
    (pmul k (expanded (snd a)), if peq p pone then [] else [(p, 1%nat)]).
Definition same (a b : quotient) : bool :=
  let '(_, x, y) := common (snd a) (snd b) in
  peq (ptimes (fst a) x) (ptimes (fst b) y).

Lemma ev_times_one l p x : ev l (ptimes p x) = ev l p * ev l x.
Proof.
  unfold ptimes. destruct (peq x pone) eqn:E; [|apply ev_mul]. apply (ev_eq l) in E. rewrite E, ev_one. ring.
Qed.

Lemma qconst_ok l c : stands_for l (Q2R c) (qconst c).
Proof. split; [intros p n []|]. simpl. rewrite ev_const. field. Qed.

Lemma qplus_ok l x y a b : stands_for l x a -> stands_for l y b -> stands_for l (x + y) (qplus a b).
Proof.
  intros [Ha ->] [Hb ->]. unfold qplus. assert (C := common_ok l (snd a) (snd b)).
  destruct (common (snd a) (snd b)) as [[m u] v]. destruct C as (E1 & E2 & H). specialize (H Ha Hb).
  split; [exact H|]. simpl. rewrite ev_add, !ev_times_one.
  assert (Na := value_nonzero l _ Ha). assert (Nb := value_nonzero l _ Hb). assert (Nm := value_nonzero l _ H).
  assert (Hu : ev l u <> 0) by (intro Z; rewrite Z in E1; lra).
  assert (Hv : ev l v <> 0) by (intro Z; rewrite Z in E2; lra).
  replace (ev l (fst a) / value_of l (snd a)) with (ev l (fst a) * ev l u / value_of l m) by (rewrite E1; field; auto).
  replace (ev l (fst b) / value_of l (snd b)) with (ev l (fst b) * ev l v / value_of l m) by (rewrite E2; field; auto).
  field. exact Nm.
Qed.

Lemma qtimes_ok l x y a b : stands_for l x a -> stands_for l y b -> stands_for l (x * y) (qtimes a b).
Proof.
  intros [Ha ->] [Hb ->]. destruct (times_ok l (snd a) (snd b)) as [E H]. split; [simpl; auto|].
  simpl. rewrite E, ev_mul. assert (Na := value_nonzero l _ Ha). assert (Nb := value_nonzero l _ Hb). field. auto.
Qed.

Lemma qpower_ok l x a n : stands_for l x a -> stands_for l (x ^ n) (qpower a n).
Proof.
  intros [Ha ->]. unfold qpower. split; simpl.
  - intros p k Hin. apply in_map_iff in Hin as ([q j] & E & Hin). injection E as <- <-. now apply (Ha q j).
  - rewrite ev_pow. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. f_equal. f_equal. clear Ha.
    induction (snd a) as [|[p k] d IH]; simpl; [apply pow1|].
    now rewrite Rpow_mult_distr, IH, pow_mult.
Qed.

Lemma qinverse_ok l x a : stands_for l x a -> x <> 0 -> stands_for l (/ x) (qinverse a).
Proof.
  intros [Ha ->] Hx. assert (Na := value_nonzero l _ Ha).
  assert (Nn : ev l (fst a) <> 0). { intro Z. apply Hx. rewrite Z. field. exact Na. }
  unfold qinverse. destruct (Qeq_bool (lead (fst a)) 0) eqn:E.
  - split; simpl; [apply all_nonzero_cons; split; [exact Nn|intros p n []]|]. rewrite ev_expanded. field. auto.
  - apply Qeq_false in E. rewrite Enclosures.Q2R_0 in E. set (c := lead (fst a)) in *.
    assert (K : Q2R (Qred (/ c)) = / Q2R c).
    { rewrite Q2R_red. apply Q2R_inv. intro Z. apply E. rewrite (Qeq_eqR _ _ Z). apply Enclosures.Q2R_0. }
    set (k := Pc (Qred (/ c))). assert (Hk : ev l k = / Q2R c) by exact K.
    assert (N : ev l (pmul k (fst a)) <> 0).
    { rewrite ev_mul, Hk. apply Rmult_integral_contrapositive_currified; trivial. now apply Rinv_neq_0_compat. }
    destruct (peq (pmul k (fst a)) pone) eqn:Ep; split; cbn [fst snd value_of].
    + intros p n [].
    + apply (ev_eq l) in Ep. rewrite ev_mul, Hk, ev_one in Ep. rewrite ev_mul, ev_expanded, Hk.
      assert (X : ev l (fst a) = Q2R c) by (rewrite <- (Rmult_1_r (Q2R c)), <- Ep; field; exact E).
      rewrite X. field. auto.
    + apply all_nonzero_cons. split; [exact N|intros p n []].
    + rewrite !ev_mul, ev_expanded, Hk. field. auto.
Qed.

Lemma same_ok l x y a b : stands_for l x a -> stands_for l y b -> same a b = true -> x = y.
Proof.
  intros [Ha ->] [Hb ->]. unfold same. assert (C := common_ok l (snd a) (snd b)).
  destruct (common (snd a) (snd b)) as [[m u] v]. destruct C as (E1 & E2 & H). specialize (H Ha Hb). intro E.
  apply (ev_eq l) in E. rewrite !ev_times_one in E.
  assert (Na := value_nonzero l _ Ha). assert (Nb := value_nonzero l _ Hb). assert (Nm := value_nonzero l _ H).
  assert (Hu : ev l u <> 0) by (intro Z; rewrite Z in E1; lra).
  assert (Hv : ev l v <> 0) by (intro Z; rewrite Z in E2; lra).
  replace (ev l (fst a) / value_of l (snd a)) with (ev l (fst a) * ev l u / value_of l m) by (rewrite E1; field; auto).
  replace (ev l (fst b) / value_of l (snd b)) with (ev l (fst b) * ev l v / value_of l m) by (rewrite E2; field; auto).
  now rewrite E.
Qed.
