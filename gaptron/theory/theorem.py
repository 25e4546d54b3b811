"""The vocabulary of theorem files: Theorem (a loss, a gap map, their parameters) and Lemma (implications)."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, ClassVar

import sympy as sp
from sympy.core.relational import Relational

from gaptron import symbols
from gaptron.door.reading import RELATION_OF, SIGNS, read
from gaptron.language.expressions import Expression
from gaptron.language.theorems import TheoremData
from gaptron.numbers.evaluate import is_positive
from gaptron.symbols import D, K, Parameter, T, X, gamma, is_integer, is_understood, m, p, sign_of
from gaptron.system.final import final
from gaptron.system.printable import between
from gaptron.theory import registry
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import OF_ALL_SCORES, BinaryLoss, Loss, MarginLoss, SoftmaxLoss, check_loss
from gaptron.theory.refusals import Readings, TheoremError, hidden, named
from gaptron.theory.tex import aligned, classes_tex, expression_tex, loss_tex, regret_tex
from gaptron.theory.user_expressions import check_names, check_nodes, expression, readings, value_at, without_decimals
from gaptron.theory.verdict import Verdict

__tracebackhide__ = hidden

SAMPLED_CLASSES = 40
NO_MIXTURE = GapMap(sp.S.Zero)


@final
@named
@dataclass(frozen=True, kw_only=True)
class Contact:
    """A round at which the surrogate gap is exactly zero and the gradient is not: no larger learning rate will do.

    Parameters
    ----------
    right : bool
        Whether the top label is the true one.
    margin : expression in K
        The margin of the true label (z times the label for a BinaryLoss).
    top_margin : expression in K, optional
        The top margin on a wrong round; minus ``margin`` by default, as it must be for two classes.

    Examples
    --------
    >>> from gaptron import Contact
    >>> from gaptron.symbols import K
    >>> Contact(right=True, margin=1 / K).margin
    1/K
    """

    right: bool
    margin: sp.Expr
    top_margin: sp.Expr | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.right, bool):
            raise TheoremError(f"Contact right = {self.right!r} is neither True nor False")
        object.__setattr__(self, "margin", expression(self.margin, "Contact margin", (K,)))
        top = self.margin if self.right else -self.margin
        top = expression(top if self.top_margin is None else self.top_margin, "Contact top_margin", (K,))
        object.__setattr__(self, "top_margin", top)


@final
@named
@dataclass(frozen=True, kw_only=True)
class Theorem:
    """A mistake bound by the surrogate gap: a loss, a prediction, and the learning rate and regret claimed for them.

    It says that E[mistakes] <= sum of the losses of U + regret X^2 ||U||^2 for every comparator U and every K claimed,
    which ``gaptron check`` proves. REFUTED is this bound, by a stream, or only a condition of its proof: it says which.

    Parameters
    ----------
    name : str
        Shown in every report.
    loss : MarginLoss, SoftmaxLoss or BinaryLoss
        The surrogate loss of a round.
    gap_map : GapMap
        How much of the prediction is uniform; left out with ``decoder="best"``.
    learning_rate : expression in K, optional
        eta in units of 1/X^2; with bandit feedback written out in full, in K, X, D, T and gamma.
    regret : expression in K, optional
        Claimed coefficient of X^2 ||U||^2; with bandit feedback the whole excess, in K, X, D, T.
    source : str, optional
        Document and equation.
    classes : int or range, optional
        The numbers of classes claimed; every integer K >= 2 by default.
    feedback : "full" or "bandit"
    exploration : expression in K, X, D, T
        The exploration rate gamma; bandit feedback only, and required there.
    abstention_cost : expression in K, optional
        c, if with probability a the learner abstains at this cost instead of guessing, which costs (K - 1)/K.
    decoder : "gap map" or "best"
        Whether the top label is mixed with uniform by the gap map, or every label k gets the probability
        max(0, 1 - loss_k + (eta/2) ||g_k||^2) and the top label what is left; full information only.
    update : "gradient" or "proximal"
        Whether the learner takes a gradient step, or W+ = argmin_V loss(V) + c X^2 ||V - W||^2 with c = ``regret``;
        then there is no learning rate, ``decoder="best"`` (which a loss of all scores need not say), and the loss that
        counts is the whole envelope of the step.
    sharp_at : Contact, optional
        Where the learning rate is claimed to be the largest for this gap map; margin and binary losses with full
        information.
    expect : "PROVED", "REFUTED" or "UNDECIDED"
        The verdict with which a check of this file passes; no part of what is claimed.

    A ``gaptron.symbols.Parameter`` may stand in every expression; the theorem is claimed for its whole range.

    Raises
    ------
    TheoremError
        With the argument, its value and what is allowed.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> mine.learning_rate
    1/(4*K)
    """

    name: str
    loss: Loss
    gap_map: GapMap = NO_MIXTURE
    learning_rate: sp.Expr | None = None
    regret: sp.Expr | None = None
    source: str | None = None
    classes: int | range | None = None
    feedback: str = "full"
    exploration: sp.Expr | None = None
    abstention_cost: sp.Expr | None = None
    sharp_at: Contact | None = None
    decoder: str = "gap map"
    update: str = "gradient"
    expect: str = field(default="PROVED", compare=False, repr=False)
    line: int = field(init=False, compare=False, repr=False, default=0)
    readings: ClassVar[Readings] = ()  # of each object its own: the decimals it was written with

    def __post_init__(self) -> None:
        check_head(self.name, self.source, self.expect)
        check_loss(self.loss)
        if type(self.gap_map) is not GapMap:
            raise TheoremError(f"gap_map = {self.gap_map!r} is not a GapMap")
        if type(self.loss) in OF_ALL_SCORES:
            _check_of_all_scores(self)
        _check_gap_map_variable(self.loss, self.gap_map)
        _check_classes(self.classes, self.loss)
        _check_decoder(self)
        _check_update(self)
        _check_feedback(self)
        _check_contact(self)
        self._set_parameters()
        check_names(set().union(*(part.free_symbols for part in parts(self).values())), f"the theorem {self.name!r}")
        _check_vanishing_denominators(self)
        _check_parameter_values(self)
        object.__setattr__(self, "line", caller_line())
        registry.built(self)

    def _set_parameters(self) -> None:
        bandit = self.feedback == "bandit"
        allowed = {
            "learning_rate": (K, X, D, T, gamma) if bandit else (K,),
            "regret": (K, X, D, T) if bandit else (K,),
            "exploration": (K, X, D, T),
            "abstention_cost": (K,),
        }
        found = [*self.loss.readings, *self.gap_map.readings]
        for argument, names in allowed.items():
            if getattr(self, argument) is not None:
                found += readings(getattr(self, argument), argument)
                object.__setattr__(self, argument, expression(getattr(self, argument), argument, names))
        object.__setattr__(self, "readings", tuple(dict.fromkeys(found)))

    @property
    def first_class_count(self) -> int:
        """The smallest K claimed."""
        return 2 if self.classes is None else self.classes if isinstance(self.classes, int) else self.classes[0]

    @property
    def last_class_count(self) -> int | None:
        """The largest K claimed; None if every K >= 2 is."""
        if isinstance(self.loss, BinaryLoss):
            return 2
        return None if self.classes is None else self.classes if isinstance(self.classes, int) else self.classes[-1]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of its own, in order of their names."""
        return parameters_of(parts(self).values())

    def at(self, values: Mapping[Parameter, Any]) -> "Theorem":
        """The theorem for these values of its parameters. ValueError if one is out of its range."""
        exact = exact_values(values)

        def put(part: Any) -> Any:
            return part.subs(exact) if isinstance(part, sp.Expr) else part

        loss = replace(self.loss, **{f.name: put(getattr(self.loss, f.name)) for f in fields(self.loss)})
        changed = {f.name: put(getattr(self, f.name)) for f in fields(self) if f.init}
        return Theorem(**changed | {"loss": loss, "gap_map": GapMap(put(self.gap_map.expression))})

    def claims(self, n_classes: int) -> bool:
        """Whether the theorem is claimed for this number of classes."""
        return self.data.claims(n_classes)

    @property
    def data(self) -> TheoremData:
        """The theorem as data of the language: what learners ask of it."""
        return _data_of(self)

    def _repr_latex_(self) -> str:
        return aligned([_bound_tex(self), *loss_tex(self.loss), *_prediction_tex(self)])

    def eta(self) -> sp.Expr | None:
        """The learning rate to check, in units of 1/X^2: as given, or else the one the claimed regret needs.

        None with proximal updates, which have none.
        """
        if self.update == "proximal":
            return None
        if self.learning_rate is None and self.regret is not None and self.feedback == "full":
            return 1 / (2 * self.regret)
        return self.learning_rate

    def rate(self) -> sp.Expr | None:
        """The learner's, in units of 1/X^2: ``eta``; 1/(2 c) of proximal steps, to loss + ||V - W||^2/(2 eta)."""
        if self.update == "proximal":
            return None if self.regret is None else 1 / (2 * self.regret)
        return self.eta()


