"""The ledger of claims, recomputed: every ground decided, every verdict compared with the recorded one."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from gaptron.checking.cache import Cache
from gaptron.checking.checker import Checked, Listener, check, collected
from gaptron.checking.recall import Recalled
from gaptron.ledger.compared import in_coq, not_compared
from gaptron.ledger.grounds import (
    Composition,
    Found,
    all_instances,
    composition,
    of_obligations,
    of_premise,
)
from gaptron.ledger.proof_files import ProofFiles
from gaptron.ledger.worked import Worked, worked
from gaptron.obligations import Obligation
from gaptron.papers.printing import formula
from gaptron.reports.witness import witness_text
from gaptron.system.documents import Document
from gaptron.system.interrupts import number_of
from gaptron.theory.claims import Exact, Ground, InProof, LedgerClaim, NotCheckable, Obligations, Rests
from gaptron.theory.files import Filed, FileError
from gaptron.theory.items import Item
from gaptron.theory.theorem import Theorem
from gaptron.theory.verdict import Verdict

NOT_CHECKABLE = "NOT-CHECKABLE"
SECOND_READER = "compared by the second reader, with the theorem file"
BY_HAND = "coq (compared by hand)"  # the evidence of a claim that names what Coq proves


@dataclass(frozen=True)
class Audited:
    """A claim with what became of its grounds, of its correction and of its second route."""

    file: Path
    claim: LedgerClaim
    grounds: tuple[Found, ...]
    corrected: tuple[Found, ...]
    second: tuple[Found, ...]
    worked: Worked | None = None  # the smallest instance of an erratum
    title: str = ""  # of its document, if a Paper says it
    stated: Mapping[str, Document] = field(default_factory=dict)  # of statements by hand that it names: what Coq says
    not_compared: str | None = None  # why these statements are no evidence
    cites: tuple[str, ...] = ()  # claims that are cited in its proof files

    @cached_property
    def composition(self) -> Composition | None:
        """How the grounds are composed, of a PROVED claim."""
        return composition(self.grounds) if self.verdict == Verdict.PROVED.value else None

    @property
    def verdict(self) -> str:
        """The computed verdict: REFUTED, NOT-CHECKABLE, UNDECIDED or PROVED, the first that a ground says."""
        verdicts = [found.verdict for found in self.grounds]
        if Verdict.REFUTED in verdicts or None not in verdicts:
            return Verdict.of([v for v in verdicts if v is not None]).value
        return NOT_CHECKABLE

    @property
    def evidence(self) -> tuple[str, ...]:
        """On what the verdict stands; on Coq if all grounds do, but for the claims it rests on, or a second route.

        Or by what it names.
        """
        deciding = [f for f in self.grounds if f.verdict is not None and f.verdict.value == self.verdict]
        levels = dict.fromkeys(level for found in deciding for level in found.evidence)
        if not all("coq" in found.evidence for found in deciding if not isinstance(found.ground, Rests)):
            levels.pop("coq", None)
        if self.verdict == "PROVED" and any("coq" in found.evidence for found in self.second):
            levels = {"coq": None} | levels
        by_hand = self.stated and not self.not_compared and all(said["accepted"] for said in self.stated.values())
        return (BY_HAND, *levels) if by_hand else tuple(levels)

    @property
    def premises(self) -> tuple[str, ...]:
        """The claims it rests on."""
        return tuple(dict.fromkeys((*self.claim.premises, *self.cites)))

    @property
    def tex(self) -> str:
        """The formula: as it is given, or as its proof files state it."""
        return self.claim.tex or r",\quad ".join(formula(found.proved.stated) for found in self.grounds if found.proved)

    @property
    def in_coq(self) -> list[Document]:
        """What Coq proves beside it, in Coq's words, and who compared both: a person or the second reader."""
        return [*in_coq(self.claim), *(found.coq for found in (*self.grounds, *self.second) if found.coq)]

    @property
    def witness(self) -> Document | None:
        """The witness of a refuted claim."""
        return next((f.witness for f in self.grounds if f.verdict is Verdict.REFUTED and f.witness), None)

    @property
    def reasons(self) -> list[str]:
        """Why the claim is not decided."""
        return [f.reason for f in self.grounds if f.verdict in (None, Verdict.UNDECIDED) and f.reason]

    @property
    def corrected_verdict(self) -> str | None:
        """The verdict of the correction; None if there is none, or it needs no proof."""
        if not self.corrected:
            return None
        return Verdict.of([f.verdict or Verdict.UNDECIDED for f in self.corrected]).value

    @property
    def every(self) -> tuple[Found, ...]:
        """All grounds."""
        return (*self.grounds, *self.corrected, *self.second)

    @property
    def seconds(self) -> float:
        """What all grounds took."""
        return sum(found.seconds for found in self.every)

    @property
    def problems(self) -> list[str]:
        """Where the computed is not what is recorded: another verdict, a correction that fails, a second route."""
        found = []
        if self.verdict != self.claim.recorded:
            found.append(f"recorded {self.claim.recorded}, computed {self.verdict}")
        if self.corrected_verdict not in (None, "PROVED"):
            found.append(f"the corrected statement is {self.corrected_verdict}")
        found += [f"the second route disagrees: {text}" for f in self.second if (text := self._against(f))]
        found += [self.not_compared] if self.not_compared else []
        refused = {name: said["reason"] for name, said in self.stated.items() if not said["accepted"]}
        found += [f"Coq does not accept {name} by {self.claim.coq[name]}: {why}" for name, why in refused.items()]
        return found

    def _against(self, found: Found) -> str | None:
        """How a ground of the second route contradicts the verdict."""
        if found.verdict is Verdict.REFUTED and self.verdict != "REFUTED":
            return f"it finds {witness_text(found.witness)}" if found.witness else "it refutes"
        if self.verdict == "REFUTED" and found.verdict is not Verdict.REFUTED:
            return found.reason or "it does not refute"
        if self.verdict == "PROVED" and found.verdict is Verdict.UNDECIDED and "exact" not in found.evidence:
            return found.reason or "it does not prove"
        return None


