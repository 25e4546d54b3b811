"""What the kernel of proofs imports, how long it is, and that each of its rules refuses."""

import ast
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from test_trusted_lines import code_lines

from gaptron import papers
from gaptron.language.rejection import Rejected
from gaptron.papers import facts, matrices
from gaptron.papers.formulas import Formula, Hypothesis, put, rel
from gaptron.papers.rules import (
    RULES,
    Judgement,
    arithmetic,
    assume,
    average,
    by_type,
    cases,
    cite,
    definition,
    different,
    end_of,
    expectation,
    generalised,
    hypothesis,
    indicator,
    induction,
    instance,
    law,
    linear,
    of_labels,
    one_of_sum,
    replaced,
    replacing,
    rewrite,
    roots,
    square,
    sum_rounds,
    telescope,
    unrewrite,
    whole_numbers,
)  # fmt: skip
from gaptron.papers.terms import (
    BOUND,
    CONST,
    DRAWN,
    PAST,
    ROUND,
    RUN,
    Real,
    app,
    atom,
    dot,
    expect,
    ind,
    inv,
    largest,
    mean,
    num,
    on,
    outer,
    pow_,
    root,
    single,
    total,
    vec,
)  # fmt: skip

FOLDER = Path(papers.__file__).parent
KERNEL = {"terms", "formulas", "rules", "facts", "matrices"}
TRUSTED = {*KERNEL, "trees", "statements", "layout"}
MOST_RULES, MOST = 500, 1641  # MOST: of all that is trusted, reader and replay included


def test_the_trusted_part_imports_itself_the_language_the_kernel_and_the_standard_library() -> None:
    for name in sorted(TRUSTED):
        for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for found in names:
                own = found == "gaptron.papers" or found.removeprefix("gaptron.papers.") in TRUSTED
                ours = own or found.startswith(("gaptron.language", "gaptron.kernel"))
                assert ours or found.split(".")[0] in sys.stdlib_module_names, (name, found)


def test_the_rules_are_at_most_500_lines_and_what_is_trusted_does_not_grow_unseen() -> None:
    lines = {name: code_lines(FOLDER / f"{name}.py") for name in TRUSTED}
    assert lines["rules"] + lines["facts"] <= MOST_RULES
    assert sum(lines.values()) <= MOST, lines


# -- accept and reject

x, z, a = atom("r", "x", CONST), atom("r", "z", CONST), atom("r", "a", CONST)
r, drawn, of_run = atom("r", "r", ROUND), atom("r", "s", DRAWN), atom("r", "w@end", RUN)
past = atom("r", "h", PAST)
u, v, w = (vec(("v", name, "E", level)) for name, level in (("u", CONST), ("v", CONST), ("w", ROUND)))
y, k, j = ("lab", "y", CONST), ("lab", "k", DRAWN), ("lab", "j", CONST)
f, norm, P = ("f", "f", CONST, False), ("f", "N", CONST, True), ("f", "P", PAST, False)
zero, one = num(0), num(1)
identity = vec(("v", "I", "ExE", CONST))


def given(formula: Formula, kind: str = "assumption") -> Judgement:
    return hypothesis(Hypothesis(kind, "given", formula))


def geq(p: Real) -> Formula:
    return rel(">=", p, zero)


nonzero = given(rel("!=", z, zero))
some = given(geq(x))
in_round = given(geq(r))
every = given(("all", ("r", "~v", CONST), (), geq(atom("r", "~v", CONST))))
averaged = given(("all", ("r", "~v", PAST), (), geq(mean(atom("max", drawn, atom("r", "~v", PAST))))))
state = Hypothesis("protocol", "w moves", ("state", single(("r", "w", ROUND)), zero, single(("r", "w", ROUND)) + r))
drawing = Hypothesis("protocol", "k is drawn", ("draw", k, P))
moves = single(("r", "w", ROUND))
same = given(("same", j, y))
other = given(("other", j, y))
equation = given(rel("==", a, x))
top = largest(y, app(f, BOUND))
projected, inside = given(("is", "projection", w, u, "C")), given(("in", v, "C"))
q = atom("r", "q", CONST)
BOUNDS = [(">=", z, zero), (">", x, zero), (">=", q, one), (">=", q, zero), (">=", x, zero), ("!=", x, zero)]
powers = tuple(given(rel(*bound)) for bound in BOUNDS)
proof_of_one: Any = {
    "terms": [],
    "tables": [[[], []]],
    "proof": {"rule": "interval", "table": 0, "steps": [], "bits": 48, "box": {}, "mean": None},
}


