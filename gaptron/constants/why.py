"""Why a theorem is REFUTED: which term outweighs which at the witness, and what learning rate or constant would do."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from gaptron.constants.engine import Engine
from gaptron.constants.sharpen import SUSPECT, Finding, sharpen
from gaptron.numbers.evaluate import EXACT, Number, UncertainError, evaluate, is_less
from gaptron.numbers.kinds import plain
from gaptron.prove.exact_text import exact, read_number
from gaptron.prove.replay import terms_at
from gaptron.symbols import K
from gaptron.system.digits import number
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.theorem import Theorem

QUESTIONS = {"gap map": "given_gap_map", "best": "best_decoder"}
EACH = 0.5  # seconds of a processor for each claim of what would be allowed
OVER = {"gap map": "this map", "best": "all decoders"}


def why(item: Item, witnesses: Sequence[Document], engine: Engine, seconds: float) -> list[str]:
    """Sentences about these witnesses against a theorem; and what ``gaptron sharpen`` allows, if its rate is broken.

    The former take no time (``at_witnesses`` are they alone), the latter ``seconds`` by the clock at most.
    """
    return [*at_witnesses(item, witnesses), *allowed(item, witnesses, engine, seconds)]


def at_witnesses(item: Item, witnesses: Sequence[Document]) -> list[str]:
    """Which term outweighs which."""
    return [sentence for witness in witnesses for sentence in _of_witness(item, witness)]


def allowed(item: Item, witnesses: Sequence[Document], engine: Engine, seconds: float) -> list[str]:
    """What ``gaptron sharpen`` allows, if a rate is broken and as far as it is found in ``seconds``."""
    if not isinstance(item, Theorem) or not any({"gap", "needed", "mistakes"} & set(witness) for witness in witnesses):
        return []
    brief = replace(engine.within(EACH), until=time.monotonic() + seconds)
    return list(_allowed(item, witnesses[0]["K"], brief))


def _of_witness(item: Item, witness: Document) -> Iterator[str]:
    if "gap" in witness and isinstance(item, Theorem):
        yield from _of_round(item, witness)
    elif "needed" in witness:
        needed = sum((_exact(read_number(value)) for value in witness["needed"]), _exact(0))
        yield f"together the labels need {_text(needed)} times the probability that there is"
    elif "points" in witness or "means" in witness:
        yield from _of_chord(witness)
    elif "left" in witness:
        sides = (_exact(read_number(witness[side])) for side in ("left", "right"))
        yield _outweighs("what every prediction costs", next(sides), "what the theorem allows", next(sides))
    elif len(witness.get("values", ())) == 2 and "undefined" not in witness["values"]:
        left, right = (_exact(read_number(value)) for value in witness["values"])
        yield _outweighs(f"in {witness['fails']} the left side", left, "the right side", right)


# --- one round ----------------------------------------------------------------------------------------------------


def _of_round(theorem: Theorem, witness: Document) -> Iterator[str]:
    terms = terms_at(theorem, witness)
    risk, step = _names(theorem)
    risks, steps, loss = f"{risk} = {_text(terms.risk)}", f"{step} = {_text(terms.step)}", _text(terms.loss)
    where = f"at the witness of {witness['obligation']}"
    yield f"{where}, {risks} and {steps} outweigh the loss, which is {loss}, by {_text(terms.gap)}"
    room = _exact(terms.loss) - _exact(terms.risk)
    if _certainly_positive(room):
        factor = f"{step} is {_text(_exact(terms.step) / room)} times that"
        so = "by this factor the learning rate is too large for this round"
        yield f"the loss exceeds {risk} by {_text(room)}, and {factor}: {so}"
    else:
        yield f"the loss does not exceed {risk}: no learning rate is small enough for this round"
    if (more := witness.get("advice")) is not None:
        yield more


def _names(theorem: Theorem) -> tuple[str, str]:
    """What the first and the last term of the gap are."""
    if theorem.feedback == "bandit":
        return "P(wrong) - gamma (K - 1)/K", "E (eta/2) ||g||^2"
    return ("P(wrong)" if theorem.abstention_cost is None else "the expected cost"), "(eta/2) ||g||^2"


def _of_chord(witness: Document) -> Iterator[str]:
    """Values at one end, in the middle, at the other end: the middle is above the chord."""
    first, middle, last = (_exact(read_number(value)) for value in witness["values"])
    weight = _exact(read_number(witness.get("weight", "1/2")))
    yield _outweighs("the value in the middle", middle, "the chord", weight * first + (1 - weight) * last)


def _outweighs(left_name: str, left: Number, right_name: str, right: Number) -> str:
    """Two numbers of which the first is too large or too small, and by what: a factor if both are positive."""
    said = f"{left_name} is {_text(left)}, {right_name} {_text(right)}"
    if _certainly_positive(right) and _certainly_positive(left):
        return f"{said}: the first is {_text(left / right)} times the second"
    return f"{said}: the first minus the second is {_text(left - right)}"


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
        where = f"for K = {n_classes}, where {_text(_exact(bracket[1]))} is refuted"
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
    enough, less = (1 / (2 * _exact(eta)) for eta in bracket)
    claimed = _exact(evaluate(theorem.regret, {K: Fraction(n_classes)}))
    return (
        f"gaptron sharpen allows regret {_text(enough)} for K = {n_classes}, where {_text(less)} is refuted: that is "
        f"{_text(enough / claimed)} times the claimed one"
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


# --- numbers ------------------------------------------------------------------------------------------------------


def _exact(value: Number) -> Number:
    return EXACT.number(value)


def _certainly_positive(value: Number) -> bool:
    """Whether it is; no if balls leave it open."""
    try:
        return is_less(Fraction(0), plain(value))
    except UncertainError:
        return False


def _text(value: Number) -> str:
    """As witnesses are shown."""
    return number(exact(plain(value)))
