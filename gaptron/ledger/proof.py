"""A proof as a reader sees it: the setting, the lines, the conclusion."""

from collections.abc import Iterator, Sequence

from gaptron.papers.layout import ProofLine
from gaptron.papers.statements import StatedClaim
from gaptron.system.documents import Document


def proof(claim: StatedClaim) -> Document:
    """The text of a claim of a proof file, ready for JSON."""
    return {
        "name": f"{claim.name}, {claim.setting.title}",
        "hypotheses": [line.text for line in _flat(claim.setting.lines)],
        "steps": [{"says": line.text} for line in _flat(claim.proof)],
        "conclusion": [claim.text],
    }


def _flat(lines: Sequence[ProofLine]) -> Iterator[ProofLine]:
    for line in lines:
        yield line
        yield from _flat(line.below)
