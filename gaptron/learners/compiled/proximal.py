"""Gaptron's proximal rounds living a whole stream in one compiled call.

A margin loss of linear and quadratic pieces has its step in closed form, one that is linear in log p by Newton's
method with the stopping rule of ``rounds.proximal_softmax``. A round is left to the reference, which decides it, if its
row is longer than X, its labels need more than 1, the loss increases at a margin, or numbers leave the kernels' range.

What is used of ``kernels`` and ``rules`` is compiled into this file, at which alone numba's cache looks: after a change
there, touch it. A round costs O(K nnz(x)) and the decoder, O(K) for each label whose envelope is below 1.
"""

from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from gaptron.learners.compiled.kernels import (
    BOUND,
    SCALE,
    Array,
    add_all,
    borrowed,
    dot,
    inline,
    jit,
    score,
    softmax,
    two_largest,
    within_range,
)
from gaptron.learners.compiled.rules import LARGEST
from gaptron.learners.rounds import ROUNDING
from gaptron.rounds.proximal_softmax import DECREASE, ENOUGH, NEWTONS, SHRINKINGS

if TYPE_CHECKING:
    from gaptron.learners.compiled.rounds import CompiledRounds, Record
    from gaptron.learners.compiled.rules import ProximalRule

Space = tuple[Array, Array, Array, Array]

LOW, HIGH, FREE, FIRST, SECOND = range(5)
CLEAR = 1 + ROUNDING / 2  # up to here the reference, which rounds otherwise, certainly refuses nothing


# --- losses of the margin ------------------------------------------------------------------------------------------


@inline
def piece_at(curves: Array, margin: float) -> int:
    """The last piece that begins at the margin or below."""
    place = 0
    while place + 1 < curves.shape[0] and curves[place + 1, LOW] <= margin:
        place += 1
    return place


@inline
def value_at(curve: Array, margin: float) -> float:
    """The loss."""
    loss: float = curve[FREE] + margin * (curve[FIRST] + margin * curve[SECOND])
    return loss


@inline
def rival(ranked: Array, place: int, j: int) -> float:
    """The j-th largest of the scores without the one at ``place``; ``ranked`` is increasing."""
    last = ranked.size - 1 - j
    score_there: float = ranked[last] if last > place else ranked[last - 1]
    return score_there


@jit
def margin_step(curves: Array, ranked: Array, place: int, c: float) -> tuple[float, float, float]:
    """The margin to which the label at ``place`` comes, its rise, and the envelope, nan if the loss increases there.

    From the margin upwards the j rivals that are reached come down together: see ``rounds.proximal_margins``.
    """
    theta, j, total = ranked[place], 1, rival(ranked, place, 0)
    mu = theta - total
    piece = piece_at(curves, mu)
    if not curves[piece, FIRST] + 2 * curves[piece, SECOND] * mu <= 0:
        return mu, 0.0, np.nan
    while True:
        joins = inf if j == ranked.size - 1 else theta + total - (j + 1) * rival(ranked, place, j)
        if joins <= mu:
            total += rival(ranked, place, j)
            j += 1
            continue
        rise, share = total - j * theta, 2 * c / (j + 1)
        first, second = curves[piece, FIRST], curves[piece, SECOND]
        if first + 2 * second * mu + share * (j * mu + rise) >= 0:
            break
        end = min(curves[piece, HIGH], joins)
        if end == inf or first + 2 * second * end + share * (j * end + rise) >= 0:
            mu = -(first + share * rise) / (2 * second + share * j)
            break
        mu = end
        piece += int(end == curves[piece, HIGH])
    raised = (j * mu + rise) / (j + 1)
    square = raised * raised
    for i in range(j):
        down = max(rival(ranked, place, i) - (theta + raised - mu), 0.0)
        square += down * down
    return mu, raised, value_at(curves[piece], mu) + c * square


# --- losses that are linear in log p -------------------------------------------------------------------------------


