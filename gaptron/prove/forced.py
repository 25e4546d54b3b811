"""Scores for each output that no algorithm withstands, exactly: the adversary of structured theorems.

Outputs y_t are drawn from w, on the points of ``optimal.adversary``: every algorithm pays H_L(w) a round on average.
The U that knows the outputs has scores theta_y on the rounds with output y. It pays alpha E_w loss_y(theta_y) a round,
and its norm costs R Var_w(theta) a round, beside ||mean||^2/eps^2 once. So no algorithm has a regret constant R with
R Var_w(theta) < H_L(w) - alpha E_w loss_y(theta_y). For proximal updates that is the criterion itself, R = alpha c:
they attain it if it is so for all w and all families of scores theta_y.

The losses are bounded from above at rational scores: with a rational mean mu in the hull and theta' = grad Omega(mu),
Omega*(theta) <= <theta', mu> - Omega(mu) + max_y <theta - theta', y>.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import minimize, nnls

from gaptron.language.expressions import Expression
from gaptron.language.instantiation import has_no_value
from gaptron.language.normal import put, slope
from gaptron.language.slopes import left_slope, right_slope
from gaptron.numbers.evaluate import Number, ball, enclosure, evaluate, is_less, value_at
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds.exact import total
from gaptron.theory.structured.distributions import OutputDistribution, least_target
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, Entropy, Quadratic
from gaptron.theory.structured.means import MOST_OUTPUTS, Means
from gaptron.theory.structured.outputs import Classes, Cube, Ordinal, PermutationMatrices, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

Floats = NDArray[np.float64]
Family = tuple[Vector, ...]  # scores for each output of a distribution

ROUNDING = (10, 10**3, 10**6)
FINER = (*ROUNDING, 10**9)
FINE = 10**12  # of means
STEPS = 12
ENOUGH = 1e-9
HALVINGS = range(6, 41)


@dataclass(frozen=True)
class Forced:
    """A distribution and the comparator's scores for each of its outputs; ``regret``: no algorithm has a smaller R."""

    distribution: OutputDistribution
    scores: Family
    regret: Fraction


@dataclass(frozen=True)
class StructuredAdversary:
    """A stream of independent outputs: eps is the share of the common coordinate, 0 if the mean of the scores is 0."""

    distribution: OutputDistribution
    scores: Family
    eps: Fraction
    rounds: int

    @property
    def mean(self) -> Vector:
        """E_w theta_y."""
        return _of_scores(self.distribution, self.scores).mean

    def sides(self, theorem: StructuredTheorem) -> tuple[Fraction, Number, Number]:
        """What every algorithm pays at least, and at most alpha sum loss(U) and R X^2 ||U||^2, in expectation.

        Raises
        ------
        ValueError
            If no bound on the loss is known at these scores.
        """
        parts = (theorem.coefficient, theorem.scale, stated_regret(theorem))
        alpha, scale, regret = map(ball, _at_size(theorem, self.distribution, *parts))
        loss = _expected_loss(theorem, self.distribution, self.scores)
        if loss is None:
            raise ValueError(f'theorem "{theorem.name}": its loss has no exact bound at these scores')
        common = _square(self.mean)
        own = _of_scores(self.distribution, self.scores).variance * self.rounds / (1 - self.eps**2)
        norm = own + (common / self.eps**2 if common else 0)
        pays = self.rounds * least_target(theorem.target, theorem.outputs, self.distribution)
        return pays, alpha * scale * ball(Fraction(self.rounds)) * loss, regret * ball(norm)


def stated_regret(theorem: StructuredTheorem) -> Number:
    """R: as claimed, or what the learning rate gives. ValueError if the theorem has neither."""
    if theorem.regret is not None:
        return theorem.regret
    if theorem.learning_rate is None:
        raise ValueError(f'theorem "{theorem.name}" states neither regret nor learning_rate')
    return theorem.coefficient / (2 * theorem.learning_rate)


def _at_size(theorem: StructuredTheorem, distribution: OutputDistribution, *parts: sp.Expr) -> list[Number]:
    """The values of expressions in the size."""
    return [evaluate(part, {theorem.size: Fraction(distribution.size)}) for part in parts]


def forced(theorem: StructuredTheorem, distribution: OutputDistribution) -> Forced | None:
    """The largest R that is found to be forced with this distribution, at rational scores; None if none is."""
    if isinstance(theorem.entropy, Convolutional):
        return None
    (alpha,) = _at_size(theorem, distribution, theorem.coefficient)
    best: Forced | None = None
    guess = Fraction(1, 100)
    for _ in range(STEPS):  # of Dinkelbach's method for the ratio (H_L - alpha E loss)/Var
        families = _worst(theorem, distribution, float(guess) / float(alpha), ROUNDING)
        every = [one for family in families if (one := forced_at(theorem, distribution, family)) is not None]
        found = max(every, key=lambda one: one.regret, default=None)
        if found is None or (best is not None and found.regret <= best.regret * (1 + Fraction(ENOUGH))):
            break
        best, guess = found, found.regret
    return best


