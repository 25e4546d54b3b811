"""Convolutional entropies: coefficient 1 and the learning rate of the strong convexity, for every size.

**Problem.** K classes with the 0-1 target, or the cube with the Hamming target; ||x|| <= X, any comparator U. The
surrogate is the Fenchel-Young loss of Omega - H_L, Omega minus the least expected target of the mean: Omega(p) +
max_k p_k - 1 for the 0-1 target.

**Algorithm.** Online gradient descent with the best decoder (``structured_classes``).

**Theoretical guarantee.** **Upper bound**: E sum target <= sum l_t(U) + X^2 ||U||^2/(2 lambda), eta X^2 = lambda the
strong convexity of Omega. J gains H_L, so that with alpha s = 1 the criterion is s J_Omega >= kappa Var, which strong
convexity has up to that rate.

| outputs | Omega | eta X^2 | R |
|---|---|---|---|
| classes | Shannon | 2 | 1/4 |
| classes | squared norm | 1 | 1/2 |
| cube, Hamming | squared norm | 1 | 1/2 |

The loss is larger than that of Omega: constants of different losses are not comparable.

**References.** Cao, Bao, Feng and An 2025 (arXiv 2505.09432) for the entropies, with linear surrogate regret in the
batch setting. New: the online constants.
"""

from sympy import Rational

from gaptron import StructuredTheorem
from gaptron.structured import Classes, Convolutional, Cube, Hamming, Shannon, SquaredNorm, ZeroOne

convolutional_softmax = StructuredTheorem(
    name="0-1 target, convolutional softmax",
    source="new, for the entropies of Cao, Bao, Feng and An 2025",
    outputs=Classes(),
    target=ZeroOne(),
    entropy=Convolutional(Shannon()),
    learning_rate=2,
    regret=Rational(1, 4),
)

convolutional_sparsemax = StructuredTheorem(
    name="0-1 target, convolutional sparsemax",
    source="new, for the entropies of Cao, Bao, Feng and An 2025",
    outputs=Classes(),
    target=ZeroOne(),
    entropy=Convolutional(SquaredNorm()),
    learning_rate=1,
    regret=Rational(1, 2),
)

convolutional_multilabel = StructuredTheorem(
    name="multilabel, Hamming target, convolutional SparseMAP",
    source="new, for the entropies of Cao, Bao, Feng and An 2025",
    outputs=Cube(),
    target=Hamming(),
    entropy=Convolutional(SquaredNorm()),
    learning_rate=1,
    regret=Rational(1, 2),
)
