"""ProximalLogistic and Gaptron as a scikit-learn classifier."""

from typing import Any, Self

import numpy as np
from scipy.sparse.linalg import norm as sparse_norm

from gaptron.learners import Gaptron
from gaptron.learners.arithmetic import Array
from gaptron.learners.record import CheckedRows
from gaptron.streams.features import appended_ones, shortened
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.system.extras import needing

with needing("gaptron.adapters.scikit_learn"):
    from sklearn import config_context
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data


class GaptronClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Online multiclass classification by proximal steps on the logistic loss, or by Gaptron's other steps and losses.

    By default it is ``gaptron.learners.ProximalLogistic``, the best that is proved here; with ``update="gradient"`` it
    is Gaptron with full information (van der Hoeven 2020, Algorithm 1). ``repr`` says which.

    ``predict`` is deterministic: it returns the top label. The theorems bound the mistakes of a prediction drawn from
    ``predict_proba`` at the moment at which a round is learned, in the first pass over the data. With gradient steps
    that is the top label mixed with uniform by the gap map; where it is uniform (logistic loss, largest softmax
    probability below 1/2), its argmax is not the top label.

    Parameters
    ----------
    loss : "logistic", "hinge" or "smooth hinge"
        The surrogate loss.
    update : "proximal" or "gradient"
        How it learns; "proximal" predicts by the best decoder, with the constant that no algorithm beats. A row must
        then not be longer than X: it is a ValueError if feature_norm is given, else the row is shortened to X.
    learning_rate : number > 0, optional
        eta as used in the step; default: the theorem's, divided by feature_norm^2.
    feature_norm : number > 0, optional
        X, a bound on ||x||, the constant feature 1 of the intercept included. Default: the largest norm in the data
        of ``fit``, or of the first ``partial_fit``; the theorem then does not cover larger features that come later.
    fit_intercept : bool
        Whether to add a constant feature 1.
    epochs : int >= 1
        Passes of ``fit`` over the data. The theorem is about each single pass.
    shuffle : bool
        Whether ``fit`` visits the rounds of each pass in random order.
    random_state : int, RandomState instance or None
        Where the order comes from. The weights depend on nothing else that is random.

    Attributes
    ----------
    classes_ : (K,) array
        The labels, sorted.
    coef_ : (K, d) array
        The weights W.
    intercept_ : (K,) array
        The weights of the constant feature; zeros without it.
    feature_norm_ : float
        X as used.
    n_features_in_ : int
        d.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gaptron.adapters.scikit_learn import GaptronClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> GaptronClassifier(random_state=0).fit(X, y).predict(X[:1])
    array([0])
    """

    def __init__(
        self,
        loss: str = "logistic",
        *,
        update: str = "proximal",
        learning_rate: float | None = None,
        feature_norm: float | None = None,
        fit_intercept: bool = True,
        epochs: int = 5,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.loss = loss
        self.update = update
        self.learning_rate = learning_rate
        self.feature_norm = feature_norm
        self.fit_intercept = fit_intercept
        self.epochs = epochs
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Given, y: Given) -> Self:
        """Learn from (n, d) features, dense or sparse, and (n,) labels, forgetting what was learned before."""
        X, y = self._checked(X, y, reset=True)
        self._start(X, np.unique(y))
        rng = check_random_state(self.random_state)
        for _ in range(checks.integer(self.epochs, "epochs", 1)):
            order = rng.permutation(len(y)) if checks.flag(self.shuffle, "shuffle") else np.arange(len(y))
            self._learn(X[order], y[order])
        return self

    def partial_fit(self, X: Given, y: Given, classes: Given = None) -> Self:
        """Learn from one more batch, in its order; the first call must list all ``classes``."""
        first = not hasattr(self, "classes_")
        X, y = self._checked(X, y, reset=first)
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        if first:
            self._start(X, np.unique(classes))
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes = {classes!r} is not the same as on the first call: {self.classes_}")
        self._learn(X, y)
        return self

    def decision_function(self, X: Given) -> Array:
        """The scores W x, shape (n, K); of two classes, the second score minus the first, shape (n,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Given) -> Array:
        """The top labels, shape (n,)."""
        top = self._scores(X).argmax(axis=1)
        return np.asarray(self.classes_[top])

    def predict_proba(self, X: Given) -> Array:
        """The distributions of Gaptron's randomized predictions, shape (n, K); the rows sum to 1."""
        X = self._rounds(self._features(X))
        learner = self._learner()
        return np.array([learner.predict_proba(x) for x in CheckedRows(X, learner.n_features, learner._arithmetic)])

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        """With all parameters, the defaults too: they say which learner it is."""
        with config_context(print_changed_only=False):
            said: str = super().__repr__(N_CHAR_MAX)
        return said

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # --- the learner --------------------------------------------------------------------------------------------

    def _checked(self, X: Given, y: Given, *, reset: bool) -> tuple[Given, Array]:
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_classification_targets(y)
        return X, y

    def _start(self, X: Given, classes: Array) -> None:
        """Weights zero, and X from the data unless it is given."""
        if len(classes) < 2:
            only = classes.tolist()[0]
            raise ValueError(f"y has one class only, {only!r}: GaptronClassifier needs at least two classes")
        self.classes_ = classes
        self.coef_ = np.zeros((len(classes), X.shape[1]))
        self.intercept_ = np.zeros(len(classes))
        if (given := self.feature_norm) is None:
            norm: Any = sparse_norm if hasattr(X, "tocsr") else np.linalg.norm
            given = float(norm(self._with_bias(X), axis=1).max()) or 1.0
        self.feature_norm_ = given

    def _with_bias(self, X: Given) -> Given:
        return appended_ones(X) if checks.flag(self.fit_intercept, "fit_intercept") else X

    def _rounds(self, X: Given) -> Given:
        """What the learner is told: where no row may be longer than X, and X is the data's, longer ones are cut."""
        X = self._with_bias(X)
        return shortened(X, self.feature_norm_) if self.update == "proximal" and self.feature_norm is None else X

    def _learner(self) -> Gaptron:
        """Gaptron with the current weights: these and the parameters are all its state."""
        W = np.column_stack([self.coef_, self.intercept_]) if self.fit_intercept else self.coef_.copy()
        learner = Gaptron(
            *W.shape,
            loss=self.loss,
            update=self.update,
            learning_rate=self.learning_rate,
            feature_norm=self.feature_norm_,
            seed=0,
        )
        learner.W = W
        return learner

    def _learn(self, X: Given, y: Array) -> None:
        unknown = np.setdiff1d(y, self.classes_).tolist()
        if unknown:
            raise ValueError(f"y has the label {unknown[0]!r}, which is not in classes = {self.classes_}")
        learner = self._learner()
        learner.run(self._rounds(X), np.searchsorted(self.classes_, y))
        self.coef_ = learner.W[:, : self.n_features_in_].copy()
        if self.fit_intercept:
            self.intercept_ = learner.W[:, -1].copy()

    def _features(self, X: Given) -> Given:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)

    def _scores(self, X: Given) -> Array:
        return np.asarray(self._features(X) @ self.coef_.T + self.intercept_)
