"""Notes, Definition 7: the Cauchy-Schwarz inequality in the metric of M.

**Problem.** A symmetric positive definite M; ||W||_M^2 is the sum of w' M w over the rows w of W, and ||x||^2_{M^{-1}}
is x' M^{-1} x.

**Algorithm.** None: this is about norms.

**Theoretical guarantee.** ||W x||^2 <= ||W||_M^2 ||x||^2_{M^{-1}}: the inequality of Cauchy and Schwarz in every row,
summed.

**References.** Notes on bandit multiclass classification, section 5, Definition 7.
"""

from fractions import Fraction

import flint
import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.squared_hinge import rationals


def definition7_instance(rng: np.random.Generator) -> Instance:
    n, d = int(rng.integers(2, 4)), int(rng.integers(1, 4))
    W, x, vectors = rationals(rng, n, d), rationals(rng, d), rationals(rng, 2, d)
    M = np.array([[Fraction(i == j) for j in range(d)] for i in range(d)], dtype=object) + vectors.T @ vectors
    entries = [flint.fmpq(v.numerator, v.denominator) for v in M.ravel()]
    column = flint.fmpq_mat(d, 1, [flint.fmpq(v.numerator, v.denominator) for v in x])
    solved = flint.fmpq_mat(d, d, entries).solve(column).entries()
    dual = sum((v * Fraction(int(s.p), int(s.q)) for v, s in zip(x, solved, strict=True)), Fraction(0))
    scores = W @ x
    return Instance({"W": W, "x": x, "M": M}, (scores * scores).sum(), ((W @ M) * W).sum() * dual)


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/definition7",
        quote=r"\sum_{i=1}^K \|\mathbf{e}_i^\top W\|_M^2 \|x_t\|_{M^{-1}}^2 \leq \|W\|_M^2 \|x_t\|_{M^{-1}}^2",
        rough=TODO,
        source=NOTES + "Definition 7",
        statement="||W x||^2 <= ||W||_M^2 ||x||_{M^-1}^2 for every M that is nowhere negative",
        grounds=InProof("descent.proof", "notes/definition7"),
        recorded="PROVED",
        second=Resists(definition7_instance, 100),
    ),
)
