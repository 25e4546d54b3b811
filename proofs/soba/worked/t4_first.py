"""k = 2, d = 1, X = 12, T = 120000: x = 12, y = 2 on 3T/4 rounds, x = 0, y = 2 on the others; U = (-1/24, 1/24).
Ties, which x = 0 makes, go to label 1. The constant of O is taken to be 4 here; a larger one needs larger X and T."""

from fractions import Fraction as F

X, T, ln_low, ln_high = 12, 120_000, F(1169, 100), F(1170, 100)  # bounds of ln T
L, norm = F(T, 4), F(589256, 10**7)  # losses: 1 on the rounds with x = 0; norm > ||U||, ||U||^2 = 1/288
assert norm**2 > F(1, 288)
low, high = F(28_940), F(28_960)  # bounds of r = (d k^2 X^2 L T ln T)^(1/3) = gamma T
assert low**3 < 4 * X**2 * L * T * ln_low and high**3 > 4 * X**2 * L * T * ln_high
left = (1 - high / T) * L + low / 2  # yhat is wrong on x = 0, and exploring is wrong half the time
right = L + 4 * norm * high
print(f"gamma = r/T, {low} < r < {high}: paid whatever ||U|| is, but r/2 < L is all if ties go to label 2")
print(f"E[M] >= (1 - gamma) T/4 + gamma T/2 >= {float(left):.0f}")
print(f"L + 4 ||U|| r <= {float(right):.0f}: the term of exploration needs ||U|| + 1")
assert not left <= right
