"""The evidence ``coq`` of a claim that names statements by hand of ``proofs/coq``, and the theorems that prove them.

That a statement is the claim's is for a person to say. What was read is what Coq prints now: the statements, and every
definition that they can be made of, are compared with what is recorded for reviewers, to the letter.
"""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from gaptron.checking.cache import Cache
from gaptron.checking.coq_evidence import compiled_in, said_of
from gaptron.coq.development import Whole
from gaptron.coq.formal import NotAcceptedError, read
from gaptron.coq.library import LibraryError, RefusedError, compiled_library, needed_by
from gaptron.ledger.printed import printed, question
from gaptron.ledger.reviewers import STATED, defined, entry, recorded, stated
from gaptron.system.documents import Document


class NamedStatements:
    """Asks Coq about statements by hand."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache

    def __call__(self, statement: str, theorem: str) -> Document:
        """``{"accepted": True, "axioms"}``, or ``accepted`` False with the ``reason``; both are named FILE.v:name.

        Raises
        ------
        MissingCoqError
            If there is no coqc.
        """
        try:
            self.require_read(statement)
            whole = development(statement, theorem)
            found = read(whole, said_of(whole, self.cache))
        except RefusedError as error:
            return {"accepted": False, "reason": error.sentence}
        except (NotAcceptedError, LibraryError) as error:
            return {"accepted": False, "reason": " ".join(str(error).split())}
        return {"accepted": True, "axioms": list(found.axioms)}

    def require_read(self, statement: str) -> None:
        """NotAcceptedError if it is no statement that reviewers are shown, or what they are shown is not what it is."""
        file, _, name = statement.partition(":")
        if file not in STATED or stated().get(name, ("",))[0] != file:
            raise NotAcceptedError(f"{statement} is no statement by hand that is shown to reviewers")
        hidden = [other for other, text in needed_by([f"From Gaptron Require {file[:-2]}."]).items() if "Qed." in text]
        if hidden:
            raise NotAcceptedError(f"{file} is made of {', '.join(hidden)}, which reviewers are not shown")
        for what, now, then in self._beside(recorded()):
            if now != then:
                raise NotAcceptedError(f"what Coq prints of {what} is not what is recorded for reviewers")

    def _beside(self, known: Document) -> Iterator[tuple[str, str | None, str | None]]:
        """What it may be made of, what Coq prints of it now and what is recorded: definitions, and other statements."""
        for file, names in defined().items():
            for name in names:
                then = known["definitions"].get(file, {}).get(name)
                yield f"{file}:{name}", entry(self.printed, "definitions", file, name), then
        for name, (file, _) in stated().items():
            if file in STATED:
                then = known["statements"].get(name, {}).get("printed")
                yield f"{file}:{name}", entry(self.printed, "statements", name, "printed"), then

    @cached_property
    def printed(self) -> Document:
        """Of all that reviewers read, asked once."""
        return compiled_in(self.cache, _printed)


def development(statement: str, theorem: str) -> Whole:
    """A file whose theorem has the statement and is proved by the other theorem alone."""
    (home, what), (file, proof) = (name.split(".v:") for name in (statement, theorem))
    lines = (
        f"From Gaptron Require {home} {file}.",
        f"Theorem claimed : Gaptron.{home}.{what}.",
        f"Proof. exact Gaptron.{file}.{proof}. Qed.",
    )
    return Whole({"Claimed.v": "\n".join(lines) + "\n"}, "Claimed", "claimed")


def _printed(kept: Path) -> Document:
    library = compiled_library(needed_by([question()]), kept)
    with TemporaryDirectory() as folder:
        return printed(library, Path(folder))
