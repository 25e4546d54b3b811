"""Outputs, targets and entropies of structured theorems, for theorem files to import."""

from gaptron.theory.structured import *  # noqa: F403
from gaptron.theory.structured import __all__ as __all__
