"""Named facts: theorems of textbooks that steps of an argument may rest on without a proof of their own.

A fact speaks of vectors, functions and numbers through symbols: ``reads`` says what each stands for, with the names of
objects in braces. An instance names the objects; the symbols of the argument that stand for the same are put in, and
the sentences and relations that the fact needs must be known. Every fact holds for random instances, and its false
neighbour, which differs by a constant, a sign or a direction, does not (tests/soundness/test_facts.py).
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from sympy import Eq, symbols
from sympy.core.relational import Relational
from sympy.core.symbol import Symbol

from gaptron.system.final import final

left, right, inner, value = symbols("left right inner value", real=True)
before, after, near, far, squares = symbols("before after near far squares", nonnegative=True)
step, smooth, prob = symbols("step smooth prob", positive=True)
diameter = symbols("diameter", positive=True)
delay, products = symbols("delay products", nonnegative=True)


@final
@dataclass(frozen=True, kw_only=True)
class Fact:
    """A theorem of a textbook.

    Parameters
    ----------
    name, source : str
    statement : str
        In words.
    reads : dict of Symbol to str
        What each symbol stands for, with objects in braces: "<{g}, {x} - {u}>".
    needs : tuple of str
        Sentences that must be known, with objects in braces.
    given, then : relations
        What must be known of the numbers, and what follows.
    neighbour : relation
        Beside ``then``, and false.
    coq : str
        "File.v:theorem" of proofs/coq, where it is proved for all dimensions: coqc is asked whether the fact, as it
        is written here, follows from that theorem (tests/formal/test_named_facts.py).
    """

    name: str
    source: str
    statement: str
    reads: Mapping[Symbol, str]
    then: Relational
    neighbour: Relational
    coq: str
    needs: tuple[str, ...] = ()
    given: tuple[Relational, ...] = ()

    def at(self, objects: Mapping[str, str]) -> tuple[list[str], dict[Symbol, str]]:
        """The sentences that are needed and what the symbols stand for, of these objects."""
        return [text.format(**objects) for text in self.needs], {s: t.format(**objects) for s, t in self.reads.items()}


SUBGRADIENT = Fact(
    name="subgradient inequality",
    source="Rockafellar, Convex Analysis, section 23",
    statement="a convex f lies above its linearization: f(x) - f(u) <= <g, x - u> for a subgradient g at x",
    reads={left: "{f}({x})", right: "{f}({u})", inner: "<{g}, {x} - {u}>"},
    needs=("{f} is convex", "{g} is a subgradient of {f} at {x}"),
    then=left - right <= inner,
    neighbour=left - right <= inner / 2,
    coq="NamedFacts.v:subgradient_inequality",
)

STEP = Fact(
    name="square of a difference",
    source="bilinearity of the inner product",
    statement="||x - c g - u||^2 = ||x - u||^2 - 2 c <g, x - u> + c^2 ||g||^2",
    reads={after: "||{v} - {u}||^2", before: "||{x} - {u}||^2", inner: "<{g}, {x} - {u}>", squares: "||{g}||^2",
           step: "{c}"},
    needs=("{v} = {x} - {c} {g}",),
    then=Eq(after, before - 2 * step * inner + step**2 * squares, evaluate=False),
    neighbour=Eq(after, before - 2 * step * inner + step**2 * squares / 2, evaluate=False),
    coq="NamedFacts.v:square_of_a_difference",
)  # fmt: skip

PROJECTION = Fact(
    name="projection on a convex set",
    source="Boyd and Vandenberghe, Convex Optimization, section 8.1",
    statement="the projection of v on a convex set that holds u is no farther from u than v",
    reads={near: "||{p} - {u}||^2", far: "||{v} - {u}||^2"},
    needs=("{p} is the projection of {v} on a convex set", "{u} is in this convex set"),
    then=near <= far,
    neighbour=near <= far / 2,
    coq="NamedFacts.v:projection",
)

CAUCHY_SCHWARZ = Fact(
    name="Cauchy-Schwarz",
    source="Steele, The Cauchy-Schwarz Master Class, chapter 1",
    statement="<u, v>^2 <= ||u||^2 ||v||^2",
    reads={inner: "<{u}, {v}>", near: "||{u}||^2", far: "||{v}||^2"},
    then=inner**2 <= near * far,
    neighbour=inner**2 <= near * far / 2,
    coq="NamedFacts.v:cauchy_schwarz",
)


OUTER = Fact(
    name="norm of an outer product",
    source="Horn and Johnson, Matrix Analysis, section 5.6",
    statement="||s x'||_F^2 = ||s||^2 ||x||^2",
    reads={squares: "||{g}||^2", near: "||{s}||^2", far: "||{x}||^2"},
    needs=("{g} = {s} (x) {x}",),
    then=Eq(squares, near * far, evaluate=False),
    neighbour=Eq(squares, 2 * near * far, evaluate=False),
    coq="NamedFacts.v:norm_of_an_outer_product",
)


WEIGHTED = Fact(
    name="expectation of an importance-weighted estimate",
    source="Horvitz and Thompson 1952",
    statement="an estimate that is v/p with probability p, and else 0, has expectation v",
    reads={left: "E[{e}]", right: "{v}", prob: "{p}"},
    needs=("{e} is {v}/{p} with probability {p}, else 0",),
    given=(prob <= 1,),
    then=Eq(left, right, evaluate=False),
    neighbour=Eq(left, prob * right, evaluate=False),
    coq="NamedChances.v:weighted_estimate",
)

WEIGHTED_SQUARE = Fact(
    name="second moment of an importance-weighted estimate",
    source="Horvitz and Thompson 1952",
    statement="a vector that is g/p with probability p, and else 0, has E ||.||^2 = ||g||^2/p",
    reads={left: "E[||{e}||^2]", squares: "||{g}||^2", prob: "{p}"},
    needs=("{e} is {g}/{p} with probability {p}, else 0",),
    given=(prob <= 1,),
    then=Eq(left, squares / prob, evaluate=False),
    neighbour=Eq(left, squares, evaluate=False),
    coq="NamedChances.v:weighted_second_moment",
)

TOWER = Fact(
    name="tower of expectations",
    source="Williams, Probability with Martingales, section 9.7",
    statement="E[sum x_t] = E[sum E[x_t]], the inner expectations given the past",
    reads={left: "E[sum {x}]", right: "E[sum E[{x}]]"},
    then=Eq(left, right, evaluate=False),
    neighbour=Eq(left, right / 2, evaluate=False),
    coq="NamedChances.v:tower",
)

PAID_FOR_DELAY = step + ((diameter**2 + 2 * smooth) * squares + 2 * (diameter**2 + smooth) * products) / step
DELAYED = Fact(
    name="delayed follow the regularized leader",
    source="Flaspohler, Orabona, Cohen, Mouatadid, Oprescu, Orenstein, Mackey 2021, Online Learning with Optimism and "
    "Delay, Theorem 13, here without its largest window",
    statement="sum <h, W - u> <= v + ((B^2 + 2 c) sum ||h||^2 + 2 (B^2 + c) sum ||h_t|| ||h_s||)/v, the last sum over "
    "1 <= t - s <= D, for ODAFTRL of delay D at the rate of AdaHedgeD with c, on a convex set of diameter B that holds "
    "u, with a 1-strongly convex regularizer that is not negative, and at most c at u",
    reads={inner: "sum <{h}, {W} - {u}>", squares: "sum ||{h}||^2", value: "{f}({u})", step: "{v}", smooth: "{c}",
           products: "sum ||{h}_t|| ||{h}_s|| over 1 <= t - s <= {D}", diameter: "{B}"},
    needs=("{W} leads {h}, {D} rounds late, on a convex set, regularized by {f} at the rate of AdaHedgeD with {c}",
           "this set has the diameter {B}", "{f} is 1-strongly convex and not negative there",
           "{u} is in this convex set"),
    given=(value <= smooth,),
    then=inner <= PAID_FOR_DELAY,
    neighbour=inner <= PAID_FOR_DELAY / 8,
    coq="Delayed.v:regret_of_a_delayed_leader",
)  # fmt: skip

PRODUCTS = Fact(
    name="products over a delay",
    source="2 x y <= x^2 + y^2, and every round is in at most 2 D pairs",
    statement="sum ||h_t|| ||h_s|| over 1 <= t - s <= D is at most D sum ||h||^2",
    reads={products: "sum ||{h}_t|| ||{h}_s|| over 1 <= t - s <= {D}", squares: "sum ||{h}||^2", delay: "{D}"},
    then=products <= delay * squares,
    neighbour=products <= delay * squares / 2,
    coq="Delayed.v:products_over_a_delay",
)

LATE_ESTIMATES = Fact(
    name="products of late estimates",
    source="Williams, Probability with Martingales, section 9.7 (tower, and taking out what is known)",
    statement="E[sum ||h_t|| ||h_s|| over 1 <= t - s <= D] is that of g, where h is g/p with probability p given the "
    "past, else 0, and g is known D rounds before",
    reads={left: "E[sum ||{h}_t|| ||{h}_s|| over 1 <= t - s <= {D}]",
           right: "E[sum ||{g}_t|| ||{g}_s|| over 1 <= t - s <= {D}]"},
    needs=("{h} is {g}/{p} with probability {p}, else 0", "{g} is known {D} rounds before"),
    then=Eq(left, right, evaluate=False),
    neighbour=Eq(left, right / 2, evaluate=False),
    coq="DelayedDraws.v:products_of_late_estimates",
)  # fmt: skip

FACTS = (
    SUBGRADIENT, STEP, PROJECTION, CAUCHY_SCHWARZ, OUTER, WEIGHTED, WEIGHTED_SQUARE, TOWER, DELAYED,
    PRODUCTS, LATE_ESTIMATES,
)  # fmt: skip


def in_coq(names: Iterable[str]) -> dict[str, str]:
    """Those of these names that are facts, with the theorem of the library that proves each: "File.v:theorem"."""
    known = {fact.name: fact.coq for fact in FACTS}
    return {name: known[name] for name in names if name in known}


def marked(names: Iterable[str], proved: Container[str]) -> str:
    """These names for people, "(coq)" behind those that the library proves."""
    return "; ".join(f"{name} (coq)" if name in proved else name for name in names)
