"""What depends on the kind of a loss: how many weight vectors it has, its scalars and their domain, scores for them.

Whoever needs one of these asks ``geometry_of(loss)``, and names no kind of loss. Scores for scalars are not trusted:
who asks for them evaluates the loss there. Scalars go by name, as the obligations write them: m, or p, of the label of
a right round; s, or p, of the top label of a wrong one and -t, or q, of its own label.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import numpy as np

from gaptron.language.theorems import StatedLoss
from gaptron.numbers.evaluate import ball
from gaptron.numbers.kinds import Number
from gaptron.rounds.layouts import Array

EDGE = 1e-4  # how close probabilities come to 0 and 1 where they are shown
NO_PROBABILITY = 1e-12
SCORE_DENOMINATORS = (1, 2, 4, 16, 256, 2**12, 2**20, 2**40)  # dyadic, so that balls hold the scores exactly
NUDGES = (Fraction(0), Fraction(1, 64), Fraction(1, 2**12), Fraction(1, 2**20))
LOW, LOWEST = Fraction(-30), Fraction(-60)  # scores so far below the others have next to no probability
FAR = (8, 16, 32, 64, 128)  # below labels that are drawn
MOST_EQUAL = 8  # labels of equal probability
MOST_ALIKE = 12  # labels of all scores that are tried one number at a time
MANY_LABELS = (4, 16, 64, 256)  # where a few alike do not break a criterion
ZERO, HALF = Fraction(0), Fraction(1, 2)
LEVELS = (*map(Fraction, (0, -1, 1, -2, 2)), *(sign * Fraction(far) for far in FAR for sign in (-1, 1)))

Levels: TypeAlias = tuple[Array, Array, Array]
Point: TypeAlias = Mapping[str, Fraction]
Scores: TypeAlias = list[Fraction]
Round: TypeAlias = tuple[Scores, int]  # and the label
Family: TypeAlias = tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]  # chances of labels, scores for each


@dataclass(frozen=True)
class Geometry:
    """Of losses of the margin; W has a row for each label.

    Attributes
    ----------
    scalar, top_scalar : str
        What the loss, and what the gap map, is a function of, in words.
    variable : "m" or "p"
        What the gap map is written in.
    highest : number
        Up to where the top scalar goes.
    one_vector : bool
        Whether there is one weight vector for two classes, instead of K.
    is_transcendental : bool
        Whether no round is rational.
    takes_threshold : bool
        Whether right rounds may be off above a top margin.
    is_one_scalar : bool
        Whether what happens to the label on top depends on the top scalar alone, and falls where loss and map do.
    """

    scalar: str = "margin m of the true label"
    top_scalar: str = "top margin m*"
    variable: str = "m"
    highest: Number = math.inf
    one_vector: bool = False
    is_transcendental: bool = False
    takes_threshold: bool = False
    is_one_scalar: bool = True

    def rows(self, n_classes: int) -> int:
        """Of W."""
        return 1 if self.one_vector else n_classes

    def least_top(self, n_classes: int) -> float:
        """The top scalar of scores that are all equal."""
        return 0.0

    def shown(self, margins: tuple[float, float]) -> tuple[float, float]:
        """From where to where the scalar is drawn."""
        return margins

    def ahead(self, lead: Array, n_classes: int) -> Array:
        """The scalar of a label whose score is so far ahead of all others."""
        return lead

    def levels(self, at: Array, share: Array, rest: int) -> Levels:
        """Scores at which the scalar of a label is ``at``: its own, the largest rival's, those of the ``rest``.

        The share says how far the labels that are left are below the rival: 0 for as high as it.
        """
        return at, np.zeros_like(at), share * np.minimum(at, 0)

    @property
    def labels(self) -> range:
        """Those that stand for all."""
        return range(2 if self.one_vector else 1)

    def rounds(self, point: Point, is_wrong: bool, label: int | None = None) -> Iterator[Round]:
        """Rounds with these scalars; ``label`` is +1 or -1 where there is one weight vector."""
        if is_wrong:
            yield _wrong(point.get("s", point["t"]), point["t"], int(point["K"]) if "s" in point else 2)
        else:
            yield _right(point["m"], int(point["K"]))

    def rounds_at_top(self, point: Point, n_classes: int) -> Iterator[tuple[str, Round]]:
        """Right and wrong rounds with the same top scalar."""
        lead, behind = point["s"], point.get("t", point["s"])
        if 0 <= lead <= behind:
            yield "right", _right(lead, n_classes)
            yield "wrong", _wrong(lead, behind, n_classes)

    def all_labels(self, point: Point, n_classes: int) -> Iterator[Scores]:
        """Scores of which every label counts: the margins are s, -s and, of all others, -t."""
        lead = point.get("s", ZERO)
        yield [lead, ZERO, *[lead - point.get("t", lead)] * (n_classes - 2)]

    def class_counts(self, point: Point) -> tuple[int, ...]:
        """Numbers of classes that may break a criterion where that of the point does not."""
        return ()

    def drawn(self, point: Point, n_classes: int) -> Iterator[Family]:
        """Chances of the labels and, for each label, by how much every score is ahead when it is drawn."""
        yield _alike(n_classes, point.get("m", ZERO), ())


def _right(lead: Fraction, n_classes: int) -> Round:
    return [lead, *[ZERO] * (n_classes - 1)], 0


def _wrong(lead: Fraction, behind: Fraction, n_classes: int) -> Round:
    return [behind, ZERO, *[behind - lead] * (n_classes - 2)], 1


def _alike(count: int, ahead: Fraction, outside: Sequence[Fraction]) -> Family:
    """The first labels uniform, each ``ahead`` of the other ones when it is drawn, with mean 0 over them."""
    behind = -ahead / count
    return _uniform(count, ahead + behind, behind, outside)


def _uniform(count: int, label: Fraction, rival: Fraction, outside: Sequence[Fraction]) -> Family:
    """The first labels uniform: when one is drawn its score is ``label``, that of the others of them ``rival``."""
    out = len(outside)
    rows = tuple((*(label if k == y else rival for k in range(count)), *outside) for y in range(count))
    scores = rows + ((*[ZERO] * count, *outside),) * out
    return (Fraction(1, count),) * count + (ZERO,) * out, scores


@dataclass(frozen=True)
class OneVectorGeometry(Geometry):
    """Of losses of one weight vector: the scores are (z, 0)."""

    scalar: str = "z"
    top_scalar: str = "|z|"
    one_vector: bool = True
    is_one_scalar: bool = False

    def rounds(self, point: Point, is_wrong: bool, label: int | None = None) -> Iterator[Round]:
        """See ``Geometry.rounds``; the scalar is z."""
        yield [point["z"], ZERO], int(label == -1)

    def rounds_at_top(self, point: Point, n_classes: int) -> Iterator[tuple[str, Round]]:
        """See ``Geometry.rounds_at_top``."""
        lead = point["s"]
        if lead >= 0:
            for z, label in product((lead, -lead), (0, 1)):
                yield "right" if label == int(z < 0) else "wrong", ([z, ZERO], label)

    def all_labels(self, point: Point, n_classes: int) -> Iterator[Scores]:
        """See ``Geometry.all_labels``."""
        lead = point.get("s", ZERO)
        yield from ([lead, ZERO], [-lead, ZERO])

    def drawn(self, point: Point, n_classes: int) -> Iterator[Family]:
        """A fair coin: z_plus and z_minus, or z and -z."""
        plus = point.get("z_plus", point.get("z", ZERO))
        yield (HALF, HALF), ((plus,), (point.get("z_minus", -plus),))


@dataclass(frozen=True)
class AllScoresGeometry(Geometry):
    """Of losses of every label's score: s, or m, is that of the label, t those of the others."""

    is_one_scalar: bool = False

    def rounds(self, point: Point, is_wrong: bool, label: int | None = None) -> Iterator[Round]:
        """See ``Geometry.rounds``."""
        own, rival, n_classes = point.get("s", point.get("m", ZERO)), point.get("t", ZERO), int(point["K"])
        others = [rival] * (n_classes - 2)
        yield ([rival, own, *others], 1) if is_wrong else ([own, rival, *others], 0)

    def rounds_at_top(self, point: Point, n_classes: int) -> Iterator[tuple[str, Round]]:
        """None: top margins do not decide."""
        yield from ()

    def all_labels(self, point: Point, n_classes: int) -> Iterator[Scores]:
        """See ``Geometry.all_labels``."""
        yield [point.get("s", ZERO)] * n_classes

    def class_counts(self, point: Point) -> tuple[int, ...]:
        """See ``Geometry.class_counts``; none if the point says how many labels are alike."""
        return () if "n" in point else MANY_LABELS

    def drawn(self, point: Point, n_classes: int) -> Iterator[Family]:
        """Some labels that are alike, and the others at a level where they cost little."""
        numbers = {int(point["n"])} if "n" in point else {*range(2, min(n_classes, MOST_ALIKE) + 1), n_classes}
        for n in sorted(numbers):
            for level in LEVELS if n < n_classes else (ZERO,):
                outside = (level,) * (n_classes - n)
                label = point.get("s", ZERO)
                yield (
                    _alike(n, point["m"], outside) if "m" in point
                    else _uniform(n, label, point.get("t", -label), outside)
                )  # fmt: skip


