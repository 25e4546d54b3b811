"""Structured theorems: any finite set of outputs, any target, any Fenchel-Young loss."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

import sympy as sp

from gaptron.door.reading import read
from gaptron.language.instantiation import substituted
from gaptron.numbers.evaluate import is_positive
from gaptron.symbols import ALL, Parameter, d
from gaptron.system.final import final
from gaptron.theory import registry
from gaptron.theory.for_classes import checked, require_faithful
from gaptron.theory.refusals import Readings, TheoremError, hidden, named
from gaptron.theory.structured.entropies import ENTROPIES, Convolutional, Entropy, Quadratic, check_outputs
from gaptron.theory.structured.outputs import OUTPUTS, Classes, Cube, Finite, Ordinal, Outputs
from gaptron.theory.structured.structured_data import StructuredData
from gaptron.theory.structured.targets import TARGETS, Cost, Hamming, Target
from gaptron.theory.tex import structured_tex
from gaptron.theory.theorem import caller_line, check_head, exact_values, parameters_of
from gaptron.theory.user_expressions import check_names, expression, readings, value_at

__tracebackhide__ = hidden

ARGUMENTS = ("scale", "learning_rate", "coefficient", "regret")
SAMPLED_SIZES = 20
RANGES = (range, sp.Range)
Size: TypeAlias = int | range | sp.Range | None


@final
@named
@dataclass(frozen=True, kw_only=True)
class StructuredTheorem:
    """E sum target <= coefficient * sum surrogate(U) + regret X^2 ||U||^2 for every stream with ||x|| <= X and every U.

    Parameters
    ----------
    name : str
        Shown in every report.
    outputs : Classes, Cube, Ordinal, RankVectors, PermutationMatrices or Finite
        What is predicted.
    target : ZeroOne, Hamming, KendallTau or Cost
        What a prediction costs.
    entropy : SquaredNorm, Shannon, Tsallis, BinaryEntropy, Convolutional, Quadratic or Separable
        The surrogate of scores theta = W x is ``scale`` times its Fenchel-Young loss.
    scale : expression in K or d
        s > 0.
    learning_rate : expression in K or d, optional
        eta in units of 1/X^2, of online gradient descent; without it the one that the claimed regret needs.
    coefficient : expression in K or d
        alpha > 0.
    regret : expression in K or d, optional
        Claimed coefficient of X^2 ||U||^2: alpha/(2 eta), or alpha c with proximal updates.
    update : "gradient" or "proximal"
        Proximal steps minimise loss(V x) + c X^2 ||V - W||^2, c = regret/alpha; they have no learning rate.
    sizes : int, range or sympy.Range, optional
        The sizes claimed, ``Range(5, oo)`` for all from 5 on: by default all, from 2 on for classes and rankings, else
        from 1 on.
    source : str, optional
        Document and equation.
    expect : "PROVED", "REFUTED" or "UNDECIDED"
        The verdict with which a check of this file passes; no part of what is claimed.

    A ``gaptron.symbols.Parameter`` may stand in every expression; the theorem is claimed for its whole range.

    Raises
    ------
    TheoremError
        With the argument, its value and what is allowed.

    Examples
    --------
    >>> from sympy import Rational
    >>> from gaptron import StructuredTheorem
    >>> from gaptron.structured import Classes, Cost, SquaredNorm
    >>> costs = Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]])  # [predicted][true]
    >>> parts = {"outputs": Classes(), "target": costs, "entropy": SquaredNorm()}
    >>> mine = StructuredTheorem(name="mine", **parts, learning_rate=Rational(1, 2), coefficient=8, regret=8)
    >>> mine.coefficient
    8
    """

    name: str
    outputs: Outputs
    target: Target
    entropy: Entropy
    scale: sp.Expr = sp.S.One
    learning_rate: sp.Expr | None = None
    coefficient: sp.Expr = sp.S.One
    regret: sp.Expr | None = None
    update: str = "gradient"
    sizes: Size = None
    source: str | None = None
    expect: str = field(default="PROVED", compare=False, repr=False)
    line: int = field(init=False, compare=False, repr=False, default=0)
    readings: ClassVar[Readings] = ()

    def __post_init__(self) -> None:
        check_head(self.name, self.source, self.expect)
        for argument, kinds in (("outputs", OUTPUTS), ("target", TARGETS), ("entropy", ENTROPIES)):
            if type(getattr(self, argument)) not in kinds:
                raise TheoremError(
                    f"{argument} = {getattr(self, argument)!r} is not one of those in gaptron.structured"
                )
        _check_update(self)
        self._set_expressions()
        self.target.check(self.outputs)
        check_outputs(self.entropy, self.outputs)
        _check_sizes(self)
        _check_size_of_cost(self)
        _check_size_of_matrix(self)
        _check_convolution(self)
        check_names(set().union(*(part.free_symbols for part in self.expressions.values())), repr(self.name))
        _check_positive(self)
        object.__setattr__(self, "line", caller_line())
        registry.built(self)

    def _set_expressions(self) -> None:
        found = [*self.entropy.readings]
        for argument in ARGUMENTS:
            value = getattr(self, argument)
            if value is not None:
                found += readings(value, argument)
                exact = expression(value, argument, (self.size,) if self.size == d else (self.size, d))
                object.__setattr__(self, argument, _at_size(argument, exact, sp.sympify(self._length or self.size)))
        object.__setattr__(self, "readings", tuple(dict.fromkeys(found)))

    @property
    def _length(self) -> int | None:
        return self.outputs.length if isinstance(self.outputs, Finite) else None

    @property
    def size(self) -> sp.Symbol:
        """K for classes, d for everything else."""
        return ALL[self.outputs.size_name]

    @property
    def data(self) -> StructuredData:
        """The theorem as data of the language."""
        return _data_of(self)

    @property
    def expressions(self) -> dict[str, sp.Expr]:
        """Those that are given, under their arguments."""
        return {name: getattr(self, name) for name in ARGUMENTS if getattr(self, name) is not None}

    @property
    def first_size(self) -> int:
        """The smallest size claimed."""
        return self._ends[0]

    @property
    def last_size(self) -> int | None:
        """The largest size claimed; None if there is none."""
        return self._ends[1]

    @property
    def _ends(self) -> tuple[int, int | None]:
        sizes: Size = self._length or self.sizes
        if isinstance(self.target, Cost) and isinstance(self.outputs, Classes):
            sizes = len(self.target.matrix)
        if isinstance(sizes, int):
            return sizes, sizes
        if sizes is None:
            return self.outputs.smallest, None
        return int(sizes[0]), None if sizes.stop == sp.oo else int(sizes[-1])

    def claims(self, size: int) -> bool:
        """Whether the theorem is claimed for this size."""
        return self.data.claims(size)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of its own, in order of their names."""
        return parameters_of(self.expressions.values())

    def at(self, values: Mapping[Parameter, Any]) -> "StructuredTheorem":
        """The theorem for these values of its parameters. ValueError if one is out of its range."""
        exact = exact_values(values)
        return replace(self, **{name: part.subs(exact) for name, part in self.expressions.items()})

    def _repr_latex_(self) -> str:
        return structured_tex(self.expressions, self.target, self.entropy, self.outputs)

    def eta(self) -> sp.Expr | None:
        """The learning rate to check: as given, or the one the claimed regret needs; none with proximal updates."""
        if self.learning_rate is None and self.regret is not None and self.update == "gradient":
            return self.coefficient / (2 * self.regret)
        return self.learning_rate


