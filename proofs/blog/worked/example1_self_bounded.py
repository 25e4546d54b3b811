"""f(x) = x^2/2 + |x - 1| at its minimum, the kink x = 1, with the subgradient g = 1 + 1."""

from fractions import Fraction

s, x, g = 4, Fraction(1), Fraction(2)
value = x**2 / 2 + abs(x - 1)
lowest = Fraction(1, 2)  # f(x) >= x^2/2 + 1 - x = 1/2 + (1 - x)^2/2
left, right = g**2, 2 * s * (value - lowest)
print(f"f(1) = {value} = inf f, as x^2/2 + |x - 1| >= x^2/2 + 1 - x = 1/2 + (1 - x)^2/2")
print(f"g = 2 is a subgradient at 1: x + v for every v in [-1, 1]; g^2 = {left}")
print(f"2 s (f(1) - inf f) = {right}, whatever s is")
assert not left <= right
