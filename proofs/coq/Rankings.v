(** The rankings of d items are numbered without repetition and completely, and how far two of them are apart: the
    discordant pairs are at most half the squared distance of the vectors of ranks (Durbin and Stuart 1951), and at most
    k (2 d - 3)/2 if k items have other ranks. *)

From Coq Require Import Reals Lra Lia Arith FinFun.
From Gaptron Require Import Definitions Sums OptimalSums RankingDefinitions.
Open Scope R_scope.

Definition permutes (d : nat) (p : nat -> nat) : Prop :=
  (forall i, (i < d)%nat -> (p i < d)%nat) /\ (forall i j, (i < d)%nat -> (j < d)%nat -> p i = p j -> i = j).

(** * The numbering *)

Lemma rank_last e y : rank (S e) y e = Nat.modulo y (S e).
Proof. cbn [rank]. now rewrite Nat.eqb_refl. Qed.

Lemma rank_before e y i : (i < e)%nat -> rank (S e) y i =
  if Nat.ltb (rank e (Nat.div y (S e)) i) (Nat.modulo y (S e)) then rank e (Nat.div y (S e)) i
  else S (rank e (Nat.div y (S e)) i).
Proof. intros Hi. cbn [rank]. destruct (Nat.eqb_spec i e); [lia|reflexivity]. Qed.

Lemma last_or_before e i : (i < S e)%nat -> i = e \/ (i < e)%nat.
Proof. lia. Qed.

Theorem rank_permutes d : forall y, permutes d (rank d y).
Proof.
  induction d as [|e IH]; intros y; [split; lia|]. destruct (IH (Nat.div y (S e))) as [Hbelow Hinj].
  assert (Hlast := Nat.mod_upper_bound y (S e) ltac:(lia)). split.
  - intros i Hi. destruct (last_or_before e i Hi) as [->|Hlt]; [now rewrite rank_last|].
    rewrite rank_before by assumption. specialize (Hbelow i Hlt).
    destruct (Nat.ltb_spec (rank e (y / S e) i) (y mod S e)); lia.
  - intros i j Hi Hj. destruct (last_or_before e i Hi) as [->|Hli]; destruct (last_or_before e j Hj) as [->|Hlj];
      rewrite ?rank_last, ?rank_before by assumption; [easy| | |].
    + destruct (Nat.ltb_spec (rank e (y / S e) j) (y mod S e)); lia.
    + destruct (Nat.ltb_spec (rank e (y / S e) i) (y mod S e)); lia.
    + intros Heq. apply Hinj; [assumption|assumption|].
      destruct (Nat.ltb_spec (rank e (y / S e) i) (y mod S e));
        destruct (Nat.ltb_spec (rank e (y / S e) j) (y mod S e)); lia.
Qed.

Theorem rank_distinct d : forall k y, (k < fact d)%nat -> (y < fact d)%nat ->
  (forall i, (i < d)%nat -> rank d k i = rank d y i) -> k = y.
Proof.
  induction d as [|e IH]; intros k y Hk Hy Hsame; [simpl in *; lia|].
  assert (Hlast := Hsame e ltac:(lia)). rewrite !rank_last in Hlast.
  rewrite (Nat.div_mod k (S e)), (Nat.div_mod y (S e)), Hlast by lia.
  replace (Nat.div k (S e)) with (Nat.div y (S e)); [reflexivity|]. symmetry.
  apply IH; [apply Nat.div_lt_upper_bound; [lia|exact Hk]|apply Nat.div_lt_upper_bound; [lia|exact Hy]|].
  intros i Hi. specialize (Hsame i ltac:(lia)). rewrite !rank_before, Hlast in Hsame by assumption.
  destruct (Nat.ltb_spec (rank e (k / S e) i) (y mod S e));
    destruct (Nat.ltb_spec (rank e (y / S e) i) (y mod S e)); lia.
Qed.

Theorem rank_complete d : forall p, permutes d p ->
  exists y, (y < fact d)%nat /\ forall i, (i < d)%nat -> rank d y i = p i.
