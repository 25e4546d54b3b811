"""Importance weighting: what bandit feedback does to a loss and its gradient.

**Problem.** Only 1[y' != y] is revealed. The full-information loss l(W) of a round and its gradient g are replaced by
estimates that are known whenever y' is.

**Algorithm.** Equations (4), (5) and (6): l and g are multiplied by 1[y' = y]/p'(y'), with p'(k) the probability of
predicting k: max(a, gamma)/K, and 1 - max(a, gamma) (K - 1)/K for the top label.

**Theoretical guarantee.** Every label has probability at least gamma/K. If gamma > 0, the estimates have the
conditional expectations l and g, and the second moment of the gradient is ||g||^2/p'(y), at most K ||g||^2/gamma.
**Tight**: a label that is not on top has probability exactly gamma/K where a <= gamma. With gamma = 0 the hinge loss
(5) is no longer unbiased: on a wrong round with m* > beta the true label is never predicted, and the estimate is 0.

**References.** van der Hoeven 2020, section 5, equations (4) to (6); slides, "A closer look at GAPTRONs predictions".
"""

from fractions import Fraction

import flint

from gaptron import Claim, Constant, Gaptron, InProof, Instance, Resists
from gaptron.numbers.evaluate import ball

FILE = "lemma1.proof"


def fractions(rng, n, size=2):
    """n fractions in [-size, size] with denominators up to 6."""
    return [Fraction(int(rng.integers(-6 * size, 6 * size + 1)), 6) for _ in range(n)]


def learner(rng, loss, feedback="bandit"):
    """A learner somewhere on its way, features and a label."""
    n_classes, n_features = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    share = Fraction(int(rng.integers(1, 8)), 8)
    rates = {"learning_rate": Fraction(1, 8), "exploration": share}
    made = Gaptron(n_classes, n_features, loss=loss, feedback=feedback, exact=True, **rates)
    made.W[:] = [fractions(rng, n_features) for _ in range(n_classes)]
    return made, fractions(rng, n_features), int(rng.integers(n_classes))


def scores(W, x):
    return [sum(w * v for w, v in zip(row, x, strict=True)) for row in W]


def margin(row, label):
    return row[label] - max(row[:label] + row[label + 1 :])


def unbiased(full_loss):
    """The mean of 1[y' = y]/p'(y') l(W) over the predictions y' ~ p', against l(W), for any positive p'."""

    def draw(rng):
        n = int(rng.integers(2, 6))
        row, current, y = fractions(rng, n), fractions(rng, n), int(rng.integers(n))
        weights = [Fraction(int(w)) for w in rng.integers(1, 9, n)]
        shares = [w / sum(weights) for w in weights]
        value = full_loss(row, current, y)
        at = {"p'": shares, "y": y, "W x": row, "W_t x": current}
        if isinstance(value, flint.arb):
            return Instance(at, abs(mean_estimate(list(map(ball, shares)), value, y) - value), Fraction(1, 10**20))
        return Instance(at, mean_estimate(shares, value, y), value, "=")

    return draw


def mean_estimate(shares, value, y):
    """The sum over the predictions k of p'(k) times the estimate if k is predicted."""
    return sum((p * (value / p if k == y else 0 * value) for k, p in enumerate(shares)), 0 * value)


def logistic(row, _, y):
    total = sum((ball(s).exp() for s in row), ball(0))
    return ((total / ball(row[y]).exp()).log()) / ball(2).log()


def hinge(row, current, y):
    """Equation (2) at W, with the cases of W_t."""
    top = current.index(max(current))
    off = top == y and margin(current, y) > Fraction(1, len(row))
    return Fraction(0) if off else max(1 - margin(row, y), Fraction(0))


def smooth_hinge(row, _, y):
    m = margin(row, y)
    return 1 - 2 * m if m <= 0 else max(1 - m, Fraction(0)) ** 2


def mean_step(loss):
    """The mean of W after an update with bandit feedback, against W after one with full information."""

    def draw(rng):
        bandit, x, y = learner(rng, loss)
        start, shares = bandit.W.copy(), bandit.predict_proba(x).tolist()
        mean = 0 * start
        for k, share in enumerate(shares):
            bandit.W[:] = start
            bandit.update(x, k, k == y)
            mean = mean + share * bandit.W
        full = Gaptron(
            bandit.n_classes,
            len(x),
            loss=loss,
            exact=True,
            learning_rate=bandit.learning_rate,
            exploration=bandit.exploration,
        )
        full.W[:] = start
        full.update(x, y)
        return Instance({"W": start, "x": x, "y": y}, abs(mean - full.W).sum(), 0, "=")

    return draw


