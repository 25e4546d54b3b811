(** Losses of a probability joined from pieces that are convex in its logit: in the logit they are pieces as [Joins] has
    them. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Convexity Derivatives Pieces Joins Softmax SoftmaxSubgradients
  LogitSubgradients.
Import ListNotations.
Open Scope R_scope.

Record smooth_logit_piece (psi : R -> R) (C : R -> Prop) (slope : R -> R) : Prop := {
  logit_piece_closed : closed C;
  logit_piece_value : exists f, forall p, 0 < p < 1 -> C p -> psi p = f p /\ derivable_pt_lim f p (slope p);
  logit_piece_bend : exists bend, forall p, 0 < p < 1 -> C p ->
    derivable_pt_lim slope p (bend p) /\ 0 <= p * (1 - p) * bend p + (1 - 2 * p) * slope p
}.

Definition region_in_logit (C : R -> Prop) (u : R) : Prop := C (sigmoid u).

Definition in_logit (parts : pieces) : pieces :=
  map (fun part => (region_in_logit (fst part), logit_slope (snd part))) parts.

Lemma every_in_logit (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  (forall C slope, P C slope -> Q (region_in_logit C) (logit_slope slope)) -> every P parts -> every Q (in_logit parts).
Proof. intros H. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HP Hall]. auto. Qed.

Lemma some_of_logit (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  (forall C slope, Q (region_in_logit C) (logit_slope slope) -> P C slope) -> some Q (in_logit parts) -> some P parts.
Proof. intros H. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HQ|Hsome]; auto. Qed.

Lemma covers_in_logit parts : (forall p, 0 < p < 1 -> covers parts p) -> forall u, covers (in_logit parts) u.
Proof.
  intros Hcover u. specialize (Hcover (sigmoid u) (sigmoid_range u)). revert Hcover. unfold covers.
  induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HC|Hsome]; auto.
Qed.

Lemma closed_in_logit C : closed C -> closed (region_in_logit C).
Proof.
  intros HC u Hu. destruct (HC (sigmoid u) Hu) as (eps & Heps & Hout).
  destruct (continuous_near sigmoid u eps) as (delta & Hdelta & Hnear);
    [exact (continuous_from_derivative _ _ _ (sigmoid_derivative u))|exact Heps|].
  exists delta. split; [exact Hdelta|]. intros v Hv. exact (Hout (sigmoid v) (Hnear v Hv)).
Qed.

Lemma smooth_in_logit psi C slope : smooth_logit_piece psi C slope ->
  smooth_piece (fun u => psi (sigmoid u)) (region_in_logit C) (logit_slope slope).
Proof.
  intros [Hclosed [f Hf] [bend Hbend]]. split; [now apply closed_in_logit| |].
  - exists (fun u => f (sigmoid u)). intros u Hu. destruct (Hf _ (sigmoid_range u) Hu) as [Heq Hder].
    split; [exact Heq|exact (slope_in_logit f slope u Hder)].
  - eexists. intros u Hu. destruct (Hbend _ (sigmoid_range u) Hu) as [Hder Hpos].
    split; [exact (bend_in_logit slope bend u Hder)|]. assert (Hs := sigmoid_range u). apply Rmult_le_pos; [nra|exact Hpos].
Qed.

Lemma after_in_logit C slope parts : after probabilities C slope parts ->
  after everywhere (region_in_logit C) (logit_slope slope) (in_logit parts).
Proof.
  apply every_in_logit. intros E slope' H u v _ _ Hu Hv.
  destruct (H _ _ (sigmoid_range u) (sigmoid_range v) Hu Hv) as [Hle Hslope]. split.
  - apply Rnot_lt_le. intros Hlt. apply sigmoid_increasing in Hlt. lra.
  - intros <-. assert (Hs := sigmoid_range u). apply Rmult_le_compat_r; [nra|auto].
Qed.

Lemma in_order_in_logit parts : in_order probabilities parts -> in_order everywhere (in_logit parts).
Proof. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros []. split; [now apply after_in_logit|auto]. Qed.

