"""k = 2, T = 10^6, a = 1: x_1 = (1, 0), then x_t = (3/5, 4/5); y_t = 2. u_2 = -u_1 = (1/2, 1/4). eta = 9/10."""

from fractions import Fraction as F

T, half, ln_high, root = 10**6, (F(1, 2), F(1, 4)), F(13816, 1000), F(10514)  # ln T < 13.816
margins = [2 * sum(a * b for a, b in zip(half, x)) for x in ((1, 0), (F(3, 5), F(4, 5)))]
assert min(margins) >= 1 and root**2 > 8 * T * ln_high  # no loss; d k^2 = 8
# If label 2 is drawn in round 1 (1/2), x_t is right, not used, and adds 356/125 to the printed sum Q when drawn:
# after n more rounds Q >= 4/5 + (89/125) n with probability 1 - 4/n (Chebyshev), so 2 (1 + Q) >= t and gamma_t = 1
left = (T - 6 - 4 * ln_high) / 4  # so round n + 2 is wrong with probability at least (1 - 4/n)/4
right = F(5, 8) + 12 / F(9, 10) * (root + 8 * ln_high)
print(f"gamma_t does not fall: at least (T - 6 - 4 ln T)/4 = {float(left):.0f} mistakes")
print(f"bound: L + ||U||^2 + (12/eta) (sqrt(8 T ln T) + 8 ln T) < {float(right):.0f}")
assert not left <= right
