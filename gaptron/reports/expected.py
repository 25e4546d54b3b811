"""Whether a theorem has the verdict that it expects, and the exit code that says so of all."""

from collections.abc import Sequence

from gaptron.system.documents import Document

CODES = {"REFUTED": 1, "PROVED": 1, "UNDECIDED": 3}  # of a verdict that is not the expected one


def is_as_expected(theorem: Document) -> bool:
    """Whether the verdict is the one that the theorem expects; what Coq says of it is another question."""
    return bool(theorem["verdict"] == theorem["expected"])


def words(theorem: Document) -> str | None:
    """What a report says of a theorem that expects another verdict than PROVED; None of the others."""
    if theorem["expected"] == "PROVED":
        return None
    if is_as_expected(theorem):
        return "as expected"
    return f"expected {theorem['expected']}, is {theorem['verdict']}"


def surprise(theorem: Document) -> str | None:
    """These words, if they say that the verdict is another one than expected."""
    return None if is_as_expected(theorem) else words(theorem)


def is_unaccepted(theorem: Document) -> bool:
    """Whether Coq was asked about a verdict, and did not accept it."""
    return theorem.get("coq", {}).get("accepted") is False


def exit_code(theorems: Sequence[Document]) -> int:
    """0 if every verdict is the expected one, else 1 if one of the others is PROVED or REFUTED, else 3.

    A verdict that Coq was asked about and did not accept counts as UNDECIDED.
    """
    codes = {CODES[theorem["verdict"]] for theorem in theorems if not is_as_expected(theorem)}
    codes |= {CODES["UNDECIDED"] for theorem in theorems if is_unaccepted(theorem)}
    return min(codes, default=0)
