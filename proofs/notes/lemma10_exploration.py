"""Notes, Lemma 10: the number of exploration rounds.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4: if ||x_t||_{M_t^{-1}} >= epsilon and ||W_t - W*||_F >= 1, guess; else predict the top label.
After a right prediction M_{t+1} = M_t + l_t(W_t) x_t x_t', W_{t+1} is W_t - (1/8) grad l_t(W_t), its rows projected.
At first M_1 = I and W_1 = 0; epsilon = 1/(4 D sqrt(32 K^3 D^4)). L_t is the sum of the losses of the updates before t.

**Theoretical guarantee.** None: the steps of Lemma 10 are false, and exploration need not end. As L_t never exceeds
8 K D^2, a unit vector stays long in the metric of M_t: on x_t = 1, y_t = 0 with W* = (2, -2) every round explores.

**References.** Notes on bandit multiclass classification, section 5, Lemma 10 and after Lemma 9.
"""

from fractions import Fraction

from sympy import Eq, symbols

from gaptron import Breaks, Claim, Corrected, Implication, Instance, Lemma, Obligations, Rests
from gaptron.symbols import K

w = symbols("w", real=True)
right, explored, L = symbols("right explored L", nonnegative=True)

guesses = Lemma(
    name="Notes, guesses",
    implications=(
        Implication(
            name="one explored round",
            statement="a guess is right with probability 1/K: explored = K E[explored 1[right]]",
            given=(Eq(right, explored / K),),
            then=Eq(explored, K * right, evaluate=False),
        ),
    ),
)

for_ever = Lemma(
    name="Notes, exploration for ever",
    source="notes, after Lemma 9",
    implications=(
        Implication(
            name="weights",
            statement="K = 2, x = 1, label 0, W = (w, -w) with w <= 1/2: an update moves w by h/4, h = 1 - 2 w, and "
            "keeps w <= 1/2",
            given=(w >= 0, w <= Fraction(1, 2)),
            then=w + (1 - 2 * w) / 4 <= Fraction(1, 2),
        ),
        Implication(
            name="far",
            statement="W* = (2, -2), D = 2: ||W - W*||_F^2 = 2 (2 - w)^2 >= 1",
            given=(w >= 0, w <= Fraction(1, 2)),
            then=2 * (2 - w) ** 2 >= 1,
        ),
        Implication(
            name="not explored enough",
            statement="L <= 8 K D^2 = 64: ||x||^2_{M^{-1}} = 1/(1 + L) >= epsilon^2 = 1/(512 K^3 D^6) = 1/262144",
            given=(L <= 64,),
            then=1 / (1 + L) >= Fraction(1, 262144),
        ),
    ),
)


def wrong_guess() -> Instance:
    """One round, explored, guessed wrong: one mistake, and sum Z_t = 0."""
    return Instance({"T": 1, "K": 2, "W*": (2, -2), "x_1": 1, "y_1": 0, "guess": 1}, 1, 0)


def unlucky_guess() -> Instance:
    """P(no right guess in one explored round) = 1/2 at K = 2, more than delta = 1/4: then 1 <= 0 fails."""
    return Instance({"K": 2, "explored rounds": 1, "delta": "1/4"}, Fraction(1, 2), Fraction(1, 4))


def explored_rounds() -> Instance:
    """Algorithm 4 on x = 1, y = 0, every guess right: all of 40 rounds explore, with M rounded up."""
    w, M, explored = Fraction(0), Fraction(1), 0
    for _ in range(40):
        explored += 1 / M >= Fraction(1, 262144) and 2 * (2 - w) ** 2 >= 1
        M += (1 - 2 * w) ** 2
        w += (1 - 2 * w) / 4
        w, M = Fraction(round(w * 2**60), 2**60), Fraction(-((-M * 2**60) // 1), 2**60)
    return Instance({"K": 2, "D": 2, "W*": (2, -2), "x_t": 1, "y_t": 0, "T": 40}, explored, 39)


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/lemma10",
        quote=r"\sum_{t=1}^T \mathbf{1}[\tilde{y}_t \neq y_t] \leq N \triangleq \sum_{t=1}^T Z_t$, the number of "
        "exploration rounds",
        severity="B",
        cause="sum Z_t counts right guesses, not exploration rounds",
        patch="let N count the exploration rounds; in expectation they are K times those with a right guess",
        rough=TODO,
        source=NOTES + "Lemma 10",
        statement="the steps for the number of exploration rounds hold: mistakes <= N = sum Z_t, and N <= K "
        "ln(1/delta) sum 1[||x_t|| > epsilon] Z_t with probability 1 - delta",
        grounds=Breaks(wrong_guess),
        recorded="REFUTED",
        finding="Z_t = 1 on rounds that were predicted correctly, so sum Z_t does not count mistakes, nor exploration "
        "rounds. The second step fails too: one round, explored and guessed wrong, has probability 1 - 1/K. The last "
        "step divides by the smallest loss, which has no lower bound; the notes leave the bound open (???).",
        corrected=Corrected(
            statement="in expectation, exploration rounds are K times the exploration rounds with a right guess",
            grounds=Obligations(guesses),
        ),
        second=Breaks(unlucky_guess),
    ),
    Claim(
        id="notes/exploration-ends",
        kind="improvement",
        source=NOTES + "after Lemma 9",
        statement="the number of exploration rounds is bounded independently of T; here: at K = 2, D = 2, by 39",
        grounds=Breaks(explored_rounds),
        recorded="REFUTED",
        finding="The losses of all updates sum to at most 8 K D^2, so M_t never grows enough to make a unit vector "
        "short: on x_t = 1, y_t = 0 with W* = (2, -2) every round explores, for ever, and half of them are mistakes. "
        "39 stands for any bound: the corrected statement is proved for every T.",
        corrected=Corrected(
            statement="on x_t = 1, y_t = 0, K = 2, D = 2, W* = (2, -2) all T rounds explore, for every T",
            grounds=(Obligations(for_ever), Rests("notes/lemma6-total-loss")),
        ),
    ),
)
