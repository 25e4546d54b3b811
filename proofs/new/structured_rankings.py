"""Rankings of d items: constants for every d, for vectors of ranks and for permutation matrices.

**Problem.** Outputs are rankings of d items, as vectors of ranks (a permutation of 1, ..., d) or as d x d permutation
matrices; the target is the fraction of the pairs of items in the wrong order (Kendall), or the fraction of the entries
of the matrix that are wrong (Hamming). ||x|| <= X, any comparator U.

**Algorithm.** Online gradient descent on the Fenchel-Young loss, of the squared norm on the permutahedron, or of
sum m ln m over the entries of doubly stochastic matrices (base 2), with the best decoder (``structured_classes``).

**Theoretical guarantee.** **Upper bound**: E sum target <= alpha sum l_t(U) + R X^2 ||U||^2 for every d >= 2. A target
is at most C ||yhat - y||^2, so that it is enough that s J >= (kappa + 2 C/alpha) Var; two rankings with equality, each
with probability 1/2, show that no pair of alpha and eta has a smaller R.

| outputs | target | entropy | alpha | eta X^2 | R |
|---|---|---|---|---|---|
| rank vectors | Kendall | squared norm | 8/(d (d - 1)) | 1/2 | 8/(d (d - 1)) |
| matrices | Hamming | Shannon, base 2 | 2/d^2 | 2 (ln 2)^2 | 1/(2 d^2 (ln 2)^2) |
| matrices | Kendall | Shannon, base 2 | (2 d - 3)/(d (d - 1)) | 2 (ln 2)^2 | (2 d - 3)/(4 d (d - 1) (ln 2)^2) |

Comparators differ: a vector of ranks separates neighbours by 1, a matrix has d^2 scores.

**References.** Durbin and Stuart 1951 (squared rank differences and inversions), Diaconis and Graham 1977 (inversions
and the footrule). New: the theorems.
"""

from sympy import Rational, log

from gaptron import StructuredTheorem
from gaptron.structured import Hamming, KendallTau, PermutationMatrices, RankVectors, Shannon, SquaredNorm
from gaptron.symbols import d

ln2 = log(2)

rank_vectors = StructuredTheorem(
    name="rank vectors, Kendall target, squared norm",
    source="new",
    outputs=RankVectors(),
    target=KendallTau(),
    entropy=SquaredNorm(),
    learning_rate=Rational(1, 2),
    coefficient=8 / (d * (d - 1)),
    regret=8 / (d * (d - 1)),
)

matrices = StructuredTheorem(
    name="permutation matrices, Hamming target, Shannon",
    source="new",
    outputs=PermutationMatrices(),
    target=Hamming(),
    entropy=Shannon(),
    scale=1 / ln2,
    learning_rate=2 * ln2**2,
    coefficient=2 / d**2,
    regret=1 / (2 * d**2 * ln2**2),
)

matrices_kendall = StructuredTheorem(
    name="permutation matrices, Kendall target, Shannon",
    source="new",
    outputs=PermutationMatrices(),
    target=KendallTau(),
    entropy=Shannon(),
    scale=1 / ln2,
    learning_rate=2 * ln2**2,
    coefficient=(2 * d - 3) / (d * (d - 1)),
    regret=(2 * d - 3) / (4 * d * (d - 1) * ln2**2),
)
