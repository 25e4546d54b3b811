"""Both sides of a mistake bound on a stream, and the comparators that it is held against.

Public: ``Game``, ``Sides``, ``breaks``.
"""

from gaptron.bounds.sides import Game, Sides, breaks

__all__ = ["Game", "Sides", "breaks"]
