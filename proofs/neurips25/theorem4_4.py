"""Theorem 4.4 of NeurIPS 2025: full information delayed by D rounds, surrogate regret O(D + 1).

**Problem.** Online structured prediction, full information that arrives D rounds late; E[L(yhat)] <= (1 - a) S(W) and
||grad S(W)||^2 <= b S(W).

**Algorithm.** D + 1 interleaved copies of adaptive gradient descent on a convex set of diameter B: a copy has seen
its last round when its next one comes.

**Theoretical guarantee.** **Upper bound**: E[R_T] <= b B^2 (D + 1)/(2a): each copy pays b B^2/(2a).

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 4.2, Theorem 4.4; Joulani, Gyorgy, Szepesvari
2013.
"""

from sympy import Eq, symbols

from gaptron import Argument, Cite, Claim, Implication, Instance, Let, Resists
from gaptron.instances.structured_bandit import delayed_sides
from gaptron.theory.surrogate_regret import (
    ADAPTIVE,
    CONVEX,
    COPIED,
    POINT,
    READS,
    B,
    a,
    beta,
    copied_losses,
    copied_paid,
    copies,
    loss,
    mean_inner,
    mean_squares,
    of_copies,
    paid,
    q,
    slope,
    w,
)

b = symbols("b", positive=True)
delay = symbols("delay", nonnegative=True)
PAID = copied_paid <= copied_losses + b * B**2 * (delay + 1) / (2 * a)

bound = Argument(
    name="Theorem 4.4",
    setting="As many interleaved copies of adaptive gradient descent on a set of diameter B as the delay asks for, "
    "full "
    "information, a fixed U",
    symbols=READS | {delay: "D"},
    hypotheses=(
        *ADAPTIVE, *CONVEX, paid <= (1 - a) * loss, mean_squares <= b * loss, Eq(mean_inner, slope),
        Eq(copies, delay + 1),
    ),
    steps=(
        Let(w, a / b),
        Implication(
            name="rate of Theorem 4.4",
            statement="b w = a",
            given=(Eq(w, a / b),),
            then=b * w <= a,
        ),
        Cite(of_copies, {"alpha": "b", "beta": "0", "q": "0"}),
        Implication(
            name="copies of Theorem 4.4",
            statement="B^2/(2 w) = b B^2/(2a)",
            given=(COPIED.subs({beta: 0, q: 0}), Eq(w, a / b), Eq(copies, delay + 1)),
            then=PAID,
        ),
    ),
    conclusion=PAID,
    example=POINT | {b: 1, delay: 0, copied_paid: 0, mean_squares: 0},
)  # fmt: skip

claims = (
    Claim(
        id="neurips25/thm4-4",
        quote="E[R_T] = O(D+1)",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 4.4 (E.4)",
        grounds=bound,
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*delayed_sides(rng)), 30),
    ),
)
