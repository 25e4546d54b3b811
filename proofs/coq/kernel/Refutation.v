(** * Refutations: a rational point where the hypotheses hold, and the conclusion fails or is undefined *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Terms Relations.
Import ListNotations.
Open Scope R_scope.

Section Point.
  Variables (bits : positive) (box : list interval).

  Definition certainly (i : interval) (s : sign) : bool :=
    match s, i with
    | Lt, (_, Some h) => negb (Qle_bool 0 h)
    | Le, (_, Some h) => Qle_bool h 0
    | Gt, (Some l, _) => negb (Qle_bool l 0)
    | Ge, (Some l, _) => Qle_bool 0 l
    | Eq, (Some l, Some h) => Qle_bool 0 l && Qle_bool h 0
    | Ne, (l, h) =>
        match l with Some l => negb (Qle_bool l 0) | None => false end ||
        match h with Some h => negb (Qle_bool 0 h) | None => false end
    | _, _ => false
    end.

  Definition against (s : sign) : sign :=
    match s with Le => Gt | Lt => Ge | Ge => Lt | Gt => Le | Eq => Ne | Ne => Eq end.

  (** [Some true] where the sign is certain, [Some false] where its opposite is. *)
  Definition decided (i : interval) (s : sign) : option bool :=
    if certainly i s then Some true else if certainly i (against s) then Some false else None.

  Definition and_then (x y : option bool) : option bool :=
    match x, y with
    | Some false, _ | _, Some false => Some false
    | Some true, Some true => Some true
    | _, _ => None
    end.

  Fixpoint defined_here (e : expr) : option bool :=
    let needs a s := match defined_here a with Some true => decided (enclosure bits box a) s | x => x end in
    match e with
    | Int _ | Rat _ _ | Var _ => Some true
    | Add a b | Mul a b => and_then (defined_here a) (defined_here b)
    | Pow a _ | Exp a => defined_here a
    | Inv a => needs a Ne
    | Ln a => needs a Gt
    | Sqrt a | Root a _ => needs a Ge
    end.

  Definition holds_here (r : relation) : option bool :=
    let '(s, a, b) := r in
    match and_then (defined_here a) (defined_here b) with
    | Some true => decided (enclosure bits box (minus a b)) s
    | x => x
    end.

  Definition integer_here (e : expr) : bool :=
    match defined_here e, enclosure bits box e with
    | Some true, (Some l, Some h) => Qeq_bool l h && Pos.eqb (Qden (Qred l)) 1
    | _, _ => false
    end.

  Variable env : list R.
  Hypothesis Hbox : all_hold box env.

  Lemma certainly_ok i s x : holds i x -> certainly i s = true -> compares s x 0.
  Proof using.
    destruct i as [[l|] [h|]], s; simpl; intros [Hl Hh] H; simpl in Hl, Hh; try discriminate;
      repeat match goal with
      | H : _ && _ = true |- _ => apply andb_true_iff in H as [? ?]
      | H : _ || _ = true |- _ => apply orb_true_iff in H as [H|H]
      | H : negb _ = true |- _ => apply negb_true_iff, lt_bool in H
      | H : Qle_bool _ _ = true |- _ => apply le_bool in H
      end; try discriminate; rewrite ?Q2R_0 in *; try intro; lra.
  Qed.

  Lemma decided_ok i s x : holds i x -> match decided i s with
    | Some true => compares s x 0 | Some false => ~ compares s x 0 | None => True end.
  Proof using.
    intro H. unfold decided. destruct (certainly i s) eqn:E; [exact (certainly_ok i s x H E)|].
    destruct (certainly i (against s)) eqn:E'; [|exact I]. apply (certainly_ok i _ x H) in E'.
    destruct s; simpl in *; try (intro; lra); tauto.
  Qed.

  Lemma and_then_ok (x y : option bool) (P R : Prop) :
    match x with Some true => P | Some false => ~ P | None => True end ->
    match y with Some true => R | Some false => ~ R | None => True end ->
    match and_then x y with Some true => P /\ R | Some false => ~ (P /\ R) | None => True end.
  Proof using. destruct x as [[]|], y as [[]|]; simpl; tauto. Qed.

  Lemma defined_here_ok e : match defined_here e with
    | Some true => defined env e | Some false => ~ defined env e | None => True end.
  Proof using Hbox.
    assert (N : forall a s, match defined_here a with
        | Some true => defined env a | Some false => ~ defined env a | None => True end ->
      match (match defined_here a with Some true => decided (enclosure bits box a) s | x => x end) with
      | Some true => defined env a /\ compares s (eval env a) 0
      | Some false => ~ (defined env a /\ compares s (eval env a) 0)
      | None => True
      end).
    { intros a s H. destruct (defined_here a) as [[]|]; try tauto.
      assert (X := decided_ok (enclosure bits box a) s (eval env a) (enclosure_holds bits box env a Hbox H)).
      destruct (decided _ s) as [[]|]; tauto. }
    assert (R : forall a, match defined_here a with
        | Some true => defined env a | Some false => ~ defined env a | None => True end ->
      match (match defined_here a with Some true => decided (enclosure bits box a) Ge | x => x end) with
      | Some true => defined env a /\ 0 <= eval env a
      | Some false => ~ (defined env a /\ 0 <= eval env a)
      | None => True
      end).
    { intros a H. specialize (N a Ge H). destruct (match defined_here a with Some true => _ | x => x end) as [[]|];
      trivial.
      - destruct N as [D P]. simpl in P. split; [exact D|lra].
      - intros [D P]. apply N. split; [exact D|simpl; lra]. }
    induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n];
      cbn [defined_here defined]; trivial.
    - now apply and_then_ok.
    - now apply and_then_ok.
    - exact (N a Ne IHa).
    - exact (N a Gt IHa).
    - exact (R a IHa).
    - exact (R a IHa).
  Qed.

  Lemma holds_here_ok r : match holds_here r with
    | Some true => rel_holds env r | Some false => ~ rel_holds env r | None => True end.
  Proof using Hbox.
    destruct r as [[s a] b]. unfold holds_here.
    assert (D := and_then_ok _ _ _ _ (defined_here_ok a) (defined_here_ok b)).
    destruct (and_then (defined_here a) (defined_here b)) as [[]|]; cbn [rel_holds]; trivial.
    - assert (X := decided_ok (enclosure bits box (minus a b)) s (eval env (minus a b))).
      assert (H : holds (enclosure bits box (minus a b)) (eval env (minus a b))).
      { apply enclosure_holds; trivial. simpl. tauto. }
      specialize (X H). simpl eval in X. destruct (decided _ s) as [[]|]; trivial.
      + repeat split; try tauto. destruct s; simpl in *; try intro; lra.
      + intros (_ & _ & C). apply X. destruct s; simpl in *; try intro; lra.
    - tauto.
  Qed.

  Lemma integer_here_ok e : integer_here e = true -> integer env e.
  Proof using Hbox.
    unfold integer_here. assert (D := defined_here_ok e). destruct (defined_here e) as [[]|]; try discriminate.
    assert (H := enclosure_holds bits box env e Hbox D).
    destruct (enclosure bits box e) as [[l|] [h|]]; try discriminate. intro E. apply andb_true_iff in E as [E Ed].
    apply Qeq_bool_iff, Qeq_eqR in E. apply Pos.eqb_eq in Ed. destruct H as [Hl Hh]. simpl in Hl, Hh.
    exists (Qnum (Qred l)).
    assert (R : Q2R l = IZR (Qnum (Qred l))).
    { rewrite <- Q2R_red. destruct (Qred l) as [n d]. simpl in *. subst d. unfold Q2R. simpl. field. }
    rewrite <- R. lra.
  Qed.
