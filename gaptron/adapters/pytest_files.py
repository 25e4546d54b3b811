"""A pytest plugin: theorem files are tests, on demand. Each passes that has the verdict it expects.

``pytest --gaptron 'theorems/*.py'``, or in the configuration ``gaptron_files = theorems/*.py``. Collecting a file runs
its Python in a process of its own, and another one, which runs neither theorem files nor tests, decides its theorems;
certificates are kept between runs as ``gaptron check`` keeps them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle

SECONDS = 20.0
MATCHED = pytest.StashKey[set[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option, and the line of the configuration."""
    text = "Collect the theorem files that match GLOB, and check their theorems."
    parser.getgroup("gaptron").addoption("--gaptron", action="append", default=[], metavar="GLOB", help=text)
    parser.addini("gaptron_files", text, type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """No pattern has matched yet; an empty one cannot."""
    config.stash[MATCHED] = set()
    if not all(_patterns(config)):
        raise pytest.UsageError("--gaptron, gaptron_files: an empty pattern matches no file")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "TheoremFile | None":
    """A file that matches, and nothing else."""
    matching = {pattern for pattern in _patterns(parent.config) if file_path.match(pattern)}
    parent.config.stash[MATCHED] |= matching
    if not matching:
        return None
    found: TheoremFile = TheoremFile.from_parent(parent, path=file_path)
    return found


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """A pattern without a file fails, as nothing else would say that nothing was checked.

    Those of the configuration are excused where the command line names what to collect.
    """
    excused = config.args_source is pytest.Config.ArgsSource.ARGS
    asked = config.getoption("--gaptron") if excused else _patterns(config)
    unmatched = [pattern for pattern in asked if pattern not in config.stash[MATCHED]]
    items += [NothingMatches.from_parent(session, name=pattern) for pattern in unmatched]


def _patterns(config: pytest.Config) -> list[str]:
    return [*config.getoption("--gaptron"), *config.getini("gaptron_files")]


class NotProved(Exception):  # noqa: N818  what pytest shows instead of a traceback
    """The verdict, and why."""


class TheoremFile(pytest.File):
    """A theorem file."""

    def collect(self) -> Iterable[pytest.Item]:
        """Its theorems and lemmas."""
        from gaptron.answers.process import theorems
        from gaptron.theory.shipped import FileError

        try:
            heads = theorems(self.path)
        except FileError as error:
            raise self.CollectError(str(error)) from error
        for head in heads:
            yield TheoremItem.from_parent(self, name=head["name"], line=head["line"])


class TheoremItem(pytest.Item):
    """A theorem or lemma."""

    def __init__(self, line: int, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type]  # pytest's own
        self.line = line

    def runtest(self) -> None:
        """Check it."""
        from gaptron.answers.process import decided
        from gaptron.reports.hosts import findings

        said = [f"{found.verdict} {found.message}" for found in findings([decided(self.path, self.name, SECONDS)])]
        if said:
            raise NotProved("\n".join(said))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: "TracebackStyle | None" = None
    ) -> "str | TerminalRepr":
        """The verdict, without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, NotProved) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the theorem is written."""
        return self.path, self.line - 1, self.name


class NothingMatches(pytest.Item):
    """A pattern without a file."""

    def runtest(self) -> None:
        """Say so."""
        collected = ", ".join(self.config.args)
        pytest.fail(f"{self.name}: matches no file that is collected under {collected}", pytrace=False)

    def reportinfo(self) -> tuple[Path, None, str]:
        """What was asked."""
        return self.path, None, f"--gaptron {self.name}"
