"""Claims and certificates as data of the verified kernel: what is written, and what is not."""

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest
from kernel_language import add_up, cases, claim, combination, integer
from kernel_rows import changed
from test_coq_certificates import FIRST, ROWS, mutations

from gaptron.answers.replaying import by_kernel
from gaptron.coq.kernel_data import Pair, UnwrittenError, certificate_data, claim_data, printed
from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.kernel.certificate import FORMAT
from gaptron.language.terms import Json
from gaptron.prove.hints import written


def test_a_claim_is_written_with_its_variables_by_their_places() -> None:
    asked = claim("x > 0; 1/y <= -3/4; log(x)**2 == root(y, 2) |- exp(x) != y - 2")
    logarithm, two = "(Pow (Ln (Var 0)) 2)", "(Mul (Int (-1)) (Int 2))"
    assert printed(claim_data(asked)) == (
        "(Claim 2 [] [((Gt, (Var 0)), (Int 0)); ((Le, (Mul (Int 1) (Inv (Var 1)))), (Mul (Int (-3)) (Inv (Int 4)))); "
        f"((Eq, {logarithm}), (Sqrt (Var 1)))] ((Ne, (Exp (Var 0))), (Add (Var 1) {two})))"
    )


def test_numbers_lists_and_pairs_are_printed_as_coq_reads_them() -> None:
    data = ("C", [Fraction(-3, 4), 5, -5], Pair("a", -2, "Z"), True)
    assert printed(data) == "(C [(-3 # 4); 5; (-5)] (a, (-2)%Z) true)"


def test_an_identity_is_a_sum_of_squares_and_the_negated_conclusion() -> None:
    asked = claim("|- 0 <= (x - y)**2")
    proof = written(asked, combination(("1", [0]), ("1", [], "x - y")))
    difference = "(Add (Var 0) (Mul (Int (-1)) (Var 1)))"
    assert printed(certificate_data(asked, proof)).endswith(
        f"[(SPz (ZAdd (ZMul (ZC (1 # 1)) (ZIn 0)) (ZMul (ZC (1 # 1)) (ZSq {difference}))))])"
    )


def test_whatever_the_kernel_accepts_is_written() -> None:
    for row in ROWS:
        assert printed(certificate_data(row.claim, row.proof)).startswith("(C")


def test_a_variable_that_only_the_proof_has_comes_after_those_of_the_claim() -> None:
    asked = claim("y <= 1 |- y <= 1")
    proof = written(asked, cases("x", add_up(0, 2), add_up(0, 2)))
    assert printed(claim_data(asked, proof)).startswith("(Claim 2 [] [((Le, (Var 0)), (Int 1))]")
    assert "(Var 1)" in printed(certificate_data(asked, proof))


def test_roots_are_written_with_one_less_than_their_degrees() -> None:
    asked = claim("|- root(x, 3) <= root(x, 2)")
    assert "((Le, (Root (Var 0) 2)), (Sqrt (Var 0)))" in printed(claim_data(asked))


def test_a_proof_that_does_not_fit_its_claim_is_rejected_or_written() -> None:
    """Coq has the last word on what is written; nothing else is raised."""
    refused = set()
    for rule, row in FIRST.items():
        for proof in islice(mutations(row.proof), 0, None, 5):
            try:
                printed(certificate_data(row.claim, proof))
            except (Rejected, UnwrittenError) as error:
                refused.add((rule, type(error)))
    assert {rule for rule, error in refused if error is Rejected} == set(FIRST)


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        ("y == x |- x <= y", combination(("1", [1]), equations=[(-1, "-1")])),
        ("K >= 0 |- K >= 0", combination(("1", [-2]), ("1", [-1]))),
        ("K >= 0 |- K >= 0 for integers K", integer("K", "2/3", add_up(0, 2), add_up(0, 2))),
    ],
)
def test_a_number_that_the_kernel_does_not_take_is_not_written(text: str, proof: Json) -> None:
    with pytest.raises(Rejected):
        written(claim(text), proof)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("proof", "steps"), [-1]),
        (("proof", "summands"), [["1", [-1]]]),
        (("proof", "equations"), [[-1, "1"]]),
        (("proof", "table"), -1),
        (("tables",), []),
    ],
)
def test_a_number_that_no_kernel_takes_is_rejected_by_both(path: tuple[str, ...], to: Json) -> None:
    asked = claim("y == x |- x <= y")
    proof = written(asked, combination(("1", [1]), equations=[(0, "1")]))
    for reading in (check, certificate_data):
        reading(asked, proof)
        with pytest.raises(Rejected):
            reading(asked, changed(proof, *path, to=to))


@pytest.mark.parametrize("proof", [None, [], "combination", {}, {"rule": ["combination"]}, {"rule": "lemma"}])
def test_what_is_no_proof_is_rejected(proof: Json) -> None:
    x = Relation("<=", "x", Fraction(1))
    for whole in (proof, {"terms": [], "tables": [], "proof": proof}):
        with pytest.raises((Rejected, UnwrittenError)):
            certificate_data(Claim((x,), x), whole)


def test_a_certificate_that_cannot_be_written_is_rejected_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "magic.json"
    claims, magic = [{"given": [], "then": ["<=", "x", "x"]}], {"terms": [], "tables": [], "proof": {"rule": "magic"}}
    file.write_text(json.dumps({"format": FORMAT, "about": {}, "claims": claims, "proofs": [magic]}))
    said = "claim 1: not accepted by the verified kernel: it has no words for the rule magic"
    assert by_kernel(file, 60, by_coq=True) == {"rejected": said}
