"""Both sides of a mistake bound on a stream, and the comparators that it is held against.

Public: ``Game``, ``Sides``, ``breaks``, imported when first used: what they ask of a theorem is written in sympy.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaptron.bounds.sides import Game as Game
    from gaptron.bounds.sides import Sides as Sides
    from gaptron.bounds.sides import breaks as breaks

__all__ = ["Game", "Sides", "breaks"]


def __getattr__(name: str) -> object:
    """A public name, imported when first used."""
    if name in __all__:
        from gaptron.bounds import sides

        return getattr(sides, name)
    raise AttributeError(f"module 'gaptron.bounds' has no attribute {name!r}")
