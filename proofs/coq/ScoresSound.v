(** * That some algorithm attains a constant with a loss of all scores follows from the claims that are computed for it *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Enclosures Definitions Convexity Derivatives Pieces Joins OptimalAllScores.
From Gaptron Require Import WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron.kernel Require Import Terms Relations Motion Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

(** ** The root of a convex function in pieces *)

Lemma every_of {A : Type} (C : A -> R -> Prop) (slope : A -> R -> R) (P : (R -> Prop) -> (R -> R) -> Prop) ps :
  every P (map (fun p => (C p, slope p)) ps) <-> forall p, In p ps -> P (C p) (slope p).
Proof.
  induction ps as [|q ps IH]; cbn; [now split|]. rewrite IH. split; [intros [Hq H] p [<-|Hp]; auto|auto].
Qed.

Section Root.
  Variables (f : loss_statement) (k : R) (values : list R).
  Hypothesis known : is_known f k values.
  Notation at_ m e := (eval (m :: 0 :: k :: values) e).
  Notation Phi := (Phi f k values).
  Notation there := (there k values).
  Hypothesis bends : forall p m, In p (joined f) -> there p m -> 0 <= m ->
    at_ m (derived (snd p)) ^ 2 <= 2 * (at_ m (snd p) * at_ m (derived (derived (snd p)))).

  (** A little above zero it has derivatives. *)
  Section Above.
    Variable e : R.
    Hypothesis above : 0 < e.

    Definition root (m : R) : R := sqrt (Phi m + e).
    Definition region (p : part) (m : R) : Prop := 0 <= m /\ there p m.
    Definition slope_of_root (p : part) (m : R) : R := slope_of k values p m * / (2 * sqrt (at_ m (snd p) + e)).
    Definition pieces_of_root : pieces := map (fun p => (region p, slope_of_root p)) (joined f).

    Lemma positive_there p m : In p (joined f) -> there p m -> 0 < at_ m (snd p) + e /\ 0 < sqrt (at_ m (snd p) + e).
    Proof using known above.
      intros Hp Hm. assert (H := nonnegative f k values known m). rewrite (value_there f k values known p m Hp Hm) in H.
      assert (0 < at_ m (snd p) + e) by lra. split; [assumption|now apply sqrt_lt_R0].
    Qed.

    Lemma smooth_root p : In p (joined f) -> smooth_piece root (region p) (slope_of_root p).
    Proof using known above bends.
      intro Hp. split.
      - apply closed_and; [apply (closed_le (fun _ => 0) (fun m => m)); intro; [apply continuity_const; now intros ? ?|]|].
        + apply derivable_continuous_pt, derivable_pt_id.
        + now apply (there_closed f k values known), joined_is_part.
      - exists (fun m => sqrt (at_ m (snd p) + e)). intros m [_ Hm]. split.
        + unfold root. now rewrite (value_there f k values known p m Hp Hm).
        + destruct (slope_derivable f k values known p m (always f k values known m) Hp Hm) as [D _].
          destruct (positive_there p m Hp Hm) as [Pos _].
          refine (derive_equal _ _ _ _ (derive_sqrt (fun m => at_ m (snd p) + e) m (slope_of k values p m + 0) _ Pos) _).
          * apply (derivable_pt_lim_plus (fun m => at_ m (snd p)) (fun _ => e)); [exact D|apply derivable_pt_lim_const].
          * unfold slope_of_root. ring.
      - exists (fun m => let g := at_ m (snd p) + e in let s := slope_of k values p m in
          (2 * (g * at_ m (derived (derived (snd p)))) - s ^ 2) * / (4 * (sqrt g * g))).
        intros m [Hpos Hm]. destruct (slope_derivable f k values known p m (always f k values known m) Hp Hm) as [D D'].
        destruct (positive_there p m Hp Hm) as [Pos Root]. cbv zeta. set (g := at_ m (snd p) + e) in *. split.
        + refine (derive_equal _ _ _ _ (derivable_pt_lim_mult (slope_of k values p)
            (fun m => / (2 * sqrt (at_ m (snd p) + e))) m _ (- (2 * (/ (2 * sqrt g) * slope_of k values p m)) / (2 * sqrt g) ^ 2)
            D' _) _).
          * assert (R : derivable_pt_lim (fun m => 2 * sqrt (at_ m (snd p) + e)) m (2 * (/ (2 * sqrt g) * slope_of k values p m))).
            { apply derivable_pt_lim_scal. apply (derive_sqrt (fun m => at_ m (snd p) + e)); [|exact Pos].
              replace (slope_of k values p m) with (slope_of k values p m + 0) by ring.
              apply (derivable_pt_lim_plus (fun m => at_ m (snd p)) (fun _ => e)); [exact D|apply derivable_pt_lim_const]. }
            assert (N : 2 * sqrt g <> 0) by lra.
            assert (I := derivable_pt_lim_div (fun _ => 1) _ m 0 _ (derivable_pt_lim_const 1 m) R N).
            unfold div_fct in I. cbv beta in I. fold g in I.
            refine (derive_equal _ _ _ _ _ _).
            { intros eps Heps. destruct (I eps Heps) as [delta Hdelta]. exists delta. intros h Hh Hd.
              specialize (Hdelta h Hh Hd). unfold Rdiv in *. rewrite !Rmult_1_l in Hdelta. exact Hdelta. }
            unfold Rsqr. field. exact (Rgt_not_eq _ _ Root).
          * assert (E : g = sqrt g * sqrt g) by (symmetry; apply sqrt_sqrt; lra). fold g.
            set (r := sqrt g) in *. set (b := at_ m (derived (derived (snd p)))). set (s := slope_of k values p m).
            rewrite E. field. lra.
        + assert (B := bends p m Hp Hm Hpos). change (at_ m (derived (snd p))) with (slope_of k values p m) in B.
          assert (P := bend_at f k values known p m (always f k values known m) Hp Hm). unfold bend in P.
          assert (L := of_margin known). assert (P' : 0 <= at_ m (derived (derived (snd p)))) by (destruct (of_label f); trivial; now elim L).
          apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; assert (0 < sqrt g * g) by (now apply Rmult_lt_0_compat); lra].
          assert (0 <= e * at_ m (derived (derived (snd p)))) by (apply Rmult_le_pos; lra). unfold g. lra.
    Qed.

    Lemma roots_in_order : in_order everywhere pieces_of_root.
    Proof using known above.
      assert (H := ordered f k values known). unfold pieces_of_root, in_pieces in *.
      assert (Incl : incl (joined f) (joined f)) by (now intros x). revert H Incl. generalize (joined f) at 1 2 4 as ps.
      induction ps as [|p ps IH]; [easy|]. cbn [map in_order]. intros [Hafter Hps] Incl.
      split; [|apply IH; [exact Hps|intros x Hx; apply Incl; now right]].
      unfold after in *. apply every_of. intros q Hq m b _ _ [_ Hm] [_ Hb].
      assert (A := proj1 (every_of there (slope_of k values) _ ps) Hafter q Hq m b
        (always f k values known m) (always f k values known b) Hm Hb).
      split; [exact (proj1 A)|]. intros <-. assert (Le := proj2 A eq_refl). unfold slope_of_root.
      assert (Ip := Incl p (or_introl eq_refl)). assert (Iq := Incl q (or_intror Hq)).
      destruct (positive_there p m Ip Hm) as [_ Root]. revert Root.
      rewrite <- (value_there f k values known p m Ip Hm), <- (value_there f k values known q m Iq Hb). intro Root.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact Le].
    Qed.

    Lemma root_touched m : 0 <= m -> exists g, touches pieces_of_root m g.
    Proof using known.
      intro Hm. apply covers_touches. destruct (phi_is_joined f k values known m) as (p & Hp & Ht & _).
      unfold covers, pieces_of_root. clear - Hp Ht Hm. induction (joined f) as [|q ps IH]; cbn; [easy|].
      destruct Hp as [->|Hp]; [left; exact (conj Hm Ht)|right; now apply IH].
    Qed.

    Lemma root_halfway u v : 0 <= u -> u < v -> 2 * root ((u + v) / 2) <= root u + root v.
    Proof using known above bends.
      intros Hu Huv. assert (Smooth : every (smooth_piece root) pieces_of_root) by (apply every_of; exact smooth_root).
      destruct (root_touched u Hu) as [g Tu]. destruct (root_touched ((u + v) / 2) ltac:(lra)) as [h Tw].
      destruct (root_touched v ltac:(lra)) as [i Tv].
      assert (Covered : forall x, 0 <= x -> covers pieces_of_root x).
      { intros x Hx. destruct (root_touched x Hx) as [j Tx]. exact (touches_covers _ _ _ Tx). }
      destruct (joined_bends_upward root _ Smooth roots_in_order u ((u + v) / 2) g h) as (_ & _ & H1); trivial; [lra| |].
      { intros x Hx. apply Covered. lra. }
      destruct (joined_bends_upward root _ Smooth roots_in_order ((u + v) / 2) v h i) as (_ & H2 & _); trivial; [lra| |].
      { intros x Hx. apply Covered. lra. }
      lra.
    Qed.
  End Above.

  Lemma root_bends_upward u v : 0 <= u -> 0 <= v -> 2 * sqrt (Phi ((u + v) / 2)) <= sqrt (Phi u) + sqrt (Phi v).
  Proof using known bends.
    assert (H : forall u v, 0 <= u -> u < v -> 2 * sqrt (Phi ((u + v) / 2)) <= sqrt (Phi u) + sqrt (Phi v)).
    { clear u v. intros u v Hu Huv. apply Rnot_lt_le. intro Less.
      set (d := 2 * sqrt (Phi ((u + v) / 2)) - (sqrt (Phi u) + sqrt (Phi v))). assert (Hd : 0 < d) by (unfold d; lra).
      assert (N := nonnegative f k values known). assert (He : 0 < (d / 4) ^ 2) by (apply pow_lt; lra).
      assert (Half := root_halfway ((d / 4) ^ 2) He u v Hu Huv). unfold root in Half.
      assert (Below : sqrt (Phi ((u + v) / 2)) <= sqrt (Phi ((u + v) / 2) + (d / 4) ^ 2)) by (apply sqrt_le_1_alt; lra).
      assert (Most : forall w, sqrt (Phi w + (d / 4) ^ 2) <= sqrt (Phi w) + d / 4).
      { intro w. assert (S := sqrt_pos (Phi w)). apply Rle_trans with (sqrt ((sqrt (Phi w) + d / 4) ^ 2)).
        - apply sqrt_le_1_alt. rewrite <- (sqrt_sqrt (Phi w) (N w)) at 1. assert (0 <= sqrt (Phi w) * d) by (apply Rmult_le_pos; lra).
          lra.
        - rewrite <- Rsqr_pow2, sqrt_Rsqr by lra. lra. }
      assert (Mu := Most u). assert (Mv := Most v). unfold d in *. lra. }
    intros Hu Hv. destruct (Rtotal_order u v) as [L|[<-|L]]; [exact (H u v Hu L)| |].
    - replace ((u + u) / 2) with u by lra. lra.
    - replace ((u + v) / 2) with ((v + u) / 2) by lra. rewrite (Rplus_comm (sqrt _)). exact (H v u Hv L).
  Qed.
End Root.

(** ** The criterion *)

Lemma share_of_one n e : 2 <= n -> e <= 0 \/ (n - 1) / n * e <= e.
Proof.
  intro Hn. destruct (Rle_lt_dec e 0) as [H|H]; [now left|right]. assert (0 < / n) by (apply Rinv_0_lt_compat; lra).
  replace ((n - 1) / n * e) with (e - / n * e) by (field; lra). assert (0 < / n * e) by (now apply Rmult_lt_0_compat). lra.
Qed.

(** [e] is what is left to pay. *)
Lemma paid_by_scores n k q r a c s : 2 <= n <= k -> 0 <= q -> 0 <= r -> 0 <= a ->
  (a = 0 /\ r = 0 /\ 1 - q - c * s <= 0) \/ (a = 0 /\ q = 0 /\ 1 - 2 * r - c * s <= 0) \/
  n - 1 - n * (q + ((n - 1) * r + (k - n) * a)) - (n - 1) * (c * s) <= 0 ->
  (n - 1) / n <= q + (n - 1) * r + (k - n) * a + c * ((n - 1) / n * s).
Proof.
  intros Hn Hq Hr Ha H. assert (Hi : 0 < / n) by (apply Rinv_0_lt_compat; lra).
  assert (Hs : 0 <= (n - 1) / n) by (apply Rmult_le_pos; lra).
  replace ((n - 1) / n) with ((n - 1) / n * (1 - c * s) + c * ((n - 1) / n * s)) at 1 by (field; lra).
  apply Rplus_le_compat_r. destruct H as [(-> & -> & H)|[(-> & -> & H)|H]].
  - destruct (share_of_one n (1 - c * s)) as [N|N]; [lra| |lra].
    assert ((n - 1) / n * (1 - c * s) <= (n - 1) / n * 0) by (now apply Rmult_le_compat_l). lra.
  - apply Rle_trans with ((n - 1) / n * (2 * r)); [apply Rmult_le_compat_l; lra|].
    replace ((n - 1) / n * (2 * r)) with ((n - 1) * r - (n - 1) * r * (n - 2) * / n) by (field; lra).
    assert (0 <= (n - 1) * r * (n - 2) * / n) by (repeat apply Rmult_le_pos; lra). lra.
  - apply Rmult_le_reg_l with n; [lra|]. replace (n * ((n - 1) / n * (1 - c * s))) with ((n - 1) * (1 - c * s)) by (field; lra).
    lra.
Qed.

Lemma is_zero_ok env e : is_zero e = true -> eval env e = 0.
Proof.
  induction e; cbn; intro H; try discriminate.
  - now apply Z.eqb_eq in H as ->.
  - apply andb_true_iff in H as [Ha Hb]. rewrite IHe1, IHe2 by assumption. ring.
  - apply orb_true_iff in H as [Ha|Hb]; [rewrite IHe1 by assumption|rewrite IHe2 by assumption]; ring.
Qed.

Section Sound.
  Variables (f : scored_statement expr) (k : R) (values : list R).
  Hypothesis fit : scored_fits f = true.
  Hypothesis claims : forall c, In c (claims_of_scored f) -> claim_holds c.
  Hypothesis places : S (S (length values)) = parameters f.
  Hypothesis classes : 2 <= k.
  Hypothesis claimed : forall n, 2 <= n <= k -> all_given (0 :: 0 :: 2 :: k :: n :: values) (domain f).

  Notation line n m s := (m :: s :: 2 :: k :: n :: values).
  Notation two := (conj (Rle_refl 2) classes).

  Lemma fit_parts : (loss_fits f = true /\ forallb without_count (loss_parts f) = true) /\
    (of_no_margin (constant f) = true /\ without 4 (constant f) = true) /\ if_some of_no_margin (far f) = true /\
    (of_no_margin (lowest f) = true /\ without 4 (lowest f) = true) /\ of_label f = Upper.
  Proof using fit.
    unfold scored_fits, scored_loss_fits in fit. clear - fit. rewrite !andb_true_iff in fit.
    destruct fit as [[[[[[[[Hl Hp] Hc] Hn] Hf] Hw] Hm] L] _]. repeat split; trivial. now destruct (of_label f).
  Qed.

  Lemma fit_other o same : other_label f = Some (o, same) ->
    (loss_fits (opposed f o) = true /\ forallb without_count (loss_parts (opposed f o)) = true) /\
    (same = true -> is_zero (lowest f) = true).
  Proof using fit.
    intro E. unfold scored_fits, scored_loss_fits in fit. apply andb_true_iff in fit as [_ H]. rewrite E in H.
    apply andb_true_iff in H as [H Z]. apply andb_true_iff in H. split; [exact H|]. now intros ->.
  Qed.

  (** ** No function knows how many labels are alike *)

  Lemma count_is_free n n' m s e : without 4 e = true ->
    eval (line n m s) e = eval (line n' m s) e /\ (defined (line n m s) e <-> defined (line n' m s) e).
  Proof using. intro H. apply (free_same (line n m s) 4 ltac:(clear; simpl; lia) n n' e H). Qed.

  Lemma there_for_all n g p m : forallb without_count (loss_parts g) = true -> In p (joined g) ->
    there 2 (k :: 2 :: values) p m ->
    there 2 (k :: n :: values) p m /\ eval (line n m 0) (snd p) = eval (line 2 m 0) (snd p).
  Proof using.
    intros H Hp Ht. apply (proj1 (forallb_forall _ _)) with (x := p) in H; [|now apply joined_is_part].
    apply andb_true_iff in H as [Hc He]. split; [|exact (proj1 (count_is_free n 2 m 0 _ He))].
    unfold there, inside in *. rewrite Forall_forall in *. intros r Hr. specialize (Ht r Hr).
    apply in_map_iff in Hr as (r' & <- & Hr). apply (proj1 (forallb_forall _ _) Hc) in Hr. rewrite <- closed_without in Hr.
    destruct (closed_relation r') as [[sg a] b]. unfold rel_without in Hr. cbn in Hr. apply andb_true_iff in Hr as [Ha Hb].
    cbn [meets_relation] in *.
    now rewrite (proj1 (count_is_free n 2 m 0 a Ha)), (proj1 (count_is_free n 2 m 0 b Hb)).
  Qed.

  (** ** What is known *)

  Lemma about_constant_holds c : In c (about_constant f) -> claim_holds c.
  Proof using claims. intro H. apply claims. unfold claims_of_scored. apply in_or_app. now left. Qed.

  Lemma known n : 2 <= n <= k -> is_known f 2 (k :: n :: values).
  Proof using fit claims places claimed.
    intro Hn. destruct fit_parts as ((Fit & _) & _ & _ & _ & L). split; [split|now rewrite L]; trivial.
    - intros c Hc. apply claims. unfold claims_of_scored. rewrite !in_app_iff. tauto.
    - now exists 2%Z.
    - exact (claimed n Hn).
    - now rewrite L.
  Qed.

  Notation C := (eval (line 2 0 0) (constant f)).
  Notation Least := (eval (line 2 0 0) (lowest f)).
  Notation Own := (Phi f 2 (k :: 2 :: values)).

  Lemma number_at n m s e : of_no_margin e = true -> without 4 e = true -> eval (line n m s) e = eval (line 2 0 0) e.
  Proof using.
    intros H H'. rewrite (proj1 (no_margin 2 (k :: n :: values) e m s H)). exact (proj1 (count_is_free n 2 0 0 e H')).
  Qed.
  Lemma constant_at n m s : eval (line n m s) (constant f) = C.
  Proof using fit. apply number_at; apply fit_parts. Qed.
  Lemma lowest_at n m s : eval (line n m s) (lowest f) = Least.
  Proof using fit. apply number_at; apply fit_parts. Qed.

  Lemma constant_pays : 0 < C.
  Proof using fit claims places classes claimed.
    exact (constant_positive f (constant f) (far f) 2 (k :: 2 :: values) (known 2 two) about_constant_holds).
  Qed.

  Lemma far_or_near_at n m : 2 <= n <= k -> 1 <= C * m ^ 2 \/ all_given (line n m 0) (near f).
  Proof using fit claims places classes claimed.
    intro Hn. destruct (far_or_given f (constant f) (far f) 2 (k :: n :: values) (known n Hn) about_constant_holds) with (m := m)
      as [H|H]; [apply fit_parts|left|now right]. change (at_rest 2 (k :: n :: values) (constant f)) with (eval (line n 0 0) (constant f)) in H.
    now rewrite constant_at in H.
  Qed.

  Lemma convex_own m : exists g, subgradient Own m g.
  Proof using fit claims places classes claimed.
    exact (pieces_convex _ _ (all_pieces f _ _ (known 2 two)) (covered f _ _ (known 2 two)) m).
  Qed.
  Lemma own_nonnegative m : 0 <= Own m.
  Proof using fit claims places classes claimed. exact (nonnegative f _ _ (known 2 two) m). Qed.

  (** Of a loss that is the rivals'. *)
  Lemma lowest_holds g : (forall n, 2 <= n <= k -> is_known g 2 (k :: n :: values)) ->
    (forall c, In c (about_lowest f g) -> claim_holds c) -> 0 <= Least /\ forall m, Least <= Phi g 2 (k :: 2 :: values) m.
  Proof using fit claims places classes claimed.
    intros Kg H. assert (K2 := known 2 two). split.
    - assert (A := proj2 (proj2 (use f _ _ K2 0 0 _ _ (H _ (or_introl eq_refl)) (in_domain f _ _ K2 0 0)))). exact (Rge_le _ _ A).
    - intro m. destruct (phi_is_joined g _ _ (Kg 2 two) m) as (p & Hp & Hm & ->).
      assert (A := use f _ _ K2 m 0 _ _ (H _ (or_intror (in_map _ _ _ Hp)))). destruct A as (_ & _ & A).
      + apply given_app; [exact (in_domain f _ _ K2 m 0)|]. apply (there_holds g _ _ (Kg 2 two)); trivial. now apply joined_is_part.
      + cbn [compares] in A. rewrite (lowest_at 2 m 0) in A. exact (Rge_le _ _ A).
  Qed.

  Lemma said_of_scores n m s given mine rival squared : 2 <= n <= k ->
    claim_holds (about_scores f given mine rival squared) -> all_given (line n m s) given -> 0 <= Least ->
    0 <= eval (line n m s) mine -> 0 <= eval (line n m s) rival ->
    (n - 1) / n <= eval (line n m s) mine + (n - 1) * eval (line n m s) rival + (k - n) * Least
      + C * ((n - 1) / n * eval (line n m s) squared).
  Proof using fit claims places claimed.
    intros Hn Hc Hg Ha Hq Hr. apply paid_by_scores; trivial. unfold about_scores in Hc. revert Hc.
    assert (Hall : all_given (line n m s) (given ++ [(Ge, Var 4, Int 2); (Le, Var 4, Var 3)])).
    { apply given_app; [exact Hg|]. apply given_cons; [|apply given_one]; cbn; repeat split; lra. }
    destruct (is_zero (lowest f)) eqn:Zl.
    1: assert (Zero := is_zero_ok (line 2 0 0) _ Zl).
    1: destruct (is_zero rival) eqn:Zr; [assert (Rival := is_zero_ok (line n m s) _ Zr)|
         destruct (is_zero mine) eqn:Zm; [assert (Mine := is_zero_ok (line n m s) _ Zm)|]].
    all: cbn [andb]; intro Hc; assert (A := fun H => proj2 (proj2 (use f _ _ (known n Hn) m s _ _ Hc H)));
      (specialize (A Hg) || specialize (A Hall)); revert A; cbn [compares]; unfold minus; cbn [eval nth];
      rewrite constant_at, ?lowest_at; intro A.
    - left. repeat split; trivial. lra.
    - right. left. repeat split; trivial. lra.
    - do 2 right. lra.
    - do 2 right. lra.
  Qed.

  (** ** Of pairs *)

  Theorem pairs_attain : other_label f = None -> attaining_pairs_conditions k Own C.
  Proof using fit claims places classes claimed.
    intro E. assert (More : forall c, In c (about_lowest f f ++ map (about_pair f) (joined f)) -> claim_holds c).
    { intros c Hc. apply claims. unfold claims_of_scored. rewrite E, !in_app_iff in *. tauto. }
    destruct (lowest_holds f known) as [La Lp]; [intros c Hc; apply More, in_or_app; now left|]. split.
    - exact of_nothing.
    - exact (of_difference _ convex_own).
    - intros. lra.
    - intros. apply own_nonnegative.
    - exact constant_pays.
    - exists Least. split; [intros; apply Lp|]. intros n Hn A B.
      destruct (phi_is_joined f _ _ (known 2 two) (A - B)) as (p & Hp & Hm & Ev).
      destruct (there_for_all n f p (A - B) (proj2 (proj1 fit_parts)) Hp Hm) as [Hn' Ep]. rewrite <- Ep in Ev.
      assert (Pos := own_nonnegative (A - B)).
      destruct (far_or_near_at n (A - B) Hn) as [Far|Near].
      { apply paid_by_scores; trivial; [lra|]. do 2 right. assert (0 <= (n - 1) * (C * (A - B) ^ 2 - 1)) by (apply Rmult_le_pos; lra).
        assert (0 <= n * (0 + ((n - 1) * Own (A - B) + (k - n) * Least))); [|lra].
        apply Rmult_le_pos; [lra|]. assert (0 <= (n - 1) * Own (A - B)) by (apply Rmult_le_pos; lra).
        assert (0 <= (k - n) * Least) by (apply Rmult_le_pos; lra). lra. }
      rewrite Ev. refine (said_of_scores n (A - B) 0 _ (Int 0) (snd p) (Pow (Var 0) 2) Hn _ _ La _ _).
      + apply More, in_or_app. right. exact (in_map (about_pair f) _ _ Hp).
      + apply given_app; [exact (in_domain f _ _ (known n Hn) _ 0)|]. apply given_app; [exact Near|].
        apply (there_holds f _ _ (known n Hn)); trivial. now apply joined_is_part.
      + cbn. lra.
      + now rewrite <- Ev.
  Qed.

  (** ** Of single scores *)

  Section Each.
    Variables (o : opposite_loss) (same : bool).
    Hypothesis other : other_label f = Some (o, same).
    Notation g := (opposed f o).
    Notation Opposed := (Phi g 2 (k :: 2 :: values)).
    Notation Other t := (value (line 2 t 0) (minus_loss o)).

    Lemma other_claims c : In c (claims_of_loss g ++ about_lowest f g ++
      if same then flat_map (fun p => map (about_same f p) (joined g)) (joined f) ++ flat_map (about_opposite f) (joined f)
      else flat_map (fun p => map (about_each f p) (joined g)) (joined f)) -> claim_holds c.
    Proof using claims other. intro H. apply claims. unfold claims_of_scored. rewrite other. apply in_or_app. right. apply in_or_app. now right. Qed.

    Lemma other_known n : 2 <= n <= k -> is_known g 2 (k :: n :: values).
    Proof using fit claims places claimed other.
      intro Hn. split; [|easy]. split; trivial.
      - exact (proj1 (proj1 (fit_other o same other))).
      - intros c Hc. apply other_claims, in_or_app. now left.
      - now exists 2%Z.
      - exact (claimed n Hn).
      - reflexivity.
    Qed.

    Lemma turned m : Opposed m = Other (- m).
    Proof using. apply opposed_loss. Qed.
    Lemma turned_back t : Other t = Opposed (- t).
    Proof using. now rewrite turned, Ropp_involutive. Qed.

    Lemma other_lowest : 0 <= Least /\ forall t, Least <= Other t.
    Proof using fit claims places classes claimed other.
      destruct (lowest_holds g other_known) as [La Lp]; [intros c Hc; apply other_claims, in_or_app; right; apply in_or_app; now left|].
      split; [exact La|]. intro t. rewrite turned_back. apply Lp.
    Qed.

    Lemma in_two_scores : same = false -> forall n, 2 <= n <= k -> forall A B,
      (n - 1) / n <= Own A + (n - 1) * Other B + (k - n) * Least + C * ((n - 1) / n * (A - B) ^ 2).
    Proof using fit claims places classes claimed other.
      intros Hno n Hn A B. rewrite turned_back.
      destruct (phi_is_joined f _ _ (known 2 two) A) as (p & Hp & Hm & Ev).
      destruct (phi_is_joined g _ _ (other_known 2 two) (- B)) as (q & Hq & Hs & Ew).
      destruct (there_for_all n f p A (proj2 (proj1 fit_parts)) Hp Hm) as [Hp' Ep]. rewrite <- Ep in Ev.
      destruct (there_for_all n g q (- B) (proj2 (proj1 (fit_other o same other))) Hq Hs) as [Hq' Eq]. rewrite <- Eq in Ew.
      assert (Kf := known n Hn). assert (Kg := other_known n Hn).
      assert (Ip := joined_is_part f p Hp). assert (Iq := joined_is_part g q Hq).
      assert (Fp := fit_loss f _ _ Kf p Ip). assert (Fq := fit_loss g _ _ Kg q Iq).
      assert (Epq : eval (line n A (- B)) (snd p) = eval (line n A 0) (snd p)).
      { exact (proj1 (second_is_free (2 :: k :: n :: values) A (- B) 0 (snd p) (proj2 Fp))). }
      assert (Eqq : eval (line n A (- B)) (at_second (snd q)) = eval (line n (- B) 0) (snd q)).
      { exact (proj1 (at_second_ok (2 :: k :: n :: values) A (- B) (snd q) (proj2 Fq))). }
      assert (Claim : claim_holds (about_each f p q)).
      { apply other_claims. rewrite Hno, !in_app_iff. do 2 right. apply in_flat_map. exists p. split; trivial. now apply in_map. }
      assert (Pos := own_nonnegative A). assert (Qos := nonnegative g _ _ (other_known 2 two) (- B)).
      rewrite Ev, Ew in *. rewrite <- Epq, <- Eqq in *.
      assert (H := said_of_scores n A (- B) _ _ _ _ Hn Claim). cbn [eval nth] in H.
      replace (A + - B) with (A - B) in H by ring. apply H; trivial; [|exact (proj1 other_lowest)].
      apply given_app; [exact (in_domain f _ _ Kf A (- B))|]. apply given_app; [now apply (lifted f _ _ Kf)|].
      intros r Hr. apply in_map_iff in Hr as (r' & <- & Hr).
      apply relation_at_second_ok; [exact (closure_without g _ _ Kg q r' Iq Hr)|]. now apply (there_holds g _ _ Kg q).
    Qed.

    Section Opposite.
      Hypothesis is_same : same = true.

      Lemma opposite_claims p c : In p (joined f) -> In c (about_opposite f p) -> claim_holds c.
      Proof using claims other is_same.
        intros Hp Hc. apply other_claims. rewrite is_same, !in_app_iff. do 3 right. apply in_flat_map. now exists p.
      Qed.

      Lemma the_same m : Opposed m = Own m.
      Proof using fit claims places classes claimed other is_same.
        apply (same_losses f g); [exact (known 2 two)|exact (other_known 2 two)|].
        intros c Hc. apply other_claims. rewrite is_same, !in_app_iff. do 2 right. now left.
      Qed.

      Lemma on_the_left m : m <= 0 -> 1 <= Own m.
      Proof using fit claims places classes claimed other is_same.
        intro Hm. destruct (phi_is_joined f _ _ (known 2 two) m) as (p & Hp & Ht & ->).
        refine (Rge_le _ _ (proj2 (proj2 (use f _ _ (known 2 two) m 0 _ _ (opposite_claims p _ Hp (or_introl eq_refl)) _)))).
        apply given_app; [exact (in_domain f _ _ (known 2 two) m 0)|]. apply given_app; [|apply given_one; cbn; repeat split; lra].
        apply (there_holds f _ _ (known 2 two)); trivial. now apply joined_is_part.
      Qed.

      Lemma right_given p m : In p (joined f) -> there 2 (k :: 2 :: values) p m -> 0 <= m ->
        all_given (line 2 m 0) (domain f ++ closure (fst p) ++ [(Ge, Var 0, Int 0)]).
      Proof using fit claims places classes claimed.
        intros Hp Ht Hm. apply given_app; [exact (in_domain f _ _ (known 2 two) m 0)|].
        apply given_app; [|apply given_one; cbn; repeat split; lra].
        apply (there_holds f _ _ (known 2 two)); trivial. now apply joined_is_part.
      Qed.

      Lemma pays_at_opposite_scores w : 0 <= w -> 1 <= 4 * Own w + 4 * C * w ^ 2.
      Proof using fit claims places classes claimed other is_same.
        intro Hw. assert (Pos := own_nonnegative w). destruct (far_or_near_at 2 w two) as [Far|Near]; [lra|].
        destruct (phi_is_joined f _ _ (known 2 two) w) as (p & Hp & Ht & ->).
        assert (A := use f _ _ (known 2 two) w 0 _ _ (opposite_claims p _ Hp (or_intror (or_intror (or_introl eq_refl))))).
        destruct A as (_ & _ & A); [apply given_app; [now apply right_given|exact Near]|].
        cbn [compares] in A. unfold minus in A. cbn [eval nth] in A. rewrite constant_at in A. lra.
      Qed.

      Lemma root_bends u v : 0 <= u -> 0 <= v -> 2 * sqrt (Own ((u + v) / 2)) <= sqrt (Own u) + sqrt (Own v).
      Proof using fit claims places classes claimed other is_same.
        apply (root_bends_upward f 2 (k :: 2 :: values) (known 2 two)). intros p m Hp Ht Hm.
        assert (A := use f _ _ (known 2 two) m 0 _ _ (opposite_claims p _ Hp (or_intror (or_introl eq_refl)))).
        destruct A as (_ & _ & A); [now apply right_given|]. cbn [compares] in A. unfold minus in A. cbn [eval] in A. lra.
      Qed.

      Lemma in_opposite_scores n A B : 2 <= n <= k ->
        (n - 1) / n <= Own A + (n - 1) * Other B + (k - n) * Least + C * ((n - 1) / n * (A - B) ^ 2).
      Proof using fit claims places classes claimed other is_same.
        intro Hn. rewrite turned_back, the_same.
        assert (Z := is_zero_ok (line 2 0 0) _ (proj2 (fit_other o same other) is_same)). rewrite Z.
        assert (H := opposite_scores_suffice Own C constant_pays own_nonnegative on_the_left root_bends n A B (proj1 Hn)
          pays_at_opposite_scores). lra.
      Qed.
    End Opposite.

    Theorem each_score_attains : attaining_each_score_conditions k Own (fun t => Other t) C.
    Proof using fit claims places classes claimed other.
      split.
      - exact convex_own.
      - refine (of_second _ (opposite_convex (fun t => Other t) Opposed turned
          (pieces_convex _ _ (all_pieces g _ _ (other_known 2 two)) (covered g _ _ (other_known 2 two))))).
      - exact own_nonnegative.
      - intros _ t. rewrite turned_back. apply (nonnegative g _ _ (other_known 2 two)).
      - exact constant_pays.
      - exists Least. split; [intros _; apply other_lowest|]. intros n Hn A B.
        assert (No := in_two_scores). assert (Yes := in_opposite_scores). destruct same; [now apply Yes|now apply No].
    Qed.
  End Each.
End Sound.

(** What is proved of the data, for all classes and parameters that it speaks of. *)
Theorem attained_scores f proofs : proves_scored f proofs = true -> forall k values, S (S (length values)) = parameters f ->
  2 <= k -> (forall n, 2 <= n <= k -> Stated.every (0 :: 0 :: 2 :: k :: n :: values) (domain f)) -> of_label f = Upper ->
  let c := value (0 :: 0 :: 2 :: k :: 2 :: values) (constant f) in
  let own z := value (z :: 0 :: 2 :: k :: 2 :: values) (phi f) in
  match other_label f with
  | None => attaining_pairs_conditions k own c
  | Some (o, _) => attaining_each_score_conditions k own (fun z => value (z :: 0 :: 2 :: k :: 2 :: values) (minus_loss o)) c
  end.
Proof.
  intros [[Hf Hn]%andb_true_iff Hc]%andb_true_iff k values Hv Hk Hd L c. assert (Hall := check_each_ok _ _ Hc).
  destruct (some_part_of (0 :: 0 :: 2 :: k :: 2 :: values) (constant f)) as (p & Hp & Cp & Ep). unfold c. rewrite Ep.
  set (g := ScoredData (AttainedData (within f (fst p)) (other_label f) (snd p) (far f)) (lowest f)).
  assert (Hg : In g (pieces_of_scored f)).
  { unfold pieces_of_scored. now apply (in_map (fun p => ScoredData (AttainedData (within f (fst p)) (other_label f) (snd p) (far f)) (lowest f))). }
  assert (Fit := proj1 (forallb_forall _ _) Hf g Hg).
  assert (Hall' : forall d, In d (claims_of_scored g) -> claim_holds d).
  { intros d Hin. apply Hall, in_or_app. right. apply in_flat_map. now exists g. }
  assert (Hd' : forall n, 2 <= n <= k -> all_given (0 :: 0 :: 2 :: k :: n :: values) (domain g)).
  { intros n Hn'. assert (Hdn := Stated.every_given _ _ (Hd n Hn')). apply given_app; [exact Hdn|].
    apply (number_given f 2 (k :: n :: values) Hv (ex_intro _ 2%Z eq_refl)) with (g := constant f); trivial.
    - now rewrite L.
    - intros d Hin. apply Hall, in_or_app. now left.
    - apply (proj1 (forallb_forall _ _) Hn), andb_true_iff in Hp as [Hp _]. unfold inside in *. rewrite Forall_forall in *.
      intros [[s a] b] Hr. specialize (Cp _ Hr). apply (proj1 (forallb_forall _ _) Hp) in Hr. unfold rel_without in Hr.
      cbn in Hr. apply andb_true_iff in Hr as [Ha Hb]. cbn [meets_relation] in *.
      now rewrite (proj1 (count_is_free k values n 2 0 0 a Ha)), (proj1 (count_is_free k values n 2 0 0 b Hb)). }
  destruct (other_label f) as [[o same]|] eqn:E.
  - exact (each_score_attains g k values Fit Hall' Hv Hk Hd' o same eq_refl).
  - exact (pairs_attain g k values Fit Hall' Hv Hk Hd' eq_refl).
Qed.

(** What a refutation asks of the losses alone. *)
Theorem losses_of_scores d proofs : proves_losses d proofs = true -> forall k values,
  S (S (length values)) = parameters (fst d) -> 2 <= k ->
  (forall n, 2 <= n <= k -> Stated.every (0 :: 0 :: 2 :: k :: n :: values) (domain (fst d))) -> of_label (fst d) = Upper ->
  (forall z, exists g, subgradient (fun z => value (z :: 0 :: 2 :: k :: 2 :: values) (phi (fst d))) z g) /\
  match snd d with
  | None => True
  | Some o => forall z, exists g, subgradient (fun z => value (z :: 0 :: 2 :: k :: 2 :: values) (minus_loss o)) z g
  end.
Proof.
  intros H k values Hv Hk Hd L. assert (Known := losses_known d proofs H 2 (k :: 2 :: values) Hv (ex_intro _ 2%Z eq_refl)
    (Hd 2 (conj (Rle_refl 2) Hk))). rewrite L in Known. specialize (Known eq_refl).
  destruct (snd d) as [o|]; [destruct Known as (_ & _ & Own & Other); now split|]. destruct Known as (_ & Own & _). now split.
Qed.
