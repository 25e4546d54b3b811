"""A normal form as text of the proof language, which reads it back as the same."""

from collections.abc import Iterable
from fractions import Fraction

from gaptron.papers.typed_formulas import Formula
from gaptron.papers.typed_terms import BOUND, Real, Term, Vector

NAMED = {"root": "sqrt", "exp": "exp", "log": "log", "total": "total", "mean": "mean", "expect": "expect"}
SIGNS = {"=": "=="}
LABEL = "i"  # of a maximum over labels


def relation(f: Formula) -> str:
    """A relation p <= 0, p < 0, p = 0 or p != 0."""
    return f"{written(f[2])} {SIGNS.get(f[1], f[1])} 0"


def written(x: Term) -> str:
    """A real, a vector, a label or an atom that is no quotient."""
    if isinstance(x, Real):
        return _sum((c, _product(m)) for m, c in x.items)
    if isinstance(x, Vector):
        return _sum(_scaled(c, written(b)) for b, c in x.items)
    return _symbol(x) if x[0] in ("r", "v", "lab", "f") else _applied(x)


def _symbol(x: Term) -> str:
    name = str(x[1]).lstrip("~")
    return LABEL if x == BOUND else f"end({name[:-4]})" if name.endswith("@end") else name


def _applied(x: Term) -> str:
    head, parts = x[0], x[1:]
    if head in NAMED:
        return f"{NAMED[head]}({written(parts[0])})"
    if head == "lmax":
        but = f" if {LABEL} != {written(parts[0])}" if parts[0] else ""
        return f"max({written(parts[1])} for {LABEL} in labels{but})"
    one, *rest = map(written, parts)
    (two,) = rest or [""]
    return {
        "app": f"{one}({two})", "dot": f"({one} @ {two})" if one != two else f"norm2({one})",
        "pow": f"(({one})**({two}))", "max": f"max({one}, {two})", "min": f"min({one}, {two})",
        "ind": f"ind({one} == {two})", "on": f"ind({one} >= 0)", "e": f"e({one})", "o": f"outer({one}, {two})",
    }[head]  # fmt: skip


def _product(monomial: Term) -> str:
    above = "*".join(_power(a, e) for a, e in monomial if a[0] != "inv")
    below = "".join(_below(a[1], e) for a, e in monomial if a[0] == "inv")
    return (above or "1" if below else above) + below


def _power(a: Term, e: int) -> str:
    return written(a) + (f"**{e}" if e > 1 else "")


def _below(p: Real, e: int) -> str:
    """1/p, to a power: of a sum one after the other, as the normal form has them."""
    return f"/({written(p)})" * e if len(p.items) > 1 else f"/{_power(p, e)}"


def _scaled(c: Real, base: str) -> tuple[Fraction, str]:
    return (c.number, base) if c.number is not None else (Fraction(1), f"({written(c)})*{base}")


def _sum(terms: Iterable[tuple[Fraction, str]]) -> str:
    """What is added, then what is taken away."""
    out = ""
    for c, text in sorted(terms, key=lambda term: term[0] < 0):
        size = abs(c)
        term = f"{size}*{text}" if text and size != 1 else text or str(size)
        out += (f" - {term}" if c < 0 else f" + {term}") if out else f"-({term})" if c < 0 else term
    return out or "0"
