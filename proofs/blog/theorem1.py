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

from fractions import Fraction

from sympy import symbols

from gaptron import BinaryGaptron, Claim, Constant, InProof, Instance, Resists

s = symbols("s", positive=True)

FILE = "gaptron.proof"
PROOF = 'blog "The Gaptron Algorithm", proof of Theorem 1'

UNIT = [(1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)), (Fraction(1, 2), 0)]


def smoothed(z):
    """The smoothed hinge and minus its slope."""
    return (1 - 2 * z, Fraction(2)) if z < 0 else (max(1 - z, Fraction(0)) ** 2, max(2 * (1 - z), Fraction(0)))


def random_gap(rng, right):
    """The gap of a round with the smoothed hinge, s = 2, R = 1, eta = 1/4, from the definitions."""
    z, norm2 = Fraction(int(rng.integers(0, 25)), 12), Fraction(int(rng.integers(0, 5)), 4)
    (value, slope), a = smoothed(z if right else -z), smoothed(z)[0]
    gap = (1 - a) * (not right) + a / 2 - value + Fraction(1, 8) * slope**2 * norm2
    return Instance({"|m|": z, "yhat = y": right, "||z||^2": norm2}, gap, 0)


def random_stream(rng):
    """Expected mistakes by the learner's own code from a random x_1, against the bound at a random u; s = 2, R = 1."""
    T = int(rng.integers(1, 4))
    rows, labels = [UNIT[int(rng.integers(5))] for _ in range(T)], rng.integers(0, 2, T).tolist()
    start, u = ([Fraction(int(v), 4) for v in rng.integers(-4, 5, 2)] for _ in range(2))
    mistakes = BinaryGaptron(2, start=start, exact=True).run(rows, labels).expected_mistakes
    scores = [sum(a * b for a, b in zip(u, x, strict=True)) * (1 - 2 * y) for x, y in zip(rows, labels, strict=True)]
    bound = sum(smoothed(z)[0] for z in scores) + 2 * sum((a - b) ** 2 for a, b in zip(u, start, strict=True))
    return Instance({"z": rows, "labels": labels, "x_1": start, "u": u}, mistakes, bound)


claims = (
    Claim(
        id="blog/t1-gap-wrong",
        quote=r"Case { y_t \neq \hat{y}_t}: \displaystyle \begin{aligned} \gamma_t &=(1-a_t)\boldsymbol{1}[\hat{y}_t "
        r"\neq y_t]",
        source=PROOF + ", case y_t != yhat_t",
        statement="if y_t != yhat_t, gamma_t <= -l/2 + eta s R^2 l <= 0 for l = l(m_t, y_t)",
        grounds=InProof(FILE, "blog/t1-gap"),
        recorded="PROVED",
        second=Resists(lambda rng: random_gap(rng, right=False), 80),
    ),
    Claim(
        id="blog/t1-gap-right",
        quote=r"Case { y_t = \hat{y}_t}: \displaystyle \begin{aligned} \gamma_t &=(1-a_t)\boldsymbol{1}[\hat{y}_t "
        r"\neq y_t]",
        source=PROOF + ", case y_t = yhat_t",
        statement="if y_t = yhat_t, gamma_t <= -l/2 + eta s R^2 l <= 0 for l = l(m_t, y_t)",
        grounds=InProof(FILE, "blog/t1-gap"),
        recorded="PROVED",
        second=Resists(lambda rng: random_gap(rng, right=True), 80),
    ),
    Claim(
        id="blog/t1-bound",
        quote=r"\sum_{t=1}^T \ell_t({\boldsymbol u}) + \frac{\|{\boldsymbol u}-{\boldsymbol x}_1\|_2^2}{2\eta}, "
        r"\qquad \forall {\boldsymbol u} \in {\mathbb R}^d",
        source='blog "The Gaptron Algorithm", Theorem 1',
        statement="E[mistakes] <= sum l_t(u) + ||u - x_1||^2/(2 eta) for every u, also against an adaptive adversary",
        grounds=InProof(FILE, "blog/t1-bound"),
        recorded="PROVED",
        finding="At eta = 1/(2 s R^2) the last term is s R^2 ||u - x_1||^2. The third and fourth assumptions make a = "
        "l(m, yhat) a probability; with the second one they force l(0, 1) = l(0, -1) = 1.",
        constants=(
            Constant(
                name="R^2 ||u - x_1||^2", sharp="argument", printed=s, best=s, attained="gap inequality, smoothed hinge"
            ),
        ),
        second=Resists(random_stream, 8),
    ),
)
