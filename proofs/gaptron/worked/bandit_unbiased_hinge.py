"""K = 2, beta = 1/2, gamma = 1: label 1 is on top with margin 1 > beta and is the true one, but label 2 is drawn."""

from fractions import Fraction

drawn, top, true, m, beta = 2, 1, 1, Fraction(1), Fraction(1, 2)
cases = [m <= beta, top != true and m > beta, drawn == top == true and m > beta]
left, right = Fraction(sum(cases)), Fraction(1)
print(f"m* <= beta: {cases[0]}; y* != y and m* > beta: {cases[1]}; y' = y* = y and m* > beta: {cases[2]}")
print(f"cases of (5) that apply: {left}, where one is needed (the loss is 0); the draw has probability 1/2")
assert left != right
