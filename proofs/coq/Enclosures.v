(** * Enclosures: rational intervals that contain the values of an expression

    Expressions are data, so that intervals and derivatives are computed, and proved right once for all of them. An end
    of an interval is a rational, or [None] where there is none. *)

Require Import Reals Lra Lia ZArith QArith Qreals Qround List Bool.
From Gaptron Require Import Signs Roots.
Import ListNotations.
Open Scope R_scope.

Arguments Qred : simpl never.
Arguments Q2R : simpl never.
Arguments Qplus : simpl never.
Arguments Qmult : simpl never.
Arguments Qopp : simpl never.
Arguments Qminus : simpl never.
Arguments Qle_bool : simpl never.

Inductive expr : Set :=
| Int (z : Z)
| Rat (z : Z) (p : positive)
| Var (n : nat)
| Add (a b : expr)
| Mul (a b : expr)
| Pow (a : expr) (n : nat)
| Inv (a : expr)
| Exp (a : expr)
| Ln (a : expr)
| Sqrt (a : expr)
| Root (a : expr) (n : nat).  (* of degree n + 1 *)

Fixpoint eval (env : list R) (e : expr) : R :=
  match e with
  | Int z => IZR z
  | Rat z p => IZR z / IZR (Zpos p)
  | Var n => nth n env 0
  | Add a b => eval env a + eval env b
  | Mul a b => eval env a * eval env b
  | Pow a n => eval env a ^ n
  | Inv a => / eval env a
  | Exp a => exp (eval env a)
  | Ln a => ln (eval env a)
  | Sqrt a => sqrt (eval env a)
  | Root a n => root (S n) (eval env a)
  end.

(** Every part has a value: what the total functions of Coq do elsewhere is of no concern. *)
Fixpoint defined (env : list R) (e : expr) : Prop :=
  match e with
  | Int _ | Rat _ _ | Var _ => True
  | Add a b | Mul a b => defined env a /\ defined env b
  | Pow a _ | Exp a => defined env a
  | Inv a => defined env a /\ eval env a <> 0
  | Ln a => defined env a /\ 0 < eval env a
  | Sqrt a | Root a _ => defined env a /\ 0 <= eval env a
  end.

(** The same, with roots of positive numbers only: where there is a derivative. *)
Fixpoint smooth (env : list R) (e : expr) : Prop :=
  match e with
  | Int _ | Rat _ _ | Var _ => True
  | Add a b | Mul a b => smooth env a /\ smooth env b
  | Pow a _ | Exp a => smooth env a
  | Inv a => smooth env a /\ eval env a <> 0
  | Ln a | Sqrt a | Root a _ => smooth env a /\ 0 < eval env a
  end.

(** ** Slopes and monotone functions *)