def of_any(f: Formula, space: str = "E", names: str = "uv") -> Judgement:
    """What is given of all vectors, at two fixed ones."""
    first, second = (("v", name, space, CONST) for name in names)
    bound = {x: ("v", "~" + x[1], space, CONST) for x in (first, second)}
    inner = put(f, {x: vec(y) for x, y in bound.items()})
    every = given(("all", bound[first], (), ("all", bound[second], (), inner)))
    return instance(instance(every, vec(first), (), ()), vec(second), (), ())


def growing(
    same: Judgement | None = None, weight: Judgement = in_round, step: Real = r, anything: Any = ("u", "v"),
    beside: Judgement | None = None,
) -> Judgement:  # fmt: skip
    """The determinant of a matrix that starts as a times the identity and moves by r w w'; beside: <w, h x b> = 0."""
    space = "ExE" if beside else "E"
    moved, solution, here, there = (vec(("v", name, space, level)) for name, level in zip("wsuv", LEVELS, strict=True))
    matrix, identity = (
        vec(("v", name, f"{space}x{space}", level)) for name, level in zip("AI", (ROUND, CONST), strict=True)
    )
    after = matrix + outer(moved, moved).scale(step)
    moving = Hypothesis("protocol", "A moves", ("state", matrix, identity.scale(a), after))
    logs = (one + r * dot(moved, solution), one + total(r * dot(moved, moved)) * inv(a * z))
    known = [rel(">", a, zero), *(rel(">", p, zero) for p in logs), *(rel("!=", p, zero) for p in (a, z))]
    known += [rel("==", dot(identity, identity) - (dot(unit, unit) if beside else zero), z)]
    known += [rel(">", dot(u, u), zero)] if beside else []
    same = same or of_any(rel("==", dot(identity, outer(here, there)), dot(here, there)), space)
    solved = of_any(rel("==", dot(matrix, outer(solution, here)), dot(moved, here)), space)
    symbols = [("v", name, space, CONST) for name in anything]
    premises = (*map(given, known), weight, same, solved)
    if not beside:
        return matrices.determinant(moving, r, moved, solution, z, *symbols, premises)
    products = [("v", name, "E", CONST) for name in "bc"]
    more = (of_any(rel("==", dot(unit, outer(*map(vec, products))), dot(*map(vec, products))), "E", "bc"), beside)
    rule = matrices.determinant_beside
    return rule(moving, r, moved, solution, z, *symbols, u, unit, *products, (*premises, *more))


LEVELS = (ROUND, ROUND, CONST, CONST)
unit, product = vec(("v", "F", "ExE", CONST)), outer(u, vec(("v", "b", "E", CONST)))
orthogonal = rel("==", dot(vec(("v", "w", "ExE", ROUND)), product), zero)

