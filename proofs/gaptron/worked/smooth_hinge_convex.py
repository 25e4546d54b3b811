"""K = 3, x = (1), label 1: three W with scores (2, 1, -1), (2, 0, 0), (2, -1, 1), the second in the middle."""

from fractions import Fraction


def printed_loss(scores):
    m = scores[0] - max(scores[1:])
    return max(1 - 2 * m, 0) if m <= 0 else max((1 - m) ** 2, 0)


ends = [printed_loss((2, 1, -1)), printed_loss((2, -1, 1))]
left, right = Fraction(printed_loss((2, 0, 0))), Fraction(sum(ends), 2)
print(f"ends: margin 1, loss max((1 - 1)^2, 0) = {ends[0]}")
print(f"middle: margin 2, loss max((1 - 2)^2, 0) = {left}")
print(f"convexity asks for {left} <= {right}")
assert not left <= right
