"""Appendix G.2, Propositions 5 and 14 of COLT 2024: margins of SparseMAP, and the nearest output by sorting or
minimizing.

**Problem.** When does the SparseMAP loss S vanish, if the scores of the output y are above those of all others by a
margin? And which output is nearest to a point of the hull in an lp norm?

**Algorithm.** Minimization of a linear function over Y (Proposition 5); sorting (Proposition 14).

**Theoretical guarantee.** S(theta; y) = 0 if and only if <theta, y - y'> >= <y, y - y'> for all outputs. As <y, y -
y'> = ||y - y'||^2/2 + (||y||^2 - ||y'||^2)/2, the printed condition <theta, y - y'> >= ||y - y'||^2/2 is enough if no
output is shorter than y, and **false** otherwise: Y = {0, 1}, y = 1, theta = 1/2. By Cauchy-Schwarz a margin of R ||y
- y'||, R = max ||y||, is enough.

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Propositions 5 and 14, Lemma 18 and (14).
"""

from fractions import Fraction

from sympy import Eq, symbols

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
    Rounds,
    Use,
    When,
)
from gaptron.theory import facts

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
lead, own, cross, length, other, radius, away = symbols("lead own cross length other radius away", real=True)
step, t, speed, fixed_margin, factor = symbols("step t speed fixed_margin factor", positive=True)
sq_y, sq_z, sq_away = symbols("sq_y sq_z sq_away", nonnegative=True)

margins = Lemma(
    name="COLT 2024, margins",
    source=f"{SOURCE}, Appendix G.2",
    implications=(
        Implication(
            name="first tie",
            statement="on the way from theta against y - y' the lead of y over y' is gone after <theta, y - "
            "y'>/||y - y'||",
            given=(t <= step, step <= speed, Eq(speed * factor, lead)),
            then=lead >= t * factor,
        ),
        Implication(
            name="equal norms",
            statement="||y - y'||^2/2 = <y, y - y'> if ||y|| = ||y'||",
            given=(lead >= sq_away / 2, Eq(sq_away, sq_y - 2 * cross + sq_z), Eq(sq_y, sq_z)),
            then=lead >= sq_y - cross,
        ),
        Implication(
            name="margin of R",
            statement="<U x, y - y'> = (R/t_0) <U_0 x, y - y'> >= R ||y - y'|| >= <y, y - y'>",
            given=(lead >= factor * step, own**2 <= sq_y * sq_away, sq_y <= factor**2, Eq(sq_away, step**2)),
            then=lead >= own,
        ),
    ),
)
E_ARG = {factor: 1, step: 1}
shortest = Argument(
    name="COLT 2024, Lemma 18",
    setting="theta in the normal cone of the output y, the next set of ties at the distance tie on the way "
    "against the difference "
    "of y and another output, where that output has caught up at the latest",
    symbols={
        t: "the distance of theta to F", step: "tie", speed: "<theta, y - y'>/||y - y'||", lead: "<theta, y - y'>",
        factor: "||y - y'||",
    },
    hypotheses=margins["first tie"].given,
    steps=(margins["first tie"],),
    conclusion=margins["first tie"].then,
    example={t: 1, step: 1, speed: 1, factor: 1, lead: 1},
)  # fmt: skip
same_norm = Argument(
    name="COLT 2024, (14), equal norms",
    setting="SparseMAP, outputs of one norm; the conclusion for all outputs says that y is the projection of "
    "theta on their hull",
    symbols={lead: "<theta, y - y'>", sq_away: "||y - y'||^2", sq_y: "||y||^2", sq_z: "||y'||^2", cross: "<y, y'>"},
    hypotheses=margins["equal norms"].given,
    steps=(margins["equal norms"],),
    conclusion=margins["equal norms"].then,
    example={lead: 0, sq_away: 0, sq_y: 0, sq_z: 0, cross: 0},
)
long_margin = Argument(
    name="COLT 2024, zero loss",
    setting="SparseMAP, R the largest norm of an output, U being R over the separation times the separating "
    "weights; the conclusion "
    "for all outputs says that y is the projection of U x on their hull",
    symbols={
        lead: "<U x, y - y'>", own: "<y, y - y'>", sq_y: "||y||^2", sq_away: "||y - y'||^2", factor: "R",
        step: "||y - y'||",
    },
    hypotheses=(lead >= factor * step, sq_y <= factor**2, Eq(sq_away, step**2)),
    steps=(Use(facts.CAUCHY_SCHWARZ, {"u": "y", "v": "y - y'"}), margins["margin of R"]),
    conclusion=lead >= own,
    example={lead: 1, own: 1, sq_y: 1, sq_away: 1, factor: 1, step: 1},
)  # fmt: skip

