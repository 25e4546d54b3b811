"""Slides: the abstention gap, and a surrogate gap with an abstention cost.

**Problem.** Experts i = 1, ..., d predict y^i in [-1, 1]. The learner predicts a label y' in [-1, 1] and suffers
l(y') = (1 - y y')/2 for the label y = -1 or 1, or abstains and suffers c < 1/2. The number of rounds is not bounded.

**Algorithm.** AdaHedge gives weights on the experts, and v is the weighted mean of their predictions. The learner
predicts y* = sign v with probability 1 - b and abstains with probability b = 1 - |v|.

**Theoretical guarantee.** **Upper bound**, from the AdaHedge bound of the slides, which is taken as known: for every
expert i, with all costs at most c,

    sum [(1 - b) l(y*) + b c] <= sum l(y^i) + ln(d)/(1 - 2 c) + (4/3) ln(d) + 2.

The abstention gap (1 - b) l(y*) + b c - l(v) + eta var is -(1/2 - c) b + eta var with var <= (1 - v^2)/4 <= b/2, hence
at most 0 for eta <= 1 - 2 c. **Tight**: if all experts predict -1 or 1, then var = (1 - v^2)/4, and the gap is positive
if eta (1 + |v|) > 2 - 4 c and |v| < 1; so no eta above 1 - 2 c makes it at most 0 for all v.

The last slide replaces the uniform guess of Gaptron by abstention at a cost c < 1. For an H-smooth loss of two labels
as in "Choosing a_t and eta for smooth losses" (||g||^2 <= 2 H l, the losses of the two labels sum to at least 2) and
a the loss of the predicted label, eta = (1 - c)/(2 H) makes the gap at most 0. This gives the surrogate regret
H ||U||^2/(1 - c), of the printed order, H being proportional to X^2.

**References.** Slides "Exploiting the Surrogate Gap in Online Multiclass Classification", "Inspiration from
classification with abstention"; Neu and Zhivotovskiy 2020.
"""

from fractions import Fraction

from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    Cite,
    Claim,
    Constant,
    Implication,
    Instance,
    Lemma,
    Let,
    Resists,
    Rests,
    Rounds,
)

v, y, star, expert, mean, gap = symbols("v y star expert mean gap", real=True)
size, part, mass, cost, var = symbols("size part mass cost var", nonnegative=True)
abstain, squares, excess, gaps, varied = symbols("abstain squares excess gaps varied", real=True)
deviation, deviations = symbols("deviation deviations", real=True)
eta, H, log_d = symbols("eta H log_d", positive=True)
loss, top, other = symbols("loss top other", nonnegative=True)

IDENTITY = Eq(
    (1 - abstain) * (1 - y * star) / 2 + abstain * cost - (1 - y * v) / 2,
    -(Rational(1, 2) - cost) * abstain,
    evaluate=False,
)
GAP = (1 - abstain) * (1 - y * star) / 2 + abstain * cost - (1 - y * v) / 2 + eta * var

