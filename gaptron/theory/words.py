"""Relations for people: in the words of the statement and in TeX, each symbol as what it stands for."""

import re
from functools import lru_cache

import sympy as sp
from sympy.core.relational import Relational
from sympy.printing.str import StrPrinter

from gaptron.symbols import sign_of
from gaptron.theory.arguments import Argument, Sentence, When

SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "="}
TEX_SIGNS = {sp.Le: r"\le", sp.Lt: "<", sp.Ge: r"\ge", sp.Gt: ">", sp.Eq: "="}
LAST = "~"  # sorts after letters
STAR = "\N{ASTERISK OPERATOR}"  # is no product
SHOWN = {"positive": "> 0", "nonnegative": ">= 0", "negative": "< 0", "nonpositive": "<= 0", "nonzero": "!= 0"}
TEX = (
    (r"\bsum\b", r"\\sum "), (r"\|\|", r"\\|"), (r"<(?=[\w(])", r"\\langle "), (r"(?<=[\w)'])>", r"\\rangle "),
    (r"\bE\[", r"\\mathbb{E}["), (r"'", r"\\prime "), (r"_(\w\w+)", r"_{\1}"), (r"\b(max|min|log|inf|ln)\b", r"\\\1 "),
    (r"\b(eta|gamma|beta|lambda|kappa|alpha|delta|mu|rho)\b", r"\\\1 "),
    (r"(?<!\\)\b(WORD(?: WORD)*)".replace("WORD", r"(?:[a-zA-Z]{3,}|of|at|in|is|to|on|by)\b"), r"\\text{ \1 }"),
)  # fmt: skip


class Words(StrPrinter):  # type: ignore[misc]
    """Prints K**2*r/2 as "K^2 ||U||^2/2" if r is a symbol named ||U||^2."""

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return str(expr.name.removeprefix(LAST)).replace("*", STAR)

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        base = self._print(expr.base)
        if expr.base.is_Symbol and (" " in base or "^" in base):
            expr = sp.Pow(sp.Symbol(f"({base})", positive=True), expr.exp, evaluate=False)
        return str(super()._print_Pow(expr, rational=rational)).replace("**", "^")

    def _print_log(self, expr: sp.Expr) -> str:
        return f"ln({self._print(expr.args[0])})"

    def _print_Mul(self, expr: sp.Mul) -> str:
        return str(super()._print_Mul(expr)).replace("*", " ")


def shown(side: sp.Expr, argument: Argument) -> sp.Expr:
    """With symbols named after what they stand for, which come last in a product."""
    return side.xreplace({s: _last(argument.symbols[s]) for s in side.free_symbols if s in argument.symbols})


@lru_cache(maxsize=1024)
def _last(text: str) -> sp.Symbol:
    return sp.Symbol(LAST + text, positive=True)


def words(what: Sentence | When, argument: Argument) -> str:
    """A hypothesis or a conclusion."""
    if isinstance(what, str):
        return str(what)
    if isinstance(what, When):
        return f"{', '.join(words(one, argument) for one in what.then)} if {words(what.case, argument)}"
    left, right = (Words().doprint(shown(side, argument)) for side in what.args)
    return f"{left} {SIGNS[type(what)]} {right}".replace(STAR, "*")


def unsaid(argument: Argument) -> Sentence | When | None:
    """A hypothesis or a conclusion for which there are no words."""
    parts = (*argument.hypotheses, *argument.conclusion)
    relations = [r for one in parts for r in ((one.case, *one.then) if isinstance(one, When) else (one,))]
    return next((r for r in relations if not isinstance(r, str) and type(r) not in SIGNS), None)


def statement(argument: Argument) -> str:
    """The statement of an argument: what is claimed, under which hypotheses."""
    concluded = " and ".join(words(one, argument) for one in argument.conclusion)
    assumed = [*signs(argument), *(words(one, argument) for one in argument.hypotheses)]
    return f"{argument.setting}: {concluded}" + (f", if {'; '.join(assumed)}" if assumed else "")


def signs(argument: Argument) -> list[str]:
    """The signs that the symbols of the statement are declared with, those of norms and squares apart."""
    relations = [one for one in (*argument.hypotheses, *argument.conclusion) if isinstance(one, Relational)]
    symbols = sorted({symbol for one in relations for symbol in one.free_symbols}, key=str)
    named = [(argument.meaning(symbol), sign_of(symbol)) for symbol in symbols if symbol in argument.symbols]
    return [f"{text} {SHOWN[sign]}" for text, sign in named if sign and not text.startswith(("|", "E[|"))]


def tex(argument: Argument) -> str:
    """The conclusions in TeX."""
    return r",\quad ".join(_relation_tex(one, argument) for one in argument.conclusion)


def _relation_tex(relation: Sentence, argument: Argument) -> str:
    if isinstance(relation, str):
        return rf"\text{{{relation}}}"
    sides = [shown(side, argument) for side in relation.args]
    names = {symbol: _tex(symbol.name.removeprefix(LAST)) for side in sides for symbol in side.free_symbols}
    left, right = (sp.latex(side, symbol_names=names, ln_notation=True) for side in sides)
    return f"{left} {TEX_SIGNS[type(relation)]} {right}"


def _tex(text: str) -> str:
    for pattern, replacement in TEX:
        text = re.sub(pattern, replacement, text)
    return text
