"""Gaptron as a scikit-learn estimator and as a river model."""

import doctest
import math
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import checks, datasets, stream
from scipy import sparse
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from gaptron import Gaptron
from gaptron.adapters import river_ml, scikit_learn
from gaptron.adapters.river_ml import RiverGaptron
from gaptron.adapters.scikit_learn import GaptronClassifier
from gaptron.learners import ProximalLogistic
from gaptron.learners.surrogates import in_doubles
from gaptron.theory.by_name import theorem as theorem_of
from gaptron.theory.named import MULTICLASS

pytestmark = pytest.mark.slow

IRIS = load_iris(return_X_y=True)


@pytest.mark.parametrize("module", [scikit_learn, river_ml])
def test_the_examples_print_what_they_say(module: Any) -> None:
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 2) == (0, True)


def test_gaptron_itself_needs_neither_library() -> None:
    script = (
        "import sys; sys.modules['sklearn'] = sys.modules['river'] = None\n"
        "import gaptron.learners.saving, gaptron.adapters\n"
        "print(gaptron.Gaptron(2, 1).predict_proba([0.0]))"
    )
    done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[0.5 0.5]\n"), done.stderr


# --- scikit-learn -------------------------------------------------------------------------------------------


@parametrize_with_checks([GaptronClassifier(), GaptronClassifier(loss="hinge", update="gradient")])
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@pytest.mark.parametrize("loss", MULTICLASS)
def test_partial_fit_is_gaptron_on_the_same_rounds(loss: str) -> None:
    X, y = IRIS
    classifier = GaptronClassifier(loss, update="gradient", fit_intercept=False)
    for batch in np.array_split(np.random.default_rng(0).permutation(len(y)), 4):
        classifier.partial_fit(X[batch], y[batch], classes=[0, 1, 2])
        if not hasattr(classifier, "seen"):
            learner = Gaptron(3, 4, loss=loss, feature_norm=np.linalg.norm(X[batch], axis=1).max())
            classifier.seen = True
        learner.run(X[batch], y[batch])
    np.testing.assert_array_equal(classifier.coef_, learner.W)
    np.testing.assert_array_equal(classifier.predict_proba(X), [learner.predict_proba(x) for x in X])
    np.testing.assert_array_equal(classifier.predict(X), (X @ learner.W.T).argmax(axis=1))


def test_the_intercept_is_the_weight_of_a_constant_feature() -> None:
    X, y = IRIS
    ones = np.hstack([X, np.ones((len(X), 1))])
    given, added = (GaptronClassifier(update="gradient", fit_intercept=fit, random_state=0) for fit in (False, True))
    given.fit(ones, y)
    added.fit(X, y)
    assert added.feature_norm_ == given.feature_norm_ == pytest.approx(np.linalg.norm(ones, axis=1).max())
    np.testing.assert_array_equal(np.column_stack([added.coef_, added.intercept_]), given.coef_)
    np.testing.assert_allclose(added.decision_function(X), given.decision_function(ones))


def test_sparse_features_give_the_same_weights() -> None:
    X, y = load_wine(return_X_y=True)
    X = np.where(X > np.median(X, axis=0), X / X.max(axis=0), 0)
    dense, thin = (
        GaptronClassifier(update="gradient", random_state=1).fit(form(X), y) for form in (np.asarray, sparse.csr_matrix)
    )
    np.testing.assert_allclose(thin.coef_, dense.coef_, rtol=1e-12)
    np.testing.assert_allclose(thin.predict_proba(sparse.csr_array(X)), dense.predict_proba(X), rtol=1e-9)


def test_predict_is_the_top_label_also_where_the_distribution_is_uniform() -> None:
    classifier = GaptronClassifier(update="gradient", fit_intercept=False)
    classifier.partial_fit([[1.0]], ["b"], classes=["a", "b", "c"])
    assert classifier.predict_proba([[0.1]]).tolist() == [[1 / 3] * 3]
    assert classifier.predict([[0.1]]).tolist() == ["b"]


def test_it_learns_and_fits_in_with_the_rest_of_scikit_learn() -> None:
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), GaptronClassifier(random_state=0))
    assert cross_val_score(model, X, y).mean() > 0.93
    search = GridSearchCV(model, {"gaptronclassifier__loss": MULTICLASS}, cv=3).fit(X, y)
    assert search.best_score_ > 0.93
    assert CalibratedClassifierCV(model, cv=3).fit(X, y).score(X, y) > 0.93


