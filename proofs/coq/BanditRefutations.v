(** From numbers at which a condition fails to a round that breaks it, with bandit feedback. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Expectations Assembly Linear.
From Gaptron Require Import Margins MarginSubgradients SoftmaxSubgradients Refutations SoftmaxRefutations.
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

(** The weights of a round are logarithms of [w]: [p] is the largest probability, [q] that of the label, [v] and [r] value
    and slope of psi there, [share] that of the uniform distribution, [chance] the probability that the label is drawn. *)
Lemma softmax_broken_bandit K psi a w (HK : (2 <= K)%nat) (positive : forall k, 0 < w k)
    D gamma eta ystar y p q squares r v share chance :
  is_top K w ystar -> (y < K)%nat ->
  w ystar / sum K w = p -> w y / sum K w = q -> sum K (without y (fun k => (w k / sum K w) ^ 2)) = squares ->
  sum K (fun k => ln (w k) ^ 2) <= D ^ 2 ->
  logit_subgradient psi q r -> K = 2%nat \/ r <= 0 ->
  psi q = v -> Rmax (a p) gamma = share ->
  (if Nat.eqb ystar y then 1 - share * (INR K - 1) / INR K else share / INR K) = chance -> 0 < chance ->
  0 < (if Nat.eqb ystar y then share * (INR K - 1) / INR K else 1 - share / INR K)
    - gamma * (INR K - 1) / INR K - v + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + squares) / chance) ->
  broken_bandit_round K 1 (softmax_loss K 1 psi a) 1 D gamma eta.
Proof.
  intros Htop Hy Hp Hq Hs Hball Hr Hsign Hv Hshare Hchance Hpos Hgap.
  assert (Hk : 0 < INR K) by (apply lt_0_INR; lia).
  assert (Hdraw : prediction K share ystar y = chance).
  { rewrite <- Hchance. unfold prediction. rewrite Nat.eqb_sym. destruct (Nat.eqb ystar y); field; lra. }
  destruct (softmax_gradient K psi w HK positive y q squares r Hy Hq Hs Hr Hsign) as (G & HG & Hsize).
  exists (column (logs w)), unit, ystar, y, G. unfold exploring_gap, exploring.
  cbn [top rows loss gap_map softmax_loss]. rewrite !scores_of_column, !(softmax_of_logs K w positive), Hp, Hq, Hshare.
  split; [|split; [|split; [exact HG|]]].
  - split; [now apply top_of_logs|]. split; [exact Hy|]. split; [exact unit_size|].
    unfold in_ball, norm2. refine (Rle_trans _ _ _ (Req_le _ _ _) Hball). apply sum_ext. intros k _.
    unfold dot, column, logs. cbn [sum]. ring.
  - now rewrite Hdraw.
  - fold (P_wrong K share ystar y). rewrite P_wrong_value by (auto; exact (proj1 Htop)).
    rewrite Hdraw, Hv, Hsize. exact Hgap.
Qed.
