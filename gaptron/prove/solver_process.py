"""One SMT solver in a process of its own, which can be killed at any time and alone imports the solver.

A question is {"text": SMT-LIB 2 without check-sat, "seconds": limit}; the answer is
{"answer": "unsat" | "sat" | "unknown", "model": {name: "n/d", ...}}.
"""

import os
from typing import Any

from gaptron.system.child import Voice
from gaptron.system.posix import limit_memory

MEMORY = 4 << 30


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
