"""Saving and resuming learners."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from sympy import Max, exp

from gaptron import BinaryGaptron, GapMap, Gaptron, MarginLoss, PairwiseLoss, SeparableLoss, Theorem, learners
from gaptron.learners.learner import Learner
from gaptron.learners.record import Run
from gaptron.learners.saving import DOCUMENT, GENERATORS, load, save
from gaptron.symbols import K, m, z

POOL = np.random.default_rng(1).normal(size=(20, 3, 2))
CASES: list[tuple[str, dict[str, Any]]] = [
    ("AbstainingAdaHedge", {"n_features": 2, "abstention_cost": 0.125}),
    ("AbstainingGaptron", {"n_classes": 3, "n_features": 2, "loss": "hinge"}),
    ("Aggregating", {"n_classes": 3, "n_features": 1, "grid": 5}),
    ("BanditGradientDescent", {"n_classes": 3, "n_features": 2, "W_star": [[1, 0], [0, 1], [-1, 0]]}),
    ("Banditron", {"n_classes": 3, "n_features": 2, "exploration": 0.25}),
    ("BiasedHalving", {"n_classes": 3, "n_features": 2, "pool": POOL}),
    ("BinaryGaptron", {"n_features": 2, "loss": "squared hinge", "start": [0.5, -1]}),
    ("Cone", {"n_classes": 3, "n_features": 2, "threshold": 0.1}),
    ("ExpConcaveBandit", {"n_classes": 3, "n_features": 2, "horizon": 50}),
    ("FTRLGaptron", {"n_features": 2, "start": np.array([0.1, 0.2])}),
    ("Gaptron", {"n_classes": 3, "n_features": 2, "loss": "logistic", "feature_norm": 1.5}),
    (
        "Gaptron",
        {"n_classes": 3, "n_features": 2, "loss": "hinge", "update": "proximal", "feature_norm": 2, "delay": 3},
    ),
    ("Gaptron", {"n_classes": 3, "n_features": 2, "feedback": "bandit", "radius": 2, "horizon": 10_000}),
    ("Newtron", {"n_classes": 3, "n_features": 2, "exploration": 0.25}),
    ("Newtron", {"n_classes": 3, "n_features": 2, "exploration": 0.25, "diagonal": True}),
    ("OnlineNewtonStep", {"n_classes": 3, "n_features": 2}),
    ("Perceptron", {"n_classes": 3, "n_features": 2}),
    ("ProximalLogistic", {"n_classes": 3, "n_features": 2, "feature_norm": 1.5}),
    ("SOBA", {"n_classes": 3, "n_features": 2, "adaptive": True}),
    ("SOBA", {"n_classes": 3, "n_features": 2, "diagonal": True, "horizon": 50}),
    ("SecondOrderPerceptron", {"n_classes": 3, "n_features": 2, "a": 2}),
    ("SecondOrderPerceptron", {"n_classes": 3, "n_features": 2, "diagonal": True}),
]


def new(name: str, arguments: dict[str, Any]) -> Any:
    """A learner, with its seed."""
    return getattr(learners, name)(**arguments, seed=7)


def stream(learner: Learner, seed: int, n_rounds: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Rounds that every learner takes: features in [-1, 1], labels at random."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n_rounds, learner.n_features))
    return X, rng.integers(learner.n_classes, size=n_rounds)


def assert_same_state(one: Learner, other: Learner) -> None:
    for name in one.STATE:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), strict=True)
    np.testing.assert_equal(one.rng.bit_generator.state, other.rng.bit_generator.state)


def assert_same_run(one: Run, other: Run) -> None:
    for name, value in vars(one).items():
        np.testing.assert_array_equal(value, getattr(other, name))


def bandit(seed: Any = 3) -> Gaptron:
    return Gaptron(3, 2, feedback="bandit", radius=2, horizon=10_000, seed=seed)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A bandit learner between its prediction and its update."""
    learner = bandit()
    learner.run(*stream(learner, 0))
    learner.predict([1.0, 2.0])
    save(learner, tmp_path / "learner.npz")
    return tmp_path / "learner.npz"


# --- what is saved is continued -----------------------------------------------------------------------------


