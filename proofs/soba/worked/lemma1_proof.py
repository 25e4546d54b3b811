"""k = 2, d = 1, x = (1), y = 1 = yhat, ybar = 2, gamma = 1: p = 1/2; it would be used: q = 1. U = (1/2, -1/2)."""

from fractions import Fraction

p, q, U = Fraction(1, 2), 1, (Fraction(1, 2), Fraction(-1, 2))
left = p * q * (U[1] - U[0]) / p + (1 - p) * 0
right = Fraction(0 * q) * (U[0] - U[1])
print(f"G = 1 if y is drawn: E[G <U, g>] = (1/2) (U_2 - U_1)/(1/2) = {left}")
print(f"printed: 1[yhat != y] q <U, (e_y - e_ybar) x> = 0 * 1 * {U[0] - U[1]} = {right}")
assert left != right
