"""The two SMT solvers, each in a killable process with a memory limit and a deadline that is obeyed.

The process alone imports the solver. A question is {"text": SMT-LIB 2 without check-sat, "seconds": limit}; the answer
is {"answer": "unsat" | "sat" | "unknown", "model": {name: "n/d", ...}}.
"""

import os
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any

from gaptron.system.child import Child, EndedError, Voice
from gaptron.system.posix import limit_memory

MEMORY = 4 << 30
NAMES = ("z3", "cvc5")
GRACE = 1.0
START = 20.0


def ask_z3(text: str, seconds: float) -> tuple[str, dict[str, str]]:
    """z3's answer and model."""
    import z3

    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", int(1000 * seconds))
    solver.from_string(text)
    answer = str(solver.check())
    model = solver.model() if answer == "sat" else []
    return answer, {name.name(): z3_number(model[name]) for name in model}


def z3_number(value: Any) -> str:
    """A model's value as a fraction, close by if it is irrational."""
    import z3

    if z3.is_algebraic_value(value):
        value = value.approx(20)
    return str(value.as_fraction()) if z3.is_rational_value(value) else "0"


def ask_cvc5(text: str, seconds: float) -> tuple[str, dict[str, str]]:
    """cvc5's answer and model."""
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("tlimit-per", str(int(1000 * seconds)))
    solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        printed = command.invoke(solver, symbols)
        if "error" in printed:
            raise ValueError(printed)
    result = solver.checkSat()
    if not result.isSat():
        return ("unsat" if result.isUnsat() else "unknown"), {}
    found = {str(term): solver.getValue(term) for term in symbols.getDeclaredTerms()}
    return "sat", {name: str(value.getRealValue()) for name, value in found.items() if value.isRealValue()}


def answer_questions(name: str, voice: Voice) -> None:
    """In the child: answer until there are no more questions, and say nothing else."""
    limit_memory(MEMORY)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    ask = {"z3": ask_z3, "cvc5": ask_cvc5}[name]
    while (question := voice.hear()) is not None:
        answer, model = ask(question["text"], question["seconds"])
        voice.say({"answer": answer, "model": model})


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
