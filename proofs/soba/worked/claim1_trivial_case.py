"""k = 2, gamma = 1/2, W = 0, yhat = 1, y = 2, and the draw is 2: right although yhat is wrong."""

from fractions import Fraction

k, gamma, yhat, y, draw = 2, Fraction(1, 2), 1, 2, 2
p = gamma / k + (1 - gamma) * (y == yhat)
left = (draw == y) / p * (yhat != y) * 1  # the loss at margin 0 is 1
right = Fraction(0)
print(f"yhat != y, so this is the 'trivial' case; p = gamma/k = {p}")
print(f"loss sent = 1/p * 1[yhat != y] * 1 = {left}, not zero")
assert left != right
