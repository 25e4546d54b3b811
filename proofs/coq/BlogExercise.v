(** Exercise 1 of the blog: follow-the-regularized-leader with an increasing regularizer needs no bound on the features.

    -||theta||^2/(2 lambda) is the least value of the leader's objective about w_1. It increases with lambda, and a
    round changes it by the linearized loss, up to ||g||^2/(2 lambda), which self-boundedness pays. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Expectations Descent Assembly BinaryTheorem.
From Gaptron Require Import OptimalUpper Blog SignedLosses.
Import ListNotations.
Open Scope R_scope.

Section Exercise.
Variables (plus minus : R -> R) (s : R) (d T : nat) (first : vector) (x : history -> vector) (y : history -> nat).
Hypothesis Hs : 0 < s.
Hypothesis Hlosses : suitable s plus minus.
Hypothesis Hlabels : forall h, takes_place 2 T h -> (y h < 2)%nat.

Notation l := (signed_loss d plus minus).
Notation seen := (largest_seen d x).
Notation lambda := (regularizer s d x).

Lemma rounds_at X : 0 < X -> sound_rounds 2 d l (guessing 2) X (1 / (2 * s * X ^ 2)).
Proof using Hs Hlosses.
  intros HX. assert (HX2 : 0 < X ^ 2) by now apply pow_lt. apply signed_rounds with (s := s); auto.
  split; [apply Rdiv_lt_0_compat; nra|lra].
Qed.

Lemma seen_nonneg h : 0 <= seen h.
Proof using. destruct h; [apply Rle_refl|]. apply Rle_trans with (2 := Rmax_r _ _). apply dot_square_nonneg. Qed.

Lemma seen_next draw h : 2 * s * seen (draw :: h) = lambda h.
Proof using. reflexivity. Qed.

Section Play.
Variables (W : history -> matrix) (ystar : history -> nat) (theta : history -> vector) (u : vector).
Hypothesis Hplay : follows_the_leader d l s first T x y W ystar theta.

Let p h := prediction 2 (gap_map l (W h) (x h) (ystar h)) (ystar h).
Let at_u h := loss l (W h) (x h) (ystar h) (y h) (fun _ => u).
Let at_w h := loss l (W h) (x h) (ystar h) (y h) (W h).
Let away : vector := fun i => u i - first i.
Let potential h := dot d (theta h) (theta h) / (2 * (2 * s * seen h)) + dot d (theta h) away.

Lemma drawn h : takes_place 2 T h -> is_distribution 2 (p h).
Proof using Hs Hlosses Hplay.
  intros Hh. destruct Hplay as [_ Hall]. destruct (Hall h Hh) as (_ & _ & Htop & _).
  destruct (sound_map _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) _ _ _ Htop). now apply prediction_is_distribution.
Qed.

(** Where all features are 0, so is every subgradient. *)
Lemma no_features h g : dot d (x h) (x h) = 0 ->
  matrix_subgradient 1 d (loss l (W h) (x h) (ystar h) (y h)) (W h) g ->
  norm2 1 d g = 0 /\ at_u h = at_w h.
Proof using.
  intros Hx Hg. assert (Hsame : forall V, dot d (V 0%nat) (x h) = 0).
  { intros V. transitivity (dot d (x h) (V 0%nat)); [apply sum_ext; intros; ring|now apply dot_zero]. }
  unfold at_u, at_w. cbn [loss signed_loss] in *. rewrite (Hsame (W h)).
  assert (Hu : dot d u (x h) = 0) by exact (Hsame (fun _ => u)). rewrite Hu. split; [|reflexivity].
  apply (constant_subgradient 1 d ((if Nat.eqb (y h) 0 then plus else minus) 0) (W h)).
  intros V. specialize (Hg V). cbv beta in Hg. now rewrite !Hsame in Hg.
Qed.

