"""The two SMT solvers, each in a killable process with a memory limit and a deadline that is obeyed."""

import json
import select
import subprocess
import sys
import time
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

PROGRAM = Path(__file__).with_name("solver_process.py")
NAMES = ("z3", "cvc5")
GRACE = 1.0
START = 20.0


class MissingSolverError(RuntimeError):
    """A required solver is not installed."""


@dataclass(frozen=True)
class Answer:
    """What one solver said: "unsat", "sat" or "unknown" (with the reason); a model is a hint, never a proof."""

    answer: str
    model: dict[str, Fraction] = field(default_factory=dict)
    reason: str = ""


class Solver:
    """One solver process, started when first asked and again after it died or was killed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> subprocess.Popen[bytes]:
        """The running process."""
        if self.process is not None and self.process.poll() is not None:
            self.kill()
        if self.process is None:
            if find_spec(self.name) is None:
                raise MissingSolverError(f"the solver {self.name} is not installed: pip install gaptron brings it")
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(PROGRAM), self.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self.process

    def send(self, text: str, seconds: float) -> str | None:
        """Put a question; None, or why it could not be put."""
        process = self.start()
        assert process.stdin is not None  # noqa: S101
        try:
            process.stdin.write(json.dumps({"text": text, "seconds": seconds}).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return f"{self.name} died"
        return None

    def receive(self, seconds: float) -> Answer:
        """The answer, or "unknown" if the process dies or does not answer in time; then it is killed."""
        line = self._line(time.monotonic() + seconds + GRACE)
        if not line.endswith(b"\n"):
            died = self.process is not None and self.process.poll() is not None
            self.kill()
            return Answer("unknown", reason=f"{self.name} {'died' if died else 'timed out'}")
        found = json.loads(line)
        model = {name: Fraction(value) for name, value in found["model"].items()}
        return Answer(found["answer"], model, f"{self.name} gave up" if found["answer"] == "unknown" else "")

    def _line(self, deadline: float) -> bytes:
        assert self.process is not None  # noqa: S101
        assert self.process.stdout is not None  # noqa: S101
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
            chunk = self.process.stdout.read1(1 << 16) if ready else b""  # type: ignore[attr-defined]
            if not chunk:
                self.process.poll() if not ready else self.process.wait()
                break
            line += chunk
        return line

    def kill(self) -> None:
        """Stop the process at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()
            self.process = None


class Solvers:
    """z3 and cvc5 side by side: every question is put to both."""

    def __init__(self) -> None:
        self.solvers = [Solver(name) for name in NAMES]
        self.warm = False

    def ask(self, text: str, seconds: float) -> dict[str, Answer]:
        """The answers by solver name. Raises MissingSolverError if one is not installed."""
        limit = seconds if self.warm else seconds + START
        errors = [solver.send(text, seconds) for solver in self.solvers]
        answers = {
            solver.name: Answer("unknown", reason=error) if error else solver.receive(limit)
            for solver, error in zip(self.solvers, errors, strict=True)
        }
        self.warm = True
        return answers

    def __enter__(self) -> "Solvers":
        return self

    def __exit__(self, *_: object) -> None:
        for solver in self.solvers:
            solver.kill()
