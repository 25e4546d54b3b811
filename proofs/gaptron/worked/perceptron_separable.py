"""K = 2, any separable stream: the coefficients of X^2 ||U||^2 of the Perceptron (2) and of Theorem 2 are compared."""

from fractions import Fraction

K = 2
left, right = Fraction(2), Fraction(K**2, 2 * (K - 1))
print("Perceptron: one round with U of margin 1 shows that no coefficient below 2 is a bound")
print(f"Theorem 2: K^2/(2 (K - 1)) = {K**2}/{2 * (K - 1)} = {right}, which is not larger")
assert not left < right
