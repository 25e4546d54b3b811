(** The best decoder for losses psi(p_y): from what the probability of one label needs to what any number of them need.

    A label with probability p needs at most f(p). f does not decrease, and is not positive up to [none]: so fewer than
    1/none labels count. If two do, it is worst that they share everything; if n > 2, each has at most 1 - 2 none, and
    where f lies below its tangents up to there it is worst that they are equal. *)

From Coq Require Import Reals Lra Lia Arith.
From Gaptron Require Import Definitions Sums Matrices Assembly Linear Margins Softmax SoftmaxSubgradients.
From Gaptron Require Import LogitSubgradients Probabilities SoftmaxTheorem Convexity.
From Gaptron Require Import ScoreLosses DecoderDefinitions Decoders DecoderTheorem.
Open Scope R_scope.

Record few_labels_need (f : R -> R) (none : R) : Prop := {
  none_range : 0 < none < 1;
  need_increases : forall p q, 0 < p <= q -> q < 1 -> f p <= f q;
  not_needed : f none <= 0;
  need_of_one : forall p, 0 < p < 1 -> f p <= 1;
  need_of_two : forall p, 0 < p < 1 -> f p + f (1 - p) <= 1;
  need_below_tangents : 3 * none < 1 -> forall m, 0 < m <= 1 - 2 * none ->
    exists g, forall p, 0 < p <= 1 - 2 * none -> f p <= f m + g * (p - m);
  need_of_equal_ones : forall n, (3 <= n)%nat -> INR n * none < 1 -> INR n * f (/ INR n) <= 1
}.

(** A sum of zeros and ones is a number of labels. *)
Lemma counted n (s : nat -> R) : (forall k, s k = 0 \/ s k = 1) -> exists m : nat, sum n s = INR m.
Proof.
  intros Hs. induction n as [|n [m IH]]; cbn [sum]; [now exists 0%nat|].
  destruct (Hs n) as [-> | ->]; [exists m|exists (S m); rewrite S_INR]; rewrite IH; ring.
Qed.

