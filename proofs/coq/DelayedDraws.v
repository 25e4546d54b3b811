(** Estimates that are drawn, and whose means were known [D] rounds before: the products of those of two rounds that are
    at most [D] apart have the products of the means as their expectation. *)

From Coq Require Import Reals Lra Lia List Arith.
From Gaptron Require Import Definitions Sums Matrices OptimalSums Expectations Optimal BanditDefinitions.
From Gaptron Require Import NamedFacts NamedChances Delayed.
Import ListNotations.
Open Scope R_scope.

(** What round [s] of a game had. *)
Definition in_round (x : history -> nat -> R) (h : history) (s : nat) : R :=
  match skipn (length h - S s) h with
  | [] => 0
  | draw :: past => x past draw
  end.

(** The sum over the last [D] rounds. *)
Fixpoint recent (D : nat) (x : history -> nat -> R) (h : history) : R :=
  match D, h with
  | S D, draw :: h => x h draw + recent D x h
  | _, _ => 0
  end.

(** sum x_t x_s over the pairs with 1 <= t - s <= D *)
Definition late_pairs_of (D : nat) (x : history -> nat -> R) (h : history) : R :=
  sum (length h) (fun t => in_round x h t * late D t t (in_round x h)).

Lemma in_last_round x draw h : in_round x (draw :: h) (length h) = x h draw.
Proof. unfold in_round. simpl length. now rewrite Nat.sub_diag. Qed.

Lemma in_earlier_round x draw h s : (s < length h)%nat -> in_round x (draw :: h) s = in_round x h s.
Proof.
  intros Hs. unfold in_round. simpl length. now replace (S (length h) - S s)%nat with (S (length h - S s)) by lia.
Qed.

Lemma late_ext D t m f g : (forall s, (s < m)%nat -> f s = g s) -> late D t m f = late D t m g.
Proof. intros H. apply sum_ext. intros s Hs. now rewrite H. Qed.

Lemma late_first D t f : late (S D) (S t) (S t) f = f t + late D t t f.
Proof.
  unfold late. change (S t - S D)%nat with (t - D)%nat. cbn [sum].
  replace (t <? t - D) with false by (symmetry; apply Nat.ltb_ge; lia). ring.
Qed.

Lemma recent_is_late D x h : recent D x h = late D (length h) (length h) (in_round x h).
Proof.
  revert h. induction D as [|D IH]; intros [|draw h]; try reflexivity.
  - unfold late. simpl recent. symmetry. apply sum_zero. intros s Hs. rewrite Nat.sub_0_r, (proj2 (Nat.ltb_lt _ _) Hs).
    reflexivity.
  - simpl recent. simpl length. rewrite late_first, in_last_round, IH. f_equal. apply late_ext. intros s Hs. symmetry.
    now apply in_earlier_round.
Qed.

Lemma late_pairs_along D x h : late_pairs_of D x h = weighted_total (fun h draw => x h draw * recent D x h) h.
Proof.
  unfold late_pairs_of. induction h as [|draw h IH]; [reflexivity|]. cbn [weighted_total length sum].
  rewrite in_last_round, <- IH, recent_is_late. rewrite Rplus_comm. f_equal.
  - f_equal. apply late_ext. intros. now apply in_earlier_round.
  - apply sum_ext. intros t Ht. rewrite in_earlier_round by assumption. f_equal. apply late_ext. intros s Hs.
    apply in_earlier_round. lia.
Qed.

Lemma skip_one_more n (l : history) draw h : skipn n l = draw :: h -> skipn (S n) l = h.
Proof.
  revert l. induction n as [|n IH]; intros [|first l] H; try discriminate H.
  - now injection H.
  - now apply (IH l).
Qed.

