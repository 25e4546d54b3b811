"""Structured theorem files in Coq: what is written, what the second reader finds, and what coqc refuses."""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import factorial
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from conftest import REPOSITORY
from sympy import Rational, exp, log
from test_second_reader import SMOOTH, theorems_of
from test_second_reader import written as margin_text
from test_whole_theorems import lemma_at

from gaptron import StructuredTheorem
from gaptron.coq.development import Whole, structured_development
from gaptron.coq.formal import STATEMENT, asked, read
from gaptron.coq.library import ALLOWED, RefusedError, compiled
from gaptron.coq.proved import Claims
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.reader.structured_statement import compare_structured
from gaptron.coq.reader.values import FUNCTIONS
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.structured_development import StructuredDevelopment, certified, conditions
from gaptron.coq.structured_parts import entropy_of, target_of
from gaptron.kernel import Certificate
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.obligations.structured.cases import written as written_out
from gaptron.prove.certify import certify
from gaptron.structured import (
    BinaryEntropy,
    Convolutional,
    Cost,
    Finite,
    Hamming,
    Quadratic,
    Separable,
    Shannon,
    SquaredNorm,
    Tsallis,
    ZeroOne,
)
from gaptron.symbols import K, Parameter, d, v
from gaptron.theory.files import load
from gaptron.theory.shipped import shipped_files

