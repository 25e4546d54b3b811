"""The evidence ``coq`` of a claim: Coq accepts the whole of the theorem whose bound the claim is."""

from gaptron.symbols import X
from gaptron.theory.arguments import Argument, Derived
from gaptron.theory.lemma1 import WHOLE_SPACE, bandit_bound_of, bound_of
from gaptron.theory.theorem import Theorem


def whole_theorem(argument: Argument) -> Theorem | None:
    """The theorem of all whose obligations the argument concludes the bound; None if it says anything else.

    It has to say what is written for that theorem, word for word, the weights being where Coq has them: with full
    information in the whole space, with bandit feedback in the ball.
    """
    for step in argument.steps:
        if isinstance(step, Derived) and step.only == "*":
            bound = _bound(step.theorem, str(argument.symbols.get(X, X)))
            if bound is not None and _says(bound) == _says(argument):
                return step.theorem
    return None


def _bound(theorem: Theorem, radius: str) -> Argument | None:
    if theorem.regret is None or theorem.eta() is None or theorem.abstention_cost is not None:
        return None
    return bandit_bound_of(theorem) if theorem.feedback == "bandit" else bound_of(theorem, radius, WHOLE_SPACE)


def _says(argument: Argument) -> tuple[object, ...]:
    return argument.setting, dict(argument.symbols), argument.hypotheses, argument.conclusion
