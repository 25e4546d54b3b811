"""Theorem 4, its bound at the printed learning rate.

**Problem.** As in Theorem 4: bandit feedback, the base-2 logistic loss, ||x|| <= X, ||U|| <= D, T rounds.

**Algorithm.** Gaptron with the gap map of Theorem 1 and the printed eta = ln 2 q/(2 K^2 X^2),
q = (1 - gamma) r/K + gamma, r = e^(-2DX); W is projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, Theorem 4 as printed, with u = X D and one of two exploration rates:

- gamma = min{1, K u/sqrt(T ln 2)} gives the first branch, K u max{2 K u/ln 2, 2 sqrt(T/ln 2)};
- the second branch, K^2 u^2 e^(2u)/ln 2, is given by gamma = 1 if e^(2u) <= 2, and else by
  gamma = (K - 1) r/(1 + (K - 1) r). Neither exploration costs anything. A uniform prediction is no worse than the loss
  while all probabilities are at most 2/3 (K = 2) or 1/2 (K >= 3); and the second gamma is nowhere above the gap map, so
  that max(a, gamma) = a. Lemma 1 is applied to the gap map max(a, gamma), without its term for exploration.

The printed derivation of the second branch takes gamma = 0, which gives it times K.

**References.** van der Hoeven 2020, Theorem 4.
"""

from fractions import Fraction

from sympy import Eq, Rational, exp, log, symbols

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
    stated,
)
from gaptron.numbers.evaluate import ball, is_less
from gaptron.symbols import K, T, gamma, p

top, least, q, ln2, root, tau, u = symbols("top least q ln2 root tau u", positive=True)
rate = Eq(q, (1 - gamma) * least / K + gamma)

first_branch = Lemma(
    name="Theorem 4, first branch",
    source="van der Hoeven 2020, Theorem 4 (our derivation)",
    implications=(
        Implication(
            name="q >= gamma",
            statement="D^2/(2 eta) = K^2 u^2/(q ln2) <= K^2 u^2/(gamma ln2), u = X D",
            given=(gamma > 0, gamma <= 1, rate),
            then=K**2 * u**2 / (q * ln2) <= K**2 * u**2 / (gamma * ln2),
        ),
        Implication(
            name="gamma = 1",
            statement="K u >= sqrt(T ln2), root = sqrt(ln2), tau = sqrt(T)",
            given=(K * u >= tau * root,),
            then=K**2 * u**2 / root**2 + tau**2 * (K - 1) / K <= 2 * K**2 * u**2 / root**2,
        ),
        Implication(
            name="gamma < 1, potential",
            statement="gamma = K u/sqrt(T ln2): K^2 u^2/(gamma ln2) = K u sqrt(T/ln2)",
            given=(Eq(gamma * tau * root, K * u), gamma > 0),
            then=Eq(K**2 * u**2 / (gamma * root**2), K * u * tau / root, evaluate=False),
        ),
        Implication(
            name="gamma < 1, exploration",
            statement="gamma T (K - 1)/K <= gamma T = K u sqrt(T/ln2)",
            given=(Eq(gamma, K * u / (tau * root)),),
            then=gamma * tau**2 * (K - 1) / K <= K * u * tau / root,
        ),
    ),
)

U_2 = {K: 2, u: 2, T: 1, ln2: 1, q: 1, gamma: 1, least: 1, tau: 1, root: 1}
first_terms = tuple(
    stated(first_branch[name], f"The first branch, {about}", U_2 | more)
    for name, about, more in (
        ("q >= gamma", "the potential, ln2 the logarithm of two, u being X D", {}),
        ("gamma = 1", "gamma of one, where K u is large", {}),
        (
            "gamma < 1, potential",
            "the potential with the printed gamma, root^2 ln 2, tau^2 T",
            {gamma: 4},
        ),
        ("gamma < 1, exploration", "the exploration with the printed gamma", {gamma: 4}),
    )
)

