"""Why a theorem is REFUTED: which term outweighs which at the witness, and what learning rate or constant would do."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from gaptron.constants.engine import Engine
from gaptron.constants.largest_rates import SUSPECT, Finding, sharpen
from gaptron.numbers.evaluate import evaluate
from gaptron.reports.outweighs import at_witnesses, exact_of, text_of
from gaptron.symbols import K
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.theorem import Theorem

QUESTIONS = {"gap map": "given_gap_map", "best": "best_decoder"}
EACH = 2.0  # seconds of a processor for each claim of what would be allowed
OVER = {"gap map": "this map", "best": "all decoders"}


def why(item: Item, witnesses: Sequence[Document], engine: Engine, seconds: float) -> list[str]:
    """Sentences about these witnesses against a theorem; and what ``gaptron sharpen`` allows, if its rate is broken.

    The former take no time (``at_witnesses`` are they alone), the latter ``seconds`` by the clock at most.
    """
    said = list(at_witnesses(item, witnesses))
    if isinstance(item, Theorem) and any({"gap", "needed", "mistakes"} & set(witness) for witness in witnesses):
        brief = replace(engine.within(EACH), until=time.monotonic() + seconds)
        said += _allowed(item, witnesses[0]["K"], brief)
    return said


# --- what would be allowed ----------------------------------------------------------------------------------------


def _allowed(theorem: Theorem, n_classes: int, engine: Engine) -> Iterator[str]:
    if theorem.feedback == "bandit":
        yield "gaptron sharpen is for full information: it knows no largest rate for bandit feedback"
    elif theorem.parameters or theorem.abstention_cost is not None:
        yield "gaptron sharpen knows no one largest rate for a theorem with parameters or an abstention cost"
    else:
        answers: list[Finding] = []
        proximal = theorem.update == "proximal"
        sharpen(theorem, [n_classes], engine, answers, "any_algorithm" if proximal else QUESTIONS[theorem.decoder])
        said = (_best_constant if proximal else _best_rate)(theorem, answers[0], n_classes)
        yield said or _unknown(theorem, answers[0], n_classes, engine.is_late)


def _best_rate(theorem: Theorem, answer: Finding, n_classes: int) -> str | None:
    eta, claimed, where = answer.closed_form, theorem.eta(), f"{_every(theorem)} {OVER[theorem.decoder]}"
    if eta is not None and theorem.last_class_count == n_classes == theorem.first_class_count:
        eta, claimed = eta.subs(K, n_classes), sp.sympify(claimed).subs(K, n_classes)
    bracket = answer.brackets[n_classes]
    if eta is None and bracket is not None:
        eta, claimed = sp.Rational(bracket[0]), sp.sympify(claimed).subs(K, n_classes)
        where = f"for K = {n_classes}, where {text_of(exact_of(bracket[1]))} is refuted"
    if eta is None:
        return None
    rates = f"eta = {eta} and regret {_simple(1 / (2 * eta))}"
    return f"gaptron sharpen allows {rates}, {where}: the learning rate claimed is {_simple(claimed / eta)} times that"


def _best_constant(theorem: Theorem, answer: Finding, n_classes: int) -> str | None:
    bracket = answer.brackets[n_classes]
    if answer.closed_form is not None:
        best = _simple(1 / (2 * answer.closed_form))
        factor = _simple(best / theorem.regret)
        where = f"{_every(theorem)} all algorithms"
        return f"gaptron sharpen allows regret {best}, {where}: that is {factor} times the claimed one"
    if bracket is None:
        return None
    enough, less = (1 / (2 * exact_of(eta)) for eta in bracket)
    claimed = exact_of(evaluate(theorem.regret, {K: Fraction(n_classes)}))
    return (
        f"gaptron sharpen allows regret {text_of(enough)} for K = {n_classes}, where {text_of(less)} is refuted: that "
        f"is {text_of(enough / claimed)} times the claimed one"
    )


def _unknown(theorem: Theorem, answer: Finding, n_classes: int, is_late: bool) -> str:
    """Why there is neither, and what the search believes."""
    found = () if n_classes in answer.impossible else answer.contacts.get(n_classes, ())
    proximal = theorem.update == "proximal"
    if found and found[0].rate > SUSPECT:
        rate = found[0].rate
        believed = f"regret {1 / (2 * rate):.6g}" if proximal else f"eta = {rate:.6g}"
        return f"gaptron sharpen takes longer: the search believes in {believed}, which is not certified"
    if is_late:
        return "gaptron sharpen takes longer than the seconds that were given"
    sought = "constant" if proximal else "learning rate"
    return f"gaptron sharpen finds no {sought} that would do: {answer.reasons[n_classes]}"


def _every(theorem: Theorem) -> str:
    """For which K a closed form is proved."""
    first, last = theorem.first_class_count, theorem.last_class_count
    claimed = "every K" if last is None else f"K = {first}" if first == last else f"K = {first} to {last}"
    return f"for {claimed}, and nothing better for"


def _simple(value: sp.Expr) -> sp.Expr:
    return sp.factor(sp.cancel(value))
