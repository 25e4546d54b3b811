"""X = D = 1 and eta = 1/(2 X D) = 1/2, which the claim allows."""

from fractions import Fraction

X, D, eta = 1, 1, Fraction(1, 2)
left, right = Fraction(2 * X * D), 1 / eta
print(f"the interval [-2XD, 2XD] ends at {left}")
print(f"(-inf, 1/eta) is open and ends at {right}, which it does not contain")
assert not left < right
