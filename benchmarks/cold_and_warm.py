"""Cold and warm ``gaptron check`` of everything shipped, side by side in one run.

Cold: no certificates are kept, everything is searched. Warm: the certificates of the cold run are replayed by the
kernel. Prints the wall time of each, the best of the warm runs, and their ratio.

    python benchmarks/cold_and_warm.py
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WARM_RUNS = 3


def check(cache: Path) -> float:
    """The wall time of one check."""
    start = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "gaptron", "check", "--cache", str(cache)], check=True, stdout=subprocess.DEVNULL
    )
    return time.monotonic() - start


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "certificates.sqlite"
        cold = check(cache)
        warm = [check(cache) for _ in range(WARM_RUNS)]
    print(f"processors {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")
    print(f"cold {cold:.1f} s, warm {min(warm):.1f} s ({', '.join(f'{seconds:.1f}' for seconds in warm)})")
    print(f"cold / warm = {cold / min(warm):.0f}")


if __name__ == "__main__":
    main()
