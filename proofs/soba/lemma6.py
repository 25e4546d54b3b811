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
from sympy import Eq, symbols

from gaptron import Argument, Breaks, Cite, Claim, Corrected, Implication, InProof, Instance, Lemma, Resists, Rests, Use
from gaptron.instances.soba import Path, column, form, inner, outer, scaled_identity
from gaptron.instances.soba_games import draw_game
from gaptron.theory import facts

alpha, wz, uz, m, k, wg, linear = symbols("alpha wz uz m k wg linear", real=True)
before, after, s, quad = symbols("before after s quad", nonnegative=True)

FILE = "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"

rank_one = Lemma(
    name="SOBA, Sherman-Morrison",
    source=f"{SOURCE}, proof of Lemma 2",
    implications=(
        Implication(
            name="the form",
            statement="z'A_t^{-1}z = s/(1 + s)",
            given=(Eq(quad * (1 + s), s),),
            then=Eq(1 - quad, 1 / (1 + s), evaluate=False),
        ),
    ),
)


definition = Lemma(
    name="SOBA, by definition of m",
    source=f"{SOURCE}, proof of Lemma 2",
    implications=(
        Implication(
            name="identity",
            statement="k = 1 - q = 1/(1 + s), m = k (<W, z>^2 + 2 <W, g>), g = alpha z",
            given=(
                Eq(k, 1 - quad),
                Eq(1 - quad, 1 / (1 + s)),
                Eq(m, (wz**2 + 2 * wg) / (1 + s)),
                Eq(wg, alpha * wz),
                Eq(linear, alpha * uz),
            ),
            then=Eq(
                (wz + alpha) ** 2 * k - (uz + alpha) ** 2, m - 2 * linear - uz**2 - alpha**2 * quad, evaluate=False
            ),
        ),
    ),
)


NAMES = {
    quad: "||z||_B^-1^2", s: "||z||_A^-1^2", wz: "<W, z>", uz: "<z, U>", wg: "<W, g>", linear: "<g, U>", k: "k", m: "m",
    before: "||W - U||_A^2", after: "||V - U||_B^2",
}  # fmt: skip
POINT = {quad: 0, s: 0, wz: 0, uz: 0, wg: 0, linear: 0, k: 1, m: 0, alpha: 1, before: 0, after: 0}
ROUND = "A round of SOBA with an update, A before it and B after it"
UPDATE = ("B = A + z z'", "A is positive definite")

inverse = Argument(
    name="Sherman-Morrison",
    setting=ROUND,
    symbols=NAMES,
    hypotheses=UPDATE,
    steps=(Use(facts.SHERMAN_MORRISON, {"A": "A", "B": "B", "z": "z"}), rank_one["the form"]),
    conclusion=Eq(1 - quad, 1 / (1 + s), evaluate=False),
    example=POINT,
)

lemma6 = Argument(
    name="SOBA, Lemma 6",
    setting="A round of least squares, A before it and B after it, theta the sum of the alpha z so far",
    symbols=NAMES,
    hypotheses=(*UPDATE, "A W = -theta", "B V = -theta - alpha z"),
    steps=(
        Use(
            facts.LEAST_SQUARES,
            {"A": "A", "B": "B", "z": "z", "W": "W", "V": "V", "u": "U", "s": "theta", "c": "alpha"},
        ),
    ),
    conclusion=Eq((wz + alpha) ** 2 * (1 - quad) - (uz + alpha) ** 2, before - after, evaluate=False),
    example=POINT,
)

by_m = Argument(
    name="by definition of m",
    setting=ROUND + ", and g alpha times z",
    symbols=NAMES,
    hypotheses=(
        *UPDATE, Eq(k, 1 - quad), Eq(m, (wz**2 + 2 * wg) / (1 + s)), Eq(wg, alpha * wz), Eq(linear, alpha * uz),
    ),
    steps=(Cite("soba/sherman-morrison"), definition["identity"]),
    conclusion=definition["identity"].then,
    example=POINT,
)  # fmt: skip


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
        grounds=(inverse, InProof(FILE, "soba/sherman-morrison")),
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
        grounds=(lemma6, InProof(FILE, "soba/lemma6")),
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
        grounds=(by_m, InProof(FILE, "soba/lemma2-identity")),
        recorded="PROVED",
        second=Resists(of_updates(lemma6_left, by_definition), 30),
    ),
)