@dataclass(frozen=True)
class SoftmaxGeometry(Geometry):
    """Of losses of a softmax probability."""

    scalar: str = "probability p of the true label"
    top_scalar: str = "top probability p*"
    variable: str = "p"
    highest: Number = Fraction(1)
    is_transcendental: bool = True

    def least_top(self, n_classes: int) -> float:
        """The top probability of scores that are all equal."""
        return 1 / n_classes

    def shown(self, margins: tuple[float, float]) -> tuple[float, float]:
        """Nearly all probabilities."""
        return EDGE, 1 - EDGE

    def ahead(self, lead: Array, n_classes: int) -> Array:
        """See ``Geometry.ahead``."""
        return 1 / (1 + (n_classes - 1) * np.exp(-lead))

    def levels(self, at: Array, share: Array, rest: int) -> Levels:
        """See ``Geometry.levels``."""
        rival = (1 - at) / (1 + rest * (1 - share))
        return np.log(at), np.log(rival), np.log(np.maximum((1 - share) * rival, NO_PROBABILITY))

    def rounds(self, point: Point, is_wrong: bool, label: int | None = None) -> Iterator[Round]:
        """Rational scores whose probabilities come close to the point's, the others as unequal as they may be."""
        if is_wrong:
            true = point["q"]
            top = point.get("p", 1 - true)
            n_classes = int(point["K"]) if "p" in point else 2
            masses = [top, true, *_spread(1 - top - true, top, n_classes - 2)]
        else:
            masses = [point["p"], *_spread(1 - point["p"], point["p"], int(point["K"]) - 1)]
        logs = [ball(mass).log() if mass > 0 else None for mass in masses]
        for denominator, nudge in product(SCORE_DENOMINATORS, NUDGES):
            scores = [LOW if log is None else Fraction(float(log)).limit_denominator(denominator) for log in logs]
            least = min(scores)
            yield [score - least + (nudge if k == 0 else 0) for k, score in enumerate(scores)], int(is_wrong)

    def rounds_at_top(self, point: Point, n_classes: int) -> Iterator[tuple[str, Round]]:
        """See ``Geometry.rounds_at_top``."""
        for scores in _near(point, n_classes):
            yield from (("right", (scores, 0)), ("wrong", (scores, 1)))

    def all_labels(self, point: Point, n_classes: int) -> Iterator[Scores]:
        """Scores with these probabilities, and so many equal labels."""
        yield from _near(point, n_classes)
        for count in range(2, min(n_classes, MOST_EQUAL) + 1):
            yield [ZERO] * count + [LOWEST] * (n_classes - count)

    def drawn(self, point: Point, n_classes: int) -> Iterator[Family]:
        """Two labels, the others far below."""
        for far in FAR if n_classes > 2 else (0,):
            yield _alike(2, point.get("m", ZERO), (Fraction(-far),) * (n_classes - 2))


