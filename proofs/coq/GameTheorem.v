(** Lemma 1 for every setting: from single rounds to the whole guarantee, with one learner against every adversary. *)

From Coq Require Import Reals Lra Lia List Arith FunctionalExtensionality.
From Gaptron Require Import Definitions Sums Matrices Expectations Descent Projection.
Import ListNotations.
Open Scope R_scope.

(** A function that has a subgradient everywhere is convex. *)
Lemma convex_from_subgradients rows d f :
  (forall W, exists G, matrix_subgradient rows d f W G) -> convex f.
Proof.
  intros H A B t Ht. set (C := fun k i => t * A k i + (1 - t) * B k i).
  destruct (H C) as [G HG]. pose proof (HG A) as HA. pose proof (HG B) as HB.
  rewrite (inner_ext _ _ G G _ (fun k i => (1 - t) * (A k i - B k i))) in HA by (intros; unfold C; ring || reflexivity).
  rewrite (inner_ext _ _ G G _ (fun k i => (- t) * (A k i - B k i))) in HB by (intros; unfold C; ring || reflexivity).
  rewrite inner_scale in HA, HB. set (I := inner _ _ _ _) in *. nra.
Qed.

(** One matrix for each draw. *)
Lemma for_each_draw M (Q : nat -> matrix -> Prop) : (forall k, (k < M)%nat -> exists g, Q k g) ->
  exists g : nat -> matrix, forall k, (k < M)%nat -> Q k (g k).
Proof.
  induction M as [|M IH]; intros H; [exists (fun _ _ _ => 0); lia|].
  destruct IH as [g Hg]; [intros k Hk; apply H; lia|]. destruct (H M ltac:(lia)) as [last Hlast].
  exists (fun k => if Nat.eqb k M then last else g k). intros k Hk.
  destruct (Nat.eqb_spec k M) as [->|Hne]; [exact Hlast|apply Hg; lia].
Qed.

(** What is asked of single rounds: whichever subgradients the draws take, [slack] is left to pay. *)
Record sound (G : game) (X eta slack : R) : Type := {
  positive_rate : 0 < eta;
  starts_inside : weight_set G (fun _ _ => 0);
  convex_inside : convex_set (weight_set G);
  some_nearest : forall V, {W | nearest_in (weight_rows G) (features G) (weight_set G) V W};
  nonnegative_loss : forall W x c y V, (y < label_count G)%nat -> 0 <= round_loss G W x c y V;
  some_gradient : forall W x c y V, (y < label_count G)%nat ->
    {g | matrix_subgradient (weight_rows G) (features G) (round_loss G W x c y) V g};
  some_choice : forall W x, weight_set G W -> dot (features G) x x <= X ^ 2 -> {c | may_choose G eta W x c};
  honest_chances : forall W x c, may_choose G eta W x c ->
    is_distribution (draw_count G) (chance G W x c) /\
    forall y, (y < label_count G)%nat ->
      sum (draw_count G) (fun draw => chance G W x c draw * estimate G (chance G W x c) y draw) = 1;
  told_gradient : forall W x c, may_choose G eta W x c -> forall draw seen,
    {g | forall y, (y < label_count G)%nat -> revealed G y draw = seen ->
      matrix_subgradient (weight_rows G) (features G)
        (fun V => estimate G (chance G W x c) y draw * round_loss G W x c y V) W g};
  round_pays : forall W x c y price (g : nat -> matrix), weight_set G W -> may_choose G eta W x c ->
    (y < label_count G)%nat -> dot (features G) x x <= X ^ 2 -> price <= highest_price G ->
    (forall draw, (draw < draw_count G)%nat -> matrix_subgradient (weight_rows G) (features G)
      (fun V => estimate G (chance G W x c) y draw * round_loss G W x c y V) W (g draw)) ->
    sum (draw_count G) (fun draw => chance G W x c draw *
      (charge G price y draw - estimate G (chance G W x c) y draw * round_loss G W x c y W
       + eta / 2 * norm2 (weight_rows G) (features G) (g draw))) <= slack
}.

