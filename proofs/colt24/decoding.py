"""Proposition 3 and Lemma 4 of COLT 2024: what randomized decoding pays, in units of the Fenchel-Young loss.

**Problem.** A finite set Y of outputs at distances of at least nu, a target loss that is affine in its first argument
on conv(Y) with L(y'; y) <= gamma ||y' - y||, and the Fenchel-Young loss S of a lambda-strongly convex Omega.

**Algorithm.** Randomized decoding: y* nearest to yhat(theta), at distance D*, with probability 1 - p, p = min(1, 2
D*/nu), else a random output of mean yhat(theta).

**Theoretical guarantee.** **Upper bounds**: S >= (lambda/2) ||y - yhat||^2, and E L <= 2 gamma D^2/nu <= 4 gamma
S/(lambda nu), where D = ||y - yhat||. If y* = y then E L <= p gamma D = 2 gamma D^2/nu; if not then D + D* >= nu, and
E L <= gamma (D + D* - 2 D*^2/nu), at most 2 gamma D^2/nu as 2 D^2 + 2 D*^2 >= (D + D*)^2; if p = 1 then D >= nu/2.
The factor 4 is the least: Y = {0, 1}, L = |y' - y|, S of Omega = v^2/2, theta = 1/2.

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Proposition 3, Lemma 4 and Appendix D.
"""

from fractions import Fraction

from sympy import Eq, Rational, log, symbols

from gaptron import (
    Argument,
    Breaks,
    Cases,
    Claim,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Resists,
    Shows,
    Use,
    When,
    stated,
)
from gaptron.instances.decoding import decoding, distances
from gaptron.numbers.evaluate import ball
from gaptron.symbols import p
from gaptron.theory import facts

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
nu, slope, lam = symbols("nu slope lam", positive=True)
dist, near, mix, sep, squares, apart, gone, dual = symbols(
    "dist near mix sep squares apart gone dual", nonnegative=True
)
risk, hit, between, S, S_there = symbols("risk hit between S S_there", real=True)
least, at_y, at_w, turn, drift = symbols("least at_y at_w turn drift", real=True)
a = symbols("a", real=True)
c, excess = symbols("c excess", positive=True)
half = Rational(1, 2)

conjugate = Lemma(
    name="COLT 2024, Proposition 3",
    source=f"{SOURCE}, Proposition 3",
    implications=(
        Implication(
            name="lower bound",
            statement="S is F(y) - F(yhat), F = Omega - <theta, .>",
            given=(Eq(S, at_y - least), least + lam * squares / 2 <= at_y),
            then=S >= lam * squares / 2,
        ),
        Implication(
            name="above the linearization",
            statement="yhat is no better than w = yhat(theta') at theta'",
            given=(Eq(S_there - S, turn + drift - (at_w - least)), at_w - least <= drift),
            then=S_there - S - turn >= 0,
        ),
        Implication(
            name="below a parabola",
            statement="<theta' - theta, w - yhat> <= r n",
            given=(
                Eq(S_there - S, turn + drift - (at_w - least)),
                least + lam * gone / 2 <= at_w,
                Eq(gone, apart**2),
                drift <= dual * apart,
            ),
            then=S_there - S - turn <= dual * apart - lam * apart**2 / 2,
        ),
        Implication(
            name="its vertex",
            statement="r n - (lambda/2) n^2 <= r^2/(2 lambda)",
            given=(),
            then=dual * apart - lam * apart**2 / 2 <= dual**2 / (2 * lam),
        ),
        Implication(
            name="below a quadratic",
            statement="both",
            given=(
                S_there - S - turn <= dual * apart - lam * apart**2 / 2,
                dual * apart - lam * apart**2 / 2 <= dual**2 / (2 * lam),
            ),
            then=S_there - S - turn <= dual**2 / (2 * lam),
        ),
    ),
)

