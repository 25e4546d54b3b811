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

from sympy import Eq, Rational, log, symbols

from gaptron import Argument, Cite, Claim, Implication, Instance, Resists
from gaptron.numbers.evaluate import ball
from gaptron.symbols import T

HALF, LN2 = Rational(1, 2), log(2)
B, s, e, m = symbols("B s e m", positive=True)
delay, blocks, budget, L = symbols("delay blocks budget L", nonnegative=True)
live, apart, size, c = symbols("live apart size c", nonnegative=True)
paid, losses = symbols("paid losses", real=True)

READS = {
    s: "ln(KT)", delay: "n", blocks: "N", budget: "b", L: "log2(1 + e^-m)", live: "S(U) in a block", size: "||U||^2",
    apart: "S(U) after the blocks", paid: "E[mistakes]", losses: "sum S(U)",
}  # fmt: skip

PARAMETERS = (2 * s <= B, 2 * (delay + 1) * B**2 <= m**2 * T, Eq(c * m**2, 1 - 2 * L))
SHARED = Eq(2 * B * e, 3 * s)
BUDGET = Eq(budget, B**2 - Rational(4, 3) * s * B - s**2)
MOST, LEAST = blocks * m**2 <= 2 * (1 - e) * budget, (blocks + 1) * m**2 >= 2 * (1 - e) * budget
NORM = Eq(size, 2 * s**2 / e + s**2 + blocks * m**2 / (2 * (1 - e)))
PAID = paid >= (delay + 1) * blocks / 2
LOST = losses <= (delay + 1) * blocks * live + (T - (delay + 1) * blocks) * apart
LIVE, APART = live <= L + 1 / (T * LN2), apart <= 1 / (T * LN2)

SMALL = e <= Rational(3, 4)
POSITIVE = B**2 - Rational(4, 3) * s * B - s**2 >= 0
SHARED_NORM = Eq(2 * s**2 / e, Rational(4, 3) * s * B, evaluate=False)
IN_BALL = size <= B**2
ROOM = (delay + 1) * blocks <= T
GAIN = blocks * (HALF - L) >= c * (1 - e) * budget - HALF
REST = (1 - e) * budget >= B**2 - Rational(17, 6) * B * s - s**2
SUM = paid - losses >= (delay + 1) * blocks * (HALF - L) - 1 / LN2
END = paid - losses >= (delay + 1) * (c * (B**2 - Rational(17, 6) * B * s - s**2) - HALF) - 1 / LN2


def step(name, statement, given, then):
    return Implication(name=name, statement=statement, given=given, then=then)


bound = Argument(
    name="a lower bound without the logarithm",
    setting="Any algorithm, blocks of a live label each, as long as the delay asks for, and later rounds on a point "
    "apart; N as large as the budget b allows",
    symbols=READS,
    hypotheses=(*PARAMETERS, SHARED, BUDGET, MOST, LEAST, NORM, PAID, LOST, LIVE, APART),
    steps=(
        step("a share of the points", "s <= B/2", (SHARED, 2 * s <= B), SMALL),
        step("a budget", "s <= B/2", (2 * s <= B,), POSITIVE),
        step("the shared coordinate", "e = 3 s/(2 B)", (SHARED,), SHARED_NORM),
        step("a norm in the ball", "the blocks keep to the budget", (SHARED_NORM, SMALL, BUDGET, MOST, NORM), IN_BALL),
        step(
            "room for the blocks",
            "N m^2 <= 2 B^2",
            (MOST, BUDGET, POSITIVE, 2 * (delay + 1) * B**2 <= m**2 * T),
            ROOM,
        ),
        step("what the blocks gain", "N is the largest", (LEAST, Eq(c * m**2, 1 - 2 * L)), GAIN),
        step("what the budget leaves", "e B = 3 s/2", (SHARED, BUDGET), REST),
        step("all rounds together", "the later rounds cost 1/ln 2 at most", (PAID, LOST, LIVE, APART, ROOM), SUM),
        step("in terms of B", "c >= 0", (SUM, GAIN, REST), END),
    ),
    conclusion=(IN_BALL, END),
    example={
        B: 2, s: Rational(1, 2), e: Rational(3, 8), m: 2, T: 2, delay: 0, budget: Rational(29, 12), L: Rational(1, 4),
        live: 0, apart: 0, blocks: 0, size: Rational(19, 12), c: Rational(1, 8), paid: 0, losses: 0,
    },
)  # fmt: skip

NOW = {delay: 0}
at_once = Argument(
    name="the lower bound for labels that are not late",
    setting="Any algorithm, rounds of a live label each, and later rounds on a point apart; N as large as the budget b "
    "allows",
    symbols={symbol: words for symbol, words in READS.items() if symbol != delay},
    hypotheses=tuple(given.subs(NOW) for given in bound.hypotheses),
    steps=(Cite(bound, {"n": "0"}),),
    conclusion=(IN_BALL, END.subs(NOW)),
    example={symbol: value for symbol, value in bound.example.items() if symbol != delay},
)


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
        grounds=at_once,
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
        grounds=bound,
        recorded="PROVED",
        finding="Theorem 4.5 has (n + 1) B^2/(ln K)^2: it loses both logarithms. With labels n rounds late n + 1 "
        "copies of proximal steps attain the constant (new/delay-exact).",
        second=Resists(regrets, 60),
    ),
)
