"""Questions for the workers of a dask cluster: text in, text out, and nothing that they do ends this process.

The connection has a process of its own, which may end as it likes; what a worker says is not trusted here.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from socket import create_connection

from gaptron.system.child import Child, EndedError, Voice
from gaptron.system.exits import warn
from gaptron.system.extras import needs

CONNECT = 10.0
Work = Callable[[str], str]


def why_unusable(address: str) -> str | None:
    """Why the scheduler at an address cannot be asked, or None."""
    if find_spec("distributed") is None:
        return needs("asking it", "distributed")
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        return "the address of a scheduler is tcp://HOST:PORT"
    try:
        create_connection((host.strip("[]"), int(port)), CONNECT).close()
    except (OSError, OverflowError, UnicodeError) as error:
        return f"no scheduler answers there ({error})"
    return None


def answers(address: str, work: Work, questions: Mapping[str, str], silence: float) -> Iterator[tuple[str, str]]:
    """The keys of questions with ``work(question)`` as some worker says it, as they arrive; "" if it fails.

    Parameters
    ----------
    address : str
        Of the scheduler, tcp://HOST:PORT.
    work : function
        Of a module that the workers can import.
    questions : mapping
        By their keys: what has one key is done once, whoever asks for it.
    silence : float
        Seconds without an answer after which nothing more is awaited.
    """
    if not questions:
        return
    child = Child(partial(_ask, address, work, questions))
    try:
        while (message := child.hear(silence)) is not None and "key" in message:
            yield message["key"], message["said"]
        if message is None:
            warn(f"the cluster {address} said nothing for {silence:g} s: going on without it")
    except EndedError as ended:
        warn(f"the connection to the cluster {address} ended ({ended}): going on without it")
    finally:
        child.stop()


def _ask(address: str, work: Work, questions: Mapping[str, str], voice: Voice) -> None:
    """In the child: submit every question, and say each answer as it comes."""
    from distributed import Client, as_completed

    logging.disable()
    with Client(address, timeout=CONNECT) as client:  # type: ignore[no-untyped-call]
        futures = [client.submit(work, question, key=key) for key, question in questions.items()]
        for future in as_completed(futures):  # type: ignore[no-untyped-call]
            (said,) = client.gather([future], errors="skip") or [""]
            voice.say({"key": future.key, "said": said if isinstance(said, str) else ""})
        voice.say({"done": True})