Section Draws.
  Context (K T D : nat) (p : history -> nat -> R) (x : history -> nat -> R) (mean : history -> R).
  Context (distribution : forall h, takes_place K T h -> is_distribution K (p h)).
  Context (unbiased : forall h, takes_place K T h -> given K p x h = mean h).
  Context (known : forall h past, length h = length past -> skipn D h = skipn D past -> mean h = mean past).

  Definition drawn (h : history) : Prop := Forall (fun draw => (draw < K)%nat) h.

  Lemma expectation_same n f g h : drawn h ->
    (forall l, drawn l -> length l = (length h + n)%nat -> skipn n l = h -> f l = g l) ->
    expectation K p n f h = expectation K p n g h.
  Proof.
    revert h. induction n as [|n IH]; intros h Hh H; cbn [expectation].
    - apply H; [assumption|lia|reflexivity].
    - apply sum_ext. intros draw Hdraw. f_equal. apply IH; [now constructor|]. intros l Hl Hlen Hskip.
      apply H; [assumption|simpl in Hlen; lia|]. now apply skip_one_more with draw.
  Qed.

  Lemma expectation_then m n f h :
    expectation K p (m + n) f h = expectation K p m (fun l => expectation K p n f l) h.
  Proof.
    revert h. induction m as [|m IH]; intros h; [reflexivity|]. cbn [expectation Nat.add]. apply sum_ext. intros.
    now rewrite IH.
  Qed.

  Lemma expectation_zero n h : expectation K p n (fun _ => 0) h = 0.
  Proof.
    revert h. induction n as [|n IH]; intros h; [reflexivity|]. cbn [expectation]. apply sum_zero. intros. rewrite IH.
    ring.
  Qed.

  Lemma expectation_scaled n c f h : expectation K p n (fun l => c * f l) h = c * expectation K p n f h.
  Proof.
    revert h. induction n as [|n IH]; intros h; [reflexivity|]. cbn [expectation]. rewrite <- sum_scale. apply sum_ext.
    intros. rewrite IH. ring.
  Qed.

  Lemma one_round f c h : takes_place K T h ->
    sum K (fun draw => p h draw * (f draw + c)) = weighted K (p h) f + c.
  Proof.
    intros Hh. destruct (distribution h Hh) as [_ Hone].
    rewrite (sum_ext K _ (fun draw => p h draw * f draw + c * p h draw)) by (intros; ring).
    rewrite sum_plus, sum_scale, Hone. unfold weighted. ring.
  Qed.

  (** What the last rounds bring, less the means. *)
  Definition excess (j : nat) (h : history) : R := recent j x h - recent j (fun past _ => mean past) h.

  Lemma no_excess j h : drawn h -> (length h + j <= T)%nat -> expectation K p j (excess j) h = 0.
  Proof.
    intros Hh. induction j as [|j IH]; intros Hlen; [simpl; unfold excess; simpl; ring|].
    replace (S j) with (j + 1)%nat at 1 by lia. rewrite expectation_then, <- IH by lia.
    apply expectation_same; [assumption|]. intros l Hl Hlong _.
    assert (Hplace : takes_place K T l) by (split; [assumption|lia]).
    cbn [expectation]. unfold excess at 1. cbn [recent].
    rewrite (sum_ext K _ (fun draw => p l draw * (x l draw + (excess j l - mean l)))) by (intros; unfold excess; ring).
    rewrite one_round by assumption. fold (given K p x l). rewrite unbiased by assumption. ring.
  Qed.

  Lemma recent_of_all y h j : (length h <= j)%nat -> recent j y h = recent (length h) y h.
  Proof.
    revert j. induction h as [|draw h IH]; intros [|j] H; simpl in *; try reflexivity; try lia. rewrite IH by lia.
    reflexivity.
  Qed.

  Lemma no_excess_in_round t : (t <= T)%nat -> expectation K p t (fun h => mean h * excess D h) [] = 0.
  Proof.
    intros Ht. set (j := Nat.min D t). replace t with ((t - j) + j)%nat at 1 by lia. rewrite expectation_then.
    rewrite <- (expectation_zero (t - j) []). apply expectation_same; [constructor|]. intros h Hh Hlen _. simpl in Hlen.
    set (some := (repeat 0%nat j ++ h)%list).
    assert (Hsome : length some = (j + length h)%nat) by (unfold some; rewrite app_length, repeat_length; lia).
    rewrite (expectation_same j _ (fun l => mean some * excess j l)); [|assumption|].
    - rewrite expectation_scaled, no_excess by (assumption || lia). ring.
    - intros l Hl Hlong Hskip. f_equal.
      + apply known; [lia|]. destruct (Nat.le_gt_cases D t) as [Hle|Hgt].
        * replace D with j by lia. rewrite Hskip. unfold some. rewrite skipn_app, repeat_length, Nat.sub_diag.
          rewrite skipn_all2 by (rewrite repeat_length; lia). reflexivity.
        * rewrite !skipn_all2 by lia. reflexivity.
      + unfold excess. destruct (Nat.le_gt_cases D t) as [Hle|Hgt]; [now replace D with j by lia|].
        rewrite !(recent_of_all _ l D), !(recent_of_all _ l j) by lia. reflexivity.
  Qed.

  Lemma total_of_zero f : (forall t, (t <= T)%nat -> expectation K p t f [] = 0) ->
    forall n, (n <= T)%nat -> expectation K p n (total f) [] = 0.
  Proof.
    intros Hf n. induction n as [|n IH]; intros Hn; [reflexivity|].
    replace (S n) with (n + 1)%nat by lia. rewrite expectation_then.
    rewrite (expectation_same n _ (fun h => f h - -1 * total f h)); [|constructor|].
    - rewrite expectation_minus, expectation_scaled, IH, Hf by lia. ring.
    - intros l Hl Hlen _. assert (Hplace : takes_place K T l) by (split; [assumption|simpl in Hlen; lia]).
      cbn [expectation total]. rewrite (one_round (fun _ => f l)) by assumption.
      destruct (distribution l Hplace) as [_ Hone]. unfold weighted.
      rewrite (sum_ext K _ (fun draw => f l * p l draw)) by (intros; ring). rewrite sum_scale, Hone. ring.
  Qed.

  Theorem late_products_of_estimates :
    expectation K p T (late_pairs_of D x) [] = expectation K p T (late_pairs_of D (fun h _ => mean h)) [].
  Proof.
    assert (Htower : forall y, (forall h, takes_place K T h -> given K p y h = mean h) ->
      expectation K p T (late_pairs_of D y) [] = expectation K p T (total (fun h => mean h * recent D y h)) []).
    { intros y Hy. rewrite (expectation_same T _ (weighted_total (fun h draw => y h draw * recent D y h)));
        [|constructor|intros; apply late_pairs_along].
      rewrite (tower K T p distribution). apply expectation_same; [constructor|]. intros l Hl Hlen _. simpl in Hlen.
      assert (Hpast : forall l, drawn l -> (length l <= T)%nat ->
        total (given K p (fun h draw => y h draw * recent D y h)) l = total (fun h => mean h * recent D y h) l).
      { clear l Hl Hlen. induction l as [|draw l IH]; intros Hl Hlen; [reflexivity|]. inversion Hl. simpl in Hlen.
        assert (Hplace : takes_place K T l) by (split; [assumption|lia]). cbn [total].
        rewrite IH by (assumption || lia).
        f_equal. rewrite <- Hy by assumption. unfold given, weighted.
        rewrite (sum_ext K _ (fun k => recent D y l * (p l k * y l k))) by (intros; ring). rewrite sum_scale. ring. }
      apply Hpast; [assumption|lia]. }
    rewrite (Htower x unbiased), (Htower (fun h _ => mean h)).
    - apply Rminus_diag_uniq. rewrite <- expectation_minus.
      rewrite (expectation_same T _ (total (fun h => mean h * excess D h))); [|constructor|].
      + apply total_of_zero; [apply no_excess_in_round|lia].
      + intros l _ _ _. induction l as [|draw l IH]; simpl; [ring|]. rewrite <- IH. unfold excess. ring.
    - intros h Hh. unfold given, weighted. destruct (distribution h Hh) as [_ Hone].
      rewrite (sum_ext K _ (fun k => mean h * p h k)) by (intros; ring). rewrite sum_scale, Hone. ring.
  Qed.
