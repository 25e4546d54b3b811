"""Other things in the place of variables and terms: what the kernel must accept, and what it must reject and why."""

from kernel_language import ONE, add_up, both, combination, contradiction, fixed, generalize
from kernel_rows import BETWEEN, SUM, TRIVIAL, between, halfway, rows

ACCEPTED = [
    *rows(
        "fixed",
        ("between equal bounds", "x >= 2; x <= 2 |- exp(x) <= exp(2)", fixed("2", add_up(2))),
        ("bounds in another form", "4 <= 2*x; -x >= -2 |- x**2 == 4", fixed("2", both(add_up(2), add_up(2)))),
        ("what is fixed is no integer after it", "x >= 2; x <= 2 |- x <= 2 for integers x", fixed("2", add_up(2))),
        ("another integer stays", f"x >= 0; x <= 0 {BETWEEN} for integers K", fixed("0", between(2))),
        ("a strict bound, and nothing is there", "x > 2; x <= 2 |- 1 <= 0", fixed("2", contradiction(0))),
    ),
    *rows(
        "generalize",
        (
            "a logarithm",
            "log(K) >= 1 |- log(K)**2 >= 1",
            generalize("log(K)", combination(("1", [1]), ("1", [0, 0]), ("2", [0]))),
        ),
        ("everywhere it is written", "log(x) > 0 |- 1/log(x) > 0", generalize("log(x)", combination(("1", [1]), ONE))),
        ("a variable with the name of an operation", "exp > 0 |- exp(x) > 0", generalize("exp", add_up(1, 2))),
        ("a number that is an exponent", "|- x**2 >= 0", generalize("2", combination(("1", [0]), ("1", [], "x")))),
        ("a term that is not there", "x > 0 |- x >= 0", generalize("log(x)", add_up(0, 1))),
        (
            "an integer without the term stays",
            f"log(x) >= 0 {BETWEEN} for integers K",
            generalize("log(x)", between(1)),
        ),
    ),
]

REJECTED = [
    *rows(
        "fixed",
        ("only a lower bound", "x >= 2 |- x <= 2", fixed("2", TRIVIAL), "not bounded"),
        ("only an upper bound", "x <= 2 |- x >= 2", fixed("2", TRIVIAL), "not bounded"),
        ("bounds to two values", "x >= 1; x <= 2 |- x <= 1", fixed("1", TRIVIAL), "not bounded"),
        ("another value", "x >= 2; x <= 2 |- x <= 1", fixed("1", TRIVIAL), "not bounded"),
        ("bounds of another variable", "y >= 2; y <= 2 |- x <= 2", fixed("2", TRIVIAL), "not bounded"),
        ("a bound by a variable", "x >= y; x <= y |- x <= 2", fixed("2", TRIVIAL), "not bounded"),
        ("undefined at the value", "x >= 0; x <= 0 |- 1/x <= 1/x", fixed("0", add_up(2)), "not be nonzero"),
        ("the claim is false there", "x >= 2; x <= 2 |- x <= 1", fixed("2", add_up(2)), SUM),
        (
            "what was fixed is no integer",
            "x >= 2; x <= 2 |- y <= 2 for integers x + y",
            fixed("2", between()),
            "integer",
        ),
    ),
    *rows(
        "generalize",
        ("what is known of the term is lost", "x > 0 |- exp(x) > 0", generalize("exp(x)", TRIVIAL), SUM),
        (
            "the conclusion may be undefined",
            "x >= 0 |- 0*log(x) <= 0",
            generalize("log(x)", TRIVIAL),
            "not be positive",
        ),
        ("a name that is there", "u >= 1; x > 0 |- log(x) >= 1", generalize("log(x)", add_up(0, 1)), "not new"),
        ("a name among the integers", "x > 0 |- exp(x) > 0 for integers u", generalize("exp(x)", TRIVIAL), "not new"),
        (
            "an integer with the term",
            "|- exp(x) != 1/2 for integers exp(x)",
            generalize("exp(x)", halfway("u", "0")),
            "not given",
        ),
    ),
]