def least_probability(rng):
    """The least entry of p' of a learner somewhere on its way."""
    made, x, _ = learner(rng, ("hinge", "smooth hinge")[int(rng.integers(2))])
    shares = made.predict_proba(x).tolist()
    return Instance({"W": made.W, "x": x, "p'": shares}, made.exploration / made.n_classes, min(shares))


def second_moment(rng):
    """E ||W' - W||^2/eta^2 of a bandit update, against K/gamma times that of the full-information one."""
    bandit, x, y = learner(rng, "smooth hinge")
    start, share = bandit.W.copy(), bandit.predict_proba(x)[y]
    squares = 2 * sum(v * v for v in x) * slope_of(margin(scores(start.tolist(), x), y)) ** 2
    bandit.update(x, y, True)
    moved = share * ((bandit.W - start) ** 2).sum() / bandit.learning_rate**2
    at = {"W": start, "x": x, "y": y, "gamma": bandit.exploration}
    return Instance(at, moved, bandit.n_classes * squares / bandit.exploration)


def slope_of(m):
    return Fraction(2) if m <= 0 else max(2 * (1 - m), Fraction(0))


claims = (
    Claim(
        id="gaptron/bandit-unbiased-logistic",
        quote=r"It is straightforward to verify that $\mathbb{E}_t[\ell_t(\boldsymbol{w})]$ is equivalent to its "
        "full information counterpart (1)",
        source="van der Hoeven 2020, equation (4)",
        statement="gamma > 0: the loss (4) of bandit feedback at any W has the loss of full information as its "
        "conditional expectation, and so has its gradient",
        grounds=InProof(FILE, "gaptron/unbiased"),
        recorded="PROVED",
        second=Resists(unbiased(logistic), 60),
    ),
    Claim(
        id="gaptron/bandit-unbiased-hinge",
        kind="reading",
        quote=r"0 & \text{if } y'_t = y_t^{\star} = y_t \text{ and } m_t^{\star} > \beta",
        severity="D",
        cause="equation (5) has no case for y' != y* = y with m* > beta",
        patch="drop y' from the third condition of (5): 0 if y* = y and m* > beta",
        source="van der Hoeven 2020, equation (5)",
        statement="gamma > 0: the loss (5) of bandit feedback at any W has the loss of full information as its "
        "conditional expectation, and so has its gradient",
        grounds=InProof(FILE, "gaptron/unbiased"),
        recorded="PROVED",
        finding="The printed cases leave out y' != y* = y with m* > beta; the loss is 0 there. With gamma = 0 the "
        "claim would fail: on a wrong round with m* > beta the gap map is 0, the true label is never predicted, and "
        "the estimate is 0 whatever the loss.",
        second=(Resists(unbiased(hinge), 60), Resists(mean_step("hinge"), 5)),
    ),
    Claim(
        id="gaptron/bandit-unbiased-smooth",
        quote="its expectation is equivalent to its full information counterpart in equation (3)",
        source="van der Hoeven 2020, equation (6)",
        statement="gamma > 0: the loss (6) of bandit feedback at any W has the loss of full information as its "
        "conditional expectation, and so has its gradient",
        grounds=InProof(FILE, "gaptron/unbiased"),
        recorded="PROVED",
        second=(Resists(unbiased(smooth_hinge), 60), Resists(mean_step("smooth hinge"), 5)),
    ),
    Claim(
        id="gaptron/bandit-second-moment",
        quote=r"the increased $\mathbb{E}[\|g_t\|^2] = O(\frac{K}{\gamma})$ term",
        source="van der Hoeven 2020, section 5",
        statement="gamma > 0, e the gradient of the estimated loss, g that of the loss: E ||e||^2 <= K ||g||^2/gamma",
        grounds=InProof(FILE, "gaptron/second-moment"),
        recorded="PROVED",
        constants=(
            Constant(
                name="K ||g||^2/gamma", sharp="bound", printed=1, best=1, attained="a label not on top, a <= gamma"
            ),
        ),
        second=Resists(second_moment, 12),
        coq={"PaperBandit.v:BanditSecondMoment": "BanditEstimates.v:bandit_second_moment"},
    ),
    Claim(
        id="slides/bandit-needs-min-probability",
        quote=r"If $\gamma > 0$ we sample any outcome with probability at least $\gamma\frac{1}{K}$",
        source="slides, A closer look at GAPTRONs predictions",
        statement="gamma > 0: every label has probability p' >= gamma/K > 0",
        grounds=InProof(FILE, "gaptron/least-probability"),
        recorded="PROVED",
        constants=(
            Constant(name="gamma/K", sharp="bound", printed=1, best=1, attained="a label not on top, a <= gamma"),
        ),
        second=Resists(least_probability, 12),
        coq={"PaperBandit.v:BanditProbabilities": "BanditEstimates.v:bandit_probabilities"},
    ),
)
