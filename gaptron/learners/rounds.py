"""What every Gaptron shares: scores, the randomized prediction, the gradient step, and whole streams."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.learners import checks
from gaptron.learners.arithmetic import Arithmetic, Array
from gaptron.learners.surrogates import Surrogate

ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Run:
    """A stream of T rounds as a learner lived it; arrays have shape (T,).

    Attributes
    ----------
    mistakes : int
        Number of rounds with y' != y.
    expected_mistakes : float
        The sum of ``probability_wrong`` (a fraction or a ball in exact arithmetic). With full information the
        weights do not depend on the draws, so this is the exact expectation of ``mistakes``; with bandit
        feedback it is the sum of the conditional expectations along this run.
    wrong : bool array
        Whether y' != y.
    probability_wrong : array
        1 - p'(y).
    label_probability : array
        p'(y).
    loss : array
        The full-information surrogate loss at the weights before the update, also with bandit feedback.
    off : bool array
        Whether the hinge loss vanished because the top label was right with m* > beta.
    """

    mistakes: int
    expected_mistakes: Any
    wrong: Array
    probability_wrong: Array
    label_probability: Array
    loss: Array
    off: Array


@dataclass(frozen=True)
class Prediction:
    """One round before its label is known: scores, top label and the share of the uniform distribution."""

    x: Array
    scores: Array
    top: int
    uniform: Any
    n_classes: int

    def probability(self, label: int) -> Any:
        """p'(label)."""
        share = self.uniform / self.n_classes
        return 1 - self.uniform + share if label == self.top else share


class RoundLearner:
    """Predict the top label mixed with uniform, then take a gradient step (van der Hoeven 2020, Algorithm 1).

    Subclasses say what the scores are and how feedback becomes a step. ``W`` has one row for each entry of
    the surrogate's gradient.
    """

    n_classes: int
    n_features: int
    surrogate: Surrogate
    W: Array
    learning_rate: Any
    exploration: Any
    rng: np.random.Generator
    _arithmetic: Arithmetic

    def predict_proba(self, x: Any) -> Array:
        """The distribution p' = (1 - max(a, gamma)) e_{y*} + max(a, gamma)/K of the prediction, shape (K,).

        Parameters
        ----------
        x : (d,) array of finite numbers
            Features; ||x|| <= feature_norm is what the theorems assume, and is not enforced.

        Raises
        ------
        ValueError
            If x has another shape or is not finite, or the gap map leaves [0, 1].
        """
        prediction = self._prediction(self._features(x))
        share = prediction.uniform / self.n_classes
        probabilities: Array = np.full(self.n_classes, share, dtype=self._arithmetic.dtype)
        probabilities[prediction.top] = prediction.probability(prediction.top)
        return probabilities

    def predict(self, x: Any) -> int:
        """A label drawn from ``predict_proba(x)``; its probability is remembered for the update."""
        prediction = self._prediction(self._features(x))
        drawn = self._draw(prediction)
        self._remember(prediction, drawn)
        return drawn

    def loss(self, x: Any, label: int) -> Any:
        """The full-information surrogate loss of (x, label) at the current weights."""
        scores = self._scores(self._features(x))
        return self.surrogate.value(scores, checks.label(label, "label", self.n_classes))

    def run(self, X: Any, y: Any) -> Run:
        """Predict and update on every round of a stream, continuing from the current weights.

        Parameters
        ----------
        X : (T, d) array of finite numbers
        y : (T,) integers in 0..K-1

        Raises
        ------
        ValueError
            If a shape, a feature or a label is not as above; nothing has been learned then.
        """
        rounds = self._arithmetic.array(X, "X", (checks.length(X, "X"), self.n_features))
        labels = checks.labels(y, "y", len(rounds), self.n_classes)
        records = [self._round(x, label) for x, label in zip(rounds, labels, strict=True)]
        wrong, correct, loss, off = zip(*records, strict=True) if records else ((), (), (), ())
        numbers = self._arithmetic.dtype
        label_probability: Array = np.array(correct, dtype=numbers)
        probability_wrong = 1 - label_probability
        return Run(
            mistakes=sum(wrong),
            expected_mistakes=sum(probability_wrong.tolist()),
            wrong=np.array(wrong, dtype=bool),
            probability_wrong=probability_wrong,
            label_probability=label_probability,
            loss=np.array(loss, dtype=numbers),
            off=np.array(off, dtype=bool),
        )

    def _round(self, x: Array, label: int) -> tuple[bool, Any, Any, bool]:
        prediction = self._prediction(x)
        drawn = self._draw(prediction)
        loss = self.surrogate.value(prediction.scores, label)
        off = self.surrogate.is_off(prediction.scores, label)
        self._learn(x, prediction.scores, label, self._weight(prediction, drawn, label))
        return drawn != label, prediction.probability(label), loss, off

    def _features(self, x: Any) -> Array:
        return self._arithmetic.array(x, "x", (self.n_features,))

    def _scores(self, x: Array) -> Array:
        return self._arithmetic.scores(self.W, x)

    def _prediction(self, x: Array) -> Prediction:
        scores = self._scores(x)
        a = self.surrogate.gap(scores)
        if not -ROUNDING <= a <= 1 + ROUNDING:
            raise ValueError(f"gap map = {a} at the scores {scores}: it must be in [0, 1]")
        if self.exploration != 0 and self._arithmetic.is_less(a, self.exploration):
            a = self.exploration
        uniform = self._arithmetic.number(min(max(a, 0), 1))
        return Prediction(x, scores, self._arithmetic.top(scores), uniform, self.n_classes)

    def _draw(self, prediction: Prediction) -> int:
        if self._arithmetic.is_less(self._arithmetic.number(self.rng.random()), prediction.uniform):
            return int(self.rng.integers(self.n_classes))
        return prediction.top

    def _remember(self, prediction: Prediction, drawn: int) -> None:
        """Nothing to remember with full information."""

    def _weight(self, prediction: Prediction, drawn: int, label: int) -> Any:
        """The factor of the gradient: one with full information."""
        return 1

    def _learn(self, x: Array, scores: Array, label: int, weight: Any) -> None:
        """W <- W - eta weight outer(g, x), on the rows where g is not zero."""
        if weight == 0:
            return
        gradient = self.surrogate.score_gradient(scores, label)
        rows = np.flatnonzero(gradient)
        if rows.size == 0:
            return
        with np.errstate(over="ignore", invalid="ignore"):
            changed = self.W[rows] - np.outer(self.learning_rate * weight * gradient[rows], x)
        if self._arithmetic.dtype is float and not np.isfinite(changed).all():
            raise OverflowError("the weights overflow: lower learning_rate, or scale the features")
        self.W[rows] = changed
