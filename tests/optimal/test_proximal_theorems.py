"""Theorems about proximal updates: proved at the optimal constant, refuted below it by a stream, exactly."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner
from sympy import Max, Piecewise, Rational, Symbol, exp, log

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem, TheoremError
from gaptron.commands.cli import main
from gaptron.guesses import obligations_of
from gaptron.symbols import K, m, p, z

HINGE = MarginLoss(Max(1 - m, 0))
HEAD = """
from sympy import Max, Piecewise, Rational, exp, log
from gaptron import BinaryLoss, MarginLoss, SoftmaxLoss, Theorem
from gaptron.symbols import K, m, p, z
"""
LOSSES = {
    "hinge": "MarginLoss(Max(1 - m, 0))",
    "smooth hinge": "MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)))",
    "logistic": "SoftmaxLoss(-log(p, 2))",
    "margin logistic": "MarginLoss(log(1 + exp(-m)) / log(2))",
    "one vector": "BinaryLoss(Max(1 - z, 0))",
    "tangent from 1/2": "SoftmaxLoss(Piecewise((1 - log(2 * p), p < Rational(1, 2)), (2 * (1 - p), True)))",
    "tangent from 3/4": (
        "SoftmaxLoss(Piecewise((Rational(2, 3) - 2 * log(4 * p / 3), p < Rational(3, 4)), (8 * (1 - p) / 3, True)))"
    ),
}


def text(loss, regret, more=""):
    arguments = f'name="t", loss={LOSSES[loss]}, decoder="best", update="proximal", regret={regret}{more}'
    return f"{HEAD}t = Theorem({arguments})\n"


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Run a verb with --json on the text of a theorem file: the exit code and the first theorem."""
    monkeypatch.setenv("GAPTRON_CACHE", str(tmp_path / "cache"))

    def run(verb, source, *options):
        file = tmp_path / "theorem.py"
        file.write_text(source)
        done = CliRunner().invoke(main, [verb, str(file), "--json", *options])
        return done.exit_code, json.loads(done.stdout)["theorems"][0]

    return run


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("loss", "regret", "more"),
    [
        ("hinge", "K**2 / (4 * (K - 1))", ""),
        ("smooth hinge", "K", ""),
        ("logistic", "Rational(18646, 100000)", ""),
        ("margin logistic", "Rational(12457, 10000)", ", classes=10"),
        ("one vector", "Rational(1, 2)", ""),
        ("tangent from 1/2", "Rational(13353, 100000)", ""),
        ("tangent from 3/4", "Rational(9718, 100000)", ""),
    ],
)
def test_the_optimum_is_proved_by_certificates(command, loss, regret, more):
    code, found = command("check", text(loss, regret, more))
    assert (code, found["verdict"], found["learning_rate"]) == (0, "PROVED", None)
    assert all("kernel" in row["evidence"] for row in found["obligations"])


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("loss", "regret", "more"),
    [
        ("hinge", "(1 - Rational(1, 10**6)) * K**2 / (4 * (K - 1))", ""),
        ("smooth hinge", "(1 - Rational(1, 10**6)) * K", ""),
        ("logistic", "Rational(18645, 100000)", ""),
        ("logistic", "Rational(18645, 100000)", ", classes=range(3, 8)"),
        ("margin logistic", "Rational(12456, 10000)", ", classes=10"),
        ("one vector", "Rational(499999, 10**6)", ""),
        ("tangent from 1/2", "Rational(13352, 100000)", ""),
        ("tangent from 3/4", "Rational(9717, 100000)", ", classes=range(3, 8)"),
    ],
)
def test_below_it_a_stream_refutes_every_algorithm(command, loss, regret, more):
    code, found = command("check", text(loss, regret, more))
    assert (code, found["verdict"]) == (1, "REFUTED")
    witness = found["witness"]
    assert sum(map(Fraction, witness["distribution"])) == 1
    assert witness["obligation"].startswith("criterion/")
    bound, right = (_upper(witness[side]) for side in ("bound", "right"))
    assert Fraction(witness["left"]) > right
    assert Fraction(witness["mistakes"]) > bound
    assert Fraction(witness["mistakes"]) == witness["T"] * Fraction(witness["left"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "regret"), [("hinge", "K**2/(4*(K - 1))*Rational(999999, 10**6)"), ("logistic", "Rational(186, 1000)")]
)
def test_a_witness_of_many_labels_is_short(command, loss, regret):
    """The scores of one label, or of those that are drawn: not K for each of K labels."""
    code, found = command("check", text(loss, regret, ", classes=range(40, 50)"))
    assert (code, found["verdict"], found["witness"]["K"]) == (1, "REFUTED", 40)
    assert len(json.dumps(found["witness"])) < 40**2
    assert found["witness"]["scores_of"]


