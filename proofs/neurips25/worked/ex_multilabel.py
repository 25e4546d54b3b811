"""d = 2, y' = (1, 1) and y = (0, 0): the Hamming loss divided by d is 1, the l2 distance sqrt(2), and gamma = 1/2."""

from fractions import Fraction

left = Fraction(1) ** 2
right = Fraction(1, 2) ** 2 * 2
print(f"L^2 = {left}, and (gamma ||y' - y||)^2 = (1/2)^2 2 = {right}")
assert not left <= right
