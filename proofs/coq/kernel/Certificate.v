(** * Certificates, and that what [check] accepts holds *)

Require Import Reals Lra Lia ZArith QArith Qreals List Bool PArith Classical_Prop.
From Coq.micromega Require Import OrderedRing RingMicromega EnvRing Env RMicromega.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms Hypotheses Derivation Intervals Motion.
Import ListNotations.
Open Scope R_scope.

(** One constructor for each rule. *)
Inductive cert : Set :=
| CLemma (r : relation) (p q : cert)
| CBoth (p q : cert)
| CApart (s : sign) (p : cert)
| CWeaken (keep : list nat) (p : cert)
| CAbsurd (w : local)
| CCases (w : local) (e : expr) (p q : cert)
| CInteger (i : nat) (z : Z) (p q : cert)
| CCombination (w : local) (s : list step)
| CInterval (w : local) (bits : positive) (box : list (option bound * option bound)) (mean : option nat)
| CFixed (w : local) (v : nat) (e : expr) (low high : bound) (q : cert)
| CMove (w : local) (v : nat) (up : bool) (near far : list bound) (fars : list expr)
    (facts : list (relation * cert)) (d : expr) (p : cert) (ends : list (expr * cert))
| CGeneralize (w : local) (e : expr) (q : cert).

Section Induction.
  Variable P : cert -> Prop.
  Hypotheses (HLemma : forall r p q, P p -> P q -> P (CLemma r p q)) (HBoth : forall p q, P p -> P q -> P (CBoth p q))
    (HApart : forall s p, P p -> P (CApart s p)) (HWeaken : forall keep p, P p -> P (CWeaken keep p))
    (HAbsurd : forall w, P (CAbsurd w)) (HCases : forall w e p q, P p -> P q -> P (CCases w e p q))
    (HInteger : forall i z p q, P p -> P q -> P (CInteger i z p q))
    (HCombination : forall w s, P (CCombination w s))
    (HInterval : forall w bits box mean, P (CInterval w bits box mean))
    (HFixed : forall w v e low high q, P q -> P (CFixed w v e low high q))
    (HMove : forall w v up near far fars facts d p ends, Forall (fun e => P (snd e)) facts -> P p ->
      Forall (fun e => P (snd e)) ends -> P (CMove w v up near far fars facts d p ends))
    (HGeneralize : forall w e q, P q -> P (CGeneralize w e q)).

  Fixpoint cert_induction (p : cert) : P p :=
    match p with
    | CLemma r p q => HLemma r p q (cert_induction p) (cert_induction q)
    | CBoth p q => HBoth p q (cert_induction p) (cert_induction q)
    | CApart s p => HApart s p (cert_induction p)
    | CWeaken keep p => HWeaken keep p (cert_induction p)
    | CAbsurd w => HAbsurd w
    | CCases w e p q => HCases w e p q (cert_induction p) (cert_induction q)
    | CInteger i z p q => HInteger i z p q (cert_induction p) (cert_induction q)
    | CCombination w s => HCombination w s
    | CInterval w bits box mean => HInterval w bits box mean
    | CFixed w v e low high q => HFixed w v e low high q (cert_induction q)
    | CMove w v up near far fars facts d p ends =>
        HMove w v up near far fars facts d p ends
          ((fix go (facts : list (relation * cert)) : Forall (fun e => P (snd e)) facts :=
              match facts with
              | [] => Forall_nil _
              | (r, q) :: facts => Forall_cons (r, q) (cert_induction q) (go facts)
              end) facts)
          (cert_induction p)
          ((fix go (ends : list (expr * cert)) : Forall (fun e => P (snd e)) ends :=
              match ends with
              | [] => Forall_nil _
              | (e, q) :: ends => Forall_cons (e, q) (cert_induction q) (go ends)
              end) ends)
    | CGeneralize w e q => HGeneralize w e q (cert_induction q)
    end.
End Induction.

(** The hypotheses with these numbers. *)
Definition kept (G : list relation) (keep : list nat) : option (list relation) :=
  fold_right (fun i k => match nth_error G i, k with Some r, Some k => Some (r :: k) | _, _ => None end) (Some []) keep.

