"""Proximal updates: labels, drawn alike, at whose scores the criterion fails: no algorithm attains the constant.

Each label is ahead of the others when it is drawn: with a margin loss all of them, with a softmax loss two, at
logarithms of rational weights.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.coq.broken_maps import near
from gaptron.coq.proved import shown
from gaptron.coq.real_terms import number
from gaptron.coq.refuted import HALF, LIA, ONE, ZERO, Refuted, Witness
from gaptron.coq.script import OutOfScopeError
from gaptron.language.terms import Term

if TYPE_CHECKING:
    from gaptron.coq.from_data import ProximalDevelopment
    from gaptron.coq.writing import Function


class Criterion(Witness):
    """The lemmas about one witness."""

    of_losses = "losses_known data data_proofs data_is_proved"  # the library's theorem
    asked: str  # of the loss at the classes {k}, and parameters, {c}
    facts = "P & V & F"  # the names of that

    def __init__(self, development: "ProximalDevelopment", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        assert development.regret is not None  # noqa: S101
        self.constant = development.regret

    def write(self) -> None:
        """The rest of the development, after its functions."""
        if self.found.part != "criterion":
            raise OutOfScopeError("with proximal updates the library speaks of the criterion alone")
        self._claimed()
        self.development.is_positive(self.constant, "regret/positive")
        self.development.of_data("loss_conditions", self.conditions(), self.of_losses)
        self.breaks()
        self._whole(self.not_attained(self.fixed or "K", "{0}", "X"))

    def conditions(self) -> str:
        """What the library asks of the loss, and Coq computes and proves from data."""
        return self.asked.format(c=self.development.binders, k=self.development.k)

    def breaks(self) -> None:
        """The lemma that no algorithm attains the constant there."""
        raise NotImplementedError

    def not_attained(self, k: str, c: str, radius: str) -> str:
        """The statement."""
        loss = self.surrogate.replace(" K ", f" {k} ").format(c)
        return f"~ attainable (classification {k} {(self.fixed and 1) or k} {loss}) {radius} 1 (regret {c})"

    def broken(self, applied: str, *tactics: str) -> None:
        """The lemma, by a theorem of the library."""
        self.witness_breaks(
            self.not_attained(self.k, self.c, "1"),
            f"  destruct (loss_conditions {self.c} Hc) as ({self.facts}).",
            f"  apply ({applied}); rewrite ?witness_classes.",
            *(f"  - {tactic}." for tactic in tactics),
        )


class MarginCriterion(Criterion):
    """phi(m)."""

    asked = (  # it is not negative, convex, and does not increase
        "(forall v_m, 0 <= phi {c} v_m) /\\ (forall v_m, exists g, subgradient (phi {c}) v_m g) /\\\n"
        "  ({k} <> 2 -> forall v_m g, subgradient (phi {c}) v_m g -> g <= 0)"
    )

    def breaks(self) -> None:
        """(K - 1)/K - phi(m) - c (K - 1)/K m^2 > 0."""
        first, share, (phi,) = self.found.scores[0], 1 - Fraction(1, self.found.classes), self.functions
        margin = first[0] - first[1]
        at, right = number(margin), ("+", self.value(phi, margin), ("*", share * margin**2, self.value(self.constant)))
        self.positive("witness_gap", ("+", share, ("*", -ONE, right)))
        self.broken(
            f"margin_not_attained {self.k} _ _ _ {at} {LIA} Rlt_0_1 (regret_is_positive {self.c} Hc) P V",
            "exact F",
            self.by_fact("witness_gap", (phi, at), (self.constant, "")),
        )


class BinaryCriterion(Criterion):
    """plus(z), minus(z)."""

    fixed = "2"
    asked = (  # they are not negative, and convex
        "(forall v_z, 0 <= plus {c} v_z) /\\ (forall v_z, 0 <= minus {c} v_z)"
        " /\\ (forall v_z, exists g, subgradient (plus {c}) v_z g)"
        " /\\ (forall v_z, exists g, subgradient (minus {c}) v_z g)"
    )
    facts = "P & Q & V & U"

    def breaks(self) -> None:
        """1/2 - (plus(u) + minus(v))/2 - c (u - v)^2/4 > 0."""
        scores = [row[0] for row in self.found.scores]
        places = [(side, score) for side, score in zip(self.functions, scores, strict=True)]
        losses = [self.value(side, score) for side, score in places]
        variance = (scores[0] - scores[1]) ** 2 / 4
        right = ("+", *(("*", HALF, loss) for loss in losses), ("*", variance, self.value(self.constant)))
        self.positive("witness_gap", ("+", HALF, ("*", -ONE, right)))
        u, v = map(number, scores)
        self.broken(
            f"binary_not_attained _ _ _ _ {u} {v} Rlt_0_1 (regret_is_positive {self.c} Hc) P Q V U",
            self.by_fact("witness_gap", *((side, number(at)) for side, at in places), (self.constant, "")),
        )


class ScoresCriterion(Criterion):
    """phi of each pair, or own and other: labels alike at two scores, the others at one."""

    of_losses = "losses_of_scores data data_proofs data_is_proved"
    facts = "V & U"

    def conditions(self) -> str:
        """They are convex; of pairs there is one."""
        named = (f"{function.name} {self.development.binders}" for function in self.functions)
        own, other = [*(f"(forall v_z, exists g, subgradient ({call}) v_z g)" for call in named), "True"][:2]
        return f"{own} /\\ {other}"

    def breaks(self) -> None:
        """(n - 1)/n - own(A) - (n - 1) rival(A, B) - (K - n) rival(A, t) - c (n - 1)/n (A - B)^2 > 0."""
        row, k = self.found.scores[0], self.found.classes
        n = next((n for n in range(2, k + 1) if _alike(row, n) and shown(self._unpaid(row, n))), None)
        if n is None:
            raise OutOfScopeError("no labels that are alike are seen to break the criterion at its witness")
        self.positive("witness_gap", self._unpaid(row, n))
        a, b, t = map(number, self._places(row, n))
        calls = [(function, number(at)) for function, at in self._values(row, n)]
        given = ["V", *(["U"] if len(self.functions) > 1 else [])]
        self.broken(
            f"{self.development.kind}_not_attained {self.k} {' '.join('_' for _ in self.functions)} _ _ {n} {a} {b} {t}"
            f" {LIA} Rlt_0_1 {' '.join(given)}",
            f"{self._in_numbers(row, n)}; {self.by_fact('witness_gap', *calls, (self.constant, ''))}",
        )

    def _in_numbers(self, row: Sequence[Fraction], n: int) -> str:
        """Tactics: numbers in the place of a count and of differences of scores."""
        counted = f"unfold unpaid_alike; try replace (INR {n}) with {n} by (rewrite INR_IZR_INZ; reflexivity)"
        if len(self.functions) > 1:
            return counted
        a, b, t = self._places(row, n)
        differences = (f"try replace ({number(a)} - {number(at)}) with {number(a - at)} by lra" for at in (b, t))
        return "; ".join([counted, *differences])

    @staticmethod
    def _places(row: Sequence[Fraction], n: int) -> tuple[Fraction, Fraction, Fraction]:
        """The label's score, those of its rivals that are drawn, and the others'."""
        return row[0], row[1], row[n] if n < len(row) else ZERO

    def _values(self, row: Sequence[Fraction], n: int) -> list[tuple["Function", Fraction]]:
        """Where the functions are taken: the label's own, of a rival that is drawn, and of one that is not."""
        a, b, t = self._places(row, n)
        *own, rival = self.functions
        return [*((one, a) for one in own), *((rival, at if own else a - at) for at in (b, t))]

    def _unpaid(self, row: Sequence[Fraction], n: int) -> Term:
        """How much the criterion is broken."""
        a, b, _ = self._places(row, n)
        *own, near, far = (self.value(*place) for place in self._values(row, n))
        share, others = 1 - Fraction(1, n), (("*", Fraction(n - 1), near), ("*", Fraction(self.found.classes - n), far))
        paid: Term = ("*", share * (a - b) ** 2, self.value(self.constant))
        return ("+", share, ("*", -ONE, ("+", *own, *others, paid)))


