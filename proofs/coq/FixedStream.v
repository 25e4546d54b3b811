(** Theorem 6's learner on the stream of StreamPath, which is fixed before the game: label 0 in every round.

    A right draw has probability q and moves the margin m by a c z/q, z = 1 - c m: by a c z on average, however large q
    is. So the margin's mean is at most [path], and the mean of max{z^2, gamma}, a convex function, at least that of the
    path. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Margins Assembly.
From Gaptron Require Import SmoothHingeProof Paper PaperBanditProofs.
From Gaptron Require Import BanditDefinitions BanditDescent BanditMeaning SymmetricWeights StreamPath EveryPlay.
Import ListNotations.
Open Scope R_scope.

Definition zero (h : history) : nat := 0%nat.

Section Stream.
  Variables (K T : nat) (r g D : R).
  Let k := 1 - 1 / INR K.
  Let eta := g ^ 2 / (4 * INR K ^ 2).
  Let a := 2 * eta / k.
  Let slip := 2 * eta * INR K.
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis r_value : r ^ 2 = 1 / INR K.
  Hypothesis r_range : 0 < r <= 1 / 2.
  Hypothesis g_range : 0 < g <= 1.
  Hypothesis D_positive : 0 < D.
  Hypothesis ball : D ^ 2 = k.

  Collection parameters := classes r_value r_range g_range D_positive ball.

  Definition show (t : nat) : R := feature r (path r a t).
  Definition shown (h : history) : vector := fun _ => show (length h).
  Let s := margin_loss K 1 smooth_hinge smooth_hinge_map None.

  Lemma k_value : k = 1 - r ^ 2 /\ 3 / 4 <= k < 1 /\ INR K * r ^ 2 = 1 /\ 2 <= INR K.
  Proof using parameters.
    assert (HK := at_least_two K classes). unfold k. rewrite r_value. split; [reflexivity|].
    rewrite <- r_value. split; [nra|]. split; [|exact HK]. rewrite r_value. field. lra.
  Qed.

  Lemma eta_range : 0 < eta /\ 4 * eta = g ^ 2 * r ^ 4 /\ 0 < g ^ 2 <= 1 /\ 0 <= slip.
  Proof using parameters.
    destruct k_value as (_ & _ & HKr & HK). assert (Hg2 : 0 < g ^ 2 <= 1) by (split; [apply pow_lt; lra|nra]).
    assert (HK2 : 0 < INR K ^ 2) by (apply pow_lt; lra).
    assert (Heta : 0 < eta) by (unfold eta; apply divided; lra). split; [exact Heta|]. split; [|split; [exact Hg2|]].
    - unfold eta. replace (r ^ 4) with (r ^ 2 * r ^ 2) by ring. rewrite r_value. field. lra.
    - unfold slip. nra.
  Qed.

  Lemma a_range : 0 < a <= r / 3.
  Proof using parameters.
    destruct k_value as (_ & Hk & _). destruct eta_range as (Heta & Hvalue & Hg & _).
    assert (Ha : a * k = 2 * eta) by (unfold a; field; lra). assert (Ha0 : 0 < a) by (unfold a; apply divided; lra).
    split; [exact Ha0|]. assert (Hr3 : 0 < r ^ 3 <= 1 / 8).
    { split; [apply pow_lt; lra|]. replace (1 / 8) with ((1 / 2) ^ 3) by field. apply pow_incr. lra. }
    assert (4 * eta <= r * (1 / 8)); [|nra]. rewrite Hvalue. replace (g ^ 2 * r ^ 4) with (r * (g ^ 2 * r ^ 3)) by ring.
    apply Rmult_le_compat_l; [lra|]. nra.
  Qed.

  Lemma slip_nonneg : 0 <= slip.
  Proof using parameters. apply eta_range. Qed.

  Lemma path_in_range t : 0 <= path r a t <= 1.
  Proof using parameters. exact (path_range r g a slip r_range (proj1 g_range) a_range slip_nonneg t). Qed.

  Lemma show_range t : r <= show t <= 1.
  Proof using parameters.
    exact (feature_range r g a slip r_range (proj1 g_range) a_range slip_nonneg _ (path_in_range t)).
  Qed.

  Section Game.
    Variables (W : history -> matrix) (ystar : history -> nat).
    Hypothesis playing : plays (bandit K 1 s D (g ^ 2)) eta T shown zero W ystar.
    Let p (h : history) : nat -> R := exploring K (g ^ 2) (gap_map s (W h) (shown h) (ystar h)) (ystar h).

    Lemma wrong_draw_keeps h draw : takes_place K T h -> norm2 K 1 (W h) <= k -> (draw < K)%nat -> draw <> 0%nat ->
      forall j, (j < K)%nat -> W (draw :: h) j 0%nat = W h j 0%nat.
    Proof using playing ball.
      intros Hh Hball Hdraw H0 j Hj. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as [_ Hstep].
      destruct (Hstep draw Hdraw) as (G & HG & Hproj). apply Nat.eqb_neq in H0.
      assert (Hzero : norm2 K 1 G = 0).
      { apply (constant_subgradient K 1 0 (W h) G). intros V. specialize (HG V).
        unfold estimated in HG. cbn [estimate bandit] in HG. unfold importance, zero in HG. rewrite H0, !Rmult_0_l in HG.
        exact HG. }
      assert (Hentry : forall i, (i < K)%nat -> G i 0%nat = 0).
      { intros i Hi. rewrite norm2_column in Hzero.
        assert (H := term_le_sum K (fun j => G j 0%nat ^ 2) i Hi (fun n _ => pow2_ge_0 _)). cbn beta in H. nra. }
      assert (Hstill : in_ball K 1 D (fun j i => W h j i - eta * G j i)).
      { unfold in_ball. rewrite ball, norm2_column, (sum_ext K _ (fun j => W h j 0%nat ^ 2)), <- norm2_column;
          [exact Hball|]. intros i Hi. rewrite Hentry by exact Hi. ring. }
      rewrite (projection_in_ball K 1 D _ _ Hstill Hproj j 0%nat Hj Nat.lt_0_1), Hentry by exact Hj. ring.
    Qed.

    Lemma fair_ext A B : (forall j, (j < K)%nat -> A j 0%nat = B j 0%nat) -> fair K slip B -> fair K slip A.
    Proof using.
      intros H (Hsum & Hrival & Hspread & Hnorm). repeat split.
      - now rewrite (sum_ext K _ (fun j => B j 0%nat)).
      - intros j Hj. rewrite H by exact Hj. now apply Hrival.
      - intros i j Hi Hj. rewrite !H by assumption. now apply Hspread.
      - rewrite norm2_column, (sum_ext K _ (fun j => B j 0%nat ^ 2)), <- norm2_column; [exact Hnorm|].
        intros j Hj. now rewrite H.
    Qed.

    Lemma right_draw_moves h : takes_place K T h -> fair K slip (W h) ->
      fair K slip (W (0%nat :: h)) /\
      standing K (W (0%nat :: h)) <=
        standing K (W h) + a * show (length h) * (1 - show (length h) * ahead K (W h)) / p h 0%nat.
    Proof using parameters playing.
      intros Hh Hfair. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as [Htop Hstep].
      destruct (Hstep 0%nat ltac:(cbn; lia)) as (G & HG & Hproj). destruct eta_range as (Heta & _ & Hg & _).
      assert (Hc := show_range (length h)). assert (Hc' : 0 < show (length h) <= 1) by lra. split.
      - exact (still_fair K slip classes (W h) _ _ _ Hfair Hc' Hg Htop eta D G _ Heta (Rle_refl _) D_positive
          ball HG Hproj).
      - exact (standing_moves K slip classes (W h) _ _ _ Hfair Hc' Hg Htop eta D G _ Heta D_positive HG Hproj).
    Qed.

    Lemma always_fair h : Forall (fun draw => (draw < K)%nat) h -> (length h <= T)%nat -> fair K slip (W h).
    Proof using parameters playing.
      induction h as [|draw h IH]; intros Hh Hlen.
      - apply fair_zero; [exact classes|exact slip_nonneg|]. apply playing.
      - inversion Hh as [|n l Hdraw Hrest]. subst. cbn [length] in Hlen. specialize (IH Hrest ltac:(lia)).
        assert (Hplace : takes_place K T h) by (split; [exact Hrest|lia]).
        destruct (Nat.eq_dec draw 0) as [->|H0]; [now apply right_draw_moves|].
        apply (fair_ext _ (W h)); [|exact IH]. apply wrong_draw_keeps; auto. apply IH.
    Qed.

    Lemma right_draw h : takes_place K T h ->
      p h 0%nat = 1 - k * Rmax ((1 - show (length h) * ahead K (W h)) ^ 2) (g ^ 2) /\ / INR K <= p h 0%nat <= 1.
    Proof using parameters playing.
      intros Hh. assert (Hfair := always_fair h (proj1 Hh) ltac:(destruct Hh; lia)).
      destruct playing as [_ Hplay]. destruct (Hplay h Hh) as [Htop _]. destruct eta_range as (_ & _ & Hg & _).
      assert (Hc := show_range (length h)). assert (Hc' : 0 < show (length h) <= 1) by lra. split.
      - exact (right_probability K slip classes (W h) _ _ _ Hfair Hc' Hg Htop).
      - exact (right_probability_range K slip classes (W h) _ _ _ Hfair Hc' Hg Htop).
    Qed.

    Lemma distributions h : takes_place K T h -> is_distribution K (p h).
    Proof using parameters playing.
      intros Hh. destruct playing as [_ Hplay]. destruct (Hplay h Hh) as [Htop _].
      destruct eta_range as (_ & _ & Hg & _). apply exploring_is_distribution; [apply Htop| |lra].
      apply smooth_hinge_map_range. now apply right_margin.
    Qed.

    (** * What is expected *)

    Definition comparator : matrix := symmetric K 1.
    Let losses (h : history) (draw : nat) : R :=
      importance (p h) (zero h) draw * loss s (W h) (shown h) (ystar h) (zero h) comparator.
    Let excess (h : history) : R := mistakes zero h - weighted_total losses h.

    Lemma comparator_loss h :
      loss s (W h) (shown h) (ystar h) (zero h) comparator = (1 - show (length h)) ^ 2.
    Proof using parameters.
      assert (Hc := show_range (length h)). cbn [loss s margin_loss off]. unfold zero, comparator.
      rewrite symmetric_margin by exact classes. unfold shown. rewrite smooth_hinge_middle by lra. f_equal. ring.
    Qed.

    (** With weights 1 - q and q for the wrong draws and the right one. *)
    Lemma mean_of_round h f wrong : takes_place K T h ->
      (forall draw, (draw < K)%nat -> draw <> 0%nat -> f draw = wrong) ->
      sum K (fun draw => p h draw * f draw) = (1 - p h 0%nat) * wrong + p h 0%nat * f 0%nat.
    Proof using parameters playing.
      intros Hh Hwrong. assert (Hone := proj2 (distributions h Hh)).
      rewrite (sum_ext K _ (fun draw =>
        wrong * p h draw + if Nat.eqb draw 0 then p h 0%nat * (f 0%nat - wrong) else 0)).
      - rewrite sum_plus, sum_scale, sum_pick, Hone by lia. ring.
      - intros draw Hdraw. destruct (Nat.eqb_spec draw 0) as [->|H0]; [ring|]. rewrite Hwrong by assumption. ring.
    Qed.

    Lemma excess_next h draw :
      excess (draw :: h) = excess h + if Nat.eqb draw 0 then - ((1 - show (length h)) ^ 2 / p h 0%nat) else 1.
    Proof using parameters.
      unfold excess, mistakes. cbn [weighted_total]. unfold losses at 1, wrong. rewrite comparator_loss. unfold importance.
      change (zero h) with 0%nat. destruct (Nat.eqb_spec draw 0) as [->|_]; unfold Rdiv; ring.
    Qed.

    Lemma convex_cost m mu : Rmax ((1 - mu) ^ 2) (g ^ 2) >=
      Rmax ((1 - m) ^ 2) (g ^ 2) - (if Rle_dec (g ^ 2) ((1 - m) ^ 2) then 2 * (1 - m) * (mu - m) else 0).
    Proof using.
      assert (Hl := Rmax_l ((1 - mu) ^ 2) (g ^ 2)). assert (Hr := Rmax_r ((1 - mu) ^ 2) (g ^ 2)).
      destruct Rle_dec as [H|H].
      - rewrite (Rmax_left ((1 - m) ^ 2)) by exact H. assert (0 <= (mu - m) ^ 2) by apply pow2_ge_0. nra.
      - rewrite (Rmax_right ((1 - m) ^ 2)) by lra. lra.
    Qed.

    (** One round, if what follows is worth [rest] on the path, and [price] less for every unit of margin above it. *)
    Lemma round_brings t price : 0 <= price -> exists price', 0 <= price' /\
      forall h rest, takes_place K T h -> length h = t ->
        round_cost r g slip (path r a t) - round_loss r (path r a t) + rest
          - price' * (standing K (W h) - slip - path r a t)
        <= sum K (fun draw => p h draw *
             (excess (draw :: h) - excess h + rest - price * (standing K (W (draw :: h)) - slip - path r a (S t)))).
    Proof using parameters playing.
      intros Hprice. assert (Hm := path_in_range t). set (m := path r a t) in *. set (c := show t).
      assert (Hc := show_range t). fold c in Hc. assert (Ha := a_range). destruct k_value as (Hkr & Hk & _).
      set (slope := if Rle_dec (g ^ 2) ((1 - c * m) ^ 2) then 2 * (1 - c * m) * c else 0).
      assert (Hz : 0 <= 1 - c * m) by nra. assert (Hslope : 0 <= slope <= 2 * (1 - c * m) * c).
      { unfold slope. assert (0 <= 2 * (1 - c * m) * c) by nra. destruct Rle_dec; lra. }
      assert (Hkeep : 0 <= 1 - a * c ^ 2) by nra.
      exists (k * slope + (1 - a * c ^ 2) * price).
      split.
      { assert (0 <= k * slope) by nra. assert (0 <= (1 - a * c ^ 2) * price) by (apply Rmult_le_pos; lra). lra. }
      intros h rest Hh Hlen. destruct (right_draw h Hh) as [Hq Hrange].
      assert (Hfair := always_fair h (proj1 Hh) ltac:(destruct Hh; lia)).
      destruct (right_draw_moves h Hh Hfair) as [_ Hmoves].
      destruct (ahead_range K slip classes _ Hfair) as [Hmu0 Hmu]. rewrite Hlen in *. fold c in Hq, Hmoves.
      assert (HinvK : 0 < / INR K) by (apply Rinv_0_lt_compat; assert (H := at_least_two K classes); lra).
      set (mu := ahead K (W h)) in *. set (q := p h 0%nat) in *. set (st := standing K (W h)) in *.
      set (after := standing K (W (0%nat :: h))) in *. set (next := path r a (S t)).
      rewrite (mean_of_round h _ (1 + rest - price * (st - slip - next)) Hh).
      - rewrite excess_next, Hlen. cbn [Nat.eqb]. fold c q after.
        assert (Hafter : q * after <= q * st + a * c * (1 - c * mu)).
        { replace (q * st + a * c * (1 - c * mu)) with (q * (st + a * c * (1 - c * mu) / q)) by (field; lra).
          apply Rmult_le_compat_l; lra. }
        assert (Hmean : (1 - q) * (st - slip - next) + q * (after - slip - next) <= (1 - a * c ^ 2) * (st - slip - m)).
        { unfold next. cbn [path]. fold m. change (feature r m) with c. unfold slack. change (feature r m) with c.
          assert (a * c * (1 - c * mu) <= a * c * (1 - c * (st - slip))); [|lra].
          apply Rmult_le_compat_l; [nra|]. nra. }
        set (was := Rmax ((1 - c * m) ^ 2) (g ^ 2)).
        assert (Hcost : k * (was - slope * (st - slip - m) - 2 * (1 - c * m) * c * slip) <= 1 - q).
        { rewrite Hq. assert (H := convex_cost (c * m) (c * mu)).
          assert (Hlin : (if Rle_dec (g ^ 2) ((1 - c * m) ^ 2) then 2 * (1 - c * m) * (c * mu - c * m) else 0)
            = slope * (mu - m)) by (unfold slope; destruct Rle_dec; ring).
          rewrite Hlin in H. fold was in H. set (now := Rmax ((1 - c * mu) ^ 2) (g ^ 2)) in *.
          assert (slope * (mu - m) <= slope * (st - slip - m) + 2 * (1 - c * m) * c * slip); [|nra].
          assert (slope * (mu - m) <= slope * (st - m)) by nra. assert (Hs := slip_nonneg). nra. }
        unfold round_cost, round_loss, slack. change (feature r m) with c. fold k in Hkr. rewrite <- Hkr.
        assert (Hpriced := Rmult_le_compat_l price _ _ Hprice Hmean).
        match goal with |- _ <= ?right => replace right with
          ((1 - q) - (1 - c) ^ 2 + rest - price * ((1 - q) * (st - slip - next) + q * (after - slip - next))) end;
          [unfold was in Hcost; lra|]. field. lra.
      - intros draw Hdraw H0. rewrite excess_next. apply Nat.eqb_neq in H0 as Hfalse. rewrite Hfalse.
        assert (Hsame := wrong_draw_keeps h draw Hh ltac:(apply Hfair) Hdraw H0).
        unfold standing. rewrite Hsame by lia. fold st. unfold st, standing, next. ring.
    Qed.

    Lemma brought n : forall t, (t + n = T)%nat -> exists price, 0 <= price /\
      forall h, Forall (fun draw => (draw < K)%nat) h -> length h = t ->
        excess h + worth r g a slip T t - price * (standing K (W h) - slip - path r a t) <= expectation K p n excess h.
    Proof using parameters playing.
      induction n as [|n IH]; intros t Ht.
      - exists 0. split; [lra|]. intros h _ _. replace t with T by lia. cbn [expectation].
        assert (H := worth_end r g a slip T r_range (proj1 g_range) a_range slip_nonneg). lra.
      - destruct (IH (S t) ltac:(lia)) as (price & Hprice & Hlater).
        destruct (round_brings t price Hprice) as (price' & Hprice' & Hround). exists price'. split; [exact Hprice'|].
        intros h Hh Hlen. assert (Hplace : takes_place K T h) by (split; [exact Hh|lia]).
        specialize (Hround h (worth r g a slip T (S t)) Hplace Hlen). cbn [expectation].
        assert (Hfalls := worth_falls r g a slip T r_range (proj1 g_range) a_range slip_nonneg t).
        destruct (distributions h Hplace) as [Hpositive Hone].
        apply Rle_trans with (sum K (fun draw => excess h * p h draw + p h draw *
          (excess (draw :: h) - excess h + worth r g a slip T (S t)
             - price * (standing K (W (draw :: h)) - slip - path r a (S t))))).
        + rewrite sum_plus, sum_scale, Hone. lra.
        + apply sum_le. intros draw Hdraw. specialize (Hlater (draw :: h) ltac:(now constructor) ltac:(cbn; lia)).
          assert (H := Rmult_le_compat_l _ _ _ (Hpositive draw Hdraw) Hlater). lra.
    Qed.

    Hypothesis tuned : g ^ 4 * INR T = 4 * INR K ^ 2 * k.

    Theorem forced : g ^ 2 * INR T * share r g slip <=
      expectation K p T (mistakes zero) [] - expectation K p T (weighted_total losses) [].
    Proof using parameters playing tuned.
      destruct (brought T 0 eq_refl) as (price & Hprice & H). specialize (H [] (Forall_nil _) eq_refl).
      unfold excess at 2 in H. rewrite expectation_minus in H. destruct k_value as (_ & Hk & _ & HK).
      assert (Hstart : g ^ 2 * INR T * share r g slip <= worth r g a slip T 0).
      { apply (worth_start r g a slip T r_range (proj1 g_range) a_range slip_nonneg).
        apply Rmult_eq_reg_r with (2 * INR K ^ 2 * k); [|assert (0 < INR K ^ 2) by (apply pow_lt; lra); nra].
        replace (2 * (2 * INR K ^ 2 * k)) with (4 * INR K ^ 2 * k) by ring. rewrite <- tuned. unfold a, eta.
        field. lra. }
      assert (Hzero : standing K (W []) = 0) by (unfold standing; rewrite (proj1 playing); unfold Rdiv; ring).
      rewrite Hzero in H. unfold excess in H. change (mistakes zero []) with 0 in H. cbn [weighted_total path] in H. assert (Hs := slip_nonneg). nra.
    Qed.
  End Game.
End Stream.
