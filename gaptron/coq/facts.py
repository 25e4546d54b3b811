"""What the hypotheses of a claim say of polynomials and factors, as facts with Coq names.

It mirrors ``gaptron.kernel.hypotheses.Hypotheses``: the kernel says what is known, and here is why.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from gaptron.coq.identities import Text, equate, integral
from gaptron.coq.script import Context, UntranslatedError
from gaptron.coq.terms import Need, is_plain, number
from gaptron.kernel import Relation
from gaptron.kernel.hypotheses import Hypotheses
from gaptron.kernel.polynomials import Factor, Monomial, Polynomial, polynomial_term, primitive, quotient
from gaptron.language.relations import requirements
from gaptron.language.terms import Term, subterms

POSITIVE, NEGATIVE, NONZERO = 1, -1, 0
SIGN_TEXT = {POSITIVE: "0 < {}", NEGATIVE: "{} < 0", NONZERO: "{} <> 0"}


@dataclass(frozen=True)
class Multiplier:
    """A positive number that clears denominators: its text, and a proof that it is positive."""

    text: str
    positive: str


def show_factor(context: Context, factor: Factor) -> str:
    """A factor as text."""
    return context.show(polynomial_term(dict(factor)))


def require(context: Context, need: Need) -> str:
    """The name of a proof that a part is as it must be."""
    if need not in context.needs:
        context.needs[need] = context.have(context.need_text(need), _required(context, need))
    return context.needs[need]


def require_all(context: Context, *terms: Term) -> None:
    """That the terms are defined, innermost parts first."""
    for term in terms:
        for _, need in requirements(term):
            require(context, need)


def _required(context: Context, need: Need) -> str:
    term, wanted = need
    if is_plain(need):
        return "lra."
    require_all(context, term)
    if wanted == "positive" and isinstance(term, tuple) and term[0] == "^" and term[2] % 2 == 0:
        return f"apply even_power_positive; [reflexivity | exact {nonzero_term(context, term[1])}]."
    numerator, denominators = quotient(term)
    if not numerator:
        return f"right; symmetry; {equate(context, [term], '0')}"
    shown = context.show(polynomial_term(numerator))
    if wanted == "nonzero":
        proof, (clearing, _) = _sign_of(context, numerator), _clearing(context, denominators)
        identity = equate(context, [term, Text(f" * {clearing}")], shown)
        return f"apply (nonzero_by _ {clearing} {shown}); [{proof} | {identity[:-1]}]."
    multiplier = _multiplier(context, denominators)
    identity = equate(context, [term, Text(f" * {multiplier.text}")], shown)
    lemma, known = "positive_by", _positive_polynomial(context, numerator)
    if known is None and wanted == "nonnegative":
        lemma, known = "nonnegative_by", _nonnegative_polynomial(context, numerator)
    if known is None:
        raise UntranslatedError("definedness", context.claim, f"{context.show(term)} is not seen to be {wanted}")
    weaker = "apply Rlt_le. " if wanted == "nonnegative" and lemma == "positive_by" else ""
    proofs = f"[exact {known} | {multiplier.positive} | {identity[:-1]}]"
    return f"{weaker}apply ({lemma} _ {multiplier.text} {shown}); {proofs}."


def nonzero_term(context: Context, term: Term) -> str:
    """A proof that a term is not zero, from its factors as ``requirements`` lists them."""
    if isinstance(term, tuple) and term[0] == "*":
        proof = nonzero_term(context, term[1])
        for part in term[2:]:
            proof = f"(nonzero_product _ _ {proof} {nonzero_term(context, part)})"
        return proof
    if isinstance(term, tuple) and term[0] == "^" and term[2] > 0:
        inner = nonzero_term(context, term[1])
        return inner if term[2] == 1 else f"(nonzero_power _ {term[2]} {inner})"
    return require(context, (term, "nonzero"))


# --- signs of factors -------------------------------------------------------------------------------------------


def sign_of(context: Context, factor: Factor) -> int | None:
    """What the kernel knows of its sign."""
    return Hypotheses(context.claim.given).sign(factor)


def sign_fact(context: Context, factor: Factor) -> str:
    """The name of a proof of the sign that the kernel knows."""
    if factor not in context.signs:
        sign = sign_of(context, factor)
        if sign is None:
            raise UntranslatedError("sign", context.claim, f"{show_factor(context, factor)} has no known sign")
        statement = SIGN_TEXT[sign].format(show_factor(context, factor))
        ((monomial, _), *others) = factor
        if not others and not monomial:
            proof = "exact Rlt_0_1."
        elif not others and (len(monomial) > 1 or monomial[0][1] > 1) and _all_known(context, monomial):
            proof = f"exact {_monomial_sign(context, monomial)[1]}."
        elif not others and monomial[0][0].startswith('["exp"'):
            proof = "apply exp_pos."
        else:
            proof = _sign_by_hypothesis(context, factor, sign)
        context.signs[factor] = context.have(statement, proof)
    return context.signs[factor]


def _all_known(context: Context, monomial: Monomial) -> bool:
    return all(sign_of(context, _atom_factor(name)) is not None for name, _ in monomial)


def _atom_factor(name: str) -> Factor:
    return (((((name, 1),)), Fraction(1)),)


def _monomial_sign(context: Context, monomial: Monomial) -> tuple[int, str]:
    """The sign of a product of atoms, and a proof term."""
    total, proof = _power_sign(context, *monomial[0])
    for name, exponent in monomial[1:]:
        sign, other = _power_sign(context, name, exponent)
        total, proof = _product_sign(total, proof, sign, other)
    return total, proof


def _product_sign(left: int, first: str, right: int, second: str) -> tuple[int, str]:
    if NONZERO in (left, right):
        return NONZERO, f"(nonzero_product _ _ {_as_nonzero(left, first)} {_as_nonzero(right, second)})"
    lemma = {
        (POSITIVE, POSITIVE): "Rmult_lt_0_compat",
        (POSITIVE, NEGATIVE): "positive_negative",
        (NEGATIVE, POSITIVE): "negative_positive",
        (NEGATIVE, NEGATIVE): "negative_negative",
    }[left, right]
    return left * right, f"({lemma} _ _ {first} {second})"


def _power_sign(context: Context, name: str, exponent: int) -> tuple[int, str]:
    factor = _atom_factor(name)
    sign, proof = sign_of(context, factor), sign_fact(context, factor)
    assert sign is not None  # noqa: S101
    if exponent == 1:
        return sign, proof
    if exponent % 2 == 0:
        return POSITIVE, f"(even_power_positive _ {exponent} eq_refl {_as_nonzero(sign, proof)})"
    if sign == POSITIVE:
        return POSITIVE, f"(pow_lt _ {exponent} {proof})"
    if sign == NEGATIVE:
        return NEGATIVE, f"(odd_negative_power _ {exponent} eq_refl {proof})"
    return NONZERO, f"(nonzero_power _ {exponent} {proof})"


def _as_nonzero(sign: int, proof: str) -> str:
    return {
        POSITIVE: f"(positive_nonzero _ {proof})",
        NEGATIVE: f"(negative_nonzero _ {proof})",
        NONZERO: proof,
    }[sign]


def _sign_by_hypothesis(context: Context, factor: Factor, sign: int) -> str:
    """From a hypothesis without denominators whose difference is a multiple of the factor."""
    shown = show_factor(context, factor)
    for name, relation in zip(context.given, context.claim.given, strict=True):
        if relation.sign not in ("<", ">", "!=") or (relation.sign == "!=") != (sign == NONZERO):
            continue
        scale = _multiple_of(relation, factor)
        if scale is None:
            continue
        low, high = _sides(relation)
        if sign == NONZERO:
            by = number(1 / scale)
            identity = equate(context, [Text("("), low, Text(" - "), high, Text(f") * {by}")], shown)
            return f"apply (different_nonzero _ _ {by} _ {name}); [lra | {identity[:-1]}]."
        rising = scale < 0 if relation.sign == "<" else scale > 0  # high - low is a positive multiple of the factor
        if rising != (sign == POSITIVE):
            continue
        target = shown if sign == POSITIVE else f"(- {shown})"
        by = number(abs(1 / scale))
        identity = equate(context, [Text("("), high, Text(" - "), low, Text(f") * {by}")], target)
        opposite = "" if sign == POSITIVE else "apply minus_negative. "
        return f"{opposite}apply (fact_lt _ _ {by} _ {name}); [lra | {identity[:-1]}]."
    raise UntranslatedError("sign", context.claim, f"no hypothesis gives the sign of {shown}")


def _sides(relation: Relation) -> tuple[Term, Term]:
    """The lower side and the upper one, as they are printed."""
    return (relation.right, relation.left) if relation.sign in (">", ">=") else (relation.left, relation.right)


def _multiple_of(relation: Relation, factor: Factor) -> Fraction | None:
    """c if left - right = c * factor, without denominators."""
    numerator, denominators = quotient(relation.difference)
    if denominators or not numerator:
        return None
    found, scale = primitive(numerator)
    return scale if found == factor else None


# --- factors that are not zero ----------------------------------------------------------------------------------


def nonzero_fact(context: Context, factor: Factor) -> str:
    """The name of a proof that a factor is not zero: by its sign, or because something that contains it is defined."""
    if factor not in context.nonzero:
        shown = show_factor(context, factor)
        sign = sign_of(context, factor)
        if sign is not None:
            proof = f"exact {_as_nonzero(sign, sign_fact(context, factor))}."
        else:
            proof = _nonzero_by_need(context, factor)
        context.nonzero[factor] = context.have(f"{shown} <> 0", proof)
    return context.nonzero[factor]


def _nonzero_by_need(context: Context, factor: Factor) -> str:
    shown = show_factor(context, factor)
    for term, proof in _nonzero_terms(context):
        numerator, denominators = quotient(term)
        rest = _divided(numerator, factor)
        if rest is None or factor in denominators:
            continue
        clearing, _ = _clearing(context, denominators)
        cofactor = context.show(polynomial_term(rest))
        cofactor = f"({cofactor} / {clearing})" if denominators else cofactor
        identity = equate(context, [term], f"{cofactor} * {shown}")
        return f"apply (factor_nonzero _ {cofactor} _ {proof()}). {identity}"
    raise UntranslatedError("definedness", context.claim, f"{shown} is not seen to be nonzero")


def _nonzero_terms(context: Context) -> Iterator[tuple[Term, Callable[[], str]]]:
    """Terms that are not zero, with their proofs: what is known to be defined, and bases of negative powers."""
    for (term, wanted), name in list(context.needs.items()):
        if wanted != "nonnegative":
            yield term, partial(str, name if wanted == "nonzero" else f"(positive_nonzero _ {name})")
    relations = (*context.claim.given, context.claim.then)
    for part in {part for r in relations for side in (r.left, r.right) for part in subterms(side)}:
        if isinstance(part, tuple) and part[0] == "^" and part[2] < 0:
            yield part[1], partial(nonzero_term, context, part[1])


def _divided(numerator: Polynomial, factor: Factor) -> Polynomial | None:
    """The numerator over the factor, if it is a multiple of it by a number, or by a monomial."""
    if not numerator:
        return None
    found, scale = primitive(numerator)
    if found == factor:
        return {(): scale}
    if len(factor) > 1 or len(factor[0][0]) != 1 or len(numerator) > 1:
        return None
    ((monomial, coefficient),) = numerator.items()
    ((((name, exponent),), _),) = factor
    powers = dict(monomial)
    if powers.get(name, 0) < exponent:
        return None
    powers[name] -= exponent
    return {tuple(sorted((n, e) for n, e in powers.items() if e)): coefficient}


def _clearing(context: Context, denominators: Mapping[Factor, int]) -> tuple[str, list[str]]:
    """The product of the denominators, and the names of proofs that they are not zero."""
    names = [nonzero_fact(context, factor) for factor in denominators]
    parts = [_power(show_factor(context, factor), exponent) for factor, exponent in denominators.items()]
    return (f"({' * '.join(parts)})" if parts else "1"), names


def _power(shown: str, exponent: int) -> str:
    return shown if exponent == 1 else f"({shown} ^ {exponent})"


def _sign_of(context: Context, numerator: Polynomial) -> str:
    """A tactic that proves that a polynomial of known sign is not zero."""
    factor, scale = primitive(numerator)
    known = nonzero_fact(context, factor)
    shown = show_factor(context, factor)
    return (
        f"apply (multiple_nonzero _ {number(scale)} {shown}); [lra | exact {known} | "
        f"{equate(context, [Text(number(scale) + ' * ' + shown)], context.show(polynomial_term(numerator)))[:-1]}]"
    )


def _positive_polynomial(context: Context, numerator: Polynomial) -> str | None:
    """The name of a proof that a polynomial is positive; None if the kernel does not know it."""
    factor, scale = primitive(numerator)
    sign = sign_of(context, factor)
    if sign in (None, NONZERO) or (sign == POSITIVE) != (scale > 0):
        return None
    shown, known = show_factor(context, factor), sign_fact(context, factor)
    base = shown if sign == POSITIVE else f"(- {shown})"
    fact = known if sign == POSITIVE else f"(minus_positive _ {known})"
    by = number(abs(scale))
    total = context.show(polynomial_term(numerator))
    identity = equate(context, [Text(f"({base} - 0) * {by}")], total)
    return context.have(f"0 < {total}", f"apply (fact_lt 0 {base} {by}); [exact {fact} | lra | {identity[:-1]}].")


def _nonnegative_polynomial(context: Context, numerator: Polynomial) -> str | None:
    """From a hypothesis that its factor is not negative."""
    factor, _ = primitive(numerator)
    total = context.show(polynomial_term(numerator))
    for name, relation in zip(context.given, context.claim.given, strict=True):
        if relation.sign not in ("<=", ">="):
            continue
        found, denominators = quotient(relation.difference)
        if denominators or not found or primitive(found)[0] != factor:
            continue
        scale = primitive(numerator)[1] / primitive(found)[1] * (1 if relation.sign == ">=" else -1)
        if scale <= 0:
            continue
        low, high = _sides(relation)
        identity = equate(context, [Text("("), high, Text(" - "), low, Text(f") * {number(scale)}")], total)
        return context.have(f"0 <= {total}", f"apply (fact_le _ _ {number(scale)} _ {name}); [lra | {identity[:-1]}].")
    return None


# --- facts about polynomials ------------------------------------------------------------------------------------


def _multiplier(context: Context, denominators: Mapping[Factor, int], scale: int = 1) -> Multiplier:
    """What the kernel multiplies by: even powers, odd powers of what has a sign, one more of what has none."""
    text, proof = str(scale), f"(IZR_positive {scale} eq_refl)"
    for factor, exponent in denominators.items():
        shown = show_factor(context, factor)
        sign = sign_of(context, factor)
        if exponent % 2 and sign == POSITIVE:
            part, positive = _power(shown, exponent), _lifted(sign_fact(context, factor), exponent)
        elif exponent % 2 and sign == NEGATIVE:
            part = _power(f"(- {shown})", exponent)
            positive = _lifted(f"(minus_positive _ {sign_fact(context, factor)})", exponent)
        else:
            even = exponent + exponent % 2
            part = _power(shown, even)
            positive = f"(even_power_positive _ {even} eq_refl {nonzero_fact(context, factor)})"
        text, proof = f"{text} * {part}", f"(Rmult_lt_0_compat _ _ {proof} {positive})"
    return Multiplier(f"({text})", f"exact {proof}")


def _lifted(proof: str, exponent: int) -> str:
    return proof if exponent == 1 else f"(pow_lt _ {exponent} {proof})"


def polynomial_fact(context: Context, relation: Relation, name: str) -> tuple[str, str, Polynomial, int]:
    """(kind, name, polynomial with integer coefficients, by how much it is the kernel's fact) of a hypothesis."""
    fact = Hypotheses(context.claim.given).fact(relation)
    assert fact is not None  # noqa: S101
    kind, polynomial = fact
    whole, scale = integral(polynomial)
    shown = context.show(polynomial_term(whole))
    require_all(context, relation.left, relation.right)
    multiplier = _multiplier(context, quotient(relation.difference)[1], scale)
    low, high = _sides(relation)
    if kind == "=":
        low, high = high, low
    left = [Text("("), high, Text(" - "), low, Text(f") * {multiplier.text}")]
    identity = equate(context, left, shown)
    if kind == "=":
        statement, proof = f"{shown} = 0", f"apply (fact_eq _ _ {multiplier.text} _ {name}); {identity}"
    else:
        lemma, sign = ("fact_lt", "<") if kind == ">" else ("fact_le", "<=")
        statement = f"0 {sign} {shown}"
        proof = f"apply ({lemma} _ _ {multiplier.text} _ {name}); [{multiplier.positive} | {identity[:-1]}]."
    return kind, context.have(statement, proof), whole, scale


def back_to_relation(context: Context, relation: Relation, fact: str) -> str:
    """Tactics that prove an inequality from the fact about its polynomial (not scaled)."""
    fact_ = Hypotheses(context.claim.given).fact(relation)
    assert fact_ is not None  # noqa: S101
    kind, polynomial = fact_
    multiplier = _multiplier(context, quotient(relation.difference)[1])
    low, high = _sides(relation)
    shown = context.show(polynomial_term(polynomial))
    identity = equate(context, [Text("("), high, Text(" - "), low, Text(f") * {multiplier.text}")], shown)
    lemma = "by_lt" if kind == ">" else "by_le"
    return f"apply ({lemma} _ _ {multiplier.text} {shown}); [exact {fact} | {multiplier.positive} | {identity[:-1]}]."
