"""Why nothing was proved: told by how the search ended, not by the words in which it says so."""

import pytest
import sympy as sp
from sympy import Ge, Le, log

from gaptron.guesses.in_sympy import sequent
from gaptron.language.rejection import Rejected, Undefined
from gaptron.obligations import Sequent
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.derived_rules import Entangled
from gaptron.prove.proofs import NotFoundError
from gaptron.prove.reasons import reason
from gaptron.symbols import K, m
from gaptron.theory.verdict import UndecidedError

CLAIM = sequent((), Le(m, 1, evaluate=False))


def ended(claim: Sequent, seconds: float = 5.0) -> NotFoundError:
    with pytest.raises(NotFoundError) as found:
        certify(statement(claim), seconds)
    return found.value


@pytest.mark.parametrize(
    ("rejection", "said"),
    [
        (Undefined("x", "nonzero"), "a denominator could not be shown not to vanish"),
        (Undefined("x", "positive"), "the argument of a logarithm could not be shown to be positive"),
        (Undefined("x", "nonnegative"), "the argument of a root could not be shown not to be negative"),
        (Entangled("K"), "K stands in a logarithm, an exponent or a root"),
        (Rejected("a power is too large"), "a power is too large"),
    ],
)
def test_a_rejection_is_told_by_its_kind(rejection: Rejected, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(*_: object) -> None:
        raise rejection

    monkeypatch.setattr("gaptron.prove.certify.prove_with_integers", reject)
    assert str(ended(CLAIM)) == said


def test_a_search_that_ran_out_of_time_says_that_more_may_help() -> None:
    failure = ended(sequent((Ge(m, 0, evaluate=False),), Le(sp.exp(m) - sp.exp(2 * m), 1, evaluate=False)), -1.0)
    assert "--timeout" in failure.hint
    assert reason(CLAIM, UndecidedError(str(failure), hint=failure.hint)).endswith(failure.hint)


def test_words_alone_give_no_hint() -> None:
    said = reason(CLAIM, UndecidedError("the deadline passed, and a solver finds that it fails over the reals"))
    assert (
        said == "no proof was found of m <= 1 where nothing more is given: the deadline passed, and a solver finds "
        "that it fails over the reals"
    )


def test_k_in_a_logarithm_is_seen_in_the_claim() -> None:
    claim = sequent((), Le(log(K), K, evaluate=False))
    assert "K stands in a logarithm or an exponent" in reason(claim, UndecidedError("the search gave up"))


def test_the_kernel_says_of_what_kind_a_rejection_is() -> None:
    assert issubclass(Undefined, Rejected)
    assert Undefined("x", "positive").wanted == "positive"
