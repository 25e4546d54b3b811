"""The SMT solvers are killable, bounded and doubted: silence, death and disagreement never prove anything."""

import os
import signal
import time
from collections.abc import Iterator

import pytest
from sympy import Eq, Ne, Rational, Symbol, log, sqrt
from waiting import PATIENCE

from gaptron.guesses.in_sympy import sequent
from gaptron.obligations import Sequent
from gaptron.prove import solvers as solver_module
from gaptron.prove.smt import decide_algebraic, questions
from gaptron.prove.solvers import Answer, MissingSolverError, Solvers
from gaptron.symbols import K
from gaptron.theory.verdict import UndecidedError

x = Symbol("x", real=True)
y = Symbol("y", real=True)
n = Symbol("n", integer=True, positive=True)
HARD = sequent((x**2 + y**2 >= 1,), x**14 * y**12 - 3 * x**9 * y**11 + x**22 + y**26 + 1 > Rational(1, 10**9))


@pytest.fixture(scope="module")
def solvers() -> Iterator[Solvers]:
    """Two that were started once: what is asked first leaves nothing behind for what is asked later."""
    with Solvers() as both:
        yield both


@pytest.mark.parametrize(
    "claim",
    [
        sequent((), x**2 >= 0),
        sequent((x >= 1,), x**2 >= x),
        sequent((K >= 2,), 1 / K <= Rational(1, 2)),
        sequent((K >= 2,), sqrt(K) <= K),
        sequent((), log(2) < Rational(7, 10)),
        sequent((x > 0, y > 0), 1 / (x + y) > 0),
        sequent((Eq(x, 2),), Ne(x, 3)),
        sequent((Ne(x, 0),), x**2 > 0),
        sequent((K >= 2, x <= 1 / K), x <= Rational(1, 2)),
        sequent((), n * x**2 >= x**2),
    ],
)
def test_true_claims_are_proved_by_both(claim: Sequent, solvers: Solvers) -> None:
    assert decide_algebraic(claim, solvers, 10) == "smt x2"


@pytest.mark.parametrize(
    "claim",
    [
        sequent((), x**2 > 0),
        sequent((x >= 0,), x**2 >= x),
        sequent((K >= 2,), 1 / K <= Rational(49, 100)),
        sequent((), log(2) < Rational(69, 100)),
        sequent((), 1 / (1 - x) <= 1),
        sequent((K >= 2,), sqrt(K) >= K),
        sequent((Ne(x, 0),), x**2 > 1),
        sequent((), Eq(x, 0)),
    ],
)
def test_false_claims_are_not_proved(claim: Sequent, solvers: Solvers) -> None:
    with pytest.raises(UndecidedError):
        decide_algebraic(claim, solvers, 10)


def test_a_denominator_that_may_vanish_is_not_multiplied_out_in_silence() -> None:
    claim = sequent((x >= 0,), (x**2) / x >= 0)
    assert len(questions(sequent((x >= 0,), 1 / (x - 1) >= -(10**6)))) == 2
    assert len(questions(claim)) == 1  # sympy has cancelled it to x


def test_a_killed_solver_is_not_a_proof() -> None:
    with Solvers() as solvers:
        decide_algebraic(sequent((), x**2 >= 0), solvers, 10)
        for solver in solvers.solvers:
            killed = solver.start()
            os.kill(killed.process, signal.SIGKILL)
            killed.is_over(0)
        for solver in solvers.solvers:
            stopped = solver.start()
            os.kill(stopped.process, signal.SIGSTOP)
            solver.send("(declare-const a Real)\n(assert (> a 0))", 0.1)
            os.kill(stopped.process, signal.SIGKILL)
            assert solver.receive(1).answer == "unknown"
        assert decide_algebraic(sequent((), x**2 >= 0), solvers, 10) == "smt x2"


@pytest.mark.slow
def test_a_timeout_is_obeyed_and_is_not_a_verdict() -> None:
    with Solvers() as solvers:
        decide_algebraic(sequent((), x**2 >= 0), solvers, 10)
        start = time.monotonic()
        with pytest.raises(UndecidedError):
            decide_algebraic(HARD, solvers, 0.05)
        assert time.monotonic() - start < PATIENCE


def test_a_missing_solver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "find_spec", lambda name: None if name == "cvc5" else object())
    with Solvers() as solvers, pytest.raises(MissingSolverError, match="cvc5 is not installed"):
        decide_algebraic(sequent((), x**2 >= 0), solvers, 10)


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("unsat", "unsat", "smt x2"),
        ("unsat", "unknown", "smt"),
        ("unknown", "unsat", "smt"),
        ("unsat", "sat", None),
        ("sat", "unsat", None),
        ("unknown", "unknown", None),
        ("sat", "sat", None),
    ],
)
def test_what_two_answers_are_worth(
    first: str, second: str, outcome: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {"z3": Answer(first), "cvc5": Answer(second)}
    monkeypatch.setattr(Solvers, "ask", lambda *_: answers)
    if outcome is None:
        with pytest.raises(UndecidedError):
            decide_algebraic(sequent((), x**2 >= 0), Solvers(), 10)
    else:
        assert decide_algebraic(sequent((), x**2 >= 0), Solvers(), 10) == outcome


def test_irrational_constants_are_enclosed_not_rounded() -> None:
    (text,) = questions(sequent((), log(2) * x < 1))
    assert "0.69" not in text
    assert text.count("(<=") == 2
