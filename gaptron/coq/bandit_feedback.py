"""Bandit feedback: the rates of a game, at which the library's ``any_rate_{margin,softmax}_theorem`` has conditions.

Claims about the rates speak of u = X D and of sqrt_T.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gaptron.coq.proved import splitting
from gaptron.coq.real_terms import AND
from gaptron.language.expressions import Expression, base_and_exponent, everywhere, variables
from gaptron.language.normal import put
from gaptron.obligations.bandit import tidy
from gaptron.obligations.coverage import Coverage
from gaptron.theory.for_classes import data_of
from gaptron.theory.theorem import Theorem

if TYPE_CHECKING:
    from gaptron.coq.writing import Development

TUNING = "bandit/"  # before the names of the obligations about the rates
VARIABLES = ("D", "T", "X", "gamma", "sqrt_T", "u")  # the variables that rates speak of
GAME = "v_X v_D v_T"
KNOWN = "Hc HX HD HXD Er H1 H0 Hi"  # the names of proofs of the properties, after that of what is claimed
PREMISES = "0 < v_X -> 0 < v_D -> 1 <= v_T"
PROPERTIES = (
    "0 < v_X -> 0 < v_D -> 0 < v_X * v_D -> v_T = root_T ^ 2 -> 1 <= root_T -> 0 < root_T -> integer (root_T ^ 2)"
)
RATES = {  # their names in Coq: arguments of a theorem, and of what game they are functions beside X, D and T
    "exploration": ("exploration", ""),
    "learning_rate": ("learning_rate", " v_gamma"),
    "excess": ("regret", ""),
}


class Tuning:
    """The rates of a bandit theorem: their definitions, and what the library's theorem asks of them."""

    def __init__(self, development: "Development", theorem: Theorem) -> None:
        self.development = development
        self.c, self.k = development.binders, development.k
        data = data_of(theorem)
        self.rates = {name: (data[said], more) for name, (said, more) in RATES.items() if said in data}

    def write(self) -> None:
        """All definitions and lemmas."""
        for name in self.rates:
            self._define(name)
        names = ("exploration", "learning_rate", "excess")
        explored, eta, excess = (f"{name} {self.at(name)}" for name in names)
        in_range = self._uses("exploration/range", ["lra"])
        self._lemma("explores", f"0 < {explored} <= 1", names[:1], f"split_cases; split; {in_range}")
        positive = self._uses("learning rate/positive", ["lra"])
        self._lemma("steps", f"0 < {eta} * v_X ^ 2", names[:2], f"split_cases; {positive}")
        paid = f"bandit_regret_follows {self.k} v_D ({explored}) ({eta}) v_T ({excess})"
        unfolded = "unfold bandit_regret_follows, learning_rate in *. split_cases; few_or_paid;"
        self._lemma("pays", paid, names, f"{unfolded}\n    {self._uses('regret')}")

    def whole(self, learner: str) -> None:
        """The theorem: everything is defined, and the guarantee."""
        d = self.development
        c = " ".join(["(INR K)", *d.others])
        at = f"{c} X D (INR T)"
        explored = f"(exploration {at})"
        ranges = list(d.ranges())
        stated = [d.defined_at(function, c) for function in d.functions]
        for name, (_, more) in self.rates.items():
            there = f"{at} {explored}" if more else at
            proof = f"exact ({name}_is_defined {there} Hc HX HD (rounds_at_least_one T HT))"
            stated.append((f"{name}_defined {there}", proof))
        statements, proofs = zip(*stated, strict=True)
        known = f"{at} r Hc HX HD (Rmult_lt_0_compat _ _ HX HD) Er H1 H0 Hi"
        d.add(
            f"Theorem {d.module}_whole : forall K d{d.quantified} (X D : R) (T : nat),",
            f"  {' -> '.join([*ranges, '0 < X', '0 < D', '(1 <= T)%nat'])} ->",
            f"  ({AND.join(statements)}) /\\",
            f"  guarantee_in T (bandit {learner.format(c)} D {explored}) X (learning_rate {at} {explored})",
            f"    (flat (excess {at})).",
            "Proof.",
            f"  intros K d {' '.join(d.others)} X D T {' '.join(f'P{i}' for i, _ in enumerate(ranges))} HX HD HT.",
            f"  assert (Hc : claimed {c}) by (apply classes_claimed; first [assumption | lia]).",
            f"  split; [{splitting(proofs)} |].",
            "  destruct (root_of_rounds T HT) as (r & Er & H1 & H0 & Hi).",
            f"  unfold flat. apply any_rate_{d.kind}_theorem;",
            f"    [lia | exact HX | exact HD | exact (explores {known}) | exact (conditions {known}) |"
            f" exact (pays {known})].",
            "Qed.",
            f"Print Assumptions {d.module}_whole.",
        )

    def define(self, name: str) -> None:
        """A rate, and what it means that it is defined."""
        d, (expr, more) = self.development, self.rates[name]
        d.add(*d.printer.defining(name, f"{self.c} {GAME}{more}", expr))

    def _define(self, name: str) -> None:
        d, (_, more), said = self.development, self.rates[name], RATES[name][0].replace("_", " ")
        self.define(name)
        d.add(
            f"Lemma {name}_is_defined {self.c} {GAME}{more} : claimed {self.c} -> {PREMISES} ->",
            f"  {name}_defined {self.c} {GAME}{more}.",
            f"Proof. start. unfold {name}_defined. split_cases; parts;",
            f"  {self._uses(f'{said}/defined', ['exact I', 'side', 'nonzero'])}. Qed.",
            "",
        )

    def _known(self, *names: str) -> list[str]:
        """Tactics: what it means that these are defined, and roots of numbers of classes as the claims write them."""
        lines = [
            f"  pose proof ({name}_is_defined {self.at(name)} Hc ltac:(lra) ltac:(lra) ltac:(nra)) as F_{name};"
            f" unfold {name}_defined in F_{name}."
            for name in names
        ]
        lines.append(f"  start. subst v_T. unfold {', '.join(names)}; rewrite ?sqrt_pow2 by lra.")
        for root in dict.fromkeys(root for name in names for root in _roots(self.rates[name][0])):
            value = tidy(put(root), Coverage(self.development.guesses), ())
            written, text = (self.development.printer.smooth(part) for part in (root, value))
            lines.append(f"  assert (R : {written} = {text}) by (know_roots; root_value); rewrite R; clear R.")
        return lines

    def at(self, name: str) -> str:
        """The arguments of a rate in a game: a learning rate is that of the theorem's own exploration."""
        return f"{self.c} {GAME}" + (f" (exploration {self.c} {GAME})" if self.rates[name][1] else "")

    def _lemma(self, name: str, statement: str, rates: Iterable[str], tactics: str) -> None:
        """About a game, after these rates are unfolded."""
        self.development.add(
            f"Lemma {name} {self.c} {GAME} root_T : claimed {self.c} -> {PROPERTIES} ->",
            f"  {statement}.",
            "Proof.\n  intros Hc; intros.",
            *self._known(*rates),
            f"  {tactics}.\nQed.\n",
        )

    def _uses(self, name: str, first: Sequence[str] = ()) -> str:
        """The first claim about the rates that closes the goal, at X D and the root of T."""
        at = {"u": "(v_X * v_D)", "sqrt_T": "root_T"}
        claims = self.development.claims
        attempts = [claims.use(row, at, "use_roots") for row in claims.of(TUNING + name)]
        return f"first [{' | '.join([*first, '(exfalso; lra)', *attempts])}]"


def _roots(rate: Expression) -> list[Expression]:
    """The square roots in it of functions of K that are no powers."""
    powers = [part for part in everywhere(rate) if isinstance(part, tuple) and part[0] in ("^", "root")]
    found = dict.fromkeys(base for base, exponent in map(base_and_exponent, powers) if exponent.denominator == 2)
    return [("root", base, 2) for base in found if isinstance(base, tuple) and variables(base) == {"K"}]
