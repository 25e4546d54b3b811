"""From online to batch: the mean of the iterates of proximal steps, with the same decoder.

**Problem.** T independent examples of one distribution, ||x|| <= X, any convex losses; the risk of a prediction is the
probability that it errs on a fresh example (for another target: its mean).

**Algorithm.** Proximal steps with the constant c, W_(t+1) = argmin_V loss_t(V) + c X^2 ||V - W_t||^2, and then either
the mean of W_1, ..., W_T or one of them at random (W_1 = 0, and not W_(T+1)), with the decoder that keeps P(wrong | y)
at most the envelope e_y at the scores.

**Theoretical guarantee.** **Upper bound**: the expected risk is at most E loss(U) + c X^2 ||U||^2/T for every U. The
envelope e_y is the least of a function that is convex in scores and step together, so that it is convex in W: at the
mean it is at most the mean of the envelopes at the iterates, each of which does not depend on the example that comes
next, so that a fresh example may stand in its place.

**References.** Cesa-Bianchi, Conconi, Gentile 2004 (online to batch, for convex losses); the risk of the decoder is not
convex in W, its envelope is. New: that the mean of the iterates keeps the target risk at the optimal constant.
"""

from sympy import Eq, symbols

from gaptron import Argument, Claim, Implication, Instance, Resists, Rounds, When
from gaptron.instances.by_hand import squared_norm as norm2
from gaptron.instances.proximal_hinge import mean_loss, risks, sampled
from gaptron.symbols import T
from gaptron.theory.sentences import EVERY_ROUND

c, before, after, envelope, loss_u = symbols("c before after envelope loss_u", nonnegative=True)
envelopes, losses, E_envelopes, E_losses, loss = symbols("envelopes losses E_envelopes E_losses loss", real=True)
risk, at_mean, size = symbols("risk at_mean size", nonnegative=True)

READS = {
    c: "c X^2", before: "||W - U||^2", after: "||W' - U||^2", envelope: "e(W)", loss_u: "l(U)", envelopes: "sum e(W)",
    losses: "sum l(U)", E_envelopes: "E[sum e(W)]", E_losses: "E[sum l(U)]", loss: "E[l(U)]", risk: "P(wrong)",
    at_mean: "E[e] at the mean of the iterates", size: "||U||^2",
}  # fmt: skip
THREE_POINTS = envelope + c * after <= loss_u + c * before
SO_FAR = envelopes + c * before <= losses + c * size
summed = Argument(
    name="envelopes add up",
    setting="Proximal steps from zero, their three-point inequality in every round",
    symbols=READS,
    hypotheses=(When(EVERY_ROUND, (THREE_POINTS,)),),
    steps=(
        Rounds(
            invariant=SO_FAR,
            state={before: (size, after), envelopes: (0, envelopes + envelope), losses: (0, losses + loss_u)},
            step=Implication(
                name="one more round",
                statement="distances telescope",
                given=(THREE_POINTS, SO_FAR),
                then=envelopes + envelope + c * after <= losses + loss_u + c * size,
            ),
            fixed=(c, size),
        ),
        Implication(
            name="the last distance",
            statement="it is not negative",
            given=(SO_FAR,),
            then=envelopes <= losses + c * size,
        ),
    ),
    conclusion=envelopes <= losses + c * size,
    example={c: 1, size: 1, before: 1, after: 0, envelope: 0, loss_u: 0, envelopes: 0, losses: 0},
)
END = risk <= loss + c * size / T
batch = Argument(
    name="the mean of the iterates",
    setting="Independent examples, proximal steps from zero and the decoder of their envelopes",
    symbols=READS,
    hypotheses=(
        E_envelopes <= E_losses + c * size, Eq(E_losses, T * loss), T * at_mean <= E_envelopes, risk <= at_mean,
    ),
    steps=(
        Implication(
            name="a fresh example",
            statement="the risk is at most the envelope, and T of it at most the sum",
            given=(
                E_envelopes <= E_losses + c * size, Eq(E_losses, T * loss), T * at_mean <= E_envelopes, risk <= at_mean,
            ),
            then=END,
        ),
    ),
    conclusion=END,
    example={T: 2, c: 1, size: 1, E_envelopes: 1, E_losses: 0, loss: 0, at_mean: 0, risk: 0},
)  # fmt: skip


def of_the_mean(rng):
    """The hinge loss, two labels, c = 1: the risk of the mean of the iterates, over all draws, against the bound."""
    n, law, U = sampled(rng)
    return Instance({"T": n, "law": law, "U": U}, risks(law, n)[0], mean_loss(U, law) + norm2(U) / n)


def of_one_at_random(rng):
    """The same of an iterate at random."""
    n, law, U = sampled(rng)
    return Instance({"T": n, "law": law, "U": U}, risks(law, n)[1], mean_loss(U, law) + norm2(U) / n)


claims = (
    Claim(
        id="new/online-to-batch",
        kind="improvement",
        source="for the proximal steps of docs/optimal_constant.md",
        grounds=(summed, batch),
        recorded="PROVED",
        finding="The mean of the iterates W_1, ..., W_T will do, or one of them at random: each envelope is convex in "
        "W and above the risk, though the risk itself is not convex.",
        second=(Resists(of_the_mean, 40), Resists(of_one_at_random, 40)),
    ),
)
