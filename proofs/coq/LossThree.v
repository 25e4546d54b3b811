(** Loss (3) as printed: not convex for K >= 3, and three rounds on which Lemma 1 is false of it. *)

From Coq Require Import Reals Lra Lia List Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices Expectations Margins.
From Gaptron Require Import BanditDefinitions Paper PaperBandit.
Import ListNotations.
Open Scope R_scope.

(** * When neither losses nor weights depend on the draws: Lemma 1 is about what is lost to the comparator *)

Section Oblivious.
  Variables (K T d : nat) (eta : R) (a : nat -> R) (y ystar : nat -> nat).
  Variables (l : nat -> matrix -> R) (g W : nat -> matrix) (U : matrix).
  Hypothesis labels : forall t, (t < T)%nat -> (y t < K)%nat /\ (ystar t < K)%nat /\ 0 <= a t <= 1.

  Let p (h : history) := exploring K 0 (a (length h)) (ystar (length h)).
  Let gap t := bracket K K d eta (a t) (ystar t) (y t) (l t) (g t) (W t).
  Let lost t := l t (W t) - l t U - eta / 2 * norm2 K d (g t).
  Let paid (h : history) := weighted_total (fun h _ => l (length h) U) h + weighted_total (fun h _ => gap (length h)) h.
  Let account h := paid h - mistakes (fun h => y (length h)) h - (sum T lost - sum (length h) lost).

  Lemma exploring_nothing t : (t < T)%nat ->
    is_distribution K (exploring K 0 (a t) (ystar t)) /\
    sum K (fun draw => exploring K 0 (a t) (ystar t) draw * (if Nat.eqb draw (y t) then 0 else 1)) =
    risk K (a t) (ystar t) (y t).
  Proof using labels.
    intros Ht. destruct (labels t Ht) as (Hy & Hs & Ha). unfold exploring. rewrite Rmax_left by lra.
    split; [now apply prediction_is_distribution|].
    change (P_wrong K (a t) (ystar t) (y t) = risk K (a t) (ystar t) (y t)). rewrite P_wrong_value by assumption.
    assert (0 < INR K) by (apply lt_0_INR; lia). unfold risk. destruct (Nat.eqb _ _); field; lra.
  Qed.

  Lemma account_keeps h : takes_place K T h -> sum K (fun draw => p h draw * account (draw :: h)) <= account h.
  Proof using labels.
    intros Hh. destruct (exploring_nothing (length h) (proj2 Hh)) as [[_ Hone] Hrisk]. fold (p h) in Hone, Hrisk.
    set (t := length h) in *. right.
    assert (Hround : risk K (a t) (ystar t) (y t) = l t U + gap t + lost t) by (unfold gap, lost, bracket; ring).
    rewrite (sum_ext K _ (fun draw => (account h + risk K (a t) (ystar t) (y t)) * p h draw +
      - 1 * (p h draw * (if Nat.eqb draw (y t) then 0 else 1)))).
    - rewrite sum_plus, !sum_scale, Hone, Hrisk. ring.
    - intros draw _. unfold account, paid, mistakes, wrong. cbn [weighted_total length sum]. fold t.
      rewrite Hround. ring.
  Qed.

  Lemma lost_to_comparator :
    expectation K p T (weighted_total (fun h _ => l (length h) U)) [] +
    expectation K p T (weighted_total (fun h _ => gap (length h))) [] <=
    expectation K p T (mistakes (fun h => y (length h))) [] - sum T lost.
  Proof using labels.
    assert (H : expectation K p T (fun h => weighted_total (fun h _ => l (length h) U) h
      - (mistakes (fun h => y (length h)) h - weighted_total (fun h _ => gap (length h)) h)) [] <= account []).
    { apply expectation_telescopes with (T := T); [|exact account_keeps| |constructor|reflexivity].
      - intros h [_ Ht]. now apply exploring_nothing.
      - intros h _ Hlen. unfold account, paid. rewrite Hlen. lra. }
    rewrite !expectation_minus in H. unfold account, paid in H. cbn [weighted_total mistakes length sum] in H. lra.
  Qed.
End Oblivious.

(** * The loss *)

Lemma above_tangent m : 1 - 2 * m <= smooth_hinge_as_printed m.
Proof.
  unfold smooth_hinge_as_printed. destruct (Rle_dec m 0); [apply Rmax_l|].
  apply Rle_trans with ((1 - m) ^ 2); [nra|apply Rmax_l].
