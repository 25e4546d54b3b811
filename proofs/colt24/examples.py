"""Section 2.3 and Appendices B and C of COLT 2024: the constants of the examples.

**Problem.** Finite sets of outputs with a norm, a target loss and a regularizer: gamma, nu, lambda and the condition
lambda > 4 gamma/nu.

**Algorithm.** None: these are constants of the setting. Proposition 14 finds the nearest ranking by sorting.

**Theoretical guarantee.** **Constants.** (sum z)^2 <= (sum z^2/v)(sum v) is the curvature of the entropy in the l1
norm, and with v = 1 the comparison of the l1 and l2 norms. For rankings as vectors of ranks L(y'; y) = <y - mean, y -
y'>/M with ||y - mean||^2 = M/2: the least gamma is sqrt(3/(d (d^2 - 1))), more than what is printed, and the
condition holds from d = 4 on.

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, sections 2.3 and 4.1, Appendices B and C.
"""

from fractions import Fraction

from sympy import Eq, Lt, Rational, log, symbols

from gaptron import (
    Argument,
    Breaks,
    Cite,
    Claim,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Resists,
    Rounds,
    Shows,
    Use,
    stated,
)
from gaptron.numbers.evaluate import ball
from gaptron.symbols import d, p
from gaptron.theory import facts

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
v, n, mu, nu, lam, slope, root, M, radius = symbols("weight_v n mu nu lam slope root M radius", positive=True)
mass, quotients, rows, rest, away = symbols("mass quotients rows rest away", nonnegative=True)
total, z, y_i, loss, S, entropy, best, at_y, turn = symbols("total z y_i loss S entropy best at_y turn", real=True)
inner = symbols("inner", real=True)
norm_c, squares = symbols("norm_c squares", nonnegative=True)

GROWS = total**2 <= quotients * mass
curvature = Lemma(
    name="COLT 2024, sums of quotients",
    source=f"{SOURCE}, section 2.3",
    implications=(
        Implication(
            name="one more quotient",
            statement="(s + z)^2 <= (Q + z^2/v)(V + v)",
            given=(GROWS,),
            then=(total + z) ** 2 <= (quotients + z**2 / v) * (mass + v),
        ),
        Implication(
            name="mass 1",
            statement="(sum z)^2 <= sum z^2/v on the simplex: the entropy is 1-strongly convex in the l1 norm",
            given=(GROWS, Eq(mass, 1)),
            then=total**2 <= quotients,
        ),
        Implication(
            name="mass n",
            statement="(sum z)^2/n <= sum z^2/v on the Birkhoff polytope, divided by mu",
            given=(GROWS, Eq(mass, n)),
            then=total**2 / (n * mu) <= quotients / mu,
        ),
        Implication(
            name="mass d",
            statement="v = 1: ||z||_1^2 <= d ||z||_2^2",
            given=(GROWS, Eq(mass, d)),
            then=(total / d) ** 2 <= quotients / d,
        ),
    ),
)
QUOTIENTS = {total: "sum of z", quotients: "sum of the quotients", mass: "sum of v", v: "v"}
ZERO = {total: 0, quotients: 0, mass: 0, v: 1, z: 0}
all_quotients = Argument(
    name="sums of quotients",
    setting="Any number of coordinates, z any number and v positive in each, the quotient being the square of z over v",
    symbols=QUOTIENTS,
    hypotheses=(),
    steps=(
        Rounds(
            invariant=GROWS,
            state={total: (0, total + z), quotients: (0, quotients + z**2 / v), mass: (0, mass + v)},
            step=curvature["one more quotient"],
        ),
    ),
    conclusion=GROWS,
    example=ZERO,
)


def curved(name, setting, hypothesis, example):
    """The sum of quotients for one sum of v."""
    return Argument(
        name=f"sums of quotients, {name}",
        setting=setting,
        symbols=QUOTIENTS,
        hypotheses=(hypothesis,),
        steps=(Cite(all_quotients), curvature[name]),
        conclusion=curvature[name].then,
        example=ZERO | example,
    )


