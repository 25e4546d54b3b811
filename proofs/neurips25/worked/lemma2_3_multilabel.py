"""d = 2, theta = (3/10, 4/10), y = (0, 0): SparseMAP has yhat = theta, whose nearest output is (0, 0), at D* = 1/2."""

from fractions import Fraction

theta = (Fraction(3, 10), Fraction(4, 10))
squared = sum(v * v for v in theta)
assert squared == Fraction(1, 2) ** 2
left = sum(theta) / 2
S = squared / 2
right = Fraction(4, 2) * S
print("p = min(1, 2 D*) = 1: a random output of mean yhat is returned always")
print(f"E[L] = (3/10 + 4/10)/2 = {left}; S = ||theta||^2/2 = {S}")
print(f"(4/d) S = 2 S = {right}")
assert not left <= right