def _at_size(argument: str, written: sp.Expr, size: sp.Expr) -> sp.Expr:
    """With the size for ``d``; TheoremError where its value is not that of the data with the size put in."""
    found = written.subs(d, size)
    if found != written:
        require_faithful(found, substituted(read(written), {d.name: read(size)}), argument)
    return found


@lru_cache(maxsize=256)
def _data_of(theorem: StructuredTheorem) -> StructuredData:
    numbers = {name: checked(name, part) for name, part in theorem.expressions.items()}
    parts = theorem.name, theorem.outputs, theorem.target, theorem.entropy
    return StructuredData(*parts, numbers, theorem.update, theorem.first_size, theorem.last_size)


def _check_update(theorem: StructuredTheorem) -> None:
    if theorem.update not in ("gradient", "proximal"):
        raise TheoremError(f'update = {theorem.update!r} is neither "gradient" nor "proximal"')
    if theorem.update == "proximal" and theorem.learning_rate is not None:
        raise TheoremError('learning_rate goes with update = "gradient": proximal updates have a regret only')


def _check_sizes(theorem: StructuredTheorem) -> None:
    sizes, least = theorem.sizes, theorem.outputs.smallest
    if isinstance(sizes, bool) or not isinstance(sizes, (int, *RANGES, type(None))):
        raise TheoremError(f"sizes = {sizes!r} is not an integer or a range")
    if isinstance(theorem.outputs, Finite) and sizes is not None:
        raise TheoremError(f"sizes = {sizes}: Finite outputs have one size, the dimension of their vectors")
    if isinstance(sizes, int) and sizes < least:
        raise TheoremError(f"sizes = {sizes} is less than {least}, the smallest size of {theorem.outputs!r}")
    if isinstance(sizes, RANGES) and not _are_consecutive(sizes, least):
        raise TheoremError(f"sizes = {sizes} is not a non-empty range of consecutive integers >= {least}")


