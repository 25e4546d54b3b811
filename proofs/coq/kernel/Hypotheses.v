(** * Hypotheses: what relations say of the signs of polynomials, and what is certainly defined *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Roots Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms.
Import ListNotations.
Open Scope R_scope.

(** A polynomial and its sign: equal to zero, not zero, positive, not negative. *)
Definition fact := NFormula Q.
Definition holds_at (l : env_of) (f : fact) : Prop := eval_op1 0 (@eq R) Rle Rlt (snd f) (ev l (fst f)).
Definition all_hold_at (l : env_of) (F : list fact) : Prop := forall f, In f F -> holds_at l f.

(** What a relation says of the numerator of right - left, times the factors with odd exponents of the denominator;
    and that no factor is zero. *)
Definition rel_facts (t : table) (r : relation) : option (list fact) :=
  let '(s, a, b) := r in
  match norm t (minus b a) with
  | Some (n, d) =>
      let m := ptimes n (odd_part d) in
      Some (match s with
            | Le => (m, NonStrict) | Lt => (m, Strict) | Ge => (popp m, NonStrict) | Gt => (popp m, Strict)
            | Eq => (n, Equal) | Ne => (n, NonEqual)
            end :: map (fun f => (fst f, NonEqual)) d)
  | None => None
  end.

Lemma denominators_hold l d : all_nonzero l d -> all_hold_at l (map (fun f => (fst f, NonEqual)) d).
Proof.
  intros H f Hin. apply in_map_iff in Hin as ([p n] & <- & Hin). exact (H p n Hin).
Qed.

(** A quotient is the product of the numerator and the odd part over a square. *)
Lemma by_odd_part l n d : all_nonzero l d -> exists s, 0 < s /\
  ev l n / value_of l d * s = ev l n * ev l (odd_part d).
Proof.
  intro H. assert (N := value_nonzero l d H). destruct (ev_odd_part l d) as [r E]. rewrite E in *.
  assert (No : ev l (odd_part d) <> 0) by (intro Z; apply N; rewrite Z; ring).
  assert (Nr : r <> 0) by (intro Z; apply N; rewrite Z; simpl; ring).
  exists ((ev l (odd_part d) * r) * (ev l (odd_part d) * r)). split.
  - apply square_positive. now apply Rmult_integral_contrapositive_currified.
  - field. auto.
Qed.

Lemma rel_facts_ok l env t r F : table_ok l env t -> rel_facts t r = Some F -> rel_holds env r -> all_hold_at l F.
Proof.
  intros Ht E H. destruct r as [[s a] b]. destruct H as (Da & Db & H). unfold rel_facts in E.
  destruct (norm t (minus b a)) as [[n d]|] eqn:En; [|discriminate]. injection E as <-.
  assert (D : defined env (minus b a)) by (simpl; auto).
  destruct (norm_ok l env t _ _ Ht En D) as [Hd Ee]. cbn [fst snd] in Hd, Ee.
  intros f [<-|Hin]; [|exact (denominators_hold l d Hd f Hin)].
  destruct (by_odd_part l n d Hd) as (q & Hq & E). rewrite <- Ee in E. simpl eval in E.
  assert (M : ev l (ptimes n (odd_part d)) = (eval env b + -1 * eval env a) * q).
  { rewrite E. apply ev_times_one. }
  assert (Hn : ev l n = (eval env b + -1 * eval env a) * value_of l d).
  { simpl eval in Ee. rewrite Ee. field. now apply value_nonzero. }
  assert (Nd := value_nonzero l d Hd).
  unfold holds_at. destruct s; simpl in *; try rewrite ev_opp; try rewrite M; try rewrite Hn; try nra.
Qed.

(** ** Signs *)

(** [Some true] if p is a positive multiple of q, [Some false] if a negative one. *)
Definition ratio (p q : pol) : option bool :=
  let a := lead p in let b := lead q in
  if negb (Qeq_bool a 0) && negb (Qeq_bool b 0) && peq (pmul p (Pc b)) (pmul q (Pc a))
  then Some (Bool.eqb (Qle_bool a 0) (Qle_bool b 0)) else None.

Lemma ratio_ok l p q s : ratio p q = Some s -> exists c, ev l p = c * ev l q /\ if s then 0 < c else c < 0.
Proof.
  unfold ratio. destruct (negb _ && _ && _) eqn:E; [|discriminate]. intro H. injection H as <-.
  apply andb_true_iff in E as [E Ep]. apply andb_true_iff in E as [Ea Eb].
  apply negb_true_iff in Ea, Eb. apply Qeq_false in Ea, Eb. rewrite Enclosures.Q2R_0 in Ea, Eb.
  apply (ev_eq l) in Ep. rewrite !ev_mul, !ev_const in Ep.
  exists (Q2R (lead p) / Q2R (lead q)). split.
  - apply Rmult_eq_reg_r with (Q2R (lead q)); trivial. rewrite Ep. field. exact Eb.
  - assert (Hs : forall x, Q2R x <> 0 -> if Qle_bool x 0 then Q2R x < 0 else 0 < Q2R x).
    { intros x Hx. destruct (Qle_bool x 0) eqn:E; [apply le_bool in E|apply lt_bool in E];
        rewrite Enclosures.Q2R_0 in E; lra. }
    assert (Ha := Hs _ Ea). assert (Hb := Hs _ Eb).
    destruct (Qle_bool (lead p) 0), (Qle_bool (lead q) 0); simpl.
    + replace (Q2R (lead p) / Q2R (lead q)) with (- Q2R (lead p) * / - Q2R (lead q)) by (field; exact Eb).
      apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
    + assert (0 < - Q2R (lead p) * / Q2R (lead q)) by (apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat]).
      unfold Rdiv. lra.
    + assert (0 < Q2R (lead p) * / - Q2R (lead q)) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
      replace (Q2R (lead p) / Q2R (lead q)) with (- (Q2R (lead p) * / - Q2R (lead q))) by (field; exact Eb). lra.
    + apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat].
