"""Properties of the bounds, the learners and the adversaries, on generated streams.

Hypothesis draws some numbers from the source of whatever local modules are loaded, which depends on the tests that ran
before in the same process and on the names in them. Here it does not: streams are the same ones every time.
"""

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

providers._get_local_constants = Constants
