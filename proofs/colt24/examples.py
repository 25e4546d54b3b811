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

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Resists, Shows
from gaptron.numbers.evaluate import ball

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
FILE = "constants.proof"


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


ENOUGH = (InProof(FILE, "colt24/large-cube"), InProof(FILE, "colt24/small-cube"))


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
        statement="Labels as unit vectors, l1 norm: L(y'; y) is half the distance of y' from y on the simplex, two "
        "labels are at distance 2, and no gamma below 1/2 is admissible; the negative Shannon entropy is 1-strongly "
        "convex",
        grounds=(InProof(FILE, "colt24/entropy"), InProof(FILE, "colt24/labels"), InProof(FILE, "colt24/other-label")),
        recorded="PROVED",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/ex-multilabel",
        quote="hence gamma = 1/sqrt d",
        source=f"{SOURCE}, section 2.3, multilabel",
        statement="Y = {0, 1}^d, l2 norm, Hamming loss over d: L(y'; y) <= ||y' - y||/sqrt(d), and no smaller gamma "
        "is admissible; S = ||y - theta||^2/2 - ||yhat - theta||^2/2",
        grounds=(InProof(FILE, "colt24/hamming"), InProof(FILE, "colt24/corners"), InProof(FILE, "colt24/sparse-map")),
        recorded="PROVED",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/ex-multilabel-condition",
        quote="therefore, lambda > 4 gamma/nu holds if d > 16",
        source=f"{SOURCE}, section 4.1 and footnote 16",
        statement="lambda = nu = 1, gamma = 1/sqrt(d): lambda > 4 gamma/nu iff d > 16; the Hamming loss not divided "
        "by d has gamma = sqrt(d), and the condition is lambda > 4 sqrt(d)",
        grounds=(*ENOUGH, InProof(FILE, "colt24/hamming")),
        recorded="PROVED",
        second=Resists(counted_corners, 60),
    ),
    Claim(
        id="colt24/ex-ranking",
        quote="we have lambda = 1/(n mu)",
        source=f"{SOURCE}, sections 2.3 and 4.1, ranking",
        statement="Rankings of n items as permutation matrices, l1 norm, mismatch loss, Omega = -H_s/mu: gamma = 1/(2 "
        "n), nu = 4, lambda = 1/(n mu), S = <theta, yhat - y> + H_s(yhat)/mu, and lambda > 4 gamma/nu iff mu < 2",
        grounds=(
            InProof(FILE, "colt24/entropy"),
            InProof(FILE, "colt24/rankings"),
            InProof(FILE, "colt24/ranking-loss"),
            InProof(FILE, "colt24/small-mu"),
            InProof(FILE, "colt24/large-mu"),
        ),
        recorded="PROVED",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/multiclass-automatic",
        quote="this requirement is automatically satisfied in the case of multiclass classification with the "
        "logistic loss",
        source=f"{SOURCE}, section 4.1 with section 5",
        statement="The logistic loss of base 2: lambda = 1/ln 2 > 4 gamma/nu, gamma = 1/2, nu = 2",
        grounds=InProof(FILE, "colt24/multiclass-automatic"),
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
        statement="Y = permutations of (d, ..., 1), l2 norm, L(y'; y) = <y, y - y'>/M, M = d(d^2-1)/6: L(y'; y) <= "
        "gamma ||y - y'|| with gamma = (1/(d-1)) sqrt((2d+1)/(6d(d+1))) for d >= 3; both sides are squared",
        tex=r"\frac{\|y\|_2}{M} = \frac{1}{d-1}\sqrt{\frac{2d+1}{6d(d+1)}}",
        grounds=Breaks(reversed_ranks),
        recorded="REFUTED",
        finding="||y||/M is 6 times that. The printed gamma is below the least admissible one for every d >= 2.",
        corrected=Corrected(statement="L(y'; y)^2 <= 3 ||y - y'||^2/(d(d^2-1))", grounds=InProof(FILE, "colt24/ranks")),
        second=Breaks(norm_of_ranks),
    ),
    Claim(
        id="colt24/perm-d3",
        quote="Therefore, lambda > 4 gamma/nu holds for d >= 3",
        severity="D",
        cause="at d = 3 the least admissible gamma has 4 gamma/nu = 1 = lambda",
        patch="read d >= 4 for d >= 3",
        source=f"{SOURCE}, Appendix C.1",
        statement="permutations of (d, ..., 1), l2 norm, lambda = 1, nu = sqrt(2): for every d >= 3 some admissible "
        "gamma has lambda > 4 gamma/nu; both sides are squared",
        tex=r"1 > \frac{4\gamma}{\sqrt2}",
        grounds=Breaks(middle_ranks),
        recorded="REFUTED",
        finding="The least admissible gamma is sqrt(3/(d(d^2-1))), 1/sqrt(8) at d = 3. With it the condition "
        "holds from d = 4 on.",
        corrected=Corrected(
            statement="with gamma = sqrt(3/(d(d^2-1))), which is admissible (colt24/perm-gamma), it holds for d >= 4",
            grounds=InProof(FILE, "colt24/four-ranks"),
        ),
        second=Breaks(least_on_vertices),
    ),
    Claim(
        id="colt24/perm-lemma4",
        kind="derived",
        source=f"{SOURCE}, Appendix C.1 with Lemma 4",
        statement="permutations of (d, ..., 1) with the printed gamma: E L <= (4 gamma/nu) S for all theta, y and d >= "
        "3; both sides are squared",
        tex=r"\mathbb{E}[L] \le \frac{4\gamma}{\sqrt2} S",
        grounds=Breaks(middle_scores),
        recorded="REFUTED",
        finding="With an admissible gamma it is Lemma 4; it is tight up to a factor of 2 here.",
        corrected=Corrected(
            statement="with gamma = sqrt(3/(d(d^2-1))) it holds, by Lemma 4", grounds=InProof(FILE, "colt24/ranks")
        ),
    ),
    Claim(
        id="colt24/ordinal",
        quote="hence gamma = 1/sqrt d",
        source=f"{SOURCE}, Appendix C.2",
        statement="Y = {0, e_1, e_1 + e_2, ..., 1}, l2 norm, L = ||y' - y||_1/d: L(y'; y) <= ||y' - y||/sqrt(d), no "
        "smaller gamma is admissible, and 1 > 4 gamma iff d > 16",
        grounds=(InProof(FILE, "colt24/hamming"), InProof(FILE, "colt24/corners"), *ENOUGH),
        recorded="PROVED",
        finding="The two ends, 0 and (1, ..., 1), are opposite corners; neighbours are at distance 1.",
        second=Resists(random_quotients, 60),
    ),
    Claim(
        id="colt24/crf",
        quote="for lambda := 1/max{||y||_1^2 : y in Y}",
        source=f"{SOURCE}, Appendix B",
        statement="S = -ln P(y) >= (lambda/2) ||yhat - y||_1^2 with lambda = 1/max ||y||_1^2, which is at least "
        "1/d^2 for outputs of zeros and ones",
        grounds=(InProof(FILE, "colt24/crf"), InProof(FILE, "colt24/zeros-and-ones")),
        recorded="PROVED",
        second=Resists(random_field, 60),
        finding="It is Pinsker's inequality for a point mass.",
    ),
)
