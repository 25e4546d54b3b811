"""The proofs that are shipped: replayed from their trees, and (slow) searched anew."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from test_trees import PROOFS, replays

from gaptron.ledger.bibliography import ABOUT
from gaptron.papers.checked_files import ProofLibrary, ProvedClaim, read_trees
from gaptron.papers.layout import PlaceError
from gaptron.papers.normal_forms import relation
from gaptron.papers.premise_search import LIMITS
from gaptron.papers.printing import printed
from gaptron.papers.typed_formulas import symbols_in
from gaptron.papers.typed_terms import ROUND, level

WORDS = 25  # of a quotation from a paper whose text is not shipped
FILES = sorted(PROOFS.glob("*/*.proof"))
LONG = 230  # lines of a file that is replayed in the slow run


def named(file: Path) -> str:
    """Of which document, and its name."""
    return f"{file.parent.name}/{file.stem}"


def letters(text: str) -> str:
    """Letters and digits alone: how a document is typeset is nobody's claim."""
    return "".join(c for c in text if c.isalnum())


def claims(file: Path) -> list[str]:
    """The names of a file's claims, in its order."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.split()[1] for line in lines if line.startswith("claim ")]


def searched(lines: list[str], name: str, trees: dict[str, Any]) -> ProvedClaim:
    """A claim as it is searched, others being replayed."""
    library = ProofLibrary()
    for stated in library.read("\n".join(lines)):
        if stated.name == name:
            return library.decide(stated, None, True)
        library.decide(stated, trees[stated.name], False)
    raise LookupError(name)


def marked(file: Path) -> Any:
    """A file, slow if it is long."""
    is_long = file.read_text(encoding="utf-8").count("\n") > LONG
    return pytest.param(file, id=named(file), marks=[pytest.mark.slow, pytest.mark.one_in(1)] if is_long else [])


@pytest.fixture(scope="module", params=map(marked, FILES))
def shipped(request: pytest.FixtureRequest) -> tuple[Path, list[ProvedClaim]]:
    """A file and what its claims are when they are replayed; its settings are read, and their examples run, once."""
    file: Path = request.param
    return file, replays(file.read_text(encoding="utf-8"), read_trees(file))


def test_every_claim_is_replayed_and_nothing_is_searched(shipped: tuple[Path, list[ProvedClaim]]) -> None:
    _, found = shipped
    assert found
    assert [claim.stated.name for claim in found if claim.status != "holds"] == []
    assert [claim.stated.name for claim in found if claim.searched or claim.idle] == []
    assert [claim.stated.name for claim in found if not claim.whole] == []


def test_the_normal_form_of_a_claim_is_read_back_as_the_same(shipped: tuple[Path, list[ProvedClaim]]) -> None:
    for stated in (claim.stated for claim in shipped[1]):
        for goal in (goal for goal in stated.goals if goal[0] == "rel"):
            assert list(stated.setting.formulas(relation(goal))) == [goal]


def test_what_a_round_gives_may_depend_on_the_draws(shipped: tuple[Path, list[ProvedClaim]]) -> None:
    """A setting that draws extends none that draws nothing: what that one gives would be the same on all paths."""
    for stated in (claim.stated for claim in shipped[1]):
        of_round = {x for h in stated.setting.hyps for x in symbols_in(h.formula) if level(x) == ROUND}
        assert not (stated.setting.random and of_round), stated.name


def test_quotations_stand_in_the_documents(shipped: tuple[Path, list[ProvedClaim]]) -> None:
    """Those of a paper whose text is not among them stand in the list of its statements, and are short."""
    documents = PROOFS.parents[1] / "shared"
    if not documents.is_dir():
        pytest.skip("the documents are not here")
    file, found = shipped
    quotes = {h.quote for claim in found for h in claim.stated.setting.hyps if h.kind == "assumption"}
    assert quotes or named(file) != "soba/perceptron"
    listed = file.parent.name in (*ABOUT, "new")
    files = [documents / "frontier_claims.md"] if listed else sorted((documents / "seeds").glob("*.txt"))
    text = "".join(letters(one.read_text(encoding="utf-8")) for one in files)
    assert [quote for quote in quotes if letters(quote) not in text] == []
    assert not listed or [quote for quote in quotes if len(quote.split()) > WORDS] == []


def test_a_file_is_printed_as_a_paper_would() -> None:
    file = PROOFS / "soba" / "perceptron.proof"
    text = file.read_text(encoding="utf-8")
    page = printed(text, replays(text, read_trees(file)))
    assert r"**Theorem (soba/perceptron).** $M - S \le c\,\sqrt{M}$" in page
    assert "according as $\\hat y = y$" in page


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("setting S:\n  number x\nclaim a in S: x <= w\n", 3, 20),
        ("setting S:\n  number x, x\n", 2, 10),
        ("setting S:\n  vector u in E\n  vector v in F\nclaim a in S: u @ v <= 0\n", 4, 15),
        ("setting S:\n  number x\nclaim a in S: x <= [0]\n", 3, 20),
        ("hello\n", 1, 1),
    ],
)
def test_what_cannot_be_read_has_its_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(PlaceError) as error:
        ProofLibrary().read(text)
    assert (error.value.line, error.value.column) == (line, column)


def test_an_atom_that_has_a_name_is_known_by_it_in_roots_too() -> None:
    library, said = ProofLibrary(), 'from A: "..."'
    given = f"  vector u in E\n  number p\n  assume norm2(u) == p {said}\n  assume norm(u) <= 2 {said}\n"
    (stated,) = library.read(f"setting S:\n{given}claim a in S: p <= 4\n")
    assert library.decide(stated, None, True).status == "holds"


def test_a_false_line_has_values() -> None:
    library = ProofLibrary()
    (stated,) = library.read("setting S:\n  number x >= 0\nclaim a in S: x <= 3\n  (1) x <= 3\n")
    claim = library.decide(stated, None, True)
    assert claim.status == "false"
    assert claim.line == 4
    assert int(claim.values["x"].split("/")[0]) > 3


@pytest.mark.slow
@pytest.mark.one_in(40)
@pytest.mark.parametrize(
    ("file", "claim"), [pytest.param(f, c, id=f"{named(f)}: {c}") for f in FILES for c in claims(f)]
)
def test_search_finds_every_claim(file: Path, claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times as long for each certificate: the machine does other work too."""
    monkeypatch.setattr(LIMITS, "second", 4 * LIMITS.second)
    result = searched(file.read_text(encoding="utf-8").splitlines(), claim, read_trees(file))
    assert (result.status, result.line, result.reason) == ("holds", 0, "")


