(** * From the claims of a theorem's obligations to conditions on functions

    Generated developments write a function as nested [if]s on decidable comparisons, [Rmin], [Rmax] and [Rabs]. Their
    proofs take such a function apart, find the claim that speaks of the case, and see that it says what is needed. *)

Require Import Reals Lra Lia ZArith List.
From Gaptron Require Import Signs Definitions Subgradients Pieces.
Import ListNotations.
Open Scope R_scope.

(** ** Hypotheses *)

(** No comparison is left with a negation in front. *)
Ltac positively :=
  repeat match goal with
  | H : ~ (_ <= _) |- _ => apply Rnot_le_lt in H
  | H : ~ (_ < _) |- _ => apply Rnot_lt_le in H
  | H : ?x >= ?y |- _ => apply Rge_le in H
  | H : ?x > ?y |- _ => apply Rgt_lt in H
  end.

(** A probability of at least 1/k is positive. *)
Ltac above_inverses :=
  repeat match goal with
  | H : / ?k <= ?p |- _ =>
      lazymatch goal with
      | _ : 0 < p |- _ => fail
      | _ => assert (0 < p) by (refine (Rlt_le_trans _ _ _ _ H); apply Rinv_0_lt_compat; lra)
      end
  end.

(** Every way in which the comparisons in the goal may come out, those inside of others first. *)
Ltac split_cases :=
  unfold Rmax, Rmin, Rabs;
  repeat match goal with
  | |- context [if ?c then _ else _] =>
      lazymatch c with context [if _ then _ else _] => fail | _ => destruct c end
  end; positively.

(** ** Premises and conclusions of a claim *)

Ltac equal := solve [reflexivity | ring | field; nonzero | field; lra | lra].

(** An identity that needs squares of roots, of one number. *)
Ltac equal_roots :=
  match goal with
  | |- context [sqrt ?a] =>
      let E := fresh in
      assert (E : sqrt a * sqrt a = a) by (apply sqrt_sqrt; lra); first [ring [E] | field [E]; nonzero]
  end.

Lemma le_by a b c d : b - a = d - c -> c <= d -> a <= b.
Proof. lra. Qed.

Lemma lt_by a b c d : b - a = d - c -> c < d -> a < b.
Proof. lra. Qed.

Lemma eq_by a b c d : a - b = c - d -> c = d -> a = b.
Proof. lra. Qed.

(** Sums of squares and numbers, as under a root. *)
Ltac nonnegative_sums := repeat first [apply square_nonnegative | apply nonnegative_sum]; lra.

Ltac side :=
  solve
    [ assumption
    | lra
    | nonzero_one
    | lazymatch goal with |- 0 <= _ + _ => nonnegative_sums end
    | match goal with
      | H : ?c <= ?d |- ?a <= ?b => apply (le_by a b c d); [field; nonzero | exact H]
      | H : ?c < ?d |- ?a < ?b => apply (lt_by a b c d); [field; nonzero | exact H]
      | H : ?c < ?d |- ?a <= ?b => apply Rlt_le; apply (lt_by a b c d); [field; nonzero | exact H]
      end ].

(** All premises of [H], a claim at some numbers. *)
Ltac discharge H :=
  repeat lazymatch type of H with
  | ?P -> _ => let p := fresh in assert (p : P) by side; specialize (H p); clear p
  end.

Ltac conclude H :=
  lazymatch type of H with
  | _ /\ _ =>
      let d := fresh in let r := fresh in destruct H as [d r]; first [exact d | conclude r]
  | ?c <= ?d =>
      first
        [ exact H
        | exfalso; lra
        | lra
        | lazymatch goal with
          | |- ?a <= ?b => apply (le_by a b c d); [solve [ring | field; nonzero | equal_roots] | exact H]
          end ]
  | ?c < ?d =>
      first
        [ exact H
        | exfalso; lra
        | lra
        | lazymatch goal with
          | |- ?a < ?b => apply (lt_by a b c d); [solve [ring | field; nonzero | equal_roots] | exact H]
          | |- ?a <= ?b => apply Rlt_le; apply (lt_by a b c d); [solve [ring | field; nonzero | equal_roots] | exact H]
          end ]
  | ?c = ?d =>
      first
        [ exact H
        | lra
        | lazymatch goal with |- ?a = ?b => apply (eq_by a b c d); [solve [ring | field; nonzero] | exact H] end ]
  | _ => first [exact H | lra]
  end.

Lemma exp_multiple n a b : b = INR n * a -> exp b = exp a ^ n.
Proof.
  intros ->. induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring.
Qed.

(** By no hypothesis: at a point where a variable is 0 all would be equal. *)
Ltac same_exponent := solve [ring | field].

Ltac powers_of a b E :=
  let multiple n := assert (E : exp b = exp a ^ n) by (apply (exp_multiple n); cbn [INR]; same_exponent) in
  first [multiple 2%nat | multiple 3%nat | multiple 4%nat].

