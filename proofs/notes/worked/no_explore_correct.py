"""K = 2, d = 1, t = 1, x = (1), y = 2, W* = (-1/2, 1/2), W_1 = 0: line 7 does not explore, as ||W_1 - W*|| < 1."""

from fractions import Fraction

W_star = (Fraction(-1, 2), Fraction(1, 2))
distance = sum(w**2 for w in W_star)
assert distance < 1 and 1 - (W_star[1] - W_star[0]) <= 0  # no exploration; W* has no loss
left, right = 1, 0  # W_1 = 0 ties, and label 1 is predicted
print(f"||W_1 - W*||^2 = 1/4 + 1/4 = {distance} < 1")
print(f"W_1 = 0 ties and may predict label 1: {left} mistake without exploration, claimed {right}")
assert not left <= right
