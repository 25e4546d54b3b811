"""Theorem 4 of van der Hoeven 2020, first branch, on balls.

E[mistakes] <= E[sum loss_t(U)] + K X D max{2 K X D/ln 2, 2 sqrt(T/ln 2)} with gamma = min{1, K X D/sqrt(T ln 2)} and
eta = gamma ln 2/(2 K^2 X^2), which the paper leaves open ("there exists a setting of gamma").
"""

from gaptron.testing import Stream
from properties import adaptive, bound_of

THEOREM = bound_of.theorem("gaptron/theorem4_bandit_logistic", "Theorem 4, bandit logistic")
SHARP = (
    Stream.of(2, ["1"] * 8, [1] * 8, radius=1),
    Stream.of(2, ["1"] * 4, [1] * 4, radius="3/4"),
    Stream.of(3, ["1 0", "0 1", "1 0"], [1, 2, 1], radius="1/8"),
)

test_mistake_bound = bound_of.mistake_bound_of(THEOREM, SHARP)
test_streams_have_power = bound_of.power_of(THEOREM)
test_adaptive_mistake_bound = adaptive.property_of(THEOREM)
