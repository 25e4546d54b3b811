"""A right round with margin 1/2 (mu = <W, v> = -1/2), p = 1 and z'Az = 1; it is used if the sum of n m stays >= 0."""

from fractions import Fraction

mu, p, s = Fraction(-1, 2), 1, Fraction(1)
m = (mu**2 + 2 * mu) / (p * (1 + s))
left, right = -m, Fraction(0)  # the sum before it must be at least -m
print(f"m = (mu^2 + 2 mu)/(p (1 + s)) = {m}")
print(f"line 14 uses the round if the sum so far is at least {left}: positive terms are needed, not negative ones")
assert not left < right
