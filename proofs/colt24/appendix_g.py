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

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Resists

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
FILE = "margins.proof"


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
        statement="Y in {0, 1}^d: sum |y_i - y'_i|^p = sum |y'_i|^p + <c, y>, c_i = |1 - y'_i|^p - |y'_i|^p, p >= 1",
        grounds=InProof(FILE, "colt24/prop5"),
        recorded="PROVED",
        second=Resists(random_corner, 60),
    ),
    Claim(
        id="colt24/prop14",
        quote="y* := (pi^-1(1), ..., pi^-1(d)) in argmin ||y - y'||_p, where p in [1, +infinity]",
        source=f"{SOURCE}, Appendix C.1, Proposition 14",
        statement="the larger rank at the larger of two coordinates costs no more, in the sum of |y_i - y'_i|^p for "
        "every p >= 1 and in the larger of |y_i - y'_i|; exchanges sort",
        grounds=InProof(FILE, "colt24/prop14"),
        recorded="PROVED",
        second=Resists(random_ranking, 100),
    ),
    Claim(
        id="colt24/lemma18",
        quote="we have <theta, y - y'> >= t ||y - y'||_2 for any y' in Y",
        source=f"{SOURCE}, Appendix G.2, Lemma 18",
        statement="theta in the normal cone of y, at least t from every point with two maximisers: <theta, y - y'> >= "
        "t ||y - y'||; y and another output are the maximisers where one ties with y first on the way against y - y'",
        grounds=(InProof(FILE, "colt24/first-tie"), InProof(FILE, "colt24/lemma18")),
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
        tex=r"\langle\theta, y\rangle \ge \langle\theta, y'\rangle + \frac12\|y - y'\|^2 \Rightarrow S(\theta; y) = 0",
        grounds=Breaks(half_a_score),
        recorded="REFUTED",
        finding="The projection of theta on the hull is y if <theta, y - y'> >= <y, y - y'>, which is ||y - y'||^2/2 "
        "if ||y|| = ||y'||, as for rankings, and more for a shorter y'.",
        corrected=Corrected(
            statement="0 <= S <= (||y||^2 - E ||z||^2)/2, z a random output of mean yhat: it holds if all outputs have "
            "the same norm",
            grounds=InProof(FILE, "colt24/same-norm"),
        ),
        second=Breaks(half_a_square),
    ),
    Claim(
        id="colt24/g2-zero-loss",
        quote="We show that U = (D/(2 t0)) U0 satisfies E[S_Omega(Ux; y)] = 0",
        severity="B",
        cause=CAUSE,
        patch="read U = (R/t0) U0 with R = max ||y||, or assume outputs of one norm",
        source=f"{SOURCE}, Appendix G.2, last display",
        statement="SparseMAP, D the diameter of conv(Y), U_0 with separation t_0 > 0 and argmax <U_0 x, .> = y: U = "
        "(D/(2 t_0)) U_0 has E S(U x; y) = 0",
        tex=r"\mathbb{E}[S(U x; y)] = 0",
        grounds=Breaks(half_of_separator),
        recorded="REFUTED",
        finding="The lemma on the separation is true (colt24/lemma18); the condition (14) that it is put into is "
        "not enough.",
        corrected=Corrected(
            statement="U = (R/t_0) U_0, R = max ||y||, has S(U x; y) = 0, and so E S(U x; y) = 0",
            grounds=InProof(FILE, "colt24/zero-loss"),
        ),
        second=Breaks(half_a_score),
    ),
)
