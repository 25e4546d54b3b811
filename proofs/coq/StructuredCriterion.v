(** A decoder exists at every score vector iff an inequality between entropies of one distribution holds.

    Necessary at every learning rate: every mean of the outputs is nearly mu(theta) for some theta (the scores come from
    a proximal point of Omega-star). Sufficient for eta s <= lambda: what the decoder is paid at theta is the criterion
    plus s S(theta; m) - (eta s^2/2) ||mu - m||^2, and a strongly convex entropy has S >= (lambda/2) ||mu - m||^2. *)

From Coq Require Import Reals Lra Lia Arith FunctionalExtensionality Psatz.
From Gaptron Require Import Definitions Sums Matrices Linear Optimal OptimalSums OptimalProximal OptimalUpper OptimalDecoder.
From Gaptron Require Import StructuredDefinitions.
Open Scope R_scope.

Lemma distance2_comm n u v : distance2 n u v = distance2 n v u.
Proof. apply sum_ext. intros. ring. Qed.

Lemma weighted_dot n N w u f : weighted N w (fun y => dot n u (f y)) = dot n u (mean N w f).
Proof.
  unfold weighted, dot, mean, weighted.
  rewrite (sum_ext N _ (fun y => sum n (fun i => u i * (w y * f y i)))).
  - rewrite sum_swap. apply sum_ext. intros. apply sum_scale.
  - intros. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

(** 2 <u, v> <= ||u||^2/r + r ||v||^2 *)
Lemma dot_young n r u v : 0 < r -> dot n u v <= dot n u u / (2 * r) + r / 2 * dot n v v.
Proof.
  intros Hr. unfold dot, Rdiv at 1. rewrite (Rmult_comm (sum n _)), <- !sum_scale, <- sum_plus. apply sum_le.
  intros i _.
  assert (H : 0 <= (u i - r * v i) * (u i - r * v i) * / (2 * r)).
  { apply Rmult_le_pos; [apply (Rle_0_sqr (u i - r * v i))|]. left. apply Rinv_0_lt_compat. lra. }
  replace ((u i - r * v i) * (u i - r * v i) * / (2 * r))
    with (/ (2 * r) * (u i * u i) + r / 2 * (v i * v i) - u i * v i) in H by (field; lra). lra.
Qed.

(** * Fenchel-Young losses *)

Section Surrogate.
Variable P : structured.
Hypothesis Hattained : attained P.

Notation n := (size P).
Notation mu := (regularised P).

Lemma fenchel_young_nonneg theta m : domain P m -> 0 <= fenchel_young P theta m.
Proof using Hattained.
  intros Hm. destruct (Hattained theta) as [_ H]. specialize (H m Hm). unfold fenchel_young, conjugate. lra.
Qed.

Lemma conjugate_above theta u : conjugate P theta + dot n (mu theta) (fun i => u i - theta i) <= conjugate P u.
Proof using Hattained.
  destruct (Hattained theta) as [Hin _]. assert (H := fenchel_young_nonneg u (mu theta) Hin).
  unfold fenchel_young in H. unfold conjugate at 1. rewrite dot_minus, !(dot_comm n (mu theta)). lra.
Qed.

Lemma conjugate_reads : reads n (conjugate P).
Proof using Hattained.
  assert (Hle : forall u v, (forall i, (i < n)%nat -> u i = v i) -> conjugate P u <= conjugate P v).
  { intros u v H. destruct (Hattained u) as [Hin _]. assert (Hfy := fenchel_young_nonneg v (mu u) Hin).
    unfold fenchel_young in Hfy. unfold conjugate at 1. rewrite (dot_ext n u v (mu u) (mu u)) by auto. lra. }
  intros u v H. apply Rle_antisym; apply Hle; auto. intros. symmetry. auto.
Qed.

Lemma conjugate_convex : convex_in (conjugate P).
Proof using Hattained.
  intros u v t Ht. set (w := fun i => t * u i + (1 - t) * v i).
  assert (Hu := conjugate_above w u). assert (Hv := conjugate_above w v).
  rewrite dot_minus in Hu, Hv.
  assert (Hw : dot n (mu w) w = t * dot n (mu w) u + (1 - t) * dot n (mu w) v).
  { unfold w at 2. rewrite dot_plus, !dot_scale. reflexivity. }
  apply Rmult_le_compat_l with (r := t) in Hu; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in Hv; [|lra]. nra.
