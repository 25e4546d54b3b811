"""Gaptron for any number of classes, with full-information or bandit feedback (van der Hoeven 2020, Algorithm 1)."""

import math
from functools import partial
from typing import Any

import numpy as np

from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.learner import CALLS, Mixture
from gaptron.learners.rounds import Decoded, RoundLearner, chosen_decoder
from gaptron.learners.surrogates import checked_theorem, in_doubles, in_exact_numbers
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Number
from gaptron.rounds.geometry import geometry_of
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.theory import by_name

UPDATES = ("gradient", "proximal")
MISSING = "neither learning_rate nor regret"


class Gaptron(RoundLearner):
    """Online multiclass classification with a constant (full) or O(K sqrt T) (bandit) surrogate regret.

    A round (van der Hoeven 2020, Algorithm 1) costs O(dK): scores W x; y* the lowest index among the largest;
    p' = (1 - max(a, gamma)) e_{y*} + max(a, gamma)/K; draw y' from p'; W <- projection of W - eta g on
    {||W||_F <= radius}, g the gradient of the surrogate loss, times 1[y' = y]/p'(y') with bandit feedback.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    loss : "logistic", "hinge", "smooth hinge" or Theorem
        Equations (1)-(3), or (4)-(6) with bandit feedback, with the gap maps of Theorems 1-6; or a Theorem
        with a MarginLoss or a SoftmaxLoss.
    feedback : "full" or "bandit"
        What ``update`` is told: the label, or whether the prediction was correct.
    learning_rate : number > 0, optional
        eta as used in the step. Default with full information: the theorem's, divided by feature_norm^2; with
        bandit feedback: gamma eta_full/(K X^2), eta_full the full-information rate for X = 1.
    exploration : number in [0, 1], optional
        gamma. Default with full information: 0; with bandit feedback:
        min(1, sqrt(K^2 D^2 X^2/(2 eta_full (K - 1) T))), D = radius and T = horizon. It minimises
        K D^2 X^2/(2 gamma eta_full) + gamma T (K - 1)/K, the excess for a comparator of norm D when
        eta = gamma eta_full/(K X^2); for the hinge loss it is the gamma printed in Theorem 5.
    feature_norm : number > 0
        X, a bound on ||x||: assumed by the theorems, not enforced.
    radius : number > 0
        D; infinite for no projection.
    horizon : int >= 1, optional
        T, used by the bandit defaults only.
    ties : "lowest" or "fair"
        Which of the labels with the largest score is the top label: the lowest, or one drawn fairly for each
        prediction (not with ``exact``). The theorems hold for both: a label that is tied but not the lowest is a
        wrong round with the same loss, and a fair draw is wrong no more often than that.
    decoder : "gap map" or "best", optional
        How to predict; default: the theorem's, "gap map" for a loss with a name. The best decoder gives label k the
        probability max(0, 1 - h_k), h_k = loss_k - (eta/2) ||g_k||^2 with ||x|| = X, and what is left to y*; the
        step is the same. It goes with full information, no exploration and ties = "lowest", and allows the largest
        learning rate of any prediction: pass the one that ``gaptron sharpen`` certifies. With a larger one, scores
        at which there is no prediction raise ValueError.
    update : "gradient" or "proximal", optional
        How to learn; default: the theorem's, "gradient" for a loss with a name. A proximal step is
        W <- argmin_V loss(V) + ||V - W||^2/(2 eta), eta = 1/(2 c X^2), and goes with the best decoder, whose needs are
        max(0, 1 - e_k) of the steps' envelopes e_k, and with no projection. c is the theorem's regret, the optimal
        one over all algorithms for a loss with a name (0.186453, K^2/(4 (K - 1)) for max(0, 1 - m), K). ||x|| > X is a
        ValueError. The attribute is ``update_rule``.
    delay : int >= 0
        n: the label of a round may arrive as late as n rounds later, after n further predictions, with full
        information. n + 1 copies of the learner take turns, so that E[mistakes] is at most
        E sum loss(U) + (n + 1) ||U||^2/(2 eta), and no algorithm has a smaller multiple of the optimal constant
        (``docs/optimal_constant.md``). Labels arrive in the order of their rounds: each ``predict`` begins a round,
        each ``update`` ends the earliest that waits, and a prediction that n + 1 rounds wait for is a ValueError.
        ``predict_proba`` is about the next round and begins none; ``run`` predicts each round without the labels of
        the n before it.
    exact : bool
        Compute with fractions (balls where the loss is transcendental or a parameter is a ball) instead of doubles;
        ``W`` and every result are then object arrays. A round that balls cannot settle raises
        gaptron.numbers.evaluate.UncertainError.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, (n + 1) d) array
        The weights, zero at first: those of the n + 1 copies side by side, without delay of one.
    turn, waiting : int
        The copy that learns next, and how many rounds wait for their labels; 0 without delay.
    learning_rate, exploration : number
        eta (1/X^2 included) and gamma as used.
    surrogate
        The loss and the gap map: ``gap``, ``value``, ``score_gradient``, ``learning_rate``, ``regret``.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        If an argument is not as above, a default needs an argument that is missing, or fractions meet a projection
        whose square root is not one.

    Examples
    --------
    >>> from gaptron import Gaptron
    >>> learner = Gaptron(n_classes=3, n_features=2, loss="smooth hinge", seed=0)
    >>> learner.predict_proba([1, 0])
    array([0.33333333, 0.33333333, 0.33333333])
    >>> round(learner.run([[1, 0], [0, 1], [1, 0]], [2, 1, 2]).expected_mistakes, 3)
    1.796
    """

    STATE: tuple[str, ...] = ("W", "turn", "waiting")
    _proximal_theorem = staticmethod(by_name.proximal_theorem)

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        loss: str | StatedTheorem = "smooth hinge",
        feedback: str = "full",
        learning_rate: Number | None = None,
        exploration: Number | None = None,
        feature_norm: Number = 1,
        radius: Number = math.inf,
        horizon: int | None = None,
        ties: str = "lowest",
        decoder: str | None = None,
        update: str | None = None,
        delay: int = 0,
        exact: bool = False,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.feedback = checks.choice(feedback, "feedback", tuple(CALLS))
        self.feature_norm = checks.positive(feature_norm, "feature_norm")
        self.radius = checks.positive(radius, "radius", infinite=True)
        self.horizon = None if horizon is None else checks.integer(horizon, "horizon", 1)
        self.delay = checks.integer(delay, "delay", 0)
        if self.delay and self.feedback != "full":
            raise ValueError(f'delay = {self.delay}: with feedback = "{self.feedback}" it must be 0')
        self.exact = checks.flag(exact, "exact")
        self.loss_given, self.update_given = loss, update
        self.update_rule = self._chosen_update()
        if isinstance(loss, str) and self.update_rule == "proximal":
            loss = self._proximal_theorem(loss)
        self.ties = checks.choice(ties, "ties", ("lowest", "fair"))
        if self.exact and self.ties == "fair":
            raise ValueError('ties = "fair": with exact = True it must be "lowest" (balls cannot tell a tie)')
        balls = any(map(checks.is_ball, (learning_rate, exploration)))
        theorem = self._stated(loss)
        build = partial(in_exact_numbers, balls=balls) if self.exact else in_doubles
        self.surrogate = build(theorem, self.n_classes)
        self._arithmetic = self.surrogate.arithmetic
        self.decoder = chosen_decoder(decoder, theorem.decoder)
        self._check_settings(exploration)
        self._set_parameters(exploration, learning_rate, theorem)
        self.W = self._arithmetic.zeros((self.surrogate.rounds.rows, (self.delay + 1) * self.n_features))
        self.turn = self.waiting = 0

    def predict(self, x: Given) -> int:
        """A label drawn from ``predict_proba(x)``; with ``delay`` a round begins, which ``update`` ends."""
        drawn = super().predict(x)
        self.waiting += self.delay > 0
        return drawn

    def _scores(self, x: Array) -> Array:
        return self._arithmetic.scores(self._predicting, x)

    def _learn_label(self, prediction: Any, label: int) -> None:
        self._learn(prediction, label, 1)
        self.turn = (self.turn + 1) % (self.delay + 1)

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        if correct:
            self._learn(prediction, drawn, 1 / probability)

    def _learn(self, prediction: Mixture | Decoded, label: int, weight: Number) -> None:
        self._descend(prediction, label, weight)
        if not math.isinf(self.radius):
            self._arithmetic.project(self._learning, self.radius)

    def _descend(self, prediction: Mixture | Decoded, label: int, weight: Number) -> None:
        """The step, on the rows that it moves."""
        if weight == 0:
            return
        step, found, x = self.step, self._found(prediction), prediction.x
        with np.errstate(over="ignore", invalid="ignore"):
            if step.proximal is None:
                moved, squared = step.slopes(found, label, None, self._arithmetic.given(weight)), None
            else:
                squared = (x * x).sum()
                moved = None if squared == 0 else step.moves(found, label, self._arithmetic.given(squared))
            if moved is None:
                return
            moves = self._arithmetic.written(moved)
            rows = np.flatnonzero(moves)
            change = np.outer(moves[rows], x)
            self._move(rows, change if squared is None else change / squared)

    def _move(self, rows: Array, change: Array) -> None:
        """Add to some rows of the weights."""
        W = self._learning
        changed = W[rows] + change
        if self._arithmetic.dtype is float and not np.isfinite(changed).all():
            raise OverflowError("the weights overflow: lower learning_rate, or scale the features")
        W[rows] = changed

    # --- labels that arrive late ------------------------------------------------------------------------------

    @property
    def _predicting(self) -> Array:
        """The weights that the next prediction is made with, a view of ``W``."""
        if self.waiting > self.delay:
            raise ValueError(
                f"waiting = {self.waiting}: with delay = {self.delay} the earliest round is to be updated first"
            )
        return self._copy(self.turn + self.waiting)

    @property
    def _learning(self) -> Array:
        """The weights that the next label changes, a view of ``W``."""
        return self._copy(self.turn)

    def _copy(self, number: int) -> Array:
        begin = number % (self.delay + 1) * self.n_features
        return self.W[:, begin : begin + self.n_features]

    def _update_full(self, x: Given, label: object, correct: object, predicted: object) -> None:
        waiting, self.waiting = self.waiting, 0
        try:
            super()._update_full(x, label, correct, predicted)
            waiting = max(0, waiting - 1)
        finally:
            self.waiting = waiting

    def _require_no_round(self) -> None:
        if self.waiting:
            raise ValueError(f"waiting = {self.waiting}: rounds that wait for a label are to be updated before a run")

    # --- parameters -----------------------------------------------------------------------------------------

    def _chosen_update(self) -> str:
        """The update that is asked for, else the theorem's."""
        stated = getattr(self.loss_given, "data", None)
        own = stated.update if isinstance(stated, TheoremData) else "gradient"
        asked = own if self.update_given is None else checks.choice(self.update_given, "update", UPDATES)
        if isinstance(stated, TheoremData) and asked != own:
            raise ValueError(f'update = {asked!r}: theorem "{stated.name}" is about {own} updates')
        return asked

    def _check_settings(self, exploration: Number) -> None:
        """Refuse what does not go with the best decoder or with proximal updates, or has no steps."""
        given = {"feedback": self.feedback, "ties": self.ties, "exploration": exploration or 0}
        for argument, allowed in {"feedback": "full", "ties": "lowest", "exploration": 0}.items():
            if self.decoder == "best" and given[argument] != allowed:
                raise ValueError(f'{argument} = {given[argument]!r}: with decoder = "best" it must be {allowed!r}')
        if self.update_rule != "proximal":
            return
        if not math.isinf(self.radius):
            raise ValueError(f'radius = {self.radius}: with update = "proximal" there is no projection')
        try:
            _ = self.surrogate.proximal
        except NotImplementedError as reason:
            raise ValueError(str(reason)) from reason

    def _stated(self, loss: object) -> TheoremData:
        """The theorem of a loss that this learner can learn with."""
        theorem = by_name.theorem(loss) if isinstance(loss, str) else checked_theorem(loss, by_name.MULTICLASS)
        if geometry_of(theorem.loss).one_vector:
            raise ValueError(f'loss = theorem "{theorem.name}" has a {theorem.loss.kind}: use BinaryGaptron')
        if not theorem.claims(self.n_classes):
            claimed = f"{theorem.first}" if theorem.first == theorem.last else f"{theorem.first} to {theorem.last}"
            raise ValueError(f'n_classes = {self.n_classes}: theorem "{theorem.name}" is for {claimed} only')
        if theorem.feedback == "bandit" and self.feedback == "full":
            raise ValueError(f'feedback = "full": theorem "{theorem.name}" is for feedback="bandit"')
        return theorem

    def _set_parameters(self, exploration: Number, learning_rate: Number, theorem: TheoremData) -> None:
        if exploration is not None:
            checks.fraction_of_one(exploration, "exploration")
        if learning_rate is not None:
            checks.positive(learning_rate, "learning_rate")
        if theorem.feedback == "bandit":
            exploration, learning_rate = self._printed_parameters(theorem, exploration, learning_rate)
        if exploration is None:
            exploration = 0 if self.feedback == "full" else self._default_exploration()
        self.exploration = self._arithmetic.number(exploration)
        if learning_rate is None:
            learning_rate = self._default_learning_rate()
        self.learning_rate = self._arithmetic.number(learning_rate)

    def _default_learning_rate(self) -> Number:
        full_rate = self.surrogate.learning_rate
        if full_rate is None:
            is_proximal = self.update_rule == "proximal"
            missing = "no regret c, and gaptron sharpen finds the least" if is_proximal else MISSING
            raise ValueError(f"learning_rate is missing: the theorem states {missing}")
        rate = full_rate / self._arithmetic.number(self.feature_norm) ** 2
        if self.feedback == "full":
            return rate
        if self.exploration == 0:
            raise ValueError("learning_rate is missing: with exploration = 0 its bandit default would be 0")
        return self.exploration * rate / self.n_classes

    def _default_exploration(self) -> float:
        self._require_bandit_bounds("exploration")
        eta = self.surrogate.learning_rate
        if eta is None:
            raise ValueError(f"exploration is missing: the theorem states {MISSING}")
        n, squared = self.n_classes, (self.n_classes * float(self.radius) * float(self.feature_norm)) ** 2
        return min(1.0, math.sqrt(squared / (2 * eta * (n - 1) * self.horizon)))

    def _printed_parameters(self, theorem: TheoremData, exploration: Number, rate: Number) -> tuple[Number, Number]:
        """What a bandit theorem prints, in K, X, D, T and gamma, for the parameters that are not given."""
        if exploration is None or rate is None:
            self._require_bandit_bounds("exploration and learning_rate")
        at = {"K": self.n_classes, "X": self.feature_norm, "D": self.radius, "T": self.horizon}
        if exploration is None and theorem.exploration is not None:
            exploration = min(1.0, float(value_at(theorem.exploration, at)))
        if rate is None and theorem.learning_rate is not None:
            rate = float(value_at(theorem.learning_rate, at | {"gamma": exploration}))
        return exploration, rate

    def _require_bandit_bounds(self, missing: str) -> None:
        if math.isinf(self.radius) or self.horizon is None:
            raise ValueError(
                f"radius = {self.radius}, horizon = {self.horizon}: without {missing}, bandit "
                "feedback needs a finite radius and a horizon"
            )