proposition3 = Argument(
    name="COLT 2024, Proposition 3",
    setting="S the Fenchel-Young loss of Omega, yhat and w the regularized predictions at theta and theta', F "
    "being Omega "
    "less the inner product with theta; so S is differentiable in theta, with the gradient yhat - y",
    symbols={
        lam: "lambda", least: "F(yhat)", at_y: "F(y)", at_w: "F(w)", squares: "||y - yhat||^2", S: "S(theta; y)",
        S_there: "S(theta'; y)", turn: "<theta' - theta, yhat - y>", drift: "<theta' - theta, w - yhat>",
        dual: "the dual norm of theta' - theta", apart: "||w - yhat||", gone: "||w - yhat||^2",
    },
    hypotheses=(
        "F is lambda-strongly convex on a convex set",
        "F is least there at yhat",
        "y is in this convex set",
        "w is in this convex set",
        Eq(S, at_y - least),
        Eq(S_there - S, turn + drift - (at_w - least)),
        at_w - least <= drift,
        drift <= dual * apart,
        Eq(gone, apart**2),
    ),
    steps=(
        Use(facts.STRONG, {"f": "F", "u": "yhat", "y": "y", "s": "lambda"}),
        Use(facts.STRONG, {"f": "F", "u": "yhat", "y": "w", "s": "lambda"}),
        *conjugate.implications,
    ),
    conclusion=(
        S >= lam * squares / 2,
        S_there - S - turn >= 0,
        S_there - S - turn <= dual**2 / (2 * lam),
    ),
    example={lam: 1, least: 0, at_y: 1, at_w: 0, squares: 1, apart: 0, gone: 0, S: 1, S_there: 1, turn: 0, drift: 0,
        dual: 0},
)  # fmt: skip

PAID = risk <= 2 * slope * dist**2 / nu
DRAWN = Eq(risk, (1 - mix) * hit + mix * between)
AFFINE = between <= slope * dist
FAR, CLOSE = 2 * near > nu, 2 * near <= nu
SAME, OTHER = "y* = y", "not y* = y"
decoded = Lemma(
    name="COLT 2024, Lemma 4",
    source=f"{SOURCE}, Lemma 4",
    implications=(
        Implication(
            name="far",
            statement="p = 1: E L = L(yhat; y) <= gamma D, and nu <= 2 D* <= 2 D",
            given=(FAR, Eq(mix, 1), DRAWN, AFFINE, near <= dist),
            then=PAID,
        ),
        Implication(
            name="nearest output right",
            statement="L(y; y) = 0: E L <= p gamma D, p = 2 D/nu",
            given=(Eq(mix, 2 * near / nu), DRAWN, AFFINE, hit <= 0, Eq(near, dist), mix <= 1),
            then=PAID,
        ),
        Implication(
            name="mixed",
            statement="E L <= gamma ((1 - p)(D + D*) + p D)",
            given=(DRAWN, AFFINE, hit <= slope * sep, sep <= near + dist, mix <= 1),
            then=risk <= slope * (dist + (1 - mix) * near),
        ),
        Implication(
            name="two squares",
            statement="2 D^2 + 2 D*^2 >= (D + D*)^2 >= nu (D + D*)",
            given=(sep <= near + dist, sep >= nu),
            then=nu * (near + dist) <= 2 * dist**2 + 2 * near**2,
        ),
        Implication(
            name="nearest output wrong",
            statement="gamma (D + D* - 2 D*^2/nu) <= 2 gamma D^2/nu",
            given=(
                risk <= slope * (dist + (1 - mix) * near),
                Eq(mix, 2 * near / nu),
                nu * (near + dist) <= 2 * dist**2 + 2 * near**2,
            ),
            then=PAID,
        ),
        Implication(
            name="no more than 1",
            statement="p = 2 D*/nu <= 1",
            given=(CLOSE, Eq(mix, 2 * near / nu)),
            then=mix <= 1,
        ),
        Implication(
            name="in units of S",
            statement="D^2 <= 2 S/lambda",
            given=(PAID, S >= lam * dist**2 / 2),
            then=risk <= 4 * slope / (lam * nu) * S,
        ),
    ),
)