Section Game.
  Variables (G : game) (X eta slack : R) (T : nat).
  Hypothesis rounds : sound G X eta slack.
  Let M := draw_count G.
  Let size := norm2 (weight_rows G) (features G).
  Let apart (A B : matrix) := size (fun k i => A k i - B k i).

  Lemma loss_is_legal : legal G.
  Proof using rounds.
    intros W x c y Hy. split; [|intros V; now apply (nonnegative_loss _ _ _ _ rounds)].
    apply convex_from_subgradients with (rows := weight_rows G) (d := features G). intros V.
    destruct (some_gradient _ _ _ _ rounds W x c y V Hy) as [g Hg]. now exists g.
  Qed.

  Lemma always_decides : decides G X eta.
  Proof using rounds. intros W x HW Hx. destruct (some_choice _ _ _ _ rounds W x HW Hx) as [c Hc]. now exists c. Qed.

  (** * A learner that knows no more than what it is told *)

  Let inside := {W | weight_set G W}.

  Lemma zero_is_short : dot (features G) (fun _ => 0) (fun _ => 0) <= X ^ 2.
  Proof using. unfold dot. rewrite sum_zero by (intros; ring). apply pow2_ge_0. Qed.

  (** Where features are longer than is allowed, what is chosen for no features. *)
  Definition allowed (x : vector) : {z | dot (features G) z z <= X ^ 2 /\ (dot (features G) x x <= X ^ 2 -> z = x)}.
  Proof using.
    destruct (Rle_dec (dot (features G) x x) (X ^ 2)) as [H|H]; [exists x|exists (fun _ => 0)]; split; auto.
    - apply zero_is_short.
    - now intros H'.
  Defined.

  Definition chosen (W : inside) (x : vector) : {c | may_choose G eta (proj1_sig W) (proj1_sig (allowed x)) c} :=
    some_choice _ _ _ _ rounds _ _ (proj2_sig W) (proj1 (proj2_sig (allowed x))).

  Definition moved (W : inside) (x : vector) (draw seen : nat) : inside :=
    let g := proj1_sig (told_gradient _ _ _ _ rounds _ _ _ (proj2_sig (chosen W x)) draw seen) in
    let next := some_nearest _ _ _ _ rounds (fun k i => proj1_sig W k i - eta * g k i) in
    exist _ (proj1_sig next) (proj1 (proj2_sig next)).

  Fixpoint weights_told (f : list feedback) : inside :=
    match f with
    | [] => exist _ _ (starts_inside _ _ _ _ rounds)
    | (x, draw, seen) :: f => moved (weights_told f) x draw seen
    end.

  Lemma a_learner : learnable T G X eta.
  Proof using rounds.
    exists (fun f => proj1_sig (weights_told f)), (fun f x => proj1_sig (chosen (weights_told f) x)).
    intros x y price Hadm. split; [reflexivity|]. intros h Hh. destruct (Hadm h Hh) as (Hy & Hx & _).
    set (W := weights_told (told G x y h)).
    assert (Hsame : proj1_sig (allowed (x h)) = x h) by exact (proj2 (proj2_sig (allowed (x h))) Hx).
    split; [exact (eq_ind _ (fun z => may_choose G eta (proj1_sig W) z _) (proj2_sig (chosen W (x h))) _ Hsame)|]. intros draw Hdraw. cbn [told weights_told]. fold W.
    exists (proj1_sig (told_gradient _ _ _ _ rounds _ _ _ (proj2_sig (chosen W (x h))) draw (revealed G (y h) draw))).
    split; [|exact (proj2_sig (some_nearest _ _ _ _ rounds _))].
    match goal with |- matrix_subgradient _ _ _ _ (proj1_sig ?found) =>
      assert (H := proj2_sig found (y h) Hy eq_refl); set (g := proj1_sig found) in * end.
    clearbody g. unfold estimated. fold W. cbv beta in H. set (c := proj1_sig (chosen W (x h))) in *. clearbody c.
    rewrite Hsame in H. exact H.
  Qed.

  (** * The bound *)

  Section Play.
    Variables (x : history -> vector) (y : history -> nat) (price : history -> R).
    Variables (W : history -> matrix) (c : history -> choice G).
    Hypothesis against : admissible G X T x y price.
    Hypothesis playing : plays G eta T x y W c.
    Let p (h : history) := chance G (W h) (x h) (c h).
    Let paid (h : history) (draw : nat) := charge G (price h) (y h) draw.
    Let lost := estimated G x y W c.

    Lemma stays h : Forall (fun draw => (draw < M)%nat) h -> (length h <= T)%nat -> weight_set G (W h).
    Proof using rounds playing.
      intros Hh Hlen. destruct playing as [Hzero Hplay]. destruct h as [|draw h].
      - replace (W []) with (fun _ _ : nat => 0); [apply (starts_inside _ _ _ _ rounds)|].
        apply functional_extensionality. intros k. apply functional_extensionality. intros i. now rewrite Hzero.
      - inversion Hh as [|? ? Hdraw Hrest]. simpl in Hlen.
        destruct (Hplay h (conj Hrest Hlen)) as [_ Hstep]. now destruct (Hstep draw Hdraw) as (g & _ & Hin & _).
    Qed.

    Lemma drawn h : takes_place M T h -> is_distribution M (p h).
    Proof using rounds playing. intros Hh. apply (honest_chances _ _ _ _ rounds), playing, Hh. Qed.

    (** The comparators' losses and distances have paid [due] so far. *)
    Definition has_paid (h : history) (due : R) : Prop :=
      forall U, weight_set G U ->
        due + apart (W h) U / (2 * eta) <= weighted_total (lost U) h + size U / (2 * eta).

    Lemma one_round h : takes_place M T h ->
      exists due, (forall draw before, (draw < M)%nat -> has_paid h before -> has_paid (draw :: h) (before + due draw)) /\
        sum M (fun draw => p h draw * (paid h draw - due draw)) <= slack.
    Proof using rounds against playing.
      intros Hh. destruct playing as [_ Hplay], (against h Hh) as (Hy & Hx & Hprice), (Hplay h Hh) as [Hmay Hstep].
      destruct (for_each_draw M _ Hstep) as [g Hg]. assert (Heta := positive_rate _ _ _ _ rounds).
      assert (HW := stays h (proj1 Hh) (Nat.lt_le_incl _ _ (proj2 Hh))).
      exists (fun draw => lost (W h) h draw - eta / 2 * size (g draw)). split.
      - intros draw before Hdraw Hbefore U HU. destruct (Hg draw Hdraw) as [Hsub Hnear].
        specialize (Hbefore U HU). specialize (Hsub U). cbv beta in Hsub. cbn [weighted_total].
        assert (Hmove := potential_step (weight_rows G) (features G) eta 1 W U Heta Rle_0_1 h draw (g draw)
          (nearest_nearer _ _ _ _ _ U (fun t Ht => convex_inside _ _ _ _ rounds U _ t HU (proj1 Hnear) Ht) Hnear)).
        unfold potential in Hmove. fold size (apart (W h) U) (apart (W (draw :: h)) U) in Hmove. fold lost in Hsub.
        unfold apart, size in *.
        lra.
      - rewrite (sum_ext M _ (fun draw => p h draw * (paid h draw - lost (W h) h draw + eta / 2 * size (g draw))))
          by (intros; ring).
        apply (round_pays _ _ _ _ rounds (W h) (x h) (c h) (y h) (price h) g); auto. intros draw Hdraw. now apply Hg.
    Qed.

    Variables (U : history -> matrix) (regret : R -> R).
    Hypothesis compared : forall h, weight_set G (U h) /\ size (U h) / (2 * eta) + slack * INR T <= regret (size (U h)).
    Let owed (h : history) := weighted_total (lost (U h)) h + regret (size (U h)).

    Lemma comparator_pays n : forall h before, Forall (fun draw => (draw < M)%nat) h -> (length h + n = T)%nat ->
      has_paid h before ->
      expectation M p n (weighted_total paid) h <=
      expectation M p n owed h + (weighted_total paid h - before) + slack * (INR n - INR T).
    Proof using rounds against playing compared.
      assert (Heta := positive_rate _ _ _ _ rounds).
      induction n as [|n IH]; intros h before Hh Hlen Hpaid; cbn [expectation].
      - destruct (compared h) as [HU Hregret]. specialize (Hpaid (U h) HU). unfold owed. cbn [INR].
        assert (0 <= apart (W h) (U h) / (2 * eta)); [|lra].
        apply Rmult_le_pos; [apply norm2_nonneg|]. left. apply Rinv_0_lt_compat. lra.
      - assert (Hplace : takes_place M T h) by (split; [exact Hh|lia]).
        destruct (one_round h Hplace) as (due & Hdue & Hslack), (drawn h Hplace) as [Hpos Hone].
        apply Rle_trans with (sum M (fun draw => p h draw * (expectation M p n owed (draw :: h)
          + (paid h draw - due draw) + (weighted_total paid h - before + slack * (INR n - INR T))))).
        + apply sum_le. intros draw Hdraw. apply Rmult_le_compat_l; [now apply Hpos|].
          refine (Rle_trans _ _ _ (IH (draw :: h) (before + due draw) _ _ _) _); auto; [simpl; lia|].
          cbn [weighted_total]. lra.
        + rewrite mean_shifted by now split.
          rewrite (sum_ext M _ (fun draw => p h draw * expectation M p n owed (draw :: h)
            + p h draw * (paid h draw - due draw))) by (intros; ring).
          rewrite sum_plus, S_INR. lra.
    Qed.

    Lemma comparator_pays_all : expectation M p T (weighted_total paid) [] <= expectation M p T owed [].
    Proof using rounds against playing compared.
      refine (Rle_trans _ _ _ (comparator_pays T [] 0 (Forall_nil _) eq_refl _) _).
      - intros V _. cbn [weighted_total]. rewrite Rplus_0_l.
        right. replace (apart (W []) V) with (size V); [ring|].
        apply sum_ext. intros k _. apply sum_ext. intros i _. rewrite (proj1 playing). ring.
      - cbn [weighted_total]. lra.
    Qed.
  End Play.

  Theorem bounded_in (regret : R -> R) :
    (forall U h, comparable G U -> weight_set G (U h) /\ size (U h) / (2 * eta) + slack * INR T <= regret (size (U h))) ->
    bounded_by T G X eta regret.
  Proof using rounds.
    intros Hregret x y price Hadm W c Hplay p. split.
    - intros h Hh. apply (honest_chances _ _ _ _ rounds), Hplay, Hh.
    - intros U HU. apply comparator_pays_all; auto.
  Qed.

  Theorem guarantee_from_bound (regret : R -> R) : bounded_by T G X eta regret -> guarantee_in T G X eta regret.
  Proof using rounds.
    intros Hbound. exact (conj loss_is_legal (conj always_decides (conj a_learner Hbound))).
  Qed.
End Game.

(** A larger regret. *)
Lemma guarantee_weaken T G X eta regret regret' :
  (forall U h, comparable G U ->
    regret (norm2 (weight_rows G) (features G) (U h)) <= regret' (norm2 (weight_rows G) (features G) (U h))) ->
  guarantee_in T G X eta regret -> guarantee_in T G X eta regret'.
Proof.
  intros Hle (Hlegal & Hdecides & Hlearner & Hbound). split; [exact Hlegal|]. split; [exact Hdecides|].
  split; [exact Hlearner|]. intros x y price Hadm W c Hplay p.
  destruct (Hbound x y price Hadm W c Hplay) as [Hdist Hall]. split; [exact Hdist|].
  intros U HU. refine (Rle_trans _ _ _ (Hall U HU) _).
  apply (expectation_le (draw_count G) T); [intros h Hh; now apply Hdist| |constructor|reflexivity].
  intros h _ _. apply Rplus_le_compat_l. now apply Hle.
Qed.

(** * Where the label is told

    Weights may be anywhere, and losses are as they are; that the surrogate gap is at most 0 is asked of every
    subgradient. *)

Section Told.
  Variables (G : game) (X eta regret : R).
  Hypothesis anywhere : forall W, weight_set G W.
  Hypothesis label_told : forall y draw, revealed G y draw = y.
  Hypothesis unweighted : forall p y draw, estimate G p y draw = 1.
  Hypothesis rate : 0 < eta.
  Hypothesis enough : 1 / (2 * eta) <= regret.
  Hypothesis nonnegative : forall W x c y V, (y < label_count G)%nat -> 0 <= round_loss G W x c y V.
  Variable gradient : forall W x c y V, (y < label_count G)%nat ->
    {g | matrix_subgradient (weight_rows G) (features G) (round_loss G W x c y) V g}.
  Variable choose : forall W x, dot (features G) x x <= X ^ 2 -> {c | may_choose G eta W x c}.
  Hypothesis distributions : forall W x c, may_choose G eta W x c -> is_distribution (draw_count G) (chance G W x c).
  Hypothesis gap : forall W x c y price g, may_choose G eta W x c -> (y < label_count G)%nat ->
    dot (features G) x x <= X ^ 2 -> price <= highest_price G ->
    matrix_subgradient (weight_rows G) (features G) (round_loss G W x c y) W g ->
    sum (draw_count G) (fun draw => chance G W x c draw * charge G price y draw) - round_loss G W x c y W
      + eta / 2 * norm2 (weight_rows G) (features G) g <= 0.

  Lemma weighted_by_one p y draw (f : matrix -> R) : (fun V => estimate G p y draw * f V) = f.
  Proof using unweighted. apply functional_extensionality. intros V. rewrite unweighted. ring. Qed.

  Lemma told_sound : sound G X eta 0.
  Proof using anywhere label_told unweighted rate nonnegative gradient choose distributions gap.
    split; auto.
    - intros U W t _ _ _. apply anywhere.
    - intros V. exists V. split; [apply anywhere|]. intros U _.
      replace (norm2 _ _ (fun k i => V k i - V k i)) with 0; [apply norm2_nonneg|].
      symmetry. apply sum_zero. intros k _. apply sum_zero. intros i _. ring.
    - intros W x c Hc. assert (Hp := distributions W x c Hc). split; [exact Hp|]. intros y _.
      rewrite <- (proj2 Hp). apply sum_ext. intros draw _. rewrite unweighted. ring.
    - intros W x c Hc draw seen. destruct (lt_dec seen (label_count G)) as [Hy|Hy].
      + exists (proj1_sig (gradient W x c seen W Hy)). intros y _ Heq. rewrite label_told in Heq. subst seen.
        rewrite weighted_by_one. exact (proj2_sig (gradient W x c y W Hy)).
      + exists (fun _ _ => 0). intros y Hlt Heq. rewrite label_told in Heq. now subst seen.
    - intros W x c y price g _ Hc Hy Hx Hprice Hg. assert (Hp := distributions W x c Hc).
      set (risk := sum (draw_count G) (fun draw => chance G W x c draw * charge G price y draw)).
      apply Rle_trans with (sum (draw_count G) (fun draw => chance G W x c draw * (charge G price y draw + - risk))).
      + apply sum_le. intros draw Hdraw. apply Rmult_le_compat_l; [now apply Hp|]. rewrite unweighted.
        specialize (Hg draw Hdraw). rewrite weighted_by_one in Hg.
        assert (H := gap W x c y price _ Hc Hy Hx Hprice Hg). fold risk in H. lra.
      + rewrite mean_shifted by exact Hp. fold risk. lra.
  Qed.

  Theorem told_guarantee : guarantee G X eta (linear regret).
  Proof using anywhere label_told unweighted rate enough nonnegative gradient choose distributions gap.
    intros T. assert (H := told_sound). apply (guarantee_from_bound _ _ _ _ _ H), (bounded_in _ _ _ _ _ H).
    intros U h _. split; [apply anywhere|]. unfold linear. set (u := norm2 _ _ _).
    assert (Hu : 0 <= u) by apply norm2_nonneg. apply Rmult_le_compat_r with (r := u) in enough; [|exact Hu].
    replace (u / (2 * eta)) with (1 / (2 * eta) * u) by (field; lra). lra.
  Qed.
End Told.