examples = Lemma(
    name="COLT 2024, examples",
    source=f"{SOURCE}, sections 2.3 and 4.1",
    implications=(
        Implication(
            name="target of labels",
            statement="1 - y_i is half the l1 distance to e_i, and L(e_j; e_i) = 1 at distance 2",
            given=(Eq(y_i + rest, 1), Eq(loss, rest)),
            then=Eq(loss, ((1 - y_i) + rest) / 2, evaluate=False),
        ),
        Implication(
            name="least, labels",
            statement="1 <= 2 gamma",
            given=(loss <= slope * 2, Eq(loss, 1)),
            then=slope >= Rational(1, 2),
        ),
        Implication(
            name="least, cube",
            statement="opposite corners: 1 <= gamma sqrt(d)",
            given=(loss <= slope * root, Eq(loss, 1), Eq(root**2, d)),
            then=slope >= 1 / root,
        ),
        Implication(
            name="loss of SparseMAP",
            statement="Omega*(theta) = <theta, yhat> - ||yhat||^2/2: S = ||y - theta||^2/2 - ||yhat - theta||^2/2",
            given=(Eq(S, turn - best / 2 + at_y / 2 - inner),),
            then=Eq(S, (at_y - 2 * inner + squares) / 2 - (best - 2 * turn + squares) / 2, evaluate=False),
        ),
        Implication(
            name="condition, cube", statement="1 > 4/sqrt(d)", given=(Eq(root**2, d), 1 > 4 / root), then=d > 16
        ),
        Implication(
            name="condition, cube, back", statement="d > 16", given=(Eq(root**2, d), d > 16), then=1 > 4 / root
        ),
        Implication(
            name="undivided",
            statement="gamma = sqrt(d), nu = 1",
            given=(lam > 4 * slope / nu, Eq(slope, root), Eq(nu, 1), Eq(root**2, d)),
            then=lam > 4 * root,
        ),
        Implication(
            name="target of rankings",
            statement="each mismatched row is at l1 distance 2",
            given=(Eq(away, 2 * rows), Eq(loss, rows / n)),
            then=Eq(loss, away / (2 * n), evaluate=False),
        ),
        Implication(
            name="two rows",
            statement="two rankings differ in two rows",
            given=(Eq(away, 2 * rows), rows >= 2),
            then=away >= 4,
        ),
        Implication(
            name="loss of rankings",
            statement="Omega(y) = 0",
            given=(Eq(S, turn + entropy / mu - inner),),
            then=Eq(S, (turn - inner) + entropy / mu, evaluate=False),
        ),
        Implication(
            name="condition, rankings",
            statement="1/(n mu) > 4/(2 n)/4",
            given=(1 / (n * mu) > 4 / (2 * n) / 4,),
            then=mu < 2,
        ),
        Implication(
            name="condition, rankings, back", statement="mu < 2", given=(mu < 2,), then=1 / (n * mu) > 4 / (2 * n) / 4
        ),
        Implication(name="base 2", statement="1/ln 2 > 4 (1/2)/2", given=(), then=Lt(1, 1 / log(2), evaluate=False)),
    ),
)

vectors = Lemma(
    name="COLT 2024, vectors of ranks",
    source=f"{SOURCE}, Appendix C.1",
    implications=(
        Implication(
            name="least gamma",
            statement="L = <y - mean, y - y'>/M, ||y - mean||^2 = M/2, M = d (d^2 - 1)/6",
            given=(
                Eq(loss * M, inner),
                inner**2 <= norm_c * squares,
                Eq(norm_c, M / 2),
                Eq(M, d * (d**2 - 1) / 6),
                d >= 2,
            ),
            then=loss**2 * (d * (d**2 - 1)) <= 3 * squares,
        ),
        Implication(
            name="from 4 on",
            statement="lambda = 1, nu = sqrt(2), gamma^2 = 3/(d (d^2 - 1)): (4 gamma/nu)^2 < 1",
            given=(d >= 4, Eq(slope**2 * (d * (d**2 - 1)), 3)),
            then=16 * slope**2 / 2 < 1,
        ),
    ),
)
ranks = Argument(
    name="COLT 2024, vectors of ranks",
    setting="Vectors of ranks from d down to one in any order, y' in their hull, o the vector of the mean rank",
    symbols={
        loss: "L(y'; y)", inner: "<y - o, y - y'>", norm_c: "||y - o||^2", squares: "||y - y'||^2", M: "M",
    },
    hypotheses=(Eq(loss * M, inner), Eq(norm_c, M / 2), Eq(M, d * (d**2 - 1) / 6), d >= 2),
    steps=(Use(facts.CAUCHY_SCHWARZ, {"u": "y - o", "v": "y - y'"}), vectors["least gamma"]),
    conclusion=vectors["least gamma"].then,
    example={loss: 0, inner: 0, norm_c: Rational(1, 2), squares: 0, M: 1, d: 2},
)  # fmt: skip

