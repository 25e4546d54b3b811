"""Matrices as vectors of ExE, <A, u x v> = u'Av: what the determinant says of one that moves by multiples of z z'.

With A = a I then A + w z z', A s = z and w >= 0, det A grows by the factor 1 + w <z, s> in each round. It is at most
(tr A/N)^N on a space of N dimensions that holds every z: no geometric mean of eigenvalues is above the arithmetic one.
"""

from gaptron.language.rejection import require
from gaptron.papers.facts import named, require_known
from gaptron.papers.rules import Judgement, hypothesis, require_anything, rule, states_of
from gaptron.papers.typed_formulas import Formula, Hypothesis, level_of, rel
from gaptron.papers.typed_terms import CONST, Real, Term, Vector, atom, dot, inside, inv, level, num, outer, total, vec

NOTHING = num(0)
COQ = {  # as that of facts
    "growth of a determinant": ("growth_of_a_determinant", "growth_of_a_determinant_beside"),
}


@rule
def determinant(
    moves: Hypothesis, w: Real, z: Vector, s: Vector, size: Real, u: Term, v: Term, premises: tuple[Judgement, ...]
) -> Judgement:
    """sum log(1 + w <z, s>) <= N log(1 + sum w <z, z>/(a N)), N = <I, I>."""
    return _growth(moves, w, z, s, size, (u, v), [], asked(moves, w, z, s, size, u, v), premises)


@rule
def determinant_beside(
    moves: Hypothesis, w: Real, z: Vector, s: Vector, size: Real, u: Term, v: Term, h: Vector, unit: Vector, b: Term,
    c: Term, premises: tuple[Judgement, ...],
) -> Judgement:  # fmt: skip
    """The same with N = <I, I> - <F, F>, F the identity of a space: every z is orthogonal to h x b for all b of it."""
    wanted = [*asked(moves, w, z, s, size, u, v, dot(unit, unit)), *asked_beside(z, h, unit, b, c)]
    return _growth(moves, w, z, s, size, (u, v, b, c), [h, unit], wanted, premises)


def asked(
    moves: Hypothesis, w: Real, z: Vector, s: Vector, size: Real, u: Term, v: Term, less: Real = NOTHING
) -> list[Formula]:
    """a > 0, w >= 0, and for all u and v: u'Iv = <u, v>, s'Au = <z, u>."""
    ((base, start, following),) = states_of([moves])
    require(isinstance(start, Vector) and len(start.items) == 1, "it does not start with a multiple of the identity")
    ((one, a),), matrix, x = start.items, vec(base), vec(u)
    require(following == matrix + outer(z, z).scale(w), "it moves otherwise")
    solved = rel("==", dot(matrix, outer(s, x)), dot(z, x))
    dimensions = rel("==", dot(vec(one), vec(one)) - less, size)
    return [rel(">", a, NOTHING), rel(">=", w, NOTHING), _identity(vec(one), u, v), solved, dimensions]


def asked_beside(z: Vector, h: Vector, unit: Vector, b: Term, c: Term) -> list[Formula]:
    """<h, h> > 0, and for all b and c: b'Fc = <b, c>, <z, h x b> = 0."""
    return [rel(">", dot(h, h), NOTHING), _identity(unit, b, c), rel("==", dot(z, outer(h, vec(b))), NOTHING)]


def _identity(unit: Vector, u: Term, v: Term) -> Formula:
    return rel("==", dot(unit, outer(vec(u), vec(v))), dot(vec(u), vec(v)))


def _growth(
    moves: Hypothesis, w: Real, z: Vector, s: Vector, size: Real, anything: tuple[Term, ...], more: list[Vector],
    wanted: list[Formula], premises: tuple[Judgement, ...],
) -> Judgement:  # fmt: skip
    """All is known in every round, for all vectors in the place of some symbols, of terms without them."""
    known, start = (hypothesis(moves), *premises), moves.formula[2]
    require_known(known, *wanted)
    require(not any(level_of(f)[0] for p in known for f in p.local), "it holds in a case of the round only")
    require(all(level(x) == CONST for x in (start, *more)), "not of fixed vectors")
    used = inside(start, w, z, s, size, *more)
    require(len(set(anything)) == len(anything) and not used & set(anything), "it is not for all vectors")
    for symbol in anything:
        require_anything(symbol, known)
    ((_, a),) = start.items
    grown = num(1) + total(w * dot(z, z)) * inv(a * size)
    then = rel("<=", total(atom("log", num(1) + w * dot(z, s))), size * atom("log", grown))
    return named("growth of a determinant", then, *known)
