"""l(w) = w^2, which is 2-smooth with minimum 0, at w = 1."""

from fractions import Fraction

H, w = 2, Fraction(1)
left, right = (2 * w) ** 2, H * w**2
print(f"||grad l||^2 = (2 w)^2 = {left}")
print(f"H l = 2 w^2 = {right}; 2 H l = {2 * right}")
assert not left <= right