second_branch = Lemma(
    name="Theorem 4, second branch",
    source="van der Hoeven 2020, Theorem 4",
    implications=(
        Implication(
            name="uniform prediction, K = 2",
            statement="r >= 1/2, so p_y <= 2/3; gamma = 1: the gap of a uniform prediction is at most 0",
            given=(p <= Rational(2, 3),),
            then=Rational(1, 2) + log(p) / log(2) + (1 - p) ** 2 / (4 * log(2)) <= 0,
        ),
        Implication(
            name="top probability, K >= 3",
            statement="r >= 1/2, so p* <= 1/2",
            given=(top <= 1 / (1 + (K - 1) * least), least >= Rational(1, 2), K >= 3),
            then=top <= Rational(1, 2),
        ),
        Implication(
            name="top probability, K = 2",
            statement="r >= 1/2, so p* <= 2/3",
            given=(top <= 1 / (1 + least), least >= Rational(1, 2)),
            then=top <= Rational(2, 3),
        ),
        Implication(
            name="uniform prediction, K >= 3",
            statement="p_y <= 1/2: (eta/2) E ||g||^2 <= 2 (1 - p_y)^2/(4 K ln 2), the other squares being at most it",
            given=(p <= Rational(1, 2),),
            then=(K - 1) / K + log(p) / log(2) + (1 - p) ** 2 / (2 * K * log(2)) <= 0,
        ),
        Implication(
            name="regret of the uniform prediction",
            statement="gamma = 1: q = 1, and r <= 1",
            given=(least <= 1,),
            then=K**2 * u**2 / ln2 <= K**2 * u**2 / (least * ln2),
        ),
        Implication(
            name="free exploration",
            statement="r <= 1/2 and gamma = (K - 1) r/(1 + (K - 1) r): q >= r",
            given=(rate, Eq(gamma, (K - 1) * least / (1 + (K - 1) * least)), least <= Rational(1, 2)),
            then=q >= least,
        ),
        Implication(
            name="regret of free exploration",
            statement="D^2/(2 eta) = K^2 u^2/(q ln2) <= K^2 u^2/(r ln2)",
            given=(q >= least,),
            then=K**2 * u**2 / (q * ln2) <= K**2 * u**2 / (least * ln2),
        ),
        Implication(
            name="no exploration",
            statement="gamma = 0: r ln2 = K (q ln2), so K^2 u^2/(q ln2) is K times the printed K^2 u^2/(r ln2)",
            given=(Eq(q, least / K),),
            then=Eq(least * ln2, K * (q * ln2), evaluate=False),
        ),
    ),
)

as_printed = Implication(
    name="printed",
    statement="gamma = 0, M_T <= T of no help: K^3 u^2 e^(2 u)/ln 2 <= K^2 u^2 e^(2 u)/ln 2",
    given=(K**2 * u**2 * exp(2 * u) / log(2) < T,),
    then=K**3 * u**2 * exp(2 * u) / log(2) <= K**2 * u**2 * exp(2 * u) / log(2),
)

LN2 = ball(2).log()


def without_exploration():
    """K = 2, X D = 1, T = 1000: what Lemma 1 gives with gamma = 0, against the printed second branch."""
    eta = LN2 * ball(-2).exp() / 2 / (2 * 2**2)
    due = 1 / (2 * eta)
    return Instance({"K": 2, "X": 1, "D": 1, "T": 1000, "gamma": 0}, smaller(due, ball(1000)), 4 * ball(2).exp() / LN2)


def smaller(left, right):
    return left if is_less(left, right) else right


def by_lemma1(rng):
    """D^2/(2 eta) + gamma T (K - 1)/K with the printed eta and the gamma of the first branch, in balls."""
    n, T, u = int(rng.integers(2, 40)), ball(int(rng.integers(1, 10**4))), ball(Fraction(int(rng.integers(1, 80)), 8))
    gamma = smaller(ball(1), n * u / (T * LN2).sqrt())
    eta = LN2 * ((1 - gamma) * (-2 * u).exp() / n + gamma) / (2 * n**2)
    branch = n * u * -smaller(-2 * n * u / LN2, -2 * (T / LN2).sqrt())
    at = {"K": n, "T": str(T), "X D": str(u), "gamma": str(gamma)}
    return Instance(at, u**2 / (2 * eta) + gamma * T * (n - 1) / n, branch)


def three_rounds(rng):
    """Expected mistakes on three equal rounds, K = 2, x = X = 1, y = 1, against the bound at U = (-D/2, D/2); balls."""
    D = Fraction(int(rng.integers(1, 9)), 16)
    r = ball(-2 * D).exp()
    explored = (ball(1), r / (1 + r))[int(rng.integers(2))] if D > Fraction(7, 20) else ball(1)
    eta = LN2 * ((1 - explored) * r / 2 + explored) / 8
    mistakes = expected_mistakes(ball(0), 3, eta, explored, D)
    loss = (1 + ball(-D).exp()).log() / LN2
    return Instance({"K": 2, "D": D, "gamma": str(explored), "T": 3}, mistakes, 3 * loss + 4 * ball(D) ** 2 / (r * LN2))


