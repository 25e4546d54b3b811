"""Distributions over outputs, and the three numbers of the criterion: H_L(w) <= alpha (s J(w) - kappa Var(w)).

For w with mean m = E_w y: the least expected target H_L(w) = min_yhat E_w L(yhat, y), the entropy gap
J(w) = E_w Omega(y) - Omega(m), and the variance Var(w) = E_w ||y - m||^2.
"""

from dataclasses import dataclass
from fractions import Fraction

from gaptron.language.expanded import expanded
from gaptron.language.expressions import Expression
from gaptron.language.normal import NORMAL
from gaptron.theory.structured.entropies import Convolutional, Entropy, core
from gaptron.theory.structured.limits import INSIDE
from gaptron.theory.structured.outputs import Outputs, Vector
from gaptron.theory.structured.targets import Cost, Target, ZeroOne

MOST_PREDICTIONS = 50_000  # of which the best is looked for one by one


@dataclass(frozen=True)
class OutputDistribution:
    """Probabilities > 0 of some outputs of one size, which sum to 1."""

    size: int
    outputs: tuple[Vector, ...]
    weights: tuple[Fraction, ...]

    @property
    def mean(self) -> Vector:
        """m = E y."""
        columns = zip(*self.outputs, strict=True)
        return tuple(sum((w * a for w, a in zip(self.weights, c, strict=True)), Fraction(0)) for c in columns)

    @property
    def variance(self) -> Fraction:
        """Var = E ||y||^2 - ||m||^2."""
        squares = (sum((a * a for a in y), Fraction(0)) for y in self.outputs)
        second = sum((w * square for w, square in zip(self.weights, squares, strict=True)), Fraction(0))
        return second - sum((a * a for a in self.mean), Fraction(0))


def uniform(size: int, outputs: tuple[Vector, ...]) -> OutputDistribution:
    """The same probability for each of these outputs."""
    return OutputDistribution(size, outputs, (Fraction(1, len(outputs)),) * len(outputs))


def mixed(first: OutputDistribution, second: OutputDistribution, share: Fraction) -> OutputDistribution:
    """``share`` of the second, the rest of the first."""
    found: dict[Vector, Fraction] = {}
    for part, scale in ((first, 1 - share), (second, share)):
        for output, weight in zip(part.outputs, part.weights, strict=True):
            found[output] = found.get(output, Fraction(0)) + scale * weight
    return OutputDistribution(first.size, tuple(found), tuple(found.values()))


def least_target(target: Target, outputs: Outputs, distribution: OutputDistribution) -> Fraction:
    """H_L(w), over all predictions.

    Raises
    ------
    NotImplementedError
        If there are too many of them.
    """
    if isinstance(target, ZeroOne):
        return 1 - max(distribution.weights)
    return min(expected_targets(target, outputs, distribution))


def expected_targets(target: Target, outputs: Outputs, distribution: OutputDistribution) -> list[Fraction]:
    """E_w L(yhat, y) for every prediction yhat, in the order of the outputs."""
    size, count = distribution.size, outputs.count(distribution.size)
    if count > MOST_PREDICTIONS:
        raise NotImplementedError(f"{count} predictions are too many to be compared")
    vectors = outputs.vectors(size)
    pairs = list(zip(distribution.outputs, distribution.weights, strict=True))
    if isinstance(target, Cost):
        places = {vector: place for place, vector in enumerate(vectors)}
        return [sum((w * row[places[y]] for y, w in pairs), Fraction(0)) for row in target.matrix]
    return [sum((w * target.between(outputs, size, guess, y) for y, w in pairs), Fraction(0)) for guess in vectors]


def entropy_gap(entropy: Entropy, target: Target, outputs: Outputs, distribution: OutputDistribution) -> Expression:
    """J(w), multiplied out, so that equal numbers are written alike.

    A convolutional entropy adds the least expected target, which is zero at each output.
    """
    inner = core(entropy)
    pairs = zip(distribution.outputs, distribution.weights, strict=True)
    parts = [NORMAL.product([w, inner.value(y)], []) for y, w in pairs]
    more = least_target(target, outputs, distribution) if isinstance(entropy, Convolutional) else Fraction(0)
    mean = NORMAL.product([Fraction(-1), inner.value(distribution.mean)], [])
    return expanded(NORMAL.operation("+", [*parts, mean, more]), INSIDE)
