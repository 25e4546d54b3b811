(** * What a margin theorem needs with bandit feedback, at any learning rate, follows from the claims computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Definitions Pieces MarginTheorem SoftmaxSubgradients SoftmaxTheorem.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound GapMapSound SoftmaxSound.
From Gaptron Require Import BanditMargins BanditSoftmax.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

(** From a gap times the probability of the label. *)
Lemma gap_of_drawn drawn base squares : 0 < drawn -> drawn * base + squares <= 0 -> base + squares / drawn <= 0.
Proof.
  intros Hd H. apply (Rmult_le_reg_l drawn); [exact Hd|]. replace (drawn * (base + squares / drawn)) with
    (drawn * base + squares) by (field; lra). lra.
Qed.

(** ** The share of the uniform distribution *)

Section Shares.
  Variables (f : margin_statement expr) (explored : expr) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Hypothesis fit : map_fits f = true.
  Hypothesis numbers : numbers_fit f = true.
  Hypothesis maps : forall q c, In q (parts_of (gap_map f)) -> In c (about_map f q) -> claim_holds c.
  Hypothesis of_classes : of_no_margin explored = true.
  Notation rest := (k :: values).
  Notation line m := (m :: 0 :: rest).
  Notation Gamma := (at_rest k values explored).
  Notation Eta := (at_rest k values (rate f)).
  Notation A := (A f k values).
  Notation no_margin := (no_margin k values).
  Hypothesis explored_defined : defined (0 :: 0 :: rest) explored.

  Definition is_share (m x : R) (r : part) : Prop :=
    In r (exploring_shares f explored) /\ all_given (line m) (fst r) /\ (forall c, In c (fst r) -> rel_without 1 c = true) /\
    without 1 (snd r) = true /\ eval (line m) (snd r) = x.

  Lemma some_share m x : all_given (line m) (top f) -> share (A m) Gamma x -> exists r, is_share m x r.
  Proof using known fit maps of_classes explored_defined.
    intros Hm Hx. destruct (map_at f k values known maps m Hm) as (q & Hq & Hg & E). rewrite E in Hx.
    destruct (fit_map f fit q Hq) as [Hfree Hq1]. destruct (no_margin explored m 0 of_classes) as [Ee De].
    assert (D : defined (line m) (snd q)).
    { assert (H : rel_holds (line m) (Ge, snd q, Int 0)); [|exact (proj1 H)].
      apply (use f k values known m 0 (right_round f ++ fst q)).
      - apply (maps q); trivial. apply in_or_app. right. now left.
      - apply given_app; trivial. apply given_app; [apply in_domain|]; trivial. }
    assert (Shares : forall r, In r [(fst q ++ [(Ge, snd q, explored)], snd q);
        (fst q ++ [(Le, snd q, explored)], explored)] -> In r (exploring_shares f explored)).
    { intros r Hr. apply in_flat_map. now exists q. }
    assert (He1 := proj2 (proj1 (andb_true_iff _ _) of_classes)).
    assert (Free : forall s c, In c (fst q ++ [(s, snd q, explored)]) -> rel_without 1 c = true).
    { intros s c Hc. apply in_app_or in Hc as [Hc|[<-|[]]]; [now apply Hfree|]. unfold rel_without. cbn.
      now rewrite Hq1, He1. }
    destruct Hx as [[Hle ->]|[Hle ->]];
      [exists (fst q ++ [(Ge, snd q, explored)], snd q)|exists (fst q ++ [(Le, snd q, explored)], explored)];
      (split; [apply Shares; cbn; tauto|]); (split; [|split; [apply Free|split; trivial]]); cbn [fst snd];
      (apply given_app; [exact Hg|]); apply given_one; cbn [rel_holds compares]; rewrite Ee, De; repeat split; trivial; lra.
  Qed.

  Lemma eval_unpaid m s drawn : eval (m :: s :: rest) (unpaid explored drawn) =
    1 - eval (m :: s :: rest) drawn - Gamma * (k - 1) / k.
  Proof using of_classes.
    unfold unpaid, guessed_wrong, over, minus, Rdiv. cbn [eval nth]. rewrite (proj1 (no_margin explored m s of_classes)). ring.
  Qed.

  Lemma eval_less m s drawn p : In p (joined f) -> eval (m :: s :: rest) (minus (unpaid explored drawn) (snd p)) =
    1 - eval (m :: s :: rest) drawn - Gamma * (k - 1) / k - eval (line m) (snd p).
  Proof using known of_classes.
    intro Hp. destruct (fit_loss f k values known p (joined_is_part f p Hp)) as [_ H].
    unfold minus at 1. cbn [eval]. rewrite eval_unpaid. destruct (second_is_free rest m s 0 (snd p) H) as [-> _]. ring.
  Qed.

  Lemma eval_gap m s drawn p : In p (joined f) -> eval (m :: s :: rest) (drawn_gap f explored drawn p) =
    eval (m :: s :: rest) drawn * (1 - eval (m :: s :: rest) drawn - Gamma * (k - 1) / k - eval (line m) (snd p)) +
      Eta * slope_of k values p m ^ 2.
  Proof using known numbers of_classes.
    intro Hp. destruct (fit_loss f k values known p (joined_is_part f p Hp)) as [_ H].
    unfold drawn_gap, slope_of. cbn [eval]. rewrite <- (eval_less m s drawn p Hp).
    rewrite (proj1 (no_margin (rate f) m s (proj1 (fit_numbers f numbers)))).
    now destruct (second_is_free rest m s 0 (derived (snd p)) (derived_without 1 _ H)) as [-> _].
  Qed.

  Lemma eval_softmax_gap m s drawn p o : In p (joined f) -> of_label f = Probable ->
    eval (m :: s :: rest) (softmax_drawn_gap f explored drawn p o) =
    1 - eval (m :: s :: rest) drawn - Gamma * (k - 1) / k - eval (line m) (snd p) +
      Eta / 2 * ((slope_of k values p m * m) ^ 2 * ((1 - m) ^ 2 + eval (m :: s :: rest) (snd o))) / eval (m :: s :: rest) drawn.
  Proof using known numbers of_classes.
    intros Hp L. unfold softmax_drawn_gap, over. cbn [eval].
    now rewrite (eval_less m s drawn p Hp), (eval_squared f k values known L m s p o numbers Hp).
  Qed.

  Lemma eval_right m s e : eval (m :: s :: rest) (drawn_right e) = 1 - eval (m :: s :: rest) e * (k - 1) / k.
  Proof using. unfold drawn_right, guessed_wrong, over, minus, Rdiv. cbn [eval nth]. ring. Qed.

  Lemma eval_wrong m s e : without 1 e = true -> eval (m :: s :: rest) (drawn_wrong (at_second e)) = eval (line s) e / k.
  Proof using. intro H. destruct (at_second_ok rest m s e H) as [<- _]. reflexivity. Qed.
End Shares.

(** The probability of the label on a right round, and what is paid beyond it. *)
Lemma drawn_value k q : 2 <= k -> 1 - q * (k - 1) / k = 1 - q + q / k.
Proof. intros. field. lra. Qed.
Lemma paid_value k q gamma : 2 <= k ->
  (q - gamma) * (k - 1) / k = 1 - (1 - q + q / k) - gamma * (k - 1) / k.
Proof. intros. field. lra. Qed.

Section Sound.
  Variables (f : margin_statement expr) (explored : expr) (k : R) (values : list R).
  Hypothesis fit : exploring_fits f explored = true.
  Hypothesis claims : forall c, In c (exploring_claims f explored) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Notation line m := (m :: 0 :: rest).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.
  Notation at_rest := (at_rest k values).
  Notation Gamma := (at_rest explored).
  Notation Eta := (at_rest (rate f)).
  Hypothesis explored_defined : defined (0 :: 0 :: rest) explored.
  Hypothesis explores : 0 < Gamma <= 1.
  Hypothesis positive : 0 < Eta.

  Lemma fit_parts : loss_fits f = true /\ (of_label f = Every \/ of_label f = Probable) /\ map_fits f = true /\
    numbers_fit f = true /\ of_no_margin explored = true.
  Proof using fit.
    clear - fit. apply andb_true_iff in fit as [Hf He]. destruct (of_label f) eqn:L; try discriminate.
    - unfold piece_fits in Hf. apply andb_true_iff in Hf as [Hf Hn]. apply andb_true_iff in Hf as [Hf _].
      do 3 (apply andb_true_iff in Hn as [Hn ?]). repeat split; trivial. now left.
    - unfold softmax_fits in Hf. do 3 (apply andb_true_iff in Hf as [Hf ?]). repeat split; trivial. now right.
  Qed.
  Notation its_map_fits := (proj1 (proj2 (proj2 fit_parts))).
  Notation numbers := (proj1 (proj2 (proj2 (proj2 fit_parts)))).
  Notation of_classes := (proj2 (proj2 (proj2 (proj2 fit_parts)))).

  Ltac among := apply claims; unfold exploring_claims; rewrite !in_app_iff.

  Lemma known : is_stated f k values.
  Proof using fit claims places whole claimed classes.
    split; trivial; [exact (proj1 fit_parts)|]. intros c Hc. among. right. now left.
  Qed.
  Lemma threshold c : In c (about_threshold f f) -> claim_holds c.
  Proof using claims. intro H. among. now left. Qed.
  Lemma maps_hold q c : In q (parts_of (gap_map f)) -> In c (about_map f q) -> claim_holds c.
  Proof using claims. intros Hq Hc. among. do 2 right. left. apply in_flat_map. exists q. auto. Qed.
  Lemma drawn_holds q p c : In q (exploring_shares f explored) -> In p (joined f) -> In c (in_drawn_round f explored q p) ->
    claim_holds c.
  Proof using claims.
    intros Hq Hp Hc. among. do 3 right. left. apply in_flat_map. exists q. split; trivial. apply in_flat_map. exists p. auto.
  Qed.
  Lemma off_holds b q : off_above f = Some b -> In q (exploring_shares f explored) ->
    claim_holds (said_off f b (fst q) (unpaid explored (drawn_right (snd q)))).
  Proof using claims.
    intros E Hq. among. do 4 right. rewrite E.
    exact (in_map (fun q => said_off f b (fst q) (unpaid explored (drawn_right (snd q)))) _ q Hq).
  Qed.

  Notation Phi := (Phi f k values).
  Notation A := (A f k values).
  Notation Beta := (option_map at_rest (off_above f)).
  Notation there := (there k values).
  Notation slope_of := (slope_of k values).
  Notation some_share := (some_share f explored k values known its_map_fits maps_hold of_classes explored_defined).
  Notation eval_gap := (eval_gap f explored k values known numbers of_classes).
  Notation eval_softmax_gap := (eval_softmax_gap f explored k values known numbers of_classes).

  Lemma many : 2 <= k.
  Proof using fit classes. assert (H := classes). destruct (proj1 (proj2 fit_parts)) as [L|L]; rewrite L in H; cbn in H; lra. Qed.

  Section Margins.
    Hypothesis label : of_label f = Every.

    Lemma of_margins : is_known f k values.
    Proof using fit claims places whole claimed classes label. split; [exact known|]. rewrite label. discriminate. Qed.
    Notation all_pieces := (all_pieces f k values of_margins).
    Notation covered := (covered f k values of_margins).
    Notation top_given := (top_given f k values of_margins).
    Notation in_range := (in_the_range f k values of_margins maps_hold).

    Lemma margins_hold r p c : In r (exploring_shares f explored) -> In p (joined f) ->
      c = said_right f (fst r) p (drawn_gap f explored (drawn_right (snd r)) p) \/
      In c (said_wrong f (fst r) p (drawn_gap f explored (drawn_wrong (at_second (snd r))) p)) ->
      claim_holds c.
    Proof using claims label.
      intros Hr Hp Hc. apply (drawn_holds r p); trivial. unfold in_drawn_round. rewrite label.
      destruct Hc as [->|Hc]; [now left|now right].
    Qed.

    Lemma in_every_margin m g drawn base : 0 < drawn ->
      (forall p, In p (joined f) -> there p m ->
        drawn * (base - eval (line m) (snd p)) + Eta * slope_of p m ^ 2 <= 0) ->
      subgradient Phi m g -> base - Phi m + Eta / drawn * g ^ 2 <= 0.
    Proof using fit claims places whole claimed classes positive label.
      intros Hd H Hg. replace (Eta / drawn * g ^ 2) with (Eta * g ^ 2 / drawn) by (field; lra).
      apply gap_of_drawn; [exact Hd|]. revert Hg. apply (pieces_gap _ _ all_pieces covered); [now apply Rlt_le|].
      apply every_part. intros p Hp Hm. rewrite (value_there f k values of_margins p m Hp Hm). now apply H.
    Qed.

    Lemma right_gap m q g : 0 <= m -> ~ is_off Beta m -> share (A m) Gamma q -> subgradient Phi m g ->
      (q - Gamma) * (k - 1) / k - Phi m + Eta / (1 - q + q / k) * g ^ 2 <= 0.
    Proof using fit claims places whole claimed classes explored_defined explores positive label.
      intros Hm Hon Hq. assert (Hk := many). destruct (share_positive k _ _ _ Hk (in_range m Hm) explores Hq) as [_ Hseen].
      destruct (some_share m q (top_given m Hm) Hq) as (r & Hr & Hgiven & _ & _ & E). rewrite (paid_value k q _ Hk).
      apply in_every_margin; [rewrite (seen_right k q Hk); apply Rdiv_lt_0_compat; lra|]. intros p Hp Hpm.
      rewrite <- (drawn_value k q Hk), <- E, <- (eval_right k values m 0), <- (eval_gap m 0 _ p Hp).
      apply (said_right_ok f k values of_margins numbers threshold m (fst r) p); trivial; [|now rewrite label].
      apply (margins_hold r p); auto.
    Qed.

    Lemma off_gap m q : 0 <= m -> is_off Beta m -> share (A m) Gamma q -> (q - Gamma) * (k - 1) / k <= 0.
    Proof using fit claims places whole claimed classes explored_defined explores label.
      intros Hm Hoff Hq. assert (Hk := many). destruct (some_share m q (top_given m Hm) Hq) as (r & Hr & Hgiven & _ & _ & <-).
      assert (Some_ : exists b, off_above f = Some b) by (destruct (off_above f); [eauto|easy]). destruct Some_ as [b Eb].
      assert (H := said_off_ok f k values of_margins numbers threshold b m _ _ Eb (off_holds b r Eb Hr) Hm Hoff Hgiven).
      rewrite (eval_unpaid explored k values of_classes), eval_right in H. eapply Rle_trans; [|exact H]. right. field. lra.
    Qed.

    Lemma wrong_gap s t q g : 0 <= s <= t -> (k = 2 -> s = t) -> share (A s) Gamma q -> subgradient Phi (- t) g ->
      1 - q / k - Gamma * (k - 1) / k - Phi (- t) + Eta / (q / k) * g ^ 2 <= 0.
    Proof using fit claims places whole claimed classes explored_defined explores positive label.
      intros Hs Htwo Hq. assert (Hk := many).
      destruct (share_positive k _ _ _ Hk (in_range s (proj1 Hs)) explores Hq) as [Hseen _].
      destruct (some_share s q (top_given s (proj1 Hs)) Hq) as (r & Hr & Hgiven & Hfree & Hr1 & E).
      apply in_every_margin; [apply Rdiv_lt_0_compat; lra|]. intros p Hp Hpt.
      rewrite <- E, <- (eval_wrong k values (- t) s (snd r) Hr1), <- (eval_gap (- t) s _ p Hp).
      apply (said_wrong_ok f k values of_margins s t (fst r) p); trivial; [|now rewrite label].
      intros c Hc. apply (margins_hold r p); auto.
    Qed.

    Lemma margins_at : bandit_margin_conditions k Phi A Beta Gamma Eta (Gamma * (k - 1) / k).
    Proof using fit claims places whole claimed classes explored_defined explores positive label.
      apply conditions_by_shares; [exact many|exact explores| |exact in_range|exact positive|exact right_gap|exact off_gap
        |exact wrong_gap].
      split; [exact (nonnegative f k values of_margins)|exact (pieces_convex _ _ all_pieces covered)
        |exact (nonincreasing f k values of_margins)].
    Qed.
  End Margins.

  Section Probabilities.
    Hypothesis label : of_label f = Probable.
    Notation largest_given := (largest_given f k values known label).

    Lemma probable_range p : 1 / k <= p < 1 -> 0 <= A p <= 1.
    Proof using fit claims places whole claimed classes label.
      intros Hp. exact (map_in_range f k values known maps_hold p (largest_given p Hp)).
    Qed.

    Lemma labels_hold r p c : In r (exploring_shares f explored) -> In p (joined f) ->
      In c (said_labels f (fst r) p (softmax_drawn_gap f explored (drawn_right (snd r)) p)
        (softmax_drawn_gap f explored (drawn_wrong (at_second (snd r))) p)) -> claim_holds c.
    Proof using claims label. intros Hr Hp Hc. apply (drawn_holds r p); trivial. unfold in_drawn_round. now rewrite label. Qed.

    Lemma in_every_probability q r drawn base S : 0 < q < 1 -> 0 <= S -> 0 < drawn ->
      (forall p, In p (joined f) -> there p q ->
        base - eval (line q) (snd p) + Eta / 2 * ((slope_of p q * q) ^ 2 * ((1 - q) ^ 2 + S)) / drawn <= 0) ->
      logit_subgradient Phi q r -> base - Phi q + Eta / drawn / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0.
    Proof using fit claims places whole claimed classes positive label.
      intros Hq HS Hd H. apply (in_every_part f k values known label); trivial.
      { left. now apply Rdiv_lt_0_compat. }
      intros p Hp Hpq. eapply Rle_trans; [|exact (H p Hp Hpq)]. right. field. lra.
    Qed.

    Lemma top_gap p r S u : 1 / k <= p < 1 -> beside_top p S -> share (A p) Gamma u -> logit_subgradient Phi p r ->
      (u - Gamma) * (k - 1) / k - Phi p + Eta / (1 - u + u / k) / 2 * ((r * p) ^ 2 * ((1 - p) ^ 2 + S)) <= 0.
    Proof using fit claims places whole claimed classes explored_defined explores positive label.
      intros Hk HS Hu. assert (H2 := many). assert (Hp := largest_is_positive f k values known label p (proj1 Hk)).
      destruct (share_positive k _ _ _ H2 (probable_range p Hk) explores Hu) as [_ Hseen].
      destruct (some_share p u (largest_given p Hk) Hu) as (c & Hc & Hgiven & _ & _ & E).
      destruct (top_in_part f k values known label p S Hk HS) as (o & Ho & Hgo & ES & Hpos). rewrite (paid_value k u _ H2).
      apply in_every_probability; [lra|exact Hpos|rewrite (seen_right k u H2); apply Rdiv_lt_0_compat; lra|].
      intros x Hx Hxp.
      rewrite <- (drawn_value k u H2), <- E, <- (eval_right k values p 0), <- ES, <- (eval_softmax_gap p 0 _ x o Hx label).
      apply (said_right_label_ok f k values known label p (fst c) x o); trivial.
      apply (labels_hold c x); trivial. apply in_or_app. left.
      exact (in_map (fun o => said_right_label f (fst c) x o
        (softmax_drawn_gap f explored (drawn_right (snd c)) x o)) _ o Ho).
    Qed.

    Lemma other_gap p q r S u : wrong_probabilities k p q -> beside p q S -> share (A p) Gamma u ->
      logit_subgradient Phi q r ->
      1 - u / k - Gamma * (k - 1) / k - Phi q + Eta / (u / k) / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + S)) <= 0.
    Proof using fit claims places whole claimed classes explored_defined explores positive label.
      intros Hround HS Hu. assert (H2 := many). assert (Hround' := Hround). destruct Hround' as (Hk & Hq & Hpq & _).
      destruct (share_positive k _ _ _ H2 (probable_range p Hk) explores Hu) as [Hseen _].
      destruct (some_share p u (largest_given p Hk) Hu) as (c & Hc & Hgiven & Hfree & Hc1 & E).
      destruct (other_in_part k values p q S Hround HS) as (o & Ho & Hgo & ES & Hpos).
      apply in_every_probability; [lra|exact Hpos|apply Rdiv_lt_0_compat; lra|]. intros x Hx Hxq.
      rewrite <- E, <- (eval_wrong k values q p (snd c) Hc1), <- ES, <- (eval_softmax_gap q p _ x o Hx label).
      apply (said_wrong_label_ok f k values known label p q (fst c) x o); trivial.
      intros d Hd. apply (labels_hold c x); trivial. apply in_or_app. right. apply in_flat_map. now exists o.
    Qed.

    Lemma probabilities_at : bandit_softmax_conditions k Phi A Gamma Eta (Gamma * (k - 1) / k).
    Proof using fit claims places whole claimed classes explored_defined explores positive label.
      apply softmax_conditions_by_shares; [exact many|exact explores|exact (probable_surrogate f k values known label)
        |exact probable_range|exact positive|exact top_gap|exact other_gap].
    Qed.
  End Probabilities.

  Theorem exploring_hold_at :
    match of_label f with
    | Probable => bandit_softmax_conditions k Phi A Gamma Eta (Gamma * (k - 1) / k)
    | _ => bandit_margin_conditions k Phi A Beta Gamma Eta (Gamma * (k - 1) / k)
    end.
  Proof using fit claims places whole claimed classes explored_defined explores positive.
    assert (M := margins_at). assert (P := probabilities_at). destruct (proj1 (proj2 fit_parts)) as [L|L]; rewrite L; auto.
  Qed.
End Sound.

(** What is proved of the data, for all classes, numbers gamma that may be the exploration rate, and what else it speaks of. *)
Theorem proved_exploring f proofs : proves_exploring f proofs = true -> forall k gamma values,
  length (gamma :: values) = parameters f -> (exists z, k = IZR z) ->
  let env := 0 :: 0 :: k :: gamma :: values in
  Stated.every env (domain f) -> classes_of (of_label f) k -> 0 < gamma <= 1 -> value env (explored f) = gamma ->
  0 < value env (rate f) ->
  let phi m := value (m :: 0 :: k :: gamma :: values) (phi f) in
  let a m := value (m :: 0 :: k :: gamma :: values) (gap_map f) in
  match of_label f with
  | Probable => bandit_softmax_conditions k phi a gamma (value env (rate f)) (gamma * (k - 1) / k)
  | _ => bandit_margin_conditions k phi a (option_map (value env) (off_above f)) gamma (value env (rate f))
      (gamma * (k - 1) / k)
  end.
Proof.
  intros [Hf Hall]%andb_true_iff k gamma values Hn Hz env Hd%Stated.every_given Hk Hgamma Hexplored Hrate.
  assert (Holds := check_each_ok _ _ Hall). unfold exploring_obligations in Holds.
  destruct (some_part_of env (explored f)) as (p & Hp & Inside & E).
  assert (Hall' : forall c, In c (said_defined (exploring_at f p) (domain (exploring_at f p)) (snd p) ++
      flat_map (about_number (exploring_at f p)) (all_numbers (exploring_at f p)) ++
      flat_map (fun h => exploring_claims h (snd p)) (theorems_of_pieces (exploring_at f p))) -> claim_holds c).
  { intros c Hc. apply Holds, in_or_app. right. apply in_flat_map. now exists p. }
  assert (Given : all_given env (fst p)).
  { apply (number_given f k (gamma :: values) Hn Hz Hk (explored f)); trivial. intros c Hc. apply Holds, in_or_app. now left. }
  set (g := exploring_at f p) in *. assert (Hd' : all_given env (domain g)) by now apply given_app.
  assert (D : defined env (snd p)).
  { apply (use_said_defined g k (gamma :: values) Hn Hz Hk 0 0 (domain g)); trivial. intros c Hc.
    apply Hall', in_or_app. now left. }
  rewrite E in Hexplored.
  assert (Rate : value env (rate g) = value env (rate f)).
  { unfold g, exploring_at. cbn [rate numbers_of]. rewrite value_inside by (cbn; trivial; lia). now rewrite Hexplored. }
  destruct (some_choice g g k (gamma :: values)) as (n & Hin & Cn & Er & _ & _ & Ea); trivial.
  { intros c Hc. apply Hall', in_or_app. right. apply in_or_app. now left. }
  set (h := MarginData (within g (fst n)) (snd n) (gap_map g) (sharp_at g)).
  assert (Hh : In h (theorems_of_pieces g)).
  { exact (in_map (fun p => MarginData (within g (fst p)) (snd p) (gap_map g) (sharp_at g)) _ n Hin). }
  assert (Fit : exploring_fits h (snd p) = true).
  { apply (proj1 (forallb_forall _ _) Hf p) in Hp. exact (proj1 (forallb_forall _ _) Hp h Hh). }
  assert (Claims : forall c, In c (exploring_claims h (snd p)) -> claim_holds c).
  { intros c Hc. apply Hall'. rewrite !in_app_iff. do 2 right. apply in_flat_map. now exists h. }
  fold env in Er, Ea. rewrite Rate in Er. intros phi a. change (off_above f) with (off_above g). rewrite Ea, Er.
  assert (H := exploring_hold_at h (snd p) k (gamma :: values) Fit Claims Hn Hz (given_app _ _ _ Hd' Cn) Hk D).
  unfold at_rest in H. fold env in H. rewrite Hexplored in H. rewrite Er in Hrate. exact (H Hgamma Hrate).
Qed.