def _upper(value):
    return Fraction(value if isinstance(value, str) else value[1])


def test_no_algorithm_and_no_constant_where_the_loss_at_zero_is_less_than_a_mistake(command):
    source = text("hinge", "10**6").replace("Max(1 - m, 0)", "Max(Rational(49, 100) - m, 0)")
    code, found = command("check", source)
    assert (code, found["witness"]["T"]) == (1, 1)


def test_a_constant_that_is_not_positive_is_refuted(command):
    assert command("check", text("hinge", "K - 2"))[1]["verdict"] == "REFUTED"


@pytest.mark.slow
def test_a_loss_that_may_fall_below_two_labels_is_undecided_with_the_reason(command):
    """psi(1) = 1/10: proved with a c that is enough for any labels, open where two labels alone need less."""
    expected = {"17/100": "PROVED", "3/25": "UNDECIDED", "1/10": "REFUTED"}
    for c, verdict in expected.items():
        source = text("logistic", f"Rational('{c}')").replace("-log(p, 2)", "Rational(1, 10) - log(p, 2)")
        found = command("check", source, "--timeout", "5")[1]
        assert found["verdict"] == verdict, c
        if verdict == "UNDECIDED":
            (row,) = (row for row in found["obligations"] if row["verdict"] != "PROVED")
            assert row["statement"].startswith("any labels alike")


def test_without_a_regret_it_is_undecided_and_sharpen_is_named(command):
    code, found = command("check", text("hinge", "None"))
    assert code == 3
    assert any("gaptron sharpen" in (row["reason"] or "") for row in found["obligations"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "psi",
    [
        "Piecewise((1 - log(2 * p), p < Rational(1, 2)), (1 - p, True))",  # it drops
        "Piecewise((1 - log(2 * p), p < Rational(1, 2)), (3 - 4 * p, p < Rational(3, 4)), (0, True))",  # turns down
        "Piecewise((2 - 2 * log(2 * p), p < Rational(1, 2)), (2, p < Rational(3, 4)), (8 * (1 - p), True))",  # concave
    ],
)
def test_pieces_that_do_not_fit_together_are_not_proved(command, psi):
    source = text("tangent from 1/2", "10").replace(LOSSES["tangent from 1/2"], f"SoftmaxLoss({psi})")
    code, found = command("check", source)
    assert (code, found["verdict"]) != (0, "PROVED")
    assert {row["verdict"] for row in found["obligations"] if row["id"] == "two labels"} != {"PROVED"}


def test_pieces_that_end_at_no_given_probability_are_undecided_with_the_reason(command):
    source = text("tangent from 1/2", "1").replace("p < Rational(1, 2)", "p**3 < Rational(1, 8)")
    code, found = command("check", source)
    assert code == 3
    assert any("write p against a rational number" in (row["reason"] or "") for row in found["obligations"])


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [20])
def test_sharpen_finds_the_optimum_of_a_loss_in_pieces_for_every_number_of_classes(command, seconds):
    code, found = command("sharpen", text("tangent from 1/2", "None"), "--classes", "2-3")
    assert code == 0
    brackets = found["any_algorithm"]["regret"]["K"]
    assert brackets["2"] == brackets["3"]
    low, high = map(Fraction, brackets["2"])
    assert Fraction(13352, 10**5) < low < high < Fraction(13353, 10**5)