probability = Lemma(
    name="COLT 2024, conditional random field",
    source=f"{SOURCE}, Appendix B",
    implications=(
        Implication(
            name="Pinsker", statement="-ln P >= 2 (1 - P)^2", given=(p <= 1,), then=-log(p) >= 2 * (1 - p) ** 2
        ),
        Implication(
            name="marginals",
            statement="||yhat - y||_1 <= (1 - P) 2 R, R = max ||y||_1",
            given=(Eq(S, -log(p)), -log(p) >= 2 * (1 - p) ** 2, away <= (1 - p) * 2 * radius),
            then=S >= away**2 / (2 * radius**2),
        ),
        Implication(name="cube", statement="R <= d", given=(radius <= d, Eq(lam, 1 / radius**2)), then=lam >= 1 / d**2),
    ),
)
field = Argument(
    name="COLT 2024, conditional random field",
    setting="P the probability of the output y, yhat the mean output",
    symbols={p: "P(y)", S: "S(theta; y)", away: "||yhat - y||_1", radius: "R"},
    hypotheses=(p <= 1, Eq(S, -log(p)), away <= (1 - p) * 2 * radius),
    steps=(probability["Pinsker"], probability["marginals"]),
    conclusion=probability["marginals"].then,
    example={p: 1, S: 0, away: 0, radius: 1},
)


def reversed_ranks():
    """d = 3, y = (3, 2, 1), y' = (1, 2, 3), squared: L = 1, ||y - y'||^2 = 8, gamma^2 = 7/72/4."""
    return Instance({"d": 3, "y": (3, 2, 1), "y'": (1, 2, 3)}, 1, Fraction(7, 72) / 4 * 8)


def norm_of_ranks():
    """(||y||_2/M)^2 against the printed gamma^2 at d = 3: 14/16 against 7/288."""
    return Instance({"d": 3, "y": (3, 2, 1), "M": 4}, Fraction(14, 16), Fraction(7, 72) / 4, "=")


def middle_ranks():
    """d = 3, y = (3, 2, 1), y' = (2, 2, 2): L = 1/2 at distance sqrt(2), so gamma^2 >= 1/8; 1 > 16 gamma^2/nu^2."""
    return Instance({"d": 3, "y": (3, 2, 1), "y'": (2, 2, 2)}, 1, 16 * Fraction(1, 8) / 2, ">")


def least_on_vertices():
    """The same by y' = (1, 2, 3): 1 <= gamma sqrt(8)."""
    return Instance({"d": 3, "y": (3, 2, 1), "y'": (1, 2, 3)}, 1, 16 * Fraction(1, 8) / 2, ">")


def middle_scores():
    """d = 3, theta = (2, 2, 2) = yhat, y = (3, 2, 1): p = 1, E L = 1/2, S = 1, squared against 16 gamma^2/nu^2."""
    return Instance({"d": 3, "theta": (2, 2, 2), "y": (3, 2, 1)}, Fraction(1, 4), 16 * Fraction(7, 288) / 2)


def random_quotients(rng):
    """Four coordinates."""
    zs = [Fraction(int(k), 3) for k in rng.integers(-9, 10, 4)]
    vs = [Fraction(int(k), 3) for k in rng.integers(1, 10, 4)]
    left, right = sum(zs) ** 2, sum(a**2 / b for a, b in zip(zs, vs, strict=True)) * sum(vs)
    return Instance({"z": zs, "v": vs}, left, right)


on_simplex = curved("mass 1", "The simplex, z a change and v a point of it", Eq(mass, 1), {mass: 1})
on_cube = curved("mass d", "A cube of d dimensions, every v being one: norms of z", Eq(mass, d), {mass: 1, d: 1})
LABELS = {y_i: 1, rest: 0, loss: 0}
CORNERS = {loss: 1, slope: 1, root: 1, d: 1}
LARGE = {root: 5, d: 25}
OPPOSITE = stated(examples["least, cube"], "Opposite corners", CORNERS)
ENOUGH = (
    stated(examples["condition, cube"], "The condition, with the square root of d", LARGE),
    stated(examples["condition, cube, back"], "The same, back", LARGE),
)
RANKED = {n: 1, mu: 1}


