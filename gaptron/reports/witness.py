"""A witness on one line that a reader can check by hand."""

from gaptron.system.digits import apart, number
from gaptron.system.documents import Document

LONG_RUN = 6
LONG = 160  # characters of a relation


def witness_text(witness: Document) -> str:
    """A witness of a claim: of an obligation, or an instance, its setting exact, with both sides."""
    if "at" not in witness:
        return witness_line(witness)
    bare = {name: str(value).replace("'", "") for name, value in witness["at"].items()}
    at = ", ".join(f"{name} = {value}" for name, value in bare.items())
    left, right = apart([witness["left"], witness["right"]])
    return f"{at}: left = {left}, right = {right} ({witness['relation']})"


def claim_line(row: Document) -> str:
    """What is known of a claim: the witness of what is refuted, and the finding; failing these what it stands on."""
    broken = witness_text(row["witness"]) if row["witness"] and row["verdict"] == "REFUTED" else ""
    found = ". ".join(filter(None, (broken, row["finding"]))) or "; ".join(row["reasons"]) or ", ".join(row["evidence"])
    return " ".join(found.split())


def refuted_text(witness: Document) -> str:
    """What a witness refutes."""
    if witness["refutes"] == "condition":
        return f"the bound is not decided, its proof fails ({witness['obligation'].split('/')[0]})"
    return f"the {witness['refutes']} is false"


def breaks_line(breaks: Document) -> str:
    """The stream on which a bound is broken, the comparator, and both sides."""
    cost, allowed = apart([breaks["cost"], breaks["allowed"]])
    if "stream" not in breaks:
        rows = zip(breaks["outputs"], breaks["distribution"], breaks["scores"], strict=True)
        drawn = "; ".join(f"{_row(y)} with probability {number(w)} (scores {_row(scores)})" for y, w, scores in rows)
        return (
            f"{_setting(breaks)}, T={breaks['T']}, eps={breaks['eps']}, true outputs (and the comparator's scores) "
            f"{drawn}: every algorithm pays {cost} in expectation, and the bound is {allowed}"
        )
    rounds = "; ".join(f"x={_row(r['x'])} label {r['label']}, {_times(r['rounds'])}" for r in breaks["stream"])
    comparator = "; ".join(map(_row, breaks["comparator"]))
    where = f"{_setting(breaks)}, {rounds}; U={comparator}"
    return f"{where}: the learner pays {cost} in expectation, and the bound is {allowed}"


def _times(rounds: int) -> str:
    return "once" if rounds == 1 else f"{rounds} times"


def witness_line(witness: Document) -> str:
    """What breaks, where, and by how much."""
    if "gap" in witness:
        side = f", subgradient from the {witness['subgradient']}" if "subgradient" in witness else ""
        where = f"{_setting(witness)}, scores={_row(witness['scores'])}, label {witness['label']}{side}"
        return f"{where}: gap = {number(witness['gap'])}"
    if "needed" in witness:
        needed = ", ".join(map(number, witness["needed"]))
        return f"{_setting(witness)}, scores={_row(witness['scores'])}: the labels need {needed}, more than 1 in sum"
    if "mistakes" in witness:
        return _against_every_algorithm(witness)
    if "points" in witness:
        points = "; ".join(map(_row, witness["points"]))
        values = ", ".join(apart(witness["values"]))
        return (
            f"not convex: {_setting(witness)}, label {witness['label']}, at the scores {points} the loss is {values}: "
            f"in the middle above the chord (weight {number(witness['weight'])} on the first)"
        )
    if "distribution" in witness:
        return _distribution_line(witness)
    if "means" in witness:
        means = "; ".join(map(_row, witness["means"]))
        values = ", ".join(apart(witness["values"]))
        where = f"{_setting(witness)}, at the means {means}"
        return f"not convex: {where} the entropy is {values}: in the middle above the chord"
    at = [f"K={number(witness['K'])}"] if "K" in witness else []
    at += [f"{name}={number(value)}" for name, value in witness["point"].items()]
    return f"{', '.join(at) or 'always'}: {_failing(witness)}"


def _failing(witness: Document) -> str:
    """The relation that fails at a point, with the values of its sides; of what is not defined there, what it needs."""
    values, fails = " and ".join(apart(witness["values"])), _shortened(witness["fails"])
    part, _, kind = witness.get("obligation", "").rpartition("/")
    if kind != "defined":
        return f"{fails} fails, with {values}"
    needs = "" if witness["values"] == ["undefined"] else f": it needs {fails}, whose sides are {values}"
    return f"the {part} has no value there{needs}"


def _shortened(relation: str) -> str:
    """With its beginning and its end, if it is long."""
    return relation if len(relation) <= LONG else f"{relation[: LONG // 2]} ... {relation[-LONG // 4 :]}"


def _distribution_line(witness: Document) -> str:
    """The true output drawn from it, and what no decoder can do at the scores."""
    probabilities = witness["distribution"]
    on = _row(probabilities)
    if "outputs" in witness:
        rows = zip(probabilities, witness["outputs"], strict=True)
        on = ", ".join(f"{number(p)} on {_row(output)}" for p, output in rows)
    left, right = apart([witness["left"], witness["right"]])
    scores = witness["scores"]
    shown = "; ".join(map(_row, scores)) if isinstance(scores[0], list) else _row(scores)
    return (
        f"{_setting(witness)}, true output with probabilities {on}, scores {shown}: "
        f"every prediction costs {left} on average, above {right}"
    )


def _against_every_algorithm(witness: Document) -> str:
    """A distribution and the comparator's scores for each label that is drawn, and the stream."""
    drawn = [_row(row) for row in _drawn(witness)]
    shown = "; ".join(drawn if len(drawn) <= LONG_RUN else [*drawn[:2], "..."])
    shown += f" of {witness['scores_of']}" if "scores_of" in witness else ""
    left, right = apart([witness["left"], witness["right"]])
    mistakes, bound = apart([witness["mistakes"], witness["bound"]])
    return (
        f"{_setting(witness)}, labels from {_row(witness['distribution'])}, the comparator's scores {shown}: every "
        f"algorithm errs with probability {left} a round, and E loss + c Var = {right}; over T = {witness['T']} "
        f"rounds with eps = {witness['eps']} it makes {mistakes} mistakes in expectation, and the bound is {bound}"
    )


def _drawn(witness: Document) -> list[list[str]]:
    """The scores of the labels that are drawn, or of those that stand for them."""
    if "scores_of" not in witness:
        return [row for row, w in zip(witness["scores"], witness["distribution"], strict=True) if w != "0"]
    return witness["scores"] if isinstance(witness["scores"][0], list) else [witness["scores"]]


def _setting(witness: Document) -> str:
    """K (or the size of the outputs) and the other parameters."""
    size = "K" if "K" in witness else "size"
    more = [f"{name}={number(value)}" for name, value in witness.get("parameters", {}).items()]
    return ", ".join([f"{size}={number(witness[size])}", *more])


def _row(scores: list[str]) -> str:
    """Scores in brackets, a long run of equal ones at the end abbreviated."""
    last = scores[-1]
    run = next((i for i, score in enumerate(reversed(scores)) if score != last), len(scores))
    shown = list(map(number, scores))
    if run <= LONG_RUN:
        return f"({', '.join(shown)})"
    more = f"{run - 1} more zeros" if last == "0" else f"{run - 1} times more"
    return f"({', '.join([*shown[: len(shown) - run], f'{number(last)} and {more}'])})"
