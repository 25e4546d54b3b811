(** The criterion is attained: proximal steps pay the envelope of each loss, and a decoder pays no more. *)

From Coq Require Import Reals Lra Lia List Arith Psatz.
From Gaptron Require Import Definitions BanditDefinitions Sums Matrices Expectations Descent.
From Gaptron Require Import Optimal OptimalSums OptimalProximal.
Import ListNotations.
Open Scope R_scope.

Section Upper.
Variables (P : problem) (X alpha c : R).
Hypothesis HX : 0 < X.
Hypothesis Halpha : 0 < alpha.
Hypothesis Hc : 0 < c.
Hypothesis Hloss : convex_losses P.

Notation n := (dimension P).
Notation M := (predictions P).

(** * The step and the envelope *)

Definition prox (y : nat) (theta : vector) : vector :=
  match lt_dec y (labels P) with
  | left Hy => proj1_sig (proximal_point n (surrogate_of P y) (proj1 (Hloss y Hy)) (proj2 (Hloss y Hy)) c theta Hc)
  | right _ => theta
  end.

(** e_y(theta) = min_p loss_y(p) + c ||p - theta||^2 *)
Definition envelope (y : nat) (theta : vector) : R :=
  surrogate_of P y (prox y theta) + c * distance2 n (prox y theta) theta.

Lemma prox_slope y theta v : (y < labels P)%nat ->
  surrogate_of P y (prox y theta)
    - 2 * c * dot n (fun i => prox y theta i - theta i) (fun i => v i - prox y theta i) <= surrogate_of P y v.
