"""The outcome of an attack, for people and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from gaptron.adversary.attack_json import SCHEMA, written
from gaptron.adversary.choice import Attackable
from gaptron.adversary.polish import Verified
from gaptron.adversary.structured_attack import VerifiedStructured, written_structured
from gaptron.numbers.evaluate import enclosure
from gaptron.system.documents import Document
from gaptron.system.printable import folded, printable
from gaptron.theory.structured.structured_theorem import StructuredTheorem


@dataclass(frozen=True)
class Attacked:
    """A theorem at K and T, and the best stream found."""

    theorem: Attackable
    n_classes: int
    horizon: int
    found: Verified | VerifiedStructured

    @property
    def refuted(self) -> bool:
        """Whether the stream certainly breaks the bound."""
        return self.found.low > 1


def line(one: Attacked) -> str:
    """The verdict, the best ratio and its stream."""
    verdict = "REFUTED  " if one.refuted else "UNDECIDED"
    if isinstance(one.theorem, StructuredTheorem):
        where = f"{printable(one.theorem.name)}: {one.theorem.size} = {one.n_classes}, T = {one.horizon}"
        return folded(f"{verdict} {where}: ratio {_ratio(one)} for every algorithm ({one.found.family})")
    assert isinstance(one.found, Verified)  # noqa: S101
    at_most = "T <=" if one.theorem.feedback == "full" else "T ="
    where = f"{printable(one.theorem.name)}: K = {one.n_classes}, {at_most} {one.horizon}"
    horizon = one.found.attack.stream.horizon
    rounds = "1 round" if horizon == 1 else f"{horizon} rounds"
    return folded(f"{verdict} {where}: ratio {_ratio(one)} ({one.found.family}, {rounds})")


def _ratio(one: Attacked) -> str:
    low, _ = enclosure(one.found.sides.ratio)
    return str(low) if low == one.found.sides.ratio and len(str(low)) < 12 else f"{float(low):.6f}"


def summary(found: Sequence[Attacked]) -> str:
    """What all of them come to."""
    if not found:
        return "no stream could be verified"
    best = max(found, key=lambda one: one.found.low)
    if any(one.refuted for one in found):
        return f"a bound is broken: best ratio {_ratio(best)} > 1"
    found_none = f"no stream found breaks the bound; best ratio {_ratio(best)}: this proves nothing"
    return f"{found_none}; nor does a gap that is REFUTED: it need not break a bound"


def document(found: Sequence[Attacked]) -> str:
    """All witnesses, as they are saved and printed."""
    return json.dumps({"schema": SCHEMA, "attacks": [data(one) for one in found]}, indent=1)


def data(one: Attacked) -> Document:
    """One witness, ready for JSON."""
    about = {"verdict": "REFUTED" if one.refuted else "UNDECIDED", "family": one.found.family}
    if isinstance(one.theorem, StructuredTheorem):
        assert isinstance(one.found, VerifiedStructured)  # noqa: S101
        return written_structured(one.theorem, one.found) | about
    assert isinstance(one.found, Verified)  # noqa: S101
    return written(one.theorem, one.found.attack, one.found.sides) | about
