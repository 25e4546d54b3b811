"""K = 3, x = (1), label 1: W has scores (2, 0, 0), its rival taken to be label 2; U has scores (2, -1, 1)."""

from fractions import Fraction

W, U = (2, 0, 0), (2, -1, 1)
m_w, m_u = W[0] - max(W[1:]), U[0] - max(U[1:])
slope = -2 * (1 - m_w)
left = Fraction((1 - m_w) ** 2 - (1 - m_u) ** 2)
right = Fraction(slope * ((W[0] - U[0]) - (W[1] - U[1])))
print(f"margins {m_w} and {m_u}: l(W) - l(U) = {left}")
print(f"g = {slope} (e_1 - e_2): <g, W - U> = {slope} * ({W[0] - U[0]} - {W[1] - U[1]}) = {right}")
assert not left <= right
