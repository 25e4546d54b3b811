(** Softmax losses psi(p_y) and the 0-1 target: what some algorithm attains, from one inequality in the lead of one label
    over another.

    A set of n labels is worst if they are alike: then each is ahead by r and has the probability of log odds
    r - ln(n - 1). If (psi(p) - a)/(1 - p) does not increase, two labels are the hardest. *)

From Coq Require Import Reals Lra Lia Arith Psatz.
From Gaptron Require Import Definitions Sums Subgradients Assembly Linear Softmax SoftmaxSubgradients LogitSubgradients.
From Gaptron Require Import Convexity ScoreLosses Optimal OptimalTheorem OptimalSets.
Open Scope R_scope.

(** What is asked of the loss [psi], of what is at most its least value [a], and of the constant [c] (in units of X^2)
    for [k] classes. With a > 0 this is enough, and not necessary: the losses of n labels count a once, not n times. *)
Record attaining_softmax_conditions (k : R) (psi : R -> R) (a c : R) : Prop := {
  attaining_least : 0 <= a;
  attaining_psi_above : forall p, 0 < p < 1 -> a <= psi p;
  attaining_psi_convex : forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r;
  attaining_psi_nonincreasing : k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0;
  attaining_softmax_constant : 0 < c;
  two_are_hardest : k <> 2 -> forall p q, 0 < p <= q -> q < 1 -> (psi q - a) * (1 - p) <= (psi p - a) * (1 - q);
  attaining_softmax_criterion : forall m, 1 / 2 - (psi (sigmoid m) - a / 2) - c * (m ^ 2 / 2) <= 0
}.

