"""k = 2, d = 1, x = (1), y = 1, ybar = yhat = 2, gamma = 1: p = 1/2. U = (1/2, -1/2)."""

from fractions import Fraction

p, h, U = Fraction(1, 2), 1, (Fraction(1, 2), Fraction(-1, 2))
g = (-1 / p, 1 / p)  # (e_ybar - e_y) x / p, line 11 of Algorithm 1
left = p * sum(u * v for u, v in zip(U, g, strict=True)) + (1 - p) * 0
right = h * (U[0] - U[1])
print(f"g = (e_ybar - e_y) x/p = ({g[0]}, {g[1]}), and n = 1 if y is drawn, else 0")
print(f"E[n <U, g>] = (1/2) <U, g> = {left}")
print(f"printed: h <U, (e_y - e_ybar) x> = {right}")
assert left != right
