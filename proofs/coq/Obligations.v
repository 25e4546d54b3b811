(** * What is to be proved of a loss of a margin, computed from the functions that its theorem is about

    Variables: 0 is the margin, 1 the top margin on a wrong round or a second margin, 2 the number of classes, and from
    3 on there are the parameters. The functions themselves have one margin, the variable 0. *)

Require Import Reals ZArith List Bool.
From Gaptron Require Import Enclosures WrittenFunctions.
From Gaptron.kernel Require Import Terms Relations Certificate.
Import ListNotations.

Notation M := (Var 0) (only parsing).
Notation S_ := (Var 1) (only parsing).
Notation K_ := (Var 2) (only parsing).

(** Whose loss it is: every label's, or with one weight vector that of +1 or of -1, at the margin z or -z of the score z.
    The score 0 predicts +1. Or every label's, of its softmax probability, which is in the place of the margin. *)
Inductive label : Set := Every | Upper | Lower | Probable.

(** A round at which no larger learning rate will do: in which part of the loss, in which of the gap map. *)
Record contact : Set := Contact { is_right : bool; at_margin : expr; at_top : expr; of_loss : nat; of_map : nat }.

(** Of the parts of [phi], [order] has the numbers of those that are joined, from left to right; each other part is
    empty, or at a point of a joined one: [elsewhere] has both numbers. *)
Record loss_statement : Set := LossData {
  of_label : label;
  parameters : nat;
  domain : list relation;         (* what is claimed of the classes and the parameters *)
  phi : written;
  order : list nat;
  elsewhere : list (nat * nat)
}.

(** Numbers may be in pieces, or smooth. *)
Record numbers {number : Set} : Set := Numbers {
  off_above : option number;
  rate : number;
  regret : option number;         (* 1/(2 rate) if it is not given *)
  cost : option number            (* of abstaining, in the place of guessing *)
}.
Arguments numbers : clear implicits.
Arguments Numbers {number}.

Record margin_statement {number : Set} : Set := MarginData {
  surrogate :> loss_statement;
  numbers_of :> numbers number;
  gap_map : written;
  sharp_at : option contact
}.
Arguments margin_statement : clear implicits.
Arguments MarginData {number}.
Notation margin_theorem_data := (margin_statement written).

Definition put_two : relation -> relation := substituted 2 (Int 2).
Definition over (e : expr) (f : expr) : expr := Mul e (Inv f).

(** Conditions with their boundary, but for those that are not about the margin. *)
Definition closed_relation (r : relation) : relation :=
  if rel_without 0 r then r else
  let '(s, a, b) := r in (match s with Lt => Le | Gt => Ge | s => s end, a, b).
Definition closure (c : list relation) : list relation := map closed_relation c.

(** The same loss, of which less is claimed. *)
Definition within (f : loss_statement) (c : list relation) : loss_statement :=
  LossData (of_label f) (parameters f) (domain f ++ c) (phi f) (order f) (elsewhere f).

(** ** What is claimed of the loss *)

Section Loss.
  Variable f : loss_statement.

  (** One weight vector has two classes. *)
  Definition stated (g : list relation) (r : relation) : claim :=
    match of_label f with
    | Every | Probable => Claim (3 + parameters f) [K_] g r
    | _ => Claim (3 + parameters f) [] (map put_two g) (put_two r)
    end.

  (** Where the loss is: at every margin, or at a probability. *)
  Definition interval : list relation :=
    match of_label f with Probable => [(Gt, M, Int 0); (Lt, M, Int 1)] | _ => [] end.
  Definition said_defined (g : list relation) (e : expr) : list claim := if total e then [] else [stated g (Ge, e, e)].
  Definition about_conditions (p : part) : list claim :=
    flat_map (fun r => said_defined (domain f) (snd (fst r)) ++ said_defined (domain f) (snd r)) (fst p).

  Definition loss_parts : list part := parts_of (phi f).
  Definition joined : list part :=
    flat_map (fun i => match nth_error loss_parts i with Some p => [p] | None => [] end) (order f).

  (** Of three classes or more, which one weight vector does not have. *)
  Definition if_more (c : claim) : list claim := match of_label f with Every | Probable => [c] | _ => [] end.

  Definition in_part (p : part) : list relation := domain f ++ interval ++ closure (fst p).

  (** By the margin, or by the logit of the probability. *)
  Definition bend (e : expr) : expr :=
    match of_label f with
    | Probable => Add (Mul (Mul M (minus (Int 1) M)) (derived (derived e))) (Mul (minus (Int 1) (Mul (Int 2) M)) (derived e))
    | _ => derived (derived e)
    end.

  Definition about_part (p : part) : list claim :=
    map (stated (in_part p)) (smooth_needs (snd p)) ++
    [stated (in_part p) (Ge, snd p, Int 0); stated (in_part p) (Ge, bend (snd p), Int 0)] ++
    if_more (stated (domain f ++ interval ++ [(Ge, K_, Int 3)] ++ closure (fst p)) (Le, derived (snd p), Int 0)).

  (** Two parts, the left one first. *)
  Definition about_join (p q : part) : list claim :=
    let both := domain f ++ interval ++ closure (fst p) ++ closure (fst q) in
    [stated (domain f ++ interval ++ closure (fst p) ++ map relation_at_second (interval ++ closure (fst q))) (Le, M, S_);
     stated both (Eq, snd p, snd q); stated both (Le, derived (snd p), derived (snd q))].

  Fixpoint about_joins (parts : list part) : list claim :=
    match parts with [] => [] | p :: parts => flat_map (about_join p) parts ++ about_joins parts end.

  Definition about_other (ij : nat * nat) : list claim :=
    match nth_error loss_parts (fst ij), nth_error loss_parts (snd ij) with
    | Some p, Some q =>
        map (stated (domain f ++ interval ++ fst p)) (closure (fst q) ++ [(Eq, snd p, snd q)])
    | _, _ => []
    end.

  (** A part, and one of another loss that is the same. *)
  Definition about_same (p q : part) : claim :=
    stated (domain f ++ closure (fst p) ++ closure (fst q)) (Eq, snd p, snd q).

  Definition claims_of_loss : list claim :=
    flat_map about_conditions loss_parts ++ flat_map about_part joined ++ about_joins joined ++
    flat_map about_other (elsewhere f).

  (** What the data must be for them to be enough: asked of its shape alone. *)
  Definition of_one_margin (e : expr) : bool := without 1 e.
  Definition on_a_line (r : relation) : bool :=
    rel_without 1 r && match fst (fst r) with Ne => false | _ => true end.
  Definition is_listed (i : nat) : bool := existsb (Nat.eqb i) (order f) || existsb (Nat.eqb i) (map fst (elsewhere f)).

  Definition loss_fits : bool :=
    forallb (fun r => rel_without 0 r && rel_without 1 r) (domain f) &&
    forallb (fun p => forallb on_a_line (fst p) && of_one_margin (snd p)) loss_parts &&
    forallb is_listed (seq 0 (length loss_parts)) &&
    forallb (fun ij => existsb (Nat.eqb (snd ij)) (order f) && Nat.ltb (snd ij) (length loss_parts)) (elsewhere f).
End Loss.

Definition of_no_margin (e : expr) : bool := without 0 e && without 1 e.
Definition if_some {A : Type} (test : A -> bool) (x : option A) : bool :=
  match x with None => true | Some x => test x end.

(** ** What is claimed of numbers *)

Definition about_number (f : loss_statement) (g : written) : list claim := flat_map (about_conditions f) (parts_of g).

Definition all_numbers (n : numbers written) : list written :=
  let some x := match x with None => [] | Some g => [g] end in
  rate n :: some (regret n) ++ some (cost n) ++ some (off_above n).

Definition pieces_of (x : option written) : list (list relation * option expr) :=
  match x with None => [([], None)] | Some g => map (fun p => (fst p, Some (snd p))) (parts_of g) end.

(** One piece of each, and where they are. *)
Definition choices (n : numbers written) : list (list relation * numbers expr) :=
  flat_map (fun r => flat_map (fun c => flat_map (fun b => map (fun a =>
    (fst r ++ fst c ++ fst b ++ fst a, Numbers (snd a) (snd r) (snd c) (snd b)))
    (pieces_of (off_above n))) (pieces_of (cost n))) (pieces_of (regret n))) (parts_of (rate n)).

Section Numbers.
  Variables (f : loss_statement) (n : numbers expr).

  Definition about_threshold : list claim :=
    match off_above n with None => [] | Some b => said_defined f (domain f) b end.
  Definition about_rates : list claim :=
    stated f (domain f) (Gt, rate n, Int 0) ::
    match regret n with None => [] | Some c => [stated f (domain f) (Le, Inv (Mul (Int 2) (rate n)), c)] end ++
    about_threshold.

  (** Half of the rate for each weight vector that moves. *)
  Definition step : expr := match of_label f with Every => rate n | _ => Mul (Rat 1 2) (rate n) end.

  Definition numbers_fit : bool :=
    of_no_margin (rate n) && if_some of_no_margin (regret n) && if_some of_no_margin (cost n) &&
    if_some of_no_margin (off_above n).
End Numbers.

Section Data.
  Variable f : margin_statement expr.

  (** Conditions are defined, each where those before it hold, and the value is where all do. *)
  Fixpoint defined_in_turn (g c : list relation) (e : expr) : list claim :=
    match c with
    | [] => said_defined f g e
    | (s, a, b) :: c => said_defined f g a ++ said_defined f g b ++ defined_in_turn (g ++ [(s, a, b)]) c e
    end.

  (** ** The gap *)

  (** Of the share of the gap map: to guess is to be wrong with that probability. *)
  Definition price : expr := match cost f with None => over (minus K_ (Int 1)) K_ | Some c => c end.
  Definition right_risk (a : expr) : expr := Mul a price.
  Definition wrong_risk (a : expr) : expr := Add (minus (Int 1) a) (right_risk a).
  Definition gap (risk : expr) (p : part) : expr := Add (minus risk (snd p)) (Mul (step f f) (Pow (derived (snd p)) 2)).

  (** Where the top margin is, or the largest probability. *)
  Definition top : list relation :=
    match of_label f with Probable => [(Ge, M, Inv K_); (Gt, M, Int 0); (Lt, M, Int 1)] | _ => [(Ge, M, Int 0)] end.
  Definition right_round : list relation := domain f ++ top.
  Definition about_map (q : part) : list claim :=
    defined_in_turn right_round (fst q) (snd q) ++
    [stated f (right_round ++ fst q) (Ge, snd q, Int 0); stated f (right_round ++ fst q) (Le, snd q, Int 1)].

  Definition on : list relation :=
    match off_above f with Some b => [(Le, M, b)] | None => [] end ++
    match of_label f with Lower => [(Gt, M, Int 0)] | _ => [] end.

  (** That [e] is at most 0 where the gap map is as [c] says of it, and the loss in a part. *)
  Definition said_right (c : list relation) (p : part) (e : expr) : claim :=
    stated f (right_round ++ on ++ c ++ closure (fst p)) (Le, e, Int 0).
  Definition said_off (b : expr) (c : list relation) (e : expr) : claim :=
    stated f (right_round ++ [(Gt, M, b)] ++ c) (Le, e, Int 0).

  (** The margin is -t; with two classes the top margin is t. *)
  Definition wrong_margin : list relation :=
    [(match of_label f with Upper => Lt | _ => Le end, M, Int 0); (Le, S_, Mul (Int (-1)) M)].
  Definition wrong_round (c : list relation) (p : part) : list relation :=
    (Ge, S_, Int 0) :: wrong_margin ++ map relation_at_second c ++ closure (fst p).
  Definition with_two (r : relation) : relation := substituted 1 (Mul (Int (-1)) M) (put_two r).
  Definition said_wrong (c : list relation) (p : part) (e : expr) : list claim :=
    Claim (3 + parameters f) [] (map with_two (domain f ++ wrong_round c p)) (with_two (Le, e, Int 0)) ::
    if_more f (stated f (domain f ++ [(Ge, K_, Int 3)] ++ wrong_round c p) (Le, e, Int 0)).

  Definition about_right (q p : part) : claim := said_right (fst q) p (gap (right_risk (snd q)) p).
  Definition about_off (b : expr) (q : part) : claim := said_off b (fst q) (right_risk (snd q)).
  Definition about_wrong (q p : part) : list claim := said_wrong (fst q) p (gap (wrong_risk (at_second (snd q))) p).

  (** ** The contact *)

  Definition put_margin (c : contact) : relation -> relation := substituted 0 (at_margin c).
  Definition put_top (c : contact) : relation -> relation := substituted 1 (at_top c).
  Definition contact_risk (c : contact) (q : part) : expr :=
    if is_right c then right_risk (snd q) else wrong_risk (at_second (snd q)).
  Definition contact_facts (c : contact) (p q : part) : list relation :=
    closure (fst p) ++ (if is_right c then fst q else map relation_at_second (fst q)) ++
    (if is_right c then on else wrong_margin) ++
    [(Ge, if is_right c then M else S_, Int 0); (Eq, gap (contact_risk c q) p, Int 0); (Gt, Pow (derived (snd p)) 2, Int 0)].
  Definition about_contact (c : contact) (p q : part) : list claim :=
    said_defined f (domain f) (at_margin c) ++ said_defined f (domain f) (at_top c) ++
    map (fun r => stated f (domain f) (put_margin c (put_top c r))) (contact_facts c p q) ++
    if is_right c then [] else
      [Claim (3 + parameters f) [] (map put_two (domain f))
         (put_two (Eq, at_top c, Mul (Int (-1)) (at_margin c)))].

  Definition sharply : list claim :=
    match sharp_at f with
    | None => []
    | Some c =>
        match nth_error (joined f) (of_loss c), nth_error (parts_of (gap_map f)) (of_map c) with
        | Some p, Some q => about_contact c p q
        | _, _ => []
        end
    end.

  (** ** All of them *)

  Definition claims_of_piece : list claim :=
    about_rates f f ++ claims_of_loss f ++ flat_map about_map (parts_of (gap_map f)) ++
    flat_map (fun q => flat_map (fun p => about_right q p :: about_wrong q p) (joined f)) (parts_of (gap_map f)) ++
    match off_above f with None => [] | Some b => map (about_off b) (parts_of (gap_map f)) end ++ sharply.

  Definition map_fits : bool :=
    forallb (fun p => forallb (rel_without 1) (fst p) && of_one_margin (snd p)) (parts_of (gap_map f)).

  Definition piece_fits : bool :=
    loss_fits f && match of_label f with Probable => false | _ => true end && (map_fits &&
    numbers_fit f && if_some (fun _ => match of_label f with Every => true | _ => false end) (off_above f) &&
    if_some (fun c => of_no_margin (at_margin c) && of_no_margin (at_top c) && Nat.ltb (of_loss c) (length (joined f)) &&
      Nat.ltb (of_map c) (length (parts_of (gap_map f)))) (sharp_at f)).
End Data.

(** ** Numbers in pieces: for each of them a theorem that speaks of less *)

Definition theorems_of_pieces (f : margin_theorem_data) : list (margin_statement expr) :=
  map (fun p => MarginData (within f (fst p)) (snd p) (gap_map f) (sharp_at f)) (choices f).

Definition obligations (f : margin_theorem_data) : list claim :=
  flat_map (about_number f) (all_numbers f) ++ flat_map claims_of_piece (theorems_of_pieces f).

Definition fits (f : margin_theorem_data) : bool := forallb piece_fits (theorems_of_pieces f).

Fixpoint check_each (claims : list claim) (proofs : list cert) : bool :=
  match claims, proofs with
  | [], [] => true
  | c :: claims, p :: proofs => check c p && check_each claims proofs
  | _, _ => false
  end.

Lemma check_each_ok claims : forall proofs, check_each claims proofs = true -> forall c, In c claims -> claim_holds c.
Proof.
  induction claims as [|c claims IH]; intros [|p proofs] H; cbn in H; try discriminate; [easy|].
  apply andb_true_iff in H as [H1 H2]. intros c' [<-|Hin]; [exact (check_sound p c H1)|exact (IH proofs H2 c' Hin)].
