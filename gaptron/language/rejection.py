"""The one answer of the kernel that is not acceptance."""


class Rejected(Exception):  # noqa: N818
    """A certificate, or a part of one, that does not prove what it claims: the reason."""


class Undefined(Rejected):
    """A part of a term that may not be ``wanted``: "nonzero", "positive" or "nonnegative"."""

    def __init__(self, part: str, wanted: str) -> None:
        super().__init__(f"{part} may not be {wanted}")
        self.wanted = wanted


def require(condition: bool, reason: str, *about: object) -> None:
    """Raise ``Rejected`` with the reason, filled in with what it is about, unless the condition holds."""
    if not condition:
        raise Rejected(reason.format(*about) if about else reason)