Fixpoint check (c : claim) (p : cert) : bool :=
  match p with
  | CLemma r p q => check (instead c r) p && check (also c r) q
  | CBoth p q =>
      match then_ c with
      | (Eq, a, b) => check (instead c (Le, a, b)) p && check (instead c (Ge, a, b)) q
      | _ => false
      end
  | CApart s p =>
      match then_ c, s with
      | (Ne, a, b), Lt | (Ne, a, b), Gt => check (instead c (s, a, b)) p
      | _, _ => false
      end
  | CWeaken keep p =>
      match kept (given c) keep with
      | Some g => check (Claim (arity c) (integers c) g (then_ c)) p
      | None => false
      end
  | CAbsurd w => with_steps c w (fun t F => existsb impossible F)
  | CCases w e p q =>
      with_steps c w (fun t F => certainly_defined (given c) F t e) &&
      check (also c (Le, e, Int 0)) p && check (also c (Ge, e, Int 0)) q
  | CInteger i z p q =>
      match nth_error (integers c) i with
      | Some e => total e && check (also c (Le, e, Int z)) p && check (also c (Ge, e, Int (z + 1))) q
      | None => false
      end
  | CCombination w s =>
      with_steps c w (fun t F =>
        let '(_, a, b) := then_ c in
        certainly_defined (given c) F t a && certainly_defined (given c) F t b &&
        match opposite (then_ c) with
        | Some r =>
            match rel_facts t r with
            | Some found =>
                match run (arity c) (fst (table_of w)) t (given c) (F ++ found) s with
                | Some F => nothing_is_positive F
                | None => false
                end
            | None => false
            end
        | None => false
        end)
  | CInterval w bits box mean =>
      with_steps c w (fun t F => by_interval (arity c) (given c) F t bits box mean (then_ c))
  | CFixed w v e low high q =>
      with_steps c w (fun t F =>
        match low, high with
        | Bound _ _ e1 _, Bound _ _ e2 _ =>
            total e && expr_eqb e e1 && expr_eqb e e2 &&
            bounded (arity c) (given c) F t 64 true v low && bounded (arity c) (given c) F t 64 false v high
        end) &&
      check (Claim (arity c) (map (substitute v e) (integers c)) (map (substituted v e) (given c))
               (substituted v e (then_ c))) q
  | CMove w v up near far fars facts d p ends =>
      let W := way_of c v near far in
      let along g r := Claim (arity c) (filter (without v) (integers c)) g r in
      match sides (then_ c) with
      | Some (strict, a, b) =>
          let es := map fst ends in
          moves c w v up near far fars es (map fst facts) d strict a b &&
          (fix each (g : list relation) (facts : list (relation * cert)) : bool :=
             match facts with
             | [] => true
             | (r, q) :: facts => check (along g r) q && each (g ++ [r]) facts
             end) W facts &&
          check (along (W ++ map fst facts) (if up then Ge else Le, d, Int 0)) p &&
          forallb (fun e => check (arrival c v up strict (minus a b) es fars (fst e)) (snd e)) ends
      | None => false
      end
  | CGeneralize w e q =>
      let n := arity c in
      with_steps c w (fun t F =>
        certainly_defined (given c) F t (snd (fst (then_ c))) && certainly_defined (given c) F t (snd (then_ c))) &&
      forallb (rel_without n) (then_ c :: given c) &&
      check (Claim (S n) (filter (fun i => without n i && negb (occurs e i)) (integers c))
               (map (generalized n e) (given c)) (generalized n e (then_ c))) q
  end.

Lemma kept_in G : forall keep g, kept G keep = Some g -> forall r, In r g -> In r G.
Proof.
  induction keep as [|i keep IH]; cbn [kept fold_right]; intros g E r Hin.
  - injection E as <-. destruct Hin.
  - destruct (nth_error G i) as [x|] eqn:Ex; [|discriminate]. apply nth_error_In in Ex. fold (kept G keep) in E.
    destruct (kept G keep) as [k|]; [|discriminate]. injection E as <-. destruct Hin as [<-|Hin]; trivial.
    exact (IH k eq_refl r Hin).
Qed.

Lemma combination_sound c w s env : length env = arity c -> all_given env (given c) ->
  check c (CCombination w s) = true -> rel_holds env (then_ c).
