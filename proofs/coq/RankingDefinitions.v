(** Rankings of d items, numbered from 0 to d! - 1: every permutation once (rank_permutes, rank_complete and
    rank_distinct of Rankings.v). *)

From Coq Require Import Arith.

(** The last item has the rank y mod d; the items before it are ranked by y/d, and those from that rank on move up. *)
Fixpoint rank (d y i : nat) : nat :=
  match d with
  | O => O
  | S e =>
      let last := Nat.modulo y d in
      let among := rank e (Nat.div y d) i in
      if Nat.eqb i e then last else if Nat.ltb among last then among else S among
  end.
