"""K = 2, the first round: W = 0, so both labels have probability 1/2 and p* = 1/2."""

from fractions import Fraction

p = Fraction(1, 2)
a = 1 - (p if p >= Fraction(1, 2) else 0)
left = 1 - a + a / 2
right = Fraction(1, 2)
print(f"a = 1 - 1[p* >= 1/2] p* = {a}")
print(f"the top label is predicted with probability 1 - a + a/2 = {left}")
print(f"uniform sampling would predict it with probability {right}")
assert left != right
