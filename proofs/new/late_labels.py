"""Labels that arrive n rounds late: n + 1 times the optimal constant, exactly.

**Problem.** Online prediction with full information, any convex losses and any target; the label of a round arrives
after the predictions of the n rounds that follow it.

**Algorithm.** n + 1 copies of one that needs no delay, which take turns: each is told all its labels before its next
turn (``Gaptron(..., delay=n)``).

**Theoretical guarantee.** **Upper bound**: each copy pays c X^2 ||U||^2 beside its losses, together (n + 1) times as
much. **Lower bound**: if without delay c is too small, some T rounds have labels, drawn from a distribution that no
past tells of, on which every prediction costs more than the losses of U and c X^2 ||U||^2. Each round n + 1 times, one
after the other: nothing of a block's label is known in it, so that the predictions cost n + 1 times as much, and the
losses are n + 1 times as large, while U is the same.

**References.** Joulani, Gyorgy, Szepesvari 2013 (copies); Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorems 4.4
and 4.5 (the order n + 1, for the logistic loss). New: the constant, for all convex losses and targets.
"""

from gaptron import Claim, InProof, Instance, Resists, Shows
from gaptron.instances.by_hand import ONE
from gaptron.instances.by_hand import squared_norm as norm2
from gaptron.instances.proximal_hinge import drawn, losses_of, mistakes

FILE = "late_labels.proof"


def stream(rng):
    """Two labels, the hinge loss, proximal steps with the optimal constant 1: E[mistakes] against the bound."""
    n, rounds, U = drawn(rng)
    return Instance({"n": n, "(x, y)": rounds, "U": U}, mistakes(rounds, n), losses_of(U, rounds) + (n + 1) * norm2(U))


def attained():
    """A block of three rounds, two rounds late: whoever predicts pays 3/2 on one label, and this U as much."""
    rounds, U = [([ONE], 1)] * 3, [[-ONE / 2], [ONE / 2]]
    return Instance({"n": 2, "U": U}, mistakes(rounds, 2), losses_of(U, rounds) + 3 * norm2(U), "=")


claims = (
    Claim(
        id="new/delay-exact",
        kind="improvement",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorems 4.4 and 4.5 (not claimed there)",
        statement="Copies that take turns, n + 1 of them, each with the constant c of an algorithm without delay: "
        "E sum L <= E sum S(U) + (n + 1) c X^2 ||U||^2; where labels that no past tells of show c too small without "
        "delay, each round n + 1 times in a block, every constant of an algorithm with the delay is above (n + 1) c",
        grounds=(InProof(FILE, "new/copies"), InProof(FILE, "new/blocks")),
        recorded="PROVED",
        finding="Theorems 4.4 and 4.5 have the order n + 1, for one loss and up to logarithms; for every convex loss "
        "and target the constant is n + 1 times the optimal one without delay, which Gaptron(..., delay=n) has.",
        second=(Resists(stream, 40), Shows(attained)),
        coq={"New.v:DelayExact": "NewProofs.v:delay_exact"},
    ),
)
