"""Input error: not valid Python."""

from gaptron import Theorem

broken = Theorem(name="broken",
