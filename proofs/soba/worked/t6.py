"""alpha = 2: Corollary 5 of Hazan and Kale is about the loss (ln 2/alpha) l, Theorem 6 about l; regret R = 1."""

from fractions import Fraction

alpha, ln2, R = 2, Fraction(693148, 10**6), Fraction(1)  # ln2 is above ln 2
left, right = R * alpha / ln2, R
print("regret of (ln 2/alpha) l at most R is regret of l at most R alpha/ln 2")
print(f"at alpha = 2, R = 1 that is more than {float(left):.3f}; the proof keeps R = {right}")
assert not left <= right
