"""Natural logarithm, l1 norm: lambda = 1, nu = ||e_1 - e_2||_1 = 2, and L(e_2; e_1) = 1 <= gamma ||e_2 - e_1||_1."""

from fractions import Fraction

gamma = Fraction(1) / 2
left, right = Fraction(1), 4 * gamma / 2
print(f"gamma >= {gamma}: 4 gamma/nu = {right}, and lambda = {left} is not larger: a = 1 - {right} = 0")
assert not left > right
