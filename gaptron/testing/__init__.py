"""Theorems under test in a project's own suite: ``assert_theorem``, and the streams that it tries.

>>> from gaptron.testing import assert_theorem
>>> def test_my_theorem():
...     assert_theorem(my_theorem)

Needs Hypothesis, which the extra ``testing`` installs.
"""

from gaptron.system.extras import needing

with needing("gaptron.testing"):
    import hypothesis as _hypothesis  # noqa: F401

from gaptron.bounds.comparators import strongest
from gaptron.bounds.exact_stream import ExactStream as Stream
from gaptron.testing.assertion import Power, assert_bound, assert_theorem
from gaptron.testing.strategies import streams

__all__ = ["Power", "Stream", "assert_bound", "assert_theorem", "streams", "strongest"]
