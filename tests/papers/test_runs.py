"""Lines that are false in a run near the example of their setting; and no claim that is proved is false in one."""

import math
from importlib.resources import files
from pathlib import Path

import pytest
from conftest import Command

from gaptron.papers import counterexample_runs
from gaptron.papers.checked_files import ProofLibrary
from gaptron.papers.counterexample_runs import breaking_run

PROOFS = sorted((Path(__file__).parents[2] / "proofs").glob("*/*.proof"))
LEMMA = (files("gaptron.commands") / "templates" / "lemma3.proof.txt").read_text(encoding="utf-8")
SQUARE = "norm2(W - eta*g - U) + eta**2*G**2"
CONVEX = """setting S:
  vector U in space
  function f
  round:
    vector x in space
  state W in space = 0 then W - x
  assume for all v in space: f(v) >= f(W) + x @ (v - W) from p. 1: "convex"
  example:
    space = 1
    U = [1]
    f(v) = v @ v
    round:
      x = [0]

claim a in S: total(f(W)) <= total(x @ x)
"""


@pytest.mark.few(4)
@pytest.mark.parametrize("file", PROOFS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_no_claim_that_is_proved_is_false_in_a_run(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs that share neither a rule nor an evaluator: the kernel of proofs, and exact runs."""
    monkeypatch.setattr(counterexample_runs, "SECONDS", math.inf)
    monkeypatch.setattr(counterexample_runs, "TRIES", 10)
    for stated in ProofLibrary().read(file.read_text(encoding="utf-8")):
        for goal in stated.goals:
            assert breaking_run(stated.setting, [], goal) == {}, stated.name


def test_a_false_line_about_rounds_is_shown_in_a_run(tmp_path: Path, gaptron: Command) -> None:
    assert SQUARE in LEMMA
    (tmp_path / "lemma3.proof").write_text(LEMMA.replace(SQUARE, SQUARE.replace("eta**2", "eta")))
    done = gaptron("prove", "lemma3.proof", cwd=tmp_path)
    assert done.returncode == 1
    assert "lemma3.proof:22: my-paper/lemma-3: false: it fails at weights = 1, eta = " in done.stdout
    assert "round 1: g = [" in done.stdout


@pytest.mark.parametrize("constant", ["eta*G**2*T/4", "eta*G*T/2"])
def test_a_false_claim_is_shown_in_a_run(constant: str) -> None:
    (stated,) = ProofLibrary().read(LEMMA.replace("eta*G**2*T/2", constant))
    assert breaking_run(stated.setting, [], stated.goals[0])


def test_a_hypothesis_about_all_vectors_is_settled_by_no_run() -> None:
    (stated,) = ProofLibrary().read(CONVEX)
    assert breaking_run(stated.setting, [], stated.goals[0]) == {}
