"""Examples of settings: every hypothesis is evaluated on one exact run, and one that is false there is an error."""

from pathlib import Path

import pytest

from gaptron.papers.checked_files import ProofLibrary
from gaptron.papers.layout import PlaceError

PROOFS = Path(__file__).parents[2] / "proofs"
FILES = {
    f"{file.parent.name}/{file.stem}": file.read_text(encoding="utf-8") for file in sorted(PROOFS.glob("*/*.proof"))
}

#: file, what its example says, what it is changed to, the part of the hypothesis that is then false
CHANGES = [
    ("soba/perceptron", "    X = 1\n", "    X = 1/2\n", "assumption norm2(x) <= X**2"),
    ("soba/perceptron", "    X = 1\n", "    X = -1\n", "declaration X > 0"),
    ("soba/perceptron", "    q = 2\n", "    q = 1/2\n", "declaration q >= 1"),
    ("soba/perceptron", "      x = [-1]\n", "      x = [1]\n", "protocol for all k in labels"),
    ("gaptron/lemma1", "    eta = 1\n", "    eta = 0\n", "declaration eta > 0"),
    ("gaptron/lemma1", "outcome 1/4:", "outcome 0:", "the probabilities of the outcomes"),
    ("gaptron/lemma1", "outcome 1/4:", "outcome 3/4:", "the probabilities of the outcomes"),
    ("gaptron/lemma1", "        yhat = label 1\n", "        yhat = label 0\n", "yhat is drawn from P"),
    ("gaptron/lemma1", "        Wn = W\n", "        Wn = W + g\n", "protocol projection(Wn"),
    ("gaptron/lemma1", "f(v) = g @ v + 2", "f(v) = 2 - (v @ v)", "protocol for all u in outputsxfeatures"),
    ("gaptron/lemma1", " + mix/K\n", " + mix\n", "protocol for all k in labels"),
    ("colt24/descent", "    Y = [[0], [1]]\n", "    Y = [[0], [2]]\n", "protocol y in Y"),
    ("colt24/descent", "    nu = 1\n", "    nu = 2\n", "nu <= N(u - v)"),
    ("colt24/descent", "1/2:\n        coin = 0\n", "1/2:\n        coin = 1\n", "protocol mean(coin) == p"),
    ("colt24/descent", "    gamma = 1\n", "    gamma = 1/2\n", "L(v) <= gamma*N(v - y)"),
    ("colt24/descent", "    lam = 2\n", "    lam = 3\n", "lam/2*r*(1 - r)*N(u - v)**2"),
    ("colt24/descent", "      theta = [1]\n", "      theta = [2]\n", "theta @ yhat - Omega(yhat)"),
    ("colt24/descent", "        z = [1]\n", "        z = [0]\n", "protocol for all h in outputs"),
    ("colt24/descent", "    C = 1\n", "    C = 2\n", "b == 2*C**2*kappa**2/lam"),
    ("colt24/descent", "        loss = 2\n", "        loss = 3\n", "mean(loss) <= (1 - a)*S"),
    ("colt24/descent", "      best = [0]\n", "      best = [1]\n", "outer(best, x) @ U - Omega(best)"),
]


def error(text: str) -> PlaceError:
    with pytest.raises(PlaceError) as found:
        ProofLibrary().read(text)
    return found.value


@pytest.mark.few(1)
@pytest.mark.parametrize("name", FILES)
def test_every_shipped_setting_has_an_example_on_which_its_hypotheses_hold(name: str) -> None:
    library = ProofLibrary()
    library.read(FILES[name])
    assert library.settings
    assert [s.name for s in library.settings.values() if s.example is None] == []


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "old", "new", "said"), CHANGES, ids=[f"{c[0]} {c[3]}" for c in CHANGES])
def test_a_hypothesis_that_is_false_on_the_run_is_named(name: str, old: str, new: str, said: str) -> None:
    assert old in FILES[name]
    assert said in error(FILES[name].replace(old, new, 1)).reason


def setting(*lines: str, values: str = "") -> str:
    given = "".join(f"    {line}\n" for line in values.split("; ") if line)
    return "setting S:\n" + "".join(f"  {line}\n" for line in lines) + f"  example:\n{given}    round:\n"


