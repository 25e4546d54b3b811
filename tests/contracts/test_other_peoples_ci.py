"""The action's and the hook's commands, run as they stand in a scratch folder."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytestmark = pytest.mark.usefixtures("lent")

ACTION = (REPOSITORY / "action.yml").read_text()
HOOKS = (REPOSITORY / ".pre-commit-hooks.yaml").read_text()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A folder with theorems, and gaptron on the path."""
    (tmp_path / "theorems").mkdir()
    for name in ("squared_hinge", "squared_hinge_too_fast"):
        shutil.copy(REPOSITORY / "examples" / f"{name}.py", tmp_path / "theorems")
    shutil.copytree(REPOSITORY / "examples" / "tilted_hinge", tmp_path / "paper")
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "gaptron"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -m gaptron "$@"\n')
    command.chmod(0o755)
    return tmp_path


def script() -> str:
    """What the step "Run" of the action runs."""
    (step,) = re.findall(r"- name: Run\n.*?run: \|\n(.*?)\n    - name:", ACTION, re.DOTALL)
    return "\n".join(line[8:] for line in step.splitlines())


def run(scratch: Path, command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{scratch / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        command,
        cwd=scratch,
        text=True,
        capture_output=True,
        check=False,
        env={**os.environ, "PATH": path, **environment},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "files", "code", "said"),
    [
        ("check", "theorems/squared_hinge.py", 0, ""),
        ("check", "theorems/squared_hinge.py theorems/squared_hinge_too_fast.py", 1, "::error file=theorems/squared"),
        ("check", "theorems/squared_hinge.py\ntheorems/squared_hinge_too_fast.py\n", 1, "::error file="),
        ("check", "theorems/*.py", 1, "::error file=theorems/squared"),
        ("check", "nowhere/*.py", 2, ""),
        ("check", " \n", 2, ""),
        ("audit", "paper", 0, "1 PROVED, 1 REFUTED, 1 UNDECIDED; all as recorded"),
    ],
)
def test_the_action_runs(scratch: Path, verb: str, files: str, code: int, said: str) -> None:
    sarif, summary, output = scratch / "gaptron.sarif", scratch / "summary.md", scratch / "output"
    given = {"SARIF": str(sarif), "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_OUTPUT": str(output)}
    done = run(scratch, ["bash", "-eo", "pipefail", "-c", script()], COMMAND=verb, FILES=files, **given)
    assert done.returncode == code, done.stderr
    assert said in done.stdout
    assert summary.exists() is bool(files.strip())
    assert sarif.exists() is (verb == "check" and bool(files.strip()))
    assert not sarif.exists() or output.read_text() == f"sarif={sarif}\n"


def test_the_cache_of_the_action_is_saved_on_failure_too() -> None:
    saved = ACTION.split("- name: Save certificates")[1]
    assert "if: always()" in saved
    assert "actions/cache/save" in saved
    assert ACTION.count("${{ runner.temp }}/gaptron.sqlite") == 3


def test_the_action_finds_what_pip_keeps(scratch: Path) -> None:
    (step,) = re.findall(r"id: pip\n.*?run: \|\n(.*?)\n    - name:", ACTION, re.DOTALL)
    text, output = "\n".join(line[8:] for line in step.splitlines()), scratch / "output"
    pip = scratch / "bin" / "python"
    pip.write_text(f'#!/bin/sh\n[ "$1" = -m ] && echo /kept/by/pip || exec {sys.executable} "$@"\n')
    pip.chmod(0o755)
    given = {"GITHUB_OUTPUT": str(output), "GITHUB_ACTION_PATH": str(REPOSITORY)}
    done = run(scratch, ["bash", "-eo", "pipefail", "-c", text], **given)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"folder=/kept/by/pip\ndigest=[0-9a-f]{16}\n", output.read_text())


def test_sarif_is_uploaded_only_where_it_is_asked_for() -> None:
    (upload,) = re.findall(r"- name: Upload SARIF\n(.*?)\n    - name:", ACTION, re.DOTALL)
    assert "if: always() && inputs.sarif == 'true' && steps.run.outputs.sarif != ''" in upload


@pytest.mark.slow
def test_the_hook_runs_on_theorem_files_alone(scratch: Path) -> None:
    (entry,) = re.findall(r"entry: (.+)", HOOKS)
    (files,) = re.findall(r"files: (.+)", HOOKS)
    matching = [
        str(f.relative_to(scratch)) for f in scratch.rglob("*.py") if re.search(files, str(f.relative_to(scratch)))
    ]
    assert sorted(matching) == ["theorems/squared_hinge.py", "theorems/squared_hinge_too_fast.py"]
    assert run(scratch, [*shlex.split(entry), "theorems/squared_hinge_too_fast.py"]).returncode == 1


def test_the_plugin_is_registered_and_the_extra_is_small() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"gaptron": "gaptron.adapters.pytest_files"}
    names = {re.split("[<>=]", one)[0] for one in project["optional-dependencies"]["testing"]}
    assert names == {"hypothesis", "pytest"}