Qed.

Lemma minus_linear_reads f m : reads n f -> reads n (fun theta => f theta - dot n theta m).
Proof. intros Hf u v H. rewrite (Hf u v H), (dot_ext n u v m m) by auto. reflexivity. Qed.

Lemma minus_linear_convex f m : convex_in f -> convex_in (fun theta => f theta - dot n theta m).
Proof.
  intros Hf u v t Ht. specialize (Hf u v t Ht). rewrite !(dot_comm n _ m), dot_plus, !dot_scale. lra.
Qed.

Lemma surrogate_convex : 0 < scale P -> convex_losses (surrogate_problem P).
Proof using Hattained.
  intros Hs y _. split; simpl.
  - intros u v H. unfold surrogate_loss, fenchel_young.
    rewrite (conjugate_reads u v H), (dot_ext n u v (output P y) (output P y))
      by auto. reflexivity.
  - intros u v t Ht. assert (H := minus_linear_convex (conjugate P) (output P y) conjugate_convex u v t Ht).
    cbv beta in H.
    unfold surrogate_loss, fenchel_young. nra.
Qed.

Lemma slope_below y theta u : 0 < scale P ->
  surrogate_loss P y theta + dot n (slope P theta y) (fun i => u i - theta i) <= surrogate_loss P y u.
Proof using Hattained.
  intros Hs. assert (H := conjugate_above theta u). unfold surrogate_loss, fenchel_young.
  assert (Hslope : dot n (slope P theta y) (fun i => u i - theta i) =
    scale P * (dot n (mu theta) (fun i => u i - theta i)
    - (dot n u (output P y) - dot n theta (output P y)))).
  { unfold slope, dot. rewrite <- sum_minus, <- sum_minus, <- sum_scale. apply sum_ext. intros. ring. }
  rewrite Hslope. apply Rmult_le_compat_l with (r := scale P) in H; lra.
Qed.

Lemma slope_is_subgradient alpha y theta : 0 < scale P -> 0 < alpha ->
  score_subgradient n (fun u => alpha * surrogate_loss P y u) theta (fun i => alpha * slope P theta y i).
Proof using Hattained.
  intros Hs Halpha u. assert (H := slope_below y theta u Hs).
  rewrite (sum_ext n _ (fun i => alpha * (slope P theta y i * (u i - theta i)))) by (intros; ring).
  rewrite sum_scale. apply Rmult_le_compat_l with (r := alpha) in H; [|lra]. unfold dot in H. lra.
Qed.

(** * What a decoder is paid on average *)

Lemma slope_norm theta y :
  dot n (slope P theta y) (slope P theta y) = scale P ^ 2 * distance2 n (output P y) (mu theta).
Proof. unfold distance2, dot, slope. rewrite <- sum_scale. apply sum_ext. intros. ring. Qed.

Lemma average_surrogate w theta : is_distribution (outputs P) w ->
  weighted (outputs P) w (fun y => fenchel_young P theta (output P y)) =
  entropy_gap P w + fenchel_young P theta (mean (outputs P) w (output P)).
Proof.
  intros [_ Hone]. unfold entropy_gap, fenchel_young. rewrite <- weighted_dot. unfold weighted.
  rewrite (sum_ext _ _ (fun y => conjugate P theta * w y
    + (w y * entropy P (output P y) - w y * dot n theta (output P y)))) by (intros; ring).
  rewrite sum_plus, sum_scale, sum_minus, Hone. ring.
Qed.

Lemma average_paid w theta eta : is_distribution (outputs P) w ->
  weighted (outputs P) w
    (fun y => surrogate_loss P y theta - eta / 2 * dot n (slope P theta y) (slope P theta y)) =
  scale P * entropy_gap P w - eta * scale P ^ 2 / 2 * variance n (outputs P) w (output P)
  + (scale P * fenchel_young P theta (mean (outputs P) w (output P))
     - eta * scale P ^ 2 / 2 * distance2 n (mean (outputs P) w (output P)) (mu theta)).
