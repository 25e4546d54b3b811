(** * What is known of a loss in pieces from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Definitions Convexity Derivatives Pieces Joins SoftmaxSubgradients
  LogitSubgradients LogitJoins.
From Gaptron Require Import WrittenFunctions Obligations.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

Definition classes_of (l : label) (k : R) : Prop := match l with Every | Probable => k = 2 \/ 3 <= k | _ => k = 2 end.

Lemma given_app env g h : all_given env g -> all_given env h -> all_given env (g ++ h).
Proof. intros Hg Hh r Hin. apply in_app_or in Hin as [|]; auto. Qed.
Lemma given_one env r : rel_holds env r -> all_given env [r].
Proof. intros H r' [<-|[]]. exact H. Qed.
Lemma given_cons env r g : rel_holds env r -> all_given env g -> all_given env (r :: g).
Proof. intros Hr Hg r' [<-|]; auto. Qed.

Lemma closed_same (C D : R -> Prop) : (forall m, C m <-> D m) -> closed C -> closed D.
Proof.
  intros E H m Hm. destruct (H m) as (delta & Hd & Hout); [now rewrite E|]. exists delta. split; trivial.
  intros b Hb. rewrite <- E. auto.
Qed.

(** Two functions of opposite margins. *)
Section Opposite.
  Variables minus turned : R -> R.
  Hypothesis opposite : forall m, turned m = minus (- m).

  Lemma opposite_subgradient z g : subgradient turned z g <-> subgradient minus (- z) (- g).
  Proof using opposite.
    unfold subgradient.
    split; intros H b; specialize (H (- b)); rewrite !opposite in *; rewrite ?Ropp_involutive in *; lra.
  Qed.

  Lemma at_opposite z g : subgradient minus z g -> subgradient turned (- z) (- g).
  Proof using opposite. intro H. apply opposite_subgradient. now rewrite !Ropp_involutive. Qed.

  Lemma opposite_convex : (forall m, exists g, subgradient turned m g) -> forall z, exists g, subgradient minus z g.
  Proof using opposite.
    intros H z. destruct (H (- z)) as [g Hg]. exists (- g). apply opposite_subgradient in Hg. now rewrite Ropp_involutive in Hg.
  Qed.
End Opposite.

Lemma number_in_range {A : Type} (u : list A) i x : nth_error u i = Some x -> In i (seq 0 (length u)).
Proof. intro H. apply in_seq. split; [lia|]. apply nth_error_Some. now rewrite H. Qed.
Lemma number_of_some {A : Type} (u : list A) i : Nat.ltb i (length u) = true -> exists x, nth_error u i = Some x.
Proof.
  intro H. apply Nat.ltb_lt, nth_error_Some in H. destruct (nth_error u i) as [x|]; [now exists x|now elim H].
Qed.

Lemma joins_in f ps p q : In p ps -> In q ps ->
  p = q \/ incl (about_join f p q) (about_joins f ps) \/ incl (about_join f q p) (about_joins f ps).
Proof.
  induction ps as [|r ps IH]; cbn; [easy|].
  assert (Head : forall t, In t ps -> incl (about_join f r t) (flat_map (about_join f r) ps ++ about_joins f ps)).
  { intros t Ht c Hc. apply in_or_app. left. apply in_flat_map. now exists t. }
  assert (Tail : forall u, incl u (about_joins f ps) -> incl u (flat_map (about_join f r) ps ++ about_joins f ps)).
  { intros u Hu c Hc. apply in_or_app. auto. }
  intros [<-|Hp] [<-|Hq]; auto. destruct (IH Hp Hq) as [|[|]]; auto.
Qed.

(** What is stated of one weight vector is about two classes. *)
Section Stated.
  Variables (f : loss_statement) (k : R) (values : list R).
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Hypothesis classes : classes_of (of_label f) k.

  Lemma put_two_ok m s r : k = 2 -> rel_holds (m :: s :: k :: values) (put_two r) <-> rel_holds (m :: s :: k :: values) r.
  Proof using. intro E. apply substituted_ok; [exact I|]. cbn. now rewrite E. Qed.

  Lemma use_stated m s g r : claim_holds (stated f g r) -> all_given (m :: s :: k :: values) g ->
    rel_holds (m :: s :: k :: values) r.
  Proof using places whole classes.
    unfold stated. intros H Hg.
    destruct (of_label f); try (apply H; [cbn; now rewrite places|intros e [<-|[]]; exact whole|exact Hg]);
      apply put_two_ok; trivial; (apply H; [cbn; now rewrite places|easy|]);
      intros x Hx; apply in_map_iff in Hx as (y & <- & Hy); apply put_two_ok; auto.
  Qed.

  Lemma use_said_defined m s g e : (forall c, In c (said_defined f g e) -> claim_holds c) ->
    all_given (m :: s :: k :: values) g -> defined (m :: s :: k :: values) e.
  Proof using places whole classes.
    unfold said_defined. destruct (total e) eqn:E; [intros; now apply total_defined|]. intros H Hg.
    exact (proj1 (use_stated m s g _ (H _ (or_introl eq_refl)) Hg)).
  Qed.

  (** A number in pieces, where one of them is. *)
  Lemma number_given g p : (forall c, In c (about_number f g) -> claim_holds c) ->
    all_given (0 :: 0 :: k :: values) (domain f) -> In p (parts_of g) -> inside (0 :: 0 :: k :: values) (fst p) ->
    all_given (0 :: 0 :: k :: values) (fst p).
  Proof using places whole classes.
    intros Hall Hd Hp Hc [[s a] b] Hr. assert (Hx := proj1 (Forall_forall _ _) Hc _ Hr).
    split; [|split; [|exact Hx]]; apply (use_said_defined 0 0 (domain f)); trivial; intros c H; apply Hall, in_flat_map;
      exists p; (split; [exact Hp|]); apply in_flat_map; exists (s, a, b); (split; [exact Hr|]); apply in_or_app; auto.
  Qed.
End Stated.

(** A loss whose claims hold, for so many classes and these parameters. *)
Record is_stated (f : loss_statement) (k : R) (values : list R) : Prop := {
  fit : loss_fits f = true;
  claims : forall c, In c (claims_of_loss f) -> claim_holds c;
  places : length values = parameters f;
  whole : exists z, k = IZR z;
  claimed : all_given (0 :: 0 :: k :: values) (domain f);
  classes : classes_of (of_label f) k
}.
Record is_known (f : loss_statement) (k : R) (values : list R) : Prop := {
  known_stated :> is_stated f k values;
  of_margin : of_label f <> Probable
}.
Arguments fit {f k values}.
Arguments claims {f k values}.
Arguments places {f k values}.
Arguments whole {f k values}.
Arguments claimed {f k values}.
Arguments classes {f k values}.
Arguments of_margin {f k values}.

Section Loss.
  Variables (f : loss_statement) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Notation rest := (k :: values).
  Notation Label := (of_label f).

  Lemma two_or_many : k = 2 \/ 3 <= k /\ (Label = Every \/ Label = Probable).
  Proof using known. assert (H := classes known). unfold classes_of in H. destruct Label; tauto. Qed.

  (** ** The shape of the data *)

  Lemma fit_domain r : In r (domain f) -> rel_without 0 r = true /\ rel_without 1 r = true.
  Proof using known.
    assert (fit := fit known). unfold loss_fits in fit. repeat (apply andb_true_iff in fit as [fit ?]). intro Hr.
    apply (proj1 (forallb_forall _ _) fit), andb_true_iff in Hr. exact Hr.
  Qed.

  Lemma fit_loss p : In p (loss_parts f) -> (forall r, In r (fst p) -> on_a_line r = true) /\ without 1 (snd p) = true.
  Proof using known.
    assert (fit := fit known). unfold loss_fits in fit. repeat (apply andb_true_iff in fit as [fit ?]). intro Hp.
    match goal with H : forallb _ (loss_parts f) = true |- _ =>
      apply (proj1 (forallb_forall _ _) H), andb_true_iff in Hp as [Hp He] end.
    split; [|exact He]. now apply forallb_forall.
  Qed.

  Lemma fit_listed i p : nth_error (loss_parts f) i = Some p ->
    In i (order f) \/ exists j q, In (i, j) (elsewhere f) /\ In j (order f) /\ nth_error (loss_parts f) j = Some q.
  Proof using known.
    assert (fit := fit known). unfold loss_fits in fit. repeat (apply andb_true_iff in fit as [fit ?]). intro Hi.
    apply number_in_range in Hi as Hin.
    match goal with H : forallb (is_listed f) _ = true |- _ => apply (proj1 (forallb_forall _ _) H) in Hin end.
    apply orb_true_iff in Hin as [Hin|Hin]; apply existsb_exists in Hin as (j & Hj & E); apply Nat.eqb_eq in E; subst j;
      [now left|right]. apply in_map_iff in Hj as ([i' j] & E & Hj). cbn in E. subst i'.
    assert (Hij := Hj). match goal with H : forallb _ (elsewhere f) = true |- _ => apply (proj1 (forallb_forall _ _) H) in Hj end.
    apply andb_true_iff in Hj as [Hj Hl]. apply number_of_some in Hl as (q & Hq). exists j, q.
    apply existsb_exists in Hj as (j' & Hj & E). apply Nat.eqb_eq in E. cbn in E. now subst j'.
  Qed.

  Lemma is_joined i p : nth_error (loss_parts f) i = Some p -> In i (order f) -> In p (joined f).
  Proof using. intros Hp Hi. apply in_flat_map. exists i. split; [exact Hi|]. rewrite Hp. now left. Qed.

  Lemma joined_is_part p : In p (joined f) -> In p (loss_parts f).
  Proof using.
    intro H. apply in_flat_map in H as (i & _ & H). destruct (nth_error _ i) as [q|] eqn:E; [|easy].
    destruct H as [<-|[]]. exact (nth_error_In _ _ E).
  Qed.

  Lemma closed_without v r : rel_without v (closed_relation r) = rel_without v r.
  Proof using. unfold closed_relation. destruct r as [[s a] b]. now destruct (rel_without 0 _). Qed.

  Lemma closure_without p r : In p (loss_parts f) -> In r (closure (fst p)) -> rel_without 1 r = true.
  Proof using known.
    intros Hp Hr. apply in_map_iff in Hr as (r' & <- & Hr). rewrite closed_without.
    apply (proj1 (fit_loss p Hp)) in Hr. unfold on_a_line in Hr. now apply andb_true_iff in Hr as [Hr _].
  Qed.

  (** ** Use of claims *)

  Lemma in_domain m s : all_given (m :: s :: rest) (domain f).
  Proof using known.
    intros r Hr. destruct (fit_domain r Hr) as [H0 H1]. apply (second_is_free_in rest m 0 s r H1).
    apply (first_is_free_in rest 0 m 0 r H0). now apply (claimed known).
  Qed.

  (** Where the loss is. *)
  Definition possible (m : R) : Prop := Label = Probable -> 0 < m < 1.

  Lemma in_interval m s : possible m -> all_given (m :: s :: rest) (interval f).
  Proof using.
    unfold possible, interval. intro H. destruct Label; try (now intros r []). specialize (H eq_refl).
    apply given_cons; [|apply given_one]; cbn; repeat split; lra.
  Qed.

  Definition use := use_stated f k values (places known) (whole known) (classes known).
  Definition use_defined := use_said_defined f k values (places known) (whole known) (classes known).

  Ltac among := intros; apply (claims known); unfold claims_of_loss; rewrite !in_app_iff.

  Lemma condition_holds p c : In p (loss_parts f) -> In c (about_conditions f p) -> claim_holds c.
  Proof using known. among. left. apply in_flat_map. now exists p. Qed.
  Lemma part_holds p c : In p (joined f) -> In c (about_part f p) -> claim_holds c.
  Proof using known. among. right. left. apply in_flat_map. now exists p. Qed.
  Lemma joins_hold c : In c (about_joins f (joined f)) -> claim_holds c.
  Proof using known. among. tauto. Qed.
  Lemma other_holds ij c : In ij (elsewhere f) -> In c (about_other f ij) -> claim_holds c.
  Proof using known. among. do 3 right. apply in_flat_map. now exists ij. Qed.

  (** ** The loss in pieces *)

  Notation line m := (m :: 0 :: rest).
  Definition Phi (m : R) : R := value (line m) (phi f).
  Definition there (p : part) (m : R) : Prop := inside (line m) (closure (fst p)).
  Definition slope_of (p : part) (m : R) : R := eval (line m) (derived (snd p)).

  Lemma condition_defined p s a b m : In p (loss_parts f) -> In (s, a, b) (fst p) ->
    defined (line m) a /\ defined (line m) b.
  Proof using known.
    intros Hp Hr. split; apply (use_defined m 0 (domain f)); try apply in_domain; intros c Hc;
      apply (condition_holds p c Hp); apply in_flat_map; exists (s, a, b); (split; [exact Hr|]);
      apply in_or_app; auto.
  Qed.

  Lemma conditions_hold p m : In p (loss_parts f) -> inside (line m) (fst p) -> all_given (line m) (fst p).
  Proof using known.
    intros Hp H [[s a] b] Hr. unfold inside in H. rewrite Forall_forall in H. specialize (H _ Hr).
    destruct (condition_defined p s a b m Hp Hr). cbn in *. auto.
  Qed.

  Lemma there_holds p m : In p (loss_parts f) -> there p m -> all_given (line m) (closure (fst p)).
  Proof using known.
    intros Hp H r Hr. unfold there, inside in H. rewrite Forall_forall in H. specialize (H r Hr).
    apply in_map_iff in Hr as ([[s a] b] & <- & Hr). destruct (condition_defined p s a b m Hp Hr).
    unfold closed_relation in *. destruct (rel_without 0 _); cbn in *; auto.
  Qed.

  Lemma given_there p m : In p (loss_parts f) -> all_given (line m) (closure (fst p)) -> there p m.
  Proof using.
    intros Hp H. apply Forall_forall. intros [[s a] b] Hr. now destruct (H _ Hr) as (_ & _ & C).
  Qed.

  Lemma inside_there p m : inside (line m) (fst p) -> there p m.
  Proof using.
    unfold there, inside, closure. rewrite !Forall_forall. intros H r Hr. apply in_map_iff in Hr as ([[s a] b] & <- & Hr).
    specialize (H _ Hr). unfold closed_relation. destruct (rel_without 0 _); [exact H|]. destruct s; cbn in *; lra.
  Qed.

  Lemma joined_at m : possible m -> exists p, In p (joined f) /\ there p m /\ Phi m = eval (line m) (snd p).
  Proof using known.
    intro Poss. destruct (some_part_of (line m) (phi f)) as (p & Hp & Hin & E). destruct (In_nth_error _ _ Hp) as (i & Hi).
    destruct (fit_listed i p Hi) as [Ho|(j & q & Hij & Hj & Eq)].
    - exists p. split; [exact (is_joined i p Hi Ho)|]. split; [now apply inside_there|exact E].
    - exists q. split; [exact (is_joined j q Eq Hj)|].
      assert (Hg : all_given (line m) (domain f ++ interval f ++ fst p)).
      { apply given_app; [apply in_domain|]. apply given_app; [now apply in_interval|now apply conditions_hold]. }
      assert (Hc : forall r, In r (closure (fst q) ++ [(Relations.Eq, snd p, snd q)]) -> rel_holds (line m) r).
      { intros r Hr. apply (use m 0 (domain f ++ interval f ++ fst p)); trivial. apply (other_holds (i, j)); trivial.
        unfold about_other. cbn [fst snd]. unfold loss_parts in *. rewrite Hi, Eq. now apply in_map. }
      split.
      + apply given_there; [exact (nth_error_In _ _ Eq)|]. intros r Hr. apply Hc, in_or_app. now left.
      + destruct (Hc (Relations.Eq, snd p, snd q)) as (_ & _ & C); [apply in_or_app; right; now left|].
        cbn in C. now rewrite <- C.
  Qed.

  Lemma in_part_holds p m : In p (joined f) -> possible m -> there p m -> all_given (line m) (in_part f p).
  Proof using known.
    intros Hp Poss Hm. apply given_app; [apply in_domain|]. apply given_app; [now apply in_interval|]. apply there_holds; trivial. now apply joined_is_part.
  Qed.

  Lemma agree p q m : possible m -> In p (joined f) -> In q (joined f) -> there p m -> there q m ->
    eval (line m) (snd p) = eval (line m) (snd q).
  Proof using known.
    intro Poss. assert (H : forall p q, In p (joined f) -> In q (joined f) -> there p m -> there q m ->
      incl (about_join f p q) (about_joins f (joined f)) -> eval (line m) (snd p) = eval (line m) (snd q)).
    { clear p q. intros p q Hp Hq Hpm Hqm Hi. refine (proj2 (proj2 (use m 0 _ (Relations.Eq, snd p, snd q)
        (joins_hold _ (Hi _ (or_intror (or_introl eq_refl)))) _))).
      apply given_app; [apply in_domain|]. apply given_app; [now apply in_interval|].
      apply given_app; apply there_holds; trivial; now apply joined_is_part. }
    intros Hp Hq Hpm Hqm. destruct (joins_in f _ p q Hp Hq) as [->|[Hi|Hi]]; trivial; [now apply H|].
    symmetry. now apply H.
  Qed.

  Lemma value_at p m : possible m -> In p (joined f) -> there p m -> Phi m = eval (line m) (snd p).
  Proof using known.
    intros Poss Hp Hm. destruct (joined_at m Poss) as (q & Hq & Hqm & ->). now apply agree.
  Qed.

  Definition in_pieces (ps : list part) : pieces := map (fun p => (there p, slope_of p)) ps.

  Lemma every_part (P : (R -> Prop) -> (R -> R) -> Prop) ps :
    (forall p, In p ps -> P (there p) (slope_of p)) -> every P (in_pieces ps).
  Proof using.
    induction ps as [|p ps IH]; cbn; intro H; trivial. split; [apply H; now left|]. apply IH. auto.
  Qed.

  Lemma every_part_is (P : (R -> Prop) -> (R -> R) -> Prop) ps :
    every P (in_pieces ps) <-> forall p, In p ps -> P (there p) (slope_of p).
  Proof using.
    split; [|apply every_part]. induction ps as [|q ps IH]; cbn; [easy|]. intros [H Hps] p [<-|Hp]; auto.
  Qed.

  Lemma covered_at m : possible m -> covers (in_pieces (joined f)) m.
  Proof using known.
    intro Poss. destruct (joined_at m Poss) as (p & Hp & Hm & _). clear - Hp Hm. unfold covers, in_pieces.
    induction (joined f) as [|q ps IH]; cbn; [easy|]. destruct Hp as [->|Hp]; auto.
  Qed.

  Lemma smooth_at p m : possible m -> In p (joined f) -> there p m -> smooth (line m) (snd p).
  Proof using known.
    intros Poss Hp Hm. apply smooth_needs_ok. intros r Hr. apply (use m 0 (in_part f p)); [|now apply in_part_holds].
    apply (part_holds p); trivial. apply in_or_app. left. now apply in_map.
  Qed.

  Lemma condition_continuous p s a b : In p (loss_parts f) -> In (s, a, b) (fst p) ->
    continuity (fun m => eval (line m) a) /\ continuity (fun m => eval (line m) b).
  Proof using known.
    intros Hp Hr. split; intro m; apply (continuous_along (line 0) 0 (Nat.lt_0_succ _) m); cbn;
      now destruct (condition_defined p s a b m Hp Hr).
  Qed.

  Lemma there_closed p : In p (loss_parts f) -> closed (there p).
  Proof using known.
    intro Hp. assert (H : forall r, In r (fst p) -> closed (fun m => meets_relation (line m) (closed_relation r))).
    { intros [[s a] b] Hr. destruct (fit_loss p Hp) as [Hfit _]. specialize (Hfit _ Hr). unfold closed_relation.
      destruct (rel_without 0 _) eqn:Hfree.
      - apply (closed_same (fun _ => meets_relation (line 0) (s, a, b))); [|apply closed_constant].
        intro m. unfold rel_without in Hfree. cbn in Hfree. apply andb_true_iff in Hfree as [Ha Hb]. cbn [meets_relation].
        destruct (first_is_free rest 0 m 0 a Ha) as [-> _], (first_is_free rest 0 m 0 b Hb) as [-> _]. reflexivity.
      - destruct (condition_continuous p s a b Hp Hr) as [Ca Cb].
        assert (L1 := closed_le _ _ Ca Cb). assert (L2 := closed_le _ _ Cb Ca).
        destruct s; cbn [meets_relation compares].
        1, 2: exact L1.
        1, 2: apply (closed_same _ _ (fun m => conj (Rle_ge _ _) (Rge_le _ _)) L2).
        + refine (closed_same _ _ _ (closed_and _ _ L1 L2)). intro m. lra.
        + unfold on_a_line in Hfit. now rewrite andb_false_r in Hfit. }
    unfold there, closure, inside. induction (fst p) as [|r c IH]; cbn [map].
    - apply (closed_same (fun _ => True)); [|exact closed_true]. intro m. split; [constructor|easy].
    - refine (closed_same _ _ _ (closed_and _ _ (H r (or_introl eq_refl)) (IH (fun r' Hr => H r' (or_intror Hr))))).
      intro m. now rewrite Forall_cons_iff.
  Qed.

  Lemma bend_at p m : possible m -> In p (joined f) -> there p m -> 0 <= eval (line m) (bend f (snd p)).
  Proof using known.
    intros Poss Hp Hm. assert (H : rel_holds (line m) (Ge, bend f (snd p), Int 0)).
    { apply (use m 0 (in_part f p)); [|now apply in_part_holds]. apply (part_holds p); trivial.
      apply in_or_app. right. right. now left. }
    destruct H as (_ & _ & C). cbn [compares eval] in C. lra.
  Qed.

  Lemma slope_derivable p m : possible m -> In p (joined f) -> there p m ->
    derivable_pt_lim (fun m => eval (line m) (snd p)) m (slope_of p m) /\
    derivable_pt_lim (slope_of p) m (eval (line m) (derived (derived (snd p)))).
  Proof using known.
    intros Poss Hp Hm. split; apply (derivable_derived (0 :: rest)); [|apply smooth_derived]; now apply smooth_at.
  Qed.

  Lemma lifted p m s : In p (loss_parts f) -> there p m -> all_given (m :: s :: rest) (closure (fst p)).
  Proof using known.
    intros Hp Hm r Hr. apply (second_is_free_in rest m s 0); [exact (closure_without p r Hp Hr)|].
    now apply (there_holds p m Hp Hm).
  Qed.

  Lemma ordered : in_order possible (in_pieces (joined f)).
  Proof using known.
    assert (H : forall ps, incl ps (joined f) -> incl (about_joins f ps) (about_joins f (joined f)) ->
      in_order possible (in_pieces ps)).
    2: { apply H; intros x Hx; exact Hx. }
    induction ps as [|p ps IH]; cbn [in_pieces map in_order]; [easy|]. intros Hin Hjoins.
    assert (Hp := joined_is_part p (Hin p (or_introl eq_refl))). split.
    - apply every_part. intros q Hq m b Pm Pb Hm Hb.
      assert (Hq' := joined_is_part q (Hin q (or_intror Hq))).
      assert (Hc : forall c, In c (about_join f p q) -> claim_holds c).
      { intros c Hc. apply joins_hold, Hjoins, in_or_app. left. apply in_flat_map. now exists q. }
      split.
      + refine (proj2 (proj2 (use m b _ (Le, Var 0, Var 1) (Hc _ (or_introl eq_refl)) _))).
        apply given_app; [apply in_domain|]. apply given_app; [now apply in_interval|].
        apply given_app; [now apply lifted|]. rewrite map_app.
        apply given_app; intros r Hr; apply in_map_iff in Hr as (r' & <- & Hr); apply relation_at_second_ok.
        * unfold interval in Hr. destruct Label; try easy. now destruct Hr as [<-|[<-|[]]].
        * revert r' Hr. now apply in_interval.
        * exact (closure_without q r' Hq' Hr).
        * now apply (there_holds q).
      + intros ->.
        refine (proj2 (proj2 (use b 0 _ (Le, derived (snd p), derived (snd q)) (Hc _ (or_intror (or_intror (or_introl eq_refl)))) _))).
        apply given_app; [apply in_domain|]. apply given_app; [now apply in_interval|].
        apply given_app; now apply there_holds.
    - apply IH; [intros x Hx; apply Hin; now right|]. intros x Hx. apply Hjoins. cbn. apply in_or_app. now right.
  Qed.

  Lemma nonnegative_at m : possible m -> 0 <= Phi m.
  Proof using known.
    intro Poss. destruct (joined_at m Poss) as (p & Hp & Hm & ->).
    assert (H : rel_holds (line m) (Ge, snd p, Int 0)).
    { apply (use m 0 (in_part f p)); [|now apply in_part_holds]. apply (part_holds p); trivial. apply in_or_app.
      right. now left. }
    destruct H as (_ & _ & C). cbn in C. lra.
  Qed.

  Lemma slope_falls p m : k <> 2 -> possible m -> In p (joined f) -> there p m -> slope_of p m <= 0.
  Proof using known.
    intros Hk Poss Hp Hm. destruct two_or_many as [E|[E HL]]; [contradiction|].
    refine (proj2 (proj2 (use m 0 _ (Le, derived (snd p), Int 0) (part_holds p _ Hp _) _))).
    - unfold about_part, if_more. rewrite !in_app_iff. do 2 right. destruct HL as [-> | ->]; now left.
    - apply given_app; [apply in_domain|]. apply given_app; [now apply in_interval|].
      apply given_cons; [cbn; repeat split; lra|]. apply there_holds; trivial. now apply joined_is_part.
  Qed.
End Loss.

Arguments two_or_many {f k values}.

(** ** Of a margin, the loss is everywhere *)

Section Margins.
  Variables (f : loss_statement) (k : R) (values : list R).
  Hypothesis known : is_known f k values.
  Notation line m := (m :: 0 :: k :: values).
  Notation there := (there k values).
  Notation Phi := (Phi f k values).
  Notation parts := (in_pieces k values (joined f)).

  Lemma always m : possible f m.
  Proof using known. intro E. now elim (of_margin known). Qed.

  Lemma phi_is_joined m : exists p, In p (joined f) /\ there p m /\ Phi m = eval (line m) (snd p).
  Proof using known. exact (joined_at f k values known m (always m)). Qed.
  Lemma value_there p m : In p (joined f) -> there p m -> Phi m = eval (line m) (snd p).
  Proof using known. exact (value_at f k values known p m (always m)). Qed.
  Lemma covered m : covers parts m.
  Proof using known. exact (covered_at f k values known m (always m)). Qed.
  Lemma part_smooth p m : In p (joined f) -> there p m -> smooth (line m) (snd p).
  Proof using known. exact (smooth_at f k values known p m (always m)). Qed.
  Lemma nonnegative m : 0 <= Phi m.
  Proof using known. exact (nonnegative_at f k values known m (always m)). Qed.

  Lemma all_smooth : every (smooth_piece Phi) parts.
  Proof using known.
    apply every_part. intros p Hp. split.
    - now apply (there_closed f k values known), joined_is_part.
    - exists (fun m => eval (line m) (snd p)). intros m Hm. split; [now apply value_there|].
      now apply (slope_derivable f k values known p m (always m)).
    - exists (fun m => eval (line m) (derived (derived (snd p)))). intros m Hm. split.
      + now apply (slope_derivable f k values known p m (always m)).
      + assert (H := bend_at f k values known p m (always m) Hp Hm). unfold bend in H.
        assert (L := of_margin known). now destruct (of_label f).
  Qed.

  Lemma all_pieces : every (piece Phi) parts.
  Proof using known.
    refine (pieces_from_joins _ _ all_smooth _ covered). assert (H := ordered f k values known). revert H.
    induction parts as [|[C slope] ps IH]; cbn; [easy|]. intros [H Hps]. split; [|now apply IH]. clear - H known.
    induction ps as [|[D slope'] ps IH]; cbn in *; [easy|]. destruct H as [H Hps]. split; [|exact (IH Hps)].
    intros m b _ _. apply H; apply always.
  Qed.

  Lemma nonincreasing : k <> 2 -> forall m g, subgradient Phi m g -> g <= 0.
  Proof using known.
    intros Hk m g. apply (pieces_nonincreasing _ _ all_pieces covered). apply every_part. intros p Hp.
    exact (slope_falls f k values known p m Hk (always m) Hp).
  Qed.
End Margins.

(** ** Another loss that is the same, where parts of both are *)

Lemma same_losses f g k values : is_known f k values -> is_known g k values ->
  (forall c, In c (flat_map (fun p => map (about_same f p) (joined g)) (joined f)) -> claim_holds c) ->
  forall m, Phi g k values m = Phi f k values m.
Proof.
  intros Kf Kg H m. destruct (phi_is_joined f k values Kf m) as (p & Hp & Hm & ->).
  destruct (phi_is_joined g k values Kg m) as (q & Hq & Hs & ->). symmetry.
  assert (Hc : claim_holds (about_same f p q)) by (apply H, in_flat_map; exists p; split; trivial; now apply in_map).
  refine (proj2 (proj2 (use f k values Kf m 0 _ _ Hc _))). apply given_app; [exact (in_domain f k values Kf m 0)|].
  apply given_app; [apply (there_holds f k values Kf)|apply (there_holds g k values Kg)]; trivial; now apply joined_is_part.
Qed.

(** ** Of a probability, it is a function of the logit *)

Section Probabilities.
  Variables (f : loss_statement) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Hypothesis label : of_label f = Probable.
  Notation Phi := (Phi f k values).
  Notation parts := (in_pieces k values (joined f)).

  Lemma at_probability p : 0 < p < 1 -> possible f p.
  Proof using. now intros H _. Qed.

  Lemma logit_pieces : every (smooth_logit_piece Phi) parts.
  Proof using known label.
    apply every_part. intros p Hp. split.
    - now apply (there_closed f k values known), joined_is_part.
    - exists (fun m => eval (m :: 0 :: k :: values) (snd p)). intros m Hm Ht. apply at_probability in Hm.
      split; [now apply (value_at f k values known)|now apply (slope_derivable f k values known)].
    - exists (fun m => eval (m :: 0 :: k :: values) (derived (derived (snd p)))). intros m Hm Ht.
      apply at_probability in Hm. split; [now apply (slope_derivable f k values known)|].
      assert (H := bend_at f k values known p m Hm Hp Ht). unfold bend, Relations.minus in H. rewrite label in H.
      cbn [eval nth] in H. unfold slope_of. lra.
  Qed.

  Lemma logits_in_order : in_order probabilities parts.
  Proof using known.
    assert (H := ordered f k values known). revert H.
    induction parts as [|[C slope] ps IH]; cbn; [easy|]. intros [H Hps]. split; [|now apply IH]. clear - H.
    induction ps as [|[D slope'] ps IH]; cbn in *; [easy|]. destruct H as [H Hps]. split; [|exact (IH Hps)].
    intros m b Hm Hb. apply H; now apply at_probability.
  Qed.

  Lemma probabilities_covered p : 0 < p < 1 -> covers parts p.
  Proof using known. intro Hp. exact (covered_at f k values known p (at_probability p Hp)). Qed.

  (** Its only part is everywhere. *)
  Lemma one_part : length (joined f) = 1%nat ->
    exists p, joined f = [p] /\ forall m, 0 < m < 1 -> there k values p m /\ Phi m = eval (m :: 0 :: k :: values) (snd p).
  Proof using known.
    intro H. destruct (joined f) as [|p [|q ps]] eqn:E; try discriminate. exists p. split; [reflexivity|]. intros m Hm.
    destruct (joined_at f k values known m (at_probability m Hm)) as (q & Hq & Ht & ->). rewrite E in Hq.
    now destruct Hq as [<-|[]].
  Qed.

  Lemma probability_falls : k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient Phi p r -> r <= 0.
  Proof using known label.
    intros Hk p r Hp. apply (logit_pieces_nonincreasing _ _ logit_pieces logits_in_order probabilities_covered p r Hp).
    apply every_part. intros q Hq. exact (slope_falls f k values known q p Hk (at_probability p Hp) Hq).
  Qed.
End Probabilities.

(** The loss of the label -1 as a function of its margin. *)
Lemma opposed_loss f o k values m : Phi (opposed f o) k values m = value (- m :: 0 :: k :: values) (minus_loss o).
Proof. exact (value_mirrored m (0 :: k :: values) (minus_loss o)). Qed.

(** ** Losses alone *)

Section Losses.
  Variables (d : losses_data) (proofs : list cert).
  Hypothesis proved : proves_losses d proofs = true.
  Variables (k : R) (values : list R).
  Hypothesis places : length values = parameters (fst d).
  Hypothesis whole : exists z, k = IZR z.
  Hypothesis claimed : Stated.every (0 :: 0 :: k :: values) (domain (fst d)).
  Hypothesis classes : classes_of (of_label (fst d)) k.

  Lemma loss_stated f : In f (losses_of d) -> parameters f = parameters (fst d) -> domain f = domain (fst d) ->
    classes_of (of_label f) k -> is_stated f k values.
  Proof using proved places whole claimed.
    apply andb_true_iff in proved as [Hf Hc]. assert (Hall := check_each_ok _ _ Hc). intros Hin Ep Ed Hk.
    split; trivial; [exact (proj1 (forallb_forall _ _) Hf f Hin)| |now rewrite Ep|rewrite Ed; now apply Stated.every_given].
    intros c H. apply Hall, in_flat_map. now exists f.
  Qed.

  Lemma first_stated : is_stated (fst d) k values.
  Proof using proved places whole claimed classes. apply loss_stated; trivial. now left. Qed.

  Lemma other_stated o : snd d = Some o -> of_label (fst d) = Upper -> is_stated (opposed (fst d) o) k values.
  Proof using proved places whole claimed classes.
    intros E L. assert (C := classes). rewrite L in C. apply loss_stated; trivial. unfold losses_of. rewrite E. right. now left.
  Qed.

  Theorem losses_known :
    let f m := value (m :: 0 :: k :: values) (phi (fst d)) in
    match of_label (fst d), snd d with
    | Probable, _ =>
        (forall p, 0 < p < 1 -> exists r, logit_subgradient f p r) /\
        (k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient f p r -> r <= 0)
    | Upper, Some o =>
        let g z := value (z :: 0 :: k :: values) (minus_loss o) in
        (forall z, 0 <= f z) /\ (forall z, 0 <= g z) /\
        (forall z, exists s, subgradient f z s) /\ (forall z, exists s, subgradient g z s)
    | _, _ =>
        (forall m, 0 <= f m) /\ (forall m, exists s, subgradient f m s) /\
        (k <> 2 -> forall m s, subgradient f m s -> s <= 0)
    end.
  Proof using proved places whole claimed classes.
    intro f. assert (First := first_stated). assert (Second := other_stated). destruct (of_label (fst d)) eqn:L.
    4: { split; [exact (logit_pieces_convex _ _ (logit_pieces _ k values First L) (logits_in_order _ k values First)
      (probabilities_covered _ k values First))|exact (probability_falls _ k values First L)]. }
    all: assert (Margin : is_known (fst d) k values) by (split; [exact First|now rewrite L]).
    all: assert (Convex := pieces_convex _ _ (all_pieces _ k values Margin) (covered _ k values Margin)).
    2: destruct (snd d) as [o|] eqn:E.
    2: { assert (Other : is_known (opposed (fst d) o) k values) by (split; [now apply Second|easy]).
         split; [exact (nonnegative _ k values Margin)|]. split; [|split; [exact Convex|]].
         - intro z. assert (H := nonnegative _ k values Other (- z)). now rewrite opposed_loss, Ropp_involutive in H.
         - apply (opposite_convex _ _ (opposed_loss (fst d) o k values)).
           exact (pieces_convex _ _ (all_pieces _ k values Other) (covered _ k values Other)). }
    all: split; [exact (nonnegative _ k values Margin)|split; [exact Convex|exact (nonincreasing _ k values Margin)]].
  Qed.
End Losses.

(** What a part says at a point of its closure: the value of the loss there, and a subgradient. *)
Theorem touched f k values (known : is_stated f k values) i p m : possible f m -> nth_error (joined f) i = Some p ->
  there k values p m ->
  Phi f k values m = eval (m :: 0 :: k :: values) (snd p) /\
  match of_label f with Probable => logit_subgradient | _ => subgradient end (Phi f k values) m (slope_of k values p m).
Proof.
  intros Poss Hp%nth_error_In Hm. split; [now apply value_at|].
  assert (Margin : of_label f <> Probable -> subgradient (Phi f k values) m (slope_of k values p m)).
  { intro L. refine (piece_tangent _ _ _ _ m Hm).
    exact (proj1 (every_part_is k values _ _) (all_pieces f k values (Build_is_known _ _ _ known L)) p Hp). }
  destruct (of_label f) eqn:L; try (now apply Margin).
  refine (proj1 (every_part_is k values _ _) (logit_pieces_tangent _ _ (logit_pieces f k values known L)
    (logits_in_order f k values known) (probabilities_covered f k values known)) p Hp m (Poss L) Hm).
Qed.

(** The same of the loss of -1, at the score z whose opposite is its margin. *)
Theorem touched_opposite f o k values (known : is_stated (opposed f o) k values) i p z m : m = - z ->
  nth_error (joined (opposed f o)) i = Some p -> there k values p m ->
  let minus z := value (z :: 0 :: k :: values) (minus_loss o) in
  minus z = eval (m :: 0 :: k :: values) (snd p) /\ subgradient minus z ((-1) * slope_of k values p m).
Proof.
  intros -> Hp Hm minus. destruct (touched _ k values known i p (- z)) as [E H]; trivial; [easy|].
  rewrite opposed_loss, Ropp_involutive in E. split; [exact E|].
  apply (opposite_subgradient minus _ (opposed_loss f o k values)) in H. rewrite Ropp_involutive in H.
  now replace (-1 * slope_of k values p (- z)) with (- slope_of k values p (- z)) by ring.
Qed.

(** That a number is possible, and in the closure of a part. *)
Ltac is_possible := intro; first [discriminate | lra].
Ltac is_there := unfold there, inside; cbn; repeat apply Forall_cons; try apply Forall_nil; cbn; lra.