Qed.

Lemma at_most_zero m : m <= 0 -> smooth_hinge_as_printed m = 1 - 2 * m.
Proof. intros H. unfold smooth_hinge_as_printed. destruct (Rle_dec m 0); [|lra]. apply Rmax_left. lra. Qed.

Lemma above_zero m : 0 < m -> smooth_hinge_as_printed m = (1 - m) ^ 2.
Proof. intros H. unfold smooth_hinge_as_printed. destruct (Rle_dec m 0); [lra|]. apply Rmax_left, pow2_ge_0. Qed.

Lemma one_feature V x k : scores 1 V x k = V k 0%nat * x 0%nat.
Proof. unfold scores, dot. cbn [sum]. ring. Qed.

Lemma sum_first n f : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof.
  induction n as [|n IH]; [cbn; ring|]. change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite IH. cbn. ring.
Qed.

Lemma inner_one K A B : inner K 1 A B = sum K (fun k => A k 0%nat * B k 0%nat).
Proof. apply sum_ext. intros k _. unfold dot. cbn [sum]. ring. Qed.

(** * It is not convex

    The scores (3, -1, -1, ...) of label 0 have the margin 4 and the loss 9; (3, 2, -4, -1, ...) and
    (3, -4, 2, -1, ...), of which they are the middle, have the margin 1 and no loss. *)

Definition spread (e : R) : matrix := fun k _ =>
  match k with 0%nat => 3 | 1%nat => -1 + e | 2%nat => -1 - e | _ => -1 end.

Lemma spread_loss K e : (3 <= K)%nat ->
  smooth_hinge_as_printed (margin K (scores 1 (spread e) (fun _ => 1)) 0) = smooth_hinge_as_printed (4 - Rabs e).
Proof.
  intros HK. f_equal. assert (He := Rabs_pos e). assert (H1 := Rle_abs e). assert (H2 := Rle_abs (- e)).
  rewrite Rabs_Ropp in H2. apply margin_unique; [lia|lia| |].
  - intros k Hk Hk0. rewrite !one_feature. unfold spread. destruct k as [|[|[|k]]]; [lia|lra|lra|lra].
  - exists (if Rle_dec 0 e then 1%nat else 2%nat). rewrite !one_feature. unfold spread.
    destruct (Rle_dec 0 e); repeat split; try lia; [rewrite Rabs_pos_eq|rewrite Rabs_left]; lra.
Qed.

Lemma spread_losses K : (3 <= K)%nat -> forall e, Rabs e = 3 ->
  smooth_hinge_as_printed (margin K (scores 1 (spread 0) (fun _ => 1)) 0) = 9 /\
  smooth_hinge_as_printed (margin K (scores 1 (spread e) (fun _ => 1)) 0) = 0.
Proof.
  intros HK e He. rewrite !spread_loss, He, Rabs_R0, !above_zero by (assumption || lra). split; ring.
Qed.

Theorem loss_3_is_not_convex : Loss3_as_printed_is_not_convex.
Proof.
  intros K HK. exists (fun _ => 1), 0%nat. split; [lia|]. intros Hconvex.
  destruct (spread_losses K HK 3 ltac:(apply Rabs_pos_eq; lra)) as [H0 H1].
  destruct (spread_losses K HK (-3) ltac:(rewrite Rabs_left; lra)) as [_ H2].
  specialize (Hconvex (spread 3) (spread (-3)) (1 / 2) ltac:(lra)). cbv beta in Hconvex. rewrite H1, H2 in Hconvex.
  replace (fun k i => 1 / 2 * spread 3 k i + (1 - 1 / 2) * spread (-3) k i) with (spread 0) in Hconvex; [lra|].
  extensionality k. extensionality i. unfold spread. destruct k as [|[|[|k]]]; lra.
Qed.
Print Assumptions loss_3_is_not_convex.

