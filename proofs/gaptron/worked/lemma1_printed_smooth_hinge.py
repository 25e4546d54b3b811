"""K = 3, eta = 1/2, d = 1: x = 2/5, 27/10, -1/2 with labels 1, 1, 3; U = (2/5, 0, -2/5)."""

from fractions import Fraction as F

eta, U, W, sides = F(1, 2), [F(2, 5), F(0), F(-2, 5)], [F(0)] * 3, [F(0), sum(u * u for u in (F(2, 5), F(2, 5)))]
sides[1] /= 2 * eta
for x, y in ((F(2, 5), 0), (F(27, 10), 0), (F(-1, 2), 2)):
    s, u = [w * x for w in W], [v * x for v in U]
    rival = max((k for k in range(3) if k != y), key=lambda k: (s[k], -k))
    m, mu = s[y] - s[rival], u[y] - max(v for k, v in enumerate(u) if k != y)
    top = s.index(max(s))
    a = (1 - min(1, sorted(s)[2] - sorted(s)[1])) ** 2
    loss, slope = (1 - 2 * m, -2) if m <= 0 else ((1 - m) ** 2, -2 * (1 - m))
    wrong = (1 - a) * (top != y) + a * F(2, 3)
    sides[0] += wrong
    sides[1] += (1 - 2 * mu if mu <= 0 else (1 - mu) ** 2) + wrong - loss + eta / 2 * 2 * x * x * slope**2
    W[y], W[rival] = W[y] - eta * slope * x, W[rival] + eta * slope * x
left, right = sides
print(f"expected mistakes {left} = {float(left):.5f}; right side of Lemma 1 {right} = {float(right):.5f}")
assert not left <= right
