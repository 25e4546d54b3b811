"""T = 10^4, V = 1/100, and the free space has volume 1/100 only: the first point uses it up."""

from fractions import Fraction

e = Fraction(1, 10)  # max(sqrt(V), 1/sqrt(T))
left = e / (1 - e)  # the first point is repeated until it is right; afterwards labels that are predicted for sure
right = Fraction(1, 4) * 10  # min(sqrt(T), 1/sqrt(V)) = 10
print(f"p_1(x_1) = 1 - {e}: its expected mistakes are e/(1 - e) = {left}")
print("then x_s of label 2 with p_s(x_s) = 0 <= 1 - e: no mistake")
print(f"claimed: a constant times 10, with 1/4 that is {right}; the proof assumes total volume 1")
assert not left >= right
