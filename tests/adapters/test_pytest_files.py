"""The pytest plugin: theorem files are tests on demand, and fail with what the prover says."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

PLUGIN = "gaptron.adapters.pytest_files"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)


@pytest.fixture
def theorems(lent: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "theorems").mkdir()
    for name in ("squared_hinge", "squared_hinge_too_fast", "raises"):
        shutil.copy(REPOSITORY / "examples" / f"{name}.py", tmp_path / "theorems")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


@pytest.mark.slow
def test_theorems_pass_or_fail_with_their_witness(theorems: Path) -> None:
    (theorems / "theorems" / "raises.py").unlink()
    done = run(theorems, "--gaptron", "theorems/*.py")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "REFUTED squared hinge, too fast: the bound is not decided, its proof fails (gap): K=2, " in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.slow
def test_what_a_suite_patches_changes_no_verdict(theorems: Path) -> None:
    """Neither its conftest nor a theorem file runs where theorems are decided; imports of the suite are found."""
    (theorems / "theorems" / "raises.py").unlink()
    (theorems / "conftest.py").write_text(
        "import sys, gaptron.obligations as o, gaptron.checking.checker as d\n"
        "sys.path.append('beside')\no.obligations = lambda *_: ()\nd.document = None\n"
    )
    (theorems / "beside").mkdir()
    (theorems / "beside" / "shared_by_mine.py").write_text("from gaptron.symbols import K\n")
    patching = theorems / "theorems" / "a_first.py"
    patching.write_text(
        (REPOSITORY / "examples" / "squared_hinge.py").read_text() + "import gaptron.obligations as o, shared_by_mine\n"
        "o.gap_obligations = lambda *a: iter(())\nprint('{}')\n"
    )
    done = run(theorems, "--gaptron", "theorems/*.py")
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    said = "the bound is not decided, its proof fails (gap): K=2, scores=(0, 0), label 0: gap = 1/200"
    assert f"REFUTED squared hinge, too fast: {said}" in done.stdout


def test_nothing_is_collected_unasked(theorems: Path) -> None:
    done = run(theorems)
    assert done.returncode == 5
    assert "no tests ran" in done.stdout


@pytest.mark.slow
def test_a_file_that_cannot_be_used_is_an_error_of_the_configured_collection(theorems: Path) -> None:
    (theorems / "pytest.ini").write_text("[pytest]\ngaptron_files = theorems/ra*.py\n")
    done = run(theorems)
    assert done.returncode == 2
    assert "raises.py:" in done.stdout
    assert "1 error" in done.stdout


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("configured", "arguments", "code", "said"),
    [
        ("", ["--gaptron", "theorem/*.py"], 1, "theorem/*.py: matches no file that is collected under"),
        ("", ["--gaptron", ""], 4, "an empty pattern matches no file"),
        ("gaptron_files = theorem/*.py", [], 1, "theorem/*.py: matches no file"),
        ("gaptron_files = theorems/*.py\ntestpaths = tests", [], 1, "under tests"),
        ("gaptron_files = theorems/*.py", ["tests"], 0, "1 passed"),
        ("testpaths = tests", [], 0, "1 passed"),
    ],
)
def test_a_pattern_without_a_file_is_an_error(
    theorems: Path, configured: str, arguments: list[str], code: int, said: str
) -> None:
    (theorems / "pytest.ini").write_text(f"[pytest]\n{configured}\n")
    (theorems / "tests").mkdir()
    (theorems / "tests" / "test_other.py").write_text("def test_other():\n    pass\n")
    done = run(theorems, *arguments)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)


def test_the_plugin_imports_nothing_heavy() -> None:
    """It is loaded by every pytest of an environment that has it."""
    code = f"import sys, {PLUGIN}; print(sorted({{'sympy', 'z3', 'numpy', 'flint'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, text=True, capture_output=True, check=True)
    assert done.stdout.strip() == "[]"
