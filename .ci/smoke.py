"""What works on every system: import, a theorem, a learner, a run, and the replay of the certificates given."""

import runpy
import subprocess
import sys
from pathlib import Path

import gaptron

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "squared_hinge.py"


def main(certificates: list[str]) -> None:
    """Raise an exception if something does not."""
    theorem = runpy.run_path(str(EXAMPLE))["squared_hinge"]
    learner = gaptron.Gaptron(n_classes=3, n_features=2, loss=theorem)
    assert learner.run([[1, 0], [0, 1], [1, 0]], [2, 1, 2]).expected_mistakes > 0
    verbs = [["run", "synsep", "--rounds", "50", "--loss", str(EXAMPLE)], ["replay", "--kernel-only", *certificates]]
    for verb in verbs:
        subprocess.run([sys.executable, "-m", "gaptron", *verb], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
