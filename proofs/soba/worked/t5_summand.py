"""k = 2, gamma_t = 1 (p = 1/2), a = 1: x_1 = (1, 0) is used, x_2 = (3/5, 4/5) is right and not used; always label 1."""

from fractions import Fraction as F

p, x1, x2 = F(1, 2), (F(1), F(0)), (F(3, 5), F(4, 5))
inner = sum(a * b for a, b in zip(x1, x2, strict=True))
# A_1 = I + v v'/p with v = (x_1, -x_1), ||v||^2 = 2: A_1^-1 = I - (2/5) v v', and A_2 = A_1
form = 2 - F(2, 5) * (2 * inner) ** 2
left, right = 2 * form / p, F(2)
print(f"w'A_2^-1 w = 2 - (2/5) (2 * 3/5)^2 = {form} for w = (x_2, -x_2), z = w/sqrt(p)")
print(f"c_2 = k z'A_2^-1 z = 2 * {form}/(1/2) = {left}, and [0, k] ends at {right}")
assert not left <= right
