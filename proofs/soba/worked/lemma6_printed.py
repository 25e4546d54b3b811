"""t = 2, d = 2, z_1 = (1, 2): w_2 needs the inverse of A_1 = z_1 z_1'."""

from fractions import Fraction

z = (Fraction(1), Fraction(2))
A = [[a * b for b in z] for a in z]
left, right = A[0][0] * A[1][1] - A[0][1] * A[1][0], Fraction(0)
print(f"A_1 = [[1, 2], [2, 4]], determinant 1 * 4 - 2 * 2 = {left}")
print("A_1 has no inverse; Algorithm 1 has A_1 = a I + z_1 z_1', which has one")
assert not left > right
