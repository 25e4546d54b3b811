"""Y = {0, 1}, y = 1, theta = 1/2: <theta, y> = 1/2 is <theta, y'> + ||y - y'||^2/2 for y' = 0, so S should be 0."""

from fractions import Fraction

theta, y = Fraction(1, 2), 1
yhat = min(max(theta, Fraction(0)), Fraction(1))
left = theta * yhat - yhat**2 / 2 + Fraction(y**2, 2) - theta * y
right = Fraction(0)
print(f"yhat = {yhat}, the projection of theta on [0, 1], is not y")
print(f"S = <theta, yhat> - yhat^2/2 + y^2/2 - <theta, y> = {left}")
assert not left <= right
