"""The rule interval: the enclosure is computed in Coq, over the expression as data (``proofs/coq/Enclosures.v``)."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from gaptron.coq.facts import _sides, nonzero_term, require
from gaptron.coq.identities import Text, equate
from gaptron.coq.script import Context, UntranslatedError
from gaptron.coq.terms import number
from gaptron.kernel import Relation
from gaptron.kernel.enclosures import enclose
from gaptron.kernel.hypotheses import bound_on
from gaptron.kernel.polynomials import quotient
from gaptron.language.terms import Term, names

EXTRA = 16  # bits beyond those of the kernel, whose roundings differ
ONE = Fraction(1)


def expression(term: Term, variables: Sequence[str], context: Context) -> str:
    """The term as data, the variables by their places."""
    if isinstance(term, Fraction):
        if term.denominator == 1:
            return f"(Int ({term.numerator}))"
        return f"(Rat ({term.numerator}) {term.denominator})"
    if isinstance(term, str):
        return f"(Var {variables.index(term)})"
    parts = [expression(part, variables, context) for part in (term[1:] if term[0] in ("+", "*") else term[1:2])]
    if term[0] in ("+", "*"):
        found = parts[0]
        for part in parts[1:]:
            found = f"({'Add' if term[0] == '+' else 'Mul'} {found} {part})"
        return found
    if term[0] in ("exp", "log"):
        return f"({'Exp' if term[0] == 'exp' else 'Ln'} {parts[0]})"
    if term[0] == "root":
        if term[2] != 2:
            raise UntranslatedError("interval", context.claim, "a root of degree 3 or more")
        return f"(Sqrt {parts[0]})"
    raised = parts[0] if term[2] == -1 else f"(Pow {parts[0]} {abs(term[2])})"
    return raised if term[2] >= 0 else f"(Inv {raised})"


def unchanged(term: Term) -> Term:
    """The term."""
    return term


def definedness(
    term: Term, context: Context, roots: str = "nonnegative", put: Callable[[Term], Term] = unchanged
) -> str:
    """A proof term of ``defined`` (with positive roots: of ``smooth``) for the expression of the term.

    ``put`` gives a variable its value, which may be a term: what must be defined is what stands there then.
    """
    if not isinstance(term, tuple):
        return "I"
    if term[0] in ("+", "*"):
        proof = definedness(term[1], context, roots, put)
        for part in term[2:]:
            proof = f"(conj {proof} {definedness(part, context, roots, put)})"
        return proof
    inner = definedness(term[1], context, roots, put)
    if term[0] == "exp" or (term[0] == "^" and term[2] >= 0):
        return inner
    if term[0] == "^":
        raised: Term = ("^", term[1], -term[2]) if term[2] < -1 else term[1]
        return f"(conj {inner} {nonzero_term(context, put(raised))})"
    return f"(conj {inner} {require(context, (put(term[1]), 'positive' if term[0] == 'log' else roots))})"


def rational_data(value: Fraction) -> str:
    """A rational of Coq's Q."""
    return f"({value.numerator} # {value.denominator})"


def constant_bounds(context: Context, term: Term, bits: int) -> tuple[tuple[Fraction, str], tuple[Fraction, str]]:
    """Rationals below and above a constant, as the kernel encloses it, with the names of the proofs."""
    low, high = enclose(term, {}, bits)
    assert isinstance(low, Fraction) and isinstance(high, Fraction)  # noqa: S101, PT018
    return (low, _constant_bound(context, term, bits, low, True)), (
        high,
        _constant_bound(context, term, bits, high, False),
    )


def _constant_bound(context: Context, term: Term, bits: int, end: Fraction, below: bool) -> str:
    data, proof = expression(term, (), context), definedness(term, context)
    lemma = "enclosed_ge" if below else "enclosed_le"
    found = f"{lemma} {bits + EXTRA} [] [] {data} {rational_data(end)}%Q I {proof}"
    statement = f"{number(end)} <= {context.show(term)}" if below else f"{context.show(term)} <= {number(end)}"
    change = f"rewrite <- (Q2R_Z ({end.numerator}))." if end.denominator == 1 else ""
    return context.have(statement, f"{change} refine ({found} _). vm_compute. reflexivity.")


