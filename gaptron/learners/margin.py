"""The margin of a label and its rival."""

import numpy as np

from gaptron.learners.arithmetic import Array


def margin_and_rival(scores: Array, label: int) -> tuple[float, int]:
    """score_label - max_{k != label} score_k, and the lowest index k where that maximum is."""
    others = np.array(scores, dtype=float)
    others[label] = -np.inf
    rival = int(others.argmax())
    return float(scores[label]) - float(scores[rival]), rival
