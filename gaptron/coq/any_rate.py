"""Margin losses with bandit feedback at any learning rate: the conditions of the library's ``any_rate_margin_theorem``.

They are about the rates of a game X, D, T: the share q of the uniform distribution is the gap map or gamma, and squares
of subgradients count by the probability of the label. The claims are those of the theorem's own obligations, in which
gamma is its expression if that is one of K alone, and otherwise any number in (0, 1].
"""

from gaptron.coq.bandit_feedback import GAME, PREMISES, PROPERTIES, Tuning
from gaptron.coq.margin import MarginDevelopment
from gaptron.obligations.mixture import exploration_rate

KNOWN = "Hc HX HD HT HI Hgamma Hx Heta"


class OwnTuning(Tuning):
    """The rates of a game, at which the conditions are."""

    paid = ("exploration", "learning_rate", "excess")
    rate_name = "learning_rate"

    def _steps(self) -> None:
        self.development.add(
            f"Lemma steps {self.c} {GAME} root_T : claimed {self.c} -> {PROPERTIES} ->",
            f"  0 < learning_rate {self.at('learning_rate')} * v_X ^ 2.",
            "Proof.\n  intros Hc; intros.",
            *self._known("exploration", "learning_rate"),
            f"  split_cases; {self._uses('learning rate/positive', first=('lra',))}.\nQed.\n",
        )

    def _rate_there(self, explored: str) -> str:
        return f"(learning_rate {self.c} {GAME} {explored})"

    def _rate_is_known(self) -> str:
        return ""

    def _applied(self, at: str, explored: str, known: str, c: str) -> list[str]:
        return [
            "  unfold flat. apply any_rate_margin_theorem;",
            f"    [lia | exact HX | exact HD | exact (explores {known}) | exact (conditions {known}) |"
            f" exact (pays {known})].",
        ]


