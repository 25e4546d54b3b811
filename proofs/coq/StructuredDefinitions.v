(** Structured outputs with a Fenchel-Young loss: what the statements are made of, beside Definitions.v and Optimal.v.

    Outputs are 0, ..., N - 1, [output y] is the vector of the output y; predictions are outputs. Notation of Blondel,
    Martins and Niculae 2020, "Learning with Fenchel-Young losses", on the right. Inner products are those
    of the first [size] entries. *)

From Coq Require Import Reals.
From Gaptron Require Import Definitions Optimal.
Open Scope R_scope.

Record structured := Structured {
  outputs : nat;                                        (* N *)
  size : nat;                                           (* of the vectors *)
  output : nat -> vector;                               (* y in R^size *)
  cost : nat -> nat -> R;                               (* L(yhat, y) *)
  domain : vector -> Prop;                              (* dom Omega *)
  entropy : vector -> R;                                (* Omega, where it is finite *)
  scale : R;                                            (* s *)
  regularised : vector -> vector                        (* mu(theta), the regularised prediction *)
}.

(** The convex hull of the outputs, by the half-spaces that contain them all. *)
Definition hull (N n : nat) (output : nat -> vector) (m : vector) : Prop :=
  forall c b, (forall y, (y < N)%nat -> dot n c (output y) <= b) -> dot n c m <= b.

(** * The entropy *)

(** lambda-strongly convex in the Euclidean norm; the domain is convex. *)
Definition strongly_convex (n : nat) (inside : vector -> Prop) (f : vector -> R) (lambda : R) : Prop :=
  forall u v t, inside u -> inside v -> 0 <= t <= 1 ->
    inside (fun i => t * u i + (1 - t) * v i) /\
    f (fun i => t * u i + (1 - t) * v i) + lambda / 2 * (t * (1 - t)) * distance2 n u v <= t * f u + (1 - t) * f v.

Definition lower_semicontinuous (n : nat) (inside : vector -> Prop) (f : vector -> R) : Prop :=
  forall m e, inside m -> 0 < e ->
  exists r, 0 < r /\ forall v, inside v -> distance2 n v m < r -> f m - e < f v.

(** The supremum Omega*(theta) = sup_m <theta, m> - Omega(m) is attained at mu(theta). *)
Definition attained (P : structured) : Prop :=
  forall theta, domain P (regularised P theta) /\
  forall m, domain P m ->
    dot (size P) theta m - entropy P m <=
    dot (size P) theta (regularised P theta) - entropy P (regularised P theta).

(** There are outputs, Omega is finite on their hull, lambda-strongly convex and closed; the surrogate is defined. *)
Definition regular (P : structured) (lambda : R) : Prop :=
  (0 < outputs P)%nat /\ 0 < scale P /\ 0 < lambda /\
  (forall w, is_distribution (outputs P) w -> domain P (mean (outputs P) w (output P))) /\
  strongly_convex (size P) (domain P) (entropy P) lambda /\
  lower_semicontinuous (size P) (domain P) (entropy P) /\
  attained P.

(** * The surrogate and its gradient in the scores *)

Definition conjugate (P : structured) (theta : vector) : R :=                      (* Omega*(theta) *)
  dot (size P) theta (regularised P theta) - entropy P (regularised P theta).

Definition fenchel_young (P : structured) (theta m : vector) : R :=                (* S(theta; m) *)
  conjugate P theta + entropy P m - dot (size P) theta m.

Definition surrogate_loss (P : structured) (y : nat) (theta : vector) : R :=       (* loss_y(theta) = s S(theta; y) *)
  scale P * fenchel_young P theta (output P y).

Definition slope (P : structured) (theta : vector) (y : nat) : vector :=           (* g_y = s (mu(theta) - y) *)
  fun i => scale P * (regularised P theta i - output P y i).

Definition surrogate_problem (P : structured) : problem := {|
  labels := outputs P; predictions := outputs P; dimension := size P; target := cost P;
  surrogate_of := surrogate_loss P
|}.

(** * The decoder

    The learning rate eta is in units of 1/X^2, alpha is the coefficient of the surrogate. *)

(** E L(yhat, y) <= alpha (loss_y(theta) - (eta/2) ||g_y||^2) for every y, yhat drawn from [p]. *)
Definition decodes_at (P : structured) (eta alpha : R) (theta : vector) (p : nat -> R) : Prop :=
  is_distribution (outputs P) p /\
  forall y, (y < outputs P)%nat ->
    weighted (outputs P) p (fun k => cost P k y) <=
    alpha * (surrogate_loss P y theta - eta / 2 * dot (size P) (slope P theta y) (slope P theta y)).

(** A decoder exists at every score vector. *)
Definition decodable (P : structured) (eta alpha : R) : Prop := forall theta, exists p, decodes_at P eta alpha theta p.

(** * The criterion: an inequality between entropies of one distribution of the output *)

Definition entropy_gap (P : structured) (w : nat -> R) : R :=  (* J(w) = E_w Omega(y) - Omega(E_w y) *)
  weighted (outputs P) w (fun y => entropy P (output P y)) - entropy P (mean (outputs P) w (output P)).

(** H_L(w) <= alpha (s J(w) - (eta s^2/2) Var(w)), with H_L(w) = min_yhat E_w L(yhat, y), the largest H that no output
    beats. *)
Definition entropy_criterion (P : structured) (eta alpha : R) : Prop :=
  forall w, is_distribution (outputs P) w ->
  forall H, (forall k, (k < outputs P)%nat -> H <= weighted (outputs P) w (cost P k)) ->
    H <= alpha * (scale P * entropy_gap P w
                  - eta * scale P ^ 2 / 2 * variance (size P) (outputs P) w (output P)).

(** * The guarantee of gradient descent with a decoder *)

(** The game with [d] features: a decoder's prediction is chosen, the output is told, the loss of weights V is
    alpha loss_y(V x). *)
Definition decoded (P : structured) (d : nat) (eta alpha : R) : game := {|
  label_count := outputs P;  draw_count := outputs P;  weight_rows := size P;  features := d;
  weight_set := fun _ => True;
  highest_price := 0;
  choice := nat -> R;
  may_choose := fun _ W x => decodes_at P eta alpha (scores d W x);
  chance := fun _ _ p => p;
  charge := fun _ y draw => cost P draw y;
  revealed := fun y _ => y;
  round_loss := fun _ x _ y V => alpha * surrogate_loss P y (scores d V x);
  estimate := fun _ _ _ => 1;
  comparable := fun _ => True
|}.

(** E sum L <= alpha E sum loss(U x) + regret ||U||^2, whatever the number of features is. Steps are along
    - alpha g_y x^T, eta/X^2 in units of g_y x^T. *)
Definition structured_guarantee (P : structured) (X eta alpha regret : R) : Prop :=
  forall d, guarantee (decoded P d eta alpha) X (eta / (alpha * X ^ 2)) (linear regret).