Proof.
  induction d as [|e IH]; intros p [Hbelow Hinj]; [exists 0%nat; split; [simpl; lia|lia]|].
  assert (Hother : forall i, (i < e)%nat -> p i <> p e).
  { intros i Hi Heq. apply Hinj in Heq; lia. }
  destruct (IH (fun i => if Nat.ltb (p i) (p e) then p i else (p i - 1)%nat)) as (y & Hy & Hranks).
  { assert (He := Hbelow e ltac:(lia)). split.
    - intros i Hi. specialize (Hother i Hi). specialize (Hbelow i ltac:(lia)). destruct (Nat.ltb_spec (p i) (p e)); lia.
    - intros i j Hi Hj Heq. apply Hinj; [lia|lia|]. assert (H1 := Hother i Hi). assert (H2 := Hother j Hj).
      destruct (Nat.ltb_spec (p i) (p e)); destruct (Nat.ltb_spec (p j) (p e)); lia. }
  assert (He := Hbelow e ltac:(lia)). assert (Hdiv : ((y * S e + p e) / S e = y)%nat).
  { rewrite Nat.div_add_l, Nat.div_small by lia. lia. }
  assert (Hmod : ((y * S e + p e) mod S e = p e)%nat).
  { rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity. }
  exists (y * S e + p e)%nat. split.
  - change (fact (S e)) with (S e * fact e)%nat. nia.
  - intros i Hi. destruct (last_or_before e i Hi) as [->|Hlt]; [now rewrite rank_last|].
    rewrite rank_before, Hdiv, Hmod, Hranks by assumption. specialize (Hother i Hlt).
    destruct (Nat.ltb_spec (p i) (p e)) as [Hs|Hl]; cbv zeta.
    + destruct (Nat.ltb_spec (p i) (p e)); lia.
    + destruct (Nat.ltb_spec (p i - 1) (p e)); lia.
Qed.

Lemma permutes_onto d p k : permutes d p -> (k < d)%nat -> exists i, (i < d)%nat /\ p i = k.
Proof. intros [Hbelow Hinj]. now apply (proj1 (bInjective_bSurjective Hbelow)). Qed.

(** * Sums *)

Lemma sum_permuted d p f : permutes d p -> sum d (fun i => f (p i)) = sum d f.
Proof.
  intros Hp. rewrite (sum_ext d _ (fun i => sum d (fun k => f k * (if Nat.eqb k (p i) then 1 else 0)))).
  2:{ intros i Hi. rewrite sum_at by now apply Hp. ring. }
  rewrite sum_swap. apply sum_ext. intros k Hk. rewrite sum_scale.
  destruct (permutes_onto d p k Hp Hk) as (j & Hj & Heq).
  rewrite (sum_ext d _ (fun i => if Nat.eqb i j then 1 else 0)); [rewrite sum_pick by assumption; ring|].
  intros i Hi. destruct (Nat.eqb_spec k (p i)) as [He|Hne]; destruct (Nat.eqb_spec i j) as [->|Hij]; try reflexivity.
  - elim Hij. apply Hp; congruence.
  - elim Hne. now symmetry.
Qed.

Definition before (p : nat -> nat) (i j : nat) : R := if Nat.ltb (p i) (p j) then 1 else 0.

Lemma count_below d r : (r <= d)%nat -> sum d (fun k => if Nat.ltb k r then 1 else 0) = INR r.
Proof.
  induction d as [|d IH]; intros Hr; [now replace r with 0%nat by lia|]. cbn [sum].
  destruct (Nat.eq_dec r (S d)) as [->|Hne].
  - rewrite (sum_ext d _ (fun _ => 1)); [|intros k Hk; destruct (Nat.ltb_spec k (S d)); [reflexivity|lia]].
    rewrite sum_const, S_INR. destruct (Nat.ltb_spec d (S d)); [ring|lia].
  - rewrite IH by lia. destruct (Nat.ltb_spec d r); [lia|ring].
Qed.

(** The rank of an item is the number of those before it. *)
Lemma rank_counts d p i : permutes d p -> (i < d)%nat -> INR (p i) = sum d (fun j => before p j i).
Proof.
  intros Hp Hi. rewrite <- (count_below d (p i)) by (apply Nat.lt_le_incl; now apply Hp).
  symmetry. exact (sum_permuted d p (fun k => if Nat.ltb k (p i) then 1 else 0) Hp).
