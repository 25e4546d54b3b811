"""K = 100, N = 4, alpha = 1/2 (so 2 right guesses are needed), delta = 3/8."""

from fractions import Fraction as F

miss, hit, delta = F(99, 100), F(1, 100), F(3, 8)
limit = 196  # floor of 2 K ln(1/delta) = 200 * 0.98083
left = miss ** (limit + 2) + (limit + 2) * hit * miss ** (limit + 1)
right = delta
print(f"more than {limit} wrong guesses: at most one right one among {limit + 2}")
print(f"its probability is (99/100)^198 + 198 (1/100) (99/100)^197 > {float(left):.4f}, but at most {right} is claimed")
assert not left <= right
