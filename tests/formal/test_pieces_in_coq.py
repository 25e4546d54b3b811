"""Losses with logarithms and exponentials in several pieces as whole theorems, and joins that Coq refuses."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sympy import And, Expr, Max, Ne, Piecewise, Rational, exp, log
from test_refutations import broken
from test_whole_theorems import lemma_at, proved

from gaptron import BinaryLoss, GapMap, MarginLoss, Parameter, SoftmaxLoss
from gaptron.coq.development import Whole, development, refutation
from gaptron.coq.extracted import of_coq
from gaptron.coq.formal import STATEMENT, asked, read
from gaptron.coq.library import RefusedError, compiled
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.theorem_data import losses_of
from gaptron.symbols import K, m, p, z
from gaptron.theory.theorem import Theorem

HALF = Rational(1, 2)
TRUNCATED = GapMap(Piecewise((1 - p, p >= HALF), (1, True)))
LOG_AND_LINE = Piecewise((-log(p, 2), p <= HALF), (2 * (1 - p), True))
Written = tuple[Theorem, Callable[[Theorem], Whole]]  # and how it, or another one, is written with its certificates
TAIL, SLOW = exp(-m), log(2) / (16 * K)
w = Parameter("w", 1, 2)


def tail(line: Expr, rate: Expr, tail: Expr = TAIL) -> Theorem:
    """A line on the left of 0 and an exponential on its right."""
    loss = MarginLoss(Piecewise((line, m <= 0), (tail, True)))
    return Theorem(name="pieces", loss=loss, gap_map=GapMap(exp(-m)), learning_rate=rate)


def of_softmax(psi: Expr, rate: Expr = SLOW) -> Theorem:
    """A softmax loss with the truncated gap map."""
    return Theorem(name="pieces", loss=SoftmaxLoss(psi), gap_map=TRUNCATED, learning_rate=rate)


LINE = tail(1 - m, 1 / (2 * K))
LINES = Piecewise((1 - 2 * m, m < -1), (2 - m, m < 0), (1 + exp(-m), True))
POINT = Piecewise((1 - m, m < 0), (1, And(m <= 0, m >= 0)), (exp(-m), True))
SIGNED = Piecewise((1 - z, z <= 0), (exp(-z), True))
SOFTMAX = of_softmax(LOG_AND_LINE)
VECTOR = replace(LINE, loss=BinaryLoss(plus=SIGNED), learning_rate=Rational(1, 4))
TOO_FAST = replace(VECTOR, learning_rate=4)
FEW = K <= 5
COST = Theorem(  # wherever a number changes it is in pieces
    name="cost",
    loss=MarginLoss(Max(1 - m, 0), off_above=Piecewise((Rational(1, 3), FEW), (Rational(2, 5), True))),
    gap_map=GapMap(
        Piecewise((1 - m, And(FEW, m <= Rational(1, 3))), (1 - m, And(K > 5, m <= Rational(2, 5))), (0, True))
    ),
    abstention_cost=Piecewise((HALF, FEW), (HALF / 2, True)),
    learning_rate=Rational(1, 3),
    regret=Max(Rational(3, 2), 2 - K / 4),
)
IN_PIECES = {
    "a line and an exponential": LINE,
    "a kink that depends on a parameter": tail(1 - w * m, 1 / (16 * K)),
    "a rate and a regret in pieces": replace(
        LINE, learning_rate=Piecewise((1 / (2 * K), Ne(K, 4)), (1 / (3 * K), True)), regret=Max(K, 6)
    ),
    "a rate that is 0 where nothing is claimed": replace(
        LINE, learning_rate=Piecewise((1 / (2 * K), K <= 100), (0, True)), classes=range(2, 101)
    ),
    "a cost and a threshold in pieces": COST,
    "pieces inside of an exponential": replace(LINE, gap_map=GapMap(exp(-Max(m, 0)))),
    "three pieces": replace(LINE, loss=MarginLoss(LINES), learning_rate=1 / (8 * K)),
    "a piece at one point": replace(LINE, loss=MarginLoss(POINT)),
    "one vector": VECTOR,
    "a logarithm and a line": SOFTMAX,
    "two logarithms with a kink, and one without": of_softmax(
        Piecewise((-2 * log(p, 2), p < HALF), (1 - log(p, 2), p < Rational(3, 4)), (1 - log(p, 2), True))
    ),
    "pieces that meet at 1/K": of_softmax(Piecewise((-log(p, 2), p <= 1 / K), (-log(p, 2), True))),
    "abstention": replace(SOFTMAX, learning_rate=log(2) / 16, abstention_cost=HALF),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(8)
@pytest.mark.parametrize("theorem", IN_PIECES.values(), ids=IN_PIECES)
def test_coq_accepts_pieces_that_are_joined(theorem: Theorem, library: Path, tmp_path: Path) -> None:
    whole = development(*proved(theorem))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert compare(theorem, [*whole.files.values()], found.statement) > 30


@pytest.fixture(scope="module")
def line() -> Written:
    """A loss of one vector in pieces, and what is refuted of it."""
    certificates, witness = broken(TOO_FAST)
    return TOO_FAST, partial(refutation, proved=certificates, witness=witness)


@pytest.fixture(scope="module")
def softmax() -> Written:
    """A softmax loss in pieces."""
    theorem, certificates = proved(SOFTMAX)
    return theorem, partial(development, proved=certificates)


@pytest.fixture(scope="module")
def claims(line: Written, softmax: Written, library: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Their claims, compiled: a folder each."""
    folders = {}
    for kind, (theorem, write) in (("line", line), ("softmax", softmax)):
        folders[kind] = tmp_path_factory.mktemp(kind)
        name, text = next(iter(write(theorem).files.items()))
        compiled({name: text}, folders[kind], library)
    return folders