Qed.

Definition is_strict (o : Op1) : bool := match o with Strict => true | _ => false end.
Definition is_nonzero (o : Op1) : bool := match o with Strict | NonEqual => true | _ => false end.
Definition is_nonneg_op (o : Op1) : bool := match o with Strict | NonStrict => true | _ => false end.

Definition by_fact (F : list fact) (test : Op1 -> bool) (any : bool) (p : pol) : bool :=
  existsb (fun f => test (snd f) && match ratio p (fst f) with Some s => any || s | None => false end) F.

Definition constant_sign (p : pol) : option bool :=   (* Some true: positive, Some false: negative *)
  match p with Pc c => if Qeq_bool c 0 then None else Some (negb (Qle_bool c 0)) | _ => None end.

Lemma constant_sign_ok l p s : constant_sign p = Some s -> if s then 0 < ev l p else ev l p < 0.
Proof.
  destruct p as [c| |]; simpl; try discriminate. destruct (Qeq_bool c 0) eqn:E; [discriminate|].
  intro H. injection H as <-. apply Qeq_false in E. rewrite Enclosures.Q2R_0 in E. rewrite ev_const.
  destruct (Qle_bool c 0) eqn:L; simpl; [apply le_bool in L|apply lt_bool in L]; rewrite Enclosures.Q2R_0 in L; lra.
Qed.

Lemma by_fact_nonzero l F p : all_hold_at l F -> by_fact F is_nonzero true p = true -> ev l p <> 0.
Proof.
  intros HF H. apply existsb_exists in H as ([q o] & Hin & H). apply andb_true_iff in H as [Ho H]. simpl in Ho, H.
  destruct (ratio p q) as [s|] eqn:E; [|discriminate]. apply (ratio_ok l) in E as (c & -> & Hc).
  assert (Hq := HF _ Hin). unfold holds_at in Hq. simpl in Hq.
  apply Rmult_integral_contrapositive_currified; [destruct s; lra|destruct o; simpl in *; try discriminate; lra].
Qed.

