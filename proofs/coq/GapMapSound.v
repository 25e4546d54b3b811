(** * What is known of a gap map from the claims that are computed for it *)

Require Import Reals Lra ZArith List Bool.
From Gaptron Require Import Enclosures Expectations WrittenFunctions Obligations LossSound NumbersSound.
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
