"""Witnesses: a failing claim turned into exact numbers that anyone can check, replayed before they are shown.

Each says what it refutes: the theorem's own bound, a condition of its proof, or a formula that was to be shown.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

import numpy as np
import sympy as sp

from gaptron.guesses.in_sympy import tau, u, written
from gaptron.numbers.evaluate import evaluate
from gaptron.obligations import NOWHERE, Obligation, Sequent
from gaptron.prove.advice import advice
from gaptron.prove.broken_bounds import NOT_PLAYED, broken_after, broken_bound
from gaptron.prove.broken_convexity import increasing, not_convex, not_convex_entropy
from gaptron.prove.broken_distributions import broken_distributions
from gaptron.prove.broken_rounds import broken_criteria, broken_decoders, broken_rounds
from gaptron.prove.counterexample import Candidate, any_value, counterexamples
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.forced import broken, drawn
from gaptron.prove.reasons import relation_text
from gaptron.rounds.exact import total
from gaptron.symbols import K
from gaptron.theory.items import Item
from gaptron.theory.refusals import TheoremError
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.outputs import Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

POINTS = 150
BROKEN = {
    "decoder/": broken_decoders,
    "criterion/": broken_criteria,
    "loss/convex": not_convex,
    "loss/nonincreasing": increasing,
}
REPLAYED = ("gap/", "decoder/", "loss/", "criterion", "entropy/convex")
POINTS_AFTER_KINK = 50
USUAL, MOST_CLASSES = 6, 12  # numbers of classes with which streams are played
NOT_COMPUTED = (*NOT_PLAYED, NotImplementedError, RecursionError)  # costs the stream, not the verdict


@dataclass(frozen=True)
class Refutation:
    """A witness against a theorem, and the point at which the claim behind it fails."""

    witness: Witness
    point: Candidate


def refute(item: Item, obligation: Obligation, claim: Sequent, hint: Candidate, deadline: float) -> Refutation | None:
    """The simplest refutation of an obligation found before the deadline, or None.

    ``hint`` is where a solver sees the claim fail.
    """
    found = _first_witness(item, obligation, claim, hint, deadline) if claim.refutes else None
    return None if found is None else replace(found, witness=refuting(item, found.witness))


def _first_witness(
    item: Item, obligation: Obligation, claim: Sequent, hint: Candidate, deadline: float
) -> Refutation | None:
    """A round at a kink that needs the left derivative only if none of the next points breaks the claim without it."""
    theorem = item if isinstance(item, Theorem) else None
    kink, later = None, 0
    for point in islice(counterexamples(claim, theorem, hint, deadline), POINTS):
        for witness in witnesses_at(item, obligation, claim, point):
            if "subgradient" not in witness:
                return Refutation(witness, point)
            kink = kink or Refutation(witness, point)
        later += kink is not None
        if later > POINTS_AFTER_KINK:
            break
    return kink


def witnesses_at(item: Item, obligation: Obligation, claim: Sequent, point: Candidate) -> Iterator[Witness]:
    """What breaks at or near a point where the claim fails, replayed."""
    own = () if isinstance(item, Lemma) else item.parameters
    values = {parameter: point.get(parameter, any_value(parameter)) for parameter in own}  # any, where it is not in it
    try:
        concrete = item.at(values) if not isinstance(item, Lemma) and values else item
    except TheoremError:  # as where a learning rate is 0: no round can be replayed, but the values can be shown
        concrete = None
    for witness in _replayed(concrete, obligation, claim, point):
        found = {"obligation": obligation.id, **witness}
        if values and "point" not in witness:
            shown = {parameter.name: str(value) for parameter, value in values.items()}
            found["parameters"] = shown | witness.get("parameters", {})
        yield found


def _replayed(item: Item | None, obligation: Obligation, claim: Sequent, point: Candidate) -> Iterable[Witness]:
    if isinstance(item, StructuredTheorem) and obligation.id.startswith("criterion"):
        return broken_distributions(item, obligation, claim, point)
    if isinstance(item, StructuredTheorem) and obligation.id == "entropy/convex":
        return not_convex_entropy(item, point)
    if isinstance(item, Theorem) and obligation.id.startswith("gap/"):
        return broken_rounds(item, obligation, point)
    if isinstance(item, Theorem):
        for start, broken_at in BROKEN.items():
            if obligation.id.startswith(start):
                return broken_at(item, point)
    if item is None and obligation.id.startswith(REPLAYED):
        return ()
    return (_values(claim, point),)


def _values(claim: Sequent, point: Candidate) -> Witness:
    """The point, and both sides of the relation that fails there."""
    witness: Witness = {"K": int(point[K])} if "K" in claim.names else {}
    then, shown = written(claim).then, {"T": point[tau] ** 2} if tau in point else {}
    shown |= {"X*D" if symbol == u else symbol.name: value for symbol, value in point.items() if symbol not in (K, tau)}
    witness["point"] = {name: str(value) for name, value in shown.items()}
    witness["fails"] = "a value is defined" if claim.then == NOWHERE else relation_text(then)
    witness["values"] = ["undefined"] if claim.then == NOWHERE else [_shown(side, point) for side in then.args]
    return witness


def _shown(side: sp.Expr, point: Candidate) -> str | list[str]:
    try:
        return exact(evaluate(side, point))
    except (ValueError, ZeroDivisionError):
        return "undefined"


def refuting(item: Item, witness: Witness) -> Witness:
    """The witness with ``refutes``, against a bound with ``breaks``: a stream, a comparator and both sides; ``advice``.

    A bound is broken by streams that were played, or by outputs drawn from a distribution that no algorithm
    withstands; the guarantees in Coq, of which convexity and decoders are a part, do not count.
    """
    breaks = None if isinstance(item, Lemma) or "mistakes" in witness else _breaks(item, witness)
    against = "bound" if breaks is not None or "mistakes" in witness else "condition"
    head = {"obligation": witness["obligation"], "refutes": "statement" if isinstance(item, Lemma) else against}
    mended = advice(item, witness)
    more = ({} if breaks is None else {"breaks": breaks}) | ({} if mended is None else {"advice": mended})
    return head | witness | more


def _breaks(item: Theorem | StructuredTheorem, witness: Witness) -> Witness | None:
    given = witness.get("point", {}) | witness.get("parameters", {})
    values = {own: Fraction(given.get(own.name, any_value(own))) for own in item.parameters}
    with suppress(TheoremError, *NOT_COMPUTED), np.errstate(all="ignore"):  # as at a rate of 0
        theorem = item.at(values) if values else item
        found = _forced(theorem, witness) if isinstance(theorem, StructuredTheorem) else _played(theorem, witness)
        own = {parameter.name: str(value) for parameter, value in values.items()}
        return None if found is None else found | {"parameters": own | found["parameters"]}
    return None


def _played(theorem: Theorem, witness: Witness) -> Witness | None:
    """A stream for the learner among those that are always tried, or those that begin at the witness."""
    n_classes = min(int(witness.get("K", 2)), USUAL)
    n_classes = n_classes if theorem.claims(n_classes) else theorem.first_class_count
    if n_classes > MOST_CLASSES:
        return None
    found = broken_bound(theorem, n_classes, not witness["obligation"].startswith("loss/"))
    if found is None and theorem.feedback == "full" and "gap" in witness and len(witness["scores"]) <= MOST_CLASSES:
        found = broken_after(theorem, list(map(Fraction, witness["scores"])), witness["label"])
    return None if found is None else found.document


def _forced(theorem: StructuredTheorem, witness: Witness) -> Witness | None:
    """Outputs drawn from the witness's distribution, if no algorithm has the bound on them."""
    if "distribution" not in witness:
        return None
    size = witness["K"] if "K" in witness else witness["size"]
    outputs = witness.get("outputs", theorem.outputs.vectors(size))
    pairs = [(_vector(y), Fraction(w)) for y, w in zip(outputs, witness["distribution"], strict=True) if w != "0"]
    distribution = OutputDistribution(size, *zip(*pairs, strict=True))
    scores = tuple(map(_vector, witness["scores"])) if theorem.update == "proximal" else None
    found = broken(theorem, distribution, scores)
    if found is None:
        return None
    cost, loss, regret = found.sides(theorem)
    return drawn(theorem, found.distribution, found.scores) | {
        "eps": str(found.eps),
        "T": found.rounds,
        "parameters": {},
        "cost": exact(cost),
        "allowed": exact(total((loss, regret))),
    }


def _vector(entries: Iterable[object]) -> Vector:
    return tuple(Fraction(str(entry)) for entry in entries)
