"""Variables that move to a bound: what the kernel must accept, and what it must reject and why."""

from kernel_language import DIRECT, ONE, add_up, combination, contradiction, interval, lemma, move
from kernel_rows import POSITIVE, SUM, TRIVIAL, rows

SQUARED_GAP = combination(("1", [0, 0]), ("1", [1]))
CROSSING = "x + 0*x**-1 + 0*x**-2 <= 1 |- -1/x <= 0"
ABSOLUTE = "y >= 1/2; y <= 3; x <= log(y - 1); x <= 5 |- x <= -1/2"
ABSOLUTE_PROOF = move(
    "up", DIRECT, DIRECT, lemma("log(1 - y) <= -1/2", DIRECT, combination(("1", [2]), ("1", [3]), ("11/2", [])))
)

ACCEPTED = [
    *rows(
        "move",
        ("up", "x >= 0; x <= 1 |- x**2 <= 1", move("up", combination(("2", [0]), ("1", [2])), add_up(1))),
        ("down", "x >= 1 |- x**2 >= 1", move("down", combination(("2", [0]), ("1", [1]), ("2", [])), TRIVIAL)),
        (
            "what has not the variable holds on the way",
            "x <= 1; x >= -1; y >= 0 |- x*y <= y",
            move("up", add_up(2, 3), combination(("1", [2]))),
        ),
        ("a strict bound", "x < 1 |- x <= 1", move("up", combination(("1", [1]), ONE), TRIVIAL)),
        (
            "two bounds, of which the nearest counts",
            "x <= y; x <= z; y + z <= 2 |- 2*x <= 2",
            move("up", combination(("1", [3]), ("2", [])), add_up(0, 1, 2), add_up(0, 1, 2)),
        ),
        (
            "the bounds on the other side hold at the end",
            "x >= y; x <= z |- x - x <= z - y",
            move("up", add_up(2), add_up(0, 1)),
        ),
        (
            "a fact along the way",
            "x >= 1; x <= 2 |- 1/x >= 1/2",
            move(
                "up",
                combination(("1", [3]), ONE),
                lemma("1 <= 2", combination(("1", [1]), ONE), interval()),
                facts=[("x > 0", combination(("1", [0]), ("1", [2]), ONE))],
            ),
        ),
        ("a cube root", "x > 0; x <= 8 |- root(x, 3) <= 2", move("up", DIRECT, DIRECT)),
        (
            "a bound with a pole in another variable",
            "x <= 1 + 0/y; y > 0 |- x <= 1",
            move("up", combination(("1", [2]), ONE), add_up(1)),
        ),
        (
            "a logarithm",
            "x >= 1 |- log(x) >= 0",
            move(
                "down",
                combination(("1", [2]), ONE),
                DIRECT,
                facts=[("x > 0", combination(("1", [0]), ("1", [1]), ONE))],
            ),
        ),
    ),
]

