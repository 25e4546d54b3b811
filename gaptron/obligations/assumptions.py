"""What is known of a symbol by itself: its sign and the range of a parameter, as hypotheses of every claim with it."""

from collections.abc import Iterator

import sympy as sp
from sympy.core.relational import Relational

from gaptron.symbols import Parameter, sign_of

SIGNS = {"positive": sp.Gt, "negative": sp.Lt, "nonnegative": sp.Ge, "nonpositive": sp.Le, "nonzero": sp.Ne}


def assumptions(symbol: sp.Symbol) -> Iterator[Relational]:
    """The sign of the symbol, and between which bounds a parameter lies."""
    sign = sign_of(symbol)
    if sign is not None:
        yield SIGNS[sign](symbol, 0, evaluate=False)
    if isinstance(symbol, Parameter):
        if symbol.low is not None:
            yield sp.Ge(symbol, symbol.low, evaluate=False)
        if symbol.high is not None:
            yield sp.Le(symbol, symbol.high, evaluate=False)
