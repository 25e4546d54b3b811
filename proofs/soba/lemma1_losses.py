"""SOBA paper, section 3: a family of losses between the hinge and the squared hinge.

**Problem.** A multiclass loss of the margin x = (U x)_y - max_{i != y} (U x)_i that a second-order algorithm can bound:
l_eta(x) = f(x) for x <= 1 and 0 for x > 1, where f(x) = 1 - 2x/(2 - eta) + eta x^2/(2 - eta) and 0 <= eta <= 1.

**Algorithm.** None: the losses are part of the analysis only, and SOBA competes with all of them at once.

**Theoretical guarantee.** With u = 1 - x >= 0, f = ((2 - 2 eta) u + eta u^2)/(2 - eta) is a mean of the hinge loss u
and of the squared hinge loss u^2. Everything said of the family follows: it is at least 1[x <= 0], at most the larger
of the two, non-increasing, and its roots are 1 and (2 - eta)/eta. Where it is used, the margins of U must be at most
the second root: 0 < eta <= 2/(1 + 2 max ||u_k|| X) is enough, and 0 < eta <= 2/(1 + the largest margin) is exact.

**References.** Beygelzimer, Orabona, Zhang 2017, equations (1)-(3) and the proof of Theorem 3.
"""

from fractions import Fraction

import numpy as np

from gaptron import Claim, Constant, InProof, Instance, Resists


def loss(margin: Fraction, at: Fraction) -> Fraction:
    """l_eta, from its definition in equation (2)."""
    if margin > 1:
        return Fraction(0)
    return 1 - 2 * margin / (2 - at) + at * margin**2 / (2 - at)


def draw_numbers(rng: np.random.Generator) -> tuple[Fraction, Fraction, Fraction]:
    """Two margins x <= y and eta in [0, 1]."""
    low, high = sorted(Fraction(int(n), 8) for n in rng.integers(-24, 25, 2))
    return low, high, Fraction(int(rng.integers(0, 9)), 8)


def above_zero_one(rng: np.random.Generator) -> Instance:
    """1[x < 0] against the loss."""
    margin, _, at = draw_numbers(rng)
    return Instance({"x": margin, "eta": at}, Fraction(margin < 0), loss(margin, at))


def below_the_larger(rng: np.random.Generator) -> Instance:
    """The loss against the larger of hinge and squared hinge loss."""
    margin, _, at = draw_numbers(rng)
    hinge = max(1 - margin, Fraction(0))
    return Instance({"x": margin, "eta": at}, loss(margin, at), max(hinge, hinge**2))


def falls(rng: np.random.Generator) -> Instance:
    """The loss at two margins."""
    low, high, at = draw_numbers(rng)
    return Instance({"x": low, "y": high, "eta": at}, loss(high, at), loss(low, at))


def factors(rng: np.random.Generator) -> Instance:
    """(2 - eta) f(x) = (1 - x) (2 - eta - eta x), the factors of the two roots."""
    margin, _, at = draw_numbers(rng)
    value = (2 - at) * (1 - 2 * margin / (2 - at) + at * margin**2 / (2 - at))
    return Instance({"x": margin, "eta": at}, value, (1 - margin) * (2 - at - at * margin), "=")


def multiclass_ends(rng: np.random.Generator) -> Instance:
    """l_0 of the margin against equation (1), and l_1 against its square, with three classes."""
    scores = [Fraction(int(n), 4) for n in rng.integers(-8, 9, 3)]
    first = max(max(1 - scores[0] + other, Fraction(0)) for other in scores[1:])
    margin, end = scores[0] - max(scores[1:]), int(rng.integers(2))
    return Instance({"scores": scores, "eta": end}, loss(margin, Fraction(end)), first ** (1 + end), "=")


def within_the_roots(rng: np.random.Generator) -> Instance:
    """Two rows of norm at most B and x of norm at most X, in the plane, at the largest eta allowed."""
    angles = {Fraction(0): (1, 0), Fraction(1): (Fraction(3, 5), Fraction(4, 5)), Fraction(2): (0, 1)}
    signs, largest, bound = (
        rng.choice((-1, 1), 3),
        Fraction(int(rng.integers(1, 9)), 4),
        Fraction(int(rng.integers(1, 9)), 4),
    )
    u, v, x_ = (
        [sign * Fraction(c) for c in angles[Fraction(int(n))]]
        for sign, n in zip(signs, rng.integers(0, 3, 3), strict=True)
    )
    at = min(Fraction(1), 2 / (2 * largest * bound + 1))
    margin = sum((largest * (p - q) * bound * r for p, q, r in zip(u, v, x_, strict=True)), Fraction(0))
    return Instance({"u_i": u, "u_j": v, "x": x_, "B": largest, "X": bound, "eta": at}, margin, (2 - at) / at)


