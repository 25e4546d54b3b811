"""Certificates of the kernel as Coq proofs, and theorem files as Coq developments that compile by themselves.

Nothing here is trusted: what it writes is checked by Coq. ``terms`` prints the kernel's language over Coq's reals;
``facts`` and ``identities`` say what hypotheses tell of polynomials; ``combination``, ``enclosure`` and ``movement``
translate the rules that end a proof, ``certificates`` the others. The lemmas they use are in ``proofs/coq``.
"""

from gaptron.coq.certificates import claim_to_coq
from gaptron.coq.script import UntranslatedError

__all__ = ["UntranslatedError", "claim_to_coq"]