Lemma zero_entries g i : norm2 1 d g = 0 -> (i < d)%nat -> g 0%nat i = 0.
Proof using.
  unfold norm2. rewrite one_row. intros Hg Hi. assert (H := term_le_sum d (fun i => g 0%nat i * g 0%nat i) i Hi
    ltac:(intros; nra)). unfold dot in Hg. cbv beta in H. nra.
Qed.

Lemma nothing_seen h : Forall (fun draw => (draw < 2)%nat) h -> (length h <= T)%nat -> seen h = 0 ->
  forall i, (i < d)%nat -> theta h i = 0.
Proof using Hplay u.
  destruct Hplay as [Hzero Hall]. induction h as [|draw h IH]; intros Hdraws Hlen Hseen i Hi; [apply Hzero|].
  inversion Hdraws as [|? ? Hdraw Hrest]; subst. simpl in Hlen.
  assert (Hh : takes_place 2 T h) by (split; [assumption|lia]). cbn [largest_seen] in Hseen.
  assert (H1 := Rmax_l (seen h) (dot d (x h) (x h))). assert (H2 := Rmax_r (seen h) (dot d (x h) (x h))).
  assert (H3 := seen_nonneg h). assert (H4 := dot_square_nonneg d (x h)).
  destruct (Hall h Hh) as (_ & _ & _ & g & Hg & Hstep). rewrite Hstep, IH by (try assumption; try lia; lra).
  rewrite (zero_entries g i); [ring| |assumption]. now apply no_features with (h := h); [lra|].
Qed.

