"""The protocol of every learner: its distribution, a draw from it, feedback, and whole streams."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array, Seed
from gaptron.learners.record import CheckedRows, Run, recorded
from gaptron.numbers.kinds import Number
from gaptron.rounds.layouts import mixed
from gaptron.system import checks
from gaptron.system.checks import Given

CALLS = {"full": "update(x, label)", "bandit": "update(x, predicted, correct)"}


@dataclass(frozen=True)
class Mixture:
    """The top label mixed with the uniform distribution, whose share is ``uniform``; ``scores`` has shape (K,).

    If labels are ``tied`` for the largest score each of them is the top label as often. ``seen`` is what a surrogate
    knows of the scores already.
    """

    x: Array
    scores: Array
    top: int
    uniform: Number
    n_classes: int
    tied: Array | None = None
    seen: Any = None

    @property
    def probabilities(self) -> Array:
        """(1 - uniform) e_top + uniform/K."""
        share = np.full(self.n_classes, self.uniform / self.n_classes, dtype=self.scores.dtype)
        if self.tied is None:
            share[self.top] = self.probability(self.top)
        else:
            share[self.tied] += (1 - self.uniform) / len(self.tied)
        return share

    def probability(self, label: int) -> Number:
        """p'(label)."""
        if self.tied is not None:
            return float(self.probabilities[label])
        return mixed(self.uniform, self.n_classes, label == self.top)[1]


@dataclass(frozen=True)
class Distribution:
    """Any distribution over the labels."""

    x: Array
    probabilities: Array

    def probability(self, label: int) -> Number:
        """Its entry at ``label``."""
        return self.probabilities[label]


Prediction = Mixture | Distribution  # one round before its label is known


