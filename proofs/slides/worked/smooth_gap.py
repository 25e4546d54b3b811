"""K = 2, the smooth hinge loss (H = 2) at W = 0, ||x|| = 1, label +1 = predicted sign; eta = 2/(H K) = 1/2."""

from fractions import Fraction

H, K, loss, squared_norm = 2, 2, Fraction(1), Fraction(4)  # l(0) = 1, l'(0) = -2
eta, a = Fraction(2, H * K), loss
left, right = a * Fraction(K - 1, K) - loss + eta / 2 * squared_norm, Fraction(0)
print(f"a = l(0) = {a}: P(wrong) = a/2 = {a / 2}, loss = {loss}, (eta/2) ||g||^2 = {eta / 2 * squared_norm}")
print(f"surrogate gap = {left}, which should be at most {right}")
assert not left <= right
