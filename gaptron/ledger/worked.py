"""The smallest instance of an erratum, worked by a script that needs nothing but Python.

The script of the claim ``document/some-name`` of ``proofs/document/lemma.py`` is
``proofs/document/worked/some_name.py``: at most ``LENGTH`` lines. Its docstring is the setting, what it prints the
arithmetic, ``left`` and ``right`` are the two sides, exact, and its last line asserts that they contradict the claim.
A note sends it to an author as it is.
"""

import io
import runpy
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from gaptron.ledger.grounds import digits_needed, exact_or_enclosed
from gaptron.system.child import Voice
from gaptron.system.documents import Document
from gaptron.theory.claims import LedgerClaim
from gaptron.theory.files import FileError, FileProcess

LENGTH = 20
STEPS = 3


@dataclass(frozen=True)
class Worked:
    """Setting (K, stream or round, U), up to ``STEPS`` lines of arithmetic, and two sides that contradict the claim."""

    file: Path
    script: str
    setting: str
    arithmetic: tuple[str, ...]
    left: Fraction
    right: Fraction

    @property
    def text(self) -> str:
        """On one line."""
        return f"{self.setting} {'; '.join(self.arithmetic)}"

    @property
    def document(self) -> Document:
        """Ready for JSON; of a long fraction an enclosure."""
        digits = digits_needed(self.left, self.right)
        return {
            "setting": self.setting,
            "arithmetic": list(self.arithmetic),
            "left": exact_or_enclosed(self.left, digits),
            "right": exact_or_enclosed(self.right, digits),
            "script": f"worked/{self.file.name}",
        }


def worked(claim: LedgerClaim, file: Path) -> Worked | None:
    """What the script of a claim of this file says; None if it has none.

    Raises
    ------
    FileError
        If the script fails, its assertion included, or does not end with two exact sides.
    """
    script = file.parent / "worked" / f"{claim.id.split('/')[1].replace('-', '_')}.py"
    if not script.is_file():
        return None
    with FileProcess(script, _work) as process:
        try:
            said = process.hear()
        except FileError as error:
            raise FileError(f"{script}: it does not work {claim.id}: {error}") from error
    try:
        left, right = (Fraction(*(int(part, 16) for part in said[side])) for side in ("left", "right"))
        setting, arithmetic = str(said["setting"]), tuple(map(str, said["arithmetic"]))
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise FileError(f"{script}: it says what is no arithmetic with two exact sides") from error
    return Worked(script, script.read_text(encoding="utf-8"), setting, arithmetic, left, right)


def _work(script: Path, voice: Voice) -> None:
    """In the process of the script."""
    said = io.StringIO()
    with redirect_stdout(said):
        made = runpy.run_path(str(script))
    if isinstance(made["left"], float) or isinstance(made["right"], float):
        raise FileError(f"{script}: left and right are not both exact")
    sides = {side: [hex(part) for part in Fraction(made[side]).as_integer_ratio()] for side in ("left", "right")}
    setting = " ".join((made["__doc__"] or "").split())
    voice.say({"setting": setting, "arithmetic": said.getvalue().splitlines(), **sides})
