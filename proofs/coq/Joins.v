(** Convex functions joined from convex pieces: the pieces lie one after the other and slopes do not fall where they meet.

    A smooth piece is a closed region where the function is that of a smooth one whose slope does not decrease. Pieces in
    order that cover the line are pieces as [Pieces] wants them: each slope is a subgradient of the whole function. *)

From Coq Require Import Reals Lra List.
From Gaptron Require Import Definitions Convexity Derivatives Pieces.
Import ListNotations.
Open Scope R_scope.

Record smooth_piece (phi : R -> R) (C : R -> Prop) (slope : R -> R) : Prop := {
  smooth_closed : closed C;
  smooth_value : exists f, forall m, C m -> phi m = f m /\ derivable_pt_lim f m (slope m);
  smooth_bend : exists bend, forall m, C m -> derivable_pt_lim slope m (bend m) /\ 0 <= bend m
}.

(** Pieces that have nothing on the left of a point of [C], and at the point itself no smaller slope. *)
Definition after (D C : R -> Prop) (slope : R -> R) (parts : pieces) : Prop :=
  every (fun E slope' => forall m b, D m -> D b -> C m -> E b -> m <= b /\ (m = b -> slope m <= slope' b)) parts.

(** As far as [D] is concerned: pieces one after the other, where two of them meet the slope does not fall. *)
Fixpoint in_order (D : R -> Prop) (parts : pieces) : Prop :=
  match parts with
  | [] => True
  | (C, slope) :: parts => after D C slope parts /\ in_order D parts
  end.

Definition covers (parts : pieces) (m : R) : Prop := some (fun C _ => C m) parts.

(** Some piece has [m], with the slope [g] there. *)
Definition touches (parts : pieces) (m g : R) : Prop := some (fun C slope => C m /\ slope m = g) parts.

Lemma some_implies (P Q : (R -> Prop) -> (R -> R) -> Prop) parts :
  (forall C slope, P C slope -> Q C slope) -> some P parts -> some Q parts.
Proof. intros H. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HP|Hsome]; auto. Qed.

Lemma covers_touches parts m : covers parts m -> exists g, touches parts m g.
Proof.
  unfold covers, touches. induction parts as [|[C slope] parts IH]; cbn; [easy|]. intros [HC|Hrest].
  - exists (slope m). auto.
  - destruct (IH Hrest) as [g Hg]. exists g. auto.
Qed.

Lemma touches_covers parts m g : touches parts m g -> covers parts m.
Proof. apply some_implies. now intros C slope [HC _]. Qed.