End Draws.

Lemma norm_if n (b : bool) g q v : 0 < q -> same n v (fun i => if b then g i / q else 0) ->
  norm n v = if b then norm n g / q else 0.
Proof.
  intros Hq Hv. unfold norm. destruct b.
  - rewrite (norm_of_a_multiple n v (/ q) g) by (intros i Hi; rewrite (Hv i Hi); unfold Rdiv; ring).
    rewrite sqrt_mult_alt, sqrt_pow2 by (apply pow2_ge_0 || (left; now apply Rinv_0_lt_compat)). unfold Rdiv. ring.
  - rewrite <- sqrt_0. f_equal. apply sum_zero. intros i Hi. rewrite (Hv i Hi). ring.
Qed.

(** An estimate is g/q at an event of the probability q, else 0; [g] is known [D] rounds before. *)
Theorem products_of_late_estimates n K T D p (event : history -> nat -> bool) q (g : history -> vector)
  (h : history -> nat -> vector) : (forall past, takes_place K T past -> is_distribution K (p past)) ->
  (forall past, takes_place K T past -> 0 < q past /\ q past = chance K (p past) (event past) /\
    forall draw, (draw < K)%nat -> same n (h past draw) (fun i => if event past draw then g past i / q past else 0)) ->
  (forall past other, length past = length other -> skipn D past = skipn D other -> same n (g past) (g other)) ->
  expectation K p T (late_pairs_of D (fun past draw => norm n (h past draw))) [] =
  expectation K p T (late_pairs_of D (fun past _ => norm n (g past))) [].
Proof.
  intros Hp Hestimate Hknown. apply late_products_of_estimates; [assumption| |].
  - intros past Hpast. destruct (Hestimate past Hpast) as (Hq & Hchance & Hdraw).
    apply (weighted_estimate K (p past) (event past) (q past)); auto. intros draw Hlt. apply norm_if; auto.
  - intros past other Hlen Hskip. unfold norm. f_equal. apply dot_same; now apply Hknown.
Qed.
