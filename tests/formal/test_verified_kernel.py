"""The kernel in Coq: what it accepts, and that it refuses what is wrong, rule by rule."""

import re
from pathlib import Path

import pytest

from gaptron.coq.library import ALLOWED, axioms_in, compiled, compiled_library, default_folder, needed_by

pytestmark = [pytest.mark.slow, pytest.mark.coq]

HEADER = """\
From Coq Require Import ZArith QArith List.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Polynomials Terms Relations Atoms Hypotheses Derivation Intervals Motion.
From Gaptron.kernel Require Import Certificate Refutation.
Import ListNotations.
Open Scope nat_scope.
"""
NAMES = """\
Definition x := Var 0.
Definition y := Var 1.
Definition none := Local ([], []) [].
Definition sum := [SPz (ZAdd (ZIn 0) (ZIn 1))].
Definition from (i : nat) := CCombination (Local ([x], []) [SGiven i]) sum.
Definition one_below := CCombination (Local ([x], []) [SGiven 0]) [SPz (ZAdd (ZAdd (ZIn 0) (ZIn 1)) (ZC 1))].
Definition square (e : expr) (c : Z) :=
  CCombination (Local ([x], []) [SGiven 0]) [SPz (ZAdd (ZIn 1) (ZAdd (ZSq e) (ZMul (ZC (c # 1)) (ZIn 0))))].
Definition less (e : expr) (n : Z) := Add e (Int (-n)).
Definition above_one := Local ([x], []) [SGiven 0; SPz (ZAdd (ZIn 0) (ZC 1))].
Definition falling (g : relation) (d : Z) (up : bool) (at_ : Z) :=
  check (Claim 1 [] [g] (Le, Inv x, Int 1))
    (CMove above_one 0 up [Bound 0 1 (Int 1) 0] [] [] [] (Mul (Int d) (Inv (Pow x 2)))
       (CInterval above_one 40 [(Some (Bound 0 1 (Int 1) 1), None)] None)
       [(Int at_, CInterval none 40 [(None, None)] None)]).
Definition falling_by (fact : relation) (p : cert) :=
  check (Claim 1 [] [(Ge, x, Int 1)] (Le, Inv x, Int 1))
    (CMove (Local ([x], []) [SGiven 1]) 0 false [Bound 0 1 (Int 1) 0] [] [] [(fact, p)] (Mul (Int (-1)) (Inv (Pow x 2)))
       (CInterval (Local ([x], []) [SGiven 1]) 40 [(Some (Bound 0 1 (Int 1) 1), None)] None)
       [(Int 1, CInterval none 40 [(None, None)] None)]).
Definition any_value (given : list relation) (e : expr) (s : sign) (put : expr) :=
  check (Claim 1 [] given (s, Mul e e, less (Mul (Int 2) e) 1))
    (CGeneralize (Local ([x; e], []) (map SGiven (seq 0 (length given)))) put
       (CCombination (Local ([x; y], []) []) [SPz (ZAdd (ZIn 0) (ZSq (less y 1)))])).
Definition root (given : list relation) :=
  check (Claim 1 [] given (Le, Mul (Sqrt x) (Sqrt x), x))
    (CCombination (Local ([x; Sqrt x], []) [SGiven 0; SRoot 2]) [SPz (ZAdd (ZIn 3) (ZMulC (Int (-1)) (ZIn 2)))]).
Definition unit := [(Ge, x, Int 0); (Le, x, Int 1)].
Definition on_unit (given : list relation) (scale high : Q) (f : expr) (c : Z) :=
  check (Claim 1 [] given (Le, f, Int c))
    (CInterval (Local ([x], []) []) 40 [(Some (Bound 0 1 (Int 0) 0), Some (Bound 1 scale (Int 1) high))] None).
Definition two := [(Ge, x, Int 2); (Le, x, Int 2)].
"""


def said(text: str, folder: Path) -> str:
    """What Coq prints of a text that uses the kernel."""
    library = compiled_library(needed_by([HEADER]), default_folder())
    return compiled({"Asked.v": HEADER + text}, folder, library)


def test_its_soundness_rests_on_the_axioms_of_the_reals_alone(tmp_path: Path) -> None:
    assert set(axioms_in(said("Print Assumptions check_sound.\n", tmp_path))) == set(ALLOWED)


