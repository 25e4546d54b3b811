(** Theorem 6 as printed is false from 55 classes on: an adversary that sees the draws.

    The features have one entry, and every label is 0. The learner mixes all rivals equally, so that its weights are
    described by one number mu (SymmetricWeights); the comparator has mu = 1. With r = 1/sqrt(K) and k = 1 - 1/K the
    adversary shows c = r/(1 - (1 - r) mu) while mu < 1 - e. Then P(wrong) is k z^2 with z = 1 - c mu, the comparator's
    loss is (1 - c)^2 = (1 - r)^2 z^2, and a share 1 - e^2 of the difference 2 r (1 - r) z^2 pays for the fall of a
    potential C (1 - mu)^2, C = (1 - r) (1 - e^2) k/(2 eta). What is left, 2 r (1 - r) e^4, is more than exploration
    costs if gamma is small. Afterwards the adversary shows 1, and the learner explores in vain. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations Margins Pieces Paper SmoothHingeProof.
From Gaptron Require Import BanditDefinitions BanditDescent SymmetricWeights PaperBandit PaperBanditProofs.
Import ListNotations.
Open Scope R_scope.

Section Adversary.
  Variables (K T : nat) (r e gamma D : R).
  Let k := 1 - 1 / INR K.
  Let eta := gamma / (4 * INR K ^ 2).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis r_value : r ^ 2 = 1 / INR K.
  Hypothesis r_range : 0 < r <= 1 / 2.
  Hypothesis e_range : 0 < e < 1.
  Hypothesis gamma_range : 0 < gamma <= r * e ^ 4 / 2.

  Collection parameters := classes r_value r_range e_range gamma_range.

  (** * One round *)

  Definition feature (mu : R) : R := if Rlt_dec mu (1 - e) then r / (1 - (1 - r) * mu) else 1.

  Definition slack (mu : R) : R := 1 - feature mu * mu.

  (** The probability of drawing label 0, and mu after that. *)
  Definition right_probability (mu : R) : R := 1 - k * Rmax (slack mu ^ 2) gamma.

  Definition next (mu : R) : R := mu + 2 * eta * slack mu * feature mu / (right_probability mu * k).

  Lemma k_value : k = 1 - r ^ 2 /\ 3 / 4 <= k < 1 /\ INR K * r ^ 2 = 1.
  Proof using parameters.
    assert (HK := at_least_two K classes). unfold k. rewrite r_value. split; [reflexivity|].
    rewrite <- r_value. split; [nra|]. rewrite r_value. field. lra.
  Qed.

  Lemma gamma_small : gamma <= 1 / 4.
  Proof using parameters.
    assert (e ^ 4 <= 1) by (rewrite <- (pow1 4); apply pow_incr; lra). nra.
  Qed.

  Lemma eta_positive : 0 < eta.
  Proof using parameters.
    assert (HK := at_least_two K classes). apply divided; [lra|]. apply Rmult_lt_0_compat; [lra|]. apply pow_lt. lra.
  Qed.

  Section Round.
    Variable mu : R.
    Hypothesis mu_range : 0 <= mu <= 1.

    Lemma feature_range : r <= feature mu <= 1.
    Proof using parameters mu_range.
      unfold feature. destruct Rlt_dec; [|lra].
      assert (Hd : r <= 1 - (1 - r) * mu <= 1) by nra. split.
      - apply Rmult_le_reg_r with (1 - (1 - r) * mu); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
      - apply Rmult_le_reg_r with (1 - (1 - r) * mu); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    Qed.

    Lemma slack_range : 1 - mu <= slack mu <= 1.
    Proof using parameters mu_range. assert (H := feature_range). unfold slack. nra. Qed.

    Lemma mixed_range : 0 < Rmax (slack mu ^ 2) gamma <= 1.
    Proof using parameters mu_range.
      assert (H := slack_range). assert (Hg := gamma_small). split.
      - apply Rlt_le_trans with gamma; [lra|apply Rmax_r].
      - apply Rmax_lub; nra.
    Qed.

    Lemma right_probability_range : r ^ 2 <= right_probability mu <= 1.
    Proof using parameters mu_range.
      assert (H := mixed_range). assert (Hk := k_value). unfold right_probability. nra.
    Qed.

    (** mu never passes 1. *)
    Lemma step_range : 0 <= 2 * eta * slack mu * feature mu / (right_probability mu * k) <= 1 - mu.
    Proof using parameters mu_range.
      assert (Hc := feature_range). assert (Hz := slack_range). assert (Hq := right_probability_range).
      destruct k_value as (_ & Hk & HKr). assert (HK := at_least_two K classes). assert (Hg := gamma_small).
      assert (Hr2 : 0 < r ^ 2) by (apply pow_lt; lra).
      assert (Hqk : 0 < right_probability mu * k) by (apply Rmult_lt_0_compat; lra).
      assert (Heta : eta * 4 = gamma * r ^ 2 * r ^ 2).
      { unfold eta. replace (r ^ 2) with (/ INR K) by (rewrite r_value; field; lra). field. lra. }
      assert (Hzc : r * slack mu * feature mu <= 1 - mu).
      { unfold slack, feature in *. destruct Rlt_dec; [|nra].
        set (w := 1 - (1 - r) * mu) in *. assert (Hw : r <= w <= 1) by (unfold w; nra).
        replace (r * (1 - r / w * mu) * (r / w)) with ((1 - mu) * (r ^ 2 / w ^ 2))
          by (replace (1 - mu) with (w - r * mu) by (unfold w; ring); field; lra).
        assert (r ^ 2 / w ^ 2 <= 1); [|nra].
        apply Rmult_le_reg_r with (w ^ 2); [apply pow_lt; lra|]. unfold Rdiv.
        rewrite Rmult_assoc, Rinv_l by (apply pow_nonzero; lra). nra. }
      assert (Hpos : 0 <= slack mu * feature mu) by (apply Rmult_le_pos; lra).
      assert (Hstep := eta_positive). split.
      - apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat]. rewrite Rmult_assoc. nra.
      - apply Rmult_le_reg_r with (right_probability mu * k); [exact Hqk|].
        replace (2 * eta * slack mu * feature mu / (right_probability mu * k) * (right_probability mu * k))
          with (2 * eta * (slack mu * feature mu)) by (field; lra).
        assert (2 * eta <= r * (right_probability mu * k)); [|nra].
        assert (r ^ 2 * k <= right_probability mu * k) by nra.
        assert (2 * eta <= r * (r ^ 2 * k)); [|nra].
        assert (Hr3 : 0 < r ^ 3) by (apply pow_lt; lra).
        assert (Hfour : eta * 4 = gamma * r * r ^ 3) by (rewrite Heta; ring).
        assert (gamma * r * r ^ 3 <= 1 / 8 * r ^ 3) by (apply Rmult_le_compat_r; nra).
        replace (r * (r ^ 2 * k)) with (k * r ^ 3) by ring. nra.
    Qed.

    Lemma next_range : mu <= next mu <= 1.
    Proof using parameters mu_range. assert (H := step_range). unfold next. lra. Qed.
  End Round.

  Hypothesis ball : D ^ 2 = k.
  Hypothesis tuned : gamma ^ 2 * INR T = 4 * INR K ^ 2 * k.

  (** While mu < 1 - e. *)
  Lemma first_part mu : 0 <= mu < 1 - e ->
    1 - feature mu = (1 - r) * slack mu /\ feature mu * (1 - mu) = r * slack mu /\ e ^ 2 <= slack mu ^ 2 /\
    Rmax (slack mu ^ 2) gamma = slack mu ^ 2.
  Proof using parameters.
    intros Hmu. assert (Hz := slack_range mu ltac:(lra)). assert (Hz2 : e ^ 2 <= slack mu ^ 2) by (apply pow_incr; lra).
    unfold slack, feature in *. destruct Rlt_dec; [|lra]. assert (Hd : 0 < 1 - (1 - r) * mu) by nra.
    split; [field; lra|]. split; [field; lra|]. split; [exact Hz2|]. apply Rmax_left.
    assert (e ^ 4 <= e ^ 2).
    { replace (e ^ 4) with (e ^ 2 * e ^ 2) by ring. assert (0 <= e ^ 2 <= 1) by nra. nra. }
    nra.
  Qed.

  (** (1 - r) (1 - e^2) ||W - U||^2/(2 eta), but for its value at mu = 1 - e. *)
  Definition potential (mu : R) : R := (1 - r) * (1 - e ^ 2) * (k / (2 * eta)) * ((1 - mu) ^ 2 - e ^ 2).

  Lemma potential_factor : 0 <= (1 - r) * (1 - e ^ 2) * (k / (2 * eta)).
  Proof using parameters.
    assert (Heta := eta_positive). destruct k_value as (_ & Hk & _). assert (0 <= 1 - e ^ 2) by nra.
    repeat apply Rmult_le_pos; try lra. left. apply Rinv_0_lt_compat. lra.
  Qed.

  Lemma potential_falls mu : 0 <= mu < 1 - e ->
    right_probability mu * (potential mu - potential (next mu)) <= 2 * r * (1 - r) * (1 - e ^ 2) * slack mu ^ 2.
  Proof using parameters.
    intros Hmu. assert (Heta := eta_positive). destruct k_value as (_ & Hk & _).
    assert (Hq := right_probability_range mu ltac:(lra)). assert (0 < r ^ 2) by (apply pow_lt; lra).
    destruct (first_part mu Hmu) as (_ & Hcz & _ & _). assert (HC := potential_factor).
    set (step := 2 * eta * slack mu * feature mu / (right_probability mu * k)).
    replace (right_probability mu * (potential mu - potential (next mu))) with
      ((1 - r) * (1 - e ^ 2) * (k / (2 * eta)) * (right_probability mu * (2 * (1 - mu) * step - step ^ 2)))
      by (unfold potential, next; fold step; ring).
    apply Rle_trans with
      ((1 - r) * (1 - e ^ 2) * (k / (2 * eta)) * (right_probability mu * (2 * (1 - mu) * step))).
    - apply Rmult_le_compat_l; [exact HC|]. apply Rmult_le_compat_l; [lra|]. assert (0 <= step ^ 2) by apply pow2_ge_0.
      lra.
    - right. replace ((1 - r) * (1 - e ^ 2) * (k / (2 * eta)) * (right_probability mu * (2 * (1 - mu) * step)))
        with (2 * (1 - r) * (1 - e ^ 2) * slack mu * (feature mu * (1 - mu))) by (unfold step; field; lra).
      rewrite Hcz. ring.
  Qed.

  Lemma rounds_positive : 0 < INR T.
  Proof using parameters tuned.
    destruct k_value as (_ & Hk & _). assert (HK := at_least_two K classes).
    assert (0 < INR K ^ 2) by (apply pow_lt; lra). assert (0 < gamma ^ 2) by (apply pow_lt; lra).
    apply Rmult_lt_reg_l with (gamma ^ 2); [assumption|]. rewrite tuned. nra.
  Qed.

  Lemma potential_start : potential 0 = (1 - r) * (1 - e ^ 2) ^ 2 * (gamma / 2) * INR T.
  Proof using parameters tuned.
    assert (HK := at_least_two K classes).
    replace ((1 - r) * (1 - e ^ 2) ^ 2 * (gamma / 2) * INR T)
      with ((1 - r) * (1 - e ^ 2) ^ 2 * (gamma ^ 2 * INR T / (2 * gamma))) by (field; lra).
    rewrite tuned. unfold potential, eta. field. lra.
  Qed.

  (** What P(wrong) exceeds the comparator's loss by pays for exploration, the potential, and a share of its start. *)
  Lemma gain mu : 0 <= mu < 1 - e ->
    right_probability mu * (potential mu - potential (next mu)) + potential 0 / INR T + gamma * k
      <= 1 - right_probability mu - (1 - feature mu) ^ 2.
  Proof using parameters tuned.
    intros Hmu. assert (Hfall := potential_falls mu Hmu). assert (HT := rounds_positive).
    destruct (first_part mu Hmu) as (Hc & _ & Hz & Hmax). destruct k_value as (Hkr & Hk & _).
    rewrite potential_start. unfold right_probability at 2. rewrite Hmax, Hc.
    replace ((1 - r) * (1 - e ^ 2) ^ 2 * (gamma / 2) * INR T / INR T) with ((1 - r) * (1 - e ^ 2) ^ 2 * (gamma / 2))
      by (field; lra).
    assert (He2 : 0 <= 1 - e ^ 2 <= 1) by nra.
    assert (Hshare : 0 <= (1 - r) * (1 - e ^ 2) ^ 2 <= 1) by (split; [apply Rmult_le_pos; nra|nra]).
    assert (Hlost : (1 - r) * (1 - e ^ 2) ^ 2 * (gamma / 2) + gamma * k <= 3 / 2 * gamma) by nra.
    assert (Hleft : r * e ^ 4 <= 2 * r * (1 - r) * e ^ 2 * slack mu ^ 2).
    { replace (r * e ^ 4) with (1 * (r * e ^ 2 * e ^ 2)) by ring.
      replace (2 * r * (1 - r) * e ^ 2 * slack mu ^ 2) with (2 * (1 - r) * (r * e ^ 2 * slack mu ^ 2)) by ring.
      assert (0 <= e ^ 2) by apply pow2_ge_0. assert (0 <= r * e ^ 2) by (apply Rmult_le_pos; lra).
      assert (0 <= r * e ^ 2 * e ^ 2) by (apply Rmult_le_pos; lra).
      assert (r * e ^ 2 * e ^ 2 <= r * e ^ 2 * slack mu ^ 2) by (apply Rmult_le_compat_l; lra).
      apply Rmult_le_compat; lra. }
    replace (1 - (1 - k * slack mu ^ 2) - ((1 - r) * slack mu) ^ 2) with (2 * r * (1 - r) * slack mu ^ 2)
      by (rewrite Hkr; ring).
    replace (2 * r * (1 - r) * (1 - e ^ 2) * slack mu ^ 2)
      with (2 * r * (1 - r) * slack mu ^ 2 - 2 * r * (1 - r) * e ^ 2 * slack mu ^ 2) in Hfall by ring.
    lra.
  Qed.

  (** * The game *)

  Fixpoint position (h : history) : R :=
    match h with
    | [] => 0
    | draw :: h => if Nat.eqb draw 0 then next (position h) else position h
    end.

  Definition shown (h : history) : vector := fun _ => feature (position h).
  Definition learned (h : history) : matrix := symmetric K (position h).
  Definition zero (h : history) : nat := 0%nat.
  Let s := margin_loss K 1 smooth_hinge smooth_hinge_map None.
  Let p (h : history) : nat -> R := exploring K gamma (gap_map s (learned h) (shown h) 0) 0.

  Lemma position_range h : 0 <= position h <= 1.
  Proof using parameters.
    induction h as [|draw h IH]; cbn [position]; [lra|]. destruct (Nat.eqb draw 0); [|exact IH].
    assert (H := next_range (position h) IH). lra.
  Qed.

  Lemma gap_map_value h : gap_map s (learned h) (shown h) 0 = slack (position h) ^ 2.
  Proof using parameters.
    assert (H := slack_range (position h) (position_range h)). assert (Hm := position_range h).
    cbn [gap_map s margin_loss]. unfold learned. rewrite symmetric_margin by exact classes. unfold shown.
    rewrite smooth_hinge_map_low; unfold slack in *; [f_equal; ring|lra].
  Qed.

  Lemma right_draw h : p h 0 = right_probability (position h).
  Proof using parameters.
    assert (HK := at_least_two K classes). unfold p. rewrite gap_map_value. unfold exploring, prediction.
    cbn [Nat.eqb]. unfold right_probability, k. field. lra.
  Qed.

  Lemma right_draw_positive h : 0 < p h 0.
  Proof using parameters.
    rewrite right_draw. assert (H := right_probability_range (position h) (position_range h)).
    assert (0 < r ^ 2) by (apply pow_lt; lra). lra.
  Qed.

  Lemma in_ball_always h : in_ball K 1 D (learned h).
  Proof using parameters ball.
    unfold in_ball, learned. rewrite symmetric_norm, ball by exact classes. fold k.
    assert (H := position_range h). destruct k_value as (_ & Hk & _). assert (position h ^ 2 <= 1) by nra. nra.
  Qed.

  Lemma loss_at h V : loss s (learned h) (shown h) 0 0 V = smooth_hinge (margin K (scores 1 V (shown h)) 0).
  Proof using. reflexivity. Qed.

  Lemma slope_at mu : 0 <= mu <= 1 -> subgradient smooth_hinge (mu * feature mu) (-2 * slack mu).
  Proof using parameters.
    intros Hmu. assert (Hz := slack_range mu Hmu). unfold slack in *. rewrite (Rmult_comm (feature mu)) in *.
    destruct (Rle_dec 0 (mu * feature mu)) as [H0|H0].
    - apply smooth_hinge_pieces. lra.
    - exfalso. assert (Hc := feature_range mu Hmu). assert (0 <= mu * feature mu) by (apply Rmult_le_pos; lra). lra.
  Qed.

  Lemma adversary_admissible : admissible K 1 1 T shown zero.
  Proof using parameters.
    intros h _. split; [unfold zero; lia|]. unfold dot, shown. cbn [sum].
    assert (H := feature_range (position h) (position_range h)). nra.
  Qed.

  Lemma learner_plays : bandit_plays K 1 s D gamma eta T shown zero learned zero.
  Proof using parameters ball.
    split; [intros; unfold learned, symmetric; cbn [position]; ring|]. intros h Hh.
    assert (Hmu := position_range h). assert (Hc := feature_range (position h) Hmu).
    split.
    { apply symmetric_top; [exact classes|]. apply Rmult_le_pos; unfold shown; lra. }
    change (exploring K gamma (gap_map s (learned h) (shown h) (zero h)) (zero h)) with (p h).
    intros q draw Hdraw. subst q. unfold zero.
    set (v := fun j => (if Nat.eqb j 0 then 1 else 0) - rival K j).
    assert (HG : matrix_subgradient K 1 (loss s (learned h) (shown h) 0 0) (learned h)
      (fun j i => -2 * slack (position h) * v j * shown h i)).
    { apply (symmetric_subgradient K classes (position h) (shown h)); [now apply slope_at|].
      assert (Hz := slack_range (position h) Hmu). lra. }
    exists (fun j i => importance (p h) 0 draw * (-2 * slack (position h) * v j * shown h i)).
    assert (Hweight : 0 <= importance (p h) 0 draw).
    { unfold importance. destruct (Nat.eqb_spec draw 0) as [->|_]; [|lra]. left. apply divided; [lra|].
      apply right_draw_positive. }
    split; [now apply scaled_subgradient|]. apply not_projected; [|apply in_ball_always].
    intros j i _ _. unfold learned, symmetric, importance. cbn [position]. fold (v j).
    destruct (Nat.eqb_spec draw 0) as [->|_]; [|ring].
    rewrite right_draw. unfold next, shown. fold k. set (mu := position h).
    assert (Hq := right_probability_range mu Hmu). destruct k_value as (_ & Hk & _).
    assert (0 < r ^ 2) by (apply pow_lt; lra). field. lra.
  Qed.

  (** * What is forced *)

  Definition comparator : matrix := symmetric K 1.

  Let losses (h : history) (draw : nat) : R := importance (p h) 0 draw * (1 - feature (position h)) ^ 2.

  Lemma comparator_loss h : loss s (learned h) (shown h) 0 0 comparator = (1 - feature (position h)) ^ 2.
  Proof using parameters.
    assert (Hc := feature_range (position h) (position_range h)). rewrite loss_at. unfold comparator.
    rewrite symmetric_margin by exact classes. unfold shown. rewrite smooth_hinge_middle by lra. f_equal. ring.
  Qed.

  (** Forced in the rounds to come, at least. *)
  Definition to_come (n mu : R) : R :=
    gamma * k * (INR T - n) +
    if Rlt_dec mu (1 - e) then potential mu - potential 0 / INR T * n else 0.

  Lemma round_pays n mu : 0 <= n < INR T -> 0 <= mu <= 1 ->
    let q := right_probability mu in
    to_come n mu <= (1 - q) - (1 - feature mu) ^ 2 + (1 - q) * to_come (n + 1) mu + q * to_come (n + 1) (next mu).
  Proof using parameters tuned.
    intros Hn Hmu q. assert (Hq := right_probability_range mu Hmu). fold q in Hq. destruct k_value as (_ & Hk & _).
    assert (Hq0 : 0 <= q) by (assert (H := pow2_ge_0 r); lra).
    assert (Hnext := next_range mu Hmu). assert (HT := rounds_positive).
    assert (Hexplored : gamma * k <= 1 - q).
    { unfold q, right_probability. assert (H := Rmax_r (slack mu ^ 2) gamma). nra. }
    unfold to_come. destruct (Rlt_dec mu (1 - e)) as [Hfirst|Hsecond].
    - assert (Hgain := gain mu (conj (proj1 Hmu) Hfirst)). fold q in Hgain.
      set (share := potential 0 / INR T) in *.
      assert (Hshare : 0 <= share).
      { apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat]. unfold potential.
        apply Rmult_le_pos; [exact potential_factor|nra]. }
      assert (Hreached : potential (next mu) - share * (n + 1) <=
        if Rlt_dec (next mu) (1 - e) then potential (next mu) - share * (n + 1) else 0).
      { destruct Rlt_dec as [|Hpast]; [lra|]. assert (0 <= share * (n + 1)) by (apply Rmult_le_pos; lra).
        assert (potential (next mu) <= 0); [|lra]. unfold potential.
        assert (Hsquares : (1 - next mu) ^ 2 - e ^ 2 <= 0) by nra. assert (HC := potential_factor). nra. }
      apply Rmult_le_compat_l with (r := q) in Hreached; [|exact Hq0]. lra.
    - assert (Hone : feature mu = 1) by (unfold feature; destruct Rlt_dec; [contradiction|reflexivity]).
      destruct (Rlt_dec (next mu) (1 - e)); [lra|]. rewrite Hone. lra.
  Qed.

  Let value (h : history) : R :=
    weighted_total losses h - mistakes zero h - to_come (INR (length h)) (position h).

  Lemma value_falls h : takes_place K T h -> sum K (fun draw => p h draw * value (draw :: h)) <= value h.
  Proof using parameters tuned.
    intros [_ Hlen]. apply lt_INR in Hlen. set (mu := position h). set (n := INR (length h)) in *.
    assert (Hn : 0 <= n < INR T) by (split; [apply pos_INR|exact Hlen]).
    assert (Hpays := round_pays n mu Hn (position_range h)). cbn zeta in Hpays.
    assert (Hq := right_draw h). assert (Hq0 := right_draw_positive h). fold mu in Hq.
    set (before := weighted_total losses h - mistakes zero h).
    set (wrong := before - 1 - to_come (n + 1) mu).
    set (correct := before + / p h 0 * (1 - feature mu) ^ 2 - to_come (n + 1) (next mu)).
    rewrite (sum_ext K _ (fun draw => wrong * p h draw + if Nat.eqb draw 0 then p h 0 * (correct - wrong) else 0)).
    - assert (Hone : sum K (p h) = 1).
      { apply exploring_is_distribution; [lia| |assert (H := gamma_small); lra].
        rewrite gap_map_value. assert (H := slack_range mu (position_range h)). fold mu.
        assert (H' := position_range h). fold mu in H'. nra. }
      rewrite sum_plus, sum_scale, Hone, sum_pick by lia. unfold value. fold before n mu.
      replace (p h 0 * (correct - wrong)) with
        ((1 - feature mu) ^ 2 + p h 0 * (1 - to_come (n + 1) (next mu) + to_come (n + 1) mu))
        by (unfold correct, wrong; field; lra).
      unfold wrong. rewrite Hq in *. lra.
    - intros draw _. unfold value, correct, wrong. cbn [weighted_total mistakes length position]. rewrite S_INR.
      fold n mu before. unfold losses, importance, zero. fold mu.
      destruct (Nat.eqb_spec draw 0) as [->|_]; unfold before, losses, importance, zero; field; lra.
  Qed.

  Theorem forced :
    gamma * k * INR T + potential 0 <=
    expectation K p T (mistakes zero) [] - expectation K p T (weighted_total losses) [].
  Proof using parameters tuned.
    assert (H : expectation K p T (fun h => weighted_total losses h - mistakes zero h) [] <= value []).
    { apply expectation_telescopes with (T := T); auto using value_falls.
      - intros h _. apply exploring_is_distribution; [lia| |assert (H := gamma_small); lra].
        rewrite gap_map_value. assert (H := slack_range _ (position_range h)). assert (H' := position_range h). nra.
      - intros h _ Hlen. unfold value, to_come. rewrite Hlen. assert (HT := rounds_positive).
        destruct Rlt_dec as [Hfirst|_]; [|lra].
        replace (potential 0 / INR T * INR T) with (potential 0) by (field; lra).
        assert (potential (position h) <= potential 0); [|lra]. unfold potential.
        apply Rmult_le_compat_l; [exact potential_factor|]. assert (H := position_range h). nra. }
    rewrite expectation_minus in H. unfold value, to_come in H. cbn [weighted_total mistakes length position INR] in H.
    destruct Rlt_dec as [_|Hnot] in H; [|lra]. lra.
  Qed.
End Adversary.
