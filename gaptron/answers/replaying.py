"""``replay``: certificates checked again by a kernel, their statements derived again from the theorems."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from gaptron.kernel import Certificate, Rejected, digest, read_certificate
from gaptron.kernel import replay as replay_certificate
from gaptron.language.rejection import require
from gaptron.system import deadline
from gaptron.system.child import Child, EndedError, Voice
from gaptron.system.documents import Document
from gaptron.system.posix import FORKS, limit_memory
from gaptron.theory.shipped import FileError

LARGEST = 64 << 20
MEMORY = 2 << 30
WAIT = 10  # how many times longer than its processor time a certificate may take on a busy machine


@dataclass(frozen=True)
class ReplayedCertificate:
    """What a certificate file turned out to be: a verdict, or REJECTED, with the reason."""

    file: Path
    verdict: str
    reason: str | None = None
    about: Document | None = None
    certificate: str | None = None

    @property
    def document(self) -> Document:
        """The row of ``replay --json``."""
        return {**asdict(self), "file": str(self.file)}


class Deriver:
    """The process that derives statements, started when it is needed, and again if it died."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = files
        self.child: Child | None = None

    def start(self) -> Child:
        """The process, its files loaded; FileError if one cannot be."""
        if self.child is not None:
            return self.child
        child, at = Child(self._serve), "the shipped theorems"
        try:
            while "ready" not in (message := child.hear(deadline.LOAD_SECONDS + deadline.GRACE) or {"late": True}):
                if "late" in message:
                    child.stop()
                    raise FileError(f"{at}: did not finish loading in {deadline.LOAD_SECONDS:g} seconds")
                at = _unless_refused(message)["loading"]
        except EndedError as ended:
            raise FileError(f"{at}: ended the process while it was loaded ({ended})") from ended
        self.child = child
        return child

    def _serve(self, voice: Voice) -> None:
        from gaptron.checking.derive import serve  # here alone: it imports what theorem files need

        serve(self.files, voice)

    def ask(self, question: Document) -> Document:
        """Its answer; EndedError if it dies of the question, or takes too long."""
        child, self.child = self.start(), None
        child.tell(question)
        answer = child.hear(2 * deadline.PLAN_SECONDS + deadline.GRACE)
        if answer is None:
            child.stop()
            raise EndedError("it took too long")
        self.child = child
        return _unless_refused(answer)

    def stop(self) -> None:
        """End the process."""
        if self.child is not None:
            self.child.stop()


def _unless_refused(message: Document) -> Document:
    if "refused" in message:
        raise FileError(message["refused"])
    return message


def replayed(files: Sequence[Path], deriver: Deriver | None, seconds: float, by_coq: bool) -> list[ReplayedCertificate]:
    """What each of these certificates is; ``deriver`` compares statements, unless there is none.

    ``seconds`` of the processor each may take; with ``by_coq`` the kernel that Coq proves sound is asked.

    Raises
    ------
    FileError
        If there is no coqc that is asked for, its library is broken, or a theorem file cannot be used.
    """
    if by_coq:
        from gaptron.coq.library import coqc  # here alone: the Python kernel needs no Coq

        coqc()
    found = [by_kernel(file, seconds, by_coq) for file in files]
    if by_coq:
        _ask_coq(found, seconds)
    return [_judged(file, one, deriver) for file, one in zip(files, found, strict=True)]


def _judged(file: Path, found: Document, deriver: Deriver | None) -> ReplayedCertificate:
    if "rejected" in found:
        return ReplayedCertificate(file, "REJECTED", found["rejected"])
    about, shown = found["about"], found["certificate"]
    verdict = "PROVED" if found["refutes"] is None else "REFUTED"
    reason = found.get("undecided")
    try:
        if deriver is not None:
            reason = _compared(found, deriver) or reason
    except Rejected as rejected:
        return ReplayedCertificate(file, "REJECTED", str(rejected))
    if deriver is None and reason is None:
        return ReplayedCertificate(file, verdict, "not compared with any theorem", about, shown)
    return ReplayedCertificate(file, verdict if reason is None else "UNDECIDED", reason, about, shown)


def _ask_coq(found: Sequence[Document], seconds: float) -> None:
    """Put what the verified kernel says of the certificates in the place of their computations."""
    from gaptron.coq.verified import LateError, LibraryError, RefusedError, accepted

    asked = [one for one in found if "computations" in one]
    if not asked:
        return
    try:
        answers = iter(accepted([c for one in asked for c in one["computations"].values()], seconds * len(asked)))
    except (LateError, RefusedError) as error:
        for one in asked:
            one["undecided" if isinstance(error, LateError) else "rejected"] = error.sentence
        return
    except LibraryError as error:
        raise FileError(str(error)) from error
    for one in asked:
        refused = [number for number in one["computations"] if not next(answers)]
        if refused:
            what = "proof" if one["refutes"] is None else "refutation"
            one["rejected"] = f"claim {refused[0]}: the verified kernel does not accept its {what}"


