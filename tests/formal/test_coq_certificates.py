"""Certificates as Coq proofs, and theorem files as whole theorems: what Coq accepts, and what it must refuse."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import test_kernel_rules
from conftest import REPOSITORY
from kernel_language import claim, combination
from test_coq_library import ALLOWED
from test_coq_library import library as library  # a fixture

from gaptron.checking.check import check as check_theorems
from gaptron.coq import UntranslatedError, claim_to_coq
from gaptron.coq.certificates import HEADER, RULES
from gaptron.coq.compiler import RefusedError, compiled, refused_lemmas
from gaptron.coq.development import OutOfScopeError, Whole, development
from gaptron.coq.terms import identifier, variable
from gaptron.kernel import Certificate, check, read_certificate
from gaptron.kernel import rules as kernel_rules
from gaptron.theory.files import load
from gaptron.theory.theorem import Theorem

LIBRARY = REPOSITORY / "proofs" / "coq"
EXAMPLES = REPOSITORY / "examples"
HOSTILE = ['hinge *) Axiom oops : False. (* "', "Qed. Abort.", "a_b", "a__5f_b", "a b", "\u03b1", "", "1"]
ROWS = [getattr(row, "values", (row,))[0] for row in test_kernel_rules.ACCEPTED]
FIRST = {row.rule: row for row in reversed(ROWS)}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two files that claims rest on, compiled."""
    folder = tmp_path_factory.mktemp("rules")
    for name in ("Rules.v", "Enclosures.v"):
        shutil.copy(LIBRARY / name, folder / name)
        subprocess.run(["coqc", "-Q", ".", "Gaptron", name], cwd=folder, check=True, timeout=300)
    return folder


# --- rules ------------------------------------------------------------------------------------------------------------


def test_every_rule_of_the_kernel_is_translated() -> None:
    assert set(RULES) == set(kernel_rules.RULES) == set(FIRST)


@pytest.mark.slow
@pytest.mark.coq
def test_a_claim_of_every_rule_compiles(rules: Path, tmp_path: Path) -> None:
    lemmas = {rule: claim_to_coq(row.claim, row.proof, f"lemma_{rule}") for rule, row in FIRST.items()}
    assert refused_lemmas("first", lemmas, tmp_path, rules) == {}


@pytest.mark.slow
@pytest.mark.coq
def test_whatever_the_kernel_accepts_compiles(rules: Path, tmp_path: Path) -> None:
    lemmas = {f"row_{n}": claim_to_coq(row.claim, row.proof, f"row_{n}") for n, row in enumerate(ROWS)}
    assert refused_lemmas("rows", lemmas, tmp_path, rules) == {}


def test_a_rule_without_translation_is_named_with_the_claim() -> None:
    with pytest.raises(UntranslatedError, match=r"magic: .*'x'") as error:
        claim_to_coq(claim("|- x <= x"), {"rule": "magic"}, "lemma")
    assert error.value.rule == "magic"
    assert error.value.claim == claim("|- x <= x")


SQUARE = "|- 0 <= (x - y)**2"
WRONG = [
    pytest.param(SQUARE, combination(("1", [0]), ("2", [], "x - y")), "ring", id="a coefficient"),
    pytest.param(SQUARE, combination(("1", [0]), ("1", [], "x + y")), "ring", id="a square"),
    pytest.param("x >= 1 |- x >= 2", combination(("1", [0]), ("1", [1])), "ring", id="a constant"),
    pytest.param(
        "x >= 0; x <= 1 |- log(2) <= 69/100",
        {"rule": "interval", "bits": 32, "form": "direct"},
        "Unable to unify",
        id="log",
    ),
]


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize(("text", "proof", "says"), WRONG)
def test_a_wrong_proof_is_refused(text: str, proof: object, says: str, rules: Path, tmp_path: Path) -> None:
    with pytest.raises(kernel_rules.Rejected):
        check(claim(text), proof)
    with pytest.raises(RefusedError, match=says):
        compiled({"Wrong.v": HEADER + claim_to_coq(claim(text), proof, "wrong")}, tmp_path, rules)


@pytest.mark.slow
@pytest.mark.coq
def test_a_right_proof_beside_the_wrong_ones_is_accepted(rules: Path, tmp_path: Path) -> None:
    proof = combination(("1", [0]), ("1", [], "x - y"))
    check(claim(SQUARE), proof)
    compiled({"Right.v": HEADER + claim_to_coq(claim(SQUARE), proof, "right")}, tmp_path, rules)


