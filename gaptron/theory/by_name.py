"""The losses of the documents that have a name, as theorems that are data.

``gaptron.theory.named`` shows them in sympy; a learner waits for none.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation
from gaptron.language.theorems import LossData, TheoremData
from gaptron.system import checks

MULTICLASS = ("logistic", "hinge", "smooth hinge")
BINARY = ("smooth hinge", "squared hinge")


def _pieces(*branches: tuple[str, str], last: str = "0", **values: Expression) -> Expression:
    """(value, condition) of each piece but the last."""
    first = ((formula(value, **values), relation(when, **values)) for value, when in branches)
    return ("pieces", *first, (formula(last), True))


def _of_margin(phi: Expression) -> LossData:
    return LossData("MarginLoss", "m", (phi,))


SHORTFALL: Expression = ("max", Fraction(0), formula("1 - m"))
HINGE = _of_margin(SHORTFALL)
SQUARED_HINGE = _of_margin(("^", SHORTFALL, 2))
SQUARED_MAP = formula("(1 - clipped)**2", clipped=("min", Fraction(1), "m"))
SIDES = {
    "smooth hinge": (
        _pieces(("1 - 2*z", "z <= 0"), ("(1 - z)**2", "z < 1")),
        _pieces(("1 + 2*z", "z >= 0"), ("(1 + z)**2", "z > -1")),
    ),
    "squared hinge": (_pieces(("(1 - z)**2", "z < 1")), _pieces(("(1 + z)**2", "z > -1"))),
}


@cache
def theorem(name: str) -> TheoremData:
    """Theorems 1-3 of van der Hoeven 2020."""
    return _THEOREMS[checks.choice(name, "loss", MULTICLASS)]


@cache
def proximal_theorem(name: str) -> TheoremData:
    """The same losses, that of the hinge in every round, with the constants that no algorithm beats.

    The logistic one is 0.18645264, the true number rounded upwards.
    """
    loss = replace(theorem(name).loss, off_above=None)
    c = {"logistic": Fraction(18645264, 10**8), "hinge": formula("K**2/(4*(K - 1))"), "smooth hinge": "K"}[name]
    return _proximal(name, loss, c)


@cache
def abstaining_theorem(name: str, cost: Fraction) -> TheoremData:
    """The same with the rates of ``proofs/slides/abstention_losses.py``, where abstaining costs less than a mistake."""
    given, left = theorem(name), 1 - cost
    beta = left / (1 + left)
    c = {"logistic": formula("1/(left*log(2))", left=left), "hinge": 1 / (2 * beta), "smooth hinge": 2 / left}[name]
    changed = replace(given, learning_rate=formula("1/(2*c)", c=c), regret=c)
    if given.loss.off_above is None:
        return changed
    return replace(changed, loss=replace(given.loss, off_above=beta), gap_map=_shortfall_below(beta))


@cache
def binary_theorem(name: str) -> TheoremData:
    """The blog's Example 2: a is the loss of the predicted label, eta = 1/(4 R^2)."""
    loss = LossData("BinaryLoss", "z", SIDES[checks.choice(name, "loss", BINARY)])
    return TheoremData(
        name=name, loss=loss, gap_map=SQUARED_MAP, learning_rate=Fraction(1, 4), regret=Fraction(2), last=2
    )


@cache
def binary_proximal_theorem(name: str) -> TheoremData:
    """The same losses with the constant that no algorithm beats: 1/2 <= (1 - z)^2 + c z^2 for all z."""
    return replace(_proximal(name, binary_theorem(name).loss, Fraction(1)), last=2)


@cache
def unclipped_quadratic(eta: Fraction) -> LossData:
    """1 - 2 m/(2 - eta) + eta m^2/(2 - eta), eta in [0, 1] (Beygelzimer, Orabona, Zhang 2017, equation (2))."""
    if not 0 <= eta <= 1:
        raise ValueError(f"eta = {eta} is not a number in [0, 1]")
    return _of_margin(formula("(1 - m)*(1 - share*m)", share=Fraction(eta) / (2 - Fraction(eta))))


@cache
def quadratic_loss(eta: Fraction) -> LossData:
    """The same for m <= 1, and 0 above (equations (2) and (3)): the hinge loss at 0, its square at 1."""
    return _of_margin(_pieces(("quadratic", "m <= 1"), quadratic=unclipped_quadratic(eta).functions[0]))


def _proximal(name: str, loss: LossData, c: Expression) -> TheoremData:
    rate = formula("1/(2*c)", c=c)
    return TheoremData(
        name=f"{name}, proximal", loss=loss, learning_rate=rate, regret=c, decoder="best", update="proximal"
    )


def _shortfall_below(beta: Expression) -> Expression:
    return _pieces(("1 - m", "m <= beta"), beta=beta)


_THEOREMS = {
    "logistic": TheoremData(
        name="logistic",
        loss=LossData("SoftmaxLoss", "p", (formula("-(1/log(2))*log(p)"),)),  # equation (1)
        gap_map=_pieces(("1 - p", "p >= 1/2"), last="1"),
        learning_rate=formula("1/(2*K)*log(2)"),
        regret=formula("K/log(2)"),
    ),
    "hinge": TheoremData(
        name="hinge",
        loss=replace(HINGE, off_above=formula("1/K")),  # equation (2)
        gap_map=_shortfall_below(formula("1/K")),
        learning_rate=formula("1/K*(1 - 1/K)"),
        regret=formula("K**2/(2*(K - 1))"),
    ),
    "smooth hinge": TheoremData(
        name="smooth hinge",
        loss=_of_margin(_pieces(("1 - 2*m", "m <= 0"), ("(1 - m)**2", "m < 1"))),  # equation (3), truncated at margin 1
        gap_map=SQUARED_MAP,
        learning_rate=formula("1/(4*K)"),
        regret=formula("2*K"),
    ),
}
