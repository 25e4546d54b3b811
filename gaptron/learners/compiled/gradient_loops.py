"""Linear learners living a whole stream in one compiled call.

All kernels are in this file, because numba's cache looks for changes in no other. The weights W = scale V are kept
as V, so that a projection is one multiplication. V has the rows of W, shape (K, d), for dense streams, and its
columns for sparse ones, shape (d, K) with K rounded up to whole vector registers: a non-zero touches neighbours.

A round whose numbers might leave [-LARGEST, LARGEST] is not lived here: the kernel stops before its draw. A feature
that is not finite is found the same way, since no score is finite then. Beside V there are four numbers in ``ball``:
the scale, ||W||_F^2 (kept for a finite radius), a bound on abs(W), and how many numbers were touched since V was last
multiplied out and the other two computed from it.

Reading V takes longer than the sums of a wide dense round. Such rounds are read in blocks of four: ``ahead`` has V x
of each, V being read once for all, and what a round learns is added to those of the later ones by means of the products
of their rows. To V it is added when the block ends, once for all, if it moves all rows of V. A block ends early where V
is multiplied out, and the last rounds of a stream are lived one by one.
"""

from collections.abc import Callable
from math import factorial, inf, log, sqrt
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_null_value
from numba.extending import intrinsic
from numpy.typing import NDArray

from gaptron.learners.compiled.learner_rules import BANDITRON, HINGE, LARGEST, LOGISTIC, PERCEPTRON, SMOOTH_HINGE

if TYPE_CHECKING:
    from gaptron.learners.compiled.learner_rules import Rule
    from gaptron.learners.compiled.stream_arrays import CompiledRounds, Record

Array = NDArray[Any]
Numba = Any  # what its compiler passes around, which has no types

SMALLEST_SCALE, REFRESH = 1e-20, 64
BLOCK, WIDE, LINE = 4, 64, 8
AHEAD, LEARNED, VECTORS = slice(10, 14), slice(14, 18), 18
SCALE, SQUARE, BOUND, WORK = range(4)
LN2, SHIFT, LEAST = log(2), 1.5 * 2.0**52, -708.0
LN2_HIGH, LN2_LOW = float.fromhex("0x1.62e42fefa0000p-1"), float.fromhex("0x1.cf79abc9e3b39p-40")
TAYLOR = tuple(1 / factorial(n) for n in range(14))

OPTIONS: dict[str, Any] = {"error_model": "numpy", "cache": True}
jit: Callable[[Any], Any] = numba.njit(**OPTIONS, fastmath={"contract"})
jit_sums: Callable[[Any], Any] = numba.njit(**OPTIONS, fastmath={"contract", "nsz", "reassoc"})
inline: Callable[[Any], Any] = numba.njit(inline="always")


