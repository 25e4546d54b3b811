"""Points (1, 1), (-1, -1) of label 1 and (1, -1), (-1, 1) of label 2: at least 2 apart. Scores <w_i, x>."""

from fractions import Fraction

first, second = ((1, 1), (-1, -1)), ((1, -1), (-1, 1))
apart = min((a - c) ** 2 + (b - d) ** 2 for a, b in first for c, d in second)
left = Fraction(0)  # margins m(x) + m(-x) = <w, x> + <w, -x> = 0 for the two points of a label: not both are positive
right = Fraction(1)  # margins of at least 1/2 would sum to this
print(f"the squared distance between labels is at least {apart}: gamma = 2")
print(f"the margins of x and -x, of the same label, sum to {left}: no W separates, with whatever margin")
assert not left >= right
