"""The evidence ``coq`` of a ground: Coq accepts the whole of the theorem whose obligations decide it."""

from gaptron.theory.claims import Ground, Obligations
from gaptron.theory.theorem import Theorem


def whole_theorem(ground: Ground) -> Theorem | None:
    """The theorem that the ground is all obligations of, if its bound is in Coq what documents claim; else None.

    That is so with bandit feedback, where both project the weights on the ball. With full information documents
    project them as well, and Coq's game is on the whole space.
    """
    if not isinstance(ground, Obligations) or not isinstance(ground.item, Theorem) or ground.only != "*":
        return None
    theorem = ground.item
    return theorem if theorem.feedback == "bandit" and theorem.regret is not None else None