REJECTED = [
    *rows(
        "move",
        (
            "the direction is swapped",
            "x >= 0; x <= 1 |- x**2 <= 1",
            move("down", combination(("2", [0]), ("1", [2])), add_up(0, 1)),
            SUM,
        ),
        ("no such direction", "x <= 1 |- x <= 1", move("left", DIRECT, DIRECT), "up or down"),
        ("no bound on that side", "x >= 0 |- -x <= 1", move("up", DIRECT), "no bound"),
        ("no bound at all", "|- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        ("an equation is no bound", "x == 1 |- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        (
            "a bound with a slope that is not rational",
            "y > 0; x*y <= 1 |- x <= 5",
            move("up", DIRECT, DIRECT),
            "no bound",
        ),
        ("a bound that is not linear", "x**2 <= 1 |- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        ("a bound with a denominator", "y > 0; x/y <= 1 |- x <= 5", move("up", DIRECT, DIRECT), "no bound"),
        ("a bound that is hidden in an atom", "x + exp(x) <= 1 |- x <= 5", move("up", DIRECT, DIRECT), "no bound"),
        ("no end", "x <= 1 |- x <= 1", move("up", DIRECT), "one end for every bound"),
        (
            "lower bounds that are equal",
            "x >= y; x >= z |- (y - z)**2 > 0",
            move("down", combination(("1", [2])), SQUARED_GAP, SQUARED_GAP),
            POSITIVE,
        ),
        (
            "upper bounds that are equal",
            "x <= y; x <= z |- (y - z)**2 > 0",
            move("up", combination(("1", [2])), SQUARED_GAP, SQUARED_GAP),
            POSITIVE,
        ),
        (
            "bounds on both sides that are equal, going down",
            "x >= 0; x <= 0 |- x > 0",
            move("down", DIRECT, contradiction(0)),
            "is impossible",
        ),
        (
            "bounds on both sides that are equal, going up",
            "x >= 0; x <= 0 |- x < 0",
            move("up", DIRECT, contradiction(0)),
            "is impossible",
        ),
        (
            "one of two ends is missing",
            "x <= y; x <= z; y <= 1 |- x <= 1",
            move("up", DIRECT, add_up(0, 2)),
            "one end for",
        ),
        (
            "the end, were the bound on the other side beyond it",
            "x >= 0; x <= 1 |- x >= 1/2",
            move("down", DIRECT, contradiction(0)),
            "is impossible",
        ),
        (
            "the end, were the bound on the other side beyond it, going up",
            "x >= 0; x <= 1 |- x <= 1/2",
            move("up", DIRECT, contradiction(0)),
            "is impossible",
        ),
        (
            "the other end is false",
            "x <= y; x <= z; y <= 1 |- y + z - x <= 1",
            move("down", DIRECT, DIRECT),
            "no bound",
        ),
        ("an end too many", "x <= 1 |- x <= 1", move("up", DIRECT, DIRECT, DIRECT), "one end for every bound"),
        ("the end is not below zero", "x <= 1 |- x <= 1/2", move("up", DIRECT, DIRECT), "one side of zero"),
        (
            "the end is only zero and the conclusion strict",
            "x <= 1 |- x < 1",
            move("up", DIRECT, DIRECT),
            "one side of zero",
        ),
        (
            "the slope has the wrong sign somewhere",
            "x >= -1; x <= 1 |- -x**2 <= -1",
            move("up", combination(("2", [0]), ("1", [2])), add_up(1)),
            SUM,
        ),
        (
            "the slope needs a hypothesis that does not hold on the way",
            "x >= -2; x <= 1; x**3 >= 0 |- x**2 <= 1",
            move("up", lemma("x >= 0", combination(("1", [2]), ("1", [3])), DIRECT), add_up(0, 1)),
            "no fact 3|" + SUM,
        ),
        (
            "the end needs a hypothesis on the variable",
            "x <= 1; x**2 >= 4 |- x <= -2",
            move("up", DIRECT, add_up(0, 1)),
            "no fact 1|" + SUM,
        ),
        (
            "a pole between: x != 0 does not hold on the way",
            "x >= -1; x <= 1; x != 0 |- -1/x <= 0",
            move("up", DIRECT, DIRECT),
            "may not be nonzero",
        ),
        (
            "a pole that a bound's relation hides",
            CROSSING,
            move("up", combination(("1", [1]), ONE), combination(("1", [0]), ONE)),
        ),
        (
            "a logarithm that a bound's relation hides",
            "x + 0*log(x) <= 1 |- x <= 1",
            move("up", DIRECT, DIRECT),
            "no bound",
        ),
        (
            "a root that a bound's relation hides",
            "x + 0*root(x, 2) >= 1 |- x >= 1",
            move("down", DIRECT, DIRECT),
            "no bound",
        ),
        ("a pole on the right side of a bound", "1 >= x + 0/(x - 1) |- x <= 1", move("up", DIRECT, DIRECT), "no bound"),
        ("log(abs(y - 1)) in the bound", ABSOLUTE, ABSOLUTE_PROOF),
        (
            "the conclusion is not defined on the way",
            "x <= 1 |- 1/x <= 1",
            move("up", DIRECT, DIRECT),
            "may not be nonzero",
        ),
        (
            "an undefined part without a slope",
            "x <= 1 |- x + 0*log(x) <= 1",
            move("up", DIRECT, DIRECT),
            "may not be positive",
        ),
        (
            "the conclusion is not defined at the end",
            "x > 0 |- 0*log(x) - x <= 0",
            move("down", interval(), combination(("1", [0]))),
            "not be positive",
        ),
        (
            "a fact that is not true on the way",
            "x >= 0; x <= 1 |- x <= 1",
            move("up", DIRECT, DIRECT, facts=[("x >= 1", add_up(0, 2))]),
            SUM,
        ),
        (
            "a fact proved from itself",
            "x >= 0; x <= 1 |- x <= 1",
            move("up", DIRECT, DIRECT, facts=[("x >= 1", add_up(2, 3))]),
            "no fact 3",
        ),
        (
            "a fact proved from a hypothesis that does not hold on the way",
            "x <= 1; x**2 >= 4 |- x <= 1",
            move("up", DIRECT, DIRECT, facts=[("x**2 >= 4", add_up(1, 2))]),
            "no fact 2",
        ),
        (
            "the slope is infinite at a root of zero",
            "x >= 0; x <= 1 |- root(x, 2) <= 1",
            move("up", add_up(0), DIRECT),
            "root may be zero",
        ),
        (
            "no fact says that the argument of a logarithm is not zero, although its parts are positive",
            "x <= 1 |- x + log(exp(y) + 1) <= 1 + log(exp(y) + 1)",
            move("up", DIRECT, DIRECT),
            "may not be nonzero",
        ),
        ("the variable is no name", "x <= 1 |- x <= 1", move("up", DIRECT, DIRECT, variable="1"), "not a name"),
    ),
]
