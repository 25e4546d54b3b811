"""What is said of a theorem that cannot be understood; of an argument that there is not, which one was meant."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from gaptron.system.frames import hiding
from gaptron.system.near import known
from gaptron.system.printable import worded

OTHER_WORDS = {
    "eta": "learning_rate",
    "lr": "learning_rate",
    "rate": "learning_rate",
    "step": "learning_rate",
    "c": "regret",
    "constant": "regret",
    "bound": "regret",
    "gamma": "exploration",
    "alpha": "coefficient",
    "a": "gap_map",
    "map": "gap_map",
    "surrogate": "loss",
    "cost": "target",
    "omega": "entropy",
    "K": "classes",
    "n_classes": "classes",
}
IN_PROOF_FILES = 'a proof stands in a .proof file: grounds=InProof("FILE.proof", "ID") (docs/proof_files.md)'
GONE = dict.fromkeys(("argument", "arguments", "composes"), IN_PROOF_FILES) | {
    "of": "the conclusion of the proof file has the constant",
    "at": "the conclusion of the proof file has the constant",
}
OF_STRUCTURED = ("outputs", "target", "entropy", "scale", "coefficient", "sizes")
Class = TypeVar("Class", bound=type)
P = ParamSpec("P")
Readings = tuple[tuple[str, str, str], ...]  # (argument, decimal as it is written, rational that is read)


class TheoremError(ValueError):
    """A theorem that cannot be understood: the message names the argument, its value and what is allowed.

    Examples
    --------
    >>> from gaptron import MarginLoss, TheoremError
    >>> from gaptron.symbols import z
    >>> MarginLoss(1 - z)
    Traceback (most recent call last):
        ...
    gaptron.theory.refusals.TheoremError: MarginLoss phi = 1 - z uses the symbol z: allowed here: m, K
    """

    def __init__(self, message: str) -> None:
        super().__init__(worded(message))


__tracebackhide__ = hidden = hiding(TheoremError)


def named(cls: Class, called: str = "") -> Class:
    """Have a dataclass refuse, with a sentence, arguments that it does not have, or has not been given."""
    cls.__init__ = _checked(cls, called or cls.__name__, cls.__init__)  # type: ignore[misc]
    return cls


def _checked(cls: type, called: str, init: Callable[Concatenate[object, P], None]) -> Callable[..., None]:
    given_by_name = [field for field in fields(cls) if field.init]
    names = [field.name for field in given_by_name]
    required = [f.name for f in given_by_name if f.default is MISSING and f.default_factory is MISSING]

    @wraps(init)
    def __init__(self: object, *args: P.args, **given: P.kwargs) -> None:  # noqa: N807  the registry looks for it
        for name in given:
            if name not in names:
                raise TheoremError(f"{called} has no argument {name!r}: {_meant(name, names)}")
        for name in required[len(args) :]:
            if name not in given:
                raise TheoremError(f"{called} has no {name}: write {name}=")
        init(self, *args, **given)

    return __init__


def _meant(name: str, names: list[str]) -> str:
    if OTHER_WORDS.get(name) in names:
        return f"did you mean {OTHER_WORDS[name]!r}?"
    return GONE.get(name) or ("StructuredTheorem has it" if name in OF_STRUCTURED else known(name, names))
