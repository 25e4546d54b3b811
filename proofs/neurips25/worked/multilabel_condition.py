"""d = 2, lambda = nu = 1: y' = (1, 1) and y = (0, 0) have L = 1 and ||y' - y||^2 = 2, so that gamma^2 >= 1/2."""

from fractions import Fraction

gamma_squared = Fraction(1) ** 2 / 2
left, right = Fraction(1), 16 * gamma_squared
print(f"gamma^2 >= {gamma_squared}, and (4 gamma/nu)^2 = 16 gamma^2 >= {right}, not below lambda^2 = {left}")
assert not left > right
