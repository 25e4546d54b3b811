"""``gaptron compare``: each setting is run once, an interruption loses nothing, tuned is never worse than theory."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import is_one_sentence

from gaptron.commands.compare import compare
from gaptron.experiments.contenders import CONTENDERS, LINEAR, Setting
from gaptron.experiments.jobs import Job, Results, digest, run_job
from gaptron.experiments.named_streams import named
from gaptron.experiments.summary import best, entries, sweeps
from gaptron.learners import Gaptron, ProximalLogistic
from gaptron.streams import StreamError

pytestmark = pytest.mark.slow

SMALL = ("--streams", "iris", "--learners", "perceptron,banditron,gaptron-hinge", "--rounds", "60", "--seeds", "2",
         "--explorations", "0.1,0.2", "--workers", "1")  # fmt: skip


def invoke(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(compare, [*arguments, "--out", str(out)])


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("comparison")
    done = invoke(out, *SMALL, "--workers", "2")
    assert done.exit_code == 0, done.output
    assert (out / "summary.md").read_text() == done.stdout
    return out


def test_every_setting_is_run_once(finished: Path) -> None:
    results = [json.loads(line) for line in (finished / "results.jsonl").read_text().splitlines()]
    keys = [tuple(result["job"].values()) for result in results]
    assert len(keys) == len(set(keys)) == 2 * (1 + 3 + len(CONTENDERS["gaptron-hinge"].scales))
    assert all(result["points"][-1] == 60 and 0 <= result["errors"][-1] <= 1 for result in results)


def test_the_figure_shows_every_learner_and_loads_nothing(finished: Path) -> None:
    drawn = (finished / "figure.svg").read_text()
    assert drawn.startswith("<?xml")
    for learner in ("perceptron", "banditron", "gaptron-hinge"):
        assert f"<!-- {learner}, theory -->" in drawn
    assert 'href="http' not in drawn.split("<defs>", 1)[1]


def test_a_finished_comparison_runs_nothing_again(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "gaptron.experiments.comparison.run_missing", lambda jobs, *_: pytest.fail(str(jobs)) if jobs else None
    )
    assert invoke(finished, *SMALL).stdout == (finished / "summary.md").read_text()


def test_an_interrupted_comparison_goes_on_where_it_stopped(finished: Path, tmp_path: Path) -> None:
    whole = (finished / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text("".join(whole[:5]) + whole[5][:40])
    done = invoke(tmp_path, *SMALL)
    assert done.exit_code == 0, done.output

    def errors(folder: Path) -> dict[str, list[float]]:
        found = map(json.loads, (folder / "results.jsonl").read_text().splitlines())
        return {str(result["job"]): result["errors"] for result in found}

    assert errors(tmp_path) == errors(finished)
    assert (tmp_path / "results.jsonl").read_text().startswith("".join(whole[:5]))


@pytest.mark.parametrize("content", [b'{"job": 1}\n', b"\xff\n"])
def test_a_file_of_something_else_is_named_and_kept(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_bytes(content)
    done = invoke(tmp_path, *SMALL)
    assert done.exit_code == 2
    assert done.stderr == f"gaptron: {tmp_path}/results.jsonl:1: is not a result of gaptron compare\n"
    assert (tmp_path / "results.jsonl").read_bytes() == content


def test_tuned_is_never_worse_than_theory_and_learners_without_parameters_are_not_tuned(finished: Path) -> None:
    found = entries(Results(finished / "results.jsonl").found.values())
    chosen = {(entry.learner, entry.theory): entry.error.mean for entry in best(found)}
    for learner in ("banditron", "gaptron-hinge"):
        assert chosen.get((learner, False), 0) <= chosen[learner, True]
    assert ("perceptron", False) not in chosen
    assert [sweep.learner for sweep in sweeps(found)] == ["banditron"]
    assert sweeps(found)[0].explorations == [0.1, 0.2]
    assert {line.points[-1] for line in best(found)} == {60}


def test_a_result_does_not_depend_on_the_process_it_was_computed_in(finished: Path) -> None:
    results = Results(finished / "results.jsonl").found
    for job in list(results)[:4]:
        assert run_job(job).errors == results[job].errors


@pytest.mark.parametrize("name", sorted(CONTENDERS))
def test_every_contender_runs_at_the_parameters_of_its_theory(name: str) -> None:
    contender = CONTENDERS[name]
    learner = contender.build(Setting(3, 4, 8.0, 150), None, 1.0, 0)
    assert learner.feedback == contender.feedback
    stream = named("iris", 20)
    assert len(learner.run(stream.X, stream.y).wrong) == 20


def test_the_best_that_is_proved_is_compared_by_default() -> None:
    assert next(iter(LINEAR)) == "proximal-logistic"
    learner = LINEAR["proximal-logistic"].build(Setting(3, 4, 8.0, 150), None, 1.0, 0)
    assert isinstance(learner, ProximalLogistic)
    assert learner.feature_norm == 8.0


def test_files_are_read_as_run_reads_them(tmp_path: Path) -> None:
    file, out, small = tmp_path / "a|b.csv", tmp_path / "out", ("--learners", "perceptron", "--workers", "1")
    stream = named("iris")
    rows = ["label,a,b,c,d", *(",".join(map(str, [y, *x])) for x, y in zip(stream.X, stream.y, strict=True))]
    file.write_text("\n".join(rows))
    done = invoke(out, str(file), "iris", "--label-column", "label", *small)
    assert done.exit_code == 0, done.output
    (_, first), (_, second) = (line.split(" | perceptron | ") for line in done.stdout.splitlines()[2:])
    assert first.split(" | ")[:4] == second.split(" | ")[:4]
    assert "a\\|b.csv" in done.stdout
    jobs = len((out / "results.jsonl").read_text().splitlines())
    assert invoke(out, str(file), "iris", "--label-column", "label", *small).exit_code == 0
    assert len((out / "results.jsonl").read_text().splitlines()) == jobs
    file.write_text("\n".join(rows[:-20]))
    assert invoke(out, str(file), "--label-column", "label", *small).exit_code == 0
    assert len((out / "results.jsonl").read_text().splitlines()) == jobs + 3  # another content is another stream


def test_a_file_that_is_another_one_on_a_worker_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("1,a\n2,b\n")
    job = Job(str(file), 10, "perceptron", None, 1.0, 0, digest(str(file)))
    assert run_job(job).points[-1] == 2
    with pytest.raises(StreamError, match="has changed since the comparison began"):
        run_job(replace(job, digest="0" * 64))


@pytest.mark.parametrize(
    ("name", "said"),
    [("none.csv", "none.csv: does not exist"), ("mnist", "mnist: is neither a file nor one of digits")],
)
def test_data_that_is_not_there_is_one_sentence(name: str, said: str, tmp_path: Path) -> None:
    done = invoke(tmp_path / "out", name)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert is_one_sentence(done.stderr)


def test_the_multiple_is_of_the_learning_rate_and_the_theory_is_projected() -> None:
    setting = Setting(3, 4, 2.0, 100)
    theory, tuned = (LINEAR["gaptron-hinge-bandit"].build(setting, None, scale, 0) for scale in (1.0, 10.0))
    assert isinstance(theory, Gaptron)
    assert isinstance(tuned, Gaptron)
    assert tuned.learning_rate == 10 * theory.learning_rate
    assert (theory.radius, tuned.radius) == (0.5, float("inf"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--streams", "mnist"], "'mnist' is not one of synsep, synnonsep, digits"),
        (["--learners", "svm"], "'svm' is not one of proximal-logistic, gaptron-logistic"),
        (["--explorations", "0"], "0.0 is not in (0, 1]"),
        (["--explorations", "0.1,x"], "'0.1,x' is not a list of numbers"),
        (["--rounds", "0"], "--rounds"),
        (["--seeds", "0"], "--seeds"),
    ],
)
def test_bad_arguments_are_named(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = invoke(tmp_path / "out", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = invoke(tmp_path / "file" / "out", *SMALL)
    assert done.exit_code == 2
    assert done.stderr.startswith("gaptron: ")
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "change",
    [{"stream": "wine"}, {"rounds": 11}, {"learner": "soba"}, {"exploration": 0.1}, {"scale": 10.0}, {"seed": 1}],
    ids=lambda change: next(iter(change)),
)
def test_a_kept_result_is_of_its_own_job_only(change: dict[str, Any], tmp_path: Path) -> None:
    job = Job("iris", 10, "banditron", None, 1.0, 0)
    Results(tmp_path / "results.jsonl").add(run_job(job))
    kept = Results(tmp_path / "results.jsonl").found
    assert kept[job].job == job
    assert replace(job, **change) not in kept
