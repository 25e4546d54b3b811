"""K = 2, d = 1, D = 2, x_1 = 1/2, y_1 = 1, W* = (1, -1); the guess is wrong, so Z_1 = 0, W_2 = W_1 = 0, L_2 = 0."""

from fractions import Fraction

W_star = (Fraction(1), Fraction(-1))
assert 1 - (W_star[0] - W_star[1]) / 2 <= 0  # W* has no loss
left = sum(w**2 for w in W_star)
right = Fraction(1)
print(f"||W_2 - W*||^2 = 1 + 1 = {left}")
print(f"exp(-L_2/(32 K D^2)) = exp(0) = {right}; with the factor K D^2 it is {2 * 2**2}")
assert not left <= right
