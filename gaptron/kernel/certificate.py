"""Certificates: claims with their proofs, or a point that refutes one of them, as JSON.

{"format": "gaptron certificate 2", "about": {...}, "claims": [claim, ...], "proofs": [proof, ...]}
{"format": "gaptron certificate 2", "about": {...}, "claims": [claim, ...], "refutes": [index, {variable: rational}]}

A proof is {"terms": [...], "tables": [...], "proof": {"rule": ..., ...}}: docs/certificates.md has all fields.
``about`` says which theorem and obligation the claims were derived from. The kernel does not read it: whoever replays
derives the claims again from the theorem and compares them.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from gaptron.kernel.enclosures import enclose
from gaptron.kernel.evidence import is_so
from gaptron.kernel.rules import check
from gaptron.language.rejection import Rejected, require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json, Term, read_name, read_rational, substitute, subterms, text

FORMAT = "gaptron certificate 2"
FORMER = "gaptron certificate 1"
LANGUAGE = ("__init__.py", "rejection.py", "relations.py", "terms.py")
BITS = 272


@dataclass(frozen=True)
class Certificate:
    """What is claimed, and the proofs of all claims or the refutation of one."""

    about: dict[str, Json]
    claims: tuple[Claim, ...]
    proofs: tuple[Json, ...] | None
    refutes: tuple[int, dict[str, Fraction]] | None

    @cached_property
    def data(self) -> dict[str, Json]:
        """The JSON form. It is shared: do not change it."""
        head = {"format": FORMAT, "about": self.about, "claims": [claim.data for claim in self.claims]}
        if self.refutes is None:
            return head | {"proofs": list(self.proofs or ())}
        index, point = self.refutes
        return head | {"refutes": [index, {name: str(value) for name, value in sorted(point.items())}]}


def canonical_text(data: Json) -> str:
    """One text for one JSON value."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest(data: Json) -> str:
    """sha256 of the canonical text."""
    return "sha256:" + hashlib.sha256(canonical_text(data).encode()).hexdigest()


def sources() -> list[Path]:
    """The kernel's own source: this folder, and what it needs of the language."""
    folder = Path(__file__).parent
    return [*sorted(folder.rglob("*.py")), *(folder.parent / "language" / name for name in LANGUAGE)]


def version() -> str:
    """A digest of the kernel's own source: certificates are kept for one kernel only."""
    rooms = Path(__file__).parents[1]
    return digest([[path.relative_to(rooms).as_posix(), path.read_text(encoding="utf-8")] for path in sources()])


def read_certificate(text: str) -> Certificate:
    """A certificate from its JSON text.

    Raises
    ------
    Rejected
        If it is not JSON, has a part that is missing, unknown or malformed, or no claims.
    """
    try:
        return _read(read_json(text))
    except (ValueError, RecursionError) as error:
        raise Rejected(f"not JSON, or nested too deeply: {error}") from error


