"""Proofs as the kernel reads them, changed in one place: what no search writes, and must be rejected or may be."""

from typing import Any

from kernel_language import (
    MEAN,
    ONE,
    Proof,
    add_up,
    apart,
    cases,
    claim,
    combination,
    contradiction,
    fixed,
    generalize,
    interval,
    lemma,
    move,
    weaken,
)
from kernel_rows import BETWEEN, Row, between, changed

from gaptron.prove.hints import written

HALF = ["^", "x", -1]


def of(text: str, sketch: Proof) -> Any:
    """Rows of a claim and its proof: why, and a path with what is to stand there, or several; what the kernel says."""
    asked = claim(text)
    proof = written(asked, sketch)

    def row(why: str, *changes: Any, says: str | None = None) -> Row:
        other = proof
        for *path, to in changes:
            other = changed(other, *path, to=to)
        return Row(sketch["rule"], why, asked, other, says)

    return row


WEAKER = of("x >= 1; y >= 1 |- x >= 0", weaken([0], combination(("1", [0]), ("1", [1]), ONE)))
ABSURD = of("x >= 1; 0 >= 1 |- x >= 5", contradiction(1))
LEMMA = of("x >= 1 |- x >= 0", lemma("x > 0", combination(("1", [0]), ("1", [1]), ONE), add_up(1, 2)))
APART = of("x >= 1 |- x != 0", apart(">", combination(("1", [0]), ("1", [1]), ONE)))
SPLIT = of("|- x**2 >= 0", cases("x", combination(("1", [1]), ("1", [0, 0])), combination(("1", [1]), ("1", [0, 0]))))
WHOLE = of(f"{BETWEEN} for integers K", between())
POLE = of("x != 0 |- x**2 >= 0 for integers 1/x", combination(("1", [0]), ("1", [], "x")))
POLE_SPLIT = claim("x != 0 |- x**2 >= 0 for integers 1/x")
SUM = of("x >= 0; y > 0; x != 5; y == 2 |- x*y >= 0", combination(("1", [0, 1]), ("1", [3])))
ROOT = of("x >= 0 |- root(x, 2)**2 <= x", combination(("1", [3]), equations=[(2, "-1")]))
QUOTIENT = of("x > 0; 1/x >= 1 |- x <= 1", add_up(1, 2))
SQUARED = of("1/x**2 >= 1 |- x**2 <= 1", add_up(0, 1))
SPREAD = of("x >= 0; x <= 1 |- x**2 <= 2", interval())
CURVED = of("x >= 0; x <= 1 |- x**2 <= 2", MEAN)
FIXED = of("2*x <= 4; x >= 2; x*y >= 2 |- y >= 1", fixed("2", combination(("1", [2]), ("2", [3]))))
NAMED = of("exp(x) >= 1; y >= 0 |- exp(x) + y >= 1", generalize("exp(x)", add_up(0, 1, 2)))
CLIMB = combination(("1", [2]), ("1", []))
MOVED = of("2*x <= 2*y; x >= -1; y >= 0 |- x <= y", move("up", combination(("1", [3]), ONE), add_up(1)))
PRODUCTS = of("|- exp(2*x + y) - exp(x)**2*exp(y) <= 0", add_up(0))
SUMS = of("x > 0; y > 0 |- 2*log(x**2*y) - log(x**4) - log(y**2) <= 0", combination(("1", [2])))
SAME = of("x >= 0 |- root(x + x, 3) <= root(2*x, 3)", add_up(1))

BOX = ("proof", "box", "x")
BOUND = "is no such bound|no bound"