Lemma by_fact_positive l F p : all_hold_at l F -> by_fact F is_strict false p = true -> 0 < ev l p.
Proof.
  intros HF H. apply existsb_exists in H as ([q o] & Hin & H). apply andb_true_iff in H as [Ho H]. simpl in Ho, H.
  destruct (ratio p q) as [[|]|] eqn:E; try discriminate. apply (ratio_ok l) in E as (c & -> & Hc).
  assert (Hq := HF _ Hin). unfold holds_at in Hq. destruct o; simpl in *; try discriminate. now apply Rmult_lt_0_compat.
Qed.

Lemma by_fact_nonneg l F p : all_hold_at l F -> by_fact F is_nonneg_op false p = true -> 0 <= ev l p.
Proof.
  intros HF H. apply existsb_exists in H as ([q o] & Hin & H). apply andb_true_iff in H as [Ho H]. simpl in Ho, H.
  destruct (ratio p q) as [[|]|] eqn:E; try discriminate. apply (ratio_ok l) in E as (c & -> & Hc).
  assert (Hq := HF _ Hin). unfold holds_at in Hq. destruct o; simpl in *; try discriminate; apply Rmult_le_pos; lra.
Qed.

(** The sign of a polynomial: [Some true] if it is certainly positive, [Some false] if negative. *)
Definition sign_of (F : list fact) (p : pol) : option bool :=
  match constant_sign p with
  | Some s => Some s
  | None =>
      if by_fact F is_strict false p then Some true
      else if by_fact F is_strict false (popp p) then Some false else None
  end.

Definition nonzero_sign (F : list fact) (p : pol) : bool :=
  match constant_sign p with Some _ => true | None => by_fact F is_nonzero true p end.

(** The sign of a product of powers, factor by factor. *)
Fixpoint sign_of_powers (F : list fact) (d : powers) : option bool :=
  match d with
  | [] => Some true
  | (p, n) :: d =>
      if Nat.even n then sign_of_powers F d
      else match sign_of F p, sign_of_powers F d with Some a, Some b => Some (Bool.eqb a b) | _, _ => None end
  end.

Lemma sign_of_ok l F p s : all_hold_at l F -> sign_of F p = Some s -> if s then 0 < ev l p else ev l p < 0.
Proof.
  intros HF. unfold sign_of. destruct (constant_sign p) as [c|] eqn:Ec.
  - intro E. injection E as <-. exact (constant_sign_ok l p c Ec).
  - destruct (by_fact F is_strict false p) eqn:E1; [intro E; injection E as <-; exact (by_fact_positive l F p HF E1)|].
    destruct (by_fact F is_strict false (popp p)) eqn:E2; [|discriminate]. intro E. injection E as <-.
    assert (X := by_fact_positive l F _ HF E2). rewrite ev_opp in X. lra.
Qed.

Lemma nonzero_sign_ok l F p : all_hold_at l F -> nonzero_sign F p = true -> ev l p <> 0.
Proof.
  intros HF. unfold nonzero_sign. destruct (constant_sign p) as [c|] eqn:Ec.
  - intros _. apply (constant_sign_ok l) in Ec. destruct c; lra.
  - intro H. exact (by_fact_nonzero l F p HF H).
Qed.

Lemma sign_of_powers_ok l F d s : all_hold_at l F -> all_nonzero l d -> sign_of_powers F d = Some s ->
  if s then 0 < value_of l d else value_of l d < 0.
