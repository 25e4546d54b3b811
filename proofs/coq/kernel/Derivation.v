(** * Facts one after the other

    Each step of a derivation adds facts about polynomials to those that are there; the last may be impossible. *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Roots Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms Hypotheses.
Import ListNotations.
Open Scope R_scope.

(** A certificate of the Positivstellensatz: facts and squares, their products and sums. *)
Inductive pz : Set :=
| ZIn (i : nat) | ZSq (e : expr) | ZMulC (e : expr) (z : pz) | ZMul (a b : pz) | ZAdd (a b : pz) | ZC (c : Q).

Inductive step : Set :=
| SGiven (i : nat)                          (* a hypothesis, and that its denominator is not zero *)
| SDiv (i : nat) (p : expr) (k : nat)       (* p from p g (p g^2) and the sign of g *)
| SExp (p : positive)                       (* an atom that is an exponential is positive *)
| SRoot (p : positive)                      (* an atom that is a root r of a: r >= 0, r^n = a *)
| SBound (e : expr) (bits : positive) (low high : Q)
| SPz (z : pz).

Definition poly (t : table) (e : expr) : option pol :=
  match norm t e with Some (n, []) => Some n | _ => None end.

Fixpoint psatz (t : table) (z : pz) : option (Psatz Q) :=
  match z with
  | ZIn i => Some (PsatzIn _ i)
  | ZSq e => option_map (@PsatzSquare Q) (poly t e)
  | ZMulC e z => match poly t e, psatz t z with Some p, Some w => Some (PsatzMulC p w) | _, _ => None end
  | ZMul a b => match psatz t a, psatz t b with Some v, Some w => Some (PsatzMulE v w) | _, _ => None end
  | ZAdd a b => match psatz t a, psatz t b with Some v, Some w => Some (PsatzAdd v w) | _, _ => None end
  | ZC c => Some (PsatzC c)
  end.

Definition derive (F : list fact) (w : Psatz Q) : option fact :=
  eval_Psatz 0%Q 1%Q qadd qmul Qeq_bool Qle_bool F w.

Lemma derive_ok l F w f : all_hold_at l F -> derive F w = Some f -> holds_at l f.
Proof.
  intros HF H. assert (X := eval_Psatz_Sound Rsor addon F l).
  assert (Y : eval_nformula 0 Rplus Rmult (@eq R) Rle Rlt Q2R l f).
  { apply X with w; trivial. intros [q o] Hin. exact (HF _ Hin). }
  destruct f as [p o]. exact Y.
Qed.

Definition everywhere (n : nat) : list interval := repeat everything n.
Lemma everywhere_holds env : all_hold (everywhere (length env)) env.
Proof. unfold everywhere. induction env; simpl; trivial. repeat split; trivial. Qed.

Definition fact_at (F : list fact) (i : nat) : fact := List.nth i F (pzero, Equal).

Lemma fact_at_ok l F i : all_hold_at l F -> holds_at l (fact_at F i).
Proof.
  intro H. unfold fact_at. destruct (nth_in_or_default i F (pzero, Equal)) as [Hin|E]; [now apply H|].
  rewrite E. unfold holds_at, pzero. simpl. rewrite ev_const. apply Enclosures.Q2R_0.
Qed.

Definition divided (t : table) (f g : fact) (p : expr) : option fact :=
  match poly t p, snd g with
  | Some p, Strict => if peq (fst f) (pmul p (fst g)) then Some (p, snd f) else None
  | Some p, NonEqual =>
      match snd f with
      | Equal | NonEqual => if peq (fst f) (pmul p (fst g)) then Some (p, snd f) else None
      | _ => if peq (fst f) (pmul p (pmul (fst g) (fst g))) then Some (p, snd f) else None
      end
  | _, _ => None
  end.

Lemma divided_sign o x g : 0 < g -> eval_op1 0 (@eq R) Rle Rlt o (x * g) -> eval_op1 0 (@eq R) Rle Rlt o x.
Proof.
  intro Hg. destruct o; simpl; intro H.
  - destruct (Rmult_integral _ _ H); lra.
  - intro Z. apply H. rewrite Z. ring.
  - apply Rmult_lt_reg_r with g; lra.
  - apply Rmult_le_reg_r with g; lra.
Qed.

Lemma divided_ok l t f g p h : holds_at l f -> holds_at l g -> divided t f g p = Some h -> holds_at l h.
Proof.
  destruct f as [q o], g as [r o']. unfold divided, holds_at. simpl. intros Hf Hg H.
  destruct (poly t p) as [x|]; [|discriminate].
  destruct o'; try discriminate; simpl in Hg.
  - destruct o; match type of H with (if ?b then _ else _) = _ => destruct b eqn:E end; try discriminate;
      apply (ev_eq l) in E; injection H as <-; rewrite E, !ev_mul in Hf; simpl in *.
    + destruct (Rmult_integral _ _ Hf); [assumption|contradiction].
    + intro Z. apply Hf. rewrite Z. ring.
    + apply (divided_sign Strict _ _ (square_positive _ Hg) Hf).
    + apply (divided_sign NonStrict _ _ (square_positive _ Hg) Hf).
  - destruct (peq q (pmul x r)) eqn:E; [|discriminate]. apply (ev_eq l) in E. injection H as <-.
    rewrite E, ev_mul in Hf. simpl. now apply (divided_sign o _ (ev l r)).
Qed.

(** What it is a root of, and the degree. *)
Definition root_argument (e : expr) : option (expr * nat) :=
  match e with Sqrt a => Some (a, 2%nat) | Root a n => Some (a, S n) | _ => None end.

Lemma root_argument_ok env e a n : root_argument e = Some (a, n) -> defined env e ->
  0 <= eval env e /\ eval env e ^ n = eval env a.
Proof.
  destruct e; cbn [root_argument]; try discriminate; intro E; injection E as <- <-; intros [_ H]; cbn [eval].
  - split; [apply sqrt_pos|]. simpl. rewrite Rmult_1_r. now apply sqrt_sqrt.
  - split; [apply root_nonnegative|now apply root_power].
Qed.

Section Steps.
  Variables (n : nat) (atoms : list expr) (t : table) (G : list relation).

  Definition add_step (F : list fact) (s : step) : option (list fact) :=
    match s with
    | SGiven i =>
        match nth_error G i with
        | Some r => option_map (fun found => F ++ found) (rel_facts t r)
        | None => None
        end
    | SDiv i p k =>
        match divided t (fact_at F i) (fact_at F k) p with Some f => Some (F ++ [f]) | None => None end
    | SExp p =>
        match nth_error atoms (Pos.to_nat p - 1) with Some (Exp _) => Some (F ++ [(patom p, Strict)]) | _ => None end
    | SRoot p =>
        match nth_error atoms (Pos.to_nat p - 1) with
        | Some e =>
            match root_argument e with
            | Some (a, n) =>
                match norm t a with
                | Some (x, d) =>
                    if certainly_defined G F t e && certainly_defined G F t a then
                      Some (F ++ [(patom p, NonStrict);
                                  (padd (ptimes (ppow (patom p) n) (expanded d)) (popp x), Equal)])
                    else None
                | None => None
                end
            | None => None
            end
        | None => None
        end
    | SBound e bits low high =>
        let i := enclosure bits (everywhere n) e in
        if certainly_defined G F t e && at_least (fst i) low && at_most (snd i) high then
          match rel_facts t (Le, Rat (Qnum low) (Qden low), e), rel_facts t (Le, e, Rat (Qnum high) (Qden high)) with
          | Some (f :: _), Some (g :: _) => Some (F ++ [f; g])
          | _, _ => None
          end
        else None
    | SPz z => match psatz t z with
               | Some w => match derive F w with Some f => Some (F ++ [f]) | None => None end
               | None => None
               end
    end.

  Fixpoint run (F : list fact) (s : list step) : option (list fact) :=
    match s with [] => Some F | x :: s => match add_step F x with Some F => run F s | None => None end end.

  Variables (env : list R).
  Hypotheses (Hlen : length env = n) (HG : all_given env G) (Ht : table_ok (environment atoms env) env t).
  Let l := environment atoms env.

  Lemma all_hold_at_app F F' : all_hold_at l F -> all_hold_at l F' -> all_hold_at l (F ++ F').
  Proof using. intros H H' f Hin. apply in_app_or in Hin as [Hin|Hin]; auto. Qed.

  Lemma add_step_ok F s F' : all_hold_at l F -> add_step F s = Some F' -> all_hold_at l F'.
  Proof using Ht HG Hlen.
    intros HF E. destruct s as [i|i p k|p|p|e bits low high|z]; cbn [add_step] in E.
    - destruct (nth_error G i) as [r|] eqn:Er; [|discriminate]. apply nth_error_In in Er.
      destruct (rel_facts t r) as [found|] eqn:Ef; [|discriminate]. injection E as <-.
      apply all_hold_at_app; trivial. exact (rel_facts_ok l env t r found Ht Ef (HG r Er)).
    - destruct (divided _ _ _ _) as [f|] eqn:Ef; [|discriminate]. injection E as <-.
      apply all_hold_at_app; trivial. intros g [<-|[]].
      eapply divided_ok; [| |exact Ef]; now apply fact_at_ok.
    - destruct (nth_error atoms (Pos.to_nat p - 1)) as [[]|] eqn:Ea; try discriminate. injection E as <-.
      apply all_hold_at_app; trivial. intros g [<-|[]]. unfold holds_at. simpl. rewrite ev_atom. unfold l, environment.
      rewrite (nth_error_nth _ _ _ Ea). simpl. apply exp_pos.
    - destruct (nth_error atoms (Pos.to_nat p - 1)) as [e|] eqn:Ea; [|discriminate].
      destruct (root_argument e) as [[a n']|] eqn:Er; [|discriminate].
      destruct (norm t a) as [[x d]|] eqn:En; [|discriminate].
      destruct (certainly_defined G F t e && certainly_defined G F t a) eqn:Ed; [|discriminate]. injection E as <-.
      apply andb_true_iff in Ed as [Ee Eda].
      assert (De := certainly_defined_ok G F t l env HG HF Ht _ Ee).
      assert (Da := certainly_defined_ok G F t l env HG HF Ht _ Eda).
      destruct (norm_ok l env t _ _ Ht En Da) as [Hd Ex]. simpl in Hd, Ex.
      destruct (root_argument_ok env e a n' Er De) as [Hpos Hpow].
      assert (Hatom : ev l (patom p) = eval env e).
      { rewrite ev_atom. unfold l, environment. now rewrite (nth_error_nth _ _ _ Ea). }
      apply all_hold_at_app; trivial. intros g [<-|[<-|[]]]; unfold holds_at; cbn [fst snd eval_op1].
      + now rewrite Hatom.
      + rewrite ev_add, ev_opp, ev_times_one, ev_pow, ev_expanded, Hatom, Hpow, Ex. field. now apply value_nonzero.
    - destruct (certainly_defined G F t e && _ && _) eqn:Eb; [|discriminate].
      apply andb_true_iff in Eb as [Eb Eh]. apply andb_true_iff in Eb as [Ed El].
      assert (D := certainly_defined_ok G F t l env HG HF Ht _ Ed). rewrite <- Hlen in El, Eh.
      assert (HL := enclosed_ge bits _ env e low (everywhere_holds env) D El).
      assert (HH := enclosed_le bits _ env e high (everywhere_holds env) D Eh).
      destruct (rel_facts t (Le, Rat _ _, e)) as [[|f found]|] eqn:Ef; try discriminate.
      destruct (rel_facts t (Le, e, _)) as [[|g found']|] eqn:Eg; try discriminate. injection E as <-.
      apply all_hold_at_app; trivial. intros h [<-|[<-|[]]].
      + apply (rel_facts_ok l env t _ _ Ht Ef); [repeat split; trivial|now left].
      + apply (rel_facts_ok l env t _ _ Ht Eg); [repeat split; trivial|now left].
    - destruct (psatz t z) as [w|]; [|discriminate]. destruct (derive F w) as [f|] eqn:Ef; [|discriminate].
      injection E as <-. apply all_hold_at_app; trivial. intros g [<-|[]]. exact (derive_ok l F w f HF Ef).
  Qed.

  Lemma run_ok s : forall F F', all_hold_at l F -> run F s = Some F' -> all_hold_at l F'.
  Proof using Ht HG Hlen.
    induction s as [|x s IH]; simpl; intros F F' HF E; [injection E as <-; exact HF|].
    destruct (add_step F x) as [F1|] eqn:E1; [|discriminate]. apply (IH F1); trivial. now apply (add_step_ok F x).
  Qed.
End Steps.

Definition impossible (f : fact) : bool :=
  match f with
  | (Pc c, Equal) => negb (Qeq_bool c 0)
  | (Pc c, NonEqual) => Qeq_bool c 0
  | (Pc c, Strict) => Qle_bool c 0
  | (Pc c, NonStrict) => negb (Qle_bool 0 c)
  | _ => false
  end.

Lemma impossible_ok l f : holds_at l f -> impossible f = true -> False.
Proof.
  destruct f as [p o]. destruct p as [c| |]; try discriminate. unfold holds_at. simpl. rewrite ev_const.
  destruct o; intros H E.
  - apply negb_true_iff, Qeq_false in E. rewrite Enclosures.Q2R_0 in E. now apply E.
  - apply Qeq_true in E. rewrite Enclosures.Q2R_0 in E. simpl in H. lra.
  - apply le_bool in E. rewrite Enclosures.Q2R_0 in E. simpl in H. lra.
  - apply negb_true_iff, lt_bool in E. rewrite Enclosures.Q2R_0 in E. simpl in H. lra.
Qed.

(** The last fact is 0 > 0: the sum of a combination. *)
Definition nothing_is_positive (F : list fact) : bool :=
  match fact_at F (pred (length F)) with (Pc c, Strict) => Qeq_bool c 0 | _ => false end.

Lemma nothing_is_positive_ok l F : all_hold_at l F -> nothing_is_positive F = true -> False.
Proof.
  intros HF H. assert (X := fact_at_ok l F (pred (length F)) HF). unfold nothing_is_positive in H.
  destruct (fact_at F (pred (length F))) as [[c| |] []]; try discriminate. apply Qeq_true in H.
  unfold holds_at in X. simpl in X. rewrite ev_const, H, Enclosures.Q2R_0 in X. lra.
Qed.

(** What a rule needs before anything else: its atoms and hints, and the facts that it derives from the hypotheses. *)
Record local : Set := Local { table_of : atoms_and_hints; steps_of : list step }.

Definition with_steps (c : claim) (w : local) (f : table -> list fact -> bool) : bool :=
  match make_table (table_of w) with
  | Some t => match run (arity c) (fst (table_of w)) t (given c) [] (steps_of w) with
              | Some F => f t F
              | None => false
              end
  | None => false
  end.

Lemma with_steps_ok c w f env : length env = arity c -> all_given env (given c) -> with_steps c w f = true ->
  exists t F, f t F = true /\ table_ok (environment (fst (table_of w)) env) env t /\
    all_hold_at (environment (fst (table_of w)) env) F.
Proof.
  intros Hlen HG H. unfold with_steps in H. destruct (make_table (table_of w)) as [t|] eqn:Et; [|discriminate].
  destruct (run _ _ _ _ _ _) as [F|] eqn:EF; [|discriminate]. exists t, F.
  assert (Ht := make_table_ok _ env t Et). split; [exact H|split; [exact Ht|]].
  apply (run_ok (arity c) _ t (given c) env Hlen HG Ht (steps_of w) [] F); trivial. intros f' [].
Qed.

Lemma with_steps_all c w g : with_steps c w g = true -> exists t F, g t F = true /\
  (forall env, table_ok (environment (fst (table_of w)) env) env t) /\
  (forall env, length env = arity c -> all_given env (given c) -> all_hold_at (environment (fst (table_of w)) env) F).
Proof.
  intro H. unfold with_steps in H. destruct (make_table (table_of w)) as [t|] eqn:Et; [|discriminate].
  destruct (run _ _ _ _ _ _) as [F|] eqn:EF; [|discriminate]. exists t, F.
  assert (Ht : forall env, table_ok (environment (fst (table_of w)) env) env t) by (intro; now apply make_table_ok).
  split; [exact H|]. split; [exact Ht|]. intros env Hlen HG.
  apply (run_ok (arity c) _ t (given c) env Hlen HG (Ht env) (steps_of w) [] F); trivial. intros f' [].
Qed.
