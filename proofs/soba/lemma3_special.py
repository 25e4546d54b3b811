"""SOBA paper, Lemma 3 at a = X^2: the sum of the quadratic terms is at most dk ln T.

**Problem.** That of Lemma 3, for the a of Theorems 2, 4 and 5, T >= 2.

**Algorithm.** SOBA with a = X^2.

**Theoretical guarantee.** **Upper bound**: dk ln T. In print it is derived from dk ln(1 + 2T/(dk)) <= dk ln T, which
fails at dk = 2, and at dk = 3, T = 2. On the space of the z, of N = d (k - 1) dimensions, N ln(1 + 2T/N) <= (N + 1) ln
T for T >= 3: 1 + 2T <= T^2 at N = 1, (1 + T)^2 <= T^3 at N = 2, and 1 + 2T/N <= T from N = 3 on. At T = 2 no such
bound is enough, but E[n z'A_t^{-1}z] <= 2/3 in every round, as z'A_{t-1}^{-1}z <= ||z||^2/a <= 2/p: 4/3 <= 2 ln 2.

**References.** Beygelzimer, Orabona, Zhang 2017, Lemma 3 and its uses.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, Rational, exp, log, symbols

from gaptron import (
    Argument,
    Average,
    Breaks,
    Cases,
    Cite,
    Claim,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Let,
    Obligations,
    Put,
    Resists,
    Rounds,
    Use,
)
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, T, X, d
from gaptron.theory import facts
from gaptron.theory.soba import (
    LOGARITHMIC,
    LOGARITHMIC_SETTING,
    NAMES,
    TWO_ROUNDS,
    USED,
    E_quads,
    a,
    form,
    full,
    h,
    norm2,
    norm_full,
    norm_w,
    nothing,
    prob,
    product_w,
    quad,
    rounds,
    s_full,
)

N, size = symbols("N size", positive=True)
form_up = symbols("form_up", nonnegative=True)
exponent, grown, value, log_t, seen, share, E_quad, given_quads, E_given_quads = symbols(
    "exponent grown value log_t seen share E_quad given_quads E_given_quads", real=True
)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 3"

special = Lemma(
    name="SOBA, Lemma 3, a = X^2",
    source=SOURCE,
    implications=(
        Implication(
            name="N >= 4",
            statement="1 + 2T/N <= T for T >= 2",
            given=(size >= 4, T >= 2),
            then=1 + 2 * T / size <= T,
        ),
        Implication(
            name="N = 3",
            statement="1 + 2T/3 <= T for T >= 3",
            given=(T >= 3,),
            then=1 + 2 * T / 3 <= T,
        ),
        Implication(
            name="N >= 2",
            statement="1 + 2T/N <= 1 + T",
            given=(size >= 2,),
            then=1 + 2 * T / size <= 1 + T,
        ),
    ),
)

SIZE = d * (K - 1)
LESS = log(1 + 2 * X**2 * rounds / (a * SIZE))
GROWTH = 1 + 2 * X**2 * rounds / (a * N)
GROWN = Eq(form_up, form + (nothing - seen) ** 2 - 2 * nothing * (nothing - seen) + nothing**2 * quad)
AT_LEAST = a * norm_w <= form
FEW = given_quads <= 2 * rounds / 3

one_round = Lemma(
    name="SOBA, Lemma 3, two rounds",
    source=SOURCE,
    implications=(
        Implication(
            name="one more matrix",
            statement="||w||_B^2 = ||w||_A^2 + <n z, w>^2, by a step of least squares from 0 to 0",
            given=(AT_LEAST, GROWN, Eq(nothing, 0)),
            then=a * norm_w <= form_up,
        ),
        Implication(
            name="largest form",
            statement="a ||w||^2 <= <z, w> = s and s^2 <= ||z||^2 ||w||^2",
            given=(
                AT_LEAST,
                product_w**2 <= norm_full * norm_w,
                Eq(s_full, product_w),
                Eq(form, product_w),
            ),
            then=a * s_full**2 <= norm_full * s_full,
        ),
        Implication(
            name="times p",
            statement="p ||z||^2 = 2 ||x||^2 <= 2 X^2",
            given=(a * s_full**2 <= norm_full * s_full, Eq(prob * norm_full, 2 * norm2), norm2 <= X**2, Eq(a, X**2)),
            then=prob * X**2 * s_full**2 <= 2 * X**2 * s_full,
        ),
        Implication(
            name="p s <= 2",
            statement="divided by X^2 s, if s is not zero",
            given=(prob * X**2 * s_full**2 <= 2 * X**2 * s_full,),
            then=prob * s_full <= 2,
        ),
        Implication(
            name="one round",
            statement="E[n z'A_t^{-1}z] <= p s/(1 + s) <= 2 p/(p + 2) <= 2/3",
            given=(prob * s_full <= 2, prob <= 1, h <= 1, Eq(full * (1 + s_full), s_full)),
            then=h * prob * full <= Rational(2, 3),
        ),
        Implication(
            name="one more round",
            statement="the sum of the means given the past",
            given=(FEW, Eq(E_quad, share), Eq(share, h * prob * full), h * prob * full <= Rational(2, 3)),
            then=given_quads + E_quad <= 2 * (rounds + 1) / 3,
        ),
        Implication(
            name="T = 2",
            statement="4/3 <= 2 ln 2 <= dk ln 2",
            given=(Eq(E_quads, E_given_quads), E_given_quads <= 2 * rounds / 3, rounds >= 2, rounds <= 2),
            then=E_quads <= d * K * log(rounds),
        ),
    ),
)

logarithms = Lemma(
    name="SOBA, Lemma 3, three rounds or more",
    source=SOURCE,
    implications=(
        Implication(name="exponential", statement="exp(z) >= 1 + z", given=(), then=exp(exponent) >= 1 + exponent),
        Implication(
            name="T >= 3",
            statement="T is an integer",
            given=(rounds > 2,),
            then=rounds >= 3,
        ),
        Implication(
            name="ln T",
            statement="ln 2 > 0",
            given=(rounds >= 2,),
            then=log(rounds) >= 0,
        ),
        Implication(
            name="N = 1",
            statement="d (k - 1) is a positive integer",
            given=(SIZE < 2,),
            then=Eq(SIZE, 1, evaluate=False),
        ),
        Implication(
            name="N >= 3",
            statement="d (k - 1) is an integer",
            given=(SIZE > 2,),
            then=SIZE >= 3,
        ),
        Implication(
            name="1 + 2T",
            statement="1 + 2T <= T^2",
            given=(Eq(a, X**2), Eq(N, 1), rounds >= 3),
            then=GROWTH / rounds**2 <= 1,
        ),
        Implication(
            name="1 + T",
            statement="(1 + T)^2 <= T^3",
            given=(Eq(a, X**2), Eq(N, 2), rounds >= 3),
            then=GROWTH**2 / rounds**3 <= 1,
        ),
        Implication(
            name="1 + 2T/N",
            statement="1 + 2T/N <= T",
            given=(Eq(a, X**2), N >= 3, rounds >= 3),
            then=GROWTH / rounds <= 1,
        ),
        Implication(
            name="logarithm",
            statement="what is at most 1 has no positive logarithm",
            given=(grown >= 1 + exponent, grown <= 1),
            then=exponent <= 0,
        ),
        Implication(
            name="N = 1, logarithms",
            statement="ln(1 + 2T) <= 2 ln T",
            given=(value - 2 * log_t <= 0, Eq(N, 1)),
            then=N * value <= (N + 1) * log_t,
        ),
        Implication(
            name="N = 2, logarithms",
            statement="2 ln(1 + T) <= 3 ln T",
            given=(2 * value - 3 * log_t <= 0, Eq(N, 2)),
            then=N * value <= (N + 1) * log_t,
        ),
        Implication(
            name="N >= 3, logarithms",
            statement="N ln(1 + 2T/N) <= N ln T, and ln T is not negative",
            given=(value - log_t <= 0, log_t >= 0),
            then=N * value <= (N + 1) * log_t,
        ),
        Implication(
            name="dk ln T",
            statement="d (k - 1) + 1 <= dk",
            given=(
                E_quads <= SIZE * value,
                SIZE * value <= (SIZE + 1) * log_t,
            ),
            then=E_quads <= d * K * log_t,
        ),
    ),
)

HERE = NAMES | {
    seen: "<n z, w>", form_up: "||0 - w||_B^2", share: "h p ||z||_F^-1^2", E_quad: "E[n ||z||_B^-1^2]",
    given_quads: "sum E[n ||z||_B^-1^2]", E_given_quads: "E[sum E[n ||z||_B^-1^2]]",
}  # fmt: skip
POINT = TWO_ROUNDS | {seen: 0, form_up: 0, share: 0, E_quad: 0, given_quads: 0, E_given_quads: 0}
AT_SIZE = {N: SIZE, value: LESS, log_t: log(rounds)}
UPDATES = ("B = A + n z n z'", "A is positive definite")

forms = Argument(
    name="SOBA, A is at least a times the identity",
    setting="SOBA, A before a round and B after it, first a times the identity, and any fixed w",
    symbols=HERE,
    hypotheses=(*UPDATES, *USED[:3]),
    steps=(
        Use(
            facts.LEAST_SQUARES,
            {"A": "A", "B": "B", "z": "n z", "W": "0", "V": "0", "u": "w", "s": "0", "c": "0"},
        ),
        Rounds(AT_LEAST, {form: (a * norm_w, form_up)}, one_round["one more matrix"], (a, norm_w)),
    ),
    conclusion=AT_LEAST,
    example=POINT,
)
given_the_past = Argument(
    name="SOBA, Lemma 3, a round",
    setting=LOGARITHMIC_SETTING,
    symbols=HERE,
    hypotheses=(*UPDATES, *USED, norm2 <= X**2, h <= 1, prob <= 1, Eq(a, X**2)),
    steps=(
        Cite(forms),
        Use(facts.CAUCHY_SCHWARZ, {"u": "z", "v": "w"}),
        Use(facts.SHERMAN_MORRISON, {"A": "A", "B": "F", "z": "z"}),
        one_round["largest form"],
        one_round["times p"],
        one_round["p s <= 2"],
        one_round["one round"],
        Let(share, h * prob * full),
        Use(facts.WEIGHTED, {"e": "n ||z||_B^-1^2", "v": "h p ||z||_F^-1^2", "p": "p"}),
        Rounds(FEW, {given_quads: (0, given_quads + E_quad), rounds: (0, rounds + 1)}, one_round["one more round"]),
    ),
    conclusion=FEW,
    example=POINT,
)


def from_three_on(share: int, power: int, growth: str, end: str) -> tuple:
    """Steps by which share ln(1 + 2 X^2 T/(a N)) is at most power ln T."""
    most = share * LESS - power * log(rounds)
    tangent = Put(logarithms["exponential"], {exponent: most})
    below = Put(logarithms["logarithm"], {grown: exp(most), exponent: most})
    return tangent, Put(logarithms[growth], {N: SIZE}), below, Put(logarithms[end], AT_SIZE)


left_side = Argument(
    name="SOBA, Lemma 3, left side at a = X^2",
    setting=LOGARITHMIC_SETTING,
    symbols=HERE,
    hypotheses=(*UPDATES, norm2 <= X**2, h <= 1, prob <= 1, *LOGARITHMIC),
    steps=(
        Cases(
            {
                rounds <= 2: (
                    Cite(given_the_past),
                    Average(FEW, {given_quads: E_given_quads}, (rounds,)),
                    Use(facts.TOWER, {"x": "n ||z||_B^-1^2"}),
                    one_round["T = 2"],
                ),
                rounds > 2: (
                    Cite("soba/lemma3-rank"),
                    logarithms["T >= 3"],
                    logarithms["ln T"],
                    Cases(
                        {
                            SIZE < 2: (
                                logarithms["N = 1"],
                                *from_three_on(1, 2, "1 + 2T", "N = 1, logarithms"),
                            ),
                            Eq(SIZE, 2, evaluate=False): from_three_on(2, 3, "1 + T", "N = 2, logarithms"),
                            SIZE > 2: (
                                logarithms["N >= 3"],
                                *from_three_on(1, 1, "1 + 2T/N", "N >= 3, logarithms"),
                            ),
                        },
                        (SIZE * LESS <= (SIZE + 1) * log(rounds),),
                    ),
                    Put(logarithms["dk ln T"], {value: LESS, log_t: log(rounds)}),
                ),
            },
            (E_quads <= d * K * log(rounds),),
        ),
    ),
    conclusion=E_quads <= d * K * log(rounds),
    example=POINT,
)


def draw_left(rng: np.random.Generator) -> Instance:
    """Two or three rounds with a = X^2: the sum of E[n z'A_t^{-1}z], by enumeration, against dk ln T."""
    T_ = int(rng.integers(2, 4))
    game = draw_game(rng, T_)
    game = SobaGame(game.stream, game.U, game.n_classes, game.exploration, game.norm2)
    left = mean(game.paths, lambda path: sum(step.quadratic for step in path.steps if step.updated))
    return Instance(game.at, ball(left), len(game.U) * ball(Fraction(T_)).log())


def special_fails() -> Instance:
    """d = 1, k = 3, T = 2: 3 ln(1 + 4/3) against 3 ln 2."""
    return Instance({"d": 1, "k": 3, "T": 2}, 3 * ball(Fraction(7, 3)).log(), 3 * ball(Fraction(2)).log())


SETTING = (
    "SOBA: g = (e_ybar - e_y) (x) x/p, p = P(draw = y), z = sqrt(p) g, A_t = a I + sum n z z', n = 1 in rounds with "
    "an update. "
)

claims = (
    Claim(
        id="soba/lemma3-special",
        quote=r"Specifically, if $a = X^2$, the right hand side is $\leq dk \ln T$",
        severity="B",
        cause="dk ln(1 + 2T/(dk)) is not at most dk ln T if dk = 2, or if dk = 3 and T = 2",
        patch="say that the left side of Lemma 3, not the right one, is at most dk ln T",
        source=SOURCE,
        statement=SETTING + "a = X^2, d >= 1, k >= 2, T >= 2: the right side dk ln(1 + 2T/(dk)) is at most dk ln T",
        tex=r"dk\ln\left(1 + \frac{2T}{dk}\right) \le dk \ln T",
        grounds=Obligations(
            Lemma(
                name="SOBA, Lemma 3, a = X^2, as printed",
                source=SOURCE,
                implications=(
                    Implication(
                        name="d = 1",
                        statement="1 + 2T/k <= T for k >= 2 and T >= 2",
                        given=(T >= 2,),
                        then=1 + 2 * T / K <= T,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="It says 1 + 2T/(dk) <= T, which is false for dk = 2 at every T, and for dk = 3 at T = 2. What is "
        "used of it, that the sum of Lemma 3 is at most dk ln T, is true all the same: soba/lemma3-left.",
        corrected=Corrected(
            statement="it is at most dk ln T if dk >= 4, or dk = 3 and T >= 3; and always at most dk ln(T + 1)",
            tex=r"dk\ln\left(1 + \frac{2T}{dk}\right) \le dk \ln(T + 1)",
            grounds=Obligations(special, "N *"),
        ),
        second=Breaks(special_fails),
    ),
    Claim(
        id="soba/lemma3-left",
        kind="reading",
        quote=r"Specifically, if $a = X^2$, the right hand side is $\leq dk \ln T$",
        source=f"{SOURCE}, as used in Theorems 2, 4 and 5",
        grounds=left_side,
        recorded="PROVED",
        finding="True although the printed proof, by way of dk ln(1 + 2T/(dk)), fails for dk = 2 and for dk = 3, T = "
        "2.",
        second=Resists(draw_left, 25),
    ),
)