def interval(context: Context, bits: int, form: str) -> None:
    """f <= 0 because an enclosure of its values over the box of the hypotheses is."""
    low, high = _sides(context.claim.then)
    f, strict = context.claim.then.upper()
    variables = sorted(names(f))
    box = [_bounds(context, name, bits) for name in variables]
    left, right = expression(low, variables, context), expression(high, variables, context)
    kind = "lt" if strict else "le"
    if form == "mean":
        (((a, above), (b, under)),) = box
        assert a is not None and b is not None  # noqa: S101, PT018
        found = f"mean_difference_{kind} {bits + EXTRA} {rational_data(a)} {rational_data(b)} {left} {right}"
        context.script.add(
            f"refine ({found} {context.names[variables[0]]} {above} {under} _). vm_compute. reflexivity."
        )
        return
    ends = "; ".join(f"({_optional(a)}, {_optional(b)})" for (a, _), (b, _) in box)
    holds = "I"
    for (_, above), (_, under) in reversed(box):
        holds = f"(conj (conj {above} {under}) {holds})"
    proof = f"(conj {definedness(low, context)} (conj I {definedness(high, context)}))"
    env = "; ".join(context.names[name] for name in variables)
    found = f"enclosed_difference_{kind} {bits + EXTRA} [{ends}] [{env}] {left} {right} {holds} {proof}"
    context.script.add(f"refine ({found} _). vm_compute. reflexivity.")


def _optional(end: Fraction | None) -> str:
    return "None" if end is None else f"Some {rational_data(end)}%Q"


End = tuple[Fraction | None, str]


def _bounds(context: Context, name: str, bits: int) -> tuple[End, End]:
    """The best bounds of a variable by constants, with proofs of ``Q2R low <= v`` and ``v <= Q2R high``; I for none."""
    found: dict[str, tuple[Fraction, Relation, str, Term]] = {}
    for relation, hypothesis in zip(context.claim.given, context.given, strict=True):
        bound = bound_on(relation, name)
        if bound is None or names(bound[1]):
            continue
        side, at = bound
        end = enclose(at, {}, bits)[1 if side == "up" else 0]
        if not isinstance(end, Fraction):
            continue
        if side not in found or (end < found[side][0] if side == "up" else end > found[side][0]):
            found[side] = (end, relation, hypothesis, at)
    return tuple(_end(context, name, side, bits, found.get(side)) for side in ("down", "up"))  # type: ignore[return-value]


def _end(context: Context, name: str, side: str, bits: int, found: tuple[Fraction, Relation, str, Term] | None) -> End:
    if found is None:
        return None, "I"
    end, relation, hypothesis, at = found
    shown = context.names[name]
    linear = bound_fact(context, relation, hypothesis, name, side, at)
    below = side == "down"
    if not isinstance(at, Fraction):
        known = _constant_bound(context, at, bits, end, below)
        both = (known, linear) if below else (linear, known)
        linear = f"(Rle_trans _ _ _ {both[0]} {both[1]})"
    same = f"(Q2R_Z ({end.numerator}))" if end.denominator == 1 else "eq_refl"
    statement = f"Q2R {rational_data(end)} <= {shown}" if below else f"{shown} <= Q2R {rational_data(end)}"
    lemma = "Rle_trans _ _ _ (Req_le _ _ {}) {}" if below else "Rle_trans _ _ _ {1} (Req_le _ _ (eq_sym {0}))"
    return end, context.have(statement, f"exact ({lemma.format(same, linear)}).")


def bound_fact(context: Context, relation: Relation, hypothesis: str, name: str, side: str, at: Term) -> str:
    """The name of a proof that the variable is at most (at least) the bound that a hypothesis linear in it sets."""
    shown, end = context.names[name], context.show(at)
    low, high = _sides(relation)
    below = side == "down"
    target = f"{shown} - {end}" if below else f"{end} - {shown}"
    f, strict = relation.upper()
    slope = slope_of(f, name)
    by = number(abs(ONE / slope))
    identity = equate(context, [Text("("), high, Text(" - "), low, Text(f") * {by}")], target)
    known = f"(Rlt_le _ _ {hypothesis})" if strict else hypothesis
    statement = f"{end} <= {shown}" if below else f"{shown} <= {end}"
    proof = f"apply from_difference; apply (fact_le _ _ {by} _ {known}); [lra | {identity[:-1]}]."
    return context.have(statement, proof)


def slope_of(f: Term, name: str) -> Fraction:
    """The coefficient of a variable in a term linear in it."""
    numerator, _ = quotient(f)
    return numerator[((f'"{name}"', 1),)]
