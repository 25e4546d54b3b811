"""What is asserted of a theorem: the prover's verdict, and its bound on streams, exactly."""

import os
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from typing import Any
from warnings import warn

from hypothesis import HealthCheck, currently_in_test_context, event, given, settings, target

from gaptron.bounds.comparators import strongest
from gaptron.bounds.sides import Game, Sides, breaks
from gaptron.bounds.stream import ExactStream, is_rational, written
from gaptron.ledger.witness import witness_line
from gaptron.numbers.evaluate import UncertainError
from gaptron.numbers.kinds import IrrationalError, Number
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.testing.abstaining import abstaining_sides
from gaptron.testing.strategies import streams
from gaptron.theory.theorem import Theorem
from gaptron.theory.verdict import Verdict


def assert_theorem(
    theorem: Theorem, *, prove: bool = True, examples: int = 100, seconds: float = CLAIM_SECONDS, **sizes: int
) -> None:
    """Assert that a theorem is PROVED, and that no generated stream breaks its bound.

    Every stream is checked exactly: expected mistakes, in fractions or balls, against the strongest comparator that
    is found. A theorem with parameters of its own is tried at the ends and the middle of their ranges.

    Parameters
    ----------
    theorem : Theorem
        Full or bandit feedback, any loss.
    prove : bool
        Whether the prover must find it PROVED; without, only streams are tried.
    examples : int >= 1
        How many streams are tried.
    seconds : float > 0
        The limit for each claim of the proof.
    **sizes
        ``max_classes``, ``max_features``, ``max_rounds`` as of ``streams``.

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
    >>> assert_theorem(mine, examples=5, max_rounds=2)
    """
    if not isinstance(theorem, Theorem):
        raise TypeError(f"theorem = {theorem!r} is not a gaptron.Theorem")
    if prove:
        _assert_proved(theorem, seconds)
    for instance in instances(theorem):
        _assert_on_streams(instance, examples, sizes)


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


def exact_sides(theorem: Theorem, stream: ExactStream, U: Any) -> Sides:
    """Both sides in fractions if the parameters and all projections are rational, else in balls."""
    game = stream.game(theorem)
    sides = _in_fractions(game, stream, U) if is_rational(game) else None
    if sides is None:
        sides = game.sides_of_blocks(stream.blocks, U, arithmetic="ball")
    return abstaining_sides(theorem, stream, sides)


def _in_fractions(game: Game, stream: ExactStream, U: Any) -> Sides | None:
    """None if a projection needs a root."""
    try:
        return game.sides_of_blocks(stream.blocks, U)
    except IrrationalError:
        return None


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


def _assert_proved(theorem: Theorem, seconds: float) -> None:
    from gaptron.checking.cache import Cache, default_path
    from gaptron.checking.check import check

    with closing(Cache(default_path(), lambda message: warn(message, stacklevel=2))) as kept:
        (checked,) = check([theorem], seconds, os.cpu_count() or 1, cache=kept)
    if checked.verdict is not Verdict.PROVED:
        raise AssertionError("\n".join([f'"{theorem.name}" is {checked.verdict.value}', *_reasons(checked)]))


def _reasons(checked: Any) -> Iterator[str]:
    for obligation, outcome in zip(checked.obligations, checked.outcomes, strict=True):
        if outcome.verdict is not Verdict.PROVED:
            said = outcome.reason if outcome.witness is None else witness_line(outcome.witness)
            yield f"  {obligation.id}: {outcome.verdict.value}: {said}"


def _assert_on_streams(theorem: Theorem, examples: int, sizes: dict[str, int]) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(streams(theorem, **sizes))
    def holds(stream: ExactStream) -> None:
        aimed_check(theorem, stream)

    holds()


def aimed_check(theorem: Theorem, stream: ExactStream) -> Sides | None:
    """``assert_bound`` for a property: Hypothesis is told the slack, to look for less; None if balls leave it open."""
    try:
        sides = assert_bound(theorem, stream)
    except UncertainError:
        if currently_in_test_context():
            event("left open by balls")
        return None
    if currently_in_test_context():
        target(-float(sides.slack), label="exact slack")
    return sides
