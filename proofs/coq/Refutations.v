(** From numbers at which a condition fails to a round that breaks it: d = 1, x = 1, the weights are the scores. *)

From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality.
From Gaptron Require Import Definitions RefutationDefinitions Sums Matrices Subgradients Expectations Assembly Linear.
From Gaptron Require Import Margins MarginSubgradients BinaryTheorem.
Open Scope R_scope.

(** What is broken is what the guarantee is proved from, or a part of the guarantee itself. *)
Theorem broken_round_not_sound K d s X eta : broken_round K d s X eta -> sound_rounds K d s (guessing (INR K)) X eta -> False.
Proof.
  intros (W & x & ystar & y & G & (Htop & Hy & Hx) & HG & Hgap) H.
  assert (Hle := sound_gap _ _ _ _ _ _ H W x ystar y G Htop Hy Hx HG). unfold surrogate_gap in Hgap.
  fold (P_wrong K (gap_map s W x ystar) ystar y) in Hgap.
  rewrite P_wrong_at in Hgap by (auto; exact (proj1 (sound_map _ _ _ _ _ _ H _ _ _ Htop))). lra.
Qed.

(** Where the share of the gap map costs [price]. *)
Definition broken_at (K d : nat) (s : surrogate) (price X eta : R) : Prop :=
  exists W x ystar y G,
    (top s W x ystar /\ (y < K)%nat /\ dot d x x <= X ^ 2) /\
    matrix_subgradient (rows s) d (loss s W x ystar y) W G /\ (ystar < K)%nat /\
    0 < risk_at price (gap_map s W x ystar) ystar y - loss s W x ystar y W + eta / 2 * norm2 (rows s) d G.

