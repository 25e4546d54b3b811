"""A small certificate cannot keep the kernel busy: what would take long is rejected at once."""

import time
from typing import Any

import pytest
from kernel_language import ONE, add_up, claim, combination, interval
from kernel_rows import UNWRITTEN

from gaptron.kernel import Rejected, check
from gaptron.kernel.enclosures import LARGEST_BITS, LARGEST_ROOT, enclose, exp_bounds, root_bounds
from gaptron.kernel.polynomials import LARGEST, atom, constant, multiply, power
from gaptron.language.terms import Fraction
from gaptron.prove import rational_functions
from gaptron.prove.hints import written

NINES = "9" * 3999
TOO_LARGE = [
    ("a tower of powers of a number", "|- ((3**10000)**10000)**10000 >= 0", add_up(0)),
    ("a tower of powers in a box", "x >= 2; x <= 3 |- ((x**10000)**10000)**10000 >= 0", interval()),
    ("a tower of inverse powers", "x >= 2; x <= 3; x > 0 |- ((x**-10000)**10000)**10000 >= 0", interval()),
    ("a tower of powers that is inverted", "|- ((3**-10000)**10000)**10000 >= 0", add_up(0)),
    ("a tower of powers that is inverted, with a variable", "x > 0 |- (((3*x)**-10000)**10000)**10000 >= 0", add_up(1)),
    ("the inverse of a number with many digits", f"x > 0 |- ({NINES}*x)**-10000 >= 0", add_up(1)),
    ("the inverse of a sum with many digits", f"x > 0; 1 + x > 0 |- ({NINES} + {NINES}*x)**-10000 >= 0", add_up(1)),
    ("a power of a sum", "|- ((x + 1)**100)**100 >= 0", add_up(0)),
    ("a power of a long sum", "|- (a + b + c + d + e + f + g + h)**30 >= 0", add_up(0)),
    ("a power of a number with many digits", f"|- ({NINES})**10000 >= 0", add_up(0)),
    ("a power of a sum with many digits", f"|- (1 + {NINES}*x)**200 >= 0", add_up(0)),
    ("a root of high degree", "|- root(3**10000, 10000) >= 0", interval(1024)),
    ("a root of a number with many digits", f"|- root({NINES}/7, 9999) >= 0", interval(16)),
    ("a power of an exponential", "|- exp(16000)**10000 >= 0", interval()),
    ("a power of an exponential of an exponential", "|- exp(exp(9))**10000 >= 0", interval()),
    ("an exponential of a tower", "|- exp((9**9999)**9999) >= 0", interval()),
    ("a square in a product with many terms", "|- x <= x", combination(ONE, ("1", [0], "((x + 1)**100)**100"))),
]


@pytest.mark.few(5)
@pytest.mark.parametrize(("text", "proof"), [row[1:] for row in TOO_LARGE], ids=[row[0] for row in TOO_LARGE])
def test_what_would_take_long_is_rejected_at_once(text: str, proof: Any) -> None:
    start = time.process_time()
    with pytest.raises((Rejected, UNWRITTEN), match="too large"):
        check(claim(text), written(claim(text), proof))
    assert time.process_time() - start < 5


def straight(text: str) -> Any:
    """A combination of the negated conclusion alone, with the variables for atoms: no search has computed anything."""
    asked = claim(text)
    steps = {"table": 0, "steps": [*range(len(asked.given))], "against": []}
    proof = {"rule": "combination", **steps, "summands": [["1", [len(asked.given)]]], "equations": []}
    return {"terms": [], "tables": [[sorted(asked.names), []]], "proof": proof}


@pytest.mark.parametrize("text", [row[1] for row in TOO_LARGE if row[2]["rule"] == "combination"][:-1])
def test_the_kernel_rejects_at_once_what_no_search_has_looked_at(text: str) -> None:
    start = time.process_time()
    with pytest.raises(Rejected, match="too large"):
        check(claim(text), straight(text))
    assert time.process_time() - start < 5


def test_numbers_may_be_as_large_as_the_limits() -> None:
    two = constant(2)
    assert power(two, 131069) == constant(2**131069)
    with pytest.raises(Rejected, match="a power is too large"):
        power(two, 131070)
    assert rational_functions.quotient(("^", Fraction(1, 2), -9999)) == (constant(2**9999), {})


def test_a_power_has_no_negative_exponent() -> None:
    assert power(constant(2), 0) == constant(1)
    with pytest.raises(ValueError, match="invalid literal"):
        power(constant(2), -1)


@pytest.mark.slow
def test_sums_may_be_as_long_as_the_limits() -> None:
    long = {(number,): 1 for number in range(1, LARGEST // 100 + 1)}
    hundred = {(0, number): 1 for number in range(1, 101)}
    assert len(multiply(long, hundred)) == LARGEST == 100_000
    with pytest.raises(Rejected, match="a polynomial is too large"):
        multiply(long, hundred | atom(3))


def test_ends_may_be_as_large_as_the_limits() -> None:
    assert LARGEST_BITS == 1 << 18
    assert enclose(("^", "x", 1 << 17), {"x": (Fraction(0), Fraction(2))}, 16)[1] == Fraction(2) ** (1 << 17)
    assert enclose(("^", "x", 1 << 17), {"x": (Fraction(1, 2), Fraction(1))}, 16)[0] == Fraction(1, 2) ** (1 << 17)
    for ends in ((Fraction(0), Fraction(2)), (Fraction(1, 2), Fraction(1))):
        with pytest.raises(Rejected, match="a power is too large"):
            enclose(("^", "x", (1 << 17) + 1), {"x": ends}, 16)
    assert exp_bounds(Fraction(1 << 14), 16)[0] > 0


def test_roots_may_be_as_large_as_the_limits() -> None:
    degree = 101
    shift = 100  # 99 bits and a denominator of one
    fits = LARGEST_ROOT - degree * shift
    assert LARGEST_ROOT == 1 << 14
    low, high = root_bounds(Fraction((1 << fits) - 1), degree, 99)
    assert low < high
    with pytest.raises(Rejected, match="a root is too large"):
        root_bounds(Fraction(1 << fits), degree, 99)
