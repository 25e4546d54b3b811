"""K = 3, X = 1, the stream E^16 (DB)^9 ((ADB)^24 E)^5, 399 rounds: A is x = (4/5, 3/5) with label 1, B (3/10, 3/5) with
label 1, D (-3/10, 3/5) with label 2, E (0, -3/5) with label 3; U has rows (10/9, 5/9), (-20/9, 5/9), (10/9, -10/9)."""

from fractions import Fraction as F

x = {"A": (F(4, 5), F(3, 5)), "B": (F(3, 10), F(3, 5)), "D": (F(-3, 10), F(3, 5)), "E": (F(0), F(-3, 5))}
y, U = {"A": 0, "B": 0, "D": 1, "E": 2}, [[F(10, 9), F(5, 9)], [F(-20, 9), F(5, 9)], [F(10, 9), F(-10, 9)]]
W, left, losses = [[F(0)] * 2 for _ in range(3)], F(0), F(0)
for r in "E" * 16 + "DB" * 9 + ("ADB" * 24 + "E") * 5:
    s, u = ([sum(w * v for w, v in zip(row, x[r])) for row in M] for M in (W, U))
    rival = max((k for k in range(3) if k != y[r]), key=lambda k: (s[k], -k))
    m, mu = s[y[r]] - s[rival], u[y[r]] - max(u[k] for k in range(3) if k != y[r])
    losses += (1 - 2 * mu) if mu <= 0 else (1 - mu) ** 2
    a = (1 - min(1, sorted(s)[2] - sorted(s)[1])) ** 2
    left += (1 - a) * (s.index(max(s)) != y[r]) + a * F(2, 3)
    step = (2 if m <= 0 else 2 * (1 - m)) / F(12)  # eta = 1/(4 K X^2)
    for sign, k in ((1, y[r]), (-1, rival)):
        W[k] = [w + sign * step * v for w, v in zip(W[k], x[r])]
right = losses + 2 * 3 * sum(v * v for row in U for v in row)
print(f"losses of U {losses}, bound 6 ||U||^2 = {right} = {float(right):.4f}, expected mistakes {float(left):.4f}")
assert not left <= right
