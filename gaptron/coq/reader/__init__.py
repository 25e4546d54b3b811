"""A second reader of an exported theorem: its statement and definitions, evaluated, are those of the theorem file.

Coq checks that the theorem follows; that it is the theorem of the file was so far the printer's word. Here the text is
read again, without the printer, and compared with the file at exact points: rationals exactly, exponentials and
logarithms by enclosures. What is said to be defined is compared as well, also where no theorem is claimed. Nothing of
what writes the text is imported here.
"""

from collections.abc import Sequence

from gaptron.coq.reader.full_information import Comparison
from gaptron.coq.reader.other_settings import AbstentionComparison, BanditComparison, ProximalComparison, of_decoder
from gaptron.coq.reader.points import DifferentError, expect
from gaptron.coq.reader.refutations import (
    CONDITIONS,
    OF_GAMES,
    NoValueComparison,
    RefutedBanditComparison,
    RefutedComparison,
    RefutedDecoderComparison,
    RefutedProximalComparison,
    denies,
)
from gaptron.coq.reader.values import MEANT, Values
from gaptron.coq.reader.vernacular import UnreadableError, definitions, introduced, names_in, tree
from gaptron.theory.theorem import Theorem


def compare(theorem: Theorem, texts: Sequence[str], statement: str, is_refuted: bool = False) -> int:
    """How many values agree.

    Parameters
    ----------
    theorem : Theorem
    texts : the files of the development
    statement : str
        The whole theorem, as Coq prints it or as it is written.
    is_refuted : bool
        Whether the statement is to be the theorem's refutation.

    Raises
    ------
    DifferentError
        At the first difference, or if the text is not of the kind that is exported.
    """
    try:
        expect_old_names(texts)
        kind = BanditComparison if theorem.feedback == "bandit" else Comparison
        kind = kind if theorem.decoder == "gap map" else of_decoder(theorem)
        kind = kind if theorem.update == "gradient" else ProximalComparison
        kind = kind if theorem.abstention_cost is None else AbstentionComparison
        read = tree(statement)
        if is_refuted:
            kind = RefutedComparison if theorem.decoder == "gap map" else RefutedDecoderComparison
            kind = kind if theorem.update == "gradient" else RefutedProximalComparison
            kind = RefutedBanditComparison if names_in(read) & OF_GAMES else kind
            kind = NoValueComparison if denies(read) else kind
        return kind(theorem, Values(definitions([*texts])), read).run()
    except UnreadableError as error:
        raise DifferentError(f"the Coq text cannot be read: {error}") from error


def expect_old_names(texts: Sequence[str]) -> None:
    """No name that the statement takes from Coq or the library has another meaning."""
    taken = introduced([*texts]) & (MEANT | CONDITIONS.keys())
    expect(not taken, f"{', '.join(sorted(taken))} is defined anew")
