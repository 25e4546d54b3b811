"""d = 2, base 2: z = (1/2)(1 - 1/2) = 1/4, and log2(1 + z) <= z is (1 + z)^(1/z) <= 2."""

from fractions import Fraction

z = (1 - Fraction(1, 2)) / 2
left, right = (1 + z) ** 4, Fraction(2)
print(f"(1 + {z})^4 = {left} > 2: log2(5/4) = 0.32 > 1/4")
assert not left <= right
