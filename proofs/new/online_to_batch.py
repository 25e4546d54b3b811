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

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.by_hand import squared_norm as norm2
from gaptron.instances.proximal_hinge import mean_loss, risks, sampled


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
        statement="Proximal steps with c X^2 from W_1 = 0 on T independent examples, a decoder whose target risk is at "
        "most the mean envelope: the expected risk of the mean of W_1, ..., W_T, and that of one of them at random, "
        "are at most E[l(U)] + c X^2 ||U||^2/T for every U",
        grounds=InProof("online_to_batch.proof", "new/online-to-batch"),
        recorded="PROVED",
        finding="The mean of the iterates W_1, ..., W_T will do, or one of them at random: each envelope is convex in "
        "W and above the risk, though the risk itself is not convex.",
        second=(Resists(of_the_mean, 40), Resists(of_one_at_random, 40)),
    ),
)