Lemma exp_tangent a x : exp a * (1 + (x - a)) <= exp x.
Proof.
  assert (H := exp_pos a). replace (exp x) with (exp a * exp (x - a)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [lra|]. destruct (Req_dec (x - a) 0) as [->|Hne]; [rewrite exp_0; lra|].
  left. now apply exp_ineq1.
Qed.

(** One minus the probability whose log odds are r - ln n. *)
Lemma sigmoid_below n r : 0 < n -> 1 - sigmoid (r - ln n) = n * exp (- r) / (1 + n * exp (- r)).
Proof.
  intros Hn. assert (H := exp_pos (- r)). assert (0 < n * exp (- r)) by now apply Rmult_lt_0_compat. unfold sigmoid.
  replace (- (r - ln n)) with (ln n + - r) by ring. rewrite exp_plus, exp_ln by exact Hn. field. lra.
Qed.

Section ConvexLosses.
Variables (K : nat) (psi : R -> R).
Hypothesis HK : (2 <= K)%nat.
Hypothesis Hconvex : forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r.
Hypothesis Hdown : INR K <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0.

Lemma softmax_losses_are_convex : convex_losses (classification K K (of_softmax K psi)).
Proof.
  intros y Hy. simpl in *. split.
  - intros u v Huv. unfold of_softmax, softmax. rewrite (Huv y Hy). do 2 f_equal.
    apply sum_ext. intros k Hk. now rewrite Huv.
  - intros u v t Ht. unfold of_softmax. set (w := fun i => t * u i + (1 - t) * v i).
    assert (Hp := softmax_range K w y HK Hy).
    destruct (Hconvex _ Hp) as [r Hr].
    assert (Hneg : K = 2%nat \/ r <= 0).
    { destruct (Nat.eq_dec K 2) as [H|H]; [now left|right].
      apply Hdown with (3 := Hr); [now rewrite two_classes|exact Hp]. }
    assert (Hg := softmax_direction_subgradient K psi y HK Hy w r Hr Hneg).
    set (g := softmax_direction K y w _) in Hg. assert (Hu := Hg u). assert (Hv := Hg v). cbn beta in Hu, Hv.
    assert (Hsum : t * sum K (fun k => g k * (u k - w k)) + (1 - t) * sum K (fun k => g k * (v k - w k)) = 0).
    { rewrite <- !sum_scale, <- sum_plus. apply sum_zero. intros k _. unfold w. ring. }
    apply Rmult_le_compat_l with (r := t) in Hu; [|lra]. apply Rmult_le_compat_l with (r := 1 - t) in Hv; [|lra]. lra.
Qed.
End ConvexLosses.

Section SoftmaxLosses.
Variables (K : nat) (psi : R -> R) (least c : R).
Hypothesis HK : (2 <= K)%nat.
Hypothesis conditions : attaining_softmax_conditions (INR K) psi least c.

Let P := classification K K (of_softmax K psi).
Let Psi (u : R) : R := psi (sigmoid u).

Lemma psi_falls : K = 2%nat \/ forall u v, u <= v -> Psi v <= Psi u.
Proof.
  destruct (Nat.eq_dec K 2) as [H|H]; [now left|right]. intros u v [Huv| ->]; [|lra].
  destruct (attaining_psi_convex _ _ _ _ conditions _ (sigmoid_range v)) as [r Hr].
  assert (Hneg : r <= 0).
  { apply (attaining_psi_nonincreasing _ _ _ _ conditions) with (3 := Hr); [now rewrite two_classes|apply sigmoid_range]. }
  specialize (Hr (sigmoid u) (sigmoid_range u)). rewrite !logit_sigmoid in Hr. fold (Psi u) (Psi v) in Hr.
  assert (Hv := sigmoid_range v). assert (0 < sigmoid v * (1 - sigmoid v)) by nra.
  assert (0 <= r * (sigmoid v * (1 - sigmoid v)) * (u - v)); [|lra].
  replace (r * (sigmoid v * (1 - sigmoid v)) * (u - v)) with (- r * (sigmoid v * (1 - sigmoid v)) * (v - u)) by ring.
  apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
Qed.

Section Set_.
Variables (theta : nat -> vector) (s : nat -> R).
Hypothesis Hs : forall y, s y = 0 \/ s y = 1.
Hypothesis Hmany : 1 < sum K s.

Notation n := (sum K s).

(** The rivals in the set weigh at least what as many alike do. *)
Lemma rivals_weigh y : (y < K)%nat -> s y = 1 ->
  ln (n - 1) + (theta y y - lead K theta s y / (n - 1)) <= ln (rest K (theta y) y).
Proof.
  intros Hy Hin. set (a := theta y y - lead K theta s y / (n - 1)).
  assert (Ha : (n - 1) * a = sum K (without y (fun k => s k * theta y k))).
  { unfold a, lead. rewrite (sum_split K (fun k => s k * theta y k) y Hy), Hin. field. lra. }
  assert (Hcount : sum K (without y s) = n - 1) by (rewrite (sum_split K s y Hy), Hin; ring).
  assert (Hrest : (n - 1) * exp a <= rest K (theta y) y).
  { apply Rle_trans with (sum K (fun k => exp a * (1 - a) * without y s k
      + exp a * without y (fun k => s k * theta y k) k)).
    - rewrite sum_plus, !sum_scale, Hcount, <- Ha. right. ring.
    - apply sum_le. intros k _. unfold without. destruct (Nat.eqb k y); [lra|].
      assert (H := exp_tangent a (theta y k)). assert (H0 := exp_pos (theta y k)). destruct (Hs k) as [-> | ->]; lra. }
  assert (Hpos : 0 < (n - 1) * exp a) by (apply Rmult_lt_0_compat; [lra|apply exp_pos]).
  rewrite <- (ln_exp a), <- ln_mult by (lra || apply exp_pos).
  destruct Hrest as [Hless| ->]; [left; now apply ln_increasing|lra].
Qed.

Lemma loss_in_the_set y : (y < K)%nat -> s y = 1 ->
  Psi (lead K theta s y / (n - 1) - ln (n - 1)) <= of_softmax K psi y (theta y).
Proof.
  intros Hy Hin. unfold of_softmax. rewrite <- (sigmoid_logit (softmax K (theta y) y)) by now apply softmax_range.
  fold (Psi (logit (softmax K (theta y) y))). rewrite logit_softmax by assumption.
  assert (Hweigh := rivals_weigh y Hy Hin). destruct psi_falls as [Htwo|Hfalls]; [|apply Hfalls; lra].
  right. f_equal. clear Hweigh. unfold lead, rest. rewrite Htwo in *. cbn [sum] in *.
  assert (H0 := Hs 0%nat). assert (H1 := Hs 1%nat). unfold without. assert (Hcases : (y = 0 \/ y = 1)%nat) by lia.
  destruct Hcases as [-> | ->]; cbn [Nat.eqb]; destruct H0 as [E0|E0], H1 as [E1|E1]; rewrite E0, E1 in *; try lra;
    replace (0 + 1 + 1 - 1) with 1 by ring; rewrite ln_1, ?Rplus_0_l, ?Rplus_0_r, ln_exp; field.
Qed.

Lemma convex_when_shifted t r : exists g, subgradient (fun u => Psi (u - t)) r g.
Proof.
  destruct (attaining_psi_convex _ _ _ _ conditions _ (sigmoid_range (r - t))) as [g Hg].
  apply in_the_logit in Hg; [|apply sigmoid_range]. rewrite logit_sigmoid in Hg.
  eexists. intros b. specialize (Hg (b - t)). cbn beta in Hg. fold (Psi (b - t)) (Psi (r - t)) in Hg.
  replace (b - r) with (b - t - (r - t)) by ring. exact Hg.
Qed.

(** n labels alike are no harder than two. *)
Lemma alike m r : INR m = n -> 0 <= r \/ ~ (forall u v, u <= v -> Psi (v - ln (n - 1)) <= Psi (u - ln (n - 1))) ->
  n - 1 <= n * Psi (r - ln (n - 1)) + c * (n - 1) * r ^ 2.
Proof.
  intros Hm Hr. assert (Hc := attaining_softmax_constant _ _ _ _ conditions).
  assert (Htwo := attaining_softmax_criterion _ _ _ _ conditions r).
  assert (Ha := attaining_least _ _ _ _ conditions).
  assert (Hm2 : (1 < m)%nat) by (apply INR_lt; rewrite Hm; simpl; lra).
  destruct (Nat.eq_dec m 2) as [->|Hm3].
  { rewrite <- Hm. simpl INR. replace (1 + 1 - 1) with 1 by ring. rewrite ln_1, Rminus_0_r. unfold Psi. lra. }
  assert (Hn : 3 <= n) by (rewrite <- Hm; replace 3 with (INR 3) by (simpl; ring); apply le_INR; lia).
  assert (Hmost : n <= INR K).
  { rewrite <- (Rmult_1_r (INR K)), <- sum_const. apply sum_le. intros y _. destruct (Hs y) as [->| ->]; lra. }
  destruct psi_falls as [H|Hfalls]; [exfalso; apply two_classes in H; lra|].
  destruct Hr as [Hr|Hr]; [|exfalso; apply Hr; intros; apply Hfalls; lra].
  assert (Hx := exp_pos (- r)). set (x := exp (- r)) in *.
  assert (Hx1 : x <= 1).
  { unfold x. rewrite <- exp_0. destruct Hr as [Hr|Hr]; [left; apply exp_increasing; lra|right; f_equal; lra]. }
  assert (Hq := sigmoid_below (n - 1) r ltac:(lra)). assert (Hp := sigmoid_below 1 r Rlt_0_1). fold x in Hq, Hp.
  rewrite ln_1, Rminus_0_r in Hp.
  set (q := sigmoid (r - ln (n - 1))) in *. set (p := sigmoid r) in *.
  assert (Hqr : 0 < q < 1) by apply sigmoid_range. assert (Hpr : 0 < p < 1) by apply sigmoid_range.
  assert (Hnx : 0 < 1 + (n - 1) * x) by nra.
  assert (Hqp : q <= p).
  { assert (1 - p <= 1 - q); [|lra]. rewrite Hp, Hq. apply Rmult_le_reg_r with ((1 + 1 * x) * (1 + (n - 1) * x)); [nra|].
    replace (1 * x / (1 + 1 * x) * ((1 + 1 * x) * (1 + (n - 1) * x))) with (x * (1 + (n - 1) * x)) by (field; lra).
    replace ((n - 1) * x / (1 + (n - 1) * x) * ((1 + 1 * x) * (1 + (n - 1) * x))) with ((n - 1) * x * (1 + x))
      by (field; lra). nra. }
  assert (Hhard := two_are_hardest _ _ _ _ conditions).
  specialize (Hhard ltac:(lra) q p ltac:(lra) ltac:(lra)).
  assert (Hpsi := attaining_psi_above _ _ _ _ conditions p Hpr). unfold Psi. fold q.
  assert (Hscaled : (psi p - least) * ((n - 1) * (1 + x)) <= (psi q - least) * (1 + (n - 1) * x)).
  { rewrite Hq, Hp in Hhard. apply Rmult_le_compat_r with (r := (1 + 1 * x) * (1 + (n - 1) * x) / x) in Hhard.
    - replace ((psi p - least) * ((n - 1) * x / (1 + (n - 1) * x)) * ((1 + 1 * x) * (1 + (n - 1) * x) / x))
        with ((psi p - least) * ((n - 1) * (1 + x))) in Hhard by (field; lra).
      replace ((psi q - least) * (1 * x / (1 + 1 * x)) * ((1 + 1 * x) * (1 + (n - 1) * x) / x))
        with ((psi q - least) * (1 + (n - 1) * x)) in Hhard by (field; lra). exact Hhard.
    - left. apply Rdiv_lt_0_compat; [nra|exact Hx]. }
  assert (Hmore : 2 * (1 + (n - 1) * x) <= n * (1 + x)) by nra.
  assert (Hgoal : 2 * (n - 1) * (psi p - least) <= n * (psi q - least)).
  { apply Rmult_le_reg_r with (1 + (n - 1) * x); [exact Hnx|].
    apply Rle_trans with (n * ((psi p - least) * ((n - 1) * (1 + x)))).
    - apply Rmult_le_compat_l with (r := (n - 1) * (psi p - least)) in Hmore; [lra|apply Rmult_le_pos; lra].
    - apply Rmult_le_compat_l with (r := n) in Hscaled; lra. }
  fold p in Htwo. apply Rmult_le_compat_l with (r := 2 * (n - 1)) in Htwo; lra.
Qed.
End Set_.

Theorem attaining_softmax_theorem X : 0 < X -> attainable P X 1 c.
Proof.
  intros HX. assert (Hc := attaining_softmax_constant _ _ _ _ conditions).
  apply optimal_constant; try assumption; try lra; [simpl; lia| |].
  { apply softmax_losses_are_convex; [exact HK|apply conditions|apply conditions]. }
  apply sets_are_enough; [lia|exact Hc| |].
  { intros y theta Hy. assert (Hp := attaining_psi_above _ _ _ _ conditions _ (softmax_range K theta y HK Hy)).
    assert (Ha := attaining_least _ _ _ _ conditions). unfold of_softmax. lra. }
  intros theta q s Hs Hmany. assert (Hcount : exists m : nat, INR m = sum K s).
  { clear - Hs. induction K as [|k [m IH]]; cbn [sum]; [now exists 0%nat|].
    destruct (Hs k) as [-> | ->]; [exists m|exists (S m); rewrite S_INR]; rewrite IH; ring. }
  destruct Hcount as [m Hm].
  apply (paid_by_the_set K c theta q s Hc Hs (fun y => of_softmax K psi y (theta y))
    (fun r => Psi (r - ln (sum K s - 1))) (fun y => lead K theta s y / (sum K s - 1))).
  - intros y Hy Hin. now apply loss_in_the_set.
  - intros r. apply convex_when_shifted.
  - intros y Hy Hin. right. field. lra.
  - right. intros y Hy Hin. field. lra.
  - intros r Hr. now apply (alike s Hs Hmany m).
  - exact Hmany.
Qed.
End SoftmaxLosses.

(** * The conditions from derivatives, and from one point *)

(** psi convex up to 1, where it is at most a: (psi(p) - a)/(1 - p) does not increase. *)
Lemma hardest_from_curvature psi psi' psi'' a :
  (forall p, 0 < p <= 1 -> derivable_pt_lim psi p (psi' p)) ->
  (forall p, 0 < p <= 1 -> derivable_pt_lim psi' p (psi'' p)) ->
  (forall p, 0 < p <= 1 -> 0 <= psi'' p) -> psi 1 <= a ->
  forall p q, 0 < p <= q -> q < 1 -> (psi q - a) * (1 - p) <= (psi p - a) * (1 - q).
Proof.
  intros Hslope Hbend Hpos Hend p q Hp Hq.
  assert (H : supports (fun p => 0 < p <= 1) psi q (psi' q)).
  { apply supports_from_second_derivative with (f'' := psi''); auto; [|lra]. intros b d m [] [] []. split; lra. }
  assert (Hone := H 1 ltac:(lra)). specialize (H p ltac:(lra)).
  apply Rmult_le_compat_r with (r := 1 - q) in H; [|lra]. apply Rmult_le_compat_r with (r := q - p) in Hone; [|lra].
  apply Rmult_le_compat_r with (r := q - p) in Hend; lra.
Qed.

(** psi is convex in the log odds m, and c m^2/2 more than that: a tangent at one point bounds their sum from below. *)
Lemma criterion_from_a_point psi least c p r : 0 < c -> 0 < p < 1 -> logit_subgradient psi p r ->
  (r * (p * (1 - p)) + c * logit p) ^ 2 <= 2 * c * (psi p - least / 2 + c * logit p ^ 2 / 2 - 1 / 2) ->
  forall m, 1 / 2 - (psi (sigmoid m) - least / 2) - c * (m ^ 2 / 2) <= 0.
Proof.
  intros Hc Hp Hr Hpoint m. specialize (Hr (sigmoid m) (sigmoid_range m)). rewrite logit_sigmoid in Hr.
  set (a := r * (p * (1 - p))) in *. set (l := logit p) in *.
  assert (Hsquare : 0 <= (a + c * l + c * (m - l)) ^ 2) by apply pow2_ge_0.
  apply Rmult_le_reg_l with (2 * c); [lra|]. rewrite Rmult_0_r.
  apply Rmult_le_compat_l with (r := 2 * c) in Hr; lra.
Qed.

(** * From claims about the lead of one label *)

Lemma paid_by_the_lead psi a c m : 0 <= a <= psi -> 1 <= c * m ^ 2 -> 1 / 2 - (psi - a / 2) - c * (m ^ 2 / 2) <= 0.
Proof. lra. Qed.

(** The probability of that label, as claims write it. *)
Lemma inv_sigmoid m : / sigmoid m = 1 + exp (-1 * m).
Proof.
  replace (-1 * m) with (- m) by ring. assert (H := exp_pos (- m)). unfold sigmoid. field. lra.
Qed.

Lemma sigmoid_as_claimed m : sigmoid m = / (1 + exp (-1 * m)).
Proof. now rewrite <- inv_sigmoid, Rinv_inv. Qed.
