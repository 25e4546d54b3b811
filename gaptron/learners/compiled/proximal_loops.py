"""Gaptron's proximal rounds living a whole stream in one compiled call.

A margin loss of linear and quadratic pieces has its step in closed form, one that is linear in log p by Newton's
method with a term of third order, on the gradient's length, up to rounding. Labels whose envelope is seen to be at
least 1 are not solved for. Wide dense rounds are read in blocks as in ``gradient_loops``. A round is left to the
reference, which decides it, if its row is longer than X, its labels need more than 1, the loss increases at a margin,
or numbers leave the kernels' range.

What is used of ``gradient_loops`` and ``learner_rules`` is compiled into this file, at which alone numba's cache looks:
after a change there, touch it. A round costs O(K nnz(x)) and the decoder, O(K) for each label whose envelope is
below 1.
"""

from math import inf, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from gaptron.learners.compiled.gradient_loops import (
    AHEAD,
    BLOCK,
    BOUND,
    LEARNED,
    SCALE,
    WIDE,
    Array,
    add_all,
    block_from,
    borrowed,
    carry_all,
    dot,
    inline,
    jit,
    look_ahead,
    products,
    score,
    settle,
    softmax,
    two_largest,
    within_range,
)
from gaptron.learners.compiled.learner_rules import LARGEST
from gaptron.rounds.layouts import ROUNDING
from gaptron.rounds.proximal_softmax import DECREASE, ENOUGH, NEWTONS

if TYPE_CHECKING:
    from gaptron.learners.compiled.learner_rules import ProximalRule
    from gaptron.learners.compiled.stream_arrays import CompiledRounds, Record

Seen = tuple[float, float, float]

LOW, HIGH, FREE, FIRST, SECOND = range(5)
FEW, CUBES, SMALLEST = 16, 1e-32, 1e-18
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
def least_at(curves: Array, margin: float, c: float) -> float:
    """What the envelope is not below: the loss less ||gradient||^2/(4 c)."""
    curve = curves[piece_at(curves, margin)]
    slope = curve[FIRST] + 2 * curve[SECOND] * margin
    least: float = value_at(curve, margin) - slope * slope / (2 * c)
    return least


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
def look(rule: "ProximalRule", scores: Array, moves: Array, y: int, c: float, space: Array) -> Seen:
    """The probabilities p and the gradient at theta + delta."""
    shares, gradient, at = space[1], space[2], space[4]
    largest = -inf
    for k in range(at.size):
        at[k] = scores[k] + moves[k]
        largest = at[k] if at[k] > largest else largest
    total = softmax(at, at.size, largest, shares)
    return at[y] - largest, total, slopes(rule.slope, moves, y, c, shares, gradient)


@jit
def slopes(slope: float, moves: Array, y: int, c: float, shares: Array, gradient: Array) -> float:
    """The gradient slope (e_y - p) + 2 c delta, and its square."""
    square = 0.0
    for k in range(moves.size):
        gradient[k] = 2 * c * moves[k] - slope * shares[k]
    gradient[y] += slope
    for k in range(moves.size):
        square += gradient[k] * gradient[k]
    return square


@jit
def newton(slope: float, moves: Array, c: float, space: Array) -> tuple[float, float]:
    """The inverse Hessian on the gradient: ``step``, its square and its product with the gradient.

    ``space`` has five vectors of K numbers: the next point, p, the gradient, the step, and 1/D.
    The Hessian is D + slope p p^T with D = 2 c - slope p. What it misses, the third derivatives in the direction d of
    the step, -slope p ((d - <p, d>)^2 - their mean), moves the next point ``tried`` from moves - d.
    """
    tried, shares, gradient, step, inverse = space[0], space[1], space[2], space[3], space[4]
    direct = along = inner = square = mean = second = bent = 0.0
    for k in range(step.size):
        inverse[k] = 1 / (2 * c - slope * shares[k])
        direct += gradient[k] * gradient[k] * inverse[k]
        along += gradient[k] * shares[k] * inverse[k]
        inner += shares[k] * shares[k] * inverse[k]
    rank = slope / (1 + slope * inner)
    for k in range(step.size):
        step[k] = (gradient[k] - rank * along * shares[k]) * inverse[k]
        square += step[k] * step[k]
        mean += shares[k] * step[k]
        second += shares[k] * step[k] * step[k]
    for k in range(step.size):
        tried[k] = -slope / 2 * shares[k] * (step[k] * (step[k] - 2 * mean) + 2 * mean * mean - second)
        bent += tried[k] * shares[k] * inverse[k]
    for k in range(step.size):
        tried[k] = moves[k] - step[k] - (tried[k] - rank * bent * shares[k]) * inverse[k]
    return square, direct - rank * along * along


