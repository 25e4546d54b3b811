"""Certificates of the kernel as Coq proofs, and theorem files as Coq developments that compile by themselves.

Nothing here is trusted: what it writes is checked by Coq. ``real_terms`` prints the kernel's language over Coq's
reals; ``kernel_data`` and ``kernel_proofs`` write claims and certificates as data of the verified kernel,
``proofs/coq/kernel``, and ``certificates`` as lemmas that it closes. ``records`` has theorems as data, and
``extracted`` runs what Coq computes of them. The other lemmas that developments use are in ``proofs/coq``.
"""

from gaptron.coq.certificates import claim_to_coq
from gaptron.coq.script import UntranslatedError

__all__ = ["UntranslatedError", "claim_to_coq"]