@final
@named
@dataclass(frozen=True, kw_only=True)
class Implication:
    """``then`` holds for all values of the symbols at which every one of ``given`` holds.

    They are real numbers; K >= 2 and T are integers, and so are symbols that are declared to be.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Implication
    >>> a, b = symbols("a b", real=True)
    >>> Implication(name="squares", statement="2ab <= a^2 + b^2", given=(), then=2 * a * b <= a**2 + b**2).then
    2*a*b <= a**2 + b**2
    """

    name: str
    statement: str
    given: tuple[Relational, ...]
    then: Relational
    readings: ClassVar[Readings] = ()

    def __post_init__(self) -> None:
        check_text(self.name, "Implication name")
        check_text(self.statement, "Implication statement")
        object.__setattr__(self, "given", tuple(self.given))
        for relation in (*self.given, self.then):
            _check_relation(relation, self.name)
        found = [r for relation in (*self.given, self.then) for r in readings(relation, self.name)]
        object.__setattr__(self, "given", tuple(map(_exact, self.given)))
        object.__setattr__(self, "then", _exact(self.then))
        object.__setattr__(self, "readings", tuple(dict.fromkeys(found)))
        check_names(self.symbols, f"Implication {self.name}")
        for symbol in self.symbols:
            _check_symbol(symbol, self.name)

    @property
    def symbols(self) -> set[sp.Symbol]:
        """Those it speaks of."""
        return set().union(*(relation.free_symbols for relation in (*self.given, self.then)))

    @property
    def formula(self) -> str:
        """What is proved or refuted, under which hypotheses; ``statement`` are words about it."""
        then, *given = map(_relation_text, (self.then, *self.given))
        declared = filter(None, map(_declared, sorted(self.symbols, key=lambda symbol: symbol.name)))
        hypotheses = ", ".join([*declared, *given])
        return f"{then} if {hypotheses}" if hypotheses else then


