"""The learners of a comparison, by name, each built at the parameters of its theory or at others."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from gaptron.learners import (
    SOBA,
    Banditron,
    Gaptron,
    Newtron,
    OnlineNewtonStep,
    Perceptron,
    ProximalLogistic,
    SecondOrderPerceptron,
)
from gaptron.learners.learner import Learner

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

    @property
    def newtron_exploration(self) -> float:
        """K sqrt(d/T), at most 1/2: the order at which K^2 d/gamma = gamma T; the source prints no constant."""
        return min(0.5, self.n_classes * math.sqrt(self.n_features / self.horizon))


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
        theory = exploration is None and scale == 1
        full = feedback == "full"
        learner = Gaptron(
            setting.n_classes, setting.n_features, loss=loss, feedback=feedback, exploration=exploration,
            feature_norm=setting.feature_norm, radius=math.inf if full else setting.radius,
            horizon=setting.horizon, seed=seed,
        )  # fmt: skip
        if theory:
            return learner
        return Gaptron(
            setting.n_classes, setting.n_features, loss=loss, feedback=feedback, exploration=learner.exploration,
            learning_rate=learner.learning_rate * scale, feature_norm=setting.feature_norm, seed=seed,
        )  # fmt: skip

    return Contender(feedback, build, MULTIPLES)


def _proximal_logistic(setting: Setting, exploration: float | None, scale: float, seed: int) -> Learner:
    return ProximalLogistic(setting.n_classes, setting.n_features, feature_norm=setting.feature_norm, seed=seed)


def _banditron(setting: Setting, exploration: float | None, scale: float, seed: int) -> Learner:
    return Banditron(
        setting.n_classes, setting.n_features, exploration=exploration, horizon=setting.horizon,
        radius=setting.radius, feature_norm=setting.feature_norm, seed=seed,
    )  # fmt: skip


def _soba(setting: Setting, exploration: float | None, seed: int, diagonal: bool) -> Learner:
    return SOBA(
        setting.n_classes, setting.n_features, exploration=exploration, adaptive=exploration is None,
        diagonal=diagonal, seed=seed,
    )  # fmt: skip


def _newtron(setting: Setting, exploration: float | None, seed: int, diagonal: bool) -> Learner:
    return Newtron(
        setting.n_classes, setting.n_features, diagonal=diagonal, seed=seed,
        exploration=setting.newtron_exploration if exploration is None else exploration,
    )  # fmt: skip


def _perceptron(setting: Setting, exploration: float | None, scale: float, seed: int) -> Learner:
    return Perceptron(setting.n_classes, setting.n_features, seed=seed)


def _second_order(setting: Setting, seed: int, diagonal: bool) -> Learner:
    return SecondOrderPerceptron(setting.n_classes, setting.n_features, diagonal=diagonal, seed=seed)


def _newton_step(setting: Setting, exploration: float | None, scale: float, seed: int) -> Learner:
    return OnlineNewtonStep(
        setting.n_classes, setting.n_features, radius=setting.radius, feature_norm=setting.feature_norm, seed=seed
    )


LOSSES = ("logistic", "hinge", "smooth-hinge")
LINEAR: dict[str, Contender] = {
    "proximal-logistic": Contender("full", _proximal_logistic),
    **{f"gaptron-{name}": _gaptron(name.replace("-", " "), "full") for name in LOSSES},
    "perceptron": Contender("full", _perceptron),
    "second-order-perceptron-diagonal": Contender("full", lambda s, _, __, seed: _second_order(s, seed, True)),
    **{f"gaptron-{name}-bandit": _gaptron(name.replace("-", " "), "bandit") for name in LOSSES},
    "banditron": Contender("bandit", _banditron),
    "pnewtron": Contender("bandit", lambda s, gamma, _, seed: _newtron(s, gamma, seed, True)),
    "soba-diagonal": Contender("bandit", lambda s, gamma, _, seed: _soba(s, gamma, seed, True)),
}
QUADRATIC: dict[str, Contender] = {
    "second-order-perceptron": Contender("full", lambda s, _, __, seed: _second_order(s, seed, False)),
    "online-newton-step": Contender("full", _newton_step),
    "newtron": Contender("bandit", lambda s, gamma, _, seed: _newtron(s, gamma, seed, False)),
    "soba": Contender("bandit", lambda s, gamma, _, seed: _soba(s, gamma, seed, False)),
}
CONTENDERS = LINEAR | QUADRATIC
