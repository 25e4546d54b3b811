"""Structured theorems checked: sharp constants proved, a percent more refuted, and linear programs over decoders."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from all_decoders import Game, coordinate
from conftest import check_kept
from sympy import Rational, log, sqrt

from gaptron import StructuredTheorem
from gaptron.checking.checker import Checked, check
from gaptron.obligations.structured.dominated import farthest, ratio
from gaptron.obligations.structured.vertices import critical_distributions
from gaptron.prove.broken_distributions import broken_scores
from gaptron.symbols import K, Parameter, d, v
from gaptron.theory.structured import (
    BinaryEntropy,
    Classes,
    Convolutional,
    Cost,
    Cube,
    Finite,
    Hamming,
    KendallTau,
    Ordinal,
    PermutationMatrices,
    Quadratic,
    RankVectors,
    Separable,
    Shannon,
    SquaredNorm,
    Tsallis,
    ZeroOne,
)
from gaptron.theory.structured.distributions import OutputDistribution, entropy_gap, least_target
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.usefixtures("lent")

HALF = Rational(1, 2)
SECONDS = 20
COSTS = Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]])
UNEVEN = Quadratic([[2, 0, 0], [0, 1, 0], [0, 0, 1]])


def theorem(**arguments: Any) -> StructuredTheorem:
    usual = {
        "name": "example",
        "outputs": Classes(),
        "target": ZeroOne(),
        "entropy": SquaredNorm(),
        "learning_rate": HALF,
    }
    return StructuredTheorem(**usual | arguments)


def decided(*theorems: StructuredTheorem) -> list[Checked]:
    return check_kept(theorems, SECONDS, 2)


def of(checked: Checked, obligation: str) -> Verdict:
    rows = zip(checked.obligations, checked.outcomes, strict=True)
    return next(outcome.verdict for o, outcome in rows if o.id.startswith(obligation))


LN2 = log(2)
SHARP: dict[str, dict[str, Any]] = {  # each with the smallest coefficient that works
    "softmax, base 2": {"entropy": Shannon(), "scale": 1 / LN2, "learning_rate": 2 * LN2**2, "coefficient": 1},
    "v log v": {"entropy": Separable(v * log(v)), "scale": 1 / LN2, "learning_rate": 2 * LN2**2, "coefficient": 1},
    "one-vs-all logistic": {"entropy": BinaryEntropy(), "coefficient": 1 / (4 * LN2 - HALF / 2)},
    "sparsemax": {"coefficient": 4},
    "Tsallis 3/2": {
        "entropy": Tsallis(Rational(3, 2)), "coefficient": 1 / (Rational(8, 3) * (1 - sqrt(2) / 2) - HALF / 2)
    },
    "softmax, Hamming": {
        "target": Hamming(), "entropy": Shannon(), "scale": 1 / LN2, "learning_rate": 2 * LN2**2, "coefficient": 2 / K
    },
    "multilabel": {"outputs": Cube(), "target": Hamming(), "coefficient": 8 / d, "regret": 8 / d},
    "ordinal": {"outputs": Ordinal(), "target": Hamming(), "coefficient": 8 / d},
    "multilabel, logistic": {
        "outputs": Cube(), "target": Hamming(), "entropy": BinaryEntropy(), "coefficient": HALF / d / (LN2 - HALF / 8)
    },
    "exact sets": {"outputs": Cube(), "target": ZeroOne(), "coefficient": 8},
    "exact sets, logistic": {
        "outputs": Cube(), "target": ZeroOne(), "entropy": BinaryEntropy(), "coefficient": HALF / (LN2 - HALF / 8)
    },
    "rank vectors": {"outputs": RankVectors(), "target": KendallTau(), "coefficient": 8 / (d * (d - 1))},
    "rank vectors, exact": {"outputs": RankVectors(), "target": ZeroOne(), "coefficient": 4},
    "matrices, entropy": {
        "outputs": PermutationMatrices(), "target": Hamming(), "entropy": Shannon(), "scale": 1 / LN2,
        "learning_rate": 2 * LN2**2, "coefficient": 2 / d**2,
    },
    "matrices, Kendall": {
        "outputs": PermutationMatrices(), "target": KendallTau(), "coefficient": 4 * (2 * d - 3) / (d * (d - 1))
    },
    "a cost matrix": {"target": COSTS, "coefficient": 8},
    "a quadratic form": {"entropy": UNEVEN, "sizes": 3, "coefficient": 4},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SHARP)
def test_a_sharp_coefficient_is_proved_and_a_percent_less_is_refuted(name: str) -> None:
    sharp = SHARP[name]
    less = {k: c for k, c in sharp.items() if k != "regret"} | {"coefficient": sharp["coefficient"] * Rational(99, 100)}
    proved, refuted = decided(theorem(**sharp), theorem(**less))
    assert proved.verdict is Verdict.PROVED, proved.outcomes
    assert all("kernel" in outcome.evidence for outcome in proved.outcomes)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None
    assert sum(Fraction(p) for p in refuted.witness["distribution"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1, Rational(99, 100)])
@pytest.mark.parametrize(
    "arguments",
    [
        {"learning_rate": 4, "coefficient": 1 / (4 * LN2 - 2)},
        {"target": Hamming(), "coefficient": 2 / K / (4 * LN2 - HALF / 2)},
        {"entropy": Convolutional(BinaryEntropy()), "coefficient": 1 / (1 + 4 * LN2 - HALF / 2)},
        {"entropy": Separable(v * log(v) + (1 - v) * log(1 - v)), "coefficient": 1 / (4 * LN2 - HALF / 2)},
    ],
    ids=["largest rate", "Hamming", "convolutional", "separable"],
)
def test_one_logistic_loss_a_class_whose_criterion_is_flat_at_two_labels(
    arguments: dict[str, Any], factor: Any
) -> None:
    usual = {"entropy": BinaryEntropy()} | arguments
    (found,) = decided(theorem(**usual | {"coefficient": usual["coefficient"] * factor}))
    assert found.verdict is (Verdict.PROVED if factor == 1 else Verdict.REFUTED), found.outcomes


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in SHARP if n != "a quadratic form"])
def test_the_scores_of_a_witness_leave_no_decoder_by_linear_programming(name: str) -> None:
    less = {"coefficient": SHARP[name]["coefficient"] * Rational(99, 100), "regret": None}
    wrong = theorem(**SHARP[name] | less)
    if isinstance(wrong.entropy, Separable):
        wrong = theorem(**SHARP[name] | less | {"entropy": Shannon()})
    (checked,) = decided(wrong)
    assert checked.witness is not None
    size = int(checked.witness.get("size", checked.witness.get("K", 0)))
    scores = np.array([float(Fraction(score)) for score in checked.witness["scores"]])
    assert Game(wrong, size, coordinate(wrong)).excess(scores) > 1e-6


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [n for n in SHARP if n not in ("v log v", "a quadratic form")])
def test_at_a_sharp_coefficient_every_score_has_a_decoder_by_linear_programming(name: str) -> None:
    sharp, generator = theorem(**SHARP[name]), np.random.default_rng(7)
    size = {PermutationMatrices: 2, RankVectors: 3, Classes: 3}.get(type(sharp.outputs), 2)
    game = Game(sharp, size, coordinate(sharp))
    for _ in range(12):
        theta = generator.normal(size=game.vectors.shape[1]) * generator.exponential(1.5)
        assert game.excess(theta) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["softmax, base 2", "Tsallis 3/2", "multilabel", "a cost matrix", "matrices, entropy"])
def test_a_millionth_less_than_a_sharp_coefficient_is_refuted(name: str) -> None:
    less = {"coefficient": SHARP[name]["coefficient"] * (1 - Rational(1, 10**6)), "regret": None}
    (checked,) = decided(theorem(**SHARP[name] | less))
    assert checked.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_softmax_theorem_written_both_ways_has_one_verdict_and_one_constant() -> None:
    from gaptron import SoftmaxLoss, Theorem
    from gaptron.symbols import p

    eta = 2 * LN2**2
    for factor, verdict in ((1, Verdict.PROVED), (Rational(101, 100), Verdict.REFUTED)):
        one = theorem(entropy=Shannon(), scale=1 / LN2, learning_rate=eta * factor)
        other = Theorem(name="softmax", loss=SoftmaxLoss(-log(p) / LN2), decoder="best", learning_rate=eta * factor)
        found = check([one, other], SECONDS, 2)
        assert [checked.verdict for checked in found] == [verdict, verdict]


@pytest.mark.slow
def test_beyond_the_modulus_nothing_is_claimed_but_a_failing_distribution_still_refutes() -> None:
    beyond = {"entropy": Shannon(), "learning_rate": Rational(26, 10), "sizes": 2}
    holds, fails = decided(theorem(**beyond, coefficient=12), theorem(**beyond, coefficient=9))
    assert holds.verdict is Verdict.UNDECIDED
    assert of(holds, "criterion") is Verdict.PROVED
    assert fails.verdict is Verdict.REFUTED
    game = Game(theorem(**beyond, coefficient=12), 2, coordinate(theorem(**beyond)))
    assert max(game.excess(np.array([x, 0.0])) for x in np.linspace(-4, 4, 81)) > 1e-3  # indeed there is no decoder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entropy", "modulus", "sizes"),
    [
        (Separable(v * log(v)), 2, None),
        (Shannon(), 2, None),
        (Tsallis(Rational(3, 2)), 1, None),
        (Tsallis(Rational(3, 2)), sqrt(2), 2),
        (Tsallis(Rational(3, 2)), 2 / sqrt(3), 3),
        (Tsallis(3), HALF, 2),
        (SquaredNorm(), 1, None),
        (UNEVEN, 1, 3),
    ],
)
def test_the_modulus_is_proved_and_a_percent_more_is_not(entropy: Any, modulus: Any, sizes: int | None) -> None:
    given = {"entropy": entropy, "sizes": sizes, "coefficient": 100}
    at, above = decided(*(theorem(**given, learning_rate=modulus * f) for f in (1, Rational(101, 100))))
    assert of(at, "entropy/strong") is Verdict.PROVED
    assert of(above, "entropy/strong") is Verdict.UNDECIDED


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "arguments",
    [
        {"entropy": Separable(v**3 - v**2)},
        {"entropy": Separable(-(v**2))},
        {"entropy": Separable(v**3 - v**2), "outputs": Cube(), "target": Hamming()},
        {"entropy": Separable(sp.Piecewise((v, v <= HALF), (1 - v, True)))},
        {"entropy": Quadratic([[-2, 0, 0], [0, 1, 0], [0, 0, 1]]), "sizes": 3},
    ],
)
def test_an_entropy_that_is_not_convex_is_refuted_with_points(arguments: dict[str, Any]) -> None:
    (checked,) = decided(theorem(**arguments))
    assert of(checked, "entropy/convex") is Verdict.REFUTED
    witness = next(w for w in checked.witnesses if "means" in w)
    first, middle, second = ([Fraction(entry) for entry in mean] for mean in witness["means"])
    assert middle == [(a + b) / 2 for a, b in zip(first, second, strict=True)]


@pytest.mark.few(1)
@pytest.mark.parametrize("at_0", [sp.Eq(v, 0), v <= 0])
@pytest.mark.parametrize(("outputs", "target"), [(Classes(), ZeroOne()), (Cube(), Hamming())])
def test_an_entropy_that_jumps_at_0_is_not_proved(at_0: Any, outputs: Any, target: Any) -> None:
    """An output has the value that is written, and not the limit, if there is one."""
    parts = {"outputs": outputs, "target": target, "learning_rate": Rational(1, 8), "coefficient": 20}
    jumps = [theorem(entropy=Separable(sp.Piecewise((value, at_0), (v**2 / 2, True))), **parts) for value in (-1, 0)]
    lower, none = decided(*jumps)
    assert lower.verdict is not Verdict.PROVED
    assert none.verdict is Verdict.PROVED


@pytest.mark.slow
def test_an_entropy_may_be_written_with_its_value_at_0() -> None:
    written = Separable(sp.Piecewise((0, sp.Eq(v, 0)), (v * log(v), True)))
    (checked,) = decided(theorem(entropy=written, coefficient=4))
    assert checked.verdict is Verdict.PROVED


@pytest.mark.slow
@pytest.mark.parametrize("jump", [Rational(-1, 100), Rational(1, 100)])
def test_an_entropy_that_jumps_at_an_output_is_not_proved(jump: Any) -> None:
    jumping = Separable(sp.Piecewise((v**2 / 2, v < 1), (HALF + jump, True)))
    (checked,) = decided(theorem(entropy=jumping, coefficient=8))
    assert of(checked, "entropy/convex") is not Verdict.PROVED


@pytest.mark.slow
def test_a_kink_that_turns_upward_is_convex() -> None:
    kinked = Separable(v**2 / 2 + sp.Max(v - Rational(1, 3), 0) / 4)
    (checked,) = decided(theorem(entropy=kinked, coefficient=8))
    assert checked.verdict is Verdict.PROVED


def test_sizes_may_begin_anywhere_and_never_end() -> None:
    """Coefficient 1 has a learning rate from d = 5 on: 1 - 4/d."""
    cube = {"outputs": Cube(), "target": Hamming(), "coefficient": 1, "learning_rate": 1 - 4 / d}
    proved, refuted = decided(
        theorem(**cube, sizes=sp.Range(5, sp.oo)),
        theorem(**cube | {"coefficient": Rational(99, 100)}, sizes=sp.Range(5, sp.oo)),
    )
    assert proved.verdict is Verdict.PROVED
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None
    assert int(refuted.witness["size"]) >= 5


@pytest.mark.slow
def test_a_parameter_is_claimed_for_its_whole_range() -> None:
    rate = Parameter("rate", Rational(1, 10), HALF)
    cube = {"outputs": Cube(), "target": Hamming(), "learning_rate": rate}
    proved, refuted = decided(theorem(**cube, coefficient=8 / d), theorem(**cube, coefficient=6 / d))
    assert proved.verdict is Verdict.PROVED
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None
    assert Fraction(refuted.witness["parameters"]["rate"]) > Fraction(1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("entropy", [Shannon(), SquaredNorm(), Tsallis(Rational(3, 2))])
def test_a_convolutional_entropy_has_coefficient_one_up_to_the_modulus(entropy: Any) -> None:
    modulus = 2 if isinstance(entropy, Shannon) else 1
    given = {"entropy": Convolutional(entropy), "learning_rate": modulus}
    proved, costs, cube, refuted = decided(
        theorem(**given),
        theorem(**given, target=COSTS),
        theorem(**given | {"learning_rate": 1}, outputs=Cube(), target=Hamming()),
        theorem(**given, coefficient=Rational(1, 2)),
    )
    assert [c.verdict for c in (proved, costs, cube)] == [Verdict.PROVED] * 3
    assert refuted.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_proximal_updates_have_the_criterion_as_enough_and_the_exact_one_against_them() -> None:
    constant = 1 / (4 * LN2**2)
    soft = {"entropy": Shannon(), "scale": 1 / LN2, "update": "proximal", "learning_rate": None}
    cube = {"outputs": Cube(), "target": Hamming(), "update": "proximal", "learning_rate": None, "coefficient": 8 / d}
    proved, less, none, cubes = decided(
        theorem(**soft, regret=constant),
        theorem(**soft, regret=constant * Rational(9, 10)),
        theorem(**soft, regret=Rational(3, 20)),
        theorem(**cube, regret=2 / d),
    )
    assert proved.verdict is Verdict.PROVED
    assert less.verdict is Verdict.UNDECIDED
    assert [none.verdict, cubes.verdict] == [Verdict.REFUTED] * 2
    assert none.witness is not None
    plus, minus = ([float(Fraction(a)) for a in row] for row in none.witness["scores"])
    margins = (plus[0] - plus[1], minus[1] - minus[0])
    losses = [np.log2(1 + np.exp(-margin)) for margin in margins]
    middle = [(a - b) / 2 for a, b in zip(plus, minus, strict=True)]
    assert sum(losses) / 2 + 0.15 * sum(a * a for a in middle) < 1 / 2 - 1e-3  # by hand: E loss + c Var < H_L


def test_a_regret_that_does_not_follow_is_refuted() -> None:
    good, bad = decided(theorem(coefficient=4, regret=4), theorem(coefficient=4, regret=Rational(399, 100)))
    assert good.verdict is Verdict.PROVED
    assert of(bad, "regret") is Verdict.REFUTED


def test_outputs_that_no_way_covers_are_undecided_with_the_reason() -> None:
    many = theorem(outputs=Finite([[i, i * i] for i in range(10)]), target=ZeroOne())
    (checked,) = decided(many)
    assert checked.verdict is Verdict.UNDECIDED
    assert any("restrict sizes=" in (outcome.reason or "") for outcome in checked.outcomes)


# --- what the reductions say, by enumeration ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outputs", "target", "size"),
    [
        (Classes(), ZeroOne(), 4),
        (Cube(), Hamming(), 2),
        (Ordinal(), Hamming(), 3),
        (RankVectors(), KendallTau(), 3),
        (Classes(), COSTS, 3),
    ],
)
def test_every_distribution_is_a_mixture_of_critical_ones_on_which_the_target_is_linear(
    outputs: Any, target: Any, size: int
) -> None:
    """(w, H_L(w)) lies in the hull of the vertices and the certain outputs: found by linear programming."""
    from scipy.optimize import linprog

    vectors, generator = outputs.vectors(size), np.random.default_rng(3)
    found = critical_distributions(target, outputs, size)
    corners = [[*np.eye(len(vectors))[k], 0.0] for k in range(len(vectors))]
    for distribution, value in found:
        weights = dict(zip(distribution.outputs, distribution.weights, strict=True))
        corners.append([*(float(weights.get(y, 0)) for y in vectors), float(value)])
        assert value == least_target(target, outputs, distribution)
    table = np.array([[float(a) for a in row] for row in target.table(outputs, size)])
    for _ in range(20):
        w = generator.dirichlet(np.full(len(vectors), 0.7))
        top = (table @ w).min()
        columns = np.array(corners).T
        result = linprog(-columns[-1], A_eq=columns[:-1], b_eq=w, bounds=(0, None))
        assert result.status == 0
        assert -result.fun == pytest.approx(top, abs=1e-9)


@pytest.mark.parametrize("outputs", [Classes(), Cube(), Ordinal(), RankVectors(), PermutationMatrices()])
@pytest.mark.parametrize("target", [ZeroOne(), Hamming(), KendallTau()])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_ratio_of_target_and_distance_by_enumeration(outputs: Any, target: Any, size: int) -> None:
    if isinstance(target, KendallTau) and not isinstance(outputs, (RankVectors, PermutationMatrices)):
        return
    vectors, table = outputs.vectors(size), target.table(outputs, size)
    ratios = {
        (i, j): table[i][j] / sum((a - b) ** 2 for a, b in zip(vectors[i], vectors[j], strict=True))
        for i in range(len(vectors))
        for j in range(i)
    }
    largest = max(ratios.values())
    assert largest == ratio(outputs, target, Fraction(size))
    i, j = (vectors.index(y) for y in farthest(outputs, target, size))
    assert ratios[max(i, j), min(i, j)] == largest


def test_a_distribution_that_breaks_nothing_gives_no_scores() -> None:
    fine = theorem(coefficient=4)
    certain = OutputDistribution(2, Classes().vectors(2), (Fraction(1, 3), Fraction(2, 3)))
    assert not list(broken_scores(fine, certain))
    assert entropy_gap(SquaredNorm(), ZeroOne(), Classes(), certain) == Fraction(2, 9)


def test_the_trusted_lines_are_counted() -> None:
    import re
    from pathlib import Path

    from test_trusted_lines import code_lines

    from gaptron.language import expanded
    from gaptron.obligations import structured as trusted
    from gaptron.theory import structured

    folders = [Path(trusted.__file__).parent, Path(structured.__file__).parent]
    files = [Path(expanded.__file__), *(file for folder in folders for file in folder.glob("*.py"))]
    table = re.findall(r"^\| ([a-z_, ]+) \| (\d+) \|", trusted.__doc__ or "", flags=re.MULTILINE)
    for modules, count in table:
        here = [f for f in files if f.stem in modules.split(", ") and (f.stem != "__init__" or "obligations" in str(f))]
        assert len(here) == modules.count(",") + 1, modules
        assert sum(map(code_lines, here)) == int(count), modules
    listed = {module for modules, _ in table for module in modules.split(", ")}
    assert listed == {file.stem for file in files} - {"means"}