Theorem loss_3_has_no_subgradient : Loss3_as_printed_has_no_subgradient.
Proof.
  intros K HK. exists (spread 0), (fun _ => 1), 0%nat. split; [lia|]. intros G HG.
  destruct (spread_losses K HK 3 ltac:(apply Rabs_pos_eq; lra)) as [H0 H1].
  destruct (spread_losses K HK (-3) ltac:(rewrite Rabs_left; lra)) as [_ H2].
  assert (Hup := HG (spread 3)). assert (Hdown := HG (spread (-3))). cbv beta in Hup, Hdown.
  rewrite H0, H1 in Hup. rewrite H0, H2 in Hdown.
  assert (Hopposite : inner K 1 G (fun k i => spread (-3) k i - spread 0 k i) =
    - 1 * inner K 1 G (fun k i => spread 3 k i - spread 0 k i)).
  { rewrite <- inner_scale. apply inner_ext; [reflexivity|]. intros k i. unfold spread.
    destruct k as [|[|[|k]]]; ring. }
  lra.
Qed.
Print Assumptions loss_3_has_no_subgradient.

(** * The rounds

    The first gradient takes a little off the labels from 3 on: label 2 alone is the rival in the second round. *)

Section Rounds.
  Variable n : nat.
  Let K := S (S (S n)).
  Let e := / (100 * INR K).
  Let few := INR n * e.                                        (* what the labels from 3 on get *)

  Let x (t : nat) : vector := fun _ => match t with 0%nat => 2 / 5 | 1%nat => 27 / 10 | _ => - (1 / 2) end.
  Let y (t : nat) : nat := match t with 0%nat | 1%nat => 0%nat | _ => 2%nat end.
  Let ystar (t : nat) : nat := match t with 0%nat | 1%nat => 0%nat | _ => 1%nat end.
  Let g (t : nat) : matrix := fun k _ =>
    match t, k with
    | 0%nat, 0%nat => - (4 / 5)
    | 0%nat, 1%nat => 4 / 5 * (1 - few)
    | 0%nat, 2%nat => 0
    | 0%nat, _ => 4 / 5 * e
    | 1%nat, 0%nat => 54 / 125
    | 1%nat, 2%nat => - (54 / 125)
    | 2%nat, 1%nat => - 1
    | 2%nat, 2%nat => 1
    | _, _ => 0
    end.
  Let W : nat -> matrix := fix weights t := match t with
    | O => fun _ _ => 0
    | S t => fun k i => weights t k i - 1 / 2 * g t k i
    end.
  Let U : matrix := fun k _ => match k with 0%nat => 2 / 5 | 2%nat => - (2 / 5) | _ => 0 end.
  Let l (t : nat) (V : matrix) : R := smooth_hinge_as_printed (margin K (scores 1 V (x t)) (y t)).

  Lemma small : 0 < e <= 1 / 100 /\ 0 <= few <= 1 / 100 /\ few * e <= few / 100.
  Proof using.
    assert (HK : INR n + 3 = INR K) by (unfold K; rewrite !S_INR; ring). assert (Hn := pos_INR n).
    assert (He : 0 < e) by (apply Rinv_0_lt_compat; lra).
    assert (HKe : INR K * e = / 100) by (unfold e; field; lra). assert (Hfew : 0 <= few) by (apply Rmult_le_pos; lra).
    assert (few <= 1 / 100) by (unfold few; nra). assert (e <= 1 / 100) by nra. repeat split; try lra. nra.
  Qed.

  Lemma split f : sum K f = f 0%nat + (f 1%nat + (f 2%nat + sum n (fun j => f (S (S (S j)))))).
  Proof using. unfold K. now rewrite !sum_first. Qed.

  (** Margins from the scores, label by label. *)
  Lemma margin_is V t rival m : (rival < K)%nat -> rival <> y t ->
    scores 1 V (x t) (y t) - scores 1 V (x t) rival = m ->
    (forall k, (k < K)%nat -> k <> y t -> scores 1 V (x t) k <= scores 1 V (x t) rival) ->
    margin K (scores 1 V (x t)) (y t) = m.
  Proof using.
    intros Hr Hne <- Hle.
    apply margin_unique; [unfold K; lia|unfold y, K; destruct t as [|[|]]; lia| |now exists rival].
    intros k Hk Hky. specialize (Hle k Hk Hky). lra.
  Qed.

  (** The weights, by label. *)
  Let first_weights (k : nat) : R :=
    match k with 0%nat => 2 / 5 | 1%nat => - (2 / 5) * (1 - few) | 2%nat => 0 | _ => - (2 / 5) * e end.
  Let second_weights (k : nat) : R :=
    match k with 0%nat => 23 / 125 | 2%nat => 27 / 125 | _ => first_weights k end.

  Lemma weights_1 k : W 1 k 0%nat = first_weights k.
  Proof using. unfold W, g, first_weights. destruct k as [|[|[|k]]]; lra. Qed.

  Lemma weights_2 k : W 2 k 0%nat = second_weights k.
  Proof using.
    change (W 2 k 0%nat) with (W 1 k 0%nat - 1 / 2 * g 1 k 0%nat). rewrite weights_1.
    unfold g, second_weights, first_weights. destruct k as [|[|[|k]]]; lra.
  Qed.

  Lemma margin_0 : margin K (scores 1 (W 0) (x 0)) 0 = 0.
  Proof using.
    apply (margin_is (W 0) 0 1); [unfold K; lia|cbn; lia| |]; intros; rewrite !one_feature; unfold W; lra.
  Qed.

  Lemma margin_1 V : (forall k, (k < K)%nat -> k <> 0%nat -> V k 0%nat <= V 2%nat 0%nat) ->
    margin K (scores 1 V (x 1)) 0 = 27 / 10 * (V 0%nat 0%nat - V 2%nat 0%nat).
  Proof using.
    intros H. apply (margin_is V 1 2); [unfold K; lia|cbn; lia|rewrite !one_feature; unfold x, y; ring|].
    intros k Hk Hky. rewrite !one_feature. unfold x. specialize (H k Hk Hky). lra.
  Qed.

  Lemma margin_2 : margin K (scores 1 (W 2) (x 2)) 2 = - (1 / 2) * (27 / 125 + 2 / 5 * (1 - few)).
  Proof using.
    destruct small as (He & Hfew & _). apply (margin_is (W 2) 2 1); [unfold K; lia|cbn; lia| |].
    - rewrite !one_feature, !weights_2. unfold x, y, second_weights, first_weights. lra.
    - intros k Hk Hky. rewrite !one_feature, !weights_2. unfold x, second_weights, first_weights.
      destruct k as [|[|[|k]]]; lra.
  Qed.

  (** The gradients. *)
  Lemma gradient_0 V : l 0 (W 0) + inner K 1 (g 0) (fun k i => V k i - W 0%nat k i) <= l 0 V.
  Proof using.
    unfold l at 1. cbn [y]. rewrite margin_0, at_most_zero by lra.
    apply Rle_trans with (1 - 2 * margin K (scores 1 V (x 0)) 0); [|exact (above_tangent _)].
    set (m := margin _ _ _).
    assert (Hm : forall k, (k < K)%nat -> k <> 0%nat -> 2 * m <= 4 / 5 * (V 0%nat 0%nat - V k 0%nat)).
    { intros k Hk Hk0. assert (H := margin_le K (scores 1 V (x 0)) 0 ltac:(unfold K; lia) k Hk Hk0). fold m in H.
      rewrite !one_feature in H. unfold x in H. lra. }
    set (rest := sum n (fun j => 4 / 5 * e * V (S (S (S j))) 0%nat)).
    assert (Hrest : few * (2 * m) <= few * (4 / 5 * V 0%nat 0%nat) - rest).
    { apply Rle_trans with (sum n (fun j => e * (4 / 5 * (V 0%nat 0%nat - V (S (S (S j))) 0%nat)))).
      - unfold few. rewrite Rmult_assoc, <- sum_const. apply sum_le. intros j Hj. apply Rmult_le_compat_l.
        + left. apply small.
        + apply Hm; unfold K; lia.
      - right. unfold few, rest. rewrite Rmult_assoc, <- sum_const, <- sum_minus. apply sum_ext. intros j _. ring. }
    rewrite inner_one, split. unfold W at 1 2 3, g at 1 2 3.
    rewrite (sum_ext n _ (fun j => 4 / 5 * e * V (S (S (S j))) 0%nat)) by (intros j _; unfold W, g; ring). fold rest.
    assert (H1 := Hm 1%nat ltac:(unfold K; lia) ltac:(lia)).
    destruct small as (_ & Hfew & _). nra.
  Qed.

  Lemma entry_near V B r : 0 < r -> norm2 K 1 (fun k i => V k i - B k i) <= r ^ 2 ->
    forall k, (k < K)%nat -> - r <= V k 0%nat - B k 0%nat <= r.
  Proof using.
    intros Hr Hnear k Hk. unfold norm2 in Hnear. rewrite inner_one in Hnear.
    assert (H := term_le_sum K (fun k => (V k 0%nat - B k 0%nat) * (V k 0%nat - B k 0%nat)) k Hk
      (fun k _ => Rle_0_sqr _)). cbv beta in H. split; nra.
  Qed.

  Lemma gradient_1 : local_subgradient K 1 (l 1) (W 1) (g 1).
  Proof using.
    destruct small as (He & Hfew & _). exists (e / 6). split; [lra|]. intros V HV.
    assert (Hnear := entry_near V (W 1) (e / 6) ltac:(lra) HV). assert (Hw := weights_1). unfold first_weights in Hw.
    assert (H0 := Hnear 0%nat ltac:(unfold K; lia)). assert (H2 := Hnear 2%nat ltac:(unfold K; lia)).
    rewrite Hw in H0, H2. unfold l. cbn [y]. rewrite !margin_1.
    - rewrite !above_zero, !Hw; [|lra|rewrite !Hw; lra]. rewrite inner_one, split.
      rewrite (sum_ext n _ (fun _ => 0)), sum_const by (intros j _; unfold g; ring). unfold g. rewrite !Hw.
      set (v := V 0%nat 0%nat) in *. set (u := V 2%nat 0%nat) in *.
      assert (Hsquare := pow2_ge_0 (27 / 10 * (v - u) - 27 / 25)). lra.
    - intros k Hk Hk0. assert (H := Hnear k Hk). rewrite Hw in H. destruct k as [|[|[|k]]]; [lia|lra|lra|lra].
    - intros k Hk Hk0. rewrite !Hw. destruct k as [|[|[|k]]]; [lia|lra|lra|lra].
  Qed.

  Lemma gradient_2 V : l 2 (W 2) + inner K 1 (g 2) (fun k i => V k i - W 2%nat k i) <= l 2 V.
  Proof using.
    destruct small as (He & Hfew & _). unfold l at 1. cbn [y]. rewrite margin_2, at_most_zero by lra.
    apply Rle_trans with (1 - 2 * margin K (scores 1 V (x 2)) 2); [|exact (above_tangent _)]. set (m := margin _ _ _).
    assert (H := margin_le K (scores 1 V (x 2)) 2 ltac:(unfold K; lia) 1 ltac:(unfold K; lia) ltac:(lia)).
    fold m in H. rewrite !one_feature in H. unfold x in H. rewrite inner_one, split.
    rewrite (sum_ext n _ (fun _ => 0)), sum_const by (intros j _; unfold g; ring). unfold g. rewrite !weights_2.
    unfold second_weights, first_weights. lra.
  Qed.

  Lemma tops t : (t < 3)%nat -> is_top K (scores 1 (W t) (x t)) (ystar t).
  Proof using.
    intros Ht. destruct small as (He & Hfew & _). split; [destruct t as [|[|]]; unfold ystar, K; lia|]. intros k Hk.
    rewrite !one_feature. destruct t as [|[|[|t]]]; [| | |lia].
    - unfold W. lra.
    - rewrite !weights_1. unfold x, ystar, first_weights. destruct k as [|[|[|k]]]; lra.
    - rewrite !weights_2. unfold x, ystar, second_weights, first_weights. destruct k as [|[|[|k]]]; lra.
  Qed.

  Lemma of_one_gradient t : (forall V, l t (W t) + inner K 1 (g t) (fun k i => V k i - W t k i) <= l t V) ->
    local_subgradient K 1 (l t) (W t) (g t).
  Proof using. intros H. exists 1. split; [lra|]. intros V _. apply H. Qed.

  (** What is lost to U in three rounds is more than 0.35, and U pays 0.32. *)
  Let lost t := l t (W t) - l t U - 1 / 2 / 2 * norm2 K 1 (g t).

  Lemma comparator_margins : l 0 U = (21 / 25) ^ 2 /\ l 1 U = (2 / 25) ^ 2 /\ l 2 U = (4 / 5) ^ 2.
  Proof using.
    assert (HU : forall t m, (forall k, k <> y t -> U k 0%nat * x t 0%nat <= 0) -> 0 < m ->
      U (y t) 0%nat * x t 0%nat = m -> l t U = (1 - m) ^ 2).
    { intros t m Hle Hm Hvalue. unfold l.
      rewrite (margin_is U t 1 m), above_zero; [reflexivity|exact Hm|unfold K; lia| | |].
      - unfold y. destruct t as [|[|]]; lia.
      - rewrite !one_feature, Hvalue. unfold U. lra.
      - intros k _ Hk. rewrite !one_feature. specialize (Hle k Hk). unfold U at 2. lra. }
    repeat split; [rewrite (HU 0%nat (4 / 25))|rewrite (HU 1%nat (27 / 25))|rewrite (HU 2%nat (1 / 5))]; try lra;
      unfold U, x, y; try lra; intros k Hk; destruct k as [|[|[|k]]]; try lra; now elim Hk.
  Qed.

  Lemma loses : norm2 K 1 U / (2 * (1 / 2)) < sum 3 lost.
  Proof using.
    destruct small as (He & Hfew & Hproduct). destruct comparator_margins as (H0 & H1 & H2).
    assert (Hnorm : norm2 K 1 U = 8 / 25).
    { unfold norm2. rewrite inner_one, split, (sum_ext n _ (fun _ => 0)), sum_const by (intros j _; unfold U; ring).
      unfold U. lra. }
    assert (Hg0 : norm2 K 1 (g 0) = 16 / 25 * (1 + (1 - few) ^ 2 + few * e)).
    { unfold norm2. rewrite inner_one, split, (sum_ext n _ (fun _ => 16 / 25 * e * e)), sum_const
        by (intros j _; unfold g; field). unfold g, few. field. }
    assert (Hg1 : norm2 K 1 (g 1) = 2 * (54 / 125) ^ 2).
    { unfold norm2. rewrite inner_one, split, (sum_ext n _ (fun _ => 0)), sum_const by (intros j _; unfold g; ring).
      unfold g. lra. }
    assert (Hg2 : norm2 K 1 (g 2) = 2).
    { unfold norm2. rewrite inner_one, split, (sum_ext n _ (fun _ => 0)), sum_const by (intros j _; unfold g; ring).
      unfold g. lra. }
    cbn [sum]. unfold lost. rewrite Hnorm, Hg0, Hg1, Hg2, H0, H1, H2. unfold l. cbn [y].
    rewrite margin_0, margin_2, margin_1.
    - rewrite !weights_1. unfold first_weights.
      rewrite (at_most_zero 0), (above_zero (_ * _)), at_most_zero by lra. nra.
    - intros k Hk Hk0. rewrite !weights_1. unfold first_weights. destruct k as [|[|[|k]]]; [lia|lra|lra|lra].
  Qed.

  Lemma more_than_paid A B N S M : A + B <= M - S -> N < S -> A + N + B < M.
  Proof using. lra. Qed.

  Lemma breaks : breaks_Lemma1 K x y ystar g W U.
  Proof using.
    set (a := fun t => smooth_hinge_map (margin K (scores 1 (W t) (x t)) (ystar t))).
    assert (Ha : forall t, (t < 3)%nat -> 0 <= a t <= 1).
    { intros t Ht. assert (H := right_margin K _ _ ltac:(unfold K; lia) (tops t Ht)). unfold a, smooth_hinge_map.
      set (m := margin _ _ _) in *. assert (0 <= Rmin 1 m <= 1) by (split; [apply Rmin_glb; lra|apply Rmin_l]).
      split; nra. }
    assert (Hy : forall t, (t < 3)%nat -> (y t < K)%nat) by (intros t Ht; destruct t as [|[|]]; unfold y, K; lia).
    split; [reflexivity|]. split.
    - intros t Ht. fold (l t). split; [now apply Hy|]. split; [now apply tops|]. split; [now apply Ha|].
      split; [|reflexivity].
      destruct t as [|[|[|t]]]; [|apply gradient_1| |lia]; apply of_one_gradient; [apply gradient_0|apply gradient_2].
    - assert (H := lost_to_comparator K 3 1 (1 / 2) a y ystar l g W U
        (fun t Ht => conj (Hy t Ht) (conj (proj1 (tops t Ht)) (Ha t Ht)))).
      exact (more_than_paid _ _ _ _ _ H loses).
  Qed.
End Rounds.

Theorem loss_3_breaks_lemma_1 : Loss3_as_printed_breaks_Lemma1.
Proof.
  intros K HK. replace K with (S (S (S (K - 3)))) by lia. do 6 eexists. apply breaks.
Qed.
Print Assumptions loss_3_breaks_lemma_1.