Proof.
  intros Hlen HG H. cbn [check] in H. destruct (with_steps_ok c w _ env Hlen HG H) as (t & F & Hf & Ht & HF). clear H.
  destruct (then_ c) as [[sg a] b] eqn:Eg. apply andb_true_iff in Hf as [Hd Hf]. apply andb_true_iff in Hd as [Ha Hb].
  assert (Da := certainly_defined_ok _ _ _ _ env HG HF Ht _ Ha).
  assert (Db := certainly_defined_ok _ _ _ _ env HG HF Ht _ Hb).
  destruct (opposite (sg, a, b)) as [r|] eqn:Eo; [|discriminate].
  destruct (rel_facts t r) as [found|] eqn:Er; [|discriminate].
  destruct (run _ _ _ _ _ s) as [F'|] eqn:EF; [|discriminate].
  apply NNPP. intro Hno.
  assert (Hr : rel_holds env r).
  { destruct sg; simpl in Eo; try discriminate; injection Eo as <-; simpl in *; repeat split; trivial;
      apply Rnot_ge_lt || apply Rnot_gt_le || apply Rnot_le_lt || apply Rnot_lt_le || idtac; intuition lra. }
  assert (HF' := run_ok (arity c) _ t (given c) env Hlen HG Ht s _ F'
    (all_hold_at_app _ env F found HF (rel_facts_ok _ env t r found Ht Er Hr)) EF).
  exact (nothing_is_positive_ok _ F' HF' Hf).
Qed.

Theorem check_sound p : forall c, check c p = true -> claim_holds c.
Proof.
  induction p as [r p q IHp IHq|p q IHp IHq|s p IHp|keep p IHp|w|w e p q IHp IHq|i z p q IHp IHq|w s|w bits box mean
                 |w v e low high q IHq
                 |w v up near far fars facts d p ends IHfacts IHp IHends|w e q IHq] using cert_induction;
    intros c H env Hlen HI HG.
  8: exact (combination_sound c w s env Hlen HG H).
  all: cbn [check] in H.
  - apply andb_true_iff in H as [Hp Hq]. specialize (IHp _ Hp env Hlen HI HG).
    apply (IHq _ Hq env Hlen HI). now apply all_given_also.
  - destruct (then_ c) as [[[] a] b] eqn:Eg; try discriminate. apply andb_true_iff in H as [Hp Hq].
    destruct (IHp _ Hp env Hlen HI HG) as (Da & Db & H1). destruct (IHq _ Hq env Hlen HI HG) as (_ & _ & H2).
    simpl in *. repeat split; trivial. lra.
  - destruct (then_ c) as [[[] a] b] eqn:Eg; try discriminate.
    destruct s; try discriminate; destruct (IHp _ H env Hlen HI HG) as (Da & Db & H1); simpl in *; repeat split;
      trivial; lra.
  - destruct (kept (given c) keep) as [g|] eqn:Eg; [|discriminate].
    apply (IHp _ H env Hlen HI). intros r Hr. apply HG. exact (kept_in _ keep g Eg r Hr).
  - destruct (with_steps_ok c w _ env Hlen HG H) as (t & F & Hf & _ & HF).
    apply existsb_exists in Hf as (f & Hin & Hf). exfalso. exact (impossible_ok _ f (HF f Hin) Hf).
  - apply andb_true_iff in H as [H Hq]. apply andb_true_iff in H as [H Hp].
    destruct (with_steps_ok c w _ env Hlen HG H) as (t & F & Hf & Ht & HF).
    assert (D := certainly_defined_ok _ _ _ _ env HG HF Ht _ Hf).
    destruct (Rle_dec (eval env e) 0) as [Hle|Hle].
    + apply (IHp _ Hp env Hlen HI). apply all_given_also; trivial. simpl. repeat split; trivial.
    + apply (IHq _ Hq env Hlen HI). apply all_given_also; trivial. simpl. repeat split; trivial. lra.
  - destruct (nth_error (integers c) i) as [e|] eqn:Ei; [|discriminate]. apply nth_error_In in Ei.
    apply andb_true_iff in H as [H Hq]. apply andb_true_iff in H as [Ht Hp].
    assert (D := total_defined env e Ht). destruct (HI e Ei) as [x Hx].
    destruct (Z_le_gt_dec x z) as [Hz|Hz].
    + apply (IHp _ Hp env Hlen HI). apply all_given_also; trivial. simpl. rewrite Hx. repeat split; trivial.
      now apply IZR_le.
    + apply (IHq _ Hq env Hlen HI). apply all_given_also; trivial. simpl. rewrite Hx. repeat split; trivial.
      apply Rle_ge, IZR_le. lia.
  - destruct (with_steps_ok c w _ env Hlen HG H) as (t & F & Hf & Ht & HF).
    exact (by_interval_ok _ _ F t bits _ env Hlen HG HF Ht box mean _ Hf).
  - apply andb_true_iff in H as [H Hq].
    destruct (with_steps_ok c w _ env Hlen HG H) as (t & F & Hf & Ht & HF). clear H.
    destruct low as [i1 s1 e1 q1], high as [i2 s2 e2 q2].
    apply andb_true_iff in Hf as [Hf Hhigh]. apply andb_true_iff in Hf as [Hf Hlow].
    apply andb_true_iff in Hf as [Hf E2]. apply andb_true_iff in Hf as [Htot E1].
    apply expr_eqb_eq in E1, E2. subst e1 e2.
    pose proof (bounded_ok (arity c) (given c) F t 64 _ env Hlen HG HF Ht true v _ _ _ _ Hlow) as X.
    pose proof (bounded_ok (arity c) (given c) F t 64 _ env Hlen HG HF Ht false v _ _ _ _ Hhigh) as Y.
    cbv zeta in X, Y.
    assert (E : eval env e = List.nth v env 0) by lra. assert (D := total_defined env e Htot).
    apply (substituted_ok env v _ _ D E). apply (IHq _ Hq env Hlen).
    + intros e0 Hin. apply in_map_iff in Hin as (e' & <- & Hin). destruct (HI e' Hin) as [k Hk]. exists k.
      destruct (substitute_ok env v _ e' D E) as [-> _]. exact Hk.
    + intros r Hin. apply in_map_iff in Hin as (r' & <- & Hin). apply (substituted_ok env v _ r' D E). now apply HG.
  - destruct (sides (then_ c)) as [[[strict a] b]|] eqn:Es; [|discriminate].
    apply andb_true_iff in H as [H Hends]. apply andb_true_iff in H as [H Hslope].
    apply andb_true_iff in H as [H Hfacts].
    refine (moves_ok c v up strict a b near far fars (map fst facts) d _ w env Hlen HI HG Es H _ (IHp _ Hslope) _).
    { clear H Hslope. intros l Hl Hi Hw. revert Hfacts Hw. generalize (way_of c v near far) as g.
      induction IHfacts as [|[r q] facts Hr _ IHf]; intros g Hf Hw; cbn [map fst]; [now rewrite app_nil_r|].
      apply andb_true_iff in Hf as [Hq Hf].
      replace (g ++ r :: map fst facts) with ((g ++ [r]) ++ map fst facts) by now rewrite <- app_assoc.
      apply (IHf _ Hf). apply all_given_also; trivial. exact (Hr _ Hq l Hl Hi Hw). }
    intros e He. apply in_map_iff in He as (x & <- & Hx). rewrite forallb_forall in Hends.
    rewrite Forall_forall in IHends.
    exact (IHends x Hx _ (Hends x Hx)).
  - apply andb_true_iff in H as [H Hq]. apply andb_true_iff in H as [H Hnew].
    destruct (with_steps_ok c w _ env Hlen HG H) as (t & F & Hf & Ht & HF). clear H.
    apply andb_true_iff in Hf as [Ha Hb].
    assert (Da := certainly_defined_ok _ _ _ _ env HG HF Ht _ Ha).
    assert (Db := certainly_defined_ok _ _ _ _ env HG HF Ht _ Hb).
    rewrite forallb_forall in Hnew. rewrite <- Hlen in Hnew, Hq.
    assert (X : rel_holds (env ++ [eval env e]) (generalized (length env) e (then_ c))).
    { apply (IHq _ Hq); cbn [arity integers given].
      - rewrite app_length. simpl. lia.
      - intros i Hi. apply filter_In in Hi as [Hi Hfree]. apply andb_true_iff in Hfree as [Hfree Hno].
        destruct (HI i Hi) as [z Hz]. exists z. rewrite <- Hz.
        destruct (replaced_ok env e i Hfree) as [<- _]. now rewrite (replaced_same _ _ _ Hno).
      - intros r Hr. apply in_map_iff in Hr as (r' & <- & Hr). apply generalized_holds; [apply Hnew; now right|].
        now apply HG. }
    specialize (Hnew _ (or_introl eq_refl)). destruct (then_ c) as [[s a] b].
    exact (generalized_back env e s a b Hnew Da Db X).
Qed.
