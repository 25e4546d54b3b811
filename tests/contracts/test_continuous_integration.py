"""What a project's CI uses: JUnit, annotations, exit codes, and the documented recipe on a sample repository."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import REPOSITORY, Command

pytestmark = pytest.mark.usefixtures("lent")

GOOD = REPOSITORY / "examples" / "squared_hinge.py"
BAD = REPOSITORY / "examples" / "hinge_too_fast.py"
OPEN = REPOSITORY / "examples" / "no_learning_rate.py"
ANNOTATION = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+): REFUTED (?P<name>[^:]+): (?P<what>.+)$", re.MULTILINE)


@pytest.mark.slow
def test_a_refuted_theorem_is_one_line_with_file_line_name_and_witness(gaptron: Command) -> None:
    said = gaptron("check", BAD.relative_to(REPOSITORY)).stdout
    (found,) = ANNOTATION.finditer(said)
    assert found["file"] == "examples/hinge_too_fast.py"
    assert "Theorem(" in (REPOSITORY / found["file"]).read_text().splitlines()[int(found["line"]) - 1]
    assert found["name"] == "hinge, too fast"
    assert found["what"] == "K=2, scores=(1/2, 0), label 0: gap = 1/400"


@pytest.mark.slow
def test_junit_has_a_case_for_every_obligation(tmp_path: Path, gaptron: Command) -> None:
    report = tmp_path / "report.xml"
    done = gaptron("check", GOOD, BAD, OPEN, "--junit", report)
    assert done.returncode == 1
    good, bad, open_ = ElementTree.parse(report).getroot()
    counts = [[int(suite.attrib[key]) for key in ("tests", "failures", "errors")] for suite in (good, bad, open_)]
    assert counts == [[13, 0, 0], [10, 3, 0], [5, 0, 1]]
    failures = bad.findall("testcase/failure")
    said = "the bound is not decided, its proof fails (gap): K=2, scores=(1/2, 0), label 0: gap = 1/400"
    assert failures[0].attrib["message"] == said
    assert "neither learning_rate nor regret" in open_.findall("testcase/error")[0].attrib["message"]
    assert {case.attrib["file"] for case in bad.findall("testcase")} == {str(BAD)}


def test_names_that_are_hostile_to_xml_are_escaped(tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "hostile.py"
    file.write_text(GOOD.read_text().replace('"squared hinge"', '"<a b=\\"c\\">&]]>\\x00\\x1b[2J\\ud800"'))
    report = tmp_path / "report.xml"
    assert gaptron("check", file, "--junit", report).returncode == 0
    (suite,) = ElementTree.parse(report).getroot()
    assert suite.attrib["name"].startswith('<a b="c">&]]>')


def test_a_report_that_cannot_be_written_is_one_sentence(tmp_path: Path, gaptron: Command) -> None:
    done = gaptron("check", GOOD, "--junit", tmp_path / "none" / "report.xml")
    assert done.returncode == 2
    assert done.stderr.endswith("cannot be written: No such file or directory\n")


def recipe() -> list[str]:
    """The commands of the documented recipe, without the installation."""
    text = (REPOSITORY / "docs" / "continuous_integration.md").read_text()
    (block,) = re.findall(r"<!-- recipe -->\n```sh\n(.*?)```", text, re.DOTALL)
    install, *commands = block.splitlines()
    assert install == "pip install ./gaptron"
    return commands


def test_no_text_installs_the_package_from_an_index() -> None:
    texts = subprocess.run(
        ["git", "ls-files", "*.md", "*.yml", "*.yaml", "*.toml", "*.py"],
        cwd=REPOSITORY,
        text=True,
        capture_output=True,
        check=True,
    ).stdout.split()
    by_name = re.compile(r"(?:pip install|uv add|pipx install)\s+(?:-\S+\s+)*['\"]?gaptron(?![\[\\\w/-])")
    assert [name for name in texts if by_name.search((REPOSITORY / name).read_text())] == []


@pytest.mark.slow
def test_the_recipe_proves_only_what_has_changed(tmp_path: Path) -> None:
    theorems = tmp_path / "theorems"
    theorems.mkdir()
    (theorems / "mine.py").write_text(GOOD.read_text())
    (theorems / "yours.py").write_text((REPOSITORY / "examples" / "two_classes.py").read_text())
    command = f"{sys.executable} -m gaptron"

    def run() -> tuple[int, str, dict[str, int]]:
        for line in recipe():
            done = subprocess.run(
                ["bash", "-c", line.replace("gaptron check", f"{command} check")],
                cwd=tmp_path,
                text=True,
                capture_output=True,
                check=False,
                env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            )
        suites = ElementTree.parse(tmp_path / "gaptron.xml").getroot()
        return done.returncode, done.stdout, {suite.attrib["name"]: int(suite.attrib["failures"]) for suite in suites}

    assert run()[0] == 0
    before = (tmp_path / ".gaptron" / "certificates.sqlite").stat()
    assert run()[0] == 0
    assert (tmp_path / ".gaptron" / "certificates.sqlite").stat().st_size == before.st_size
    (theorems / "mine.py").write_text(GOOD.read_text().replace("1 / (4 * K)", "1 / (3 * K)"))
    code, said, failures = run()
    assert code == 1
    assert ANNOTATION.search(said)
    assert failures["squared hinge"] > 0
    assert failures["smooth hinge as printed, two classes"] == 0