def forced_at(theorem: StructuredTheorem, distribution: OutputDistribution, scores: Family) -> Forced | None:
    """What a comparator with these scores forces; None if that is nothing."""
    scale, alpha = map(ball, _at_size(theorem, distribution, theorem.scale, theorem.coefficient))
    left = least_target(theorem.target, theorem.outputs, distribution)
    spread, loss = _of_scores(distribution, scores).variance, _expected_loss(theorem, distribution, scores)
    if not spread or loss is None:
        return None
    least = enclosure((ball(left) - alpha * scale * loss) / ball(spread))[0]
    return Forced(distribution, scores, least) if least > 0 else None


def stream(theorem: StructuredTheorem, found: Forced) -> StructuredAdversary:
    """The first stream, of growing length, that uses nearly all of what is forced, or breaks the bound if it can."""
    of_scores = _of_scores(found.distribution, found.scores)
    common, own = _square(of_scores.mean), of_scores.variance
    if not common:
        return StructuredAdversary(found.distribution, found.scores, Fraction(0), 1)
    wins = found.regret > enclosure(evaluate(stated_regret(theorem), {theorem.size: found.distribution.size}))[1]
    for k in (2**n for n in HALVINGS):
        eps = Fraction(2 * k, k * k + 1)
        made = StructuredAdversary(found.distribution, found.scores, eps, int(common / (eps**4 * own)) + 1)
        if not wins or ratio(theorem, made) > 1:
            break
    return made


def ratio(theorem: StructuredTheorem, stream: StructuredAdversary) -> Fraction:
    """At least how much of the regret every algorithm uses: (expected target - alpha loss of U)/(R X^2 ||U||^2)."""
    pays, loss, regret = stream.sides(theorem)
    return enclosure((ball(pays) - ball(loss)) / ball(regret))[0]


def broken(
    theorem: StructuredTheorem, distribution: OutputDistribution, scores: Family | None
) -> StructuredAdversary | None:
    """A stream of outputs from this distribution on which every algorithm certainly breaks the bound.

    The comparator has these ``scores``, or, if there are none, the worst ones that are found.
    """
    if isinstance(theorem.outputs, PermutationMatrices) or theorem.outputs.count(distribution.size) > MOST_OUTPUTS:
        return None
    found = forced(theorem, distribution) if scores is None else forced_at(theorem, distribution, scores)
    if found is None:
        return None
    made = stream(theorem, found)
    pays, *bound = made.sides(theorem)
    return made if is_less(total(bound), pays) else None


def broken_envelopes(theorem: StructuredTheorem, distribution: OutputDistribution) -> Iterator[Witness]:
    """The first family of rational scores, simplest first, at which the exact criterion certainly fails."""
    known = isinstance(theorem.outputs, (Classes, Cube, Ordinal)) and not isinstance(theorem.entropy, Convolutional)
    if theorem.regret is None or not known or not theorem.claims(distribution.size):
        return
    scale, alpha, regret = _at_size(theorem, distribution, theorem.scale, theorem.coefficient, theorem.regret)
    left = least_target(theorem.target, theorem.outputs, distribution)
    for scores in _worst(theorem, distribution, float(regret) / float(alpha), FINER):
        loss = _expected_loss(theorem, distribution, scores)
        if loss is not None:
            right = ball(alpha) * ball(scale) * loss + ball(regret) * ball(_of_scores(distribution, scores).variance)
            if left > enclosure(right)[1]:
                yield drawn(theorem, distribution, scores) | {"left": str(left), "right": exact(right)}
                return


def drawn(theorem: StructuredTheorem, distribution: OutputDistribution, scores: Family) -> Witness:
    """JSON-ready: a score vector for each output that is drawn."""
    return {
        "K" if isinstance(theorem.outputs, Classes) else "size": distribution.size,
        "outputs": [list(map(str, y)) for y in distribution.outputs],
        "distribution": list(map(str, distribution.weights)),
        "scores": [list(map(str, row)) for row in scores],
    }


def _of_scores(distribution: OutputDistribution, scores: Family) -> OutputDistribution:
    """The scores, drawn as their outputs are."""
    return OutputDistribution(distribution.size, scores, distribution.weights)


def _square(vector: Vector) -> Fraction:
    return sum((entry * entry for entry in vector), Fraction(0))


# --- the worst scores, in floats ----------------------------------------------------------------------------------


def _worst(
    theorem: StructuredTheorem, distribution: OutputDistribution, c: float, denominators: Sequence[int]
) -> Iterator[Family]:
    """Scores that minimise E loss + c Var, rounded to each denominator."""
    family = _worst_family(theorem, distribution, c)
    for n in denominators:
        yield tuple(tuple(Fraction(round(a * n), n) for a in row) for row in family)


