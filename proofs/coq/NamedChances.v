(** The named facts about chances, smooth functions and sums along a game: see NamedFacts.v.

    Chances are those of finitely many outcomes, or of the draws of a game as Definitions.v has it. *)

From Coq Require Import Reals Lra Lia List Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices Expectations Optimal Derivatives BanditDefinitions NamedFacts.
Import ListNotations.
Open Scope R_scope.

(** * Importance-weighted estimates *)

Definition chance (N : nat) (w : nat -> R) (event : nat -> bool) : R :=
  weighted N w (fun k => if event k then 1 else 0).

Lemma on_the_event N w (event : nat -> bool) c :
  weighted N w (fun k => if event k then c else 0) = c * chance N w event.
Proof.
  unfold chance, weighted. rewrite <- sum_scale. apply sum_ext. intros k _.
  destruct (event k); ring.
Qed.

Theorem weighted_estimate N w (event : nat -> bool) p v e : is_distribution N w -> 0 < p -> p = chance N w event ->
  (forall k, (k < N)%nat -> e k = if event k then v / p else 0) -> weighted N w e = v.
Proof.
  intros _ Hp Hchance He. transitivity (weighted N w (fun k => if event k then v / p else 0)).
  - apply sum_ext. intros k Hk. now rewrite He.
  - rewrite on_the_event, <- Hchance. field. lra.
Qed.

Theorem weighted_second_moment n N w (event : nat -> bool) p g e : is_distribution N w -> 0 < p ->
  p = chance N w event ->
  (forall k, (k < N)%nat -> same n (e k) (fun i => if event k then g i / p else 0)) ->
  weighted N w (fun k => dot n (e k) (e k)) = dot n g g / p.
Proof.
  intros _ Hp Hchance He. transitivity (weighted N w (fun k => if event k then (/ p) ^ 2 * dot n g g else 0)).
  - apply sum_ext. intros k Hk. f_equal. rewrite (dot_same n _ _ _ _ (He k Hk) (He k Hk)). destruct (event k).
    + apply (norm_of_a_multiple n _ (/ p) g). intros i _. unfold Rdiv. ring.
    + apply sum_zero. intros. ring.
  - rewrite on_the_event, <- Hchance. field. lra.
Qed.

(** * Sums along a game *)

Section Game.
Variables (K T : nat) (p : history -> nat -> R).
Hypothesis Hp : forall h, takes_place K T h -> is_distribution K (p h).

(** Given the past. *)
Definition given (x : history -> nat -> R) (h : history) : R := weighted K (p h) (x h).

Theorem tower x : expectation K p T (weighted_total x) [] = expectation K p T (total (given x)) [].
Proof using Hp.
  assert (Hstep : forall h, takes_place K T h -> sum K (fun draw => p h draw *
    (weighted_total x (draw :: h) - total (given x) (draw :: h))) = weighted_total x h - total (given x) h).
  { intros h Hh. destruct (Hp h Hh) as [_ Hone]. cbn [weighted_total total].
    rewrite (sum_ext K _ (fun draw => p h draw * x h draw
      + (weighted_total x h - given x h - total (given x) h) * p h draw)) by (intros; ring).
    rewrite sum_plus, sum_scale, Hone. fold (weighted K (p h) (x h)). fold (given x h). ring. }
  assert (Hup : expectation K p T (fun h => weighted_total x h - total (given x) h) [] <= 0).
  { apply Rle_trans with (weighted_total x [] - total (given x) []); [|simpl; lra].
    apply (expectation_telescopes K T p _ (fun h => weighted_total x h - total (given x) h)); auto; try (intros; lra).
    intros h Hh. right. now apply Hstep. }
  assert (Hdown : expectation K p T (fun h => total (given x) h - weighted_total x h) [] <= 0).
  { apply Rle_trans with (total (given x) [] - weighted_total x []); [|simpl; lra].
    apply (expectation_telescopes K T p _ (fun h => total (given x) h - weighted_total x h)); auto; try (intros; lra).
    intros h Hh. right. specialize (Hstep h Hh). rewrite (sum_ext K _ (fun draw => -1 * (p h draw *
      (weighted_total x (draw :: h) - total (given x) (draw :: h))))) by (intros; ring).
    rewrite sum_scale, Hstep. ring. }
  rewrite expectation_minus in Hup, Hdown. lra.
Qed.

