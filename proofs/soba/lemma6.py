"""SOBA paper, Lemma 6: one step of online least squares.

**Problem.** Vectors z_t and numbers alpha_t; a comparator U is to predict -alpha_t by <U, z_t>. In SOBA z_t =
v_t/sqrt(p_t) and alpha_t = 1/sqrt(p_t) for the rounds with an update, so that g_t = alpha_t z_t.

**Algorithm.** Ridge regression: A_t = a I + the sum of z z', W_{t+1} = -A_t^{-1} (the sum of alpha z).

**Theoretical guarantee.** With c = <W, z> + alpha, s = z'A_{t-1}^{-1}z and q = z'A_t^{-1}z = s/(1 + s):
A_t W_{t+1} = A_t W_t - c z, hence

    ||U - W_{t+1}||^2_{A_t} = ||U - W_t||^2_{A_{t-1}} + (<U, z> - <W, z>)^2 + 2 c (<U, z> - <W, z>) + c^2 q,

and c^2 (1 - q) - (<U, z> + alpha)^2 = ||U - W_t||^2_{A_{t-1}} - ||U - W_{t+1}||^2_{A_t}: Lemma 6 is an identity. With
m = (<W, z>^2 + 2 <W, g>)/(1 + s) its left side is m - 2 <U, g> - <U, z>^2 - alpha^2 q.

**References.** Beygelzimer, Orabona, Zhang 2017, appendix C and the proof of Lemma 2.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Resists, Rests
from gaptron.instances.soba import Path, column, form, inner, outer, scaled_identity
from gaptron.instances.soba_games import draw_game

FILE = "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"


def of_updates(left: Callable, right: Callable, relation: str = "=") -> Callable[[np.random.Generator], Instance]:
    """Draws of a round with an update; both sides are functions of it, of U and of the weights after it."""

    def draw(rng: np.random.Generator) -> Instance:
        game = draw_game(rng, 3)
        path = max(game.paths, key=lambda found: sum(step.updated for step in found.steps))
        steps = [(step, after) for step, after in zip(path.steps, weights(path), strict=True) if step.updated]
        step, after = steps[int(rng.integers(len(steps)))]
        U = column(game.U)
        return Instance(game.at, left(step, U, after), right(step, U, after), relation)

    return draw


def weights(path: Path) -> list:
    """W after every round."""
    return [*(step.w for step in path.steps[1:]), path.A.inv() * path.theta]


def scale(step, U) -> tuple[Fraction, Fraction, Fraction]:
    """alpha <W, z>, alpha <U, z> and alpha^2, which are rational."""
    return inner(step.w, step.v) / step.p, inner(U, step.v) / step.p, 1 / step.p


def lemma6_left(step, U, _) -> Fraction:
    """(<W, z> + alpha)^2 (1 - z'A_t^{-1}z) - (<U, z> + alpha)^2, with squares of alpha only."""
    wz, uz, alpha2 = scale(step, U)
    return (wz + alpha2) ** 2 / alpha2 * (1 - step.quadratic) - (uz + alpha2) ** 2 / alpha2


def lemma6_right(step, U, after) -> Fraction:
    """||U - W_t||^2_{A_{t-1}} - ||U - W_{t+1}||^2_{A_t}."""
    return form(step.before, U - step.w) - form(step.after, U - after)


def by_definition(step, U, _) -> Fraction:
    """m - 2 <U, g> - <U, z>^2 - g'A_t^{-1}g."""
    uz = inner(U, step.v)
    return step.m - 2 * uz / step.p - uz**2 / step.p - step.quadratic / step.p


def no_inverse() -> Instance:
    """d = 2, z_1 = (1, 2): the determinant of A_1 = z_1 z_1'."""
    z1 = column([Fraction(1), Fraction(2)])
    return Instance({"z_1": (1, 2), "A_1": "z_1 z_1'"}, _det(outer(z1, Fraction(1))), Fraction(0), ">")


def no_first_inverse() -> Instance:
    """A_0 is the empty sum, and w_1 = -A_0^{-1} 0."""
    return Instance({"t": 1, "d": 1, "A_0": "the empty sum"}, _det(scaled_identity(1, Fraction(0))), Fraction(0), ">")


def _det(A) -> Fraction:
    value = A.det()
    return Fraction(int(value.p), int(value.q))


SETTING = (
    "z = z_t, W = W_t = -A_{t-1}^{-1} sum_{s < t} n g, g = alpha z, A_t = a I + sum_{s <= t} n z z', m = (<W, z>^2 + "
    "2 <W, g>)/(1 + z'A_{t-1}^{-1}z). "
)

claims = (
    Claim(
        id="soba/sherman-morrison",
        quote=r"by Sherman-Morrison formula, $k_t = \frac{1}{1 + \mathbf{z}_t^T \mathbf{A}_{t-1}^{-1} \mathbf{z}_t}$",
        source=f"{SOURCE}, proof of Lemma 2",
        statement=SETTING + "In rounds with an update 1 - z'A_t^{-1}z = 1/(1 + z'A_{t-1}^{-1}z)",
        grounds=InProof(FILE, "soba/sherman-morrison"),
        recorded="PROVED",
        second=Resists(
            of_updates(lambda t, *_: 1 - t.quadratic, lambda t, *_: 1 / (1 + form(t.before.inv(), t.v) / t.p)), 50
        ),
    ),
    Claim(
        id="soba/lemma6",
        kind="reading",
        quote="Lemma 6. Suppose z_t 's are vectors, and α_t 's are scalars",
        source=f"{SOURCE}, Lemma 6",
        statement="A_t = a I + sum_{s <= t} z_s z_s', w_t = -A_{t-1}^{-1} sum_{s < t} alpha_s z_s: (<w_t, z_t> + "
        "alpha_t)^2 (1 - z_t'A_t^{-1}z_t) - (<U, z_t> + alpha_t)^2 = ||U - w_t||^2_{A_{t-1}} - ||U - w_{t+1}||^2_{A_t}",
        grounds=InProof(FILE, "soba/lemma6"),
        recorded="PROVED",
        finding="It is an identity, one step of recursive least squares, which Coq proves for all dimensions.",
        second=Resists(of_updates(lemma6_left, lemma6_right), 30),
    ),
    Claim(
        id="soba/lemma6-printed",
        quote=r"For all $t \ge 1$, define $A_t = \sum_{s=1}^t z_s z_s^T$",
        severity="D",
        cause="appendix C leaves a I out of A_t",
        patch="read A_t = a I + sum z_s z_s' with a > 0",
        source=f"{SOURCE}, Lemma 6",
        statement="as printed, A_t = sum_{s <= t} z_s z_s': the inverses in w_t = -A_{t-1}^{-1} sum alpha z exist, t "
        ">= 1",
        grounds=Breaks(no_inverse),
        recorded="REFUTED",
        finding="The term a I is missing in appendix C: A_0 = 0 has no inverse, nor has any sum of fewer than d outer "
        "products. Algorithm 1 has the term, and Lemma 2 is applied with it.",
        corrected=Corrected(statement="A_t = a I + sum_{s <= t} z_s z_s' with a > 0", grounds=Rests("soba/lemma6")),
        second=Breaks(no_first_inverse),
    ),
    Claim(
        id="soba/lemma2-identity",
        quote=r"= m_t - 2 \langle \boldsymbol{U},\,\boldsymbol{g}_t\rangle - \langle "
        r"\boldsymbol{U},\,\boldsymbol{z}_t\rangle^2 - \alpha_t^2 \boldsymbol{z}_t^T \boldsymbol{A}_t^{-1} "
        r"\boldsymbol{z}_t",
        source=f"{SOURCE}, proof of Lemma 2",
        statement=SETTING + "In rounds with an update (<W, z> + alpha)^2 (1 - z'A_t^{-1}z) - (<U, z> + alpha)^2 = "
        "m - 2 <U, g> - <U, z>^2 - alpha^2 z'A_t^{-1}z",
        grounds=InProof(FILE, "soba/lemma2-identity"),
        recorded="PROVED",
        second=Resists(of_updates(lemma6_left, by_definition), 30),
    ),
)
