"""Arguments that the vocabulary does not have: the sentence names the one that was meant."""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import partial, wraps
from typing import Concatenate, ParamSpec, TypeVar

from gaptron.system.near import known
from gaptron.theory.refusals import TheoremError, hidden

__tracebackhide__ = hidden

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


def named(cls: Class, called: str = "") -> Class:
    """Have a dataclass refuse, with a sentence, arguments that it does not have, or has not been given."""
    cls.__init__ = _checked(cls, called or cls.__name__, cls.__init__)  # type: ignore[misc]
    return cls


def named_as(called: str) -> Callable[[Class], Class]:
    """``named``, of a class that people know by another name."""
    return partial(named, called=called)


def _checked(cls: type, called: str, init: Callable[Concatenate[object, P], None]) -> Callable[..., None]:
    names = [field.name for field in fields(cls) if field.init]
    required = [field.name for field in fields(cls) if field.init and not _has_default(field)]

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


def _has_default(field: "Field[object]") -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _meant(name: str, names: list[str]) -> str:
    if OTHER_WORDS.get(name) in names:
        return f"did you mean {OTHER_WORDS[name]!r}?"
    return GONE.get(name) or ("StructuredTheorem has it" if name in OF_STRUCTURED else known(name, names))
