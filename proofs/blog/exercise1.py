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
round with z != 0, and g_t changes it by <g_t, x_t - x_1> - ||g_t||^2/(2 lambda_t). Rounds with z = 0 have g = 0, and
||g||^2/(2 lambda) is read as 0 there. Vectors are treated one coordinate at a time.

**References.** Blog "The Gaptron Algorithm", Theorem 1 and Exercise 1.
"""

from fractions import Fraction

from sympy import Eq, symbols

from gaptron import Claim, Implication, Instance, Lemma, Obligations, Resists, Rests

s, lam, lam_next = symbols("s lam lam_next", positive=True)
theta, y, g, step = symbols("theta y g step", real=True)
now, moved, later, linear, linear_sum, against_u = symbols("now moved later linear linear_sum against_u", real=True)
norm2, radius2, loss, top, other, squares = symbols("norm2 radius2 loss top other squares", nonnegative=True)
theta2, share, share_sum, distance2 = symbols("theta2 share share_sum distance2", nonnegative=True)
expected, loss_x, loss_u, gap, excess, excess_sum, regret_sum = symbols(
    "expected loss_x loss_u gap excess excess_sum regret_sum", real=True
)

exercise1 = Lemma(
    name="Blog, Exercise 1",
    source='blog "The Gaptron Algorithm", Exercise 1',
    implications=(
        Implication(
            name="minimum",
            statement="theta y + (lambda/2) y^2 >= -theta^2/(2 lambda) for every y = x - x_1",
            given=(),
            then=theta * y + lam * y**2 / 2 >= -(theta**2) / (2 * lam),
        ),
        Implication(
            name="minimiser",
            statement="step = x_t - x_1 = -theta/lambda attains the minimum",
            given=(Eq(lam * step, -theta),),
            then=Eq(theta * step + lam * step**2 / 2, -(theta**2) / (2 * lam), evaluate=False),
        ),
        Implication(
            name="one round",
            statement="g (x_t - x_1) = V(theta + g; lambda) - V(theta; lambda) + g^2/(2 lambda)",
            given=(Eq(lam * step, -theta),),
            then=Eq(
                g * step,
                -((theta + g) ** 2) / (2 * lam) + theta**2 / (2 * lam) + g**2 / (2 * lam),
                evaluate=False,
            ),
        ),
        Implication(
            name="larger regularizer",
            statement="V(theta; lambda) <= V(theta; lambda') for lambda <= lambda', with theta2 = theta^2",
            given=(lam <= lam_next,),
            then=-theta2 / (2 * lam) <= -theta2 / (2 * lam_next),
        ),
        Implication(
            name="one more round",
            statement="now = V(theta; lambda), moved = V(theta + g; lambda), later with lambda'; share g^2/(2 lambda)",
            given=(linear_sum <= now + share_sum, Eq(linear, moved - now + share), moved <= later),
            then=linear_sum + linear <= later + share_sum + share,
        ),
        Implication(
            name="comparator",
            statement="V(theta; lambda) <= theta (u - x_1) + (lambda/2) (u - x_1)^2, y = u - x_1",
            given=(Eq(now, -(theta**2) / (2 * lam)),),
            then=now <= theta * y + lam * y**2 / 2,
        ),
        Implication(
            name="linear regret",
            statement="sum <g_t, x_t - u> <= (lambda/2) ||u - x_1||^2 + the shares; against_u = <theta, u - x_1>",
            given=(linear_sum <= now + share_sum, now <= against_u + lam * distance2 / 2),
            then=linear_sum - against_u <= lam * distance2 / 2 + share_sum,
        ),
        Implication(
            name="regularizer",
            statement="lambda_T = 2 s R_T^2: (lambda_T/2) ||u - x_1||^2 = s R_T^2 ||u - x_1||^2, radius2 = R_T^2",
            given=(Eq(lam, 2 * s * radius2),),
            then=Eq(lam * distance2 / 2, s * radius2 * distance2, evaluate=False),
        ),
        Implication(
            name="subgradient",
            statement="||g||^2 <= 2 s ||z||^2 l(m, y) and lambda >= 2 s ||z||^2: ||g||^2/(2 lambda) <= l(m, y)/2",
            given=(squares <= 2 * s * norm2 * loss, lam >= 2 * s * norm2),
            then=squares / (2 * lam) <= loss / 2,
        ),
        Implication(
            name="z = 0",
            statement="g = 0: share = 0 <= l(m, y)/2, and the gap is at most 0 as in the other rounds",
            given=(Eq(share, 0),),
            then=share <= loss / 2,
        ),
        Implication(
            name="case yhat != y",
            statement="a = top, l(m, y) = other: the gap, with share = ||g||^2/(2 lambda), is at most 0",
            given=(top + other >= 2, share <= other / 2),
            then=(1 - top) + top / 2 - other + share <= 0,
        ),
        Implication(
            name="case yhat = y",
            statement="a = l(m, y) = top: the gap is at most 0",
            given=(share <= top / 2,),
            then=top / 2 - top + share <= 0,
        ),
        Implication(
            name="mistakes of a round",
            statement="l_t(x_t) - l_t(u) <= <g_t, x_t - u>, gap = E[1[y' != y]] - l_t(x_t) + share <= 0",
            given=(loss_x - loss_u <= linear, Eq(gap, expected - loss_x + share), gap <= 0),
            then=expected - loss_u <= linear - share,
        ),
        Implication(
            name="mistakes, one more round",
            statement="excess = E[1[y' != y]] - l_t(u) of the next round, the sums over the rounds before it",
            given=(excess_sum <= regret_sum - share_sum, excess <= linear - share),
            then=excess_sum + excess <= (regret_sum + linear) - (share_sum + share),
        ),
        Implication(
            name="mistakes of all rounds",
            statement="regret_sum = sum <g_t, x_t - u>: E[mistakes] - sum l_t(u) <= (lambda_T/2) ||u - x_1||^2",
            given=(excess_sum <= regret_sum - share_sum, regret_sum <= lam * distance2 / 2 + share_sum),
            then=excess_sum <= lam * distance2 / 2,
        ),
    ),
)


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
        source='blog "The Gaptron Algorithm", Exercise 1',
        statement="Gaptron with FTRL and the regularizer (lambda_t/2) ||x - x_1||^2, lambda_t = 2 s max ||z_i||^2 "
        "over i <= t, has E[mistakes] <= sum l_t(u) + s max ||z_t||^2 ||u - x_1||^2 for every u in R^d, without "
        "knowing R",
        tex=r"\mathbb{E}[M_T] \le \sum_t \ell_t(u) + s \max_t \|z_t\|^2 \|u - x_1\|^2",
        grounds=(Rests("blog/self-bounded-convex"), Obligations(exercise1)),
        recorded="PROVED",
        finding="The exercise leaves the regularizer open; this one gives the bound of Theorem 1 at the learning rate "
        "that would need R.",
        second=Resists(random_stream, 80),
    ),
)