abstention = Lemma(
    name="Abstention gap",
    source="slides, Inspiration from classification with abstention",
    implications=(
        Implication(
            name="identity",
            statement="(1 - b) l(y*) + b c - l(v) = -(1/2 - c) b, with v = y* |v|, b = abstain = 1 - |v|, size = |v|",
            given=(Eq(v, star * size), Eq(abstain, 1 - size)),
            then=IDENTITY,
        ),
        Implication(
            name="one expert",
            statement="(l(v) - l(y^i))^2 = (y^i - v)^2/4, since y^2 = 1",
            given=(Eq(y**2, 1), Eq(varied, part * ((1 - y * v) / 2 - (1 - y * expert) / 2) ** 2)),
            then=Eq(4 * varied, part * (expert - v) ** 2),
        ),
        Implication(
            name="second moment",
            statement="sum of p_i (y^i)^2 <= sum of p_i since -1 <= y^i <= 1: one more expert",
            given=(
                deviations + 2 * v * mean - v**2 * mass <= mass,
                expert >= -1,
                expert <= 1,
                Eq(deviation, part * (expert - v) ** 2),
            ),
            then=deviations + deviation + 2 * v * (mean + part * expert) - v**2 * (mass + part) <= mass + part,
        ),
        Implication(
            name="variance",
            statement="all weights: mass = 1, mean = v: the sum of p_i (y^i - v)^2 is at most 1 - v^2 = 1 - |v|^2",
            given=(
                deviations + 2 * v * mean - v**2 * mass <= mass,
                Eq(mean, v),
                Eq(mass, 1),
                Eq(v, star * size),
                Eq(star**2, 1),
                Eq(4 * var, deviations),
            ),
            then=var <= (1 - size**2) / 4,
        ),
        Implication(
            name="variance against b",
            statement="var <= (1 - v^2)/4 = b (1 + |v|)/4 <= b/2",
            given=(var <= (1 - size**2) / 4, size <= 1, Eq(abstain, 1 - size)),
            then=var <= abstain / 2,
        ),
        Implication(
            name="gap",
            statement="-(1/2 - c) b + eta var <= 0 for every eta <= 1 - 2 c",
            given=(eta <= 1 - 2 * cost, var <= abstain / 2, IDENTITY),
            then=GAP <= 0,
        ),
        Implication(
            name="gap at one v",
            statement="the gap is at most 0 if eta (1 + |v|) <= 2 - 4 c",
            given=(
                eta * (1 + size) <= 2 - 4 * cost,
                Eq(abstain, 1 - size),
                abstain >= 0,
                var <= abstain * (1 + size) / 4,
            ),
            then=-(Rational(1, 2) - cost) * abstain + eta * var <= 0,
        ),
        Implication(
            name="gap at one v is tight",
            statement="experts in {-1, 1}: the gap is positive if eta (1 + |v|) > 2 - 4 c and |v| < 1",
            given=(
                eta * (1 + size) > 2 - 4 * cost,
                Eq(abstain, 1 - size),
                abstain > 0,
                Eq(var, abstain * (1 + size) / 4),
            ),
            then=-(Rational(1, 2) - cost) * abstain + eta * var > 0,
        ),
        Implication(
            name="one more round",
            statement="gaps that are at most 0 sum to at most 0",
            given=(gap <= 0, gaps <= 0),
            then=gaps + gap <= 0,
        ),
        Implication(
            name="constant regret",
            statement="log_d = ln(d); at eta = 1 - 2 c > 0 the gaps sum to at most 0",
            given=(Eq(eta, 1 - 2 * cost), gaps <= 0, excess <= log_d / eta + gaps + Rational(4, 3) * log_d + 2),
            then=excess <= log_d / (1 - 2 * cost) + Rational(4, 3) * log_d + 2,
        ),
    ),
)

costly_guess = Lemma(
    name="Surrogate gap with an abstention cost",
    source="slides, Inspiration from classification with abstention, last slide",
    implications=(
        Implication(
            name="right round",
            statement="a = l abstains at cost c: gap a c - l + (eta/2) ||g||^2 <= 0",
            given=(cost < 1, squares <= 2 * H * loss, Eq(eta, (1 - cost) / (2 * H))),
            then=loss * cost - loss + eta * squares / 2 <= 0,
        ),
        Implication(
            name="wrong round, gradient",
            statement="at eta = (1 - c)/(2 H): (eta/2) ||g||^2 <= (1 - c)/2 times the loss",
            given=(cost < 1, squares <= 2 * H * loss, Eq(eta, (1 - cost) / (2 * H))),
            then=eta * squares / 2 <= (1 - cost) * loss / 2,
        ),
        Implication(
            name="wrong round",
            statement="a = top: gap (1 - a) + a c - l(y) + (eta/2) ||g||^2 <= 0",
            given=(cost < 1, top <= 1, top + other >= 2, eta * squares / 2 <= (1 - cost) * other / 2),
            then=1 - top + top * cost - other + eta * squares / 2 <= 0,
        ),
        Implication(
            name="regret",
            statement="(1 - c)/(2 eta) = H at eta = (1 - c)/(2 H), hence 1/(2 eta) = H/(1 - c)",
            given=(cost < 1, Eq(eta, (1 - cost) / (2 * H))),
            then=Eq((1 - cost) / (2 * eta), H, evaluate=False),
        ),
    ),
)

READS = {
    star: "y*", size: "|v|", abstain: "b", cost: "c", part: "p_i", expert: "y^i", mass: "sum p_i", mean: "sum p_i y^i",
    deviations: "sum p_i (y^i - v)^2", deviation: "p_i (y^i - v)^2",
}  # fmt: skip
TOP = (Eq(v, star * size), Eq(abstain, 1 - size))

identity = Argument(
    name="abstention identity",
    setting="A top label y*, right or wrong, and losses in one half of one minus the product with the label",
    symbols=READS,
    hypotheses=TOP,
    steps=(abstention["identity"],),
    conclusion=IDENTITY,
    example={v: 0, size: 0, star: 1, abstain: 1, cost: 0, y: 1},
)

