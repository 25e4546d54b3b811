"""Refutations of structured theorems in Coq: a distribution of the output that leaves no decoder."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, Command
from sympy import Rational, log
from test_whole_theorems import lemma_at

from gaptron import StructuredTheorem
from gaptron.checking.checker import check
from gaptron.coq.development import Whole, structured_refutation, structured_refuting
from gaptron.coq.formal import STATEMENT, asked, read
from gaptron.coq.library import RefusedError, compiled
from gaptron.coq.proved import Claims
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.reader.structured_statement import compare_structured
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.structured_development import about_entropy, certified
from gaptron.prove.certify import certify
from gaptron.structured import (
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
from gaptron.symbols import Parameter, d, v
from gaptron.theory.files import load

WIDTH = Parameter("w", 1, 4)
CORNERS = Cost([[0, 1, 2, 3], [4, 0, 5, 6], [7, 8, 0, 9], [10, 11, 12, 0]])


def example(name: str) -> StructuredTheorem:
    """The one theorem of an example."""
    (statement,) = load(REPOSITORY / "examples" / name)
    assert isinstance(statement.item, StructuredTheorem)
    return statement.item


def steps(**parts: Any) -> StructuredTheorem:
    """Of one tenth, on classes with the 0-1 target and the squared norm, or otherwise."""
    usual = {"outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm(), "learning_rate": Rational(1, 10)}
    return StructuredTheorem(**{"name": "refuted", "coefficient": Rational(1, 2), **usual, **parts})


def proximal(**parts: Any) -> StructuredTheorem:
    """The same with proximal updates."""
    return steps(**{"update": "proximal", "learning_rate": None, "regret": Rational(1, 2), **parts})


def of(distribution: str, **parts: Any) -> dict[str, Any]:
    """A witness: probabilities, perhaps of some outputs."""
    return {"obligation": "criterion/uniform", "distribution": distribution.split(), **parts}


PROXIMAL = {
    "proximal": (
        proximal(),
        of("1/2 1/2", K=2, outputs=[["1", "0"], ["0", "1"]], scores=[["2/3", "1/3"], ["1/3", "2/3"]]),
    ),
    "proximal, own costs": (
        proximal(target=Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]])),
        of(
            "3/4 1/8 1/8",
            K=3,
            outputs=[["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
            scores=[["9/10", "1/20", "1/20"], ["3/5", "2/5", "0"], ["3/5", "0", "2/5"]],
        ),
    ),
    "proximal and Shannon's entropy": (
        proximal(entropy=Shannon(), coefficient=Rational(1, 4), regret=Rational(1, 8)),
        of("1/2 1/2", K=2, outputs=[["1", "0"], ["0", "1"]], scores=[["7/10", "-7/10"], ["-7/10", "7/10"]]),
    ),
    "proximal, with a parameter": (
        proximal(entropy=Tsallis(Rational(3, 2)), scale=WIDTH),
        of(
            "1/2 1/2",
            K=2,
            parameters={"w": "1"},
            outputs=[["1", "0"], ["0", "1"]],
            scores=[["8/5", "6/5"], ["6/5", "8/5"]],
        ),
    ),
    "proximal, an entropy of one's own": (
        proximal(entropy=Separable(v * log(v) + v**2 / 2), coefficient=Rational(1, 4), regret=Rational(1, 8)),
        of("1/2 1/2", K=2, outputs=[["1", "0"], ["0", "1"]], scores=[["1/2", "-1/2"], ["-1/2", "1/2"]]),
    ),
    "proximal labels": (
        proximal(outputs=Cube(), target=Hamming(), entropy=BinaryEntropy(), coefficient=Rational(1, 8), sizes=2),
        of("1/2 1/2", size=2, outputs=[["0", "0"], ["1", "0"]], scores=[["-1/2", "-3"], ["1/2", "-3"]]),
    ),
    "proximal and a quadratic form": (
        proximal(outputs=Ordinal(), target=Hamming(), entropy=Quadratic([[2, 1], [1, 2]]), sizes=2),
        of("1/2 1/2", size=2, outputs=[["0", "0"], ["1", "0"]], scores=[["3/5", "1/5"], ["7/5", "4/5"]]),
    ),
}
STATED = {
    "own costs": (example("own_costs_too_fast.py"), of("3/4 0 1/4", K=3)),
    "labels": (
        example("multilabel_small.py"),
        of("1/2 1/2", size=4, outputs=[["0", "0", "0", "0"], ["0", "0", "0", "1"]]),
    ),
    "own costs of corners": (
        steps(outputs=Cube(), target=CORNERS, sizes=2),
        of("1/4 1/4 1/4 1/4", size=2),
    ),
    "classes": (steps(), of("1/2 1/2", K=2)),
    "convolved": (steps(entropy=Convolutional(Shannon()), coefficient=Rational(1, 8)), of("1/2 1/4 1/4", K=3)),
    "convolved labels": (
        steps(outputs=Cube(), target=Hamming(), entropy=Convolutional(BinaryEntropy()), coefficient=Rational(1, 8)),
        of("1/2 1/4 1/4", size=2, outputs=[["0", "0"], ["1", "0"], ["1", "1"]]),
    ),
    "listed outputs": (
        steps(outputs=Finite([(0, 0), (1, 0), (Rational(1, 2), -3)]), target=Cost([[0, 1, 2], [3, 0, 1], [4, 1, 0]])),
        of("1/4 3/4", size=2, outputs=[["0", "0"], ["1", "0"]]),
    ),
    "a quadratic form": (
        steps(entropy=Quadratic([[2, 1], [1, 2]]), sizes=2),
        of("1/2 1/2", K=2),
    ),
    "a form that is convolved": (
        steps(entropy=Convolutional(Quadratic([[2, 1, 0], [1, 3, 1], [0, 1, 2]])), coefficient=Rational(1, 4), sizes=3),
        of("1/2 1/4 1/4", K=3),
    ),
    "classes and Shannon's entropy": (
        steps(entropy=Shannon(), coefficient=Rational(1, 4)),
        of("1/2 1/4 1/4", K=3),
    ),
    "a parameter": (
        steps(entropy=Tsallis(Rational(3, 2)), scale=WIDTH),
        of("1/2 1/2", K=2, parameters={"w": "1"}),
    ),
    "grades": (
        steps(outputs=Ordinal(), target=Hamming(), entropy=BinaryEntropy(), coefficient=1 / (2 * d), sizes=range(2, 6)),
        of("1/2 1/2", size=2, outputs=[["0", "0"], ["1", "0"]]),
    ),
    "an entropy of one's own": (
        steps(entropy=Separable(v * log(v) + v**2 / 2), coefficient=Rational(1, 4)),
        of("1/2 1/4 1/4", K=3),
    ),
    **PROXIMAL,
    "rankings": (
        steps(outputs=RankVectors(), target=KendallTau(), sizes=3),
        of("1/2 1/2", size=3, outputs=[["1", "2", "3"], ["1", "3", "2"]]),
    ),
    "matrices": (
        steps(outputs=PermutationMatrices(), target=Hamming(), coefficient=Rational(1, 10), sizes=2),
        of("1/2 1/2", size=2, outputs=[["1", "0", "0", "1"], ["0", "1", "1", "0"]]),
    ),
}


def text_of(theorem: StructuredTheorem, witness: dict[str, Any]) -> str:
    """The refutation beside its claims: enough to be read."""
    return structured_refuting(theorem, Claims(), "R_read", witness).text()


def agreed(theorem: StructuredTheorem, text: str, is_refuted: bool = True) -> int:
    """How many values agree."""
    ((_, statement),) = STATEMENT.findall(text)
    return compare_structured(theorem, [text], " ".join(statement.split()), is_refuted)


@pytest.mark.few(3)
@pytest.mark.parametrize("stated", STATED)
def test_the_second_reader_agrees(stated: str) -> None:
    theorem, witness = STATED[stated]
    assert agreed(theorem, text_of(theorem, witness)) > 10


def test_a_refutation_is_no_theorem() -> None:
    theorem, witness = STATED["classes"]
    with pytest.raises(DifferentError, match="not about all sizes"):
        agreed(theorem, text_of(theorem, witness), is_refuted=False)


PLANTED = {
    "a coefficient": ("classes", "(v_K : R) : R :=\n  (1 / 2)", "(v_K : R) : R :=\n  (1 / 3)", "the alpha"),
    "a rate": ("classes", "rate (v_K : R) : R :=\n  (1 / 10)", "rate (v_K : R) : R :=\n  1", "the eta at"),
    "a scale": ("classes", "scale_of (v_K : R) : R :=\n  1", "scale_of (v_K : R) : R :=\n  2", "the scale at"),
    "a cost": ("classes", "Nat.eqb k y then 0 else 1", "Nat.eqb k y then 0 else 2", "its cost of"),
    "a matrix": ("own costs", "else 3)", "else 2)", "its cost of"),
    "an entropy": ("classes", "(v_v ^ 2)", "(v_v ^ 3)", "the entropy at"),
    "an output": ("classes", "if Nat.eqb i y then 1", "if Nat.eqb i y then 2", "its outputs of size 2 are"),
    "another domain": ("classes", "(hull K K (output_of K))", "(hull K K (fun y i => 0))", "not on the hull"),
    "a premise less": ("classes", "(2 <= K)%nat /\\ 0 < X", "(1 <= K)%nat /\\ 0 < X", "its premises at K = 1"),
    "nothing said of the rate": ("classes", "rate_defined (INR K) /\\ ", "", "does not say that rate is defined"),
    "no prediction": ("classes", "(exists mu : vector -> vector, attained (problem K mu)) /\\", "", "there are"),
    "one prediction": ("classes", "(forall mu", "(exists mu", "not about every regularised prediction"),
    "a decoder": ("classes", "~ decodable", "decodable", "it denies no decoder"),
    "something else": ("classes", "~ decodable", "~ entropy_criterion", "it denies no decoder"),
    "a proximal constant": (
        "proximal",
        "regret (v_K : R) : R :=\n  (1 / 2)",
        "regret (v_K : R) : R :=\n  (1 / 3)",
        "the step at K = 2",
    ),
    "a proximal coefficient": (
        "proximal",
        "coefficient (v_K : R) : R :=\n  (1 / 2)",
        "coefficient (v_K : R) : R :=\n  (1 / 3)",
        "the alpha",
    ),
    "a constant that is attained": ("proximal", "~ attainable", "attainable", "it denies no decoder"),
    "a proximal decoder": ("proximal", "~ attainable (surrogate_problem", "~ decodable (id", "it is no guarantee"),
    "another radius": ("proximal", "K mu)) X (coefficient", "K mu)) 1 (coefficient", "it is no guarantee"),
    "a proximal cost": ("proximal, own costs", "else 3)", "else 2)", "its cost of"),
    "a listed output": ("listed outputs", "else (-3))", "else (-2))", "its outputs of size 2 are"),
    "no convolution": ("convolved", " - least_of K m.", ".", "the entropy at"),
    "a form": ("a quadratic form", "Nat.eqb j 0 then 2 else 1", "Nat.eqb j 0 then 2 else 0", "the entropy at"),
    "other rates": ("classes", "mu) (rate (INR K)) (coefficient", "mu) (coefficient (INR K)) (rate", "the alpha"),
}


@pytest.mark.few(7)
@pytest.mark.parametrize("planted", PLANTED)
def test_a_refutation_of_something_else_is_found(planted: str) -> None:
    stated, before, after, finding = PLANTED[planted]
    theorem, witness = STATED[stated]
    text = text_of(theorem, witness)
    assert before in text
    with pytest.raises(DifferentError, match=finding):
        agreed(theorem, text.replace(before, after))


def test_a_decoder_of_ones_own_is_found() -> None:
    anew = "Definition decodable (x : R) : Prop :=\n  0 = 0.\n"
    with pytest.raises(DifferentError, match="decodable is defined anew"):
        compare_structured(STATED["classes"][0], [anew], "0 = 0", is_refuted=True)


def test_a_refutation_speaks_of_the_steps_of_the_theorem() -> None:
    theorem, witness = STATED["classes"]
    with pytest.raises(DifferentError, match="it is no guarantee"):
        agreed(replace(theorem, update="proximal", learning_rate=None, regret=1), text_of(theorem, witness))
    theorem, witness = STATED["proximal"]
    with pytest.raises(DifferentError, match="it denies no decoder"):
        agreed(steps(), text_of(theorem, witness))


@pytest.mark.parametrize(
    ("theorem", "witness", "reason"),
    [
        pytest.param(steps(coefficient=4), of("1/2 1/2", K=2), "no enclosure shows", id="a criterion that holds"),
        pytest.param(steps(), of("1 0", K=2), "no enclosure shows", id="a sure output"),
        pytest.param(steps(), {"obligation": "regret", "K": 2}, "no distribution", id="a regret"),
        pytest.param(steps(scale=WIDTH), of("1/2 1/2", K=2), "does not set every parameter", id="no parameter"),
        pytest.param(
            steps(target=Cost([[abs(k - y) for y in range(25)] for k in range(25)])),
            of(" ".join(["1/25"] * 25), K=25),
            "25 outputs are too many",
            id="many costs",
        ),
        pytest.param(steps(outputs=Cube()), of("1", size=6, outputs=[["0"] * 6]), "more than 32 outputs", id="many"),
        pytest.param(proximal(), of("1/2 1/2", K=2), "has no scores", id="proximal without scores"),
        pytest.param(
            proximal(coefficient=4, regret=4),
            STATED["proximal"][1],
            "no enclosure shows",
            id="a constant that is attained",
        ),
    ],
)
def test_what_is_not_stated_is_named(theorem: StructuredTheorem, witness: dict[str, Any], reason: str) -> None:
    with pytest.raises(OutOfScopeError, match=reason):
        text_of(theorem, witness)


def whole_of(stated: str) -> Whole:
    """By its witness here, and the certificates about its entropy."""
    theorem, witness = STATED[stated]
    return structured_refutation(theorem, witness, certified(theorem, about_entropy(theorem), certify))


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(12)
@pytest.mark.parametrize("stated", STATED)
def test_coq_accepts_every_kind(stated: str, library: Path, tmp_path: Path) -> None:
    whole = whole_of(stated)
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert found.theorem == whole.theorem
    assert compare_structured(STATED[stated][0], [*whole.files.values()], found.statement, is_refuted=True) > 10


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("stated", "before", "after", "lemma"),
    [
        pytest.param("own costs", "y 2 then (1 / 4)", "y 2 then (1 / 2)", "witness_distribution", id="other weights"),
        pytest.param("own costs", "i 2 then (1 / 4)", "i 2 then (1 / 2)", "witness_means", id="another mean"),
        pytest.param("own costs", "  (3 / 4) <=", "  (4 / 4) <=", "witness_costs", id="a larger least cost"),
        pytest.param("own costs", "(101 / 200)", "(99 / 200)", "R_read_refuted", id="a rate with a decoder"),
        pytest.param(
            "proximal",
            "scores_0 (i : nat) : R := if Nat.eqb i 0 then 1",
            "scores_0 (i : nat) : R := if Nat.eqb i 0 then 2",
            "witness_loss_0",
            id="other scores",
        ),
        pytest.param(
            "proximal",
            "slope_0 (i : nat) : R := if Nat.eqb i 0 then 1",
            "slope_0 (i : nat) : R := if Nat.eqb i 0 then 2",
            "witness_touches_0",
            id="another slope",
        ),
        pytest.param(
            "proximal",
            "regret (v_K : R) : R :=\n  (1 / 2)",
            "regret (v_K : R) : R :=\n  2",
            "R_read_refuted",
            id="a constant that is attained",
        ),
        pytest.param("convolved", "largest (K - 1) m", "largest 0 m", "witness_entropy", id="another least cost"),
        pytest.param(
            "a form that is convolved",
            "Nat.eqb j 1 then 3",
            "Nat.eqb j 1 then (1 / 4)",
            "witness_entropy",
            id="a form that is not convex",
        ),
        pytest.param(
            "classes and Shannon's entropy",
            "use witness_gap",
            "use witness_rate",
            "R_read_refuted",
            id="without what the kernel shows",
        ),
    ],
)
def test_coq_refuses_what_breaks_nothing(
    stated: str, before: str, after: str, lemma: str, library: Path, tmp_path: Path
) -> None:
    theorem, witness = STATED[stated]
    claims = Claims()
    text = structured_refuting(theorem, claims, "R_read", witness).text()
    changed = text.replace(before, after)
    assert changed != text
    with pytest.raises(RefusedError) as refused:
        compiled({"R_read_claims.v": claims.text, "R_read.v": changed}, tmp_path, library)
    assert lemma_at(changed, refused.value.line) == lemma


FALSE = {
    "0-1": proximal(coefficient=1, regret=Rational(1, 4)),
    "Shannon's entropy": proximal(entropy=Shannon(), regret=Rational(1, 8), sizes=3),
    "entmax": proximal(entropy=Tsallis(Rational(3, 2)), coefficient=1, regret=Rational(1, 4), sizes=range(2, 5)),
    "own costs": proximal(target=Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]]), coefficient=4, regret=Rational(1, 2)),
    "labels": proximal(
        outputs=Cube(),
        target=Hamming(),
        entropy=BinaryEntropy(),
        coefficient=Rational(1, 8),
        regret=Rational(1, 8),
        sizes=3,
    ),
    "grades": proximal(outputs=Ordinal(), target=Hamming(), sizes=3, coefficient=1, regret=Rational(1, 8)),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", FALSE)
def test_scores_that_are_found_are_accepted(name: str, library: Path, tmp_path: Path) -> None:
    (found,) = check([FALSE[name]], seconds=20.0, workers=1)
    whole = structured_refutation(found.item, found.witnesses[0], {})
    said = read(whole, compiled(asked(whole), tmp_path, library))
    assert compare_structured(found.item, [*whole.files.values()], said.statement, is_refuted=True) > 10


@pytest.mark.slow
@pytest.mark.coq
def test_a_witness_that_is_found_is_written() -> None:
    (found,) = check([STATED["rankings"][0]], seconds=20.0, workers=1)
    assert "is_distribution 6" in structured_refutation(found.item, found.witnesses[0], {}).files["R_refuted.v"]


@pytest.mark.slow
@pytest.mark.coq
def test_the_command_shows_the_evidence(gaptron: Command) -> None:
    done = gaptron("check", "--coq", "examples/own_costs_too_fast.py")
    assert done.returncode == 1
    assert "REFUTED   three classes, own costs, too fast" in done.stdout
    assert "coq" in done.stdout.splitlines()[0]