Make = Callable[[], Judgement]
TABLE: dict[str, tuple[Make, Make]] = {
    "hypothesis": (lambda: given(geq(x)), lambda: given(geq(x), "fact")),
    "definition": (
        lambda: definition(Hypothesis("definition", "a = 1/z", rel("==", a, inv(z))), (nonzero,)),
        lambda: definition(Hypothesis("definition", "a = 1/z", rel("==", a, inv(z))), ()),
    ),
    "assume": (lambda: assume(geq(x)), lambda: assume(geq(x)).__setattr__("then", geq(z))),  # type: ignore[func-returns-value]
    "cases": (
        lambda: cases(geq(z), some, some, ()),
        lambda: cases(geq(inv(z)), some, some, ()),
    ),
    "instance": (lambda: instance(every, drawn, (), ()), lambda: instance(averaged, drawn, (), ())),
    "generalised": (
        lambda: generalised(facts.cauchy_schwarz(u, v, (square(u, ()), square(v, ()))), ("v", "u", "E", CONST), w, ()),
        lambda: generalised(some, ("r", "x", CONST), r, ()),
    ),
    "rewrite": (lambda: rewrite(given(rel("==", ind(j, k), x)), same), lambda: rewrite(some, some)),
    "unrewrite": (
        lambda: unrewrite(geq(app(f, j)), given(geq(app(f, y))), same, ()) if ("same", j, y) == same.then else some,
        lambda: unrewrite(geq(app(f, j)), some, same, ()),
    ),
    "different": (lambda: different(other), lambda: different(same)),
    "cite": (
        lambda: cite(some, {("r", "x", CONST): a}, (given(geq(a)),)),
        lambda: cite(some, {("r", "x", CONST): a}, ()),
    ),
    "arithmetic": (
        lambda: arithmetic((), rel("<=", zero, one), proof_of_one),
        lambda: arithmetic((), rel("<=", one, zero), proof_of_one),
    ),
    "linear": (
        lambda: linear((some,), (Fraction(2),), rel(">=", x + x, zero)),
        lambda: linear((some,), (Fraction(-2),), rel("<=", x + x, zero)),
    ),
    "replacing": (lambda: replacing(some, x, given(rel("==", x, a))), lambda: replacing(some, x, some)),
    "replaced": (
        lambda: replaced(geq(a), some, a, equation, ()),
        lambda: replaced(geq(a * inv(z)), given(geq(x)), a, given(rel("==", a, zero)), ()),
    ),
    "roots": (lambda: roots(root(x) * root(x), (some,)), lambda: roots(root(x) * root(x), ())),
    "whole_numbers": (
        lambda: whole_numbers(("int", x + one), (given(("int", x), "declaration"),)),
        lambda: whole_numbers(("int", x * num(Fraction(1, 2))), (given(("int", x), "declaration"),)),
    ),
    "by_type": (lambda: by_type(root(x), 0, (some,)), lambda: by_type(root(x), 0, ())),
    "indicator": (lambda: indicator(some), lambda: indicator(nonzero)),
    "square": (lambda: square(u, ()), lambda: square(u.scale(inv(z)), ())),
    "of_labels": (lambda: of_labels(top, j, (other,), ()), lambda: of_labels(top, y, (), ())),
    "sum_rounds": (lambda: sum_rounds(in_round), lambda: sum_rounds(assume(geq(r)))),
    "one_of_sum": (lambda: one_of_sum(in_round), lambda: one_of_sum(assume(geq(r)))),
    "average": (lambda: average(given(geq(drawn))), lambda: average(assume(geq(drawn)))),
    "expectation": (lambda: expectation(given(geq(of_run))), lambda: expectation(assume(geq(of_run)))),
    "telescope": (lambda: telescope(moves, (state,), ()), lambda: telescope(moves * r, (state,), ())),
    "induction": (
        lambda: induction(linear((), (), geq(zero)), given(geq(moves + r)), geq(moves), (state,), True),
        lambda: induction(linear((), (), geq(zero)), assume(geq(moves + r)), geq(moves), (state,), True),
    ),
    "law": (lambda: law(drawing, y), lambda: law(drawing, k)),
    "cauchy_schwarz": (
        lambda: facts.cauchy_schwarz(u, v, (square(u, ()), square(v, ()))),
        lambda: facts.cauchy_schwarz(u, v, ()),
    ),
    "cauchy_schwarz_of_sums": (
        lambda: facts.cauchy_schwarz_of_sums(r, r, ()),
        lambda: facts.cauchy_schwarz_of_sums(inv(r), r, (assume(rel("!=", r, zero)),)),
    ),
    "triangle": (lambda: facts.triangle(norm, u, v, ()), lambda: facts.triangle(f, u, v, ())),
    "projection": (
        lambda: facts.projection(projected, inside, ()),
        lambda: facts.projection(projected, given(("in", v, "D")), ()),
    ),
    "bernoulli": (lambda: facts.bernoulli(z, x, q, powers), lambda: facts.bernoulli(z, x, q, powers[1:])),
    "positive_power": (lambda: facts.positive_power(x, q, powers), lambda: facts.positive_power(z, q, powers)),
    "determinant": (growing, lambda: growing(weight=some)),
    "determinant_beside": (
        lambda: growing(beside=of_any(orthogonal, "E", "bc")),
        lambda: growing(beside=given(orthogonal)),
    ),
    "power_of_quotient": (lambda: quotient(0), lambda: quotient(2)),
}  # fmt: skip