@final
@named
@dataclass(frozen=True, kw_only=True)
class Lemma:
    """A lemma of the documents as implications between real numbers, each proved or refuted on its own.

    ``expect`` is the verdict with which a check of its file passes.

    Examples
    --------
    >>> from sympy import symbols
    >>> from gaptron import Implication, Lemma
    >>> a, b = symbols("a b", real=True)
    >>> squares = Implication(name="squares", statement="2ab <= a^2 + b^2", given=(), then=2 * a * b <= a**2 + b**2)
    >>> Lemma(name="mean", implications=(squares,)).name
    'mean'
    """

    name: str
    implications: tuple[Implication, ...]
    source: str | None = None
    expect: str = field(default="PROVED", compare=False, repr=False)
    line: int = field(init=False, compare=False, repr=False, default=0)
    readings: ClassVar[Readings] = ()

    def __post_init__(self) -> None:
        check_head(self.name, self.source, self.expect)
        object.__setattr__(self, "implications", tuple(self.implications))
        if not self.implications or not all(type(i) is Implication for i in self.implications):
            raise TheoremError(f"implications = {self.implications!r} is not a non-empty sequence of Implication")
        names = [i.name for i in self.implications]
        if len(set(names)) < len(names):
            raise TheoremError(f"Lemma {self.name}: two implications have the same name")
        found = tuple(dict.fromkeys(reading for i in self.implications for reading in i.readings))
        object.__setattr__(self, "readings", found)
        object.__setattr__(self, "line", caller_line())
        registry.built(self)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those of its implications, in order of their names."""
        return parameters_of(relation for one in self.implications for relation in (*one.given, one.then))

    def _repr_latex_(self) -> str:
        return aligned(map(_implication_tex, self.implications))


def check_text(value: object, argument: str) -> None:
    if type(value) is not str or not value.strip():
        raise TheoremError(f"{argument} = {value!r} is not a non-empty string")


def check_head(name: object, source: object, expect: object) -> None:
    """What every theorem and lemma has."""
    check_text(name, "name")
    if source is not None:
        check_text(source, "source")
    verdicts = [verdict.value for verdict in Verdict]
    if type(expect) is not str or expect not in verdicts:
        raise TheoremError(f"expect = {expect!r} is not one of {', '.join(map(repr, verdicts))}")


def parameters_of(expressions: Iterable[sp.Basic]) -> tuple[Parameter, ...]:
    """Those in any of these, in order of their names."""
    found = set().union(*(part.atoms(Parameter) for part in expressions))
    return tuple(sorted(found, key=lambda parameter: parameter.name))


def exact_values(values: Mapping[Parameter, Any]) -> dict[Parameter, sp.Rational]:
    """Values of parameters as sympy has them; ValueError if one is out of its range."""
    for parameter, value in values.items():
        low, high = parameter.low, parameter.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise ValueError(f"{parameter} = {value} is not between {low} and {high}")
    return {parameter: sp.Rational(value) for parameter, value in values.items()}


def _check_relation(relation: object, name: str) -> None:
    if type(relation) not in (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq):
        raise TheoremError(
            f"Implication {name}: {relation!r} is not a relation <=, <, >=, > or Eq "
            "(if sympy sees at once whether it is true, write it as Le(left, right, evaluate=False))"
        )
    check_nodes(relation, f"Implication {name}", decimals=True)


@lru_cache(maxsize=4096)
def _relation_text(relation: Relational) -> str:
    return f"{relation.lhs} {SIGNS[type(relation)]} {relation.rhs}"


@lru_cache(maxsize=1024)
def _declared(symbol: sp.Symbol) -> str:
    """What is known of a symbol by itself; nothing of one that is any real."""
    if isinstance(symbol, Parameter):
        return between(symbol.name, symbol.low, symbol.high)
    sign = ">= 2" if symbol == K else f"{RELATION_OF[sign]} 0" if (sign := sign_of(symbol)) else ""
    return f"{'integer ' * is_integer(symbol)}{symbol} {sign}".strip() if sign or is_integer(symbol) else ""


def _check_symbol(symbol: sp.Symbol, name: str) -> None:
    if symbol in symbols.ALL.values():
        return
    if not symbol.is_real:
        raise TheoremError(f"Implication {name}: the symbol {symbol} must be declared real")
    if not is_understood(symbol):
        raise TheoremError(
            f"Implication {name}: {symbol} has assumptions that are not understood: declare it real, with at most one "
            "of positive, negative, nonnegative, nonpositive, nonzero, and perhaps integer"
        )


def _exact(relation: Relational) -> Relational:
    """Decimals as fractions; the relation stays one even if sympy sees that it is true."""
    if not relation.atoms(sp.Float):
        return relation
    return relation.func(*(without_decimals(side) for side in relation.args), evaluate=False)


def _check_of_all_scores(theorem: Theorem) -> None:
    """Full information, without what is about the top label's margin alone; proximal steps have the best decoder."""
    kind = type(theorem.loss).__name__
    for argument in ("sharp_at", "abstention_cost", "exploration"):
        if getattr(theorem, argument) is not None:
            raise TheoremError(f"{argument} does not go with a {kind}: leave it out")
    if theorem.feedback == "bandit":
        raise TheoremError(f'feedback = "bandit" goes with a MarginLoss or a SoftmaxLoss, not with a {kind}')
    if theorem.update == "proximal" and theorem.gap_map is NO_MIXTURE:
        object.__setattr__(theorem, "decoder", "best")


