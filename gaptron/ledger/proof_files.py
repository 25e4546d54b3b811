"""Claims that stand in proof files: their trees are replayed, and nothing is searched."""

from collections.abc import Collection
from pathlib import Path

from gaptron.ledger.grounds import Found
from gaptron.papers.checked_files import ProofLibrary, ProvedClaim, read_trees, reading
from gaptron.theory.claims import InProof, LedgerClaim
from gaptron.theory.files import FileError
from gaptron.theory.verdict import Verdict

AGAIN = "no tree of rules beside the file proves what it says: gaptron prove looks for one"


class ProofFiles:
    """What proof files prove; each is read once."""

    def __init__(self) -> None:
        self.claims: dict[Path, dict[str, ProvedClaim]] = {}

    def proved(self, ground: InProof, file: Path) -> ProvedClaim:
        """The claim that a ground of this file names.

        Raises
        ------
        FileError
            If its proof file, or the trees beside it, cannot be read, or it does not state the claim.
        """
        path = file.parent / ground.file
        if path not in self.claims:
            self.claims[path] = _replayed(path)
        if ground.claim not in self.claims[path]:
            raise FileError(f"{path}: it does not state {ground.claim}")
        return self.claims[path][ground.claim]

    def found(self, ground: InProof, file: Path) -> Found:
        """PROVED if its tree proves it."""
        claim = self.proved(ground, file)
        if claim.status != "holds":
            reason = f"{file.parent / ground.file}:{claim.line}: {ground.claim}: {AGAIN}"
            return Found(ground, Verdict.UNDECIDED, reason=reason, proved=claim)
        return Found(ground, Verdict.PROVED, evidence=("kernel",), seconds=claim.seconds, proved=claim)

    def cited(self, claim: LedgerClaim, file: Path, known: Collection[str] = ()) -> list[str]:
        """Claims that the proofs of a claim cite: of those that are not known, what these cite as well."""
        left = [self.proved(ground, file) for ground in claim.grounds if isinstance(ground, InProof)]
        found: dict[str, None] = {}
        while left:
            for one in left.pop().cites:
                found.setdefault(one.stated.name)
                left += [] if one.stated.name in known else [one]
        return list(found)


def _replayed(path: Path) -> dict[str, ProvedClaim]:
    library = ProofLibrary()
    with reading(path):
        trees, stated = read_trees(path), library.read(path.read_text(encoding="utf-8"))
    return {one.name: library.decide(one, trees.get(one.name), search=False) for one in stated}
