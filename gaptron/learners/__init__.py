"""Online classifiers. Importing them needs NumPy alone; symbols and exact numbers are loaded on demand."""

from gaptron.learners.binary import BinaryGaptron
from gaptron.learners.gaptron import Gaptron

__all__ = ["BinaryGaptron", "Gaptron"]
