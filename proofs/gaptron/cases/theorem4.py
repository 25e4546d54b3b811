"""Theorem 4 (van der Hoeven 2020, section 5): the surrogate gap of the logistic loss with bandit feedback.

As Theorem 1, but that Gaptron mixes with max(a, gamma) instead of a, of which Lemma 1 pays gamma (K - 1)/K apart, and
that the gradient g is divided by P(y' = y) if y' = y, and zero else: its expected squared norm is ||g||^2/P(y' = y).
"""

import z3
from matching import Case, asked, covered, some_round, to_z3, unmatched
from sympy import And, log, symbols
from theorem1 import GAP_MAP, KINDS, RIGHT, WRONG, K, algebra

gamma = symbols("gamma")
eta = gamma * log(2) / (2 * K**2)
RATES = And(gamma > 0, gamma <= 1)


def gap(wrong, mix, label, S):
    """The bracket of Lemma 1 in expectation; ``mix`` is max(a, gamma), ``wrong`` 1 if the top label is wrong."""
    drawn = mix / K + (1 - mix) * (1 - wrong)
    squared_gradient = ((1 - label) ** 2 + S) / log(2) ** 2
    return 1 - drawn - gamma * (K - 1) / K + log(label) / log(2) + eta / 2 * squared_gradient / drawn


CASES = some_round(
    Case(f"{kind}, max(a, gamma) = {mix}, a = {a}, S <= {S}", And(rounds, RATES, part, larger, where), value, point)
    for a, part in GAP_MAP
    for mix, larger in ((a, a >= gamma), (gamma, a <= gamma))
    for kind, wrong, label, rounds, others in KINDS
    for S, where, point in others
    for value in [gap(wrong, mix, label, S)]
)

if __name__ == "__main__":
    for case in CASES:
        answer = asked(to_z3(algebra(case)))
        print(f"{case.name}: {case.gap} > 0 is {answer}")
        assert answer == z3.unsat
    assert covered(CASES, right=And(RIGHT, RATES), wrong=And(WRONG, RATES))
    assert not unmatched("theorem4_bandit_logistic.py", CASES)