Section LogitPieces.
  Variables (psi : R -> R) (parts : pieces).
  Hypothesis all_pieces : every (smooth_logit_piece psi) parts.
  Hypothesis ordered : in_order probabilities parts.
  Hypothesis covered : forall p, 0 < p < 1 -> covers parts p.

  Lemma pieces_in_logit : every (piece (fun u => psi (sigmoid u))) (in_logit parts).
  Proof using all_pieces ordered covered.
    apply pieces_from_joins; [|now apply in_order_in_logit|now apply covers_in_logit].
    refine (every_in_logit _ _ parts _ all_pieces). exact (smooth_in_logit psi).
  Qed.

  Theorem logit_pieces_tangent :
    every (fun C slope => forall p, 0 < p < 1 -> C p -> logit_subgradient psi p (slope p)) parts.
  Proof using all_pieces ordered covered.
    assert (H := pieces_in_logit). clear all_pieces ordered covered.
    induction parts as [|[C slope] rest IH]; cbn in *; [easy|]. destruct H as [[_ _ Htangent] Hrest].
    split; [|auto]. intros p Hp HC. apply in_the_logit; [exact Hp|]. specialize (Htangent (logit p)).
    unfold logit_slope, region_in_logit in Htangent. rewrite sigmoid_logit in Htangent by exact Hp. now apply Htangent.
  Qed.

  Theorem logit_pieces_convex p : 0 < p < 1 -> exists r, logit_subgradient psi p r.
  Proof using all_pieces ordered covered.
    intros Hp. destruct (every_and_some _ _ _ logit_pieces_tangent (covered p Hp)) as (C & slope & H & HC).
    exists (slope p). auto.
  Qed.

  (** Every subgradient lies between slopes of pieces that have [p]. *)
  Lemma logit_between p r : 0 < p < 1 -> logit_subgradient psi p r ->
    some (fun C slope => C p /\ slope p <= r) parts /\ some (fun C slope => C p /\ r <= slope p) parts.
  Proof using all_pieces ordered covered.
    intros Hp Hr. apply in_the_logit in Hr; [|exact Hp]. assert (Hcover := covers_in_logit parts covered).
    assert (0 < p * (1 - p)) by nra.
    split; [generalize (piece_below _ _ pieces_in_logit Hcover _ _ Hr)
      |generalize (piece_above _ _ pieces_in_logit Hcover _ _ Hr)]; apply some_of_logit;
      unfold region_in_logit, logit_slope; rewrite sigmoid_logit by exact Hp; intros C slope [HC Hle];
      (split; [exact HC|]); apply Rmult_le_reg_r with (p * (1 - p)); auto.
  Qed.

  Theorem logit_pieces_nonincreasing p r : 0 < p < 1 ->
    every (fun C slope => C p -> slope p <= 0) parts -> logit_subgradient psi p r -> r <= 0.
  Proof using all_pieces ordered covered.
    intros Hp H Hr. destruct (logit_between p r Hp Hr) as [_ Habove].
    destruct (every_and_some _ _ _ H Habove) as (C & slope & Hneg & HC & Hle). specialize (Hneg HC). lra.
  Qed.

  Theorem logit_pieces_gap p r base rate size : 0 < p < 1 -> 0 <= rate -> 0 <= size ->
    every (fun C slope => C p -> base + rate * ((slope p * p) ^ 2 * size) <= 0) parts -> logit_subgradient psi p r ->
    base + rate * ((r * p) ^ 2 * size) <= 0.
  Proof using all_pieces ordered covered.
    intros Hp Hrate Hsize H Hr. destruct (logit_between p r Hp Hr) as [Hbelow Habove].
    destruct (every_and_some _ _ _ H Hbelow) as (C & low & Hgap & HC & Hlow).
    destruct (every_and_some _ _ _ H Habove) as (C' & high & Hgap' & HC' & Hhigh).
    specialize (Hgap HC). specialize (Hgap' HC').
    replace (base + rate * ((r * p) ^ 2 * size)) with (base + rate * size * (r * p) ^ 2) by ring.
    apply between_squares with (low p * p) (high p * p); [split; apply Rmult_le_compat_r; lra|nra|lra|lra].
  Qed.
End LogitPieces.
