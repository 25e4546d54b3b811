(** Convex functions in pieces: between which slopes every subgradient lies.

    A piece is a closed region and a slope there that is continuous and a subgradient of the whole function: what the
    tangents of pieces say. Nothing needs to be known of how the pieces lie beside each other. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Subgradients Derivatives.
Import ListNotations.
Open Scope R_scope.

Definition closed (C : R -> Prop) : Prop :=
  forall m, ~ C m -> exists delta, 0 < delta /\ forall b, Rabs (b - m) < delta -> ~ C b.

Record piece (phi : R -> R) (C : R -> Prop) (slope : R -> R) : Prop := {
  piece_closed : closed C;
  piece_continuous : forall m, C m -> continuity_pt slope m;
  piece_tangent : forall m, C m -> subgradient phi m (slope m)
}.

Definition pieces := list ((R -> Prop) * (R -> R)).

(** What holds for each piece, and that some piece has [m]: conjunctions and disjunctions once a list is given. *)

Fixpoint every (P : (R -> Prop) -> (R -> R) -> Prop) (parts : pieces) : Prop :=
  match parts with
  | [] => True
  | (C, slope) :: parts => P C slope /\ every P parts
  end.

Fixpoint some (P : (R -> Prop) -> (R -> R) -> Prop) (parts : pieces) : Prop :=
  match parts with
  | [] => False
  | (C, slope) :: parts => P C slope \/ some P parts
  end.

Lemma every_and_some (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  every P parts -> some Q parts -> exists C slope, P C slope /\ Q C slope.
Proof.
  induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HP Hall] [HQ|HQ]; [now exists C, slope|auto].
Qed.

Lemma every_or_some (P : (R -> Prop) -> (R -> R) -> Prop) parts :
  every (fun C slope => ~ P C slope) parts \/ some P parts.
Proof.
  induction parts as [|[C slope] parts [IH|IH]]; cbn; auto. destruct (Classical_Prop.classic (P C slope)); auto.
Qed.

Lemma every_implies (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  (forall C slope, P C slope -> Q C slope) -> every P parts -> every Q parts.
Proof. intros H. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HP Hall]. auto. Qed.

Lemma every_both (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  every P parts -> every Q parts -> every (fun C slope => P C slope /\ Q C slope) parts.
Proof. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [] []. auto. Qed.

(** * Closed regions *)

Lemma continuous_near f m eps : continuity_pt f m -> 0 < eps ->
  exists delta, 0 < delta /\ forall b, Rabs (b - m) < delta -> Rabs (f b - f m) < eps.
Proof.
  intros Hf Heps. destruct (Hf eps Heps) as (delta & Hdelta & H). exists delta. split; [exact Hdelta|].
  intros b Hb. destruct (Req_dec b m) as [->|Hne]; [rewrite Rminus_diag_eq, Rabs_R0; auto|].
  apply H. split; [split; [exact I|auto]|exact Hb].
Qed.

Lemma closed_le f g : continuity f -> continuity g -> closed (fun m => f m <= g m).
Proof.
  intros Hf Hg m Hm. assert (Heps : 0 < (f m - g m) / 2) by lra.
  destruct (continuous_near f m _ (Hf m) Heps) as (delta & Hdelta & Hnear).
  destruct (continuous_near g m _ (Hg m) Heps) as (delta' & Hdelta' & Hnear').
  exists (Rmin delta delta'). split; [now apply Rmin_pos|]. intros b Hb.
  assert (H := Rmin_l delta delta'). assert (H' := Rmin_r delta delta').
  specialize (Hnear b ltac:(lra)). specialize (Hnear' b ltac:(lra)).
  apply Rabs_def2 in Hnear. apply Rabs_def2 in Hnear'. lra.
Qed.

Lemma closed_and C D : closed C -> closed D -> closed (fun m => C m /\ D m).
Proof.
  intros HC HD m Hm. destruct (Classical_Prop.classic (C m)) as [H|H].
  - destruct (HD m) as (delta & Hdelta & Hout); [tauto|]. exists delta. split; [exact Hdelta|].
    intros b Hb [_ H']. now apply (Hout b).
  - destruct (HC m H) as (delta & Hdelta & Hout). exists delta. split; [exact Hdelta|].
    intros b Hb [H' _]. now apply (Hout b).
Qed.

Lemma closed_true : closed (fun _ => True).
Proof. intros m H. now exfalso. Qed.

Lemma closed_constant (P : Prop) : closed (fun _ => P).
Proof. intros m H. exists 1. split; [lra|auto]. Qed.

(** * Subgradients *)

Section Pieces.
  Variables (phi : R -> R) (parts : pieces).
  Hypothesis all_pieces : every (piece phi) parts.
  Hypothesis covered : forall m, some (fun C _ => C m) parts.

  Lemma pieces_convex m : exists g, subgradient phi m g.
  Proof using all_pieces covered.
    destruct (every_and_some _ _ _ all_pieces (covered m)) as (C & slope & Hpiece & HC).
    exists (slope m). now apply Hpiece.
  Qed.

  (** What fails at [m] for each piece fails beside it for all of them. *)
  Lemma fails_nearby (good : R -> Prop) m :
    (forall s, ~ good s -> exists eps, 0 < eps /\ forall s', Rabs (s' - s) < eps -> ~ good s') ->
    every (fun C slope => ~ (C m /\ good (slope m))) parts ->
    exists delta, 0 < delta /\ forall b, Rabs (b - m) < delta -> every (fun C slope => ~ (C b /\ good (slope b))) parts.
  Proof using all_pieces.
    intros Hgood. clear covered. induction parts as [|[C slope] rest IH]; cbn; intros Hfails.
    - exists 1. split; [lra|easy].
    - destruct all_pieces as [[Hclosed Hcont _] Hrest], Hfails as [Hhere Hthere].
      destruct (IH Hrest Hthere) as (delta & Hdelta & Hnear).
      assert (Hpiece : exists delta, 0 < delta /\ forall b, Rabs (b - m) < delta -> ~ (C b /\ good (slope b))).
      { destruct (Classical_Prop.classic (C m)) as [HC|HC].
        - destruct (Hgood (slope m)) as (eps & Heps & Hout); [tauto|].
          destruct (continuous_near slope m eps (Hcont m HC) Heps) as (delta' & Hdelta' & H).
          exists delta'. split; [exact Hdelta'|]. intros b Hb [_ Hb']. now apply (Hout (slope b) (H b Hb)).
        - destruct (Hclosed m HC) as (delta' & Hdelta' & H). exists delta'. split; [exact Hdelta'|].
          intros b Hb [HCb _]. now apply (H b). }
      destruct Hpiece as (delta' & Hdelta' & Hout). exists (Rmin delta delta'). split; [now apply Rmin_pos|].
      assert (H := Rmin_l delta delta'). assert (H' := Rmin_r delta delta').
      intros b Hb. split; [apply Hout; lra|apply Hnear; lra].
  Qed.

  Lemma piece_above m g : subgradient phi m g -> some (fun C slope => C m /\ g <= slope m) parts.
  Proof using all_pieces covered.
    intros Hg. destruct (every_or_some (fun C slope => C m /\ g <= slope m) parts) as [Hnone|Hsome]; [|exact Hsome].
    exfalso. destruct (fails_nearby (fun s => g <= s) m) as (delta & Hdelta & Hnear); [|exact Hnone|].
    { intros s Hs. exists (g - s). split; [lra|]. intros s' Hs'. apply Rabs_def2 in Hs'. lra. }
    assert (Hb : Rabs (m + delta / 2 - m) < delta) by (rewrite Rabs_pos_eq; lra).
    assert (Hall := every_both _ _ _ all_pieces (Hnear _ Hb)).
    destruct (every_and_some _ _ _ Hall (covered (m + delta / 2))) as (C & slope & [Hpiece Hfails] & HC).
    apply Hfails. split; [exact HC|].
    apply (subgradient_monotone phi m (m + delta / 2)); [exact Hg|now apply Hpiece|lra].
  Qed.

  Lemma piece_below m g : subgradient phi m g -> some (fun C slope => C m /\ slope m <= g) parts.
  Proof using all_pieces covered.
    intros Hg. destruct (every_or_some (fun C slope => C m /\ slope m <= g) parts) as [Hnone|Hsome]; [|exact Hsome].
    exfalso. destruct (fails_nearby (fun s => s <= g) m) as (delta & Hdelta & Hnear); [|exact Hnone|].
    { intros s Hs. exists (s - g). split; [lra|]. intros s' Hs'. apply Rabs_def2 in Hs'. lra. }
    assert (Hb : Rabs (m - delta / 2 - m) < delta) by (rewrite Rabs_left; lra).
    assert (Hall := every_both _ _ _ all_pieces (Hnear _ Hb)).
    destruct (every_and_some _ _ _ Hall (covered (m - delta / 2))) as (C & slope & [Hpiece Hfails] & HC).
    apply Hfails. split; [exact HC|].
    apply (subgradient_monotone phi (m - delta / 2) m); [now apply Hpiece|exact Hg|lra].
  Qed.

  (** So what holds for the slopes of all pieces that touch [m] holds for every subgradient there. *)

  Theorem pieces_nonincreasing m g :
    every (fun C slope => C m -> slope m <= 0) parts -> subgradient phi m g -> g <= 0.
  Proof using all_pieces covered.
    intros H Hg. destruct (every_and_some _ _ _ H (piece_above m g Hg)) as (C & slope & Hneg & HC & Hle).
    specialize (Hneg HC). lra.
  Qed.

  Theorem pieces_gap m g base eta : 0 <= eta ->
    every (fun C slope => C m -> base + eta * slope m ^ 2 <= 0) parts -> subgradient phi m g ->
    base + eta * g ^ 2 <= 0.
  Proof using all_pieces covered.
    intros Heta H Hg.
    destruct (every_and_some _ _ _ H (piece_below m g Hg)) as (C & low & Hgap & HC & Hlow).
    destruct (every_and_some _ _ _ H (piece_above m g Hg)) as (C' & high & Hgap' & HC' & Hhigh).
    apply between_squares with (low m) (high m); auto.
  Qed.
End Pieces.

(** [every_piece] splits what is to be shown for every piece of a list; [closed_region] shows that conjunctions of
    relations f <= g are closed, up to the side conditions of [continuous]. *)

Ltac every_piece := cbn [every]; repeat (split; [|]); try exact I.

Ltac closed_region :=
  lazymatch goal with
  | |- closed (fun m => @?f m <= @?g m) => apply (closed_le f g); continuous
  | |- closed (fun m => @?C m /\ @?D m) => apply (closed_and C D); closed_region
  | |- closed (fun _ => True) => exact closed_true
  | |- closed (fun _ => ?P) => exact (closed_constant P)
  end.
