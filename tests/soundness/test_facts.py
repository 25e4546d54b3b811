"""Named facts: each holds for random instances, and its false neighbour does not."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from gaptron.numbers.evaluate import holds
from gaptron.theory import facts
from gaptron.theory.facts import FACTS, Fact

Numbers = dict[str, Fraction]
Draw = Callable[[np.random.Generator], Numbers]
INSTANCES = 200
WORDS = ("logistic", "hinge", "learner", "gaptron", "soba", "blog", "slides", "notes", "mistake", "label", "margin")


def vector(rng: np.random.Generator, n: int = 3) -> Any:
    return np.array([Fraction(int(v), 4) for v in rng.integers(-8, 9, n)], dtype=object)


def number(rng: np.random.Generator, low: int = 1, high: int = 12) -> Fraction:
    return Fraction(int(rng.integers(low, high + 1)), 6)


def lines(rng: np.random.Generator) -> tuple[Callable[[Any], Fraction], Callable[[Any], Any]]:
    """A maximum of affine functions of a vector, and a subgradient of it."""
    rows = [(vector(rng), number(rng, -6, 6)) for _ in range(4)]
    return (lambda x: max(a @ x + b for a, b in rows)), (lambda x: max(rows, key=lambda row: row[0] @ x + row[1])[0])


def subgradient(rng: np.random.Generator) -> Numbers:
    f, slope = lines(rng)
    x, u = vector(rng), vector(rng)
    return {"left": f(x), "right": f(u), "inner": slope(x) @ (x - u)}


def step(rng: np.random.Generator) -> Numbers:
    x, u, g, c = vector(rng), vector(rng), vector(rng), number(rng)
    v = x - c * g
    return {
        "after": (v - u) @ (v - u), "before": (x - u) @ (x - u), "inner": g @ (x - u), "squares": g @ g, "step": c,
    }  # fmt: skip


def projection(rng: np.random.Generator) -> Numbers:
    """On a box that holds u."""
    u, v, more = vector(rng), vector(rng), number(rng)
    p = np.array([min(max(b, a - more), a + more) for a, b in zip(u, v, strict=True)])
    return {"near": (p - u) @ (p - u), "far": (v - u) @ (v - u)}


def cauchy_schwarz(rng: np.random.Generator) -> Numbers:
    u = vector(rng)
    v = u * number(rng) if rng.integers(2) else vector(rng)
    return {"inner": u @ v, "near": u @ u, "far": v @ v}


def updated(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """A positive definite A of two rows, z, and A + z z'."""
    R, z = np.array([vector(rng, 2) for _ in range(2)]), vector(rng, 2)
    A = R.T @ R + np.diag([number(rng), number(rng)])
    return A, z, A + np.outer(z, z)


def trace(rng: np.random.Generator) -> Numbers:
    A, z, B = updated(rng)
    return {"after": B.trace(), "before": A.trace(), "squares": z @ z}


def outer(rng: np.random.Generator) -> Numbers:
    s, x = vector(rng), vector(rng)
    g = np.outer(s, x)
    return {"squares": (g * g).sum(), "near": s @ s, "far": x @ x}


def weighted(rng: np.random.Generator) -> Numbers:
    v, p = number(rng, -12), number(rng, 1, 6)
    return {"left": p * (v / p) + (1 - p) * 0, "right": v, "prob": p}


def weighted_square(rng: np.random.Generator) -> Numbers:
    g, p = vector(rng), number(rng, 1, 6)
    return {"left": p * ((g / p) @ (g / p)), "squares": g @ g, "prob": p}


def two_steps(rng: np.random.Generator) -> list[tuple[Fraction, list[tuple[Fraction, Fraction]]]]:
    """Two differences of mean 0, the first chooses the law of the second: of each path (probability, [(Z, E[Z^2])])."""

    def law() -> tuple[list[tuple[Fraction, Fraction]], Fraction]:
        up, down = number(rng), number(rng)
        return [(down / (up + down), up), (up / (up + down), -down)], up * down

    first, second_moment = law()
    paths = []
    for p, z in first:
        then, its_moment = law()
        paths += [(p * chance, [(z, second_moment), (after, its_moment)]) for chance, after in then]
    return paths


def tower(rng: np.random.Generator) -> Numbers:
    paths = two_steps(rng)
    given_the_past = [(p, [m for _, m in steps]) for p, steps in paths]
    return {
        "left": sum((p * sum(z**2 for z, _ in steps) for p, steps in paths), Fraction(0)),
        "right": sum((p * sum(moments) for p, moments in given_the_past), Fraction(0)),
    }


