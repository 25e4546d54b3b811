"""The evidence ``coq`` of a claim: Coq accepts the whole of the theorem whose bound the claim is."""

from gaptron.symbols import X
from gaptron.theory.arguments import Argument, Derived
from gaptron.theory.derived import parameters
from gaptron.theory.lemma1 import bandit_bound_of, bound_of, losses, paid, size
from gaptron.theory.theorem import Theorem

COSTS = "E[sum of the costs]"


def whole_theorem(argument: Argument) -> Theorem | None:
    """The theorem of all whose obligations the argument concludes the bound; None if it concludes another.

    That is the bound on mistakes, and with abstention on costs, if the argument reads its symbol so; with bandit
    feedback if eta, gamma and the excess of the argument are the theorem's.
    """
    for step in argument.steps:
        if isinstance(step, Derived) and step.only == "*" and argument.conclusion == _bound(step.theorem, argument):
            return step.theorem
    return None


def _bound(theorem: Theorem, argument: Argument) -> tuple[object, ...] | None:
    if theorem.regret is None or theorem.eta() is None:
        return None
    if theorem.feedback == "bandit":
        means = all(one in argument.hypotheses for one in parameters(theorem))
        return bandit_bound_of(theorem).conclusion if means else None
    if theorem.abstention_cost is None:
        return bound_of(theorem).conclusion
    reads_costs = argument.symbols.get(paid) == COSTS
    return (paid <= losses + theorem.regret * X**2 * size,) if reads_costs else None