def test_every_learner_is_tried() -> None:
    assert {name for name, _ in CASES} == set(learners.__all__)


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_a_resumed_stream_continues_bit_for_bit(name: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    learner = new(name, arguments)
    fresh = new(name, arguments)
    learner.run(*stream(learner, 0))
    save(learner, tmp_path / "saved")
    resumed = load(tmp_path / "saved")
    assert type(resumed) is type(learner)
    assert_same_state(learner, resumed)
    with pytest.raises(AssertionError):  # so there was something to save
        assert_same_state(learner, fresh)
    rest = stream(learner, 1)
    assert_same_run(learner.run(*rest), resumed.run(*rest))
    assert_same_state(learner, resumed)


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_a_learner_saved_twice_gives_the_same_file(name: str, arguments: dict[str, Any], tmp_path: Path) -> None:
    learner = new(name, arguments)
    learner.run(*stream(learner, 0))
    save(learner, tmp_path / "first")
    save(load(tmp_path / "first"), tmp_path / "second")
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


@pytest.mark.parametrize(
    ("name", "arguments"), [(name, given) for name, given in CASES if new(name, given).feedback == "bandit"]
)
def test_a_wrong_draw_changes_the_state_of_learners_that_say_so(name: str, arguments: dict[str, Any]) -> None:
    learner = new(name, arguments)
    X, y = stream(learner, 0)
    changed = False
    for x, label in zip(X, y.tolist(), strict=True):
        for wrong in set(np.flatnonzero(learner.predict_proba(x)).tolist()) - {label}:
            before = [np.copy(getattr(learner, part)) for part in learner.STATE]
            learner.update(x, predicted=wrong, correct=False)
            after = [getattr(learner, part) for part in learner.STATE]
            changed |= not all(map(np.array_equal, before, after))
        if learner.predict_proba(x)[label] > 0:
            learner.update(x, predicted=label, correct=True)
    assert changed == learner.learns_when_wrong


@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_every_bit_generator_continues(name: str, tmp_path: Path) -> None:
    learner = bandit(np.random.Generator(GENERATORS[name](5)))
    learner.rng.integers(9, dtype=np.int32)  # half of a word is kept for the next draw
    save(learner, tmp_path / "saved")
    resumed = load(tmp_path / "saved")
    assert resumed.rng.integers(2**31, size=50, dtype=np.int32).tolist() == (
        learner.rng.integers(2**31, size=50, dtype=np.int32).tolist()
    )
    assert resumed.rng.random(50).tolist() == learner.rng.random(50).tolist()


def test_the_probability_of_a_prediction_survives_between_predict_and_update(tmp_path: Path) -> None:
    learner, x = bandit(), np.array([1.0, -1.0])
    drawn = learner.predict(x)
    learner.W[drawn] += 0.1 * x  # its probability is now another one
    save(learner, tmp_path / "saved")
    resumed = load(tmp_path / "saved")
    forgetful = load(tmp_path / "saved")
    forgetful._remembered = None
    for each in (learner, resumed, forgetful):
        each.update(x, drawn, True)
    assert_same_state(learner, resumed)
    assert (forgetful.W != learner.W).any()


def test_a_learning_rate_set_by_hand_is_saved(tmp_path: Path) -> None:
    learner = Gaptron(2, 1)
    learner.learning_rate = 0.75
    save(learner, tmp_path / "saved")
    assert load(tmp_path / "saved").learning_rate == 0.75


def test_the_name_of_the_file_is_used_as_it_is_and_the_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "no suffix"
    path.write_text("old")
    save(Gaptron(2, 1), str(path))
    assert os.listdir(tmp_path) == ["no suffix"]
    assert isinstance(load(str(path)), Gaptron)


def test_other_programs_can_read_the_file(saved: Path) -> None:
    with np.load(saved, allow_pickle=False) as arrays:
        document = json.loads(arrays[DOCUMENT])
        assert arrays[document["state"]["W"]["array"]].shape == (3, 2)
    assert (document["class"], document["version"]) == ("Gaptron", 1)


# --- what cannot be saved -----------------------------------------------------------------------------------


class Mine(Gaptron):
    """A learner that the package does not know."""


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (lambda: Gaptron(2, 1, exact=True), "exact = True: a Gaptron can be saved only if it computes with doubles"),
        (lambda: Mine(2, 1), "learner is a Mine, which is not one of gaptron.learners"),
    ],
)
def test_what_cannot_be_saved_is_refused(learner: Callable[[], Learner], message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        save(learner(), tmp_path / "saved")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "theorem",
    [
        Theorem(name="t", loss=MarginLoss(1 - m), gap_map=GapMap(1), regret=1),
        Theorem(name="pairs", loss=PairwiseLoss(Max(1 - m, 0)), update="proximal", regret=1),
        Theorem(name="scores", loss=SeparableLoss(own=exp(-z), other=Max(1 + z, 0)), update="proximal", regret=K),
    ],
    ids=lambda theorem: theorem.name,
)
def test_a_learner_of_a_theorem_is_kept_with_its_theorem(theorem: Theorem, tmp_path: Path) -> None:
    learner = Gaptron(3, 2, loss=theorem, seed=4)
    X, y = np.array([[0.6, 0.8], [1.0, 0.0], [0.0, -1.0]] * 4), np.array([0, 1, 2] * 4)
    learner.run(X, y)
    save(learner, tmp_path / "kept")
    again: Any = load(tmp_path / "kept")
    assert again.loss_given == theorem
    assert_same_run(learner.run(X, y), again.run(X, y))
    assert_same_state(learner, again)


