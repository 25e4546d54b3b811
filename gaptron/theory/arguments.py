"""The vocabulary of whole proofs: an argument is hypotheses, steps and a conclusion.

A symbol of an argument stands for what ``symbols`` says, in the words of the statement ("||W - U||^2"); the rest stand
for themselves. A hypothesis is a relation between symbols, or a sentence ("l is convex") that named facts ask for. How
the steps combine is checked by ``gaptron.theory.compose``, which matches and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import sympy as sp
from sympy.core.relational import Relational

from gaptron.system.final import final
from gaptron.theory.expressions import TheoremError, hidden
from gaptron.theory.theorem import Implication, Lemma, Theorem, caller_line, check_text

__tracebackhide__ = hidden

if TYPE_CHECKING:
    from gaptron.theory.facts import Fact  # a file that uses a fact imports it

Sentence: TypeAlias = Relational | str
SENTENCE = (Relational, str)


@final
@dataclass(frozen=True)
class Let:
    """A definition: ``symbol`` is new and equals ``value``, which must be defined and of the symbol's sign.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Let
    >>> x, y = symbols("x y", real=True)
    >>> Let(y, x**2)
    Let(symbol=y, value=x**2)
    """

    symbol: sp.Symbol
    value: sp.Expr


@final
@dataclass(frozen=True)
class Put:
    """An implication for other symbols: each one in ``values`` is replaced.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Implication, Put
    >>> a, b = symbols("a b", real=True)
    >>> squares = Implication(name="squares", statement="2ab <= a^2 + b^2", given=(), then=2 * a * b <= a**2 + b**2)
    >>> sorted(map(str, Put(squares, {b: 1}).values))
    ['b']
    """

    step: Implication
    values: Mapping[sp.Symbol, Any]


@final
@dataclass(frozen=True)
class Use:
    """An instance of a named fact: ``objects`` are the names of its vectors, functions, numbers.

    Examples
    --------
    >>> from gaptron import Use
    >>> from gaptron.theory.facts import CAUCHY_SCHWARZ
    >>> Use(CAUCHY_SCHWARZ, {"a": "u", "b": "v"}).objects
    {'a': 'u', 'b': 'v'}
    """

    fact: "Fact"
    objects: Mapping[str, str]


@final
@dataclass(frozen=True)
class Cite:
    """The conclusion of another argument, of a claim by its identifier or itself, with other names for its objects.

    Its hypotheses must be known, and its symbols stand here for what they stand for there, under the new names.
    ``part`` names one argument of a claim that has several.

    Examples
    --------
    >>> from gaptron import Cite
    >>> Cite("gaptron/lemma1", {"W": "V"}).on
    'gaptron/lemma1'
    """

    on: "str | Argument"
    objects: Mapping[str, str] = field(default_factory=dict)
    part: str = ""


@final
@dataclass(frozen=True)
class Derived:
    """What the obligations of a theorem give, as ``gaptron.obligations`` derives them: those that match ``only``.

    "gap*" gives that the surrogate gap is at most 0, "loss/*" that the loss is convex and not negative, "gap map/*"
    that the gap map is a probability, "learning rate/sharp" that a learning rate with which the largest surrogate gap
    is at most 0 is no larger, and, with bandit feedback, "regret" that if the claimed excess is less than T, then
    D^2/(2 eta) + gamma T (K - 1)/K is at most that.

    Examples
    --------
    >>> from gaptron import Derived
    >>> from gaptron.theory.files import load
    >>> from gaptron.theory.shipped import shipped_files
    >>> (file,) = [file for file in shipped_files() if file.stem == "theorem3_smooth_hinge"]
    >>> theorem = next(filed.item for filed in load(file))
    >>> Derived(theorem, "gap*").only
    'gap*'
    """

    theorem: Theorem
    only: str


@final
@dataclass(frozen=True)
class When:
    """A hypothesis that is there in one case only; in the case "in every round" it may speak of a state of Rounds.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import When
    >>> x = symbols("x", real=True)
    >>> When("the label is right", (x >= 0,)).case
    'the label is right'
    """

    case: Sentence
    then: tuple[Relational, ...]


@final
@dataclass(frozen=True)
class Cases:
    """One conclusion from each of several cases, which leave nothing out.

    Sentences leave nothing out if the second is the first after "not ". Each case has its own steps.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Cases, Implication
    >>> x = symbols("x", real=True)
    >>> low = Implication(name="low", statement="x below 0", given=(x <= 0,), then=-x <= x**2 + 1)
    >>> high = Implication(name="high", statement="x above 0", given=(x >= 0,), then=-x <= x**2 + 1)
    >>> list(Cases({x <= 0: (low,), x >= 0: (high,)}, (-x <= x**2 + 1,)).cases)
    [x <= 0, x >= 0]
    """

    cases: Mapping[Sentence, "tuple[Step, ...]"]
    then: tuple[Relational, ...]


@final
@dataclass(frozen=True)
class Average:
    """The mean of a relation over what is drawn: it is linear in what ``means`` replaces, and the rest is ``fixed``.

    A symbol that stands for X is replaced by one that stands for E[X].

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Average
    >>> loss, mean_loss = symbols("loss mean_loss", nonnegative=True)
    >>> Average(loss <= 2, {loss: mean_loss}).means
    {loss: mean_loss}
    """

    of: Relational
    means: Mapping[sp.Symbol, sp.Symbol]
    fixed: tuple[sp.Symbol, ...] = ()


@final
@dataclass(frozen=True)
class Rounds:
    """Induction over the rounds: what is known of a round, known of every round.

    Parameters
    ----------
    invariant : relation
        It holds before the first round, and after a round if it holds before it.
    state : dict of symbol to (expression, expression)
        What each symbol is before the first round, and after a round.
    step : Implication
        From the invariant and what is known of the round to the invariant after the round.
    fixed : tuple of symbols
        Those that do not change from round to round.
    before : tuple of Step
        Steps of a round that need what holds in every round of the state.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Implication, Rounds
    >>> total, one, T = symbols("total one T", nonnegative=True)
    >>> step = Implication(name="one more", statement="a sum", given=(total <= T, one <= 1), then=total + one <= T + 1)
    >>> Rounds(invariant=total <= T, state={total: (0, total + one), T: (0, T + 1)}, step=step).state
    {total: (0, one + total), T: (0, T + 1)}
    """

    invariant: Relational
    state: Mapping[sp.Symbol, tuple[Any, Any]]
    step: Implication
    fixed: tuple[sp.Symbol, ...] = ()
    before: "tuple[Step, ...]" = ()


Step = Implication | Let | Put | Use | Cite | Derived | Cases | Average | Rounds


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Argument:
    """A proof as one object.

    Parameters
    ----------
    name : str
    setting : str
        What the statement is about, in words; the formulas of the statement are written from the relations.
    hypotheses : tuple of relations, sentences and When
        What the document assumes.
    supplied : tuple of relations and sentences
        What it does not assume and the proof takes for granted: the claim is proved in ``steps`` only.
    steps : tuple of Step
        Each hypothesis of a step is a hypothesis of the argument or the conclusion of an earlier step.
    conclusion : relation, sentence, or tuple of them
    symbols : dict of symbol to str
        What it stands for. No two stand for the same.
    example : dict of symbol to number
        A point at which all hypotheses, and all that facts and other claims give, hold.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Argument, Implication
    >>> a, b = symbols("a b", real=True)
    >>> squares = Implication(name="squares", statement="2ab <= a^2 + b^2", given=(), then=2 * a * b <= a**2 + b**2)
    >>> Argument(name="mean", setting="Two numbers", steps=(squares,), conclusion=squares.then).implications[0].name
    'squares'
    """

    name: str
    setting: str
    conclusion: tuple[Sentence, ...]
    steps: tuple[Step, ...]
    hypotheses: tuple[Sentence | When, ...] = ()
    supplied: tuple[Sentence, ...] = ()
    symbols: Mapping[sp.Symbol, str] = field(default_factory=dict)
    example: Mapping[sp.Symbol, Any] = field(default_factory=dict)
    line: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        check_text(self.name, "Argument name")
        check_text(self.setting, "Argument setting")
        if any(sign in self.setting for sign in "<>="):
            raise TheoremError(f"setting = {self.setting!r} holds a formula: write it as a hypothesis or a conclusion")
        conclusion = self.conclusion if isinstance(self.conclusion, tuple) else (self.conclusion,)
        object.__setattr__(self, "conclusion", conclusion)
        if not conclusion or not all(isinstance(c, SENTENCE) for c in conclusion):
            raise TheoremError(f"conclusion = {self.conclusion!r} is not a relation or a tuple of them")
        if not self.steps or not all(type(step) in get_args(Step) for step in self.all_steps):
            raise TheoremError(f"Argument {self.name}: steps is not a non-empty tuple of steps")
        if len(set(self.symbols.values())) < len(self.symbols):
            raise TheoremError(f"Argument {self.name}: two symbols stand for the same")
        if len({id(step.theorem) for step in self.derived}) > 1:
            raise TheoremError(f"Argument {self.name}: obligations of two theorems, whose losses are both called l")
        object.__setattr__(self, "line", caller_line())

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps, those of cases included."""
        return tuple(inner for step in self.steps for inner in _with_inner(step))

    @property
    def inner(self) -> "tuple[Argument, ...]":
        """The arguments it cites that are no claims of their own, and those that they cite."""
        own = [step.on for step in self.all_steps if isinstance(step, Cite) and isinstance(step.on, Argument)]
        return tuple(dict.fromkeys(one for argument in own for one in (*argument.inner, argument)))

    @property
    def implications(self) -> tuple[Implication, ...]:
        """What is to be proved, each once."""
        found = {}
        for step in (step for argument in (*self.inner, self) for step in argument.all_steps):
            one = step.step if isinstance(step, (Put, Rounds)) else step
            if isinstance(one, Implication):
                found[one.name] = one
        return tuple(found.values())

    @property
    def lemma(self) -> Lemma | None:
        """The steps that are implications, as a lemma of the same name; None if there are none."""
        return Lemma(name=self.name, implications=self.implications) if self.implications else None

    @property
    def derived(self) -> tuple[Derived, ...]:
        """The obligations of theorems that it rests on."""
        steps = (step for argument in (*self.inner, self) for step in argument.all_steps)
        return tuple(step for step in steps if isinstance(step, Derived))

    @property
    def cited(self) -> tuple[str, ...]:
        """The claims it rests on."""
        steps = [step for argument in (*self.inner, self) for step in argument.all_steps]
        return tuple(dict.fromkeys(s.on for s in steps if isinstance(s, Cite) and isinstance(s.on, str)))

    def meaning(self, symbol: sp.Symbol) -> str:
        """What a symbol stands for."""
        return self.symbols.get(symbol, symbol.name)


def stated(implication: Implication, setting: str, example: Mapping[sp.Symbol, Any], **more: Any) -> Argument:
    """The argument of one step: what the implication says is the statement. ``more`` are arguments of Argument.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Implication, stated
    >>> a, b = symbols("a b", real=True)
    >>> squares = Implication(name="squares", statement="2ab <= a^2 + b^2", given=(), then=2 * a * b <= a**2 + b**2)
    >>> stated(squares, "Two numbers", {a: 1, b: 1}).conclusion
    (2*a*b <= a**2 + b**2,)
    """
    return Argument(
        name=implication.name,
        setting=setting,
        hypotheses=implication.given,
        steps=(implication,),
        conclusion=implication.then,
        example=example,
        **more,
    )


def _with_inner(step: Step) -> tuple[Step, ...]:
    if isinstance(step, Rounds):
        return (step, *(inner for one in step.before for inner in _with_inner(one)))
    if not isinstance(step, Cases):
        return (step,)
    return (step, *(inner for steps in step.cases.values() for one in steps for inner in _with_inner(one)))
