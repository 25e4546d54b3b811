"""Y = {0, 1}, D = 1, x = 1 and y = 1 always, U_0 = 1: F = {0}, so the separation is t_0 = 1, and U = (D/(2 t_0)) U_0 =
1/2."""

from fractions import Fraction

theta, y = Fraction(1, 2) * 1, 1
yhat = min(max(theta, Fraction(0)), Fraction(1))
left = theta * yhat - yhat**2 / 2 + Fraction(y**2, 2) - theta * y
right = Fraction(0)
print(f"U x = {theta}, yhat = {yhat}")
print(f"S = <theta, yhat> - yhat^2/2 + y^2/2 - <theta, y> = {left}; claimed: 0")
assert not left <= right