class PartialAudit(KeyboardInterrupt):
    """An audit that was interrupted: ``rows`` are the claims all of whose grounds were decided, of ``known`` claims.

    Neither were their smallest instances worked, nor was Coq asked for what they name.
    """

    def __init__(self, rows: list[Audited], known: int) -> None:
        super().__init__(f"interrupted: {len(rows)} of {known} claims are decided")
        self.rows, self.known = rows, known

    @property
    def number(self) -> int:
        """The signal."""
        return number_of(self.__cause__ or self)


def _raise(why: str) -> None:
    raise FileError(why)


def audit(
    claims: Sequence[Filed], seconds: float, cache: Cache | None = None, workers: int | None = None,
    begin: Callable[[int], None] = lambda _: None, arrived: Callable[[], None] = lambda: None,
    formal: Callable[[Checked], Document] | None = None, cluster: str | None = None,
    stated: Callable[[str, str], Document] | None = None, refuse: Callable[[str], None] = _raise,
) -> list[Audited]:  # fmt: skip
    """Decide every claim, premises first; ``begin`` is told how many steps are known, ``arrived`` called after each.

    ``formal``, if given, asks Coq for the whole of the theorems whose bounds are claimed, and ``stated`` for statements
    by hand, by their names and those of their proofs; ``cluster`` is the address of a scheduler whose workers are asked
    for proofs first. A file is left out, and ``refuse`` told why, if a claim or title of it is another one elsewhere,
    if a premise is no claim, or if one of its functions fails.

    Raises
    ------
    PartialAudit
        If it is interrupted.
    FileError
        If premises form a circle; for each file that is left out, unless ``refuse`` is given.
    """
    claims = _usable(claims, refuse)
    order, titles = _ordered(claims), {filed.claim.document: filed.title for filed in claims if filed.title}
    found, interrupt = _Grounds(claims, formal), None
    try:
        found.decide(seconds, workers or os.cpu_count() or 1, begin, arrived, cache, cluster)
    except KeyboardInterrupt as interrupted:
        interrupt = interrupted
    left_out = set[Path]()
    done: dict[str, Audited] = {}
    for filed in order:
        if filed.file in left_out:
            continue
        claim = filed.claim
        try:
            found.require(filed)
            if interrupt is not None and not found.are_known(claim):
                continue
            row = replace(found.row(filed), title=titles.get(claim.document, ""))
            row = row if interrupt else replace(row, worked=worked(claim, filed.file))
        except FileError as error:
            left_out.add(filed.file)
            refuse(str(error))
            continue
        if stated is not None and row.verdict == claim.recorded and interrupt is None:
            row = replace(row, stated={name: stated(name, proof) for name, proof in claim.coq.items()})
        done[claim.id], found.verdicts[claim.id] = row, row.verdict
    rows = [done[filed.claim.id] for filed in claims if filed.file not in left_out and filed.claim.id in done]
    if interrupt is not None:
        raise PartialAudit(rows, len(claims)) from interrupt
    return rows