at_one, at_zero, base, cost = symbols("at_one at_zero base cost", real=True)
here, bit, sum_here = symbols("here bit sum_here", real=True)
linear = Lemma(
    name="COLT 2024, Proposition 5",
    source=f"{SOURCE}, Proposition 5",
    implications=(
        Implication(
            name="coordinate 1",
            statement="|1 - y'_i|^p = |y'_i|^p + 1 c_i, c_i = |1 - y'_i|^p - |y'_i|^p",
            given=(Eq(bit, 1), Eq(here, at_one)),
            then=Eq(here, at_zero + (at_one - at_zero) * bit, evaluate=False),
        ),
        Implication(
            name="coordinate 0",
            statement="|y'_i|^p = |y'_i|^p + 0 c_i",
            given=(Eq(bit, 0), Eq(here, at_zero)),
            then=Eq(here, at_zero + (at_one - at_zero) * bit, evaluate=False),
        ),
        Implication(
            name="one more coordinate",
            statement="sums of coordinates",
            given=(Eq(sum_here, base + cost), Eq(here, at_zero + (at_one - at_zero) * bit)),
            then=Eq(sum_here + here, base + at_zero + cost + (at_one - at_zero) * bit, evaluate=False),
        ),
    ),
)
proposition5 = Argument(
    name="COLT 2024, Proposition 5",
    setting="Outputs of zeros and ones, any number of coordinates, y any output; the first sum on the right does "
    "not depend on y",
    symbols={
        sum_here: "sum |y_i - y'_i|^p", base: "sum |y'_i|^p", cost: "<c, y>", here: "|y_i - y'_i|^p",
        at_one: "|1 - y'_i|^p",
        at_zero: "|y'_i|^p", bit: "y_i",
    },
    hypotheses=(When("y_i is 1", (Eq(bit, 1), Eq(here, at_one))), When("not y_i is 1", (Eq(bit, 0), Eq(here,
    at_zero)))),
    steps=(
        Cases(
            {"y_i is 1": (linear["coordinate 1"],), "not y_i is 1": (linear["coordinate 0"],)},
            (Eq(here, at_zero + (at_one - at_zero) * bit),),
        ),
        Rounds(
            invariant=Eq(sum_here, base + cost),
            state={
                sum_here: (0, sum_here + here), base: (0, base + at_zero), cost: (0, cost + (at_one - at_zero) * bit),
            },
            step=linear["one more coordinate"],
        ),
    ),
    conclusion=Eq(sum_here, base + cost, evaluate=False),
    example={sum_here: 0, base: 0, cost: 0, here: 0, at_one: 1, at_zero: 0, bit: 0},
)  # fmt: skip

