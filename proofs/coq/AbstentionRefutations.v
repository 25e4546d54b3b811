(** From numbers at which a condition fails to a round that breaks it, with abstention. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Subgradients Linear Margins MarginSubgradients.
From Gaptron Require Import SoftmaxSubgradients Refutations SoftmaxRefutations.
From Gaptron Require Import AbstentionDefinitions AbstentionTheorem AbstentionRefutationDefinitions.
Open Scope R_scope.

Theorem broken_abstention_round_not_sound K d s c X eta :
  broken_abstention_round K d s c X eta -> abstention_rounds K d s c X eta -> False.
Proof.
  intros (W & x & ystar & y & G & (Htop & Hy & Hx) & HG & Hgap) H.
  assert (Hle := abstention_gap _ _ _ _ _ _ H W x ystar y G Htop Hy Hx HG).
  unfold costly_gap in Hgap.
  rewrite expected_cost in Hgap by (auto; exact (proj1 (abstention_map _ _ _ _ _ _ H _ _ _ Htop))). lra.
Qed.

Lemma margin_broken_abstaining c K phi a beta theta (HK : (2 <= K)%nat) eta ystar y rival s m g :
  is_top K theta ystar -> margin K theta ystar = s -> (y < K)%nat -> (rival < K)%nat -> rival <> y ->
  (forall k, (k < K)%nat -> k <> y -> theta k <= theta rival) -> theta y - theta rival = m ->
  off beta s ystar y = false -> subgradient phi m g -> K = 2%nat \/ g <= 0 ->
  0 < (if Nat.eqb ystar y then a s * c else 1 - a s + a s * c) - phi m + eta * g ^ 2 ->
  broken_abstention_round K 1 (margin_loss K 1 phi a beta) c 1 (eta / 1 ^ 2).
Proof.
  intros Htop Hs Hy Hr Hry Hle Hm Hon Hg Hsign Hgap.
  assert (Hmargin := margin_at K theta y rival m HK Hy Hr Hry Hle Hm).
  exists (column theta), unit, ystar, y, (outer (margin_direction y rival g) unit).
  unfold costly_gap. rewrite expected_cost by (auto; exact (proj1 Htop)).
  cbn [top rows loss gap_map margin_loss]. rewrite !scores_of_column, Hs, Hon.
  split; [split; [exact Htop | split; [exact Hy | exact unit_size]]|]. split.
  - apply (outer_subgradient K 1 (fun theta => phi (margin K theta y))). rewrite scores_of_column.
    apply margin_direction_subgradient; auto; [lra|]. now rewrite Hmargin.
  - rewrite Hmargin, norm2_of_outer, margin_direction_size by assumption.
    replace (eta / 1 ^ 2 / 2 * (2 * g ^ 2)) with (eta * g ^ 2) by field. destruct (Nat.eqb ystar y); lra.
Qed.

Lemma softmax_broken_abstaining c K psi a w (HK : (2 <= K)%nat) (positive : forall k, 0 < w k)
    eta ystar y p q squares r :
  is_top K w ystar -> (y < K)%nat ->
  w ystar / sum K w = p -> w y / sum K w = q -> sum K (without y (fun k => (w k / sum K w) ^ 2)) = squares ->
  logit_subgradient psi q r -> K = 2%nat \/ r <= 0 ->
  0 < (if Nat.eqb ystar y then a p * c else 1 - a p + a p * c) - psi q
    + eta / 2 * ((r * q) ^ 2 * ((1 - q) ^ 2 + squares)) ->
  broken_abstention_round K 1 (softmax_loss K 1 psi a) c 1 (eta / 1 ^ 2).
Proof.
  intros Htop Hy Hp Hq Hs Hr Hsign Hgap.
  destruct (softmax_gradient K psi w HK positive y q squares r Hy Hq Hs Hr Hsign) as (G & HG & Hsize).
  exists (column (logs w)), unit, ystar, y, G.
  unfold costly_gap. rewrite expected_cost by (auto; exact (proj1 Htop)).
  cbn [top rows loss gap_map softmax_loss]. rewrite !scores_of_column, !(softmax_of_logs K w positive), Hp, Hq, Hsize.
  split; [split; [now apply top_of_logs | split; [exact Hy | exact unit_size]]|]. split; [exact HG|].
  replace (eta / 1 ^ 2 / 2) with (eta / 2) by field. destruct (Nat.eqb ystar y); lra.
Qed.
