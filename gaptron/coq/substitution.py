"""Rules that put something in the place of a variable or a term: fixed, generalize, exponential."""

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from gaptron.coq.enclosure import bound_fact
from gaptron.coq.facts import nonzero_term, require, require_all
from gaptron.coq.identities import equation
from gaptron.coq.script import Context
from gaptron.coq.terms import Need, conclusion, is_plain, number, relation_needs, relation_text, show
from gaptron.kernel import Claim, Relation
from gaptron.kernel.hypotheses import bound_on
from gaptron.kernel.polynomials import canonical, quotient
from gaptron.kernel.rules.substitution import exponential_goal, fixed_goal, generalized
from gaptron.language.terms import Json, Term, names, read_name, read_rational, read_term, substitute, subterms

Prove = Callable[[Context, Json], None]


def fixed(context: Context, variable: Json, value: Json, proof: Json, prove: Prove) -> None:
    """A variable that is a number by two hypotheses is that number everywhere."""
    name, at = read_name(variable), read_rational(value)
    goal = fixed_goal(context.claim, name, at)
    found = {}
    for relation, hypothesis in zip(context.claim.given, context.given, strict=True):
        bound = bound_on(relation, name) if name in relation.names else None
        if bound in (("up", at), ("down", at)) and bound not in found:
            found[bound] = bound_fact(context, relation, hypothesis, name, bound[0], at)
    shown = context.names[name]
    context.have(f"{shown} = {number(at)}", f"exact (Rle_antisym _ _ {found['up', at]} {found['down', at]}).")
    context.script.add(f"subst {shown}.")
    needs = {(substitute(term, name, at), wanted): known for (term, wanted), known in context.needs.items()}
    integers = {term: known for term, known in context.integers.items() if term in goal.integers}
    inner = Context(context.script, goal, context.names, context.given, integers, needs)
    made = context.script.fresh()
    context.script.add(f"assert ({made} : {conclusion(goal.then, context.names)}). {{")
    prove(inner.block(), proof)
    context.script.add("}")
    learned = inner.learn(goal.then, made)
    for term, wanted in relation_needs(context.claim.then):
        there = (substitute(term, name, at), wanted)
        context.script.add(f"split; [{'lra' if is_plain(there) else f'exact {learned.needs[there]}'}|].")
    context.script.add(f"exact {learned.given[-1]}.")


def _new(context: Context, value: str) -> tuple[str, str]:
    """A new real that equals a value: its Coq name, and that of the equation."""
    shown, equal = context.script.fresh("x"), context.script.fresh()
    context.script.add(f"destruct (ex_intro (fun x : R => x = {value}) {value} eq_refl) as [{shown} {equal}].")
    return shown, equal


def generalize(context: Context, term: Json, new: Json, proof: Json, prove: Prove) -> None:
    """A term under a new name."""
    part, name = read_term(term), read_name(new)
    goal = generalized(context.claim, part, name)
    then = context.claim.then
    require_all(context, then.left, then.right)
    shown, equal = _new(context, context.show(part))
    inner_names = ChainMap({name: shown}, context.names)
    needs: dict[Need, str] = {}
    given = []
    for relation, hypothesis in zip(goal.given, context.given, strict=True):
        for need in relation_needs(relation):
            if need not in needs:
                needs[need] = _needed_before(context, need, name, part, equal, inner_names)
        given.append(context.have(relation_text(relation, inner_names), f"rewrite ?{equal}; exact {hypothesis}."))
    integers = {whole: known for whole, known in context.integers.items() if whole in goal.integers}
    inner = Context(context.script, goal, inner_names, tuple(given), integers, needs)
    made = context.script.fresh()
    context.script.add(f"assert ({made} : {conclusion(goal.then, inner_names)}). {{")
    prove(inner.block(), proof)
    context.script.add("}")
    learned = inner.learn(goal.then, made)
    for need in relation_needs(then):
        context.script.add(f"split; [exact {require(context, need)}|].")
    context.script.add(f"subst {shown}. exact {learned.given[-1]}.")


def _needed_before(context: Context, need: Need, name: str, part: Term, equal: str, inner: Mapping[str, str]) -> str:
    """A need in the new terms, from those of the old: what is one term now may have been a product."""
    term, wanted = need
    before = substitute(term, name, part)
    known = nonzero_term(context, before) if wanted == "nonzero" else require(context, (before, wanted))
    relation = {"nonzero": "{} <> 0", "positive": "0 < {}", "nonnegative": "0 <= {}"}[wanted]
    return context.have(relation.format(show(term, inner)), f"rewrite ?{equal}; exact {known}.")