(** The chance that a condition on the draws holds in the end. *)
Definition chance_that (f bound : history -> R) : R :=
  expectation K p T (fun h => if Rlt_dec (bound h) (f h) then 1 else 0) [].

Lemma exponential_of_a_sum x level c : 0 < c ->
  (forall h, takes_place K T h -> given (fun h draw => exp (x h draw)) h <= 1) ->
  (forall h, level h < weighted_total x h -> ln (1 / c) < weighted_total x h) ->
  chance_that (weighted_total x) level <= c.
Proof using Hp.
  intros Hc Hgiven Hlevel.
  assert (H : chance_that (weighted_total x) level <= c * exp (weighted_total x []));
    [|simpl in H; rewrite exp_0 in H; lra].
  unfold chance_that. apply (expectation_telescopes K T p _ (fun h => c * exp (weighted_total x h))); auto.
  - intros h Hh. specialize (Hgiven h Hh). unfold given, weighted in Hgiven. cbn [weighted_total].
    rewrite (sum_ext K _ (fun draw => c * exp (weighted_total x h) * (p h draw * exp (x h draw))))
      by (intros; rewrite exp_plus; ring).
    rewrite sum_scale. assert (0 < c * exp (weighted_total x h)) by (apply Rmult_lt_0_compat; [lra|apply exp_pos]). nra.
  - intros h _ _. assert (Hpos := exp_pos (weighted_total x h)). destruct (Rlt_dec _ _) as [Hover|_].
    + specialize (Hlevel h Hover). apply exp_increasing in Hlevel.
      rewrite exp_ln in Hlevel by (apply Rdiv_lt_0_compat; lra).
      apply Rmult_lt_compat_l with (r := c) in Hlevel; [|lra].
      replace (c * (1 / c)) with 1 in Hlevel by (field; lra). lra.
    + left. now apply Rmult_lt_0_compat.
Qed.

Theorem exponential_supermartingale x c : 0 < c ->
  (forall h, takes_place K T h -> given (fun h draw => exp (x h draw)) h <= 1) ->
  chance_that (weighted_total x) (fun _ => ln (1 / c)) <= c.
Proof using Hp. intros Hc Hgiven. now apply exponential_of_a_sum. Qed.

