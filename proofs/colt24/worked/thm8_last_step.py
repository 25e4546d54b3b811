"""a = 1/2, eta' = 1/4, b ||U||^2 = 2, zeta = 1: (1-a)/(1-eta') = 2/3; (8/5)^2 < 8/3 and (7/5)^2 < 2 bound the roots
from below."""

from fractions import Fraction

a, eta, bu, zeta = Fraction(1, 2), Fraction(1, 4), 2, 1
ratio = (1 - a) / (1 - eta)
root, root2 = Fraction(8, 5), Fraction(7, 5)
left = ratio * bu / (4 * eta) + root + root2 / 3 * zeta + (1 - a) / a * zeta
right = ((1 - a) * bu + zeta) / a
print(f"under the root: {zeta * ratio * bu / (2 * eta)}, at least ({root})^2")
print(f"left side >= {left} > {right} = right side")
assert root**2 <= zeta * ratio * bu / (2 * eta) and root2**2 <= 2
assert not left <= right
