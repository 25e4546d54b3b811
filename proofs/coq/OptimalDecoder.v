(** A decoder for any target: linear inequalities have a solution, or a nonnegative combination of them is absurd.

    By Fourier-Motzkin elimination, as a function of the inequalities: no choice. *)

From Coq Require Import Reals Lra Lia List Arith Bool.
From Gaptron Require Import Definitions Sums Matrices Optimal OptimalSums OptimalProximal OptimalUpper.
Import ListNotations.
Open Scope R_scope.

(** * Linear inequalities *)

Definition inequality := (vector * R)%type.                           (* <a, x> <= b *)

Definition holds (n : nat) (x : vector) (r : inequality) : Prop := dot n (fst r) x <= snd r.

Definition combination (p : R) (r : inequality) (q : R) (s : inequality) : inequality :=
  (fun i => p * fst r i + q * fst s i, p * snd r + q * snd s).

Inductive derived (rows : list inequality) : inequality -> Prop :=
| given r : In r rows -> derived rows r
| combined p r q s : derived rows r -> derived rows s -> 0 <= p -> 0 <= q -> derived rows (combination p r q s).

Definition absurd_row (n : nat) (rows : list inequality) : Prop :=
  exists r, derived rows r /\ (forall i, (i < n)%nat -> fst r i = 0) /\ snd r < 0.

Lemma derived_from rows rows' r : (forall s, In s rows' -> derived rows s) -> derived rows' r -> derived rows r.
Proof. intros H Hr. induction Hr; [now apply H|now constructor]. Qed.

(** * Elimination of the variable n *)

Definition positive (n : nat) (r : inequality) : bool := if Rlt_dec 0 (fst r n) then true else false.
Definition negative (n : nat) (r : inequality) : bool := if Rlt_dec (fst r n) 0 then true else false.

Definition without_variable (n : nat) (p q : inequality) : inequality := combination (- fst q n) p (fst p n) q.

Definition eliminated (n : nat) (rows : list inequality) : list inequality :=
  filter (fun r => negb (positive n r || negative n r)) rows ++
  flat_map (fun p => map (without_variable n p) (filter (negative n) rows)) (filter (positive n) rows).

Lemma eliminated_in n rows r : In r (eliminated n rows) ->
  (In r rows /\ fst r n = 0) \/
  exists p q, In p rows /\ In q rows /\ 0 < fst p n /\ fst q n < 0 /\ r = without_variable n p q.
Proof.
  unfold eliminated. rewrite in_app_iff, filter_In, in_flat_map. intros [[H Hz]|[p [Hp Hr]]].
  - left. split; [assumption|]. unfold positive, negative in Hz.
    destruct (Rlt_dec 0 (fst r n)), (Rlt_dec (fst r n) 0); try discriminate. lra.
  - right. rewrite in_map_iff in Hr. destruct Hr as [q [<- Hq]]. rewrite filter_In in Hp, Hq.
    unfold positive, negative in *. destruct (Rlt_dec 0 (fst p n)), (Rlt_dec (fst q n) 0); try easy.
    now exists p, q.
Qed.

Lemma eliminated_zero n (rows : list inequality) (r : inequality) : In r rows -> fst r n = 0 -> In r (eliminated n rows).
Proof.
  intros H Hz. unfold eliminated. apply in_app_iff. left. apply filter_In. split; [assumption|].
  unfold positive, negative. rewrite Hz. destruct (Rlt_dec 0 0); [lra|reflexivity].
Qed.

Lemma eliminated_pair n (rows : list inequality) (p q : inequality) : In p rows -> In q rows -> 0 < fst p n -> fst q n < 0 ->
  In (without_variable n p q) (eliminated n rows).
Proof.
  intros Hp Hq Hpos Hneg. unfold eliminated. apply in_app_iff. right. apply in_flat_map. exists p. split.
  - apply filter_In. split; [assumption|]. unfold positive. now destruct (Rlt_dec 0 (fst p n)).
  - apply in_map, filter_In. split; [assumption|]. unfold negative. now destruct (Rlt_dec (fst q n) 0).
Qed.

Lemma eliminated_derived n rows r : In r (eliminated n rows) -> derived rows r.
Proof.
  intros H. destruct (eliminated_in n rows r H) as [[Hr _]|(p & q & Hp & Hq & Hpos & Hneg & ->)].
  - now constructor.
  - apply combined; [now constructor|now constructor|lra|lra].
Qed.

