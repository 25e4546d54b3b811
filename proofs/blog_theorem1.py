"""Blog, Theorem 1: Gaptron with two labels and any self-bounded loss.

**Problem.** Labels y = -1 or 1, features z with ||z|| <= R, a loss l(m, y) >= 0 of the score m = <z, x>, x the weight
vector; l is s-self-bounded in m, l(m, 1) + l(m, -1) >= 2, and l(m, sign m) is in [0, 1], both labels at m = 0. Labels
and features are chosen beforehand; if they react to the predictions, both sides below are expectations.

**Algorithm.** Gaptron with one weight vector: yhat = sign m, gap map a = l(m, yhat); predict yhat with probability
1 - a, else one of the two labels at random; then subgradient descent with learning rate eta <= 1/(2 s R^2).

**Theoretical guarantee.** **Upper bound**, Theorem 1: for every u

    E[mistakes] <= sum l_t(u) + ||u - x_1||^2/(2 eta),

which at eta = 1/(2 s R^2) is sum l_t(u) + s R^2 ||u - x_1||^2. The loss enters by two numbers only: top = l(m, yhat)
and other = l(m, -yhat).

**References.** Blog "The Gaptron Algorithm", Theorem 1; van der Hoeven 2020, Lemma 1.
"""

from sympy import Eq, symbols

from gaptron import Implication, Lemma

s, eta, radius2 = symbols("s eta radius2", positive=True)
low, loss, slope2, norm2, top, other, squares = symbols("low loss slope2 norm2 top other squares", nonnegative=True)
distance2, before, after, end = symbols("distance2 before after end", nonnegative=True)
a, wrong = symbols("a wrong", real=True)
slope, entry, feature = symbols("slope entry feature", real=True)
expected, loss_u, gap, excess_sum = symbols("expected loss_u gap excess_sum", real=True)

theorem1 = Lemma(
    name="Blog, Theorem 1",
    source='blog "The Gaptron Algorithm", Theorem 1',
    implications=(
        Implication(
            name="probability of a mistake",
            statement="wrong = 1[yhat != y]: (1 - a) wrong + a/2 wrong + a/2 (1 - wrong) = (1 - a) wrong + a/2",
            given=(),
            then=Eq((1 - a) * wrong + a / 2 * wrong + a / 2 * (1 - wrong), (1 - a) * wrong + a / 2, evaluate=False),
        ),
        Implication(
            name="one more feature",
            statement="the subgradient is slope times z: ||g||^2 = slope^2 ||z||^2",
            given=(Eq(squares, slope**2 * norm2), Eq(entry, slope * feature)),
            then=Eq(squares + entry**2, slope**2 * (norm2 + feature**2), evaluate=False),
        ),
        Implication(
            name="slope",
            statement="slope2 = slope^2 <= 2 s (l - inf l) <= 2 s l since low = inf l >= 0",
            given=(slope2 <= 2 * s * (loss - low),),
            then=slope2 <= 2 * s * loss,
        ),
        Implication(
            name="subgradient",
            statement="||g||^2 = slope2 ||z||^2 <= 2 s R^2 l, with radius2 = R^2",
            given=(slope2 <= 2 * s * loss, norm2 <= radius2),
            then=slope2 * norm2 <= 2 * s * radius2 * loss,
        ),
        Implication(
            name="learning rate",
            statement="(eta/2) ||g||^2 <= l/2 for eta <= 1/(2 s R^2)",
            given=(squares <= 2 * s * radius2 * loss, 2 * eta * s * radius2 <= 1),
            then=eta * squares / 2 <= loss / 2,
        ),
        Implication(
            name="case yhat != y",
            statement="a = top, l(m, y) = other: the gap is at most 0",
            given=(top + other >= 2, eta * squares / 2 <= other / 2),
            then=(1 - top) + top / 2 - other + eta * squares / 2 <= 0,
        ),
        Implication(
            name="case yhat = y",
            statement="a = l(m, y) = top: the gap is at most 0",
            given=(eta * squares / 2 <= top / 2,),
            then=top / 2 - top + eta * squares / 2 <= 0,
        ),
        Implication(
            name="one more round",
            statement="excess_sum = E[mistakes] - sum l_t(u) so far; the potential ||x_t - u||^2/(2 eta) telescopes",
            given=(
                gap <= 0,
                expected - loss_u <= (before - after) / (2 * eta) + gap,
                excess_sum <= (distance2 - before) / (2 * eta),
            ),
            then=excess_sum + expected - loss_u <= (distance2 - after) / (2 * eta),
        ),
        Implication(
            name="all rounds",
            statement="distance2 = ||u - x_1||^2; the last potential is not negative",
            given=(excess_sum <= (distance2 - end) / (2 * eta),),
            then=excess_sum <= distance2 / (2 * eta),
        ),
        Implication(
            name="largest learning rate",
            statement="at eta = 1/(2 s R^2): ||u - x_1||^2/(2 eta) = s R^2 ||u - x_1||^2",
            given=(Eq(eta, 1 / (2 * s * radius2)),),
            then=Eq(distance2 / (2 * eta), s * radius2 * distance2, evaluate=False),
        ),
    ),
)