SEARCH = """
import sys
from pathlib import Path
from gaptron.papers.checked_files import ProofLibrary, read_trees

file, last = Path(sys.argv[1]), sys.argv[2]
library, trees = ProofLibrary(), read_trees(file)
for stated in library.read(file.read_text(encoding="utf-8")):
    tree = None if stated.name in sys.argv[2:] else trees[stated.name]
    claim = library.decide(stated, tree, True)
    if stated.name == last:
        print(claim.status, claim.reason)
        break
"""


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["blog/squared-hinge-convex", "blog/smooth-hinge"])
def test_a_claim_is_found_in_every_process(claim: str) -> None:
    """Whatever the order of its sets, and whatever was searched before."""
    file, others = PROOFS / "blog" / "losses.proof", ("blog/smooth-hinge-dominated",)
    said = [
        subprocess.run(
            [sys.executable, "-c", SEARCH, str(file), claim, *before],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout.strip()
        for seed, before in (("1", ()), ("2", ()), ("1", others))
    ]  # fmt: skip
    assert said == ["holds"] * 3


STRONGER = [  # three claims of each document, with a constant that is 1 % less, or little more
    ("gaptron/lemma1", "gaptron/second-moment", "K*norm2(g)", "99/100*K*norm2(g)"),
    ("gaptron/margins", "gaptron/t2-bound", "K**2*X**2", "99/100*K**2*X**2"),
    ("gaptron/margins", "gaptron/t3-bound", "2*K*X**2", "99/50*K*X**2"),
    ("slides/abstention", "slides/abstention-bound", "4/3*log(d)", "33/25*log(d)"),
    ("slides/smooth", "slides/smooth-gradient-corrected", "2*H", "99/50*H"),
    ("slides/analysis", "slides/old-analysis", "norm(U)*X", "99/100*norm(U)*X"),
    ("blog/bounded", "blog/smooth-self-bounded", "2*s", "99/50*s"),
    ("blog/losses", "blog/weighted-hinge", "16*weighted", "396/25*weighted"),
    ("blog/losses", "blog/smooth-hinge", "4*smoothed", "99/25*smoothed"),
    ("soba/perceptron", "soba/t1-q1", "c**2", "99/100*c**2"),
    ("soba/perceptron", "soba/t1-q2", "+ c)**2", "+ 99/100*c)**2"),
    ("soba/losses", "soba/eta-range", "(2 - eta)/eta", "99/100*(2 - eta)/eta"),
    ("notes/descent", "notes/lemma5", "<= 8*l(W)", "<= 198/25*l(W)"),
    ("notes/descent", "notes/lemma9-chain", "8*l(W)", "198/25*l(W)"),
    ("notes/descent", "notes/lemma6-total-loss", "L/8", "L*101/800"),
    ("colt24/descent", "colt24/lemma4", "4*gamma", "99/25*gamma"),
    ("colt24/descent", "colt24/thm7", "2*gamma", "99/50*gamma"),
    ("colt24/constants", "colt24/ranks", "3*gap", "297/100*gap"),
    ("neurips25/bandit", "neurips25/eq1", "b*S", "99/100*b*S"),
    ("neurips25/bandit", "neurips25/thm4-4", "b*B**2", "99/100*b*B**2"),
    ("neurips25/bandit", "neurips25/thm3-4", "+ 1)*B", "+ 99/100)*B"),
    ("new/late_labels", "new/copies", "(n + 1)", "(n + 99/100)"),
    ("new/online_to_batch", "new/online-to-batch", "C*norm2(U) and", "99/100*C*norm2(U) and"),
    ("new/logistic_lower_bound", "new/logistic-lower-bound-late", "17/6", "283/100"),
]


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize(("name", "claim", "old", "new"), STRONGER, ids=[row[1] for row in STRONGER])
def test_a_stronger_claim_is_not_found(
    name: str, claim: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the proof that finds the claim."""
    monkeypatch.setattr(LIMITS, "second", 1.0)
    file = PROOFS / f"{name}.proof"
    lines, trees = file.read_text(encoding="utf-8").splitlines(), read_trees(file)
    (n,) = [n for n, line in enumerate(lines) if line.startswith(f"claim {claim} in ")]
    stronger = lines[n].replace(old, new)
    assert stronger != lines[n]
    assert searched(lines, claim, trees).status == "holds"
    with suppress(PlaceError):  # a line cites one that is gone
        assert searched([*lines[:n], stronger, *lines[n + 1 :]], claim, trees).status != "holds"


@pytest.mark.few(1)
@pytest.mark.parametrize("file", FILES, ids=named)
def test_every_hypothesis_is_needed_by_a_claim(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    found = replays(text, read_trees(file))
    used = {h for claim in found for p in claim.proved for h in p.hyps}
    idle = {h.text for claim in found for h in claim.stated.setting.hyps if h not in used}
    assert idle == set()
