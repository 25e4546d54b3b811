(** * What a theorem of one weight vector needs follows from what is proved of each of its two labels *)

Require Import Reals Lra Lia ZArith List Bool.
From Gaptron Require Import Definitions BinaryTheorem WrittenFunctions Obligations LossSound NumbersSound.
From Gaptron Require Import GapMapSound ObligationsSound.
From Gaptron.kernel Require Import Terms Certificate.
From Gaptron.kernel Require Stated.
Import ListNotations.
Open Scope R_scope.

Section Labels.
  Variables (plus minus turned a : R -> R) (price eta c : R).
  Hypothesis opposite : forall m, turned m = minus (- m).
  Notation turning := (opposite_subgradient minus turned opposite).
  Notation turned_back := (at_opposite minus turned opposite).

  Theorem from_labels : label_conditions Upper price plus a eta c -> label_conditions Lower price turned a eta c ->
    binary_conditions price plus minus a eta c.
  Proof using opposite.
    intros [Hpos Hconvex Hmap Heta Hright Hwrong Hregret] [Hpos' Hconvex' _ _ Hright' Hwrong' _].
    assert (Pos : forall z, 0 <= minus z) by (intro z; rewrite <- (Ropp_involutive z), <- opposite; apply Hpos').
    assert (Convex : forall z, exists g, subgradient minus z g).
    { intro z. destruct (Hconvex' (- z)) as [g Hg]. apply turning in Hg. rewrite Ropp_involutive in Hg.
      eauto. }
    assert (Up : forall z g, z < 0 -> subgradient plus z g ->
      1 - a (- z) + a (- z) * price - plus z + eta / 2 * g ^ 2 <= 0).
    { intros z g Hz Hg. specialize (Hwrong (- z) g). rewrite Ropp_involutive in Hwrong. apply Hwrong; trivial; lra. }
    assert (Down : forall z g, z < 0 -> subgradient minus z g ->
      a (- z) * price - minus z + eta / 2 * g ^ 2 <= 0).
    { intros z g Hz Hg%turned_back. specialize (Hright' (- z) (- g)). rewrite opposite, Ropp_involutive in Hright'.
      replace (g ^ 2) with ((- g) ^ 2) by ring. apply Hright'; trivial; lra. }
    assert (Down' : forall z g, 0 <= z -> subgradient minus z g ->
      1 - a z + a z * price - minus z + eta / 2 * g ^ 2 <= 0).
    { intros z g Hz Hg%turned_back. specialize (Hwrong' z (- g)). rewrite opposite, Ropp_involutive in Hwrong'.
      replace (g ^ 2) with ((- g) ^ 2) by ring. apply Hwrong'; easy. }
    split; auto. intros z g Hz Hg. apply Hright; easy.
  Qed.

  Theorem of_labels : binary_conditions price plus minus a eta c ->
    label_conditions Upper price plus a eta c /\ label_conditions Lower price turned a eta c.
  Proof using opposite.
    intros [Hpos Hpos' Hconvex Hconvex' ? ? Hright Hwrong Hright' Hwrong'].
    assert (Square : forall g, g ^ 2 = (- g) ^ 2) by (intro; ring).
    split; split; auto; intros z; rewrite ?opposite; auto.
    all: try (destruct (Hconvex' (- z)) as [g Hg]; exists (- g); apply turning;
      now rewrite Ropp_involutive).
    all: intros g Hz Hstrict Hg; try apply turning in Hg; rewrite ?Ropp_involutive in *.
    all: try (specialize (Hwrong (- z) g); rewrite Ropp_involutive in Hwrong; apply Hwrong; auto;
      specialize (Hstrict eq_refl); lra).
    all: rewrite Square.
    all: try (apply Hwrong'; auto; fail).
    specialize (Hright' (- z) (- g)). rewrite Ropp_involutive in Hright'. apply Hright'; auto.
    specialize (Hstrict eq_refl). lra.
  Qed.
End Labels.

(** What is proved of the data, for all parameters that it speaks of. *)
Theorem proved_both b proofs : proves_both b proofs = true -> forall k values, length values = parameters (upper b) ->
  k = 2 -> Stated.every (0 :: 0 :: k :: values) (domain (upper b)) ->
  let at_ := value (0 :: 0 :: k :: values) in
  let price := price_of (option_map at_ (cost (upper b))) k in
  let plus z := value (z :: 0 :: k :: values) (phi (upper b)) in
  let minus z := value (z :: 0 :: k :: values) (minus_loss b) in
  let a m := value (m :: 0 :: k :: values) (gap_map (upper b)) in
  let eta := at_ (rate (upper b)) in
  binary_conditions price plus minus a eta (regret_of eta (option_map at_ (regret (upper b)))) /\
  match sharp_at (upper b), its_contact b with
  | None, None => True
  | _, _ => forall e c, eta < e -> ~ binary_conditions price plus minus a e c
  end.
Proof.
  unfold proves_both. destruct (of_label (upper b)) eqn:HL; try discriminate.
  intros [[Hf Hg]%andb_true_iff Hc]%andb_true_iff k values Hn Hk Hd. assert (Hall := check_each_ok _ _ Hc).
  assert (Hz : exists z, k = IZR z) by now exists 2%Z.
  destruct (proved (upper b)) with (k := k) (values := values) as [Up Sharp]; trivial.
  { split; [exact Hf|]. intros x Hx. apply Hall, in_or_app. now left. }
  { now rewrite HL. }
  destruct (proved (lower b)) with (k := k) (values := values) as [Down Sharp']; trivial.
  { split; [exact Hg|]. intros x Hx. apply Hall, in_or_app. now right. }
  rewrite HL in *.
  assert (Turned := fun m => value_mirrored m (0 :: k :: values) (minus_loss b)).
  split; [exact (from_labels _ _ _ _ _ _ _ Turned Up Down)|]. cbn [lower sharp_at] in Sharp'.
  destruct (sharp_at (upper b)), (its_contact b); trivial; intros e r He H;
    apply (of_labels _ _ _ _ _ _ _ Turned) in H as [H H'];
    first [exact (Sharp e r He H) | exact (Sharp' e r He H')].
Qed.
