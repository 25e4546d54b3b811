"""Surrogate-gap theorems of online multiclass classification: proved, refuted, and learned with."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gaptron.answers.verbs import attack as attack
    from gaptron.answers.verbs import audit as audit
    from gaptron.answers.verbs import check as check
    from gaptron.answers.verbs import explain as explain
    from gaptron.answers.verbs import plot as plot
    from gaptron.answers.verbs import sharpen as sharpen
    from gaptron.learners import BinaryGaptron as BinaryGaptron
    from gaptron.learners import Gaptron as Gaptron
    from gaptron.symbols import Parameter as Parameter
    from gaptron.theory.claims import Breaks as Breaks
    from gaptron.theory.claims import Claim as Claim
    from gaptron.theory.claims import Constant as Constant
    from gaptron.theory.claims import Corrected as Corrected
    from gaptron.theory.claims import InProof as InProof
    from gaptron.theory.claims import Instance as Instance
    from gaptron.theory.claims import NotCheckable as NotCheckable
    from gaptron.theory.claims import Obligations as Obligations
    from gaptron.theory.claims import Paper as Paper
    from gaptron.theory.claims import Resists as Resists
    from gaptron.theory.claims import Rests as Rests
    from gaptron.theory.claims import Shows as Shows
    from gaptron.theory.decoders import GapMap as GapMap
    from gaptron.theory.losses import BinaryLoss as BinaryLoss
    from gaptron.theory.losses import MarginLoss as MarginLoss
    from gaptron.theory.losses import PairwiseLoss as PairwiseLoss
    from gaptron.theory.losses import SeparableLoss as SeparableLoss
    from gaptron.theory.losses import SoftmaxLoss as SoftmaxLoss
    from gaptron.theory.refusals import TheoremError as TheoremError
    from gaptron.theory.structured.structured_theorem import StructuredTheorem as StructuredTheorem
    from gaptron.theory.theorem import Contact as Contact
    from gaptron.theory.theorem import Implication as Implication
    from gaptron.theory.theorem import Lemma as Lemma
    from gaptron.theory.theorem import Theorem as Theorem

__version__ = "0.2.0"
_HOMES = {
    "gaptron.answers.verbs": ["attack", "audit", "check", "explain", "plot", "sharpen"],
    "gaptron.theory.claims": ["Breaks", "Claim", "Constant", "Corrected", "InProof", "Instance", "NotCheckable",
                              "Obligations", "Paper", "Resists", "Rests", "Shows"],
    "gaptron.theory.decoders": ["GapMap"],
    "gaptron.theory.refusals": ["TheoremError"],
    "gaptron.learners": ["BinaryGaptron", "Gaptron"],
    "gaptron.theory.losses": ["BinaryLoss", "MarginLoss", "PairwiseLoss", "SeparableLoss", "SoftmaxLoss"],
    "gaptron.theory.structured.structured_theorem": ["StructuredTheorem"],
    "gaptron.symbols": ["Parameter"],
    "gaptron.theory.theorem": ["Contact", "Implication", "Lemma", "Theorem"],
}  # fmt: skip
__all__ = sorted(name for names in _HOMES.values() for name in names)
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
