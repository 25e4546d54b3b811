"""Which term outweighs which at a witness."""

from collections.abc import Iterator, Sequence

from gaptron.numbers.evaluate import EXACT, Number, is_positive
from gaptron.numbers.kinds import plain
from gaptron.prove.exact_text import exact, read_number
from gaptron.prove.replayed_round import terms_at
from gaptron.system.digits import number
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.theorem import Theorem


def at_witnesses(item: Item, witnesses: Sequence[Document]) -> list[str]:
    """Which term outweighs which."""
    return [sentence for witness in witnesses for sentence in _of_witness(item, witness)]


def _of_witness(item: Item, witness: Document) -> Iterator[str]:
    if "gap" in witness and isinstance(item, Theorem):
        yield from _of_round(item, witness)
    elif "needed" in witness:
        needed = sum((exact_of(read_number(value)) for value in witness["needed"]), exact_of(0))
        yield f"together the labels need {text_of(needed)} times the probability that there is"
    elif "points" in witness or "means" in witness:
        yield from _of_chord(witness)
    elif "left" in witness:
        sides = (exact_of(read_number(witness[side])) for side in ("left", "right"))
        yield _outweighs("what every prediction costs", next(sides), "what the theorem allows", next(sides))
    elif len(witness.get("values", ())) == 2 and "undefined" not in witness["values"]:
        left, right = (exact_of(read_number(value)) for value in witness["values"])
        yield _outweighs(f"in {witness['fails']} the left side", left, "the right side", right)


# --- one round ----------------------------------------------------------------------------------------------------


def _of_round(theorem: Theorem, witness: Document) -> Iterator[str]:
    terms = terms_at(theorem, witness)
    risk, step = _names(theorem)
    risks, steps, loss = f"{risk} = {text_of(terms.risk)}", f"{step} = {text_of(terms.step)}", text_of(terms.loss)
    where = f"at the witness of {witness['obligation']}"
    yield f"{where}, {risks} and {steps} outweigh the loss, which is {loss}, by {text_of(terms.gap)}"
    room = exact_of(terms.loss) - exact_of(terms.risk)
    if is_positive(room):
        factor = f"{step} is {text_of(exact_of(terms.step) / room)} times that"
        so = "by this factor the learning rate is too large for this round"
        yield f"the loss exceeds {risk} by {text_of(room)}, and {factor}: {so}"
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
    first, middle, last = (exact_of(read_number(value)) for value in witness["values"])
    weight = exact_of(read_number(witness.get("weight", "1/2")))
    yield _outweighs("the value in the middle", middle, "the chord", weight * first + (1 - weight) * last)


def _outweighs(left_name: str, left: Number, right_name: str, right: Number) -> str:
    """Two numbers of which the first is too large or too small, and by what: a factor if both are positive."""
    said = f"{left_name} is {text_of(left)}, {right_name} {text_of(right)}"
    if is_positive(right) and is_positive(left):
        return f"{said}: the first is {text_of(left / right)} times the second"
    return f"{said}: the first minus the second is {text_of(left - right)}"


# --- numbers ------------------------------------------------------------------------------------------------------


def exact_of(value: Number) -> Number:
    """A number that is exact, or a ball."""
    return EXACT.number(value)


def text_of(value: Number) -> str:
    """As witnesses are shown."""
    return number(exact(plain(value)))