Proof.
  intros Hy. unfold prox. destruct (lt_dec y (labels P)) as [Hy'|]; [|lia].
  destruct (proximal_point n (surrogate_of P y) (proj1 (Hloss y Hy')) (proj2 (Hloss y Hy')) c theta Hc) as [p Hp].
  simpl. apply slope_at_minimiser with (1 := proj2 (Hloss y Hy)) (theta := theta); assumption.
Qed.

Lemma envelope_is_least y theta v : (y < labels P)%nat ->
  envelope y theta <= surrogate_of P y v + c * distance2 n v theta.
Proof.
  intros Hy. unfold envelope, prox. destruct (lt_dec y (labels P)) as [Hy'|]; [|lia].
  destruct (proximal_point n (surrogate_of P y) (proj1 (Hloss y Hy')) (proj2 (Hloss y Hy')) c theta Hc) as [p Hp].
  simpl. exact (Hp v).
Qed.

(** The weights move along the features: by the whole step of the scores if ||x|| = X. *)
Definition step (d : nat) (W : matrix) (x : vector) (y : nat) : matrix :=
  fun k i => W k i + (prox y (scores d W x) k - scores d W x k) / X ^ 2 * x i.

Lemma three_points d W x y U : (y < labels P)%nat -> dot d x x <= X ^ 2 ->
  envelope y (scores d W x) + c * X ^ 2 * norm2 n d (fun k i => step d W x y k i - U k i) <=
  surrogate_of P y (scores d U x) + c * X ^ 2 * norm2 n d (fun k i => W k i - U k i).
Proof.
  intros Hy Hx. set (theta := scores d W x). set (u := scores d U x).
  set (delta := fun k => prox y theta k - theta k).
  assert (HX2 : 0 < X ^ 2) by (apply pow_lt; assumption).
  assert (Hstep : X ^ 2 * norm2 n d (fun k i => step d W x y k i - U k i) =
    X ^ 2 * norm2 n d (fun k i => W k i - U k i) + 2 * dot n delta (fun k => theta k - u k)
    + dot d x x / X ^ 2 * dot n delta delta).
  { unfold norm2, inner. rewrite <- !sum_scale.
    rewrite (sum_ext n _ (fun k => X ^ 2 * dot d (fun i => W k i - U k i) (fun i => W k i - U k i)
      + (2 * (delta k * (theta k - u k)) + dot d x x / X ^ 2 * (delta k * delta k)))).
    - rewrite sum_plus. rewrite (sum_plus n (fun k => 2 * (delta k * (theta k - u k)))), !sum_scale. unfold dot. ring.
    - intros k _. unfold step. fold theta. change (prox y theta k - theta k) with (delta k).
      assert (Hk : theta k - u k = dot d (fun i => W k i - U k i) x).
      { unfold theta, u, scores, dot. rewrite <- sum_minus. apply sum_ext. intros. ring. }
      rewrite Hk. unfold dot.
      rewrite (sum_ext d (fun i => (W k i + delta k / X ^ 2 * x i - U k i) * (W k i + delta k / X ^ 2 * x i - U k i))
        (fun i => (W k i - U k i) * (W k i - U k i) + (2 * (delta k / X ^ 2) * ((W k i - U k i) * x i)
          + delta k / X ^ 2 * (delta k / X ^ 2) * (x i * x i)))) by (intros; ring).
      rewrite sum_plus, (sum_plus d (fun i => 2 * (delta k / X ^ 2) * ((W k i - U k i) * x i))), !sum_scale.
      field. lra. }
  assert (Hslope := prox_slope y theta u Hy). fold delta in Hslope.
  assert (Hdot : dot n delta (fun i => u i - prox y theta i) = - dot n delta (fun k => theta k - u k) - dot n delta delta).
  { unfold dot. rewrite (sum_ext n (fun i => delta i * (u i - prox y theta i))
      (fun i => -1 * (delta i * (theta i - u i)) + -1 * (delta i * delta i))).
    - rewrite sum_plus, !sum_scale. ring.
    - intros. unfold delta. ring. }
  change (fun i => prox y theta i - theta i) with delta in Hslope. rewrite Hdot in Hslope.
  unfold envelope. fold theta. change (distance2 n (prox y theta) theta) with (dot n delta delta).
  assert (Hdd : 0 <= dot n delta delta) by apply dot_square_nonneg.
  assert (Hr : dot d x x / X ^ 2 <= 1).
  { apply Rmult_le_reg_r with (X ^ 2); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Hrd : dot d x x / X ^ 2 * dot n delta delta <= 1 * dot n delta delta) by (apply Rmult_le_compat_r; assumption).
  rewrite !Rmult_assoc, Hstep, <- !Rmult_assoc. fold u.
  assert (Hcr : c * (dot d x x / X ^ 2 * dot n delta delta) <= c * (1 * dot n delta delta))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

(** * The algorithm *)

Fixpoint weights (d : nat) (rounds : list feedback) : matrix :=
  match rounds with
  | [] => fun _ _ => 0
  | (x, _, y) :: rounds => step d (weights d rounds) x y
  end.

(** A decoder: at all scores a distribution whose expected target loss is at most alpha times every envelope. *)
Definition decodes (decoder : vector -> nat -> R) : Prop :=
  forall theta, is_distribution M (decoder theta) /\
    forall y, (y < labels P)%nat -> weighted M (decoder theta) (fun k => target P k y) <= alpha * envelope y theta.

Theorem proximal_steps_attain decoder : decodes decoder -> attainable P X alpha c.
Proof.
  intros Hdec d. exists (fun rounds z => decoder (scores d (weights d rounds) z)). split; [intros; apply Hdec|].
  intros T x y price Hadv U. set (W := fun h => weights d (told (arena P d) x y h)).
  set (p := fun h => decoder (scores d (W h) (x h))).
  set (losses := fun h => surrogate_of P (y h) (scores d U (x h))).
  change (expectation M p T (paid P y) [] <= alpha * (expectation M p T (total losses) [] + c * X ^ 2 * norm2 n d U)).
  set (potential h := alpha * (c * X ^ 2) * norm2 n d (fun k i => W h k i - U k i)).
  assert (Hcx : 0 <= alpha * (c * X ^ 2)).
  { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. apply pow2_ge_0. }
  replace (alpha * (expectation M p T (total losses) [] + c * X ^ 2 * norm2 n d U))
    with (alpha * expectation M p T (total losses) [] + potential []).
  2:{ unfold potential. replace (norm2 n d (fun k i => W [] k i - U k i)) with (norm2 n d U); [ring|].
      apply sum_ext. intros k _. apply sum_ext. intros i _. unfold W. cbn [told weights]. ring. }
  apply full_accounts.
  - intros h _. apply Hdec.
  - intros h. apply Rmult_le_pos; [assumption|apply norm2_nonneg].
  - intros h Hh. destruct (Hadv h Hh) as (Hy & Hx & _). destruct (Hdec (scores d (W h) (x h))) as [_ Hbound].
    specialize (Hbound (y h) Hy). unfold weighted in Hbound.
    assert (Hthree := three_points d (W h) (x h) (y h) U Hy Hx).
    apply Rmult_le_compat_l with (r := alpha) in Hthree; [|lra].
    exists (alpha * (losses h - envelope (y h) (scores d (W h) (x h)))). split; [|unfold p; lra].
    intros draw _. unfold potential, losses. change (W (draw :: h)) with (step d (W h) (x h) (y h)). lra.
Qed.

End Upper.

(** * The 0-1 target: the decoder in closed form *)

Section ZeroOne.
Variables (K m : nat) (loss : nat -> vector -> R) (alpha c : R).
Hypothesis Halpha : 0 < alpha.
Hypothesis Hc : 0 < c.
Hypothesis HK : (0 < K)%nat.
Let P := classification K m loss.
Hypothesis Hloss : convex_losses P.

Notation e := (envelope P c Hc Hloss).

Definition need (theta : vector) (y : nat) : R := Rmax 0 (1 - alpha * e y theta).

Lemma need_nonneg theta y : 0 <= need theta y.
Proof. apply Rmax_l. Qed.

(** Every label gets what it needs, and label 0 the rest. *)
Definition top_up (theta : vector) (k : nat) : R :=
  need theta k + if Nat.eqb k 0 then 1 - sum K (need theta) else 0.

Lemma P_wrong_top_up pi y : is_distribution K pi -> (y < K)%nat -> weighted K pi (fun k => zero_one k y) = 1 - pi y.
Proof.
  intros [_ Hone] Hy. unfold weighted. rewrite <- Hone, (sum_split K pi y Hy).
  rewrite (sum_ext K _ (without y pi)); [ring|].
  intros k _. unfold zero_one, without. destruct (Nat.eqb k y); ring.
Qed.

(** The mean squared distance from any point, as from the mean. *)
Lemma variance_about N w theta q n : is_distribution N w ->
  weighted N w (fun y => distance2 n (theta y) q) = variance n N w theta + distance2 n (mean N w theta) q.
Proof.
  intros [_ Hone]. unfold variance, weighted.
  rewrite (sum_ext N (fun y => w y * distance2 n (theta y) q) (fun y =>
    w y * distance2 n (theta y) (mean N w theta)
    + (distance2 n (mean N w theta) q * w y
       + 2 * (w y * dot n (fun i => theta y i - mean N w theta i) (fun i => mean N w theta i - q i))))).
  - rewrite sum_plus. f_equal. rewrite sum_plus, !sum_scale, Hone.
    rewrite (sum_ext N (fun y => w y * dot n (fun i => theta y i - mean N w theta i) (fun i => mean N w theta i - q i))
      (fun y => sum n (fun i => w y * ((theta y i - mean N w theta i) * (mean N w theta i - q i))))).
    + rewrite sum_swap. rewrite (sum_zero n); [ring|]. intros i _.
      rewrite (sum_ext N (fun y => w y * ((theta y i - mean N w theta i) * (mean N w theta i - q i)))
        (fun y => (mean N w theta i - q i) * (w y * theta y i)
          - (mean N w theta i - q i) * mean N w theta i * w y)) by (intros; ring).
      rewrite sum_minus, !sum_scale, Hone. change (sum N (fun y => w y * theta y i)) with (mean N w theta i). ring.
    + intros y _. unfold dot. now rewrite sum_scale.
  - intros y _. unfold distance2, dot. rewrite (sum_ext n (fun i => (theta y i - q i) * (theta y i - q i))
      (fun i => (theta y i - mean N w theta i) * (theta y i - mean N w theta i)
        + ((mean N w theta i - q i) * (mean N w theta i - q i)
           + 2 * ((theta y i - mean N w theta i) * (mean N w theta i - q i))))) by (intros; ring).
    rewrite !sum_plus, sum_scale. ring.
Qed.

Lemma variance_is_least N w theta q n : is_distribution N w ->
  variance n N w theta <= weighted N w (fun y => distance2 n (theta y) q).
Proof.
  intros Hw. rewrite (variance_about N w theta q n Hw).
  assert (0 <= distance2 n (mean N w theta) q) by apply distance2_nonneg. lra.
Qed.

(** The criterion for the uniform distribution on the labels that need something. *)
Lemma needs_sum_to_at_most_one theta : criterion P alpha c -> sum K (need theta) <= 1.
Proof.
  intros Hcrit. set (counts := fun y => if Rlt_dec 0 (1 - alpha * e y theta) then 1 else 0).
  assert (Hcounts : forall y, 0 <= counts y <= 1) by (intros y; unfold counts; destruct (Rlt_dec _ _); lra).
  assert (Hneed : forall y, need theta y = counts y * (1 - alpha * e y theta)).
  { intros y. unfold need, counts. destruct (Rlt_dec 0 (1 - alpha * e y theta)).
    - rewrite Rmax_right; lra.
    - rewrite Rmax_left; lra. }
  set (s := sum K counts). assert (Hs : 0 <= s) by (apply sum_nonneg; intros; apply Hcounts).
  rewrite (sum_ext K _ (fun y => counts y * (1 - alpha * e y theta))) by (intros; apply Hneed).
  destruct (Req_dec s 0) as [Hzero|Hne].
  - rewrite sum_zero; [lra|]. intros y Hy.
    assert (Hle : counts y <= s) by (apply term_le_sum; [assumption|intros; apply Hcounts]).
    specialize (Hcounts y). replace (counts y) with 0 by lra. ring.
  - assert (Hpos : 0 < s) by lra. set (w := fun y => counts y / s).
    assert (Hinv : 0 < / s) by now apply Rinv_0_lt_compat.
    assert (Hw : is_distribution K w).
    { split.
      - intros y _. unfold w. apply Rmult_le_pos; [apply Hcounts|lra].
      - unfold w, Rdiv. rewrite (sum_ext K _ (fun y => / s * counts y)) by (intros; ring).
        rewrite sum_scale. fold s. field. lra. }
    assert (Hbest : forall k, (k < K)%nat -> 1 - / s <= weighted K w (zero_one k)).
    { intros k Hk. unfold weighted.
      rewrite (sum_ext K _ (fun y => w y * zero_one y k)).
      - fold (weighted K w (fun y => zero_one y k)). rewrite (P_wrong_top_up w k Hw Hk).
        assert (w k <= / s); [|lra]. unfold w, Rdiv. rewrite <- (Rmult_1_l (/ s)) at 2.
        apply Rmult_le_compat_r; [lra|apply Hcounts].
      - intros y _. unfold zero_one. now rewrite Nat.eqb_sym. }
    specialize (Hcrit w (fun y => prox P c Hc Hloss y theta) Hw (1 - / s) Hbest).
    assert (Hvar := variance_is_least K w (fun y => prox P c Hc Hloss y theta) theta m Hw).
    assert (Hsum : weighted K w (fun y => e y theta) = weighted K w (fun y => loss y (prox P c Hc Hloss y theta))
      + c * weighted K w (fun y => distance2 m (prox P c Hc Hloss y theta) theta)).
    { unfold weighted. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros y _. unfold envelope. simpl. ring. }
    assert (Hle : 1 - / s <= alpha * weighted K w (fun y => e y theta)).
    { apply Rle_trans with (1 := Hcrit). apply Rmult_le_compat_l; [lra|]. rewrite Hsum.
      apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|exact Hvar]. }
    apply Rmult_le_compat_l with (r := s) in Hle; [|lra].
    replace (s * (1 - / s)) with (s - 1) in Hle by (field; lra).
    assert (Hexp : s * (alpha * weighted K w (fun y => e y theta)) = sum K (fun y => counts y * (alpha * e y theta))).
    { unfold weighted. rewrite <- !sum_scale. apply sum_ext. intros y _. unfold w. field. lra. }
    rewrite Hexp in Hle.
    rewrite (sum_ext K _ (fun y => counts y - counts y * (alpha * e y theta))) by (intros; ring).
    rewrite sum_minus. fold s. lra.
Qed.

Theorem top_up_decodes : criterion P alpha c -> decodes P alpha c Hc Hloss top_up.
Proof.
  intros Hcrit theta. assert (Hsum := needs_sum_to_at_most_one theta Hcrit).
  assert (Hdist : is_distribution K (top_up theta)).
  { split.
    - intros k _. unfold top_up. assert (H := need_nonneg theta k). destruct (Nat.eqb k 0); lra.
    - unfold top_up. rewrite sum_plus, sum_pick by assumption. ring. }
  split; [exact Hdist|]. intros y Hy. change (weighted K (top_up theta) (fun k => zero_one k y) <= alpha * e y theta).
  rewrite (P_wrong_top_up (top_up theta) y Hdist Hy).
  assert (Hneed : 1 - alpha * e y theta <= need theta y) by apply Rmax_r.
  unfold top_up. destruct (Nat.eqb y 0); lra.
Qed.

End ZeroOne.
