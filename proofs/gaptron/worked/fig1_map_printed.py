"""Figure 1 to the letter: K = 2, eta = 1/8, ||x|| = 1, one round with label +1, margin z = 2, loss 0."""

from fractions import Fraction

z, eta = Fraction(2), Fraction(1, 8)
a = (1 - abs(z)) ** 2
squared_norm = 4 * (1 - z) ** 2
left = a / 2 - 0 + eta / 2 * squared_norm
right = Fraction(0)
print(f"a = (1 - |z|)^2 = {a}: the label is guessed uniformly, although the margin is {z}")
print(f"P(wrong) = a/2 = {a / 2}, loss = 0, (eta/2) ||g||^2 = {eta / 2 * squared_norm}")
print(f"surrogate gap = {left}, which should be at most {right}")
assert not left <= right