lemma4 = Argument(
    name="COLT 2024, Lemma 4",
    setting="Randomized decoding, y* nearest to yhat, the target loss affine in its first argument on the hull of "
    "the outputs",
    symbols={
        slope: "gamma", lam: "lambda", dist: "||y - yhat||", near: "||y* - yhat||", sep: "||y* - y||", mix: "p",
        risk: "E[L(psi(theta); y)]", hit: "L(y*; y)", between: "L(yhat; y)", S: "S(theta; y)",
    },
    hypotheses=(
        S >= lam * dist**2 / 2, DRAWN, AFFINE, near <= dist,
        When(FAR, (Eq(mix, 1),)), When(CLOSE, (Eq(mix, 2 * near / nu),)),
        When(SAME, (hit <= 0, Eq(near, dist))),
        When(OTHER, (hit <= slope * sep, sep <= near + dist, sep >= nu)),
    ),
    steps=(
        Cases(
            {
                FAR: (decoded["far"],),
                CLOSE: (
                    decoded["no more than 1"],
                    Cases(
                        {
                            SAME: (decoded["nearest output right"],),
                            OTHER: (decoded["mixed"], decoded["two squares"], decoded["nearest output wrong"]),
                        },
                        (PAID,),
                    ),
                ),
            },
            (PAID,),
        ),
        decoded["in units of S"],
    ),
    conclusion=risk <= 4 * slope / (lam * nu) * S,
    example={
        slope: 1, lam: 1, nu: 1, dist: 0, near: 0, sep: 0, mix: 0, risk: 0, hit: 0, between: 0, S: 0,
    },
)  # fmt: skip

constants = Lemma(
    name="COLT 2024, constants of decoding",
    source=f"{SOURCE}, section 3 and Appendix D",
    implications=(
        Implication(
            name="logistic, a tie",
            statement="two labels, natural logarithm, l1 norm, gamma/(lambda nu) = 1/4, theta = 0: E L = 1/2 and "
            "S = ln 2",
            given=(Eq(risk, half), Eq(S, log(2)), risk <= c / 4 * S),
            then=c >= 2 / log(2),
        ),
        Implication(
            name="midpoint",
            statement="Y = {0, 1}, Omega = v^2/2, theta = 1/2, y = 0: E L = 1/2, S = 1/8, gamma = lambda = nu = 1",
            given=(Eq(risk, half), Eq(S, Rational(1, 8)), risk <= c * S),
            then=c >= 4,
        ),
        Implication(
            name="the nearest output only",
            statement="the nearest output errs at a loss of 1 + epsilon",
            given=(Eq(risk, 1), Eq(S, 1 + excess), risk <= (1 - a) * S),
            then=a <= excess / (1 + excess),
        ),
        Implication(
            name="the random output only",
            statement="Y = {0, 1}, Omega = 5 v^2/2, theta = 5 v, y = 0: E L = v, S = 5 v^2/2, at v = 1/5",
            given=(Eq(risk, Rational(1, 5)), Eq(S, Rational(5, 2) * Rational(1, 25)), risk <= (1 - a) * S),
            then=a <= 0,
        ),
        Implication(
            name="the random output only, logistic",
            statement="1 - sigma <= -ln sigma",
            given=(p <= 1,),
            then=1 - p <= -log(p),
        ),
    ),
)
AT = {risk: half, S: 1, c: 4, a: -1, excess: 1}