Lemma eliminated_has_no_variable n rows r : derived (eliminated n rows) r -> fst r n = 0.
Proof.
  intros H. induction H as [r H|p r q s Hr IHr Hs IHs Hp Hq].
  - destruct (eliminated_in n rows r H) as [[_ Hz]|(p & q & _ & _ & _ & _ & ->)]; [assumption|]. simpl. ring.
  - simpl. rewrite IHr, IHs. ring.
Qed.

(** * Numbers between lists of bounds *)

Lemma below_all us : {t : R | forall u, In u us -> t <= u}.
Proof.
  induction us as [|u us [t Ht]]; [now exists 0|]. exists (Rmin u t). intros v [<-|Hv]; [apply Rmin_l|].
  apply Rle_trans with t; [apply Rmin_r|now apply Ht].
Qed.

Lemma greatest l ls : {t : R | (forall v, In v (l :: ls) -> v <= t) /\ In t (l :: ls)}.
Proof.
  induction ls as [|v ls [t [Ht Hin]]].
  - exists l. split; [intros v [<-|[]]; lra|now left].
  - destruct (Rle_dec v t) as [Hle|Hgt].
    + exists t. split; [|destruct Hin as [<-|Hin]; [now left|right; now right]].
      intros u [<-|[<-|Hu]]; [apply Ht; now left|assumption|apply Ht; now right].
    + exists v. split; [|right; now left]. intros u [<-|[<-|Hu]]; [|lra|].
      * assert (l <= t) by (apply Ht; now left). lra.
      * assert (u <= t) by (apply Ht; now right). lra.
Qed.

Lemma between ls us : (forall l u, In l ls -> In u us -> l <= u) ->
  {t : R | (forall l, In l ls -> l <= t) /\ forall u, In u us -> t <= u}.
Proof.
  intros H. destruct ls as [|l ls].
  - destruct (below_all us) as [t Ht]. exists t. split; [easy|assumption].
  - destruct (greatest l ls) as [t [Ht Hin]]. exists t. split; [assumption|]. intros u Hu. now apply H.
Qed.

(** * A solution, or an absurd combination *)

Lemma no_variables (rows : list inequality) : {forall r, In r rows -> 0 <= snd r} + {exists r, In r rows /\ snd r < 0}.
Proof.
  induction rows as [|r rows [IH|IH]]; [now left| |right].
  - destruct (Rlt_dec (snd r) 0) as [Hlt|Hge].
    + right. exists r. split; [now left|assumption].
    + left. intros s [<-|Hs]; [lra|now apply IH].
  - destruct IH as [s [Hs Hlt]]. exists s. split; [now right|assumption].
Qed.

Definition bound_by (n : nat) (x : vector) (r : inequality) : R := (snd r - dot n (fst r) x) / fst r n.

