"""Refutations in Coq: what they say is what the theorem file says, and no round that breaks nothing is accepted."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY, Command
from sympy import Expr, Max, Piecewise, Rational, exp, log, sqrt
from test_whole_theorems import lemma_at

from gaptron import BinaryLoss, GapMap, MarginLoss, Parameter, SoftmaxLoss
from gaptron.checking.checker import Checked
from gaptron.checking.checker import check as check_theorems
from gaptron.coq.development import Whole, refutation, refuting
from gaptron.coq.formal import STATEMENT, asked, read
from gaptron.coq.library import RefusedError, compiled
from gaptron.coq.proved import Claims
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.reader.refutations import CONDITIONS
from gaptron.coq.refuted import refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.kernel import Certificate, read_certificate
from gaptron.symbols import K, T, X, gamma, m, p, z
from gaptron.system.documents import Document
from gaptron.theory.files import load
from gaptron.theory.theorem import Theorem
from gaptron.theory.verdict import Verdict

EXAMPLES = REPOSITORY / "examples"
SQUARE = Max(1 - m, 0) ** 2
ROUND = {"obligation": "gap/right/1", "K": 2, "scores": ["0", "0"], "label": 0}
BENT = Piecewise((1 - m, m <= 0), (1 - 2 * m, m < Rational(1, 4)), (Rational(1, 2), True))


@cache
def theorem_of(name: str) -> Theorem:
    """The one theorem of an example."""
    (statement,) = load(EXAMPLES / name)
    assert isinstance(statement.item, Theorem)
    return statement.item


def squared(**changed: Any) -> Theorem:
    """The squared hinge at 101/100 of its rate, or otherwise."""
    return replace(theorem_of("squared_hinge_too_fast.py"), **changed)


g, r = Parameter("g", 1, 2), Parameter("r", 1, 2)
BINARY = squared(loss=BinaryLoss(plus=Max(1 - z, 0) ** 2), gap_map=GapMap(SQUARE), learning_rate=Rational(3, 10))


def logistic(**changed: Any) -> Theorem:
    """Theorem 1 at four times its rate, or otherwise."""
    rate = {"learning_rate": 2 * log(2) / K, "regret": None}
    return replace(theorem_of("logistic_faster.py"), **{**rate, **changed})


LOGISTIC = log(1 + exp(-m), 2)
IN_TWO = Piecewise((-log(p, 2), p <= Rational(1, 2)), (2 * (1 - p), True))
HALVED = (exp(-m) + exp(-2 * m)) / 2


BEST = Theorem(name="decoded", loss=MarginLoss(SQUARE), learning_rate=Rational(1, 3), decoder="best")
TIED = {"obligation": "decoder/1", "K": 2, "scores": ["0", "0"]}
OFF = replace(BEST, loss=MarginLoss(Max(1 - m, 0), off_above=1 / (2 * K)), learning_rate=1 / K)
ATTAINED = replace(BEST, learning_rate=None, update="proximal", regret=Rational(1, 10))
ALIKE = {"obligation": "criterion/1", "K": 2, "scores": [["1/2", "-1/2"], ["-1/2", "1/2"]]}
CONSTANT, OF_SOFTMAX = "a constant of proximal updates", "a softmax constant"
GAME = {"X": "1", "D": "1048577/1048576", "T": "1"}
SOFTMAX_GAME = replace(
    theorem_of("bandit_too_fast.py"),
    loss=SoftmaxLoss(-log(p) / log(2)),
    gap_map=GapMap(1 - p),
    exploration=Rational(1, 10),
    learning_rate=8 * gamma / (K * X**2),
)


def of_margin(loss: Expr, rate: Expr, **changed: Any) -> Theorem:
    """A loss that is its own gap map, or has another."""
    return squared(**{"loss": MarginLoss(loss), "gap_map": GapMap(loss), "learning_rate": rate, **changed})


STATED = {
    "a round": (squared(), ROUND),
    "a wrong round": (squared(), {**ROUND, "label": 1}),
    "a round below a threshold": (
        theorem_of("hinge_too_fast.py"),
        {**ROUND, "scores": ["1/2", "0"]},
    ),
    "a round of one vector": (BINARY, ROUND),
    "a gap map": (squared(gap_map=GapMap(1 - m / 2)), {"obligation": "gap map/range", "point": {"m": "4"}}),
    "a regret": (squared(learning_rate=1 / (4 * K), regret=K), {"obligation": "regret", "K": 2, "point": {}}),
    "a loss": (
        squared(loss=MarginLoss(BENT)),
        {
            "obligation": "loss/convex",
            "K": 2,
            "points": [["-1/8", "0"], ["0", "0"], ["1/8", "0"]],
            "weight": "1/2",
            "label": 0,
        },
    ),
    "a capped loss": (
        theorem_of("not_convex.py"),
        {
            "obligation": "loss/convex",
            "K": 2,
            "points": [["-2", "0"], ["-1", "0"], ["0", "0"]],
            "weight": "1/2",
            "label": 0,
        },
    ),
    "a negative loss of the label -1": (
        squared(loss=BinaryLoss(plus=Max(1 - z, 0) ** 2, minus=Max(1 + z, 0) ** 2 - 1), learning_rate=Rational(1, 10)),
        {"obligation": "loss/nonnegative", "point": {"z": "-1"}},
    ),
    "parameters with the names of proofs": (
        squared(loss=MarginLoss(g * SQUARE), learning_rate=r / (2 * K)),
        {**ROUND, "parameters": {"g": "1", "r": "3/2"}},
    ),
    "a softmax round": (logistic(), {**ROUND, "label": 1}),
    "a softmax round of three": (
        logistic(classes=3),
        {**ROUND, "K": 3, "scores": ["1857/64", "29", "0"], "label": 1},
    ),
    "a softmax round in pieces": (
        logistic(loss=SoftmaxLoss(IN_TWO), learning_rate=log(2)),
        {**ROUND, "scores": ["1/64", "0"], "label": 1},
    ),
    "a softmax map": (logistic(gap_map=GapMap(1 - 2 * p)), {"obligation": "gap map/range", "point": {"p": "2/3"}}),
    "a negative softmax loss": (
        logistic(loss=SoftmaxLoss(-log(p) - Rational(1, 10))),
        {"obligation": "loss/nonnegative", "K": 3, "point": {"p": "14/15"}},
    ),
    "a softmax loss": (
        logistic(loss=SoftmaxLoss(1 - p), learning_rate=1 / (10 * K)),
        {
            "obligation": "loss/convex",
            "K": 2,
            "points": [["-37/31", "0"], ["-43/62", "0"], ["-6/31", "0"]],
            "weight": "1/2",
            "label": 0,
        },
    ),
    "a softmax regret": (
        logistic(learning_rate=log(2) / (2 * K), regret=K / 2),
        {"obligation": "regret", "K": 2, "point": {}},
    ),
    "a round with abstention": (theorem_of("abstaining_too_fast.py"), {**ROUND, "parameters": {"c": "2/3"}}),
    "a softmax round with abstention": (
        logistic(abstention_cost=Rational(1, 4), learning_rate=2 * log(2)),
        {**ROUND, "label": 1},
    ),
    "a logistic round": (of_margin(LOGISTIC, 2 / K), ROUND),
    "a logistic round of three": (of_margin(LOGISTIC, 10 / K, classes=3), {**ROUND, "K": 3, "scores": ["0", "0", "0"]}),
    "a logistic round far out": (
        of_margin(LOGISTIC, 400 / K),
        {**ROUND, "scores": ["1/2", "0"]},
    ),
    "a logistic round of one vector": (
        squared(loss=BinaryLoss(plus=log(1 + exp(-z), 2)), gap_map=GapMap(LOGISTIC), learning_rate=Rational(5)),
        ROUND,
    ),
    "a round of a root": (of_margin(sqrt(1 + m**2) - m, 2 / K), ROUND),
    "a round beside a root": (
        of_margin(Max(1 - m / sqrt(2), 0) ** 2, 2 / K),
        {**ROUND, "scores": ["2", "0"], "label": 1},
    ),
    "a round of two exponentials": (
        of_margin(HALVED, 1 / (100 * K), gap_map=GapMap(exp(-m))),
        {**ROUND, "K": 3, "scores": ["2", "0", "0"]},
    ),
    "a negative logistic loss": (
        of_margin(LOGISTIC - Rational(1, 10), 1 / (10 * K), gap_map=GapMap(LOGISTIC)),
        {"obligation": "loss/nonnegative", "K": 2, "point": {"m": "4"}},
    ),
    "a bandit round": (
        theorem_of("bandit_too_fast.py"),
        {**ROUND, "parameters": {"X": "1", "D": "1/3", "T": "1", "gamma": ["0.94", "0.95"]}},
    ),
    "a wrong bandit round": (
        replace(
            theorem_of("bandit_too_fast.py"),
            loss=MarginLoss(g * SQUARE),
            gap_map=GapMap(SQUARE),
            exploration=Rational(1, 10),
            learning_rate=gamma / (K * X**2),
        ),
        {**ROUND, "scores": ["1", "0"], "label": 1, "parameters": {"g": "3/2", "X": "1", "D": "2", "T": "1"}},
    ),
    "a bandit round with logarithms": (
        replace(
            theorem_of("bandit_too_fast.py"),
            loss=MarginLoss(LOGISTIC),
            gap_map=GapMap(LOGISTIC),
            exploration=Rational(1, 10),
            learning_rate=5 * gamma / X**2,
        ),
        {**ROUND, "K": 3, "scores": ["0", "0", "0"], "parameters": {"X": "1", "D": "1/2", "T": "1"}},
    ),
    "a softmax bandit round": (SOFTMAX_GAME, {**ROUND, "scores": ["1", "0"], "label": 1, "parameters": GAME}),
    "a softmax bandit round of three": (
        replace(SOFTMAX_GAME, classes=3),
        {**ROUND, "K": 3, "scores": ["1/2", "-1/2", "0"], "label": 1, "parameters": GAME},
    ),
    "a softmax bandit regret": (
        replace(SOFTMAX_GAME, learning_rate=gamma / (20 * K * X**2), regret=T / 2),
        {"obligation": "regret", "K": 2, "point": {"T": "4", "X*D": "10"}},
    ),
    "a map with bandit feedback": (
        replace(theorem_of("bandit_too_fast.py"), gap_map=GapMap(1 - m / 2)),
        {"obligation": "gap map/range", "K": 2, "point": {"m": "4"}},
    ),
    "a negative loss with bandit feedback": (
        replace(theorem_of("bandit_too_fast.py"), loss=MarginLoss(SQUARE - 1)),
        {"obligation": "loss/nonnegative", "point": {"m": "1"}},
    ),
    "no value with bandit feedback": (
        replace(theorem_of("bandit_too_fast.py"), loss=theorem_of("hole.py").loss),
        {"obligation": "loss/defined", "K": 2, "point": {"m": "1"}},
    ),
    "no value with the best decoder": (
        Theorem(name="a hole", loss=theorem_of("hole.py").loss, learning_rate=1 / (4 * K), decoder="best"),
        {"obligation": "loss/defined", "K": 2, "point": {"m": "1"}},
    ),
    "a round with the best decoder": (BEST, TIED),
    "a round of three with the best decoder": (
        replace(BEST, classes=3),
        {**TIED, "K": 3, "scores": ["1/2", "1/2", "0"]},
    ),
    "a softmax round with the best decoder": (
        replace(BEST, loss=SoftmaxLoss(-log(p, 2)), learning_rate=Rational(3, 2), classes=3),
        {**TIED, "K": 3, "scores": ["0", "0", "-1"]},
    ),
    "a round of one vector with the best decoder": (
        replace(BEST, loss=BinaryLoss(plus=Max(1 - z, 0) ** 2), learning_rate=Rational(1, 2)),
        {**TIED, "scores": ["1", "0"]},
    ),
    "a round of the best decoder that is off": (OFF, {**TIED, "K": 3, "scores": ["1/5", "0", "-2"]}),
    "a round of the best decoder that could be off": (
        replace(OFF, loss=MarginLoss(Max(1 - m, 0), off_above=1 / K), learning_rate=3 / K),
        TIED,
    ),
    "a negative loss with the best decoder": (
        replace(BEST, loss=MarginLoss(SQUARE - 1)),
        {"obligation": "loss/nonnegative", "point": {"m": "1"}},
    ),
    "a negative loss of the best decoder with rounds that are off": (
        replace(OFF, loss=MarginLoss(SQUARE - 1, off_above=1 / K)),
        {"obligation": "loss/nonnegative", "point": {"m": "1"}},
    ),
    "a softmax loss of the best decoder that is not convex": (
        replace(BEST, loss=SoftmaxLoss((1 - p) ** 2), learning_rate=Rational(1, 30)),
        {
            "obligation": "loss/convex",
            "K": 2,
            "points": [["-2", "0"], ["-3/2", "0"], ["-1", "0"]],
            "weight": "1/2",
            "label": 0,
        },
    ),
    "a negative loss of one vector with the best decoder": (
        replace(BEST, loss=BinaryLoss(plus=Max(1 - z, 0) ** 2, minus=Max(1 + z, 0) ** 2 - 1)),
        {"obligation": "loss/nonnegative", "point": {"z": "-1"}},
    ),
    "a regret with the best decoder": (
        replace(BEST, learning_rate=1 / (4 * K), regret=K / 2),
        {"obligation": "regret", "K": 2, "point": {}},
    ),
    "a constant of proximal updates": (ATTAINED, ALIKE),
    "a softmax constant": (replace(ATTAINED, loss=SoftmaxLoss(-log(p, 2))), ALIKE),
    "a softmax constant, nearly attained": (
        theorem_of("below_the_optimum.py"),
        {**ALIKE, "K": 3, "scores": [["13/18", "-13/18", "-16"], ["-13/18", "13/18", "-16"], ["0", "0", "-16"]]},
    ),
    "a constant of many classes": (
        replace(ATTAINED, loss=MarginLoss(g * Max(1 - m, 0)), regret=g * K**2 / (5 * (K - 1)), classes=range(3, 100)),
        {
            "obligation": "criterion/2",
            "K": 13,
            "scores": ["5/26", "0"],
            "scores_of": "label 0; of another label with both entries exchanged",
            "parameters": {"g": "1"},
        },
    ),
    "a bandit regret": (
        theorem_of("bandit_as_printed.py"),
        {"obligation": "regret", "K": 12, "point": {"T": "144", "X*D": "1/3"}},
    ),
    "no value": (theorem_of("hole.py"), {"obligation": "loss/defined", "K": 2, "point": {"m": "1"}}),
    "no logarithm": (
        squared(loss=MarginLoss(5 - log(m + 3))),
        {"obligation": "loss/defined", "K": 2, "point": {"m": "-4"}},
    ),
    "no value of a gap map": (
        squared(gap_map=GapMap(1 / (m - 1))),
        {"obligation": "gap map/defined", "K": 2, "point": {"m": "1"}},
    ),
    "no value of one vector": (
        squared(loss=BinaryLoss(plus=sqrt(1 - z)), gap_map=GapMap(SQUARE)),
        {"obligation": "loss/defined", "point": {"z": "2"}},
    ),
    "no softmax value": (
        logistic(loss=SoftmaxLoss(-log(p - Rational(1, 2)))),
        {"obligation": "loss/defined", "K": 2, "point": {"p": "1/3"}},
    ),
    "no learning rate": (
        squared(loss=MarginLoss(g * SQUARE), learning_rate=log(g - Rational(3, 2)) / K),
        {"obligation": "learning rate/defined", "K": 2, "point": {"g": "1"}},
    ),
    "a negative loss": (squared(loss=MarginLoss(SQUARE - 1)), {"obligation": "loss/nonnegative", "point": {"m": "1"}}),
}


def text_of(theorem: Theorem, witness: dict[str, Any]) -> str:
    """The refutation without the claims of the theorem: enough to be read."""
    return refuting(theorem, Claims(), "R_read", refuted(theorem, witness)).text()


def test_a_name_that_nothing_speaks_of_is_read_as_coq_prints_it() -> None:
    theorem, witness = STATED["a regret"]
    text = text_of(theorem, witness)
    ((_, statement),) = STATEMENT.findall(text)
    printed = statement.replace("(K d : nat)", "(K _ : nat)")
    assert printed != statement
    assert compare(theorem, [text], printed, is_refuted=True) >= 5


def agreed(theorem: Theorem, text: str) -> int:
    """How many values agree."""
    ((_, statement),) = STATEMENT.findall(text)
    return compare(theorem, [text], statement, is_refuted=True)


@pytest.mark.slow
def test_the_second_reader_agrees_with_every_kind() -> None:
    assert all(agreed(theorem, text_of(theorem, witness)) >= 5 for theorem, witness in STATED.values())


PLANTED = {
    "another loss": ("a round", "(1 + ((-1) * v_m))", "(1 + ((-2) * v_m))", "phi at"),
    "another gap map": ("a gap map", "(gap_map_of (INR K)) None", "(phi (INR K)) None", "the gap map"),
    "another rate": ("a round", "((101 / 400) * (/ v_K))", "((102 / 400) * (/ v_K))", "the learning rate at"),
    "rounds that are not off": (
        "a round below a threshold",
        "(Some (threshold (INR K)))",
        "None",
        "no function of its",
    ),
    "another number of classes": ("a round", "(2 <= K)%nat /\\ 0 < X", "(1 <= K)%nat /\\ 0 < X", "its premises"),
    "nothing said of the rate": ("a round", "rate_defined (INR K) /\\ ", "", "does not say that rate is defined"),
    "a round of another game": ("a round", "K d (margin_loss", "d K (margin_loss", "about another game"),
    "another condition": ("a round", "broken_round K", "broken_by K", "it is no condition"),
    "one thing more": (
        "a round",
        "X (rate (INR K) / X ^ 2).\nProof",
        "X (rate (INR K) / X ^ 2) /\\ 0 < X.\nProof",
        "more",
    ),
    "the loss of the other label": ("a round of one vector", "(minus (INR 2)) (gap", "(plus (INR 2)) (gap", "minus at"),
    "another softmax loss": ("a softmax round", "K d (psi (INR K))", "K d (gap_map_of (INR K))", "psi"),
    "another softmax map": ("a softmax map", "(1 + ((-2) * v_p))", "(1 + ((-3) * v_p))", "the gap map at"),
    "another cost": ("a round with abstention", "R :=\n  v_c.", "R :=\n  (v_c / 2).", "abstention cost"),
    "a round without abstention": (
        "a round with abstention",
        "broken_abstention_round K d (margin_loss K d (phi (INR K) v_c) (gap_map_of (INR K) v_c) None)"
        " (abstention_cost (INR K) v_c)",
        "broken_round K d (margin_loss K d (phi (INR K) v_c) (gap_map_of (INR K) v_c) None)",
        "about another game",
    ),
    "another parameter": (
        "parameters with the names of proofs",
        "X (rate (INR K) v_g v_r",
        "X (rate (INR K) v_r v_g",
        "the learning rate at",
    ),
    "another exploration rate": ("a bandit round", "(Rmin 1 (", "(Rmin 2 (", "the exploration rate at"),
    "another rate of a game": ("a bandit round", "((3 / 4) * ", "((1 / 4) * ", "the learning rate at"),
    "a rate at another exploration": (
        "a bandit round",
        "(INR T) (exploration (INR K) X D (INR T))).\nProof",
        "(INR T) 1).\nProof",
        "at no exploration",
    ),
    "a game without a ball": ("a bandit round", "0 < X /\\ 0 < D /\\", "0 < X /\\", "its premises at"),
    "a ball of another game": ("a bandit round", "None) X D (expl", "None) D X (expl", "about another game"),
    "another bandit loss": ("a bandit round", "(phi (INR K)) (gap", "(gap_map_of (INR K)) (gap", "phi"),
    "another softmax bandit loss": ("a softmax bandit round", "(psi (INR K)) (gap", "(gap_map_of (INR K)) (gap", "psi"),
    "another rate of a softmax game": (
        "a softmax bandit round",
        "(8 * v_gamma",
        "(9 * v_gamma",
        "the learning rate at",
    ),
    "the gap map's round": (
        "a round with the best decoder",
        "broken_decoder_round K K d (of_scores d (of_margin K (phi (INR K))))",
        "broken_round K d (margin_loss K d (phi (INR K)) (phi (INR K)) None)",
        "no loss of scores",
    ),
    "a decoder's softmax loss": ("a round with the best decoder", "(of_margin K", "(of_softmax K", "no of_margin"),
    "other rows": ("a round with the best decoder", "round K K d", "round K 1 d", "about another game"),
    "a decoder's other rate": (
        "a round with the best decoder",
        "R :=\n  (1 / 3)",
        "R :=\n  (1 / 4)",
        "the learning rate",
    ),
    "a round of the best decoder that is never off": (
        "a round of the best decoder that is off",
        "(Some (threshold (INR K))) X",
        "None X",
        "a constant is no function",
    ),
    "another threshold of the best decoder": (
        "a round of the best decoder that is off",
        "R :=\n  ((1 / 2) * (/ v_K))",
        "R :=\n  ((1 / 3) * (/ v_K))",
        "the threshold at",
    ),
    "a round without its threshold": (
        "a round of the best decoder that is off",
        "broken_switched_decoder_round K K d (of_scores d (of_margin K (phi (INR K)))) (Some (threshold (INR K)))",
        "broken_decoder_round K K d (of_scores d (of_margin K (phi (INR K))))",
        "about another game",
    ),
    "a decoder's other negative loss": (
        "a negative loss with the best decoder",
        "broken_score_loss K (of_scores d (of_margin K (phi (INR K))))",
        "broken_score_loss K (of_scores d (of_margin K (rate (INR K))))",
        "phi",
    ),
    "a loss with a gap map": (
        "a negative loss with the best decoder",
        "broken_score_loss K (of_scores d (of_margin K (phi (INR K))))",
        "broken_loss K (margin_loss K d (phi (INR K)) (phi (INR K)) None)",
        "no loss of scores",
    ),
    "a decoder's other label": (
        "a round of one vector with the best decoder",
        "(plus (INR 2)) (minus (INR 2))",
        "(minus (INR 2)) (plus (INR 2))",
        "plus",
    ),
    "a constant that some algorithm attains": ("a constant of proximal updates", "~ att", "att", "it denies nothing"),
    "another constant": ("a constant of proximal updates", "R :=\n  (1 / 10)", "R :=\n  (1 / 9)", "the regret at"),
    "another coefficient": ("a constant of proximal updates", "X 1 (regret", "X 2 (regret", "this coefficient"),
    "another problem": (
        "a constant of proximal updates",
        "(classification K K",
        "(classification K 2",
        "target is another",
    ),
    "another loss that is attained": (
        "a constant of proximal updates",
        "(of_margin K",
        "(of_softmax K",
        "no of_margin",
    ),
    "fewer classes": ("a constant of many classes", "(3 <= K)%nat", "(2 <= K)%nat", "its premises at"),
    "another regret of a game": ("a bandit regret", "(INR T) (excess (", "X (excess (", "about another game"),
    "another claimed regret": ("a bandit regret", "(Rmax (4 * ", "(Rmax (5 * ", "the regret at"),
    "rounds of full information": (
        "a bandit round",
        "broken_bandit_round K d (margin_loss K d (phi (INR K)) (gap_map_of (INR K)) None) X D"
        " (exploration (INR K) X D (INR T)) (",
        "broken_round K d (margin_loss K d (phi (INR K)) (gap_map_of (INR K)) None) X (",
        "it binds",
    ),
    "another hole": ("no value", "(if Rlt_dec v_m 1 then True", "(if Rlt_dec v_m 2 then True", "defined at"),
    "a hole everywhere": ("no value", "(if Rle_dec v_m 0 then True", "(if Rle_dec v_m 0 then False", "not defined at"),
    "a value of which nothing is claimed": (
        "no value of a gap map",
        "~ ((forall v_m, 0 <= v_m -> gap",
        "~ ((forall v_m, gap",
        "of which nothing is claimed",
    ),
    "a value of another number of classes": (
        "no value",
        "(2 <= K)%nat /\\ 0 < X",
        "(1 <= K)%nat /\\ 0 < X",
        "its premises",
    ),
    "a denial of something else": (
        "no value",
        "~ ((forall v_m, phi_defined (INR K) v_m))",
        "~ (0 < X)",
        "has a variable",
    ),
    "another regret": ("a regret", "R :=\n  v_K", "R :=\n  (2 * v_K)", "the regret at"),
}


@pytest.mark.few(14)
@pytest.mark.parametrize("planted", PLANTED)
def test_a_refutation_of_something_else_is_found(planted: str) -> None:
    stated, before, after, finding = PLANTED[planted]
    theorem, witness = STATED[stated]
    text = text_of(theorem, witness)
    if planted == "another loss":
        head, _, rest = text.partition("Definition gap_map_of")
        changed = head.replace(before, after) + "Definition gap_map_of" + rest
    else:
        changed = text.replace(before, after)
    assert changed != text
    with pytest.raises(DifferentError, match=finding):
        agreed(theorem, changed)


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("theorem", "witness", "reason"),
    [
        pytest.param(squared(learning_rate=1 / (4 * K)), ROUND, "no enclosure shows", id="a gap of zero"),
        pytest.param(squared(), {**ROUND, "scores": ["1", "0"]}, "no enclosure shows", id="a round that is fine"),
        pytest.param(
            SOFTMAX_GAME,
            {**ROUND, "scores": ["5", "0"], "parameters": {"X": "1", "D": "1", "T": "1"}},
            "no round near",
            id="a softmax bandit round outside of the ball",
        ),
        pytest.param(
            replace(theorem_of("bandit_too_fast.py"), learning_rate=gamma / (4 * K**2 * X**2)),
            {**ROUND, "parameters": {"D": "1/3", "T": "1"}},
            "no enclosure shows",
            id="a bandit round that is fine",
        ),
        pytest.param(
            theorem_of("bandit_as_printed.py"),
            {"obligation": "regret", "K": 12, "point": {"T": "9/4", "X*D": "1/3"}},
            "whole number of rounds",
            id="a game of part of a round",
        ),
        pytest.param(
            replace(BEST, learning_rate=1 / (4 * K)), TIED, "no enclosure shows", id="a prediction that suits"
        ),
        pytest.param(replace(ATTAINED, regret=K), ALIKE, "no enclosure shows", id="a constant that is attained"),
        pytest.param(
            replace(ATTAINED, loss=SoftmaxLoss(-log(p, 2)), regret=1),
            ALIKE,
            "no scores near",
            id="a softmax constant that is attained",
        ),
        pytest.param(
            ATTAINED, {"obligation": "regret/positive", "K": 2, "point": {}}, "the criterion alone", id="no criterion"
        ),
        pytest.param(BEST, {**TIED, "K": 33, "scores": ["0"] * 33}, "more than 32 labels", id="many labels"),
        pytest.param(
            replace(BEST, loss=MarginLoss(SQUARE)),
            {"obligation": "loss/nonnegative", "point": {"m": "1"}},
            "no enclosure shows",
            id="a loss of the best decoder that is not negative",
        ),
        pytest.param(
            OFF, {**TIED, "K": 3, "scores": ["2", "0", "0"]}, "no enclosure shows", id="a round that is off and suits"
        ),
        pytest.param(
            squared(),
            {"obligation": "loss/defined", "point": {"m": "1"}},
            "is at no function",
            id="a value there",
        ),
        pytest.param(of_margin(LOGISTIC, 1 / K), ROUND, "no enclosure shows", id="a logistic round that is fine"),
        pytest.param(logistic(), {**ROUND, "scores": ["5", "0"]}, "no round near", id="a softmax round that is fine"),
        pytest.param(
            logistic(),
            {**ROUND, "obligation": "loss/convex", "points": [["0", "0"]] * 3, "weight": "1/2"},
            "no rational probabilities near",
            id="a softmax loss that is convex",
        ),
    ],
)
def test_what_is_not_stated_is_named(theorem: Theorem, witness: dict[str, Any], reason: str) -> None:
    with pytest.raises(OutOfScopeError, match=reason):
        text_of(theorem, witness)


def test_rounds_of_the_best_decoder_refute_no_gap_map() -> None:
    with pytest.raises(DifferentError, match="its loss is no margin_loss"):
        agreed(squared(learning_rate=Rational(1, 3)), text_of(*STATED["a round with the best decoder"]))


def test_rounds_refute_no_constant_of_proximal_updates() -> None:
    with pytest.raises(DifferentError, match="it binds"):
        agreed(ATTAINED, text_of(*STATED["a round with the best decoder"]))


def checked(theorem: Theorem) -> Checked:
    """A theorem that is REFUTED."""
    (found,) = check_theorems([theorem], seconds=20.0, workers=1)
    assert found.verdict is Verdict.REFUTED
    return found


def broken(theorem: Theorem, part: str = "gap/") -> tuple[dict[str, Certificate], Document]:
    """What is proved of a theorem that is refuted, and the witness against that part."""
    found = checked(theorem)
    rows = zip(found.obligations, found.outcomes, found.certificates, strict=True)
    proved = {
        obligation.id: read_certificate(json.dumps(certificate))
        for obligation, outcome, certificate in rows
        if outcome.verdict is Verdict.PROVED and certificate is not None
    }
    (witness,) = (witness for witness in found.witnesses if witness["obligation"].startswith(part))
    return proved, witness


def written(theorem: Theorem, part: str = "gap/") -> Whole:
    """The refutation by the witness against that part."""
    return refutation(theorem, *broken(theorem, part))


def test_a_round_of_full_information_refutes_no_theorem_with_bandit_feedback() -> None:
    text = text_of(*STATED["a round"])
    with pytest.raises(DifferentError, match="about another game"):
        agreed(theorem_of("bandit_too_fast.py"), text)


@pytest.mark.slow
def test_coq_accepts_a_round_and_no_round_that_breaks_nothing(library: Path, tmp_path: Path) -> None:
    theorem = squared()
    whole = written(theorem)
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert found.statement.startswith("exists (K d : nat) (X : R), ((2 <= K)%nat /\\ 0 < X) /\\ ")
    assert found.statement.endswith(
        "broken_round K d (margin_loss K d (phi (INR K)) (gap_map_of (INR K)) None) X (rate (INR K) / X ^ 2)"
    )
    assert compare(theorem, [*whole.files.values()], found.statement, is_refuted=True) > 50
    with pytest.raises(DifferentError, match="not about all classes"):
        compare(theorem, [*whole.files.values()], found.statement)
    claims, development = whole.files.items()
    scores = "match k with _ => 0 end"
    assert scores in development[1]
    fine = development[1].replace(scores, "match k with O => 1 | _ => 0 end")
    with pytest.raises(RefusedError) as refused:
        compiled({claims[0]: claims[1], development[0]: fine}, tmp_path, library)
    lines = fine.splitlines()
    assert "Lemma witness_breaks" in "\n".join(lines[refused.value.line - 30 : refused.value.line])


@pytest.mark.slow
@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("stated", "part"),
    [
        ("a round of one vector", "gap/"),
        ("a gap map", "gap map/"),
        ("a regret", "regret"),
        ("a loss", "loss/convex"),
        ("a softmax round of three", "gap/"),
        ("a softmax round in pieces", "gap/"),
        ("a softmax loss", "loss/convex"),
        ("a round with abstention", "gap/"),
        ("a capped loss", "loss/convex"),
        ("no value", "loss/defined"),
        ("no logarithm", "loss/defined"),
        ("no value of a gap map", "gap map/defined"),
        ("no value of one vector", "loss/defined"),
        ("no softmax value", "loss/defined"),
        ("no learning rate", "learning rate/defined"),
        ("a map with bandit feedback", "gap map/"),
        ("no value with bandit feedback", "loss/defined"),
        ("no value with the best decoder", "loss/defined"),
        ("a bandit round", "gap/"),
        ("a bandit round with logarithms", "gap/"),
        ("a constant of proximal updates", "criterion/"),
        ("a constant of many classes", "criterion/"),
        ("a softmax constant", "criterion/"),
        ("a softmax constant, nearly attained", "criterion/"),
        ("a round with the best decoder", "decoder/"),
        ("a softmax round with the best decoder", "decoder/"),
        ("a round of one vector with the best decoder", "decoder/"),
        ("a round of the best decoder that is off", "decoder/"),
        ("a negative loss with the best decoder", "loss/"),
        ("a softmax loss of the best decoder that is not convex", "loss/"),
        ("a negative loss of one vector with the best decoder", "loss/"),
        ("a regret with the best decoder", "regret"),
        ("a softmax bandit round", "gap/"),
        ("a softmax bandit regret", "regret"),
        ("a bandit regret", "regret"),
        ("a logistic round", "gap/"),
        ("a logistic round of three", "gap/"),
        ("a logistic round of one vector", "gap/"),
        ("a round of two exponentials", "gap/"),
        ("a round of a root", "gap/"),
        ("a round beside a root", "gap/"),
        ("a negative logistic loss", "loss/"),
    ],
)
def test_coq_accepts_every_kind(stated: str, part: str, library: Path, tmp_path: Path) -> None:
    theorem, _ = STATED[stated]
    whole = written(theorem, part)
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert found.theorem == whole.theorem
    assert compare(theorem, [*whole.files.values()], found.statement, is_refuted=True) >= 5


@pytest.mark.slow
def test_coq_refuses_weights_at_which_nothing_is_broken(library: Path, tmp_path: Path) -> None:
    whole = written(logistic(classes=3))
    compiled(whole.files, tmp_path, library)
    development = f"{whole.module}.v"
    weights = "match k with O => 64 | S (O) => 63 | _ => 1 end"
    assert weights in whole.files[development]
    fine = whole.files[development].replace(weights, weights.replace("63", "1"))
    with pytest.raises(RefusedError) as refused:
        compiled({development: fine}, tmp_path, library)
    assert lemma_at(fine, refused.value.line) == "witness_breaks"


def refused_at(whole: Whole, before: str, after: str, library: Path, folder: Path) -> str:
    """The lemma at which coqc refuses a development with one text changed."""
    development = f"{whole.module}.v"
    changed = whole.files[development].replace(before, after)
    assert changed != whole.files[development]
    with pytest.raises(RefusedError) as refused:
        compiled({**whole.files, development: changed}, folder, library)
    return lemma_at(changed, refused.value.line)


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("before", "after", "lemma"),
    [
        pytest.param("(2 * (/ v_K))", "(1 * (/ v_K))", "witness_breaks", id="a rate at which nothing is broken"),
        pytest.param("(exp ((-1) * v_m))", "(exp ((-2) * v_m))", "phi_is_defined", id="another loss"),
        pytest.param("use witness_gap", "use witness_claimed", "witness_breaks", id="without what the kernel shows"),
    ],
)
def test_coq_refuses_a_logistic_round_that_breaks_nothing(
    before: str, after: str, lemma: str, library: Path, tmp_path: Path
) -> None:
    whole = written(STATED["a logistic round"][0])
    assert refused_at(whole, before, after, library, tmp_path) == lemma


@pytest.mark.slow
def test_coq_refuses_a_bandit_round_of_another_game(library: Path, tmp_path: Path) -> None:
    rates = {"exploration": Rational(1, 10), "learning_rate": gamma / (K * X**2)}
    whole = written(replace(theorem_of("bandit_too_fast.py"), **rates))
    compiled(whole.files, tmp_path, library)
    development = f"{whole.module}.v"
    for before, after, lemma in (
        ("(1048577 / 1048576)", "(1 / 2)", "witness_breaks"),  # the weights are not in the ball
        ("match k with O => 1 | _ => 0 end", "match k with O => 2 | _ => 0 end", "witness_breaks"),
        ("Z.to_nat 1", "Z.to_nat 0", "witness_rounds"),
    ):
        changed = whole.files[development].replace(before, after)
        assert changed != whole.files[development]
        with pytest.raises(RefusedError) as refused:
            compiled({development: changed}, tmp_path, library)
        assert lemma_at(changed, refused.value.line) == lemma


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("before", "after", "lemma"),
    [
        pytest.param("Z.to_nat 1", "Z.to_nat 0", "witness_rounds", id="no rounds"),
        pytest.param("match k with O => ", "match k with O => 4 + ", "witness_breaks", id="other weights"),
        pytest.param(
            "pose proof witness_in_ball", "pose proof witness_gap", "witness_breaks", id="outside of the ball"
        ),
        pytest.param("use witness_gap", "use witness_chance", "witness_breaks", id="without what the kernel shows"),
    ],
)
def test_coq_refuses_a_softmax_round_of_another_game(
    before: str, after: str, lemma: str, library: Path, tmp_path: Path
) -> None:
    whole = written(SOFTMAX_GAME)
    assert refused_at(whole, before, after, library, tmp_path) == lemma


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("before", "after", "lemma"),
    [
        pytest.param("match k with _ => 0 end", "match k with O => 1 | _ => 0 end", "witness_label_0", id="scores"),
        pytest.param("if Nat.eqb k 0 then (1 + ", "if Nat.eqb k 0 then (2 + ", "witness_label_0", id="a larger need"),
        pytest.param("exact witness_label_1", "exact witness_label_0", "witness_breaks", id="a label left out"),
        pytest.param("R :=\n  (1 / 3)", "R :=\n  (1 / 8)", "rate_cases", id="a rate at which nothing is broken"),
    ],
)
def test_coq_refuses_labels_that_need_less(before: str, after: str, lemma: str, library: Path, tmp_path: Path) -> None:
    whole = written(BEST, "decoder/")
    assert refused_at(whole, before, after, library, tmp_path) == lemma


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("before", "after", "lemma"),
    [
        pytest.param("with (s := (1 / 5))", "with (s := (1 / 7))", "witness_label_0", id="another margin"),
        pytest.param("  apply label_off", "  apply label_on", "witness_label_0", id="a round that is on"),
        pytest.param("R :=\n  ((1 / 2) * (/ v_K))", "R :=\n  ((1 / 1) * (/ v_K))", "threshold_cases", id="a threshold"),
    ],
)
def test_coq_refuses_a_round_that_is_not_off(
    before: str, after: str, lemma: str, library: Path, tmp_path: Path
) -> None:
    whole = written(OFF, "decoder/")
    assert refused_at(whole, before, after, library, tmp_path) == lemma


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("stated", "before", "after", "lemma"),
    [
        pytest.param(CONSTANT, "_ _ _ 1 ltac", "_ _ _ 0 ltac", "witness_breaks", id="a margin at which it holds"),
        pytest.param(CONSTANT, "exact F.", "exact V.", "witness_breaks", id="a loss that may increase"),
        pytest.param(CONSTANT, "R :=\n  (1 / 10)", "R :=\n  1", "regret_cases", id="a constant that is attained"),
        pytest.param(OF_SOFTMAX, "_ _ _ 4 1", "_ _ _ 9 1", "witness_breaks", id="other weights"),
        pytest.param(OF_SOFTMAX, "use witness_gap", "use witness_claimed", "witness_breaks", id="no gap"),
    ],
)
def test_coq_refuses_a_constant_that_is_attained(
    stated: str, before: str, after: str, lemma: str, library: Path, tmp_path: Path
) -> None:
    whole = written(STATED[stated][0], "criterion/")
    assert refused_at(whole, before, after, library, tmp_path) == lemma


@pytest.mark.slow
def test_coq_refuses_that_a_value_is_missing_where_there_is_one(library: Path, tmp_path: Path) -> None:
    theorem, witness = STATED["no value"]
    whole = refutation(theorem, {}, witness)
    compiled(whole.files, tmp_path, library)
    development = f"{whole.module}.v"
    changed = whole.files[development].replace("specialize (H 1)", "specialize (H (1 / 2))")
    assert changed != whole.files[development]
    with pytest.raises(RefusedError) as refused:
        compiled({development: changed}, tmp_path, library)
    assert lemma_at(changed, refused.value.line) == whole.theorem


@pytest.mark.slow
def test_an_export_lists_theorems_and_refutations_apart(tmp_path: Path, gaptron: Command) -> None:
    good, bad = "examples/squared_hinge.py", "examples/squared_hinge_too_fast.py"
    done = gaptron("export", "--coq", tmp_path, good, bad)
    assert done.returncode == 1
    (refuted,) = json.loads((tmp_path / "refutations.json").read_text())
    assert done.stderr == (
        "gaptron: squared hinge, too fast: not exported: it is REFUTED, and its refutation is in "
        f"{refuted['module']}.v\n"
    )
    assert [theorem["name"] for theorem in json.loads((tmp_path / "theorems.json").read_text())] == ["squared hinge"]
    assert (refuted["name"], refuted["file"]) == ("squared hinge, too fast", bad)
    assert f"Theorem {refuted['theorem']} : exists" in (tmp_path / f"{refuted['module']}.v").read_text()
    (document,) = json.loads(gaptron("check", "--coq", "--json", bad).stdout)["theorems"]
    assert (document["verdict"], document["evidence"], document["coq"]["accepted"]) == (
        "REFUTED",
        ["coq", "kernel"],
        True,
    )


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_second_reader_refuses_a_condition_of_ones_own(condition: str) -> None:
    anew = f"Definition {condition} (x : R) : Prop :=\n  0 = 0.\n"
    with pytest.raises(DifferentError, match=f"{condition} is defined anew"):
        compare(squared(), [anew], "0 = 0", is_refuted=True)
