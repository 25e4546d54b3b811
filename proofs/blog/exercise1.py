"""Blog, Exercise 1: Gaptron without knowledge of R.

**Problem.** As in Theorem 1 of the blog: labels y = -1 or 1, features z, an s-self-bounded loss l(m, y) >= 0 of the
score m = <z, x> with l(m, 1) + l(m, -1) >= 2 and l(m, sign m) in [0, 1] (both labels at m = 0), any comparator u. No
bound on ||z|| is known beforehand.

**Algorithm.** Gaptron with yhat = sign m and gap map a = l(m, yhat); the weights come from
follow-the-regularized-leader with an increasing regularizer: x_t minimises <theta, x> + (lambda_t/2) ||x - x_1||^2,
where theta is the sum of the subgradients of the rounds before t and lambda_t = 2 s max ||z_i||^2 over i <= t; z_t is
known when x_t is chosen. As long as all z are 0, x_t = x_1.

**Theoretical guarantee.** **Upper bound**: for every u, with R_T the largest norm seen,

    E[mistakes] <= sum l_t(u) + s R_T^2 ||u - x_1||^2,

the bound of Theorem 1 at the learning rate that would need R_T. (Labels and features are chosen beforehand; if they
react to the predictions, both sides are expectations.) Let V(theta; lambda) = -||theta||^2/(2 lambda) be the minimum
over x of <theta, x - x_1> + (lambda/2) ||x - x_1||^2. It increases with lambda, is V(0; lambda) = 0 before the first
round with z != 0, and g_t changes it by <g_t, x_t - x_1> - ||g_t||^2/(2 lambda_t). Rounds with z = 0 have g = 0.

**References.** Blog "The Gaptron Algorithm", Theorem 1 and Exercise 1.
"""

from fractions import Fraction

from gaptron import Claim, InProof, Instance, Resists


def squared_hinge(z):
    """The loss at z = y m, and minus its slope; s = 2."""
    return max(1 - z, Fraction(0)) ** 2, max(2 * (1 - z), Fraction(0))


def random_stream(rng):
    """Expected mistakes with the squared hinge, from the definition, against the bound at a random u."""
    start, u = ([Fraction(int(v), 4) for v in rng.integers(-4, 5, 2)] for _ in range(2))
    total, largest, theta = Fraction(0), Fraction(0), [Fraction(0)] * 2
    rounds = [([Fraction(int(v), 2) for v in rng.integers(-4, 5, 2)], int(rng.choice((-1, 1)))) for _ in range(4)]
    for features, y in rounds:
        largest = max(largest, sum(v * v for v in features))
        x = [a - (b / (4 * largest) if largest else 0) for a, b in zip(start, theta, strict=True)]
        m, at_u = (sum(a * b for a, b in zip(features, w, strict=True)) for w in (x, u))
        a = squared_hinge(abs(m))[0]
        wrong = (1 if m >= 0 else -1) != y
        total += (1 - a) * wrong + a / 2 - squared_hinge(y * at_u)[0]
        slope = -y * squared_hinge(y * m)[1]
        theta = [t + slope * v for t, v in zip(theta, features, strict=True)]
    distance2 = sum((a - b) ** 2 for a, b in zip(u, start, strict=True))
    return Instance({"(z, y)": rounds, "x_1": start, "u": u}, total, 2 * largest * distance2)


claims = (
    Claim(
        id="blog/exercise1",
        kind="reading",
        quote="Use FTRL with an increasing regularizer instead of OSD in the Gaptron to get rid of the need to know "
        "{R} to set the learning rate",
        source='blog "The Gaptron Algorithm", Exercise 1',
        statement="Gaptron with two labels and follow-the-regularized-leader, lambda_t = 2 s max ||z_i||^2, i <= t: "
        "E[mistakes] <= E[sum l_t(u)] + s E[R_T^2] ||u - x_1||^2 for every u",
        grounds=InProof("leader.proof", "blog/exercise1"),
        recorded="PROVED",
        finding="The exercise leaves the regularizer open; this one gives the bound of Theorem 1 at the learning rate "
        "that would need R.",
        second=Resists(random_stream, 80),
    ),
)
