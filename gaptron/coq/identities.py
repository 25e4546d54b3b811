"""Identities between terms: ring and field, once logarithms, exponentials and roots are written as the kernel does.

The kernel writes ln 4 as 2 ln 2, exp (a + b) as exp a exp b, ln x as ln (x^2)/2. For each part that is written
otherwise an equation is proved first and put in its place; the rest is an identity of rational functions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from gaptron.coq.script import Context
from gaptron.coq.terms import number, show
from gaptron.kernel.polynomials import (
    Factor,
    Polynomial,
    _factors,
    canonical,
    polynomial_term,
    primitive,
    quotient,
    rational_value,
)
from gaptron.language.terms import Json, Term, arguments, from_text, text

Part = str | Term  # text, or a term that may have to be rewritten


def is_normal(term: Term) -> bool:
    """Whether an exponential, logarithm or root is an atom of the kernel."""
    return quotient(term) == ({((text(term), 1),): Fraction(1)}, {})


def abnormal(term: Term) -> Iterator[Term]:
    """The outermost parts that are not written as the kernel writes them."""
    if isinstance(term, tuple) and term[0] in ("exp", "log", "root"):
        if not is_normal(term):
            yield term
        return
    for argument in arguments(term):
        yield from abnormal(argument)


def equate(context: Context, left: Sequence[Part], right: str) -> str:
    """A tactic, with its full stop, that proves ``left = right``; text and terms of ``left`` stand one after the other.

    What is written otherwise is rewritten first, a part before the parts of it that occur elsewhere too; the facts for
    that are put into the script now.
    """
    found = dict.fromkeys(part for term in left if not _is_text(term) for part in abnormal(term))
    odd = sorted(found, key=lambda part: -len(text(part)))
    names = {part: atom_equation(context, part) for part in odd}

    def written(instead: dict[Term, str]) -> str:
        return "".join(str(p) if _is_text(p) else show(p, context.names, instead) for p in left)

    tactics, done = [], dict[Term, str]()
    for part in odd:
        step = f"apply (f_equal (fun q => {written({**done, part: 'q'})}) {names[part]})"
        done[part] = context.show(canonical(part))
        tactics.append(f"transitivity ({written(done)}); [{step} |")
    return f"{' '.join(tactics)} {_closing(written(done) + right)}{']' * len(tactics)}."


def _closing(texts: str) -> str:
    return "(field; nonzero)" if "/" in texts else "ring"


def _is_text(part: Part) -> bool:
    return isinstance(part, Text)


class Text(str):
    """Text among terms (a variable is a plain string)."""

    __slots__ = ()


def equation(context: Context, left: Term, right: Term) -> str:
    """The name of a proof of ``left = right``, terms of one value by the kernel's algebra."""
    shown = context.show(right)
    return context.have(f"{context.show(left)} = {shown}", equate(context, [left], shown))


def atom_equation(context: Context, part: Term) -> str:
    """The name of a proof that an exponential, logarithm or root is what the kernel makes of it."""
    assert isinstance(part, tuple)  # noqa: S101
    statement = f"{context.show(part)} = {context.show(canonical(part))}"
    if part[0] == "root":
        inner = equation(context, part[1], canonical(part[1]))
        function = "sqrt" if part[2] == 2 else f"(root {part[2]})"
        return context.have(statement, f"exact (f_equal {function} {inner}).")
    return context.have(statement, (_exponential if part[0] == "exp" else _logarithm)(context, part))


def _exponential(context: Context, part: tuple[Json, ...]) -> str:
    numerator, denominators = quotient(part[1])
    if denominators:
        return f"exact (f_equal exp {equation(context, part[1], canonical(part[1]))})."
    pieces = [(c.numerator, polynomial_term({m: Fraction(1, c.denominator)})) for m, c in sorted(numerator.items())]
    total: Term = ("+", *(("*", Fraction(n), base) for n, base in pieces)) if pieces else Fraction(0)
    inner = equation(context, part[1], total)
    tactics = [f"transitivity (exp {context.show(total)}); [exact (f_equal exp {inner})|]."]
    if not pieces:
        return " ".join([*tactics, "apply exp_0."])
    tactics += ["rewrite ?exp_plus."]
    for n, base in pieces:
        lemma = "exp_positive_multiple" if n > 0 else "exp_negative_multiple"
        tactics.append(f"rewrite ({lemma} {abs(n)} {number(Fraction(n))} {context.show(base)}) by (simpl; ring).")
    return " ".join([*tactics, "field; nonzero."])