@jit
def cost(rule: "ProximalRule", scores: Array, moves: Array, y: int, c: float, at: Array, shares: Array) -> float:
    """loss_y(theta + delta) + c ||delta||^2; ``shares`` are the probabilities there."""
    top, square = 0, 0.0
    for k in range(at.size):
        at[k] = scores[k] + moves[k]
        square += moves[k] * moves[k]
        if at[k] > at[top]:
            top = k
    log_sum = softmax(at, at.size, top, shares)
    paid: float = rule.free + rule.slope * (at[y] - at[top] - log_sum) + c * square
    return paid


@jit
def newton(slope: float, moves: Array, y: int, c: float, shares: Array, step: Array) -> tuple[float, float]:
    """The inverse Hessian, of D + slope p p^T with D = 2 c - slope p, on the gradient: ``step``.

    The gradient is slope (e_y - p) + 2 c delta; returned are its square and its product with the step.
    """
    square = along = inner = 0.0
    for k in range(step.size):
        gradient = slope * ((1.0 if k == y else 0.0) - shares[k]) + 2 * c * moves[k]
        step[k] = gradient / (2 * c - slope * shares[k])
        square += gradient * gradient
        along += shares[k] * step[k]
        inner += shares[k] * shares[k] / (2 * c - slope * shares[k])
    factor, expected = slope * along / (1 + slope * inner), 0.0
    for k in range(step.size):
        gradient = slope * ((1.0 if k == y else 0.0) - shares[k]) + 2 * c * moves[k]
        step[k] -= factor * shares[k] / (2 * c - slope * shares[k])
        expected += gradient * step[k]
    return square, expected


@jit
def softmax_step(rule: "ProximalRule", scores: Array, y: int, c: float, moves: Array, space: Space) -> float:
    """The moves, and a number that the envelope is not below; ``space`` is four vectors of K numbers."""
    tried, at, shares, step = space
    moves[:] = 0.0
    value: float = cost(rule, scores, moves, y, c, at, shares)
    slack = inf
    for _ in range(NEWTONS):
        square, expected = newton(rule.slope, moves, y, c, shares, step)
        slack = square / (4 * c)
        if slack <= ENOUGH:
            for k in range(step.size):
                moves[k] -= step[k]
            break
        size, there = 1.0, value
        for _ in range(SHRINKINGS):
            for k in range(tried.size):
                tried[k] = moves[k] - size * step[k]
            there = cost(rule, scores, tried, y, c, at, shares)
            if there <= value - DECREASE * size * expected + ENOUGH:
                break
            size /= 2
        for k in range(tried.size):
            moves[k] = tried[k]
        value = there
    return value - slack


# --- a round -------------------------------------------------------------------------------------------------------


@inline
def envelope(
    rule: "ProximalRule", scores: Array, ranked: Array, order: Array, place: int, c: float, moves: Array, space: Space
) -> float:
    """Of the label at ``place`` of ``order``."""
    least: float
    if rule.is_margin:
        _, _, least = margin_step(rule.curves, ranked, place, c)
    else:
        least = softmax_step(rule, scores, order[place], c, moves, space)
    return least


@jit
def needs(
    rule: "ProximalRule", scores: Array, ranked: Array, order: Array, needed: Array, moves: Array, space: Space
) -> float:
    """max(0, 1 - e_k) of every label, and their sum: lower scores have larger envelopes, at 1 none is needed."""
    c = 1 / (2 * rule.learning_rate * rule.squared_norm)
    needed[:] = 0.0
    total = last = 0.0
    for place in range(ranked.size - 1, -1, -1):
        if place == ranked.size - 1 or ranked[place] != ranked[place + 1]:
            last = 1 - envelope(rule, scores, ranked, order, place, c, moves, space)
            if last <= 0:
                break
        needed[order[place]] = last
        total += last
    return total