def _are_consecutive(sizes: range | sp.Range, least: int) -> bool:
    start, stop, step = map(sp.sympify, (sizes.start, sizes.stop, sizes.step))
    is_known = start.is_Integer and (stop.is_Integer or stop is sp.oo) and step == 1
    return bool(is_known and least <= start < stop)


def _check_size_of_cost(theorem: StructuredTheorem) -> None:
    if not isinstance(theorem.target, Cost):
        return
    rows, last = len(theorem.target.matrix), theorem.last_size
    if isinstance(theorem.outputs, Classes) and theorem.sizes not in (None, rows, range(rows, rows + 1)):
        raise TheoremError(f"sizes = {theorem.sizes}: a Cost matrix with {rows} rows is for K = {rows}")
    if last is None or last != theorem.first_size or theorem.outputs.count(last) != rows:
        raise TheoremError(
            f"target = a Cost matrix with {rows} rows: outputs = {theorem.outputs!r} "
            f"with sizes = {theorem.sizes} are not {rows} outputs"
        )


def _check_size_of_matrix(theorem: StructuredTheorem) -> None:
    if not isinstance(theorem.entropy, Quadratic):
        return
    rows, last = len(theorem.entropy.matrix), theorem.last_size
    if last is None or last != theorem.first_size or theorem.outputs.dimension(last) != rows:
        raise TheoremError(
            f"entropy = a Quadratic of {rows} rows: outputs = {theorem.outputs!r} "
            f"with sizes = {theorem.sizes} are not of dimension {rows}"
        )


def _check_convolution(theorem: StructuredTheorem) -> None:
    if not isinstance(theorem.entropy, Convolutional) or isinstance(theorem.outputs, Classes):
        return
    if not isinstance(theorem.outputs, (Cube, Ordinal)) or not isinstance(theorem.target, Hamming):
        raise TheoremError(
            "entropy = Convolutional goes with Classes(), or with the Hamming() target on Cube() or Ordinal(): "
            "elsewhere the least expected target is no function of the mean"
        )


def _check_positive(theorem: StructuredTheorem) -> None:
    for size in sampled_sizes(theorem):
        for name, part in theorem.expressions.items():
            if part.free_symbols <= {theorem.size}:
                value = value_at(part, name, theorem.size, size)
                if not is_positive(value):
                    raise TheoremError(f"{name} = {part} is not positive at {theorem.size} = {size}")


def sampled_sizes(theorem: StructuredTheorem) -> Iterator[int]:
    """The first sizes that are claimed."""
    last = theorem.first_size + SAMPLED_SIZES
    return iter(range(theorem.first_size, min(last, theorem.last_size or last) + 1))
