"""What REFUTED is about: streams that break the bound, played again round by round, or a condition of the proof."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from conftest import REPOSITORY, check_kept
from sympy import Max, Piecewise, Rational, log, symbols

from gaptron import BinaryGaptron, BinaryLoss, GapMap, Gaptron, Implication, Lemma, MarginLoss, SoftmaxLoss, Theorem
from gaptron.numbers.evaluate import enclosure, evaluate, is_less
from gaptron.prove.broken_bounds import broken_after, broken_bound
from gaptron.prove.refute import refuting
from gaptron.rounds.exact import total, value
from gaptron.symbols import D, K, gamma, m, p, z
from gaptron.system.documents import Document
from gaptron.theory.files import load
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.usefixtures("lent")

SECONDS = 60
HINGE = Max(1 - m, 0)
SQUARED = {"loss": MarginLoss(HINGE**2), "gap_map": GapMap(HINGE**2)}
a, b = symbols("a b", real=True)


def theorem(**arguments: Any) -> Theorem:
    return Theorem(**{"name": "example"} | arguments)


EXAMPLES = {
    "abstaining_too_fast": "condition",
    "bandit_as_printed": "condition",
    "bandit_too_fast": "condition",
    "below_the_optimum": "bound",
    "cubic_tail": "condition",
    "exponential": "condition",
    "half_at_zero": "bound",
    "hinge_map_as_printed": "condition",
    "hinge_too_fast": "condition",
    "hole": "condition",
    "jump": "condition",
    "map_below_zero": "bound",
    "multilabel_small": "bound",
    "never_truncated": "condition",
    "not_convex": "condition",
    "own_costs_too_fast": "condition",
    "smooth_hinge_too_fast": "condition",
    "squared_hinge_too_fast": "condition",
}
THEOREMS = {
    "the loss 0": ("bound", theorem(loss=MarginLoss(0 * m), gap_map=GapMap(1), learning_rate=1)),
    "below the mistakes at 0": (
        "bound",
        theorem(loss=MarginLoss(HINGE / 2), gap_map=GapMap(HINGE), learning_rate=Rational(1, 10), classes=2),
    ),
    "a negative loss": (
        "bound",
        theorem(loss=MarginLoss(-m), gap_map=GapMap(HINGE), learning_rate=Rational(1, 10), classes=2),
    ),
    "a rate without bounds": ("bound", theorem(**SQUARED, learning_rate=10)),
    "a regret too small": ("bound", theorem(**SQUARED, learning_rate=1 / (4 * K), regret=Rational(1, 10))),
    "one weight vector": (
        "bound",
        theorem(loss=BinaryLoss(plus=Max(1 - z, 0) / 2), gap_map=GapMap(HINGE), learning_rate=Rational(1, 10)),
    ),
    "logarithms": (
        "bound",
        theorem(
            loss=SoftmaxLoss(-log(p, 2)), gap_map=GapMap(1 - p), learning_rate=Rational(1, 2), regret=Rational(1, 9)
        ),
    ),
    "against a lead": (
        "bound",
        theorem(
            loss=MarginLoss(HINGE * 3 / 4),
            gap_map=GapMap(Piecewise((1, m <= Rational(1, 100)), (0, True))),
            learning_rate=Rational(1, 10),
            classes=2,
        ),
    ),
    "abstaining at a price": (
        "bound",
        theorem(
            loss=MarginLoss(HINGE / 4),
            gap_map=GapMap(HINGE),
            learning_rate=Rational(1, 10),
            abstention_cost=Rational(1, 3),
        ),
    ),
    "a loss that cannot be learned from": (
        "bound",
        theorem(loss=MarginLoss(Piecewise((1, 2 * m < 1), (0, True))), gap_map=GapMap(1), learning_rate=1, classes=2),
    ),
    "the loss 1/2, a map that is 1 where it may be": (
        "condition",
        theorem(
            loss=MarginLoss(Rational(1, 2) + 0 * m),
            gap_map=GapMap(Piecewise((1, m <= 5), (0, True))),
            learning_rate=1,
            classes=2,
        ),
    ),
    "a loss of at least 1": ("condition", theorem(loss=MarginLoss(1 + HINGE), gap_map=GapMap(1), learning_rate=100)),
    "a gap map without a value at 0": (
        "condition",
        theorem(
            loss=MarginLoss(HINGE**2),
            gap_map=GapMap(Piecewise((HINGE**2, m < 0), (HINGE**2 + m, m > 0))),
            learning_rate=Rational(1, 8),
            classes=2,
        ),
    ),
    "a gap map above 1": (
        "condition",
        theorem(loss=MarginLoss(0 * m), gap_map=GapMap(1 + Rational(1, 10**12)), learning_rate=1),
    ),
}
BANDIT = theorem(
    **SQUARED, learning_rate=gamma / (4 * K**2), exploration=Rational(1, 2), regret=D**2 / 1000, feedback="bandit"
)


def confirm(stated: Theorem, breaks: Document) -> None:
    """The learner itself, round by round in exact numbers, against the comparator: both sides are those recorded."""
    n_classes, U = breaks["K"], [[Fraction(v) for v in row] for row in breaks["comparator"]]
    dimension = len(U[0])
    binary = isinstance(stated.loss, BinaryLoss)
    learner: Any = (
        BinaryGaptron(dimension, loss=stated, exact=True)
        if binary
        else Gaptron(n_classes, dimension, loss=stated, exact=True)
    )
    costs, losses = [], []
    for row in breaks["stream"]:
        x, label = [Fraction(v) for v in row["x"]], row["label"]
        assert sum(v * v for v in x) <= 1
        for _ in range(row["rounds"]):
            scores = learner._scores(learner._features(x))
            off = learner.surrogate.is_off(scores, label)
            costs.append(cost(stated, learner, x, label))
            of_comparator = [sum(u * v for u, v in zip(part, x, strict=True)) for part in U]
            theirs = value(stated.loss, [*of_comparator, Fraction(0)] if binary else of_comparator, label)
            losses.append(Fraction(0) if off else theirs)
            learner.update(x, label)
    coefficient = 1 / (2 * stated.eta()) if stated.regret is None else stated.regret
    norm = sum((sp.Rational(u) ** 2 for part in U for u in part), sp.S.Zero)
    allowed = total([*losses, evaluate(coefficient * norm, {K: Fraction(n_classes)})])
    assert is_less(allowed, total(costs))
    assert holds(breaks["cost"], total(costs))
    assert holds(breaks["allowed"], allowed)


def cost(stated: Theorem, learner: Any, x: list[Fraction], label: int) -> Any:
    """P(wrong), and with abstention the price in the place of the guess."""
    wrong = 1 - learner.predict_proba(x)[label]
    if stated.abstention_cost is None:
        return wrong
    share, n_classes = learner.surrogate.gap(learner._scores(learner._features(x))), learner.n_classes
    return wrong + share * (evaluate(stated.abstention_cost, {K: Fraction(n_classes)}) - 1 + Fraction(1, n_classes))


def holds(recorded: Any, number: Any) -> bool:
    """Whether what is recorded is the number, or encloses it."""
    low, high = map(Fraction, recorded if isinstance(recorded, list) else [recorded] * 2)
    least, most = enclosure(number)
    return low <= most and least <= high and high - low < Fraction(1, 10**9)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", THEOREMS)
def test_a_theorem_says_what_its_witness_refutes(name: str) -> None:
    kind, stated = THEOREMS[name]
    (found,) = check_kept([stated], SECONDS)
    assert (found.verdict, found.refutes) == (Verdict.REFUTED, kind)
    assert found.witness is not None
    assert ("breaks" in found.witness) == (kind == "bound")
    if kind == "bound":
        confirm(stated, found.witness["breaks"])


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_says_what_is_refuted(name: str) -> None:
    items = [statement.item for statement in load(REPOSITORY / "examples" / f"{name}.py")]
    refuted = [found for found in check_kept(items, SECONDS) if found.verdict is Verdict.REFUTED]
    assert [found.refutes for found in refuted] == [EXAMPLES[name]]
    for found in refuted:
        breaks = found.witness["breaks"] if found.witness and "breaks" in found.witness else {}
        if "stream" in breaks:
            assert isinstance(found.item, Theorem)
            confirm(found.item, breaks)


def test_every_refuted_example_has_its_kind() -> None:
    recorded = (REPOSITORY / "examples" / "expected").iterdir()
    assert {path.stem for path in recorded if path.read_text().startswith("REFUTED")} == set(EXAMPLES)


def test_a_lemma_is_a_statement() -> None:
    wrong = Implication(name="wrong", statement="2ab <= a^2", given=(), then=2 * a * b <= a**2)
    (found,) = check_kept([Lemma(name="example", implications=(wrong,))], SECONDS)
    assert (found.verdict, found.refutes) == (Verdict.REFUTED, "statement")


def test_what_is_proved_refutes_nothing() -> None:
    (found,) = check_kept([theorem(**SQUARED, learning_rate=1 / (4 * K))], SECONDS)
    assert (found.verdict, found.refutes) == (Verdict.PROVED, None)
    assert broken_bound(theorem(**SQUARED, learning_rate=1 / (4 * K)), 3, False) is None


def test_a_stream_leads_the_learner_to_the_witness() -> None:
    """Sure of itself at margins above 1, the learner loses there what it has saved on the way."""
    sure = theorem(
        loss=MarginLoss(Max(Rational(3, 5) - m / 50, 0)),
        gap_map=GapMap(Piecewise((1 - m / 25, m <= 1), (0, True))),
        learning_rate=10,
        classes=2,
    )
    assert broken_bound(sure, 2, False) is None
    found = broken_after(sure, [Fraction(11, 10), Fraction(0)], 1)
    assert found is not None
    confirm(sure, found.document)
    assert broken_after(sure, [Fraction(1, 2), Fraction(0)], 1) is None


def test_with_bandit_feedback_the_whole_excess_is_broken() -> None:
    found = broken_bound(BANDIT, 2, True)
    assert found is not None
    document = found.document
    assert document["parameters"] == {"D": "1", "T": "1"}
    assert (document["cost"], document["allowed"]) == ("1/2", "1/1000")


def test_a_distribution_that_no_algorithm_withstands_breaks_a_bound() -> None:
    (statement,) = load(REPOSITORY / "examples" / "multilabel_small.py")
    assert isinstance(statement.item, StructuredTheorem)
    drawn = {"size": 4, "outputs": [["0"] * 4, ["0", "0", "0", "1"]], "distribution": ["1/2", "1/2"]}
    witness = {"obligation": "criterion/coordinate", **drawn, "scores": ["0"] * 4, "left": "1/8", "right": "1/9"}
    found = refuting(statement.item, witness)
    assert found["refutes"] == "bound"
    assert Fraction(found["breaks"]["cost"]) > Fraction(found["breaks"]["allowed"][1])
    milder = refuting(replace(statement.item, learning_rate=Rational(1, 10**9)), witness)
    assert milder["refutes"] == "condition"
