"""Exact expected mistakes and comparator loss of Gaptron: probability mass over its outcome paths.

With bandit feedback the weights change only if the drawn label is right, so a round splits a state in at most two;
equal states are merged. Every result is a rational, an Arb ball that contains it, or a double.
"""

from gaptron.expectation.floats import expected_floats
from gaptron.expectation.paths import Expectation, expected
from gaptron.expectation.repeated import expected_repeated

__all__ = ["Expectation", "expected", "expected_floats", "expected_repeated"]
