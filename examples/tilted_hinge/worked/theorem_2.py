"""K = 2, ||x|| = 1, eta = 1/(2 K) = 1/4, scores (1/4, 0), and the second label is right: m = -1/4, m* = 1/4."""

from fractions import Fraction

eta, t = Fraction(1, 4), Fraction(1, 4)
wrong = 1 - (1 - t) / 2  # the gap map is 3/4, half of which goes to the second label
loss = (1 + t) + t
step = eta / 2 * 2 * 2**2  # two rows of the gradient, each of length 2

print(f"P(wrong) = 1 - (3/4)/2 = {wrong}; the loss is (1 + 1/4) + 1/4 = {loss}")
print(f"(eta/2) ||g||^2 = (1/8) 2 (2^2) = {step}")
print(f"the surrogate gap is {wrong} - {loss} + {step} = {wrong - loss + step} > 0")
left, right = wrong - loss + step, Fraction(0)
assert left > right