def exponential(context: Context, variable: Json, rate: Json, new: Json, proof: Json, prove: Prove) -> None:
    """u = exp(rate v) instead of v."""
    name, by, fresh = read_name(variable), read_rational(rate), read_name(new)
    goal = exponential_goal(context.claim, name, by, fresh)
    f, strict = context.claim.then.upper()
    require_all(context, f)
    shown, equal = _new(context, f"(exp ({number(by)} * {context.names[name]}))")
    inner = replace(
        context.block(),
        claim=Claim((), goal.then, goal.integers),
        names=ChainMap({fresh: shown}, context.names),
        given=(),
        integers={term: known for term, known in context.integers.items() if term in goal.integers},
        needs={need: known for need, known in context.needs.items() if name not in names(need[0])},
    )
    inner = inner.also(goal.given[0], context.have(f"0 < {shown}", f"rewrite {equal}; apply exp_pos."))
    kept = iter(goal.given[1:])
    for relation, hypothesis in zip(context.claim.given, context.given, strict=True):
        bound = bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            moved = next(kept)
            inner = inner.also(moved, _bound_of_new(inner, relation, hypothesis, name, by, bound, moved, equal))
        elif name not in relation.names:
            inner = inner.also(next(kept), hypothesis)
    made = context.script.fresh()
    context.script.add(f"assert ({made} : {conclusion(goal.then, inner.names)}). {{")
    prove(inner.block(), proof)
    context.script.add("}")
    learned = inner.learn(goal.then, made)
    same = _in_new_terms(context, f, inner.show(goal.then.left), name, by, shown, equal)
    for need in relation_needs(context.claim.then):
        context.script.add(f"split; [exact {require(context, need)}|].")
    lemma = "difference_lt" if strict else "difference_le"
    context.script.add(f"apply {lemma}. rewrite {same}. exact {learned.given[-1]}.")


def _bound_of_new(
    context: Context,
    relation: Relation,
    hypothesis: str,
    name: str,
    rate: Fraction,
    bound: tuple[str, Term],
    moved: Relation,
    equal: str,
) -> str:
    """The name of a proof of u <= exp(rate b), or >=."""
    side, at = bound
    require_all(context, at)
    linear = bound_fact(context, relation, hypothesis, name, side, at)
    end: Term = ("exp", ("*", rate, at))
    written = equation(context, end, moved.right)
    v = context.names[name]
    product, there = f"{number(rate)} * {v}", f"{number(rate)} * {context.show(at)}"
    low, high = (product, there) if moved.sign == "<=" else (there, product)
    step = context.have(f"{low} <= {high}", f"clear - {linear}; lra.")
    return context.have(
        context.text(moved), f"try rewrite <- {written}. rewrite {equal}. exact (Enclosures.exp_mono _ _ {step})."
    )


def _in_new_terms(context: Context, f: Term, after: str, name: str, rate: Fraction, shown: str, equal: str) -> str:
    """The name of a proof that f is the conclusion's left side: exp(n rate v) = u^n, and v = log(u)/rate."""
    written = canonical(f)
    first = equation(context, f, written)
    v = context.names[name]
    chain, done = [], dict[Term, str]()
    for part in dict.fromkeys(subterms(written)):
        power = _power_of_new(part, name, rate)
        if power is None:
            continue
        text = show(("^", "u", power), {"u": shown})
        argument = show(part[1], context.names)  # type: ignore[index]
        rewriting = f"rewrite {equal}, <- {_power_lemma(power, f'({number(rate)} * {v})')}. f_equal; field."
        chain.append((part, text, context.have(f"(exp {argument}) = {text}", rewriting)))
    logarithm = f"({number(1 / rate)} * (ln {shown}))"
    chain.append((name, logarithm, context.have(f"{v} = {logarithm}", f"rewrite {equal}, ln_exp. field.")))
    tactics = []
    for part, text, known in chain:
        step = show(written, context.names, {**done, part: "q"})
        done[part] = text
        tactics.append(
            f"transitivity ({show(written, context.names, done)}); [apply (f_equal (fun q => {step}) {known}) |"
        )
    steps = f"{' '.join(tactics)} reflexivity{']' * len(tactics)}"
    total = f"{context.show(f)} = {after}"
    return context.have(total, f"transitivity ({context.show(written)}); [exact {first} | {steps}].")


def _power_lemma(power: int, argument: str) -> str:
    """exp (n x) = exp(x)^n, for rewriting from right to left."""
    if power == -1:
        return "exp_Ropp"
    lemma = "exp_positive_multiple" if power > 0 else "exp_negative_multiple"
    return f"({lemma} {abs(power)} {number(Fraction(power))} {argument}) by (simpl; ring)"


def _power_of_new(part: Term, name: str, rate: Fraction) -> int | None:
    """n if the part is exp(n rate v), as the kernel sees it."""
    if not isinstance(part, tuple) or part[0] != "exp":
        return None
    numerator, denominators = quotient(part[1])
    power = numerator.get(((f'"{name}"', 1),), Fraction(0)) / rate
    if len(numerator) == 1 and not denominators and power != 0 and power.denominator == 1:
        return power.numerator
    return None
