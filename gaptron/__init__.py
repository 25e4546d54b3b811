"""Surrogate-gap theorems of online multiclass classification: proved, refuted, and learned with."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gaptron.answers.library import attack, audit, check, explain, plot, sharpen
    from gaptron.learners import BinaryGaptron, Gaptron
    from gaptron.symbols import Parameter
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
    "InProof",
    "Instance",
    "Lemma",
    "MarginLoss",
    "NotCheckable",
    "Obligations",
    "PairwiseLoss",
    "Paper",
    "Parameter",
    "Resists",
    "Rests",
    "SeparableLoss",
    "Shows",
    "SoftmaxLoss",
    "StructuredTheorem",
    "Theorem",
    "TheoremError",
    "attack",
    "audit",
    "check",
    "explain",
    "plot",
    "sharpen",
]

_HOMES = {
    "gaptron.answers.library": ["attack", "audit", "check", "explain", "plot", "sharpen"],
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
_PROOF = 'a proof stands in a .proof file, and a claim names it by grounds=InProof("FILE.proof", "ID")'
_GONE = {
    "Argument": _PROOF,
    "Average": "write `by averaging (1)` or `by expectation of (1)` in a .proof file",
    "Cases": "write `by cases on RELATION` in a .proof file",
    "Cite": "write `cite CLAIM with NAME = TERM` in a .proof file",
    "Derived": "a theorem is a ground beside the proof, grounds=(InProof(...), Obligations(theorem))",
    "Let": "write `let NAME = TERM` in a .proof file",
    "Put": "write what follows in a .proof file, and search finds the values",
    "Rounds": "write `by summing (1)` or `by induction` in a .proof file",
    "Use": "write `by` and the fact with its terms, as Cauchy-Schwarz(u, v), in a .proof file",
    "When": "write `for all v in SPACE if CONDITION: FORMULA` in a .proof file",
    "stated": _PROOF,
}
_IMPORTS = "importlib._bootstrap"  # where ``from gaptron import NAME`` asks for it, and passes an ImportError on


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that the learner does not wait for the prover's libraries."""
    if name in _GONE:
        is_import = sys._getframe(1).f_globals.get("__name__") == _IMPORTS
        said = f"{name} is gone: {_GONE[name]} (docs/proof_files.md)"
        raise ImportError(said, name="gaptron") if is_import else AttributeError(said)
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'gaptron' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What is public."""
    return sorted([*__all__, "__version__"])