def _borrowed(_typing: Numba, array: Numba) -> Numba:
    """The array without its reference count, whose atomic increments would take most of a short round's time.

    Only for arguments of a kernel, which its caller keeps alive.
    """
    null: Numba = get_null_value

    def view(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        struct.meminfo, struct.parent = null(struct.meminfo.type), null(struct.parent.type)
        return struct._getvalue()

    return array(array), view


def _prefetch(_typing: Numba, array: Numba, index: Numba) -> Numba:
    """Bring ``array[index]`` into the second cache; nothing but time depends on it."""

    def call(context: Numba, builder: Numba, signature: Numba, arguments: Numba) -> Numba:
        place = builder.gep(context.make_array(signature.args[0])(context, builder, arguments[0]).data, arguments[1:])
        place = builder.bitcast(place, ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(function, [place, number(0), number(2), number(1)])  # a read, to the second cache, of data
        return context.get_dummy_value()

    return types.void(array, index), call


def _power(_typing: Numba, shifted: Numba) -> Numba:
    """2^n, from the double n + SHIFT with n from -1022 to 1023: its lowest bits, as an exponent."""

    def call(_context: Numba, builder: Numba, _signature: Numba, arguments: Numba) -> Numba:
        bits = ir.IntType(64)
        exponent = builder.add(builder.bitcast(arguments[0], bits), bits(1023))
        return builder.bitcast(builder.shl(exponent, bits(52)), ir.DoubleType())

    return types.float64(types.float64), call


borrowed: Numba = intrinsic(_borrowed)
power: Numba = intrinsic(_power)
prefetch: Numba = intrinsic(_prefetch)


# --- a row of features: its values x, and their columns unless it is dense ---------------------------------------


@jit_sums
def dot(v: Array, x: Array) -> float:
    total = 0.0
    for i in range(x.size):
        total += v[i] * x[i]
    return total


@jit_sums
def dense_scores(V: Array, x: Array, scores: Array) -> None:
    """Four rows at a time read x once, not four times."""
    whole = V.shape[0] - V.shape[0] % 4
    for k in range(0, whole, 4):
        s0 = s1 = s2 = s3 = 0.0
        for i in range(x.size):
            s0 += V[k, i] * x[i]
            s1 += V[k + 1, i] * x[i]
            s2 += V[k + 2, i] * x[i]
            s3 += V[k + 3, i] * x[i]
        scores[k], scores[k + 1], scores[k + 2], scores[k + 3] = s0, s1, s2, s3
    for k in range(whole, V.shape[0]):
        s0 = 0.0
        for i in range(x.size):
            s0 += V[k, i] * x[i]
        scores[k] = s0


@jit
def sparse_scores(V: Array, x: Array, columns: Array, scores: Array) -> None:
    """Four classes at a time stay in registers."""
    for k in range(0, V.shape[1], 4):
        s0 = s1 = s2 = s3 = 0.0
        for i in range(x.size):
            j, value = columns[i], x[i]
            s0 += V[j, k] * value
            s1 += V[j, k + 1] * value
            s2 += V[j, k + 2] * value
            s3 += V[j, k + 3] * value
        scores[k], scores[k + 1], scores[k + 2], scores[k + 3] = s0, s1, s2, s3


@inline
def score(is_dense: bool, V: Array, x: Array, columns: Array, scale: float, scores: Array) -> None:
    """scores = scale V x."""
    if is_dense:
        dense_scores(V, x, scores)
    else:
        sparse_scores(V, x, columns, scores)
    if scale != 1.0:
        for k in range(scores.size):
            scores[k] *= scale


@jit
def add_two(is_dense: bool, V: Array, x: Array, columns: Array, k: int, c: float, other: int, c_other: float) -> None:
    """Row k of V += c x, and row ``other`` += c_other x."""
    if is_dense:
        for i in range(x.size):
            V[k, i] += c * x[i]
        for i in range(x.size):
            V[other, i] += c_other * x[i]
    else:
        for i in range(x.size):
            V[columns[i], k] += c * x[i]
            V[columns[i], other] += c_other * x[i]


@jit
def add_all(is_dense: bool, V: Array, x: Array, columns: Array, c: Array, factor: float) -> None:
    """V += factor outer(c, x)."""
    if is_dense:
        for k in range(V.shape[0]):
            for i in range(x.size):
                V[k, i] += factor * c[k] * x[i]
    else:
        for i in range(x.size):
            j, value = columns[i], factor * x[i]
            for k in range(c.size):
                V[j, k] += c[k] * value


# --- a block of four rounds: x has a row for each -------------------------------------------------------------------


@jit_sums
def three_rows(V: Array, k: int, x: Array, ahead: Array) -> None:
    """Rows k to k + 2 of V, times all of x: twelve sums stay in registers while seven numbers are read."""
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = c0 = c1 = c2 = c3 = 0.0
    for i in range(x.shape[1]):
        x0, x1, x2, x3 = x[0, i], x[1, i], x[2, i], x[3, i]
        a, b, c = V[k, i], V[k + 1, i], V[k + 2, i]
        a0, a1, a2, a3 = a0 + a * x0, a1 + a * x1, a2 + a * x2, a3 + a * x3
        b0, b1, b2, b3 = b0 + b * x0, b1 + b * x1, b2 + b * x2, b3 + b * x3
        c0, c1, c2, c3 = c0 + c * x0, c1 + c * x1, c2 + c * x2, c3 + c * x3
    ahead[0, k], ahead[1, k], ahead[2, k], ahead[3, k] = a0, a1, a2, a3
    ahead[0, k + 1], ahead[1, k + 1], ahead[2, k + 1], ahead[3, k + 1] = b0, b1, b2, b3
    ahead[0, k + 2], ahead[1, k + 2], ahead[2, k + 2], ahead[3, k + 2] = c0, c1, c2, c3


@jit_sums
def one_row(V: Array, k: int, x: Array, ahead: Array) -> None:
    """Row k of V, times all of x."""
    s0 = s1 = s2 = s3 = 0.0
    for i in range(x.shape[1]):
        v = V[k, i]
        s0, s1, s2, s3 = s0 + v * x[0, i], s1 + v * x[1, i], s2 + v * x[2, i], s3 + v * x[3, i]
    ahead[0, k], ahead[1, k], ahead[2, k], ahead[3, k] = s0, s1, s2, s3


@jit_sums
def products(x: Array, inner: Array) -> None:
    """<x_i, x_j> for i <= j."""
    a0 = a1 = a2 = a3 = b1 = b2 = b3 = c2 = c3 = d3 = 0.0
    for i in range(x.shape[1]):
        x0, x1, x2, x3 = x[0, i], x[1, i], x[2, i], x[3, i]
        a0, a1, a2, a3 = a0 + x0 * x0, a1 + x0 * x1, a2 + x0 * x2, a3 + x0 * x3
        b1, b2, b3 = b1 + x1 * x1, b2 + x1 * x2, b3 + x1 * x3
        c2, c3, d3 = c2 + x2 * x2, c3 + x2 * x3, d3 + x3 * x3
    inner[0, 0], inner[0, 1], inner[0, 2], inner[0, 3] = a0, a1, a2, a3
    inner[1, 1], inner[1, 2], inner[1, 3] = b1, b2, b3
    inner[2, 2], inner[2, 3], inner[3, 3] = c2, c3, d3


@inline
def block_from(values: Array, t: int, d: int) -> Array:
    """The rows of the rounds from t on, shape (BLOCK, d)."""
    return values[t * d : (t + BLOCK) * d].reshape((BLOCK, d))


@jit
def look_ahead(V: Array, values: Array, t: int, ahead: Array) -> None:
    """V x of the rounds from t on, while the rows of the block after the next are brought in."""
    n_classes, d = V.shape
    x, triples = block_from(values, t, d), n_classes // 3
    steps = triples + n_classes % 3
    begin, share = (t + 2 * BLOCK) * d, BLOCK * d // steps + 1
    for step in range(steps):
        for i in range(begin + step * share, min(begin + (step + 1) * share, values.size), LINE):
            prefetch(values, i)
        if step < triples:
            three_rows(V, 3 * step, x, ahead)
        else:
            one_row(V, step + 2 * triples, x, ahead)


@inline
def carry_two(y: int, c: float, other: int, c_other: float, inner: Array, ahead: Array) -> None:
    """What adding c x and c_other x to two rows of V adds to V x of later rounds: these are the products with x."""
    for j in range(inner.size):
        ahead[j, y] += inner[j] * c
        ahead[j, other] += inner[j] * c_other


@inline
def carry_all(learned: Array, inner: Array, ahead: Array) -> None:
    """What V += outer(learned, x) adds to them."""
    for j in range(inner.size):
        for k in range(learned.size):
            ahead[j, k] += inner[j] * learned[k]


@inline
def moves_row(learned: Array, k: int) -> bool:
    """Whether row k of V is other than it was."""
    moves: bool = learned[0, k] != 0 or learned[1, k] != 0 or learned[2, k] != 0 or learned[3, k] != 0
    return moves


@jit
def move_three(V: Array, k: int, x: Array, learned: Array) -> None:
    """Rows k to k + 2 of V += what all of x gave."""
    a0, a1, a2, a3 = learned[0, k], learned[1, k], learned[2, k], learned[3, k]
    b0, b1, b2, b3 = learned[0, k + 1], learned[1, k + 1], learned[2, k + 1], learned[3, k + 1]
    c0, c1, c2, c3 = learned[0, k + 2], learned[1, k + 2], learned[2, k + 2], learned[3, k + 2]
    for i in range(x.shape[1]):
        x0, x1, x2, x3 = x[0, i], x[1, i], x[2, i], x[3, i]
        V[k, i] = V[k, i] + a0 * x0 + a1 * x1 + a2 * x2 + a3 * x3
        V[k + 1, i] = V[k + 1, i] + b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3
        V[k + 2, i] = V[k + 2, i] + c0 * x0 + c1 * x1 + c2 * x2 + c3 * x3


@jit
def move_one(V: Array, k: int, x: Array, learned: Array) -> None:
    """Row k of V += what all of x gave, if they gave it anything."""
    c0, c1, c2, c3 = learned[0, k], learned[1, k], learned[2, k], learned[3, k]
    if moves_row(learned, k):
        for i in range(x.shape[1]):
            V[k, i] = V[k, i] + c0 * x[0, i] + c1 * x[1, i] + c2 * x[2, i] + c3 * x[3, i]


@jit
def settle(V: Array, values: Array, t: int, n_rounds: int, learned: Array) -> None:
    """V += outer(learned_j, x_j) for so many rounds from t on, in their order; a later row may not be finite."""
    n_classes, d = V.shape
    if n_rounds < BLOCK:
        for j in range(n_rounds):
            for k in range(n_classes):
                for i in range(d):
                    V[k, i] += learned[j, k] * values[(t + j) * d + i]
        return
    x, whole = block_from(values, t, d), n_classes - n_classes % 3
    for k in range(0, whole, 3):
        if moves_row(learned, k) and moves_row(learned, k + 1) and moves_row(learned, k + 2):
            move_three(V, k, x, learned)
        else:
            for one in range(k, k + 3):
                move_one(V, one, x, learned)
    for k in range(whole, n_classes):
        move_one(V, k, x, learned)


# --- a round -------------------------------------------------------------------------------------------------------


@inline
def two_largest(scores: Array, n_classes: int) -> tuple[int, int]:
    """y*, and the lowest index among the largest other scores."""
    top, rival = (0, 1) if scores[0] >= scores[1] else (1, 0)
    first, second = scores[top], scores[rival]
    for k in range(2, n_classes):  # selections, not branches that nobody can foresee
        score, leads = scores[k], scores[k] > first
        rival = top if leads else k if score > second else rival
        second = first if leads else score if score > second else second
        top, first = (k, score) if leads else (top, first)
    return top, rival


@jit
def exp(z: float) -> float:
    """e^z for z <= 0 to 1.2 units in the last place, 0 below -708; without a call or a branch, so many at a time.

    Its own sums keep their order, whoever calls it: it is not inlined before that is settled.
    z = n log 2 + r with abs(r) <= log(2)/2, where the Taylor polynomial of degree 13 is off by 4e-18.
    """
    shifted = z * (1 / LN2) + SHIFT
    n = shifted - SHIFT
    r = (z - n * LN2_HIGH) - n * LN2_LOW
    square = r * r
    fourth = square * square
    high = TAYLOR[12] + r * TAYLOR[13]
    high = (TAYLOR[8] + r * TAYLOR[9] + square * (TAYLOR[10] + r * TAYLOR[11])) + fourth * high
    low = TAYLOR[4] + r * TAYLOR[5] + square * (TAYLOR[6] + r * TAYLOR[7])
    e = 1.0 + (r + (square * (TAYLOR[2] + r * TAYLOR[3]) + fourth * (low + fourth * high)))
    value: float = e * power(shifted) if z >= LEAST else 0.0
    return value


@inline
def softmax(scores: Array, n_classes: int, largest: float, p: Array) -> float:
    """p = softmax(scores), and sum_k exp(scores_k - largest)."""
    total = 0.0
    for k in range(n_classes):
        p[k] = exp(scores[k] - largest)
    for k in range(n_classes):
        total += p[k]
    for k in range(n_classes):
        p[k] /= total
    return total


@inline
def gap(rule: "Rule", margin: float, top_probability: float) -> float:
    """The gap map at m* or p* (van der Hoeven 2020, Theorems 1-3), none for the Perceptrons; at least gamma."""
    a = 0.0
    if rule.kind == LOGISTIC:
        a = 1 - top_probability if top_probability >= 0.5 else 1.0
    elif rule.kind == HINGE:
        a = 1 - margin if margin <= 1 / rule.n_classes else 0.0
    elif rule.kind == SMOOTH_HINGE:
        a = max(1 - margin, 0.0) ** 2
    return max(a, rule.exploration)


@inline
def loss_of(rule: "Rule", scores: Array, log_sum: float, top: int, other: int, y: int) -> tuple[float, float, bool]:
    """The loss, its slope (psi'(p) p, or phi'(m)), and whether it is off."""
    if rule.kind == LOGISTIC:
        return (log_sum - (scores[y] - scores[top])) / LN2, -1 / LN2, False
    margin = scores[y] - scores[other]
    if rule.kind == HINGE and y == top and margin > 1 / rule.n_classes:
        return 0.0, 0.0, True
    rest = max(1 - margin, 0.0)
    if rule.kind != SMOOTH_HINGE:
        return rest, (-1.0 if margin < 1 else 0.0), False
    return (1 - 2 * margin, -2.0, False) if margin <= 0 else (rest * rest, -2 * rest, False)


@inline
def weight_of(rule: "Rule", share: float) -> float:
    """What the gradient of a right round is multiplied by; share = p'(y)."""
    if not rule.bandit:
        return 1.0
    return 1 / share if share > 0 else 0.0


@inline
def step_size(rule: "Rule", slope: float, weight: float, is_top: bool) -> float:
    """A bound on abs(c), known before the draw."""
    if rule.kind == PERCEPTRON:
        return 0.0 if is_top else 1.0
    return 1 + weight if rule.kind == BANDITRON else abs(rule.learning_rate * weight * slope)


@inline
def coefficients(rule: "Rule", slope: float, weight: float, top: int, y: int, other: int, p: Array, c: Array) -> None:
    """W^k += c_k x: for all k with the logistic loss, and else for y and ``other``."""
    if rule.kind == LOGISTIC:
        for k in range(rule.n_classes):
            c[k] = -(rule.learning_rate * weight * (slope * ((1.0 if k == y else 0.0) - p[k])))
    elif rule.kind <= SMOOTH_HINGE:
        c[y] = -(rule.learning_rate * weight * slope)
        c[other] = -c[y]
    else:
        c[y] = c[other] = 0.0
        c[top] = -1.0
        c[y] += weight


# --- the weights ---------------------------------------------------------------------------------------------------


@jit
def refresh(V: Array, ball: Array) -> None:
    """V = W, and the norm and the bound computed anew."""
    square = bound = 0.0
    for i in range(V.shape[0]):
        for k in range(V.shape[1]):
            V[i, k] *= ball[SCALE]
            square += V[i, k] ** 2
            bound = max(bound, abs(V[i, k]))
    ball[SCALE], ball[SQUARE], ball[BOUND], ball[WORK] = 1.0, square, bound, 0.0


@jit_sums
def within_range(scores: Array, n_classes: int, reach: float) -> bool:
    """Whether scores and weights, bounded by ``reach`` after the round, leave room for every product."""
    total = reach
    for k in range(n_classes):
        total += abs(scores[k])
    return total <= LARGEST


@inline
def square_after(rule: "Rule", square: float, scores: Array, y: int, other: int, c: Array, xx: float) -> float:
    """||W + outer(c, x)||^2, from the scores W x and ||x||^2."""
    if rule.kind == LOGISTIC:
        for k in range(rule.n_classes):
            square += c[k] * (2 * scores[k] + c[k] * xx)
    else:
        for k in (y, other):
            square += c[k] * (2 * scores[k] + c[k] * xx)
    return max(square, 0.0)


@inline
def project(radius: float, V: Array, ball: Array) -> bool:
    """The nearest point of {||W||_F <= radius}; whether V is to be multiplied out."""
    if ball[SQUARE] > radius * radius:
        ball[SCALE] *= radius / sqrt(ball[SQUARE])
        ball[SQUARE] = radius * radius
    ball[BOUND] = min(ball[BOUND], radius)
    is_due: bool = ball[SCALE] < SMALLEST_SCALE or ball[WORK] > REFRESH * V.size
    return is_due


# --- a stream ------------------------------------------------------------------------------------------------------


@jit
def live(
    t: int, rule: "Rule", rounds: "CompiledRounds", V: Array, ball: Array, scratch: Array, rng: np.random.Generator,
    record: "Record",
) -> int:  # fmt: skip
    """Live the rounds from t on; returns the first that is not lived. ``scratch`` has vectors of K numbers."""
    K, projects, moves_all = rule.n_classes, rule.radius < inf, rule.kind == LOGISTIC
    is_dense, values, columns, ends, labels = rounds
    V, ball, values, columns = borrowed(V), borrowed(ball), borrowed(values), borrowed(columns)
    wrong, shares = borrowed(record.wrong), borrowed(record.label_probability)
    losses, offs = borrowed(record.loss), borrowed(record.off)
    scores, p, c = borrowed(scratch[0]), borrowed(scratch[1]), borrowed(scratch[2])
    is_wide, inner = is_dense and V.shape[1] >= WIDE, np.empty((BLOCK, BLOCK))
    ahead, learned = borrowed(scratch[AHEAD]), borrowed(scratch[LEARNED])
    begin, end, has_inner = t, t, False
    while t < labels.size:
        y = labels[t]
        a, b = (t * V.shape[1], (t + 1) * V.shape[1]) if is_dense else (ends[t], ends[t + 1])
        x, at = values[a:b], (columns if is_dense else columns[a:b])
        if is_wide and t >= end and t + BLOCK <= labels.size:
            look_ahead(V, values, t, ahead)
            begin, end, has_inner = t, t + BLOCK, False
            learned[:] = 0.0
        j, in_block = t - begin, t < end
        if in_block:
            for k in range(K):
                scores[k] = ball[SCALE] * ahead[j, k]
        else:
            score(is_dense, V, x, at, ball[SCALE], scores)
        top, rival = two_largest(scores, K)
        other = rival if y == top else top
        log_sum = log(softmax(scores, K, scores[top], p)) if rule.kind == LOGISTIC else 0.0
        uniform = gap(rule, scores[top] - scores[rival], p[top])
        share = uniform / K if y != top else 1 - uniform + uniform / K
        loss, slope, off = loss_of(rule, scores, log_sum, top, other, y)
        weight = weight_of(rule, share)
        size = step_size(rule, slope, weight, y == top)
        if size > 0 and in_block and not has_inner:
            products(block_from(values, begin, V.shape[1]), inner)
            has_inner = True
        xx = 0.0 if size == 0 else inner[j, j] if in_block else dot(x, x)
        reach = ball[BOUND] + size * sqrt(xx)
        if not within_range(scores, K, reach):
            break
        drawn = rng.integers(0, K) if rng.random() < uniform else top
        wrong[t], shares[t], losses[t], offs[t] = drawn != y, share, loss, off
        learns = drawn == y or not rule.bandit
        if size > 0 and (learns or rule.kind == BANDITRON):
            coefficients(rule, slope, weight if learns else 0.0, top, y, other, p, c)
            for_V = 1 / ball[SCALE]
            if not moves_all:
                add_two(is_dense, V, x, at, y, c[y] * for_V, other, c[other] * for_V)
                if in_block:
                    carry_two(y, c[y] * for_V, other, c[other] * for_V, inner[j, j + 1 :], ahead[j + 1 :])
            elif in_block:
                for k in range(K):
                    learned[j, k] = c[k] * for_V
                carry_all(learned[j], inner[j, j + 1 :], ahead[j + 1 :])
            else:
                add_all(is_dense, V, x, at, c, for_V)
            ball[WORK] += x.size * (K if moves_all else 2)
            ball[BOUND] = reach
            if projects:
                ball[SQUARE] = square_after(rule, ball[SQUARE], scores, y, other, c, xx)
        is_due = projects and learns and project(rule.radius, V, ball)
        t += 1
        if moves_all and in_block and (is_due or t == end):
            settle(V, values, begin, t - begin, learned)
        if is_due:
            refresh(V, ball)
            end = t
    if moves_all and t < end:
        settle(V, values, begin, t - begin, learned)
    return t
