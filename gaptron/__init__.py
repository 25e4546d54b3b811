"""Surrogate-gap theorems of online multiclass classification: proved, refuted, and learned with."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gaptron.learners import BinaryGaptron, Gaptron
    from gaptron.structured.theorem import StructuredTheorem
    from gaptron.symbols import Parameter
    from gaptron.theory.claims import (
        Breaks,
        Claim,
        Constant,
        Corrected,
        Instance,
        NotCheckable,
        Obligations,
        Resists,
        Rests,
        Shows,
    )
    from gaptron.theory.decoders import GapMap
    from gaptron.theory.expressions import TheoremError
    from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
    from gaptron.theory.theorem import Contact, Implication, Lemma, Theorem

__version__ = "0.1.0"
__all__ = [
    "BinaryGaptron",
    "BinaryLoss",
    "Breaks",
    "Claim",
    "Constant",
    "Contact",
    "Corrected",
    "GapMap",
    "Gaptron",
    "Implication",
    "Instance",
    "Lemma",
    "MarginLoss",
    "NotCheckable",
    "Obligations",
    "Parameter",
    "Resists",
    "Rests",
    "Shows",
    "SoftmaxLoss",
    "StructuredTheorem",
    "Theorem",
    "TheoremError",
]

_HOMES = {
    "gaptron.theory.claims": [
        "Breaks",
        "Claim",
        "Constant",
        "Corrected",
        "Instance",
        "NotCheckable",
        "Obligations",
        "Resists",
        "Rests",
        "Shows",
    ],
    "gaptron.theory.decoders": ["GapMap"],
    "gaptron.theory.expressions": ["TheoremError"],
    "gaptron.learners": ["BinaryGaptron", "Gaptron"],
    "gaptron.theory.losses": ["BinaryLoss", "MarginLoss", "SoftmaxLoss"],
    "gaptron.structured.theorem": ["StructuredTheorem"],
    "gaptron.symbols": ["Parameter"],
    "gaptron.theory.theorem": ["Contact", "Implication", "Lemma", "Theorem"],
}


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that the learner does not wait for the prover's libraries."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'gaptron' has no attribute {name!r}")
