"""The verb ``new``: starting points that run."""

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import click

from gaptron.system.atomic import write_new, write_new_folder
from gaptron.system.exits import fail, writing
from gaptron.system.options import PATH

NAME = re.compile(r"\w[\w. +-]*")  # it is written into what is written
EXIT_CODES = """\b
Exit codes:
  0  it is written
  2  usage error, or it exists already or cannot be written
"""


@click.group(epilog=EXIT_CODES)
def new() -> None:
    """Write a starting point that runs, with comments that say what to change. Nothing is overwritten."""


@new.command(epilog=EXIT_CODES)
@click.argument("file", type=PATH)
def theorem(file: Path) -> None:
    """Write FILE, a theorem about a loss and a gap map, for gaptron check, sharpen, plot, attack and run."""
    _written(file, "check", lambda: write_new(file, _template("theorem.py", file)))


@new.command(epilog=EXIT_CODES)
@click.argument("folder", metavar="DIR", type=PATH)
def paper(folder: Path) -> None:
    """Write the folder DIR, the audit of a paper with a true, a false and an open claim and a proof in lines."""
    texts = {name: _template(name, folder) for name in ("paper.py", "lemma3.proof", "lemma3.proof.json", "README.md")}
    _written(folder, "audit", lambda: write_new_folder(folder, texts))


def _template(name: str, path: Path) -> str:
    """A starting point that calls itself what it is called."""
    text = (files("gaptron.commands") / "templates" / f"{name}.txt").read_text(encoding="utf-8")
    return text.replace("FOLDER", path.name).replace("FILE", path.name)


def _written(path: Path, verb: str, write: Callable[[], None]) -> None:
    if path.name and not NAME.fullmatch(path.name):
        fail(f"{path}: a name of letters, digits, spaces and . _ + - is needed, and a letter or digit first")
    with writing(path):
        try:
            write()
        except FileExistsError:
            fail(f"{path}: exists already: name what does not")
    click.echo(f"{path}: written; next: gaptron {verb} {path}")