@jit
def softmax_step(
    rule: "ProximalRule", scores: Array, y: int, c: float, seen: Seen, limit: float, moves: Array, space: Array
) -> float:
    """The moves, and the envelope; or a number that it is not below, once that is ``limit``.

    The first point is ``moves``, which has been looked at. A step that makes the gradient no shorter is replaced by
    Newton's, halved until it does. The last step's cube is below rounding, and so is what moves and envelope are off.
    """
    tried, step = space[0], space[3]
    lead, total, square = seen
    expected, steep = 0.0, (1 - rule.slope) * (1 - rule.slope / (2 * c)) ** 2
    for _ in range(NEWTONS):
        if limit < inf and cost(rule, lead, total, c, moves) - square / (4 * c) >= limit:
            return limit
        length, expected = newton(rule.slope, moves, c, space)
        if square / (4 * c) <= ENOUGH or steep * steep * length * length * length <= CUBES:
            break
        before, size = square, 1.0
        lead, total, square = look(rule, scores, tried, y, c, space)
        while not square <= (1 - DECREASE * size) * before and size > SMALLEST:
            for k in range(tried.size):
                tried[k] = moves[k] - size * step[k]
            lead, total, square = look(rule, scores, tried, y, c, space)
            size /= 2
        copy(tried, moves)
    least: float = cost(rule, lead, total, c, moves) - expected / 2
    copy(tried, moves)
    return least


@inline
def copy(source: Array, target: Array) -> None:
    """Without numba's care for views of one another."""
    for k in range(target.size):
        target[k] = source[k]


@inline
def clear(moves: Array) -> None:
    """All zero."""
    for k in range(moves.size):
        moves[k] = 0.0


@inline
def cost(rule: "ProximalRule", lead: float, total: float, c: float, moves: Array) -> float:
    """loss_y(theta + delta) + c ||delta||^2, where p_y = e^lead/total."""
    paid: float = rule.free + rule.slope * (lead - log(total)) + c * dot(moves, moves)
    return paid


@jit
def softmax_needs(
    rule: "ProximalRule", scores: Array, top: int, sum_: float, needed: Array, moves: Array, kept: Array, space: Array
) -> float:
    """See ``margin_needs``; ``kept`` has the probabilities at the scores, and then the moves for the top label."""
    c, total, last, k, before = 1 / (2 * rule.learning_rate * rule.squared_norm), 0.0, 0.0, top, inf
    clear(needed)
    while k >= 0:
        if scores[k] != before:
            seen = stay(rule, scores, k, top, sum_, c, moves, kept, space)
            last = 1 - softmax_step(rule, scores, k, c, seen, inf if k == top else 1.0, moves, space)
            if k == top:
                copy(moves, kept[1])
            if last <= 0:
                break
        needed[k] = last
        total += last
        before = scores[k]
        k = largest_without(scores, needed)
    return total


@inline
def stay(
    rule: "ProximalRule", scores: Array, y: int, top: int, sum_: float, c: float, moves: Array, kept: Array,
    space: Array,
) -> Seen:  # fmt: skip
    """No moves, looked at."""
    clear(moves)
    copy(kept[0], space[1])
    return scores[y] - scores[top], sum_, slopes(rule.slope, moves, y, c, space[1], space[2])


@inline
def largest_without(scores: Array, needed: Array) -> int:
    """The label of the largest score among those that need nothing so far; -1 if there is none."""
    found, largest = -1, -inf
    for k in range(needed.size):
        if needed[k] == 0 and scores[k] > largest:
            found, largest = k, scores[k]
    return found


@jit
def softmax_change(
    rule: "ProximalRule", scores: Array, y: int, top: int, sum_: float, c: float, share: float, moves: Array,
    kept: Array, space: Array,
) -> None:  # fmt: skip
    """How the scores move; for the top label from a ``share`` of where it would have moved with the longest row."""
    if y == top:
        for k in range(moves.size):
            moves[k] = kept[1][k] * share
        seen = look(rule, scores, moves, y, c, space)
    else:
        seen = stay(rule, scores, y, top, sum_, c, moves, kept, space)
    softmax_step(rule, scores, y, c, seen, inf, moves, space)


# --- a round -------------------------------------------------------------------------------------------------------


@jit
def sort(scores: Array, order: Array, ranked: Array) -> None:
    """The labels by increasing scores, and these; a few are counted, without branches."""
    if scores.size > FEW:
        order[:] = np.argsort(scores)
        ranked[:] = scores[order]
        return
    for k in range(scores.size):
        place = 0
        for j in range(scores.size):
            place += int(scores[j] < scores[k]) | (int(scores[j] == scores[k]) & int(j < k))
        order[place], ranked[place] = k, scores[k]


@jit
def margin_needs(rule: "ProximalRule", ranked: Array, order: Array, needed: Array) -> float:
    """max(0, 1 - e_k) of every label, and their sum: lower scores have larger envelopes, at 1 none is needed."""
    c, top = 1 / (2 * rule.learning_rate * rule.squared_norm), ranked.size - 1
    clear(needed)
    total = last = 0.0
    for place in range(top, -1, -1):
        if place == top or ranked[place] != ranked[place + 1]:
            if place < top and least_at(rule.curves, ranked[place] - ranked[top], c) >= 1:
                break
            _, _, least = margin_step(rule.curves, ranked, place, c)
            last = 1 - least
            if last <= 0:
                break
        needed[order[place]] = last
        total += last
    return total