class _Grounds:
    """What is found of every ground, as far as the verdicts of the claims before it tell."""

    def __init__(self, claims: Sequence[Filed], formal: Callable[[Checked], Document] | None) -> None:
        grounds = [ground for filed in claims for ground in _all_grounds(filed.claim)]
        self.items = {id(g.item): g.item for g in grounds if isinstance(g, Obligations)}
        self.exact = [g for g in grounds if isinstance(g, Exact)]
        self.formal, self.proofs = formal, ProofFiles()
        self.names = {filed.claim.id for filed in claims}
        self.checked: dict[int, Checked] = {}
        self.instances: dict[int, Found | str] = {}
        self.said: dict[int, Document] = {}  # of whole theorems, by Coq
        self.verdicts: dict[str, str] = {}

    def decide(
        self, seconds: float, processes: int, begin: Callable[[int], None], arrived: Callable[[], None],
        cache: Cache | None, cluster: str | None,
    ) -> None:  # fmt: skip
        """Decide what claims stand on; of what is interrupted, what is decided is there."""
        items = list(self.items.values())
        listener = _Items(items, self.checked, lambda n: begin(n + len(self.exact)), arrived)
        results = check(items, seconds, processes, listener, cache, cluster, each=True)
        self.checked |= zip(self.items, results, strict=True)
        for number, instance in all_instances(self.exact, processes):
            self.instances[id(self.exact[number])] = instance
            arrived()

    def require(self, filed: Filed) -> None:
        """FileError if a function of the claim failed."""
        for ground in _all_grounds(filed.claim):
            if isinstance(instance := self.instances.get(id(ground)), str):
                raise FileError(f"{filed.file}:{filed.claim.line}: {filed.claim.id}: {instance}")

    def are_known(self, claim: LedgerClaim) -> bool:
        """Whether all that a claim stands on is decided."""
        return all(map(self._is_known, _all_grounds(claim))) and all(name in self.verdicts for name in claim.premises)

    def _is_known(self, ground: Ground) -> bool:
        if isinstance(ground, Obligations):
            return id(ground.item) in self.checked
        return not isinstance(ground, Exact) or id(ground) in self.instances

    def row(self, filed: Filed) -> Audited:
        """The claim with its grounds, and what it cites; FileError if a proof file cannot be used."""
        claim, file = filed.claim, filed.file
        sides = (claim.grounds, claim.corrected.grounds if claim.corrected else (), claim.second)
        own, corrected, second = (tuple(self.of(ground, file) for ground in side) for side in sides)
        cited = self.proofs.cited(claim, file, self.names)
        cites = tuple(name for name in cited if name in self.names and name != claim.id)
        return Audited(file, claim, own, corrected, second, cites=cites, not_compared=not_compared(claim))

    def of(self, ground: Ground, file: Path) -> Found:
        """A ground of a file; FileError if its proof file cannot be used."""
        if isinstance(ground, InProof):
            return self.proofs.found(ground, file)
        if isinstance(ground, Obligations):
            row = of_obligations(ground, self.checked[id(ground.item)])
            said = self._in_coq(row)
            return replace(row, evidence=("coq", *row.evidence), coq=said) if said else row
        if isinstance(ground, Rests):
            return of_premise(ground, self.verdicts)
        if isinstance(ground, NotCheckable):
            return Found(ground, None, reason=ground.reason)
        instance = self.instances[id(ground)]
        assert isinstance(instance, Found)  # noqa: S101
        return instance

    def _in_coq(self, row: Found) -> Document | None:
        """What Coq says of the theorem that was decided as a whole, asked once; None if it accepts none."""
        theorem = whole_theorem(row.ground) if row.verdict is Verdict.PROVED else None
        if theorem is None or self.formal is None:
            return None
        if id(theorem) not in self.said:
            self.said[id(theorem)] = self.formal(self.checked[id(theorem)])
        said = self.said[id(theorem)]
        names = {"name": said.get("theorem"), "file": f"{said.get('module')}.v", "theorem": theorem.name}
        return {**names, "compared": SECOND_READER, "statement": said.get("statement")} if said["accepted"] else None


