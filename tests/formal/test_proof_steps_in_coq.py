"""The arithmetic of the proof files, asked of the kernel that Coq proves sound."""

import json

import pytest
from conftest import REPOSITORY

from gaptron.coq.verified import accepted, computation
from gaptron.kernel import Claim, check
from gaptron.language.terms import Json
from gaptron.papers import rules
from gaptron.papers.checked_files import ProofLibrary, read_trees

pytestmark = [pytest.mark.slow, pytest.mark.coq]

SECONDS = 1800


def test_every_step_of_the_proof_files_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, str] = {}

    def noted(claim: Claim, proof: Json) -> None:
        check(claim, proof)
        key = json.dumps([claim.data, proof], sort_keys=True)
        if key not in asked:
            asked[key] = computation(claim, proof)

    monkeypatch.setattr(rules, "check", noted)
    for file in sorted(REPOSITORY.glob("proofs/*/*.proof")):
        library, trees = ProofLibrary(), read_trees(file)
        for stated in library.read(file.read_text(encoding="utf-8")):
            library.decide(stated, trees.get(stated.name), False)
    assert len(asked) > 1500
    said = accepted([*asked.values()], SECONDS)
    assert [key for key, one in zip(asked, said, strict=True) if not one] == []
