"""A lower bound for the logistic loss with no logarithm in front: what proximal steps attain, up to lower terms.

**Problem.** K labels, T rounds, the logistic loss of base 2, full information that arrives n rounds late (n = 0: at
once), norms of at most B.

**Algorithm.** Any. The stream: N blocks of n + 1 equal rounds, with label 0 or 1 at random in each block, then one last
point again and again, with label 0. All points of blocks share one coordinate, of length sqrt(e), and each has one of
its own. U has the scores s + m/2 and s - m/2 on the drawn and the other live label, 0 on the others, s = ln(KT): the
common part s is paid once, on the shared coordinate, and puts the others out of play.

**Theoretical guarantee.** **Lower bound**. In a block any prediction errs with probability at least 1/2 on average,
and U pays log2(1 + e^-m) and at most 1/(T ln 2) more. With 2 s <= B, 2 (n + 1) B^2 <= m^2 T and c = (1 - 2 log2(1 +
e^-m))/m^2 >= 0 the regret is at least (n + 1) (c (B^2 - (17/6) B s - s^2) - 1/2) - 1/ln 2. At m = 1.459 this c is
0.18645, the constant of ``ProximalLogistic``, whose regret is at most (n + 1) 0.18646 B^2 with n + 1 copies.

**References.** Sakaue, Bao, Tsuchiya and Oki 2024, Theorem 13, has B^2/(ln K)^2; Shibukawa, Tsuchiya, Sakaue, Yamanishi
2025, Theorem 4.5, has (n + 1) B^2/(ln K)^2. New: no logarithm in front, and the constant.
"""

from fractions import Fraction
from math import log as ln

from gaptron import Claim, InProof, Instance, Resists
from gaptron.numbers.evaluate import ball

FILE = "logistic_lower_bound.proof"


def blocks_of(K, rounds, B_, m_):
    """N, the number of blocks: the largest that the budget allows."""
    share = 3 * ln(K * rounds) / (2 * B_)
    left = B_**2 - 4 / 3 * ln(K * rounds) * B_ - ln(K * rounds) ** 2
    return int(2 * (1 - share) * left / m_**2)


def drawn(rng):
    """K, T, B, m and a delay for which the bound is stated, and the number of blocks."""
    K, n, B_ = int(rng.integers(2, 1001)), int(rng.integers(0, 4)), int(rng.integers(40, 2000))
    m_ = Fraction(int(rng.integers(100, 300)), 100)
    rounds = int(2 * (n + 1) * B_**2 / m_**2) + int(rng.integers(1, 100))
    return K, rounds, B_, m_, n, blocks_of(K, rounds, B_, m_)


def norm_of(K, rounds, B_, m_, number):
    """||U||^2, from its entries: s/sqrt(e) twice, m/(2 sqrt(1 - e)) twice in each block, s on the point apart."""
    shared = ball(K * rounds).log()
    share = 3 * shared / (2 * B_)
    return 2 * shared**2 / share + number * ball(m_) ** 2 / (2 * (1 - share)) + shared**2


def loss_of(theta):
    """-log2 of the softmax probability of label 0 at the scores ``theta``: (score, how many labels have it)."""
    total = sum((count * (score - theta[0][0]).exp() for score, count in theta), ball(0))
    return total.log() / ball(2).log()


def ball_of_norms(rng):
    """||U||^2 against B^2."""
    K, rounds, B_, m_, _, number = drawn(rng)
    return Instance({"K": K, "T": rounds, "B": B_, "m": m_}, norm_of(K, rounds, B_, m_, number), B_**2)


def regret_of(K, rounds, B_, m_, n, number):
    """1/2 for each round of a block less the losses of U, from its scores."""
    shared, lead = ball(K * rounds).log(), ball(m_)
    in_block = loss_of([(shared + lead / 2, 1), (shared - lead / 2, 1), (ball(0), K - 2)])
    later = loss_of([(shared, 1), (ball(0), K - 1)])
    return (n + 1) * number * (ball(Fraction(1, 2)) - in_block) - (rounds - (n + 1) * number) * later


def regrets(rng):
    """The regret of the stream against the bound."""
    K, rounds, B_, m_, n, number = drawn(rng)
    shared, lead = ball(K * rounds).log(), ball(m_)
    forced = (1 - 2 * (1 + (-lead).exp()).log() / ball(2).log()) / lead**2
    least = forced * (B_**2 - ball(Fraction(17, 6)) * B_ * shared - shared**2) - ball(Fraction(1, 2))
    least = (n + 1) * least - 1 / ball(2).log()
    return Instance(
        {"K": K, "T": rounds, "B": B_, "m": m_, "n": n}, regret_of(K, rounds, B_, m_, n, number), least, ">="
    )


SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024, Theorem 13 (not claimed there)"
LATE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 4.5 (not claimed there)"
claims = (
    Claim(
        id="new/logistic-lower-bound",
        kind="improvement",
        source=SOURCE,
        statement="K labels, the base-2 logistic loss, R rounds, any learner, rounds with one of two live labels at "
        "random and then one last point, ||U|| <= B, s = ln(KR) <= B/2, 2 B^2 <= m^2 R, c = (1 - 2 log2(1 + e^-m))/m^2 "
        ">= 0: the expected regret against U is at least c (B^2 - (17/6) B s - s^2) - 1/2 - 1/ln 2",
        grounds=InProof(FILE, "new/logistic-lower-bound"),
        recorded="PROVED",
        finding="Theorem 13 has B^2/(ln K)^2. Here no logarithm is in front of B^2, and at m = 1.459 the constant is "
        "that of proximal steps: for B large beside ln(KT) their regret is the least possible one up to lower terms.",
        second=(Resists(ball_of_norms, 60), Resists(regrets, 60)),
        coq={"New.v:LogisticLowerBound": "NewProofs.v:logistic_lower"},
    ),
    Claim(
        id="new/logistic-lower-bound-late",
        kind="improvement",
        source=LATE,
        statement="K labels, the base-2 logistic loss, R rounds, labels n rounds late, any learner, blocks of n + 1 "
        "equal rounds with one of two live labels at random and then one last point, ||U|| <= B, s = ln(KR) <= B/2, 2 "
        "(n + 1) B^2 <= m^2 R, c = (1 - 2 log2(1 + e^-m))/m^2 >= 0: the expected regret against U is at least (n + 1) "
        "(c (B^2 - (17/6) B s - s^2) - 1/2) - 1/ln 2",
        grounds=InProof(FILE, "new/logistic-lower-bound-late"),
        recorded="PROVED",
        finding="Theorem 4.5 has (n + 1) B^2/(ln K)^2: it loses both logarithms. With labels n rounds late n + 1 "
        "copies of proximal steps attain the constant (new/delay-exact).",
        second=Resists(regrets, 60),
    ),
)