(** The least point of the leader's objective. *)
Lemma leader_step h i : takes_place 2 T h -> 0 < lambda h -> (i < d)%nat ->
  W h 0%nat i = first i - theta h i / lambda h.
Proof using Hplay.
  intros Hh Hlambda Hi. destruct Hplay as [_ Hall]. destruct (Hall h Hh) as (Hleast & _).
  specialize (Hleast Hlambda (fun i => first i - theta h i / lambda h)). unfold leader in Hleast.
  set (q := fun i => W h 0%nat i - (first i - theta h i / lambda h)).
  assert (Hq : lambda h / 2 * dot d q q <= 0).
  { replace (lambda h / 2 * dot d q q) with
      (dot d (theta h) (W h 0%nat)
       + lambda h / 2 * dot d (fun i => W h 0%nat i - first i) (fun i => W h 0%nat i - first i)
       - (dot d (theta h) (fun i => first i - theta h i / lambda h) + lambda h / 2 * dot d
           (fun i => first i - theta h i / lambda h - first i) (fun i => first i - theta h i / lambda h - first i)));
      [lra|].
    unfold dot, q. rewrite <- !sum_scale, <- !sum_plus, <- sum_minus. apply sum_ext. intros. field. lra. }
  assert (Hterm := term_le_sum d (fun i => q i * q i) i Hi ltac:(intros; nra)). cbv beta in Hterm.
  fold (dot d q q) in Hterm. assert (Hzero : q i * q i <= 0) by nra. assert (q i = 0) by nra. unfold q in *. lra.
Qed.

Lemma potential_step h : takes_place 2 T h -> exists g,
  matrix_subgradient 1 d (loss l (W h) (x h) (ystar h) (y h)) (W h) g /\
  forall draw, (draw < 2)%nat ->
    potential (draw :: h) <= potential h + at_u h - at_w h + / lambda h / 2 * norm2 1 d g.
Proof using Hs Hplay.
  intros Hh. destruct Hplay as [_ Hall]. destruct (Hall h Hh) as (_ & _ & _ & g & Hg & Hstep). clear Hall.
  exists g. split; [assumption|]. intros draw Hdraw.
  assert (Hle : 2 * s * seen h <= lambda h).
  { unfold regularizer. apply Rmult_le_compat_l; [lra|apply Rmax_l]. }
  assert (Hprevious : 0 <= 2 * s * seen h) by (assert (H := seen_nonneg h); apply Rmult_le_pos; lra).
  assert (Hnothing : 2 * s * seen h = 0 -> forall i, (i < d)%nat -> theta h i = 0).
  { intros Hz. apply nothing_seen; [apply Hh|destruct Hh; lia|]. apply Rmult_eq_reg_l with (2 * s); lra. }
  unfold potential. rewrite seen_next. set (L := lambda h) in *.
  assert (Haway : dot d (theta (draw :: h)) away = dot d (theta h) away + dot d (g 0%nat) away).
  { unfold dot. rewrite <- sum_plus. apply sum_ext. intros. rewrite Hstep by assumption. ring. }
  assert (Hsquare : dot d (theta (draw :: h)) (theta (draw :: h)) =
    dot d (theta h) (theta h) + 2 * dot d (theta h) (g 0%nat) + norm2 1 d g).
  { unfold norm2. rewrite one_row. unfold dot. rewrite <- sum_scale, <- !sum_plus. apply sum_ext. intros.
    rewrite Hstep by assumption. ring. }
  rewrite Haway, Hsquare. destruct (Rle_lt_dec L 0) as [HL|HL].
  - assert (Hx : dot d (x h) (x h) = 0).
    { assert (H1 := Rmax_r (seen h) (dot d (x h) (x h))). assert (H2 := dot_square_nonneg d (x h)).
      unfold L, regularizer in HL. assert (Rmax (seen h) (dot d (x h) (x h)) <= 0); [|lra].
      apply Rmult_le_reg_l with (2 * s); lra. }
    destruct (no_features h g Hx Hg) as [Hnone Hsame]. rewrite Hsame, Hnone.
    assert (Hzero : forall v, dot d (theta h) v = 0).
    { intros v. apply sum_zero. intros i Hi. rewrite (Hnothing ltac:(lra) i Hi). ring. }
    rewrite !Hzero. replace (dot d (g 0%nat) away) with 0; [unfold Rdiv; lra|].
    symmetry. apply sum_zero. intros i Hi. rewrite (zero_entries g i Hnone Hi). ring.
  - specialize (Hg (fun _ => u)). fold (at_u h) (at_w h) in Hg. rewrite one_row in Hg.
    replace (dot d (g 0%nat) (fun i => u i - W h 0%nat i))
      with (dot d (g 0%nat) away + / L * dot d (theta h) (g 0%nat)) in Hg.
    2:{ unfold dot. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros i Hi.
        rewrite (leader_step h i Hh HL Hi). unfold away, L. field. unfold L in HL. lra. }
    assert (Hsize : dot d (theta h) (theta h) / (2 * L) <= dot d (theta h) (theta h) / (2 * (2 * s * seen h))).
    { assert (Htheta := dot_square_nonneg d (theta h)). destruct Hprevious as [Hp|Hz].
      - apply Rmult_le_compat_l; [assumption|]. apply Rinv_le_contravar; lra.
      - unfold dot at 1 2. rewrite sum_zero; [unfold Rdiv; lra|]. intros i Hi.
        rewrite (Hnothing (eq_sym Hz) i Hi). ring. }
    replace ((dot d (theta h) (theta h) + 2 * dot d (theta h) (g 0%nat) + norm2 1 d g) / (2 * L))
      with (dot d (theta h) (theta h) / (2 * L) + / L * dot d (theta h) (g 0%nat) + / L / 2 * norm2 1 d g)
      by (field; lra).
    lra.
Qed.

Lemma round_gap h g : takes_place 2 T h ->
  matrix_subgradient 1 d (loss l (W h) (x h) (ystar h) (y h)) (W h) g ->
  sum 2 (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)) - at_w h + / lambda h / 2 * norm2 1 d g <= 0.