class MarginAtAnyRate(MarginDevelopment):
    """phi(m), a(m*), perhaps a threshold, and the rates of a game."""

    theory = "MarginTheorem BanditMargins"
    tunes = OwnTuning
    own_rates = True

    def conclude(self, guaranteed: str) -> None:
        """The rates, the gap at them, and the theorem."""
        assert self.tuning is not None  # noqa: S101
        self.phi.write()
        self.tuning.write()
        self._map_range()
        self._right_in_game()
        self._wrong_in_game()
        self._conditions_in_game()
        self.tuning.whole(guaranteed)

    def _map_range(self) -> None:
        c = self.binders
        self.add(
            f"Lemma map_range {c} : claimed {c} -> forall v_m, 0 <= v_m -> 0 <= gap_map_of {c} v_m <= 1.",
            f"Proof. intro Hc.{self.map_range()[1:]} Qed.\n",
        )

    def _gap_lemma(self, name: str, numbers: str, premises: str, gap: str) -> None:
        """The statement of a gap, for the share q of the uniform distribution."""
        c = self.binders
        self.add(
            f"Lemma {name} {c} {GAME} v_gamma v_q {numbers} : claimed {c} -> {PREMISES} -> integer v_T ->",
            f"  0 < v_gamma <= 1 -> v_gamma = exploration {c} {GAME} -> 0 < {self._rate} ->",
            f"  {premises} ->",
            f"  {gap} <= 0.",
        )

    @property
    def _rate(self) -> str:
        return f"learning_rate {self.binders} {GAME} v_gamma * v_X ^ 2"

    @property
    def _excess(self) -> str:
        return f"(v_q - v_gamma) * ({self.k} - 1) / {self.k}"

    def _share(self, at: str, order: str) -> str:
        """Tactics: what is known of the share, at a value of the gap map's variable that is not negative."""
        k, c = self.k, self.binders
        return (
            f"  assert (Hk2 : 2 <= {k}) by (destruct (classes_of {c} Hc); lra).\n"
            f"  destruct (share_positive {k} _ _ _ Hk2 (map_range {c} Hc {at} {order}) Hgamma Hq) as [Hq1 Hseen]."
        )

    def _in_cases(self, at: str, claims: str, classes: str = "") -> str:
        """Tactics that go through the cases of the gap map, the share and the rates, and use the claims."""
        return (
            f"{self.apart(self.a, 'Ea', at, rewrite='rewrite {} in Hq')}; clear Ea; "
            f"destruct Hq as [[Hle ->] | [Hle ->]]; clear Heta; {self._rates_apart()}; start; {classes}"
            f"assert (Hn := positive_nonzero _ Hseen); {self.uses(claims, first=('lra',))}"
        )

    def _rates_apart(self) -> str:
        """Tactics that go through the cases of the rates, which are defined; gamma may be any number, or is known."""
        c = self.binders
        defined = f"assert (Fr := learning_rate_is_defined {c} {GAME} v_gamma Hc HX HD HT); revert Fr"
        if exploration_rate(self.theorem) == "gamma":
            return f"clear Hx; {defined}; unfold learning_rate_defined, learning_rate; split_cases; intro Fr"
        explored = f"assert (Fx := exploration_is_defined {c} {GAME} Hc HX HD HT); revert Fx Hx"
        unfolded = "unfold exploration_defined, exploration, learning_rate_defined, learning_rate"
        return f"{defined}; {explored}; {unfolded}; split_cases; intros Fx Hx Fr; subst v_gamma"

    def _right_in_game(self) -> None:
        c, k = self.binders, self.k
        share = f"share (gap_map_of {c} v_m) v_gamma v_q"
        on = "" if self.beta is None else f" -> v_m <= threshold {c}"
        self._gap_lemma(
            "right_gap",
            "v_m slope",
            f"0 <= v_m{on} -> {share} -> subgradient (phi {c}) v_m slope",
            f"{self._excess} - phi {c} v_m + {self._rate} / (1 - v_q + v_q / {k}) * slope ^ 2",
        )
        self.add(f"Proof.\n  intros {KNOWN} Hm {'' if self.beta is None else 'Hon '}Hq Hg.", self._share("v_m", "Hm"))
        paid = f"rewrite (seen_right {k} v_q Hk2); left; repeat apply Rdiv_lt_0_compat; lra"
        self.phi.gap("v_m", paid, f"{self._threshold('Hon')}{self._in_cases('v_m', 'gap/right')}")
        if self.beta is None:
            return
        off = f"0 <= v_m -> threshold {c} < v_m -> {share}"
        self._gap_lemma("off_gap", "v_m", off, self._excess)
        self.add(
            f"Proof.\n  intros {KNOWN} Hm Hoff Hq.",
            self._share("v_m", "Hm"),
            f"  {self._threshold('Hoff')}{self._in_cases('v_m', 'gap/right')}.\nQed.\n",
        )

    def _threshold(self, known: str) -> str:
        """Tactics: the threshold's value in what is known of it."""
        return (
            ""
            if self.beta is None
            else f"{self.apart(self.beta, 'Eb', rewrite=f'rewrite {{}} in {known}')}; clear Eb; "
        )

    def _wrong_in_game(self) -> None:
        c, k = self.binders, self.k
        self._gap_lemma(
            "wrong_gap",
            "v_s v_t slope",
            f"0 <= v_s <= v_t -> ({k} = 2 -> v_s = v_t) -> share (gap_map_of {c} v_s) v_gamma v_q ->\n"
            f"  subgradient (phi {c}) (- v_t) slope",
            f"1 - v_q / {k} - v_gamma * ({k} - 1) / {k} - phi {c} (- v_t) + {self._rate} / (v_q / {k}) * slope ^ 2",
        )
        self.add(f"Proof.\n  intros {KNOWN} [Hs Hst] Htwo Hq Hg.", self._share("v_s", "Hs"))
        classes = f"(destruct (classes_of {c} Hc) as [Ck | Ck]; [specialize (Htwo Ck); subst v_s {k} | clear Htwo]); "
        paid = "left; repeat apply Rdiv_lt_0_compat; lra"
        self.phi.gap("(- v_t)", paid, self._in_cases("v_s", "gap/wrong", classes))

    def _conditions_in_game(self) -> None:
        c, k = self.binders, self.k
        self.add(
            f"Lemma loss_conditions {c} : claimed {c} -> margin_surrogate {k} (phi {c}).",
            "Proof.\nintro Hc. split.",
            self.phi.nonnegative(),
            f"- exact {self.phi.convex}.",
            *self.phi.falls(),
            "Qed.\n",
        )
        beta = "None" if self.beta is None else f"(Some (threshold {c}))"
        explored, known = f"(exploration {c} {GAME})", f"{c} {GAME} root_T Hc HX HD HXD Er H1 H0 Hi"
        of_gap = f"Hc HX HD HT HI (explores {known}) eq_refl (steps {known})"
        self.add(
            f"Lemma conditions {c} {GAME} root_T : claimed {c} -> {PROPERTIES} ->",
            f"  bandit_margin_conditions {k} (phi {c}) (gap_map_of {c}) {beta} {explored}",
            f"    (learning_rate {c} {GAME} {explored} * v_X ^ 2) ({explored} * ({k} - 1) / {k}).",
            "Proof.",
            "  intros Hc HX HD HXD Er H1 H0 Hi. assert (HT : 1 <= v_T) by (rewrite Er; nra).",
            "  assert (HI : integer v_T) by (rewrite Er; exact Hi).",
            "  apply conditions_by_shares.",
            f"  - destruct (classes_of {c} Hc); lra.",
            f"  - exact (explores {known}).",
            f"  - exact (loss_conditions {c} Hc).",
            f"  - exact (map_range {c} Hc).",
            f"  - exact (steps {known}).",
        )
        right, off = f"right_gap {c} {GAME} _ v_q v_m slope {of_gap} Hm", f"off_gap {c} {GAME} _ v_q v_m {of_gap} Hm"
        if self.beta is None:
            self.add(f"  - intros v_m v_q slope Hm _. exact ({right}).", "  - intros v_m v_q _ [].")
        else:
            self.add(
                f"  - intros v_m v_q slope Hm Hon. exact ({right} (Rnot_lt_le _ _ Hon)).",
                f"  - intros v_m v_q Hm Hoff. exact ({off} Hoff).",
            )
        wrong = f"wrong_gap {c} {GAME} _ v_q v_s v_t slope {of_gap}"
        self.add(f"  - exact (fun v_s v_t v_q slope => {wrong}).", "Qed.\n")