def _check_gap_map_variable(loss: Loss, gap_map: GapMap) -> None:
    allowed = {SoftmaxLoss: (p, K), BinaryLoss: (m,)}.get(type(loss), (m, K))
    others = {symbol for symbol in gap_map.expression.free_symbols if not isinstance(symbol, Parameter)}
    for symbol in sorted(others - set(allowed), key=str):
        raise TheoremError(
            f"gap_map = {gap_map.expression} uses the symbol {symbol}: with a {type(loss).__name__} "
            f"it is an expression in {', '.join(s.name for s in allowed)}"
        )


def _check_classes(classes: object, loss: Loss) -> None:
    if type(classes) not in (int, range, type(None)):
        raise TheoremError(f"classes = {classes!r} is not an integer or a range")
    if isinstance(classes, int) and classes < 2:
        raise TheoremError(f"classes = {classes} is less than 2")
    if isinstance(classes, range) and (not classes or classes.step != 1 or classes[0] < 2):
        raise TheoremError(f"classes = {classes} is not a non-empty range of consecutive integers >= 2")
    if isinstance(loss, BinaryLoss) and classes not in (None, 2, range(2, 3)):
        raise TheoremError(f"classes = {classes}: a BinaryLoss has two classes only")


def _check_contact(theorem: Theorem) -> None:
    if theorem.sharp_at is None:
        return
    if type(theorem.sharp_at) is not Contact:
        raise TheoremError(f"sharp_at = {theorem.sharp_at!r} is not a Contact")
    if theorem.feedback == "bandit" or isinstance(theorem.loss, SoftmaxLoss):
        raise TheoremError("sharp_at goes with a MarginLoss or a BinaryLoss and full information")
    if theorem.learning_rate is None and theorem.regret is None:
        raise TheoremError("sharp_at needs a learning_rate or a regret")


