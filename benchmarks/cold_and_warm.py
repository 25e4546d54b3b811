"""Cold and warm ``gaptron check`` of what is shipped, side by side in one run: of the first release, and of the rest.

Cold: no certificates are kept, everything is searched. Warm: the certificates of the cold run are replayed by the
kernel. Prints the wall and the processor seconds of each, the best of the warm runs, and the ratio of the walls. The
first release are the files of the documents and the losses that were shipped in it, with what they got since.

    python benchmarks/cold_and_warm.py
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gaptron.theory.shipped import shipped_files

WARM_RUNS = 3
DOCUMENTS = ("gaptron", "slides", "blog", "soba", "notes")
LOSSES = (
    "bandit_best_rates",
    "hinge_best_map",
    "logistic_best_decoder",
    "logistic_best_map",
    "weighted_hinge_best_decoder",
)


def check(files: Sequence[Path], cache: Path) -> tuple[float, float, int]:
    """The wall and processor seconds of one check, and how many theorems it had."""
    start, before = time.monotonic(), os.times()
    command = [sys.executable, "-m", "gaptron", "check", "--json", "--cache", str(cache), *map(str, files)]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    after, wall = os.times(), time.monotonic() - start
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, used, len(json.loads(said)["theorems"])


def report(title: str, files: Sequence[Path]) -> None:
    """Measure some files, and print."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "certificates.sqlite"
        cold, cold_used, count = check(files, cache)
        warm, warm_used, _ = min(check(files, cache) for _ in range(WARM_RUNS))
    print(
        f"{title}, {count} theorems: cold {cold:.1f} s ({cold_used:.1f} of processors), "
        f"warm {warm:.1f} s ({warm_used:.1f}), cold / warm = {cold / warm:.0f}",
        flush=True,
    )


def is_first(file: Path) -> bool:
    """Whether it is one of the first release."""
    return file.parent.name in DOCUMENTS or (file.parent.name == "new" and file.stem in LOSSES)


def main() -> None:
    """Measure and print."""
    files = shipped_files()
    report("first release", [file for file in files if is_first(file)])
    report("newer", [file for file in files if not is_first(file)])
    report("everything", files)
    print(f"processors {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
