"""What a witness refutes: the theorem's own bound, a condition of its proof, or a formula that was to be shown."""

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction

import numpy as np

from gaptron.prove.advice import advice
from gaptron.prove.broken_bounds import NOT_PLAYED, broken_after, broken_bound
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.forced import StructuredAdversary, broken
from gaptron.rounds.exact import total
from gaptron.symbols import Parameter
from gaptron.theory.items import Item
from gaptron.theory.refusals import TheoremError
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.outputs import Classes, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

USUAL, MOST_CLASSES = 6, 12  # numbers of classes with which streams are played
NOT_COMPUTED = (*NOT_PLAYED, NotImplementedError, RecursionError)  # costs the stream, not the verdict


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


def any_value(parameter: Parameter) -> Fraction:
    """A value in its range, inside it if it can be: at an end a theorem may say nothing."""
    ends = [Fraction(int(end.p), int(end.q)) for end in (parameter.low, parameter.high) if end is not None]
    return sum(ends, Fraction(0)) / max(len(ends), 1)


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
    drawn = [(_vector(y), Fraction(w)) for y, w in zip(outputs, witness["distribution"], strict=True) if w != "0"]
    distribution = OutputDistribution(size, *zip(*drawn, strict=True))
    scores = tuple(map(_vector, witness["scores"])) if theorem.update == "proximal" else None
    found = broken(theorem, distribution, scores)
    return None if found is None else _described(theorem, found)


def _described(theorem: StructuredTheorem, found: StructuredAdversary) -> Witness:
    cost, loss, regret = found.sides(theorem)
    return {
        "K" if isinstance(theorem.outputs, Classes) else "size": found.distribution.size,
        "outputs": [list(map(str, y)) for y in found.distribution.outputs],
        "distribution": list(map(str, found.distribution.weights)),
        "scores": [list(map(str, row)) for row in found.scores],
        "eps": str(found.eps),
        "T": found.rounds,
        "parameters": {},
        "cost": exact(cost),
        "allowed": exact(total((loss, regret))),
    }


def _vector(entries: Iterable[object]) -> Vector:
    return tuple(Fraction(str(entry)) for entry in entries)
