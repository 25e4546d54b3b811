"""The first display has S <= L + V eta (S + 1/2) + B/eta; here L = 0, V = B = 1, S + 1/2 = 1, the best eta is 1."""

from fractions import Fraction

V, B, S = Fraction(1), Fraction(1), Fraction(1, 2)
left = min(V * eta * (S + Fraction(1, 2)) + B / eta for eta in (Fraction(1), Fraction(99, 100), Fraction(101, 100)))
right = Fraction(14143, 10_000)  # above sqrt(2 V B (S + 1/2)), the last line
assert right**2 > 2 * V * B * (S + Fraction(1, 2))
print(f"V eta (S + 1/2) + B/eta >= 2 sqrt(V B (S + 1/2)) = {left} for every eta")
print(f"last line: sqrt(2 V B (S + 1/2)) < {right}")
assert not left <= right
