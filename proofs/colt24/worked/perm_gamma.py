"""d = 3, y = (3, 2, 1), y' = (1, 2, 3), M = 4: L = <y, y - y'>/M, and gamma^2 = (1/4)(7/72) as printed."""

from fractions import Fraction

y, other = (3, 2, 1), (1, 2, 3)
loss = Fraction(sum(a * (a - b) for a, b in zip(y, other)), 4)
left = loss**2
right = Fraction(7, 72) / 4 * sum((a - b) ** 2 for a, b in zip(y, other))
print(f"L = {loss} and ||y - y'||^2 = 8; claimed: L^2 <= gamma^2 ||y - y'||^2 = {right}")
print("(||y||/M)^2 = 14/16 = 36 gamma^2")
assert not left <= right
