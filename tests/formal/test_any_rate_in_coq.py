"""Bandit feedback at any learning rate, of losses of a margin and of a probability."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Max, Min, Piecewise, Rational, log, sqrt
from test_whole_theorems import (
    UNCERTIFIED,
    Control,
    Proved,
    compiled_claims,
    follows_or_is_refused,
    lemma_at,
    only,
    proved,
)

from gaptron import GapMap, MarginLoss, SoftmaxLoss
from gaptron.coq.development import development, module_of
from gaptron.coq.formal import asked, read
from gaptron.coq.library import RefusedError, compiled
from gaptron.coq.proved import Claims
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.theorem_kinds import MarginMap
from gaptron.symbols import D, K, T, X, gamma, m, p
from gaptron.theory.theorem import Theorem

HALF = Rational(1, 2)
HINGE = MarginLoss(Max(1 - m, 0), off_above=HALF)
SURE = GapMap(Piecewise((1 - m, m <= HALF), (0, True)))
LOGISTIC, HALVED = SoftmaxLoss(-log(p, 2)), GapMap(Piecewise((1 - p, p >= HALF), (1, True)))
SQUARED, SQUARES = MarginLoss(Max(1 - m, 0) ** 2), GapMap(Max(1 - m, 0) ** 2)


def of(
    name: str, loss: MarginLoss | SoftmaxLoss, gap_map: GapMap, explored: object, rate: object, regret: object
) -> Theorem:
    """A theorem with bandit feedback."""
    rates = {"exploration": explored, "learning_rate": rate, "regret": regret}
    return Theorem(name=name, loss=loss, gap_map=gap_map, feedback="bandit", **rates)


AT_ANY_RATE = {
    one.name: one
    for one in (
        of(
            "threshold one half",
            HINGE,
            SURE,
            Min(HALF, 2 / K, X * D * sqrt(K / T)),
            gamma / (2 * K * X**2),
            2 * X * D * sqrt(K * T) + K * (K + 2) * X**2 * D**2,
        ),
        of(
            "a square of gamma",
            SQUARED,
            SQUARES,
            Rational(1, 4),
            gamma**2 / (8 * K**2 * X**2),
            64 * K**2 * X**2 * D**2 + T / 4,
        ),
        of(
            "logistic, a square of gamma",
            LOGISTIC,
            HALVED,
            HALF,
            gamma**2 * log(2) / (8 * K**2 * X**2),
            32 * K**2 * X**2 * D**2 / log(2) + T / 2,
        ),
        of("no gamma, and T", SQUARED, SQUARES, HALF, 1 / (16 * K**2 * X**2 * (1 + T)), T),
        of("X and D apart", SQUARED, SQUARES, Min(1, D / sqrt(T)), gamma**2 / (8 * K**2 * X**2 * (1 + X**2)), T),
    )
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("theorem", AT_ANY_RATE.values(), ids=AT_ANY_RATE)
def test_coq_accepts_other_rates(theorem: Theorem, library: Path, tmp_path: Path) -> None:
    whole = development(*proved(theorem))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    texts = [*whole.files.values()]
    kind = "margin" if isinstance(theorem.loss, MarginLoss) else "softmax"
    assert f"(bandit K d ({kind}_loss" in found.statement
    assert compare(theorem, texts, found.statement) > 50
    for other in (
        replace(theorem, learning_rate=theorem.learning_rate * 101 / 100),
        replace(theorem, regret=theorem.regret * 100 / 101),
        replace(theorem, exploration=theorem.exploration / 2),
        replace(theorem, classes=range(2, 100)),
    ):
        with pytest.raises(DifferentError):
            compare(other, texts, found.statement)


@pytest.fixture(scope="module")
def half() -> Proved:
    """The hinge loss with the threshold 1/2, with its certificates."""
    return proved(AT_ANY_RATE["threshold one half"])


@pytest.fixture(scope="module")
def half_claims(half: Proved, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its claims, compiled: a folder."""
    return compiled_claims(half, library, tmp_path_factory.mktemp("half"))


CONTROLS = {
    "a rate times 101/100": (
        lambda it: replace(it, learning_rate=it.learning_rate * 101 / 100), "", "", UNCERTIFIED
    ),
    "a smaller cost of exploring": (lambda it: it, "* (v_K - 1) / v_K).", "* (v_K - 2) / v_K).", "conditions"),
    "more exploration": (lambda it: replace(it, exploration=it.exploration + 1), "", "", "explores"),
    "a smaller constant": (lambda it: replace(it, regret=it.regret - X**2 * D**2), "", "", "pays"),
    "a premise less": (lambda it: it, "0 < X -> 0 < D -> (1 <= T)", "0 < X -> (1 <= T)", "whole"),
}  # fmt: skip
LEMMAS = ("explores", "pays", "steps", "conditions")


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_no_other_theorem_follows_from_its_claims(
    control: Control, half: Proved, library: Path, half_claims: Path
) -> None:
    follows_or_is_refused(control, LEMMAS, half, library, half_claims)


OTHERS: dict[str, Callable[[Theorem], Theorem]] = {
    "a rate times 101/100": lambda it: replace(it, learning_rate=it.learning_rate * 101 / 100),
    "a smaller loss": lambda it: replace(it, loss=MarginLoss(it.loss.phi * Rational(99, 100), off_above=HALF)),
    "a larger threshold": lambda it: replace(it, loss=MarginLoss(it.loss.phi, off_above=1)),
    "another gap map": lambda it: replace(it, gap_map=SQUARES),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
def test_a_theorem_is_no_other_than_that_of_its_data(half: Proved, library: Path, half_claims: Path) -> None:
    file = f"{module_of(half[0].name)}.v"

    def conditions_of(theorem: Theorem) -> str:
        return only(MarginMap(theorem, Claims(), file.removesuffix(".v")).text(), ("conditions",))

    compiled({file: conditions_of(half[0])}, half_claims, library)
    for changed in OTHERS.values():
        text = conditions_of(changed(half[0]))
        with pytest.raises(RefusedError) as error:
            compiled({file: text}, half_claims, library)
        assert lemma_at(text, error.value.line) == "conditions"
