(** * The rule interval: f <= 0 by an enclosure on a box, or by the mean value form in one variable *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith Classical_Prop.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms Hypotheses Derivation.
Import ListNotations.
Open Scope R_scope.

(** A bound of a variable: from hypothesis [i], linear in it; [at] is where, [q] a rational not beyond. *)
Inductive bound : Set := Bound (i : nat) (scale : Q) (at_ : expr) (q : Q).

Section Bounds.
  Variables (n : nat) (G : list relation) (F : list fact) (t : table) (bits : positive).

  (** v - b (or b - v) is a positive multiple of what a hypothesis says is not negative. *)
  Definition bounded (below : bool) (v : nat) (b : bound) : bool :=
    let 'Bound i s e q := b in
    match nth_error G i with
    | Some r =>
        match difference_of r with
        | Some d =>
            negb (Qle_bool s 0) && certainly_defined G F t e &&
            equal t (if below then minus (Var v) e else minus e (Var v)) (Mul (Rat (Qnum s) (Qden s)) d) &&
            let i := enclosure bits (everywhere n) e in if below then at_least (fst i) q else at_most (snd i) q
        | None => false
        end
    | None => false
    end.

  Variables (l : env_of) (env : list R).
  Hypotheses (Hlen : length env = n) (HG : all_given env G) (HF : all_hold_at l F) (Ht : table_ok l env t).

  Lemma bounded_ok below v i s e q : bounded below v (Bound i s e q) = true ->
    let x := List.nth v env 0 in
    if below then Q2R q <= x /\ eval env e <= x else x <= Q2R q /\ x <= eval env e.
  Proof using Hlen HG HF Ht.
    unfold bounded. destruct (nth_error G i) as [r|] eqn:Er; [|discriminate]. apply nth_error_In in Er.
    destruct (difference_of r) as [d|] eqn:Ed; [|discriminate]. intro H.
    apply andb_true_iff in H as [H Hq]. apply andb_true_iff in H as [H Hsame]. apply andb_true_iff in H as [Hs He].
    destruct (difference_ok env r d (HG r Er) Ed) as [Dd Hd].
    assert (De := certainly_defined_ok G F t l env HG HF Ht _ He). apply negb_true_iff, lt_bool in Hs.
    rewrite Enclosures.Q2R_0 in Hs.
    assert (E : eval env (if below then minus (Var v) e else minus e (Var v)) = Q2R s * eval env d).
    { change (Q2R s * eval env d) with (eval env (Mul (Rat (Qnum s) (Qden s)) d)).
      apply (equal_ok l env t _ _ Ht Hsame); [destruct below; simpl; auto|simpl; auto]. }
    assert (0 <= Q2R s * eval env d) by (apply Rmult_le_pos; lra). rewrite <- Hlen in Hq.
    destruct below; simpl in E |- *.
    - assert (X := enclosed_ge bits _ env e q (everywhere_holds env) De Hq). lra.
    - assert (X := enclosed_le bits _ env e q (everywhere_holds env) De Hq). lra.
  Qed.

  Definition end_of (b : option bound) : option Q := match b with Some (Bound _ _ _ q) => Some q | None => None end.
  Definition good (below : bool) (v : nat) (b : option bound) : bool :=
    match b with Some b => bounded below v b | None => true end.

  Fixpoint box_ok (v : nat) (box : list (option bound * option bound)) : bool :=
    match box with [] => true | (a, b) :: box => good true v a && good false v b && box_ok (S v) box end.

  Definition intervals (box : list (option bound * option bound)) : list interval :=
    map (fun ab => (end_of (fst ab), end_of (snd ab))) box.

  Lemma one_holds v a b : good true v a = true -> good false v b = true ->
    holds (end_of a, end_of b) (List.nth v env 0).
  Proof using Hlen HG HF Ht.
    intros Ha Hb. split; simpl.
    - destruct a as [[i s e q]|]; simpl; trivial. apply (bounded_ok true v i s e q Ha).
    - destruct b as [[i s e q]|]; simpl; trivial. apply (bounded_ok false v i s e q Hb).
  Qed.

  Lemma box_holds_all box : box_ok 0 box = true -> length box = n -> all_hold (intervals box) env.
  Proof using Hlen HG HF Ht.
    intros H E. assert (El' : length box = length env) by congruence.
    enough (K : forall rest vs v, (forall i, List.nth (v + i) env 0 = List.nth i vs 0) -> length rest = length vs ->
      box_ok v rest = true -> (forall w a b, good true w a = true -> good false w b = true ->
        holds (end_of a, end_of b) (List.nth w env 0)) -> all_hold (intervals rest) vs).
    { apply (K box env 0%nat); trivial. intros w a b Ha Hb. apply one_holds; trivial. }
    clear. induction rest as [|[a b] rest IH]; intros [|x vs] v Hv El Hb K; simpl in *; try discriminate; trivial.
    apply andb_true_iff in Hb as [Hb Hr]. apply andb_true_iff in Hb as [Ha Hb]. split.
    - assert (X := Hv 0%nat). rewrite Nat.add_0_r in X. simpl in X. rewrite <- X. now apply K.
    - apply (IH vs (S v)); trivial; [|now injection El]. intro i. specialize (Hv (S i)). simpl in Hv.
      rewrite <- Hv. f_equal. lia.
  Qed.
End Bounds.

(** In one variable. *)
Fixpoint only (v : nat) (e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ => true
  | Var n => Nat.eqb n v
  | Add a b | Mul a b => only v a && only v b
  | Pow a _ | Inv a | Exp a | Ln a | Sqrt a | Root a _ => only v a
  end.

Lemma only_ok env v e : only v e = true -> eval env e = eval [List.nth v env 0] (substitute v (Var 0) e).
Proof.
  induction e; simpl; intro H; trivial; try apply andb_true_iff in H as [H1 H2]; try (f_equal; auto).
  - apply Nat.eqb_eq in H as ->. rewrite Nat.eqb_refl. reflexivity.
Qed.

Definition below_zero (strict : bool) (h : option Q) : bool := if strict then is_negative h else at_most h 0.

Lemma below_zero_ok strict h x : below_zero strict h = true -> under h x -> if strict then x < 0 else x <= 0.
Proof.
  unfold below_zero. destruct h as [h|]; destruct strict; simpl; try discriminate; intros H Hx.
  - apply negb_true_iff, lt_bool in H. rewrite Enclosures.Q2R_0 in H. lra.
  - apply le_bool in H. rewrite Enclosures.Q2R_0 in H. lra.
Qed.

Definition nowhere (i : interval) : bool :=
  match i with (Some low, Some high) => negb (Qle_bool low high) | _ => false end.

Definition by_interval (n : nat) (G : list relation) (F : list fact) (t : table) (bits : positive)
    (box : list (option bound * option bound)) (mean : option nat) (r : relation) : bool :=
  match sides r with
  | Some (strict, a, b) =>
      Nat.eqb (length box) n && box_ok n G F t bits 0 box && certainly_defined G F t a && certainly_defined G F t b &&
      negb (existsb nowhere (intervals box)) &&
      match mean with
      | None => below_zero strict (snd (enclosure bits (intervals box) (difference a b)))
      | Some v =>
          match List.nth v (intervals box) everything with
          | (Some low, Some high) =>
              only v (difference a b) &&
              below_zero strict (mean_form bits low high (substitute v (Var 0) (difference a b)))
          | _ => false
          end
      end
  | None => false
  end.

Lemma by_interval_ok n G F t bits l env : length env = n -> all_given env G -> all_hold_at l F -> table_ok l env t ->
  forall box mean r, by_interval n G F t bits box mean r = true -> rel_holds env r.
Proof.
  intros Hlen HG HF Ht box mean r H. unfold by_interval in H.
  destruct (sides r) as [[[strict a] b]|] eqn:Es; [|discriminate].
  apply andb_true_iff in H as [H Hm]. apply andb_true_iff in H as [H _]. apply andb_true_iff in H as [H Hb].
  apply andb_true_iff in H as [H Ha]. apply andb_true_iff in H as [Hl Hbox]. apply Nat.eqb_eq in Hl.
  assert (Da := certainly_defined_ok _ _ _ _ env HG HF Ht _ Ha).
  assert (Db := certainly_defined_ok _ _ _ _ env HG HF Ht _ Hb).
  assert (Hall := box_holds_all n G F t bits _ env Hlen HG HF Ht box Hbox Hl).
  apply (sides_ok env _ strict a b Es Da Db).
  destruct mean as [v|].
  - destruct (List.nth v (intervals box) everything) as [[low|] [high|]] eqn:Ev; try discriminate.
    apply andb_true_iff in Hm as [Ho Hm].
    assert (Hv := box_holds _ env v Hall). rewrite Ev in Hv. destruct Hv as [Hv1 Hv2]. simpl in Hv1, Hv2.
    assert (X := mean_form_holds bits low high _ _ Hv1 Hv2 : under _ (eval _ (substitute v (Var 0) (difference a b)))).
    rewrite <- (only_ok env v _ Ho) in X. now apply (below_zero_ok strict _ _ Hm).
  - apply (below_zero_ok strict _ _ Hm). apply enclosure_holds; trivial. simpl. auto.
Qed.
