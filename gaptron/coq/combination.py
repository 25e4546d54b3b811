"""Rules about polynomials: combination (Positivstellensatz), clear and powers, by explicit identities."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from gaptron.coq.enclosure import constant_bounds
from gaptron.coq.facts import (
    back_to_relation,
    polynomial_fact,
    require,
    require_all,
    show_factor,
)
from gaptron.coq.identities import Text, equate, equation, integral
from gaptron.coq.script import Context
from gaptron.kernel import Relation
from gaptron.kernel.hypotheses import Hypotheses, atom_facts
from gaptron.kernel.polynomials import Polynomial, atom, canonical, coefficients, polynomial, polynomial_term, quotient
from gaptron.kernel.rules.algebra import _lower_bound, cleared, powers_goals
from gaptron.language.terms import Json, Term, from_text, read_rational, read_term, substitute


@dataclass(frozen=True)
class KnownFact:
    """A fact of the combination: its kind, its name in Coq, and what its polynomial was multiplied by."""

    kind: str
    name: str
    shown: str
    scale: int


def combination(context: Context, bounds: Json, summands: Json, equations: Json) -> None:
    """The hypotheses and the negated conclusion contradict each other."""
    then = context.claim.then
    require_all(context, then.left, then.right)
    negated = context.script.fresh()
    strict = then.sign in ("<", ">")
    context.script.add(f"apply {'Rnot_le_lt' if strict else 'Rnot_lt_le'}; intro {negated}.")
    facts = _Facts(context, bounds, negated)
    used = [facts.product(summand) for summand in summands]
    multiples = [facts.multiple(equation) for equation in equations]
    scale = lcm(*(c.denominator for c, *_ in used), *(c.denominator for c, *_ in multiples))
    used.sort(key=lambda summand: not summand[3])
    parts = []
    for coefficient, text, proof, is_positive in used:
        weight = int(coefficient * scale)
        parts.append((f"{weight} * {text}", _weighted(weight, proof, is_positive), is_positive))
    for coefficient, text, proof in multiples:
        parts.append((f"{int(coefficient * scale)} * {text}", f"(equation_term _ _ {proof})", False))
    (total, proof, _), *others = parts
    for text, reason, is_positive in others:
        weaker = f"(Rlt_le _ _ {reason})" if is_positive else reason
        total, proof = f"{total} + {text}", f"(positive_sum _ _ {proof} {weaker})"
    context.script.add(f"apply (impossible ({total})); [exact {proof} | ring].")


def _weighted(weight: int, proof: str, strict: bool) -> str:
    positive = f"(IZR_positive {weight} eq_refl)"
    if strict:
        return f"(Rmult_lt_0_compat _ _ {positive} {proof})"
    return f"(Rmult_le_pos _ _ (Rlt_le _ _ {positive}) {proof})"


class _Facts:
    """The facts of ``combination`` in the kernel's order; those that are used are proved."""

    def __init__(self, context: Context, bounds: Json, negated: str) -> None:
        self.context = context
        hypotheses = Hypotheses(context.claim.given)
        goal = context.claim.then.negation()
        self.sources: list[tuple[str, Json]] = [
            ("given", i) for i, r in enumerate(context.claim.given) if hypotheses.fact(r) is not None
        ]
        polynomials = [fact[1] for r in context.claim.given if (fact := hypotheses.fact(r)) is not None]
        enclosed = []
        for bound in bounds:
            term = read_term(bound[0])
            enclosed += [(term, bound[1], side) for side in ("low", "high")]
            polynomials += [polynomial(term)] * 2
        last = hypotheses.fact(goal)
        assert last is not None  # noqa: S101
        polynomials.append(last[1])
        self.sources += [("atom", fact) for fact in _atoms(polynomials)]
        self.sources += [("bound", bound) for bound in enclosed]
        self.sources.append(("given", (goal, negated)))
        self.proved: dict[int, KnownFact] = {}

    def fact(self, index: int) -> KnownFact:
        """The fact of this number, proved when it is first asked for."""
        if index not in self.proved:
            source, data = self.sources[index]
            prove = {"given": self._given, "atom": self._atom, "bound": self._bound}[source]
            self.proved[index] = prove(data)
        return self.proved[index]

    def _given(self, data: Json) -> KnownFact:
        claim = self.context.claim
        relation, name = (claim.given[data], self.context.given[data]) if isinstance(data, int) else data
        kind, name, whole, scale = polynomial_fact(self.context, relation, name)
        return KnownFact(kind, name, self.context.show(polynomial_term(whole)), scale)

    def _atom(self, data: tuple[str, Term]) -> KnownFact:
        kind, term = data
        shown = self.context.show(term)
        assert isinstance(term, tuple)  # noqa: S101
        if kind == ">":
            return KnownFact(kind, self.context.have(f"0 < {shown}", "apply exp_pos."), shown, 1)
        square = term[2] == 2
        if kind == ">=":
            proof = "apply sqrt_pos." if square else "apply root_nonnegative."
            return KnownFact(kind, self.context.have(f"0 <= {shown}", proof), shown, 1)
        return self._root_equation(term, shown, square)

    def _root_equation(self, term: Json, shown: str, square: bool) -> KnownFact:
        """root^n b = a for the root of a/b."""
        context = self.context
        argument = next(
            (need for need, wanted in context.needs if wanted != "nonzero" and canonical(need) == term[1]), term[1]
        )
        wanted = "nonnegative" if (argument, "nonnegative") in context.needs else "positive"
        if (argument, wanted) not in context.needs:
            wanted = "nonnegative"
        known = require(context, (argument, wanted))
        known = f"(Rlt_le _ _ {known})" if wanted == "positive" else known
        if argument != term[1]:
            same = equation(context, argument, term[1])
            known = f"(eq_ind _ (fun q => 0 <= q) {known} _ {same})"
        ((_, whole),) = [fact for fact in atom_facts([atom(term)]) if fact[0] == "="]
        whole, scale = integral(whole)
        multiplied = [str(scale)]
        for factor, exponent in quotient(term[1])[1].items():
            multiplied.append(f"{show_factor(context, factor)} ^ {exponent}")
        total = context.show(polynomial_term(whole))
        power = f"(sqrt_power _ {known})" if square else f"(root_power {term[2]} _ (Nat.lt_0_succ _) {known})"
        by = f"({' * '.join(multiplied)})"
        identity = equate(context, [Text(f"({shown} ^ {term[2]} - {context.show(term[1])}) * {by}")], total)
        name = context.have(f"{total} = 0", f"apply (root_equation _ _ {term[2]} {by} _ {power}). {identity}")
        return KnownFact("=", name, total, scale)

    def _bound(self, data: tuple[Term, int, str]) -> KnownFact:
        term, bits, side = data
        context = self.context
        require_all(context, term)
        low, high = constant_bounds(context, term, bits)
        relation = Relation("<=", low[0], term) if side == "low" else Relation("<=", term, high[0])
        kind, name, whole, scale = polynomial_fact(context, relation, low[1] if side == "low" else high[1])
        return KnownFact(kind, name, context.show(polynomial_term(whole)), scale)

    def product(self, data: Json) -> tuple[Fraction, str, str, bool]:
        """(coefficient, text, proof that the text is positive or not negative, which of them) of a summand."""
        coefficient, factors, square = read_rational(data[0]), data[1], polynomial(read_term(data[2]))
        whole, scale = integral(square)
        coefficient /= scale**2
        known = [self.fact(index) for index in factors]
        for fact in known:
            coefficient /= fact.scale
        text, proof, strict = "1", "Rlt_0_1", True
        for fact in known:
            text, proof, strict = f"({text} * {fact.shown})", *_times(proof, strict, fact.name, fact.kind == ">")
        if whole.keys() != {()}:
            shown = self.context.show(polynomial_term(whole))
            text, proof, strict = (
                f"({text} * {shown} ^ 2)",
                *_times(proof, strict, f"(square_nonnegative {shown})", False),
            )
        else:
            coefficient *= whole[()] ** 2
        return coefficient, text, proof, strict

    def multiple(self, data: Json) -> tuple[Fraction, str, str]:
        """(coefficient, text, proof that the text is zero) of an equation times a polynomial."""
        fact = self.fact(data[0])
        whole, scale = integral(polynomial(read_term(data[1])))
        shown = self.context.show(polynomial_term(whole))
        return Fraction(1, scale * fact.scale), f"{shown} * {fact.shown}", fact.name