NEW = REPOSITORY / "proofs" / "new"
SHIPPED = {
    statement.item.name: statement.item
    for name in ("classes", "coordinates", "natural", "rankings", "convolutional")
    for statement in load(NEW / f"structured_{name}.py")
    if isinstance(statement.item, StructuredTheorem)
}
SPARSEMAX = SHIPPED["0-1 target, sparsemax"]
SPARSEMAP = SHIPPED["multilabel, Hamming target, SparseMAP"]
LOGISTIC = SHIPPED["multilabel, Hamming target, logistic"]
ENTMAX = SHIPPED["0-1 target, 1.5-entmax"]
CONVOLVED = SHIPPED["0-1 target, convolutional sparsemax"]
CUBE_CONVOLVED = SHIPPED["multilabel, Hamming target, convolutional SparseMAP"]
ORDINAL = SHIPPED["ordinal, logistic"]
RANKS = SHIPPED["rank vectors, Kendall target, squared norm"]
MATRICES = SHIPPED["permutation matrices, Kendall target, Shannon"]
WIDTH = Parameter("w", 1, 4)
HALVES = {"scale": 1, "learning_rate": Rational(1, 2)}
HALF = Rational(1, 2)
(OWN_COSTS,) = (
    statement.item
    for statement in load(REPOSITORY / "examples" / "own_costs.py")
    if isinstance(statement.item, StructuredTheorem)
)
LISTED = replace(
    SPARSEMAX, outputs=Finite([(0, 0), (1, 0), (HALF, -3)]), target=Hamming(), sizes=None, coefficient=8, regret=8
)
OF_RANKINGS = [[abs(k - y) * (1 + (k > y)) for y in range(6)] for k in range(6)]
OWN = {
    "proximal": replace(SPARSEMAX, update="proximal", learning_rate=None, regret=4),
    "without a regret": replace(SPARSEMAP, regret=None),
    "without a rate": replace(LOGISTIC, learning_rate=None),
    "proximal and convolved": replace(CONVOLVED, update="proximal", learning_rate=None),
    "one size": replace(SPARSEMAX, sizes=3),
    "a range": replace(SPARSEMAP, sizes=range(2, 7)),
    "a parameter": replace(SPARSEMAX, scale=1 / WIDTH, learning_rate=WIDTH / 2, coefficient=4 * WIDTH, regret=4),
    "an entropy written out": replace(SPARSEMAX, entropy=Separable(v**2 / 2)),
    "classes with Hamming": replace(SPARSEMAX, target=Hamming(), coefficient=8 / K, regret=8 / K),
    "ranks, 0-1": replace(RANKS, target=ZeroOne(), coefficient=4, regret=4),
    "ranks with Hamming, proximal": replace(
        RANKS, target=Hamming(), update="proximal", learning_rate=None, coefficient=8 / d, regret=8 / d
    ),
    "matrices, 0-1": replace(MATRICES, target=ZeroOne(), entropy=SquaredNorm(), **HALVES, coefficient=2, regret=2),
    "own costs": OWN_COSTS,
    "costs of sets": replace(
        SPARSEMAP,
        target=Cost([[0, 1, 1, 2], [1, 0, 3, 1], [1, 1, 0, 1], [4, 1, 1, 0]]),
        sizes=2,
        coefficient=12,
        regret=12,
    ),
    "costs of rankings": replace(RANKS, target=Cost(OF_RANKINGS), sizes=3, coefficient=24, regret=24),
    "costs of matrices": replace(MATRICES, target=Cost(OF_RANKINGS), sizes=3, coefficient=24, regret=24),
    "costs of grades, proximal": replace(
        ORDINAL,
        target=Cost([[0, 1, 4], [1, 0, 1], [2, 1, 0]]),
        entropy=SquaredNorm(),
        sizes=2,
        update="proximal",
        learning_rate=None,
        scale=1,
        coefficient=12,
        regret=12,
    ),
    "listed outputs": replace(LISTED, target=ZeroOne()),
    "listed outputs with Hamming": LISTED,
    "listed outputs and costs": replace(LISTED, target=Cost([[0, 1, 0], [1, 0, HALF], [2, HALF, 0]])),
    "a quadratic form": replace(SPARSEMAX, sizes=2, entropy=Quadratic([[2, 1], [1, 2]])),
    "a form and listed outputs": replace(
        LISTED, entropy=Quadratic([[2, HALF], [HALF, 2]]), update="proximal", learning_rate=None, regret=8
    ),
    "a form of three, convolved": replace(
        CONVOLVED, sizes=3, entropy=Convolutional(Quadratic([[2, 1, 0], [1, 3, HALF], [0, HALF, 2]]))
    ),
    "Shannon's entropy of labels": replace(SPARSEMAP, entropy=Shannon(), **HALVES, coefficient=4 / d, regret=4 / d),
    "an entropy of one's own": replace(
        SPARSEMAX, entropy=Separable(v**2 / 2 + v * log(v)), **HALVES, coefficient=1, regret=1
    ),
    "an entropy with a root": replace(
        SPARSEMAP, entropy=Tsallis(Rational(3, 2)), **HALVES, coefficient=6 / d, regret=6 / d
    ),
    "an entropy with a quotient": replace(
        SPARSEMAP,
        entropy=Separable(1 / (1 + v)),
        sizes=2,
        scale=4,
        learning_rate=Rational(1, 100),
        coefficient=8,
        regret=400,
    ),
    "a polynomial, convolved": replace(CONVOLVED, entropy=Convolutional(Separable(v**2 / 2 + v**4 / 12))),
    "an entropy with an exponential, proximal": replace(
        ORDINAL,
        entropy=Separable(exp(v)),
        target=Hamming(),
        scale=1,
        update="proximal",
        learning_rate=None,
        coefficient=12 / d,
        regret=12 / d,
    ),
    "listed sets of labels": replace(
        SPARSEMAP,
        outputs=Finite([(0, 0, 0), (1, 1, 0), (0, 1, 1)]),
        entropy=BinaryEntropy(),
        **HALVES,
        coefficient=1,
        regret=1,
    ),
    "matrices, binary entropy": replace(MATRICES, entropy=BinaryEntropy(), learning_rate=log(2) ** 2, regret=None),
}


def written(theorem: StructuredTheorem) -> str:
    """Its development with the proofs of no claim: enough to be read."""
    return StructuredDevelopment(theorem, Claims(), "T_read").text()


def agreed(theorem: StructuredTheorem, text: str) -> int:
    """How many values agree."""
    ((_, statement),) = STATEMENT.findall(text)
    return compare_structured(theorem, [text], " ".join(statement.split()))


def read_by_default(theorems: Mapping[str, StructuredTheorem]) -> list[Any]:
    """Of the permutation matrices, whose 24 outputs take longest, one is: targets and entropies are read elsewhere."""
    slow = {name for name in theorems if "matrices" in name} - {MATRICES.name}
    return [pytest.param(one, id=name, marks=[pytest.mark.slow] * (name in slow)) for name, one in theorems.items()]


