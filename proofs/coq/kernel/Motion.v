(** * The rule move: f <= 0 because f does not fall on the way to the nearest bound of a variable, where f <= 0 *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith Classical_Prop.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Signs Roots Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms Hypotheses Derivation Intervals.
Import ListNotations.
Open Scope R_scope.

(** What may be undefined does not have the variable. *)
Fixpoint nopole (v : nat) (e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ | Var _ => true
  | Add a b | Mul a b => nopole v a && nopole v b
  | Pow a _ | Exp a => nopole v a
  | Inv a | Ln a | Sqrt a | Root a _ => without v a
  end.

Fixpoint derivative (v : nat) (e : expr) : expr :=
  match e with
  | Int _ | Rat _ _ => Int 0
  | Var n => if Nat.eqb n v then Int 1 else Int 0
  | Add a b => Add (derivative v a) (derivative v b)
  | Mul a b => Add (Mul (derivative v a) b) (Mul a (derivative v b))
  | Pow a O => Int 0
  | Pow a (S n) => Mul (Int (Z.of_nat (S n))) (Mul (Pow a n) (derivative v a))
  | Inv a => Mul (Int (-1)) (Mul (Inv (Pow a 2)) (derivative v a))
  | Exp a => Mul (Exp a) (derivative v a)
  | Ln a => Mul (Inv a) (derivative v a)
  | Sqrt a => if without v a then Int 0 else Mul (Mul (Rat 1 2) (Mul (Sqrt a) (Inv a))) (derivative v a)
  | Root a n =>
      if without v a then Int 0
      else Mul (Mul (Rat 1 (Pos.of_succ_nat n)) (Mul (Root a n) (Inv a))) (derivative v a)
  end.

Section Along.
  Variables (env : list R) (v : nat).
  Hypothesis inside_ : (v < length env)%nat.
  Notation at_ x := (updated env v x).

  Lemma free_same x x' e : without v e = true ->
    eval (at_ x) e = eval (at_ x') e /\ (defined (at_ x) e <-> defined (at_ x') e).
  Proof using inside_.
    induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; simpl; intro H; try tauto.
    - rewrite !updated_nth by trivial. destruct (Nat.eqb n v); [discriminate|tauto].
    - apply andb_true_iff in H as [H1 H2]. destruct (IHa H1) as [-> ?], (IHb H2) as [-> ?]. tauto.
    - apply andb_true_iff in H as [H1 H2]. destruct (IHa H1) as [-> ?], (IHb H2) as [-> ?]. tauto.
    - destruct (IHa H) as [-> ?]. tauto.
    - destruct (IHa H) as [-> ?]. tauto.
    - destruct (IHa H) as [-> ?]. tauto.
    - destruct (IHa H) as [-> ?]. tauto.
    - destruct (IHa H) as [-> ?]. tauto.
    - destruct (IHa H) as [-> ?]. tauto.
  Qed.

  Lemma nopole_defined x x' e : nopole v e = true -> defined (at_ x) e -> defined (at_ x') e.
  Proof using inside_.
    induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; intros H D;
      simpl in H, D |- *; trivial; auto.
    - apply andb_true_iff in H as [H1 H2]. destruct D. auto.
    - apply andb_true_iff in H as [H1 H2]. destruct D. auto.
    - destruct (free_same x x' a H) as [<- <-]. exact D.
    - destruct (free_same x x' a H) as [<- <-]. exact D.
    - destruct (free_same x x' a H) as [<- <-]. exact D.
    - destruct (free_same x x' a H) as [<- <-]. exact D.
  Qed.

  Lemma continuous_along x e : defined (at_ x) e -> continuity_pt (fun x => eval (at_ x) e) x.
  Proof using inside_.
    induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; simpl; intro D.
    - apply derivable_continuous_pt, derivable_pt_const.
    - apply derivable_continuous_pt. apply (derivable_pt_const (IZR z / IZR (Zpos p))).
    - destruct (Nat.eqb n v) eqn:E.
      + intros eps He. exists eps. split; trivial. intros y0 [_ Hy]. simpl in *. rewrite !updated_nth, E by trivial.
        exact Hy.
      + intros eps He. exists 1. split; [lra|]. intros y0 _. simpl. rewrite !updated_nth, E by trivial. unfold R_dist.
        rewrite Rminus_diag_eq, Rabs_R0; trivial.
    - destruct D. apply (continuity_pt_plus (fun x => eval (at_ x) a) (fun x => eval (at_ x) b)); auto.
    - destruct D. apply (continuity_pt_mult (fun x => eval (at_ x) a) (fun x => eval (at_ x) b)); auto.
    - induction n as [|n IHn]; simpl; [apply derivable_continuous_pt, derivable_pt_const|].
      apply (continuity_pt_mult (fun x => eval (at_ x) a) (fun x => eval (at_ x) a ^ n)); auto.
    - destruct D. apply (continuity_pt_inv (fun x => eval (at_ x) a)); auto.
    - apply (continuity_pt_comp (fun x => eval (at_ x) a) exp); auto. apply derivable_continuous_pt, derivable_pt_exp.
    - destruct D as [D Hp]. apply (continuity_pt_comp (fun x => eval (at_ x) a) ln); auto.
      apply derivable_continuous_pt. exists (/ eval (at_ x) a). now apply derivable_pt_lim_ln.
    - destruct D as [D Hp]. apply (continuity_pt_comp (fun x => eval (at_ x) a) sqrt); auto.
      now apply continuity_pt_sqrt.
    - destruct D as [D Hp]. apply (continuity_pt_comp (fun x => eval (at_ x) a) (root (S n))); auto.
      now apply continuous_root.
  Qed.

  Fixpoint smooth_along (x : R) (e : expr) : Prop :=
    match e with
    | Int _ | Rat _ _ | Var _ => True
    | Add a b | Mul a b => smooth_along x a /\ smooth_along x b
    | Pow a _ | Exp a => smooth_along x a
    | Inv a => smooth_along x a /\ eval (at_ x) a <> 0
    | Ln a => smooth_along x a /\ 0 < eval (at_ x) a
    | Sqrt a | Root a _ => smooth_along x a /\ (without v a = true \/ 0 < eval (at_ x) a)
    end.

  Lemma derivable_derivative x e : smooth_along x e -> derivable_pt_lim (fun x => eval (at_ x) e) x (eval (at_ x) (derivative v e)).
  Proof using inside_.
    induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n];
      cbn [smooth_along derivative eval]; intro H.
    - apply derivable_pt_lim_const.
    - apply derivable_pt_lim_const.
    - destruct (Nat.eqb n v) eqn:E; simpl.
      + apply (derivable_pt_lim_same id); [intro y0; rewrite updated_nth, E by trivial; reflexivity|apply derivable_pt_lim_id].
      + apply (derivable_pt_lim_same (fun _ => List.nth n env 0)); [|apply derivable_pt_lim_const].
        intro y0. now rewrite updated_nth, E.
    - destruct H. apply (derivable_pt_lim_plus (fun x => eval (at_ x) a) (fun x => eval (at_ x) b)); auto.
    - destruct H. apply (derivable_pt_lim_mult (fun x => eval (at_ x) a) (fun x => eval (at_ x) b)); auto.
    - destruct n as [|n]; [apply derivable_pt_lim_const|].
      apply (derivable_pt_lim_eq _ _ (INR (S n) * eval (at_ x) a ^ pred (S n) * eval (at_ x) (derivative v a))).
      + apply (derivable_pt_lim_comp _ (fun u => u ^ S n) x _ (INR (S n) * eval (at_ x) a ^ pred (S n)) (IHa H)).
        apply derivable_pt_lim_pow.
      + cbn [eval pred]. rewrite INR_IZR_INZ. ring.
    - destruct H as [Ha Hb]. eapply derivable_pt_lim_eq.
      + apply (derivable_pt_lim_same (div_fct (fct_cte 1) (fun x => eval (at_ x) a))).
        * intro y0. unfold div_fct, fct_cte. unfold Rdiv. apply Rmult_1_l.
        * apply (derivable_pt_lim_div (fct_cte 1) (fun x => eval (at_ x) a) x 0 _ (derivable_pt_lim_const 1 x) (IHa Ha) Hb).
      + unfold fct_cte, Rsqr. cbv beta. cbn [eval]. field. exact Hb.
    - eapply derivable_pt_lim_eq.
      + apply (derivable_pt_lim_comp (fun x => eval (at_ x) a) exp x _ (exp (eval (at_ x) a)) (IHa H)).
        apply derivable_pt_lim_exp.
      + reflexivity.
    - destruct H as [Ha Hb]. eapply derivable_pt_lim_eq.
      + apply (derivable_pt_lim_comp (fun x => eval (at_ x) a) ln x _ (/ eval (at_ x) a) (IHa Ha)).
        apply derivable_pt_lim_ln, Hb.
      + reflexivity.
    - destruct H as [H Hx]. destruct (without v a) eqn:E.
      + apply (derivable_pt_lim_same (fun _ => sqrt (eval (at_ 0) a))); [|apply derivable_pt_lim_const].
        intro y0. now destruct (free_same y0 0 a E) as [-> _].
      + destruct Hx as [Hx|Hx]; [discriminate|]. eapply derivable_pt_lim_eq.
        * apply (derivable_pt_lim_comp (fun x => eval (at_ x) a) sqrt x _ (/ (2 * sqrt (eval (at_ x) a))) (IHa H)).
          apply derivable_pt_lim_sqrt, Hx.
        * cbn [eval]. set (s := eval (at_ x) a) in *. assert (Hs : sqrt s <> 0).
          { intro Z. apply sqrt_eq_0 in Z; lra. }
          rewrite <- (sqrt_sqrt s) at 3 by lra. field. exact Hs.
    - destruct H as [H Hx]. destruct (without v a) eqn:E.
      + apply (derivable_pt_lim_same (fun _ => root (S n) (eval (at_ 0) a))); [|apply derivable_pt_lim_const].
        intro y0. now destruct (free_same y0 0 a E) as [-> _].
      + destruct Hx as [Hx|Hx]; [discriminate|]. eapply derivable_pt_lim_eq.
        * exact (derivable_pt_lim_comp (fun x => eval (at_ x) a) (root (S n)) x _ _ (IHa H) (derivable_root n _ Hx)).
        * cbn [eval]. now rewrite inverse_of_degree.
  Qed.

  Lemma put_at r e : without v r = true -> let x := eval env r in
    eval env (substitute v r e) = eval (at_ x) e /\ (defined env r -> defined env (substitute v r e) -> defined (at_ x) e).
  Proof using inside_.
    intros Hr x. induction e as [z|z p|n|a [Ea Da] b [Eb Db]|a [Ea Da] b [Eb Db]|a [Ea Da] n|a [Ea Da]|a [Ea Da]|a [Ea Da]|a [Ea Da]|a [Ea Da] n];
      cbn [substitute eval defined]; rewrite ?Ea, ?Eb; try tauto.
    rewrite updated_nth by trivial. destruct (Nat.eqb n v); simpl; tauto.
  Qed.
End Along.

Lemma climbs f f' a b : a <= b -> (forall x, a <= x <= b -> continuity_pt f x) ->
  (forall x, a < x < b -> derivable_pt_lim f x (f' x)) -> (forall x, a < x < b -> 0 <= f' x) -> f a <= f b.
Proof.
  intros Hab Hc Hd Hs. destruct (Rle_lt_or_eq_dec _ _ Hab) as [H|<-]; [|lra].
  assert (pr1 : forall c, a < c < b -> derivable_pt f c) by (intros c P; exists (f' c); now apply Hd).
  assert (pr2 : forall c, a < c < b -> derivable_pt id c) by (intros; apply derivable_pt_id).
  destruct (MVT f id a b pr1 pr2 H Hc) as (c & P & E).
  { intros c _. apply derivable_continuous_pt, derivable_pt_id. }
  rewrite (derive_pt_eq_0 f c (f' c) (pr1 c P) (Hd c P)) in E.
  rewrite (derive_pt_eq_0 id c 1 (pr2 c P) (derivable_pt_lim_id c)) in E. unfold id in E.
  assert (0 <= (b - a) * f' c) by (apply Rmult_le_pos; [lra|now apply Hs]). lra.
Qed.
Definition at_of (b : bound) : expr := let 'Bound _ _ e _ := b in e.
Definition scale_of (b : bound) : Q := let 'Bound _ s _ _ := b in s.
Definition index_of (b : bound) : nat := let 'Bound i _ _ _ := b in i.

(** v - b (or b - v) is a positive multiple of the difference of a hypothesis, wherever both are defined. *)
Definition linked (t : table) (G : list relation) (below : bool) (v : nat) (b : bound) : bool :=
  let 'Bound i s e _ := b in
  match nth_error G i with
  | Some r =>
      match difference_of r with
      | Some d =>
          negb (Qle_bool s 0) && without v e && nopole v (snd (fst r)) && nopole v (snd r) &&
          equal t (if below then minus (Var v) e else minus e (Var v)) (Mul (Rat (Qnum s) (Qden s)) d)
      | None => false
      end
  | None => false
  end.

Lemma linked_ok l env t G below v b : table_ok l env t -> linked t G below v b = true -> exists r d,
  nth_error G (index_of b) = Some r /\ difference_of r = Some d /\ 0 < Q2R (scale_of b) /\ without v (at_of b) = true /\
  nopole v (snd (fst r)) = true /\ nopole v (snd r) = true /\
  (defined env (at_of b) -> defined env d ->
    (if below then List.nth v env 0 - eval env (at_of b) else eval env (at_of b) - List.nth v env 0)
    = Q2R (scale_of b) * eval env d).
Proof.
  intros Ht. destruct b as [i s e q]. cbn [linked index_of at_of scale_of]. destruct (nth_error G i) as [r|];
    [|discriminate].
  destruct (difference_of r) as [d|] eqn:Ed; [|discriminate]. intro H.
  apply andb_true_iff in H as [H Hsame]. apply andb_true_iff in H as [H H4]. apply andb_true_iff in H as [H H3].
  apply andb_true_iff in H as [Hs H2]. apply negb_true_iff, lt_bool in Hs. rewrite Enclosures.Q2R_0 in Hs.
  exists r, d. do 2 (split; [trivial|]). split; [exact Hs|]. do 3 (split; [trivial|]). intros De Dd.
  set (u := if below then minus (Var v) e else minus e (Var v)) in *.
  assert (E : eval env u = eval env (Mul (Rat (Qnum s) (Qden s)) d)).
  { apply (equal_ok l env t _ _ Ht Hsame); [unfold u; destruct below; simpl; auto|simpl; auto]. }
  change (eval env (Mul (Rat (Qnum s) (Qden s)) d)) with (Q2R s * eval env d) in E. rewrite <- E.
  unfold u. destruct below; simpl; ring.
Qed.


Fixpoint way (v : nat) (idx : list nat) (i : nat) (G : list relation) : list relation :=
  match G with
  | [] => []
  | r :: G => (if rel_without v r || existsb (Nat.eqb i) idx then [r] else []) ++ way v idx (S i) G
  end.

Lemma way_in v idx G : forall i r, In r (way v idx i G) ->
  In r G /\ (rel_without v r = true \/ exists j, In (i + j)%nat idx /\ nth_error G j = Some r).
Proof.
  induction G as [|r0 G IH]; simpl; intros i r H; [easy|]. apply in_app_or in H as [H|H].
  - destruct (rel_without v r0 || existsb (Nat.eqb i) idx) eqn:E; [|easy]. destruct H as [<-|[]]. split; [now left|].
    apply orb_true_iff in E as [E|E]; [now left|]. right. exists 0%nat. apply existsb_exists in E as (k & Hk & E).
    apply Nat.eqb_eq in E as ->. rewrite Nat.add_0_r. auto.
  - destruct (IH _ _ H) as [H1 [H2|(j & Hj & H2)]]; split; auto. right. exists (S j). now rewrite <- plus_n_Sm.
Qed.

Section Smooth.
  Variables (G : list relation) (F : list fact) (t : table) (v : nat).
  Fixpoint smooth_there (e : expr) : bool :=
    match e with
    | Int _ | Rat _ _ | Var _ => true
    | Add a b | Mul a b => smooth_there a && smooth_there b
    | Pow a _ | Exp a => smooth_there a
    | Inv a | Ln a => smooth_there a && certainly_defined G F t e
    | Sqrt a | Root a _ => smooth_there a && (without v a || certainly_defined G F t a && positive_sign F t a)
    end.
  Variables (l : env_of) (env : list R) (x : R).
  Hypotheses (HG : all_given (updated env v x) G) (HF : all_hold_at l F) (Ht : table_ok l (updated env v x) t).
  Lemma smooth_there_ok e : smooth_there e = true -> smooth_along env v x e.
  Proof using HG HF Ht.
    induction e; cbn [smooth_there smooth_along]; intro H; trivial; auto; try (apply andb_true_iff in H as [H1 H2]; auto).
    - split; auto. apply (certainly_defined_ok G F t l _ HG HF Ht) in H2. apply H2.
    - split; auto. apply (certainly_defined_ok G F t l _ HG HF Ht) in H2. apply H2.
    - split; auto. apply orb_true_iff in H2 as [H2|H2]; [now left|right]. apply andb_true_iff in H2 as [H2 H3].
      apply (positive_sign_ok F t l _ HF Ht); trivial. now apply (certainly_defined_ok G F t l _ HG HF Ht).
    - split; auto. apply orb_true_iff in H2 as [H2|H2]; [now left|right]. apply andb_true_iff in H2 as [H2 H3].
      apply (positive_sign_ok F t l _ HF Ht); trivial. now apply (certainly_defined_ok G F t l _ HG HF Ht).
  Qed.
End Smooth.

Definition closer (up : bool) (a b : expr) : relation := (if up then Le else Ge, a, b).
Definition arrival (c : claim) (v : nat) (up strict : bool) (f : expr) (es fars : list expr) (e : expr) : claim :=
  Claim (arity c) (filter (without v) (integers c))
    (filter (rel_without v) (given c)
      ++ map (closer up e) (filter (fun o => negb (expr_eqb o e)) es)
      ++ map (fun o => closer up o e) fars)
    (if strict then Lt else Le, substitute v e f, Int 0).

(** The rule move: no fall up to the nearest of the ends. *)
Lemma nearest (up : bool) (vals : list R) : vals <> [] ->
  exists m, In m vals /\ forall o, In o vals -> if up then m <= o else o <= m.
Proof.
  induction vals as [|x vals IH]; [easy|]. intros _. destruct vals as [|y vals].
  - exists x. split; [now left|]. intros o [<-|[]]. destruct up; lra.
  - destruct IH as (m & Hin & Hm); [easy|]. destruct up.
    + destruct (Rle_dec x m); [exists x|exists m]; (split; [simpl in *; tauto|]); intros o [<-|Ho]; try lra;
      specialize (Hm o Ho); lra.
    + destruct (Rle_dec m x); [exists x|exists m]; (split; [simpl in *; tauto|]); intros o [<-|Ho]; try lra;
      specialize (Hm o Ho); lra.
Qed.

Lemma falls_ f f' a b : a <= b -> (forall x, a <= x <= b -> continuity_pt f x) ->
  (forall x, a < x < b -> derivable_pt_lim f x (f' x)) -> (forall x, a < x < b -> f' x <= 0) -> f b <= f a.
Proof.
  intros Hab Hc Hd Hs. apply Ropp_le_cancel. apply (climbs (fun x => - f x) (fun x => - f' x)); trivial.
  - intros x Hx. apply (continuity_pt_opp f). auto.
  - intros x Hx. apply (derivable_pt_lim_opp f). auto.
  - intros x Hx. specialize (Hs x Hx). lra.
Qed.

Lemma from_difference env env' r d : rel_holds env r -> difference_of r = Some d ->
  defined env' (snd (fst r)) -> defined env' (snd r) ->
  (eval env d <= eval env' d \/ 0 < eval env' d) -> rel_holds env' r.
Proof.
  destruct r as [[[] a] b]; simpl; try discriminate; intros (Da & Db & H) E Da' Db' K; injection E as <-; simpl in K;
    repeat split; trivial; lra.
Qed.

(** All that the rule asks for beside its premises: [near] and [far] are hypotheses that bound v on both sides, [es]
    and [fars] where they do, [more] is what follows from what holds all the way, [d] is the derivative. *)
Definition way_of (c : claim) (v : nat) (near far : list bound) : list relation :=
  way v (map index_of (near ++ far)) 0 (given c).
Definition moves (c : claim) (w : local) (v : nat) (up : bool) (near far : list bound) (fars es : list expr)
    (more : list relation) (d : expr) (strict : bool) (a b : expr) : bool :=
  let W := way_of c v near far ++ more in
  let f := minus a b in
  Nat.ltb v (arity c) && negb (Nat.eqb (length near) 0) &&
  with_steps (Claim (arity c) [] W (then_ c)) w (fun t F =>
    forallb (linked t (given c) (negb up) v) near && forallb (linked t (given c) up v) far &&
    forallb (fun b => certainly_defined W F t (at_of b)) (near ++ far) &&
    certainly_defined W F t a && certainly_defined W F t b && smooth_there W F t v f && certainly_defined W F t (derivative v f) &&
    equal t d (derivative v f)) &&
  forallb (fun b => existsb (expr_eqb (at_of b)) es) near &&
  forallb (fun e => existsb (fun b => expr_eqb e (at_of b)) near) es &&
  forallb (fun e => existsb (fun b => expr_eqb e (at_of b)) far) fars.

Lemma moves_ok c v up strict a b near far fars more d es w env :
  let W := way_of c v near far ++ more in
  let f := minus a b in
  length env = arity c -> all_integers env (integers c) -> all_given env (given c) ->
  sides (then_ c) = Some (strict, a, b) -> moves c w v up near far fars es more d strict a b = true ->
  (forall env, length env = arity c -> all_integers env (filter (without v) (integers c)) ->
    all_given env (way_of c v near far) -> all_given env W) ->
  claim_holds (Claim (arity c) (filter (without v) (integers c)) W (if up then Ge else Le, d, Int 0)) ->
  (forall e, In e es -> claim_holds (arrival c v up strict f es fars e)) ->
  rel_holds env (then_ c).
Proof.
  intros W f Hlen HI HG Es H Hmore Hslope Harrival. unfold moves in H. cbv zeta in H. fold W f in H.
  apply andb_true_iff in H as [H Hfars]. apply andb_true_iff in H as [H Hes]. apply andb_true_iff in H as [H Hnear].
  apply andb_true_iff in H as [H Hsteps]. apply andb_true_iff in H as [Hv Hne]. apply Nat.ltb_lt in Hv.
  rewrite <- Hlen in Hv.
  destruct (with_steps_all _ _ _ Hsteps) as (t & F & H & Ht & HF). clear Hsteps. simpl in HF.
  apply andb_true_iff in H as [H Hsame]. apply andb_true_iff in H as [H Hsl]. apply andb_true_iff in H as [H Hsm].
  apply andb_true_iff in H as [H Hb]. apply andb_true_iff in H as [H Ha]. apply andb_true_iff in H as [H Hdef].
  apply andb_true_iff in H as [Hln Hlf]. rewrite forallb_forall in Hln, Hlf, Hdef, Hnear, Hes, Hfars.
  set (x0 := List.nth v env 0). assert (Hself : updated env v x0 = env) by (apply updated_same; exact Hv).
  set (L := fun x => environment (fst (table_of w)) (updated env v x)).
  assert (HIv : all_integers env (filter (without v) (integers c))).
  { intros e He. apply filter_In in He as [He _]. now apply HI. }
  assert (HW0 : all_given env W).
  { apply (Hmore env Hlen HIv). intros r Hr. apply way_in in Hr as [Hr _]. now apply HG. }
  assert (HF0 := HF env Hlen HW0).
  assert (Hlen' : forall x, length (updated env v x) = arity c) by (intro; now rewrite updated_length).
  assert (Hnth : forall x, List.nth v (updated env v x) 0 = x).
  { intro x. rewrite updated_nth by exact Hv. now rewrite Nat.eqb_refl. }
  assert (Hend : forall bd, In bd (near ++ far) -> defined env (at_of bd)).
  { intros bd Hbd. exact (certainly_defined_ok W F t _ env HW0 HF0 (Ht env) _ (Hdef bd Hbd)). }
  (* each bound, anywhere on the line *)
  assert (Hkey : forall below bd, linked t (given c) below v bd = true -> In bd (near ++ far) ->
    without v (at_of bd) = true /\ exists r dd, nth_error (given c) (index_of bd) = Some r /\
      difference_of r = Some dd /\ 0 < Q2R (scale_of bd) /\ rel_holds env r /\
      (forall x, defined (updated env v x) (snd (fst r)) /\ defined (updated env v x) (snd r)) /\
      forall x, (if below then x - eval env (at_of bd) else eval env (at_of bd) - x) = Q2R (scale_of bd) * eval (updated env v x) dd).
  { intros below bd Hl Hbd. destruct (linked_ok _ _ _ _ below v bd (Ht env) Hl) as (r & dd & E1 & E2 & E3 & E4 & E5 & E6 & _).
    split; [exact E4|]. exists r, dd. do 3 (split; [trivial|]).
    assert (Hr : rel_holds env r) by (apply HG; eapply nth_error_In; exact E1). split; [exact Hr|].
    assert (Hd : forall x, defined (updated env v x) (snd (fst r)) /\ defined (updated env v x) (snd r)).
    { intro x. destruct r as [[sg p] q]. simpl in *. destruct Hr as (Dp & Dq & _). rewrite <- Hself in Dp, Dq.
      split; [apply (nopole_defined env v Hv x0 x p)|apply (nopole_defined env v Hv x0 x q)]; trivial. }
    split; [exact Hd|]. intro x.
    destruct (linked_ok _ _ _ _ below v bd (Ht (updated env v x)) Hl) as (r' & dd' & E1' & E2' & _ & _ & _ & _ & E7).
    assert (r' = r) by congruence. subst r'. assert (dd' = dd) by congruence. subst dd'.
    destruct (free_same env v Hv x x0 (at_of bd) E4) as [Ee Ed]. rewrite Hself in Ee, Ed.
    assert (Ddd : forall z, defined (updated env v z) dd).
    { intro z. destruct (Hd z). destruct r as [[[] p] q]; simpl in E2; try discriminate; injection E2 as <-; simpl;
      auto. }
    assert (De : defined (updated env v x) (at_of bd)) by (apply Ed, Hend, Hbd).
    specialize (E7 De (Ddd x)). rewrite Hnth, Ee in E7. exact E7. }
  (* the nearest end *)
  destruct (nearest up (map (eval env) es)) as (M & HM & Hmin).
  { destruct near as [|bd near']; [discriminate|]. assert (X := Hnear bd (or_introl eq_refl)).
    apply existsb_exists in X as (e & He & _). destruct es; [easy|discriminate]. }
  apply in_map_iff in HM as (eM & <- & HeM). set (M := eval env eM) in *.
  assert (Hes' : forall e, In e es -> exists bd, In bd near /\ e = at_of bd).
  { intros e He. assert (X := Hes e He). apply existsb_exists in X as (bd & Hbd & X). apply expr_eqb_eq in X. eauto. }
  assert (Hfars' : forall e, In e fars -> exists bd, In bd far /\ e = at_of bd).
  { intros e He. assert (X := Hfars e He). apply existsb_exists in X as (bd & Hbd & X). apply expr_eqb_eq in X. eauto. }
  assert (Hbeyond : forall bd, In bd near -> if up then M <= eval env (at_of bd) else eval env (at_of bd) <= M).
  { intros bd Hbd. assert (X := Hnear bd Hbd). apply existsb_exists in X as (e & He & X). apply expr_eqb_eq in X.
    rewrite X. apply Hmin. now apply in_map. }
  assert (Hdiff : forall r dd, rel_holds env r -> difference_of r = Some dd -> 0 <= eval (updated env v x0) dd).
  { intros r dd Hr Hd. rewrite Hself. now apply (difference_ok env r dd). }
  assert (HxM : if up then x0 <= M else M <= x0).
  { destruct (Hes' eM HeM) as (bd & Hbd & EM).
    destruct (Hkey _ bd (Hln bd Hbd) (in_or_app _ _ _ (or_introl Hbd))) as (_ & r & dd & _ & E2 & E3 & Hr & _ & E7).
    specialize (E7 x0). assert (X := Hdiff r dd Hr E2). assert (0 <= Q2R (scale_of bd) * eval (updated env v x0) dd) by (apply Rmult_le_pos; lra).
    unfold M. rewrite EM. destruct up; simpl in E7; lra. }
  (* what holds on the way *)
  assert (HIx : forall x, all_integers (updated env v x) (filter (without v) (integers c))).
  { intros x e He. apply filter_In in He as [He Hfr]. destruct (HI e He) as [z Hz]. exists z. rewrite <- Hz.
    destruct (free_same env v Hv x x0 e Hfr) as [X1 _]. rewrite X1, Hself. reflexivity. }
  assert (Hway : forall x, (if up then x0 <= x < M else M < x <= x0) -> all_given (updated env v x) W).
  { intros x Hx. apply (Hmore _ (Hlen' x) (HIx x)). intros r Hr. apply way_in in Hr as [Hin [Hfree|(j & Hj & Hnthj)]].
    - assert (X := HG r Hin). rewrite <- Hself in X. destruct r as [[sg p] q]. unfold rel_without in Hfree.
      simpl in Hfree.
      apply andb_true_iff in Hfree as [Fp Fq]. destruct X as (Dp & Dq & X).
      destruct (free_same env v Hv x x0 p Fp) as [Ep Ip], (free_same env v Hv x x0 q Fq) as [Eq_ Iq].
      simpl. rewrite Ep, Eq_. split; [now apply Ip|split; [now apply Iq|exact X]].
    - simpl in Hj, Hnthj. apply in_map_iff in Hj as (bd & Hidx & Hbd).
      apply in_app_or in Hbd as [Hbd|Hbd].
      + destruct (Hkey _ bd (Hln bd Hbd) (in_or_app _ _ _ (or_introl Hbd))) as (_ & r' & dd & E1 & E2 & E3 & Hr' & Hd & E7).
        assert (r' = r) by congruence. subst r'. destruct (Hd x) as [D1 D2].
        apply (from_difference env (updated env v x) r dd Hr' E2 D1 D2). right. specialize (E7 x).
        assert (Y := Hbeyond bd Hbd).
        apply Rmult_lt_reg_l with (Q2R (scale_of bd)); [exact E3|]. rewrite Rmult_0_r. destruct up; simpl in E7; lra.
      + destruct (Hkey _ bd (Hlf bd Hbd) (in_or_app _ _ _ (or_intror Hbd))) as (_ & r' & dd & E1 & E2 & E3 & Hr' & Hd & E7).
        assert (r' = r) by congruence. subst r'. destruct (Hd x) as [D1 D2].
        apply (from_difference env (updated env v x) r dd Hr' E2 D1 D2). left. assert (E0 := E7 x0). specialize (E7 x).
        rewrite <- Hself at 1. apply Rmult_le_reg_l with (Q2R (scale_of bd)); [exact E3|]. destruct up; lra. }
  (* at the end *)
  assert (Hfe : forall e, In e es -> without v e = true /\ defined env e).
  { intros e He. destruct (Hes' e He) as (bd & Hbd & ->). assert (Hi := in_or_app near far bd (or_introl Hbd)).
    split; [now destruct (Hkey _ bd (Hln bd Hbd) Hi)|now apply Hend]. }
  destruct (Hfe eM HeM) as [FM DM].
  assert (Hthere : rel_holds env (if strict then Lt else Le, substitute v eM f, Int 0)).
  { apply (Harrival eM HeM); trivial.
    simpl. intros r Hr. apply in_app_or in Hr as [Hr|Hr]; [apply filter_In in Hr as [Hr _]; now apply HG|].
    apply in_app_or in Hr as [Hr|Hr]; apply in_map_iff in Hr as (o & <- & Ho).
    - apply filter_In in Ho as [Ho _]. destruct (Hfe o Ho) as [_ Do]. assert (X := Hmin (eval env o) (in_map _ _ _ Ho)).
      unfold closer. destruct up; simpl; fold M; repeat split; trivial; lra.
    - destruct (Hfars' o Ho) as (bd & Hbd & ->). assert (Hi := in_or_app near far bd (or_intror Hbd)).
      destruct (Hkey _ bd (Hlf bd Hbd) Hi) as (_ & r' & dd & _ & E2 & E3 & Hr' & _ & E7). specialize (E7 x0).
      assert (X := Hdiff r' dd Hr' E2). assert (0 <= Q2R (scale_of bd) * eval (updated env v x0) dd) by (apply Rmult_le_pos; lra).
      unfold closer. destruct up; simpl; fold M; repeat split; auto; lra. }
  destruct (put_at env v Hv eM f FM) as [Eput Dput]. fold M in Eput, Dput.
  destruct Hthere as (Dthere & _ & Hval).
  assert (DfM : defined (updated env v M) f) by (apply Dput; trivial).
  assert (HfM : if strict then eval (updated env v M) f < 0 else eval (updated env v M) f <= 0).
  { rewrite <- Eput. change (eval env (Int 0)) with 0 in Hval. destruct strict; cbn [compares] in Hval; exact Hval. }
  (* along the way *)
  assert (Dway : forall x, (if up then x0 <= x < M else M < x <= x0) -> defined (updated env v x) f).
  { intros x Hx. assert (HW := Hway x Hx). assert (HFx := HF _ (Hlen' x) HW).
    simpl. repeat split; [exact (certainly_defined_ok W F t _ _ HW HFx (Ht _) a Ha)|exact (certainly_defined_ok W F t _ _ HW HFx (Ht _) b Hb)]. }
  assert (Hder : forall x, (if up then x0 < x < M else M < x < x0) ->
    derivable_pt_lim (fun x => eval (updated env v x) f) x (eval (updated env v x) (derivative v f)) /\
    (if up then 0 <= eval (updated env v x) (derivative v f) else eval (updated env v x) (derivative v f) <= 0)).
  { intros x Hx. assert (Hx' : if up then x0 <= x < M else M < x <= x0) by (destruct up; lra).
    assert (HW := Hway x Hx'). assert (HFx := HF _ (Hlen' x) HW). split.
    - apply (derivable_derivative env v Hv). exact (smooth_there_ok W F t v _ env x HW HFx (Ht _) f Hsm).
    - assert (X := Hslope (updated env v x) (Hlen' x)).
      specialize (X (HIx x) HW). simpl in X. destruct X as (Dd & _ & X).
      assert (E : eval (updated env v x) d = eval (updated env v x) (derivative v f)).
      { apply (equal_ok _ _ t d _ (Ht _) Hsame); trivial.
        exact (certainly_defined_ok W F t _ _ HW HFx (Ht _) _ Hsl). }
      rewrite <- E. destruct up; simpl in X; lra. }
  assert (Hfx : eval env f <= eval (updated env v M) f).
  { rewrite <- Hself at 1. destruct up.
    - apply (climbs (fun x => eval (updated env v x) f) (fun x => eval (updated env v x) (derivative v f)) x0 M HxM).
      + intros x Hx. apply (continuous_along env v Hv). destruct (Req_dec x M) as [->|]; [exact DfM|apply Dway; lra].
      + intros x Hx. now apply Hder.
      + intros x Hx. now apply (Hder x Hx).
    - apply (falls_ (fun x => eval (updated env v x) f) (fun x => eval (updated env v x) (derivative v f)) M x0 HxM).
      + intros x Hx. apply (continuous_along env v Hv). destruct (Req_dec x M) as [->|]; [exact DfM|apply Dway; lra].
      + intros x Hx. now apply Hder.
      + intros x Hx. now apply (Hder x Hx). }
  assert (Df0 : defined env f).
  { destruct (Req_dec x0 M) as [E|E]; [rewrite <- Hself, E; exact DfM|]. rewrite <- Hself. apply Dway. destruct up;
    lra. }
  apply (sides_ok env _ strict a b Es).
  - apply Df0.
  - apply Df0.
  - change (difference a b) with f. destruct strict; lra.
Qed.

