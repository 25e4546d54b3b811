"""k = 2, d = 1, always x = (1), y = 2 (a tie goes to label 1); U = (-1/2, 1/2) has no loss. gamma = 1/T, T = 10^4."""

from fractions import Fraction as F

T, eta, X2U2 = 10_000, F(1), F(1, 2)
miss = 1 - F(1, 2 * T)  # while label 2 was never drawn, W = 0, yhat = 1 and label 2 is drawn with probability gamma/2
left = miss**T * T  # P(label 2 is never drawn) T, and more
ln_high, root = F(93, 10), F(305)  # ln T < 9.3, sqrt(T ln T) < 305
assert root**2 > T * ln_high
right = 0 + X2U2 + 2 * 2 / eta * root  # 2 for the constant of O; the left side grows like T
print(f"label 2 is never drawn with probability (1 - 1/(2T))^T > 3/5: more than {float(left):.0f} mistakes")
print(f"right side: L + X^2 ||U||^2 + 2 (k/eta) sqrt(d T ln T) < {float(right):.1f}")
assert not left <= right
