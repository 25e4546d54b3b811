"""Theorem 3's learner (smooth hinge, eta = 1/(4 K)), K = 3: twice x = (1), label 1; U: margin 1/2, ||U||^2 = 1/6."""

from fractions import Fraction as F

K, scores, left = 3, [F(0)] * 3, F(0)
for _ in range(2):
    rival = max((1, 2), key=lambda k: (scores[k], -k))
    m = scores[0] - scores[rival]
    left += F(K - 1, K) * (1 - m) ** 2 - (1 - F(1, 2)) ** 2  # label 1 is on top, a = (1 - m)^2
    scores[0], scores[rival] = scores[0] + 2 * (1 - m) / (4 * K), scores[rival] - 2 * (1 - m) / (4 * K)
    print(f"margin {m}: P(wrong) = (2/3) (1 - m)^2 = {F(2, 3) * (1 - m) ** 2}, loss of U = 1/4")
right = K * (F(1, 2) ** 2 * F(K - 1, K))
print(f"mistakes - losses of U = {left}; K X^2 ||U||^2 = 3/6 = {right}")
assert not left <= right
