(** One descent, of which every guarantee and Lemma 1 as printed are made: what is lost is paid by the comparator and by a potential.

    The adversary sees the draws. Costs and what the comparator pays may depend on the draw of the round, as those of
    importance-weighted losses do; the weights may be moved nearer to the comparator after a step. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Expectations.
Import ListNotations.
Open Scope R_scope.

Lemma total_weighted l h : total l h = weighted_total (fun past _ => l past) h.
Proof. induction h as [|draw h IH]; cbn [total weighted_total]; [reflexivity|]. now rewrite IH. Qed.

Lemma weighted_total_plus f g h :
  weighted_total (fun past draw => f past draw + g past draw) h = weighted_total f h + weighted_total g h.
Proof. induction h as [|draw h IH]; cbn [weighted_total]; [ring|]. rewrite IH. ring. Qed.

Lemma weighted_total_scale c f h : weighted_total (fun past draw => c * f past draw) h = c * weighted_total f h.
Proof. induction h as [|draw h IH]; cbn [weighted_total]; [ring|]. rewrite IH. ring. Qed.

Lemma expectation_plus K p n f g h :
  expectation K p n (fun h => f h + g h) h = expectation K p n f h + expectation K p n g h.
Proof.
  revert h. induction n as [|n IH]; intros h; cbn [expectation]; [reflexivity|].
  rewrite <- sum_plus. apply sum_ext. intros draw _. rewrite IH. ring.
Qed.

Lemma expectation_ext K p f g : (forall h, f h = g h) ->
  forall n h, expectation K p n f h = expectation K p n g h.
Proof.
  intros H n. induction n as [|n IH]; intros h; cbn [expectation]; [apply H|].
  apply sum_ext. intros. now rewrite IH.
Qed.

Lemma expectation_scale K p m r g h : expectation K p m (fun h => r * g h) h = r * expectation K p m g h.
Proof.
  revert h. induction m as [|m IH]; intros h; cbn [expectation]; [reflexivity|].
  rewrite <- sum_scale. apply sum_ext. intros k _. rewrite IH. ring.
Qed.

(** What does not depend on the draw comes out of its mean. *)
Lemma mean_shifted M p f c : is_distribution M p ->
  sum M (fun draw => p draw * (f draw + c)) = sum M (fun draw => p draw * f draw) + c.
Proof.
  intros [_ Hone]. rewrite (sum_ext M _ (fun draw => p draw * f draw + c * p draw)) by (intros; ring).
  rewrite sum_plus, sum_scale, Hone. ring.
Qed.

Lemma expectation_shifted M T p f c : (forall h, takes_place M T h -> is_distribution M (p h)) ->
  forall n h, Forall (fun draw => (draw < M)%nat) h -> (length h + n = T)%nat ->
    expectation M p n (fun h => f h + c) h = expectation M p n f h + c.
Proof.
  intros Hp n. induction n as [|n IH]; intros h Hh Hlen; cbn [expectation]; [reflexivity|].
  rewrite (sum_ext M _ (fun draw => p h draw * (expectation M p n f (draw :: h) + c))).
  - apply mean_shifted, Hp. split; [assumption|lia].
  - intros draw Hdraw. f_equal. apply IH; [now constructor|simpl; lia].
Qed.

Section Accounts.
  Variables (M T : nat) (p cost paid : history -> nat -> R) (potential : history -> R) (slack : R).
  Hypothesis distributions : forall h, takes_place M T h -> is_distribution M (p h).
  Hypothesis nonnegative : forall h, 0 <= potential h.
  Hypothesis round : forall h, takes_place M T h -> exists step,
    (forall draw, (draw < M)%nat -> potential (draw :: h) <= potential h + step draw) /\
    sum M (fun draw => p h draw * (cost h draw - paid h draw + step draw)) <= slack.

  Theorem accounts :
    expectation M p T (weighted_total cost) [] <=
    expectation M p T (weighted_total paid) [] + (potential [] + slack * INR T).
  Proof using distributions nonnegative round.
    set (owed h := weighted_total cost h - weighted_total paid h).
    set (value h := owed h + potential h + slack * (INR T - INR (length h))).
    assert (H : expectation M p T owed [] <= value []).
    { apply expectation_telescopes with (T := T); [exact distributions| | |constructor|reflexivity].
      - intros h Hh. destruct (round h Hh) as (step & Hstep & Hslack). destruct (distributions h Hh) as [Hpos Hone].
        apply Rle_trans with (sum M (fun draw =>
          p h draw * (cost h draw - paid h draw + step draw + (value h - slack)))).
        + apply sum_le. intros draw Hdraw. apply Rmult_le_compat_l; [now apply Hpos|]. specialize (Hstep draw Hdraw).
          unfold value, owed. cbn [weighted_total length]. rewrite S_INR. lra.
        + rewrite mean_shifted by (now split). lra.
      - intros h _ Hlen. unfold value. rewrite Hlen. specialize (nonnegative h). lra. }
    unfold owed in H. rewrite expectation_minus in H. unfold value, owed in H.
    cbn [weighted_total length INR] in H. lra.
  Qed.
End Accounts.

(** * Gradient descent: the potential is a share of ||W - U||^2/(2 eta) *)

Section Potential.
  Variables (rows d : nat) (eta share : R) (W : history -> matrix) (U : matrix).
  Hypothesis eta_positive : 0 < eta.
  Hypothesis share_nonnegative : 0 <= share.

  Definition potential (h : history) : R := share * (norm2 rows d (fun k i => W h k i - U k i) / (2 * eta)).

  Lemma potential_nonneg h : 0 <= potential h.
  Proof using eta_positive share_nonnegative.
    apply Rmult_le_pos; [assumption|]. apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra.
  Qed.

  Lemma potential_start : (forall k i, W [] k i = 0) -> potential [] = share * (norm2 rows d U / (2 * eta)).
  Proof using.
    intros Hzero. unfold potential. do 2 f_equal. apply sum_ext. intros k _. apply sum_ext. intros i _.
    rewrite Hzero. ring.
  Qed.

  (** After a step along -G, or at a point that is nearer to the comparator. *)
  Lemma potential_step h draw G :
    norm2 rows d (fun k i => W (draw :: h) k i - U k i) <= norm2 rows d (fun k i => W h k i - eta * G k i - U k i) ->
    potential (draw :: h) <= potential h
      + share * (inner rows d G (fun k i => U k i - W h k i) + eta / 2 * norm2 rows d G).
  Proof using eta_positive share_nonnegative.
    rewrite norm2_step. intros Hnearer. unfold potential. rewrite <- Rmult_plus_distr_l.
    apply Rmult_le_compat_l; [assumption|]. apply Rmult_le_reg_r with (2 * eta); [lra|].
    set (N := norm2 _ _ (fun k i => W h k i - U k i)) in *. set (I := inner rows d G _) in *.
    set (N' := norm2 _ _ (fun k i => W (draw :: h) k i - U k i)) in *.
    replace (N' / (2 * eta) * (2 * eta)) with N' by (field; lra).
    replace ((N / (2 * eta) + (I + eta / 2 * norm2 rows d G)) * (2 * eta))
      with (N + 2 * eta * I + eta ^ 2 * norm2 rows d G) by (field; lra). exact Hnearer.
  Qed.
End Potential.

Theorem descent M T p cost paid slack rows d eta share W U :
  0 < eta -> 0 <= share -> (forall k i, W [] k i = 0) ->
  (forall h, takes_place M T h -> is_distribution M (p h)) ->
  (forall h, takes_place M T h -> exists G : nat -> matrix,
    (forall draw, (draw < M)%nat -> norm2 rows d (fun k i => W (draw :: h) k i - U k i) <=
      norm2 rows d (fun k i => W h k i - eta * G draw k i - U k i)) /\
    sum M (fun draw => p h draw * (cost h draw - paid h draw
      + share * (inner rows d (G draw) (fun k i => U k i - W h k i) + eta / 2 * norm2 rows d (G draw)))) <= slack) ->
  expectation M p T (weighted_total cost) [] <=
  expectation M p T (weighted_total paid) [] + (share * (norm2 rows d U / (2 * eta)) + slack * INR T).
Proof.
  intros Heta Hshare Hzero Hdist Hround. rewrite <- (potential_start rows d eta share W U Hzero).
  apply accounts; [exact Hdist|now apply potential_nonneg|].
  intros h Hh. destruct (Hround h Hh) as (G & Hnearer & Hpays). eexists. split; [|exact Hpays].
  intros draw Hdraw. apply potential_step; auto.
Qed.

(** With full information the step does not depend on the draw, and what the learner loses in the mean pays for it. *)
Section FullInformation.
  Variables (M T : nat) (share : R) (p cost : history -> nat -> R).
  Hypothesis distributions : forall h, takes_place M T h -> is_distribution M (p h).

  Theorem full_accounts (loss potential : history -> R) :
    (forall h, 0 <= potential h) ->
    (forall h, takes_place M T h -> exists step,
      (forall draw, (draw < M)%nat -> potential (draw :: h) <= potential h + step) /\
      sum M (fun draw => p h draw * cost h draw) + step <= share * loss h) ->
    expectation M p T (weighted_total cost) [] <= share * expectation M p T (total loss) [] + potential [].
  Proof using distributions.
    intros Hpos Hround. rewrite <- expectation_scale.
    rewrite (expectation_ext M p (fun h => share * total loss h) (weighted_total (fun h _ => share * loss h)))
      by (intros h; rewrite total_weighted; symmetry; apply weighted_total_scale).
    rewrite <- (Rplus_0_r (potential [])), <- (Rmult_0_l (INR T)). apply accounts; try assumption.
    intros h Hh. destruct (Hround h Hh) as (step & Hstep & Hpays). exists (fun _ => step). split; [exact Hstep|].
    rewrite (sum_ext M _ (fun draw => p h draw * (cost h draw + (step - share * loss h)))) by (intros; ring).
    rewrite mean_shifted by now apply distributions. lra.
  Qed.
End FullInformation.
