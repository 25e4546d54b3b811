"""The verb ``replay``: certificates checked again by a kernel, their statements derived again from the theorems."""

import json
import sys
from pathlib import Path

import click

from gaptron.answers.replaying import Deriver, ReplayedCertificate, replayed
from gaptron.system.exits import refusing, warn
from gaptron.system.options import JSON, PATH, POSITIVE
from gaptron.system.posix import FORKS
from gaptron.system.printable import printable
from gaptron.theory.shipped import FileError

EXIT_CODES = """\b
Exit codes:
  0  every certificate proves its obligation
  1  a certificate refutes its obligation, and none is rejected
  2  usage or input error (with --coq also no coqc), or a certificate is rejected
  3  a certificate is accepted, but the theorem it belongs to was not found; with --coq also: coqc took longer than
     its limit
"""
CODES = {"REJECTED": 2, "REFUTED": 1, "UNDECIDED": 3, "PROVED": 0}  # the first that occurs decides
SECONDS = 60.0


@click.command(epilog=EXIT_CODES)
@click.argument("certificates", nargs=-1, required=True, type=PATH)
@click.option("--against", multiple=True, type=PATH, metavar="FILE", help="A theorem file that the certificates may "
              "belong to, besides the theorems that are shipped. Runs its Python.")  # fmt: skip
@click.option("--kernel-only", is_flag=True, help="Check the proofs; do not compare the statements with any theorem.")
@click.option("--coq", "by_coq", is_flag=True, help="Ask the kernel that Coq proves sound (proofs/coq/kernel), not the "
              "one in Python; coqc is then required.")  # fmt: skip
@click.option("--timeout", type=POSITIVE, default=SECONDS, show_default=True, metavar="SECONDS",
              help="Limit on the processor time of each certificate; one that takes longer is rejected. With --coq "
              "also on coqc, so many seconds for each certificate in all: if it takes longer, nothing is "
              "decided.")  # fmt: skip
@JSON
def replay(
    certificates: tuple[Path, ...], against: tuple[Path, ...], kernel_only: bool, by_coq: bool, timeout: float,
    as_json: bool,
) -> None:  # fmt: skip
    """Re-check CERTIFICATES with the kernel alone, and that their statements are those of the theorems.

    A certificate is written by gaptron check --certificates DIR. Its statement is derived again from the theorem of
    that name, shipped or in a FILE given by --against: a proof of another statement is rejected, and so is a refutation
    that a round of the learner does not confirm. If there is none of that name, a shipped theorem may state the same.
    Each certificate is replayed in a process of its own, with limits on
    its time and memory; theorem files run in another one.

    With --coq all certificates are written as data, and one coqc computes what the kernel that is proved
    sound in Coq says of them; of a refutation it computes at its point that the claim fails there. What that kernel has
    no words for is rejected, and named.
    """
    if not FORKS:
        warn("this system has no limits on the time and memory of a certificate: replay only what you trust")
    deriver = None if kernel_only else Deriver(against)
    try:
        if deriver is not None:
            deriver.start()
        results = replayed(certificates, deriver, timeout, by_coq)
    except FileError as error:
        refusing(as_json, certificates=[])(error)
    finally:
        if deriver is not None:
            deriver.stop()
    if as_json:
        click.echo(json.dumps({"schema": 1, "certificates": [result.document for result in results]}, indent=1))
    else:
        for result in results:
            click.echo(_line(result))
    sys.exit(next(code for verdict, code in CODES.items() if any(r.verdict == verdict for r in results)))


def _line(result: ReplayedCertificate) -> str:
    about = result.about or {}
    where = ": ".join(printable(about[key]) for key in ("theorem", "obligation") if key in about)
    other = f"as {printable(about['stated by'])} states it" if "stated by" in about else ""
    parts = (f"{result.verdict:9} {printable(result.file)}", where, other, printable(result.reason or ""))
    return ": ".join(part for part in parts if part)
