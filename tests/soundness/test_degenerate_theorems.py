"""Degenerate theorem files, generated from seeds: nothing false is PROVED, nothing true is REFUTED.

The oracle reads a description of our own, never the file or a sympy expression, and decides by exact points; see
``degenerate``. A failure shows the seed, what was done to a true theorem, the oracle's violation and the file.
``python -m degenerate.attempt SEED`` in this folder repeats one.
"""

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from degenerate.attempt import FALSE, TRUE, Tried, attempts, table
from degenerate.bases import COMMON, LESS_COMMON, RARE, hinge, smooth_hinge, squared_hinge
from degenerate.decide import PROVED
from degenerate.describe import TRUE as OTHERWISE
from degenerate.describe import Description, K, Range, function, literal, m, name, node, piecewise
from degenerate.evaluate import UndefinedError, UnsureError, value
from degenerate.generate import generate
from degenerate.oracle import violation
from degenerate.write import theorem_file

from gaptron import symbols
from gaptron.theory.files import FileError, load

FILES, SHARE = 10_000, 500
FEW = 16
SHOWN, SMALL = 20, 50
MILLIONTH = Fraction(1, 10**6)


def judged(tried: list[Tried]) -> None:
    print("\n" + table(tried))
    wrong = [found for found in tried if found.is_wrong]
    report = f"{len(wrong)} of {len(tried)} wrong:\n" + "\n".join(map(str, wrong[:SHOWN]))
    assert not wrong, report


@pytest.mark.slow
def test_some_degenerate_files_are_judged_rightly() -> None:
    tried = attempts(range(FEW), SMALL)
    judged(tried)
    assert {TRUE, FALSE} <= {found.oracle for found in tried}
    assert any(found.verdict == PROVED for found in tried)


@pytest.mark.slow
@pytest.mark.one_in(20)
@pytest.mark.parametrize("first", range(1000, 1000 + FILES, SHARE))
def test_thousands_of_degenerate_files_are_judged_rightly(first: int) -> None:
    tried = attempts(range(first, first + SHARE))
    judged(tried)
    for oracle in (TRUE, FALSE):
        assert sum(found.oracle == oracle for found in tried) > SHARE / 4
    assert sum(found.verdict == PROVED for found in tried) > SHARE / 50


def test_a_branch_that_is_not_real_and_not_read() -> None:
    judged(attempts([5335]))


def test_the_same_seed_gives_the_same_file() -> None:
    for seed in range(50):
        assert theorem_file(generate(seed).described) == theorem_file(generate(seed).described)


# --- the oracle and the writer -------------------------------------------------------------------------------------


@pytest.mark.parametrize("described", [*COMMON, *(pytest.param(d, marks=pytest.mark.slow) for d in LESS_COMMON + RARE)])
def test_the_oracle_finds_nothing_against_a_true_theorem(described: Description) -> None:
    assert violation(described) is None


def at(place: object) -> object:
    return function("Eq", m, place)