def simplex(rng):
    """Lemma 4 on the simplex with the l1 norm and random costs: E L against (4 gamma/(lambda nu)) (lambda/2) D^2."""
    n = int(rng.integers(2, 5))
    outputs = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    raw = [Fraction(int(v)) for v in rng.integers(0, 9, n)]
    weights = [v / sum(raw) for v in raw] if sum(raw) else [Fraction(1, n)] * n
    cost = [
        [Fraction(int(v), 4) * (i != j) for j, v in enumerate(row)] for i, row in enumerate(rng.integers(0, 9, (n, n)))
    ]
    y = int(rng.integers(n))
    gamma_, nu_ = max(map(max, cost)) / 2, Fraction(2)
    pays = sum(q * cost[k][y] for k, q in enumerate(decoding(outputs, weights, nu_)))
    D = distances(outputs, weights, lambda z: sum(map(abs, z)))[y]
    return Instance({"weights": weights, "cost": cost, "y": y}, pays, 4 * gamma_ / nu_ * D**2 / 2)


def midpoint():
    """Y = {0, 1}, yhat = theta = 1/2, by the decoding itself: E L against 4 S."""
    pays = decoding([[Fraction(0)], [Fraction(1)]], [Fraction(1, 2)] * 2, Fraction(1))[1]
    return Instance({"Y": (0, 1), "theta": Fraction(1, 2), "y": 0}, pays, 4 * Fraction(1, 8), ">=")


def tie():
    """Two labels at theta = 0: E L = 1/2 against (c/4) ln 2 at c = 2/ln 2."""
    outputs = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    pays = decoding(outputs, [Fraction(1, 2)] * 2, Fraction(2))[1]
    return Instance({"theta": (0, 0), "y": 1}, pays, Fraction(1, 2), ">=")


def largest_gap():
    """The largest a of the random output is at least 1 - ln 2 (proved), where the claim says that none is above 0."""
    return Instance({"decoder": "label i with probability sigma_i", "a": "1 - ln 2"}, 1 - ball(2).log(), Fraction(0))


def clipped(rng):
    """SparseMAP on a cube, yhat the clipped theta: S = ||y - theta||^2/2 - ||yhat - theta||^2/2, lambda = 1."""
    theta = [Fraction(int(v), 4) for v in rng.integers(-8, 13, 3)]
    y = [Fraction(int(v)) for v in rng.integers(0, 2, 3)]
    near = [min(max(v, Fraction(0)), Fraction(1)) for v in theta]
    squares = [sum((u - v) ** 2 for u, v in zip(*pair, strict=True)) for pair in ((y, near), (y, theta), (near, theta))]
    return Instance({"theta": theta, "y": y}, squares[0] / 2, (squares[1] - squares[2]) / 2)


def more_than_is_left(rng):
    """theta_2 - theta_1 = ln(2^(1 + eps) - 1): (1 - a) S against 1, a a little above eps/(1 + eps)."""
    eps, more = Fraction(int(rng.integers(1, 40)), 8), Fraction(1, int(rng.integers(10, 1000)))
    ahead = ((ball(1 + eps) * ball(2).log()).exp() - 1).log()
    loss = (1 + ahead.exp()).log() / ball(2).log()
    return Instance({"eps": eps, "a": eps / (1 + eps) + more}, ball(1 - eps / (1 + eps) - more) * loss, 1, "<")


def nearly_one(rng):
    """The nearest output only: two labels whose scores differ by t > 0, S = log2(1 + e^t) -> 1, and any a > 0."""
    a = Fraction(1, int(rng.integers(2, 1000)))
    loss = (1 + ball(a).exp()).log() / ball(2).log()
    return Instance({"a": a, "t": a}, ball(1 - a) * loss, 1, "<")


def near_an_output(rng):
    """The random output only: Omega = 5 v^2/2 on [0, 1], lambda = 5 > 4 = 4 gamma/nu, y = 0, theta = 5 v."""
    v = Fraction(int(rng.integers(1, 40)), 100)
    theta = 5 * v
    best = max(theta * u - Fraction(5, 2) * u**2 for u in (Fraction(k, 100) for k in range(101)))
    return Instance({"theta": theta, "y": 0}, best, v, "<")


