"""Facts of textbooks as rules: typed terms in, a sequent out, whose hypothesis names the fact."""

from gaptron.language.rejection import require
from gaptron.papers.rules import Judgement, require_defined, rule, sequent
from gaptron.papers.typed_formulas import Formula, Hypothesis, rel, terms_in
from gaptron.papers.typed_terms import Real, Term, Vector, app, dot, inv, num, pow_, power, root, total

COQ = {  # fact: theorems of TextbookFacts.v, each of which closes what textbook.py prints for one of its rules
    "Cauchy-Schwarz": ("cauchy_schwarz_of_norms",),
    "Cauchy-Schwarz of sums": ("cauchy_schwarz_of_sums",),
    "triangle inequality": ("triangle_inequality",),
    "projection": ("nearer_after_projection",),
    "Bernoulli": ("bernoulli",),
    "laws of powers": ("positive_power", "power_of_a_quotient", "product_of_a_power", "positive_quotient"),
}


def named(name: str, then: Formula, *premises: Judgement) -> Judgement:
    """What a fact says, where it is defined."""
    require_defined(premises, *terms_in(then))
    return sequent(then, *premises, hyps=[Hypothesis("fact", name, ())])


def require_known(premises: tuple[Judgement, ...], *wanted: Formula) -> None:
    """Each is what a premise says."""
    known = {p.then for p in premises}
    require(all(f in known for f in wanted), "a premise of the fact is not known")


@rule
def cauchy_schwarz(u: Vector, v: Vector, defined: tuple[Judgement, ...]) -> Judgement:
    """<u, v> <= ||u|| ||v||."""
    return named("Cauchy-Schwarz", rel("<=", dot(u, v), root(dot(u, u)) * root(dot(v, v))), *defined)


@rule
def cauchy_schwarz_of_sums(a: Real, b: Real, defined: tuple[Judgement, ...]) -> Judgement:
    """(sum a b)^2 <= (sum a^2)(sum b^2)."""
    then = rel("<=", power(total(a * b), 2), total(a * a) * total(b * b))
    return named("Cauchy-Schwarz of sums", then, *defined)


@rule
def triangle(norm: Term, u: Vector, v: Vector, defined: tuple[Judgement, ...]) -> Judgement:
    """||u + v|| <= ||u|| + ||v||: norms are declared."""
    require(norm[0] == "f" and norm[3] is True, "not a norm")
    return named("triangle inequality", rel("<=", app(norm, u + v), app(norm, u) + app(norm, v)), *defined)


@rule
def projection(projected: Judgement, inside: Judgement, defined: tuple[Judgement, ...]) -> Judgement:
    """The projection W of V on a convex set that holds u: ||W - u|| <= ||V - u||."""
    require(projected.then[:2] == ("is", "projection") and inside.then[0] == "in", "not known")
    _, _, w, v, name = projected.then
    _, u, where = inside.then
    require(name == where, "in another set")
    then = rel("<=", dot(w - u, w - u), dot(v - u, v - u))
    return named("projection", then, projected, inside, *defined)


@rule
def bernoulli(z: Real, r: Real, q: Real, premises: tuple[Judgement, ...]) -> Judgement:
    """z^q >= r^q (1 + q (z/r - 1)), z >= 0, r > 0, q >= 1."""
    require_known(premises, rel(">=", z, num(0)), rel(">", r, num(0)), rel(">=", q, num(1)))
    right = pow_(r, q) * (num(1) + q * (z * inv(r) - num(1)))
    return named("Bernoulli", rel(">=", pow_(z, q), right), *premises)


@rule
def positive_power(z: Real, q: Real, premises: tuple[Judgement, ...]) -> Judgement:
    """z^q > 0, z > 0."""
    require_known(premises, rel(">", z, num(0)))
    return named("laws of powers", rel(">", pow_(z, q), num(0)), *premises)


@rule
def power_of_quotient(a: Real, b: Real, q: Real, which: int, premises: tuple[Judgement, ...]) -> Judgement:
    """r = (a/b)^(1/q), a >= 0, b > 0, q >= 1: r^q = a/b, b r = b^(1 - 1/q) a^(1/q), r > 0 if a > 0."""
    require_known(premises, rel(">=", a, num(0)), rel(">", b, num(0)), rel(">=", q, num(1)))
    r = pow_(a * inv(b), inv(q))
    if which == 0:
        return named("laws of powers", rel("==", pow_(r, q), a * inv(b)), *premises)
    if which == 1:
        right = pow_(b, num(1) - inv(q)) * pow_(a, inv(q))
        return named("laws of powers", rel("==", b * r, right), *premises)
    require(which == 2, "there are three laws")
    require_known(premises, rel(">", a, num(0)))
    return named("laws of powers", rel(">", r, num(0)), *premises)
