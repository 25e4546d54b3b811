(** * What is known of a gap map from the claims that are computed for it *)

Require Import Reals Lra ZArith List Bool.
From Gaptron Require Import Enclosures Expectations MarginTheorem WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
Import ListNotations.
Open Scope R_scope.

(** What the share of the gap map costs. *)
Definition price_of (cost : option R) (k : R) : R := match cost with None => guessing k | Some c => c end.

Section GapMap.
  Variables (f : margin_statement expr) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Hypothesis fit : map_fits f = true.
  Hypothesis numbers : numbers_fit f = true.
  Hypothesis claims : forall q c, In q (parts_of (gap_map f)) -> In c (about_map f q) -> claim_holds c.
  Notation rest := (k :: values).
  Notation line m := (m :: 0 :: rest).
  Notation use := (use f k values known).
  Notation use_defined := (use_defined f k values known).
  Notation in_domain := (in_domain f k values known).
  Notation Price := (price_of (option_map (at_rest k values) (cost f)) k).

  Lemma fit_map q : In q (parts_of (gap_map f)) ->
    (forall r, In r (fst q) -> rel_without 1 r = true) /\ without 1 (snd q) = true.
  Proof using fit.
    intro Hq. apply (proj1 (forallb_forall _ _) fit), andb_true_iff in Hq as [Hq He]. split; [|exact He].
    now apply forallb_forall.
  Qed.

  Lemma use_in_turn m s e c : forall g, (forall d, In d (defined_in_turn f g c e) -> claim_holds d) ->
    all_given (m :: s :: rest) g -> inside (m :: s :: rest) c ->
    all_given (m :: s :: rest) c /\ defined (m :: s :: rest) e.
  Proof using known.
    induction c as [|[[sg a] b] c IH]; cbn [defined_in_turn]; intros g H Hg Hc.
    - split; [intros r []|]. exact (use_defined m s g e H Hg).
    - inversion Hc as [|x y Hr Hin]; subst. assert (Hh : rel_holds (m :: s :: rest) (sg, a, b)).
      { cbn. split; [|split; [|exact Hr]]; apply (use_defined m s g); trivial; intros d Hd; apply H; rewrite !in_app_iff;
          tauto. }
      destruct (IH (g ++ [(sg, a, b)])) as [Hall He].
      + intros d Hd. apply H. rewrite !in_app_iff. tauto.
      + apply given_app; [exact Hg|now apply given_one].
      + exact Hin.
      + split; [now apply given_cons|exact He].
  Qed.

  Definition A (m : R) : R := value (line m) (gap_map f).

  Lemma map_at m : all_given (line m) (top f) ->
    exists q, In q (parts_of (gap_map f)) /\ all_given (line m) (fst q) /\ A m = eval (line m) (snd q).
  Proof using known claims.
    intro Hm. destruct (some_part_of (line m) (gap_map f)) as (q & Hq & Hin & E). exists q. split; [exact Hq|].
    split; [|exact E]. apply (use_in_turn m 0 (snd q) (fst q) (right_round f)); trivial.
    - intros d Hd. apply (claims q); trivial. apply in_or_app. now left.
    - apply given_app; [apply in_domain|exact Hm].
  Qed.

  Lemma map_in_range m : all_given (line m) (top f) -> 0 <= A m <= 1.
  Proof using known claims.
    intro Hm. destruct (map_at m Hm) as (q & Hq & Hg & ->).
    assert (G : all_given (line m) (right_round f ++ fst q)).
    { apply given_app; trivial. apply given_app; [apply in_domain|exact Hm]. }
    assert (H : forall c, In c (about_map f q) -> claim_holds c) by (intro c; apply claims; exact Hq). split.
    - destruct (use m 0 _ (Ge, snd q, Int 0) (H _ ltac:(apply in_or_app; right; now left)) G) as (_ & _ & C).
      cbn in C. lra.
    - exact (proj2 (proj2 (use m 0 _ (Le, snd q, Int 1) (H _ ltac:(apply in_or_app; right; right; now left)) G))).
  Qed.

  Lemma eval_right m s a : eval (m :: s :: rest) (right_risk f a) = eval (m :: s :: rest) a * Price.
  Proof using numbers.
    rewrite <- (cost_at f k values numbers m s). unfold right_risk, price, over, minus, price_of, guessing, Rdiv.
    destruct (cost f); cbn [eval option_map nth]; [reflexivity|ring].
  Qed.

  Lemma eval_wrong m s a : eval (m :: s :: rest) (wrong_risk f a) =
    1 - eval (m :: s :: rest) a + eval (m :: s :: rest) a * Price.
  Proof using numbers. rewrite <- (eval_right m s). unfold wrong_risk, minus. cbn [eval]. ring. Qed.
