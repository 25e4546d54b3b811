"""K = k = 5, x = 1, two labels, each with probability 1/2 in every round; U has scores ln 15 for these two, else 0."""

from fractions import Fraction

inverse = Fraction(2 * 15 + 3, 15)
left, right = 5, inverse**2
print(f"softmax of U: 15/(2 15 + 3) for both labels, a loss of log_5({inverse}); any learner errs with probability 1/2")
print(f"1/2 <= log_5({inverse}) would be 5 <= ({inverse})^2 = {right}: U gains the same in every round")
left, right = Fraction(left), Fraction(right)
assert not left <= right
