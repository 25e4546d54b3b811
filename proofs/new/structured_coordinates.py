"""Multilabel and ordinal outputs with the Hamming target: one constant over d, and for which d the regret is finite.

**Problem.** Outputs are sets of labels, all of {0, 1}^d, or one of d + 1 ordered grades (thermometers in {0, 1}^d); the
target is the fraction of coordinates that are wrong (for grades the distance over d), or whether any is. ||x|| <= X,
any comparator U. The surrogate is the Fenchel-Young loss of the squared norm (SparseMAP) or of the binary entropy of
each coordinate (one logistic loss a label, natural logarithm).

**Algorithm.** Online gradient descent with the best decoder (``structured_classes``). For the Hamming target it is
found coordinate by coordinate on the cube.

**Theoretical guarantee.** **Upper bound**: E sum target <= alpha sum l_t(U) + R X^2 ||U||^2 for every d. The criterion
is one inequality, at a coordinate that is 1 with probability 1/2, and no pair of alpha and eta has a smaller R.

| target | entropy | alpha | eta X^2 | R |
|---|---|---|---|---|
| Hamming | squared norm | 8/d | 1/2 | 8/d |
| Hamming | binary entropy | 2/(d ln 2) | 2 ln 2 | 1/(2 d (ln 2)^2) |
| any error | squared norm | 8 | 1/2 | 8 |
| any error | binary entropy | 2/ln 2 | 2 ln 2 | 1/(2 (ln 2)^2) |

With the coefficient alpha = 1 and SparseMAP (s = 1) some learning rate works exactly for d >= 5, up to
eta X^2 = 1 - 4/d: the criterion is alpha d s (1 - eta s X^2) >= 4. For d = 4 see ``examples/multilabel_small.py``.

**References.** Sakaue, Bao, Tsuchiya and Oki 2024 (COLT, PMLR 247), Theorem 7, with the Euclidean norm, lambda = nu = 1
and gamma = 1/sqrt(d), asks for lambda > 4 gamma/nu, that is d > 16, and has R = 8/sqrt(d) with coefficient 1 for
d >= 64, where the first row has R = 8/d with the coefficient 8/d. New: the criterion, the exact constants, d >= 5.
"""

from sympy import Range, Rational, log, oo

from gaptron import StructuredTheorem
from gaptron.symbols import d
from gaptron.theory.structured import BinaryEntropy, Cube, Hamming, Ordinal, SquaredNorm, ZeroOne

HALF = Rational(1, 2)

multilabel = StructuredTheorem(
    name="multilabel, Hamming target, SparseMAP",
    source="improves Sakaue, Bao, Tsuchiya and Oki 2024, Theorem 7",
    outputs=Cube(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8 / d,
    regret=8 / d,
)

multilabel_coefficient_one = StructuredTheorem(
    name="multilabel, Hamming target, SparseMAP, coefficient 1",
    source="improves Sakaue, Bao, Tsuchiya and Oki 2024, Theorem 7",
    outputs=Cube(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=1 - 4 / d,
    regret=d / (2 * (d - 4)),
    sizes=Range(5, oo),
)

multilabel_logistic = StructuredTheorem(
    name="multilabel, Hamming target, logistic",
    source="new",
    outputs=Cube(),
    target=Hamming(),
    entropy=BinaryEntropy(),
    learning_rate=2 * log(2),
    coefficient=2 / (d * log(2)),
    regret=1 / (2 * d * log(2) ** 2),
)

exact_sets = StructuredTheorem(
    name="multilabel, 0-1 target, SparseMAP",
    source="new",
    outputs=Cube(),
    target=ZeroOne(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8,
    regret=8,
)

exact_sets_logistic = StructuredTheorem(
    name="multilabel, 0-1 target, logistic",
    source="new",
    outputs=Cube(),
    target=ZeroOne(),
    entropy=BinaryEntropy(),
    learning_rate=2 * log(2),
    coefficient=2 / log(2),
    regret=1 / (2 * log(2) ** 2),
)

ordinal = StructuredTheorem(
    name="ordinal, SparseMAP",
    source="new",
    outputs=Ordinal(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8 / d,
    regret=8 / d,
)

ordinal_logistic = StructuredTheorem(
    name="ordinal, logistic",
    source="new",
    outputs=Ordinal(),
    target=Hamming(),
    entropy=BinaryEntropy(),
    learning_rate=2 * log(2),
    coefficient=2 / (d * log(2)),
    regret=1 / (2 * d * log(2) ** 2),
)