def _spread(mass: Fraction, most: Fraction, count: int) -> list[Fraction]:
    """``mass`` over ``count`` labels, as many as possible at ``most``."""
    shares = []
    for _ in range(count):
        share = min(mass, most)
        shares.append(share)
        mass -= share
    return shares


def _near(point: Point, n_classes: int) -> Iterator[Scores]:
    """Rational scores whose first two probabilities are close to p and q (1 - p without one), the third the rest."""
    second = point.get("q", 1 - point["p"] if "p" in point else ZERO)
    first = point.get("p", 1 - second)
    rest = 1 - first - second
    if 0 < second < 1 and 0 < first < 1:
        third = _log(rest / second) if rest > 0 else LOWEST
        yield [_log(first / second), ZERO, *[third] * min(1, n_classes - 2), *[LOWEST] * (n_classes - 3)]


def _log(ratio: Fraction) -> Fraction:
    """A dyadic number near the logarithm; 0 for 1."""
    finest = SCORE_DENOMINATORS[-1]
    return Fraction(round(math.log(ratio) * finest), finest)


GEOMETRIES = {
    "MarginLoss": Geometry(takes_threshold=True),
    "SoftmaxLoss": SoftmaxGeometry(),
    "BinaryLoss": OneVectorGeometry(),
    "PairwiseLoss": AllScoresGeometry(),
    "SeparableLoss": AllScoresGeometry(),
}


def geometry_of(loss: StatedLoss) -> Geometry:
    """Of this kind of loss."""
    return GEOMETRIES[loss.data.kind]
