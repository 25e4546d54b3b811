"""Certificates to Coq: a claim as a lemma, and its proof, rule by rule."""

from collections.abc import Callable
from fractions import Fraction

from gaptron.coq import combination as algebra
from gaptron.coq import substitution
from gaptron.coq.data import UnwrittenError, claim_data, places_of, printed
from gaptron.coq.enclosure import interval
from gaptron.coq.facts import _sides, require, require_all
from gaptron.coq.hints import certificate_data
from gaptron.coq.identities import Text, equate
from gaptron.coq.movement import move
from gaptron.coq.script import Context, Script, UntranslatedError
from gaptron.coq.terms import (
    need_text,
    number,
    relation_needs,
    relation_text,
    show,
    variable,
)
from gaptron.kernel import Claim, Rejected, Relation
from gaptron.kernel.polynomials import rational_value
from gaptron.language.terms import Json, read_name, read_rational, read_term

ZERO = Fraction(0)
MISFITS = (
    Rejected,
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RecursionError,
)
HEADER = """\
Require Import Reals Lra ZArith QArith List.
From Gaptron.kernel Require Import Relations Atoms Derivation Intervals Motion Certificate Stated.
From Gaptron Require Import Rules Enclosures.
Import ListNotations.
Open Scope R_scope.
"""


def claim_to_coq(claim: Claim, proof: Json, name: str) -> str:
    """A lemma that says what the claim says, with definedness, and its proof.

    Raises
    ------
    UntranslatedError
        With the rule that has no translation, or because the proof does not fit the claim: a hypothesis, a field or a
        number that is not there.
    """
    context, premises = opened(claim)
    data = _by_data(claim, proof, name)
    if data is not None:
        return data.format(statement=_statement(context, claim, premises, name))
    try:
        prove(context, proof)
    except MISFITS as error:
        raise UntranslatedError("a proof that does not fit its claim", claim, repr(error)) from error
    assert isinstance(context.names, _Names)  # noqa: S101
    others = [f"destruct (ex_intro (fun _ : R => True) 0 I) as [{name} _]." for name in context.names.others]
    variables = " ".join(context.names[v] for v in sorted(claim.names))
    lines = [_statement(context, claim, premises, name), "Proof."]
    introduced = f"intros {variables} {' '.join(_hypotheses(context))}.".replace("  ", " ")
    return "\n".join(
        [*lines, introduced if introduced != "intros ." else "", *others, *context.script.lines, "Qed.", ""]
    )


def _statement(context: Context, claim: Claim, premises: list[str], name: str) -> str:
    variables = " ".join(context.names[v] for v in sorted(claim.names))
    quantified = f"forall {variables} : R, " if variables else ""
    return f"Lemma {name} :\n  {quantified}{' -> '.join([*premises, context.goal()])}."


def _by_data(claim: Claim, proof: Json, name: str) -> str | None:
    """The claim and its certificate as data, and the lemma closed by one computation; None without words for it."""
    try:
        asked, given = printed(claim_data(claim)), printed(certificate_data(claim, proof))
    except (Rejected, UnwrittenError):
        return None
    at = "".join(f"{variable(v)} :: " for v in places_of(claim)) + "nil"
    return (
        f"Definition {name}_data : claim := {asked}%nat.\nDefinition {name}_proof : cert := {given}%nat.\n"
        f"{{statement}}\nProof.\n  intros. by_data {name}_data {name}_proof ({at}).\nQed.\n"
    )


