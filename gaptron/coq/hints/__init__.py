"""Hints that the verified kernel asks for and certificates do not have: atoms, multipliers, boxes. Not trusted.

``certificate_data`` adds them to a proof of today's format; a wrong hint is refused by Coq. Search is to write them
itself, in certificates of the next format: then this folder goes into ``gaptron/prove``, and nothing else changes.
"""

from gaptron.coq.hints.combination import GUARD_BITS
from gaptron.coq.hints.rules import certificate_data

__all__ = ["GUARD_BITS", "certificate_data"]