Qed.

Lemma sum_both d f : sum d (fun i => sum d (fun j => f i j + f j i)) = 2 * sum d (fun i => sum d (fun j => f i j)).
Proof.
  rewrite (sum_ext d _ (fun i => sum d (fun j => f i j) + sum d (fun j => f j i))) by (intros; apply sum_plus).
  rewrite sum_plus, (sum_swap d d (fun i j => f j i)). ring.
Qed.

(** A symmetric sum over all pairs, from the pairs i < j. *)
Lemma sum_pairs d f : (forall i j, f i j = f j i) -> (forall i, f i i = 0) ->
  sum d (fun i => sum d (fun j => f i j)) = 2 * sum d (fun j => sum j (fun i => f i j)).
Proof.
  intros Hsym Hdiag. induction d as [|d IH]; [simpl; ring|]. cbn [sum]. rewrite sum_plus, IH, Hdiag.
  rewrite (sum_ext d (fun j => f d j) (fun i => f i d)) by (intros; apply Hsym). ring.
Qed.

(** * Two rankings *)

Definition discordant (a b : nat -> nat) (i j : nat) : R :=
  if Rlt_dec ((INR (a i) - INR (a j)) * (INR (b i) - INR (b j))) 0 then 1 else 0.

Lemma discordant_symmetric a b i j : discordant a b i j = discordant a b j i.
Proof. unfold discordant. repeat destruct (Rlt_dec _ _); lra. Qed.

Lemma discordant_same a b i j : a i = a j -> discordant a b i j = 0.
Proof.
  intros Heq. unfold discordant. rewrite Heq, Rminus_diag_eq, Rmult_0_l by reflexivity.
  destruct (Rlt_dec _ _); lra.
Qed.

Lemma above_by_one p q : (p < q)%nat -> INR p + 1 <= INR q.
Proof. intros H. rewrite <- S_INR. apply le_INR. lia. Qed.

(** What a discordant pair adds to half the squared distance is the difference of its ranks. *)
Lemma discordant_pays d a b i j : permutes d a -> permutes d b -> (i < d)%nat -> (j < d)%nat ->
  discordant a b i j <= INR (a i) * (before a j i - before b j i) + INR (a j) * (before a i j - before b i j).
Proof.
  intros Ha Hb Hi Hj. destruct (Nat.eq_dec i j) as [->|Hne]; [rewrite discordant_same by reflexivity; unfold before;
    rewrite !Nat.ltb_irrefl; lra|].
  assert (Hne_a : a i <> a j) by (intros He; apply Hne; now apply Ha).
  assert (Hne_b : b i <> b j) by (intros He; apply Hne; now apply Hb).
  unfold discordant, before. generalize dependent (a i). generalize dependent (b i). intros s Hs p Hp.
  destruct (Nat.ltb_spec p (a j)) as [A|A]; destruct (Nat.ltb_spec (a j) p) as [A'|A']; try lia;
    destruct (Nat.ltb_spec s (b j)) as [B|B]; destruct (Nat.ltb_spec (b j) s) as [B'|B']; try lia;
    [ apply above_by_one in A, B | apply above_by_one in A, B' | apply above_by_one in A', B
    | apply above_by_one in A', B']; destruct (Rlt_dec _ _); nra.
Qed.

Theorem discordant_below_distance d a b : permutes d a -> permutes d b ->
  sum d (fun i => sum d (fun j => discordant a b i j)) <= sum d (fun i => (INR (a i) - INR (b i)) ^ 2).
Proof.
  intros Ha Hb. set (t := fun i j => INR (a i) * (before a j i - before b j i)).
  apply Rle_trans with (sum d (fun i => sum d (fun j => t i j + t j i))).
  { apply sum_le. intros i Hi. apply sum_le. intros j Hj. now apply (discordant_pays d). }
  right. rewrite sum_both. assert (Hsquares := eq_trans (sum_permuted d a (fun k => INR k ^ 2) Ha)
    (eq_sym (sum_permuted d b (fun k => INR k ^ 2) Hb))). cbv beta in Hsquares.
  rewrite (sum_ext d _ (fun i => INR (a i) ^ 2 - INR (a i) * INR (b i))).
  - rewrite (sum_ext d (fun i => (INR (a i) - INR (b i)) ^ 2)
      (fun i => INR (a i) ^ 2 + INR (b i) ^ 2 - 2 * (INR (a i) * INR (b i)))) by (intros; ring).
    rewrite !sum_minus, sum_plus, !sum_scale. lra.
  - intros i Hi. unfold t. rewrite sum_scale, sum_minus, <- !rank_counts by assumption. ring.