FILE = "losses.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"
DEFINED = (InProof(FILE, "soba/loss-up-to-1"), InProof(FILE, "soba/loss-beyond-1"))

claims = (
    Claim(
        id="soba/loss-zero-one",
        quote=r"ℓ_{η} is an upper bound on 0-1 loss: $\mathbb{1}[x < 0] \le \ell_{\eta}(x)$",
        source=f"{SOURCE}, section 3, after equation (2)",
        statement="1[x < 0] <= l_eta(x), 0 <= eta <= 1: l_eta(x) >= 1 for x <= 0, and l_eta >= 0",
        grounds=(InProof(FILE, "soba/loss-zero-one"), InProof(FILE, "soba/loss-nonnegative"), *DEFINED),
        recorded="PROVED",
        finding="It holds at x = 0 too, so a tie that is decided wrongly costs at least 1.",
        second=Resists(above_zero_one),
    ),
    Claim(
        id="soba/loss-max",
        quote=r"for any $0 \le \eta \le 1$, $\ell_{\eta}(x) \le \max\{\ell_0(x), \ell_1(x)\}$",
        source=f"{SOURCE}, section 3, after equation (2)",
        statement="l_eta(x) <= max{l_0(x), l_1(x)}, 0 <= eta <= 1",
        grounds=(InProof(FILE, "soba/loss-max"), *DEFINED),
        recorded="PROVED",
        finding="More is true: l_eta is the mean of the two with weights (2 - 2 eta)/(2 - eta) and eta/(2 - eta).",
        second=Resists(below_the_larger),
    ),
    Claim(
        id="soba/loss-ends",
        quote=r"$\ell_0(\boldsymbol{U}, (\boldsymbol{x}, y)) = \ell(\boldsymbol{U}, (\boldsymbol{x}, y))$ is the "
        "classical multiclass hinge loss",
        source=f"{SOURCE}, after equation (3)",
        statement="l_0(U, (x, y)) is the multiclass hinge loss, l_1(U, (x, y)) its square",
        grounds=(InProof(FILE, "soba/loss-ends"), *DEFINED),
        recorded="PROVED",
        second=Resists(multiclass_ends),
    ),
    Claim(
        id="soba/loss-roots",
        quote=r"the two roots of the quadratic function are 1 and $\frac{2-\eta}{\eta}$, respectively",
        source=f"{SOURCE}, proof of Theorem 3",
        statement="0 < eta <= 1: f has roots 1 and (2 - eta)/eta, f >= 0 up to 1, f <= 0 between them, f > 0 beyond",
        grounds=tuple(
            InProof(FILE, f"soba/loss-{part}") for part in ("factors", "zeros", "between", "above", "up-to-1")
        ),
        recorded="PROVED",
        finding="Printed are half-open intervals with their roots and the words negative and positive: not strictly.",
        second=Resists(factors),
    ),
    Claim(
        id="soba/loss-monotone",
        quote=r"the second inequality is from that $\ell_{\eta}(\cdot)$ is monotonically decreasing",
        source=f"{SOURCE}, proof of Theorem 3",
        statement="l_eta(y) <= l_eta(x) for x <= y, 0 <= eta <= 1",
        grounds=(InProof(FILE, "soba/loss-monotone"), *DEFINED),
        recorded="PROVED",
        finding="Not strictly: the loss is 0 from 1 on.",
        second=Resists(falls),
    ),
    Claim(
        id="soba/eta-range",
        quote=r"if $0 < \eta \leq \frac{2}{2\max_i ||\boldsymbol{u}_i||_2 X + 1}$, then for all $i, j \in [k]$, "
        r"$\langle \boldsymbol{U}, (\boldsymbol{e}_i - \boldsymbol{e}_j) \otimes \boldsymbol{x}_t \rangle \leq "
        r"\frac{2-\eta}{\eta}$",
        source=f"{SOURCE}, proof of Theorem 3",
        statement="||x|| <= X, 0 < eta <= 2/(2 max ||u_k|| X + 1): <u_i, x> - <u_j, x> <= (2 - eta)/eta",
        grounds=(InProof(FILE, "soba/eta-range"), InProof(FILE, "soba/eta-exact")),
        recorded="PROVED",
        finding="The exact condition is eta <= 2/(1 + max <u_i - u_j, x_t>); the printed one is exact if u_i = -u_j "
        "and x_t is parallel to both. Beyond it f exceeds l_eta, and the proof needs f <= l_eta.",
        constants=(
            Constant(
                name="1/(1 + c), eta <= 2/(1 + c)",
                printed="c = 2 max ||u_k|| X",
                best="c = max <u_i - u_j, x_t>",
                attained="equal for opposite rows parallel to x",
            ),
        ),
        second=Resists(within_the_roots),
    ),
)
