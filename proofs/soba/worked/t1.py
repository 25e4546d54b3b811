"""L_q as printed, with W in the place of U: k = 2, q = 1, x = (1), y = 1, U = (1/2, -1/2), W = 0."""

from fractions import Fraction


def hinge(M):
    return max(1 - (M[0] - M[1]), 0)


left, right = Fraction(hinge((0, 0))), Fraction(hinge((Fraction(1, 2), Fraction(-1, 2))))
print(f"printed: L(U) = l(W, (x, y)) = {left}, which does not depend on U")
print(f"meant: L(U) = l(U, (x, y)) = {right}")
assert left != right