class _Names(dict[str, str]):
    """The claim's variables; one that only the proof speaks of may be any number."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__(names)
        self.others: list[str] = []

    def __missing__(self, name: str) -> str:
        self[name] = variable(name)
        self.others.append(self[name])
        return self[name]


def opened(claim: Claim) -> tuple[Context, list[str]]:
    """The context of a claim whose hypotheses were introduced, and their texts in that order."""
    names = _Names({v: variable(v) for v in sorted(claim.names)})
    script = Script()
    integers, premises = {}, []
    for term in claim.integers:
        integers[term] = script.fresh("I")
        premises.append(f"integer {show(term, names)}")
    given, needs = [], {}
    for relation in claim.given:
        for need in relation_needs(relation):
            if need not in needs:
                needs[need] = script.fresh("D")
                premises.append(need_text(need, names))
        given.append(script.fresh("G"))
        premises.append(relation_text(relation, names))
    return Context(script, claim, names, tuple(given), integers, needs), premises


def _hypotheses(context: Context) -> list[str]:
    """Names in the order of the premises."""
    named = [*context.integers.values()]
    seen = set()
    for relation, name in zip(context.claim.given, context.given, strict=True):
        for need in relation_needs(relation):
            if need not in seen:
                seen.add(need)
                named.append(context.needs[need])
        named.append(name)
    return named


def prove(context: Context, proof: Json) -> None:
    """Tactics that prove the goal of the context."""
    rule = proof["rule"]
    if rule not in RULES:
        raise UntranslatedError(rule, context.claim)
    RULES[rule](context, *(proof[name] for name in FIELDS[rule]))


def _define(context: Context) -> None:
    """The part of the goal that says that it is defined."""
    then = context.claim.then
    require_all(context, then.left, then.right)
    for need in relation_needs(then):
        context.script.add(f"split; [exact {require(context, need)}|].")


def _lemma(context: Context, relation: Json, proof: Json, then: Json) -> None:
    found = Relation.read(relation)
    inner = context.instead(found)
    name = context.script.fresh()
    context.script.add(f"assert ({name} : {inner.goal()}). {{")
    prove(inner, proof)
    context.script.add("}")
    prove(context.learn(found, name), then)


def _cases(context: Context, split: Json, below: Json, above: Json) -> None:
    term = read_term(split)
    require_all(context, term)
    name = context.script.fresh()
    context.script.add(f"destruct (real_cases {context.show(term)}) as [{name} | {name}].")
    for sign, part in (("<=", below), (">=", above)):
        context.script.add("{")
        prove(context.also(Relation(sign, term, ZERO), name), part)
        context.script.add("}")


def _integer(context: Context, term: Json, at: Json, below: Json, above: Json) -> None:
    whole, number_ = read_term(term), read_rational(at)
    shown, name = context.show(whole), context.script.fresh()
    known = context.integers[whole]
    context.script.add(f"destruct (integer_cases {shown} ({number_}) {known}) as [{name} | {name}].")
    for relation, part in (
        (Relation("<=", whole, number_), below),
        (Relation(">=", whole, number_ + 1), above),
    ):
        context.script.add(f"{{ change ({context.text(relation)}) in {name}.")
        prove(context.also(relation, name), part)
        context.script.add("}")


def _both(context: Context, upper: Json, lower: Json) -> None:
    then = context.claim.then
    found = []
    for sign, part in (("<=", upper), (">=", lower)):
        inner = context.instead(Relation(sign, then.left, then.right))
        name = context.script.fresh()
        context.script.add(f"assert ({name} : {inner.goal()}). {{")
        prove(inner, part)
        context.script.add("}")
        found.append(context.learn(Relation(sign, then.left, then.right), name))
    for need in relation_needs(then):
        context.script.add(f"split; [exact {found[0].needs[need]}|].")
    context.script.add(f"exact (Rle_antisym _ _ {found[0].given[-1]} {found[1].given[-1]}).")


def _apart(context: Context, sign: Json, proof: Json) -> None:
    then = context.claim.then
    relation = Relation(str(sign), then.left, then.right)
    name = context.script.fresh()
    inner = context.instead(relation)
    context.script.add(f"assert ({name} : {inner.goal()}). {{")
    prove(inner, proof)
    context.script.add("}")
    found = context.learn(relation, name)
    for need in relation_needs(then):
        context.script.add(f"split; [exact {found.needs[need]}|].")
    lemma = "Rlt_not_eq" if sign == "<" else "Rgt_not_eq"
    context.script.add(f"apply {lemma}. exact {found.given[-1]}.")


def _weaken(context: Context, keep: Json, proof: Json) -> None:
    prove(context.restricted(keep, context.claim.integers), proof)


def _contradiction(context: Context, hypothesis: Json) -> None:
    relation, name = context.claim.given[hypothesis], context.given[hypothesis]
    value = rational_value(relation.difference)
    assert value is not None  # noqa: S101
    low, high = _sides(relation)
    difference = -value if low == relation.left else value
    equal = context.have(
        f"{context.show(high)} - {context.show(low)} = {number(difference)}",
        equate(context, [high, Text(" - "), low], number(difference)),
    )
    context.script.add(f"exfalso. clear - {name} {equal}. lra.")


def _combination(context: Context, bounds: Json, summands: Json, equations: Json) -> None:
    _define(context)
    algebra.combination(context, bounds, summands, equations)


def _clear(context: Context, proof: Json) -> None:
    _define(context)
    algebra.clear(context, proof, prove)


def _powers(context: Context, variable_: Json, start: Json, parts: Json) -> None:
    _define(context)
    algebra.powers(context, read_name(variable_), read_rational(start), parts, prove)


def _interval(context: Context, bits: Json, form: Json) -> None:
    _define(context)
    interval(context, bits, form)


def _move(context: Context, variable_: Json, direction: Json, facts: Json, slope: Json, ends: Json) -> None:
    move(context, variable_, direction, facts, slope, ends, prove)


def _fixed(context: Context, variable_: Json, value: Json, proof: Json) -> None:
    substitution.fixed(context, variable_, value, proof, prove)


def _generalize(context: Context, term: Json, new: Json, proof: Json) -> None:
    substitution.generalize(context, term, new, proof, prove)


def _exponential(context: Context, variable_: Json, rate: Json, new: Json, proof: Json) -> None:
    substitution.exponential(context, variable_, rate, new, proof, prove)


RULES: dict[str, Callable[..., None]] = {
    "lemma": _lemma,
    "cases": _cases,
    "integer": _integer,
    "weaken": _weaken,
    "contradiction": _contradiction,
    "both": _both,
    "apart": _apart,
    "combination": _combination,
    "clear": _clear,
    "powers": _powers,
    "move": _move,
    "interval": _interval,
    "fixed": _fixed,
    "generalize": _generalize,
    "exponential": _exponential,
}
FIELDS: dict[str, tuple[str, ...]] = {
    "lemma": ("relation", "proof", "then"),
    "cases": ("split", "below", "above"),
    "integer": ("term", "at", "below", "above"),
    "weaken": ("keep", "proof"),
    "contradiction": ("hypothesis",),
    "both": ("upper", "lower"),
    "apart": ("sign", "proof"),
    "combination": ("bounds", "summands", "equations"),
    "clear": ("proof",),
    "powers": ("variable", "start", "parts"),
    "move": ("variable", "direction", "facts", "slope", "ends"),
    "interval": ("bits", "form"),
    "fixed": ("variable", "value", "proof"),
    "generalize": ("term", "new", "proof"),
    "exponential": ("variable", "rate", "new", "proof"),
}
