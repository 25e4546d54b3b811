"""A coin, +-1, tossed until sum > sqrt(2 t ln 2) + (sqrt(2)/3) ln 2, at most 64 times; delta = 1/2, a = 1, v = t."""

from fractions import Fraction

LN2, SQRT2 = Fraction(6931471806, 10**10), Fraction(1414213563, 10**9)  # rounded up
going, left, right = {0: Fraction(1)}, Fraction(0), Fraction(1, 2)
for t in range(1, 65):
    moved = {}
    for total, p in going.items():
        for step in (1, -1):
            moved[total + step] = moved.get(total + step, 0) + p / 2
    stops = {n for n in moved if (s := n - SQRT2 / 3 * LN2) > 0 and s**2 > 2 * t * LN2}
    left += sum(moved[n] for n in stops)
    going = {n: p for n, p in moved.items() if n not in stops}
print(f"it stops above the bound with probability {left.numerator}/2^{left.denominator.bit_length() - 1}")
print(f"which is {float(left):.4f}, where delta = 1/2 is claimed")
assert not left <= right
