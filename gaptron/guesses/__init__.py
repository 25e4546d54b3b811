"""Guesses about theorems, by computer algebra and in floats, and claims as sympy shows them to those who search.

Nothing here is believed: whatever follows from a guess is a claim to be proved.
"""

from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.obligations import Obligation, obligations
from gaptron.theory.items import Item


def obligations_of(item: Item) -> tuple[Obligation, ...]:
    """The obligations of a theorem (or lemma) with guesses about it."""
    return obligations(item, SympyGuesses.of(item))
