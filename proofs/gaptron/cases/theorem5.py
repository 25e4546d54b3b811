"""Theorem 5 (van der Hoeven 2020, section 5): the surrogate gap of the hinge loss with bandit feedback, case by case.

As Theorem 2, but that Gaptron mixes with max(a, gamma) instead of a, of which Lemma 1 pays gamma (K - 1)/K apart, and
that the gradient g is divided by P(y' = y) if y' = y, and zero else: its expected squared norm is ||g||^2/P(y' = y).
"""

import z3
from matching import Case, asked, covered, to_z3, unmatched
from sympy import And, symbols
from theorem2 import RIGHT, WRONG, K, loss, m, s, squared_gradient, t

gamma = symbols("gamma")
eta = gamma * (1 - 1 / K) / K**2
RATES = And(gamma > 0, gamma <= 1)


def gap(wrong, mix, loss, squared_gradient):
    """The bracket of Lemma 1 in expectation; ``mix`` is max(a, gamma), ``wrong`` 1 if the top label is wrong."""
    drawn = mix / K + (1 - mix) * (1 - wrong)
    return 1 - drawn - gamma * (K - 1) / K - loss + eta / 2 * squared_gradient / drawn


def cases():
    """Top label right or wrong, m* above beta or not, and if not, which of a and gamma is larger."""
    missed = loss.subs(m, -t)
    for mix, larger in ((1 - m, 1 - m >= gamma), (gamma, 1 - m <= gamma)):
        at_s, low = mix.subs(m, s), And(RATES, m <= 1 / K, larger)
        here = "m* <= 1/K, max(a, gamma) ="
        yield Case(f"right, {here} {mix}", And(RIGHT, low), gap(0, mix, loss, squared_gradient))
        yield Case(f"wrong, {here} {at_s}", And(WRONG, low.subs(m, s)), gap(1, at_s, missed, squared_gradient))
    yield Case("right, m* > 1/K, no loss", And(RIGHT, RATES, m > 1 / K), gap(0, gamma, 0, 0))
    yield Case("wrong, m* > 1/K", And(WRONG, RATES, s > 1 / K), gap(1, gamma, missed, squared_gradient))


CASES = list(cases())

if __name__ == "__main__":
    for case in CASES:
        answer = asked(to_z3(case.where), to_z3(case.gap) > 0)
        print(f"{case.name}: {case.gap} > 0 is {answer}")
        assert answer == z3.unsat
    assert covered(CASES, right=And(RIGHT, RATES), wrong=And(WRONG, RATES))
    assert not unmatched("theorem5_bandit_hinge.py", CASES)
