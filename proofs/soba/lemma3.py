"""SOBA paper, Lemma 3: the sum of the quadratic terms is logarithmic.

**Problem.** z = v/sqrt(p), v = (e_ybar - e_y) (x) x with ||x|| <= X, and A_t = a I + the sum of z z' over the updates,
a matrix of N = dk rows. The sum of E[n z'A_t^{-1}z] is to be bounded, gamma > 0 (it may change from round to round).

**Algorithm.** SOBA.

**Theoretical guarantee.** **Upper bound**: N ln(1 + 2 X^2 T/(a N)). With s = z'A_{t-1}^{-1}z the determinant grows by
the factor 1 + s, and z'A_t^{-1}z = s/(1 + s) <= ln(1 + s); ln|A_T| <= N ln(tr A_T/N), tangent by tangent, as the
tangent of ln at the mean of the eigenvalues is above each of them; ||z||^2 = 2 ||x||^2/p, and E[1[draw = y]/p] = 1. The
rows of every z sum to zero, so all of it happens in a space of dimension d (k - 1): N may be d (k - 1) instead.

**References.** Beygelzimer, Orabona, Zhang 2017, Lemma 3.
"""

from collections.abc import Callable

import flint
import numpy as np
from sympy import Eq, exp, log, symbols

from gaptron import (
    Argument,
    Average,
    Cite,
    Claim,
    Implication,
    InProof,
    Instance,
    Lemma,
    Put,
    Resists,
    Rounds,
    Use,
    When,
)
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, X, d
from gaptron.theory import facts

prob, a, c, det, grown, entry, N = symbols("prob a c det grown entry N", positive=True)
s, quad, norm_z, norm2, trace, trace_up = symbols("s quad norm_z norm2 trace trace_up", nonnegative=True)
E_trace, rounds, count, entries = symbols("E_trace rounds count entries", nonnegative=True)
log_det, log_up, weight, h = symbols("log_det log_up weight h", real=True)
E_log_det, E_weight, quads, E_quads, weights, E_weights, given_past, E_given_past = symbols(
    "E_log_det E_weight quads E_quads weights E_weights given_past E_given_past", real=True
)
number, value, ratio, exponent, log_entry, log_c, logs, up, down, rest, row_sum = symbols(
    "number value ratio exponent log_entry log_c logs up down rest row_sum", real=True
)

FILE = "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 3"
NAMES = {
    prob: "p", s: "||n z||_A^-1^2", quad: "||n z||_B^-1^2", det: "det A", grown: "det B", log_det: "ln det A",
    log_up: "ln det B", weight: "n/p", norm_z: "||n z||^2", norm2: "||x||^2", trace: "tr A", trace_up: "tr B",
    E_trace: "E[tr A]", E_log_det: "E[ln det A]", E_weight: "E[n/p]", weights: "sum n/p", E_weights: "E[sum n/p]",
    given_past: "sum E[n/p]", E_given_past: "E[sum E[n/p]]", quads: "sum n ||z||_B^-1^2",
    E_quads: "E[sum n ||z||_B^-1^2]", rounds: "T", entries: "sum of the eigenvalues",
    logs: "sum of the logs of the eigenvalues", count: "number of eigenvalues", entry: "eigenvalue",
    log_entry: "log of the eigenvalue", c: "c", log_c: "log of c", ratio: "the log of the growth of c",
}  # fmt: skip
POINT = {
    X: 1, K: 2, d: 1, a: 1, N: 2, prob: 1, s: 0, quad: 0, det: 1, grown: 1, log_det: 0, log_up: 0, weight: 0, norm_z: 0,
    norm2: 0, trace: 2, trace_up: 2, E_trace: 2, E_log_det: 0, ratio: 0, E_weight: 0, weights: 0, E_weights: 0,
    given_past: 0, E_given_past: 0, h: 0, quads: 0, E_quads: 0, rounds: 0, entries: 2, logs: 0, count: 2, entry: 1,
    log_entry: 0, up: 1, down: -1, rest: 0, row_sum: 0,
}  # fmt: skip
GROWS = quad <= log_up - log_det
SPENT = quads <= log_det - N * log(a)
LONGER = trace <= a * N + 2 * X**2 * weights
TANGENTS = logs <= count * log_c + (entries - count * c) / c