def test_shuffling_is_all_that_random_state_does() -> None:
    X, y = IRIS
    first, again, other = (
        GaptronClassifier(update="gradient", random_state=seed).fit(X, y).coef_ for seed in (0, 0, 1)
    )
    assert (first == again).all()
    assert (first != other).any()
    ordered = [GaptronClassifier(random_state=seed, shuffle=False, epochs=1).fit(X, y).coef_ for seed in (0, 1)]
    assert (ordered[0] == ordered[1]).all()
    passes = GaptronClassifier(shuffle=False, epochs=2).fit(X, y).coef_
    twice = GaptronClassifier(shuffle=False, epochs=1).fit(np.vstack([X, X]), np.append(y, y)).coef_
    np.testing.assert_allclose(passes, twice)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"loss": "zero-one"}, "loss = 'zero-one' is not one of"),
        ({"epochs": 0}, "epochs = 0 is not an integer >= 1"),
        ({"learning_rate": -1}, "learning_rate = -1 is not a finite number > 0"),
        ({"feature_norm": 0}, "feature_norm = 0 is not a finite number > 0"),
        ({"fit_intercept": "no"}, "fit_intercept = 'no' is not True or False"),
        ({"shuffle": None}, "shuffle = None is not True or False"),
    ],
)
def test_bad_parameters_are_named_when_fitting(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GaptronClassifier(**arguments).fit(*IRIS)


def test_classes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        GaptronClassifier().partial_fit(*IRIS)
    with pytest.raises(ValueError, match=r"y has one class only, 7: .* at least two classes"):
        GaptronClassifier().fit([[0.0], [1.0]], [7, 7])
    started = GaptronClassifier().partial_fit([[0.0], [1.0]], [1, 2], classes=[1, 2])
    with pytest.raises(ValueError, match=r"y has the label 3, which is not in classes = \[1 2\]"):
        started.partial_fit([[0.0]], [3])
    with pytest.raises(ValueError, match=r"classes = \[1, 3\] is not the same as on the first call: \[1 2\]"):
        started.partial_fit([[0.0]], [1], classes=[1, 3])


# --- river --------------------------------------------------------------------------------------------------


def river_checks() -> list[Any]:
    skipped = RiverGaptron()._unit_test_skips()
    assert not skipped
    return [
        pytest.param(check, id=f"{i}-{check.__name__}") for i, check in enumerate(checks.yield_checks(RiverGaptron()))
    ]


@pytest.mark.parametrize("check", river_checks())
def test_river_finds_nothing_wrong(check: Callable[[Any], None]) -> None:
    check(RiverGaptron())


@pytest.mark.parametrize("loss", MULTICLASS)
def test_the_order_of_the_features_does_not_matter_to_the_last_bit(loss: str) -> None:
    forwards, backwards = RiverGaptron(loss), RiverGaptron(loss)
    for x, y in datasets.ImageSegments().take(100):
        forwards.learn_one(x, y)
        backwards.learn_one(dict(reversed(x.items())), y)
    np.testing.assert_array_equal(forwards.W, backwards.W)


@pytest.mark.parametrize("loss", MULTICLASS)
def test_with_known_norm_and_classes_it_is_gaptron(loss: str) -> None:
    X, y = IRIS
    model, learner = RiverGaptron(loss, feature_norm=10, update="gradient"), Gaptron(3, 4, loss=loss, feature_norm=10)
    for label in range(3):
        model.learn_one(dict.fromkeys(range(4), 0.0), label)
    for x, label in stream.iter_array(X[::-1], y[::-1]):
        expected = learner.predict_proba(list(x.values()))
        np.testing.assert_allclose(list(model.predict_proba_one(x).values()), expected, rtol=1e-12)
        model.learn_one(x, label)
        learner.update(list(x.values()), int(label))


@pytest.mark.parametrize("loss", MULTICLASS)
@given(seed=st.integers(0, 10**6), growth=st.sampled_from([0.05, 1, 20]))
@settings(max_examples=15)
def test_the_bound_holds_while_features_norms_and_classes_appear(loss: str, seed: int, growth: float) -> None:
    """One mistake more for the first round of each class; losses with the classes known by then."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 4)) * np.geomspace(1, growth, 80)[:, None]
    X[:40, 3] = 0
    y = np.minimum((X @ rng.normal(size=(4, 4))).argmax(axis=1), np.arange(80) // 15)
    model, expected, seen = RiverGaptron(loss, update="gradient"), 0.0, []
    for x, label in zip(X, y, strict=True):
        features = {k: v for k, v in enumerate(x) if v != 0}
        expected += 1 - model.predict_proba_one(features).get(label, 0)
        model.learn_one(features, label)
        seen.append((x, model.classes[label], len(model.classes)))
    eta = in_doubles(theorem_of(loss), len(model.classes)).learning_rate / np.linalg.norm(X, axis=1).max() ** 2
    assert model.eta == pytest.approx(eta)
    columns = [model.features[k] for k in range(4)]
    for scale in (0, 0.3, 1, 3, 10):
        U = scale * model.W[:, columns]
        losses = sum(plain_loss(loss, U[:n] @ x, label) for x, label, n in seen if n > 1)
        assert expected <= losses + (U**2).sum() / (2 * eta) + len(model.classes) + 1e-9


def plain_loss(name: str, scores: np.ndarray, label: int) -> float:
    """Equations (1)-(3) of van der Hoeven 2020; the hinge loss is never off, which makes the bound larger."""
    if name == "logistic":
        return float(np.logaddexp.reduce(scores) - scores[label]) / float(np.log(2))
    m = scores[label] - np.delete(scores, label).max()
    if name == "hinge":
        return float(max(1 - m, 0))
    return float(1 - 2 * m if m <= 0 else max(1 - m, 0) ** 2)


def test_a_prediction_of_river_changes_nothing() -> None:
    model = RiverGaptron()
    assert (model.predict_one({"a": 1.0}), model.predict_proba_one({"a": 1.0})) == (None, {})
    model.learn_one({"a": 1.0}, "yes")
    assert (model.predict_one({"a": 1.0}), model.predict_proba_one({"b": 1.0})) == ("yes", {"yes": 1.0})
    model.learn_one({"a": -1.0}, "no")
    before = model.predict_proba_one({"a": 0.5})
    model.predict_proba_one({"a": 1e6, "unknown": 3.0})
    assert model.predict_proba_one({"a": 0.5}) == before
    assert list(model.features) == ["a"]
    assert model.predict_one({"a": -1.0}) == "no"


def test_larger_features_shrink_the_weights_as_the_regularizer_says() -> None:
    """By hand: theta = -2 (1, -1); eta = 1/8, then 1/8/100 with the next gradient 2 (10, -10) at margin 0."""
    model = RiverGaptron("smooth hinge", update="gradient")
    model.learn_one({"a": 0.0}, 0)
    model.learn_one({"a": 1.0}, 1)
    assert model.W.tolist() == [[-0.25], [0.25]]
    assert model.predict_proba_one({"a": 10.0}) == pytest.approx({0: 0.95**2 / 2, 1: 1 - 0.95**2 / 2})
    model.learn_one({"a": 10.0}, 1)
    np.testing.assert_allclose(model.W[1], (2 + 2 * 0.95 * 10) / 800)


@pytest.mark.parametrize("value", ["red", None, float("nan"), float("inf")])
def test_a_feature_that_is_no_number_is_named_and_nothing_is_learned(value: Any) -> None:
    model = RiverGaptron()
    for call in (model.predict_one, model.predict_proba_one, lambda x: model.learn_one(x, 1)):
        with pytest.raises(ValueError, match=r"x\['colour'\] = .* is not a finite number"):
            call({"colour": value})
    assert not model.features
    assert not model.classes


@pytest.mark.parametrize("arguments", [{"feature_norm": 0}, {"learning_rate": 0}, {"loss": "zero-one"}])
def test_bad_parameters_are_named_when_learning(arguments: dict[str, Any]) -> None:
    model = RiverGaptron(**arguments)
    model.learn_one({"a": 1.0}, 0)
    with pytest.raises(ValueError, match=f"{next(iter(arguments))} = "):
        model.learn_one({"a": 1.0}, 1)


@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_both_take_proximal_updates_and_refuse_rows_longer_than_the_bound(loss: str) -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[::10] / 10, y[::10]
    learner = Gaptron(3, 4, loss=loss, update="proximal", feature_norm=1.5)
    learner.run(X, y)
    found = GaptronClassifier(loss, update="proximal", feature_norm=1.5, fit_intercept=False).partial_fit(
        X, y, range(3)
    )
    assert np.array_equal(found.coef_, learner.W)
    assert np.allclose(found.predict_proba(X).sum(axis=1), 1)
    with pytest.raises(ValueError, match="is more than feature_norm"):
        found.partial_fit(3 * X, y)
    model = RiverGaptron(loss, update="proximal", feature_norm=1.5)
    for row, label in zip(X, y.tolist(), strict=True):
        model.learn_one(dict(enumerate(row.tolist())), label)
    assert sum(model.predict_proba_one(dict(enumerate(X[0].tolist()))).values()) == pytest.approx(1)
    with pytest.raises(ValueError, match="is more than feature_norm"):
        model.learn_one(dict(enumerate((3 * X[0]).tolist())), 0)


def test_the_defaults_are_the_best_that_is_proved_and_say_so() -> None:
    X, y = IRIS
    classifier = GaptronClassifier(fit_intercept=False).partial_fit(X, y, classes=[0, 1, 2])
    learner = ProximalLogistic(3, 4, feature_norm=classifier.feature_norm_)
    learner.run(X, y)
    np.testing.assert_array_equal(classifier.coef_, learner.W)
    model, unit = RiverGaptron(), ProximalLogistic(3, 4)
    for label in range(3):
        model.learn_one(dict.fromkeys(range(4), 0.0), label)
    for row, label in zip(X[::5], y[::5].tolist(), strict=True):
        x = row / math.hypot(*row)
        found = model.predict_proba_one(dict(enumerate(row.tolist())))
        np.testing.assert_allclose(list(found.values()), unit.predict_proba(x), rtol=1e-9)
        model.learn_one(dict(enumerate(row.tolist())), label)
        unit.update(x, label)
    for said in (repr(classifier), repr(model)):
        assert re.search("loss=.logistic.", said)
        assert re.search("update=.proximal.", said)


def test_rows_longer_than_those_of_fit_are_shortened_to_the_bound() -> None:
    X, y = IRIS
    classifier = GaptronClassifier(fit_intercept=False).partial_fit(X[:50], y[:50], classes=[0, 1, 2])
    long, short = 7.0 * X[100:103], X[100:103]
    bound = classifier.feature_norm_
    cut = long * (bound / np.linalg.norm(long, axis=1))[:, None]
    np.testing.assert_allclose(classifier.predict_proba(long), classifier.predict_proba(cut))
    np.testing.assert_allclose(classifier.predict_proba(sparse.csr_array(long)), classifier.predict_proba(long))
    assert (classifier.predict(long) == classifier.predict(short)).all()
    before = classifier.coef_.copy()
    classifier.partial_fit(long, y[100:103])
    assert (classifier.coef_ != before).any()


@given(seed=st.integers(0, 10**6), growth=st.sampled_from([0.05, 1, 20]))
@settings(max_examples=8)
def test_the_bound_of_the_default_holds_while_features_and_classes_appear(seed: int, growth: float) -> None:
    """The constant is the same for every number of classes; the rounds are divided by their norms."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4)) * np.geomspace(1, growth, 60)[:, None]
    X[:30, 3] = 0
    y = np.minimum((X @ rng.normal(size=(4, 4))).argmax(axis=1), np.arange(60) // 12)
    model, expected, seen = RiverGaptron(), 0.0, []
    for x, label in zip(X, y, strict=True):
        features = {k: v for k, v in enumerate(x) if v != 0}
        expected += 1 - model.predict_proba_one(features).get(label, 0)
        model.learn_one(features, label)
        seen.append((x / np.linalg.norm(x), model.classes[label], len(model.classes)))
    assert 1 / (2 * model.eta) == pytest.approx(0.18645264, rel=1e-12)
    columns = [model.features[k] for k in range(4)]
    for scale in (0, 0.3, 1, 3, 10):
        U = scale * model.W[:, columns]
        losses = sum(plain_loss("logistic", U[:n] @ x, label) for x, label, n in seen if n > 1)
        assert expected <= losses + 0.18645264 * (U**2).sum() + len(model.classes) + 1e-9
