(** The best decoder for losses phi(m(W, y)) and for losses of one weight vector: from what few labels need, for every
    subgradient, to what K labels need together.

    At scores whose top margin is s the runner-up has the margin -s and all others have margins -t <= -s. The needs of
    K - 2 labels that count sum to at most K - 2 times the largest of them: that one bounds them all. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Pieces Assembly Linear Margins MarginTheorem.
From Gaptron Require Import Derivatives Convexity BinaryTheorem ScoreLosses DecoderDefinitions.
From Gaptron Require Import Decoders DecoderTheorem.
Open Scope R_scope.

(** P(correct) has to be at least that for a label whose loss is f at m, with the subgradient g there. *)
Definition need (f : R -> R) (rate m g : R) : R := 1 - f m + rate * g ^ 2.

(** Whether a label counts. *)
Definition none_or_one (u : R) : Prop := u = 0 \/ u = 1.

Lemma positive_part x : exists u, none_or_one u /\ Rmax 0 x = u * x.
Proof.
  destruct (Rle_dec x 0); [exists 0|exists 1]; (split; [unfold none_or_one; auto|]).
  - rewrite Rmax_left; lra.
  - rewrite Rmax_right; lra.
Qed.

Lemma none_or_one_range u : none_or_one u -> 0 <= u <= 1.
Proof. intros [-> | ->]; lra. Qed.

(** * The largest need at a point *)

Section Worst.
  Variable f : R -> R.
  Hypothesis convex_f : forall m, exists g, subgradient f m g.

  Lemma largest_square m : {b | is_lub (fun e => exists g, subgradient f m g /\ e = g ^ 2) b}.
  Proof using convex_f.
    apply completeness.
    - exists ((f m - f (m - 1)) ^ 2 + (f (m + 1) - f m) ^ 2). intros e (g & Hg & ->).
      assert (Hup := Hg (m + 1)). assert (Hdown := Hg (m - 1)).
      assert (H1 := pow2_ge_0 (f m - f (m - 1))). assert (H2 := pow2_ge_0 (f (m + 1) - f m)).
      destruct (Rle_dec 0 g).
      + assert (g ^ 2 <= (f (m + 1) - f m) ^ 2) by (apply pow_incr; lra). lra.
      + assert (Hsquare : (- g) ^ 2 <= (- (f m - f (m - 1))) ^ 2) by (apply pow_incr; lra).
        replace ((- g) ^ 2) with (g ^ 2) in Hsquare by ring.
        replace ((- (f m - f (m - 1))) ^ 2) with ((f m - f (m - 1)) ^ 2) in Hsquare by ring. lra.
    - destruct (convex_f m) as [g Hg]. exists (g ^ 2). now exists g.
  Qed.

  Definition worst_need (rate m : R) : R := 1 - f m + rate * proj1_sig (largest_square m).

  Lemma need_at_most_worst rate m g : 0 <= rate -> subgradient f m g -> need f rate m g <= worst_need rate m.
  Proof using convex_f.
    intros Hrate Hg. unfold need, worst_need. destruct (largest_square m) as [b Hb]. cbn [proj1_sig]. destruct Hb as [Hup _].
    assert (Hb : g ^ 2 <= b) by (apply Hup; now exists g). apply Rmult_le_compat_l with (r := rate) in Hb; lra.
  Qed.

  Lemma worst_at_most_one rate m base weight : 0 <= rate -> 0 <= weight ->
    (forall g, subgradient f m g -> base + weight * need f rate m g <= 1) -> base + weight * worst_need rate m <= 1.
  Proof using convex_f.
    intros Hrate Hweight H. unfold need, worst_need in *. destruct (largest_square m) as [b Hb].
    cbn [proj1_sig]. destruct Hb as [_ Hleast]. assert (Hw : 0 <= weight * rate) by now apply Rmult_le_pos. destruct Hw as [Hw|Hw].
    - assert (Hb : b <= (1 - base - weight * (1 - f m)) / (weight * rate)).
      { apply Hleast. intros e (g & Hg & ->). specialize (H g Hg). apply Rmult_le_reg_r with (weight * rate); [exact Hw|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      apply Rmult_le_compat_r with (r := weight * rate) in Hb; [|lra].
      unfold Rdiv in Hb. rewrite Rmult_assoc, Rinv_l in Hb by lra. lra.
    - destruct (convex_f m) as [g Hg]. specialize (H g Hg).
      replace (weight * (1 - f m + rate * g ^ 2)) with (weight * (1 - f m) + weight * rate * g ^ 2) in H by ring.
      replace (weight * (1 - f m + rate * b)) with (weight * (1 - f m) + weight * rate * b) by ring.
      rewrite <- Hw in *. lra.
  Qed.
End Worst.

(** For a function in pieces the slopes of its pieces are enough. *)
Lemma pieces_need f parts : every (piece f) parts -> (forall m, some (fun C _ => C m) parts) ->
  forall m g base weight rate, 0 <= weight -> 0 <= rate ->
  every (fun C slope => C m -> base + weight * need f rate m (slope m) <= 1) parts -> subgradient f m g ->
  base + weight * need f rate m g <= 1.
Proof.
  intros Hparts Hcovered m g base weight rate Hweight Hrate Hall Hg. unfold need in *.
  assert (H := pieces_gap f parts Hparts Hcovered m g (base + weight * (1 - f m) - 1) (weight * rate)).
  assert (base + weight * (1 - f m) - 1 + weight * rate * g ^ 2 <= 0); [|lra].
  apply H; [now apply Rmult_le_pos| |exact Hg]. refine (every_implies _ _ _ _ Hall).
  intros C slope Hpiece HC. specialize (Hpiece HC). lra.
Qed.

(** The first of some needs last. *)
Lemma first_last a b : b + a <= 1 -> a + b <= 1.
Proof. lra. Qed.

Lemma first_of_three_last a b c : b + c + a <= 1 -> a + b + c <= 1.
Proof. lra. Qed.

(** * Margin losses *)

(** [phi], [beta] and [eta] as in [margin_conditions]. The top label has the margin s, the runner-up -s and, for K >= 3,
    the others -t at most; of each it is left open whether it counts, of the others whether all or none do. A top label
    whose round is off has no loss, and needs 1. *)
Record margin_needs (k : R) (phi : R -> R) (beta : option R) (eta c : R) : Prop := {
  needing_nonnegative : forall m, 0 <= phi m;
  needing_convex : forall m, exists g, subgradient phi m g;
  needing_nonincreasing : k <> 2 -> forall m g, subgradient phi m g -> g <= 0;
  needing_rate_positive : 0 < eta;
  needs_of_labels : forall s t g h e u v w, 0 <= s <= t -> ~ is_off beta s ->
    none_or_one u -> none_or_one v -> none_or_one w -> (k = 2 -> w = 0) ->
    subgradient phi s g -> subgradient phi (- s) h -> subgradient phi (- t) e ->
    u * need phi eta s g + v * need phi eta (- s) h + w * (k - 2) * need phi eta (- t) e <= 1;
  needs_when_off : forall s t h e v w, 0 <= s <= t -> is_off beta s ->
    none_or_one v -> none_or_one w -> (k = 2 -> w = 0) ->
    subgradient phi (- s) h -> subgradient phi (- t) e ->
    1 + v * need phi eta (- s) h + w * (k - 2) * need phi eta (- t) e <= 1;
  needing_regret_follows : 1 / (2 * eta) <= c
}.

(** A need that falls as the margin does. *)
Lemma need_falls f f' f'' rate : (forall m, derivable_pt_lim f m (f' m)) -> (forall m, derivable_pt_lim f' m (f'' m)) ->
  (forall s, 0 <= s -> f' (- s) - 2 * rate * f' (- s) * f'' (- s) <= 0) ->
  forall s t, 0 <= s <= t -> need f rate (- t) (f' (- t)) <= need f rate (- s) (f' (- s)).
Proof.
  intros Hf Hf' Hfalls s t Hst. assert (Hdown : nondecreasing_on (fun m => m <= 0) (fun m => need f rate m (f' m))).
  { apply nondecreasing_from_derivative with (f' := fun m => - f' m + 2 * rate * f' m * f'' m).
    - intros b c m _ Hc Hm. lra.
    - intros m _. unfold need. apply derive_equal with (p := (0 - f' m) + (0 * f' m ^ 2 + rate * (INR 2 * f' m ^ 1 * f'' m))).
      + apply (derive_plus (fun m => 1 - f m) (fun m => rate * f' m ^ 2)).
        * apply (derive_minus (fun _ => 1) f); [apply derivable_pt_lim_const|apply Hf].
        * apply (derive_mult (fun _ => rate) (fun m => f' m ^ 2)); [apply derivable_pt_lim_const|].
          apply (derive_pow f' m _ 2), Hf'.
      + simpl. ring.
    - intros m Hm. specialize (Hfalls (- m) ltac:(lra)). rewrite Ropp_involutive in Hfalls. lra. }
  apply Hdown; lra.
Qed.

(** Then the wrong labels need most together when they are tied: [a] is what the top label needs, [b] the runner-up, [e]
    another. *)
Lemma tied_labels k a b e u v w : 2 <= k -> none_or_one u -> none_or_one v -> none_or_one w -> e <= b ->
  a <= 1 -> (k - 1) * b <= 1 -> a + (k - 1) * b <= 1 -> u * a + v * b + w * (k - 2) * e <= 1.
Proof.
  intros Hk Hu Hv Hw Heb Ha Hb Hab. assert (He : (k - 2) * e <= (k - 2) * b) by (apply Rmult_le_compat_l; lra).
  destruct (Rle_dec 0 b) as [Hpos|Hneg].
  - assert (Hkb : 0 <= (k - 2) * b) by (apply Rmult_le_pos; lra). destruct Hu as [-> | ->], Hv as [-> | ->], Hw as [-> | ->]; lra.
  - apply Rnot_le_lt in Hneg. assert (Hkb : 0 <= (k - 2) * - b) by (apply Rmult_le_pos; lra).
    destruct Hu as [-> | ->], Hv as [-> | ->], Hw as [-> | ->]; lra.
Qed.

Section Margins.
  Variables (K d : nat) (phi : R -> R) (beta : option R) (eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis needs : margin_needs (INR K) phi beta eta c.
  Hypothesis X_positive : 0 < X.
  Let worst m := worst_need phi (needing_convex _ _ _ _ _ needs) eta m.

  Definition top_worst (s : R) : R :=
    match beta with
    | Some b => if Rlt_dec b s then 1 else worst s
    | None => worst s
    end.

  Lemma top_worst_cases s : is_off beta s /\ top_worst s = 1 \/ ~ is_off beta s /\ top_worst s = worst s.
  Proof using. unfold top_worst. destruct beta as [b|]; [|now right]. simpl. destruct (Rlt_dec b s); [now left|now right]. Qed.

  Lemma few_labels s t u v w : 0 <= s <= t -> none_or_one u -> none_or_one v -> none_or_one w -> (K = 2%nat -> w = 0) ->
    u * top_worst s + v * worst (- s) + w * (INR K - 2) * worst (- t) <= 1.
  Proof using classes needs.
    intros Hst Hu Hv Hw Htwo. assert (Hk := at_least_two K classes).
    assert (Heta := Rlt_le _ _ (needing_rate_positive _ _ _ _ _ needs)).
    assert (Hu' := none_or_one_range u Hu). assert (Hv' := none_or_one_range v Hv).
    assert (Hw' := none_or_one_range w Hw).
    assert (Htwo' : INR K = 2 -> w = 0) by (intros H; apply Htwo; now apply two_classes).
    apply worst_at_most_one; [exact Heta|apply Rmult_le_pos; lra|]. intros e He.
    destruct (top_worst_cases s) as [[Hoff ->]|[Hon ->]]; apply first_of_three_last.
    - assert (Hrest : 1 + w * (INR K - 2) * need phi eta (- t) e + v * worst (- s) <= 1); [|destruct Hu as [-> | ->]; lra].
      apply worst_at_most_one; [exact Heta|lra|]. intros h Hh.
      assert (H := needs_when_off _ _ _ _ _ needs s t h e v w Hst Hoff Hv Hw Htwo' Hh He). lra.
    - apply worst_at_most_one; [exact Heta|lra|]. intros g Hg.
      apply first_of_three_last, worst_at_most_one; [exact Heta|lra|]. intros h Hh.
      apply first_of_three_last. apply (needs_of_labels _ _ _ _ _ needs); auto.
  Qed.

  Definition worst_of (theta : vector) (top y : nat) : R :=
    if Nat.eqb y top then top_worst (margin K theta top) else worst (margin K theta y).

  Lemma all_labels theta top : is_top K theta top -> sum K (fun y => Rmax 0 (worst_of theta top y)) <= 1.
  Proof using classes needs.
    intros Htop. assert (Hy := proj1 Htop).
    destruct (some_rival K theta top classes Hy) as (rival & Hr & Hne & Hs).
    set (s := margin K theta top) in *. assert (Hs0 : 0 <= s) by now apply right_margin.
    assert (Hrival : margin K theta rival = - s).
    { apply margin_unique; auto.
      - intros k Hk _. destruct Htop as [_ Htop]. specialize (Htop k Hk). lra.
      - exists top. repeat split; auto. lra. }
    set (m := fun y => Rmax 0 (worst_of theta top y)).
    destruct (positive_part (top_worst s)) as (u & Hu & Hus). destruct (positive_part (worst (- s))) as (v & Hv & Hvs).
    rewrite (sum_split K m top Hy), (sum_split K (without top m) rival Hr).
    unfold m at 1, worst_of at 1. rewrite Nat.eqb_refl. fold s.
    unfold without at 1. rewrite (proj2 (Nat.eqb_neq rival top) Hne).
    unfold m at 1, worst_of at 1. rewrite (proj2 (Nat.eqb_neq rival top) Hne), Hrival, Hus, Hvs.
    set (both := u * top_worst s + v * worst (- s)).
    assert (Hboth : both <= 1).
    { assert (H := few_labels s s u v 0 ltac:(lra) Hu Hv ltac:(now left) ltac:(auto)). unfold both. lra. }
    assert (Hrest : sum K (without rival (without top m)) <= 1 - both); [|unfold both in *; lra].
    destruct (Nat.eq_dec K 2) as [H2|H3].
    { rewrite sum_zero; [lra|]. intros k Hk. unfold without.
      destruct (Nat.eqb_spec k rival); [reflexivity|]. destruct (Nat.eqb_spec k top); [reflexivity|]. lia. }
    assert (Hk : 3 <= INR K) by (replace 3 with (INR 3) by (simpl; ring); apply le_INR; lia).
    set (cap := (1 - both) / (INR K - 2)).
    assert (Hcap : sum K (without rival (without top (fun _ => cap))) = 1 - both).
    { assert (H := sum_const K cap). rewrite (sum_split K _ top Hy), (sum_split K (without top _) rival Hr) in H.
      unfold without at 1 in H. rewrite (proj2 (Nat.eqb_neq rival top) Hne) in H.
      replace (1 - both) with (INR K * cap - cap - cap) by (unfold cap; field; lra). lra. }
    rewrite <- Hcap. apply sum_le. intros k Hkk. unfold without.
    destruct (Nat.eqb_spec k rival); [lra|]. destruct (Nat.eqb_spec k top) as [|Hkt]; [lra|].
    unfold m, worst_of, cap. rewrite (proj2 (Nat.eqb_neq k top) Hkt).
    destruct (positive_part (worst (margin K theta k))) as (w & Hw & ->).
    destruct (wrong_margins K theta top k classes Hkk Htop (not_eq_sym Hkt)) as [Hle _]. fold s in Hle.
    assert (H := few_labels s (- margin K theta k) u v w ltac:(lra) Hu Hv Hw ltac:(intros; now elim H3)).
    rewrite Ropp_involutive in H. apply Rmult_le_reg_r with (INR K - 2); [lra|].
    unfold Rdiv. rewrite (Rmult_assoc (1 - both)), Rinv_l by lra. unfold both. lra.
  Qed.

  Lemma needing_surrogate : margin_surrogate (INR K) phi.
  Proof using needs. destruct needs. split; assumption. Qed.

  Lemma margin_gradient x y V : (y < K)%nat -> {G | matrix_subgradient K d (of_scores d (of_margin K phi) x y) V G}.
  Proof using classes needs.
    exact (margin_gradient_exists K d phi classes needing_surrogate phi None V x 0%nat y V).
  Qed.

  Lemma margin_needed W ystar x y G : (y < K)%nat -> dot d x x <= X ^ 2 ->
    let loss := switched K d (of_scores d (of_margin K phi)) beta W ystar x y in
    matrix_subgradient K d loss W G -> 1 - loss W + eta / X ^ 2 / 2 * norm2 K d G <= worst_of (scores d W x) ystar y.
  Proof using classes needs X_positive.
    intros Hy Hx loss HG. unfold loss, switched, of_scores, of_margin, worst_of in *. set (theta := scores d W x) in *.
    assert (Heta := needing_rate_positive _ _ _ _ _ needs). destruct (off beta _ _ _) eqn:Hoff.
    - destruct (off_true _ _ _ _ Hoff) as [H ->]. rewrite Nat.eqb_refl, (constant_subgradient _ _ _ _ _ HG).
      destruct (top_worst_cases (margin K theta y)) as [[_ ->]|[Hon _]]; [lra|contradiction].
    - set (m := margin K theta y) in *.
      assert (Hworst : (if Nat.eqb y ystar then top_worst (margin K theta ystar) else worst m) = worst m).
      { destruct (Nat.eqb_spec y ystar) as [->|]; [|reflexivity]. fold m.
        destruct (top_worst_cases m) as [[H _]|[_ H]]; [|exact H]. now elim (off_false _ _ _ Hoff). }
      rewrite Hworst.
      assert (H := margin_gradient_cost K d phi classes needing_surrogate eta X W x y G (1 - phi m - worst m) Heta
        X_positive Hy Hx HG). fold theta m in H.
      assert (1 - phi m - worst m + eta / X ^ 2 / 2 * norm2 K d G <= 0); [|lra].
      apply H. intros g Hg.
      assert (Hneed := need_at_most_worst phi (needing_convex _ _ _ _ _ needs) eta m g (Rlt_le _ _ Heta) Hg).
      unfold need in Hneed. fold (worst m) in Hneed. lra.
  Qed.

  Lemma margin_rates : 0 < eta / X ^ 2 /\ 1 / (2 * (eta / X ^ 2)) <= c * X ^ 2.
  Proof using needs X_positive.
    exact (scaled_rate eta c X X_positive (needing_rate_positive _ _ _ _ _ needs) (needing_regret_follows _ _ _ _ _ needs)).
  Qed.

  Theorem switched_decoder_margin_theorem :
    guarantee (decoding_switched K K d (of_scores d (of_margin K phi)) beta) X (eta / X ^ 2) (linear (c * X ^ 2)).
  Proof using classes needs X_positive.
    apply switched_decoder_theorem with (need := fun W ystar x => worst_of (scores d W x) ystar); try apply margin_rates.
    - exact classes.
    - intros x y V _. apply (needing_nonnegative _ _ _ _ _ needs).
    - exact margin_gradient.
    - intros W ystar x y G Hy Hx _. exact (margin_needed W ystar x y G Hy Hx).
    - intros W ystar x _ Htop. now apply all_labels.
  Qed.
End Margins.

Theorem decoder_margin_theorem K d phi eta c X : (2 <= K)%nat -> margin_needs (INR K) phi None eta c -> 0 < X ->
  guarantee (decoding K K d (of_scores d (of_margin K phi))) X (eta / X ^ 2) (linear (c * X ^ 2)).
Proof.
  intros HK needs HX. set (top := fun W x => proj1_sig (some_top K (scores d W x) HK)).
  apply decoder_theorem with (need := fun W x => worst_of K phi None eta c needs (scores d W x) (top W x));
    try exact HK; try apply (margin_rates K phi None eta c X needs HX).
  - intros x y V _. apply (needing_nonnegative _ _ _ _ _ needs).
  - exact (margin_gradient K d phi None eta c HK needs).
  - intros W x y G Hy Hx. exact (margin_needed K d phi None eta c X HK needs HX W (top W x) x y G Hy Hx).
  - intros W x _. apply all_labels; [exact HK|]. exact (proj2_sig (some_top K (scores d W x) HK)).
Qed.

(** * One weight vector: labels -1 and +1 *)

(** [plus], [minus] and [eta] as in [binary_conditions]. *)
Record binary_needs (plus minus : R -> R) (eta c : R) : Prop := {
  plus_needing_nonnegative : forall z, 0 <= plus z;
  minus_needing_nonnegative : forall z, 0 <= minus z;
  plus_needing_convex : forall z, exists g, subgradient plus z g;
  minus_needing_convex : forall z, exists g, subgradient minus z g;
  binary_needing_rate : 0 < eta;
  needs_of_two : forall z g h u v, none_or_one u -> none_or_one v -> subgradient plus z g -> subgradient minus z h ->
    u * need plus (eta / 2) z g + v * need minus (eta / 2) z h <= 1;
  binary_needing_regret : 1 / (2 * eta) <= c
}.

(** A loss pays for its gradients if abstaining in every round costs nothing. *)
Lemma binary_needs_paid plus minus eta c : binary_needs plus minus eta c ->
  binary_conditions 0 plus minus (fun _ => 1) eta c.
Proof.
  intros [Hplus Hminus Hplus' Hminus' Heta Hneeds Hregret].
  assert (Hp : forall z g, subgradient plus z g -> eta / 2 * g ^ 2 <= plus z).
  { intros z g Hg. destruct (Hminus' z) as [h Hh].
    assert (H := Hneeds z g h 1 0 ltac:(now right) ltac:(now left) Hg Hh). unfold need in H. lra. }
  assert (Hm : forall z h, subgradient minus z h -> eta / 2 * h ^ 2 <= minus z).
  { intros z h Hh. destruct (Hplus' z) as [g Hg].
    assert (H := Hneeds z g h 0 1 ltac:(now left) ltac:(now right) Hg Hh). unfold need in H. lra. }
  split; auto; [intros; lra|..]; intros z g _ Hg; [apply Hp in Hg|apply Hp in Hg|apply Hm in Hg|apply Hm in Hg]; lra.
Qed.

Section OneVector.
  Variables (d : nat) (plus minus : R -> R) (eta c X : R).
  Hypothesis needs : binary_needs plus minus eta c.
  Hypothesis X_positive : 0 < X.
  Let plain := binary_needs_paid _ _ _ _ needs.
  Let worst y z :=
    if Nat.eqb y 0 then worst_need plus (plus_needing_convex _ _ _ _ needs) (eta / 2) z
    else worst_need minus (minus_needing_convex _ _ _ _ needs) (eta / 2) z.

  Lemma both_labels z : sum 2 (fun y => Rmax 0 (worst y z)) <= 1.
  Proof using needs.
    assert (Heta := binary_needing_rate _ _ _ _ needs). cbn [sum]. unfold worst. cbn [Nat.eqb].
    destruct (positive_part (worst_need plus (plus_needing_convex _ _ _ _ needs) (eta / 2) z)) as (u & Hu & ->).
    destruct (positive_part (worst_need minus (minus_needing_convex _ _ _ _ needs) (eta / 2) z)) as (v & Hv & ->).
    assert (Hu' := none_or_one_range u Hu). assert (Hv' := none_or_one_range v Hv).
    rewrite Rplus_0_l. apply worst_at_most_one; [lra|lra|]. intros h Hh.
    apply first_last, worst_at_most_one; [lra|lra|]. intros g Hg.
    apply first_last. now apply (needs_of_two _ _ _ _ needs).
  Qed.

  Theorem decoder_binary_theorem :
    guarantee (decoding 2 1 d (of_scores d (of_sign plus minus))) X (eta / X ^ 2) (linear (c * X ^ 2)).
  Proof using needs X_positive.
    assert (Heta := binary_needing_rate _ _ _ _ needs).
    destruct (scaled_rate eta c X X_positive Heta (binary_needing_regret _ _ _ _ needs)) as [Hrate Hregret].
    change (of_scores d (of_sign plus minus))
      with (fun x y V => (if Nat.eqb y 0 then plus else minus) (dot d (V 0%nat) x)).
    apply decoder_theorem with (need := fun W x y => worst y (dot d (W 0%nat) x)); auto.
    - intros x y V _. destruct (Nat.eqb y 0);
        [apply (plus_needing_nonnegative _ _ _ _ needs)|apply (minus_needing_nonnegative _ _ _ _ needs)].
    - intros x y V _.
      assert (Hside : forall z, exists g, subgradient (if Nat.eqb y 0 then plus else minus) z g).
      { intros z. destruct (Nat.eqb y 0);
          [apply (plus_needing_convex _ _ _ _ needs)|apply (minus_needing_convex _ _ _ _ needs)]. }
      destruct (some_subgradient _ (dot d (V 0%nat) x) (Hside _)) as [g Hg].
      exists (fun _ i => g * x i). now apply (vector_subgradient d (if Nat.eqb y 0 then plus else minus) x V g).
    - intros W x y G Hy Hx HG. set (z := dot d (W 0%nat) x).
      assert (Hloss : (if Nat.eqb y 0 then plus else minus) z = if Nat.eqb y 0 then plus z else minus z)
        by (now destruct (Nat.eqb y 0)).
      assert (H := binary_gradient_cost d _ _ _ _ eta c X plain X_positive W x y G
        (1 - (if Nat.eqb y 0 then plus z else minus z) - worst y z) Hx).
      fold z. rewrite Hloss. cut (1 - (if Nat.eqb y 0 then plus z else minus z) - worst y z
        + eta / X ^ 2 / 2 * norm2 1 d G <= 0); [lra|]. apply H.
      + destruct (Nat.eqb y 0); exact HG.
      + fold z. intros g Hg. unfold worst. destruct (Nat.eqb y 0).
        * assert (Hneed := need_at_most_worst plus (plus_needing_convex _ _ _ _ needs) (eta / 2) z g ltac:(lra) Hg).
          unfold need in Hneed. lra.
        * assert (Hneed := need_at_most_worst minus (minus_needing_convex _ _ _ _ needs) (eta / 2) z g ltac:(lra) Hg).
          unfold need in Hneed. lra.
    - intros W x _. apply both_labels.
  Qed.
End OneVector.