class Learner:
    """An online classifier with K labels and d features.

    A subclass says how it predicts (``_prediction``) and how it learns (``_learn_label`` with full information,
    ``_learn_correct`` with bandit feedback), names the attributes that change as it learns in ``STATE``, and says with
    ``learns_when_wrong = False`` that a wrong draw changes none of them.

    Attributes
    ----------
    n_classes, n_features : int
        K >= 2 and d >= 1.
    feedback : "full" or "bandit"
        What ``update`` is told: the label, or whether the prediction was correct.
    delay, turn : int
        So many rounds late comes the label; which of the ``delay + 1`` copies learns next.
    rng : numpy.random.Generator
        Where the draws come from.
    """

    STATE: tuple[str, ...] = ("W",)
    learns_when_wrong = True
    n_classes: int
    n_features: int
    feedback: str = "full"
    delay: int = 0
    turn: int = 0
    rng: np.random.Generator
    _arithmetic: Arithmetic = Arithmetic()
    _remembered: tuple[Array, int, Number] | None = None

    def __init__(self, n_classes: int, n_features: int, seed: Seed) -> None:
        self.n_classes = checks.integer(n_classes, "n_classes", 2)
        self.n_features = checks.integer(n_features, "n_features", 1)
        self.rng = checks.generator(seed)

    def predict_proba(self, x: Given) -> Array:
        """The exact distribution of the prediction at x, shape (K,).

        Parameters
        ----------
        x : (d,) array of finite numbers
            Features; a bound on ||x|| is what the theorems assume, and is not enforced.

        Raises
        ------
        ValueError
            If x has another shape or is not finite.
        """
        return self._prediction(self._features(x)).probabilities

    def predict(self, x: Given) -> int:
        """A label drawn from ``predict_proba(x)``; its probability is remembered for the update."""
        prediction = self._prediction(self._features(x))
        drawn = self._draw(prediction)
        if self.feedback == "bandit":
            self._remembered = (prediction.x.copy(), drawn, prediction.probability(drawn))
        return drawn

    def update(
        self, x: Given, label: int | None = None, correct: bool | None = None, *, predicted: int | None = None
    ) -> None:
        """Learn from a round: ``update(x, label)``, with bandit feedback ``update(x, predicted, correct)``.

        Parameters
        ----------
        x : (d,) array of finite numbers
        label : int in 0..K-1
            The true label (full information).
        predicted : int in 0..K-1
            The predicted label. If it is what ``predict(x)`` drew last, the probability it was drawn with is
            used; otherwise its probability at the current state.
        correct : bool
            Whether it was the true label.

        Raises
        ------
        TypeError
            If the arguments are those of the other feedback.
        ValueError
            If an argument is not as above, or ``predicted`` has probability zero.
        OverflowError
            If the weights would leave the range of doubles; they are then unchanged.
        """
        if self.feedback == "full":
            self._update_full(x, label, correct, predicted)
        else:
            self._update_bandit(x, label if predicted is None else predicted, correct)

    def run(self, X: Given, y: Given, *, compiled: bool | None = None) -> Run:
        """Predict and update on every round of a stream, continuing from the current state.

        Parameters
        ----------
        X : (T, d) array of finite numbers, or a SciPy sparse matrix
        y : (T,) integers in 0..K-1
        compiled : bool, optional
            Whether numba (the extra ``fast``) runs the whole stream: the same draws, and the same
            numbers up to rounding, which may also decide which of two equal scores is the larger. Gaptron with a
            loss that has a name and its gap map, or with proximal updates and a loss that is linear in log p or has
            linear and quadratic pieces in the margin, Perceptron and Banditron can. Default: if they can and the
            stream is worth it, see ``gaptron.learners.compiled``.

        Raises
        ------
        ValueError
            If a shape, a feature or a label is not as above, nothing has been learned then; or ``compiled`` is
            True and this learner cannot.
        ModuleNotFoundError
            If ``compiled`` is True and numba is not installed.
        """
        from gaptron.learners import compiled as fast

        self._require_no_round()
        done = fast.run(self, X, y, compiled)
        return self._run(X, y) if done is None else done

    def _require_no_round(self) -> None:
        """ValueError if a round has begun whose label did not arrive."""

    def _run(self, X: Given, y: Given) -> Run:
        """The reference: round by round."""
        rounds = CheckedRows(X, self.n_features, self._arithmetic)
        labels = checks.labels(y, "y", len(rounds), self.n_classes)
        return self._summary(labels, [self._round(x, label) for x, label in zip(rounds, labels, strict=True)])

    def _summary(self, labels: Sequence[int], records: Sequence[tuple[Number, ...]]) -> Run:
        """What is kept of rounds, each as ``_round`` gives it."""
        wrong, correct, loss, off = zip(*records, strict=True) if records else ((), (), (), ())
        numbers = self._arithmetic.dtype
        return recorded(
            np.array(wrong, dtype=bool),
            np.array(correct, dtype=numbers),
            np.array(loss, dtype=numbers),
            np.array(off, dtype=bool),
        )

    # --- what a subclass says -----------------------------------------------------------------------------------

    def _prediction(self, x: Array) -> Prediction:
        raise NotImplementedError

    def _learn_label(self, prediction: Any, label: int) -> None:
        """A round of full information."""
        raise NotImplementedError

    def _learn_correct(self, prediction: Any, drawn: int, correct: bool, probability: Number) -> None:
        """A round of bandit feedback; ``probability`` is what ``drawn`` was drawn with."""
        raise NotImplementedError

    def _loss(self, prediction: Any, label: int) -> tuple[Number, bool]:
        """The surrogate loss, and whether it is switched off."""
        return np.nan, False

    # --- rounds -------------------------------------------------------------------------------------------------

    def _features(self, x: Given) -> Array:
        return self._arithmetic.array(x, "x", (self.n_features,))

    def _draw(self, prediction: Any) -> int:
        uniform = self._arithmetic.number(self.rng.random())
        if not isinstance(prediction, Mixture):
            return _label_at(uniform, prediction.probabilities, self._arithmetic)
        if self._arithmetic.is_less(uniform, prediction.uniform):
            return int(self.rng.integers(self.n_classes))
        return prediction.top if prediction.tied is None else int(self.rng.choice(prediction.tied))

    def _round(self, x: Array, label: int) -> tuple[Number, ...]:
        """Whether it was wrong, P(right), the loss and whether that is off."""
        prediction = self._prediction(x)
        drawn = self._draw(prediction)
        loss, off = self._loss(prediction, label)
        if self.feedback == "full":
            self._learn_label(prediction, label)
        else:
            self._learn_correct(prediction, drawn, drawn == label, prediction.probability(drawn))
        return drawn != label, prediction.probability(label), loss, off

    def _update_full(self, x: Given, label: object, correct: object, predicted: object) -> None:
        if label is None or correct is not None or predicted is not None:
            raise TypeError(f'feedback = "full" learns by {CALLS["full"]}')
        y = checks.label(label, "label", self.n_classes)
        self._learn_label(self._prediction(self._features(x)), y)

    def _update_bandit(self, x: Given, predicted: object, correct: object) -> None:
        if predicted is None or correct is None:
            raise TypeError(f'feedback = "bandit" learns by {CALLS["bandit"]}')
        drawn = checks.label(predicted, "predicted", self.n_classes)
        right = checks.flag(correct, "correct")
        now = self._prediction(self._features(x))
        self._learn_correct(now, drawn, right, self._propensity(now, drawn))

    def _propensity(self, now: Prediction, drawn: int) -> Number:
        """The probability with which ``drawn`` was drawn; it is forgotten then."""
        remembered, self._remembered = self._remembered, None
        if remembered is not None and remembered[1] == drawn and np.array_equal(remembered[0], now.x):
            return remembered[2]
        probability = now.probability(drawn)
        if probability == 0:
            raise ValueError(f"predicted = {drawn} has probability 0: it cannot have been drawn")
        return probability


def _label_at(uniform: Number, probabilities: Array, arithmetic: Arithmetic) -> int:
    """The first label whose cumulated probability exceeds ``uniform``; if rounding leaves none, the last possible."""
    sums = enumerate(np.cumsum(probabilities).tolist())
    last = int(np.flatnonzero(probabilities)[-1])
    return next((label for label, share in sums if arithmetic.is_less(uniform, share)), last)
