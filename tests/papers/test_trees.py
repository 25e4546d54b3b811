"""A tree of rules proves what it proved, and with another constant, term or step nothing."""

import json
from functools import cache
from pathlib import Path

import pytest

from gaptron.papers.checked_files import ProofLibrary, ProvedClaim, proof_digest, read_trees, rules_of, tree_file
from gaptron.papers.proof_lines import Cited
from gaptron.papers.rules import Judgement
from gaptron.papers.trees import Replay

PROOFS = Path(__file__).parents[2] / "proofs"


def replays(text: str, trees: dict[str, object]) -> list[ProvedClaim]:
    library = ProofLibrary()
    return [library.decide(stated, trees.get(stated.name), False) for stated in library.read(text)]


@cache
def replayed_file(file: Path) -> dict[str, tuple[ProvedClaim, dict[str, Cited]]]:
    """The claims of a file, each with what it may cite."""
    library, trees = ProofLibrary(), read_trees(file)
    found: dict[str, tuple[ProvedClaim, dict[str, Cited]]] = {}
    for stated in library.read(file.read_text(encoding="utf-8")):
        above = dict(library.cited)
        claim = library.decide(stated, trees[stated.name], False)
        assert claim.status == "holds"
        found[stated.name] = claim, above
    return found


def replayed_to(file: Path, name: str) -> tuple[ProvedClaim, dict[str, Cited], list[Judgement]]:
    """A claim of a file, what it may cite, and all judgements of its tree."""
    claim, above = replayed_file(file)[name]
    proved = {other: cited.proved for other, cited in above.items()}
    return claim, above, Replay(claim.stated.setting.hyps, proved, rules_of(claim.tree)).steps


@pytest.mark.slow
def test_another_constant_is_not_what_the_tree_proves() -> None:
    file = PROOFS / "colt24" / "descent.proof"
    text = file.read_text(encoding="utf-8").partition("setting OneStep")[0]
    trees = read_trees(file)
    wrong = text.replace("mean(paid) <= 4*gamma/(lam*nu)*S", "mean(paid) <= 3*gamma/(lam*nu)*S")
    assert wrong != text
    for claim in replays(wrong, trees):
        trees[claim.stated.name]["proof"] = proof_digest(claim.stated)  # type: ignore[index]
    holding = {c.stated.name for c in replays(wrong, trees) if c.status == "holds"}
    assert {"colt24/prop3", "colt24/prop3-gradient", "colt24/prop6"} <= holding
    assert not {"colt24/lemma4", "colt24/thm7"} & holding


@pytest.mark.few(2)
@pytest.mark.parametrize("part", ["terms", "steps"])
@pytest.mark.parametrize("name", ["soba/perceptron", "blog/leader", "notes/descent", "new/one_round"])
def test_a_tree_that_was_changed_proves_nothing_else(name: str, part: str) -> None:
    file = PROOFS / f"{name}.proof"
    text, data = file.read_text(encoding="utf-8"), tree_file(file).read_text(encoding="utf-8")
    found = replays(text, json.loads(data)["claims"])
    assert {claim.status for claim in found} == {"holds"}
    first = found[0].stated.name
    parts = len(json.loads(data)["claims"][first][part])
    for n in range(0, parts, 1 + parts // 8):
        trees = json.loads(data)["claims"]
        del trees[first][part][n]
        assert replays(text, trees)[0].status == "not found"
