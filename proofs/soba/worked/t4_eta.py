"""gamma = 1, k = 2, d = 1, two equal rounds x = (1), y = 2; U = (-1/2, 1/2): L = 0, ||U||^2 = 1/2."""

from fractions import Fraction as F

left = 1 + F(1, 2)  # the second round is used only if label 2 was not drawn in the first
L, V, ln2 = F(0), F(1, 2), F(693148, 10**6)  # ln2 is above ln 2
square = V * (left + F(1, 2)) * 4 * ln2 / 2  # ||U||^2 X^2 (E[sum h] + 1/2) d k^2 ln T/(2 gamma)
right = L + F(1178, 1000)
assert right**2 > square
print(f"E[sum h] = 1 + 1/2 = {left}")
print(f"printed: L + sqrt(V (E[sum h] + 1/2) B) with V = 1/2, B = 2 ln 2: at most {right}")
print(f"with the factor 2 before the root: {2 * right}")
assert not left <= right
