"""``gaptron replay`` in the face of certificates that are large and theorem files that die."""

import json
import os
import re
import time
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import REPOSITORY, Command
from waiting import PATIENCE

from gaptron.answers import replaying as replay_module
from gaptron.answers.replaying import Deriver, by_kernel, replayed
from gaptron.checking import derive
from gaptron.checking.cache import Cache
from gaptron.checking.checker import check
from gaptron.commands.cli import main
from gaptron.ledger.certificate_files import write_certificates
from gaptron.theory.files import load

BAD = REPOSITORY / "examples" / "squared_hinge_too_fast.py"
NAME = "squared hinge, too fast"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory, lent_cache: Path) -> dict[str, Path]:
    """Of BAD, one that refutes and one that proves."""
    folder = tmp_path_factory.mktemp("certificates")
    with closing(Cache(lent_cache, pytest.fail)) as cache:
        (checked,) = check([statement.item for statement in load(BAD)], 10, 2, cache=cache)
    kept = [(NAME, o.id, c) for o, c in zip(checked.obligations, checked.certificates, strict=True) if c is not None]
    write_certificates(folder, kept)
    files = sorted(folder.glob("*.json"))
    return {
        "REFUTED": next(file for file in files if "refutes" in json.loads(file.read_text())),
        "PROVED": next(file for file in files if "proofs" in json.loads(file.read_text())),
    }


def held(size: int) -> None:
    bytes(size)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("works", "seconds", "reason"),
    [
        (lambda _: sum(iter(int, 1)), 0.25, "took longer than 0.25 s"),
        (lambda _: time.sleep(600), 0.25, "took longer than 0.25 s"),
        (lambda _: held(3 << 30), PATIENCE, "needed more memory than 2 GiB"),
        (lambda _: __import__("os").abort(), PATIENCE, r"ended the process \(killed by signal 6\)"),
        (lambda _: {}[0], PATIENCE, "the kernel fails: KeyError: 0"),
    ],
    ids=["busy", "idle", "memory", "abort", "error"],
)
def test_a_certificate_that_takes_too_much_is_rejected_with_the_reason(
    works: object, seconds: float, reason: str, certificates: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_module, "WAIT", 1)
    monkeypatch.setattr(replay_module, "replay_certificate", works)
    said = by_kernel(certificates["PROVED"], seconds, by_coq=False)
    assert re.search(reason, said["rejected"])


def test_within_the_limit_nothing_is_rejected(certificates: dict[str, Path], gaptron: Command) -> None:
    arguments = ("replay", "--against", BAD, *certificates.values())
    done = gaptron(*arguments)
    assert (done.returncode, [line.split()[0] for line in done.stdout.splitlines()]) == (1, ["REFUTED", "PROVED"])
    assert "--timeout" in gaptron(*arguments, "--timeout", "0").stderr


@pytest.mark.slow
def test_a_refutation_that_no_round_confirms_is_rejected(
    certificates: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    deriver = Deriver([BAD])
    (found,) = replayed([certificates["REFUTED"]], deriver, 60, by_coq=False)
    assert found.verdict == "REFUTED"
    deriver.stop()
    for confirmed, reason in ((lambda *_: None, "does not confirm"), (lambda *_: 1 / 0, "ZeroDivisionError")):
        monkeypatch.setattr(derive, "confirmed", confirmed)
        deriver = Deriver([BAD])
        (found,) = replayed([certificates["REFUTED"]], deriver, 60, by_coq=False)
        deriver.stop()
        assert found.verdict == "REJECTED"
        assert reason in (found.reason or "")


def test_a_refutation_at_a_number_of_classes_that_is_no_integer_is_rejected(
    certificates: dict[str, Path], tmp_path: Path, gaptron: Command
) -> None:
    data = json.loads(certificates["REFUTED"].read_text())
    data["refutes"][1]["K"] = "5/2"
    (tmp_path / "forged.json").write_text(json.dumps(data))
    assert gaptron("replay", tmp_path / "forged.json", "--against", BAD).returncode == 2


@pytest.mark.parametrize("ending", ["os._exit(0)", "os.abort()"])
def test_a_theorem_file_that_ends_the_process_is_named(
    ending: str, certificates: dict[str, Path], tmp_path: Path, gaptron: Command
) -> None:
    file = tmp_path / "ends.py"
    file.write_text(f"import os\n{ending}\n")
    done = gaptron("replay", certificates["PROVED"], "--against", file, "--json")
    assert done.returncode == 2
    assert f"{file}: ended the process while it was loaded" in json.loads(done.stdout)["error"]
    assert f"gaptron: {file}: ended the process while it was loaded" in done.stderr


def test_what_a_file_does_to_its_process_changes_no_statement(
    certificates: dict[str, Path], tmp_path: Path, gaptron: Command
) -> None:
    file = tmp_path / "dies.py"
    text = BAD.read_text()
    file.write_text(f"{text}\nimport os, gaptron.checking.derive as d\nd.plan = lambda item: os._exit(0)\n")
    assert gaptron("replay", certificates["PROVED"], "--against", file).returncode == 0


def test_a_process_that_dies_while_it_derives_costs_that_certificate(
    certificates: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(derive, "plan", lambda item: os._exit(0))
    done = CliRunner().invoke(main, ["replay", str(certificates["PROVED"]), "--against", str(BAD)])
    assert done.exit_code == 3
    assert "the process that derives its statement from the theorem ended (exit status 0)" in done.stdout
