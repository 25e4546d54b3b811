"""``gaptron run``: real data with its bound, one JSON document, hostile names and parameters."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gaptron.run import run


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(run, [str(argument) for argument in arguments])


def document(*arguments: object) -> dict[str, Any]:
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize(("loss", "theorem"), [("logistic", 1), ("hinge", 2), ("smooth-hinge", 3)])
def test_digits_by_default_and_the_bound_holds(loss: str, theorem: int) -> None:
    found = document("--loss", loss)
    assert (found["data"], found["rounds"], found["classes"], found["features"]) == ("digits", 1797, 10, 64)
    assert found["theorem"] == f"van der Hoeven 2020, Theorem {theorem}"
    assert found["expected_mistakes"] <= found["bound"]
    loss_at_u, norm = found["comparator"]["loss"], found["comparator"]["norm"]
    assert found["bound"] == pytest.approx(loss_at_u + norm**2 / (2 * found["learning_rate"]))
    assert abs(found["mistakes"] - found["expected_mistakes"]) < 150


def test_the_same_seed_gives_the_same_run_and_the_expectation_does_not_depend_on_it() -> None:
    first, again, other = (document("iris", "--seed", seed) for seed in (1, 1, 2))
    assert first["mistakes"] == again["mistakes"]
    assert first["expected_mistakes"] == other["expected_mistakes"]


def test_bandit_feedback_is_projected_and_explores() -> None:
    found = document("digits", "--feedback", "bandit", "--loss", "hinge")
    assert 0 < found["exploration"] < 1
    assert found["radius"] == pytest.approx(1 / found["feature_norm"])
    assert found["comparator"]["norm"] <= found["radius"] * (1 + 1e-9)
    assert found["theorem"].startswith("van der Hoeven 2020, Lemma 1")
    assert "in expectation over the draws" in invoke("iris", "--feedback", "bandit").stdout


def test_a_learning_rate_above_the_theorems_has_no_bound() -> None:
    assert document("iris", "--learning-rate", 1)["bound"] is None
    assert "no theorem covers this learning rate" in invoke("iris", "--learning-rate", 1).stdout


def test_a_smaller_learning_rate_and_exploration_have_lemma_1() -> None:
    found = document("iris", "--learning-rate", 1e-5, "--exploration", 0.25)
    assert found["theorem"] == "van der Hoeven 2020, Lemma 1, with the gap inequality of Theorem 3"
    assert found["bound"] >= found["expected_mistakes"]


def test_a_bias_is_one_more_feature() -> None:
    assert document("iris", "--bias")["features"] == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv"], "gaptron: none.csv: does not exist"),
        (["iris", "--label-column", "0"], "--label-column 0 goes with CSV and TSV files only"),
        (["iris", "--learning-rate", "-1"], "learning_rate"),
        (["iris", "--learning-rate", "nan"], "learning_rate"),
        (["iris", "--exploration", "2"], "exploration"),
        (["iris", "--radius", "0"], "radius"),
        (["iris", "--learning-rate", "1e308"], "the weights overflow"),
        (["iris", "--loss", "square"], "'square' is not one of"),
        (["iris", "--seed", "-1"], "--seed"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(arguments: list[str], message: str) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.output


def test_a_hostile_name_does_not_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "[red]\x1b[2J.csv"
    file.write_text("1,[bold]a\n2,\x1b[31mb\n")
    assert "\x1b" not in invoke(file).output
    file.write_text("\x1b[2Jx,a\n\x1b[2J,b\n")
    assert "\x1b" not in invoke(file).output


def test_features_that_are_all_zero_are_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "zero.csv"
    file.write_text("0,a\n0,b\n")
    assert document(file)["feature_norm"] == 1.0


def test_help_states_the_exit_codes() -> None:
    said = invoke("--help").stdout
    assert "0  the stream was run" in said
    assert "2  usage or input error" in said