def test_a_bit_generator_of_someone_else_is_refused(tmp_path: Path) -> None:
    class Bits(np.random.PCG64):
        """Not NumPy's."""

    with pytest.raises(ValueError, match="rng has a Bits: it can be saved only with one of MT19937, PCG64"):
        save(Gaptron(2, 1, seed=np.random.Generator(Bits(1))), tmp_path / "saved")


@pytest.mark.parametrize("stage", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    stage: str, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, stage, fail)
    with pytest.raises(OSError, match="no space left"):
        save(BinaryGaptron(2), saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == [saved.name]


# --- what cannot be loaded ----------------------------------------------------------------------------------


def assert_refused(path: Path, message: str = "") -> None:
    with pytest.raises(ValueError, match=f"cannot be loaded as a learner: .*{message}") as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_truncated_file_is_refused(saved: Path) -> None:
    content = saved.read_bytes()
    for length in [*range(0, len(content), 13), len(content) - 1]:
        saved.unlink()
        saved.write_bytes(content[:length])
        assert_refused(saved)


def test_a_changed_byte_is_refused_or_makes_no_difference(saved: Path, tmp_path: Path) -> None:
    """The dates that the archive keeps, for example, are of no consequence."""
    content, expected = saved.read_bytes(), load(saved)
    harmless = 0
    for position in range(0, len(content), 5):
        changed = bytearray(content)
        changed[position] ^= 1 << (position % 8)
        saved.unlink()
        saved.write_bytes(changed)
        found = loaded_or_refused(saved)
        if found is not None:
            harmless += 1
            save(found, tmp_path / "again")
            assert (tmp_path / "again").read_bytes() == content
            assert_same_state(found, expected)
    assert harmless < len(content) / 20


def loaded_or_refused(path: Path) -> Learner | None:
    try:
        return load(path)
    except ValueError as error:
        message = str(error)
    assert message.startswith(f"{path}: cannot be loaded as a learner: ")
    return None


def edit(path: Path, change: Callable[[dict[str, Any], dict[str, bytes]], object], compression: int = 0) -> None:
    """Rewrite the archive with correct checksums."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop(DOCUMENT))
    change(document, members)
    with ZipFile(path, "w", compression) as archive:
        for name, content in (members | {DOCUMENT: json.dumps(document).encode()}).items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d, _: d.update(version=2), "it has the format's version 2: this program reads 1"),
        (lambda d, _: d.update(format="wine"), 'its learner.json does not say "format": "gaptron learner"'),
        (lambda d, _: d.update({"class": "import_module"}), "its class 'import_module' is not one of gaptron.learners"),
        (
            lambda d, _: d.update({"class": "Perceptron"}),
            r"its arguments are \[.*\], not \['exact', 'n_classes', 'n_features'\]",
        ),
        (lambda d, _: d["arguments"].update(n_classes=1), "n_classes = 1 is not an integer >= 2"),
        (lambda d, _: d["arguments"].update(n_features=3), "its W has another shape or type"),
        (lambda d, _: d["state"].update(W=1), "its W has another shape or type"),
        (
            lambda d, _: d["state"].update(rng=1),
            r"its state are \['W', 'rng', 'turn', 'waiting'\], not \['W', 'turn', 'waiting'\]",
        ),
        (lambda d, _: d["generator"].update(bit_generator="Mine"), "Mine"),
        (lambda d, _: d.pop("generator"), "generator"),
        (lambda _, members: members.pop("state.W.npy"), "state.W"),
    ],
)
def test_a_file_with_another_content_is_refused(change: Callable[..., object], message: str, saved: Path) -> None:
    edit(saved, change)
    assert_refused(saved, message)


def test_a_file_edited_to_the_same_content_is_loaded(saved: Path) -> None:
    """So it is the changes above that are refused."""
    expected = load(saved)
    edit(saved, lambda document, members: None)
    assert_same_state(load(saved), expected)


def test_foreign_files_are_refused(saved: Path, tmp_path: Path) -> None:
    edit(saved, lambda document, members: None, ZIP_DEFLATED)
    assert_refused(saved, "its members are compressed")
    path = tmp_path / "foreign.npz"
    np.savez(path, W=np.zeros((3, 2)))
    assert_refused(path, "it holds no learner.json")
    path.write_bytes(b"")
    assert_refused(path)
    path.write_text("f1,f2,label\n1,2,0\n")
    assert_refused(path)


def test_pickled_arrays_are_not_read(saved: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(saved.parent / "sprung"),)

    trap = saved.parent / "trap.npy"
    np.save(trap, np.array([Trap()], dtype=object), allow_pickle=True)
    edit(saved, lambda document, members: members.update({"state.W.npy": trap.read_bytes()}))
    assert_refused(saved, "allow_pickle=False")
    assert not (saved.parent / "sprung").exists()


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load(tmp_path / "nowhere")
