"""Tables: what they say of terms is so, and what evidence says of signs and of what is defined."""

import random
from fractions import Fraction

import flint
import pytest
from kernel_language import claim, term
from test_kernel_enclosures import ball, evaluated, precision, random_term

from gaptron.kernel import Rejected
from gaptron.kernel.evidence import Evidence
from gaptron.kernel.polynomials import Polynomial, add, constant, inverse, monic, multiply, product, same, times, total
from gaptron.kernel.sharing import Shared
from gaptron.kernel.tables import Table
from gaptron.language.terms import Term, read_term
from gaptron.prove.hints.steps import TableWriter

X: Polynomial = {(1,): 1}
Y: Polynomial = {(0, 1): 1}


def value(polynomial: Polynomial, atoms: list[flint.arb]) -> flint.arb:
    """The value of a polynomial."""
    found = flint.arb(0)
    for monomial, coefficient in polynomial.items():
        part = ball(Fraction(coefficient))
        for atom, exponent in zip(atoms, monomial, strict=False):
            part = part * atom**exponent
        found = found + part
    return found


def is_as_the_table_says(asked: Term, writer: TableWriter, point: dict[str, flint.arb]) -> bool:
    """Whether the term is certainly defined there, and then has the value of its quotient."""
    expected = evaluated(asked, point)
    atoms = [evaluated(atom, point) for atom in writer.table.atoms]
    found = writer.table.quotient(asked)
    assert found is not None
    if expected is None or None in atoms:
        return False
    below = flint.arb(1)
    for factor, exponent in found[1].items():
        below = below * value(dict(factor), atoms) ** exponent
    if below.contains(0):
        return False
    assert (value(found[0], atoms) / below).overlaps(expected), (asked, point)
    return True


def test_terms_are_what_tables_say() -> None:
    generator, count, hints = random.Random(5), 0, 0
    with precision(600):
        for _ in range(700):
            asked, writer = random_term(generator, generator.randint(1, 4)), TableWriter()
            try:
                writer.add(asked)
                writer.table.quotient(asked)
            except (Rejected, OverflowError):
                continue
            point = {name: ball(Fraction(generator.randint(-9, 9), generator.randint(1, 4))) for name in "xy"}
            seen = is_as_the_table_says(asked, writer, point)
            count, hints = count + seen, hints + (seen and bool(writer.hints))
    assert count > 200
    assert hints > 40


def test_monomials_have_no_zeros_at_their_end() -> None:
    assert times((1, 2), (0, 0, 3)) == times((0, 0, 3), (1, 2)) == (1, 2, 3)
    assert times((), (0, 1)) == (0, 1)
    assert max(add(X, Y)) == (1,)


def test_what_leads_is_the_first_atom() -> None:
    assert monic({(1,): 2, (0, 3): 6}) == ((((0, 3), 3), ((1,), 1)), 2)
    assert monic({}) == ((), 0)


def test_the_inverse_of_a_number_has_no_denominator() -> None:
    assert inverse((constant(4), {})) == ({(): Fraction(1, 4)}, {})
    factor = (((1,), 1),)
    assert inverse(({(1,): 2}, {})) == ({(): Fraction(1, 2)}, {factor: 1})
    assert inverse((constant(1), {factor: 2})) == (multiply(X, X), {})
    assert inverse(({}, {})) == (constant(1), {(): 1})


def test_a_sum_has_the_least_common_denominator_and_nothing_is_cancelled() -> None:
    one_over_x, one_over_x_y = inverse((X, {})), product(inverse((X, {})), inverse((Y, {})))
    above, below = total(one_over_x, one_over_x_y)
    assert above == add(Y, constant(1))
    assert sorted(below.values()) == [1, 1]
    uncancelled = product((X, {}), one_over_x)
    assert uncancelled == (X, {(((1,), 1),): 1})
    assert same(uncancelled, (constant(1), {}))
    assert not same(uncancelled, (X, {}))


def evidence(given: str) -> Evidence:
    """What all hypotheses say, with x and y for atoms."""
    relations = claim(f"{given} |- 0 <= 1").given
    return Evidence(relations, Shared(), Table(["x", "y"]), [*range(len(relations))])


DEFINED = [
    ("x > 0", "log(x)", True),
    ("x >= 0", "log(x)", False),
    ("x >= 0", "root(x, 2)", True),
    ("", "root(x**2, 2)", True),
    ("", "root(x, 2)", False),
    ("x != 0", "1/x", True),
    ("x < 0", "1/x", True),
    ("x >= 0", "1/x", False),
    ("x == 1", "1/x", False),
    ("", "1/exp(x)", True),
    ("", "log(exp(x))", True),
    ("x < 0; y < 0", "log(x*y)", True),
    ("x < 0; y > 0", "log(x*y)", False),
    ("x != 0", "log(x**2)", True),
    ("x != 0", "log(x**3)", False),
    ("x > 0", "log(1/x)", True),
    ("x < 0", "log(-1/x)", True),
    ("x < 0", "log(1/x)", False),
    ("1/x > 0", "1/x", True),
    ("1/x <= 5", "1/x", True),
    ("log(x) <= 5", "1/x", True),
    ("log(x) <= 5", "log(x)", True),
    ("root(x, 2) <= 5", "root(x, 3)", True),
    ("1/(x*y) <= 5", "1/y", True),
    ("x > 1", "log(x - 1)", True),
    ("2*x > 2", "log(x - 1)", True),
    ("x > 1", "log(1 - x)", False),
    ("x > 0; y > 0", "log(x + y)", True),
    ("x > 0; y >= 0", "log(x + y)", False),
    ("x >= 0; y >= 0", "root(x*y, 2)", True),
    ("x >= 0; y >= 0", "root(x + y, 2)", True),
    ("x >= 0", "root(x**3, 2)", True),
    ("", "root(2, 2)", True),
    ("", "root(-2, 2)", False),
    ("", "log(2)", True),
    ("", "log(0)", False),
    ("", "1/0", False),
    ("", "1/(x - x)", False),
]


@pytest.mark.parametrize(("given", "asked", "defined"), DEFINED)
def test_what_is_defined(given: str, asked: str, defined: bool) -> None:
    relations = claim(f"{given} |- 0 <= 1").given
    table = Table(["x", "y", *(("log", "x"), ("exp", "x"), ("root", "x", 2))])
    found = Evidence(relations, Shared(), table, [*range(len(relations))]).missing(read_term(term(asked)))
    assert (found is None) is defined


@pytest.mark.parametrize(
    ("given", "text", "sign"),
    [
        ("x > 0", "x", 1),
        ("x < 0", "x", -1),
        ("x < 0", "-2*x", 1),
        ("x >= 0", "x", 0),
        ("x != 0", "x", 0),
        ("", "3", 1),
        ("", "-3", -1),
        ("", "0", 0),
        ("x > y", "x - y", 1),
        ("x > y", "2*y - 2*x", -1),
        ("1/x > 0", "x", 1),
    ],
)
def test_the_sign_of_a_polynomial_is(given: str, text: str, sign: int) -> None:
    known = evidence(given)
    assert known.sign(known.polynomial(term(text))) == sign