def _times(left: str, left_strict: bool, right: str, right_strict: bool) -> tuple[str, bool]:
    if left_strict and right_strict:
        return f"(Rmult_lt_0_compat _ _ {left} {right})", True
    parts = [f"(Rlt_le _ _ {p})" if strict else p for p, strict in ((left, left_strict), (right, right_strict))]
    return f"(Rmult_le_pos _ _ {parts[0]} {parts[1]})", False


def _atoms(polynomials: list[Polynomial]) -> list[tuple[str, Term]]:
    """The kernel's facts about atoms, each by its kind and its atom."""
    found: list[tuple[str, Term]] = []
    for name in sorted({name for p in polynomials for monomial in p for name, _ in monomial}):
        if name.startswith('["exp"'):
            found.append((">", from_text(name)))
        elif name.startswith('["root"'):
            found += [(">=", from_text(name)), ("=", from_text(name))]
    return found


def clear(context: Context, proof: Json, prove: Json) -> None:
    """The polynomial first, then the relation."""
    goal = cleared(context.claim)
    then = context.claim.then
    require_all(context, then.left, then.right)
    fact = established(context, goal.then, proof, prove)
    context.script.add(back_to_relation(context, then, fact))


def established(context: Context, relation: Relation, proof: Json, prove: Json) -> str:
    """Prove a relation from the hypotheses; its name."""
    inner = context.instead(relation)
    name = context.script.fresh()
    context.script.add(f"assert ({name} : {inner.goal()}). {{")
    prove(inner, proof)
    context.script.add("}")
    return context.learn(relation, name).given[-1]


