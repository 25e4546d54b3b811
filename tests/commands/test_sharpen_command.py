"""``gaptron sharpen``: its document, its tables, its exit codes, and what it refuses."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import is_one_sentence
from sympy import Rational, sympify

from gaptron import GapMap
from gaptron.checking.checker import check
from gaptron.commands.cli import main
from gaptron.constants.questions import with_rate
from gaptron.prove.replayed_round import gap_terms
from gaptron.symbols import K, m
from gaptron.theory.files import load
from gaptron.theory.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
NEVER_OFF = """
from sympy import Max
from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import m
never_off = Theorem(name="hinge, never off", loss=MarginLoss(Max(1 - m, 0)), gap_map=GapMap(Max(1 - m, 0)))
"""
HINGE = """
from sympy import Max, Piecewise
from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m
hinge = Theorem(
    name="hinge",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
)
"""


@pytest.fixture
def sharpened(tmp_path, monkeypatch):
    """Run the command on the text of a theorem file."""
    monkeypatch.setenv("GAPTRON_CACHE", str(tmp_path / "cache"))

    def run(text, *options):
        file = tmp_path / "theorem.py"
        file.write_text(text)
        return CliRunner().invoke(main, ["sharpen", str(file), *options])

    return run


@pytest.mark.slow
def test_the_hinge_loss_gets_closed_forms_and_certified_brackets(sharpened, tmp_path):
    result = sharpened(HINGE, "--json", "--classes", "2-3")
    assert result.exit_code == 0, result.stderr
    (found,) = json.loads(result.stdout)["theorems"]
    expected = {
        "given_gap_map": ("(K - 1)/K**2", "K**2/(2*(K - 1))", {2: "1/4", 3: "2/9"}),
        "best_gap_map": ("1/K", "K/2", {2: "1/2", 3: "1/3"}),
        "best_decoder": ("1/K", "K/2", {2: "1/2", 3: "1/3"}),
    }
    for question, (rate, regret, at) in expected.items():
        answer = found[question]
        assert (answer["learning_rate"]["closed_form"], answer["regret"]["closed_form"]) == (rate, regret)
        for n, lo in at.items():
            low, high = answer["learning_rate"]["K"][str(n)]
            assert low == lo
            assert 0 < Fraction(high) / Fraction(low) - 1 <= Fraction(1, 10**6)
            assert answer["regret"]["K"][str(n)][1] == str(1 / (2 * Fraction(lo)))
            assert answer["witnesses"][str(n)]["learning_rate"] == high
    theorem = load(tmp_path / "theorem.py")[0].item
    best = GapMap(sympify(found["best_gap_map"]["gap_map"], {"K": K, "m": m}))
    (proved,) = check([replace(theorem, gap_map=best, learning_rate=1 / K, regret=K / 2)], 10.0, 1)
    assert proved.verdict is Verdict.PROVED
    _rounds_agree(theorem, found["given_gap_map"])


def _rounds_agree(theorem, answer):
    """No random round of the learner breaks lo; the witness breaks hi."""
    rng = random.Random(7)
    for n, (low, high) in answer["learning_rate"]["K"].items():
        slow, fast = (with_rate(theorem, Rational(rate)) for rate in (Fraction(low), Fraction(high)))
        for _ in range(200):
            scores = [Fraction(rng.randint(-24, 24), 12) for _ in range(int(n))]
            assert gap_terms(slow, scores, rng.randrange(int(n)), rng.choice((1, -1))).gap <= 0
        (broken,) = answer["witnesses"][n]["rounds"]
        assert gap_terms(fast, [Fraction(v) for v in broken["scores"]], broken["label"]).gap > 0


@pytest.mark.slow
def test_a_loss_that_no_learning_rate_fits_is_said_so_with_the_point(sharpened):
    result = sharpened(NEVER_OFF, "--json", "--classes", "2-3")
    assert result.exit_code == 0, result.stderr
    (found,) = json.loads(result.stdout)["theorems"]
    for question in ("given_gap_map", "best_gap_map", "best_decoder"):
        rate = found[question]["learning_rate"]
        assert (rate["closed_form"], rate["K"]) == (None, {"2": None, "3": None})
        assert "no learning rate above 0 works" in found[question]["reasons"]["3"]
        assert list(found[question]["witnesses"]["3"]["point"].values()) == ["1"]
    assert "NONE for K = 2, 3" in sharpened(NEVER_OFF, "--classes", "2-3").stdout


def test_a_loss_that_is_not_convex_is_undecided_with_the_reason(sharpened):
    result = sharpened(NEVER_OFF.replace("MarginLoss(Max(1 - m, 0))", "MarginLoss(1 / (1 + m**2))"), "--classes", "2")
    assert result.exit_code == 3, result.stderr
    assert "loss/convex is REFUTED" in result.stdout
    assert "no theorem at any learning rate" in result.stdout


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (HINGE, ("--classes", "1-3"), "--classes 1-3: a number from 2 to 1000"),
        (HINGE, ("--classes", "x"), "--classes x: a number from 2 to 1000"),
        (HINGE, ("--only", "absent"), "holds no theorem named 'absent'"),
        (HINGE.replace('name="hinge",', 'name="hinge", classes=3,'), ("--classes", "2"), "is not claimed for K in 2-2"),
        ("x = ", (), "not valid Python"),
        (HINGE.replace("1 / K), (0", "1 / w), (0").replace("from gap", "w = 1\nfrom gap"), ("--classes", "0"), "1000"),
    ],
)
def test_input_that_cannot_be_sharpened_is_refused_in_one_sentence(sharpened, text, options, message):
    result = sharpened(text, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert is_one_sentence(result.stderr)
    assert result.stdout == ""


def test_with_bandit_feedback_two_labels_have_the_same_optimum_and_more_are_left_open():
    arguments = ["--only", "Theorem 5, bandit hinge", "--classes", "2-4", "--json"]
    result = CliRunner().invoke(
        main, ["sharpen", str(ROOT / "proofs" / "gaptron" / "theorem5_bandit_hinge.py"), *arguments]
    )
    assert result.exit_code == 3
    (found,) = json.loads(result.stdout)["theorems"]
    assert [found[part] for part in ("given_gap_map", "best_gap_map", "best_decoder")] == [None] * 3
    low, high = map(Fraction, found["any_algorithm"]["regret"]["K"].pop("2"))
    assert low < 1 <= high < low + Fraction(1, 10**6)
    assert found["any_algorithm"]["regret"]["K"] == {"3": None, "4": None}
    assert found["any_algorithm"]["regret"]["closed_form"] is None
    assert all("nothing is proved" in found["any_algorithm"]["reasons"][n] for n in "34")


def test_a_parameter_without_bounds_is_refused(sharpened):
    text = HINGE.replace("from gaptron import ", "from gaptron import Parameter, ")
    text = text.replace("hinge = ", 'w = Parameter("w", 1)\nhinge = ').replace("Max(1 - m, 0)", "Max(1 - m * w, 0)")
    result = sharpened(text)
    assert result.exit_code == 2
    assert "one parameter with both bounds is needed" in result.stderr


def test_an_interrupted_search_reports_what_it_has(sharpened, monkeypatch):
    def interrupt(self, attempts):
        raise KeyboardInterrupt

    monkeypatch.setattr("gaptron.constants.engine.Engine.failures", interrupt)
    result = sharpened(NEVER_OFF, "--classes", "2")
    assert result.exit_code == 130
    assert "interrupted before it was decided" in result.stdout
    assert "so far" in result.stderr


SQUARED = """
from sympy import Max
from gaptron import BinaryLoss, GapMap, Theorem
from gaptron.symbols import m, z
squared = Theorem(name="squared", loss=BinaryLoss(Max(1 - z, 0) ** 2), gap_map=GapMap(Max(1 - m, 0) ** 2 / 3))
"""


@pytest.mark.slow
def test_what_is_found_is_written_as_theorems_that_check_proves(sharpened, tmp_path):
    written = tmp_path / "found.py"
    result = sharpened(SQUARED, "--write", str(written))
    assert result.exit_code == 0, result.stderr
    names = {statement.item.name: statement.item for statement in load(written)}
    assert set(names) == {f"squared, {title}" for title in ("given map", "best map", "best decoder", "any algorithm")}
    assert (names["squared, best decoder"].decoder, names["squared, best decoder"].regret) == ("best", 2)
    assert names["squared, given map"].learning_rate < Rational(1, 4)
    done = CliRunner().invoke(main, ["check", str(written)])
    assert (done.exit_code, done.output.count("PROVED ")) == (0, 4), done.output


@pytest.mark.slow
def test_what_is_written_names_the_loss_of_all_scores_that_it_is_about(sharpened, tmp_path):
    pairwise = SQUARED.replace("BinaryLoss", "PairwiseLoss").replace("- z", "- m")
    proximal = pairwise.replace("gap_map=GapMap(Max(1 - m, 0) ** 2 / 3)", 'update="proximal"')
    result = sharpened(proximal, "--write", str(tmp_path / "found.py"), "--classes", "2")
    assert result.exit_code == 0, result.stderr
    (found,) = load(tmp_path / "found.py")
    assert (found.item.loss.data.kind, found.item.regret) == ("PairwiseLoss", 2)


@pytest.mark.slow
def test_nothing_is_written_where_nothing_is_proved_or_nothing_can_be_written(sharpened, tmp_path):
    empty = tmp_path / "found.py"
    none = NEVER_OFF.replace("Max(1 - m, 0)", "Max(1 - 4 * m, 0) / 4")
    result = sharpened(none, "--write", str(empty), "--classes", "2")
    assert f"{empty}: not written, as no learning rate was proved for every K" in result.stderr
    assert not empty.exists()
    result = sharpened(SQUARED, "--write", str(tmp_path / "no" / "found.py"))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in result.stderr


@pytest.mark.slow
def test_a_parameter_is_chosen_and_the_choice_is_proved(sharpened):
    """The learning rate of a smooth hinge of width w is w^2/4 for two classes."""
    text = (ROOT / "examples" / "any_width.py").read_text()
    (found,) = json.loads(sharpened(text, "--json", "--classes", "2").stdout)["theorems"]
    assert (found["parameters"], found["parameters_proved_best"]) == ({"w": "2"}, True)
    assert found["given_gap_map"]["learning_rate"]["closed_form"] == "1/K"


@pytest.mark.slow
def test_the_best_threshold_of_the_hinge_is_proved_by_a_round_on_either_side(sharpened):
    """Above beta = 1/(K + 1) right rounds bind, below it wrong ones: one of them forbids more than eta = 1/(K + 1)."""
    text = HINGE.replace("from gaptron import ", "from gaptron import Parameter, ").replace("1 / K", "beta")
    text = text.replace("hinge = ", 'beta = Parameter("beta", 0.1, 0.9)\nhinge = ').replace(
        ")),\n)", ")),\n    classes=3,\n)"
    )
    (found,) = json.loads(sharpened(text, "--json", "--classes", "3").stdout)["theorems"]
    assert (found["parameters"], found["parameters_proved_best"]) == ({"beta": "1/4"}, True)
    assert found["given_gap_map"]["learning_rate"]["K"]["3"][0] == "1/4"


@pytest.mark.slow
def test_a_theorem_without_a_gap_map_is_sharpened_over_maps_and_decoders(sharpened):
    text = SQUARED.replace("gap_map=GapMap(Max(1 - m, 0) ** 2 / 3)", 'decoder="best"')
    result = sharpened(text, "--json")
    assert result.exit_code == 0, result.stderr
    (found,) = json.loads(result.stdout)["theorems"]
    assert found["given_gap_map"] is None
    assert found["best_gap_map"]["learning_rate"]["closed_form"] == "1/4"
    assert found["best_decoder"]["learning_rate"]["closed_form"] == "1/4"
    text = text.replace("Max(1 - z, 0)", "Max(1 - w * z, 0)").replace(
        "squared =", 'w = Parameter("w", 1, 2)\nsquared ='
    )
    result = sharpened(text.replace("GapMap, ", "GapMap, Parameter, "))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "the parameter w is chosen for a gap map, and there is none" in result.stderr


def test_the_table_names_the_stream_on_which_no_algorithm_has_less(sharpened):
    theorem = (
        "from sympy import Max\nfrom gaptron import MarginLoss, Theorem\nfrom gaptron.symbols import m\n"
        't = Theorem(name="t", loss=MarginLoss(Max(0, 1 - m)), decoder="best", update="proximal")\n'
    )
    shown = " ".join(sharpened(theorem, "--classes", "2-3").stdout.split())
    assert "less is forbidden, c = 2500001/2500002: K=2, labels from (1/2, 1/2), the comparator's scores" in shown
    assert shown.count("less is forbidden") == 1
