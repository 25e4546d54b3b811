(** A round that is broken where abstaining has a cost. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions Expectations Assembly Refutations.
From Gaptron Require Import AbstentionDefinitions AbstentionTheorem AbstentionRefutationDefinitions.
Open Scope R_scope.

Theorem broken_abstention_round_not_sound K d s c X eta :
  broken_abstention_round K d s c X eta -> sound_rounds K d s c X eta -> False.
Proof.
  intros (W & x & ystar & y & G & (Htop & Hy & Hx) & HG & Hgap) H.
  assert (Hle := sound_gap _ _ _ _ _ _ H W x ystar y G Htop Hy Hx HG).
  unfold costly_gap in Hgap.
  rewrite expected_cost in Hgap by (auto; exact (proj1 (sound_map _ _ _ _ _ _ H _ _ _ Htop))). lra.
Qed.

Lemma broken_abstaining K d s c X eta : broken_at K d s c X eta -> broken_abstention_round K d s c X eta.
Proof.
  intros (W & x & ystar & y & G & Hround & HG & Hy' & Hgap). exists W, x, ystar, y, G. split; [exact Hround|].
  split; [exact HG|]. unfold costly_gap. rewrite expected_cost by tauto. exact Hgap.
Qed.
