(** * Claims stated over the real numbers, closed by the computation of [check] on data *)

Require Import Reals Lra ZArith QArith List.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Terms Relations Atoms Derivation Intervals Motion Certificate.
Import ListNotations.
Open Scope R_scope.

Fixpoint every (env : list R) (G : list relation) : Prop :=
  match G with [] => True | r :: G => rel_holds env r /\ every env G end.
Lemma every_given env G : every env G -> all_given env G.
Proof. induction G as [|r G IH]; simpl; intros H x Hin; [easy|]. destruct Hin as [<-|Hin]; [tauto|]. now apply IH. Qed.
Fixpoint each_integer (env : list R) (t : list expr) : Prop :=
  match t with [] => True | e :: t => integer env e /\ each_integer env t end.
Lemma each_integers env t : each_integer env t -> all_integers env t.
Proof. induction t as [|e t IH]; simpl; intros H x Hin; [easy|]. destruct Hin as [<-|Hin]; [tauto|]. now apply IH. Qed.

Lemma claimed c p env : check c p = true -> length env = arity c -> each_integer env (integers c) ->
  every env (given c) -> rel_holds env (then_ c).
Proof. intros H E I G. exact (check_sound p c H env E (each_integers _ _ I) (every_given _ _ G)). Qed.

Lemma nonzero_left a b : a * b <> 0 -> a <> 0.
Proof. intros H E. apply H. rewrite E. ring. Qed.
Lemma nonzero_right a b : a * b <> 0 -> b <> 0.
Proof. intros H E. apply H. rewrite E. ring. Qed.
Lemma nonzero_power a n : a ^ S n <> 0 -> a <> 0.
Proof. intros H E. apply H. rewrite E. simpl. ring. Qed.
Lemma power_positive_nonzero a n : 0 < a ^ S n -> a <> 0.
Proof. intros H E. rewrite E in H. simpl in H. lra. Qed.
(** What is as it must be, from the same said of factors. *)
Ltac as_it_must_be :=
  solve
    [ assumption
    | apply Rle_ge; assumption
    | apply Rge_le; assumption
    | lra
    | apply Rmult_integral_contrapositive_currified; as_it_must_be
    | apply pow_nonzero; as_it_must_be
    | apply even_positive; [reflexivity | as_it_must_be] ].
Ltac told :=
  repeat match goal with
  | |- _ /\ _ => split
  | |- True => exact I
  end; try as_it_must_be.
Ltac factors :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  end;
  repeat match goal with
  | |- _ /\ _ => split
  end;
  first
    [ assumption | apply Rle_ge; assumption | apply Rge_le; assumption
    | repeat match goal with
      | H : ?a * ?b <> 0 |- _ => let X := fresh in let Y := fresh in
          assert (X := nonzero_left _ _ H); assert (Y := nonzero_right _ _ H); clear H
      | H : ?a ^ S _ <> 0 |- _ => apply nonzero_power in H
      | H : 0 < ?a ^ S _ |- _ => let X := fresh in assert (X := power_positive_nonzero _ _ H); clear H
      end; first [assumption | apply Rge_le; assumption] ].
Ltac by_data c p env :=
  let H := fresh in
  assert (H := @claimed c p env (eq_refl true <: check c p = true) eq_refl);
  cbn [c integers given then_ each_integer every rel_holds compares defined eval nth] in H;
  match type of H with ?A -> ?B -> _ =>
    let X := fresh in let Y := fresh in
    assert (X : A) by (unfold integer; told); specialize (H X); clear X;
    assert (Y : B) by told; specialize (H Y); clear Y
  end;
  factors.
