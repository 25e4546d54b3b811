"""The quadratic of SOBA's Claim 1 by its definition, and settings to compute it at."""

from fractions import Fraction
from typing import Any

import numpy as np


def draw_setting(rng: np.random.Generator) -> tuple[dict[str, Any], Fraction, Fraction, Fraction]:
    """X = 1, D, eta at most 1/max(2D, 1), and m in [-2D, 2D]."""
    d = Fraction(int(rng.integers(1, 17)), 8)
    at = Fraction(int(rng.integers(1, 9)), 8) / max(2 * d, Fraction(1))
    margin = 2 * d * Fraction(int(rng.integers(-8, 9)), 8)
    return {"X": 1, "D": d, "eta": at, "m": margin}, d, at, margin


def value(margin: Fraction, at: Fraction) -> Fraction:
    """f by its definition."""
    return 1 - 2 * margin / (2 - at) + at * margin**2 / (2 - at)
