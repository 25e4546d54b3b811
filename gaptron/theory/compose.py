"""How the steps of an argument combine: what each step needs is looked up, and nothing is derived here.

Relations are compared by the expanded difference of their sides; ``<`` and ``=`` serve where ``<=`` is needed, and what
is evident from the signs that symbols are declared with is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod

import sympy as sp
from sympy.core.relational import Relational

from gaptron.symbols import INTEGERS, Parameter, X, is_integer, sign_of
from gaptron.theory.arguments import (
    Argument,
    Average,
    Cases,
    Cite,
    Derived,
    Let,
    Put,
    Rounds,
    Sentence,
    Step,
    Use,
    When,
)
from gaptron.theory.derived import NAME, needed_and_given
from gaptron.theory.evident import gives, is_defined, is_evident, leave_nothing_out, shape, signs_of
from gaptron.theory.example import counterexample
from gaptron.theory.sentences import EVERY_ROUND, is_of_a_round, put, renamed, symbols_of
from gaptron.theory.theorem import Implication

Arguments = Mapping[str, tuple[Argument, ...]]


class CompositionError(Exception):
    """Why the steps do not combine to the conclusion."""


@dataclass(frozen=True)
class ProofEntry:
    """Something known: which step gave it, and which steps and hypotheses that one needed."""

    what: Sentence
    label: str
    parents: tuple[str, ...]
    at_large: bool = True  # not inside a case


def compose(argument: Argument, others: Arguments) -> tuple[str, ...]:
    """The named facts that the argument uses itself; the claims that it cites have their own.

    Raises
    ------
    CompositionError
        If a step needs what is not known, the conclusion is not reached, a step or a hypothesis is not used, or the
        example is none.
    """
    composer = Composer(argument, others)
    for step in argument.steps:
        composer.take(step)
    composer.check_all_used(composer.all_needed(argument.conclusion, "the conclusion"))
    at_large = [e.what for e in composer.log if e.at_large and isinstance(e.what, Relational)]
    if (failing := counterexample(argument.example, composer.values, at_large)) is not None:
        raise CompositionError(f"the example is none: {failing}")
    return tuple(sorted(composer.facts))


class Composer:
    """What is known so far, and from where."""

    def __init__(self, argument: Argument, others: Arguments) -> None:
        self.argument, self.others = argument, others
        self.known: list[ProofEntry] = []
        self.log: list[ProofEntry] = []
        self.facts: set[str] = set()
        self.values: dict[sp.Symbol, sp.Expr] = {}
        self.in_cases = 0
        self.seen = symbols_of(argument.conclusion)
        for hypothesis in (*argument.hypotheses, *argument.supplied):
            self.add([hypothesis], f"the hypothesis {hypothesis}", [])

    def add(self, what: Sequence[Sentence], label: str, parents: Iterable[str]) -> None:
        """Know something, by a step or a hypothesis of this label."""
        found = [ProofEntry(one, label, tuple(parents), not self.in_cases) for one in what if one != sp.true]
        if any(one == sp.false for one in what):
            raise CompositionError(f"{label} contradicts itself")
        self.seen |= symbols_of(what)
        self.known, self.log = self.known + found, self.log + found

    def needed(self, what: Sentence, who: str) -> str:
        """The label of what gives this; none if it is evident."""
        for entry in reversed(self.known):
            both = isinstance(what, Relational) and isinstance(entry.what, Relational)
            if gives(entry.what, what) if both else entry.what == what:
                return entry.label
        if what == sp.true or (isinstance(what, Relational) and is_evident(what)):
            return ""
        raise CompositionError(f"{who}: nothing gives {what}")

    def all_needed(self, what: Iterable[Sentence], who: str) -> list[str]:
        """The labels of what gives all of these."""
        return [self.needed(one, who) for one in what]

    def stands_for(self, text: str, who: str) -> sp.Symbol:
        """The symbol with this meaning."""
        if text.lstrip("-").isdigit():
            return sp.Integer(text)
        groups = (self.argument.symbols, self.seen, [X])
        for group in groups:
            found = [symbol for symbol in group if self.argument.meaning(symbol) == text]
            if found:
                return min(found, key=str) if group is self.seen else found[0]
        raise CompositionError(f"{who}: no symbol stands for {text}")

    @singledispatchmethod
    def take(self, step: Step) -> None:
        """Look up what the step needs, and know what it gives."""
        raise TypeError(step)

    @take.register
    def _(self, step: Implication) -> None:
        self.add([step.then], step.name, self.all_needed(step.given, step.name))

    @take.register
    def _(self, step: Put) -> None:
        values = {s: sp.sympify(value) for s, value in step.values.items()}
        label = f"{step.step.name} at {', '.join(f'{s} = {v}' for s, v in values.items())}"
        if any(is_integer(s) or isinstance(s, Parameter) for s in values):
            raise CompositionError(f"{label}: an integer or a parameter is replaced")
        parents = self.all_needed([*(r.xreplace(values) for r in step.step.given), *signs_of(values)], label)
        self.add([step.step.then.xreplace(values)], label, parents)

    @take.register
    def _(self, step: Let) -> None:
        label, value = f"{step.symbol} = {step.value}", sp.sympify(step.value)
        if step.symbol in self.seen | value.free_symbols:
            raise CompositionError(f"the definition {label}: the symbol is not new")
        if not is_defined(value):
            raise CompositionError(f"the definition {label}: it may divide by 0")
        parents = self.all_needed(signs_of({step.symbol: value}), label)
        self.values[step.symbol] = value
        self.add([sp.Eq(step.symbol, value, evaluate=False)], label, parents)

    @take.register
    def _(self, step: Use) -> None:
        fact, label = step.fact, f"{step.fact.name} ({', '.join(step.objects.values())})"
        needs, reads = fact.at(step.objects)
        values = {s: self.stands_for(text, label) for s, text in reads.items()}
        given = [*needs, *(r.xreplace(values) for r in fact.given), *signs_of(values)]
        self.facts.add(fact.name)
        self.add([fact.then.xreplace(values)], label, self.all_needed(given, label))

    @take.register
    def _(self, step: Cite) -> None:
        if isinstance(step.on, Argument):
            label, found = step.on.name, [step.on]
            self.facts.update(compose(step.on, self.others))
        else:
            label = f"{step.on} {step.part}".strip()
            found = [a for a in self.others.get(step.on, ()) if step.part in ("", a.name)]
        if len(found) != 1:
            raise CompositionError(f"{label}: {len(found)} arguments of this name")
        cited = found[0]
        stated = symbols_of((*cited.hypotheses, *cited.supplied, *cited.conclusion))
        values = {s: self.stands_for(renamed(cited.meaning(s), step.objects), label) for s in sorted(stated, key=str)}
        if narrower := [s for s, value in values.items() if not _ranges_over(s, value)]:
            raise CompositionError(f"{label}: {narrower[0]} is not any number, {values[narrower[0]]} may be")
        needs = [put(h, values, step.objects) for h in (*cited.hypotheses, *cited.supplied)]
        parents = self.all_needed([*needs, *signs_of(values)], label)
        self.add([put(c, values, step.objects) for c in cited.conclusion], label, parents)

    @take.register
    def _(self, step: Derived) -> None:
        label = f"{step.theorem.name}: {step.only}"
        needs, given = needed_and_given(step, self.argument.symbols)
        self.facts.add(NAME)
        self.add(given, label, self.all_needed(needs, label))

    @take.register
    def _(self, step: Cases) -> None:
        label = "cases " + ", ".join(map(str, step.cases))
        if not leave_nothing_out(step.cases):
            raise CompositionError(f"{label}: they may leave something out")
        before, parents = self.known, list[str]()
        self.in_cases += 1
        for case, steps in step.cases.items():
            named = f"the case {case}"
            self.add([case], named, [])
            for entry in self.known:
                if isinstance(entry.what, When) and entry.what.case == case:
                    self.add(entry.what.then, f"{entry.label} in {named}", [entry.label, named])
            for one in steps:
                self.take(one)
            parents += self.all_needed(step.then, named)
            self.known = before
        self.in_cases -= 1
        self.add(step.then, label, parents)

    @take.register
    def _(self, step: Average) -> None:
        label, d = f"the mean of {step.of}", shape(step.of)[1]
        self.check_fixed(step.fixed, label)
        extra = step.of.free_symbols - set(step.means) - set(step.fixed)
        if extra or not d.is_polynomial(*step.means) or sp.Poly(d, *step.means).total_degree() > 1:
            raise CompositionError(f"{label}: not linear in what is averaged, or {extra or 'nothing'} varies")
        for symbol, mean in step.means.items():
            same = sign_of(mean) in (None, sign_of(symbol))
            if not same or self.argument.meaning(mean) != f"E[{self.argument.meaning(symbol)}]":
                raise CompositionError(f"{label}: {mean} does not stand for E[{self.argument.meaning(symbol)}]")
        self.add([step.of.xreplace(dict(step.means))], label, [self.needed(step.of, label)])

    @take.register
    def _(self, step: Rounds) -> None:
        label = f"all rounds, {step.step.name}"
        start, after = ({s: sp.sympify(pair[i]) for s, pair in step.state.items()} for i in (0, 1))
        self.check_fixed(step.fixed, label)
        spoken = [step.invariant.free_symbols - set(step.state), *(v.free_symbols for v in start.values())]
        if not set().union(*spoken) <= set(step.fixed) or set(step.fixed) & set(step.state):
            raise CompositionError(f"{label}: the invariant or the start speaks of a round")
        assumed = [h for h in (*self.argument.hypotheses, *self.argument.supplied) if not is_of_a_round(h)]
        if symbols_of(assumed) & set(step.state):
            raise CompositionError(f"{label}: a hypothesis speaks of the state, of which round?")
        parents = self.all_needed([step.invariant.xreplace(start), *signs_of(start)], f"{label}, before the first")
        before = self.known
        self.add([step.invariant], f"{label}, so far", [])
        for entry in before:
            if isinstance(entry.what, When) and entry.what.case == EVERY_ROUND:
                self.add(entry.what.then, f"{entry.label}, ", [entry.label])
        for one in (*step.before, step.step):
            self.take(one)
        parents += self.all_needed([step.invariant.xreplace(after), *signs_of(after)], f"{label}, one more")
        self.known = [e for e in before if not symbols_of([e.what]) - set(step.fixed)]
        self.add([step.invariant], label, parents)

    def check_fixed(self, fixed: Iterable[sp.Symbol], label: str) -> None:
        """What is defined by something else is fixed only if that is."""
        for symbol in fixed:
            if not self.values.get(symbol, sp.S.Zero).free_symbols <= set(fixed):
                raise CompositionError(f"{label}: {symbol} is not fixed")

    def check_all_used(self, ends: Iterable[str]) -> None:
        """Every step and every hypothesis is needed for the conclusion."""
        parents: dict[str, set[str]] = {}
        for entry in self.log:
            parents.setdefault(entry.label, set()).update(entry.parents)
        waiting, used = list(ends), set[str]()
        while waiting:
            label = waiting.pop()
            if label not in used:
                used.add(label)
                waiting += parents.get(label, ())
        for label in parents:
            if label not in used and "the case " not in label and not label.endswith("so far"):
                raise CompositionError(f"{label} is not used")


def _ranges_over(symbol: sp.Symbol, value: sp.Expr) -> bool:
    """Whether a symbol may be this, beside its sign: K, T, d and parameters themselves only, integers integers."""
    if symbol in INTEGERS or isinstance(symbol, Parameter):
        return bool(symbol == value)
    return not is_integer(symbol) or value in INTEGERS or bool(value.is_integer)
