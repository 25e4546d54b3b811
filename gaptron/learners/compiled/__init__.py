"""Whole streams in one compiled call: the optional extra ``fast`` (numba). Importing this needs NumPy alone.

A compiled run makes the draws that the reference makes, bit for bit, and leaves the generator in the same state.
Its sums are added up in another order, those of wide dense rounds for four rounds at once, and its exponentials are
its own, right to two units in the last place. So its numbers are the reference's up to rounding, the same bits where
every sum is exact (dyadic features and rates, losses without logarithms, no projection). A draw or an argmax that
rounding decides may differ, and a learning rate beyond the theorem's may amplify rounding.

A round costs O(K nnz(x)), a projection O(1), a proximal round its decoder besides; memory is O(dK) beside the stream
and the record.
"""

from importlib.util import find_spec
from typing import Any

from gaptron.learners.compiled.learner_rules import rule_of
from gaptron.learners.record import Run
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.system.extras import MissingExtraError, needs

ROUND_SECONDS, NUMBER_SECONDS = {"gradient": 5e-5, "proximal": 1e-3}, 1e-9
WORTH_SECONDS = 1.0


def run(learner: Any, X: Given, y: Given, compiled: bool | None) -> Run | None:
    """The stream's run, compiled; None if the reference is to live it.

    Parameters
    ----------
    compiled : bool or None
        True: required. False: no. None: if numba is installed, the learner has a compiled run and the reference
        would take more than about a second, which loading the kernels is worth. Compiling them takes some seconds
        the first time on a machine; numba keeps them in ``__pycache__``, or else in the user's cache.

    Raises
    ------
    ValueError
        If the learner has no compiled run, which is required; or as in ``Learner.run``.
    ModuleNotFoundError
        If numba is required and not installed.
    """
    if compiled is None:
        n_rounds = X.shape[0] if getattr(X, "shape", ()) else len(X) if isinstance(X, list) else 0
        compiled = chosen(learner, n_rounds)
    if not checks.flag(compiled, "compiled"):
        return None
    rule = rule_of(learner)
    if rule is None:
        raise ValueError(f"compiled = True: this {type(learner).__name__} has no compiled run (see Learner.run)")
    if not is_installed():
        raise MissingExtraError(needs("compiled = True", "numba"), name="numba")
    from gaptron.learners.compiled.learner_state import live
    from gaptron.learners.compiled.stream_arrays import rounds_of

    return live(learner, rule, rounds_of(X, y, learner.n_classes, learner.n_features), X)


def chosen(learner: Any, n_rounds: int) -> bool:
    """Whether a stream of so many rounds is run compiled when nothing else is said."""
    return would_help(learner, n_rounds) and is_installed()


def would_help(learner: Any, n_rounds: int) -> bool:
    """Whether so many rounds are worth a compiled run, and the learner has one."""
    return is_worthwhile(learner, n_rounds) and rule_of(learner) is not None


def is_installed() -> bool:
    """Whether numba is."""
    return find_spec("numba") is not None


def is_worthwhile(learner: Any, n_rounds: int) -> bool:
    """Whether the reference would take more than ``WORTH_SECONDS``, by the sizes and the update, not by history."""
    seconds = ROUND_SECONDS[getattr(learner, "update_rule", "gradient")]
    return bool(n_rounds * (seconds + NUMBER_SECONDS * learner.n_classes * learner.n_features) > WORTH_SECONDS)
