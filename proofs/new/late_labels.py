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

from sympy import Eq, symbols

from gaptron import Argument, Cite, Claim, Implication, Instance, Resists, Rounds, Shows
from gaptron.instances.by_hand import ONE
from gaptron.instances.by_hand import squared_norm as norm2
from gaptron.instances.proximal_hinge import drawn, losses_of, mistakes

delay, size, turns = symbols("delay size turns", nonnegative=True)
c, late = symbols("c late", positive=True)
paid, losses, all_paid, all_losses = symbols("paid losses all_paid all_losses", real=True)
share, loss_u, cost, loss_of_blocks = symbols("share loss_u cost loss_of_blocks", real=True)

READS = {
    delay: "n", size: "X^2 ||U||^2", turns: "copies", c: "c", late: "c'", paid: "E[sum L of a copy]",
    losses: "E[sum S(U) of a copy]", all_paid: "E[sum L of all copies]", all_losses: "E[sum S(U) of all copies]",
    share: "E[sum L], each round once", loss_u: "E[sum S(U)], each round once", cost: "E[sum L] of the blocks",
    loss_of_blocks: "E[sum S(U)] of the blocks",
}  # fmt: skip
COPY = paid <= losses + c * size
COPIES = all_paid <= all_losses + turns * c * size
WHOLE = all_paid <= all_losses + (delay + 1) * c * size

each_copy = Argument(
    name="copies add up",
    setting="Any number of copies, each with the constant c",
    symbols=READS,
    hypotheses=(COPY,),
    steps=(
        Rounds(
            invariant=COPIES,
            state={all_paid: (0, all_paid + paid), all_losses: (0, all_losses + losses), turns: (0, turns + 1)},
            step=Implication(
                name="one more copy",
                statement="copies add up",
                given=(COPY, COPIES),
                then=all_paid + paid <= all_losses + losses + (turns + 1) * c * size,
            ),
            fixed=(c, size),
        ),
    ),
    conclusion=COPIES,
    example={paid: 1, losses: 1, all_paid: 1, all_losses: 1, turns: 1, c: 1, size: 1},
)
copied = Argument(
    name="copies that take turns",
    setting="As many copies as take turns, each with the constant c of the algorithm that they are copies of",
    symbols=READS,
    hypotheses=(COPY, Eq(turns, delay + 1)),
    steps=(
        Cite(each_copy),
        Implication(
            name="all copies",
            statement="there are n + 1",
            given=(COPIES, Eq(turns, delay + 1)),
            then=WHOLE,
        ),
    ),
    conclusion=WHOLE,
    example={paid: 1, losses: 1, all_paid: 1, all_losses: 1, turns: 1, delay: 0, c: 1, size: 1},
)

LESS = late > (delay + 1) * c
forbidden = Argument(
    name="blocks of equal rounds",
    setting="Rounds on which c is too small without delay, each as often as labels are late and once more, and c' the "
    "constant of any algorithm with the delay",
    symbols=READS,
    hypotheses=(
        share > loss_u + c * size,
        cost >= (delay + 1) * share,
        Eq(loss_of_blocks, (delay + 1) * loss_u),
        cost <= loss_of_blocks + late * size,
    ),
    steps=(
        Implication(
            name="a block for a round",
            statement="both sides n + 1 times",
            given=(
                share > loss_u + c * size,
                cost >= (delay + 1) * share,
                Eq(loss_of_blocks, (delay + 1) * loss_u),
                cost <= loss_of_blocks + late * size,
            ),
            then=LESS,
        ),
    ),
    conclusion=LESS,
    example={share: 3, loss_u: 1, cost: 3, loss_of_blocks: 1, late: 2, c: 1, size: 1, delay: 0},
)


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
        grounds=(copied, forbidden),
        recorded="PROVED",
        finding="Theorems 4.4 and 4.5 have the order n + 1, for one loss and up to logarithms; for every convex loss "
        "and target the constant is n + 1 times the optimal one without delay, which Gaptron(..., delay=n) has.",
        second=(Resists(stream, 40), Shows(attained)),
        coq={"New.v:DelayExact": "NewProofs.v:delay_exact"},
    ),
)
