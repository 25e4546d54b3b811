"""Streams that break a theorem's own bound: its learner is played, and both sides are exact.

A refuted gap need not break a bound: what one round costs too much, the rounds that lead there may have saved. So some
streams are tried, always the same: x_t = a e_0 + b e_t, the label fixed or the one that the learner believes in least,
of several lengths, each against the strongest comparator that is found. Exact numbers decide what doubles propose.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, product
from typing import Any, NamedTuple

from gaptron.bounds import Game, Sides, breaks
from gaptron.bounds.comparators import strongest
from gaptron.bounds.exact_stream import ExactStream, Matrix, Vector, abstaining_sides, exact_sides
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds.exact import total
from gaptron.symbols import K
from gaptron.theory.theorem import Theorem

LENGTHS = (1, 2, 4, 8, 12)
BANDIT_LENGTHS, RADII = (1, 2, 4, 8), (Fraction(1), Fraction(4), Fraction(1, 4))
LEADING = 4  # rounds that give a label a lead, before the others are against it
DENOMINATORS = (12, 120, 2**20)  # of comparators
FINE = 2**10  # denominator of a
CLOSE = -1e-9  # in doubles, where exact numbers decide
ALONE, BESIDE, APART = ((Fraction(a, c), Fraction(b, c)) for a, b, c in ((1, 0, 1), (4, 3, 5), (5, 12, 13)))  # a and b
LONGEST = 2**16  # bits of a weight
NOT_PLAYED = (ValueError, ArithmeticError, TypeError)  # a rate or prediction that is none, no value, an open branch

Round = tuple[tuple[Fraction, Fraction], int | None]  # a and b, and the label; None: the one believed in least


class PlayedRound(NamedTuple):
    """Features, label, and the sum of the surrogate gaps so far."""

    x: Vector
    label: int
    gaps: float


@dataclass(frozen=True)
class BrokenBound:
    """A stream and a comparator with both sides of the bound, which they certainly break."""

    stream: ExactStream
    comparator: Matrix
    sides: Sides

    @property
    def document(self) -> Witness:
        """JSON-ready; X = 1, and of equal rounds how many there are."""
        stream = self.stream
        return {
            "K": stream.n_classes,
            "parameters": {} if stream.radius is None else {"D": str(stream.radius), "T": str(stream.horizon)},
            "stream": [{"x": list(map(str, x)), "label": y, "rounds": count} for x, y, count in stream.blocks],
            "comparator": [list(map(str, row)) for row in self.comparator],
            "cost": exact(self.sides.mistakes),
            "allowed": exact(total((self.sides.comparator_loss, self.sides.regret))),
        }


@lru_cache(maxsize=64)
def broken_bound(theorem: Theorem, n_classes: int, convex: bool) -> BrokenBound | None:
    """The first stream that breaks the bound with so many classes; every obligation that fails asks for it.

    ``convex`` leaves out streams on which no comparator can break the bound of a convex loss.
    """
    if theorem.feedback == "bandit":
        again = product(BANDIT_LENGTHS, RADII)  # one round, repeated, and some D
        label, x = n_classes - 1, (Fraction(1),)
        return _first_broken(theorem, (ExactStream(n_classes, (x,), (label,), D, counts=(n,)) for n, D in again))
    last, most = n_classes - 1, LENGTHS[-1]
    plays: list[list[Round]] = [
        [(ALONE, last)] * most,
        [(ALONE, None)] * most,
        [(BESIDE, last)] * most,
        [(BESIDE, None)] * most,
        [(ALONE, 0)] * LEADING + [(APART, None)] * (most - LEADING),
    ]
    found = [_played(theorem, n_classes, play) for play in plays]
    return _first_broken(theorem, _begun(theorem, n_classes, [(play, n) for n in LENGTHS for play in found], convex))


def broken_after(theorem: Theorem, scores: list[Fraction], label: int) -> BrokenBound | None:
    """The first stream that breaks the bound by rounds at these scores' top margin, once the learner is led there.

    It is given a lead at e_0, just enough or more, and meets the margin at a e_0 + b e_t. Full information only.
    """
    n_classes, top = len(scores), scores.index(max(scores))
    margin = scores[top] - max(score for k, score in enumerate(scores) if k != top)
    leads = list(_leads(theorem, n_classes, top))
    enough = [n for n, lead in enumerate(leads, start=1) if 0 < margin <= lead < math.inf]
    begun = []
    for n in sorted({*enough[:1], *enough[-1:]}):
        meeting: list[Round] = [(_meeting(margin / Fraction(leads[n - 1])), label)] * LENGTHS[-1]
        play = _played(theorem, n_classes, [*[(ALONE, top)] * n, *meeting])
        begun += [(play, n + more) for more in LENGTHS]
    return _first_broken(theorem, _begun(theorem, n_classes, begun, True))


def _leads(theorem: Theorem, n_classes: int, top: int) -> Iterator[float]:
    """The margins of a label that is true again and again at one point, in doubles."""
    with suppress(*NOT_PLAYED):
        learner: Any = ExactStream(n_classes, (), ()).game(theorem).learner(1, exact=False)
        for _ in range(LENGTHS[-1]):
            learner.update([1.0], top)
            scores = learner._scores(learner._features([1.0])).tolist()
            yield float(scores.pop(top) - max(scores))


def _meeting(part: Fraction) -> tuple[Fraction, Fraction]:
    """The a and b of a round with this part of a lead."""
    a = min(Fraction(1), Fraction(math.ceil(FINE * part), FINE))
    return a, Fraction(math.isqrt(int((1 - a * a) * FINE**4)), FINE**2)


def _played(theorem: Theorem, n_classes: int, play: Sequence[Round]) -> list[PlayedRound]:
    """The rounds, as far as the learner, in doubles, predicts and learns."""
    found: list[PlayedRound] = []
    with suppress(*NOT_PLAYED):
        learner: Any = ExactStream(n_classes, (), ()).game(theorem).learner(1 + len(play), exact=False)
        gaps, price = 0.0, _price(theorem, n_classes)
        for t, ((a, b), label) in enumerate(play, start=1):
            x = tuple(a if j == 0 else b if j == t else Fraction(0) for j in range(1 + len(play)))
            row, before = [float(v) for v in x], learner.W.copy()
            chances = learner.predict_proba(row).tolist()
            y = min(range(n_classes), key=lambda k: (chances[k], -k)) if label is None else label
            gaps += 1 - chances[y] - learner.loss(row, y)
            gaps += price * learner.surrogate.gap(learner._scores(learner._features(row))) if price else 0.0
            learner.update(row, y)
            gaps += float(((learner.W - before) ** 2).sum()) / (2 * learner.learning_rate)
            found.append(PlayedRound(x, y, gaps))
    return found


def _begun(
    theorem: Theorem, n_classes: int, begun: Sequence[tuple[list[PlayedRound], int]], convex: bool
) -> Iterator[ExactStream]:
    """The first so many rounds of each, once.

    By Lemma 1 the cost is at most loss(U) + ||U||^2/(2 eta) + the sum of the gaps, if the loss is convex.
    """
    game = ExactStream(n_classes, (), ()).game(theorem)
    seen = set[ExactStream]()
    for play, n in begun:
        if len(play) >= n and (not convex or not _is_lemma_one(theorem, game) or play[n - 1].gaps > CLOSE):
            stream = _stream(n_classes, play[:n])
            if stream not in seen:
                seen.add(stream)
                yield stream


def _is_lemma_one(theorem: Theorem, game: Game) -> bool:
    """Whether the bound is that of Lemma 1, or larger: gradient steps, and at least ||U||^2/(2 eta)."""
    return theorem.update == "gradient" and 2 * float(game.learning_rate) * float(game.regret([[1]])) > 1 + CLOSE


def _price(theorem: Theorem, n_classes: int) -> float:
    """What abstaining costs more than a guess."""
    c = theorem.abstention_cost
    return 0.0 if c is None else float(c.subs(K, n_classes)) - 1 + 1 / n_classes


def _stream(n_classes: int, play: list[PlayedRound]) -> ExactStream:
    """Equal rounds in blocks; without the coordinates that all features lack."""
    used = [j for j, column in enumerate(zip(*(round_.x for round_ in play), strict=True)) if any(column)]
    blocks = [(pair, len([*more])) for pair, more in groupby((tuple(r.x[j] for j in used), r.label) for r in play)]
    rounds, labels = zip(*(pair for pair, _ in blocks), strict=True)
    return ExactStream(n_classes, rounds, labels, counts=tuple(count for _, count in blocks))


def _first_broken(theorem: Theorem, streams: Iterator[ExactStream]) -> BrokenBound | None:
    """The first of the streams that breaks the bound, with the simplest comparator."""
    for stream in streams:
        with suppress(*NOT_PLAYED):
            found = _broken(theorem, stream)
            if found is not None:
                return found
    return None


def _broken(theorem: Theorem, stream: ExactStream) -> BrokenBound | None:
    game = stream.game(theorem)
    U = strongest(game, stream)
    in_doubles = game.sides_of_blocks(stream.blocks, U, arithmetic="float")
    if not abstaining_sides(theorem, stream, in_doubles, exact=False).slack < CLOSE or not _predicts(game, stream):
        return None
    for denominator in DENOMINATORS:
        rounded = tuple(tuple(v.limit_denominator(denominator) for v in row) for row in U)
        with suppress(*NOT_PLAYED):  # a comparator out of its ball
            sides = exact_sides(theorem, stream, rounded)
            if breaks(sides):
                return BrokenBound(stream, rounded, sides)
    return None


def _predicts(game: Game, stream: ExactStream) -> bool:
    """Whether the learner predicts in every round, its gap map in [0, 1] there, and its weights stay short.

    With bandit feedback the stream repeats a round, so that correct predictions lead through all its states.
    """
    learner: Any = game.learner(stream.n_features)
    for x, label in stream.played:
        share = learner.surrogate.gap(learner._scores(learner._features(x)))
        if share < 0 or share > 1:
            return False
        learner.update(x, label, *([True] if game.bandit else []))
        if any(isinstance(w, Fraction) and w.denominator.bit_length() > LONGEST for w in learner.W.flat):
            return False
    return True
