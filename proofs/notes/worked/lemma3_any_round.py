"""T = 10^4, V = 1/T, the condition holds in the last round t = T with p_t(x_t) = 99/100 on label 1; the label is 2."""

from fractions import Fraction

T, constant = 10**4, Fraction(1, 4)
left = Fraction(99, 100)
right = constant * 100  # min(1/sqrt(V), sqrt(T)) = 100
print(f"one round is left: the expected mistakes from it on are {left}, and never more than 1")
print(f"claimed: a constant times min(1/sqrt(V), sqrt(T)) = 100, with 1/4 that is {right}")
assert not left >= right
