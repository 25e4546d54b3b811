"""Streams that beat every algorithm: from scalars at which the criterion fails to a distribution, scores, eps and T."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from gaptron.guesses.in_sympy import alike, s, t, z_minus, z_plus
from gaptron.numbers.evaluate import Number, UncertainError, evaluate
from gaptron.obligations.all_scores import MOST_LISTED
from gaptron.optimal.adversary import Adversary, adversary, criterion
from gaptron.prove.counterexample import Candidate
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K, m, z
from gaptron.theory.losses import Loss
from gaptron.theory.theorem import Theorem

MOST_LABELS = 12  # whose scores a witness lists one by one
MANY_LABELS = (4, 16, 64, 256)  # where a few alike do not break it
FAR = (8, 16, 32, 64, 128)  # scores so far below the others have little probability
HALF = Fraction(1, 2)
LEVELS = (*map(Fraction, (0, -1, 1, -2, 2)), *(sign * Fraction(far) for far in FAR for sign in (-1, 1)))
Point = Mapping[sp.Symbol, Fraction]
Family = tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]


def broken_criteria(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """The stream that the point describes, if every algorithm certainly breaks the claimed bound on it."""
    known = int(point.get(K, Fraction(theorem.first_class_count)))
    many = MANY_LABELS if geometry_of(theorem.loss).of_all_scores and alike not in point else ()
    for n_classes in (known, *many):
        if theorem.claims(n_classes):
            c = evaluate(theorem.regret, {K: Fraction(n_classes)})
            yield from streams(theorem.loss, c, point, n_classes)


def streams(loss: Loss, c: Number, point: Point, n_classes: int) -> Iterator[Witness]:
    """The witnesses that c is attained by no algorithm, at these scalars of the criterion."""
    for distribution, scores in _families(loss, point, n_classes):
        try:
            found = adversary(loss, c, distribution, scores)
        except (UncertainError, ValueError, ZeroDivisionError):
            continue
        if found is not None:
            yield {
                "K": n_classes,
                "distribution": [str(w) for w in found.distribution],
                **_scores(found, n_classes),
                "left": str(1 - max(found.distribution)),
                "right": exact(criterion(loss, c, found.distribution, found.scores)),
                "eps": str(found.eps),
                "T": found.rounds,
                "mistakes": str(found.mistakes),
                "bound": exact(found.comparator(loss, c)),
            }


def _families(loss: Loss, point: Point, n_classes: int) -> Iterator[Family]:
    """Labels that are drawn alike, and for each the scores by which it is ahead."""
    geometry = geometry_of(loss)
    if geometry.one_vector:
        plus = point.get(z_plus, point.get(z, Fraction(0)))
        yield (HALF, HALF), ((plus,), (point.get(z_minus, -plus),))
    elif geometry.is_transcendental:
        for far in FAR if n_classes > 2 else (0,):
            yield _alike(2, point.get(m, Fraction(0)), (Fraction(-far),) * (n_classes - 2))
    elif geometry.of_all_scores:
        yield from _of_all_scores(point, n_classes)
    else:
        yield _alike(n_classes, point.get(m, Fraction(0)), ())


def _of_all_scores(point: Point, n_classes: int) -> Iterator[Family]:
    """The labels that are alike, and the others at a level where they cost little."""
    numbers = {int(point[alike])} if alike in point else {*range(2, min(n_classes, MOST_LISTED) + 1), n_classes}
    for n in sorted(numbers):
        for level in LEVELS if n < n_classes else (Fraction(0),):
            outside = (level,) * (n_classes - n)
            if m in point:
                yield _alike(n, point[m], outside)
            else:
                label = point.get(s, Fraction(0))
                yield _drawn(n, label, point.get(t, -label), outside)


def _alike(drawn: int, ahead: Fraction, outside: tuple[Fraction, ...]) -> Family:
    """The first labels uniform, each ``ahead`` of the other ones when it is drawn, with mean 0 over them."""
    behind = -ahead / drawn
    return _drawn(drawn, ahead + behind, behind, outside)


def _drawn(drawn: int, label: Fraction, rival: Fraction, outside: tuple[Fraction, ...]) -> Family:
    """The first labels uniform: when one is drawn its score is ``label``, that of the others of them ``rival``."""
    out = len(outside)
    rows = tuple(tuple(label if k == y else rival for k in range(drawn)) + outside for y in range(drawn))
    scores = rows + ((Fraction(0),) * drawn + outside,) * out
    return (Fraction(1, drawn),) * drawn + (Fraction(0),) * out, scores


def _scores(found: Adversary, n_classes: int) -> Witness:
    """For each label; of many, of those that are drawn, and of the first one if all are alike."""
    rows = [[str(score) for score in row] for row in found.scores]
    if n_classes <= MOST_LABELS:
        return {"scores": rows}
    if found.alike:
        return {"scores": rows[0], "scores_of": "label 0; of another label with both entries exchanged"}
    drawn = [row for w, row in zip(found.distribution, rows, strict=True) if w]
    return {"scores": drawn, "scores_of": "the labels that are drawn, in their order"}
