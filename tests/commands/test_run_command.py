"""``gaptron run``: real data with its bound, one JSON document, hostile names and parameters."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from conftest import is_one_sentence

from gaptron.bounds.hindsight import Comparator
from gaptron.commands.run import run
from gaptron.experiments.contenders import CONTENDERS
from gaptron.experiments.contenders import LOSSES as COMPARED
from gaptron.experiments.named_streams import named
from gaptron.experiments.names import LEARNERS
from gaptron.experiments.names import LOSSES as NAMED
from gaptron.experiments.runs import run_in_chunks
from gaptron.learners import Gaptron, ProximalLogistic
from gaptron.learners import compiled as fast
from gaptron.streams import SYNTHETIC, Stream, margin
from gaptron.system.extras import install
from gaptron.theory.named import MULTICLASS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_names_that_run_writes_out_are_those_of_the_comparison() -> None:
    """They are literals in the verb, which says what is wrong with a command before anything is imported."""
    assert set(LEARNERS) == {"gaptron", *(name for name in CONTENDERS if not name.startswith("gaptron-"))}
    assert NAMED == COMPARED
    assert tuple(name.replace("-", " ") for name in NAMED) == MULTICLASS


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(run, [str(argument) for argument in arguments])


def document(*arguments: object) -> dict[str, Any]:
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    return dict(json.loads(done.stdout))


@pytest.mark.few(1)
@pytest.mark.parametrize(("loss", "theorem"), [("logistic", 1), ("hinge", 2), ("smooth-hinge", 3)])
def test_digits_by_default_and_the_bound_holds(loss: str, theorem: int) -> None:
    found = document("--loss", loss)
    assert (found["data"], found["rounds"], found["classes"], found["features"]) == ("digits", 1797, 10, 64)
    assert found["theorem"] == f"van der Hoeven 2020, Theorem {theorem}"
    assert found["expected_mistakes"] <= found["bound"]
    assert found["slack"] == found["bound"] - found["expected_mistakes"]
    assert found["expectation"] == "exact"
    loss_at_u, norm = found["comparator"]["loss"], found["comparator"]["norm"]
    assert found["bound"] == pytest.approx(loss_at_u + norm**2 / (2 * found["learning_rate"]))
    assert abs(found["mistakes"] - found["expected_mistakes"]) < 150


@pytest.mark.slow
def test_the_default_is_the_best_that_is_proved_and_says_so() -> None:
    found = document()
    shown = [found[key] for key in ("learner", "loss", "update", "decoder", "feedback")]
    assert shown == ["proximal-logistic", "logistic", "proximal", "best", "full"]
    assert found["learning_rate"] == pytest.approx(1 / (2 * 0.18645264 * found["feature_norm"] ** 2), rel=1e-12)
    assert found["expected_mistakes"] <= found["bound"]
    assert found["theorem"] == "logistic, proximal, the constant that no algorithm beats"
    assert found["expected_mistakes"] < 0.11 * 1797
    assert "\nlearner            proximal-logistic, logistic loss, " in invoke("iris").stdout
    assert document("iris", "--seeds", 2)["learner"] == "proximal-logistic"
    stream = named("iris")
    own = ProximalLogistic(3, 4, feature_norm=stream.feature_norm, seed=0).run(stream.X, stream.y)
    assert document("iris")["expected_mistakes"] == own.expected_mistakes


@pytest.mark.parametrize("given", [("--feedback", "bandit"), ("--loss", "hinge"), ("--exploration", 0.1)])
def test_an_option_of_gaptron_chooses_gaptron(given: tuple[object, ...]) -> None:
    assert document("iris", *given, "--rounds", 20)["learner"] == "gaptron"
    assert document("iris", *given, "--rounds", 20, "--seeds", 2)["learner"] == "gaptron"


@pytest.mark.slow
def test_no_run_but_that_of_a_file_needs_computer_algebra(tmp_path: Path) -> None:
    """Of every learner, and of Gaptron with every loss that has a name, however it predicts and learns."""
    data = tmp_path / "data.csv"
    data.write_text("1,0,a\n0,1,b\n0.5,0.5,a\n-1,0,c\n" * 5)
    ways: list[list[str]] = [
        [],
        ["--feedback", "bandit"],
        ["--decoder", "best"],
        ["--update", "proximal"],
        ["--delay", "1"],
    ]
    runs = [["--learner", name] for name in LEARNERS] + [["--loss", name, *way] for name in NAMED for way in ways]
    program = (
        "import json, sys; sys.modules['sympy'] = None\n"
        "from click.testing import CliRunner; from gaptron.commands.run import run\n"
        "for given in json.loads(sys.argv[2]):\n"
        "    done = CliRunner().invoke(run, [sys.argv[1], '--json', *given])\n"
        "    assert done.exit_code == 0, (given, done.output, done.exception)\n"
        "assert CliRunner().invoke(run, [sys.argv[1], '--loss', 'mine.py']).exit_code == 1\n"
    )
    (tmp_path / "mine.py").write_text("from gaptron import Theorem\n")
    done = subprocess.run(
        [sys.executable, "-c", program, data, json.dumps(runs)],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_same_seed_gives_the_same_run_and_the_expectation_does_not_depend_on_it() -> None:
    first, again, other = (document("iris", "--seed", seed) for seed in (1, 1, 2))
    assert first["mistakes"] == again["mistakes"]
    assert first["expected_mistakes"] == other["expected_mistakes"]


@pytest.mark.parametrize("update", ["gradient", "proximal"])
def test_a_delay_has_as_many_copies_in_its_bound(update: str) -> None:
    found = document("iris", "--delay", 2, "--update", update)
    assert (found["learner"], found["delay"], document("iris", "--update", update)["delay"]) == ("gaptron", 2, 0)
    stream = named("iris")
    own = Gaptron(3, 4, update=update, delay=2, feature_norm=stream.feature_norm, seed=0).run(stream.X, stream.y)
    assert found["expected_mistakes"] == own.expected_mistakes <= found["bound"]
    loss, norm = found["comparator"]["loss"], found["comparator"]["norm"]
    assert found["bound"] == pytest.approx(loss + 3 * norm**2 / (2 * found["learning_rate"]))
    assert found["theorem"].endswith(", for each of 3 copies that take turns")
    (chunked,) = document("iris", "--delay", 2, "--update", update, "--chunk", 50)["runs"]
    assert chunked["mistakes"] == found["mistakes"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--feedback", "bandit"), 'delay = 2: with feedback = "bandit" it must be 0'),
        (("--learner", "soba"), "--delay goes with --learner gaptron only"),
    ],
)
def test_a_delay_is_for_gaptron_with_full_information(given: tuple[object, ...], message: str) -> None:
    done = invoke("iris", "--delay", 2, *given)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_delay_is_a_number_of_rounds_and_shorter_than_the_stream() -> None:
    for given, message in (
        (-1, "-1 is not in the range x>=0."),
        (1.5, "'1.5' is not a valid integer range."),
        (150, "delay = 150: of 150 rounds no label would arrive in time for a later one"),
        (10**30, f"delay = {10**30}: of 150 rounds no label would arrive in time for a later one"),
    ):
        done = invoke("iris", "--delay", given)
        assert done.exit_code == 2
        assert done.stderr.endswith(f"{message}\n")
    assert document("iris", "--delay", 149)["expected_mistakes"] == pytest.approx(100)


def test_bandit_feedback_is_projected_and_explores() -> None:
    found = document("digits", "--feedback", "bandit", "--loss", "hinge")
    assert 0 < found["exploration"] < 1
    assert found["radius"] == pytest.approx(1 / found["feature_norm"])
    assert found["comparator"]["norm"] <= found["radius"] * (1 + 1e-9)
    assert found["theorem"].startswith("van der Hoeven 2020, Lemma 1")
    assert found["expectation"] == "given the draws"
    assert "in expectation over the draws" in invoke("iris", "--feedback", "bandit").stdout


def test_the_bandit_bound_is_at_a_comparator_that_does_not_depend_on_the_draws() -> None:
    one, other = (document("wine", "--feedback", "bandit", "--loss", "hinge", "--seed", seed) for seed in (1, 2))
    assert one["expected_mistakes"] != other["expected_mistakes"]
    assert one["comparator"]["norm"] == other["comparator"]["norm"] > 0


def test_a_bandit_bound_is_lemma_1_and_one_run_may_exceed_it() -> None:
    found = document("iris", "--feedback", "bandit", "--exploration", 0.5, "--radius", 2)
    K, X, T = 3, found["feature_norm"], 150
    assert found["learning_rate"] == pytest.approx(0.5 / (K * X**2) / (4 * K))
    regret = found["comparator"]["norm"] ** 2 / (2 * found["learning_rate"])
    assert found["bound"] == pytest.approx(found["comparator"]["loss"] + regret + 0.5 * T * (K - 1) / K)
    assert found["slack"] == pytest.approx(found["bound"] - found["expected_mistakes"])


def test_a_learning_rate_above_the_theorems_has_no_bound() -> None:
    assert document("iris", "--learning-rate", 1)["bound"] is None
    assert "no theorem covers this learning rate" in invoke("iris", "--learning-rate", 1).stdout
    found = document("iris", "--learner", "gaptron")
    above = document("iris", "--learning-rate", found["learning_rate"] * (1 + 1e-9))
    assert (above["bound"], above["slack"], above["theorem"]) == (None, None, None)
    assert document("iris", "--learning-rate", found["learning_rate"])["theorem"] == found["theorem"]


def test_a_learning_rate_next_to_nothing_has_the_bound_of_zero() -> None:
    assert document("iris", "--learning-rate", "1e-320")["bound"] == 150


@pytest.mark.parametrize("loss", ["logistic", "hinge", "smooth-hinge"])
@pytest.mark.parametrize("feedback", ["full", "bandit"])
def test_a_very_large_learning_rate_is_a_run_without_a_bound(loss: str, feedback: str) -> None:
    assert document("iris", "--learning-rate", 1e97, "--loss", loss, "--feedback", feedback)["bound"] is None


def test_the_smooth_hinge_loss_is_spelled_both_ways() -> None:
    one, other = document("iris", "--loss", "smooth hinge"), document("iris", "--loss", "smooth-hinge")
    assert one["loss"] == "smooth hinge"
    assert one | {"seconds": 0} == other | {"seconds": 0}


def test_scaled_features_are_the_same_run(tmp_path: Path) -> None:
    rows = [(0.5, "a"), (-1.0, "b"), (0.25, "a"), (-0.5, "b")] * 5
    reports = []
    for name, scale in (("small.csv", 1e-60), ("large.csv", 1e60)):
        (tmp_path / name).write_text("".join(f"{x * scale!r},{label}\n" for x, label in rows))
        reports.append(document(tmp_path / name))
    assert reports[0]["bound"] == pytest.approx(reports[1]["bound"], rel=1e-6)
    assert reports[0]["bound"] < 20


def test_an_expectation_above_the_bound_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Comparator, "bound", lambda *_: 1.0)
    done = invoke("iris")
    assert isinstance(done.exception, RuntimeError)
    assert "a bug in gaptron" in str(done.exception)
    assert invoke("iris", "--feedback", "bandit", "--exploration", "0.01").exit_code == 0


def test_an_interrupt_is_one_line_and_exit_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gaptron.experiments.runs.run_in_chunks", interrupt)
    done = invoke("iris")
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "gaptron: interrupted\n")


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
        (["digit"], "gaptron: digit: is neither a file nor one of digits, wine, iris"),
        ([""], "is a"),
        (["iris", "--label-column", "0"], "--label-column 0 goes with CSV and TSV files only"),
        (["iris", "--learning-rate", "-1"], "learning_rate"),
        (["iris", "--learning-rate", "nan"], "learning_rate"),
        (["iris", "--exploration", "2"], "exploration"),
        (["iris", "--radius", "0"], "radius"),
        (["iris", "--learning-rate", "1e308"], "learning_rate = 1e+308: the weights overflow"),
        (["iris", "--learning-rate", "1e99"], "learning_rate = 1e+99: the weights overflow"),
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


def test_json_says_what_is_wrong_in_its_one_document() -> None:
    done = invoke("none.csv", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout) == {"schema": 1, "error": "none.csv: does not exist"}
    assert done.stderr == "gaptron: none.csv: does not exist\n"


def test_markup_in_labels_is_text(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("x,kind\n1,[red]x\n2,[red]x\n")
    assert "all labels are '[red]x'" in invoke(file).stderr
    file.write_text("x,kind\n1,[red]x\n2,[/nonsense]\n")
    assert invoke(file).exit_code == 0


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
    assert "0    the stream was run" in said
    assert "2    usage or input error" in said
    assert "130, 143  interrupted" in said


@pytest.mark.slow
def test_several_seeds_have_a_mean_and_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    found = document("iris", "--seeds", 3, "--seed", 5, "--feedback", "bandit")
    assert [run["seed"] for run in found["runs"]] == [5, 6, 7]
    rates = [run["mistakes"] / 150 for run in found["runs"]]
    assert found["error_rate"]["mean"] == pytest.approx(sum(rates) / 3)
    assert found["error_rate"]["low"] < found["error_rate"]["mean"] < found["error_rate"]["high"]
    alone = document("iris", "--seed", 6, "--feedback", "bandit")
    assert alone["mistakes"] == found["runs"][1]["mistakes"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_runs(learner: str) -> None:
    found = document("iris", "--learner", learner, "--seeds", 1, "--rounds", 40)
    assert found["rounds"] == 40
    assert found["classes"] == 3


def test_a_synthetic_stream_has_as_many_rounds_as_asked() -> None:
    found = document("synsep", "--rounds", 300, "--learner", "perceptron")
    assert (found["data"], found["rounds"], found["classes"], found["features"]) == ("synsep", 300, 9, 400)
    assert found["runs"][0]["mistakes"] == found["runs"][0]["expected_mistakes"]


def test_features_longer_than_the_bound_are_named_unless_rescaled() -> None:
    done = invoke("iris", "--feature-norm", "6")
    assert done.exit_code == 2
    assert "round 1 has norm 6.34508: at most 6 is allowed" in done.stderr
    assert document("iris", "--feature-norm", 1, "--rescale")["feature_norm"] == pytest.approx(1)
    found = document("iris", "--feature-norm", 20, "--learner", "gaptron")
    assert found["learning_rate"] == pytest.approx(1 / 12 / 400)


@pytest.mark.slow
def test_curves_are_written_as_csv_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    table, drawing = tmp_path / "curve.csv", tmp_path / "curve.png"
    found = document("iris", "--seeds", 2, "--csv", table, "--plot", drawing)
    rows = [line.split(",") for line in table.read_text().splitlines()]
    assert rows[0] == ["seed", "rounds", "error_rate"]
    last = [row for row in rows if row[1] == "150"]
    assert [float(row[2]) * 150 for row in last] == pytest.approx([run["mistakes"] for run in found["runs"]])
    assert drawing.read_bytes().startswith(b"\x89PNG")
    assert document("iris", "--csv", table)["mistakes"] == found["runs"][0]["mistakes"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--learner", "svm"], "'svm' is not one of"),
        (["--learner", "perceptron", "--loss", "hinge"], "--loss goes with --learner gaptron only"),
        (["--learner", "soba", "--learning-rate", "1"], "--learning-rate goes with --learner gaptron only"),
        (["--learner", "proximal-logistic", "--feedback", "bandit"], "--feedback goes with --learner gaptron only"),
        (["--learner", "perceptron", "--exploration", "0.1"], "--exploration: perceptron does not explore"),
        (["--learner", "banditron", "--exploration", "2"], "exploration = 2.0 is not a number in [0, 1]"),
        (["--plot", "curve.gif"], "curve.gif: its ending must be one of .svg, .png, .pdf"),
        (["--csv", "no/such/folder/curve.csv"], "cannot be written: No such file or directory"),
        (["--rounds", "0"], "--rounds"),
        (["--feature-norm", "0"], "--feature-norm"),
    ],
)
def test_options_that_do_not_go_together_are_named(arguments: list[str], message: str) -> None:
    done = invoke("iris", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.output


def test_a_long_stream_is_run_compiled_in_pieces_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = margin(25_000, 3, 2, 0.1, seed=0)
    pieces, whole = Gaptron(3, 2, seed=0), Gaptron(3, 2, seed=0)
    assert fast.chosen(pieces, stream.n_rounds)
    monkeypatch.setattr(Gaptron, "_run", lambda *_: pytest.fail("the reference was run"))
    done = run_in_chunks(pieces, stream, lambda rounds, mistakes: None)
    assert done.mistakes == whole.run(stream.X, stream.y).mistakes
    assert (pieces.W == whole.W).all()


def test_a_long_file_is_run_compiled_however_short_its_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, file = margin(25_000, 3, 2, 0.1, seed=0), tmp_path / "long.csv"
    np.savetxt(file, np.column_stack([stream.X, stream.y]), delimiter=",")
    monkeypatch.setattr(Gaptron, "_run", lambda *_: pytest.fail("the reference was run"))
    done = invoke(file, "--chunk", 1000)
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_long_file_without_numba_has_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "long.csv"
    file.write_text("1,0\n0,1\n" * 1_500)
    monkeypatch.setattr(fast, "WORTH_SECONDS", fast.WORTH_SECONDS / 10)
    monkeypatch.setattr(fast, "find_spec", lambda _: None)
    done = invoke(file, "--chunk", 1_000)
    assert done.exit_code == 0
    assert done.stderr == f"gaptron: 3000 rounds without numba take long: {install('fast')}\n"
    file.write_text("1,0\n0,1\n")
    assert invoke(file, "--chunk", 1_000).stderr == ""


def test_a_terminal_sees_both_passes_over_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    (file := tmp_path / "data.csv").write_text("1,0\n0,1\n" * 50)
    done = invoke(file, "--chunk", 10)
    assert done.exit_code == 0
    assert done.stderr.index("checking, ") < done.stderr.index("error rate")
    file.write_text("1,0\n0,1\n" * 50 + "x,1\n")
    assert f"{file}:101: column 1 is 'x', not a finite number" in invoke(file, "--chunk", 10).stderr.replace("\n", "")


@pytest.mark.few(1)
@pytest.mark.parametrize("learner", ["gaptron", "soba-diagonal"])
def test_a_stream_read_in_pieces_is_the_same_run(learner: str, tmp_path: Path) -> None:
    curves = [tmp_path / "pieces.csv", tmp_path / "whole.csv"]
    pieces = document("digits", "--learner", learner, "--chunk", 100, "--csv", curves[0])
    whole = document("digits", "--learner", learner, "--csv", curves[1])
    assert pieces["rounds"] == whole["rounds"] == 1797
    assert pieces["runs"][0]["mistakes"] == whole.get("mistakes", (whole.get("runs") or [{}])[0].get("mistakes"))
    assert curves[0].read_text() == curves[1].read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rounds", "5"], "--rounds does not go with --chunk"),
        (["--seeds", "2"], "--seeds does not go with --chunk"),
        (["--bias"], "--bias does not go with --chunk"),
        (["--feature-norm", "6"], "round 1 has norm 6.34508: at most 6 is allowed"),
    ],
)
def test_what_does_not_go_with_pieces_is_named(arguments: list[str], message: str) -> None:
    done = invoke("iris", "--chunk", 50, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("synsep", "synsep: is drawn whole: --chunk goes with a file, or one of digits, wine, iris"),
        ("digit", "digit: is neither a file nor one of digits, wine, iris"),
        ("none.csv", "none.csv: does not exist"),
        ("", ".: is a folder"),
    ],
)
def test_what_cannot_be_read_in_pieces_is_named(data: str, message: str) -> None:
    done = invoke(data, "--chunk", 50)
    assert done.exit_code == 2
    assert f"gaptron: {message}" in done.stderr


@pytest.mark.parametrize("option", ["--chunk", "--rounds", "--seeds"])
def test_a_count_beyond_what_is_counted_is_an_error_of_usage(option: str) -> None:
    done = invoke("iris", option, 10**30)
    assert done.exit_code == 2
    assert f"Invalid value for '{option}'" in done.stderr
    assert "is not in the range 1<=x<=1000000000" in done.stderr


def test_rounds_that_memory_cannot_hold_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(rounds: int, seed: int) -> Stream:
        raise MemoryError(f"Unable to allocate {rounds} rows")

    monkeypatch.setitem(SYNTHETIC, "synsep", refuse)
    done = invoke("synsep", "--rounds", 10**9)
    assert done.exit_code == 2
    assert done.stderr == "gaptron: synsep: 1000000000 rounds need more memory than there is\n"


@pytest.mark.parametrize("norm", ["1e308", "1e-300"])
@pytest.mark.parametrize("arguments", [[], ["--chunk", 50], ["--seeds", 2], ["--learner", "perceptron"]])
def test_a_feature_norm_whose_square_leaves_the_doubles_is_named(arguments: list[object], norm: str) -> None:
    done = invoke("iris", "--feature-norm", norm, *arguments)
    assert done.exit_code == 2
    assert done.stderr == f"gaptron: --feature-norm {float(norm):g}: must be from 1e-100 to 1e+100\n"


def test_a_loss_of_ones_own_is_run_beside_its_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    found = document("iris", "--loss", EXAMPLES / "squared_hinge.py")
    assert found["loss"] == "squared hinge"
    assert found["theorem"] == "squared hinge, if gaptron check proves it"
    assert found["expected_mistakes"] <= found["bound"]
    again = document("iris", "--loss", f"{EXAMPLES / 'squared_hinge.py'}:squared hinge", "--seeds", 2)
    assert again["runs"][0]["mistakes"] == found["mistakes"]


@pytest.mark.parametrize("arguments", [[], ["--chunk", 50]])
def test_a_gap_map_that_leaves_its_range_is_one_sentence(arguments: list[object], tmp_path: Path) -> None:
    file = tmp_path / "twice.py"
    text = (EXAMPLES / "squared_hinge.py").read_text()
    assert text.count("GapMap(") == 1
    file.write_text(text.replace("GapMap(", "GapMap(2 * "))
    done = invoke("iris", "--loss", file, *arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("gaptron: gap map = 2.0 at the scores [0. 0. 0.]: it must be in [0, 1]")
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ("none.py", "none.py: "),
        (f"{EXAMPLES / 'squared_hinge.py'}:cubed", "holds 'squared hinge': name one as"),
        (str(EXAMPLES / "syntax_error.py"), "syntax_error.py:"),
    ],
)
def test_a_file_without_such_a_theorem_is_named(loss: str, message: str) -> None:
    done = invoke("iris", "--loss", loss)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_proximal_updates_have_the_bound_that_no_algorithm_beats() -> None:
    found = document("digits", "--loss", "smooth-hinge", "--update", "proximal", "--rounds", 60)
    norm, loss = found["comparator"]["norm"], found["comparator"]["loss"]
    assert (found["update"], found["decoder"]) == ("proximal", "best")
    assert math.isclose(found["bound"], loss + 10 * found["feature_norm"] ** 2 * norm**2, rel_tol=1e-9)
    assert found["expected_mistakes"] <= found["bound"]


def test_the_best_decoder_is_named_and_has_the_bound_of_lemma_1() -> None:
    found = document("digits", "--loss", "logistic", "--decoder", "best", "--rounds", 60)
    assert found["decoder"] == "best"
    assert found["theorem"] == "van der Hoeven 2020, Lemma 1, with the gap inequality of Theorem 1"
    assert found["expected_mistakes"] <= found["bound"]


TWO_CLASSES = """
from sympy import Max
from gaptron import BinaryLoss, GapMap, Theorem
from gaptron.symbols import m, z

