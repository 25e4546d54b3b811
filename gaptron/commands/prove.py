"""The verb ``prove``: proofs of a paper's claims, line by line."""

import json
import sys
from pathlib import Path

import click

from gaptron.answers.proving import document, proved
from gaptron.papers.checked_files import SEARCH_SECONDS, ProvedClaim
from gaptron.papers.printing import printed
from gaptron.system.exits import refusing
from gaptron.system.options import JSON, PATH, POSITIVE
from gaptron.theory.shipped import FileError

EXIT_CODES = """\b
Exit codes:
  0  every line holds
  1  a line is false: it fails at the values that are named
  2  usage error, or a file that cannot be read: line and column
  3  a line is not found: an intermediate step, or a hint, is wanted
"""

CODES = {"holds": 0, "false": 1, "not found": 3}


@click.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, type=PATH)
@JSON
@click.option("--replay", is_flag=True, help="Search nothing: what FILE.json does not prove is not found.")
@click.option("--tex", is_flag=True, help="Print the claims and proofs as a paper would, as Markdown with LaTeX.")
@click.option("--timeout", type=POSITIVE, default=SEARCH_SECONDS, show_default=True, metavar="SECONDS",
              help="Limit for the search of one claim, which is then not found.")  # fmt: skip
def prove(files: tuple[Path, ...], as_json: bool, replay: bool, tex: bool, timeout: float) -> None:
    """Check the proofs in FILES (.proof), line by line.

    A file has settings and claims; later files may cite the claims of earlier ones. What search finds is kept beside
    a file, in FILE.json, as a tree of rules, and is replayed by the kernel of proofs the next time. A file is read and
    never executed.
    """
    try:
        found = proved(files, timeout, search=not replay)
    except FileError as error:
        refusing(as_json)(error)
    if as_json:
        click.echo(json.dumps(document(found), indent=1))
    elif tex:
        click.echo("\n".join(printed(path.read_text(encoding="utf-8"), some) for path, some in found.items()))
    else:
        for path, some in found.items():
            click.echo("\n".join(_line(path, claim) for claim in some))
    codes = {CODES[claim.status] for some in found.values() for claim in some}
    sys.exit(1 if 1 in codes else max(codes, default=0))


def _line(path: Path, claim: ProvedClaim) -> str:
    if claim.status != "holds":
        return f"{path}:{claim.line}: {claim.stated.name}: {claim.status}: {claim.reason}"
    kind = "whole" if claim.whole else "rests on what the author assumes"
    idle = f"; lines not needed: {', '.join(map(str, claim.idle))}" if claim.idle else ""
    example = "" if claim.stated.setting.example else f"; {claim.stated.setting.name} has no example"
    return f"{path}: {claim.stated.name}: holds ({kind}{idle}{example})"
