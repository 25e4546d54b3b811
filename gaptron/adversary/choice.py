"""Which theorems a name or a file means, and which of them can be attacked."""

import fnmatch
from pathlib import Path

from gaptron.adversary.structured_attack import refusal
from gaptron.system.exits import warn
from gaptron.system.near import known
from gaptron.theory.files import FileError, load, shipped_files
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

Attackable = Theorem | StructuredTheorem


def theorems(given: str | None, only: str | None, *, replaying: bool) -> dict[str, Attackable]:
    """By name: those of a file, or the shipped ones that fit; all shipped ones if witnesses are all that is given."""
    is_file = given is not None and (given.endswith(".py") or Path(given).exists())
    if given is None and not replaying:
        raise FileError("name a theorem file, a part of the name of a shipped theorem, or --replay FILE")
    files = [Path(given)] if given is not None and is_file else shipped_files()
    loaded = [s.item for file in files for s in load(file)]
    found = [item for item in loaded if isinstance(item, (Theorem, StructuredTheorem))]
    patterns = [p for p in (None if is_file else given, only) if p is not None]
    kept = {item.name: item for item in found if all(_matches(item.name, pattern) for pattern in patterns)}
    if not kept:
        name = " ".join(patterns) or str(given)
        near = known((patterns or [name])[-1], [item.name for item in found])
        raise FileError(f"{name}: no theorem has such a name: {near}")
    return kept


def _matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatch(name.lower(), f"*{pattern.lower()}*")


def attackable(given: dict[str, Attackable]) -> list[Attackable]:
    """Those with a bound on mistakes or a target; what the others are is said, and an error if there is no other."""
    refusals = {name: _refusal(theorem) for name, theorem in given.items()}
    said = [f'theorem "{name}" is not attacked: {why}' for name, why in refusals.items() if why is not None]
    if len(said) == len(given):
        raise FileError(said[0])
    for sentence in said:
        warn(sentence)
    return [theorem for name, theorem in given.items() if refusals[name] is None]


def _refusal(theorem: Attackable) -> str | None:
    if theorem.parameters:
        return f"it has parameters of its own ({', '.join(map(str, theorem.parameters))}): give them values"
    if isinstance(theorem, StructuredTheorem):
        return refusal(theorem)
    if theorem.abstention_cost is not None:
        return "it is about abstaining, and bounds a cost, not mistakes"
    if theorem.regret is None and (theorem.feedback == "bandit" or theorem.eta() is None):
        return "it states no regret"
    return None
