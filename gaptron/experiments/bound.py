"""A run of Gaptron beside the theorem's bound."""

import math
import time
from dataclasses import asdict, replace

import numpy as np

from gaptron.bounds.hindsight import Comparator, HindsightLoss, best_comparator
from gaptron.experiments.repeat import about, about_text
from gaptron.language.theorems import StatedTheorem
from gaptron.learners import Gaptron
from gaptron.learners.record import Run
from gaptron.streams import Stream
from gaptron.system.documents import Document
from gaptron.system.printable import printable
from gaptron.theory import by_name

THEOREMS = {"logistic": "Theorem 1", "hinge": "Theorem 2", "smooth hinge": "Theorem 3"}
PAPER = "van der Hoeven 2020"
ROUNDING = 1e-12
SUMMATION = 1e-9


def report_on(
    rounds: Stream, name: str, learner: Gaptron, done: Run, loss: str | StatedTheorem, seed: int, start: float
) -> Document:
    """Compare a run that began at ``start`` with the bound of the theorem: of the paper, or of the user's Theorem.

    ``expectation`` says what ``expected_mistakes`` is: "exact", or "given the draws" of this run (bandit feedback).
    ``bound``, ``slack`` = bound - expected mistakes and ``theorem`` are None if no theorem covers the learning rate.

    Raises
    ------
    RuntimeError
        If exact expected mistakes exceed a bound that holds: an error of ours, never of the data.
    """
    full, is_named = learner.feedback == "full", isinstance(loss, str)
    loss_name = loss if isinstance(loss, str) else loss.data.name
    if learner.update_rule == "proximal" and isinstance(loss, str):
        loss = by_name.proximal_theorem(loss)
    comparator = _comparator(rounds, learner, done, loss)
    expected, bound = float(done.expected_mistakes), _bound(learner, comparator, rounds.n_rounds)
    if is_named and full and bound is not None and expected > bound * (1 + SUMMATION):
        raise RuntimeError(f"{expected} expected mistakes exceed the bound {bound}: a bug in gaptron")
    return about(rounds, name) | {
        "loss": loss_name,
        "feedback": learner.feedback,
        "decoder": learner.decoder,
        "update": learner.update_rule,
        "delay": learner.delay,
        "learning_rate": float(learner.learning_rate),
        "exploration": float(learner.exploration),
        "radius": None if math.isinf(learner.radius) else float(learner.radius),
        "seed": seed,
        "mistakes": done.mistakes,
        "expected_mistakes": expected,
        "expectation": "exact" if full else "given the draws",
        "comparator": asdict(comparator),
        "bound": bound,
        "slack": None if bound is None else bound - expected,
        "theorem": None if bound is None else _theorem(learner, loss, is_named),
        "seconds": round(time.monotonic() - start, 3),
    }


def _comparator(rounds: Stream, learner: Gaptron, done: Run, loss: str | StatedTheorem) -> Comparator:
    """The best comparator found, searched for in features of norm at most 1.

    With bandit feedback it must not depend on the draws, for the bound to hold in expectation over them: it is
    searched for without the final weights, and without switching off rounds.
    """
    X, full = float(learner.feature_norm), learner.feedback == "full"
    theorem = by_name.theorem(loss) if isinstance(loss, str) else loss.data
    in_hindsight = HindsightLoss(theorem.loss, rounds.X / X, rounds.y, ~done.off, rounds.n_classes)
    searched = in_hindsight if full else replace(in_hindsight, on=np.ones_like(done.off))
    copies = np.split(np.asarray(learner.W, dtype=float) * X, learner.delay + 1, axis=1)
    starts = [np.mean(copies, axis=0)] if full else []
    found = in_hindsight.at(best_comparator(searched, _regret(learner) / X**2, starts, float(learner.radius) * X))
    return Comparator(found.loss, found.norm / X)


def _regret(learner: Gaptron) -> float:
    """The coefficient of ||U||^2 in Lemma 1, once for each copy that takes turns."""
    return (learner.delay + 1) / (2 * float(learner.learning_rate))


def _bound(learner: Gaptron, comparator: Comparator, n_rounds: int) -> float | None:
    """Lemma 1 with a surrogate gap of at most zero, which a smaller learning rate keeps; None for a larger one."""
    if learner.surrogate.learning_rate is None:
        return None
    if float(learner.learning_rate) > _largest_rate(learner) * (1 + ROUNDING):
        return None
    return comparator.bound(_regret(learner)) + float(learner.exploration) * n_rounds * (1 - 1 / learner.n_classes)


def _largest_rate(learner: Gaptron) -> float:
    """The largest eta that the theorem allows; with bandit feedback gamma/K times that, as 1/p'(y) <= K/gamma."""
    full = float(learner.surrogate.learning_rate) / float(learner.feature_norm) ** 2
    return full if learner.feedback == "full" else full * float(learner.exploration) / learner.n_classes


def _theorem(learner: Gaptron, loss: str | StatedTheorem, is_named: bool) -> str:
    """Which statement the bound comes from: the theorem at its own parameters, else Lemma 1 with its gap inequality."""
    proof = "the constant that no algorithm beats" if is_named else "if gaptron check proves it"
    theorem = f"{PAPER}, {THEOREMS[loss]}" if isinstance(loss, str) else f"{loss.data.name}, {proof}"
    if learner.delay:
        theorem += f", for each of {learner.delay + 1} copies that take turns"
    own = learner.feedback == "full" and learner.exploration == 0
    own = own and (not isinstance(loss, str) or learner.decoder == "gap map")
    printed = math.isclose(float(learner.learning_rate), _largest_rate(learner), rel_tol=ROUNDING)
    if own and printed:
        return theorem
    if learner.update_rule == "proximal":
        return f"{theorem}, with a larger constant"
    return f"{PAPER}, Lemma 1, with the gap inequality of {theorem.removeprefix(f'{PAPER}, ')}"


def as_text(report: Document) -> str:
    """The report for people."""
    full = report["feedback"] == "full"
    radius = "" if report["radius"] is None else f", D = {report['radius']:.6g}"
    decoder = ", best decoder" if report["decoder"] == "best" else ""
    decoder += f", {report['update']} updates" if report["update"] != "gradient" else ""
    decoder += f", delay {report['delay']}" if report["delay"] else ""
    bound = "none: no theorem covers this learning rate"
    if report["bound"] is not None:
        where = f"slack {report['slack']:.2f}" if full else "in expectation over the draws"
        bound = f"{report['bound']:.2f} ({where}): {printable(report['theorem'])}"
    mistakes, comparator = report["mistakes"], report["comparator"]
    return "\n".join([
        f"data               {about_text(report)}",
        f"learner            {report['learner']}, {printable(report['loss'])} loss, {report['feedback']} feedback"
        f"{decoder}, eta = {report['learning_rate']:.6g}, gamma = {report['exploration']:.6g}{radius}, "
        f"seed {report['seed']}",
        f"mistakes           {mistakes} (error rate {mistakes / report['rounds']:.4f})",
        f"expected mistakes  {report['expected_mistakes']:.2f} ({report['expectation']})",
        f"best comparator    loss {comparator['loss']:.2f}, norm {comparator['norm']:.6g} (best found)",
        f"bound              {bound}",
    ])  # fmt: skip
