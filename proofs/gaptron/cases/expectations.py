"""The expected mistakes of Theorems 1 to 6 on one short stream: rationals where they exist, balls, and mpmath.

Rationals and balls are those of the package. In mpmath Algorithm 1 is written out below, at 50 digits and over all
outcomes of the draws; K = 3, and D = 1/2 with bandit feedback. Ties go to the lowest label.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint
from matching import theorem
from mpmath import mp

from gaptron.bounds.sides import Game
from gaptron.numbers.evaluate import ball

mp.dps = 60
SHOWN = 50
K, T, RADIUS = 2, 8, Fraction(1, 2)
LABELS = [0, 1, 1, 0, 0, 1, 0, 0]
ROUNDS = [[1, 0], [0, 1], ["1/2", "3/4"], [1, 0], ["3/4", "-1/2"], ["-1/4", "1/2"], ["1/2", 0], [1, 0]]
STREAM = [([mp.mpf(Fraction(v).numerator) / Fraction(v).denominator for v in x], y) for x, y in zip(ROUNDS, LABELS)]
U = [[Fraction(1, 4), 0], [0, Fraction(1, 4)]]

Seen = tuple[Any, list[Any]]  # the gap map's a, and the derivatives of the loss in the scores


class Setting(NamedTuple):
    """A theorem's file, its loss with its gap map, eta, and gamma with bandit feedback, at X = 1."""

    file: str
    see: Callable[[Sequence[Any], int], Seen]
    eta: Any
    gamma: Any = None


def margins(theta: Sequence[Any], label: int) -> tuple[Any, int]:
    """The margin of a label, and its rival."""
    rival = max((k for k in range(K) if k != label), key=lambda k: (theta[k], -k))
    return theta[label] - theta[rival], rival


def along_margin(theta: Sequence[Any], label: int, slope: Any) -> list[Any]:
    """The derivatives in the scores of a loss of the margin."""
    rival = margins(theta, label)[1]
    return [slope * ((k == label) - (k == rival)) for k in range(K)]


def logistic(theta: Sequence[Any], label: int) -> Seen:
    """Equation (1) and the gap map of Theorem 1."""
    powers = [mp.exp(score) for score in theta]
    p = [power / sum(powers) for power in powers]
    return 1 - max(p) if max(p) >= 0.5 else 1, [(p[k] - (k == label)) / mp.log(2) for k in range(K)]


def hinge(theta: Sequence[Any], label: int) -> Seen:
    """Equation (2) and the gap map of Theorem 2, beta = 1/K."""
    top = theta.index(max(theta))
    low, m = margins(theta, top)[0] * K <= 1, margins(theta, label)[0]
    return 1 - margins(theta, top)[0] if low else 0, along_margin(theta, label, -((top != label or low) and m < 1))


def smooth_hinge(theta: Sequence[Any], label: int) -> Seen:
    """Equation (3), 0 for margins above 1, and the gap map of Theorem 3."""
    top, m = margins(theta, theta.index(max(theta)))[0], margins(theta, label)[0]
    return (1 - min(1, top)) ** 2, along_margin(theta, label, -2 * (1 - min(1, max(m, 0))))


def mistakes(setting: Setting, W: list[list[Any]], rounds: Sequence[Any]) -> Any:
    """The expected mistakes of Algorithm 1 from weights W on."""
    if not rounds:
        return mp.mpf(0)
    (x, label), rest = rounds[0], rounds[1:]
    theta = [sum(w * v for w, v in zip(row, x)) for row in W]
    a, slopes = setting.see(theta, label)
    mix = max(a, setting.gamma or 0)
    right = mp.mpf(mix) / K + (1 - mix) * (theta.index(max(theta)) == label)
    drawn = right if setting.gamma else 1  # with bandit feedback g is divided by P(y' = y), and 0 on a wrong guess
    moved = [[w - setting.eta * slope / drawn * v for w, v in zip(row, x)] for row, slope in zip(W, slopes)]
    if not setting.gamma:
        return 1 - right + mistakes(setting, moved, rest)
    norm = mp.sqrt(sum(w**2 for row in moved for w in row))
    shrink = min(1, mp.mpf(1) / 2 / norm) if norm else 1
    kept = [[w * shrink for w in row] for row in moved]
    return 1 - right + right * mistakes(setting, kept, rest) + (1 - right) * mistakes(setting, W, rest)


def settings() -> list[Setting]:
    """The learning rates and exploration rates of the six theorems, D = 1/2."""
    ln2, beta, D = mp.log(2), mp.mpf(1) / K, mp.mpf(1) / 2
    gammas = [
        K * D / mp.sqrt(T * ln2),
        mp.sqrt(K**3 * D**2 / (2 * (1 - beta) * (K - 1) * T)),
        mp.sqrt(2 * K**2 * D**2 / T),
    ]
    first, second, last = (min(1, gamma) for gamma in gammas)
    return [
        Setting("theorem1_logistic.py", logistic, ln2 / (2 * K)),
        Setting("theorem2_hinge.py", hinge, (1 - beta) / K),
        Setting("theorem3_smooth_hinge.py", smooth_hinge, mp.mpf(1) / (4 * K)),
        Setting("theorem4_bandit_logistic.py", logistic, first * ln2 / (2 * K**2), first),
        Setting("theorem5_bandit_hinge.py", hinge, second * (1 - beta) / K**2, second),
        Setting("theorem6_bandit_smooth_hinge.py", smooth_hinge, last / (4 * K**2), last),
    ]


def rational(game: Game) -> Fraction | None:
    """The package's expected mistakes as a fraction; None if there is a logarithm, or the root of a projection."""
    try:
        return Fraction(str(game.sides(ROUNDS, LABELS, U).mistakes))
    except ValueError:
        return None


def shown(exact: Fraction | None) -> str:
    """A fraction in at most forty characters."""
    if exact is None:
        return "none"
    return str(exact) if len(str(exact)) <= 40 else f"a fraction with {len(str(exact.denominator))} digits below"


def row(setting: Setting) -> list[str]:
    """A row of the table: the three numbers agree, and are at most the bound."""
    stated = theorem(setting.file)
    game = Game(stated, K, T, RADIUS) if setting.gamma else Game(stated, K)
    sides, exact = game.sides(ROUNDS, LABELS, U, arithmetic="ball"), rational(game)
    plain = mistakes(setting, [[0, 0]] * K, STREAM)
    assert ball(sides.mistakes).overlaps(flint.arb(mp.nstr(plain, mp.dps), f"1e-{SHOWN}"))
    assert exact is None or abs(mp.mpf(exact.numerator) / exact.denominator - plain) < mp.mpf(10) ** -SHOWN
    bound = ball(sides.comparator_loss) + ball(sides.regret)
    assert sides.mistakes < bound
    return [stated.name, shown(exact), ball(sides.mistakes).str(25), mp.nstr(plain, SHOWN), bound.str(5, radius=False)]


HEAD = ["theorem", "as a fraction", "as a ball", "in mpmath, 50 digits", "the bound"]

if __name__ == "__main__":
    for cells in (HEAD, ["---"] * len(HEAD), *map(row, settings())):
        print(f"| {' | '.join(cells)} |")
