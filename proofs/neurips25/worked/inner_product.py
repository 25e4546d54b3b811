"""Hamming loss, d = 4, V = -(1/2) I, Y = {0000, 1000, 1100}: yhat = 1000 is played, and y is 0000 or 1100."""

from fractions import Fraction

yhat, one, two = (1, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0)
losses = [Fraction(sum(u != v for u, v in zip(yhat, y)), 4) for y in (one, two)]
left, right = (-Fraction(sum(u * v for u, v in zip(yhat, y)), 2) for y in (one, two))
assert losses[0] == losses[1]
print(f"L(yhat; y) = {losses[0]} for both, the only thing observed")
print(f"<yhat, V y> is {left} for the first and {right} for the second")
assert left != right