End Point.

Definition refute (bits : positive) (c : claim) (at_ : list Q) : bool :=
  let box := map point at_ in
  Nat.eqb (length at_) (arity c) &&
  forallb (integer_here bits box) (integers c) &&
  forallb (fun r => match holds_here bits box r with Some true => true | _ => false end) (given c) &&
  match holds_here bits box (then_ c) with Some false => true | _ => false end.

Theorem refute_sound bits c at_ : refute bits c at_ = true -> ~ claim_holds c.
Proof.
  intros H Hc. unfold refute in H. apply andb_true_iff in H as [H Ht]. apply andb_true_iff in H as [H Hg].
  apply andb_true_iff in H as [Hl Hi]. apply Nat.eqb_eq in Hl. rewrite forallb_forall in Hi, Hg.
  assert (B : all_hold (map point at_) (map Q2R at_)).
  { clear. induction at_ as [|q at_ IH]; simpl; trivial. split; [apply point_holds; reflexivity|exact IH]. }
  assert (X := holds_here_ok bits _ _ B (then_ c)). destruct (holds_here bits _ (then_ c)) as [[]|]; try discriminate.
  apply X, Hc.
  - now rewrite map_length.
  - intros e Hin. exact (integer_here_ok bits _ _ B e (Hi e Hin)).
  - intros r Hin. specialize (Hg r Hin). assert (Y := holds_here_ok bits _ _ B r).
    destruct (holds_here bits _ r) as [[]|]; try discriminate. exact Y.
Qed.
