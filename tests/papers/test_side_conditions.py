"""What the rules of proofs ask before they conclude: each of these is refused for the want of one thing."""

import itertools
from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

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
    identity,
    in_round,
    inside,
    j,
    k,
    less,
    moves,
    nonzero,
    norm,
    of_any,
    of_run,
    one,
    orthogonal,
    other,
    past,
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

from gaptron.language.rejection import Rejected
from gaptron.papers import facts, matrices
from gaptron.papers.normal_forms import relation
from gaptron.papers.rules import (
    Judgement,
    arithmetic,
    assume,
    average,
    by_type,
    cases,
    cite,
    claim_of,
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
    require_defined,
    rewrite,
    square,
    sum_rounds,
    telescope,
    unrewrite,
    whole_numbers,
    without_squares,
)  # fmt: skip
from gaptron.papers.typed_formulas import Formula, Hypothesis, negation, rel, symbol_of
from gaptron.papers.typed_terms import (
    BINDERS,
    BOUND,
    CONST,
    DRAWN,
    PAST,
    ROUND,
    RUN,
    Real,
    Term,
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
    root,
    single,
    total,
    vec,
)  # fmt: skip
from gaptron.prove.certify import certify


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
        (), geq(atom("max", inv(z), zero) * atom("max", inv(z), zero)), {"rule": "square"}
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


turn, g = ("lab", "turn", ROUND), vec(("v", "g", "E", CONST))
of_label = given(geq(app(f, j)))
in_sum = given(geq(total(app(f, turn))))
strict, halved = given(rel(">", x, zero)), Fraction(-1, 2)
vector = Hypothesis("definition", "g = w/z", ("same", *sorted((g, w.scale(inv(z))), key=repr)))


in_case, some_case = assume(geq(r)), assume(geq(q))


def left(known: Judgement, assumption: Judgement) -> Judgement:
    """What is known, with an assumption that is left."""
    return linear((known, assumption), (one.number, Fraction(0)), known.then)


begun = Hypothesis("protocol", "w moves", ("state", moves, one, moves + r))
beyond = [rel("!=", p, zero) for p in (moves + r, single(end_of(("r", "w", ROUND))))]
maximum = atom("max", inv(z), zero)


def certified(goal: Formula, *premises: Judgement) -> Judgement:
    """By the certificate that search finds."""
    relations = [p.then for p in premises if p.then[0] == "rel"]
    integers = [p.then[1] for p in premises if p.then[0] == "int"]
    return arithmetic(premises, goal, certify(claim_of(relations, goal, integers), 2))


def defines(kind: str, text: str, formula: Formula, *known: Judgement) -> Make:
    return lambda: definition(Hypothesis(kind, text, formula), known)


def function(body: Real) -> dict[Term, Term]:
    """A function of a label in the place of f."""
    return {f: ("fn", ("lab", "~i", CONST), body)}