Lemma closed_or C D : closed C -> closed D -> closed (fun m => C m \/ D m).
Proof.
  intros HC HD m Hm. destruct (HC m) as (delta & Hdelta & Hout); [tauto|].
  destruct (HD m) as (delta' & Hdelta' & Hout'); [tauto|].
  exists (Rmin delta delta'). split; [now apply Rmin_pos|]. intros b Hb.
  assert (H := Rmin_l delta delta'). assert (H' := Rmin_r delta delta').
  intros [HCb|HDb]; [apply (Hout b)|apply (Hout' b)]; auto; lra.
Qed.

Lemma closed_covers phi parts : every (smooth_piece phi) parts -> closed (covers parts).
Proof.
  unfold covers. induction parts as [|[C slope] parts IH]; cbn.
  - intros _ m _. exists 1. split; [lra|auto].
  - intros [[HC _ _] Hrest]. apply closed_or; auto.
Qed.

(** Going right from a point of [C], at the end of [C] one is in [D] for good. *)
Lemma leaves C D b m : closed C -> closed D -> C b -> b <= m -> (forall x, b <= x <= m -> C x \/ D x) ->
  C m \/ exists c, b <= c < m /\ C c /\ forall x, c <= x <= m -> D x.
Proof.
  intros HC HD Hb Hbm Hall.
  destruct (completeness (fun x => C x /\ b <= x <= m)) as [c [Hup Hleast]].
  - exists m. intros x [_ Hx]. lra.
  - exists b. repeat split; auto; lra.
  - assert (Hbc : b <= c) by (apply Hup; repeat split; auto; lra).
    assert (Hcm : c <= m) by (apply Hleast; intros x [_ Hx]; lra).
    assert (HCc : C c).
    { apply Classical_Prop.NNPP. intros Hnot. destruct (HC c Hnot) as (delta & Hdelta & Hout).
      assert (c <= c - delta); [|lra]. apply Hleast. intros x [HCx Hx].
      apply Rnot_lt_le. intros Hlt. apply (Hout x); [|exact HCx].
      assert (x <= c) by (apply Hup; auto). rewrite Rabs_left1 by lra. lra. }
    destruct Hcm as [Hcm|<-]; [right|now left].
    assert (Hright : forall x, c < x <= m -> D x).
    { intros x Hx. destruct (Hall x) as [HCx|HDx]; [lra| |exact HDx].
      assert (x <= c) by (apply Hup; split; [exact HCx|lra]). lra. }
    exists c. split; [lra|]. split; [exact HCc|]. intros x [[Hx| <-] Hxm]; [apply Hright; lra|].
    apply Classical_Prop.NNPP. intros Hnot. destruct (HD c Hnot) as (delta & Hdelta & Hout).
    assert (Hpos : 0 < Rmin (delta / 2) (m - c)) by (apply Rmin_pos; lra).
    assert (H := Rmin_l (delta / 2) (m - c)). assert (H' := Rmin_r (delta / 2) (m - c)).
    apply (Hout (c + Rmin (delta / 2) (m - c))); [rewrite Rabs_pos_eq; lra|apply Hright; lra].
Qed.

(** With the slope [g] at [b] and [h] at [m] on its right: the tangents at both are below, and g <= h. *)
Definition bends_upward (phi : R -> R) (b m g h : R) : Prop :=
  g <= h /\ phi b + g * (m - b) <= phi m /\ phi m + h * (b - m) <= phi b.

Lemma bends_through phi b c m g g' h' h : b <= c -> c < m ->
  bends_upward phi b c g g' -> g' <= h' -> bends_upward phi c m h' h -> bends_upward phi b m g h.
Proof. intros Hbc Hcm (H1 & H2 & H3) Hjoin (H4 & H5 & H6). unfold bends_upward. repeat split; nra. Qed.

Lemma bends_in_piece phi C slope b m : smooth_piece phi C slope -> b <= m -> (forall x, b <= x <= m -> C x) ->
  bends_upward phi b m (slope b) (slope m).
Proof.
  intros [_ [f Hf] [bend Hbend]] Hbm Hin. set (D := fun x => b <= x <= m).
  assert (HD : is_interval D) by (intros x y z; unfold D; lra).
  assert (Db : D b) by (unfold D; lra). assert (Dm : D m) by (unfold D; lra).
  assert (Hmono : nondecreasing_on D slope).
  { apply nondecreasing_from_derivative with (f' := bend); [exact HD| |]; intros x Hx; apply Hbend, Hin, Hx. }
  assert (Hdf : forall x, D x -> derivable_pt_lim f x (slope x)) by (intros x Hx; apply Hf, Hin, Hx).
  destruct (Hf b (Hin b Db)) as [Eb _]. destruct (Hf m (Hin m Dm)) as [Em _].
  unfold bends_upward. rewrite Eb, Em. repeat split.
  - now apply Hmono.
  - exact (supports_from_derivative D f slope b HD Hdf Hmono Db m Dm).
  - exact (supports_from_derivative D f slope m HD Hdf Hmono Dm b Db).
Qed.

Lemma after_touches C slope parts m b g : after everywhere C slope parts -> C m -> touches parts b g ->
  m <= b /\ (m = b -> slope m <= g).
Proof.
  intros Hafter HC Htouch. destruct (every_and_some _ _ _ Hafter Htouch) as (D & slope' & H & HD & <-).
  now apply H.
Qed.

Lemma after_covers C slope parts m b : after everywhere C slope parts -> C m -> covers parts b -> m <= b.
Proof.
  intros Hafter HC Hb. destruct (covers_touches parts b Hb) as [g Hg].
  exact (proj1 (after_touches C slope parts m b g Hafter HC Hg)).
Qed.

Theorem joined_bends_upward phi parts : every (smooth_piece phi) parts -> in_order everywhere parts ->
  forall b m g h, b < m -> (forall x, b <= x <= m -> covers parts x) -> touches parts b g -> touches parts m h ->
  bends_upward phi b m g h.
Proof.
  induction parts as [|[C slope] rest IH]; [easy|].
  intros [Hpiece Hsmooth] [Hafter Hrest] b m g h Hbm Hcover Hg Hh.
  specialize (IH Hsmooth Hrest).
  assert (Hlater : forall x y, C x -> covers rest y -> x <= y) by (intros; eapply after_covers; eauto).
  assert (Hright : (exists x, b <= x /\ x < m /\ covers rest x) -> ~ C m).
  { intros (x & Hbx & Hxm & Hx) HCm. specialize (Hlater m x HCm Hx). lra. }
  destruct Hg as [[HCb <-]|Hg].
  - destruct (leaves C (covers rest) b m) as [HCm|(c & Hc & HCc & Hin)];
      [exact (smooth_closed _ _ _ Hpiece)|exact (closed_covers phi rest Hsmooth)|exact HCb|lra|exact Hcover| |].
    + assert (Hinside : forall x, b <= x <= m -> C x).
      { intros x [Hbx [Hxm| ->]]; [|exact HCm]. destruct (Hcover x) as [HCx|Hx]; [lra|exact HCx|].
        exfalso. apply Hright; eauto. }
      assert (H := bends_in_piece phi C slope b m Hpiece ltac:(lra) Hinside).
      destruct Hh as [[_ <-]|Hh]; [exact H|].
      destruct (after_touches C slope rest m m h Hafter HCm Hh) as [_ Hle]. specialize (Hle eq_refl).
      destruct H as (H1 & H2 & H3). unfold bends_upward. repeat split; nra.
    + assert (Hcov : covers rest c) by (apply Hin; lra). destruct (covers_touches rest c Hcov) as [k Hk].
      assert (HnotC : ~ C m) by (apply Hright; exists c; repeat split; auto; lra).
      destruct Hh as [[HCm _]|Hh]; [contradiction|].
      destruct (after_touches C slope rest c c k Hafter HCc Hk) as [_ Hle].
      assert (Hinside : forall x, b <= x <= c -> C x).
      { intros x [Hbx [Hxc| ->]]; [|exact HCc]. destruct (Hcover x) as [HCx|Hx]; [lra|exact HCx|].
        specialize (Hlater c x HCc Hx). lra. }
      apply (bends_through phi b c m (slope b) (slope c) k h); [lra|lra| |auto|].
      * apply (bends_in_piece phi C slope b c Hpiece); [lra|exact Hinside].
      * apply IH; auto. lra.
  - assert (Hb := touches_covers rest b g Hg).
    assert (HnotC : ~ C m) by (apply Hright; exists b; repeat split; auto; lra).
    destruct Hh as [[HCm _]|Hh]; [contradiction|]. apply IH; auto.
    intros x [[Hbx|<-] Hxm]; [|exact Hb]. destruct (Hcover x) as [HCx|Hx]; [lra| |exact Hx].
    specialize (Hlater x b HCx Hb). lra.
Qed.

Lemma each_touches parts : every (fun C slope => forall m, C m -> touches parts m (slope m)) parts.
Proof.
  induction parts as [|[C slope] rest IH]; cbn; [easy|]. split; [intros m HC; left; auto|].
  refine (every_implies _ _ rest _ IH). intros D slope' H m HD. right. now apply H.
Qed.

Theorem pieces_from_joins phi parts : every (smooth_piece phi) parts -> in_order everywhere parts -> (forall m, covers parts m) ->
  every (piece phi) parts.
Proof.
  intros Hsmooth Horder Hcover. assert (Hall := every_both _ _ _ Hsmooth (each_touches parts)).
  refine (every_implies _ _ parts _ Hall). intros C slope [[Hclosed [f Hf] [bend Hbend]] Htouch]. split.
  - exact Hclosed.
  - intros m HC. apply continuous_from_derivative with (bend m). now apply Hbend.
  - intros m HC b. destruct (covers_touches parts b (Hcover b)) as [g Hg].
    destruct (Rtotal_order b m) as [Hb|[->|Hb]]; [|lra|].
    + now apply (joined_bends_upward phi parts Hsmooth Horder b m g (slope m)); auto.
    + now apply (joined_bends_upward phi parts Hsmooth Horder m b (slope m) g); auto.
Qed.
