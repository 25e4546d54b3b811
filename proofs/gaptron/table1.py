"""Table 1: the regret of Gaptron with full information is O(K ||U||^2) for the three losses.

**Problem.** Online multiclass classification with full information, K classes, ||x|| <= X.

**Algorithm.** Gaptron with the losses (1), (2) and (3) at the learning rates of Theorems 1, 2 and 3.

**Theoretical guarantee.** **Upper bound**: the constants K/ln 2, K^2/(2 (K - 1)), 2 K of X^2 ||U||^2 are at most 2 K.

**References.** van der Hoeven 2020, Table 1 and Theorems 1 to 3.
"""

import numpy as np
from sympy import log

from gaptron import (
    Argument,
    Cite,
    Claim,
    Implication,
    Instance,
    Lemma,
    Resists,
)
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, X
from gaptron.theory.lemma1 import READS, ROUND, SUMS, TOTALS, at_rate, eta, losses, mistakes, size

constants = Lemma(
    name="Table 1, Gaptron",
    source="van der Hoeven 2020, Table 1",
    implications=(
        Implication(
            name="logistic",
            statement="K/ln 2 <= 2 K",
            given=(mistakes <= losses + K / log(2) * X**2 * size,),
            then=mistakes <= losses + 2 * K * X**2 * size,
        ),
        Implication(
            name="hinge",
            statement="K^2/(2 (K - 1)) <= 2 K",
            given=(mistakes <= losses + K**2 / (2 * (K - 1)) * X**2 * size,),
            then=mistakes <= losses + 2 * K * X**2 * size,
        ),
    ),
)


def row(loss, rate, cited, *steps):
    """One loss of the table, at its learning rate."""
    return Argument(
        name=f"Table 1, {loss}",
        setting=f"The {loss} loss, full information",
        symbols=READS | SUMS,
        hypotheses=at_rate(rate),
        steps=(Cite(cited), *steps),
        conclusion=mistakes <= losses + 2 * K * X**2 * size,
        example=ROUND | TOTALS | {X: 1, eta: rate.subs(K, 2)},
    )


table = (
    row("logistic", log(2) / (2 * K), "gaptron/t1-bound", constants["logistic"]),
    row("hinge", (1 - 1 / K) / K, "gaptron/t2-bound", constants["hinge"]),
    row("smooth hinge", 1 / (4 * K), "gaptron/t3-bound"),
)


def largest(rng: np.random.Generator) -> Instance:
    """The largest of the three constants at a random K."""
    n = int(rng.integers(2, 10**6))
    return Instance({"K": n}, max(n / ball(2).log(), ball(n**2) / (2 * (n - 1)), ball(2 * n), key=float), ball(2 * n))


claims = (
    Claim(
        id="gaptron/table1-full",
        kind="reading",
        quote=r"GAPTRON (This work) | logistic, hinge, | $O(K U ^2)$ | $O(KD\sqrt{T})$",
        source="van der Hoeven 2020, Table 1",
        grounds=table,
        recorded="PROVED",
        finding="The O(K) of the abstract, with an explicit constant.",
        second=Resists(largest, 40),
    ),
)
