"""d = 2, T = 10, M = 1: in rounds 2 to 10 U' pays log2(1 + 1/20) each; a learner that repeats the label it saw errs
with probability 1/2 in round 2 only. Its regret there is not negative if 9 log2(21/20) <= 1/2, that is (21/20)^18
<= 2."""

from fractions import Fraction

left = Fraction(21, 20) ** 18
right = Fraction(2)
print("claimed: 1/2 - 9 log2(21/20) >= 0, that is (21/20)^18 <= 2")
print(f"(21/20)^18 = {float(left):.4f}")
assert not left <= right