ar, as_, br, bs, w = symbols("ar as_ br bs w", real=True)
f_ar, f_as, f_br, f_bs = symbols("f_ar f_as f_br f_bs", real=True)
rise, climb = symbols("rise climb", nonnegative=True)
sorting = Lemma(
    name="COLT 2024, Proposition 14",
    source=f"{SOURCE}, Proposition 14",
    implications=(
        Implication(
            name="weight at least 0",
            statement="b >= a and s > r",
            given=(Eq(w * (rise + climb), rise), climb > 0),
            then=w >= 0,
        ),
        Implication(
            name="weight at most 1",
            statement="b >= a and s > r",
            given=(Eq(w * (rise + climb), rise), climb > 0),
            then=w <= 1,
        ),
        Implication(
            name="first point",
            statement="a - r is between a - s and b - r",
            given=(Eq(w * (rise + climb), rise), Eq(ar, as_ + climb), Eq(br, as_ + rise + climb)),
            then=Eq(ar, (1 - w) * br + w * as_, evaluate=False),
        ),
        Implication(
            name="second point",
            statement="b - s is between them too, at the other weight",
            given=(Eq(w * (rise + climb), rise), Eq(bs, as_ + rise), Eq(br, as_ + rise + climb)),
            then=Eq(bs, w * br + (1 - w) * as_, evaluate=False),
        ),
        Implication(
            name="exchange",
            statement="both values of a convex function added",
            given=(f_ar <= w * f_as + (1 - w) * f_br, f_bs <= w * f_br + (1 - w) * f_as),
            then=f_ar + f_bs <= f_as + f_br,
        ),
        Implication(
            name="exchange, largest",
            statement="p infinite: both are at most the larger one",
            given=(f_ar <= w * f_as + (1 - w) * f_br, w >= 0, w <= 1, f_as <= lead, f_br <= lead),
            then=f_ar <= lead,
        ),
        Implication(
            name="exchange, largest, other",
            statement="p infinite: both are at most the larger one",
            given=(f_bs <= w * f_br + (1 - w) * f_as, w >= 0, w <= 1, f_as <= lead, f_br <= lead),
            then=f_bs <= lead,
        ),
    ),
)
exchange = Argument(
    name="COLT 2024, Proposition 14, one exchange",
    setting="Two coordinates with b at least a and two ranks with s above r, f any convex function (a power of "
    "the absolute value): "
    "giving the larger rank to the larger coordinate costs no more, in the sum and in the largest term; exchanges "
    "sort",
    symbols={
        ar: "a - r", as_: "a - s", br: "b - r", bs: "b - s", f_ar: "f(a - r)", f_as: "f(a - s)", f_br: "f(b - r)",
        f_bs: "f(b - s)", rise: "b - a", climb: "s - r", w: "w", lead: "a bound of f(a - s) and f(b - r)",
    },
    hypotheses=(
        "f is convex", Eq(w * (rise + climb), rise), climb > 0, Eq(ar, as_ + climb), Eq(br, as_ + rise + climb),
        Eq(bs, as_ + rise), f_as <= lead, f_br <= lead,
    ),
    steps=(
        sorting["weight at least 0"], sorting["weight at most 1"], sorting["first point"], sorting["second point"],
        Use(facts.JENSEN, {"f": "f", "p": "a - r", "x": "a - s", "y": "b - r", "w": "w"}),
        Use(facts.JENSEN, {"f": "f", "p": "b - s", "x": "b - r", "y": "a - s", "w": "w"}),
        sorting["exchange"], sorting["exchange, largest"], sorting["exchange, largest, other"],
    ),
    conclusion=(f_ar + f_bs <= f_as + f_br, f_ar <= lead, f_bs <= lead),
    example={
        ar: 0, as_: -1, br: 0, bs: -1, f_ar: 0, f_as: 1, f_br: 0, f_bs: 1, rise: 0, climb: 1, w: 0, lead: 1,
    },
)  # fmt: skip


def half_a_score():
    """Y = {0, 1}, y = 1, theta = 1/2: the margin over 0 is 1/2, yhat = 1/2 and S = (1/2)(1/2)^2."""
    return Instance({"Y": (0, 1), "theta": Fraction(1, 2), "y": 1}, Fraction(1, 8), 0, "=")


def half_a_square():
    """Y = corners of the square, y = (1, 1), theta = (1/2, 1/2)."""
    return Instance({"Y": "{0, 1}^2", "theta": ("1/2", "1/2"), "y": (1, 1)}, Fraction(1, 4), 0, "=")


def half_of_separator():
    """Y = {0, 1}, U_0 = t_0 = 1, x = 1, D = 1: U x = 1/2."""
    return Instance({"Y": (0, 1), "U_0": 1, "x": 1, "t_0": 1, "U": Fraction(1, 2)}, Fraction(1, 8), 0, "=")


def random_ranking(rng):
    """Four coordinates and p = 1 or 3: the distance of the sorted ranks against that of a random permutation."""
    y_ = [Fraction(int(k), 2) for k in rng.integers(0, 12, 4)]
    p_ = int(rng.choice([1, 3]))
    order = sorted(range(4), key=y_.__getitem__)
    ranks_ = [order.index(i) + 1 for i in range(4)]
    any_ = [int(k) + 1 for k in rng.permutation(4)]
    sums = [sum(abs(a - b) ** p_ for a, b in zip(one, y_, strict=True)) for one in (ranks_, any_)]
    return Instance({"y'": y_, "p": p_, "ranks": any_}, *sums)


