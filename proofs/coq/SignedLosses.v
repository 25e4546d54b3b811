(** Losses of the blog's Theorem 1: no round has a positive gap, up to the rate 1/(2 s X^2). *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Subgradients Expectations Assembly BinaryTheorem Blog.
Open Scope R_scope.

Section SignedLosses.
  Variables (d : nat) (plus minus : R -> R) (s : R).
  Hypothesis s_positive : 0 < s.
  Hypothesis losses : suitable s plus minus.
  Let side (y : nat) := if Nat.eqb y 0 then plus else minus.

  Lemma side_nonnegative y z : 0 <= side y z.
  Proof using losses. unfold side. destruct losses as [H _]. destruct (H z), (Nat.eqb y 0); assumption. Qed.

  Lemma side_has_subgradient y z : exists g, subgradient (side y) z g.
  Proof using losses. unfold side. destruct losses as (_ & H & _). destruct (H z), (Nat.eqb y 0); assumption. Qed.

  Lemma side_self_bounded y : self_bounded s (side y).
  Proof using losses. unfold side. destruct losses as (_ & _ & Hplus & Hminus & _). now destruct (Nat.eqb y 0). Qed.

  (** Half of the loss pays for the gradient. *)
  Lemma gradient_paid x y W G X eta : 0 < X -> 0 < eta <= 1 / (2 * s * X ^ 2) -> dot d x x <= X ^ 2 ->
    matrix_subgradient 1 d (fun V => side y (dot d (V 0%nat) x)) W G ->
    eta / 2 * norm2 1 d G <= side y (dot d (W 0%nat) x) / 2.
  Proof using s_positive losses.
    intros HX Heta Hx HG. assert (HX2 : 0 < X ^ 2) by now apply pow_lt.
    assert (Hloss := side_nonnegative y (dot d (W 0%nat) x)). set (f := side y (dot d (W 0%nat) x)) in *.
    destruct (vector_subgradient_size d (side y) x W G HG) as (g & Hnorm & [Hzero|Hg]).
    - rewrite Hzero, Rmult_0_r in Hnorm. nra.
    - assert (Hself := side_self_bounded y _ g Hg). fold f in Hself.
      assert (Hsize : norm2 1 d G <= 2 * s * f * X ^ 2).
      { apply Rle_trans with (1 := Hnorm). apply Rmult_le_compat; auto using pow2_ge_0, Matrices.dot_square_nonneg. }
      apply Rle_trans with (1 / (2 * s * X ^ 2) / 2 * (2 * s * f * X ^ 2)); [|right; field; lra].
      apply Rle_trans with (eta / 2 * (2 * s * f * X ^ 2)); [apply Rmult_le_compat_l; lra|].
      apply Rmult_le_compat_r; [|lra]. repeat apply Rmult_le_pos; lra.
  Qed.

  Lemma signed_rounds X eta : 0 < X -> 0 < eta <= 1 / (2 * s * X ^ 2) ->
    sound_rounds 2 d (signed_loss d plus minus) (guessing 2) X eta.
  Proof using s_positive losses.
    intros HX Heta. split; [apply Heta| | | | |].
    - intros W x ystar y V _. apply (side_nonnegative y).
    - intros W x. eexists. reflexivity.
    - intros W x ystar y V _.
      destruct (some_subgradient (side y) (dot d (V 0%nat) x) (side_has_subgradient y _)) as [g Hg].
      exists (fun _ i => g * x i). now apply (vector_subgradient d (side y) x V g).
    - intros W x ystar ->. cbn. split; [destruct Rle_dec; lia|]. set (z := dot d (W 0%nat) x).
      destruct losses as (H0 & _ & _ & _ & _ & Hplus & Hminus). specialize (H0 z).
      destruct (Rle_dec 0 z) as [Hz|Hz]; cbn [Nat.eqb]; [specialize (Hplus z Hz)|specialize (Hminus z ltac:(lra))]; lra.
    - intros W x ystar y G Htop Hy Hx HG. assert (Hpaid := gradient_paid x y W G X eta HX Heta Hx HG).
      cbn [loss gap_map rows top signed_loss] in *.
      fold (side y) (side ystar). set (z := dot d (W 0%nat) x) in *. unfold risk_at, guessing.
      destruct losses as (_ & _ & _ & _ & Htwo & _). specialize (Htwo z).
      assert (Hs : ystar = 0%nat \/ ystar = 1%nat) by (subst; destruct Rle_dec; auto).
      assert (Hcase : y = 0%nat \/ y = 1%nat) by lia. clear Htop.
      destruct Hs as [-> | ->], Hcase as [-> | ->]; cbn [Nat.eqb side] in *; lra.
  Qed.
End SignedLosses.