def read_json(text: str) -> Json:
    """What a text says, if nothing in it is ambiguous: no repeated keys, and no constants that JSON does not have."""
    return json.loads(text, object_pairs_hook=_no_repeated_keys, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    raise Rejected(f"{name} is not JSON")


def _no_repeated_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    require(len(found) == len(pairs), "a key is repeated")
    return found


def _read(data: Json) -> Certificate:
    form = data.get("format") if isinstance(data, dict) else None
    require(form != FORMER, f"{FORMER!r} is a former format: gaptron check --certificates writes certificates anew")
    require(form == FORMAT, f"the format is not {FORMAT!r}")
    last = "refutes" if "refutes" in data else "proofs"
    require(set(data) == {"format", "about", "claims", last}, f"the fields are format, about, claims and {last}")
    require(isinstance(data["about"], dict), "about is not an object")
    require(isinstance(data["claims"], list) and bool(data["claims"]), "there are no claims")
    return completed(data["about"], tuple(map(Claim.read, data["claims"])), data)


def completed(about: dict[str, Json], claims: tuple[Claim, ...], end: dict[str, Json]) -> Certificate:
    """The certificate of these claims whose "proofs", or the point that "refutes" one, are in ``end``."""
    if "refutes" in end:
        return Certificate(about, claims, None, _read_refutation(end["refutes"], len(claims)))
    require(isinstance(end["proofs"], list), "proofs is not a list")
    return Certificate(about, claims, tuple(end["proofs"]), None)


def _read_refutation(data: Json, count: int) -> tuple[int, dict[str, Fraction]]:
    require(isinstance(data, list) and len(data) == 2, "a refutation is the index of a claim and a point")
    index, point = data
    require(type(index) is int and 0 <= index < count, f"there is no claim {index!r}")
    require(isinstance(point, dict), "a point gives each variable its value")
    return index, {read_name(name): read_rational(value) for name, value in point.items()}


def replay(certificate: Certificate) -> None:
    """Return if every claim is proved, or the claim named is refuted.

    Raises
    ------
    Rejected
        With the number of the claim and the reason.
    """
    try:
        if certificate.refutes is not None:
            index, point = certificate.refutes
            refute(certificate.claims[index], point)
            return
        proofs = certificate.proofs or ()
        require(bool(certificate.claims) and len(proofs) == len(certificate.claims), "one proof for every claim")
        for number, (claim, proof) in enumerate(zip(certificate.claims, proofs, strict=True), 1):
            try:
                check(claim, proof)
            except Rejected as rejected:
                raise Rejected(f"claim {number}: {rejected}") from rejected
    except (ValueError, OverflowError, RecursionError) as error:
        raise Rejected(f"a number is too large, or the nesting too deep: {error}") from error


def refute(claim: Claim, point: Mapping[str, Fraction]) -> None:
    """Return if all hypotheses certainly hold at the point and the conclusion certainly fails, or is undefined."""
    require(set(point) == claim.names, "the point gives a value to each variable, and to nothing else")
    for term in claim.integers:
        require(is_integer(term, point), f"{text(term)} is not certainly an integer at the point")
    for relation in claim.given:
        require(holds(relation, point) is True, f"the hypothesis {relation.data} does not certainly hold at the point")
    require(holds(claim.then, point) is False, "the conclusion does not certainly fail at the point")


def is_integer(term: Term, point: Mapping[str, Fraction]) -> bool:
    """Whether a term is certainly defined and an integer at a point."""
    value = _at(term, point)
    if _is_all_defined(value) is not True:
        return False
    low, high = enclose(value, {}, BITS)
    return low == high and Fraction(low).denominator == 1


def _at(term: Term, point: Mapping[str, Fraction]) -> Term:
    for name, value in point.items():
        term = substitute(term, name, value)
    return term


def holds(relation: Relation, point: Mapping[str, Fraction]) -> bool | None:
    """Whether a relation is true at a point: False also where it is undefined, None if that is not certain."""
    difference = _at(relation.difference, point)
    defined = _is_all_defined(difference)
    return is_so(relation.sign, *enclose(difference, {}, BITS)) if defined else defined


def _is_all_defined(term: Term) -> bool | None:
    """Whether a constant is defined, innermost parts first; None if that is not certain."""
    found = (_is_defined(part) for part in reversed(list(subterms(term))))
    return next((defined for defined in found if defined is not True), True)


def _is_defined(part: Term) -> bool | None:
    """Whether an operation can be applied to its arguments, which are defined; None if that is not certain."""
    if not isinstance(part, tuple) or part[0] in ("+", "*", "exp") or (part[0] == "^" and part[2] >= 0):
        return True
    low, high = enclose(part[1], {}, BITS)
    if part[0] == "root":
        return True if low >= 0 else False if high < 0 else None
    if part[0] == "log":
        return True if low > 0 else False if high <= 0 else None
    return True if low > 0 or high < 0 else False if low == high else None
