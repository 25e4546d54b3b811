"""Margin losses: the conditions of the library's ``margin_theorem``."""

from gaptron.coq.broken_bandit import MarginGame
from gaptron.coq.broken_margin import MarginWitness
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import Development, functions_of
from gaptron.theory.theorem import Contact, Theorem


class MarginDevelopment(Development):
    """phi(m), a(m*), and perhaps a threshold above which right rounds are off."""

    theory = "MarginTheorem"
    kind = "margin"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        phi, *threshold = functions_of(theorem.loss)
        self.beta = threshold[0] if threshold else None
        self.functions = [phi, *self.functions, *threshold]
        self.open()
        self.phi = InPieces(self, phi)
        beta_text = "None" if self.beta is None else "(Some (threshold {0}))"
        surrogate = f"(margin_loss K d (phi {{0}}) (gap_map_of {{0}}) {beta_text})"
        if found is not None:
            (MarginGame if found.game else MarginWitness)(self, found, surrogate).write()
            return
        self.phi.write()
        self.conclude(surrogate)

    def conclude(self, surrogate: str) -> None:
        """The conditions, and the theorem about the loss in the library's words."""
        self.rate()
        self._right()
        self._wrong()
        self._conditions()
        sharp = self._sharp()
        self.whole(
            f"K d {surrogate}",
            f"apply {self.prediction.theorem.format('margin')}; [lia | exact (conditions {{0}} Hc) | exact HX]",
            sharp=sharp,
        )

    @property
    def _paid(self) -> str:
        return f"exact (Rlt_le _ _ (rate_is_positive {self.binders} Hc))"

    def _right(self) -> None:
        c = self.binders
        right, _ = self.prediction.risks()
        on = "" if self.beta is None else f" -> v_m <= threshold {c}"
        self.add(
            f"Lemma right_gap {c} v_m slope : claimed {c} -> 0 <= v_m{on} -> subgradient (phi {c}) v_m slope ->",
            f"  {right} - phi {c} v_m + rate {c} * slope ^ 2 <= 0.",
            f"Proof.\n  intros Hc Hm {'' if self.beta is None else 'Hon '}Hg.",
        )
        threshold = "" if self.beta is None else self.apart(self.beta, "Eb", rewrite="rewrite {} in HON")
        steps = f"start; {self.prediction.apart('v_m')}"
        both = f"{steps}; {self.apart(self.eta, 'Er')}"
        uses = self.uses("gap/right")
        on_steps = f"; {threshold.replace('HON', 'Hon')}" if threshold else ""
        self.phi.gap("v_m", self._paid, f"{both}{on_steps}; {uses}")
        if self.beta is not None:
            self.add(
                f"Lemma off_gap {c} v_m : claimed {c} -> 0 <= v_m -> threshold {c} < v_m ->",
                f"  {right} <= 0.",
                f"Proof. intros Hc Hm Hoff. {steps}; {threshold.replace('HON', 'Hoff')}; {uses}. Qed.",
                "",
            )

    def _wrong(self) -> None:
        c, k = self.binders, self.k
        _, wrong = self.prediction.risks("v_s")
        self.add(
            f"Lemma wrong_gap {c} v_s v_t slope : claimed {c} -> 0 <= v_s <= v_t -> ({k} = 2 -> v_s = v_t) ->",
            f"  subgradient (phi {c}) (- v_t) slope ->",
            f"  {wrong} - phi {c} (- v_t) + rate {c} * slope ^ 2 <= 0.",
            "Proof.\n  intros Hc [Hs Hst] Htwo Hg.",
        )
        steps = (
            f"{self.prediction.apart('v_s')}; {self.apart(self.eta, 'Er')}; clear {self.prediction.equations} Er; start"
        )
        classes = f"destruct (classes_of {c} Hc) as [Ck | Ck]; [specialize (Htwo Ck); subst v_s {k} | clear Htwo]"
        self.phi.gap("(- v_t)", self._paid, f"{steps};\n    ({classes}); {self.uses('gap/wrong')}")

    def _conditions(self) -> None:
        c, k = self.binders, self.k
        beta = "None" if self.beta is None else f"(Some (threshold {c}))"
        conditions = self.prediction.conditions("margin", k, c)
        self.add(
            f"Lemma conditions {c} : claimed {c} ->",
            f"  {conditions} (phi {c}) (gap_map_of {c}) {beta} (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            self.phi.nonnegative(),
            f"- exact {self.phi.convex}.",
            *self.phi.falls(),
            self.map_range(),
            f"- exact (rate_is_positive {c} Hc).",
        )
        if self.beta is None:
            self.add(f"- intros v_m slope Hm _. exact (right_gap {c} v_m slope Hc Hm).", "- intros v_m _ [].")
        else:
            self.add(
                f"- intros v_m slope Hm Hon. exact (right_gap {c} v_m slope Hc Hm (Rnot_lt_le _ _ Hon)).",
                f"- intros v_m Hm Hoff. exact (off_gap {c} v_m Hc Hm Hoff).",
            )
        self.add(f"- exact (fun v_s v_t slope => wrong_gap {c} v_s v_t slope Hc).", self.regret_follows())
        self.add(*self.prediction.last_condition(), "Qed.", "")

    def _sharp(self) -> tuple[str, str] | None:
        """With any larger learning rate the conditions are false: the gap is zero at the contact, and grows with it."""
        contact = self.theorem.sharp_at
        if contact is None:
            return None
        c, larger, other = self.binders, self.free("v_e"), self.free("v_c")
        beta = "None" if self.beta is None else f"(Some (threshold {c}))"
        attempts = [f"solve [{self._at_contact(contact, number)}]" for number, _ in enumerate(self.phi.smooth)]
        statement = (
            f"forall {larger} {other}, rate {{0}} < {larger} -> "
            f"~ {self.prediction.conditions('margin', '{1}', '{0}')} (phi {{0}}) (gap_map_of {{0}}) "
            f"{beta.replace(c, '{0}')} {larger} {other}"
        )
        self.add(
            f"Lemma rate_is_largest {c} : claimed {c} -> {statement.format(c, self.k)}.",
            "Proof.",
            f"  intros Hc {larger} {other} He H. start.\n  first [ {(chr(10) + '  | ').join(attempts)} ].",
            "Qed.",
            "",
        )
        return statement, "exact (rate_is_largest {0} Hc)"

    def _at_contact(self, contact: Contact, number: int) -> str:
        """Tactics for the case that the piece of that number has the contact."""
        c = self.binders
        uses = self.uses("learning rate/sharp", first=("side",))
        margin, top = (self.printer.smooth(expr) for expr in (contact.margin, contact.top_margin))
        at = margin if contact.right else f"(- {self.printer.smooth(-contact.margin)})"
        slope = f"(phi_tangent_{number} {c} {at} Hc ltac:(parts; first [exact I | {uses}]))"
        if contact.right:
            off = (
                "exact (fun q => q)"
                if self.beta is None
                else (f"cbn [is_off]; apply Rle_not_lt; {self.apart(self.beta, 'Eb')}; {uses}")
            )
            gap = f"{self.prediction.condition('right')} H {at} _ ltac:({uses}) ltac:({off}) {slope}"
            top = at
        else:
            order = f"split; {uses}"
            equal = f"let E := fresh in intro E; try (exfalso; lra); {uses}"
            gap = f"{self.prediction.condition('wrong')} H {top} {at[3:-1]} _ ltac:({order}) ltac:({equal}) {slope}"
        return self.too_large(top, gap, f"(phi_value_{number} {c} {at} Hc ltac:(parts; first [exact I | {uses}]))")
