(** The stream on which Theorem 6 as printed is false from 55 classes on, without the learner.

    In round t the one feature is c = r/(1 - (1 - r) m), r = 1/sqrt(K), m = [path t] the margin that label 0 has on
    average. With u = 1 - m and w = 1 - (1 - r) m the learner's slack is z = 1 - c m = u/w and the comparator's 1 - c is
    (1 - r) z. Without exploration a round costs (1 - r^2) z^2 - (1 - r)^2 z^2, which a fall of (1 - r) u^2/a pays for,
    a the size of a step; exploration adds (1 - r^2) (gamma - z^2) where z^2 < gamma = g^2. The learner's
    margin may be less than m by [slip]. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import LogisticProof.
Open Scope R_scope.

Lemma ln_ratio a b : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof. intros Ha Hb. unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). ring. Qed.

Section Path.
  Variables (r g a slip : R) (T : nat).
  Let k := 1 - r ^ 2.
  Hypothesis r_range : 0 < r <= 1 / 2.
  Hypothesis g_positive : 0 < g.
  Hypothesis a_range : 0 < a <= r / 3.
  Hypothesis slip_range : 0 <= slip.
  Hypothesis tuned : a * g ^ 2 * INR T = 2.

  Collection parameters := r_range g_positive a_range slip_range.

  Definition feature (m : R) : R := r / (1 - (1 - r) * m).
  Definition slack (m : R) : R := 1 - feature m * m.

  Fixpoint path (t : nat) : R :=
    match t with
    | O => 0
    | S t => path t + a * feature (path t) * slack (path t)
    end.

  (** What a round costs the learner at least, and the comparator. *)
  Definition round_cost (m : R) : R := k * (Rmax (slack m ^ 2) (g ^ 2) - 2 * slack m * feature m * slip).
  Definition round_loss (m : R) : R := (1 - feature m) ^ 2.

  (** * One step *)

  Section Step.
    Variable m : R.
    Hypothesis m_range : 0 <= m <= 1.
    Let u := 1 - m.
    Let w := r + (1 - r) * u.
    Let step := a * r * (u / w ^ 2).

    Lemma width_range : r <= w <= 1 /\ w ^ 2 <= r ^ 2 + 2 * r * u + u ^ 2 /\ 0 <= u <= 1.
    Proof using parameters m_range.
      assert (Hu : 0 <= u <= 1) by (unfold u; lra). split; [unfold w; nra|]. split; [|exact Hu].
      unfold w. replace (r ^ 2 + 2 * r * u + u ^ 2) with ((r + u) ^ 2) by ring. apply pow_incr. nra.
    Qed.

    Lemma feature_value : feature m = r / w /\ 1 - feature m = (1 - r) * (u / w) /\ slack m = u / w.
    Proof using parameters m_range.
      assert (H := width_range). assert (Hw : 1 - (1 - r) * m = w) by (unfold w, u; ring).
      assert (Hf : feature m = r / w) by (unfold feature; now rewrite Hw).
      split; [exact Hf|]. unfold slack. rewrite Hf. split; unfold w, u in *; field; lra.
    Qed.

    Lemma feature_range : r <= feature m <= 1.
    Proof using parameters m_range.
      assert (H := width_range). destruct feature_value as [-> _].
      split; apply Rmult_le_reg_r with w; try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra.
    Qed.

    Lemma step_value : a * feature m * slack m = step.
    Proof using parameters m_range.
      assert (H := width_range). destruct feature_value as (-> & _ & ->). unfold step. field. lra.
    Qed.

    (** Slower than to a third of the way, and not too slow. *)
    Lemma step_range : a * r * u <= step <= u / 3 /\ 0 <= step.
    Proof using parameters m_range.
      assert (H := width_range). assert (Hw2 : r ^ 2 <= w ^ 2 <= 1).
      { split; [apply pow_incr; lra|]. rewrite <- (pow1 2). apply pow_incr. lra. }
      assert (0 < r ^ 2) by (apply pow_lt; lra).
      assert (Hq : u / w ^ 2 * w ^ 2 = u) by (field; lra). set (q := u / w ^ 2) in *.
      assert (Hq0 : 0 <= q) by nra. assert (Har : a * r <= r ^ 2 / 3) by nra. assert (0 < a * r) by nra.
      assert (u <= q) by nra. unfold step. fold q. repeat split; nra.
    Qed.

    Lemma square_falls : (1 - r) / a * (u ^ 2 - (u - step) ^ 2) <= 2 * r * (1 - r) * slack m ^ 2.
    Proof using parameters m_range.
      assert (H := width_range). destruct feature_value as (_ & _ & ->).
      replace (2 * r * (1 - r) * (u / w) ^ 2) with ((1 - r) / a * (2 * u * step)) by (unfold step; field; lra).
      apply Rmult_le_compat_l; [|assert (0 <= step ^ 2) by apply pow2_ge_0; nra].
      apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
    Qed.

    Lemma logarithm_falls : 2 * r ^ 2 / (u + r * g) * step <= 2 * r ^ 2 * (ln (u + r * g) - ln (u - step + r * g)).
    Proof using parameters m_range.
      assert (H := width_range). assert (Hs := step_range). assert (0 < r * g) by now apply Rmult_lt_0_compat.
      assert (Hl := ln_tangent ((u - step + r * g) / (u + r * g)) ltac:(apply Rdiv_lt_0_compat; lra)).
      rewrite ln_ratio in Hl by lra.
      replace ((u - step + r * g) / (u + r * g) - 1) with (- (step / (u + r * g))) in Hl by (field; lra).
      replace (2 * r ^ 2 / (u + r * g) * step) with (2 * r ^ 2 * (step / (u + r * g))) by (field; lra).
      apply Rmult_le_compat_l; nra.
    Qed.

    (** Where z^2 < gamma the learner is not charged z^2 but for a last part that is paid here. *)
    Lemma tail_paid : Rmin (slack m ^ 2) (g ^ 2) <=
      g ^ 2 / (a * r) * (step * (2 * r ^ 2 / (u + r * g) + 2 * r + u)).
    Proof using parameters m_range.
      assert (H := width_range). assert (Hrg : 0 < r * g) by now apply Rmult_lt_0_compat.
      destruct feature_value as (_ & _ & ->). assert (Hw2 : 0 < w ^ 2) by (apply pow_lt; lra).
      set (share := 2 * r ^ 2 * u / (u + r * g)).
      assert (Hshare : share * (u + r * g) = 2 * r ^ 2 * u) by (unfold share; field; lra).
      replace (g ^ 2 / (a * r) * (step * (2 * r ^ 2 / (u + r * g) + 2 * r + u)))
        with (g ^ 2 * (share + 2 * r * u + u ^ 2) / w ^ 2) by (unfold step, share; field; lra).
      assert (Hg2 : 0 < g ^ 2) by now apply pow_lt.
      destruct (Rle_dec u (r * g)) as [Hlow|Hhigh].
      - refine (Rle_trans _ _ _ (Rmin_l _ _) _). replace ((u / w) ^ 2) with (u ^ 2 / w ^ 2) by (field; lra).
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
        assert (Hs : r * u <= share * g).
        { apply Rmult_le_reg_r with (u + r * g); [lra|].
          replace (share * g * (u + r * g)) with (g * (2 * r ^ 2 * u)) by (rewrite <- Hshare; ring).
          replace (r * u * (u + r * g)) with (r * u * u + r * u * (r * g)) by ring.
          assert (0 <= r * u) by nra. nra. }
        assert (0 <= g ^ 2 * (2 * r * u + u ^ 2)) by (apply Rmult_le_pos; nra).
        assert (u ^ 2 <= g ^ 2 * share); [|nra].
        replace (g ^ 2 * share) with (g * (share * g)) by ring. nra.
      - refine (Rle_trans _ _ _ (Rmin_r _ _) _). apply Rmult_le_reg_r with (w ^ 2); [exact Hw2|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply Rmult_le_compat_l; [lra|].
        assert (r ^ 2 <= share); [|lra]. apply Rmult_le_reg_r with (u + r * g); [lra|]. rewrite Hshare.
        assert (0 < r ^ 2) by (apply pow_lt; lra). nra.
    Qed.

    Definition tail (v : R) : R := g ^ 2 / (a * r) * (2 * r ^ 2 * ln (v + r * g) + 2 * r * v + 3 / 5 * v ^ 2).

    Lemma tail_falls : Rmin (slack m ^ 2) (g ^ 2) <= tail u - tail (u - step).
    Proof using parameters m_range.
      refine (Rle_trans _ _ _ tail_paid _). unfold tail. rewrite <- Rmult_minus_distr_l.
      assert (Hl := logarithm_falls). assert (Hs := step_range). assert (Hu := width_range).
      apply Rmult_le_compat_l; [|nra]. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat. nra.
    Qed.

    Lemma round_pays :
      (1 - r) / a * (u ^ 2 - (u - step) ^ 2) + k * (g ^ 2 - (tail u - tail (u - step)) - 2 * slip / a * step)
        <= round_cost m - round_loss m.
    Proof using parameters m_range.
      assert (Hslip : 2 * slip / a * step = 2 * slack m * feature m * slip) by (rewrite <- step_value; field; lra).
      rewrite Hslip. clear Hslip. assert (Hsquare := square_falls). assert (Htail := tail_falls).
      unfold round_cost, round_loss.
      destruct feature_value as (_ & -> & Hz). rewrite <- Hz. set (z := slack m) in *.
      assert (Hk : 0 <= k) by (unfold k; nra).
      assert (Hmax : Rmax (z ^ 2) (g ^ 2) = z ^ 2 + g ^ 2 - Rmin (z ^ 2) (g ^ 2))
        by (unfold Rmax, Rmin; destruct Rle_dec; lra).
      rewrite Hmax. apply Rmult_le_compat_l with (r := k) in Htail; [|exact Hk].
      replace (((1 - r) * z) ^ 2) with ((k - 2 * r * (1 - r)) * z ^ 2) by (unfold k; ring). lra.
    Qed.
  End Step.

  (** * All steps *)

  Lemma path_range t : 0 <= path t <= 1.
  Proof using parameters.
    induction t as [|t IH]; cbn [path]; [lra|]. rewrite (step_value _ IH). assert (H := step_range _ IH). lra.
  Qed.

  (** How far from 1 the margin is after [t] rounds. *)
  Lemma path_near_one t : (1 - path t) * (1 + INR t * (a * r)) <= 1.
  Proof using parameters.
    induction t as [|t IH]; [cbn [path INR]; lra|]. assert (Hm := path_range t). cbn [path]. rewrite S_INR.
    rewrite (step_value _ Hm). assert (Hs := step_range _ Hm). set (m := path t) in *. set (n := INR t) in *.
    assert (Hn : 0 <= n) by apply pos_INR. set (q := a * r) in *. assert (Hq : 0 < q) by (unfold q; nra).
    match goal with |- (1 - (m + ?s)) * _ <= 1 => set (step := s) in * end.
    assert (H1 : 1 - (m + step) <= (1 - m) * (1 - q)) by (unfold q in *; lra).
    assert (Hfactor : 0 <= 1 + (n + 1) * q) by nra.
    apply Rmult_le_compat_r with (r := 1 + (n + 1) * q) in H1; [|exact Hfactor].
    refine (Rle_trans _ _ _ H1 _).
    replace ((1 - m) * (1 - q) * (1 + (n + 1) * q))
      with ((1 - m) * (1 + n * q) - (1 - m) * ((n + 1) * q ^ 2)) by ring.
    assert (0 <= (1 - m) * ((n + 1) * q ^ 2)); [|lra]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|].
    apply pow2_ge_0.
  Qed.

  (** What rounds t, ..., T - 1 bring at least. *)
  Definition worth (t : nat) : R :=
    (1 - r) / a * ((1 - path t) ^ 2 - (1 - path T) ^ 2)
    + k * (g ^ 2 * (INR T - INR t) - (tail (1 - path t) - tail 0) - 2 * slip / a * (1 - path t)).

  Lemma worth_falls t : worth t <= round_cost (path t) - round_loss (path t) + worth (S t).
  Proof using parameters.
    assert (Hm := path_range t). assert (H := round_pays _ Hm). unfold worth. rewrite S_INR. cbn [path].
    rewrite (step_value _ Hm). set (m := path t) in *.
    match type of H with context [tail (1 - m - ?s)] => set (step := s) in * end.
    replace (1 - (m + step)) with (1 - m - step) by ring. lra.
  Qed.

  Lemma tail_positive v : 0 <= v -> tail 0 <= tail v.
  Proof using parameters.
    intros Hv. unfold tail. assert (0 < r * g) by now apply Rmult_lt_0_compat.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; nra]|].
    assert (Hl : ln (0 + r * g) <= ln (v + r * g)).
    { destruct Hv as [Hv|<-]; [|lra]. left. apply ln_increasing; lra. }
    assert (0 <= r ^ 2) by apply pow2_ge_0. nra.
  Qed.

  Lemma worth_end : worth T <= 0.
  Proof using parameters.
    assert (Hm := path_range T). assert (H := tail_positive (1 - path T) ltac:(lra)). unfold worth.
    assert (0 <= k) by (unfold k; nra).
    assert (0 <= 2 * slip / a * (1 - path T)).
    { apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
    nra.
  Qed.

  (** In units of gamma T. *)
  Definition share : R :=
    (1 - r) / 2 * (1 - (g ^ 2 / (2 * r)) ^ 2) + k
    - k * (g ^ 2 / (2 * r) * (2 * r ^ 2 * ln (1 + / (r * g)) + 2 * r + 3 / 5) + slip).

  Theorem worth_start : g ^ 2 * INR T * share <= worth 0.
  Proof using parameters tuned.
    assert (Hrg : 0 < r * g) by now apply Rmult_lt_0_compat. assert (Hg2 : 0 < g ^ 2) by now apply pow_lt.
    assert (Hinv : / a = g ^ 2 * INR T / 2) by (apply Rmult_eq_reg_l with a; [rewrite Rinv_r by lra|]; lra).
    assert (HT : 0 < g ^ 2 * INR T) by (assert (0 < / a) by (apply Rinv_0_lt_compat; lra); lra).
    assert (Htail : tail 1 - tail 0 =
      g ^ 2 * INR T * (g ^ 2 / (2 * r) * (2 * r ^ 2 * ln (1 + / (r * g)) + 2 * r + 3 / 5))).
    { unfold tail. replace (1 + / (r * g)) with ((1 + r * g) / (0 + r * g)) by (field; nra). rewrite ln_ratio by lra.
      replace (g ^ 2 / (a * r)) with (/ a * (g ^ 2 / r)) by (field; lra). rewrite Hinv. field. lra. }
    assert (Hfar : (1 - path T) ^ 2 <= (g ^ 2 / (2 * r)) ^ 2).
    { assert (H := path_near_one T). assert (Hm := path_range T). apply pow_incr. split; [lra|].
      apply Rmult_le_reg_r with (2 * r); [lra|]. replace (g ^ 2 / (2 * r) * (2 * r)) with (g ^ 2) by (field; lra).
      replace (INR T * (a * r)) with (2 * r / g ^ 2) in H by (rewrite <- tuned; field; lra).
      assert (Hd : 2 * r / g ^ 2 * g ^ 2 = 2 * r) by (field; lra). set (q := 2 * r / g ^ 2) in *.
      assert ((1 - path T) * (q * g ^ 2) <= g ^ 2); [|rewrite Hd in *; lra].
      assert ((1 - path T) * q <= 1) by nra. nra. }
    unfold worth, share. cbn [path INR]. replace (1 - 0) with 1 by ring. rewrite Htail.
    replace (2 * slip / a * 1) with (g ^ 2 * INR T * slip) by (rewrite <- tuned; field; lra).
    unfold Rdiv at 5. rewrite Hinv. set (far := (1 - path T) ^ 2) in *. set (bound := (g ^ 2 / (2 * r)) ^ 2) in *.
    assert (g ^ 2 * INR T * ((1 - r) / 2 * (1 - bound)) <= (1 - r) * (g ^ 2 * INR T / 2) * (1 ^ 2 - far)); [|lra].
    replace ((1 - r) * (g ^ 2 * INR T / 2) * (1 ^ 2 - far)) with (g ^ 2 * INR T * ((1 - r) / 2 * (1 - far))) by field.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
  Qed.
End Path.
