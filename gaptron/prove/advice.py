"""What would mend a theorem that a round breaks at every learning rate: a scale of its loss, or ``off_above``."""

from fractions import Fraction

from gaptron.numbers.evaluate import UncertainError, is_less
from gaptron.numbers.kinds import plain
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.replay import GapTerms, terms_at
from gaptron.system.digits import number
from gaptron.theory.items import Item
from gaptron.theory.losses import MarginLoss
from gaptron.theory.theorem import Theorem

ZERO, ONE = Fraction(0), Fraction(1)
OFF_ABOVE = (
    "the loss reaches 0 with a slope, where no gap map helps: "
    "MarginLoss(..., off_above=beta) leaves out right rounds whose margin is above beta"
)


def advice(item: Item, witness: Witness) -> str | None:
    """A sentence, if the gap at a witness is positive for every learning rate and something else would mend that."""
    if not isinstance(item, Theorem) or "gap" not in witness or item.feedback == "bandit":
        return None
    if item.abstention_cost is not None or item.decoder != "gap map":
        return None
    terms = terms_at(item, witness)
    scores = [Fraction(score) for score in witness["scores"]]
    most = max(scores)
    tops = [k for k, score in enumerate(scores) if score == most]
    try:
        return _of_a_tie(terms) if len(tops) > 1 else _of_a_kink(item, terms, tops == [witness["label"]])
    except UncertainError:
        return None


def _of_a_tie(terms: GapTerms) -> str | None:
    """A loss that is below 1 where labels tie is too small for somebody's guess."""
    loss, risk = plain(terms.loss), plain(terms.risk)
    if not is_less(ZERO, loss) or not is_less(loss, ONE) or is_less(risk, loss):
        return None
    factor = number(exact(plain(1 / terms.loss)))
    return f"the loss is {number(exact(loss))} at this tie, no more than P(wrong): scale the loss by {factor}"


def _of_a_kink(theorem: Theorem, terms: GapTerms, is_right: bool) -> str | None:
    """A loss that reaches 0 with a slope costs a step where there is nothing to pay for it."""
    is_on = isinstance(theorem.loss, MarginLoss) and theorem.loss.off_above is None
    if not is_on or not is_right or is_less(ZERO, plain(terms.loss)) or not is_less(ZERO, plain(terms.step)):
        return None
    return OFF_ABOVE
