"""What is known of a variable by itself: those of the lemma, and the parameters of a theorem."""

from gaptron.door.reading import variable
from gaptron.language.variables import Variable
from gaptron.theory.items import Item
from gaptron.theory.theorem import Lemma

RATE = "#eta"  # a learning rate that is put in later; no name of a file
OWN = {
    found.name: found
    for found in (
        *(Variable(name, ">", is_whole=True) for name in ("K", "T", "d")),
        *(Variable(name, ">") for name in ("D", "X", "p", "q", "u", "root", "share")),
        *(Variable(name, ">=") for name in ("gamma", "v")),
        *(Variable(name) for name in ("b", "m", "s", "t", "y", "z", "z_plus", "z_minus")),
        Variable("n", ">", is_whole=True),
        Variable("sqrt_T", ">", is_whole=True, whole_power=2),
        Variable(RATE, ">"),
    )
}


def variables_of(item: Item) -> dict[str, Variable]:
    """Those that its claims may speak of.

    Raises
    ------
    NotImplementedError
        If two different ones have one name.
    """
    if isinstance(item, Lemma):
        symbols = set().union(*(implication.symbols for implication in item.implications))
        return {found.name: found for found in map(variable, symbols)}
    return OWN | {found.name: found for found in map(variable, item.parameters)}