def test_what_it_proves_is_the_meaning_of_the_claim(tmp_path: Path) -> None:
    printed = said("Check check_sound.\n", tmp_path)
    assert re.sub(r"\s+", " ", printed).strip() == (
        "check_sound : forall (p : cert) (c : claim), check c p = true -> claim_holds c"
    )


ACCEPTED_AND_REFUSED = {  # of each rule and step: what is accepted, then what is wrong with the others
    "combination": [
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, Mul x x, Int 4)) (square (less x 2) 4)",
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, Mul x x, Int 4)) (square (less x 2) 3)",  # a changed coefficient
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, Mul x x, Int 5)) (square (less x 2) 4)",
        "check (Claim 1 [] [] (Ge, Mul x x, Int 4)) (square (less x 2) 4)",  # a dropped hypothesis
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, Add (Mul x x) (Mul (Int 0) (Inv (less x 2))), Int 4))"
        " (square (less x 2) 4)",  # an undefined term
    ],
    "lemma": [
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, Mul x x, Int 4))"
        " (CLemma (Ge, x, Int 1) one_below (square (less x 2) 4))",
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, Mul x x, Int 4))"
        " (CLemma (Ge, x, Int 3) (from 0) (square (less x 2) 4))",
    ],
    "both": [
        "check (Claim 1 [] two (Eq, x, Int 2)) (CBoth (from 1) (from 0))",
        "check (Claim 1 [] [(Ge, x, Int 2)] (Eq, x, Int 2)) (CBoth (from 1) (from 0))",
        "check (Claim 1 [] two (Le, x, Int 2)) (CBoth (from 1) (from 0))",
        "check (Claim 1 [] two (Eq, x, Int 3)) (CBoth (from 1) (from 0))",
    ],
    "apart": [
        "check (Claim 1 [] [(Ge, x, Int 3)] (Ne, x, Int 2)) (CApart Gt one_below)",
        "check (Claim 1 [] [(Ge, x, Int 3)] (Ne, x, Int 2)) (CApart Lt one_below)",
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ne, x, Int 2)) (CApart Gt (from 0))",
        "check (Claim 1 [] [] (Ne, x, Int 2)) (CApart Gt one_below)",
    ],
    "weaken": [
        "check (Claim 1 [] [(Le, x, Int 5); (Ge, x, Int 2)] (Ge, x, Int 2)) (CWeaken [1] (from 0))",
        "check (Claim 1 [] [(Le, x, Int 5); (Ge, x, Int 2)] (Ge, x, Int 2)) (CWeaken [0] (from 0))",
        "check (Claim 1 [] [(Le, x, Int 5); (Ge, x, Int 2)] (Ge, x, Int 2)) (CWeaken [2] (from 0))",
    ],
    "contradiction": [
        "check (Claim 1 [] [(Ge, Int 1, Int 2)] (Ge, Inv x, Int 2)) (CAbsurd (Local ([], []) [SGiven 0]))",
        "check (Claim 1 [] [(Ge, Int 2, Int 1)] (Ge, Inv x, Int 2)) (CAbsurd (Local ([], []) [SGiven 0]))",
        "check (Claim 1 [] [] (Ge, Inv x, Int 2)) (CAbsurd (Local ([], []) [SGiven 0]))",
    ],
    "cases": [
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, x, Int 2)) (CCases (Local ([x], []) []) x (from 0) (from 0))",
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, x, Int 2)) (CCases (Local ([x], []) []) (Inv x) (from 0) (from 0))",
        "check (Claim 1 [] [(Ge, x, Int 2)] (Ge, x, Int 2)) (CCases (Local ([x], []) []) x (from 0) (from 1))",
    ],
    "integer": [
        f"check (Claim 1 {integers} {given} (Ge, x, Int 1)) (CInteger 0 {at}"
        " (CCombination (Local ([x], []) [SGiven 0; SGiven 1]) sum) (from 1))"
        for integers, given, at in (
            ("[x]", "[(Gt, x, Int 0)]", "0%Z"),
            ("[]", "[(Gt, x, Int 0)]", "0%Z"),
            ("[x]", "[]", "0%Z"),
            ("[x]", "[(Gt, x, Int 0)]", "1%Z"),
            ("[Inv x]", "[(Gt, x, Int 0)]", "0%Z"),
        )
    ],
    "fixed": [
        f"check (Claim 1 [] {given} (Le, Mul x x, Int {square})) (CFixed (Local ([x], []) []) 0 (Int {value})"
        f" (Bound 0 1 (Int {value}) {value}) (Bound 1 1 (Int {value}) {value}) (CCombination none []))"
        for given, square, value in (("two", 4, 2), ("two", 3, 2), ("two", 9, 3), ("[(Ge, x, Int 2)]", 4, 2))
    ],
    "interval": [
        "on_unit unit 1 1 (Exp x) 3",
        "on_unit unit 1 1 (Exp x) 2",
        "on_unit unit 1 (1 # 2) (Exp x) 3",  # a wrong enclosure of the variable
        "on_unit unit 2 1 (Exp x) 3",
        "on_unit [(Ge, x, Int 0)] 1 1 (Exp x) 3",
        "on_unit unit 1 1 (Ln x) 3",
    ],
    "interval, mean form": [
        f"check (Claim 1 [] unit (Le, {f}, Int 0)) (CInterval (Local ([x], []) []) 40"
        f" [(Some (Bound 0 1 (Int 0) 0), Some (Bound 1 1 (Int 1) {high}))] {form})"
        for f, high, form in (
            ("Add x (Mul (Int (-1)) x)", 1, "(Some 0)"),
            ("Add x (Mul (Int (-1)) x)", 1, "None"),
            ("Add x (Mul (Int (-1)) x)", 0, "(Some 0)"),
            ("Add x (Mul (Rat 1 2) x)", 1, "(Some 0)"),
            ("Add y (Mul (Int (-1)) y)", 1, "(Some 0)"),
        )
    ],
    "move": [
        "falling (Ge, x, Int 1) (-1) false 1",
        "falling (Ge, x, Int 1) (-2) false 1",  # another derivative
        "falling (Ge, x, Int 1) (-1) true 1",
        "falling (Ge, x, Int 1) (-1) false 2",  # another end
        "falling (Ge, x, Int 0) (-1) false 1",
        "falling (Ge, y, Int 1) (-1) false 1",
    ],
    "move, with a fact along the way": [
        "falling_by (Gt, x, Int 0) one_below",
        "falling_by (Gt, x, Int 1) (from 0)",  # it is not so at the end
        "falling_by (Ge, x, Int 0) one_below",  # not enough
        "falling_by (Gt, x, Int 0) (from 1)",
    ],
    "generalize": [
        "any_value [(Gt, x, Int 0)] (Ln x) Ge (Ln x)",
        "any_value [(Gt, x, Int 0)] (Ln x) Gt (Ln x)",
        "any_value [(Gt, x, Int 0)] (Ln x) Ge x",  # another term
        "any_value [] (Ln x) Ge (Ln x)",  # an undefined term
        "check (Claim 1 [] [(Ge, y, Int 1)] (Ge, Exp x, Int 1))"  # a variable that is not new
        " (CGeneralize (Local ([x; Exp x], []) []) (Exp x) (CCombination (Local ([x; y], []) [SGiven 0]) sum))",
        "check (Claim 1 [Exp x] [(Gt, Exp x, Int 0)] (Ge, Exp x, Int 1))"  # any value, and not any integer
        " (CGeneralize (Local ([x; Exp x], []) []) (Exp x) (CInteger 0 0%Z"
        " (CCombination (Local ([x; y], []) [SGiven 0; SGiven 1]) sum)"
        " (CCombination (Local ([x; y], []) [SGiven 1]) sum)))",
    ],
    "an exponential": [
        f"check (Claim 1 [] [] (Ge, Exp (Add x x), Add (Mul (Int 2) (Exp x)) (Int {c})))"
        f" (CCombination (Local ([x; Exp x], [HExp (Add x x) [(x, {n}%Z)]]) [])"
        " [SPz (ZAdd (ZIn 0) (ZSq (less (Exp x) 1)))])"
        for c, n in (("(-1)", 2), ("(-1)", 3), ("0", 2))
    ],
    "an exponential of a quotient": [
        f"check (Claim 1 [] {given} (Le, Exp (Add (Inv x) (Inv x)), Pow (Exp (Inv x)) 2))"
        " (CCombination (Local ([x; Exp (Inv x)], [HExp (Add (Inv x) (Inv x)) [(Inv x, 2%Z)]]) [SGiven 0]) [])"
        for given in ("[(Gt, x, Int 0)]", "[(Ge, x, Int 0)]", "[]")
    ],
    "a logarithm": [
        f"check (Claim 1 [] {given} (Le, Ln (Pow x 4), Mul (Int {c}) (Ln (Pow x 2))))"
        f" (CCombination (Local ([x; Ln (Pow x 2)], [HLn (Pow x 4) 1 [(Pow x 2, {n}%positive)] []]) [SGiven 0]) [])"
        for given, c, n in (
            ("[(Gt, x, Int 0)]", 2, 2),
            ("[(Gt, x, Int 0)]", 2, 3),
            ("[(Gt, x, Int 0)]", 3, 2),
            ("[(Ge, x, Int 0)]", 2, 2),  # the logarithm of what may be zero
            ("[]", 2, 2),
        )
    ],
    "a logarithm of a quotient": [
        f"check (Claim 2 [] {given} (Le, Mul (Int 2) (Ln (Mul x (Inv y))),"
        " Add (Ln (Pow x 2)) (Mul (Int (-1)) (Ln (Pow y 2)))))"
        " (CCombination (Local ([x; y; Ln (Pow x 2); Ln (Pow y 2)],"
        f" [HLn (Mul x (Inv y)) {n} [(Pow x 2, 1%positive)] [(Pow y 2, 1%positive)]]) [SGiven 0; SGiven 1]) [])"
        for given, n in (
            ("[(Gt, x, Int 0); (Gt, y, Int 0)]", 2),
            ("[(Gt, x, Int 0); (Gt, y, Int 0)]", 1),
            ("[(Gt, x, Int 0); (Ge, y, Int 0)]", 2),
        )
    ],
    "a logarithm of an exponential": [
        f"check (Claim 1 [] [] (Le, Ln (Exp x), {right}))"
        f" (CCombination (Local ([x; Exp x], [HLn (Exp x) 1 [(Exp x, {n}%positive)] []]) []) [])"
        for right, n in (("x", 1), ("less x 1", 1), ("x", 2))
    ],
    "a root": ["root [(Ge, x, Int 0)]", "root [(Ge, x, Int (-1))]", "root []"],
    "a root of degree 3": [
        f"check (Claim 1 [] {given} (Le, Pow (Root x 2) {degree}, x))"
        " (CCombination (Local ([x; Root x 2], []) [SGiven 0; SRoot 2])"
        " [SPz (ZAdd (ZIn 3) (ZMulC (Int (-1)) (ZIn 2)))])"
        for given, degree in (
            ("[(Ge, x, Int 0)]", 3),
            ("[(Ge, x, Int 0)]", 2),
            ("[(Ge, x, Int (-1))]", 3),
            ("[]", 3),
        )
    ],
    "an enclosed root of degree 3": [
        f"check (Claim 0 [] [] (Le, Root (Int 2) 2, Rat {high} 100)) (CInterval none 40 [] None)" for high in (126, 125)
    ],
    "a root of the same, of degree 3": [
        f"check (Claim 1 [] [(Ge, x, Int 0)] (Le, Root (Add x x) 2, Root (Mul (Int 2) x) {n}))"
        f" (CCombination (Local ([x; Root (Mul (Int 2) x) {n}], [HRoot (Add x x) (Mul (Int 2) x) {n}]) [SGiven 0]) [])"
        for n in (2, 3)
    ],
    "a root that a hypothesis has, written otherwise": [
        f"check (Claim 1 [] {given} (Ge, x, Int (-1)))"
        " (CCombination (Local ([x; Sqrt (Add (Int 1) x)], []) [SRoot 2])"
        " [SPz (ZAdd (ZIn 2) (ZAdd (ZSq (Sqrt (Add (Int 1) x))) (ZMulC (Int (-1)) (ZIn 1))))])"
        for given in ("[(Ge, Sqrt (Add x (Int 1)), Int 0)]", "[(Ge, Sqrt (Add x (Int 2)), Int 0)]", "[]")
    ],
    "a logarithm that a hypothesis has, of a square": [
        f"check (Claim 1 [] {given} (Le, Mul (Int 2) (Ln (Add x (Int 1))), Ln (Pow (Add (Int 1) x) 2)))"
        " (CCombination (Local ([x; Ln (Pow (Add (Int 1) x) 2)],"
        " [HLn (Add x (Int 1)) 2 [(Pow (Add (Int 1) x) 2, 1%positive)] []]) []) [])"
        for given in ("[(Ge, Ln (Add x (Int 1)), Int 0)]", "[(Ge, Ln (Add x (Int 2)), Int 0)]", "[]")
    ],
    "a root of the same": [
        f"check (Claim 1 [] {given} (Le, Sqrt (Add x x), Sqrt (Mul (Int 2) x)))"
        f" (CCombination (Local ([x; Sqrt ({same})], [HSqrt (Add x x) ({same})]) [SGiven 0]) [])"
        for given, same in (
            ("[(Ge, x, Int 0)]", "Mul (Int 2) x"),
            ("[(Ge, x, Int 0)]", "Mul (Int 3) x"),
            ("[]", "Mul (Int 2) x"),
        )
    ],
    "a bound on a constant": [
        f"check (Claim 0 [] [] (Le, Exp (Int 1), Int {high}))"
        f" (CCombination (Local ([Exp (Int 1)], []) [SBound (Exp (Int 1)) 40 2 {high}])"
        " [SPz (ZAdd (ZIn 1) (ZIn 2))])"
        for high in (3, 2)
    ],
    "division by what is positive": [
        f"check (Claim 2 [] [({sign}, x, Int 0); (Ge, Mul x y, Int 0)] (Ge, {then}, Int 0))"
        " (CCombination (Local ([x; y], []) [SGiven 0; SGiven 1; SDiv 1 y 0])"
        " [SPz (ZAdd (ZIn 2) (ZIn 3))])"
        for sign, then in (("Gt", "y"), ("Ge", "y"), ("Ne", "y"), ("Lt", "y"), ("Gt", "less y 1"))
    ],
    "an exponential is positive": [
        f"check (Claim 1 [] [] ({sign}, Exp x, Int 0))"
        f" (CCombination (Local ([x; Exp x], []) [SExp {atom}]) [SPz (ZAdd (ZIn 0) (ZIn 1))])"
        for sign, atom in (("Gt", 2), ("Gt", 1), ("Lt", 2))
    ],
    "a refutation": [
        "refute 64 (Claim 1 [x] [(Ge, x, Int 2)] (Le, Mul x x, Int 3)) [2%Q]",
        "refute 64 (Claim 1 [x] [(Ge, x, Int 2)] (Le, Mul x x, Int 4)) [2%Q]",  # it holds there
        "refute 64 (Claim 1 [x] [(Ge, x, Int 2)] (Le, Mul x x, Int 3)) [(5 # 2)%Q]",  # not an integer
        "refute 64 (Claim 1 [x] [(Gt, x, Int 2)] (Le, Mul x x, Int 3)) [2%Q]",
        "refute 64 (Claim 1 [x] [(Gt, Ln (less x 2), Int 2)] (Le, Mul x x, Int 3)) [2%Q]",
        "refute 64 (Claim 1 [x] [] (Le, Mul x x, Int 3)) []",
        "refute 64 (Claim 1 [] [] (Le, Exp x, Exp (Int 1))) [1%Q]",  # not certain
    ],
    "a refutation where the conclusion is undefined": [
        "refute 64 (Claim 1 [] [] (Le, Inv (less x 2), Int 3)) [2%Q]",
        "refute 64 (Claim 1 [] [] (Le, Inv (less x 2), Int 3)) [3%Q]",
    ],
}


def test_each_rule_accepts_what_is_right_and_refuses_what_is_wrong(tmp_path: Path) -> None:
    rows = [(rule, row) for rule, rows in ACCEPTED_AND_REFUSED.items() for row in rows]
    printed = said(NAMES + "".join(f"Eval vm_compute in {row}.\n" for _, row in rows), tmp_path)
    answers = re.findall(r"^     = (true|false)$", printed, flags=re.MULTILINE)
    assert len(answers) == len(rows)
    right = {rows[0] for rows in ACCEPTED_AND_REFUSED.values()}
    assert [(row, answer) for (_, row), answer in zip(rows, answers, strict=True)] == [
        (row, "true" if row in right else "false") for _, row in rows
    ]
