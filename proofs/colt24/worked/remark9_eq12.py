"""Y = {0, 1}, Omega = 20 (v - 3/20)^2, L = |y' - y|, lambda = 40, a = 9/10, delta = 1/2, T = 1205. Five rounds teach a
feature of norm 3/4 (label 0); new features (label 0, P(L = 1) = 2 s^2, s = 3/20) until the draws exceed (12); then
that feature at norm 1, which has no loss and no draw. Training at its worst, and ln 2 <= 0.6932, sqrt(2)/3 <=
0.4715."""

from fractions import Fraction as F

s, ln2, k = F(3, 20), F(6932, 10**4), F(4715, 10**4)
spent = sum(2 * (s * (1 - F(9, 20) * F(9, 16)) ** j) ** 2 for j in range(5))
p, alive, stop = 2 * s**2, [1], 0
for n in range(1, 1201):
    alive = [(p.denominator - p.numerator) * x + p.numerator * y for x, y in zip([*alive, 0], [0, *alive])]
    stop, m = stop * p.denominator, n * p + spent
    while len(alive) - 1 - m - k * ln2 > 0 and (len(alive) - 1 - m - k * ln2) ** 2 > 2 * m * ln2:
        stop += alive.pop()
left, right = F(stop, p.denominator**1200), F(1, 2)
print(f"claimed: (12) fails with probability at most 1/2; it fails with probability {float(left):.6f} or more")
assert not left <= right
