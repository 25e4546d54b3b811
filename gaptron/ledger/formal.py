"""The evidence ``coq`` of a claim: Coq accepts the whole of the theorem whose mistake bound the claim is."""

from gaptron.theory.arguments import Argument, Derived
from gaptron.theory.lemma1 import bound_of
from gaptron.theory.theorem import Theorem


def whole_theorem(argument: Argument) -> Theorem | None:
    """The theorem of all whose obligations the argument concludes the mistake bound; None if it concludes another."""
    for step in argument.steps:
        if isinstance(step, Derived) and step.only == "*" and argument.conclusion == _bound(step.theorem):
            return step.theorem
    return None


def _bound(theorem: Theorem) -> object:
    if theorem.feedback != "full" or theorem.regret is None or theorem.eta() is None:
        return None
    return bound_of(theorem).conclusion