@jit
def margin_change(rule: "ProximalRule", scores: Array, ranked: Array, y: int, c: float, moves: Array) -> None:
    """How the scores move."""
    place = ranked.size - 1
    while ranked[place] != scores[y]:
        place -= 1
    mu, raised, _ = margin_step(rule.curves, ranked, place, c)
    for k in range(moves.size):
        moves[k] = min(scores[y] + raised - mu - scores[k], 0.0)
    moves[y] = raised


@inline
def largest_of(moves: Array) -> float:
    """Their largest absolute value."""
    largest = 0.0
    for k in range(moves.size):
        largest = max(largest, abs(moves[k]))
    return largest


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
    t: int, rule: "ProximalRule", rounds: "CompiledRounds", V: Array, ball: Array, scratch: Array,
    rng: np.random.Generator, record: "Record",
) -> int:  # fmt: skip
    """As ``gradient_loops.live``."""
    K = rule.n_classes
    is_dense, values, columns, ends, labels = rounds
    V, ball, values, columns = borrowed(V), borrowed(ball), borrowed(values), borrowed(columns)
    wrong, label_probability = borrowed(record.wrong), borrowed(record.label_probability)
    losses, offs = borrowed(record.loss), borrowed(record.off)
    scratch = borrowed(scratch)
    padded, scores, shares, moves = scratch[0], scratch[0, :K], scratch[1, :K], scratch[2, :K]
    space, kept, ranked, order = scratch[3:8, :K], scratch[8:10, :K], scratch[3, :K], np.empty(K, dtype=np.int64)
    is_wide, inner = is_dense and V.shape[1] >= WIDE, np.empty((BLOCK, BLOCK))
    ahead, learned = scratch[AHEAD], scratch[LEARNED]
    begin, end, sum_ = t, t, 0.0
    while t < labels.size:
        y = labels[t]
        a, b = (t * V.shape[1], (t + 1) * V.shape[1]) if is_dense else (ends[t], ends[t + 1])
        x, at = values[a:b], (columns if is_dense else columns[a:b])
        if is_wide and t >= end and t + BLOCK <= labels.size:
            look_ahead(V, values, t, ahead)
            products(block_from(values, t, V.shape[1]), inner)
            begin, end = t, t + BLOCK
            learned[:] = 0.0
        j, in_block = t - begin, t < end
        xx = inner[j, j] if in_block else dot(x, x)
        if not xx <= CLEAR * rule.squared_norm or 0 < xx < 1 / LARGEST:
            break
        if in_block:
            copy(ahead[j], padded)
        else:
            score(is_dense, V, x, at, ball[SCALE], padded)
        if not within_range(scores, K, ball[BOUND]):
            break
        top, second = two_largest(scores, K)
        if rule.is_margin:
            sort(scores, order, ranked)
            margin = scores[y] - scores[second if y == top else top]
            loss = value_at(rule.curves[piece_at(rule.curves, margin)], margin)
            total = margin_needs(rule, ranked, order, shares)
        else:
            sum_ = softmax(scores, K, scores[top], kept[0])
            loss = rule.free + rule.slope * (scores[y] - scores[top] - log(sum_))
            total = softmax_needs(rule, scores, top, sum_, shares, moves, kept, space)
        if not total <= CLEAR:
            break
        largest = 0.0
        if xx > 0:
            c = 1 / (2 * rule.learning_rate * xx)
            if rule.is_margin:
                margin_change(rule, scores, ranked, y, c, moves)
            else:
                softmax_change(rule, scores, y, top, sum_, c, xx / rule.squared_norm, moves, kept, space)
            largest = largest_of(moves)
        reach = ball[BOUND] + (largest / sqrt(xx) if xx > 0 else 0.0)
        if not within_range(scores, K, reach):
            break
        for k in range(K):
            shares[k] /= max(total, 1.0)
        shares[top] += max(1 - total, 0.0)
        drawn = label_at(rng.random(), shares)
        wrong[t], label_probability[t], losses[t], offs[t] = drawn != y, shares[y], loss, False
        if largest > 0:
            ball[BOUND] = reach
            if in_block:
                for k in range(K):
                    learned[j, k] = moves[k] / (ball[SCALE] * xx)
                carry_all(learned[j], inner[j, j + 1 :], ahead[j + 1 :])
            else:
                add_all(is_dense, V, x, at, moves, 1 / (ball[SCALE] * xx))
        t += 1
        if in_block and t == end:
            settle(V, values, begin, BLOCK, learned)
    if t < end:
        settle(V, values, begin, t - begin, learned)
    return t
