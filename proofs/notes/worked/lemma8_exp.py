"""x = 1."""

from fractions import Fraction

e = sum(Fraction(1, n) for n in (1, 1, 2, 6, 24, 120)) + Fraction(1, 600)  # above e: the tail is at most 1/600
left, right = 1 / e, Fraction(1, (1 + 1) ** 2)
print(f"exp(-1) = 1/e > {float(left):.4f}, as e < {float(e):.4f}")
print(f"1/(1 + 1)^2 = {right}")
assert not left <= right
