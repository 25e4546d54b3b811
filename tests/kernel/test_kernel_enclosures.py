"""The kernel's arithmetic against ball arithmetic (python-flint) at high precision, and against exact fractions."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import inf
from typing import Any

import flint
import pytest

from gaptron.kernel import Rejected
from gaptron.kernel.enclosures import (
    EVERYTHING,
    End,
    Interval,
    enclose,
    exp_bounds,
    integer_root,
    log_bounds,
    power,
    product,
    reciprocal,
    require_smooth_on,
    root_bounds,
    rounded,
)
from gaptron.language.terms import Term, derivative, from_text, names, substitute, subterms, text
from gaptron.prove.rational_functions import Polynomial, canonical, polynomial_term, quotient, rational_value

PRECISION = 2000
BITS = (16, 24, 53, 128)
X, Y = "x", "y"


@contextmanager
def precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def ball(value: End) -> flint.arb:
    if isinstance(value, float):
        return flint.arb.pos_inf() if value > 0 else flint.arb.neg_inf()
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def is_between(value: flint.arb, ends: Interval) -> bool:
    """Whether the value lies between the ends, as certainly as its ball tells."""
    return not (value < ball(ends[0]) or value > ball(ends[1]))


def is_strictly_known(value: flint.arb, ends: Interval) -> bool:
    """Whether the value certainly lies between the ends."""
    return bool(ball(ends[0]) <= value) and bool(value <= ball(ends[1]))


def rationals(seed: int, count: int) -> list[Fraction]:
    """Positive rationals: moderate, tiny, huge, near 1, and exact powers of 2."""
    generator = random.Random(seed)
    found = [Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3), Fraction(4, 3), Fraction(2, 3)]
    while len(found) < count:
        small, large = generator.randint(1, 99), generator.randint(1, 10**18)
        found += [
            Fraction(small, generator.randint(1, 99)),
            Fraction(large, generator.randint(1, 10**18)),
            Fraction(small, 10 ** generator.randint(1, 60)),
            Fraction(small * 10 ** generator.randint(1, 60)),
            1 + Fraction(small, 10 ** generator.randint(3, 40)),
            1 - Fraction(small, 10 ** generator.randint(3, 40)),
            Fraction(2) ** generator.randint(-80, 80),
            Fraction(2) ** generator.randint(-80, 80) * (1 + Fraction(1, large)),
            Fraction(2) ** generator.randint(-80, 80) * (1 - Fraction(1, 1 + large)),
            Fraction(small) ** generator.randint(-9, 9),
        ]
    return found[:count]


@pytest.mark.few(1)
@pytest.mark.parametrize("bits", BITS)
def test_logarithms_lie_between_their_bounds_which_are_close(bits: int) -> None:
    with precision(PRECISION):
        for value in rationals(bits, 500):
            low, high = log_bounds(value, bits)
            assert is_strictly_known(ball(value).log(), (low, high)), value
            assert high - low <= Fraction(1, 1 << (bits - 2)), value
    assert log_bounds(Fraction(1), bits) == (0, 0)


@pytest.mark.parametrize("bits", BITS)
def test_exponentials_lie_between_their_bounds_which_are_close(bits: int) -> None:
    with precision(PRECISION):
        for value in rationals(bits + 1, 500):
            for exponent in (value, -value):
                if value > 2000:
                    continue
                low, high = exp_bounds(exponent, bits)
                assert low > 0
                assert is_strictly_known(ball(exponent).exp(), (low, high)), exponent
                assert high - low <= low / (1 << (bits - 2)), exponent
    assert exp_bounds(Fraction(0), bits)[0] <= 1 <= exp_bounds(Fraction(0), bits)[1]


def test_exponentials_that_are_too_large_are_rejected() -> None:
    with precision(PRECISION * 20):
        for exponent in (Fraction(16384), Fraction(-16384)):
            assert is_strictly_known(ball(exponent).exp(), exp_bounds(exponent, 32))
    for exponent in (Fraction(16385), Fraction(-16385), Fraction(10) ** 400):
        with pytest.raises(Rejected, match="too large"):
            exp_bounds(exponent, 32)


@pytest.mark.few(1)
@pytest.mark.parametrize("bits", BITS)
def test_roots_lie_between_their_bounds_which_are_close(bits: int) -> None:
    for number, value in enumerate([Fraction(0), *rationals(bits + 2, 500)]):
        degree = 2 + number % 6
        low, high = root_bounds(value, degree, bits)
        assert 0 <= low**degree <= value <= high**degree
        assert high - low <= Fraction(1, 1 << bits)
        whole = Fraction(value.numerator)
        assert root_bounds(whole**degree, degree, bits) == (whole, whole)


def test_integer_roots_are_exact() -> None:
    generator = random.Random(7)
    for value in [*range(200), *(generator.randint(0, 10 ** generator.randint(1, 80)) for _ in range(500))]:
        for degree in (2, 3, 5, 11):
            found = integer_root(value, degree)
            assert found**degree <= value < (found + 1) ** degree


@pytest.mark.parametrize("bits", BITS)
def test_rounding_is_outward_and_to_few_bits(bits: int) -> None:
    for value in rationals(bits + 3, 300):
        for low, high in ((value, value), (-value, value), (-value, -value)):
            found = rounded((low, high), bits)
            assert isinstance(found[0], Fraction)
            assert isinstance(found[1], Fraction)
            assert low - value / (1 << (bits - 2)) <= found[0] <= low
            assert high <= found[1] <= high + value / (1 << (bits - 2))
            for end in found:
                odd = abs(end.numerator) // (end.numerator & -end.numerator)
                assert odd.bit_length() <= bits + 1
    assert rounded((-inf, inf), bits) == (-inf, inf)


F = Fraction
ENDS = [
    ("a product of signs", lambda: product((F(-2), F(3)), (F(-5), F(7))), (F(-15), F(21))),
    ("a product with infinity", lambda: product((F(-1), F(2)), (F(1), inf)), (-inf, inf)),
    ("a product of zero and infinity", lambda: product((F(0), F(0)), (-inf, inf)), (F(0), F(0))),
    ("a product that begins at zero", lambda: product((F(0), F(1)), (F(0), inf)), (F(0), inf)),
    ("a product of negative infinities", lambda: product((-inf, F(-1)), (-inf, F(-2))), (F(2), inf)),
    ("a product of infinities of two signs", lambda: product((-inf, F(-1)), (F(2), inf)), (-inf, F(-2))),
    ("an even power across zero", lambda: power((F(-3), F(2)), 2), (F(0), F(9))),
    ("an even power at zero", lambda: power((F(-3), F(0)), 2), (F(0), F(9))),
    ("an even power below zero", lambda: power((F(-3), F(-2)), 2), (F(4), F(9))),
    ("an even power of everything", lambda: power(EVERYTHING, 2), (F(0), inf)),
    ("an even power from minus infinity", lambda: power((-inf, F(-2)), 4), (F(16), inf)),
    ("an odd power across zero", lambda: power((F(-3), F(2)), 3), (F(-27), F(8))),
    ("an odd power of everything", lambda: power(EVERYTHING, 3), EVERYTHING),
    ("the power one", lambda: power((F(-3), F(2)), 1), (F(-3), F(2))),
    ("the power zero of what has no end", lambda: power((F(1), inf), 0), (F(1), F(1))),
    ("the power zero of everything", lambda: power(EVERYTHING, 0), (F(0), F(1))),
    ("a negative even power across zero", lambda: power((F(-2), F(1)), -2), (F(1, 4), inf)),
    ("a negative odd power below zero", lambda: power((F(-2), F(-1)), -3), (F(-1), F(-1, 8))),
    ("a negative power with an end at zero", lambda: power((F(0), F(2)), -1), (F(1, 2), inf)),
    ("a huge number times infinity", lambda: product((F(10**400), F(10**401)), (F(1), inf)), (F(10**400), inf)),
    ("a reciprocal with zero as its upper end", lambda: reciprocal((F(-2), F(0))), (-inf, F(-1, 2))),
    ("a reciprocal with zero as its lower end", lambda: reciprocal((F(0), F(2))), (F(1, 2), inf)),
    ("a reciprocal to infinity", lambda: reciprocal((F(2), inf)), (F(0), F(1, 2))),
    ("a reciprocal from minus infinity", lambda: reciprocal((-inf, F(-2))), (F(-1, 2), F(0))),
    ("a reciprocal of the positive numbers", lambda: reciprocal((F(0), inf)), (F(0), inf)),
    ("a reciprocal of the negative numbers", lambda: reciprocal((-inf, F(0))), (-inf, F(0))),
    ("an unknown variable", lambda: enclose(X, {}, 32), EVERYTHING),
    ("a sum with infinity", lambda: enclose(("+", X, F(-1)), {X: (F(2), inf)}, 32), (F(1), inf)),
    ("a sum of two infinities", lambda: enclose(("+", X, Y), {X: (-inf, F(1)), Y: (-inf, F(2))}, 32), (-inf, F(3))),
    ("a logarithm from zero", lambda: enclose(("log", X), {X: (F(0), F(1))}, 32), (-inf, F(0))),
    ("a logarithm from below zero", lambda: enclose(("log", X), {X: (F(-5), F(1))}, 32), (-inf, F(0))),
    ("a logarithm of everything", lambda: enclose(("log", X), {}, 32), EVERYTHING),
    ("a logarithm to infinity", lambda: enclose(("log", X), {X: (F(1), inf)}, 32), (F(0), inf)),
    ("a root from below zero", lambda: enclose(("root", X, 2), {X: (F(-5), F(9))}, 32), (F(0), F(3))),
    ("a root to infinity", lambda: enclose(("root", X, 2), {X: (F(4), inf)}, 32), (F(2), inf)),
    ("a root of zero", lambda: enclose(("root", X, 3), {X: (F(0), F(0))}, 32), (F(0), F(0))),
    ("a root of everything", lambda: enclose(("root", X, 3), {}, 32), (F(0), inf)),
    ("an exponential of everything", lambda: enclose(("exp", X), {}, 32), (F(0), inf)),
    ("zero times everything", lambda: enclose(("*", F(0), X), {}, 32), (F(0), F(0))),
    ("a product of three", lambda: enclose(("*", X, X, F(2)), {X: (F(-1), F(2))}, 32), (F(-4), F(8))),
]


@pytest.mark.parametrize(("found", "expected"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_the_ends_are(found: Callable[[], Interval], expected: Interval) -> None:
    assert found() == expected
    assert all(isinstance(end, Fraction) or end in (-inf, inf) for end in found())


def test_the_power_zero_is_one_even_of_zero() -> None:
    for base in (EVERYTHING, (F(0), F(0)), (F(-3), F(2)), (F(1), inf)):
        low, high = power(base, 0)
        assert low <= 1 <= high
    assert power((F(2), F(3)), 0) == (1, 1)


@pytest.mark.parametrize(
    ("term", "box"),
    [
        (("^", X, -1), {X: (F(-1), F(1))}),
        (("^", X, -3), {}),
        (("^", X, -1), {X: (F(0), F(0))}),
        (("^", X, -2), {X: (F(0), F(0))}),
        (("log", X), {X: (F(-1), F(0))}),
        (("log", X), {X: (-inf, F(-1))}),
        (("root", X, 2), {X: (F(-2), F(-1))}),
        (("root", X, 3), {X: (-inf, F(-1))}),
    ],
    ids=str,
)
def test_a_term_that_has_no_enclosure_is_rejected(term: Term, box: dict[str, Interval]) -> None:
    with pytest.raises(Rejected):
        enclose(term, box, 32)


@pytest.mark.parametrize(
    ("term", "box", "smooth"),
    [
        (("log", X), (F(1, 9), F(1)), True),
        (("log", X), (F(0), F(1)), False),
        (("log", X), (F(-1), F(1)), False),
        (("root", X, 2), (F(1, 9), F(1)), True),
        (("root", X, 2), (F(0), F(1)), False),
        (("root", X, 2), (F(-1), F(1)), False),
        (("^", X, -1), (F(1), F(2)), True),
        (("^", X, -1), (F(-2), F(-1)), True),
        (("^", X, -1), (F(0), F(1)), False),
        (("^", X, -1), (F(-1), F(0)), False),
        (("^", X, -2), (F(-1), F(1)), False),
        (("^", X, 0), (F(-1), F(1)), True),
        (("^", X, 3), (F(-1), F(1)), True),
        (("exp", X), (F(-1), F(1)), True),
        (("+", X, ("*", F(0), ("log", X))), (F(-1), F(1)), False),
        (("exp", ("^", X, -1)), (F(-1), F(1)), False),
    ],
    ids=str,
)
def test_a_term_is_smooth_on_a_whole_box(term: Term, box: Interval, smooth: bool) -> None:
    if smooth:
        require_smooth_on(term, {X: box}, 32)
    else:
        with pytest.raises(Rejected):
            require_smooth_on(term, {X: box}, 32)


def random_term(generator: random.Random, depth: int, kinds: str = "+*^relxyq") -> Term:
    """A term: r is a root, e an exponential, l a logarithm, q a rational."""
    kind = generator.choice(kinds if depth else "xyq")
    if kind in "xy":
        return kind
    if kind == "q":
        return Fraction(generator.randint(-6, 6), generator.randint(1, 4))
    first = random_term(generator, depth - 1, kinds)
    if kind in "+*":
        return (kind, first, *(random_term(generator, depth - 1, kinds) for _ in range(generator.randint(0, 2))))
    if kind == "^":
        return ("^", first, generator.choice([-3, -2, -1, -1, 0, 1, 2, 2, 3, 4]))
    return ("root", first, generator.randint(2, 4)) if kind == "r" else ("exp" if kind == "e" else "log", first)


def evaluated(term: Term, point: dict[str, Any]) -> Any:
    """The value where it is certainly defined, else None."""
    if isinstance(term, Fraction):
        return ball(term)
    if isinstance(term, str):
        return point[term]
    parts = [evaluated(part, point) for part in (term[1:2] if term[0] in ("^", "root") else term[1:])]
    if any(part is None for part in parts):
        return None
    total = parts[0]
    if term[0] in ("+", "*"):
        for part in parts[1:]:
            total = total + part if term[0] == "+" else total * part
        return total
    if term[0] == "^":
        return _power(total, term[2])
    if term[0] == "exp":
        return total.exp() if abs(total) < 5000 else None
    if term[0] == "log":
        return total.log() if total > 0 else None
    if total == 0:
        return flint.arb(0)
    return (total.log() / term[2]).exp() if total > 0 else None


def _power(base: flint.arb, exponent: int) -> flint.arb | None:
    if exponent == 0:
        return flint.arb(1)
    if exponent < 0 and base.contains(0):
        return None
    return base**exponent


def random_interval(generator: random.Random) -> Interval:
    ends = sorted(Fraction(generator.randint(-12, 12), generator.choice([1, 1, 2, 3])) for _ in range(2))
    low: End = -inf if generator.random() < 0.1 else ends[0]
    high: End = inf if generator.random() < 0.1 else ends[1]
    return (Fraction(0), high) if high > 0 and generator.random() < 0.2 else (low, high)


def random_point(generator: random.Random, interval: Interval) -> Fraction:
    """A rational of the interval, often one of its ends."""
    low, high = interval
    far = Fraction(10 ** generator.randint(0, 9))
    if isinstance(low, float):
        low = min(high, Fraction(0)) - far
    if isinstance(high, float):
        high = low + far
    assert isinstance(low, Fraction)
    return low + (high - low) * generator.choice([Fraction(0), Fraction(1), Fraction(generator.randint(0, 64), 64)])


def _contains(seed: int, terms: int) -> int:
    generator = random.Random(seed)
    count = 0
    with precision(400):
        for _ in range(terms):
            term = random_term(generator, generator.randint(1, 4))
            box = {name: random_interval(generator) for name in (X, Y)}
            bits = generator.choice((16, 32, 64))
            try:
                found = enclose(term, box, bits)
            except Rejected:
                found = None
            for _ in range(6):
                point = {name: random_point(generator, interval) for name, interval in box.items()}
                value = evaluated(term, {name: ball(end) for name, end in point.items()})
                if value is None or found is None:
                    continue
                assert is_between(value, found), (term, box, point)
                count += 1
    return count


def test_an_enclosure_contains_the_values_at_points_of_the_box() -> None:
    assert _contains(1, 2000) > 3000


@pytest.mark.slow
def test_many_enclosures_contain_the_values_at_points_of_the_box() -> None:
    assert _contains(2, 20_000) > 30_000


def test_an_enclosure_narrows_with_the_box_to_the_value() -> None:
    generator = random.Random(3)
    count = 0
    with precision(400):
        while count < 150:
            term = random_term(generator, 3)
            point = {name: Fraction(generator.randint(1, 40), 7) for name in (X, Y)}
            value = evaluated(term, {name: ball(end) for name, end in point.items()})
            if value is None or not abs(value) < 10**6 or not names(term):
                continue
            try:
                low, high = enclose(term, {name: (end, end) for name, end in point.items()}, 200)
            except Rejected:
                continue
            assert isinstance(low, Fraction)
            assert isinstance(high, Fraction)
            assert is_between(value, (low, high))
            assert high - low < Fraction(1, 10**20), term
            count += 1


def exact(term: Term, point: dict[str, Fraction]) -> Fraction | None:
    """The value of a rational term, None where it divides by zero."""
    if isinstance(term, Fraction):
        return term
    if isinstance(term, str):
        return point[term]
    parts = [exact(part, point) for part in (term[1:2] if term[0] == "^" else term[1:])]
    if any(part is None for part in parts):
        return None
    total = parts[0]
    assert total is not None
    if term[0] == "^":
        return None if term[2] < 0 and not total else total ** term[2]
    for part in parts[1:]:
        assert part is not None
        total = total + part if term[0] == "+" else total * part
    return total


def _exact_quotient(term: Term, point: dict[str, Fraction]) -> Fraction:
    numerator, denominators = quotient(term)
    top = exact(polynomial_term(numerator), point)
    assert top is not None
    for factor, exponent in denominators.items():
        below = exact(polynomial_term(dict(factor)), point)
        assert below
        top /= below**exponent
    return top


def test_quotients_of_rational_terms_have_the_terms_values() -> None:
    generator = random.Random(4)
    count = 0
    for _ in range(2500):
        term = random_term(generator, generator.randint(1, 4), "++**^^xyq")
        for _ in range(3):
            point = {name: Fraction(generator.randint(-5, 5), generator.randint(1, 3)) for name in (X, Y)}
            value = exact(term, point)
            if value is not None:
                assert _exact_quotient(term, point) == value, (term, point)
                assert exact(canonical(term), point) == value, (term, point)
                count += 1
    assert count > 5000


@pytest.mark.slow
def test_canonical_terms_are_defined_where_terms_are_and_have_their_values() -> None:
    generator = random.Random(5)
    count = 0
    with precision(400):
        for _ in range(2500):
            term = random_term(generator, generator.randint(1, 4))
            for _ in range(3):
                point = {name: ball(Fraction(generator.randint(-9, 9), generator.randint(1, 3))) for name in (X, Y)}
                value = evaluated(term, point)
                if value is None or not value.is_finite():
                    continue
                found = evaluated(canonical(term), point)
                assert found is not None, (term, point)
                assert found.overlaps(value), (term, point)
                count += abs(value) < 10**9 and found.rad() < 1e-30
    assert count > 2500


def test_canonical_terms_are_canonical() -> None:
    generator = random.Random(6)
    for _ in range(2500):
        term = random_term(generator, generator.randint(1, 4))
        try:
            once = canonical(term)
        except Rejected:
            continue
        assert canonical(once) == once, term
        for part in subterms(once):
            assert from_text(text(part)) == part


LOG, EXP = (lambda t: ("log", t)), (lambda t: ("exp", t))
EQUAL = [
    (LOG(F(4)), ("*", F(2), LOG(F(2)))),
    (LOG(F(6)), ("+", LOG(F(2)), LOG(F(3)))),
    (LOG(F(9, 8)), ("+", ("*", F(2), LOG(F(3))), ("*", F(-3), LOG(F(2))))),
    (LOG(F(1)), F(0)),
    (LOG(F(1, 2)), ("*", F(-1), LOG(F(2)))),
    (LOG(F(49)), ("*", F(2), LOG(F(7)))),
    (LOG(F(2**40 * 3**5)), ("+", ("*", F(40), LOG(F(2))), ("*", F(5), LOG(F(3))))),
    (LOG(("*", X, Y)), ("+", LOG(X), LOG(Y))),
    (LOG(("*", X, ("^", Y, -1))), ("+", LOG(X), ("*", F(-1), LOG(Y)))),
    (LOG(("*", F(3), ("^", X, 2))), ("+", LOG(F(3)), ("*", F(2), LOG(X)))),
    (LOG(EXP(X)), X),
    (LOG(("*", F(2), EXP(("*", F(-1), X)))), ("+", LOG(F(2)), ("*", F(-1), X))),
    (LOG(("+", ("*", F(2), X), F(2))), ("+", LOG(F(2)), LOG(("+", X, F(1))))),
    (LOG(("^", ("+", X, F(1)), -1)), ("*", F(-1), LOG(("+", X, F(1))))),
    (EXP(("+", X, Y)), ("*", EXP(X), EXP(Y))),
    (EXP(("*", F(2), X)), ("^", EXP(X), 2)),
    (EXP(("*", F(3, 2), X)), ("^", EXP(("*", F(1, 2), X)), 3)),
    (("*", EXP(X), EXP(("*", F(-1), X))), F(1)),
    (EXP(F(0)), F(1)),
    (EXP(("+", X, ("*", F(-1), X))), F(1)),
    (("^", X, 0), F(1)),
    (("*", X, ("^", X, -1)), F(1)),
    (("*", ("+", X, Y), ("^", ("+", Y, X), -1)), F(1)),
    (("*", ("+", X, Y), ("^", ("+", ("*", F(2), X), ("*", F(2), Y)), -1)), F(1, 2)),
    (("+", ("^", X, -1), ("^", Y, -1)), ("*", ("+", X, Y), ("^", X, -1), ("^", Y, -1))),
    (("root", ("+", X, X), 2), ("root", ("*", F(2), X), 2)),
    (("^", ("^", X, -1), -2), ("^", X, 2)),
]
DIFFERENT = [
    (LOG(F(2)), LOG(F(3))),
    (LOG(F(5)), ("*", F(2), LOG(F(2)))),
    (LOG(F(2)), F(0)),
    (LOG(("+", X, Y)), ("+", LOG(X), LOG(Y))),
    (LOG(("+", X, F(1))), LOG(X)),
    (EXP(LOG(X)), X),
    (EXP(("*", X, Y)), ("*", EXP(X), EXP(Y))),
    (EXP(X), EXP(("*", F(2), X))),
    (EXP(X), EXP(Y)),
    (EXP(X), ("^", EXP(("*", F(1, 2), X)), 3)),
    (EXP(F(1)), F(1)),
    (("root", F(4), 2), F(-2)),
    (("root", X, 2), ("root", X, 3)),
    (("root", ("^", X, 2), 2), X),
    (("root", X, 2), ("root", Y, 2)),
    (("^", X, -1), X),
    (X, Y),
]


def _difference(left: Term, right: Term) -> Polynomial:
    return quotient(("+", left, ("*", F(-1), right)))[0]


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=str)
def test_terms_that_are_equal_by_algebra(left: Term, right: Term) -> None:
    assert not _difference(left, right)
    assert canonical(left) == canonical(right)
    assert rational_value(("+", left, ("*", F(-1), right))) == 0


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=str)
def test_terms_that_are_not_equal(left: Term, right: Term) -> None:
    assert _difference(left, right)
    assert canonical(left) != canonical(right)


@pytest.mark.parametrize(
    "term",
    [LOG(F(0)), LOG(F(-1)), LOG(("+", X, ("*", F(-1), X))), ("^", F(0), -1), ("^", ("+", X, ("*", F(-1), X)), -2)],
    ids=str,
)
def test_a_term_that_is_undefined_by_algebra_is_rejected(term: Term) -> None:
    with pytest.raises(Rejected):
        quotient(term)


@pytest.mark.parametrize(
    "term",
    [
        LOG(("*", X, Y)),
        LOG(("*", X, ("^", Y, -1))),
        LOG(("*", ("+", X, F(-1)), ("^", ("+", Y, F(-1)), -1))),
        LOG(("*", F(-2), X)),
        LOG(("+", F(-1), ("*", F(-1), X))),
        LOG(("^", X, 2)),
        LOG(("^", X, -4)),
        ("root", LOG(("*", F(-9), X)), 2),
        EXP(LOG(("*", X, Y))),
    ],
    ids=str,
)
def test_logarithms_are_split_truly_where_factors_are_negative(term: Term) -> None:
    with precision(400):
        for x, y in ((F(-2), F(-3)), (F(-7, 2), F(-1, 5)), (F(-9), F(-8, 7))):
            point = {X: ball(x), Y: ball(y)}
            value, found = evaluated(term, point), evaluated(canonical(term), point)
            assert value.overlaps(found)
            assert value.rad() < 1e-60
            assert found.rad() < 1e-60


def test_logarithms_of_integers_are_split_truly() -> None:
    generator = random.Random(9)
    numbers = [*range(1, 300), 10007 * 10009, 10007**2, 2**9 * 10007, 9973**2, 9973 * 10007, 10**40 + 1]
    with precision(400):
        for number in [*numbers, *(generator.randint(1, 10**12) for _ in range(50))]:
            found = evaluated(canonical(LOG(F(number, 7))), {})
            assert found.overlaps(ball(F(number, 7)).log())
            assert found.rad() < 1e-60
    assert canonical(LOG(F(9973**2))) == ("*", F(2), LOG(F(9973)))


def in_series(term: Term, name: str, point: dict[str, Fraction]) -> flint.arb_series | None:
    """The term at point + h as a series in h, where it is certainly defined and its roots positive."""
    if isinstance(term, Fraction):
        return flint.arb_series([ball(term)], prec=2)
    if isinstance(term, str):
        return flint.arb_series([ball(point[term]), int(term == name)], prec=2)
    parts = [in_series(part, name, point) for part in (term[1:2] if term[0] in ("^", "root") else term[1:])]
    if any(part is None for part in parts):
        return None
    total = parts[0]
    assert total is not None
    if term[0] in ("+", "*"):
        for part in parts[1:]:
            total = total + part if term[0] == "+" else total * part
        return total
    if term[0] == "^":
        if term[2] < 0 and total[0].contains(0):
            return None
        found = flint.arb_series([1], prec=2)
        for _ in range(abs(term[2])):
            found = found * total
        return 1 / found if term[2] < 0 else found
    if term[0] == "exp":
        return total.exp() if abs(total[0]) < 5000 else None
    if not total[0] > 0:
        return None
    return total.log() if term[0] == "log" else (total.log() / term[2]).exp()


def test_derivatives_are_those_of_the_series() -> None:
    generator = random.Random(8)
    count = 0
    with precision(400):
        for _ in range(3000):
            term = random_term(generator, generator.randint(1, 4))
            point = {name: Fraction(generator.randint(-9, 9), generator.randint(1, 3)) for name in (X, Y)}
            series = in_series(term, X, point)
            if series is None or not series[1].is_finite():
                continue
            found = evaluated(derivative(term, X), {name: ball(value) for name, value in point.items()})
            assert found is not None, term
            assert found.overlaps(series[1]), (term, point)
            count += X in names(term)
    assert count > 700


def test_a_derivative_is_undefined_where_a_root_has_none() -> None:
    slope = derivative(("root", X, 2), X)
    with precision(400):
        assert evaluated(slope, {X: flint.arb(0)}) is None
    assert derivative(("root", Y, 2), X) == 0
    assert derivative(("*", F(0), LOG(X)), X) == 0
    assert derivative(("^", X, 1), X) == 1
    assert derivative(("^", X, 0), X) == 0


def test_substitution_leaves_operations_and_exponents_alone() -> None:
    term = ("+", ("exp", "exp"), ("root", "root", 2), ("^", "log", 2), ("*", "x", "exp"))
    assert substitute(term, "exp", F(3)) == ("+", ("exp", F(3)), ("root", "root", 2), ("^", "log", 2), ("*", "x", F(3)))
    assert names(term) == {"exp", "root", "log", "x"}
