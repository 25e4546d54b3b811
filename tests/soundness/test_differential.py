"""The kernel's proofs against z3 and cvc5 on random algebraic claims: they may be silent, but never disagree."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
import sympy as sp
from kernel_language import DIRECT
from kernel_rows import attack

from gaptron import kernel
from gaptron.guesses.in_sympy import sequent
from gaptron.kernel import Rejected, evidence, rules
from gaptron.kernel.certificate import refute
from gaptron.kernel.evidence import Evidence
from gaptron.kernel.rules import algebra, intervals, logic, motion, splits, substitution
from gaptron.language.terms import names
from gaptron.obligations import Sequent
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.proofs import NotFoundError
from gaptron.prove.smt import questions
from gaptron.prove.solvers import Answer, Solvers
from gaptron.theory.verdict import UndecidedError

VARIABLES = sp.symbols("x y z", real=True)
SOLVER_SECONDS = 0.25
SEARCH_SECONDS = 0.02
Search = Callable[[kernel.Claim, float], Any]
Ask = Callable[[str, float], dict[str, Answer]]


class DisagreementError(AssertionError):
    """The kernel and the solvers, or the solvers among themselves, do not say the same."""


def compare(claim: Sequent, ask: Ask, search: Search = certify) -> tuple[bool, str]:
    """Whether the kernel accepts a proof of the claim, and the verdict of the solvers: true, false or unknown.

    Raises
    ------
    DisagreementError
        If what they say cannot all be true.
    """
    proved = is_proved(statement(claim), search)
    verdicts = [_verdict(claim, ask(text, SOLVER_SECONDS)) for text in questions(claim)]
    verdict = "false" if "false" in verdicts else "true" if set(verdicts) == {"true"} else "unknown"
    if proved and verdict == "false":
        raise DisagreementError(f"the kernel accepts a proof of {claim}, which a solver says is false")
    return proved, verdict


def is_proved(claim: kernel.Claim, search: Search) -> bool:
    try:
        rules.check(claim, search(claim, SEARCH_SECONDS))
    except (NotFoundError, Rejected):
        return False
    return True


def _verdict(claim: Sequent, answers: dict[str, Answer]) -> str:
    said = {answer.answer for answer in answers.values()}
    if {"sat", "unsat"} <= said:
        raise DisagreementError(f"the solvers disagree on {claim}")
    return "false" if "sat" in said else "true" if "unsat" in said else "unknown"


def small(generator: random.Random, top: int = 3) -> sp.Rational:
    return sp.Rational(generator.randint(-top, top), generator.choice((1, 1, 1, 2, 3)))


def linear(generator: random.Random, symbols: tuple[sp.Symbol, ...]) -> sp.Expr:
    return small(generator) + sum(small(generator, 2) * symbol for symbol in symbols)


def polynomial(generator: random.Random, symbols: tuple[sp.Symbol, ...], degree: int) -> sp.Expr:
    terms = [small(generator) * sp.prod(generator.choices(symbols, k=generator.randint(0, degree))) for _ in range(4)]
    return sp.Add(*terms)


def random_claim(generator: random.Random) -> Sequent:
    """A third are combinations of their hypotheses, a third are those a little off, and a third are anything."""
    symbols = VARIABLES[: generator.randint(1, 3)]
    known = [linear(generator, symbols) for _ in range(generator.randint(0, 3))]
    given = [generator.choice((sp.Ge, sp.Ge, sp.Gt))(h, 0, evaluate=False) for h in known if h.free_symbols]
    known = [relation.lhs for relation in given]
    kind = generator.choice(("true", "perturbed", "any"))
    if kind == "any":
        then = polynomial(generator, symbols, 3)
    else:
        then = sp.Integer(0)
        for _ in range(generator.randint(1, 3)):
            product = sp.prod(generator.choices(known, k=generator.randint(1, 2))) if known else sp.Integer(1)
            square = linear(generator, symbols) ** 2 if generator.random() < 0.4 else sp.Integer(1)
            then += abs(small(generator)) * generator.choice((product, square))
        if kind == "perturbed":
            then += (
                generator.choice((-1, 1))
                * sp.Rational(1, generator.choice((3, 10, 1000)))
                * generator.choice((1, *symbols))
            )
    then = sp.expand(then)
    if generator.random() < 0.15:
        below = generator.choice((1 + symbols[0] ** 2, *known, linear(generator, symbols)))
        then = then / below if below != 0 else then
    sign = generator.choice((sp.Ge, sp.Ge, sp.Ge, sp.Gt, sp.Le, sp.Eq if kind == "any" else sp.Ge, sp.Ne))
    return sequent(tuple(given), sign(then, 0, evaluate=False))


def run(seed: int, count: int, ask: Ask, search: Search = certify) -> Counter[tuple[bool, str]]:
    """Compare on random claims; what the kernel proves is also not refuted by points."""
    generator = random.Random(seed)
    seen: Counter[tuple[bool, str]] = Counter()
    for _ in range(count):
        claim = random_claim(generator)
        try:
            found = compare(claim, ask, search)
        except UndecidedError:
            continue
        seen[found] += 1
        if found[0]:
            for point in points(generator, statement(claim)):
                with pytest.raises(Rejected):
                    refute(statement(claim), point)
    return seen


def points(generator: random.Random, claim: kernel.Claim) -> Iterator[dict[str, Fraction]]:
    sides = [side for relation in (*claim.given, claim.then) for side in (relation.left, relation.right)]
    variables = sorted(set().union(*map(names, sides)))
    for _ in range(5):
        yield {name: Fraction(generator.randint(-6, 6), generator.choice((1, 1, 2, 3))) for name in variables}


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with Solvers() as solvers:
        yield solvers.ask


def check_mix(seen: Counter[tuple[bool, str]], count: int) -> None:
    """Enough claims of each kind were seen for the comparison to mean something."""
    assert seen.total() > 0.8 * count
    assert seen[True, "true"] > 0.1 * count
    assert seen[False, "false"] > 0.1 * count
    assert seen[True, "false"] == 0


@pytest.mark.slow
def test_the_kernel_and_the_solvers_do_not_disagree(ask: Ask) -> None:
    check_mix(run(1, 60, ask), 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 4))
def test_the_kernel_and_the_solvers_do_not_disagree_on_many_claims(seed: int, ask: Ask) -> None:
    check_mix(run(seed, 400, ask), 400)


x, y, z = VARIABLES
FALSE = [
    sequent((), x**2 > 0),
    sequent((x >= 0,), x > 0),
    sequent((x >= 0, y >= 0), x * y > 0),
    sequent((x >= 1,), x**2 >= 2),
    sequent((x >= 0,), x - y >= 0),
    sequent((), x**2 + y**2 - 2 * x * y >= sp.Rational(1, 1000)),
    sequent((x > 0,), 1 / x >= 1),
    sequent((x <= 1,), 1 / x <= 1),
    sequent((), sp.Ge(1 / x**2, 0, evaluate=False)),
    sequent((), sp.Eq(x, 0)),
]
TRUE = [
    sequent((), x**2 >= 0),
    sequent((x >= 1,), x**2 >= 1),
    sequent((x >= 0, y >= 0), x * y >= 0),
    sequent((), x**2 + y**2 >= 2 * x * y),
    sequent((x > 0,), 1 / x > 0),
    sequent((x >= 2,), sp.Ne(x, 0)),
]


@pytest.mark.few(3)
@pytest.mark.parametrize("claim", FALSE, ids=str)
def test_false_claims_are_not_proved_and_are_seen_by_the_solvers(claim: Sequent, ask: Ask) -> None:
    assert compare(claim, ask) == (False, "false")


@pytest.mark.parametrize("claim", TRUE, ids=str)
def test_true_claims_are_proved_by_all(claim: Sequent, ask: Ask) -> None:
    assert compare(claim, ask, lambda claim, _: certify(claim, 10)) == (True, "true")


def straight_to_the_kernel(sketch: Any, claim: kernel.Claim, _: float) -> Any:
    """The proof that is sketched, written without asking what is defined."""
    proof = attack(claim, sketch)
    if proof is None:
        raise NotFoundError("it is not written")
    return proof


def forged(*summands: tuple[str, list[int]]) -> Search:
    """A search that always answers with one combination, and does not ask what is defined."""
    parts = [[coefficient, facts, "1"] for coefficient, facts in summands]
    sketch = {"rule": "combination", "bounds": [], "summands": parts, "equations": []}
    return partial(straight_to_the_kernel, sketch)


NEGATIVE = forged(("1", []), ("-1", []))
EVERYTHING_ADDED = forged(("1", [0]), ("1", [1]))
INTERVAL: Search = partial(straight_to_the_kernel, DIRECT)


def ignore_requirements(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (rules, algebra, intervals, logic, motion, splits, substitution, evidence):
        monkeypatch.setattr(module, "require", lambda *_: None)


def ignore_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = algebra._summand

    def broken(facts: Any, data: Any) -> Any:
        value, strict = honest(facts, [data[0].removeprefix("-"), *data[1:]])
        return ({m: -c for m, c in value.items()} if data[0].startswith("-") else value), strict

    monkeypatch.setattr(algebra, "_summand", broken)


def ignore_strictness(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = algebra._summand
    monkeypatch.setattr(algebra, "_summand", lambda facts, data: (honest(facts, data)[0], True))


def ignore_undefined_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Evidence, "require_defined", lambda *_: None)


BROKEN = [
    (ignore_requirements, FALSE[3], NEGATIVE),
    (ignore_requirements, FALSE[4], INTERVAL),
    (ignore_signs, FALSE[3], NEGATIVE),
    (ignore_signs, FALSE[5], NEGATIVE),
    (ignore_strictness, FALSE[1], EVERYTHING_ADDED),
    (ignore_undefined_terms, FALSE[8], forged(("1", [0]), ("1", []))),
]


@pytest.mark.parametrize(
    ("damage", "claim", "search"), BROKEN, ids=[f"{row[0].__name__}, {row[1].then}" for row in BROKEN]
)
def test_a_broken_kernel_is_noticed(
    damage: Callable[[pytest.MonkeyPatch], None],
    claim: Sequent,
    search: Search,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compare(claim, ask, search) == (False, "false")
    damage(monkeypatch)
    with pytest.raises(DisagreementError, match="the kernel accepts"):
        compare(claim, ask, search)


def test_a_broken_kernel_is_noticed_on_random_claims(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    ignore_requirements(monkeypatch)
    with pytest.raises(DisagreementError, match="the kernel accepts"):
        run(1, 50, ask, INTERVAL)


def lying(ask: Ask, name: str, answer: str) -> Ask:
    return lambda text, seconds: ask(text, seconds) | {name: Answer(answer)}


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_solver_that_always_says_sat_is_noticed(name: str, ask: Ask) -> None:
    for claim in TRUE:
        with pytest.raises(DisagreementError):
            compare(claim, lying(ask, name, "sat"))


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_solver_that_always_says_unsat_is_noticed(name: str, ask: Ask) -> None:
    for claim in FALSE:
        with pytest.raises(DisagreementError, match="solvers disagree"):
            compare(claim, lying(ask, name, "unsat"))


def test_two_lying_solvers_are_noticed_by_the_kernel() -> None:
    def lies(*_: object) -> dict[str, Answer]:
        return {"z3": Answer("sat"), "cvc5": Answer("sat")}

    for claim in TRUE:
        with pytest.raises(DisagreementError, match="the kernel accepts"):
            compare(claim, lies, lambda claim, _: certify(claim, 10))


def test_silent_solvers_disagree_with_nobody() -> None:
    def silence(*_: object) -> dict[str, Answer]:
        return {"z3": Answer("unknown"), "cvc5": Answer("unknown")}

    assert {compare(claim, silence)[1] for claim in (*TRUE, *FALSE)} == {"unknown"}
