"""What somebody hits in the first hour is said in one sentence."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import Command
from sympy import Max

from gaptron import MarginLoss, Theorem
from gaptron.checking.checker import check
from gaptron.learners import saving
from gaptron.symbols import K, m

FILE = "examples/squared_hinge.py"


@pytest.mark.few(5)
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1"])
@pytest.mark.parametrize(
    "verb", [("check", FILE), ("audit",), ("sharpen", FILE), ("replay", "nothing.json")], ids=lambda verb: verb[0]
)
def test_a_limit_is_a_finite_positive_number(gaptron: Command, verb: tuple[str, ...], value: str) -> None:
    done = gaptron(*verb, "--timeout", value)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Invalid value for '--timeout'" in done.stderr


def table(folder: Path, rows: list[str]) -> Path:
    file = folder / "data.csv"
    file.write_text("\n".join(rows) + "\n")
    return file


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_another_separator_is_named(gaptron: Command, tmp_path: Path, separator: str) -> None:
    file = table(tmp_path, [separator.join(("1", "2", "a")), separator.join(("2", "1", "b"))])
    done = gaptron("run", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"separated by {separator!r}, and those of a .csv file by ','" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--chunk", "8")], ids=str)
def test_labels_that_hardly_ever_come_twice_are_doubted(
    gaptron: Command, tmp_path: Path, options: tuple[str, ...]
) -> None:
    rng = np.random.default_rng(0)
    rows = [f"{'ab'[n % 2]},{n % 2},{value:.6f}" for n, value in enumerate(rng.normal(size=30))]
    file = table(tmp_path, [row.replace("a", "0").replace("b", "1") for row in rows])
    doubted = gaptron("run", file, *options)
    assert doubted.returncode == 0
    assert (
        "30 classes in 30 rounds: is the label in another column (--label-column), or a real number?" in doubted.stderr
    )
    meant = gaptron("run", file, "--label-column", "0", *options)
    assert (meant.returncode, meant.stderr) == (0, "")


def test_a_theorem_file_is_no_certificate(gaptron: Command) -> None:
    done = gaptron("replay", FILE)
    assert done.returncode == 2
    assert "a theorem file, not a certificate: gaptron check --certificates DIR" in done.stdout


def test_a_learner_that_was_never_saved_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing: there is no such file: save"):
        saving.load(tmp_path / "missing")


def test_help_says_first_what_a_theorem_is() -> None:
    assert (Theorem.__doc__ or "").startswith("A mistake bound by the surrogate gap: ")


@pytest.mark.slow
def test_a_decoder_that_does_not_exist_is_shown_for_few_classes() -> None:
    """The search met it at four."""
    theorem = Theorem(name="best", loss=MarginLoss(Max(0, 1 - m)), decoder="best", learning_rate=3 * (1 - 1 / K) / K)
    (checked,) = check([theorem], 20.0, 2)
    assert {
        outcome.witness["K"] for outcome in checked.outcomes if outcome.witness and "needed" in outcome.witness
    } == {2}


@pytest.mark.slow
def test_a_broken_gap_need_not_break_a_bound(gaptron: Command) -> None:
    done = gaptron(
        "attack", "examples/squared_hinge_too_fast.py", "--classes", "2", "--rounds", "3", "--generations", "1"
    )
    assert done.returncode == 3
    assert "nor does a gap that is REFUTED: it need not break a bound" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("explain", "zzz"), ("audit", "--only", "nothing"), ("run", "nothere.csv")], ids=" ".join
)
def test_an_error_of_usage_is_said_before_anything_heavy_is_imported(arguments: tuple[str, ...]) -> None:
    program = (
        "import sys; from gaptron.commands.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(*{name.split('.')[0] for name in sys.modules} & {'sympy', 'numpy', 'scipy', 'z3', 'rich'})"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "\n")
    assert arguments[-1] in done.stderr
