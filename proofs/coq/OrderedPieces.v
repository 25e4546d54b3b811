(** Convexity of a function in pieces that lie one after the other, each convex by itself, with slopes that do not drop
    where two meet: what remains to be shown when the tangents of one piece are not known to lie below the others. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Convexity Pieces.
Import ListNotations.
Open Scope R_scope.

(** A closed interval and a slope there that supports the function from within. *)
Record arc (phi : R -> R) (C : R -> Prop) (slope : R -> R) : Prop := {
  arc_closed : closed C;
  arc_continuous : forall m, C m -> continuity_pt slope m;
  arc_supports : forall m, C m -> supports C phi m (slope m)
}.

(** An arc from a formula with a second derivative. *)
Lemma arc_from_second_derivative phi C f f' f'' : closed C -> is_interval C ->
  (forall m, C m -> phi m = f m) -> (forall m, C m -> derivable_pt_lim f m (f' m)) ->
  (forall m, C m -> derivable_pt_lim f' m (f'' m)) -> (forall m, C m -> 0 <= f'' m) -> arc phi C f'.
Proof.
  intros Hclosed HC Heq Hf Hf' Hpos. split; [exact Hclosed| |].
  - intros m Hm. apply derivable_continuous_pt. exists (f'' m). now apply Hf'.
  - intros m Hm. apply supports_ext with f; auto. now apply supports_from_second_derivative with f''.
Qed.

(** Each piece lies to the left of those that follow, and is no steeper where they meet. *)
Fixpoint ordered (parts : pieces) : Prop :=
  match parts with
  | [] => True
  | (C, slope) :: parts =>
      every (fun D steeper => forall m, C m -> (forall b, D b -> m <= b) /\ (D m -> slope m <= steeper m)) parts
      /\ ordered parts
  end.

Definition union (parts : pieces) (b : R) : Prop := some (fun C _ => C b) parts.

Lemma pieces_of_union parts : every (fun C _ => forall m, C m -> union parts m) parts.
Proof.
  induction parts as [|[C slope] parts IH]; cbn; [exact I|]. split; [now left|].
  revert IH. apply every_implies. intros C' _ H m Hm. right. now apply H.
Qed.

Lemma closed_or C D : closed C -> closed D -> closed (fun m => C m \/ D m).
Proof.
  intros HC HD m Hm. destruct (HC m) as (delta & Hdelta & Hout); [tauto|].
  destruct (HD m) as (delta' & Hdelta' & Hout'); [tauto|].
  exists (Rmin delta delta'). split; [now apply Rmin_pos|]. intros b Hb.
  assert (H := Rmin_l delta delta'). assert (H' := Rmin_r delta delta').
  intros [HCb|HDb]; [apply (Hout b); [lra|exact HCb]|apply (Hout' b); [lra|exact HDb]].
Qed.

Lemma closed_union phi parts : every (arc phi) parts -> closed (union parts).
Proof.
  induction parts as [|[C slope] parts IH]; cbn.
  - intros _ m _. exists 1. split; [lra|easy].
  - intros [[HC _ _] Hrest]. now apply closed_or; [|apply IH].
Qed.

(** Two closed sets that cover an interval from a point of one to a point of the other meet there. *)
Lemma closed_sets_meet (C D : R -> Prop) m b : closed C -> closed D -> m <= b -> C m -> D b ->
  (forall z, m <= z <= b -> C z \/ D z) -> exists t, m <= t <= b /\ C t /\ D t.
Proof.
  intros HC HD Hmb Hm Hb Hcover. set (E := fun z => C z /\ z <= b).
  destruct (completeness E) as [t [Hup Hleast]].
  { exists b. now intros z []. }
  { now exists m. }
  assert (Hmt : m <= t) by (apply Hup; now split). assert (Htb : t <= b) by (apply Hleast; now intros z []).
  exists t. split; [now split|]. split; apply Classical_Prop.NNPP; intros Hout.
  - destruct (HC t Hout) as (delta & Hdelta & Hnear).
    assert (Hless : t <= t - delta / 2); [|lra]. apply Hleast. intros z [HCz Hzb].
    apply Rnot_lt_le. intros Hlt. assert (Hzt : z <= t) by (apply Hup; now split).
    apply (Hnear z); [|exact HCz]. apply Rabs_def1; lra.
  - destruct (HD t Hout) as (delta & Hdelta & Hnear).
    assert (t <> b) by (intros ->; contradiction). set (z := t + Rmin (delta / 2) (b - t)).
    assert (0 < Rmin (delta / 2) (b - t)) by (apply Rmin_pos; lra).
    assert (Hdelta2 := Rmin_l (delta / 2) (b - t)). assert (Hbt := Rmin_r (delta / 2) (b - t)).
    destruct (Hcover z) as [HCz|HDz]; [unfold z; lra| |].
    + assert (z <= t) by (apply Hup; split; [exact HCz|unfold z; lra]). unfold z in *. lra.
    + apply (Hnear z); [|exact HDz]. unfold z. apply Rabs_def1; lra.
Qed.

Lemma supports_monotone (D : R -> Prop) phi m n g h :
  supports D phi m g -> supports D phi n h -> D m -> D n -> m < n -> g <= h.
Proof.
  intros Hg Hh Hm Hn Hmn. specialize (Hg n Hn). specialize (Hh m Hm). apply Rmult_le_reg_r with (n - m); lra.
Qed.

Lemma every_here (P : (R -> Prop) -> (R -> R) -> Prop) parts b :
  every P parts -> union parts b -> exists C slope, P C slope /\ C b.
Proof. apply every_and_some. Qed.

Lemma arcs_support phi parts : every (arc phi) parts -> ordered parts -> is_interval (union parts) ->
  every (fun C slope => forall m, C m -> supports (union parts) phi m (slope m)) parts.
Proof.
  induction parts as [|[C slope] parts IH]; cbn [every ordered]; [easy|].
  intros [Harc Harcs] [Hbefore Hordered] Hinterval. destruct Harc as [HC _ Hsupports].
  set (D := union parts) in *.
  assert (Hleft : forall m b, C m -> D b -> m <= b).
  { intros m b Hm Hb. destruct (every_here _ _ _ Hbefore Hb) as (C' & slope' & Hafter & HC'). now apply (Hafter m). }
  assert (HD : is_interval D).
  { intros b c m Hb Hc Hm. assert (Hin : C m \/ D m) by (apply (Hinterval b c m); [now right|now right|exact Hm]).
    destruct Hin as [Hin|Hin]; [|exact Hin]. assert (m <= b) by now apply Hleft. now replace m with b by lra. }
  specialize (IH Harcs Hordered HD).
  assert (Hmeet : forall m b, C m -> D b -> exists t, m <= t <= b /\ C t /\ D t).
  { intros m b Hm Hb. apply closed_sets_meet; auto; [now apply (closed_union phi)|].
    intros z Hz. apply (Hinterval m b z); [now left|now right|exact Hz]. }
  split.
  - intros m Hm b [Hb|Hb]; [now apply Hsupports|].
    destruct (Hmeet m b Hm Hb) as (t & Ht & HCt & HDt).
    destruct (every_here _ _ _ (every_both _ _ _ Hbefore IH) HDt) as (C' & slope' & [Hafter Hright] & HC').
    assert (Hsteeper : slope t <= slope' t) by now apply Hafter.
    assert (Hslope : slope m <= slope t).
    { destruct (Req_dec m t) as [->|Hne]; [lra|].
      apply (supports_monotone C phi m t); auto; lra. }
    assert (H1 := Hsupports m Hm t HCt). assert (H2 := Hright t HC' b Hb). nra.
  - assert (Hall := every_both _ _ _ (every_both _ _ _ Hbefore IH) (pieces_of_union parts)).
    revert Hall. apply every_implies. intros C' slope' [[Hafter Hright] Hunion] m Hm b [Hb|Hb]; [|now apply Hright].
    destruct (Hmeet b m Hb (Hunion m Hm)) as (t & Ht & HCt & HDt).
    assert (Hslope : slope t <= slope' m).
    { destruct (Req_dec t m) as [->|Hne]; [now apply Hafter|].
      destruct (every_here _ _ _ (every_both _ _ _ Hbefore IH) HDt) as (E & between & [Hafter' Hmiddle] & HE).
      apply Rle_trans with (between t); [now apply Hafter'|].
      apply (supports_monotone D phi t m); auto; [now apply Hunion|lra]. }
    assert (H1 := Hright m Hm t HDt). assert (H2 := Hsupports t HCt b Hb). nra.
Qed.

(** Arcs that follow each other and leave nothing out are the pieces of a convex function. *)
Theorem ordered_pieces phi parts : every (arc phi) parts -> ordered parts -> (forall m, some (fun C _ => C m) parts) ->
  every (piece phi) parts.
Proof.
  intros Harcs Hordered Hcovered.
  assert (Hinterval : is_interval (union parts)) by (intros b c m _ _ _; apply Hcovered).
  assert (Hall := every_both _ _ _ Harcs (arcs_support phi parts Harcs Hordered Hinterval)).
  revert Hall. apply every_implies. intros C slope [[HC Hcont _] Hsupports]. split; auto.
  intros m Hm b. apply (Hsupports m Hm b). apply Hcovered.
Qed.
