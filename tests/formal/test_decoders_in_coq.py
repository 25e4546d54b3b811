"""Theorem files with the best decoder in Coq: what follows, and what is refused where."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import REPOSITORY
from sympy import Max, Piecewise, Rational, exp, log
from test_whole_theorems import Proved, proved, refuse_other_data, without_claims

from gaptron import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.coq.development import development
from gaptron.coq.formal import printed_statement, read
from gaptron.coq.library import ALLOWED, compiled
from gaptron.coq.reader import DifferentError, compare
from gaptron.symbols import K, m, p, z
from gaptron.theory.files import load
from gaptron.theory.theorem import Theorem

pytestmark = [pytest.mark.slow, pytest.mark.coq]

SQUARED = Theorem(
    name="squared hinge, best decoder",
    loss=MarginLoss(Max(1 - m, 0) ** 2),
    decoder="best",
    learning_rate=1 / (4 * K),
    regret=2 * K,
)


OFF = Theorem(
    name="hinge, best decoder, rounds that are off",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    decoder="best",
    learning_rate=Piecewise((1 / K, K <= 3), (1 / (2 * K), True)),
    regret=K,
)
TIED = Theorem(
    name="logistic loss of the margin, best decoder",
    loss=MarginLoss(2 * log(1 + exp(-m), 2), off_above=Rational(1, 2)),
    decoder="best",
    learning_rate=log(2) ** 2 / 16,
    regret=8 / log(2) ** 2,
    classes=2,
)
SIGN = Theorem(
    name="logistic loss of one vector, best decoder",
    loss=BinaryLoss(log(1 + exp(-z), 2), log(1 + exp(z), 2)),
    decoder="best",
    learning_rate=log(2) ** 2,
    regret=1 / (2 * log(2) ** 2),
)
LN2 = log(2)
PIECES = Theorem(
    name="logistic, best decoder, slower for many classes",
    loss=SoftmaxLoss(-log(p, 2)),
    decoder="best",
    learning_rate=Piecewise((2 * LN2**2, K <= 3), (LN2**2, True)),
    regret=Piecewise((1 / (4 * LN2**2), K <= 3), (1 / (2 * LN2**2), True)),
)


def theorem_of(file: str, name: str) -> Theorem:
    (found,) = (statement.item for statement in load(REPOSITORY / file) if statement.item.name == name)
    assert isinstance(found, Theorem)
    return found


CHECKED = {
    "margins": lambda: SQUARED,
    "rounds that are off": lambda: OFF,
    "tied labels": lambda: TIED,
    "labels of one vector": lambda: SIGN,
    "probabilities": lambda: theorem_of("proofs/new/logistic_best_decoder.py", "logistic, best decoder"),
    "a rate in pieces": lambda: PIECES,
}
SAID = {
    "margins": "(decoding K K d (of_scores d (of_margin K (phi (INR K))))) X",
    "rounds that are off": (
        "(decoding_switched K K d (of_scores d (of_margin K (phi (INR K)))) (Some (threshold (INR K)))) X"
    ),
    "tied labels": ("(decoding_switched K K d (of_scores d (of_margin K (phi (INR K)))) (Some (threshold (INR K)))) X"),
    "labels of one vector": "(decoding 2 1 d (of_scores d (of_sign (plus (INR 2)) (minus (INR 2))))) X",
    "probabilities": "(decoding K K d (of_scores d (of_softmax K (psi (INR K))))) X",
    "a rate in pieces": "(decoding K K d (of_scores d (of_softmax K (psi (INR K))))) X",
}
Compiled = tuple[Proved, Path]


@pytest.fixture(scope="module", params=CHECKED)
def certified(request: pytest.FixtureRequest, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """A theorem with its certificates, and the folder in which its claims are compiled."""
    found = proved(CHECKED[request.param]())
    folder = tmp_path_factory.mktemp("decoder")
    name, text = next(iter(development(*found).files.items()))
    compiled({name: text}, folder, library)
    return found, folder


def kind(theorem: Theorem) -> str:
    """Its key."""
    return next(name for name, found in CHECKED.items() if found().name == theorem.name)


def test_a_theorem_file_becomes_a_whole_theorem(certified: Compiled, library: Path) -> None:
    (theorem, certificates), folder = certified
    whole = development(theorem, certificates)
    found = read(whole, compiled(without_claims(whole), folder, library))
    assert set(found.axioms) <= set(ALLOWED.values())
    assert SAID[kind(theorem)] in found.statement
    assert compare(theorem, [*whole.files.values()], found.statement) > 40


Change = Callable[[Theorem], Theorem]
OTHERS: dict[str, dict[str, Change]] = {
    "margins": {
        "a learning rate times 101/100": lambda one: replace(one, learning_rate=101 / (400 * K)),
        "a regret times 99/100": lambda one: replace(one, regret=99 * K / 50),
    },
    "rounds that are off": {
        "a smaller threshold": lambda one: replace(one, loss=MarginLoss(one.loss.phi, off_above=99 / (100 * K))),
        "a regret times 99/100": lambda one: replace(one, regret=99 * K / 100),
    },
    "tied labels": {
        "twenty times the learning rate": lambda one: replace(one, learning_rate=5 * log(2) ** 2 / 4),
        "a regret times 99/100": lambda one: replace(one, regret=792 / (100 * log(2) ** 2)),
    },
    "labels of one vector": {
        "five times the learning rate": lambda one: replace(one, learning_rate=5 * log(2) ** 2),
        "a regret times 99/100": lambda one: replace(one, regret=99 / (200 * log(2) ** 2)),
    },
    "probabilities": {
        "a learning rate times 101/100": lambda one: replace(one, learning_rate=101 * log(2) ** 2 / 50),
        "a regret times 99/100": lambda one: replace(one, regret=99 / (400 * log(2) ** 2)),
    },
    "a rate in pieces": {
        "a rate of few classes times 101/100": lambda one: replace(
            one, learning_rate=Piecewise((101 * LN2**2 / 50, K <= 3), (LN2**2, True))
        ),
        "a regret of many classes times 99/100": lambda one: replace(
            one, regret=Piecewise((1 / (4 * LN2**2), K <= 3), (99 / (200 * LN2**2), True))
        ),
    },
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("number", range(2))
def test_a_theorem_is_no_other_than_that_of_its_claims(number: int, certified: Compiled, library: Path) -> None:
    found, folder = certified
    theorem, _ = found
    change = [*OTHERS[kind(theorem)].values()][number]
    refuse_other_data(found, change(theorem), folder, library, "conditions")


STATED = "decoding_switched K K d (of_scores d (of_margin K (phi (INR K)))) (Some (threshold (INR K)))"
DIFFERENCES = {
    "no round is off": (STATED, STATED.replace("(Some (threshold (INR K)))", "None"), "a constant is no function"),
    "no threshold": (STATED, STATED.replace("_switched", "").rpartition(" (Some")[0], "of another game"),
    "two thresholds": (STATED, f"{STATED} None", "no round is off"),
    "the rate as threshold": ("(Some (threshold", "(Some (rate", "the threshold at"),
    "another threshold": ("R :=\n  (/ v_K).", "R :=\n  (/ (v_K + 1)).", "the threshold at"),
    "one vector": (STATED, STATED.replace("K K d", "K 1 d"), "of another game"),
}


@pytest.mark.parametrize(("old", "new", "says"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_a_planted_difference_is_found(old: str, new: str, says: str) -> None:
    whole = development(*proved(OFF))
    assert compare(OFF, [*whole.files.values()], printed_statement(whole)) > 40
    files = {name: text.replace(old, new) for name, text in whole.files.items()}
    assert files != whole.files
    with pytest.raises(DifferentError, match=says):
        compare(OFF, [*files.values()], printed_statement(replace(whole, files=files)))
