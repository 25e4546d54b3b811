"""Claims whose proofs stand in proof files: the audit replays them, and what rests on a line that is false falls."""

import json
from pathlib import Path

import pytest
from conftest import Command

from gaptron import InProof
from gaptron.papers.checked_files import ProofLibrary, proof_digest, tree_file, trees_text
from gaptron.system.documents import Document
from gaptron.theory.refusals import TheoremError

PROOFS = """setting Square "a number and its square":
  number x >= 1
  example:
    x = 2

claim my/base in Square: x**2 >= x

claim my/main in Square: x**3 >= x
  (1) cite my/base
  x**3 >= x**2

setting Assumed "a number that is assumed to be large":
  number y
  assume y >= 1
  example:
    y = 1

claim my/assumed in Assumed: y**2 >= 1

claim my/on-assumed in Assumed: y**2 >= 1/2
  (1) cite my/assumed
"""
CLAIMS = """from gaptron import Claim, InProof, Rests

def one(name, grounds):
    return Claim(id=name, source="p. 1", statement="as in the file", grounds=grounds, recorded="PROVED")

claims = [one(f"my/{name}", InProof("mine.proof", f"my/{name}")) for name in ("base", "main", "assumed", "on-assumed")]
rests = one("my/rests", Rests("my/main"))
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A paper's folder with the trees of its proofs."""
    (tmp_path / "mine.py").write_text(CLAIMS)
    file = tmp_path / "mine.proof"
    file.write_text(PROOFS)
    library = ProofLibrary()
    found = [library.decide(stated, None, True) for stated in library.read(PROOFS)]
    tree_file(file).write_text(trees_text(found))
    return tmp_path


def audited(gaptron: Command, paper: Path, code: int) -> dict[str, Document]:
    done = gaptron("audit", paper, "--json")
    assert done.returncode == code, done.stderr
    return {row["id"]: row for row in json.loads(done.stdout)["claims"]}


@pytest.mark.slow
def test_what_a_claim_rests_on_has_a_kind(gaptron: Command, paper: Path) -> None:
    rows = audited(gaptron, paper, 0)
    assert {row["verdict"] for row in rows.values()} == {"PROVED"}
    main, on_assumed = rows["my/main"], rows["my/on-assumed"]
    assert {(h["text"], h["kind"]) for h in main["hypotheses"]} == {("x >= 1", "definition"), ("my/base", "claim")}
    assert (main["argument"], main["premises"], main["tex"]) == ("whole", ["my/base"], r"x^{3} \ge x")
    assert [(row["argument"], row["open"]) for row in (rows["my/assumed"], on_assumed)] == [
        ("steps", ["y >= 1"]),
        ("steps", ["y >= 1", "my/assumed"]),
    ]
    assert rows["my/rests"]["hypotheses"] is None
    assert on_assumed["grounds"][0]["proof"]["hypotheses"] == ["number y", "assume y >= 1"]


@pytest.mark.slow
def test_a_false_line_leaves_its_claim_and_what_rests_on_it_undecided(gaptron: Command, paper: Path) -> None:
    """Even if the trees say that they were found for the new text."""
    file = paper / "mine.proof"
    trees = json.loads(tree_file(file).read_text())
    wrong = PROOFS.replace("x**2 >= x", "x**2 >= 2*x")
    file.write_text(wrong)
    for stated in ProofLibrary().read(wrong):
        trees["claims"][stated.name]["proof"] = proof_digest(stated)
    tree_file(file).write_text(json.dumps(trees))
    rows = audited(gaptron, paper, 1)
    fallen = {name for name, row in rows.items() if row["verdict"] == "UNDECIDED"}
    assert fallen == {"my/base", "my/main", "my/rests"}
    assert rows["my/base"]["reasons"] == [
        f"{file}:6: my/base: no tree of rules beside the file proves what it says: gaptron prove looks for one"
    ]


@pytest.mark.slow
def test_a_claim_that_is_proved_in_two_parts_does_not_rest_on_itself(gaptron: Command, paper: Path) -> None:
    """The second part, my/main, cites the first; the report draws what rests on what."""
    (paper / "mine.py").write_text(
        CLAIMS[: CLAIMS.index("claims = ")]
        + 'both = one("my/base", (InProof("mine.proof", "my/base"), InProof("mine.proof", "my/main")))\n'
        + 'rests = one("my/rests", Rests("my/base"))\n'
    )
    done = gaptron("audit", paper, "--json", "--html", paper / "report.html")
    assert done.returncode == 0, done.stderr
    assert [row["premises"] for row in json.loads(done.stdout)["claims"] if row["id"] == "my/base"] == [[]]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("claims", "proofs", "said"),
    [
        (CLAIMS.replace('("mine.proof"', '("none.proof"'), PROOFS, "none.proof: cannot be read: No such file"),
        (CLAIMS.replace('f"my/{name}")) for', '"my/other")) for'), PROOFS, "mine.proof: it does not state my/other"),
        (CLAIMS, PROOFS.replace("x**2 >= x", "x**2 >= z"), "mine.proof: line 6, column 34: z: it is not declared"),
        (CLAIMS.replace('("mine.proof"', '("../mine.proof"'), PROOFS, "is not the name of a .proof file beside this"),
    ],
)
def test_a_proof_file_that_cannot_be_used_is_one_sentence(
    gaptron: Command, tmp_path: Path, claims: str, proofs: str, said: str
) -> None:
    (tmp_path / "mine.py").write_text(claims)
    (tmp_path / "mine.proof").write_text(proofs)
    done = gaptron("audit", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_explain_shows_the_kinds_the_quotation_and_the_theorem_of_coq(gaptron: Command) -> None:
    said = gaptron("explain", "soba/t1-q1").stdout
    assert "  argument: whole\n  facts: Cauchy-Schwarz\n" in said
    assert '  assumption: norm2(x) <= X**2 (Section 4: "suppose all the examples are' in said
    assert "  fact: Cauchy-Schwarz (TextbookFacts.v:cauchy_schwarz_of_norms)\n  " in said
    assert "  protocol: for all k in labels: W @ outer(e(k), x) <= W @ outer(e(yhat), x)\n" in said
    assert "  claim: soba/perceptron\n" in said


def test_only_a_file_beside_is_named() -> None:
    with pytest.raises(TheoremError, match="beside this one"):
        InProof("folder/mine.proof", "my/base")
