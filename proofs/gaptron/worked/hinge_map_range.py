"""K = 2, x = (1), W = (1, -1), so that the top margin is m* = 2; beta = 1/2."""

from fractions import Fraction

m, beta = Fraction(2), Fraction(1, 2)
left = 1 - max(1 if m > beta else 0, m)
right = Fraction(0)
print(f"max(1[m* > beta], m*) = max(1, {m}) = {m}")
print(f"a = 1 - {m} = {left}, but Algorithm 1 asks for a gap map in [0, 1]")
assert not left >= right
