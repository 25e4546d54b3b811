(** Derivatives of functions written out as expressions, and a tactic that finds them.

    [derive] proves [derivable_pt_lim (fun b => ...) m l] up to what it leaves: that denominators are not zero and
    arguments of roots and logarithms positive at [m], and last that [l] is the derivative that it found. *)

From Coq Require Import Reals Lra.
Open Scope R_scope.

Section Rules.
  Variables (f g : R -> R) (m p q : R).
  Hypothesis Hf : derivable_pt_lim f m p.
  Hypothesis Hg : derivable_pt_lim g m q.

  Lemma derive_plus : derivable_pt_lim (fun b => f b + g b) m (p + q).
  Proof using Hf Hg. now apply derivable_pt_lim_plus. Qed.

  Lemma derive_minus : derivable_pt_lim (fun b => f b - g b) m (p - q).
  Proof using Hf Hg. now apply derivable_pt_lim_minus. Qed.

  Lemma derive_mult : derivable_pt_lim (fun b => f b * g b) m (p * g m + f m * q).
  Proof using Hf Hg. now apply derivable_pt_lim_mult. Qed.

  Lemma derive_opp : derivable_pt_lim (fun b => - f b) m (- p).
  Proof using Hf. now apply derivable_pt_lim_opp. Qed.

  Lemma derive_div : g m <> 0 -> derivable_pt_lim (fun b => f b / g b) m ((p * g m - q * f m) / (g m) ^ 2).
  Proof using Hf Hg.
    intros H. replace ((g m) ^ 2) with (Rsqr (g m)) by (unfold Rsqr; ring). now apply derivable_pt_lim_div.
  Qed.

  Lemma derive_inv : g m <> 0 -> derivable_pt_lim (fun b => / g b) m (- q / (g m) ^ 2).
  Proof using Hg.
    intros H. assert (Hd : derivable_pt_lim (fun b => 1 / g b) m ((0 * g m - q * 1) / Rsqr (g m))).
    { apply (derivable_pt_lim_div (fun _ => 1) g); auto. apply derivable_pt_lim_const. }
    replace (- q / g m ^ 2) with ((0 * g m - q * 1) / Rsqr (g m)) by (unfold Rsqr; field; exact H).
    intros eps Heps. destruct (Hd eps Heps) as [delta Hdelta]. exists delta. intros h Hh Hsmall.
    specialize (Hdelta h Hh Hsmall). unfold Rdiv at 2 3 in Hdelta. now rewrite !Rmult_1_l in Hdelta.
  Qed.

  Lemma derive_chain (k : R -> R) r : derivable_pt_lim k (f m) r -> derivable_pt_lim (fun b => k (f b)) m (r * p).
  Proof using Hf. intros Hk. now apply (derivable_pt_lim_comp f k). Qed.
End Rules.

Lemma derive_pow f m p n : derivable_pt_lim f m p -> derivable_pt_lim (fun b => f b ^ n) m (INR n * f m ^ pred n * p).
Proof. intros Hf. apply (derive_chain f m p Hf (fun b => b ^ n)). apply derivable_pt_lim_pow. Qed.

Lemma derive_exp f m p : derivable_pt_lim f m p -> derivable_pt_lim (fun b => exp (f b)) m (exp (f m) * p).
Proof. intros Hf. apply (derive_chain f m p Hf exp). apply derivable_pt_lim_exp. Qed.

Lemma derive_ln f m p : derivable_pt_lim f m p -> 0 < f m -> derivable_pt_lim (fun b => ln (f b)) m (/ f m * p).
Proof. intros Hf Hpos. apply (derive_chain f m p Hf ln). now apply derivable_pt_lim_ln. Qed.

Lemma derive_sqrt f m p :
  derivable_pt_lim f m p -> 0 < f m -> derivable_pt_lim (fun b => sqrt (f b)) m (/ (2 * sqrt (f m)) * p).
Proof. intros Hf Hpos. apply (derive_chain f m p Hf sqrt). now apply derivable_pt_lim_sqrt. Qed.

Lemma derive_equal f m p l : derivable_pt_lim f m p -> p = l -> derivable_pt_lim f m l.
Proof. now intros H <-. Qed.

Ltac derive_step :=
  lazymatch goal with
  | |- derivable_pt_lim (fun _ => ?c) _ _ => apply (derivable_pt_lim_const c)
  | |- derivable_pt_lim (fun b => b) _ _ => apply derivable_pt_lim_id
  | |- derivable_pt_lim (fun b => @?f b + @?g b) _ _ => eapply (derive_plus f g)
  | |- derivable_pt_lim (fun b => @?f b - @?g b) _ _ => eapply (derive_minus f g)
  | |- derivable_pt_lim (fun b => @?f b * @?g b) _ _ => eapply (derive_mult f g)
  | |- derivable_pt_lim (fun b => - @?f b) _ _ => eapply (derive_opp f)
  | |- derivable_pt_lim (fun b => @?f b / @?g b) _ _ => eapply (derive_div f g)
  | |- derivable_pt_lim (fun b => / @?g b) _ _ => eapply (derive_inv g)
  | |- derivable_pt_lim (fun b => @?f b ^ ?n) _ _ => eapply (derive_pow f)
  | |- derivable_pt_lim (fun b => exp (@?f b)) _ _ => eapply (derive_exp f)
  | |- derivable_pt_lim (fun b => ln (@?f b)) _ _ => eapply (derive_ln f)
  | |- derivable_pt_lim (fun b => sqrt (@?f b)) _ _ => eapply (derive_sqrt f)
  end.

Ltac derive := eapply derive_equal; [repeat derive_step; cbn beta|cbn beta; cbn [INR pred]].

(** [continuous] proves [continuity] and [continuity_pt] of such expressions, up to the same side conditions. *)

Lemma continuous_from_derivative f m l : derivable_pt_lim f m l -> continuity_pt f m.
Proof. intros H. apply derivable_continuous_pt. now exists l. Qed.

Ltac continuous :=
  lazymatch goal with
  | |- continuity _ => intros ?m
  | _ => idtac
  end; eapply continuous_from_derivative; repeat derive_step; cbn beta.