def test_a_claim_says_what_the_kernel_says_with_definedness() -> None:
    proof = {"rule": "contradiction", "hypothesis": 1}
    text = claim_to_coq(claim("1/y <= 3; 1 <= 0 |- 1/y <= x"), proof, "stated")
    assert "forall v_x v_y : R, v_y <> 0 -> (1 * (/ v_y)) <= 3 -> 1 <= 0 -> v_y <> 0 /\\ (1 * (/ v_y)) <= v_x." in text


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_are_identifiers_and_differ() -> None:
    found = [identifier(name) for name in HOSTILE]
    assert len(set(found)) == len(HOSTILE)
    assert all(name == "" or all(c.isascii() and (c.isalnum() or c == "_") for c in name) for name in found)
    assert variable("forall") == "v_forall"


# --- whole theorems ---------------------------------------------------------------------------------------------------


def theorem_of(file: str) -> Theorem:
    (statement,) = load(EXAMPLES / file)
    assert isinstance(statement.item, Theorem)
    return statement.item


@pytest.fixture(scope="module")
def squared_hinge() -> tuple[Theorem, dict[str, Certificate]]:
    """The example of the README, with its certificates."""
    theorem = theorem_of("squared_hinge.py")
    (checked,) = check_theorems([theorem], seconds=20.0, workers=1)
    return theorem, dict(_certificates(checked.obligations, checked.certificates))


def _certificates(obligations: object, kept: object) -> Iterator[tuple[str, Certificate]]:
    for obligation, data in zip(obligations, kept, strict=True):  # type: ignore[call-overload]
        yield obligation.id, read_certificate(json.dumps(data))


def axioms(said: str) -> set[str]:
    """The names of the axioms that Print Assumptions lists."""
    _, _, listed = said.partition("Axioms:\n")
    return {line.split(" ")[0] for line in listed.splitlines() if line and not line.startswith(" ")}


@pytest.mark.slow
@pytest.mark.coq
def test_a_theorem_file_becomes_a_whole_theorem(
    squared_hinge: tuple[Theorem, dict[str, Certificate]], library: Path, tmp_path: Path
) -> None:
    whole = development(*squared_hinge)
    said = compiled(whole.files, tmp_path, library)
    assert axioms(said) <= {name.split(".", 2)[-1] for name in ALLOWED} | ALLOWED
    assert (
        "guarantee K d (margin_loss K d (phi (INR K)) (gap_map_of (INR K)) None) X" in whole.files[f"{whole.module}.v"]
    )


def faster(theorem: Theorem) -> Theorem:
    """With 101/100 times the learning rate."""
    return replace(theorem, learning_rate=theorem.learning_rate * 101 / 100)


def smaller(theorem: Theorem) -> Theorem:
    """With 99/100 times the regret."""
    return replace(theorem, regret=theorem.regret * 99 / 100)


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("changed", [faster, smaller])
def test_a_theorem_that_does_not_follow_from_the_claims_is_refused(
    changed: object, squared_hinge: tuple[Theorem, dict[str, Certificate]], library: Path, tmp_path: Path
) -> None:
    theorem, certificates = squared_hinge
    whole = development(changed(theorem), certificates)  # type: ignore[operator]
    with pytest.raises(RefusedError):
        compiled(whole.files, tmp_path, library)


@pytest.mark.slow
def test_a_hostile_name_is_not_spliced(squared_hinge: tuple[Theorem, dict[str, Certificate]]) -> None:
    theorem, certificates = squared_hinge
    for name in filter(str.strip, HOSTILE):
        whole: Whole = development(replace(theorem, name=name), certificates)
        assert all(part.isascii() and part.removesuffix(".v").replace("_", "").isalnum() for part in whole.files)
        assert not any("oops" in text.replace(identifier(name), "") for text in whole.files.values())


@pytest.mark.slow
def test_an_obligation_without_certificate_is_named(squared_hinge: tuple[Theorem, dict[str, Certificate]]) -> None:
    theorem, certificates = squared_hinge
    with pytest.raises(OutOfScopeError, match="loss/convex"):
        development(theorem, {name: c for name, c in certificates.items() if name != "loss/convex"})


def test_what_the_library_does_not_speak_of_is_named() -> None:
    with pytest.raises(OutOfScopeError, match="full information"):
        development(theorem_of("bandit_hinge.py"), {})