Proof.
  intros Hw. assert (Hvar := variance_about (outputs P) w (output P) (mu theta) n Hw).
  assert (Hfy := average_surrogate w theta Hw).
  apply eq_trans with (scale P * weighted (outputs P) w (fun y => fenchel_young P theta (output P y))
    - eta * scale P ^ 2 / 2 * weighted (outputs P) w (fun y => distance2 n (output P y) (mu theta))).
  - unfold weighted. rewrite <- !sum_scale, <- sum_minus. apply sum_ext. intros y _. rewrite slope_norm.
    unfold surrogate_loss. field.
  - rewrite Hvar, Hfy. ring.
Qed.

End Surrogate.

(** * Strong convexity, and means that are nearly attained *)

Section Regular.
Variables (P : structured) (lambda : R).
Hypothesis Hreg : regular P lambda.

Notation n := (size P).
Notation mu := (regularised P).
Notation N := (outputs P).

Let Hs : 0 < scale P := proj1 (proj2 Hreg).
Let Hlambda : 0 < lambda := proj1 (proj2 (proj2 Hreg)).
Let Hmeans := proj1 (proj2 (proj2 (proj2 Hreg))).
Let Hstrong := proj1 (proj2 (proj2 (proj2 (proj2 Hreg)))).
Let Hclosed := proj1 (proj2 (proj2 (proj2 (proj2 (proj2 Hreg))))).
Let Hattained : attained P := proj2 (proj2 (proj2 (proj2 (proj2 (proj2 Hreg))))).

Lemma output_in_domain y : (y < N)%nat -> domain P (output P y).
Proof using Hreg.
  intros Hy. set (w := fun z => if Nat.eqb z y then 1 else 0).
  replace (output P y) with (mean N w (output P)); [apply Hmeans; split|].
  - intros z _. unfold w. destruct (Nat.eqb z y); lra.
  - unfold w. now apply sum_pick.
  - apply functional_extensionality. intros i. unfold mean, weighted, w.
    rewrite (sum_ext N _ (fun z => output P z i * (if Nat.eqb z y then 1 else 0))) by (intros; ring).
    rewrite sum_at by assumption. ring.
Qed.

(** S(theta; m) >= (lambda/2) ||mu - m||^2 *)
Lemma fenchel_young_strong theta m : domain P m ->
  lambda / 2 * distance2 n (mu theta) m <= fenchel_young P theta m.
