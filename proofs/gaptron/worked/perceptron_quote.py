"""K = 2, one round: x = (1), label 2, X = 1. W = 0 ties and label 1 is predicted. U = (-1/2, 1/2)."""

from fractions import Fraction

U = (Fraction(-1, 2), Fraction(1, 2))
L = max(0, 1 - (U[1] - U[0]))
squared_norm = U[0] ** 2 + U[1] ** 2
assert L == 0  # so that the root of 2 L is 0
left, right = Fraction(1), L + squared_norm + 0
print(f"U has margin {U[1] - U[0]}: L = {L}, ||U||^2 = {squared_norm}, and the term with sqrt(2 L) is 0")
print(f"mistakes = {left}; quoted bound = L + X^2 ||U||^2 = {right}")
print(f"with the factor 2 at the right term: L + 2 X^2 ||U||^2 = {L + 2 * squared_norm}")
assert not left <= right