End GapMap.

(** ** Rounds with margins: what is said of them is so *)

Section Rounds.
  Variables (f : margin_statement expr) (k : R) (values : list R).
  Hypothesis known : is_known f k values.
  Hypothesis fit : map_fits f = true.
  Hypothesis numbers : numbers_fit f = true.
  Hypothesis threshold : forall c, In c (about_threshold f f) -> claim_holds c.
  Hypothesis maps : forall q c, In q (parts_of (gap_map f)) -> In c (about_map f q) -> claim_holds c.
  Notation rest := (k :: values).
  Notation line m := (m :: 0 :: rest).
  Notation Label := (of_label f).
  Notation Beta := (option_map (at_rest k values) (off_above f)).
  Notation A := (A f k values).
  Notation use := (use f k values known).
  Notation in_domain := (in_domain f k values known).

  Lemma beta_at b m s : off_above f = Some b ->
    eval (m :: s :: rest) b = at_rest k values b /\ defined (m :: s :: rest) b.
  Proof using known numbers threshold. exact (threshold_at f f k values known numbers b m s threshold). Qed.

  Lemma top_given m : 0 <= m -> all_given (line m) (top f).
  Proof using known.
    intro Hm. assert (HL := of_margin known). unfold top. destruct Label; try easy; apply given_one; cbn; repeat split; lra.
  Qed.
  Lemma map_is_part m : 0 <= m -> exists q, In q (parts_of (gap_map f)) /\ all_given (line m) (fst q) /\
    A m = eval (line m) (snd q).
  Proof using known maps. intro Hm. exact (map_at f k values known maps m (top_given m Hm)). Qed.
  Lemma in_the_range m : 0 <= m -> 0 <= A m <= 1.
  Proof using known maps. intro Hm. exact (map_in_range f k values known maps m (top_given m Hm)). Qed.
  Lemma right_given m : 0 <= m -> all_given (line m) (right_round f).
  Proof using known. intro Hm. apply given_app; [apply in_domain|exact (top_given m Hm)]. Qed.

  Lemma on_given m : ~ is_off Beta m -> (Label = Lower -> 0 < m) -> all_given (line m) (on f).
  Proof using known numbers threshold.
    intros Hon Hlow. unfold on. apply given_app.
    - destruct (off_above f) as [b|] eqn:E; [|intros r []]. apply given_one. destruct (beta_at b m 0 E) as [Eb Db].
      cbn [rel_holds compares eval nth defined]. rewrite Eb. repeat split; trivial. cbn in Hon. lra.
    - destruct Label; try (now intros r []). apply given_one. cbn. repeat split; trivial. specialize (Hlow eq_refl). lra.
  Qed.

  Lemma said_right_ok m c p e : claim_holds (said_right f c p e) -> 0 <= m -> ~ is_off Beta m ->
    (Label = Lower -> 0 < m) -> all_given (line m) c -> In p (joined f) -> there k values p m -> eval (line m) e <= 0.
  Proof using known numbers threshold.
    intros H Hm Hon Hlow Hc Hp Hpm. refine (proj2 (proj2 (use m 0 _ (Le, e, Int 0) H _))).
    apply given_app; [now apply right_given|]. apply given_app; [now apply on_given|]. apply given_app; trivial.
    apply (there_holds f k values known); trivial. now apply joined_is_part.
  Qed.

  Lemma said_off_ok b m c e : off_above f = Some b -> claim_holds (said_off f b c e) -> 0 <= m -> is_off Beta m ->
    all_given (line m) c -> eval (line m) e <= 0.
  Proof using known numbers threshold.
    intros E H Hm Hoff Hc. refine (proj2 (proj2 (use m 0 _ (Le, e, Int 0) H _))).
    apply given_app; [now apply right_given|]. apply given_cons; trivial. destruct (beta_at b m 0 E) as [Eb Db].
    rewrite E in Hoff. cbn [rel_holds compares eval nth defined]. rewrite Eb. repeat split; trivial.
  Qed.

  (** With two classes the top margin on a wrong round is minus that of the label. *)
  Lemma with_two_ok t r : k = 2 -> rel_holds (- t :: t :: rest) (with_two r) <-> rel_holds (- t :: t :: rest) r.
  Proof using.
    intro Hk. unfold with_two. rewrite substituted_ok by (cbn; auto; ring). now apply put_two_ok.
  Qed.

  Lemma wrong_given c p s t : In p (joined f) -> 0 <= s <= t -> (Label = Upper -> 0 < t) ->
    (forall r, In r c -> rel_without 1 r = true) -> all_given (line s) c -> there k values p (- t) ->
    all_given (- t :: s :: rest) (wrong_round f c p).
  Proof using known.
    intros Hp Hs Hup Hfree Hc Hpt. unfold wrong_round, wrong_margin. apply given_cons; [cbn; repeat split; lra|].
    apply given_app.
    - apply given_cons; [|apply given_one; cbn; repeat split; lra].
      destruct Label; cbn; repeat split; try (specialize (Hup eq_refl)); lra.
    - apply given_app; [|now apply (lifted f k values known), Hpt; apply joined_is_part]. intros r Hr.
      apply in_map_iff in Hr as (r' & <- & Hr). apply relation_at_second_ok; auto.
  Qed.

  Lemma said_wrong_ok s t c p e : (forall d, In d (said_wrong f c p e) -> claim_holds d) -> 0 <= s <= t ->
    (k = 2 -> s = t) -> (Label = Upper -> 0 < t) -> (forall r, In r c -> rel_without 1 r = true) ->
    all_given (line s) c -> In p (joined f) -> there k values p (- t) -> eval (- t :: s :: rest) e <= 0.
  Proof using known.
    intros H Hs Htwo Hup Hfree Hc Hp Hpt. assert (Hw := wrong_given c p s t Hp Hs Hup Hfree Hc Hpt).
    refine (proj2 (proj2 (_ : rel_holds (- t :: s :: rest) (Le, e, Int 0)))).
    destruct (two_or_many known) as [E|[E HL]].
    - specialize (Htwo E). subst s. apply with_two_ok; trivial.
      apply (H _ (or_introl eq_refl)); [cbn; now rewrite (places known)|easy|].
      intros r Hr. cbn [given] in Hr. apply in_map_iff in Hr as (r' & <- & Hr). apply with_two_ok; trivial.
      revert r' Hr. apply given_app; [apply in_domain|exact Hw].
    - assert (Every_ : Label = Every) by (destruct HL as [HL|HL]; [exact HL|now elim (of_margin known)]).
      unfold said_wrong, if_more in H. rewrite Every_ in H.
      apply (use _ _ _ _ (H _ (or_intror (or_introl eq_refl)))). apply given_app; [apply in_domain|].
      apply given_cons; [cbn; repeat split; lra|exact Hw].
  Qed.
End Rounds.
