"""Surrogate-gap theorems of online multiclass classification: proved, refuted, and learned with."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gaptron.answers.library import attack, audit, check, explain, plot, sharpen
    from gaptron.learners import BinaryGaptron, Gaptron
    from gaptron.symbols import Parameter
    from gaptron.theory.arguments import Argument, Average, Cases, Cite, Derived, Let, Put, Rounds, Use, When, stated
    from gaptron.theory.claims import (
        Breaks,
        Claim,
        Constant,
        Corrected,
        InProof,
        Instance,
        NotCheckable,
        Obligations,
        Resists,
        Rests,
        Shows,
    )
    from gaptron.theory.decoders import GapMap
    from gaptron.theory.expressions import TheoremError
    from gaptron.theory.losses import BinaryLoss, MarginLoss, PairwiseLoss, SeparableLoss, SoftmaxLoss
    from gaptron.theory.papers import Paper
    from gaptron.theory.structured.theorem import StructuredTheorem
    from gaptron.theory.theorem import Contact, Implication, Lemma, Theorem

__version__ = "0.2.0"
__all__ = [
    "Argument",
    "Average",
    "BinaryGaptron",
    "BinaryLoss",
    "Breaks",
    "Cases",
    "Cite",
    "Claim",
    "Constant",
    "Contact",
    "Corrected",
    "Derived",
    "GapMap",
    "Gaptron",
    "Implication",
    "InProof",
    "Instance",
    "Lemma",
    "Let",
    "MarginLoss",
    "NotCheckable",
    "Obligations",
    "PairwiseLoss",
    "Paper",
    "Parameter",
    "Put",
    "Resists",
    "Rests",
    "Rounds",
    "SeparableLoss",
    "Shows",
    "SoftmaxLoss",
    "StructuredTheorem",
    "Theorem",
    "TheoremError",
    "Use",
    "When",
    "attack",
    "audit",
    "check",
    "explain",
    "plot",
    "sharpen",
    "stated",
]

_HOMES = {
    "gaptron.answers.library": ["attack", "audit", "check", "explain", "plot", "sharpen"],
    "gaptron.theory.arguments": [
        "Argument",
        "Average",
        "Cases",
        "Cite",
        "Derived",
        "Let",
        "Put",
        "Rounds",
        "Use",
        "When",
        "stated",
    ],
    "gaptron.theory.claims": [
        "Breaks",
        "Claim",
        "Constant",
        "Corrected",
        "InProof",
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
    "gaptron.theory.losses": ["BinaryLoss", "MarginLoss", "PairwiseLoss", "SeparableLoss", "SoftmaxLoss"],
    "gaptron.theory.structured.theorem": ["StructuredTheorem"],
    "gaptron.theory.papers": ["Paper"],
    "gaptron.symbols": ["Parameter"],
    "gaptron.theory.theorem": ["Contact", "Implication", "Lemma", "Theorem"],
}


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that the learner does not wait for the prover's libraries."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'gaptron' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What is public."""
    return sorted([*__all__, "__version__"])
