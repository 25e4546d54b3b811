"""Steps that no kernel has as a rule, as lemmas of its rules: cleared denominators, powers of K, u = exp(rate v).

Each has two parts: what is to be proved instead of a claim, and the claim's proof from those of what was to be proved.
"""

from collections.abc import Sequence
from fractions import Fraction

from gaptron.kernel import Claim, Relation
from gaptron.language.rejection import Rejected, require
from gaptron.language.relations import requirements
from gaptron.language.terms import ZERO, Term, from_text, names, substitute, term_data, text
from gaptron.prove.goals import facts_of, move_goals, way_of
from gaptron.prove.hypotheses import Hypotheses, bound_on, starts_at
from gaptron.prove.proofs import Proof, after
from gaptron.prove.rational_functions import (
    Polynomial,
    add,
    canonical,
    constant,
    multiply,
    polynomial,
    polynomial_term,
    quotient,
    times,
)


class Entangled(Rejected):
    """A variable in an exponential, a logarithm or a root."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is in an atom")


def cleared(claim: Claim) -> Claim:
    """f <= 0 without its denominators, whose signs the hypotheses know: a polynomial over atoms is >= 0, or > 0.

    Raises
    ------
    Rejected
        If the hypotheses do not say that f is defined, or the conclusion is no inequality.
    """
    hypotheses = Hypotheses(claim.given)
    f, strict = claim.then.upper()
    hypotheses.require_defined(f)
    fact = hypotheses.fact(Relation("<=", f, ZERO))
    assert fact is not None  # noqa: S101
    return claim.instead(Relation(">" if strict else ">=", polynomial_term(fact[1]), ZERO))


def by_clearing(claim: Claim, proof: Proof) -> Proof:
    """From a proof of ``cleared``: divided by the denominator, it contradicts the negated conclusion."""
    goal = cleared(claim).then
    more = claim.also(goal)
    return after([(goal, proof)], _sum(more, [[_fact(more, len(claim.given))]]))


def coefficient_goals(claim: Claim, name: str, start: Fraction) -> list[Claim]:
    """f <= 0 for every v >= start if, from the hypotheses without v, its coefficients in powers of v - start are.

    Lowest first; f is cleared of denominators, and the lowest is < 0 if f is to be.

    Raises
    ------
    Rejected
        As ``cleared``; if v >= start is not given, or v is in an exponential, a logarithm or a root.
    """
    require(any(starts_at(relation, name) == start for relation in claim.given), f"{name} >= {start} is not given")
    goal, rest = cleared(claim).then, claim.without(name)
    shifted = polynomial(substitute(goal.left, name, ("+", name, start)))
    return [
        rest.instead(Relation(goal.sign if degree == 0 else ">=", polynomial_term(coefficient), ZERO))
        for degree, coefficient in enumerate(_coefficients(shifted, name))
    ]


def by_coefficients(claim: Claim, name: str, start: Fraction, parts: Sequence[Proof]) -> Proof:
    """From proofs of ``coefficient_goals``: the sum of c_k (v - start)^k contradicts the negated conclusion."""
    goals = [goal.then for goal in coefficient_goals(claim, name, start)]
    bound = next(index for index, relation in enumerate(claim.given) if starts_at(relation, name) == start)
    more = claim.also(*goals)
    keep = [index for index, relation in enumerate(claim.given) if name not in relation.names]
    proofs: list[Proof] = [{"rule": "weaken", "keep": keep, "proof": part} for part in parts]
    products = [
        [_fact(more, len(claim.given) + degree), *[_fact(more, bound)] * degree] for degree in range(len(goals))
    ]
    return after([*zip(goals, proofs, strict=True)], _sum(more, products))


def exponential_goal(claim: Claim, name: str, rate: Fraction, new: str) -> Claim:
    """f <= 0 in terms of u = exp(rate v): v = log(u)/rate, and bounds of v by constants are bounds of u.

    Raises
    ------
    Rejected
        If the rate is 0, the name of u is not new, or f may be undefined or no inequality is claimed.
    """
    require(rate != 0 and new not in claim.names, f"{new} is not new")
    f, strict = claim.then.upper()
    Hypotheses(claim.given).require_defined(f)
    given = [Relation(">", new, ZERO)]
    for relation in claim.given:
        bound = bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            sign = "<=" if (bound[0] == "up") == (rate > 0) else ">="
            given.append(Relation(sign, new, canonical(("exp", ("*", rate, bound[1])))))
        elif name not in relation.names:
            given.append(relation)
    then = Relation("<" if strict else "<=", _in_terms_of(canonical(f), name, rate, new), ZERO)
    return Claim(tuple(given), then, claim.without(name).integers)


def by_exponential(claim: Claim, name: str, rate: Fraction, new: str, proof: Proof) -> Proof:
    """From a proof of ``exponential_goal``: the bounds of u are lemmas, and what holds of any such u holds of it."""
    goal, whole = exponential_goal(claim, name, rate, new), ("exp", ("*", rate, name))
    said = [
        Relation(r.sign, *(substitute(side, new, whole) for side in (r.left, r.right)))
        for r in (*goal.given, goal.then)
    ]
    bounds = iter([n for n, r in enumerate(claim.given) if (b := bound_on(r, name)) is not None and not names(b[1])])
    *given, then = said
    positive, *limits = (relation for relation, of in zip(given, goal.given, strict=True) if new in of.names)
    proofs = [_last(claim.instead(positive)), *(_moved(claim.instead(limit), name, next(bounds)) for limit in limits)]
    more = claim.also(positive, *limits)
    above = _above_zero(more, then)
    for relation in above:
        proofs.append(_last(more.instead(relation)))
        more = more.also(relation)
    inside: Proof = {"rule": "weaken", "keep": [_last_index(more, relation) for relation in given], "proof": proof}
    inside = {"rule": "generalize", "term": term_data(whole), "new": new, "proof": inside}
    last, powers = more.also(then), _powers(claim.then, name, rate)
    relations, proofs = [positive, *limits, *above, then], [*proofs, inside]
    for power in powers:
        proofs.append(power_proof(last, name, power))
        relations.append(equation(power))
        last = last.also(relations[-1])
    return after([*zip(relations, proofs, strict=True)], _up_to_powers(last, _fact(last, len(more.given)), powers))


Power = tuple[Term, Term, int]  # exp(v/d) is the power q/d of exp(v/q)


def _powers(then: Relation, name: str, rate: Fraction) -> list[Power]:
    """The atoms of a conclusion that are powers of the one with the rate's denominator, which no kernel sees."""
    numerator, denominators = quotient(then.upper()[0])
    monomials = [monomial for part in (numerator, *map(dict, denominators)) for monomial in part]
    found, whole = {atom for monomial in monomials for atom, _ in monomial}, rate.denominator
    atoms = {d: canonical(("exp", ("*", Fraction(1, d), name))) for d in range(1, whole + 1) if whole % d == 0}
    return [(atom, atoms[whole], whole // d) for d, atom in atoms.items() if d < whole and text(atom) in found]


def equation(power: Power) -> Relation:
    """What ``power_proof`` proves."""
    atom, least, exponent = power
    return Relation("=", atom, ("^", least, exponent))


def power_proof(claim: Claim, name: str, power: Power) -> Proof:
    """exp(n r v) = exp(r v)^n: the quotient is 1 where v = 0, and does not change with v."""
    atom, least, exponent = power
    relations = [Relation(sign, ("*", atom, ("^", least, -exponent)), Fraction(1)) for sign in ("<=", ">=")]
    parts = [_from_zero(claim.also(*relations[:place]).instead(one), name) for place, one in enumerate(relations)]
    more = claim.also(*relations)
    ends = []
    for place, relation in enumerate(relations):
        goal = more.instead(Relation(relation.sign, atom, ("^", least, exponent)))
        ends.append(_sum(goal, [[_fact(goal, len(claim.given) + place)]]))
    return after([*zip(relations, parts, strict=True)], {"rule": "both", "upper": ends[0], "lower": ends[1]})


def _from_zero(claim: Claim, name: str) -> Proof:
    """What is so where v = 0, and does not change with v."""
    below, above = (_moved(claim.also(Relation(sign, name, ZERO)), name, len(claim.given)) for sign in ("<=", ">="))
    return {"rule": "cases", "split": term_data(name), "below": below, "above": above}


def _up_to_powers(claim: Claim, fact: int, powers: Sequence[Power]) -> Proof:
    """A fact and the negated conclusion are opposite, up to a factor, once atoms are written as powers of one."""
    proof = _sum(claim, [[fact]])
    if not powers:
        return proof
    facts, least = facts_of(claim, []), text(powers[0][1])
    positive = facts.index((">", {((least, 1),): Fraction(1)}))
    products = [product for _, product, _ in proof["summands"]]
    parts = [_rest(facts[place][1], powers)[0] for (place,) in products]
    degrees = [min((dict(monomial).get(least, 0) for monomial in part), default=0) for part in parts]
    total: Polynomial = {}
    for product, degree in zip(products, degrees, strict=True):
        product += [positive] * (max(degrees) - degree)
        value = constant(1)
        for place in product:
            value = multiply(value, facts[place][1])
        total = add(total, value)
    first = _fact(claim, len(claim.given) - len(powers))
    factors = _rest(total, powers)[1]
    equations = [
        [first + n, term_data(polynomial_term(multiply(factor, constant(-_sign(facts[first + n][1], powers[n])))))]
        for n, factor in enumerate(factors)
    ]
    return {**proof, "equations": equations}


def _sign(equation: Polynomial, power: Power) -> Fraction:
    """Of the atom in its equation."""
    return equation[((text(power[0]), 1),)]


def _rest(value: Polynomial, powers: Sequence[Power]) -> tuple[Polynomial, list[Polynomial]]:
    """With w^n for every atom a, and the factors of a - w^n that this takes away."""
    factors: list[Polynomial] = []
    for atom, least, exponent in powers:
        name, rest, factor = text(atom), constant(0), constant(0)
        for monomial, coefficient in value.items():
            degree = dict(monomial).get(name, 0)
            alone = tuple(one for one in monomial if one[0] != name)
            for n in range(degree):
                other = times(times(alone, ((name, n),)), ((text(least), exponent * (degree - 1 - n)),))
                factor = add(factor, {other: coefficient})
            rest = add(rest, {times(alone, ((text(least), exponent * degree),)): coefficient})
        value, factors = rest, [*factors, factor]
    return value, factors


def _coefficients(value: Polynomial, name: str) -> list[Polynomial]:
    """The coefficients of the powers of a variable, which occurs in no other atom."""
    variable = text(name)
    found: dict[int, Polynomial] = {0: {}}
    for monomial, coefficient in value.items():
        if any(atom != variable and name in names(from_text(atom)) for atom, _ in monomial):
            raise Entangled(name)
        rest = tuple((atom, exponent) for atom, exponent in monomial if atom != variable)
        found.setdefault(dict(monomial).get(variable, 0), {})[rest] = coefficient
    return [found.get(degree, {}) for degree in range(max(found) + 1)]


def _in_terms_of(term: Term, name: str, rate: Fraction, new: str) -> Term:
    """exp(n * rate * v) as the n-th power of the new variable, and any other v as its logarithm over the rate."""
    if term == name:
        return ("*", 1 / rate, ("log", new))
    if not isinstance(term, tuple):
        return term
    power = _exponent(term, name) / rate
    if power != 0 and power.denominator == 1:
        return ("^", new, power.numerator)
    return tuple(p if type(p) is int or i == 0 else _in_terms_of(p, name, rate, new) for i, p in enumerate(term))


def _exponent(term: Term, name: str) -> Fraction:
    """a, where the term is exp(a v); else 0."""
    if isinstance(term, tuple) and term[0] == "^" and isinstance(term[2], int):
        return _exponent(term[1], name) * term[2]
    if not isinstance(term, tuple) or term[0] != "exp":
        return ZERO
    numerator, denominators = quotient(term[1])
    return numerator.get(((text(name), 1),), ZERO) if len(numerator) == 1 and not denominators else ZERO


def _above_zero(claim: Claim, then: Relation) -> list[Relation]:
    """That parts of a conclusion are positive, which the claim's hypotheses do not say and its sides need."""
    needed = dict.fromkeys(wanted for side in (then.left, then.right) for _, wanted in requirements(side))
    known = Hypotheses(claim.given)
    return [Relation(">", part, ZERO) for part, kind in needed if names(part) and not known.meets(part, kind)]


def _moved(claim: Claim, name: str, hypothesis: int) -> Proof:
    """What is so at the bound of a variable that a hypothesis says, and does not fall on the way."""
    alone = Claim((claim.given[hypothesis],), claim.then, claim.integers)
    side = bound_on(alone.given[0], name)
    assert side is not None  # noqa: S101
    slope, (end,) = move_goals(alone, name, side[0], way_of(alone, name))
    move = {"rule": "move", "variable": name, "direction": side[0], "facts": []}
    return {"rule": "weaken", "keep": [hypothesis], "proof": {**move, "slope": _last(slope), "ends": [_last(end)]}}


def _last(claim: Claim) -> Proof:
    """A conclusion that says c e^n >= 0, or > 0, for an exponential e and c >= 0: its negation is absurd."""
    facts = facts_of(claim, [])
    _, opposite = facts[-1]
    summands = [["1", [len(facts) - 1], "1"]]
    for monomial, value in opposite.items():
        ups = [facts.index((">", {((name, 1),): Fraction(1)})) for name, degree in monomial for _ in range(degree)]
        summands.append([str(-value), ups, "1"])
    return {"rule": "combination", "bounds": [], "summands": summands, "equations": []}


def _last_index(claim: Claim, relation: Relation) -> int:
    """The number of a hypothesis, of equal ones the last."""
    return max(index for index, found in enumerate(claim.given) if found == relation)


def _fact(claim: Claim, index: int) -> int:
    """The number of the fact of a hypothesis: one that is only a difference has none."""
    return sum(relation.sign != "!=" for relation in claim.given[:index])


def _sum(claim: Claim, products: Sequence[Sequence[int]]) -> Proof:
    """The combination: these products of facts, and the negated conclusion, which is the last fact."""
    last = len(facts_of(claim, [])) - 1
    summands = [["1", list(facts), "1"] for facts in (*products, [last])]
    return {"rule": "combination", "bounds": [], "summands": summands, "equations": []}