def test_contradictory_hypotheses_have_no_example() -> None:
    found = error(setting("number x", "assume x <= 0", "assume x >= 1", values="x = 1/2"))
    assert found.reason == "the example of S breaks ours x <= 0: in round 1, left - right is 1/2, not <= 0"
    assert (found.line, found.column) == (5, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (setting("number x", "assume x <= 0"), "x has no value"),
        (setting("number x", "assume x <= 0", values="x = [1]"), "not a value of its type"),
        (setting("vector u in E", values="u = [1]"), "the size of E is not stated"),
        (setting("vector u in E", values="E = 2; u = [1]"), "not a value of its type"),
        (setting("label y", values="labels = 2; y = label 2"), "not a value of its type"),
        (setting("number x", "assume sqrt(x) >= 0", values="x = 2"), "the root of 2 is not rational"),
        (setting("number x", "assume sqrt(x) >= 0", values="x = -1"), "the root of -1"),
        (setting("number x", "assume 1/x >= 0", values="x = 0"), "a division by 0"),
        (setting("number x", "assume x**x**100 >= 0", values="x = 2"), "is not exact"),
        (setting("number x", "assume x*log(2) >= 0", values="x = 1"), "log of 2 is not exact"),
        (setting("number x", "assume x*log(-2) >= 0", values="x = 0"), "log of -2 is not exact"),
        (setting("number x", "assume x*log(log(2)) >= 0", values="x = 0"), "log of 2 is not exact"),
        (setting("number x", "assume x/(log(4) - 2*log(2)) >= 0", values="x = 0"), "log of 2 is not exact"),
        (setting("number x", "assume x*sqrt(log(1/2)) >= 0", values="x = 0"), "the root of less than 0"),
        (setting("number x", "assume x*sqrt(-exp(1)) >= 0", values="x = 0"), "the root of less than 0"),
        (setting("number x", "assume x*sqrt(-log(2)*log(3)) >= 0", values="x = 0"), "the root of less than 0"),
        (setting("number x", "assume x*max(0, log(2)) >= 0", values="x = 0"), "log of 2 is not exact"),
        (setting("vector u in E", "assume u in C", values="E = 1; u = [1]"), "the set C is not stated"),
        (setting("number x", values="x = 1; x y"), "an example has NAME = VALUE"),
        (setting("number x", values="y = [[0], [1]") , "not a list"),
        (setting("number x", "let s = x + 1", values="x = 1; s = 2"), "it is an abbreviation"),
        (setting("number x", "let s = 2*x", "assume x <= 4", values="s = 4"), "it is an abbreviation"),
        (setting("vector u in E", "let s = 2*u", "assume norm2(u) <= 16", values="E = 1; s = [4]"), "it is an abbrev"),
        ("setting S:\n  round:\n    number x\n  example:\n    T = 1\n", "it has no round"),
    ],
)  # fmt: skip
def test_an_example_that_leaves_something_open_is_refused(text: str, said: str) -> None:
    assert said in error(text).reason


@pytest.mark.parametrize(
    "term",
    ["log(2)", "exp(1)", "sqrt(2)", "sqrt(log(2))", "1/sqrt(2*log(2))", "sqrt(log(1/2)*log(1/3))", "sqrt(-log(1/2))"],
)
def test_zero_times_a_number_that_is_not_rational_is_zero(term: str) -> None:
    assert ProofLibrary().read(setting("number x", f"assume x*({term}) == 0", values="x = 0")) == []


def test_sums_means_and_expectations_are_those_of_the_tree() -> None:
    rounds = "    round:\n      outcome 1/3:\n        r = 1\n      outcome 2/3:\n        r = w\n" * 2
    declared = "  round:\n    drawn number r\n  state w = 0 then w + r\n"
    # w: 0, then 1 (1/3) or 0 (2/3); E total(r) = 1/3 + (1/3)(1/3 + 2/3) + (2/3)(1/3) = 8/9
    good = f"setting S:\n{declared}  assume expect(end(w)) == 8/9\n  assume mean(r) == 1/3 + 2/3*w\n"
    good += "  assume total(r) == end(w)\n  example:\n"
    assert ProofLibrary().read(good + rounds) == []
    assert "left - right is -1/9" in error(good.replace("8/9", "1") + rounds).reason


@pytest.mark.parametrize(
    ("assumed", "where"), [("k <= 1", "in round 2"), ("w <= 0", "in round 2"), ("r <= 0", "in round 2"), ("x <= 0", "")]
)
def test_a_hypothesis_is_evaluated_wherever_its_value_may_be_another(assumed: str, where: str) -> None:
    declared = "  number x\n  round:\n    number k\n    drawn number r\n  state w = 0 then w + r\n"
    draws = "      outcome 1/2:\n        r = 0\n      outcome 1/2:\n        r = 1\n"
    rounds = f"    x = 0\n    round:\n      k = 1\n{draws}    round:\n      k = 2\n{draws}"
    text = f"setting S:\n{declared}  assume {assumed}\n  example:\n{rounds}"
    assert (where in error(text).reason) if where else ProofLibrary().read(text) == []


ROUNDS = "    round:\n      outcome 1/2:\n        r = 1\n      outcome 1/2:\n        r = 0\n"
BASE = f"setting S:\n  number x > 0\n  round:\n    drawn number r\n  example:\n    x = 1\n{ROUNDS}"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("setting Z extends S:\n  assume x <= 1\n", ""),
        ("setting Z extends S:\n  assume x >= 2\n", "the example of Z breaks ours x >= 2"),
        ("setting Z extends S:\n  assume x >= 2\n  example:\n    x = 3\n", ""),
        ("setting Z extends S:\n  number z\n  assume z >= x\n", "z has no value"),
        ("setting Z extends S:\n  number z\n  assume z >= x\n  example:\n    z = 1\n", ""),
        ("setting Z extends S:\n  assume mean(r) == 1/2\n  example:\n    x = 2\n", ""),
        ("setting Z extends S:\n  assume r == 5\n  example:\n    round:\n      outcome 1:\n        r = 5\n", ""),
        ("setting Z extends S:\n  assume mean(r) == 1/2\n  example:\n    round:\n      outcome 1/2:\n        r = 5\n",
         "do not add up to 1"),
        ("setting Z extends S:\n  assume total(r) <= T/3\n  example:\n    round:\n    round:\n      outcome 1:\n"
         "        r = 0\n", "breaks ours total(r) <= T/3"),
    ],
)  # fmt: skip
def test_a_setting_that_extends_another_has_its_example_but_for_what_is_stated_anew(more: str, said: str) -> None:
    if said:
        assert said in error(BASE + more).reason
    else:
        assert ProofLibrary().read(BASE + more) == []


def test_two_files_may_have_settings_of_one_name() -> None:
    library = ProofLibrary()
    assert library.read(BASE) == library.read(BASE) == []