def refused_at(whole: Whole, folder: Path, library: Path, change: Callable[[str], str] = str) -> str:
    """The lemma that Coq refuses, with these claims."""
    name = f"{whole.module}.v"
    text = change(whole.files[name])
    with pytest.raises(RefusedError) as refused:
        compiled({name: text}, folder, library)
    return lemma_at(text, refused.value.line)


def signed(line: Expr, tail: Expr) -> Theorem:
    """A loss of one vector in other pieces that meet at 0."""
    return replace(TOO_FAST, loss=BinaryLoss(plus=Piecewise((line, z <= 0), (tail, True))))


def logs(first: Expr, second: Expr) -> SoftmaxLoss:
    """Two pieces that meet at 1/2."""
    return SoftmaxLoss(Piecewise((first, p <= HALF), (second, True)))


BROKEN = {
    "a slope that falls": ("line", signed(1 - z, exp(-2 * z))),
    "values that differ": ("line", signed(2 - z, exp(-z))),
    "a piece that is concave": ("line", signed(1 - z, 2 - exp(z))),
    "a softmax slope that falls": ("softmax", replace(SOFTMAX, loss=logs(-log(p, 2), 4 * (1 - p) ** 2))),
    "softmax values that differ": ("softmax", replace(SOFTMAX, loss=logs(-log(p, 2), 3 - 3 * p))),
}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "theorem"), BROKEN.values(), ids=BROKEN)
def test_pieces_that_are_not_joined_have_no_certificates(
    kind: str, theorem: Theorem, line: Written, softmax: Written
) -> None:
    _, write = {"line": line, "softmax": softmax}[kind]
    with pytest.raises(OutOfScopeError, match="no certificate for Coq's claim"):
        write(theorem)


@pytest.mark.slow
@pytest.mark.coq
def test_coq_refuses_a_rate_that_the_data_does_not_have(
    softmax: Written, claims: dict[str, Path], library: Path
) -> None:
    """The claims are those of a smaller one."""
    theorem, write = softmax
    assert refused_at(write(replace(theorem, learning_rate=log(2) / K)), claims["softmax"], library) == "conditions"


OTHERWISE = {
    "another loss": ("(1 + ((-1) * v_z))", "(2 + ((-1) * v_z))", "witness_plus_0"),
    "another part": ("witness_claimed) 0 _", "witness_claimed) 1 _", "witness_plus_0"),
    "another slope": ("0 (-1).", "0 (-2).", "witness_plus_0"),
    "another place": ("_ 0 ltac:", "_ 1 ltac:", "witness_plus_0"),
    "data of which nothing is proved": ("Lemma loss_is_stated ", "Lemma unused ", "witness_plus_0"),
    "a tangent that is not there": ("Lemma witness_plus_0 ", "Lemma unused ", "witness_breaks"),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("before", "after", "missed"), OTHERWISE.values(), ids=OTHERWISE)
def test_coq_refuses_another_tangent_at_a_witness(
    before: str, after: str, missed: str, line: Written, claims: dict[str, Path], library: Path
) -> None:
    theorem, write = line

    def planted(text: str) -> str:
        assert before in text
        return text.replace(before, after)

    assert refused_at(write(theorem), claims["line"], library, planted) == missed


PLANTED = {
    "another tail": ("(exp ((-1) * v_z))", "(exp ((-2) * v_z))", "plus at"),
    "another join": ("(if Rle_dec v_z 0 then", "(if Rle_dec v_z 1 then", "plus at"),
    "another rate": ("R :=\n  4.", "R :=\n  3.", "the learning rate at"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize(("before", "after", "message"), PLANTED.values(), ids=PLANTED)
def test_the_second_reader_refuses_other_pieces(before: str, after: str, message: str, line: Written) -> None:
    theorem, write = line
    texts = [*write(theorem).files.values()]
    ((_, statement),) = STATEMENT.findall(texts[-1])
    assert compare(theorem, texts, statement, is_refuted=True) > 30
    planted = texts[-1].replace(before, after)
    assert planted != texts[-1]
    with pytest.raises(DifferentError, match=message):
        compare(theorem, [texts[0], planted], statement, is_refuted=True)


def test_pieces_are_joined_from_left_to_right() -> None:
    """However the file orders them."""
    turned = replace(TOO_FAST, loss=BinaryLoss(plus=Piecewise((exp(-z), z > 0), (1 - z, True))))
    slopes = [[of_coq("derived")(part.second) for part in losses_of(one).parts()[0]] for one in (TOO_FAST, turned)]
    assert slopes[0] == slopes[1]
    assert slopes[0][0] == ("Int", -1)
