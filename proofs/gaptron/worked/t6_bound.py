"""K = 55, X = 1; the adversary is adaptive: labels all 1, x = (c), c = r/(1 - (1 - r) mu) while the score of label 1 is
below k (1 - e), then c = 1; k = 1 - 1/K, r = 1/sqrt(K), mu the margin at c = 1, e = 1/100; ||U||^2 = k, margin 1."""

from fractions import Fraction as F

K, gamma, e = 55, F(1, 10**6), F(1, 100)
k, root, root2, log100 = 1 - F(1, K), F(74161984, 10**7), F(141421357, 10**8), F(46051702, 10**7)
assert root**2 < K and root2**2 > 2  # r = 1/root is above 1/sqrt(K); root2 > sqrt(2), log100 > ln 100
r = 1 / root
T = -(-4 * K**2 * k * (1 + 2 * gamma / K) // gamma**2)
D2 = T * gamma**2 / (4 * K**2)  # so that the printed gamma is 1/10^6, and W is never projected
units = 2 * K**2 * k / gamma  # 1/(2 eta) times k
learned = units * ((1 - r) * (1 - e**2) - gamma * k * root * log100)  # first part: mistakes - loss(U) - gamma k, summed
rounds = units * (root + F(1, 10**6)) * (log100 + K * gamma / (2 * K**2 * k * e))  # its expected length, at most
left = gamma * k * T + learned - K * rounds / (4 * (T - rounds))
right = 2 * K * root2 * gamma * T / (2 * K)  # 2 K D sqrt(2 T), as D = gamma sqrt(T)/(2 K)
print(f"exploring in vain costs gamma k T = {float(gamma * k * T):.6e}, the first part {float(learned):.6e} more")
print(f"E[mistakes] - E[sum l_t(U)] >= {float(left):.6e}, and Theorem 6 says at most {float(right):.6e}")
assert D2 >= k * (1 + 2 * gamma / K) and 2 * r * (1 - r) * e**2 > gamma * k
assert not left <= right