Proof using Hs Hlosses Hlabels Hplay u.
  intros Hh Hg. destruct Hplay as [_ Hall]. destruct (Hall h Hh) as (_ & _ & Htop & _).
  change (sum 2 (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1)))
    with (P_wrong 2 (gap_map l (W h) (x h) (ystar h)) (ystar h) (y h)).
  rewrite P_wrong_at by (auto; exact (proj1 (sound_map _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) _ _ _ Htop))).
  replace (INR 2) with 2 by (simpl; ring).
  set (M := Rmax (seen h) (dot d (x h) (x h))). assert (Hx : dot d (x h) (x h) <= M) by apply Rmax_r.
  assert (HM : 0 <= M) by (apply Rle_trans with (2 := Hx); apply dot_square_nonneg).
  destruct HM as [HM|HM].
  - assert (Hroot : sqrt M ^ 2 = M) by (apply pow2_sqrt; lra).
    assert (H := sound_gap _ _ _ _ _ _ (rounds_at (sqrt M) (sqrt_lt_R0 M HM)) _ _ _ (y h) g Htop (Hlabels h Hh)).
    rewrite Hroot in H. specialize (H Hx Hg). unfold regularizer. fold M. unfold at_w.
    replace (/ (2 * s * M)) with (1 / (2 * s * M)) by (field; lra). exact H.
  - assert (H0 := dot_square_nonneg d (x h)).
    assert (H := sound_gap _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) _ _ _ (y h) g Htop (Hlabels h Hh) ltac:(lra) Hg).
    destruct (no_features h g ltac:(lra) Hg) as [Hnone _]. cbn [rows signed_loss] in H. rewrite Hnone in *.
    unfold at_w. lra.
Qed.

Let account h := mistakes y h - total at_u h + potential h.

Lemma account_falls h : takes_place 2 T h -> sum 2 (fun draw => p h draw * account (draw :: h)) <= account h.
Proof using Hs Hlosses Hlabels Hplay u.
  intros Hh. destruct (potential_step h Hh) as (g & Hg & Hstep). assert (Hgap := round_gap h g Hh Hg).
  destruct (drawn h Hh) as [Hp Hsum]. set (c := account h - at_w h + / lambda h / 2 * norm2 1 d g).
  apply Rle_trans with (sum 2 (fun draw => p h draw * (if Nat.eqb draw (y h) then 0 else 1) + c * p h draw)).
  - apply sum_le. intros draw Hdraw.
    replace (p h draw * (if Nat.eqb draw (y h) then 0 else 1) + c * p h draw)
      with (p h draw * ((if Nat.eqb draw (y h) then 0 else 1) + c)) by ring.
    apply Rmult_le_compat_l; [now apply Hp|]. specialize (Hstep draw Hdraw).
    unfold c, account, mistakes, wrong. cbn [weighted_total total]. lra.
  - rewrite sum_plus, sum_scale, Hsum. unfold c. lra.
Qed.

Lemma exercise_bound : expectation 2 p T (mistakes y) [] <=
  expectation 2 p T (total at_u) [] + s * expectation 2 p T seen [] * dot d away away.
Proof using Hs Hlosses Hlabels Hplay u.
  set (D := dot d away away).
  assert (H : expectation 2 p T (fun h => mistakes y h - total at_u h - s * D * seen h) [] <= account []).
  { apply expectation_telescopes with (T := T); auto using account_falls, drawn. intros h Hdraws Hlen.
    unfold account, potential. set (L := 2 * s * seen h).
    assert (HL : 0 <= L) by (assert (H := seen_nonneg h); unfold L; nra).
    assert (0 <= dot d (theta h) (theta h) / (2 * L) + dot d (theta h) away + L / 2 * D); [|unfold L in *; lra].
    destruct HL as [HL|HL].
    - set (q := fun i => theta h i + L * away i). assert (Hq := dot_square_nonneg d q).
      replace (dot d (theta h) (theta h) / (2 * L) + dot d (theta h) away + L / 2 * D) with (dot d q q / (2 * L)).
      + apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. lra.
      + assert (Hsplit : dot d q q = dot d (theta h) (theta h) + 2 * L * dot d (theta h) away + L ^ 2 * D).
        { unfold D, q, dot. rewrite <- !sum_scale, <- !sum_plus. apply sum_ext. intros. ring. }
        rewrite Hsplit. field. lra.
    - assert (Hzero : forall v, dot d (theta h) v = 0).
      { intros v. apply sum_zero. intros i Hi. rewrite (nothing_seen h Hdraws); try assumption; try lia; [ring|].
        apply Rmult_eq_reg_l with (2 * s); unfold L in HL; lra. }
      rewrite !Hzero, <- HL. unfold Rdiv. lra. }
  rewrite !expectation_minus in H. rewrite (expectation_scale 2 p T (s * D)) in H.
  assert (Hstart : account [] = 0); [|lra]. destruct Hplay as [Hzero _]. unfold account, potential.
  unfold mistakes. cbn [weighted_total total].
  assert (Hnone : forall v, dot d (theta []) v = 0) by (intros; apply sum_zero; intros; rewrite Hzero; ring).
  rewrite !Hnone. unfold Rdiv. ring.
