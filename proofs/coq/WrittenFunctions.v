(** * Functions in pieces as data: their values, and the smooth parts that they are made of *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Terms Relations Motion.
Import ListNotations.
Open Scope R_scope.

(** Operations on values in pieces. *)
Inductive outer : Set := OfExp | OfLn | OfInv | OfSqrt | OfRoot (n : nat).
Definition outside (o : outer) (e : expr) : expr :=
  match o with OfExp => Exp e | OfLn => Ln e | OfInv => Inv e | OfSqrt => Sqrt e | OfRoot n => Root e n end.

(** As a theorem file writes them; conditions compare smooth expressions. *)
Inductive written : Set :=
| Smooth (e : expr)
| Plus (f g : written)
| Times (f g : written)
| Power (f : written) (n : nat)
| Larger (f g : written)
| Smaller (f g : written)
| Absolute (f : written)
| IfLe (a b : expr) (f g : written)
| IfLt (a b : expr) (f g : written)
| IfEq (a b : expr) (f g : written)
| Outside (o : outer) (f : written).

Fixpoint value (env : list R) (f : written) : R :=
  match f with
  | Smooth e => eval env e
  | Plus f g => value env f + value env g
  | Times f g => value env f * value env g
  | Power f n => value env f ^ n
  | Larger f g => Rmax (value env f) (value env g)
  | Smaller f g => Rmin (value env f) (value env g)
  | Absolute f => Rabs (value env f)
  | IfLe a b f g => if Rle_dec (eval env a) (eval env b) then value env f else value env g
  | IfLt a b f g => if Rlt_dec (eval env a) (eval env b) then value env f else value env g
  | IfEq a b f g => if Req_EM_T (eval env a) (eval env b) then value env f else value env g
  | Outside o f => eval [value env f] (outside o (Var 0))
  end.

(** Conditions, each of which may need the ones before it to be defined, and the value where all hold. *)
Definition part : Set := (list relation * expr)%type.

Definition each_two (op : part -> part -> list part) (u v : list part) : list part :=
  flat_map (fun p => flat_map (op p) v) u.
Definition combined (op : expr -> expr -> expr) (p q : part) : list part := [(fst p ++ fst q, op (snd p) (snd q))].
Definition selected (s s' : sign) (p q : part) : list part :=
  [(fst p ++ fst q ++ [(s, snd p, snd q)], snd p); (fst p ++ fst q ++ [(s', snd p, snd q)], snd q)].
Definition under (r : relation) (p : part) : part := (r :: fst p, snd p).

Fixpoint parts_of (f : written) : list part :=
  match f with
  | Smooth e => [([], e)]
  | Plus f g => each_two (combined Add) (parts_of f) (parts_of g)
  | Times f g => each_two (combined Mul) (parts_of f) (parts_of g)
  | Power f n => map (fun p => (fst p, Pow (snd p) n)) (parts_of f)
  | Larger f g => each_two (selected Ge Le) (parts_of f) (parts_of g)
  | Smaller f g => each_two (selected Le Ge) (parts_of f) (parts_of g)
  | Absolute f =>
      flat_map (fun p => [(fst p ++ [(Ge, snd p, Int 0)], snd p);
                          (fst p ++ [(Le, snd p, Int 0)], Mul (Int (-1)) (snd p))]) (parts_of f)
  | IfLe a b f g => map (under (Le, a, b)) (parts_of f) ++ map (under (Gt, a, b)) (parts_of g)
  | IfLt a b f g => map (under (Lt, a, b)) (parts_of f) ++ map (under (Ge, a, b)) (parts_of g)
  | IfEq a b f g =>
      map (under (Eq, a, b)) (parts_of f) ++ map (under (Lt, a, b)) (parts_of g) ++ map (under (Gt, a, b)) (parts_of g)
  | Outside o f => map (fun p => (fst p, outside o (snd p))) (parts_of f)
  end.

(** That conditions hold, whether or not they are defined. *)
Definition meets_relation (env : list R) (r : relation) : Prop :=
  let '(s, a, b) := r in compares s (eval env a) (eval env b).
Definition inside (env : list R) (c : list relation) : Prop := Forall (meets_relation env) c.

Lemma inside_app env c d : inside env c -> inside env d -> inside env (c ++ d).
Proof. intros. now apply Forall_app. Qed.
Lemma inside_one env s a b : compares s (eval env a) (eval env b) -> inside env [(s, a, b)].
Proof. intro H. now constructor. Qed.

Lemma each_two_in op u v p q r : In p u -> In q v -> In r (op p q) -> In r (each_two op u v).
Proof. intros Hp Hq Hr. apply in_flat_map. exists p. split; trivial. apply in_flat_map. now exists q. Qed.

Lemma in_under env f r p : In p (parts_of f) -> meets_relation env r -> inside env (fst p) ->
  In (under r p) (map (under r) (parts_of f)) /\ inside env (fst (under r p)).
Proof. intros H Hr Hp. split; [now apply in_map|now constructor]. Qed.

(** Some part is there, and has the value. *)
Theorem some_part_of env f : exists p, In p (parts_of f) /\ inside env (fst p) /\ value env f = eval env (snd p).
Proof.
  induction f as [e|f IHf g IHg|f IHf g IHg|f IHf n|f IHf g IHg|f IHf g IHg|f IHf|a b f IHf g IHg|a b f IHf g IHg
                 |a b f IHf g IHg|o f IHf]; cbn [parts_of value].
  11: { destruct IHf as (p & Hp & Cp & ->). exists (fst p, outside o (snd p)).
        split; [exact (in_map _ _ _ Hp)|split; [exact Cp|now destruct o]]. }
  1: exists ([], e); split; [now left|split; [constructor|reflexivity]].
  3: { destruct IHf as (p & Hp & Cp & ->). exists (fst p, Pow (snd p) n).
       split; [exact (in_map _ _ _ Hp)|now split]. }
  5: { destruct IHf as (p & Hp & Cp & ->). destruct (Rlt_le_dec (eval env (snd p)) 0) as [H|H].
       - exists (fst p ++ [(Le, snd p, Int 0)], Mul (Int (-1)) (snd p)).
         split; [apply in_flat_map; exists p; split; [exact Hp|right; now left]|].
         split; [apply inside_app; [exact Cp|apply inside_one; simpl; lra]|]. rewrite Rabs_left by lra. cbn [snd eval]. ring.
       - exists (fst p ++ [(Ge, snd p, Int 0)], snd p). split; [apply in_flat_map; exists p; split; [exact Hp|now left]|].
         split; [apply inside_app; [exact Cp|apply inside_one; simpl; lra]|now rewrite Rabs_pos_eq]. }
  all: destruct IHf as (p & Hp & Cp & Ef), IHg as (q & Hq & Cq & Eg).
  - exists (fst p ++ fst q, Add (snd p) (snd q)). rewrite Ef, Eg.
    split; [apply (each_two_in _ _ _ p q); trivial; now left|]. split; [now apply inside_app|reflexivity].
  - exists (fst p ++ fst q, Mul (snd p) (snd q)). rewrite Ef, Eg.
    split; [apply (each_two_in _ _ _ p q); trivial; now left|]. split; [now apply inside_app|reflexivity].
  - rewrite Ef, Eg. destruct (Rlt_le_dec (eval env (snd q)) (eval env (snd p))) as [H|H];
      [exists (fst p ++ fst q ++ [(Ge, snd p, snd q)], snd p)|exists (fst p ++ fst q ++ [(Le, snd p, snd q)], snd q)];
      (split; [apply (each_two_in _ _ _ p q); trivial; cbn; tauto|]);
      (split; [repeat apply inside_app; trivial; apply inside_one; simpl; lra|]);
      cbn [snd]; [apply Rmax_left|apply Rmax_right]; lra.
  - rewrite Ef, Eg. destruct (Rlt_le_dec (eval env (snd q)) (eval env (snd p))) as [H|H];
      [exists (fst p ++ fst q ++ [(Ge, snd p, snd q)], snd q)|exists (fst p ++ fst q ++ [(Le, snd p, snd q)], snd p)];
      (split; [apply (each_two_in _ _ _ p q); trivial; cbn; tauto|]);
      (split; [repeat apply inside_app; trivial; apply inside_one; simpl; lra|]);
      cbn [snd]; [apply Rmin_right|apply Rmin_left]; lra.
  - destruct (Rle_dec _ _) as [H|H%Rnot_le_lt];
      [destruct (in_under env f (Le, a, b) p) as [Hin Hc]|destruct (in_under env g (Gt, a, b) q) as [Hin Hc]];
      trivial; try (simpl; lra); eexists; (split; [apply in_or_app|split; [exact Hc|assumption]]); auto.
  - destruct (Rlt_dec _ _) as [H|H%Rnot_lt_le];
      [destruct (in_under env f (Lt, a, b) p) as [Hin Hc]|destruct (in_under env g (Ge, a, b) q) as [Hin Hc]];
      trivial; try (simpl; lra); eexists; (split; [apply in_or_app|split; [exact Hc|assumption]]); auto.
  - destruct (Req_EM_T _ _) as [H|H]; [|destruct (Rlt_le_dec (eval env a) (eval env b)) as [Hl|Hl]];
      [destruct (in_under env f (Eq, a, b) p) as [Hin Hc]|destruct (in_under env g (Lt, a, b) q) as [Hin Hc]
      |destruct (in_under env g (Gt, a, b) q) as [Hin Hc]];
      trivial; try (simpl; lra); eexists; (split; [rewrite !in_app_iff|split; [exact Hc|assumption]]); auto.
Qed.

Lemma minus_one x : -1 * x = - x.
Proof. ring. Qed.

(** Wherever a part is, the function has its value. *)
Theorem value_of_part env f : forall p, In p (parts_of f) -> inside env (fst p) -> value env f = eval env (snd p).
Proof.
  assert (Under : forall f s a b p, (forall p, In p (parts_of f) -> inside env (fst p) -> value env f = eval env (snd p)) ->
    In p (map (under (s, a, b)) (parts_of f)) -> inside env (fst p) ->
    compares s (eval env a) (eval env b) /\ value env f = eval env (snd p)).
  { intros g s a b p IH Hp Hc. apply in_map_iff in Hp as (q & <- & Hq). inversion Hc; subst. split; [assumption|apply (IH q Hq); assumption]. }
  induction f as [e|f IHf g IHg|f IHf g IHg|f IHf n|f IHf g IHg|f IHf g IHg|f IHf|a b f IHf g IHg|a b f IHf g IHg
                 |a b f IHf g IHg|o f IHf]; cbn [parts_of value]; intros r Hr Hc.
  11: { apply in_map_iff in Hr as (p & <- & Hp). rewrite (IHf p Hp Hc). now destruct o. }
  1: { destruct Hr as [<-|[]]. reflexivity. }
  3: { apply in_map_iff in Hr as (p & <- & Hp). cbn in *. now rewrite (IHf p Hp Hc). }
  5: { apply in_flat_map in Hr as (p & Hp & [<-|[<-|[]]]); cbn [fst snd] in *;
         apply Forall_app in Hc as [Hc Hl]; inversion Hl as [|x y H _]; subst; rewrite (IHf p Hp Hc); cbn in H |- *.
       - apply Rabs_pos_eq. lra.
       - rewrite Rabs_left1 by exact H. symmetry. apply minus_one. }
  5: apply in_app_or in Hr as [Hr|Hr].
  7: apply in_app_or in Hr as [Hr|Hr].
  9: apply in_app_or in Hr as [Hr|Hr]; [|apply in_app_or in Hr as [Hr|Hr]].
  5-11: apply Under in Hr as [H ->]; trivial; cbn in H; destruct (_ : {_} + {_}); lra.
  all: apply in_flat_map in Hr as (p & Hp & Hr); apply in_flat_map in Hr as (q & Hq & Hr); unfold inside in Hc.
  1, 2: destruct Hr as [<-|[]]; cbn [combined fst snd eval] in *; apply Forall_app in Hc as [Cp Cq];
    now rewrite (IHf p Hp Cp), (IHg q Hq Cq).
  all: destruct Hr as [<-|[<-|[]]]; cbn [fst snd] in *; apply Forall_app in Hc as [Cp Hc];
    apply Forall_app in Hc as [Cq Hl]; inversion Hl as [|x y H _]; subst; rewrite (IHf p Hp Cp), (IHg q Hq Cq); cbn in H.
  - now apply Rmax_left, Rge_le.
  - now apply Rmax_right.
  - now apply Rmin_left.
  - now apply Rmin_right, Rge_le.
Qed.

(** ** Terms in the place of variables *)

Lemma put_ok env v r e : (v < length env)%nat -> defined env r ->
  eval env (substitute v r e) = eval (updated env v (eval env r)) e /\
  (defined env (substitute v r e) <-> defined (updated env v (eval env r)) e).
Proof.
  intros Hv D.
  induction e as [z|z p|n|a [Ea Da] b [Eb Db]|a [Ea Da] b [Eb Db]|a [Ea Da] n|a [Ea Da]|a [Ea Da]|a [Ea Da]|a [Ea Da]
                 |a [Ea Da] n]; cbn [substitute eval defined]; rewrite ?Ea, ?Eb; try tauto.
  rewrite updated_nth by exact Hv. destruct (Nat.eqb n v); cbn [eval defined]; tauto.
Qed.

Lemma put_holds env v r x : (v < length env)%nat -> defined env r ->
  rel_holds env (substituted v r x) <-> rel_holds (updated env v (eval env r)) x.
Proof.
  intros Hv D. destruct x as [[s a] b]. cbn [substituted rel_holds]. destruct (put_ok env v r a Hv D) as [-> ->].
  destruct (put_ok env v r b Hv D) as [-> ->]. reflexivity.
Qed.

(** ** In functions, and the function of the opposite margin *)

Fixpoint put_inside (v : nat) (r : expr) (f : written) : written :=
  let into := substitute v r in
  match f with
  | Smooth e => Smooth (into e)
  | Plus f g => Plus (put_inside v r f) (put_inside v r g)
  | Times f g => Times (put_inside v r f) (put_inside v r g)
  | Power f n => Power (put_inside v r f) n
  | Larger f g => Larger (put_inside v r f) (put_inside v r g)
  | Smaller f g => Smaller (put_inside v r f) (put_inside v r g)
  | Absolute f => Absolute (put_inside v r f)
  | IfLe a b f g => IfLe (into a) (into b) (put_inside v r f) (put_inside v r g)
  | IfLt a b f g => IfLt (into a) (into b) (put_inside v r f) (put_inside v r g)
  | IfEq a b f g => IfEq (into a) (into b) (put_inside v r f) (put_inside v r g)
  | Outside o f => Outside o (put_inside v r f)
  end.

Lemma value_inside env v r f : (v < length env)%nat -> defined env r ->
  value env (put_inside v r f) = value (updated env v (eval env r)) f.
Proof.
  intros Hv D. assert (E := fun e => proj1 (put_ok env v r e Hv D)).
  induction f; cbn [put_inside value]; rewrite ?E, ?IHf, ?IHf1, ?IHf2; reflexivity.
Qed.

Definition mirrored : written -> written := put_inside 0 (Mul (Int (-1)) (Var 0)).

Lemma value_mirrored m rest f : value (m :: rest) (mirrored f) = value (- m :: rest) f.
Proof.
  unfold mirrored. rewrite value_inside by (cbn; auto using Nat.lt_0_succ). cbn. now rewrite minus_one.
Qed.

(** With the margin in the first place and a second one after it: a function of one margin does not have the second. *)
Notation second_margin := (Var 1) (only parsing).

Section Two.
  Variable rest : list R.

  Lemma second_is_free m s s' e : without 1 e = true ->
    eval (m :: s :: rest) e = eval (m :: s' :: rest) e /\ (defined (m :: s :: rest) e <-> defined (m :: s' :: rest) e).
  Proof using. intro H. apply (free_same (m :: s :: rest) 1 ltac:(simpl; lia) s s' e H). Qed.

  Lemma first_is_free m m' s e : without 0 e = true ->
    eval (m :: s :: rest) e = eval (m' :: s :: rest) e /\ (defined (m :: s :: rest) e <-> defined (m' :: s :: rest) e).
  Proof using. intro H. apply (free_same (m :: s :: rest) 0 ltac:(simpl; lia) m m' e H). Qed.

  Lemma second_is_free_in m s s' r : rel_without 1 r = true ->
    rel_holds (m :: s :: rest) r <-> rel_holds (m :: s' :: rest) r.
  Proof using.
    destruct r as [[sg a] b]. unfold rel_without. cbn. intro H. apply andb_true_iff in H as [Ha Hb].
    destruct (second_is_free m s s' a Ha) as [-> ->], (second_is_free m s s' b Hb) as [-> ->]. reflexivity.
  Qed.

  Lemma first_is_free_in m m' s r : rel_without 0 r = true ->
    rel_holds (m :: s :: rest) r <-> rel_holds (m' :: s :: rest) r.
  Proof using.
    destruct r as [[sg a] b]. unfold rel_without. cbn. intro H. apply andb_true_iff in H as [Ha Hb].
    destruct (first_is_free m m' s a Ha) as [-> ->], (first_is_free m m' s b Hb) as [-> ->]. reflexivity.
  Qed.

  Definition at_second : expr -> expr := substitute 0 second_margin.
  Definition relation_at_second : relation -> relation := substituted 0 second_margin.

  Lemma at_second_ok m s e : without 1 e = true ->
    eval (m :: s :: rest) (at_second e) = eval (s :: 0 :: rest) e /\
    (defined (m :: s :: rest) (at_second e) <-> defined (s :: 0 :: rest) e).
  Proof using.
    intro H. destruct (put_ok (m :: s :: rest) 0 second_margin e ltac:(simpl; lia) I) as [E D]. cbn in E, D.
    destruct (second_is_free s s 0 e H) as [E' D']. unfold at_second. rewrite E, E', D, D'. now split.
  Qed.

  Lemma relation_at_second_ok m s r : rel_without 1 r = true ->
    rel_holds (m :: s :: rest) (relation_at_second r) <-> rel_holds (s :: 0 :: rest) r.
  Proof using.
    intro H. unfold relation_at_second. rewrite put_holds by (simpl; auto; lia). cbn. now apply second_is_free_in.
  Qed.
End Two.

(** ** Where an expression has derivatives *)

Fixpoint smooth_needs (e : expr) : list relation :=
  match e with
  | Int _ | Rat _ _ | Var _ => []
  | Add a b | Mul a b => smooth_needs a ++ smooth_needs b
  | Pow a _ | Exp a => smooth_needs a
  | Inv a => smooth_needs a ++ [(Ne, a, Int 0)]
  | Ln a | Sqrt a | Root a _ => smooth_needs a ++ [(Gt, a, Int 0)]
  end.

Lemma smooth_needs_ok env e : (forall r, In r (smooth_needs e) -> rel_holds env r) -> smooth env e.
Proof.
  assert (Last : forall (u : list relation) r, In r (u ++ [r])) by (intros; apply in_or_app; right; now left).
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; cbn [smooth_needs smooth];
    intro H; auto; try (split; [apply IHa|apply IHb]; intros r Hr; apply H, in_or_app; auto);
    (split; [apply IHa; intros r Hr; apply H, in_or_app; auto|]);
    destruct (H _ (Last _ _)) as (_ & _ & C); exact C.
Qed.

(** ** Derivatives in the variable 0, as short as a reader would write them *)

Definition is_int (z : Z) (e : expr) : bool := match e with Int x => Z.eqb x z | _ => false end.
Definition plus (a b : expr) : expr := if is_int 0 a then b else if is_int 0 b then a else Add a b.
Definition times (a b : expr) : expr :=
  if is_int 0 a || is_int 0 b then Int 0 else if is_int 1 a then b else if is_int 1 b then a else Mul a b.
Definition power (a : expr) (n : nat) : expr := match n with 1%nat => a | _ => Pow a n end.

Fixpoint derived (e : expr) : expr :=
  match e with
  | Int _ | Rat _ _ | Var (S _) | Pow _ O => Int 0
  | Var O => Int 1
  | Add a b => plus (derived a) (derived b)
  | Mul a b => plus (times (derived a) b) (times a (derived b))
  | Pow a (S n) => times (times (Int (Z.of_nat (S n))) (if Nat.eqb n 0 then Int 1 else power a n)) (derived a)
  | Inv (Pow a (S n)) => times (times (Int (- Z.of_nat (S n))) (Inv (Pow a (S (S n))))) (derived a)
  | Inv a => times (times (Int (-1)) (Inv (Pow a 2))) (derived a)
  | Exp a => times (Exp a) (derived a)
  | Ln a => times (Inv a) (derived a)
  | Sqrt a => times (times (Rat 1 2) (Inv (Sqrt a))) (derived a)
  | Root a n => times (times (Rat 1 (Pos.of_succ_nat n)) (times (Root a n) (Inv a))) (derived a)
  end.

Lemma is_int_ok z e : is_int z e = true -> e = Int z.
Proof. destruct e; try discriminate. intro H. f_equal. now apply Z.eqb_eq. Qed.

Ltac by_numbers a b :=
  unfold plus, times;
  destruct (is_int 0 a) eqn:A0; [apply is_int_ok in A0; subst a|]; destruct (is_int 0 b) eqn:B0;
  [apply is_int_ok in B0; subst b| |apply is_int_ok in B0; subst b|]; cbn [orb];
  try (destruct (is_int 1 a) eqn:A1; [apply is_int_ok in A1; subst a|]);
  try (destruct (is_int 1 b) eqn:B1; [apply is_int_ok in B1; subst b|]).

Lemma eval_plus env a b : eval env (plus a b) = eval env a + eval env b.
Proof. by_numbers a b; cbn [eval]; ring. Qed.
Lemma eval_times env a b : eval env (times a b) = eval env a * eval env b.
Proof. by_numbers a b; cbn [eval]; ring. Qed.
Lemma eval_power env a n : eval env (power a n) = eval env a ^ n.
Proof. destruct n as [|[|n]]; cbn; trivial. ring. Qed.
Lemma smooth_plus env a b : smooth env a -> smooth env b -> smooth env (plus a b).
Proof. by_numbers a b; now cbn. Qed.
Lemma smooth_times env a b : smooth env a -> smooth env b -> smooth env (times a b).
Proof. by_numbers a b; now cbn. Qed.
Lemma without_plus v a b : without v a = true -> without v b = true -> without v (plus a b) = true.
Proof. by_numbers a b; cbn; intros Ha Hb; now rewrite ?Ha, ?Hb. Qed.
Lemma without_times v a b : without v a = true -> without v b = true -> without v (times a b) = true.
Proof. by_numbers a b; cbn; intros Ha Hb; now rewrite ?Ha, ?Hb. Qed.
Lemma smooth_power env a n : smooth env a -> smooth env (power a n).
Proof. now destruct n as [|[|n]]. Qed.
Lemma without_power v a n : without v a = true -> without v (power a n) = true.
Proof. now destruct n as [|[|n]]. Qed.

Lemma derived_inv a : derived (Inv a) = times (times (Int (-1)) (Inv (Pow a 2))) (derived a) \/
  exists b n, a = Pow b (S n) /\
    derived (Inv a) = times (times (Int (- Z.of_nat (S n))) (Inv (Pow b (S (S n))))) (derived b).
Proof.
  destruct a as [z|z p|n|a b|a b|a n|a|a|a|a|a n]; auto. destruct n as [|n]; auto. right. now exists a, n.
Qed.

(** What is true of an expression, and if it is a power of its base. *)
Definition deeply (Q : expr -> Prop) (e : expr) : Prop := Q e /\ forall b n, e = Pow b n -> Q b.
Ltac apply_first := match goal with H : deeply _ _ |- _ => exact (proj1 H) end.
Ltac deep_cases :=
  split;
  [|let E := fresh in intros ? ? E; first [discriminate E | injection E as E _; rewrite <- E; apply_first]].

Lemma derived_is_slope env e : smooth env e -> eval env (derived e) = eval env (slope e).
Proof.
  enough (D : deeply (fun e => smooth env e -> eval env (derived e) = eval env (slope e)) e) by apply D.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; deep_cases; cbn [smooth];
    intro H; try destruct IHa as [IHa Deep]; try destruct IHb as [IHb _].
  - reflexivity.
  - reflexivity.
  - now destruct n.
  - cbn [derived slope]. rewrite eval_plus. cbn [eval]. now rewrite IHa, IHb.
  - cbn [derived slope]. rewrite eval_plus, !eval_times. cbn [eval]. now rewrite IHa, IHb.
  - destruct n as [|n]; [reflexivity|]. cbn [derived slope]. rewrite !eval_times, IHa by trivial.
    destruct n as [|n]; cbn [Nat.eqb]; rewrite ?eval_power; cbn [eval pow]; ring.
  - destruct H as [Ha Hx]. destruct (derived_inv a) as [E|(b & n & -> & E)]; rewrite E.
    + rewrite slope_inv, !eval_times, IHa by trivial. unfold Rsqr. cbn [eval]. field. exact Hx.
    + rewrite !eval_times, (Deep b (S n) eq_refl) by exact Ha. cbn [slope eval]. ring.
  - cbn [derived slope]. rewrite eval_times. cbn [eval]. now rewrite IHa.
  - destruct H as [Ha _]. cbn [derived slope]. rewrite eval_times. cbn [eval]. now rewrite IHa.
  - destruct H as [Ha Hx]. cbn [derived slope]. rewrite !eval_times. cbn [eval]. rewrite IHa by trivial.
    assert (Hr := sqrt_lt_R0 _ Hx). rewrite <- (sqrt_sqrt (eval env a)) at 3 by lra. field. lra.
  - destruct H as [Ha _]. cbn [derived slope]. rewrite !eval_times. cbn [eval]. rewrite IHa by trivial. ring.
Qed.

Lemma derivable_derived env e x :
  smooth (x :: env) e -> derivable_pt_lim (fun v => eval (v :: env) e) x (eval (x :: env) (derived e)).
Proof. intro H. rewrite derived_is_slope by exact H. now apply derivable_slope. Qed.

Lemma derived_without v e : without v e = true -> without v (derived e) = true.
Proof.
  enough (D : deeply (fun e => without v e = true -> without v (derived e) = true) e) by apply D.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; deep_cases; intro H; trivial;
    try destruct IHa as [IHa Deep]; try destruct IHb as [IHb _].
  - now destruct n.
  - cbn in *. apply andb_true_iff in H as [Ha Hb]. auto using without_plus.
  - cbn in *. apply andb_true_iff in H as [Ha Hb]. auto 6 using without_plus, without_times.
  - cbn in *. destruct n as [|n]; trivial. destruct n; cbn [Nat.eqb]; repeat apply without_times; trivial;
      try (now apply without_power); now apply IHa.
  - cbn in H. destruct (derived_inv a) as [->|(b & n & -> & ->)].
    + repeat apply without_times; trivial. now apply IHa.
    + repeat apply without_times; trivial. now apply (Deep b (S n) eq_refl).
  - cbn in *. repeat apply without_times; trivial. now apply IHa.
  - cbn in *. repeat apply without_times; trivial. now apply IHa.
  - cbn in *. repeat apply without_times; trivial. now apply IHa.
  - cbn in *. repeat apply without_times; trivial; try (now apply IHa). cbn. now rewrite H.
Qed.

(** Second derivatives are those of the first ones. *)
Lemma smooth_derived env e : smooth env e -> smooth env (derived e).
Proof.
  enough (D : deeply (fun e => smooth env e -> smooth env (derived e)) e) by apply D.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; deep_cases; cbn [smooth];
    intro H; try destruct IHa as [IHa Deep]; try destruct IHb as [IHb _].
  - exact I.
  - exact I.
  - now destruct n.
  - cbn. destruct H. auto using smooth_plus.
  - cbn. destruct H. auto 6 using smooth_plus, smooth_times.
  - destruct n as [|n]; [exact I|]. cbn. destruct n; cbn [Nat.eqb]; apply smooth_times; auto; apply smooth_times;
      try exact I; now apply smooth_power.
  - destruct H as [Ha Hx]. destruct (derived_inv a) as [->|(b & n & -> & ->)].
    + apply smooth_times; auto. apply smooth_times; [exact I|]. split; [exact Ha|]. exact (pow_nonzero _ 2 Hx).
    + apply smooth_times; [|now apply (Deep b (S n) eq_refl)]. apply smooth_times; [exact I|]. split; [exact Ha|].
      apply (pow_nonzero (eval env b) (S (S n))). intro E. apply Hx. change (eval env b ^ S n = 0). rewrite E. simpl. ring.
  - cbn. auto using smooth_times.
  - destruct H as [Ha Hx]. cbn. apply smooth_times; auto. split; [exact Ha|]. lra.
  - destruct H as [Ha Hx]. cbn. apply smooth_times; auto. split; [exact I|]. split; [now split|].
    apply Rgt_not_eq. now apply sqrt_lt_R0.
  - destruct H as [Ha Hx]. cbn. apply smooth_times; auto. cbn. repeat split; auto. lra.
Qed.
