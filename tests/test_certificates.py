"""Certificates of shipped obligations: they replay, and no change to their text makes the kernel accept anything false."""

import copy
import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from gaptron import Implication, Lemma
from gaptron.files import load, shipped_files
from gaptron.kernel import Certificate, Claim, Rejected, Relation, digest, read_certificate, replay, version
from gaptron.kernel.certificate import FORMAT, canonical_text
from gaptron.kernel.rules import RULES
from gaptron.kernel.terms import Term
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.check import plan

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
a = sp.Symbol("a", real=True)
PLANTED = Lemma(
    name="planted",
    implications=[
        Implication(name="apart", statement="a is not zero", given=(a >= 1,), then=sp.Ne(a, 0)),
        Implication(name="root", statement="a root", given=(a >= 4,), then=sp.sqrt(a) >= 2),
    ],
)
CERTIFIED = [
    ("theorem1_logistic", "loss/nonnegative"),
    ("theorem1_logistic", "gap map/range"),
    ("theorem1_logistic", "gap/right/2"),
    ("theorem1_logistic", "gap/wrong/1"),
    ("theorem1_logistic", "regret"),
    ("theorem2_hinge", "gap/wrong/1"),
    ("theorem2_hinge", "regret"),
    ("theorem3_smooth_hinge", "loss/convex"),
    ("blog_exercise1", "minimiser"),
    ("blog_exercise1", "one round"),
    ("lemma1", "projection"),
    ("exponential", "gap/right/1"),
    ("planted", "apart"),
    ("planted", "root"),
]
NAMED = [f"{file}: {obligation}" for file, obligation in CERTIFIED]


@cache
def derived(file: str, obligation: str) -> tuple[Claim, ...]:
    """The claims of an obligation, derived from the theorem."""
    files = {path.stem: path for path in (*shipped_files(), EXAMPLES / "exponential.py")}
    items = [PLANTED] if file == "planted" else [found.item for found in load(files[file])]
    (found,) = [o for item in items for o in plan(item) if o.id == obligation]
    return tuple(statement(claim) for claim in found.claims)


@cache
def proved(file: str, obligation: str) -> str:
    """The text of its certificate."""
    claims = derived(file, obligation)
    proofs = tuple(certify(claim, 60) for claim in claims)
    return json.dumps(Certificate({"theorem": file, "obligation": obligation}, claims, proofs, None).data)


def rules_of(data: Any) -> Iterator[str]:
    """The rules that occur in a proof, and the forms of the enclosures."""
    parts: list[Any] = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    if isinstance(data, dict) and "rule" in data:
        yield data["rule"]
        if data["rule"] == "interval":
            yield data["form"]
    for part in parts:
        yield from rules_of(part)


@pytest.mark.parametrize(("file", "obligation"), CERTIFIED, ids=NAMED)
def test_a_certificate_survives_the_round_trip_and_replays(file: str, obligation: str) -> None:
    text = proved(file, obligation)
    read = read_certificate(text)
    assert read.claims == derived(file, obligation)
    assert json.dumps(read.data) == text
    assert read_certificate(canonical_text(read.data)) == read
    replay(read)


def test_the_certificates_use_every_rule() -> None:
    used = {name for key in CERTIFIED for name in rules_of(json.loads(proved(*key))["proofs"])}
    assert used == {*RULES, "direct", "mean"}


Path_ = tuple[Any, ...]
Mutant = tuple[Path_, str, Any]


def mutants(data: Any, path: Path_ = ()) -> Iterator[Mutant]:
    """(where, what was done, what stands there instead), for every part of a JSON value."""
    yield from ((path, kind, value) for kind, value in _changes(data))
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield from mutants(part, (*path, key))


