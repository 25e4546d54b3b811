"""What a release says of itself: version, changelog, lock file, systems, licences; and what no public text says."""

import os
import re
import subprocess
import tomllib
from importlib.metadata import PackageMetadata, distribution

import pytest
import yaml
from conftest import REPOSITORY, Command
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import gaptron as package

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
LOCK = (REPOSITORY / "requirements.lock").read_text()
PAGE = REPOSITORY / "docs" / "public.md"
LICENCES = "<!-- table: licences -->\n\n"


def test_one_version(gaptron: Command) -> None:
    assert gaptron("--version").stdout == f"gaptron, version {package.__version__}\n"
    assert f"\nversion: {package.__version__}\n" in (REPOSITORY / "CITATION.cff").read_text()
    headings = re.findall(r"^## (.+)$", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == package.__version__


def test_the_changelog_is_short() -> None:
    assert len((REPOSITORY / "CHANGELOG.md").read_text().splitlines()) <= 60


def needed(texts: list[str]) -> set[str]:
    """The packages that these requirements bring, as they are installed here."""
    found, ahead = set[str](), [Requirement(text) for text in texts]
    while ahead:
        one = ahead.pop()
        if canonicalize_name(one.name) in found:
            continue
        found.add(canonicalize_name(one.name))
        for need in map(Requirement, distribution(one.name).requires or ()):
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in one.extras or {""}):
                ahead.append(need)
    return found


def test_the_lock_has_a_version_and_a_hash_of_all_that_is_needed() -> None:
    lines = [line for line in LOCK.splitlines() if not line.startswith("#")]
    entries = [re.fullmatch(r"([a-z0-9._-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line) for line in lines]
    assert all(entries)
    locked = {canonicalize_name(entry[1]): entry[2] for entry in entries if entry}
    assert needed(PROJECT["dependencies"]) <= set(locked)
    asked = [*PROJECT["dependencies"], *(text for texts in PROJECT["optional-dependencies"].values() for text in texts)]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)]), requirement


def test_the_lock_has_no_address() -> None:
    assert not re.search(r"//|@|\bindex|\w\.(org|com|io|net)\b", LOCK.replace("==", " "))


def test_the_page_has_the_rows_of_the_workflow() -> None:
    workflow = yaml.safe_load((REPOSITORY / ".github" / "workflows" / "ci.yml").read_text())
    rows = workflow["jobs"]["installed"]["strategy"]["matrix"]["include"]
    table = PAGE.read_text().split("<!-- table: systems -->\n\n")[1].split("\n\n")[0].splitlines()[2:]
    assert table == [
        f"| {' | '.join(row[key] for key in ('system', 'python', 'dependencies', 'tried'))} |" for row in rows
    ]


def test_the_licences_are_those_of_what_is_installed() -> None:
    before, held = PAGE.read_text().split(LICENCES)
    rows = [
        f"| {name} | {licence(distribution(name).metadata)} |\n" for name in sorted(needed(PROJECT["dependencies"]))
    ]
    table = "".join(["| package | licence |\n", "| --- | --- |\n", *rows])
    if os.environ.get("GAPTRON_RECORD"):
        PAGE.write_text(before + LICENCES + table)
    else:
        assert held == table


def licence(metadata: PackageMetadata) -> str:
    """As its metadata has it: the expression, else the classifiers, else the first line of the field."""
    said = {key: metadata.get_all(key) or [] for key in ("License-Expression", "Classifier", "License")}
    classified = [text.rpartition(" :: ")[2] for text in said["Classifier"] if text.startswith("License :: ")]
    lines = [text.splitlines()[0] for text in said["License"] if text]
    files = ", ".join(metadata.get_all("License-File") or ["none"])
    return ", ".join(said["License-Expression"] or classified or lines) or f"not in its metadata; files: {files}"


@pytest.mark.parametrize("words", [r"\b\d{3}_[0-9a-f]{16}\b", r"/work/", r"/root/"])
def test_no_text_names_a_file_that_readers_do_not_have(words: str) -> None:
    command = ["git", "grep", "-lIP", words, "--", ":!tests"]
    assert subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False).stdout == ""
