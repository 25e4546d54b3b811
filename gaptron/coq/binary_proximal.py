"""Proximal updates with one weight vector: the conditions under which some algorithm attains the constant."""

from collections.abc import Iterator

from gaptron.coq.broken_proximal import BinaryCriterion
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.proximal_updates import ProximalDevelopment
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import EMPTY, functions_of
from gaptron.symbols import z
from gaptron.theory.theorem import Theorem


class BinaryProximal(ProximalDevelopment):
    """plus(z) for the label +1, minus(z) for -1: two scores, or one where the losses mirror each other."""

    theory = "OptimalSets OptimalBinary"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        sides = functions_of(theorem.loss)
        self.functions = [*sides, *self.functions]
        self.plus, self.minus = (InPieces(self, side) for side in sides)
        self.open()
        if found is not None:
            BinaryCriterion(self, found).write()
            return
        self.plus.write()
        self.minus.write()
        self.positive()
        self._conditions(self._of_one_score() if self._is_mirrored() else self._of_two_scores())
        self.whole(
            "(classification 2 1 (of_sign (plus {0}) (minus {0})))",
            "apply attaining_binary_theorem; [exact (conditions {0} Hc) | exact HX]",
            fixed="(INR 2)",
        )

    def _is_mirrored(self) -> bool:
        """Whether the criterion is about one score, as ``obligations/attained.py`` has it."""
        plus, minus = self.plus.function.expr, self.minus.function.expr
        return bool(minus == plus.subs(z, -z))

    def _of_one_score(self) -> str:
        """The lemmas, and a proof of the condition."""
        c, plus = self.binders, self.plus.function
        self.add(
            f"Lemma minus_mirrors_plus {c} v_z : claimed {c} -> minus {c} v_z = plus {c} (- v_z).",
            f"Proof. intro Hc. assert (F := plus_is_defined {c} (- v_z) Hc). unfold plus_defined in F.",
            f"  {self.apart(plus, 'E', '(- v_z)')}; start; first [{' | '.join([EMPTY, *self._mirrored()])}]. Qed.",
            "",
            f"Lemma criterion {c} v_z : claimed {c} -> 1 / 2 - plus {c} v_z - regret {c} * v_z ^ 2 <= 0.",
            "Proof.",
            "  intro Hc.",
            *self.unless_far_of(self.plus, "lra"),
            f"  {self.known()}. {self.apart(plus, 'E', 'v_z')}; {self.apart(self.constant, 'Ec')};",
            f"  start; {self.uses('criterion/')}.",
            "Qed.",
            "",
        )
        mirrors, one = (f"(fun v_z => {lemma} {c} v_z Hc)" for lemma in ("minus_mirrors_plus", "criterion"))
        return f"(mirrored_criterion _ _ _ {self.plus.convex} {mirrors} {one})"

    def _mirrored(self) -> Iterator[str]:
        """Tactics: the value of plus at -z is that of a piece of minus at z."""
        for number, _ in enumerate(self.minus.smooth):
            there = f"minus_value_{number} {self.binders} v_z Hc ltac:(parts; first [exact I | side])"
            yield f"solve [rewrite ({there}); mirrored]"

    def _of_two_scores(self) -> str:
        """The lemma, and a proof of the condition."""
        c, scores = self.binders, "v_z_plus v_z_minus"
        plus, minus = (
            self.apart(side.function, name, at)
            for side, name, at in ((self.plus, "Ep", "v_z_plus"), (self.minus, "Em", "v_z_minus"))
        )
        self.add(
            f"Lemma criterion {c} {scores} : claimed {c} ->",
            f"  1 / 2 - (plus {c} v_z_plus + minus {c} v_z_minus) / 2",
            f"    - regret {c} * ((v_z_plus - v_z_minus) ^ 2 / 4) <= 0.",
            "Proof.",
            f"  intro Hc. {self.known()}. {plus}; {minus}; {self.apart(self.constant, 'Ec')};",
            f"  start; {self.uses('criterion/')}.",
            "Qed.",
            "",
        )
        return f"(fun {scores} => criterion {c} {scores} Hc)"

    def _conditions(self, criterion: str) -> None:
        c = self.binders
        self.add(
            f"Lemma conditions {c} : claimed {c} -> attaining_binary_conditions (plus {c}) (minus {c}) (regret {c}).",
            "Proof.\nintro Hc. split.",
            *(side.nonnegative() for side in (self.plus, self.minus)),
            *(f"- exact {side.convex}." for side in (self.plus, self.minus)),
            f"- exact (regret_is_positive {c} Hc).",
            f"- exact {criterion}.",
            "Qed.",
            "",
        )
