"""Every rule of the kernel: claims it must accept, and attacks that it must reject, each for its own reason."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from kernel_language import (
    DIRECT,
    MEAN,
    ONE,
    SIGNS,
    Proof,
    add_up,
    apart,
    both,
    cases,
    claim,
    clear,
    combination,
    contradiction,
    exponential,
    fixed,
    generalize,
    integer,
    interval,
    lemma,
    move,
    powers,
    term,
    weaken,
)

from gaptron.kernel import Certificate, Claim, Rejected, Relation, check, read_certificate, replay
from gaptron.kernel.certificate import FORMAT, holds, refute
from gaptron.kernel.enclosures import enclose
from gaptron.kernel.rules import RULES
from gaptron.kernel.terms import read_name, read_rational, read_term, term_data


@dataclass(frozen=True)
class Row:
    """A claim and a proof; the reason is that of acceptance, or of rejection with what the kernel must say."""

    rule: str
    why: str
    claim: Claim
    proof: Any
    says: str | None = None


def _rows(rule: str, *rows: tuple[Any, ...]) -> list[Row]:
    return [Row(rule, why, claim(text), proof, *says) for why, text, proof, *says in rows]


def _named(rows: list[Row]) -> list[Any]:
    return [pytest.param(row, id=f"{row.rule}: {row.why}") for row in rows]


LOG_2 = enclose(("log", Fraction(2)), {}, 24)
TRIVIAL = combination(("1", [0]))  # the negated conclusion is 0 > 0
SQUARE = combination(("1", [0, 0]), ("1", [1]))
BETWEEN = "|- (K - 2)*(K - 3) >= 0"
NEAR = f"log(2) - {LOG_2[0]}"  # may be zero, as far as few bits tell
SQUARED_GAP = combination(("1", [0, 0]), ("1", [1]))
SPENT = (("1", [1]), ("1/2", []))  # K <= 5/2, and what is left of K >= 3
THREE_ROOTS = f"root({40001**2 * 250 - 1}/1000, 2) - root(100000001, 2) - root({(80001**2 * 125 + 8)}/8000, 2)"


def between(first: int = 0, width: str = "1") -> Proof:
    """(K - 2)(K - 2 - width) >= 0, from K <= 2 and from K >= 2 + width; ``first`` is the number of that fact."""
    half = combination(("1", [first + 1]), ("1", [first, first]), (width, [first]))
    return integer("K", "2", half, half)


def halfway(whole: str, at: str, first: int = 0) -> Proof:
    """A term is not n + 1/2."""
    half = combination(("1", [first]), ("1", [first + 1]), ("1/2", []))
    return integer(whole, at, apart("<", half), apart(">", half))


ACCEPTED = [
    *_rows(
        "lemma",
        (
            "x^2 >= 4 first, then its consequence",
            "x >= 2 |- x**2 >= 3",
            lemma(
                "x**2 >= 4",
                combination(("1", [1]), ("1", [0, 0]), ("4", [0])),
                combination(*[("1", [1]), ("1", [2]), ONE]),
            ),
        ),
        (
            "a denominator's sign",
            "x >= 1 |- 1/x > 0",
            lemma("x > 0", combination(("1", [0]), ("1", [1]), ONE), combination(("1", [2]), ONE)),
        ),
    ),
    *_rows(
        "cases",
        ("a square on both sides of zero", "|- x**2 >= 0", cases("x", SQUARE, SQUARE)),
        (
            "a root that is defined",
            "x >= 0 |- x >= 0",
            cases("root(x, 2)", combination(("1", [0]), ("1", [4])), combination(("1", [0]), ("1", [4]))),
        ),
    ),
    *_rows(
        "both",
        (
            "two inequalities",
            "x == 1 |- x**2 == 1",
            both(combination(("1", [1]), equations=[(0, "-x - 1")]), combination(("1", [1]), equations=[(0, "x + 1")])),
        ),
        ("an identity where it is defined", "x > 0 |- x/x == 1", both(add_up(1), add_up(1))),
        ("logarithms of powers of one prime", "|- log(4) == 2*log(2)", both(TRIVIAL, TRIVIAL)),
    ),
    *_rows(
        "apart",
        ("above", "x > 0 |- x != 0", apart(">", add_up(0, 1))),
        ("below", "x < 0 |- x != 0", apart("<", add_up(0, 1))),
    ),
    *_rows(
        "integer",
        ("nothing lies between 2 and 3", "|- (K - 2)*(K - 3) >= 0 for integers K", between()),
        ("a term that is listed", "x >= 0 |- 2*x != 1/2 for integers y; 2*x", halfway("2*x", "0", 1)),
        ("below zero", "|- K != -1/2 for integers K", halfway("K", "-1")),
        ("after a lemma", f"{BETWEEN} for integers K", lemma("0 <= 1", DIRECT, between(1))),
        ("in the proof of a lemma", f"{BETWEEN} for integers K", lemma(BETWEEN[3:], between(), add_up(0, 1))),
        ("in both cases", f"{BETWEEN} for integers K", cases("x", between(1), between(1))),
        ("after fewer hypotheses", f"x >= 0 {BETWEEN} for integers K", weaken([], between())),
        ("after clearing", f"{BETWEEN} for integers K", clear(between())),
        (
            "twice, in both halves of an equation",
            "K >= 2; K <= 5/2 |- K == 2 for integers K",
            both(integer("K", "2", add_up(2, 3), combination(*SPENT, ("1", [2]))), add_up(0, 2)),
        ),
        (
            "in the coefficients of powers of another variable",
            "x >= 0 |- (K - 2)*(K - 3)*x >= 0 for integers K; x",
            powers("0", TRIVIAL, between(), variable="x"),
        ),
        (
            "for the slope and the end of a move of another variable",
            "x >= 0 |- (K - 2)*(K - 3)*(x + 1) >= 0 for integers x; K",
            move("down", between(1), between()),
        ),
        (
            "for a fact along the way",
            "x >= 0 |- (K - 2)*(K - 3)*x >= 0 for integers K",
            move("down", add_up(1, 2), TRIVIAL, facts=[(BETWEEN[3:], between(1))]),
        ),
        (
            "after a change of another variable",
            "x >= 0 |- (K - 2)*(K - 3) >= 0*exp(x) for integers x; K",
            exponential("1", between(2)),
        ),
    ),
    *_rows(
        "fixed",
        ("between equal bounds", "x >= 2; x <= 2 |- exp(x) <= exp(2)", fixed("2", add_up(2))),
        ("bounds in another form", "4 <= 2*x; -x >= -2 |- x**2 == 4", fixed("2", both(add_up(2), add_up(2)))),
        ("what is fixed is no integer after it", "x >= 2; x <= 2 |- x <= 2 for integers x", fixed("2", add_up(2))),
        ("another integer stays", f"x >= 0; x <= 0 {BETWEEN} for integers K", fixed("0", between(2))),
        ("a strict bound, and nothing is there", "x > 2; x <= 2 |- 1 <= 0", fixed("2", contradiction(0))),
    ),
    *_rows(
        "generalize",
        (
            "a logarithm",
            "log(K) >= 1 |- log(K)**2 >= 1",
            generalize("log(K)", combination(("1", [1]), ("1", [0, 0]), ("2", [0]))),
        ),
        ("everywhere it is written", "log(x) > 0 |- 1/log(x) > 0", generalize("log(x)", combination(("1", [1]), ONE))),
        ("a variable with the name of an operation", "exp > 0 |- exp(x) > 0", generalize("exp", add_up(1, 2))),
        ("a number that is an exponent", "|- x**2 >= 0", generalize("2", combination(("1", [0]), ("1", [], "x")))),
        ("a term that is not there", "x > 0 |- x >= 0", generalize("log(x)", add_up(0, 1))),
        (
            "an integer without the term stays",
            f"log(x) >= 0 {BETWEEN} for integers K",
            generalize("log(x)", between(1)),
        ),
    ),
    *_rows(
        "weaken",
        ("one of two", "y >= 1; x > 0 |- x >= 0", weaken([1], add_up(0, 1))),
        ("in another order", "y > 0; x > 0 |- x*y > 0", weaken([1, 0], combination(("1", [0, 1]), ("1", [2])))),
        ("none", "y >= 1 |- x <= x", weaken([], TRIVIAL)),
    ),
    *_rows(
        "contradiction",
        ("1 <= 0", "1 <= 0 |- x < x", contradiction(0)),
        ("1 < 1", "1 < 1 |- x < x", contradiction(0)),
        ("0 >= 1", "0 >= 1 |- x < x", contradiction(0)),
        ("1 > 1", "1 > 1 |- x < x", contradiction(0)),
        ("0 = 1", "x > 0; 0 == 1 |- log(y) < 0", contradiction(1)),
        ("1 != 1", "1 != 1 |- x < x", contradiction(0)),
        ("by algebra", "log(4) - 2*log(2) > x - x |- 1/y < 0", contradiction(0)),
        ("even where the hypothesis is undefined", "x/x > 1 |- x < x", contradiction(0)),
    ),
    *_rows(
        "combination",
        ("a strict hypothesis", "x > 0 |- x >= 0", add_up(0, 1)),
        ("a square", "|- x**2 - 2*x + 1 >= 0", combination(("1", [0]), ("1", [], "x - 1"))),
        ("a product of hypotheses", "x >= 0; y >= 0 |- x*y >= 0", combination(("1", [0, 1]), ("1", [2]))),
        ("an equation", "x == y |- x <= y", combination(("1", [1]), equations=[(0, "-1")])),
        ("an equation with a denominator", "x > 0; 1/x == 1 |- x <= 1", combination(("1", [2]), equations=[(1, "1")])),
        ("!= is no fact but takes no number", "x != 0; x > 0 |- x >= 0", add_up(0, 1)),
        (
            "an enclosed constant from above",
            "|- log(2) < 7/10",
            combination(("1", [1]), ("1", [2]), (str(Fraction(7, 10) - LOG_2[1]), []), bounds=[("log(2)", 24)]),
        ),
        (
            "an enclosed constant from below",
            "|- log(2) > 69/100",
            combination(("1", [0]), ("1", [2]), (str(LOG_2[0] - Fraction(69, 100)), []), bounds=[("log(2)", 24)]),
        ),
        ("an exponential is positive", "|- exp(x) > 0", add_up(0, 1)),
        ("a root is not negative", "x >= 0 |- root(x, 2) >= 0", add_up(1, 3)),
        ("a root is a root", "x >= 0 |- root(x, 2)**2 <= x", combination(("1", [3]), equations=[(2, "-1")])),
        (
            "the root of a quotient",
            "x > 0 |- x*root(1/x, 2)**2 <= 1",
            combination(("1", [3]), equations=[(2, "-1")]),
        ),
        ("a positive denominator", "x > 0 |- 1/x > 0", combination(("1", [1]), ONE)),
        ("a negative denominator", "x < 0; 1/x >= -1 |- x <= -1", add_up(1, 2)),
        ("an even power of a denominator", "1/x**2 >= 1 |- x**2 <= 1", add_up(0, 1)),
        ("a denominator of unknown sign", "1/x >= 1 |- x - x**2 >= 0", add_up(0, 1)),
        ("a denominator that is not zero", "x != 0 |- 1/x**2 > 0", combination(("1", [0]), ONE)),
        ("a product of denominators", "x < 0; y < 0 |- 1/(x*y) > 0", combination(("1", [2]), ONE)),
        (
            "an even power of a negative one in a product",
            "x < 0; y > 0 |- 1/(x**2*y) > 0",
            combination(("1", [2]), ONE),
        ),
        (
            "what a hypothesis mentions is defined",
            "log(x) <= 5 |- log(x) <= 6",
            combination(("1", [0]), ("1", [1]), ONE),
        ),
        ("a logarithm of a positive number", "x > 0 |- log(x) <= log(x)", add_up(1)),
        ("a logarithm of a product", "x > 0; y > 0 |- log(x*y) <= log(x*y)", add_up(2)),
        ("a logarithm of a product of negative factors", "x < 0; y < 0 |- log(x*y) <= log(x*y)", add_up(2)),
        ("a logarithm of an even power of a negative factor", "x < 0; y > 0 |- log(x**2*y) <= log(x**2*y)", add_up(2)),
        ("a root of minus a negative number", "x < 0 |- root(-x, 2) >= 0", add_up(1, 3)),
        ("a logarithm of minus a negative number", "x < 0 |- log(-2*x) <= log(-2*x)", add_up(1)),
        ("a logarithm of a square", "x != 0 |- log(x**2) <= log(x**2)", add_up(0)),
        ("a logarithm of a square of a sum", "x + y < 0 |- log((x + y)**2) <= log((x + y)**2)", add_up(1)),
        ("a sign is not forgotten for !=", "x > 0; x != 0 |- log(x) <= log(x)", add_up(1)),
        ("a root of what is left below one", "x <= 1 |- root(1 - x, 2) >= 0", add_up(1, 3)),
        ("a logarithm of an exponential", "|- log(exp(x)) <= x", add_up(0)),
        ("a division by an exponential", "|- 1/exp(x) > 0", combination(("1", [0]), ONE)),
        ("a root of what is zero by algebra", "|- root(x - x, 2) >= 0", add_up(0, 2)),
        ("an even power in a denominator", "y > 0; x != 0 |- log(y/x**2) <= log(y/x**2)", add_up(1)),
        ("each factor of a denominator", "x > 0; y + 1 > 0 |- 1/(x*(y + 1)) <= 1/(x*(y + 1))", add_up(2)),
        ("each factor of a power", "x > 0; y + 1 > 0 |- 1/(x*(y + 1))**2 <= 1/(x*(y + 1))**2", add_up(2)),
        ("each factor of a first power", "x > 0; y + 1 > 0 |- ((x*(y + 1))**1)**-1 <= ((x*(y + 1))**1)**-1", add_up(2)),
        ("a product of which the sign is known", "x*y > 0 |- log(x*y) <= log(x*y)", add_up(1)),
        ("a zeroth power in a denominator", "|- 1/x**0 <= 1", TRIVIAL),
        ("a logarithm of a quotient", "x > 0; y > 0 |- log(x/y) == log(x) - log(y)", both(add_up(2), add_up(2))),
    ),
    *_rows(
        "clear",
        ("a positive denominator", "x > 0 |- 1/x >= 0", clear(combination(("1", [1]), ONE))),
        ("a strict conclusion", "x > 0; y > 0 |- y/x > 0", clear(add_up(1, 2))),
        ("a negative denominator", "x < 0; y < 0 |- y/x > 0", clear(add_up(1, 2))),
        ("nothing to clear", "x >= 0 |- x >= 0", clear(add_up(0, 1))),
    ),
    *_rows(
        "powers",
        (
            "K^2 >= 4",
            "K >= 2 |- K**2 >= 4",
            powers("2", TRIVIAL, combination(("1", [0]), ("4", [])), combination(("1", [0]), ONE)),
        ),
        (
            "a strict bound, written the other way round",
            "2 < K |- K**2 >= 4",
            powers("2", TRIVIAL, combination(("1", [0]), ("4", [])), combination(("1", [0]), ONE)),
        ),
        (
            "a coefficient with a variable",
            "K >= 2; x >= 0 |- K*x >= 2*x",
            powers("2", weaken([], TRIVIAL), add_up(0, 1)),
        ),
        ("a denominator", "K >= 2; K - 1 > 0 |- 1/(K - 1) <= 1", powers("2", TRIVIAL, combination(("1", [0]), ONE))),
        ("a strict bound", "K > 2 |- K >= 2", powers("2", TRIVIAL, combination(("1", [0]), ONE))),
        (
            "only the lowest coefficient is positive",
            "K >= 2 |- (K - 2)**2 > -1",
            powers("2", combination(("1", [0]), ONE), TRIVIAL, combination(("1", [0]), ONE)),
        ),
        ("a strict conclusion", "K >= 2 |- K > 1", powers("2", *[combination(("1", [0]), ONE)] * 2)),
        ("what is zero", "K >= 2 |- K <= K", powers("2", TRIVIAL)),
        (
            "coefficients in between that vanish",
            "K >= 0 |- K**2 >= 0",
            powers("0", TRIVIAL, TRIVIAL, combination(("1", [0]), ONE)),
        ),
    ),
    *_rows(
        "move",
        ("up", "x >= 0; x <= 1 |- x**2 <= 1", move("up", combination(("2", [0]), ("1", [2])), add_up(1))),
        ("down", "x >= 1 |- x**2 >= 1", move("down", combination(("2", [0]), ("1", [1]), ("2", [])), TRIVIAL)),
        ("a strict bound", "x < 1 |- x <= 1", move("up", combination(("1", [1]), ONE), TRIVIAL)),
        (
            "two bounds, of which the nearest counts",
            "x <= y; x <= z; y + z <= 2 |- 2*x <= 2",
            move("up", combination(("1", [3]), ("2", [])), add_up(0, 1, 2), add_up(0, 1, 2)),
        ),
        (
            "the bounds on the other side hold at the end",
            "x >= y; x <= z |- x - x <= z - y",
            move("up", add_up(2), add_up(0, 1)),
        ),
        (
            "a fact along the way",
            "x >= 1; x <= 2 |- 1/x >= 1/2",
            move(
                "up",
                combination(("1", [3]), ONE),
                lemma("1 <= 2", combination(("1", [1]), ONE), interval()),
                facts=[("x > 0", combination(("1", [0]), ("1", [2]), ONE))],
            ),
        ),
        (
            "a bound with a pole in another variable",
            "x <= 1 + 0/y; y > 0 |- x <= 1",
            move("up", combination(("1", [2]), ONE), add_up(1)),
        ),
        (
            "a logarithm",
            "x >= 1 |- log(x) >= 0",
            move(
                "down",
                combination(("1", [2]), ONE),
                DIRECT,
                facts=[("x > 0", combination(("1", [0]), ("1", [1]), ONE))],
            ),
        ),
    ),
    *_rows(
        "exponential",
        ("a falling exponential", "x >= 0 |- exp(-x) <= 1", exponential("-1", add_up(1, 2))),
        ("a rate that is not one", "x <= 0 |- exp(1/2*x) <= 1", exponential("1/2", add_up(1, 2))),
        ("the variable itself, with a rate of two", "x <= 1 |- x <= 11/10", exponential("2", DIRECT)),
        ("the variable itself, with a rate of minus two", "x >= -1 |- x >= -11/10", exponential("-2", DIRECT)),
        (
            "a variable with the name of an operation",
            "exp >= 0 |- exp(-exp) <= 1",
            exponential("-1", add_up(1, 2), variable="exp"),
        ),
        (
            "an operation with the name of the variable",
            "exp >= 0 |- exp(-exp)*exp(y) <= exp(y)",
            exponential("-1", combination(("1", [1, 2]), ("1", [3])), variable="exp"),
        ),
        ("a rising exponential", "x <= 0 |- exp(x) <= 1", exponential("1", add_up(1, 2))),
        (
            "a power of it",
            "x <= 0 |- exp(2*x) <= 1",
            exponential("1", combination(("1", [1, 1]), ("2", [0, 1]), ("1", [2]))),
        ),
        ("the variable outside", "x <= 0; x >= -5 |- x*exp(-x) <= 0", exponential("1", weaken([0, 1], clear(DIRECT)))),
    ),
    *_rows(
        "interval",
        ("a product", "x >= 0; x <= 1 |- x*x <= 1", DIRECT),
        ("an infinite end", "x >= 1; x > 0 |- 1/x <= 1", DIRECT),
        ("an open end at a pole", "x > 0; x <= 1 |- 1/x >= 1", DIRECT),
        ("a logarithm", "x > 0; x <= 1 |- log(x) <= 0", DIRECT),
        ("a root at zero", "x >= 0; x <= 1 |- root(x, 2) <= 1", DIRECT),
        ("an odd power of a negative base", "x >= -2; x <= -1 |- x**3 <= -1", DIRECT),
        ("an even power across zero", "x >= -2; x <= 1 |- x**2 >= 0", DIRECT),
        ("a negative base in the denominator", "x <= -1; x >= -2; x < 0 |- 1/x < 0", DIRECT),
        ("a constant", "|- log(2) < 7/10", DIRECT),
        ("a bound that is a constant", "x <= log(2) |- x < 7/10", DIRECT),
        ("the mean form", "x >= 2/5; x <= 3/5 |- x*(1 - x) <= 3/10", MEAN),
        ("the mean form at the smallest radius", "x >= 2/5; x <= 3/5 |- x*(1 - x) <= 27/100", MEAN),
        ("the mean form at one point", "x >= 1; x <= 1 |- x**2 <= 1", MEAN),
    ),
]

CROSSING = "x + 0*x**-1 + 0*x**-2 <= 1 |- -1/x <= 0"
ABSOLUTE = "y >= 1/2; y <= 3; x <= log(y - 1); x <= 5 |- x <= -1/2"
ABSOLUTE_PROOF = move(
    "up", DIRECT, DIRECT, lemma("log(1 - y) <= -1/2", DIRECT, combination(("1", [2]), ("1", [3]), ("11/2", [])))
)
POSITIVE = "no summand is certainly positive"
SUM = "do not add up to zero"

REJECTED = [
    *_rows(
        "lemma",
        ("the lemma is false", "x >= 2 |- x**2 >= 3", lemma("x >= 3", add_up(0, 1), add_up(1, 2)), SUM),
        (
            "circular: the lemma is the claim, and its proof uses it",
            "x >= 2 |- x >= 3",
            lemma("x >= 3", add_up(1, 2), add_up(1, 2)),
            "no fact 2",
        ),
        (
            "circular: the lemma's proof is a lemma that is the same again",
            "|- x >= 3",
            lemma("x >= 3", lemma("x >= 3", add_up(0, 1), add_up(0, 1)), add_up(0, 1)),
            "no fact 1",
        ),
        ("the lemma is undefined", "|- 0 <= 1", lemma("1/x <= 1/x", TRIVIAL, combination(("1", [1]), ONE)), "nonzero"),
        ("an unknown sign", "|- 0 <= 1", {**lemma("0 <= 1", {}, {}), "relation": ["=<", "0", "1"]}, "relation sign"),
        ("only the lemma is proved", "|- x >= 0", lemma("0 <= 0", TRIVIAL, add_up(0)), POSITIVE + "|" + SUM),
    ),
    *_rows(
        "cases",
        ("one side is false", "|- x >= 0", cases("x", add_up(0, 1), add_up(0, 1)), SUM),
        (
            "the sides are swapped",
            "|- x**3 - x**2*x + x <= 0",
            cases("x", add_up(0, 1), add_up(0, 1)),
            SUM,
        ),
        ("the split is not a polynomial", "x > 0 |- 0 <= 1", cases("1/x", DIRECT, DIRECT), "not a polynomial"),
        ("below is not strict", "x >= 0 |- x >= 0", cases("x", add_up(0, 1), add_up(0, 2)), POSITIVE),
        ("above is not strict", "x <= 0 |- x <= 0", cases("x", add_up(0, 2), add_up(0, 1)), POSITIVE),
        ("a logarithm that may be undefined", "|- 0 <= 1", cases("log(x)", DIRECT, DIRECT), "may not be positive"),
        ("an undefined term times zero", "|- 0 <= 1", cases("0*log(x)", DIRECT, DIRECT), "may not be positive"),
        ("a root that may be undefined", "|- 0 <= 1", cases("root(x, 2)", DIRECT, DIRECT), "may not be nonnegative"),
        ("a quotient that cancels to 1", "|- 0 <= 1", cases("x/x", DIRECT, DIRECT), "may not be nonzero"),
        (
            "the split is not strict",
            "|- x != 0",
            cases("x", apart("<", add_up(0, 1)), apart(">", add_up(0, 1))),
            POSITIVE,
        ),
    ),
    *_rows(
        "both",
        ("the conclusion is <=", "x == 1 |- x <= 1", both(DIRECT, DIRECT), "both proves an equation"),
        ("the conclusion is !=", "|- 1 != 0", both(DIRECT, DIRECT), "both proves an equation"),
        ("the conclusion is < and fails", "|- x < x", both(TRIVIAL, TRIVIAL), "both proves an equation"),
        ("the conclusion is > and fails", "|- x > x", both(TRIVIAL, TRIVIAL), "both proves an equation"),
        ("the conclusion is != and fails", "|- x != x", both(TRIVIAL, TRIVIAL), "both proves an equation"),
        (
            "the upper half twice",
            "x <= 1 |- x == 1",
            both(add_up(0, 1), add_up(0, 1)),
            SUM,
        ),
        ("the lower half twice", "x >= 1 |- x == 1", both(add_up(0, 1), add_up(0, 1)), SUM),
        ("x/x where x may be zero", "|- x/x == 1", both(TRIVIAL, TRIVIAL), "may not be nonzero"),
        ("0/0", "|- 0/0 == 0/0", both(TRIVIAL, TRIVIAL), "may not be nonzero"),
        ("0*log(x)", "|- 0*log(x) == 0", both(TRIVIAL, TRIVIAL), "may not be positive"),
        ("exp(log(x)) = x for a negative x", "|- exp(log(x)) == x", both(TRIVIAL, TRIVIAL), "may not be positive"),
        ("the square root of a square", "|- root(x**2, 2) == x", both(TRIVIAL, TRIVIAL), "may not be nonnegative"),
        (
            "log(x^2) = 2 log(x) for a negative x",
            "x < 0 |- log(x**2) == 2*log(x)",
            both(add_up(1), add_up(1)),
            "may not be positive",
        ),
        (
            "log(x y) = log(x) + log(y) for negative factors",
            "x < 0; y < 0 |- log(x*y) == log(x) + log(y)",
            both(add_up(2), add_up(2)),
            "may not be positive",
        ),
    ),
    *_rows(
        "apart",
        ("only >= is known", "x >= 0 |- x != 0", apart(">", add_up(0, 1)), POSITIVE),
        ("the sign is >=", "x >= 0 |- x != 0", apart(">=", add_up(0, 1)), "apart proves"),
        ("the sign is <=", "x <= 0 |- x != 0", apart("<=", add_up(0, 1)), "apart proves"),
        ("the sign is =", "x == 0 |- x != 0", apart("=", both(add_up(1), add_up(1))), "apart proves"),
        ("the sign is !=", "x > 0 |- x != 0", apart("!=", add_up(0, 1)), "apart proves"),
        ("the sign is in a list", "x > 0 |- x != 0", apart([">"], add_up(0, 1)), "apart proves"),
        ("the wrong side", "x > 0 |- x != 0", apart("<", add_up(0, 1)), SUM),
        ("the conclusion is =", "x > 0 |- x == 1", apart(">", add_up(0, 1)), "apart proves"),
        ("the conclusion is <", "x < 0 |- x < 0", apart("<", add_up(0, 1)), "apart proves"),
        ("an undefined side", "|- 1/x != 1/x - 1", apart(">", combination(("1", [0]), ONE)), "may not be nonzero"),
    ),
    *_rows(
        "integer",
        ("there are no integers", BETWEEN, between(), "not given as an integer"),
        ("another term is an integer", f"{BETWEEN} for integers x; 2*K", between(), "not given as an integer"),
        ("the term is listed in another form", f"{BETWEEN} for integers K + 0", between(), "not given as an integer"),
        ("a hypothesis is no integer", "K >= 2; K <= 3 |- K <= 2", integer("K", "2", DIRECT, DIRECT), "not given"),
        ("not an integer", "|- K != 2 for integers K", integer("K", "3/2", DIRECT, DIRECT), "3/2 is not an integer"),
        ("3 is between 2 and 4", "|- (K - 2)*(K - 4) >= 0 for integers K", between(width="2"), SUM),
        (
            "n itself",
            "|- K != 2 for integers K",
            integer("K", "2", apart("<", add_up(0, 1)), apart(">", combination(("1", [0]), ("1", [1]), ONE))),
            POSITIVE,
        ),
        (
            "n + 1 itself",
            "|- K != 3 for integers K",
            integer("K", "2", apart("<", combination(("1", [0]), ("1", [1]), ONE)), apart(">", add_up(0, 1))),
            POSITIVE,
        ),
        ("only one side", "|- K <= 2 for integers K", integer("K", "2", add_up(0, 1), add_up(0, 1)), SUM),
        ("only the other side", "|- K >= 3 for integers K", integer("K", "2", add_up(0, 1), add_up(0, 1)), SUM),
        (
            "a variable that moves is no integer on the way",
            "x >= 1; x <= 2 |- 2*x**3 - 9*x**2 + 12*x <= 4 for integers x",
            move("up", integer("x", "1", DIRECT, DIRECT), DIRECT),
            "not given as an integer",
        ),
        (
            "a new variable that is an integer",
            "x >= 0 |- exp(-x) <= 1 for integers u",
            exponential("-1", add_up(1, 2)),
            "not new",
        ),
    ),
    *_rows(
        "fixed",
        ("only a lower bound", "x >= 2 |- x <= 2", fixed("2", TRIVIAL), "not bounded"),
        ("only an upper bound", "x <= 2 |- x >= 2", fixed("2", TRIVIAL), "not bounded"),
        ("bounds to two values", "x >= 1; x <= 2 |- x <= 1", fixed("1", TRIVIAL), "not bounded"),
        ("another value", "x >= 2; x <= 2 |- x <= 1", fixed("1", TRIVIAL), "not bounded"),
        ("bounds of another variable", "y >= 2; y <= 2 |- x <= 2", fixed("2", TRIVIAL), "not bounded"),
        ("a bound by a variable", "x >= y; x <= y |- x <= 2", fixed("2", TRIVIAL), "not bounded"),
        ("undefined at the value", "x >= 0; x <= 0 |- 1/x <= 1/x", fixed("0", add_up(2)), "not be nonzero"),
        ("the claim is false there", "x >= 2; x <= 2 |- x <= 1", fixed("2", add_up(2)), SUM),
        (
            "what was fixed is no integer",
            "x >= 2; x <= 2 |- y <= 2 for integers x + y",
            fixed("2", between()),
            "integer",
        ),
    ),
    *_rows(
        "generalize",
        ("what is known of the term is lost", "x > 0 |- exp(x) > 0", generalize("exp(x)", TRIVIAL), SUM),
        (
            "the conclusion may be undefined",
            "x >= 0 |- 0*log(x) <= 0",
            generalize("log(x)", TRIVIAL),
            "not be positive",
        ),
        ("a name that is there", "u >= 1; x > 0 |- log(x) >= 1", generalize("log(x)", add_up(0, 1)), "not new"),
        ("a name among the integers", "x > 0 |- exp(x) > 0 for integers u", generalize("exp(x)", TRIVIAL), "not new"),
        (
            "an integer with the term",
            "|- exp(x) != 1/2 for integers exp(x)",
            generalize("exp(x)", halfway("u", "0")),
            "not given",
        ),
    ),
    *_rows(
        "weaken",
        ("the number after the last", "x > 0 |- x >= 0", weaken([1], add_up(0, 1)), "no such hypothesis"),
        ("a negative number", "x > 0 |- x >= 0", weaken([-1], add_up(0, 1)), "no such hypothesis"),
        ("true for 1", "y > 0; x > 0 |- x >= 0", weaken([True], add_up(0, 1)), "no such hypothesis"),
        ("false for 0", "x > 0 |- x >= 0", weaken([False], add_up(0, 1)), "no such hypothesis"),
        ("a float", "x > 0 |- x >= 0", weaken([0.0], add_up(0, 1)), "no such hypothesis"),
        ("a text", "x > 0 |- x >= 0", weaken(["0"], add_up(0, 1)), "no such hypothesis"),
        ("an object", "x > 0 |- x >= 0", weaken({"0": 0}, add_up(0, 1)), "keep is a list"),
        ("the hypothesis that is needed is dropped", "y > 0; x > 0 |- x >= 0", weaken([0], add_up(0, 1)), SUM),
        ("all hypotheses are dropped", "x > 0 |- x >= 0", weaken([], add_up(0, 1)), "no fact 1"),
        ("what defined the conclusion is dropped", "x > 0 |- 1/x <= 1/x", weaken([], add_up(0)), "may not be nonzero"),
    ),
    *_rows(
        "contradiction",
        ("the hypothesis is true", "0 <= 0; 1 <= 0 |- x < x", contradiction(0), "is not false"),
        ("0 >= 0 is true", "0 >= 0 |- x < x", contradiction(0), "is not false"),
        ("0 = 0 is true", "0 == 0 |- x < x", contradiction(0), "is not false"),
        ("0 < 1 is true", "0 < 1 |- x < x", contradiction(0), "is not false"),
        ("1 > 0 is true", "1 > 0 |- x < x", contradiction(0), "is not false"),
        ("1 != 0 is true", "1 != 0 |- x < x", contradiction(0), "is not false"),
        ("the hypothesis has a variable", "x <= 0 |- x < x", contradiction(0), "is not false"),
        ("the conclusion is what is false", "0 <= 1 |- 1 <= 0", contradiction(0), "is not false"),
        ("false, but not by algebra", "log(2) <= 0 |- x < x", contradiction(0), "is not false"),
        ("the number after the last", "1 <= 0 |- x < x", contradiction(1), "no such hypothesis"),
        ("a negative number", "1 <= 0 |- x < x", contradiction(-1), "no such hypothesis"),
        ("false for 0", "1 <= 0 |- x < x", contradiction(False), "no such hypothesis"),
        ("null", "1 <= 0 |- x < x", contradiction(None), "no such hypothesis"),
        ("the logarithm of -1", "log(-1) <= 0 |- x < x", contradiction(0), "not positive"),
    ),
    *_rows(
        "combination",
        ("a negative coefficient", "x >= 0 |- x <= 0", combination(("-1", [0]), ("1", [1])), "not positive"),
        (
            "a coefficient of zero on what is positive",
            "x >= 0 |- x > 0",
            combination(("1", [0]), ("1", [1]), ("0", [])),
            "not positive",
        ),
        ("a strict conclusion without a strict hypothesis", "x >= 0 |- x > 0", add_up(0, 1), POSITIVE),
        ("a square may be zero", "|- x**2 > 0", combination(("1", [0]), ("1", [], "x")), POSITIVE),
        ("a square of a sum", "|- (x - 1)**2 > 0", combination(("1", [0]), ("1", [], "x - 1")), POSITIVE),
        ("the square of zero", "x >= 0 |- x > 0", combination(("1", [0]), ("1", [1]), ("1", [], "x - x")), POSITIVE),
        (
            "a strict fact times a square that may be zero",
            "x > 0 |- x*y**2 > 0",
            combination(("1", [0], "y"), ("1", [1])),
            POSITIVE,
        ),
        (
            "a strict fact times one that is not",
            "x >= 0; y > 0 |- x*y > 0",
            combination(("1", [0, 1]), ("1", [2])),
            POSITIVE,
        ),
        (
            "one that is not strict times a strict one",
            "x > 0; y >= 0 |- x*y > 0",
            combination(("1", [0, 1]), ("1", [2])),
            POSITIVE,
        ),
        ("an equation in a product", "x == y |- x <= y", combination(("1", [1]), ("1", [0])), "equation stands in"),
        ("an equation counted as strict", "x == 0 |- x > 0", combination(("1", [1]), equations=[(0, "1")]), POSITIVE),
        (
            "an inequality used as an equation",
            "x >= 0 |- x <= 0",
            combination(("1", [1]), equations=[(0, "-1")]),
            "not an equation",
        ),
        (
            "a strict inequality used as an equation",
            "x > 0 |- x <= 0",
            combination(("1", [1]), equations=[(0, "-1")]),
            "not an equation",
        ),
        (
            "the negated conclusion used as an equation",
            "|- x <= 0",
            combination(ONE, equations=[(0, "-1")]),
            "not an equation",
        ),
        ("a sum that is not zero", "x > 0 |- x >= 1", add_up(0, 1), SUM),
        ("nothing at all", "|- x <= 0", combination(), POSITIVE),
        ("only a positive number", "|- x <= 0", combination(ONE), SUM),
        ("the conclusion is =", "x == 0 |- x == 0", combination(equations=[(0, "1")]), "own rules"),
        ("the conclusion is !=", "x > 0 |- x != 0", add_up(0, 0), "own rules"),
        ("1/x where x may be zero", "|- 1/x <= 1/x", TRIVIAL, "may not be nonzero"),
        ("x/x where x may be zero", "x >= 0 |- x/x <= 1", add_up(1), "may not be nonzero"),
        ("0/x where x may be zero", "|- 0/x <= 0", TRIVIAL, "may not be nonzero"),
        ("a product of two signs", "x < 0; y > 0 |- log(x*y) <= log(x*y)", add_up(2), "may not be positive"),
        ("an odd power of a negative factor", "x < 0; y > 0 |- log(x**3*y) <= 0", add_up(2), "may not be positive"),
        ("a product with an unknown factor", "y > 0 |- log(x*y) <= log(x*y)", add_up(1), "may not be positive"),
        (
            "a product with a factor that is not zero",
            "x != 0; y > 0 |- log(y*x) <= 0",
            add_up(1),
            "may not be positive",
        ),
        (
            "a product with a factor that may be zero",
            "x >= 0; y > 0 |- log(x*y) <= 0",
            add_up(2),
            "may not be positive",
        ),
        ("minus a positive number", "x > 0 |- log(-x) <= log(-x)", add_up(1), "may not be positive"),
        ("minus a number that is not zero", "x != 0 |- log(-x) <= log(-x)", add_up(0), "may not be positive"),
        ("minus half a positive number", "x > 0 |- log(-1/2*x) <= 5", add_up(1), "may not be positive"),
        ("the root of minus half a number >= 0", "x >= 0 |- root(-1/2*x, 2) >= 0", add_up(1, 3), "may not be nonneg"),
        ("0/0", "|- 0/0 <= 0", TRIVIAL, "may not be nonzero"),
        ("the right side is undefined", "|- 0 <= 0/x", TRIVIAL, "may not be nonzero"),
        ("log(x) where x may be negative", "x != 0 |- log(x) <= log(x)", add_up(0), "may not be positive"),
        ("log(x) where x may be zero", "x >= 0 |- log(x) <= log(x)", add_up(1), "may not be positive"),
        ("log of a negative number", "x < 0 |- log(x) <= log(x)", add_up(1), "may not be positive"),
        (
            "a numerator of what is positive",
            "(x - 1)/x > 0 |- log(x - 1) <= log(x - 1)",
            add_up(1),
            "may not be positive",
        ),
        ("one over a root that may be zero", "x >= 0 |- 1/root(x, 2) <= 1/root(x, 2)", add_up(1), "may not be nonzero"),
        ("a logarithm of a root", "x >= 0 |- log(root(x, 2)) <= log(root(x, 2))", add_up(1), "may not be positive"),
        ("a logarithm of a square that may be zero", "x >= 0 |- log(x**2) <= 0", add_up(1), "may not be nonzero"),
        ("a logarithm of a cube", "x != 0 |- log(x**3) <= 0", add_up(0), "may not be positive"),
        ("a logarithm of one over a square that may be zero", "|- log(x**-2) >= 0", add_up(0), "may not be"),
        ("a logarithm of the square of a product", "x != 0 |- log((x*y)**2) <= 0", add_up(0), "may not be nonzero"),
        ("a logarithm of minus a square", "x != 0 |- log(-x**2) <= 0", add_up(0), "may not be positive"),
        ("a logarithm of the square of an undefined term", "|- log((1/x)**2) <= 0", add_up(0), "may not be nonzero"),
        ("0*log(x)", "|- 0*log(x) <= 0", TRIVIAL, "may not be positive"),
        ("the zeroth power of an undefined term", "|- log(x)**0 <= 1", TRIVIAL, "may not be positive"),
        ("undefined inside an exponential", "|- exp(1/x) > 0", add_up(0, 1), "may not be nonzero"),
        ("a root where x may be negative", "|- root(x, 2) >= 0", add_up(0, 2), "may not be nonnegative"),
        ("a root of a number that is not zero", "x != 0 |- root(x, 2) >= 0", add_up(0, 2), "may not be nonnegative"),
        ("a root of a number <= 0", "x <= 0 |- root(x, 2) >= 0", add_up(1, 3), "may not be nonnegative"),
        ("a root of minus a number >= 0", "0 <= x |- root(-x, 2) >= 0", add_up(1, 3), "may not be nonnegative"),
        ("an odd root of a negative number", "x < 0 |- root(x, 3) >= 0", add_up(1, 3), "may not be nonnegative"),
        (
            "the root of minus a nonnegative number",
            "x >= 0 |- root(-x, 2) >= 0",
            add_up(1, 3),
            "may not be nonnegative",
        ),
        (
            "an inner denominator in a root",
            "x >= 0 |- root(x/y, 2) >= 0",
            add_up(1, 3),
            "may not be nonzero",
        ),
        (
            "the root of a quotient with a negative denominator",
            "x >= 0; y < 0 |- root(x/y, 2) >= 0",
            add_up(2, 4),
            "may not be nonnegative",
        ),
        (
            "log of a quotient with a negative denominator",
            "x > 0; y < 0 |- log(x/y) <= log(x/y)",
            add_up(2),
            "may not be positive",
        ),
        (
            "log of a quotient with an unknown denominator",
            "x > 0; y != 0 |- log(x/y) <= log(x/y)",
            add_up(1),
            "may not be positive",
        ),
        (
            "a sum of unknown sign in the denominator",
            "x > 0; y != 0 |- 1/(x + y) <= 1/(x + y)",
            add_up(1),
            "may not be nonzero",
        ),
        ("the first factor may be zero", "y > 0 |- 1/(x*y) <= 1/(x*y)", add_up(1), "may not be nonzero"),
        ("a factor of a denominator may be zero", "x > 0 |- 1/(x*y) <= 1/(x*y)", add_up(1), "may not be nonzero"),
        ("the zero power of zero in the denominator", "x >= 0 |- 1/x**2 <= 1/x**2", add_up(1), "may not be nonzero"),
        (
            "a hypothesis with a denominator of unknown sign, taken as positive",
            "1/x <= 1 |- x >= 1",
            add_up(0, 1),
            SUM,
        ),
        ("a negative denominator taken as positive", "x < 0; 1/x >= -1 |- x >= -1", add_up(1, 2), SUM),
        ("!= taken as >", "x != 0; 1/x >= -1 |- x + 1 >= 0", add_up(0, 1), SUM),
        ("the even power of a denominator with a sign", "x < 0; y/x**2 >= 0 |- y <= 0", add_up(1, 2), SUM),
        ("the hypothesis the wrong way round", "x <= 0 |- x >= 0", add_up(0, 1), SUM),
        ("the conclusion as its own hypothesis", "|- x <= 0", add_up(0, 1), "no fact 1"),
        ("a bound on a variable", "x > 0 |- x <= 1", combination(ONE, bounds=[("x", 24)]), "on a constant"),
        ("a lower bound that is attained", "|- x <= 0", combination(("1", [0]), bounds=[("2", 24)]), POSITIVE),
        ("an upper bound that is attained", "|- x <= 0", combination(("1", [1]), bounds=[("2", 24)]), POSITIVE),
        ("too few bits", "|- log(2) <= 1", combination(ONE, bounds=[("log(2)", 15)]), "not a precision"),
        ("too many bits", "|- log(2) <= 1", combination(ONE, bounds=[("log(2)", 1025)]), "not a precision"),
        ("bits as a text", "|- log(2) <= 1", combination(ONE, bounds=[("log(2)", "24")]), "not a precision"),
        ("bits as a float", "|- log(2) <= 1", combination(ONE, bounds=[("log(2)", 24.0)]), "not a precision"),
        ("a bound on log(-1)", "|- 0 <= 1", combination(ONE, bounds=[("log(-1)", 24)]), "not be positive"),
        (
            "a bound that is infinite",
            f"log(({NEAR})**2) <= 0 |- 0 <= 1",
            combination(ONE, bounds=[(f"log(({NEAR})**2)", 16)]),
            "no finite enclosure",
        ),
        ("a bound on log(0)", "|- 0 <= 1", combination(ONE, bounds=[("log(0)", 24)]), "not be positive"),
        ("a bound on 1/0", "|- 0 <= 1", combination(ONE, bounds=[("0/0", 24)]), "not be nonzero"),
        (
            "a bound on the root of -1",
            "|- 0 <= 1",
            combination(ONE, bounds=[("root(-1, 2)", 24)]),
            "not be nonnegative",
        ),
        ("a bound on an enormous number", "|- 0 <= 1", combination(ONE, bounds=[("exp(20000)", 24)]), "too large"),
        (
            "a bound on an infinitesimal number",
            "|- 0 <= 1",
            combination(ONE, bounds=[("exp(-20000)", 24)]),
            "too large",
        ),
        (
            "the upper bound used as the lower",
            "|- log(2) > 69/100",
            combination(("1", [1]), ("1", [2]), (str(LOG_2[0] - Fraction(69, 100)), []), bounds=[("log(2)", 24)]),
            SUM,
        ),
        (
            "the enclosure is not that narrow",
            "|- log(2) <= 6931471/10000000",
            combination(("1", [1]), ("1", [2]), ("1/1000000000", []), bounds=[("log(2)", 16)]),
            SUM,
        ),
        ("a root may be zero", "x >= 0 |- root(x, 2) > 0", add_up(1, 3), POSITIVE),
        (
            "a root of a quotient by a square",
            "x > 0; y >= 0 |- x*root(y/x**2, 2)**2 <= y",
            combination(("1", [4]), equations=[(3, "-1")]),
            SUM,
        ),
        ("a logarithm is not positive", "x > 0 |- log(x) > 0", add_up(0, 1), SUM),
        ("a variable is not positive", "|- x > 0", add_up(0, 1), "no fact 1"),
    ),
    *_rows(
        "clear",
        ("x may be zero", "x >= 0 |- 1/x >= 0", clear(combination(("1", [1]), ONE)), "may not be nonzero"),
        ("the denominator is negative", "x < 0 |- 1/x >= 0", clear(combination(("1", [1]), ONE)), SUM),
        ("the denominator has any sign", "x != 0 |- 1/x >= 0", clear(combination(("1", [0]), ONE)), SUM),
        ("the numerator may be zero", "x > 0; y >= 0 |- y/x > 0", clear(add_up(1, 2)), POSITIVE),
        ("the conclusion is =", "x > 0 |- 1/x == 1/x", clear(add_up(1)), "not an inequality"),
        ("what cancels was undefined", "|- x/x <= 1", clear(TRIVIAL), "may not be nonzero"),
        ("0*log(x)", "|- 0*log(x) <= 0", clear(TRIVIAL), "may not be positive"),
    ),
    *_rows(
        "powers",
        (
            "the start is not the bound",
            "K >= 2 |- K >= 3",
            powers("3", TRIVIAL, combination(("1", [0]), ONE)),
            "not given",
        ),
        ("no bound", "|- K >= 2", powers("2", TRIVIAL, combination(("1", [0]), ONE)), "not given"),
        ("a bound from above", "K <= 2 |- K >= 2", powers("2", TRIVIAL, combination(("1", [0]), ONE)), "not given"),
        (
            "a bound from above, the other way round",
            "2 >= K |- K >= 2",
            powers("2", TRIVIAL, combination(("1", [0]), ONE)),
            "not given",
        ),
        (
            "the bound of another variable",
            "x >= 2 |- K >= 2",
            powers("2", TRIVIAL, combination(("1", [0]), ONE)),
            "not given",
        ),
        ("K != 2 is no bound", "K != 2 |- K >= 2", powers("2", TRIVIAL, combination(("1", [0]), ONE)), "not given"),
        ("2 != K is no bound", "2 != K |- K >= 2", powers("2", TRIVIAL, combination(("1", [0]), ONE)), "not given"),
        ("2 = K is no bound", "2 == K |- K >= 2", powers("2", TRIVIAL, combination(("1", [0]), ONE)), "not given"),
        (
            "the bound of a multiple",
            "2*K >= 2 |- K >= 2",
            powers("2", TRIVIAL, combination(("1", [0]), ONE)),
            "not given",
        ),
        (
            "a hypothesis with the variable in it",
            "K >= 2; x + K >= 2 |- K*x >= 2*x",
            powers("2", add_up(0), combination(("1", [0]), ("1", [1]))),
            "no fact 1",
        ),
        (
            "a hypothesis with the variable inside a logarithm",
            "K >= 2; x + 0*log(K) >= 0 |- K*x >= 2*x",
            powers("2", TRIVIAL, add_up(0, 1)),
            "no fact 1",
        ),
        ("too few parts", "K >= 2 |- K >= 2", powers("2", TRIVIAL), "one part for every coefficient"),
        ("too many parts", "K >= 2 |- K >= 2", powers("2", *[TRIVIAL] * 3), "one part for every coefficient"),
        ("no parts", "K >= 2 |- K**2 >= 5", powers("2"), "one part for every coefficient"),
        ("no parts for what is zero", "K >= 2 |- K < K", powers("2"), "one part for every coefficient"),
        (
            "zero is not strictly positive",
            "K >= 2 |- K > 2",
            powers("2", add_up(0), combination(("1", [0]), ONE)),
            POSITIVE,
        ),
        ("a negative coefficient", "K >= 2 |- 2 - K >= 0", powers("2", TRIVIAL, combination(("1", [0]), ONE)), SUM),
        ("the variable in an exponential", "K >= 2 |- exp(K) >= 0", powers("2", DIRECT), "in an atom"),
        ("the variable in a logarithm", "K >= 2; log(K) <= 9 |- log(K) <= 9", powers("2", DIRECT), "in an atom"),
        ("the variable in a root", "K >= 0 |- root(K, 2) >= 0", powers("0", DIRECT), "in an atom"),
        (
            "a coefficient that may be undefined",
            "K >= 0; K + log(y) >= 0 |- K + log(y) >= 0",
            powers("0", DIRECT, DIRECT),
            "may not be nonzero",
        ),
        ("the denominator may vanish", "K >= 1 |- 1/(K - 1) >= 0", powers("1", TRIVIAL), "may not be nonzero"),
        ("the variable is a number", "K >= 2 |- K >= 2", powers("2", TRIVIAL, TRIVIAL, variable="2"), "not a name"),
        ("the start is not in lowest terms", "K >= 2 |- K >= 2", powers("4/2", TRIVIAL, TRIVIAL), "lowest terms"),
    ),
    *_rows(
        "move",
        (
            "the direction is swapped",
            "x >= 0; x <= 1 |- x**2 <= 1",
            move("down", combination(("2", [0]), ("1", [2])), add_up(0, 1)),
            SUM,
        ),
        ("no such direction", "x <= 1 |- x <= 1", move("left", DIRECT, DIRECT), "up or down"),
        ("no bound on that side", "x >= 0 |- -x <= 1", move("up", DIRECT), "no bound"),
        ("no bound at all", "|- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        ("an equation is no bound", "x == 1 |- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        (
            "a bound with a slope that is not rational",
            "y > 0; x*y <= 1 |- x <= 5",
            move("up", DIRECT, DIRECT),
            "no bound",
        ),
        ("a bound that is not linear", "x**2 <= 1 |- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        ("a bound with a denominator", "y > 0; x/y <= 1 |- x <= 5", move("up", DIRECT, DIRECT), "no bound"),
        ("a bound that is hidden in an atom", "x + exp(x) <= 1 |- x <= 5", move("up", DIRECT, DIRECT), "no bound"),
        ("no end", "x <= 1 |- x <= 1", move("up", DIRECT), "one end for every bound"),
        (
            "lower bounds that are equal",
            "x >= y; x >= z |- (y - z)**2 > 0",
            move("down", combination(("1", [2])), SQUARED_GAP, SQUARED_GAP),
            POSITIVE,
        ),
        (
            "upper bounds that are equal",
            "x <= y; x <= z |- (y - z)**2 > 0",
            move("up", combination(("1", [2])), SQUARED_GAP, SQUARED_GAP),
            POSITIVE,
        ),
        (
            "bounds on both sides that are equal, going down",
            "x >= 0; x <= 0 |- x > 0",
            move("down", DIRECT, contradiction(0)),
            "is not false",
        ),
        (
            "bounds on both sides that are equal, going up",
            "x >= 0; x <= 0 |- x < 0",
            move("up", DIRECT, contradiction(0)),
            "is not false",
        ),
        (
            "one of two ends is missing",
            "x <= y; x <= z; y <= 1 |- x <= 1",
            move("up", DIRECT, add_up(0, 2)),
            "one end for",
        ),
        (
            "the end, were the bound on the other side beyond it",
            "x >= 0; x <= 1 |- x >= 1/2",
            move("down", DIRECT, contradiction(0)),
            "is not false",
        ),
        (
            "the end, were the bound on the other side beyond it, going up",
            "x >= 0; x <= 1 |- x <= 1/2",
            move("up", DIRECT, contradiction(0)),
            "is not false",
        ),
        (
            "the other end is false",
            "x <= y; x <= z; y <= 1 |- y + z - x <= 1",
            move("down", DIRECT, DIRECT),
            "no bound",
        ),
        ("an end too many", "x <= 1 |- x <= 1", move("up", DIRECT, DIRECT, DIRECT), "one end for every bound"),
        ("the end is not below zero", "x <= 1 |- x <= 1/2", move("up", DIRECT, DIRECT), "one side of zero"),
        (
            "the end is only zero and the conclusion strict",
            "x <= 1 |- x < 1",
            move("up", DIRECT, DIRECT),
            "one side of zero",
        ),
        (
            "the slope has the wrong sign somewhere",
            "x >= -1; x <= 1 |- -x**2 <= -1",
            move("up", combination(("2", [0]), ("1", [2])), add_up(1)),
            SUM,
        ),
        (
            "the slope needs a hypothesis that does not hold on the way",
            "x >= -2; x <= 1; x**3 >= 0 |- x**2 <= 1",
            move("up", lemma("x >= 0", combination(("1", [2]), ("1", [3])), DIRECT), add_up(0, 1)),
            "no fact 3|" + SUM,
        ),
        (
            "the end needs a hypothesis on the variable",
            "x <= 1; x**2 >= 4 |- x <= -2",
            move("up", DIRECT, add_up(0, 1)),
            "no fact 1|" + SUM,
        ),
        (
            "a pole between: x != 0 does not hold on the way",
            "x >= -1; x <= 1; x != 0 |- -1/x <= 0",
            move("up", DIRECT, DIRECT),
            "may not be nonzero",
        ),
        (
            "a pole that a bound's relation hides",
            CROSSING,
            move("up", combination(("1", [1]), ONE), combination(("1", [0]), ONE)),
        ),
        (
            "a logarithm that a bound's relation hides",
            "x + 0*log(x) <= 1 |- x <= 1",
            move("up", DIRECT, DIRECT),
            "no bound",
        ),
        (
            "a root that a bound's relation hides",
            "x + 0*root(x, 2) >= 1 |- x >= 1",
            move("down", DIRECT, DIRECT),
            "no bound",
        ),
        ("a pole on the right side of a bound", "1 >= x + 0/(x - 1) |- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        ("log(abs(y - 1)) in the bound", ABSOLUTE, ABSOLUTE_PROOF),
        (
            "the conclusion is not defined on the way",
            "x <= 1 |- 1/x <= 1",
            move("up", DIRECT, DIRECT),
            "may not be nonzero",
        ),
        (
            "an undefined part without a slope",
            "x <= 1 |- x + 0*log(x) <= 1",
            move("up", DIRECT, DIRECT),
            "may not be positive",
        ),
        (
            "the conclusion is not defined at the end",
            "x > 0 |- 0*log(x) - x <= 0",
            move("down", interval(), combination(("1", [0]))),
            "not be positive",
        ),
        (
            "a fact that is not true on the way",
            "x >= 0; x <= 1 |- x <= 1",
            move("up", DIRECT, DIRECT, facts=[("x >= 1", add_up(0, 2))]),
            SUM,
        ),
        (
            "a fact proved from itself",
            "x >= 0; x <= 1 |- x <= 1",
            move("up", DIRECT, DIRECT, facts=[("x >= 1", add_up(2, 3))]),
            "no fact 3",
        ),
        (
            "a fact proved from a hypothesis that does not hold on the way",
            "x <= 1; x**2 >= 4 |- x <= 1",
            move("up", DIRECT, DIRECT, facts=[("x**2 >= 4", add_up(1, 2))]),
            "no fact 2",
        ),
        (
            "the slope is infinite at a root of zero",
            "x >= 0; x <= 1 |- root(x, 2) <= 1",
            move("up", add_up(0), DIRECT),
            "may not be nonzero",
        ),
        ("the variable is no name", "x <= 1 |- x <= 1", move("up", DIRECT, DIRECT, variable="1"), "not a name"),
    ),
    *_rows(
        "exponential",
        ("the rate is zero", "x >= 0 |- exp(-x) <= 1", exponential("0", add_up(1, 2)), "not new"),
        ("the new name is the old one", "x >= 0 |- exp(-x) <= 1", exponential("-1", add_up(1, 2), new="x"), "not new"),
        (
            "the new name is in a hypothesis",
            "x >= 0; u <= -1 |- exp(-x) <= 1",
            exponential("-1", add_up(1, 2)),
            "not new",
        ),
        ("the new name is in the conclusion", "x >= 0 |- exp(-x) <= u", exponential("-1", add_up(1, 2)), "not new"),
        ("the new name is none", "x >= 0 |- exp(-x) <= 1", exponential("-1", add_up(1, 2), new="u v"), "not a name"),
        ("the bound is on the other side", "x <= 0 |- exp(-x) <= 1", exponential("-1", add_up(1, 2)), SUM),
        ("the rate has the other sign", "x >= 0 |- exp(x) <= 1", exponential("1", add_up(1, 2)), SUM),
        ("there is no bound", "|- exp(-x) <= 1", exponential("-1", add_up(1, 2)), "no fact 2|" + SUM),
        ("the bound has a variable", "y >= 0; x >= y |- exp(-x) <= 1", exponential("-1", add_up(1, 2)), SUM),
        ("a nonlinear bound is dropped", "x**3 >= 0 |- exp(-x) <= 1", exponential("-1", add_up(1, 2)), "no fact 2"),
        ("an equation is dropped", "x == 0 |- exp(-x) <= 1", exponential("-1", add_up(1, 2)), "no fact 2"),
        (
            "the bound is attained and the conclusion strict",
            "x >= 0 |- exp(-x) < 1",
            exponential("-1", add_up(1, 2)),
            POSITIVE,
        ),
        ("exp(x) is no power of exp(2 x)", "x <= 0 |- exp(x) <= 1", exponential("2", add_up(1, 2)), SUM),
        ("the logarithm of the new variable", "x >= 2 |- x <= 1", exponential("1", DIRECT), "one side of zero"),
        (
            "the conclusion may be undefined",
            "x >= 0 |- exp(-x)/y <= exp(-x)/y",
            exponential("-1", add_up(2)),
            "may not be nonzero",
        ),
    ),
    *_rows(
        "interval",
        ("the conclusion is strict and its bound attained", "x >= 0; x <= 1 |- x < 1", DIRECT, "one side of zero"),
        ("a strict bound is not narrower", "x >= 0; x < 1 |- x < 1", DIRECT, "one side of zero"),
        ("no bound", "|- x <= 1", DIRECT, "one side of zero"),
        ("a bound on the other side", "x >= 1 |- x <= 1", DIRECT, "one side of zero"),
        ("bounds swapped", "x <= 1; x >= 0 |- x >= 1", DIRECT, "one side of zero"),
        ("a bound that has a variable", "x <= y; y <= 1 |- x <= 1", DIRECT, "one side of zero"),
        ("an equation is no bound", "x == 1 |- x <= 1", DIRECT, "one side of zero"),
        ("x != 1 is no bound", "x != 1 |- x <= 1", DIRECT, "one side of zero"),
        ("log(2) is not that small", "|- log(2) <= 69/100", DIRECT, "one side of zero"),
        ("a rounded bound from below", f"x >= log(2) |- x >= {LOG_2[1]}", interval(24), "one side of zero"),
        ("a rounded bound from above", f"x <= log(2) |- x <= {LOG_2[0]}", interval(24), "one side of zero"),
        ("the box is empty", "x >= 1; x <= 0 |- x <= -5", DIRECT, "box is empty"),
        ("the box is empty in the mean form", "x >= 1; x <= 0 |- x <= -5", MEAN, "box is empty"),
        ("a pole inside", "x >= -1; x <= 3; x != 0 |- 1/x <= 2", DIRECT, "may be zero"),
        ("a pole inside, in the mean form", "x >= -1; x <= 3; x != 0 |- 1/x <= 2", MEAN, "may be"),
        ("an even pole inside", "x >= -1; x <= 3; x != 0 |- 1/x**2 <= 5", DIRECT, "one side of zero"),
        ("an even pole inside, in the mean form", "x >= -1; x <= 3; x != 0 |- 1/x**2 <= 5", MEAN, "may be undefined"),
        ("a pole at an open end", "x > 0; x <= 1 |- 1/x <= 5", DIRECT, "one side of zero"),
        ("a pole at an open end, in the mean form", "x > 0; x <= 1 |- 1/x <= 5", MEAN, "may be undefined"),
        ("a logarithm at an open end, in the mean form", "x > 0; x <= 1 |- log(x) <= 0", MEAN, "may be undefined"),
        ("a root at zero, in the mean form", "x >= 0; x <= 1 |- root(x, 2) <= 2", MEAN, "one side of zero"),
        ("a kink, in the mean form", "x >= -1; x <= 3 |- root(x**2 + 0, 2) <= 1", MEAN, "not be nonnegative"),
        ("1/x where x may be zero", "x >= 0; x <= 1 |- 1/x >= 0", DIRECT, "may not be nonzero"),
        ("x/x where x may be zero", "x >= 0; x <= 1 |- x/x >= 0", DIRECT, "may not be nonzero"),
        ("0/0", "|- 0/0 <= 1", DIRECT, "may not be nonzero"),
        ("0*log(x)", "x >= -1; x <= 1 |- 0*log(x) <= 0", DIRECT, "may not be positive"),
        ("a root where x may be negative", "x >= -1; x <= 1 |- root(x, 2) <= 1", DIRECT, "may not be nonnegative"),
        (
            "a root with an even degree of a negative number",
            "x < 0; x >= -1 |- root(x, 2) <= 1",
            DIRECT,
            "not be nonnegative",
        ),
        ("an odd power of a negative base", "x >= -2; x <= -1 |- x**3 >= -1", DIRECT, "one side of zero"),
        ("an even power across zero", "x >= -2; x <= 1 |- x**2 <= 1", DIRECT, "one side of zero"),
        ("an even power across zero is not positive", "x >= -2; x <= 1 |- x**2 > 0", DIRECT, "one side of zero"),
        ("a constant that may be zero below", "|- 1/(log(4) - 2*log(2)) <= 1", DIRECT, "may not be nonzero"),
        ("log(abs(s)) in a constant bound", f"x <= log({THREE_ROOTS}) |- x <= -2", interval(16)),
        ("the mean form with two variables", "x >= 0; x <= 1; y >= 0; y <= 1 |- x*y <= 1", MEAN, "one variable"),
        ("the mean form with no variable", "|- 0 <= 1", MEAN, "one variable"),
        ("the mean form on an infinite interval", "x >= 0; x > -1 |- 1/(x + 1) <= 1", MEAN, "finite interval"),
        (
            "the mean form and a slope that is too steep",
            "x >= 0; x <= 1 |- x*(1 - x) <= 3/10",
            MEAN,
            "one side of zero",
        ),
        ("the mean form reaches to the ends", "x >= 2/5; x <= 3/5 |- x*(1 - x) <= 53/200", MEAN, "one side of zero"),
        ("the mean form and a strict conclusion", "x >= 1; x <= 1 |- x**2 < 1", MEAN, "one side of zero"),
        ("two bounds of a half", "-1/2*x <= 1; 2*x <= 1 |- x <= 1/3", DIRECT, "one side of zero"),
        ("the mean form of what rises", "x >= 0; x <= 1 |- x <= 3/5", MEAN, "one side of zero"),
        ("the mean form of what falls", "x >= 0; x <= 1 |- x >= 2/5", MEAN, "one side of zero"),
        (
            "the mean form and a middle that is not so low",
            f"x >= 1; x <= 1 |- x*log(2) <= {LOG_2[0]}",
            interval(24, "mean"),
            "one side of zero",
        ),
        ("too few bits", "x <= 1 |- x <= 1", interval(15), "not a precision"),
        ("too many bits", "x <= 1 |- x <= 1", interval(1025), "not a precision"),
        ("true for bits", "x <= 1 |- x <= 1", interval(True), "not a precision"),
        ("no such form", "x <= 1 |- x <= 1", interval(form="Direct"), "not a form"),
        ("the conclusion is =", "|- 1 == 1", DIRECT, "not an inequality"),
        ("the conclusion is !=", "|- 1 != 0", DIRECT, "not an inequality"),
    ),
]


def test_every_rule_has_claims_to_accept_and_to_reject() -> None:
    assert {row.rule for row in ACCEPTED} == {row.rule for row in REJECTED} == set(RULES)


@pytest.mark.parametrize("row", _named(ACCEPTED))
def test_is_accepted(row: Row) -> None:
    check(row.claim, row.proof)


@pytest.mark.parametrize("row", _named(REJECTED))
def test_is_rejected(row: Row) -> None:
    with pytest.raises(Rejected, match=row.says):
        check(row.claim, row.proof)


FIELDS = [pytest.param(row, field, id=f"{row.rule}.{field}, {row.why}") for row in ACCEPTED for field in row.proof]
JUNK = [None, 1.5, math.nan, math.inf, {}, [[]], "\u0661", True, [None], "", "1/0"]


@pytest.mark.parametrize(("row", "field"), FIELDS)
def test_a_field_that_is_missing_renamed_or_of_another_type_is_rejected(row: Row, field: str) -> None:
    rest = {name: value for name, value in row.proof.items() if name != field}
    for proof in (rest, {**rest, field.upper(): row.proof[field]}, {**row.proof, "comment": ""}):
        with pytest.raises(Rejected, match=r"has the fields|names its rule"):
            check(row.claim, proof)
    for junk in JUNK:
        with pytest.raises(Rejected):
            check(row.claim, {**row.proof, field: junk})


@pytest.mark.parametrize(
    "proof", [None, [], "interval", 1, {}, {"rule": None}, {"rule": ["interval"]}, {"rule": "trust"}]
)
def test_a_proof_that_names_no_rule_is_rejected(proof: Any) -> None:
    with pytest.raises(Rejected, match=r"names its rule|no rule"):
        check(claim("|- 0 <= 1"), proof)


@pytest.mark.parametrize(
    "summand",
    [
        *[
            [c, [0], "1"]
            for c in (1, 1.0, True, None, "", "1/0", "2/4", "+1", "1.0", "01", "-0", "0/1", " 1", "1e3", "1\n")
        ],
        *[[c, [0], "1"] for c in ("\u0661", "x", "inf", "nan", "1/-1", "-1", "0", ["1"], "1_0", "0x1", "1/1", "1 /2")],
        *[["1", [index], "1"] for index in (-1, 1, 2, 10**30, True, False, "0", 0.0, None, [0])],
        *[["1", facts, "1"] for facts in (None, 0, "0", {"0": 0}, (0,))],
        *[["1", [0], square] for square in (1, None, "", "1/0", [], ["+"], ["-", "x"], ["^", "x", -1], "x y", {}, 1.0)],
        [],
        ["1", [0]],
        ["1", [0], "1", "1"],
        "100",
        None,
        {"1": [0]},
    ],
    ids=str,
)
def test_a_malformed_summand_is_rejected(summand: Any) -> None:
    with pytest.raises(Rejected):
        check(claim("|- x <= x"), {"rule": "combination", "bounds": [], "summands": [summand], "equations": []})
    check(claim("|- x <= x"), {"rule": "combination", "bounds": [], "summands": [["1", [0], "1"]], "equations": []})


@pytest.mark.parametrize(
    "equation", [[], [0], [0, "1", "1"], "01", None, [True, "1"], [-1, "1"], [2, "1"], [0, 1]], ids=str
)
def test_a_malformed_multiple_of_an_equation_is_rejected(equation: Any) -> None:
    proof = combination(("1", [1]), equations=[(0, "0")])
    check(claim("x == y |- x <= x"), proof)
    with pytest.raises(Rejected):
        check(claim("x == y |- x <= x"), {**proof, "equations": [equation]})


@pytest.mark.parametrize(
    "bound", [[], [["log", "2"]], [["log", "2"], 24, 24], "ab", None, [24, 24], [["log", "2"], None]], ids=str
)
def test_a_malformed_bound_is_rejected(bound: Any) -> None:
    proof = combination(("1", [2]), bounds=[("log(2)", 24)])
    check(claim("|- x <= x"), proof)
    with pytest.raises(Rejected):
        check(claim("|- x <= x"), {**proof, "bounds": [bound]})


@pytest.mark.parametrize(
    "data",
    [
        *[
            1,
            0,
            True,
            None,
            1.5,
            math.nan,
            math.inf,
            {},
            {"+": []},
            [],
            ["+"],
            ["x"],
            ["+", 1],
            [["+"], "x"],
            ["-", "x", "y"],
        ],
        *[
            "",
            "x y",
            "x\n",
            "1x",
            "\u03b1",
            "x\u0661",
            "x-y",
            ".5",
            "1.",
            "--1",
            "1//2",
            "\uff11",
            "x'",
            '"x"',
            "1/2/3",
        ],
        *[["^", "x", n] for n in ("2", 2.0, True, None, 10**4 + 1, -(10**4) - 1, "1/2", [2])],
        *[["root", "x", n] for n in (1, 0, -2, "2", 2.0, True, None, 10**4 + 1)],
        *[
            ["^", "x"],
            ["^", "x", 2, 2],
            ["root", "x"],
            ["root", "x", 2, 2],
            ["exp"],
            ["exp", "x", "y"],
            ["log", "x", "2"],
        ],
        *[["EXP", "x"], ["sqrt", "x"], ["sin", "x"], ["", "x"], [None, "x"], [1, "x"], ["Abs", "x"], ["max", "x", "y"]],
    ],
    ids=repr,
)
def test_a_malformed_term_is_rejected(data: Any) -> None:
    with pytest.raises(Rejected):
        read_term(data)
    with pytest.raises(Rejected):
        Claim.read({"given": [], "then": ["<=", data, "1"]})
    with pytest.raises(Rejected):
        check(claim("x >= 0 |- x >= 0"), {"rule": "cases", "split": data, "below": DIRECT, "above": DIRECT})


@pytest.mark.parametrize(
    "data",
    [
        "x",
        "_",
        "K_2",
        "-3/4",
        "0",
        ["+", "x"],
        ["*", "x", "y", "1/2"],
        ["^", "x", 0],
        ["^", "x", 10**4],
        ["root", "x", 2],
    ],
    ids=repr,
)
def test_a_term_is_written_as_it_was_read(data: Any) -> None:
    assert term_data(read_term(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        *[None, [], {}, {"given": []}, {"then": ["<=", "0", "1"]}, {"given": None, "then": ["<=", "0", "1"]}],
        {"given": [], "then": ["<=", "0", "1"], "because": ""},
        {"given": [["<=", "0", "1"], []], "then": ["<=", "0", "1"]},
        {"given": {"<=": "x"}, "then": ["<=", "0", "1"]},
        *[
            {"given": [], "then": ["<=", "0", "1"], "integers": integers}
            for integers in (None, [], {}, "K", {"K": 1}, 0, False, [1], [["+"]], [""], ["K", None])
        ],
        {"given": [], "integers": ["K"]},
        *[
            {"given": [], "then": then}
            for then in (None, [], ["<="], ["<=", "0"], ["<=", "0", "1", "2"], "<=0", {"<=": 1})
        ],
        *[{"given": [], "then": [sign, "0", "1"]} for sign in ("==", "=<", "", None, ["<="], "\u2264", 0, "< ", "<>")],
    ],
    ids=repr,
)
def test_a_malformed_claim_is_rejected(data: Any) -> None:
    with pytest.raises(Rejected):
        Claim.read(data)


def test_the_integers_of_a_claim_are_read_and_written() -> None:
    data = {"given": [], "then": ["<=", "0", "1"]}
    assert Claim.read(data).data == data
    assert Claim.read(data).integers == ()
    listed = data | {"integers": ["K", ["*", "2", "x"]]}
    assert Claim.read(listed).data == listed
    assert Claim.read(listed).names == {"K", "x"}


@pytest.mark.parametrize("name", ["", "1", "x y", "x\n", "\u03b1", "x.y", None, 1, ["x"], True])
def test_a_malformed_name_is_rejected(name: Any) -> None:
    with pytest.raises(Rejected, match="not a name"):
        read_name(name)


@pytest.mark.parametrize("text", ["0", "-1", "3/4", "-3/4", "1000000000000000000000000000001/3"])
def test_a_rational_is_read_exactly(text: str) -> None:
    assert str(read_rational(text)) == text


def wrapped(**parts: Any) -> dict[str, Any]:
    """A certificate of 0 <= 1 with some parts replaced."""
    data = {
        "format": FORMAT,
        "about": {},
        "claims": [claim("|- 0 <= 1").data],
        "proofs": [combination(("1", [0]), ONE)],
    }
    return data | parts


def deep(levels: int, data: Any = "1", around: Callable[[Any], Any] = lambda inner: ["+", inner]) -> Any:
    for _ in range(levels):
        data = around(data)
    return data


DEEP_TEXTS = {
    "a deep term": '["+",' * 10**5 + '"1"' + "]" * 10**5,
    "a deep object": '{"rule":' * 10**5 + "1" + "}" * 10**5,
    "deep lists that never end": "[" * 10**6,
}


@pytest.mark.parametrize("inner", DEEP_TEXTS.values(), ids=DEEP_TEXTS.keys())
@pytest.mark.parametrize("place", ["about", "claims", "proofs", "refutes"])
def test_text_that_is_nested_beyond_the_recursion_limit_is_rejected(inner: str, place: str) -> None:
    text = json.dumps(wrapped(**{place: "HERE"})).replace('"HERE"', inner)
    with pytest.raises(Rejected):
        replay(read_certificate(text))


@pytest.mark.parametrize(
    "proof",
    [
        deep(3000, DIRECT, lambda inner: weaken([], inner)),
        combination(("1", [0]), ("1", [], "1")) | {"equations": [[0, deep(900)]]},
        combination(ONE) | {"bounds": [[deep(900), 24]]},
        {"rule": "lemma", "relation": ["<=", deep(900), "1"], "proof": DIRECT, "then": DIRECT},
    ],
    ids=["proof", "equation", "bound", "relation"],
)
def test_a_proof_that_is_too_deep_to_check_is_rejected(proof: Any) -> None:
    with pytest.raises(Rejected):
        replay(Certificate({}, (claim("|- 0 <= 1"),), (proof,), None))


CERTIFICATE = json.dumps(wrapped())
PROOF = json.dumps(wrapped(proofs=["HERE"]))
CLAIM = json.dumps(wrapped(claims=["HERE"]))
NO_CERTIFICATES = {
    "empty": "",
    "empty object": "{}",
    "list": "[]",
    "null": "null",
    "NaN": "NaN",
    "a zero byte": "\x00",
    "a byte order mark": "\ufeff" + CERTIFICATE,
    "more after the end": CERTIFICATE + "]",
    "not JSON": CERTIFICATE.replace('"', "'"),
    "proofs twice": CERTIFICATE[:-1] + ',"proofs":[]}',
    "format twice": CERTIFICATE[:-1] + f',"format":"{FORMAT}"}}',
    "a field of a proof twice": PROOF.replace('"HERE"', '{"rule":"interval","bits":32,"bits":16,"form":"direct"}'),
    "a field of a claim twice": CLAIM.replace('"HERE"', '{"given":[],"given":[],"then":["<=","0","1"]}'),
    "NaN bits": PROOF.replace('"HERE"', '{"rule":"interval","bits":NaN,"form":"direct"}'),
    "float bits": PROOF.replace('"HERE"', '{"rule":"interval","bits":32.0,"form":"direct"}'),
    "enormous bits": PROOF.replace('"HERE"', '{"rule":"interval","bits":' + "9" * 5000 + ',"form":"direct"}'),
    "Infinity for a rational": CLAIM.replace('"HERE"', '{"given":[],"then":["<=","0",Infinity]}'),
    "NaN for a rational": CLAIM.replace('"HERE"', '{"given":[],"then":["<=",NaN,"1"]}'),
    "an enormous rational": CLAIM.replace('"HERE"', '{"given":[],"then":["<=","0","' + "9" * 5000 + '"]}'),
    "an enormous exponent": CLAIM.replace('"HERE"', '{"given":[],"then":["<=",["^","x",' + "9" * 40 + '],"1"]}'),
}


@pytest.mark.parametrize("text", NO_CERTIFICATES.values(), ids=NO_CERTIFICATES.keys())
def test_text_that_is_no_certificate_is_rejected(text: str) -> None:
    replay(read_certificate(CERTIFICATE))
    with pytest.raises(Rejected):
        replay(read_certificate(text))


@pytest.mark.parametrize("about", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_not_json_are_rejected_even_where_nothing_is_read(about: str) -> None:
    text = json.dumps(wrapped(about={"value": "HERE"})).replace('"HERE"', about)
    with pytest.raises(Rejected, match="not JSON"):
        read_certificate(text)


@pytest.mark.parametrize(
    "proof",
    [
        combination(("9" * 5000, [0])),
        combination(("1/" + "9" * 5000, [0])),
        {**combination(ONE), "summands": [["1", [], "9" * 5000]]},
        lemma("0 <= 0", DIRECT, DIRECT) | {"relation": ["<=", "0", "9" * 5000]},
        powers("9" * 5000, TRIVIAL),
        cases("x", DIRECT, DIRECT) | {"split": ["+", "x", "-" + "9" * 5000]},
        combination(ONE, bounds=[("exp(3**10000)", 24)]),
        lemma("exp(3**10000) >= 0", DIRECT, DIRECT),
    ],
    ids=["coefficient", "denominator", "square", "relation", "start", "split", "bound", "computed"],
)
def test_numbers_longer_than_python_prints_are_rejected_without_another_error(proof: Any) -> None:
    with pytest.raises(Rejected):
        check(claim("|- x <= x"), proof)


@pytest.mark.parametrize("text", ["|- exp(x**10000) <= 0", "exp(x**10000) >= 0 |- x <= 0", "|- x**10000 <= exp(9)"])
def test_a_refutation_with_numbers_longer_than_python_prints_is_no_other_error(text: str) -> None:
    certificate = Certificate({}, (claim(text),), None, (0, {"x": Fraction(3)}))
    try:
        replay(certificate)
    except Rejected:
        return
    assert text == "|- x**10000 <= exp(9)"


def test_a_kernel_error_names_the_claim() -> None:
    two = wrapped(claims=[claim("|- 0 <= 1").data] * 2, proofs=[combination(("1", [0]), ONE), TRIVIAL])
    with pytest.raises(Rejected, match=r"^claim 2: "):
        replay(read_certificate(json.dumps(two)))


REFUTED = [
    ("a strict failure", "x >= 0 |- x**2 >= x", {"x": "1/2"}),
    ("an inequality that is attained", "|- x < 1", {"x": "1"}),
    ("a hypothesis that is attained", "x >= 1; x <= 1 |- x > 1", {"x": "1"}),
    ("an equation", "x == y |- x == 2*y", {"x": "1", "y": "1"}),
    ("an inequation", "|- x != 0", {"x": "0"}),
    ("a hypothesis !=", "x != 0 |- x > 0", {"x": "-1"}),
    ("a division by zero", "|- 1/x <= 1", {"x": "0"}),
    ("x/x at zero", "|- x/x == 1", {"x": "0"}),
    ("0*log(x) at zero", "|- 0*log(x) <= 0", {"x": "0"}),
    ("a logarithm of a negative number", "|- log(x) <= 5", {"x": "-1"}),
    ("an even root of a negative number", "|- root(x, 2) >= 0", {"x": "-1"}),
    ("an odd root of a negative number", "|- root(x, 3) <= 0", {"x": "-1"}),
    ("a division by what is zero by algebra", "|- 1/(log(4) - 2*log(2)) >= x", {"x": "0"}),
    ("logarithms that are equal by algebra", "|- log(4) != 2*log(2)", {}),
    ("an irrational number", "log(x) <= 1 |- exp(x) <= 7", {"x": "2"}),
    ("a perfect square", "root(x, 2) <= 2 |- x < 4", {"x": "4"}),
    ("a root at zero", "root(x, 2) >= 0 |- x > 0", {"x": "0"}),
    ("a logarithm below one", "|- log(x) < 0", {"x": "2"}),
    ("a logarithm of a small number", "|- log(x) >= 0", {"x": "1/2"}),
    ("a division by a small number", "|- 1/x <= 1", {"x": "1/2"}),
    ("a division by a small negative number", "|- 1/x >= -1", {"x": "-1/2"}),
    ("a hypothesis that divides", "1/x <= 0 |- x > 0", {"x": "-1"}),
    ("a zeroth power at zero", "x**0 == 1 |- x > 0", {"x": "0"}),
    ("a positive power at zero", "x**2 == 0 |- x > 0", {"x": "0"}),
    ("operations on what is negative", "x*x + exp(x) > 0 |- x > 0", {"x": "-1"}),
    ("an integer", "K >= 2 |- K <= 2 for integers K", {"K": "3"}),
    ("a term that is an integer", "|- x <= 0 for integers 2*x; x + 1/2", {"x": "1/2"}),
    ("an integer that is in no relation", "|- x <= 0 for integers T", {"x": "1", "T": "-7"}),
    ("an integer by algebra", "|- x <= 0 for integers log(4)/log(x)", {"x": "2"}),
    ("no integer is asked for", "K >= 2; K <= 3 |- (K - 2)*(3 - K) <= 0", {"K": "5/2"}),
]

NOT_REFUTED = [
    ("the conclusion holds", "x >= 0 |- x**2 >= 0", {"x": "1"}, "conclusion"),
    ("the conclusion is attained", "|- x <= 1", {"x": "1"}, "conclusion"),
    ("x = x", "|- x == x", {"x": "1"}, "conclusion"),
    ("a hypothesis fails", "x >= 0 |- x >= 1", {"x": "-1"}, "hypothesis"),
    ("the second hypothesis fails", "x >= 0; x <= 1 |- x <= 1", {"x": "2"}, "hypothesis"),
    ("a strict hypothesis is only attained", "x > 0 |- x > 1", {"x": "0"}, "hypothesis"),
    ("an equation does not hold", "x == 0 |- x == 1", {"x": "2"}, "hypothesis"),
    ("an inequation does not hold", "x != 0 |- x == 1", {"x": "0"}, "hypothesis"),
    ("a hypothesis is undefined", "1/x != 5 |- x > 0", {"x": "0"}, "hypothesis"),
    ("a hypothesis with 0*log(x) is undefined", "0*log(x) <= 0 |- x > 0", {"x": "-1"}, "hypothesis"),
    ("a hypothesis cancels to truth and is undefined", "x/x == 1 |- x > 0", {"x": "0"}, "hypothesis"),
    ("a hypothesis is uncertain", "root(x, 2)**2 <= 2 |- x < 2", {"x": "2"}, "hypothesis"),
    ("the conclusion is uncertain", "|- root(x, 2)**2 == 2", {"x": "2"}, "conclusion"),
    ("the conclusion !=  is uncertain", "|- root(x, 2)**2 != 2", {"x": "2"}, "conclusion"),
    ("a denominator is uncertain", "|- 1/(root(x, 2)**2 - 2) <= 0", {"x": "2"}, "conclusion"),
    ("a logarithm of something uncertain", "|- log(root(x, 2)**2 - 2) <= 0", {"x": "2"}, "conclusion"),
    ("a root of something uncertain", "|- root(root(x, 2)**2 - 2, 2) < 0", {"x": "2"}, "conclusion"),
    ("a product with zero is defined", "|- x*y <= 1", {"x": "0", "y": "1"}, "conclusion"),
    ("the exponential of zero is defined", "|- exp(x) <= 1", {"x": "0"}, "conclusion"),
    ("a division by a small number is defined", "|- 1/x <= 2", {"x": "1/2"}, "conclusion"),
    ("a division by a small irrational number is defined", "|- 1/log(x) <= 2", {"x": "2"}, "conclusion"),
    ("a root of what may be zero", "|- root(-(root(x, 2)**2 - 2)**2, 2) <= 0", {"x": "2"}, "conclusion"),
    ("a value is missing", "x >= y |- x <= y", {"x": "1"}, "gives a value"),
    ("a value of nothing", "|- x <= 0", {"x": "1", "y": "1"}, "gives a value"),
    ("no values", "|- x <= 0", {}, "gives a value"),
    ("not an integer", "|- (K - 2)*(3 - K) <= 0 for integers K", {"K": "5/2"}, "not certainly an integer"),
    ("the second is not an integer", "|- x <= 0 for integers 2*x; x", {"x": "1/2"}, "not certainly an integer"),
    ("an integer without a value", "|- x <= 0 for integers T", {"x": "1"}, "gives a value"),
    ("an integer that is not defined", "|- x >= 0 for integers 0*root(x, 2)", {"x": "-1"}, "not certainly an integer"),
    ("an irrational number", "|- x <= 0 for integers log(x)", {"x": "2"}, "not certainly an integer"),
    ("an uncertain integer", "|- x <= 0 for integers root(x, 2)**2", {"x": "2"}, "not certainly an integer"),
]


def values(point: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in point.items()}


@pytest.mark.parametrize(("text", "point"), [row[1:] for row in REFUTED], ids=[row[0] for row in REFUTED])
def test_a_point_refutes(text: str, point: dict[str, str]) -> None:
    refute(claim(text), values(point))
    replay(read_certificate(json.dumps(_refutation(text, [0, point]))))


@pytest.mark.parametrize(
    ("text", "point", "says"), [row[1:] for row in NOT_REFUTED], ids=[row[0] for row in NOT_REFUTED]
)
def test_a_point_does_not_refute(text: str, point: dict[str, str], says: str) -> None:
    with pytest.raises(Rejected, match=says):
        refute(claim(text), values(point))
    with pytest.raises(Rejected, match=says):
        replay(read_certificate(json.dumps(_refutation(text, [0, point]))))


def _refutation(text: str, refutes: Any) -> dict[str, Any]:
    data = wrapped(claims=[claim(text).data], refutes=refutes)
    del data["proofs"]
    return data


@pytest.mark.parametrize(
    "refutes",
    [
        *[[index, {"x": "1"}] for index in (1, -1, True, False, "0", 0.0, None)],
        *[[0, {"x": value}] for value in (1, "2/2", "1/0", "+1", "x", None, 1.0, ["1"])],
        *[[0, point] for point in (None, [], ["x", "1"], {"x y": "1"}, {"1": "1"}, {"": "1"})],
        *[[], [0], [0, {"x": "1"}, 0], None, {}, {"0": {"x": "1"}}],
    ],
    ids=str,
)
def test_a_malformed_refutation_is_rejected(refutes: Any) -> None:
    replay(read_certificate(json.dumps(_refutation("|- x <= 0", [0, {"x": "1"}]))))
    with pytest.raises(Rejected):
        replay(read_certificate(json.dumps(_refutation("|- x <= 0", refutes))))


def test_a_certificate_cannot_prove_and_refute() -> None:
    with pytest.raises(Rejected, match="the fields are"):
        read_certificate(json.dumps(wrapped(refutes=[0, {}])))


@pytest.mark.parametrize("sign", SIGNS.values())
@pytest.mark.parametrize("x", [Fraction(-1), Fraction(0), Fraction(1)])
def test_relations_between_numbers_are_decided(sign: str, x: Fraction) -> None:
    truth = {"<=": x <= 0, "<": x < 0, ">=": x >= 0, ">": x > 0, "=": x == 0, "!=": x != 0}[sign]
    assert holds(Relation(sign, "x", Fraction(0)), {"x": x}) is truth
    assert holds(Relation(sign, Fraction(0), x), {}) is holds(Relation(sign, "x", Fraction(0)), {"x": -x})


UNCERTAIN = "(root(2, 2)**2 - 2)"
UNKNOWN: dict[str, bool | None] = dict.fromkeys(SIGNS.values())
POSITIVE_TRUTHS = {"<=": False, "<": False, ">=": True, ">": True, "=": False, "!=": True}
NEGATIVE_TRUTHS = {"<=": True, "<": True, ">=": False, ">": False, "=": False, "!=": True}
IRRATIONAL = [
    ("log(2)", POSITIVE_TRUTHS),
    ("-log(2)", NEGATIVE_TRUTHS),
    ("exp(9)", POSITIVE_TRUTHS),
    ("-exp(9)", NEGATIVE_TRUTHS),
    (UNCERTAIN, UNKNOWN),
    (f"{UNCERTAIN}**2", UNKNOWN | {">=": True}),
    (f"-{UNCERTAIN}**2", UNKNOWN | {"<=": True}),
    (f"log({UNCERTAIN})", UNKNOWN),
    (f"log({UNCERTAIN}**2)", UNKNOWN),
    (f"log(-{UNCERTAIN}**2)", dict.fromkeys(UNKNOWN, False)),
    (f"1/{UNCERTAIN}", UNKNOWN),
    (f"1/{UNCERTAIN}**2", UNKNOWN),
    (f"root({UNCERTAIN}, 2)", UNKNOWN),
    (f"root(-{UNCERTAIN}**2, 2)", UNKNOWN),
    (f"root({UNCERTAIN}**2, 2)", UNKNOWN | {">=": True}),
]


@pytest.mark.parametrize("sign", SIGNS.values())
@pytest.mark.parametrize(("text", "truths"), IRRATIONAL, ids=[row[0] for row in IRRATIONAL])
def test_relations_between_irrational_numbers_are_decided_or_uncertain(
    text: str, truths: dict[str, bool | None], sign: str
) -> None:
    assert holds(Relation(sign, read_term(term(text)), Fraction(0)), {}) is truths[sign]
