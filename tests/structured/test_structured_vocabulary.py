"""What a structured theorem may say, and the one sentence it gets otherwise."""

from fractions import Fraction
from math import factorial
from pathlib import Path
from typing import Any

import pytest
from sympy import Eq, Piecewise, Range, Rational, Symbol, log, oo

from gaptron import StructuredTheorem, TheoremError
from gaptron.language.formulas import formula
from gaptron.language.normal import alike
from gaptron.symbols import K, d, m, v
from gaptron.theory.files import load
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

FILE = """
from sympy import Rational
from gaptron import StructuredTheorem
from gaptron.theory.structured import Cube, Hamming, SquaredNorm
from gaptron.symbols import d

multilabel = StructuredTheorem(
    name="multilabel, Hamming", outputs=Cube(), target=Hamming(), entropy=SquaredNorm(),
    scale=1, learning_rate=Rational(1, 2), coefficient=8 / d, regret=8 / d,
)
"""


def theorem(**arguments: Any) -> StructuredTheorem:
    usual = {"name": "example", "outputs": Classes(), "target": ZeroOne(), "entropy": Shannon(), "learning_rate": 1}
    return StructuredTheorem(**usual | arguments)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Cost([[0, 1], [1, 2]]), "Cost matrix[1][1] = 2 is not 0: a right prediction costs nothing"),
        (lambda: Cost([[0, 1], [-1, 0]]), "Cost matrix[1][0] = -1 is negative"),
        (lambda: Cost([[0, 1, 2], [1, 0, 1]]), "is not a row of 2 numbers"),
        (lambda: Cost([[0, float("nan")], [1, 0]]), "Cost matrix[0][1] = nan is not a rational number"),
        (lambda: Cost([[0, 0], [0, 0]]), "zero everywhere"),
        (lambda: Cost([[0]]), "not a square matrix with at least two rows"),
        (lambda: Finite([[0, 1], [1, 0], [0, 1]]), "Finite vectors[2] = (0, 1) repeats vectors[0]"),
        (lambda: Finite([[0, 1]]), "at least two vectors"),
        (lambda: Finite([[0, 1], [1]]), "Finite vectors[1] has 1 entries, and vectors[0] has 2"),
        (lambda: Finite([[0, "1"], [1, 0]]), "Finite vectors[0][1] = '1' is not a rational number"),
        (lambda: Tsallis(1), "Tsallis q = 1 is not above 1: Shannon() is what q = 1 means"),
        (lambda: Separable(m**2), "Separable = m**2 uses the symbol m: allowed here: v"),
        (lambda: Separable(1 / v), "has no finite value at v = 0"),
        (lambda: Separable(Piecewise((v * log(v), 2 * v <= 1), (v, True))), "value at v = 0, or none is found"),
        (lambda: Quadratic([[1, 2], [3, 1]]), "Quadratic A[1][0] = 3 is not A[0][1] = 2"),
        (lambda: Convolutional(Convolutional(Shannon())), "is not an entropy that is convolved"),
        (lambda: theorem(target=3), "target = 3 is not one of those in gaptron.structured"),
        (
            lambda: theorem(target=KendallTau()),
            "outputs = Classes() is neither RankVectors() nor PermutationMatrices()",
        ),
        (lambda: theorem(outputs=RankVectors()), "is one of coordinates in [0, 1]"),
        (lambda: theorem(sizes=1), "sizes = 1 is less than 2, the smallest size of Classes()"),
        (lambda: theorem(outputs=Cube(), sizes=0), "sizes = 0 is less than 1"),
        (lambda: theorem(outputs=RankVectors(), entropy=SquaredNorm(), sizes=1), "sizes = 1 is less than 2"),
        (lambda: theorem(sizes=range(2, 9, 2)), "is not a non-empty range of consecutive integers"),
        (lambda: theorem(sizes=Range(1, oo)), "is not a non-empty range of consecutive integers >= 2"),
        (lambda: theorem(sizes=Range(Symbol("n"), oo)), "is not a non-empty range of consecutive integers"),
        (lambda: theorem(sizes=Range(3, oo, 2)), "is not a non-empty range of consecutive integers"),
        (lambda: theorem(sizes=2.0), "sizes = 2.0 is not an integer or a range"),
        (lambda: theorem(target=Cost([[0, 1], [1, 0]]), sizes=3), "a Cost matrix with 2 rows is for K = 2"),
        (lambda: theorem(target=Cost([[0, 1], [1, 0]]), outputs=Cube()), "are not 2 outputs"),
        (lambda: theorem(entropy=Quadratic([[1, 0], [0, 1]])), "are not of dimension 2"),
        (lambda: theorem(outputs=Cube(), entropy=Convolutional(Shannon())), "is no function of the mean"),
        (lambda: theorem(learning_rate=0), "learning_rate = 0 is not positive at K = 2"),
        (lambda: theorem(coefficient=5 - K), "coefficient = 5 - K is not positive at K = 5"),
        (lambda: theorem(scale=m), "scale = m uses the symbol m: allowed here: K, d"),
        (lambda: theorem(outputs=Cube(), coefficient=8 / K), "uses the symbol K: allowed here: d"),
        (lambda: theorem(update="mirror"), 'is neither "gradient" nor "proximal"'),
        (lambda: theorem(update="proximal"), "proximal updates have a regret only"),
        (lambda: theorem(name=""), "name = '' is not a non-empty string"),
    ],
)
def test_bad_input_gets_one_sentence(build: Any, message: str) -> None:
    with pytest.raises(TheoremError) as caught:
        build()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_theorem_file_may_hold_structured_theorems(tmp_path: Path) -> None:
    file = tmp_path / "multilabel.py"
    file.write_text(FILE)
    (statement,) = load(file)
    assert statement.item == StructuredTheorem(
        name="multilabel, Hamming",
        outputs=Cube(),
        target=Hamming(),
        entropy=SquaredNorm(),
        learning_rate=Rational(1, 2),
        coefficient=8 / d,
        regret=8 / d,
    )
    assert statement.item.line == 7