Lemma rises f f' a b :
  a <= b -> (forall x, a <= x <= b -> derivable_pt_lim f x (f' x)) -> (forall x, a < x < b -> 0 <= f' x) -> f a <= f b.
Proof.
  intros Hab Hd Hs. destruct (Rle_lt_or_eq_dec _ _ Hab) as [H | <-]; [|lra].
  destruct (MVT_cor2 f f' a b H Hd) as [c [E Hc]]. assert (0 <= f' c * (b - a)); [|lra].
  apply Rmult_le_pos; [apply Hs, Hc | lra].
Qed.

Lemma falls f f' a b :
  a <= b -> (forall x, a <= x <= b -> derivable_pt_lim f x (f' x)) -> (forall x, a < x < b -> f' x <= 0) -> f b <= f a.
Proof.
  intros Hab Hd Hs. apply Ropp_le_cancel.
  apply (rises (fun x => - f x) (fun x => - f' x)); trivial.
  - intros x Hx. apply (derivable_pt_lim_opp f), Hd, Hx.
  - intros x Hx. specialize (Hs x Hx). lra.
Qed.

(** The derivative in the variable 0; of a negative power by one rule, as two enclosures of it would be too wide. *)
Fixpoint slope (e : expr) : expr :=
  match e with
  | Int _ | Rat _ _ | Var (S _) => Int 0
  | Var O => Int 1
  | Add a b => Add (slope a) (slope b)
  | Mul a b => Add (Mul (slope a) b) (Mul a (slope b))
  | Pow a O => Int 0
  | Pow a (S n) => Mul (Int (Z.of_nat (S n))) (Mul (Pow a n) (slope a))
  | Inv (Pow a (S n)) => Mul (Int (- Z.of_nat (S n))) (Mul (Inv (Pow a (S (S n)))) (slope a))
  | Inv a => Mul (Int (-1)) (Mul (Inv (Pow a 2)) (slope a))
  | Exp a => Mul (Exp a) (slope a)
  | Ln a => Mul (Inv a) (slope a)
  | Sqrt a => Mul (Mul (Rat 1 2) (Mul (Sqrt a) (Inv a))) (slope a)
  | Root a n => Mul (Mul (Rat 1 (Pos.of_succ_nat n)) (Mul (Root a n) (Inv a))) (slope a)
  end.

Lemma derivable_pt_lim_eq f x l l' : derivable_pt_lim f x l -> l = l' -> derivable_pt_lim f x l'.
Proof. intros H <-. exact H. Qed.

Lemma derivable_pt_lim_same f g x l : (forall y, f y = g y) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof. intros E H eps He. destruct (H eps He) as [d Hd]. exists d. intro h. rewrite <- !E. apply Hd. Qed.

Lemma slope_inv env a :
  eval env a <> 0 -> eval env (slope (Inv a)) = (0 * eval env a - eval env (slope a) * 1) / Rsqr (eval env a).
Proof.
  intro H. unfold Rsqr.
  assert (G : slope (Inv a) = Mul (Int (-1)) (Mul (Inv (Pow a 2)) (slope a)) ->
    eval env (slope (Inv a)) = (0 * eval env a - eval env (slope a) * 1) / (eval env a * eval env a)).
  { intros ->. cbn [eval]. field. exact H. }
  destruct a as [z|z p|n|a b|a b|a n|a|a|a|a|a n]; try (apply G; reflexivity).
  destruct n as [|n]; [apply G; reflexivity|]. cbn [slope eval] in *. rewrite opp_IZR.
  assert (Ha : eval env a <> 0). { intro E. apply H. rewrite E. simpl. ring. }
  assert (Hn : eval env a ^ n <> 0) by apply (pow_nonzero _ n Ha). rewrite <- !tech_pow_Rmult. field. auto.
Qed.

Lemma inverse_of_degree n : 1 / IZR (Zpos (Pos.of_succ_nat n)) = / INR (S n).
Proof. rewrite INR_IZR_INZ. unfold Rdiv. now rewrite Rmult_1_l. Qed.

Lemma derivable_slope env e x :
  smooth (x :: env) e -> derivable_pt_lim (fun v => eval (v :: env) e) x (eval (x :: env) (slope e)).
Proof.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; cbn [smooth slope eval];
    intro H.
  - apply derivable_pt_lim_const.
  - apply derivable_pt_lim_const.
  - destruct n as [|n]; simpl; [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
  - destruct H as [Ha Hb]. apply (derivable_pt_lim_plus _ _ _ _ _ (IHa Ha) (IHb Hb)).
  - destruct H as [Ha Hb]. apply (derivable_pt_lim_mult _ _ _ _ _ (IHa Ha) (IHb Hb)).
  - destruct n as [|n].
    + apply (derivable_pt_lim_eq _ _ 0); [apply derivable_pt_lim_const | reflexivity].
    + apply (derivable_pt_lim_eq _ _ (INR (S n) * eval (x :: env) a ^ pred (S n) * eval (x :: env) (slope a))).
      * apply (derivable_pt_lim_comp _ (fun u => u ^ S n) x _ (INR (S n) * eval (x :: env) a ^ pred (S n)) (IHa H)).
        apply derivable_pt_lim_pow.
      * cbn [eval pred]. rewrite INR_IZR_INZ. ring.
  - destruct H as [Ha Hb]. eapply derivable_pt_lim_eq.
    + apply (derivable_pt_lim_same (div_fct (fct_cte 1) (fun v => eval (v :: env) a))).
      * intro y. unfold div_fct, fct_cte. unfold Rdiv. apply Rmult_1_l.
      * apply (derivable_pt_lim_div (fct_cte 1) (fun v => eval (v :: env) a) x 0 _ (derivable_pt_lim_const 1 x) (IHa Ha) Hb).
    + symmetry. apply (slope_inv (x :: env) a Hb).
  - eapply derivable_pt_lim_eq.
    + apply (derivable_pt_lim_comp (fun v => eval (v :: env) a) exp x _ (exp (eval (x :: env) a)) (IHa H)).
      apply derivable_pt_lim_exp.
    + reflexivity.
  - destruct H as [Ha Hb]. eapply derivable_pt_lim_eq.
    + apply (derivable_pt_lim_comp (fun v => eval (v :: env) a) ln x _ (/ eval (x :: env) a) (IHa Ha)).
      apply derivable_pt_lim_ln, Hb.
    + reflexivity.
  - destruct H as [Ha Hb]. eapply derivable_pt_lim_eq.
    + apply (derivable_pt_lim_comp (fun v => eval (v :: env) a) sqrt x _ (/ (2 * sqrt (eval (x :: env) a))) (IHa Ha)).
      apply derivable_pt_lim_sqrt, Hb.
    + cbn [eval]. set (s := eval (x :: env) a) in *. assert (Hs : sqrt s <> 0).
      { intro E. apply sqrt_eq_0 in E; lra. }
      rewrite <- (sqrt_sqrt s) at 3 by lra. field. exact Hs.
  - destruct H as [Ha Hb]. eapply derivable_pt_lim_eq.
    + exact (derivable_pt_lim_comp (fun v => eval (v :: env) a) (root (S n)) x _ _ (IHa Ha) (derivable_root n _ Hb)).
    + cbn [eval]. now rewrite inverse_of_degree.
Qed.

(** ** Intervals *)

Definition interval : Set := (option Q * option Q)%type.

Definition above (low : option Q) (x : R) : Prop := match low with Some q => Q2R q <= x | None => True end.
Definition under (high : option Q) (x : R) : Prop := match high with Some q => x <= Q2R q | None => True end.
Definition holds (i : interval) (x : R) : Prop := above (fst i) x /\ under (snd i) x.

Fixpoint all_hold (box : list interval) (env : list R) : Prop :=
  match box, env with
  | i :: box, x :: env => holds i x /\ all_hold box env
  | [], [] => True
  | _, _ => False
  end.

Definition everything : interval := (None, None).
Definition point (q : Q) : interval := (Some q, Some q).

Lemma Q2R_0 : Q2R 0 = 0.
Proof. unfold Q2R. simpl. ring. Qed.

Lemma Q2R_1 : Q2R 1 = 1.
Proof. unfold Q2R. simpl. field. Qed.

Lemma Q2R_Z z : Q2R (z # 1) = IZR z.
Proof. unfold Q2R. simpl. field. Qed.

Lemma Q2R_red q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.

Lemma le_bool a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intro H. apply Qle_Rle, Qle_bool_iff, H. Qed.

Lemma lt_bool a b : Qle_bool a b = false -> Q2R b < Q2R a.
Proof.
  intro H. apply Qlt_Rlt. apply Qnot_le_lt. intro H'. apply Qle_bool_iff in H'. congruence.
Qed.

Definition two_to (bits : positive) : positive := (2 ^ bits)%positive.

(** Division, rounded down; by the factors 2 of the divisor first. *)
Fixpoint over (a : Z) (p : positive) : Z :=
  match p with xH => a | xO p => over (Z.div2 a) p | xI _ => (a / Zpos p)%Z end.

Lemma over_div p : forall a, over a p = (a / Zpos p)%Z.
Proof.
  induction p as [p _|p IH|]; intro a; cbn [over]; [reflexivity | | symmetry; apply Z.div_1_r].
  rewrite IH, Z.div2_div, Z.div_div by lia. f_equal.
Qed.

(** Rounding outward to a multiple of [2^-bits]. *)
Definition down (bits : positive) (q : Q) : Q := Qred (over (Qnum q * Zpos (two_to bits)) (Qden q) # two_to bits).
Definition up (bits : positive) (q : Q) : Q := Qopp (down bits (Qopp q)).

Lemma down_floor bits q : down bits q = Qred (Qfloor (q * (Zpos (two_to bits) # 1)) # two_to bits).
Proof. unfold down. rewrite over_div. destruct q as [z d]. unfold Qfloor, Qmult. cbn [Qnum Qden].
  now rewrite Pos.mul_1_r. Qed.

Lemma down_le bits q : Q2R (down bits q) <= Q2R q.
Proof.
  rewrite down_floor, Q2R_red. set (s := two_to bits).
  assert (Hs : 0 < IZR (Zpos s)) by (apply IZR_lt; reflexivity).
  assert (H := Qfloor_le (q * (Zpos s # 1))). apply Qle_Rle in H.
  rewrite Q2R_mult in H. unfold inject_Z in H. rewrite !Q2R_Z in H.
  unfold Q2R at 1. cbn [Qnum Qden]. apply (Rmult_le_reg_r (IZR (Zpos s))); [exact Hs|].
  rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma up_ge bits q : Q2R q <= Q2R (up bits q).
Proof. unfold up. rewrite Q2R_opp. assert (H := down_le bits (Qopp q)). rewrite Q2R_opp in H. lra. Qed.

(** Rounding outward to so many significant bits, where there are more. *)
Definition short_down (bits : positive) (q : Q) : Q :=
  let above := Z.log2 (Z.abs (Qnum q)) in
  let below := Z.log2 (Zpos (Qden q)) in
  if (above <? Zpos bits)%Z && (below <? Zpos bits)%Z then q else down (Z.to_pos (Zpos bits + below - above)) q.

Lemma short_down_le bits q : Q2R (short_down bits q) <= Q2R q.
Proof. unfold short_down. destruct (_ && _); [lra | apply down_le]. Qed.

Definition shortened (bits : positive) (i : interval) : interval :=
  ( option_map (short_down bits) (fst i), option_map (fun q => Qopp (short_down bits (Qopp q))) (snd i) ).

Lemma shortened_holds bits i x : holds i x -> holds (shortened bits i) x.
Proof.
  destruct i as [[a|] [b|]]; intros [Ha Hb]; split; cbn [shortened fst snd option_map above under] in *; trivial;
    try rewrite Q2R_opp; try (assert (H := short_down_le bits a); lra).
  all: assert (H := short_down_le bits (Qopp b)); rewrite Q2R_opp in H; lra.
Qed.

Definition both (f : Q -> Q -> Q) (a b : option Q) : option Q :=
  match a, b with Some x, Some y => Some (Qred (f x y)) | _, _ => None end.

Definition add (i j : interval) : interval := (both Qplus (fst i) (fst j), both Qplus (snd i) (snd j)).

Lemma add_holds i j x y : holds i x -> holds j y -> holds (add i j) (x + y).
Proof.
  destruct i as [[a|] [b|]], j as [[c|] [d|]]; unfold holds, add; simpl; intros [] []; split; trivial; simpl in *;
    rewrite Q2R_red, Q2R_plus; lra.
Qed.

Definition neg (i : interval) : interval := (option_map Qopp (snd i), option_map Qopp (fst i)).

Lemma neg_holds i x : holds i x -> holds (neg i) (- x).
Proof.
  destruct i as [[a|] [b|]]; unfold holds, neg; simpl; intros []; split; trivial; rewrite Q2R_opp; lra.
Qed.

Definition is_nonneg (i : interval) : bool := match fst i with Some q => Qle_bool 0 q | None => false end.
Definition is_nonpos (i : interval) : bool := match snd i with Some q => Qle_bool q 0 | None => false end.

Lemma is_nonneg_holds i x : is_nonneg i = true -> holds i x -> 0 <= x.
Proof.
  destruct i as [[a|] b]; unfold is_nonneg, holds; simpl; [|discriminate].
  intros H [Ha _]. apply le_bool in H. rewrite Q2R_0 in H. lra.
Qed.

Lemma is_nonpos_holds i x : is_nonpos i = true -> holds i x -> x <= 0.
Proof.
  destruct i as [a [b|]]; unfold is_nonpos, holds; simpl; [|discriminate].
  intros H [_ Hb]. apply le_bool in H. rewrite Q2R_0 in H. lra.
Qed.

(** The product if the first factor is not negative. *)
Definition scaled (i j : interval) : interval :=
  ( match fst j with
    | Some b => if Qle_bool 0 b then both Qmult (fst i) (Some b) else both Qmult (snd i) (Some b)
    | None => None
    end,
    match snd j with
    | Some b => if Qle_bool b 0 then both Qmult (fst i) (Some b) else both Qmult (snd i) (Some b)
    | None => None
    end ).

Lemma product_le a b c d : 0 <= a <= b -> 0 <= c <= d -> a * c <= b * d.
Proof. intros [] []. apply Rmult_le_compat; trivial. Qed.

Lemma scaled_holds i j x y : 0 <= x -> is_nonneg i = true -> holds i x -> holds j y -> holds (scaled i j) (x * y).
Proof.
  intros Hx Hi [Hl Hh] [Hc Hd]. destruct i as [[l|] h]; [|discriminate]. unfold is_nonneg in Hi. simpl in *.
  apply le_bool in Hi. rewrite Q2R_0 in Hi. unfold scaled, holds. simpl. split.
  - destruct (fst j) as [b|]; simpl in *; trivial. destruct (Qle_bool 0 b) eqn:E; simpl.
    + apply le_bool in E. rewrite Q2R_0 in E. rewrite Q2R_red, Q2R_mult. apply product_le; lra.
    + apply lt_bool in E. rewrite Q2R_0 in E. destruct h as [h|]; simpl in *; trivial.
      rewrite Q2R_red, Q2R_mult. assert (x * - y <= Q2R h * - Q2R b \/ 0 <= y) as [H | H].
      { destruct (Rle_or_lt 0 y); [right; trivial | left; apply product_le; lra]. }
      * lra.
      * assert (0 <= x * y) by (apply Rmult_le_pos; lra).
        assert (0 <= Q2R h * - Q2R b) by (apply Rmult_le_pos; lra). lra.
  - destruct (snd j) as [b|]; simpl in *; trivial. destruct (Qle_bool b 0) eqn:E; simpl.
    + apply le_bool in E. rewrite Q2R_0 in E. rewrite Q2R_red, Q2R_mult.
      assert (Q2R l * - Q2R b <= x * - y) by (apply product_le; lra). lra.
    + apply lt_bool in E. rewrite Q2R_0 in E. destruct h as [h|]; simpl in *; trivial.
      rewrite Q2R_red, Q2R_mult. destruct (Rle_or_lt 0 y).
      * apply product_le; lra.
      * assert (0 <= x * - y) by (apply Rmult_le_pos; lra).
        assert (0 <= Q2R h * Q2R b) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition qmin (a b : Q) : Q := if Qle_bool a b then a else b.
Definition qmax (a b : Q) : Q := if Qle_bool a b then b else a.

Lemma qmin_le a b : Q2R (qmin a b) <= Q2R a /\ Q2R (qmin a b) <= Q2R b.
Proof. unfold qmin. destruct (Qle_bool a b) eqn:E; [apply le_bool in E | apply lt_bool in E]; lra. Qed.

Lemma qmax_ge a b : Q2R a <= Q2R (qmax a b) /\ Q2R b <= Q2R (qmax a b).
Proof. unfold qmax. destruct (Qle_bool a b) eqn:E; [apply le_bool in E | apply lt_bool in E]; lra. Qed.

Definition corners (i j : interval) : interval :=
  match i, j with
  | (Some a, Some b), (Some c, Some d) =>
      ( Some (Qred (qmin (qmin (a * c) (a * d)) (qmin (b * c) (b * d)))),
        Some (Qred (qmax (qmax (a * c) (a * d)) (qmax (b * c) (b * d)))) )
  | _, _ => everything
  end.

Lemma between_scaled a b x y : a <= x <= b -> (a * y <= x * y <= b * y) \/ (b * y <= x * y <= a * y).
Proof.
  intros []. destruct (Rle_or_lt 0 y).
  - left. split; apply Rmult_le_compat_r; lra.
  - right. split; apply Rmult_le_compat_neg_l with (r := y) in H; apply Rmult_le_compat_neg_l with (r := y) in H0; lra.
Qed.

Lemma corners_holds i j x y : holds i x -> holds j y -> holds (corners i j) (x * y).
Proof.
  destruct i as [[a|] [b|]], j as [[c|] [d|]]; unfold corners; try (intros; split; exact I).
  unfold holds. simpl. intros Hx Hy. rewrite !Q2R_red.
  assert (H1 := qmin_le (qmin (a * c) (a * d)) (qmin (b * c) (b * d))).
  assert (H2 := qmin_le (a * c) (a * d)). assert (H3 := qmin_le (b * c) (b * d)).
  assert (H4 := qmax_ge (qmax (a * c) (a * d)) (qmax (b * c) (b * d))).
  assert (H5 := qmax_ge (a * c) (a * d)). assert (H6 := qmax_ge (b * c) (b * d)).
  rewrite !Q2R_mult in *.
  assert (Hx' := between_scaled _ _ x y Hx).
  assert (Ha := between_scaled _ _ y (Q2R a) Hy). assert (Hb := between_scaled _ _ y (Q2R b) Hy).
  lra.
Qed.

Definition mul (i j : interval) : interval :=
  if is_nonneg i then scaled i j
  else if is_nonpos i then neg (scaled (neg i) j)
  else if is_nonneg j then scaled j i
  else if is_nonpos j then neg (scaled (neg j) i)
  else corners i j.

Lemma is_nonpos_neg i : is_nonpos i = true -> is_nonneg (neg i) = true.
Proof.
  destruct i as [a [b|]]; unfold is_nonpos, is_nonneg; simpl; [|discriminate].
  intro H. apply Qle_bool_iff in H. apply Qle_bool_iff. apply Qopp_le_compat in H. exact H.
Qed.

Lemma mul_holds i j x y : holds i x -> holds j y -> holds (mul i j) (x * y).
Proof.
  intros Hi Hj. unfold mul. destruct (is_nonneg i) eqn:E1.
  { apply scaled_holds; trivial. apply (is_nonneg_holds i); trivial. }
  destruct (is_nonpos i) eqn:E2.
  { replace (x * y) with (- (- x * y)) by ring. apply neg_holds, scaled_holds; trivial.
    - assert (x <= 0) by (apply (is_nonpos_holds i); trivial). lra.
    - apply is_nonpos_neg, E2.
    - apply neg_holds, Hi. }
  destruct (is_nonneg j) eqn:E3.
  { rewrite Rmult_comm. apply scaled_holds; trivial. apply (is_nonneg_holds j); trivial. }
  destruct (is_nonpos j) eqn:E4; [|apply corners_holds; trivial].
  replace (x * y) with (- (- y * x)) by ring. apply neg_holds, scaled_holds; trivial.
  - assert (y <= 0) by (apply (is_nonpos_holds j); trivial). lra.
  - apply is_nonpos_neg, E4.
  - apply neg_holds, Hj.
Qed.

Definition qpow (q : Q) (n : nat) : Q :=
  match n with O => 1%Q | S _ => (Qnum q ^ Z.of_nat n) # (Qden q ^ Pos.of_nat n) end.

Lemma qpow_pow q n : Q2R (qpow q n) = Q2R q ^ n.
Proof.
  destruct n as [|n]; [apply Q2R_1|]. unfold qpow, Q2R. cbn [Qnum Qden].
  rewrite Pos2Z.inj_pow, <- (positive_nat_Z (Pos.of_nat (S n))), Nat2Pos.id, <- !pow_IZR by discriminate.
  now rewrite Rpow_mult_distr, pow_inv.
Qed.

Definition power_nonneg (i : interval) (n : nat) : interval :=
  (option_map (fun q => qpow q n) (fst i), option_map (fun q => qpow q n) (snd i)).

Lemma power_nonneg_holds i n x : is_nonneg i = true -> holds i x -> holds (power_nonneg i n) (x ^ n).
Proof.
  intros E H. assert (Hx := is_nonneg_holds i x E H). destruct i as [[a|] b], H as [Ha Hb]; [|discriminate].
  unfold is_nonneg in E. simpl in *. apply le_bool in E. rewrite Q2R_0 in E.
  split; simpl; [|destruct b as [b|]; simpl in *; trivial]; rewrite qpow_pow; apply pow_incr; lra.
Qed.

Definition largest_power (i : interval) (n : nat) : option Q :=
  match i with (Some a, Some b) => Some (qpow (qmax (Qopp a) b) n) | _ => None end.

Definition power (i : interval) (n : nat) : interval :=
  if is_nonneg i then power_nonneg i n
  else if is_nonpos i then
    if Nat.even n then power_nonneg (neg i) n else neg (power_nonneg (neg i) n)
  else if Nat.even n then (Some 0%Q, largest_power i n)
  else (option_map (fun q => Qopp (qpow (Qopp q) n)) (fst i), option_map (fun q => qpow q n) (snd i)).

Lemma opposite_power x n : (- x) ^ n = if Nat.even n then x ^ n else - x ^ n.
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite Nat.even_succ, <- Nat.negb_even. simpl. rewrite IH.
  destruct (Nat.even n); simpl; ring.
Qed.

Lemma odd_power_negative x n : Nat.even n = false -> x <= 0 -> x ^ n <= 0.
Proof.
  intros E Hx. assert (H : 0 <= (- x) ^ n) by (apply pow_le; lra). rewrite opposite_power, E in H. lra.
Qed.

Lemma power_holds i n x : holds i x -> holds (power i n) (x ^ n).
Proof.
  intro H. unfold power. destruct (is_nonneg i) eqn:E1; [apply power_nonneg_holds; trivial|].
  destruct (is_nonpos i) eqn:E2.
  { assert (H' : holds (power_nonneg (neg i) n) ((- x) ^ n)).
    { apply power_nonneg_holds; [apply is_nonpos_neg, E2 | apply neg_holds, H]. }
    rewrite opposite_power in H'. destruct (Nat.even n); [exact H'|].
    apply neg_holds in H'. rewrite Ropp_involutive in H'. exact H'. }
  destruct (Nat.even n) eqn:E3.
  - split; simpl.
    + rewrite Q2R_0. destruct (Rle_or_lt 0 x); [apply pow_le; trivial|].
      assert (0 <= (- x) ^ n) by (apply pow_le; lra). rewrite opposite_power, E3 in H1. exact H1.
    + destruct i as [[a|] [b|]]; simpl in *; trivial. destruct H as [Ha Hb]. simpl in *.
      assert (Hm := qmax_ge (Qopp a) b). rewrite Q2R_opp in Hm. rewrite qpow_pow.
      destruct (Rle_or_lt 0 x).
      * apply pow_incr. lra.
      * replace (x ^ n) with ((- x) ^ n) by (rewrite opposite_power, E3; reflexivity). apply pow_incr. lra.
  - destruct i as [a b], H as [Ha Hb]. split; simpl in *.
    + destruct a as [a|]; simpl in *; trivial. unfold is_nonneg in E1. simpl in E1. apply lt_bool in E1.
      rewrite Q2R_0 in E1. rewrite Q2R_opp, qpow_pow, Q2R_opp, opposite_power, E3, Ropp_involutive.
      destruct (Rle_or_lt 0 x).
      * assert (0 <= x ^ n) by (apply pow_le; trivial).
        assert (Q2R a ^ n <= 0) by (apply odd_power_negative; [trivial | lra]). lra.
      * assert (H' : (- x) ^ n <= (- Q2R a) ^ n) by (apply pow_incr; lra).
        rewrite !opposite_power, E3 in H'. lra.
    + destruct b as [b|]; simpl in *; trivial. unfold is_nonpos in E2. simpl in E2. apply lt_bool in E2.
      rewrite Q2R_0 in E2. rewrite qpow_pow. destruct (Rle_or_lt 0 x); [apply pow_incr; lra|].
      assert (x ^ n <= 0) by (apply odd_power_negative; [trivial | lra]).
      assert (0 <= Q2R b ^ n) by (apply pow_le; lra). lra.
Qed.

Definition positive_end (q : Q) : bool := negb (Qle_bool q 0).

Lemma positive_end_lt q : positive_end q = true -> 0 < Q2R q.
Proof.
  unfold positive_end. intro H. apply negb_true_iff in H. apply lt_bool in H. rewrite Q2R_0 in H. exact H.
Qed.

Definition qinv (q : Q) : Q := Qred (Qinv q).

Lemma qinv_inv q : Q2R q <> 0 -> Q2R (qinv q) = / Q2R q.
Proof.
  intro H. unfold qinv. rewrite Q2R_red, Q2R_inv; [reflexivity|]. intro E. apply H. rewrite (Qeq_eqR _ _ E).
  apply Q2R_0.
Qed.

(** 1/x for x > 0 in the interval. *)
Definition inverse_positive (i : interval) : interval :=
  ( match snd i with Some b => if positive_end b then Some (qinv b) else None | None => Some 0%Q end,
    match fst i with Some a => if positive_end a then Some (qinv a) else None | None => None end ).

Lemma inverse_positive_holds i x : 0 < x -> holds i x -> holds (inverse_positive i) (/ x).
Proof.
  intros Hx [Ha Hb]. destruct i as [a b]. split; simpl in *.
  - destruct b as [b|]; simpl in *; [|rewrite Q2R_0; left; apply Rinv_0_lt_compat, Hx].
    destruct (positive_end b) eqn:E; simpl; trivial. apply positive_end_lt in E. rewrite qinv_inv by lra.
    apply Rinv_le_contravar; trivial.
  - destruct a as [a|]; simpl in *; trivial. destruct (positive_end a) eqn:E; simpl; trivial.
    apply positive_end_lt in E. rewrite qinv_inv by lra. apply Rinv_le_contravar; trivial.
Qed.

Definition inverse (i : interval) : interval :=
  if is_nonneg i then inverse_positive i
  else if is_nonpos i then neg (inverse_positive (neg i))
  else everything.

Lemma inverse_holds i x : x <> 0 -> holds i x -> holds (inverse i) (/ x).
Proof.
  intros Hx H. unfold inverse. destruct (is_nonneg i) eqn:E1.
  { apply inverse_positive_holds; trivial. apply (is_nonneg_holds i x) in E1; trivial. lra. }
  destruct (is_nonpos i) eqn:E2; [|split; exact I].
  replace (/ x) with (- / - x) by (field; exact Hx). apply neg_holds, inverse_positive_holds.
  - apply (is_nonpos_holds i x) in E2; trivial. lra.
  - apply neg_holds, H.
Qed.

(** ** Roots: a candidate, and its square as the proof *)

Definition root_near (bits : positive) (q : Q) : Q :=
  Qred (Z.sqrt (Qfloor (q * (Zpos (two_to bits * two_to bits) # 1))) # two_to bits).

Definition root_low (bits : positive) (q : Q) : Q :=
  let r := root_near bits q in if Qle_bool 0 r && Qle_bool (r * r) q then r else 0%Q.

Definition root_high (bits : positive) (q : Q) : option Q :=
  let r := root_near bits q in
  let s := if Qle_bool q (r * r) then r else Qred (r + (1 # two_to bits)) in
  if Qle_bool 0 s && Qle_bool q (s * s) then Some s else None.

Lemma root_low_le bits q x : Q2R q <= x -> Q2R (root_low bits q) <= sqrt x.
Proof.
  intro H. unfold root_low. set (r := root_near bits q). destruct (_ && _) eqn:E.
  - apply andb_true_iff in E as [E1 E2]. apply le_bool in E1, E2. rewrite Q2R_0 in E1. rewrite Q2R_mult in E2.
    rewrite <- (sqrt_square (Q2R r)) by trivial. apply sqrt_le_1_alt. lra.
  - rewrite Q2R_0. apply sqrt_pos.
Qed.

Lemma root_high_ge bits q x : x <= Q2R q -> under (root_high bits q) (sqrt x).
Proof.
  intro H. unfold root_high. set (r := root_near bits q).
  set (s := if Qle_bool q (r * r) then r else Qred (r + (1 # two_to bits))). destruct (_ && _) eqn:E; simpl; trivial.
  apply andb_true_iff in E as [E1 E2]. apply le_bool in E1, E2. rewrite Q2R_0 in E1. rewrite Q2R_mult in E2.
  rewrite <- (sqrt_square (Q2R s)) by trivial. apply sqrt_le_1_alt. lra.
Qed.

(** Division of whole numbers, rounded up. *)
Definition above_ratio (a b : Z) : Z := (- (- a / b))%Z.

Lemma ratio_le a b : (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intro H. assert (Hb : 0 < IZR b) by now apply IZR_lt. apply Rmult_le_reg_r with (IZR b); [exact Hb|].
  replace (IZR a / IZR b * IZR b) with (IZR a) by (field; lra).
  rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm. now apply Z.mul_div_le.
Qed.

Lemma above_ratio_ge a b : (0 < b)%Z -> IZR a / IZR b <= IZR (above_ratio a b).
Proof.
  intro H. unfold above_ratio. rewrite opp_IZR. assert (Hle := ratio_le (- a) b H). rewrite opp_IZR in Hle. lra.
Qed.

(** Bits for the roundings of a series. *)
Definition guard : positive := 8.

(** Newton's iteration for the n-th root of [v], from above. *)
Fixpoint newton (v n : Z) (steps : nat) (r : Z) : Z :=
  match steps with
  | O => r
  | S steps => let s := (((n - 1) * r + v / r ^ (n - 1)) / n)%Z in if Z.ltb s r then newton v n steps s else r
  end.

Definition nth_root_near (n : nat) (bits : positive) (q : Q) : Q :=
  let degree := Z.of_nat (S n) in
  let v := over (Qnum q * 2 ^ (degree * Zpos bits)) (Qden q) in
  Qred (newton v degree (n + Pos.to_nat bits) (2 ^ (Z.log2 v / degree + 1)) # two_to bits).

Definition nth_root_low (n : nat) (bits : positive) (q : Q) : Q :=
  let r := nth_root_near n bits q in if Qle_bool 0 r && Qle_bool (qpow r (S n)) q then r else 0%Q.

Definition nth_root_high (n : nat) (bits : positive) (q : Q) : option Q :=
  let r := nth_root_near n bits q in
  let s := if Qle_bool q (qpow r (S n)) then r else Qred (r + (1 # two_to bits)) in
  if Qle_bool 0 s && Qle_bool q (qpow s (S n)) then Some s else None.

Lemma nth_root_low_le n bits q x : Q2R q <= x -> Q2R (nth_root_low n bits q) <= root (S n) x.
Proof.
  intro H. unfold nth_root_low. set (r := nth_root_near n bits q). destruct (_ && _) eqn:E.
  - apply andb_true_iff in E as [E1 E2]. apply le_bool in E1, E2. rewrite Q2R_0 in E1. rewrite qpow_pow in E2.
    rewrite <- (root_of_power n (Q2R r)) by trivial. apply root_rises. lra.
  - rewrite Q2R_0. apply root_nonnegative.
Qed.

Lemma nth_root_high_ge n bits q x : x <= Q2R q -> under (nth_root_high n bits q) (root (S n) x).
Proof.
  intro H. unfold nth_root_high. set (r := nth_root_near n bits q).
  set (s := if Qle_bool q (qpow r (S n)) then r else Qred (r + (1 # two_to bits))).
  destruct (_ && _) eqn:E; cbn [under]; trivial.
  apply andb_true_iff in E as [E1 E2]. apply le_bool in E1, E2. rewrite Q2R_0 in E1. rewrite qpow_pow in E2.
  rewrite <- (root_of_power n (Q2R s)) by trivial. apply root_rises. lra.
Qed.

(** ** Exponentials: alternating series of exp (-x), x >= 0 *)

Fixpoint alternating (n : nat) (x : R) : R :=
  match n with O => 1 | S m => alternating m x + (- x) ^ n / INR (fact n) end.

Lemma derivable_alternating n x : derivable_pt_lim (alternating (S n)) x (- alternating n x).
Proof.
  assert (Hterm : forall m x, derivable_pt_lim (fun x => (- x) ^ S m / INR (fact (S m))) x (- ((- x) ^ m / INR (fact m)))).
  { intros m y. apply (derivable_pt_lim_eq _ _ (/ INR (fact (S m)) * (INR (S m) * (- y) ^ pred (S m) * - 1))).
    - apply (derivable_pt_lim_same (mult_real_fct (/ INR (fact (S m))) (fun x => (- x) ^ S m))).
      { intro z. apply Rmult_comm. }
      apply derivable_pt_lim_scal.
      apply (derivable_pt_lim_comp (fun x => - x) (fun u => u ^ S m) y (- 1) (INR (S m) * (- y) ^ pred (S m)));
        [|apply derivable_pt_lim_pow].
      apply (derivable_pt_lim_opp id y 1), derivable_pt_lim_id.
    - rewrite fact_simpl, mult_INR. cbn [pred]. assert (H1 := INR_fact_neq_0 m). assert (H2 := not_0_INR (S m)).
      field. split; [exact H1 | apply H2; lia]. }
  induction n as [|n IH].
  - apply (derivable_pt_lim_eq (plus_fct (fct_cte 1) (fun x => (- x) ^ 1 / INR (fact 1))) x (0 + - ((- x) ^ 0 / INR (fact 0)))).
    + apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply (Hterm 0%nat)].
    + simpl. field.
  - apply (derivable_pt_lim_eq (plus_fct (alternating (S n)) (fun x => (- x) ^ S (S n) / INR (fact (S (S n))))) x
             (- alternating n x + - ((- x) ^ S n / INR (fact (S n))))).
    + apply derivable_pt_lim_plus; [exact IH | apply (Hterm (S n))].
    + cbn [alternating]. ring.
Qed.

Lemma derivable_exp_opposite x : derivable_pt_lim (fun x => exp (- x)) x (- exp (- x)).
Proof.
  apply (derivable_pt_lim_eq _ _ (exp (- x) * - 1)); [|ring].
  apply (derivable_pt_lim_comp (fun x => - x) exp x (- 1) (exp (- x))); [|apply derivable_pt_lim_exp].
  apply (derivable_pt_lim_opp id x 1), derivable_pt_lim_id.
Qed.

Lemma alternating_0 n : alternating n 0 = 1.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [alternating]. rewrite IH, Ropp_0, pow_i by lia. unfold Rdiv. ring.
Qed.

Lemma alternating_exp n x :
  0 <= x -> if Nat.even n then exp (- x) <= alternating n x else alternating n x <= exp (- x).
Proof.
  revert x. induction n as [|n IH]; intros x Hx.
  - simpl. rewrite <- exp_0. destruct (Rle_lt_or_eq_dec 0 x Hx) as [H | <-].
    + left. apply exp_increasing. lra.
    + rewrite Ropp_0. lra.
  - rewrite Nat.even_succ, <- Nat.negb_even.
    assert (H0 : alternating (S n) 0 - exp (- 0) = 0) by (rewrite alternating_0, Ropp_0, exp_0; ring).
    assert (Hd : forall y, 0 <= y <= x -> derivable_pt_lim (minus_fct (alternating (S n)) (fun x => exp (- x))) y
                             (- alternating n y - - exp (- y))).
    { intros y _. apply derivable_pt_lim_minus; [apply derivable_alternating | apply derivable_exp_opposite]. }
    destruct (Nat.even n) eqn:E; cbn [negb].
    + assert (H := falls _ _ 0 x Hx Hd). unfold minus_fct in H. rewrite H0 in H.
      assert (alternating (S n) x - exp (- x) <= 0); [|lra]. apply H.
      intros y Hy. assert (H' := IH y ltac:(lra)). lra.
    + assert (H := rises _ _ 0 x Hx Hd). unfold minus_fct in H. rewrite H0 in H.
      assert (0 <= alternating (S n) x - exp (- x)); [|lra]. apply H.
      intros y Hy. assert (H' := IH y ltac:(lra)). lra.
Qed.

(** Sum of terms from the k-th on. *)
Fixpoint tail (n : nat) (x : R) (term : R) (k : nat) : R :=
  match n with O => term | S m => term + tail m x (- (term * x) / INR k) (S k) end.

Lemma tail_alternating n x k :
  (0 < k)%nat -> alternating (pred k) x + tail n x ((- x) ^ k / INR (fact k)) (S k) = alternating (k + n) x.
Proof.
  revert k. induction n as [|n IH]; intros k Hk; cbn [tail].
  - rewrite Nat.add_0_r. destruct k; [lia | reflexivity].
  - replace (k + S n)%nat with (S k + n)%nat by lia. rewrite <- (IH (S k)) by lia. cbn [pred].
    destruct k as [|k]; [lia|]. cbn [pred]. change (alternating (S k) x) with (alternating k x + (- x) ^ S k / INR (fact (S k))).
    rewrite Rplus_assoc. do 3 f_equal.
    rewrite (fact_simpl (S k)), mult_INR. change ((- x) ^ S (S k)) with (- x * (- x) ^ S k). field.
    split; [apply INR_fact_neq_0 | apply not_0_INR; lia].
Qed.

Lemma alternating_tail n x : alternating n x = tail n x 1 1.
Proof.
  destruct n as [|n]; [reflexivity|]. change (S n) with (1 + n)%nat at 1. rewrite <- (tail_alternating n x 1) by lia.
  cbn [tail pred]. simpl (alternating 0 x). f_equal. f_equal. simpl. field.
Qed.

Lemma tail_opp n x t k : tail n x (- t) k = - tail n x t k.
Proof.
  revert t k. induction n as [|n IH]; intros t k; cbn [tail]; [reflexivity|].
  replace (- (- t * x) / INR k) with (- (- (t * x) / INR k)) by (unfold Rdiv; ring). rewrite IH. ring.
Qed.

(** The same sum in whole numbers over [p], from below and from above; x and the first term lie between such, too. *)
Fixpoint tail_between (p : positive) (n : nat) (xl xh a b k : Z) : Z * Z :=
  match n with
  | O => (a, b)
  | S m =>
      let (l, h) := tail_between p m xl xh (over (a * xl) p / k) (above_ratio (- over (- (b * xh)) p) k) (k + 1) in
      (a - h, b - l)
  end%Z.

Lemma tail_between_correct p n x xl xh :
  0 <= IZR xl <= IZR (Zpos p) * x -> IZR (Zpos p) * x <= IZR xh ->
  forall a b t k, (0 < k)%nat -> 0 <= IZR a <= IZR (Zpos p) * t -> IZR (Zpos p) * t <= IZR b ->
  let (l, h) := tail_between p n xl xh a b (Z.of_nat k) in
  IZR l <= IZR (Zpos p) * tail n x t k <= IZR h.
Proof.
  intros Hl Hh. set (one := IZR (Zpos p)) in *. assert (Hone : 0 < one) by now apply IZR_lt.
  induction n as [|n IH]; intros a b t k Hk Ha Hb; cbn [tail_between tail]; [lra|].
  assert (Lower : (over (a * xl) p / Z.of_nat k = a * xl / (Zpos p * Z.of_nat k))%Z)
    by (rewrite over_div; now rewrite Z.div_div by lia).
  assert (Upper : above_ratio (- over (- (b * xh)) p) (Z.of_nat k) = above_ratio (b * xh) (Zpos p * Z.of_nat k))
    by (unfold above_ratio; rewrite over_div, Z.opp_involutive; now rewrite Z.div_div by lia).
  rewrite Lower, Upper. clear Lower Upper.
  assert (Kz : (0 < Zpos p * Z.of_nat k)%Z) by lia. assert (Kr : 0 < INR k) by now apply lt_0_INR.
  assert (E : IZR (Zpos p * Z.of_nat k) = one * INR k) by now rewrite mult_IZR, INR_IZR_INZ.
  assert (Ht : one * (t * x / INR k) = one * t * (one * x) * / (one * INR k)) by (field; lra).
  assert (Hi : 0 < / (one * INR k)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; trivial).
  assert (L := ratio_le (a * xl) _ Kz). assert (U := above_ratio_ge (b * xh) _ Kz). rewrite mult_IZR, E in L, U.
  assert (N : (0 <= a * xl / (Zpos p * Z.of_nat k))%Z).
  { apply Z.div_pos; [|exact Kz]. apply Z.mul_nonneg_nonneg; apply le_IZR; lra. }
  apply IZR_le in N.
  assert (L' : IZR a * IZR xl <= one * t * (one * x)) by (apply Rmult_le_compat; lra).
  assert (U' : one * t * (one * x) <= IZR b * IZR xh) by (apply Rmult_le_compat; lra).
  apply (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hi)) in L', U'.
  specialize (IH (a * xl / (Zpos p * Z.of_nat k))%Z (above_ratio (b * xh) (Zpos p * Z.of_nat k)) (t * x / INR k) (S k)).
  replace (Z.of_nat (S k)) with (Z.of_nat k + 1)%Z in IH by lia. unfold Rdiv in *.
  destruct (tail_between _ _ _ _ _ _ _) as [l h]. specialize (IH ltac:(lia) ltac:(lra) ltac:(lra)).
  rewrite !minus_IZR, <- (Ropp_mult_distr_l _ (/ INR k)), tail_opp. lra.
Qed.

(** exp (-x) for 0 <= x <= 1/2, squared [k] times. *)
Fixpoint squared_low (bits : positive) (k : nat) (q : Q) : Q :=
  match k with O => q | S k => squared_low bits k (down bits (q * q)) end.
Fixpoint squared_high (bits : positive) (k : nat) (q : Q) : Q :=
  match k with O => q | S k => squared_high bits k (up bits (q * q)) end.

Lemma down_nonneg bits q : Qle_bool 0 q = true -> 0 <= Q2R (down bits q).
Proof.
  intro H. apply Qle_bool_iff in H. rewrite down_floor, Q2R_red, <- Q2R_0. apply Qle_Rle.
  assert (0 <= Qfloor (q * (Zpos (two_to bits) # 1)))%Z.
  { change 0%Z with (Qfloor 0). apply Qfloor_resp_le. apply (Qmult_le_0_compat q); [exact H|]. discriminate. }
  set (f := Qfloor _) in *. unfold Qle. cbn [Qnum Qden]. lia.
Qed.

Lemma square_Qle q : Qle_bool 0 (q * q) = true.
Proof.
  apply Qle_bool_iff. apply Rle_Qle. rewrite Q2R_0, Q2R_mult. apply (Rle_0_sqr (Q2R q)).
Qed.

Lemma squared_low_le bits k q y : 0 <= Q2R q <= exp y -> Q2R (squared_low bits k q) <= exp (2 ^ k * y).
Proof.
  revert q y. induction k as [|k IH]; intros q y H; cbn [squared_low pow]; [rewrite Rmult_1_l; lra|].
  replace (2 * 2 ^ k * y) with (2 ^ k * (y + y)) by ring. apply IH. rewrite exp_plus. split.
  - apply down_nonneg, square_Qle.
  - assert (Hd := down_le bits (q * q)). rewrite Q2R_mult in Hd.
    assert (Q2R q * Q2R q <= exp y * exp y) by (apply product_le; lra). lra.
Qed.

Lemma squared_high_ge bits k q y : exp y <= Q2R q -> exp (2 ^ k * y) <= Q2R (squared_high bits k q).
Proof.
  revert q y. induction k as [|k IH]; intros q y H; cbn [squared_high pow]; [rewrite Rmult_1_l; lra|].
  replace (2 * 2 ^ k * y) with (2 ^ k * (y + y)) by ring. apply IH. rewrite exp_plus.
  assert (Hd := up_ge bits (q * q)). rewrite Q2R_mult in Hd. assert (Hp := exp_pos y).
  assert (exp y * exp y <= Q2R q * Q2R q) by (apply product_le; lra). lra.
Qed.

Definition halvings (x : Q) : nat := Z.to_nat (Z.log2_up (Qceiling x) + 1).

(** The first terms of the series at x/2^k. *)
Definition series (bits : positive) (n k : nat) (x : Q) : Q * Q :=
  let p := two_to (bits + guard) in
  let (above, below) := (Qnum x * Zpos p, Zpos (Qden x) * 2 ^ Z.of_nat k)%Z in
  let (l, h) := tail_between p n (above / below) (above_ratio above below) (Zpos p) (Zpos p) 1 in
  (l # p, h # p).

Definition falling_low (bits : positive) (n : nat) (x : Q) : Q :=
  let k := halvings x in
  let q := down bits (fst (series bits (S (2 * n)) k x)) in
  if Qle_bool 0 q then squared_low bits k q else 0%Q.
Definition falling_high (bits : positive) (n : nat) (x : Q) : Q :=
  let k := halvings x in squared_high bits k (up bits (snd (series bits (2 * n) k x))).

Lemma series_correct bits n k x : 0 <= Q2R x ->
  Q2R (fst (series bits n k x)) <= alternating n (Q2R x / 2 ^ k) <= Q2R (snd (series bits n k x)).
Proof.
  intro Hx. unfold series. set (p := two_to (bits + guard)). set (one := IZR (Zpos p)).
  assert (Hone : 0 < one) by now apply IZR_lt.
  set (above := (Qnum x * Zpos p)%Z). set (below := (Zpos (Qden x) * 2 ^ Z.of_nat k)%Z).
  assert (Hb : (0 < below)%Z) by (apply Z.mul_pos_pos; [reflexivity | apply Z.pow_pos_nonneg; lia]).
  assert (E : IZR above / IZR below = one * (Q2R x / 2 ^ k)).
  { unfold above, below, Q2R, one. rewrite !mult_IZR, <- pow_IZR. field.
    split; [apply not_0_IZR; discriminate | apply pow_nonzero; lra]. }
  assert (L := ratio_le above below Hb). assert (U := above_ratio_ge above below Hb). rewrite E in L, U.
  assert (N : (0 <= above / below)%Z).
  { apply Z.div_pos; [|exact Hb]. apply Z.mul_nonneg_nonneg; [|lia]. apply le_IZR.
    assert (D : 0 < IZR (Zpos (Qden x))) by now apply IZR_lt. unfold Q2R in Hx.
    apply Rmult_le_reg_r with (/ IZR (Zpos (Qden x))); [now apply Rinv_0_lt_compat | lra]. }
  apply IZR_le in N. rewrite alternating_tail.
  assert (H := tail_between_correct p n (Q2R x / 2 ^ k) (above / below) (above_ratio above below)).
  assert (First : 0 <= one <= one * 1 /\ one * 1 <= one) by lra. destruct First as [First Last].
  specialize (H (conj N L) U (Zpos p) (Zpos p) 1 1%nat Nat.lt_0_1 First Last). change (Z.of_nat 1) with 1%Z in H.
  destruct (tail_between _ _ _ _ _ _ _) as [l h]. fold one in H. cbn [fst snd]. unfold Q2R. cbn [Qnum Qden]. fold one.
  set (sum := tail _ _ _ _) in *. clearbody sum.
  replace sum with (one * sum * / one) by (field; lra). assert (Hi : 0 < / one) by now apply Rinv_0_lt_compat.
  split; apply Rmult_le_compat_r; lra.
Qed.

Lemma halved x k : Q2R (Qred (x * (1 # Z.to_pos (2 ^ Z.of_nat k)))) = Q2R x / 2 ^ k.
Proof.
  rewrite Q2R_red, Q2R_mult. unfold Rdiv. f_equal. unfold Q2R. cbn [Qnum Qden].
  rewrite Z2Pos.id by (apply Z.pow_pos_nonneg; lia). rewrite <- pow_IZR, Rmult_1_l. reflexivity.
Qed.

Lemma even_double n : Nat.even (2 * n) = true.
Proof. rewrite Nat.even_mul. reflexivity. Qed.

Lemma odd_double n : Nat.even (S (2 * n)) = false.
Proof. rewrite Nat.even_succ, <- Nat.negb_even, even_double. reflexivity. Qed.

Lemma falling_low_le bits n x : 0 <= Q2R x -> Q2R (falling_low bits n x) <= exp (- Q2R x).
Proof.
  intro Hx. unfold falling_low. set (k := halvings x). set (q := down bits _).
  destruct (Qle_bool 0 q) eqn:E; [|rewrite Q2R_0; left; apply exp_pos].
  apply le_bool in E. rewrite Q2R_0 in E. assert (Hk : 0 < 2 ^ k) by (apply pow_lt; lra).
  replace (- Q2R x) with (2 ^ k * - (Q2R x / 2 ^ k)) by (field; lra). apply squared_low_le. split; [exact E|].
  eapply Rle_trans; [apply down_le|]. eapply Rle_trans; [apply (series_correct bits (S (2 * n)) k x Hx)|].
  assert (H := alternating_exp (S (2 * n)) (Q2R x / 2 ^ k)). rewrite odd_double in H. apply H.
  apply Rmult_le_pos; [exact Hx | left; apply Rinv_0_lt_compat, Hk].
Qed.

Lemma falling_high_ge bits n x : 0 <= Q2R x -> exp (- Q2R x) <= Q2R (falling_high bits n x).
Proof.
  intro Hx. unfold falling_high. set (k := halvings x). assert (Hk : 0 < 2 ^ k) by (apply pow_lt; lra).
  replace (- Q2R x) with (2 ^ k * - (Q2R x / 2 ^ k)) by (field; lra). apply squared_high_ge.
  eapply Rle_trans; [|apply up_ge]. eapply Rle_trans; [|apply (series_correct bits (2 * n) k x Hx)].
  assert (H := alternating_exp (2 * n) (Q2R x / 2 ^ k)). rewrite even_double in H. apply H.
  apply Rmult_le_pos; [exact Hx | left; apply Rinv_0_lt_compat, Hk].
Qed.

Definition exp_low (bits : positive) (n : nat) (q : Q) : Q :=
  if Qle_bool q 0 then falling_low bits n (Qopp q)
  else let h := falling_high bits n q in if positive_end h then qinv h else 0%Q.
Definition exp_high (bits : positive) (n : nat) (q : Q) : option Q :=
  if Qle_bool q 0 then Some (falling_high bits n (Qopp q))
  else let l := falling_low bits n q in if positive_end l then Some (qinv l) else None.

Lemma exp_mono a b : a <= b -> exp a <= exp b.
Proof. intros [H | ->]; [left; apply exp_increasing, H | lra]. Qed.

Lemma exp_low_le bits n q x : Q2R q <= x -> Q2R (exp_low bits n q) <= exp x.
Proof.
  intro H. apply exp_mono in H. eapply Rle_trans; [|exact H]. unfold exp_low. destruct (Qle_bool q 0) eqn:E.
  - apply le_bool in E. rewrite Q2R_0 in E. assert (H' := falling_low_le bits n (Qopp q)).
    rewrite Q2R_opp, Ropp_involutive in H'. apply H'. lra.
  - apply lt_bool in E. rewrite Q2R_0 in E. destruct (positive_end _) eqn:E'; [|rewrite Q2R_0; left; apply exp_pos].
    apply positive_end_lt in E'. rewrite qinv_inv by lra. replace (exp (Q2R q)) with (/ exp (- Q2R q)).
    + apply Rinv_le_contravar; [apply exp_pos | apply falling_high_ge; lra].
    + rewrite <- exp_Ropp. f_equal. ring.
Qed.

Lemma exp_high_ge bits n q x : x <= Q2R q -> under (exp_high bits n q) (exp x).
Proof.
  intro H. apply exp_mono in H. unfold exp_high. destruct (Qle_bool q 0) eqn:E.
  - apply le_bool in E. rewrite Q2R_0 in E. assert (H' := falling_high_ge bits n (Qopp q)).
    rewrite Q2R_opp, Ropp_involutive in H'. simpl. lra.
  - apply lt_bool in E. rewrite Q2R_0 in E. destruct (positive_end _) eqn:E'; simpl; trivial.
    apply positive_end_lt in E'. rewrite qinv_inv by lra. eapply Rle_trans; [exact H|].
    replace (exp (Q2R q)) with (/ exp (- Q2R q)).
    + apply Rinv_le_contravar; [exact E' | apply falling_low_le; lra].
    + rewrite <- exp_Ropp. f_equal. ring.
Qed.

(** ** Logarithms: the series of the inverse hyperbolic tangent *)

Fixpoint odd_series (n : nat) (y : R) : R :=
  match n with O => 0 | S m => odd_series m y + / INR (2 * m + 1) * y ^ (2 * m + 1) end.
Fixpoint even_series (n : nat) (y : R) : R :=
  match n with O => 0 | S m => even_series m y + y ^ (2 * m) end.

Lemma derivable_odd_power m c y :
  derivable_pt_lim (fun y => c * y ^ (2 * m + 1)) y (c * (INR (2 * m + 1) * y ^ (2 * m))).
Proof.
  replace (2 * m + 1)%nat with (S (2 * m)) by lia.
  apply (derivable_pt_lim_scal (fun y => y ^ S (2 * m))), derivable_pt_lim_pow.
Qed.

Lemma derivable_odd_series n y : derivable_pt_lim (odd_series n) y (even_series n y).
Proof.
  induction n as [|n IH]; [apply derivable_pt_lim_const|].
  eapply derivable_pt_lim_eq.
  - apply (derivable_pt_lim_plus _ (fun y => / INR (2 * n + 1) * y ^ (2 * n + 1)) y _ _ IH (derivable_odd_power n _ y)).
  - cbn [even_series]. field. apply not_0_INR. lia.
Qed.

Lemma even_series_sum n y : (1 - y ^ 2) * even_series n y = 1 - y ^ (2 * n).
Proof.
  induction n as [|n IH]; [simpl; ring|]. cbn [even_series]. rewrite Rmult_plus_distr_l, IH.
  replace (2 * S n)%nat with (2 * n + 2)%nat by lia. rewrite pow_add. ring.
Qed.

Definition two_artanh (y : R) : R := ln (1 + y) - ln (1 - y).

Lemma derivable_two_artanh y : -1 < y < 1 -> derivable_pt_lim two_artanh y (2 / (1 - y ^ 2)).
Proof.
  intro Hy. eapply derivable_pt_lim_eq.
  - apply (derivable_pt_lim_minus (fun y => ln (1 + y)) (fun y => ln (1 - y))).
    + apply (derivable_pt_lim_comp (fun y => 1 + y) ln y 1 (/ (1 + y))); [|apply derivable_pt_lim_ln; lra].
      apply (derivable_pt_lim_eq (plus_fct (fct_cte 1) id) y (0 + 1)); [|lra].
      apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    + apply (derivable_pt_lim_comp (fun y => 1 - y) ln y (- 1) (/ (1 - y))); [|apply derivable_pt_lim_ln; lra].
      apply (derivable_pt_lim_eq (minus_fct (fct_cte 1) id) y (0 - 1)); [|lra].
      apply derivable_pt_lim_minus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
  - replace (1 - y ^ 2) with ((1 - y) * (1 + y)) by ring. field. lra.
Qed.

Lemma odd_series_0 n : odd_series n 0 = 0.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [odd_series]. rewrite IH, pow_i by lia. ring.
Qed.

Lemma two_artanh_0 : two_artanh 0 = 0.
Proof. unfold two_artanh. rewrite Rplus_0_r, Rminus_0_r, ln_1. ring. Qed.

Lemma even_series_slope n y :
  -1 < y < 1 -> 2 / (1 - y ^ 2) - 2 * even_series n y = 2 / (1 - y ^ 2) * y ^ (2 * n).
Proof.
  intro Hy. assert (H := even_series_sum n y). assert (E : 1 - y ^ 2 <> 0).
  { replace (1 - y ^ 2) with ((1 - y) * (1 + y)) by ring. apply Rmult_integral_contrapositive_currified; lra. }
  replace (y ^ (2 * n)) with (1 - (1 - y ^ 2) * even_series n y) by lra. field. exact E.
Qed.

Lemma one_minus_square_positive y : 0 <= y < 1 -> 0 < 1 - y ^ 2.
Proof. intro. replace (1 - y ^ 2) with ((1 - y) * (1 + y)) by ring. apply Rmult_lt_0_compat; lra. Qed.

Lemma artanh_low n y : 0 <= y < 1 -> 2 * odd_series n y <= two_artanh y.
Proof.
  intro Hy. assert (H := rises (minus_fct two_artanh (mult_real_fct 2 (odd_series n)))
    (fun y => 2 / (1 - y ^ 2) - 2 * even_series n y) 0 y (proj1 Hy)).
  unfold minus_fct, mult_real_fct in H. rewrite odd_series_0, two_artanh_0 in H.
  assert (2 * 0 <= two_artanh y - 2 * odd_series n y); [|lra].
  replace (2 * 0) with (0 - 2 * 0) by ring. apply H.
  - intros x Hx. apply derivable_pt_lim_minus; [apply derivable_two_artanh; lra|].
    apply derivable_pt_lim_scal, derivable_odd_series.
  - intros x Hx. rewrite even_series_slope by lra.
    assert (0 < 1 - x ^ 2) by (apply one_minus_square_positive; lra).
    apply Rmult_le_pos; [|apply pow_le; lra].
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; trivial].
Qed.

Lemma artanh_high n y :
  0 <= y < 1 ->
  two_artanh y <= 2 * odd_series n y + 2 / (1 - y ^ 2) * (/ INR (2 * n + 1)) * y ^ (2 * n + 1).
Proof.
  intro Hy. set (c := 2 / (1 - y ^ 2) * / INR (2 * n + 1)).
  assert (Hp := one_minus_square_positive y Hy). assert (Hn : INR (2 * n + 1) <> 0) by (apply not_0_INR; lia).
  assert (H := rises (minus_fct (plus_fct (mult_real_fct 2 (odd_series n)) (fun y => c * y ^ (2 * n + 1))) two_artanh)
    (fun y => 2 * even_series n y + c * (INR (2 * n + 1) * y ^ (2 * n)) - 2 / (1 - y ^ 2)) 0 y (proj1 Hy)).
  unfold minus_fct, plus_fct, mult_real_fct in H. rewrite odd_series_0, two_artanh_0, pow_i in H by lia.
  assert (2 * 0 + c * 0 - 0 <= 2 * odd_series n y + c * y ^ (2 * n + 1) - two_artanh y); [|lra]. apply H.
  - intros x Hx. apply (derivable_pt_lim_minus (plus_fct (mult_real_fct 2 (odd_series n)) (fun y => c * y ^ (2 * n + 1)))).
    + apply (derivable_pt_lim_plus (mult_real_fct 2 (odd_series n)) (fun y => c * y ^ (2 * n + 1))).
      * apply derivable_pt_lim_scal, derivable_odd_series.
      * apply derivable_odd_power.
    + apply derivable_two_artanh. lra.
  - intros x Hx. assert (Hs := even_series_slope n x ltac:(lra)).
    assert (Hx' : 0 < 1 - x ^ 2) by (apply one_minus_square_positive; lra).
    replace (2 * even_series n x + c * (INR (2 * n + 1) * x ^ (2 * n)) - 2 / (1 - x ^ 2))
      with ((2 * / (1 - y ^ 2) - 2 * / (1 - x ^ 2)) * x ^ (2 * n)).
    + apply Rmult_le_pos; [|apply pow_le; lra].
      assert (/ (1 - x ^ 2) <= / (1 - y ^ 2)); [|lra]. apply Rinv_le_contravar; [exact Hp|].
      assert (x ^ 2 <= y ^ 2) by (apply pow_incr; lra). lra.
    + unfold c. unfold Rdiv in *. assert (E : 2 * even_series n x = 2 * / (1 - x ^ 2) - 2 * / (1 - x ^ 2) * x ^ (2 * n)) by lra.
      rewrite E. field. lra.
Qed.

(** The sum of [n] terms y^k/k from the odd k on, in whole numbers over [p], rounded down and rounded up; of the latter
    the next power, too. *)
Fixpoint odd_low (p : positive) (n : nat) (square term k : Z) : Z :=
  match n with
  | O => 0
  | S m => term / k + odd_low p m square (over (term * square) p) (k + 2)
  end%Z.

Fixpoint odd_high (p : positive) (n : nat) (square term k : Z) : Z * Z :=
  match n with
  | O => (0, term)
  | S m =>
      let (s, last) := odd_high p m square (- over (- (term * square)) p) (k + 2) in
      (above_ratio term k + s, last)
  end%Z.

Section OddSums.
  Variables (p : positive) (y : R) (square : Z).
  Let one := IZR (Zpos p).
  Hypothesis y_range : 0 <= y.

  Lemma one_positive : 0 < one.
  Proof using. now apply IZR_lt. Qed.

  Lemma next_odd m : (Z.of_nat (2 * m + 1) + 2 = Z.of_nat (2 * S m + 1))%Z.
  Proof using. lia. Qed.

  Lemma next_power m : one * y ^ (2 * S m + 1) = one * y ^ (2 * m + 1) * (one * y ^ 2) / one.
  Proof using.
    assert (H := one_positive). replace (2 * S m + 1)%nat with (2 * m + 1 + 2)%nat by lia. rewrite pow_add. field. lra.
  Qed.

  Lemma odd_term m : one * (/ INR (2 * m + 1) * y ^ (2 * m + 1)) = one * y ^ (2 * m + 1) / IZR (Z.of_nat (2 * m + 1)).
  Proof using. rewrite <- INR_IZR_INZ. field. apply not_0_INR. lia. Qed.

  Lemma odd_low_le (Hs : 0 <= IZR square <= one * y ^ 2) n : forall m term, IZR term <= one * y ^ (2 * m + 1) ->
    IZR (odd_low p n square term (Z.of_nat (2 * m + 1))) <= one * (odd_series (m + n) y - odd_series m y).
  Proof using y_range.
    assert (Hone := one_positive). induction n as [|n IH]; intros m term Ht; cbn [odd_low].
    - rewrite Nat.add_0_r. lra.
    - rewrite plus_IZR, next_odd, over_div. replace (m + S n)%nat with (S m + n)%nat by lia.
      assert (Hfirst := ratio_le term (Z.of_nat (2 * m + 1)) ltac:(lia)).
      assert (Hk : 0 < / IZR (Z.of_nat (2 * m + 1))) by (apply Rinv_0_lt_compat, IZR_lt; lia).
      apply (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hk)) in Ht as Hdivided.
      assert (Hnext : IZR (term * square / Z.pos p) <= one * y ^ (2 * S m + 1)).
      { refine (Rle_trans _ _ _ (ratio_le _ _ _) _); [reflexivity|]. rewrite next_power, mult_IZR.
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
        assert (0 <= one * y ^ (2 * m + 1)) by (apply Rmult_le_pos; [lra | now apply pow_le]). nra. }
      specialize (IH (S m) _ Hnext). cbn [odd_series] in IH.
      assert (E := odd_term m). unfold Rdiv in *. nra.
  Qed.

  Lemma odd_high_ge (Hs : one * y ^ 2 <= IZR square) n : forall m term, one * y ^ (2 * m + 1) <= IZR term ->
    let (s, last) := odd_high p n square term (Z.of_nat (2 * m + 1)) in
    one * (odd_series (m + n) y - odd_series m y) <= IZR s /\ one * y ^ (2 * (m + n) + 1) <= IZR last.
  Proof using y_range.
    assert (Hone := one_positive). induction n as [|n IH]; intros m term Ht; cbn [odd_high].
    - rewrite Nat.add_0_r. split; [lra | exact Ht].
    - rewrite next_odd, over_div. fold (above_ratio (term * square) (Z.pos p)).
      replace (m + S n)%nat with (S m + n)%nat by lia.
      assert (Hnext : one * y ^ (2 * S m + 1) <= IZR (above_ratio (term * square) (Z.pos p))).
      { refine (Rle_trans _ _ _ _ (above_ratio_ge _ _ _)); [|reflexivity]. rewrite next_power, mult_IZR.
        apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
        assert (0 <= y ^ 2) by now apply pow_le.
        assert (0 <= y ^ (2 * m + 1)) by now apply pow_le.
        apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra. }
      specialize (IH (S m) _ Hnext). destruct (odd_high _ _ _ _ _) as [s last]. destruct IH as [Hsum Hlast].
      split; [|exact Hlast]. rewrite plus_IZR. cbn [odd_series] in Hsum.
      assert (Hfirst := above_ratio_ge term (Z.of_nat (2 * m + 1)) ltac:(lia)).
      assert (Hk : 0 < / IZR (Z.of_nat (2 * m + 1))) by (apply Rinv_0_lt_compat, IZR_lt; lia).
      apply (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hk)) in Ht as Hdivided.
      assert (E := odd_term m). unfold Rdiv in *. nra.
  Qed.
End OddSums.

(** A bound of ln m for m >= 1, from above or from below, computed with multiples of 1/p. *)
Definition ln_series (above : bool) (p : positive) (n : nat) (m : Q) : Q :=
  let y := Qred ((m - 1) / (m + 1)) in
  if above then
    let high := Qceiling (y * (Zpos p # 1)) in
    let (s, last) := odd_high p n (above_ratio (high * high) (Zpos p)) high 1 in
    Qred (Qmake (2 * s) p + 2 / (1 - y * y) * (1 # Pos.of_nat (2 * n + 1)) * Qmake last p)
  else
    let low := Qfloor (y * (Zpos p # 1)) in
    Qmake (2 * odd_low p n (low * low / Zpos p) low 1) p.

Lemma ln_is_artanh m : 1 <= Q2R m ->
  let y := Qred ((m - 1) / (m + 1)) in 0 <= Q2R y < 1 /\ ln (Q2R m) = two_artanh (Q2R y).
Proof.
  intros Hm y. assert (Hq : Q2R (m + 1) = Q2R m + 1) by (rewrite Q2R_plus, Q2R_1; reflexivity).
  assert (Ey : Q2R y = (Q2R m - 1) / (Q2R m + 1)).
  { unfold y. rewrite Q2R_red, Q2R_div, Hq, Q2R_minus, Q2R_1; [reflexivity|].
    intro E. apply Qeq_eqR in E. rewrite Hq, Q2R_0 in E. lra. }
  assert (Hy : 0 <= Q2R y < 1).
  { rewrite Ey. split.
    - apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra].
    - apply (Rmult_lt_reg_r (Q2R m + 1)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  split; [exact Hy|]. unfold two_artanh.
  assert (E : 1 + Q2R y = Q2R m * (1 - Q2R y)) by (rewrite Ey; field; lra).
  rewrite E, ln_mult by lra. ring.
Qed.

Lemma parts_of_one p q : 0 <= Q2R q ->
  let low := Qfloor (q * (Zpos p # 1)) in
  0 <= IZR low <= IZR (Zpos p) * Q2R q /\ IZR (Zpos p) * Q2R q <= IZR (Qceiling (q * (Zpos p # 1))).
Proof.
  intros Hq low. assert (Hp : 0 < IZR (Zpos p)) by now apply IZR_lt.
  assert (E : Q2R (q * (Zpos p # 1)) = IZR (Zpos p) * Q2R q) by (rewrite Q2R_mult, Q2R_Z; ring).
  assert (Hlow := Qfloor_le (q * (Zpos p # 1))). assert (Hnext := Qlt_floor (q * (Zpos p # 1))).
  assert (Hhigh := Qle_ceiling (q * (Zpos p # 1))). apply Qle_Rle in Hlow, Hhigh. apply Qlt_Rlt in Hnext.
  unfold inject_Z in *. rewrite E, Q2R_Z in *. fold low in Hlow, Hnext.
  split; [|exact Hhigh]. split; [|exact Hlow]. apply IZR_le.
  assert (0 <= IZR (Zpos p) * Q2R q) by (apply Rmult_le_pos; lra).
  assert (-1 < low)%Z by (apply lt_IZR; rewrite plus_IZR in Hnext; lra). lia.
Qed.

Lemma square_low p y low : 0 <= IZR low <= IZR (Zpos p) * y -> 0 <= IZR (low * low / Zpos p) <= IZR (Zpos p) * y ^ 2.
Proof.
  intros [H0 H]. assert (Hp : 0 < IZR (Zpos p)) by now apply IZR_lt. split.
  - apply IZR_le. apply le_IZR in H0. apply Z.div_pos; [nia | reflexivity].
  - refine (Rle_trans _ _ _ (ratio_le _ _ _) _); [reflexivity|]. rewrite mult_IZR.
    replace (IZR (Zpos p) * y ^ 2) with (IZR (Zpos p) * y * (IZR (Zpos p) * y) / IZR (Zpos p)) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | now apply Rmult_le_compat].
Qed.

Lemma square_high p y high : 0 <= y -> IZR (Zpos p) * y <= IZR high ->
  IZR (Zpos p) * y ^ 2 <= IZR (above_ratio (high * high) (Zpos p)).
Proof.
  intros H0 H. assert (Hp : 0 < IZR (Zpos p)) by now apply IZR_lt.
  refine (Rle_trans _ _ _ _ (above_ratio_ge _ _ _)); [|reflexivity]. rewrite mult_IZR.
  replace (IZR (Zpos p) * y ^ 2) with (IZR (Zpos p) * y * (IZR (Zpos p) * y) / IZR (Zpos p)) by (field; lra).
  assert (0 <= IZR (Zpos p) * y) by (apply Rmult_le_pos; lra).
  apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | now apply Rmult_le_compat].
Qed.

Lemma Q2R_make z p : Q2R (Qmake z p) = IZR z / IZR (Zpos p).
Proof. reflexivity. Qed.

Lemma ln_series_correct p n m :
  1 <= Q2R m -> Q2R (ln_series false p n m) <= ln (Q2R m) <= Q2R (ln_series true p n m).
Proof.
  intro Hm. destruct (ln_is_artanh m Hm) as [Hy ->]. unfold ln_series. cbv zeta iota.
  set (y := Qred ((m - 1) / (m + 1))) in *.
  assert (Hp : 0 < IZR (Zpos p)) by now apply IZR_lt. destruct (parts_of_one p y (proj1 Hy)) as [Hlow Hhigh].
  set (low := Qfloor (y * (Zpos p # 1))) in *.
  assert (Hbelow := odd_low_le p (Q2R y) _ (proj1 Hy) (square_low p _ _ Hlow) n 0 low).
  assert (Habove := odd_high_ge p (Q2R y) _ (proj1 Hy) (square_high p _ _ (proj1 Hy) Hhigh) n 0 (Qceiling (y * (Zpos p # 1)))).
  cbn [Nat.mul Nat.add odd_series Z.of_nat] in Hbelow, Habove. rewrite pow_1 in Hbelow, Habove.
  specialize (Hbelow (proj2 Hlow)). specialize (Habove Hhigh). change (Z.pos (Pos.of_succ_nat 0)) with 1%Z in *.
  destruct (odd_high _ _ _ _ _) as [s last]. destruct Habove as [Hsum Hlast]. split.
  - refine (Rle_trans _ _ _ _ (artanh_low n _ Hy)). rewrite Q2R_make, mult_IZR.
    apply Rmult_le_reg_r with (IZR (Zpos p)); [exact Hp|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - refine (Rle_trans _ _ _ (artanh_high n _ Hy) _). assert (Hone := one_minus_square_positive _ Hy).
    assert (Hd : Q2R (1 - y * y) = 1 - Q2R y ^ 2) by (rewrite Q2R_minus, Q2R_mult, Q2R_1; ring).
    rewrite Q2R_red, Q2R_plus, Q2R_mult, Q2R_mult, Q2R_div, Hd, !Q2R_make, mult_IZR.
    2: { intro E. apply Qeq_eqR in E. rewrite Hd, Q2R_0 in E. lra. }
    replace (IZR (Zpos (Pos.of_nat (2 * n + 1)))) with (INR (2 * n + 1))
      by (rewrite INR_IZR_INZ; f_equal; lia).
    assert (Hn : 0 < / INR (2 * n + 1)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
    assert (Hs : odd_series n (Q2R y) <= IZR s / IZR (Zpos p)).
    { apply Rmult_le_reg_r with (IZR (Zpos p)); [exact Hp|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hl : Q2R y ^ (2 * n + 1) <= IZR last / IZR (Zpos p)).
    { apply Rmult_le_reg_r with (IZR (Zpos p)); [exact Hp|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      cbn [Nat.mul] in *. lra. }
    apply Rplus_le_compat; [unfold Rdiv in *; lra|].
    replace (2 / 1) with 2 by field. replace (1 / INR (2 * n + 1)) with (/ INR (2 * n + 1)) by (unfold Rdiv; ring).
    apply Rmult_le_compat_l; [|exact Hl].
    apply Rmult_le_pos; [|lra]. apply Rmult_le_pos; [lra | left; now apply Rinv_0_lt_compat].
Qed.

(** ln q = e ln 2 + ln (q / 2^e) for q >= 1. *)
Definition exponent (q : Q) : Z := Z.log2 (Qfloor q).
Definition mantissa (q : Q) : Q := Qred (q * (1 # Z.to_pos (2 ^ exponent q))).

(** Whether a number is a bound of x from that side. *)
Definition bounds (above : bool) (x : R) (q : option Q) : Prop :=
  match q with Some q => if above then x <= Q2R q else Q2R q <= x | None => True end.

Definition ln_large (above : bool) (p : positive) (n : nat) (q : Q) : option Q :=
  let e := exponent q in let m := mantissa q in
  if Qle_bool 1 m && (0 <=? e)%Z then
    let a := ln_series above p n m in
    Some (if (e =? 0)%Z then a else Qred ((e # 1) * ln_series above p n 2 + a))
  else None.

Lemma ln_large_correct above p n q : 0 < Q2R q -> bounds above (ln (Q2R q)) (ln_large above p n q).
Proof.
  intro Hq. unfold ln_large. destruct (_ && _) eqn:E; [|exact I]. apply andb_true_iff in E as [E1 E2].
  apply le_bool in E1. rewrite Q2R_1 in E1. apply Z.leb_le in E2.
  assert (H1 := ln_series_correct p n _ E1). assert (H2 := ln_series_correct p n 2).
  rewrite (Q2R_Z 2) in H2. specialize (H2 ltac:(lra)).
  assert (Hp : 0 < 2 ^ Z.to_nat (exponent q)) by (apply pow_lt; lra).
  assert (Em : Q2R (mantissa q) = Q2R q / 2 ^ Z.to_nat (exponent q)).
  { unfold mantissa. rewrite <- (Z2Nat.id (exponent q)) at 1 by exact E2. apply halved. }
  assert (El : ln (Q2R q) = IZR (exponent q) * ln 2 + ln (Q2R (mantissa q))).
  { rewrite Em. unfold Rdiv. rewrite ln_mult, ln_Rinv, ln_pow; try lra; [|apply Rinv_0_lt_compat, Hp].
    rewrite INR_IZR_INZ, Z2Nat.id by exact E2. ring. }
  assert (Z0 : 0 <= IZR (exponent q)) by (apply IZR_le; exact E2). rewrite El. unfold bounds.
  destruct (Z.eqb_spec (exponent q) 0) as [-> | _]; [destruct above; lra|].
  destruct above; rewrite Q2R_red, Q2R_plus, Q2R_mult, Q2R_Z; apply Rplus_le_compat; try lra;
    apply Rmult_le_compat_l; lra.
Qed.

Definition ln_end (above : bool) (bits : positive) (n : nat) (q : Q) : option Q :=
  let p := two_to (bits + guard) in
  option_map ((if above then up else down) bits)
    (if Qle_bool 1 q then ln_large above p n q else option_map Qopp (ln_large (negb above) p n (qinv q))).

Lemma ln_end_correct above bits n q : 0 < Q2R q -> bounds above (ln (Q2R q)) (ln_end above bits n q).
Proof.
  intro Hq. unfold ln_end. set (p := two_to (bits + guard)).
  assert (Hr : forall x found,
    bounds above x found -> bounds above x (option_map ((if above then up else down) bits) found)).
  { intros x [a|] H; [|exact I]. assert (L := down_le bits a). assert (U := up_ge bits a).
    destruct above; simpl in *; lra. }
  apply Hr. destruct (Qle_bool 1 q); [now apply ln_large_correct|].
  assert (Hi : Q2R (qinv q) = / Q2R q) by (apply qinv_inv; lra).
  assert (H := ln_large_correct (negb above) p n (qinv q)). rewrite Hi in H.
  specialize (H ltac:(apply Rinv_0_lt_compat, Hq)). rewrite ln_Rinv in H by exact Hq.
  destruct (ln_large _ p n (qinv q)) as [a|]; [|exact I]. destruct above; simpl in *; rewrite Q2R_opp; lra.
Qed.

Lemma ln_mono a b : 0 < a -> a <= b -> ln a <= ln b.
Proof. intros Ha [H | ->]; [left; apply ln_increasing; trivial | lra]. Qed.

(** ** The enclosure of an expression *)

Definition terms (bits : positive) : nat := Pos.to_nat bits / 3 + 3.

(** The series of the exponential converges faster. *)
Definition exp_terms (bits : positive) : nat := Pos.to_nat bits / 8 + 3.

Definition exp_interval (bits : positive) (i : interval) : interval :=
  ( Some (match fst i with Some q => exp_low bits (exp_terms bits) q | None => 0%Q end),
    match snd i with Some q => exp_high bits (exp_terms bits) q | None => None end ).

Definition ln_interval (bits : positive) (i : interval) : interval :=
  ( match fst i with Some q => if positive_end q then ln_end false bits (terms bits) q else None | None => None end,
    match snd i with Some q => if positive_end q then ln_end true bits (terms bits) q else None | None => None end ).

Definition sqrt_interval (bits : positive) (i : interval) : interval :=
  ( Some (match fst i with Some q => root_low bits q | None => 0%Q end),
    match snd i with Some q => root_high bits q | None => None end ).

Definition root_interval (n : nat) (bits : positive) (i : interval) : interval :=
  ( Some (match fst i with Some q => nth_root_low n bits q | None => 0%Q end),
    match snd i with Some q => nth_root_high n bits q | None => None end ).

Fixpoint enclosure (bits : positive) (box : list interval) (e : expr) : interval :=
  match e with
  | Int z => point (z # 1)
  | Rat z p => point (z # p)
  | Var n => nth n box everything
  | Add a b => shortened bits (add (enclosure bits box a) (enclosure bits box b))
  | Mul a b => shortened bits (mul (enclosure bits box a) (enclosure bits box b))
  | Pow a n => shortened bits (power (enclosure bits box a) n)
  | Inv a => shortened bits (inverse (enclosure bits box a))
  | Exp a => shortened bits (exp_interval bits (enclosure bits box a))
  | Ln a => ln_interval bits (enclosure bits box a)
  | Sqrt a => sqrt_interval bits (enclosure bits box a)
  | Root a n => root_interval n bits (enclosure bits box a)
  end.

Lemma exp_interval_holds bits i x : holds i x -> holds (exp_interval bits i) (exp x).
Proof.
  intros [Ha Hb]. split; simpl.
  - destruct (fst i) as [a|]; simpl in *; [apply exp_low_le, Ha | rewrite Q2R_0; left; apply exp_pos].
  - destruct (snd i) as [b|]; simpl in *; trivial. apply exp_high_ge, Hb.
Qed.

Lemma ln_interval_holds bits i x : 0 < x -> holds i x -> holds (ln_interval bits i) (ln x).
Proof.
  intros Hx [Ha Hb]. unfold ln_interval. split; simpl.
  - destruct (fst i) as [a|]; simpl in *; trivial. destruct (positive_end a) eqn:E; simpl; trivial.
    apply positive_end_lt in E. assert (H := ln_end_correct false bits (terms bits) a E).
    destruct (ln_end false _ _ a); simpl in *; trivial. assert (H' := ln_mono _ _ E Ha). lra.
  - destruct (snd i) as [b|]; simpl in *; trivial. destruct (positive_end b) eqn:E; simpl; trivial.
    apply positive_end_lt in E. assert (H := ln_end_correct true bits (terms bits) b E).
    destruct (ln_end true _ _ b); simpl in *; trivial. assert (H' := ln_mono _ _ Hx Hb). lra.
Qed.

Lemma sqrt_interval_holds bits i x : holds i x -> holds (sqrt_interval bits i) (sqrt x).
Proof.
  intros [Ha Hb]. split; simpl.
  - destruct (fst i) as [a|]; simpl in *; [apply root_low_le, Ha | rewrite Q2R_0; apply sqrt_pos].
  - destruct (snd i) as [b|]; simpl in *; trivial. apply root_high_ge, Hb.
Qed.

Lemma root_interval_holds n bits i x : holds i x -> holds (root_interval n bits i) (root (S n) x).
Proof.
  intros [Ha Hb]. split; unfold root_interval; cbn [fst snd above under].
  - destruct (fst i) as [a|]; [apply nth_root_low_le, Ha | rewrite Q2R_0; apply root_nonnegative].
  - destruct (snd i) as [b|]; [apply nth_root_high_ge, Hb | exact I].
Qed.

Lemma point_holds q x : Q2R q = x -> holds (point q) x.
Proof. intros <-. split; simpl; lra. Qed.

Lemma box_holds box env n : all_hold box env -> holds (nth n box everything) (nth n env 0).
Proof.
  revert env n. induction box as [|i box IH]; intros [|x env] n H; simpl in H; try contradiction.
  - destruct n; split; exact I.
  - destruct H as [Hi H]. destruct n as [|n]; simpl; [exact Hi | apply IH, H].
Qed.

Theorem enclosure_holds bits box env e :
  all_hold box env -> defined env e -> holds (enclosure bits box e) (eval env e).
Proof.
  intro Hbox. induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; simpl; intro H.
  - apply point_holds, Q2R_Z.
  - apply point_holds. reflexivity.
  - apply box_holds, Hbox.
  - apply shortened_holds, add_holds; [apply IHa | apply IHb]; apply H.
  - apply shortened_holds, mul_holds; [apply IHa | apply IHb]; apply H.
  - apply shortened_holds, power_holds, IHa, H.
  - apply shortened_holds, inverse_holds; [apply H | apply IHa, H].
  - apply shortened_holds, exp_interval_holds, IHa, H.
  - apply ln_interval_holds; [apply H | apply IHa, H].
  - apply sqrt_interval_holds, IHa, H.
  - apply root_interval_holds, IHa, H.
Qed.

(** ** What a proof uses *)

Definition at_most (high : option Q) (q : Q) : bool := match high with Some h => Qle_bool h q | None => false end.
Definition at_least (low : option Q) (q : Q) : bool := match low with Some l => Qle_bool q l | None => false end.
Definition is_negative (high : option Q) : bool := match high with Some h => negb (Qle_bool 0 h) | None => false end.

Lemma enclosed_le bits box env e q :
  all_hold box env -> defined env e -> at_most (snd (enclosure bits box e)) q = true -> eval env e <= Q2R q.
Proof.
  intros Hb Hd H. assert (He := proj2 (enclosure_holds bits box env e Hb Hd)).
  destruct (snd _) as [h|]; simpl in *; [|discriminate]. apply le_bool in H. lra.
Qed.

Lemma enclosed_ge bits box env e q :
  all_hold box env -> defined env e -> at_least (fst (enclosure bits box e)) q = true -> Q2R q <= eval env e.
Proof.
  intros Hb Hd H. assert (He := proj1 (enclosure_holds bits box env e Hb Hd)).
  destruct (fst _) as [h|]; simpl in *; [|discriminate]. apply le_bool in H. lra.
Qed.

Definition difference (l r : expr) : expr := Add l (Mul (Int (-1)) r).

(** Certainly smooth on a whole box. *)
Fixpoint is_smooth (bits : positive) (box : list interval) (e : expr) : bool :=
  match e with
  | Int _ | Rat _ _ | Var _ => true
  | Add a b | Mul a b => is_smooth bits box a && is_smooth bits box b
  | Pow a _ | Exp a => is_smooth bits box a
  | Inv a =>
      is_smooth bits box a &&
      let (l, h) := enclosure bits box a in
      (is_negative h || match l with Some l => positive_end l | None => false end)
  | Ln a | Sqrt a | Root a _ =>
      is_smooth bits box a &&
      match fst (enclosure bits box a) with Some l => positive_end l | None => false end
  end.

Lemma smooth_defined env e : smooth env e -> defined env e.
Proof.
  induction e; simpl; intuition lra.
Qed.

Lemma is_smooth_smooth bits box env e : all_hold box env -> is_smooth bits box e = true -> smooth env e.
Proof.
  intro Hbox.
  assert (Hpos : forall a, smooth env a -> match fst (enclosure bits box a) with Some l => positive_end l | None => false end = true ->
            0 < eval env a).
  { intros a Ha H. assert (He := proj1 (enclosure_holds bits box env a Hbox (smooth_defined _ _ Ha))).
    destruct (fst _) as [l|]; [|discriminate]. apply positive_end_lt in H. simpl in He. lra. }
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; simpl; intro H; trivial;
    try (apply andb_true_iff in H as [H1 H2]); auto.
  assert (Ha := IHa H1). split; [exact Ha|].
  assert (He := enclosure_holds bits box env a Hbox (smooth_defined _ _ Ha)).
  destruct (enclosure bits box a) as [l h]. destruct He as [Hl Hh]. apply orb_true_iff in H2 as [H2 | H2].
  - destruct h as [h|]; [|discriminate]. simpl in *. apply negb_true_iff, lt_bool in H2. rewrite Q2R_0 in H2. lra.
  - destruct l as [l|]; [|discriminate]. simpl in *. apply positive_end_lt in H2. lra.
Qed.

(** The mean value form: the value at the middle, and the slope times the distance to it. *)
Definition middle (low high : Q) : Q := Qred ((low + high) * (1 # 2)).
Definition mean_form (bits : positive) (low high : Q) (e : expr) : option Q :=
  let m := middle low high in
  if is_smooth bits [(Some low, Some high)] e && Qle_bool low m && Qle_bool m high then
    snd (add (enclosure bits [point m] e)
             (mul (enclosure bits [(Some low, Some high)] (slope e)) (Some (Qred (low - m)), Some (Qred (high - m)))))
  else None.

Lemma nonzero_if_positive x : 0 < x -> x <> 0.
Proof. lra. Qed.

Lemma smooth_slope env e : smooth env e -> defined env (slope e).
Proof.
  induction e as [z|z p|n|a IHa b IHb|a IHa b IHb|a IHa n|a IHa|a IHa|a IHa|a IHa|a IHa n]; simpl; trivial.
  - intro H. destruct n; exact I.
  - intros [Ha Hb]. auto.
  - intros [Ha Hb]. assert (H1 := smooth_defined _ _ Ha). assert (H2 := smooth_defined _ _ Hb). auto.
  - intro H. assert (H1 := smooth_defined _ _ H). destruct n; simpl; auto.
  - intros [Ha Hx]. assert (H1 := smooth_defined _ _ Ha). assert (H2 := IHa Ha). assert (H3 := pow_nonzero _ 2 Hx).
    destruct a as [z|z p|m|b c|b c|b m|b|b|b|b|b n]; try (cbn; tauto).
    destruct m as [|m]; [cbn; tauto|]. cbn [slope defined eval] in *. repeat split; try tauto.
    intro E. apply Hx. destruct (Req_dec (eval env b) 0) as [Z | Z]; [rewrite Z; simpl; ring|].
    exfalso. apply (pow_nonzero _ (S (S m)) Z E).
  - intro H. assert (H1 := smooth_defined _ _ H). auto.
  - intros [Ha Hx]. assert (H1 := smooth_defined _ _ Ha). repeat split; auto using (nonzero_if_positive _ Hx).
  - intros [Ha Hx]. assert (H1 := smooth_defined _ _ Ha). repeat split; auto using (nonzero_if_positive _ Hx), Rlt_le.
  - intros [Ha Hx]. assert (H1 := smooth_defined _ _ Ha). repeat split; auto using (nonzero_if_positive _ Hx), Rlt_le.
Qed.

Theorem mean_form_holds bits low high e x :
  Q2R low <= x -> x <= Q2R high -> under (mean_form bits low high e) (eval [x] e).
Proof.
  intros Hl Hh. unfold mean_form. set (m := middle low high). destruct (_ && _) eqn:E; [|exact I].
  apply andb_true_iff in E as [E Em2]. apply andb_true_iff in E as [Es Em1]. apply le_bool in Em1, Em2.
  assert (Hs : forall y, Q2R low <= y <= Q2R high -> smooth [y] e).
  { intros y Hy. apply (is_smooth_smooth bits _ [y] e) in Es; [exact Es|]. split; [exact Hy | exact I]. }
  assert (Hd : forall y, Q2R low <= y <= Q2R high -> derivable_pt_lim (fun v => eval [v] e) y (eval [y] (slope e))).
  { intros y Hy. apply derivable_slope, Hs, Hy. }
  assert (Hc : exists c, Q2R low <= c <= Q2R high /\ eval [x] e = eval [Q2R m] e + eval [c] (slope e) * (x - Q2R m)).
  { destruct (Rtotal_order x (Q2R m)) as [H | [-> | H]].
    - destruct (MVT_cor2 (fun v => eval [v] e) (fun v => eval [v] (slope e)) x (Q2R m) H) as [c [Ec Hc]].
      + intros y Hy. apply Hd. lra.
      + exists c. split; [lra|]. replace (eval [x] e) with (eval [Q2R m] e - (eval [Q2R m] e - eval [x] e)) by ring.
        rewrite Ec. ring.
    - exists (Q2R m). split; [lra | ring].
    - destruct (MVT_cor2 (fun v => eval [v] e) (fun v => eval [v] (slope e)) (Q2R m) x H) as [c [Ec Hc]].
      + intros y Hy. apply Hd. lra.
      + exists c. split; [lra|]. replace (eval [x] e) with (eval [Q2R m] e + (eval [x] e - eval [Q2R m] e)) by ring.
        rewrite Ec. ring. }
  destruct Hc as [c [Hc ->]]. refine (proj2 (add_holds _ _ _ _ _ _)).
  - apply enclosure_holds; [split; [apply point_holds; reflexivity | exact I]|].
    apply smooth_defined, Hs. lra.
  - apply mul_holds.
    + apply enclosure_holds; [split; [exact Hc | exact I]|]. apply smooth_slope, Hs, Hc.
    + split; simpl; rewrite Q2R_red, Q2R_minus; lra.
Qed.