def counted_corners(rng):
    """gamma^2 is the largest (k/n)^2/k over corners that differ in k of n entries: 16 gamma^2 < 1, and n > 16."""
    n = int(rng.integers(2, 40))
    gamma2 = max(Fraction(k, n) ** 2 / k for k in range(1, n + 1))
    return Instance({"d": n}, int(16 * gamma2 < 1), int(n > 16), "=")


def by_factorials():
    """e > 1 + 1 + 1/2 + 1/6 > 2, so that ln 2 < 1."""
    return Instance({"terms of e": 4}, sum((Fraction(1, k) for k in (1, 1, 2, 6)), Fraction(0)), 2, ">")


def random_field(rng):
    """Up to five of the corners of a cube, scores in quarters: ||yhat - y||_1^2/(2 R^2) against -ln P(y)."""
    corners = [(1, 1, 1), *(tuple(row) for row in rng.integers(0, 2, (4, 3)).tolist())]
    outputs = list(dict.fromkeys(corners))
    theta = [Fraction(int(v), 4) for v in rng.integers(-8, 9, 3)]
    weights = [ball(sum((u * v for u, v in zip(theta, y, strict=True)), Fraction(0))).exp() for y in outputs]
    chances = [w / sum(weights, ball(0)) for w in weights]
    y = int(rng.integers(len(outputs)))
    mean = [sum((c * o[k] for c, o in zip(chances, outputs, strict=True)), ball(0)) for k in range(3)]
    away_ = sum((abs(v - k) for v, k in zip(mean, outputs[y], strict=True)), ball(0))
    return Instance({"Y": outputs, "theta": theta, "y": outputs[y]}, away_ * away_ / 18, -chances[y].log())


