"""gamma = 1, d = 2, S_1 = {(1, 0)} of label 1, x = (10, 1/2) of label 2; W = ((1/40, 0), (0, 1)) separates."""

from fractions import Fraction as F

W, known, x = ((F(1, 40), F(0)), (F(0), F(1))), (F(1), F(0)), (F(10), F(1, 2))
scores = [[sum(w * v for w, v in zip(row, point, strict=True)) for row in W] for point in (known, x)]
assert scores[0][0] > scores[0][1] and scores[1][1] > scores[1][0]
apart = sum((a - b) ** 2 for a, b in zip(known, x, strict=True))
left, right = int(scores[1][1] > scores[1][0]), 0
print(f"the points are sqrt({apart}) > 1 apart, and W gives them the labels 1 and 2")
print("x is 1/2 < gamma away from the ray through (1, 0), so label 1 is predicted")
print(f"mistakes in such rounds: {left}, claimed {right}")
assert not left <= right