def quotient(which: int) -> Judgement:
    terms = (z * inv(x), inv(q), one - inv(q))
    more = tuple(given(geq(t)) for t in (*terms, pow_(z * inv(x), inv(q))))
    return facts.power_of_quotient(z, x, q, which, (*powers, given(rel("!=", q, zero)), *more))


def test_the_table_has_every_rule() -> None:
    assert set(TABLE) == set(RULES)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_rule_accepts_and_rejects(name: str) -> None:
    accepted, rejected = TABLE[name]
    assert accepted().made[0] == name
    with pytest.raises(Rejected):
        rejected()


def test_a_state_that_is_cited_for_another_ends_as_that_one() -> None:
    other_moves = atom("r", "t", ROUND)
    there = Hypothesis("protocol", "t moves", ("state", other_moves, zero, other_moves + r))
    cited = cite(telescope(moves, (state,), ()), {("r", "w", ROUND): other_moves}, (hypothesis(there),))
    assert cited.then == telescope(other_moves, (there,), ()).then


REFUSED: dict[str, Make] = {
    "a drawn value in the mean of a condition": lambda: instance(
        given(("all", ("r", "~v", PAST), (averaged.then[3],), geq(atom("r", "~v", PAST)))),
        drawn,
        (given(geq(mean(atom("max", drawn, drawn)))),),
        (),
    ),
    "a fixed value in a sum over rounds": lambda: instance(
        given(("all", ("r", "~v", CONST), (), geq(total(atom("max", r, atom("r", "~v", CONST)))))), x, (), ()
    ),
    "a maximum's own label is another label": lambda: cite(
        of_labels(largest(None, app(f, BOUND)), y, (), ()), {("lab", "y", CONST): BOUND}, ()
    ),
    "a mean is undefined in another draw": lambda: square(u.scale(mean(inv(drawn))), (assume(rel("!=", drawn, zero)),)),
    "an expectation is cited in one outcome": lambda: cite(expectation(given(geq(of_run))), {}, (assume(geq(of_run)),)),
    "the end of a state is a number": lambda: cite(
        telescope(moves, (state,), ()), {("r", "w@end", RUN): one}, (hypothesis(state),)
    ),
    "the number of rounds is a number": lambda: cite(
        by_type(atom("r", "T", CONST), 0, ()), {("r", "T", CONST): -one}, ()
    ),
    "a sum is cited in one round": lambda: cite(sum_rounds(in_round), {("r", "r", ROUND): -r}, (assume(geq(-r)),)),
    "a drawn value for a fixed symbol": lambda: cite(
        sum_rounds(given(geq(x * r))), {("r", "x", CONST): drawn}, (given(geq(drawn * r)),)
    ),
    "a new maximum that may be undefined": lambda: arithmetic(
        (), geq(atom("max", inv(z), zero) * atom("max", inv(z), zero)), proof_of_one
    ),
    "something is assumed of what may be anything": lambda: generalised(assume(geq(x)), ("r", "x", CONST), r, ()),
    "the number of rounds may be anything": lambda: generalised(
        by_type(atom("r", "T", CONST), 0, ()), ("r", "T", CONST), -one, ()
    ),
    "the end of a state may be anything": lambda: generalised(
        square(vec(("v", "w@end", "E", CONST)), ()), ("v", "w@end", "E", CONST), u, ()
    ),
    "what is of a round may be anything": lambda: generalised(square(w, ()), ("v", "w", "E", ROUND), u, ()),
    "a vector of another round is that of this one": lambda: generalised(
        sum_rounds(square(u + w, ())), ("v", "u", "E", CONST), w, ()
    ),
    "a vector of another space": lambda: generalised(
        square(u, ()), ("v", "u", "E", CONST), vec(("v", "o", "F", CONST)), ()
    ),
    "a value that may be undefined": lambda: generalised(square(u, ()), ("v", "u", "E", CONST), v.scale(inv(z)), ()),
    "an identity of two vectors alone": lambda: growing(given(rel("==", dot(identity, outer(u, v)), dot(u, v)))),
    "a matrix that is the identity on squares": lambda: growing(
        of_any(rel("==", dot(identity, outer(u, u)), dot(u, u))), anything=("u", "u")
    ),
    "a matrix that moves by half of what is summed": lambda: growing(step=r * num(Fraction(1, 2))),
    "a number that is no integer": lambda: whole_numbers(
        ("int", x + one), (by_type(atom("r", "T", CONST), 1, ()), by_type(dot(u, u), 1, ()))
    ),
    "a weight that is not negative in this round": lambda: growing(weight=assume(geq(r))),
    "a label of another round is that of this one": lambda: generalised(
        sum_rounds(by_type(ind(j, ("lab", "turn", ROUND)), 0, ())), j, ("lab", "turn", ROUND), ()
    ),
    "a label that is drawn is one that the mean was taken for": lambda: generalised(law(drawing, j), j, k, ()),
    "something is supposed of a label": lambda: generalised(rewrite(given(geq(ind(j, k))), same), y, k, ()),
    "a label of a round may be anything": lambda: generalised(by_type(ind(j, k), 0, ()), k, j, ()),
    "a vector for a label": lambda: generalised(by_type(ind(j, k), 0, ()), j, u, ()),
    "a label that is left out": lambda: generalised(of_labels(top, j, (given(("other", j, y)),), ()), y, j, ()),
    "made by hand": lambda: Judgement(object(), (), (), geq(x)),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_hole_is_closed(name: str) -> None:
    with pytest.raises(Rejected):
        REFUSED[name]()


def test_what_a_determinant_says_rests_on_how_its_matrix_moves() -> None:
    assert [h.text for h in growing().hyps if h.formula[:1] == ("state",)] == ["A moves"]


def test_an_expectation_is_not_rewritten_by_an_outcome() -> None:
    end = vec(end_of(("v", "w", "E", PAST)))
    known = given(rel("==", expect(app(f, end)), x))
    assert rewrite(known, assume(("same", end, u))).then == known.then


def test_what_holds_of_any_label_holds_of_one_of_the_round() -> None:
    turn = ("lab", "turn", ROUND)
    assert generalised(by_type(ind(j, k), 0, ()), j, turn, ()).then == geq(ind(turn, k))


def test_terms_have_one_normal_form() -> None:
    assert on(x) * on(x) == on(x) != on(-x)
    assert (on(zero), on(-one)) == (one, zero)
    assert dot(u - v, u - v) == dot(u, u) - num(2) * dot(u, v) + dot(v, v)
    assert total(r * x + one) == x * total(r) + atom("r", "T", CONST)
    assert mean(past * drawn) == past * mean(drawn)
    assert ind(y, j) * ind(j, y) == ind(y, j)
