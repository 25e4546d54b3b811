(** From numbers at which a condition fails to a round that breaks it, with bandit feedback. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Expectations Assembly Linear.
From Gaptron Require Import Margins MarginSubgradients Refutations.
From Gaptron Require Import BanditDefinitions BanditAssembly BanditTheorem BanditRefutationDefinitions.
Open Scope R_scope.

(** What is broken is what the guarantee is proved from. *)
Theorem broken_bandit_round_not_sound K d s X D gamma eta :
  broken_bandit_round K d s X D gamma eta ->
  bandit_rounds K d s X D gamma eta (gamma * (INR K - 1) / INR K) -> False.
Proof.
  intros (W & x & ystar & y & G & (Htop & Hy & Hx & Hball) & _ & HG & Hgap) H.
  assert (Hle := bandit_gap _ _ _ _ _ _ _ _ H W x ystar y G Hball Htop Hy Hx HG). unfold exploring_gap in Hgap.
  unfold P_wrong, exploring in *. lra.
Qed.

Theorem broken_bandit_regret_does_not_follow K D gamma eta T regret :
  broken_bandit_regret K D gamma eta T regret -> ~ bandit_regret_follows (INR K) D gamma eta T regret.
Proof. intros [H1 H2] [H|H]; lra. Qed.

Section MarginRound.
  Variables (K : nat) (phi a : R -> R) (beta : option R) (theta : vector).
  Hypothesis classes : (2 <= K)%nat.

  (** [s] is the top margin, [m] the margin of [y], [v] and [g] value and subgradient of phi there, [share] that of the
      uniform distribution, [p] the probability of [y]. *)
  Lemma margin_broken_bandit D gamma eta ystar y rival s m g v share p :
    is_top K theta ystar -> margin K theta ystar = s -> (y < K)%nat -> (rival < K)%nat -> rival <> y ->
    (forall k, (k < K)%nat -> k <> y -> theta k <= theta rival) -> theta y - theta rival = m ->
    sum K (fun k => theta k ^ 2) <= D ^ 2 ->
    off beta s ystar y = false -> subgradient phi m g -> K = 2%nat \/ g <= 0 ->
    phi m = v -> Rmax (a s) gamma = share ->
    (if Nat.eqb ystar y then 1 - share * (INR K - 1) / INR K else share / INR K) = p -> 0 < p ->
    0 < (if Nat.eqb ystar y then share * (INR K - 1) / INR K else 1 - share / INR K)
      - gamma * (INR K - 1) / INR K - v + eta * (g ^ 2 / p) ->
    broken_bandit_round K 1 (margin_loss K 1 phi a beta) 1 D gamma eta.
  Proof using classes.
    intros Htop Hs Hy Hr Hry Hle Hm Hball Hon Hg Hsign Hv Hshare Hp Hpos Hgap.
    assert (Hmargin := margin_at K theta y rival m classes Hy Hr Hry Hle Hm).
    assert (HK : 0 < INR K) by (apply lt_0_INR; lia).
    assert (Hdraw : prediction K share ystar y = p).
    { rewrite <- Hp. unfold prediction. rewrite Nat.eqb_sym. destruct (Nat.eqb ystar y); field; lra. }
    exists (column theta), unit, ystar, y, (outer (margin_direction y rival g) unit).
    unfold exploring_gap, exploring. cbn [top rows loss gap_map margin_loss]. rewrite !scores_of_column, Hs, Hon, Hshare.
    split; [|split; [|split]].
    - split; [exact Htop|]. split; [exact Hy|]. split; [exact unit_size|].
      unfold in_ball, norm2. refine (Rle_trans _ _ _ (Req_le _ _ _) Hball). apply sum_ext. intros k _.
      unfold dot, column. cbn [sum]. ring.
    - now rewrite Hdraw.
    - apply (outer_subgradient K 1 (fun theta => phi (margin K theta y))). rewrite scores_of_column.
      apply margin_direction_subgradient; auto; [lra|]. now rewrite Hmargin.
    - fold (P_wrong K share ystar y). rewrite P_wrong_value by (auto; exact (proj1 Htop)).
      rewrite Hdraw, Hmargin, Hv, norm2_of_outer, margin_direction_size by assumption.
      replace (eta / 2 * (2 * g ^ 2 / p)) with (eta * (g ^ 2 / p)) by (field; lra). exact Hgap.
  Qed.
End MarginRound.
