"""K = 2, d = 1, D = 2, x = (1), y = 1, W = (-2, 2), whose rows have norm D."""

from fractions import Fraction

D, W = 2, (-2, 2)
hinge = 1 - W[0] + W[1]
left = Fraction((2 * hinge) ** 2 * 2)  # grad Phi = 2 h (e_2 - e_1)
right = Fraction((4 * D) ** 2)
print(f"hinge loss 1 - (-2) + 2 = {hinge}")
print(f"||grad Phi||^2 = (2 h)^2 * 2 = {left}; printed (4 D)^2 = {right}")
assert not left <= right
