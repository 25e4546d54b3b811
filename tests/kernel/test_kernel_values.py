"""What the kernel's functions return, exactly."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kernel_language import ONE, add_up, claim, combination, interval, relation, term
from kernel_rows import changed

from gaptron import kernel
from gaptron.kernel import Certificate, Rejected, Relation, check, digest, read_certificate, replay, version
from gaptron.kernel.certificate import BITS, FORMAT, canonical_text, holds
from gaptron.kernel.enclosures import Interval, enclose, exp_bounds, log_bounds, root_bounds, rounded
from gaptron.language.relations import requirements
from gaptron.language.terms import LARGEST_POWER, Term, derivative, read_term, term_data
from gaptron.prove.goals import move_goals, way_of
from gaptron.prove.hints import written

F = Fraction


def root(value: Fraction, bits: int, degree: int) -> Interval:
    return root_bounds(value, degree, bits)


# A stored certificate relies on the very ends that the kernel computes, not only on their being bounds.
PINNED: list[tuple[Callable[[Fraction, int], Interval], str, int, str, str]] = [
    (log_bounds, "3", 16, "18431649/16777216", "18431679/16777216"),
    (log_bounds, "3", 17, "36863303/33554432", "18431667/16777216"),
    (log_bounds, "3", 24, "4718503841/4294967296", "589812985/536870912"),
    (log_bounds, "23/3", 16, "68346405/33554432", "68346451/33554432"),
    (log_bounds, "23/3", 17, "136692819/67108864", "136692871/67108864"),
    (log_bounds, "23/3", 24, "17496682509/8589934592", "2187085321/1073741824"),
    (log_bounds, "5/3", 16, "2142557/4194304", "4285127/8388608"),
    (log_bounds, "5/3", 17, "8570229/16777216", "8570243/16777216"),
    (log_bounds, "5/3", 24, "1096989671/2147483648", "137123711/268435456"),
    (log_bounds, "4", 16, "5814539/4194304", "23258171/16777216"),
    (log_bounds, "4", 17, "46516315/33554432", "11629083/8388608"),
    (log_bounds, "4", 24, "5954088937/4294967296", "5954088957/4294967296"),
    (log_bounds, "7/2", 16, "21017867/16777216", "21017897/16777216"),
    (log_bounds, "7/2", 17, "21017871/16777216", "42035773/33554432"),
    (log_bounds, "7/2", 24, "5380575969/4294967296", "5380576009/4294967296"),
    (log_bounds, "1000000001/1000000000", 16, "0", "7/4194304"),
    (log_bounds, "1000000001/1000000000", 17, "0", "15/16777216"),
    (log_bounds, "1000000001/1000000000", 24, "1/1073741824", "5/536870912"),
    (log_bounds, "1/10", 16, "-38630991/16777216", "-38630961/16777216"),
    (log_bounds, "1/10", 17, "-9657745/4194304", "-154523853/67108864"),
    (log_bounds, "1/10", 24, "-9889527699/4294967296", "-9889527659/4294967296"),
    (exp_bounds, "0", 16, "1", "1"),
    (exp_bounds, "0", 17, "1", "1"),
    (exp_bounds, "0", 24, "1", "1"),
    (exp_bounds, "1/3", 16, "11707245/8388608", "374631889/268435456"),
    (exp_bounds, "1/3", 17, "374631849/268435456", "749263741/536870912"),
    (exp_bounds, "1/3", 24, "95905755559/68719476736", "47952877805/34359738368"),
    (exp_bounds, "7/2", 16, "555585085/16777216", "555585099/16777216"),
    (exp_bounds, "7/2", 17, "8889361399/268435456", "8889361529/268435456"),
    (exp_bounds, "7/2", 24, "35557445787/1073741824", "1137838265327/34359738368"),
    (exp_bounds, "-5", 16, "4194304/622489917", "4194304/622489899"),
    (exp_bounds, "-5", 17, "33554432/4979919301", "67108864/9959838471"),
    (exp_bounds, "-5", 24, "8589934592/1274859329399", "1073741824/159357416155"),
    (
        exp_bounds,
        "100",
        16,
        "26881171394699733254591059229794016191053824",
        "26881171445973664732622482061532667442102272",
    ),
    (
        exp_bounds,
        "100",
        17,
        "26881171407771746244144560818028019644891136",
        "26881171435477517762732742617139964901588992",
    ),
    (
        exp_bounds,
        "100",
        24,
        "26881171418054927913195957722969276046901248",
        "26881171418291503206463551035023598282604544",
    ),
    (partial(root, degree=2), "2", 16, "185363/131072", "46341/32768"),
    (partial(root, degree=3), "3", 17, "378077/262144", "189039/131072"),
    (partial(root, degree=5), "10", 16, "207735/131072", "25967/16384"),
    (partial(root, degree=2), "1/7", 16, "99081/262144", "198163/524288"),
    (partial(root, degree=2), "9/4", 16, "3/2", "3/2"),
]


@pytest.mark.parametrize(("bounds", "value", "bits", "low", "high"), PINNED)
def test_the_bounds_are(
    bounds: Callable[[Fraction, int], Interval], value: str, bits: int, low: str, high: str
) -> None:
    assert bounds(F(value), bits) == (F(low), F(high))


@pytest.mark.parametrize(
    ("ends", "bits", "expected"),
    [
        (("1/3", "1/3"), 16, ("1/3", "1/3")),
        (("65535", "65535/65534"), 16, ("65535", "65535/65534")),
        (("65537", "65537"), 16, ("65537", "65537")),
        (("131073", "131073"), 16, ("131072", "131074")),
        (("1/65537", "1/65537"), 16, ("65535/4294967296", "1/65536")),
        (("-131071/3", "131071/3"), 16, ("-87381/2", "87381/2")),
    ],
)
def test_ends_are_rounded_to(ends: tuple[str, str], bits: int, expected: tuple[str, str]) -> None:
    assert rounded((F(ends[0]), F(ends[1])), bits) == (F(expected[0]), F(expected[1]))


def test_the_bounds_of_an_exponential_are_those_of_its_side() -> None:
    low, high = log_bounds(F(3, 2), 200)
    assert enclose(("exp", low), {}, 16)[0] < F(3, 2) < enclose(("exp", high), {}, 16)[1]
    low, high = exp_bounds(F(1, 2), 200)
    assert enclose(("log", low), {}, 16)[0] < F(1, 2) < enclose(("log", high), {}, 16)[1]


def test_a_refutation_uses_272_bits() -> None:
    log_2: Term = ("log", F(2))
    low = enclose(log_2, {}, 272)[0]
    assert BITS == 272
    assert low < enclose(log_2, {}, 276)[0]
    assert holds(Relation(">", log_2, F(low)), {}) is None
    assert holds(Relation(">", log_2, F(enclose(log_2, {}, 268)[0])), {}) is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", "1"),
        ("y", "0"),
        ("3", "0"),
        ("x + y", "1"),
        ("x + x", ["+", "1", "1"]),
        ("x*y", "y"),
        ("y*x", "y"),
        ("x*x", ["+", "x", "x"]),
        ("2*x*0", "0"),
        ("x**0", "0"),
        ("x**1", "1"),
        ("x**2", ["*", "2", "x"]),
        ("x**3", ["*", "3", ["^", "x", 2]]),
        ("x**-1", ["*", "-1", ["^", "x", -2]]),
        ("(y*x)**2", ["*", "2", ["*", "y", "x"], "y"]),
        ("exp(x)", ["exp", "x"]),
        ("exp(y*x)", ["*", ["exp", ["*", "y", "x"]], "y"]),
        ("log(x)", ["^", "x", -1]),
        ("log(y*x)", ["*", ["^", ["*", "y", "x"], -1], "y"]),
        ("root(x, 3)", ["*", "1/3", ["root", "x", 3], ["^", "x", -1]]),
    ],
)
def test_the_derivative_is(text: str, expected: Any) -> None:
    assert term_data(derivative(read_term(term(text)), "x")) == expected


def test_what_a_term_requires() -> None:
    found = requirements(
        read_term(term("log(x**2) + log(y**3) + root(y, 3) + 1/(x*y) + x**2 + (x*y)**-1 + log(x**-2)"))
    )
    assert [(term_data(part)[0], term_data(wanted), why) for part, (wanted, why) in found[::-1]] == [
        ("log", "x", "nonzero"),
        ("log", ["^", "y", 3], "positive"),
        ("root", "y", "nonnegative"),
        ("^", "y", "nonzero"),
        ("^", "x", "nonzero"),
        ("^", "y", "nonzero"),
        ("^", "x", "nonzero"),
        ("log", ["^", "x", -2], "nonzero"),
        ("^", "x", "nonzero"),
    ]


def relations(text: str) -> list[Any]:
    return [relation(part) for part in text.split(";")]


@pytest.mark.parametrize(
    ("direction", "slope", "ends"),
    [
        ("up", ">=", [("y", "z >= y; 1/2 <= y", "<="), ("z", "y >= z; 1/2 <= z", "<=")]),
        ("down", "<=", [("1/2", "1/2 <= y; 1/2 <= z", "<=")]),
    ],
)
def test_the_goals_of_a_move(direction: str, slope: str, ends: list[tuple[str, str, str]]) -> None:
    given = claim("3*x <= 3*y; x < z; 2*x >= 1; y != 0; x**2 >= 0 |- x <= y + z")
    way = way_of(given, "x")
    assert way == given.given[:4]
    climb, arrivals = move_goals(given, "x", direction, way)
    assert (climb.given, climb.then) == (way, Relation(slope, F(1), F(0)))
    for arrival, (end, near, sign) in zip(arrivals, ends, strict=True):
        assert arrival.then == Relation(sign, ("+", read_term(term(end)), ("*", F(-1), ("+", "y", "z"))), F(0))
        assert arrival.given[0] == given.given[3]
        assert {(r.sign, str(r.left), str(r.right)) for r in arrival.given[1:]} == {
            (r.sign, str(r.left), str(r.right)) for r in map(_turned, near.split(";"), [direction] * 2)
        }


def _turned(text: str, direction: str) -> Relation:
    """A hypothesis of an arrival: at the end first for other bounds on its side."""
    found = Relation.read(relation(text))
    if direction == "up" and found.sign == ">=":
        return Relation("<=", found.right, found.left)
    if direction == "down":
        return Relation(">=", found.right, found.left)
    return found


ZERO_BELOW_ONE = written(claim("|- 0 <= 1"), combination(("1", [0]), ONE))
NEEDED = {"__init__.py", "rejection.py", "relations.py", "terms.py"}  # of the language


def test_certificates_have_one_text() -> None:
    proved = Certificate({"b": 1, "a": None}, (claim("|- 0 <= 1"),), (ZERO_BELOW_ONE,), None)
    claims = [{"given": [], "then": ["<=", "0", "1"]}]
    head = {"format": FORMAT, "about": {"a": None, "b": 1}, "claims": claims}
    assert proved.data == head | {"proofs": list(proved.proofs or ())}
    assert Certificate({}, (), None, None).data == {"format": FORMAT, "about": {}, "claims": [], "proofs": []}
    refuted = Certificate(proved.about, (claim("|- y <= x"),), None, (0, {"y": F(1, 2), "x": F(0)}))
    assert refuted.data["refutes"] == [0, {"x": "0", "y": "1/2"}]
    for certificate in (proved, refuted):
        assert read_certificate(json.dumps(certificate.data)) == certificate
        replay(certificate)
    assert canonical_text({"b": [1, "x"], "a": None}) == '{"a":null,"b":[1,"x"]}'
    assert digest([]) == "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    rooms = Path(kernel.__file__).parents[1]
    folder, language = (sorted((rooms / name).rglob("*.py")) for name in ("kernel", "language"))
    names = [file.relative_to(rooms).as_posix() for file in (*folder, *(f for f in language if f.name in NEEDED))]
    assert len(names) == 18
    assert version() == digest([[name, (rooms / name).read_text(encoding="utf-8")] for name in names])


GOOD: dict[str, Any] = {
    "format": FORMAT,
    "about": {},
    "claims": [{"given": [], "then": ["<=", "0", "1"]}],
    "proofs": [ZERO_BELOW_ONE],
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "gaptron certificate 3"}, "the format is not"),
        ({"format": "gaptron certificate 1"}, "is a former format: gaptron check --certificates writes"),
        ({"about": []}, "about is not an object"),
        ({"claims": []}, "there are no claims"),
        ({"claims": {}}, "there are no claims"),
        ({"claims": "x"}, "there are no claims"),
        ({"proofs": {}}, "proofs is not a list"),
        ({"proofs": "x"}, "proofs is not a list"),
        ({"proofs": []}, "one proof for every claim"),
        ({"proofs": GOOD["proofs"] * 2}, "one proof for every claim"),
        ({"comment": ""}, "the fields are"),
        ({"proofs": [written(claim("|- 0 <= 1"), add_up(0))]}, r"^claim 1: "),
    ],
    ids=str,
)
def test_a_certificate_with_another_part_is_rejected(change: dict[str, Any], says: str) -> None:
    replay(read_certificate(json.dumps(GOOD)))
    with pytest.raises(Rejected, match=says):
        replay(read_certificate(json.dumps(GOOD | change)))
    with pytest.raises(Rejected, match="the format is not"):
        read_certificate(json.dumps([GOOD | change]))


def test_no_claims_prove_nothing() -> None:
    with pytest.raises(Rejected, match="one proof for every claim"):
        replay(Certificate({}, (), (), None))
    with pytest.raises(Rejected, match="one proof for every claim"):
        replay(Certificate({}, (claim("|- 0 <= 1"),), None, None))


def test_a_number_of_claim_and_a_point_is_read() -> None:
    data = {"format": FORMAT, "about": {}, "claims": GOOD["claims"] * 2, "refutes": [1, {}]}
    assert read_certificate(json.dumps(data)).refutes == (1, {})


@pytest.mark.parametrize("exponent", [LARGEST_POWER, -LARGEST_POWER])
def test_the_largest_exponents_are_read(exponent: int) -> None:
    assert read_term(["^", "x", exponent]) == ("^", "x", exponent)
    for other in (exponent - 1, exponent + 1):
        if abs(other) > LARGEST_POWER:
            with pytest.raises(Rejected):
                read_term(["^", "x", other])


@pytest.mark.parametrize("digits", [4000, 4001])
def test_numbers_of_4000_digits_are_read(digits: int) -> None:
    for text in ("1" * digits, "1/1" + "0" * (digits - 1)):
        if digits == 4000:
            assert str(read_term(text)) == text
        else:
            with pytest.raises(Rejected):
                read_term(text)


@pytest.mark.parametrize("bits", [16, 1024])
def test_the_smallest_and_the_largest_precision(bits: int) -> None:
    asked = claim("x <= 1 |- x <= 1")
    check(asked, changed(written(asked, interval()), "proof", "bits", to=bits))
    check(claim("|- 0 <= 1"), changed(ZERO_BELOW_ONE, "proof", "against", to=[["bound", "2", bits, "2", "2"]]))
