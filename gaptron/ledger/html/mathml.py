"""TeX and sympy expressions as MathML; words with ASCII formulas as HTML: exponents, indices, Greek letters, signs."""

import re
from typing import Any

import sympy as sp
from latex2mathml.converter import convert
from markupsafe import Markup, escape

from gaptron.system.printable import printable
from gaptron.theory.files import FileError
from gaptron.theory.losses import threshold_of
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem


def mathml(tex: str, where: str, display: str = "block") -> Markup:
    """A formula; FileError that names ``where`` if it cannot be converted."""
    try:
        converted = convert(tex, display=display)
    except Exception as error:
        raise FileError(f"{where}: its TeX {tex!r} cannot be shown as MathML: {error}") from error
    unknown = [part for part in ("&#x0005C;", "\\") if part in converted]
    if unknown:
        raise FileError(f"{where}: its TeX {tex!r} has a command that cannot be shown as MathML")
    return Markup(converted)  # noqa: S704  latex2mathml escapes the text of every element


def expression(expr: Any, where: str) -> Markup:
    """A sympy expression or a number as a formula; a constant that is told in words, as words."""
    if isinstance(expr, str):
        return Markup("{}").format(expr)
    return mathml(sp.latex(sp.sympify(expr), ln_notation=True), where)


def statement(theorem: Theorem | StructuredTheorem) -> list[tuple[str, Markup]]:
    """What a theorem says: pairs of a name and a formula."""
    parts = _of_outputs(theorem) if isinstance(theorem, StructuredTheorem) else _of_labels(theorem)
    return [(name, expression(part, theorem.name)) for name, part in parts if part is not None]


def _of_outputs(theorem: StructuredTheorem) -> list[tuple[str, object]]:
    parts: list[tuple[str, object]] = [(name, str(getattr(theorem, name))) for name in ("outputs", "target", "entropy")]
    return [
        *parts,
        ("scale", theorem.scale),
        ("learning rate (times 1/X^2)", theorem.learning_rate),
        ("coefficient of the comparator's loss", theorem.coefficient),
        ("regret (times X^2 ||U||^2)", theorem.regret),
    ]


def _of_labels(theorem: Theorem) -> list[tuple[str, object]]:
    return [
        *((words, expr) for words, (_, expr, _) in zip(theorem.loss.words, theorem.loss.functions, strict=True)),
        ("switched off above", threshold_of(theorem.loss)),
        ("gap map", theorem.gap_map.expression if theorem.decoder == "gap map" else None),
        ("exploration rate", theorem.exploration),
        ("learning rate" + ("" if theorem.feedback == "bandit" else " (times 1/X^2)"), theorem.learning_rate),
        ("regret" if theorem.feedback == "bandit" else "regret (times X^2 ||U||^2)", theorem.regret),
        ("abstention cost", theorem.abstention_cost),
    ]


GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eta": "η", "epsilon": "ε", "kappa": "κ", "lambda": "λ",
    "mu": "μ", "Phi": "Φ", "rho": "ρ",
}  # fmt: skip
NAME = rf"(?:{'|'.join(GREEK)}|[A-Za-z]{{1,2}}|sum|max|min|log|yhat|ybar|inf)"
INSIDE = r"(?:\{([^{}]*)\}|\(([^()]*)\)|(-?\w+\*?))"
DIVIDED = r"(?<=[\d)>]/)|(?<=[^\w/-]\w/)"
RULES = [
    (re.compile(rf"(?<![\w/-])({NAME}'?)_(?:\{{([^{{}}]*)\}}|(\w+\*?))"), r"\1<sub>\2\3</sub>"),
    (re.compile(rf"(?<=[\w|)\]'])\^{INSIDE}"), r"<sup>\1\2\3</sup>"),
    (re.compile(r"\bsum(?=<sub>| [A-Za-z]{1,2}(?:<sub>|\())"), "∑"),
    (re.compile(r"\bsqrt\("), "√("),
    (re.compile(r"&lt;="), "≤"),
    (re.compile(r"&gt;="), "≥"),
    (re.compile(r"!="), "≠"),
    (re.compile(r"\|\|"), "‖"),
    *((re.compile(rf"(?:(?<![\w/-])|{DIVIDED}){name}(?![\w-])"), letter) for name, letter in GREEK.items()),
]
DIGITS = {"sup": "⁰¹²³⁴⁵⁶⁷⁸⁹", "sub": "₀₁₂₃₄₅₆₇₈₉"}  # characters print in fewer bytes than tags
PROSE = re.compile(r"(?<![\\\w{])[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}")


def typeset(text: object) -> Markup:
    """Text that may hold formulas such as K X^2 ||U||^2/(2 eta)."""
    shown = str(escape(printable(text)))
    for pattern, replacement in RULES:
        shown = pattern.sub(replacement, shown)
    for tag, digits in DIGITS.items():
        for number, digit in enumerate(digits):
            shown = shown.replace(f"<{tag}>{number}</{tag}>", digit)
    return Markup(shown)  # noqa: S704  escaped above


def quotation(text: str) -> Markup:
    """A quotation, its TeX as formulas where it is whole; as it stands where it is not."""
    if "$" not in text and PROSE.search(text):
        return Markup("{}").format(printable(text))
    if "\\" in text.split("$")[0]:  # it begins inside a formula
        text = f"${text}"
    parts = re.findall(r"([^$]*)(?:\$([^$]*)(?:\$|\Z))?", text)
    return Markup("").join(Markup("{}{}").format(printable(words), _formula(tex)) for words, tex in parts)


def _formula(tex: str) -> Markup:
    """MathML, or the TeX itself if the converter does not know it or a quotation cut it."""
    if not tex:
        return Markup("")
    try:
        return mathml(tex.replace(r"\mathbbm", r"\mathbb").replace("&", " "), "a quotation", display="inline")
    except FileError:
        return Markup("<code>{}</code>").format(printable(tex))