REJECTED = [
    WEAKER("a float", ("proof", "keep", [0.0]), says="no number"),
    WEAKER("a text", ("proof", "keep", ["0"]), says="no number"),
    WEAKER("an object", ("proof", "keep", {"0": 0}), says="keep is a list"),
    WEAKER("the number after the last", ("proof", "keep", [2]), says="no number"),
    WEAKER("another hypothesis", ("proof", "keep", [1]), says="atom that the table has not"),
    ABSURD("no step", ("proof", "steps", []), says="no fact is impossible"),
    ABSURD("another hypothesis", ("tables", 0, 0, ["x"]), ("proof", "steps", [0]), says="no fact is impossible"),
    ABSURD("the number after the last", ("proof", "steps", [2]), says="no number"),
    ABSURD("a number before the first", ("proof", "steps", [-1]), says="no number"),
    ABSURD("a table that is not there", ("proof", "table", 1), says="no number"),
    LEMMA("an unknown sign", ("proof", "relation", 0, "=<"), says="relation sign"),
    LEMMA("a stronger lemma", ("proof", "relation", 2, "2"), says="do not add up to zero"),
    LEMMA("a lemma of another variable", ("proof", "relation", 1, "y"), says="atom that the table has not"),
    APART("the sign is !=", ("proof", "sign", "!="), says="apart proves"),
    APART("the sign is in a list", ("proof", "sign", [">"]), says="apart proves"),
    APART("the other sign", ("proof", "sign", "<"), says="add up to zero"),
    SPLIT("a split that may be undefined", ("proof", "split", HALF), says="may not be nonzero"),
    SPLIT("a shared term that is not there", ("proof", "split", 7), says="no term 7"),
    WHOLE("the integer after the last", ("proof", "which", 1), says="no number"),
    WHOLE("a term for a number", ("proof", "which", "K"), says="no number"),
    *[WHOLE(f"at most {at!r}", ("proof", "at_most", at), says="not an integer") for at in ("2", 2.0, True, None)],
    WHOLE("another number", ("proof", "at_most", 3), says="add up to zero"),
    POLE(
        "an integer that may be undefined",
        ("proof", {"rule": "integer", "which": 0, "at_most": 0, "below": {}, "above": {}}),
        says="may be undefined",
    ),
    SUM("a table without an atom", ("tables", 0, 0, ["x"]), says="atom that the table has not"),
    SUM("an inequation in a product", ("proof", "steps", [0, 1, 2]), ("proof", "summands", [["1", [2]]]), says="no eq"),
    SUM("a multiple of an inequality", ("proof", "equations", [[0, "1"]]), says="not an equation"),
    SUM("summands in an object", ("proof", "summands", {}), says="are lists"),
    SUM("a square with a denominator", ("proof", "summands", 0, ["1", [0], HALF]), says="not a polynomial"),
    SUM("nothing that is positive", ("proof", "summands", []), says="certainly positive"),
    SUM("a square is not positive", ("proof", "summands", [["1", [2], "1"], ["1", [0, 1]]]), says="certainly positive"),
    SUM("a nonnegative fact is not positive", ("proof", "summands", [["1", [0, 1]]]), says="certainly positive"),
    SUM("an equation is not positive", ("proof", "steps", [0, 1, 3]), ("proof", "summands", [["1", [2]]]), says="pos"),
    ROOT("a root of what may be negative", ("proof", "steps", []), says="may not be nonnegative"),
    ROOT("an atom that is no root", ("proof", "against", 0, ["root", 1]), says="is no root"),
    ROOT("an atom that is no exponential", ("proof", "against", 0, ["exp", 2]), says="is no exp"),
    ROOT("the atom after the last", ("proof", "against", 0, ["root", 3]), says="no atom"),
    QUOTIENT("divided by what may be zero", ("proof", "steps", [1]), ("proof", "against", [["divide", 0, "1", 0]])),
    QUOTIENT(
        "divided by what is only not zero, once",
        ("proof", "steps", [1, ["divide", 0, ["+", "1", ["*", "-1", "x"]], 1]]),
        says="not the quotient",
    ),
    SQUARED("another quotient", ("proof", "steps", [0, ["divide", 0, "1", 1]]), says="not the quotient"),
    *[SPREAD(f"bits {n!r}", ("proof", "bits", n), says="not a precision") for n in (15, 1025, "32", 32.0, True, None)],
    SPREAD("no box", ("proof", "box", {}), says="one side of zero"),
    SPREAD("a box in a list", ("proof", "box", []), says="gives variables"),
    SPREAD("a name that is none", ("proof", "box", "1", [None, None]), says="not a name"),
    SPREAD("one bound", (*BOX, [None]), says="no bounds"),
    SPREAD("a bound without an end", (*BOX, 1, [1, "1", "1"]), says="no bound"),
    SPREAD("a hypothesis that is not there", (*BOX, 1, 0, 2), says="no number"),
    SPREAD("another hypothesis", (*BOX, 1, 0, 0), says=BOUND),
    SPREAD("another factor", (*BOX, 1, 1, "2"), says=BOUND),
    SPREAD("a negative factor", (*BOX, 1, [0, "-1", "0", "0"]), says="factor is not positive"),
    SPREAD("no factor", (*BOX, 1, [0, "0", "x", "0"]), says="factor is not positive"),
    SPREAD("another term", (*BOX, 1, 2, "1/2"), says=BOUND),
    SPREAD("an end inside of the bound", (*BOX, 1, 3, "1/2"), says="inside"),
    SPREAD("an end inside of the lower bound", (*BOX, 0, 3, "1/2"), says="inside"),
    SPREAD("an end beyond zero", (*BOX, 1, 3, "2"), says="one side of zero"),
    CURVED("the mean form in another variable", ("proof", "mean", "y"), says="one variable"),
    CURVED("the mean form without a box", ("proof", "box", {}), says="finite interval"),
    CURVED("the mean form without an end", (*BOX, 0, None), says="finite interval"),
    FIXED("another value", ("proof", "value", "1"), says=BOUND),
    FIXED("a variable for a value", ("proof", "value", "y"), says="not a rational"),
    FIXED("a bound from above for one from below", ("proof", "bounds", [[0, "1/2"], [0, "1/2"]]), says=BOUND),
    FIXED("one bound", ("proof", "bounds", [[0, "1/2"]]), says="one from below"),
    FIXED("a bound that is no pair", ("proof", "bounds", 1, [0]), says="one from below"),
    FIXED("another factor", ("proof", "bounds", 1, [0, "1"]), says=BOUND),
    FIXED("another variable", ("proof", "variable", "y"), says=BOUND),
    NAMED("a name that is there", ("proof", "new", "y"), says="not new"),
    NAMED("a name that is none", ("proof", "new", "1"), says="not a name"),
    NAMED("a sum", ("proof", "term", ["+", "x", "y"]), says="a sum"),
    NAMED("another term", ("proof", "term", ["log", "x"]), says="atom that the table has not"),
    MOVED("no such direction", ("proof", "direction", "left"), says="up or down"),
    MOVED("the other direction", ("proof", "direction", "down"), says=BOUND),
    MOVED("no bound", ("proof", "near", []), says="no bound on that side"),
    MOVED("no list of bounds", ("proof", "far", {}), says="no bound on that side"),
    MOVED("a bound on the other side", ("proof", "far", [[0, "1/2", "y"]]), says=BOUND),
    MOVED("another factor", ("proof", "near", 0, 1, "1"), says=BOUND),
    MOVED("a bound with the variable", ("proof", "near", 0, 2, "x"), says="is in its bound"),
    MOVED("a hypothesis that is not there", ("proof", "near", 0, 0, 3), says="no number"),
    MOVED("a hypothesis without the variable", ("proof", "near", 0, 0, 2), says=BOUND),
    MOVED("another derivative", ("proof", "derived", "0"), says="not the derivative"),
    MOVED("facts in an object", ("proof", "facts", {}), says="facts is a list"),
    MOVED("no end", ("proof", "ends", []), says="one end for every bound"),
    MOVED("an end too many", ("proof", "ends", [{}, {}]), says="one end for every bound|names its rule"),
    MOVED("the variable is no name", ("proof", "variable", 1), says="not a name"),
    PRODUCTS("a sum for an atom", ("tables", 0, 0, 0, ["+", "x", "y"])),
    PRODUCTS("hints that are no list", ("tables", 0, 1, 5), says="not a table"),
    PRODUCTS("atoms in a text", ("tables", 0, 0, "xy"), says="not a table"),
    PRODUCTS("no table", ("tables", 0, [["x"]]), says="not a table"),
    PRODUCTS("no hint", ("tables", 0, 1, [["sin", "x", "y"]]), says="not a hint"),
    PRODUCTS("without its hint", ("tables", 0, 1, []), says="atom that the table has not"),
    PRODUCTS("another power", ("tables", 0, 1, 0, 2, 0, 1, 3), says="not the product"),
    PRODUCTS("a power of zero", ("tables", 0, 1, 0, 2, 0, 1, 0), says="not known"),
    PRODUCTS("a power that is no number", ("tables", 0, 1, 0, 2, 0, 1, "2"), says="not a count"),
    PRODUCTS("powers without parts", ("tables", 0, 1, 0, 2, [["x"]]), says="no terms with counts"),
    SUMS("another multiple", ("tables", 0, 1, 0, 2, 5), says="not the logarithm's parts"),
    SUMS("a multiple of zero", ("tables", 0, 1, 0, 2, 0), says="argument of a logarithm"),
    SUMS("a negative multiple", ("tables", 0, 1, 0, 3, 0, 1, -1), says="not known"),
    SAME("a root of something else", ("tables", 0, 1, 0, 1, ["*", "3", "x"]), says="is not certainly"),
    SAME("a root of another degree", ("tables", 0, 1, 0, 2, 2), says="is not certainly"),
]

ACCEPTED = [
    SPLIT("a step that nothing needs", ("proof", "below", "steps", [0])),
    SUM("an equation in a product", ("proof", "summands", [["1", [0, 1]], ["1", [2]]])),
    SUM("an atom twice", ("tables", 0, 0, ["x", "y", "x"])),
    SUM("an atom that is a sum", ("tables", 0, 0, ["x", "y", ["+", "x", "y"]])),
    SUM("a hint for an atom", ("tables", 0, [["x", "y", ["exp", "x"]], [["exp", "x", [["x", 1]]]]])),
    SPREAD("an end outside of its bound", (*BOX, 1, 3, "5/4")),
    SPREAD("a box of another variable", ("proof", "box", "y", [None, None])),
]
