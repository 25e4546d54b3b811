"""Learners with losses of all scores: run, adapted, and with a bound on the stream they saw."""

from pathlib import Path

import numpy as np
import pytest
from conftest import Command
from sympy import Max, Rational

from gaptron import Gaptron, PairwiseLoss, SeparableLoss, Theorem
from gaptron.adapters.scikit_learn import GaptronClassifier
from gaptron.learners.compiled.learner_rules import rule_of
from gaptron.symbols import m, z

THEOREMS = (
    Theorem(name="Weston-Watkins", loss=PairwiseLoss(Max(1 - m, 0)), update="proximal", regret=1),
    Theorem(
        name="one versus all",
        loss=SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0)),
        update="proximal",
        regret=Rational(1, 4),
    ),
)
DRAWN = np.random.default_rng(0)
X = DRAWN.normal(size=(120, 3))
X /= np.linalg.norm(X, axis=1, keepdims=True)
Y = (X @ DRAWN.normal(size=(3, 4))).argmax(axis=1)


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_they_learn(theorem: Theorem) -> None:
    learner = Gaptron(4, 3, loss=theorem, seed=1)
    assert rule_of(learner) is None  # no compiled run is written for them
    assert learner.run(X, Y).mistakes < 40
    assert learner.run(X, Y).mistakes < 20
    fitted = GaptronClassifier(loss=theorem).partial_fit(X, Y, classes=range(4))
    assert (fitted.predict(X) == Y).mean() > 0.7


FILE = """from sympy import Max
from gaptron import PairwiseLoss, Theorem
from gaptron.symbols import m
mine = Theorem(name="mine", loss=PairwiseLoss(Max(1 - m, 0)), update="proximal", regret=1)
"""


@pytest.mark.slow
def test_a_file_of_theirs_is_run_on_data(tmp_path: Path, gaptron: Command) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    done = gaptron("run", "iris", "--loss", tmp_path / "mine.py")
    assert done.returncode == 0, done.stderr
    assert "mine, if gaptron check proves it" in done.stdout