Section Needs.
  Variables (K : nat) (f : R -> R) (none : R) (p : nat -> R).
  Hypothesis needs : few_labels_need f none.
  Hypothesis range : forall k, (k < K)%nat -> 0 < p k < 1.
  Hypothesis total_one : sum K p = 1.

  Let s (k : nat) : R := if Rlt_dec 0 (f (p k)) then 1 else 0.

  Lemma counts_or_not k : s k = 0 \/ s k = 1.
  Proof using. unfold s. destruct (Rlt_dec 0 (f (p k))); auto. Qed.

  Lemma counting_is_likely k : (k < K)%nat -> s k = 1 -> none < p k.
  Proof using needs range.
    intros Hk. unfold s. destruct (Rlt_dec 0 (f (p k))) as [Hpos|]; [intros _|lra].
    destruct (Rle_dec (p k) none) as [H|H]; [|lra].
    assert (Hp := range k Hk). assert (Hn := none_range _ _ needs).
    assert (Hup := need_increases _ _ needs (p k) none ltac:(lra) ltac:(lra)). assert (H0 := not_needed _ _ needs). lra.
  Qed.

  Lemma positive_part_of k : Rmax 0 (f (p k)) = s k * f (p k).
  Proof using.
    unfold s. destruct (Rlt_dec 0 (f (p k))); [rewrite Rmax_right|rewrite Rmax_left]; lra.
  Qed.

  (** Each of three labels that count leaves more than [none] to each of the others. *)
  Lemma left_to_one y i j : (y < K)%nat -> (i < K)%nat -> (j < K)%nat -> i <> y -> j <> y -> i <> j ->
    s i = 1 -> s j = 1 -> p y <= 1 - 2 * none.
  Proof using needs range total_one.
    intros Hy Hi Hj Hiy Hjy Hij Hsi Hsj. assert (Ti := counting_is_likely i Hi Hsi).
    assert (Tj := counting_is_likely j Hj Hsj). pose proof total_one as H.
    rewrite (sum_split K p y Hy), (sum_split K (without y p) i Hi), (sum_split K _ j Hj) in H.
    unfold without at 1 2 3 in H. apply Nat.eqb_neq in Hiy, Hjy. rewrite Hiy, Hjy in H.
    apply not_eq_sym, Nat.eqb_neq in Hij. rewrite Hij in H.
    assert (0 <= sum K (without j (without i (without y p)))); [|lra].
    apply sum_nonneg. intros k Hk. specialize (range k Hk). unfold without.
    destruct (Nat.eqb k j), (Nat.eqb k i), (Nat.eqb k y); lra.
  Qed.

  Lemma many_need n : sum K s = INR n -> (3 <= n)%nat -> (forall k, (k < K)%nat -> s k = 1 -> p k <= 1 - 2 * none) ->
    sum K (fun k => s k * f (p k)) <= 1.
  Proof using needs range total_one.
    intros Hn Hthree Hmost. assert (H3 : 3 <= INR n) by (replace 3 with (INR 3) by (simpl; ring); now apply le_INR).
    assert (Hpos := none_range _ _ needs).
    assert (Hcount : forall k, (k < K)%nat -> s k * none <= s k * p k).
    { intros k Hk. destruct (counts_or_not k) as [E|E]; rewrite E; [lra|]. assert (T := counting_is_likely k Hk E). lra. }
    assert (Htotal : sum K (fun k => s k * p k) <= 1).
    { rewrite <- total_one. apply sum_le. intros k Hk. specialize (range k Hk).
      destruct (counts_or_not k) as [-> | ->]; lra. }
    assert (Hsum : INR n * none < sum K (fun k => s k * p k)).
    { destruct (positive_or_none K s) as [(i & Hi & Hsi)|Hzero].
      - assert (E : s i = 1) by (destruct (counts_or_not i); lra). assert (T := counting_is_likely i Hi E).
        rewrite <- Hn, Rmult_comm, <- sum_scale.
        rewrite (sum_split K (fun k => none * s k) i Hi), (sum_split K (fun k => s k * p k) i Hi), E.
        assert (sum K (without i (fun k => none * s k)) <= sum K (without i (fun k => s k * p k))); [|lra].
        apply sum_le. intros k Hk. specialize (Hcount k Hk). unfold without. destruct (Nat.eqb k i); lra.
      - assert (Hle : sum K s <= 0).
        { rewrite <- (sum_zero K (fun _ => 0)) by reflexivity. now apply sum_le. } lra. }
    assert (Hless : INR n * none < 1) by lra. assert (Hrare : 3 * none < 1) by nra.
    set (m := sum K (fun k => s k * p k) / INR n).
    assert (Hm : INR n * m = sum K (fun k => s k * p k)) by (unfold m; field; lra).
    assert (Hm0 : 0 < m).
    { unfold m. apply Rdiv_lt_0_compat; [|lra]. apply Rle_lt_trans with (INR n * none); [|exact Hsum].
      apply Rmult_le_pos; lra. }
    assert (Hm1 : m <= / INR n).
    { apply Rmult_le_reg_l with (INR n); [lra|]. rewrite Rinv_r by lra. lra. }
    assert (Hthird : / INR n < 1).
    { apply Rmult_lt_reg_l with (INR n); [lra|]. rewrite Rinv_r by lra. lra. }
    assert (Hm2 : m <= 1 - 2 * none).
    { apply Rmult_le_reg_l with (INR n); [lra|]. rewrite Hm, <- Hn, (Rmult_comm (sum K s)), <- sum_scale.
      apply sum_le. intros k Hk. destruct (counts_or_not k) as [E|E]; rewrite E; [lra|]. specialize (Hmost k Hk E). lra. }
    destruct (need_below_tangents _ _ needs Hrare m (conj Hm0 Hm2)) as [g Hg].
    apply Rle_trans with (sum K (fun k => (f m - g * m) * s k + g * (s k * p k))).
    - apply sum_le. intros k Hk. destruct (counts_or_not k) as [E|E]; rewrite E; [lra|].
      specialize (Hg (p k) ltac:(split; [now apply range|now apply Hmost])). lra.
    - rewrite sum_plus, !sum_scale, Hn, <- Hm.
      assert (Hf := need_increases _ _ needs m (/ INR n) (conj Hm0 Hm1) Hthird).
      assert (Heq := need_of_equal_ones _ _ needs n Hthree Hless).
      apply Rmult_le_compat_l with (r := INR n) in Hf; lra.
  Qed.

  Theorem any_number_need : sum K (fun k => Rmax 0 (f (p k))) <= 1.
  Proof using needs range total_one.
    rewrite (sum_ext K _ (fun k => s k * f (p k))) by (intros; apply positive_part_of).
    assert (Hzero : forall k, s k <= 0 -> s k = 0) by (intros k; destruct (counts_or_not k); lra).
    assert (Hone : forall k, 0 < s k -> s k = 1) by (intros k; destruct (counts_or_not k); lra).
    destruct (positive_or_none K s) as [(i & Hi & Hsi)|Hnone].
    2: { rewrite sum_zero; [lra|]. intros k Hk. rewrite (Hzero k (Hnone k Hk)). ring. }
    apply Hone in Hsi. rewrite (sum_split K _ i Hi), Hsi.
    destruct (positive_or_none K (without i s)) as [(j & Hj & Hsj)|Hnone].
    2: { rewrite sum_zero.
      - assert (H := need_of_one _ _ needs (p i) (range i Hi)). lra.
      - intros k Hk. specialize (Hnone k Hk). unfold without in *. destruct (Nat.eqb k i); [reflexivity|].
        rewrite (Hzero k Hnone). ring. }
    assert (Hji : Nat.eqb j i = false) by (unfold without in Hsj; destruct (Nat.eqb j i); [lra|reflexivity]).
    unfold without in Hsj. rewrite Hji in Hsj. apply Hone in Hsj.
    destruct (positive_or_none K (without j (without i s))) as [(l & Hl & Hsl)|Hnone].
    - assert (Hlj : Nat.eqb l j = false) by (unfold without in Hsl; destruct (Nat.eqb l j); [lra|reflexivity]).
      assert (Hli : Nat.eqb l i = false).
      { unfold without in Hsl. rewrite Hlj in Hsl. destruct (Nat.eqb l i); [lra|reflexivity]. }
      unfold without in Hsl. rewrite Hlj, Hli in Hsl. apply Hone in Hsl.
      apply Nat.eqb_neq in Hji, Hlj, Hli.
      destruct (counted K s counts_or_not) as [n Hn].
      assert (Hthree : (3 <= n)%nat).
      { apply INR_le. rewrite <- Hn, (sum_split K s i Hi), (sum_split K (without i s) j Hj).
        rewrite (sum_split K (without j (without i s)) l Hl).
        unfold without at 1 2 3. apply Nat.eqb_neq in Hji, Hlj, Hli. rewrite Hji, Hlj, Hli, Hsi, Hsj, Hsl.
        assert (0 <= sum K (without l (without j (without i s)))); [|simpl; lra].
        apply sum_nonneg. intros k _. unfold without.
        destruct (Nat.eqb k l), (Nat.eqb k j), (Nat.eqb k i), (counts_or_not k); lra. }
      assert (H := many_need n Hn Hthree). rewrite (sum_split K _ i Hi), Hsi in H. apply H.
      intros k Hk Hsk. destruct (Nat.eq_dec i k) as [->|Hik].
      + apply (left_to_one k j l); auto.
      + destruct (Nat.eq_dec j k) as [->|Hjk]; [apply (left_to_one k i l)|apply (left_to_one k i j)]; auto.
    - rewrite (sum_split K _ j Hj). unfold without at 1. rewrite Hji, Hsj. rewrite sum_zero.
      + assert (Hsplit := total_one). rewrite (sum_split K p i Hi), (sum_split K (without i p) j Hj) in Hsplit.
        unfold without at 1 in Hsplit. rewrite Hji in Hsplit.
        assert (Hrest : 0 <= sum K (without j (without i p))).
        { apply sum_nonneg. intros k Hk. specialize (range k Hk). unfold without.
          destruct (Nat.eqb k j), (Nat.eqb k i); lra. }
        assert (Hpi := range i Hi). assert (Hpj := range j Hj).
        assert (Hmono := need_increases _ _ needs (p j) (1 - p i) ltac:(lra) ltac:(lra)).
        assert (H := need_of_two _ _ needs (p i) Hpi). lra.
      + intros k Hk. specialize (Hnone k Hk). unfold without in *.
        destruct (Nat.eqb k j); [reflexivity|]. destruct (Nat.eqb k i); [reflexivity|]. rewrite (Hzero k Hnone). ring.
  Qed.