def _logarithm(context: Context, part: tuple[Json, ...]) -> str:
    """By log_size, the logarithm of the absolute value, which takes products and powers apart whatever the signs."""
    from gaptron.coq.facts import require  # the two need each other: a logarithm is taken apart by signs

    argument = part[1]
    positive = require(context, (argument, "positive"))
    components, negative = _components(argument)
    product = " * ".join(_component(context, base, exponent) for base, exponent in components) or "1"
    product = f"(- ({product}))" if negative else f"({product})"
    for base, _ in components:
        if not isinstance(base, Fraction):
            _require_nonzero(context, base)
    inner = context.have(f"{context.show(argument)} = {product}", equate(context, [argument], product))
    tactics = [
        f"rewrite <- (log_size_positive {context.show(argument)} {positive}).",
        f"transitivity (log_size {product}); [exact (f_equal log_size {inner})|].",
        "rewrite ?log_size_opposite.",
        "repeat rewrite log_size_product by nonzero_parts.",
        "repeat rewrite log_size_inverse by nonzero_parts.",
        "repeat rewrite log_size_power by nonzero_parts.",
        "rewrite ?log_size_exp.",
    ]
    for base, _ in components:
        if isinstance(base, Fraction):
            tactics.append(f"rewrite ?(log_size_positive {number(base)}) by lra.")
    tactics.append("rewrite ?(log_size_positive 1 Rlt_0_1), ?ln_1. unfold log_size. simpl INR. field.")
    return " ".join(tactics)


def _components(argument: Term) -> tuple[list[tuple[Term, int]], bool]:
    """The argument as a product of powers of primes, atoms and other factors, and whether its sign is changed."""
    value = rational_value(argument)
    if value is not None:
        return _primes(value), False
    scale = 1
    while isinstance(argument, tuple) and argument[0] == "^":
        _, argument, exponent = argument
        scale *= int(exponent)
    numerator, denominators = quotient(argument)
    factor, content = primitive(numerator)
    found = [(base, exponent * scale) for base, exponent in _primes(abs(content))]
    found += [(base, exponent * scale) for base, exponent in _bases(factor)]
    for below, exponent in denominators.items():
        found += [(base, -e * exponent * scale) for base, e in _bases(below)]
    return found, content < 0 and scale % 2 == 1


def _primes(value: Fraction) -> list[tuple[Term, int]]:
    above = [(Fraction(prime), exponent) for prime, exponent in _factors(value.numerator).items()]
    return [*above, *((Fraction(prime), -exponent) for prime, exponent in _factors(value.denominator).items())]


def _bases(factor: Factor) -> list[tuple[Term, int]]:
    if len(factor) > 1:
        return [(polynomial_term(dict(factor)), 1)]
    ((monomial, _),) = factor
    return [(from_text(name), exponent) for name, exponent in monomial]


def _component(context: Context, base: Term, exponent: int) -> str:
    raised = f"{context.show(base)} ^ {abs(exponent)}"
    return raised if exponent > 0 else f"/ ({raised})"


def _require_nonzero(context: Context, base: Term) -> None:
    from gaptron.coq.facts import nonzero_fact

    factor, _ = primitive(quotient(base)[0])
    nonzero_fact(context, factor)


def integral(polynomial: Polynomial) -> tuple[Polynomial, int]:
    """The polynomial with integer coefficients, and the positive integer that it was multiplied by."""
    scale = lcm(*(coefficient.denominator for coefficient in polynomial.values()))
    return {m: c * scale for m, c in polynomial.items()}, scale
