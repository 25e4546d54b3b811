"""The coefficient of sum h that the proof needs: (5) holds 2 eta <U, v>; to get 1 - <U, v> one adds 2 eta E[sum h]."""

from fractions import Fraction

eta, product = Fraction(1, 2), Fraction(1, 3)  # any eta > 0, any <U, v>
left = (eta - 2 * eta * product) / eta
right = 1 - product
print(f"as printed: add eta, divide by eta: (eta - 2 eta <U, v>)/eta = 1 - 2 <U, v> = {left}")
print(f"as displayed: 1 - <U, v> = {right}, which is (2 eta - 2 eta <U, v>)/(2 eta)")
assert left != right
