"""Theorem 2 (van der Hoeven 2020, section 4.2): the surrogate gap of the hinge loss is at most 0, case by case.

X = 1 and beta = 1/K. On a round whose top label is right its margin is m = m* >= 0; on a wrong round m* = s, and the
true label's margin is -t <= -s, with t = s if K = 2. Right rounds with m* > beta have no loss and no gradient; else
||g||^2 is twice the squared slope of the loss, as ||e_y - e_k||^2 = 2.
"""

import z3
from matching import Case, asked, covered, to_z3, unmatched
from sympy import And, Eq, Or, diff, symbols

K, m, s, t = symbols("K m s t")
eta = (1 - 1 / K) / K
loss = 1 - m
squared_gradient = 2 * diff(loss, m) ** 2
RIGHT = And(K >= 2, m >= 0)
WRONG = And(s >= 0, Or(And(Eq(K, 2), Eq(s, t)), And(K >= 3, s <= t)))


def gap(wrong, a, loss, squared_gradient):
    """The bracket of Lemma 1; ``wrong`` is 1 if the top label is wrong, else 0."""
    return (1 - a) * wrong + a * (K - 1) / K - loss + eta / 2 * squared_gradient


CASES = [
    Case("right, m* <= 1/K, a = 1 - m*", And(RIGHT, m <= 1 / K), gap(0, 1 - m, loss, squared_gradient)),
    Case("right, m* > 1/K, a = 0, no loss", And(RIGHT, m > 1 / K), gap(0, 0, 0, 0)),
    Case("wrong, m* <= 1/K, a = 1 - m*", And(WRONG, s <= 1 / K), gap(1, 1 - s, loss.subs(m, -t), squared_gradient)),
    Case("wrong, m* > 1/K, a = 0", And(WRONG, s > 1 / K), gap(1, 0, loss.subs(m, -t), squared_gradient)),
]

if __name__ == "__main__":
    for case in CASES:
        answer = asked(to_z3(case.where), to_z3(case.gap) > 0)
        print(f"{case.name}: {case.gap} > 0 is {answer}")
        assert answer == z3.unsat
    assert covered(CASES, right=RIGHT, wrong=WRONG)
    assert not unmatched("theorem2_hinge.py", CASES)
