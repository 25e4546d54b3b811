"""Theorems under test in a project's own suite: ``assert_theorem``, and the streams that it tries.

>>> from gaptron.testing import assert_theorem
>>> def test_my_theorem():
...     assert_theorem(my_theorem)

Needs Hypothesis: ``pip install 'gaptron[testing]'``.
"""

try:
    import hypothesis as _hypothesis  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("gaptron.testing needs Hypothesis: pip install 'gaptron[testing]'") from error

from gaptron.bounds.comparators import strongest
from gaptron.bounds.stream import ExactStream as Stream
from gaptron.testing.assertion import assert_bound, assert_theorem
from gaptron.testing.strategies import streams

__all__ = ["Stream", "assert_bound", "assert_theorem", "streams", "strongest"]