@jit
def change(rule: "ProximalRule", scores: Array, ranked: Array, y: int, c: float, moves: Array, space: Space) -> float:
    """How the scores move, and the largest move."""
    if rule.is_margin:
        place = 0
        while ranked[place] != scores[y]:
            place += 1
        mu, raised, _ = margin_step(rule.curves, ranked, place, c)
        for k in range(moves.size):
            moves[k] = min(scores[y] + raised - mu - scores[k], 0.0)
        moves[y] = raised
    else:
        softmax_step(rule, scores, y, c, moves, space)
    largest = 0.0
    for k in range(moves.size):
        largest = max(largest, abs(moves[k]))
    return largest


@inline
def loss_of(rule: "ProximalRule", scores: Array, y: int, top: int, other: int, shares: Array) -> float:
    """The loss, ``other`` being the largest rival of y."""
    loss: float
    if rule.is_margin:
        margin = scores[y] - scores[other]
        loss = value_at(rule.curves[piece_at(rule.curves, margin)], margin)
    else:
        loss = rule.free + rule.slope * (scores[y] - scores[top] - softmax(scores, shares.size, top, shares))
    return loss


@inline
def label_at(uniform: float, probabilities: Array) -> int:
    """The first label whose cumulated probability exceeds ``uniform``; if rounding leaves none, the last possible."""
    total, last = 0.0, 0
    for k in range(probabilities.size):
        total += probabilities[k]
        if probabilities[k] != 0:
            last = k
        if uniform < total:
            return k
    return last


@jit
def live(
    t: int,
    rule: "ProximalRule",
    rounds: "CompiledRounds",
    V: Array,
    ball: Array,
    scratch: Array,
    rng: np.random.Generator,
    record: "Record",
) -> int:
    """As ``kernels.live``; of ``scratch`` all seven vectors are used."""
    K = rule.n_classes
    is_dense, values, columns, ends, labels = rounds
    V, ball, values, columns = borrowed(V), borrowed(ball), borrowed(values), borrowed(columns)
    wrong, label_probability = borrowed(record.wrong), borrowed(record.label_probability)
    losses, offs = borrowed(record.loss), borrowed(record.off)
    scratch = borrowed(scratch)
    padded, scores, shares, moves = scratch[0], scratch[0, :K], scratch[1, :K], scratch[2, :K]
    space = scratch[3, :K], scratch[4, :K], scratch[5, :K], scratch[6, :K]
    while t < labels.size:
        y = labels[t]
        a, b = (t * V.shape[1], (t + 1) * V.shape[1]) if is_dense else (ends[t], ends[t + 1])
        x, at = values[a:b], (columns if is_dense else columns[a:b])
        xx = dot(x, x)
        if not xx <= CLEAR * rule.squared_norm or 0 < xx < 1 / LARGEST:
            return t
        score(is_dense, V, x, at, ball[SCALE], padded)
        if not within_range(scores, K, ball[BOUND]):
            return t
        order = np.argsort(scores)
        ranked = scores[order]
        top, second = two_largest(scores, K)
        loss = loss_of(rule, scores, y, top, second if y == top else top, shares)
        total = needs(rule, scores, ranked, order, shares, moves, space)
        if not total <= CLEAR:
            return t
        largest = change(rule, scores, ranked, y, 1 / (2 * rule.learning_rate * xx), moves, space) if xx > 0 else 0.0
        reach = ball[BOUND] + (largest / sqrt(xx) if xx > 0 else 0.0)
        if not within_range(scores, K, reach):
            return t
        for k in range(K):
            shares[k] /= max(total, 1.0)
        shares[top] += max(1 - total, 0.0)
        drawn = label_at(rng.random(), shares)
        wrong[t], label_probability[t], losses[t], offs[t] = drawn != y, shares[y], loss, False
        if largest > 0:
            add_all(is_dense, V, x, at, moves, 1 / (ball[SCALE] * xx))
            ball[BOUND] = reach
        t += 1
    return t
