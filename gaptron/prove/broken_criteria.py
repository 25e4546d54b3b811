"""Streams that beat every algorithm: from scalars at which the criterion fails to a distribution, scores, eps and T."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from gaptron.numbers.evaluate import Number, UncertainError, evaluate
from gaptron.optimal.adversary import Adversary, adversary, criterion
from gaptron.prove.counterexample import Candidate, by_name
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K
from gaptron.theory.losses import Loss
from gaptron.theory.theorem import Theorem

MOST_LABELS = 12  # whose scores a witness lists one by one
Point = Mapping[sp.Symbol, Fraction]


def broken_criteria(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """The stream that the point describes, if every algorithm certainly breaks the claimed bound on it."""
    known = int(point.get(K, Fraction(theorem.first_class_count)))
    for n_classes in (known, *geometry_of(theorem.loss).class_counts(by_name(point))):
        if theorem.claims(n_classes):
            c = evaluate(theorem.regret, {K: Fraction(n_classes)})
            yield from streams(theorem.loss, c, point, n_classes)


def streams(loss: Loss, c: Number, point: Point, n_classes: int) -> Iterator[Witness]:
    """The witnesses that c is attained by no algorithm, at these scalars of the criterion."""
    for distribution, scores in geometry_of(loss).drawn(by_name(point), n_classes):
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


def _scores(found: Adversary, n_classes: int) -> Witness:
    """For each label; of many, of those that are drawn, and of the first one if all are alike."""
    rows = [[str(score) for score in row] for row in found.scores]
    if n_classes <= MOST_LABELS:
        return {"scores": rows}
    if found.alike:
        return {"scores": rows[0], "scores_of": "label 0; of another label with both entries exchanged"}
    drawn = [row for w, row in zip(found.distribution, rows, strict=True) if w]
    return {"scores": drawn, "scores_of": "the labels that are drawn, in their order"}