determinants = Lemma(
    name="SOBA, Lemma 3, the determinant",
    source=SOURCE,
    implications=(
        Implication(
            name="exponential",
            statement="exp(z) >= 1 + z",
            given=(),
            then=exp(exponent) >= 1 + exponent,
        ),
        Implication(
            name="quadratic term",
            statement="||z||_B^-1^2 = s/(1 + s) = 1 - det A/det B, and det A/det B = exp(ln det A - ln det B)",
            given=(
                exp(log_det - log_up) >= 1 + (log_det - log_up),
                Eq(det, grown * exp(log_det - log_up)),
                Eq(grown, det * (1 + s)),
                Eq(quad * (1 + s), s),
            ),
            then=quad <= log_up - log_det,
        ),
        Implication(
            name="one more round",
            statement="the sum of the quadratic terms is at most ln|A_t| - ln|A_0|",
            given=(SPENT, GROWS),
            then=quads + quad <= log_up - N * log(a),
        ),
    ),
)

traces = Lemma(
    name="SOBA, Lemma 3, the trace",
    source=SOURCE,
    implications=(
        Implication(
            name="one more round, trace",
            statement="||n z||^2 = 2 ||x||^2 n/p <= 2 X^2 n/p",
            given=(LONGER, Eq(trace_up, trace + norm_z), Eq(norm_z, 2 * norm2 * weight), norm2 <= X**2, weight >= 0),
            then=trace_up <= a * N + 2 * X**2 * (weights + weight),
        ),
        Implication(
            name="one more round, weight",
            statement="E[n/p] = h <= 1 given the past",
            given=(given_past <= rounds, Eq(E_weight, h), h <= 1),
            then=given_past + E_weight <= rounds + 1,
        ),
        Implication(
            name="all rounds, trace",
            statement="E tr A <= a N + 2 X^2 T",
            given=(E_trace <= a * N + 2 * X**2 * E_weights, Eq(E_weights, E_given_past), E_given_past <= rounds),
            then=E_trace <= a * N + 2 * X**2 * rounds,
        ),
    ),
)

means = Lemma(
    name="SOBA, Lemma 3, determinant and trace",
    source=SOURCE,
    implications=(
        Implication(
            name="tangent of ln",
            statement="exp(z) >= 1 + z at z = ln(entry/c): ln entry <= ln c + entry/c - 1",
            given=(
                Eq(entry, c * exp(log_entry - log_c)),
                exp(log_entry - log_c) >= 1 + (log_entry - log_c),
            ),
            then=log_entry <= log_c + entry / c - 1,
        ),
        Implication(
            name="one more eigenvalue",
            statement="the sum of their logarithms against count ln c + (sum - count c)/c",
            given=(TANGENTS, log_entry <= log_c + entry / c - 1),
            then=logs + log_entry <= (count + 1) * log_c + (entries + entry - (count + 1) * c) / c,
        ),
        Implication(
            name="determinant and trace",
            statement="they are the product and the sum of the eigenvalues",
            given=(TANGENTS, Eq(logs, log_det), Eq(entries, trace), Eq(count, N)),
            then=log_det <= N * log_c + (trace - N * c) / c,
        ),
        Implication(
            name="at the mean",
            statement="E tr A <= N c at c = a + 2 X^2 T/N = a (1 + 2 X^2 T/(a N))",
            given=(
                E_log_det <= N * log_c + (E_trace - N * c) / c,
                E_trace <= a * N + 2 * X**2 * rounds,
                Eq(c, a + 2 * X**2 * rounds / N),
            ),
            then=E_log_det <= N * log_c,
        ),
        Implication(
            name="sum of the quadratic terms",
            statement="ln c - ln a = ln(1 + 2 X^2 T/(a N))",
            given=(
                E_quads <= E_log_det - N * log(a),
                E_log_det <= N * log_c,
                Eq(log_c, log(a) + ratio),
            ),
            then=E_quads <= N * ratio,
        ),
    ),
)

