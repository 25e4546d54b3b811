"""Table 1: the regret of Gaptron with full information is O(K ||U||^2) for the three losses.

**Problem.** Online multiclass classification with full information, K classes, ||x|| <= X.

**Algorithm.** Gaptron with the losses (1), (2) and (3) at the learning rates of Theorems 1, 2 and 3.

**Theoretical guarantee.** **Upper bound**: the constants K/ln 2, K^2/(2 (K - 1)), 2 K of X^2 ||U||^2 are at most 2 K.

**References.** van der Hoeven 2020, Table 1 and Theorems 1 to 3.
"""

import numpy as np
from sympy import log

from gaptron import Claim, Implication, Instance, Lemma, Obligations, Resists, Rests
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K

constants = Lemma(
    name="Table 1, Gaptron",
    source="van der Hoeven 2020, Table 1",
    implications=(
        Implication(name="logistic", statement="K/ln 2 <= 2 K", given=(), then=K / log(2) <= 2 * K),
        Implication(name="hinge", statement="K^2/(2 (K - 1)) <= 2 K", given=(), then=K**2 / (2 * (K - 1)) <= 2 * K),
    ),
)


def largest(rng: np.random.Generator) -> Instance:
    """The largest of the three constants at a random K."""
    n = int(rng.integers(2, 10**6))
    return Instance(
        {"K": n}, max(n / ball(2).log(), ball(n**2) / (2 * (n - 1)), ball(2 * n), key=float), ball(2 * n + 1)
    )


claims = (
    Claim(
        id="gaptron/table1-full",
        source="van der Hoeven 2020, Table 1",
        statement="With full information Gaptron's regret is O(K ||U||^2) for the logistic, hinge and smooth hinge "
        "losses, "
        "||x_t|| <= 1: at most 2 K ||U||^2 for each",
        tex=r"\frac{K}{\ln 2}, \frac{K^2}{2(K-1)} \le 2 K",
        grounds=(
            Rests("gaptron/t1-bound"),
            Rests("gaptron/t2-bound"),
            Rests("gaptron/t3-bound"),
            Obligations(constants),
        ),
        recorded="PROVED",
        finding="The O(K) of the abstract, with an explicit constant.",
        second=Resists(largest, 40),
    ),
)
