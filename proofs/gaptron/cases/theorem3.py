"""Theorem 3 (van der Hoeven 2020, section 4.3): the surrogate gap of the smooth hinge loss is at most 0, case by case.

X = 1. On a round whose top label is right its margin is m = m* >= 0; on a wrong round m* = s, and the true label's
margin is -t <= -s, with t = s if K = 2. ||g||^2 is twice the squared slope of the loss, as ||e_y - e_k||^2 = 2. Where
two pieces of the loss or of the gap map meet, both are cases. Equation (3) is read as 0 for margins above 1.
"""

import z3
from matching import Case, asked, covered, some_round, to_z3, unmatched
from sympy import And, Eq, Integer, Or, diff, symbols

K, m, s, t = symbols("K m s t")
eta = 1 / (4 * K)
LOSS = (1 - 2 * m, m <= 0), ((1 - m) ** 2, And(m >= 0, m <= 1)), (Integer(0), m >= 1)
GAP_MAP = ((1 - m) ** 2, m <= 1), (Integer(0), m >= 1)
RIGHT = And(K >= 2, m >= 0)
WRONG = And(s >= 0, Or(And(Eq(K, 2), Eq(s, t)), And(K >= 3, s <= t)))
KINDS = ("right", 0, m, m, RIGHT), ("wrong", 1, s, -t, WRONG)


def gap(wrong, a, loss, squared_gradient):
    """The bracket of Lemma 1; ``wrong`` is 1 if the top label is wrong, else 0."""
    return (1 - a) * wrong + a * (K - 1) / K - loss + eta / 2 * squared_gradient


def cases():
    """Top label right or wrong, each piece of the loss at the label's margin, each piece of the gap map at m*."""
    for kind, wrong, top, margin, rounds in KINDS:
        for loss, piece in LOSS:
            value, squared_gradient = loss.subs(m, margin), 2 * diff(loss, m).subs(m, margin) ** 2
            for a, part in ((a.subs(m, top), part.subs(m, top)) for a, part in GAP_MAP):
                where = And(rounds, piece.subs(m, margin), part)
                yield Case(f"{kind}, loss {value}, a = {a}", where, gap(wrong, a, value, squared_gradient))


CASES = some_round(cases())

if __name__ == "__main__":
    for case in CASES:
        answer = asked(to_z3(case.where), to_z3(case.gap) > 0)
        print(f"{case.name}: {case.gap} > 0 is {answer}")
        assert answer == z3.unsat
    assert covered(CASES, right=RIGHT, wrong=WRONG)
    assert not unmatched("theorem3_smooth_hinge.py", CASES)
