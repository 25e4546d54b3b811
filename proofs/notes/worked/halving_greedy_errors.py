"""K = 2, alpha = 1/2, N = 2: x = e_1, then e_2, both of label 1, while label 2 is predicted; volumes 1, 1/2, 1/4."""

from fractions import Fraction

alpha, N, volume, left = Fraction(1, 2), 2, Fraction(1), 0
while volume >= Fraction(1, N):  # only below 1/N the algorithm makes no more errors
    volume, left = volume * alpha, left + 1
right = 1  # ln N/ln(1/alpha) = ln 2/ln 2
print(f"a mistake at volume 1 leaves 1/2, which is not below 1/N = 1/2: another one is made, {left} in all")
print(f"ln N/ln(1/alpha) = {right}")
assert not left <= right
