"""The natural logistic loss with the 0-1 target: the surrogate gap that the condition lambda > 4 gamma/nu misses.

**Problem.** Online multiclass classification with full information, the loss -ln p_y: K classes, ||x|| <= X, any
comparator U. With the l1 norm lambda = 1 and gamma = 1/2, nu = 2, so that 4 gamma/(lambda nu) = 1 and the bounds with
a = 1 - 4 gamma/(lambda nu) are empty.

**Algorithm.** Online gradient descent with the best decoder (``structured_classes``), eta = (4 ln 2 - 2)/X^2.

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= sum l_t(U) + X^2 ||U||^2/(8 ln 2 - 4) for every K, 0.6472.
The learning rate is **tight** for every randomized prediction: at the scores 0 of two labels both losses are ln 2, the
gradients have ||g||^2 = X^2/2, and one of the labels has probability at most 1/2.

**References.** Shibukawa, Tsuchiya, Sakaue and Yamanishi 2025, sections 2.3 and 3.1. New: the constant.
"""

from fractions import Fraction

from sympy import log

from gaptron import Claim, InProof, Instance, Obligations, Resists, StructuredTheorem
from gaptron.numbers.evaluate import ball
from gaptron.theory.structured import Classes, Shannon, ZeroOne

ln2 = log(2)

natural = StructuredTheorem(
    name="0-1 target, natural logistic",
    source="for the loss of Shibukawa, Tsuchiya, Sakaue and Yamanishi 2025, section 2.3",
    outputs=Classes(),
    target=ZeroOne(),
    entropy=Shannon(),
    learning_rate=4 * ln2 - 2,
    regret=1 / (8 * ln2 - 4),
)


def needs(rng):
    """Random scores of up to five labels: the probabilities that the labels need sum to at most 1."""
    theta = [Fraction(int(v), 8) for v in rng.integers(-12, 13, int(rng.integers(2, 6)))]
    weights = [ball(v).exp() for v in theta]
    sigma = [v / sum(weights, ball(0)) for v in weights]
    half_rate = 2 * ball(2).log() - 1
    total = ball(0)
    for y, chance in enumerate(sigma):
        square = sum(((v - int(k == y)) ** 2 for k, v in enumerate(sigma)), ball(0))
        total += (1 + chance.log() + half_rate * square).max(ball(0))
    return Instance({"theta": theta}, total, 1 + ball(Fraction(1, 10**20)))  # a tie of two needs exactly 1


claims = (
    Claim(
        id="neurips25/multiclass-natural-sharp",
        kind="improvement",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 2.3, full information (not claimed there)",
        statement="natural logistic loss, gradient steps at the rate (4 ln 2 - 2)/X^2, the best decoder: E[mistakes] "
        "<= sum l_t(U) + X^2 ||U||^2/(8 ln 2 - 4) for every K; at a larger rate the surrogate gap of any prediction is "
        "above 0 on average over two labels with equal scores",
        grounds=(InProof("one_round.proof", "neurips25/multiclass-natural-sharp"), Obligations(natural)),
        recorded="PROVED",
        finding="Attained for every number of classes (theorem 0-1 target, natural logistic): gradient steps with the "
        "best decoder have X^2 ||U||^2/(8 ln 2 - 4), 0.6472. The gap a = 1/4 of randomized decoding "
        "(multiclass-natural-gap) gives 2 X^2 ||U||^2 by b/(4a), b = 2 X^2; the paper's a is 0.",
        second=Resists(needs, 100),
    ),
)
