"""Theorem files with the best decoder and with proximal updates in Coq: what follows, and what is refused where."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import REPOSITORY
from sympy import Max, log
from test_whole_theorems import Proved, lemma_at, proved, without_claims

from gaptron import MarginLoss
from gaptron.coq.compiler import RefusedError, compiled
from gaptron.coq.development import development
from gaptron.coq.formal import read
from gaptron.coq.library import ALLOWED
from gaptron.coq.reader import compare
from gaptron.symbols import K, m
from gaptron.theory.files import load
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem

pytestmark = [pytest.mark.slow, pytest.mark.coq]

SQUARED = Theorem(
    name="squared hinge, best decoder",
    loss=MarginLoss(Max(1 - m, 0) ** 2),
    decoder="best",
    learning_rate=1 / (4 * K),
    regret=2 * K,
)


def theorem_of(file: str, name: str) -> Theorem:
    (found,) = (statement.item for statement in load(REPOSITORY / file) if statement.item.name == name)
    assert isinstance(found, Theorem)
    return found


CHECKED = {
    "margins": lambda: SQUARED,
    "probabilities": lambda: theorem_of("proofs/new/logistic_best_decoder.py", "logistic, best decoder"),
    "all algorithms": lambda: theorem_of("examples/optimal_constants.py", "smooth hinge, proximal"),
}
SAID = {
    "margins": "decoder_guarantee K K d (of_scores d (of_margin K (phi (INR K)))) X",
    "probabilities": "decoder_guarantee K K d (of_scores d (of_softmax K (psi (INR K)))) X",
    "all algorithms": "attainable (classification K K (of_margin K (phi (INR K)))) X 1 (regret (INR K))",
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
    if theorem.update == "proximal":
        return "all algorithms"
    return "probabilities" if isinstance(theorem.loss, SoftmaxLoss) else "margins"


def test_a_theorem_file_becomes_a_whole_theorem(certified: Compiled, library: Path) -> None:
    (theorem, certificates), folder = certified
    whole = development(theorem, certificates)
    found = read(whole, compiled(without_claims(whole), folder, library))
    assert set(found.axioms) <= set(ALLOWED.values())
    assert SAID[kind(theorem)] in found.statement
    assert compare(theorem, [*whole.files.values()], found.statement) > 50


Change = Callable[[Theorem], Theorem]
OTHERS: dict[str, dict[str, tuple[Change, str]]] = {
    "margins": {
        "a learning rate times 101/100": (lambda one: replace(one, learning_rate=101 / (400 * K)), "needs"),
        "a regret times 99/100": (lambda one: replace(one, regret=99 * K / 50), "conditions"),
    },
    "probabilities": {
        "a regret times 99/100": (lambda one: replace(one, regret=99 / (400 * log(2) ** 2)), "conditions"),
        "a learning rate times 101/100": (
            lambda one: replace(one, learning_rate=101 * log(2) ** 2 / 50),
            "need_below_tangents_here",
        ),
    },
    "all algorithms": {
        "a constant times 99/100": (lambda one: replace(one, regret=99 * K / 100), "criterion"),
        "half the loss": (lambda one: replace(one, loss=MarginLoss(one.loss.phi / 2)), "criterion"),
    },
}


@pytest.mark.parametrize("number", range(2))
def test_a_theorem_that_does_not_follow_from_the_claims_is_refused(
    number: int, certified: Compiled, library: Path
) -> None:
    (theorem, certificates), folder = certified
    change, lemma = [*OTHERS[kind(theorem)].values()][number]
    whole = development(change(theorem), certificates)
    name = f"{whole.module}.v"
    with pytest.raises(RefusedError) as error:
        compiled({name: whole.files[name]}, folder, library)
    assert lemma_at(whole.files[name], error.value.line) == lemma
