"""d = 1, k = 2, T = 2, a = X^2; the comparison is made inside the logarithm."""

from fractions import Fraction

d, k, T = 1, 2, 2
left, right = 1 + Fraction(2 * T, d * k), Fraction(T)
print(f"1 + 2T/(dk) = 1 + {2 * T}/{d * k} = {left}")
print(f"T = {right}: dk ln {left} > dk ln {right} (for dk = 2 the same at every T: 1 + T > T)")
assert not left <= right