class _Items(Listener):
    """Counts obligations, for a progress bar, and keeps every item whose obligations are all decided."""

    def __init__(
        self,
        items: Sequence[Item],
        checked: dict[int, Checked],
        begin: Callable[[int], None],
        arrived: Callable[[], None],
    ) -> None:
        self.items, self.checked, self.begin, self.arrived = items, checked, begin, arrived
        self.rows: dict[int, list[Recalled]] = {}

    def planned(self, number: int, obligations: Sequence[Obligation]) -> None:
        """So many more."""
        self.rows[number] = list(map(Recalled, obligations))
        self.begin(sum(map(len, self.rows.values())))

    def decided(self, number: int, place: int, row: Recalled) -> None:
        """One more."""
        self.rows[number][place] = row
        if all(known.outcome is not None for known in self.rows[number]):
            item = self.items[number]
            self.checked[id(item)] = collected(item, self.rows[number])
        self.arrived()


def _all_grounds(claim: LedgerClaim) -> Iterator[Ground]:
    yield from claim.grounds
    yield from claim.corrected.grounds if claim.corrected else ()
    yield from claim.second


def _usable(claims: Sequence[Filed], refuse: Callable[[str], None]) -> list[Filed]:
    """Those of the files whose claims go together."""
    left = list(claims)
    while (fault := next(_faults(left), None)) is not None:
        refuse(fault[1])
        left = [filed for filed in left if filed.file != fault[0]]
    return left


def _faults(claims: Sequence[Filed]) -> Iterator[tuple[Path, str]]:
    """Files that do not go with those before them, or rest on what is no claim."""
    known, titles = set[str](), dict[str, str]()
    for filed in claims:
        title = titles.setdefault(filed.claim.document, filed.title) or filed.title
        if filed.title not in ("", title):
            yield filed.file, f"{filed.file}: the paper {filed.claim.document!r} has two titles"
        titles[filed.claim.document] = title
        if filed.claim.id in known:
            yield filed.file, f"{filed.file}:{filed.claim.line}: the claim {filed.claim.id} is written twice"
        known.add(filed.claim.id)
    for filed in claims:
        for premise in filed.claim.premises:
            if premise not in known:
                where = f"{filed.file}:{filed.claim.line}: {filed.claim.id}"
                yield filed.file, f"{where} rests on {premise}: no such claim"


def _ordered(claims: Sequence[Filed]) -> list[Filed]:
    """Premises before what rests on them."""
    by_id = {filed.claim.id: filed for filed in claims}
    try:
        return [by_id[n] for n in TopologicalSorter({c: f.claim.premises for c, f in by_id.items()}).static_order()]
    except CycleError as error:
        raise FileError(f"the premises form a circle: {' -> '.join(error.args[1])}") from error


def whole_theorem(ground: Ground) -> Theorem | None:
    """The theorem that the ground is all obligations of, if its bound is in Coq what documents claim; else None.

    That is so with bandit feedback, where both project the weights on the ball. With full information documents
    project them as well, and Coq's game is on the whole space.
    """
    if not isinstance(ground, Obligations) or not isinstance(ground.item, Theorem) or ground.only != "*":
        return None
    theorem = ground.item
    return theorem if theorem.feedback == "bandit" and theorem.regret is not None else None
