"""Attacks on structured theorems: independent outputs that no algorithm foresees, and what the bound says of them.

The stream is drawn from a distribution at which the criterion is tight or fails (``prove.forced``). The ratio
(expected target - alpha loss of U)/(R X^2 ||U||^2) is one for every algorithm: above 1 none has the bound.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from gaptron.adversary.attack_json import SIDES, Verified, WitnessError, fraction, require
from gaptron.bounds.sides import Sides
from gaptron.constants.structured_constants import one_size
from gaptron.constants.structured_optimum import MOST_OUTPUTS
from gaptron.prove.broken_distributions import critical
from gaptron.prove.exact_text import exact
from gaptron.prove.forced import Forced, StructuredAdversary, forced, stream
from gaptron.system.documents import Document
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.entropies import Convolutional
from gaptron.theory.structured.outputs import PermutationMatrices, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

MOST_SIZES, MOST_ROUNDS = 2, 10**60
FAMILY = "independent outputs"


def sides_of(theorem: StructuredTheorem, stream: StructuredAdversary) -> Sides:
    """What every algorithm pays at least; alpha sum loss(U) and R X^2 ||U||^2, at most: in expectation."""
    return Sides(*stream.sides(theorem))


def refusal(theorem: StructuredTheorem) -> str | None:
    """Why it is not attacked, if it is not."""
    if theorem.regret is None and theorem.learning_rate is None:
        return "it states neither regret nor learning_rate"
    if isinstance(theorem.entropy, Convolutional):
        return "no exact bounds on the losses of convolutional entropies are known"
    if isinstance(theorem.outputs, PermutationMatrices):
        return "no exact bounds on the losses of permutation matrices are found in time"
    return None


def attacked_sizes(theorem: StructuredTheorem, asked: Sequence[int]) -> list[int]:
    """The sizes that are asked for, or the first ones from 2 on; those claimed, with few outputs."""
    first = range(theorem.first_size, theorem.first_size + MOST_SIZES)
    known = [n for n in asked or first if theorem.claims(n)]
    return [n for n in known if theorem.outputs.count(n) <= MOST_OUTPUTS]


def attack_structured(theorem: StructuredTheorem, size: int, deadline: float) -> Verified | None:
    """The best stream found at this size; after the ``deadline`` (of ``time.monotonic``) no distribution is tried."""
    best: Forced | None = None
    for distribution in critical(one_size(theorem, size), size):
        found = forced(theorem, distribution)
        if found is not None and (best is None or found.regret > best.regret):
            best = found
        if best is not None and time.monotonic() > deadline:
            break
    if best is None:
        return None
    made = stream(theorem, best)
    return Verified(FAMILY, made, sides_of(theorem, made))


# --- witnesses ----------------------------------------------------------------------------------------------------


def statement_of(theorem: StructuredTheorem) -> dict[str, str]:
    """What the theorem says, argument by argument."""
    named = ("outputs", "target", "entropy", "scale", "learning_rate", "coefficient", "regret", "update", "sizes")
    return {name: str(getattr(theorem, name)) for name in named}


def written_structured(theorem: StructuredTheorem, made: StructuredAdversary, sides: Sides) -> Document:
    """The stream, ready for JSON: each output with its probability, and the scores that the comparator gives it."""
    rows = zip(made.distribution.outputs, made.distribution.weights, made.scores, strict=True)
    return {
        "theorem": theorem.name,
        "statement": statement_of(theorem),
        "K": made.distribution.size,
        "T": made.rounds,
        "X": "1",
        "D": None,
        "eps": str(made.eps),
        "stream": [
            {"output": list(map(str, y)), "probability": str(w), "scores": list(map(str, scores))}
            for y, w, scores in rows
        ],
        "U": [],
        **{name: exact(getattr(sides, name)) for name in SIDES},
    }


def read_structured(data: Mapping[str, Any], theorem: StructuredTheorem) -> StructuredAdversary:
    """The stream that a witness of this theorem describes.

    Raises
    ------
    WitnessError
        If it is not one, or is for a theorem that says something else.
    """
    require(data.get("statement") == statement_of(theorem), "the theorem says something else than the witness")
    size, rounds, rows = data.get("K"), data.get("T"), data.get("stream")
    if not isinstance(size, int) or not theorem.claims(size) or theorem.outputs.count(size) > MOST_OUTPUTS:
        raise WitnessError(f"K = {str(size)[:40]} is not a size that is attacked")
    if isinstance(rounds, bool) or not isinstance(rounds, int) or not 1 <= rounds <= MOST_ROUNDS:
        raise WitnessError(f"T = {str(rounds)[:40]} is not a number of rounds")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_OUTPUTS or not all(isinstance(r, dict) for r in rows):
        raise WitnessError(f"stream is not a list of 1 to {MOST_OUTPUTS} outputs")
    outputs, scores = (tuple(_vector(row.get(name)) for row in rows) for name in ("output", "scores"))
    weights, eps = tuple(fraction(row.get("probability")) for row in rows), fraction(data.get("eps"))
    vectors = theorem.outputs.vectors(size)
    are_outputs = len(set(outputs)) == len(rows) and set(outputs) <= set(vectors)
    is_distribution = are_outputs and min(weights) > 0 and sum(weights) == 1
    require(is_distribution, "stream is no distribution over outputs of the theorem")
    are_scores = all(len(row) == len(vectors[0]) for row in scores) and 0 <= eps < 1
    require(are_scores, "scores or eps are not those of a stream")
    made = StructuredAdversary(OutputDistribution(size, outputs, weights), scores, eps, rounds)
    require(bool(eps) or not any(made.mean), "eps = 0 goes with scores of mean 0")
    return made


def _vector(entries: Any) -> Vector:
    require(isinstance(entries, list), "an output or its scores are not a list")
    return tuple(map(fraction, entries))
