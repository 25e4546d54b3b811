"""Theorem -> obligations: every statement about real numbers that the lemma needs, each to be decided on its own.

One lemma stands behind all of them (van der Hoeven 2020, Lemma 1): if every round's surrogate gap
P(wrong) - loss(W) + (eta/2) ||g||^2 is at most zero, then the expected mistakes are at most the comparator's loss
plus ||U||^2/(2 eta). The gap depends on (W, x, y) through few scalars only; the reductions are in ``cases``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import sympy as sp
from sympy.core.relational import Relational

from gaptron.losses import BinaryLoss, MarginLoss
from gaptron.pieces import Piece, has_interior, interval, is_empty, pieces
from gaptron.symbols import K, m, p, z
from gaptron.theorem import Lemma, Theorem

s = sp.Symbol("s", real=True)  # top margin m* on a wrong round
t = sp.Symbol("t", real=True)  # minus the margin of the true label on a wrong round
q = sp.Symbol("q", positive=True)  # softmax probability of the true label on a wrong round
b = sp.Symbol("b", real=True)  # a second point of a convex function


LossPart = tuple[str, sp.Expr, sp.Symbol, tuple[Relational, ...]]  # name, expression, variable, domain


@dataclass(frozen=True)
class Claim:
    """``then`` wherever all of ``given`` hold, over the reals."""

    given: tuple[Relational, ...]
    then: Relational

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", tuple(dict.fromkeys(c for c in self.given if c != sp.true)))


@dataclass(frozen=True)
class Obligation:
    """One statement to decide: it holds if all of its claims do. ``unsupported`` says why it cannot be decided."""

    id: str
    statement: str
    claims: tuple[Claim, ...]
    unsupported: str | None = None


def obligations(item: Theorem | Lemma) -> tuple[Obligation, ...]:
    """Everything that must hold for the theorem (or lemma) to be true, in the order it is reported."""
    if isinstance(item, Lemma):
        return tuple(Obligation(i.name, i.statement, (Claim((*i.given, *_classes_of(i)), i.then),))
                     for i in item.implications)
    if item.feedback == "bandit":
        return (Obligation("gap", "the bandit surrogate gap", (), "bandit feedback is not decided yet"),)
    found = [*_loss(item), *_gap_map(item)]
    if item.eta() is None:
        unsupported = "neither learning_rate nor regret is given, and searching for the sharp one is not built yet"
        return (*found, Obligation("gap", "the surrogate gap is at most 0", (), unsupported))
    return (*found, *_learning_rate(item), *_gap(item), *_regret(item))


def _classes_of(implication: object) -> tuple[Relational, ...]:
    relations = (*implication.given, implication.then)  # type: ignore[attr-defined]
    return (K >= 2,) if any(K in relation.free_symbols for relation in relations) else ()


def class_conditions(theorem: Theorem, at_least: int = 2) -> tuple[Relational, ...]:
    """The range of K claimed, as conditions on a real K."""
    first, last = max(theorem.first_class_count, at_least), theorem.last_class_count
    return (K >= first,) if last is None else (K >= first, K <= last)


def claims_more_than_two(theorem: Theorem) -> bool:
    """Whether some K >= 3 is claimed."""
    return not isinstance(theorem.loss, BinaryLoss) and (theorem.last_class_count or 3) >= 3


# --- the loss --------------------------------------------------------------------------------------------------


def loss_parts(theorem: Theorem) -> list[LossPart]:
    """(name, expression, variable, domain) of the loss: two of them for a binary loss."""
    loss = theorem.loss
    if isinstance(loss, MarginLoss):
        return [("phi(m)", loss.phi, m, ())]
    if isinstance(loss, BinaryLoss):
        return [("plus(z)", loss.plus, z, ()), ("minus(z)", loss.minus, z, ())]
    return [("psi(p)", loss.psi, p, (p > 0, p < 1))]


def _loss(theorem: Theorem) -> Iterator[Obligation]:
    parts = loss_parts(theorem)
    classes = class_conditions(theorem)
    defined = [c for _, expr, _, domain in parts for c in _defined(expr, domain + classes)]
    if defined:
        yield Obligation("loss/defined", f"{_names(parts)} is a finite real number everywhere", tuple(defined))
    nonnegative = [Claim(piece.conditions + domain + classes, sp.Ge(piece.value, 0, evaluate=False))
                   for _, expr, _, domain in parts for piece in _defined_pieces(expr, domain)]
    yield Obligation("loss/nonnegative", f"{_names(parts)} >= 0", tuple(nonnegative))
    yield _convexity(theorem, parts)
    if claims_more_than_two(theorem):
        yield _nonincreasing(theorem)


def _names(parts: list[LossPart]) -> str:
    return " and ".join(name for name, *_ in parts)


def _defined_pieces(expr: sp.Expr, domain: tuple[Relational, ...]) -> list[Piece]:
    return [piece for piece in pieces(expr)
            if not piece.value.has(sp.nan) and not is_empty(piece.conditions + domain)]


def smooth_pieces(expr: sp.Expr, domain: tuple[Relational, ...] = ()) -> list[Piece]:
    """The pieces with interior: where derivatives are taken, and closed to reach every one-sided derivative."""
    return [piece for piece in _defined_pieces(expr, domain) if has_interior(piece.conditions)]


def _convex_statement(theorem: Theorem) -> str:
    loss = theorem.loss
    if isinstance(loss, MarginLoss):
        return "phi is convex: phi(b) >= phi(m) + phi'(m) (b - m)"
    if isinstance(loss, BinaryLoss):
        return "plus and minus are convex"
    return "the loss is convex in the scores: p(1-p) psi'' + (1-2p) psi' >= 0, kinks upward"


def _convexity(theorem: Theorem, parts: list[LossPart]) -> Obligation:
    statement = _convex_statement(theorem)
    try:
        claims = tuple(c for _, expr, variable, domain in parts for c in _convex(theorem, expr, variable, domain))
    except NotImplementedError as reason:
        return Obligation("loss/convex", statement, (), str(reason))
    return Obligation("loss/convex", statement, claims)


def _convex(theorem: Theorem, expr: sp.Expr, variable: sp.Symbol, domain: tuple[Relational, ...]) -> Iterator[Claim]:
    smooth = smooth_pieces(expr, domain)
    classes = class_conditions(theorem)
    if variable != p and all(is_algebraic(piece.value) for piece in smooth):
        yield from _tangents(smooth, variable, classes)
        return
    for piece in smooth:
        slope, bend = sp.diff(piece.value, variable), sp.diff(piece.value, variable, 2)
        curvature = p * (1 - p) * bend + (1 - 2 * p) * slope if variable == p else bend
        yield Claim(piece.closed() + domain + classes, sp.Ge(curvature, 0, evaluate=False))
    yield from _kinks(smooth, variable)


def _tangents(smooth: list[Piece], variable: sp.Symbol, classes: tuple[Relational, ...]) -> Iterator[Claim]:
    """The graph lies above each tangent: for every pair of pieces."""
    for piece in smooth:
        tangent = piece.value + sp.diff(piece.value, variable) * (b - variable)
        for other in smooth:
            elsewhere = tuple(c.subs(variable, b) for c in other.closed())
            yield Claim(piece.closed() + elsewhere + classes,
                        sp.Ge(other.value.subs(variable, b), tangent, evaluate=False))


def _kinks(smooth: list[Piece], variable: sp.Symbol) -> Iterator[Claim]:
    """Where two pieces meet, the values agree and the slope does not drop from left to right."""
    located = sorted(((interval(piece.conditions, variable), piece.value) for piece in smooth), key=lambda pair: pair[0])
    for ((_, end), left), ((start, _), right) in pairwise(located):
        if end != start:
            raise NotImplementedError(f"the pieces of the loss do not meet end to end in {variable}")
        slopes = (sp.diff(part, variable).subs(variable, end) for part in (left, right))
        yield Claim((), sp.Eq(left.subs(variable, end), right.subs(variable, end), evaluate=False))
        yield Claim((), sp.Le(*slopes, evaluate=False))


def _nonincreasing(theorem: Theorem) -> Obligation:
    (name, expr, variable, domain), = loss_parts(theorem)
    claims = tuple(Claim(piece.closed() + domain + class_conditions(theorem, 3),
                         sp.Le(sp.diff(piece.value, variable), 0, evaluate=False))
                   for piece in smooth_pieces(expr, domain))
    why = "the margin is concave in W" if variable == m else "log-sum-exp is convex in W"
    return Obligation("loss/nonincreasing", f"{name[:3]}' <= 0, needed for K >= 3 because {why}", claims)


def is_algebraic(expr: sp.Basic) -> bool:
    """No exp or log of a variable, no variable in an exponent."""
    return not any((isinstance(part, (sp.exp, sp.log)) and part.free_symbols)
                   or (isinstance(part, sp.Pow) and not part.exp.is_Rational and part.free_symbols)
                   for part in sp.preorder_traversal(expr))


def _defined(expr: sp.Expr, given: tuple[Relational, ...]) -> Iterator[Claim]:
    """No division by zero, no logarithm or even root of a negative number, and a value for every point."""
    for piece in pieces(expr):
        here = piece.conditions + given
        if piece.value.has(sp.nan):
            yield Claim(here, sp.Le(1, 0, evaluate=False))
            continue
        for part in sp.preorder_traversal(piece.value):
            requirement = _requirement(part)
            if requirement is not None and not _is_evident(requirement):
                yield Claim(here, requirement)


def _is_evident(requirement: Relational) -> bool:
    """Powers and logarithms of p or K alone, and of positive constants, need no proof: p > 0 and K >= 2."""
    base = requirement.lhs
    return base in (p, K) or (base.is_number and requirement.func(base, 0) == sp.true)


def _requirement(part: sp.Basic) -> Relational | None:
    if isinstance(part, sp.log):
        return sp.Gt(part.args[0], 0, evaluate=False)
    if isinstance(part, sp.Pow) and not isinstance(part, sp.exp):
        if part.exp.is_Integer:
            return sp.Ne(part.base, 0, evaluate=False) if part.exp.is_negative else None
        return (sp.Ge if part.exp.is_positive else sp.Gt)(part.base, 0, evaluate=False)
    return None


# --- the parameters --------------------------------------------------------------------------------------------


def _gap_map(theorem: Theorem) -> Iterator[Obligation]:
    variable = p if theorem.gap_map.expression.has(p) else m
    domain = (p >= 1 / K, p < 1) if variable == p else (m >= 0,)
    given = domain + class_conditions(theorem)
    defined = tuple(_defined(theorem.gap_map.expression, given))
    if defined:
        yield Obligation("gap map/defined", "a is a finite real number everywhere", defined)
    claims = [Claim(piece.conditions + given, relation)
              for piece in _defined_pieces(theorem.gap_map.expression, domain)
              for relation in (sp.Ge(piece.value, 0, evaluate=False), sp.Le(piece.value, 1, evaluate=False))]
    yield Obligation("gap map/range", "0 <= a <= 1", tuple(claims))


def _learning_rate(theorem: Theorem) -> Iterator[Obligation]:
    yield Obligation("learning rate/positive", f"eta = {theorem.eta()} > 0",
                     tuple(Claim(piece.conditions + class_conditions(theorem), sp.Gt(piece.value, 0, evaluate=False))
                           for piece in pieces(theorem.eta())))


def _regret(theorem: Theorem) -> Iterator[Obligation]:
    if theorem.regret is None:
        return
    claims = tuple(Claim(rate.conditions + regret.conditions + class_conditions(theorem),
                         sp.Le(1 / (2 * rate.value), regret.value, evaluate=False))
                   for rate in pieces(theorem.eta()) for regret in pieces(theorem.regret))
    due = sp.cancel(sp.together(1 / (2 * theorem.eta())))
    yield Obligation("regret", f"1/(2 eta) = {due} <= {theorem.regret}", claims)


# --- the cases of the surrogate gap ----------------------------------------------------------------------------


def _gap(theorem: Theorem) -> Iterator[Obligation]:
    for kind, found in gap_cases(theorem).items():
        for number, (statement, claims) in enumerate(found, 1):
            yield Obligation(f"gap/{kind}/{number}", statement, claims)


GapCase = tuple[str, tuple[Claim, ...]]


def gap_cases(theorem: Theorem) -> dict[str, list[GapCase]]:
    """The statement and the claims of every case, right rounds and wrong rounds apart."""
    build = {MarginLoss: _margin_cases, BinaryLoss: _binary_cases}.get(type(theorem.loss), _softmax_cases)
    return build(theorem)


def _case(region: tuple[Relational, ...], gap: sp.Expr, claims: list[Claim]) -> GapCase:
    where = ", ".join(map(_relation, dict.fromkeys(c for c in region if c != sp.true)))
    return f"{gap} <= 0 for {where}", tuple(claims)


def _relation(relation: Relational) -> str:
    return sp.sstr(relation, order="none")


def _margin_cases(theorem: Theorem) -> dict[str, list[GapCase]]:
    """Right: s = m* >= 0. Wrong: t = -m(W, y) >= s, with t = s if K = 2. ||g||^2 = 2 phi'^2 at ||x|| = 1.

    Every rival's subgradient of the margin is a convex combination of e_y - e_k, whose norm is largest at a vertex,
    and phi' ranges between its one-sided limits: closed pieces cover every subgradient.
    """
    loss, a, eta = theorem.loss, theorem.gap_map.expression, theorem.eta()
    beta = loss.off_above
    right, wrong = [], []
    for gap_map in _defined_pieces(a, (m >= 0,)):
        for piece in smooth_pieces(loss.phi):
            region = (*gap_map.conditions, *piece.closed(), m >= 0, *(() if beta is None else (m <= beta,)))
            slope = sp.diff(piece.value, m)
            gap = gap_map.value * (K - 1) / K - piece.value + eta * slope**2
            if not is_empty(region):
                right.append(_case(region, gap, [Claim(region + class_conditions(theorem), _at_most_zero(gap))]))
            wrong += _wrong_margin_case(theorem, gap_map, piece)
        if beta is not None and not is_empty((*gap_map.conditions, m >= 0, m > beta)):
            region = (*gap_map.conditions, m >= 0, m > beta)
            gap = gap_map.value * (K - 1) / K
            right.append(_case(region, gap, [Claim(region + class_conditions(theorem), _at_most_zero(gap))]))
    return {"right": right, "wrong": wrong}


def _at_most_zero(gap: sp.Expr) -> Relational:
    return sp.Le(gap, 0, evaluate=False)


def _wrong_margin_case(theorem: Theorem, gap_map: Piece, piece: Piece) -> list[GapCase]:
    phi, slope = piece.value.subs(m, -t), sp.diff(piece.value, m).subs(m, -t)
    gap = 1 - gap_map.value.subs(m, s) / K - phi + theorem.eta() * slope**2
    region = (*(c.subs(m, s) for c in gap_map.conditions), *(c.subs(m, -t) for c in piece.closed()), s >= 0, t >= 0)
    if is_empty(region):
        return []
    claims = _two_class_claims(theorem, region, gap, {s: t})
    if claims_more_than_two(theorem):
        claims.append(Claim((*region, s <= t, *class_conditions(theorem, 3)), _at_most_zero(gap)))
    return [_case((*region, s <= t), gap, claims)] if claims else []


def _two_class_claims(theorem: Theorem, region: tuple[Relational, ...], gap: sp.Expr,
                      forced: dict[sp.Symbol, sp.Expr]) -> list[Claim]:
    """The claim for K = 2, where the scores leave one scalar free; none if it is empty or K = 2 is not claimed."""
    two = tuple(c.subs({K: 2} | forced) for c in region)
    return [Claim(two, _at_most_zero(gap.subs({K: 2} | forced)))] if theorem.claims(2) and not is_empty(two) else []


def _binary_cases(theorem: Theorem) -> dict[str, list[GapCase]]:
    """z >= 0 predicts +1, z < 0 predicts -1; m* = abs(z), ||g||^2 = loss'(z)^2 at ||x|| = 1."""
    loss, eta = theorem.loss, theorem.eta()
    right, wrong = [], []
    for side, label in ((loss.plus, 1), (loss.minus, -1)):
        for predicted, domain, top in ((1, z >= 0, z), (-1, z < 0, -z)):
            for gap_map in pieces(theorem.gap_map.expression):
                for piece in smooth_pieces(side):
                    region = (*(c.subs(m, top) for c in gap_map.conditions), *piece.closed(), domain)
                    if is_empty(region):
                        continue
                    a = gap_map.value.subs(m, top)
                    risk = a / 2 if predicted == label else 1 - a / 2
                    gap = risk - piece.value + eta.subs(K, 2) / 2 * sp.diff(piece.value, z) ** 2
                    case = _case(region, gap, [Claim(region, _at_most_zero(gap))])
                    (right if predicted == label else wrong).append((f"label {label:+d}: {case[0]}", case[1]))
    return {"right": right, "wrong": wrong}