claims = (
    Claim(
        id="colt24/ex-multiclass",
        quote="hence gamma = 1/2",
        source=f"{SOURCE}, section 2.3, multiclass",
        grounds=(
            on_simplex,
            stated(examples["target of labels"], "Labels as unit vectors", LABELS),
            stated(examples["least, labels"], "Two labels", {loss: 1, slope: 1}),
        ),
        recorded="PROVED",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/ex-multilabel",
        quote="hence gamma = 1/sqrt d",
        source=f"{SOURCE}, section 2.3, multilabel",
        grounds=(
            on_cube,
            OPPOSITE,
            stated(
                examples["loss of SparseMAP"],
                "inner products of theta with yhat (turn) and y (inner), squared norms of yhat (best), y (at_y) "
                "and theta",
                {S: 0, turn: 0, best: 0, at_y: 0, inner: 0, squares: 0},
            ),
        ),
        recorded="PROVED",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/ex-multilabel-condition",
        quote="therefore, lambda > 4 gamma/nu holds if d > 16",
        source=f"{SOURCE}, section 4.1 and footnote 16",
        grounds=(
            *ENOUGH,
            stated(
                examples["undivided"], "The Hamming loss not divided by d", {lam: 5, slope: 1, nu: 1, root: 1, d: 1}
            ),
        ),
        recorded="PROVED",
        second=Resists(counted_corners, 60),
    ),
    Claim(
        id="colt24/ex-ranking",
        quote="we have lambda = 1/(n mu)",
        source=f"{SOURCE}, sections 2.3 and 4.1, ranking",
        grounds=(
            curved("mass n", "The Birkhoff polytope, n rows", Eq(mass, n), {mass: 1, n: 1, mu: 1}),
            stated(
                examples["target of rankings"],
                "rows mismatched of n, away the distance",
                {away: 2, rows: 1, loss: 1, n: 1},
            ),
            stated(examples["two rows"], "Two different permutations", {away: 4, rows: 2}),
            stated(examples["loss of rankings"], "The loss of rankings", {S: 0, turn: 0, entropy: 0, inner: 0, mu: 1}),
            stated(examples["condition, rankings"], "The condition", RANKED),
            stated(examples["condition, rankings, back"], "The condition, back", RANKED),
        ),
        recorded="PROVED",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/multiclass-automatic",
        quote="this requirement is automatically satisfied in the case of multiclass classification with the "
        "logistic loss",
        source=f"{SOURCE}, section 4.1 with section 5",
        grounds=stated(examples["base 2"], "The base-two logistic loss", {d: 2}),
        recorded="PROVED",
        second=Shows(by_factorials),
        finding="1/ln 2 is 1.44. With the natural logarithm lambda = 1 = 4 gamma/nu, and the condition fails.",
    ),
    Claim(
        id="colt24/perm-gamma",
        quote="for gamma = (1/(d-1)) sqrt((2d+1)/(6d(d+1)))",
        severity="D",
        cause="a factor of 6 is lost in ||y||/M, and gamma is too small",
        patch="read (1/(d-1)) sqrt(6(2d+1)/(d(d+1))) for ||y||/M, or better gamma = sqrt(3/(d(d^2-1))), the least",
        source=f"{SOURCE}, Appendix C.1",
        statement="Y = permutations of (d, ..., 1), l2 norm, L(y'; y) = <y, y - y'>/M, M = d(d^2-1)/6: L(y'; y) "
        "<= gamma ||y - "
        "y'|| with gamma = (1/(d-1)) sqrt((2d+1)/(6d(d+1))) for d >= 3; both sides are squared",
        tex=r"\frac{\|y\|_2}{M} = \frac{1}{d-1}\sqrt{\frac{2d+1}{6d(d+1)}}",
        grounds=Breaks(reversed_ranks),
        recorded="REFUTED",
        finding="||y||/M is 6 times that. The printed gamma is below the least admissible one for every d >= 2.",
        corrected=Corrected(statement="L(y'; y)^2 <= 3 ||y - y'||^2/(d(d^2-1))", grounds=ranks),
        second=Breaks(norm_of_ranks),
    ),
    Claim(
        id="colt24/perm-d3",
        quote="Therefore, lambda > 4 gamma/nu holds for d >= 3",
        severity="D",
        cause="at d = 3 the least admissible gamma has 4 gamma/nu = 1 = lambda",
        patch="read d >= 4 for d >= 3",
        source=f"{SOURCE}, Appendix C.1",
        statement="permutations of (d, ..., 1), l2 norm, lambda = 1, nu = sqrt(2): for every d >= 3 some "
        "admissible gamma has "
        "lambda > 4 gamma/nu; both sides are squared",
        tex=r"1 > \frac{4\gamma}{\sqrt2}",
        grounds=Breaks(middle_ranks),
        recorded="REFUTED",
        finding="The least admissible gamma is sqrt(3/(d(d^2-1))), 1/sqrt(8) at d = 3. With it the condition "
        "holds from d = 4 on.",
        corrected=Corrected(
            statement="with gamma = sqrt(3/(d(d^2-1))), which is admissible (colt24/perm-gamma), it holds for d >= 4",
            grounds=stated(
                vectors["from 4 on"], "Four ranks or more", {d: 4, slope: Rational(1, 20) ** Rational(1, 2)}
            ),
        ),
        second=Breaks(least_on_vertices),
    ),
    Claim(
        id="colt24/perm-lemma4",
        kind="derived",
        source=f"{SOURCE}, Appendix C.1 with Lemma 4",
        statement="permutations of (d, ..., 1) with the printed gamma: E L <= (4 gamma/nu) S for all theta, y and "
        "d >= 3; both "
        "sides are squared",
        tex=r"\mathbb{E}[L] \le \frac{4\gamma}{\sqrt2} S",
        grounds=Breaks(middle_scores),
        recorded="REFUTED",
        finding="With an admissible gamma it is Lemma 4; it is tight up to a factor of 2 here.",
        corrected=Corrected(statement="with gamma = sqrt(3/(d(d^2-1))) it holds, by Lemma 4", grounds=ranks),
    ),
    Claim(
        id="colt24/ordinal",
        quote="hence gamma = 1/sqrt d",
        source=f"{SOURCE}, Appendix C.2",
        grounds=(on_cube, OPPOSITE, *ENOUGH),
        recorded="PROVED",
        finding="The two ends, 0 and (1, ..., 1), are opposite corners; neighbours are at distance 1.",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/crf",
        quote="for lambda := 1/max{||y||_1^2 : y in Y}",
        source=f"{SOURCE}, Appendix B",
        grounds=(field, stated(probability["cube"], "Outputs of zeros and ones", {radius: 1, lam: 1, d: 1})),
        recorded="PROVED",
        second=Resists(random_field, 60),
        finding="It is Pinsker's inequality for a point mass.",
    ),
)
