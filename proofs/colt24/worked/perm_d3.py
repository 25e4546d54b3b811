"""d = 3, y = (3, 2, 1), y' = (2, 2, 2), M = 4, lambda = 1, nu = sqrt(2): every admissible gamma has L <= gamma ||y -
y'||."""

from fractions import Fraction

y, other = (3, 2, 1), (2, 2, 2)
loss = Fraction(sum(a * (a - b) for a, b in zip(y, other)), 4)
gamma2 = loss**2 / sum((a - b) ** 2 for a, b in zip(y, other))
left = Fraction(1)
right = 16 * gamma2 / 2
print(f"L = {loss} and ||y - y'||^2 = 2: gamma^2 >= {gamma2}")
print(f"claimed: lambda > 4 gamma/nu; but (4 gamma/nu)^2 >= {right} = lambda^2")
assert not left > right
