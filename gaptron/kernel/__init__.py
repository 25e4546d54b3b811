"""The trusted kernel: replays certificates with the standard library alone, in exact rational arithmetic.

A claim is ``given |- then``: relations between terms over real variables. A relation that contains an undefined term
(a division by zero, a logarithm of a number <= 0, a root of a negative number) is false. A certificate holds claims
and, for each, a proof: a tree of rules. Every rule is a small total function that raises ``Rejected`` unless the claim
follows. Nothing outside this folder is trusted when it replays, and it imports nothing of the project.
"""

from gaptron.kernel.certificate import Certificate, completed, digest, read_certificate, read_json, replay, version
from gaptron.kernel.rejection import Rejected
from gaptron.kernel.relations import Claim, Relation
from gaptron.kernel.rules import check

__all__ = [
    "Certificate", "Claim", "Rejected", "Relation", "check", "completed", "digest", "read_certificate", "read_json",
    "replay", "version",
]  # fmt: skip
