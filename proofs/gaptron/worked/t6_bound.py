"""K = 55, X = 1, a stream that is fixed before the game: labels all 1, x_t = (c_t), c_t = r/(1 - (1 - r) m_t), m_1 = 0,
m_{t+1} = m_t + a c_t (1 - c_t m_t), r = 1/sqrt(K), a = gamma/(2 K^2 k), k = 1 - 1/K, gamma = 1/10^6, D^2 = k,
T = 4 K^2 k/gamma^2; U has margin 1 at x = (1) and ||U||^2 = k."""

from fractions import Fraction as F

K, gamma, g = 55, F(1, 10**6), F(1, 10**3)  # g^2 = gamma, which is the printed rate: 4 K^2 D^2/T = gamma^2
k, low, high, root2 = 1 - F(1, K), F(13483, 10**5), F(13485, 10**5), F(141421357, 10**8)
assert low**2 < F(1, K) < high**2 and root2**2 > 2  # low < r < high
T = 4 * K**2 * k / gamma**2
log = 9  # above ln(1 + 1/(r g)), as e > 2.718
assert F(2718, 1000) ** log > 1 + 1 / (low * g)
learned = gamma * T * (1 - high) / 2 * (1 - (gamma / (2 * low)) ** 2)  # what features below 1 bring
lost = gamma * T * k * gamma * (high * log + 1 + F(3, 10) / low + high**2 / 2)  # rounds with z^2 < gamma, and ties
left = gamma * k * T + learned - lost
right = root2 * gamma * T  # 2 K D sqrt(2 T), as D = gamma sqrt(T)/(2 K)
print(f"exploring in vain costs gamma k T = {float(gamma * k * T):.6e}, the features {float(learned - lost):.6e} more")
print(f"E[mistakes] - E[sum l_t(U)] >= {float(left):.6e}, and Theorem 6 says at most {float(right):.6e}")
assert not left <= right
