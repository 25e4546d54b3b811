"""The surrogate gaps that the report plots, as JavaScript written from the losses and gap maps of their theorems."""

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from gaptron.door.reading import name_of, read
from gaptron.language.code import JAVASCRIPT, code
from gaptron.language.expressions import Expression
from gaptron.language.instantiation import substituted
from gaptron.language.slopes import right_slope
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K, Parameter, m, p
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import threshold_of, with_threshold
from gaptron.theory.named import named_binary_theorem, named_theorem
from gaptron.theory.theorem import Theorem

beta = Parameter("beta", 0, 1)
eta = sp.Symbol("eta", positive=True)
slope = sp.Symbol("slope", real=True)


def shown_theorems() -> Mapping[str, Theorem]:
    """By the value that the page has for them; hinge with any beta, and its rate."""
    binary, hinge = named_binary_theorem("smooth hinge"), named_theorem("hinge")
    return {
        "figure1": replace(binary, gap_map=GapMap(sp.Integer(0)), learning_rate=sp.Rational(1, 8), regret=None),
        "binary": binary,
        "hinge": replace(
            hinge,
            loss=with_threshold(hinge.loss, beta),
            gap_map=GapMap(sp.Piecewise((1 - m, m <= beta), (sp.Integer(0), True))),
            learning_rate=(1 - beta) / K,
            regret=None,
        ),
        "smooth": named_theorem("smooth hinge"),
        "logistic": named_theorem("logistic"),
    }


def gap(theorem: Theorem) -> Expression:
    """P(wrong) - loss + (eta/2) ||g||^2 in the margin m of the true label, K, eta and beta, with ||x|| = 1.

    Of the other labels only one has the top score, and with a softmax loss only one has any probability.
    """
    loss, share = theorem.loss, 1 / (1 + sp.exp(-m))
    geometry, (_, function, variable) = geometry_of(loss), loss.functions[0]
    value = function.subs(variable, share if geometry.is_transcendental else m)
    a = theorem.gap_map.expression.subs({m: sp.Abs(m), p: sp.Max(share, 1 - share)})
    n, vectors = (sp.Integer(2), 1) if geometry.one_vector else (K, 2)
    wrong = sp.Piecewise((a * (n - 1) / n, m >= 0), (1 - a / n, True))
    found = wrong - value + eta / 2 * vectors * slope**2
    off = threshold_of(loss)
    whole = found if off is None else sp.Piecewise((wrong, m > off), (found, True))
    return substituted(read(whole), {slope.name: right_slope(read(value), m.name)})


def script() -> str:
    """GAPS, functions of (m, K, eta, beta), and RATES, of (K, beta), by the name of what is plotted."""
    shown = shown_theorems()
    gaps = {name: _function(gap(theorem), m, K, eta, beta) for name, theorem in shown.items()}
    rates = {name: _function(read(theorem.learning_rate), K, beta) for name, theorem in shown.items()}
    return f"const GAPS = {_object(gaps)};\nconst RATES = {_object(rates)};\n"


def _function(expression: Expression, *symbols: sp.Symbol) -> str:
    names = {name_of(symbol): symbol.name for symbol in symbols}
    return f"({', '.join(names.values())}) => {code(expression, JAVASCRIPT, names)}"


def _object(members: Mapping[str, str]) -> str:
    return "{" + ",\n".join(f"{name}: {text}" for name, text in members.items()) + "}"