End Needs.

(** * From derivatives *)

(** f below its tangents where f'' <= 0. *)
Lemma tangents_above D f f' f'' m : is_interval D ->
  (forall p, D p -> derivable_pt_lim f p (f' p)) -> (forall p, D p -> derivable_pt_lim f' p (f'' p)) ->
  (forall p, D p -> f'' p <= 0) -> D m -> forall p, D p -> f p <= f m + f' m * (p - m).
Proof.
  intros HD Hf Hf' Hneg Hm p Hp.
  assert (H : supports D (fun p => - f p) m (- f' m)).
  { apply supports_from_second_derivative with (f' := fun p => - f' p) (f'' := fun p => - f'' p); auto.
    - intros q Hq. apply (derivable_pt_lim_opp f). auto.
    - intros q Hq. apply (derivable_pt_lim_opp f'). auto.
    - intros q Hq. specialize (Hneg q Hq). lra. }
  specialize (H p Hp). lra.
Qed.

(** * The guarantee *)

(** [psi] and [eta] as in [softmax_conditions]; [f] is what a label needs at most, its gradient at most
    2 (psi'(p) p (1 - p))^2. *)
Record softmax_needs (k : R) (psi f : R -> R) (none eta c : R) : Prop := {
  psi_needing_nonnegative : forall p, 0 < p < 1 -> 0 <= psi p;
  psi_needing_convex : forall p, 0 < p < 1 -> exists r, logit_subgradient psi p r;
  psi_needing_nonincreasing : k <> 2 -> forall p r, 0 < p < 1 -> logit_subgradient psi p r -> r <= 0;
  softmax_needing_rate : 0 < eta;
  need_of_probability : forall p r, 0 < p < 1 -> logit_subgradient psi p r ->
    1 - psi p + eta * (r * p * (1 - p)) ^ 2 <= f p;
  softmax_few_labels : few_labels_need f none;
  softmax_needing_regret : 1 / (2 * eta) <= c
}.

Lemma squares_in_one t S q eta : 0 <= eta -> 0 <= q -> S <= q ^ 2 ->
  eta / 2 * (t ^ 2 * (q ^ 2 + S)) <= eta * (t * q) ^ 2.
Proof.
  intros Heta Hq HS. assert (Ht : 0 <= eta / 2 * t ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
  apply Rmult_le_compat_l with (r := eta / 2 * t ^ 2) in HS; [|exact Ht]. lra.
Qed.

Section Softmax.
  Variables (K d : nat) (psi f : R -> R) (none eta c X : R).
  Hypothesis classes : (2 <= K)%nat.
  Hypothesis needs : softmax_needs (INR K) psi f none eta c.
  Hypothesis X_positive : 0 < X.

  Lemma its_surrogate : softmax_surrogate (INR K) psi.
  Proof using needs. destruct needs. now split. Qed.

  Theorem decoder_softmax_theorem :
    guarantee (decoding K K d (of_scores d (of_softmax K psi))) X (eta / X ^ 2) (linear (c * X ^ 2)).
  Proof using classes needs X_positive.
    assert (Heta := softmax_needing_rate _ _ _ _ _ _ needs).
    destruct (scaled_rate eta c X X_positive Heta (softmax_needing_regret _ _ _ _ _ _ needs)) as [Hrate Hregret].
    change (of_scores d (of_softmax K psi)) with (fun x y V => psi (softmax K (scores d V x) y)).
    apply decoder_theorem with (need := fun W x y => f (softmax K (scores d W x) y)); auto.
    - intros x y V Hy. apply (psi_needing_nonnegative _ _ _ _ _ _ needs). now apply softmax_range.
    - intros x y V Hy.
      exact (softmax_gradient_exists K d psi classes its_surrogate (fun _ => 0) V x 0%nat y V Hy).
    - intros W x y G Hy Hx HG. set (p := softmax K (scores d W x) y).
      assert (Hp : 0 < p < 1) by now apply softmax_range.
      assert (H := softmax_gradient_cost K d psi classes its_surrogate eta X W x y G (1 - psi p - f p) Heta X_positive Hy Hx
        HG ((1 - p) ^ 2) (others_le K (scores d W x) y classes Hy)). fold p in H.
      cut (1 - psi p - f p + eta / X ^ 2 / 2 * norm2 K d G <= 0); [lra|]. apply H. intros r Hr.
      assert (Hn := need_of_probability _ _ _ _ _ _ needs p r Hp Hr).
      assert (Hsq := squares_in_one (r * p) ((1 - p) ^ 2) (1 - p) eta ltac:(lra) ltac:(lra) ltac:(lra)). lra.
    - intros W x _. apply (any_number_need K f none); [exact (softmax_few_labels _ _ _ _ _ _ needs)| |].
      + intros k Hk. now apply softmax_range.
      + apply softmax_sums_to_one. lia.
  Qed.
End Softmax.