def _worst_family(theorem: StructuredTheorem, distribution: OutputDistribution, c: float) -> Floats:
    """Scores for each output of the distribution that minimise E loss + c Var, in floats."""
    (scale,) = map(float, _at_size(theorem, distribution, theorem.scale))
    means, weights = Means(theorem, distribution.size), np.array([float(w) for w in distribution.weights])
    outputs = np.array([[float(a) for a in y] for y in distribution.outputs])
    shape = outputs.shape

    def both(flat: Floats) -> tuple[float, Floats]:
        thetas = flat.reshape(shape)
        centred, total, slopes = thetas - weights @ thetas, 0.0, np.zeros(shape)
        for i, (theta, y) in enumerate(zip(thetas, outputs, strict=True)):
            loss, mean = means.surrogates(theta[None], y[None])
            total += weights[i] * scale * loss
            slopes[i] = weights[i] * scale * (mean[0] - y)
        value = total + c * float(weights @ (centred**2).sum(axis=1))
        return value, (slopes + 2 * c * weights[:, None] * centred).ravel()

    start = 0.1 * outputs.ravel()
    arguments: Any = {"method": "L-BFGS-B", "jac": True}
    found = minimize(both, start, **arguments)
    return np.asarray(found.x.reshape(shape))


# --- bounds on losses ---------------------------------------------------------------------------------------------


def _expected_loss(theorem: StructuredTheorem, distribution: OutputDistribution, scores: Family) -> Number | None:
    """At least E_w of the Fenchel-Young losses; None where one has no bound."""
    expected = ball(Fraction(0))
    for weight, row, y in zip(distribution.weights, scores, distribution.outputs, strict=True):
        loss = _largest_loss(theorem, distribution.size, row, y)
        if loss is None:
            return None
        expected += ball(weight) * loss
    return expected


def _largest_loss(theorem: StructuredTheorem, size: int, scores: Vector, true: Vector) -> Number | None:
    """An upper bound on Omega*(theta) + Omega(y) - <theta, y>; None where the mean is on a steep boundary."""
    means = Means(theorem, size)
    mean = _rational_mean(theorem, size, means.mean(np.array([float(a) for a in scores])))
    slopes = slopes_at(theorem.entropy, mean)
    if slopes is None:
        return None
    steep = [ball(value_at(slope, {})) for slope in slopes]
    off = [ball(score) - slope for score, slope in zip(scores, steep, strict=True)]
    most = max(enclosure(inner(y, off))[1] for y in theorem.outputs.vectors(size))
    value = ball(value_at(theorem.entropy.value(true), {})) - ball(value_at(theorem.entropy.value(mean), {}))
    return inner(mean, steep) + ball(most) + value - inner(true, [ball(a) for a in scores])


def slopes_at(entropy: Entropy, mean: Sequence[Fraction]) -> list[Expression] | None:
    """The partial derivatives of an entropy that is not convolved; None where it is steep."""
    if isinstance(entropy, Quadratic):
        return [sum((a * m for a, m in zip(row, mean, strict=True)), Fraction(0)) for row in entropy.matrix]
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    found = [put(_slope(entropy.omega, part == 1), {"v": part}) for part in mean]
    return None if any(map(has_no_value, found)) else found


@lru_cache(maxsize=256)
def _slope(omega: Expression, is_last: bool) -> Expression:
    """omega', from the right where it has kinks, and at 1 from the left."""
    try:
        return slope(omega, "v")
    except ValueError:
        return (left_slope if is_last else right_slope)(omega, "v")


def _rational_mean(theorem: StructuredTheorem, size: int, mean: Floats) -> Vector:
    """A rational point of the hull close to the mean: rounding keeps order, and of a distribution the sum.

    Elsewhere it is an average of the outputs, with rational weights.
    """
    if not isinstance(theorem.outputs, (Classes, Cube, Ordinal)):
        return _average(theorem.outputs.vectors(size), mean)
    found = [Fraction(max(0, min(FINE, round(float(a) * FINE))), FINE) for a in mean]
    if isinstance(theorem.outputs, Classes):
        total = sum(found, Fraction(0))
        found = [a / total for a in found]
    return tuple(found)


def _average(vectors: tuple[Vector, ...], mean: Floats) -> Vector:
    """The average of the vectors that is close to a mean of theirs."""
    rows = np.vstack([np.array([[float(a) for a in y] for y in vectors]).T, np.ones(len(vectors))])
    weights = [Fraction(round(float(a) * FINE), FINE) for a in nnls(rows, np.append(mean, 1.0))[0]]
    total = sum(weights, Fraction(0))
    return tuple(
        sum((w * a for w, a in zip(weights, column, strict=True)), Fraction(0)) / total
        for column in zip(*vectors, strict=True)
    )


def inner(vector: Vector, slopes: list[Number]) -> Number:
    """The inner product, in balls."""
    return sum((ball(a) * slope for a, slope in zip(vector, slopes, strict=True) if a), ball(Fraction(0)))
