"""Theorems and lemmas in TeX: what they say, and of which loss, prediction and learning rate."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import sympy as sp

from gaptron.symbols import K, X, d, gamma, m, p
from gaptron.theory.losses import MarginLoss, PairwiseLoss, SeparableLoss, SoftmaxLoss

if TYPE_CHECKING:
    from gaptron.theory.structured.theorem import StructuredTheorem
    from gaptron.theory.theorem import Implication, Lemma, Theorem

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


def theorem_tex(theorem: "Theorem") -> str:
    """Its bound, its loss and its prediction."""
    return _aligned([_bound(theorem), *_loss(theorem), *_prediction(theorem)])


def lemma_tex(lemma: "Lemma") -> str:
    """Its implications."""
    return _aligned(map(_implication, lemma.implications))


def structured_tex(theorem: "StructuredTheorem") -> str:
    """Its bound and what it is made of."""
    return _aligned(_structured(theorem))


def _aligned(lines: Iterable[str]) -> str:
    """One formula of several lines, as notebooks show it."""
    return r"$\displaystyle \begin{aligned}" + r"\\".join(f"&{line}" for line in lines) + r"\end{aligned}$"


def _latex(expr: object) -> str:
    return str(sp.latex(sp.sympify(expr), ln_notation=True, symbol_names=NAMES))


def _bound(theorem: "Theorem") -> str:
    """The mistake bound; its regret follows from the learning rate if it is not claimed."""
    cost = r"\mathbb{E}[M_T]"
    if theorem.abstention_cost is not None:
        cost += rf" + ({_latex(theorem.abstention_cost)})\,\mathbb{{E}}[A_T]"
    regret, eta = theorem.regret, theorem.eta()
    if theorem.feedback == "bandit":
        excess = r"\ldots" if regret is None else _latex(regret)
    else:
        found = regret if regret is not None else None if eta is None else sp.cancel(1 / (2 * eta))
        excess = ("c" if found is None else _factor(found)) + rf"\,{NORM}"
    return rf"{cost} \le \sum_t \ell_t(U) + {excess}{_classes(theorem)}"


def _factor(expr: sp.Expr) -> str:
    return rf"\left({_latex(expr)}\right)" if isinstance(expr, sp.Add) else _latex(expr)


def _classes(theorem: "Theorem") -> str:
    first, last = theorem.first_class_count, theorem.last_class_count
    if last is None:
        return r"\quad (K \ge 2)"
    return rf"\quad (K = {first})" if first == last else rf"\quad ({first} \le K \le {last})"


def _loss(theorem: "Theorem") -> Iterator[str]:
    loss = theorem.loss
    if type(loss) in SUMS:
        yield rf"\ell = {SUMS[type(loss)]}"
    shown = [rf"{FUNCTIONS[name]}({variable}) = {_latex(expr)}" for name, expr, variable in loss.functions]
    if isinstance(loss, MarginLoss) and loss.off_above is not None:
        shown.append(rf"\text{{off where right with }} m^* > {_latex(loss.off_above)}")
    yield r",\quad ".join(shown)


def _prediction(theorem: "Theorem") -> Iterator[str]:
    if theorem.decoder == "gap map":
        variable = "p^*" if isinstance(theorem.loss, SoftmaxLoss) else "m^*"
        yield rf"a({variable}) = {_latex(theorem.gap_map.expression)}"
    if theorem.exploration is not None:
        yield rf"\gamma = {_latex(theorem.exploration)}"
    eta = theorem.eta()
    if eta is not None:
        yield rf"\eta = {_latex(eta if theorem.feedback == 'bandit' else eta / X**2)}"


def _structured(theorem: "StructuredTheorem") -> Iterator[str]:
    regret = r"\rho" if theorem.regret is None else _factor(theorem.regret)
    yield (
        rf"\mathbb{{E}}\Bigl[\sum_t L(\hat y_t, y_t)\Bigr] \le {_factor(theorem.coefficient)} \sum_t S_t(U) + "
        rf"{regret}\,{NORM}"
    )
    parts = (("L", theorem.target), (r"\Omega", theorem.entropy), (r"\mathcal{Y}", theorem.outputs))
    yield r",\quad ".join(rf"{name} = \text{{{type(value).__name__}}}" for name, value in parts)
    rates = (("s", theorem.scale), (r"\eta X^2", theorem.learning_rate))
    yield r",\quad ".join(rf"{name} = {_latex(value)}" for name, value in rates if value is not None)


def _implication(implication: "Implication") -> str:
    given = r",\ ".join(map(_latex, implication.given))
    return _latex(implication.then) + (rf"\quad\text{{if}}\quad {given}" if given else "")
