"""Words with ASCII formulas as HTML: exponents, indices, Greek letters and signs; quotations with TeX as MathML."""

import re

from markupsafe import Markup, escape

from gaptron.ledger.html.formulas import mathml
from gaptron.system.printable import printable
from gaptron.theory.files import FileError

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
