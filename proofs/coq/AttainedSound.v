(** * That some algorithm attains a constant follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Definitions Pieces OptimalSets OptimalMargin OptimalBinary.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron.kernel Require Import Terms Relations Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

Section Sound.
  Variables (f : attained_statement expr) (k : R) (values : list R).
  Hypothesis fit : attained_piece_fits f = true.
  Hypothesis claims : forall c, In c (claims_of_attained f) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.

  Notation line m := (m :: 0 :: rest).
  Notation C := (at_rest k values (constant f)).
  Notation Phi := (Phi f k values).

  Lemma fit_constant : loss_fits f = true /\ of_no_margin (constant f) = true /\ if_some of_no_margin (far f) = true.
  Proof using fit.
    unfold attained_piece_fits in fit. apply andb_true_iff in fit as [H _]. apply andb_true_iff in H as [H Hf].
    now apply andb_true_iff in H as [H Hc].
  Qed.

  Lemma known : is_known f k values.
  Proof using fit claims places whole claimed classes.
    split; [split; trivial; [exact (proj1 fit_constant)|]|].
    - intros c H. apply claims. unfold claims_of_attained. rewrite !in_app_iff. tauto.
    - intro E. unfold attained_piece_fits in fit. rewrite E, andb_true_iff in fit. now destruct fit, (other_label f) as [[]|].
  Qed.

  Lemma constant_claims d : In d (about_constant f) -> claim_holds d.
  Proof using claims. intro H. apply claims. unfold claims_of_attained. rewrite in_app_iff. now left. Qed.

  Notation constant_at := (constant_at (constant f) k values (proj1 (proj2 fit_constant))).
  Notation constant_positive := (constant_positive f (constant f) (far f) k values known constant_claims).
  Notation far_or_given :=
    (far_or_given f (constant f) (far f) k values known constant_claims (proj2 (proj2 fit_constant))).

  Notation K_share := ((k - 1) / k).
  Definition spread_at (m : R) : R := match of_label f with Every => K_share * m ^ 2 | _ => m ^ 2 end.

  Lemma eval_share m s : eval (m :: s :: rest) share = K_share.
  Proof using. unfold share, over, minus, Rdiv. cbn [eval nth]. ring. Qed.

  Lemma paid_when_far m : 1 <= C * m ^ 2 -> K_share - Phi m - C * spread_at m <= 0.
  Proof using fit claims places whole claimed classes.
    intro H. assert (Hpos := nonnegative f k values known m). unfold spread_at. assert (Hk := classes).
    assert (Margin := of_margin known). destruct (of_label f); cbn in Hk; [apply paid_from_far; trivial; lra|..|now elim Margin];
      (replace K_share with (1 / 2) by (rewrite Hk; lra)); lra.
  Qed.

  Lemma all_alike : (forall p, In p (joined f) -> claim_holds (about_alike f p)) ->
    forall m, K_share - Phi m - C * spread_at m <= 0.
  Proof using fit claims places whole claimed classes.
    intros Hall m. destruct (far_or_given m) as [Hfar|Hnear]; [now apply paid_when_far|].
    destruct (phi_is_joined f k values known m) as (p & Hp & Hm & ->).
    assert (H : rel_holds (line m) (Le, minus (minus share (snd p)) (Mul (constant f) (spread f)), Int 0)).
    { apply (use f k values known m 0 _ _ (Hall p Hp)). apply given_app; [now apply in_domain; exact known|].
      apply given_app; [exact Hnear|]. apply (there_holds f k values known); trivial. now apply joined_is_part. }
    destruct H as (_ & _ & H). cbn [compares] in H. revert H. unfold minus at 1 2. cbn [eval].
    rewrite eval_share, constant_at. replace (eval (line m) (spread f)) with (spread_at m); [lra|].
    unfold spread, spread_at. destruct (of_label f); cbn [eval nth]; rewrite ?eval_share; reflexivity.
  Qed.

  (** ** One weight vector *)

  Section Other.
    Variables (o : opposite_loss) (same : bool).
    Hypothesis other : other_label f = Some (o, same).
    Notation Opposed := (LossSound.Phi (opposed f o) k values).

    Lemma of_plus : of_label f = Upper /\ loss_fits (opposed f o) = true.
    Proof using fit claims places whole claimed classes other.
      unfold attained_piece_fits in fit. rewrite other in fit. apply andb_true_iff in fit as [_ H].
      now destruct (of_label f).
    Qed.

    Lemma is_two : k = 2.
    Proof using fit claims places whole claimed classes other. destruct of_plus as [E _]. now rewrite E in classes. Qed.

    Lemma other_claims c : In c (about_other_label f o same) -> claim_holds c.
    Proof using claims other.
      intro H. apply claims. unfold claims_of_attained. rewrite other, !in_app_iff. tauto.
    Qed.

    Lemma other_known : is_known (opposed f o) k values.
    Proof using fit claims places whole claimed classes other.
      split; [|easy]. split; trivial; [exact (proj2 of_plus)| |exact is_two]. intros c H. apply other_claims, in_or_app.
      now left.
    Qed.

    Lemma in_both_parts (about : part -> part -> claim) :
      (forall c, In c (flat_map (fun p => map (about p) (joined (opposed f o))) (joined f)) -> claim_holds c) ->
      forall p q, In p (joined f) -> In q (joined (opposed f o)) -> claim_holds (about p q).
    Proof using.
      intros H p q Hp Hq. apply H, in_flat_map. exists p. split; trivial. now apply in_map.
    Qed.

    Lemma two_criterion : same = false ->
      forall m s, 1 / 2 - (Phi m + Opposed s) / 2 - C * ((m + s) ^ 2 / 4) <= 0.
    Proof using fit claims places whole claimed classes other.
      intros Hno m s. destruct (phi_is_joined f k values known m) as (p & Hp & Hm & ->).
      destruct (phi_is_joined (opposed f o) k values other_known s) as (q & Hq & Hs & ->).
      assert (Hc : claim_holds (about_two f p q)).
      { apply (in_both_parts (about_two f)); trivial. intros c Hc. apply other_claims, in_or_app. right. now rewrite Hno. }
      assert (Hq' := joined_is_part (opposed f o) q Hq). assert (Fit := fit_loss _ k values other_known q Hq').
      assert (H := use f k values known m s _ _ Hc). cbn [rel_holds] in H. destruct H as (_ & _ & H).
      { apply given_app; [now apply in_domain; exact known|]. apply given_app.
        - apply (lifted f k values known); trivial. now apply joined_is_part.
        - intros r Hr. apply in_map_iff in Hr as (r' & <- & Hr).
          apply relation_at_second_ok; [exact (closure_without _ k values other_known q r' Hq' Hr)|].
          now apply (there_holds _ k values other_known q). }
      revert H. unfold minus. cbn [compares eval nth]. destruct (at_second_ok rest m s (snd q) (proj2 Fit)) as [-> _].
      rewrite constant_at. assert (Fit' := fit_loss f k values known p (joined_is_part f p Hp)).
      destruct (second_is_free rest m s 0 (snd p) (proj2 Fit')) as [-> _]. lra.
    Qed.

    Lemma same_loss : same = true -> forall m, Opposed m = Phi m.
    Proof using fit claims places whole claimed classes other.
      intros Hyes. apply (same_losses f (opposed f o) k values known other_known).
      intros c Hc. apply other_claims, in_or_app. right. now rewrite Hyes.
    Qed.

    Lemma one_criterion : same = true -> forall m, 1 / 2 - Phi m - C * m ^ 2 <= 0.
    Proof using fit claims places whole claimed classes other.
      intros Hyes m. assert (H := all_alike). specialize H with (m := m). unfold spread_at in H.
      rewrite (proj1 of_plus) in H. replace K_share with (1 / 2) in H by (rewrite is_two; lra). apply H.
      intros p Hp. apply claims. unfold claims_of_attained. rewrite other, Hyes, !in_app_iff. do 3 right. now apply in_map.
    Qed.

    Theorem attained_by_both :
      attaining_binary_conditions Phi (fun z => value (z :: 0 :: rest) (minus_loss o)) C.
    Proof using fit claims places whole claimed classes other.
      set (minus := fun z => value (z :: 0 :: rest) (minus_loss o)).
      assert (Turned : forall m, Opposed m = minus (- m)) by (intro; apply opposed_loss).
      assert (Back : forall z, minus z = Opposed (- z)) by (intro; now rewrite Turned, Ropp_involutive).
      assert (Convex := pieces_convex _ _ (all_pieces f k values known) (covered f k values known)).
      split; trivial.
      - exact (nonnegative f k values known).
      - intro z. rewrite Back. apply (nonnegative _ k values other_known).
      - apply (opposite_convex minus Opposed Turned).
        exact (pieces_convex _ _ (all_pieces _ k values other_known) (covered _ k values other_known)).
      - exact constant_positive.
      - assert (Two := two_criterion). assert (One := one_criterion). assert (Same := same_loss). destruct same.
        + apply mirrored_criterion; auto. intro z. rewrite Back. now apply Same.
        + intros u v. rewrite Back. specialize (Two eq_refl u (- v)). lra.
    Qed.
  End Other.

  Theorem attained_by_margin : other_label f = None -> attaining_margin_conditions k Phi C.
  Proof using fit claims places whole claimed classes.
    intro E. assert (HL : of_label f = Every).
    { clear - fit E. unfold attained_piece_fits in fit. rewrite E in fit. apply andb_true_iff in fit as [_ H].
      now destruct (of_label f). }
    split.
    - exact (nonnegative f k values known).
    - exact (pieces_convex _ _ (all_pieces f k values known) (covered f k values known)).
    - exact (nonincreasing f k values known).
    - exact constant_positive.
    - assert (H := all_alike). unfold spread_at in H. rewrite HL in H. apply H. intros p Hp. apply claims.
      unfold claims_of_attained. rewrite E, !in_app_iff. do 2 right. now apply in_map.
  Qed.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem attained f proofs : proves_attained f proofs = true -> forall k values, length values = parameters f ->
  (exists z, k = IZR z) -> Stated.every (0 :: 0 :: k :: values) (domain f) -> classes_of (of_label f) k ->
  let c := value (0 :: 0 :: k :: values) (constant f) in
  let phi m := value (m :: 0 :: k :: values) (phi f) in
  match other_label f with
  | None => attaining_margin_conditions k phi c
  | Some (o, _) => attaining_binary_conditions phi (fun z => value (z :: 0 :: k :: values) (minus_loss o)) c
  end.
Proof.
  intros [Hf Hc]%andb_true_iff k values Hn Hz Hd%Stated.every_given Hk c. assert (Hall := check_each_ok _ _ Hc).
  destruct (some_part_of (0 :: 0 :: k :: values) (constant f)) as (p & Hp & Cp & Ep). unfold c. rewrite Ep.
  set (g := AttainedData (within f (fst p)) (other_label f) (snd p) (far f)).
  assert (Hg : In g (pieces_of_attained f)).
  { unfold pieces_of_attained. now apply (in_map (fun p => AttainedData (within f (fst p)) (other_label f) (snd p) (far f))). }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg).
  assert (Hall' : forall d, In d (claims_of_attained g) -> claim_holds d).
  { intros d Hin. apply Hall, in_or_app. right. apply in_flat_map. now exists g. }
  assert (Hd' : all_given (0 :: 0 :: k :: values) (domain g)).
  { apply given_app; [exact Hd|]. apply (number_given f k values Hn Hz Hk (constant f)); trivial.
    intros d Hin. apply Hall, in_or_app. now left. }
  destruct (other_label f) as [[o same]|] eqn:E.
  - exact (attained_by_both g k values Fit Hall' Hn Hz Hd' Hk o same eq_refl).
  - exact (attained_by_margin g k values Fit Hall' Hn Hz Hd' Hk eq_refl).
Qed.
