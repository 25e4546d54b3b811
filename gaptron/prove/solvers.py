"""The two SMT solvers, each in a killable process with a memory limit and a deadline that is obeyed."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib.util import find_spec

from gaptron.prove.solver_process import answer_questions
from gaptron.system.child import Child, EndedError

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
        self.child: Child | None = None

    def start(self) -> Child:
        """The running process."""
        if self.child is not None and self.child.is_over():
            self.kill()
        if self.child is None:
            if find_spec(self.name) is None:
                raise MissingSolverError(f"the solver {self.name} is not installed: installing gaptron brings it")
            self.child = Child(partial(answer_questions, self.name))
        return self.child

    def send(self, text: str, seconds: float) -> None:
        """Put a question."""
        self.start().tell({"text": text, "seconds": seconds})

    def receive(self, seconds: float) -> Answer:
        """The answer, or "unknown" if the process dies or does not answer in time; then it is killed."""
        try:
            found, how = self.start().hear(seconds + GRACE), "timed out"
        except EndedError:
            found, how = None, "died"
        if found is None:
            self.kill()
            return Answer("unknown", reason=f"{self.name} {how}")
        model = {name: Fraction(value) for name, value in found["model"].items()}
        return Answer(found["answer"], model, f"{self.name} gave up" if found["answer"] == "unknown" else "")

    def kill(self) -> None:
        """Stop the process at once."""
        if self.child is not None:
            self.child.stop()
            self.child = None


class Solvers:
    """z3 and cvc5 side by side: every question is put to both."""

    def __init__(self) -> None:
        self.solvers = [Solver(name) for name in NAMES]
        self.warm = False

    def ask(self, text: str, seconds: float) -> dict[str, Answer]:
        """The answers by solver name. Raises MissingSolverError if one is not installed."""
        limit = seconds if self.warm else seconds + START
        for solver in self.solvers:
            solver.send(text, seconds)
        answers = {solver.name: solver.receive(limit) for solver in self.solvers}
        self.warm = True
        return answers

    def __enter__(self) -> "Solvers":
        return self

    def __exit__(self, *_: object) -> None:
        for solver in self.solvers:
            solver.kill()