def _check_decoder(theorem: Theorem) -> None:
    if theorem.decoder not in ("gap map", "best"):
        raise TheoremError(f'decoder = {theorem.decoder!r} is neither "gap map" nor "best"')
    if theorem.decoder == "gap map" and theorem.gap_map is NO_MIXTURE:
        raise TheoremError('gap_map is missing: a GapMap is needed, or decoder="best"')
    if theorem.decoder == "gap map":
        return
    if theorem.gap_map != NO_MIXTURE:
        raise TheoremError(f'gap_map = {theorem.gap_map.expression}: with decoder = "best" there is none')
    for argument in ("exploration", "abstention_cost", "sharp_at"):
        if getattr(theorem, argument) is not None or theorem.feedback == "bandit":
            raise TheoremError('decoder = "best" goes with full information, without abstention_cost and sharp_at')


def _check_update(theorem: Theorem) -> None:
    if theorem.update not in ("gradient", "proximal"):
        raise TheoremError(f'update = {theorem.update!r} is neither "gradient" nor "proximal"')
    if theorem.update == "gradient":
        return
    if theorem.decoder != "best":
        raise TheoremError(f'decoder = {theorem.decoder!r}: update = "proximal" goes with decoder = "best" only')
    if theorem.learning_rate is not None:
        raise TheoremError(f'learning_rate = {theorem.learning_rate}: update = "proximal" has a regret only')
    if isinstance(theorem.loss, MarginLoss) and theorem.loss.off_above is not None:
        raise TheoremError(
            f'off_above = {theorem.loss.off_above}: with update = "proximal" the loss must be convex, and is not there'
        )


def _check_feedback(theorem: Theorem) -> None:
    if theorem.feedback not in ("full", "bandit"):
        raise TheoremError(f'feedback = {theorem.feedback!r} is neither "full" nor "bandit"')
    if theorem.feedback == "full" and theorem.exploration is not None:
        raise TheoremError(f'exploration = {theorem.exploration} goes with feedback="bandit" only')
    if theorem.feedback == "bandit" and theorem.abstention_cost is not None:
        raise TheoremError(f'abstention_cost = {theorem.abstention_cost} goes with feedback="full" only')
    if theorem.feedback == "bandit" and isinstance(theorem.loss, BinaryLoss):
        raise TheoremError('feedback = "bandit" goes with a MarginLoss or a SoftmaxLoss: for two classes, classes=2')
    if theorem.feedback == "bandit" and (theorem.exploration is None or theorem.learning_rate is None):
        raise TheoremError('feedback = "bandit" needs both exploration and learning_rate')


