"""Where the time of the verbs goes: processor seconds of whole processes, of imports, and of the steps of a warm check.

Processor seconds, since a wall clock measures what else the machine does. The steps are those of ``gaptron check`` in
one process: loading files, deriving obligations, then what is left; each with the functions of ours that took longest,
what they call included. A profiler makes them up to ten times as long: they are to be compared with each other.

    python benchmarks/where_time_goes.py [--quick] > benchmarks/where_time_goes.txt
"""

import cProfile
import os
import pstats
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

MINE = Path("examples/squared_hinge.py")
REFUSED = (["audit", "--only", "nothing"], ["explain", "zzz"], ["run", "nothere.csv"])
WHOLE = (["check"], ["audit"])
SHOWN = 12


def seconds(arguments: list[str], folder: Path) -> float:
    """What a whole process and its children take, certificates kept in ``folder``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"GAPTRON_CACHE": str(folder / "certificates.sqlite")}
    subprocess.run([sys.executable, "-m", "gaptron", *arguments], capture_output=True, check=False, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def imports(module: str) -> Iterator[tuple[str, float]]:
    """The packages that importing a module imports, with their own seconds, the slowest first."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    own: Counter[str] = Counter()
    for micro, name in re.findall(r"import time: +(\d+) \| +\d+ \| +([\w.]+)", said):
        own[".".join(name.split(".")[: 2 if name.startswith("gaptron") else 1])] += int(micro)
    yield from ((name, micro / 1e6) for name, micro in own.most_common(SHOWN))


def functions(work: Callable[[], object]) -> Iterator[tuple[float, str]]:
    """The functions of ours that took longest, what they call included."""
    profile = cProfile.Profile(process_time)
    profile.runcall(work)
    stats = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    rows = (
        (row[3], f"{file.split('gaptron/')[-1]}:{name}") for (file, _, name), row in stats.items() if "gaptron/" in file
    )
    yield from sorted(rows, reverse=True)[:SHOWN]


def steps(files: list[Path], folder: Path) -> None:
    """Print where loading, deriving and replaying spend their time."""
    from gaptron.checking.cache import Cache
    from gaptron.checking.checker import check
    from gaptron.checking.recall import plan
    from gaptron.theory.files import load

    cache = Cache(folder / "certificates.sqlite", print)
    items = []
    for title, work in (
        ("loading", lambda: items.extend(s.item for file in files for s in load(file))),
        ("deriving obligations", lambda: [plan(item) for item in items]),
        ("all of a warm check", lambda: check(items, 10, 1, cache=cache)),
    ):
        print(f"\n{title}: {len(files)} files")
        for spent, name in functions(work):
            print(f"{spent:8.2f}  {name}")


def main() -> None:
    """Measure and print."""
    quick = "--quick" in sys.argv
    with TemporaryDirectory() as name:
        folder = Path(name)
        verbs = [*REFUSED, ["check", str(MINE)], *([] if quick else WHOLE)]
        print(f"{'processor seconds':>20s} {'again':>8s}")
        for arguments in verbs:
            first, again = seconds(arguments, folder), seconds(arguments, folder)
            print(f"{first:20.2f} {again:8.2f}  gaptron {' '.join(arguments)}", flush=True)
        for module in ("gaptron.commands.cli", "gaptron.theory.files", "gaptron.experiments.runs"):
            print(f"\nimport {module}")
            for package, spent in imports(module):
                print(f"{spent:8.2f}  {package}")
        from gaptron.theory.shipped import shipped_files

        steps([MINE] if quick else shipped_files(), folder)


if __name__ == "__main__":
    main()
