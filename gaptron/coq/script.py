"""Why something is not written as a Coq development."""

from gaptron.coq.real_terms import relation_text
from gaptron.kernel import Claim


class UntranslatedError(Exception):
    """A rule, or something that it needs, has no translation: its name, and what the claim concludes."""

    def __init__(self, rule: str, claim: Claim, reason: str = "it has no translation") -> None:
        then = relation_text(claim.then, {name: name for name in claim.names})
        super().__init__(f"{rule}: {reason}, in the claim {then}")
        self.rule = rule
        self.claim = claim
        self.reason = reason


class OutOfScopeError(Exception):
    """A theorem that the library does not speak of, and why."""
