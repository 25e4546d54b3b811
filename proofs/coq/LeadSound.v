(** * That some algorithm attains a constant with a softmax loss follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Convexity Derivatives Pieces Softmax SoftmaxSubgradients LogitSubgradients LogitJoins
  OptimalSets OptimalSoftmax.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

Section Sound.
  Variables (f : lead_statement expr) (k : R) (values : list R).
  Hypothesis fit : lead_fits f = true.
  Hypothesis claims : forall c, In c (claims_of_lead f) -> claim_holds c.
  Hypothesis places : length values = parameters f.
  Hypothesis whole : exists z, k = IZR z.
  Notation rest := (k :: values).
  Hypothesis claimed : all_given (0 :: 0 :: rest) (domain f).
  Hypothesis classes : classes_of (of_label f) k.

  Lemma fit_parts : loss_fits f = true /\ of_label f = Probable /\ of_no_margin (lead_constant f) = true /\
    of_no_margin (least f) = true /\ if_some of_no_margin (lead_far f) = true /\
    if_some (fun x => of_no_margin (fst x) && of_no_margin (snd x)) (point f) = true /\ length (joined f) = 1%nat.
  Proof using fit.
    unfold lead_fits in fit. do 6 (apply andb_true_iff in fit as [fit ?]). clear classes.
    repeat split; trivial; [now destruct (of_label f)|now apply Nat.eqb_eq].
  Qed.
  Notation label := (proj1 (proj2 fit_parts)).

  Ltac among := apply claims; unfold claims_of_lead; rewrite !in_app_iff.

  Lemma known : is_stated f k values.
  Proof using fit claims places whole claimed classes.
    split; trivial; [exact (proj1 fit_parts)|]. intros c Hc. among. right. now left.
  Qed.

  Notation line m := (m :: 0 :: rest).
  Notation Phi := (Phi f k values).
  Notation at_rest := (at_rest k values).
  Notation C := (at_rest (lead_constant f)).
  Notation Least := (at_rest (least f)).
  Notation use := (use f k values known).
  Notation in_domain := (in_domain f k values known).

  Lemma constant_claims d : In d (about_constant_of f (lead_constant f) (lead_far f)) -> claim_holds d.
  Proof using claims. intro H. among. now left. Qed.

  Notation constant_at := (constant_at (lead_constant f) k values (proj1 (proj2 (proj2 fit_parts)))).
  Notation constant_positive := (constant_positive f (lead_constant f) (lead_far f) k values known constant_claims).
  Notation far_or_given := (far_or_given f (lead_constant f) (lead_far f) k values known constant_claims
    (proj1 (proj2 (proj2 (proj2 (proj2 fit_parts)))))).

  Lemma least_at m s : eval (m :: s :: rest) (least f) = Least.
  Proof using fit. exact (proj1 (no_margin k values _ m s (proj1 (proj2 (proj2 (proj2 fit_parts)))))). Qed.

  (** Its only part is everywhere. *)
  Lemma only_part : exists p, joined f = [p] /\ forall m, 0 < m < 1 -> there k values p m /\ Phi m = eval (line m) (snd p).
  Proof using fit claims places whole claimed classes.
    apply (one_part f k values known); now apply fit_parts.
  Qed.

  Section Part.
    Variable p : part.
    Hypothesis only : joined f = [p].
    Hypothesis everywhere_there : forall m, 0 < m < 1 -> there k values p m /\ Phi m = eval (line m) (snd p).
    Notation e := (snd p).
    Notation psi m := (eval (line m) e).

    Lemma part_claim c : In c (about_least f e ++ about_hardest f e ++ about_lead f e) -> claim_holds c.
    Proof using claims only. intro H. among. do 2 right. rewrite only. cbn [flat_map]. now rewrite app_nil_r. Qed.

    Lemma free : without 1 e = true.
    Proof using fit claims places whole claimed classes only.
      apply (fit_loss f k values known p), joined_is_part. rewrite only. now left.
    Qed.

    Lemma least_holds r m : possible f m -> In r [(Ge, least f, Int 0); (Ge, e, least f)] -> rel_holds (line m) r.
    Proof using fit claims places whole claimed classes only.
      intros Hm [<-|[<-|[]]].
      - apply (use m 0 (domain f)); [|apply in_domain]. apply part_claim. now left.
      - apply (use m 0 (domain f ++ interval f)); [apply part_claim; right; now left|].
        apply given_app; [apply in_domain|now apply (in_interval f k values)].
    Qed.

    Lemma least_not_negative : 0 <= Least.
    Proof using fit claims places whole claimed classes only.
      assert (H := proj2 (proj2 (least_holds (Ge, least f, Int 0) (1 / 2) ltac:(intro; lra) (or_introl eq_refl)))).
      cbn [compares] in H. rewrite least_at in H. exact (Rge_le _ _ H).
    Qed.
    Lemma at_least m : 0 < m < 1 -> Least <= psi m.
    Proof using fit claims places whole claimed classes only.
      intro Hm.
      assert (H := proj2 (proj2 (least_holds (Ge, e, least f) m (at_probability f m Hm) (or_intror (or_introl eq_refl))))).
      cbn [compares] in H. rewrite least_at in H. exact (Rge_le _ _ H).
    Qed.

    Section Many.
      Hypothesis many : 3 <= k.

      Lemma many_given m : all_given (line m) (domain f ++ [(Ge, Var 2, Int 3)]).
      Proof using fit claims places whole claimed classes many.
        apply given_app; [apply in_domain|]. apply given_one. cbn. repeat split; lra.
      Qed.

      Lemma up_to_one m r : 0 < m <= 1 ->
        In (stated f ((domain f ++ [(Ge, Var 2, Int 3)]) ++ [(Gt, Var 0, Int 0); (Le, Var 0, Int 1)]) r) (about_hardest f e) ->
        rel_holds (line m) r.
      Proof using fit claims places whole claimed classes only many.
        intros Hm H. refine (use m 0 _ r (part_claim _ _) _).
        - apply in_or_app. right. apply in_or_app. left. exact H.
        - apply given_app; [apply many_given|]. repeat apply given_cons; [..|easy]; cbn; repeat split; lra.
      Qed.

      Lemma smooth_up_to_one m : 0 < m <= 1 -> smooth (line m) e.
      Proof using fit claims places whole claimed classes only many.
        intro Hm. apply smooth_needs_ok. intros r Hr. apply up_to_one; [exact Hm|]. apply in_or_app. left.
        now apply in_map.
      Qed.

      Lemma hardest x y : 0 < x <= y -> y < 1 -> (Phi y - Least) * (1 - x) <= (Phi x - Least) * (1 - y).
      Proof using fit claims places whole claimed classes only everywhere_there many.
        intros Hx Hy. destruct (everywhere_there x ltac:(lra)) as [_ ->], (everywhere_there y ltac:(lra)) as [_ ->].
        apply (hardest_from_curvature (fun m => psi m) (fun m => eval (line m) (derived e))
          (fun m => eval (line m) (derived (derived e)))); trivial.
        - intros m Hm. now apply (derivable_derived (0 :: rest)), smooth_up_to_one.
        - intros m Hm. now apply (derivable_derived (0 :: rest)), smooth_derived, smooth_up_to_one.
        - intros m Hm. refine (Rge_le _ _ (proj2 (proj2 (up_to_one m (Ge, derived (derived e), Int 0) Hm _)))).
          apply in_or_app. right. now left.
        - assert (H : rel_holds (line 0) (Le, substitute 0 (Int 1) e, least f)).
          { refine (use 0 0 _ _ (part_claim _ _) (many_given 0)). apply in_or_app. right. apply in_or_app. left.
            apply in_or_app. right. right. now left. }
          destruct H as (_ & _ & H). cbn [compares] in H. rewrite least_at in H.
          destruct (put_ok (line 0) 0 (Int 1) e) as [E _]; [simpl; lia|exact I|]. rewrite E in H. exact H.
      Qed.
    End Many.

    (** ** The criterion *)

    Lemma eval_above m : eval (line m) (above_half f e) = psi m - Least / 2.
    Proof using fit. unfold above_half, minus. cbn [eval]. rewrite least_at. lra. Qed.

    Lemma lead_claim c : In c (about_lead f e) -> claim_holds c.
    Proof using claims only. intro H. apply part_claim. do 2 (apply in_or_app; right). exact H. Qed.

    Lemma criterion_from_point q odds : point f = Some (q, odds) ->
      forall m, 1 / 2 - (Phi (sigmoid m) - Least / 2) - C * (m ^ 2 / 2) <= 0.
    Proof using fit claims places whole claimed classes only everywhere_there.
      intro E. destruct fit_parts as (_ & _ & _ & _ & _ & Free & _). rewrite E in Free. cbn [if_some fst snd] in Free.
      apply andb_true_iff in Free as [Fq Fo].
      assert (H : forall r, In (stated f (domain f) r) (about_lead f e) -> rel_holds (line 0) r).
      { intros r Hr. apply (use 0 0 (domain f)); [now apply lead_claim|apply in_domain]. }
      unfold about_lead in H. rewrite E in H.
      assert (Hlow := H (Gt, q, Int 0) (or_introl eq_refl)).
      assert (Hhigh := H (Lt, q, Int 1) (or_intror (or_introl eq_refl))).
      assert (Hodds := H _ (or_intror (or_intror (or_introl eq_refl)))).
      assert (Hsquare := H _ (or_intror (or_intror (or_intror (or_introl eq_refl))))). clear H.
      destruct Hlow as (Dq & _ & Hlow), Hhigh as (_ & _ & Hhigh), Hodds as (_ & _ & Hodds), Hsquare as (_ & _ & Hsquare).
      set (x := at_rest q) in *. change (eval (line 0) q) with x in Hlow, Hhigh.
      assert (Hx : 0 < x < 1) by (split; assumption).
      assert (Put : forall d, eval (line 0) (substitute 0 q d) = eval (line x) d).
      { intro d. destruct (put_ok (line 0) 0 q d) as [-> _]; [simpl; lia|exact Dq|reflexivity]. }
      cbn [compares] in Hodds, Hsquare. unfold over, minus in Hodds. cbn [eval] in Hodds.
      change (eval (line 0) q) with x in Hodds.
      assert (Hlogit : ln (eval (line 0) odds) = logit x).
      { rewrite Hodds. unfold logit. f_equal. field. lra. }
      unfold minus in Hsquare. cbn [eval] in Hsquare. rewrite !Put in Hsquare.
      rewrite !constant_at, Hlogit in Hsquare. change (eval (line 0) q) with x in Hsquare. rewrite eval_above in Hsquare.
      destruct (everywhere_there x Hx) as [Ht Ev].
      assert (Hg : logit_subgradient Phi x (slope_of k values p x)).
      { assert (T := logit_pieces_tangent _ _ (logit_pieces f k values known label) (logits_in_order f k values known)
          (probabilities_covered f k values known)). rewrite only in T. cbn [in_pieces map every] in T.
        exact (proj1 T x Hx Ht). }
      apply (criterion_from_a_point Phi Least C x _ constant_positive Hx Hg). rewrite Ev. unfold slope_of.
      replace (x * (1 - x)) with (x * (1 + -1 * x)) by ring. refine (Rle_trans _ _ _ Hsquare _). right. lra.
    Qed.

    Lemma criterion_from_claims : point f = None ->
      forall m, 1 / 2 - (Phi (sigmoid m) - Least / 2) - C * (m ^ 2 / 2) <= 0.
    Proof using fit claims places whole claimed classes only everywhere_there.
      intros E m. destruct (everywhere_there _ (sigmoid_range m)) as [_ ->].
      destruct (far_or_given m) as [Hfar|Hnear].
      { apply paid_by_the_lead; [|exact Hfar]. split; [exact least_not_negative|apply at_least, sigmoid_range]. }
      assert (H := proj2 (proj2 (use m 0 (domain f ++ near_of (lead_far f)) (Le, minus (minus (Rat 1 2)
        (of_lead (above_half f e))) (Mul (lead_constant f) (Mul (Rat 1 2) (Pow (Var 0) 2))), Int 0)
        ltac:(apply lead_claim; unfold about_lead; rewrite E; now left) (given_app _ _ _ (in_domain m 0) Hnear)))).
      cbn [compares] in H. unfold minus in H. cbn [eval nth] in H. rewrite constant_at in H. unfold of_lead in H.
      assert (Hexp := exp_pos (-1 * m)).
      destruct (put_ok (line m) 0 (Inv (Add (Int 1) (Exp (Mul (Int (-1)) (Var 0))))) (above_half f e)) as [Ev _];
        [simpl; lia|cbn; repeat split; lra|]. rewrite Ev in H. cbn [updated eval nth] in H.
      rewrite <- sigmoid_as_claimed, eval_above in H. lra.
    Qed.
  End Part.

  Theorem conditions_hold_at : exists a, attaining_softmax_conditions k Phi a C.
  Proof using fit claims places whole claimed classes.
    destruct only_part as (p & Hp & Hthere). exists Least. split.
    - exact (least_not_negative p Hp).
    - intros m Hm. destruct (Hthere m Hm) as [_ ->]. exact (at_least p Hp m Hm).
    - exact (logit_pieces_convex _ _ (logit_pieces f k values known label) (logits_in_order f k values known)
        (probabilities_covered f k values known)).
    - exact (probability_falls f k values known label).
    - exact constant_positive.
    - intros Hk. apply (hardest p Hp Hthere). destruct (two_or_many known) as [E|[E _]]; [contradiction|exact E].
    - destruct (point f) as [[q odds]|] eqn:E; [exact (criterion_from_point p Hp Hthere q odds E)|].
      exact (criterion_from_claims p Hp Hthere E).
  Qed.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem attained_lead f proofs : proves_lead f proofs = true -> forall k values, length values = parameters f ->
  (exists z, k = IZR z) -> Stated.every (0 :: 0 :: k :: values) (domain f) -> classes_of (of_label f) k ->
  let c := value (0 :: 0 :: k :: values) (lead_constant f) in
  let psi p := value (p :: 0 :: k :: values) (phi f) in
  exists a, attaining_softmax_conditions k psi a c.
Proof.
  intros [Hf Hc]%andb_true_iff k values Hn Hz Hd%Stated.every_given Hk c. assert (Hall := check_each_ok _ _ Hc).
  destruct (some_part_of (0 :: 0 :: k :: values) (lead_constant f)) as (p & Hp & Cp & Ep). unfold c. rewrite Ep.
  set (g := LeadData (within f (fst p)) (snd p) (least f) (point f) (lead_far f)).
  assert (Hg : In g (pieces_of_lead f)).
  { unfold pieces_of_lead. now apply (in_map (fun p => LeadData (within f (fst p)) (snd p) (least f) (point f) (lead_far f))). }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg).
  assert (Hall' : forall d, In d (claims_of_lead g) -> claim_holds d).
  { intros d Hin. apply Hall, in_or_app. right. apply in_flat_map. now exists g. }
  assert (Hd' : all_given (0 :: 0 :: k :: values) (domain g)).
  { apply given_app; [exact Hd|]. apply (number_given f k values Hn Hz Hk (lead_constant f)); trivial.
    intros d Hin. apply Hall, in_or_app. now left. }
  exact (conditions_hold_at g k values Fit Hall' Hn Hz Hd' Hk).
Qed.