def test_every_file_with_structured_theorems_is_looked_at() -> None:
    files = [file for file in shipped_files() if "StructuredTheorem(" in file.read_text()]
    items = [statement.item for file in files for statement in load(file)]
    assert {item.name for item in items if isinstance(item, StructuredTheorem)} == set(SHIPPED)


@pytest.mark.few(5)
@pytest.mark.parametrize("theorem", read_by_default(SHIPPED))
def test_the_second_reader_agrees_on_what_is_shipped(theorem: StructuredTheorem) -> None:
    assert agreed(theorem, written(theorem)) > 100


@pytest.mark.few(8)
@pytest.mark.parametrize("theorem", read_by_default(OWN))
def test_the_second_reader_agrees_on_theorems_of_ones_own(theorem: StructuredTheorem) -> None:
    assert agreed(theorem, written(theorem)) > 10


SCALE = "(scale_of (INR K)) mu"
PLANTED = {
    "a coefficient": (
        SPARSEMAX,
        "coefficient (v_K : R) : R :=\n  4",
        "coefficient (v_K : R) : R :=\n  5",
        "the alpha at",
    ),
    "a rate": (SPARSEMAX, "rate (v_K : R) : R :=\n  (1 / 2)", "rate (v_K : R) : R :=\n  (1 / 3)", "the eta at K = 2"),
    "a regret": (SPARSEMAP, "regret (v_d : R) : R :=\n  (8", "regret (v_d : R) : R :=\n  (9", "the regret at d = 1"),
    "a scale": (SPARSEMAX, "scale_of (v_K : R) : R :=\n  1", "scale_of (v_K : R) : R :=\n  2", "the scale at K = 2"),
    "no factor X^2": (SPARSEMAX, "regret (INR K) * X ^ 2", "regret (INR K) * X ^ 1", "the regret at K = 2"),
    "an output": (SPARSEMAX, "Nat.eqb i y then 1", "Nat.eqb i y then 2", "its outputs of size 2 are"),
    "an output twice": (ORDINAL, "Nat.ltb i y", "Nat.ltb i 1", "its outputs of size 1 are"),
    "a cost": (SPARSEMAX, "Nat.eqb k y then 0 else 1", "Nat.eqb k y then 0 else 2", "its cost of .* is 2"),
    "a cost without its fraction": (SPARSEMAP, " / INR d.", ".", "its cost of"),
    "an entropy": (SPARSEMAX, "((1 / 2) * (v_v ^ 2))", "((1 / 2) * (v_v ^ 3))", "the entropy at 1/2, 1/2"),
    "an entropy of another sum": (LOGISTIC, "omega (m i))", "omega (m 0))", "the entropy at 1/2, 0"),
    "a root": (ENTMAX, "((sqrt v_v) ^ 3)", "((sqrt v_v) ^ 4)", "the entropy at 1/2, 1/2"),
    "a maximum of fewer": (CONVOLVED, "largest (K - 1) m", "largest 0 m", "the entropy at 0, 1"),
    "a maximum of more": (CONVOLVED, "largest (K - 1) m", "largest K m", "entry 2 of a vector with 2 entries"),
    "a larger cost that is taken": (CUBE_CONVOLVED, "Rmin (m i)", "Rmax (m i)", "the entropy at 0 is"),
    "no convolution": (CONVOLVED, " - least_of K m.", ".", "the entropy at 1/2, 1/2"),
    "fewer outputs": (SPARSEMAP, "Structured (2 ^ d)", "Structured (S d)", "not on the hull"),
    "more outputs": (SPARSEMAP, "(2 ^ d)", "(3 ^ d)", "it has 3 outputs of size 1"),
    "another domain": (SPARSEMAX, "(hull K K (output_of K))", "(hull K K (fun y i => 0))", "not on the hull"),
    "another prediction": (SPARSEMAX, SCALE, "(scale_of (INR K)) (fun t => t)", "its prediction is another one"),
    "a premise more": (SPARSEMAX, "(2 <= K)%nat -> 0 < X", "(3 <= K)%nat -> 0 < X", "its premises at K = 2"),
    "X of any sign": (SPARSEMAX, "%nat -> 0 < X ->", "%nat -> X <> 0 ->", "its premises at K = 2, X = -1"),
    "predictions may be missing": (
        SPARSEMAX,
        "(exists mu : vector -> vector, attained (problem K mu))",
        "(exists mu : vector -> vector, attained (problem K mu) \\/ 0 <= 1)",
        "does not say that the conjugate is attained",
    ),
    "no condition on the prediction": (
        SPARSEMAX,
        "attained (problem K mu) ->\n    structured",
        "True ->\n    structured",
        "it is about other predictions",
    ),
    "nothing said of the rate": (SPARSEMAX, "rate_defined (INR K) /\\ ", "", "does not say that rate is defined"),
    "a denominator": (SPARSEMAP, "Prop :=\n  (v_d <> 0)", "Prop :=\n  True", "the alpha is defined at d = 0"),
    "another guarantee": (SPARSEMAX, "structured_guarantee (pr", "guarantee (pr", "it is no guarantee"),
    "a hull of its own": (
        SPARSEMAX,
        "Definition output_of",
        "Definition hull (n : nat) : R := 0.\nDefinition output_of",
        "hull is defined anew",
    ),
    "ranks from 0": (RANKS, "INR (S (rank d y i))", "INR (rank d y i)", "its outputs of size 2 are"),
    "a ranking twice": (RANKS, "INR (S (rank d y i))", "INR (S (rank d 0 i))", "its outputs of size 2 are"),
    "fewer rankings": (RANKS, "(fact d)", "(2 ^ (d - 1))", "it has 4 outputs of size 3"),
    "matrices by columns": (
        MATRICES,
        "(rank d y (Nat.div i d)) (Nat.modulo i d)",
        "(rank d y (Nat.modulo i d)) (Nat.div i d)",
        "its cost of",
    ),
    "shorter matrices": (MATRICES, "(d * d)", "(d * (d - 1))", "its outputs of size 2 have 2 entries"),
    "pairs twice": (RANKS, "sum j (fun i", "sum d (fun i", "its cost of .* is 2"),
    "pairs in the right order": (RANKS, "* (INR (rank d y i)", "* (0 - INR (rank d y i)", "its cost of"),
    "rankings of its own": (
        RANKS,
        "Definition output_of",
        "Definition rank (d y i : nat) : R := 0.\nDefinition output_of",
        "rank is defined anew",
    ),
    "a listed cost": (OWN_COSTS, "if Nat.eqb y 1 then 1 else 3", "if Nat.eqb y 1 then 1 else 2", "its cost of .* is 2"),
    "a listed output": (LISTED, "then (1 / 2) else (-3)", "then (1 / 3) else (-3)", "its outputs of size 2 are"),
    "a form": (
        OWN["a quadratic form"],
        "if Nat.eqb j 0 then 1 else 2",
        "if Nat.eqb j 0 then 1 else 3",
        "the entropy at",
    ),
    "half a form": (OWN["a quadratic form"], "* m j)) / 2", "* m j)) / 3", "the entropy at"),
    "an entropy of one's own": (OWN["an entropy of one's own"], "(v_v ^ 2)", "(v_v ^ 3)", "the entropy at"),
    "costs of another numbering": (
        OWN["costs of sets"],
        "if Nat.eqb y 2 then 1 else 2)",
        "if Nat.eqb y 1 then 1 else 2)",
        "its cost of",
    ),
    "a step": (OWN["proximal"], "(regret (INR K) / coefficient (INR K))", "(regret (INR K) / 2)", "the step at K = 2"),
}


