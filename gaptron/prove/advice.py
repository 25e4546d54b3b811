"""What would mend a theorem that a round breaks at every learning rate: a scale of its loss, or a threshold."""

from fractions import Fraction
from math import isqrt

from gaptron.numbers.evaluate import Number, UncertainError, evaluate, is_less
from gaptron.numbers.kinds import plain
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.replayed_round import GapTerms, terms_at
from gaptron.rounds.exact import needs, total
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K
from gaptron.system.digits import number
from gaptron.theory.items import Item
from gaptron.theory.losses import THRESHOLD
from gaptron.theory.refusals import TheoremError
from gaptron.theory.theorem import Theorem

ZERO, ONE = Fraction(0), Fraction(1)
WITH_A_SLOPE = "the loss reaches 0 with a slope, where no prediction helps"


def advice(item: Item, witness: Witness) -> str | None:
    """A sentence, if a witness breaks every learning rate and something else would mend that."""
    if not isinstance(item, Theorem) or item.feedback == "bandit" or item.abstention_cost is not None:
        return None
    try:
        if "needed" in witness:
            return _of_a_decoder(item, witness)
        return _of_a_round(item, witness) if "gap" in witness else None
    except (UncertainError, TheoremError):  # at parameters that make the rate 0 there is no theorem
        return None


def _of_a_round(theorem: Theorem, witness: Witness) -> str | None:
    scores = [Fraction(score) for score in witness["scores"]]
    most = max(scores)
    tops = [k for k, score in enumerate(scores) if score == most]
    terms = terms_at(theorem, witness)
    if len(tops) > 1:
        return _of_a_tie(terms)
    mended = _threshold(theorem) if tops == [witness["label"]] else None
    return mended if mended is not None and _ends_with_a_slope(theorem, witness, terms) else None


def _of_a_decoder(theorem: Theorem, witness: Witness) -> str | None:
    """Labels that need more than 1 in sum even without a step ask for a larger loss, a right one that does for none."""
    scores = [Fraction(score) for score in witness["scores"]]
    if theorem.parameters:
        return None
    unmoved = needs(theorem.loss, ZERO, scores)
    if len({*scores}) == 1 and is_less(ONE, total(unmoved)):
        return _scale(1 - unmoved[0])
    top = scores.index(max(scores))
    is_free = unmoved[top] == 1 and is_less(
        ONE, needs(theorem.loss, evaluate(theorem.eta(), {K: Fraction(len(scores))}), scores)[top]
    )
    return _threshold(theorem) if is_free else None


def _of_a_tie(terms: GapTerms) -> str | None:
    """A loss that is below 1 where labels tie is too small for somebody's guess."""
    loss, risk = plain(terms.loss), plain(terms.risk)
    if not is_less(ZERO, loss) or not is_less(loss, ONE) or is_less(risk, loss):
        return None
    return _scale(terms.loss)


def _scale(loss: Number) -> str:
    factor, shown = (number(exact(plain(value))) for value in (1 / loss, loss))
    return f"the loss is {shown} at this tie, no more than P(wrong): scale the loss by {factor}"


def _threshold(theorem: Theorem) -> str | None:
    """A threshold, if the loss has none and may have one."""
    loss = theorem.loss.data
    if loss.has_threshold or not geometry_of(loss).takes_threshold:
        return None
    return f"{WITH_A_SLOPE}: {loss.kind}(..., {THRESHOLD}=beta) leaves out right rounds whose margin is above beta"


def _ends_with_a_slope(theorem: Theorem, witness: Witness, terms: GapTerms) -> bool:
    """Whether the loss of a right round reaches 0 with a slope, here or where its tangent here does.

    There a step costs where there is nothing to pay for it.
    """
    loss, step = plain(terms.loss), plain(terms.step)
    if is_less(ZERO, loss):
        length = _to_zero(theorem, witness, loss, step)
        if length is None:
            return False
        scores = [Fraction(score) for score in witness["scores"]]
        scores[witness["label"]] += length
        there = terms_at(theorem, witness | {"scores": list(map(str, scores)), "subgradient": "left"})
        loss, step = plain(there.loss), plain(there.step)
    return not is_less(ZERO, loss) and is_less(ZERO, step)


def _to_zero(theorem: Theorem, witness: Witness, loss: Number, step: Number) -> Fraction | None:
    """loss/|phi'|, as the step is eta phi'^2; None if that is not rational."""
    eta = plain(evaluate(theorem.eta(), {K: Fraction(witness["K"])}))
    if theorem.parameters or not all(isinstance(value, Fraction) for value in (loss, step, eta)) or step == 0:
        return None
    square = step / eta
    slope = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return loss / slope if slope**2 == square else None