HALVED = piecewise((squared_hinge.loss / 2, function("Eq", K, 2)), (squared_hinge.loss, K >= 3))
SQRT = function("sqrt", 1000 - K)


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("described", "what"),
    [
        (replace(smooth_hinge, learning_rate=(1 + MILLIONTH) / (4 * K), regret=None), "gap is positive"),
        (replace(smooth_hinge, learning_rate=1 / (4 * K) + function("Max", 0, K - 999) / 10**9), "gap is positive"),
        (replace(smooth_hinge, learning_rate=literal("0.12500000000000044"), classes=2), "gap is positive"),
        (replace(squared_hinge, loss=HALVED), "gap is positive"),
        (replace(smooth_hinge, gap_map=piecewise((0, at(0)), (smooth_hinge.gap_map, OTHERWISE))), "gap is positive"),
        (replace(hinge, off_above=node(1)), "gap is positive"),
        (replace(smooth_hinge, off_above=1 + SQRT), "off_above is undefined"),
        (replace(smooth_hinge, regret=2 * K + SQRT), "regret is undefined"),
        (replace(smooth_hinge, learning_rate=piecewise((1 / (4 * K), K <= 100))), "learning_rate is undefined"),
        (replace(smooth_hinge, regret=2 * K - MILLIONTH), "regret is less"),
        (replace(smooth_hinge, learning_rate=1 / (4 * K) - K / 10**9, regret=None), "not positive"),
        (replace(smooth_hinge, loss=smooth_hinge.loss - literal("1e-12")), "negative"),
        (replace(smooth_hinge, loss=smooth_hinge.loss + function("Max", m - 2, 0) / 9, classes=3), "increases"),
        (replace(smooth_hinge, loss=smooth_hinge.loss + function("Min", m, 0) + 9, classes=2), "not convex"),
        (replace(smooth_hinge, loss=piecewise((2, at(0)), (smooth_hinge.loss, OTHERWISE)), classes=2), "not convex"),
        (replace(smooth_hinge, loss=piecewise((smooth_hinge.loss, function("Ne", m, 1)))), "loss is undefined"),
        (
            replace(smooth_hinge, loss=piecewise((0, function("sqrt", m) < 0), (smooth_hinge.loss, OTHERWISE))),
            "loss is undefined",
        ),
        (replace(smooth_hinge, gap_map=smooth_hinge.gap_map * (1 + MILLIONTH)), "not in [0, 1]"),
        (
            replace(
                smooth_hinge,
                learning_rate=name("a") / (4 * K),
                regret=None,
                parameters=(Range("a", "w", node(2), node(2)), Range("b", "w", node(1), node(1))),
            ),
            "gap is positive",
        ),
    ],
)
def test_the_oracle_finds_what_is_wrong(described: Description, what: str) -> None:
    found = violation(described)
    assert found is not None
    assert what in str(found)


@pytest.mark.slow
def test_a_file_means_what_its_description_says(tmp_path: Path) -> None:
    """The expressions of the loaded theorem have the oracle's values, up to the digits that are lost in floats."""
    rng, compared = random.Random(0), 0
    for seed in range(100, 125):
        described = generate(seed).described
        file = tmp_path / "degenerate.py"
        file.write_text(theorem_file(described))
        try:
            theorem = load(file)[0].item
        except FileError:
            continue
        loaded = {a: getattr(theorem, a) for a in ("learning_rate", "regret", "abstention_cost")}
        loaded |= {"gap_map": theorem.gap_map.expression, "off_above": getattr(theorem.loss, "off_above", None)}
        loaded["loss"] = next(getattr(theorem.loss, a) for a in ("phi", "psi", "plus") if hasattr(theorem.loss, a))
        for argument, tree in described.expressions().items():
            if argument != "minus":
                compared += sum(agree(tree, loaded[argument], theorem, described, rng) for _ in range(3))
    assert compared > 150


def agree(tree: object, expression: sp.Expr, theorem: object, described: Description, rng: random.Random) -> bool:
    """Whether the two were compared at a random point, at which they agree."""
    point = {"K": Fraction(rng.choice((2, 3, 4, 100, 101))), "p": Fraction(rng.randint(1, 15), 16)}
    point |= dict.fromkeys("mz", Fraction(rng.randint(-16, 16), 8))
    given = {getattr(symbols, symbol): sp.Rational(number) for symbol, number in point.items()}
    for parameter in described.parameters:
        low, high = (None if end is None else end.parts[1] for end in (parameter.low, parameter.high))
        point[parameter.variable] = low if low is not None else Fraction(1) if high is None else high
        for own in theorem.parameters:
            if (own.name, own.low, own.high) == (parameter.label, low, high):
                given[own] = sp.Rational(point[parameter.variable])
    try:
        expected = value(tree, point)
        found = expression.subs(given)
    except (UndefinedError, UnsureError, TypeError):
        return False
    assert float(found) == pytest.approx(float(expected), rel=1e-9, abs=1e-15), (tree, point)
    return True