def by_kernel(file: Path, seconds: float, by_coq: bool) -> Document:
    """What the kernel says of a certificate, in a process with limits on time and memory on POSIX."""
    try:
        return _heard_of_kernel(file, seconds, by_coq) if FORKS else _saidby_kernel(file, by_coq)
    except Rejected as rejected:
        return {"rejected": str(rejected)}


def _heard_of_kernel(file: Path, seconds: float, by_coq: bool) -> Document:
    child = Child(partial(_kernel, file, seconds, by_coq))
    try:
        found = child.hear(WAIT * (seconds + 1))
    except EndedError as ended:
        late = child.code == -signal.SIGPROF
        raise Rejected(f"took longer than {seconds:g} s" if late else f"ended the process ({ended})") from ended
    finally:
        child.stop()
    if found is None:
        raise Rejected(f"took longer than {seconds:g} s")
    return found


def _kernel(file: Path, seconds: float, by_coq: bool, voice: Voice) -> None:
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    limit_memory(_memory() + MEMORY)
    voice.say(_saidby_kernel(file, by_coq))


def _saidby_kernel(file: Path, by_coq: bool) -> Document:
    try:
        certificate = read_certificate(_text(file))
        said = _computations(certificate) if by_coq else {}
        if not by_coq:
            replay_certificate(certificate)
        data = certificate.data
        parts = {name: data.get(name) for name in ("about", "claims", "refutes")}
        return parts | {"certificate": digest(data)} | said
    except Rejected as rejected:
        return {"rejected": str(rejected)}
    except MemoryError:
        return {"rejected": f"needed more memory than {MEMORY >> 30} GiB"}
    except Exception as error:
        return {"rejected": f"the kernel fails: {type(error).__name__}: {' '.join(str(error).split())}"}


def _computations(certificate: Certificate) -> Document:
    """What Coq is asked of each claim; Rejected if it cannot be asked."""
    from gaptron.coq.verified import UnwrittenError

    computations = {}
    for number, ask in _questions(certificate):
        try:
            computations[number] = ask()
        except UnwrittenError as unwritten:
            reason = f"not accepted by the verified kernel: it has no words for {unwritten}"
            raise Rejected(f"claim {number}: {reason}") from unwritten
        except Rejected as rejected:
            raise Rejected(f"claim {number}: {rejected}") from rejected
    return {"computations": computations}


def _questions(certificate: Certificate) -> Iterator[tuple[int, Callable[[], str]]]:
    """The numbers of the claims that Coq is asked about, and what writes each question."""
    from gaptron.coq.verified import computation, refutation

    if certificate.refutes is not None:
        index, point = certificate.refutes
        yield index + 1, partial(refutation, certificate.claims[index], point)
        return
    proofs = certificate.proofs or ()
    require(len(proofs) == len(certificate.claims), "one proof for every claim")
    for number, (claim, proof) in enumerate(zip(certificate.claims, proofs, strict=True), 1):
        yield number, partial(computation, claim, proof)


def _memory() -> int:
    """The address space that this process has already, where that is known."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _compared(found: Document, deriver: Deriver) -> str | None:
    """None if the statement is that of the theorem; why that is not known; Rejected if it is not."""
    theorem, obligation = (str(found["about"].get(name)) for name in ("theorem", "obligation"))
    try:
        answer = deriver.ask(
            {"theorem": theorem, "obligation": obligation, "refutes": found["refutes"], "claims": found["claims"]}
        )
    except EndedError as ended:
        return f"accepted, but the process that derives its statement from the theorem ended ({ended})"
    if answer["claims"] is None:
        return "accepted, but there is no theorem of that name to compare it with: name its file by --against"
    if answer["claims"] != found["claims"]:
        raise Rejected(f"its statement is not that of the obligation {obligation!r} of the theorem {theorem!r}")
    if answer["objection"] is not None:
        raise Rejected(answer["objection"])
    if answer["theorem"] != theorem:
        found["about"]["stated by"] = answer["theorem"]
    return None


def _text(file: Path) -> str:
    if file.suffix == ".py":
        raise Rejected("a theorem file, not a certificate: gaptron check --certificates DIR writes its certificates")
    try:
        if file.stat().st_size > LARGEST:
            raise Rejected(f"larger than {LARGEST} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Rejected(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Rejected("not text in UTF-8") from error
