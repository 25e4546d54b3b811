"""What is asserted of a theorem: the prover's verdict, and its bound on streams, exactly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import HealthCheck, Phase, event, given, settings, target

from gaptron.bounds.comparators import bound_without_masks, strongest
from gaptron.bounds.exact_stream import ExactStream, exact_sides, written
from gaptron.bounds.sides import Game, Sides, breaks
from gaptron.numbers.evaluate import UncertainError
from gaptron.numbers.kinds import Number
from gaptron.reports.expected import is_as_expected, surprise
from gaptron.reports.witness import witness_line
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.documents import Document
from gaptron.system.frames import hiding
from gaptron.testing.strategies import streams
from gaptron.theory.theorem import Theorem

ROUNDING = 1e-9


@dataclass
class Power:
    """Of so many streams, on how many the bound is below T, and below T (K - 1)/K.

    On the first a learner that is always wrong breaks it, on the second one that guesses uniformly.

    Examples
    --------
    >>> from gaptron.testing import Power
    >>> print(Power(streams=100, always_wrong=80, guessing=40))
    of 100 streams an always-wrong learner would break the bound on 80, a uniform guesser on 40
    """

    streams: int = 0
    always_wrong: int = 0
    guessing: int = 0

    def see(self, game: Game, stream: ExactStream, U: Any = None) -> None:
        """Count a stream; the bound is that of ``U``, by default of the strongest comparator found."""
        bound, T, K = bound_without_masks(game, stream, U) + ROUNDING, stream.horizon, game.n_classes
        self.streams += 1
        self.always_wrong += bound < T
        self.guessing += bound < T * (K - 1) / K

    def add(self, other: "Power") -> None:
        """Count what another one has counted."""
        self.streams += other.streams
        self.always_wrong += other.always_wrong
        self.guessing += other.guessing

    def __str__(self) -> str:
        return (
            f"of {self.streams} streams an always-wrong learner would break the bound on {self.always_wrong}, "
            f"a uniform guesser on {self.guessing}"
        )


__tracebackhide__ = hiding(AssertionError)
PHASES = [phase for phase in Phase if phase is not Phase.explain]  # whose explanation is lines of ours


def assert_theorem(
    theorem: Theorem, *, prove: bool = True, examples: int = 100, seconds: float = CLAIM_SECONDS, **sizes: int
) -> Power:
    """Assert that a theorem is PROVED, and that no generated stream breaks its bound.

    Of one that expects another verdict (``expect="REFUTED"``) this verdict is asserted, and no stream is tried.
    Every stream is checked exactly: expected mistakes, in fractions or balls, against the strongest comparator that is
    found. A theorem with parameters of its own is tried at the ends and the middle of their ranges.

    Parameters
    ----------
    theorem : Theorem
        Full or bandit feedback, any loss.
    prove : bool
        Whether the prover must find the expected verdict; without, only streams are tried.
    examples : int >= 1
        How many streams are tried.
    seconds : float > 0
        The limit for each claim of the proof.
    **sizes
        ``max_classes``, ``max_features``, ``max_rounds`` as of ``streams``.

    Returns
    -------
    Power
        How many streams were tried, and on how many of them a bad learner would have broken the bound.

    Raises
    ------
    AssertionError
        With what the prover says, or with the stream, the comparator and both sides of the bound that it breaks.
    TypeError
        If ``theorem`` is not a Theorem.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> from gaptron.testing import assert_theorem
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> print(assert_theorem(mine, examples=10, max_rounds=1))
    of 10 streams an always-wrong learner would break the bound on 10, a uniform guesser on 0
    """
    if not isinstance(theorem, Theorem):
        raise TypeError(f"theorem = {theorem!r} is not a gaptron.Theorem")
    if prove:
        _assert_as_expected(theorem, seconds)
    power = Power()
    if theorem.expect != "PROVED":
        return power
    for instance in instances(theorem):
        _assert_on_streams(instance, examples, sizes, power)
    return power


def assert_bound(theorem: Theorem, stream: ExactStream, comparator: Any = None) -> Sides:
    """Both sides of the bound, exactly; AssertionError with the stream if it is broken.

    Parameters
    ----------
    comparator : (K, d) rational numbers, optional
        U; by default the strongest one that is found.

    Raises
    ------
    gaptron.numbers.evaluate.UncertainError
        If balls cannot settle a branch of a round.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> from gaptron.testing import Stream, assert_bound
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> assert_bound(mine, Stream.of(2, ["1 0", "0 1", "1 0"], [0, 1, 0])).mistakes
    Fraction(9, 8)
    """
    U = strongest(stream.game(theorem), stream) if comparator is None else comparator
    sides = exact_sides(theorem, stream, U)
    if breaks(sides):
        raise AssertionError(witness(theorem, stream, U, sides))
    return sides


def witness(theorem: Theorem, stream: ExactStream, U: Any, sides: Sides) -> str:
    """The stream that breaks a bound, written to be read, and to be run again."""
    lines = [f'the bound of "{theorem.name}" is broken on', f"  {stream!r}"]
    lines += [f"  round {t}: x = {written(x)}, label {y}" for t, (x, y) in enumerate(stream.played)]
    lines += [f"  U = {'; '.join(map(written, U))}"]
    lines += [f"  expected mistakes {sides.mistakes} > comparator loss {sides.comparator_loss} + regret {sides.regret}"]
    return "\n".join([*lines, f"  slack {sides.slack}"])


def instances(theorem: Theorem) -> Iterator[Theorem]:
    """The theorem itself, or at the ends and in the middle of the ranges of its parameters."""
    ranges = [_values(parameter.low, parameter.high) for parameter in theorem.parameters]
    for values in product(*ranges):
        yield theorem.at(dict(zip(theorem.parameters, values, strict=True))) if values else theorem


def _values(low: Number, high: Number) -> list[Number]:
    first = (0 if high is None else high - 1) if low is None else low
    last = first + 1 if high is None else high
    return sorted({first, (first + last) / 2, last})


def _assert_as_expected(theorem: Theorem, seconds: float) -> None:
    from gaptron.answers.verbs import check

    checked = check(theorem, seconds=seconds)
    row = checked.to_json()
    if not is_as_expected(row):
        said = surprise(row) or f"is {checked.verdict}"
        raise AssertionError("\n".join([f'"{theorem.name}" {said}', *_reasons(checked.obligations)]))


def _reasons(obligations: Sequence[Document]) -> Iterator[str]:
    for outcome in obligations:
        if outcome["verdict"] != "PROVED":
            said = outcome["reason"] if outcome["witness"] is None else witness_line(outcome["witness"])
            yield f"  {outcome['id']}: {outcome['verdict']}: {said}"


def _assert_on_streams(theorem: Theorem, examples: int, sizes: Document, power: Power) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=PHASES)
    @given(streams(theorem, **sizes))
    def holds(stream: ExactStream) -> None:
        game = stream.game(theorem)
        U = strongest(game, stream)
        power.see(game, stream, U)
        try:
            sides = assert_bound(theorem, stream, U)
        except UncertainError:
            event("left open by balls")
        else:
            target(-float(sides.slack), label="exact slack")

    try:
        holds()
    except AssertionError as error:
        raise error.with_traceback(None) from None  # Hypothesis's frames look like lines of this file
