"""Named facts: theorems of textbooks that steps of an argument may rest on without a proof of their own.

A fact speaks of vectors, functions and numbers through symbols: ``reads`` says what each stands for, with the names of
objects in braces. An instance names the objects; the symbols of the argument that stand for the same are put in, and
the sentences and relations that the fact needs must be known. Every fact holds for random instances, and its false
neighbour, which differs by a constant, a sign or a direction, does not (tests/soundness/test_facts.py).
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from sympy import Eq, exp, symbols
from sympy.core.relational import Relational
from sympy.core.symbol import Symbol

from gaptron.system.final import final

left, right, inner, middle, value, other = symbols("left right inner middle value other", real=True)
before, after, near, far, squares = symbols("before after near far squares", nonnegative=True)
step, smooth, prob = symbols("step smooth prob", positive=True)
weight, factor, point = symbols("weight factor point", real=True)
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

METRIC = Fact(
    name="Cauchy-Schwarz in a metric",
    source="Horn and Johnson, Matrix Analysis, section 7.7",
    statement="<u, v>^2 <= ||u||_M^2 ||v||_M^-1^2 for a positive definite M",
    reads={inner: "<{u}, {v}>", near: "||{u}||_{M}^2", far: "||{v}||_{M}^-1^2"},
    needs=("{M} is positive definite",),
    then=inner**2 <= near * far,
    neighbour=inner**2 <= near * far / 2,
    coq="NamedFacts.v:cauchy_schwarz_in_a_metric",
)

DETERMINANT = Fact(
    name="determinant of a rank-one update",
    source="Horn and Johnson, Matrix Analysis, section 0.8.5",
    statement="det(A + z z') = det A (1 + ||z||_A^-1^2) for a positive definite A",
    reads={after: "det {B}", before: "det {A}", near: "||{z}||_{A}^-1^2"},
    needs=("{B} = {A} + {z} {z}'", "{A} is positive definite"),
    then=Eq(after, before * (1 + near), evaluate=False),
    neighbour=Eq(after, before * (1 + near / 2), evaluate=False),
    coq="Determinants.v:determinant_of_a_rank_one_update",
)

SHERMAN_MORRISON = Fact(
    name="Sherman-Morrison",
    source="Horn and Johnson, Matrix Analysis, section 0.7.4",
    statement="||z||_B^-1^2 (1 + ||z||_A^-1^2) = ||z||_A^-1^2 for B = A + z z' and a positive definite A",
    reads={far: "||{z}||_{B}^-1^2", near: "||{z}||_{A}^-1^2"},
    needs=("{B} = {A} + {z} {z}'", "{A} is positive definite"),
    then=Eq(far * (1 + near), near, evaluate=False),
    neighbour=Eq(far, near, evaluate=False),
    coq="NamedFacts.v:sherman_morrison",
)

LEAST_SQUARES = Fact(
    name="one step of recursive least squares",
    source="Azoury and Warmuth 2001; Cesa-Bianchi and Lugosi, Prediction, Learning, and Games, section 11.7",
    statement="||V - u||_B^2 = ||W - u||_A^2 + e^2 - 2 (c + <W, z>) e + (c + <W, z>)^2 ||z||_B^-1^2, "
    "e = <W, z> - <z, u>, for B = A + z z', A W = -s, B V = -s - c z and a positive definite A",
    reads={after: "||{V} - {u}||_{B}^2", before: "||{W} - {u}||_{A}^2", inner: "<{W}, {z}>", other: "<{z}, {u}>",
           near: "||{z}||_{B}^-1^2", factor: "{c}"},
    needs=("{B} = {A} + {z} {z}'", "{A} is positive definite", "{A} {W} = -{s}", "{B} {V} = -{s} - {c} {z}"),
    then=Eq(after, before + (inner - other) ** 2 - 2 * (factor + inner) * (inner - other)
            + (factor + inner) ** 2 * near, evaluate=False),
    neighbour=Eq(after, before - 2 * (factor + inner) * (inner - other) + (factor + inner) ** 2 * near, evaluate=False),
    coq="NamedFacts.v:least_squares",
)  # fmt: skip

TRACE = Fact(
    name="trace of a rank-one update",
    source="linearity of the trace",
    statement="tr(A + z z') = tr A + ||z||^2",
    reads={after: "tr {B}", before: "tr {A}", squares: "||{z}||^2"},
    needs=("{B} = {A} + {z} {z}'",),
    then=Eq(after, before + squares, evaluate=False),
    neighbour=Eq(after, before + 2 * squares, evaluate=False),
    coq="NamedFacts.v:trace_of_an_update",
)

MULTIPLE = Fact(
    name="norm of a multiple",
    source="homogeneity of the norm",
    statement="||c z||^2 = c^2 ||z||^2",
    reads={squares: "||{g}||^2", factor: "{c}", near: "||{z}||^2"},
    needs=("{g} = {c} {z}",),
    then=Eq(squares, factor**2 * near, evaluate=False),
    neighbour=Eq(squares, factor * near, evaluate=False),
    coq="NamedFacts.v:norm_of_a_multiple",
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

SUM = Fact(
    name="square of a sum",
    source="bilinearity of the inner product",
    statement="||x + g||^2 = ||x||^2 + 2 <x, g> + ||g||^2",
    reads={after: "||{v}||^2", before: "||{x}||^2", inner: "<{x}, {g}>", squares: "||{g}||^2"},
    needs=("{v} = {x} + {g}",),
    then=Eq(after, before + 2 * inner + squares, evaluate=False),
    neighbour=Eq(after, before + inner + squares, evaluate=False),
    coq="NamedFacts.v:square_of_a_sum",
)

ADDITIVE = Fact(
    name="additivity of the inner product",
    source="bilinearity of the inner product",
    statement="<x + g, w> = <x, w> + <g, w>",
    reads={left: "<{v}, {w}>", right: "<{x}, {w}>", inner: "<{g}, {w}>"},
    needs=("{v} = {x} + {g}",),
    then=Eq(left, right + inner, evaluate=False),
    neighbour=Eq(left, right - inner, evaluate=False),
    coq="NamedFacts.v:additivity",
)

DIFFERENCE = Fact(
    name="difference of inner products",
    source="bilinearity of the inner product",
    statement="<g, x - u> = <g, x - o> - <g, u - o>",
    reads={left: "<{g}, {x} - {u}>", right: "<{g}, {x} - {o}>", inner: "<{g}, {u} - {o}>"},
    then=Eq(left, right - inner, evaluate=False),
    neighbour=Eq(left, right + inner, evaluate=False),
    coq="NamedFacts.v:difference_of_inner_products",
)

SCALED = Fact(
    name="homogeneity of the inner product",
    source="bilinearity of the inner product",
    statement="<g, x - o> = c <w, g> for x - o = c w",
    reads={left: "<{g}, {x} - {o}>", right: "<{w}, {g}>", factor: "{c}"},
    needs=("{x} - {o} = {c} {w}",),
    then=Eq(left, factor * right, evaluate=False),
    neighbour=Eq(left, right, evaluate=False),
    coq="NamedFacts.v:homogeneity",
)

JENSEN = Fact(
    name="Jensen, two points",
    source="Hardy, Littlewood, Polya, Inequalities, section 3.6",
    statement="f(p) <= w f(x) + (1 - w) f(y) for a convex f of one variable, p = w x + (1 - w) y and w in [0, 1]",
    reads={middle: "{f}({p})", value: "{f}({x})", other: "{f}({y})", weight: "{w}", point: "{p}", left: "{x}",
           right: "{y}"},
    needs=("{f} is convex",),
    given=(weight >= 0, weight <= 1, Eq(point, weight * left + (1 - weight) * right)),
    then=middle <= weight * value + (1 - weight) * other,
    neighbour=middle <= (1 - weight) * value + weight * other,
    coq="NamedFacts.v:jensen",
)  # fmt: skip

MIRROR = Fact(
    name="Jensen, opposite points",
    source="Hardy, Littlewood, Polya, Inequalities, section 3.6",
    statement="f(0) <= (f(z) + f(-z))/2 for a convex f",
    reads={middle: "{f}(0)", value: "{f}({z})", other: "{f}(-{z})"},
    needs=("{f} is convex",),
    then=middle <= (value + other) / 2,
    neighbour=middle <= (value + other) / 3,
    coq="NamedFacts.v:jensen_opposite",
)

DESCENT = Fact(
    name="descent lemma",
    source="Nesterov, Introductory Lectures on Convex Optimization, section 1.2",
    statement="f(x - g/s) <= f(x) - ||g||^2/(2 s) for an s-smooth f with gradient g at x",
    reads={left: "{f}({x} - {g}/{s})", right: "{f}({x})", squares: "||{g}||^2", smooth: "{s}"},
    needs=("{f} is {s}-smooth", "{g} is the gradient of {f} at {x}"),
    then=left <= right - squares / (2 * smooth),
    neighbour=left <= right - squares / smooth,
    coq="NamedChances.v:descent_lemma",
)

INFIMUM = Fact(
    name="infimum",
    source="its definition",
    statement="inf f <= f(x)",
    reads={left: "inf {f}", right: "{f}({x})"},
    then=left <= right,
    neighbour=right <= left,
    coq="NamedFacts.v:infimum",
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

FREEDMAN = Fact(
    name="Freedman at a fixed rate",
    source="Freedman 1975; Boucheron, Lugosi, Massart, Concentration Inequalities, section 2.8",
    statement="P(sum Z > r V + L/r) <= e^(-L) for martingale differences Z <= 1/r, V the sum of E[Z^2] given the past",
    reads={left: "P(sum {Z} > {r} V + {L}/{r})", step: "{r}", near: "max {Z}", value: "{L}"},
    needs=("{Z} is a martingale difference",),
    given=(step * near <= 1,),
    then=left <= exp(-value),
    neighbour=left <= exp(-4 * value),
    coq="NamedChances.v:freedman",
)

VILLE = Fact(
    name="exponential supermartingale",
    source="Williams, Probability with Martingales, section 14.6",
    statement="P(sum X_t > ln(1/c)) <= c if E[exp(X_t)] given the past is at most 1 in every round",
    reads={left: "P(sum {X} > ln(1/{c}))", near: "max E[exp({X})]", prob: "{c}"},
    given=(near <= 1,),
    then=left <= prob,
    neighbour=left <= prob**2,
    coq="NamedChances.v:exponential_supermartingale",
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
    SUBGRADIENT, STEP, PROJECTION, CAUCHY_SCHWARZ, METRIC, DETERMINANT, SHERMAN_MORRISON, LEAST_SQUARES, TRACE,
    MULTIPLE, OUTER, SUM, ADDITIVE, DIFFERENCE, SCALED, JENSEN, MIRROR, DESCENT, INFIMUM, WEIGHTED,
    WEIGHTED_SQUARE, TOWER, VILLE, FREEDMAN, DELAYED, PRODUCTS, LATE_ESTIMATES,
)  # fmt: skip


def in_coq(names: Iterable[str]) -> dict[str, str]:
    """Those of these names that are facts, with the theorem of the library that proves each: "File.v:theorem"."""
    known = {fact.name: fact.coq for fact in FACTS}
    return {name: known[name] for name in names if name in known}


def marked(names: Iterable[str], proved: Container[str]) -> str:
    """These names for people, "(coq)" behind those that the library proves."""
    return "; ".join(f"{name} (coq)" if name in proved else name for name in names)
