"""Slides: the abstention gap.

**Problem.** Experts i = 1, ..., d predict y^i in [-1, 1]. The learner predicts a label y' in [-1, 1] and suffers
l(y') = (1 - y y')/2 for the label y = -1 or 1, or abstains and suffers c < 1/2. The number of rounds is not bounded.

**Algorithm.** AdaHedge gives weights on the experts, and v is the weighted mean of their predictions. The learner
predicts y* = sign v with probability 1 - b and abstains with probability b = 1 - |v|.

**Theoretical guarantee.** **Upper bound**, from the Lemma of the slides, that the regret of AdaHedge is at most
ln(d)/eta + eta sum var + (4/3) ln(d) + 2 for every eta > 0: for every expert i, with all costs at most c,

    sum [(1 - b) l(y*) + b c] <= sum l(y^i) + ln(d)/(1 - 2 c) + (4/3) ln(d) + 2.

The abstention gap (1 - b) l(y*) + b c - l(v) + eta var is -(1/2 - c) b + eta var with var <= (1 - v^2)/4 <= b/2, hence
at most 0 for eta <= 1 - 2 c. **Tight**: if all experts predict -1 or 1, then var = (1 - v^2)/4, and the gap is positive
if eta (1 + |v|) > 2 - 4 c and |v| < 1; so no eta above 1 - 2 c makes it at most 0 for all v.

**References.** Slides "Exploiting the Surrogate Gap in Online Multiclass Classification", "Inspiration from
classification with abstention"; Neu and Zhivotovskiy 2020; de Rooij, van Erven, Grunwald, Koolen 2014 (AdaHedge).
"""

from fractions import Fraction

from sympy import symbols

from gaptron import Claim, Constant, InProof, Instance, Resists

cost = symbols("cost", nonnegative=True)


def fractions(rng, n):
    """n fractions in [-1, 1]."""
    return [Fraction(int(v), 12) for v in rng.integers(-12, 13, n)]


def experts(rng):
    """Weights and predictions of up to five experts, a label, a cost and the mean prediction."""
    n = int(rng.integers(1, 6))
    weights = [Fraction(int(w)) for w in rng.integers(1, 9, n)]
    shares = [w / sum(weights) for w in weights]
    predictions = fractions(rng, n) if rng.integers(2) else [Fraction(int(v)) for v in rng.choice((-1, 1), n)]
    mean = sum(p * v for p, v in zip(shares, predictions, strict=True))
    return shares, predictions, int(rng.choice((-1, 1))), Fraction(int(rng.integers(0, 12)), 24), mean


def suffered(prediction, label):
    return Fraction(1 - label * prediction) / 2


def random_identity(rng):
    """Both sides of the identity, from the definitions; both signs count as that of 0."""
    *_, label, c, mean = experts(rng)
    top = (mean > 0) - (mean < 0) or int(rng.choice((-1, 1)))
    b = 1 - abs(mean)
    left = (1 - b) * suffered(top, label) + b * c - suffered(mean, label)
    return Instance({"v": mean, "y": label, "y*": top, "c": c}, left, -(Fraction(1, 2) - c) * b, "=")


def random_gap(rng):
    """The abstention gap at eta = 1 - 2 c, from the definitions."""
    shares, predictions, label, c, mean = experts(rng)
    b, top = 1 - abs(mean), -1 if mean < 0 else 1
    losses = [suffered(v, label) for v in predictions]
    var = sum(p * (suffered(mean, label) - value) ** 2 for p, value in zip(shares, losses, strict=True))
    gap = (1 - b) * suffered(top, label) + b * c - suffered(mean, label) + (1 - 2 * c) * var
    return Instance({"p": shares, "y^i": predictions, "y": label, "c": c}, gap, 0)


FILE = "abstention.proof"
SOURCE = "slides, Inspiration from classification with abstention"

claims = (
    Claim(
        id="slides/abstention-identity",
        kind="derived",
        source=SOURCE,
        statement="(1 - b) l(y*) + b c - l(v) = -(1/2 - c) b, b = 1 - abs(v), y* = sign v, for every cost c",
        grounds=InProof(FILE, "slides/abstention-identity"),
        recorded="PROVED",
        second=Resists(random_identity, 100),
    ),
    Claim(
        id="slides/abstention-gap",
        kind="derived",
        quote=r"(1 - b_t)\ell_t(y_t^*) + b_t c_t + \eta v_t - \ell_t(\hat{y}_t)",
        source=SOURCE,
        statement="the abstention gap is at most b (eta - (1 - 2 c))/2, so at most 0 for eta <= 1 - 2 c; "
        "for experts in {-1, 1} it is b (eta (1 + abs(v)) - (2 - 4 c))/4",
        grounds=InProof(FILE, "slides/abstention-gap"),
        recorded="PROVED",
        finding="1 - 2 c is the largest eta: with experts in {-1, 1} the gap is positive where eta (1 + abs(v)) > 2 - "
        "4 c.",
        constants=(
            Constant(
                name="eta",
                sharp="argument",
                printed=1 - 2 * cost,
                best=1 - 2 * cost,
                attained="experts in {-1, 1}, abs(v) near 1",
            ),
        ),
        second=Resists(random_gap, 100),
    ),
    Claim(
        id="slides/abstention-bound",
        kind="derived",
        source=SOURCE,
        statement="costs of at most c < 1/2, every expert i: sum [(1 - b) l(y*) + b c_t] <= sum l(y^i) + "
        "ln(d)/(1 - 2 c) + (4/3) ln(d) + 2, by the Lemma of the slides on AdaHedge",
        grounds=InProof(FILE, "slides/abstention-bound"),
        recorded="PROVED",
        finding="The Lemma is proved, with its constants, for AdaHedge as de Rooij et al. define it, with the leaders "
        "alone while its mixability gap is 0. Costs that vary are covered: the gap at eta = 1 - 2 c is at most 0 for "
        "every c_t <= c.",
    ),
)
