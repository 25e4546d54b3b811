"""The verb ``explain``: one claim, theorem or obligation, and what its verdict stands on."""

import json
import sys
from pathlib import Path

import click

from gaptron.system.deadline import WHY_SECONDS
from gaptron.system.exits import refusing
from gaptron.system.options import JSON, PATH, POSITIVE

EXIT_CODES = """\b
Exit codes:
  0  it is PROVED
  1  it is REFUTED
  2  usage or input error, or nothing (or more than one thing) has this name
  3  it is UNDECIDED or NOT-CHECKABLE
"""

CODES = {"PROVED": 0, "REFUTED": 1, "UNDECIDED": 3, "NOT-CHECKABLE": 3}


@click.command(epilog=EXIT_CODES)
@click.argument("name", metavar="ID")
@click.argument("files", nargs=-1, type=PATH)
@click.option("--seconds", metavar="SECONDS", type=POSITIVE, default=WHY_SECONDS, show_default=True,
              help="How long, by the clock, to look for what gaptron sharpen would allow, if it is "
              "REFUTED.")  # fmt: skip
@JSON
def explain(name: str, files: tuple[Path, ...], seconds: float, as_json: bool) -> None:
    """Explain a claim, a theorem or an obligation: statement, verdict, evidence, witness, and why it is REFUTED.

    ID is a claim's identifier (gaptron/t1-gap), a theorem's name ("Theorem 2, hinge"), an obligation
    ("Theorem 2, hinge: gap/right/1"), or a part of one that fits nothing else. It is looked for in FILES (or
    folders), or else among all that is shipped. Explaining from a FILE runs its Python.
    """
    from gaptron.system.progress import progress
    from gaptron.theory.shipped import FileError, python_files, require_mentioned

    try:
        own = python_files(files)
        if not own:
            require_mentioned(name)
        from gaptron.answers.explaining import explained  # all that decides, which a wrong name need not wait for

        with progress("obligations") as shown:
            found = explained(name, own, shown, seconds)
    except FileError as error:
        refusing(as_json)(error)
    click.echo(json.dumps(found.document, indent=1) if as_json else "\n".join(found.lines))
    sys.exit(CODES[found.verdict])
