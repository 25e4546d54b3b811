"""The vocabulary of the audit: a document, its claims, and the grounds on which they are decided.

A claim holds if all of its grounds do, and is refuted if one of them is. Its verdict is computed at every audit; the
recorded one is only what the computed one is compared with.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import flint
import sympy as sp

from gaptron.numbers.evaluate import ball, is_less
from gaptron.system.final import final
from gaptron.theory.items import Item
from gaptron.theory.refusals import TheoremError, hidden, named
from gaptron.theory.theorem import caller_line, check_text

__tracebackhide__ = hidden

if TYPE_CHECKING:
    import numpy as np

IN_LIBRARY = re.compile(r"[A-Z][A-Za-z0-9_]*\.v:[A-Za-z][A-Za-z0-9_]*")
PROOF_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.proof")
DECIDED = ("PROVED", "REFUTED", "UNDECIDED", "NOT-CHECKABLE")
KINDS = {
    "printed": "the document says it",
    "reading": "what the document says, made precise or repaired by us",
    "derived": "not in the document as we have it: a natural derivation of ours",
    "improvement": "not claimed by the document: a sharper statement, or the answer to a question",
}
SEVERITIES = {
    "A": "false as meant",
    "B": "the proof is broken; the statement itself is true, or open",
    "C": "a quotation, comparison or example is wrong",
    "D": "the letter is false, the meaning evident: a misprint or slip",
}
RELATIONS = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "=": operator.eq}
SHARP = {
    "": "best proved",
    "argument": "sharp for this argument",
    "bound": "sharp for every argument",
}


@final
@dataclass(frozen=True)
class Instance:
    """``left relation right`` at one setting, in Fractions or balls.

    Parameters
    ----------
    at : dict of str to anything that prints
        The setting, so that a reader can compute both sides by hand: K, the stream, the comparator, ...
    left, right : rational number or flint.arb
    relation : "<=", "<", ">=", ">" or "="
        What the claim says of them.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from gaptron import Instance
    >>> Instance({"K": 2}, Fraction(1, 2), Fraction(1, 3)).holds
    False
    """

    at: dict[str, Any]
    left: Any
    right: Any
    relation: str = "<="

    def __post_init__(self) -> None:
        if self.relation not in RELATIONS:
            raise TheoremError(f"Instance relation = {self.relation!r} is not one of {', '.join(RELATIONS)}")
        for name in ("left", "right"):
            object.__setattr__(self, name, _exact(getattr(self, name), name))

    @property
    def holds(self) -> bool:
        """Whether the relation holds, certainly; UncertainError if balls cannot tell."""
        if isinstance(self.left, Fraction) and isinstance(self.right, Fraction):
            return bool(RELATIONS[self.relation](self.left, self.right))
        if self.relation in ("<", ">="):
            return is_less(self.left, self.right) == (self.relation == "<")
        if self.relation in ("<=", ">"):
            return is_less(self.right, self.left) == (self.relation == ">")
        return not (is_less(self.left, self.right) or is_less(self.right, self.left))


@final
@dataclass(frozen=True)
class Obligations:
    """Obligations of a theorem or lemma, decided by the prover: those whose name matches ``only`` (*, ? and |).

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Implication, Lemma, Obligations
    >>> a = symbols("a", real=True)
    >>> square = Implication(name="square", statement="2a <= a^2 + 1", given=(), then=2 * a <= a**2 + 1)
    >>> Obligations(Lemma(name="mine", implications=(square,))).only
    '*'
    """

    item: Item
    only: str = "*"

    def __post_init__(self) -> None:
        if type(self.item) not in get_args(Item):
            raise TheoremError(f"Obligations of {self.item!r}: it must be a Theorem or a Lemma")


@final
@dataclass(frozen=True)
class Rests:
    """Another claim, by its identifier, that is a premise: if it is not PROVED, this ground is UNDECIDED.

    Examples
    --------
    >>> from gaptron import Rests
    >>> Rests("gaptron/t2-gap").on
    'gaptron/t2-gap'
    """

    on: str


@final
@dataclass(frozen=True)
class InProof:
    """A claim of a proof file (.proof) beside this file: PROVED if the tree of rules beside it proves what it says now.

    Examples
    --------
    >>> from gaptron import InProof
    >>> InProof("perceptron.proof", "soba/t1").claim
    'soba/t1'
    """

    file: str
    claim: str

    def __post_init__(self) -> None:
        check_text(self.claim, "InProof claim")
        if not isinstance(self.file, str) or not PROOF_FILE.fullmatch(self.file):
            raise TheoremError(f"InProof file = {self.file!r} is not the name of a .proof file beside this one")


@final
@dataclass(frozen=True)
class Breaks:
    """One instance that contradicts the claim: REFUTED if its relation fails, UNDECIDED if it holds after all.

    Examples
    --------
    >>> from gaptron import Breaks, Instance
    >>> Breaks(lambda: Instance({"x": 2}, 2**2, 3)).compute().holds
    False
    """

    compute: Callable[[], Instance]


@final
@dataclass(frozen=True)
class Shows:
    """One instance that proves a claim of existence: PROVED if its relation holds, UNDECIDED if not.

    Examples
    --------
    >>> from gaptron import Instance, Shows
    >>> Shows(lambda: Instance({"x": 1}, 1**2, 1, "=")).compute().holds
    True
    """

    compute: Callable[[], Instance]


@final
@dataclass(frozen=True)
class Resists:
    """Exact instances drawn at random: REFUTED if one fails; otherwise it proves nothing.

    ``draw(rng)`` gives an Instance; the generator is seeded, so that every audit draws the same ones.

    Examples
    --------
    >>> import numpy as np
    >>> from gaptron import Instance, Resists
    >>> drawn = Resists(lambda rng: Instance({}, 0, int(rng.integers(10))), 20)
    >>> drawn.draw(np.random.default_rng(0)).holds
    True
    """

    draw: "Callable[[np.random.Generator], Instance]"
    n_instances: int = 200


@final
@dataclass(frozen=True)
class NotCheckable:
    """Why the claim has no precise version that could be decided.

    Examples
    --------
    >>> from gaptron import NotCheckable
    >>> NotCheckable("it says 'small', and not how small").reason
    "it says 'small', and not how small"
    """

    reason: str


Exact = Breaks | Shows | Resists
Ground = InProof | Obligations | Rests | Breaks | Shows | Resists | NotCheckable


@final
@named
@dataclass(frozen=True, kw_only=True)
class Corrected:
    """What the document should have said, with the grounds that prove it.

    Parameters
    ----------
    statement, tex : str
        In words (ASCII formulas) and in TeX.
    grounds : Ground or tuple of them
        Empty only if the correction needs no proof of its own (a misprint).

    Examples
    --------
    >>> from gaptron import Corrected
    >>> Corrected(statement="eta <= 1/(4 K)").statement
    'eta <= 1/(4 K)'
    """

    statement: str
    tex: str = ""
    grounds: tuple[Ground, ...] = ()

    def __post_init__(self) -> None:
        check_text(self.statement, "Corrected statement")
        object.__setattr__(self, "grounds", _grounds(self.grounds))


@final
@named
@dataclass(frozen=True, kw_only=True)
class Constant:
    """A constant of a bound: the printed one and the best one that the same argument gives.

    Parameters
    ----------
    name : str
        What it is a coefficient of, for example "X^2 ||U||^2".
    printed, best : expressions
        ``best`` is None if it is not known; equal to ``printed`` if the printed one is the best.
    attained : str
        Where the best one is attained, or what is known of it.
    sharp : one of ``SHARP``
        "bound" if nothing smaller is true where ``attained`` says, "argument" if nothing smaller follows this way.
    theorem : str, optional
        The shipped theorem whose best stream (found by attack) is shown beside it.

    Examples
    --------
    >>> from gaptron import Constant
    >>> from gaptron.symbols import K
    >>> Constant(name="X^2 ||U||^2", printed=2 * K + 1, best=2 * K).best
    2*K
    """

    name: str
    printed: Any
    best: Any = None
    attained: str = ""
    theorem: str | None = None
    sharp: str = ""

    def __post_init__(self) -> None:
        if self.sharp not in SHARP:
            raise TheoremError(f"Constant {self.name}: sharp = {self.sharp!r} is not one of {', '.join(SHARP)}")


@final
@partial(named, called="Claim")
@dataclass(frozen=True, kw_only=True)
class LedgerClaim:
    """A statement of a document and what decides it.

    Parameters
    ----------
    id : str
        "document/name", as in ``gaptron explain``.
    source : str
        Document and locator.
    statement, tex : str
        In words (with ASCII formulas), and the formula in TeX; that of a proof file if it is left out.
    grounds : Ground or tuple of them
        All must hold.
    recorded : "PROVED", "REFUTED", "UNDECIDED" or "NOT-CHECKABLE"
        The verdict when the claim was last looked at by a person.
    finding : str
        What there is to know: why it is false, what was meant, whether the print or the scan is wrong.
    corrected : Corrected, optional
        What is true instead; expected where the claim is REFUTED.
    constants : tuple of Constant
    second : Ground or tuple of them
        A second, independent route: grounds that contradict a wrong verdict.
    kind : one of ``KINDS``
        Whose statement it is.
    quote : str
        Verbatim from the document as we have it, long enough to be found; empty for what it does not say.
    severity : one of ``SEVERITIES``, optional
        Of an erratum: the document should be changed here. A claim that is PROVED under a repaired reading may be one.
    cause, patch : str
        Of an erratum: what is wrong, in one line (claims with one cause are one erratum), and the change to make.
    rough : str
        Words by which the document calls the passage rough, verbatim ("roughly"); empty if it does not.
    coq : dict of str to str
        Statements by hand of proofs/coq that say this, together all of it (of a REFUTED claim: that it is false), and
        the theorem that proves each, both "FILE.v:name". ``audit --coq`` asks Coq; it is evidence if
        proofs/coq/compared.toml has the digest of these words and statements.

    The smallest instance of an erratum is a script of its own (``gaptron.ledger.worked``).

    Raises
    ------
    TheoremError
        With the argument, its value and what is allowed.

    Examples
    --------
    >>> from gaptron import Claim, Instance, Shows
    >>> shown = Shows(lambda: Instance({"x": 1}, 1**2, 1, "="))
    >>> one = Claim(id="mine/one", source="page 1", statement="a square is 1", grounds=shown, recorded="PROVED")
    >>> one.kind
    'printed'
    """

    id: str
    source: str
    statement: str
    grounds: tuple[Ground, ...]
    recorded: str
    tex: str = ""
    finding: str = ""
    corrected: Corrected | None = None
    constants: tuple[Constant, ...] = ()
    second: tuple[Ground, ...] = ()
    kind: str = "printed"
    quote: str = ""
    severity: str | None = None
    cause: str = ""
    patch: str = ""
    rough: str = ""
    coq: Mapping[str, str] = field(default_factory=dict)
    line: int = field(init=False, compare=False, repr=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "grounds", _grounds(self.grounds))
        object.__setattr__(self, "second", _grounds(self.second))
        for name in ("id", "source", "statement"):
            check_text(getattr(self, name), name)
        if self.id.count("/") != 1 or not self.id.replace("/", "").replace("-", "").isalnum():
            raise TheoremError(f'id = {self.id!r} is not of the form "document/name" (letters, digits and dashes)')
        if self.recorded not in DECIDED:
            raise TheoremError(f"recorded = {self.recorded!r} is not one of {', '.join(DECIDED)}")
        self._check_erratum()
        self._check_coq()
        if not self.grounds:
            raise TheoremError(f"claim {self.id}: it needs at least one ground")
        object.__setattr__(self, "line", caller_line())

    def _check_erratum(self) -> None:
        """An erratum quotes what it corrects."""
        if self.kind not in KINDS:
            raise TheoremError(f"kind = {self.kind!r} is not one of {', '.join(KINDS)}")
        if self.severity not in (None, *SEVERITIES):
            raise TheoremError(f"severity = {self.severity!r} is not one of {', '.join(SEVERITIES)}")
        if self.severity is not None:
            for name in ("quote", "cause", "patch"):
                check_text(getattr(self, name), f"claim {self.id}, of severity {self.severity}: {name}")
            if self.kind not in ("printed", "reading"):
                raise TheoremError(f"claim {self.id}: severity {self.severity} of what is {self.kind}, not printed")
        if self.rough != "":
            check_text(self.rough, f"claim {self.id}: rough")
            check_text(self.quote, f"claim {self.id}, which is rough: quote")

    def _check_coq(self) -> None:
        """What is decided may name what Coq proves."""
        for name in (name for pair in self.coq.items() for name in pair):
            if not isinstance(name, str) or IN_LIBRARY.fullmatch(name) is None:
                raise TheoremError(f'claim {self.id}: coq names {name!r}, which is not of the form "File.v:name"')
        if self.coq and self.recorded not in DECIDED[:2]:
            raise TheoremError(f"claim {self.id}: coq of what is {self.recorded}")

    @property
    def document(self) -> str:
        """The part of the identifier before the slash."""
        return self.id.split("/")[0]

    @property
    def premises(self) -> tuple[str, ...]:
        """The claims it rests on, its correction's included."""
        grounds = (*self.grounds, *(self.corrected.grounds if self.corrected else ()))
        return tuple(dict.fromkeys(ground.on for ground in grounds if isinstance(ground, Rests)))