def _softmax_cases(theorem: Theorem) -> dict[str, list[GapCase]]:
    """Right: p = p_y = p*. Wrong: q = p_y, p = p*. ||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S) at ||x|| = 1.

    S is the sum of the other squared probabilities, bounded by the largest value that a sum and a largest term allow:
    with sum R and terms <= c it is R^2 if R <= c, c^2 + (R - c)^2 if c <= R <= 2c, and at most c R always.
    """
    right, wrong = [], []
    for gap_map in _defined_pieces(theorem.gap_map.expression, (p >= 1 / K, p < 1)):
        for piece in smooth_pieces(theorem.loss.psi, (p > 0, p < 1)):
            right += _right_softmax_cases(theorem, gap_map, piece)
            wrong += _wrong_softmax_cases(theorem, gap_map, piece)
    return {"right": right, "wrong": wrong}


def _right_softmax_cases(theorem: Theorem, gap_map: Piece, piece: Piece) -> list[GapCase]:
    cases = []
    half, third = sp.Rational(1, 2), sp.Rational(1, 3)
    squares = [((p >= half,), (1 - p) ** 2), ((p >= third, p < half), p**2 + (1 - 2 * p) ** 2),
               ((p < third,), p * (1 - p))]
    for where, others in squares:
        region = (*gap_map.conditions, *piece.closed(), *where, p >= 1 / K, p < 1)
        if is_empty(region):
            continue
        weight = (sp.diff(piece.value, p) * p) ** 2
        gap = gap_map.value * (K - 1) / K - piece.value + theorem.eta() / 2 * weight * ((1 - p) ** 2 + others)
        cases.append(_case(region, gap, [Claim(region + class_conditions(theorem), _at_most_zero(gap))]))
    return cases


def _wrong_softmax_cases(theorem: Theorem, gap_map: Piece, piece: Piece) -> list[GapCase]:
    cases = []
    psi, weight = piece.value.subs(p, q), (sp.diff(piece.value, p).subs(p, q) * q) ** 2
    rest = 1 - q - p
    domain = (q <= p, p <= 1 - q, p >= 1 / K, q <= sp.Rational(1, 2), p < 1)
    for where, others in (((p >= rest,), p**2 + rest**2), ((p < rest,), p**2 + p * rest)):
        region = (*gap_map.conditions, *(c.subs(p, q) for c in piece.closed()), *where, *domain)
        gap = 1 - gap_map.value / K - psi + theorem.eta() / 2 * weight * ((1 - q) ** 2 + others)
        if is_empty(region):
            continue
        claims = _two_class_claims(theorem, region, gap, {p: 1 - q})
        if claims_more_than_two(theorem):
            claims.append(Claim(region + class_conditions(theorem, 3), _at_most_zero(gap)))
        if claims:
            cases.append(_case(region, gap, claims))
    return cases