@pytest.mark.few(13)
@pytest.mark.parametrize(("theorem", "old", "new", "says"), PLANTED.values(), ids=PLANTED)
def test_a_planted_difference_is_found(theorem: StructuredTheorem, old: str, new: str, says: str) -> None:
    text = written(theorem)
    assert old in text
    with pytest.raises(DifferentError, match=says):
        agreed(theorem, text.replace(old, new))


@pytest.mark.few(1)
@pytest.mark.parametrize("sizes", [10, range(10, 12)])
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [(" / INR d.", " / 1.", "its cost of"), ("(v_v ^ 2)", "(v_v ^ 3)", "the entropy at")],
    ids=["cost", "entropy"],
)
def test_a_difference_is_found_where_large_sizes_alone_are_claimed(sizes: Any, old: str, new: str, says: str) -> None:
    theorem = replace(SPARSEMAP, sizes=sizes)
    text = written(theorem)
    assert agreed(theorem, text) > 100
    with pytest.raises(DifferentError, match=says):
        agreed(theorem, text.replace(old, new))


def test_what_is_listed_of_many_outputs_is_not_left_uncompared() -> None:
    count = 25
    form = [[int(i == j) for j in range(count)] for i in range(count)]
    theorem = replace(SPARSEMAX, sizes=count, entropy=Quadratic(form))
    with pytest.raises(DifferentError, match="25 outputs are too many to be compared"):
        agreed(theorem, written(replace(SPARSEMAX, sizes=count)))


