(** Functions of a probability that are convex in its logit: where subgradients exist, and what derivatives say of them.

    With s the sigmoid, psi(s(u)) is an ordinary function of u = ln(p/(1 - p)), and s' = s (1 - s). *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Subgradients Convexity Derivatives Softmax SoftmaxSubgradients.
Open Scope R_scope.

Definition sigmoid (u : R) : R := 1 / (1 + exp (- u)).

Lemma sigmoid_range u : 0 < sigmoid u < 1.
Proof.
  assert (H := exp_pos (- u)). unfold sigmoid. split.
  - apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra.
  - apply Rmult_lt_reg_r with (1 + exp (- u)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma logit_sigmoid u : logit (sigmoid u) = u.
Proof.
  assert (H := exp_pos (- u)). unfold logit, sigmoid.
  replace (1 / (1 + exp (- u)) / (1 - 1 / (1 + exp (- u)))) with (exp u); [apply ln_exp|].
  rewrite <- (Ropp_involutive u) at 1. rewrite exp_Ropp. field. split; lra.
Qed.

Lemma sigmoid_logit p : 0 < p < 1 -> sigmoid (logit p) = p.
Proof. intros Hp. apply logit_injective; auto using sigmoid_range. apply logit_sigmoid. Qed.

Lemma logit_increasing p b : 0 < p < 1 -> 0 < b < 1 -> p < b -> logit p < logit b.
Proof.
  intros Hp Hb H. apply ln_increasing; [now apply odds_positive|].
  apply Rmult_lt_reg_r with ((1 - p) * (1 - b)); [nra|].
  replace (p / (1 - p) * ((1 - p) * (1 - b))) with (p * (1 - b)) by (field; lra).
  replace (b / (1 - b) * ((1 - p) * (1 - b))) with (b * (1 - p)) by (field; lra). nra.
Qed.

Lemma sigmoid_derivative u : derivable_pt_lim sigmoid u (sigmoid u * (1 - sigmoid u)).
Proof.
  assert (H := exp_pos (- u)). unfold sigmoid. derive; [lra|]. field. lra.
Qed.

Lemma sigmoid_increasing u v : u < v -> sigmoid u < sigmoid v.
Proof.
  intros H. destruct (Rlt_dec (sigmoid u) (sigmoid v)) as [|Hge]; [assumption|].
  destruct (Req_dec (sigmoid u) (sigmoid v)) as [Heq|Hne].
  - assert (u = v) by (rewrite <- (logit_sigmoid u), Heq; apply logit_sigmoid). lra.
  - assert (Hlt : sigmoid v < sigmoid u) by lra.
    apply logit_increasing in Hlt; auto using sigmoid_range. rewrite !logit_sigmoid in Hlt. lra.
Qed.

(** * Subgradients *)

Lemma in_the_logit psi p r : 0 < p < 1 ->
  logit_subgradient psi p r <-> subgradient (fun u => psi (sigmoid u)) (logit p) (r * (p * (1 - p))).
Proof.
  intros Hp. split; intros H b.
  - rewrite sigmoid_logit by assumption. specialize (H (sigmoid b) (sigmoid_range b)). now rewrite logit_sigmoid in H.
  - intros Hb. specialize (H (logit b)). cbn beta in H. now rewrite !sigmoid_logit in H.
Qed.

Lemma some_logit_subgradient psi p : 0 < p < 1 ->
  (exists r, logit_subgradient psi p r) -> {r | logit_subgradient psi p r}.
Proof.
  intros Hp Hex. destruct (some_subgradient (fun u => psi (sigmoid u)) (logit p)) as [g Hg].
  - destruct Hex as [r Hr]. exists (r * (p * (1 - p))). now apply in_the_logit.
  - exists (g / (p * (1 - p))). apply in_the_logit; [exact Hp|].
    replace (g / (p * (1 - p)) * (p * (1 - p))) with g by (field; lra). exact Hg.
Qed.

(** * Bounds from one-sided derivatives: as for subgradients in the variable itself *)

Lemma logit_derivative f p l : 0 < p < 1 -> derivable_pt_lim f p l ->
  derivable_pt_lim (fun u => f (sigmoid u)) (logit p) (l * (p * (1 - p))).
Proof.
  intros Hp Hf. apply (derive_chain sigmoid).
  - rewrite <- (sigmoid_logit p Hp) at 2 3. apply sigmoid_derivative.
  - now rewrite sigmoid_logit.
Qed.

Lemma logit_subgradient_below psi f p d r l : 0 < p < d -> d < 1 ->
  (forall b, p <= b < d -> psi b = f b) -> derivable_pt_lim f p l -> logit_subgradient psi p r -> r <= l.
Proof.
  intros Hp Hd Heq Hl Hr. assert (Hin : 0 < p < 1) by lra.
  apply Rmult_le_reg_r with (p * (1 - p)); [nra|].
  apply (subgradient_below (fun u => psi (sigmoid u)) (fun u => f (sigmoid u)) (logit p) (logit d)).
  - apply logit_increasing; lra.
  - intros u [Hlow Hhigh]. apply Heq. split.
    + rewrite <- (sigmoid_logit p Hin). destruct Hlow as [H|H]; [left; now apply sigmoid_increasing|rewrite H; lra].
    + rewrite <- (sigmoid_logit d) by lra. now apply sigmoid_increasing.
  - now apply logit_derivative.
  - now apply in_the_logit.
Qed.

Lemma logit_subgradient_above psi f p d r l : 0 < d < p -> p < 1 ->
  (forall b, d < b <= p -> psi b = f b) -> derivable_pt_lim f p l -> logit_subgradient psi p r -> l <= r.
Proof.
  intros Hd Hp Heq Hl Hr. assert (Hin : 0 < p < 1) by lra.
  apply Rmult_le_reg_r with (p * (1 - p)); [nra|].
  apply (subgradient_above (fun u => psi (sigmoid u)) (fun u => f (sigmoid u)) (logit p) (logit d)).
  - apply logit_increasing; lra.
  - intros u [Hlow Hhigh]. apply Heq. split.
    + rewrite <- (sigmoid_logit d) by lra. now apply sigmoid_increasing.
    + rewrite <- (sigmoid_logit p Hin). destruct Hhigh as [H|H]; [left; now apply sigmoid_increasing|rewrite H; lra].
  - now apply logit_derivative.
  - now apply in_the_logit.
Qed.

Lemma logit_subgradient_equal psi f p c d r l : 0 < c < p -> p < d < 1 ->
  (forall b, c < b < d -> psi b = f b) -> derivable_pt_lim f p l -> logit_subgradient psi p r -> r = l.
Proof.
  intros Hc Hd Heq Hl Hr. apply Rle_antisym.
  - apply (logit_subgradient_below psi f p d); auto; intros; try apply Heq; lra.
  - apply (logit_subgradient_above psi f p c); auto; intros; try apply Heq; lra.
Qed.

(** * Convexity in the logit: p (1 - p) psi'' + (1 - 2 p) psi' >= 0 *)

(** [logit_subgradient] as far as probabilities in [D] are concerned. *)
Definition logit_supports (D : R -> Prop) (psi : R -> R) (p r : R) : Prop :=
  forall b, D b -> psi p + r * (p * (1 - p)) * (logit b - logit p) <= psi b.

Definition probabilities (p : R) : Prop := 0 < p < 1.

(** The derivative of psi(s(u)), and its derivative. *)
Definition logit_slope (slope : R -> R) (u : R) : R := slope (sigmoid u) * (sigmoid u * (1 - sigmoid u)).

Lemma slope_in_logit psi slope u : derivable_pt_lim psi (sigmoid u) (slope (sigmoid u)) ->
  derivable_pt_lim (fun u => psi (sigmoid u)) u (logit_slope slope u).
Proof. intros H. now apply (derive_chain sigmoid); [apply sigmoid_derivative|]. Qed.

Lemma bend_in_logit slope bend u : derivable_pt_lim slope (sigmoid u) (bend (sigmoid u)) ->
  derivable_pt_lim (logit_slope slope) u (sigmoid u * (1 - sigmoid u) *
    (sigmoid u * (1 - sigmoid u) * bend (sigmoid u) + (1 - 2 * sigmoid u) * slope (sigmoid u))).
Proof.
  intros H. unfold logit_slope. eapply derive_equal.
  - eapply derive_mult; [apply (derive_chain sigmoid); [apply sigmoid_derivative|exact H]|].
    eapply derive_mult; [apply sigmoid_derivative|].
    apply (derive_minus (fun _ => 1) sigmoid); [apply derivable_pt_lim_const|apply sigmoid_derivative].
  - cbn beta. ring.
Qed.

Theorem logit_supports_from_curvature D psi psi' psi'' p : is_interval D -> (forall p, D p -> 0 < p < 1) ->
  (forall p, D p -> derivable_pt_lim psi p (psi' p)) -> (forall p, D p -> derivable_pt_lim psi' p (psi'' p)) ->
  (forall p, D p -> 0 <= p * (1 - p) * psi'' p + (1 - 2 * p) * psi' p) -> D p -> logit_supports D psi p (psi' p).
Proof.
  intros HD Hin Hpsi Hpsi' Hpos Hp b Hb.
  set (D' := fun u => D (sigmoid u)).
  assert (H : supports D' (fun u => psi (sigmoid u)) (logit p) (logit_slope psi' (logit p))).
  - eapply supports_from_second_derivative.
    + intros u v w Hu Hv Hw. apply (HD (sigmoid u) (sigmoid v)); auto.
      destruct Hw as [[H| ->] [H'| ->]]; split; try lra; try (left; now apply sigmoid_increasing).
    + intros u Hu. now apply slope_in_logit, Hpsi.
    + intros u Hu. now apply bend_in_logit, Hpsi'.
    + intros u Hu. specialize (Hpos _ Hu). assert (Hs := sigmoid_range u). apply Rmult_le_pos; [nra|exact Hpos].
    + unfold D'. now rewrite sigmoid_logit by auto.
  - specialize (H (logit b)). unfold D', logit_slope in H. rewrite !sigmoid_logit in H by auto. now apply H.
Qed.

Lemma logit_subgradient_of_supports psi p r : logit_supports probabilities psi p r <-> logit_subgradient psi p r.
Proof. unfold logit_supports, logit_subgradient, probabilities. firstorder. Qed.
