"""Matrices as vectors of ExE, <A, u x v> = u'Av: what the determinant says of one that moves by multiples of z z'.

With A = a I then A + w z z', A s = z and w >= 0, det A grows by the factor 1 + w <z, s> in each round. It is at most
(tr A/N)^N on a space of N dimensions that holds every z: no geometric mean of eigenvalues is above the arithmetic one.
"""

from gaptron.language.rejection import require
from gaptron.papers.facts import named, require_known
from gaptron.papers.formulas import Formula, Hypothesis, level_of, rel
from gaptron.papers.rules import Judgement, hypothesis, require_anything, rule, states_of
from gaptron.papers.terms import CONST, Real, Term, Vector, atom, dot, inv, level, num, outer, total, vec, walk

COQ = {"growth of a determinant": ("growth_of_a_determinant",)}  # as that of facts


@rule
def determinant(
    moves: Hypothesis, w: Real, z: Vector, s: Vector, size: Real, u: Term, v: Term, premises: tuple[Judgement, ...]
) -> Judgement:
    """sum log(1 + w <z, s>) <= N log(1 + sum w <z, z>/(a N)), N = <I, I>."""
    known = (hypothesis(moves), *premises)
    require_known(known, *asked(moves, w, z, s, size, u, v))
    require_of_all((u, v), [moves.formula[2], w, z, s, size], known)
    ((_, a),) = moves.formula[2].items
    grown = num(1) + total(w * dot(z, z)) * inv(a * size)
    then = rel("<=", total(atom("log", num(1) + w * dot(z, s))), size * atom("log", grown))
    return named("growth of a determinant", then, *known)


def asked(moves: Hypothesis, w: Real, z: Vector, s: Vector, size: Real, u: Term, v: Term) -> list[Formula]:
    """a > 0, w >= 0, and for all u and v: u'Iv = <u, v>, s'Au = <z, u>."""
    ((base, start, following),) = states_of([moves])
    require(isinstance(start, Vector) and len(start.items) == 1, "it does not start with a multiple of the identity")
    ((one, a),), matrix, x, y = start.items, vec(base), vec(u), vec(v)
    identity = vec(one)
    require(level(start) == CONST and following == matrix + outer(z, z).scale(w), "it moves otherwise")
    same, solved = (dot(identity, outer(x, y)), dot(x, y)), (dot(matrix, outer(s, x)), dot(z, x))
    equal = [rel("==", *both) for both in (same, solved, (dot(identity, identity), size))]
    return [rel(">", a, num(0)), rel(">=", w, num(0)), *equal]


def require_of_all(anything: tuple[Term, ...], terms: list[Term], premises: tuple[Judgement, ...]) -> None:
    """What is known of symbols holds in every round, for all vectors in their place, of terms without them."""
    require(not any(level_of(f)[0] for p in premises for f in p.local), "it holds in a case of the round only")
    inside = {x for t in terms for x in walk(t) if isinstance(x, tuple)}
    require(len(set(anything)) == len(anything) and not inside & set(anything), "it is not for all vectors")
    for symbol in anything:
        require_anything(symbol, premises)
