"""Theorem 6 (van der Hoeven 2020, section 5): the surrogate gap of the smooth hinge loss with bandit feedback.

As Theorem 3, but that Gaptron mixes with max(a, gamma) instead of a, of which Lemma 1 pays gamma (K - 1)/K apart, and
that the gradient g is divided by P(y' = y) if y' = y, and zero else: its expected squared norm is ||g||^2/P(y' = y).
The cases hold for every exploration rate gamma; where the printed one goes wrong is the sum over rounds.
"""

import z3
from matching import Case, asked, covered, some_round, to_z3, unmatched
from sympy import And, diff, symbols
from theorem3 import GAP_MAP, KINDS, LOSS, RIGHT, WRONG, K, m

gamma = symbols("gamma")
eta = gamma / (4 * K**2)
RATES = And(gamma > 0, gamma <= 1)


def gap(wrong, mix, loss, squared_gradient):
    """The bracket of Lemma 1 in expectation; ``mix`` is max(a, gamma), ``wrong`` 1 if the top label is wrong."""
    drawn = mix / K + (1 - mix) * (1 - wrong)
    return 1 - drawn - gamma * (K - 1) / K - loss + eta / 2 * squared_gradient / drawn


def cases():
    """Top label right or wrong, each piece of the loss and of the gap map, and which of a and gamma is larger."""
    for kind, wrong, top, margin, rounds in KINDS:
        for loss, piece in LOSS:
            value, squared_gradient = loss.subs(m, margin), 2 * diff(loss, m).subs(m, margin) ** 2
            for a, part in ((a.subs(m, top), part.subs(m, top)) for a, part in GAP_MAP):
                for mix, larger in ((a, a >= gamma), (gamma, a <= gamma)):
                    name = f"{kind}, loss {value}, a = {a}, max(a, gamma) = {mix}"
                    where = And(rounds, RATES, piece.subs(m, margin), part, larger)
                    yield Case(name, where, gap(wrong, mix, value, squared_gradient))


CASES = some_round(cases())

if __name__ == "__main__":
    for case in CASES:
        answer = asked(to_z3(case.where), to_z3(case.gap) > 0)
        print(f"{case.name}: {case.gap} > 0 is {answer}")
        assert answer == z3.unsat
    assert covered(CASES, right=And(RIGHT, RATES), wrong=And(WRONG, RATES))
    assert not unmatched("theorem6_bandit_smooth_hinge.py", CASES)