@pytest.mark.parametrize("seconds", [20])
def test_sharpen_finds_the_optimum_and_nothing_else(command, seconds):
    code, found = command("sharpen", text("hinge", "None"), "--classes", "2-3")
    assert code == 0
    assert [found[part] for part in ("given_gap_map", "best_gap_map", "best_decoder")] == [None] * 3
    regret = found["any_algorithm"]["regret"]
    assert regret["closed_form"] == "K**2/(4*(K - 1))"
    for n, optimum in (("2", Fraction(1)), ("3", Fraction(9, 8))):
        low, high = map(Fraction, regret["K"][n])
        assert high == optimum
        assert 0 < 1 - low / high < Fraction(1, 10**6)
        assert found["any_algorithm"]["witnesses"][n]["regret"] == str(low)


@pytest.mark.slow
def test_the_logistic_loss_has_one_constant_for_every_number_of_classes(command):
    code, found = command("sharpen", text("logistic", "None"), "--classes", "2-3")
    assert code == 0
    regret = found["any_algorithm"]["regret"]
    assert regret["closed_form"] is None
    low, high = map(Fraction, regret["every_K"])
    assert low < Fraction(18645263, 10**8) < high < low + Fraction(1, 10**6)
    assert regret["K"]["3"] == regret["every_K"]


@pytest.mark.slow
def test_off_above_is_left_out_of_the_optimum(command):
    source = (
        text("hinge", "None")
        .replace("Max(1 - m, 0)", "Max(1 - m, 0), off_above=1 / K")
        .replace('decoder="best", update="proximal", ', 'decoder="best", ')
    )
    code, found = command("sharpen", source, "--classes", "2")
    assert (code, found["any_algorithm"]["regret"]["K"]["2"][1]) == (0, "1")
    assert "off_above" in found["any_algorithm"]["loss"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"learning_rate": 1 / K}, 'learning_rate = 1/K: update = "proximal" has a regret only'),
        ({"gap_map": GapMap(1 / K)}, 'gap_map = 1/K: with decoder = "best" there is none'),
        ({"decoder": "gap map", "gap_map": GapMap(1 / K)}, 'update = "proximal" goes with decoder = "best" only'),
        ({"loss": MarginLoss(Max(1 - m, 0), off_above=1)}, 'off_above = 1: with update = "proximal"'),
        ({"feedback": "bandit"}, "goes with full information"),
        ({"exploration": 1 / K}, "goes with full information"),
        ({"abstention_cost": 1 / K}, "without abstention_cost"),
        ({"update": "implicit"}, 'update = \'implicit\' is neither "gradient" nor "proximal"'),
        ({"regret": 1 / Symbol("c")}, "regret = 1/c"),
    ],
)
def test_what_does_not_go_with_proximal_updates_is_an_input_error(more, message):
    with pytest.raises(TheoremError, match=None) as raised:
        Theorem(**{"name": "t", "loss": HINGE, "decoder": "best", "update": "proximal"} | more)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_every_obligation_of_the_reduction_is_there():
    def names(loss):
        theorem = Theorem(name="t", loss=loss, decoder="best", update="proximal", regret=K)
        return {obligation.id.split("/")[0] for obligation in obligations_of(theorem)}

    assert {"loss", "regret", "criterion"} <= names(HINGE)
    assert "two labels" in names(SoftmaxLoss(-log(p, 2)))
    assert "two labels" not in names(BinaryLoss(log(1 + exp(-z))))
    assert "criterion" in names(MarginLoss(Piecewise((1 - m, m < Rational(1, 2)), (Rational(1, 2), True))))