Proof.
  intros HF. revert s. induction d as [|[p n] d IH]; simpl; intros s Hd E; [injection E as <-; lra|].
  apply all_nonzero_cons in Hd as [Hp Hd]. destruct (Nat.even n) eqn:En.
  - specialize (IH s Hd E). assert (0 <= ev l p ^ n) by now apply even_nonneg.
    assert (ev l p ^ n <> 0) by now apply pow_nonzero. assert (0 < ev l p ^ n) by lra.
    destruct s; [now apply Rmult_lt_0_compat|].
    assert (0 < ev l p ^ n * - value_of l d) by (apply Rmult_lt_0_compat; lra). lra.
  - destruct (sign_of F p) as [a|] eqn:Ea; [|discriminate]. destruct (sign_of_powers F d) as [b|]; [|discriminate].
    injection E as <-. specialize (IH b Hd eq_refl). apply (sign_of_ok l F p a HF) in Ea.
    assert (O : Nat.odd n = true) by (unfold Nat.odd; now rewrite En). apply Nat.odd_spec in O as [k ->].
    rewrite pow_add, pow_mult, pow_1. assert (0 < (ev l p ^ 2) ^ k).
    { apply pow_lt. simpl. rewrite Rmult_1_r. now apply square_positive. }
    set (u := (ev l p ^ 2) ^ k) in *. set (v := value_of l d) in *. set (x := ev l p) in *.
    replace (u * x * v) with (u * (x * v)) by ring. clearbody u v x. clear - H Ea IH.
    assert (N : forall y, y < 0 -> u * y < 0).
    { intros y Hy. assert (0 < u * - y) by (apply Rmult_lt_0_compat; lra). lra. }
    destruct a, b; simpl; [|apply N|apply N|]; try (apply Rmult_lt_0_compat; trivial); nra.
Qed.

(** ** What is defined *)

