"""T = 9, b = c_t = 1/16, a = 1: gamma_t = sqrt((1/16 + (t - 1)/16)/t) = 1/4 in every round."""

from fractions import Fraction

T, c, a, gamma = 9, Fraction(1, 16), 1, Fraction(1, 4)
assert all((c + (t - 1) * c) / t == gamma**2 for t in range(1, T + 1))
left = T * (gamma + a * c / gamma)
right = (2 + 2 * a) * 3 * Fraction(1, 4) + T * c + a * T * c  # sqrt(T) = 3, sqrt(b) = 1/4
print(f"left: 9 (1/4 + (1/16)/(1/4)) = {left}")
print(f"printed: 4 sqrt(9) sqrt(1/16) + 9/16 + 9/16 = {right}")
print("with the root over b + sum c = 10/16: at least 4 * 3 * 3/4 = 9")
assert not left <= right
