(** Follow the regularized leader when gradients arrive [D] rounds late, at the rate of AdaHedgeD (Flaspohler, Orabona,
    Cohen, Mouatadid, Oprescu, Orenstein, Mackey 2021): its regret, without their largest window.

    Rounds are 0, 1, ...; before round [t] the gradients of the rounds before [t - D] are known. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From Gaptron Require Import Definitions Sums Matrices OptimalSums NamedFacts.
Open Scope R_scope.

Definition norm (n : nat) (v : vector) : R := sqrt (dot n v v).

(** The sum over the rounds from [t - D] to before [m]. *)
Definition late (D t m : nat) (f : nat -> R) : R := sum m (fun s => if s <? t - D then 0 else f s).

Lemma sum_longer m k f : (m <= k)%nat -> (forall s, 0 <= f s) -> sum m f <= sum k f.
Proof. intros H Hf. induction H as [|k H IH]; simpl; [lra|]. specialize (Hf k). lra. Qed.

Lemma sum_and_late D t m f : (t - D <= m)%nat -> sum m f = sum (t - D) f + late D t m f.
Proof.
  unfold late. intros H. induction H as [|m H IH]; simpl.
  - rewrite (sum_zero (t - D) (fun s => if s <? t - D then 0 else f s)); [lra|].
    intros s Hs. now rewrite (proj2 (Nat.ltb_lt s (t - D)) Hs).
  - rewrite IH, (proj2 (Nat.ltb_ge m (t - D)) H). lra.
Qed.

Lemma late_le D t m f g : (forall s, f s <= g s) -> late D t m f <= late D t m g.
Proof. intros H. apply sum_le. intros s _. destruct (s <? t - D); [lra|apply H]. Qed.

Lemma late_scale D t m c f : late D t m (fun s => c * f s) = c * late D t m f.
Proof. unfold late. rewrite <- sum_scale. apply sum_ext. intros s _. destruct (s <? t - D); ring. Qed.

Section Norms.
  Context (n : nat).

  Lemma norm_nonneg v : 0 <= norm n v.
  Proof. apply sqrt_pos. Qed.

  Lemma norm_square v : norm n v ^ 2 = dot n v v.
  Proof. apply pow2_sqrt, dot_square_nonneg. Qed.

  Lemma dot_le_norms u v : dot n u v <= norm n u * norm n v.
  Proof.
    assert (H := cauchy_schwarz n u v). rewrite <- !norm_square in H.
    assert (0 <= norm n u * norm n v) by (apply Rmult_le_pos; apply norm_nonneg). nra.
  Qed.

  Lemma dot_minus u v w : dot n u (minus v w) = dot n u v - dot n u w.
  Proof. unfold dot, minus. rewrite <- sum_minus. apply sum_ext. intros. ring. Qed.
End Norms.

Section Leader.
  Context (n D : nat) (inside : vector -> Prop) (psi : vector -> R) (alpha : R).
  Context (h W V Z : nat -> vector) (delta : nat -> R).

  Definition so_far (k : nat) : vector := fun i => sum k (fun s => h s i).

  Definition rate (t : nat) : R := sum (t - D) delta / alpha.

  (** The regularizer at the rate of round [t], and [k] gradients. *)
  Definition objective (t k : nat) (v : vector) : R := rate t * psi v + dot n (so_far k) v.

  Definition leads (t k : nat) (w : vector) : Prop :=
    inside w /\ forall v, inside v -> objective t k w <= objective t k v.

  (** What a round pays for the gradients that it did not know: the least of three, not below 0. [Z] is any point; that
      of AdaHedgeD leads for gradients in between. *)
  Definition price (t : nat) : R :=
    Rmin (objective t (S t) (W t) - objective t (S t) (V t))
      (Rmin (dot n (h t) (minus (W t) (V t)))
         (objective t (S t) (Z t) - objective t (S t) (V t) + dot n (h t) (minus (W t) (Z t)))).

  (** [W] leads for what is known, [V] for all gradients, its own included. *)
  Definition delayed_leader : Prop := forall t,
    leads t (t - D) (W t) /\ leads t (S t) (V t) /\ inside (Z t) /\ delta t = Rmax 0 (price t).

  Definition has_diameter (B : R) : Prop := forall u v, inside u -> inside v -> norm n (minus u v) <= B.

  (** sum ||h_t|| ||h_s|| over the pairs with 1 <= t - s <= D *)
  Definition late_products (T : nat) : R := sum T (fun t => norm n (h t) * late D t t (fun s => norm n (h s))).

  Context (B : R) (leader : delayed_leader) (alpha_positive : 0 < alpha) (diameter : has_diameter B).
  Context (convex : strongly_convex_in (norm n) inside psi 1) (nonneg : forall v, inside v -> 0 <= psi v).

  Lemma delta_nonneg t : 0 <= delta t.
  Proof. destruct (leader t) as (_ & _ & _ & ->). apply Rmax_l. Qed.

  Lemma rate_nonneg t : 0 <= rate t.
  Proof.
    apply Rmult_le_pos; [|left; now apply Rinv_0_lt_compat]. apply sum_nonneg. intros. apply delta_nonneg.
  Qed.

  Lemma rate_grows t : rate t <= rate (S t).
  Proof.
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply sum_longer; [lia|apply delta_nonneg].
  Qed.

  Lemma dot_so_far k v : dot n (so_far k) v = sum k (fun s => dot n (h s) v).
  Proof.
    unfold dot, so_far. rewrite <- sum_swap. apply sum_ext. intros i _. rewrite Rmult_comm, <- sum_scale.
    apply sum_ext. intros. ring.
  Qed.

  Lemma invariant T v : inside v ->
    sum T (fun t => dot n (h t) (W t) - delta t) <= rate T * psi v + dot n (so_far T) v.
  Proof.
    revert v. induction T as [|T IH]; intros v Hv.
    - rewrite dot_so_far. simpl. assert (H := Rmult_le_pos _ _ (rate_nonneg 0) (nonneg v Hv)). lra.
    - destruct (leader T) as ((HW & _) & (HV & Hleast) & HZ & Hdelta). specialize (Hleast v Hv).
      assert (Hgrows := Rmult_le_compat_r _ _ _ (nonneg v Hv) (rate_grows T)).
      assert (Hprice : price T <= delta T) by (rewrite Hdelta; apply Rmax_r).
      assert (H1 := IH _ HW). assert (H2 := IH _ HV). assert (H3 := IH _ HZ).
      unfold price, objective in Hprice, Hleast. rewrite !dot_minus in Hprice. rewrite !dot_so_far in *. simpl sum in *.
      revert Hprice. unfold Rmin. repeat destruct (Rle_dec _ _); intros; lra.
  Qed.

  Lemma regret_by_prices T u : inside u -> psi u <= alpha ->
    sum T (fun t => dot n (h t) (minus (W t) u)) <= 2 * sum T delta.
  Proof.
    intros Hu Hpsi. assert (H := invariant T u Hu). rewrite sum_minus, dot_so_far in H.
    rewrite (sum_ext _ _ (fun t => dot n (h t) (W t) - dot n (h t) u)) by (intros; apply dot_minus).
    rewrite sum_minus. assert (Hrate := Rmult_le_compat_l _ _ _ (rate_nonneg T) Hpsi).
    assert (Hsum : rate T * alpha = sum (T - D) delta) by (unfold rate; field; lra).
    assert (Hlonger := sum_longer (T - D) T delta ltac:(lia) delta_nonneg). lra.
  Qed.

  (** * What a round pays at most *)

  Lemma delta_below t : delta t <= norm n (h t) * norm n (minus (W t) (V t)).
  Proof.
    destruct (leader t) as (_ & _ & _ & ->). assert (H := dot_le_norms n (h t) (minus (W t) (V t))).
    apply Rmax_lub; [apply Rmult_le_pos; apply norm_nonneg|].
    eapply Rle_trans; [apply Rmin_r|]. eapply Rle_trans; [apply Rmin_l|]. assumption.
  Qed.

  Lemma delta_by_diameter t : delta t <= B * norm n (h t).
  Proof.
    destruct (leader t) as ((HW & _) & (HV & _) & _ & _). assert (H := delta_below t).
    assert (Hfar := Rmult_le_compat_l _ _ _ (norm_nonneg n (h t)) (diameter _ _ HW HV)). lra.
  Qed.

  Lemma objective_strongly_convex t k : strongly_convex_in (norm n) inside (objective t k) (rate t).
  Proof.
    destruct convex as [Hconvex Hstrong]. split; [assumption|]. intros u v s Hu Hv Hs.
    assert (H := Rmult_le_compat_l _ _ _ (rate_nonneg t) (Hstrong u v s Hu Hv Hs)). unfold objective.
    assert (Hdot : dot n (so_far k) (fun i => s * u i + (1 - s) * v i) =
      s * dot n (so_far k) u + (1 - s) * dot n (so_far k) v).
    { unfold dot. rewrite <- !sum_scale, <- sum_plus. apply sum_ext. intros. ring. }
    rewrite Hdot. lra.
  Qed.

  Lemma leads_by t k w v : leads t k w -> inside v ->
    objective t k w + rate t * norm n (minus v w) ^ 2 / 2 <= objective t k v.
  Proof.
    intros [Hw Hleast] Hv. destruct (rate_nonneg t) as [Hpos|<-].
    - now apply (strong_convexity (norm n) inside (objective t k)); try apply objective_strongly_convex.
    - specialize (Hleast v Hv). lra.
  Qed.

  Lemma norm_minus_comm u v : norm n (minus u v) = norm n (minus v u).
  Proof. unfold norm. f_equal. unfold dot, minus. apply sum_ext. intros. ring. Qed.

  Lemma moves_little t : rate t * norm n (minus (W t) (V t)) <= late D t (S t) (fun s => norm n (h s)).
  Proof.
    destruct (leader t) as (HW & HV & _ & _). set (r := norm n (minus (W t) (V t))).
    assert (H1 := leads_by _ _ _ _ HW (proj1 HV)). assert (H2 := leads_by _ _ _ _ HV (proj1 HW)).
    rewrite norm_minus_comm in H1. fold r in H1, H2. unfold objective in H1, H2. rewrite !dot_so_far in H1, H2.
    assert (Hsplit := fun w => sum_and_late D t (S t) (fun s => dot n (h s) w) ltac:(lia)).
    rewrite (Hsplit (V t)), (Hsplit (W t)) in H2.
    assert (Hlate : late D t (S t) (fun s => dot n (h s) (W t)) - late D t (S t) (fun s => dot n (h s) (V t)) <=
      r * late D t (S t) (fun s => norm n (h s))).
    { unfold late. rewrite <- sum_minus, <- sum_scale. apply sum_le. intros s _. destruct (s <? t - D); [lra|].
      rewrite <- dot_minus. assert (H := dot_le_norms n (h s) (minus (W t) (V t))). fold r in H. lra. }
    assert (Hr : 0 <= r) by apply norm_nonneg. destruct Hr as [Hr|<-].
    - apply Rmult_le_reg_l with r; [assumption|]. lra.
    - rewrite Rmult_0_r. apply sum_nonneg. intros s _. destruct (s <? t - D); [lra|apply norm_nonneg].
  Qed.

  Lemma delta_by_rate t : rate t * delta t <= norm n (h t) * late D t (S t) (fun s => norm n (h s)).
  Proof.
    assert (H1 := Rmult_le_compat_l _ _ _ (rate_nonneg t) (delta_below t)).
    assert (H2 := Rmult_le_compat_l _ _ _ (norm_nonneg n (h t)) (moves_little t)). lra.
  Qed.

  Lemma late_own_round t f : late D t (S t) f = late D t t f + f t.
  Proof. unfold late. simpl. replace (t <? t - D) with false; [reflexivity|]. symmetry. apply Nat.ltb_ge. lia. Qed.

  Lemma late_prices t : delta t * late D t t delta <= B ^ 2 * (norm n (h t) * late D t t (fun s => norm n (h s))).
  Proof.
    assert (H : late D t t delta <= B * late D t t (fun s => norm n (h s))).
    { rewrite <- late_scale. apply late_le. apply delta_by_diameter. }
    assert (Hnonneg : 0 <= late D t t delta).
    { apply sum_nonneg. intros s _. destruct (s <? t - D); [lra|apply delta_nonneg]. }
    assert (H1 := Rmult_le_compat _ _ _ _ (delta_nonneg t) Hnonneg (delta_by_diameter t) H). lra.
  Qed.

  Definition squares (T : nat) : R := sum T (fun t => dot n (h t) (h t)).

  Lemma prices_squared T :
    sum T delta ^ 2 <= (B ^ 2 + 2 * alpha) * squares T + 2 * (B ^ 2 + alpha) * late_products T.
  Proof.
    unfold squares, late_products. induction T as [|T IH]; simpl sum; [simpl; lra|].
    assert (Hsum := sum_and_late D T T delta ltac:(lia)).
    assert (Hrate : sum (T - D) delta = alpha * rate T) by (unfold rate; field; lra).
    assert (Hpaid := delta_by_diameter T).
    assert (Hown := Rmult_le_compat _ _ _ _ (delta_nonneg T) (delta_nonneg T) Hpaid Hpaid).
    assert (Hlate := late_prices T).
    assert (Hmoves := Rmult_le_compat_l _ _ _ (Rlt_le _ _ alpha_positive) (delta_by_rate T)).
    rewrite late_own_round in Hmoves. rewrite <- norm_square.
    assert (Hmiddle : delta T * sum T delta = alpha * (rate T * delta T) + delta T * late D T T delta)
      by (rewrite Hsum, Hrate; ring). nra.
  Qed.

  Theorem regret_of_a_delayed_leader T u v : inside u -> psi u <= alpha -> 0 < v ->
    sum T (fun t => dot n (h t) (minus (W t) u)) <=
      v + ((B ^ 2 + 2 * alpha) * squares T + 2 * (B ^ 2 + alpha) * late_products T) / v.
  Proof.
    intros Hu Hpsi Hv. eapply Rle_trans; [now apply regret_by_prices|]. assert (H := prices_squared T).
    set (most := _ * squares T + _) in *. apply Rmult_le_reg_r with v; [assumption|].
    replace ((v + most / v) * v) with (v ^ 2 + most) by (field; lra). assert (H2 := pow2_ge_0 (sum T delta - v)). lra.
  Qed.
End Leader.

(** * Pairs of rounds that are at most [D] apart *)

Lemma late_all D t f T : (t <= T)%nat ->
  late D t t f = sum T (fun s => f s * (if (s <? t) && (t <=? s + D) then 1 else 0)).
Proof.
  unfold late. intros H. induction H as [|T H IH]; simpl.
  - apply sum_ext. intros s Hs. rewrite (proj2 (Nat.ltb_lt s t) Hs). simpl.
    destruct (Nat.ltb_spec s (t - D)), (Nat.leb_spec t (s + D)); try lia; ring.
  - rewrite IH, (proj2 (Nat.ltb_ge T t) H). simpl. ring.
Qed.

Lemma rounds_after D s T : sum T (fun t => if (s <? t) && (t <=? s + D) then 1 else 0) = INR (Nat.min (T - 1 - s) D).
Proof.
  induction T as [|T IH]; simpl sum; [reflexivity|]. rewrite IH.
  destruct (Nat.ltb_spec s T), (Nat.leb_spec T (s + D)); simpl andb; cbv iota.
  - replace (Nat.min (S T - 1 - s) D) with (S (Nat.min (T - 1 - s) D)) by lia. now rewrite S_INR.
  - replace (Nat.min (S T - 1 - s) D) with (Nat.min (T - 1 - s) D) by lia. ring.
  - replace (Nat.min (S T - 1 - s) D) with (Nat.min (T - 1 - s) D) by lia. ring.
  - replace (Nat.min (S T - 1 - s) D) with (Nat.min (T - 1 - s) D) by lia. ring.
Qed.

Lemma rounds_before D t : late D t t (fun _ => 1) <= INR D.
Proof.
  assert (H := sum_and_late D t t (fun _ => 1) ltac:(lia)). rewrite !sum_const in H.
  assert (Hle : INR t <= INR (t - D) + INR D) by (rewrite <- plus_INR; apply le_INR; lia). lra.
Qed.

Lemma late_pairs D T f : sum T (fun t => f t * late D t t f) <= INR D * sum T (fun t => f t ^ 2).
Proof.
  assert (Hpairs : forall t, f t * late D t t f <=
    f t ^ 2 / 2 * late D t t (fun _ => 1) + late D t t (fun s => f s ^ 2 / 2)).
  { intros t. unfold late. rewrite <- !sum_scale, <- sum_plus. apply sum_le. intros s _.
    destruct (s <? t - D); [lra|]. assert (H := pow2_ge_0 (f t - f s)). lra. }
  assert (Hbefore : sum T (fun t => f t ^ 2 / 2 * late D t t (fun _ => 1)) <= sum T (fun t => INR D / 2 * f t ^ 2)).
  { apply sum_le. intros t _. assert (H := rounds_before D t). assert (Hf := pow2_ge_0 (f t)). nra. }
  assert (Hafter : sum T (fun t => late D t t (fun s => f s ^ 2 / 2)) <= sum T (fun t => INR D / 2 * f t ^ 2)).
  { rewrite (sum_ext T _ (fun t => sum T (fun s => f s ^ 2 / 2 * (if (s <? t) && (t <=? s + D) then 1 else 0))))
      by (intros; apply late_all; lia).
    rewrite sum_swap. apply sum_le. intros s _. rewrite sum_scale, rounds_after.
    assert (H : INR (Nat.min (T - 1 - s) D) <= INR D) by (apply le_INR; lia). assert (Hf := pow2_ge_0 (f s)). nra. }
  rewrite sum_scale in Hbefore, Hafter. eapply Rle_trans; [apply sum_le; intros t _; apply Hpairs|].
  rewrite sum_plus. lra.
Qed.

Theorem products_over_a_delay n D h T : late_products n D h T <= INR D * squares n h T.
Proof.
  unfold late_products, squares. eapply Rle_trans; [apply late_pairs|]. right. f_equal. apply sum_ext. intros.
  apply norm_square.
Qed.