Section Defined.
  Variables (G : list relation) (F : list fact) (t : table).

  Definition known (e : expr) : bool := existsb (fun r => occurs e (snd (fst r)) || occurs e (snd r)) G.

  Fixpoint nonzero (a : expr) : bool :=
    match a with
    | Mul a b => nonzero a && nonzero b
    | Pow a _ => nonzero a
    | Exp _ | Inv _ => true
    | _ => false
    end || match norm t a with Some (n, _) => nonzero_sign F n | None => false end.

  (** Whether the quotient of a numerator that has some sign (by [test]) or the opposite one has that sign. *)
  Definition with_denominators (test : pol -> bool) (f : quotient) : bool :=
    match sign_of_powers F (snd f) with
    | Some s => test (if s then fst f else popp (fst f))
    | None => false
    end || test (ptimes (fst f) (odd_part (snd f))).

  Definition positive_pol (p : pol) : bool :=
    match constant_sign p with Some s => s | None => by_fact F is_strict false p end.

  Definition negative_sign (a : expr) : bool :=
    match norm t (Mul (Int (-1)) a) with Some f => with_denominators positive_pol f | None => false end.

  Fixpoint positive_sign (a : expr) : bool :=
    match a with
    | Add a b => positive_sign a && positive_sign b
    | Mul a b => positive_sign a && positive_sign b || negative_sign a && negative_sign b
    | Pow a n => positive_sign a || (Nat.even n && nonzero a)
    | Inv a => positive_sign a
    | Exp _ => true
    | _ => false
    end || match norm t a with Some f => with_denominators positive_pol f | None => false end.

  Definition nonneg_pol (p : pol) : bool := peq p pzero || by_fact F is_nonneg_op false p.

  Fixpoint nonneg_sign (a : expr) : bool :=
    positive_sign a ||
    match a with
    | Sqrt _ | Root _ _ => true
    | Pow a n => Nat.even n || nonneg_sign a
    | Mul a b | Add a b => nonneg_sign a && nonneg_sign b
    | Int z | Rat z _ => Z.leb 0 z
    | _ => false
    end ||
    match norm t a with Some f => with_denominators nonneg_pol f | None => false end.

  (** What the hypotheses need, as they hold. *)
  Definition needed : list (need * expr) := flat_map (fun r => needs (snd (fst r)) ++ needs (snd r)) G.

  Let K := needed.
  Fixpoint certainly_defined (e : expr) : bool :=
    match e with
    | Int _ | Rat _ _ | Var _ => true
    | Add a b | Mul a b => certainly_defined a && certainly_defined b
    | Pow a _ | Exp a => certainly_defined a
    | Inv a => if known e then true else certainly_defined a && (if nonzero a then true else told_nonzero t K a)
    | Ln a => if known e then true else certainly_defined a && (if positive_sign a then true else told_positive t K a)
    | Sqrt a | Root a _ =>
        if known e then true else certainly_defined a && (if nonneg_sign a then true else told t K Nonnegative a)
    end.

  Variables (l : env_of) (env : list R).
  Hypotheses (HG : all_given env G) (HF : all_hold_at l F) (Ht : table_ok l env t).

  Lemma known_defined e : known e = true -> defined env e.
  Proof using HG.
    intro H. apply existsb_exists in H as ([[s a] b] & Hin & H). destruct (HG _ Hin) as (Da & Db & _).
    apply orb_true_iff in H as [H|H]; [apply (occurs_defined env e a)|apply (occurs_defined env e b)]; trivial.
  Qed.

  Lemma nonzero_ok a : nonzero a = true -> defined env a -> eval env a <> 0.
  Proof using HF Ht.
    assert (Hn : forall a, match norm t a with Some (n, _) => nonzero_sign F n | None => false end = true ->
      defined env a -> eval env a <> 0).
    { clear a. intros a H D. destruct (norm t a) as [[n d]|] eqn:E; [|discriminate].
      destruct (norm_ok l env t _ _ Ht E D) as [Hd ->]. simpl in *. apply Rmult_integral_contrapositive_currified.
      - exact (nonzero_sign_ok l F n HF H).
      - apply Rinv_neq_0_compat. now apply value_nonzero. }
    induction a; intros H D; cbn [nonzero] in H; apply orb_true_iff in H as [H|H];
      try (now apply Hn); try discriminate; simpl in *.
    - apply andb_true_iff in H as [Ha Hb]. destruct D. apply Rmult_integral_contrapositive_currified; auto.
    - apply pow_nonzero. auto.
    - apply Rinv_neq_0_compat. tauto.
    - assert (X := exp_pos (eval env a)). lra.
  Qed.

  Lemma with_denominators_ok (strict : bool) test a f : norm t a = Some f -> defined env a ->
    (forall p, test p = true -> if strict then 0 < ev l p else 0 <= ev l p) -> with_denominators test f = true ->
    if strict then 0 < eval env a else 0 <= eval env a.
  Proof using HF Ht.
    intros E D T H. destruct f as [n d]. destruct (norm_ok l env t _ _ Ht E D) as [Hd ->]. cbn [fst snd] in *.
    assert (Nd := value_nonzero l d Hd). apply orb_true_iff in H as [H|H]; cbn [fst snd] in H.
    - destruct (sign_of_powers F d) as [s|] eqn:Es; [|discriminate].
      apply (sign_of_powers_ok l F d s HF Hd) in Es. apply T in H.
      destruct s; [assert (I := Rinv_0_lt_compat _ Es)|rewrite ev_opp in H; assert (I := Rinv_lt_0_compat _ Es)];
        unfold Rdiv; destruct strict; nra.
    - destruct (by_odd_part l n d Hd) as (q & Hq & X). apply T in H. rewrite ev_times_one, <- X in H.
      destruct strict.
      + apply Rmult_lt_reg_r with q; lra.
      + apply Rmult_le_reg_r with q; lra.
  Qed.

  Lemma positive_pol_ok p : positive_pol p = true -> 0 < ev l p.
  Proof using HF.
    unfold positive_pol. destruct (constant_sign p) as [s|] eqn:Es.
    - intros ->. exact (constant_sign_ok l p true Es).
    - exact (by_fact_positive l F p HF).
  Qed.

  Lemma positive_sign_ok a : positive_sign a = true -> defined env a -> 0 < eval env a.
  Proof using HF Ht.
    assert (Hn : forall a, match norm t a with Some f => with_denominators positive_pol f | None => false end = true ->
      defined env a -> 0 < eval env a).
    { clear a. intros a H D. destruct (norm t a) as [f|] eqn:E; [|discriminate].
      exact (with_denominators_ok true positive_pol a f E D positive_pol_ok H). }
    induction a; intros H D; cbn [positive_sign] in H; apply orb_true_iff in H as [H|H];
      try (now apply Hn); try discriminate; simpl in *.
    - apply andb_true_iff in H as [Ha Hb]. destruct D. assert (0 < eval env a1) by auto.
      assert (0 < eval env a2) by auto. lra.
    - destruct D as [D1 D2]. apply orb_true_iff in H as [H|H]; apply andb_true_iff in H as [Ha Hb].
      + apply Rmult_lt_0_compat; auto.
      + assert (X := Hn (Mul (Int (-1)) a1) Ha (conj I D1)). assert (Y := Hn (Mul (Int (-1)) a2) Hb (conj I D2)).
        simpl in X, Y. nra.
    - apply orb_true_iff in H as [H|H]; [apply pow_lt; auto|]. apply andb_true_iff in H as [He Hz].
      assert (Z := nonzero_ok a Hz D). assert (0 <= eval env a ^ n) by now apply even_nonneg.
      assert (eval env a ^ n <> 0) by now apply pow_nonzero. lra.
    - apply Rinv_0_lt_compat. tauto.
    - apply exp_pos.
  Qed.

  Lemma nonneg_pol_ok p : nonneg_pol p = true -> 0 <= ev l p.
  Proof using HF.
    intro H. apply orb_true_iff in H as [H|H]; [|exact (by_fact_nonneg l F p HF H)].
    apply (ev_eq l) in H. rewrite H. unfold pzero. rewrite ev_const, Enclosures.Q2R_0. lra.
  Qed.

  Lemma nonneg_sign_ok a : nonneg_sign a = true -> defined env a -> 0 <= eval env a.
  Proof using HF Ht.
    assert (Hn : forall a, match norm t a with
      | Some f => with_denominators nonneg_pol f | None => false end = true -> defined env a -> 0 <= eval env a).
    { clear a. intros a H D. destruct (norm t a) as [f|] eqn:E; [|discriminate].
      exact (with_denominators_ok false _ a f E D nonneg_pol_ok H). }
    induction a as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; intros H D;
      cbn [nonneg_sign] in H; apply orb_true_iff in H as [H|H]; try (now apply Hn);
      apply orb_true_iff in H as [H|H]; try (left; now apply positive_sign_ok); try discriminate; simpl in *.
    - apply IZR_le. now apply Z.leb_le.
    - apply Z.leb_le, IZR_le in H. apply Rmult_le_pos; trivial. left. apply Rinv_0_lt_compat. now apply IZR_lt.
    - apply andb_true_iff in H as [Ha Hb]. destruct D. assert (0 <= eval env a) by auto.
      assert (0 <= eval env b) by auto. lra.
    - apply andb_true_iff in H as [Ha Hb]. destruct D. apply Rmult_le_pos; auto.
    - apply orb_true_iff in H as [H|H]; [now apply even_nonneg|apply pow_le; auto].
    - apply sqrt_pos.
    - apply root_nonnegative.
  Qed.

  Lemma needed_met : all_met env needed.
  Proof using HG.
    intros k Hin. apply in_flat_map in Hin as ([[s a] b] & Hr & Hin). destruct (HG _ Hr) as (Da & Db & _).
    apply in_app_or in Hin as [Hin|Hin]; [exact (needs_met env a Da k Hin)|exact (needs_met env b Db k Hin)].
  Qed.

  Lemma certainly_defined_ok e : certainly_defined e = true -> defined env e.
  Proof using HG HF Ht.
    assert (M := needed_met).
    induction e; cbn [certainly_defined]; intro H; simpl; trivial; auto;
      try (apply andb_true_iff in H as [Ha Hb]; auto);
      match type of H with (if ?k then _ else _) = _ => destruct k eqn:Ek end; try (exact (known_defined _ Ek));
      apply andb_true_iff in H as [Ha Hb]; split; auto;
      match type of Hb with (if ?k then _ else _) = _ => destruct k eqn:Es end;
      auto using nonzero_ok, positive_sign_ok, nonneg_sign_ok.
    - apply (told_nonzero_ok l env t needed); auto.
    - apply (told_positive_ok l env t needed); auto.
    - apply (told_ok l env t needed Ht M Nonnegative); auto.
    - apply (told_ok l env t needed Ht M Nonnegative); auto.
  Qed.
End Defined.
