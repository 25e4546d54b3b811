(** Subgradients of phi(m(theta, y)) in the scores theta: every one of them, and one that exists. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Subgradients Margins Linear.
Open Scope R_scope.

Definition nonincreasing (phi : R -> R) : Prop := forall m n, m <= n -> phi n <= phi m.

Section MarginSubgradients.
  Variables (K : nat) (phi : R -> R) (y : nat).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis label : (y < K)%nat.
  Let F theta := phi (margin K theta y).

  Lemma margin_shift theta c : margin K (fun k => theta k + c) y = margin K theta y.
  Proof using classes label.
    apply margin_unique; auto.
    - intros k Hk Hky. assert (H := margin_le K theta y label k Hk Hky). lra.
    - destruct (margin_attained K theta y classes) as (k & Hk & Hky & H). exists k. repeat split; auto. lra.
  Qed.

  Lemma margin_raised theta c : margin K (moved theta y c) y = margin K theta y + c.
  Proof using classes label.
    apply margin_unique; auto; unfold moved; rewrite Nat.eqb_refl.
    - intros k Hk Hky. assert (H := margin_le K theta y label k Hk Hky). apply Nat.eqb_neq in Hky. rewrite Hky. lra.
    - destruct (margin_attained K theta y classes) as (k & Hk & Hky & H). exists k. repeat split; auto.
      apply Nat.eqb_neq in Hky. rewrite Hky. lra.
  Qed.

  Lemma margin_rival_lowered theta j : j <> y -> margin K theta y <= margin K (moved theta j (-1)) y.
  Proof using classes label.
    intros Hj. destruct (margin_attained K (moved theta j (-1)) y classes) as (k & Hk & Hky & ->).
    assert (H := margin_le K theta y label k Hk Hky). unfold moved.
    apply not_eq_sym, Nat.eqb_neq in Hj. rewrite Hj. destruct (Nat.eqb k j); lra.
  Qed.

  Section Every.
    Variables theta v : vector.
    Hypothesis subgradient_of_loss : score_subgradient K F theta v.

    Lemma entries_sum_to_zero : sum K v = 0.
    Proof using classes label subgradient_of_loss.
      assert (H : forall c, c * sum K v <= 0); [|generalize (H 1) (H (-1)); lra].
      intros c. assert (H := subgradient_of_loss (fun k => theta k + c)). unfold F in H. rewrite margin_shift in H.
      rewrite (sum_ext K _ (fun k => c * v k)), sum_scale in H by (intros; ring). lra.
    Qed.

    Lemma entry_of_label : subgradient phi (margin K theta y) (v y).
    Proof using classes label subgradient_of_loss.
      intros b. assert (H := subgradient_of_loss (moved theta y (b - margin K theta y))). unfold F in H.
      rewrite margin_raised, sum_moved in H by exact label.
      replace (margin K theta y + (b - margin K theta y)) with b in H by ring. exact H.
    Qed.

    Lemma entry_of_rival j : nonincreasing phi -> (j < K)%nat -> j <> y -> 0 <= v j.
    Proof using classes label subgradient_of_loss.
      intros Hphi Hj Hjy. assert (H := subgradient_of_loss (moved theta j (-1))). unfold F in H.
      rewrite sum_moved in H by exact Hj. specialize (Hphi _ _ (margin_rival_lowered theta j Hjy)). lra.
    Qed.

    Lemma entries_squared : K = 2%nat \/ nonincreasing phi -> sum K (fun k => v k ^ 2) <= 2 * v y ^ 2.
    Proof using classes label subgradient_of_loss.
      intros H. assert (Hzero := entries_sum_to_zero).
      destruct H as [H2|Hphi].
      - subst K. cbn [sum] in *. assert (v 1%nat = - v 0%nat) by lra.
        destruct (Nat.eq_dec y 0) as [->|]; [|replace y with 1%nat by lia]; nra.
      - rewrite (sum_split K v y label) in Hzero. rewrite (sum_split K _ y label).
        rewrite (sum_ext K (without y _) (fun k => without y v k ^ 2)).
        + assert (H : sum K (fun k => without y v k ^ 2) <= sum K (without y v) ^ 2).
          { apply sum_squares_le. intros k Hk. unfold without.
            destruct (Nat.eqb_spec k y); [lra|now apply entry_of_rival]. }
          assert (sum K (without y v) = - v y) as Hrest by lra. rewrite Hrest in H. nra.
        + intros k _. unfold without. destruct (Nat.eqb k y); [ring|reflexivity].
    Qed.
  End Every.

  (** With g a subgradient of phi: g (e_y - e_rival). *)
  Definition margin_direction (rival : nat) (g : R) : vector :=
    fun k => (if Nat.eqb k y then g else 0) - if Nat.eqb k rival then g else 0.

  Lemma margin_direction_subgradient theta rival g :
    (rival < K)%nat -> rival <> y -> margin K theta y = theta y - theta rival ->
    subgradient phi (margin K theta y) g -> K = 2%nat \/ g <= 0 ->
    score_subgradient K F theta (margin_direction rival g).
  Proof using classes label.
    intros Hr Hry Hm Hg H theta'. unfold F.
    assert (Hsum : sum K (fun k => margin_direction rival g k * (theta' k - theta k))
      = g * ((theta' y - theta' rival) - margin K theta y)).
    { rewrite (sum_ext K _ (fun k => (if Nat.eqb k y then g * (theta' y - theta y) else 0)
        - (if Nat.eqb k rival then g * (theta' rival - theta rival) else 0))).
      - rewrite sum_minus, !sum_pick by assumption. rewrite Hm. ring.
      - intros k _. unfold margin_direction.
        destruct (Nat.eqb_spec k y) as [Hk|_], (Nat.eqb_spec k rival) as [Hk'|_]; subst; try easy; ring. }
    rewrite Hsum. specialize (Hg (margin K theta' y)).
    assert (Hle := margin_le K theta' y label rival Hr Hry). destruct H as [H2|Hneg]; [|nra].
    destruct (margin_attained K theta' y classes) as (k & Hk & Hky & Heq).
    replace k with rival in Heq by lia. rewrite <- Heq. exact Hg.
  Qed.
End MarginSubgradients.