def _alike(row: Sequence[Fraction], n: int) -> bool:
    """Whether the first n labels may be alike: their rivals have one score, and so have all others."""
    return len({*row[1:n]}) == 1 and len({*row[n:]}) <= 1


class SoftmaxCriterion(Criterion):
    """psi(p_y)."""

    asked = (  # it is convex in the logit, and does not increase
        "(forall v_p, 0 < v_p < 1 -> exists r, logit_subgradient (psi {c}) v_p r) /\\\n"
        "  ({k} <> 2 -> forall v_p r, 0 < v_p < 1 -> logit_subgradient (psi {c}) v_p r -> r <= 0)"
    )
    facts = "V & F"

    def breaks(self) -> None:
        """1/2 - psi(q) - c ln(a)^2/2 > 0 for labels of weight a among others of weights 1 and f."""
        (psi,) = self.functions
        found = next(
            (pair for pair in map(self._weights, near(self.found.scores[0], 1)) if shown(self._gap(*pair))), None
        )
        if found is None:
            raise OutOfScopeError("no scores near its witness with rational probabilities break the criterion")
        self.positive("witness_gap", self._gap(*found))
        a, f, q = map(number, (*found, self._chance(*found)))
        positive = "ltac:(lra)"
        self.broken(
            f"softmax_not_attained {self.k} _ _ _ {a} {f} {q} {LIA} Rlt_0_1 {positive} {positive} V",
            "exact F",
            "equal",
            self.by_fact("witness_gap", (psi, q), (self.constant, "")),
        )

    def _weights(self, row: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """Of the label that is drawn and of those that never are, beside the other label."""
        return row[0] / row[1], row[2] / row[1] if len(row) > 2 else ONE

    def _chance(self, a: Fraction, f: Fraction) -> Fraction:
        """The probability of the label."""
        return a / (a + 1 + (self.found.classes - 2) * f)

    def _gap(self, a: Fraction, f: Fraction) -> Term:
        """How much the criterion is broken."""
        (psi,) = self.functions
        loss, constant = self.value(psi, self._chance(a, f)), self.value(self.constant)
        return ("+", HALF, ("*", -ONE, loss), ("*", -HALF, constant, ("^", ("log", a), 2)))
