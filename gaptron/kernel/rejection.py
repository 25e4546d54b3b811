"""The one answer of the kernel that is not acceptance."""


class Rejected(Exception):  # noqa: N818
    """A certificate, or a part of one, that does not prove what it claims: the reason."""


def require(condition: bool, reason: str) -> None:
    """Raise ``Rejected`` with the reason unless the condition holds."""
    if not condition:
        raise Rejected(reason)
