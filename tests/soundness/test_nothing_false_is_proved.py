"""False theorems that were once PROVED, theorems of the same kind that are false, and true ones beside them.

The examples that were found are theorem files given to the command; their variations are checked in this process, all
at once. A file may also be refused; what is false must only not be PROVED, what is true must be.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Command

from gaptron.checking.checker import check
from gaptron.theory.files import FileError, load
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.slow

HEADER = """from sympy import *
from gaptron import *
from gaptron.symbols import D, K, T, X, gamma, m, p, z

sh = Max(1 - m, 0) ** 2
smooth = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))
smooth_map = (1 - Min(1, m)) ** 2
SMOOTH = dict(loss=MarginLoss(smooth), gap_map=GapMap(smooth_map), learning_rate=1 / (4 * K))
TWO = dict(loss=MarginLoss(sh), gap_map=GapMap(sh), learning_rate=Rational(1, 8), classes=2)
RIGHT = {"loss": MarginLoss(sh), "gap_map": GapMap(sh), "learning_rate": 1 / (4 * K)}
BANDIT = dict(
    loss=MarginLoss(smooth),
    gap_map=GapMap(smooth_map),
    feedback="bandit",
    exploration=Min(1, sqrt(2 * K**2 * X**2 * D**2 / T)),
    learning_rate=gamma / (4 * K**2 * X**2),
)
excess = Max(4 * K**2 * X**2 * D**2, 2 * K * X * D * sqrt(2 * T))


def changed(setting, **arguments):
    return Theorem(name="changed", **setting | arguments)


def lemma(then, *given):
    return Lemma(name="lemma", implications=[Implication(name="i", statement="s", given=given, then=then)])