spread = Argument(
    name="variance of the experts",
    setting="Any number of experts with weights",
    symbols=READS,
    hypotheses=(expert >= -1, expert <= 1),
    steps=(
        Let(deviation, part * (expert - v) ** 2),
        Rounds(
            invariant=deviations + 2 * v * mean - v**2 * mass <= mass,
            state={
                deviations: (0, deviations + deviation),
                mean: (0, mean + part * expert),
                mass: (0, mass + part),
            },
            step=abstention["second moment"],
            fixed=(v,),
        ),
    ),
    conclusion=deviations + 2 * v * mean - v**2 * mass <= mass,
    example={v: 0, expert: 1, part: 1, mean: 0, mass: 0, deviations: 0},
)

no_gap = Argument(
    name="abstention gap",
    setting="Experts in the interval from minus one to one with mean v, var their variance over four",
    symbols=READS,
    hypotheses=(
        *TOP,
        Eq(star**2, 1),
        Eq(mass, 1),
        Eq(mean, v),
        Eq(4 * var, deviations),
        size <= 1,
        eta <= 1 - 2 * cost,
        expert >= -1,
        expert <= 1,
    ),
    steps=(
        Cite(spread),
        abstention["variance"],
        abstention["variance against b"],
        abstention["identity"],
        abstention["gap"],
    ),
    conclusion=GAP <= 0,
    example={v: 0, star: 1, size: 0, abstain: 1, mass: 1, mean: 0, var: Rational(1, 4), deviations: 1, expert: 1}
    | {cost: 0, eta: 1, y: 1},
)

one_loss = Argument(
    name="variance of the losses",
    setting="The deviation of one expert's loss from that of the mean, with its weight",
    symbols=READS,
    hypotheses=(Eq(y**2, 1), Eq(varied, part * ((1 - y * v) / 2 - (1 - y * expert) / 2) ** 2)),
    steps=(abstention["one expert"],),
    conclusion=Eq(4 * varied, part * (expert - v) ** 2),
    example={y: 1, part: 1, v: 0, expert: 1, varied: Rational(1, 4)},
)

tight = Argument(
    name="largest rate",
    setting="Experts that predict minus one or one, so that the variance is as large as it can be",
    symbols=READS,
    hypotheses=(
        eta * (1 + size) > 2 - 4 * cost,
        Eq(abstain, 1 - size),
        abstain > 0,
        Eq(var, abstain * (1 + size) / 4),
    ),
    steps=(abstention["gap at one v is tight"],),
    conclusion=-(Rational(1, 2) - cost) * abstain + eta * var > 0,
    example={eta: 3, size: 0, cost: 0, abstain: 1, var: Rational(1, 4)},
)

adahedge = Argument(
    name="constant regret",
    setting="Any number of rounds with a gap that is at most zero in each, by the Lemma of the slides on AdaHedge",
    symbols={cost: "c", log_d: "ln(d)", excess: "excess over expert i", gap: "gap", gaps: "sum of the gaps"},
    hypotheses=(gap <= 0,),
    steps=(Rounds(invariant=gaps <= 0, state={gaps: (0, gaps + gap)}, step=abstention["one more round"]),),
    conclusion=gaps <= 0,
    example={gap: 0, gaps: 0},
)

constant_regret = Argument(
    name="abstention bound",
    setting="Costs of at most c below one half and any number of rounds, by the Lemma of the slides on AdaHedge, which "
    "is the last hypothesis",
    symbols={cost: "c", log_d: "ln(d)", excess: "excess over expert i", gap: "gap", gaps: "sum of the gaps"},
    hypotheses=(gap <= 0, Eq(eta, 1 - 2 * cost), excess <= log_d / eta + gaps + Rational(4, 3) * log_d + 2),
    steps=(Cite(adahedge), abstention["constant regret"]),
    conclusion=excess <= log_d / (1 - 2 * cost) + Rational(4, 3) * log_d + 2,
    example={gap: 0, gaps: 0, eta: 1, cost: 0, log_d: 1, excess: 0},
)


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


SOURCE = "slides, Inspiration from classification with abstention"

claims = (
    Claim(
        id="slides/abstention-identity",
        kind="derived",
        source=SOURCE,
        grounds=identity,
        recorded="PROVED",
        second=Resists(random_identity, 100),
    ),
    Claim(
        id="slides/abstention-gap",
        kind="derived",
        quote=r"(1 - b_t)\ell_t(y_t^*) + b_t c_t + \eta v_t - \ell_t(\hat{y}_t)",
        source=SOURCE,
        grounds=(no_gap, one_loss, tight),
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
        grounds=(Rests("slides/abstention-gap"), constant_regret),
        recorded="PROVED",
        finding="The Lemma, a known bound of AdaHedge, is taken as a premise: it is not proved here. Costs that vary "
        "are covered: the gap at eta = 1 - 2 c is at most 0 for every c_t <= c.",
    ),
)
