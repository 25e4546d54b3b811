"""What is drawn of a structured theorem: its criterion H_L <= alpha (s J - kappa Var), on the way between outputs.

The true output is one of those that the tightest distribution is on: the first one but for a probability q, and in that
case one of the others, as likely among themselves as there. At q = 0 both sides are 0.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

import numpy as np

from gaptron.numbers.evaluate import enclosure
from gaptron.plots.panels import ABOVE, CRITERION, Panel, Plot, chosen
from gaptron.prove.broken_distributions import broken_at, critical, sides
from gaptron.prove.exact_text import Witness
from gaptron.system.digits import apart
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.outputs import Classes, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

STEPS = 40
MOST_OUTPUTS = 5000
X_LABEL = "probability q that it is not the first output"


def plotted_structured(theorem: StructuredTheorem, sizes: Sequence[int]) -> Plot:
    """The theorem for those sizes that it claims; for its only one, whatever is asked.

    Raises
    ------
    ValueError
        If it claims none of them, has no learning rate, or too many outputs of each size.
    """
    asked = [theorem.first_size] if theorem.first_size == theorem.last_size else sizes
    claimed = [size for size in asked if theorem.claims(size)]
    few = [size for size in claimed if theorem.outputs.count(size) <= MOST_OUTPUTS]
    concrete, notes = chosen(theorem)
    if not claimed:
        raise ValueError(f"{theorem.name!r} is claimed for none of these sizes")
    if concrete.data.step is None:
        raise ValueError(
            f"{theorem.name!r}: nothing is drawn without a learning rate; gaptron sharpen finds the largest"
        )
    if not few:
        raise ValueError(f"{theorem.name!r}: {theorem.outputs.count(claimed[0])} outputs are too many to be drawn")
    if len(few) < len(claimed):
        notes.append(f"drawn for at most {MOST_OUTPUTS} outputs")
    return Plot(theorem, {size: _panels(concrete, size) for size in few}, tuple(notes))


def _panels(theorem: StructuredTheorem, size: int) -> tuple[Panel, ...]:
    found = list(critical(theorem, size))
    if not found:
        raise ValueError(f"{theorem.name!r}: where the criterion is tight is not known for so many outputs")
    tightest = max(found, key=lambda one: _excess(theorem, one))
    others = 1 - tightest.weights[0]
    shares = sorted({*(Fraction(n, STEPS) for n in range(STEPS + 1)), others})
    both = [_sides(theorem, _at(tightest, share)) for share in shares]
    x, (target, allowed) = np.array(shares, dtype=float), np.array(both).T
    above = target - allowed
    most = int(np.argmax(above))
    witness = _witness(theorem, _at(tightest, shares[most])) if above[most] > ABOVE else None
    lines = {"least expected target": target, "what the surrogate allows": allowed}
    return (
        Panel("both sides", X_LABEL, "target", x, lines),
        Panel(CRITERION, X_LABEL, "target above what is allowed", x, {"criterion": above}, witness),
    )


def _at(tightest: OutputDistribution, share: Fraction) -> OutputDistribution:
    """The distribution whose outputs but the first have this probability together."""
    first, *others = tightest.weights
    weights = [1 - share, *(share * weight / (1 - first) for weight in others)]
    pairs = [(output, weight) for output, weight in zip(tightest.outputs, weights, strict=True) if weight]
    outputs, kept = zip(*pairs, strict=True)
    return OutputDistribution(tightest.size, outputs, kept)


def _sides(theorem: StructuredTheorem, distribution: OutputDistribution) -> tuple[float, float]:
    left, right = sides(theorem, distribution)
    return float(left), float(enclosure(right)[0])


def _excess(theorem: StructuredTheorem, distribution: OutputDistribution) -> float:
    left, right = _sides(theorem, distribution)
    return left - right


def _witness(theorem: StructuredTheorem, distribution: OutputDistribution) -> str | None:
    """The exact sides at scores, if they break the criterion."""
    return next((_said(theorem, distribution, one) for one in islice(broken_at(theorem, distribution), 1)), None)


def _said(theorem: StructuredTheorem, distribution: OutputDistribution, witness: Witness) -> str:
    pairs = zip(distribution.weights, distribution.outputs, strict=True)
    drawn = ", ".join(f"{weight} on {_named(theorem, output)}" for weight, output in pairs)
    left, right = apart([witness["left"], witness["right"]])
    return f"{theorem.size}={distribution.size}, {drawn}: every prediction costs {left}, above {right}"


def _named(theorem: StructuredTheorem, output: Vector) -> str:
    if isinstance(theorem.outputs, Classes):
        return f"label {output.index(Fraction(1))}"
    return f"({', '.join(map(str, output))})"