def expected_mistakes(margin, rounds, eta, explored, D):
    """Of the label 1, whose score exceeds the other's by ``margin``; ties go to the other label."""
    if rounds == 0:
        return ball(0)
    p = 1 / (1 + (-margin).exp())
    right = is_less(ball(0), margin) if margin != 0 else False
    a = 1 - (p if right else 1 - p) if margin != 0 else ball(Fraction(1, 2))
    mix = explored if is_less(a, explored) else a
    correct = 1 - mix / 2 if right else mix / 2
    moved = margin + 2 * eta * (1 - p) / (LN2 * correct)
    moved = smaller(moved, ball(2).sqrt() * ball(D))  # the projection: W = (-s, s) with 2 s^2 <= D^2
    later = [expected_mistakes(next_, rounds - 1, eta, explored, D) for next_ in (margin, moved)]
    return 1 - correct + (1 - correct) * later[0] + correct * later[1]


claims = (
    Claim(
        id="gaptron/t4-tuning-first",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        grounds=first_terms,
        recorded="PROVED",
        second=Resists(by_lemma1, 100),
    ),
    Claim(
        id="gaptron/t4-tuning-second",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        statement="the printed eta with gamma = 0 gives, through Lemma 1 (and M_T <= T), the second branch K X D * K "
        "X D/(e^(-2DX) ln 2)",
        tex=r"\gamma = 0:\ \frac{D^2}{2\eta} \le \frac{K^2 X^2 D^2}{e^{-2DX} \ln 2}",
        grounds=Obligations(Lemma(name="Theorem 4, second branch at gamma = 0", implications=(as_printed,))),
        recorded="REFUTED",
        finding="A factor K is lost: with gamma = 0 the printed eta is ln 2 e^(-2DX)/(2 K^3 X^2), and D^2/(2 eta) is "
        "K times the printed branch. Only the derivation is wrong: another gamma gives the branch as printed, see "
        "gaptron/t4-bound.",
        corrected=Corrected(
            statement="gamma = 0 gives K^3 X^2 D^2 e^(2DX)/ln 2; gamma = 1 (if e^(2DX) <= 2) or (K - 1) r/(1 + (K - "
            "1) r), r = e^(-2DX), gives K^2 X^2 D^2 e^(2DX)/ln 2",
            tex=r"\gamma = 0:\ \frac{D^2}{2\eta} = \frac{K^3 X^2 D^2 e^{2DX}}{\ln 2}",
            grounds=(
                Obligations(second_branch, "no exploration"),
                Obligations(second_branch, "re*"),
                Obligations(second_branch, "free exploration"),
            ),
        ),
        constants=(Constant(name="X^2 D^2 e^(2DX)/ln 2 at gamma = 0", printed=K**2, best=K**3, attained="every K"),),
        second=Breaks(without_exploration),
    ),
    Claim(
        id="gaptron/t4-bound",
        quote="Then there exists a setting of γ such that Algorithm 1 satisfies",
        source="van der Hoeven 2020, Theorem 4",
        statement="Theorem 4: with the printed eta there is a gamma such that E[mistakes] <= E[sum l_t(U)] + K X D "
        "min{max{2 K X D/ln 2, 2 sqrt(T/ln 2)}, K X D e^(2DX)/ln 2}",
        tex=r"M_T \le \mathbb{E}\left[\sum_t \ell_t(U)\right] + KXD \min\{\max\{\frac{2KXD}{\ln 2},"
        r" 2\sqrt{\frac{T}{\ln 2}}\}, \frac{KXD}{e^{-2DX} \ln 2}\}",
        grounds=(
            Rests("gaptron/lemma1"),
            Rests("gaptron/t4-gap"),
            Rests("gaptron/t4-tuning-first"),
            Rests("gaptron/bandit-unbiased-logistic"),
            Rests("gaptron/reduction-softmax"),
            Rests("gaptron/convexity-softmax"),
            Obligations(second_branch),
        ),
        recorded="PROVED",
        finding="The theorem is true although its derivation is not: the least probability it uses "
        "(gaptron/t4-min-probability) and the choice gamma = 0 (gaptron/t4-tuning-second) are wrong. The gap "
        "inequality has slack for the first, and for the second branch there is exploration that costs nothing.",
        second=Resists(three_rounds, 20),
    ),
)
