"""Proofs from the workers of a cluster, which are not trusted.

A worker is given claims in the kernel's language and sends back what may be their proofs. They count once the kernel
has replayed them here, against the claims as they were derived here. What no worker proves is decided here: a worker
that dies, lies or is silent costs time, and no verdict.
"""

import json
import time
from collections.abc import Iterator, Mapping

from gaptron.checking.cache import replayed
from gaptron.checking.recall import proved_by
from gaptron.kernel import Claim, digest, version
from gaptron.prove.certify import certify
from gaptron.prove.proofs import NotFoundError
from gaptron.prove.tasks import Decided, Task
from gaptron.system.cluster import answers

START = 60.0  # seconds until the first worker is at work


def search(question: str) -> str:
    """On a worker: the proofs of some claims as the cache keeps them; nothing if one of them is not found.

    Parameters
    ----------
    question : str
        ``{"claims": [claim, ...], "seconds": limit of each}`` as JSON.
    """
    asked = json.loads(question)
    try:
        return json.dumps({"proofs": [certify(Claim.read(claim), asked["seconds"]) for claim in asked["claims"]]})
    except NotFoundError:
        return ""


def decided_there(tasks: Mapping[int, Task], seconds: float, address: str) -> Iterator[tuple[int, Decided]]:
    """The tasks of which a worker has sent proofs that the kernel accepts here, as they arrive.

    Tasks with the same claims are one question.
    """
    claims = {number: found for number, task in tasks.items() if (found := task.kernel_claims())}
    kernel = version()
    questions: dict[str, str] = {}
    places: dict[str, list[int]] = {}
    for number, asked in claims.items():
        question = json.dumps({"claims": [claim.data for claim in asked], "seconds": seconds})
        key = f"gaptron-{digest([question, kernel])}"
        questions[key] = question
        places.setdefault(key, []).append(number)
    start, silence = time.monotonic(), seconds * max(map(len, claims.values()), default=0)
    for key, said in answers(address, search, questions, silence + START):
        for number in places.pop(key, ()):
            certificate = replayed(said, tasks[number].about, claims[number])
            if certificate is not None and certificate.refutes is None:
                yield number, proved_by(certificate, start)
