"""The index of proofs: what each shipped file is about, and its claims with the proof files that they stand in."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import sympy as sp

from gaptron.symbols import X
from gaptron.theory.claims import InProof, LedgerClaim
from gaptron.theory.files import load_whole
from gaptron.theory.theorem import Theorem

NORM = sp.Symbol(r"\lVert U \rVert", positive=True)

HEAD = """<!-- generated: GAPTRON_RECORD=1 python -m pytest tests/contracts/test_proofs_index.py -m slow -->

# Proofs

Each of the six theorems of van der Hoeven 2020 is a file of 20 to 60 lines, as the paper states it; Theorems 4 and 6
have parameters with which Lemma 1 gives the printed bounds, and their claims say what is true of the printed ones. The
excess is what the expected mistakes may be above the comparator's (expected) loss. The cases are those of the surrogate
gap, in sympy and z3 alone; beside a theorem stands what is claimed of it.

{six}

One folder a document, `new` for what no document states, one file a theorem or lemma; `instances` has rounds by hand,
for second routes, and `coq` is the hand-written library of theorems that hold for all dimensions. `gaptron explain ID`
shows a claim with its proof, `gaptron audit` decides all of them. The verdict is the recorded one; the proof file is
that of the claim or of its correction.
"""
SIX_HEAD = """| theorem | learning rate | excess | cases | claims |
|---|---|---|---|---|"""


def index(files: Sequence[Path]) -> str:
    """The page, in Markdown, links being those of a page beside the folders."""
    loaded = {file: load_whole(file) for file in files}
    claims = {file: [filed.claim for filed in found] for file, (_, found) in loaded.items()}
    six = [(file, statements[0].item) for file, (statements, found) in loaded.items() if statements and not found]
    rows = [
        _theorem(file, item, claims) for file, item in six if _cases(file) is not None and isinstance(item, Theorem)
    ]
    lines = [HEAD.format(six="\n".join([SIX_HEAD, *rows])).rstrip()]
    for folder in dict.fromkeys(file.parent.name for file in files):
        lines += ["", f"## {folder}", "", "| file | claim | verdict | proof |", "|---|---|---|---|"]
        for file in (file for file in files if file.parent.name == folder):
            lines += _rows(file, claims[file])
    return "\n".join(lines) + "\n"


def _cases(file: Path) -> str | None:
    """The script with the cases of a theorem's surrogate gap, if there is one, beside the folders."""
    script = file.parent / "cases" / f"{file.stem.split('_')[0]}.py"
    return f"{file.parent.name}/cases/{script.name}" if script.is_file() else None


def _theorem(file: Path, theorem: Theorem, claims: Mapping[Path, Sequence[LedgerClaim]]) -> str:
    """A row for a theorem: its formulas, and the files with claims that begin as its own does."""
    number, folder = file.stem.split("_")[0], file.parent.name
    rate, excess = theorem.learning_rate, theorem.regret
    if theorem.feedback == "full":
        rate, excess = rate / X**2, excess * X**2 * NORM**2
    beside = [other for other, found in claims.items() if found and other.name.startswith(f"{number}_")]
    links = [f"[`{other.stem}`]({folder}/{other.name})" for other in beside if other.parent == file.parent]
    formulas = [f"${sp.latex(formula, ln_notation=True)}$" for formula in (rate, excess)]
    name, script = f"[{theorem.name}]({folder}/{file.name})", f"[`{number}`]({_cases(file)})"
    return f"| {' | '.join([name, *formulas, script, ', '.join(links)])} |"


def _rows(file: Path, claims: Sequence[LedgerClaim]) -> Iterator[str]:
    """A row for the file, and one for each of its claims."""
    title = file.read_text().split("\n", 1)[0].strip('"').rstrip(".")
    yield f"| [`{file.name}`]({file.parent.name}/{file.name}) {_cell(title)} | | | |"
    for claim in claims:
        yield f"| | `{claim.id}` | {claim.recorded} | {_proofs(claim, file.parent.name)} |"


def _proofs(claim: LedgerClaim, folder: str) -> str:
    """Links to the proof files that it, or its correction, stands in."""
    grounds = (*claim.grounds, *(claim.corrected.grounds if claim.corrected else ()))
    files = dict.fromkeys(ground.file for ground in grounds if isinstance(ground, InProof))
    return ", ".join(f"[`{file}`]({folder}/{file})" for file in files)


def _cell(text: str) -> str:
    """Text that is no markup and no end of a cell."""
    for sign in "|*_<>":
        text = text.replace(sign, f"\\{sign}")
    return text
