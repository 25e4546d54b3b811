"""The verb ``prove``: proofs of a paper's claims, line by line."""

import json
import sys
from pathlib import Path

import click

from gaptron.papers.files import (
    SEARCH_SECONDS,
    ProofLibrary,
    ProvedClaim,
    TreesError,
    read_trees,
    tree_file,
    trees_text,
)
from gaptron.papers.hypotheses import hypotheses
from gaptron.papers.layout import PlaceError
from gaptron.papers.printing import printed
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.exits import error_as_json, fail, warn
from gaptron.system.options import POSITIVE

EXIT_CODES = """\b
Exit codes:
  0  every line holds
  1  a line is false: it fails at the values that are named
  2  usage error, or a file that cannot be read: line and column
  3  a line is not found: an intermediate step, or a hint, is wanted
"""

CODES = {"holds": 0, "false": 1, "not found": 3}


@click.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
@click.option("--replay", is_flag=True, help="Search nothing: what FILE.json does not prove is not found.")
@click.option("--tex", is_flag=True, help="Print the claims and proofs as a paper would, as Markdown with LaTeX.")
@click.option(
    "--timeout",
    type=POSITIVE,
    default=SEARCH_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Limit for the search of one claim, which is then not found.",
)
def prove(files: tuple[Path, ...], as_json: bool, replay: bool, tex: bool, timeout: float) -> None:
    """Check the proofs in FILES (.proof), line by line.

    A file has settings and claims; later files may cite the claims of earlier ones. What search finds is kept beside
    a file, in FILE.json, as a tree of rules, and is replayed by the kernel of proofs the next time. A file is read and
    never executed.
    """
    library = ProofLibrary()
    try:
        found = {path: _checked(library, path, not replay, timeout) for path in files}
    except PlaceError as error:
        _unread(f"{files[len(library.done)]}: {error}", as_json)
    except (TreesError, OSError, UnicodeDecodeError) as error:
        _unread(_cannot(files[len(library.done)], error), as_json)
    claims = [claim for some in found.values() for claim in some]
    if not claims:
        _unread(f"{', '.join(map(str, files))}: no claim is stated", as_json)
    if as_json:
        click.echo(json.dumps(_document(found), indent=1))
    elif tex:
        click.echo("\n".join(printed(path.read_text(encoding="utf-8"), some) for path, some in found.items()))
    else:
        for path, some in found.items():
            click.echo("\n".join(_line(path, claim) for claim in some))
    codes = {CODES[claim.status] for claim in claims}
    sys.exit(1 if 1 in codes else max(codes, default=0))


def _checked(library: ProofLibrary, path: Path, search: bool, seconds: float) -> list[ProvedClaim]:
    text = path.read_text(encoding="utf-8")
    trees = read_trees(path)
    found = [library.decide(stated, trees.get(stated.name), search, seconds) for stated in library.read(text)]
    library.done.append(str(path))
    kept = trees_text(found)
    if search and any(claim.searched and claim.tree for claim in found):
        try:
            write_atomically(tree_file(path), kept)
        except OSError as error:
            warn(f"{tree_file(path)}: the trees are not kept: {error.strerror or error}")
    return found


def _cannot(path: Path, error: Exception) -> str:
    if isinstance(error, TreesError):
        return str(error)
    return f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}"


def _unread(message: str, as_json: bool) -> None:
    fail(message, document=error_as_json(message) if as_json else None)


def _line(path: Path, claim: ProvedClaim) -> str:
    if claim.status != "holds":
        return f"{path}:{claim.line}: {claim.stated.name}: {claim.status}: {claim.reason}"
    kind = "whole" if claim.whole else "rests on what the author assumes"
    idle = f"; lines not needed: {', '.join(map(str, claim.idle))}" if claim.idle else ""
    example = "" if claim.stated.setting.example else f"; {claim.stated.setting.name} has no example"
    return f"{path}: {claim.stated.name}: holds ({kind}{idle}{example})"


def _document(found: dict[Path, list[ProvedClaim]]) -> Document:
    rows = [_row(path, claim) for path, some in found.items() for claim in some]
    return {"schema": 1, "claims": rows}


def _row(path: Path, claim: ProvedClaim) -> Document:
    return {
        "id": claim.stated.name, "file": str(path), "statement": claim.stated.text, "status": claim.status,
        "line": claim.line or None, "reason": claim.reason or None,
        "values": claim.values or None, "whole": claim.whole,
        "hypotheses": hypotheses(claim), "idle": claim.idle,
        "replayed": not claim.searched, "seconds": round(claim.seconds, 3),
    }  # fmt: skip
