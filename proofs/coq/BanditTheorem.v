(** Bandit feedback from the conditions that full information asks for: with the learning rate gamma eta/(K X^2) and any
    exploration rate 0 < gamma <= 1. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Matrices Expectations Assembly MarginTheorem SoftmaxTheorem.
From Gaptron Require Import BanditDefinitions BanditAssembly.
Open Scope R_scope.

(** The claimed regret follows: no more than [T] mistakes are made, or it pays for D^2/(2 eta) + gamma T (K - 1)/K. *)
Definition bandit_regret_follows (k D gamma eta T regret : R) : Prop :=
  T <= regret \/ D ^ 2 / (2 * eta) + gamma * T * (k - 1) / k <= regret.

(** At any learning rate, from what single rounds cost beyond the exploration. *)
Theorem any_rate_theorem K d s X D gamma rate T regret : 0 < D -> 0 < gamma <= 1 ->
  bandit_rounds K d s X D gamma rate (gamma * (INR K - 1) / INR K) ->
  bandit_regret_follows (INR K) D gamma rate (INR T) regret ->
  guarantee_in T (bandit K d s D gamma) X rate (fun _ => regret).
Proof.
  intros HD Hgamma Hrounds Hregret. assert (Hrate := bandit_rate _ _ _ _ _ _ _ _ Hrounds).
  refine (bandit_guarantee_weaken _ _ _ _ _ _ _ _ _ _ _ (bandit_guarantee_from_rounds _ _ _ _ _ _ _ _ T HD Hgamma Hrounds)).
  intros u Hu. destruct Hregret as [H|H]; [exact (Rle_trans _ _ _ (Rmin_l _ _) H)|].
  refine (Rle_trans _ _ _ (Rmin_r _ _) (Rle_trans _ _ _ _ H)).
  replace (gamma * (INR K - 1) / INR K * INR T) with (gamma * INR T * (INR K - 1) / INR K) by (unfold Rdiv; ring).
  apply Rplus_le_compat_r, Rmult_le_compat_r; [|apply Hu]. left. apply Rinv_0_lt_compat. lra.
Qed.

(** The rate as theorems write it. *)
Lemma bandit_rate_value K X gamma eta : (2 <= K)%nat -> 0 < X ->
  gamma * (eta / X ^ 2) / INR K = gamma * eta / (INR K * X ^ 2).
Proof. intros HK HX. apply le_INR in HK. simpl in HK. field. split; lra. Qed.

Section BanditTheorems.
  Variables (K d : nat) (X D gamma eta c regret : R) (T : nat).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis X_positive : 0 < X.
  Hypothesis D_positive : 0 < D.
  Hypothesis explores : 0 < gamma <= 1.
  Let rate := gamma * eta / (INR K * X ^ 2).
  Hypothesis regret_follows : bandit_regret_follows (INR K) D gamma rate (INR T) regret.

  Lemma bandit_theorem s : sound_rounds K d s (guessing (INR K)) X (eta / X ^ 2) ->
    guarantee_in T (bandit K d s D gamma) X rate (fun _ => regret).
  Proof using classes X_positive D_positive explores regret_follows.
    intros Hrounds. apply any_rate_theorem; trivial. unfold rate. rewrite <- bandit_rate_value by assumption.
    now apply bandit_rounds_from_full.
  Qed.

  Theorem bandit_margin_theorem phi a beta : margin_conditions (guessing (INR K)) (INR K) phi a beta eta c ->
    guarantee_in T (bandit K d (margin_loss K d phi a beta) D gamma) X rate (fun _ => regret).
  Proof using classes X_positive D_positive explores regret_follows.
    intros H. apply bandit_theorem. now apply margin_rounds with (c := c).
  Qed.

  Theorem bandit_softmax_theorem psi a : softmax_conditions (guessing (INR K)) (INR K) psi a eta c ->
    guarantee_in T (bandit K d (softmax_loss K d psi a) D gamma) X rate (fun _ => regret).
  Proof using classes X_positive D_positive explores regret_follows.
    intros H. apply bandit_theorem. now apply softmax_rounds with (c := c).
  Qed.
End BanditTheorems.
