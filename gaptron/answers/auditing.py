"""``audit``: every claim of files, or of all that is shipped, recomputed."""

from contextlib import closing
from pathlib import Path

from gaptron.checking.cache import Cache
from gaptron.checking.coq_evidence import formal
from gaptron.ledger.recomputation import Audited, audit
from gaptron.ledger.stated import NamedStatements
from gaptron.system.exits import warn
from gaptron.system.progress import Progress
from gaptron.theory.files import Filed, FileError, load_whole
from gaptron.theory.shipped import require_named, shipped_claims, shipped_files


def audited(
    own: list[Path], shown: Progress, *, seconds: float, cache: Path | None, workers: int, coq: bool = False,
    cluster: str | None = None, only: str | None = None, document: str | None = None,
) -> tuple[list[Audited], list[str]]:  # fmt: skip
    """The claims of these files, or of all that are shipped, as they rest on each other, whichever of them are wanted.

    With them why files cannot be used that stand beside others that can.

    Raises
    ------
    FileError
        If there is no claim, or none whose name matches ``only`` and ``document``.
    """
    if not own:
        require_named(shipped_claims(), only, document)
    errors: list[str] = []
    filed = _claims(own, errors)
    require_named([claim.claim.id for claim in filed], only, document)
    with closing(Cache(cache, warn)) as kept:
        rows = audit(
            filed,
            seconds,
            kept,
            workers,
            begin=shown.begin,
            arrived=shown.advance,
            formal=(lambda checked: formal(checked, kept)) if coq else None,
            cluster=cluster,
            stated=NamedStatements(kept) if coq else None,
            refuse=errors.append,
        )
    if not rows:
        raise FileError("; ".join(errors))
    return rows, errors


def _claims(own: list[Path], errors: list[str]) -> list[Filed]:
    """The claims of the files; runs them. A file that cannot be used is among the errors."""
    filed: list[Filed] = []
    for file in own or shipped_files():
        try:
            filed += load_whole(file)[1]
        except FileError as error:
            errors.append(str(error))
    if not filed:
        raise FileError("; ".join(errors) or "no claim: assign a gaptron.Claim to a name at top level")
    return filed