Qed.

Definition proves (f : margin_theorem_data) (proofs : list cert) : bool := fits f && check_each (obligations f) proofs.

Definition all_hold (f : margin_theorem_data) : Prop := fits f = true /\ forall c, In c (obligations f) -> claim_holds c.

Lemma proves_all f proofs : proves f proofs = true -> all_hold f.
Proof. intros [H Hc]%andb_true_iff. split; [exact H|exact (check_each_ok _ _ Hc)]. Qed.

(** ** Of the label's softmax probability *)

Section Softmax.
  Variable f : margin_statement expr.

  (** What the squares of the other probabilities sum to at most, in parts of the rounds. *)
  Definition right_squares : list part :=
    [([(Ge, M, Rat 1 2)], Pow (minus (Int 1) M) 2);
     ([(Ge, M, Rat 1 3); (Lt, M, Rat 1 2)], Add (Pow M 2) (Pow (minus (Int 1) (Mul (Int 2) M)) 2));
     ([(Lt, M, Rat 1 3)], Mul M (minus (Int 1) M))].
  Definition remainder : expr := minus (minus (Int 1) M) S_.
  Definition wrong_squares : list part :=
    [([(Le, remainder, S_)], Add (Pow S_ 2) (Pow remainder 2));
     ([(Gt, remainder, S_)], Add (Pow S_ 2) (Mul S_ remainder))].

  Definition squared (p o : part) : expr :=
    Mul (step f f) (Mul (Pow (Mul (derived (snd p)) M) 2) (Add (Pow (minus (Int 1) M) 2) (snd o))).
  Definition softmax_gap (risk : expr) (p o : part) : expr := Add (minus risk (snd p)) (squared p o).

  (** That [e] is at most 0 where the gap map is as [c] says of it, the loss in a part, and the squares are as in [o]. *)
  Definition said_right_label (c : list relation) (p o : part) (e : expr) : claim :=
    stated f (right_round f ++ c ++ closure (fst p) ++ fst o) (Le, e, Int 0).

  (** The label's probability, and the largest; with two classes they sum to 1. *)
  Definition wrong_label (c : list relation) (p o : part) : list relation :=
    interval f ++ [(Le, M, Rat 1 2); (Le, M, S_); (Le, S_, minus (Int 1) M)] ++
    map relation_at_second (top f ++ c) ++ closure (fst p) ++ fst o.
  Definition of_sum_one (r : relation) : relation := substituted 1 (minus (Int 1) M) (put_two r).
  Definition said_wrong_label (c : list relation) (p o : part) (e : expr) : list claim :=
    [Claim (3 + parameters f) [] (map of_sum_one (domain f ++ wrong_label c p o)) (of_sum_one (Le, e, Int 0));
     stated f (domain f ++ (Ge, K_, Int 3) :: wrong_label c p o) (Le, e, Int 0)].

  (** In all of these parts: gaps of a right and of a wrong round. *)
  Definition said_labels (c : list relation) (p : part) (right wrong : part -> expr) : list claim :=
    map (fun o => said_right_label c p o (right o)) right_squares ++
    flat_map (fun o => said_wrong_label c p o (wrong o)) wrong_squares.

  Definition softmax_claims : list claim :=
    about_rates f f ++ claims_of_loss f ++ flat_map (about_map f) (parts_of (gap_map f)) ++
    flat_map (fun q => flat_map (fun p =>
      said_labels (fst q) p (softmax_gap (right_risk f (snd q)) p) (softmax_gap (wrong_risk f (at_second (snd q))) p))
      (joined f)) (parts_of (gap_map f)).

  Definition softmax_fits : bool :=
    loss_fits f && match of_label f with Probable => true | _ => false end && map_fits f && numbers_fit f.
End Softmax.

Definition softmax_obligations (f : margin_theorem_data) : list claim :=
  flat_map (about_number f) (all_numbers f) ++ flat_map softmax_claims (theorems_of_pieces f).

Definition proves_softmax (f : margin_theorem_data) (proofs : list cert) : bool :=
  forallb softmax_fits (theorems_of_pieces f) && check_each (softmax_obligations f) proofs.

(** ** Bandit feedback at any learning rate *)

(** Variable 3 is the exploration rate gamma; the rate is eta X^2, in which it may be. In the gap gamma is [explored]:
    itself, which may be any number, or what it is for so many classes. *)
Record exploring_theorem_data : Set := ExploringData { in_its_game :> margin_theorem_data; explored : written }.

Section Exploring.
  Variables (f : margin_statement expr) (gamma : expr).

  (** The share of the uniform distribution: that of the gap map, or gamma. *)
  Definition exploring_shares : list part :=
    flat_map (fun q => [(fst q ++ [(Ge, snd q, gamma)], snd q); (fst q ++ [(Le, snd q, gamma)], gamma)])
      (parts_of (gap_map f)).

  (** The probability of the label, by whose inverse squares of subgradients count; what P(wrong) is beyond the cost of
      exploring; the gap, that of a margin times the probability. *)
  Definition guessed_wrong (e : expr) : expr := Mul e (over (minus K_ (Int 1)) K_).
  Definition drawn_right (e : expr) : expr := minus (Int 1) (guessed_wrong e).
  Definition drawn_wrong (e : expr) : expr := over e K_.
  Definition unpaid (drawn : expr) : expr := minus (minus (Int 1) drawn) (guessed_wrong gamma).
  Definition softmax_drawn_gap (drawn : expr) (p o : part) : expr :=
    Add (minus (unpaid drawn) (snd p)) (over (squared f p o) drawn).
  Definition drawn_gap (drawn : expr) (p : part) : expr :=
    Add (Mul drawn (minus (unpaid drawn) (snd p))) (Mul (rate f) (Pow (derived (snd p)) 2)).

  Definition in_drawn_round (q p : part) : list claim :=
    let right := drawn_right (snd q) in
    let wrong := drawn_wrong (at_second (snd q)) in
    match of_label f with
    | Probable => said_labels f (fst q) p (softmax_drawn_gap right p) (softmax_drawn_gap wrong p)
    | _ => said_right f (fst q) p (drawn_gap right p) :: said_wrong f (fst q) p (drawn_gap wrong p)
    end.

  Definition exploring_claims : list claim :=
    about_threshold f f ++ claims_of_loss f ++ flat_map (about_map f) (parts_of (gap_map f)) ++
    flat_map (fun q => flat_map (in_drawn_round q) (joined f)) exploring_shares ++
    match off_above f with
    | None => []
    | Some b => map (fun q => said_off f b (fst q) (unpaid (drawn_right (snd q)))) exploring_shares
    end.

  Definition exploring_fits : bool :=
    match of_label f with Every => piece_fits f | Probable => softmax_fits f | _ => false end && of_no_margin gamma.
End Exploring.

Definition exploring_at (f : exploring_theorem_data) (p : part) : margin_theorem_data :=
  MarginData (within f (fst p)) (Numbers (off_above f) (put_inside 3 (snd p) (rate f)) None None) (gap_map f) None.

Definition exploring_obligations (f : exploring_theorem_data) : list claim :=
  about_number f (explored f) ++ flat_map (fun p => let g := exploring_at f p in
    said_defined g (domain g) (snd p) ++ flat_map (about_number g) (all_numbers g) ++
    flat_map (fun h => exploring_claims h (snd p)) (theorems_of_pieces g)) (parts_of (explored f)).

Definition proves_exploring (f : exploring_theorem_data) (proofs : list cert) : bool :=
  forallb (fun p => forallb (fun g => exploring_fits g (snd p)) (theorems_of_pieces (exploring_at f p)))
    (parts_of (explored f)) && check_each (exploring_obligations f) proofs.

(** ** One weight vector: the labels +1 and -1 *)

(** The loss of -1 as a function of the score z, with its parts in their order at -z, beside the loss of +1. *)
Record opposite_loss : Set := Opposite { minus_loss : written; its_order : list nat; its_elsewhere : list (nat * nat) }.
Definition opposed (f : loss_statement) (o : opposite_loss) : loss_statement :=
  LossData Lower (parameters f) (domain f) (mirrored (minus_loss o)) (its_order o) (its_elsewhere o).

(** The theorem of +1, whose loss is a function of the score z, and in its place the loss of -1. *)
Record binary_theorem_data : Set := BinaryData {
  upper : margin_theorem_data;
  opposite :> opposite_loss;
  its_contact : option contact
}.

Definition lower (b : binary_theorem_data) : margin_theorem_data :=
  let f := upper b in
  MarginData (opposed f b) f (gap_map f) (its_contact b).

Definition proves_both (b : binary_theorem_data) (proofs : list cert) : bool :=
  match of_label (upper b) with
  | Upper => fits (upper b) && fits (lower b) && check_each (obligations (upper b) ++ obligations (lower b)) proofs
  | _ => false
  end.

(** ** Losses alone, of every label or of +1 and of -1 *)

Definition losses_data : Set := (loss_statement * option opposite_loss)%type.
Definition losses_of (d : losses_data) : list loss_statement :=
  fst d :: match snd d with None => [] | Some o => [opposed (fst d) o] end.

Definition proves_losses (d : losses_data) (proofs : list cert) : bool :=
  forallb loss_fits (losses_of d) && check_each (flat_map claims_of_loss (losses_of d)) proofs.

(** ** What some algorithm attains *)

(** With one weight vector: the loss of -1, and whether it is that of +1 at the opposite score. The criterion is asked
    up to the margin [far] only: beyond it any loss is enough that is not negative. *)
Record attained_statement {number : Set} : Set := AttainedData {
  loss_of :> loss_statement;
  other_label : option (opposite_loss * bool);
  constant : number;
  far : option expr
}.
Arguments attained_statement : clear implicits.
Arguments AttainedData {number}.
Notation attained_theorem_data := (attained_statement written).

(** A constant is positive, and at the margin [b] it pays alone. *)
Definition about_constant_of (f : loss_statement) (c : expr) (far : option expr) : list claim :=
  stated f (domain f) (Gt, c, Int 0) ::
  match far with
  | None => []
  | Some b => [stated f (domain f) (Ge, b, Int 0); stated f (domain f) (Ge, Mul c (Pow b 2), Int 1)]
  end.
Definition near_of (far : option expr) : list relation :=
  match far with None => [] | Some b => [(Le, M, b); (Ge, M, Mul (Int (-1)) b)] end.

Section Attained.
  Variable f : attained_statement expr.

  Definition about_constant : list claim := about_constant_of f (constant f) (far f).
  Definition near : list relation := near_of (far f).

  (** All labels alike: the margin is that of whichever is drawn. With one weight vector there is one score. *)
  Definition share : expr := over (minus K_ (Int 1)) K_.
  Definition spread : expr := match of_label f with Every => Mul share (Pow M 2) | _ => Pow M 2 end.
  Definition about_alike (p : part) : claim :=
    stated f (domain f ++ near ++ closure (fst p)) (Le, minus (minus share (snd p)) (Mul (constant f) spread), Int 0).

  (** Two labels, each with its own margin. *)
  Definition about_two (p q : part) : claim :=
    let expected := Mul (Rat 1 2) (Add (snd p) (at_second (snd q))) in
    stated f (domain f ++ closure (fst p) ++ map relation_at_second (closure (fst q)))
      (Le, minus (minus (Rat 1 2) expected) (Mul (constant f) (Mul (Rat 1 4) (Pow (Add M S_) 2))), Int 0).
  Definition about_other_label (o : opposite_loss) (same : bool) : list claim :=
    let g := opposed f o in
    claims_of_loss g ++
    flat_map (fun p => map (if same then about_same f p else about_two p) (joined g)) (joined f).

  Definition claims_of_attained : list claim :=
    about_constant ++ claims_of_loss f ++
    match other_label f with
    | Some (o, same) => about_other_label o same ++ if same then map about_alike (joined f) else []
    | None => map about_alike (joined f)
    end.

  Definition attained_piece_fits : bool :=
    loss_fits f && of_no_margin (constant f) && if_some of_no_margin (far f) &&
    match other_label f, of_label f with
    | None, Every => true
    | Some (o, _), Upper => loss_fits (opposed f o)
    | _, _ => false
    end.
End Attained.

Definition pieces_of_attained (f : attained_theorem_data) : list (attained_statement expr) :=
  map (fun p => AttainedData (within f (fst p)) (other_label f) (snd p) (far f)) (parts_of (constant f)).

Definition attained_obligations (f : attained_theorem_data) : list claim :=
  about_number f (constant f) ++ flat_map claims_of_attained (pieces_of_attained f).

Definition proves_attained (f : attained_theorem_data) (proofs : list cert) : bool :=
  forallb attained_piece_fits (pieces_of_attained f) && check_each (attained_obligations f) proofs.

(** ** The best decoder *)

(** With one weight vector: the loss of -1. Of margin losses: whether labels need most when all wrong ones are tied. *)
Record decoded_statement {number : Set} : Set := DecodedData {
  scored :> loss_statement;
  rates_of :> numbers number;
  its_opposite : option opposite_loss;
  tied : bool
}.
Arguments decoded_statement : clear implicits.
Arguments DecodedData {number}.
Notation decoded_theorem_data := (decoded_statement written).

Section Decoded.
  Variable f : decoded_statement expr.
  Notation minus_margin e := (Mul (Int (-1)) e).

  (** What is needed where, the margin [at_] being that of the label. *)
  Definition given_need : Set := (list relation * expr)%type.
  Definition moved (at_ e : expr) : expr := substitute 0 at_ e.
  Definition need_there (at_ weight : expr) (p : part) : given_need :=
    (map (substituted 0 at_) (closure (fst p)),
     Mul weight (Add (minus (Int 1) (moved at_ (snd p))) (Mul (step f f) (Pow (moved at_ (derived (snd p))) 2)))).

  (** The top label at the margin s, in a round that is on or off; the runner-up at -s; others at -t. *)
  Definition tops : list given_need :=
    map (fun p => let '(c, e) := need_there M (Int 1) p in
      (match off_above f with None => c | Some b => (Le, M, b) :: c end, e)) (joined f) ++
    match off_above f with None => [] | Some b => [([(Gt, M, b)], Int 1)] end.
  Definition runners (weight : expr) : list given_need := map (need_there (minus_margin M) weight) (joined f).
  Definition others : list given_need := map (need_there (minus_margin S_) (minus K_ (Int 2))) (joined f).

  Definition those (x : option given_need) : list given_need := match x with None => [] | Some c => [c] end.
  Definition about_needs (side : sign) (a b c : option given_need) : claim :=
    let labels := those a ++ those b ++ those c in
    stated f (domain f ++ (side, M, Int 0) :: match c with None => [] | Some _ => [(Ge, K_, Int 3); (Le, M, S_)] end ++
        flat_map fst labels)
      (Le, fold_right Add (Int 0) (map snd labels), Int 1).
  Definition or_none (x : list given_need) : list (option given_need) := None :: map Some x.
  Definition about_all (side : sign) (x y z : list given_need) : list claim :=
    flat_map (fun a => flat_map (fun b => map (about_needs side a b) (or_none z)) (or_none y)) (or_none x).

  (** The need of a wrong label falls with its margin. *)
  Definition about_fall (p : part) : claim :=
    let at_ := moved (minus_margin M) in
    stated f (domain f ++ (Ge, M, Int 0) :: map (substituted 0 (minus_margin M)) (closure (fst p)))
      (Le, minus (at_ (derived (snd p)))
             (Mul (Mul (Int 2) (rate f)) (Mul (at_ (derived (snd p))) (at_ (derived (derived (snd p)))))), Int 0).

  (** At scores that are not negative, and at those that are not positive. *)
  Definition about_both_labels (g : loss_statement) (side : sign) : list claim :=
    about_all side (map (need_there M (Int 1)) (joined f)) (map (need_there (minus_margin M) (Int 1)) (joined g)) [].

  Definition claims_of_decoded : list claim :=
    about_rates f f ++ claims_of_loss f ++
    match its_opposite f with
    | Some o => claims_of_loss (opposed f o) ++ flat_map (about_both_labels (opposed f o)) [Ge; Le]
    | None =>
        if tied f then map about_fall (joined f) ++ about_all Ge tops (runners (minus K_ (Int 1))) []
        else about_all Ge tops (runners (Int 1)) others
    end.

  Definition decoded_piece_fits : bool :=
    loss_fits f && numbers_fit f && (negb (tied f) || Nat.eqb (length (joined f)) 1) &&
    match its_opposite f, of_label f, off_above f with
    | None, Every, _ => true
    | Some o, Upper, None => loss_fits (opposed f o)
    | _, _, _ => false
    end.
End Decoded.

Definition pieces_of_decoded (f : decoded_theorem_data) : list (decoded_statement expr) :=
  map (fun p => DecodedData (within f (fst p)) (snd p) (its_opposite f) (tied f)) (choices f).

Definition decoded_obligations (f : decoded_theorem_data) : list claim :=
  flat_map (about_number f) (all_numbers f) ++ flat_map claims_of_decoded (pieces_of_decoded f).

Definition proves_decoded (f : decoded_theorem_data) (proofs : list cert) : bool :=
  forallb decoded_piece_fits (pieces_of_decoded f) && check_each (decoded_obligations f) proofs.

(** ** The best decoder of the label's softmax probability *)

(** Of the labels fewer than [few] count: up to the probability 1/few none needs anything. *)
Record likely_statement {number : Set} : Set := LikelyData {
  likely :> loss_statement;
  its_rates : numbers number;
  few : nat
}.
Arguments likely_statement : clear implicits.
Arguments LikelyData {number}.
Notation likely_theorem_data := (likely_statement written).

Section Likely.
  Variable f : likely_statement expr.

  (** What a label needs at most. *)
  Definition need_of (p : part) : expr :=
    Add (minus (Int 1) (snd p)) (Mul (rate (its_rates f)) (Pow (Mul (Mul (derived (snd p)) M) (minus (Int 1) M)) 2)).
  Definition with_share (n : nat) (e : expr) : expr := substitute 0 (Rat 1 (Pos.of_nat n)) e.

  Definition about_need (e : expr) : list claim :=
    let there := domain f ++ interval f in
    map (stated f there) (smooth_needs e) ++
    [stated f there (Ge, derived e, Int 0); stated f (domain f) (Le, with_share (few f) e, Int 0);
     stated f there (Le, e, Int 1); stated f there (Le, Add e (substitute 0 (minus (Int 1) M) e), Int 1)] ++
    (if Nat.ltb 3 (few f) then
      [stated f (there ++ [(Le, M, minus (Int 1) (Rat 2 (Pos.of_nat (few f))))]) (Le, derived (derived e), Int 0)]
     else []) ++
    map (fun n => stated f (domain f) (Le, Mul (Int (Z.of_nat n)) (with_share n e), Int 1)) (seq 3 (few f - 3)).

  Definition claims_of_likely : list claim :=
    about_rates f (its_rates f) ++ claims_of_loss f ++ flat_map (fun p => about_need (need_of p)) (joined f).

  Definition likely_fits : bool :=
    loss_fits f && match of_label f with Probable => true | _ => false end && numbers_fit (its_rates f) &&
    Nat.eqb (length (joined f)) 1 && Nat.leb 2 (few f).
End Likely.

Definition pieces_of_likely (f : likely_theorem_data) : list (likely_statement expr) :=
  map (fun p => LikelyData (within f (fst p)) (snd p) (few f)) (choices (its_rates f)).

Definition likely_obligations (f : likely_theorem_data) : list claim :=
  flat_map (about_number f) (all_numbers (its_rates f)) ++ flat_map claims_of_likely (pieces_of_likely f).

Definition proves_likely (f : likely_theorem_data) (proofs : list cert) : bool :=
  forallb likely_fits (pieces_of_likely f) && check_each (likely_obligations f) proofs.

(** ** What some algorithm attains with a loss of the label's softmax probability *)

(** The loss is at least [least]. The criterion is asked of the lead M of one label over another, up to [lead_far] only;
    or at the probability [fst point], with the odds [snd point]: a tangent there is enough. *)
Record lead_statement {number : Set} : Set := LeadData {
  leading :> loss_statement;
  lead_constant : number;
  least : expr;
  point : option (expr * expr);
  lead_far : option expr
}.
Arguments lead_statement : clear implicits.
Arguments LeadData {number}.
Notation lead_theorem_data := (lead_statement written).

Section Lead.
  Variable f : lead_statement expr.

  Definition about_least (e : expr) : list claim :=
    [stated f (domain f) (Ge, least f, Int 0); stated f (domain f ++ interval f) (Ge, e, least f)].

  (** Two labels are the hardest if the loss is convex up to 1, where it is least. *)
  Definition about_hardest (e : expr) : list claim :=
    let many := domain f ++ [(Ge, K_, Int 3)] in
    let there := many ++ [(Gt, M, Int 0); (Le, M, Int 1)] in
    map (stated f there) (smooth_needs e) ++
    [stated f there (Ge, derived (derived e), Int 0); stated f many (Le, substitute 0 (Int 1) e, least f)].

  Definition above_half (e : expr) : expr := minus e (Mul (Rat 1 2) (least f)).
  Definition of_lead (e : expr) : expr := substitute 0 (Inv (Add (Int 1) (Exp (Mul (Int (-1)) M)))) e.
  Definition about_lead (e : expr) : list claim :=
    match point f with
    | Some (p, odds) =>
        let at_p := substitute 0 p in
        let c := lead_constant f in
        let slope := Add (Mul (at_p (derived e)) (Mul p (minus (Int 1) p))) (Mul c (Ln odds)) in
        let more := minus (Add (at_p (above_half e)) (Mul c (Mul (Rat 1 2) (Pow (Ln odds) 2)))) (Rat 1 2) in
        map (stated f (domain f))
          [(Gt, p, Int 0); (Lt, p, Int 1); (Eq, odds, over p (minus (Int 1) p));
           (Le, Pow slope 2, Mul (Mul (Int 2) c) more)]
    | None =>
        [stated f (domain f ++ near_of (lead_far f))
           (Le, minus (minus (Rat 1 2) (of_lead (above_half e))) (Mul (lead_constant f) (Mul (Rat 1 2) (Pow M 2))), Int 0)]
    end.

  Definition claims_of_lead : list claim :=
    about_constant_of f (lead_constant f) (lead_far f) ++ claims_of_loss f ++
    flat_map (fun p => about_least (snd p) ++ about_hardest (snd p) ++ about_lead (snd p)) (joined f).

  Definition lead_fits : bool :=
    loss_fits f && match of_label f with Probable => true | _ => false end && of_no_margin (lead_constant f) &&
    of_no_margin (least f) && if_some of_no_margin (lead_far f) &&
    if_some (fun x => of_no_margin (fst x) && of_no_margin (snd x)) (point f) && Nat.eqb (length (joined f)) 1.
End Lead.

Definition pieces_of_lead (f : lead_theorem_data) : list (lead_statement expr) :=
  map (fun p => LeadData (within f (fst p)) (snd p) (least f) (point f) (lead_far f)) (parts_of (lead_constant f)).

Definition lead_obligations (f : lead_theorem_data) : list claim :=
  about_number f (lead_constant f) ++ flat_map claims_of_lead (pieces_of_lead f).

Definition proves_lead (f : lead_theorem_data) (proofs : list cert) : bool :=
  forallb lead_fits (pieces_of_lead f) && check_each (lead_obligations f) proofs.

(** ** What some algorithm attains with a loss of all scores *)

(** The loss is that of each pair, at the difference of two scores, or of the label's own score beside the other labels'
    at theirs. In the place of the classes there are two; the classes are the first parameter, and the second one, of
    which no function may know, is how many labels are alike. Nothing that a rival adds is below [lowest]. If the two
    losses are said to be opposite, two labels at opposite scores are the hardest. *)
Record scored_statement {number : Set} : Set := ScoredData {
  attains :> attained_statement number;
  lowest : expr
}.
Arguments scored_statement : clear implicits.
Arguments ScoredData {number}.
Notation scored_theorem_data := (scored_statement written).

Section Scored.
  Variable f : scored_statement expr.
  Notation L_ := (Var 3) (only parsing).
  Notation N_ := (Var 4) (only parsing).

  Definition without_count (p : part) : bool := forallb (rel_without 4) (fst p) && without 4 (snd p).
  Fixpoint is_zero (e : expr) : bool :=
    match e with
    | Int z => Z.eqb z 0
    | Add a b => is_zero a && is_zero b
    | Mul a b => is_zero a || is_zero b
    | _ => false
    end.

  (** What the label and each rival add, and the square of the difference of their scores. Where the rivals add nothing
      the largest number is the hardest, where the label adds nothing two are. *)
  Definition about_scores (given : list relation) (mine rival squared : expr) : claim :=
    let paid := Mul (constant f) squared in
    let unpaid e := (Le, e, Int 0) in
    if is_zero (lowest f) && is_zero rival then stated f given (unpaid (minus (minus (Int 1) mine) paid))
    else if is_zero (lowest f) && is_zero mine then
      stated f given (unpaid (minus (minus (Int 1) (Mul (Int 2) rival)) paid))
    else
      let others := minus N_ (Int 1) in
      stated f (given ++ [(Ge, N_, Int 2); (Le, N_, L_)]) (unpaid (minus
        (minus others (Mul N_ (Add mine (Add (Mul others rival) (Mul (minus L_ N_) (lowest f)))))) (Mul others paid))).

  Definition about_pair (p : part) : claim :=
    about_scores (domain f ++ near f ++ closure (fst p)) (Int 0) (snd p) (Pow M 2).
  Definition about_each (p q : part) : claim :=
    about_scores (domain f ++ closure (fst p) ++ map relation_at_second (closure (fst q)))
      (snd p) (at_second (snd q)) (Pow (Add M S_) 2).

  Definition about_lowest (g : loss_statement) : list claim :=
    stated f (domain f) (Ge, lowest f, Int 0) ::
    map (fun q => stated f (domain f ++ closure (fst q)) (Ge, snd q, lowest f)) (joined g).

  (** The root of the loss bends upward from 0 on. *)
  Definition about_opposite (p : part) : list claim :=
    let e := snd p in
    let right := domain f ++ closure (fst p) ++ [(Ge, M, Int 0)] in
    [stated f (domain f ++ closure (fst p) ++ [(Le, M, Int 0)]) (Ge, e, Int 1);
     stated f right (Ge, minus (Mul (Int 2) (Mul e (derived (derived e)))) (Pow (derived e) 2), Int 0);
     stated f (right ++ near f) (Le, minus (Int 1) (Mul (Int 4) (Add e (Mul (constant f) (Pow M 2)))), Int 0)].

  Definition claims_of_scored : list claim :=
    about_constant f ++ claims_of_loss f ++
    match other_label f with
    | None => about_lowest f ++ map about_pair (joined f)
    | Some (o, same) =>
        let g := opposed f o in
        claims_of_loss g ++ about_lowest g ++
        if same then flat_map (fun p => map (about_same f p) (joined g)) (joined f) ++ flat_map about_opposite (joined f)
        else flat_map (fun p => map (about_each p) (joined g)) (joined f)
    end.

  Definition scored_loss_fits (g : loss_statement) : bool := loss_fits g && forallb without_count (loss_parts g).
  Definition scored_fits : bool :=
    scored_loss_fits f && of_no_margin (constant f) && without 4 (constant f) && if_some of_no_margin (far f) &&
    of_no_margin (lowest f) && without 4 (lowest f) &&
    match of_label f with Upper => true | _ => false end &&
    match other_label f with
    | None => true
    | Some (o, same) => scored_loss_fits (opposed f o) && (negb same || is_zero (lowest f))
    end.
End Scored.

Definition pieces_of_scored (f : scored_theorem_data) : list (scored_statement expr) :=
  map (fun p => ScoredData (AttainedData (within f (fst p)) (other_label f) (snd p) (far f)) (lowest f))
    (parts_of (constant f)).

Definition scored_obligations (f : scored_theorem_data) : list claim :=
  about_number f (constant f) ++ flat_map claims_of_scored (pieces_of_scored f).

Definition proves_scored (f : scored_theorem_data) (proofs : list cert) : bool :=
  forallb scored_fits (pieces_of_scored f) && forallb without_count (parts_of (constant f)) &&
  check_each (scored_obligations f) proofs.