MATRICES = ("B = A + n z n z'", "A is positive definite")
A_ROUND = (*MATRICES, When("in every round", (Eq(det, grown * exp(log_det - log_up)),)))
GROWTH = (
    MATRICES[0], Eq(norm_z, 2 * norm2 * weight), norm2 <= X**2, weight >= 0, h <= 1, prob <= 1,
    "n/p is h/p with probability p, else 0",
)  # fmt: skip
ROUNDS = (
    "Any number of rounds, A before a round and B after it, on a space of N dimensions, A first a times the identity"
)
OBJECTS = {"A": "A", "B": "B", "z": "n z"}

all_quads = Argument(
    name="sum of the quadratic terms",
    setting=ROUNDS,
    symbols=NAMES,
    hypotheses=A_ROUND,
    steps=(
        Use(facts.DETERMINANT, OBJECTS),
        Use(facts.SHERMAN_MORRISON, OBJECTS),
        Put(determinants["exponential"], {exponent: log_det - log_up}),
        Rounds(
            invariant=SPENT,
            state={quads: (0, quads + quad), log_det: (N * log(a), log_up)},
            step=determinants["one more round"],
            fixed=(N, a),
            before=(determinants["quadratic term"],),
        ),
    ),
    conclusion=SPENT,
    example=POINT,
)

all_traces = Argument(
    name="trace",
    setting=ROUNDS,
    symbols=NAMES,
    hypotheses=GROWTH[:4],
    steps=(
        Use(facts.TRACE, OBJECTS),
        Rounds(
            invariant=LONGER,
            state={trace: (a * N, trace_up), weights: (0, weights + weight)},
            step=traces["one more round, trace"],
            fixed=(N, a, X),
        ),
    ),
    conclusion=LONGER,
    example=POINT,
)

all_weights = Argument(
    name="importance weights",
    setting="Any number of rounds",
    symbols=NAMES,
    hypotheses=GROWTH[4:],
    steps=(
        Use(facts.WEIGHTED, {"e": "n/p", "v": "h", "p": "p"}),
        Rounds(
            invariant=given_past <= rounds,
            state={given_past: (0, given_past + E_weight), rounds: (0, rounds + 1)},
            step=traces["one more round, weight"],
        ),
    ),
    conclusion=given_past <= rounds,
    example=POINT,
)

expected_trace = Argument(
    name="expected trace",
    setting=ROUNDS,
    symbols=NAMES,
    hypotheses=GROWTH,
    steps=(
        Cite(all_traces),
        Average(LONGER, {trace: E_trace, weights: E_weights}, (X, N, a)),
        Use(facts.TOWER, {"x": "n/p"}),
        Cite(all_weights),
        Average(given_past <= rounds, {given_past: E_given_past}, (rounds,)),
        traces["all rounds, trace"],
    ),
    conclusion=E_trace <= a * N + 2 * X**2 * rounds,
    example=POINT,
)

EIGENVALUE = Eq(entry, c * exp(log_entry - log_c))
eigenvalues = Argument(
    name="logs of the eigenvalues",
    setting="Any number of eigenvalues, and any positive c",
    symbols=NAMES,
    hypotheses=(EIGENVALUE,),
    steps=(
        Put(determinants["exponential"], {exponent: log_entry - log_c}),
        means["tangent of ln"],
        Rounds(
            invariant=TANGENTS,
            state={logs: (0, logs + log_entry), entries: (0, entries + entry), count: (0, count + 1)},
            step=means["one more eigenvalue"],
            fixed=(c, log_c),
        ),
    ),
    conclusion=TANGENTS,
    example=POINT | {c: 1, log_c: 0},
)

MATRIX = (Eq(logs, log_det), Eq(entries, trace), Eq(count, N))
ABOUT = (
    *A_ROUND, *GROWTH[1:], EIGENVALUE, *MATRIX, Eq(c, a + 2 * X**2 * rounds / N),
    Eq(log_c, log(a) + ratio),
)  # fmt: skip
SOBA = (
    "SOBA, A before a round and B after it, A first a times the identity, n one in rounds with an update, else zero, "
    "the determinant and the trace of A being those on a space of N dimensions, c its largest mean eigenvalue"
)
BOUND = E_quads <= N * ratio
LESS = log(1 + 2 * X**2 * rounds / (a * d * (K - 1)))

