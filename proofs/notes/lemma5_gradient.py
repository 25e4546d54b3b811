"""Notes, Lemma 5: the squared hinge loss bounds its gradient.

**Problem.** K classes, ||x|| <= 1, l(W) = h^2 with h = max{1 - m(W, y), 0} the multiclass hinge loss.

**Algorithm.** None: this is about the loss. A subgradient is g = s x', where s has the entry -2 h at y and 2 h times a
weight at every tied rival; the weights sum to 1.

**Theoretical guarantee.** ||g||_F^2 <= 8 l(W), with equality if ||x|| = 1 and no rivals tie.

**References.** Notes on bandit multiclass classification, section 5, Lemma 5.
"""

import numpy as np
from sympy import Eq, symbols

from gaptron import (
    Argument,
    Cite,
    Claim,
    Constant,
    Implication,
    Instance,
    Lemma,
    Resists,
    Rounds,
    Use,
)
from gaptron.instances.squared_hinge import hinge_and_gradient, in_unit_ball, rationals
from gaptron.theory import facts

weight, weights, parts = symbols("weight weights parts", nonnegative=True)
loss, score_squares, squares, norm2 = symbols("loss score_squares squares norm2", nonnegative=True)

MEANS = {
    weight: "weight", weights: "sum of the weights", parts: "sum of the squared weights", loss: "l(W)",
    score_squares: "||s||^2", squares: "||g||^2", norm2: "||x||^2",
}  # fmt: skip
POINT = {weight: 1, weights: 1, parts: 1, loss: 1, score_squares: 8, squares: 8, norm2: 1}
ENTRIES = Eq(score_squares, 4 * loss * (1 + parts))

gradient = Lemma(
    name="Notes, Lemma 5",
    source="notes, Lemma 5",
    implications=(
        Implication(
            name="one more tied rival",
            statement="the sum of squares of non-negative weights is at most the square of their sum",
            given=(parts <= weights**2,),
            then=parts + weight**2 <= (weights + weight) ** 2,
        ),
        Implication(
            name="scores",
            statement="the weights sum to 1: ||s||^2 <= 8 h^2 = 8 l",
            given=(ENTRIES, parts <= weights**2, Eq(weights, 1)),
            then=score_squares <= 8 * loss,
        ),
        Implication(
            name="bound",
            statement="||x|| <= 1",
            given=(Eq(squares, score_squares * norm2), score_squares <= 8 * loss, norm2 <= 1),
            then=squares <= 8 * loss,
        ),
        Implication(
            name="attained",
            statement="without ties and with ||x|| = 1 there is equality",
            given=(Eq(squares, score_squares * norm2), ENTRIES, Eq(parts, 1), Eq(norm2, 1)),
            then=Eq(squares, 8 * loss, evaluate=False),
        ),
    ),
)

tied = Argument(
    name="weights of tied rivals",
    setting="Any number of weights",
    symbols=MEANS,
    steps=(
        Rounds(
            invariant=parts <= weights**2,
            state={parts: (0, parts + weight**2), weights: (0, weights + weight)},
            step=gradient["one more tied rival"],
        ),
    ),
    conclusion=parts <= weights**2,
    example=POINT,
)

in_scores = Argument(
    name="gradient in the scores",
    setting="The gradient s of the squared hinge loss in the scores, minus twice h at y and twice h times a weight at "
    "every tied rival, where h is the root of the loss",
    symbols=MEANS,
    hypotheses=(ENTRIES, Eq(weights, 1)),
    steps=(Cite(tied), gradient["scores"]),
    conclusion=score_squares <= 8 * loss,
    example=POINT,
)

in_weights = Argument(
    name="gradient in W",
    setting="The squared hinge loss, with s its gradient in the scores",
    symbols=MEANS,
    hypotheses=("g = s (x) x", ENTRIES, Eq(weights, 1), norm2 <= 1),
    steps=(Cite(in_scores), Use(facts.OUTER, {"g": "g", "s": "s", "x": "x"}), gradient["bound"]),
    conclusion=squares <= 8 * loss,
    example=POINT,
)

attained = Argument(
    name="equality",
    setting="The squared hinge loss if no rivals tie",
    symbols=MEANS,
    hypotheses=("g = s (x) x", ENTRIES, Eq(parts, 1), Eq(norm2, 1)),
    steps=(Use(facts.OUTER, {"g": "g", "s": "s", "x": "x"}), gradient["attained"]),
    conclusion=Eq(squares, 8 * loss, evaluate=False),
    example=POINT,
)


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
        grounds=(in_weights, in_scores, attained),
        recorded="PROVED",
        constants=(
            Constant(
                name="l_t(W)", sharp="bound", printed=8, best=8, attained="||x|| = 1, no tie among the rivals", of=loss
            ),
        ),
        second=Resists(lemma5_instance),
    ),
)
