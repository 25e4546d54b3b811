"""Exact expected mistakes and comparator loss of a learner: probability mass over its outcome paths.

A round splits a state by its draw, with bandit feedback and a Gaptron in at most two; equal states are merged. Every
result is a rational, an Arb ball or an mpmath interval that contains it, or a double.
"""

from gaptron.expectation.paths import expected, expected_blocks, expected_repeated
from gaptron.expectation.walk import Expectation

__all__ = ["Expectation", "expected", "expected_blocks", "expected_repeated"]