@final
@dataclass(frozen=True)
class Paper:
    """The document that claims belong to: reports carry its title.

    Parameters
    ----------
    name : str
        What stands before the slash in the identifiers of its claims (letters, digits and dashes).
    title : str
        As a reference would have it: authors, title, year.

    Raises
    ------
    TheoremError
        With the argument, its value and what is allowed.

    Examples
    --------
    >>> from gaptron import Paper
    >>> Paper("mine", "A. Author, A tilted hinge loss, 2026").name
    'mine'
    """

    name: str
    title: str

    def __post_init__(self) -> None:
        check_text(self.name, "Paper name")
        check_text(self.title, "Paper title")
        if not self.name.replace("-", "").isalnum():
            raise TheoremError(f"Paper name = {self.name!r} is not made of letters, digits and dashes")


def _grounds(value: Any) -> tuple[Ground, ...]:
    grounds = value if isinstance(value, tuple) else (value,)
    for ground in grounds:
        if type(ground) not in get_args(Ground):
            raise TheoremError(f'ground = {ground!r} is no ground, as InProof("FILE.proof", "ID") is one')
    return grounds


def _exact(value: Any, name: str) -> Any:
    """A Fraction or a ball; a float would not be exact."""
    if isinstance(value, flint.arb):
        return ball(value)
    if isinstance(value, (flint.fmpq, sp.Rational)):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise TheoremError(f"Instance {name} = {value!r} is neither a rational number nor a ball")


Claim = LedgerClaim  # as theorem files and gaptron's public names call it
