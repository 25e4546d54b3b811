"""k = 3, d = 1, x = (1), gamma = 0, W = 0: yhat = 1, y = 2. U = (0, 1, 0)."""

from fractions import Fraction

U, y, ybar, p = (0, 1, 0), 1, 0, Fraction(0)  # p = gamma/k: label 2 is never drawn
left = p * 0
right = Fraction((U[ybar] - U[y]) ** 2)
print("p(draw = y) = 0, so 1[y = draw] <U, z>^2 is always 0")
print(f"E = {left}, but section 4 has <U, (e_ybar - e_y) x>^2 = {right}")
assert left != right