def powers(context: Context, variable: str, start: Fraction, parts: Json, prove: Json) -> None:
    """The sum of coefficients times powers of v - start."""
    goals = powers_goals(context.claim, variable, start)
    then = context.claim.then
    require_all(context, then.left, then.right)
    proofs = []
    for goal, part in zip(goals, parts, strict=True):
        kept = [i for i, r in enumerate(context.claim.given) if r in goal.given]
        inner = context.restricted(kept, goal.integers)
        proofs.append(established(inner, goal.then, part, prove))
    cleared_goal = cleared(context.claim).then
    shifted = polynomial(substitute(cleared_goal.left, variable, ("+", variable, start)))
    in_powers = coefficients(shifted, variable)
    strict = cleared_goal.sign == ">"
    step = _not_negative_step(context, variable, start)
    from_start = f"({context.names[variable]} - {context.show(start)})"
    text, reason = context.show(polynomial_term(in_powers[0])), proofs[0]
    for degree, (coefficient, proof) in enumerate(zip(in_powers[1:], proofs[1:], strict=True), 1):
        text = f"{text} + {context.show(polynomial_term(coefficient))} * {from_start} ^ {degree}"
        added = f"(Rmult_le_pos _ _ {proof} (pow_le _ {degree} {step}))"
        reason = f"({'positive_sum' if strict else 'nonnegative_sum'} _ _ {reason} {added})"
    total = context.show(cleared_goal.left)
    sign = "<" if strict else "<="
    same = context.have(f"{text} = {total}", equate(context, [Text(text)], total))
    fact = context.have(f"0 {sign} {total}", f"exact (eq_ind _ (fun q => 0 {sign} q) {reason} _ {same}).")
    context.script.add(back_to_relation(context, then, fact))


def _not_negative_step(context: Context, variable: str, start: Fraction) -> str:
    for relation, name in zip(context.claim.given, context.given, strict=True):
        if _lower_bound(relation, variable) == start:
            known = f"(Rlt_le _ _ {name})" if relation.sign in ("<", ">") else name
            step = f"{context.names[variable]} - {context.show(start)}"
            return context.have(f"0 <= {step}", f"exact (Rle_minus_nonnegative _ _ {known}).")
    raise AssertionError("the kernel accepted this")
