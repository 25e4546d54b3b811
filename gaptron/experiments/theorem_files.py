"""The theorem of a file, as the loss of a run: what it is written in is imported for no loss that has a name."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from gaptron.experiments import structured_run
from gaptron.streams import StreamError
from gaptron.streams.output_streams import output_stream
from gaptron.system.documents import Document
from gaptron.theory.files import FileError, load
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

SHARED = ("learner", "loss", "rounds", "bias", "feature_norm", "rescale", "seed")


@cache
def theorem_of(value: str) -> Theorem | StructuredTheorem:
    """The theorem of FILE.py, or FILE.py:NAME.

    Raises
    ------
    StreamError
        If the file cannot be loaded, or holds no theorem of that name, or several and no name is given.
    """
    path, _, name = value.partition(".py:")
    file = Path(f"{path}.py" if name else value)
    try:
        found = {s.item.name: s.item for s in load(file) if not isinstance(s.item, Lemma)}
    except FileError as error:
        raise StreamError(str(error)) from error
    if (len(found) != 1 and not name) or (name and name not in found):
        names = ", ".join(map(repr, found)) or "no theorem with a loss"
        raise StreamError(f"--loss {value}: {file} holds {names}: name one as {file}:NAME")
    return found[name or next(iter(found))]


def of_labels(value: str) -> Theorem:
    """The theorem of the file, which is not structured."""
    found = theorem_of(value)
    assert not isinstance(found, StructuredTheorem)  # noqa: S101
    return found


def ran_structured(data: str | None, options: Document, given: Sequence[str]) -> tuple[Document, str] | None:
    """A structured theorem on its own kind of data, with which other options do not go; None of a theorem on labels."""
    theorem = theorem_of(options["loss"])
    if not isinstance(theorem, StructuredTheorem):
        return None
    for name in (name for name in given if name not in SHARED):
        raise StreamError(f"--{name.replace('_', '-')} does not go with a structured theorem")
    stream = output_stream(data or "multilabel", options["rounds"], options["seed"])
    stream = stream.scaled() if options["rescale"] else stream
    stream = stream.with_bias() if options["bias"] else stream
    report = structured_run.report_on(theorem, stream, options["feature_norm"], options["seed"])
    return structured_run.as_document(report), structured_run.as_text(report)
