"""Theorem 1 (van der Hoeven 2020, section 4.1): the surrogate gap of the logistic loss is at most 0, case by case.

X = 1. p is the largest probability, p* of the paper; on a wrong round q is the true label's, with p = 1 - q if K = 2.
||g||^2 is ((1 - p_y)^2 + S)/(ln 2)^2, S being the sum of the other squared probabilities. Those sum to a known R, each
at most p: so S is at most R^2 if R <= p, at most p^2 + (R - p)^2 if R <= 2 p, and at most p R always.
A logarithm is at most its tangents, as sympy shows, and ln 2 is in an interval of mpmath: z3 gets algebra.
"""

import z3
from matching import Case, asked, covered, some_round, to_z3, unmatched
from mpmath import iv
from sympy import And, Eq, Integer, Or, Rational, diff, log, symbols

(K, p, q, ln2), x = symbols("K p q ln2"), symbols("x", positive=True)
eta = log(2) / (2 * K)
half, third, rest = Rational(1, 2), Rational(1, 3), 1 - p - q
GAP_MAP = (1 - p, p >= half), (Integer(1), p < half)
RIGHT = And(K >= 2, p >= 1 / K, p < 1)
WRONG = And(p >= 1 / K, p < 1, q > 0, q <= p, q <= half, Or(And(Eq(K, 2), Eq(p, 1 - q)), And(K >= 3, p <= 1 - q)))
FAR, NEAR = ((1 - p) ** 2, p >= half, 1), (p**2 + (1 - 2 * p) ** 2, And(p >= third, p < half), half)
TWO, MORE = (p**2 + rest**2, p >= rest, half), (p**2 + p * rest, p < rest, half)  # S, where, tangent at
KINDS = ("right", 0, p, RIGHT, (FAR, NEAR, (p * (1 - p), p < third, half))), ("wrong", 1, q, WRONG, (TWO, MORE))


def tangent(point):
    """The tangent of log x at a point, which is above it: the difference is 0 and level there, and convex."""
    line = log(point) + (x - point) / point
    assert (line - log(x)).subs(x, point) == diff(line - log(x), x).subs(x, point) == 0 < diff(line - log(x), x, 2)
    return line


def algebra(case):
    """Where the gap is positive with the tangent in the place of its logarithm, ln 2 being known to four digits."""
    assert iv.mpf("0.6931") < iv.log(2) < iv.mpf("0.6932")
    value = case.gap.subs({log(label): tangent(case.point).subs(x, label) for label in (p, q)}).subs(log(2), ln2)
    return And(case.where, ln2 > Rational("0.6931"), ln2 < Rational("0.6932"), value > 0)


def gap(wrong, a, label, S):
    """The bracket of Lemma 1 at the label's probability; ``wrong`` is 1 if the top label is wrong, else 0."""
    squared_gradient = ((1 - label) ** 2 + S) / log(2) ** 2
    return (1 - a) * wrong + a * (K - 1) / K + log(label) / log(2) + eta / 2 * squared_gradient


CASES = some_round(
    Case(f"{kind}, a = {a}, S <= {S}", And(rounds, part, where), gap(wrong, a, label, S), point)
    for a, part in GAP_MAP
    for kind, wrong, label, rounds, others in KINDS
    for S, where, point in others
)

if __name__ == "__main__":
    for case in CASES:
        answer = asked(to_z3(algebra(case)))
        print(f"{case.name}: {case.gap} > 0 is {answer}")
        assert answer == z3.unsat
    assert covered(CASES, right=RIGHT, wrong=WRONG)
    assert not unmatched("theorem1_logistic.py", CASES)
