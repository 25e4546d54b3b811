"""A quadratic form m^T Q m/2 as an entropy: its matrix written out, and a certificate that Q is at least lambda."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

import numpy as np

from gaptron.coq.listed import chosen, pinned
from gaptron.coq.real_terms import number
from gaptron.coq.script import OutOfScopeError
from gaptron.theory.structured.entropies import Quadratic
from gaptron.theory.structured.structured_theorem import StructuredTheorem

DENOMINATORS = (1, 2, 3, 4, 6, 10, 100, 1000)  # of lambda: the first that is enough for what a float says
Squares = list[tuple[Fraction, list[Fraction]]]  # weights, and the vectors whose inner products are squared


def form(entropy: Quadratic) -> str:
    """The entry of Q in row i and column j."""
    return chosen("i", [chosen("j", [number(entry) for entry in row]) for row in entropy.matrix])


def strength(entropy: Quadratic) -> Fraction:
    """lambda: at most the least eigenvalue; OutOfScopeError if none above zero is found."""
    least = float(np.linalg.eigvalsh(np.array(entropy.matrix, dtype=float))[0])
    tried = [Fraction(least).limit_denominator(q) for q in DENOMINATORS] + [Fraction(floor(1000 * least), 1000)]
    found = [value for value in tried if value > 0 and _squares(entropy, value) is not None]
    if not found:
        raise OutOfScopeError("the library's quadratic forms are positive definite in all directions")
    return max(found)


def proof(theorem: StructuredTheorem, entropy: Quadratic) -> str:
    """The tactic that leaves that there are outputs, and what the entropy is; ``{n}`` is the size."""
    return f"apply (quadratic_form_suits _ _ _ form_of); [ | | {_definite(theorem, entropy)} | lra]"


def touches(theorem: StructuredTheorem, entropy: Quadratic) -> str:
    """The tactic that shows that a tangent is below it."""
    definite, slopes = _definite(theorem, entropy), "one_by_one ltac:(computed; lra)"
    lemma = f"quadratic_touches _ _ _ _ _ _ form_of {number(strength(entropy))}"
    return f"apply ({lemma}); [{definite} | reflexivity | {slopes}]"


def _definite(theorem: StructuredTheorem, entropy: Quadratic) -> str:
    """Tactics: the form is symmetric, lambda is positive, and the form at least that."""
    least, one = strength(entropy), pinned(theorem)
    symmetric = "intros i j Hi Hj; below i Hi; below j Hj; reflexivity"
    squares = " + ".join([*_written(entropy, least), "0"])
    steep = f"apply (steep_by_squares _ _ _ (fun v => {squares})); [squares_are_positive | squares_are_left]"
    return f"{one}; {symmetric} | lra | {one}; {steep}"


def _written(entropy: Quadratic, least: Fraction) -> Iterator[str]:
    for weight, row in _squares(entropy, least) or []:
        inner = " + ".join(f"{number(entry)} * v {place}%nat" for place, entry in enumerate(row))
        yield f"{number(weight)} * ({inner}) ^ 2"


def _squares(entropy: Quadratic, least: Fraction) -> Squares | None:
    """Q - lambda as a sum of squares, row by row; None if it is not positive semidefinite."""
    rows = [[entry - least * (i == j) for j, entry in enumerate(row)] for i, row in enumerate(entropy.matrix)]
    found: Squares = []
    for i, row in enumerate(rows):
        weight = row[i]
        if weight < 0 or (weight == 0 and any(row[i:])):
            return None
        if weight:
            direction = [Fraction(0)] * i + [entry / weight for entry in row[i:]]
            found.append((weight, direction))
            for other in rows[i + 1 :]:
                share = other[i]
                other[:] = [entry - share * part for entry, part in zip(other, direction, strict=True)]
    return found
