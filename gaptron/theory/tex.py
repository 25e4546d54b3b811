"""Pieces of theorems and lemmas in TeX: expressions, regrets, classes, functions of a loss."""

from collections.abc import Iterable, Iterator, Mapping

import sympy as sp

from gaptron.symbols import K, X, d, gamma, m, p
from gaptron.theory.losses import Loss, MarginLoss, PairwiseLoss, SeparableLoss

NAMES = {m: "m", p: "p", gamma: r"\gamma", K: "K", X: "X", d: "d"}
FUNCTIONS = {
    "phi": r"\varphi",
    "psi": r"\psi",
    "plus": r"\varphi_+",
    "minus": r"\varphi_-",
    "own": r"\varphi_{\text{own}}",
    "other": r"\varphi_{\text{other}}",
}
SUMS: dict[type, str] = {
    PairwiseLoss: r"\sum_{k \ne y} \varphi(\theta_y - \theta_k)",
    SeparableLoss: r"\varphi_{\text{own}}(\theta_y) + \sum_{k \ne y} \varphi_{\text{other}}(\theta_k)",
}
NORM = r"X^2 \lVert U \rVert^2"


def aligned(lines: Iterable[str]) -> str:
    """One formula of several lines, as notebooks show it."""
    return r"$\displaystyle \begin{aligned}" + r"\\".join(f"&{line}" for line in lines) + r"\end{aligned}$"


def expression_tex(expr: object) -> str:
    """An expression, a relation or a number."""
    return str(sp.latex(sp.sympify(expr), ln_notation=True, symbol_names=NAMES))


def factor_tex(expr: sp.Expr) -> str:
    """In brackets if it is a sum."""
    return rf"\left({expression_tex(expr)}\right)" if isinstance(expr, sp.Add) else expression_tex(expr)


def regret_tex(coefficient: sp.Expr | None, unknown: str) -> str:
    """A coefficient of X^2 ||U||^2, or the letter for one that is not known."""
    return (unknown if coefficient is None else factor_tex(coefficient)) + rf"\,{NORM}"


def classes_tex(first: int, last: int | None) -> str:
    """The numbers of classes claimed."""
    if last is None:
        return r"\quad (K \ge 2)"
    return rf"\quad (K = {first})" if first == last else rf"\quad ({first} \le K \le {last})"


def loss_tex(loss: Loss) -> Iterator[str]:
    """The functions that make it up, after the sum of them that it is."""
    if type(loss) in SUMS:
        yield rf"\ell = {SUMS[type(loss)]}"
    shown = [rf"{FUNCTIONS[name]}({variable}) = {expression_tex(expr)}" for name, expr, variable in loss.functions]
    if isinstance(loss, MarginLoss) and loss.off_above is not None:
        shown.append(rf"\text{{off where right with }} m^* > {expression_tex(loss.off_above)}")
    yield r",\quad ".join(shown)


def structured_tex(given: Mapping[str, sp.Expr], target: object, entropy: object, outputs: object) -> str:
    """The bound of a structured theorem by the expressions that it gives, and what it is made of."""
    bound = (
        rf"\mathbb{{E}}\Bigl[\sum_t L(\hat y_t, y_t)\Bigr] \le {factor_tex(given['coefficient'])} \sum_t S_t(U) + "
        + regret_tex(given.get("regret"), r"\rho")
    )
    parts = (("L", target), (r"\Omega", entropy), (r"\mathcal{Y}", outputs))
    made_of = r",\quad ".join(rf"{name} = \text{{{type(value).__name__}}}" for name, value in parts)
    rates = (("s", "scale"), (r"\eta X^2", "learning_rate"))
    shown = r",\quad ".join(rf"{name} = {expression_tex(given[rate])}" for name, rate in rates if rate in given)
    return aligned((bound, made_of, shown))