def test_a_theorem_of_another_file_is_found() -> None:
    with pytest.raises(DifferentError):
        agreed(SPARSEMAP, written(SPARSEMAX))
    with pytest.raises(DifferentError):
        agreed(SPARSEMAX, margin_text(next(theorems_of(SMOOTH))))


OUTSIDE: dict[str, tuple[StructuredTheorem, str]] = {
    "a form of many outputs": (
        replace(SPARSEMAP, sizes=5, entropy=Quadratic([[int(i == j) for j in range(5)] for i in range(5)])),
        "32 outputs are too many",
    ),
    "many listed outputs": (
        replace(SPARSEMAX, outputs=Finite([(i,) for i in range(25)]), sizes=None),
        "25 outputs are too many",
    ),
    "a flat form": (replace(SPARSEMAX, sizes=2, entropy=Quadratic([[1, -1], [-1, 1]])), "positive definite"),
    "an entropy in pieces": (
        replace(SPARSEMAX, entropy=Separable(sp.Max(v**2, 2 * v**2 - v / 2))),
        "an entropy in several pieces",
    ),
    "an entropy with a fourth root": (replace(SPARSEMAX, entropy=Tsallis(Rational(5, 4))), "than square roots"),
    "an entropy that is flat": (replace(SPARSEMAX, entropy=Separable(v**4)), "strongly convex"),
    "an entropy with another logarithm": (
        replace(SPARSEMAX, entropy=Separable(v**2 / 2 + v**2 * log(v) + 4 * v**2)),
        "not seen to be continuous",
    ),
    "classes with Hamming, convolved": (replace(CONVOLVED, target=Hamming()), "no least expected cost of this target"),
    "no rate": (replace(SPARSEMAX, learning_rate=None, regret=None), "neither a learning rate nor a regret"),
    "pieces": (replace(SPARSEMAP, coefficient=sp.Max(8 / d, 1)), "in several pieces"),
}


@pytest.mark.few(3)
@pytest.mark.parametrize(("theorem", "says"), OUTSIDE.values(), ids=OUTSIDE)
def test_what_is_not_written_says_why(theorem: StructuredTheorem, says: str) -> None:
    with pytest.raises(OutOfScopeError, match=says):
        conditions(theorem)


# --- with coqc --------------------------------------------------------------------------------------------------------


def certificates(theorem: StructuredTheorem) -> dict[str, Certificate]:
    """Of the conditions on its numbers."""
    return certified(theorem, conditions(theorem), certify)


def accepted_by_coq(theorem: StructuredTheorem, whole: Whole, library: Path, work: Path) -> bool:
    found = read(whole, compiled(asked(whole), work, library))
    assert set(found.axioms) <= set(ALLOWED.values())
    return compare_structured(theorem, [*whole.files.values()], found.statement) > 10


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", [*OWN])
def test_theorems_of_ones_own_are_accepted(name: str, library: Path, tmp_path: Path) -> None:
    theorem = OWN[name]
    assert accepted_by_coq(theorem, structured_development(theorem, certificates(theorem)), library, tmp_path)


Change = Callable[[StructuredTheorem], StructuredTheorem]


def with_(**changed: Any) -> Change:
    return lambda theorem: replace(theorem, **changed)


