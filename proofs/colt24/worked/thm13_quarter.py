"""d = 2, M = 1: every learner errs with probability 1/2, U' pays log2(5/4). Claimed: 1/2 - log2(5/4) >= 1/4, so
(5/4)^4 <= 2."""

from fractions import Fraction

left = Fraction(5, 4) ** 4
right = Fraction(2)
print("claimed: log2(5/4) <= 1/2 - 1/4, that is (5/4)^4 <= 2")
print(f"(5/4)^4 = {left} > {right}: the regret is 0.178 and not 0.25")
assert not left <= right
