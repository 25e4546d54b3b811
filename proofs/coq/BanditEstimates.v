(** Importance-weighted losses and gradients: what PaperBandit.v says of their means. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices BanditDefinitions Projection BanditDescent PaperBandit.
Open Scope R_scope.

Theorem bandit_probabilities : BanditProbabilities.
Proof.
  intros K gamma a ystar k Hystar Hk Ha Hgamma. assert (HK : 0 < INR K) by (apply lt_0_INR; lia).
  assert (Hmax : gamma <= Rmax a gamma <= 1) by (split; [apply Rmax_r|apply Rmax_lub; lra]).
  assert (H := exploring_positive K gamma (Rmax a gamma) ystar k ltac:(lia) Hystar ltac:(lra) Hgamma).
  unfold exploring in *. rewrite (Rmax_left (Rmax a gamma)) in H by lra.
  assert (0 < gamma / INR K) by (apply Rmult_lt_0_compat; [lra|now apply Rinv_0_lt_compat]). lra.
Qed.

(** The mean of what is there at the label alone. *)
Lemma mean_at_label K (p f : nat -> R) y v : (y < K)%nat -> (forall draw, draw <> y -> f draw = 0) -> p y * f y = v ->
  sum K (fun draw => p draw * f draw) = v.
Proof.
  intros Hy Hother Hv. rewrite (sum_ext K _ (fun draw => if Nat.eqb draw y then v else 0)); [now apply sum_pick|].
  intros draw _. destruct (Nat.eqb_spec draw y) as [->|Hne]; [exact Hv|]. rewrite Hother by exact Hne. ring.
Qed.

Lemma importance_elsewhere p y draw : draw <> y -> importance p y draw = 0.
Proof. intros Hne. unfold importance. now apply Nat.eqb_neq in Hne as ->. Qed.

Lemma importance_there p y : importance p y y = 1 / p y.
Proof. unfold importance. now rewrite Nat.eqb_refl. Qed.

Lemma never_zero K gamma a ystar k : (ystar < K)%nat -> (k < K)%nat -> a <= 1 -> 0 < gamma <= 1 ->
  exploring K gamma a ystar k <> 0.
Proof. intros Hystar Hk Ha Hgamma. assert (H := bandit_probabilities K gamma a ystar k Hystar Hk Ha Hgamma). lra. Qed.

Theorem bandit_unbiased : BanditUnbiased.
Proof.
  intros K gamma a ystar y l Hystar Hy Ha Hgamma p.
  assert (Hp : forall k, (k < K)%nat -> p k <> 0) by (intros; now apply never_zero). split; [exact Hp|].
  apply (mean_at_label K p (fun draw => importance p y draw * l) y); [exact Hy| |].
  - intros draw Hne. rewrite importance_elsewhere by exact Hne. ring.
  - rewrite importance_there. field. now apply Hp.
Qed.

Theorem bandit_second_moment : BanditSecondMoment.
Proof.
  intros K rows d gamma a ystar y G Hystar Hy Ha Hgamma p.
  assert (Hp : forall k, (k < K)%nat -> p k <> 0) by (intros; now apply never_zero).
  split; [exact Hp|]. split; [lra|]. assert (HK : 0 < INR K) by (apply lt_0_INR; lia).
  destruct (bandit_probabilities K gamma a ystar y Hystar Hy Ha Hgamma) as (_ & Hle & Hpos). fold p in Hle, Hpos.
  assert (HG := norm2_nonneg rows d G). set (G2 := norm2 rows d G) in *.
  rewrite (mean_at_label K p (fun draw => norm2 rows d (fun k i => importance p y draw * G k i)) y (G2 / p y));
    [|exact Hy| |].
  - apply Rmult_le_reg_r with (p y * gamma); [nra|].
    replace (G2 / p y * (p y * gamma)) with (G2 * gamma) by (field; lra).
    replace (INR K * G2 / gamma * (p y * gamma)) with (G2 * (p y * INR K)) by (field; lra).
    apply Rmult_le_compat_l; [exact HG|]. apply Rmult_le_compat_r with (r := INR K) in Hle; [|lra].
    replace (gamma / INR K * INR K) with gamma in Hle by (field; lra). exact Hle.
  - intros draw Hne. rewrite norm2_scaled, importance_elsewhere by exact Hne. ring.
  - rewrite norm2_scaled, importance_there. fold G2. field. now apply Hp.
Qed.

Print Assumptions bandit_probabilities.
Print Assumptions bandit_unbiased.
Print Assumptions bandit_second_moment.
