"""What Coq refuses, or cannot be told, is one sentence that fits on a line."""

from pathlib import Path

import pytest
from sympy import Symbol

from gaptron.coq.functions import Printer
from gaptron.coq.library import RefusedError, compiled, compiled_library, default_folder, needed_by
from gaptron.coq.script import OutOfScopeError
from gaptron.door.reading import read, variable

SAID = """File "./T_claims.v", line 240, characters 717-840:
Error:
In environment
v_K, v_m : R
H7 : 0 < 1 + exp v_m ^ 2
H12 : ln ((1 + exp (-1 / 2 * ln x22) ^ 2) ^ 2) =
      -1 * ln (x22 ^ 2) + ln ((1 + exp (1 / 4 * ln (x22 ^ 2)) ^ 2) ^ 2)
Unable to unify "LONG" with
 "x22".
"""


@pytest.mark.parametrize("long", ["0", "1 + exp v_m " * 200])
def test_a_refusal_is_a_sentence_without_the_environment(long: str) -> None:
    error = RefusedError("T_claims.v", SAID.replace("LONG", long))
    assert error.sentence.startswith('T_claims.v, line 240: Unable to unify "')
    assert "H7" not in error.sentence
    assert len(error.sentence) <= 150
    assert long in str(error)


def test_other_messages_stay_as_they_are() -> None:
    assert RefusedError("A.v", "took longer than 600 s").sentence == "A.v: took longer than 600 s"
    assert RefusedError("A.v", "Error: Cannot find witness.\n").sentence == "A.v: Cannot find witness."


@pytest.mark.slow
@pytest.mark.coq
def test_what_coqc_says_of_a_goal(tmp_path: Path) -> None:
    text = "From Gaptron Require Import RankingDefinitions.\n"  # a file that needs no other: little is compiled
    library = compiled_library(needed_by([text]), default_folder())
    text += "Lemma wrong (first second : nat) (H : first = second) : first = S second.\nProof. exact H. Qed.\n"
    with pytest.raises(RefusedError) as refused:
        compiled({"Wrong.v": text}, tmp_path, library)
    assert "In environment" in str(refused.value)
    assert refused.value.sentence.startswith('Wrong.v, line 3: The term "H" has type "first = second"')


def test_an_expression_that_certificates_do_not_know_is_out_of_scope() -> None:
    p, q = Symbol("p"), Symbol("q")
    with pytest.raises(OutOfScopeError, match=r"^p\*\*q is not in the language of certificates$"):
        Printer([variable(p), variable(q)]).function(read((1 - p**q) / q))
