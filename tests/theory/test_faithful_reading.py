"""What was read is compared with what is written, at exact points in every piece: a wrong reading is an input error."""

from fractions import Fraction

import pytest
import sympy as sp
from sympy import Abs, Eq, Max, Min, Piecewise, exp, log, sqrt

from gaptron import GapMap, MarginLoss, Parameter, StructuredTheorem, Theorem
from gaptron.door import reading
from gaptron.door.reading import read
from gaptron.guesses import obligations_of
from gaptron.language.expressions import Expression
from gaptron.structured import Classes, SquaredNorm, ZeroOne
from gaptron.symbols import K, T, d, gamma, m, p, z
from gaptron.theory.for_classes import require_faithful
from gaptron.theory.refusals import TheoremError

w = Parameter("w", 1, 4)
WRITTEN = [
    Max(1 - m, 0) ** 2,
    Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)),
    Piecewise((1, m < 0)),
    Piecewise((7, Eq(m, 1)), (Abs(m) + Min(m, 1 / K), True)),
    -log(p, 2),
    log(1 + exp(-z)) / log(2),
    sqrt(m),
    1 / (K - 2),
    K ** sp.Rational(-3, 2) * w,
    gamma / (4 * K * T),
    sp.Integer(3),
    sp.pi * sp.E**m,
    2**m,
]


@pytest.mark.parametrize("expr", WRITTEN, ids=str)
def test_what_is_read_as_it_is_written_is_accepted(expr: sp.Expr) -> None:
    require_faithful(expr, read(expr), "loss")


@pytest.mark.parametrize(
    ("expr", "data"),
    [
        (1 - m, ("+", Fraction(1), "m")),
        (Max(1 - m, 0), ("min", Fraction(0), read(1 - m))),
        (Piecewise((m, m <= 2), (2, True)), ("pieces", ("m", True))),
        (Piecewise((1, m < 9), (2, True)), Fraction(1)),
        (log(p, 2), read(log(p))),
        (exp(m), read(exp(m) * (1 + sp.Rational(1, 10**12)))),
        (sqrt(K), "K"),
        (sp.Integer(2), Fraction(3)),
        (Piecewise((1, m < 0)), Fraction(1)),
        (log(m), ("log", ("abs", "m"))),
    ],
    ids=str,
)
def test_another_reading_is_not(expr: sp.Expr, data: Expression) -> None:
    with pytest.raises(TheoremError, match=r"phi = .* was read as something else"):
        require_faithful(expr, data, "phi")


def test_a_wrong_reader_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A maximum that is read as a minimum, planted in the door itself."""
    loss = Max(1 - sp.Rational(3, 7) * m, 0)
    theorem = Theorem(name="door", loss=MarginLoss(loss), gap_map=GapMap(Max(1 - m, 0)), learning_rate=1 / (4 * K))
    monkeypatch.setitem(reading._READERS, sp.Max, lambda e: ("min", *map(reading._read, e.args)))
    reading.read.cache_clear()
    try:
        with pytest.raises(TheoremError, match="was read as something else"):
            obligations_of(theorem)
    finally:
        monkeypatch.undo()
        reading.read.cache_clear()


def test_equal_parameters_without_a_bound_are_compared() -> None:
    """Sympy puts the terms of a sum in order by what their symbols are made of."""
    one, other = (Parameter("a", low=1) for _ in range(2))
    assert one.compare(other) == 0 != one.compare(Parameter("a", high=1))


def test_the_size_that_sympy_puts_in_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm(), "learning_rate": sp.Rational(1, 4)}
    assert StructuredTheorem(name="size", **parts, coefficient=1 + 1 / d).coefficient == 1 + 1 / K
    subs = sp.Expr.subs
    monkeypatch.setattr(sp.Expr, "subs", lambda self, *values: subs(self, *values) + 1)
    with pytest.raises(TheoremError, match="was read as something else"):
        StructuredTheorem(name="size", **parts, coefficient=1 + 1 / d)
