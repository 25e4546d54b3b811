"""``gaptron audit`` and ``gaptron explain``: claims of documents, recomputed and compared with what is recorded."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Command, is_one_sentence

pytestmark = pytest.mark.usefixtures("lent")

FILES = [f"proofs/gaptron/theorem2_hinge{what}.py" for what in ("", "_claims")]
LEDGER = """
from fractions import Fraction
from sympy import Le, symbols
from gaptron import Breaks, Claim, Constant, Corrected, Implication, Instance, Lemma, NotCheckable, Obligations
from gaptron import Resists, Rests, Shows

x = symbols("x", real=True)

def lemma(then):
    return Lemma(name=f"lemma {{then}}", implications=(Implication(name="all x", statement="s", given=(), then=then),))

true, false = lemma(Le(0, x**2, evaluate=False)), lemma(Le(x, x**2, evaluate=False))

def half():
    return Instance({{"x": Fraction(1, 2)}}, Fraction(1, 2), Fraction(1, 4))

def drawn(rng):
    v = Fraction(int(rng.integers(-9, 10)), 3)
    return Instance({{"x": v}}, 0, v * v)

claims = (
    Claim(id="doc/square", source="p. 1", statement="0 <= x^2", grounds={true}, recorded="{square}",
          second=Resists(drawn, 20)),
    Claim(id="doc/below", source="p. 2", statement="x <= x^2", grounds=Obligations(false), recorded="REFUTED",
          finding="Not between 0 and 1.", second={second},
          corrected=Corrected(statement="0 <= x^2", grounds={corrected}),
          constants=(Constant(name="x", printed=1, best=0),)),
    Claim(id="doc/after", source="p. 3", statement="what follows from the square", grounds=Rests("{premise}"),
          recorded="PROVED"),
    Claim(id="doc/exists", source="p. 4", statement="some x has x > x^2",
          grounds=Shows(lambda: Instance({{"x": "1/2"}}, Fraction(1, 2), Fraction(1, 4), ">")), recorded="PROVED",
          second={exists}),
    Claim(id="doc/taste", source="p. 5", statement="squares are nice", grounds=NotCheckable("nice has no definition"),
          recorded="NOT-CHECKABLE"),
)
"""
DEFAULTS = {
    "true": "Obligations(true)",
    "square": "PROVED",
    "second": "Breaks(half)",
    "corrected": "Obligations(true)",
    "premise": "doc/square",
    "exists": "()",
}


def ledger(folder: Path, **changes: str) -> Path:
    file = folder / "ledger.py"
    file.write_text(LEDGER.format(**DEFAULTS | changes))
    return file


@pytest.mark.slow
def test_verdicts_are_computed_and_equal_to_the_recorded_ones(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("audit", ledger(tmp_path), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    claims = {claim["id"]: claim for claim in json.loads(done.stdout)["claims"]}
    verdicts = {name: claim["verdict"] for name, claim in claims.items()}
    assert verdicts == {
        "doc/square": "PROVED",
        "doc/below": "REFUTED",
        "doc/after": "PROVED",
        "doc/exists": "PROVED",
        "doc/taste": "NOT-CHECKABLE",
    }
    assert claims["doc/square"]["evidence"][0] == "kernel"
    assert claims["doc/below"]["corrected_verdict"] == "PROVED"
    assert claims["doc/below"]["witness"]["point"]
    assert claims["doc/after"]["premises"] == ["doc/square"]
    for key in ("id", "source", "statement", "verdict", "finding", "witness", "corrected", "evidence"):
        assert key in claims["doc/taste"]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"square": "REFUTED"}, "doc/square: recorded REFUTED, computed PROVED"),
        ({"true": "Obligations(lemma(Le(x**2, 0, evaluate=False)))"}, "recorded PROVED, computed REFUTED"),
        ({"true": "(Obligations(true), Resists(drawn))"}, "doc/after: recorded PROVED, computed UNDECIDED"),
        ({"premise": "doc/below"}, "doc/after: recorded PROVED, computed UNDECIDED"),
        ({"second": "Obligations(true)"}, "doc/below: the second route disagrees"),
        ({"second": "Breaks(lambda: Instance({'q': 2}, 0, 1))"}, "not break the claim: q = 2: left = 0, right = 1 (l"),
        ({"exists": "Breaks(lambda: Instance({'q': 2}, 1, 0))"}, "disagrees: it finds q = 2: left = 1, right = 0 (le"),
        ({"corrected": "Obligations(false)"}, "doc/below: the corrected statement is REFUTED"),
        ({"corrected": "Resists(drawn)"}, "doc/below: the corrected statement is UNDECIDED"),
        ({"corrected": "(Obligations(true), Rests('doc/taste'))"}, "the corrected statement is UNDECIDED"),
        ({"true": 'Obligations(true, "no such")'}, "doc/square: recorded PROVED, computed UNDECIDED"),
    ],
)
def test_a_planted_error_is_noticed(gaptron: Command, tmp_path: Path, change: dict[str, str], said: str) -> None:
    done = gaptron("audit", ledger(tmp_path, **change))
    assert done.returncode == 1
    assert said in done.stdout


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"premise": "doc/nowhere"}, "doc/after rests on doc/nowhere: no such claim"),
        ({"premise": "doc/after"}, "the premises form a circle"),
        ({"square": "TRUE"}, "recorded = 'TRUE' is not one of PROVED, REFUTED, UNDECIDED, NOT-CHECKABLE"),
        ({"true": "3"}, "ground = 3 is no ground"),
        ({"second": "Breaks(lambda: Instance({}, 0.5, 1))"}, "Instance left = 0.5 is neither a rational number"),
        ({"second": "Breaks(lambda: 1 / 0)"}, "doc/below: ZeroDivisionError"),
    ],
)
def test_a_ledger_that_cannot_be_used_is_named(
    gaptron: Command, tmp_path: Path, change: dict[str, str], said: str
) -> None:
    done = gaptron("audit", ledger(tmp_path, **change), "--json")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.startswith("gaptron: ")
    assert is_one_sentence(done.stderr)
    assert said in json.loads(done.stdout)["error"]


def test_a_claim_is_written_once(gaptron: Command, tmp_path: Path) -> None:
    text = ledger(tmp_path).read_text()
    (tmp_path / "other.py").write_text(text)
    done = gaptron("audit", tmp_path / "ledger.py", tmp_path / "other.py")
    assert done.returncode == 2
    assert "the claim doc/square is written twice" in done.stderr


def test_what_is_shown_can_be_chosen(gaptron: Command, tmp_path: Path) -> None:
    file = ledger(tmp_path)
    assert "1 REFUTED; all as recorded" in gaptron("audit", file, "--verdict", "REFUTED").stdout
    assert "1 PROVED; all as recorded" in gaptron("audit", file, "--only", "square").stdout
    done = gaptron("audit", file, "--document", "elsewhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no claim" in done.stderr


def test_reports_escape_what_they_print(gaptron: Command, tmp_path: Path) -> None:
    file = ledger(tmp_path)
    file.write_text(file.read_text().replace("Not between 0 and 1.", "<b>|[red]x\\x1b[31m"))
    names = {kind: tmp_path / f"out.{kind}" for kind in ("markdown", "errata", "junit")}
    done = gaptron("audit", file, *(part for kind, name in names.items() for part in (f"--{kind}", name)))
    assert done.returncode == 0
    assert "\x1b[31m" not in done.stdout
    table = names["markdown"].read_text()
    assert "\\<b>\\|[red]x" in table
    assert "\x1b" not in table + names["errata"].read_text()
    assert "Claimed: x <= x^2." in names["errata"].read_text()
    suite = ElementTree.parse(names["junit"]).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("5", "0")


def test_a_difference_is_a_failure_in_junit(gaptron: Command, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    gaptron("audit", ledger(tmp_path, square="REFUTED"), "--junit", report)
    (failure,) = ElementTree.parse(report).getroot().iter("failure")
    assert failure.get("message") == "recorded REFUTED, computed PROVED"


def test_explain_tells_all_about_a_claim(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("explain", "doc/below", ledger(tmp_path))
    assert done.returncode == 1
    for line in (
        "REFUTED  doc/below (p. 2)",
        "  finding: Not between 0 and 1.",
        "  corrected (PROVED): 0 <= x^2",
        "  constant: of x: printed 1, best 0.",
        "  second route: Breaks: REFUTED (exact)",
    ):
        assert line in done.stdout
    after = gaptron("explain", "doc/after", tmp_path / "ledger.py")
    assert (after.returncode, "rests on: doc/square: PROVED" in after.stdout) == (0, True)
    assert gaptron("explain", "taste", tmp_path / "ledger.py").returncode == 3


@pytest.mark.slow
def test_explain_tells_all_about_a_theorem_and_an_obligation(gaptron: Command) -> None:
    whole = gaptron("explain", "Theorem 2, hinge")
    assert whole.returncode == 0
    assert "learning rate: (1 - 1/K)/K" in whole.stdout
    assert "sha256:" in whole.stdout
    one = gaptron("explain", "Theorem 2, hinge: gap/right/1", "--json")
    (theorem,) = json.loads(one.stdout)["theorems"]
    assert [o["id"] for o in theorem["obligations"]] == ["gap/right/1"]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing of the kind", "no claim or theorem has such a name"),
        ("Theorem 2, hinge: gap/left", "has no obligation gap/left: it has"),
        ("e", "this could be "),
        ("", "no claim or theorem has such a name"),
    ],
)
def test_explain_says_what_it_cannot_find(gaptron: Command, name: str, said: str) -> None:
    done = gaptron("explain", name, *FILES)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    document = json.loads(gaptron("explain", name, *FILES, "--json").stdout)
    assert said in document["error"]


COLON = """from sympy import Le, symbols
from gaptron import Implication, Lemma
a = symbols("a", real=True)
more = Implication(name="more", statement="a <= a + 1", given=(), then=Le(a, a + 1, evaluate=False))
one, two = (Lemma(name=name, implications=(more,)) for name in ("mine", "mine: too"))
"""


@pytest.mark.parametrize("asked", ["mine: more", "mine: too", "mine: too: more"])
def test_a_name_that_holds_a_colon_is_found_before_an_obligation_of_another(
    gaptron: Command, tmp_path: Path, asked: str
) -> None:
    (tmp_path / "colon.py").write_text(COLON)
    (theorem,) = json.loads(gaptron("explain", asked, tmp_path / "colon.py", "--json").stdout)["theorems"]
    assert (theorem["name"], theorem["verdict"]) == (asked.removesuffix(": more"), "PROVED")
    assert [o["id"] for o in theorem["obligations"]] == ["more"]


@pytest.mark.slow
def test_a_part_of_a_name_is_looked_for_in_all_that_is_shipped(gaptron: Command) -> None:
    done = gaptron("explain", "t1-")
    assert done.returncode == 2
    assert "t1-: this could be " in done.stderr
    assert "gaptron/t1-gap" in done.stderr