Proof using Hreg.
  intros Hm. destruct (Hattained theta) as [Hin Hmax]. set (A := lambda / 2 * distance2 n (mu theta) m).
  assert (Hline : forall t, 0 < t <= 1 -> (1 - t) * A <= fenchel_young P theta m).
  { intros t Ht. destruct (Hstrong m (mu theta) t Hm Hin) as [Hmid Hle]; [lra|]. specialize (Hmax _ Hmid).
    rewrite dot_plus, !dot_scale in Hmax. rewrite distance2_comm in Hle.
    apply Rmult_le_reg_l with t; [lra|]. unfold fenchel_young, conjugate, A. nra. }
  assert (HS := fenchel_young_nonneg P Hattained theta m Hm). set (S := fenchel_young P theta m) in *.
  destruct (Rle_lt_dec A S) as [|Hlt]; [assumption|exfalso].
  assert (Ht : 0 < (A - S) / (2 * A) <= 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (2 * A); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  specialize (Hline _ Ht). replace ((1 - (A - S) / (2 * A)) * A) with ((A + S) / 2) in Hline by (field; lra). lra.
Qed.

(** Omega* is smooth, with the gradient mu. *)
Lemma conjugate_smooth theta u :
  conjugate P u <= conjugate P theta + dot n (mu theta) (fun i => u i - theta i) + distance2 n u theta / (2 * lambda).
Proof using Hreg.
  destruct (Hattained u) as [Hin _]. assert (Hfy := fenchel_young_strong theta (mu u) Hin).
  assert (Hyoung := dot_young n lambda (fun i => u i - theta i) (fun i => mu u i - mu theta i) Hlambda).
  rewrite distance2_comm in Hfy. unfold distance2 in *. unfold fenchel_young in Hfy. unfold conjugate at 1.
  set (D := dot n (fun i => mu u i - mu theta i) _) in *.
  set (E := dot n (fun i => u i - theta i) (fun i => u i - theta i)) in *.
  rewrite dot_minus, !(dot_comm n (fun i => u i - theta i)), !dot_minus in Hyoung. rewrite dot_minus.
  rewrite (dot_comm n u (mu u)). rewrite (dot_comm n theta (mu u)) in Hfy. lra.
Qed.

(** No subgradient of Omega* but mu. *)
Lemma subgradient_is_mu theta q :
  (forall u, conjugate P theta + dot n q (fun i => u i - theta i) <= conjugate P u) ->
  forall i, (i < n)%nat -> q i = mu theta i.
Proof using Hreg.
  intros Hq. set (D := dot n (fun i => q i - mu theta i) (fun i => q i - mu theta i)).
  assert (HD : D <= 0).
  { set (u := fun i => theta i + lambda * (q i - mu theta i)). specialize (Hq u).
    assert (Hsm := conjugate_smooth theta u).
    assert (Hdot : dot n q (fun i => u i - theta i) - dot n (mu theta) (fun i => u i - theta i) = lambda * D).
    { unfold u, D, dot. rewrite <- sum_minus, <- sum_scale. apply sum_ext. intros. ring. }
    assert (Hdist : distance2 n u theta = lambda ^ 2 * D).
    { unfold u, D, distance2, dot. rewrite <- sum_scale. apply sum_ext. intros. ring. }
    rewrite Hdist in Hsm. replace (lambda ^ 2 * D / (2 * lambda)) with (lambda / 2 * D) in Hsm by (field; lra). nra. }
  intros i Hi. assert (Hterm : (q i - mu theta i) * (q i - mu theta i) <= D).
  { apply (term_le_sum n (fun i => (q i - mu theta i) * (q i - mu theta i))); [assumption|].
    intros k _. apply (Rle_0_sqr (q k - mu theta k)). }
  assert (q i - mu theta i = 0); [|lra]. apply Rsqr_0_uniq, Rle_antisym; [unfold Rsqr; lra|apply Rle_0_sqr].
Qed.

(** No subgradient of alpha loss_y in the scores but alpha g_y. *)
Lemma subgradient_is_slope alpha y theta v : 0 < alpha ->
  score_subgradient n (fun u => alpha * surrogate_loss P y u) theta v ->
  forall i, (i < n)%nat -> v i = alpha * slope P theta y i.
Proof using Hreg.
  intros Halpha Hv i Hi. assert (Has : 0 < alpha * scale P) by now apply Rmult_lt_0_compat.
  set (q := fun i => v i / (alpha * scale P) + output P y i).
  assert (Hq : q i = mu theta i).
  { apply (subgradient_is_mu theta q); [|assumption]. intros u. specialize (Hv u).
    unfold surrogate_loss, fenchel_young in Hv. set (I := sum n _) in Hv.
    replace (dot n q (fun i => u i - theta i)) with (I / (alpha * scale P) + (dot n u (output P y) - dot n theta (output P y))).
    - apply Rmult_le_reg_l with (1 := Has).
      replace (alpha * scale P * (conjugate P theta + (I / (alpha * scale P) + (dot n u (output P y) - dot n theta (output P y)))))
        with (alpha * (scale P * (conjugate P theta + entropy P (output P y) - dot n theta (output P y))) + I
          - alpha * scale P * (entropy P (output P y) - dot n u (output P y))) by (field; lra). lra.
    - unfold I, q, dot, Rdiv. rewrite Rmult_comm, <- sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros. ring. }
  unfold slope. rewrite <- Hq. unfold q. field. lra.
Qed.

(** So every subgradient in the weights is at most alpha ||g_y|| ||x|| large. *)
Lemma gradient_norm alpha d y W x G : 0 < alpha ->
  matrix_subgradient n d (fun V => alpha * surrogate_loss P y (scores d V x)) W G ->
  norm2 n d G <= alpha ^ 2 * dot n (slope P (scores d W x) y) (slope P (scores d W x) y) * dot d x x.
Proof using Hreg.
  intros Halpha HG. destruct (subgradient_in_scores n d (fun u => alpha * surrogate_loss P y u) W x G HG) as (v & Hnorm & Hv).
  destruct Hv as [Hx|Hv]; [rewrite Hx in *; lra|]. apply Rle_trans with (1 := Hnorm). right. f_equal.
  unfold dot. rewrite <- sum_scale. apply sum_ext. intros i Hi.
  rewrite (subgradient_is_slope alpha y _ v Halpha Hv i Hi). ring.
Qed.

(** Omega is its own biconjugate: S(theta; m) has the infimum 0. *)
Lemma nearly_attained m e : domain P m -> 0 < e -> exists theta, fenchel_young P theta m < e.
Proof using Hreg.
  intros Hm He. destruct (Hclosed m e Hm He) as (r & Hr & Hnear).
  set (low := entropy P (mu (fun _ => 0))). set (B := entropy P m - low).
  assert (Hlow : forall v, domain P v -> low <= entropy P v).
  { intros v Hv. destruct (Hattained (fun _ => 0)) as [_ H]. specialize (H v Hv). fold low in H.
    unfold dot in H. rewrite !sum_zero in H by (intros; ring). lra. }
  assert (HB : 0 <= B) by (unfold B; specialize (Hlow m Hm); lra).
  set (c := r / (2 * (B + 1))). assert (Hc : 0 < c) by (apply Rdiv_lt_0_compat; lra).
  set (f := fun theta => conjugate P theta - dot n theta m).
  assert (Hreads : reads n f) by (apply minus_linear_reads, conjugate_reads, Hattained).
  assert (Hconvex : convex_in f) by (apply minus_linear_convex, conjugate_convex, Hattained).
  destruct (proximal_point n f Hreads Hconvex c (fun _ => 0) Hc) as [p Hp].
  assert (Hmu : forall i, (i < n)%nat -> m i - 2 * c * p i = mu p i).
  { apply (subgradient_is_mu p (fun i => m i - 2 * c * p i)). intros u.
    assert (H := slope_at_minimiser n f Hconvex c (fun _ => 0) Hc p u Hp). unfold f in H.
    assert (Hdot : dot n (fun i => m i - 2 * c * p i) (fun i => u i - p i) = dot n u m - dot n p m
      - 2 * c * dot n (fun i => p i - 0) (fun i => u i - p i)).
    { unfold dot. rewrite <- !sum_scale, <- !sum_minus. apply sum_ext. intros. ring. }
    rewrite Hdot. lra. }
  destruct (Hattained p) as [Hin _]. exists p. assert (HS := fenchel_young_nonneg P Hattained p m Hm).
  assert (Hval : fenchel_young P p m = entropy P m - entropy P (mu p) - 2 * c * dot n p p).
  { unfold fenchel_young, conjugate.
    assert (Hdot : dot n p (mu p) = dot n p m - 2 * c * dot n p p); [|lra].
    unfold dot. rewrite <- sum_scale, <- sum_minus. apply sum_ext. intros i Hi. rewrite <- Hmu by assumption. ring. }
  assert (Hpp : 0 <= 2 * c * dot n p p) by (apply Rmult_le_pos; [lra|apply dot_square_nonneg]).
  assert (Hdist : distance2 n (mu p) m = 2 * c * (2 * c * dot n p p)).
  { unfold distance2, dot. rewrite <- !sum_scale. apply sum_ext. intros i Hi. rewrite <- Hmu by assumption. ring. }
  assert (Hclose : distance2 n (mu p) m < r).
  { rewrite Hdist. assert (HpB : 2 * c * dot n p p <= B) by (specialize (Hlow _ Hin); unfold B; lra).
    apply Rmult_le_compat_l with (r := 2 * c) in HpB; [|lra].
    assert (Hcr : 2 * c * B = r - 2 * c) by (unfold c; field; lra). lra. }
  specialize (Hnear _ Hin Hclose). lra.
Qed.

(** * The criterion *)

Let bound eta alpha theta y :=
  alpha * (surrogate_loss P y theta - eta / 2 * dot n (slope P theta y) (slope P theta y)).

Lemma average_bound eta alpha theta w : weighted N w (bound eta alpha theta) =
  alpha * weighted N w (fun y => surrogate_loss P y theta - eta / 2 * dot n (slope P theta y) (slope P theta y)).
Proof. unfold weighted, bound. rewrite <- sum_scale. apply sum_ext. intros. ring. Qed.

Theorem criterion_is_necessary eta alpha : 0 <= eta -> 0 < alpha ->
  decodable P eta alpha -> entropy_criterion P eta alpha.
Proof using Hreg.
  intros Heta Halpha Hdec w Hw H Hbest. set (m := mean N w (output P)). assert (Hm : domain P m) by now apply Hmeans.
  set (A := alpha * (scale P * entropy_gap P w - eta * scale P ^ 2 / 2 * variance n N w (output P))).
  assert (Hclose : forall e, 0 < e -> H <= A + alpha * scale P * e).
  { intros e He. destruct (nearly_attained m e Hm He) as [theta Htheta]. destruct (Hdec theta) as [p Hp].
    apply Rle_trans with (1 := kept_bounds_are_affordable N N (cost P) (bound eta alpha theta) p Hp w Hw H Hbest).
    rewrite average_bound, average_paid by assumption. fold m.
    assert (Hd : 0 <= eta * scale P ^ 2 / 2 * distance2 n m (mu theta)).
    { apply Rmult_le_pos; [|apply distance2_nonneg]. assert (0 <= eta * scale P ^ 2); [|lra].
      apply Rmult_le_pos; [assumption|apply pow2_ge_0]. }
    assert (Hse : scale P * fenchel_young P theta m <= scale P * e) by (apply Rmult_le_compat_l; lra).
    unfold A. rewrite Rmult_assoc, <- Rmult_plus_distr_l. apply Rmult_le_compat_l; lra. }
  assert (Has : 0 < alpha * scale P) by now apply Rmult_lt_0_compat.
  destruct (Rle_lt_dec H A) as [|Hlt]; [assumption|exfalso].
  specialize (Hclose ((H - A) / (2 * (alpha * scale P)))).
  replace (alpha * scale P * ((H - A) / (2 * (alpha * scale P)))) with ((H - A) / 2) in Hclose by (field; lra).
  assert (0 < (H - A) / (2 * (alpha * scale P))) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Definition structured_decoder eta alpha theta : nat -> R := solution N N (cost P) (bound eta alpha theta).

Theorem structured_decoder_decodes eta alpha theta : 0 <= eta -> eta * scale P <= lambda -> 0 < alpha ->
  entropy_criterion P eta alpha -> decodes_at P eta alpha theta (structured_decoder eta alpha theta).
Proof using Hreg.
  intros Heta Hrate Halpha Hcrit.
  apply (solution_keeps_bounds N N (cost P) (bound eta alpha theta)); [apply Hreg|]. intros w Hw H Hbest.
  apply Rle_trans with (1 := Hcrit w Hw H Hbest). rewrite average_bound, average_paid by assumption.
  set (m := mean N w (output P)). assert (Hm : domain P m) by now apply Hmeans.
  assert (HS := fenchel_young_strong theta m Hm). rewrite distance2_comm in HS.
  apply Rmult_le_compat_l; [lra|]. set (D := distance2 n m (mu theta)) in *. set (S := fenchel_young P theta m) in *.
  assert (HD : 0 <= D) by apply distance2_nonneg.
  assert (eta * scale P * (scale P * D / 2) <= lambda * (scale P * D / 2))
    by (apply Rmult_le_compat_r; [nra|assumption]).
  apply Rmult_le_compat_l with (r := scale P) in HS; [|lra]. nra.
Qed.

End Regular.

(** The criterion for regular entropies, any finite set of outputs and any cost. *)
Theorem structured_criterion P lambda eta alpha : regular P lambda -> 0 < eta -> 0 < alpha ->
  (decodable P eta alpha -> entropy_criterion P eta alpha) /\
  (eta * scale P <= lambda -> (decodable P eta alpha <-> entropy_criterion P eta alpha)).
Proof.
  intros Hreg Heta Halpha.
  assert (Honly : decodable P eta alpha -> entropy_criterion P eta alpha)
    by (apply criterion_is_necessary with lambda; [assumption|lra|assumption]).
  split; [assumption|]. intros Hrate. split; [assumption|]. intros Hcrit theta.
  exists (structured_decoder P eta alpha theta). apply structured_decoder_decodes with lambda; try assumption; lra.
Qed.

Print Assumptions structured_criterion.