(** The exponentials of the goal and of [H], a claim, by the same names: equal ones of [H] first, so that it ends. *)
Ltac exponentials H :=
  repeat match type of H with
  | context [exp ?a] => match type of H with
    | context [exp ?b] =>
        tryif constr_eq a b then fail else replace (exp b) with (exp a) in H by (f_equal; same_exponent)
    end
  end;
  repeat match goal with
  | |- context [exp ?a] => match type of H with
    | context [exp ?b] =>
        tryif constr_eq a b then fail else replace (exp a) with (exp b) by (f_equal; same_exponent)
    end
  end;
  repeat match type of H with
  | context [exp ?b] => match goal with
    | |- context [exp ?a] =>
        tryif constr_eq a b then fail
        else let E := fresh in powers_of a b E; rewrite E in H; rewrite ?E; clear E
    end
  end.

(** Of exponentials in the goal, one of which is the square of another, the other. *)
Ltac squared_exponentials :=
  repeat match goal with
  | |- context [exp ?b] => match goal with
    | |- context [exp ?a] =>
        tryif constr_eq a b then fail
        else replace (exp b) with (exp a ^ 2) by (symmetry; apply (exp_multiple 2); cbn [INR]; same_exponent)
    end
  end.

(** Square roots as [H], a claim, writes them. *)
Ltac square_roots H :=
  repeat match type of H with
  | context [sqrt ?b] => match type of H with
    | context [sqrt ?a] =>
        tryif constr_eq a b then fail else replace (sqrt a) with (sqrt b) in H by (f_equal; ring)
    end
  end;
  repeat match type of H with
  | context [sqrt ?b] => match goal with
    | |- context [sqrt ?a] =>
        tryif constr_eq a b then fail else replace (sqrt a) with (sqrt b) by (f_equal; ring)
    | P : context [sqrt ?a] |- _ =>
        tryif constr_eq a b then fail else replace (sqrt a) with (sqrt b) in P by (f_equal; ring)
    end
  end.

(** The goal by [H], a claim; exponentials of sums as products, if it is not found with them. *)
Ltac conclude_by H :=
  first
    [ exponentials H; conclude H
    | lazymatch type of H with context [exp (_ + _)] => rewrite !exp_plus in H end;
      rewrite ?exp_plus; exponentials H; conclude H ].

(** The goal by a claim at some numbers. *)
Ltac use L := let H := fresh in pose proof L as H; square_roots H; discharge H; conclude_by H.

(** One of several cases, each a conjunction. *)
Ltac parts := repeat match goal with |- _ /\ _ => split end.

Ltac take_apart :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : True |- _ => clear H
  end.

(** What a claim says of the numbers that it is about: also that it is defined there. *)
Ltac know L := let H := fresh in pose proof L as H; discharge H; take_apart.

(** No value: the goal is that this does not hold everywhere, taken at one number. *)
Ltac no_value :=
  split_cases; let H := fresh in intro H; take_apart;
  repeat match goal with
  | N : context [exp ?a] |- _ => replace (exp a) with 1 in N by (rewrite <- exp_0; f_equal; lra)
  end;
  first [assumption | lra | match goal with N : ?a <> 0 |- _ => apply N; solve [lra | ring] end].

(** ** Classes *)

Lemma integer_INR n : integer (INR n).
Proof. exists (Z.of_nat n). apply INR_IZR_INZ. Qed.

Lemma two_or_more (n : nat) : (2 <= n)%nat -> INR n = 2 \/ 3 <= INR n.
Proof.
  intro H. destruct (Nat.eq_dec n 2) as [-> | H']; [left; reflexivity | right].
  replace 3 with (INR 3) by (simpl; ring). apply le_INR. lia.
Qed.

Lemma IZR_le_INR (k : Z) (n : nat) : (k <= Z.of_nat n)%Z -> IZR k <= INR n.
Proof. intro H. rewrite INR_IZR_INZ. apply IZR_le, H. Qed.

Lemma INR_le_IZR (k : Z) (n : nat) : (Z.of_nat n <= k)%Z -> INR n <= IZR k.
Proof. intro H. rewrite INR_IZR_INZ. apply IZR_le, H. Qed.

(** ** Numbered things, one by one *)

Lemma below_zero (Q : nat -> Prop) : forall k, (k < 0)%nat -> Q k.
Proof. intros k Hk. lia. Qed.

Lemma below_next (Q : nat -> Prop) n :
  (forall k, (k < n)%nat -> Q k) -> Q n -> forall k, (k < S n)%nat -> Q k.
Proof. intros H Hn k Hk. destruct (Nat.eq_dec k n) as [->|Hne]; [exact Hn | apply H; lia]. Qed.

Ltac one_by_one tactic := apply below_zero || (apply below_next; [one_by_one tactic | tactic]).
