"""The evidence ``coq``: Coq accepts the development of a theorem that was checked, or did so under the same digest."""

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

from gaptron.checking.cache import Cache
from gaptron.checking.checker import Checked
from gaptron.coq.development import (
    Whole,
    check_scope,
    development,
    refutation,
    structured_development,
    structured_refutation,
)
from gaptron.coq.formal import NotAcceptedError, Said, asked, is_said_again, read, said_by_coq
from gaptron.coq.library import default_folder, digest, needed_by
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.reader.structured_statement import compare_structured
from gaptron.coq.script import OutOfScopeError, UntranslatedError
from gaptron.coq.structured_development import about_entropy, certified, conditions
from gaptron.kernel import Certificate, Claim, completed, read_certificate
from gaptron.language.terms import Json
from gaptron.prove.certify import certify
from gaptron.system.documents import Document
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem
from gaptron.theory.verdict import Verdict

Answer = TypeVar("Answer")


def formal(checked: Checked, cache: Cache) -> Document:
    """``{"accepted": True, "module", "theorem", "statement", "axioms"}``, or ``accepted`` False with the ``reason``.

    Of a theorem that is REFUTED it is the refutation that is accepted. What is no theorem, or UNDECIDED, is not asked
    about: ``accepted`` is None.
    """
    if isinstance(checked.item, Lemma) or checked.verdict is Verdict.UNDECIDED:
        return {"accepted": None}
    try:
        whole = whole_of(checked, cache)
    except (OutOfScopeError, UntranslatedError) as error:
        return {"accepted": False, "reason": str(error)}
    return accepted(checked, whole, cache)


def accepted(checked: Checked, whole: Whole, cache: Cache) -> Document:
    """What Coq, and the second reader, say of the development of a theorem, as ``formal`` does."""
    try:
        found = read(whole, said_of(whole, cache))
        texts = [*whole.files.values()]
        is_refuted = checked.verdict is Verdict.REFUTED
        if isinstance(checked.item, StructuredTheorem):
            compare_structured(checked.item, texts, found.statement, is_refuted)
        else:
            assert isinstance(checked.item, Theorem)  # noqa: S101
            compare(checked.item, texts, found.statement, is_refuted)
    except (NotAcceptedError, DifferentError) as error:
        return {"accepted": False, "reason": str(error)}
    return {"accepted": True, **asdict(found), "axioms": list(found.axioms)}


def whole_of(checked: Checked, cache: Cache) -> Whole:
    """The development of a theorem that is PROVED, or of the refutation of one that is REFUTED.

    Raises
    ------
    OutOfScopeError, UntranslatedError
        If there is none: the reason.
    """
    is_refuted, search = checked.verdict is Verdict.REFUTED, partial(_search, cache)
    theorem = checked.item
    if isinstance(theorem, StructuredTheorem):  # from conditions on its numbers, decided as claims of their own
        known = certified(theorem, about_entropy(theorem) if is_refuted else conditions(theorem), search)
        if is_refuted:
            return _by_witness(checked, lambda witness: structured_refutation(theorem, witness, known))
        return structured_development(theorem, known)
    assert isinstance(theorem, Theorem)  # noqa: S101
    check_scope(theorem, is_refuted)
    proved = _proved(checked)
    if is_refuted:
        return _by_witness(checked, lambda witness: refutation(theorem, proved, witness, search))
    for obligation in checked.obligations:
        if obligation.id not in proved:
            raise OutOfScopeError(f"{obligation.id} has no certificate of the kernel")
    return development(theorem, proved, search)


def _search(cache: Cache, claim: Claim, seconds: float) -> Json:
    """A proof of a claim, known or found in so many seconds."""
    known = cache.find({}, [claim])
    if known is not None and known.proofs is not None:
        return known.proofs[0]
    proof = certify(claim, seconds)
    cache.keep(completed({}, (claim,), {"proofs": [proof]}))
    return proof


def _by_witness(checked: Checked, refuted: Callable[[Document], Whole]) -> Whole:
    """From the first witness that the library has words for; otherwise the reason why it has none for the first."""
    reasons = []
    for witness in checked.witnesses:
        try:
            return refuted(witness)
        except (OutOfScopeError, UntranslatedError) as error:
            reasons.append(error)
    raise reasons[0] if reasons else OutOfScopeError("it has no witness")


def _proved(checked: Checked) -> dict[str, Certificate]:
    """The certificates of the obligations that are PROVED, by their names."""
    rows = zip(checked.obligations, checked.outcomes, checked.certificates, strict=True)
    return {
        obligation.id: read_certificate(json.dumps(certificate))
        for obligation, outcome, certificate in rows
        if outcome.verdict is Verdict.PROVED and certificate is not None
    }


def said_of(whole: Whole, cache: Cache) -> str:
    """What Coq says of a development that it accepts: by the files that it compiled before, or compiles now.

    What the cache has counts only if the compiled files are those whose digests it names, and Coq prints it again.

    Raises
    ------
    NotAcceptedError
        If it accepts it not.
    """
    key = digest({**asked(whole), **needed_by(whole.files.values())})
    known = _kept(cache, key)
    if known is not None and compiled_in(cache, partial(is_said_again, known, whole)):
        return known.text
    said = compiled_in(cache, partial(said_by_coq, whole))
    with suppress(NotAcceptedError):
        read(whole, said.text)
        cache.keep_said(key, json.dumps(asdict(said)))
    return said.text


def _kept(cache: Cache, key: str) -> Said | None:
    """What the cache has; None if that is nothing, or was written by another version."""
    try:
        data = json.loads(cache.said_of(key) or "null")
        return Said(data["text"], data["compiled"])
    except (ValueError, TypeError, KeyError):
        return None


def compiled_in(cache: Cache, ask: Callable[[Path], Answer]) -> Answer:
    """What is asked with the folder of compiled libraries; without a cache the library is compiled anew as well."""
    if cache.path is not None:
        default_folder().mkdir(parents=True, exist_ok=True)
        return ask(default_folder())
    kept = Path(mkdtemp())
    try:
        return ask(kept)
    finally:
        shutil.rmtree(kept)
