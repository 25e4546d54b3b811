"""kappa = 1, which should be the squared hinge loss; a round with margin m = 2, far on the right side."""

from fractions import Fraction

kappa, m = Fraction(1), Fraction(2)
left = max(1 - 2 / (2 - kappa) * m + kappa / (2 - kappa) * m**2, 0)
right = max(1 - m, 0) ** 2
print(f"printed: max(1 - 2 m + m^2, 0) = max(1 - 4 + 4, 0) = {left}")
print(f"squared hinge loss: max(1 - m, 0)^2 = {right}")
assert left != right