above = linear((given(rel(">=", z, a)), given(geq(a))), (one.number, one.number), geq(z))
cancelled = geq(a * inv(q) - x * inv(q))
ASKED: dict[str, Make] = {
    "definition: of its kind": defines("protocol", "a = 1/z", rel("==", a, inv(z)), nonzero),
    "definition: an equation": defines("definition", "v in C", ("in", v, "C")),
    "definition: not of itself": defines("definition", "a = sqrt(z)", rel("==", a, root(z)), above),
    "definition: not in a case": defines("definition", "a = 1/z", rel("==", a, inv(z)), assume(rel("!=", z, zero))),
    "definition: of a vector that is defined": lambda: definition(vector, ()),
    "cases: one conclusion": lambda: cases(geq(z), some, in_round, ()),
    "unrewrite: what is stated is defined": lambda: unrewrite(
        geq(inv(app(f, j))), given(geq(inv(app(f, y)))), same, ()
    ),
    "unrewrite: not in other rounds": lambda: unrewrite(
        geq(total(ind(turn, y))), given(geq(total(one))), assume(("same", turn, y)), ()
    ),
    "replaced: what is stated is defined": lambda: replaced(
        cancelled, linear((), (), geq(zero)), a, equation, ()
    ),
    "cite: no assumption left": lambda: cite(left(some, assume(geq(z))), {("r", "x", CONST): a}, (given(geq(a)),)),
    "cite: a function is no norm": lambda: cite(
        given(geq(app(norm, u))), {norm: ("fn", ("v", "~i", "E", CONST), dot(u, u))}, (given(geq(dot(u, u))),)
    ),
    "cite: no sum in a function": lambda: cite(of_label, function(total(r)), (given(geq(total(r))),)),
    "cite: a function is defined": lambda: cite(of_label, function(z * inv(q)), (given(geq(z * inv(q))),)),
    "cite: a function is known in time": lambda: cite(
        in_sum, function(ind(("lab", "~i", CONST), k)), (given(geq(total(ind(turn, k)))),)
    ),
    "cite: a vector of the space": lambda: cite(square(u, ()), {symbol_of(u): vec(("v", "o", "F", CONST))}, ()),
    "cite: a number for a number": lambda: cite(some, {("r", "x", CONST): u}, (given(geq(x)),)),
    "cite: a label for a label": lambda: cite(of_label, {j: f}, (of_label,)),
    "cite: a function for a function": lambda: cite(of_label, {f: j}, (of_label,)),
    "cite: a norm for a norm": lambda: cite(facts.triangle(norm, u, v, ()), {norm: f}, ()),
    "linear: no inequality turned": lambda: linear((some,), (halved,), rel("<=", x * num(Fraction(1, 2)), zero)),
    "linear: strict from what is strict": lambda: linear((some,), (one.number,), rel(">", x, zero)),
    "linear: strict by a factor that is not 0": lambda: linear((some, strict), (one.number, Fraction(0)), strict.then),
    "linear: equal from what is equal": lambda: linear((some,), (one.number,), rel("==", x, zero)),
    "linear: no inequation": lambda: linear((nonzero,), (one.number,), rel("==", z, zero)),
    "linear: nothing is equal to a rest": lambda: linear((equation,), (one.number,), rel("==", a, x + one)),
    "linear: not more than the premises": lambda: linear((some,), (one.number,), rel(">=", x, one)),
    "linear: nothing of an inequation": lambda: linear((nonzero,), (one.number,), rel("<=", z, zero)),
    "linear: equal from what is all equal": lambda: linear(
        (some, equation), (one.number, one.number), rel("==", a, x + x)
    ),
    "linear: strict, and not more than the premises": lambda: linear((strict,), (one.number,), rel(">", x, one)),
    "linear: no inequation is combined": lambda: linear((strict,), (one.number,), ("rel", "!=", -x)),
    "instance: a formula for all": lambda: instance(some, z, (), ()),
    "a premise is a sequent": lambda: average(
        SimpleNamespace(then=geq(drawn), hyps=frozenset(), local=frozenset())  # type: ignore[arg-type]
    ),
    "cite: a value is defined": lambda: cite(some, {("r", "x", CONST): inv(z)}, (given(geq(inv(z))),)),
    "replaced: by its equal": lambda: replaced(geq(a), given(geq(z)), a, equation, ()),
    "whole_numbers: each coefficient": lambda: whole_numbers(
        ("int", x + x * x * num(Fraction(1, 2))), (given(("int", x), "declaration"),)
    ),
    "by_type: a square": lambda: by_type(dot(u, v), 0, ()),
    "by_type: of a norm": lambda: by_type(app(f, j), 0, ()),
    "telescope: each a state": lambda: telescope(moves, (state, drawing), ()),
    "telescope: defined in each round": lambda: telescope(
        inv(moves), (begun,), (assume(rel("!=", moves, zero)), *map(given, beyond))
    ),
    "power_of_quotient: one of three laws": lambda: quotient(3, (*powers, given(rel(">", z, zero)))),
    "arithmetic: a variable is defined": lambda: certified(geq(maximum * maximum)),
    "determinant: of a multiple of the identity": lambda: matrices.determinant(
        Hypothesis("protocol", "A moves", ("state", identity, identity + outer(u, v), identity)), r, w, w, z,
        symbol_of(u), symbol_of(v), (),
    ),
    "determinant: of a fixed start": lambda: growing(fixed=ROUND),
    "determinant: of a fixed start, beside": lambda: growing(beside=of_any(orthogonal, "E", "bc"), fixed=ROUND),
    "determinant: of a solution for all vectors": lambda: growing(solves_itself=True),
    "sum_rounds: no inequation": lambda: sum_rounds(given(rel("!=", r, zero))),
    "sum_rounds: a relation": lambda: sum_rounds(same),
    "average: no case of the draw": lambda: average(left(some, assume(geq(drawn)))),
    "expectation: no case of the run": lambda: expectation(left(some, assume(geq(of_run)))),
    "one_of_sum: no inequation": lambda: one_of_sum(given(rel("!=", r, zero))),
    "induction: from the start": lambda: induction(some, given(geq(moves + r)), geq(moves), (state,), True),
    "induction: to the next": lambda: induction(linear((), (), geq(zero)), some, geq(moves), (state,), True),
    "induction: of the state alone": lambda: induction(
        given(geq(r)), given(geq(moves + r + r)), geq(moves + r), (state,), True
    ),
    "induction: no case of the round": lambda: induction(
        linear((), (), geq(zero)), left(given(geq(moves + r)), in_case),
        geq(moves), (state,), False,
    ),
    "induction: a relation": lambda: induction(given(("in", v, "C")), given(("in", v, "C")), ("in", v, "C"), (), True),
    "telescope: of the state alone": lambda: telescope(moves + r, (state,), ()),
    "telescope: defined in every round": lambda: telescope(inv(moves), (state,), (assume(rel("!=", moves, zero)),)),
    "telescope: a state": lambda: telescope(moves, (drawing,), ()),
    "telescope: a state of the protocol": lambda: telescope(moves, (state._replace(kind="assumption"),), ()),
    "law: of the protocol": lambda: law(drawing._replace(kind="assumption"), y),
    "law: a draw": lambda: law(state, y),
    "law: of a label": lambda: law(drawing, x),
    "of_labels: a maximum over labels": lambda: of_labels(atom("max", x, z), y, (), ()),
    "of_labels: a maximum alone": lambda: of_labels(top + top, j, (other,), ()),
    "of_labels: of a label": lambda: of_labels(largest(None, app(f, BOUND)), x, (), ()),
    "of_labels: not the label left out": lambda: of_labels(top, j, (given(("other", j, k)),), ()),
    "of_labels: defined": lambda: of_labels(largest(None, inv(app(f, BOUND))), j, (), ()),
    "indicator: an inequality": lambda: indicator(equation),
    "whole_numbers: an integer is meant": lambda: whole_numbers(
        ("in", x + one, "C"), (given(("int", x), "declaration"),)
    ),
    "replacing: a relation": lambda: replacing(same, x, given(rel("==", x, a))),
    "replacing: of one atom": lambda: replacing(some, x + z, given(rel("==", x + z, a))),
    "replacing: of the atom alone": lambda: replacing(some, x + x, given(rel("==", x + x, a))),
    "replaced: a relation": lambda: replaced(same.then, same, x, given(rel("==", x, a)), ()),
    "by_type: something that is evident": lambda: by_type(root(x), 1, (some,)),
    "by_type: from the first on": lambda: by_type(ind(j, k), -1, ()),
    "by_type: of an atom alone": lambda: by_type(root(x) + root(x), 0, (some,)),
    "by_type: of what has a type": lambda: by_type(x, 0, ()),
    "arithmetic: relations": lambda: arithmetic((same,), geq(one), proof_of_one),
    "arithmetic: a relation is meant": lambda: arithmetic((), ("int", one), proof_of_one),
    "different: labels": lambda: different(given(("other", v, w))),
    "rewrite: an equation": lambda: rewrite(some, other),
    "instance: its conditions": lambda: instance(
        given(("all", ("r", "~v", CONST), (geq(atom("r", "~v", CONST)),), geq(atom("r", "~v", CONST) * x))), z, (), ()
    ),
    "instance: defined": lambda: instance(every, inv(z), (), ()),
    "instance: of its type": lambda: instance(every, v, (), ()),
    "projection: a projection": lambda: facts.projection(given(("is", "convex", w, u, "C")), inside, ()),
    "projection: a member": lambda: facts.projection(projected, given(("is", "in", v, "C")), ()),
    "determinant: of a state": lambda: matrices.determinant(drawing, r, w, w, z, symbol_of(u), symbol_of(v), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(ASKED))
def test_what_a_rule_asks_is_asked(name: str) -> None:
    with pytest.raises(Rejected):
        ASKED[name]()


@pytest.mark.parametrize(("beside", "premises"), [(None, 9), (of_any(orthogonal, "E", "bc"), 12)])
def test_a_determinant_needs_all_that_is_asked(beside: Judgement | None, premises: int) -> None:
    assert growing(beside=beside, without=premises).then[0] == "rel"
    for n in range(premises):
        with pytest.raises(Rejected):
            growing(beside=beside, without=n)


@pytest.mark.parametrize("number", range(3))
def test_a_power_needs_all_that_is_asked(number: int) -> None:
    fewer = less(powers, number)
    for make in (lambda: facts.bernoulli(z, x, q, fewer), *(partial(quotient, n, fewer) for n in (0, 1))):
        with pytest.raises(Rejected):
            make()


i = ("lab", "~i", CONST)
h, other_turn = ("f", "h", CONST, False), ("lab", "other", ROUND)
beside_h = given(geq(total(ind(turn, other_turn) * app(h, j))))
other_norm = ("f", "M", CONST, True)
GRANTED: dict[str, tuple[Make, str, int, int]] = {  # what it says, how many hypotheses and assumptions it rests on
    "definition: of a vector": (lambda: definition(vector, (nonzero,)), "", 2, 0),
    "cases: another assumption stays": (
        lambda: cases(geq(z), left(left(some, in_case), assume(geq(z))), left(some, assume(negation(geq(z)))), ()),
        "-(x) <= 0", 1, 1,
    ),
    "cite: a function": (
        lambda: cite(of_label, function(ind(i, y)), (given(geq(ind(j, y))),)), "-(ind(j == y)) <= 0", 1, 0,
    ),
    "cite: a function of a round": (
        lambda: cite(in_sum, function(ind(i, y)), (given(geq(total(ind(turn, y)))),)), "-(total(ind(turn == y))) <= 0",
        1, 0,
    ),
    "cite: a function that is defined": (
        lambda: cite(of_label, function(inv(z)), (given(geq(inv(z))), nonzero)), "-(1/z) <= 0", 1, 0,
    ),
    "cite: a function by another name": (
        lambda: cite(given(geq(app(h, j))), {h: ("fn", i, ind(i, y))}, (given(geq(ind(j, y))),)),
        "-(ind(j == y)) <= 0", 1, 0,
    ),
    "cite: a function beside another": (
        lambda: cite(given(geq(total(app(f, turn) * app(h, j)))), function(ind(i, other_turn)), (beside_h,)),
        "-(h(j)*total(ind(other == turn))) <= 0", 1, 0,
    ),
    "cite: another function": (
        lambda: cite(of_label, {f: h}, (given(geq(app(h, j))),)),
        "-(h(j)) <= 0", 1, 0,
    ),
    "cite: another norm": (
        lambda: cite(facts.triangle(norm, u, v, ()), {norm: other_norm}, ()),
        "M(-(u) - v) - M(-(u)) - M(-(v)) <= 0", 1, 0,
    ),
    "cite: in a case, of nothing that is summed": (
        lambda: cite(some, {("r", "x", CONST): r}, (in_case,)), "-(r) <= 0", 0, 1,
    ),
    "linear: strict": (lambda: linear((strict,), (one.number,), strict.then), "-(x) < 0", 1, 0),
    "linear: strict by a rest": (lambda: linear((some,), (one.number,), rel(">", x + one, zero)), "-(x) - 1 < 0", 1, 0),
    "linear: equal": (
        lambda: linear((equation, some), (one.number, Fraction(0)), equation.then), "", 2, 0,
    ),
    "induction: in every round": (
        lambda: induction(linear((), (), geq(zero)), given(geq(moves + r)), geq(moves), (state,), False),
        "-(w) <= 0", 2, 0,
    ),
    "induction: a fixed case stays": (
        lambda: induction(
            linear((), (), geq(zero)), left(left(given(geq(moves + r)), some_case), assume(geq(moves))), geq(moves),
            (state,), False,
        ),
        "-(w) <= 0", 2, 1,
    ),
    "telescope: from where it starts": (lambda: telescope(moves, (begun,), ()), "total(r) + 1 - end(w) == 0", 1, 0),
    "telescope: what is summed stays": (
        lambda: telescope(moves + total(moves), (state,), ()), "total(r) - end(w) == 0", 1, 0,
    ),
    "arithmetic: of integers": (
        lambda: certified(rel(">=", x, one), strict, given(("int", x), "declaration")), "1 - x <= 0", 2, 0,
    ),
    "arithmetic: of what is defined": (
        lambda: certified(geq(maximum * maximum), nonzero), "-(max(1/z, 0)**2) <= 0", 1, 0,
    ),
    "indicator: of what is negative": (lambda: indicator(given(rel("<", x, zero))), "ind(x >= 0) == 0", 1, 0),
    "by_type: at most 1": (lambda: by_type(ind(j, k), 1, ()), "ind(j == k) - 1 <= 0", 0, 0),
    "by_type: the larger of two": (lambda: by_type(atom("max", x, z), 0, ()), "x - max(x, z) <= 0", 0, 0),
    "by_type: the larger of two, the second": (lambda: by_type(atom("max", x, z), 1, ()), "z - max(x, z) <= 0", 0, 0),
    "by_type: the smaller of two": (lambda: by_type(atom("min", x, z), 0, ()), "min(x, z) - x <= 0", 0, 0),
    "by_type: one of two": (
        lambda: by_type(atom("max", x, z), 2, ()), "max(x, z)**2 + x*z - max(x, z)*x - max(x, z)*z == 0", 0, 0,
    ),
    "by_type: a norm": (lambda: by_type(app(norm, u), 0, ()), "-(N(-(u))) <= 0", 0, 0),
    "of_labels: whatever the label": (
        lambda: of_labels(largest(None, app(f, BOUND)), y, (), ()), "f(y) - max(f(i) for i in labels) <= 0", 0, 0,
    ),
    "sum_rounds: an equation": (lambda: sum_rounds(given(rel("==", r, zero))), "total(r) == 0", 1, 0),
    "sum_rounds: strict": (lambda: sum_rounds(given(rel(">", r, zero))), "-(total(r)) <= 0", 1, 0),
    "average: strict": (lambda: average(given(rel(">", drawn, zero))), "-(mean(s)) < 0", 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(GRANTED))
def test_what_a_rule_grants_is_granted(name: str) -> None:
    make, says, hyps, local = GRANTED[name]
    found = make()
    assert (len(found.hyps), len(found.local)) == (hyps, local)
    assert not says or relation(found.then) == says


LEVELS_OF = {"total": (CONST, RUN), "mean": (CONST, PAST, ROUND), "expect": (CONST,)}  # of what may be assumed


@pytest.mark.parametrize(("outer", "inner"), list(itertools.product(BINDERS, BINDERS)))
def test_what_is_bound_is_defined_for_all_that_it_is_bound_for(outer: str, inner: str) -> None:
    """By an assumption about what is fixed, or known where both binders stand."""
    for lev in (CONST, ROUND, PAST, DRAWN, RUN):
        divisor = atom("r", "d", lev)
        term = atom(outer, atom(inner, inv(divisor)))
        known = (assume(rel("!=", divisor, zero)),)
        allowed = lev in LEVELS_OF[outer] and lev in LEVELS_OF[inner]
        with nullcontext() if allowed else pytest.raises(Rejected):
            require_defined(known, term)


def test_a_maximum_over_labels_is_defined_for_all_of_them() -> None:
    largest_of = largest(None, inv(app(f, BOUND)))
    needed = rel("!=", app(f, BOUND), zero)
    require_defined((given(needed),), largest_of)
    with pytest.raises(Rejected):
        require_defined((assume(needed),), largest_of)
    with pytest.raises(Rejected):
        require_defined((), largest_of + inv(app(f, BOUND)), seen=(next(iter(inv(app(f, BOUND)).atoms)),))


def test_squares_of_roots_and_what_is_divided_by_itself() -> None:
    cases_of = {
        root(x): root(x),
        root(x) * root(x) * root(x): x * root(x),
        inv(z) * z: one,
        inv(z) * inv(z) * z: inv(z),
        inv(z) * z * z * z: z * z,
        inv(z) * x: inv(z) * x,
        inv(x + z) * x: inv(x + z) * x,
        inv(x + one) * x: inv(x + one) * x,
        inv(x + z) * (x + z): inv(x + z) * (x + z),
        num(3) * inv(z) * z * root(x) * root(x) + x: num(4) * x,
    }
    assert {p: without_squares(p) for p in cases_of} == cases_of


def test_the_kernel_is_asked_what_formulas_say() -> None:
    """Atoms are variables, everywhere the same; divisions, roots, exponentials and logarithms are what they are."""
    third = Fraction(1, 3)
    p = num(2) * x * x * z - num(third) * inv(z + one) + root(x) + num(third)
    asked = claim_of([rel("<=", p, zero), rel("!=", z, zero)], rel("<", atom("max", x, z), atom("exp", x)), [x])
    terms = [asked.then.left, *(g.left for g in asked.given), *asked.integers]
    assert [(g.sign, g.right) for g in (*asked.given, asked.then)] == [("<=", 0), ("!=", 0), ("<", 0)]
    assert terms == [
        ("+", ("*", Fraction(-1), ("exp", "v0")), "v1"),
        (
            "+",
            ("*", -third, ("^", ("+", "v2", Fraction(1)), -1)),
            ("*", Fraction(2), ("^", "v0", 2), "v2"),
            ("root", "v0", 2),
            third,
        ),
        "v2",
        "v0",
    ]


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