"""

TAUTOLOGY = "(m + 1) ** 2 <= m**2 + 2 * m + 1"

M_COPY, K_COPY = 'Parameter("m_copy1")', 'Parameter("K_copy1")'

# What was found, in the words of the report: each was PROVED.
FOUND = {
    "a piece for K = 2": "changed(TWO, loss=MarginLoss(Piecewise((sh / 2, Eq(K, 2)), (sh, K >= 3))))",
    "a condition that holds everywhere, nowhere strictly": (
        f"changed(TWO, classes=None, learning_rate=100, loss=MarginLoss(Piecewise((2 * sh, {TAUTOLOGY}), (sh, True))))"
    ),
    "a condition that holds nowhere": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth, Ne((m + 1)**2, m**2 + 2*m + 1)), (smooth / 2, True))))"
    ),
    "a learning rate for K <= 100": "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), K <= 100)))",
    "a regret for K <= 1000": "changed(SMOOTH, regret=2 * K + sqrt(1000 - K))",
    "a threshold for K <= 1000": "changed(SMOOTH, loss=MarginLoss(smooth, off_above=1 + sqrt(1000 - K)))",
    "a condition undefined for m < 0": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth, sqrt(m) >= 0), (1 - 2 * m, True))))"
    ),
    "a condition undefined for m < 0, nothing after it": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth, sqrt(m) >= 0), (0, True))))"
    ),
    "an excess undefined for small T": "changed(BANDIT, regret=excess + sqrt(T - 10**6))",
    "a product of two roots of negative numbers": "changed(BANDIT, regret=excess + sqrt(10 - T) * sqrt(10 - T - K))",
    "a float with seventeen digits": "changed(TWO, learning_rate=0.12500000000000044)",
    "a parameter called m_copy1": "lemma((m - w) * exp(m) <= 0, (m - w - 0.12345) ** 2 <= 1e-14)".replace("w", M_COPY),
    "a loss that is not convex, with a constant slope": (
        "Theorem(name='1 - p', loss=SoftmaxLoss(1 - p), gap_map=GapMap(1 - p), learning_rate=1 / (100 * K))"
    ),
    "two parameters of one name": ('changed(TWO, learning_rate=Parameter("w", 1, 1) * Parameter("w", 2, 2) / 8)'),
}

FALSE = {
    # pieces without interior
    "K = 2, any classes": "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth / 2, Eq(K, 2)), (smooth, K >= 3))))",
    "K = 4 alone": "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth, Ne(K, 4)), (smooth / 2, True))))",
    "a gap map for K = 3": "changed(RIGHT, gap_map=GapMap(Piecewise((0, Eq(K, 3)), (sh, True))), classes=range(2, 6))",
    "a rate for K = 2": "changed(SMOOTH, learning_rate=Piecewise((1, Eq(K, 2)), (1 / (4 * K), True)))",
    "a regret for K = 2": "changed(SMOOTH, regret=Piecewise((3, Eq(K, 2)), (2 * K, True)))",
    "a parameter with one value": (
        'changed(SMOOTH, learning_rate=Piecewise((1, Eq(Parameter("w", 2, 2), 2)), (1 / (4 * K), True)))'
    ),
    "an equation that is an identity": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth / 2, Eq((m + 1)**2, m**2 + 2*m + 1)), (smooth, True))))"
    ),
    "a condition that never holds": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth, (m + 1)**2 < m**2 + 2*m + 1), (smooth / 2, True))))"
    ),
    "a tautology in K": "changed(SMOOTH, learning_rate=Piecewise((1, (K + 1)**2 <= K**2 + 2*K + 1), (1/(4*K), True)))",
    "a gap map under a tautology": f"changed(SMOOTH, gap_map=GapMap(Piecewise((0, {TAUTOLOGY}), (smooth_map, True))))",
    "a gap map at one point": "changed(RIGHT, gap_map=GapMap(Piecewise((0, Eq(m, 0)), (sh, True))))",
    "a jump at one point": "changed(RIGHT, loss=MarginLoss(Piecewise((2, Eq(m, 0)), (sh, True))))",
    "a binary loss under a tautology": (
        "Theorem(name='b', gap_map=GapMap(sh), learning_rate=Rational(1, 4), loss=BinaryLoss(plus="
        "Piecewise((Max(1 - z, 0)**2 / 2, (z + 1)**2 <= z**2 + 2*z + 1), (Max(1 - z, 0)**2, True))))"
    ),
    # nothing beyond
    "a hole in the loss": "changed(RIGHT, loss=MarginLoss(Piecewise((sh, m < 2), (0, m > 2))))",
    "a hole in the gap map": "changed(RIGHT, gap_map=GapMap(Piecewise((sh, Ne(m, 2)))))",
    "a gap map for m <= 1000": "changed(RIGHT, gap_map=GapMap(Piecewise((sh, m <= 1000))))",
    "a loss for K <= 100": "changed(RIGHT, loss=MarginLoss(Piecewise((sh, K <= 100))))",
    "a rate that has no value at K = 50": "changed(SMOOTH, learning_rate=Min(1 / (4 * K), 1 / Abs(K - 50)))",
    "a rate for K < 50 and K > 50": (
        "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), K < 50), (1 / (5 * K), K > 50)))"
    ),
    "a regret with a logarithm": "changed(SMOOTH, regret=2 * K + 1 + log(10**6 - K) ** 2)",
    "a rate under a root of K": (
        "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), sqrt(1000 - K) >= 0), (1 / (5 * K), True)))"
    ),
    "an abstention cost for K <= 100": (
        "changed(SMOOTH, learning_rate=Rational(3, 16), abstention_cost=Piecewise((Rational(1, 4), K <= 100)))"
    ),
    "a root of a parameter": 'changed(SMOOTH, regret=2 * K + sqrt(Parameter("w", -1, 1)))',
    "a regret for all K but 100": "changed(RIGHT, regret=Piecewise((2 * K, Ne(K, 100))))",
    # undefined conditions
    "a gap map under a root": "changed(RIGHT, gap_map=GapMap(Piecewise((sh, sqrt(1000 - m) >= 0))))",
    "a logarithm in a condition": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((smooth, log(m) <= 9), (Max(1 - 2 * m, 0), True))))"
    ),
    "a quotient in a condition": "changed(RIGHT, gap_map=GapMap(Piecewise((sh, 1 / m > 1), (0, True))))",
    "a root in a threshold": (
        "changed(SMOOTH, loss=MarginLoss(smooth, off_above=Piecewise((1, sqrt(99 - K) >= 0), (2, True))))"
    ),
    "a bandit excess with a logarithm": "changed(BANDIT, regret=excess * log(T))",
    "a bandit excess with two roots": "changed(BANDIT, regret=excess + sqrt(K - 3) * sqrt(K - 4))",
    # numbers and symbols
    "a gap map with a parameter called m_copy1": ('changed(TWO, gap_map=GapMap(Max(sh, Parameter("m_copy1", -1, 1))))'),
    "two parameters of one name, one without an end": (
        'changed(TWO, loss=MarginLoss(sh * Parameter("w", 1, 1) * Parameter("w", 1, None)))'
    ),
    "a float next to 1/8": "changed(TWO, learning_rate=0.12500000000000003)",
    "a regret that is a float": "changed(TWO, regret=3.9999999999999996)",
    "a bound that is a float": 'changed(TWO, learning_rate=Parameter("w", 0.1, 0.12500000000000003))',
    "a condition with a float": (
        "changed(TWO, gap_map=GapMap(Piecewise((sh, m <= 0.3), (sh / 2, m < 0.30000000000000004), (sh, True))))"
    ),
    "a tiny number": "changed(TWO, learning_rate=Rational(1, 8) + Rational(1, 10**30))",
    "K_copy1": "lemma((K - w) * exp(K) <= 0, (K - w - 0.12345) ** 2 <= 1e-14)".replace("w", K_COPY),
    "K_copy1 alone": 'lemma((K - Parameter("K_copy1")) ** 2 <= 0)',
    "a gap map that is right where w = m": (
        'changed(TWO, gap_map=GapMap(Min(1, sh + (m - Parameter("m_copy1", 0, 1)) ** 2)))'
    ),
    "a parameter and a symbol of one name": 'lemma(Symbol("w", real=True) <= Parameter("w", 1, 2))',
    "two parameters of one name, another order": (
        'changed(TWO, learning_rate=Parameter("w", 2, 2) / Parameter("w", 1, 1) / 8)'
    ),
    "a parameter that is not always less": 'lemma(Parameter("w", 0, 1) ** 2 < Parameter("w", 0, 1))',
    "an integer": 'lemma((Symbol("n", integer=True) - 1) ** 2 > 0)',
    # rates
    "a rate wrong from K = 1000 on": "changed(SMOOTH, learning_rate=1 / (4 * K) + Max(0, K - 999) / 10**9)",
    "a rate a little too large": "changed(SMOOTH, learning_rate=(1 + Rational(1, 10**12)) / (4 * K))",
    "a rate in sqrt(K)": "changed(SMOOTH, learning_rate=1 / (8 * sqrt(K)))",
    "a rate that falls below zero": "changed(SMOOTH, learning_rate=1 / (4 * K) - Max(0, K - 10**4) / 10**9)",
}

TRUE = {
    "K = 2 apart": "changed(TWO, loss=MarginLoss(Piecewise((sh, Eq(K, 2)), (sh / 2, K >= 3))))",
    "K = 2 apart, any classes": (
        "changed(RIGHT, loss=MarginLoss(Piecewise((sh, Eq(K, 2)), (sh + Max(2 - K, 0), K >= 3))))"
    ),
    "K < 3": "changed(RIGHT, learning_rate=Piecewise((Rational(1, 8), K < 3), (1 / (4 * K), True)))",
    "a smaller rate for K = 4": (
        "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), Ne(K, 4)), (1 / (5 * K), True)))"
    ),
    "no case but the last": (
        "changed(RIGHT, loss=MarginLoss(Piecewise((100, Ne((m + 1)**2, m**2 + 2*m + 1)), (sh, True))))"
    ),
    "a tautology": f"changed(RIGHT, loss=MarginLoss(Piecewise((sh, {TAUTOLOGY}), (100, True))))",
    "a tautology in K, true": (
        "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), (K + 1)**2 <= K**2 + 2*K + 1), (1, True)))"
    ),
    "an isolated point with the right value": "changed(RIGHT, gap_map=GapMap(Piecewise((1, Eq(m, 0)), (sh, True))))",
    "a rate for K <= 100, claimed there": (
        "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), K <= 100)), classes=range(2, 101))"
    ),
    "a rate that is 0 for K > 100, claimed below": (
        "changed(SMOOTH, learning_rate=Piecewise((1 / (4 * K), K <= 100), (0, True)), classes=range(2, 101))"
    ),
    "a regret for K <= 1000, claimed there": "changed(SMOOTH, regret=2*K + sqrt(1000 - K), classes=range(2, 1001))",
    "a threshold for K <= 1000, claimed there": (
        "changed(SMOOTH, loss=MarginLoss(smooth, off_above=1 + sqrt(1000 - K)), classes=range(2, 1001))"
    ),
    "a larger regret with roots": "changed(SMOOTH, regret=2 * K + sqrt(K - 2))",
    "a pole between integers": "changed(SMOOTH, regret=2 * K + 1 / (2 * K - 5) ** 2)",
    "a condition defined where it is read": (
        "changed(RIGHT, loss=MarginLoss(Piecewise((1 - 2*m + m**2, m <= 0), (sh, sqrt(m) >= 0), (7, True))))"
    ),
    "a rate under a root, defined where it is read": (
        "changed(RIGHT, learning_rate=Piecewise((1/(4*K), K <= 3), (1/(5*K), sqrt(K - 3) >= 0), (7, True)))"
    ),
    "a cost between integers": (
        "changed(SMOOTH, learning_rate=Rational(3, 16), classes=2, "
        "abstention_cost=Piecewise((10**30, And(K > 2, K < 3)), (Rational(1, 4), True)))"
    ),
    "1/8 as a float": "changed(TWO, learning_rate=0.125, regret=4.0)",
    "the float below 1/8": "changed(TWO, learning_rate=0.12499999999999999)",
    "a bound that is a float, true": 'changed(TWO, learning_rate=Parameter("w", 0.1, 0.125))',
    "one value": 'changed(TWO, learning_rate=Parameter("w", 1, 1) / 8)',
    "the parameter m_copy1": 'lemma(Ge((m - Parameter("m_copy1")) ** 2, 0, evaluate=False))',
    "a parameter in [0, 1]": 'lemma(Parameter("w", 0, 1) ** 2 <= Parameter("w", 0, 1))',
    "a negative symbol": 'lemma(Le(Symbol("v", negative=True), 0, evaluate=False))',
    "a bandit excess with a root more": "changed(BANDIT, regret=excess + sqrt(T - 1))",
}

# True, but perhaps beyond a proof; in any case not REFUTED.
NOT_REFUTED = {
    "an integer symbol": 'lemma(Symbol("n", integer=True) * (Symbol("n", integer=True) - 1) >= 0)',
    "an odd symbol": 'lemma(Symbol("n", odd=True) ** 2 >= 1)',
    "junk at K = 5/2": (
        "changed(SMOOTH, loss=MarginLoss(Piecewise((sqrt(-1 - m**2), Eq(K, Rational(5, 2))), (smooth, True))))"
    ),
    "a rate wrong at K = 5/2": (
        "changed(SMOOTH, learning_rate=1 / (4 * K) + Max(0, Rational(1, 4) - Abs(K - Rational(5, 2))))"
    ),
    "an excess wrong between integers": "lemma((T - 1) * (T - 2) >= 0, T >= 1)",
}


def theorem_file(folder: Path, text: str) -> Path:
    file = folder / "theorem.py"
    file.write_text(f"{HEADER}theorem = {text}\n")
    return file


@dataclass(frozen=True)
class Checked:
    """The verdict on a variation, or the message with which its file was refused."""

    verdict: Verdict | None
    message: str


def reasons(result: Any) -> str:
    """Why a theorem is not PROVED, obligation by obligation."""
    both = zip(result.obligations, result.outcomes, strict=True)
    return "; ".join(f"{o.id}: {r.reason or r.witness}" for o, r in both if r.verdict is not Verdict.PROVED)


@pytest.fixture(scope="module")
def variations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checked]:
    """All variations, checked together."""
    folder = tmp_path_factory.mktemp("variations")
    found, items = {}, {}
    for name, text in {**FALSE, **TRUE, **NOT_REFUTED}.items():
        try:
            items[name] = load(theorem_file(folder, text))[0].item
        except FileError as error:
            found[name] = Checked(None, str(error))
    for names, seconds in (([n for n in items if n in FALSE], 1), ([n for n in items if n not in FALSE], 4)):
        for name, result in zip(names, check([items[n] for n in names], seconds, 2), strict=True):
            found[name] = Checked(result.verdict, reasons(result))
    return found


@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", FALSE)
def test_a_false_variation_is_not_proved(name: str, variations: dict[str, Checked]) -> None:
    assert variations[name].verdict is not Verdict.PROVED, FALSE[name]


@pytest.mark.parametrize("name", TRUE)
def test_a_true_variation_is_proved(name: str, variations: dict[str, Checked]) -> None:
    assert variations[name].verdict is Verdict.PROVED, (TRUE[name], variations[name].message)


@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", NOT_REFUTED)
def test_what_fails_only_between_integers_is_not_refuted(name: str, variations: dict[str, Checked]) -> None:
    assert variations[name].verdict is not Verdict.REFUTED, (NOT_REFUTED[name], variations[name].message)


# --- by the command --------------------------------------------------------------------------------------------------


def document_of(done: Any) -> list[dict[str, Any]]:
    assert "internal error" not in done.stderr, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return json.loads(done.stdout)["theorems"] if done.returncode != 2 else []


@pytest.mark.parametrize("name", FOUND)
def test_an_example_that_was_found_is_not_proved(name: str, tmp_path: Path, gaptron: Command) -> None:
    done = gaptron("check", "--json", "--timeout", "2", theorem_file(tmp_path, FOUND[name]))
    assert done.returncode != 0, FOUND[name]
    assert all(theorem["verdict"] != "PROVED" for theorem in document_of(done)), FOUND[name]


def written(name: str, rate: str) -> str:
    return f'Theorem(name="{name}", loss=MarginLoss(sh), gap_map=GapMap(sh), learning_rate={rate}, classes=2)'


GOOD, BAD = written("good", "Rational(1, 8)"), written("bad", "1")
PLACES = {
    "a list": "good = {good}\nothers = [{bad}]",
    "a list in a list": "good = {good}\nothers = [[{bad}]]",
    "a dict": "good = {good}\nothers = {{'bad': {bad}}}",
    "a class": "good = {good}\nclass Others:\n    bad = {bad}",
    "a name bound twice": "theorem = {bad}\ntheorem = {good}",
    "no name at all": "good = {good}\n{bad}",
    "a set": "good = {good}\nothers = {{{bad}}}",
}


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES)
def test_a_theorem_is_not_left_out_wherever_it_is_written(text: str, tmp_path: Path, gaptron: Command) -> None:
    """It is checked, or the file is refused; in any case the run is not green."""
    file = tmp_path / "theorem.py"
    file.write_text(HEADER + text.format(good=GOOD, bad=BAD) + "\n")
    done = gaptron("check", "--json", "--timeout", "2", file)
    assert done.returncode in (1, 2), done.stdout[:500]
    verdicts = {theorem["name"]: theorem["verdict"] for theorem in document_of(done)}
    assert done.returncode == 2 or verdicts == {"good": "PROVED", "bad": "REFUTED"}


@pytest.mark.parametrize("text", ["integrate(exp(-m**2) / (m**2 + 7), m)", "O(m)", "Sum(m, (m, 1, K))", "zeta(m)"])
def test_an_object_that_is_not_understood_is_named(text: str, tmp_path: Path, gaptron: Command) -> None:
    done = gaptron(
        "check", "--json", "--timeout", "2", theorem_file(tmp_path, f"changed(TWO, loss=MarginLoss({text}))")
    )
    assert done.returncode in (2, 3)
    document_of(done)
    assert done.returncode == 3 or "theorem.py:" in done.stderr
