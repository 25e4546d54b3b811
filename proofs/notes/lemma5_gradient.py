"""Notes, Lemma 5: the squared hinge loss bounds its gradient.

**Problem.** K classes, ||x|| <= 1, l(W) = h^2 with h = max{1 - m(W, y), 0} the multiclass hinge loss.

**Algorithm.** None: this is about the loss. A subgradient is g = s x', where s has the entry -2 h at y and 2 h times a
weight at every tied rival; the weights sum to 1.

**Theoretical guarantee.** ||g||_F^2 <= 8 l(W), with equality if ||x|| = 1 and no rivals tie.

**References.** Notes on bandit multiclass classification, section 5, Lemma 5.
"""

import numpy as np

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.squared_hinge import hinge_and_gradient, in_unit_ball, rationals


def lemma5_instance(rng: np.random.Generator) -> Instance:
    n, d = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    W, x, y = rationals(rng, n, d), in_unit_ball(rng, d), int(rng.integers(n))
    value, g = hinge_and_gradient(W, x, y)
    return Instance({"W": W, "x": x, "y": y}, (g * g).sum(), 8 * value)


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/lemma5",
        quote=r"Lemma 5. $\|\nabla \ell_t(W)\|_F^2 \leq 8\ell_t(W)$",
        rough=TODO,
        source=NOTES + "Lemma 5",
        statement="||grad l_t(W)||_F^2 <= 8 l_t(W), whatever the weights of tied rivals: it is "
        " 4 l (1 + sum of the squared weights) ||x||^2",
        grounds=InProof("descent.proof", "notes/lemma5"),
        recorded="PROVED",
        constants=(
            Constant(name="l_t(W)", sharp="bound", printed=8, best=8, attained="||x|| = 1, no tie among the rivals"),
        ),
        second=Resists(lemma5_instance),
    ),
)
