(** The theorem: what some algorithm attains is exactly what the criterion says, for any convex losses and any target. *)

From Coq Require Import Reals Lra Lia.
From Gaptron Require Import Definitions Optimal OptimalLower OptimalUpper OptimalDecoder.
Open Scope R_scope.

Theorem optimal_constant P X alpha c : (0 < predictions P)%nat -> convex_losses P -> 0 < X -> 0 < alpha -> 0 < c ->
  (attainable P X alpha c <-> criterion P alpha c).
Proof.
  intros HM Hloss HX Halpha Hc. split.
  - now apply nobody_beats_the_criterion.
  - intros Hcrit. apply proximal_steps_attain with (Hc := Hc) (Hloss := Hloss)
      (decoder := envelope_decoder P alpha c Hc Hloss); [assumption|assumption|].
    now apply envelope_decoder_decodes.
Qed.

(** For the 0-1 target the decoder is in closed form: every label gets max(0, 1 - alpha e_y), and label 0 the rest. *)
Theorem closed_form_of_the_decoder K n loss alpha c (Hc : 0 < c) (Hloss : convex_losses (classification K n loss)) :
  (0 < K)%nat -> 0 < alpha -> criterion (classification K n loss) alpha c ->
  decodes (classification K n loss) alpha c Hc Hloss (top_up K n loss alpha c Hc Hloss).
Proof. intros HK Halpha Hcrit. now apply top_up_decodes. Qed.
