"""What a check is asked to do."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gaptron.system.documents import Document


@dataclass(frozen=True)
class Order:
    """Files by their number, and the names of those of their theorems that are settled already.

    ``only`` is a pattern of names, ``seconds`` the limit of each claim; without ``certificates`` none are handed over.
    With ``coq`` what is PROVED is given to Coq as well; ``cluster`` is the address of a scheduler whose workers help.
    ``given`` are theorems as data, instead of the file of that number; with ``shows_data`` all are handed over as data.
    """

    files: Mapping[int, Path]
    only: str | None
    seconds: float
    workers: int
    cache: Path | None
    certificates: bool
    coq: bool = False
    cluster: str | None = None
    settled: Mapping[int, Collection[str]] = field(default_factory=dict)
    given: Mapping[int, Document] = field(default_factory=dict)
    shows_data: bool = False