@pytest.mark.parametrize(
    ("outputs", "count"),
    [
        (Classes(), lambda n: n),
        (Cube(), lambda n: 2**n),
        (Ordinal(), lambda n: n + 1),
        (RankVectors(), factorial),
        (PermutationMatrices(), factorial),
    ],
)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_outputs_are_as_many_as_they_say_and_differ(outputs: Any, count: Any, size: int) -> None:
    vectors = outputs.vectors(size)
    assert len(vectors) == len(set(vectors)) == outputs.count(size) == count(size)
    assert {len(vector) for vector in vectors} == {int(outputs.dimension(size))}


def test_rankings_as_vectors_and_as_matrices_have_one_kendall_tau() -> None:
    tables = [KendallTau().table(outputs, 4) for outputs in (RankVectors(), PermutationMatrices())]
    assert tables[0] == tables[1]
    assert tables[0][0][-1] == 1


def test_an_ordinal_hamming_target_is_the_share_of_steps() -> None:
    table = Hamming().table(Ordinal(), 5)
    assert all(table[i][j] == Fraction(abs(i - j), 5) for i in range(6) for j in range(6))


def test_an_entropy_of_logarithms_has_its_limit_at_the_ends() -> None:
    ends, halves = [Fraction(0), Fraction(1)], [Fraction(1, 2)] * 2
    assert Shannon().value(ends) == 0 == BinaryEntropy().value(ends) == Separable(v * log(v)).value(ends)
    assert Shannon().value(halves) == formula("-log(2)")
    assert Tsallis(2).value(halves) == SquaredNorm().value(halves) == Fraction(1, 4)


def test_a_piece_is_left_out_where_it_is_the_limit_and_nowhere_else() -> None:
    plain = Separable(v * log(v)).omega
    assert alike(Separable(Piecewise((0, Eq(v, 0)), (v * log(v), True))).omega, plain)
    assert alike(Separable(Piecewise((v * log(v), v > 0), (0, True))).omega, plain)
    assert not alike(Separable(Piecewise((1, Eq(v, 0)), (v * log(v), True))).omega, plain)
    both = Separable(Piecewise((0, Eq(v, 0) | Eq(v, 1)), (v * log(v), True)))
    assert both.omega[0] == "pieces"


def test_the_dimension_is_the_number_of_classes_there() -> None:
    assert theorem(coefficient=1 / d).coefficient == 1 / K
    assert theorem(outputs=Finite([[0, 1], [1, 0], [1, 1]]), coefficient=1 / d).coefficient == Rational(1, 2)


def test_decimals_are_read_as_written() -> None:
    assert theorem(learning_rate=0.1).readings == (("learning_rate", "0.1", "1/10"),)
    assert Cost([[0, 0.1], [1, 0]]).matrix[0][1] == Fraction(1, 10)
