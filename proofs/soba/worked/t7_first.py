"""k = 2, d = 1, D = 1, eta = gamma = 1/2, T = 10^5, x_t = 1, y_t = 2, U = (-1/2, 1/2), W_t = (-1/10, 1/10)."""

from fractions import Fraction as F

eta, T, ln_high = F(1, 2), 10**5, F(1152, 100)  # ln T < 11.52


def loss(m):
    return 1 - 2 * m / (2 - eta) + eta * m**2 / (2 - eta) if m <= 1 else F(0)


left = T * (loss(F(1, 5)) - loss(F(1)))
right = 100 * 2**2 / (F(1, 2) * eta) * ln_high
print("yhat = 2 = y always, so every loss sent is 0 and the oracle has no regret whatever it does")
print(f"sum of l(W_t) - l(U) = T ({loss(F(1, 5))} - {loss(F(1))}) = {float(left):.0f}, linear in T")
print(f"100 k^2 d ln T/(gamma eta) < {float(right):.0f}")
assert not left <= right