Lemma broken_guessing K d s X eta : broken_at K d s (guessing (INR K)) X eta -> broken_round K d s X eta.
Proof.
  intros (W & x & ystar & y & G & Hround & HG & Hy' & Hgap). exists W, x, ystar, y, G. split; [exact Hround|].
  split; [exact HG|]. unfold surrogate_gap. fold (P_wrong K (gap_map s W x ystar) ystar y).
  rewrite P_wrong_at by tauto. exact Hgap.
Qed.

Theorem broken_map_not_sound K d s price X eta : broken_map d s X -> sound_rounds K d s price X eta -> False.
Proof.
  intros (W & x & ystar & (Htop & _) & Hout) H. apply Hout. exact (proj2 (sound_map _ _ _ _ _ _ H W x ystar Htop)).
Qed.

Theorem broken_loss_no_guarantee K d s X eta regret : broken_loss K s -> ~ guarantee (full K d s) X eta (linear regret).
Proof.
  intros (W & x & ystar & y & Hy & Hbad) H. destruct (H 0%nat) as [Hlegal _]. exact (Hbad (Hlegal W x ystar y Hy)).
Qed.

(** * One feature *)

Definition column (theta : vector) : matrix := fun k _ => theta k.
Definition unit : vector := fun _ => 1.

Lemma scores_of_column theta : scores 1 (column theta) unit = theta.
Proof. apply functional_extensionality. intros k. unfold scores, dot, column, unit. cbn [sum]. ring. Qed.

Lemma unit_size : dot 1 unit unit <= 1 ^ 2.
Proof. unfold dot, unit. cbn [sum]. lra. Qed.

Lemma margin_at K theta y rival m : (2 <= K)%nat -> (y < K)%nat -> (rival < K)%nat -> rival <> y ->
  (forall k, (k < K)%nat -> k <> y -> theta k <= theta rival) -> theta y - theta rival = m -> margin K theta y = m.
Proof.
  intros HK Hy Hr Hry Hle <-. apply margin_unique; auto.
  - intros k Hk Hky. specialize (Hle k Hk Hky). lra.
  - now exists rival.
Qed.

Lemma norm2_of_outer K v : norm2 K 1 (outer v unit) = sum K (fun k => v k ^ 2).
Proof. apply sum_ext. intros k _. unfold dot, outer, unit. cbn [sum]. ring. Qed.

Lemma margin_direction_size K y rival g : (y < K)%nat -> (rival < K)%nat -> rival <> y ->
  sum K (fun k => margin_direction y rival g k ^ 2) = 2 * g ^ 2.
Proof.
  intros Hy Hr Hry.
  rewrite (sum_ext K _ (fun k => (if Nat.eqb k y then g ^ 2 else 0) + (if Nat.eqb k rival then g ^ 2 else 0))).
  - rewrite sum_plus, !sum_pick by assumption. ring.
  - intros k _. unfold margin_direction.
    destruct (Nat.eqb_spec k y), (Nat.eqb_spec k rival); subst; try easy; ring.
Qed.

(** * Margin losses *)

Section MarginRound.
  Variables (K : nat) (phi a : R -> R) (beta : option R) (theta : vector).
  Hypothesis classes : (2 <= K)%nat.

  (** [s] is the top margin, [m] the margin of [y], [g] a subgradient of phi there. *)
  Lemma margin_broken price eta ystar y rival s m g :
    is_top K theta ystar -> margin K theta ystar = s -> (y < K)%nat -> (rival < K)%nat -> rival <> y ->
    (forall k, (k < K)%nat -> k <> y -> theta k <= theta rival) -> theta y - theta rival = m ->
    off beta s ystar y = false -> subgradient phi m g -> K = 2%nat \/ g <= 0 ->
    0 < (if Nat.eqb ystar y then a s * price else 1 - a s + a s * price) - phi m + eta * g ^ 2 ->
    broken_at K 1 (margin_loss K 1 phi a beta) price 1 (eta / 1 ^ 2).
  Proof using classes.
    intros Htop Hs Hy Hr Hry Hle Hm Hon Hg Hsign Hgap.
    assert (Hmargin := margin_at K theta y rival m classes Hy Hr Hry Hle Hm).
    exists (column theta), unit, ystar, y, (outer (margin_direction y rival g) unit).
    cbn [top rows loss gap_map margin_loss]. rewrite !scores_of_column, Hs, Hon.
    split; [split; [exact Htop | split; [exact Hy | exact unit_size]]|]. split.
    - apply (outer_subgradient K 1 (fun theta => phi (margin K theta y))). rewrite scores_of_column.
      apply margin_direction_subgradient; auto; [lra|]. now rewrite Hmargin.
    - split; [exact (proj1 Htop)|]. rewrite Hmargin, norm2_of_outer, margin_direction_size by assumption.
      replace (eta / 1 ^ 2 / 2 * (2 * g ^ 2)) with (eta * g ^ 2) by field. now rewrite risk_of_round.
  Qed.

  Lemma margin_map_broken ystar s : is_top K theta ystar -> margin K theta ystar = s -> ~ 0 <= a s <= 1 ->
    broken_map 1 (margin_loss K 1 phi a beta) 1.
  Proof using.
    intros Htop Hs Hout. exists (column theta), unit, ystar. cbn [top gap_map margin_loss].
    rewrite !scores_of_column, Hs. split; [exact (conj Htop unit_size) | exact Hout].
  Qed.

  Lemma off_wrong s ystar y : ystar <> y -> off beta s ystar y = false.
  Proof using.
    intros H. destruct beta as [b|]; cbn; [|reflexivity]. destruct Rlt_dec; [now apply Nat.eqb_neq|reflexivity].
  Qed.

  (** The loss at the margins of two score vectors and of one between them. *)
  Lemma margin_loss_not_convex A B t y away ma mb mm : (y < K)%nat -> away <> y -> 0 <= t <= 1 ->
    margin K A y = ma -> margin K B y = mb -> margin K (fun k => t * A k + (1 - t) * B k) y = mm ->
    t * phi ma + (1 - t) * phi mb < phi mm -> broken_loss K (margin_loss K 1 phi a beta).
  Proof using.
    intros Hy Haway Ht HA HB HM Hbad. exists (column (fun _ => 0)), unit, away, y. split; [exact Hy|].
    intros [Hconvex _]. specialize (Hconvex (column A) (column B) t Ht). cbn [loss margin_loss] in Hconvex.
    rewrite off_wrong, !scores_of_column in Hconvex by exact Haway.
    change (fun k i => t * column A k i + (1 - t) * column B k i) with (column (fun k => t * A k + (1 - t) * B k))
      in Hconvex.
    rewrite scores_of_column, HA, HB, HM in Hconvex. lra.
  Qed.

  Lemma margin_loss_negative y away m : (y < K)%nat -> away <> y -> margin K theta y = m -> phi m < 0 ->
    broken_loss K (margin_loss K 1 phi a beta).
  Proof using.
    intros Hy Haway Hm Hbad. exists (column (fun _ => 0)), unit, away, y. split; [exact Hy|].
    intros [_ Hpos]. specialize (Hpos (column theta)). cbn [loss margin_loss] in Hpos.
    rewrite off_wrong, scores_of_column, Hm in Hpos by exact Haway. lra.
  Qed.
End MarginRound.

(** * One weight vector *)

Section BinaryRound.
  Variables (plus minus a : R -> R) (z : R).

  Lemma binary_score : dot 1 (column (fun _ => z) 0%nat) unit = z.
  Proof using. unfold dot, column, unit. cbn [sum]. ring. Qed.

  Lemma binary_broken price eta y ystar s g : (y < 2)%nat -> (if Rle_dec 0 z then 0%nat else 1%nat) = ystar -> Rabs z = s ->
    subgradient (if Nat.eqb y 0 then plus else minus) z g ->
    0 < (if Nat.eqb ystar y then a s * price else 1 - a s + a s * price) - (if Nat.eqb y 0 then plus else minus) z
      + eta / 2 * g ^ 2 ->
    broken_at 2 1 (binary_loss 1 plus minus a) price 1 (eta / 1 ^ 2).
  Proof using.
    intros Hy Hstar Hs Hg Hgap. exists (column (fun _ => z)), unit, ystar, y, (fun _ i => g * unit i).
    cbn [top rows loss gap_map binary_loss]. rewrite !binary_score, Hs, Hstar.
    assert (Hlt : (ystar < 2)%nat) by (subst ystar; destruct Rle_dec; lia).
    split; [split; [reflexivity | split; [exact Hy | exact unit_size]]|]. split.
    - apply (vector_subgradient 1 (if Nat.eqb y 0 then plus else minus) unit). now rewrite binary_score.
    - split; [exact Hlt|]. rewrite risk_of_round. unfold norm2. rewrite one_row. unfold dot. cbn [sum]. unfold unit.
      replace (eta / 1 ^ 2 / 2 * (0 + g * 1 * (g * 1))) with (eta / 2 * g ^ 2) by field. exact Hgap.
  Qed.

  Lemma binary_map_broken s : Rabs z = s -> ~ 0 <= a s <= 1 -> broken_map 1 (binary_loss 1 plus minus a) 1.
  Proof using.
    intros Hs Hout. eexists (column (fun _ => z)), unit, _. cbn [top gap_map binary_loss]. rewrite binary_score, Hs.
    split; [exact (conj eq_refl unit_size) | exact Hout].
  Qed.
End BinaryRound.

Lemma binary_loss_not_convex plus minus a t y za zb : (y < 2)%nat -> 0 <= t <= 1 ->
  let f := if Nat.eqb y 0 then plus else minus in
  t * f za + (1 - t) * f zb < f (t * za + (1 - t) * zb) -> broken_loss 2 (binary_loss 1 plus minus a).
Proof.
  intros Hy Ht f Hbad. exists (column (fun _ => 0)), unit, 0%nat, y. split; [exact Hy|].
  intros [Hconvex _]. specialize (Hconvex (column (fun _ => za)) (column (fun _ => zb)) t Ht). unfold f in Hbad.
  cbn [loss binary_loss] in Hconvex.
  change (fun i => t * column (fun _ => za) 0%nat i + (1 - t) * column (fun _ => zb) 0%nat i)
    with (column (fun _ => t * za + (1 - t) * zb) 0%nat) in Hconvex.
  rewrite !binary_score in Hconvex. lra.
Qed.

Lemma binary_loss_negative plus minus a y z : (y < 2)%nat -> (if Nat.eqb y 0 then plus else minus) z < 0 ->
  broken_loss 2 (binary_loss 1 plus minus a).
Proof.
  intros Hy Hbad. exists (column (fun _ => 0)), unit, 0%nat, y. split; [exact Hy|].
  intros [_ Hpos]. specialize (Hpos (column (fun _ => z))). cbn [loss binary_loss] in Hpos.
  rewrite binary_score in Hpos. lra.
Qed.
