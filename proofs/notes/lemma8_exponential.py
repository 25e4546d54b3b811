"""Notes, Lemma 8: its inequality for the exponential function, which is false.

**Problem.** exp(-x) against 1/(1 + x)^2, for x > 0.

**Algorithm.** None: this is about one function.

**Theoretical guarantee.** exp(-x) <= 1/(1 + x)^2 is **false**: at x = 1 it says e >= 4. True are exp(-x) <= 1/(1 + x)
and exp(-x) <= (4/e)/(1 + x)^2, equal at x = 1. Lemma 8 holds all the same: lemma8_distance.

**References.** Notes on bandit multiclass classification, section 5, Lemma 8.
"""

from fractions import Fraction

from sympy import Eq, Le, exp, symbols

from gaptron import Breaks, Claim, Corrected, Implication, Instance, Lemma, Obligations

level, scale = symbols("level scale", real=True)
power = symbols("power", positive=True)

exponential = Lemma(
    name="Notes, exp(-x) and 1/(1 + x)",
    source="notes, Lemma 8",
    implications=(
        Implication(
            name="tangent", statement="1 + y <= exp(y)", given=(), then=Le(1 + level, exp(level), evaluate=False)
        ),
        Implication(
            name="first",
            statement="exp(-x) = 1/power <= 1/(1 + x) for x > 0, power = exp(x)",
            given=(level > 0, 1 + level <= power),
            then=1 / power <= 1 / (1 + level),
        ),
        Implication(
            name="square",
            statement="y = (x - 1)/2, power = exp(y), exp(x) = e power^2: (1 + x)^2 = 4 (1 + y)^2 <= 4 power^2",
            given=(Eq(level, (scale - 1) / 2), scale > 0, 1 + level <= power),
            then=(1 + scale) ** 2 <= 4 * power**2,
        ),
    ),
)


def exponential_series() -> Instance:
    """e < 1 + 1 + 1/2 + 1/6 + 1/24 + 1/60 < 4, by the series (1/60 covers the tail): so exp(-1) > 1/4."""
    e = sum((Fraction(1, k) for k in (1, 1, 2, 6, 24, 60)), Fraction(0))
    return Instance({"x": 1, "e is at most": e}, 1 / e, Fraction(1, 4))


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/lemma8-exp",
        quote=r"using the property $\exp(-x) \leq \frac{1}{(1+x)^2}$ for all $x > 0$",
        severity="B",
        cause="exp(-x) is not at most 1/(1 + x)^2",
        patch="use exp(-x) <= 1/(1 + x), which is enough for Lemma 8",
        rough=TODO,
        source=NOTES + "Lemma 8, proof",
        statement="exp(-x) <= 1/(1 + x)^2 for every x > 0",
        tex=r"\exp(-x) \le \frac{1}{(1 + x)^2}",
        grounds=Obligations(
            Lemma(
                name="Notes, exp(-x) <= 1/(1 + x)^2",
                implications=(
                    Implication(
                        name="as printed",
                        statement="exp(-x) <= 1/(1 + x)^2 for every x > 0",
                        given=(level > 0,),
                        then=exp(-level) <= 1 / (1 + level) ** 2,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="At x = 1 it says e >= 4. True are exp(-x) <= 1/(1 + x) and exp(-x) <= (4/e)/(1 + x)^2, equal "
        "at x = 1.",
        corrected=Corrected(
            statement="exp(-x) <= 1/(1 + x), and (1 + x)^2 exp(-x) <= 4/e with equality at x = 1",
            tex=r"\exp(-x) \le \frac{1}{1 + x}, \quad \exp(-x) \le \frac{4/e}{(1 + x)^2}",
            grounds=Obligations(exponential),
        ),
        second=Breaks(exponential_series),
    ),
)