REFUSED: dict[str, tuple[StructuredTheorem, Change, str]] = {
    "a smaller coefficient": (SPARSEMAP, with_(coefficient=8 / d * Rational(99, 100)), "criterion_holds"),
    "a larger rate": (LOGISTIC, with_(learning_rate=2 * log(2) * Rational(101, 100)), "modulus_holds"),
    "a smaller regret": (SPARSEMAX, with_(regret=Rational(399, 100)), "follows_holds"),
    "a rate above the strong convexity": (
        SPARSEMAX,
        with_(coefficient=Rational(9), learning_rate=Rational(9, 8)),
        "modulus_holds",
    ),
    "a convolution with a larger rate": (CONVOLVED, with_(learning_rate=Rational(101, 100)), "modulus_holds"),
    "a smaller coefficient of rankings": (
        RANKS,
        with_(coefficient=Rational(79, 10) / (d * (d - 1))),
        "criterion_holds",
    ),
    "a smaller coefficient of listed costs": (OWN_COSTS, with_(coefficient=Rational(799, 100)), "criterion_holds"),
    "a smaller coefficient with an entropy of one's own": (
        OWN["an entropy of one's own"],
        with_(coefficient=Rational(79, 100)),
        "criterion_holds",
    ),
    "a size less": (replace(SPARSEMAP, sizes=range(2, 7)), with_(sizes=range(1, 7)), "all_positive"),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize(("theorem", "change", "lemma"), REFUSED.values(), ids=REFUSED)
def test_numbers_that_do_not_follow_from_the_claims_are_refused(
    theorem: StructuredTheorem, change: Change, lemma: str, library: Path, tmp_path: Path
) -> None:
    whole = structured_development(change(theorem), certificates(theorem))
    with pytest.raises(RefusedError) as error:
        compiled(whole.files, tmp_path, library)
    assert lemma_at(whole.files[f"{whole.module}.v"], error.value.line) == lemma


OTHER_RANKINGS = {
    "ranks from 0": ("INR (S (rank d y i))", "INR (rank d y i)"),
    "a cost of pairs in the right order": ("y j))) 0 then 1 else 0", "y j))) 0 then 0 else 1"),
    "a half of the fraction": ("(INR d - 1) / 2)", "(INR d - 1))"),
    "fewer rankings": ("(fact d)", "d"),
    "one item": ("(2 <= d)%nat", "(1 <= d)%nat"),
    "another bound on the pairs": ("apply kendall_on_rank_vectors", "apply kendall_on_rank_matrices"),
}
OTHER_COSTS = {
    "a larger listed cost": ("Nat.eqb y 1 then 1 else 3", "Nat.eqb y 1 then 1 else 5"),
    "another size": ("(3 <= K)%nat", "(2 <= K)%nat"),
}
OTHER_FORMS = {
    "a flatter form": ("Nat.eqb j 0 then 2 else 1", "Nat.eqb j 0 then 1 else 1"),
    "a form that is not symmetric": ("Nat.eqb j 0 then 2 else 1", "Nat.eqb j 0 then 2 else 0"),
}
OTHER_ENTROPIES = {
    "an entropy that is less convex": ("(v_v * (ln v_v)))", "((1 / 2) * v_v * (ln v_v)))"),
    "a slope that is another": ("omega_slope (v_v : R) : R := (1", "omega_slope (v_v : R) : R := (2"),
    "a larger share": ("(3 / 2)", "(8 / 5)"),
    "more convexity": ("2 <= omega_bend", "3 <= omega_bend"),
}
OTHER_TEXTS = {
    "a larger cost": ("Nat.eqb k y then 0 else 1", "Nat.eqb k y then 0 else 2"),
    "another entropy": ("((1 / 2) * (v_v ^ 2))", "((1 / 4) * (v_v ^ 2))"),
    "longer outputs": ("Nat.eqb i y then 1 else 0", "Nat.eqb i y then 2 else 0"),
    "no proof": ("Qed.\nPrint Assumptions", "Admitted.\nPrint Assumptions"),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("theorem", "changes"),
    [
        (SPARSEMAX, OTHER_TEXTS),
        (RANKS, OTHER_RANKINGS),
        (OWN_COSTS, OTHER_COSTS),
        (OWN["a quadratic form"], OTHER_FORMS),
        (OWN["an entropy of one's own"], OTHER_ENTROPIES),
    ],
    ids=["own", "ranks", "costs", "forms", "entropies"],
)
def test_a_changed_development_is_refused(
    theorem: StructuredTheorem, changes: dict[str, tuple[str, str]], library: Path, tmp_path: Path
) -> None:
    whole = structured_development(theorem, certificates(theorem))
    (claims, text), (name, whole_text) = whole.files.items()
    compiled({claims: text}, tmp_path, library)
    for old, new in changes.values():
        assert old in whole_text
        changed = replace(whole, files={name: whole_text.replace(old, new)})
        with pytest.raises(Exception, match=r"Error|it rests on"):
            read(changed, compiled(asked(changed), tmp_path, library))


@pytest.mark.slow
@pytest.mark.coq
def test_the_second_reader_numbers_rankings_as_the_library(library: Path, tmp_path: Path) -> None:
    """``rank`` is the library's word: its values, and those of the quotients, are asked of Coq."""
    lines = [
        "From Coq Require Import List Arith.",
        "From Gaptron Require Import RankingDefinitions.",
        "Import ListNotations.",
    ]
    lines += [
        f"Compute map (fun y => map (rank {items} y) (seq 0 {items})) (seq 0 (fact {items}))." for items in range(1, 6)
    ]
    lines.append("Compute map (fun i => [Nat.div i 3; Nat.modulo i 3]) (seq 0 10).")
    said = compiled({"Numbered.v": "\n".join(lines) + "\n"}, tmp_path, library)
    found = [ast.literal_eval(rows.replace(";", ",")) for rows in re.findall(r"= (\[\[.*?\]\])", said, re.DOTALL)]
    rank, quotient, remainder = (FUNCTIONS[name][1] for name in ("rank", "Nat.div", "Nat.modulo"))
    assert found[:-1] == [
        [[rank(*map(Fraction, (items, y, i))) for i in range(items)] for y in range(factorial(items))]
        for items in range(1, 6)
    ]
    assert found[-1] == [[f(Fraction(i), Fraction(3)) for f in (quotient, remainder)] for i in range(10)]


def test_conditions_speak_of_the_sizes_that_are_claimed() -> None:
    found = conditions(replace(SPARSEMAP, sizes=range(2, 7)))
    ((claim,),) = (one.claims for one in found if one.id == "criterion")
    assert set(claim.given) == {*where("d >= 2", "d <= 6")}
    assert not conditions(SPARSEMAX)[0].claims[0].given


LAMBDA_AND_B = {
    "0-1 target, sparsemax": "1 | 1/2",
    "0-1 target, softmax": "2 | 2 ln 2",
    "0-1 target, 1.5-entmax": "1 | (4/3)(2 - sqrt 2)",
    "multilabel, Hamming target, logistic": "4 | 4 ln 2",
}
BOUNDS = {
    "0-1 target, sparsemax": "0-1 | 1",
    "multilabel, Hamming target, SparseMAP": "Hamming | 2/d",
    "multilabel, 0-1 target, SparseMAP": "0-1 | 2",
    "rank vectors, Kendall target, squared norm": "Kendall | 2/(d (d - 1))",
    "permutation matrices, Kendall target, Shannon": "Kendall | (2 d - 3)/(d (d - 1))",
    "permutation matrices, Hamming target, Shannon": "Hamming | 2/d^2",
}


def number(text: str) -> Expression:
    """A constant as the page writes it."""
    for old, new in (
        (" ln 2", "*log(2)"),
        (")(", ")*("),
        ("d (", "d*("),
        ("2 d", "2*d"),
        ("^", "**"),
        ("sqrt 2", "sqrt(2)"),
    ):
        text = text.replace(old, new)
    return formula(text)


def test_the_page_has_the_constants_of_the_library() -> None:
    page = (REPOSITORY / "docs" / "formal_details.md").read_text()
    for name, row in LAMBDA_AND_B.items():
        strength, share = row.split(" | ")
        found = entropy_of(SHIPPED[name])
        assert f"| {row} |" in page
        assert (found.strength, found.share) == (number(strength), number(share))
    for name, row in BOUNDS.items():
        assert f"| {row} |" in page
        assert written_out("a - b", a=target_of(SHIPPED[name]).bound, b=number(row.split(" | ")[1])) == 0
