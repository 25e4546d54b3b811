"""The composer: what makes an argument fail, one change at a time."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from gaptron import Argument, Average, Cases, Cite, Implication, Let, Put, Rounds, TheoremError, Use, When
from gaptron.symbols import K
from gaptron.theory import facts
from gaptron.theory.compose import CompositionError, compose
from gaptron.theory.evident import is_defined, is_evident, leave_nothing_out
from gaptron.theory.words import statement

x, y, z = sp.symbols("x y z", real=True)
size, rounds = sp.symbols("size rounds", nonnegative=True)
rate = sp.symbols("rate", positive=True)
total, term, mean = sp.symbols("total term mean", real=True)


def implication(name: str, given: tuple[Any, ...], then: Any) -> Implication:
    return Implication(name=name, statement=name, given=given, then=then)


first = implication("first", (x >= 1,), x**2 >= 1)
second = implication("second", (x**2 >= 1, sp.Eq(y, 2 * x)), y**2 >= 4)
CHAIN = Argument(
    name="chain",
    setting="A number and its double",
    hypotheses=(x >= 1, sp.Eq(y, 2 * x)),
    steps=(first, second),
    conclusion=y**2 >= 4,
    example={x: 1, y: 2},
)
whole = sp.Symbol("whole", integer=True)
CLASSES = Argument(
    name="classes",
    setting="K classes",
    steps=(implication("at least two", (), sp.Ge(K, 2, evaluate=False)),),
    conclusion=sp.Ge(K, 2, evaluate=False),
    example={K: 2},
)
COUNTS = Argument(
    name="counts",
    setting="A number that is whole",
    hypotheses=(whole > 0,),
    steps=(implication("at least one", (whole > 0,), whole >= 1),),
    conclusion=whole >= 1,
    example={whole: 1},
)
OTHERS: dict[str, tuple[Argument, ...]] = {
    "doc/chain": (CHAIN,), "doc/classes": (CLASSES,), "doc/counts": (COUNTS,),
}  # fmt: skip


def test_a_chain_composes_and_its_statement_is_written() -> None:
    assert compose(CHAIN, {}) == ()
    assert statement(CHAIN) == "A number and its double: y^2 >= 4, if x >= 1; y = 2 x"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"steps": (second,)}, "second: nothing gives"),
        ({"steps": (first,)}, "the conclusion: nothing gives"),
        ({"steps": (first, second, implication("third", (x >= 1,), x >= 0))}, "third is not used"),
        ({"hypotheses": (sp.Eq(y, 2 * x),)}, "first: nothing gives"),
        ({"hypotheses": (x >= 1, sp.Eq(y, 2 * x), z >= 0), "example": {x: 1, y: 2, z: 0}}, "z >= 0 is not used"),
        ({"conclusion": y**2 >= 5}, "the conclusion: nothing gives"),
        ({"conclusion": y**2 > 4}, "the conclusion: nothing gives"),
        ({"example": {x: 0, y: 0}}, "the example is none"),
        ({"example": {x: 1}}, "the example is none"),
    ],
)
def test_a_change_of_the_chain_is_noticed(change: dict[str, Any], said: str) -> None:
    with pytest.raises(CompositionError, match=said):
        compose(replace(CHAIN, **change), {})


def with_step(step: Any, conclusion: Any, hypotheses: tuple[Any, ...] = (), **more: Any) -> Argument:
    return Argument(name="one", setting="one", steps=(step,), conclusion=conclusion, hypotheses=hypotheses, **more)


INSIDE = implication("inside", (x <= 0,), x**3 <= 1)
OUTSIDE = implication("outside", (x > 0,), x**3 <= 1)
ADD = implication("add", (total <= rounds, term <= 1), total + term <= rounds + 1)
STATE = {total: (0, total + term), rounds: (0, rounds + 1)}
TWICE = {total: (0, total + 2 * term)}
E_TERM = {term: mean}
NAMED = {term: "loss", mean: "E[loss]"}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: with_step(Cases({x <= 0: (INSIDE,), x > 1: (OUTSIDE,)}, (x**3 <= 1,)), x**3 <= 1), "leave something"),
        (lambda: with_step(Cases({"y": (), "not z": ()}, (x**3 <= 1,)), x**3 <= 1), "leave something out"),
        (lambda: with_step(Let(x, y), x <= y, (x >= 0,)), "not new"),
        (lambda: with_step(Let(x, 1 / y), z <= y), "divide by 0"),
        (lambda: with_step(Let(size, y), z <= y), "nothing gives y >= 0"),
        (
            lambda: with_step(Put(implication("p", (), sp.Gt(rate, 0, evaluate=False)), {rate: y}), y > 0),
            "nothing gives y > 0",
        ),
        (
            lambda: with_step(Use(facts.SUBGRADIENT, {"f": "f", "g": "g", "x": "x", "u": "u"}), x >= 0),
            "no symbol stands for f",
        ),
        (lambda: with_step(Rounds(total <= rounds, STATE, ADD), total <= rounds), "nothing gives term <= 1"),
        (
            lambda: with_step(Rounds(total <= rounds, STATE | {total: (1, total + term)}, ADD), x >= 0, (term <= 1,)),
            "before the first",
        ),
        (
            lambda: with_step(
                Rounds(total <= rounds, STATE | {total: (0, total + 2 * term)}, ADD), x >= 0, (term <= 1,)
            ),
            "one more",
        ),
        (
            lambda: with_step(Rounds(total <= rounds, STATE, ADD), term <= 1, (term <= 1,)),
            "the conclusion: nothing gives",
        ),
        (
            lambda: with_step(Rounds(total <= rounds, STATE, ADD), total <= rounds, (term <= 1, sp.Eq(rounds, 7))),
            "speaks of the state",
        ),
        (lambda: with_step(Average(term**2 <= 1, E_TERM), x >= 0, (term**2 <= 1,), symbols=NAMED), "not linear"),
        (lambda: with_step(Average(term <= x, E_TERM), x >= 0, (term <= x,), symbols=NAMED), "varies"),
        (lambda: with_step(Average(term <= 1, E_TERM), x >= 0, (term <= 1,)), "does not stand for"),
        (lambda: with_step(Cite("doc/none"), x >= 0), "0 arguments"),
        (lambda: with_step(Cite("doc/chain"), y**2 >= 4), "nothing gives|stands for"),
        (lambda: with_step(Cite("doc/classes", {"K": "rate"}), rate >= 2), "K is not any number"),
        (lambda: with_step(Cite("doc/counts", {"whole": "rate"}), rate >= 1, (rate > 0,)), "whole is not any number"),
        (lambda: with_step(first, x**2 >= 1, (When(x >= 1, (x >= 1,)),)), "first: nothing gives"),
    ],
)
def test_what_a_step_needs_is_asked_for(make: Callable[[], Argument], said: str) -> None:
    with pytest.raises(CompositionError, match=said):
        compose(make(), OTHERS)


def test_cases_rounds_means_definitions_and_citations_compose() -> None:
    cases = with_step(
        Cases({x <= 0: (INSIDE,), x > 0: (OUTSIDE,)}, (x**3 <= 1,)), x**3 <= 1, example={x: 0}
    )  # the composer does not ask whether OUTSIDE is true: that is the kernel's part
    sums = with_step(
        Rounds(total <= rounds, STATE, ADD), total <= rounds, (term <= 1,), example={term: 1, total: 0, rounds: 0}
    )
    means = with_step(Average(term <= 1, E_TERM), mean <= 1, (term <= 1,), symbols=NAMED, example={term: 0, mean: 0})
    cites = with_step(Cite("doc/chain"), y**2 >= 4, (x >= 1, sp.Eq(y, 2 * x)), example={x: 1, y: 2})
    for argument in (cases, sums, means, cites):
        assert compose(argument, OTHERS) == ()


def test_a_setting_holds_no_formula_and_no_two_symbols_stand_for_the_same() -> None:
    with pytest.raises(TheoremError, match="holds a formula"):
        replace(CHAIN, setting="x >= 1")
    with pytest.raises(TheoremError, match="stand for the same"):
        replace(CHAIN, symbols={x: "norm", y: "norm"})


def test_what_is_evident_and_what_is_not() -> None:
    assert is_evident(sp.Ge(rate * size, 0, evaluate=False))
    assert is_evident(sp.Gt(rate**2 + size, 0, evaluate=False))
    assert not is_evident(size > 0)
    assert not is_evident(x >= 0)
    assert not is_evident(rate - size >= 0)
    assert is_defined(1 / (rate + size))
    assert not is_defined(1 / size)
    assert not is_defined(sp.log(x))
    assert leave_nothing_out([x <= 1, x >= 1])
    assert leave_nothing_out([x < 1, sp.Eq(x, 1), x > 1])
    assert not leave_nothing_out([x < 1, x > 1])
    assert not leave_nothing_out([x <= 1, x >= 2])
