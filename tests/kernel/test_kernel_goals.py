"""What ``move`` asks for is enough: where a random claim fails, one of the claims that it asks for fails."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from random_claims import clearly_holds, margin, names_in, random_claim, random_term

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.prove.goals import move_goals, way_of
from gaptron.prove.hints import written

Point = dict[str, float]
STEPS = 200


def fails(claim: Claim, point: Point) -> bool:
    """Whether the claim clearly fails at a point; what is not clear in floats counts as failing where it must."""
    return all(clearly_holds(r, point) for r in claim.given) and margin(claim.then, point) < -1e-7


def may_fail(claim: Claim, point: Point) -> bool:
    return all(margin(r, point) >= -1e-9 for r in claim.given) and margin(claim.then, point) <= 1e-9


def points(claim: Claim, generator: random.Random, count: int = 60) -> Iterator[Point]:
    """Points at which the claim clearly fails."""
    variables = sorted({"x"}.union(*(names_in(side) for r in (*claim.given, claim.then) for side in (r.left, r.right))))
    for _ in range(count):
        scale = generator.choice((0.3, 1.0, 4.0))
        point = {name: generator.uniform(-scale, scale) for name in variables}
        try:
            if fails(claim, point):
                yield point
        except OverflowError:
            continue


def bounded(generator: random.Random) -> Claim:
    """A random claim with an inequality as conclusion, and a bound on x."""
    claim = random_claim(generator)
    bound = Relation(generator.choice(("<=", ">=", "<", ">")), "x", Fraction(generator.randint(-2, 2)))
    more = [bound] if generator.random() < 0.8 else []
    term = random_term(generator, generator.randint(1, 2), "xyq++**^erl")
    given = [*more, *claim.given] + ([Relation(">", term, Fraction(0))] if generator.random() < 0.5 else [])
    return Claim(tuple(given), Relation(generator.choice(("<=", ">=", "<", ">")), claim.then.left, claim.then.right))


def stay_false(claim: Claim, generator: random.Random) -> int:
    """The number of points at which the claim fails; asserts that what ``move`` asks for fails as well."""
    count = 0
    direction = generator.choice(("up", "down"))
    slope, arrivals = move_goals(claim, "x", direction, way_of(claim, "x"))
    for point in points(claim, generator, 20):
        count += 1
        if any(may_fail(arrival, point) for arrival in arrivals):
            continue
        step = (8 if direction == "up" else -8) / STEPS
        way = ({**point, "x": point["x"] + step * number} for number in range(STEPS))
        assert any(may_fail(slope, there) for there in way), (claim.data, point, direction)
    return count


@pytest.mark.slow
def test_what_a_move_asks_for_fails_where_the_claim_fails() -> None:
    generator = random.Random("move")
    seen = Counter[str]()
    for _ in range(2500):
        claim = bounded(generator)
        try:
            seen["points"] += stay_false(claim, generator)
        except (Rejected, OverflowError):
            continue
        seen["claims"] += 1
    assert seen["claims"] > 40
    assert seen["points"] > 400


@pytest.mark.slow
def test_no_enclosure_proves_what_fails_at_a_point() -> None:
    generator = random.Random(3)
    proved = 0
    for _ in range(2500):
        claim = bounded(generator)
        try:
            sketch = {"rule": "interval", "bits": 32, "form": generator.choice(("direct", "mean"))}
            check(claim, written(claim, sketch))
        except Rejected:
            continue
        proved += 1
        assert next(points(claim, generator), None) is None, claim.data
    assert proved > 40