def led(rng: np.random.Generator) -> tuple[Numbers, list[Fraction]]:
    """ODAFTRL with AdaHedgeD on an interval, regularized by the squared distance of its middle, and the gradients."""
    radius, delay, n_rounds = number(rng), int(rng.integers(0, 4)), int(rng.integers(1, 8))
    h = [number(rng, -12) for _ in range(n_rounds)]
    c, prices, played = number(rng) + radius**2 / 2, list[Fraction](), list[Fraction]()

    def leader(rate: Fraction, slope: Fraction) -> Fraction:
        """The least point of rate w^2/2 + slope w."""
        far = -slope / rate if rate else -slope.numerator * 2 * radius
        return min(max(far, -radius), radius)

    for t in range(n_rounds):
        rate, known, all_of_them = sum(prices[: max(t - delay, 0)]) / c, sum(h[: max(t - delay, 0)]), sum(h[: t + 1])

        def objective(w: Fraction, rate: Fraction = rate, slope: Fraction = all_of_them) -> Fraction:
            return rate * w**2 / 2 + slope * w

        w, v = leader(rate, Fraction(known)), leader(rate, all_of_them)
        missing = all_of_them - known
        z = leader(rate, all_of_them - min(abs(h[t] / missing), 1) * missing) if missing else v
        middle = objective(z) - objective(v) + h[t] * (w - z)
        prices.append(max(Fraction(0), min(objective(w) - objective(v), h[t] * (w - v), middle)))
        played.append(w)
    u = radius * (-1 if sum(h) > 0 else 1)
    inner = sum(g * (w - u) for g, w in zip(h, played, strict=True))
    return {"inner": inner, "value": u**2 / 2, "smooth": c, "diameter": 2 * radius} | over_a_delay(h, delay), h


def over_a_delay(h: list[Fraction], delay: int) -> Numbers:
    pairs = [(t, s) for t in range(len(h)) for s in range(max(t - delay, 0), t)]
    products = sum((abs(h[t] * h[s]) for t, s in pairs), Fraction(0))
    return {"products": products, "squares": sum((g**2 for g in h), Fraction(0)), "delay": Fraction(delay)}


def delayed(rng: np.random.Generator) -> Numbers:
    """At a v near the best."""
    numbers, _ = led(rng)
    most = (numbers["diameter"] ** 2 + 2 * numbers["smooth"]) * numbers["squares"]
    return numbers | {"step": Fraction(max(1, round(float(most) ** 0.5 * 4)), 4)}


def products(rng: np.random.Generator) -> Numbers:
    numbers, h = led(rng)
    even = [Fraction(1)] * 12
    return over_a_delay(even if rng.integers(2) else h, int(numbers["delay"]))


def late_estimates(rng: np.random.Generator) -> Numbers:
    """Two rounds, the second's chance being made of the first's draw: all four paths, against the product of the g."""
    g, first = [number(rng), number(rng)], number(rng, 1, 6)
    left = Fraction(0)
    for drawn, chance in ((1, first), (0, 1 - first)):
        second = number(rng, 1, 6)
        left += chance * second * (drawn * g[0] / first) * (g[1] / second)
    return {"left": left, "right": g[0] * g[1]}


DRAWS: dict[str, Draw] = {
    facts.SUBGRADIENT.name: subgradient,
    facts.STEP.name: step,
    facts.PROJECTION.name: projection,
    facts.CAUCHY_SCHWARZ.name: cauchy_schwarz,
    facts.OUTER.name: outer,
    facts.WEIGHTED.name: weighted,
    facts.WEIGHTED_SQUARE.name: weighted_square,
    facts.TOWER.name: tower,
    facts.DELAYED.name: delayed,
    facts.PRODUCTS.name: products,
    facts.LATE_ESTIMATES.name: late_estimates,
}


def test_each_has_a_name_of_its_own_and_a_source() -> None:
    assert len({fact.name for fact in FACTS}) == len(FACTS)
    assert all(fact.source and fact.statement for fact in FACTS)
    assert set(DRAWS) == {fact.name for fact in FACTS}


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_it_speaks_of_no_loss_learner_or_document(fact: Fact) -> None:
    said = f"{fact.name} {fact.statement} {' '.join(fact.needs)} {' '.join(fact.reads.values())}".lower()
    assert not [word for word in WORDS if word in said]


@pytest.mark.few(8)
@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_it_holds_for_random_instances_and_its_false_neighbour_does_not(fact: Fact) -> None:
    rng = np.random.default_rng(20_261_122)
    refuted = 0
    for _ in range(INSTANCES):
        drawn = DRAWS[fact.name](rng)
        point: dict[sp.Symbol, Fraction] = {symbol: Fraction(drawn[symbol.name]) for symbol in fact.reads}
        assert all(holds(relation, point) for relation in fact.given)
        assert holds(fact.then, point), (fact.name, point)
        refuted += not holds(fact.neighbour, point)
    assert refuted
