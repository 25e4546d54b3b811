"""Claims with proofs or refutations, asked of the kernel that Coq proves sound: one run of coqc for all of them."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from gaptron.coq.kernel_data import UnwrittenError, certificate_data, claim_data, places_of, printed
from gaptron.coq.library import (
    LateError,
    LibraryError,
    RefusedError,
    compiled,
    compiled_library,
    default_folder,
    needed_by,
)
from gaptron.kernel import Claim
from gaptron.kernel.certificate import BITS
from gaptron.language.rejection import require
from gaptron.language.terms import Json

HEADER = """\
From Coq Require Import ZArith QArith List.
From Gaptron Require Import Enclosures.
From Gaptron.kernel Require Import Relations Atoms Derivation Intervals Motion Certificate Refutation.
Import ListNotations.
Open Scope nat_scope.
"""
MODULE = "Replayed"
__all__ = ["LateError", "LibraryError", "RefusedError", "UnwrittenError", "accepted", "computation", "refutation"]
ANSWER = re.compile(r"^     = (true|false)$", re.MULTILINE)


def computation(claim: Claim, proof: Json) -> str:
    """The term that is true if the verified kernel accepts the proof of the claim.

    Raises
    ------
    UnwrittenError
        If the verified kernel has no words for a part of it.
    Rejected
        If the proof does not fit the claim.
    """
    written = certificate_data(claim, proof)
    return f"(check {printed(claim_data(claim, proof))} {printed(written)})"


def refutation(claim: Claim, point: Mapping[str, Fraction]) -> str:
    """The term that is true if the verified kernel agrees that the claim fails at the point.

    Raises
    ------
    UnwrittenError
        If the verified kernel has no words for a part of the claim.
    Rejected
        If the point does not give a value to each variable of the claim, and to nothing else.
    """
    require(set(point) == claim.names, "the point gives a value to each variable, and to nothing else")
    values = [Fraction(point[name]) for name in places_of(claim)]
    return f"(refute {BITS} {printed(claim_data(claim))} {printed(values)})"


def accepted(computations: Sequence[str], seconds: float, kept: Path | None = None) -> list[bool]:
    """Whether Coq computes each to be true.

    Parameters
    ----------
    computations : texts of ``computation`` and ``refutation``
    seconds : float
        Limit for all of them.
    kept : Path
        Where the compiled library is kept, if not where it usually is.

    Raises
    ------
    LateError
        If coqc takes longer.
    RefusedError
        If it ends with an error.
    MissingCoqError
        If there is no coqc.
    LibraryError
        If the library does not compile.
    """
    library = compiled_library(needed_by([HEADER]), kept or default_folder())
    text = HEADER + "".join(f"Eval vm_compute in {one}.\n" for one in computations)
    with TemporaryDirectory() as folder:
        said = compiled({f"{MODULE}.v": text}, Path(folder), library, seconds)
    answers = ANSWER.findall(said)
    assert len(answers) == len(computations), "coqc answers every question"  # noqa: S101
    return [answer == "true" for answer in answers]