claims = (
    Claim(
        id="colt24/prop3",
        quote="S_Omega(theta; y) >= (lambda/2) ||y - yhat_Omega(theta)||^2 holds",
        source=f"{SOURCE}, section 2.2, Proposition 3",
        grounds=proposition3,
        recorded="PROVED",
        second=Resists(clipped, 100),
        finding="Strong convexity alone is used, not that Psi is of Legendre type.",
    ),
    Claim(
        id="colt24/lemma4",
        quote="the randomized decoding satisfies E[L(psi(theta); y)] <= (4 gamma/(lambda nu)) S(theta; y)",
        source=f"{SOURCE}, section 3, Lemma 4",
        grounds=lemma4,
        recorded="PROVED",
        second=Resists(simplex, 100),
    ),
    Claim(
        id="colt24/lemma4-constant",
        quote="the multiplicative constant c cannot be smaller than 2/ln 2 (about 2.89) in general",
        source=f"{SOURCE}, Appendix D",
        grounds=stated(
            constants["logistic, a tie"], "Two labels at a tie, natural logarithm", {risk: half, S: log(2), c: 4}
        ),
        recorded="PROVED",
        finding="It holds at the tie itself; the least constant is 4: colt24/lemma4-constant-least.",
        second=Shows(tie),
    ),
    Claim(
        id="colt24/lemma4-constant-least",
        kind="improvement",
        source=f"{SOURCE}, Appendix D (not claimed there)",
        grounds=stated(
            constants["midpoint"],
            "The midpoint of two outputs, with quadratic Omega; Lemma 4 says that the constant four is enough",
            {risk: half, S: Rational(1, 8), c: 4},
        ),
        recorded="PROVED",
        second=Shows(midpoint),
    ),
    Claim(
        id="colt24/deterministic-gap",
        quote="only a surrogate gap with a <= eps/(1+eps) is left",
        source=f"{SOURCE}, section 3, Necessity of mixing",
        grounds=stated(
            constants["the nearest output only"],
            "Two labels, base-two logistic loss, a wrong nearest output",
            {risk: 1, S: 2, excess: 1, a: 0},
        ),
        recorded="PROVED",
        second=Resists(more_than_is_left, 60),
    ),
    Claim(
        id="colt24/mixing-necessary",
        quote="either strategy alone does not yield the desired surrogate gap",
        source=f"{SOURCE}, section 3, Necessity of mixing",
        grounds=(
            stated(
                constants["the nearest output only"],
                "The nearest output only, base-two logistic loss, for every positive excess over one",
                {risk: 1, S: 2, excess: 1, a: 0},
            ),
            stated(
                constants["the random output only"],
                "The random output only, two outputs at distance one, Omega five halves of the square",
                {risk: Rational(1, 5), S: Rational(1, 10), a: -1},
            ),
        ),
        recorded="PROVED",
        second=(Resists(nearly_one, 60), Resists(near_an_output, 60)),
        finding="For the random output alone the setting must be another one than that of section 5: "
        "colt24/mixing-necessary-logistic.",
    ),
    Claim(
        id="colt24/mixing-necessary-logistic",
        kind="reading",
        quote="either strategy alone does not yield the desired surrogate gap",
        source=f"{SOURCE}, sections 3 and 5 (the same sentence, in the setting of section 5)",
        statement="multiclass classification, base-2 logistic loss: for the decoder that returns label i with "
        "probability "
        "sigma_i(theta) no a > 0 has E L <= (1 - a) S for all theta, y",
        tex=r"\sup\{a : \mathbb{E}[L] \le (1 - a) S\} \le 0",
        grounds=Breaks(largest_gap),
        recorded="REFUTED",
        finding="1 - sigma <= -ln sigma = ln 2 S: the random label has a = 1 - ln 2, as Lemma 4 gives for the "
        "mixture. The "
        "sentence is true of other settings: colt24/mixing-necessary.",
        corrected=Corrected(
            statement="the decoder that returns label i with probability sigma_i has E L <= ln 2 S, a = 1 - ln 2",
            grounds=stated(constants["the random output only, logistic"], "Any number of labels", {p: half}),
        ),
    ),
)
