"""d = 2 classes: log2(1 + (1/2)(1 - 1/d)) = log2(5/4) is at most 1/4 if and only if (5/4)^4 is at most 2."""

from fractions import Fraction

left = Fraction(5, 4) ** 4
right = Fraction(2)
print("claimed: log2(5/4) <= 1/4, that is (5/4)^4 <= 2")
print(f"(5/4)^4 = {left} > {right}")
assert not left <= right
