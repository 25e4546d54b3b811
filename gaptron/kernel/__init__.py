"""The trusted kernel: replays certificates with the standard library alone, in exact rational arithmetic.

A claim is ``given |- then``: relations between terms over real variables. A relation that contains an undefined term
(a division by zero, a logarithm of a number <= 0, a root of a negative number) is false. A certificate holds claims
and, for each, a proof: a tree of rules. Every rule is a small total function that raises ``Rejected`` unless the claim
follows. Nothing outside this folder is trusted when it replays, but terms and relations (``gaptron.language``), which
import the standard library alone.
"""

from gaptron.kernel.certificate import Certificate, completed, digest, read_certificate, read_json, replay, version
from gaptron.kernel.rules import check
from gaptron.language.rejection import Rejected
from gaptron.language.relations import Claim, Relation

__all__ = [
    "Certificate", "Claim", "Rejected", "Relation", "check", "completed", "digest", "read_certificate", "read_json",
    "replay", "version",
]  # fmt: skip
