"""What the kernel of proofs imports, how long it is, and that each of its rules refuses."""

import ast
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from rule_terms import (
    Make,
    a,
    averaged,
    drawing,
    drawn,
    equation,
    every,
    f,
    geq,
    given,
    growing,
    in_round,
    inside,
    j,
    k,
    moves,
    nonzero,
    norm,
    of_any,
    of_run,
    one,
    orthogonal,
    other,
    powers,
    projected,
    proof_of_one,
    q,
    quotient,
    r,
    same,
    some,
    state,
    top,
    u,
    v,
    w,
    x,
    y,
    z,
    zero,
)
from test_trusted_lines import code_lines

from gaptron import papers
from gaptron.language.rejection import Rejected
from gaptron.papers import facts, rules
from gaptron.papers.normal_forms import relation
from gaptron.papers.typed_formulas import Hypothesis, rel
from gaptron.papers.typed_terms import CONST, app, ind, inv, num, root  # fmt: skip

FOLDER = Path(papers.__file__).parent
KERNEL = {"typed_terms", "typed_formulas", "rules", "facts", "matrices"}
TRUSTED = {*KERNEL, "trees", "statements", "layout"}
MOST_RULES, MOST = 500, 1591  # MOST: of all that is trusted, reader and replay included


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


TABLE: dict[str, tuple[Make, Make]] = {
    "hypothesis": (lambda: given(geq(x)), lambda: given(geq(x), "fact")),
    "definition": (
        lambda: rules.definition(Hypothesis("definition", "a = 1/z", rel("==", a, inv(z))), (nonzero,)),
        lambda: rules.definition(Hypothesis("definition", "a = 1/z", rel("==", a, inv(z))), ()),
    ),
    "assume": (lambda: rules.assume(geq(x)), lambda: rules.assume(geq(x)).__setattr__("then", geq(z))),  # type: ignore[func-returns-value]
    "cases": (
        lambda: rules.cases(geq(z), some, some, ()),
        lambda: rules.cases(geq(inv(z)), some, some, ()),
    ),
    "instance": (lambda: rules.instance(every, drawn, (), ()), lambda: rules.instance(averaged, drawn, (), ())),
    "generalised": (
        lambda: rules.generalised(facts.cauchy_schwarz(u, v, (rules.square(u, ()), rules.square(v, ()))),
                                  ("v", "u", "E", CONST), w, ()),
        lambda: rules.generalised(some, ("r", "x", CONST), r, ()),
    ),
    "rewrite": (lambda: rules.rewrite(given(rel("==", ind(j, k), x)), same), lambda: rules.rewrite(some, some)),
    "unrewrite": (
        lambda: rules.unrewrite(geq(app(f, j)), given(geq(app(f, y))), same, ())
        if ("same", j, y) == same.then else some,
        lambda: rules.unrewrite(geq(app(f, j)), some, same, ()),
    ),
    "different": (lambda: rules.different(other), lambda: rules.different(same)),
    "cite": (
        lambda: rules.cite(some, {("r", "x", CONST): a}, (given(geq(a)),)),
        lambda: rules.cite(some, {("r", "x", CONST): a}, ()),
    ),
    "arithmetic": (
        lambda: rules.arithmetic((), rel("<=", zero, one), proof_of_one),
        lambda: rules.arithmetic((), rel("<=", one, zero), proof_of_one),
    ),
    "linear": (
        lambda: rules.linear((some,), (Fraction(2),), rel(">=", x + x, zero)),
        lambda: rules.linear((some,), (Fraction(-2),), rel("<=", x + x, zero)),
    ),
    "replacing": (lambda: rules.replacing(some, x, given(rel("==", x, a))), lambda: rules.replacing(some, x, some)),
    "replaced": (
        lambda: rules.replaced(geq(a), some, a, equation, ()),
        lambda: rules.replaced(geq(a * inv(z)), given(geq(x)), a, given(rel("==", a, zero)), ()),
    ),
    "roots": (lambda: rules.roots(root(x) * root(x), (some,)), lambda: rules.roots(root(x) * root(x), ())),
    "whole_numbers": (
        lambda: rules.whole_numbers(("int", x + one), (given(("int", x), "declaration"),)),
        lambda: rules.whole_numbers(("int", x * num(Fraction(1, 2))), (given(("int", x), "declaration"),)),
    ),
    "by_type": (lambda: rules.by_type(root(x), 0, (some,)), lambda: rules.by_type(root(x), 0, ())),
    "indicator": (lambda: rules.indicator(some), lambda: rules.indicator(nonzero)),
    "square": (lambda: rules.square(u, ()), lambda: rules.square(u.scale(inv(z)), ())),
    "of_labels": (lambda: rules.of_labels(top, j, (other,), ()), lambda: rules.of_labels(top, y, (), ())),
    "sum_rounds": (lambda: rules.sum_rounds(in_round), lambda: rules.sum_rounds(rules.assume(geq(r)))),
    "one_of_sum": (lambda: rules.one_of_sum(in_round), lambda: rules.one_of_sum(rules.assume(geq(r)))),
    "average": (lambda: rules.average(given(geq(drawn))), lambda: rules.average(rules.assume(geq(drawn)))),
    "expectation": (
        lambda: rules.expectation(given(geq(of_run))), lambda: rules.expectation(rules.assume(geq(of_run))),
    ),
    "telescope": (lambda: rules.telescope(moves, (state,), ()), lambda: rules.telescope(moves * r, (state,), ())),
    "induction": (
        lambda: rules.induction(rules.linear((), (), geq(zero)), given(geq(moves + r)), geq(moves), (state,), True),
        lambda: rules.induction(rules.linear((), (), geq(zero)), rules.assume(geq(moves + r)), geq(moves), (state,),
                                True),
    ),
    "law": (lambda: rules.law(drawing, y), lambda: rules.law(drawing, k)),
    "cauchy_schwarz": (
        lambda: facts.cauchy_schwarz(u, v, (rules.square(u, ()), rules.square(v, ()))),
        lambda: facts.cauchy_schwarz(u, v, ()),
    ),
    "cauchy_schwarz_of_sums": (
        lambda: facts.cauchy_schwarz_of_sums(r, drawn, ()),
        lambda: facts.cauchy_schwarz_of_sums(inv(r), r, (rules.assume(rel("!=", r, zero)),)),
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

SAYS = {  # what the accepted one says, and how many hypotheses and assumptions it rests on
    "arithmetic": ("-(1) <= 0", 0, 0),
    "assume": ("-(x) <= 0", 0, 1),
    "average": ("-(mean(s)) <= 0", 1, 0),
    "bernoulli": ("((x)**(q))*q*z/x + ((x)**(q)) - ((x)**(q))*q - ((z)**(q)) <= 0", 7, 0),
    "by_type": ("-(sqrt(x)) <= 0", 1, 0),
    "cases": ("-(x) <= 0", 1, 0),
    "cauchy_schwarz": ("(u @ v) - sqrt(norm2(u))*sqrt(norm2(v)) <= 0", 1, 0),
    "cauchy_schwarz_of_sums": ("total(r*s)**2 - total(r**2)*total(s**2) <= 0", 1, 0),
    "cite": ("-(a) <= 0", 1, 0),
    "definition": ("a - 1/z == 0", 2, 0),
    "determinant": ("total(log((s @ w)*r + 1)) - log(total(norm2(w)*r)/a/z + 1)*z <= 0", 11, 0),
    "determinant_beside": ("total(log((s @ w)*r + 1)) - log(total(norm2(w)*r)/a/z + 1)*z <= 0", 14, 0),
    "different": ("ind(j == y) == 0", 1, 0),
    "expectation": ("-(expect(end(w))) <= 0", 1, 0),
    "generalised": ("(v @ w) - sqrt(norm2(v))*sqrt(norm2(w)) <= 0", 1, 0),
    "hypothesis": ("-(x) <= 0", 1, 0),
    "indicator": ("ind(x >= 0) - 1 == 0", 1, 0),
    "induction": ("-(end(w)) <= 0", 2, 0),
    "instance": ("-(s) <= 0", 1, 0),
    "law": ("mean(ind(k == y)) - P(y) == 0", 1, 0),
    "linear": ("-(2*x) <= 0", 1, 0),
    "of_labels": ("f(j) - max(f(i) for i in labels if i != y) <= 0", 1, 0),
    "one_of_sum": ("r - total(r) <= 0", 1, 0),
    "positive_power": ("-(((x)**(q))) < 0", 7, 0),
    "power_of_quotient": ("((((z/x)**(1/q)))**(q)) - z/x == 0", 12, 0),
    "projection": ("2*(u @ v) + norm2(w) - norm2(u) - 2*(v @ w) <= 0", 3, 0),
    "replaced": ("-(a) <= 0", 2, 0),
    "replacing": ("-(a) <= 0", 2, 0),
    "rewrite": ("ind(k == y) - x == 0", 2, 0),
    "roots": ("sqrt(x)**2 - x == 0", 1, 0),
    "square": ("-(norm2(u)) <= 0", 0, 0),
    "sum_rounds": ("-(total(r)) <= 0", 1, 0),
    "telescope": ("total(r) - end(w) == 0", 1, 0),
    "triangle": ("N(-(u) - v) - N(-(u)) - N(-(v)) <= 0", 1, 0),
    "unrewrite": ("-(f(j)) <= 0", 2, 0),
}  # fmt: skip; whole_numbers says no relation


def test_the_table_has_every_rule() -> None:
    assert set(TABLE) == set(rules.RULES) == {*SAYS, "whole_numbers"}


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_rule_accepts_and_rejects(name: str) -> None:
    accepted, rejected = TABLE[name]
    assert accepted().made[0] == name
    with pytest.raises(Rejected):
        rejected()


@pytest.mark.parametrize("name", sorted(SAYS))
def test_a_rule_says_what_follows_and_no_more(name: str) -> None:
    found = TABLE[name][0]()
    assert (relation(found.then), len(found.hyps), len(found.local)) == SAYS[name]
