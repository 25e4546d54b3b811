"""River and scikit-learn: one-vs-rest Perceptrons."""

import time
from pathlib import Path

import numpy as np
from peers_streams import Timed
from river.linear_model import Perceptron as RiverPerceptron
from river.multiclass import OneVsRestClassifier
from sklearn.linear_model import Perceptron


class River:
    """``predict_one`` and ``learn_one`` on dicts of features, which are made beforehand."""

    def __init__(self, stream: Timed, folder: Path) -> None:
        self.rounds = [*zip(map(dict, stream.rows()), stream.y.tolist(), strict=True)]

    def seconds(self) -> float:
        """The time of all rounds."""
        learner = OneVsRestClassifier(RiverPerceptron())
        start = time.process_time()
        for x, y in self.rounds:
            learner.predict_one(x)
            learner.learn_one(x, y)
        return time.process_time() - start


class ScikitBatch:
    """One ``partial_fit`` of everything: not online, since no prediction is made before its label is seen."""

    def __init__(self, stream: Timed, folder: Path) -> None:
        self.stream, self.classes = stream, np.arange(stream.n_classes)

    def seconds(self) -> float:
        """The time of one pass."""
        learner = Perceptron()
        start = time.process_time()
        learner.partial_fit(self.stream.X, self.stream.y, classes=self.classes)
        return time.process_time() - start


class ScikitRows(ScikitBatch):
    """``predict`` and ``partial_fit`` row by row."""

    def seconds(self) -> float:
        """The time of all rounds but the first."""
        X, y, learner = self.stream.X, self.stream.y, Perceptron()
        learner.partial_fit(X[:1], y[:1], classes=self.classes)
        start = time.process_time()
        for t in range(1, len(y)):
            learner.predict(X[t : t + 1])
            learner.partial_fit(X[t : t + 1], y[t : t + 1])
        return time.process_time() - start
