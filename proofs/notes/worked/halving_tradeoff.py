"""K = 2, d = 1, gamma = 1/100, delta = 1/2, N = gamma^(-K d) = 10^4: K^sqrt(ln N) against K^sqrt(K d ln(1/delta))."""

from fractions import Fraction

assert Fraction(3) ** 2 < Fraction(92, 10) and Fraction(12, 10) ** 2 > Fraction(14, 10)  # ln 10^4 > 9.2, 2 ln 2 < 1.4
left, right = Fraction(2**3), Fraction(2**2)
print(f"ln N = 2 ln 100 > 9.2, so 2^sqrt(ln N) > 2^3 = {left}")
print(f"K d ln(1/delta) = 2 ln 2 < 1.4, so the printed complexity is below 2^1.2 < 2^2 = {right}")
assert not left <= right
