"""The learners of a comparison, by name, each built at the parameters of its theory or at others."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gaptron import learners
from gaptron.experiments.names import LOSSES as LOSSES
from gaptron.learners.learner import Learner
from gaptron.system.documents import Document

MULTIPLES = (1.0, 10.0, 100.0, 1000.0)


@dataclass(frozen=True)
class Setting:
    """What a theory's parameters are computed from: K, d, X (a bound on ||x||) and T; D is ``radius``."""

    n_classes: int
    n_features: int
    feature_norm: float
    horizon: int

    @property
    def radius(self) -> float:
        """D = 1/X: the comparator's scores are at most 1."""
        return 1 / self.feature_norm


def exploration_of(learner: Learner) -> float | None:
    """gamma: 0 for a learner that does not explore, None for one whose exploration adapts to the stream."""
    gamma = getattr(learner, "exploration", 0.0)
    return None if gamma is None else float(gamma)


Build = Callable[[Setting, float | None, float, int], Learner]


@dataclass(frozen=True)
class Contender:
    """A learner: its feedback, whether it explores, and the multiples of its learning rate that are tried.

    ``build(setting, exploration, scale, seed)``: ``exploration`` None is the theory's.
    """

    feedback: str
    build: Build
    scales: tuple[float, ...] = (1.0,)

    @property
    def explores(self) -> bool:
        """Whether the exploration rate is a parameter."""
        return self.feedback == "bandit"


def _gaptron(loss: str, feedback: str) -> Contender:
    def build(setting: Setting, exploration: float | None, scale: float, seed: int) -> Learner:
        kind = partial(
            learners.Gaptron, setting.n_classes, setting.n_features, loss=loss, feedback=feedback,
            feature_norm=setting.feature_norm, seed=seed,
        )  # fmt: skip
        radius = math.inf if feedback == "full" else setting.radius
        theory = kind(exploration=exploration, radius=radius, horizon=setting.horizon)
        if exploration is None and scale == 1:
            return theory
        return kind(exploration=theory.exploration, learning_rate=theory.learning_rate * scale)

    return Contender(feedback, build, MULTIPLES)


def _of(kind: Callable[..., Learner], own: Callable[[Setting, float | None], Document] = lambda s, gamma: {}) -> Build:
    """Learners of a kind, with parameters of their own beside K, d and the seed."""
    return lambda s, gamma, scale, seed: kind(s.n_classes, s.n_features, seed=seed, **own(s, gamma))


def _banditron(s: Setting, gamma: float | None) -> Document:
    return {"exploration": gamma, "horizon": s.horizon, "radius": s.radius, "feature_norm": s.feature_norm}


def _soba(diagonal: bool) -> Build:
    return _of(learners.SOBA, lambda s, gamma: {"exploration": gamma, "adaptive": gamma is None, "diagonal": diagonal})


def _newtron(diagonal: bool) -> Build:
    """By default K sqrt(d/T), at most 1/2, the order at which K^2 d/gamma = gamma T: the source prints no constant."""

    def own(s: Setting, gamma: float | None) -> Document:
        theory = min(0.5, s.n_classes * math.sqrt(s.n_features / s.horizon))
        return {"exploration": theory if gamma is None else gamma, "diagonal": diagonal}

    return _of(learners.Newtron, own)


def _second_order(diagonal: bool) -> Build:
    return _of(learners.SecondOrderPerceptron, lambda s, gamma: {"diagonal": diagonal})


LINEAR: dict[str, Contender] = {
    "proximal-logistic": Contender(
        "full", _of(learners.ProximalLogistic, lambda s, _: {"feature_norm": s.feature_norm})
    ),
    **{f"gaptron-{name}": _gaptron(name.replace("-", " "), "full") for name in LOSSES},
    "perceptron": Contender("full", _of(learners.Perceptron)),
    "second-order-perceptron-diagonal": Contender("full", _second_order(True)),
    **{f"gaptron-{name}-bandit": _gaptron(name.replace("-", " "), "bandit") for name in LOSSES},
    "banditron": Contender("bandit", _of(learners.Banditron, _banditron)),
    "pnewtron": Contender("bandit", _newtron(True)),
    "soba-diagonal": Contender("bandit", _soba(True)),
}
QUADRATIC: dict[str, Contender] = {
    "second-order-perceptron": Contender("full", _second_order(False)),
    "online-newton-step": Contender(
        "full", _of(learners.OnlineNewtonStep, lambda s, _: {"radius": s.radius, "feature_norm": s.feature_norm})
    ),
    "newtron": Contender("bandit", _newtron(False)),
    "soba": Contender("bandit", _soba(False)),
}
CONTENDERS = LINEAR | QUADRATIC
