"""A document whose claims are audited."""

from dataclasses import dataclass

from gaptron.system.final import final
from gaptron.theory.refusals import TheoremError, hidden
from gaptron.theory.theorem import check_text

__tracebackhide__ = hidden


@final
@dataclass(frozen=True)
class Paper:
    """The document that claims belong to: reports carry its title.

    Parameters
    ----------
    name : str
        What stands before the slash in the identifiers of its claims (letters, digits and dashes).
    title : str
        As a reference would have it: authors, title, year.

    Raises
    ------
    TheoremError
        With the argument, its value and what is allowed.

    Examples
    --------
    >>> from gaptron import Paper
    >>> Paper("mine", "A. Author, A tilted hinge loss, 2026").name
    'mine'
    """

    name: str
    title: str

    def __post_init__(self) -> None:
        check_text(self.name, "Paper name")
        check_text(self.title, "Paper title")
        if not self.name.replace("-", "").isalnum():
            raise TheoremError(f"Paper name = {self.name!r} is not made of letters, digits and dashes")
