(** Subgradients of convex functions of one variable: where they exist, and what one-sided derivatives say of them. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions.
Open Scope R_scope.

Lemma subgradient_monotone phi m n g h : subgradient phi m g -> subgradient phi n h -> m < n -> g <= h.
Proof.
  intros Hg Hh Hmn. specialize (Hg n). specialize (Hh m).
  apply Rmult_le_reg_r with (n - m); lra.
Qed.

(** A function with a subgradient everywhere, none of them positive, does not increase. *)
Lemma nonincreasing_values phi :
  (forall m, exists g, subgradient phi m g) -> (forall m g, subgradient phi m g -> g <= 0) ->
  forall m n, m <= n -> phi n <= phi m.
Proof.
  intros Hex Hneg m n Hmn. destruct (Hex n) as [g Hg]. specialize (Hneg n g Hg). specialize (Hg m). nra.
Qed.

(** A subgradient that can be computed: the supremum of the slopes on the left. *)

Definition left_slope (phi : R -> R) (m g : R) : Prop := exists b, b < m /\ g = (phi m - phi b) / (m - b).

Lemma left_slope_below phi m g h : subgradient phi m g -> left_slope phi m h -> h <= g.
Proof.
  intros Hg (b & Hb & ->). specialize (Hg b). apply Rmult_le_reg_r with (m - b); [lra|].
  replace ((phi m - phi b) / (m - b) * (m - b)) with (phi m - phi b) by (field; lra). lra.
Qed.

Lemma some_subgradient phi m : (exists g, subgradient phi m g) -> {g | subgradient phi m g}.
Proof.
  intros Hex.
  destruct (completeness (left_slope phi m)) as [sup [Hup Hleast]].
  - destruct Hex as [g Hg]. exists g. intros h Hh. now apply left_slope_below with (1 := Hg).
  - exists ((phi m - phi (m - 1)) / (m - (m - 1))). exists (m - 1). split; [lra|reflexivity].
  - exists sup. intros b. destruct (Rtotal_order b m) as [Hb|[->|Hb]].
    + assert (H : (phi m - phi b) / (m - b) <= sup) by (apply Hup; exists b; auto).
      apply Rmult_le_compat_r with (r := m - b) in H; [|lra].
      replace ((phi m - phi b) / (m - b) * (m - b)) with (phi m - phi b) in H by (field; lra). lra.
    + lra.
    + destruct Hex as [g Hg]. assert (sup <= g); [|specialize (Hg b); nra].
      apply Hleast. intros h Hh. now apply left_slope_below with (1 := Hg).
Qed.

(** * Bounds from one-sided derivatives

    If on the right of [m] the function is that of a piece [f], then the piece's derivative is an upper bound of every
    subgradient; on the left, a lower bound. *)

Lemma subgradient_below phi f m d g l :
  m < d -> (forall b, m <= b < d -> phi b = f b) -> derivable_pt_lim f m l -> subgradient phi m g -> g <= l.
Proof.
  intros Hd Heq Hl Hg. apply Rnot_lt_le. intros Hlt.
  destruct (Hl (g - l)) as [delta Hdelta]; [lra|].
  pose proof (cond_pos delta) as Hpos.
  set (h := Rmin (delta / 2) ((d - m) / 2)).
  assert (0 < h) by (apply Rmin_pos; lra).
  assert (h <= delta / 2) by apply Rmin_l. assert (h <= (d - m) / 2) by apply Rmin_r.
  specialize (Hdelta h). rewrite (Rabs_pos_eq h) in Hdelta by lra.
  apply Rabs_def2 in Hdelta; try lra. destruct Hdelta as [Hup _].
  specialize (Hg (m + h)). rewrite !Heq in Hg by lra.
  assert (f (m + h) - f m = (f (m + h) - f m) / h * h) by (field; lra). nra.
Qed.

Lemma subgradient_above phi f m d g l :
  d < m -> (forall b, d < b <= m -> phi b = f b) -> derivable_pt_lim f m l -> subgradient phi m g -> l <= g.
Proof.
  intros Hd Heq Hl Hg. apply Rnot_lt_le. intros Hlt.
  destruct (Hl (l - g)) as [delta Hdelta]; [lra|].
  pose proof (cond_pos delta) as Hpos.
  set (h := Rmin (delta / 2) ((m - d) / 2)).
  assert (0 < h) by (apply Rmin_pos; lra).
  assert (h <= delta / 2) by apply Rmin_l. assert (h <= (m - d) / 2) by apply Rmin_r.
  specialize (Hdelta (- h)). rewrite Rabs_Ropp, (Rabs_pos_eq h) in Hdelta by lra.
  apply Rabs_def2 in Hdelta; try lra. destruct Hdelta as [_ Hlow].
  specialize (Hg (m + - h)). rewrite !Heq in Hg by lra.
  assert (f (m + - h) - f m = - ((f (m + - h) - f m) / - h * h)) by (field; lra). nra.
Qed.

Lemma subgradient_equal phi f m c d g l :
  c < m < d -> (forall b, c < b < d -> phi b = f b) -> derivable_pt_lim f m l -> subgradient phi m g -> g = l.
Proof.
  intros Hd Heq Hl Hg. apply Rle_antisym.
  - apply (subgradient_below phi f m d); auto; intros; try apply Heq; lra.
  - apply (subgradient_above phi f m c); auto; intros; try apply Heq; lra.
Qed.

(** The square of a number between two others, as the surrogate gap has it. *)
Lemma between_squares low high g base eta :
  low <= g <= high -> 0 <= eta -> base + eta * low ^ 2 <= 0 -> base + eta * high ^ 2 <= 0 -> base + eta * g ^ 2 <= 0.
Proof.
  intros Hg Heta Hlow Hhigh.
  assert (H : g ^ 2 <= low ^ 2 \/ g ^ 2 <= high ^ 2) by (destruct (Rle_dec 0 g); [right|left]; nra).
  destruct H as [H|H]; apply Rmult_le_compat_l with (r := eta) in H; lra.
Qed.