Lemma exp_below_square u : u <= 1 -> exp u <= 1 + u + u ^ 2.
Proof using.
  intros Hu. set (f := fun u => (1 + u + u ^ 2) * exp (- u)). set (f' := fun u => (u - u ^ 2) * exp (- u)).
  assert (Hderive : forall c, derivable_pt_lim f c (f' c)) by (intros c; unfold f, f'; derive; ring).
  assert (H0 : f 0 = 1) by (unfold f; rewrite Ropp_0, exp_0; ring).
  assert (H : 1 <= f u).
  { destruct (Rtotal_order u 0) as [Hlt|[->|Hgt]]; [|lra|].
    - destruct (MVT_cor2 f f' u 0 Hlt) as (c & Heq & Hc); [intros; apply Hderive|].
      assert (Hpos := exp_pos (- c)).
      assert (Hc2 : c - c ^ 2 <= 0) by nra. assert (f' c <= 0) by (unfold f'; nra). nra.
    - destruct (MVT_cor2 f f' 0 u Hgt) as (c & Heq & Hc); [intros; apply Hderive|].
      assert (Hpos := exp_pos (- c)).
      assert (Hc2 : 0 <= c - c ^ 2) by nra. assert (0 <= f' c) by (unfold f'; nra). nra. }
  unfold f in H. assert (Hpos := exp_pos u). apply Rmult_le_compat_r with (r := exp u) in H; [|lra].
  rewrite Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0 in H. lra.
Qed.

Definition martingale_difference (z : history -> nat -> R) : Prop :=
  forall h, takes_place K T h -> given z h = 0.

(** P(sum Z > r V + L/r) <= e^(-L) *)
Theorem freedman z r top L : 0 < r -> martingale_difference z ->
  (forall h draw, takes_place K T h -> (draw < K)%nat -> z h draw <= top) -> r * top <= 1 ->
  chance_that (weighted_total z) (fun h => r * total (given (fun h draw => z h draw ^ 2)) h + L / r) <= exp (- L).
Proof using Hp.
  intros Hr Hmartingale Htop Hrate. set (v := given (fun h draw => z h draw ^ 2)).
  set (x := fun h draw => r * z h draw - r ^ 2 * v h).
  assert (Hsum : forall h, weighted_total x h = r * weighted_total z h - r ^ 2 * total v h).
  { induction h as [|draw h IH]; cbn [weighted_total total]; [ring|]. rewrite IH. unfold x. ring. }
  assert (Hone : forall h, takes_place K T h -> given (fun h draw => exp (x h draw)) h <= 1).
  { intros h Hh. destruct (Hp h Hh) as [Hpos Hsum1]. assert (Hmean := Hmartingale h Hh). unfold given, weighted in *.
    apply Rle_trans with (exp (- (r ^ 2 * v h)) * (1 + r ^ 2 * v h)).
    - replace (1 + r ^ 2 * v h) with (sum K (fun draw => p h draw * (1 + r * z h draw + (r * z h draw) ^ 2))).
      + rewrite <- sum_scale. apply sum_le. intros draw Hdraw. unfold x, Rminus. rewrite exp_plus.
        assert (Hz := Htop h draw Hh Hdraw). assert (Hle := exp_below_square (r * z h draw) ltac:(nra)).
        assert (He := exp_pos (- (r ^ 2 * v h))). specialize (Hpos draw Hdraw).
        assert (0 <= p h draw * exp (- (r ^ 2 * v h))) by (apply Rmult_le_pos; lra). nra.
      + rewrite (sum_ext K _ (fun draw => p h draw + r * (p h draw * z h draw) + r ^ 2 * (p h draw * z h draw ^ 2)))
          by (intros; ring).
        rewrite !sum_plus, !sum_scale, Hsum1, Hmean. unfold v, given, weighted. ring.
    - assert (He := exp_ineq1_le (r ^ 2 * v h)). assert (Hpos' := exp_pos (- (r ^ 2 * v h))).
      replace 1 with (exp (- (r ^ 2 * v h)) * exp (r ^ 2 * v h)) at 2
        by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
      apply Rmult_le_compat_l; lra. }
  assert (Hln : ln (1 / exp (- L)) = L).
  { unfold Rdiv. rewrite Rmult_1_l, <- exp_Ropp, Ropp_involutive. apply ln_exp. }
  apply Rle_trans with (chance_that (weighted_total x) (fun _ => L)).
  - right. unfold chance_that. f_equal. apply functional_extensionality. intros h. fold v. rewrite Hsum.
    assert (Hsame : r * total v h + L / r < weighted_total z h <-> L < r * weighted_total z h - r ^ 2 * total v h).
    { split; intros H.
      - apply Rmult_lt_compat_l with (r := r) in H; [|lra].
        replace (r * (r * total v h + L / r)) with (r ^ 2 * total v h + L) in H by (field; lra). lra.
      - apply Rmult_lt_reg_l with r; [lra|].
        replace (r * (r * total v h + L / r)) with (r ^ 2 * total v h + L) by (field; lra). lra. }
    destruct (Rlt_dec _ _), (Rlt_dec _ _); tauto || reflexivity.
  - apply exponential_of_a_sum; [apply exp_pos|assumption|]. intros h H. now rewrite Hln.
Qed.

End Game.

(** * Smooth functions *)

(** The derivatives along all lines; they are s-Lipschitz. *)
Definition gradient (n : nat) (f : vector -> R) (F : vector -> vector) : Prop :=
  forall x v, derivable_pt_lim (fun t => f (fun i => x i + t * v i)) 0 (dot n (F x) v).

Definition smooth_with (n : nat) (f : vector -> R) (F : vector -> vector) (s : R) : Prop :=
  gradient n f F /\
  forall x y, dot n (minus (F x) (F y)) (minus (F x) (F y)) <= s ^ 2 * dot n (minus x y) (minus x y).

Lemma gradient_on_a_line n f F x v t : gradient n f F ->
  derivable_pt_lim (fun t => f (fun i => x i + t * v i)) t (dot n (F (fun i => x i + t * v i)) v).
Proof.
  intros HF e He. destruct (HF (fun i => x i + t * v i) v e He) as [delta Hdelta]. exists delta. intros h Hne Hsmall.
  specialize (Hdelta h Hne Hsmall). rewrite Rplus_0_l in Hdelta.
  replace (fun i => x i + (t + h) * v i) with (fun i => x i + t * v i + h * v i)
    by (apply functional_extensionality; intros; ring).
  replace (fun i => x i + t * v i + 0 * v i) with (fun i => x i + t * v i) in Hdelta
    by (apply functional_extensionality; intros; ring).
  assumption.
Qed.

Theorem descent_lemma n f F s x : smooth_with n f F s -> 0 < s ->
  f (fun i => x i - F x i / s) <= f x - dot n (F x) (F x) / (2 * s).
Proof.
  intros [HF Hlip] Hs. set (v := fun i => - (1 / s) * F x i). set (N := dot n (F x) (F x)).
  assert (HN : 0 <= N) by apply dot_square_nonneg.
  assert (Hv : dot n (F x) v = - (N / s)) by (unfold v; rewrite dot_comm, dot_scale_left; fold N; field; lra).
  assert (Hvv : dot n v v = N / s ^ 2)
    by (rewrite (norm_of_a_multiple n v (- (1 / s)) (F x)) by easy; fold N; field; lra).
  set (line := fun t => f (fun i => x i + t * v i)).
  set (psi := fun t => line t + (t * (N / s) - t ^ 2 * (N / (2 * s)))).
  set (psi' := fun t => dot n (F (fun i => x i + t * v i)) v + (N / s - 2 * t * (N / (2 * s)))).
  destruct (MVT_cor2 psi psi' 0 1 Rlt_0_1) as (c & Heq & Hc).
  { intros t _. unfold psi, psi'. apply derivable_pt_lim_plus; [now apply gradient_on_a_line|].
    replace (N / s - 2 * t * (N / (2 * s))) with (1 * (N / s) + t * 0 - ((1 * t + t * 1) * (N / (2 * s)) + t * t * 0))
      by ring.
    assert (D := derivable_pt_lim_id t). apply derivable_pt_lim_minus.
    - apply (derivable_pt_lim_mult id (fun _ => N / s)); [assumption|apply derivable_pt_lim_const].
    - replace (fun t => t ^ 2 * (N / (2 * s))) with (fun t => (id t * id t) * (N / (2 * s)))
        by (apply functional_extensionality; intros; unfold id; ring).
      apply (derivable_pt_lim_mult (fun t => id t * id t) (fun _ => N / (2 * s))); [|apply derivable_pt_lim_const].
      now apply (derivable_pt_lim_mult id id). }
  assert (Hfalls : psi' c <= 0).
  { set (q := fun i => x i + c * v i) in *.
    assert (Hsplit : dot n (F q) v = dot n (minus (F q) (F x)) v + dot n (F x) v).
    { unfold dot, minus. rewrite <- sum_plus. apply sum_ext. intros. ring. }
    assert (Hcs := cauchy_schwarz n (minus (F q) (F x)) v). assert (Hlq := Hlip q x).
    assert (Hqx : dot n (minus q x) (minus q x) = c ^ 2 * dot n v v).
    { apply norm_of_a_multiple. intros i _. unfold minus, q. ring. }
    rewrite Hqx in Hlq. rewrite Hvv in Hcs, Hlq. set (I := dot n (minus (F q) (F x)) v) in *.
    set (M := dot n (minus (F q) (F x)) (minus (F q) (F x))) in *.
    assert (Hns : 0 <= N / s ^ 2) by (apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat, pow_lt; lra).
    assert (HI : I ^ 2 <= (c * (N / s)) ^ 2).
    { apply Rle_trans with (1 := Hcs). apply Rle_trans with (s ^ 2 * (c ^ 2 * (N / s ^ 2)) * (N / s ^ 2)).
      - now apply Rmult_le_compat_r.
      - right. field. lra. }
    assert (Hcn : 0 <= c * (N / s)).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat. }
    assert (HIle : I <= c * (N / s)) by (apply Rnot_lt_le; intros Hover; nra).
    unfold psi'. fold q. rewrite Hsplit, Hv. replace (2 * c * (N / (2 * s))) with (c * (N / s)) by (field; lra). lra. }
  assert (Hends : psi 1 <= psi 0) by lra. unfold psi, line in Hends.
  replace (fun i => x i + 1 * v i) with (fun i => x i - F x i / s) in Hends
    by (apply functional_extensionality; intros; unfold v; field; lra).
  replace (fun i => x i + 0 * v i) with x in Hends by (apply functional_extensionality; intros; ring).
  replace (N / (2 * s)) with (N / s - N / (2 * s)) by (field; lra). lra.
Qed.
