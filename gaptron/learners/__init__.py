"""Online classifiers, one a file. Importing Gaptron needs NumPy alone; the others are imported when first used.

predict_proba, predict, update and run; nothing here proves, checks or reports, and no prover is ever imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gaptron.learners.binary_gaptron import BinaryGaptron as BinaryGaptron
from gaptron.learners.gaptron import Gaptron as Gaptron

if TYPE_CHECKING:
    from gaptron.learners.abstaining import AbstainingGaptron as AbstainingGaptron
    from gaptron.learners.adahedge import AbstainingAdaHedge as AbstainingAdaHedge
    from gaptron.learners.aggregating import Aggregating as Aggregating
    from gaptron.learners.banditron import Banditron as Banditron
    from gaptron.learners.biased_halving import BiasedHalving as BiasedHalving
    from gaptron.learners.cone import Cone as Cone
    from gaptron.learners.exp_concave import ExpConcaveBandit as ExpConcaveBandit
    from gaptron.learners.ftrl import FTRLGaptron as FTRLGaptron
    from gaptron.learners.gradient_descent import BanditGradientDescent as BanditGradientDescent
    from gaptron.learners.newtron import Newtron as Newtron
    from gaptron.learners.online_newton_step import OnlineNewtonStep as OnlineNewtonStep
    from gaptron.learners.perceptron import Perceptron as Perceptron
    from gaptron.learners.proximal_logistic import ProximalLogistic as ProximalLogistic
    from gaptron.learners.second_order_perceptron import SecondOrderPerceptron as SecondOrderPerceptron
    from gaptron.learners.soba import SOBA as SOBA

_HOMES = {
    "AbstainingAdaHedge": "adahedge",
    "AbstainingGaptron": "abstaining",
    "Aggregating": "aggregating",
    "BanditGradientDescent": "gradient_descent",
    "Banditron": "banditron",
    "BiasedHalving": "biased_halving",
    "Cone": "cone",
    "ExpConcaveBandit": "exp_concave",
    "FTRLGaptron": "ftrl",
    "Newtron": "newtron",
    "OnlineNewtonStep": "online_newton_step",
    "Perceptron": "perceptron",
    "ProximalLogistic": "proximal_logistic",
    "SOBA": "soba",
    "SecondOrderPerceptron": "second_order_perceptron",
}
__all__ = sorted([*_HOMES, "BinaryGaptron", "Gaptron"])


def __getattr__(name: str) -> Any:
    """A learner, imported when first used."""
    if name in _HOMES:
        return getattr(import_module(f"gaptron.learners.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'gaptron.learners' has no attribute {name!r}")