Qed.

(** * Items with other ranks *)

Definition displaced (a b : nat -> nat) (i : nat) : R := if Nat.eqb (a i) (b i) then 0 else 1.

Lemma displaced_unit a b i : 0 <= displaced a b i <= 1.
Proof. unfold displaced. destruct (Nat.eqb _ _); lra. Qed.

(** No item is displaced alone. *)
Lemma displaced_together d a b i : permutes d a -> permutes d b -> (i < d)%nat -> a i <> b i ->
  2 <= sum d (displaced a b).
Proof.
  intros Ha Hb Hi Hdiff. destruct (permutes_onto d b (a i) Hb ltac:(now apply Ha)) as (j & Hj & Heq).
  assert (Hij : j <> i) by (intros ->; congruence).
  assert (Hother : a j <> b j) by (intros He; apply Hij; apply Ha; congruence).
  rewrite (sum_split d _ i Hi). assert (H := term_le_sum d (without i (displaced a b)) j Hj).
  assert (Hnonneg : forall k, (k < d)%nat -> 0 <= without i (displaced a b) k).
  { intros k _. unfold without. destruct (Nat.eqb k i); [lra|apply displaced_unit]. }
  specialize (H Hnonneg). unfold without at 1 in H. destruct (Nat.eqb_spec j i); [contradiction|].
  unfold displaced at 1. unfold displaced at 1 in H. destruct (Nat.eqb_spec (a i) (b i)); [contradiction|].
  destruct (Nat.eqb_spec (a j) (b j)); [contradiction|]. lra.
Qed.

Lemma discordant_displaced a b i j : discordant a b i j <=
  displaced a b i + displaced a b j - displaced a b i * displaced a b j
  - displaced a b j * (if Nat.eqb j i then 1 else 0).
Proof.
  destruct (Nat.eqb_spec j i) as [->|Hne].
  - rewrite discordant_same by reflexivity. unfold displaced. destruct (Nat.eqb _ _); lra.
  - unfold displaced. destruct (Nat.eqb_spec (a i) (b i)) as [E1|_]; destruct (Nat.eqb_spec (a j) (b j)) as [E2|_];
      unfold discordant; rewrite ?E1, ?E2; destruct (Rlt_dec _ _) as [H|_]; try lra.
    assert (Hsquare := Rle_0_sqr (INR (b i) - INR (b j))). unfold Rsqr in Hsquare. lra.
Qed.

Theorem discordant_below_displaced d a b : permutes d a -> permutes d b ->
  sum d (fun i => sum d (fun j => discordant a b i j)) <= (2 * INR d - 3) * sum d (displaced a b).
Proof.
  intros Ha Hb. set (k := sum d (displaced a b)).
  assert (Hpairs : sum d (fun i => sum d (fun j => discordant a b i j)) <= sum d (fun i =>
    (INR d - k) * displaced a b i + k - displaced a b i)).
  { apply sum_le. intros i Hi.
    apply Rle_trans with (1 := sum_le d _ _ (fun j _ => discordant_displaced a b i j)). right.
    rewrite !sum_minus, sum_plus, sum_const, sum_scale, sum_at by assumption. fold k. ring. }
  rewrite sum_minus, sum_plus, sum_scale, sum_const in Hpairs. fold k in Hpairs.
  assert (Htwo : 0 <= sum d (fun i => displaced a b i * (k - 2))).
  { apply sum_nonneg. intros i Hi. unfold displaced. destruct (Nat.eqb_spec (a i) (b i)); [lra|].
    assert (H := displaced_together d a b i Ha Hb Hi n). fold k in H. lra. }
  rewrite (sum_ext d _ (fun i => (k - 2) * displaced a b i)), sum_scale in Htwo by (intros; ring). fold k in Htwo. lra.
Qed.