loss = BinaryLoss(Max(1 - z, 0) ** 2)
squared = Theorem(name="squared", loss=loss, gap_map=GapMap(Max(1 - m, 0) ** 2), learning_rate=0.25)
proximal = Theorem(name="proximal", loss=loss, decoder="best", update="proximal", regret=1)
"""


@pytest.fixture
def two_classes(tmp_path: Path) -> tuple[Path, Path]:
    """A theorem file of one weight vector, and a stream of two classes."""
    (tmp_path / "two.py").write_text(TWO_CLASSES)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    np.savez(tmp_path / "two.npz", X=X, y=(X @ rng.normal(size=3) > 0).astype(int))
    return tmp_path / "two.npz", tmp_path / "two.py"


@pytest.mark.parametrize(("name", "update", "rate"), [("squared", "gradient", 0.25), ("proximal", "proximal", 0.5)])
def test_a_binary_theorem_runs_on_two_classes(
    two_classes: tuple[Path, Path], name: str, update: str, rate: float
) -> None:
    data, file = two_classes
    found = document(data, "--loss", f"{file}:{name}", "--rescale")
    assert (found["classes"], found["update"]) == (2, update)
    assert found["learning_rate"] == pytest.approx(rate)
    loss_at_u, norm = found["comparator"]["loss"], found["comparator"]["norm"]
    assert found["bound"] == pytest.approx(loss_at_u + norm**2 / (2 * rate))
    assert 0 < found["expected_mistakes"] < found["bound"] < 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("iris",), 'theorem "squared" has a BinaryLoss: two classes, and the data has 3'),
        (("DATA", "--radius", 3), '--radius does not go with theorem "squared", which has a BinaryLoss'),
        (("DATA", "--feedback", "bandit"), '--feedback bandit does not go with theorem "squared"'),
        (("DATA", "--delay", 2), '--delay does not go with theorem "squared"'),
        (("DATA", "--exploration", 0.1), '--exploration does not go with theorem "squared"'),
    ],
)
def test_what_does_not_go_with_a_binary_theorem_is_said(
    two_classes: tuple[Path, Path], arguments: tuple[object, ...], message: str
) -> None:
    data, file = two_classes
    done = invoke(*(data if a == "DATA" else a for a in arguments), "--loss", f"{file}:squared")
    assert done.exit_code == 2
    assert message in done.stderr
    assert is_one_sentence(done.stderr)
