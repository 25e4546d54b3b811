(** * What is known of a theorem's numbers from the claims that are computed for them *)

Require Import Reals Lra ZArith List Bool.
From Gaptron Require Import Enclosures OptimalSets WrittenFunctions Obligations LossSound.
From Gaptron.kernel Require Import Terms Relations Certificate.
Import ListNotations.
Open Scope R_scope.

Definition regret_of (eta : R) (regret : option R) : R := match regret with None => 1 / (2 * eta) | Some c => c end.

Definition at_rest (k : R) (values : list R) (e : expr) : R := eval (0 :: 0 :: k :: values) e.

Lemma no_margin k values e m s : of_no_margin e = true -> eval (m :: s :: k :: values) e = at_rest k values e /\
  (defined (m :: s :: k :: values) e <-> defined (0 :: 0 :: k :: values) e).
Proof.
  intro H. apply andb_true_iff in H as [H0 H1]. destruct (second_is_free (k :: values) m s 0 e H1) as [-> ->].
  exact (first_is_free (k :: values) m 0 0 e H0).
Qed.

Definition step_of (l : label) (eta : R) : R := match l with Every => eta | _ => eta / 2 end.

Section Rates.
  Variables (f : loss_statement) (n : numbers expr) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Hypothesis fit : numbers_fit n = true.
  Hypothesis claims : forall c, In c (about_rates f n) -> claim_holds c.
  Notation line := (0 :: 0 :: k :: values).
  Notation at_rest := (at_rest k values).
  Notation Eta := (at_rest (rate n)).

  Lemma fit_numbers : of_no_margin (rate n) = true /\ if_some of_no_margin (regret n) = true /\
    if_some of_no_margin (cost n) = true /\ if_some of_no_margin (off_above n) = true.
  Proof using fit. unfold numbers_fit in fit. do 3 (apply andb_true_iff in fit as [fit ?]). repeat split; assumption. Qed.

  Lemma rate_holds r : In (stated f (domain f) r) (about_rates f n) -> rel_holds line r.
  Proof using known claims.
    intro H. exact (use f k values known 0 0 (domain f) r (claims _ H) (in_domain f k values known 0 0)).
  Qed.

  Lemma eta_positive : 0 < Eta.
  Proof using known claims. exact (proj2 (proj2 (rate_holds (Gt, rate n, Int 0) (or_introl eq_refl)))). Qed.

  Lemma step_at m s : eval (m :: s :: k :: values) (step f n) = step_of (of_label f) Eta.
  Proof using fit.
    assert (H := proj1 (no_margin k values (rate n) m s (proj1 fit_numbers))). unfold step, step_of. clear - H.
    destruct (of_label f); [exact H|..]; cbn [eval]; rewrite H; lra.
  Qed.

  Lemma regret_enough : 1 / (2 * Eta) <= regret_of Eta (option_map at_rest (regret n)).
  Proof using known claims.
    destruct (regret n) as [c|] eqn:E; cbn [option_map regret_of]; [|apply Rle_refl].
    destruct (rate_holds (Le, Inv (Mul (Int 2) (rate n)), c)) as (_ & _ & C).
    { unfold about_rates. rewrite E. right. apply in_or_app. left. now left. }
    unfold Rdiv. rewrite Rmult_1_l. exact C.
  Qed.

  Lemma cost_at m s : option_map (eval (m :: s :: k :: values)) (cost n) = option_map at_rest (cost n).
  Proof using fit.
    destruct fit_numbers as (_ & _ & H & _). destruct (cost n) as [c|]; [|reflexivity]. cbn in *.
    now destruct (no_margin k values c m s H) as [-> _].
  Qed.

  Lemma threshold_at b m s : (forall c, In c (about_threshold f n) -> claim_holds c) -> off_above n = Some b ->
    eval (m :: s :: k :: values) b = at_rest b /\ defined (m :: s :: k :: values) b.
  Proof using known fit.
    intros H E. destruct fit_numbers as (_ & _ & _ & Hb). rewrite E in Hb. cbn in Hb.
    destruct (no_margin k values b m s Hb) as [-> ->]. split; [reflexivity|].
    apply (use_defined f k values known 0 0 (domain f)); [|exact (in_domain f k values known 0 0)].
    unfold about_threshold in H. now rewrite E in H.
  Qed.

  Lemma threshold_holds c : In c (about_threshold f n) -> claim_holds c.
  Proof using claims. intro H. apply claims. right. apply in_or_app. now right. Qed.
End Rates.

(** A constant that some algorithm attains. *)
Section Constant.
  Variables (f : loss_statement) (c : expr) (far : option expr) (k : R) (values : list R).
  Hypothesis known : is_stated f k values.
  Hypothesis claims : forall d, In d (about_constant_of f c far) -> claim_holds d.
  Hypothesis free : of_no_margin c = true.
  Hypothesis free_far : if_some of_no_margin far = true.
  Notation C := (at_rest k values c).

  Lemma constant_at m s : eval (m :: s :: k :: values) c = C.
  Proof using free. exact (proj1 (no_margin k values c m s free)). Qed.

  Lemma constant_holds r : In (stated f (domain f) r) (about_constant_of f c far) -> rel_holds (0 :: 0 :: k :: values) r.
  Proof using known claims.
    intro H. exact (use f k values known 0 0 (domain f) r (claims _ H) (in_domain f k values known 0 0)).
  Qed.

  Lemma constant_positive : 0 < C.
  Proof using known claims. exact (proj2 (proj2 (constant_holds (Gt, c, Int 0) (or_introl eq_refl)))). Qed.

  (** Scores that are far apart, or near as the criterion's claims say. *)
  Lemma far_or_given m : 1 <= C * m ^ 2 \/ all_given (m :: 0 :: k :: values) (near_of far).
  Proof using known claims free_far.
    assert (Positive := constant_positive). assert (H := constant_holds). unfold near_of.
    destruct far as [b|]; [|right; intros r []]. cbn [if_some] in free_far.
    destruct (H (Ge, b, Int 0)) as (D & _ & Hb); [right; now left|].
    destruct (H (Ge, Mul c (Pow b 2), Int 1)) as (_ & _ & Hfar); [do 2 right; now left|].
    cbn [compares eval] in Hb, Hfar. destruct (no_margin k values b m 0 free_far) as [Eb Db].
    destruct (far_or_near C (at_rest k values b) m Positive (Rge_le _ _ Hb) (Rge_le _ _ Hfar)) as [Hm|[Hlow Hhigh]];
      [now left|right].
    apply given_cons; [|apply given_one]; cbn [rel_holds compares eval nth defined]; rewrite Eb, Db; repeat split; trivial.
    lra.
  Qed.
End Constant.

(** ** Numbers in pieces *)

Section Pieces.
  Variables (f : loss_statement) (n : numbers written) (k : R) (values : list R).
  Hypothesis claims : forall c, In c (flat_map (about_number f) (all_numbers n)) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation env := (0 :: 0 :: k :: values).
  Hypothesis claimed : all_given env (domain f).
  Hypothesis classes : classes_of (of_label f) k.

  Lemma some_piece_of g : In g (all_numbers n) ->
    exists p, In p (parts_of g) /\ all_given env (fst p) /\ value env g = eval env (snd p).
  Proof using claims places whole claimed classes.
    intro Hg. destruct (some_part_of env g) as (p & Hp & Hc & E). exists p. repeat split; trivial.
    apply (number_given f k values places whole classes g); trivial. intros c Hin. apply claims, in_flat_map. now exists g.
  Qed.

  Lemma some_option_of x : (forall g, x = Some g -> In g (all_numbers n)) ->
    exists p, In p (pieces_of x) /\ all_given env (fst p) /\ option_map (value env) x = option_map (eval env) (snd p).
  Proof using claims places whole claimed classes.
    intro H. destruct x as [g|]; [|exists ([], None); repeat split; [now left|intros r []]].
    destruct (some_piece_of g (H g eq_refl)) as (p & Hp & Hc & E). exists (fst p, Some (snd p)). cbn. rewrite E.
    repeat split; trivial. exact (in_map (fun p => (fst p, Some (snd p))) _ _ Hp).
  Qed.

  Lemma some_choice : exists p, In p (choices n) /\ all_given env (fst p) /\
    value env (rate n) = eval env (rate (snd p)) /\
    option_map (value env) (regret n) = option_map (eval env) (regret (snd p)) /\
    option_map (value env) (cost n) = option_map (eval env) (cost (snd p)) /\
    option_map (value env) (off_above n) = option_map (eval env) (off_above (snd p)).
  Proof using claims places whole claimed classes.
    destruct (some_piece_of (rate n)) as (r & Hr & Cr & Er); [now left|].
    destruct (some_option_of (regret n)) as (c & Hc & Cc & Ec), (some_option_of (cost n)) as (b & Hb & Cb & Eb),
      (some_option_of (off_above n)) as (a & Ha & Ca & Ea);
      try (intros x E; unfold all_numbers; rewrite E; right; rewrite !in_app_iff; cbn; tauto).
    exists (fst r ++ fst c ++ fst b ++ fst a, Numbers (snd a) (snd r) (snd c) (snd b)).
    split; [|repeat split; trivial; now repeat apply given_app].
    apply in_flat_map. exists r. split; trivial. apply in_flat_map. exists c. split; trivial. apply in_flat_map. exists b.
    split; trivial. apply in_map_iff. now exists a.
  Qed.
End Pieces.
