"""theta_1 - theta_2 = 3/10, true class e_1: the smooth hinge loss is (1 - 3/10)^2 < 1/2. Were log2(1 + e^(-3/10))
smaller, it would be below 1/2, and 1 + e^(-3/10) below sqrt(2); but e^(-3/10) >= 1 - 3/10."""

from fractions import Fraction

margin = Fraction(3, 10)
hinge = (1 - margin) ** 2
left = (1 + (1 - margin)) ** 2
right = Fraction(2)
print(f"the smooth hinge loss is {hinge}, and not {1 - margin**2}")
print(f"(1 + e^(-3/10))^2 >= {left} > 2: the logistic loss is above 1/2")
assert hinge < Fraction(1, 2)
assert not left <= right
