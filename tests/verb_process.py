"""A verb in a process of its own: a fork of a server that has imported what the verbs import.

The fork imports this file and nothing else of the tests, so that it has no more to do than the verb has.
"""

import os
import sys
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import NamedTemporaryFile

VERBS = ("attack", "audit", "cli", "compare", "explain", "export", "new", "plot", "replay", "run", "sharpen")
THEIRS = (  # what they import when it is needed
    "checking.host",
    "checking.workers",
    "ledger.recomputation",
    "ledger.html",
    "reports.check_report",
    "plots.image",
    "prove.search",
    "constants.report",
)
IMPORTED = [*(f"gaptron.commands.{verb}" for verb in VERBS), *(f"gaptron.{module}" for module in THEIRS)]


def forked(
    arguments: list[str], cwd: Path, environment: dict[str, str], folder: Path, seconds: float
) -> CompletedProcess[str]:
    """What ``gaptron ARGUMENTS`` did; what it prints goes through files in ``folder``."""
    context = get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    with NamedTemporaryFile("r", dir=folder) as out, NamedTemporaryFile("r", dir=folder) as err:
        process = context.Process(target=_main, args=(arguments, cwd, environment, out.name, err.name))
        process.start()
        process.join(seconds)
        if process.exitcode is None:
            process.kill()
            raise TimeoutError(f"gaptron {arguments} took more than {seconds} seconds")
        return CompletedProcess(arguments, process.exitcode, out.read(), err.read())


def _main(arguments: list[str], cwd: Path, environment: dict[str, str], out: str, err: str) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for descriptor, file in ((1, out), (2, err)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_APPEND), descriptor)
    sys.argv = ["gaptron", *arguments]
    import_module("gaptron.commands.cli").main(prog_name="gaptron")
