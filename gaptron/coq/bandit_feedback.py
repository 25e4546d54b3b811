"""Bandit feedback: the guarantee from the conditions of full information, and the tuning of the rates.

The library's theorem has the learning rate gamma h/(K X^2) for a rate h of full information (in units of 1/X^2), whose
conditions are proved as any other theorem's; other rates are in ``margin_exploring``. The claims about the rates speak
of u = X D and of sqrt_T.
"""

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

from gaptron.coq.real_terms import AND
from gaptron.coq.script import OutOfScopeError
from gaptron.language.expressions import Expression, base_and_exponent, everywhere, variables
from gaptron.language.normal import put
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.scale import tidy
from gaptron.theory.bandit_rates import full_information_rate
from gaptron.theory.for_classes import data_of, eta_of
from gaptron.theory.theorem import Theorem

if TYPE_CHECKING:
    from gaptron.coq.writing import Development

TUNING = "bandit/"  # before the names of the obligations about the rates
OF_GAMES = ("D", "T", "X", "gamma", "sqrt_T", "u")  # the variables that rates speak of
GAME = "v_X v_D v_T"
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


def full_information(theorem: Theorem) -> Theorem:
    """The theorem itself, or the one with full information on whose conditions it rests.

    Raises
    ------
    OutOfScopeError
        If its learning rate is not gamma h/(K X^2) with h in K alone, or no regret is claimed.
    """
    if theorem.feedback == "full":
        return theorem
    if theorem.regret is None:
        raise OutOfScopeError("no regret is claimed of it")
    rate = full_information_rate(theorem)
    if rate is None:
        raise OutOfScopeError("its learning rate is not gamma h/(K X^2) with h in K alone, as the library's is")
    return replace(theorem, feedback="full", exploration=None, learning_rate=rate, regret=None)


def of_rounds(theorem: Theorem, is_game: bool) -> tuple[Expression | None, Expression | None]:
    """The learning rate and the regret with full information; none where the rates are those of a game."""
    if is_game:
        return None, None
    full = full_information(theorem)
    return eta_of(full), data_of(full).get("regret")


class Tuning:
    """The rates of a bandit theorem: their definitions, and what the library's theorem asks of them."""

    paid: tuple[str, ...] = ("exploration", "excess")  # of what the regret speaks
    rate_name = "rate"

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
            *self._applied(at, explored, known, c),
            "Qed.",
            f"Print Assumptions {d.module}_whole.",
        )

    def _applied(self, at: str, explored: str, known: str, c: str) -> list[str]:
        """The library's theorem."""
        return [
            f"  rewrite (learning_rate_value {at} {explored} Hc HX). unfold flat.",
            f"  apply (bandit_{self.development.kind}_theorem _ _ _ _ _ _ (1 / (2 * rate {c})));",
            f"    [lia | exact HX | exact HD | exact (explores {known}) | exact (pays {known}) |].",
            f"  exact (conditions {c} Hc).",
        ]

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
        c, k = self.c, self.k
        self.development.add(
            f"Lemma learning_rate_value {c} {GAME} v_gamma : claimed {c} -> 0 < v_X ->",
            f"  learning_rate {c} {GAME} v_gamma = v_gamma * rate {c} / ({k} * v_X ^ 2).",
            "Proof. start. unfold learning_rate, rate. split_cases; first [field; nonzero | exfalso; lra]. Qed.\n",
        )

    def _pays(self) -> None:
        c, k = self.c, self.k
        explored = f"(exploration {self.at('exploration')})"
        self.development.add(
            f"Lemma pays {c} {GAME} root_T : claimed {c} -> {PROPERTIES} ->",
            f"  bandit_regret_follows {k} v_D {explored} {self._rate_there(explored)} v_T",
            f"    (excess {c} {GAME}).",
            f"Proof.\n  intros Hc; intros.{self._rate_is_known()}",
            *self._known(*self.paid),
            f"  unfold bandit_regret_follows, {self.rate_name} in *. split_cases; few_or_paid;",
            f"    {self._uses('regret')}.\nQed.\n",
        )

    def _rate_there(self, explored: str) -> str:
        """The learning rate in the game."""
        return f"({explored} * rate {self.c} / ({self.k} * v_X ^ 2))"

    def _rate_is_known(self) -> str:
        """A tactic: the rate of full information is positive."""
        return f" assert (Hrate := rate_is_positive {self.c} Hc)."

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