Definition solved (n : nat) : forall rows, {x | forall r, In r rows -> holds n x r} + {absurd_row n rows}.
Proof.
  induction n as [|n IH]; intros rows.
  - destruct (no_variables rows) as [Hall|Hone].
    + left. exists (fun _ => 0). intros r Hr. now apply Hall.
    + right. destruct Hone as [r [Hr Hlt]]. exists r. split; [now constructor|]. split; [intros; lia|assumption].
  - destruct (IH (eliminated n rows)) as [[x Hx]|Habs].
    + left. destruct (between (map (bound_by n x) (filter (negative n) rows))
        (map (bound_by n x) (filter (positive n) rows))) as [t [Hlow Hhigh]].
      { intros l u Hl Hu. rewrite in_map_iff in Hl, Hu. destruct Hl as [q [<- Hq]], Hu as [p [<- Hp]].
        rewrite filter_In in Hp, Hq. destruct Hp as [Hp Hpos], Hq as [Hq Hneg]. unfold positive, negative in *.
        destruct (Rlt_dec 0 (fst p n)) as [Hp0|]; [|easy]. destruct (Rlt_dec (fst q n) 0) as [Hq0|]; [|easy].
        assert (H := Hx _ (eliminated_pair n rows p q Hp Hq Hp0 Hq0)). unfold holds, bound_by in *. simpl in H.
        assert (Hdot : dot n (fun i => - fst q n * fst p i + fst p n * fst q i) x =
          - fst q n * dot n (fst p) x + fst p n * dot n (fst q) x).
        { unfold dot. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros. ring. }
        rewrite Hdot in H. clear Hdot.
        set (a := snd p - dot n (fst p) x) in *. set (b := snd q - dot n (fst q) x) in *.
        assert (Hab : 0 <= - fst q n * a + fst p n * b) by (unfold a, b; lra).
        replace (b / fst q n) with (a / fst p n - (- fst q n * a + fst p n * b) * (/ fst p n * / (- fst q n)))
          by (field; lra).
        assert (0 <= (- fst q n * a + fst p n * b) * (/ fst p n * / (- fst q n))); [|lra].
        apply Rmult_le_pos; [assumption|]. apply Rmult_le_pos; left; apply Rinv_0_lt_compat; lra. }
      exists (fun i => if Nat.eqb i n then t else x i). intros r Hr. unfold holds, dot. cbn [sum].
      rewrite Nat.eqb_refl. rewrite (sum_ext n _ (fun i => fst r i * x i)).
      2:{ intros i Hi. destruct (Nat.eqb_spec i n); [lia|reflexivity]. }
      fold (dot n (fst r) x).
      destruct (Rtotal_order (fst r n) 0) as [Hneg|[Hz|Hpos]].
      * assert (Hle : bound_by n x r <= t).
        { apply Hlow, in_map, filter_In. split; [assumption|]. unfold negative. now destruct (Rlt_dec (fst r n) 0). }
        apply Rmult_le_compat_neg_l with (r := fst r n) in Hle; [|lra]. unfold bound_by in Hle.
        replace (fst r n * ((snd r - dot n (fst r) x) / fst r n)) with (snd r - dot n (fst r) x) in Hle
          by (field; lra). lra.
      * rewrite Hz. assert (H := Hx r (eliminated_zero n rows r Hr Hz)). unfold holds in H. lra.
      * assert (Hle : t <= bound_by n x r).
        { apply Hhigh, in_map, filter_In. split; [assumption|]. unfold positive. now destruct (Rlt_dec 0 (fst r n)). }
        apply Rmult_le_compat_l with (r := fst r n) in Hle; [|lra]. unfold bound_by in Hle.
        replace (fst r n * ((snd r - dot n (fst r) x) / fst r n)) with (snd r - dot n (fst r) x) in Hle
          by (field; lra). lra.
    + right. destruct Habs as (r & Hr & Hzero & Hlt). exists r. split; [|split; [|assumption]].
      * now apply derived_from with (2 := Hr), eliminated_derived.
      * intros i Hi. destruct (Nat.eq_dec i n) as [->|Hne]; [now apply eliminated_has_no_variable with (1 := Hr)|].
        apply Hzero. lia.
Defined.

(** * The inequalities of a decoder *)

Section Demands.
Variables (M N : nat) (cost : nat -> nat -> R) (bound : nat -> R).
Hypothesis HM : (0 < M)%nat.

Definition pays (y : nat) : inequality := (fun k => cost k y, bound y).
Definition nonnegative (k : nat) : inequality := (fun i => if Nat.eqb i k then -1 else 0, 0).
Definition total_at_most : inequality := (fun _ => 1, 1).
Definition total_at_least : inequality := (fun _ => -1, -1).

Definition demands : list inequality :=
  total_at_most :: total_at_least :: map pays (seq 0 N) ++ map nonnegative (seq 0 M).

(** What is derived from them: a bound for some weights on the labels. *)
Lemma derived_demand r : derived demands r ->
  exists w v, (forall y, (y < N)%nat -> 0 <= w y) /\
    (forall k, (k < M)%nat -> fst r k <= sum N (fun y => w y * cost k y) + v) /\
    snd r = sum N (fun y => w y * bound y) + v.
