"""Claims that are split at a number: what the kernel must accept, and what it must reject and why."""

from kernel_language import DIRECT, ONE, add_up, apart, both, cases, combination, integer, lemma, move, weaken
from kernel_rows import BETWEEN, POSITIVE, SUM, TRIVIAL, between, halfway, rows

SQUARE = combination(("1", [0, 0]), ("1", [1]))
SPENT = (("1", [1]), ("1/2", []))  # K <= 5/2, and what is left of K >= 3

ACCEPTED = [
    *rows(
        "cases",
        ("a split with a denominator", "x > 0 |- 0 <= 1", cases("1/x", DIRECT, DIRECT)),
        ("a square on both sides of zero", "|- x**2 >= 0", cases("x", SQUARE, SQUARE)),
        (
            "a root that is defined",
            "x >= 0 |- x >= 0",
            cases("root(x, 2)", combination(("1", [0]), ("1", [4])), combination(("1", [0]), ("1", [4]))),
        ),
    ),
    *rows(
        "integer",
        ("nothing lies between 2 and 3", "|- (K - 2)*(K - 3) >= 0 for integers K", between()),
        ("a term that is listed", "x >= 0 |- 2*x != 1/2 for integers y; 2*x", halfway("2*x", "0", 1)),
        ("a square that is listed", "|- x**2 != 1/2 for integers x**2", halfway("x**2", "0")),
        ("a sum with a power of 0", "|- x**0 + y != 1/2 for integers x**0 + y", halfway("x**0 + y", "0")),
        ("below zero", "|- K != -1/2 for integers K", halfway("K", "-1")),
        ("after a lemma", f"{BETWEEN} for integers K", lemma("0 <= 1", DIRECT, between(1))),
        ("in the proof of a lemma", f"{BETWEEN} for integers K", lemma(BETWEEN[3:], between(), add_up(0, 1))),
        ("in both cases", f"{BETWEEN} for integers K", cases("x", between(1), between(1))),
        ("after fewer hypotheses", f"x >= 0 {BETWEEN} for integers K", weaken([], between())),
        (
            "twice, in both halves of an equation",
            "K >= 2; K <= 5/2 |- K == 2 for integers K",
            both(integer("K", "2", add_up(2, 3), combination(*SPENT, ("1", [2]))), add_up(0, 2)),
        ),
        (
            "for the slope and the end of a move of another variable",
            "x >= 0 |- (K - 2)*(K - 3)*(x + 1) >= 0 for integers x; K",
            move("down", between(1), between()),
        ),
        (
            "for a fact along the way",
            "x >= 0 |- (K - 2)*(K - 3)*x >= 0 for integers K",
            move("down", add_up(1, 2), TRIVIAL, facts=[(BETWEEN[3:], between(1))]),
        ),
    ),
]

REJECTED = [
    *rows(
        "cases",
        ("one side is false", "|- x >= 0", cases("x", add_up(0, 1), add_up(0, 1)), SUM),
        ("the sides are swapped", "|- x**3 - x**2*x + x <= 0", cases("x", add_up(0, 1), add_up(0, 1)), SUM),
        ("below is not strict", "x >= 0 |- x >= 0", cases("x", add_up(0, 1), add_up(0, 2)), POSITIVE),
        ("above is not strict", "x <= 0 |- x <= 0", cases("x", add_up(0, 2), add_up(0, 1)), POSITIVE),
        ("a logarithm that may be undefined", "|- 0 <= 1", cases("log(x)", DIRECT, DIRECT), "may not be positive"),
        ("an undefined term times zero", "|- 0 <= 1", cases("0*log(x)", DIRECT, DIRECT), "may not be positive"),
        ("a root that may be undefined", "|- 0 <= 1", cases("root(x, 2)", DIRECT, DIRECT), "may not be nonnegative"),
        ("a quotient that cancels to 1", "|- 0 <= 1", cases("x/x", DIRECT, DIRECT), "may not be nonzero"),
        (
            "the split is not strict",
            "|- x != 0",
            cases("x", apart("<", add_up(0, 1)), apart(">", add_up(0, 1))),
            POSITIVE,
        ),
    ),
    *rows(
        "integer",
        ("there are no integers", BETWEEN, between(), "not given as an integer"),
        ("another term is an integer", f"{BETWEEN} for integers x; 2*K", between(), "not given as an integer"),
        ("the term is listed in another form", f"{BETWEEN} for integers K + 0", between(), "not given as an integer"),
        ("a hypothesis is no integer", "K >= 2; K <= 3 |- K <= 2", integer("K", "2", DIRECT, DIRECT), "not given"),
        ("not an integer", "|- K != 2 for integers K", integer("K", "3/2", DIRECT, DIRECT), "3/2 is not an integer"),
        ("3 is between 2 and 4", "|- (K - 2)*(K - 4) >= 0 for integers K", between(width="2"), SUM),
        (
            "n itself",
            "|- K != 2 for integers K",
            integer("K", "2", apart("<", add_up(0, 1)), apart(">", combination(("1", [0]), ("1", [1]), ONE))),
            POSITIVE,
        ),
        (
            "n + 1 itself",
            "|- K != 3 for integers K",
            integer("K", "2", apart("<", combination(("1", [0]), ("1", [1]), ONE)), apart(">", add_up(0, 1))),
            POSITIVE,
        ),
        ("only one side", "|- K <= 2 for integers K", integer("K", "2", add_up(0, 1), add_up(0, 1)), SUM),
        ("only the other side", "|- K >= 3 for integers K", integer("K", "2", add_up(0, 1), add_up(0, 1)), SUM),
        (
            "a variable that moves is no integer on the way",
            "x >= 1; x <= 2 |- 2*x**3 - 9*x**2 + 12*x <= 4 for integers x",
            move("up", integer("x", "1", DIRECT, DIRECT), DIRECT),
            "not given as an integer",
        ),
    ),
]