def parts(theorem: Theorem) -> dict[str, sp.Expr]:
    """Every expression of the theorem under the name of its argument."""
    named = {
        "learning_rate": theorem.learning_rate,
        "regret": theorem.regret,
        "exploration": theorem.exploration,
        "abstention_cost": theorem.abstention_cost,
        "gap_map": theorem.gap_map.expression,
    }
    if isinstance(theorem.loss, MarginLoss):
        named |= {"off_above": theorem.loss.off_above}
    named |= {{"phi": "loss", "psi": "loss"}.get(name, name): expr for name, expr, _ in theorem.loss.functions}
    return {name: part for name, part in named.items() if part is not None}


@lru_cache(maxsize=256)
def _data_of(theorem: Theorem) -> TheoremData:
    return TheoremData(
        name=theorem.name,
        loss=theorem.loss.data,
        gap_map=read(theorem.gap_map.expression),
        learning_rate=_read(theorem.rate()),
        regret=_read(theorem.regret),
        exploration=_read(theorem.exploration),
        abstention_cost=_read(theorem.abstention_cost),
        first=theorem.first_class_count,
        last=theorem.last_class_count,
        feedback=theorem.feedback,
        decoder=theorem.decoder,
        update=theorem.update,
        parameters=tuple(parameter.name for parameter in theorem.parameters),
    )


def _read(part: sp.Expr | None) -> Expression | None:
    return None if part is None else read(part)


def _check_vanishing_denominators(theorem: Theorem) -> None:
    for name, part in parts(theorem).items():
        if part.has(sp.Piecewise):  # where it divides by zero, it may not be read
            continue
        for power in part.atoms(sp.Pow):
            base = sp.numer(sp.together(power.base))
            if power.exp.is_negative and base.free_symbols == {K} and base.is_polynomial(K):
                for root in sp.Poly(base, K).ground_roots():
                    if root.is_Integer and theorem.claims(int(root)):
                        raise TheoremError(
                            f"{name} = {part} divides by zero at K = {root}: it must be defined "
                            "for every K claimed (restrict classes=, or change it)"
                        )


def _check_parameter_values(theorem: Theorem) -> None:
    last = theorem.last_class_count or theorem.first_class_count + SAMPLED_CLASSES
    for n_classes in range(theorem.first_class_count, min(last, theorem.first_class_count + SAMPLED_CLASSES) + 1):
        for name, part in parts(theorem).items():
            if part.free_symbols <= {K}:
                value = value_at(part, name, K, n_classes)
                if name == "learning_rate" and not is_positive(value):
                    raise TheoremError(f"learning_rate = {part} is not positive at K = {n_classes}")


def caller_line() -> int:
    """The line of the first frame outside this package: where the theorem is written."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("gaptron", "dataclasses"):
        frame = frame.f_back
    return frame.f_lineno


def _bound_tex(theorem: Theorem) -> str:
    """The mistake bound; its regret follows from the learning rate if it is not claimed."""
    cost = r"\mathbb{E}[M_T]"
    if theorem.abstention_cost is not None:
        cost += rf" + ({expression_tex(theorem.abstention_cost)})\,\mathbb{{E}}[A_T]"
    regret, eta = theorem.regret, theorem.eta()
    if theorem.feedback == "bandit":
        excess = r"\ldots" if regret is None else expression_tex(regret)
    else:
        excess = regret_tex(sp.cancel(1 / (2 * eta)) if regret is None and eta is not None else regret, "c")
    classes = classes_tex(theorem.first_class_count, theorem.last_class_count)
    return rf"{cost} \le \sum_t \ell_t(U) + {excess}{classes}"


def _prediction_tex(theorem: Theorem) -> Iterator[str]:
    if theorem.decoder == "gap map":
        variable = "p^*" if isinstance(theorem.loss, SoftmaxLoss) else "m^*"
        yield rf"a({variable}) = {expression_tex(theorem.gap_map.expression)}"
    if theorem.exploration is not None:
        yield rf"\gamma = {expression_tex(theorem.exploration)}"
    eta = theorem.eta()
    if eta is not None:
        yield rf"\eta = {expression_tex(eta if theorem.feedback == 'bandit' else eta / X**2)}"


def _implication_tex(implication: Implication) -> str:
    given = r",\ ".join(map(expression_tex, implication.given))
    return expression_tex(implication.then) + (rf"\quad\text{{if}}\quad {given}" if given else "")