Proof.
  intros H. induction H as [r H|p r q s Hr IHr Hs IHs Hp Hq].
  - assert (Hnone : forall f : nat -> R, sum N (fun y => 0 * f y) = 0) by (intros; apply sum_zero; intros; ring).
    destruct H as [<-|[<-|H]]; [| |rewrite in_app_iff, !in_map_iff in H; destruct H as [(y & <- & Hy)|(k & <- & Hk)]].
    + exists (fun _ => 0), 1. repeat split; [intros; lra|intros; rewrite Hnone; simpl; lra|rewrite Hnone; simpl; lra].
    + exists (fun _ => 0), (-1). repeat split; [intros; lra|intros; rewrite Hnone; simpl; lra|rewrite Hnone; simpl; lra].
    + rewrite in_seq in Hy. exists (fun z => if Nat.eqb z y then 1 else 0), 0.
      assert (Hpick : forall f : nat -> R, sum N (fun z => (if Nat.eqb z y then 1 else 0) * f z) = f y).
      { intros f. rewrite (sum_ext N _ (fun z => f z * (if Nat.eqb z y then 1 else 0))) by (intros; ring).
        rewrite sum_at by lia. ring. }
      repeat split; [intros z _; destruct (Nat.eqb z y); lra|intros; rewrite Hpick; simpl; lra|rewrite Hpick; simpl; lra].
    + exists (fun _ => 0), 0. repeat split; [intros; lra| |rewrite Hnone; simpl; lra].
      intros i _. rewrite Hnone. simpl. destruct (Nat.eqb i k); lra.
  - destruct IHr as (w & v & Hw & Hk & Hb), IHs as (w' & v' & Hw' & Hk' & Hb').
    exists (fun y => p * w y + q * w' y), (p * v + q * v').
    assert (Hsum : forall f : nat -> R, sum N (fun y => (p * w y + q * w' y) * f y) =
      p * sum N (fun y => w y * f y) + q * sum N (fun y => w' y * f y)).
    { intros f. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros. ring. }
    repeat split.
    + intros y Hy. assert (0 <= p * w y) by (apply Rmult_le_pos; auto). assert (0 <= q * w' y) by (apply Rmult_le_pos; auto).
      lra.
    + intros k Hkm. rewrite Hsum. simpl.
      assert (p * fst r k <= p * (sum N (fun y => w y * cost k y) + v)) by (apply Rmult_le_compat_l; auto).
      assert (q * fst s k <= q * (sum N (fun y => w' y * cost k y) + v')) by (apply Rmult_le_compat_l; auto). lra.
    + rewrite Hsum. simpl. rewrite Hb, Hb'. ring.
Qed.

(** The least expected cost of every distribution of the label is at most the expected bound. *)
Definition affordable : Prop :=
  forall w, is_distribution N w -> forall H, (forall k, (k < M)%nat -> H <= weighted N w (cost k)) -> H <= weighted N w bound.

Lemma never_absurd : affordable -> ~ absurd_row M demands.
Proof.
  intros Hbound (r & Hr & Hzero & Hlt). destruct (derived_demand r Hr) as (w & v & Hw & Hk & Hb).
  set (s := sum N w). assert (Hs : 0 <= s) by (apply sum_nonneg; assumption).
  destruct (Req_dec s 0) as [Hz|Hne].
  - assert (Hwz : forall y, (y < N)%nat -> w y = 0).
    { intros y Hy. assert (w y <= s) by (apply term_le_sum; assumption). specialize (Hw y Hy). lra. }
    specialize (Hk 0%nat HM). rewrite (Hzero 0%nat HM), sum_zero in Hk.
    2:{ intros y Hy. rewrite Hwz by assumption. ring. }
    rewrite sum_zero in Hb; [lra|]. intros y Hy. rewrite Hwz by assumption. ring.
  - assert (Hinv : 0 < / s) by (apply Rinv_0_lt_compat; lra).
    assert (Hdist : is_distribution N (fun y => / s * w y)).
    { split; [intros; apply Rmult_le_pos; [lra|auto]|]. rewrite sum_scale. fold s. field. lra. }
    assert (Hscale : forall f : nat -> R, weighted N (fun y => / s * w y) f = / s * sum N (fun y => w y * f y)).
    { intros f. unfold weighted. rewrite <- sum_scale. apply sum_ext. intros. ring. }
    assert (Hle : / s * - v <= / s * sum N (fun y => w y * bound y)).
    { rewrite <- Hscale. apply Hbound; [exact Hdist|]. intros k Hkm. rewrite Hscale. apply Rmult_le_compat_l; [lra|].
      specialize (Hk k Hkm). rewrite (Hzero k Hkm) in Hk. lra. }
    apply Rmult_le_reg_l in Hle; lra.
Qed.

Definition solution : nat -> R :=
  match solved M demands with
  | inleft (exist _ x _) => x
  | inright _ => fun _ => 0
  end.

Definition keeps_bounds (p : nat -> R) : Prop :=
  is_distribution M p /\ forall y, (y < N)%nat -> weighted M p (fun k => cost k y) <= bound y.

Theorem solution_keeps_bounds : affordable -> keeps_bounds solution.
Proof.
  intros Hbound. unfold solution.
  destruct (solved M demands) as [[x Hx]|Habs]; [|now destruct (never_absurd Hbound)].
  unfold demands in Hx. split; [split|].
  - intros k Hk. assert (H : holds M x (nonnegative k)).
    { apply Hx. right. right. apply in_app_iff. right. apply in_map, in_seq. lia. }
    unfold holds, nonnegative, dot in H. simpl in H.
    rewrite (sum_ext M _ (fun i => x i * (if Nat.eqb i k then -1 else 0))) in H by (intros; ring).
    rewrite sum_at in H by assumption. lra.
  - assert (H : holds M x total_at_most) by (apply Hx; now left).
    assert (H' : holds M x total_at_least) by (apply Hx; right; now left).
    unfold holds, dot in H, H'. simpl in H, H'. rewrite sum_scale in H, H'. lra.
  - intros y Hy. assert (H : holds M x (pays y)).
    { apply Hx. right. right. apply in_app_iff. left. apply in_map, in_seq. lia. }
    unfold holds, dot in H. simpl in H. unfold weighted.
    rewrite (sum_ext M _ (fun k => cost k y * x k)) by (intros; ring). exact H.
Qed.

Lemma kept_bounds_are_affordable p : keeps_bounds p -> affordable.
Proof.
  intros [[Hp Hone] Hpays] w [Hw _] H Hbest. apply Rle_trans with (weighted M p (fun k => weighted N w (cost k))).
  - unfold weighted at 1. rewrite <- (Rmult_1_r H), <- Hone, <- sum_scale. apply sum_le. intros k Hk.
    rewrite Rmult_comm. apply Rmult_le_compat_l; auto.
  - unfold weighted. rewrite (sum_ext M _ (fun k => sum N (fun y => w y * (p k * cost k y)))).
    + rewrite sum_swap. apply sum_le. intros y Hy. rewrite sum_scale. apply Rmult_le_compat_l; [auto|]. now apply Hpays.
    + intros k _. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

(** The minimax theorem for finite games, with the decoder as a function of the bounds. *)
Theorem bounds_can_be_kept_iff : (exists p, keeps_bounds p) <-> affordable.
Proof.
  split; [intros [p Hp]; now apply kept_bounds_are_affordable with p|].
  intros H. exists solution. now apply solution_keeps_bounds.
Qed.

End Demands.

(** * The decoder of the criterion *)

Section Decoder.
Variables (P : problem) (alpha c : R).
Hypothesis Halpha : 0 < alpha.
Hypothesis Hc : 0 < c.
Hypothesis Hloss : convex_losses P.
Hypothesis HM : (0 < predictions P)%nat.

Notation M := (predictions P).
Notation N := (labels P).
Notation e := (envelope P c Hc Hloss).

(** The envelopes satisfy what the criterion says of a family of scores. *)
Lemma criterion_of_envelopes theta w H : criterion P alpha c -> is_distribution N w ->
  (forall k, (k < M)%nat -> H <= weighted N w (target P k)) -> H <= alpha * weighted N w (fun y => e y theta).
Proof.
  intros Hcrit Hw Hbest. apply Rle_trans with (1 := Hcrit w (fun y => prox P c Hc Hloss y theta) Hw H Hbest).
  apply Rmult_le_compat_l; [lra|].
  assert (Hvar := variance_is_least N w (fun y => prox P c Hc Hloss y theta) theta (dimension P) Hw).
  apply Rmult_le_compat_l with (r := c) in Hvar; [|lra].
  unfold weighted in *. unfold envelope. rewrite <- sum_scale in Hvar.
  rewrite (sum_ext N (fun y => w y * (surrogate_of P y (prox P c Hc Hloss y theta)
      + c * distance2 (dimension P) (prox P c Hc Hloss y theta) theta))
    (fun y => w y * surrogate_of P y (prox P c Hc Hloss y theta)
      + c * (w y * distance2 (dimension P) (prox P c Hc Hloss y theta) theta))) by (intros; ring).
  rewrite sum_plus. lra.
Qed.

Definition envelope_decoder (theta : vector) : nat -> R := solution M N (target P) (fun y => alpha * e y theta).

Theorem envelope_decoder_decodes : criterion P alpha c -> decodes P alpha c Hc Hloss envelope_decoder.
Proof.
  intros Hcrit theta. apply solution_keeps_bounds; [assumption|]. intros w Hw H Hbest.
  apply Rle_trans with (1 := criterion_of_envelopes theta w H Hcrit Hw Hbest). right.
  unfold weighted. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

End Decoder.
