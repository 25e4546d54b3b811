(** * Roots: what they are, that they rise, and their slope *)

Require Import Reals Lra Lia.
From Gaptron Require Import Signs.
Open Scope R_scope.

Lemma root_positive n x : 0 < x -> root n x = Rpower x (/ INR n).
Proof. intro H. unfold root. now destruct (Rlt_dec 0 x). Qed.

Lemma root_nonpositive n x : x <= 0 -> root n x = 0.
Proof. intro H. unfold root. destruct (Rlt_dec 0 x); [lra | reflexivity]. Qed.

Lemma root_nonnegative n x : 0 <= root n x.
Proof. unfold root. destruct (Rlt_dec 0 x); [left; apply exp_pos | lra]. Qed.

Lemma root_power n x : 0 <= x -> root (S n) x ^ S n = x.
Proof.
  intros [H | <-].
  - rewrite root_positive, <- Rpower_pow, Rpower_mult by (trivial; apply exp_pos).
    rewrite Rinv_l by (apply not_0_INR; lia). now apply Rpower_1.
  - rewrite root_nonpositive by lra. apply pow_i. lia.
Qed.

Lemma root_of_power n r : 0 <= r -> root (S n) (r ^ S n) = r.
Proof.
  intros [H | <-].
  - rewrite root_positive by now apply pow_lt. rewrite <- Rpower_pow, Rpower_mult by trivial.
    rewrite Rinv_r by (apply not_0_INR; lia). now apply Rpower_1.
  - rewrite pow_i by lia. apply root_nonpositive. lra.
Qed.

Lemma root_rises n x y : x <= y -> root (S n) x <= root (S n) y.
Proof.
  intro H. destruct (Rlt_dec 0 x) as [Hx | Hx].
  - rewrite !root_positive by lra. apply Rle_Rpower_l; [|lra]. left. apply Rinv_0_lt_compat, lt_0_INR. lia.
  - rewrite (root_nonpositive _ x) by lra. apply root_nonnegative.
Qed.

Lemma derivable_root n x : 0 < x -> derivable_pt_lim (root (S n)) x (/ INR (S n) * (root (S n) x * / x)).
Proof.
  intro Hx. assert (E : / INR (S n) * (root (S n) x * / x) = / INR (S n) * Rpower x (/ INR (S n) - 1)).
  { rewrite root_positive by trivial. unfold Rminus. now rewrite Rpower_plus, Rpower_Ropp, Rpower_1. }
  rewrite E. intros eps He. destruct (derivable_pt_lim_power x (/ INR (S n)) Hx eps He) as [d Hd].
  assert (Hm : 0 < Rmin d x) by (apply Rmin_pos; [apply cond_pos | trivial]).
  exists (mkposreal _ Hm). intros h H0 Hh. simpl in Hh.
  assert (H1 := Rmin_l d x). assert (H2 := Rmin_r d x). assert (H3 : - Rmin d x < h) by (apply Rabs_def2 in Hh; lra).
  rewrite !root_positive by lra. apply Hd; [trivial | lra].
Qed.

Lemma continuous_root n x : 0 <= x -> continuity_pt (root (S n)) x.
Proof.
  intros [H | <-].
  - apply derivable_continuous_pt. exists (/ INR (S n) * (root (S n) x * / x)). now apply derivable_root.
  - intros eps He. exists ((eps / 2) ^ S n). split; [apply pow_lt; lra|]. intros y [_ Hy]. simpl in *.
    unfold R_dist in *.
    rewrite Rminus_0_r in Hy. rewrite (root_nonpositive _ 0), Rminus_0_r by lra.
    rewrite Rabs_pos_eq by apply root_nonnegative.
    assert (Hle : y <= (eps / 2) ^ S n) by (apply Rabs_def2 in Hy; simpl in *; lra).
    apply (root_rises n) in Hle. rewrite root_of_power in Hle by lra. lra.
Qed.