Qed.

End Play.

(** The learner, its weights from the sum of the subgradients. *)
Definition weights_of (h : history) (sum_of : vector) : matrix :=
  fun _ i => if Rlt_dec 0 (lambda h) then first i - sum_of i / lambda h else first i.

Fixpoint subgradients (h : history) : vector :=
  match h with
  | [] => fun _ => 0
  | _ :: h => fun i =>
      let W := weights_of h (subgradients h) in
      subgradients h i + match lt_dec (y h) 2 with
        | left Hy => proj1_sig (sound_subgradient _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) W (x h)
            (proj1_sig (sound_top _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) W (x h))) (y h) W Hy) 0%nat i
        | right _ => 0
        end
  end.

Lemma learner : exists W ystar theta, follows_the_leader d l s first T x y W ystar theta.
Proof using Hs Hlosses Hlabels.
  set (W := fun h => weights_of h (subgradients h)).
  exists W, (fun h => proj1_sig (sound_top _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) (W h) (x h))), subgradients.
  split; [reflexivity|]. intros h Hh. repeat split.
  - intros HL v. unfold leader, W, weights_of. destruct (Rlt_dec 0 (lambda h)) as [_|Hno]; [|contradiction].
    set (L := lambda h) in *. set (t := subgradients h).
    assert (Hq := dot_square_nonneg d (fun i => v i - (first i - t i / L))).
    assert (Hsplit : L / 2 * dot d (fun i => v i - (first i - t i / L)) (fun i => v i - (first i - t i / L)) =
      dot d t v + L / 2 * dot d (fun i => v i - first i) (fun i => v i - first i)
      - (dot d t (fun i => first i - t i / L)
         + L / 2 * dot d (fun i => first i - t i / L - first i) (fun i => first i - t i / L - first i))).
    { unfold dot. rewrite <- !sum_scale, <- !sum_plus, <- sum_minus. apply sum_ext. intros. field. lra. }
    assert (0 <= L / 2 * dot d (fun i => v i - (first i - t i / L)) (fun i => v i - (first i - t i / L)))
      by (apply Rmult_le_pos; lra).
    lra.
  - intros HL i. unfold W, weights_of. destruct (Rlt_dec 0 (lambda h)); [lra|reflexivity].
  - exact (proj2_sig (sound_top _ _ _ _ _ _ (rounds_at 1 Rlt_0_1) (W h) (x h))).
  - cbn [subgradients]. destruct (lt_dec (y h) 2) as [Hy|Hno]; [|elim Hno; now apply Hlabels].
    match goal with |- context [proj1_sig ?found] => lazymatch type of found with
      {g | matrix_subgradient _ _ _ _ g} => exists (proj1_sig found); split; [exact (proj2_sig found)|] end end.
    intros draw i _. reflexivity.
Qed.

End Exercise.

Theorem blog_exercise_1 : BlogExercise1.
Proof.
  intros plus minus s d T first x y Hs Hlosses Hlabels l. split; [now apply learner|].
  intros W ystar theta Hplay p. split.
  - intros h Hh. now apply (drawn plus minus s d T first x y Hs Hlosses W ystar theta).
  - intros u. now apply (exercise_bound plus minus s d T first x y Hs Hlosses Hlabels W ystar theta).
Qed.
Print Assumptions blog_exercise_1.