def random_corner(rng):
    """Three coordinates, p = 3: the sum against its linear form."""
    y_ = [Fraction(int(k), 6) for k in rng.integers(0, 7, 3)]
    bits = [int(k) for k in rng.integers(0, 2, 3)]
    left = sum(abs(a - b) ** 3 for a, b in zip(bits, y_, strict=True))
    right = sum(b**3 for b in y_) + sum(a * ((1 - b) ** 3 - b**3) for a, b in zip(bits, y_, strict=True))
    return Instance({"y'": y_, "y": bits}, left, right, "=")


CAUSE = "||y - y'||^2/2 is not <y, y - y'> if the outputs have different norms"


def random_corner_cone(rng):
    """A cube: y has the signs of theta, F is where an entry is 0, so that t is the smallest entry; squares."""
    theta = [Fraction(int(v), 4) * int(s) for v, s in zip(rng.integers(1, 13, 4), rng.choice((-1, 1), 4), strict=True)]
    turned = [int(v) for v in rng.integers(0, 2, 4)]  # where y' is not y
    apart = sum(abs(v) for v, k in zip(theta, turned, strict=True) if k)
    nearest = min(abs(v) for v in theta)
    return Instance({"theta": theta, "y' differs": turned}, nearest**2 * sum(turned), Fraction(apart) ** 2)


claims = (
    Claim(
        id="colt24/prop5",
        quote="via a single call to a linear optimization oracle",
        source=f"{SOURCE}, section 3.1, Proposition 5",
        grounds=proposition5,
        recorded="PROVED",
        second=Resists(random_corner, 60),
    ),
    Claim(
        id="colt24/prop14",
        quote="y* := (pi^-1(1), ..., pi^-1(d)) in argmin ||y - y'||_p, where p in [1, +infinity]",
        source=f"{SOURCE}, Appendix C.1, Proposition 14",
        grounds=exchange,
        recorded="PROVED",
        second=Resists(random_ranking, 100),
    ),
    Claim(
        id="colt24/lemma18",
        quote="we have <theta, y - y'> >= t ||y - y'||_2 for any y' in Y",
        source=f"{SOURCE}, Appendix G.2, Lemma 18",
        grounds=shortest,
        recorded="PROVED",
        second=Resists(random_corner_cone, 100),
        finding="On the segment from theta to where y' has caught up some output ties with y first: a point of F.",
    ),
    Claim(
        id="colt24/eq14",
        quote="Specifically, for any (theta, y) in R^d x Y, we have S_Omega(theta; y) = 0 if",
        severity="B",
        cause=CAUSE,
        patch="assume outputs of one norm, or read <y, y - y'> for ||y - y'||^2/2",
        source=f"{SOURCE}, Appendix G.2, (14)",
        statement="SparseMAP loss on any Y: if <theta, y> >= <theta, y'> + ||y - y'||^2/2 for all y' in Y, then "
        "S(theta; y) = 0",
        tex=r"\langle\theta, y\rangle \ge \langle\theta, y'\rangle + \frac12\|y - y'\|^2 \Rightarrow S(\theta; y) "
        r"= 0",
        grounds=Breaks(half_a_score),
        recorded="REFUTED",
        finding="The projection of theta on the hull is y if <theta, y - y'> >= <y, y - y'>, which is ||y - "
        "y'||^2/2 if ||y|| = "
        "||y'||, as for rankings, and more for a shorter y'.",
        corrected=Corrected(statement="it holds if all outputs have the same norm", grounds=same_norm),
        second=Breaks(half_a_square),
    ),
    Claim(
        id="colt24/g2-zero-loss",
        quote="We show that U = (D/(2 t0)) U0 satisfies E[S_Omega(Ux; y)] = 0",
        severity="B",
        cause=CAUSE,
        patch="read U = (R/t0) U0 with R = max ||y||, or assume outputs of one norm",
        source=f"{SOURCE}, Appendix G.2, last display",
        statement="SparseMAP, D the diameter of conv(Y), U_0 with separation t_0 > 0 and argmax <U_0 x, .> = y: U "
        "= (D/(2 t_0)) "
        "U_0 has E S(U x; y) = 0",
        tex=r"\mathbb{E}[S(U x; y)] = 0",
        grounds=Breaks(half_of_separator),
        recorded="REFUTED",
        finding="The lemma on the separation is true (colt24/lemma18); the condition (14) that it is put into is "
        "not enough.",
        corrected=Corrected(statement="U = (R/t_0) U_0, R = max ||y||, has E S(U x; y) = 0", grounds=long_margin),
        second=Breaks(half_a_score),
    ),
)
