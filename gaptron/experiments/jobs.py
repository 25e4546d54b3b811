"""One run of a comparison, and the file of results that an interrupted comparison resumes from."""

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path

from gaptron.experiments.contenders import CONTENDERS, Setting, exploration_of
from gaptron.experiments.curves import error_rates, log_points
from gaptron.experiments.named_streams import ALL, known, opened
from gaptron.streams import SYNTHETIC, Stream, StreamError
from gaptron.streams.errors import one_sentence
from gaptron.system.cluster import answers
from gaptron.system.documents import Document

SILENCE = 3600.0  # a run of many rounds may take long


@dataclass(frozen=True, order=True)
class Job:
    """A learner on a stream: ``exploration`` None is the theory's, ``scale`` multiplies the theory's learning rate.

    Of a stream in a file, ``digest`` is that of its content, and ``label_column`` says where its labels are.
    """

    stream: str
    rounds: int
    learner: str
    exploration: float | None
    scale: float
    seed: int
    digest: str | None = None
    label_column: str | None = None


@dataclass(frozen=True)
class Result:
    """What a job gave: error rates after ``points`` rounds, the exploration rate (None: adaptive), and the time."""

    job: Job
    exploration: float | None
    points: list[int]
    errors: list[float]
    seconds: float

    @property
    def error(self) -> float:
        """The error rate over all rounds."""
        return self.errors[-1]


def digest(name: str) -> str | None:
    """Of the content of a stream's file, if it is in one.

    Raises
    ------
    StreamError
        If it cannot be read.
    """
    if known(name) in ALL:
        return None
    with one_sentence(Path(name)), Path(name).open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=2)
def _stream(name: str, rounds: int, seed: int, content: str | None, label_column: str | None) -> Stream:
    if digest(name) != content:
        raise StreamError(f"{name}: has changed since the comparison began, or is another file here")
    return opened(name, rounds, seed, label_column)


def run_job(job: Job) -> Result:
    """Run one job; synthetic streams are drawn with the job's seed."""
    seed = job.seed if job.stream in SYNTHETIC else 0
    stream = _stream(job.stream, job.rounds, seed, job.digest, job.label_column)
    setting = Setting(stream.n_classes, stream.n_features, stream.feature_norm, stream.n_rounds)
    learner = CONTENDERS[job.learner].build(setting, job.exploration, job.scale, job.seed)
    start = time.perf_counter()
    done = learner.run(stream.X, stream.y)
    seconds = time.perf_counter() - start
    points = log_points(stream.n_rounds)
    return Result(job, exploration_of(learner), points, error_rates(done.wrong, points), round(seconds, 4))


def run_described(job: str) -> str:
    """On a worker of a cluster: the result of a job; both are their fields as JSON."""
    return json.dumps(asdict(run_job(Job(**json.loads(job)))))


def run_there(jobs: Sequence[Job], address: str) -> Iterator[Result]:
    """The results that the workers of a cluster report, as they arrive; there may be fewer than jobs.

    A result says what a worker measured. It is not checked beyond being one of the job that was asked for.
    """
    asked = {json.dumps(asdict(job)): job for job in jobs}
    for key, said in answers(address, run_described, {job: job for job in asked}, SILENCE):
        with suppress(ValueError, TypeError, KeyError):
            result = result_from(json.loads(said))
            if result.job == asked[key]:
                yield result


class Results:
    """The finished jobs of a comparison, a line of JSON each; a line cut off by an interruption is dropped."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.found: dict[Job, Result] = {}
        if file.exists():
            self._read()

    def _read(self) -> None:
        text = self.file.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                result = result_from(json.loads(line))
                self.found[result.job] = result
            except (ValueError, TypeError, KeyError) as error:
                raise StreamError(f"{self.file}:{number}: is not a result of gaptron compare") from error
        if whole != text:
            os.truncate(self.file, len(whole))

    def add(self, result: Result) -> None:
        """Keep a result, at once."""
        self.found[result.job] = result
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(result)) + "\n")
            lines.flush()
            os.fsync(lines.fileno())


def result_from(found: Document) -> Result:
    """From the fields of a result, as JSON has them."""
    return Result(
        Job(**found["job"]), found["exploration"], list(found["points"]), list(found["errors"]), found["seconds"]
    )
