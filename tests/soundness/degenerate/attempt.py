"""One seed from end to end: generate, ask the oracle, write, ask the package, compare."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from degenerate.decide import BROKEN, OPEN, PROVED, REFUTED, Effort, Found, verdict
from degenerate.describe import Description
from degenerate.generate import LARGEST, generate
from degenerate.oracle import Violation, violation
from degenerate.write import theorem_file

TRUE, FALSE, UNKNOWN = "true", "false", "no violation found"
CLASSES = (TRUE, FALSE, UNKNOWN)
ORACLE_EVERY = 50  # of those that are true by construction, how often the oracle is asked all the same
PROVED_EVERY = 12  # of those that are not known to be false, how often a proof is searched
SEARCHED_EVERY = 20  # of those that are false, how often a proof is searched although a claim fails at a point
SECONDS = 3.0
HINTS = 8


@dataclass(frozen=True)
class Tried:
    """What the oracle and the package said of a seed's file."""

    seed: int
    oracle: str
    verdict: str
    why: str
    story: str

    @property
    def is_wrong(self) -> bool:
        """Something false PROVED, something true REFUTED, or a crash."""
        pair = (self.oracle, self.verdict)
        return self.verdict == BROKEN or pair in ((FALSE, PROVED), (TRUE, REFUTED))

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.oracle}, {self.verdict} {self.why}\n{self.story}"


def effort_for(seed: int, oracle: str, broken: Violation | None) -> Effort:
    """A proof for what is false unless a claim fails where the oracle says; for the rest, now and then."""
    if broken is None:
        searched = seed % PROVED_EVERY == 0
        return Effort(SECONDS if searched else None, oracle == TRUE, points=None if searched else ())
    numbers = [abs(v) for v in broken.where.values() if isinstance(v, Fraction)]
    points = [value for number in numbers for value in (number, -number)]
    points = [value for value in points if value.denominator < 10**12][:HINTS]
    searched = seed % SEARCHED_EVERY == 0
    return Effort(SECONDS, False, (broken.where["K"],), None if searched else tuple(points))


def classify(described: Description, kept: bool, seed: int) -> tuple[str, Violation | None]:
    """What the oracle says."""
    if kept and seed % ORACLE_EVERY:
        return TRUE, None
    broken = violation(described)
    if kept and broken is not None:
        raise AssertionError(f"seed {seed} is true by construction, but {broken}:\n{theorem_file(described)}")
    return (TRUE if kept else UNKNOWN if broken is None else FALSE), broken


def attempt(seed: int, folder: Path, largest: int = LARGEST) -> Tried:
    """Everything about one seed."""
    generated = generate(seed, largest)
    oracle, broken = classify(generated.described, generated.kept, seed)
    file = folder / "degenerate.py"
    file.write_text(theorem_file(generated.described))
    found: Found = verdict(file, effort_for(seed, oracle, broken))
    text = file.read_text().split("\n", 3)[3]
    story = f"{', '.join(generated.changes)}\n{broken or ''}\n{text}"
    return Tried(seed, oracle, found.verdict, found.why, story)


def attempts(seeds: Sequence[int], largest: int = LARGEST) -> list[Tried]:
    """All seeds, one after the other."""
    with TemporaryDirectory() as folder:
        return [attempt(seed, Path(folder), largest) for seed in seeds]


def table(tried: Sequence[Tried]) -> str:
    """The count of each verdict by what the oracle says."""
    verdicts = sorted({t.verdict for t in tried} | {PROVED, OPEN})
    rows = [["oracle", *verdicts]]
    rows += [[c, *(str(sum(t.oracle == c and t.verdict == v for t in tried)) for v in verdicts)] for c in CLASSES]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


if __name__ == "__main__":
    with TemporaryDirectory() as here:
        for argument in sys.argv[1:]:
            print(attempt(int(argument), Path(here)))