def _changes(data: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(data, str):
        yield from _changed_text(data)
    elif type(data) is int:
        yield from (("integer", data + 1), ("integer", data - 1), ("integer", -data - 1))
    elif isinstance(data, list):
        for i in range(len(data)):
            yield "removed", [*data[:i], *data[i + 1 :]]
            yield "repeated", [*data[: i + 1], *data[i:]]
        for i in range(len(data) - 1):
            if data[i] != data[i + 1]:
                yield "swapped", [*data[:i], data[i + 1], data[i], *data[i + 2 :]]
    elif isinstance(data, dict):
        for key in data:
            rest = {name: part for name, part in data.items() if name != key}
            yield "removed", rest
            yield "renamed", {**rest, f"{key}_": data[key]}


def _changed_text(data: str) -> Iterator[tuple[str, str]]:
    signs = ("<=", "<", ">=", ">", "=", "!=")
    if data in signs:
        yield from (("sign", sign) for sign in signs if sign != data)
        return
    try:
        value = Fraction(data)
    except ValueError:
        yield "text", f"{data}_"
        return
    for changed in (value + 1, value - 1, -value, value + Fraction(1, 10**9), value / 2):
        if changed != value:
            yield "number", str(changed)


def planted(data: Any, path: Path_, value: Any) -> Any:
    """The JSON value with another part at a place."""
    if not path:
        return value
    copied = copy.copy(data)
    copied[path[0]] = planted(data[path[0]], path[1:], value)
    return copied


def place(data: Any, path: Path_) -> str:
    """The innermost rule above a part, and its field."""
    found = "none"
    for key in path:
        if isinstance(data, dict) and "rule" in data:
            found = f"{data['rule']}.{key}"
        data = data[key]
    return found


def is_accepted(data: Any) -> Certificate | None:
    """The certificate if the kernel accepts it; None if it rejects it. Any other error is one of the kernel."""
    try:
        read = read_certificate(json.dumps(data))
        replay(read)
    except Rejected:
        return None
    return read


def value_of(term: Term, point: dict[str, float]) -> float:
    """The value in floats; raises ValueError or ArithmeticError where it is undefined."""
    if isinstance(term, Fraction):
        return float(term)
    if isinstance(term, str):
        return point[term]
    parts = [value_of(part, point) for part in (term[1:2] if term[0] in ("^", "root") else term[1:])]
    if term[0] == "+":
        return math.fsum(parts)
    if term[0] == "*":
        return math.prod(parts)
    if term[0] == "^":
        return float(parts[0] ** term[2])
    if term[0] == "root":
        return math.exp(math.log(parts[0]) / term[2]) if parts[0] else 0.0
    return math.exp(parts[0]) if term[0] == "exp" else math.log(parts[0])


def margin(relation: Relation, point: dict[str, float]) -> float:
    """How far a relation is from failing (positive) or from holding (negative); the least if it is undefined."""
    try:
        left, right = value_of(relation.left, point), value_of(relation.right, point)
    except (ValueError, ArithmeticError):
        return -math.inf
    error = 1e-9 * (1 + abs(left) + abs(right))
    if relation.sign in ("=", "!="):
        apart = abs(right - left) > error
        return error if apart == (relation.sign == "!=") else -2 * error
    found = right - left if relation.sign in ("<=", "<") else left - right
    return found if abs(found) > error else 0.0


def is_seen_to_fail(claim: Claim, generator: random.Random, points: int = 150) -> bool:
    """Whether a random point fulfils all hypotheses and clearly breaks the conclusion, computed in floats."""
    relations = (*claim.given, claim.then)
    variables = sorted({name for r in relations for side in (r.left, r.right) for name in names_in(side)})
    for _ in range(points):
        scale = generator.choice((0.3, 1.0, 1.0, 4.0, 100.0))
        point = {name: generator.choice((round, float))(generator.uniform(-scale, scale)) for name in variables}
        if all(margin(r, point) >= 0 for r in claim.given) and margin(claim.then, point) < -1e-9:
            return True
    return False


def names_in(term: Term) -> set[str]:
    if isinstance(term, str):
        return {term}
    return set().union(*(names_in(part) for part in term[1:])) if isinstance(term, tuple) else set()


def test_the_oracle_sees_false_claims_fail_and_true_ones_not() -> None:
    generator = random.Random(0)
    for key in CERTIFIED:
        for claim in derived(*key):
            assert not is_seen_to_fail(claim, generator)
            if claim.then.sign in ("<=", ">=") and claim.then.right == 0:
                opposite = claim.instead(Relation({"<=": ">", ">=": "<"}[claim.then.sign], claim.then.left, Fraction(0)))
                both = is_seen_to_fail(opposite, generator, 3000)
                assert both or len(names_in(claim.then.left)) > 1, claim.data


# Changes inside proofs that may leave a proof: what is asked for is still the same claim.
HARMLESS = {}


def survey(key: tuple[str, str], step: int = 1) -> tuple[Counter[str], int]:
    """The accepted mutants of a certificate by place and kind, and the number of mutants; asserts that none harms."""
    data = json.loads(proved(*key))
    generator = random.Random(1)
    accepted: Counter[str] = Counter()
    total = 0
    for number, (path, kind, value) in enumerate(mutants(data)):
        if number % step:
            continue
        total += 1
        read = is_accepted(planted(data, path, value))
        if read is None:
            continue
        where = path[0] if path else "top"
        accepted[f"{place(data, path)} {kind}" if where == "proofs" else str(where)] += 1
        if where == "claims":
            assert read.claims != derived(*key), (path, kind, value)
            assert not any(is_seen_to_fail(claim, generator) for claim in read.claims), (path, kind, value)
        else:
            assert read.claims == derived(*key), (path, kind, value)
    return accepted, total
