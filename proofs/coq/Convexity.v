(** Tangents of convex functions, from derivatives. *)

From Coq Require Import Reals Lra.
From Gaptron Require Import Definitions.
Open Scope R_scope.

(** [g] is a subgradient of [f] at [m] as far as points of [D] are concerned. *)
Definition supports (D : R -> Prop) (f : R -> R) (m g : R) : Prop := forall b, D b -> f m + g * (b - m) <= f b.

Definition everywhere (_ : R) : Prop := True.

Definition is_interval (D : R -> Prop) : Prop := forall b c m, D b -> D c -> b <= m <= c -> D m.

Definition nondecreasing_on (D : R -> Prop) (f : R -> R) : Prop := forall b c, D b -> D c -> b <= c -> f b <= f c.

(** * One smooth piece *)

Lemma nondecreasing_from_derivative D f f' : is_interval D ->
  (forall m, D m -> derivable_pt_lim f m (f' m)) -> (forall m, D m -> 0 <= f' m) -> nondecreasing_on D f.
Proof.
  intros HD Hf Hpos b c Hb Hc [Hbc|<-]; [|lra].
  destruct (MVT_cor2 f f' b c Hbc) as (m & Heq & Hm).
  - intros m Hm. apply Hf. now apply (HD b c).
  - assert (0 <= f' m) by (apply Hpos; apply (HD b c); auto; lra). nra.
Qed.

Lemma supports_from_derivative D f f' m : is_interval D ->
  (forall m, D m -> derivable_pt_lim f m (f' m)) -> nondecreasing_on D f' -> D m -> supports D f m (f' m).
Proof.
  intros HD Hf Hmono Hm b Hb. destruct (Rtotal_order b m) as [Hbm|[->|Hbm]]; [|lra|].
  - destruct (MVT_cor2 f f' b m Hbm) as (n & Heq & Hn).
    + intros n Hn. apply Hf. now apply (HD b m).
    + assert (f' n <= f' m) by (apply Hmono; auto; [apply (HD b m); auto|]; lra). nra.
  - destruct (MVT_cor2 f f' m b Hbm) as (n & Heq & Hn).
    + intros n Hn. apply Hf. now apply (HD m b).
    + assert (f' m <= f' n) by (apply Hmono; auto; [apply (HD m b); auto|]; lra). nra.
Qed.

Theorem supports_from_second_derivative D f f' f'' m : is_interval D ->
  (forall m, D m -> derivable_pt_lim f m (f' m)) -> (forall m, D m -> derivable_pt_lim f' m (f'' m)) ->
  (forall m, D m -> 0 <= f'' m) -> D m -> supports D f m (f' m).
Proof.
  intros HD Hf Hf' Hpos. apply supports_from_derivative; auto. now apply nondecreasing_from_derivative with (f' := f'').
Qed.
