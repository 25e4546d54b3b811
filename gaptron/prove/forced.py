"""The adversary of structured theorems: what it forces every algorithm to pay, exactly.

Outputs y_t are drawn from w, on the points of ``optimal.adversary``: every algorithm pays H_L(w) a round on average.
The U that knows the outputs has scores theta_y on the rounds with output y. It pays alpha E_w loss_y(theta_y) a round,
and its norm costs R Var_w(theta) a round, beside ||mean||^2/eps^2 once. So no algorithm has a regret constant R with
R Var_w(theta) < H_L(w) - alpha E_w loss_y(theta_y).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gaptron.numbers.evaluate import Number, ball, enclosure, evaluate, is_less
from gaptron.prove.broken_envelopes import expected_loss, variance, worst_family
from gaptron.rounds.exact import total
from gaptron.theory.structured.distributions import OutputDistribution, least_target
from gaptron.theory.structured.entropies import Convolutional
from gaptron.theory.structured.means import MOST_OUTPUTS
from gaptron.theory.structured.outputs import PermutationMatrices, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

DENOMINATORS = (10, 10**3, 10**6)
STEPS = 12
ENOUGH = 1e-9
HALVINGS = range(6, 41)


@dataclass(frozen=True)
class Forced:
    """A distribution and the comparator's scores for each of its outputs; ``regret``: no algorithm has a smaller R."""

    distribution: OutputDistribution
    scores: tuple[Vector, ...]
    regret: Fraction


@dataclass(frozen=True)
class StructuredAdversary:
    """A stream of independent outputs: eps is the share of the common coordinate, 0 if the mean of the scores is 0."""

    distribution: OutputDistribution
    scores: tuple[Vector, ...]
    eps: Fraction
    rounds: int

    @property
    def mean(self) -> Vector:
        """E_w theta_y."""
        return _mean(self.distribution, self.scores)

    def sides(self, theorem: StructuredTheorem) -> tuple[Fraction, Number, Number]:
        """What every algorithm pays at least, and at most alpha sum loss(U) and R X^2 ||U||^2, in expectation.

        Raises
        ------
        ValueError
            If no bound on the loss is known at these scores.
        """
        size = {theorem.size: Fraction(self.distribution.size)}
        alpha, scale, regret = (
            ball(evaluate(part, size)) for part in (theorem.coefficient, theorem.scale, stated_regret(theorem))
        )
        loss = expected_loss(theorem, self.distribution, list(self.scores))
        if loss is None:
            raise ValueError(f'theorem "{theorem.name}": its loss has no exact bound at these scores')
        common = _square(self.mean)
        own = variance(self.distribution, list(self.scores)) * self.rounds / (1 - self.eps**2)
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


def forced(theorem: StructuredTheorem, distribution: OutputDistribution) -> Forced | None:
    """The largest R that is found to be forced with this distribution, at rational scores; None if none is."""
    if isinstance(theorem.entropy, Convolutional):
        return None
    alpha = evaluate(theorem.coefficient, {theorem.size: Fraction(distribution.size)})
    best: Forced | None = None
    guess = Fraction(1, 100)
    for _ in range(STEPS):  # of Dinkelbach's method for the ratio (H_L - alpha E loss)/Var
        c = float(guess) / float(alpha)
        found = max(_at(theorem, distribution, c), key=lambda one: one.regret, default=None)
        if found is None or (best is not None and found.regret <= best.regret * (1 + Fraction(ENOUGH))):
            break
        best, guess = found, found.regret
    return best


def _at(theorem: StructuredTheorem, distribution: OutputDistribution, c: float) -> Iterator[Forced]:
    """What the scores that are worst for c force, rounded to several denominators."""
    scale = evaluate(theorem.scale, {theorem.size: Fraction(distribution.size)})
    family = worst_family(theorem, distribution, float(scale), c)
    for denominator in DENOMINATORS:
        rows = (tuple(Fraction(round(a * denominator), denominator) for a in row) for row in family)
        found = forced_at(theorem, distribution, tuple(rows))
        if found is not None:
            yield found


def forced_at(
    theorem: StructuredTheorem, distribution: OutputDistribution, scores: tuple[Vector, ...]
) -> Forced | None:
    """What a comparator with these scores forces; None if that is nothing."""
    size = {theorem.size: Fraction(distribution.size)}
    scale, alpha = (ball(evaluate(part, size)) for part in (theorem.scale, theorem.coefficient))
    left = least_target(theorem.target, theorem.outputs, distribution)
    spread, loss = variance(distribution, list(scores)), expected_loss(theorem, distribution, list(scores))
    if not spread or loss is None:
        return None
    least = enclosure((ball(left) - alpha * scale * loss) / ball(spread))[0]
    return Forced(distribution, scores, least) if least > 0 else None


def stream(theorem: StructuredTheorem, found: Forced) -> StructuredAdversary:
    """The first stream, of growing length, that uses nearly all of what is forced, or breaks the bound if it can."""
    common = _square(_mean(found.distribution, found.scores))
    if not common:
        return StructuredAdversary(found.distribution, found.scores, Fraction(0), 1)
    own = variance(found.distribution, list(found.scores))
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
    theorem: StructuredTheorem, distribution: OutputDistribution, scores: tuple[Vector, ...] | None
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


def _mean(distribution: OutputDistribution, scores: tuple[Vector, ...]) -> Vector:
    return OutputDistribution(distribution.size, scores, distribution.weights).mean


def _square(vector: Vector) -> Fraction:
    return sum((entry * entry for entry in vector), Fraction(0))
