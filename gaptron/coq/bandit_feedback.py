"""Bandit feedback: the rates of a game, at which the library's ``any_rate_{margin,softmax}_theorem`` has conditions.

Claims about the rates speak of u = X D and of sqrt_T.
"""

from functools import reduce
from typing import TYPE_CHECKING

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
DEFINED_BY = {
    "exploration": "exploration/defined",
    "learning_rate": "learning rate/defined",
    "excess": "regret/defined",
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
        self._explores()
        self._steps()
        self._pays()

    def whole(self, learner: str) -> None:
        """The theorem: everything is defined, and the guarantee."""
        d = self.development
        c = " ".join(["(INR K)", *d.others])
        at = f"{c} X D (INR T)"
        explored = f"(exploration {at})"
        ranges = list(d.ranges())
        stated = [d.defined_at(function, c) for function in d.functions if function.name != "rate"]
        stated += [self._defined_at(name, f"{at} {explored}" if more else at) for name, (_, more) in self.rates.items()]
        statements, proofs = zip(*stated, strict=True)
        others = "".join(f" ({name} : R)" for name in d.others)
        known = f"{at} r Hc HX HD (Rmult_lt_0_compat _ _ HX HD) Er H1 H0 Hi"
        d.add(
            f"Theorem {d.module}_whole : forall K d{others} (X D : R) (T : nat),",
            f"  {' -> '.join([*ranges, '0 < X', '0 < D', '(1 <= T)%nat'])} ->",
            f"  ({AND.join(statements)}) /\\",
            f"  guarantee_in T (bandit {learner.format(c)} D {explored}) X (learning_rate {at} {explored})",
            f"    (flat (excess {at})).",
            "Proof.",
            f"  intros K d {' '.join(d.others)} X D T {' '.join(f'P{i}' for i, _ in enumerate(ranges))} HX HD HT.",
            f"  assert (Hc : claimed {c}) by (apply classes_claimed; first [assumption | lia]).",
            f"  split; [{reduce(lambda rest, proof: f'split; [{proof} | {rest}]', reversed(proofs))} |].",
            "  destruct (root_of_rounds T HT) as (r & Er & H1 & H0 & Hi).",
            f"  unfold flat. apply any_rate_{d.kind}_theorem;",
            f"    [lia | exact HX | exact HD | exact (explores {known}) | exact (conditions {known}) |"
            f" exact (pays {known})].",
            "Qed.",
            f"Print Assumptions {d.module}_whole.",
        )

    @staticmethod
    def _defined_at(name: str, at: str) -> tuple[str, str]:
        """That a rate is defined, and the tactic that proves it."""
        return f"{name}_defined {at}", f"exact ({name}_is_defined {at} Hc HX HD (rounds_at_least_one T HT))"

    def define(self, name: str) -> None:
        """A rate, and what it means that it is defined."""
        d, (expr, more) = self.development, self.rates[name]
        d.add(
            f"Definition {name} ({self.c} {GAME}{more} : R) : R :=\n  {d.printer.function(expr)}.",
            f"Definition {name}_defined ({self.c} {GAME}{more} : R) : Prop :=\n  {d.printer.defined(expr)}.",
            "",
        )

    def _define(self, name: str) -> None:
        d, (_, more) = self.development, self.rates[name]
        self.define(name)
        d.add(
            f"Lemma {name}_is_defined {self.c} {GAME}{more} : claimed {self.c} -> {PREMISES} ->",
            f"  {name}_defined {self.c} {GAME}{more}.",
            f"Proof. start. unfold {name}_defined. split_cases; parts;",
            f"  {self._uses(DEFINED_BY[name], first=('exact I', 'side', 'nonzero'))}. Qed.",
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

    def _explores(self) -> None:
        self.development.add(
            f"Lemma explores {self.c} {GAME} root_T : claimed {self.c} -> {PROPERTIES} ->",
            f"  0 < exploration {self.c} {GAME} <= 1.",
            "Proof.\n  intros Hc; intros.",
            *self._known("exploration"),
            f"  split_cases; split; {self._uses('exploration/range', first=('lra',))}.\nQed.\n",
        )

    def _steps(self) -> None:
        self.development.add(
            f"Lemma steps {self.c} {GAME} root_T : claimed {self.c} -> {PROPERTIES} ->",
            f"  0 < learning_rate {self.at('learning_rate')} * v_X ^ 2.",
            "Proof.\n  intros Hc; intros.",
            *self._known("exploration", "learning_rate"),
            f"  split_cases; {self._uses('learning rate/positive', first=('lra',))}.\nQed.\n",
        )

    def _pays(self) -> None:
        explored, eta = (f"({name} {self.at(name)})" for name in ("exploration", "learning_rate"))
        self.development.add(
            f"Lemma pays {self.c} {GAME} root_T : claimed {self.c} -> {PROPERTIES} ->",
            f"  bandit_regret_follows {self.k} v_D {explored} {eta} v_T (excess {self.at('excess')}).",
            "Proof.\n  intros Hc; intros.",
            *self._known(*self.rates),
            "  unfold bandit_regret_follows, learning_rate in *. split_cases; few_or_paid;",
            f"    {self._uses('regret')}.\nQed.\n",
        )

    def _uses(self, name: str, first: tuple[str, ...] = ()) -> str:
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
