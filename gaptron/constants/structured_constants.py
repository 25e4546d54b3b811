"""``sharpen`` for structured theorems: the largest rate, the smallest coefficient, the smallest regret of all pairs.

The criterion H_L <= alpha (s J - kappa Var), kappa = eta s^2/2, is one inequality for each critical distribution:

* given alpha, eta <= (2/s^2) (s J - H_L/alpha)/Var;
* given eta, alpha >= H_L/(s J - kappa Var);
* over both, the regret alpha/(2 eta) is least, H_L Var/J^2 for one distribution, at eta = J/(s Var): it is the same
  for every s.

For a sum over coordinates and a target with a known C (``obligations.structured.dominated``), two outputs with
L = C ||.||^2 and probability 1/2 each have H_L = C D/2, J = D h(1/2), Var = D/4, D = ||yhat - y||^2: the closed forms.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import sympy as sp
from scipy.optimize import minimize_scalar

from gaptron.constants.brackets import Answered, Bracket, Brackets, just_above, just_below
from gaptron.constants.engine import Attempt, Engine
from gaptron.constants.questions import lemma_tasks
from gaptron.constants.structured_optimum import attained, depends_on_size, most_forced, optimum, reduced, regrets
from gaptron.door.showing import show
from gaptron.guesses import obligations_of
from gaptron.guesses.in_sympy import OWN_SYMBOLS, in_own_symbols
from gaptron.numbers.evaluate import enclosure, evaluate
from gaptron.obligations.structured import coordinates, dominated, vertices
from gaptron.obligations.structured.cases import size_conditions
from gaptron.prove.broken_distributions import broken_scores, critical
from gaptron.prove.exact_text import Witness
from gaptron.prove.tasks import Task
from gaptron.theory.structured.distributions import OutputDistribution, entropy_gap, least_target
from gaptron.theory.structured.entropies import CoordinateEntropy
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Implication, Lemma

FLAT = 1e-6  # a slope below this, at the maximum of one function
MILLIONTH = sp.Rational(1, 10**6)
MODULI = (4, 2, 1)  # of the entropies that have names
TITLES = {
    "best_decoder": "all decoders, largest learning rate for the coefficient",
    "coefficient": "all decoders, smallest coefficient for the learning rate",
    "frontier": "all decoders, smallest regret of all pairs",
    "any_algorithm": "all algorithms, smallest regret for the coefficient",
}
PARTS = tuple(TITLES)


@dataclass(frozen=True)
class Numbers:
    """H_L, J and Var of a distribution, exactly."""

    target: sp.Expr
    gap: sp.Expr
    variance: sp.Expr


@dataclass
class Part(Brackets):
    """One question. Of a rate lo is proved and hi refuted, of the others the other way round."""

    name: str
    closed_form: sp.Expr | None = None
    proved: sp.Expr | None = None
    rate: sp.Expr | None = None  # at the frontier
    alpha: sp.Expr | None = None


@dataclass
class SharpenedStructured(Answered):
    """A structured theorem and what is known of it."""

    file: Path
    theorem: StructuredTheorem
    answers: list[Part] = field(default_factory=list)


def sharpen_structured(
    theorem: StructuredTheorem, sizes: Sequence[int], engine: Engine, found: list[Part], asked: Sequence[str] = PARTS
) -> None:
    """Fill ``found`` for these sizes, with the parts asked for; what is there when interrupted is true."""
    wanted = [size for size in sizes if theorem.claims(size)]
    names = [name for name in asked if name != "coefficient" or theorem.learning_rate is not None]
    found += [Part(name, brackets=dict.fromkeys(wanted)) for name in names]
    for part in found:
        if engine.is_late:
            part.stop("not decided in time")
        elif part.name == "any_algorithm":
            _over_algorithms(theorem, part, wanted, engine)
        else:
            _closed(theorem, part, engine)
            for size in wanted:
                _bracket(one_size(theorem, size), part, size, engine)
        engine.found()


# --- what is expected ---------------------------------------------------------------------------------------------


def _numbers(theorem: StructuredTheorem, distribution: OutputDistribution) -> Numbers:
    return Numbers(
        sp.Rational(least_target(theorem.target, theorem.outputs, distribution)),
        show(entropy_gap(theorem.entropy, theorem.target, theorem.outputs, distribution), {}),
        sp.Rational(distribution.variance),
    )


def _in_general(theorem: StructuredTheorem) -> Numbers | None:
    """Those of the two outputs with L = C ||.||^2, divided by D, for every size."""
    largest = dominated.ratio(theorem.outputs, theorem.target, theorem.size.name)
    if largest is None or not isinstance(theorem.entropy, CoordinateEntropy):
        return None
    gap = show(coordinates.half_gap(theorem), OWN_SYMBOLS)
    return Numbers(show(largest, OWN_SYMBOLS) / 2, gap, sp.Rational(1, 4))


def _largest_rate(n: Numbers, s: sp.Expr, alpha: sp.Expr) -> sp.Expr:
    return sp.factor(2 * (s * n.gap - n.target / alpha) / (s**2 * n.variance))


def _smallest_coefficient(n: Numbers, s: sp.Expr, eta: sp.Expr) -> sp.Expr:
    return sp.factor(n.target / (s * n.gap - eta * s**2 / 2 * n.variance))


def _best_pair(n: Numbers, s: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """eta and alpha at which one distribution allows the least regret."""
    return sp.cancel(n.gap / (s * n.variance)), sp.cancel(2 * n.target / (s * n.gap))


# --- closed forms -------------------------------------------------------------------------------------------------


def _closed(theorem: StructuredTheorem, part: Part, engine: Engine) -> None:
    """A closed form for every size claimed, if it is proved and nothing better is possible."""
    numbers = _in_general(theorem)
    if numbers is None:
        return
    eta, alpha, value, beyond = _proposed(theorem, part, numbers)
    if not all(each.subs(theorem.size, theorem.first_size).is_positive for each in (alpha, eta)):
        return
    proof, sharpness = engine.failures([_tasks(_at(theorem, alpha, eta)), _sharpness(theorem, beyond)])
    if proof is None:
        part.proved = value
        part.closed_form = value if sharpness is None else None
        if part.name == "frontier":
            part.rate, part.alpha = eta, alpha


def _proposed(theorem: StructuredTheorem, part: Part, numbers: Numbers) -> tuple[sp.Expr, sp.Expr, sp.Expr, sp.Expr]:
    """eta and alpha at the closed form, its value, and H_L - alpha (s J - kappa Var) a millionth beyond it."""
    s, alpha, eta = theorem.scale, theorem.coefficient, theorem.learning_rate
    if part.name == "best_decoder":
        value = _largest_rate(numbers, s, alpha)
        return value, alpha, value, _excess(numbers, s, alpha, value * (1 + MILLIONTH))
    if part.name == "coefficient":
        value = _smallest_coefficient(numbers, s, eta)
        return eta, value, value, _excess(numbers, s, value * (1 - MILLIONTH), eta)
    rate, least = _best_pair(numbers, s)
    value = sp.factor(sp.cancel(least / (2 * rate)))
    any_rate = sp.Symbol("eta", positive=True)
    return rate, least, value, _excess(numbers, s, 2 * any_rate * value * (1 - MILLIONTH), any_rate)


def _excess(n: Numbers, s: sp.Expr, alpha: sp.Expr, eta: sp.Expr) -> sp.Expr:
    return sp.expand(n.target - alpha * (s * n.gap - eta * s**2 / 2 * n.variance))


def _at(theorem: StructuredTheorem, alpha: sp.Expr, eta: sp.Expr) -> StructuredTheorem:
    """The theorem at another coefficient and rate."""
    return replace(theorem, update="gradient", coefficient=alpha, learning_rate=eta, regret=None)


def _sharpness(theorem: StructuredTheorem, beyond: sp.Expr) -> Attempt:
    """The criterion fails beyond the closed form at the two outputs, for every size."""
    statement = "with two outputs that are equally likely no decoder exists beyond the closed form"
    given = in_own_symbols(size_conditions(theorem)) if theorem.size in beyond.free_symbols else ()
    fails = Implication(name="beyond", statement=statement, given=given, then=sp.Gt(beyond, 0, evaluate=False))
    return lemma_tasks(Lemma(name=f"{theorem.name}: {statement}", implications=(fails,)))


def _tasks(theorem: StructuredTheorem) -> Attempt:
    return tuple(Task(theorem, obligation) for obligation in obligations_of(theorem))


# --- one size -----------------------------------------------------------------------------------------------------

Settled = tuple[Bracket, Witness | None]  # what refutes beyond one end, where that is not known in advance


class OpenError(Exception):
    """Why there is no bracket; ``broken`` is a witness, and the ``last`` word where it shows that there is none."""

    def __init__(self, reason: str, broken: Witness | None = None, last: bool = False) -> None:
        super().__init__(reason)
        self.broken, self.last = broken, last


def _bracket(here: StructuredTheorem, part: Part, size: int, engine: Engine) -> None:
    """Prove one side, refute the other, or say why not."""
    asked = {"best_decoder": _rate, "coefficient": _coefficient, "frontier": _frontier, "any_algorithm": _between}
    try:
        found = list(critical(here, size))
        if not found and part.name != "any_algorithm":
            raise OpenError(f"more than {vertices.MOST_OUTPUTS} outputs, and no reduction for them is known")
        part.brackets[size], broken = asked[part.name](here, found, engine)
    except NotImplementedError as reason:
        part.reasons[size] = str(reason)
        return
    except OpenError as reason:
        part.reasons[size], broken = str(reason), reason.broken
        if broken is not None and reason.last:
            part.impossible[size] = broken
    if broken is not None:
        part.witnesses[size] = broken


def _rate(here: StructuredTheorem, found: list[OutputDistribution], engine: Engine) -> Settled:
    alpha = here.coefficient
    rates = [(_largest_rate(_numbers(here, w), here.scale, alpha), w) for w in found]
    value, binding = min(rates, key=lambda pair: float(pair[0]))
    if float(value) <= 0:  # the criterion fails at the binding distribution at each rate, shown at a tiny one
        broken = next(broken_scores(_at(here, alpha, MILLIONTH), binding), None)
        why = f"no learning rate works with the coefficient {alpha}: it is too small"
        raise OpenError(why, broken, sp.Le(value, 0) == sp.true)
    low, high = around(value)
    failed = _why_not(here, alpha, sp.Rational(low), engine)
    if failed is not None:
        raise OpenError(_modulus(here, high, engine) or failed)
    return (low, high), _refuted(here, alpha, sp.Rational(high), binding)


def _modulus(here: StructuredTheorem, high: Fraction, engine: Engine) -> str | None:
    """Where the entropy is not convex enough for the largest rate, the one up to which it is, if it is proved."""
    for modulus in MODULI:
        eta = sp.simplify(modulus / here.scale)
        if float(eta) < high and _why_not(here, here.coefficient, eta, engine) is None:
            reason = f"eta = {eta} is proved, and about {float(high):.7g} is refuted; between them the entropy may lack"
            return f"{reason} the strong convexity that makes the criterion sufficient"
    return None


def _coefficient(here: StructuredTheorem, found: list[OutputDistribution], engine: Engine) -> Settled:
    eta = here.learning_rate
    values = [(_smallest_coefficient(_numbers(here, w), here.scale, eta), w) for w in found]
    if any(not value.is_finite or float(value) <= 0 for value, _ in values):
        raise OpenError(f"no coefficient works at the learning rate {eta}: it is too large for s J - kappa Var > 0")
    value, binding = max(values, key=lambda pair: float(pair[0]))
    low, high = around(value, above=True)
    failed = _why_not(here, sp.Rational(high), eta, engine)
    if failed is not None:
        raise OpenError(failed)
    return (low, high), _refuted(here, sp.Rational(low), eta, binding)


def _frontier(here: StructuredTheorem, found: list[OutputDistribution], engine: Engine) -> Settled:
    """The pair is proved. No other has a smaller regret: 1/regret is the least of 4 kappa (s J - kappa Var)/(s^2 H_L),
    at most any average of these, whose maximum over kappa is (average of J/H_L)^2/(average of Var/H_L).
    """
    numbers = [_numbers(here, w) for w in found]
    average, kappa = _best_average([tuple(float(part / n.target) for part in (n.gap, n.variance)) for n in numbers])
    gap, variance = (
        sp.expand(sum((share * getattr(numbers[i], name) / numbers[i].target for i, share in average), sp.S.Zero))
        for name in ("gap", "variance")
    )
    least = variance / gap**2
    low, _ = enclosure(evaluate(least, {}))
    one = len(average) == 1
    high = around(least, above=True)[1] if one else just_above(low)
    if one:
        eta = around(_best_pair(numbers[average[0][0]], here.scale)[0])[0]
    else:  # kappa is for s = 1, where it is half of eta s
        eta = Fraction(2 * kappa / float(here.scale)).limit_denominator(10**12)
    failed = _why_not(here, sp.Rational(2 * eta * high), sp.Rational(eta), engine)
    if failed is not None:
        raise OpenError(f"at least {float(low):.9g}; {failed}")
    return (low if low == high else around(least)[0], high), None


def _best_average(pairs: list[tuple[float, ...]]) -> tuple[list[tuple[int, sp.Rational]], float]:
    """The average (indices and shares) of one or two distributions with the largest bound, and kappa there (s = 1)."""

    def least(kappa: float) -> float:
        return min(kappa * (gap - kappa * variance) for gap, variance in pairs)

    top = max(gap / variance for gap, variance in pairs)
    kappa = float(minimize_scalar(lambda x: -least(x), bounds=(0, top), method="bounded", options={"xatol": 1e-12}).x)
    order = sorted(range(len(pairs)), key=lambda i: kappa * (pairs[i][0] - kappa * pairs[i][1]))
    first = order[0]
    slopes = {i: pairs[i][0] - 2 * kappa * pairs[i][1] for i in order}
    if abs(slopes[first]) < FLAT:
        return [(first, sp.S.One)], kappa
    second = next((i for i in order[1:] if slopes[i] * slopes[first] < 0), None)
    if second is None:
        return [(first, sp.S.One)], kappa
    share = sp.Rational(Fraction(slopes[second] / (slopes[second] - slopes[first])).limit_denominator(10**9))
    return [(first, share), (second, 1 - share)], kappa


def around(value: sp.Expr, above: bool = False) -> Bracket:
    """Rationals on both sides, the certified one exact where the value is rational."""
    low, high = enclosure(evaluate(value, {}))
    exact = low == high
    return low if exact and not above else just_below(low), high if exact and above else just_above(high)


def _why_not(here: StructuredTheorem, alpha: sp.Expr, eta: sp.Expr, engine: Engine) -> str | None:
    """Why the theorem there is not proved, if it is not."""
    (failed,) = engine.failures([_tasks(_at(here, alpha, eta))])
    return None if failed is None else f"eta = {eta} with coefficient {alpha} could not be proved: {failed}"


def _refuted(here: StructuredTheorem, alpha: sp.Expr, eta: sp.Expr, binding: OutputDistribution) -> Witness:
    for broken in broken_scores(_at(here, alpha, eta), binding):
        return broken
    raise OpenError("one side is proved, but no exact scores that rule out the other were found")


# --- over all algorithms ------------------------------------------------------------------------------------------


def _over_algorithms(theorem: StructuredTheorem, part: Part, sizes: list[int], engine: Engine) -> None:
    """By the loss of labels that has the same optimum; else between what is forced and what is attained."""
    if not depends_on_size(theorem) and reduced(theorem) is not None:
        _as_labels(theorem, part, sizes, engine)
        return
    for size in sizes:
        here = one_size(theorem, size)
        if reduced(here) is None:
            _bracket(here, part, size, engine)
        else:
            _as_labels(here, part, [size], engine)
            part.closed_form = part.proved = None


def _as_labels(theorem: StructuredTheorem, part: Part, sizes: list[int], engine: Engine) -> None:
    found = reduced(theorem)
    assert found is not None  # noqa: S101
    answer = optimum(found, sizes, engine)
    closed, proved = (
        None if eta is None else sp.factor(found.share / (2 * eta)) for eta in (answer.closed_form, answer.feasible)
    )
    part.closed_form, part.proved = closed, proved
    shown = answer.witnesses | answer.impossible
    for size in sizes:
        part.brackets[size] = regrets(found, answer, size, theorem.size)
        labels = size if size in answer.brackets else 2
        if labels in answer.reasons:
            part.reasons[size] = answer.reasons[labels]
        if labels in answer.impossible:
            part.impossible[size] = answer.impossible[labels]
        if labels in shown:
            part.witnesses[size] = shown[labels]


def _between(here: StructuredTheorem, found: list[OutputDistribution], engine: Engine) -> Settled:
    """lo is what an adversary forces, hi what the criterion proves of proximal updates."""
    low = most_forced(here, here.first_size, found)
    if low is None:
        raise OpenError("no adversary is found")
    least = f"at least {float(low.regret):.7g}"
    rate = min((_largest_rate(_numbers(here, w), here.scale, here.coefficient) for w in found), key=float)
    if float(rate) <= 0:
        raise OpenError(f"{least}; no regret is proved with this coefficient")
    candidate, high = attained(here, rate)
    (failed,) = engine.failures([_tasks(candidate)])
    if failed is not None:
        raise OpenError(f"{least}; regret {high} could not be proved: {failed}")
    return (low.regret, high), None


def one_size(theorem: StructuredTheorem, size: int) -> StructuredTheorem:
    """The theorem for one size alone."""
    values = {name: value.subs(theorem.size, sp.Integer(size)) for name, value in theorem.expressions.items()}
    sizes = theorem.sizes if theorem.first_size == theorem.last_size else size
    return replace(theorem, sizes=sizes, **values)
