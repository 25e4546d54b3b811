"""f(m) = 1 - 2 m/(2 - eta) + eta m^2/(2 - eta) at eta = 1/2: its second difference, exact for a parabola."""

from fractions import Fraction

eta = Fraction(1, 2)


def f(m):
    return 1 - 2 * m / (2 - eta) + eta * m**2 / (2 - eta)


left, right = f(1) - 2 * f(0) + f(-1), eta / (2 - eta)
print(f"f(1) - 2 f(0) + f(-1) = {f(1)} - 2 * {f(0)} + {f(-1)} = {left}, the second derivative")
print(f"printed: eta/(2 - eta) = {right}")
assert left != right