any_space = Argument(
    name="SOBA, Lemma 3, any space",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=ABOUT,
    steps=(
        Cite(all_quads),
        Average(SPENT, {quads: E_quads, log_det: E_log_det}, (N, a)),
        Cite(expected_trace),
        Cite(eigenvalues),
        means["determinant and trace"],
        Average(
            log_det <= N * log_c + (trace - N * c) / c,
            {log_det: E_log_det, trace: E_trace},
            (N, c, log_c),
        ),
        means["at the mean"],
        means["sum of the quadratic terms"],
    ),
    conclusion=BOUND,
    example=POINT | {c: 1, log_c: 0},
)

dimensions = Lemma(
    name="SOBA, Lemma 3, the space",
    source=SOURCE,
    implications=(
        Implication(
            name="number of dimensions",
            statement="N and the logarithm by their values",
            given=(BOUND, Eq(N, number), Eq(ratio, value)),
            then=E_quads <= number * value,
        ),
        Implication(
            name="one space for all",
            statement="the rows of z are x/sqrt(p), -x/sqrt(p) and zero: they sum to zero, entry by entry",
            given=(Eq(row_sum, up + down + rest), Eq(down, -up), Eq(rest, 0)),
            then=Eq(row_sum, 0, evaluate=False),
        ),
    ),
)

rank = Argument(
    name="SOBA, Lemma 3, rows that sum to zero",
    setting=SOBA
    + ": that of matrices whose rows sum to zero, which holds every z and which A maps to itself; up, down "
    "and rest are the entries of the rows of z in one column",
    symbols=NAMES,
    hypotheses=(*ABOUT, Eq(N, d * (K - 1)), Eq(ratio, LESS), Eq(row_sum, up + down + rest), Eq(down, -up), Eq(rest, 0)),
    steps=(
        dimensions["one space for all"],
        Cite(any_space),
        Put(dimensions["number of dimensions"], {number: d * (K - 1), value: LESS}),
    ),
    conclusion=(
        Eq(row_sum, 0, evaluate=False),
        E_quads <= d * (K - 1) * LESS,
    ),
    example=POINT | {c: 1, log_c: 0, N: 1, trace: 1, E_trace: 1, entries: 1, count: 1},
)


def quadratic_sum(game: SobaGame) -> flint.arb:
    """E of the sum of n z'A_t^{-1}z over all paths."""
    return ball(mean(game.paths, lambda path: sum(step.quadratic for step in path.steps if step.updated)))


def draw_bound(rank: bool) -> Callable[[np.random.Generator], Instance]:
    """Draws of three rounds against N ln(1 + 2 X^2 T/(a N)), N = dk or d (k - 1)."""

    def draw(rng: np.random.Generator) -> Instance:
        game = draw_game(rng, 3)
        size_ = len(game.stream[0][0]) * (game.n_classes - rank)
        ratio = 1 + 2 * game.norm2 * 3 / (game.regularizer * size_)
        return Instance(game.at, quadratic_sum(game), size_ * ball(ratio).log())

    return draw


claims = (
    Claim(
        id="soba/lemma3",
        quote=r"Lemma 3. If $d \ge 1$, $k \ge 2$, $T \ge 2$, then",
        source=SOURCE,
        statement="SOBA: z = v/sqrt(p), v = (e_ybar - e_y) (x) x, A_t = a I + sum n z z', n = 1 in rounds with an "
        "update, ||x|| <= X, exploration gamma > 0 that may change. E[sum n z'A_t^{-1}z] <= dk ln(1 + 2 X^2 T/(a dk))",
        grounds=InProof(FILE, "soba/lemma3"),
        recorded="PROVED",
        finding="It needs gamma > 0 and neither d >= 1, k >= 2 nor T >= 2. See soba/lemma3-rank for less.",
        second=Resists(draw_bound(rank=False), 25),
    ),
    Claim(
        id="soba/lemma3-rank",
        kind="improvement",
        source=f"{SOURCE} (not claimed there)",
        grounds=(rank, InProof(FILE, "soba/lemma3-rank")),
        recorded="PROVED",
        finding="The k rows of every z sum to zero: the determinant and the trace may be taken on that space, which "
        "A_t maps to itself.",
        second=Resists(draw_bound(rank=True), 25),
    ),
)
