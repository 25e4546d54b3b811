"""The smallest regret R over all algorithms, for the coefficient alpha of a structured theorem.

(alpha, c) is attainable if and only if H_L(w) <= alpha (E_w loss_y(theta_y) + c Var_w(theta)) for all w and theta_y;
R = alpha c. Four families are one loss of labels, whose optimum is known by ``any_algorithm``; write A = alpha s.

* 0-1 target, Shannon: that is A times the softmax loss, -A ln p, with the same R.
* 0-1 target, squared norm (sparsemax): only w uniform on n labels matter, theta_y with label y ahead by m of rivals
  that are alike, and the other labels far below (docs/optimal_constant.md). The loss is (1 - m)^2 (n - 1)/(2 n)
  for -1/(n - 1) <= m <= 1 and 0 above, so that (n - 1)/n <= A loss + R m^2 (n - 1)/n is 1 <= A (1 - m)^2/2 + R m^2,
  the same for every n; below, the loss is at least its value at 0, and A >= 2 is needed there. So R is that of n = 2.
* Hamming target on the cube, a sum over coordinates: H_L, loss and Var are sums over coordinates, where E loss and Var
  do not increase if theta_y,k is replaced by its mean given y_k. One coordinate is two labels, one score, the target
  1/d. Times d: the loss of one score with d A instead of A, and d R. It is binding: draw the coordinates independently.
  For the squared norm a ``BinaryLoss``; for the binary entropy the softmax loss of two labels at (z/2, -z/2), whose
  variance is Var(z)/2: R = c/(2 d).

Elsewhere, and for few outputs, R lies between what an adversary forces (``prove.forced``) and what proximal
updates attain by the entropy criterion, which is sufficient for them at every rate.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from gaptron.constants.engine import Engine
from gaptron.constants.largest_rates import Finding, sharpen
from gaptron.numbers.evaluate import enclosure, evaluate
from gaptron.prove.forced import Forced, forced
from gaptron.symbols import m, p, z
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.entropies import BinaryEntropy, Convolutional, Shannon, SquaredNorm
from gaptron.theory.structured.outputs import Classes, Cube, PermutationMatrices
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Hamming, ZeroOne
from gaptron.theory.theorem import Theorem

MOST_OUTPUTS = 9
Bracket = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Reduced:
    """A theorem about labels: R is ``share`` times its c, for as many labels as classes, or for two."""

    theorem: Theorem
    share: sp.Expr = sp.S.One


def reduced(theorem: StructuredTheorem) -> Reduced | None:
    """The loss of labels with the same optimum; None if none is known."""
    A, d = theorem.coefficient * theorem.scale, _size(theorem)
    kinds = type(theorem.outputs), type(theorem.target), type(theorem.entropy)
    if kinds == (Classes, ZeroOne, Shannon):
        if isinstance(theorem.sizes, sp.Range):  # a theorem about labels claims all numbers of them, or a range
            return None
        classes = theorem.sizes
        return Reduced(_about(theorem, SoftmaxLoss(-A * sp.log(p)), classes))
    if kinds == (Classes, ZeroOne, SquaredNorm):
        loss = sp.Piecewise((-A * m, m <= -1), (A * (1 - m) ** 2 / 4, m < 1), (0, True))
        return Reduced(_about(theorem, MarginLoss(loss), 2))
    if kinds == (Cube, Hamming, SquaredNorm):
        A = sp.cancel(d * A)
        plus = sp.Piecewise((A * (1 - 2 * z) / 2, z <= 0), (A * (1 - z) ** 2 / 2, z < 1), (0, True))
        minus = sp.Piecewise((0, z <= 0), (A * z**2 / 2, z < 1), (A * (2 * z - 1) / 2, True))
        return Reduced(_about(theorem, BinaryLoss(plus=plus, minus=minus), 2), 1 / d)
    if kinds == (Cube, Hamming, BinaryEntropy):
        return Reduced(_about(theorem, SoftmaxLoss(-sp.cancel(d * A) * sp.log(p)), 2), 1 / (2 * d))
    return None


def _size(theorem: StructuredTheorem) -> sp.Expr:
    """The only size, or the symbol."""
    return sp.Integer(theorem.first_size) if theorem.first_size == theorem.last_size else theorem.size


def _about(
    theorem: StructuredTheorem, loss: MarginLoss | SoftmaxLoss | BinaryLoss, classes: int | range | None
) -> Theorem:
    return Theorem(name=theorem.name, loss=loss, gap_map=GapMap(sp.S.Zero), classes=classes)


def depends_on_size(theorem: StructuredTheorem) -> bool:
    """Whether the loss of labels is another one for each size."""
    factor = _size(theorem) if isinstance(theorem.outputs, Cube) else 1
    return theorem.size in sp.cancel(factor * theorem.coefficient * theorem.scale).free_symbols


def optimum(found: Reduced, sizes: list[int], engine: Engine) -> Finding:
    """The optimal c of the loss of labels: for these numbers of labels, or for two."""
    answers: list[Finding] = []
    sharpen(found.theorem, [2] if found.theorem.classes == 2 else sizes, engine, answers, "any_algorithm")
    return answers[0]


def regrets(found: Reduced, answer: Finding, size: int, symbol: sp.Symbol) -> Bracket | None:
    """[lo, hi] of R: below lo nobody can go, hi is attained."""
    bracket = answer.brackets[2 if found.theorem.classes == 2 else size]
    if bracket is None:
        return None
    share = sp.Rational(found.share.subs(symbol, size))
    low, high = (share / (2 * sp.Rational(rate)) for rate in reversed(bracket))
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def most_forced(theorem: StructuredTheorem, size: int, candidates: list[OutputDistribution]) -> Forced | None:
    """The largest R that an adversary is found to force.

    Raises
    ------
    NotImplementedError
        If the losses have no exact bounds here, or are too many.
    """
    if isinstance(theorem.entropy, Convolutional):
        raise NotImplementedError("no exact bounds on the losses of convolutional entropies are known")
    if theorem.outputs.count(size) > MOST_OUTPUTS or isinstance(theorem.outputs, PermutationMatrices):
        raise NotImplementedError(f"an adversary is searched for up to {MOST_OUTPUTS} outputs that are no matrices")
    found = (forced(theorem, distribution) for distribution in candidates)
    return max((one for one in found if one is not None), key=lambda one: one.regret, default=None)


def attained(theorem: StructuredTheorem, rate: sp.Expr) -> tuple[StructuredTheorem, Fraction]:
    """The theorem about proximal updates at eta = 1/(2 c), and its R, rounded upwards."""
    high = enclosure(evaluate(theorem.coefficient / (2 * rate), {}))[1]
    high = high if high.denominator < 10**6 else high.limit_denominator(10**6) + Fraction(1, 10**6)
    return replace(theorem, update="proximal", learning_rate=None, regret=sp.Rational(high)), high
